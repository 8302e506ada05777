"""Can you trust this? One part at a time; what takes long to work out is worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from judge_core.interfaces.dashboard.result.sections.trust.check import CAREFUL, FINE, NEUTRAL
from judge_core.interfaces.dashboard.result.sections.trust.checks import checks
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import CLASSES
from judge_core.interfaces.dashboard.safe import label
from judge_core.views.tables import judges_table

PART = "trust_part"


def show_trust(shown: Shown) -> None:
    """Of a comparison the checks; of a ranking a choice of parts."""
    if shown.pair or not shown.table.rated:
        _checks(shown)
        return
    part = st.radio("Show", list(PARTS), horizontal=True, key=PART, persist_state="page")
    PARTS[part](shown)


def _checks(shown: Shown) -> None:
    """The checks, then the judges one by one."""
    what = "verdict" if shown.pair else "ranking"
    st.markdown(f"{FINE} speaks for the {what} · {CAREFUL} read with care · {NEUTRAL} good to know")
    with st.grid(min_column_width=380, border=True):
        for check in checks(shown):
            st.markdown(f"{check.sign} **{check.head}**  \n{check.words}")
    _spending(shown)


def _spending(shown: Shown) -> None:
    st.subheader("What the judges did and cost", anchor=False)
    frame = judges_table(shown.state)
    config = st.column_config
    st.dataframe(
        frame, hide_index=True, alt="Each judge's judgments by class, its calls and its cost", placeholder="unknown",
        column_config={
            "judge": config.TextColumn("Judge", pinned=True),
            **{str(name): config.NumberColumn(words.capitalize()) for name, words in CLASSES.items()},
            "shown first won": config.NumberColumn("First won", help="Prompts in which the text shown first won"),
            "shown second won": config.NumberColumn("Second won", help="Prompts in which the text shown second won"),
            "calls": config.NumberColumn("Calls"),
            "cached": config.NumberColumn("From cache"),
            "tokens": config.NumberColumn("Tokens"),
            "cost": config.NumberColumn("Cost in $", format="%.4f"),
        },
    )  # fmt: skip
    unknown = [label(judge.name) for judge in shown.state.spec.judges if judge.price is None]
    if unknown:
        st.caption(f"Price unknown: {', '.join(unknown)}.")


# The measures load packages that most pages do without, so they are imported when they are asked for.


def _reliability(shown: Shown) -> None:
    from judge_core.interfaces.dashboard.result.sections.trust.reliability import show_reliability

    show_reliability(shown)


def _ranks(shown: Shown) -> None:
    from judge_core.interfaces.dashboard.result.sections.trust.places import show_ranks

    show_ranks(shown)


def _position(shown: Shown) -> None:
    from judge_core.interfaces.dashboard.result.sections.trust.places import show_position

    show_position(shown)


def _judges(shown: Shown) -> None:
    from judge_core.interfaces.dashboard.result.sections.trust.judges import show_judges

    show_judges(shown)


def _texts(shown: Shown) -> None:
    from judge_core.interfaces.dashboard.result.sections.trust.texts import show_texts

    show_texts(shown)


PARTS: dict[str, Callable[[Shown], None]] = {
    "Checks": _checks,
    "Reliability": _reliability,
    "Chances of each rank": _ranks,
    "Order shown": _position,
    "Judges": _judges,
    "Texts": _texts,
}
