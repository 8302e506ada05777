"""The data frames: complete, with empty cells where nothing is known."""

from __future__ import annotations

import pandas as pd

from judge_core.records.criteria import Criterion, Rubric
from judge_core.views import tables
from judge_core.views.matches import letter
from judge_core.views.standings import standings
from judge_core.views.state import fold
from tests.views.streams import Stream, decided, judge, lost, played, spec, turn, win


def test_the_standings_table_leaves_empty_what_was_not_measured() -> None:
    stream = Stream(spec(3)).match("E-001", "E-002", win())
    frame = tables.standings_table(standings(fold(stream.spec, stream.events)), {"E-001": "Ann"})
    assert list(frame["text"]) == ["Ann", "E-002", "E-003"]
    assert list(frame["rank"].isna()) == [False, False, True]
    assert frame.loc[2, ["rating", "low", "high", "elo", "Argument"]].isna().all()
    assert frame["rating"].dtype == "float64"


def test_a_criterion_named_like_a_column_overwrites_none() -> None:
    named = (Criterion(name="rank"), Criterion(name="rating"))
    stream = Stream(spec(2, rubric=Rubric(criteria=named)))
    stream.match("E-001", "E-002", decided({"rank": (9, 1), "rating": (9, 1)}, named))
    frame = tables.standings_table(standings(fold(stream.spec, stream.events)))
    assert list(frame["rank"]) == [1, 2]
    assert frame.loc[0, "criterion: rank"] == frame.loc[0, "criterion: rating"] == 9.0
    assert frame.columns.is_unique


def test_the_matches_table_shows_paired_matches_as_waiting() -> None:
    stream = Stream(spec(4)).round(1, ("E-001", "E-002"), ("E-003", "E-004"))
    state = fold(stream.spec, stream.match("E-001", "E-002", win(turns=(turn(cost=None),))).events)
    frame = tables.matches_table(state)
    assert list(frame["outcome"]) == ["left won", "waiting"]
    assert frame["place"].isna().tolist() == [False, True]
    assert frame["cost"].isna().all(), "an unknown cost is empty"
    assert tables.matches_table(fold(spec(2), [])).empty


def test_rounds_name_band_and_byes() -> None:
    stream = Stream(spec(5)).round(1, ("E-001", "E-002"), byes=("E-005",), band=(1, 3)).close(1)
    (row,) = tables.rounds_table(fold(stream.spec, stream.events)).to_dict("records")
    assert row == {"round": 1, "ranks": "1 to 3", "matches": 1, "byes": "E-005", "closed": True}


def test_ledger_and_judges_count_every_judgment() -> None:
    stream = Stream(spec(2, judges=(judge("a"), judge("b"))), planned=2).match("E-001", "E-002", win(), lost(judge=1))
    state = fold(stream.spec, stream.events)
    ledger = tables.ledger_table(state)
    assert len(ledger) == 9 and ledger["judgments"].sum() == 4
    judges = tables.judges_table(state).set_index("judge")
    assert (judges.loc["a", "shown first won"], judges.loc["b", "failed"], judges.loc["a", "cost"]) == (1, 1, 0.01)


def test_the_judgments_of_a_match_stand_with_both_texts_scores() -> None:
    stream = Stream(spec(2)).match("E-001", "E-002", win(8, 4))
    state = fold(stream.spec, stream.events)
    (row,) = tables.judgments_table(state.matches[1], state).to_dict("records")
    assert (row["Argument (a)"], row["Argument (b)"], row["shown first"]) == (8, 4, "E-001")


def test_the_elo_table_is_the_twin_of_its_chart() -> None:
    stream = Stream(spec(2)).match("E-001", "E-002", win())
    frame = tables.elo_table(fold(stream.spec, stream.events))
    assert frame.values.tolist() == [
        ["E-001", 0, 1500.0],
        ["E-001", 1, 1516.0],
        ["E-002", 0, 1500.0],
        ["E-002", 1, 1484.0],
    ]


def test_the_win_matrix_is_read_from_the_rows_side() -> None:
    stream = played(4, rounds=2)
    state = fold(stream.spec, stream.events)
    frame = tables.win_matrix_table(state, standings(state))
    mirrored = {"W": "L", "L": "W", "T": "T", "": ""}
    for row in frame.index:
        for column in frame.columns:
            assert frame.loc[column, row] == mirrored[frame.loc[row, column]]
    view = state.matches[1]
    assert frame.loc[view.a, view.b] == letter(view.result)


def test_hostile_names_stay_cells() -> None:
    stream = Stream(spec(2)).match("E-001", "E-002", win())
    name = "<script>document.title='pwned'</script>"
    frame = tables.matches_table(fold(stream.spec, stream.events), {"E-001": name})
    assert isinstance(frame, pd.DataFrame) and frame.loc[0, "a"] == name
