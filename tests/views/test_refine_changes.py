"""What changed between two versions, word by word; the tables of a tournament."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from judge_core.views.refine.changes import LONGEST, changed_words, changes
from judge_core.views.refine.tables import passes_csv, passes_table, votes_table
from tests.modes.refine.script import Script, best, spec, tournament

TEXT = st.text(alphabet="ab \n<$", max_size=30)


@given(TEXT, TEXT)
def test_the_pieces_of_each_side_are_its_text_and_what_is_unmarked_is_common(before: str, after: str) -> None:
    left, right = changes(before, after)
    assert ("".join(piece.text for piece in left), "".join(piece.text for piece in right)) == (before, after)
    common = ["".join(piece.text for piece in side if not piece.numbers) for side in (left, right)]
    assert common[0] == common[1]


def test_one_word_that_changed_is_marked_on_both_sides_and_nothing_else() -> None:
    left, right = changes("Trees cool the street.", "Trees shade the street.")
    assert [piece.text for piece in left if piece.numbers] == ["cool"]
    assert [piece.text for piece in right if piece.numbers] == ["shade"]


def test_words_that_are_added_at_the_end_leave_the_others_unmarked() -> None:
    left, right = changes("Trees cool.", "Trees cool. They shade.")
    assert not any(piece.numbers for piece in left)
    assert [piece.text for piece in right if piece.numbers] == [" They shade."]


def test_a_new_paragraph_is_marked_as_a_change_of_blanks_alone() -> None:
    left, right = changes("One. Two.", "One.\n\nTwo.")
    assert [piece.text for piece in right] == ["One.", "\n\n", "Two."] and right[1].numbers
    assert changed_words("One. Two.", "One.\n\nTwo.") == (0, 0)


def test_long_texts_with_many_common_words_are_compared_in_a_moment() -> None:
    words = [f"word{number % 97}" if number % 3 else "the" for number in range(3000)]
    other = [word if number % 50 else "changed" for number, word in enumerate(words)]
    begin = time.perf_counter()
    changes(" ".join(words), " ".join(other))
    assert time.perf_counter() - begin < 10


def test_equal_texts_have_no_mark_and_very_long_ones_are_shown_without() -> None:
    assert not any(piece.numbers for side in changes("a b", "a b") for piece in side)
    long = "word " * LONGEST
    assert [len(side) for side in changes(long, long + "more")] == [1, 1]


def test_a_row_a_pass_with_points_streak_and_agreement() -> None:
    table = passes_table(tournament(Script(["AB", "A", "A"]), spec(judges=2)))
    assert table["winner"].tolist() == ["AB", "A", "A"] and table["streak"].tolist() == [0, 1, 2]
    assert table.loc[0, ["A", "B", "AB"]].tolist() == [4, 2, 6] and table["agreement"].tolist() == [1.0, 1.0, 1.0]


def test_a_row_a_judge_with_the_order_that_it_saw_and_an_abstention_is_said() -> None:
    state = tournament(Script([[best("AB"), None, best("A")]]), spec(stopping={"max_rounds": 1}))
    table = votes_table(state, state.passes[1])
    assert table["ranking"].tolist() == ["AB > A > B", "none (failed)", "A > AB > B"]
    assert table.loc[0, "saw"] == ", ".join(state.passes[1].ballots[0].order)


def test_the_passes_as_csv_hold_the_table_and_what_decided() -> None:
    lines = passes_csv(tournament(Script(["AB", "A", "A"]))).decode("utf-8-sig").split("\r\n")
    assert lines[0].startswith("pass,winner,A,B,AB,judges,streak,agreement,words,voted_for,decided_by,vetoed")
    assert lines[1].startswith("1,AB,6.0,3.0,9.0,3,0,1.0,4,AB,points,,") and len(lines) == 5
