"""What the place in which a text is shown is worth to it: by all judges, by each, and as the run went on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import pandas as pd

from judge_core.ranking.bradley_terry import Effect, Verdicts
from judge_core.ranking.bradley_terry.posterior import POINTS_PER_LOGIT
from judge_core.ranking.reliability.bundles import compared, joined, judges_of
from judge_core.ranking.reliability.panel import of_judge
from judge_core.views.standings import Standings
from judge_core.views.state import RunState
from judge_core.views.trust.course import judge_name, rate_of, rounds_of, said
from judge_core.views.trust.frames import Row, framed_rows

POSITION_COLUMNS = {
    "of": "object",
    "kind": "object",
    "place": "object",
    "effect": "Float64",
    "low": "Float64",
    "high": "Float64",
    "points": "Float64",
    "verdicts": "Int64",
}
PAIR, LIST = "first of a pair", "first to last of a list"


def position_table(state: RunState, table: Standings) -> pd.DataFrame:
    """Rows of kind `all`, `judge` (of a panel, each by its own verdicts alone) and `round` (all verdicts up to it).

    `effect` in logits, with its 95 % interval and in `points` of rating; above 0 the first place gains. `place` says of
    which showing: a pair by itself, or a list from its first to its last. `verdicts` are those that tell who was first.
    Where each pair was judged in both orders, or nothing tells who was first, there is no row. Prior sd 1 logit about 0.
    """
    return framed_rows([*_rows(state, table)], POSITION_COLUMNS)


def _rows(state: RunState, table: Standings) -> Iterator[Row]:
    whole = said(state, table)
    if table.posterior is None:
        return
    yield from _effects(state, table, whole, "all judges", "all")
    judges = judges_of(whole)
    for judge in judges if len(judges) > 1 else ():
        yield from _effects(state, table, of_judge(whole, judge), judge_name(state, judge), "judge")
    rounds = rounds_of(state, table)
    so_far = accumulate((played.verdicts() for played in rounds.values()), lambda one, other: joined([one, other]))
    for number, verdicts in zip(rounds, so_far, strict=True) if len(rounds) > 1 else ():
        yield from _effects(state, table, verdicts, f"to round {number}", "round")


def _effects(state: RunState, table: Standings, verdicts: Verdicts, of: str, kind: str) -> Iterator[Row]:
    texts = compared([text.alias for text in state.spec.texts], verdicts)
    if not texts:
        return
    posterior = rate_of(state, table)(texts, verdicts)
    pairs = sum(one.position != 0 for one in verdicts.comparisons)
    lists = sum(bool(one.shown) for one in verdicts.rankings)
    for place, effect, number in (
        (PAIR, posterior.position_effect, pairs),
        (LIST, posterior.list_position_effect, lists),
    ):
        if effect is not None:
            yield {"of": of, "kind": kind, "place": place, **_interval(effect), "verdicts": number}


def _interval(effect: Effect) -> Row:
    reach = effect.reach
    return {
        "effect": effect.logits,
        "low": effect.logits - reach,
        "high": effect.logits + reach,
        "points": effect.logits * POINTS_PER_LOGIT,
    }
