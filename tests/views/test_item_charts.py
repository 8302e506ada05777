"""Figures of runs that judge items: what stands in them, in letters as well as in colours, and nothing taken for markup."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest

from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.spec import ItemMode
from judge_core.views.charts.items import verdicts as charts
from judge_core.views.charts.ledger import ledger_alt, ledger_figure
from judge_core.views.charts.style import Theme
from judge_core.views.items.details import steps_table
from judge_core.views.items.state import ItemState
from judge_core.views.items.tables import Labels
from tests.views.item_streams import MODES, ItemStream, acted, golden, item, item_spec, judged, part, point, silent
from tests.views.streams import case, judge
from tests.views.test_charts import strings_of

THEMES: tuple[Theme, ...] = ("light", "dark")
Draw = Callable[[ItemState, Labels | None, Theme], go.Figure]
DRAWN: dict[ItemMode, list[Draw]] = {
    "review": [charts.scores_figure, charts.criteria_figure],
    "gate": [charts.scores_figure, charts.criteria_figure],
    "listwise": [lambda state, labels, theme: charts.positions_figure(state, "I-001", theme)],
    "rag": [lambda state, labels, theme: charts.metrics_figure(state, theme)],
    "agent": [charts.steps_figure],
}


def figures(state: ItemState, labels: Labels | None = None, theme: Theme = "light") -> list[go.Figure]:
    drawn = [draw(state, labels, theme) for draw in DRAWN[state.spec.mode]]
    return [*drawn, ledger_figure(state, theme)]


@pytest.mark.parametrize("mode", MODES)
def test_every_chart_is_built_at_every_stage(mode: ItemMode) -> None:
    stream = golden(mode)
    for cut in range(len(stream.events) + 1):
        begun = ItemStream(stream.spec)
        begun.events = stream.events[:cut]
        for figure in figures(begun.state, None, THEMES[cut % 2]):
            assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
            assert plain(figure)


def heads(figure: go.Figure) -> list[str]:
    """The lines of words over the rows, from the top."""
    lines = sorted(figure.layout.annotations, key=lambda line: line.y)
    return [line.text for line in lines]


def plain(figure: go.Figure) -> dict[str, Any]:
    """The figure as it goes to the page, without the template, which is the same for all."""
    figure.layout.template = None
    content: dict[str, Any] = json.loads(figure.to_json())
    return content


def test_a_gate_marks_pass_and_fail_in_words_and_colours_and_shows_its_bar() -> None:
    figure = charts.scores_figure(golden("gate").state)
    (bars,) = figure.data
    assert list(bars.customdata) == ["I-002", "I-003", "I-004", "I-001"], "those that fail first, the lowest on top"
    assert heads(figure) == [
        "I-002: 2.33 ✗ below the bar",
        "I-003: 4.60 ✗ only on a condition",
        "I-004: 4.60 ✗ a judge is missing",
        "I-001: 4.07 ✓ pass",
    ]
    assert len(set(bars.marker.color[:3])) == 1 and bars.marker.color[3] != bars.marker.color[0]
    assert [x + bars.base for x in bars.x] == pytest.approx([2 + 1 / 3, 4.6, 4.6, 1 + 4 * 2.3 / 3])
    (line,) = figure.layout.shapes
    assert (line.x0, line.x1) == (3.5, 3.5)


def test_a_review_shows_the_best_first_and_an_item_without_a_score_as_such() -> None:
    assert heads(charts.scores_figure(golden("review").state)) == ["I-001: 3.60", "I-002: 2.47", "I-003: no verdict"]
    assert not charts.scores_figure(golden("review").state).layout.shapes


def test_criteria_are_coloured_by_their_share_of_the_scale_and_written_as_given() -> None:
    named = (Criterion(name="Clarity", scale_min=1, scale_max=5), Criterion(name="Depth"))
    stream = ItemStream(item_spec("review", 2, rubric=Rubric(criteria=named)))
    stream.item(1, judged(point(3, 10, criteria=named))).item(2, judged(point(total=0.5)))
    (cells,) = charts.criteria_figure(stream.state).data
    assert [list(row) for row in cells.z] == [[0.5, 1.0], [None, None]]
    assert [list(row) for row in cells.text] == [["3", "10"], ["–", "–"]]


def test_positions_stand_best_on_top_with_every_judges_own() -> None:
    figure = charts.positions_figure(golden("listwise").state, "I-002")
    assert list(figure.layout.yaxis.ticktext) == ["1. Candidate 1", "1. Candidate 2", "3. Candidate 3"]
    named = charts.positions_figure(golden("listwise").state, "I-002", candidates=["ann.txt", "<b>", "cy.txt"])
    assert list(named.layout.yaxis.ticktext) == ["1. ann.txt", "1. &lt;b&gt;", "3. cy.txt"]
    first, second, mean = charts.positions_figure(golden("listwise").state, "I-001").data
    assert list(mean.x) == pytest.approx([4 / 3, 5 / 3, 3.0])
    assert (list(first.x), list(second.x)) == ([1, 2, 3], [2, 1, 3])


def test_metrics_show_the_panels_mean_with_n_and_each_judges() -> None:
    figure = charts.metrics_figure(golden("rag").state)
    panel, one, two = figure.data
    assert panel.x[0] == pytest.approx((2.5 / 3 + 1 / 3) / 2) and heads(figure)[0] == "Faithfulness: 0.58 (n 2)"
    assert heads(figure)[5].endswith(": nothing to measure") and panel.x[5] is None
    assert (one.x[0], two.x[0]) == (pytest.approx(0.75), pytest.approx(0.25))
    assert "lower is better" in panel.hovertext[1] and "lower is better" in heads(figure)[1]
    assert len(charts.metrics_figure(golden("rag", judges=(judge(), judge())).state).data) == 3


def test_steps_are_letters_in_the_order_taken_and_the_twin_of_their_table() -> None:
    state = golden("agent").state
    figure = charts.steps_figure(state)
    (cells,) = figure.data
    assert [list(row) for row in cells.text] == [["U", "U", "R"], ["H", "R", "U"], ["·", "·", "·"]]
    assert heads(figure) == ["I-001: achieved", "I-002: not achieved", "I-003: no verdict"]
    letters = {"useful": "U", "redundant": "R", "harmful": "H", None: "·"}
    labels = [row[steps_table(state).header.index("label")] for row in steps_table(state).rows]
    assert [letters[label] for label in labels] == [letter for row in cells.text for letter in row]  # type: ignore[index]


def test_runs_of_unequal_length_leave_cells_empty() -> None:
    runs = [item(1, [part("step", n) for n in (1, 2)]), item(2, [part("step")])]
    stream = ItemStream(item_spec("agent", runs)).item(1, judged(acted("achieved", "useful", "harmful")))
    (cells,) = charts.steps_figure(stream.item(2, judged(acted("achieved", "useful"))).state).data
    assert [list(row) for row in cells.text] == [["U", "H"], ["U", ""]]


@pytest.mark.parametrize("mode", MODES)
def test_the_ledger_bar_sums_to_the_plan(mode: ItemMode) -> None:
    state = golden(mode).state
    parts = ledger_figure(state).data
    assert sum(bar.x[0] for bar in parts) == state.planned_judgments
    assert all(bar.text[0] == str(bar.x[0]) for bar in parts)


@pytest.mark.parametrize("hostile", [*case("S-015")["input"]["strings"], *case("S-014")["input"]["texts"]])
@pytest.mark.parametrize("mode", MODES)
def test_names_are_text_in_every_chart(mode: ItemMode, hostile: str) -> None:
    """S-014, S-015: titles, criteria and judges' names hold no tag, formula or line break."""
    named = tuple(Criterion(name=f"{hostile}{n}") for n in (1, 2))
    judges = (judge(hostile), judge(f"\ud800{hostile}"))
    state = golden(mode, judges=judges, rubric=Rubric(criteria=named)).state
    for figure in figures(state, {"I-001": hostile, "I-002": f"\ud800{hostile}"}):
        for line in strings_of(plain(figure)):
            bare = line.replace("<extra></extra>", "").replace("<extra>panel</extra>", "")
            assert "<" not in bare and "$" not in bare and "\n" not in bare


