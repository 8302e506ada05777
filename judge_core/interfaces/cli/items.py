"""The verbs that judge item by item: `pairwise`, `review`, `gate`, `list`, `rag`, `agent`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge_core.interfaces.cli.terminal.arguments import (
    PanelArguments,
    RubricArguments,
    TaskOption,
    TextArguments,
    panel_options,
)
from judge_core.interfaces.cli.terminal.output import say, show
from judge_core.interfaces.cli.terminal.verb import verb, workbench
from judge_core.records.errors import InputError

if TYPE_CHECKING:
    from judge_core.interfaces.library.item_results import ItemResults
    from judge_core.interfaces.library.options import ItemOptions
    from judge_core.records.criteria import Rubric
    from judge_core.records.item import ItemReading
    from judge_core.records.spec import ItemMode

OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Write the results to this file, .csv, .xlsx or .json.", show_default=False),
]
OnErrorOption = Annotated[str, typer.Option(help="What a judgment without a verdict does: skip or abort.")]
ReferenceOption = Annotated[
    Path | None, typer.Option("--reference", help="A file with a good answer to measure against.", show_default=False)
]


# fmt: off
@dataclass(frozen=True, kw_only=True)
class PairwiseArguments(RubricArguments, PanelArguments):
    """What `pairwise` takes."""

    a: Annotated[str, typer.Argument(metavar="A", help="The first text's file.", show_default=False)]
    b: Annotated[str, typer.Argument(metavar="B", help="The second text's file.", show_default=False)]
    task: TaskOption = ""
    one_order: Annotated[bool, typer.Option("--one-order", help="Show the texts in one order only: half the calls, and no sign of position bias.")] = False


@dataclass(frozen=True, kw_only=True)
class ReviewArguments(TextArguments, RubricArguments, PanelArguments):
    """What `review` takes."""

    task: TaskOption = ""
    reference: ReferenceOption = None
    on_error: OnErrorOption = "skip"
    out: OutOption = None


@dataclass(frozen=True, kw_only=True)
class GateArguments(ReviewArguments):
    """What `gate` takes."""

    bar: Annotated[float, typer.Option(help="The score from which a text passes, on a scale of 1 to 5.")] = 3.5


@dataclass(frozen=True, kw_only=True)
class ListArguments(TextArguments, RubricArguments, PanelArguments):
    """What `list` takes."""

    task: TaskOption = ""
    one_order: Annotated[bool, typer.Option("--one-order", help="Show the list in one order only.")] = False
    out: OutOption = None


@dataclass(frozen=True, kw_only=True)
class RagArguments(PanelArguments):
    """What `rag` takes."""

    criteria: Annotated[str | None, typer.Option("--criteria", "-c", help="A file or a preset's name. Default: one criterion 'Answer relevance', 1 to 5.", show_default=False)] = None

    file: Annotated[str, typer.Argument(metavar="FILE", help="Answers with their passages: .jsonl, .json, .csv or .xlsx.", show_default=False)]
    on_error: OnErrorOption = "skip"
    out: OutOption = None


@dataclass(frozen=True, kw_only=True)
class AgentArguments(PanelArguments):
    """What `agent` takes."""

    file: Annotated[str, typer.Argument(metavar="FILE", help="Runs of an agent: .jsonl or .json.", show_default=False)]
    on_error: OnErrorOption = "skip"
    out: OutOption = None
    patterns: Annotated[bool, typer.Option("--patterns", help="Ask the judge about patterns of going astray too, beside the rules.")] = False
# fmt: on


def add_verbs(app: typer.Typer) -> None:
    """Adds the verbs."""
    verb(app, "pairwise")(pairwise)
    verb(app, "review")(review)
    verb(app, "gate")(gate)
    verb(app, "list")(rank_list)
    verb(app, "rag")(rag)
    verb(app, "agent")(agent)


def pairwise(arguments: PairwiseArguments) -> int:
    """Compare two texts, each shown first once: equal winners stand, differing ones are a tie.

    \b
    Examples:
      podium pairwise a.txt b.txt --task "Should schools start later?"
      podium pairwise a.txt b.txt --task "..." --criteria writing --judge openai:gpt-4.1-mini --json
    """
    from judge_core.interfaces.cli.terminal.sources import one_text, read_rubric
    from judge_core.interfaces.cli.terminal.watch import tell_before, watch
    from judge_core.interfaces.library.rank_options import RankOptions, rank_spec

    artifacts = [one_text(path) for path in (arguments.a, arguments.b)]
    if artifacts[0].id == artifacts[1].id:
        artifacts = [artifact.model_copy(update={"id": side}) for artifact, side in zip(artifacts, "AB", strict=True)]
    rubric = read_rubric(arguments.criteria, arguments.task)
    name = arguments.name or f"{artifacts[0].title} and {artifacts[1].title}"
    with workbench() as bench:
        options = RankOptions(**panel_options(arguments), rounds=1, both_orders=not arguments.one_order, name=name)
        spec = rank_spec(bench, bench.keep_texts(artifacts), rubric, options)
        tell_before(bench, spec, "2 texts", arguments.concurrency)
        run = bench.start(spec, concurrency=arguments.concurrency)
        pair = (artifacts[0].id, artifacts[1].id)
        return watch(bench, run, as_json=arguments.json, pair=pair)[1]


def review(arguments: ReviewArguments) -> int:
    """Score each text on every criterion, with reasons. No text's score depends on another.

    \b
    Examples:
      podium review essays/ --task "Should schools start later?" --criteria "persuasive essay"
      podium review answer.txt --reference model_answer.txt --judge openai:gpt-4.1-mini --out review.xlsx
    """
    from judge_core.interfaces.library.options import ItemOptions

    options = ItemOptions(**panel_options(arguments), on_error=arguments.on_error, name=_name(arguments))
    return _judge_texts("review", arguments, options)


def gate(arguments: GateArguments) -> int:
    """Let texts pass or not: exit status 0 only if all pass. Whatever goes wrong, nothing passes by it.

    A text passes where every judge gave a verdict, none refused it, and the mean score is at least the bar.

    \b
    Examples:
      podium gate report.md --criteria writing
      podium gate answers/ --bar 4 --judge openai:gpt-4.1-mini --judge groq:llama-3.3-70b-versatile
    """
    from judge_core.interfaces.library.options import ItemOptions

    options = ItemOptions(
        **panel_options(arguments), on_error=arguments.on_error, name=_name(arguments), bar=arguments.bar
    )
    return _judge_texts("gate", arguments, options)


def rank_list(arguments: ListArguments) -> int:
    """Have each judge rank 2 to 20 texts in one reply, shown forwards and in reverse. For more texts, see rank.

    \b
    Example:
      podium list titles.csv --task "Which title draws readers?" --judge openai:gpt-4.1-mini
    """
    from judge_core.interfaces.bench.items import list_item
    from judge_core.interfaces.cli.terminal.sources import read_rubric, read_texts
    from judge_core.interfaces.library.options import ItemOptions
    from judge_core.records.item import ItemReading

    sources, reading = read_texts(arguments)
    _check_any(len(reading.artifacts))
    rubric = read_rubric(arguments.criteria, arguments.task, sources)
    options = ItemOptions(**panel_options(arguments), name=_name(arguments), both_orders=not arguments.one_order)
    read = ItemReading(items=(list_item(reading.artifacts, _name(arguments)),))
    return _judge("listwise", read, rubric, options, arguments)


def rag(arguments: RagArguments) -> int:
    """Judge answers against their passages: claims and passages are labelled, figures computed from the labels.

    A row has question, answer and passages; claims, reference, id and model may be there too (docs/formats.md).

    \b
    Examples:
      podium rag examples/rag/town_answers.jsonl
      podium rag answers.csv --judge openai:gpt-4.1-mini --out rag.xlsx
    """
    from judge_core.intake.items.rag_files import read_rag_files
    from judge_core.interfaces.cli.terminal.sources import named_file, read_rubric
    from judge_core.interfaces.library.options import ItemOptions

    read = read_rag_files([named_file(arguments.file)])
    options = ItemOptions(
        **panel_options(arguments), on_error=arguments.on_error, name=arguments.name or Path(arguments.file).stem
    )
    return _judge("rag", read, read_rubric(arguments.criteria, ""), options, arguments)


def agent(arguments: AgentArguments) -> int:
    """Judge runs of an agent: goal, steps, tool calls, and patterns of going astray.

    A run has goal and steps; lists of chat messages with tool calls are read too (docs/formats.md).

    \b
    Examples:
      podium agent examples/agents/runs.json
      podium agent runs.jsonl --judge openai:gpt-4.1-mini --patterns --out agent.xlsx
    """
    from judge_core.intake.items.agent_files import read_agent_files
    from judge_core.interfaces.cli.terminal.sources import named_file
    from judge_core.interfaces.library.options import ItemOptions
    from judge_core.records.criteria import Rubric

    read = read_agent_files([named_file(arguments.file)])
    options = ItemOptions(
        **panel_options(arguments), on_error=arguments.on_error, name=arguments.name or Path(arguments.file).stem,
        classify_patterns=arguments.patterns,
    )  # fmt: skip
    return _judge("agent", read, Rubric(), options, arguments)


def _judge_texts(mode: ItemMode, arguments: ReviewArguments, options: ItemOptions) -> int:
    from judge_core.interfaces.bench.items import text_items
    from judge_core.interfaces.cli.terminal.sources import check_all_read, one_text, read_rubric, read_texts
    from judge_core.records.item import ItemReading

    sources, reading = read_texts(arguments)
    _check_any(len(reading.artifacts))
    if mode == "gate":
        check_all_read(sources, reading)
    rubric = read_rubric(arguments.criteria, arguments.task, sources)
    reference = one_text(str(arguments.reference)).text if arguments.reference is not None else ""
    read = ItemReading(items=text_items(reading.artifacts, reference))
    return _judge(mode, read, rubric, options, arguments)


def _judge(
    mode: ItemMode,
    read: ItemReading,
    rubric: Rubric,
    options: ItemOptions,
    arguments: ReviewArguments | ListArguments | RagArguments | AgentArguments,
) -> int:
    """Prepares a run of items, says what it will do, plays it to its end and writes it down."""
    from judge_core.interfaces.cli.terminal.sources import tell_problems
    from judge_core.interfaces.cli.terminal.watch import tell_before, watch
    from judge_core.interfaces.library.evaluations import check_read
    from judge_core.interfaces.library.item_results import ItemResults
    from judge_core.interfaces.library.options import item_spec

    _check_target(arguments.out)
    tell_problems(read.problems)
    check_read(read)
    with workbench() as bench:
        spec = item_spec(bench, mode, bench.keep_items(read.items), rubric, options)
        count = len(spec.items[0].parts) if mode == "listwise" else len(spec.items)
        noun = {"rag": "answer", "agent": "run"}.get(mode, "text")
        tell_before(bench, spec, f"{count} {noun}{'' if count == 1 else 's'}", options.concurrency)
        run = bench.start(spec, concurrency=options.concurrency)
        results, status = watch(bench, run, as_json=arguments.json)
        assert isinstance(results, ItemResults)
        if arguments.out is not None:
            _write(results, arguments.out)
        elif not arguments.json:
            show(f"As a file: podium runs export {run[:8]} --format csv")
        return status


def _write(results: ItemResults, out: Path) -> None:
    from judge_core.interfaces.library.results import write_whole

    write_whole(out, results.files()[f"{results.mode}{out.suffix.lower()}"].content(results))
    say(f"Written: {out}")


def _check_target(out: Path | None) -> None:
    from judge_core.interfaces.library.results import check_target

    if out is None:
        return
    if out.suffix.lower() not in (".csv", ".xlsx", ".json"):
        raise InputError(f"{str(out)!r}: results are written as .csv, .xlsx or .json.", field="out")
    check_target(out)


def _name(arguments: ReviewArguments | ListArguments) -> str:
    return arguments.name or Path(arguments.paths[0]).absolute().stem


def _check_any(count: int) -> None:
    if not count:
        raise InputError("No text could be read. podium inspect shows how files are read.", field="paths")
