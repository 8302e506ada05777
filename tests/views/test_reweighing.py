"""Other weights, or the judges' overall choice, on a finished run: no call, no old totals."""

from __future__ import annotations

import math

import pytest

from judge_core.records.errors import InputError
from judge_core.records.verdict import Judgment
from judge_core.views.reweighing import Choice, reweighed
from judge_core.views.standings import standings
from judge_core.views.state import RunState, fold
from tests.views.streams import Stream, both_orders, decided, judge, lost, played, spec, win

SPLIT = {"Argument": (9.0, 2.0), "Style": (3.0, 8.0)}


def one(judgment: Judgment) -> RunState:
    stream = Stream(spec(2), planned=1).match("E-001", "E-002", judgment)
    return fold(stream.spec, stream.events)


def test_new_weights_give_new_totals_winner_and_rank() -> None:
    """C-005: totals are recomputed, nothing is asked."""
    state = one(decided(SPLIT))
    assert standings(state).row("E-001").rank == 1
    style = reweighed(state, {"Argument": 0.1, "Style": 0.9})
    (judgment,) = style.matches[1].judgments
    assert judgment.totals is not None
    assert (judgment.totals.a, judgment.totals.b) == pytest.approx((0.36, 0.74))
    assert (judgment.outcome, judgment.result, style.ledger["lost"]) == ("lost", 0.0, 1)
    table = standings(state, {"Argument": 0.1, "Style": 0.9})
    assert [(row.alias, row.rank, row.wins) for row in table.rows] == [("E-002", 1, 1), ("E-001", 2, 0)]
    assert (table.row("E-002").elo, style.spent) == (1516.0, state.spent)
    assert table.weights == {"Argument": 0.1, "Style": 0.9}
    assert state.matches[1].judgments[0].outcome == "won"


def test_the_runs_own_weights_change_nothing() -> None:
    stream = played(6)
    state = fold(stream.spec, stream.events)
    again = reweighed(state, {"Argument": 2, "Style": 2})
    assert again.matches == state.matches
    assert again.elo == state.elo


def test_elo_is_replayed_with_the_verdicts_that_moved_it() -> None:
    panel = Stream(spec(2, judges=(judge("a"), judge("b"))), planned=1).match("E-001", "E-002", win(), lost(judge=1))
    panel.match("E-001", "E-002", win(4, 8, judge=1), replicate=1)
    state = fold(panel.spec, panel.events)
    again = reweighed(state, {"Argument": 1})
    assert (again.matches, again.elo_now("E-001")) == (state.matches, 1516.0)


def test_a_criterion_of_weight_0_is_left_out() -> None:
    assert reweighed(one(decided(SPLIT)), {"Argument": 0}).matches[1].result == 0.0


def test_a_flip_may_come_and_go_with_the_weights() -> None:
    other = {"Argument": (4.0, 5.0), "Style": (2.0, 9.0)}
    state = one(both_orders(SPLIT, other, a="E-001", b="E-002"))
    assert state.matches[1].judgments[0].outcome == "flipped"
    (judgment,) = reweighed(state, {"Argument": 0}).matches[1].judgments
    assert (judgment.outcome, judgment.warnings) == ("lost", ())
    (again,) = reweighed(reweighed(state, {"Argument": 0}), {"Argument": 1}).matches[1].judgments
    assert (again.outcome, [notice.code for notice in again.warnings]) == ("flipped", ["position_flip"])


def test_the_overall_choice_counts_the_winner_that_the_judge_named() -> None:
    state = one(decided(SPLIT, stated="B"))
    assert reweighed(state, choice="overall").matches[1].result == 0.0
    assert standings(state, choice="overall").row("E-002").rank == 1


def test_two_orders_that_name_different_winners_are_a_tie() -> None:
    judgment = both_orders(SPLIT, SPLIT, a="E-001", b="E-002")
    orders = [order.model_copy(update={"stated": side}) for order, side in zip(judgment.orders, "AB", strict=True)]
    state = reweighed(one(judgment.model_copy(update={"orders": tuple(orders)})), choice="overall")
    assert state.matches[1].judgments[0].outcome == "flipped"
    one_sided = [order.model_copy(update={"stated": s}) for order, s in zip(judgment.orders, ("A", "tie"), strict=True)]
    state = reweighed(one(judgment.model_copy(update={"orders": tuple(one_sided)})), choice="overall")
    assert state.matches[1].judgments[0].outcome == "won"


def test_a_reply_without_an_overall_choice_is_no_comparison_by_choice() -> None:
    table = standings(one(decided(SPLIT, stated=None)), choice="overall")
    assert (table.comparisons, table.rows[0].rating) == (0, None)


@pytest.mark.parametrize("choice", ["criteria", "overall"])
def test_what_failed_stays_failed(choice: Choice) -> None:
    state = reweighed(one(lost()), {"Argument": 3}, choice)
    assert (state.ledger["failed"], state.matches[1].result, state.elo_now("E-001")) == (1, None, 1500.0)


def test_a_reply_that_scored_no_criterion_by_name_keeps_its_verdict() -> None:
    (criterion,) = [c.model_copy(update={"name": "Total"}) for c in spec().rubric.criteria[:1]]
    state = one(decided({"Total": (7, 5)}, (criterion,)))
    assert reweighed(state, {"Argument": 0.1}).matches[1].result == 1.0


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ({"Tone": 1.0}, "no criterion 'Tone'"),
        ({"Style": -1.0}, "from 0 up"),
        ({"Style": math.nan}, "from 0 up"),
        ({"Style": 0.0, "Argument": 0.0}, "All weights are 0"),
    ],
)
def test_weights_that_cannot_be_used_are_named(weights: dict[str, float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        reweighed(one(win()), weights)
