"""Tournaments put into a data folder for the tests of the pages, by script: no judge is asked."""

from __future__ import annotations

from collections.abc import Sequence

from judge_core.interfaces.workbench import Workbench
from judge_core.modes.refine.dialogues import StepDialogue
from judge_core.modes.refine.mode import RefineMode
from judge_core.records.event import Ended, Event, RunStatus, Stored
from judge_core.records.journal import Batch, Lease
from judge_core.records.spec import RefineSpec
from judge_core.store.journal import process_owner
from tests.modes.refine.script import FIRST, Script, played, spec

BETTER = "The second version of the text, with <img src=x onerror=y> and $x^2$ in it."


def stored_tournament(
    bench: Workbench, script: Script, of: RefineSpec | None = None, *, status: RunStatus = "done", name: str = "A plan"
) -> str:
    """A tournament that has ended so."""
    mode, events = _played(bench, script, of)
    run, lease = _begun(
        bench, mode.spec, [*events, Ended(status=status, reason=mode.hopeless or mode.conclusion)], name
    )
    bench.journal.release(lease, status)
    return run


def live_tournament(bench: Workbench, script: Script, last: int, of: RefineSpec | None = None) -> str:
    """A tournament that this process works on, after so many events: it is not over."""
    mode, events = _played(bench, script, of)
    return _begun(bench, mode.spec, events[:last], "A plan under way")[0]


def _played(bench: Workbench, script: Script, of: RefineSpec | None) -> tuple[RefineMode, list[Event]]:
    """The whole of it, with all that was written kept."""
    bench.archive.keep_text(FIRST)
    writes = script.writes

    def kept(step: StepDialogue) -> str | None:
        text = writes(step)
        if text is not None:
            bench.archive.keep_text(text)
        return text

    script.writes = kept
    mode = RefineMode(of or spec())
    return mode, mode.begin() + played(mode, script)


def _begun(bench: Workbench, chosen: RefineSpec, events: Sequence[Event], name: str) -> tuple[str, Lease]:
    run = bench.journal.create(chosen, name=name)
    lease = bench.journal.take_lease(run, process_owner())
    stored = [Stored(seq=at, at="2026-11-30T10:00:00+00:00", event=event) for at, event in enumerate(events, start=1)]
    bench.journal.commit(lease, Batch(events=tuple(stored)))
    return run, lease


def better(step: object) -> str:
    """What every author and synthesizer of a script writes."""
    return BETTER
