"""How far the judges of a run agree, item by item, in the words of its mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.result.sections.trust import CAREFUL, FINE, NEUTRAL, Check
from judge_core.interfaces.dashboard.result.words import plural
from judge_core.records.item_verdict import PointVerdict
from judge_core.records.spec import ItemMode, first_alike
from judge_core.views.items.verdicts.agent import agent_panel
from judge_core.views.items.verdicts.panel import LEVEL_MARGIN, voices
from judge_core.views.items.verdicts.points import five, point_panel
from judge_core.views.items.verdicts.rag import rag_panel

WIDE = 1.0
"""Points of the scale of 1 to 5 by which two judges lie far apart."""
WEAK = 0.5
"""Kendall's W below which judges agree little."""
MANY = 0.2
"""A share of split items from which on it is a caution."""


COPIES = Check(
    CAREFUL,
    "The panel is one judge more than once",
    "The same model with the same settings agrees with itself, which tells nothing. A panel of different models shows more.",
)


def agreement_checks(shown: ShownItems) -> list[Check]:
    """The checks of the run's mode; with one judge, that there is no second opinion."""
    order = list(_orders(shown)) if shown.mode == "listwise" else []
    judges = shown.state.spec.judges
    if len(judges) > 1 and set(first_alike(judges)) == {0}:
        return [*order, COPIES]
    if len(judges) == 1:
        alone = "Nobody else judged, so how far another judge would agree is not known. A panel of different models shows it."
        return [*order, Check(NEUTRAL, "One judge only", alone)]
    return [*order, *CHECKS[shown.mode](shown)]


def _spread(shown: ShownItems) -> Iterator[Check]:
    panels = [p for alias in shown.state.items if (p := point_panel(shown.state, alias)) and p.judges > 1]
    if not panels:
        return
    apart = [five(panel.highest) - five(panel.lowest) for panel in panels]
    far = sum(gap > WIDE for gap in apart)
    yield Check(
        CAREFUL if far > MANY * len(apart) else FINE,
        f"The judges lie {sum(apart) / len(apart):.2f} points apart on average",
        f"Lowest to highest score of an item, on the scale of 1 to 5, over {plural(len(apart), 'text')}. "
        f"On {far} of them it is more than {WIDE:g} point.",
    )


def _split(shown: ShownItems) -> Iterator[Check]:
    yield from _spread(shown)
    asked = split = 0
    for alias in shown.state.items:
        totals = [v.verdict.total for v in voices(shown.state.items.get(alias), shown.state.spec.judges, PointVerdict)]
        above = {five(total) >= shown.state.spec.bar - LEVEL_MARGIN for total in totals}
        asked, split = asked + (len(totals) > 1), split + (len(above) > 1)
    if asked:
        yield Check(
            CAREFUL if split > MANY * asked else FINE,
            f"On {split} of {plural(asked, 'text')} the judges stand on both sides of the bar",
            "There the pass or fail hangs on how the judges are weighed. Read these first.",
        )


def _concordance(shown: ShownItems) -> Iterator[Check]:
    figure = shown.whole.figure("agreement", "agreement")
    if figure.mean is not None:
        yield Check(
            FINE if figure.mean >= WEAK else CAREFUL,
            f"The judges' rankings agree to W = {figure.mean:.2f}",
            f"Kendall's coefficient of concordance, 0 none to 1 full, over {plural(figure.n, 'list')}.",
        )


def _orders(shown: ShownItems) -> Iterator[Check]:
    """Whether judges changed their mind when the list was turned."""
    made = [judgment for view in shown.state.items.values() for judgment in view.decided]
    if not shown.state.spec.both_orders:
        yield Check(
            NEUTRAL, "Each list was shown in one order only", "So a judge that favours what comes first goes unseen."
        )
        return
    if not made:
        return
    changed = sum(any(notice.code == "list_order" for notice in judgment.warnings) for judgment in made)
    yield Check(
        CAREFUL if 2 * changed > len(made) else FINE,
        f"{changed} of {plural(len(made), 'ranking')} changed with the order shown",
        "Each list was shown forwards and in reverse, and both rankings are merged by mean position.",
    )


def _claims(shown: ShownItems) -> Iterator[Check]:
    panels = [panel for alias in shown.state.items if (panel := rag_panel(shown.state, alias))]
    shared = [claim for panel in panels for claim in panel.claims if len(claim.votes) > 1]
    if shared:
        equal = sum(len({vote.verdict for vote in claim.votes.values()}) == 1 for claim in shared)
        yield _agreed(equal, len(shared), "claim", "Of the claims that your data gives and several judges labelled.")
    elif panels:
        yield Check(
            NEUTRAL,
            "Each judge found its own claims",
            "Their labels cannot be compared one by one; compare the judges' means in the chart of the results. "
            "Claims given with the data would be the same for all.",
        )
    votes = [passage.votes for panel in panels for passage in panel.passages if len(passage.votes) > 1]
    if votes:
        equal = sum(len(set(vote.values())) == 1 for vote in votes)
        yield _agreed(equal, len(votes), "passage", "Relevant or not, where several judges said so.")


def _steps(shown: ShownItems) -> Iterator[Check]:
    panels = [panel for alias in shown.state.items if (panel := agent_panel(shown.state, alias))]
    goals = [panel.goals for panel in panels if len(panel.goals) > 1]
    if goals:
        yield _agreed(sum(len(set(g.values())) == 1 for g in goals), len(goals), "run", "Whether the goal was reached.")
    votes = [step.votes for panel in panels for step in panel.steps if len(step.votes) > 1]
    if votes:
        equal = sum(len({vote.label for vote in own.values()}) == 1 for own in votes)
        yield _agreed(equal, len(votes), "step", "Useful, redundant or harmful.")


def _agreed(equal: int, of: int, noun: str, words: str) -> Check:
    sign = CAREFUL if of - equal > MANY * of else FINE
    return Check(sign, f"The judges agree on {equal} of {plural(of, noun)}", words)


CHECKS: dict[ItemMode, Callable[[ShownItems], Iterator[Check]]] = {
    "review": _spread,
    "gate": _split,
    "listwise": _concordance,
    "rag": _claims,
    "agent": _steps,
}
