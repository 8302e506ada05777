"""The coin beside the reliability: a schedule that follows results makes chance look like order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest

from judge_core.ranking.bradley_terry import Terms, Verdicts, estimate
from judge_core.ranking.comparison import Comparison, Ranked, Score
from judge_core.ranking.reliability.coin import Flips, Play, Round, coin_baseline, coin_by_round
from judge_core.ranking.reliability.replay import Field, schedule_again
from judge_core.ranking.reliability.separation import separation, separation_after
from judge_core.ranking.schedules.knockout import Knockout
from judge_core.ranking.schedules.listwise import Listwise
from judge_core.ranking.schedules.swiss import Swiss
from judge_core.records.spec import Narrowing
from tests.ranking.reliability.simulated import all_pairs, judged, sound, swiss_rounds, texts, truths


def rounds_of(played: list[list[Comparison]]) -> list[Round]:
    return [Round([[row] for row in rows]) for rows in played]


def swiss(n: int, rounds: int, seed: int = 1) -> list[Round]:
    return rounds_of(swiss_rounds(n, rounds, truths(n, seed), sound, seed))


def ratings(n: int) -> dict[str, float]:
    return dict.fromkeys(texts(n), 1500.0)


@pytest.fixture(scope="module")
def thirty():
    """30 texts, 10 Swiss rounds, and the reliability of coins on that schedule."""
    rounds = swiss(30, 10)
    return rounds, coin_baseline(schedule_again(Swiss(10), rounds, Field(ratings(30))), texts(30))


def same_questions(rounds: Sequence[Round]) -> Play:
    """Of a schedule that does not look at results: the same questions in the same order, answered at random."""
    flips = Flips(rounds)
    return lambda rng: [flips.again(played, rng) for played in rounds]


def test_coins_under_swiss_pairing_look_like_judges(thirty):
    """Known: about .62 on average and .75 at the 95th percentile for 30 texts over 10 rounds."""
    _, coin = thirty
    assert coin.replays == 60
    assert coin.mean == pytest.approx(0.64, abs=0.05)
    assert coin.high == pytest.approx(0.75, abs=0.05)


def test_the_figures_of_a_weak_prior_are_met_too():
    """Known for a ridge of 0.1 on plain strengths: .63 [.75] at 30 texts over 10 rounds, .45 at 16 over 5."""

    def plain(verdicts: Verdicts, n: int) -> float:
        posterior = estimate(texts(n), verdicts, Terms(prior_sd=10**0.5, first_position=False))
        return 1 - posterior.variances.mean() / posterior.strengths.var(ddof=1)

    for n, number, known in ((30, 10, 0.63), (16, 5, 0.45)):
        play = schedule_again(Swiss(number), swiss(n, number), Field(ratings(n)))
        rng = np.random.default_rng(2)
        found = [plain(Verdicts(list(chain(*(one.comparisons for one in play(rng))))), n) for _ in range(40)]
        assert np.mean(found) == pytest.approx(known, abs=0.06)


def test_the_same_pairs_with_coins_hide_what_pairing_did(thirty):
    """Known: about .01 where pairs do not follow results."""
    rounds, coin = thirty
    fixed = coin_baseline(same_questions(rounds), texts(30), replays=20)
    assert fixed.mean < 0.1
    assert fixed.high < coin.mean


def test_a_sound_judge_lies_above_its_coin(thirty):
    rounds, coin = thirty
    assert separation_after(texts(30), [one.verdicts() for one in rounds], 10) > coin.high


def test_the_last_round_has_the_baseline_of_the_whole(thirty):
    rounds, coin = thirty
    play = schedule_again(Swiss(10), rounds[:4], Field(ratings(30)))
    by_round = coin_by_round(play, texts(30), replays=6, between=3)
    assert len(by_round) == 4
    assert by_round[-1] == coin_baseline(play, texts(30), replays=6)
    assert [found.replays for found in by_round] == [3, 3, 3, 6]


def test_equal_seeds_give_equal_coins_and_others_others():
    play = schedule_again(Swiss(3), swiss(9, 3), Field(ratings(9)))
    first = [coin_baseline(play, texts(9), replays=4, seed=seed) for seed in (1, 1, 2)]
    assert first[0] == first[1] != first[2]


def test_a_replay_asks_as_many_questions_as_the_run_with_its_ties_weights_and_sides():
    rounds = swiss(10, 3)
    tied = [Round([[row._replace(result=0.5, weight=0.4) for row in match] for match in one.matches]) for one in rounds]
    for play in (same_questions(tied), schedule_again(Swiss(3), tied, Field(ratings(10)))):
        again = play(np.random.default_rng(3))
        assert [len(one.comparisons) for one in again] == [5, 5, 5]
        for real, found in zip(tied, again, strict=True):
            sides = [row.position for row in real.verdicts().comparisons]
            assert [row.position for row in found.comparisons] == sides
            assert {(row.result, row.weight) for row in found.comparisons} == {(0.5, 0.4)}


def test_a_swiss_replay_pairs_nobody_twice_and_keeps_to_the_narrowed_band():
    narrowed = Narrowing(focus="rank", k=4)
    real = [*swiss(12, 2), *[Round(one.matches[:3]) for one in swiss(12, 4)[2:]]]
    again = schedule_again(Swiss(4, narrowed), real, Field(ratings(12)))(np.random.default_rng(4))
    pairs = [frozenset((row.a, row.b)) for one in again for row in one.comparisons]
    assert len(pairs) == len(set(pairs)) == 18
    assert len({text for pair in pairs[12:] for text in pair}) <= 8


def test_matches_without_a_verdict_stay_without_one():
    silent = [Round([one.matches[0], [], *one.matches[2:]]) for one in swiss(8, 3)]
    for play in (same_questions(silent), schedule_again(Swiss(3), silent, Field(ratings(8)))):
        assert [len(one.comparisons) for one in play(np.random.default_rng(5))] == [3, 3, 3]


def test_a_panel_is_flipped_judge_by_judge():
    rows = judged(all_pairs(4), truths(4, 1), [sound, sound], 1)
    panel = [Round([rows[place : place + 2] for place in range(0, 12, 2)])]
    [found] = same_questions(panel)(np.random.default_rng(1))
    assert [row.judge for row in found.comparisons] == ["0", "1"] * 6
    first, second = (np.array([row.result for row in found.comparisons[judge::2]]) for judge in (0, 1))
    assert (first != second).any()


def test_margins_turn_over_with_their_results():
    rng = np.random.default_rng(6)
    flips = Flips([Round([[Comparison("a", "b", 1.0, margin=0.3)]])])
    drawn = {
        (one.result, one.margin) for one in (flips.pair(("c", "d"), Comparison("a", "b", 1.0), rng) for _ in range(20))
    }
    assert drawn == {(1.0, 0.3), (0.0, -0.3)}


def test_a_judges_coins_fall_in_its_own_unit():
    points, shares = (
        Comparison("a", "b", 1.0, margin=30.0, judge="0"),
        Comparison("a", "b", 0.0, margin=-0.2, judge="1"),
    )
    rng, flips = np.random.default_rng(7), Flips([Round([[points, shares]])])
    for like, size in ((points, 30.0), (shares, 0.2)):
        drawn = [flips.pair(("c", "d"), like, rng) for _ in range(30)]
        assert {abs(one.margin) for one in drawn} == {size}
        assert {one.judge for one in drawn} == {like.judge}


def test_a_knockout_is_played_again_by_its_own_bracket():
    """Whoever wins the coins goes on, so the finalists differ from replay to replay."""
    first = [Comparison("t00", "t03", 1.0), Comparison("t01", "t02", 1.0)]
    real = [Round([[row] for row in first]), Round([[Comparison("t00", "t01", 1.0)]])]
    play = schedule_again(Knockout(third_place=False), real, Field(ratings(4)))
    finals = set()
    for seed in range(12):
        semis, final = play(np.random.default_rng(seed))
        winners = {row.a if row.result else row.b for row in semis.comparisons}
        assert set(final.comparisons[0][:2]) == winners
        finals.add(frozenset(winners))
    assert len(finals) > 1


def test_lists_and_scores_are_answered_at_random_too():
    shown = [tuple(texts(12)[place::3]) for place in range(3)]
    lists = [Round(lists=[[Ranked(one, shown=one, judge="0")] for one in shown]) for _ in range(3)]
    lists.append(Round(singles=[[Score(text, 0.1 * place, judge="0")] for place, text in enumerate(texts(12))]))
    for play in (same_questions(lists), schedule_again(Listwise(3, 4, 0.0), lists, Field(ratings(12)))):
        again = play(np.random.default_rng(8))
        assert [len(one.rankings) for one in again] == [3, 3, 3, 0]
        for one in again[:3]:
            assert sorted(text for ranked in one.rankings for text in ranked.texts) == texts(12)
            assert all(sorted(ranked.shown) == sorted(ranked.texts) for ranked in one.rankings)
        values = {round(score.value, 9) for score in again[3].scores}
        assert values <= {round(0.1 * place, 9) for place in range(12)}
    coin = coin_baseline(same_questions(lists[:3]), texts(12), replays=10)
    real = separation(estimate(texts(12), Verdicts(rankings=[Ranked(tuple(texts(12)))] * 6)))
    assert coin.mean < 0.5 < real


def test_a_late_text_joins_with_the_round_that_first_asked_about_it():
    early = swiss(6, 2)
    late = [Round([[Comparison("z", "t00", 1.0)], [Comparison("t01", "t02", 0.0)]])]
    field = Field({**ratings(6), "z": 1500.0}, late=frozenset({"z"}))
    again = schedule_again(Swiss(2), [*early, *late], field)(np.random.default_rng(9))
    assert all("z" not in row[:2] for one in again[:2] for row in one.comparisons)
    assert [row[:2] for row in again[2].comparisons] == [("z", "t00"), ("t01", "t02")]


def test_a_run_without_verdicts_has_no_coin():
    assert coin_baseline(same_questions([Round([[]])]), texts(4), replays=3) is None
    assert coin_by_round(same_questions([]), texts(4), replays=3) == []


def test_a_coin_gives_each_judge_margins_of_its_own_unit():
    fine = [Comparison("x", "y", 1.0, judge="0", margin=0.02)] * 3
    coarse = [Comparison("x", "y", 1.0, judge="1", margin=0.9)] * 3
    (again,) = same_questions([Round([[*fine, *coarse]])])(np.random.default_rng(1))
    assert {(one.judge, abs(one.margin)) for one in again.comparisons} == {("0", 0.02), ("1", 0.9)}
