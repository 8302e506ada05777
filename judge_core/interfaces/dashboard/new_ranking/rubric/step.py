"""Step 2: the question and the criteria, as a table or as JSON. The last edit counts."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.rubric.rows_editor import rows_editor
from judge_core.interfaces.dashboard.new_ranking.rubric.sources import show_sources
from judge_core.interfaces.dashboard.new_ranking.state import bound, edit, slot
from judge_core.interfaces.dashboard.safe import label, line, plain
from judge_core.interfaces.drafts import Draft, RubricDraft
from judge_core.interfaces.drafts.records import Rows
from judge_core.interfaces.drafts.rubrics import (
    COLUMNS,
    LEVEL_COLUMNS,
    discarded,
    json_text,
    level_rows,
    made_100,
    table_rows,
    weight_sum,
    with_frame,
    with_json,
    with_levels,
    with_rows,
    with_strict,
)
from judge_core.records.record import digest

VIEW = "new_ranking:rubric_view"
TABLE, JSON = "Table", "JSON"


def show(draft: Draft) -> None:
    """The step."""
    _question(draft)
    st.subheader("Criteria", anchor=False)
    show_sources(draft)
    view = st.segmented_control(
        "Edit the criteria as", [TABLE, JSON], default=TABLE, required=True, key=VIEW, persist_state="session",
        label_visibility="collapsed",
    )  # fmt: skip
    if view == JSON:
        _json(draft)
        _faults(draft.rubric)
    else:
        _table(draft)
        _faults(draft.rubric)  # below: the table must not jump while it is being filled in
        _levels(draft)
    for note in draft.rubric.notes:
        st.info(label(note, 400), icon=":material/info:")


def _put(change: str, draft: Draft, value: object) -> Draft:
    return draft.model_copy(update={"rubric": with_frame(draft.rubric, **{change: value})})


def _question(draft: Draft) -> None:
    rubric = draft.rubric.rubric
    st.text_area(
        "The question or task that the texts answer",
        height=80,
        placeholder="Should schools start later so that teenagers can sleep longer?",
        **bound("question", rubric.question, lambda d, value: _put("question", d, value)),
    )
    with st.expander("Source text and word limit (optional)", expanded=bool(rubric.source_extract)):
        st.text_area(
            "A source that the texts refer to; the judge reads it too",
            **bound("source", rubric.source_extract, lambda d, value: _put("source_extract", d, value)),
        )
        st.number_input(
            "Word limit told to the judge",
            min_value=1, value=None, step=1, width=240, placeholder="none",
            **bound("word_limit", rubric.word_limit, lambda d, value: _put("word_limit", d, value)),
        )  # fmt: skip


def _faults(rubric: RubricDraft) -> None:
    if not rubric.faults:
        return
    with st.container(border=True):
        st.error(
            "What you typed cannot be used yet. Until it is mended, the last good criteria stay in use.",
            icon=":material/warning:",
        )
        for fault in rubric.faults[:10]:
            line(f"• {fault}")
        names = ", ".join(plain(c.name, 40) for c in rubric.rubric.criteria)
        line(f"In use now: {names}")
        st.button("Drop this edit", on_click=_drop)


def _drop() -> None:
    edit(lambda draft: draft.model_copy(update={"rubric": discarded(draft.rubric)}))


def _store_rows(rows: Rows) -> None:
    edit(lambda draft: draft.model_copy(update={"rubric": with_rows(draft.rubric, rows)}))


def _table(draft: Draft) -> None:
    number = st.column_config.NumberColumn
    config = {
        "name": st.column_config.TextColumn("Criterion", width="medium", required=True),
        "description": st.column_config.TextColumn("What it means", width="large"),
        "scale_min": number("From", width="small", default=0),
        "scale_max": number("To", width="small", default=10),
        "weight_percent": number("Weight %", width="small", min_value=0, format="%.1f", default=10),
    }
    rows_editor(f"new_ranking:{slot()}:criteria", table_rows(draft.rubric), COLUMNS, config, _store_rows)
    total = weight_sum(draft.rubric)
    right = abs(total - 100) < 0.05
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{'✓' if right else '⚠'} Weights add up to **{total:g} %**")
        if not right:
            st.button("Make it 100 %", on_click=_make_100)
        st.toggle(
            "Refuse weights that are not 100 %",
            **bound("strict", draft.rubric.strict, _put_strict),
            help="Off: they are used in proportion, and the page says so.",
        )


def _put_strict(draft: Draft, strict: bool) -> Draft:
    return draft.model_copy(update={"rubric": with_strict(draft.rubric, strict)})


def _make_100() -> None:
    edit(lambda draft: draft.model_copy(update={"rubric": made_100(draft.rubric)}))


def _json(draft: Draft) -> None:
    def put(d: Draft, text: str) -> Draft:
        return d.model_copy(update={"rubric": with_json(d.rubric, text)})

    st.text_area(
        "Question, criteria, weights and levels as JSON",
        height=420,
        help="A list of criteria, or an object of names and weights, is understood too.",
        **bound("json", json_text(draft.rubric), put),
    )
    st.caption("Your text is checked when you leave the box or press Ctrl+Enter.")


def _levels(draft: Draft) -> None:
    criteria = draft.rubric.rubric.criteria
    levelled = sum(bool(criterion.levels) for criterion in criteria)
    title = f"Levels of a criterion ({levelled} of {len(criteria)} have some)"
    with st.expander(title, icon=":material/stairs:", expanded=bool(draft.rubric.level_rows), key="new_ranking:levels"):
        st.caption("What a score means, in words. The judge reads each level as you write it.")
        names = [criterion.name for criterion in criteria]
        # another key for other criteria: else the box goes on showing one that is gone
        name = st.selectbox(
            "Criterion", names, format_func=lambda n: plain(n, 60), key=f"new_ranking:levels_of:{digest(names)[:12]}"
        )
        config = {
            "score": st.column_config.NumberColumn("Score", width="small", required=True),
            "label": st.column_config.TextColumn("Name", width="small"),
            "descriptor": st.column_config.TextColumn("What a text of this level is like", width="large"),
        }

        def store(rows: Rows) -> None:
            edit(lambda d: d.model_copy(update={"rubric": with_levels(d.rubric, name, rows)}))

        rows_editor(f"new_ranking:{slot()}:levels:{name}", level_rows(draft.rubric, name), LEVEL_COLUMNS, config, store)
