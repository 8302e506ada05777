"""The charts of a tournament: known winners, points and streaks in traces, words and twins."""

from __future__ import annotations

import pytest

from judge_core.records.refinement.nouns import Version
from judge_core.records.spec import RefineSpec
from judge_core.views.charts.refine.ballots import ballots_alt, ballots_figure
from judge_core.views.charts.refine.flow import LANES, flow_alt, flow_figure
from judge_core.views.refine.state import fold_refinement
from judge_core.views.refine.tables import points_table, seat_name
from tests.modes.refine.script import Script, spec, tournament

WINNERS: tuple[Version, ...] = ("AB", "B", "A", "A")


def test_the_thick_line_follows_the_winners_and_the_winner_alone_is_filled() -> None:
    figure = flow_figure(tournament(Script(WINNERS)))
    path, lanes = figure.data[0], {trace.name: trace for trace in figure.data[1:]}
    assert list(path.x) == [1, 2, 3, 4] and list(path.y) == [LANES[label] for label in WINNERS]
    assert list(lanes["A"].marker.symbol) == ["circle-open", "circle-open", "circle", "circle"]
    assert list(lanes["AB"].marker.symbol)[0] == "diamond" and list(lanes["B"].marker.symbol)[1] == "square"


def test_points_stand_above_the_markers_and_a_winner_of_all_has_the_largest() -> None:
    figure = flow_figure(tournament(Script(WINNERS)))
    lanes = {trace.name: trace for trace in figure.data[1:]}
    assert list(lanes["AB"].text)[0] == "9" and list(lanes["A"].text)[0] == "6"
    assert max(lanes["AB"].marker.size) == lanes["AB"].marker.size[0]


def test_the_streak_is_shaded_and_said() -> None:
    figure = flow_figure(tournament(Script(WINNERS)))
    [shade] = figure.layout.shapes
    assert (shade.x0, shade.x1) == (2.55, 4.45)
    assert figure.layout.annotations[0].text == "streak 2 of 2"


def test_the_alt_names_every_winner() -> None:
    words = flow_alt(tournament(Script(WINNERS)))
    assert "pass 1 AB, pass 2 B, pass 3 A, pass 4 A" in words and "streak of A is 2 of 2" in words


def test_a_vetoed_version_has_a_cross() -> None:
    state = tournament(Script(WINNERS), spec(voting="veto"))
    lanes = {trace.name: trace for trace in flow_figure(state).data[1:]}
    assert list(lanes["B"].marker.symbol)[0] == "x-open"
    said = ballots_figure(state, state.passes[1]).data[-1].text
    assert said == ("  9, stands", "  3, vetoed", "  6")


def test_before_the_first_pass_the_chart_says_so() -> None:
    state = fold_refinement(spec(), [])
    assert "No pass has begun" in flow_figure(state).layout.annotations[0].text
    assert "no pass is decided" in flow_alt(state)


def test_only_the_last_passes_of_a_long_tournament_are_drawn() -> None:
    state = tournament(Script(["B"]), spec(stopping={"max_rounds": 30}))
    assert min(flow_figure(state, most=10).data[1].x) == 21


def test_each_judge_has_a_part_of_each_bar() -> None:
    state = tournament(Script([[("A", "B", "AB"), ("AB", "A", "B"), None], "A", "A"]))
    view = state.passes[1]
    figure = ballots_figure(state, view)
    assert [(trace.name, list(trace.x)) for trace in figure.data[:-1]] == [
        ("Judge 1", [1, 2, 3]),  # AB, B, A
        ("Judge 2", [3, 1, 2]),
    ]
    assert list(figure.data[-1].text)[2].strip() == "5, stands"
    assert ballots_alt(state, view) == "Pass 1, points by 2 of 3 judges: A 5, B 3, AB 4."


def test_the_twin_of_the_bars_has_a_row_a_judge_and_the_sums() -> None:
    state = tournament(Script([[("A", "B", "AB"), ("AB", "A", "B"), None], "A", "A"]))
    assert points_table(state, state.passes[1]).to_numpy().tolist() == [
        ["Judge 1", 3, 2, 1],
        ["Judge 2", 2, 1, 3],
        ["Together", 5, 3, 4],
    ]


def test_weights_count_and_roles_are_named() -> None:
    panel = ({"judge": 0, "role": "minimality", "weight": 0.5}, {"judge": 0})
    of = RefineSpec.model_validate({**spec().model_dump(), "panel": panel})
    state = tournament(Script(["A"]), of)
    assert points_table(state, state.passes[1])["A"].tolist() == [1.5, 3, 4.5]
    assert seat_name(state, 0) == "Judge 1 (minimality)"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_themes_have_letters_of_their_own(theme: str) -> None:
    state = tournament(Script(["A"]))
    assert flow_figure(state, theme).layout.font.color == ("#1a1a1a" if theme == "light" else "#f2f2f2")  # type: ignore[arg-type]
