"""The head of the result page: what was run, how it stands, and what a person should know before reading on."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import NAMES_KEY, PAIR_KEY, ShownRun, names_key, shown_at_first
from judge_core.interfaces.dashboard.result.words import INTERRUPTED, STATUS, kind_of_run, plural, when
from judge_core.interfaces.dashboard.result.words.methods import went_on, what_is_asked
from judge_core.interfaces.dashboard.safe import label
from judge_core.views.state import RunState

LONGEST_NOTE = 600
HELP = {
    NAMES_KEY: "Names are hidden at first, so that nobody reads a name before a verdict.",
    PAIR_KEY: "Text A and Text B, as the boxes were called in which you pasted them. Else by alias.",
}
HELP_IDS = "The ids that your data gives. Else by alias."


def show_header(shown: ShownRun) -> None:
    """Name, status, facts and cautions."""
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    with left:
        st.title(label(shown.name), anchor=False)
    with right:
        if shown.row.spec.mode != "refine":  # there is one text, and it is called by its name
            _names_toggle(names_key(shown.row.spec))
    with st.container(horizontal=True, vertical_alignment="center"):
        words, icon, colour = (
            INTERRUPTED if shown.interrupted else STATUS["running" if shown.live else shown.state.status]
        )
        st.badge(words, icon=icon, color=colour)
        st.markdown(_facts(shown), width="content")
    _notes(shown)


def _names_toggle(key: str) -> None:
    st.toggle("Show names", value=shown_at_first(key), key=key, persist_state="session", help=HELP.get(key, HELP_IDS))


def _facts(shown: ShownRun) -> str:
    spec = shown.state.spec
    judges = ", ".join(label(name) for name in spec.judge_names)
    noun = "Judge" if len(spec.judges) == 1 else "Judges"
    kind = kind_of_run(spec)
    size = _size(shown, kind.noun)
    ranking = shown.state if isinstance(shown.state, RunState) else None
    asked = what_is_asked(spec, ranking)
    facts = [size if kind.kind == "Ranking" else f"{kind.kind}: {size}", f"{noun}: {judges}", asked]
    if ranking is not None:
        facts.append(went_on(ranking))
    started = when(shown.state.started_at or shown.row.created_at, st.context.timezone)
    return " · ".join(fact for fact in [*facts, started] if fact)


def _size(shown: ShownRun, noun: str) -> str:
    """Texts that take part, or items; who came late or was withdrawn."""
    state = shown.state
    if not isinstance(state, RunState):
        return plural(shown.row.size, noun)
    late, gone = len(state.late - state.withdrawn), len(state.withdrawn)
    more = [f"{number} {word}" for number, word in ((late, "came late"), (gone, "withdrawn")) if number]
    return plural(len(state.spec.texts) - gone, noun) + (f" ({', '.join(more)})" if more else "")


def _notes(shown: ShownRun) -> None:
    if any(judge.provider == "offline" for judge in shown.state.spec.judges):
        st.info(
            "**Offline demo judge, not an LLM.** It counts words and sentences to show how Podium works; "
            "what it says tells nothing about quality.",
            icon=":material/science:",
        )
    _trouble(shown)
    if shown.live and not shown.here:
        st.info(
            "Another Podium process works on this run. It is shown live here; pause it there.", icon=":material/lan:"
        )
    if shown.interrupted:
        st.warning(
            "**This run was interrupted**: the program was closed or stopped while it worked. Nothing that was judged is "
            "lost. Resume goes on from there.",
            icon=":material/warning:",
        )


def _trouble(shown: ShownRun) -> None:
    """What broke the run, or why it stopped before its end."""
    trouble = None if shown.live else shown.bench.trouble(shown.id)
    status, reason = shown.state.status, shown.state.reason
    if trouble:
        st.error(f"**The run broke off.** {label(trouble, LONGEST_NOTE)}", icon=":material/error:")
    elif shown.live or not reason:
        return
    elif status == "failed":
        st.error(label(reason, LONGEST_NOTE), icon=":material/error:")
    elif status in ("budget", "paused", "cancelled"):
        st.warning(label(reason, LONGEST_NOTE), icon=STATUS[status][1])
