"""A tournament played by script: what roles write and judges rank is given, no judge and no network are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from judge_core.modes.refine.dialogues import StepDialogue, VoteDialogue
from judge_core.modes.refine.mode import RefineMode
from judge_core.records.criteria import Rubric
from judge_core.records.event import Ended, Event, Stored
from judge_core.records.record import text_hash
from judge_core.records.refinement.nouns import Seat, StepResult, Version, Vote, VoteResult, Writing, Written
from judge_core.records.spec import JudgeSpec, RefineSpec, TextRef
from judge_core.views.refine.state import RefineState, fold_refinement

FIRST = "The first version of the text."
Ranking = tuple[Version, ...]


def written(text: str) -> Written:
    return Written(sha256=text_hash(text), words=len(text.split()), characters=len(text))


def spec(judges: int = 3, *, stopping: dict[str, object] | None = None, **fields: object) -> RefineSpec:
    ref = TextRef(
        alias="E-001",
        id="text.md",
        title="text",
        sha256=text_hash(FIRST),
        words=len(FIRST.split()),
        characters=len(FIRST),
    )
    judge = JudgeSpec(name="toy", provider="toy", model="toy")
    seats = tuple(Seat(judge=0) for _ in range(judges))
    return RefineSpec.model_validate(
        {"rubric": Rubric(), "text": ref, "judges": (judge,), "panel": seats, "prompt_version": "toy",
         "stopping": stopping or {}, **fields}
    )  # fmt: skip


def best(*labels: Version) -> Ranking:
    """A ranking with these first; the incumbent before the synthesis before the revision."""
    order: tuple[Version, ...] = ("A", "AB", "B")
    return (*labels, *(label for label in order if label not in labels))


class Script:
    """What comes of each dialogue. `winners` by pass: a label that all judges have first, rankings by seat, or None."""

    def __init__(
        self,
        winners: Sequence[Version | Sequence[Ranking | None]],
        writes: Callable[[StepDialogue], str | None] | None = None,
    ):
        self.winners, self.writes = winners, writes or (lambda step: f"{step.role} of pass {step.pass_num}")
        self.asked: list[StepDialogue | VoteDialogue] = []

    def __call__(self, asked: StepDialogue | VoteDialogue) -> StepResult | VoteResult:
        self.asked.append(asked)
        if isinstance(asked, StepDialogue):
            text = self.writes(asked)
            made = None if text is None else written(text)
            return StepResult(writing=Writing(judge=asked.judge, outcome="written" if made else "failed", written=made))
        given = self.winners[min(asked.pass_num, len(self.winners)) - 1]
        ranking = best(given) if isinstance(given, str) else given[asked.seat]
        outcome = "failed" if ranking is None else "ranked"
        return VoteResult(vote=Vote(judge=asked.judge, outcome=outcome, order=asked.order, ranking=ranking))


def played(mode: RefineMode, script: Script, most: int = 10_000) -> list[Event]:
    """All that happens until nothing more is asked."""
    events: list[Event] = []
    for _ in range(most):
        asked = mode.ask()
        if asked is None:
            break
        events += mode.take(script(asked), asked.place)
    return events


def folded(mode: RefineMode, events: Iterable[Event]) -> RefineState:
    story = [*events, Ended(status="done", reason=mode.conclusion)]
    return fold_refinement(
        mode.spec, [Stored(seq=number, at="2026-01-01", event=event) for number, event in enumerate(story, start=1)]
    )


def tournament(script: Script, of: RefineSpec | None = None) -> RefineState:
    """A whole tournament."""
    mode = RefineMode(of or spec())
    return folded(mode, mode.begin() + played(mode, script))
