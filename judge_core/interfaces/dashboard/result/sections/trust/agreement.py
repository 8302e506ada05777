"""How far a panel's judges decide alike, as a check."""

from __future__ import annotations

from collections.abc import Iterator

from judge_core.interfaces.dashboard.result.sections.trust.check import CAREFUL, FINE, NEUTRAL, Check
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.safe import label
from judge_core.records.spec import first_alike

FEWEST_SHARED = 20
"""Matches with verdicts of several judges below which agreement is not stated."""
GOOD_ALPHA = 0.67
"""The least alpha on which tentative conclusions may rest (Krippendorff, Content Analysis, 2004)."""


def agreement_checks(shown: Shown) -> Iterator[Check]:
    """How far the panel's judges decide matches alike, beyond chance; said from `FEWEST_SHARED` matches on.

    Copies of one judge agree with themselves, which tells nothing: each judge counts once.
    """
    judges, names = shown.state.spec.judges, shown.state.spec.judge_names
    if len(judges) < 2:
        return
    own = set(first_alike(judges))
    copies = [label(names[index], 40) for index, first in enumerate(first_alike(judges)) if first != index]
    if copies:
        yield Check(
            CAREFUL,
            "The panel holds one judge more than once",
            f"{', '.join(copies)}: the same model with the same settings as a judge before it. Copies agree with themselves, so "
            "their agreement tells nothing, and they are no further opinion.",
        )
    if len(own) < 2:
        return
    from judge_core.scoring.habits.agreement import agreement  # loads evalica, which most pages do without
    from judge_core.views.trust.panel import votes

    found = agreement(votes(shown.weighed, own))
    many = "pairs of texts" if shown.state.listings else "matches"
    if found.units < FEWEST_SHARED or found.alpha is None:
        yield Check(
            NEUTRAL,
            f"Too few {many} to say how far the judges agree",
            f"{found.units} have a verdict of several judges; {FEWEST_SHARED} are needed.",
        )
        return
    pairs = ", ".join(
        f"{label(names[int(pair.one)], 40)} and {label(names[int(pair.other)], 40)} {100 * pair.agreed.share:.0f} %"
        for pair in found.pairs
    )
    yield Check(
        FINE if found.alpha >= GOOD_ALPHA else CAREFUL,
        f"The judges agree to alpha = {found.alpha:.2f} on {found.units} {many}",
        f"Krippendorff's alpha: 1 is full agreement, 0 is what chance gives. Same verdict: {pairs}.",
    )
