"""A judge that is right about a known share of random pairs, since the true strengths are known.

True strengths are normal. On a pair the judge sees the difference in strength, plus a bonus of 0.6 logits for the text shown
first, plus normal noise of sd 1.702; half of the noise's variance belongs to the pair and is the same in both orders, half to
the order. Within 0.3 it says tie. An ordered pair always gets the same verdict. The spread of the strengths is set so that a
decisive verdict on a random pair is right with the stated accuracy. A list is ranked by strength plus fresh noise of each text
(sd 1.702 / sqrt 2, times `list_noise`); a text by itself is scored by its strength plus noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

SPREAD = {0.75: 1.11, 0.80: 1.51, 0.85: 2.13, 0.90: 3.30}
"""Standard deviation of the true strengths in logits, by the judge's accuracy."""
FIRST_POSITION, NOISE, TIE = 0.6, 1.702, 0.3
MUCH = 2.0
"""Logits from which a judge with five levels says "much better": about half of its decisive verdicts on random pairs."""
SCORE_NOISE = 0.77
"""Of a text scored by itself, in logits: with an 80 % judge such scores have tau .70 with the truth."""


@dataclass
class Judge:
    """Verdicts on texts of known strength; the same seed gives the same truth and, asked alike, the same verdicts."""

    truth: dict[str, float]
    rng: np.random.Generator
    first_position: float = FIRST_POSITION
    list_noise: float = 1.0
    score_noise: float = SCORE_NOISE
    _of_pairs: dict[frozenset[str], float] = field(default_factory=dict)
    _of_orders: dict[tuple[str, str], float] = field(default_factory=dict)

    def margin(self, first: str, second: str) -> float:
        """By how much the text shown first seems better, in logits."""
        order = first, second
        if order not in self._of_orders:
            pair = frozenset(order)
            if pair not in self._of_pairs:
                self._of_pairs[pair] = self.rng.normal(0, NOISE / math.sqrt(2))
            of_pair = self._of_pairs[pair] * (1 if first < second else -1)
            of_order = self.rng.normal(0, NOISE / math.sqrt(2))
            self._of_orders[order] = self.truth[first] - self.truth[second] + self.first_position + of_pair + of_order
        return self._of_orders[order]

    def ranking(self, shown: Sequence[str]) -> tuple[str, ...]:
        """The texts, best first, as one call ranks them."""
        noise = self.rng.normal(0, self.list_noise * NOISE / math.sqrt(2), len(shown))
        seen = {text: self.truth[text] + extra for text, extra in zip(shown, noise, strict=True)}
        return tuple(sorted(shown, key=lambda text: -seen[text]))

    def score(self, text: str) -> float:
        """The text's score by itself."""
        return self.truth[text] + float(self.rng.normal(0, self.score_noise))


def judge(n: int, accuracy: float, seed: int, **traits: float) -> Judge:
    """A judge of n texts, "000", "001" ..."""
    rng = np.random.default_rng([n, round(accuracy * 100), seed])
    strengths = rng.normal(0, SPREAD[accuracy], n)
    return Judge({f"{place:03}": float(strength) for place, strength in enumerate(strengths)}, rng, **traits)


def winner(margin: float) -> float:
    """1, 0.5 or 0 for the text shown first."""
    return 0.5 if abs(margin) < TIE else float(margin > 0)


def level(margin: float) -> int:
    """Much better 2, better 1, tied 0, worse -1, much worse -2.

    >>> [level(margin) for margin in (-2.5, -0.5, 0.1, 2.0)]
    [-2, -1, 0, 2]
    """
    return 0 if abs(margin) < TIE else int(math.copysign(2 if abs(margin) >= MUCH else 1, margin))
