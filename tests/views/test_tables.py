"""The data frames: complete, with empty cells where nothing is known."""

from __future__ import annotations

import pandas as pd

from judge_core.views import tables
from judge_core.views.matches import letter
from judge_core.views.standings import standings
from judge_core.views.state import fold
from tests.views.streams import Stream, judge, lost, played, spec, win


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
    frame = tables.elo_table(fold(stream.spec, stream.events), {"E-001": name})
    assert isinstance(frame, pd.DataFrame) and frame.loc[0, "text"] == name
