"""What was judged, one by one: matches, ranked lists, texts scored by themselves, and how each is said in a line."""

from __future__ import annotations

from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import LETTERS, outcome_words, plural
from judge_core.ranking.evidence import shares
from judge_core.views.listings import ListingView
from judge_core.views.matches import MatchView
from judge_core.views.state import RunState
from judge_core.views.tables import best_first, points

Entry = MatchView | ListingView
NAMED = 3
"""Texts of a list that are named in a line."""


def entries(state: RunState) -> list[Entry]:
    """All that was judged, in the order first asked."""
    found: dict[int, Entry] = {**state.matches, **state.listings}
    return [found[place] for place in sorted(found)]


def entry_at(state: RunState, place: int) -> Entry | None:
    """What was judged at a place."""
    return state.match(place) or state.listing(place)


def texts_of(entry: Entry) -> tuple[str, ...]:
    """The aliases of its texts, in the order shown."""
    return entry.texts if isinstance(entry, ListingView) else (entry.a, entry.b)


def kind_of(entry: Entry) -> str:
    """'Match', 'List' or 'Score'."""
    if isinstance(entry, MatchView):
        return "Match"
    return "Score" if entry.single else "List"


def title_of(shown: Shown, entry: Entry) -> str:
    """Its texts in a line; plain text, not fit for markdown."""
    names = [shown.called(alias) for alias in texts_of(entry)]
    if len(names) == 1:
        return names[0]
    if isinstance(entry, MatchView):
        return f"{names[0]} against {names[1]}"
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def outcome_of(shown: Shown, entry: Entry) -> str:
    """What became of it; plain text, not fit for markdown."""
    if isinstance(entry, MatchView):
        return outcome_words(entry, shown.called(entry.a), shown.called(entry.b))
    if not entry.decided:
        return "No verdict"
    if entry.single:
        return score_words(entry)
    return " > ".join(shown.called(alias) for alias in best_first(entry, shares(shown.state.spec)))


def score_words(view: ListingView) -> str:
    """The scores of a text by itself."""
    found = points(view).values()
    return f"{', '.join(f'{score:.1f}' for score in found)} of 100 points"


def fate_of(shown: Shown, entry: Entry, alias: str) -> str:
    """What it brought for one of its texts."""
    if isinstance(entry, MatchView):
        return LETTERS[entry.letter(alias)]
    if not entry.decided:
        return "no verdict"
    if entry.single:
        return score_words(entry)
    places = entry.mean_places(shares(shown.state.spec))
    mean = "mean place" if places[alias] % 1 else "place"
    return f"{mean} {round(places[alias], 1):g} of {len(places)}"


def opponents_of(shown: Shown, entry: Entry, alias: str) -> str:
    """Whom that text met in it."""
    if isinstance(entry, MatchView):
        return shown.called(entry.opponent(alias))
    return "by itself" if entry.single else f"list of {plural(len(entry.texts), 'text')}"
