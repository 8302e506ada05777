"""What a tournament asks: a step (a critique, a revision, a synthesis), and one judge's vote on the three versions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from judge_core.modes.asking.dialogue import Played, Reply, Script, Step, panel_dialogue, unique
from judge_core.modes.refine.lots import order_for
from judge_core.modes.refine.reading import read_critique, read_version
from judge_core.modes.replies.ranking import ListReading
from judge_core.modes.replies.ranking_line import read_ranking
from judge_core.records.event import Judged
from judge_core.records.item import PartRole
from judge_core.records.prompt import Ask, AskMode, Need
from judge_core.records.record import text_hash
from judge_core.records.refinement.events import StepTaken, VoteCast
from judge_core.records.refinement.nouns import StepResult, StepRole, Version, Vote, VoteResult, Writing, Written
from judge_core.records.spec import RefineSpec
from judge_core.scoring.counting import count_words

NUMBERS = ("1", "2", "3")
MOST_SEATS, MOST_RAISED = 100, 1000
MARKS = 120
"""Characters that the marks around a text add to a prompt."""
_MODES: dict[StepRole, AskMode] = {
    "critic": "refine_critic", "author_b": "refine_author", "synthesizer": "refine_synthesizer",
}  # fmt: skip

_NOTE: PartRole = "note"


def _roles(role: StepRole, shown: int) -> tuple[PartRole, ...]:
    """What the texts shown are, by how many there are."""
    if role == "critic":
        return ("text", *([_NOTE] * (shown - 1)))
    return ("text", "critique") if role == "author_b" else ("version", "version")


@dataclass(frozen=True, slots=True)
class StepDialogue:
    """A role's question."""

    place: int
    pass_num: int
    role: StepRole
    shown: tuple[Written, ...]
    """The critic's: the text, then notes; the author's: text and critique; the synthesizer's: X and Y."""
    spec: RefineSpec
    replicate: int = 0

    @property
    def judge(self) -> int:
        """Who answers in this role."""
        return int(getattr(self.spec, self.role))

    @property
    def need(self) -> Need:
        """One prompt that shows these texts."""
        return _need(self.shown, self.judge)

    def open(self) -> Generator[list[Ask], list[Reply], StepResult]:
        """Starts the dialogue."""
        panel = yield from panel_dialogue({self.judge: self._script()}, self.spec.judges)
        played = panel.played[0]
        text = played.verdict
        written = (
            None if text is None else Written(sha256=text_hash(text), words=count_words(text), characters=len(text))
        )
        writing = Writing(
            judge=self.judge, outcome=_outcome(played) if written is None else "written", turns=played.turns,
            warnings=unique(played.notices), written=written,
        )  # fmt: skip
        wrote = {} if text is None or written is None else {written.sha256: text}
        return StepResult(writing=writing, stop=panel.stop, wrote=wrote)

    def _script(self) -> Script[str | None]:
        read: Callable[[str, str | None], str] = read_critique if self.role == "critic" else read_version
        ask = Ask(
            judge=self.judge, mode=_MODES[self.role], texts=tuple(text.sha256 for text in self.shown),
            roles=_roles(self.role, len(self.shown)), replicate=_replicate(self.pass_num, 0, self.replicate),
        )  # fmt: skip
        step = Step(ask, self.role, read)
        yield [step]
        return step.reading


@dataclass(frozen=True, slots=True)
class VoteDialogue:
    """One judge's ranking of the three versions."""

    place: int
    pass_num: int
    seat: int
    versions: tuple[Written, Written, Written]
    """A, B, AB."""
    spec: RefineSpec
    replicate: int = 0

    @property
    def judge(self) -> int:
        """Who sits in this seat."""
        return self.spec.panel[self.seat].judge

    @property
    def order(self) -> tuple[Version, ...]:
        """Which version is shown as 1, 2 and 3."""
        return order_for(self.spec.seed, self.pass_num, self.seat)

    @property
    def need(self) -> Need:
        """One prompt that shows all three."""
        return _need(self.versions, self.judge)

    def open(self) -> Generator[list[Ask], list[Reply], VoteResult]:
        """Starts the dialogue."""
        panel = yield from panel_dialogue({self.judge: self._script()}, self.spec.judges)
        played = panel.played[0]
        reading = played.verdict
        ranking = None if reading is None else tuple(self.order[int(label) - 1] for label in reading.ranking)
        vote = Vote(
            judge=self.judge, outcome=_outcome(played) if ranking is None else "ranked", order=self.order,
            ranking=ranking, turns=played.turns,
            warnings=unique([*played.notices, *(reading.warnings if reading else ())]),
        )  # fmt: skip
        return VoteResult(vote=vote, stop=panel.stop)

    def _script(self) -> Script[ListReading | None]:
        named = dict(zip(("A", "B", "AB"), self.versions, strict=True))
        ask = Ask(
            judge=self.judge, mode="refine_judge", texts=tuple(named[version].sha256 for version in self.order),
            seat="" if (role := self.spec.panel[self.seat].role) == "judge" else role,
            replicate=_replicate(self.pass_num, self.seat, self.replicate),
        )  # fmt: skip
        step = Step(ask, f"seat {self.seat + 1}", partial(_read_vote))
        yield [step]
        return step.reading


def dialogue_of(event: Judged, spec: RefineSpec) -> StepDialogue | VoteDialogue:
    """The dialogue that a recorded step or vote came from."""
    if isinstance(event, StepTaken):
        return StepDialogue(event.place, event.pass_num, event.role, event.shown, spec, event.replicate)
    assert isinstance(event, VoteCast), "a run's events are of its own kind"
    return VoteDialogue(event.place, event.pass_num, event.seat, event.versions, spec, event.replicate)


def _outcome(played: Played[Any]) -> Literal["unparseable", "failed"]:
    return "unparseable" if played.unread else "failed"


def _read_vote(reply: str, finish_reason: str | None) -> ListReading:
    return read_ranking(reply, NUMBERS, finish_reason)


def _need(shown: Sequence[Written], judge: int) -> Need:
    characters, words = sum(text.characters for text in shown), sum(text.words for text in shown)
    return Need(prompts=1, characters=characters + MARKS * len(shown), words=words, judges=(judge,))


def _replicate(pass_num: int, seat: int, raised: int) -> int:
    """A number of its own for each pass, seat and repetition: equal prompts are asked anew, since each is a draw of its own."""
    return (pass_num * MOST_SEATS + seat) * MOST_RAISED + raised
