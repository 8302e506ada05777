"""The library's way to improve a text: critic, author and synthesizer challenge it, judges decide pass by pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from judge_core.engine.estimate import Estimate
from judge_core.interfaces.bench.steering import accept_incumbent, extend_refinement, give_note
from judge_core.interfaces.library.evaluations import Evaluations, each
from judge_core.interfaces.library.refine.folder import check_folder
from judge_core.interfaces.library.refine.options import (
    RefineOptions,
    one_text,
    refine_spec,
    task_beside,
    text_ref,
    with_task,
)
from judge_core.interfaces.library.refine.result import Refinement, keep_folder
from judge_core.interfaces.library.results import follow
from judge_core.records.artifact import Artifact, Reading
from judge_core.records.event import Stored
from judge_core.records.spec import RefineSpec

OnEvent = Callable[[Stored], None]
Given = str | Path | Artifact
"""A string is the text itself, a path a file with one text."""


class Refining(Evaluations):
    """Refinement tournaments. `options` are the fields of `RefineOptions`, `judges` excepted: those of the `Judge` rank."""

    def refine(
        self,
        text: Given,
        *,
        task: str = "",
        folder: str | Path | None = None,
        on_event: OnEvent | None = None,
        **options: Any,
    ) -> Refinement:
        """Improves a text and waits for the end; `judges=5` is the panel's size. With a `folder`, each pass is written there.

        Without a task it is that of `FILE.spec.md` beside the file, the question of the `Judge`, or the first main
        heading. The same inputs again go on with a run that was paused, and cost nothing where the cache holds the replies.

        >>> import tempfile
        >>> from judge_core import Judge
        >>> home = tempfile.TemporaryDirectory()
        >>> with Judge(home=home.name) as judge:
        ...     found = judge.refine("Trees cool the the street. They are very tall.", preset="quick")
        ...     print(found.final)
        Trees cool the street. They are tall.
        >>> found.outcome, len(found.passes)
        ('converged', 2)
        >>> home.cleanup()
        """
        reading, spec, chosen = self._tournament(text, task, options)
        if folder is not None:
            check_folder(Path(folder), spec.text.sha256)
        self.bench.keep_texts(reading.artifacts)
        run = self.bench.start(spec, concurrency=chosen.concurrency)
        self._follow(run, folder, on_event)
        return Refinement.of(self.bench, run, reading.problems)

    def estimate_refinement(self, text: Given, *, task: str = "", **options: Any) -> Estimate:
        """Calls, tokens, dollars (None: unknown) and seconds of `refine` if all passes are played. Asks nothing."""
        _, spec, chosen = self._tournament(text, task, options)
        return self.bench.estimate(spec, concurrency=chosen.concurrency)

    def open_refinement(self, run_id: str) -> Refinement:
        """A tournament of this data folder. InputError where there is none of that id."""
        return Refinement.of(self.bench, run_id)

    def note(self, refinement: Refinement, text: str) -> None:
        """Gives a note to the next critic; it is read when the tournament goes on. InputError for one that has ended."""
        give_note(self.bench, refinement.run_id, text)

    def accept(self, refinement: Refinement) -> Refinement:
        """Ends a tournament with the incumbent as it stands. InputError for one that has ended."""
        accept_incumbent(self.bench, refinement.run_id)
        return self._anew(refinement, None, None)

    def extend_refinement(
        self, refinement: Refinement, passes: int, *, folder: str | Path | None = None, on_event: OnEvent | None = None
    ) -> Refinement:
        """Goes on for so many further passes at the most, though the tournament has ended. InputError for what cannot be."""
        extend_refinement(self.bench, refinement.run_id, passes)
        return self._anew(refinement, folder, on_event)

    def _anew(self, refinement: Refinement, folder: str | Path | None, on_event: OnEvent | None) -> Refinement:
        self._follow(refinement.run_id, folder, on_event)
        return Refinement.of(self.bench, refinement.run_id, refinement.problems)

    def _follow(self, run: str, folder: str | Path | None, on_event: OnEvent | None) -> None:
        keep, tell = keep_folder(self.bench, run, None if folder is None else Path(folder)), each(on_event)

        def both(events: Sequence[Stored]) -> None:
            keep(events)
            if tell is not None:
                tell(events)

        follow(self.bench, run, both)

    def _tournament(
        self, text: Given, task: str, options: Mapping[str, Any]
    ) -> tuple[Reading, RefineSpec, RefineOptions]:
        given = {("num_judges" if name == "judges" else name): value for name, value in options.items()}
        chosen = self._chosen(RefineOptions, given)
        reading = one_text(text)
        artifact = reading.artifacts[0]
        beside = task_beside(text) if isinstance(text, Path) else ""
        rubric = with_task(self.rubric, task, artifact.text, beside)
        return reading, refine_spec(self.bench, text_ref(artifact), rubric, chosen), chosen
