"""The rounds of a report, match by match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge_core.records.item_verdict import ItemJudgment, ListVerdict, PointVerdict
from judge_core.views.matches import RoundView
from judge_core.views.state import RunState

MARKS = {"W": "beat", "L": "lost to", "D": "drew with", "?": "was not decided against"}


def round_lines(state: RunState, view: RoundView, names: Mapping[str, str]) -> Iterator[str]:
    """A round: its matches and lists with what came of them, and who sat out."""
    low, high = view.band
    everyone = (low, high) == (1, len(state.spec.texts))
    yield f"{view.name}{'' if everyone else f', ranks {low} to {high}'}"
    for match in state.matches.values():
        if match.round == view.number:
            elo = f"Elo {match.elo[match.a]:.0f} and {match.elo[match.b]:.0f}"
            yield f"  {match.place}. {names[match.a]} {MARKS[match.letter(match.a)]} {names[match.b]} ({elo})"
    for listing in state.listings.values():
        if listing.round == view.number:
            yield f"  {listing.place}. {_listed(listing.texts, listing.judgments, names)}"
    if view.byes:
        yield f"  Sat out: {', '.join(names[alias] for alias in view.byes)}"


def _listed(texts: Sequence[str], judgments: Sequence[ItemJudgment], names: Mapping[str, str]) -> str:
    shown = ", ".join(names[alias] for alias in texts)
    said = []
    for judgment in judgments:
        if isinstance(judgment.verdict, ListVerdict):
            said.append(" > ".join(names[texts[number - 1]] for number in judgment.verdict.ranking))
        elif isinstance(judgment.verdict, PointVerdict):
            said.append(f"{judgment.verdict.total:.2f} of 1")
    return f"{shown}: {'; '.join(said) or 'no verdict'}"
