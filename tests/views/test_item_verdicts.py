"""The panel's verdicts on items: known answers by mode, and rules that hold whatever the judges say."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.item import Pattern
from judge_core.records.item_verdict import ItemJudgment, ItemVerdict
from judge_core.records.spec import ItemMode
from judge_core.views.items.machine import item_record
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.agent import agent_panel, patterns
from judge_core.views.items.verdicts.lists import kendalls_w, list_panel, mid_ranks, places
from judge_core.views.items.verdicts.panel import majority, weighted_mean
from judge_core.views.items.verdicts.points import gate_decision, gate_passed, point_panel
from judge_core.views.items.verdicts.rag import rag_panel
from judge_core.views.items.verdicts.summary import interval, summary
from tests.views.item_streams import (
    MODES,
    ItemStream,
    acted,
    answered,
    golden,
    item,
    item_spec,
    judged,
    listed,
    panel,
    part,
    point,
    silent,
)


def test_review_means_are_weighted_over_the_judges_that_spoke() -> None:
    state = golden("review").state
    first = point_panel(state, "I-001")
    assert first is not None
    assert first.scores["Argument"].value == pytest.approx((2 * 8 + 5) / 3)
    assert first.total == pytest.approx((2 * 0.7 + 0.55) / 3)
    assert first.score5 == pytest.approx(1 + 4 * first.total)
    assert first.spread == pytest.approx(0.15) and first.judges == 2
    assert point_panel(state, "I-003") is None, "a lost judgment is no score"


def test_one_judges_spread_is_unknown_and_prose_without_scores_leaves_them_empty() -> None:
    state = ItemStream(item_spec("review", 1, judges=panel(1, 1))).item(1, judged(point(total=0.7)), silent(1)).state
    found = point_panel(state, "I-001")
    assert found is not None and (found.total, found.spread) == (0.7, None)
    assert {mean.value for mean in found.scores.values()} == {None}


def test_the_gates_golden_run() -> None:
    state = golden("gate").state
    found = {item.alias: gate_decision(state, item.alias) for item in state.spec.items}
    assert {alias: decision.why for alias, decision in found.items()} == {
        "I-001": "passed",
        "I-002": "below_bar",
        "I-003": "hedged",
        "I-004": "judge_missing",
    }
    assert [decision.passed for decision in found.values()] == [True, False, False, False]
    assert found["I-001"].score5 == pytest.approx(1 + 4 * (2 * 0.8 + 0.7) / 3)
    assert not gate_passed(state)


def gate(*judgments: ItemJudgment, bar: float = 3.5, judges: int = 1) -> ItemStream:
    return ItemStream(item_spec("gate", 1, bar=bar, judges=panel(*[1] * judges))).item(1, *judgments)


def test_the_gate_opens_only_when_the_run_is_done_and_all_pass() -> None:
    stream = gate(judged(point(9, 9, stated="pass")))
    assert not gate_passed(stream.state), "still running"
    assert not gate_passed(gate(judged(point(9, 9))).end("budget").state)
    assert gate_passed(stream.end().state)
    assert not gate_passed(golden("review").state), "a review has no bar"


def test_a_score_within_a_hair_of_the_bar_passes_and_one_below_does_not() -> None:
    bar = 1 + 4 * 0.625
    assert gate_decision(gate(judged(point(total=0.625 - 1e-10)), bar=bar).state, "I-001").passed
    assert gate_decision(gate(judged(point(total=0.625 - 1e-9)), bar=bar).state, "I-001").why == "below_bar"


def test_no_verdict_is_no_score_and_no_pass_even_at_the_lowest_bar() -> None:
    decision = gate_decision(gate(silent(), bar=1.0).end().state, "I-001")
    assert (decision.passed, decision.score5, decision.why) == (False, None, "no_verdict")


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from(["pass", "fail", "hedged", None]), st.booleans()),
        min_size=1,
        max_size=4,
    ),
    st.floats(1, 5),
)
@settings(deadline=None)
def test_the_gate_fails_closed(said: list[tuple[float, str | None, bool]], bar: float) -> None:
    """One silent judge, one that rejects or one that hedges is enough; and no pass lies below the bar."""
    made = [
        judged(point(total=total, stated=stated), number) if spoke else silent(number)
        for number, (total, stated, spoke) in enumerate(said)
    ]
    decision = gate_decision(gate(*made, bar=bar, judges=len(said)).state, "I-001")
    sound = all(spoke and stated in ("pass", None) for _, stated, spoke in said)
    mean = sum(total for total, _, _ in said) / len(said)
    if not sound or 1 + 4 * mean < bar - 1e-6:
        assert not decision.passed and decision.why != "passed"
    elif 1 + 4 * mean > bar + 1e-6:
        assert decision.passed and decision.why == "passed"
    assert (decision.score5 is None) == (not any(spoke for *_, spoke in said))


def test_positions_are_merged_by_weight_and_equal_ones_share_a_place() -> None:
    state = golden("listwise").state
    first, second = list_panel(state, "I-001"), list_panel(state, "I-002")
    assert first is not None and second is not None
    assert first.positions == pytest.approx(((2 * 1 + 2) / 3, (2 * 2 + 1) / 3, 3.0))
    assert (first.ranking, first.places) == ((1, 2, 3), (1, 2, 3))
    assert (second.ranking, second.places, second.agreement) == ((1, 2, 3), (1, 1, 3), None)


def test_kendalls_w_known_answers() -> None:
    """Three judges on six objects (no ties), and one with ties: both against Friedman's statistic, chi2 = m (n - 1) W."""
    plain: list[list[float]] = [[1, 6, 3, 2, 5, 4], [1, 5, 6, 2, 4, 3], [6, 3, 2, 5, 4, 1]]
    assert kendalls_w(plain) == pytest.approx(12 * 33.5 / (3**2 * (6**3 - 6))), "rank sums 8, 14, 11, 9, 13, 8"
    tied: list[list[float]] = [[1, 2.5, 2.5, 4], [2, 2, 2, 4], [1, 2, 3.5, 3.5]]
    for ranks in (plain, tied):
        chi2 = stats.friedmanchisquare(*zip(*ranks, strict=True)).statistic
        assert kendalls_w(ranks) == pytest.approx(chi2 / (len(ranks) * (len(ranks[0]) - 1)))
    assert kendalls_w([[1.5, 1.5], [1.5, 1.5]]) is None, "nobody tells any two apart"


