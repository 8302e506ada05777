"""Rankings in plain words: which lines are one, and which could be read in two ways and so are none."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.replies.ranking_line import read_ranking
from judge_core.records.errors import ReplyError

LABELS = ("1", "2", "3")


def codes(text: str, finish_reason: str | None = None) -> list[str]:
    return [notice.code for notice in read_ranking(text, LABELS, finish_reason).warnings]


@pytest.mark.parametrize(
    "text",
    [
        "RANKING: 2, 1, 3",
        "Both open well.\n\nRANKING: 2, 1, 3\n",
        "RANKING: 2,1,3.",
        "ranking: 2 > 1 > 3",
        "RANKING: 2 -> 1 -> 3",
        "RANKING: 2 1 3",
        "**RANKING**: 2, 1, 3",
        "__RANKING:__ _2_, 1, 3",
        "> RANKING: 2, 1, 3",
        "- RANKING: 2, 1, 3",
        "4. **RANKING:** 2, 1, 3",
        '"RANKING: 2, 1, 3"',
        "```\nRANKING: 2, 1, 3\n```",
        "RANKING: (2), (1), (3)",
        "RANKING:\n2, 1, 3",
        "**RANKING:**\n\n> 2 > 1 > 3",
        "RANKING:\n1. Proposal 2\n2. Proposal 1\n3. Proposal 3",
        "RANKING:\n- **2** – clear and vivid\n- 1: well built\n- 3 (short)\n\nThank you.",
        "RANKING:\n2\n1\n3",
        "Ranking (best first): 2 > 1 > 3",
        "Final ranking from best to worst: Version 2, Version 1, Version 3",
        "My ranking: Proposal #2, then proposal 1, and proposal 3",
        "RANKING: 2 is best, followed by 1, last 3",
        "RANKING: 2>1>3 (out of 3 proposals)",
        "RANKING: 2, 1, 3 because 2 cites a study",
        "RANKING： 2，1，3",
        "RANKING: 3, 2, 1\nNo, I mixed them up.\nRANKING: 2, 1, 3",
        "<think>RANKING: 3, 2, 1</think>RANKING: 2, 1, 3",
        "RANKING: 3, 2, 1</think>\nRANKING: 2, 1, 3",
        "The code {x: {y has a fault.\nRANKING: 2, 1, 3",
        '{"ranking": ["2", "1", "3"]}',
        "My ranking rests on 3 things: vigour, order, brevity.\nRANKING: 2, 1, 3",
    ],
)
def test_a_plain_ranking_is_read_whatever_its_dress(text: str) -> None:
    assert (read_ranking(text).ranking, codes(text)) == (("2", "1", "3"), [])


@pytest.mark.parametrize(
    "text",
    [
        "I would rank 2, 1, 3.",
        "RANKING:",
        "RANKING: 2",
        "RANKING: [best], [second], [worst]",
        "RANKING: [best], [worst]",
        "RANKING: 3, 4, 5",
        "RANKING: 2, 1, 4",
        "RANKING: 2, 1, ?",
        "RANKING: 3, 1, 1",
        "RANKING: 2, 1, 3, 2",
        "RANKING: 2 = 1, 3",
        "RANKING: 2 > 1 = 3",
        "RANKING: 2, 1, 3 (1 and 3 are tied)",
        "RANKING: 2 >= 1 > 3",
        "RANKING: 2 & 1, 3",
        "RANKING: 2, 1 or 3",
        "RANKING: 2 < 1 < 3",
        "RANKING: 1-3",
        "RANKING: 1 to 3",
        "RANKING: 1 3",
        "RANKING: 2, , 3",
        "RANKING: , 2, 3",
        "RANKING: 2, 3 is worst",
        "RANKING: 1. Proposal 3",
        "RANKING: 1. Proposal 3\n2. Proposal 1\n3. Proposal 2",
        "RANKING: 1. Proposal 2, 2. Proposal 1, 3. Proposal 3",
        "RANKING: 1) 2, 2) 1, 3) 3",
        "RANKING: #1 is 3, #2 is 1, #3 is 2",
        "RANKING: 213",
        "RANKING: 2, 1" + " " * 2_000 + ", 3",
        "RANKING: 2.1, 3",
        "RANKING: 2 (3), 1",
        "RANKING: 2 (worst), 1, 3 (best)",
        "RANKING: 3 is worst, 1, 2",
        "RANKING (worst first): 3, 1, 2",
        "Ranking from last to first: 3, 1, 2",
        "RANKING: not 2, 1, 3",
        "RANKING:\n1. Proposal 2\n2. Proposal 1\n3. Proposal 4",
        "RANKING:\n3. Proposal 3\n2. Proposal 1\n1. Proposal 2",
        "RANKING:\n- 3: the worst\n- 1\n- 2: the best",
        "RANKING:\n1.\n2.\n3.",
        "RANKING: 2, 1, 3\nRANKING: 2, 2, 3",
        "<think>RANKING: 2, 1, 3",
        "",
        "  \n",
    ],
)
def test_what_is_missing_doubled_tied_or_unclear_is_no_ranking(text: str) -> None:
    with pytest.raises(ReplyError):
        read_ranking(text)


def test_of_three_one_left_out_has_the_only_place_left_and_it_is_said() -> None:
    assert (read_ranking("RANKING: 2, 3").ranking, codes("RANKING: 2, 3")) == (("2", "3", "1"), ["ranking_completed"])


def test_of_two_one_name_is_no_ranking() -> None:
    with pytest.raises(ReplyError, match="every label once"):
        read_ranking("RANKING: 2", ("1", "2"))


def test_a_cut_reply_is_never_completed() -> None:
    """'..., 1' may be cut from '..., 10'."""
    assert codes("RANKING: 2, 3, 1", "length") == ["truncated"]
    with pytest.raises(ReplyError, match="max_tokens"):
        read_ranking("RANKING: 2, 3", LABELS, "length")
    with pytest.raises(ReplyError, match="token limit was used up by reasoning"):
        read_ranking("", LABELS, "length")


def test_labels_are_matched_exactly_where_they_differ_only_in_case() -> None:
    assert read_ranking("RANKING: M, m", ("m", "M")).ranking == ("M", "m")
    assert read_ranking("RANKING: b, A", ("A", "B")).ranking == ("B", "A")
    with pytest.raises(ReplyError, match="no label"):
        read_ranking("RANKING: aB, AB, ab", ("ab", "AB", "Ab"))


def test_an_error_names_our_labels_and_no_word_of_the_judge() -> None:
    with pytest.raises(ReplyError) as caught:
        read_ranking("RANKING: <img src>, 1, 2")
    assert "1, 2, 3" in str(caught.value) and "img" not in str(caught.value)


@given(st.permutations(["1", "2", "3", "10", "11", "12"]), st.sampled_from([", ", ",", " > ", " ", "\n", ", then "]))
def test_any_order_of_any_labels_comes_back_as_it_was_written(order: list[str], between: str) -> None:
    labels = sorted(order)
    assert list(read_ranking(f"RANKING:\n{between.join(order)}", labels).ranking) == order


@pytest.mark.parametrize("finish_reason", [None, "length"])
def test_a_ballot_cut_anywhere_is_read_rightly_or_not_at_all(finish_reason: str | None) -> None:
    for order in itertools.permutations(LABELS):
        whole = f"Each has its strength.\n**RANKING: {', '.join(order)}**"
        for end in range(len(whole)):
            try:
                assert read_ranking(whole[:end], LABELS, finish_reason).ranking == order
            except ReplyError as error:
                assert error.code
