"""Habits of the judges over a whole run: how often the longer text won, and how often one of the judge's own family.

Shares are plain counts with a 95 % score interval (Wilson 1927, "Probable inference, the law of succession, and statistical
inference"). They are no correction: longer texts, or those of a family, may be the better ones. No rating is made from them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scipy.special import ndtri

from judge_core.records.spec import RunSpec, Spec, TextRef
from judge_core.records.verdict import Judgment, Turn
from judge_core.scoring.habits.families import author_of, family_of

FEWEST = 20
"""Decisions from which on a share is told at all."""


class Decision(NamedTuple):
    """One verdict for one of two texts."""

    judge: str
    """The model that judged."""
    won_words: int
    lost_words: int
    won_author: str = ""
    """The model that wrote the winner; '' where that is not known."""
    lost_author: str = ""


class Share(NamedTuple):
    """A share of decisions with its 95 % interval, all from 0 to 1."""

    favoured: int
    decided: int
    share: float
    low: float
    high: float

    @property
    def uneven(self) -> bool:
        """Whether the interval leaves out one half: more, or less, than a coin would give."""
        return not self.low <= 0.5 <= self.high


class LengthBias(Share):
    """`favoured`: the longer text won. `decided`: all decisions between texts of different length."""


class FamilyBias(Share):
    """`favoured`: the text of the judge's own family won. `decided`: all decisions between one of it and one of another."""


def decisions(matches: Iterable[tuple[str, str, Sequence[Judgment]]], spec: Spec) -> Iterator[Decision]:
    """The decisive verdicts of matches (alias a, alias b, judgments): each judge's own; ties and flips decide nothing."""
    for a, b, judgments in matches:
        for judgment in judgments:
            if judgment.outcome in ("won", "lost"):
                won, lost = (a, b) if judgment.outcome == "won" else (b, a)
                judge = answering_model(judgment.judge, judgment.turns, spec)
                yield _decision(judge, spec.text(won), spec.text(lost))


def _decision(judge: str, won: TextRef, lost: TextRef) -> Decision:
    return Decision(judge, won.words, lost.words, author_of(won.columns), author_of(lost.columns))


def answering_model(judge: int, turns: Iterable[Turn], spec: RunSpec) -> str:
    """The model that gave a judge's verdict: that of the judge (its index), or of the one that answered in its place."""
    names = {turn.answered_by for turn in turns if turn.status == "ok"} - {""}
    if not names:
        return spec.judges[judge].model
    name = min(names)
    return next((other.model for other in (*spec.fallbacks, *spec.judges) if other.name == name), name)


def length_bias(decided: Iterable[Decision]) -> LengthBias | None:
    """How often the longer text won; None below 20 decisions between texts of different length.

    >>> length_bias([Decision("m", 200, 100)] * 18 + [Decision("m", 100, 200)] * 6)._asdict()["share"]
    0.75
    """
    longer = [one.won_words > one.lost_words for one in decided if one.won_words != one.lost_words]
    figures = _share(longer)
    return LengthBias(*figures) if figures else None


def family_bias(decided: Iterable[Decision]) -> FamilyBias | None:
    """How often a text of the judge's own family beat one of another known family; None below 20 such decisions."""
    figures = _share([won for one in decided if (won := _own_won(one)) is not None])
    return FamilyBias(*figures) if figures else None


def _own_won(one: Decision) -> bool | None:
    """Whether the own family won; None where the decision was not between it and another one."""
    own, won, lost = family_of(one.judge), family_of(one.won_author), family_of(one.lost_author)
    if own is None or won is None or lost is None or (won == own) == (lost == own):
        return None
    return won == own


def _share(favoured: Sequence[bool]) -> Share | None:
    if len(favoured) < FEWEST:
        return None
    return share_of(sum(favoured), len(favoured))


def share_of(favoured: int, decided: int) -> Share:
    """A share with its 95 % score interval. ValueError unless 0 <= favoured <= decided and decided > 0.

    >>> [round(x, 3) for x in share_of(18, 24)[2:]]
    [0.75, 0.551, 0.88]
    """
    if not 0 <= favoured <= decided or not decided:
        raise ValueError(f"{favoured} of {decided} is no share.")
    z = float(ndtri(0.975))
    share, spread = favoured / decided, 1 + z * z / decided
    middle = (share + z * z / (2 * decided)) / spread
    reach = z / spread * math.sqrt(share * (1 - share) / decided + z * z / (4 * decided * decided))
    low, high = (0.0 if not favoured else middle - reach), (1.0 if favoured == decided else middle + reach)
    return Share(favoured, decided, share, low, high)
