"""The rank mode with lists, scores, goals, late and withdrawn texts, and judges drawn by lot. No judge, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from judge_core.engine.estimate import ranking_workload
from judge_core.modes.listwise.script import merged
from judge_core.modes.rank import Listing, Match, RankMode
from judge_core.modes.rank.lots import is_checked
from judge_core.ranking.schedules.schedule import planned
from judge_core.records.event import (
    Event,
    GoalReached,
    GroupJudged,
    MatchJudged,
    RetryAsked,
    RoundPaired,
    RunExtended,
    Stored,
    TextsAdded,
    TextScored,
    TextsWithdrawn,
)
from judge_core.records.item_verdict import ItemJudgment, ItemResult, PointVerdict
from judge_core.records.record import text_hash
from judge_core.records.spec import Goal, Narrowing, Spec, TextRef
from judge_core.records.verdict import Judgment, MatchResult
from judge_core.views.outlook import calls_of_judgment
from judge_core.views.standings import standings
from judge_core.views.state import fold
from tests.engine.toy import spec

Asked = Match | Listing


def longer(asked: Asked) -> MatchResult | ItemResult:
    """The longer text is the better one, whatever is asked."""
    judges = asked.judges or (0,)
    if isinstance(asked, Match):
        won = asked.a.characters > asked.b.characters
        judged = [Judgment(judge=j, outcome="won" if won else "lost", result=float(won)) for j in judges]
        return MatchResult(a=asked.a.alias, b=asked.b.alias, judgments=tuple(judged))
    if len(asked.texts) == 1:
        verdict = PointVerdict(scores={}, total=asked.texts[0].characters / 10_000)
    else:
        numbers = sorted(range(len(asked.texts)), key=lambda n: -asked.texts[n].characters)
        verdict = merged([tuple(n + 1 for n in numbers)])  # type: ignore[assignment]
    return ItemResult(
        item="", judgments=tuple(ItemJudgment(judge=j, outcome="judged", verdict=verdict) for j in judges)
    )


def silent(asked: Asked) -> MatchResult | ItemResult:
    if isinstance(asked, Match):
        return MatchResult(a=asked.a.alias, b=asked.b.alias, judgments=(Judgment(judge=0, outcome="failed"),))
    return ItemResult(item="", judgments=(ItemJudgment(judge=0, outcome="failed"),))


def played(mode: RankMode, answer: Callable[[Asked], MatchResult | ItemResult] = longer) -> list[Event]:
    events: list[Event] = []
    while (asked := mode.ask()) is not None:
        events += mode.take(answer(asked), asked.place)
    return events


def run_of(texts: int, **changes: object) -> tuple[RankMode, list[Event]]:
    mode = RankMode(spec(texts, **changes))
    return mode, mode.begin()


def order(mode: RankMode) -> list[str]:
    ranks = mode.book.posterior().ranks()
    return sorted(ranks, key=ranks.__getitem__)


def late(number: int, length: int) -> TextRef:
    words = f"late text {number}"
    return TextRef(alias=f"E-{number:03d}", id=words, title=words, sha256=text_hash(words), words=9, characters=length)


BEST_FIRST = [f"E-{number:03d}" for number in range(8, 0, -1)]


@pytest.mark.parametrize("method", ["swiss", "round-robin", "adaptive", "listwise"])
def test_every_method_finds_the_order_of_a_judge_without_error(method: str) -> None:
    mode, events = run_of(8, method=method, rounds=7, group_size=4)
    played(mode)
    assert order(mode) == BEST_FIRST


def test_a_list_moves_elo_once_and_keeps_its_sum() -> None:
    mode, events = run_of(8, method="listwise", rounds=2, group_size=4, reverse_share=0.0)
    events += played(mode)
    judged = [event for event in events if isinstance(event, GroupJudged)]
    assert len(judged) == 4 and all(len(event.texts) == 4 for event in judged)
    assert sum(mode.ratings.values()) == pytest.approx(8 * 1500)
    assert mode.ratings["E-008"] == max(mode.ratings.values())


def test_a_list_and_its_reverse_are_one_ranking_in_two_orders() -> None:
    once, _ = run_of(8, method="listwise", rounds=1, group_size=8, reverse_share=0.0)
    twice, _ = run_of(8, method="listwise", rounds=1, group_size=8, reverse_share=1.0)
    events = [played(once), played(twice)]
    assert [sum(isinstance(event, GroupJudged) for event in found) for found in events] == [1, 2]
    assert twice.ratings == once.ratings
    assert [one.weight for one in twice.book.verdicts().rankings] == [0.5, 0.5]
    plain, turned = once.book.posterior(), twice.book.posterior()
    assert turned.strengths == pytest.approx(plain.strengths, abs=0.1)
    assert turned.variances == pytest.approx(plain.variances, rel=0.1)


def test_a_list_whose_reverse_failed_counts_in_full() -> None:
    mode, _ = run_of(8, method="listwise", rounds=1, group_size=8, reverse_share=1.0)
    first, second = mode.ask(), mode.ask()
    assert first is not None and second is not None
    mode.take(silent(first), first.place)
    assert set(mode.ratings.values()) == {1500.0}
    mode.take(longer(second), second.place)
    assert len(set(mode.ratings.values())) > 1
    assert [one.weight for one in mode.book.verdicts().rankings] == [1.0]


def test_a_list_that_failed_ranks_nobody_and_can_be_asked_again() -> None:
    mode, events = run_of(4, method="listwise", rounds=1, group_size=4, reverse_share=0.0)
    events += played(mode, silent)
    (failed,) = [event for event in events if isinstance(event, GroupJudged)]
    assert failed.elo == dict.fromkeys(failed.texts, 1500.0) and set(mode.book.posterior().ranks().values()) == {1}
    mode.take(RetryAsked())
    (again,) = played(mode)
    assert isinstance(again, GroupJudged) and again.replicate == 1 and again.texts == failed.texts
    assert order(mode) == ["E-004", "E-003", "E-002", "E-001"]


def test_scores_alone_rank_the_texts_and_move_no_elo() -> None:
    mode, events = run_of(6, method="pointwise")
    events += played(mode)
    assert sum(isinstance(event, TextScored) for event in events) == 6
    assert order(mode) == BEST_FIRST[2:] and set(mode.ratings.values()) == {1500.0}


def test_scores_first_let_likely_neighbours_meet_in_the_first_round_of_pairs() -> None:
    mode, events = run_of(8, warm_start=True, rounds=1)
    events += played(mode)
    first, second = [event for event in events if isinstance(event, RoundPaired)]
    assert len(first.singles) == 8 and not first.pairs
    assert [set(pair) for pair in second.pairs] == [set(BEST_FIRST[n : n + 2]) for n in (0, 2, 4, 6)]


def test_a_run_stops_as_soon_as_its_goal_is_reached_and_says_so() -> None:
    goal = Goal(kind="order", probability=0.7)
    mode, events = run_of(8, method="swiss", rounds=7, goal=goal)
    events += played(mode)
    reached = events[-1]
    assert isinstance(reached, GoalReached) and reached.certainty >= 0.7 and mode.book.round < 7
    assert mode.conclusion.startswith("Settled:")


def test_a_goal_out_of_reach_is_said_to_be_unsettled() -> None:
    mode, events = run_of(4, rounds=1, goal=Goal(kind="order", probability=0.99))
    events += played(mode)
    assert not any(isinstance(event, GoalReached) for event in events)
    assert "Not settled:" in mode.conclusion


def test_an_extended_run_goes_on_without_a_rematch() -> None:
    mode, _ = run_of(8, rounds=2)
    played(mode)
    assert mode.ask() is None
    events = mode.take(RunExtended(rounds=2))
    events += played(mode)
    assert [event.round for event in events if isinstance(event, RoundPaired)] == [3, 4]
    assert max(mode.book.met.values()) == 1


@pytest.mark.parametrize("method", ["swiss", "round-robin", "knockout", "adaptive", "listwise", "pointwise"])
def test_a_text_added_to_a_finished_run_is_judged_and_nobody_else_is_without_it(method: str) -> None:
    mode, _ = run_of(8, method=method, rounds=3, group_size=4)
    played(mode)
    events = mode.take(TextsAdded(texts=(late(9, 10_000),)))
    events += played(mode)
    rounds = [event for event in events if isinstance(event, RoundPaired)]
    assert rounds and all(
        "E-009" in unit for paired in rounds for unit in (*paired.pairs, *paired.groups, paired.singles) if unit
    )
    best = (
        ["E-009"] if method != "knockout" else ["E-008", "E-009"]
    )  # where everyone else met but once or twice, so does it
    assert order(mode)[0] in best


def test_a_text_that_comes_while_the_run_goes_on_joins_the_next_round() -> None:
    mode, _ = run_of(6, rounds=3)
    first = mode.ask()
    assert first is not None
    mode.take(TextsAdded(texts=(late(7, 10_000), late(8, 1))))
    events = mode.take(longer(first), first.place) + played(mode)
    assert all("E-007" in str(paired.pairs) for paired in events if isinstance(paired, RoundPaired))


def test_a_withdrawn_text_is_paired_no_more() -> None:
    mode, _ = run_of(8, rounds=4)
    opened = [mode.ask() for _ in range(4)]
    mode.take(TextsWithdrawn(texts=("E-008",)))
    events = [e for asked in opened if asked is not None for e in mode.take(longer(asked), asked.place)]
    events += played(mode)
    later = [event for event in events if isinstance(event, RoundPaired)]
    assert later and not any("E-008" in pair for paired in later for pair in paired.pairs)


def test_rematches_show_the_other_text_first() -> None:
    mode, events = run_of(2, rounds=2, rematches=True)
    shown = []
    while (asked := mode.ask()) is not None:
        assert isinstance(asked, Match)
        shown.append(asked.shown_first)
        mode.take(longer(asked), asked.place)
    assert sorted(shown) == ["E-001", "E-002"]


def test_judges_drawn_by_lot_share_the_matches_evenly() -> None:
    base = spec(8, rounds=7)
    run = base.model_copy(update={"judges": base.judges * 4, "judges_per_match": 2})
    mode = RankMode(run)
    events = mode.begin() + played(mode)
    asked = [tuple(j.judge for j in event.judgments) for event in events if isinstance(event, MatchJudged)]
    assert all(len(set(judges)) == 2 for judges in asked)
    counts = Counter(judge for judges in asked for judge in judges)
    assert set(counts.values()) == {14} and len(set(asked)) > 3


def test_one_pair_in_ten_is_checked_in_both_orders() -> None:
    run: Spec = spec(8, rounds=7, order_check=True)
    mode = RankMode(run)
    mode.begin()
    both = []
    while (asked := mode.ask()) is not None:
        assert isinstance(asked, Match)
        both.append(asked.need.prompts == 2)
        mode.take(longer(asked), asked.place)
    assert 0 < sum(both) < len(both) / 3


@pytest.mark.parametrize("orders", [{}, {"order_check": True}, {"both_orders": True}])
def test_the_orders_that_are_priced_and_foreseen_are_those_that_are_asked(orders: dict[str, bool]) -> None:
    run = spec(8, rounds=7, **orders)
    numbers = range(2_000)
    checked = sum(is_checked(run.seed, number, "E-001", "E-002") for number in numbers) / len(numbers)
    asked = 2.0 if run.both_orders else 1.0 + checked * run.order_check
    assert run.mean_orders == calls_of_judgment(run) == pytest.approx(asked, abs=0.02)
    priced = ranking_workload(run, planned(run), tokens_of=lambda text: text.words, frame=10)
    assert priced.calls == round(28 * run.mean_orders)


def test_recorded_events_play_every_method_again() -> None:
    for method in ("adaptive", "listwise", "pointwise", "knockout"):
        run = spec(8, method=method, rounds=3, group_size=4)
        mode = RankMode(run)
        events = mode.begin() + played(mode)
        again = RankMode(run)
        told = again.begin()
        for event in [event for event in events if hasattr(event, "place")]:
            asked = again.ask()
            assert asked is not None and asked.place == event.place
            told += again.take(again.recall(event), asked.place)
        assert told == events and again.ratings == mode.ratings


@pytest.mark.parametrize("method", ["swiss", "adaptive"])
def test_where_every_two_texts_have_met_no_more_rounds_are_promised(method: str) -> None:
    mode, events = run_of(3, method=method, rounds=9, goal=Goal(kind="order", probability=0.999))
    events += played(mode)
    assert sum(isinstance(event, MatchJudged) for event in events) == 3
    assert "Every two texts have met" in mode.conclusion and "Not settled:" in mode.conclusion
    assert "Add texts" in mode.conclusion and "More rounds" not in mode.conclusion


def test_further_rounds_that_run_out_of_pairs_say_so() -> None:
    mode, _ = run_of(4, rounds=2)
    played(mode)
    assert "have met" not in mode.conclusion
    mode.take(RunExtended(rounds=5))
    played(mode)
    assert "Every two texts have met" in mode.conclusion and "Add texts" in mode.conclusion


def test_where_texts_may_meet_again_more_rounds_may_settle() -> None:
    mode, _ = run_of(3, method="round-robin", goal=Goal(kind="order", probability=0.999))
    played(mode)
    assert "More rounds may settle it" in mode.conclusion


def test_a_text_that_comes_after_the_goal_is_seen_to_alone() -> None:
    mode, _ = run_of(8, method="swiss", rounds=7, goal=Goal(kind="order", probability=0.7))
    played(mode)
    events = mode.take(TextsAdded(texts=(late(9, 10_000),)))
    events += played(mode)
    rounds = [event for event in events if isinstance(event, RoundPaired)]
    assert rounds and all("E-009" in pair for paired in rounds for pair in paired.pairs)


@pytest.mark.parametrize("method", ["swiss", "round-robin", "knockout", "adaptive", "listwise", "pointwise"])
@pytest.mark.parametrize(("texts", "rounds", "again"), [(4, 10, True), (8, 3, False), (7, 3, True)])
@pytest.mark.parametrize("scores_first", [False, True])
def test_in_mid_run_no_more_is_planned_than_was_foreseen(
    method: str, texts: int, rounds: int, again: bool, scores_first: bool
) -> None:
    mode, events = run_of(texts, method=method, rounds=rounds, rematches=again, group_size=4, warm_start=scores_first)
    foreseen = events[0].planned_matches
    events += played(mode)
    stored = [Stored(seq=seq, at="2026-12-01", event=event) for seq, event in enumerate(events, start=1)]
    assert foreseen == fold(mode.spec, stored).judged
    for cut in range(1, len(stored) + 1):
        state = fold(mode.spec, stored[:cut])
        assert state.planned_matches == foreseen
        assert state.ledger["waiting"] == foreseen - state.judged


def test_narrowing_that_further_rounds_bring_is_shown_once_a_round_is_narrowed() -> None:
    mode, events = run_of(8, rounds=2, narrowing=Narrowing(focus="class", k=3))
    events += played(mode)

    def groups() -> Counter[str | None]:
        stored = [Stored(seq=seq, at="2026-12-01", event=event) for seq, event in enumerate(events, start=1)]
        return Counter(row.group for row in standings(fold(mode.spec, stored)).rows)

    assert groups() == {None: 8}
    events += [further := RunExtended(rounds=2), *mode.take(further)]
    events += played(mode)
    assert groups() == {"kept": 3, "out": 5}


def test_a_text_that_comes_late_or_goes_narrows_no_round() -> None:
    mode, events = run_of(6, rounds=2, narrowing=Narrowing(focus="rank", k=2))
    events += played(mode)
    for message in (TextsAdded(texts=(late(9, 500),)), TextsWithdrawn(texts=("E-001",))):
        events += [message, *mode.take(message), *played(mode)]
    stored = [Stored(seq=seq, at="2026-12-01", event=event) for seq, event in enumerate(events, start=1)]
    assert not any(paired.narrowed for paired in fold(mode.spec, stored).rounds.values())
