"""The charts of trust: what stands in them is what stands in their tables, and names are never markup."""

from __future__ import annotations

import json

import pandas as pd
import plotly.graph_objects as go
import pytest

from judge_core.records.spec import Spec
from judge_core.views.charts.style import Theme
from judge_core.views.charts.trust.position import position_alt, position_figure
from judge_core.views.charts.trust.rank_heat import rank_heat_alt, rank_heat_figure
from judge_core.views.charts.trust.reliability import reliability_alt, reliability_figure
from judge_core.views.standings import standings
from judge_core.views.state import RunState, fold
from judge_core.views.trust import position_table, rank_table, rounds_reliability
from tests.views.streams import Stream, case, judge, spec, win
from tests.views.test_charts import strings_of
from tests.views.test_state import large
from tests.views.trust.runs import PANEL, Simulated, played

THEMES: tuple[Theme, ...] = ("light", "dark")


@pytest.fixture(scope="module")
def run() -> RunState:
    return played([Simulated(1, 2, first=2), Simulated(2, 2)], 8, rounds=5)


def figures(state: RunState, labels: dict[str, str] | None, theme: Theme) -> list[go.Figure]:
    table = standings(state)
    return [
        reliability_figure(rounds_reliability(state, table, replays=2), theme),
        rank_heat_figure(table, labels, theme),
        position_figure(position_table(state, table), theme),
    ]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("stage", ["nothing", "one match", "run", "many texts"])
def test_every_chart_is_built_at_every_stage(run: RunState, theme: Theme, stage: str) -> None:
    one, many = Stream(spec(4)).match("E-001", "E-002", win()), large(120)
    states = {
        "nothing": fold(spec(0), []),
        "one match": fold(one.spec, one.events),
        "run": run,
        "many texts": fold(many.spec, many.events),
    }
    for figure in figures(states[stage], None, theme):
        assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
        assert json.loads(figure.to_json())


def hostile_run(named: str) -> RunState:
    spec_: Spec = spec(4, judges=(judge(named), PANEL[0]))
    stream = Stream(spec_).match("E-001", "E-002", win(judge=0), win(judge=1, first="E-002"))
    stream.match("E-002", "E-003", win(judge=0), win(judge=1), round=2)
    return fold(spec_, stream.events)


@pytest.mark.parametrize("hostile", case("S-015")["input"]["strings"])
def test_names_of_texts_and_judges_are_text(hostile: str) -> None:
    for figure in figures(hostile_run(hostile), {"E-001": hostile, "E-002": f"\ud800{hostile}"}, "light"):
        for line in strings_of(json.loads(figure.to_json())):
            bare = line.replace("<extra></extra>", "")
            assert "<" not in bare
            assert "$" not in bare
            assert "\n" not in bare


def test_the_reliability_chart_draws_its_table(run: RunState) -> None:
    frame = rounds_reliability(run, standings(run), replays=4)
    mean, high, own = reliability_figure(frame).data
    assert list(own.y) == frame["reliability"].tolist()
    assert list(mean.y) == frame["coin mean"].tolist()
    assert list(high.y) == frame["coin 95th"].tolist()
    assert high.fill == "tonexty"
    assert f"{frame['reliability'].iloc[-1]:.2f}" in reliability_alt(frame)
    assert f"{frame['coin mean'].iloc[-1]:.2f}" in reliability_alt(frame)


def test_rounds_without_a_reliability_are_left_out_of_the_line(run: RunState) -> None:
    frame = rounds_reliability(run, standings(run), replays=2)
    frame.loc[0, ["reliability", "coin mean", "coin 95th"]] = pd.NA
    figure = reliability_figure(frame)
    assert [list(trace.x) for trace in figure.data] == [[2, 3, 4, 5]] * 3
    frame["reliability"] = pd.NA
    assert not reliability_figure(frame).data
    assert "not defined" in reliability_alt(frame)


def test_a_reliability_without_coins_is_said_alone(run: RunState) -> None:
    frame = rounds_reliability(run, standings(run), replays=2)
    frame[["coin mean", "coin 95th"]] = pd.NA
    assert "coin" not in reliability_alt(frame)


@pytest.mark.parametrize("theme", THEMES)
def test_the_rank_chart_draws_its_table(run: RunState, theme: Theme) -> None:
    table = standings(run)
    [heat] = rank_heat_figure(table, {"E-001": "First"}, theme).data
    frame = rank_table(table)
    assert [list(row) for row in heat.z] == frame.drop(columns="text").to_numpy().tolist()
    assert heat.customdata[0][0][1] == "1"
    assert f"{100 * frame['1'].iloc[0]:.0f} %" in rank_heat_alt(table)


def test_of_many_texts_forty_are_drawn() -> None:
    stream = large(120)
    table = standings(fold(stream.spec, stream.events))
    figure = rank_heat_figure(table)
    [heat] = figure.data
    assert (len(heat.z), len(heat.z[0])) == (40, 41)
    assert figure.layout.xaxis.ticktext[-1] == "41+"
    assert f"the best 40 of {len(table.rated)} texts" in rank_heat_alt(table)
    assert heat.texttemplate == ""


def test_the_position_chart_draws_its_table_about_a_line_at_zero(run: RunState) -> None:
    frame = position_table(run, standings(run))
    figure = position_figure(frame)
    [marks] = figure.data
    assert list(marks.x) == frame["effect"].tolist()
    assert list(marks.error_x.array) == pytest.approx((frame["high"] - frame["effect"]).tolist())
    assert list(marks.marker.symbol)[:3] == ["square", "circle", "circle"]
    [zero] = figure.layout.shapes
    assert zero.x0 == zero.x1 == 0
    assert "2 judges" in position_alt(frame)


@pytest.mark.parametrize(
    ("first", "words"),
    [(5, "the first place is favoured"), (-5, "the later place is favoured"), (0, "no favour is certain")],
)
def test_the_alternative_text_says_which_side_is_favoured(first: float, words: str) -> None:
    state = played([Simulated(3, 0.2, first=first)], 8, method="round-robin", rounds=7)
    assert words in position_alt(position_table(state, standings(state)))


def test_what_is_not_there_is_said_in_words() -> None:
    nothing = fold(spec(3), [])
    table = standings(nothing)
    assert "no text has a rating" in rank_heat_alt(table)
    assert "nothing tells" in position_alt(position_table(nothing, table))
    assert "not defined" in reliability_alt(rounds_reliability(nothing, table))
