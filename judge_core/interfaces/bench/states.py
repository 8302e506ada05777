"""Folded runs, kept in memory: whoever looks at a run again only reads the events that are new."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from judge_core.records.errors import InputError
from judge_core.records.event import Stored
from judge_core.records.journal import RunRow
from judge_core.records.spec import AnySpec, ItemSpec, RefineSpec, Spec
from judge_core.store.journal import Journal
from judge_core.views.items.state import ItemState, fold_items
from judge_core.views.refine.state import RefineState, fold_refinement
from judge_core.views.state import RunState, fold

AnyState = RunState | ItemState | RefineState
MOST_STATES = 50
"""Folded runs kept in memory."""


class States:
    """The states of runs of either kind. Safe to use from several threads."""

    def __init__(self, journal: Journal):
        self._journal = journal
        self._known: dict[str, AnyState] = {}
        self._lock = threading.Lock()

    def ranking(self, run: str) -> RunState:
        """The state of a run that ranks texts; InputError where it is of another kind."""
        state = self.of(run)
        if isinstance(state, RunState):
            return state
        raise InputError("This run does not rank texts; it has no ranking.", field="run")

    def items(self, run: str) -> ItemState:
        """The state of a run that judges items; InputError where it is of another kind."""
        state = self.of(run)
        if isinstance(state, ItemState):
            return state
        raise InputError("This run does not judge items one by one.", field="run")

    def refinement(self, run: str) -> RefineState:
        """The state of a refinement tournament; InputError where the run is of another kind."""
        state = self.of(run)
        if isinstance(state, RefineState):
            return state
        raise InputError("This run does not improve a text.", field="run")

    def of(self, run: str) -> AnyState:
        """The folded events of a run; only new ones are read."""
        with self._lock:
            known = self._known.get(run)
            if known is None:
                known = _folded(self._journal.row(run), self._journal)
            else:
                known = known.extended(self._journal.events(run, after=known.last_seq))
            self._known.pop(run, None)
            self._known[run] = known
            if len(self._known) > MOST_STATES:  # the one looked at longest ago
                self._known.pop(next(iter(self._known)))
            return known


def _folded(row: RunRow, journal: Journal) -> AnyState:
    return folded(row.spec, journal.events(row.id))


def folded(spec: AnySpec, events: Iterable[Stored]) -> AnyState:
    """The state of a run of any kind after its events."""
    match spec:
        case Spec():
            return fold(spec, events)
        case ItemSpec():
            return fold_items(spec, events)
        case RefineSpec():
            return fold_refinement(spec, events)
