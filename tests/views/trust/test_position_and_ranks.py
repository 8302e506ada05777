"""What the first place is worth, and the chances of each rank."""

from __future__ import annotations

import numpy as np
import pytest

from judge_core.views.chances import best_chance
from judge_core.views.standings import standings
from judge_core.views.state import fold
from judge_core.views.trust import position_table, rank_table
from judge_core.views.trust.position import LIST, PAIR
from tests.views.streams import Stream, spec, win
from tests.views.test_state import large
from tests.views.trust.runs import Simulated, played


def test_a_favour_is_seen_for_all_and_for_the_judge_that_has_it():
    state = played([Simulated(1, 1, first=3), Simulated(2, 1)], 10, method="round-robin", rounds=9)
    table = standings(state)
    frame = position_table(state, table)
    assert frame["of"].tolist()[:3] == ["all judges", "openai:judge-1", "openai:judge-2"]
    assert frame["kind"].tolist() == ["all", "judge", "judge", *["round"] * 9]
    whole, one_sided, fair = frame.iloc[:3].to_dict("records")
    assert whole["effect"] == pytest.approx(table.posterior.position_effect.logits)
    assert whole["points"] == pytest.approx(whole["effect"] * 400 / np.log(10))
    assert one_sided["low"] > 0
    assert fair["low"] < 0 < fair["high"]
    assert [row["verdicts"] for row in (whole, one_sided, fair)] == [90, 45, 45]
    last = frame.iloc[-1]
    assert last["of"] == "to round 9"
    assert (last["effect"], last["low"]) == pytest.approx((whole["effect"], whole["low"]))


def test_lists_have_an_effect_of_their_own():
    state = played([Simulated(3)], 9, method="listwise", rounds=3, group_size=3)
    frame = position_table(state, standings(state))
    assert set(frame["place"]) == {LIST}
    stream = Stream(spec(2)).match("E-001", "E-002", win())
    one = fold(stream.spec, stream.events)
    frame = position_table(one, standings(one))
    assert frame["place"].tolist() == [PAIR]
    assert frame["kind"].tolist() == ["all"], "one judge and one round say nothing more"


def test_pairs_judged_in_both_orders_tell_no_effect():
    state = played([Simulated(4)], 6, rounds=3, both_orders=True)
    assert position_table(state, standings(state)).empty
    nothing = fold(spec(3), [])
    assert position_table(nothing, standings(nothing)).empty


def test_chances_of_ranks_sum_to_one_by_text():
    state = played([Simulated(5, 2)], 8, method="round-robin", rounds=7)
    table = standings(state)
    frame = rank_table(table, {"E-001": "First"})
    assert frame.columns.tolist() == ["text", *map(str, range(1, 9))]
    assert frame.drop(columns="text").sum(axis=1).to_numpy() == pytest.approx(1)
    assert frame["1"].tolist() == pytest.approx([best_chance(table, row.alias) for row in table.rated])
    assert "First" in frame["text"].tolist()


def test_of_many_texts_the_best_are_told_and_the_ranks_beyond_together():
    stream = large(60)
    table = standings(fold(stream.spec, stream.events))
    frame = rank_table(table, most=5)
    assert frame.columns.tolist() == ["text", "1", "2", "3", "4", "5", "6+"]
    assert len(frame) == 5
    assert frame.drop(columns="text").sum(axis=1).to_numpy() == pytest.approx(1)


def test_unrated_texts_have_no_row():
    stream = Stream(spec(4)).match("E-001", "E-002", win())
    frame = rank_table(standings(fold(stream.spec, stream.events)))
    assert frame.columns.tolist() == ["text", "1", "2"]
    assert rank_table(standings(fold(spec(3), []))).empty
