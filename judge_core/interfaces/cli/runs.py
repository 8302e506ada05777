"""The verbs about runs that are recorded: list, show, export, import, resume, cancel, rename."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge_core.interfaces.cli.terminal.output import say, show, show_table, write_json
from judge_core.interfaces.cli.terminal.verb import DONE, run_id, verb, workbench
from judge_core.records.errors import InputError

if TYPE_CHECKING:
    from judge_core.interfaces.workbench import Workbench
    from judge_core.records.event import Input
    from judge_core.records.journal import RunRow

RunArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A run's id, its first letters, or last.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on the standard output.")]
FORMATS = {
    "zip": "zip", "csv": "ranked.csv", "xlsx": "ranked.xlsx", "judgments": "judgments.csv", "json": "ranking.json",
    "report": "report.txt", "md": "final_output.md",
}  # fmt: skip
OVER = ("done", "cancelled")


# fmt: off
@dataclass(frozen=True)
class ListArguments:
    """What `runs list` takes."""

    json: JsonOption = False


@dataclass(frozen=True)
class RunArguments:
    """What the verbs about one run take."""

    run: RunArgument
    json: JsonOption = False


@dataclass(frozen=True)
class ExportArguments:
    """What `runs export` takes."""

    run: RunArgument
    format: Annotated[str, typer.Option(help=f"One of: {', '.join(FORMATS)}. zip is the whole run.")] = "zip"
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to write it.", show_default=False)] = None
    json: JsonOption = False


@dataclass(frozen=True)
class ImportArguments:
    """What `runs import` takes."""

    file: Annotated[Path, typer.Argument(help="A zip made by runs export.", show_default=False)]
    json: JsonOption = False


@dataclass(frozen=True)
class ResumeArguments:
    """What `runs resume` takes."""

    run: RunArgument
    retry: Annotated[bool, typer.Option("--retry", help="Ask again what failed or could not be read.")] = False
    max_cost: Annotated[float | None, typer.Option(help="A new limit in US dollars, all that is spent included.", show_default=False)] = None
    max_calls: Annotated[int | None, typer.Option(help="A new limit of calls, all that were made included.", show_default=False)] = None
    concurrency: Annotated[int | None, typer.Option(help="Calls at the same time.", show_default=False)] = None
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="DIR", help="Refinement: bring this folder up to date.", show_default=False)] = None
    json: JsonOption = False


@dataclass(frozen=True)
class RenameArguments:
    """What `runs rename` takes."""

    run: RunArgument
    name: Annotated[str, typer.Argument(help="The new name.", show_default=False)]
    json: JsonOption = False
# fmt: on


def add_verbs(app: typer.Typer) -> None:
    """Adds the verbs to the group `runs`."""
    verb(app, "list")(list_runs)
    verb(app, "show")(show_run)
    verb(app, "export")(export_run)
    verb(app, "import")(import_run)
    verb(app, "resume")(resume_run)
    verb(app, "cancel")(cancel_run)
    verb(app, "rename")(rename_run)


def list_runs(arguments: ListArguments) -> int:
    """List all runs of the data folder, newest first.

    \b
    Example:
      podium runs list
    """
    with workbench() as bench:
        rows, live = bench.runs(), {row.id for row in bench.runs() if bench.live(row)}
    if arguments.json:
        write_json([_listed(row, row.id in live) for row in rows])
        return DONE
    shown = [
        (row.id[:8], row.created_at[:16], _kind(row), row.status, row.name, row.size, _judges(row)) for row in rows
    ]
    show_table(("run", "made (UTC)", "kind", "status", "name", "items", "judges"), shown, ("items",))
    if not rows:
        show("There is no run yet. Make one with: podium rank examples")
    return DONE


def _listed(row: RunRow, live: bool) -> dict[str, object]:
    return {
        "run": row.id, "name": row.name, "created_at": row.created_at, "status": row.status, "live": live,
        "mode": row.spec.mode, "method": getattr(row.spec, "method", None), "texts": row.size, "rounds": getattr(row.spec, "rounds", None), "judges": [judge.name for judge in row.spec.judges],
    }  # fmt: skip


def _kind(row: RunRow) -> str:
    """The mode, and of a ranking its method."""
    return ", ".join(filter(None, (row.spec.mode, getattr(row.spec, "method", None))))


def _judges(row: RunRow) -> str:
    return ", ".join(judge.name for judge in row.spec.judges)


def show_run(arguments: RunArguments) -> int:
    """Show a run: verdict, ranking, ledger; with --json its folded state.

    \b
    Examples:
      podium runs show last
      podium runs show 3f2a --json
    """
    from judge_core.interfaces.cli.terminal.showing import folded_state, results_of, show_results

    with workbench() as bench:
        results = results_of(bench, run_id(bench, arguments.run))
        if arguments.json:
            write_json(folded_state(results))
        else:
            row = bench.journal.row(results.run_id)
            show(f"{row.name or 'Unnamed'}, {row.created_at[:16]} UTC, {row.status}. {results.state.reason}")
            show_results(results)
    return DONE


def export_run(arguments: ExportArguments) -> int:
    """Write a run to a file: the whole run as a zip, its ranking or judgments as a table, a refinement's final text.

    \b
    Examples:
      podium runs export last
      podium runs export 3f2a --format xlsx --out ranking.xlsx
    """
    from judge_core.interfaces.library.results import check_target, write_whole

    if arguments.format not in FORMATS:
        raise InputError(f"There is no format {arguments.format!r}. Choose from: {', '.join(FORMATS)}.", field="format")
    with workbench() as bench:
        run = run_id(bench, arguments.run)
        name, make = _export(bench, run, arguments.format)
        target = arguments.out or Path(name)
        check_target(target)
        content = make()
    write_whole(target, content)
    if arguments.json:
        write_json({"run": run, "file": str(target), "bytes": len(content)})
    else:
        show(f"Written: {target}")
    return DONE


def _export(bench: Workbench, run: str, format: str) -> tuple[str, Callable[[], bytes]]:
    """A file's name, and what makes its content."""
    from judge_core.interfaces.cli.refine.exporting import exported
    from judge_core.interfaces.cli.terminal.showing import results_of
    from judge_core.interfaces.library.bundle import bundle
    from judge_core.interfaces.library.refine.result import Refinement
    from judge_core.interfaces.library.results import FILES, Ranking

    if format == "zip":
        return f"podium-{run[:8]}.zip", lambda: bundle(bench, run)
    results = results_of(bench, run)
    if isinstance(results, Refinement):
        return exported(results, format)
    if format == "md":
        raise InputError(
            "A final text is there for refinements. Choose zip, csv, xlsx, judgments or json.", field="format"
        )
    if isinstance(results, Ranking):
        name = FORMATS[format]
        return f"{run[:8]}-{name}", lambda: FILES[name].content(results)
    if format == "report":
        raise InputError("A report is there for rankings. Choose zip, csv, xlsx, judgments or json.", field="format")
    own = "judgments.csv" if format == "judgments" else f"{results.mode}.{format}"
    return f"{run[:8]}-{own}", lambda: results.files()[own].content(results)


