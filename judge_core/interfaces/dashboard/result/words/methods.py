"""How a run judges, in plain words: its method, what it is made of, which round it is in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from judge_core.interfaces.dashboard.result.words import is_pair, plural
from judge_core.ranking.schedules.late import TITLE as LATE
from judge_core.ranking.schedules.listwise import sizes
from judge_core.records.spec import AnySpec, Evidence, RefineSpec, Spec
from judge_core.views.state import RunState


def method(spec: Spec, state: RunState | None = None) -> str:
    """How the run ranks, in plain words; with its state by what was really asked.

    >>> from judge_core.records.criteria import Rubric
    >>> from judge_core.records.spec import JudgeSpec
    >>> judge = JudgeSpec(name="offline", provider="offline", model="offline")
    >>> method(Spec(rubric=Rubric(), texts=(), judges=(judge,), prompt_version="1"))
    'Swiss tournament, 3 rounds, each pair in one order'
    >>> method(Spec(rubric=Rubric(), texts=(), judges=(judge,), prompt_version="1", method="pointwise"))
    'each text scored by itself'
    """
    if is_pair(spec):
        return "each text shown first once" if spec.both_orders else "shown in one order"
    return ", ".join([*_schedule(spec, state), *_orders(spec), *_panel(spec), *_evidence(spec)])


def _schedule(spec: Spec, state: RunState | None) -> Iterator[str]:
    if spec.warm_start and spec.method != "pointwise":
        yield "scores first"
    yield {
        "swiss": f"Swiss tournament, {plural(spec.rounds, 'round')}",
        "round-robin": "round robin: everyone meets everyone",
        "knockout": f"knock-out{' with a match for third place' if spec.third_place else ''}",
        "adaptive": f"adaptive pairs, up to {plural(spec.rounds, 'round')}",
        "listwise": f"lists of {_list_sizes(spec, state)}, {plural(spec.rounds, 'round')}",
        "pointwise": "each text scored by itself" + (", then pairs" if state is not None and state.matches else ""),
    }[spec.method]
    if spec.method == "swiss" and spec.narrowing.focus != "all":
        words = {"rank": "narrowing to the best", "class": "narrowing to the cut at"}[spec.narrowing.focus]
        yield f"{words} {spec.narrowing.k}"
    if spec.method == "listwise" and spec.reverse_share:
        yield f"{spec.reverse_share:.0%} of them again in reverse"


def _list_sizes(spec: Spec, state: RunState | None) -> str:
    """How many texts stand in a list: as they were shared out, which may be fewer than a list may hold."""
    rounds = state.rounds.values() if state is not None else ()
    found = [len(group) for view in rounds if view.title != LATE for group in view.groups]
    found = found or sizes(len(spec.texts), spec.group_size) or [spec.group_size]
    return f"{min(found)}" if min(found) == max(found) else f"{min(found)} to {max(found)}"


def _orders(spec: Spec) -> Iterator[str]:
    if spec.method in ("listwise", "pointwise"):
        return
    if spec.both_orders:
        yield "both orders of each pair"
    else:
        yield "each pair in one order, one in ten in both" if spec.order_check else "each pair in one order"


def _panel(spec: Spec) -> Iterator[str]:
    if spec.judges_per_match is not None and spec.judges_per_match < len(spec.judges):
        yield f"{spec.judges_per_match} of {len(spec.judges)} judges each time"


EVIDENCE: dict[Evidence, str] = {
    "winner": "who won",
    "margins": "by how much (score margins)",
    "levels": "five levels, from much better to much worse",
    "probabilities": "how probable the judge's own tokens made its choice",
}
"""What of a verdict can count."""


def _evidence(spec: Spec) -> Iterator[str]:
    short = {"margins": "score margins", "levels": "five levels", "probabilities": "token probabilities"}
    if spec.evidence in short and spec.method not in ("listwise", "pointwise"):
        yield f"rated by {short[spec.evidence]}"


class Unit(NamedTuple):
    """What a run is made of."""

    one: str
    many: str
    done: str


UNITS: dict[str, Unit] = {
    "listwise": Unit("list", "lists", "ranked"),
    "pointwise": Unit("text", "texts", "scored"),
}
"""By method; the others have matches."""
MATCHES = Unit("match", "matches", "judged")
MIXED = Unit("judgment", "scores and matches", "judged")


def unit(state: RunState) -> Unit:
    """How what a run asks is called."""
    spec = state.spec
    if spec.method == "pointwise" and state.matches:
        return MIXED
    if spec.method != "pointwise" and spec.warm_start:
        return Unit("score or list", "scores and lists", "judged") if spec.method == "listwise" else MIXED
    return UNITS.get(spec.method, MATCHES)


def rounds_words(state: RunState) -> str:
    """Which round it is: of how many only where that is fixed, and while it was not gone beyond."""
    number, fixed = len(state.rounds), _fixed(state.spec)
    return f"{number} of {fixed}" if fixed is not None and number <= fixed else f"{number}"


def went_on(state: RunState) -> str:
    """To which round a run went on beyond those that it was to have; '' where it did not.

    Rounds are counted as everywhere else on the page, those for late texts among them.
    """
    played, late = len(state.rounds), sum(view.title == LATE for view in state.rounds.values())
    fixed = _fixed(state.spec)
    fixed = state.extended_at if fixed is None else fixed
    if fixed is not None and played - late > fixed:
        return f"went on to round {played}" + (f" ({late} of them for late texts)" if late else "")
    return f"{plural(late, 'more round')} for late texts" if late else ""


def _fixed(spec: Spec) -> int | None:
    """The rounds that were fixed at the start, scores first among them."""
    return spec.rounds + spec.warm_start if spec.method in ("swiss", "listwise") else None


def what_is_asked(spec: AnySpec, state: RunState | None = None) -> str:
    """How the run judges, in plain words; '' where its kind says all.

    >>> from judge_core.records.criteria import Rubric
    >>> from judge_core.records.item import Item, ItemPart
    >>> from judge_core.records.spec import ItemSpec, JudgeSpec
    >>> item = Item(alias="I-001", id="a", title="a", parts=(ItemPart(role="text", sha256="x", words=1, characters=1),))
    >>> judge = JudgeSpec(name="offline", provider="offline", model="offline")
    >>> what_is_asked(ItemSpec(mode="gate", rubric=Rubric(), items=(item,), judges=(judge,), prompt_version="1"))
    'pass bar 3.5 of 5'
    """
    if isinstance(spec, Spec):
        return method(spec, state)
    if isinstance(spec, RefineSpec):
        return f"{plural(len(spec.panel), 'judge')} a pass, until {spec.stopping.k} wins in a row"
    match spec.mode:
        case "gate":
            return f"pass bar {spec.bar:g} of 5"
        case "listwise":
            return "shown forwards and in reverse" if spec.both_orders else "shown in one order"
        case "agent":
            return (
                "patterns looked for by rules and judges" if spec.classify_patterns else "patterns looked for by rules"
            )
        case _:
            return ""
