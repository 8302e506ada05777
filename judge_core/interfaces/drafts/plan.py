"""From a draft to a spec: how much is compared, what to expect of it, and what still keeps it from being started."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from judge_core.interfaces.drafts.judging import judge_faults, judge_of
from judge_core.interfaces.drafts.records import Draft, Plan, Preset
from judge_core.interfaces.workbench import Workbench, new_spec, text_refs
from judge_core.providers.registry import preset_of
from judge_core.ranking.certainty import expected_top_precision, sentence
from judge_core.ranking.narrowing import planned_matches, useful_rounds
from judge_core.records.errors import InputError
from judge_core.records.record import Record
from judge_core.records.spec import Caps, Narrowing, Spec, TextRef

PRESETS: dict[Preset, str] = {
    "quick": "Quick look",
    "standard": "Standard",
    "top": "Only the best",
    "custom": "Custom",
}
QUICK_ROUNDS, STANDARD_ROUNDS, TOP_ROUNDS = 3, 20, 8
LARGEST_PRIOR = 10_000.0


class Blocker(Record):
    """One thing that keeps a run from being started, and the step where it can be mended."""

    step: str
    message: str


def schedule(plan: Plan, n: int) -> tuple[int, Narrowing]:
    """Rounds and narrowing of a plan for n texts."""
    if plan.preset == "quick":
        return max(1, useful_rounds(n, QUICK_ROUNDS)), Narrowing()
    if plan.preset == "standard":
        return max(1, useful_rounds(n, STANDARD_ROUNDS)), Narrowing()
    if plan.preset == "top":
        return max(1, useful_rounds(n, TOP_ROUNDS)), Narrowing(focus=plan.top_focus, k=plan.top_k)
    return plan.rounds, Narrowing(focus=plan.focus, k=None if plan.focus == "all" else plan.k)


def amount(plan: Plan, n: int) -> str:
    """How much a plan compares, in exact numbers.

    >>> amount(Plan(preset="standard"), 12)
    '11 rounds, 66 comparisons: every pair once.'
    """
    rounds, narrowing = schedule(plan, n)
    played, matches = useful_rounds(n, rounds), planned_matches(n, rounds, narrowing)
    said = f"{played} round{'s' if played != 1 else ''}, {matches:,} comparison{'s' if matches != 1 else ''}"
    if n < 2:
        return "Add texts to see how many comparisons this makes."
    if narrowing.focus == "all" and 2 * matches == n * (n - 1):
        return f"{said}: every pair once."
    if narrowing.focus == "all":
        others = round(2 * matches / n)
        return f"{said}: each text meets about {others} other{'s' if others != 1 else ''}."
    return f"{said}: everyone meets two others, then only the texts near rank {narrowing.k} go on."


def expectation(plan: Plan, n: int) -> str:
    """What certainty to expect of a plan, in plain words."""
    rounds, narrowing = schedule(plan, n)
    if narrowing.focus == "all" or n < 2 or (narrowing.k or 0) >= n:
        return sentence(n, rounds)
    kept = expected_top_precision(n)
    return (
        f"In simulation, three rounds narrowed to the best quarter keep about {kept:.0%} of the texts that belong there, "
        f"if the judge decides 80% of random pairs rightly. This plan has {useful_rounds(n, rounds)} rounds. "
        "To rely on who is in and who is out, choose Standard."
    )


def texts_of(draft: Draft) -> tuple[TextRef, ...]:
    """The texts as a run takes them, with their prior Elo. InputError naming those whose value is no number."""
    refs = text_refs([text.artifact for text in draft.texts])
    column = draft.plan.prior_column if draft.plan.preset == "custom" else None
    return refs if column is None else tuple(_with_prior(ref, column) for ref in refs)


def _with_prior(ref: TextRef, column: str) -> TextRef:
    cell = ref.columns.get(column, "").strip()
    if not cell:
        return ref
    try:
        value = float(cell.replace(",", "."))
    except ValueError:
        value = LARGEST_PRIOR + 1
    if not abs(value) <= LARGEST_PRIOR:
        raise InputError(
            f"{ref.alias}: the column {column!r} holds {cell[:20]!r}, which is no rating. Write a number such as 1500, or leave it empty.",
            field=column,
        )
    return ref.model_copy(update={"prior_elo": value})


def columns_of(draft: Draft) -> list[str]:
    """The columns that some text brought, from its table or the roster."""
    return list(dict.fromkeys(name for text in draft.texts for name in text.artifact.columns))


def spec_of(bench: Workbench, draft: Draft) -> Spec:
    """The draft as the spec of a run, its judges priced. InputError where it is not complete."""
    rounds, narrowing = schedule(draft.plan, len(draft.texts))
    plan = draft.plan
    custom = plan.preset == "custom"
    concurrency = (plan.concurrency if custom else None) or bench.settings.concurrency
    return new_spec(
        name=draft.name.strip() or draft.rubric.rubric.name or draft.rubric.rubric.question[:80],
        rubric=draft.rubric.rubric,
        texts=texts_of(draft),
        judges=tuple(bench.priced(judge_of(judge, bench.settings)) for judge in draft.judges),
        fallbacks=bench.panel.fallbacks(),
        rounds=rounds,
        narrowing=narrowing,
        both_orders=draft.both_orders,
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
    for problem in bench.too_long(spec):
        yield Blocker(step="judges", message=problem.message)
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
