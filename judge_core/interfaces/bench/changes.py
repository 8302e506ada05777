"""Changes to a ranking that was started: texts that come late or are withdrawn, and further rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge_core.intake.artifacts import beside, came_as
from judge_core.interfaces.bench.lengths import check_lengths
from judge_core.interfaces.bench.ranking import MOST_ROUNDS
from judge_core.ranking.goals import check_goal
from judge_core.records.artifact import Artifact
from judge_core.records.errors import InputError
from judge_core.records.event import RunExtended, TextsAdded, TextsWithdrawn
from judge_core.records.record import digest
from judge_core.records.spec import Goal, Spec, TextRef
from judge_core.views.meetings import pairs_left
from judge_core.views.state import RunState

if TYPE_CHECKING:
    from judge_core.interfaces.bench.panel import Keys
    from judge_core.interfaces.workbench import Workbench


def add_texts(
    bench: Workbench, run: str, artifacts: Sequence[Artifact], keys: Keys | None = None
) -> tuple[TextRef, ...]:
    """Adds texts to a ranking and goes on with it; in a finished one they alone are judged, against chosen others.

    Texts whose id and words are in the run already are left out; one with other words under an id of the run gets the next
    free number, as in one upload. Returns what was added. InputError where nothing can be.
    """
    awaited, spec = _awaited(bench, run), _open_spec(bench, run)
    here = (*spec.texts, *awaited)
    new = [artifact for artifact in artifacts if not any(_same(text, artifact) for text in here)]
    if not new:
        raise _nothing_new(bench, run, spec, artifacts)
    refs = _named(bench.keep_texts(beside(new, {text.id for text in here})))
    grown = spec.model_copy(update={"texts": (*spec.texts, *refs)})
    check_lengths(grown)
    if problems := bench.too_long(grown):
        raise InputError(problems[0].message, field="texts")
    bench.check_resumable(run, keys)
    bench.send(run, TextsAdded(texts=refs), keys)
    return refs


def withdraw_texts(bench: Workbench, run: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Takes texts (by alias or id) out of a ranking; what was judged on them stays. Returns their aliases."""
    aliases = tuple(text.alias for text in to_withdraw(bench, run, texts))
    bench.check_resumable(run)
    bench.send(run, TextsWithdrawn(texts=aliases))
    return aliases


def to_withdraw(bench: Workbench, run: str, texts: Sequence[str]) -> tuple[TextRef, ...]:
    """The texts that these aliases or ids name, those withdrawn already left out. InputError where they cannot go."""
    spec, gone = _open_spec(bench, run), _gone(bench, run)
    named = {text.id: text.alias for text in spec.texts} | {text.alias: text.alias for text in spec.texts}
    twice = {id for id, number in Counter(text.id for text in spec.texts).items() if number > 1}
    for name in texts:
        if name not in named:
            raise InputError(f"There is no text {name[:60]!r} in this run.", field="texts")
        if name in twice and name not in spec.by_alias:
            raise InputError(f"Several texts are called {name[:60]!r}. Name the one by its alias.", field="texts")
    aliases = tuple(dict.fromkeys(alias for name in texts if (alias := named[name]) not in gone))
    if not aliases:
        raise InputError("These texts were withdrawn already.", field="texts")
    if len(spec.texts) - len(gone) - len(aliases) < 2:
        raise InputError("At least two texts must stay in a ranking.", field="texts")
    return tuple(spec.by_alias[alias] for alias in aliases)


def extend_run(bench: Workbench, run: str, rounds: int, goal: Goal | None = None, keys: Keys | None = None) -> None:
    """Goes on for further rounds, until `goal` is reached; without one all of them are played. InputError for what cannot be."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise InputError(f"{rounds} further rounds are not possible. Give 1 to {MOST_ROUNDS:,}.", field="rounds")
    spec = _open_spec(bench, run)
    if goal is not None:
        check_goal(goal, len(spec.texts) - len(_gone(bench, run)))
    if pairs_left(bench.state(run)) == 0 and not _awaited(bench, run):
        raise InputError(
            "All pairs of texts have met, and this run lets none meet again, so further rounds have nothing to ask. Add "
            "texts, or start a new run that allows rematches or has another judge; known replies cost nothing there.",
            field="rounds",
        )
    bench.check_resumable(run, keys)
    bench.send(run, RunExtended(rounds=rounds, goal=goal), keys)


def open_goal(state: RunState) -> Goal | None:
    """The run's goal while it is not reached: where no other is named, further rounds go on for it."""
    return None if state.reached is not None else state.goal


def _nothing_new(bench: Workbench, run: str, spec: Spec, artifacts: Sequence[Artifact]) -> InputError:
    """What to say where each of the texts is in the run already: one that was withdrawn does not come back by itself."""
    gone = _gone(bench, run)
    back = [text.id for text in spec.texts if text.alias in gone and any(_same(text, given) for given in artifacts)]
    if not back:
        return InputError("These texts are all in the run already; there is nothing to add.", field="texts")
    named = repr(back[0][:60]) + (f" and {len(back) - 1} more" if len(back) > 1 else "")
    return InputError(
        f"Withdrawn from this run already: {named}. Withdrawn texts do not come back; add such a text under another id or "
        "file name, or start a new run.",
        field="texts",
    )


def _same(text: TextRef, artifact: Artifact) -> bool:
    """Whether the artifact is this text of the run, though it may have come late and got a number."""
    return text.sha256 == artifact.sha256 and came_as(text.id, artifact.id)


def _gone(bench: Workbench, run: str) -> set[str]:
    """The aliases of texts that are withdrawn, or whose withdrawal waits to be taken."""
    waiting = (message for _, message in bench.journal.waiting_inputs(run))
    sent = {alias for message in waiting if isinstance(message, TextsWithdrawn) for alias in message.texts}
    return {*bench.state(run).withdrawn, *sent}


def _awaited(bench: Workbench, run: str) -> list[TextRef]:
    """Texts that were added and that the run has not taken in yet."""
    waiting = (message for _, message in bench.journal.waiting_inputs(run))
    return [text for message in waiting if isinstance(message, TextsAdded) for text in message.texts]


def _open_spec(bench: Workbench, run: str) -> Spec:
    """The run's spec as it stands now. InputError for a run that is no ranking or was cancelled."""
    state = bench.state(run)
    if state.status == "cancelled":
        raise InputError("This run was cancelled for good. Start a new one; what is in the cache costs nothing.")
    return state.spec


def _named(refs: Sequence[TextRef]) -> tuple[TextRef, ...]:
    """The texts under aliases of their own, which two people who add at once cannot give twice. They tell nothing."""
    return tuple(ref.model_copy(update={"alias": f"E-{digest([ref.id, ref.sha256])[:6].upper()}"}) for ref in refs)
