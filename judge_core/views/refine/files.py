"""A tournament as a folder that can be read without Podium: every version, critique and result of every pass.

    initial_a.md
    pass_01/version_a.md, note_01.md ..., critic.md, version_b.md, version_ab.md, result.json
    incumbent_after_01.md       only where a challenger took the incumbent's place
    final_output.md             once the tournament has ended
    history.json                the results of all passes

Texts stand in their files exactly as they were judged, so that a file's SHA-256 is the hash in the results.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from judge_core.records.refinement.events import PassComplete
from judge_core.records.refinement.nouns import STEPS, StepRole, Vote, Writing, Written
from judge_core.views.exports.machine import strict_json
from judge_core.views.refine.state import PassView, RefineState

INITIAL, FINAL, HISTORY = "initial_a.md", "final_output.md", "history.json"
STEP_FILES: Mapping[StepRole, str] = {
    "critic": "critic.md", "author_b": "version_b.md", "synthesizer": "version_ab.md",
}  # fmt: skip
RUNAWAY = {"score_stable": "score", "winner_stable": "winner"}
"""Ends by a detector beside the streak, and what set it off."""


def refinement_files(state: RefineState, words: Mapping[str, str]) -> dict[str, bytes]:
    """The files by relative path, in a fixed order. Equal states and words give equal bytes.

    `words`: texts and judges' replies by content hash; what is not there (erased) has no file, and no prose in results.
    """
    files = dict(_texts(state, words))
    results = [pass_result(state, view, words) for view in state.passes.values() if view.decision is not None]
    for result in results:
        files[f"{pass_folder(result['pass_num'])}/result.json"] = _json(result)
    files[HISTORY] = _json(results)
    return files


def needed_words(state: RefineState) -> tuple[str, ...]:
    """The content hashes of all texts and replies that the files hold, each once."""
    texts = [state.first, state.incumbent, *(note for view in state.passes.values() for note in view.notes)]
    replies: list[str] = []
    for view in state.passes.values():
        texts += [written for role in STEPS if (written := view.written(role)) is not None]
        replies += [sha for vote in view.ballots.values() if (sha := _reply(vote)) is not None]
    return tuple(dict.fromkeys((*(text.sha256 for text in texts), *replies)))


def pass_folder(number: int) -> str:
    """The folder of a pass.

    >>> pass_folder(7), pass_folder(123)
    ('pass_07', 'pass_123')
    """
    return f"pass_{number:02d}"


def pass_result(state: RefineState, view: PassView, words: Mapping[str, str]) -> dict[str, Any]:
    """The result of a pass that was decided, or found inconclusive (then `winner` is None)."""
    decision = view.decision
    assert decision is not None, "a pass that is going on has no result"
    return {
        "pass_num": view.number,
        "winner": decision.winner,
        "scores": decision.scores,
        "valid_judges": decision.valid_judges,
        "elapsed_s": _elapsed(view),
        "judge_details": [_judge(state, seat, vote, words) for seat, vote in view.ballots.items()],
        "incumbent_hash_before": decision.before.sha256,
        "incumbent_hash_after": decision.after.sha256,
        "meta": _meta(state, view, decision),
    }


def _texts(state: RefineState, words: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    def file(path: str, text: Written | None) -> Iterator[tuple[str, bytes]]:
        if text is not None and text.sha256 in words:
            yield path, words[text.sha256].encode("utf-8", "surrogatepass")

    yield from file(INITIAL, state.first)
    for view in state.passes.values():
        folder = pass_folder(view.number)
        yield from file(f"{folder}/version_a.md", view.before)
        for number, note in enumerate(view.notes, start=1):
            yield from file(f"{folder}/note_{number:02d}.md", note)
        for role, name in STEP_FILES.items():
            yield from file(f"{folder}/{name}", view.written(role))
        if view.decision is not None and view.decision.effective not in (None, "A"):
            yield from file(f"incumbent_after_{view.number:02d}.md", view.decision.after)
    yield from file(FINAL, None if state.ended is None else state.ended.final)


def _meta(state: RefineState, view: PassView, decision: PassComplete) -> dict[str, Any]:
    ended = state.ended if state.ended is not None and state.ended.pass_num == view.number else None
    trigger = None if ended is None else RUNAWAY.get(ended.outcome)
    return {
        "effective_winner": decision.effective,
        "decided_by": decision.decided_by,
        "vetoed_by": {label: list(seats) for label, seats in decision.vetoed_by.items()},
        "borda": decision.borda,
        "streak": decision.streak,
        "agreement": view.agreement,
        "warnings": decision.warnings,
        **({"outcome": ended.outcome} if ended is not None else {}),
        **({"runaway_detected": True, "runaway_trigger": trigger} if trigger else {}),
    }


def _judge(state: RefineState, seat: int, vote: Vote, words: Mapping[str, str]) -> dict[str, Any]:
    place = state.spec.panel[seat]
    return {
        "seat": seat,
        "judge": state.spec.judges[vote.judge].name,
        "role": place.role,
        "weight": place.weight,
        "order_shown": vote.order,
        "order_map": {str(number): label for number, label in enumerate(vote.order, start=1)},
        "ranking": vote.ranking,
        "outcome": vote.outcome,
        "warnings": vote.warnings,
        "errors": [turn.error for turn in vote.turns if turn.error],
        "prose": words.get(_reply(vote) or ""),
    }


def _reply(share: Vote | Writing) -> str | None:
    """The hash of the reply that counted, the last one."""
    hashes = [turn.reply_sha256 for turn in share.turns if turn.reply_sha256]
    return hashes[-1] if hashes else None


def _elapsed(view: PassView) -> float | None:
    """Seconds from the pass's first answer to its decision; None while it is inconclusive."""
    if view.began_at is None or view.ended_at is None:
        return None
    span = datetime.fromisoformat(view.ended_at) - datetime.fromisoformat(view.began_at)
    return round(span.total_seconds(), 3)


def _json(value: object) -> bytes:
    plain = json.loads(strict_json(value))
    return json.dumps(plain, ensure_ascii=False, indent=2).encode() + b"\n"
