"""What can be wrong with a rubric, in words for the person who wrote it: the place, the value and the remedy."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from judge_core.records.errors import InputError
from judge_core.records.record import Record


class FieldError(Record):
    """One thing that is wrong: where, with what value, and what to do about it."""

    path: str
    """E.g. 'criteria[1].weight', 'row 3, name', or 'line 4, column 7' for text that is no JSON."""
    value: str
    """The value as it was written, shortened, on one line; '' where there is none."""
    message: str
    remedy: str
    line: int | None = None
    """From 1, where the JSON text cannot be read."""
    column: int | None = None

    def __str__(self) -> str:
        return f"{self.path}: {self.message} {self.remedy}"


class RubricErrors(InputError):
    """A rubric that cannot be used; `errors` names each faulty field. Whatever rubric was in use before stays so."""

    def __init__(self, errors: Sequence[FieldError]):
        super().__init__("\n".join(map(str, errors)), field=errors[0].path if errors else None)
        self.errors = tuple(errors)


def refusal(path: str, message: str, remedy: str, value: object = None) -> RubricErrors:
    """The error to raise for a single fault."""
    faults = Faults()
    faults.add(path, message, remedy, value)
    return RubricErrors(faults.errors)


class Faults:
    """Collects what is wrong, in the order found."""

    def __init__(self) -> None:
        self.errors: list[FieldError] = []

    def add(self, path: str, message: str, remedy: str, value: object = None) -> None:
        """Note a fault; `{value}` in the message stands for the value as shown to people."""
        shown = "" if value is None else shorten(value)
        text = message.replace("{value}", shown)
        self.errors.append(FieldError(path=path, value=shown, message=text, remedy=remedy))

    def stop(self) -> None:
        """Raises RubricErrors if anything was noted."""
        if self.errors:
            raise RubricErrors(self.errors)


def shorten(value: object, length: int = 60) -> str:
    """A value as it may stand in a message: on one line, control characters escaped, not longer than `length`.

    >>> shorten("a\\nb"), shorten([1, 2])
    ("'a\\\\nb'", 'a list of 2')
    """
    if isinstance(value, str):
        cut = value[:length]
        text = repr(cut) if cut.isprintable() else ascii(cut)
        return text if len(value) <= length else f"{text}…"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, Sequence):
        return f"a list of {len(value)}"
    if isinstance(value, int) and abs(value) >= 10**length:  # Python refuses to write out very long numbers
        return f"a number of more than {length} digits"
    return repr(value)[:length]


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that a misspelt one most likely means.

    >>> nearest("wieght", ["weight", "name"])
    'weight'
    """
    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=0.7)), None)
