"""From a draft to a spec, and what still keeps it from being started."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from judge_core.interfaces.drafts.judging import judge_faults, judge_of
from judge_core.interfaces.drafts.planning.choices import OF_PAIRS, choices, method_of
from judge_core.interfaces.drafts.planning.columns import texts_of
from judge_core.interfaces.drafts.planning.faults import plan_faults
from judge_core.interfaces.drafts.records import Draft
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.providers.registry import preset_of
from judge_core.records.errors import InputError
from judge_core.records.record import Record
from judge_core.records.spec import Caps, Spec

SHORTER_LISTS = " Or rank fewer texts in one call: choose Custom, then a smaller size of the lists."


class Blocker(Record):
    """One thing that keeps a run from being started, and the step where it can be mended."""

    step: str
    message: str


def spec_of(bench: Workbench, draft: Draft) -> Spec:
    """The draft as the spec of a run, its judges priced. InputError where it is not complete."""
    plan = draft.plan
    custom = plan.preset == "custom"
    concurrency = (plan.concurrency if custom else None) or bench.settings.concurrency
    pairs = method_of(plan) in OF_PAIRS
    return new_spec(
        **choices(plan, len(draft.texts)),
        name=draft.name.strip() or draft.rubric.rubric.name or draft.rubric.rubric.question[:80],
        rubric=draft.rubric.rubric,
        texts=texts_of(draft),
        judges=tuple(bench.priced(judge_of(judge, bench.settings)) for judge in draft.judges),
        fallbacks=bench.panel.fallbacks(),
        both_orders=pairs and draft.orders == "both",
        order_check=pairs and draft.orders == "check",
        on_error=plan.on_error if custom else "skip",
        seed=plan.seed if custom else 0,
        caps=Caps(max_cost=plan.max_cost, max_calls=plan.max_calls),
        lookahead=4 * concurrency,
    )


def concurrency_of(draft: Draft) -> int | None:
    """Calls at the same time, where the plan says."""
    return draft.plan.concurrency if draft.plan.preset == "custom" else None


def blockers(bench: Workbench, draft: Draft, typed: Collection[str] = ()) -> list[Blocker]:
    """What keeps the draft from being started; empty where nothing does. `typed`: see `judge_faults`."""
    found = [*_text_blockers(draft), *_rubric_blockers(draft)]
    for number, judge in enumerate(draft.judges, start=1):
        faults = judge_faults(judge, bench.settings, typed)
        found += [Blocker(step="judges", message=f"Judge {number}: {fault}") for fault in faults]
    if found:
        return found
    try:
        return list(_spec_blockers(bench, spec_of(bench, draft)))
    except InputError as error:
        return [Blocker(step="start", message=str(error))]


def _text_blockers(draft: Draft) -> Iterator[Blocker]:
    n = len(draft.texts)
    if n < 2:
        lack = "There are no texts yet" if n == 0 else "There is only one text"
        yield Blocker(step="texts", message=f"{lack}. A ranking needs at least two.")


def _rubric_blockers(draft: Draft) -> Iterator[Blocker]:
    if draft.rubric.faults:
        yield Blocker(
            step="rubric",
            message="The criteria that you typed have a fault and are not in use. Mend them, or drop that edit.",
        )


def _spec_blockers(bench: Workbench, spec: Spec) -> Iterator[Blocker]:
    yield from (Blocker(step="start", message=fault) for fault in plan_faults(spec))
    for problem in bench.too_long(spec):
        yield Blocker(step="judges", message=f"{problem.message}{SHORTER_LISTS if spec.method == 'listwise' else ''}")
    for judge in spec.judges:
        preset = preset_of(judge)
        longest = max(spec.texts, key=lambda text: text.characters)
        if preset and preset.longest_text and longest.characters > preset.longest_text:
            limit = f"{preset.longest_text:,}"
            message = f"{preset.title} refuses texts of more than {limit} bytes, and {longest.alias} is longer. Leave it out or shorten it."
            yield Blocker(step="texts", message=message)
    unpriced = any(judge.price is None for judge in (*spec.judges, *spec.fallbacks))
    if unpriced and spec.caps.max_cost is not None and spec.caps.max_calls is None:
        message = "The price of a judge is unknown, so a cap in dollars cannot hold. Enter its price, or set a cap on calls as well."
        yield Blocker(step="start", message=message)
