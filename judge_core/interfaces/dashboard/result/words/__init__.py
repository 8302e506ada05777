"""Words and symbols of the result page: a status, a class of judgments, a method, money. No colour says anything alone."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from judge_core.records.event import RunStatus
from judge_core.records.notices import NOTICES, explain
from judge_core.records.spec import ItemSpec, Spec
from judge_core.records.verdict import JudgmentClass
from judge_core.views.items.state import ItemClass, ItemState
from judge_core.views.matches import MatchView
from judge_core.views.state import RunState

Colour = Literal["blue", "green", "orange", "red", "gray"]
STATUS: dict[RunStatus, tuple[str, str, Colour]] = {
    "waiting": ("Not started", ":material/hourglass_empty:", "gray"),
    "running": ("Running", ":material/play_circle:", "blue"),
    "done": ("Finished", ":material/check_circle:", "green"),
    "failed": ("Stopped: a judge cannot be used", ":material/error:", "red"),
    "cancelled": ("Cancelled", ":material/cancel:", "gray"),
    "budget": ("Stopped at the cap", ":material/savings:", "orange"),
    "paused": ("Paused", ":material/pause_circle:", "orange"),
}
"""Words, symbol and colour of each status."""


class KindOfRun(NamedTuple):
    """How runs of a mode are called."""

    kind: str
    """In a list of runs."""
    one: str
    """A run of one text or item that has no name."""
    many: str
    noun: str


KINDS_OF_RUN: dict[str, KindOfRun] = {
    "rank": KindOfRun("Ranking", "Ranking of 1 text", "Ranking of {n} texts", "text"),
    "review": KindOfRun("Review", "Review of 1 text", "Review of {n} texts", "text"),
    "gate": KindOfRun("Gate", "Gate for 1 text", "Gate for {n} texts", "text"),
    "listwise": KindOfRun("List", "Ranking of a list", "Ranking of {n} lists", "list"),
    "rag": KindOfRun("RAG", "1 answer with passages", "{n} answers with passages", "answer"),
    "agent": KindOfRun("Agent", "1 agent run", "{n} agent runs", "agent run"),
}
"""By the spec's mode."""
COMPARISON = KindOfRun("Comparison", "Comparison of 1 text", "Comparison of {n} texts", "text")
"""A ranking that is one comparison."""
INTERRUPTED: tuple[str, str, Colour] = ("Interrupted", ":material/warning:", "orange")
SIGNS: dict[JudgmentClass, str] = {
    "won": "◀",
    "lost": "▶",
    "tied": "=",
    "flipped": "⇄",
    "unparseable": "✎",
    "failed": "✕",
    "held": "‖",
    "cancelled": "⊘",
    "waiting": "…",
}
CLASSES: dict[JudgmentClass, str] = {
    "won": "left won",
    "lost": "right won",
    "tied": "tied",
    "flipped": "flipped",
    "unparseable": "unreadable",
    "failed": "failed",
    "held": "held back",
    "cancelled": "cancelled",
    "waiting": "waiting",
}
"""A class in two words at most."""
ITEM_SIGNS: dict[ItemClass, str] = {
    "judged": "✓",
    "unparseable": "✎",
    "failed": "✕",
    "held": "‖",
    "cancelled": "⊘",
    "waiting": "…",
}
ITEM_CLASSES: dict[ItemClass, str] = {
    "judged": "judged",
    "unparseable": "unreadable",
    "failed": "failed",
    "held": "held back",
    "cancelled": "cancelled",
    "waiting": "waiting",
}
LOST = {"failed": "A judge gave no answer.", "unparseable": "A judge's reply could not be read."}
LETTERS = {"W": "won", "L": "lost", "D": "drew", "?": "no verdict"}


def is_pair(spec: Spec | ItemSpec) -> bool:
    """Whether a run is one comparison of two texts and nothing more."""
    return isinstance(spec, Spec) and len(spec.texts) == 2 and spec.rounds == 1


def kind_of_run(spec: Spec | ItemSpec) -> KindOfRun:
    """How a run is called by its kind."""
    return COMPARISON if is_pair(spec) else KINDS_OF_RUN[spec.mode]


