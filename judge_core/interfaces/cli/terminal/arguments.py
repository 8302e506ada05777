"""Arguments that several verbs share: which texts, and which judges under which limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

JUDGES = (
    "offline, openai:MODEL, groq:MODEL, minimax:MODEL, ollama:MODEL, local:FILE.gguf, cli:claude or https://host/v1#MODEL; "
    "several make a panel. Default: offline."
)
TaskOption = Annotated[
    str,
    typer.Option(
        "--task",
        "-t",
        help="The question or task that the texts answer. May be left out where the criteria file has one.",
    ),
]


# fmt: off
@dataclass(frozen=True, kw_only=True)
class TextArguments:
    """Which texts are judged."""

    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders, or a CSV or zip of texts.", show_default=False)]
    text_column: Annotated[str | None, typer.Option(help="The column of a table that holds the text.", show_default=False)] = None
    id_column: Annotated[str | None, typer.Option(help="The column of a table that holds the id.", show_default=False)] = None


@dataclass(frozen=True, kw_only=True)
class RubricArguments:
    """What is judged by."""

    criteria: Annotated[str | None, typer.Option("--criteria", "-c", help="A file (.json, .csv, .xlsx, .docx) or a preset's name. Default: criteria.json in the folder, else one criterion 'Overall', 0 to 10.", show_default=False)] = None


@dataclass(frozen=True, kw_only=True)
class PanelArguments:
    """Who judges, and how much it may take."""

    judge: Annotated[list[str] | None, typer.Option("--judge", "-j", help=JUDGES, show_default=False)] = None
    temperature: Annotated[float, typer.Option(help="Replies at 0 are kept for later runs.")] = 0.0
    max_tokens: Annotated[int | None, typer.Option(help="The longest reply, in tokens.", show_default=False)] = None
    timeout: Annotated[float | None, typer.Option(help="Seconds to wait for a reply.", show_default=False)] = None
    max_cost: Annotated[float | None, typer.Option(help="Stop before this many US dollars are spent.", show_default=False)] = None
    max_calls: Annotated[int | None, typer.Option(help="Stop before this many calls are made.", show_default=False)] = None
    concurrency: Annotated[int | None, typer.Option(help="Calls at the same time. Default: PODIUM_CONCURRENCY, else 8.", show_default=False)] = None
    seed: Annotated[int, typer.Option(help="Decides all that is drawn at random.")] = 0
    name: Annotated[str, typer.Option(help="What the run is called in lists.", show_default=False)] = ""
    json: Annotated[bool, typer.Option("--json", help="Lines of JSON on the standard output.")] = False
# fmt: on


def panel_options(arguments: PanelArguments) -> dict[str, Any]:
    """The fields of `RunOptions` that the arguments set, the name aside."""
    return {
        "judges": tuple(arguments.judge or ("offline",)), "temperature": arguments.temperature,
        "max_tokens": arguments.max_tokens, "timeout_s": arguments.timeout, "max_cost": arguments.max_cost,
        "max_calls": arguments.max_calls, "concurrency": arguments.concurrency, "seed": arguments.seed,
    }  # fmt: skip
