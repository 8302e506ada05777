"""How much a plan asks and when it stops by itself, before it is paid for."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from judge_core.engine.estimate import ranking_workload
from judge_core.interfaces.drafts.planning.choices import choices
from judge_core.interfaces.drafts.records import Draft, Plan
from judge_core.interfaces.workbench import new_spec
from judge_core.providers.registry import judge_spec
from judge_core.ranking.schedules.listwise import sizes
from judge_core.ranking.schedules.schedule import Planned, planned
from judge_core.ranking.schedules.swiss.narrowing import notes, useful_rounds
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.spec import Goal, Spec, TextRef

NO_TEXTS = "Add texts to see how many comparisons this makes."


def sketch(plan: Plan, n: int, *, panel: int = 1) -> Spec:
    """The spec that the plan makes of n texts, whatever they are. Lines that cannot be read yet are left out."""
    try:
        found = choices(plan, n)
    except InputError:
        found = {**choices(plan.model_copy(update={"goal": "none"}), n), "rounds": plan.most_rounds}
    judges = (judge_spec("offline"),) * panel
    return new_spec(rubric=Rubric(), texts=_texts(n), judges=judges, **found)


@lru_cache(maxsize=4)
def _texts(n: int) -> tuple[TextRef, ...]:
    return tuple(
        TextRef(alias=f"E-{number}", id=f"{number}", title="", sha256=f"{number}", words=0, characters=0)
        for number in range(n)
    )


def calls_of(draft: Draft, plan: Plan) -> int:
    """Calls of the whole panel if the draft had that plan; at most, where it may stop by itself."""
    spec = sketch(plan, len(draft.texts), panel=len(draft.judges))
    spec = spec.model_copy(update={"both_orders": draft.orders == "both", "order_check": draft.orders == "check"})
    load = ranking_workload(spec, planned(spec), tokens_of=lambda _: 0, frame=0)
    return load.calls * len(draft.judges)


def amount(plan: Plan, n: int) -> str:
    """How much a plan asks, in exact numbers.

    >>> amount(Plan(preset="standard"), 12)
    '11 rounds, 66 comparisons: every pair once.'
    >>> amount(Plan(preset="lists"), 16)
    '8 rounds, 16 lists of up to 8 texts, and 2 of them in reverse as well.'
    """
    if n < 2:
        return NO_TEXTS
    spec = sketch(plan, n)
    asked = planned(spec)
    said = _said(spec, asked)
    if asked.singles and asked.matches:
        said = f"{_many(asked.singles, 'score')} first, then {said}"
    return f"At most {said}" if spec.goal else said[0].upper() + said[1:]


def _said(spec: Spec, asked: Planned) -> str:
    n, compared = len(spec.texts), _many(asked.matches, "comparison")
    match spec.method:
        case "swiss":
            return _swiss(spec, asked.matches)
        case "adaptive":
            return f"{compared}, chosen for what they tell: about {_each(asked.matches, n)} for each text."
        case "round-robin":
            often = "some more than once" if 2 * asked.matches > n * (n - 1) else "each once"
            return f"{compared}: all pairs, {often}."
        case "knockout":
            return f"{compared}: who loses is out."
        case "listwise":
            first = len(sizes(n, spec.group_size)) * spec.rounds
            turned = f", and {asked.groups - first:,} of them in reverse as well" if asked.groups > first else ""
            lists = f"{_many(first, 'list')} of up to {max(sizes(n, spec.group_size))} texts"
            return f"{_many(spec.rounds, 'round')}, {lists}{turned}."
        case "pointwise":
            return f"{_many(asked.singles, 'score')}: each text by itself, none compared."


def _swiss(spec: Spec, matches: int) -> str:
    n = len(spec.texts)
    said = f"{_many(rounds_played(spec), 'round')}, {_many(matches, 'comparison')}"
    if is_narrowed(spec):
        return f"{said}: everyone meets two others, then only the texts near rank {spec.narrowing.k} go on."
    if 2 * matches == n * (n - 1):
        return f"{said}: every pair once."
    if 2 * matches > n * (n - 1):
        return f"{said}: every pair, some more than once."
    return f"{said}: each text meets about {_many(_each(matches, n), 'other')}."


def rounds_played(spec: Spec) -> int:
    """The rounds that can bring something new."""
    free = spec.rematches or spec.method not in ("swiss", "adaptive")
    return spec.rounds if free else useful_rounds(len(spec.texts), spec.rounds)


def is_narrowed(spec: Spec) -> bool:
    """Whether texts far from the cut drop out."""
    return spec.narrowing.focus != "all" and (spec.narrowing.k or 0) < len(spec.texts)


def _each(matches: int, n: int) -> int:
    return round(2 * matches / n)


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def stop_words(goal: Goal) -> str:
    """When a goal stops a run, in plain words.

    >>> stop_words(Goal(kind="top", ranks=(5,), probability=0.9))
    'Stops as soon as at least 9 in 10 of the best 5 can be expected to belong there.'
    >>> stop_words(Goal(kind="cut", ranks=(5, 12), probability=0.92))
    'Stops as soon as at least 92 in 100 texts can be expected to stand on their side of the lines after ranks 5 and 12.'
    """
    share = _share(goal.probability)
    if goal.kind == "order":
        what = f"{share} pairs can be expected to stand in the right order"
    elif goal.kind == "top":
        what = f"{share} of the best {goal.ranks[0]:,} can be expected to belong there"
    else:
        values = [f"{value:g}" for value in goal.ranks or goal.ratings]
        many = "s" if len(values) > 1 else ""
        listed = " and ".join([", ".join(values[:-1]), values[-1]] if many else values)
        lines = f"the line{many} {'after rank' if goal.ranks else 'at rating'}{many} {listed}"
        what = f"{share} texts can be expected to stand on their side of {lines}"
    return f"Stops as soon as at least {what}."


def _share(probability: float) -> str:
    share = Fraction(round(100 * probability), 100)
    return (
        f"{share.numerator} in {share.denominator}" if share.denominator <= 20 else f"{round(100 * probability)} in 100"
    )


def remarks(plan: Plan, n: int) -> tuple[str, ...]:
    """What a person must know of the plan before Start, in sentences."""
    spec = sketch(plan, n)
    if spec.method != "swiss" or spec.rematches:
        return ()
    rounds = (
        useful_rounds(n, spec.rounds) if spec.goal else spec.rounds
    )  # "at most" says enough of a limit out of reach
    return notes(n, rounds, spec.narrowing)
