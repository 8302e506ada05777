"""Words and symbols of the result page: a status, a class of judgments, a method, money. No colour says anything alone."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from judge_core.records.event import RunStatus
from judge_core.records.notices import NOTICES, explain
from judge_core.records.spec import AnySpec, Spec
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
    "refine": KindOfRun("Improvement", "Improvement of a text", "Improvement of {n} texts", "text"),
}
"""By the spec's mode."""
COMPARISON = KindOfRun("Comparison", "Comparison of 1 text", "Comparison of {n} texts", "text")
"""A ranking that is one comparison."""
INTERRUPTED: tuple[str, str, Colour] = ("Interrupted", ":material/warning:", "orange")
SIGNS: dict[JudgmentClass, str] = {
    "ranked": "≡",
    "scored": "✓",
    "won": "◀",
    "lost": "▶",
    "tied": "=",
    "flipped": "⇄",
    "unparseable": "✎",
    "failed": "✕",
    "held": "‖",
    "cancelled": "⊘",
    "waiting": "…",
    "unchosen": "○",
}
CLASSES: dict[JudgmentClass, str] = {
    "ranked": "ranked",
    "scored": "scored",
    "won": "first text won",
    "lost": "second text won",
    "tied": "tied",
    "flipped": "flipped",
    "unparseable": "unreadable",
    "failed": "failed",
    "held": "held back",
    "cancelled": "cancelled",
    "waiting": "waiting",
    "unchosen": "no overall choice",
}
"""A class in few words."""
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
PERCENT = "%.0f %%"
"""Number format of a table's column that holds percents."""
LOST = {"failed": "A judge gave no answer.", "unparseable": "A judge's reply could not be read."}
LETTERS = {"W": "won", "L": "lost", "D": "tied", "?": "no verdict"}


def is_pair(spec: AnySpec) -> bool:
    """Whether a run is one comparison of two texts and nothing more."""
    if not isinstance(spec, Spec):
        return False
    return (len(spec.texts), spec.method, spec.rounds, spec.warm_start) == (2, "swiss", 1, False)


def kind_of_run(spec: AnySpec) -> KindOfRun:
    """How a run is called by its kind."""
    return COMPARISON if is_pair(spec) else KINDS_OF_RUN[spec.mode]


def warning_sentence(code: str) -> str:
    """A warning, or a class of lost judgments, in a sentence; '' for a code of neither."""
    return LOST.get(code) or (explain(code) if code in NOTICES else "")


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


def when(stamp: str | None, zone: str | None = None) -> str:
    """A stored time for people: in the reader's own time zone where that is known, else in UTC, and which of the two it is.

    >>> when("2026-11-30T12:00:05.123+00:00"), when(None)
    ('30 Nov 2026, 12:00 UTC', '')
    >>> when("2026-11-30T23:30:00+00:00", "Europe/Berlin"), when("2026-11-30T12:00:00+00:00", "Nowhere/At all")
    ('1 Dec 2026, 00:30 CET', '30 Nov 2026, 12:00 UTC')
    """
    if not stamp:
        return ""
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return ""
    with suppress(ValueError, ZoneInfoNotFoundError, OSError):
        moment = moment.astimezone(ZoneInfo(zone or "UTC"))
    return f"{moment.day} {moment:%b %Y, %H:%M} {moment.tzname()}"


def plural(number: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "text"), plural(2, "text"), plural(2, "match")
    ('1 text', '2 texts', '2 matches')
    """
    ending = "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}{ending}"


def table_height(rows: int, most: int = 20) -> int:
    """Pixels of a table of so many rows, of which so many are seen at once: whole ones, so that none is cut.

    >>> table_height(3), table_height(20) == table_height(99)
    (143, True)
    """
    return 38 + 35 * max(1, min(rows, most))


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
        return "No overall choice" if any(one.outcome == "unchosen" for one in view.judgments) else "No verdict"
    if view.letter(view.a) == "D":
        flipped = any(judgment.outcome == "flipped" for judgment in view.judgments)
        return "Tie (flipped)" if flipped else "Tie"
    return f"{a if view.result > 0.5 else b} won"
