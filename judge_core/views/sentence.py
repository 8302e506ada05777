"""The verdict in a sentence, and the remarks that belong beside it. Names by alias; no words out of any text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.bradley_terry.likelihood.units import MARGINS_NEEDED, SCORES_NEEDED
from judge_core.ranking.bradley_terry.posterior import POINTS_PER_LOGIT
from judge_core.ranking.goals import certainty, goal_words
from judge_core.views.chances import best_chance, standing
from judge_core.views.evidence import Basis, declared
from judge_core.views.matches import LOST
from judge_core.views.meetings import pairs_left
from judge_core.views.standings import Standing, Standings
from judge_core.views.state import RunState

NAMED = 4
"""So many texts are named in a sentence; of more, the number is said."""
LONGEST_NAME = 40
"""Characters of a judge's name."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What stands first on the page of a run."""

    sentence: str
    remarks: tuple[str, ...] = ()
    """Cautions in plain words, the weightiest first."""

    @property
    def text(self) -> str:
        """Sentence and remarks in one."""
        return " ".join((self.sentence, *self.remarks))


def verdict(state: RunState, table: Standings, labels: Mapping[str, str] | None = None) -> Verdict:
    """The verdict on a run so far. `labels` replaces aliases where names may be shown."""
    return Verdict(_sentence(state, table, labels or {}), tuple(_remarks(state, table)))


def _sentence(state: RunState, table: Standings, labels: Mapping[str, str]) -> str:
    if not state.spec.texts:
        return "There are no texts to rank. Add at least two."
    if len(state.spec.texts) == 1:
        return "There is only one text, so there is nothing to compare it with. Add at least one more."
    if not table.rated:
        return _nothing_rated(state)
    opening = "So far, " if state.running else ""
    return opening + (_pair(state, table, labels) if _is_pair(state) else _outcome(table, labels))


def _is_pair(state: RunState) -> bool:
    """Whether the run is one comparison and nothing more: no rating is needed to say who won it."""
    return len(state.spec.texts) == 2 and len(state.matches) == 1 and not state.listings


def _pair(state: RunState, table: Standings, labels: Mapping[str, str]) -> str:
    [view] = state.matches.values()
    decided = [judgment for judgment in view.judgments if judgment.decided]
    first, second = table.rated
    if first.wins == second.wins:
        return f"{_names([first, second], labels)} are level in this comparison."
    panel = f", by {_count(len(decided), 'judge')}" if len(decided) > 1 else ""
    return f"{_names([first], labels)} is the better one in this comparison{panel}."


def _nothing_rated(state: RunState) -> str:
    lost = _lost(state)
    if lost:
        return f"There is no ranking: {_count(lost, 'judgment')} failed or could not be read, and none succeeded."
    if unchosen := unchosen_words(state):
        return f"There is no ranking by overall choice: {unchosen}."
    return "No text has been compared yet." if state.running else "There is no ranking: no text was compared."


def _outcome(table: Standings, labels: Mapping[str, str]) -> str:
    basis = f"on {'this' if table.comparisons == 1 else 'these'} {rested_on(table)}"
    rated = table.rated
    kept = [row for row in table.rows if row.group == "kept"]
    if kept and all(row.rank is None for row in kept):
        verb = "is the text" if len(kept) == 1 else f"are the {len(kept)} texts"
        return f"{_names(kept, labels, NAMED * 3)} {verb} kept, in no order, {basis}.{_border(table)}"
    if all(len(row.tied_with) >= len(rated) - 1 for row in rated):
        if level := _level(rated):
            return f"{_names(level, labels)} are level, and too little is known to tell any two texts apart {basis}."
        return f"{_leads(table, labels)}, but too little is known to tell any two texts apart {basis}."
    return _leader(table, labels, basis)


def rested_on(table: Standings) -> str:
    """What the ratings rest on, by kind."""
    pairs = table.comparisons - table.rankings - table.scores
    kinds = ((pairs, "comparison"), (table.rankings, "ranked list"), (table.scores, "score"))
    said = [_count(number, noun) for number, noun in kinds if number]
    return " and ".join(said) or _count(0, "comparison")


def _level(rated: Sequence[Standing]) -> list[Standing]:
    """The texts that share the highest rating; none where one has it alone."""
    first = [row for row in rated if row.rank is not None and row.rank == rated[0].rank]
    return first if len(first) > 1 else []


def _leads(table: Standings, labels: Mapping[str, str]) -> str:
    """Who leads, and how likely it is the best."""
    top, chance = table.rated[0], best_chance(table, table.rated[0].alias)
    unknown = any(row.rating is None and row.status != "withdrawn" for row in table.rows)
    best = "the best of those compared" if unknown else "the best"
    sure = "" if chance is None else f" (by these verdicts {_likely(chance)} likely {best})"
    return f"{_names([top], labels)} leads{sure}"


