"""Kinds of judges that installed packages bring: the entry points of the group `llm_judge.providers`.

An entry point's name is the kind's name, and what it names is a factory, as `register_provider` takes one. It is loaded
when a judge of that kind is first named; one that cannot be loaded is an error for that judge alone.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from judge_core.records.errors import InputError

GROUP = "llm_judge.providers"


def installed() -> dict[str, EntryPoint]:
    """The entry points by name; nothing is loaded. Of two with one name the first found counts."""
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, point)
    return found


def discovered(kind: str) -> Callable[..., Any] | None:
    """The factory that an installed package brings for that kind; None where none does.

    Raises InputError, naming the entry point, where it cannot be loaded or is no factory.
    """
    point = installed().get(kind)
    if point is None:
        return None
    where = f"the entry point {point.name!r} ({point.value}) of the group {GROUP}"
    try:
        factory = point.load()
    except (Exception, SystemExit) as error:
        raise InputError(
            f"Judges of the kind {kind!r} cannot be opened: {where} fails to load ({type(error).__name__}). "
            "Repair or remove the package that brings it; all other judges work.",
            field="judge",
        ) from error
    if not callable(factory):
        raise InputError(f"Judges of the kind {kind!r} cannot be opened: {where} is no factory.", field="judge")
    return factory  # type: ignore[no-any-return]
