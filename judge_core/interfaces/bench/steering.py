"""What a person can do to a refinement tournament that was started: a note for the critic, an early end, further passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge_core.records.errors import InputError
from judge_core.records.event import RunExtended
from judge_core.records.refinement.events import IncumbentAccepted, NoteGiven
from judge_core.records.refinement.nouns import Written
from judge_core.scoring.counting import count_words, is_blank

if TYPE_CHECKING:
    from judge_core.interfaces.bench.panel import Keys
    from judge_core.interfaces.workbench import Workbench
    from judge_core.views.refine.state import RefineState

MOST_PASSES = 100
LONGEST_NOTE = 4000
"""Characters of a note."""
CANCELLED = "This run was cancelled for good. Start a new one; what is in the cache costs nothing."


def give_note(bench: Workbench, run: str, text: str) -> Written:
    """Keeps a note for the next critic; where nobody works on the run, it waits until the run goes on. InputError."""
    state = _open_state(bench, run)
    if state.ended is not None:
        raise InputError(
            "This tournament has ended, so no critic comes that could read the note. Extend it first "
            f"(podium runs extend {run[:8]} --rounds N), then give the note.",
            field="run",
        )
    note = text.strip()
    if is_blank(note):
        raise InputError("The note is empty. Say what the next critic is to look at.", field="text")
    if len(note) > LONGEST_NOTE:
        raise InputError(f"The note has {len(note):,} characters; at most {LONGEST_NOTE:,} are possible.", field="text")
    bench.check_resumable(run)
    written = Written(sha256=bench.archive.keep_text(note), words=count_words(note), characters=len(note))
    bench.journal.send(run, NoteGiven(note=written))
    if run in bench.runner.playing():
        bench.runner.look_up(run)
    return written


def accept_incumbent(bench: Workbench, run: str, keys: Keys | None = None) -> None:
    """Ends a tournament with the incumbent as it stands; a pass that is going on decides nothing any more. InputError."""
    state = _open_state(bench, run)
    if state.ended is not None:
        raise InputError("This tournament has ended already; its final text stands.", field="run")
    bench.check_resumable(run, keys)
    bench.send(run, IncumbentAccepted(), keys)


def extend_refinement(bench: Workbench, run: str, passes: int, keys: Keys | None = None) -> None:
    """So many further passes at the most: anew for a tournament that has ended, later for one that has not. InputError."""
    if not 1 <= passes <= MOST_PASSES:
        raise InputError(f"{passes} further passes are not possible. Give 1 to {MOST_PASSES}.", field="rounds")
    _open_state(bench, run)
    bench.check_resumable(run, keys)
    bench.send(run, RunExtended(rounds=passes), keys)


def _open_state(bench: Workbench, run: str) -> RefineState:
    """The run's state. InputError for one of another kind, and one that was cancelled."""
    state = bench.refine_state(run)
    if state.status == "cancelled":
        raise InputError(CANCELLED, field="run")
    return state
