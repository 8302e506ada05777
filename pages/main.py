"""The entry script of the dashboard: page settings, then the page that the address names."""

from __future__ import annotations

import streamlit as st

st.set_page_config(page_title="Podium", page_icon="⚖️", layout="wide")

st.navigation(
    [
        st.Page("home.py", title="Home", icon="🏠", default=True),
        st.Page("new_ranking.py", title="New ranking", icon="➕"),
        st.Page("result.py", title="Result", icon="🏆"),
        st.Page("history.py", title="History", icon="🗂️"),
        st.Page("settings.py", title="Settings and help", icon="⚙️"),
    ]
).run()
