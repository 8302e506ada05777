"""The nouns of a refinement tournament: its roles, its judges' seats, when it stops, and what came of each step and pass.

In each pass a critic finds problems in the incumbent (A), an author answers with a revision (B), a synthesizer merges
both (AB), and judges rank the three. Nothing here holds a word of a text: versions are known by their content hash.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from judge_core.records.record import Record
from judge_core.records.verdict import JudgesShare

Version = Literal["A", "B", "AB"]
VERSIONS: tuple[Version, ...] = ("A", "B", "AB")
"""The incumbent, the author's revision, the synthesis; in the order in which ties are broken."""
StepRole = Literal["critic", "author_b", "synthesizer"]
STEPS: tuple[StepRole, ...] = ("critic", "author_b", "synthesizer")
"""One after another, since each sees what the one before wrote."""
JudgeRole = Literal["judge", "critic", "reviewer", "test_engineer", "domain_expert", "explorer", "minimality"]
ATTEMPTS = 2
"""How often a step, or a panel that is no quorum, is asked before the tournament is given up."""
Voting = Literal["borda", "veto"]
Outcome = Literal["converged", "accepted", "score_stable", "winner_stable", "max_rounds", "failed"]
"""How a tournament ended: by the incumbent's streak, by a person, by points or a winner that no longer change, at its last
round, or because nobody answered."""


class Seat(Record):
    """A judge of the panel: who answers, in which role, with how much say."""

    judge: int = Field(ge=0)
    """Index into the spec's judges."""
    role: JudgeRole = "judge"
    weight: float = Field(default=1.0, gt=0)


class Stopping(Record):
    """When a tournament ends. The detectors beside the streak are off unless chosen."""

    k: int = Field(default=2, ge=1, le=20)
    """Wins in a row by which the incumbent has converged; tested first."""
    max_rounds: int = Field(default=10, ge=1, le=100)
    """Passes, at the most."""
    score_window: int | None = Field(default=None, ge=2, le=100)
    """Passes over which no version's points may move by more than `score_delta` a judge, with one and the same winner."""
    score_delta: float = Field(default=1 / 3, ge=0)
    winner_window: int | None = Field(default=None, ge=2, le=100)
    """Passes in a row that one and the same challenger wins."""


class Written(Record):
    """A text of the tournament, by its content hash."""

    sha256: str
    words: int = Field(ge=0)
    characters: int = Field(ge=0)


class Writing(JudgesShare):
    """What a critic, author or synthesizer was asked, and what it wrote."""

    outcome: Literal["written", "unparseable", "failed"]
    written: Written | None = None
    """None where no text came."""

    @property
    def decided(self) -> bool:
        """Whether a text came."""
        return self.written is not None


class StepResult(Record):
    """What a step's dialogue returns."""

    writing: Writing
    stop: str | None = None
    """Why no judge can go on (a key, a balance), or None."""
    wrote: dict[str, str] = Field(default_factory=dict, exclude=True, repr=False)
    """The text by content hash, for the store; no part of any event."""

    @property
    def judgments(self) -> tuple[Writing, ...]:
        """Whose calls these were."""
        return (self.writing,)


class Vote(JudgesShare):
    """One judge's ranking of the three versions."""

    outcome: Literal["ranked", "unparseable", "failed"]
    order: tuple[Version, ...]
    """Which version it saw as 1, 2 and 3."""
    ranking: tuple[Version, ...] | None = None
    """Best first; None: it abstains."""

    @property
    def decided(self) -> bool:
        """Whether it ranked."""
        return self.ranking is not None


class VoteResult(Record):
    """What a judge's dialogue returns."""

    vote: Vote
    stop: str | None = None

    @property
    def judgments(self) -> tuple[Vote, ...]:
        """The vote."""
        return (self.vote,)
