"""The verbs that steer a refinement tournament: note, accept; and its way to be extended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge_core.interfaces.cli.runs import JsonOption, RunArgument
from judge_core.interfaces.cli.terminal.output import show, write_json
from judge_core.interfaces.cli.terminal.verb import DONE, run_id, verb, workbench
from judge_core.records.errors import InputError

if TYPE_CHECKING:
    from judge_core.interfaces.cli.terminal.watch import Listener
    from judge_core.interfaces.workbench import Workbench


# fmt: off
@dataclass(frozen=True)
class NoteArguments:
    """What `runs note` takes."""

    run: RunArgument
    text: Annotated[str, typer.Argument(help="What the next critic is to look at.", show_default=False)]
    json: JsonOption = False


@dataclass(frozen=True)
class AcceptArguments:
    """What `runs accept` takes."""

    run: RunArgument
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="DIR", help="Bring this folder up to date.", show_default=False)] = None
    json: JsonOption = False
# fmt: on


def add_verbs(app: typer.Typer) -> None:
    """Adds the verbs to the group `runs`."""
    verb(app, "note")(note)
    verb(app, "accept")(accept)


def note(arguments: NoteArguments) -> int:
    """Give a note to the next critic of a refinement. Where nobody works on the run, it is read when the run goes on.

    \b
    Example:
      podium runs note last "The second paragraph contradicts the first."
    """
    from judge_core.interfaces.bench.steering import give_note

    with workbench() as bench:
        run = run_id(bench, arguments.run)
        written = give_note(bench, run, arguments.text)
        live = bench.live(run)
    if arguments.json:
        write_json({"run": run, "note": written.sha256, "live": live})
    else:
        show(
            "The next critic will see it." if live else f"It is read when the run goes on: podium runs resume {run[:8]}"
        )
    return DONE


def accept(arguments: AcceptArguments) -> int:
    """End a refinement with the text that stands now. What was asked is kept; it can still be extended.

    \b
    Example:
      podium runs accept last
    """
    from judge_core.interfaces.bench.steering import accept_incumbent
    from judge_core.interfaces.cli.terminal.watch import watch

    with workbench() as bench:
        run = run_id(bench, arguments.run)
        also = keeping(bench, run, arguments.out)
        elsewhere = bench.live(run)
        accept_incumbent(bench, run)
        if not elsewhere:
            return watch(bench, run, as_json=arguments.json, also=also)[1]
    if arguments.json:
        write_json({"run": run, "told": True})
    else:
        show("The process that works on it was told to end it.")
    return DONE


def keeping(bench: Workbench, run: str, out: Path | None) -> Listener | None:
    """What brings a folder up to date while a refinement goes on; None without one. InputError where it cannot be."""
    from judge_core.interfaces.library.refine.folder import check_folder
    from judge_core.interfaces.library.refine.result import keep_folder

    if out is None:
        return None
    if bench.journal.row(run).spec.mode != "refine":
        raise InputError("--out is for refinements; other runs are written by: podium runs export", field="out")
    check_folder(out, bench.refine_state(run).first.sha256)
    return keep_folder(bench, run, out)
