"""Swiss rounds as a schedule: by which standing texts meet, bands, and rematches. The pairing has tests of its own."""

from __future__ import annotations

import pytest

from judge_core.ranking.schedules.schedule import planned, schedule_of
from judge_core.ranking.schedules.swiss.narrowing import band
from judge_core.records.spec import Narrowing
from tests.ranking.schedules.play import Play, names, played, spec


def test_without_scores_the_live_elo_decides_who_meets():
    play = Play("abcd", elo={"a": 1400.0, "b": 1600.0, "c": 1500.0, "d": 1300.0})
    play.on(schedule_of(spec("abcd", method="swiss")), waves=1)
    assert play.waves[0].pairs == (("b", "c"), ("a", "d"))


def test_with_scores_the_posterior_decides_who_meets():
    texts = ("a", "d", "b", "c")
    play = Play(texts, noise=0.0)
    play.strength = {"a": 2.0, "b": 1.0, "c": 0.0, "d": -1.0}
    play.on(schedule_of(spec(texts, method="swiss", warm_start=True)), waves=2)
    assert play.waves[1].pairs == (("a", "b"), ("c", "d"))


@pytest.mark.parametrize("narrowing", [Narrowing(focus="rank", k=5), Narrowing(focus="class", k=5)])
def test_from_the_third_round_on_only_the_band_plays(narrowing):
    waves = played(20, method="swiss", rounds=4, narrowing=narrowing).waves
    assert [wave.band for wave in waves] == [band(narrowing, 20, round) for round in (1, 2, 3, 4)]
    assert [len(wave.pairs) for wave in waves[:3]] == [10, 10, 3 if narrowing.focus == "rank" else 2]


def test_rematches_go_on_where_else_the_run_ends():
    assert played(4, method="swiss", rounds=9).asked[0] == 6
    again = played(4, method="swiss", rounds=9, rematches=True)
    assert again.asked[0] == planned(spec(4, method="swiss", rounds=9, rematches=True)).matches == 18
    assert {again.pairs.count(pair) for pair in again.pairs} == {3}


def test_an_undecided_match_may_be_paired_again():
    play = Play(names(2), silent=1.0).on(schedule_of(spec(2, method="swiss", rounds=3)))
    assert len(play.results) == 3
