"""The verbs that change a ranking which was started: add, withdraw, extend."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge_core.interfaces.cli.runs import JsonOption, RunArgument
from judge_core.interfaces.cli.terminal.arguments import TextArguments
from judge_core.interfaces.cli.terminal.output import say, show, write_json
from judge_core.interfaces.cli.terminal.verb import DONE, NOT_DONE, run_id, verb, workbench
from judge_core.records.errors import InputError

if TYPE_CHECKING:
    from judge_core.interfaces.workbench import Workbench
    from judge_core.records.spec import Goal


# fmt: off
@dataclass(frozen=True)
class AddArguments:
    """What `runs add` takes."""

    run: RunArgument
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders, or a CSV or zip of texts.", show_default=False)]
    text_column: Annotated[str | None, typer.Option(help="The column of a table that holds the text.", show_default=False)] = None
    id_column: Annotated[str | None, typer.Option(help="The column of a table that holds the id.", show_default=False)] = None
    json: JsonOption = False


@dataclass(frozen=True)
class WithdrawArguments:
    """What `runs withdraw` takes."""

    run: RunArgument
    texts: Annotated[list[str], typer.Argument(metavar="TEXT", help="Ids of texts, as in the ranked table, or aliases.", show_default=False)]
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation; nothing asks where there is no terminal, or with --json.")] = False
    json: JsonOption = False


@dataclass(frozen=True)
class ExtendArguments:
    """What `runs extend` takes."""

    run: RunArgument
    rounds: Annotated[int, typer.Option(help="How many further rounds at the most.")] = 3
    until: Annotated[str | None, typer.Option(metavar="GOAL", help="Stop as soon as this is settled: order, top:K or cut:K,K, with @P for the share that is to be right, as expected; none plays all rounds. Default: the run's own goal, while it is not settled.", show_default=False)] = None
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="DIR", help="Refinement: bring this folder up to date.", show_default=False)] = None
    json: JsonOption = False
# fmt: on


def add_verbs(app: typer.Typer) -> None:
    """Adds the verbs to the group `runs`."""
    verb(app, "add")(add)
    verb(app, "withdraw")(withdraw)
    verb(app, "extend")(extend)


def add(arguments: AddArguments) -> int:
    """Add texts to a ranking. In a finished one only they are judged, against well-chosen others.

    \b
    Examples:
      podium runs add last late-essay.txt
      podium runs add 3f2a more-essays/
    """
    from judge_core.interfaces.bench.changes import add_texts
    from judge_core.interfaces.cli.terminal.sources import read_texts
    from judge_core.interfaces.cli.terminal.watch import watch

    given = TextArguments(paths=arguments.paths, text_column=arguments.text_column, id_column=arguments.id_column)
    _, reading = read_texts(given)
    with workbench() as bench:
        run = run_id(bench, arguments.run)
        known = bench.state(run).last_seq
        added = add_texts(bench, run, reading.artifacts)
        if not arguments.json:
            show(f"Added: {', '.join(text.id for text in added)}")
        return watch(bench, run, as_json=arguments.json, known=known)[1]


def withdraw(arguments: WithdrawArguments) -> int:
    """Take texts out of a ranking. They get no rank; what was judged on them still tells about the others.

    \b
    Examples:
      podium runs withdraw last essay7.txt
      podium runs withdraw 3f2a E-005 --yes
    """
    from judge_core.interfaces.bench.changes import to_withdraw, withdraw_texts

    with workbench() as bench:
        run = run_id(bench, arguments.run)
        texts = to_withdraw(bench, run, arguments.texts)
        names = ", ".join(f"{text.id} ({text.alias})" for text in texts)
        if not (arguments.yes or arguments.json or _confirmed(names)):
            say("Nothing is withdrawn.")
            return NOT_DONE
        gone = withdraw_texts(bench, run, arguments.texts)
        if not bench.live(run) or bench.runner.handle(run) is not None:
            bench.wait(run, timeout=600)
    if arguments.json:
        write_json({"run": run, "withdrawn": list(gone), "texts": [text.id for text in texts]})
    else:
        show(f"Withdrawn: {names}")
    return DONE


def _confirmed(names: str) -> bool:
    """What the person at the terminal says; where nobody sits there, nobody is asked."""
    if not sys.stdin.isatty():
        return True
    say(f"To be withdrawn: {names}. A withdrawn text does not come back into the run.")
    return typer.confirm("Withdraw?", err=True)


def extend(arguments: ExtendArguments) -> int:
    """Go on for further rounds: with a ranking though its schedule was played, with a refinement though it has ended.

    A goal that is not settled stays the goal; --until names another one, and --until none plays all of the rounds.

    \b
    Examples:
      podium runs extend last --rounds 5
      podium runs extend last --rounds 2 --out plan-refined
      podium runs extend 3f2a --rounds 20 --until top:5@0.95
    """
    from judge_core.interfaces.bench.changes import extend_run
    from judge_core.interfaces.cli.terminal.watch import watch
    from judge_core.interfaces.library.changes import goal_of_extension

    with workbench() as bench:
        run = run_id(bench, arguments.run)
        if bench.journal.row(run).spec.mode == "refine":
            return _extend_refinement(bench, run, arguments)
        before = bench.state(run)
        goal = goal_of_extension(arguments.until, before)
        extend_run(bench, run, arguments.rounds, goal)
        say(_goal_told(goal, before.goal))
        return watch(bench, run, as_json=arguments.json, known=before.last_seq)[1]


def _extend_refinement(bench: Workbench, run: str, arguments: ExtendArguments) -> int:
    from judge_core.interfaces.bench.steering import extend_refinement
    from judge_core.interfaces.cli.refine.steering import keeping
    from judge_core.interfaces.cli.terminal.watch import watch

    if arguments.until is not None:
        raise InputError("A refinement has no such goal. Leave --until out.", field="until")
    known, also = bench.states.of(run).last_seq, keeping(bench, run, arguments.out)
    extend_refinement(bench, run, arguments.rounds)
    return watch(bench, run, as_json=arguments.json, known=known, also=also)[1]


def _goal_told(goal: Goal | None, former: Goal | None) -> str:
    """When the further rounds end, and what became of the goal that the run had."""
    from judge_core.ranking.goals import goal_words

    if goal is None:
        dropped = "" if former is None else f" The former goal holds no more: {goal_words(former)}."
        return f"All of the further rounds are played.{dropped}"
    kept = " The goal is the same as before; --until none would play all rounds." if goal == former else ""
    return f"Stops as soon as this is settled: {goal_words(goal)}.{kept}"
