"""Refinement tournaments by script: who becomes the incumbent, when it ends, what an outage does, what a person can do."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.refine.dialogues import StepDialogue, VoteDialogue
from judge_core.modes.refine.lots import coin, order_for
from judge_core.modes.refine.mode import RefineMode
from judge_core.records.event import Cancelled, RetryAsked, RunExtended
from judge_core.records.refinement.events import IncumbentAccepted, NoteGiven, PassComplete, StepTaken
from judge_core.records.refinement.nouns import VERSIONS, Seat
from tests.modes.refine.script import FIRST, Script, best, folded, played, spec, tournament, written


def test_an_incumbent_that_always_wins_converges_after_two_passes_and_stays_the_first_text():
    state = tournament(Script(["A"]))
    assert state.ended and (state.ended.outcome, state.ended.pass_num) == ("converged", 2)
    assert state.incumbent == written(FIRST) and state.streak == 2 and state.stage == "converged"
    assert sum(len(view.steps) + len(view.votes) for view in state.passes.values()) == 2 * (3 + 3)


def test_a_synthesis_that_always_wins_runs_to_the_last_pass_and_each_is_the_next_incumbent():
    state = tournament(Script(["AB"]), spec(stopping={"max_rounds": 3}))
    assert state.ended and (state.ended.outcome, state.ended.pass_num) == ("max_rounds", 3)
    after = [view.decision.after for view in state.passes.values() if view.decision]
    assert after == [written(f"synthesizer of pass {number}") for number in (1, 2, 3)]
    assert [view.before for view in state.passes.values()] == [written(FIRST), *after[:-1]]


def test_a_revision_then_a_synthesis_then_two_wins_end_after_four_passes():
    state = tournament(Script(["B", "AB", "A", "A"]))
    assert len(state.passes) == 4 and state.incumbent == written("synthesizer of pass 2")


def test_a_pass_asks_critic_author_synthesizer_and_then_every_judge():
    script = Script(["A"])
    tournament(script, spec(judges=2))
    first = script.asked[:5]
    assert [one.role if isinstance(one, StepDialogue) else one.seat for one in first] == [
        "critic", "author_b", "synthesizer", 0, 1,
    ]  # fmt: skip
    critic, author, synthesizer = (one for one in first if isinstance(one, StepDialogue))
    assert critic.shown == (written(FIRST),)
    assert author.shown == (written(FIRST), written("critic of pass 1"))
    assert set(synthesizer.shown) == {written(FIRST), written("author_b of pass 1")}
    vote = first[-1]
    assert isinstance(vote, VoteDialogue)
    assert vote.versions == (written(FIRST), written("author_b of pass 1"), written("synthesizer of pass 1"))


def test_a_version_with_the_incumbents_words_counts_as_the_incumbent():
    state = tournament(Script(["AB"], writes=lambda step: FIRST if step.role == "synthesizer" else "other words"))
    decision = state.passes[1].decision
    assert decision and (decision.winner, decision.effective, decision.streak) == ("AB", "A", 1)
    assert state.ended and state.ended.outcome == "converged" and state.incumbent == written(FIRST)


@given(st.integers(0, 10_000))
def test_orders_are_bijections_and_the_same_whenever_they_are_drawn(seed):
    orders = [order_for(seed, 1, seat) for seat in range(30)]
    assert all(sorted(order) == sorted(VERSIONS) for order in orders) and len(set(orders)) > 2
    assert orders == [order_for(seed, 1, seat) for seat in range(30)]


def test_all_orders_and_both_sides_of_the_coin_are_equally_likely():
    counts = Counter(
        order_for(seed, number, seat) for seed in range(20) for number in range(1, 11) for seat in range(6)
    )
    assert len(counts) == 6 and min(counts.values()) > 150
    assert 430 < sum(coin(seed, number) for seed in range(100) for number in range(10)) < 570


# quorum and outages


def test_too_few_rankings_decide_nothing_are_asked_once_more_and_then_end_the_run():
    mode = RefineMode(spec(judges=3))
    events = mode.begin() + played(mode, Script([[best("A"), None, None]]))
    decisions = [event for event in events if isinstance(event, PassComplete)]
    assert [one.winner for one in decisions] == [None, None] and {one.streak for one in decisions} == {0}
    assert mode.hopeless and "1 of 3" in mode.hopeless
    state = folded(mode, events)
    assert state.decided == () and state.ended is None and state.incumbent == written(FIRST)
    assert [len(state.passes[1].votes[seat]) for seat in range(3)] == [1, 2, 2], "who ranked is not asked again"


def test_outages_never_converge_a_run():
    mode = RefineMode(spec(judges=3))
    events = mode.begin() + played(mode, Script([[None, None, None]]))
    assert mode.hopeless and not any(isinstance(e, PassComplete) and e.winner for e in events)


def test_after_an_outage_the_silent_judges_are_asked_again_on_request_and_the_tournament_goes_on():
    mode = RefineMode(spec(judges=3))
    events = mode.begin() + played(mode, Script([[best("A"), None, None]]))
    events += [RetryAsked(), *mode.take(RetryAsked())]
    assert mode.hopeless is None
    events += played(mode, Script(["A"]))
    state = folded(mode, events)
    assert state.ended and state.ended.outcome == "converged" and len(state.passes[1].ballots) == 3


def test_an_abstention_within_the_quorum_is_recorded_and_the_pass_decided():
    state = tournament(Script([[best("AB"), best("AB"), None], "A", "A"]))
    decision = state.passes[1].decision
    assert decision and (decision.winner, decision.valid_judges) == ("AB", 2)


@pytest.mark.parametrize("role", ["critic", "author_b", "synthesizer"])
def test_a_role_that_is_silent_twice_ends_the_run_and_can_be_asked_again(role):
    mode = RefineMode(spec())
    events = mode.begin() + played(mode, Script(["A"], writes=lambda step: None if step.role == role else "words"))
    steps = [event for event in events if isinstance(event, StepTaken)]
    assert [step.role for step in steps].count(role) == 2 and mode.hopeless and mode.ask() is None
    events += [RetryAsked(), *mode.take(RetryAsked())]
    events += played(mode, Script(["A"]))
    assert folded(mode, events).ended


# voting


def test_a_veto_keeps_the_true_count_beside_it():
    rankings = [("AB", "A", "B"), ("AB", "B", "A"), ("B", "AB", "A")]
    decision = tournament(Script([rankings]), spec(voting="veto", stopping={"max_rounds": 1})).passes[1].decision
    assert decision and decision.winner == "AB" and decision.vetoed_by == {"A": (1, 2), "B": (0,)}
    assert decision.scores == {"A": 0, "B": 0, "AB": 8} and decision.borda == {"A": 4, "B": 6, "AB": 8}


def test_a_total_veto_keeps_the_incumbent_and_warns():
    rankings = [("AB", "A", "B"), ("AB", "B", "A"), ("B", "A", "AB")]
    decision = tournament(Script([rankings]), spec(voting="veto", stopping={"max_rounds": 1})).passes[1].decision
    assert decision and decision.winner == "A" and [w.code for w in decision.warnings] == ["total_veto"]


def test_seats_have_weights():
    seats = (Seat(judge=0, weight=5), Seat(judge=0), Seat(judge=0, role="minimality", weight=0.5))
    rankings = [best("B"), best("AB"), best("AB")]
    decision = tournament(Script([rankings]), spec(panel=seats, stopping={"max_rounds": 1})).passes[1].decision
    assert decision and decision.winner == "B" and decision.scores["B"] == 5 * 3 + 1 + 0.5


@pytest.mark.parametrize(("conservative", "winner"), [(True, "A"), (False, "AB")])
def test_equal_points_keep_the_incumbent_unless_told_otherwise(conservative, winner):
    rankings = [("A", "B", "AB"), ("AB", "B", "A")]
    of = spec(judges=2, conservative=conservative, stopping={"max_rounds": 1})
    decision = tournament(Script([rankings]), of).passes[1].decision
    assert decision and decision.winner == winner and decision.scores == {"A": 4, "B": 4, "AB": 4}


def test_a_winner_that_grew_too_long_gives_way_and_the_points_stay():
    def writes(step):
        return "words " * (50 if step.role == "synthesizer" else 6)

    decision = tournament(Script([[("AB", "B", "A")] * 3], writes), spec(longest=1.5)).passes[1].decision
    assert decision and (decision.winner, decision.decided_by) == ("B", "length")
    assert decision.scores == {"A": 3, "B": 6, "AB": 9} and decision.warnings[-1].code == "version_too_long"


# steering


def test_a_person_may_accept_the_incumbent_now():
    mode = RefineMode(spec())
    script = Script(["AB"])
    events = mode.begin() + played(mode, script, most=8)
    events += [IncumbentAccepted(), *mode.take(IncumbentAccepted())]
    assert mode.ask() is None and "Accepted" in mode.conclusion
    state = folded(mode, events)
    assert state.ended and (state.ended.outcome, state.ended.pass_num) == ("accepted", 1)
    assert state.incumbent == written("synthesizer of pass 1")


def test_what_is_on_its_way_when_a_person_accepts_is_recorded_and_changes_nothing():
    mode = RefineMode(spec())
    script = Script(["AB"])
    events = mode.begin() + played(mode, script, most=3)
    votes = [mode.ask() for _ in range(3)]
    events += mode.take(IncumbentAccepted())
    for vote in votes:
        events += mode.take(script(vote), vote.place)
    state = folded(mode, events)
    assert state.incumbent == written(FIRST) and len(state.passes[1].votes) == 3 and state.passes[1].decision is None


def test_a_note_is_shown_to_the_next_critic_and_to_no_other():
    mode = RefineMode(spec())
    script = Script(["AB", "A", "A"])
    events = mode.begin() + played(mode, script, most=1)
    note = NoteGiven(note=written("mind the ending"))
    events += [note, *mode.take(note)]
    events += played(mode, script)
    critics = [one for one in script.asked if isinstance(one, StepDialogue) and one.role == "critic"]
    assert [note.note in critic.shown for critic in critics] == [False, True, False]
    assert folded(mode, events).passes[2].notes == (note.note,)


def test_a_finished_tournament_can_be_extended():
    mode = RefineMode(spec())
    events = mode.begin() + played(mode, Script(["A"]))
    events += [RunExtended(rounds=1), *mode.take(RunExtended(rounds=1))]
    events += played(mode, Script(["AB"]))
    state = folded(mode, events)
    assert len(state.passes) == 3 and state.ended and (state.ended.outcome, state.ended.pass_num) == ("max_rounds", 3)
    assert state.incumbent == written("synthesizer of pass 3")


def test_an_extension_before_the_end_puts_the_end_off():
    mode = RefineMode(spec(stopping={"max_rounds": 1}))
    events = mode.begin() + mode.take(RunExtended(rounds=1)) + played(mode, Script(["AB"]))
    assert len(folded(mode, events).decided) == 2


def test_a_text_can_be_accepted_after_an_outage():
    mode = RefineMode(spec())
    mode.begin()
    played(mode, Script([[None, None, None]]))
    assert mode.hopeless and mode.take(IncumbentAccepted()) and mode.hopeless is None


def test_a_cancelled_tournament_asks_nothing_more():
    mode = RefineMode(spec())
    played(mode, Script(["AB"]), most=2)
    mode.take(Cancelled())
    assert mode.ask() is None


@given(
    st.lists(
        st.lists(st.one_of(st.none(), st.permutations(VERSIONS).map(tuple)), min_size=3, max_size=3),
        min_size=1,
        max_size=6,
    )
)
def test_recorded_events_play_every_tournament_again(votes):
    mode = RefineMode(spec(stopping={"max_rounds": 6}))
    events = mode.begin() + played(mode, Script(votes))
    again = RefineMode(mode.spec)
    told = again.begin()
    for event in [event for event in events if hasattr(event, "place")]:
        asked = again.ask()
        assert asked is not None and asked.place == event.place
        told += again.take(again.recall(event), asked.place)
    assert told == events and again.hopeless == mode.hopeless
    for event in events:
        if isinstance(event, PassComplete) and event.winner:
            assert event.winner in VERSIONS and sum(event.borda.values()) == event.valid_judges * 6
