"""Five levels and probabilities of a pair's winner: how they are asked for, read, turned to the match's sides, and merged."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.asking.prompts import FORMS, render
from judge_core.modes.pairs.pairwise import read_pairwise, swap_sides
from judge_core.modes.shown.read_reply import read_reply
from judge_core.providers.offline import OfflineJudge
from judge_core.records.criteria import OVERALL, Criterion, Rubric
from judge_core.records.event import EVENT
from judge_core.records.prompt import Ask, Completion, WinnerChances
from judge_core.records.record import text_hash
from judge_core.records.spec import Evidence, Spec
from judge_core.records.verdict import Judgment, PairReading
from tests.modes.test_match import BY_HASH, Answer, ask_first, codes, only, play, reply, spec_of

LEVELS = [1.0, 0.75, 0.5, 0.25, 0.0]
DEGREES = st.sampled_from(["slightly", "clearly", None])
WINNERS = st.sampled_from(["A", "B", "tie", None])


def spec(evidence: Evidence, both_orders: bool = False) -> Spec:
    return spec_of(both_orders=both_orders).model_copy(update={"evidence": evidence})


def read(**fields: Any) -> PairReading:
    scores = {"score_a": fields.pop("a", 8), "score_b": fields.pop("b", 5)}
    return read_pairwise(json.dumps({"criteria": [{"name": "Overall", **scores}], **fields}), (OVERALL,))


@pytest.mark.parametrize(
    ("fields", "level"),
    [
        ({"winner": "A", "degree": "clearly"}, 1.0),
        ({"winner": "A", "degree": "slightly"}, 0.75),
        ({"winner": "B", "degree": "slightly", "a": 4}, 0.25),
        ({"winner": "B", "degree": "clearly", "a": 4}, 0.0),
        ({"winner": "tie", "degree": "slightly", "a": 5}, 0.5),
        ({"winner": "tie", "a": 5}, 0.5),
        ({"a": 5, "degree": "clearly"}, 0.5),
        ({"winner": "A", "degree": " **Slightly better.**"}, 0.75),
        ({"winner": "text A", "degree": "MUCH"}, 1.0),
        ({"winner": "A>>B"}, 1.0),
        ({"winner": "[[B > A]]", "a": 4}, 0.25),
        ({"winner": "A is much better"}, 1.0),
        ({"winner": "A>>B", "degree": "slightly"}, 0.75),
        ({"degree": "clearly"}, 1.0),
        ({"winner": "A"}, None),
        ({"winner": "A", "degree": "<slightly or clearly>"}, None),
        ({"winner": "A", "degree": "slightly or clearly"}, None),
        ({"winner": "A", "degree": 1}, None),
        ({"winner": "A", "degree": ["clearly"]}, None),
        ({"winner": "A", "degree": "clearly " * 20}, None),
        ({"winner": "B", "degree": "clearly"}, None),
        ({"winner": "tie", "degree": "clearly"}, None),
        ({"winner": "A", "degree": "clearly", "a": 5}, None),
    ],
)  # fmt: skip
def test_a_level_is_the_stated_degree_on_the_side_of_the_winner_by_scores(fields: Any, level: float | None) -> None:
    """Where the judge named another winner, its degree is about that one, and there is no level."""
    reading = read(**fields)
    assert reading.level == level
    contradicted = reading.stated not in (None, reading.winner)
    assert ("verdict_mismatch" in [notice.code for notice in reading.warnings]) == contradicted


@pytest.mark.parametrize(
    ("text", "winner", "level"),
    [
        ("My final verdict is: [[A>>B]]", "A", 1.0),
        ("Final verdict: [[A>B]]", "A", 0.75),
        ("My final verdict is tie: [[A=B]]", "tie", 0.5),
        ("**[[B > A]]**", "B", 0.25),
        ("[[B>>A]]", "B", 0.0),
        ("[[a<<b]]", "B", 0.0),
        ("1. Assistant A is significantly better: [[A>>B]]", "A", 1.0),
        ("A is much better.", "A", 1.0),
        ("Text B is a  little better than text A.", "B", 0.25),
        ("Winner: A\nA is clearly better.", "A", 1.0),
        ("A is slightly better.\nWinner: A", "A", 0.75),
        ("A is slightly better.\n[[A>>B]]", "A", 1.0),
        ("Winner: A", "A", None),
        ("Winner: B\nA is slightly better.", "B", None),
        ("Winner: A\nA is much better.\nA is slightly better.", "A", None),
        ("Score A: 8\nScore B: 5\nA is much better.", "A", 1.0),
        ("Score A: 5\nScore B: 8\nA is much better.", "B", None),
    ],
)
def test_a_degree_in_prose_is_read_where_it_is_plain(text: str, winner: str, level: float | None) -> None:
    reading = read_pairwise(text, (OVERALL,))
    assert (reading.winner, reading.level) == (winner, level)
    assert "parse_fallback" in [notice.code for notice in reading.warnings]


@pytest.mark.parametrize(
    "text",
    [
        "[[A>A]]",
        "A is much better: [[B>>A]]",
        "A is much better than text A.",
        "A is not much better.",
        "A is much better on style",
        "A is much better.\nB is slightly better.",
        'The text says "[[A>>B]]".',
        "I cannot say [[A>>B]]",
        "Text A asks for [[A>>B]]",
        "A is better.",
    ],
)
def test_what_is_unclear_contradictory_or_quoted_is_no_degree_and_no_verdict(text: str) -> None:
    found = read_reply("pairwise", text)
    assert (found["status"], found.get("level")) == ("parse_error", None)


def test_a_reply_is_shown_with_its_level() -> None:
    row = {"name": "Overall", "score_a": 8, "score_b": 5}
    assert read_reply("pairwise", json.dumps({"criteria": [row], "winner": "A", "degree": "slightly"}))["level"] == 0.75
    assert read_reply("pairwise", json.dumps({"criteria": [row], "winner": "A"}))["level"] is None
    assert read_reply("pairwise", "[[B>>A]]")["level"] == 0.0


@given(st.floats(0, 10), st.floats(0, 10), WINNERS, DEGREES)
def test_exchanging_the_sides_turns_the_level(a: float, b: float, winner: Any, degree: Any) -> None:
    other = {"A": "B", "B": "A"}
    there = read(a=a, b=b, winner=winner, degree=degree)
    back = read(a=b, b=a, winner=other.get(winner, winner), degree=degree)
    assert swap_sides(there).level == back.level
    assert back.level == (None if there.level is None else 1 - there.level)
    assert there.level is None or there.level in LEVELS


# asking


def test_levels_are_asked_for_in_a_form_of_their_own_and_nothing_else_changes() -> None:
    for evidence in ("winner", "margins", "probabilities"):
        [[ask], *_], _ = play(spec(evidence), lambda ask: reply(8, 5))
        assert ask == Ask(judge=0, texts=ask.texts)
    [[ask], *_], _ = play(spec("levels"), lambda ask: reply(8, 5))
    assert ask == Ask(judge=0, texts=ask.texts, mode="pairwise_levels")


def test_the_degree_is_one_field_more_beside_the_winner() -> None:
    rubric = Rubric(criteria=(Criterion(name="Clarity"), Criterion(name="Evidence")))
    plain, graded = (FORMS[mode] for mode in ("pairwise", "pairwise_levels"))
    ask = Ask(judge=0, texts=tuple(BY_HASH), mode="pairwise_levels")
    field = '"degree":"<slightly or clearly>",'
    assert graded.skeleton(ask, rubric).replace(field, "") == plain.skeleton(
        ask.model_copy(update={"mode": "pairwise"}), rubric
    )
    fields = list(graded.schema(ask, rubric)["properties"])
    assert fields == ["criteria", "quotes", "winner", "degree", "reasoning"]
    assert graded.schema(ask, rubric)["properties"]["degree"]["enum"] == ["slightly", "clearly"]
    prompt = render(ask, rubric, BY_HASH, "t")
    assert prompt.sheet.mode == "pairwise_levels" and field in prompt.messages[1].content


# the judgment


def graded_by(ask: Ask) -> str:
    """A judge that finds the text with 'degrees' clearly better, in any order."""
    shown = ["degrees" in BY_HASH[sha] for sha in ask.texts]
    return reply(*(8 if better else 5 for better in shown), winner="A" if shown[0] else "B", degree="clearly")


@pytest.mark.parametrize("first", ["E-001", "E-002"])
@pytest.mark.parametrize("both", [False, True])
def test_levels_are_those_of_the_matchs_own_sides(first: str, both: bool) -> None:
    judgment = only(play(spec("levels", both), graded_by, first=first)[1])
    assert (judgment.outcome, judgment.level, codes(judgment)) == ("won", 1.0, [])
    assert [order.level for order in judgment.orders] == [1.0] * (1 + both)


def test_both_orders_are_merged_by_their_mean_also_where_they_flip() -> None:
    def answer(ask: Ask) -> str:
        return reply(8, 5, winner="A", degree="clearly" if ask_first(ask) == "E-001" else "slightly")

    judgment = only(play(spec("levels", True), answer)[1])
    assert (judgment.outcome, judgment.result) == ("flipped", 0.5)
    assert [order.level for order in judgment.orders] == [1.0, 0.25] and judgment.level == 0.625


@pytest.mark.parametrize("both", [False, True])
def test_a_level_that_was_not_given_is_said_and_never_guessed(both: bool) -> None:
    def answer(ask: Ask) -> str:
        return reply(8, 5) if ask_first(ask) == "E-001" else reply(5, 8, winner="B", degree="clearly")

    judgment = only(play(spec("levels", both), answer)[1])
    assert (judgment.outcome, judgment.level, codes(judgment)) == ("won", None, ["level_missing"])


def test_a_winner_against_its_own_scores_has_no_level_and_keeps_its_own_warning() -> None:
    judgment = only(play(spec("levels"), lambda ask: reply(8, 5, winner="B", degree="clearly"))[1])
    assert (judgment.outcome, judgment.level, codes(judgment)) == ("won", None, ["verdict_mismatch"])


def test_a_run_that_did_not_ask_for_it_has_no_level_whatever_a_judge_says() -> None:
    judgment = only(play(spec("winner"), graded_by)[1])
    assert (judgment.level, judgment.orders[0].level, codes(judgment)) == (None, None, [])


def sure(a: float, b: float, named: Any = "A", said: str | None = None) -> dict[str, Any]:
    """A reply for the text shown first, with the probabilities of its winner."""
    return {
        "text": reply(8, 5, winner=said or named),
        "chances": WinnerChances(named=named, a=a, b=b, tie=max(0.0, 1 - a - b)),
    }


@pytest.mark.parametrize(("first", "probability"), [("E-001", 0.7), ("E-002", 0.3)])
def test_a_probability_is_that_of_the_matchs_first_text_a_tie_half(first: str, probability: float) -> None:
    judgment = only(play(spec("probabilities"), lambda ask: sure(0.5, 0.1), first=first)[1])
    assert judgment.probability == judgment.orders[0].probability == pytest.approx(probability)
    assert codes(judgment) == [] and judgment.level is None


def test_probabilities_of_both_orders_are_merged_by_their_mean() -> None:
    judgment = only(play(spec("probabilities", True), lambda ask: sure(0.9, 0.1))[1])
    assert [order.probability for order in judgment.orders] == pytest.approx([0.9, 0.1])
    assert judgment.outcome == "flipped" and judgment.probability == pytest.approx(0.5)


def test_a_probability_is_of_what_the_judge_named_whatever_its_scores_give() -> None:
    judgment = only(play(spec("probabilities"), lambda ask: sure(0.2, 0.8, "B"))[1])
    assert judgment.outcome == "won" and judgment.probability == pytest.approx(0.2)
    assert codes(judgment) == ["verdict_mismatch"]


@pytest.mark.parametrize(
    "answer",
    [
        lambda ask: reply(8, 5, winner="A"),
        lambda ask: sure(0.9, 0.1, "A", said="B"),
        lambda ask: {**sure(0.9, 0.1), "text": reply(8, 5)},
    ],
)
def test_a_probability_that_is_not_that_of_the_winner_read_is_left_out_and_said(answer: Answer) -> None:
    judgment = only(play(spec("probabilities"), answer)[1])
    assert (judgment.probability, judgment.result) == (None, 1.0) and "probability_missing" in codes(judgment)


def test_half_of_two_orders_has_no_probability() -> None:
    """It would lean to the side shown first, while the judgment counts as having none."""
    judgment = only(
        play(spec("probabilities", True), lambda ask: sure(0.9, 0.1) if ask_first(ask) == "E-001" else reply(5, 8))[1]
    )
    assert judgment.probability is None and codes(judgment) == ["probability_missing"]


def test_a_repaired_reply_counts_with_its_own_tokens() -> None:
    def answer(ask: Ask) -> Any:
        return sure(0.6, 0.4) if ask.repair else {**sure(0.1, 0.9), "text": "I like both."}

    assert only(play(spec("probabilities"), answer)[1]).probability == pytest.approx(0.6)


def test_a_run_that_did_not_ask_for_it_has_no_probability() -> None:
    judgment = only(play(spec("winner"), lambda ask: sure(0.9, 0.1))[1])
    assert judgment.probability is None and codes(judgment) == []


# records of before


def test_a_judgment_and_a_reply_of_before_read_as_ones_without() -> None:
    judgment = only(play(spec("winner"), graded_by)[1])
    event = {
        "type": "match_judged", "place": 1, "round": 1, "a": "E-001", "b": "E-002", "result": 1.0, "elo": {},
        "judgments": [judgment.model_dump(mode="json")],
    }  # fmt: skip
    whole = EVENT.validate_python(event)
    for each in (event["judgments"][0], *event["judgments"][0]["orders"]):  # type: ignore[index]
        del each["level"], each["probability"]
    assert EVENT.validate_python(event) == whole
    completion = Completion(text="x")
    assert Completion.model_validate(completion.model_dump(exclude={"chances"})) == completion


def test_a_graded_judgment_is_read_back_as_it_was_written() -> None:
    for evidence, answer in (("levels", graded_by), ("probabilities", lambda ask: sure(0.7, 0.2))):
        judgment = only(play(spec(evidence, True), answer)[1])  # type: ignore[arg-type]
        assert Judgment.model_validate_json(judgment.model_dump_json()) == judgment


# the demo judge

ESSAYS = Path(__file__).parents[2] / "examples" / "sleep" / "essays"


def by_demo(a: int, b: int) -> str:
    """What the demo judge says of two of the example essays, asked for levels."""
    shown = [(ESSAYS / f"essay-{number:02}.txt").read_text("utf-8") for number in (a, b)]
    ask = Ask(judge=0, mode="pairwise_levels", texts=tuple(map(text_hash, shown)))
    prompt = render(ask, DEMO, {text_hash(text): text for text in shown}, "t")
    return asyncio.run(OfflineJudge().complete(prompt)).text


DEMO = Rubric(criteria=(Criterion(name="Vocabulary"), Criterion(name="Grammar"), Criterion(name="Evidence")))


@pytest.mark.parametrize(("a", "b", "level"), [(2, 6, 1.0), (6, 2, 0.0), (1, 2, 0.25), (2, 1, 0.75), (2, 2, 0.5)])
def test_the_demo_judge_grades_by_its_mean_lead(a: int, b: int, level: float) -> None:
    assert read_pairwise(by_demo(a, b), DEMO.criteria).level == level


def test_where_its_criteria_disagree_the_demo_judge_names_no_winner_and_is_never_clear() -> None:
    said = json.loads(by_demo(1, 9))
    assert "winner" not in said and said["degree"] == "slightly"
    assert read_pairwise(json.dumps(said), DEMO.criteria).level in (0.25, 0.75)
