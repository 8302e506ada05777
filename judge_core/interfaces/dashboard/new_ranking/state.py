"""The draft that a browser session is working on, and widgets that are bound to it.

The draft lies in the data folder; the address (`?draft=`) and the session only name it. A bound widget shows what is
stored at each run of the page and stores what is entered in its callback: so a refresh, another page and a second tab
show the same.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Container, Sequence
from typing import Any

import streamlit as st
from pydantic import SecretStr, ValidationError
from pydantic_core import ErrorDetails
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from judge_core.interfaces.dashboard.safe import label
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.dashboard.steps import Steps
from judge_core.interfaces.drafts import Draft, JudgeDraft, change, load
from judge_core.records.errors import PodiumError

DRAFT = "draft"
"""Name of the draft's id in the address and in the session."""
STEPS = Steps(
    {"texts": "Texts", "rubric": "Rubric", "judges": "Judges", "start": "Price and data"}, "step", "new_ranking"
)
_ERROR = "new_ranking_error"
_KEYS = "typed_keys"
_SLOT = "new_ranking_slot"
_SHOWN = "new_ranking_shown"
"""In the session: what each bound widget was last made to show."""

Put = Callable[[Draft, Any], Draft]


def draft_id() -> str | None:
    """The id of the session's draft; None before anything was stored."""
    found = st.query_params.get(DRAFT) or st.session_state.get(DRAFT)
    return str(found) if found else None


def current() -> Draft:
    """The draft as it is stored now, its id written back to session and address; an empty one before anything is stored."""
    draft = draft_id()
    found = load(workbench().archive, draft)
    if draft and found is None:
        st.session_state.pop(DRAFT, None)
        st.query_params.pop(DRAFT, None)
        st.session_state[_ERROR] = "This draft is not in the data folder any more. You can begin a new one here."
    elif draft:
        open_draft(draft)
        if st.query_params.get(DRAFT) != draft:
            st.query_params[DRAFT] = draft
    return found or Draft()


def slot() -> str:
    """Names this draft in the keys of widgets. It stays when the draft is first stored and so gets its id."""
    draft = draft_id()
    found: tuple[str | None, str] | None = st.session_state.get(_SLOT)
    if found is None or found[0] != draft:
        found = (draft, uuid.uuid4().hex[:8])
        st.session_state[_SLOT] = found
    return found[1]


def open_draft(draft: str | None) -> None:
    """Makes a draft the session's own; None begins a new one."""
    if draft is None:
        st.session_state.pop(DRAFT, None)
        st.query_params.pop(DRAFT, None)
        st.session_state[STEPS.key] = STEPS.names[0]
    else:
        st.session_state[DRAFT] = draft


def edit(do: Callable[[Draft], Draft]) -> bool:
    """Changes the stored draft, for callbacks. What cannot be used is said at the top of the page, and False returned."""
    before, token = draft_id(), slot()
    try:
        draft = change(workbench().archive, before, do)
    except ValidationError as error:
        st.session_state[_ERROR] = _unusable(error.errors()[0])
        return False
    except PodiumError as error:
        st.session_state[_ERROR] = str(error)
        return False
    if draft != before:  # else nothing: at each of these the next entry could cut the callback short
        st.session_state[DRAFT] = draft
        st.query_params[DRAFT] = draft
        st.session_state[_SLOT] = (draft, token)
    return True


def _unusable(fault: ErrorDetails) -> str:
    entered = fault["input"]
    if entered is None:
        return "This field cannot be empty. What stood there before is back."
    return f"{str(entered)[:60]!r} cannot be used: {fault['msg']}. What stood there before is back."


def refuse(message: str) -> None:
    """Keeps a message for the top of the page."""
    st.session_state[_ERROR] = message


def show_refusal() -> None:
    """Says once what the last entry was refused for."""
    message = st.session_state.pop(_ERROR, None)
    if message:
        st.error(label(message, 2000), icon=":material/warning:")


def bound(key: str, value: object, put: Put) -> dict[str, Any]:
    """The arguments that bind a widget to the draft: it shows `value`, and `put` stores what is entered.

    A value is set only where another one is shown: setting it takes away what is being typed there just now. A callback
    can be cut short by the next entry; what it did not store is stored here.
    """
    name = f"new_ranking:{slot()}:{key}"
    shown: dict[str, object] = st.session_state.setdefault(_SHOWN, {})

    def store() -> None:
        entered = st.session_state[name]
        if edit(lambda draft: put(draft, entered)):
            shown[name] = entered
        else:
            shown.pop(name, None)  # refused: the stored value is to be shown again

    if name not in st.session_state or name not in shown or shown[name] != value:
        if name not in st.session_state or st.session_state[name] != value:
            st.session_state[name] = value
        shown[name] = value
    elif st.session_state[name] != value:
        store()
        shown.pop(name, None)
        st.rerun()
    return {"key": name, "on_change": store}


def chosen_of(key: str, options: Container[str]) -> str:
    """The key of a select box; what was chosen is forgotten once it is not among the options any more."""
    name = f"new_ranking:{key}"
    if st.session_state.get(name) not in options:
        st.session_state.pop(name, None)
    return name


def typed_key(judge: JudgeDraft) -> SecretStr | None:
    """The key typed in this session for a judge of its draft. Kept in memory only, and for the service it was typed for."""
    found: tuple[tuple[str, str], SecretStr] | None = _keys().get(judge.key)
    return found[1] if found is not None and found[0] == _service(judge) else None


def typed_keys(draft: Draft) -> dict[str, SecretStr]:
    """The keys typed for the judges of a draft, by the judge's key in it."""
    found = {judge.key: typed_key(judge) for judge in draft.judges}
    return {name: key for name, key in found.items() if key is not None}


def type_key(judge: JudgeDraft, key: str) -> None:
    """Keeps a key for this session; an empty one forgets it. The draft notes only that there was one."""
    if not edit(lambda draft: draft.with_judge(judge.key, keyed=bool(key.strip()))):
        return
    if key.strip():
        _keys()[judge.key] = (_service(judge), SecretStr(key))
    else:
        _keys().pop(judge.key, None)


def _keys() -> dict[str, tuple[tuple[str, str], SecretStr]]:
    mine: dict[str, tuple[tuple[str, str], SecretStr]]
    mine = st.session_state.setdefault(_KEYS, {}).setdefault(draft_id() or "new", {})
    return mine


def _service(judge: JudgeDraft) -> tuple[str, str]:
    return judge.kind, judge.base_url.strip()


def uploader(
    label: str, key: str, store: Callable[[list[tuple[str, bytes]]], object], *, help: str, several: bool = False
) -> None:
    """A box for files that hands each file over at once and is empty again, so that its bytes are kept in one place only."""
    counter = f"new_ranking:uploader:{key}"
    name = f"{counter}:{st.session_state.setdefault(counter, 0)}"

    def take() -> None:
        given = st.session_state.get(name) or []
        files = given if isinstance(given, list) else [given]
        store([(file.name, file.getvalue()) for file in files])
        st.session_state[counter] += 1
        _let_go([file.file_id for file in files])

    st.file_uploader(label, accept_multiple_files=several, key=name, on_change=take, help=help)


def _let_go(files: Sequence[str]) -> None:
    """Frees the uploaded bytes; else Streamlit keeps them in memory for as long as the tab is open."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        for file in files:
            context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=file)
