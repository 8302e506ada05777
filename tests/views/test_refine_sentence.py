"""What is said of a tournament: its end, whether the text changed, how far judges agreed, and each pass in a line."""

from __future__ import annotations

import pytest

from judge_core.modes.refine.mode import RefineMode
from judge_core.records.event import RunExtended
from judge_core.records.refinement.nouns import VERSIONS
from judge_core.views.refine.machine import refine_folded, refine_record
from judge_core.views.refine.sentence import agreement_words, changed_words, end_words, pass_words
from tests.modes.refine.script import FIRST, Script, folded, played, spec, tournament

CYCLE = [VERSIONS, ("B", "AB", "A"), ("AB", "A", "B")]


@pytest.mark.parametrize(
    ("winners", "stopping", "words"),
    [
        (["A"], {}, "Converged after 2 passes: the incumbent won 2 in a row."),
        (["A"], {"k": 1}, "Converged after 1 pass: the incumbent won 1 in a row."),
        (
            ["AB"],
            {"max_rounds": 3},
            "Stopped after 3 passes, the last one allowed: the incumbent had not won 2 in a row.",
        ),
        (["AB"], {"winner_window": 2}, "That is no convergence."),
        (["B"], {"score_window": 2}, "the points hardly moved any more. That is no convergence."),
    ],
)
def test_the_end_is_said_for_what_it_is(winners: list, stopping: dict, words: str):
    assert words in end_words(tournament(Script(winners), spec(stopping=stopping)))


def test_what_became_of_the_text_is_said():
    assert changed_words(tournament(Script(["A"]))).startswith("No challenger did better")
    said = changed_words(tournament(Script(["B", "AB", "A", "A"])))
    assert said == "The text was replaced 2 times, last in pass 2 (6 words at first, now 4)."
    assert "replaced once" in changed_words(tournament(Script(["B", "A", "A"])))


def test_agreement_is_measured_against_drawing_lots():
    assert (
        agreement_words(tournament(Script(["A"])))
        == "The judges agree largely (Kendall's W 1.00; drawing lots gives 0.33)."
    )
    lots = agreement_words(tournament(Script([CYCLE]), spec(stopping={"max_rounds": 2})))
    assert lots == "The judges hardly agree (Kendall's W 0.00; drawing lots gives 0.33): the result may be chance."
    part = tournament(Script([[("B", "A", "AB"), ("B", "AB", "A")]]), spec(judges=2, stopping={"max_rounds": 1}))
    assert agreement_words(part) == "The judges agree in part (Kendall's W 0.75; drawing lots gives 0.50)."
    assert "one judge alone" in agreement_words(tournament(Script(["A"]), spec(judges=1)))
    same = tournament(Script(["A"], writes=lambda step: FIRST))
    assert "nothing can be told" in agreement_words(same)


def test_a_pass_is_one_line():
    state = tournament(Script(["AB", "A", "A"]))
    lines = [pass_words(state, view) for view in state.passes.values()]
    assert lines[0] == "Pass 1: the synthesis AB wins (points A 6, B 3, AB 9), streak 0 of 2, agreement 1.00."
    assert lines[2] == "Pass 3: the incumbent stays (points A 9, B 3, AB 6), streak 2 of 2, agreement 1.00."
    same = tournament(Script(["AB"], writes=lambda step: FIRST))
    assert "since AB has its very words" in pass_words(same, same.passes[1])
    none = tournament(Script([[None, None, None]]))
    assert pass_words(none, none.passes[1]) == "Pass 1: no decision, only 0 of 3 judges ranked."


def test_what_was_asked_twice_in_vain_waits_for_a_person():
    assert not tournament(Script(["A"])).silent
    assert tournament(Script([[None, None, None]])).silent
    assert tournament(Script(["A"], writes=lambda step: None)).silent
    mode = RefineMode(spec())
    events = [*mode.begin(), *played(mode, Script(["A"], writes=lambda step: None), most=1)]
    assert not folded(mode, events).silent


def test_extensions_count_among_the_passes_that_may_be():
    mode = RefineMode(spec())
    events = [*mode.begin(), *played(mode, Script(["A"]))]
    more = RunExtended(rounds=3)
    events += [more, *mode.take(more)]
    state = folded(mode, events)
    assert state.ended is None and state.most_passes == 5 and state.calls_planned == 30
    early = RefineMode(spec(stopping={"max_rounds": 4}))
    events = [*early.begin(), more, *early.take(more)]
    assert folded(early, events).most_passes == 7


def test_records_hold_no_text_and_all_hashes():
    state = tournament(Script(["AB", "A", "A"]))
    record, whole = refine_record("run", state), refine_folded("run", state)
    assert (record["outcome"], record["passes"], record["winners"]) == ("converged", 3, ["AB", "A", "A"])
    assert record["initial_hash"] != record["final_hash"] == state.incumbent.sha256 and record["changed"]
    assert whole["history"][0]["versions"]["AB"]["sha256"] == record["final_hash"]
    assert whole["history"][0]["result"]["meta"]["effective_winner"] == "AB"
    assert FIRST not in str(whole)
