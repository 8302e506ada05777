"""What holds for every method: who may stand where, what was foreseen, and that nothing but the seed is chance."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.ranking.schedules.schedule import extended, planned, schedule_of
from judge_core.records.event import RunExtended
from judge_core.records.spec import Goal, Method, Narrowing
from tests.ranking.schedules.play import Play, names, played, spec

METHODS: tuple[Method, ...] = get_args(Method)
TOP = Goal(kind="top", ranks=(2,))


@st.composite
def specs(draw, largest=14, **fixed):
    fields = {
        "method": draw(st.sampled_from(METHODS)),
        "rounds": draw(st.integers(1, 6)),
        "warm_start": draw(st.booleans()),
        "rematches": draw(st.booleans()),
        "third_place": draw(st.booleans()),
        "group_size": draw(st.integers(3, 10)),
        "reverse_share": draw(st.sampled_from([0.0, 0.1, 1.0])),
        "seed": draw(st.integers(-5, 5)),
    }
    return spec(draw(st.integers(0, largest)), **(fields | fixed))


def play_of(made, **run):
    return Play([text.alias for text in made.texts], seed=abs(made.seed), **run)


@given(specs(), st.sampled_from([0.0, 0.4]))
def test_in_a_wave_no_text_stands_twice_and_none_meets_itself(made, silent):
    for wave in play_of(made, silent=silent).on(schedule_of(made)).waves:
        standing = [text for pair in wave.pairs for text in pair]
        assert len(set(standing)) == len(standing)
        assert not set(standing) & set(wave.byes)
        assert all(len(set(group)) == len(group) >= 2 for group in wave.groups)
        assert wave.pairs or wave.groups or wave.singles


@given(specs(rematches=False), st.sampled_from([0.0, 0.4]))
def test_without_rematches_no_two_whose_match_was_decided_meet_again(made, silent):
    play = play_of(made, silent=silent).on(schedule_of(made))
    decided = set()
    for result in play.results:
        pair = frozenset((result.a, result.b))
        assert pair not in decided
        decided |= {pair} if result.result is not None else set()


@given(specs(method="swiss", rematches=True) | specs(method="adaptive", rematches=True))
def test_two_meet_again_only_once_nobody_new_is_left(made):
    play = play_of(made).on(schedule_of(made))
    met: Counter[frozenset[str]] = Counter()
    n = len(play.texts)
    for wave in play.waves:
        least = min(met.values(), default=0) if len(met) == n * (n - 1) // 2 else 0
        assert all(met[frozenset(pair)] == least for pair in wave.pairs)
        met.update(frozenset(pair) for pair in wave.pairs)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 7, 8, 13, 20])
@pytest.mark.parametrize("warm", [False, True])
def test_what_was_foreseen_is_what_is_asked(method, n, warm):
    made = spec(n, method=method, rounds=3, warm_start=warm)
    foreseen = planned(made)
    play = play_of(made).on(schedule_of(made))
    assert play.asked == (foreseen.matches, foreseen.groups, foreseen.singles)
    assert foreseen.calls == foreseen.units == sum(play.asked)


@given(specs(largest=12))
def test_never_more_is_asked_than_was_foreseen(made):
    foreseen, play = planned(made), play_of(made).on(schedule_of(made))
    most = (foreseen.matches, foreseen.groups, foreseen.singles)
    assert all(asked <= limit for asked, limit in zip(play.asked, most, strict=True))


def test_two_orders_double_the_calls_of_matches_alone():
    made = spec(8, method="swiss", rounds=3, warm_start=True, both_orders=True)
    assert (planned(made).units, planned(made).calls) == (12 + 8, 24 + 8)


@given(specs())
def test_equal_progress_equal_answer(made):
    first, again = (play_of(made).on(schedule_of(made)) for _ in range(2))
    assert first.waves == again.waves


@given(specs())
def test_new_names_in_the_same_order_change_the_names_alone(made):
    new = {text.alias: f"name {number:03}" for number, text in enumerate(made.texts)}
    renamed = made.model_copy(update={"texts": spec(new.values()).texts})
    waves = play_of(renamed).on(schedule_of(renamed)).waves

    def called(texts):
        return tuple(new[text] for text in texts)

    for old, wave in zip(play_of(made).on(schedule_of(made)).waves, waves, strict=True):
        assert tuple(map(called, old.pairs)) == wave.pairs
        assert tuple(map(called, old.groups)) == wave.groups
        assert called(old.singles) == wave.singles and called(old.byes) == wave.byes


@pytest.mark.parametrize("method", ["adaptive", "listwise", "knockout"])
def test_another_seed_is_another_draw(method):
    assert played(20, method=method, seed=1).waves != played(20, method=method, seed=2).waves


@given(specs(), st.data())
def test_withdrawn_texts_appear_no_more_and_the_run_ends(made, data):
    play = play_of(made).on(schedule_of(made), waves=data.draw(st.integers(0, 3)))
    before = len(play.waves)
    play.gone = data.draw(st.sets(st.sampled_from(play.texts))) if play.texts else set()
    for wave in play.on(schedule_of(made)).waves[before:]:
        shown = {text for part in (*wave.pairs, *wave.groups, wave.singles, wave.byes) for text in part}
        assert not shown & play.gone


@given(specs(), st.integers(0, 3), st.integers(1, 4))
def test_texts_that_join_while_it_lasts_are_asked_about_too(made, after, number):
    play = play_of(made).on(schedule_of(made), waves=after)
    play.join(*(f"u{place}" for place in range(number)))
    play.on(schedule_of(made))
    shown = {text for wave in play.waves for part in (*wave.pairs, *wave.groups, wave.singles) for text in part}
    assert play.late <= shown or len(play.texts) - len(play.late) < 2


def test_scores_come_first_where_asked_for():
    first, second, *_ = played(8, method="swiss", warm_start=True).waves
    assert first.singles == names(8) and not first.pairs and first.title == "Scores first"
    assert len(second.pairs) == 4 and not second.singles


def test_pointwise_needs_no_scores_beforehand():
    assert played(4, method="pointwise", warm_start=True).asked == (0, 0, 4)


@pytest.mark.parametrize(("method", "each"), [("swiss", 10), ("adaptive", 10), ("knockout", 10), ("pointwise", 10)])
def test_an_extension_adds_so_many_rounds_of_matches(method, each):
    made = spec(20, method=method, rounds=3)
    play = play_of(made).on(schedule_of(made))
    before = len(play.results)
    play.on(extended(made, RunExtended(rounds=2), len(play.waves)))
    assert len(play.results) - before == 2 * each
    assert len(set(play.pairs)) == len(play.pairs)


@pytest.mark.parametrize("warm", [False, True])
def test_an_extension_adds_so_many_waves_of_lists(warm):
    made = spec(20, method="listwise", rounds=2, warm_start=warm)
    play = play_of(made).on(schedule_of(made))
    before = len(play.waves)
    play.on(extended(made, RunExtended(rounds=3), before))
    assert len(play.waves) == before + 3


def test_an_extended_round_robin_plays_pairs_again():
    made = spec(6, method="round-robin")
    play = play_of(made).on(schedule_of(made))
    play.on(extended(made, RunExtended(rounds=2), len(play.waves)))
    assert len(play.results) == 15 + 6 and max(Counter(play.pairs).values()) == 2


def test_a_knockout_that_is_extended_while_it_lasts_is_played_to_its_end():
    made = spec(8, method="knockout")
    play = play_of(made).on(schedule_of(made), waves=1)
    play.on(extended(made, RunExtended(rounds=1), len(play.waves)))
    assert "Final" in [wave.title for wave in play.waves]


def test_an_extension_may_have_a_goal_of_its_own():
    made = spec(20, method="adaptive", rounds=2)
    play = play_of(made).on(schedule_of(made))
    before = len(play.waves)
    play.on(extended(made, RunExtended(rounds=1, goal=TOP), before))
    assert [len(wave.pairs) for wave in play.waves[before:]] == [4, 4, 2], (
        "waves of a goal are small; a round is ten pairs"
    )


@pytest.mark.parametrize("fields", [{"method": method} for method in METHODS] + [
    {"method": "swiss", "narrowing": Narrowing(focus="class", k=50)},
    {"method": "adaptive", "goal": Goal(kind="top", ranks=(20,))},
    {"method": "adaptive", "goal": Goal(kind="cut", ratings=(1400.0, 1600.0))},
])  # fmt: skip
def test_a_wave_of_five_hundred_texts_takes_less_than_a_second(fields):
    schedule = schedule_of(spec(500, rounds=6, **fields))
    assert seconds(schedule, Play(names(500)).on(schedule, waves=4)) < 1


def test_a_wave_of_late_texts_among_five_hundred_takes_less_than_a_second():
    made = spec(500, method="swiss", rounds=3)
    play = play_of(made).on(schedule_of(made))
    play.join("u1", "u2")
    assert seconds(schedule_of(made), play) < 1


def seconds(schedule, play):
    """CPU time of the next wave, without the fit that it goes by."""
    rated = play.posterior()
    progress = replace(play.progress(), posterior=lambda: rated)
    started = time.process_time()
    schedule.next(progress)
    return time.process_time() - started