@given(
    st.lists(st.lists(st.integers(1, 4), min_size=3, max_size=3), min_size=2, max_size=5), st.permutations([0, 1, 2])
)
def test_agreement_lies_between_none_and_full_and_knows_no_order(rows: list[list[int]], order: list[int]) -> None:
    found = kendalls_w(rows)
    assert found is None or 0 <= found <= 1
    assert kendalls_w(rows[::-1]) == pytest.approx(found)
    assert kendalls_w([[row[index] for index in order] for row in rows]) == pytest.approx(found)


@given(st.lists(st.sampled_from([1.0, 1.5, 2.0, 3.0]), min_size=1, max_size=8))
def test_mid_ranks_are_those_of_the_field(positions: list[float]) -> None:
    assert mid_ranks(positions) == pytest.approx(stats.rankdata(positions))
    assert list(places(positions)) == list(stats.rankdata(positions, method="min"))


def test_metrics_leave_out_what_was_not_measured_and_keep_the_number_of_judges() -> None:
    found = rag_panel(golden("rag").state, "I-001")
    assert found is not None
    assert (found.metrics["faithfulness"].value, found.metrics["faithfulness"].judges) == (pytest.approx(2.5 / 3), 2)
    assert (found.metrics["context_precision"].value, found.metrics["context_precision"].judges) == (0.5, 1)
    assert (found.metrics["coverage"].value, found.metrics["coverage"].judges) == (None, 0)


def test_given_claims_get_the_majority_by_weight() -> None:
    found = rag_panel(golden("rag").state, "I-001")
    assert found is not None
    assert [(claim.claim, claim.found_by, claim.verdict) for claim in found.claims] == [
        (1, None, "supported"),
        (2, None, "supported"),
    ]
    assert [passage.relevant for passage in found.passages] == [True, False]


def test_evenly_split_labels_are_disputed() -> None:
    found = rag_panel(golden("rag", judges=panel(1, 1)).state, "I-001")
    assert found is not None
    assert [claim.verdict for claim in found.claims] == ["supported", "disputed"]
    assert [passage.relevant for passage in found.passages] == [True, None]


def test_claims_that_judges_found_themselves_are_never_merged_by_number() -> None:
    found = rag_panel(golden("rag").state, "I-002")
    assert found is not None
    assert [(claim.claim, claim.found_by, claim.verdict) for claim in found.claims] == [
        (1, 0, "supported"),
        (2, 0, "not_found"),
        (1, 1, "contradicted"),
    ]


def test_an_answer_without_claims_has_a_verdict_and_no_faithfulness() -> None:
    state = golden("rag").state
    found, whole = rag_panel(state, "I-003"), summary(state)
    assert found is not None and found.claims == () and found.metrics["faithfulness"].value is None
    faithfulness = whole.figure("faithfulness")
    assert (faithfulness.n, faithfulness.missing, whole.judged) == (2, 1, 3)
    assert faithfulness.low is None, "no interval below three values"
    assert faithfulness.mean == pytest.approx((2.5 / 3 + (2 * 0.5 + 0) / 3) / 2)


