"""A refinement tournament as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from judge_core.interfaces.dashboard.result.shown import ShownRun, theme
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.library.refine.result import Refinement
from judge_core.records.errors import StoreError
from judge_core.records.refinement.nouns import Written
from judge_core.views.refine.state import RefineState

ERASED = "This text is not stored here any more."


@dataclass(frozen=True)
class ShownRefinement(ShownRun):
    """A tournament as it stood when the page was built."""

    state: RefineState

    @cached_property
    def results(self) -> Refinement:
        """What it can be saved as."""
        return Refinement(self.bench, self.id, self.state)

    def words(self, written: Written | None) -> str:
        """A text of the tournament; hostile, for the safe sinks only."""
        if written is None:
            return ""
        try:
            return self.bench.archive.text(written.sha256)
        except StoreError:
            return ERASED

    def reply(self, sha256: str | None) -> str:
        """A raw reply; hostile too."""
        if sha256 is None:
            return ""
        try:
            return self.bench.archive.text(sha256)
        except StoreError:
            return ERASED


def look_refinement(run: str) -> ShownRefinement:
    """The tournament as it stands now. InputError where there is none of that id, or the run is of another kind."""
    bench = workbench()
    here = run in bench.runner.playing()
    live = bench.live(run)  # before the state: a run that ends in between is looked at once more
    row = bench.journal.row(run)
    return ShownRefinement(
        bench=bench, row=row, state=bench.refine_state(run), live=live, here=here, theme=theme(), names=True
    )
