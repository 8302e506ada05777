"""Starting a tournament, in callbacks: from what was entered, or from an example essay in one click."""

from __future__ import annotations

from judge_core.interfaces.dashboard import starting
from judge_core.interfaces.dashboard.improving.plan import faults_of, spec_of_improvement, text_of
from judge_core.interfaces.dashboard.jobs.desk import with_words
from judge_core.interfaces.dashboard.jobs.plan import typed_keys_by_name
from judge_core.interfaces.dashboard.new_ranking.state import current, edit, refuse, typed_keys
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, add_examples
from judge_core.records.errors import PodiumError

SAMPLE = 7
"""The example essay of the demo, by its place: the demo judge finds something to mend in it."""


def start_improving() -> None:
    """Starts the tournament of the session's draft, or says why it cannot be."""
    run = _start(current())
    if run is not None:
        edit(lambda draft: draft.with_inputs().model_copy(update={"run": run}))


def start_sample() -> None:
    """Improves an example essay with the demo judge; what was entered on the page stays as it is."""
    try:
        draft = sampled(Draft())
    except PodiumError as error:
        refuse(str(error))
        return
    _start(draft)


def _start(draft: Draft) -> str | None:
    bench, typed = workbench(), typed_keys(draft)
    try:
        text, wrong = text_of(bench, draft)
        faults = [wrong] if text is None else [fault.message for fault in faults_of(bench, draft, typed)]
        if text is None or faults:
            refuse(faults[0])
            return None
        bench.keep_texts([text])
        run = bench.start(spec_of_improvement(bench, draft, text), typed_keys_by_name(bench, draft, typed))
    except (PodiumError, TimeoutError) as error:
        refuse(str(error) or "The judges could not be reached in time. Try again.")
        return None
    starting.open_run(run)
    return run


def take_sample() -> None:
    """Puts an example essay into the page."""
    edit(sampled)


def sampled(draft: Draft) -> Draft:
    """The draft with an example essay as its text, and its question and criteria where it had none of its own."""
    archive = workbench().archive
    examples = add_examples(archive, Draft())
    if draft.rubric == Draft().rubric:
        draft = draft.model_copy(update={"rubric": examples.rubric})
    artifact = examples.texts[SAMPLE].artifact
    return with_words(draft, "one", archive.text(artifact.sha256), artifact.id)
