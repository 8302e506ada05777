"""What stands open, in the address: a ranking's match as `?match=`, an item as `?item=`."""

from __future__ import annotations

import streamlit as st

MATCH = "match"
ITEM = "item"
_WHOLE_PAGE = "result_whole_page"


def open_match(place: int) -> None:
    """Opens a match: the drawer comes with the next run of the whole page."""
    st.query_params[MATCH] = str(place)
    st.session_state[_WHOLE_PAGE] = True


def close_match() -> None:
    """Closes the drawer."""
    st.query_params.pop(MATCH, None)


def opened_match() -> int | None:
    """The place of the match that the address names; None where it names none, or no number."""
    named = st.query_params.get(MATCH, "")
    return int(named) if named.isascii() and named.isdigit() and len(named) < 10 else None


def opened_item() -> str | None:
    """What the address names as an item; None where it names none. The run may have none of that alias."""
    return st.query_params.get(ITEM) or None


def rerun_if_asked(*, whole: bool = False) -> None:
    """Runs the whole page once where something in a fragment changed the address."""
    if st.session_state.pop(_WHOLE_PAGE, False) and not whole:
        st.rerun()


def picked_row(key: str) -> int | None:
    """The row that was just selected in the table of that key."""
    rows = st.session_state[key].selection.rows
    return rows[0] if rows else None