def test_equal_titles_keep_their_own_rows() -> None:
    (bars,) = charts.scores_figure(golden("review").state, {f"I-00{n}": "Essay" for n in (1, 2, 3)}).data
    assert len(set(bars.y)) == 3


def test_alts_say_what_the_charts_say() -> None:
    gate, rag, agent = golden("gate").state, golden("rag").state, golden("agent").state
    assert charts.scores_alt(gate).endswith("1 of 4 pass the bar of 3.5.")
    assert charts.scores_alt(golden("review").state) == "Scores of 2 texts. Highest: I-001, 3.60 of 5."
    assert charts.criteria_alt(golden("review").state).startswith("Mean score by criterion: Argument 5.67 (n 2), ")
    assert charts.metrics_alt(rag).startswith("Means over the items: faithfulness 0.58 (n 2), ")
    assert charts.steps_alt(agent) == "9 steps of 3 runs: 3 useful, 2 redundant, 1 harmful, 3 without a label."
    assert charts.positions_alt(golden("listwise").state, "I-001") == (
        "Best first: Candidate 1 (place 1), Candidate 2 (place 2), Candidate 3 (place 3). Kendall's W of the judges: 0.75."
    )
    assert "Best first: ann (place 1)," in charts.positions_alt(golden("listwise").state, "I-001", ["ann", "bo", "cy"])
    assert ledger_alt(gate) == "8 judgments planned: judged 7, failed 1."


def test_alts_of_a_run_without_a_verdict_claim_nothing() -> None:
    empty = ItemStream(item_spec("review", 1)).item(1, silent()).state
    assert charts.scores_alt(empty) == "Scores: no text has a score yet."
    assert charts.criteria_alt(empty) == "Scores by criterion: no text has a score yet."
    assert charts.positions_alt(empty, "I-001") == "Positions: this list has no ranking."
    nothing = ItemStream(item_spec("rag", 1)).state
    assert charts.metrics_alt(nothing) == "Metrics: nothing has been measured yet."
