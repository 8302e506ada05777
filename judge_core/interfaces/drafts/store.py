"""Drafts in the archive: loaded, changed and listed by their id."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator

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
    """Applies a change to what is stored now and returns the draft's id, a new one where there was none yet."""
    with _ONE_AT_A_TIME:
        before = load(archive, draft)
        after = do(before or Draft())
        body = canonical_json(after.model_dump(mode="json"))
        if draft is None or before is None:
            return archive.new_draft(body)
        if after != before:
            archive.save_draft(draft, body)
        return draft


def unfinished(archive: Archive, most: int) -> Iterator[tuple[str, str, Draft]]:
    """Drafts of rankings with texts that no run was started from, newest first: id, last change, draft."""
    count = 0
    for draft, changed in archive.drafts():
        found = load(archive, draft)
        if found is not None and found.texts and found.job is None and found.run is None:
            count += 1
            yield draft, changed, found
        if count >= most:
            return
