"""The judges of this set-up: every kind with its key, checks and tests, quotas in use, and who may stand in for whom."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from judge_core.interfaces.bench.health import look_at
from judge_core.interfaces.dashboard.new_ranking.judge_test import show_probe
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.dashboard.settings.words import JUDGE_SETTINGS
from judge_core.providers.kinds.command import ALLOW, COMMANDS
from judge_core.providers.probe import Probe
from judge_core.providers.protocol import Health
from judge_core.providers.registry import OFFLINE, PRESETS, JudgeKind, judge_kinds
from judge_core.records.errors import InputError, PodiumError
from judge_core.records.notices import explain

RESULT, RESULT_OF = "settings:result", "settings:result_of"
"""In the session: what the last check or test brought, and of which judge."""
WHERE = {True: "stay on this computer", False: "go to the service", None: "depends on the judge"}
PLACEHOLDERS = {
    "ollama": "llama3.2",
    "local": "/home/me/models/model.gguf",
    "cli": "claude, or PROGRAM ARGS...",
    "openai_compatible": "https://host/v1#MODEL",
}


def show_judges() -> None:
    """The kinds, a check and a test, quotas, stand-ins, and the settings that bear on judges."""
    _kinds()
    _try()
    _quotas()
    _stand_ins()
    with st.expander("Settings for judges", icon=":material/tune:"):
        for name, words in JUDGE_SETTINGS.items():
            st.markdown(f"**{label(name)}**: {words}")


def _kinds() -> None:
    environ = workbench().settings.environ()
    rows = [
        {
            "Judge": plain(kind.title),
            "Written as": plain(kind.example),
            "Key": kind.key_variable or "none needed",
            "Ready": _ready(kind, environ),
            "Your texts": WHERE[kind.local],
        }
        for kind in judge_kinds()
    ]
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, alt="Kinds of judges, their keys, and where texts go", key="kinds"
    )
    st.caption(
        "Keys are read from the environment, a .env file, Streamlit's secrets, the system's keyring or pass. "
        f"They are never shown or saved. A program can be chosen on these pages only where {label(ALLOW)} is true."
    )


def _ready(kind: JudgeKind, environ: dict[str, str]) -> str:
    if kind.key_variable is not None and kind.key_variable in environ:
        return "✓ key found"
    if kind.needs_key:
        return "– no key set"
    if kind.name == "cli" and not workbench().panel.commands_allowed:
        return "– not allowed here"
    return "✓ yes" if kind.name == OFFLINE else "· check it"


def _try() -> None:
    """One judge, checked at no cost or asked once."""
    st.subheader("Check or test a judge", anchor=False)
    kinds = {kind.name: kind for kind in judge_kinds()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            "Kind", list(kinds), format_func=lambda kind: plain(kinds[kind].title), key="settings:kind", width=360
        )
        judge = _name(kinds[name])
        check = st.button(
            "Check", icon=":material/rule:", disabled=not judge, help="Costs nothing. The judge is not asked."
        )
        test = st.button("Test this judge", icon=":material/cable:", disabled=not judge, help="One small real call.")
    if judge and (check or test):
        with st.spinner("Asking the judge ..." if test else "Checking ..."):
            st.session_state[RESULT] = _tested(judge) if test else _checked(judge)
        st.session_state[RESULT_OF] = judge
    if judge and st.session_state.get(RESULT_OF) == judge:
        _show(st.session_state[RESULT])


def _name(kind: JudgeKind) -> str:
    """The judge's whole name; '' while it is not filled in."""
    if kind.name == OFFLINE:
        return OFFLINE
    key = f"settings:model:{kind.name}"
    if kind.name in PRESETS:
        models = list(PRESETS[kind.name].contexts)
        model = st.selectbox("Model", models, accept_new_options=True, key=key, width=260)
        return f"{kind.name}:{model}" if model else ""
    field = {"openai_compatible": "Address and model", "local": "File", "cli": "Program"}.get(kind.name, "Model")
    typed = st.text_input(field, key=key, placeholder=PLACEHOLDERS.get(kind.name, "MODEL"), width=360).strip()
    if kind.name == "cli" and not typed:
        typed = next(iter(COMMANDS))
    if kind.name == "openai_compatible":
        return typed
    return f"{kind.name}:{typed}" if typed else (kind.name if kind.own else "")


def _checked(judge: str) -> Health | str:
    try:
        return look_at(workbench(), judge)
    except (PodiumError, TimeoutError) as error:
        return str(error) or "It took too long to answer. Try again later."


def _tested(judge: str) -> Probe | str:
    bench = workbench()
    try:
        return bench.test_judge(bench.panel.named(judge))
    except (PodiumError, TimeoutError) as error:
        return str(error) or "No answer in time. Try again later."


def _show(result: Health | Probe | str) -> None:
    if isinstance(result, Probe):
        show_probe(result)
    elif isinstance(result, str):
        st.error(label(result, 600), icon=":material/warning:")
    elif result.ok is None:
        st.info(label(result.message, 600), icon=":material/help:")
    elif result.ok:
        st.success(label(result.message, 600), icon=":material/check_circle:")
    else:
        st.error(label(result.message, 600), icon=":material/warning:")


def _quotas() -> None:
    st.subheader("Quotas in use", anchor=False)
    try:
        used = workbench().panel.quotas()
    except PodiumError as error:
        st.error(label(str(error), 400), icon=":material/warning:")
        return
    if not used:
        st.markdown("None is set: judges are asked as fast as they answer. PODIUM\\_QUOTAS sets them.")
        return
    rows = [
        {
            "Judge": plain(use.key),
            "Requests a minute": _of(use.minute_requests, use.quota.requests_per_minute),
            "Tokens a minute": _of(use.minute_tokens, use.quota.tokens_per_minute),
            "Requests today": _of(use.day_requests, use.quota.requests_per_day),
            "Tokens today": _of(use.day_tokens, use.quota.tokens_per_day),
            "Free again": f"{use.next_free_at} UTC" if use.next_free_at else "now",
        }
        for use in used
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="Use of each quota by minute and by day", key="quotas")
    st.caption("Counted over all runs of this data folder. The minute is any 60 seconds; the day is the UTC day.")


def _of(used: int, limit: int | None) -> str:
    return f"{used:,}, no limit" if limit is None else f"{used:,} of {limit:,}"


def _stand_ins() -> None:
    st.subheader("Judges that may stand in", anchor=False)
    names = workbench().settings.fallback_judges
    if not names:
        st.markdown(
            "None: a judge that cannot answer is never replaced. JUDGE\\_FALLBACK\\_PROVIDERS names others, asked in its order."
        )
        return
    listed = ", then ".join(f"**{label(name)}**" for name in names)
    st.markdown(f"Where a chosen judge cannot answer, its question goes to {listed}.")
    st.markdown(
        f"Every such reply says so: “{explain('provider_fallback')}” Result pages name the judge that answered."
    )
    for name in names:
        try:
            workbench().panel.named(name)
        except InputError as error:
            st.markdown(f":orange[:material/warning:] {label(str(error), 300)}")
