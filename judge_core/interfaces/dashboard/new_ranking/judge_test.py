"""The test of a judge: one real call, and what came back."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.state import slot, typed_key
from judge_core.interfaces.dashboard.safe import label, line, prose
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import JudgeDraft
from judge_core.interfaces.drafts.judging import judge_of
from judge_core.providers.probe import Probe
from judge_core.records.errors import PodiumError
from judge_core.records.notices import explain


def show_test(judge: JudgeDraft) -> None:
    """The button, and the last result as long as the judge is the same."""
    place = f"new_ranking:{slot()}:{judge.key}:probe"
    known = judge.model_dump_json(exclude={"price_input", "price_output", "weight"})
    if st.button(
        "Test this judge",
        icon=":material/cable:",
        key=f"{place}:button",
        help="Asks it one small question, which costs one call.",
    ):
        with st.spinner("Asking the judge ..."):
            st.session_state[place] = (known, _asked(judge))
    tested, result = st.session_state.get(place, ("", None))
    if result is None or tested != known:
        return
    if isinstance(result, str):
        st.error(label(result, 600), icon=":material/warning:")
    else:
        show_probe(result)


def _asked(judge: JudgeDraft) -> Probe | str:
    """What the judge answered, or why it could not be asked."""
    bench = workbench()
    try:
        return bench.test_judge(judge_of(judge, bench.settings), typed_key(judge))
    except PodiumError as error:
        return str(error)
    except TimeoutError:
        return "No answer in time. Raise the patience for one call, or try again later."


def show_probe(result: Probe) -> None:
    """What came back, as it came."""
    if not result.ok:
        st.error(f"It did not answer ({result.seconds:.1f} s). {label(result.error, 600)}", icon=":material/warning:")
        return
    st.success(f"It answered in {max(result.seconds, 0.1):.1f} s.", icon=":material/check_circle:")
    for notice in result.notices:
        line(f"⚠ {explain(notice.code)}")
    with st.expander("Its reply, word for word"):
        line(f"Model: {result.model or 'not said'}")
        prose(result.reply)
