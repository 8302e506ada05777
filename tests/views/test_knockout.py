"""A knock-out as a tree: read off the rounds of real runs, with byes, ties, withdrawals and open ends."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.ranking.schedules.knockout import THIRD_PLACE
from judge_core.ranking.schedules.schedule import schedule_of
from judge_core.ranking.schedules.wave import Progress, Result
from judge_core.records.event import RoundPaired, TextsWithdrawn
from judge_core.views import charts
from judge_core.views.charts.brackets.knockout import MOST_TIES
from judge_core.views.knockout import bracket_places, knockout_tree
from judge_core.views.state import RunState, fold
from tests.views.streams import Stream, alias, lost, spec, win


def played(
    n: int, results: dict[int, float] | None = None, rounds: int = 99, withdrawn: tuple[str, ...] = ()
) -> RunState:
    """A knock-out of n texts; the lower number wins, but for matches of which `results` says otherwise by place.

    `withdrawn` go after the first round.
    """
    of = spec(n, method="knockout")
    stream, schedule, found = Stream(of, planned=n), schedule_of(of), list[Result]()
    byes: dict[str, int] = {}
    for number in range(1, rounds + 1):
        there = tuple(text.alias for text in of.texts if number == 1 or text.alias not in withdrawn)
        wave = schedule.next(
            Progress(
                texts=there, late=frozenset(), round=number - 1, elo={name: 2000.0 - int(name[2:]) for name in there},
                met={}, grouped=(), byes=byes, results=found, scored=frozenset(), posterior=lambda: None, seed=0,  # type: ignore[arg-type, return-value]
            )
        )  # fmt: skip
        if wave is None:
            break
        byes |= dict.fromkeys(wave.byes, 1)
        stream.add(RoundPaired(round=number, pairs=wave.pairs, byes=wave.byes, band=(1, n), title=wave.title))
        for a, b in wave.pairs:
            result = (results or {}).get(len(found) + 1, 1.0 if a < b else 0.0)
            found.append(Result(number, a, b, result))
            stream.match(a, b, win(5 + 3 * (result - 0.5), 5 - 3 * (result - 0.5), first=a), round=number)
        stream.close(number)
        if number == 1 and withdrawn:
            stream.add(TextsWithdrawn(texts=withdrawn))
    return fold(of, stream.events)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 11, 16, 33])
def test_the_better_seed_wins_a_run_in_which_the_better_one_always_wins(n: int) -> None:
    state = played(n)
    tree = knockout_tree(state)
    assert tree.champion == "E-001"
    assert len(tree.levels) == (n - 1).bit_length()
    assert len(tree.levels[-1].ties) == 1
    assert {view.place for view in tree.matches} == set(state.matches), "every match has its place in the tree"


def test_what_each_text_reached_in_the_bracket_goes_by_its_matches() -> None:
    assert bracket_places(played(8)) == {
        "E-001": "winner", "E-002": "finalist", "E-003": "third", "E-004": "fourth",
        **dict.fromkeys(("E-005", "E-006", "E-007", "E-008"), "quarter-finals"),
    }  # fmt: skip
    assert set(bracket_places(played(8, rounds=1)).values()) == {"quarter-finals"}


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 20), st.dictionaries(st.integers(1, 20), st.sampled_from([0.0, 0.5, 1.0])))
def test_every_match_stands_in_the_tree_once_and_winners_go_on(n: int, results: dict[int, float]) -> None:
    state = played(n, results)
    tree = knockout_tree(state)
    places = [view.place for view in tree.matches]
    assert sorted(places) == sorted(state.matches)
    assert [level.title for level in tree.levels] == [
        view.title for view in state.rounds.values() if view.title != THIRD_PLACE
    ]
    for level, above in zip(tree.levels, tree.levels[1:], strict=False):
        winners = [tie.winner for tie in level.ties]
        assert winners == [entrant for tie in above.ties for entrant in tie.entrants]


def test_byes_stand_alone_and_go_on() -> None:
    first = knockout_tree(played(5)).levels[0]
    alone = [tie for tie in first.ties if None in tie.entrants]
    assert len(alone) == 3 and all(tie.winner and tie.view is None for tie in alone)


def test_after_a_tie_the_better_seed_goes_on() -> None:
    tree = knockout_tree(played(2, {1: 0.5}))
    assert tree.champion == "E-001" and tree.levels[0].ties[0].view is not None


def test_the_losers_of_the_semi_finals_meet_for_the_third_place() -> None:
    state = played(4)
    tree = knockout_tree(state)
    assert tree.third is not None and tree.third.view is not None
    semi = {entrant.text for tie in tree.levels[0].ties for entrant in tie.entrants if entrant}
    final = {entrant.text for entrant in tree.levels[1].ties[0].entrants if entrant}
    assert {tree.third.view.a, tree.third.view.b} == semi - final
    assert state.rounds[2].title == THIRD_PLACE


def test_where_a_text_was_withdrawn_its_opponent_goes_on() -> None:
    state = played(4, withdrawn=("E-001",))
    tree = knockout_tree(state)
    assert tree.champion is not None and tree.champion != "E-001"


def test_what_is_not_played_yet_is_open() -> None:
    tree = knockout_tree(played(8, rounds=1))
    assert tree.champion is None and all(tie.winner for tie in tree.levels[0].ties)
    assert [tie.open for tie in tree.levels[1].ties] == [True, True]
    assert knockout_tree(fold(spec(4, method="knockout"), [])).levels == ()


def test_a_match_without_a_verdict_sends_the_better_seed_on() -> None:
    of = spec(2, method="knockout")
    stream = Stream(of, planned=1).add(RoundPaired(round=1, pairs=(("E-002", "E-001"),), band=(1, 2), title="Final"))
    assert knockout_tree(fold(of, stream.match("E-002", "E-001", lost()).events)).champion == "E-002"


# the drawing


def test_winners_go_on_to_the_right_and_each_text_opens_its_match() -> None:
    state = played(8)
    threads, path, nodes = charts.knockout_figure(state, focus="E-001").data
    assert set(nodes.customdata) - {None} == set(state.matches)
    assert [note.text for note in charts.knockout_figure(state).layout.annotations] == [
        "<b>Quarter-finals</b>", "<b>Semi-finals</b>", "<b>Final</b>", "<b>Third place</b>", "<b>Winner</b>",
    ]  # fmt: skip
    assert path.x.count(None) == 3, "the winner's way over three rounds to the place of the winner"
    assert max(nodes.x) > max(x for x in threads.x if x is not None) - 1
    for theme in ("light", "dark"):
        assert json.loads(charts.knockout_figure(state, theme=theme).to_json())  # type: ignore[arg-type]


def test_a_large_field_is_drawn_from_a_later_round_on() -> None:
    state = played(200)
    ties = [shape for shape in charts.knockout_figure(state).layout.shapes]
    assert MOST_TIES < len(ties) <= 2 * MOST_TIES + 1


def test_the_alt_names_the_winner_or_says_that_it_is_open() -> None:
    assert charts.knockout_alt(played(4), {alias(1): "Ann"}).endswith("Winner: Ann.")
    assert "still open" in charts.knockout_alt(played(4, rounds=1))
    assert "no round" in charts.knockout_alt(fold(spec(4, method="knockout"), []))


def test_a_hostile_name_is_text_in_the_bracket() -> None:
    labels = {alias(1): "<img src=x> $x$"}
    assert "<img" not in charts.knockout_figure(played(4), labels).to_json()
