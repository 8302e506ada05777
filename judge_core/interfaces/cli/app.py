"""The command line as a whole: all verbs, and what is said when the command itself is wrong."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from judge_core import __version__
from judge_core.interfaces.cli import care, changes, items, rank, read, runs
from judge_core.interfaces.cli.refine import steering
from judge_core.interfaces.cli.refine import verb as refine
from judge_core.interfaces.cli.terminal.output import complain, safe
from judge_core.interfaces.cli.terminal.verb import BAD_INPUT, NOT_DONE

app = typer.Typer(name="podium", add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
_runs = typer.Typer(rich_markup_mode=None, help="Runs that are recorded here.")
_cache = typer.Typer(rich_markup_mode=None, help="Replies that are kept, so that nothing is paid twice.")


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit()


@app.callback()
def podium(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Rank texts with LLM judges, and see why. `podium rank examples` works at once: no key, nothing leaves this computer."""


rank.add_verbs(app)
items.add_verbs(app)
refine.add_verbs(app)
read.add_verbs(app)
app.add_typer(_runs, name="runs")
runs.add_verbs(_runs)
changes.add_verbs(_runs)
steering.add_verbs(_runs)
app.add_typer(_cache, name="cache")
care.add_verbs(app, _cache)


def main() -> None:
    """Runs the command and ends the process with its status: 0 done, 1 not done, 2 bad usage or input."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal of a small alphabet shows ? and does not end the run
    sys.exit(_status())


def _status() -> int:
    try:
        return int(app(sys.argv[1:] or ["--help"], standalone_mode=False, prog_name="podium") or 0)
    except typer.TyperException as error:
        words = getattr(error, "format_message", error.__str__)
        complain(f"{safe(words())} See --help.", None, "--json" in sys.argv)
        return BAD_INPUT
    except typer.Abort:
        return NOT_DONE
