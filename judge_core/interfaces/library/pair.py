"""What a single comparison of two texts brings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from judge_core.interfaces.library.results import Ranking
from judge_core.records.verdict import Judgment, PairScores

Winner = Literal["a", "b", "tie"]
_WINNERS: dict[str, Winner] = {"W": "a", "L": "b", "D": "tie"}


@dataclass(frozen=True, repr=False)
class PairVerdict:
    """One pairwise comparison, both orders asked. Scores are in the criteria's own scales, `a` for the first text given."""

    winner: Winner | None
    """None: no judge gave a verdict."""
    scores: tuple[Mapping[str, PairScores], ...]
    """By judge of the panel, then by criterion."""
    reasons: tuple[str, ...]
    """In the order of the replies; each says which text the judge saw as A."""
    warnings: tuple[str, ...]
    ranking: Ranking
    """The run behind it."""

    def __repr__(self) -> str:
        return f"<comparison: {self.winner or 'no verdict'}, run {self.ranking.run_id[:8]}>"

    def sentence(self, a: str, b: str) -> str:
        """The verdict in words, with these names for the two texts."""
        if self.winner is None:
            return f"No judge gave a verdict. {self.ranking.state.reason}"
        if self.winner == "tie":
            return f"{a} and {b} are level."
        return f"{a if self.winner == 'a' else b} is the better one."


def pair_verdict(ranking: Ranking, a: str) -> PairVerdict:
    """The verdict of a run of two texts; `a` is the id of the one that counts as the first."""
    view = next(iter(ranking.state.matches.values()), None)
    if view is None:
        return PairVerdict(None, (), (), (ranking.state.reason,), ranking)
    straight = ranking.labels[view.a] == a
    letter = view.letter(view.a if straight else view.b)
    return PairVerdict(
        winner=_WINNERS.get(letter),
        scores=tuple(_turned(judgment, straight) for judgment in view.judgments),
        reasons=_reasons(ranking),
        warnings=tuple(_named(n.message, ranking) for judgment in view.judgments for n in judgment.warnings),
        ranking=ranking,
    )


def _reasons(ranking: Ranking) -> tuple[str, ...]:
    """What the judges said, in the order of their replies; of a panel each names its judge."""
    judges = ranking.state.spec.judges
    said = ranking.reasons(ranking.labels)
    if len(judges) == 1:
        return tuple(said.values())
    return tuple(f"{judges[judge].name}: {words}" for (_, judge, _), words in said.items())


def _named(words: str, ranking: Ranking) -> str:
    """A sentence of ours with ids in the place of aliases."""
    labels = ranking.labels
    return re.sub("|".join(map(re.escape, labels)), lambda found: labels[found[0]], words)


def _turned(judgment: Judgment, straight: bool) -> dict[str, PairScores]:
    if straight:
        return dict(judgment.scores)
    return {name: PairScores(a=pair.b, b=pair.a) for name, pair in judgment.scores.items()}
