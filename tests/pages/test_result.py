"""The result page, opened by its address: which run it shows, and what it says of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.providers.registry import judge_spec
from judge_core.views.sentence import verdict
from judge_core.views.standings import standings
from tests.pages.stored_runs import (
    COURSE,
    SECTIONS,
    Open,
    bench,
    example_run,
    failing,
    frames,
    opened,
    part,
    section,
    shown,
    stored,
)
from tests.views.streams import Stream, both_orders, lost, played, spec, text, win

# which run


def test_an_empty_data_folder_offers_a_first_ranking(app: AppTest) -> None:
    """S-012: the page opened before anything was set up."""
    opened(app)
    assert "No run yet" in shown(app)
    assert "new_ranking" in {link.proto.page.rpartition("/")[2] for link in app.get("page_link")}


def test_an_unknown_run_is_said_to_be_unknown(app: AppTest) -> None:
    opened(app, "no-such-run")
    assert "This run is not here" in shown(app)


def test_without_an_address_the_newest_run_is_shown_and_named_in_the_address(app: AppTest) -> None:
    stored(played(), name="Older")
    newer = stored(played(), name="Newer")
    opened(app)
    assert app.title[0].value == "Newer"
    assert app.query_params["run"] == newer


def test_the_session_finds_its_run_again_when_the_sidebar_has_dropped_the_address(app: AppTest) -> None:
    older = stored(played(), name="Older")
    stored(played(), name="Newer")
    opened(app, older)
    app.query_params.clear()
    app.switch_page("history.py").run()
    app.switch_page("result.py").run()
    assert app.title[0].value == "Older"


def test_two_sessions_show_each_their_own_run(home: Path, open_app: Open) -> None:
    """S-020."""
    one, two = stored(played(), name="One"), stored(played(), name="Two")
    first, second = opened(open_app(), one), opened(open_app(), two)
    first.run()
    assert (first.title[0].value, second.title[0].value) == ("One", "Two")


# what it says


def test_columns_that_say_the_same_of_every_text_are_left_out(app: AppTest) -> None:
    """And criteria stand last: with many of them a table is wider than the page, and what matters most is seen first."""
    opened(app, stored(played(4, rounds=3)))
    columns = list(app.dataframe[0].value.columns)
    assert not {"settled", "status", "warnings"} & set(columns)
    assert columns[-2:] == ["criterion_0", "criterion_1"]
    opened(app, stored(failing()))
    assert "status" in app.dataframe[0].value.columns


def test_anchors_are_marked_and_not_counted_as_texts_that_cannot_be_told_apart(app: AppTest) -> None:
    """Four texts of which two are anchors; next to nothing is known of the other two."""
    texts = [text(1), text(2, anchor=1500.0), text(3, anchor=1510.0), text(4)]
    stream = Stream(spec(texts, rounds=1), planned=2).round(1, ("E-001", "E-002"), ("E-003", "E-004"))
    stream.match("E-001", "E-002", win()).match("E-003", "E-004", win())
    opened(app, stored(stream.close(1).end()))
    assert "E-002 (anchor)" in shown(app)
    table = app.dataframe[0].value.set_index("text")
    assert table.loc["E-002", "status"] == table.loc["E-003", "status"] == "anchor: rating known"
    assert list(table.loc[["E-001", "E-002", "E-003", "E-004"], "tie"]) == ["= with 1", "", "", "= with 1"]
    assert "◇ anchor" in shown(app)
    section(app, "Can you trust this?")
    assert "2 of 2 texts cannot be told from at least one other" in shown(app)
    part(app, "trust_part", "Texts")
    assert "E-002 (anchor)" in list(app.dataframe[0].value["text"])


def test_the_verdict_stands_before_the_sections(app: AppTest) -> None:
    run = example_run()
    opened(app, run)
    state = bench().state(run)
    page = shown(app)
    sentence = verdict(state, standings(state)).sentence
    assert page.index(sentence) < page.index("Ranking")


def test_the_demo_judge_is_called_one(app: AppTest) -> None:
    opened(app, example_run())
    assert "Offline demo judge, not an LLM." in shown(app)


def test_a_run_by_other_judges_bears_no_demo_banner(app: AppTest) -> None:
    opened(app, stored(played()))
    assert "Offline demo judge" not in shown(app)


@pytest.mark.parametrize("name", SECTIONS)
def test_each_section_opens(app: AppTest, name: str) -> None:
    section(opened(app, example_run(both_orders=True)), name)
    assert not app.error


@pytest.mark.parametrize("name", SECTIONS)
def test_each_section_opens_on_a_run_without_any_verdict(app: AppTest, name: str) -> None:
    stream = Stream(spec(2, rounds=1), planned=1).round(1, ("E-001", "E-002"))
    section(opened(app, stored(stream.match("E-001", "E-002", lost()).close(1).end())), name)
    assert "There is no ranking" in shown(app)


@pytest.mark.parametrize("part", COURSE)
def test_rounds_that_end_alike_draw_their_charts_all_the_same(app: AppTest, part: str) -> None:
    """S-017: nothing but ties; a chart that repeats another's content."""
    stream = Stream(spec(2, rounds=2), planned=2)
    for number in (1, 2):
        stream.round(number, ("E-001", "E-002")).match("E-001", "E-002", win(5, 5), round=number).close(number)
    app.session_state["course_part"] = part
    section(opened(app, stored(stream.end())), "How it went")
    assert len(app.get("plotly_chart")) + len(app.get("echarts_chart")) == 1


