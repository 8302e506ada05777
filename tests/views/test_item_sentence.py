"""The sentence on a run of items, and its remarks."""

from __future__ import annotations

import pytest

from judge_core.records.spec import ItemMode
from judge_core.views.items.sentence import item_verdict
from tests.views.item_streams import (
    MODES,
    ItemStream,
    acted,
    answered,
    asked,
    golden,
    item,
    item_spec,
    judged,
    listed,
    panel,
    part,
    point,
    silent,
)
from tests.views.streams import judge

SAID: dict[ItemMode, str] = {
    "review": (
        "2 of 3 texts have a score; the mean is 3.03 on a scale of 1 to 5. Highest: I-001 (3.60); lowest: I-002 (2.47)."
    ),
    "gate": (
        "1 of 4 texts passes the bar of 3.5. 3 do not: I-002 (below the bar: 2.33), "
        "I-003 (passed only under a condition, which is no pass) and I-004 (a judge's verdict is missing)."
    ),
    "listwise": "2 of 2 lists are ranked. The judges' agreement (Kendall's W) is 0.75 over 1 list.",
    "rag": (
        "3 of 3 answers are judged; the mean faithfulness is 0.58 over 2 answers. "
        "Of 5 claims, 3 supported, 1 contradicted, 1 not found."
    ),
    "agent": "1 of 2 judged runs reached the goal, 1 not. 1 step did harm.",
}


@pytest.mark.parametrize("mode", MODES)
def test_the_golden_runs_in_words(mode: ItemMode) -> None:
    assert item_verdict(golden(mode).state).sentence == SAID[mode]


@pytest.mark.parametrize("mode", MODES)
def test_a_run_under_way_says_so_far(mode: ItemMode) -> None:
    stream = golden(mode)
    stream.events.pop()
    assert item_verdict(stream.state).sentence == f"So far, {SAID[mode]}"


@pytest.mark.parametrize("mode", MODES)
def test_without_a_verdict_nothing_is_claimed(mode: ItemMode) -> None:
    begun = ItemStream(item_spec(mode, 1))
    assert "has been judged yet" in item_verdict(begun.state).sentence
    assert "There is no verdict: no " in item_verdict(begun.end("cancelled").state).sentence
    lost = ItemStream(item_spec(mode, 1)).item(1, silent()).end()
    assert item_verdict(lost.state).sentence == (
        "There is no verdict: 1 judgment failed or could not be read, and none succeeded."
    )


def test_an_interval_is_named_from_three_items_on() -> None:
    stream = ItemStream(item_spec("review", 3))
    for number in (1, 2, 3):
        stream.item(number, judged(point(5, 4 + number)))
    assert "the mean is 3.20 (95 % interval 2.70 to 3.70) on a scale" in item_verdict(stream.end().state).sentence


def test_only_the_first_failures_are_named_and_unasked_items_are_counted_apart() -> None:
    stream = ItemStream(item_spec("gate", 8))
    for number in range(1, 7):
        stream.item(number, judged(point(1, 1, stated="fail")))
    said = item_verdict(stream.end("budget").state).sentence
    assert said.startswith("0 of 8 texts pass the bar of 3.5. 6 do not: I-001 (below the bar: 1.40), ")
    assert said.endswith("I-004 (below the bar: 1.40) and 2 more. 2 were not judged.")


def test_a_score_just_below_the_bar_is_not_rounded_up_to_it() -> None:
    stream = ItemStream(item_spec("gate", 1)).item(1, judged(point(total=0.6249)))
    assert "I-001 (below the bar: 3.4996)" in item_verdict(stream.end().state).sentence


def test_one_list_names_who_comes_first() -> None:
    one = ItemStream(item_spec("listwise", 1))
    assert item_verdict(one.item(1, judged(listed(2, 1, 3))).end().state).sentence == "Candidate 2 comes first of 3."
    tied = ItemStream(item_spec("listwise", 1)).item(1, judged(listed(1.5, 1.5, 3)))
    assert item_verdict(tied.state).sentence == "So far, candidates 1 and 2 come first of 3 together."


def test_answers_without_claims_have_no_faithfulness() -> None:
    state = ItemStream(item_spec("rag", 1)).item(1, judged(answered({}))).end().state
    assert item_verdict(state).sentence == "1 of 1 answer is judged, and none makes a claim that could be measured."


def test_labels_replace_aliases_only_where_they_are_given() -> None:
    state = golden("review").state
    assert "text1" not in item_verdict(state).text and "Text 1" not in item_verdict(state).text
    assert "Highest: Ann (3.60)" in item_verdict(state, {"I-001": "Ann"}).sentence


def test_what_was_lost_is_said_by_kind() -> None:
    stream = ItemStream(item_spec("review", 3)).item(1, silent()).item(2, silent(0, "unparseable"))
    remarks = item_verdict(stream.item(3, judged(point(5, 5))).end().state).remarks
    assert remarks == (
        "1 of 3 judgments could not be read; they count for nothing.",
        "1 of 3 judgments failed; they count for nothing.",
    )


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("budget", "The run stopped at its cap: 2 of 3 judgments were not made."),
        ("cancelled", "The run was cancelled: 2 of 3 judgments were not made."),
        ("failed", "The run failed: 2 of 3 judgments are still to be made."),
        ("paused", "The run is paused: 2 of 3 judgments are still to be made."),
    ],
)
def test_how_the_run_ended_is_said(status: str, said: str) -> None:
    stream = ItemStream(item_spec("review", 3)).item(1, judged(point(5, 5))).end(status)
    assert item_verdict(stream.state).remarks == (said,)


def test_the_demo_judge_and_a_substitute_are_named() -> None:
    demo = judge("offline", provider="offline")
    alone = ItemStream(item_spec("review", 1, judges=(demo,))).item(1, judged(point(5, 5)))
    assert item_verdict(alone.state).remarks[0].startswith("Offline demo judge, not an LLM: ")
    mixed = ItemStream(item_spec("review", 1, judges=(demo, judge())))
    turn = asked(answered_by="openai:spare")
    mixed.item(1, judged(point(5, 5)), judged(point(5, 5), 1, turns=(turn,)))
    assert item_verdict(mixed.state).remarks == (
        "1 of the 2 judges is an offline demo judge, not an LLM.",
        "1 judgment came from another judge in place of the chosen one, which could not answer.",
    )


def test_agents_are_held_against_the_outside_check() -> None:
    """A goal that the panel disputes agrees with no check."""
    runs = [item(n, [part("step")], success=n < 3) for n in (1, 2, 3, 4)]
    stream = ItemStream(item_spec("agent", runs, judges=panel(1, 1)))
    stream.item(1, judged(acted("achieved", "useful")), judged(acted("achieved", "useful"), 1))
    stream.item(2, judged(acted("partly", "useful")), judged(acted("partly", "useful"), 1))
    stream.item(3, judged(acted("not_achieved", "useful")), judged(acted("not_achieved", "useful"), 1))
    stream.item(4, judged(acted("achieved", "useful")), judged(acted("partly", "useful"), 1))
    assert item_verdict(stream.end().state).remarks == ("The judges agree with the outside check on 2 of 4 runs.",)