def import_run(arguments: ImportArguments) -> int:
    """Take a run that was exported as a zip into this data folder. Texts and replies are checked against their hashes.

    \b
    Example:
      podium runs import podium-3f2a81c0.zip
    """
    from judge_core.interfaces.library.bundle import import_bundle

    try:
        data = arguments.file.read_bytes()
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or "not a path"
        raise InputError(f"The file {str(arguments.file)!r} cannot be read ({cause}).", field="file") from None
    with workbench() as bench:
        run = import_bundle(bench, data)
    if arguments.json:
        write_json({"run": run})
    else:
        show(f"Run: {run}")
    return DONE


def resume_run(arguments: ResumeArguments) -> int:
    """Go on with a run that was paused, failed or reached its limit. What is paid is not asked again.

    \b
    Examples:
      podium runs resume last
      podium runs resume 3f2a --max-cost 10
      podium runs resume 3f2a --retry
    """
    from judge_core.interfaces.cli.refine.steering import keeping
    from judge_core.interfaces.cli.terminal.watch import tell_judges, watch

    with workbench() as bench:
        run = run_id(bench, arguments.run)
        known = bench.states.of(run).last_seq
        _check_resumable(bench, run, arguments)
        also = keeping(bench, run, arguments.out)
        for message in _inputs(bench, run, arguments):
            bench.journal.send(run, message)  # it is taken as soon as the run goes on
        tell_judges(bench.journal.row(run).spec)
        bench.resume(run, concurrency=arguments.concurrency)
        return watch(bench, run, as_json=arguments.json, known=known, also=also)[1]


def _check_resumable(bench: Workbench, run: str, arguments: ResumeArguments) -> None:
    state = bench.states.of(run)
    if state.status == "done" and not arguments.retry:
        raise InputError(
            "This run is done; there is nothing to go on with. --retry asks again what failed.", field="run"
        )
    if state.status == "budget" and arguments.max_cost is None and arguments.max_calls is None:
        raise InputError(f"{state.reason} Give --max-cost or --max-calls.", field="max_cost")


def _inputs(bench: Workbench, run: str, arguments: ResumeArguments) -> list[Input]:
    from judge_core.interfaces.library.options import checked
    from judge_core.records.event import CapsRaised, RetryAsked
    from judge_core.records.spec import Caps

    found: list[Input] = [RetryAsked()] if arguments.retry else []
    if arguments.max_cost is None and arguments.max_calls is None:
        return found
    caps = bench.states.of(run).caps
    cost = caps.max_cost if arguments.max_cost is None else arguments.max_cost
    calls = caps.max_calls if arguments.max_calls is None else arguments.max_calls
    return [*found, CapsRaised(caps=checked(Caps, max_cost=cost, max_calls=calls))]


def cancel_run(arguments: RunArguments) -> int:
    """End a run for good. What was judged stays, and so do its ranking and the cached replies.

    \b
    Example:
      podium runs cancel 3f2a
    """
    with workbench() as bench:
        run = run_id(bench, arguments.run)
        status = bench.states.of(run).status
        if status in OVER:
            raise InputError(f"This run is over already ({status}).", field="run")
        elsewhere = bench.live(run)
        bench.cancel(run)
        status = status if elsewhere else bench.wait(run, timeout=600).status
    said = "The process that works on it was told to end it." if elsewhere else f"Status: {status}."
    if arguments.json:
        write_json({"run": run, "status": status, "told": elsewhere})
    else:
        show(said)
    return DONE


def rename_run(arguments: RenameArguments) -> int:
    """Give a run another name. Its id and its figures stay as they are.

    \b
    Example:
      podium runs rename last "Class 9b, first round"
    """
    with workbench() as bench:
        run = run_id(bench, arguments.run)
        bench.journal.rename(run, arguments.name.strip())
    if arguments.json:
        write_json({"run": run, "name": arguments.name.strip()})
    else:
        say("Renamed.")
    return DONE
