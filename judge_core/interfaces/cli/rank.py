"""The verbs `rank` and `estimate`: one set of options, one way from paths to a spec."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from judge_core.interfaces.cli.terminal.output import counted, money, say, show, write_json
from judge_core.interfaces.cli.terminal.verb import DONE, verb, workbench
from judge_core.records.errors import InputError
from judge_core.records.numbers import typed_number

if TYPE_CHECKING:
    from judge_core.interfaces.library.rank_options import RankOptions
    from judge_core.interfaces.workbench import Workbench
    from judge_core.ranking.schedules.wave import Planned
    from judge_core.records.artifact import Artifact, Reading
    from judge_core.records.spec import Goal, Method, Spec

UNLIKELY: dict[Method, str] = {
    "knockout": "a bracket asks about each text only until it loses.",
    "pointwise": "each text is scored once and compared with none.",
}
"""Methods with an end of their own that rarely settles a goal, and why."""


# fmt: off
@dataclass(frozen=True, kw_only=True)
class RankArguments(TextArguments, RubricArguments, PanelArguments):
    """What `rank` and `estimate` take."""

    task: TaskOption = ""
    method: Annotated[str, typer.Option(help="What is judged next: swiss, adaptive, round-robin, knockout (pairs), listwise (groups in one call) or pointwise (scores).")] = "swiss"
    rounds: Annotated[int | None, typer.Option(help="Each text meets another one, or stands in a list, once a round; else what is usual for the method.", show_default=False)] = None
    until: Annotated[str | None, typer.Option(metavar="GOAL", help="Stop as soon as this is settled: order, top:K or cut:K,K, with @P for the share that is to be right, as expected: top:5@0.95 is 95 % of these 5, and not all 5 with 95 %.", show_default=False)] = None
    keep: Annotated[str | None, typer.Option(help="Swiss: from round 3 on only texts about the cut go on: rank:K or class:K.", show_default=False)] = None
    both_orders: Annotated[bool, typer.Option("--both-orders", help="Ask each pair twice, each text shown first once.")] = False
    order_check: Annotated[bool, typer.Option("--order-check", help="Ask one pair in ten in both orders, to see how often judges change their mind.")] = False
    evidence: Annotated[str, typer.Option(help="What a verdict says: winner, margins (by how much the scores differ), levels (slightly or clearly better) or probabilities (of the judge's own tokens).")] = "winner"
    group_size: Annotated[int, typer.Option(help="Listwise: texts in one call, 3 to 10.")] = 8
    reverse_share: Annotated[float, typer.Option(help="Listwise: the share of lists asked again in reverse, 0 to 1, to measure the favour for early places.")] = 0.1
    scores_first: Annotated[bool, typer.Option("--scores-first", help="Score each text once by itself before the pairs.")] = False
    rematches: Annotated[bool, typer.Option("--rematches", help="Texts may meet again, the other one shown first, once nobody new is left.")] = False
    no_third_place: Annotated[bool, typer.Option("--no-third-place", help="Knockout: no match of the losers of the semi-finals.")] = False
    judges_per_match: Annotated[int | None, typer.Option(metavar="N", help="Of a panel, so many judges for each match, drawn by lot; else all.", show_default=False)] = None
    anchor: Annotated[list[str] | None, typer.Option(metavar="ID=RATING", help="A text whose rating is known and held; may be given more than once.", show_default=False)] = None
    on_error: Annotated[str, typer.Option(help="What a judgment without a verdict does: skip, abort or draw.")] = "skip"
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the ranking to this file, .csv or .xlsx.", show_default=False)] = None
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
      podium rank essays/ --task "..." --method adaptive --until top:5@0.95
      podium rank essays/ --task "..." --method listwise --group-size 8
    """
    from judge_core.interfaces.cli.terminal.watch import tell_before, watch
    from judge_core.interfaces.library.results import FILES, Ranking, check_target, write_whole

    kind = _kind_of(arguments.out)
    if arguments.out is not None:
        check_target(arguments.out)
    with workbench() as bench:
        prepared = _prepared(bench, arguments)
        what, units = f"{len(prepared.spec.texts)} texts", _foreseen(prepared.spec)
        tell_before(bench, prepared.spec, what, prepared.options.concurrency, units)
        for note in prepared.notes:
            say(note)
        bench.keep_texts(prepared.artifacts)
        earlier = bench.unfinished(prepared.spec)
        known = 0 if earlier is None else bench.states.of(earlier).last_seq
        if earlier is not None:
            say(f"This goes on with run {earlier[:8]}, which was not finished; what it has judged is kept.")
        run = bench.start(prepared.spec, concurrency=prepared.options.concurrency)
        ranking, status = watch(bench, run, as_json=arguments.json, known=known)
        assert isinstance(ranking, Ranking)
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
    calls = counted(needed.calls, "call")
    show(f"{_foreseen(prepared.spec)}, {calls}, about {needed.tokens:,} tokens.")
    for part in needed.judges:
        show(f"{part.judge}: {counted(part.calls, 'call')}, {money(part.cost)}.")
    show(f"Together {money(needed.cost)}, about {needed.seconds:,.0f} seconds, repairs and cached replies aside.")
    for note in (*prepared.notes, *problems):
        show(note)
    return DONE