def _likely(chance: float) -> str:
    """A chance in percent; never one that says certain.

    >>> _likely(0.654), _likely(0.999), _likely(0.001)
    ('65 %', 'more than 99 %', 'less than 1 %')
    """
    return "more than 99 %" if chance > 0.99 else "less than 1 %" if chance < 0.01 else f"{100 * chance:.0f} %"


def _leader(table: Standings, labels: Mapping[str, str], basis: str) -> str:
    rated, top = table.rated, table.rated[0]
    if not top.tied_with:
        rest = _names(rated[1:], labels) if len(rated) == 2 else "the rest"
        return f"{_names([top], labels)} is ahead of {rest} {basis}."
    group = [row for row in rated if row is top or row.alias in top.tied_with]
    behind, level = len(rated) - len(group), bool(_level(rated))
    verb = "is" if behind == 1 else "are"
    tail = f"; {_count(behind, 'text')} {verb} behind {'them' if level else 'it'}" if behind else ""
    if level:
        return f"{_names(group, labels)} cannot be separated {basis}{tail}."
    return f"{_leads(table, labels)}, but cannot be told from {_names(group[1:], labels)} {basis}{tail}."


def _border(table: Standings) -> str:
    out = {row.alias for row in table.rows if row.group == "out"}
    unsure = sum(any(alias in out for alias in row.tied_with) for row in table.rows if row.group == "kept")
    return f" {unsure} of them cannot be separated from texts left out." if unsure else ""


def _names(rows: Sequence[Standing], labels: Mapping[str, str], most: int = NAMED) -> str:
    names = [labels.get(row.alias, row.alias) + (" (anchor)" if row.anchor is not None else "") for row in rows[:most]]
    more = len(rows) - len(names)
    if more:
        names.append(f"{more} more")
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def _lost(state: RunState) -> int:
    """Judgments without a verdict, those that the draw policy counts left out."""
    of_matches = sum(j.outcome in LOST and j.result is None for m in state.matches.values() for j in m.judgments)
    return of_matches + sum(not j.decided for view in state.listings.values() for j in view.judgments)


def unchosen_words(state: RunState) -> str:
    """In how many judgments no overall choice was made, where a run is ranked by it; '' where in none."""
    silent = state.ledger.get("unchosen", 0)
    return f"in {_count(silent, 'judgment')} the judge made no overall choice" if silent else ""


def _remarks(state: RunState, table: Standings) -> Iterator[str]:
    yield from _judge_remarks(state)
    yield from _ending_remarks(state)
    yield from _goal_remarks(state, table)
    yield from _loss_remarks(state, table)
    yield from _basis_remarks(state, table)
    if table.rated and not _is_pair(state):
        yield from _certainty_remarks(table)


def _judge_remarks(state: RunState) -> Iterator[str]:
    demo = sum(judge.provider == "offline" for judge in state.spec.judges)
    if demo == len(state.spec.judges):
        yield "Offline demo judge, not an LLM: this shows how the product works and says nothing about the texts."
    elif demo:
        yield f"{demo} of the {len(state.spec.judges)} judges is an offline demo judge, not an LLM."


def _ending_remarks(state: RunState) -> Iterator[str]:
    ledger, planned = state.ledger, state.planned_judgments
    if state.status == "budget":
        yield f"The run stopped at its cap: {ledger['held']} of {planned} judgments were not made."
    if state.status == "cancelled":
        yield f"The run was cancelled: {ledger['cancelled']} of {planned} judgments were not made."
    if state.status in ("failed", "paused"):
        word = "failed" if state.status == "failed" else "is paused"
        yield f"The run {word}: {ledger['waiting']} of {planned} judgments are still to be made."


def _goal_remarks(state: RunState, table: Standings) -> Iterator[str]:
    if state.goal is None:
        return
    words = goal_words(state.goal)
    if state.reached is not None:
        yield f"Settled: {words} (certainty {state.reached.certainty:.0%})."
    elif not state.running and state.judged:
        posterior = standing(state, table)
        now = "" if posterior is None else f" (certainty now {certainty(state.goal, posterior):.0%})"
        yield f"Not settled: {words}{now}. {all_met(state) or 'More rounds may settle it.'}"


def all_met(state: RunState) -> str:
    """That further rounds have no pair to ask about, and what can be done instead; '' where they have."""
    if pairs_left(state) != 0:
        return ""
    return (
        "Each two texts have met, and in this run none meet again. Add texts, or start a new run in which texts meet again "
        "or with another judge."
    )


