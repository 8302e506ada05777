"""The verbs `rank` and `estimate`: one set of options, one way from paths to a spec."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge_core.interfaces.cli.output import money, say, show, write_json
from judge_core.interfaces.cli.verb import DONE, verb, workbench
from judge_core.records.errors import InputError

if TYPE_CHECKING:
    from judge_core.interfaces.cli.sources import Sources
    from judge_core.interfaces.library.options import RankOptions
    from judge_core.interfaces.workbench import Workbench
    from judge_core.records.artifact import Artifact, Reading
    from judge_core.records.criteria import Rubric
    from judge_core.records.spec import Spec

MOST_PROBLEMS = 20


# fmt: off
@dataclass(frozen=True)
class RankArguments:
    """What `rank` and `estimate` take."""

    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders, or a CSV or zip of texts.", show_default=False)]
    task: Annotated[str, typer.Option("--task", "-t", help="The question or task that the texts answer. May be left out where the criteria file has one.")] = ""
    criteria: Annotated[str | None, typer.Option("--criteria", "-c", help="A file (.json, .csv, .xlsx, .docx) or a preset's name. Default: criteria.json in the folder, else one criterion 'Overall', 0 to 10.", show_default=False)] = None
    judge: Annotated[list[str] | None, typer.Option("--judge", "-j", help="offline, openai:MODEL, groq:MODEL, minimax:MODEL or https://host/v1#MODEL; several make a panel. Default: offline.", show_default=False)] = None
    method: Annotated[str, typer.Option(help="How pairs are chosen.")] = "swiss"
    rounds: Annotated[int, typer.Option(help="Each text meets another one once a round.")] = 3
    keep: Annotated[str | None, typer.Option(help="From round 3 on only texts about the cut go on: rank:K or class:K.", show_default=False)] = None
    both_orders: Annotated[bool, typer.Option("--both-orders", help="Ask each pair twice, each text shown first once.")] = False
    on_error: Annotated[str, typer.Option(help="What a judgment without a verdict does: skip, abort or draw.")] = "skip"
    temperature: Annotated[float, typer.Option(help="Replies at 0 are kept for later runs.")] = 0.0
    max_tokens: Annotated[int | None, typer.Option(help="The longest reply, in tokens.", show_default=False)] = None
    timeout: Annotated[float | None, typer.Option(help="Seconds to wait for a reply.", show_default=False)] = None
    max_cost: Annotated[float | None, typer.Option(help="Stop before this many US dollars are spent.", show_default=False)] = None
    max_calls: Annotated[int | None, typer.Option(help="Stop before this many calls are made.", show_default=False)] = None
    concurrency: Annotated[int | None, typer.Option(help="Calls at the same time. Default: PODIUM_CONCURRENCY, else 8.", show_default=False)] = None
    seed: Annotated[int, typer.Option(help="Draws which text of a pair is shown first.")] = 0
    text_column: Annotated[str | None, typer.Option(help="The column of a table that holds the text.", show_default=False)] = None
    id_column: Annotated[str | None, typer.Option(help="The column of a table that holds the id.", show_default=False)] = None
    name: Annotated[str, typer.Option(help="What the run is called in lists.", show_default=False)] = ""
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the ranking to this file, .csv or .xlsx.", show_default=False)] = None
    json: Annotated[bool, typer.Option("--json", help="Lines of JSON on the standard output.")] = False
# fmt: on


@dataclass(frozen=True)
class Prepared:
    """A ranking that could start."""

    spec: Spec
    artifacts: tuple[Artifact, ...]
    options: RankOptions
    notes: list[str]


def add_verbs(app: typer.Typer) -> None:
    """Adds `rank` and `estimate`."""
    verb(app, "rank")(rank)
    verb(app, "estimate")(estimate)


def rank(arguments: RankArguments) -> int:
    """Rank texts: files, folders, or a CSV, from the best to the weakest.

    Ctrl-C pauses the run, and all replies are kept; the same command again goes on with it.

    \b
    Examples:
      podium rank examples
      podium rank essays/ --task "Should schools start later?" --judge openai:gpt-4.1-mini --max-cost 2
      podium rank essays.csv --task "..." --criteria "persuasive essay" --rounds 5 --out ranked.csv
    """
    from judge_core.interfaces.cli.watch import watch
    from judge_core.interfaces.library.results import FILES, check_target, write_whole

    kind = _kind_of(arguments.out)
    if arguments.out is not None:
        check_target(arguments.out)
    with workbench() as bench:
        prepared = _prepared(bench, arguments)
        _tell_before(bench, prepared)
        bench.text_refs(prepared.artifacts)  # stores the texts
        run = bench.start(prepared.spec, concurrency=prepared.options.concurrency)
        ranking, status = watch(bench, run, as_json=arguments.json)
        if arguments.out is not None:
            write_whole(arguments.out, FILES[kind].content(ranking))
            say(f"Written: {arguments.out}")
        elif not arguments.json:
            show(f"As a file: podium runs export {run[:8]} --format csv")
        return status


def estimate(arguments: RankArguments) -> int:
    """Say what a ranking would take: calls, tokens, US dollars and seconds. Asks no judge. Takes the options of rank.

    \b
    Examples:
      podium estimate examples
      podium estimate essays/ --task "..." --judge openai:gpt-4.1-mini --rounds 5 --both-orders
    """
    with workbench() as bench:
        prepared = _prepared(bench, arguments)
        needed = bench.estimate(prepared.spec, concurrency=prepared.options.concurrency)
        problems = [problem.message for problem in bench.too_long(prepared.spec)]
    if arguments.json:
        write_json({**needed.model_dump(), "notes": prepared.notes, "problems": problems})
        return DONE
    show(f"{needed.matches} matches, {needed.calls} calls, about {needed.tokens:,} tokens.")
    for part in needed.judges:
        show(f"{part.judge}: {part.calls} calls, {money(part.cost)}.")
    show(f"Together {money(needed.cost)}, about {needed.seconds:,.0f} seconds, repairs and cached replies aside.")
    for note in (*prepared.notes, *problems):
        show(note)
    return DONE


def _kind_of(out: Path | None) -> str:
    kind = "ranked.csv" if out is None else f"ranked{out.suffix.lower()}"
    if kind not in ("ranked.csv", "ranked.xlsx"):
        raise InputError(f"{str(out)!r}: a ranking is written as .csv or .xlsx.", field="out")
    return kind


def _prepared(bench: Workbench, arguments: RankArguments) -> Prepared:
    from judge_core.intake import ReadOptions
    from judge_core.interfaces.cli.sources import find_sources, read_sources
    from judge_core.interfaces.library.options import RankOptions, check_method, rank_spec
    from judge_core.interfaces.workbench import text_refs
    from judge_core.ranking import narrowing
    from judge_core.ranking.certainty import sentence

    check_method(arguments.method)
    reading_options = ReadOptions(text_column=arguments.text_column, id_column=arguments.id_column)
    sources = find_sources(arguments.paths, reading_options)
    reading = read_sources(sources, reading_options)
    _tell_problems(reading)
    _check_number(reading)
    rubric = _rubric(arguments, sources)
    options = RankOptions(
        judges=tuple(arguments.judge or ("offline",)), method=arguments.method, rounds=arguments.rounds,
        keep=arguments.keep, both_orders=arguments.both_orders, on_error=arguments.on_error,
        temperature=arguments.temperature, max_tokens=arguments.max_tokens, timeout_s=arguments.timeout,
        max_cost=arguments.max_cost, max_calls=arguments.max_calls, concurrency=arguments.concurrency,
        seed=arguments.seed, name=arguments.name or rubric.name or Path(arguments.paths[0]).stem,
    )  # fmt: skip
    spec = rank_spec(bench, text_refs(reading.artifacts), rubric, options)
    n = len(spec.texts)
    notes = [*narrowing.notes(n, spec.rounds, spec.narrowing), sentence(n, spec.rounds)]
    return Prepared(spec, reading.artifacts, options, notes)


def _rubric(arguments: RankArguments, sources: Sources) -> Rubric:
    from judge_core.interfaces.cli.sources import only_criteria
    from judge_core.interfaces.library.options import read_criteria

    beside = None if arguments.criteria else only_criteria(sources)
    if beside is not None:
        say(f"Criteria: {beside} (beside the texts).")
    reading = read_criteria(arguments.criteria or beside, arguments.task)
    for note in reading.notes:
        say(note)
    if not reading.rubric.question:
        raise InputError(
            "There is no task: say with --task what the texts answer, or put a question into the criteria file.",
            field="task",
        )
    return reading.rubric


def _check_number(reading: Reading) -> None:
    count = len(reading.artifacts)
    if count < 2:
        there = f"only one, {reading.artifacts[0].id!r}" if count else "none that can be read"
        raise InputError(f"A ranking needs at least two texts; there is {there}.", field="paths")


def _tell_problems(reading: Reading) -> None:
    for problem in reading.problems[:MOST_PROBLEMS]:
        say(f"{problem.file}: {problem.message}")
    if len(reading.problems) > MOST_PROBLEMS:
        say(f"... and {len(reading.problems) - MOST_PROBLEMS} more remarks; podium inspect shows all.")


def _tell_before(bench: Workbench, prepared: Prepared) -> None:
    """What is about to happen: how much, where the texts go, at what price, and what certainty to expect."""
    from judge_core.providers.hosts import is_loopback, read_url
    from judge_core.providers.registry import key_for

    spec, environ = prepared.spec, bench.settings.environ()
    names = ", ".join(judge.name for judge in spec.judges)
    say(f"{len(spec.texts)} texts, {len(spec.rubric.criteria)} criteria. Judges: {names}.")
    hosts = {judge.name: read_url(judge.base_url).host for judge in spec.judges if judge.base_url}
    away = sorted({host for host in hosts.values() if not is_loopback(host)})
    say(f"The texts are sent to {', '.join(away)}." if away else "Nothing leaves this computer.")
    for judge in spec.judges:
        if hosts.get(judge.name) in away and key_for(judge, environ) is None:
            say(f"No key is set for {judge.name}; it may refuse to answer.")
    needed = bench.estimate(spec, concurrency=prepared.options.concurrency)
    say(f"About {needed.calls} calls, {money(needed.cost)}.")
    for note in prepared.notes:
        say(note)
