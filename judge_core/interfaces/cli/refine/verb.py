"""The verb `refine`: a text is challenged pass by pass until judges keep the one that stands."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judge_core.interfaces.cli.terminal.arguments import PanelArguments, RubricArguments, panel_options
from judge_core.interfaces.cli.terminal.output import counted, say, show
from judge_core.interfaces.cli.terminal.verb import verb, workbench

if TYPE_CHECKING:
    from judge_core.interfaces.library.refine.options import RefineOptions
    from judge_core.interfaces.library.refine.result import Refinement
    from judge_core.interfaces.workbench import Workbench
    from judge_core.records.artifact import Artifact
    from judge_core.records.criteria import Rubric
    from judge_core.records.spec import RefineSpec

STEPS = 3
"""Critic, author and synthesizer: a call each in every pass."""


# fmt: off
@dataclass(frozen=True, kw_only=True)
class RefineArguments(RubricArguments, PanelArguments):
    """What `refine` takes."""

    file: Annotated[str, typer.Argument(metavar="FILE", help="A file with one text: .txt, .md, .docx, .pdf.", show_default=False)]
    task: Annotated[str, typer.Option("--task", "-t", help="What the text is for. Default: FILE.spec.md beside it, else the criteria's question, else its first main heading, else 'Improve this text.'", show_default=False)] = ""
    preset: Annotated[str, typer.Option(help="Judges, wins in a row and passes: quick 1/1/3, standard 3/2/10, thorough 5/2/15.")] = "standard"
    judges: Annotated[int | None, typer.Option("--judges", metavar="N", help="How many judges rank; those named take the seats in turn.", show_default=False)] = None
    role: Annotated[list[str] | None, typer.Option("--role", metavar="ROLE[:WEIGHT]", help="A judge's special role, a seat each: critic, reviewer, test_engineer, domain_expert, explorer, minimality.", show_default=False)] = None
    critic: Annotated[str | None, typer.Option(help="Who finds the problems. Default: the first judge.", show_default=False)] = None
    author: Annotated[str | None, typer.Option(help="Who revises the text. Default: the first judge.", show_default=False)] = None
    synthesizer: Annotated[str | None, typer.Option(help="Who merges both versions. Default: the first judge.", show_default=False)] = None
    author_temperature: Annotated[float | None, typer.Option(help="The author's own; above 0 its replies are not kept for later runs.", show_default=False)] = None
    voting: Annotated[str, typer.Option(help="borda (points), or veto (a version that a judge has last is out).")] = "borda"
    veto_threshold: Annotated[int, typer.Option(help="Veto: how many judges must have a version last.")] = 1
    k: Annotated[int | None, typer.Option("--k", help="Wins in a row by which the incumbent has converged.", show_default=False)] = None
    max_rounds: Annotated[int | None, typer.Option(help="Passes, at the most.", show_default=False)] = None
    longest: Annotated[float | None, typer.Option(help="A winner more than so many times as long as the incumbent gives way, e.g. 1.5.", show_default=False)] = None
    score_window: Annotated[int | None, typer.Option(help="Stop where over so many passes the points hardly move.", show_default=False)] = None
    winner_window: Annotated[int | None, typer.Option(help="Stop where the same challenger wins so many passes in a row.", show_default=False)] = None
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write every version, critique and result into this folder, pass by pass.", show_default=False)] = None
# fmt: on


def add_verbs(app: typer.Typer) -> None:
    """Adds the verb."""
    verb(app, "refine")(refine)


def refine(arguments: RefineArguments) -> int:
    """Improve a text: a critic, an author and a synthesizer challenge it, judges decide, until it stands.

    Without --out the final text is written to the standard output, and all else to the error stream.

    \b
    Examples:
      podium refine plan.md --out plan-refined
      podium refine essay.docx --task "Persuade the school board." --preset thorough --judge openai:gpt-4.1-mini
      podium refine plan.md --voting veto --role reviewer --role domain_expert --role minimality:0.5
    """
    from judge_core.interfaces.bench.refinement import first_version
    from judge_core.interfaces.cli.terminal.sources import one_text, read_rubric
    from judge_core.interfaces.cli.terminal.watch import attend, close
    from judge_core.interfaces.library.refine.folder import check_folder
    from judge_core.interfaces.library.refine.options import refine_spec, task_beside, text_ref, with_task
    from judge_core.interfaces.library.refine.result import Refinement, keep_folder

    artifact = first_version(one_text(arguments.file))
    rubric = with_task(
        read_rubric(arguments.criteria, ""), arguments.task, artifact.text, task_beside(Path(arguments.file))
    )
    if arguments.out is not None:
        check_folder(arguments.out, artifact.sha256)
    with workbench() as bench:
        options = _options(arguments)
        spec = refine_spec(bench, text_ref(artifact), rubric, options)
        _tell_before(bench, spec, artifact, rubric, arguments.concurrency)
        bench.keep_texts([artifact])
        run = bench.start(spec, concurrency=arguments.concurrency)
        results, trouble = attend(bench, run, as_json=arguments.json, also=keep_folder(bench, run, arguments.out))
        assert isinstance(results, Refinement)
        if not arguments.json:
            _tell_end(results, arguments.out)
        return close(results, trouble)


def _options(arguments: RefineArguments) -> RefineOptions:
    from judge_core.interfaces.library.refine.options import RefineOptions

    return RefineOptions(
        **panel_options(arguments), name=arguments.name or Path(arguments.file).absolute().stem, preset=arguments.preset,
        num_judges=arguments.judges, roles=tuple(arguments.role or ()), critic=arguments.critic,
        author=arguments.author, synthesizer=arguments.synthesizer, author_temperature=arguments.author_temperature,
        voting=arguments.voting, veto_threshold=arguments.veto_threshold, k=arguments.k,
        max_rounds=arguments.max_rounds, longest=arguments.longest, score_window=arguments.score_window,
        winner_window=arguments.winner_window,
    )  # fmt: skip


def _tell_before(
    bench: Workbench, spec: RefineSpec, artifact: Artifact, rubric: Rubric, concurrency: int | None
) -> None:
    """Says what the text is for, who is asked, and what it takes at the most."""
    from judge_core.interfaces.cli.terminal.watch import tell_before

    say(f"Task: {' '.join(rubric.question.split())[:200]}")
    tell_before(bench, spec, f"A text of {counted(artifact.words, 'word')}", concurrency)
    judges, stopping = len(spec.panel), spec.stopping
    say(
        f"That is {STEPS} + {judges} calls a pass and {counted(stopping.max_rounds, 'pass')} at the most; "
        f"it ends sooner, where the text wins {stopping.k} in a row."
    )


def _tell_end(results: Refinement, out: Path | None) -> None:
    """The end in words; the final text where it stands in no folder."""
    from judge_core.interfaces.cli.terminal.showing import spent_words

    tell = say if out is None else show
    if out is None:
        write_text(results.final)
    tell(results.sentence)
    tell(f"{spent_words(results.state)}. Run: {results.run_id}")
    if out is not None:
        tell(f"Written: {out}")


def write_text(text: str) -> None:
    """A text on the standard output: to a file or a program as it is, to a terminal without what might steer it."""
    if sys.stdout.isatty():
        show(text.expandtabs(4))
        return
    typer.echo(text.encode("utf-8", "replace") + b"\n", nl=False)
