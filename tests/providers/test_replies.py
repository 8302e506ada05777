"""How an HTTP answer is read, and what is quoted of it."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.providers.replies import (
    KIND_OF_CODE,
    KIND_OF_STATUS,
    MINIMAX,
    OUTCOMES,
    Complaint,
    Reply,
    error_of,
    mend,
    quotable,
    read_answer,
)


def test_a_providers_words_are_one_short_line_without_passages_of_the_texts() -> None:
    essay = "The quick brown fox jumps over the lazy dog and never once looks back at it."
    assert quotable("bad\n\x1b[31m\u202eword " + "x" * 500, [essay]).startswith("bad [31m word xxx")
    assert len(quotable("x " * 500, [])) <= 201
    assert quotable(f"flagged: {essay[10:60]}", [essay]) == ""
    assert quotable("Incorrect: sk-abcdef123456", []) == "Incorrect: [key]"


def test_every_table_names_an_outcome() -> None:
    kinds = {*KIND_OF_STATUS.values(), *KIND_OF_CODE.values(), *(kind for _, kind in MINIMAX.values())}
    assert kinds <= OUTCOMES.keys()


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["choices", "message", "content", "error", "code", "usage", "base_resp", "status_code", "finish_reason", "prompt_tokens"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(ODD, st.sampled_from([200, 302, 400, 429, 500]))
def test_no_answer_however_odd_breaks_the_reading(data: object, status: int) -> None:
    answer = read_answer(status, json.dumps(data).encode())
    assert isinstance(answer, Reply) or str(error_of(answer, "judge", "", [])).startswith("judge: ")
    assert status == 200 or isinstance(answer, Complaint)


@given(st.text(st.characters(codec=None), max_size=20))
def test_mended_text_can_always_be_sent_and_sound_text_is_left_alone(text: str) -> None:
    mended = mend(text)
    mended.encode("utf-8")
    assert mend(mended) == mended
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        assert mended == text
