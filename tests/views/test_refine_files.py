"""A tournament as a folder: which files there are, what stands in them, and that equal states give equal bytes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

from judge_core.modes.refine.mode import RefineMode
from judge_core.records.record import text_hash
from judge_core.records.refinement.events import NoteGiven
from judge_core.records.refinement.nouns import Seat
from judge_core.records.verdict import Turn
from judge_core.views.refine.files import needed_words, pass_result, refinement_files
from judge_core.views.refine.state import RefineState
from tests.modes.refine.script import FIRST, Script, best, folded, played, spec, tournament, written

ROLES = ("critic", "author_b", "synthesizer")


def words(passes: int = 9) -> dict[str, str]:
    texts = [FIRST, "Mind the end.", *(f"{role} of pass {number}" for role in ROLES for number in range(1, passes + 1))]
    return {text_hash(text): text for text in texts}


def files(state: RefineState) -> dict[str, bytes]:
    return refinement_files(state, words())


def result(state: RefineState, number: int) -> Any:
    return json.loads(files(state)[f"pass_{number:02d}/result.json"])


def test_each_pass_has_its_folder_and_each_new_incumbent_its_file():
    state = tournament(Script(["B", "A", "AB", "A", "A"]))
    per_pass = ["version_a.md", "critic.md", "version_b.md", "version_ab.md", "result.json"]
    assert set(files(state)) == {
        "initial_a.md", "final_output.md", "history.json", "incumbent_after_01.md", "incumbent_after_03.md",
        *(f"pass_{number:02d}/{name}" for number in range(1, 6) for name in per_pass),
    }  # fmt: skip
    assert files(state)["incumbent_after_01.md"] == b"author_b of pass 1" == files(state)["pass_02/version_a.md"]
    assert (
        files(state)["initial_a.md"] == FIRST.encode() and files(state)["final_output.md"] == b"synthesizer of pass 3"
    )


def test_a_challenger_with_the_incumbents_words_makes_no_new_incumbent():
    state = tournament(Script(["AB"], writes=lambda step: FIRST if step.role == "synthesizer" else "other words"))
    assert not any(name.startswith("incumbent_after") for name in files(state))
    assert result(state, 1)["winner"] == "AB" and result(state, 1)["meta"]["effective_winner"] == "A"


def test_a_result_says_winner_points_judges_hashes_and_how_it_was_decided():
    state = tournament(Script(["AB", "A", "A"]))
    found = result(state, 1)
    assert list(found) == [
        "pass_num", "winner", "scores", "valid_judges", "elapsed_s", "judge_details", "incumbent_hash_before",
        "incumbent_hash_after", "meta",
    ]  # fmt: skip
    assert (found["winner"], found["valid_judges"], sum(found["scores"].values())) == ("AB", 3, 18)
    assert found["incumbent_hash_before"] == hashlib.sha256(files(state)["pass_01/version_a.md"]).hexdigest()
    assert found["incumbent_hash_after"] == hashlib.sha256(files(state)["pass_02/version_a.md"]).hexdigest()
    meta = found["meta"]
    assert (meta["effective_winner"], meta["decided_by"], meta["streak"], meta["agreement"]) == ("AB", "points", 0, 1.0)
    assert "outcome" not in meta and result(state, 3)["meta"]["outcome"] == "converged"


def test_a_judge_stands_with_role_weight_order_ranking_and_its_own_words():
    script = Script([[best("B"), None, best("B")]])
    of = spec(panel=(Seat(judge=0, role="critic", weight=2), Seat(judge=0), Seat(judge=0)), stopping={"max_rounds": 1})
    state = tournament(script, of)
    view = state.passes[1]
    turn = Turn(turn=0, first="seat 1", status="ok", reply_sha256=text_hash("I like 2.\nRANKING: 2, 1, 3"))
    asked = view.votes[0][0]
    said = replace(asked, share=asked.share.model_copy(update={"turns": (turn,)}))
    view = replace(view, votes={**view.votes, 0: (said,)})
    first, second, _ = pass_result(state, view, {turn.reply_sha256: "I like 2.\nRANKING: 2, 1, 3"})["judge_details"]
    assert (first["judge"], first["role"], first["weight"]) == ("toy", "critic", 2)
    assert first["ranking"] == ("B", "A", "AB") and first["prose"].startswith("I like 2.")
    assert sorted(first["order_map"].values()) == ["A", "AB", "B"] and list(first["order_map"]) == ["1", "2", "3"]
    assert (second["outcome"], second["ranking"], second["prose"]) == ("failed", None, None)


def test_an_end_by_another_detector_is_marked_as_no_convergence():
    state = tournament(Script(["AB"]), spec(stopping={"winner_window": 2}))
    assert state.ended and state.ended.outcome == "winner_stable"
    meta = result(state, 2)["meta"]
    assert meta["runaway_detected"] is True and meta["runaway_trigger"] == "winner"
    assert "runaway_detected" not in result(state, 1)["meta"]


def test_history_is_the_array_of_the_results():
    state = tournament(Script(["AB", "A", "A"]))
    assert json.loads(files(state)["history.json"]) == [result(state, number) for number in (1, 2, 3)]


def test_while_it_goes_on_there_is_what_was_written_and_no_final_output():
    mode = RefineMode(spec())
    state = folded(mode, [*mode.begin(), *played(mode, Script(["A"]), most=2)])
    assert set(files(state)) == {
        "initial_a.md",
        "history.json",
        "pass_01/version_a.md",
        "pass_01/critic.md",
        "pass_01/version_b.md",
    }
    assert files(state)["history.json"] == b"[]\n"


def test_a_note_stands_in_the_folder_of_the_pass_whose_critic_saw_it():
    mode = RefineMode(spec())
    events = [*mode.begin(), *played(mode, Script(["AB"]), most=1)]
    note = NoteGiven(note=written("Mind the end."))
    events += [note, *mode.take(note), *played(mode, Script(["A"]))]
    assert [name for name in files(folded(mode, events)) if "note" in name] == ["pass_02/note_01.md"]


def test_an_inconclusive_pass_has_a_result_without_a_winner():
    state = tournament(Script([[None, None, None]]))
    assert result(state, 1)["winner"] is None and result(state, 1)["meta"]["decided_by"] == "quorum"


def test_what_was_erased_has_no_file_and_the_figures_stay():
    state = tournament(Script(["A"]))
    left = refinement_files(state, {})
    assert set(left) == {"history.json", "pass_01/result.json", "pass_02/result.json"}


def test_equal_states_give_equal_bytes_and_all_words_they_need_are_named():
    states = [tournament(Script(["B", "A", "A"])) for _ in range(2)]
    assert files(states[0]) == files(states[1]) and list(files(states[0])) == list(files(states[1]))
    needed = {sha: words()[sha] for sha in needed_words(states[0])}
    assert refinement_files(states[0], needed) == files(states[0])


def test_equal_versions_count_as_one_in_the_judges_agreement():
    ballots = [("B", "AB", "A"), ("AB", "B", "A"), ("AB", "B", "A")]
    writes = {"critic": "none", "author_b": "better", "synthesizer": "better"}
    state = tournament(Script([ballots], writes=lambda step: writes[step.role]))
    assert state.passes[1].agreement == 1.0
    same = tournament(Script([ballots], writes=lambda step: FIRST))
    assert same.passes[1].agreement is None and same.agreement is None
