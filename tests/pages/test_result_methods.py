"""Runs of every method on the result page: what it says of them, what it offers, and lists and scores opened."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.intake import read_paste
from judge_core.interfaces.bench.changes import add_texts, extend_run, withdraw_texts
from judge_core.interfaces.dashboard.result.sections.course.section import live_parts, parts_of
from judge_core.interfaces.dashboard.result.sections.trust.check import CAREFUL, FINE
from judge_core.interfaces.dashboard.result.sections.trust.checks import (
    FIRST_OF_LIST,
    FIRST_OF_PAIR,
    Favoured,
    favour,
)
from judge_core.providers.registry import judge_spec
from judge_core.ranking.bradley_terry import Effect
from judge_core.records.event import RoundPaired
from judge_core.records.item_verdict import ListVerdict
from judge_core.records.spec import Goal
from judge_core.views.knockout import bracket_places
from judge_core.views.state import fold
from tests.pages.stored_runs import (
    METHODS,
    SECTIONS,
    TRUST,
    bench,
    example_run,
    frames,
    opened,
    part,
    section,
    shown,
    stored,
)
from tests.views.streams import Stream, alias, spec, win

WORDS = {
    "swiss": "Swiss tournament, 3 rounds, each pair in one order",
    "round-robin": "round robin: everyone meets everyone, each pair in one order",
    "knockout": "knock-out with a match for third place, each pair in one order",
    "adaptive": "adaptive pairs, up to 4 rounds, each pair in one order",
    "listwise": "lists of 4, 3 rounds, 10% of them again in reverse",
    "pointwise": "each text scored by itself",
    "scores first": "scores first, Swiss tournament, 3 rounds, each pair in one order",
}
PAIRS = ["Elo, match by match", "Who beat whom", "Every judgment"]
PARTS = {
    "swiss": ["Swiss bracket", *PAIRS],
    "round-robin": ["Round by round", *PAIRS],
    "knockout": ["Knock-out bracket", *PAIRS],
    "adaptive": ["Round by round", *PAIRS],
    "listwise": ["Lists", "Elo, list by list", "Who beat whom", "Every judgment"],
    "pointwise": ["Scores", "Every judgment"],
    "scores first": ["Swiss bracket", "Scores", *PAIRS],
}
JUDGED = {"listwise": "Lists", "pointwise": "Scores"}


@pytest.mark.parametrize("method", METHODS)
def test_a_run_of_each_method_says_what_it_was_and_opens_everywhere(app: AppTest, method: str) -> None:
    opened(app, example_run(**METHODS[method]))
    assert WORDS[method] in shown(app)
    assert JUDGED.get(method, "Matches") in [tab.label for tab in app.tabs]
    for name in SECTIONS:
        section(app, JUDGED.get(method, name) if name == "Matches" else name)
        assert not app.error, name


@pytest.mark.parametrize("method", METHODS)
def test_the_course_offers_what_the_run_has_and_each_part_opens(app: AppTest, method: str) -> None:
    section(opened(app, example_run(**METHODS[method])), "How it went")
    offered = next(radio for radio in app.radio if radio.key == "course_part").options
    assert offered == PARTS[method]
    for name in offered:
        part(app, "course_part", name)
        assert len(app.get("plotly_chart")) + len(app.get("echarts_chart")) == 1, name


@pytest.mark.parametrize("method", METHODS)
def test_each_part_of_trust_opens(app: AppTest, method: str) -> None:
    section(opened(app, example_run(**METHODS[method])), "Can you trust this?")
    for name in TRUST:
        part(app, "trust_part", name)
        assert not app.error, name


def test_a_part_that_another_run_had_does_not_break_this_one(app: AppTest) -> None:
    app.session_state["course_part"] = "Knock-out bracket"
    section(opened(app, example_run(**METHODS["pointwise"])), "How it went")
    assert len(app.get("plotly_chart")) == 1


# what a run was, and what it became


def test_the_head_names_the_size_that_lists_really_have(app: AppTest) -> None:
    """Of twelve texts in lists of up to eight there are two lists of six."""
    opened(app, example_run(**{**METHODS["listwise"], "group_size": 8}))
    assert "lists of 6, 3 rounds" in shown(app)


def test_scores_that_went_on_to_pairs_are_not_said_to_stand_alone(app: AppTest) -> None:
    run = example_run(**METHODS["pointwise"])
    opened(app, run)
    assert "The ratings rest on scores alone" in shown(app)
    extend_run(bench(), run, 2)
    bench().wait(run, 30)
    opened(app, run)
    page, state = shown(app), bench().state(run)
    assert "rest on scores alone" not in page and "The run went on from scores to pairs" in page
    assert "each text scored by itself, then pairs" in page and f"went on to round {len(state.rounds)}" in page
    assert "Matches" in [tab.label for tab in app.tabs]
    section(app, "Matches")
    assert f"{state.judged} scores and matches" in shown(app)


def test_a_knockout_says_that_its_ranks_are_not_the_places_of_the_bracket(app: AppTest) -> None:
    run = example_run(**METHODS["knockout"])
    opened(app, run)
    assert "**Place in bracket** (winner, finalist, third) by the knock-out matches alone" in shown(app)
    table = app.dataframe[0].value.set_index("text")
    assert dict(table["bracket"]) == bracket_places(bench().state(run))


def test_scores_by_one_judge_speak_of_no_panel_and_no_meetings(app: AppTest) -> None:
    run = example_run(**METHODS["pointwise"])
    section(opened(app, run), "Ranking")
    assert "record" not in app.dataframe[0].value.columns
    part(section(app, "Can you trust this?"), "trust_part", "Texts")
    assert "comparisons" not in app.dataframe[0].value.columns
    part(section(app, "How it went"), "course_part", "Scores")
    assert "The square is the judge's score." in shown(app) and "panel" not in shown(app)


def test_rounds_are_numbered_alike_in_the_head_and_below_it(app: AppTest) -> None:
    """Rounds for late texts are rounds as well."""
    run = example_run(rounds=2)
    extend_run(bench(), run, 1)
    bench().wait(run, 30)
    add_texts(bench(), run, read_paste("A text that came late, in a few words.").artifacts)
    bench().wait(run, 30)
    rounds = len(bench().state(run).rounds)
    assert rounds > 3
    opened(app, run)
    assert f"went on to round {rounds} ({rounds - 3} of them for late texts)" in shown(app)


@pytest.mark.parametrize(
    ("method", "words"),
    [("pointwise", "12 scores"), ("listwise", "10 ranked lists"), ("scores first", "18 comparisons and 12 scores")],
)
def test_the_first_check_counts_what_the_verdict_counts(app: AppTest, method: str, words: str) -> None:
    section(opened(app, example_run(**METHODS[method])), "Can you trust this?")
    page = shown(app)
    assert f"on these {words}" in page and f"interval, on {words}. " in page


# lists and scores, opened


def test_a_list_opens_with_its_texts_as_shown_and_each_judges_places(app: AppTest) -> None:
    demo = judge_spec("offline")
    run = example_run(**METHODS["listwise"], judges=(demo, demo.model_copy(update={"name": "offline again"})))
    opened(app, run, match="2")
    view = bench().state(run).listings[2]
    [places] = frames(app, "shown", "before")
    assert list(places["text"]) == list(view.texts)
    for judgment in view.judgments:
        assert isinstance(judgment.verdict, ListVerdict)
        by_place = places.set_index(f"judge_{judgment.judge}")["text"]
        assert [by_place[n] for n in range(1, 5)] == [view.texts[n - 1] for n in judgment.verdict.ranking]
    whole = re.sub(r"(\[\d+\])+\u00a0", "", "".join(element.value for element in app.text)).replace("\u200b", "")
    for name in view.texts:
        assert bench().archive.text(bench().state(run).spec.text(name).sha256).strip() in whole
    assert len(app.code) == 6, "for each judge two messages and a raw reply"


def test_a_score_opens_with_its_text_and_all_behind_it(app: AppTest) -> None:
    run = example_run(**METHODS["pointwise"])
    opened(app, run, match="5")
    view = bench().state(run).listings[5]
    [total] = [100 * judgment.verdict.total for judgment in view.judgments]  # type: ignore[union-attr]
    assert f"{view.texts[0]}: {total:.1f} of 100 points" in shown(app)
    [scores] = frames(app, "criterion", "score")
    assert dict(zip(scores["criterion"], scores["score"], strict=True)) == dict(view.scores())
    assert len(app.code) == 3


def test_neighbours_lead_from_scores_to_matches(app: AppTest) -> None:
    run = example_run(**METHODS["scores first"])
    opened(app, run, match="12")
    app.button(key="drawer_Next judgment").click().run()
    assert app.query_params["match"] == "13"
    assert "Match 13, round 2" in shown(app)


def test_a_failed_list_says_so_and_counts_for_nothing(app: AppTest) -> None:
    names = [alias(n) for n in range(1, 5)]
    stream = Stream(spec(4, method="listwise", rounds=1, group_size=4), planned=2)
    stream.add(RoundPaired(round=1, pairs=(), band=(1, 4), groups=(tuple(names), tuple(names[::-1]))))
    stream.group(names, names).group(names[::-1], None)
    opened(app, stored(stream.close(1).end()), match="2")
    page = shown(app)
    assert "No verdict" in page and "no verdict, no answer" in page
    assert "2 judgments = " not in page and "1 of 2 judgments failed or could not be read" in page


def test_a_run_of_lists_names_what_it_has_in_its_table(app: AppTest) -> None:
    run = example_run(**METHODS["listwise"])
    section(opened(app, run), "Lists")
    [table] = frames(app, "place", "kind", "outcome")
    assert set(table["kind"]) == {"List"}
    view = bench().state(run).listings[1]
    best = [view.texts[n - 1] for n in view.judgments[0].verdict.ranking]  # type: ignore[union-attr]
    assert table.set_index("place").loc[1, "outcome"] == " > ".join(best)


# goals, late and withdrawn texts


def test_a_goal_that_is_reached_stands_at_the_top_with_a_chance_for_each_text(app: AppTest) -> None:
    run = example_run(**METHODS["adaptive"])
    state = bench().state(run)
    assert state.reached is not None
    opened(app, run)
    assert "Settled: the top 3" in shown(app)
    [table] = frames(app, "top", "rating")
    assert table["top"].sum() == pytest.approx(300, abs=0.1), "three texts are in the top three"
    assert table["top"].iloc[0] > table["top"].iloc[-1]


def test_a_goal_that_is_not_reached_is_said_not_to_be(app: AppTest) -> None:
    run = example_run(rounds=1, goal=Goal(kind="cut", ranks=(3, 6), probability=0.99))
    opened(app, run)
    assert "Not settled: the lines after ranks 3 and 6" in shown(app)
    [table] = frames(app, "band", "band_chance")
    assert set(table["band"]) <= {"band 1", "band 2", "band 3"}


def test_late_and_withdrawn_texts_are_marked(app: AppTest) -> None:
    run = example_run(rounds=3)
    [late] = add_texts(bench(), run, read_paste("A late essay that says but little.", "Late").artifacts)
    bench().wait(run, 30)
    withdraw_texts(bench(), run, ["E-001"])
    bench().wait(run, 30)
    table = opened(app, run).dataframe[0].value.set_index("text")
    assert table.loc[late.alias, "status"] == "rated, came late"
    assert table.loc["E-001", "status"] == "withdrawn"
    assert table.loc["E-001", ["rank", "rating"]].isna().all()
    assert "12 texts (1 came late, 1 withdrawn)" in shown(app)
    for name in SECTIONS:
        section(app, name)
        assert not app.error, name


def test_two_texts_that_were_compared_further_are_a_ranking(app: AppTest) -> None:
    stream = Stream(spec(2, rounds=1), planned=1).round(1, ("E-001", "E-002")).match("E-001", "E-002", win()).close(1)
    stream.round(2, ("E-001", "E-002")).match("E-001", "E-002", win(), round=2).close(2)
    opened(app, stored(stream.end()))
    assert "Ranking" in [tab.label for tab in app.tabs]


def test_reliability_is_said_beside_its_coin(app: AppTest) -> None:
    run = example_run(rounds=5)
    part(section(opened(app, run), "Can you trust this?"), "trust_part", "Reliability")
    assert re.search(r"Reliability \d\.\d\d; a coin on the same schedule would show \d\.\d\d\.", shown(app))
    [table] = frames(app, "reliability", "coin mean")
    assert list(table["round"]) == [1, 2, 3, 4, 5]


def test_one_score_a_text_is_not_said_to_be_chance_or_more(app: AppTest) -> None:
    part(section(opened(app, example_run(**METHODS["pointwise"])), "Can you trust this?"), "trust_part", "Reliability")
    assert "one score a text cannot tell an opinion from chance" in shown(app)
    assert "a coin on the same schedule" not in shown(app)


def test_judges_are_shown_one_by_one_and_beside_one_another(app: AppTest) -> None:
    demo = judge_spec("offline")
    run = example_run(judges=(demo, demo.model_copy(update={"name": "offline again"})), rounds=11)
    part(section(opened(app, run), "Can you trust this?"), "trust_part", "Judges")
    [judges] = frames(app, "judge", "decisions")
    assert list(judges["judge"]) == ["offline", "offline again"] and set(judges["decisions"]) == {66}
    [pairs] = frames(app, "other judge", "share")
    assert pairs.loc[0, "share"] == 100
    assert len(frames(app, "without", "tau")) == 1
    [ranks] = frames(app, "text", "without 0", "without 1")
    assert len(set(ranks["text"])) == 12
    assert list(ranks["rank"]) == list(ranks["without 0"]) == list(ranks["without 1"])


def test_judges_whose_long_names_begin_alike_are_left_out_one_by_one(app: AppTest) -> None:
    demo = judge_spec("offline")
    long = [demo.model_copy(update={"name": f"offline {'judge ' * 12}{number}"}) for number in (1, 2)]
    run = example_run(judges=tuple(long), rounds=3)
    part(section(opened(app, run), "Can you trust this?"), "trust_part", "Judges")
    [ranks] = frames(app, "text", "without 0", "without 1")
    assert len(ranks) == 12 and not app.exception


@pytest.mark.parametrize("words", [FIRST_OF_PAIR, FIRST_OF_LIST])
def test_a_favour_for_a_place_is_named_on_its_side_and_only_where_it_is_certain(words: Favoured) -> None:
    first, second, none = (favour(Effect(logits, 0.1), words) for logits in (1.0, -1.0, 0.1))
    assert (first.sign, second.sign, none.sign) == (CAREFUL, CAREFUL, FINE)
    assert words.above in first.head and words.below in second.head and words.nobody in none.head
    assert "+174 points (95 % interval +140 to +208)" in first.words and first.words.startswith(words.worth)


LIVE = {
    "swiss": ["Swiss bracket", "Elo"],
    "round-robin": ["Round by round", "Elo"],
    "knockout": ["Knock-out bracket", "Elo"],
    "listwise": ["Lists", "Elo"],
    "pointwise": ["Scores"],
}


@pytest.mark.parametrize("method", LIVE)
def test_a_run_under_way_shows_what_its_course_will_keep(method: str) -> None:
    state = fold(spec(4, method=method), [])
    assert list(live_parts(state)) == LIVE[method]
    assert [name for name in parts_of(state) if name in LIVE[method]] == [n for n in LIVE[method] if n != "Elo"]


def test_scores_before_pairs_are_kept_and_not_shown_under_way() -> None:
    stream = Stream(spec(4, warm_start=True))
    stream.add(RoundPaired(round=1, pairs=(), band=(1, 4), singles=tuple(map(alias, (1, 2, 3, 4)))))
    state = fold(stream.spec, stream.events)
    assert list(live_parts(state)) == ["Swiss bracket", "Elo"] and "Scores" in parts_of(state)
