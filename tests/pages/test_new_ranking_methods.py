"""New ranking: the method picker, goals and options in Custom, and how pairs are shown."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.drafts.planning.methods import METHODS
from judge_core.records.spec import Goal, Spec
from tests.pages.entering import at, case, opened, press, started, stored, uploaded, widget

SIX = [(f"{number}.txt", f"Essay number {number} of six.".encode(), "text/plain") for number in range(6)]
HOSTILE = "![x](http://127.0.0.1:9/p.png)"


def customised(app: AppTest, method: str = "swiss") -> AppTest:
    """Six texts, Custom, that method."""
    uploaded(opened(app), SIX)
    at(app, "start").radio[0].set_value("custom").run()
    return put(app.radio, "How should texts be compared", method)


def put(elements: object, label: str, value: object) -> AppTest:
    """Enters a value in the widget of that label."""
    app: AppTest = widget(elements, label).set_value(value).run()  # type: ignore[attr-defined]
    assert not app.exception
    return app


def labels(app: AppTest) -> set[str]:
    kinds = (app.number_input, app.selectbox, app.toggle, app.radio, app.text_input)
    return {element.label for kind in kinds for element in kind}


def said(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error, app.text)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def test_all_methods_stand_side_by_side_with_their_calls_and_what_to_expect(app: AppTest) -> None:
    picker = widget(customised(app).radio, "How should texts be compared")
    captions = picker.proto.captions  # type: ignore[attr-defined]
    assert list(picker.options) == [words.title for words in METHODS.values()]  # type: ignore[attr-defined]
    assert all(
        "calls" in caption and words.line in caption for caption, words in zip(captions, METHODS.values(), strict=True)
    )
    assert "6 calls" in captions[-1] and "pairs in the right order" in captions[0]


@pytest.mark.parametrize("method", list(METHODS))
def test_each_method_starts_and_shows_only_what_fits_it(app: AppTest, method: str) -> None:
    shown = labels(customised(app, method))
    pairs = method not in ("listwise", "pointwise")
    assert ("What counts of a judge's answer on two texts" in shown, "Scores first" in shown) == (pairs, pairs)
    assert ("Texts in one list" in shown) == (method == "listwise")
    assert ("From round 3 on" in shown) == (method == "swiss")
    assert ("Match for the third place" in shown) == (method == "knockout")
    assert ("Stop as soon as" in shown) == (method not in ("knockout", "pointwise"))
    assert started(app).method == method


def test_lists_hold_their_choices(app: AppTest) -> None:
    customised(app, "listwise")
    put(app.number_input, "Rounds of lists", 3)
    put(app.number_input, "Texts in one list", 4)
    put(app.number_input, "Shown in reverse as well", 50)
    spec = started(app)
    assert (spec.rounds, spec.group_size, spec.reverse_share) == (3, 4, 0.5)


def test_options_of_pairs_reach_the_run(app: AppTest) -> None:
    customised(app)
    for label in ("Scores first", "Rematches"):
        put(app.toggle, label, True)
    put(app.radio, "What counts of a judge", "levels")
    spec = started(app)
    assert (spec.warm_start, spec.rematches, spec.evidence) == (True, True, "levels")


def test_the_match_for_the_third_place_can_be_left_out(app: AppTest) -> None:
    customised(app, "knockout")
    put(app.toggle, "Match for the third place", False)
    assert not started(app).third_place


def test_a_goal_is_chosen_in_words_and_ends_the_run(app: AppTest) -> None:
    customised(app, "adaptive")
    put(app.selectbox, "Stop as soon as", "top")
    put(app.number_input, "The best how many", 2)
    put(app.number_input, "How surely", 80)
    put(app.number_input, "Rounds at most", 4)
    assert "at least 4 in 5 of the best 2 can be expected to belong there" in said(app)
    assert any(metric.label == "Calls, at most" for metric in app.metric)
    spec = started(app)
    assert (spec.goal, spec.rounds) == (Goal(kind="top", ranks=(2,), probability=0.8), 4)


def test_lines_are_kept_as_typed_until_they_can_be_read(app: AppTest) -> None:
    customised(app)
    put(app.selectbox, "Stop as soon as", "cut")
    put(app.text_input, "After which ranks", f"2, {HOSTILE}")
    assert widget(app.button, "Start").disabled and stored(app).plan.goal_ranks == f"2, {HOSTILE}"  # type: ignore[attr-defined]
    assert not any(
        HOSTILE[:5] in str(element.value) for kind in (app.markdown, app.caption, app.info) for element in kind
    )
    put(app.text_input, "After which ranks", "4, 2")
    assert started(app).goal == Goal(kind="cut", ranks=(2, 4), probability=0.9)


def test_a_goal_that_says_nothing_about_these_texts_stops_the_start(app: AppTest) -> None:
    customised(app)
    put(app.selectbox, "Stop as soon as", "top")
    put(app.number_input, "The best how many", 6)
    assert widget(app.button, "Start").disabled and "Enter 5 at most" in said(app)  # type: ignore[attr-defined]


def test_the_usual_certainty_follows_the_goal_and_a_chosen_one_stays(app: AppTest) -> None:
    customised(app)
    put(app.selectbox, "Stop as soon as", "order")
    assert stored(app).plan.certainty == 85
    put(app.number_input, "How surely", 70)
    put(app.selectbox, "Stop as soon as", "top")
    assert stored(app).plan.certainty == 70


def test_what_another_method_hides_is_there_again_later(app: AppTest) -> None:
    customised(app)
    put(app.number_input, "Rounds", 4)
    put(app.toggle, "Rematches", True)
    put(app.radio, "How should texts be compared", "pointwise")
    put(app.radio, "How should texts be compared", "swiss")
    assert widget(app.number_input, "Rounds").value == 4 and widget(app.toggle, "Rematches").value  # type: ignore[attr-defined]


def test_known_ratings_are_pointed_at_by_their_column(app: AppTest) -> None:
    table = b"id,text,known\na,First text,1600\nb,Second text,\nc,Third text,\n"
    uploaded(opened(app), [("t.csv", table, "text/csv")])
    at(app, "start").radio[0].set_value("custom").run()
    put(app.selectbox, "Column with a known rating", "known")
    assert {text.id: text.anchor for text in started(app).texts} == {"a": 1600.0, "b": None, "c": None}


@pytest.mark.parametrize("name", [*case("S-015")["strings"], HOSTILE])
def test_s_015_a_hostile_column_stands_only_where_no_markdown_is_read(app: AppTest, name: str) -> None:
    quoted = name.replace('"', '""')
    uploaded(opened(app), [("t.csv", f'id,text,"{quoted}"\na,First,good\nb,Second,\n'.encode(), "text/csv")])
    at(app, "start").radio[0].set_value("custom").run()
    column = list(stored(app).texts[0].artifact.columns)[-1]
    put(app.selectbox, "Column with a known rating", column)
    assert "which is no rating" in said(app)
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error, app.success)
    shown = [str(element.value) for kind in kinds for element in kind]
    assert not any(re.search(r"(?<!\\)(<(script|img|style|/div)|!\[x\]\()", text) for text in shown)
    assert not any(element.allow_html for element in app.markdown)


def test_a_panel_can_decide_in_turns(app: AppTest) -> None:
    uploaded(opened(app), SIX)
    press(at(app, "judges"), "Add another judge")
    put(app.selectbox, "Service", "offline")
    app.selectbox[1].set_value("offline").run()
    at(app, "start").radio[0].set_value("custom").run()
    put(app.number_input, "Judges for each verdict", 1)
    assert started(app).judges_per_match == 1


def test_a_judge_that_gives_no_probabilities_is_named(app: AppTest) -> None:
    customised(app)
    put(app.radio, "What counts of a judge", "probabilities")
    assert "Judge 1 (offline) gives no probabilities" in said(app)
    assert widget(app.button, "Start").disabled  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("orders", "both", "check"), [("once", False, False), ("check", False, True), ("both", True, False)]
)
def test_how_pairs_are_shown_reaches_the_run(app: AppTest, orders: str, both: bool, check: bool) -> None:
    uploaded(opened(app))
    put(at(app, "judges").radio, "Which text is shown first", orders)
    spec = started(app)
    assert (spec.both_orders, spec.order_check) == (both, check)


def test_lists_and_the_best_are_ready_made(app: AppTest) -> None:
    uploaded(opened(app), SIX)
    at(app, "start").radio[0].set_value("lists").run()
    at(app, "judges")
    assert "asks about no pairs" in said(app)
    at(app, "start").radio[0].set_value("top").run()
    put(app.number_input, "How many to keep", 2)
    assert "Stops as soon as at least 9 in 10 of the best 2" in app.info[0].value
    spec: Spec = started(app)
    assert (spec.method, spec.goal) == ("adaptive", Goal(kind="top", ranks=(2,), probability=0.9))


def test_an_empty_field_is_said_and_its_value_comes_back(app: AppTest) -> None:
    customised(app)
    put(app.number_input, "Rounds", None)
    assert "cannot be empty" in app.error[0].value
    assert widget(app.number_input, "Rounds").value == 10  # type: ignore[attr-defined]