def warning_sentence(code: str) -> str:
    """A warning, or a class of lost judgments, in a sentence; '' for a code of neither."""
    return LOST.get(code) or (explain(code) if code in NOTICES else "")


def method(spec: Spec) -> str:
    """How the run ranks, in plain words.

    >>> from judge_core.records.criteria import Rubric
    >>> from judge_core.records.spec import JudgeSpec
    >>> judge = JudgeSpec(name="offline", provider="offline", model="offline")
    >>> method(Spec(rubric=Rubric(), texts=(), judges=(judge,), prompt_version="1"))
    'Swiss tournament, 3 rounds, one order a pair'
    """
    if is_pair(spec):
        return "each text shown first once" if spec.both_orders else "shown in one order"
    rounds = "1 round" if spec.rounds == 1 else f"{spec.rounds} rounds"
    orders = "both orders of each pair" if spec.both_orders else "one order a pair"
    focus, k = spec.narrowing.focus, spec.narrowing.k
    narrowed = {"rank": f", narrowing to the best {k}", "class": f", narrowing to the cut at {k}"}.get(focus, "")
    return f"Swiss tournament, {rounds}, {orders}{narrowed}"


def what_is_asked(spec: Spec | ItemSpec) -> str:
    """How the run judges, in plain words; '' where its kind says all.

    >>> from judge_core.records.criteria import Rubric
    >>> from judge_core.records.item import Item, ItemPart
    >>> from judge_core.records.spec import JudgeSpec
    >>> item = Item(alias="I-001", id="a", title="a", parts=(ItemPart(role="text", sha256="x", words=1, characters=1),))
    >>> judge = JudgeSpec(name="offline", provider="offline", model="offline")
    >>> what_is_asked(ItemSpec(mode="gate", rubric=Rubric(), items=(item,), judges=(judge,), prompt_version="1"))
    'pass bar 3.5 of 5'
    """
    if isinstance(spec, Spec):
        return method(spec)
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


def dollars(value: float | None) -> str:
    """Dollars with as many decimals as tell something.

    >>> dollars(12.3456), dollars(0.00042), dollars(0.0), dollars(None)
    ('$12.35', '$0.0004', '$0', 'unknown')
    """
    if value is None:
        return "unknown"
    if value == 0:
        return "$0"
    return f"${value:,.2f}" if value >= 0.1 else f"${value:.4f}"


def duration(seconds: float) -> str:
    """A time span in words.

    >>> duration(8), duration(90), duration(4000)
    ('a few seconds', 'about 2 minutes', 'about 1 h 7 min')
    """
    if seconds < 10:
        return "a few seconds"
    if seconds < 60:
        return f"about {round(seconds / 5) * 5} seconds"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"about {plural(minutes, 'minute')}"
    return f"about {minutes // 60} h {minutes % 60} min"


def when(stamp: str | None) -> str:
    """A stored time for people, in UTC.

    >>> when("2026-11-30T12:00:05.123+00:00"), when(None)
    ('30 Nov 2026, 12:00 UTC', '')
    """
    if not stamp:
        return ""
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return ""
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"


def plural(number: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "text"), plural(2, "text"), plural(2, "match")
    ('1 text', '2 texts', '2 matches')
    """
    ending = "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}{ending}"


def ledger_line(state: RunState | ItemState) -> str:
    """Every planned judgment by class, in one line that adds up."""
    if isinstance(state, RunState):
        parts = [f"{SIGNS[name]} {number:,} {CLASSES[name]}" for name, number in state.ledger.items() if number]
    else:
        parts = [f"{ITEM_SIGNS[name]} {n:,} {ITEM_CLASSES[name]}" for name, n in state.ledger.items() if n]
    return (
        f"{plural(state.planned_judgments, 'judgment')} = {' + '.join(parts)}" if parts else "No judgment is planned."
    )


def outcome_words(view: MatchView, a: str, b: str) -> str:
    """What became of a match, with its texts as they are called."""
    if view.result is None:
        return "No verdict"
    if view.letter(view.a) == "D":
        flipped = any(judgment.outcome == "flipped" for judgment in view.judgments)
        return "Tie (flipped)" if flipped else "Tie"
    return f"{a if view.result > 0.5 else b} won"
