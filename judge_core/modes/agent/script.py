"""One judge's questions about an agent's run: the labels of all its steps and, where it was chosen, its patterns.

Both are asked at the same time. The verdict rests on the labels alone: where the answer about patterns is missing, the
verdict stands, with a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from judge_core.modes.agent.reading import AgentReading, PatternsReading, read_agent, read_patterns
from judge_core.modes.asking.dialogue import Opinion, Script, Step
from judge_core.modes.pairs.cautions import quote_notices
from judge_core.records.item import Item, Pattern
from judge_core.records.item_verdict import AgentVerdict
from judge_core.records.prompt import Ask, AskMode
from judge_core.records.record import Notice
from judge_core.records.spec import ItemSpec
from judge_core.scoring.trajectory.bounds import check_trajectory as check_trajectory
from judge_core.scoring.trajectory.corrections import pattern_notice
from judge_core.scoring.trajectory.metrics import agent_metrics
from judge_core.scoring.trajectory.patterns import DEFAULTS

NO_PATTERNS = "The judge gave no readable answer about patterns; only those that the rules found are known."
Labels = Step[AgentReading]
Patterns = Step[PatternsReading]


def agent_script(judge: int, item: Item, spec: ItemSpec, replicate: int, words: Mapping[str, str]) -> Script[Opinion]:
    """One judge's labels and, with `classify_patterns` and at least three steps, the patterns that it sees.

    No verdict where the labels could not be read. `words` are used only to check quotes.
    """
    steps = item.of("step")
    calling = frozenset(number for number, step in enumerate(steps, start=1) if step.call)
    labels: Labels = Step(_ask("agent", judge, item, replicate), "labels", partial(_labels, len(steps), calling))
    classified: list[Patterns] = []
    if spec.classify_patterns and len(steps) >= DEFAULTS.ml_min_events:
        read = partial(_patterns, len(steps))
        classified.append(Step(_ask("agent_patterns", judge, item, replicate), "patterns", read))
    yield [labels, *classified]
    if labels.reading is None:
        return Opinion(None)
    return _opinion(labels.reading, classified, item, words)


def _ask(mode: AskMode, judge: int, item: Item, replicate: int) -> Ask:
    parts = (*item.of("goal"), *item.of("policy"), *item.of("step"))
    return Ask(
        judge=judge,
        mode=mode,
        texts=tuple(part.sha256 for part in parts),
        roles=tuple(part.role for part in parts),
        replicate=replicate,
    )


def _labels(steps: int, calling: frozenset[int], text: str, finish_reason: str | None) -> AgentReading:
    return read_agent(text, steps, finish_reason, calling)


def _patterns(steps: int, text: str, finish_reason: str | None) -> PatternsReading:
    return read_patterns(text, steps, finish_reason)


def _opinion(reading: AgentReading, classified: list[Patterns], item: Item, words: Mapping[str, str]) -> Opinion:
    found = [step.reading for step in classified]
    sure = tuple(pattern for read in found if read for pattern in read.patterns if _sure(pattern))
    verdict = AgentVerdict(
        goal=reading.goal, steps=reading.steps, patterns=sure, metrics=agent_metrics(reading.goal, reading.steps)
    )
    warnings = [*reading.warnings, *(notice for read in found if read for notice in read.warnings)]
    if None in found:
        warnings.append(Notice(code="part_missing", message=NO_PATTERNS))
    warnings += [pattern_notice(pattern, " to the judge") for pattern in sure]
    return Opinion(verdict, (*warnings, *_quote_warnings(reading, item, words)))


def _sure(pattern: Pattern) -> bool:
    return pattern.confidence >= DEFAULTS.ml_threshold


def _quote_warnings(reading: AgentReading, item: Item, words: Mapping[str, str]) -> Iterator[Notice]:
    """Quotes may be from anywhere in the run; they are not checked where a part of it is erased."""
    texts = [words.get(part.sha256) for part in item.parts]
    known = [text for text in texts if text is not None]
    if reading.quotes and len(known) == len(texts):
        run = "\n\n".join(known)
        yield from quote_notices(("the run", run, quote) for quote in reading.quotes)