def test_the_ledger_adds_up_to_all_that_was_planned(app: AppTest) -> None:
    app.session_state["course_part"] = "Every judgment"
    section(opened(app, stored(failing())), "How it went")
    assert "2 judgments = ◀ 1 first text won + ✎ 1 unreadable" in shown(app)
    ledger = next(table.value for table in app.dataframe if "meaning" in table.value)
    assert len(ledger) == 10
    assert ledger["judgments"].iloc[:9].sum() == ledger["judgments"].iloc[9] == 2


def test_names_are_hidden_until_they_are_asked_for(app: AppTest) -> None:
    opened(app, stored(played()))
    assert "essay1" not in shown(app)
    app.toggle(key="show_names").set_value(True).run()
    assert "essay1" in shown(app)
    assert "essay1" in list(app.dataframe[0].value["name"])


def test_an_unrated_text_has_an_empty_rank_and_says_why(app: AppTest) -> None:
    table = opened(app, stored(failing())).dataframe[0].value.set_index("text")
    assert table.loc["E-003", "status"] == "unrated: all judgments failed"
    assert table.loc["E-003", ["rank", "rating", "low"]].isna().all()


def test_why_above_names_their_own_match_and_opens_it(app: AppTest) -> None:
    section(opened(app, stored(failing())), "Why is A above B?")
    assert "They met in 1 match" in shown(app)
    app.button(key="why_1").click().run()
    assert app.query_params["match"] == "1"


def test_texts_that_never_met_are_joined_by_the_shortest_chain(app: AppTest) -> None:
    stream = Stream(spec(3, rounds=2), planned=2).round(1, ("E-001", "E-002"), byes=("E-003",))
    stream.match("E-001", "E-002", win()).close(1).round(2, ("E-002", "E-003"), byes=("E-001",))
    section(opened(app, stored(stream.match("E-002", "E-003", win(), round=2).close(2).end())), "Why is A above B?")
    app.selectbox(key="why_below").select("E-003").run()
    assert "They never met. The shortest way from E-001 to E-003 leads over 2 matches:" in shown(app).replace("**", "")


def test_flips_are_counted_among_the_checks(app: AppTest) -> None:
    flipped = both_orders(
        {"Argument": (8, 4), "Style": (8, 4)}, {"Argument": (4, 8), "Style": (4, 8)}, a="E-001", b="E-002"
    )
    stream = Stream(spec(2, rounds=1, both_orders=True), planned=1).round(1, ("E-001", "E-002"))
    section(opened(app, stored(stream.match("E-001", "E-002", flipped).close(1).end())), "Can you trust this?")
    assert "1 of 1 judgment flipped with the order" in shown(app)


def test_what_the_order_check_showed_stands_among_the_checks(app: AppTest) -> None:
    stream = played(4, 3, order_check=True)
    section(opened(app, stored(stream)), "Can you trust this?")
    assert "Order check: none of 6 pairs has a verdict in both orders" in shown(app)
    assert "Each pair was asked in one order only" not in shown(app)
    of = Stream(spec(4, rounds=1, order_check=True), planned=2).round(1, ("E-001", "E-002"), ("E-003", "E-004"))
    same = both_orders({"Argument": (8, 4)}, {"Argument": (7, 4)}, spec().rubric.criteria[:1], a="E-001", b="E-002")
    of.match("E-001", "E-002", same).match("E-003", "E-004", win(first="E-003")).close(1).end()
    section(opened(app, stored(of)), "Can you trust this?")
    assert "Order check: 1 of 2 pairs was asked in both orders; in 1 the verdict was the same" in shown(app)


