"""Whether a run may go on: never with prompts that read otherwise than those it was recorded with."""

from __future__ import annotations

from collections.abc import Iterable

from judge_core.modes.asking.prompts import PROMPT_VERSION, same_wording
from judge_core.records.errors import InputError
from judge_core.records.event import Cancelled, Input
from judge_core.records.journal import RunRow


def check_wording(row: RunRow, waiting: Iterable[Input]) -> None:
    """Refuses to go on with a run that was recorded with other prompts: InputError with the remedy.

    `waiting` are the inputs that the run would take first. One that is over may be played again, and one that is to be
    cancelled may be ended: neither asks anything.
    """
    version, inputs = row.spec.prompt_version, list(waiting)
    over = row.status in ("done", "cancelled") and not inputs
    if over or any(isinstance(one, Cancelled) for one in inputs) or same_wording(row.spec.mode, version):
        return
    raise InputError(
        f"This run was recorded with other prompts (version {version[:20]!r}; now {PROMPT_VERSION!r}): it opens and can be "
        "exported, but not resumed; start it again, and everything is asked in the same words.",
        field="run",
    )
