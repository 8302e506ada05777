"""From the votes of a pass to its winner: the quorum, the way of voting, and a limit on growth where one was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge_core.records.record import Notice
from judge_core.records.refinement.events import PassComplete
from judge_core.records.refinement.nouns import VERSIONS, Version, Vote, Written
from judge_core.records.spec import RefineSpec
from judge_core.scoring.voting import Tally, borda, veto


@dataclass(frozen=True)
class Count:
    """How a pass was decided."""

    tally: Tally
    winner: Version | None
    """None where too few judges ranked."""
    effective: Version | None
    too_long: tuple[Version, ...] = ()
    """Versions that had to give way because of their length."""

    def event(self, pass_num: int, streak: int, before: Written, after: Written) -> PassComplete:
        """The decision as an event."""
        tally = self.tally
        warnings = [notice for notice in tally.warnings if notice.code != "no_ballots"]
        warnings += [Notice(code="version_too_long", message=f"{version} grew too long.") for version in self.too_long]
        return PassComplete(
            pass_num=pass_num, winner=self.winner, effective=self.effective, scores=tally.scores, borda=tally.borda,
            decided_by="length" if self.too_long else "quorum" if self.winner is None else tally.decided_by,
            vetoed_by=tally.vetoed_by, valid_judges=tally.valid_judges, streak=streak, before=before, after=after,
            warnings=tuple(warnings),
        )  # fmt: skip


def quorum(panel: int) -> int:
    """Rankings without which a pass decides nothing: half of the panel, one at the least.

    >>> quorum(1), quorum(3), quorum(4)
    (1, 2, 2)
    """
    return max(1, -(-panel // 2))


def count(votes: Sequence[Vote], texts: Mapping[Version, Written], spec: RefineSpec) -> Count:
    """The decision of a panel's votes, in the panel's order."""
    ballots = [vote.ranking for vote in votes]
    weights = [seat.weight for seat in spec.panel]
    # without the conservative rule equal points go to a challenger, the synthesis first: the count breaks ties by order
    labels = VERSIONS if spec.conservative else VERSIONS[::-1]
    tiebreak = "A" if spec.conservative else None
    if spec.voting == "veto":
        tally = veto(ballots, labels, tiebreak, weights, spec.veto_threshold)
    else:
        tally = borda(ballots, labels, tiebreak, weights)
    if tally.valid_judges < quorum(len(spec.panel)):
        return Count(tally, None, None)
    winner, too_long = _in_length(tally, texts, labels, spec.longest)
    return Count(tally, winner, "A" if texts[winner].sha256 == texts["A"].sha256 else winner, too_long)


def _in_length(
    tally: Tally, texts: Mapping[Version, Written], labels: Sequence[Version], longest: float | None
) -> tuple[Version, tuple[Version, ...]]:
    """The first by points that did not grow too much, and those that had to give way. The points stay as they are."""
    first = next(label for label in labels if label == tally.winner)
    others = sorted((label for label in labels if label != first), key=lambda label: -tally.scores[label])
    most = None if longest is None else longest * max(texts["A"].words, 1)
    gave_way: list[Version] = []
    for label in (first, *others):
        if most is None or label == "A" or texts[label].words <= most:
            return label, tuple(gave_way)
        gave_way.append(label)
    return "A", tuple(gave_way)
