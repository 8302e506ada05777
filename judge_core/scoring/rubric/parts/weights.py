"""What a set of weights adds up to, and how it is shared out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from judge_core.records.record import Record
from judge_core.scoring.rubric.parts.faults import Faults, refusal
from judge_core.scoring.rubric.parts.fields import weight_of

TOLERANCE = 0.001
"""By how much a sum of weights may miss 1 (or, in proportion, 100) without a word: enough for three times 0.333."""
_EXACT = 1e-9


class WeightCheck(Record):
    """What a set of weights adds up to, and what is made of it."""

    total: float
    """As given: 1 or 100 where all is well."""
    ok: bool
    """Whether the sum is 1 or 100, within a thousandth of it."""
    message: str
    """One sentence for people, also when all is well."""
    normalised: tuple[float, ...]
    """Shares of 1, in the order given."""


def check_weights(weights: Sequence[float], *, strict: bool = False) -> WeightCheck:
    """Whether weights add up to 1 (or 100), and their shares of 1 in any case.

    Raises RubricErrors where there is no weight or one is not a positive number; with `strict` also for a wrong sum.

    >>> check_weights([0.1, 0.2, 0.7]).ok
    True
    >>> check_weights([0.5, 0.6]).message
    'The weights add up to 1.1 (110 %) instead of 1 (100 %). They are used in proportion: 45.5 %, 54.5 %.'
    """
    faults = Faults()
    if not len(weights):
        faults.add("weights", "There are no weights.", "Give one for each criterion.")
    read = [weight_of(weight, f"weights[{index}]", faults) for index, weight in enumerate(weights)]
    faults.stop()
    return judge_sum([weight.value for weight in read if weight], "weights", strict)


def judge_sum(weights: Sequence[float], path: str, strict: bool) -> WeightCheck:
    total = math.fsum(weights)
    base = 100.0 if abs(total - 100) <= 100 * TOLERANCE + _EXACT else 1.0
    ok = abs(total / base - 1) <= TOLERANCE + _EXACT
    # A sum that is 1 but for binary rounding is left alone, so that reading twice is reading once.
    normalised = tuple(weights) if abs(total - 1) <= _EXACT else tuple(weight / total for weight in weights)
    least = min(range(len(weights)), key=lambda index: normalised[index])
    if normalised[least] < _EXACT:
        message = f"Weight {least + 1} of {len(weights)} is next to nothing beside the others."
        raise refusal(path, message, "Leave that criterion out.", weights[least])
    message = f"The weights add up to {base:g}."
    if not ok:
        wrong = _sum_message(total, max(weights))
        if strict:
            raise refusal(path, wrong, "Change them so that they do.")
        shares = ", ".join(f"{share:.1f} %" for share in make_100(normalised))
        message = f"{wrong} They are used in proportion: {shares}."
    return WeightCheck(total=total, ok=ok, message=message, normalised=normalised)


def _sum_message(total: float, largest: float) -> str:
    if largest <= 1:
        return f"The weights add up to {total:.6g} ({100 * total:.6g} %) instead of 1 (100 %)."
    return f"The weights add up to {total:.6g} instead of 100 (or 1)."


def make_100(weights: Sequence[float]) -> tuple[float, ...]:
    """Percentages with one decimal that add up to 100.0, by largest remainders; none becomes 0.

    Raises RubricErrors where a weight is not a positive number.

    >>> make_100([1, 1, 1])
    (33.4, 33.3, 33.3)
    """
    exact = [1000 * share for share in check_weights(weights).normalised]
    tenths = [max(1, math.floor(part)) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda index: tenths[index] - exact[index])
    for index in by_remainder[: max(0, 1000 - sum(tenths))]:
        tenths[index] += 1
    while sum(tenths) > 1000:  # the tiny ones that were raised to a tenth take it from the largest
        tenths[tenths.index(max(tenths))] -= 1
    return tuple(part / 10 for part in tenths)