# matches


def test_the_filter_keeps_only_failed_matches(app: AppTest) -> None:
    section(opened(app, stored(failing())), "Matches")
    app.selectbox(key="match_only").set_value("failed").run()
    assert list(app.dataframe[0].value["place"]) == [2]


def test_a_match_can_be_chosen_by_name(app: AppTest) -> None:
    section(opened(app, stored(failing())), "Matches")
    app.selectbox(key="open_match_by_name").select_index(1).run()
    assert app.query_params["match"] == "2"


def test_the_address_of_a_match_opens_it_with_both_texts_and_all_behind_it(app: AppTest) -> None:
    run = example_run(both_orders=True)
    opened(app, run, match="3")
    view = bench().state(run).matches[3]
    pieces = "".join(element.value for element in app.text).replace("\u200b", "")
    whole = re.sub(r"(\[\d+\])+\u00a0", "", pieces)  # the numbers that mark quoted passages
    for alias in (view.a, view.b):
        assert bench().archive.text(bench().state(run).spec.text(alias).sha256).strip() in whole
    assert "Exact prompts and raw replies" in shown(app)
    prompts = [element.value for element in app.code]
    assert len(prompts) == 6, "two orders, each with two messages and a reply"


def test_reasons_stand_beside_the_order_that_the_judge_saw(app: AppTest) -> None:
    """I-014: 'text A' of a swapped order is the other text."""
    run = example_run(both_orders=True)
    opened(app, run, match="3")
    view, page = bench().state(run).matches[3], shown(app).replace("**", "")
    for one, other in ((view.a, view.b), (view.b, view.a)):
        assert f"The judge saw {one} as text A and {other} as text B." in page


def test_next_and_previous_turn_to_the_neighbours(app: AppTest) -> None:
    opened(app, stored(failing()), match="1")
    assert app.button(key="drawer_Previous match").disabled
    app.button(key="drawer_Next match").click().run()
    assert app.query_params["match"] == "2"
    assert "Match 2, round 1" in shown(app)


@pytest.mark.parametrize("place", ["99", "abc", "-1", ""])
def test_an_address_of_no_match_breaks_nothing(app: AppTest, place: str) -> None:
    opened(app, stored(failing()), match=place)
    assert ("There is no match 99" in shown(app)) == (place == "99")


def test_a_failed_judgment_says_what_went_wrong(app: AppTest) -> None:
    opened(app, stored(failing()), match="2")
    assert "No verdict" in shown(app)


def test_a_panels_agreement_stands_with_its_number_of_matches(app: AppTest) -> None:
    """Two equal demo judges decide all 66 matches alike: alpha is 1. Below 20 matches nothing is stated."""
    demo = judge_spec("offline")
    judges = (demo, demo.model_copy(update={"name": "offline again", "max_tokens": 2048}))
    many = example_run(judges=judges, rounds=11)
    section(opened(app, many), "Can you trust this?")
    assert "The judges agree to alpha = 1.00 on 66 matches" in shown(app)
    few = example_run(judges=judges, rounds=1)
    section(opened(app, few), "Can you trust this?")
    assert "Too few matches to say how far the judges agree" in shown(app)


def test_copies_of_one_judge_are_no_further_opinion(app: AppTest) -> None:
    """They have their own rows, but no agreement, and each decision counts once in the share of longer texts."""
    demo = judge_spec("offline")
    one, two = example_run(judges=(demo,), rounds=11), example_run(judges=(demo, demo), rounds=11)
    section(opened(app, one), "Can you trust this?")
    longer = re.search(r"In \d+ of \d+ decisions the longer text won", shown(app))
    assert longer
    section(opened(app, two), "Can you trust this?")
    page = shown(app)
    assert "The panel holds one judge more than once" in page and "alpha" not in page and longer[0] in page
    assert "One judge only" in page
    assert list(frames(app, "judge", "calls")[0]["judge"]) == ["offline (1)", "offline (2)"]
    assert "Judges: offline (1), offline (2)" in page
