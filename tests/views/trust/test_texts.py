"""The table of texts: each figure is that of the maths, and what was not measured is empty."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from judge_core.modes.rank import RankMode
from judge_core.ranking.bradley_terry import Verdicts
from judge_core.ranking.reliability.fit_statistics import expectations, text_fit
from judge_core.records.event import TextsWithdrawn
from judge_core.records.spec import Goal, Narrowing
from judge_core.views.evidence import comparisons
from judge_core.views.standings import standings
from judge_core.views.state import fold
from judge_core.views.trust import text_table
from judge_core.views.trust.texts import TEXT_COLUMNS, top_of
from tests.views.streams import Stream, alias, lost, spec, win
from tests.views.trust.runs import Simulated, answered, folded, played, truth


@pytest.fixture(scope="module")
def run():
    state = played([Simulated(1, sharp=3)], 10, method="round-robin", rounds=9)
    return state, standings(state)


def test_every_figure_is_that_of_the_estimate(run):
    state, table = run
    frame = text_table(state, table).set_index("text")
    fits = text_fit(expectations(table.posterior, Verdicts(list(comparisons(state)))))
    for row in table.rows:
        cells = frame.loc[row.alias]
        assert cells["standard error"] == pytest.approx(table.posterior.sd(row.alias))
        assert (cells["high"] - cells["low"]) / 2 == pytest.approx(1.96 * cells["standard error"], rel=1e-3)
        assert [cells["infit"], cells["outfit"], cells["adjusted infit"]] == pytest.approx(fits[row.alias][:3])
        assert cells["comparisons"] == cells["wins"] + cells["losses"] + cells["ties"] == 9
        assert cells["best rank"] <= cells["median rank"] <= cells["worst rank"]
    assert list(frame.index) == [row.alias for row in table.rows]
    assert frame["in the top"].sum() == pytest.approx(1)


def test_settled_texts_are_tied_with_no_neighbour(run):
    state, table = run
    frame = text_table(state, table).set_index("text")
    order = [row.alias for row in table.rated]
    for above, below in zip(order, order[1:], strict=False):
        if below in table.row(above).tied_with:
            assert not frame["settled"][above]
            assert not frame["settled"][below]
    loose = text_table(state, standings(state, level=0.01))
    assert loose["settled"].all(), "at hardly any level all neighbours are told apart"


def test_the_top_is_that_of_the_goal_or_of_the_narrowing_or_the_best(run):
    state, table = run
    assert top_of(state) == 1
    assert top_of(fold(spec(8, narrowing=Narrowing(focus="rank", k=3)), [])) == 3
    assert top_of(fold(spec(8, goal=Goal(kind="top", ranks=(2,))), [])) == 2
    assert text_table(state, table, top=4)["in the top"].sum() == pytest.approx(4)
    whole = text_table(state, table, top=10)
    assert whole["in the top"].tolist() == pytest.approx([1.0] * 10)
    assert whole["top settled"].all()


def test_a_text_whose_verdicts_contradict_all_others_is_marked():
    """The weakest by far beats the three best and loses to all others."""
    stream = Stream(spec(12, rounds=11, method="round-robin"))
    names = [alias(number) for number in range(1, 13)]
    for place, a in enumerate(names):
        for b in names[place + 1 :]:
            upset = b == names[-1] and a in names[:3]
            stream.match(a, b, win(*((4, 8) if upset else (8, 4)), first=a))
    state = fold(stream.spec, stream.events)
    frame = text_table(state, standings(state)).set_index("text")
    assert frame["infit"].idxmax() == names[-1]
    assert frame["misfit"][names[-1]]
    assert frame["misfit"].sum() <= 4


def test_what_was_not_measured_is_empty():
    stream = Stream(spec(4)).match("E-001", "E-002", win()).match("E-003", "E-004", lost())
    state = fold(stream.spec, stream.events)
    frame = text_table(state, standings(state), {"E-003": "Third"}).set_index("text")
    for column in TEXT_COLUMNS.keys() - {"text", "comparisons", "wins", "losses", "ties"}:
        assert pd.isna(frame.loc["Third", column]), column
    assert frame.loc["Third", "comparisons"] == 0
    nothing = fold(stream.spec, [])
    empty = text_table(nothing, standings(nothing))
    assert len(empty) == 4
    assert empty["rating"].isna().all()
    assert list(empty.columns) == list(TEXT_COLUMNS)


def test_a_withdrawn_text_holds_no_rank_and_is_nobodys_neighbour():
    mode = RankMode(spec(6, method="round-robin", rounds=5))
    events = [*mode.begin(), *answered(mode, [Simulated(2, sharp=3)], truth(6))]
    state = folded(mode.spec, [*events, TextsWithdrawn(texts=("E-002",))])
    frame = text_table(state, standings(state), top=2).set_index("text")
    assert pd.isna(frame.loc["E-002", "rank"])
    assert pd.isna(frame.loc["E-002", "in the top"])
    assert pd.isna(frame.loc["E-002", "infit"])
    assert frame["in the top"].sum() == pytest.approx(2)
    assert frame["worst rank"].max() <= 5
    assert np.isfinite(frame["standard error"].dropna().to_numpy(float)).all()
