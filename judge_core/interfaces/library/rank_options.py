"""What a person can choose about a ranking, in the words of the command line and the library, and the spec that it makes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from judge_core.interfaces.bench.ranking import check_ranking
from judge_core.interfaces.library.options import RunOptions, checked, shared_fields
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.ranking.goals import parse_goal
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.spec import Goal, Method, Narrowing, Spec, TextRef

NUMBERS = {"prior_elo": "a prior Elo", "anchor": "a known rating"}


@dataclass(frozen=True, kw_only=True)
class RankOptions(RunOptions):
    """The choices of a ranking."""

    method: str = "swiss"
    rounds: int | None = None
    """None: what is usual for the method; with `until`, as many as are useful."""
    until: str | None = None
    """`order`, `top:K` or `cut:K,K`, each with `@P`, the expected share that is to be right, behind it where the usual one is not meant."""
    keep: str | None = None
    """`rank:K` or `class:K`."""
    both_orders: bool = False
    order_check: bool = False
    """One pair in ten is asked in both orders, to see how often judges change their mind."""
    evidence: str = "winner"
    """What a verdict says: `winner`, `margins`, `levels` or `probabilities`."""
    group_size: int = 8
    """Listwise: texts in one call."""
    reverse_share: float = 0.1
    """Listwise: the share of lists asked a second time in reverse, from 0 to 1, to measure the favour for early places."""
    scores_first: bool = False
    """Each text is scored once by itself before the pairs."""
    rematches: bool = False
    third_place: bool = True
    judges_per_match: int | None = None
    """Of a panel: so many judges for each match, drawn by lot; None: all."""
    anchors: Mapping[str, float] | None = None
    """Known ratings at which texts are held, by text id or alias."""
    prior_elo: Mapping[str, float] | None = None
    """Elo to begin with, by text id or alias; the others begin at 1500."""


def rank_spec(bench: Workbench, texts: Sequence[TextRef], rubric: Rubric, options: RankOptions) -> Spec:
    """The spec of a ranking. Raises InputError for a choice that cannot be, naming it, its value and the remedy."""
    check_method(options.method)
    goal = None if options.until is None else parse_goal(options.until)
    named = {"prior_elo": options.prior_elo or {}, "anchor": options.anchors or {}}
    given: dict[str, Any] = {
        **shared_fields(bench, options), "method": options.method, "rubric": rubric, "texts": with_numbers(texts, named),
        "rounds": usual_rounds(options.method, goal) if options.rounds is None else options.rounds, "goal": goal,
        "narrowing": narrowing_of(options.keep), "both_orders": options.both_orders, "order_check": options.order_check,
        "evidence": options.evidence, "group_size": options.group_size, "reverse_share": options.reverse_share, "warm_start": options.scores_first,
        "rematches": options.rematches, "third_place": options.third_place,
        "judges_per_match": options.judges_per_match,
    }  # fmt: skip
    check_choices(options)
    spec = checked(new_spec, **given)
    check_ranking(spec)
    return spec


USUAL_ROUNDS: dict[str, int] = {"swiss": 3, "adaptive": 12, "listwise": 8}
MANY_ROUNDS = 60
"""The most that a run with a goal plays, where no number is given."""


def usual_rounds(method: str, goal: Goal | None) -> int:
    """Rounds where a person gives no number; methods that play all they have take no notice."""
    return MANY_ROUNDS if goal is not None else USUAL_ROUNDS.get(method, 3)


def check_choices(options: RankOptions) -> None:
    """InputError for choices that exclude each other, naming both and the remedy."""
    if options.keep is not None and options.method != "swiss":
        raise InputError(
            f"--keep narrows Swiss rounds; the method is {options.method!r}. Use --until top:K with adaptive.",
            field="keep",
        )
    if options.both_orders and options.order_check:
        raise InputError("Both orders are asked of every pair already; leave the order check out.", field="order_check")
    if options.scores_first and options.method in ("listwise", "pointwise"):
        raise InputError(f"Scores first are for pairs; the method is {options.method!r}.", field="scores_first")
    panel = len(options.judges)
    if options.judges_per_match is not None and not 1 <= options.judges_per_match <= panel:
        raise InputError(
            f"{options.judges_per_match} judges a match are not possible with a panel of {panel}.",
            field="judges_per_match",
        )


def check_method(method: str) -> None:
    """InputError, with the methods there are, for one that there is not."""
    if method not in get_args(Method):
        raise InputError(
            f"The method {method!r} is not there. Choose from: {', '.join(get_args(Method))}.", field="method"
        )


def narrowing_of(keep: str | None) -> Narrowing:
    """The narrowing that `rank:K` or `class:K` stands for. InputError for anything else.

    >>> narrowing_of("rank:5"), narrowing_of(None).focus
    (Narrowing(focus='rank', k=5), 'all')
    """
    if keep is None:
        return Narrowing()
    found = re.fullmatch(r"(rank|class):([1-9]\d{0,5})", keep.strip(), re.ASCII)
    if found is None:
        raise InputError(
            f"{keep!r} does not say what to keep. Write rank:5 for the best 5 in order, class:5 for the best 5 as a set.",
            field="keep",
        )
    return checked(Narrowing, focus=found[1], k=int(found[2]))


def with_numbers(texts: Sequence[TextRef], given: Mapping[str, Mapping[str, float]]) -> tuple[TextRef, ...]:
    """The texts with numbers by id or alias: `prior_elo` to begin with, or an `anchor` to be held at.

    An alias names its own text, even where another one has that id. InputError where a name is not among them, two
    names mean one text, or a value is no number.
    """
    numbers = {field: _by_alias(texts, field, values) for field, values in given.items()}
    return tuple(
        text.model_copy(
            update={field: values.get(text.alias, getattr(text, field)) for field, values in numbers.items()}
        )
        for text in texts
    )


def _by_alias(texts: Sequence[TextRef], field: str, values: Mapping[str, float]) -> dict[str, float]:
    named: dict[str, list[str]] = {}
    for text in texts:
        named.setdefault(text.id, []).append(text.alias)
    named |= {text.alias: [text.alias] for text in texts}
    found: dict[str, float] = {}
    for name, value in values.items():
        if name not in named:
            near = difflib.get_close_matches(name, named, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(f"There is no text {name!r} to give {NUMBERS[field]}.{hint}", field=field)
        if not abs(value) <= 10_000:
            raise InputError(f"{value!r} as {NUMBERS[field]} of {name!r} is not a plain number.", field=field)
        if not found.keys().isdisjoint(named[name]):
            raise InputError(f"{name!r} names a text that {NUMBERS[field]} is given to already.", field=field)
        found |= dict.fromkeys(named[name], value)
    return found
