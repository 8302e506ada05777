"""Charts and tables of lists and scores, who met whom in them, and how sure the places are."""

from __future__ import annotations

import json

import pytest

from judge_core.records.event import TextsWithdrawn
from judge_core.records.spec import Goal
from judge_core.views import charts, tables
from judge_core.views.chances import bands, settled, standing, top_chances
from judge_core.views.charts.listings.lists import MOST_LISTS, UNRANKED
from judge_core.views.meetings import meetings
from judge_core.views.standings import Standings, standings
from judge_core.views.state import RunState, fold
from tests.views.streams import Stream, alias, judge, lost, played, spec, win

NAMES = [alias(n) for n in range(1, 7)]


def listed() -> tuple[RunState, Standings]:
    """Two rounds of lists of three among six texts; the lower number is better, but for one list; one call failed."""
    stream = Stream(spec(6, method="listwise", rounds=2, group_size=3), planned=5)
    stream.group(NAMES[:3], NAMES[:3]).group(NAMES[3:], NAMES[3:])
    stream.group(NAMES[::2], NAMES[::2], round=2).group(NAMES[1::2], NAMES[1::2][::-1], round=2)
    stream.group(NAMES[2::-1], None, round=2)
    state = fold(stream.spec, stream.end().events)
    return state, standings(state)


def scored() -> RunState:
    of = spec(3, method="pointwise", judges=(judge("one"), judge("two", weight=3.0)))
    stream = Stream(of, planned=3)
    for name, score in zip(NAMES, (9.0, 6.0, 3.0), strict=False):
        stream.score(name, Argument=score, Style=score)
    return fold(of, stream.end().events)


def test_in_a_list_each_two_texts_have_met() -> None:
    state, _ = listed()
    met = meetings(state)
    assert met["E-001", "E-003"] == [1.0, 1.0] and met["E-003", "E-001"] == [0.0, 0.0]
    assert met["E-002", "E-006"] == [0.0], "the list that contradicts the others"
    assert ("E-001", "E-004") not in met
    for (one, other), results in met.items():
        assert met[other, one] == [None if result is None else 1 - result for result in results]


def test_undecided_matches_are_met_without_a_result() -> None:
    stream = Stream(spec(2)).match("E-001", "E-002", lost()).match("E-001", "E-002", win(), round=2)
    assert meetings(fold(stream.spec, stream.events))["E-002", "E-001"] == [None, 0.0]


def test_the_win_matrix_counts_implied_pairs() -> None:
    state, table = listed()
    (trace,) = charts.win_matrix_figure(state, table).data
    names = charts.win_matrix_figure(state, table).layout.xaxis.ticktext
    cell = {(row, column): trace.text[i][j] for i, row in enumerate(names) for j, column in enumerate(names)}
    assert cell["E-001", "E-003"] == "WW" and cell["E-001", "E-004"] == ""
    assert charts.win_matrix_alt(state, table).startswith("Win matrix of 6 texts: 10 of 15 pairs met.")
    assert tables.win_matrix_table(state, table).loc["E-003", "E-001"] == "LL"


def test_many_meetings_of_a_pair_are_counted_in_its_cell() -> None:
    stream = Stream(spec(2))
    for number in range(1, 6):
        stream.match("E-001", "E-002", win(8, 4) if number > 1 else win(4, 8), round=number)
    state = fold(stream.spec, stream.events)
    (trace,) = charts.win_matrix_figure(state, standings(state)).data
    assert trace.text[0][1] == "4W 1L"


def test_a_list_is_a_row_from_its_first_place_to_its_last() -> None:
    state, table = listed()
    bars = charts.lists_figure(state, table).data
    assert len(bars) == 3
    first = {place: words for bar in bars[:1] for place, words in zip(bar.customdata, bar.text, strict=True)}
    assert first == {1: "E-001", 2: "E-004", 3: "E-001", 4: "E-006"}, "the failed list is not drawn"
    assert all(x == 1 for bar in bars for x in bar.x)
    assert json.loads(charts.lists_figure(state, table, theme="dark").to_json())
    assert len(charts.lists_figure(state, table, round=2).data[0].y) == 2


def test_the_shade_of_a_cell_follows_the_whole_ranking() -> None:
    state, table = listed()
    shades = {
        words: shade
        for bar in charts.lists_figure(state, table).data
        for words, shade in zip(bar.text, bar.marker.color, strict=True)
    }
    best, worst = table.rated[0].alias, table.rated[-1].alias
    assert shades[best] == "#08519c" and shades[worst] == "#f7f7f7"


def test_a_withdrawn_text_keeps_its_place_in_a_list_without_a_shade() -> None:
    stream = Stream(spec(3, method="listwise", rounds=1), planned=1).group(NAMES[:3], NAMES[:3])
    state = fold(stream.spec, stream.add(TextsWithdrawn(texts=("E-002",))).events)
    bars = charts.lists_figure(state, standings(state)).data
    assert (bars[1].text[0], bars[1].marker.color[0]) == ("E-002", UNRANKED[0])


def test_no_more_lists_are_drawn_than_can_be_read() -> None:
    stream = Stream(spec(3, method="listwise", rounds=60), planned=60)
    for number in range(1, 61):
        stream.group(NAMES[:3], NAMES[:3], round=number)
    state = fold(stream.spec, stream.events)
    assert len(charts.lists_figure(state, standings(state)).data[0].y) == MOST_LISTS
    assert len(tables.lists_table(state)) == 60


