"""Drafts in the archive: loaded, changed and listed by their id."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from itertools import islice

from judge_core.interfaces.drafts.records import Draft
from judge_core.records.record import canonical_json
from judge_core.store.archive import Archive

Change = Callable[[Draft], Draft]
MEANT_BEFORE = {"order_check": False}
"""What a stored draft without the field means, where new drafts begin otherwise."""
_ONE_AT_A_TIME = threading.Lock()  # two tabs of one draft: neither change is lost


def load(archive: Archive, draft: str | None) -> Draft | None:
    """The draft of that id; None where there is none, or another version wrote it in a way that is not understood."""
    body = archive.draft(draft) if draft else None
    if body is None:
        return None
    try:
        return Draft.model_validate({**MEANT_BEFORE, **json.loads(body)})
    except (ValueError, TypeError):
        return None


def change(archive: Archive, draft: str | None, do: Change) -> str:
    """Applies a change to what is stored now and returns the draft's id.

    Where there was none yet it is a new one; but one that was prepared just so already, and not started, is gone on with.
    """
    with _ONE_AT_A_TIME:
        before = load(archive, draft)
        after = do(before or Draft())
        body = canonical_json(after.model_dump(mode="json"))
        if draft is None or before is None:
            return _twin(archive, after) or archive.new_draft(body)
        if after != before:
            archive.save_draft(draft, body)
        return draft


def _twin(archive: Archive, draft: Draft) -> str | None:
    """A draft with texts that is the same in all and was not started."""
    return next((id for id, _, found in _unfinished(archive) if found == draft), None)


def unfinished(archive: Archive, most: int) -> Iterator[tuple[str, str, Draft]]:
    """Drafts of rankings with texts that no run was started from, newest first: id, last change, draft."""
    return islice(_unfinished(archive), most)


def _unfinished(archive: Archive) -> Iterator[tuple[str, str, Draft]]:
    for draft, changed in archive.drafts():
        found = load(archive, draft)
        if found is not None and found.texts and found.job is None and found.run is None:
            yield draft, changed, found


def discard(archive: Archive, draft: str) -> None:
    """Forgets a draft; one that is not there is as good as forgotten."""
    with _ONE_AT_A_TIME:
        archive.delete_draft(draft)
