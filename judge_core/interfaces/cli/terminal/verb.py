"""How a verb is added: its arguments are the fields of one record, and what goes wrong becomes a message and an exit status."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_type_hints

import typer

from judge_core.interfaces.cli.terminal.output import complain, say
from judge_core.records.errors import InputError, PodiumError
from judge_core.records.numbers import typed_number, typed_whole

if TYPE_CHECKING:
    from judge_core.interfaces.workbench import Workbench

DONE, NOT_DONE, BAD_INPUT = 0, 1, 2
"""Exit statuses: done; a run that did not get to its end; bad usage or input."""

Run = TypeVar("Run", bound=Callable[[Any], int])


def verb(app: typer.Typer, name: str) -> Callable[[Run], Run]:
    """Adds a function of one dataclass `arguments` as the verb `name`; each field is an argument or option of it.

    The function returns the exit status. Its docstring is the help; an empty line and `\\b` keep examples as written.
    """

    def add(run: Run) -> Run:
        told = inspect.cleandoc(run.__doc__ or "")
        app.command(name, help=told, short_help=told.partition("\n")[0])(_command(run))
        return run

    return add


def _command(run: Callable[[Any], int]) -> Callable[..., None]:
    kind = get_type_hints(run)["arguments"]
    hints = get_type_hints(kind, include_extras=True)

    def command(**given: Any) -> None:
        raise typer.Exit(_status(run, kind(**given)))

    parameters = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=_plainly_typed(hints[field.name]),
        )
        for field in fields(kind)
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


def _plainly_typed(hint: Any) -> Any:
    """The annotation, with numbers read from plain digits alone; one with bounds of its own is left."""
    kind, *told = get_args(hint) or (hint,)
    readers = {int: (_whole, "<int>"), float: (_number, "<float>")}
    reader = next((readers[one] for one in (get_args(kind) or (kind,)) if one in readers), None)
    if reader is None or not told or told[0].min is not None:
        return hint
    option = copy(told[0])
    option.parser, option.metavar = reader[0], option.metavar or reader[1]
    return Annotated[kind, option]


def _whole(value: Any) -> Any:
    """A whole number in plain digits; Python's own reading takes '5_0' for 50."""
    read = typed_whole(value) if isinstance(value, str) else value
    if read is None:
        raise ValueError(f"{value!r} is no whole number. Write plain digits, such as 50.")
    return read


def _number(value: Any) -> Any:
    """A number in plain digits; what is not finite is refused, by the option's own limits, where it is used."""
    endless = isinstance(value, str) and value.strip().casefold() in ("nan", "inf", "-inf")
    read = typed_number(value) if isinstance(value, str) and not endless else float(value)
    if read is None:
        raise ValueError(f"{value!r} is no number. Write plain digits, such as 0.5.")
    return read


def _status(run: Callable[[Any], int], arguments: Any) -> int:
    as_json = bool(getattr(arguments, "json", False))
    try:
        return run(arguments)
    except PodiumError as error:
        complain(str(error), getattr(error, "field", None), as_json)
        return BAD_INPUT
    except TimeoutError:
        complain("A judge could not be reached in time. Try again, or check it with podium doctor.", None, as_json)
        return BAD_INPUT
    except KeyboardInterrupt:
        complain("Interrupted.", None, as_json)
        return NOT_DONE
    except Exception as error:
        if not type(error).__module__.startswith("sqlalchemy"):
            raise
        complain(f"The database cannot be used: {getattr(error, 'orig', None) or type(error).__name__}", None, as_json)
        return BAD_INPUT


@contextmanager
def workbench() -> Iterator[Workbench]:
    """The workbench of the data folder, closed afterwards; what is odd about settings and cache is said."""
    from judge_core.interfaces.settings import Settings
    from judge_core.interfaces.workbench import Workbench

    settings = Settings.load()
    for remark in settings.remarks:
        say(remark)
    bench = Workbench(settings)
    try:
        yield bench
    finally:
        if bench.cache.trouble:
            say(bench.cache.trouble)
        bench.close()


def run_id(bench: Workbench, given: str) -> str:
    """The whole id of a run named by it, by its first letters, or as 'last'. InputError where it is none or several."""
    ids = [row.id for row in bench.runs()]
    wanted = given.strip().casefold()
    if wanted == "last" and ids:
        return ids[0]
    found = [id for id in ids if wanted and id.startswith(wanted)]
    if len(found) > 1 and wanted not in found:
        raise InputError(f"{len(found)} runs begin with {given!r}. Give more letters.", field="run")
    return found[0] if len(found) == 1 else bench.journal.row(wanted or given).id
