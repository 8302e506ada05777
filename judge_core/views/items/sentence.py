"""The verdict on a run of items in a sentence, and the remarks beside it. Items by alias or label; no words out of any text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from judge_core.records.item import Item
from judge_core.records.spec import ItemMode
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.agent import agent_panel
from judge_core.views.items.verdicts.lists import list_panel
from judge_core.views.items.verdicts.points import GateDecision, Why, gate_decision, point_panel
from judge_core.views.items.verdicts.summary import Figure, Summary, summary
from judge_core.views.sentence import NAMED, Verdict

Labels = Mapping[str, str]
NOUNS: dict[ItemMode, str] = {
    "review": "text",
    "gate": "text",
    "listwise": "list",
    "rag": "answer",
    "agent": "run",
}
REASONS: dict[Why, str] = {
    "passed": "passed",
    "below_bar": "below the bar",
    "rejected": "rejected by a judge",
    "hedged": "passed only under a condition, which is no pass",
    "no_verdict": "no verdict",
    "judge_missing": "a judge's verdict is missing",
}


def item_verdict(state: ItemState, labels: Labels | None = None) -> Verdict:
    """The verdict on a run so far. `labels` replaces aliases where names may be shown."""
    return Verdict(_sentence(state, labels or {}), tuple(_remarks(state)))


def _sentence(state: ItemState, labels: Labels) -> str:
    whole = summary(state)
    if not whole.judged:
        return _nothing_judged(state)
    return ("So far, " if state.running else "") + SENTENCES[state.spec.mode](state, whole, labels)


def _nothing_judged(state: ItemState) -> str:
    lost = state.ledger["unparseable"] + state.ledger["failed"]
    if lost:
        return f"There is no verdict: {counted(lost, 'judgment')} failed or could not be read, and none succeeded."
    noun = NOUNS[state.spec.mode]
    return f"No {noun} has been judged yet." if state.running else f"There is no verdict: no {noun} was judged."


def _review(state: ItemState, whole: Summary, labels: Labels) -> str:
    figure = whole.figure("score", "score")
    known = [(panel.score5, item.alias) for item in state.spec.items if (panel := point_panel(state, item.alias))]
    opening = f"{whole.judged} of {counted(whole.items, 'text')} {'has' if whole.judged == 1 else 'have'} a score"
    best, worst = max(known, key=lambda pair: pair[0]), min(known, key=lambda pair: pair[0])
    words = f"{opening}; the mean is {_mean(figure)} on a scale of 1 to 5."
    if best[0] - worst[0] <= 1e-9:
        return words
    return f"{words} Highest: {_name(best[1], labels)} ({best[0]:.2f}); lowest: {_name(worst[1], labels)} ({worst[0]:.2f})."


def _gate(state: ItemState, whole: Summary, labels: Labels) -> str:
    decisions = {item.alias: gate_decision(state, item.alias) for item in state.spec.items}
    asked = {alias: decision for alias, decision in decisions.items() if alias in state.items}
    failing = [alias for alias, decision in asked.items() if not decision.passed]
    passed = len(asked) - len(failing)
    verb = "passes" if passed == 1 else "pass"
    words = f"{passed} of {counted(whole.items, 'text')} {verb} the bar of {state.spec.bar:g}."
    if failing:
        shown = [f"{_name(alias, labels)} ({_reason(decisions[alias], state.spec.bar)})" for alias in failing[:NAMED]]
        words += f" {len(failing)} {'does' if len(failing) == 1 else 'do'} not: {_listed(shown, len(failing))}."
    unasked = whole.items - len(asked)
    if unasked:
        words += f" {unasked} {'was' if unasked == 1 else 'were'} not judged{' yet' if state.running else ''}."
    return words


def _reason(decision: GateDecision, bar: float) -> str:
    words = REASONS[decision.why]
    if decision.why == "below_bar" and decision.score5 is not None:
        return f"{words}: {below(decision.score5, bar)}"
    return words


def below(score: float, bar: float) -> str:
    """A score below a bar with as many decimals as it takes to look so.

    >>> below(2.9, 3.5), below(3.4996, 3.5)
    ('2.90', '3.4996')
    """
    digits = next((d for d in range(2, 12) if round(score, d) < bar), 12)
    return f"{score:.{digits}f}"


def _listwise(state: ItemState, whole: Summary, labels: Labels) -> str:
    panels = {item.alias: panel for item in state.spec.items if (panel := list_panel(state, item.alias))}
    words = f"{len(panels)} of {counted(whole.items, 'list')} {'is' if len(panels) == 1 else 'are'} ranked."
    if whole.items == 1:
        [(alias, panel)] = panels.items()
        numbers = [number for number in panel.ranking if panel.places[number - 1] == 1]
        together = " together" if len(numbers) > 1 else ""
        best = f"{_candidates(state.spec.by_alias[alias], numbers, labels)} {'come' if together else 'comes'}"
        words = f"{best} first of {len(panel.positions)}{together}."
        words = (
            words.replace("candidate", "Candidate", 1) if words.startswith("candidate") and not state.running else words
        )
    agreement = whole.figure("agreement", "agreement")
    if agreement.mean is None:
        return words
    over = f" over {counted(agreement.n, 'list')}" if whole.items > 1 else ""
    return f"{words} The judges' agreement (Kendall's W) is {_mean(agreement)}{over}."


def _rag(state: ItemState, whole: Summary, labels: Labels) -> str:
    figure = whole.figure("faithfulness")
    opening = f"{whole.judged} of {counted(whole.items, 'answer')} {'is' if whole.judged == 1 else 'are'} judged"
    if figure.mean is None:
        return f"{opening}, and none makes a claim that could be measured."
    counts = whole.counts
    disputed = f", {counts['disputed']} disputed" if counts["disputed"] else ""
    return (
        f"{opening}; the mean faithfulness is {_mean(figure)} over {counted(figure.n, 'answer')}. "
        f"Of {counted(sum(counts[n] for n in ('supported', 'contradicted', 'not_found', 'disputed')), 'claim')}, "
        f"{counts['supported']} supported, {counts['contradicted']} contradicted, {counts['not_found']} not found{disputed}."
    )


def _agent(state: ItemState, whole: Summary, labels: Labels) -> str:
    counts = whole.counts
    words = f"{counts['achieved']} of {counted(whole.judged, 'judged run')} reached the goal"
    rest = ((counts["partly"], "in part"), (counts["not_achieved"], "not"), (counts["disputed"], "disputed"))
    words += "".join(f", {number} {word}" for number, word in rest if number) + "."
    harmful = sum(
        step.label == "harmful"
        for item in state.spec.items
        if (panel := agent_panel(state, item.alias))
        for step in panel.steps
    )
    return f"{words} {counted(harmful, 'step')} did harm." if harmful else words


SENTENCES: dict[ItemMode, Callable[[ItemState, Summary, Labels], str]] = {
    "review": _review,
    "gate": _gate,
    "listwise": _listwise,
    "rag": _rag,
    "agent": _agent,
}


def _mean(figure: Figure) -> str:
    if figure.mean is None:
        return "unknown"
    if figure.low is None or figure.high is None:
        return f"{figure.mean:.2f}"
    return f"{figure.mean:.2f} (95 % interval {figure.low:.2f} to {figure.high:.2f})"


def _candidates(item: Item, numbers: list[int], labels: Labels) -> str:
    """Candidates by name where names may be shown and they have one, else by number."""
    names = [part.name for part in item.of("candidate")] if item.alias in labels else []
    if all(number <= len(names) and names[number - 1] for number in numbers):
        return _listed([names[number - 1] for number in numbers], len(numbers))
    listed = _listed([str(number) for number in numbers], len(numbers))
    return f"candidate{'s' if len(numbers) > 1 else ''} {listed}"


def _name(alias: str, labels: Labels) -> str:
    return labels.get(alias, alias)


def _listed(names: list[str], of: int) -> str:
    more = [f"{of - len(names)} more"] if of > len(names) else []
    names = [*names, *more]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "text"), counted(2, "text")
    ('1 text', '2 texts')
    """
    return f"{number} {noun if number == 1 else noun + 's'}"


