"""Reading the replies about a retrieval answer: what is taken, and what is asked for again."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.rag.reading import MOST_CHARACTERS, read_claims, read_labels
from judge_core.records.errors import ReplyError
from tests.modes.case_files import CASES


def labels(claims: Any, passages: Any = None) -> str:
    return json.dumps({"claims": claims} | ({} if passages is None else {"passages": passages}))


def code_of(text: str, claims: int | None = 2, passages: int | None = 0, finish: str | None = None) -> str:
    with pytest.raises(ReplyError) as caught:
        read_labels(text, claims, passages, finish)
    return caught.value.code


SUPPORTED = {"id": "1", "verdict": "supported"}


def test_claims_come_in_their_order_as_objects_or_texts() -> None:
    reading = read_claims('{"claims":[{"id":"1","text":" Trees cool. "},"Parks cost money."]}')
    assert reading.claims == ("Trees cool.", "Parks cost money.")
    assert reading.warnings == ()


def test_an_empty_list_of_claims_is_an_answer() -> None:
    assert read_claims(CASES["J-089"]["input"]["raw_text"]).claims == ()


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ('{"claims":null}', "no_verdict"),
        ('{"claims":{"1":"x"}}', "no_verdict"),
        ('{"claims":[{"id":"1"}]}', "bad_claim"),
        ('{"claims":[{"id":"1","text":"  "}]}', "bad_claim"),
        ('{"claims":[7]}', "bad_claim"),
        ("The answer makes two claims.", "no_verdict"),
        ('{"criteria":[]}', "no_verdict"),
        ('{"claims":[{"id":"1","text":"a","text":"b"}]}', "bad_json"),
        (json.dumps({"claims": ["x"] * 201}), "too_many_claims"),
        (json.dumps({"claims": ["x" * (MOST_CHARACTERS + 1)]}), "long_claim"),
    ],
)
def test_a_list_of_claims_in_another_form_is_asked_for_again(reply: str, code: str) -> None:
    with pytest.raises(ReplyError) as caught:
        read_claims(reply)
    assert caught.value.code == code


def test_a_list_that_was_cut_is_no_list() -> None:
    """A cut in the middle would hide claims, which would flatter the answer."""
    with pytest.raises(ReplyError) as caught:
        read_claims('{"claims":[{"id":"1","text":"a"},{"id":"2","te', "length")
    assert caught.value.code == "truncated"
    assert read_claims('{"claims":[{"id":"1","text":"a"}]}', "length").claims == ("a",)


def test_claims_longer_together_than_allowed_are_refused() -> None:
    reply = json.dumps({"claims": ["x" * 60, "y" * 60]})
    assert len(read_claims(reply, None, 120).claims) == 2
    with pytest.raises(ReplyError) as caught:
        read_claims(reply, None, 119)
    assert caught.value.code == "long_claim"


def test_labels_are_read_by_number_in_any_order_and_spelling() -> None:
    reply = labels(
        [
            {"id": 2, "verdict": "**Not found**", "passages": []},
            {"id": "CLAIM 1", "verdict": "SUPPORTED.", "passages": ["2", "[1]", "PASSAGE 2"]},
            {"id": "[3]", "verdict": "not-found", "passages": None},
            {"id": "4", "verdict": "Contradicted", "passages": "1, 2"},
        ],
        [{"id": "2", "relevant": "No"}, {"id": "Passage 1", "relevant": True}],
    )
    reading = read_labels(reply, 4, 2)
    assert [(c.claim, c.verdict, c.passages) for c in reading.claims] == [
        (1, "supported", (1, 2)),
        (2, "not_found", ()),
        (3, "not_found", ()),
        (4, "contradicted", (1, 2)),
    ]
    assert reading.relevant == {1: True, 2: False}
    assert reading.warnings == ()


def test_j_088_fewer_labels_than_claims_are_asked_for_again() -> None:
    given_case = CASES["J-088"]["input"]
    with pytest.raises(ReplyError):
        read_labels(given_case["raw_text"], given_case["claims_given"], 0)


def test_the_message_names_the_claims_without_a_label() -> None:
    with pytest.raises(ReplyError, match="claims 2, 4"):
        read_labels(labels([SUPPORTED, {**SUPPORTED, "id": "3"}]), 4, 0)


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ([SUPPORTED], "missing_claim"),
        ([SUPPORTED, SUPPORTED], "repeated_claim"),
        ([SUPPORTED, {**SUPPORTED, "id": "3"}], "unknown_claim"),
        ([SUPPORTED, {**SUPPORTED, "id": "0"}], "unknown_claim"),
        ([SUPPORTED, {**SUPPORTED, "id": True}], "unknown_claim"),
        ([SUPPORTED, {**SUPPORTED, "id": "passage 2"}], "unknown_claim"),
        ([SUPPORTED, "supported"], "unknown_claim"),
        ([SUPPORTED, {"id": "2", "verdict": "unsupported"}], "unknown_label"),
        ([SUPPORTED, {"id": "2", "verdict": "not supported"}], "unknown_label"),
        ([SUPPORTED, {"id": "2", "verdict": "partly"}], "unknown_label"),
        ([SUPPORTED, {"id": "2", "verdict": "supported, contradicted or not_found"}], "unknown_label"),
        ([SUPPORTED, {"id": "2", "verdict": True}], "unknown_label"),
        ([SUPPORTED, {"id": "2"}], "unknown_label"),
        ("supported", "no_verdict"),
    ],
)
def test_labels_that_do_not_fit_the_claims_are_asked_for_again(claims: Any, code: str) -> None:
    assert code_of(labels(claims)) == code


@pytest.mark.parametrize(
    ("passages", "code"),
    [
        ([{"id": 1, "relevant": True}], "missing_passage"),
        ([{"id": 1, "relevant": True}] * 2, "repeated_passage"),
        ([{"id": 1, "relevant": True}, {"id": 2, "relevant": "partly"}], "bad_relevance"),
        ([{"id": 1, "relevant": True}, {"id": 2, "relevant": 1}], "bad_relevance"),
        ([{"id": 1, "relevant": True}, {"id": 2}], "bad_relevance"),
        (None, "no_verdict"),
    ],
)
def test_every_passage_needs_one_plain_relevance(passages: Any, code: str) -> None:
    assert code_of(labels([SUPPORTED], passages), 1, 2) == code


def test_a_passage_that_was_not_shown_counts_for_nothing_and_it_is_said() -> None:
    reply = labels(
        [{**SUPPORTED, "passages": ["1", "9", "x"]}], [{"id": 1, "relevant": True}, {"id": 7, "relevant": True}]
    )
    reading = read_labels(reply, 1, 1)
    assert reading.claims[0].passages == (1,) and reading.relevant == {1: True}
    assert [notice.code for notice in reading.warnings] == ["unknown_passage"]
    assert "3 times" in reading.warnings[0].message


def test_without_counts_those_named_are_read() -> None:
    reading = read_labels(labels([{**SUPPORTED, "id": 5, "passages": [9]}], [{"id": 9, "relevant": False}]))
    assert (reading.claims[0].claim, reading.claims[0].passages, reading.relevant) == (5, (9,), {9: False})


def test_where_no_passages_were_shown_none_are_read() -> None:
    reading = read_labels(labels([{**SUPPORTED, "passages": [3]}], [{"id": 3, "relevant": True}]), 1, 0)
    assert (reading.claims[0].passages, reading.relevant, reading.warnings) == ((), {}, ())


def test_cut_labels_are_truncated_unless_all_was_said() -> None:
    cut = '{"claims":[{"id":"1","verdict":"supported"},{"id":"2","verd'
    assert code_of(cut, 2, 0, "length") == "truncated"
    assert (
        code_of('{"claims":[{"id":"1","verdict":"supported"}],"passages":[{"id":"1","rel', 1, 1, "length")
        == "truncated"
    )
    assert read_labels('{"claims":[{"id":"1","verdict":"supported"}],"pass', 1, 0, "length").claims[0].claim == 1
    assert code_of(cut, None, None, "length") == "truncated"


def test_no_message_quotes_the_reply() -> None:
    with pytest.raises(ReplyError) as caught:
        read_labels(labels([{"id": "1", "verdict": "<script>evil</script>"}]), 1, 0)
    assert "evil" not in str(caught.value)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.sampled_from(["1", "supported", "PASSAGE 1"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["id", "verdict", "passages", "relevant", "text"]), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(_JSON, _JSON, st.none() | st.integers(0, 3), st.none() | st.integers(0, 3))
def test_any_reply_is_read_whole_or_refused(claims: Any, passages: Any, n: int | None, shown: int | None) -> None:
    """What is read has each number once and none that was not shown; all else is a ReplyError."""
    reply = labels(claims, passages)
    try:
        reading = read_labels(reply, n, shown)
    except ReplyError:
        pass
    else:
        if n is not None:
            assert [each.claim for each in reading.claims] == list(range(1, n + 1))
        if shown is not None:
            assert list(reading.relevant) == list(range(1, shown + 1))
            assert all(number <= shown for each in reading.claims for number in each.passages)
    with suppress(ReplyError):
        assert all(text.strip() for text in read_claims(reply).claims)
