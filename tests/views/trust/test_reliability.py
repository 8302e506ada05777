"""Reliability of runs of each method, beside coins on the same schedule."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from judge_core.modes.rank import RankMode
from judge_core.ranking.bradley_terry import PRIOR_SD
from judge_core.ranking.reliability.separation import separation_reliability
from judge_core.ranking.schedules.schedule import schedule_of
from judge_core.records.event import RunExtended, TextsAdded, TextsWithdrawn
from judge_core.records.spec import Goal, Narrowing
from judge_core.views.evidence import Basis, verdicts
from judge_core.views.standings import standings
from judge_core.views.state import fold
from judge_core.views.trust import reliability_summary, rounds_reliability, triads_summary
from judge_core.views.trust.course import course_of, play_of, rounds_of
from judge_core.views.trust.reliability import affordable
from tests.views.streams import Stream, lost, spec, text, win
from tests.views.trust.runs import PANEL, Simulated, answer, answered, folded, played, truth


def test_the_last_row_holds_the_figures_of_the_whole_run():
    state = played([Simulated(1, 2)], 12, rounds=6)
    table = standings(state)
    frame = rounds_reliability(state, table, replays=10)
    whole = reliability_summary(state, table, replays=10)
    last = frame.iloc[-1]
    assert frame["round"].tolist() == [1, 2, 3, 4, 5, 6]
    assert frame["verdicts"].tolist() == [6, 12, 18, 24, 30, 36]
    assert last["reliability"] == pytest.approx(whole.reliability) == separation_reliability(table.posterior)
    assert (last["coin mean"], last["coin 95th"], last["replays"]) == pytest.approx(whole.coin)
    assert frame["replays"].tolist() == [5] * 5 + [10]
    assert whole.prior_sd == PRIOR_SD


def test_a_sound_judge_beats_its_coin_and_a_coin_does_not():
    sound = played([Simulated(2, 3)], 12, method="round-robin", rounds=11)
    coin = played([Simulated(2, 0)], 12, method="round-robin", rounds=11)
    found = [reliability_summary(state, standings(state), replays=20) for state in (sound, coin)]
    assert found[0].reliability > found[0].coin.high
    assert found[0].reliability > 0.8
    assert found[0].halves.corrected > 0.8
    assert found[1].reliability <= found[1].coin.high
    assert found[1].halves.corrected < 0.6


METHODS = {
    "swiss": {"rounds": 4},
    "narrowed": {"method": "swiss", "rounds": 4, "narrowing": Narrowing(focus="rank", k=3)},
    "round-robin": {"rounds": 3},
    "knockout": {},
    "adaptive": {"rounds": 3},
    "listwise": {"rounds": 3, "group_size": 4},
    "pointwise": {},
    "scores first": {"method": "swiss", "rounds": 2, "warm_start": True},
}


@pytest.mark.parametrize("name", METHODS)
def test_coins_are_asked_as_much_as_the_judges_were_in_every_method(name):
    fields = {"method": name, **METHODS[name]}
    state = played([Simulated(3, 2), Simulated(4, 2)], 9, **fields)
    table = standings(state)
    rounds = list(rounds_of(state, table).values())
    real = [[len(kind) for kind in played_.verdicts()] for played_ in rounds]
    again = play_of(state, table, rounds)(np.random.default_rng(1))
    assert [[len(kind) for kind in bundle] for bundle in again] == real
    assert [sum(kinds) for kinds in zip(*real, strict=True)] == [len(kind) for kind in verdicts(state)]
    frame = rounds_reliability(state, table, replays=2)
    assert len(frame) == len(rounds)
    assert frame["reliability"].dropna().between(0, 1).all()


def test_late_texts_and_an_unfinished_round_do_not_stand_in_the_way():
    mode = RankMode(spec(6, rounds=3))
    bench = [Simulated(5)]
    events = [*mode.begin(), *answered(mode, bench, truth(7))]
    late = TextsAdded(texts=(text(7),))
    events += [late, *mode.take(late), *answered(mode, bench, truth(7))]
    state = folded(mode.spec, events[:-3])
    frame = rounds_reliability(state, standings(state), replays=2)
    assert frame["title"].tolist()[:3] == ["", "", ""]
    assert len(frame) == len(rounds_of(state, standings(state))) > 3


def text_counts(bundle):
    return Counter(text for row in bundle.comparisons for text in row[:2])


def with_input(given, rounds=2, before=4, texts=8, **fields):
    """A run of one judge that is given an input once so many of its matches were judged."""
    mode = RankMode(spec(texts, judges=PANEL[:1], rounds=rounds, **fields))
    events, bench = mode.begin(), [Simulated(9)]
    for _ in range(before):
        asked = mode.ask()
        events += mode.take(answer(asked, mode.spec, bench, truth(texts)), asked.place)
    events += [given, *mode.take(given), *answered(mode, bench, truth(texts))]
    return folded(mode.spec, events)


def test_a_replay_asks_nothing_about_texts_once_they_are_withdrawn():
    state = with_input(TextsWithdrawn(texts=("E-001", "E-002")), rounds=3)
    table = standings(state)
    rounds = list(rounds_of(state, table).values())
    play = play_of(state, table, rounds)
    for seed in range(10):
        first, second, *later = play(np.random.default_rng(seed))
        assert len(text_counts(first)) == 8
        assert not {"E-001", "E-002"} & {*text_counts(second), *(text for one in later for text in text_counts(one))}
        assert all(len(text_counts(one)) == 6 for one in later), "nobody else goes without"


@pytest.mark.parametrize("goal", [None, Goal(kind="top", ranks=(1,), probability=0.999)])
@pytest.mark.parametrize("method", ["swiss", "round-robin", "adaptive", "listwise"])
def test_the_course_of_an_extended_run_is_that_of_the_mode(method, goal):
    mode = RankMode(spec(6, judges=PANEL[:1], method=method, rounds=2, rematches=True, group_size=3))
    events, bench = [*mode.begin(), *answered(mode, [Simulated(4)], truth(6))], [Simulated(5)]
    more = RunExtended(rounds=2, goal=goal)
    events += [more, *mode.take(more), *answered(mode, bench, truth(6))]
    course = course_of(folded(mode.spec, events))
    assert course.stages[0] == (0, schedule_of(mode.spec))
    assert course.stages[1][1] == mode._schedule


def test_after_a_reached_goal_a_replay_asks_about_late_texts_alone():
    mode = RankMode(spec(6, judges=PANEL[:1], rounds=9, rematches=True, goal=Goal(kind="order", probability=0.6)))
    events, late = [*mode.begin(), *answered(mode, [Simulated(4)], truth(7))], TextsAdded(texts=(text(7),))
    before = mode.book.round
    events += [late, *mode.take(late), *answered(mode, [Simulated(4)], truth(7))]
    state = folded(mode.spec, events)
    rounds = list(rounds_of(state, standings(state)).values())
    assert before < len(rounds)
    for bundle in play_of(state, standings(state), rounds)(np.random.default_rng(1))[before:]:
        assert all("E-007" in row[:2] for row in bundle.comparisons)


def test_other_evidence_is_rated_as_the_standings_rate_it():
    state = played([Simulated(6, 2)], 10, method="round-robin", rounds=9)
    table = standings(state, basis=Basis(evidence="margins"))
    whole = reliability_summary(state, table, replays=2)
    last = rounds_reliability(state, table, replays=2).iloc[-1]
    assert last["reliability"] == pytest.approx(whole.reliability) == separation_reliability(table.posterior)
    assert whole.reliability != pytest.approx(reliability_summary(state, standings(state), replays=2).reliability)


def test_anchored_texts_are_held_also_before_all_of_them_were_seen():
    texts = [text(1, anchor=1600.0), *(text(number) for number in range(2, 8)), text(8, anchor=1400.0)]
    stream = Stream(spec(texts, rounds=2))
    stream.match("E-002", "E-003", win()).match("E-004", "E-005", win()).match("E-006", "E-007", lost())
    stream.match("E-001", "E-008", win(), round=2).match("E-002", "E-004", win(), round=2)
    state = fold(stream.spec, stream.events)
    table = standings(state)
    assert table.posterior.anchored
    assert len(rounds_reliability(state, table, replays=2)) == 2


def test_nothing_is_said_where_nothing_is_defined():
    nothing = fold(spec(4), [])
    table = standings(nothing)
    assert rounds_reliability(nothing, table).empty
    assert reliability_summary(nothing, table)[:4] == (None,) * 4
    stream = Stream(spec(2)).match("E-001", "E-002", win())
    pair = fold(stream.spec, stream.events)
    row = rounds_reliability(pair, standings(pair), replays=2).iloc[0]
    assert pd.isna(row["reliability"])
    assert pd.isna(row["coin mean"])


def test_bigger_runs_are_replayed_less_often_but_often_enough():
    assert affordable(30, 10) == affordable(4, 1) == 60
    assert 10 <= affordable(128, 10) < 60
    assert affordable(1000, 50) == 10


def test_circles_are_counted_for_all_and_for_each_judge():
    stream = Stream(spec(3))
    stream.match("E-001", "E-002", win()).match("E-002", "E-003", win()).match("E-003", "E-001", win(), round=2)
    state = fold(stream.spec, stream.events)
    [row] = triads_summary(state, standings(state)).to_dict("records")
    assert row == {"judge": "all judges", "circular": 1, "complete": 1, "expected by chance": 0.25, "share": 1.0}
    panel = played([Simulated(7), Simulated(8)], 8, method="round-robin", rounds=7)
    frame = triads_summary(panel, standings(panel))
    assert frame["judge"].tolist() == ["all judges", "openai:judge-1", "openai:judge-2"]
    assert frame["complete"].tolist()[1:] == [56, 56]
    nothing = triads_summary(fold(spec(4), []), standings(fold(spec(4), [])))
    assert pd.isna(nothing["share"].iloc[0])
