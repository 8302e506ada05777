"""What is estimated beside the strengths: the worth of the first place, of length, of a list's first place, and where each
judge's scores begin. Also ranked lists and scores as columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from judge_core.ranking.bradley_terry.likelihood.tally import Indices, Marks, Matrix, Vector
from judge_core.ranking.comparison import Ranked, Score
from judge_core.records.errors import InputError

POSITION_PRIOR_SD = 1.0
"""Logits; weak, since effects of judges seldom pass 1. The same for a list, from its first place to its last."""
LENGTH_PRIOR_SD = 1.0
"""Logits per doubling of words."""
CERTAIN = 1.96
"""Standard deviations that 95 % of a normal distribution lie within."""
ORIGIN_PRIOR_SD = 10.0
"""Logits, about the mean of a judge's scores: wide."""


class Effect(NamedTuple):
    """An effect in logits (or a judge's multiplier), and its standard deviation (of the multiplier's logarithm)."""

    logits: float
    sd: float

    @property
    def reach(self) -> float:
        """Half of its 95 % interval, or of that of the multiplier's logarithm."""
        return CERTAIN * self.sd


class ListColumns(NamedTuple):
    """Ranked lists of one length, best first."""

    texts: Indices
    """Lists by places."""
    shown: Matrix
    """Half for the text shown first, minus half for the last, even steps between; all 0 where nobody knows."""
    weight: Vector
    judge: Indices

    def where(self, kept: Marks) -> ListColumns:
        """The lists that are marked."""
        return ListColumns(self.texts[kept], self.shown[kept], self.weight[kept], self.judge[kept])


class ScoreColumns(NamedTuple):
    """One entry per score."""

    text: Indices
    value: Vector
    weight: Vector
    judge: Indices

    def where(self, kept: Marks) -> ScoreColumns:
        """The scores that are marked."""
        return ScoreColumns(self.text[kept], self.value[kept], self.weight[kept], self.judge[kept])


def list_columns(
    index: Mapping[str, int], rankings: Sequence[Ranked], judges: Mapping[str, int]
) -> tuple[ListColumns, ...]:
    """The lists by their lengths. InputError for a list that cannot be used."""
    by_length: dict[int, list[Ranked]] = {}
    for ranked in rankings:
        _check_list(index, ranked)
        by_length.setdefault(len(ranked.texts), []).append(ranked)
    return tuple(
        ListColumns(
            np.array([[index[text] for text in ranked.texts] for ranked in alike], dtype=np.intp),
            np.array([_shown(ranked) for ranked in alike], dtype=np.float64),
            np.array([ranked.weight for ranked in alike], dtype=np.float64),
            np.array([judges.get(ranked.judge, 0) for ranked in alike], dtype=np.intp),
        )
        for _, alike in sorted(by_length.items())
    )


def _shown(ranked: Ranked) -> list[float]:
    if not ranked.shown:
        return [0.0] * len(ranked.texts)
    last = len(ranked.texts) - 1
    place = {text: 0.5 - number / last for number, text in enumerate(ranked.shown)}
    return [place[text] for text in ranked.texts]


def _check_list(index: Mapping[str, int], ranked: Ranked) -> None:
    stranger = next((text for text in ranked.texts if text not in index), None)
    if stranger is not None:
        raise InputError(f"A ranked list names {stranger!r}, which is not among the texts to rate.")
    if len(ranked.texts) < 2 or len(set(ranked.texts)) < len(ranked.texts):
        raise InputError(f"A ranked list needs two texts at the least and none twice; found {list(ranked.texts)!r}.")
    if not 0 < ranked.weight < math.inf:
        raise InputError(f"A ranked list needs a weight above 0; found {ranked.weight!r}.")
    if ranked.shown and sorted(ranked.shown) != sorted(ranked.texts):
        raise InputError(f"A list was shown as {list(ranked.shown)!r}, which are not the texts that it ranks.")


def score_columns(index: Mapping[str, int], scores: Sequence[Score], judges: Mapping[str, int]) -> ScoreColumns:
    """The scores by column. InputError for a score that cannot be used."""
    for score in scores:
        if score.text not in index:
            raise InputError(f"A score names {score.text!r}, which is not among the texts to rate.")
        if not (math.isfinite(score.value) and 0 < score.weight < math.inf):
            raise InputError(
                f"The score of {score.text!r} must be a plain number (found {score.value!r}) with a weight above 0"
                f" (found {score.weight!r})."
            )
    return ScoreColumns(
        np.array([index[score.text] for score in scores], dtype=np.intp),
        np.array([score.value for score in scores], dtype=np.float64),
        np.array([score.weight for score in scores], dtype=np.float64),
        np.array([judges.get(score.judge, 0) for score in scores], dtype=np.intp),
    )


@dataclass(frozen=True, eq=False)
class Effects:
    """Which effects are estimated, in the order of their parameters: position, length, list position, origins."""

    position: bool
    doublings: Vector | None
    """Per text the logarithm of its words to the base 2, less the mean; last a 0 for nobody."""
    list_position: bool
    origins: tuple[int, ...] = ()
    """Judges (indices) whose scores count."""

    @property
    def names(self) -> tuple[str, ...]:
        """The effects that are told of, then the origins, which are only where a judge's scores begin."""
        return (*self.told, *(f"origin {judge}" for judge in self.origins))

    @property
    def told(self) -> tuple[str, ...]:
        """The effects that say something about judges: position, length, list position, as far as they are estimated."""
        present = {
            "position": self.position, "length": self.doublings is not None, "list position": self.list_position,
        }  # fmt: skip
        return tuple(name for name, there in present.items() if there)

    @property
    def precisions(self) -> Vector:
        """Of their priors about 0."""
        sds = {"position": POSITION_PRIOR_SD, "length": LENGTH_PRIOR_SD, "list position": POSITION_PRIOR_SD}
        return np.array([sds.get(name, ORIGIN_PRIOR_SD) ** -2 for name in self.names], dtype=np.float64)

    def of_pairs(self, first: Indices, second: Indices, position: Vector) -> Matrix:
        """Pairs by effects."""
        length = 0.0 if self.doublings is None else self.doublings[first] - self.doublings[second]
        return self._columns((len(first),), {"position": position, "length": length})

    def of_lists(self, lists: ListColumns) -> Matrix:
        """Lists by places by effects."""
        length = 0.0 if self.doublings is None else self.doublings[lists.texts]
        return self._columns(lists.texts.shape, {"length": length, "list position": lists.shown})

    def of_scores(self, scores: ScoreColumns) -> Matrix:
        """Scores by effects."""
        length = 0.0 if self.doublings is None else self.doublings[scores.text]
        origins = {f"origin {judge}": (scores.judge == judge).astype(np.float64) for judge in self.origins}
        return self._columns(scores.text.shape, {"length": length, **origins})

    def _columns(self, shape: tuple[int, ...], known: Mapping[str, Vector | Matrix | float]) -> Matrix:
        features = np.zeros((*shape, len(self.names)))
        for column, name in enumerate(self.names):
            features[..., column] = known.get(name, 0.0)
        return features


def doublings(items: Sequence[str], lengths: Mapping[str, float] | None) -> Vector | None:
    """Per text the logarithm of its words, less the mean; None where no text is longer than another."""
    if lengths is None or not items:
        return None
    logarithms = np.log2([lengths[item] for item in items])
    return None if np.ptp(logarithms) == 0 else np.append(logarithms - logarithms.mean(), 0.0)


def judge_index(names: Iterable[str]) -> dict[str, int]:
    """The number of each judge, by name."""
    return {name: place for place, name in enumerate(sorted(set(names)))}
