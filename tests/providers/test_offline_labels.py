"""The rules by which the demo judge labels claims, passages and steps, and how well its labels of claims do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.providers.offline.content_words import content_words, is_negated, likeness, numbers_in
from judge_core.providers.offline.labels.retrieval import (
    LONGEST_CLAIM,
    MOST_CLAIMS,
    Source,
    claims_of,
    is_refusal,
    label,
)
from judge_core.providers.offline.labels.steps import acts_of
from judge_core.providers.offline.labels.trajectory import labels_reply, patterns_reply
from judge_core.providers.offline.sheets import Shown
from judge_core.records.criteria import Rubric
from judge_core.records.prompt import Sheet
from tests.data_sets import data_folder


class TestContentWords:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Parties were closing", "the party closed"),
            ("1,000 trams", "1000 tram"),
            ("twelve bearings [3]", "12 bearing"),
            ("the school’s plans", "school plan"),
        ],
    )
    def test_forms_of_a_word_and_of_a_number_are_one(self, one: str, other: str) -> None:
        assert content_words(one) == content_words(other) != frozenset()

    def test_function_words_and_marks_of_citations_carry_nothing(self) -> None:
        assert content_words("It is not as if we had been there [1, 2].") == frozenset()
        assert numbers_in("As said in [12] and [3–5].") == frozenset()

    def test_scripts_without_blanks_have_content_too(self) -> None:
        assert content_words("睡眠") == {"睡", "眠"}

    @pytest.mark.parametrize("text", ["It is not so.", "Nobody came", "You can’t", "without a permit"])
    def test_negations_are_known(self, text: str) -> None:
        assert is_negated(text)

    @pytest.mark.parametrize("text", ["It is so.", "Not only trams run.", "A notable nod", ""])
    def test_what_negates_nothing_is_no_negation(self, text: str) -> None:
        assert not is_negated(text)

    @settings(deadline=None)
    @given(st.text(max_size=100), st.text(max_size=100))
    def test_likeness_is_even_and_whole_only_for_equal_words(self, one: str, other: str) -> None:
        a, b = content_words(one), content_words(other)
        assert 0 <= likeness(a, b) == likeness(b, a) <= 1
        assert (likeness(a, b) == 1) == (a == b != frozenset())


class TestClaims:
    @pytest.mark.parametrize(
        "text",
        [
            "", "?!", "I don't know.", "I’m sorry, but I cannot help with that.", "Unfortunately, I was unable to find it.",
            "As an AI, I have no opinion.", "There is no information about this.", "Hello there!", "I hope this helps.",
            "Let me know if you need more.", "Is it open on Sundays?", "# The pool", "The prices are:", "Yes. No.",
        ],
    )  # fmt: skip
    def test_what_states_nothing_is_no_claim(self, text: str) -> None:
        assert claims_of(text) == []

    @pytest.mark.parametrize("text", ["I don't know. It is 7 km.", "The pool opens at nine.", "Hello!", ""])
    def test_only_an_answer_that_says_nothing_else_is_a_refusal(self, text: str) -> None:
        assert not is_refusal(text)

    def test_sentences_and_items_of_lists_are_claims_each_once(self) -> None:
        text = "The pool is open. The pool is open.\n\nRooms:\n1. The hall\n2. The old mill. It is rented.\n* The barn"
        assert claims_of(text) == ["The pool is open.", "The hall", "The old mill.", "It is rented.", "The barn"]

    @settings(deadline=None)
    @given(st.text(max_size=300), st.integers(1, 40))
    def test_claims_are_within_their_bounds_and_no_longer_than_the_text(self, text: str, times: int) -> None:
        claims = claims_of(text * times)
        assert len(claims) <= MOST_CLAIMS
        assert all(claim and len(claim) <= LONGEST_CLAIM and claim.isprintable() for claim in claims)
        assert sum(map(len, claims)) <= len(text * times)

    def test_of_a_very_long_text_the_first_claims_are_taken(self) -> None:
        claims = claims_of(" ".join(f"Tram {number} is late." for number in range(300)))
        assert (len(claims), claims[-1]) == (MOST_CLAIMS, "Tram 199 is late.")

    def test_a_sentence_without_end_is_taken_in_pieces(self) -> None:
        text = "tram " * 400 + "x" * 1000
        claims = claims_of(text)
        assert all(len(claim) <= LONGEST_CLAIM for claim in claims)
        assert "".join(claims).replace(" ", "") == text.replace(" ", "")


BRIDGE = "The old bridge was built in 1911. It is closed to cars. Pedestrians may not cross the bridge after dark."


class TestSupport:
    @pytest.mark.parametrize(
        ("claim", "verdict"),
        [
            ("The old bridge was built in 1911.", "supported"),
            ("In 1911 they were building that old bridge.", "supported"),
            ("The old bridge was built in 1950.", "contradicted"),
            ("Pedestrians may cross the bridge after dark.", "contradicted"),
            ("Pedestrians may not cross the bridge after dark.", "supported"),
            ("Pedestrians may not cross the bridge after 22:00 in the dark.", "not_found"),
            ("The old mill was sold in 1911.", "not_found"),
            ("Yes.", "not_found"),
            ("", "not_found"),
        ],
    )
    def test_words_then_numbers_and_negations_decide(self, claim: str, verdict: str) -> None:
        found = label(claim, [Source("Trams run."), Source(BRIDGE)])
        assert found.verdict == verdict
        assert found.cited == ([] if verdict == "not_found" else ["2"])

    def test_without_a_source_nothing_is_found(self) -> None:
        assert label("The bridge is old.", []).verdict == "not_found"

    def test_equally_good_sources_are_all_cited(self) -> None:
        assert label("The old bridge was built in 1911.", [Source(BRIDGE), Source(BRIDGE)]).cited == ["1", "2"]

    def test_a_text_supports_each_of_its_own_sentences(self) -> None:
        assert {label(claim, [Source(BRIDGE)]).verdict for claim in claims_of(BRIDGE)} == {"supported"}


def shown(*steps: str, goal: str = "Book the village hall for Sunday.") -> Shown:
    roles = ("goal", *("step" for _ in steps))
    return Shown(Sheet(mode="agent", rubric=Rubric(), texts=(goal, *steps), roles=roles))


def labels(*steps: str) -> list[tuple[str, str]]:
    return [(row["label"], row["call"]) for row in labels_reply(shown(*steps))["steps"]]


def goal(*steps: str) -> str:
    found: str = labels_reply(shown(*steps))["goal"]
    return found


LOOK = '[bot -> find]\n  {"day": 1}\n[find -> bot]\n  free'
FAIL = '[bot -> find]\n  {"day": 1}\n[find -> bot]\n  Error: no such day'
TELL = "[bot]\n  The village hall is booked for Sunday."


class TestSteps:
    def test_calls_and_results_are_told_apart_by_who_asked(self) -> None:
        first, second = acts_of(
            ["[lead -> coder]\n  go\n[coder]\n  ok", "[coder -> lead]\n  done\n[user]\n  thanks\n[lead]\n  fine"]
        )
        assert [block.kind for block in first.blocks] == ["call", "words"]
        assert [block.kind for block in second.blocks] == ["result", "heard", "words"]
        assert [block.body for block in first.results] == ["done"]
        assert second.words == "fine"

    def test_an_indented_head_is_words(self) -> None:
        (act,) = acts_of(["[bot]\n  [find -> bot]\n  Error: x"])
        assert (len(act.blocks), act.failed) == (1, [])

    @pytest.mark.parametrize(
        ("result", "call"),
        [
            ("Error: x", "wrong"), ("ValueError: x", "wrong"), ('{"error": "x"}', "wrong"), ('{"success": false}', "wrong"),
            ('{"exit_code": 2}', "wrong"), ("Traceback (most recent call last)", "wrong"), ("2 failed, 1 passed", "wrong"),
            ('{"error": null}', "correct"), ('{"errors": []}', "correct"), ('{"exit_code": 0}', "correct"),
            ("no errors were found", "correct"), ("", "correct"), ("[]", "correct"),
        ],
    )  # fmt: skip
    def test_a_call_is_wrong_where_its_result_tells_an_error(self, result: str, call: str) -> None:
        assert labels(f"[bot -> find]\n  {{}}\n[find -> bot]\n  {result}")[0][1] == call

    def test_a_late_result_belongs_to_the_step_that_called(self) -> None:
        assert labels("[bot -> find]\n  {}", "[find -> bot]\n  Error: x\n[bot]\n  Hm.")[0] == ("redundant", "wrong")

    def test_the_same_act_with_the_same_result_is_redundant_and_with_another_is_not(self) -> None:
        assert labels(LOOK, LOOK, LOOK.replace("free", "taken")) == [
            ("useful", "correct"),
            ("redundant", "correct"),
            ("useful", "correct"),
        ]

    def test_words_beside_a_call_do_not_make_it_another_act(self) -> None:
        assert labels(LOOK, "[bot]\n  Once more.\n" + LOOK)[1][0] == "redundant"

    def test_a_step_that_failed_is_redundant_and_a_missing_permission_harmful(self) -> None:
        denied = FAIL.replace("no such day", "permission denied")
        assert labels(FAIL, denied, TELL) == [("redundant", "wrong"), ("harmful", "wrong"), ("useful", "none")]

    @pytest.mark.parametrize(
        ("steps", "reached"),
        [
            ((LOOK, TELL), "achieved"),
            ((LOOK, "[bot]\n  Done."), "achieved"),
            ((LOOK,), "partly"),
            ((LOOK, "[bot]\n  Shall I look elsewhere?"), "partly"),
            ((FAIL, TELL), "partly"),
            ((FAIL,), "not_achieved"),
            ((LOOK, "[bot]\n  Sorry, the village hall could not be booked."), "not_achieved"),
            (("[coder: run | tests | success: false]\n  x",), "not_achieved"),
        ],
    )
    def test_the_goal_is_judged_by_the_last_words_and_the_last_outcome(
        self, steps: Sequence[str], reached: str
    ) -> None:
        assert goal(*steps) == reached

    def test_the_quote_is_a_line_of_the_last_words(self) -> None:
        assert labels_reply(shown(LOOK, TELL))["quotes"] == [{"text": "The village hall is booked for Sunday."}]

    @pytest.mark.parametrize(
        ("steps", "found"),
        [
            ("aab", []), ("aaa", [("repetition_loop", "123")]), ("baaab", [("repetition_loop", "234")]),
            ("aba", []), ("abab", [("ping_pong", "1234")]), ("cababc", [("ping_pong", "2345")]),
            ("aabab", [("ping_pong", "2345")]), ("abcabc", []), ("aaabab", [("repetition_loop", "123"), ("ping_pong", "3456")]),
        ],
    )  # fmt: skip
    def test_equal_acts_make_loops_and_turns(self, steps: str, found: list[tuple[str, str]]) -> None:
        rows: list[dict[str, Any]] = patterns_reply(shown(*(f"[bot -> {name}]\n  1" for name in steps)))["patterns"]
        assert [(row["name"], "".join(row["steps"])) for row in rows] == found


class Agreement(NamedTuple):
    """Of the demo's 'supported' with people's 'Complete'."""

    claims: int
    agreed: float
    always_supported: float
    """What a judge that always says 'supported' would agree in."""
    found: float
    """Of the claims that people call supported, the share that the demo does too."""
    refused: float
    """Of the others, the share that the demo does not call supported."""


def agreement(file: str) -> Agreement:
    pairs: list[tuple[bool, bool]] = []
    for line in (data_folder("expertqa") / file).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sources = [Source(passage["text"]) for passage in row["passages"]]
        claims = [claim for claim in row["claims"] if claim["support"] not in ("N/A", None)]
        pairs += [(label(c["text"], sources).verdict == "supported", c["support"] == "Complete") for c in claims]
    people = [said for said, complete in pairs if complete]
    others = [said for said, complete in pairs if not complete]
    return Agreement(
        claims=len(pairs),
        agreed=sum(said == complete for said, complete in pairs) / len(pairs),
        always_supported=len(people) / len(pairs),
        found=sum(people) / len(people),
        refused=others.count(False) / len(others),
    )


@pytest.mark.parametrize(("file", "claims"), [("rag_small60.jsonl", 307), ("rag_examples.jsonl", 1034)])
def test_its_labels_of_claims_are_little_better_than_a_constant_answer(file: str, claims: int) -> None:
    """It tells supported claims from others better than chance, and agrees with people hardly more than 'supported' does."""
    found = agreement(file)
    assert found.claims == claims
    assert found.found + found.refused > 1.15
    assert abs(found.agreed - found.always_supported) < 0.05
    assert found == agreement(file)
