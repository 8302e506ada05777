"""What a run will need: calls, tokens, money by judge, time; and prices that can be entered where none is known."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from judge_core.engine.estimate import Estimate
from judge_core.interfaces.dashboard.new_ranking.state import bound
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft, JudgeDraft, concurrency_of
from judge_core.interfaces.drafts.judging import LOCAL, OFFLINE
from judge_core.records.spec import AnySpec, JudgeSpec, RefineSpec, Spec


def show_costs(draft: Draft, spec: AnySpec, entered: Sequence[JudgeSpec] | None = None) -> None:
    """The figures, then the judges with their prices. `entered`: the draft's judges, where the spec names others too."""
    found = workbench().estimate(spec, concurrency=concurrency_of(draft))
    price, calls, tokens, time = st.columns(4)
    ends_early = isinstance(spec, RefineSpec) or (isinstance(spec, Spec) and spec.goal is not None)
    most, about = (", at most", ", at most about") if ends_early else ("", ", about")
    price.metric(f"Price{about}", money(found.cost))
    calls.metric(f"Calls{most}", f"{found.calls:,}")
    tokens.metric(f"Tokens{about}", f"{found.tokens:,}")
    time.metric(f"Time{about}", duration(found.seconds))
    if all(judge.provider == "offline" for judge in spec.judges):
        return
    _by_judge(found, spec)
    st.caption("Estimates: replies that are in the cache cost nothing, repairs and retries come on top. Before tax.")
    for number, (row, judge) in enumerate(zip(draft.judges, entered or spec.judges, strict=True), start=1):
        if row.kind not in (OFFLINE, LOCAL):
            _price(row, judge, number)


def money(cost: float | None) -> str:
    """Dollars as people read them; an unknown price is said and never 0.

    >>> money(None), money(0), money(0.0042), money(12.3)
    ('unknown', '$0', '$0.0042', '$12.30')
    """
    if cost is None:
        return "unknown"
    return "$0" if cost == 0 else f"${cost:.2f}" if cost >= 0.1 else f"${cost:.2g}"


def duration(seconds: float) -> str:
    """Seconds as people read them.

    >>> duration(0.4), duration(42), duration(150), duration(9000)
    ('a moment', '42 s', '2 min 30 s', '2 h 30 min')
    """
    if seconds < 2:
        return "a moment"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _by_judge(found: Estimate, spec: AnySpec) -> None:
    rows = [
        {
            "Judge": plain(part.judge, 80),
            "Calls": part.calls,
            "Tokens read": part.prompt_tokens,
            "Tokens written": part.completion_tokens,
            "$ a million read": None if judge.price is None else judge.price.input,
            "$ a million written": None if judge.price is None else judge.price.output,
            "Price, about": money(part.cost),
        }
        for part, judge in zip(found.judges, spec.judges, strict=True)
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, placeholder="unknown", alt="Price by judge")


def _price(row: JudgeDraft, judge: JudgeSpec, number: int) -> None:
    """Two fields for a price; both filled in, they take the place of the table's."""
    title = f"Price of judge {number} ({label(judge.model, 40)})"
    with st.expander(f"{title}: unknown" if judge.price is None else title, expanded=judge.price is None):
        st.caption("US dollars for a million tokens, as the service lists them. Both empty: the price table counts.")
        ends = {"input": "Read (input)", "output": "Written (output)"}
        for place, (end, name) in zip(st.columns(2), ends.items(), strict=True):
            field = f"price_{end}"

            def put(draft: Draft, entered: float | None, field: str = field) -> Draft:
                return draft.with_judge(row.key, **{field: entered})

            binding = bound(f"{row.key}:{field}", getattr(row, field), put)
            place.number_input(name, min_value=0.0, step=0.1, value=None, placeholder=_listed(judge, end), **binding)
        if (row.price_input is None) != (row.price_output is None):
            st.caption("⚠ Fill in both, else neither counts.")


def _listed(judge: JudgeSpec, end: str) -> str:
    return "unknown" if judge.price is None else f"{getattr(judge.price, end):g}"
