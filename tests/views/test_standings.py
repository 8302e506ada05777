"""The standings: ratings, ranks, ties and what stands beside them."""

from __future__ import annotations

import math

import pytest

from judge_core.ranking.bradley_terry import Comparison, fit
from judge_core.records.record import Notice
from judge_core.records.spec import Narrowing
from judge_core.views.evidence import comparisons
from judge_core.views.standings import Standings, standings
from judge_core.views.state import fold
from tests.views.streams import Stream, both_orders, case, decided, judge, lost, played, spec, text, win


def table_of(stream: Stream, **options: object) -> Standings:
    return standings(fold(stream.spec, stream.events), **options)  # type: ignore[arg-type]


def test_ratings_are_the_posterior_over_all_judgments() -> None:
    stream = Stream(spec(3)).match("E-001", "E-002", win(first="E-001")).match("E-002", "E-003", win(first="E-003"))
    table = table_of(stream)
    expected = fit(
        ["E-001", "E-002", "E-003"],
        [Comparison("E-001", "E-002", 1.0, position=1), Comparison("E-002", "E-003", 1.0, position=-1)],
    )
    assert [row.alias for row in table.rows] == ["E-001", "E-002", "E-003"]
    for row in table.rows:
        assert row.rating == pytest.approx(expected.rating(row.alias))
        assert (row.low, row.high) == pytest.approx(expected.interval(row.alias))
    assert sum(row.rating or 0 for row in table.rows) == pytest.approx(4500)


def test_each_judgment_weighs_its_judges_share_and_merged_orders_have_no_position() -> None:
    of = spec(2, judges=(judge("a", weight=3.0), judge("b")))
    fair = both_orders(
        {"Argument": (8, 4), "Style": (8, 4)}, {"Argument": (7, 5), "Style": (7, 5)}, a="E-001", b="E-002"
    )
    stream = Stream(of).match("E-001", "E-002", fair, win(4, 8, judge=1, first="E-002"))
    assert list(comparisons(fold(of, stream.events))) == [
        Comparison("E-001", "E-002", 1.0, 0.75, 0, judge="0"),
        Comparison("E-001", "E-002", 0.0, 0.25, -1, judge="1"),
    ]
    assert table_of(stream).row("E-001").wins == 1


def test_a_lost_judgment_is_no_comparison_and_no_score() -> None:
    """R-022: a failed call is never averaged in."""
    given = case("R-022")["input"]["judgments"]
    (good,) = (score for text, score in given if text == "e1" and score >= 0)
    stream = Stream(spec(2)).match("E-001", "E-002", win(good, 6)).match("E-001", "E-002", lost(), round=2)
    table = table_of(stream)
    assert table.row("E-001").criteria == {"Argument": 8.0, "Style": 8.0}
    assert table.row("E-002").criteria == {"Argument": 6.0, "Style": 6.0}
    assert (table.comparisons, table.row("E-001").comparisons, table.row("E-001").undecided) == (1, 1, 1)
    assert table.row("E-001").warnings["failed"] == 1


def test_texts_without_a_decided_match_have_neither_rank_nor_rating() -> None:
    stream = Stream(spec(6)).round(1, ("E-001", "E-002"), ("E-003", "E-004"), byes=("E-005",))
    stream.match("E-001", "E-002", win()).match("E-003", "E-004", lost("unparseable"))
    table = table_of(stream)
    unrated = {row.alias: row for row in table.rows if row.status != "rated"}
    assert {alias: row.status for alias, row in unrated.items()} == {
        "E-003": "all judgments failed",
        "E-004": "all judgments failed",
        "E-005": "bye only",
        "E-006": "no comparison yet",
    }
    for row in unrated.values():
        assert (row.rank, row.rating, row.low, row.high, row.elo, row.comparisons) == (None, None, None, None, None, 0)
    assert [row.alias for row in table.rows] == [f"E-00{n}" for n in range(1, 7)]


def test_one_text_or_none() -> None:
    """R-016: one text is first of one and stays without a rating; no text gives an empty table."""
    (row,) = table_of(Stream(spec(1))).rows
    assert (row.rank, row.elo, row.comparisons, row.rating, row.status) == (1, 1500.0, 0, None, "no comparison yet")
    assert table_of(Stream(spec(0))).rows == ()


