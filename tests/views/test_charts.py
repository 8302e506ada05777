"""Figures as pure functions: what stands in them, and that nothing from outside is taken for markup."""

from __future__ import annotations

import json
from typing import Any

import plotly.graph_objects as go
import pytest

from judge_core.records.event import Stored
from judge_core.views import charts
from judge_core.views.charts.labels import LONGEST, canvas_label, plain_label, plotly_label
from judge_core.views.charts.style import Theme
from judge_core.views.standings import standings
from judge_core.views.state import RunState, fold
from tests.views.streams import Stream, alias, both_orders, case, lost, played, spec, win
from tests.views.test_state import large, mixed

THEMES: tuple[Theme, ...] = ("light", "dark")


def state_of(stream: Stream) -> RunState:
    return fold(stream.spec, stream.events)


def figures(state: RunState, labels: dict[str, str] | None, theme: Theme) -> list[go.Figure]:
    table = standings(state)
    return [
        charts.bracket_figure(state, labels, theme, focus="E-001"),
        charts.ratings_figure(table, labels, theme),
        charts.win_matrix_figure(state, table, labels, theme),
        charts.ledger_figure(state, theme),
    ]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["mixed", "played", "empty", "large"])
def test_every_chart_is_built_at_every_stage(theme: Theme, name: str) -> None:
    streams = {"mixed": mixed(), "played": played(16, rounds=3), "empty": Stream(spec(0)), "large": large(300)}
    state = state_of(streams[name])
    for figure in figures(state, None, theme):
        assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
        assert json.loads(figure.to_json())
    assert json.dumps(charts.elo_options(state, theme=theme), allow_nan=False)


@pytest.mark.parametrize("hostile", [*case("S-015")["input"]["strings"], *case("S-014")["input"]["texts"]])
def test_labels_are_text_in_every_chart(hostile: str) -> None:
    """S-014, S-015: tags, formulas and line breaks in a title do nothing; lone surrogates do not break the figure."""
    labels = {"E-001": hostile, "E-002": f"\ud800{hostile}"}
    state = state_of(played(4))
    for figure in figures(state, labels, "light"):
        shown = strings_of(json.loads(figure.to_json()))
        for line in shown:
            bare = line.replace("<b>Round ", "").replace("</b> · ", "").replace("<extra></extra>", "")
            assert "<" not in bare and "$" not in bare and "\n" not in bare
    options = charts.elo_options(state, labels)
    assert not any("<" in line for line in strings_of(options))
    assert options["tooltip"]["renderMode"] == "richText"


