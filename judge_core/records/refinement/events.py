"""What happens in a refinement tournament, as events. Texts that are written on the way are known by their content hash."""

from __future__ import annotations

from typing import Literal

from judge_core.records.record import Notice, Record
from judge_core.records.refinement.nouns import Outcome, StepRole, Version, Vote, Writing, Written


class RefinementStarted(Record):
    """The first event of a refinement tournament."""

    type: Literal["refinement_started"] = "refinement_started"
    max_rounds: int
    convergence_k: int
    num_judges: int
    judges: tuple[str, ...]


class StepTaken(Record):
    """The critic, the author or the synthesizer of a pass was asked."""

    type: Literal["step_taken"] = "step_taken"
    place: int
    """The step's number in the order asked, from 1; judges' votes count too."""
    pass_num: int
    role: StepRole
    replicate: int = 0
    shown: tuple[Written, ...]
    """What it saw: the critic the text and notes, the author text and critique, the synthesizer X and Y."""
    writing: Writing

    @property
    def judgments(self) -> tuple[Writing, ...]:
        """Whose calls these were."""
        return (self.writing,)


class VoteCast(Record):
    """A judge ranked the three versions of a pass, or abstains."""

    type: Literal["vote_cast"] = "vote_cast"
    place: int
    pass_num: int
    seat: int
    """Index into the spec's panel."""
    replicate: int = 0
    versions: tuple[Written, Written, Written]
    """A, B and AB; the vote says in which order they were shown."""
    vote: Vote

    @property
    def judgments(self) -> tuple[Vote, ...]:
        """Whose calls these were."""
        return (self.vote,)


class PassComplete(Record):
    """A pass was decided by its judges; or, without a winner, too few of them ranked."""

    type: Literal["pass_complete"] = "pass_complete"
    pass_num: int
    winner: Version | None
    """None: inconclusive. The judges that were silent are asked once more; the streak stays as it is."""
    effective: Version | None
    """A where the winner's words are the incumbent's."""
    scores: dict[str, float]
    """Points by version; under vetoes 0 for those vetoed."""
    borda: dict[str, float]
    """The plain Borda count."""
    decided_by: str
    """See `scoring/voting.py`; 'length' where the first by points was too long."""
    vetoed_by: dict[str, tuple[int, ...]] = {}
    """By version the seats that vetoed it."""
    valid_judges: int
    streak: int
    before: Written
    """The incumbent of this pass."""
    after: Written
    """That of the next one."""
    warnings: tuple[Notice, ...] = ()


class RefinementEnded(Record):
    """The tournament came to its end; further passes may be asked for."""

    type: Literal["refinement_ended"] = "refinement_ended"
    outcome: Outcome
    pass_num: int
    """Passes that were decided."""
    final: Written


class NoteGiven(Record):
    """Input: a person's note for the next critic."""

    type: Literal["note_given"] = "note_given"
    note: Written


class IncumbentAccepted(Record):
    """Input: a person takes the incumbent as it is; the tournament ends."""

    type: Literal["incumbent_accepted"] = "incumbent_accepted"