def test_agent_steps_goal_and_patterns() -> None:
    state = golden("agent").state
    first, second = agent_panel(state, "I-001"), agent_panel(state, "I-002")
    assert first is not None and second is not None
    assert (first.goal, first.metrics["goal"].value) == ("achieved", pytest.approx(2.5 / 3))
    assert [step.label for step in first.steps] == ["useful", "useful", "redundant"]
    assert [step.call_correct for step in second.steps] == [False, True, True]
    (found,) = patterns(state, "I-002")
    assert (found.name, found.rules, found.judges, found.severity, found.steps) == (
        "repetition_loop", True, 1, 1, (1, 2, 3),
    )  # fmt: skip
    assert agent_panel(state, "I-003") is None


def test_patterns_of_judges_alone_take_their_gravest_word() -> None:
    """Where the rules found it too, theirs counts (the golden run: severity 1, though a judge says 2)."""
    seen = [
        Pattern(name="ping_pong", steps=steps, severity=severity, taxonomy="coordination_error", source="judge")
        for steps, severity in (((1, 2), 2), ((2,), 3))
    ]
    stream = ItemStream(item_spec("agent", [item(1, [part("step")])], judges=panel(1, 1)))
    stream.item(1, *(judged(acted("partly", "useful", patterns=[own]), n) for n, own in enumerate(seen)))
    (found,) = patterns(stream.state, "I-001")
    assert (found.severity, found.steps, found.rules, found.judges) == (3, (1, 2), False, 2)


def test_a_split_panel_disputes_goal_and_steps() -> None:
    found = agent_panel(golden("agent", judges=panel(1, 1)).state, "I-001")
    assert found is not None
    assert found.goal == "disputed"
    assert [step.label for step in found.steps] == ["useful", "disputed", "redundant"]


def test_the_rules_patterns_need_no_verdict() -> None:
    drift = Pattern(name="expansion_drift", severity=4, taxonomy="specification_error")
    state = ItemStream(item_spec("agent", [item(1, [part("step")], patterns=(drift,))])).state
    assert [(found.name, found.rules, found.judges) for found in patterns(state, "I-001")] == [
        ("expansion_drift", True, 0)
    ]
    assert summary(state).counts["pattern: expansion_drift"] == 1


def test_the_interval_is_students() -> None:
    values = [0.2, 0.5, 0.9, 0.7]
    expected = stats.t.interval(0.95, 3, loc=stats.tmean(values), scale=stats.sem(values))
    assert interval(values, (-9, 9)) == pytest.approx(expected)
    assert interval(values, (0, 1)) == pytest.approx((max(expected[0], 0), min(expected[1], 1)))
    assert interval(values[:2], (0, 1)) == (None, None)


def test_means_count_what_is_missing() -> None:
    whole = summary(golden("review").state)
    score = whole.figure("score", "score")
    assert (score.n, score.missing, whole.items, whole.judged) == (2, 1, 3, 2)
    state = golden("gate").state
    assert summary(state).share_passed == 0.25
    assert summary(state).counts == {
        "passed": 1, "below_bar": 1, "rejected": 0, "hedged": 1, "no_verdict": 0, "judge_missing": 1,
    }  # fmt: skip


def test_trials_of_one_task_count_as_one_value() -> None:
    """Repeated trials are no independent evidence: the interval rests on tasks."""
    runs = [item(n, [part("step")], trial=f"task {n % 3}") for n in range(1, 7)]
    stream = ItemStream(item_spec("agent", runs))
    for number in range(1, 7):
        stream.item(number, judged(acted("achieved" if number % 3 else "not_achieved", "useful")))
    whole = summary(stream.state)
    assert (whole.unit, whole.figure("goal").n, whole.figure("goal").mean) == ("tasks", 3, pytest.approx(2 / 3))


def test_a_criterion_named_like_a_figure_keeps_its_own() -> None:
    named = (Criterion(name="score", scale_min=0, scale_max=10),)
    spec = item_spec("review", 1, rubric=Rubric(criteria=named))
    whole = summary(ItemStream(spec).item(1, judged(point(5, criteria=named))).state)
    assert (whole.figure("score", "criterion").mean, whole.figure("score", "score").mean) == (5.0, 3.0)


