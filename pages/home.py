"""Home: three doors in, what is running, what can be gone on with, and where everything lies."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard import home, starting
from judge_core.interfaces.dashboard.new_ranking import state
from judge_core.interfaces.dashboard.safe import label, line
from judge_core.interfaces.dashboard.session import workbench

TO = "home_to"  # in the session: the page to go to at the next pass


def doors(*, first_use: bool) -> None:
    """The three ways to begin."""
    example, own, saved = st.columns(3, border=True)
    with example:
        st.markdown("#### Try it now")
        st.markdown("Free. No key. Nothing leaves this computer. Uses a demo judge, not an AI.")
        st.button(
            "Rank the 12 example essays",
            type="primary" if first_use else "secondary",
            width="stretch",
            on_click=starting.start_examples,
            key="home:examples",
        )
    with own:
        st.markdown("#### Your own work")
        st.markdown("Word, text PDF, txt, Excel, CSV, zip. No handwriting.")
        st.button("Use my own texts", width="stretch", on_click=_new, key="home:own")
    with saved:
        st.markdown("#### Something you have")
        st.markdown("A run of this computer, or one that somebody sent you as a zip.")
        st.button("Open a saved run", width="stretch", on_click=_go, args=("history.py",), key="home:saved")
    st.page_link(
        "improve.py", label="Improve a text in rounds of critique, revision and judging", icon=":material/edit_note:"
    )
    st.page_link(
        "other_jobs.py",
        label="Judge texts, lists, answers with passages or agent runs one by one",
        icon=":material/rule:",
    )


def _go(page: str) -> None:
    st.session_state[TO] = page


def _new() -> None:
    state.open_draft(None)
    _go("new_ranking.py")


def footer() -> None:
    """Which judges are connected, and where everything is kept."""
    bench = workbench()
    st.divider()
    keys = [name for name in bench.settings.environ() if name.endswith("_KEY")]
    found = (
        f"Keys found: {', '.join(keys)}."
        if keys
        else "No key of an AI service is set; you can type one when you need it."
    )
    st.caption(f"Judges connected: demo judge (always). {found}")
    st.caption(f"Data folder: {label(str(bench.home.root), 300)}")
    if bench.cache.trouble:
        line(f"⚠ {bench.cache.trouble}")
    for remark in bench.settings.remarks:
        line(f"⚠ {remark}")


def page() -> None:
    """The page."""
    starting.follow()
    if to := st.session_state.pop(TO, None):
        st.switch_page(to)
    running = [row.id for row in home.live_runs()]
    rows = [row for row in workbench().runs() if row.id not in running]
    first_use = not rows and not running
    if first_use:
        st.title("Which of these texts is best, and how sure can you be?", anchor=False)
        st.markdown(
            "Podium compares texts two at a time, and shows you the order, how certain it is, and every judgment behind it."
        )
    else:
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.title("Podium", anchor=False)
            st.button("New ranking", type="primary", icon=":material/add:", on_click=_new, key="home:new")
    state.show_refusal()
    home.show_running(running)
    home.show_interrupted([row for row in rows if row.status in home.INTERRUPTED])
    if first_use:
        doors(first_use=True)
    home.show_drafts()
    home.show_recent([row for row in rows if row.status not in home.INTERRUPTED])
    if not first_use:
        st.subheader("Begin something", anchor=False)
        doors(first_use=False)
    footer()


page()
