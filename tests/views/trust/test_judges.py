"""The table of judges: the coin, the one-sided and the sharp one are told from one another; what cannot be told is empty."""

from __future__ import annotations

import pandas as pd
import pytest

from judge_core.scoring.habits.bias import share_of
from judge_core.views.reweighing import reweighed
from judge_core.views.standings import standings
from judge_core.views.state import fold
from judge_core.views.trust import judge_table
from judge_core.views.trust.judges import JUDGE_COLUMNS, discriminations
from tests.views.streams import Stream, lost, spec, win
from tests.views.trust.runs import PANEL, Simulated, played


def table_of(state):
    return judge_table(state, standings(state)).set_index("judge")


@pytest.fixture(scope="module")
def panel():
    """Two sound judges and a coin, all pairs of 16 texts."""
    return table_of(played([Simulated(1, 2), Simulated(2, 2), Simulated(3, 0)], 16, method="round-robin", rounds=15))


def test_a_coin_is_told_from_judges_with_an_opinion(panel):
    names = [judge.name for judge in PANEL]
    assert panel["adjusted infit"].idxmax() == names[2]
    assert panel["misfit"].tolist() == [False, False, True]
    assert panel["discrimination"].idxmin() == names[2]
    assert panel["discrimination high"][names[2]] < panel["discrimination low"][names[0]]
    assert panel["tau with all"].idxmin() == names[2]
    assert panel["decisions"].tolist() == [120, 120, 120]


def test_the_multipliers_have_the_geometric_mean_one(panel):
    assert panel["discrimination"].astype(float).prod() == pytest.approx(1, rel=1e-4)


def test_the_side_that_a_judge_favours_has_its_share_and_interval():
    frame = table_of(played([Simulated(4, 0.3, first=3)], 10, method="round-robin", rounds=9))
    row = frame.iloc[0]
    first, second = int(row["shown first won"]), int(row["shown second won"])
    known = share_of(first, first + second)
    assert first + second == 45
    assert (row["first share"], row["first share low"], row["first share high"]) == pytest.approx(known[2:])
    assert row["first share low"] > 0.5


def test_flips_are_counted_of_the_pairs_asked_in_both_orders():
    steady = table_of(played([Simulated(5, 50)], 8, method="round-robin", rounds=7, both_orders=True)).iloc[0]
    assert (steady["asked in both orders"], steady["flipped"], steady["flip rate"]) == (28, 0, 0)
    one_sided = table_of(played([Simulated(5, 0, first=50)], 8, method="round-robin", rounds=7, both_orders=True)).iloc[
        0
    ]
    assert one_sided["flip rate"] == 1
    assert one_sided["first share"] == 1
    once = table_of(played([Simulated(5)], 8, method="round-robin", rounds=7)).iloc[0]
    assert once["asked in both orders"] == 0
    assert pd.isna(once["flipped"])
    assert pd.isna(once["flip rate"])


def test_fewer_than_twenty_decisions_have_no_misfit_and_one_judge_no_panel_figures():
    row = table_of(played([Simulated(6)], 8, rounds=4)).iloc[0]
    assert row["decisions"] == 16
    for column in ("infit", "outfit", "adjusted infit", "misfit", "discrimination", "tau with all"):
        assert pd.isna(row[column]), column


def test_a_judge_without_any_verdict_has_an_empty_row():
    stream = Stream(spec(2, judges=PANEL[:2])).match("E-001", "E-002", win(judge=0), lost(judge=1))
    state = fold(stream.spec, stream.events)
    frame = table_of(state)
    silent = frame.loc[PANEL[1].name]
    assert silent["decisions"] == silent["shown first won"] == 0
    assert silent.drop(["decisions", "asked in both orders", "shown first won", "shown second won"]).isna().all()
    assert discriminations(state, standings(state)) == {}
    nothing = fold(stream.spec, [])
    assert list(judge_table(nothing, standings(nothing)).columns) == list(JUDGE_COLUMNS)


def test_lists_and_scores_count_as_decisions():
    frame = table_of(
        played([Simulated(7), Simulated(8)], 9, method="listwise", rounds=4, group_size=3, reverse_share=0.0)
    )
    assert frame["decisions"].tolist() == [12, 12]
    assert frame["infit"].notna().all(), "12 lists of 3 are 24 decisions"
    scored = table_of(played([Simulated(7), Simulated(8)], 9, method="pointwise"))
    assert scored["decisions"].tolist() == [9, 9]
    assert scored["infit"].isna().all()
    assert scored["tau with all"].notna().all()


def test_the_table_follows_other_weights():
    state = played([Simulated(9)], 6, method="round-robin", rounds=5)
    turned = reweighed(state, choice="overall")
    frame = judge_table(turned, standings(state, choice="overall"))
    assert frame["decisions"].tolist() == [15]
