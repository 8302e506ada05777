"""From what was entered to the spec of a tournament, and what still keeps it from being started."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from judge_core.interfaces.bench.lengths import check_lengths
from judge_core.interfaces.bench.refinement import check_refinement, first_version
from judge_core.interfaces.dashboard.jobs.plan import NO_CAP, RUBRIC_FAULT
from judge_core.interfaces.dashboard.jobs.reading import boxed
from judge_core.interfaces.dashboard.steps import Steps
from judge_core.interfaces.drafts import Draft, JudgeDraft
from judge_core.interfaces.drafts.judging import judge_faults, judge_of
from judge_core.interfaces.drafts.records import Improvement, SeatDraft
from judge_core.interfaces.library.refine.options import (
    PRESETS,
    Preset,
    RefineOptions,
    refine_spec,
    text_ref,
    with_task,
)
from judge_core.interfaces.workbench import Workbench
from judge_core.records.artifact import Artifact
from judge_core.records.errors import InputError, StoreError
from judge_core.records.refinement.nouns import STEPS
from judge_core.records.spec import JudgeSpec, RefineSpec

PAGE = Steps(
    {"text": "Text", "task": "Task and criteria", "roles": "Roles and judges", "start": "Price and data"},
    "improve_step", "improve",
)  # fmt: skip


class Fault(NamedTuple):
    """What keeps a tournament from being started, and the step where it can be mended."""

    step: str
    message: str


def size_of(chosen: Improvement) -> Preset:
    """Judges, streak and passes as they were chosen.

    >>> size_of(Improvement(preset="quick")), size_of(Improvement(preset="custom", judges=7)).judges
    (Preset(judges=1, k=1, max_rounds=3), 7)
    """
    if chosen.preset == "custom":
        return Preset(chosen.judges, chosen.k, chosen.max_rounds)
    return PRESETS[chosen.preset]


def calls_a_pass(size: Preset) -> int:
    """A critique, a revision, a synthesis, and a vote of each judge.

    >>> calls_a_pass(PRESETS["standard"])
    6
    """
    return len(STEPS) + size.judges


def rankers(draft: Draft) -> list[JudgeDraft]:
    """Those who take the seats of the panel in turn."""
    chosen = [judge for judge in draft.judges if judge.key in draft.inputs.improvement.rankers]
    return chosen or list(draft.judges)


def seats(draft: Draft) -> list[tuple[JudgeDraft, SeatDraft]]:
    """Who sits in each seat, and how."""
    chosen, ranking = draft.inputs.improvement, rankers(draft)
    given = [*chosen.seats, *(SeatDraft() for _ in range(size_of(chosen).judges))]
    return [(ranking[at % len(ranking)], given[at]) for at in range(size_of(chosen).judges)]


def named(draft: Draft, key: str) -> JudgeDraft:
    """The judge of that key, else the first."""
    return next((judge for judge in draft.judges if judge.key == key), draft.judges[0])


def text_of(bench: Workbench, draft: Draft) -> tuple[Artifact | None, str]:
    """The text, or what is wrong with it."""
    try:
        found, faults = boxed(bench, draft.inputs.one, "The text")
    except StoreError as error:  # erased meanwhile
        return None, str(error)
    return (first_version(found[0]), "") if found else (None, faults[0])


def priced_judges(bench: Workbench, draft: Draft) -> dict[str, JudgeSpec]:
    """The judges by their keys. InputError where one is not complete."""
    return {judge.key: bench.priced(judge_of(judge, bench.settings)) for judge in draft.judges}


def spec_of_improvement(bench: Workbench, draft: Draft, text: Artifact) -> RefineSpec:
    """The spec of the tournament. InputError where judges or choices are not complete or cannot be."""
    chosen, judges = draft.inputs.improvement, priced_judges(bench, draft)
    sitting = seats(draft)
    size = size_of(chosen)
    options = RefineOptions(
        judges=tuple(judges[judge.key] for judge, _ in sitting),
        roles=tuple(f"{seat.role}:{seat.weight * judge.weight:g}" for judge, seat in sitting),
        critic=judges[named(draft, chosen.critic).key], author=judges[named(draft, chosen.author).key],
        synthesizer=judges[named(draft, chosen.synthesizer).key], k=size.k, max_rounds=size.max_rounds,
        score_window=chosen.score_window, winner_window=chosen.winner_window, voting=chosen.voting,
        veto_threshold=chosen.veto_threshold if chosen.voting == "veto" else 1, longest=chosen.longest,
        name=draft.name.strip() or text.title, max_cost=draft.plan.max_cost, max_calls=draft.plan.max_calls,
    )  # fmt: skip
    return refine_spec(bench, text_ref(text), with_task(draft.rubric.rubric, "", text.text), options)


def faults_of(bench: Workbench, draft: Draft, typed: Collection[str] = ()) -> list[Fault]:
    """What keeps it from being started; empty where nothing does. `typed`: see `judge_faults`."""
    text, wrong = text_of(bench, draft)
    faults = [Fault("text", wrong)] if text is None else []
    if draft.rubric.faults:
        faults.append(Fault("task", RUBRIC_FAULT))
    for number, judge in enumerate(draft.judges, start=1):
        faults += [Fault("roles", f"Judge {number}: {fault}") for fault in judge_faults(judge, bench.settings, typed)]
    if faults or text is None:
        return faults
    try:
        return list(_spec_faults(bench, spec_of_improvement(bench, draft, text)))
    except InputError as error:
        return [Fault("roles", str(error))]


def _spec_faults(bench: Workbench, spec: RefineSpec) -> Iterator[Fault]:
    check_refinement(spec)
    check_lengths(spec)
    yield from (Fault("roles", problem.message) for problem in bench.too_long(spec))
    unpriced = any(judge.price is None for judge in (*spec.judges, *spec.fallbacks))
    if unpriced and spec.caps.max_cost is not None and spec.caps.max_calls is None:
        yield Fault("start", NO_CAP)
