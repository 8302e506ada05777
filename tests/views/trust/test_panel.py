"""Judges beside one another."""

from __future__ import annotations

import pytest

from judge_core.scoring.habits.bias import share_of
from judge_core.views.standings import standings
from judge_core.views.state import fold
from judge_core.views.trust import leave_one_out_tables, pair_agreement_table, panel_summary
from judge_core.views.trust.panel import votes
from tests.views.streams import Stream, lost, spec, win
from tests.views.trust.runs import PANEL, Simulated, played

NAMES = [judge.name for judge in PANEL]


@pytest.fixture(scope="module")
def panel():
    return played([Simulated(1, 3), Simulated(2, 3), Simulated(3, 0)], 10, method="round-robin", rounds=9)


def test_each_two_judges_stand_with_what_they_have_in_common(panel):
    frame = pair_agreement_table(panel)
    assert list(zip(frame["judge"], frame["other judge"], strict=True)) == [
        (NAMES[0], NAMES[1]),
        (NAMES[0], NAMES[2]),
        (NAMES[1], NAMES[2]),
    ]
    assert (frame["in common"] == 45).all()
    assert frame["kappa"].idxmax() == 0
    for row in frame.to_dict("records"):
        assert [row["share"], row["share low"], row["share high"]] == pytest.approx(share_of(row["agreed"], 45)[2:])


def test_agreement_by_hand():
    """Alike on the first match, not on the second; the third was decided by one judge only."""
    stream = Stream(spec(6, judges=PANEL[:2]))
    stream.match("E-001", "E-002", win(judge=0), win(judge=1))
    stream.match("E-003", "E-004", win(judge=0), win(4, 8, judge=1))
    stream.match("E-005", "E-006", win(judge=0), lost(judge=1))
    state = fold(stream.spec, stream.events)
    assert votes(state) == {"1": {"0": "won", "1": "won"}, "2": {"0": "won", "1": "lost"}}
    [row] = pair_agreement_table(state).to_dict("records")
    assert (row["in common"], row["agreed"], row["share"], row["kappa"]) == (2, 1, 0.5, 0.0)


def test_two_texts_of_a_list_that_both_judges_ranked_are_a_pair():
    state = played(
        [Simulated(1, 50), Simulated(2, 50)], 6, method="listwise", rounds=1, group_size=3, reverse_share=0.0
    )
    [row] = pair_agreement_table(state).to_dict("records")
    assert (row["in common"], row["share"]) == (6, 1.0)


def test_the_order_without_each_judge(panel):
    table = standings(panel)
    frame, ranks = leave_one_out_tables(panel, table, {"E-001": "First"})
    ranks = ranks.set_index("text")
    assert frame["without"].tolist() == NAMES
    assert ranks.columns.tolist() == ["rank", *(f"without {name}" for name in NAMES)]
    for row in frame.to_dict("records"):
        moves = (ranks["rank"] - ranks[f"without {row['without']}"]).abs()
        assert moves.max() == abs(row["rank by all"] - row["rank without"])
        assert moves[row["text moved most"]] == moves.max()
        assert -1 <= row["tau"] <= 1
    assert "First" in ranks.index


def test_the_panel_in_figures(panel):
    whole = panel_summary(panel, standings(panel))
    assert (whole.judges, whole.shared) == (3, 45)
    assert 0 < whole.alpha < 1
    assert 1 <= whole.size.effective <= 3


def test_one_judge_is_no_panel():
    state = played([Simulated(1)], 8, rounds=4)
    table = standings(state)
    whole = panel_summary(state, table)
    assert (whole.judges, whole.shared, whole.alpha, whole.size) == (1, 0, None, None)
    assert pair_agreement_table(state).empty
    judges, texts = leave_one_out_tables(state, table)
    assert judges.empty and texts.columns.tolist() == ["text", "rank"]


def test_judges_drawn_by_lot_share_what_they_share():
    bench = [Simulated(1, 3), Simulated(2, 3), Simulated(3, 3)]
    state = played(bench, 10, method="round-robin", rounds=9, judges_per_match=2)
    assert pair_agreement_table(state)["in common"].sum() == 45


def test_before_anything_is_judged_there_is_nothing():
    state = fold(spec(4, judges=PANEL), [])
    table = standings(state)
    assert leave_one_out_tables(state, table).judges.empty
    assert panel_summary(state, table).size is None
    assert pair_agreement_table(state).empty