@given(st.lists(st.tuples(st.floats(0.001, 1000), st.one_of(st.none(), st.floats(0, 1))), max_size=5))
def test_a_mean_stays_among_its_values_and_knows_no_order(values: list[tuple[float, float | None]]) -> None:
    found, known = weighted_mean(values), [value for _, value in values if value is not None]
    assert found.judges == len(known) and (found.value is None) == (not known)
    if found.value is not None:
        assert min(known) <= found.value <= max(known)
        assert weighted_mean(values[::-1]).value == pytest.approx(found.value)


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from("abc")), min_size=1, max_size=6))
def test_a_majority_knows_no_order_of_votes(votes: list[tuple[int, str]]) -> None:
    found = majority(votes)
    assert all(majority(order) == found for order in itertools.islice(itertools.permutations(votes), 24))
    sums = {label: sum(w for w, own in votes if own == label) for label in "abc"}
    best = [label for label, total in sums.items() if total == max(sums.values())]
    assert found == (best[0] if len(best) == 1 else None)


def test_weights_that_do_not_add_up_exactly_still_tie() -> None:
    assert majority([(0.1, "a"), (0.2, "a"), (0.3, "b")]) is None


def stripped(state: ItemState) -> list[object]:
    """Everything that the record says in numbers and labels, without the warnings beside them."""
    record = item_record("r", state)
    for line in record["items"]:
        line.pop("warnings")
        for made in line["judgments"]:
            made.pop("warnings")
    return [record["summary"], record["verdict"], record["items"], record["counts"]]


@pytest.mark.parametrize("mode", MODES)
def test_warnings_never_change_a_number(mode: ItemMode) -> None:
    stream = golden(mode)
    plain = [stored.model_copy(update={"event": without_warnings(stored.event)}) for stored in stream.events]
    bare = ItemStream(stream.spec)
    bare.events = plain
    assert stripped(bare.state) == stripped(stream.state)


def without_warnings(event: object) -> object:
    if not hasattr(event, "judgments"):
        return event
    judgments = tuple(judgment.model_copy(update={"warnings": ()}) for judgment in event.judgments)
    return event.model_copy(update={"judgments": judgments})  # type: ignore[attr-defined]


@pytest.mark.parametrize("mode", MODES)
def test_other_names_and_another_order_of_items_change_no_verdict(mode: ItemMode) -> None:
    stream = golden(mode)
    renamed = tuple(
        given_item.model_copy(update={"id": f"other {n}", "title": "?", "author": "a", "columns": {}})
        for n, given_item in enumerate(stream.spec.items)
    )
    other = ItemStream(stream.spec.model_copy(update={"items": renamed[::-1]}))
    other.events = stream.events
    one, two = item_record("r", stream.state), item_record("r", other.state)
    by_alias = {line["alias"]: line for line in two["items"]}
    for line in one["items"]:
        assert by_alias[line["alias"]]["panel"] == line["panel"]
    assert [f["mean"] for f in two["summary"]["figures"]] == pytest.approx(
        [f["mean"] for f in one["summary"]["figures"]]
    )


@pytest.mark.parametrize("mode", MODES)
def test_a_lost_judgment_is_no_score(mode: ItemMode) -> None:
    """A judge that failed changes nothing in the panel's verdict but a gate's decision."""
    verdicts: dict[ItemMode, ItemVerdict] = {
        "review": point(3, 4), "gate": point(9, 9), "listwise": listed(2, 1),
        "rag": answered({1: "supported"}), "agent": acted("partly", "useful"),
    }  # fmt: skip
    parts = [part("candidate", 1), part("candidate", 2), part("step")]
    alone = ItemStream(item_spec(mode, [item(1, parts)], judges=panel(1))).item(1, judged(verdicts[mode]))
    beside = ItemStream(item_spec(mode, [item(1, parts)], judges=panel(1, 5))).item(
        1, judged(verdicts[mode]), silent(1)
    )
    one, two = (item_record("r", stream.state)["items"][0]["panel"] for stream in (alone, beside))
    for made in (one, two):
        made.pop("passed", None), made.pop("why", None)
    assert one == two


def test_repeated_trials_are_summed_up_as_pass_to_the_k_by_the_check_and_by_the_judges() -> None:
    """Two tasks of two trials: one succeeds twice, the other once: pass^1 = 3/4, pass^2 = 1/2."""
    items = [
        item(n, [part("goal"), part("step")], trial=task, success=success)
        for n, (task, success) in enumerate([("a", True), ("a", True), ("b", True), ("b", False)], start=1)
    ]
    stream = ItemStream(item_spec("agent", items))
    for n in range(1, 5):
        stream.item(n, judged(acted("achieved" if n < 4 else "not_achieved", "useful")))
    figures = {f.name: (f.mean, f.n) for f in summary(stream.end().state).figures if f.kind == "trials"}
    assert figures == {
        "pass^1 (outside check)": (0.75, 2), "pass^2 (outside check)": (0.5, 2),
        "pass^1 (judges)": (0.75, 2), "pass^2 (judges)": (0.5, 2),
    }  # fmt: skip