def _remarks(state: ItemState) -> Iterator[str]:
    yield from _judge_remarks(state)
    yield from _ending_remarks(state)
    yield from _loss_remarks(state)
    if state.spec.mode == "agent":
        yield from _agent_remarks(state)


def _judge_remarks(state: ItemState) -> Iterator[str]:
    demo, judges = sum(judge.provider == "offline" for judge in state.spec.judges), len(state.spec.judges)
    if demo == judges:
        yield "Offline demo judge, not an LLM: this shows how the product works and says nothing about the texts."
    elif demo == 1:
        yield f"1 of the {judges} judges is an offline demo judge, not an LLM."
    elif demo:
        yield f"{demo} of the {judges} judges are offline demo judges, not LLMs."


def _ending_remarks(state: ItemState) -> Iterator[str]:
    ledger, planned = state.ledger, state.planned_judgments
    match state.status:
        case "budget":
            yield f"The run stopped at its cap: {ledger['held']} of {planned} judgments were not made."
        case "cancelled":
            yield f"The run was cancelled: {ledger['cancelled']} of {planned} judgments were not made."
        case "failed" | "paused":
            word = "failed" if state.status == "failed" else "is paused"
            yield f"The run {word}: {ledger['waiting']} of {planned} judgments are still to be made."


def _loss_remarks(state: ItemState) -> Iterator[str]:
    planned = state.planned_judgments
    if unread := state.ledger["unparseable"]:
        yield f"{unread} of {planned} judgments could not be read; they count for nothing."
    if failed := state.ledger["failed"]:
        yield f"{failed} of {planned} judgments failed; they count for nothing."
    made = [judgment for view in state.items.values() for judgment in view.decided]
    swapped = sum(any(turn.answered_by for turn in judgment.turns) for judgment in made)
    if swapped:
        yield f"{counted(swapped, 'judgment')} came from another judge in place of the chosen one, which could not answer."


def _agent_remarks(state: ItemState) -> Iterator[str]:
    """How the judges' word stands to an outside check, where the data has one."""
    checked = [
        (item.success, panel.goal)
        for item in state.spec.items
        if item.success is not None and (panel := agent_panel(state, item.alias))
    ]
    if checked:
        agreeing = sum(
            goal == "achieved" if success else goal in ("partly", "not_achieved") for success, goal in checked
        )
        yield f"The judges agree with the outside check on {agreeing} of {counted(len(checked), 'run')}."
