"""Which files of a refinement `runs export` writes beside its zip."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from judge_core.records.errors import InputError

if TYPE_CHECKING:
    from judge_core.interfaces.library.refine.result import Refinement

NAMES = {"json": "refinement.json", "md": "final_output.md"}


def exported(results: Refinement, format: str) -> tuple[str, Callable[[], bytes]]:
    """A file's name, and what makes its content. InputError for a format of rankings."""
    if format not in NAMES:
        raise InputError("A refinement has no tables. Choose zip, json or md (its final text).", field="format")
    return f"{results.run_id[:8]}-{NAMES[format]}", lambda: results.files()[NAMES[format]].content(results)
