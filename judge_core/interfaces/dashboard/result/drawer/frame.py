"""The drawer: opened by the address, with its neighbours a step away."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.result.address import MATCH, close_match, opened_match
from judge_core.interfaces.dashboard.result.drawer.listing import listing_head, show_listing
from judge_core.interfaces.dashboard.result.drawer.match import match_head, show_match
from judge_core.interfaces.dashboard.result.sections.entries import Entry, entries, entry_at
from judge_core.interfaces.dashboard.result.shown import Shown, look
from judge_core.views.matches import MatchView

WIDTH = 1080
"""Pixels at first; the reader may drag it."""


def show_drawer(shown: Shown) -> None:
    """The drawer, where the address names something that was judged."""
    if opened_match() is None:
        return
    title = "Judgment" if shown.state.listings else "Match"
    st.dialog(title, width=WIDTH, position="right", icon=":material/compare:", on_dismiss=close_match)(_drawer)(shown)


def _drawer(shown: Shown) -> None:
    place = opened_match()
    if place is None:
        st.rerun()
        return
    shown = look(shown.id, shown.chosen)
    entry = entry_at(shown.weighed, place)
    if entry is None:
        what = "nothing at place" if shown.state.listings else "no match"
        st.markdown(f"There is {what} {place} in this run, or it was not judged yet.")
        return
    _neighbours(shown, entry)
    if isinstance(entry, MatchView):
        match_head(shown, entry)
        show_match(shown, entry)
    else:
        listing_head(shown, entry)
        show_listing(shown, entry)


def _neighbours(shown: Shown, entry: Entry) -> None:
    places = [one.place for one in entries(shown.state)]
    at, noun = places.index(entry.place), "judgment" if shown.state.listings else "match"
    with st.container(horizontal=True):
        _step(f"Previous {noun}", ":material/arrow_back:", places[at - 1] if at else None)
        _step(f"Next {noun}", ":material/arrow_forward:", places[at + 1] if at + 1 < len(places) else None)


def _step(words: str, icon: str, place: int | None) -> None:
    st.button(words, icon=icon, key=f"drawer_{words}", on_click=_turn_to, args=(place,), disabled=place is None)


def _turn_to(place: int | None) -> None:
    if place is not None:
        st.query_params[MATCH] = str(place)
