"""Settings and help: check the set-up, judges, prices, data and cache, and the words that Podium uses."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from judge_core.interfaces.bench.health import Check
from judge_core.interfaces.dashboard.new_ranking.rubric.rows_editor import rows_editor
from judge_core.interfaces.dashboard.safe import label, line, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.dashboard.settings.checks import check_setup
from judge_core.interfaces.dashboard.settings.judges import show_judges
from judge_core.interfaces.dashboard.settings.prices import COLUMNS, own_prices, price_rows, save_prices
from judge_core.interfaces.dashboard.settings.words import GLOSSARY, HOW
from judge_core.providers.prices import AS_OF, PRICES
from judge_core.records.errors import PodiumError
from judge_core.records.notices import NOTICES

MARKS = {"ok": "✓ fine", "note": "· to know", "fault": "⚠ to mend"}
WELL = "Nothing needs mending. Services that are not set up are marked as to know: you need none but those you use."
CHECKS, OWN, SAID = "settings:checks", "settings:own_prices", "settings:said"


def setup() -> None:
    """The page's one primary action, and what it found."""
    if st.button(
        "Check my set-up",
        type="primary",
        icon=":material/health_and_safety:",
        help="Costs nothing: services are asked for their list of models alone.",
    ):
        with st.spinner("Checking ..."):
            st.session_state[CHECKS] = check_setup(workbench())
    found: list[Check] = st.session_state.get(CHECKS, [])
    if not found:
        return
    faults = sum(check.result == "fault" for check in found)
    if faults:
        st.error(f"{faults} thing{'s' if faults > 1 else ''} to mend.", icon=":material/warning:")
    else:
        st.success(WELL, icon=":material/check_circle:")
    rows = [{"What": c.what, "Result": MARKS[c.result], "In words": plain(c.message, 400)} for c in found]
    config = {"In words": st.column_config.TextColumn(width="large")}
    st.dataframe(pd.DataFrame(rows), hide_index=True, column_config=config, alt="Results of the checks")


def prices() -> None:
    """The user's own prices over the shipped ones."""
    st.markdown("**Your prices** in US dollars for a million tokens. They go before Podium's own.")
    try:
        saved = price_rows(own_prices(workbench()))
    except PodiumError as error:
        st.error(label(str(error), 400), icon=":material/warning:")
        saved = ()
    number = st.column_config.NumberColumn
    config = {
        "judge": st.column_config.TextColumn("Judge (host/model, * for any)", width="large", required=True),
        "input": number("Read (input)", min_value=0, required=True),
        "output": number("Written (output)", min_value=0, required=True),
    }
    rows = st.session_state.get(OWN, saved)
    rows_editor("settings:prices", rows, COLUMNS, config, lambda edited: st.session_state.update({OWN: edited}))
    st.button("Save my prices", on_click=_save, disabled=rows == saved)
    if said := st.session_state.pop(SAID, None):
        st.info(label(said, 400))
    with st.expander(f"Podium's own table ({AS_OF}, {len(PRICES)} entries)"):
        st.caption("Collected from public price lists. Vendors change their prices, and their invoice counts.")
        st.dataframe(pd.DataFrame([dict(row) for row in price_rows(PRICES)]), hide_index=True, alt="Shipped prices")


def _save() -> None:
    try:
        count = save_prices(workbench(), st.session_state[OWN])
        del st.session_state[OWN]
        st.session_state[SAID] = f"Saved: {count} price{'s' if count != 1 else ''}."
    except PodiumError as error:
        st.session_state[SAID] = f"Not saved. {error}"


def data() -> None:
    """Where everything lies, what may be reached, and the reply cache."""
    bench = workbench()
    line(f"Data folder: {bench.home.root}")
    st.caption("Texts, runs, prices and the cache lie there, open to your account alone. Set PODIUM_HOME to move it.")
    hosts = bench.settings.allowed_hosts
    line(f"Hosts that judges may have: {'any' if hosts is None else ', '.join(hosts)}")
    st.caption("PODIUM_ALLOWED_HOSTS limits them, for example to api.openai.com.")
    line(f"Calls at the same time: {bench.settings.concurrency}")
    st.caption("PODIUM_CONCURRENCY changes it for all runs; a custom plan for one run.")
    st.subheader("Reply cache", anchor=False)
    stats = bench.cache.stats()
    kept, size, hits = st.columns(3)
    kept.metric("Replies kept", f"{stats['cached']:,}")
    size.metric("Size", f"{float(stats['bytes'] or 0) / 1e6:,.1f} MB")
    hits.metric("Calls saved since start", f"{stats['hits']:,}")
    if stats["trouble"]:
        line(f"⚠ {stats['trouble']}")
    with st.popover("Clear the cache", icon=":material/delete_sweep:"):
        st.markdown("Runs and results stay. Asking the same again will cost money again.")
        st.button("Clear it now", on_click=_clear)


def _clear() -> None:
    workbench().cache.clear()


def words() -> None:
    """Terms, numbers and warnings in plain words."""
    st.subheader("Words", anchor=False)
    rows = [{"Word": word, "Meaning": meaning} for word, meaning in GLOSSARY.items()]
    wanted = st.text_input("Find a word", key="settings:word", placeholder="tie")
    found = [row for row in rows if wanted.casefold() in f"{row['Word']} {row['Meaning']}".casefold()]
    for row in found:
        st.markdown(f"**{row['Word']}** · {row['Meaning']}")
    st.subheader("How the numbers are made", anchor=False)
    for title, text in HOW:
        st.markdown(f"**{title}.** {text}")
    with st.expander(f"Warnings ({len(NOTICES)})"):
        st.caption("A warning stands beside a number and never changes it.")
        for code, meaning in NOTICES.items():
            st.markdown(f"`{code}` · {meaning}")


def page() -> None:
    """The page."""
    st.title("Settings and help", anchor=False)
    setup()
    sections = {"Judges": show_judges, "Prices": prices, "Data and cache": data, "Words and numbers": words}
    for tab, show in zip(st.tabs(list(sections)), sections.values(), strict=True):
        with tab:
            show()


page()
