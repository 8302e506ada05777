"""The entry script of the dashboard: page settings, then the page that the address names."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.jobs.desk import take_seat
from judge_core.interfaces.dashboard.safe import label
from judge_core.interfaces.dashboard.session import workbench
from judge_core.records.errors import PodiumError

st.set_page_config(page_title="Podium", page_icon="⚖️", layout="wide", initial_sidebar_state=220)

# The chosen segment's text is the theme's primary colour, which is too dark on a dark page; no outside text is in here.
CHOSEN = "button[data-variant='segmented_control'][aria-checked='true']"
st.html(f"<style>{CHOSEN}, {CHOSEN} * {{color: inherit !important}}</style>")

try:
    workbench()
except PodiumError as error:  # a setting or the data folder: every page needs it mended
    st.error(label(str(error), 1000), icon=":material/warning:")
    st.stop()

page = st.navigation(
    [
        st.Page("home.py", title="Home", icon=":material/home:", default=True),
        st.Page("new_ranking.py", title="New ranking", icon=":material/add:"),
        st.Page("result.py", title="Result", icon=":material/trophy:"),
        st.Page("improve.py", title="Improve a text", icon=":material/edit_note:"),
        st.Page("other_jobs.py", title="Other jobs", icon=":material/rule:"),
        st.Page("history.py", title="History", icon=":material/folder_open:"),
        st.Page("settings.py", title="Settings and help", icon=":material/settings:"),
    ]
)
take_seat(page.url_path)
page.run()