def strings_of(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = [item for key, item in value.items() if key != "template"]
    return [line for item in value for line in strings_of(item)] if isinstance(value, list) else []


def test_labels_are_short_single_lines() -> None:
    assert plain_label("E-001") == "E-001"
    assert len(plain_label("E-001", {"E-001": "x" * 99})) == LONGEST
    assert plotly_label("a", {"a": "\u202e<b>\x00x"}) == "&lt;b&gt; x"
    assert canvas_label("a", {"a": "{@name|x}"}) == "(@name|x)"


def test_the_bracket_has_three_traces_and_each_node_names_its_match() -> None:
    """16 texts over 3 rounds; symbol and colour both tell the result."""
    stream = played(16, rounds=3)
    state = state_of(stream)
    figure = charts.bracket_figure(state, focus="E-005")
    threads, path, nodes = figure.data
    assert len(nodes.x) == 48
    assert sorted(set(nodes.customdata)) == list(range(1, 25))
    for place, words, symbol, colour in zip(
        nodes.customdata, nodes.text, nodes.marker.symbol, nodes.marker.color, strict=True
    ):
        letter = state.matches[place].letter(words.split()[0])
        assert words.endswith(letter)
        assert (symbol, colour) == {"W": ("square", "#009E73"), "L": ("circle-open", "#808080")}[letter]
    assert len(figure.layout.shapes) == 24
    assert path.line.width == 3 and path.x.count(None) == 2
    assert threads.x.count(None) == 32
    assert figure.layout.annotations[0].text == "<b>Round 1</b> · all 16"


def test_byes_are_dashed_and_bands_are_named() -> None:
    stream = Stream(spec(5)).round(1, ("E-001", "E-002"), ("E-003", "E-004"), byes=("E-005",))
    stream.match("E-001", "E-002", win()).match("E-003", "E-004", lost())
    stream.round(2, ("E-001", "E-005"), band=(2, 4))
    figure = charts.bracket_figure(state_of(stream))
    nodes = figure.data[2]
    assert [shape.line.dash for shape in figure.layout.shapes] == ["solid", "solid", "dash", "solid"]
    assert figure.layout.annotations[1].text == "<b>Round 2</b> · ranks 2 to 4"
    symbols = dict(zip(nodes.text, nodes.marker.symbol, strict=True))
    assert symbols[" E-005  1500  bye"] == "line-ew-open"
    assert symbols[" E-003  1500  ?"] == "x"
    assert symbols[" E-001  1516  "] == "circle-open-dot"


def test_a_crowded_bracket_shows_the_matches_of_the_best_or_of_the_focus() -> None:
    state = state_of(played(40))
    best = sorted(state.elo, key=lambda name: (-state.elo_now(name), name))[:16]
    expected = {view.place for view in state.matches.values() if view.a in best or view.b in best}
    assert set(charts.bracket_figure(state).data[2].customdata) == expected
    focus = charts.bracket_figure(state, focus="E-040").data[2]
    assert set(focus.customdata) == {v.place for v in state.matches.values() if "E-040" in (v.a, v.b)}
    assert len(charts.bracket_figure(state, most=40).data[2].x) == 120


def test_the_elo_chart_names_the_leaders_and_sends_few_points() -> None:
    state = state_of(large(5000))
    options = charts.elo_options(state, pinned=["E-050"])
    named = [line for line in options["series"] if "endLabel" in line]
    assert len(named) in (3, 4) and "E-050" in [line["id"] for line in named]
    assert all(len(line["data"]) <= 60 for line in options["series"])
    assert len(json.dumps(options)) < 60_000
    last = max(state.matches)
    for line in options["series"]:
        assert line["data"][0] == [0, 1500.0]
        assert line["data"][-1] == [last, round(state.elo_now(line["id"]), 1)]


def test_a_lines_ends_are_kept_when_it_is_thinned() -> None:
    state = state_of(large(2000, texts=2))
    (first, *_) = charts.elo_options(state)["series"]
    assert first["data"][0][0] == 0
    assert first["data"][-1] == [max(p for p, _ in state.elo["E-001"]), round(state.elo_now(first["id"]), 1)]


def test_ratings_have_whiskers_and_mark_who_cannot_be_told_from_the_first() -> None:
    table = standings(state_of(played(4)))
    (trace,) = charts.ratings_figure(table).data
    assert list(trace.customdata) == [row.alias for row in table.rated]
    assert trace.error_x.color == "#808080"
    low = [x - minus for x, minus in zip(trace.x, trace.error_x.arrayminus, strict=True)]
    assert low == pytest.approx([row.low for row in table.rated])
    tied = {table.rated[0].alias, *table.rated[0].tied_with}
    assert [symbol == "square" for symbol in trace.marker.symbol] == [row.alias in tied for row in table.rated]


def test_equal_titles_keep_their_own_rows() -> None:
    labels = {alias(n): "Essay" for n in range(1, 5)}
    (trace,) = charts.ratings_figure(standings(state_of(played(4))), labels).data
    assert len(set(trace.y)) == 4


def test_the_win_matrix_leaves_unplayed_cells_empty() -> None:
    state = state_of(Stream(spec(3)).match("E-001", "E-002", win()).match("E-002", "E-003", win(5, 5)))
    figure = charts.win_matrix_figure(state, standings(state))
    (trace,) = figure.data
    names = figure.layout.xaxis.ticktext
    cells = {
        (row, column): (trace.z[i][j], trace.text[i][j])
        for i, row in enumerate(names)
        for j, column in enumerate(names)
    }
    assert cells["E-001", "E-002"] == (1, "W") and cells["E-002", "E-001"] == (0, "L")
    assert cells["E-002", "E-003"] == cells["E-003", "E-002"] == (0.5, "T")
    assert cells["E-001", "E-003"] == cells["E-001", "E-001"] == (None, "")
    assert figure.layout.xaxis.tickangle == -90, "a long name stays clear of its neighbours"


def test_the_ledger_says_which_of_the_two_texts_won() -> None:
    state = state_of(Stream(spec(2), planned=1).match("E-001", "E-002", win()))
    assert [bar.name for bar in charts.ledger_figure(state).data] == ["first text won 1"]
    assert "first text won 1" in charts.ledger_alt(state)


def test_the_ledger_bar_sums_to_the_plan() -> None:
    state = state_of(mixed())
    parts = charts.ledger_figure(state).data
    assert sum(part.x[0] for part in parts) == state.planned_judgments
    assert all(part.text[0] == str(part.x[0]) for part in parts)


def test_alts_say_what_the_charts_say() -> None:
    state = state_of(played(4))
    table = standings(state)
    assert charts.bracket_alt(state).startswith(
        "Swiss bracket: 3 of 3 rounds paired, 6 of 6 matches judged, 6 decided."
    )
    assert "highest: E-001" in charts.elo_alt(state)
    assert "Highest: E-001" in charts.ratings_alt(table)
    assert charts.win_matrix_alt(state, table).startswith("Win matrix of 4 texts: 6 of 6 pairs met.")
    assert charts.ledger_alt(state) == "6 judgments planned: first text won 6."
    nothing = state_of(Stream(spec(0)))
    assert "no match" in charts.elo_alt(nothing) and "no text" in charts.ratings_alt(standings(nothing))


def test_equal_runs_give_equal_figures_without_ids_of_their_own() -> None:
    """S-017: keys come from the page, so two equal runs, or two rounds that end all square, can stand side by side."""
    stream = Stream(spec(2)).round(1, ("E-001", "E-002")).match("E-001", "E-002", win(5, 5))
    twin: list[Stored] = list(stream.events)
    one, other = state_of(stream), fold(stream.spec, twin)
    assert [f.to_json() for f in figures(one, None, "light")] == [f.to_json() for f in figures(other, None, "light")]
    assert "uid" not in charts.bracket_figure(one).to_json()


def test_a_flip_is_drawn_as_a_draw() -> None:
    flip = both_orders(
        {"Argument": (8, 4), "Style": (8, 4)}, {"Argument": (4, 8), "Style": (4, 8)}, a="E-001", b="E-002"
    )
    stream = Stream(spec(2)).round(1, ("E-001", "E-002")).match("E-001", "E-002", flip)
    assert set(charts.bracket_figure(state_of(stream)).data[2].marker.symbol) == {"diamond"}
