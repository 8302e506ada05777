"""What a report's ranking rests on: question, criteria, judges, method; and what it took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_core.ranking.goals import goal_words
from judge_core.records.criteria import Criterion
from judge_core.records.spec import JudgeSpec, Method
from judge_core.views.evidence import declared
from judge_core.views.exports.report.lines import counted, one_line, wrapped
from judge_core.views.exports.shares import judge_label
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

METHODS: Mapping[Method, str] = {
    "swiss": "Swiss rounds: in each round texts of like standing meet.",
    "adaptive": "Adaptive: the pairs that tell most are asked next.",
    "round-robin": "Round robin: every two texts meet.",
    "knockout": "Knockout: who loses is out.",
    "listwise": "Lists: several texts are ranked in one call.",
    "pointwise": "Scores: each text is scored by itself.",
}
FEWEST_CENTS = 0.01


def question_lines(state: RunState) -> list[str]:
    """What the texts answer."""
    return wrapped(state.spec.rubric.question or "No question was given.", "  ")


def criteria_lines(state: RunState, table: Standings) -> Iterator[str]:
    """Each criterion with its weight, scale and description."""
    together = sum(table.weights.values()) or 1.0
    for criterion in state.spec.rubric.criteria:
        yield from wrapped(_criterion(criterion, table.weights.get(criterion.name, 0.0) / together), "  ", "    ")


def _criterion(criterion: Criterion, share: float) -> str:
    described = f": {criterion.description}" if criterion.description else ""
    return f"{criterion.name} (weight {share:.0%}, {criterion.scale_min:g} to {criterion.scale_max:g}){described}"


def judge_lines(state: RunState) -> Iterator[str]:
    """Each judge by name."""
    for judge in state.spec.judges:
        label = f" ({words[0].lower()}{words[1:]})" if (words := "".join(judge_label(judge))) else ""
        yield from wrapped(f"{judge.name}{label}, {_temperature(judge)}", "  ", "    ")


def _temperature(judge: JudgeSpec) -> str:
    return "its own temperature" if judge.temperature is None else f"temperature {judge.temperature:g}"


def method_lines(state: RunState, table: Standings) -> Iterator[str]:
    """How it was decided who meets whom, how a verdict counts, and when to stop."""
    spec = state.spec
    said = [METHODS[spec.method]]
    if state.matches:
        orders = "each asked in both orders" if spec.both_orders else "each asked in one order"
        if spec.order_check:
            orders = "one in ten, by lot, asked in both orders"
        said.append(f"{counted(len(state.matches), 'match', 'matches')}, {orders}.")
    if state.listings:
        said.append(f"{counted(len(state.listings), 'list or single text', 'lists or single texts')} judged.")
    if spec.evidence != "winner" and state.matches:
        said.append(f"Rated {declared(state, table.basis).words}.")
    if state.goal is not None:
        said.append(f"To be settled: {goal_words(state.goal)}.")
    for words in said:
        yield from wrapped(words, "  ")


def spent_line(state: RunState) -> str:
    """Calls and money in plain words."""
    spent = state.spent
    cost = spent.cost.exact
    price = "of unknown price" if cost is None else f"for {dollars_words(cost)}"
    cached = f"; {counted(spent.cached, 'reply', 'replies')} came from the cache at no cost" if spent.cached else ""
    return one_line(f"{counted(spent.calls, 'call')} {price}{cached}.")


def dollars_words(cost: float | None) -> str:
    """US dollars; an unknown cost is never 0.

    >>> dollars_words(0.0), dollars_words(0.00042), dollars_words(None)
    ('$0.00', '$0.0004', 'price unknown')
    """
    if cost is None:
        return "price unknown"
    return f"${cost:,.4f}" if 0 < cost < FEWEST_CENTS else f"${cost:,.2f}"