def test_equal_texts_stay_two_rows_at_one_rank() -> None:
    """R-018, R-019: equal ratings share a rank, and each row says with whom."""
    names = list(case("R-018")["input"]["items"])
    texts = [text(n, id=name, sha256="same", notices=("duplicate_text",)) for n, name in enumerate(names, 1)]
    table = table_of(
        Stream(spec([*texts, text(3)]))
        .match("E-001", "E-002", win(5, 5))
        .match("E-001", "E-003", win(9, 0))
        .match("E-002", "E-003", win(9, 0))
    )
    first, second, third = table.rows
    assert (first.rank, second.rank, third.rank) == (1, 1, 3)
    assert [first.id, second.id] == names
    assert first.rating == pytest.approx(second.rating)
    assert "E-002" in first.tied_with and "E-001" in second.tied_with
    assert first.warnings == {"duplicate_text": 1}


def test_two_comparisons_leave_a_wide_interval_and_a_tie() -> None:
    """R-032: little data never looks like certainty."""
    matches = case("R-032")["input"]["matches"]
    stream = Stream(spec(2))
    for number, _ in enumerate(matches, 1):
        stream.match("E-001", "E-002", win(), round=number)
    table = table_of(stream)
    for row in table.rows:
        assert row.low is not None and row.high is not None
        assert math.isfinite(row.low) and row.high - row.low > 200
    assert table.row("E-001").tied_with == ("E-002",)


def test_a_graph_in_parts_is_said() -> None:
    table = table_of(Stream(spec(5)).match("E-001", "E-002", win()).match("E-003", "E-004", win()))
    assert not table.connected
    assert table.components == (("E-001", "E-002"), ("E-003", "E-004"))
    assert table_of(played()).connected


def test_warnings_are_counted_once_a_judgment_and_never_move_a_rating() -> None:
    noted = win(warnings=(Notice(code="repaired", message="m"), Notice(code="repaired", message="m")))
    plain, warned = (table_of(Stream(spec(2)).match("E-001", "E-002", j)) for j in (win(), noted))
    assert warned.row("E-001").warnings == {"repaired": 1}
    assert [row.rating for row in plain.rows] == [row.rating for row in warned.rows]


def test_a_kept_class_is_a_set_without_order() -> None:
    table = table_of(played(8, rounds=3, narrowing=Narrowing(focus="class", k=3)))
    kept = [row for row in table.rows if row.group == "kept"]
    assert [row.alias for row in kept] == sorted(row.alias for row in table.rated[:3])
    assert [row.rank for row in kept] == [None] * 3
    assert all(row.rating is not None for row in kept)
    assert [row.alias for row in table.rows[:3]] == [row.alias for row in kept]
    assert {row.rank for row in table.rows[3:]} == {4, 5, 6, 7, 8}


def test_a_kept_rank_is_ordered() -> None:
    table = table_of(played(8, rounds=3, narrowing=Narrowing(focus="rank", k=3)))
    assert [row.group for row in table.rows] == ["kept"] * 3 + ["out"] * 5
    assert [row.rank for row in table.rows] == sorted(row.rank or 0 for row in table.rows)


@pytest.mark.parametrize(("rounds", "k"), [(2, 3), (3, 8)])
def test_narrowing_that_was_not_applied_keeps_nobody_apart(rounds: int, k: int) -> None:
    table = table_of(played(8, rounds=rounds, narrowing=Narrowing(focus="class", k=k)))
    assert {row.group for row in table.rows} == {None}
    assert all(row.rank for row in table.rows)


def test_renaming_texts_renames_the_standings() -> None:
    one = table_of(Stream(spec(3)).match("E-001", "E-002", win()).match("E-002", "E-003", win(5, 5)))
    swapped = {"Argument": (4, 8), "Style": (4, 8)}
    other = table_of(
        Stream(spec(3)).match("E-002", "E-003", decided(swapped, first="E-003")).match("E-001", "E-002", win(5, 5))
    )
    renamed = {"E-001": "E-003", "E-002": "E-002", "E-003": "E-001"}
    for row in one.rows:
        assert other.row(renamed[row.alias]).rank == row.rank


def test_an_anchor_without_a_verdict_holds_nothing_yet() -> None:
    of = spec((text(1), text(2), text(3, anchor=1700.0)))
    table = table_of(Stream(of).match("E-001", "E-002", win()))
    assert [row.alias for row in table.rated] == ["E-001", "E-002"]