def _basis_remarks(state: RunState, table: Standings) -> Iterator[str]:
    """On what of the verdicts the ratings rest, where that is more than who won."""
    basis, method = table.basis, state.spec.method
    evidence = basis.evidence or state.spec.evidence
    if evidence != "winner" and state.matches:
        yield rated_words(state, basis)
    yield from _silent_remarks(state, table.posterior)
    if basis.length:
        yield "What longer texts gain by their length is taken out, and with it any quality that goes with length."
    if basis.discrimination and len(state.spec.judges) > 1:
        yield "Judges who tell texts apart more sharply count for more."
    if method == "knockout" and not state.running:
        yield "A knockout finds a likely winner; the order of those who went out early rests on very few matches."
    if method == "pointwise" and table.scores:
        rest = (
            "The ratings rest on scores alone"
            if table.scores == table.comparisons
            else "The run went on from scores to pairs"
        )
        yield f"{rest}; a score is taken to be as uncertain as one side of a comparison."


def rated_words(state: RunState, basis: Basis) -> str:
    """On how many judgments the ratings rest, and in how many the judge named no winner where that is what counts."""
    unchosen = unchosen_words(state)
    return f"Rated {declared(state, basis).words}{'; ' if unchosen else ''}{unchosen}."


def _silent_remarks(state: RunState, posterior: Posterior | None) -> Iterator[str]:
    """Judges whose margins or scores cannot be measured, and what of theirs counts instead."""
    if posterior is None:
        return
    if margins := posterior.silent_margins:
        yield (
            f"The margins of {_named(state, margins)} are fewer than {MARGINS_NEEDED} or all 0, so how far apart texts are "
            "cannot be measured by them: who won counts instead."
        )
    if scores := posterior.silent_scores:
        yield (
            f"The scores of {_named(state, scores)} are fewer than {SCORES_NEEDED} or all the same: they tell nothing apart "
            "and do not count."
        )


def _named(state: RunState, judges: Iterable[str]) -> str:
    """Some of the judges by name, in the order of the panel."""
    known = sorted(map(int, judges))
    names = [state.spec.judge_names[judge][:LONGEST_NAME] for judge in known[:NAMED]]
    if len(known) > NAMED:
        names.append(f"{len(known) - NAMED} more")
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _loss_remarks(state: RunState, table: Standings) -> Iterator[str]:
    lost = _lost(state)
    if lost:
        yield f"{lost} of {state.planned_judgments} judgments failed or could not be read; they count for nothing."
    if table.rated and (unchosen := unchosen_words(state)):
        yield f"{unchosen[0].upper()}{unchosen[1:]}; they count for nothing."
    drawn = sum(
        notice.code == "draw_on_error" for m in state.matches.values() for j in m.judgments for notice in j.warnings
    )
    if drawn:
        yield f"{_count(drawn, 'judgment')} without a verdict counted as a draw, by the chosen policy."
    flipped = state.ledger["flipped"]
    if flipped:
        yield f"{_count(flipped, 'judgment')} changed with the order of the two texts and counted as a tie."


def _certainty_remarks(table: Standings) -> Iterator[str]:
    if not table.connected:
        yield (
            f"The texts fall into {len(table.components)} groups that never met one another: "
            "ranks across groups rest on an assumption, not on a comparison."
        )
    gone = sum(row.status == "withdrawn" for row in table.rows)
    if gone:
        yield f"{_count(gone, 'text')} {'was' if gone == 1 else 'were'} withdrawn and {'has' if gone == 1 else 'have'} no rank."
    unrated = len(table.rows) - len(table.rated) - gone
    if unrated:
        yield f"{_count(unrated, 'text')} {'has' if unrated == 1 else 'have'} no rank, because no comparison was decided."
    yield from _position_remarks(table)
    right = expected_order(table)
    if right is not None:
        yield (
            f"About {round(100 * right)} of 100 pairs of texts can be expected to stand in the right order, "
            "as these judges see it; whether people agree is another question."
        )


def _position_remarks(table: Standings) -> Iterator[str]:
    effect = table.posterior.position_effect if table.posterior else None
    if effect is not None and abs(effect.logits) > effect.reach:
        side = "first" if effect.logits > 0 else "second"
        points = round(abs(effect.logits) * POINTS_PER_LOGIT)
        yield (
            f"The judges favour the text that is shown {side}, by about {points} rating points; the ratings allow for it."
        )


def expected_order(table: Standings) -> float | None:
    """The expected share of pairs of rated texts that stand in the right order, 0.5 (chance) to 1; None below two texts."""
    rated = table.rated
    if table.posterior is None or len(rated) < 2:
        return None
    return (1.0 + table.posterior.expected_tau()) / 2.0
