"""The verbs that ask no judge: how files are read, how a reply is read, how recorded matches are rated."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge_core.interfaces.cli.terminal.output import say, show, show_table, write_json
from judge_core.interfaces.cli.terminal.verb import BAD_INPUT, DONE, NOT_DONE, verb
from judge_core.records.errors import InputError

if TYPE_CHECKING:
    from judge_core.ranking.rate import RateResult

STDIN = "-"


# fmt: off
@dataclass(frozen=True)
class InspectArguments:
    """What `inspect` takes."""

    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders, or a CSV or zip of texts.", show_default=False)]
    text_column: Annotated[str | None, typer.Option(help="The column of a table that holds the text.", show_default=False)] = None
    id_column: Annotated[str | None, typer.Option(help="The column of a table that holds the id.", show_default=False)] = None
    json: Annotated[bool, typer.Option("--json", help="JSON on the standard output, texts included.")] = False


@dataclass(frozen=True)
class ReplyArguments:
    """What `read-reply` takes."""

    mode: Annotated[str, typer.Option(help="What was asked: pairwise, pointwise, gate, listwise, refine, rag or agent.", show_default=False)]
    file: Annotated[str, typer.Argument(help="The reply, or a whole assistant message as JSON; - is the standard input.")] = STDIN
    criteria: Annotated[str | None, typer.Option("--criteria", "-c", help="A file or a preset's name.", show_default=False)] = None
    labels: Annotated[str | None, typer.Option(metavar="1,2,3", help="What the ranked texts were called: for listwise (else those named) and refine (else 1,2,3).", show_default=False)] = None
    claims: Annotated[int | None, typer.Option(metavar="N", help="How many claims were given: for rag (else those named).", show_default=False)] = None
    json: Annotated[bool, typer.Option("--json", help="JSON, which this verb always writes.")] = True


@dataclass(frozen=True)
class RateArguments:
    """What `rate` takes."""

    file: Annotated[str, typer.Argument(help="Matches (CSV with a, b, result, or JSON) or ballots (JSON); - is the standard input.", show_default=False)]
    method: Annotated[str, typer.Option(help="elo, bradley-terry or borda for matches; borda, veto or plackett-luce for ballots.")] = "elo"
    prior: Annotated[str | None, typer.Option(help="Standard deviation of strengths in logits, or none for maximum likelihood.", show_default=False)] = None
    first_position: Annotated[bool, typer.Option("--first-position", help="a was shown first: estimate what that is worth.")] = False
    margins: Annotated[bool, typer.Option("--margins", help="A match counts by its margin (column margin: the score of a less that of b), not by its winner.")] = False
    length: Annotated[bool, typer.Option("--length", help="Estimate what a doubling of words is worth (columns words_a, words_b).")] = False
    discrimination: Annotated[bool, typer.Option("--discrimination", help="Estimate how sharply each judge tells items apart (column judge).")] = False
    anchor: Annotated[list[str] | None, typer.Option(metavar="ID=RATING", help="An item that is held at its known rating, whose scale all ratings then have. Repeatable.", show_default=False)] = None
    from_best: Annotated[bool, typer.Option("--from-best", help="Lists are read from their best label alone, as Plackett and Luce have it; otherwise by halves from either end.")] = False
    k: Annotated[float, typer.Option("--k", help="Elo's K.")] = 32.0
    start: Annotated[float, typer.Option(help="The Elo to begin with.")] = 1500.0
    json: Annotated[bool, typer.Option("--json", help="JSON on the standard output.")] = False
# fmt: on


def add_verbs(app: typer.Typer) -> None:
    """Adds `inspect`, `read-reply` and `rate`."""
    verb(app, "inspect")(inspect)
    verb(app, "read-reply")(read_one_reply)
    verb(app, "rate")(rate)


def inspect(arguments: InspectArguments) -> int:
    """Show how files are read: texts, ids, encodings, guesses, warnings, and what cannot be used and why.

    \b
    Examples:
      podium inspect essays.csv
      podium inspect essays/ more.zip --json
    """
    from judge_core.intake import ReadOptions
    from judge_core.interfaces.cli.terminal.sources import find_sources, read_sources

    options = ReadOptions(text_column=arguments.text_column, id_column=arguments.id_column)
    sources = find_sources(arguments.paths, options)
    reading = read_sources(sources, options)
    if arguments.json:
        write_json(reading.model_dump())
    else:
        rows = [(a.id, a.title, a.words, a.characters, a.encoding, _guesses(a.guesses)) for a in reading.artifacts]
        show_table(("id", "title", "words", "characters", "encoding", "guessed"), rows, ("words", "characters"))
        for artifact in reading.artifacts:
            for notice in artifact.warnings:
                show(f"{artifact.id}: {notice.message}")
        for problem in reading.problems:
            show(f"{problem.file}: {problem.message}")
    if not reading.artifacts:
        say("Error: No text could be read.")
    return DONE if reading.artifacts else BAD_INPUT


def _guesses(guesses: dict[str, str]) -> str:
    return "; ".join(f"{what}: {guess}" for what, guess in guesses.items())


def read_one_reply(arguments: ReplyArguments) -> int:
    """Show how a judge's raw reply is read, as JSON: scores, winner, ranking or labels, warnings, or why it cannot be read.

    \b
    The exit status is 0 only where the status is "ok".
    \b
    Examples:
      podium read-reply --mode pairwise --criteria criteria.json reply.txt
      podium read-reply --mode pointwise - < reply.txt
      podium read-reply --mode listwise --labels 1,2,3,4 reply.txt
      podium read-reply --mode refine reply.txt
      podium read-reply --mode rag --claims 5 reply.txt
    """
    from judge_core.interfaces.library.options import read_criteria
    from judge_core.modes.shown.read_reply import READERS, read_reply

    if arguments.mode not in READERS:
        raise InputError(f"There is no mode {arguments.mode!r}. Choose from: {', '.join(READERS)}.", field="mode")
    criteria = read_criteria(arguments.criteria).rubric.criteria
    text = _content(arguments.file).decode("utf-8-sig", "replace")
    labels = None if arguments.labels is None else arguments.labels.split(",")
    read = read_reply(arguments.mode, text, criteria, labels=labels, claims=arguments.claims)
    write_json(read)
    return DONE if read["status"] == "ok" else NOT_DONE


def rate(arguments: RateArguments) -> int:
    """Rate recorded matches, or count recorded ballots, without any judge. Files are described in docs/formats.md.

    \b
    Examples:
      podium rate matches.csv
      podium rate matches.csv --method bradley-terry --first-position --json
      podium rate scored.csv --method bradley-terry --margins --anchor E-001=1620
      podium rate ballots.json --method borda
      podium rate ballots.json --method plackett-luce
    """
    from judge_core.interfaces.cli.rating import estimated_words, rated

    result = rated(_content(arguments.file), arguments)
    if arguments.json:
        write_json(result.model_dump())
        return DONE
    if result.scores:
        points = sorted(result.scores.items(), key=lambda item: -item[1])
        show_table(("label", "points"), points, ("points",))
    if result.items or not result.scores:
        _show_items(result)
    if result.winner is not None:
        counted = "" if result.valid_judges is None else f" ({result.valid_judges} ballots)"
        show(f"Winner: {result.winner}{counted}")
    for words in estimated_words(result):
        show(words)
    for held in arguments.anchor or ():
        show(f"Held at its known rating: {held}")
    for notice in result.warnings:
        show(notice.message)
    return DONE


def _show_items(result: RateResult) -> None:
    rows = [
        (row.rank, row.id, _number(row.rating), _number(row.low), _number(row.high), _number(row.elo),
         f"{row.wins}-{row.losses}-{row.ties}", ", ".join(row.tied_with))
        for row in result.items
    ]  # fmt: skip
    header = ("rank", "id", "rating", "low", "high", "elo", "W-L-T", "tied with")
    show_table(header, rows, ("rank", "rating", "low", "high", "elo"))
    if not rows:
        show("There are no matches to rate.")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _content(file: str) -> bytes:
    if file == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or "not a path"
        raise InputError(f"The file {file!r} cannot be read ({cause}).", field="file") from None
