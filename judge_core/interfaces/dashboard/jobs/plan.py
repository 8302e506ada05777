"""From what was entered to the spec of a run, and what still keeps it from being started."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pydantic import SecretStr

from judge_core.intake.naming import title_of
from judge_core.interfaces.bench.items import check_items
from judge_core.interfaces.dashboard.jobs.kinds import JOBS, JobName, scores_by_criteria
from judge_core.interfaces.dashboard.jobs.reading import Entered
from judge_core.interfaces.drafts import Draft
from judge_core.interfaces.drafts.judging import judge_faults, judge_of
from judge_core.interfaces.library.options import ItemOptions, item_spec
from judge_core.interfaces.library.rank_options import RankOptions, rank_spec
from judge_core.interfaces.workbench import Workbench, text_refs
from judge_core.providers.registry import preset_of
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.spec import ItemSpec, Spec

RUBRIC_FAULT = "The criteria that you typed have a fault and are not in use. Mend them, or drop that edit."
NO_CAP = (
    "The price of a judge is unknown, so a cap in dollars cannot hold. Enter its price, or set a cap on calls as well."
)


def spec_of_job(bench: Workbench, draft: Draft, job: JobName, found: Entered) -> Spec | ItemSpec:
    """The spec of the run. InputError where judges or limits are not complete or cannot be."""
    rubric, mode = _rubric(draft, job), JOBS[job].mode
    judges = tuple(bench.priced(judge_of(judge, bench.settings)) for judge in draft.judges)
    limits = {"max_cost": draft.plan.max_cost, "max_calls": draft.plan.max_calls}
    name = draft.name.strip() or usual_name(draft, job, found)
    if mode is None:
        ranked = RankOptions(judges=judges, rounds=1, both_orders=True, name=name, **limits)  # type: ignore[arg-type]
        return rank_spec(bench, text_refs(found.texts), rubric, ranked)
    inputs = draft.inputs
    options = ItemOptions(
        judges=judges, name=name, bar=inputs.bar, both_orders=inputs.both_orders, classify_patterns=inputs.patterns,
        **limits,  # type: ignore[arg-type]
    )  # fmt: skip
    return item_spec(bench, mode, found.items, rubric, options)


def usual_name(draft: Draft, job: JobName, found: Entered) -> str:
    """What a run is called that was given no name; '' where its result finds one by itself."""
    if job == "compare":
        return " and ".join(text.title for text in found.texts)
    if job == "score":
        return found.items[0].title if found.items else ""
    files = draft.inputs.rag_files if job == "rag" else draft.inputs.agent_files if job == "agent" else ()
    return title_of(files[0].name) if len(files) == 1 else ""


def faults_of_job(
    bench: Workbench, draft: Draft, job: JobName, found: Entered, typed: Collection[str] = ()
) -> list[str]:
    """What keeps the job from being run; empty where nothing does. `typed`: see `judge_faults`."""
    faults = list(found.faults)
    if draft.rubric.faults and scores_by_criteria(job, draft.inputs.own_criteria):
        faults.append(RUBRIC_FAULT)
    for number, judge in enumerate(draft.judges, start=1):
        faults += [f"Judge {number}: {fault}" for fault in judge_faults(judge, bench.settings, typed)]
    if faults:
        return faults
    try:
        return list(_spec_faults(bench, spec_of_job(bench, draft, job, found)))
    except InputError as error:
        return [str(error)]


def typed_keys_by_name(bench: Workbench, draft: Draft, typed: dict[str, SecretStr]) -> dict[str, SecretStr]:
    """The keys that were typed, by the judge's name."""
    return {judge_of(judge, bench.settings).name: typed[judge.key] for judge in draft.judges if judge.key in typed}


def _rubric(draft: Draft, job: JobName) -> Rubric:
    """The draft's rubric; a job without a question of its own gets at most the criteria."""
    rubric = draft.rubric.rubric
    if JOBS[job].criteria:
        return rubric
    return Rubric(criteria=rubric.criteria) if scores_by_criteria(job, draft.inputs.own_criteria) else Rubric()


def _spec_faults(bench: Workbench, spec: Spec | ItemSpec) -> Iterator[str]:
    if isinstance(spec, ItemSpec):
        check_items(spec)
    yield from (problem.message for problem in bench.too_long(spec))
    longest = max(_lengths(spec))
    for judge in spec.judges:
        preset = preset_of(judge)
        if preset and preset.longest_text and longest > preset.longest_text:
            yield f"{preset.title} refuses texts of more than {preset.longest_text:,} bytes, and one here is longer. Shorten it, or choose another judge."
    unpriced = any(judge.price is None for judge in (*spec.judges, *spec.fallbacks))
    if unpriced and spec.caps.max_cost is not None and spec.caps.max_calls is None:
        yield NO_CAP


def _lengths(spec: Spec | ItemSpec) -> list[int]:
    if isinstance(spec, ItemSpec):
        return [part.characters for item in spec.items for part in item.parts]
    return [text.characters for text in spec.texts]