def _foreseen(spec: Spec) -> str:
    """What is judged, in numbers: at most, where a goal may end it sooner, and in both orders, where that takes more calls."""
    from judge_core.ranking.schedules.schedule import planned

    units = units_words(planned(spec))
    twice = " in both orders" if spec.both_orders else " (1 in 10, by lot, in both orders)" if spec.order_check else ""
    return f"{'At most ' if spec.goal else ''}{units}{twice if spec.method not in ('listwise', 'pointwise') else ''}"


def units_words(planned: Planned) -> str:
    """Matches, lists and scores of a schedule, those that it has."""
    kinds = (
        (planned.matches, "match", "matches"),
        (planned.groups, "list", "lists"),
        (planned.singles, "score", "scores"),
    )
    said = [f"{number:,} {one if number == 1 else many}" for number, one, many in kinds if number]
    return ", ".join(said) or "Nothing to judge"


def _kind_of(out: Path | None) -> str:
    kind = "ranked.csv" if out is None else f"ranked{out.suffix.lower()}"
    if kind not in ("ranked.csv", "ranked.xlsx"):
        raise InputError(f"{str(out)!r}: a ranking is written as .csv or .xlsx.", field="out")
    return kind


def _prepared(bench: Workbench, arguments: RankArguments) -> Prepared:
    from judge_core.interfaces.cli.terminal.sources import read_rubric, read_texts
    from judge_core.interfaces.library.rank_options import RankOptions, check_method, rank_spec
    from judge_core.interfaces.workbench import text_refs

    check_method(arguments.method)
    sources, reading = read_texts(arguments)
    _check_number(reading)
    rubric = read_rubric(arguments.criteria, arguments.task, sources)
    if not rubric.question:
        raise InputError(
            "There is no task: say with --task what the texts answer, or put a question into the criteria file.",
            field="task",
        )
    options = RankOptions(
        **panel_options(arguments), method=arguments.method, rounds=arguments.rounds, until=arguments.until,
        keep=arguments.keep, both_orders=arguments.both_orders, order_check=arguments.order_check,
        evidence=arguments.evidence, group_size=arguments.group_size,
        reverse_share=arguments.reverse_share, scores_first=arguments.scores_first,
        rematches=arguments.rematches, third_place=not arguments.no_third_place,
        judges_per_match=arguments.judges_per_match, anchors=_anchors(arguments.anchor or ()),
        on_error=arguments.on_error,
        name=arguments.name or rubric.name or Path(arguments.paths[0]).stem,
    )  # fmt: skip
    spec = rank_spec(bench, text_refs(reading.artifacts), rubric, options)
    return Prepared(spec, reading.artifacts, options, [*_notes(spec)])


def _notes(spec: Spec) -> Iterator[str]:
    """What a person must know before the start, in sentences."""
    from judge_core.ranking.certainty import sentence
    from judge_core.ranking.schedules.swiss import narrowing

    n = len(spec.texts)
    if spec.method == "swiss" and not spec.rematches:
        # with a goal the rounds are a limit, and one out of reach needs no word
        rounds = spec.rounds if spec.goal is None else narrowing.useful_rounds(n, spec.rounds)
        yield from narrowing.notes(n, rounds, spec.narrowing)
    if spec.goal is not None:
        yield from _goal_notes(spec, spec.goal)
    yield sentence(n, spec.rounds, method=spec.method, group_size=spec.group_size, scores_first=spec.warm_start)


def _goal_notes(spec: Spec, goal: Goal) -> Iterator[str]:
    """When a goal stops the run, what is asked at the most, and whether that is likely to be enough."""
    from judge_core.ranking.goals import goal_words
    from judge_core.ranking.schedules.schedule import planned

    asked, n = planned(spec), len(spec.texts)
    every = ", when every two texts have met" if asked.matches == n * (n - 1) // 2 and not spec.rematches else ""
    yield f"Stops as soon as this is settled: {goal_words(goal)}; after {units_words(asked)} at the latest{every}."
    if spec.method in UNLIKELY:
        yield f"It is unlikely to be settled there: {UNLIKELY[spec.method]} --method adaptive asks on about what is open."


def _anchors(given: Sequence[str]) -> dict[str, float]:
    """Known ratings by text id. InputError for one that is not ID=RATING."""
    found = {}
    for one in given:
        id, sign, number = one.rpartition("=")
        rating = typed_number(number)
        if not sign or not id or rating is None:
            raise InputError(f"{one[:60]!r} is no anchor. Write ID=RATING, e.g. essay3.txt=1560.", field="anchor")
        if id in found:
            raise InputError(f"{id[:60]!r} is given two anchors. Give one --anchor for each text.", field="anchor")
        found[id] = rating
    return found


def _check_number(reading: Reading) -> None:
    count = len(reading.artifacts)
    if count < 2:
        there = f"only one, {reading.artifacts[0].id!r}" if count else "none that can be read"
        raise InputError(f"A ranking needs at least two texts; there is {there}.", field="paths")
