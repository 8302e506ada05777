"""How much of the order is more than error: round by round with the coin's figure, in halves, and circles among the texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from judge_core.ranking.bradley_terry import PRIOR_SD, Verdicts
from judge_core.ranking.reliability.bundles import judges_of
from judge_core.ranking.reliability.coin import REPLAYS, Coin, coin_baseline, coin_by_round
from judge_core.ranking.reliability.panel import of_judge
from judge_core.ranking.reliability.separation import floored, separation_after, separation_reliability
from judge_core.ranking.reliability.split_half import SPLITS, SplitHalf, split_half
from judge_core.ranking.reliability.triads import triads
from judge_core.views.standings import Standings
from judge_core.views.state import RunState
from judge_core.views.trust.course import judge_name, play_of, rate_of, rounds_of, said
from judge_core.views.trust.frames import Row, framed_rows

GOOD = 0.8
"""A separation reliability from which on a ranking is said to do for most uses."""
AFFORDABLE = 30_000
"""Texts times rounds times replays that take about half a second to a few seconds."""
FEWEST_REPLAYS = 10
MANY_TEXTS = 100
"""Beyond, halves are drawn fewer times."""
ALL_JUDGES = "all judges"
ROUND_COLUMNS = {
    "round": "Int64",
    "title": "object",
    "verdicts": "Int64",
    "reliability": "Float64",
    "coin mean": "Float64",
    "coin 95th": "Float64",
    "replays": "Int64",
}
TRIAD_COLUMNS = {
    "judge": "object",
    "circular": "Int64",
    "complete": "Int64",
    "expected by chance": "Float64",
    "share": "Float64",
}


class ReliabilitySummary(NamedTuple):
    """The reliability in a few figures; each is None where it is not defined."""

    reliability: float | None
    """Separation reliability, 0 to 1."""
    coin: Coin | None
    """What coins show on the same schedule."""
    halves: SplitHalf | None
    """Random halves of all verdicts."""
    panels: SplitHalf | None
    """Random halves of the panel; None for one judge."""
    prior_sd: float = PRIOR_SD
    """Logits, of the estimate: separation reliabilities compare only at the same prior."""


def reliability_summary(state: RunState, table: Standings, replays: int | None = None) -> ReliabilitySummary:
    """The run as a whole. Costs `replays` replays (by default as many as are affordable) and up to 20 halvings."""
    rounds = list(rounds_of(state, table).values())
    texts, verdicts, rate = _texts(state), said(state, table), rate_of(state, table)
    if table.posterior is None:
        return ReliabilitySummary(None, None, None, None)
    splits = SPLITS if len(texts) <= MANY_TEXTS else SPLITS // 4
    return ReliabilitySummary(
        separation_reliability(table.posterior),
        coin_baseline(
            play_of(state, table, rounds), texts, replays=replays or affordable(len(texts), len(rounds)), rate=rate
        ),
        split_half(texts, verdicts, splits=splits, rate=rate),
        split_half(texts, verdicts, "judges", splits=splits, rate=rate),
    )


def rounds_reliability(state: RunState, table: Standings, replays: int | None = None) -> pd.DataFrame:
    """A row a round: the separation reliability by all verdicts up to it, and what coins show on the same schedule.

    Twin of the reliability chart. The last row holds the figures of the whole run. Empty where it is not defined: with
    fewer than three texts compared, or while all are level. Below 0 it is shown as 0.
    """
    rounds = rounds_of(state, table)
    texts, rate = _texts(state), rate_of(state, table)
    bundles = [played.verdicts() for played in rounds.values()]
    number = replays or affordable(len(texts), len(rounds))
    play = play_of(state, table, list(rounds.values()))
    coins = coin_by_round(play, texts, replays=number, between=max(number // 2, 1), rate=rate)
    rows = [
        {
            "round": round_,
            "title": _title(state, round_),
            "verdicts": sum(len(kind) for bundle in bundles[:last] for kind in bundle),
            "reliability": floored(separation_after(texts, bundles, last, rate)),
            **_coin(coin),
        }
        for last, (round_, coin) in enumerate(zip(rounds, coins, strict=True), start=1)
    ]
    return framed_rows(rows, ROUND_COLUMNS)


def affordable(texts: int, rounds: int) -> int:
    """How many replays to make of a run of that size.

    >>> affordable(30, 10), affordable(128, 10), affordable(500, 20)
    (60, 23, 10)
    """
    return max(FEWEST_REPLAYS, min(REPLAYS, AFFORDABLE // max(texts * rounds, 1)))


def triads_summary(state: RunState, table: Standings) -> pd.DataFrame:
    """Circular triads (a beats b, b beats c, c beats a) of all verdicts together and, of a panel, of each judge.

    `complete` are the triads in which each pair is decided; coins make a quarter of them circles. `share` is empty where
    none is complete.
    """
    verdicts = said(state, table)
    judges = judges_of(verdicts)
    rows = [_circles(ALL_JUDGES, verdicts)]
    if len(judges) > 1:
        rows += [_circles(judge_name(state, judge), of_judge(verdicts, judge)) for judge in judges]
    return framed_rows(rows, TRIAD_COLUMNS)


def _circles(judge: str, verdicts: Verdicts) -> Row:
    found = triads(verdicts)
    return {
        "judge": judge,
        "circular": found.circular,
        "complete": found.complete,
        "expected by chance": found.expected,
        "share": found.share,
    }


def _texts(state: RunState) -> list[str]:
    return [text.alias for text in state.spec.texts]


def _title(state: RunState, number: int) -> str:
    paired = state.rounds.get(number)
    return paired.title if paired else ""


def _coin(coin: Coin | None) -> Mapping[str, object]:
    return {"coin mean": coin.mean, "coin 95th": coin.high, "replays": coin.replays} if coin else {}
