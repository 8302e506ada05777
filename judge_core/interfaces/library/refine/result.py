"""What a refinement tournament brings: the final text, its passes, how far the judges agreed, and the folder of all versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from judge_core.interfaces.detail.exchanges import stored_words
from judge_core.interfaces.library.refine.folder import folder_zip, write_folder
from judge_core.interfaces.library.results import ResultFile
from judge_core.interfaces.workbench import Workbench
from judge_core.records.artifact import FileProblem
from judge_core.records.event import RunStatus, Stored
from judge_core.records.refinement.events import PassComplete, RefinementEnded
from judge_core.records.refinement.nouns import Outcome
from judge_core.views.exports import strict_json
from judge_core.views.refine.files import needed_words, refinement_files
from judge_core.views.refine.machine import refine_folded, refine_record
from judge_core.views.refine.sentence import verdict
from judge_core.views.refine.state import PassView, RefineState


@dataclass(frozen=True, repr=False)
class Refinement:
    """A tournament as it stood when this was made."""

    bench: Workbench
    run_id: str
    state: RefineState
    problems: tuple[FileProblem, ...] = ()
    """What was odd about the file."""
    mode: Literal["refine"] = "refine"

    @classmethod
    def of(cls, bench: Workbench, run: str, problems: tuple[FileProblem, ...] = ()) -> Refinement:
        """The tournament of a run in its present state. InputError where there is no such run, or it is of another kind."""
        return cls(bench, run, bench.refine_state(run), problems)

    @property
    def initial(self) -> str:
        """The text that was to be improved."""
        return self.bench.archive.text(self.state.first.sha256)

    @property
    def final(self) -> str:
        """The text that stands now; at the end, the result. StoreError where it was erased."""
        return self.bench.archive.text(self.state.incumbent.sha256)

    @property
    def changed(self) -> bool:
        """Whether a challenger took the first text's place."""
        return self.state.incumbent.sha256 != self.state.first.sha256

    @property
    def passes(self) -> tuple[PassView, ...]:
        """The passes in their order, one that is going on included."""
        return tuple(self.state.passes.values())

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while passes are to come."""
        return None if self.state.ended is None else self.state.ended.outcome

    @property
    def status(self) -> RunStatus:
        """'done', or why the run is not."""
        return self.state.status

    @property
    def agreement(self) -> float | None:
        """Mean of the passes' Kendall's W, from 0 to 1; None where nothing can be told."""
        return self.state.agreement

    @property
    def calls(self) -> int:
        """Requests that were sent."""
        return self.state.spent.calls

    @property
    def cost(self) -> float | None:
        """US dollars spent; None where a part is unknown."""
        return self.state.spent.cost.exact

    @property
    def sentence(self) -> str:
        """How it ended, whether the text changed, and how far the judges agreed."""
        return verdict(self.state).text

    def layout(self) -> dict[str, bytes]:
        """The folder's files by relative path: versions, critiques and results of every pass."""
        return refinement_files(self.state, stored_words(self.bench, needed_words(self.state)))

    def save(self, folder: str | Path) -> list[str]:
        """Brings a folder up to date and returns the paths that were written. InputError where it cannot be."""
        return write_folder(Path(folder), self.layout())

    def zip(self) -> bytes:
        """The same folder as a zip; equal tournaments give equal bytes."""
        return folder_zip(self.layout())

    def record(self) -> dict[str, Any]:
        """Status, outcome, passes, agreement, judges and cost as plain data; texts stand by their hashes."""
        return refine_record(self.run_id, self.state)

    def folded(self) -> dict[str, Any]:
        """The record with the spec and every pass's steps and votes."""
        return refine_folded(self.run_id, self.state)

    def files(self) -> Mapping[str, ResultFile[Refinement]]:
        """What the run can be saved as, by file name."""
        return FILES

    def __repr__(self) -> str:
        return f"<refinement: {len(self.state.decided)} passes, {self.outcome or self.status}, run {self.run_id[:8]}>"


FILES: Mapping[str, ResultFile[Refinement]] = {
    "final_output.md": ResultFile("text/markdown", lambda found: found.final.encode("utf-8", "surrogatepass")),
    "refinement.zip": ResultFile("application/zip", lambda found: found.zip()),
    "refinement.json": ResultFile("application/json", lambda found: strict_json(found.record()) + b"\n"),
}
"""By name; the same run gives the same bytes."""


def keep_folder(bench: Workbench, run: str, folder: Path | None) -> Callable[[Sequence[Stored]], None]:
    """A listener to events that brings a folder up to date whenever a pass was decided, and at the end."""

    def tell(events: Sequence[Stored]) -> None:
        if folder is not None and any(isinstance(one.event, PassComplete | RefinementEnded) for one in events):
            Refinement.of(bench, run).save(folder)

    return tell
