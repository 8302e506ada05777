"""Runs that rank lists or score texts: their fold, standings, ledger, weights and files."""

from __future__ import annotations

import csv
import io

import pytest

from judge_core.records.event import GoalReached, RoundPaired, RunExtended, TextsAdded, TextsWithdrawn
from judge_core.records.spec import Goal
from judge_core.views.exports import judgments_csv, ranked_csv, run_record
from judge_core.views.reweighing import reweighed
from judge_core.views.sentence import verdict
from judge_core.views.standings import standings
from judge_core.views.state import fold
from tests.views.streams import Stream, alias, spec, text, win

A, B, C, D = (alias(number) for number in range(1, 5))


def lists() -> Stream:
    of = spec(4, method="listwise", rounds=2, group_size=3)
    stream = Stream(of, planned=2)
    stream.add(RoundPaired(round=1, pairs=(), band=(1, 4), groups=((C, A, B), (B, D, A))))
    return stream.group((C, A, B), (A, B, C)).group((B, D, A), (A, B, D)).close(1).end()


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def test_a_ranked_list_counts_as_a_meeting_of_each_two_of_its_texts() -> None:
    stream = lists()
    table = standings(fold(stream.spec, stream.events))
    assert [(row.alias, row.wins, row.losses) for row in table.rows] == [(A, 4, 0), (B, 2, 2), (C, 0, 2), (D, 0, 2)]
    assert (table.comparisons, table.rankings, table.connected) == (2, 2, True)
    assert "2 ranked lists" in verdict(fold(stream.spec, stream.events), table).sentence


def test_elo_after_lists_is_that_of_the_events_and_keeps_its_sum() -> None:
    stream = lists()
    state = fold(stream.spec, stream.events)
    assert {name: state.elo_now(name) for name in (A, B, C, D)} == stream.elo
    assert sum(stream.elo.values()) == pytest.approx(4 * 1500)


def test_the_ledger_counts_lists_as_ranked_and_sums_to_what_was_planned() -> None:
    stream = lists()
    state = fold(stream.spec, stream.events)
    assert state.ledger["ranked"] == 2 and sum(state.ledger.values()) == state.planned_judgments == 2
    assert "ranked" not in fold(spec(2), Stream(spec(2)).match(A, B, win()).events).ledger


def test_a_failed_list_ranks_nobody_until_a_retry_brings_its_verdict() -> None:
    of = spec(3, method="listwise", group_size=3)
    stream = Stream(of, planned=1).add(RoundPaired(round=1, pairs=(), band=(1, 3), groups=((A, B, C),)))
    stream.group((A, B, C), None)
    failed = fold(of, stream.events)
    assert failed.ledger["failed"] == 1 and not standings(failed).rated
    assert {row.status for row in standings(failed).rows} == {"all judgments failed"}
    stream.group((A, B, C), (B, A, C), replicate=1)
    state = failed.extended(stream.events)
    assert state == fold(of, stream.events)
    assert state.ledger["failed"] == 0 and standings(state).rows[0].alias == B
    assert state.listing(2) is state.listing(1) and len(state.listings) == 1


def test_scores_fill_the_criteria_columns_and_follow_other_weights_without_a_call() -> None:
    of = spec(2, method="pointwise")
    stream = Stream(of, planned=2).add(RoundPaired(round=1, pairs=(), band=(1, 2), singles=(A, B)))
    stream.score(A, Argument=9, Style=2).score(B, Argument=5, Style=5).close(1).end()
    state = fold(of, stream.events)
    table = standings(state)
    assert table.rows[0].alias == A and table.rows[0].criteria == {"Argument": 9.0, "Style": 2.0}
    assert table.rows[0].elo is None and (table.scores, table.rows[0].comparisons) == (2, 0)
    assert standings(state, {"Argument": 0.0, "Style": 1.0}).rows[0].alias == B
    assert reweighed(state, {"Style": 3.0}).ledger == state.ledger


def test_other_weights_leave_a_ranked_list_and_its_elo_as_they_are() -> None:
    stream = lists()
    state = fold(stream.spec, stream.events)
    again = reweighed(state, {"Argument": 0.0, "Style": 1.0})
    assert again.elo == state.elo and standings(again).rows == standings(state).rows


def test_judgments_csv_names_what_was_shown_and_how_it_was_ranked() -> None:
    stream = lists()
    rows = rows_of(judgments_csv(fold(stream.spec, stream.events)))
    assert [row["ranking"] for row in rows] == [
        "essay1.txt > essay2.txt > essay3.txt",
        "essay1.txt > essay2.txt > essay4.txt",
    ]
    assert rows[0]["a"] == "essay3.txt; essay1.txt; essay2.txt" and rows[0]["outcome"] == "ranked"


def test_a_text_that_came_late_stands_in_every_table() -> None:
    stream = Stream(spec(2, rounds=1), planned=1).round(1, (A, B)).match(A, B, win()).close(1)
    stream.add(TextsAdded(texts=(text(3),)))
    stream.elo[C] = 1500.0
    stream.round(2, (C, A)).match(C, A, win(), round=2).close(2).end()
    state = fold(stream.spec, stream.events)
    assert state.late == {C} and state.spec.text(C).id == "essay3.txt" and len(stream.spec.texts) == 2
    assert standings(state).row(C).wins == 1
    assert [row["id"] for row in rows_of(ranked_csv(state, standings(state)))][0] == "essay3.txt"


def test_a_withdrawn_text_has_no_rank_and_still_tells_about_the_others() -> None:
    stream = Stream(spec(3, rounds=2)).match(A, B, win()).match(B, C, win(), round=2)
    before = standings(fold(stream.spec, stream.events))
    stream.add(TextsWithdrawn(texts=(B,)))
    table = standings(fold(stream.spec, stream.events))
    assert [(row.alias, row.rank, row.status) for row in table.rows] == [
        (A, 1, "rated"),
        (C, 2, "rated"),
        (B, None, "withdrawn"),
    ]
    assert table.row(A).rating == before.row(A).rating and B not in table.row(A).tied_with


def test_a_goal_that_was_reached_is_said_and_a_new_one_takes_its_place() -> None:
    of = spec(2, goal=Goal(kind="top", ranks=(1,), probability=0.8))
    stream = (
        Stream(of, planned=5)
        .round(1, (A, B))
        .match(A, B, win())
        .close(1)
        .add(GoalReached(certainty=0.83, round=1))
        .end()
    )
    state = fold(of, stream.events)
    assert state.reached is not None and state.planned_matches == 1
    assert any("certainty 83%" in remark for remark in verdict(state, standings(state)).remarks)
    extended = state.extended(stream.add(RunExtended(rounds=2)).events)
    assert extended.goal is None and extended.reached is None


def test_the_machine_record_of_lists_is_whole() -> None:
    stream = lists()
    state = fold(stream.spec, stream.events)
    record = run_record("r", state, standings(state))
    assert record["judgments"]["ranked"] == 2 and record["warnings"] == {}  # type: ignore[index]