def test_the_table_of_lists_is_the_twin_of_their_chart() -> None:
    state, table = listed()
    frame = tables.lists_table(state, {"E-001": "Ann"})
    assert frame.loc[0, ["place", "round", "1", "2", "3"]].tolist() == [1, 1, "Ann", "E-002", "E-003"]
    assert frame.loc[4, ["1", "2", "3"]].isna().all(), "what failed is empty"
    assert "E-001, best of all, came first in 2 of its 2 lists." in charts.lists_alt(state, table)


def test_scores_are_drawn_by_judge_about_the_panels_mean() -> None:
    state = scored()
    *judges, panel = charts.scores_figure(state).data
    assert len(judges) == 2 and list(judges[0].x) == [90, 60, 30]
    assert list(panel.x) == [90, 60, 30] and list(panel.customdata) == [1, 2, 3]
    assert charts.scores_alt(state).startswith("3 texts scored by themselves. Highest: E-001 with 90.0 of 100")
    frame = tables.scores_table(state)
    assert frame.loc[0].tolist() == [1, "E-001", "one", 90.0]


@pytest.mark.parametrize("hostile", ["<img src=//h/p>", "$x$", "a\nb"])
def test_names_are_text_in_the_charts_of_lists_and_scores(hostile: str) -> None:
    labels = dict.fromkeys(NAMES, hostile)
    state, table = listed()
    for figure in (charts.lists_figure(state, table, labels), charts.scores_figure(scored(), labels)):
        drawn = figure.to_json().replace("<extra></extra>", "")
        assert "<img" not in drawn and "$x$" not in drawn and "a\\nb" not in drawn


def test_charts_without_anything_say_so() -> None:
    state = fold(spec(3, method="listwise"), [])
    table = standings(state)
    for figure in (charts.lists_figure(state, table), charts.scores_figure(state)):
        assert "yet" in figure.layout.annotations[0].text
    assert charts.lists_alt(state, table) == "Ranked lists: none yet."
    assert "yet" in charts.scores_alt(state)
    assert tables.lists_table(state).empty and tables.scores_table(state).empty


def test_rounds_name_what_they_hold() -> None:
    state, _ = listed()
    assert tables.rounds_table(fold(spec(2), [])).columns.tolist() == ["round", "ranks", "matches", "byes", "closed"]
    assert charts.elo_alt(state).startswith("Elo after 5 lists; highest: E-001")


def test_the_lines_of_a_goal_are_drawn_among_the_ratings() -> None:
    table = standings(fold((stream := played(4)).spec, stream.events))
    figure = charts.ratings_figure(table, goal=Goal(kind="cut", ranks=(1, 3), probability=0.9))
    assert [shape.y0 for shape in figure.layout.shapes] == [0.5, 2.5]
    figure = charts.ratings_figure(table, goal=Goal(kind="cut", ratings=(1450.0,), probability=0.9))
    assert [shape.x0 for shape in figure.layout.shapes] == [1450.0]
    assert not charts.ratings_figure(table, goal=Goal(kind="order")).layout.shapes


# how sure the places are


def test_chances_of_the_top_are_those_among_the_texts_that_take_part() -> None:
    stream = played(6, rounds=5)
    state = fold(stream.spec, stream.add(TextsWithdrawn(texts=("E-001",))).events)
    table = standings(state)
    chances = top_chances(table, 2)
    assert "E-001" not in chances and sum(chances.values()) == pytest.approx(2)
    assert list(chances) == [row.alias for row in table.rated]
    assert settled(table).keys() == chances.keys()


def test_a_text_far_from_its_neighbours_is_settled() -> None:
    stream = Stream(spec(3), planned=80)
    for number in range(1, 41):
        stream.match("E-001", "E-002", win(), round=number).match("E-002", "E-003", win(first="E-002"), round=number)
    assert settled(standings(fold(stream.spec, stream.events))) == dict.fromkeys(NAMES[:3], True)
    one = Stream(spec(2)).match("E-001", "E-002", win())
    assert settled(standings(fold(one.spec, one.events))) == {"E-001": False, "E-002": False}


@pytest.mark.parametrize("goal", [Goal(kind="cut", ranks=(1, 3)), Goal(kind="cut", ratings=(1400.0, 1600.0))])
def test_the_likeliest_band_follows_the_ranking(goal: Goal) -> None:
    stream = played(6, rounds=5)
    table = standings(fold(stream.spec, stream.events))
    found = bands(table, goal)
    places = [found[row.alias][0] for row in table.rated]
    assert places == sorted(places) and places[0] == 1 and places[-1] == 3
    assert all(1 / 3 <= chance <= 1 for _, chance in found.values())


def test_a_goal_is_measured_as_if_withdrawn_texts_had_never_been_there() -> None:
    stream = played(6, rounds=5)
    whole = fold(stream.spec, stream.events)
    assert standing(whole, table := standings(whole)) is table.posterior
    state = fold(stream.spec, stream.add(TextsWithdrawn(texts=("E-006",))).events)
    without = standing(state, standings(state))
    assert without is not None and without.items == tuple(NAMES[:5])
    alone = fold(spec(5), [])
    assert standing(alone, standings(alone)) is None
