"""A quote is found where it stands, whatever small changes of form it was copied with, and nowhere else."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.scoring.quotes import Span, find_quote, pieces

TEXT = "Trees cool towns. A study of 14 streets — “real” ones —\nfound 3 degrees less;\tit’s a lot… The cost is **40 euros**."


def passages(text: str, quote: str) -> list[str]:
    return [text[span.start : span.end] for span in find_quote(text, quote)]


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("A study of 14 streets", "A study of 14 streets"),
        ("a STUDY of 14 streets", "A study of 14 streets"),
        ("“Trees cool towns.”", "Trees cool towns"),
        ("'trees cool towns'.", "Trees cool towns"),
        ("«Trees cool towns», ", "Trees cool towns"),
        ("streets - \"real\" ones - found 3 degrees", "streets — “real” ones —\nfound 3 degrees"),
        ("streets--'real' ones--found 3 degrees", "streets — “real” ones —\nfound 3 degrees"),
        ("found   3\n\ndegrees less; it's a lot", "found 3 degrees less;\tit’s a lot"),
        ("The cost is 40 euros", "The cost is **40 euros"),
        ("it's a lot... The cost", "it’s a lot… The cost"),
        ("lot", "lot"),
    ],
)  # fmt: skip
def test_small_changes_of_form_are_no_inventions(quote: str, passage: str) -> None:
    assert passages(TEXT, quote) == [passage]


@pytest.mark.parametrize("ellipsis", ["...", " ... ", "…", " […] ", "[...]", " (...) ", " . . . "])
def test_an_ellipsis_joins_parts_that_stand_in_this_order(ellipsis: str) -> None:
    assert passages(TEXT, f"Trees cool{ellipsis}3 degrees less") == ["Trees cool", "3 degrees less"]
    assert passages(TEXT, f"3 degrees less{ellipsis}Trees cool") == []
    assert passages(TEXT, f"Trees cool{ellipsis}5 degrees less") == []


def test_an_ellipsis_at_an_end_is_no_part() -> None:
    assert passages(TEXT, "...a study of 14 streets…") == ["A study of 14 streets"]


@pytest.mark.parametrize(
    "quote",
    ["", " ", "...", "“”", ".", "—", "Trees clean the air", "Trees towns", "A study of 15 streets", "rees coo", "\u200b", "\u0301"],
)  # fmt: skip
def test_what_does_not_stand_there_is_not_found(quote: str) -> None:
    assert find_quote(TEXT, quote) == ()


def test_a_short_quote_means_a_word_and_no_piece_of_one() -> None:
    assert passages("The hero is he.", "he") == ["he"]
    assert find_quote("The hero is he.", "he") == (Span(12, 14),)
    assert find_quote("The theme", "he") == ()


@pytest.mark.parametrize(
    ("text", "quote", "passage"),
    [
        ("Un cafe\u0301 noir ici", "café noir", "cafe\u0301 noir"),
        ("Un café noir", "cafe\u0301 noir", "café noir"),
        ("Ein cafe\u0301", "ein café", "Ein cafe\u0301"),
        ("die Straße dort", "DIE STRASSE", "die Straße"),
        ("the ﬁrst oﬃce", "first office", "ﬁrst oﬃce"),
        ("ＦＵＬＬ width", "full width", "ＦＵＬＬ width"),
        ("so\u00adft hy\u200bphen", "soft hyphen", "so\u00adft hy\u200bphen"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글", "\u1112\u1161\u11ab\u1100\u1173\u11af"),
        ("木が町を冷やす。", "町を冷やす", "町を冷やす"),
        ("İstanbul büyük", "istanbul büyük", "İstanbul büyük"),
        ("😀 a smile 😀 b", "smile 😀 b", "smile 😀 b"),
    ],
)
def test_the_place_is_that_in_the_text_as_written(text: str, quote: str, passage: str) -> None:
    assert passages(text, quote) == [passage]


WORD = st.text(st.sampled_from("abzAZéßﬁ0’“”-—.…,\u0301\u200b木*"), min_size=1, max_size=6).filter(
    lambda word: any(c.isalnum() for c in word) and "…" not in word and "..." not in word
)
BLANK = st.sampled_from([" ", "\n", "  ", "\t", "\u00a0", " \n\n "])


@given(st.data(), st.lists(WORD, min_size=1, max_size=30))
def test_any_run_of_words_is_found_at_its_words(data: st.DataObject, words: list[str]) -> None:
    text = "".join(word + data.draw(BLANK) for word in words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    quote = data.draw(BLANK).join(words[first : last + 1])
    found = find_quote(text, data.draw(st.sampled_from([quote, unicodedata.normalize("NFC", quote), f"“{quote}”."])))
    assert len(found) == 1
    span = found[0]
    assert bare(text[span.start : span.end]) == bare(quote)


def bare(text: str) -> str:
    """Letters and digits only, in one spelling."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in plain if c.isalnum())


@given(st.text(), st.text())
def test_nothing_is_raised_and_every_span_lies_in_the_text(text: str, quote: str) -> None:
    spans = find_quote(text, quote)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= other.start for one, other in zip(spans, spans[1:], strict=False))


@given(st.text(alphabet=st.characters(codec=None)))
def test_lone_surrogates_break_nothing(text: str) -> None:
    find_quote(text + "\ud800", "\udfff" + text)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a " * 500_000, "a " * 1000 + "b"),
        ("a" * 1_000_000, "a" * 5000 + "b"),
        ("the " * 250_000, "he"),
        ("x" * 1_000_000, "...".join("x" * 20_000)),
        ("- " * 500_000, "- x"),
        ("é…" * 500_000, "zz yy...xx"),
    ],
)
def test_a_million_characters_take_no_time_to_speak_of(text: str, quote: str) -> None:
    began = time.process_time()
    find_quote(text, quote)
    assert time.process_time() - began < 5


@given(st.text(max_size=40), st.data())
def test_the_pieces_joined_are_the_text(text: str, data: st.DataObject) -> None:
    edge = st.integers(0, len(text))
    spans = st.tuples(edge, edge).filter(lambda s: s[0] < s[1]).map(lambda s: Span(*s))
    quotes = data.draw(st.dictionaries(st.integers(1, 5), st.lists(spans, max_size=3))) if len(text) else {}
    cut = pieces(text, quotes)
    assert "".join(piece.text for piece in cut) == text
    at = 0
    for piece in cut:
        inside = {n for n, found in quotes.items() for s in found if s.start <= at < s.end}
        assert set(piece.numbers) == inside and set(piece.begins) <= inside
        at += len(piece.text)
