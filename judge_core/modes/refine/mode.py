"""A refinement tournament: the flow, without I/O.

In each pass a critic lists the problems of the incumbent (A), an author revises it (B), a synthesizer merges both (AB),
and every judge of the panel ranks the three. The winner is the next incumbent; one that keeps winning has converged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from judge_core.modes.refine.counting import count
from judge_core.modes.refine.dialogues import StepDialogue, VoteDialogue
from judge_core.modes.refine.lots import coin
from judge_core.records.event import Cancelled, Event, Input, Judged, RetryAsked, RunExtended
from judge_core.records.refinement.events import (
    IncumbentAccepted,
    NoteGiven,
    RefinementEnded,
    RefinementStarted,
    StepTaken,
    VoteCast,
)
from judge_core.records.refinement.nouns import (
    ATTEMPTS,
    Outcome,
    StepResult,
    StepRole,
    Version,
    Vote,
    VoteResult,
    Written,
)
from judge_core.records.result import Result
from judge_core.records.spec import RefineSpec
from judge_core.scoring.convergence import Decided, end_of, streak_after

Dialogue = StepDialogue | VoteDialogue
ENDS: Mapping[Outcome, str] = {
    "converged": "Converged: the incumbent won {k} in a row.",
    "accepted": "Accepted by a person as it stands.",
    "score_stable": "Stopped: the points hardly move any more. This is no convergence.",
    "winner_stable": "Stopped: the same challenger wins again and again. This is no convergence.",
    "max_rounds": "Stopped after its last pass, before the incumbent had won often enough in a row.",
    "failed": "Failed.",
}
NAMES: Mapping[StepRole, str] = {"critic": "critic", "author_b": "author", "synthesizer": "synthesizer"}


@dataclass
class RefineMode:
    """Passes of a tournament, as a state machine: `begin`, then `ask` and `take` in turn."""

    spec: RefineSpec
    words: Mapping[str, str] = field(default_factory=dict, repr=False)
    conclusion: str = ""
    hopeless: str | None = None
    """Why the tournament cannot go on: a role, or too many judges, gave nothing twice."""
    incumbent: Written = field(init=False)
    pass_num: int = 0
    _waiting: deque[Dialogue] = field(default_factory=deque)
    _places: int = 0
    _pulled: dict[int, Dialogue] = field(default_factory=dict)
    _made: dict[StepRole, Written] = field(default_factory=dict)
    """What was written in this pass."""
    _notes: list[Written] = field(default_factory=list)
    """Of a person, for the next critic."""
    _votes: dict[int, Vote] = field(default_factory=dict)
    """Of this pass, by seat."""
    _silent: list[Dialogue] = field(default_factory=list)
    """What brought nothing at its last attempt, to be asked again on request."""
    _open_votes: int = 0
    _streak: int = 0
    _since: list[Decided] = field(default_factory=list)
    """The passes since the start, or since the tournament was extended."""
    _passes_more: int = 0
    _ended: bool = False
    _over: bool = False

    def __post_init__(self) -> None:
        text = self.spec.text
        self.incumbent = Written(sha256=text.sha256, words=text.words, characters=text.characters)
        self._passes_more = self.spec.stopping.max_rounds

    def begin(self) -> list[Event]:
        """The start; the first critic waits."""
        self._next_pass()
        return [
            RefinementStarted(
                max_rounds=self.spec.stopping.max_rounds, convergence_k=self.spec.stopping.k,
                num_judges=len(self.spec.panel), judges=tuple(judge.name for judge in self.spec.judges),
            )
        ]  # fmt: skip

    def ask(self) -> Dialogue | None:
        """The next step or vote; None while one is awaited, and at the end."""
        if self._over or not self._waiting:
            return None
        self._places += 1
        dialogue = replace(self._waiting.popleft(), place=self._places)
        self._pulled[dialogue.place] = dialogue
        return dialogue

    def take(self, result: Result | Input, place: int | None = None) -> list[Event]:
        """Takes a result or an input and returns what happened."""
        if place is not None:
            dialogue = self._pulled.pop(place)
            if isinstance(dialogue, StepDialogue):
                assert isinstance(result, StepResult)
                return self._step_taken(dialogue, result)
            assert isinstance(result, VoteResult)
            return self._voted(dialogue, result.vote)
        match result:
            case Cancelled():
                self._over = True
            case RetryAsked():
                self._ask_again()
            case NoteGiven():
                self._notes.append(result.note)
            case IncumbentAccepted() if not self._ended:
                self._waiting.clear()
                self.hopeless = None
                return [self._end("accepted")]
            case RunExtended():
                self._extend(result.rounds)
            case _:
                pass
        return []

    def recall(self, event: Judged) -> StepResult | VoteResult:
        """A recorded place's result."""
        if isinstance(event, StepTaken):
            return StepResult(writing=event.writing)
        assert isinstance(event, VoteCast)
        return VoteResult(vote=event.vote)

    # steps

    def _next_pass(self) -> None:
        self.pass_num += 1
        self._made, self._votes, self._silent = {}, {}, []
        self._wait_for("critic")

    def _wait_for(self, role: StepRole) -> None:
        shown = [self.incumbent]
        if role == "critic":
            shown += self._notes
            self._notes = []
        elif role == "author_b":
            shown.append(self._made["critic"])
        else:
            shown.append(self._made["author_b"])
            shown = shown if coin(self.spec.seed, self.pass_num) else shown[::-1]
        self._waiting.append(StepDialogue(0, self.pass_num, role, tuple(shown), self.spec))

    def _step_taken(self, asked: StepDialogue, result: StepResult) -> list[Event]:
        event = StepTaken(
            place=asked.place,
            pass_num=asked.pass_num,
            role=asked.role,
            replicate=asked.replicate,
            shown=asked.shown,
            writing=result.writing,
        )
        if self._ended or self._over:
            return [event]
        written = result.writing.written
        if written is None:
            self._nothing(asked, f"The {NAMES[asked.role]} gave no usable answer in {ATTEMPTS} attempts.")
            return [event]
        self._made[asked.role] = written
        if asked.role == "critic":
            self._wait_for("author_b")
        elif asked.role == "author_b":
            self._wait_for("synthesizer")
        else:
            self._wait_for_votes(range(len(self.spec.panel)))
        return [event]

    def _nothing(self, asked: StepDialogue, why: str) -> None:
        """A step without a text is asked once more; then the tournament is given up until a person has it asked again."""
        again = replace(asked, place=0, replicate=asked.replicate + 1)
        if again.replicate % ATTEMPTS:
            self._waiting.append(again)
        else:
            self._silent, self.hopeless = [again], why

    # votes

    def _wait_for_votes(self, seats: range | list[int], replicate: int = 0) -> None:
        versions = (self.incumbent, self._made["author_b"], self._made["synthesizer"])
        self._open_votes = len(seats)
        self._waiting += [VoteDialogue(0, self.pass_num, seat, versions, self.spec, replicate) for seat in seats]

    def _voted(self, asked: VoteDialogue, vote: Vote) -> list[Event]:
        event = VoteCast(
            place=asked.place,
            pass_num=asked.pass_num,
            seat=asked.seat,
            replicate=asked.replicate,
            versions=asked.versions,
            vote=vote,
        )
        if self._ended or self._over:
            return [event]
        self._votes[asked.seat] = vote
        self._open_votes -= 1
        return [event, *([] if self._open_votes else self._counted(asked.replicate))]

    def _counted(self, replicate: int) -> list[Event]:
        """The pass's decision, once all votes are in. Too few of them decide nothing, and no streak rests on them."""
        texts: dict[Version, Written] = {
            "A": self.incumbent,
            "B": self._made["author_b"],
            "AB": self._made["synthesizer"],
        }
        found = count([self._votes[seat] for seat in range(len(self.spec.panel))], texts, self.spec)
        if found.winner is None or found.effective is None:
            silent = [seat for seat, vote in self._votes.items() if not vote.decided]
            if (replicate + 1) % ATTEMPTS:
                self._wait_for_votes(silent, replicate + 1)
            else:
                self._give_up_votes(silent, replicate + 1)
            return [found.event(self.pass_num, self._streak, self.incumbent, self.incumbent)]
        self._streak = streak_after(self._streak, found.effective)
        self._since.append(Decided(found.effective, found.tally.borda, found.tally.valid_judges))
        before, self.incumbent = self.incumbent, self.incumbent if found.effective == "A" else texts[found.winner]
        told = found.event(self.pass_num, self._streak, before, self.incumbent)
        stopping = self.spec.stopping.model_copy(update={"max_rounds": self._passes_more})
        end = end_of(self._since, self._streak, stopping)
        if end is None:
            self._next_pass()
            return [told]
        return [told, self._end(end)]

    def _give_up_votes(self, silent: list[int], replicate: int) -> None:
        self._wait_for_votes(silent, replicate)
        self._silent = [self._waiting.pop() for _ in silent][::-1]
        self.hopeless = f"Only {len(self.spec.panel) - len(silent)} of {len(self.spec.panel)} judges ranked, twice: that decides nothing."

    # the end

    def _end(self, outcome: Outcome) -> RefinementEnded:
        self._ended = True
        self.conclusion = ENDS[outcome].format(k=self.spec.stopping.k)
        decided = self.pass_num if outcome not in ("accepted", "failed") else self.pass_num - 1
        return RefinementEnded(outcome=outcome, pass_num=decided, final=self.incumbent)

    def _extend(self, passes: int) -> None:
        """So many further passes. After the end the streak and all detectors begin anew; before it, the end comes later."""
        if not self._ended:
            self._passes_more += passes
            return
        self._ended, self._streak, self._since, self._passes_more = False, 0, [], passes
        self._next_pass()

    def _ask_again(self) -> None:
        self._waiting += self._silent
        self._silent, self.hopeless = [], None
