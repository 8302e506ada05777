"""The result of a single comparison: who won it, by how much, and why; and nothing that only a ranking has."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.intake import read_paste
from judge_core.interfaces.workbench import new_spec
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Criterion, Rubric
from tests.pages.stored_runs import PAIR_SECTIONS, bench, opened, section, shown

LONG = "Because days grow short, the tree seals each stem, and the wind does the rest. So the leaves fall."
RUBRIC = Rubric(criteria=(Criterion(name="Clarity"), Criterion(name="Depth")))


def compared(a: str = "Text A", b: str = "Text B", *, name: str = "", words: tuple[str, str] = ("Wind.", LONG)) -> str:
    """A finished comparison of two texts with these titles."""
    artifacts = [read_paste(text, title).artifacts[0] for text, title in zip(words, (a, b), strict=True)]
    refs = bench().keep_texts(artifacts)
    spec = new_spec(texts=refs, rubric=RUBRIC, judges=(judge_spec("offline"),), rounds=1, both_orders=True, name=name)
    run = bench().start(spec)
    assert bench().wait(run, 30).status == "done"
    return run


def seen(app: AppTest) -> str:
    return shown(app).replace("**", "")


@pytest.mark.parametrize(("words", "winner"), [(("Wind.", LONG), "Text B"), ((LONG, "Wind."), "Text A")])
def test_the_winner_is_named_as_its_box_was(app: AppTest, words: tuple[str, str], winner: str) -> None:
    opened(app, compared(words=words))
    assert winner in app.header[0].value
    assert not re.search(r"E-00\d", seen(app))
    assert app.toggle(key="show_pair_names").value


def test_scores_and_texts_stand_side_by_side_in_the_order_of_the_boxes(app: AppTest) -> None:
    for words in (("Wind.", LONG), (LONG, "Wind.")):
        run = compared(words=words)
        table = opened(app, run).dataframe[0].value
        [view] = bench().state(run).matches.values()
        title = {text.alias: text.title for text in bench().state(run).spec.texts}
        [judgment] = view.judgments
        for at, (name, pair) in enumerate(judgment.scores.items()):
            by_title = {title[view.a]: f"{pair.a:g}", title[view.b]: f"{pair.b:g}"}
            assert table.loc[at, ["criterion", "left", "right"]].tolist() == [
                name,
                by_title["Text A"],
                by_title["Text B"],
            ]
            for order in judgment.orders:
                one = order.scores[name]
                given = {title[view.a]: f"{one.a:g}", title[view.b]: f"{one.b:g}"}
                column = "left_first" if title[order.first] == "Text A" else "right_first"
                assert table.loc[at, column] == f"{given['Text A']} to {given['Text B']}"
        page = seen(app)
        assert "\u25b6 offline: Text B won" in page if words[1] == LONG else "\u25c0 offline: Text A won" in page
        assert page.index("Scores") < page.index("Text A · ") < page.index("Text B · ") < page.index("Reasons")


def test_reasons_say_whom_the_judge_calls_a(app: AppTest) -> None:
    page = seen(opened(app, compared()))
    for one, other in (("Text A", "Text B"), ("Text B", "Text A")):
        assert f"{one} was shown first. In the judge's words, A is {one} and B is {other}." in page


def test_only_what_makes_sense_of_one_pair_is_offered(app: AppTest) -> None:
    opened(app, compared())
    assert [tab.label for tab in app.tabs] == list(PAIR_SECTIONS)
    assert not re.search("Elo|Swiss|pairs of texts", seen(app))


@pytest.mark.parametrize("name", PAIR_SECTIONS)
def test_each_section_opens(app: AppTest, name: str) -> None:
    section(opened(app, compared()), name)
    assert not app.error


def test_names_of_files_are_hidden_until_they_are_asked_for(app: AppTest) -> None:
    opened(app, compared("Ann Lee", "Text B", name="Two essays"))
    assert "Ann Lee" not in seen(app) and "E-001" in app.header[0].value.replace("\\", "") + seen(app)
    app.toggle(key="show_names").set_value(True).run()
    assert "Ann Lee" in seen(app)


def test_it_is_called_a_comparison_everywhere(app: AppTest) -> None:
    run = compared()
    assert "Comparison" in seen(opened(app, run))
    opened(app, page="history.py")
    table = app.dataframe[0].value
    assert (table.loc[0, "kind"], table.loc[0, "name"]) == ("Comparison", "Comparison of 2 texts")
    assert "Ranking" not in table.to_string()
    app.switch_page("home.py").run()
    assert "Comparison" in seen(app) and "Text B" in seen(app)


def test_an_address_of_its_match_opens_no_drawer_beside_it(app: AppTest) -> None:
    opened(app, compared(), match="1")
    assert seen(app).count("Reasons") == 1
