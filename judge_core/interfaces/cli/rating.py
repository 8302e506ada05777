"""The options of the verb `rate`, put to the method that takes them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, get_args

from judge_core.interfaces.cli.recorded import Ballots, Matches, read_record
from judge_core.ranking.bradley_terry import PRIOR_SD, Terms
from judge_core.ranking.bradley_terry.posterior import POINTS_PER_LOGIT
from judge_core.ranking.rate import MatchMethod, RateResult, rate_ballots, rate_lists, rate_matches, terms_of
from judge_core.records.errors import InputError
from judge_core.records.numbers import typed_number
from judge_core.scoring.voting import STRATEGIES

if TYPE_CHECKING:
    from judge_core.interfaces.cli.read import RateArguments

LISTS = "plackett-luce"
TAKEN_BY = {
    "margins": ("bradley-terry",),
    "length": ("bradley-terry",),
    "discrimination": ("bradley-terry",),
    "anchor": ("bradley-terry", LISTS),
    "from_best": (LISTS,),
}
"""Options that say nothing to other methods."""


def rated(data: bytes, options: RateArguments) -> RateResult:
    """The answer for the bytes of a file. InputError for a method that is not for its kind, and for an idle option."""
    record = read_record(data)
    ballots = isinstance(record, Ballots)
    methods = (*STRATEGIES, LISTS) if ballots else get_args(MatchMethod)
    if options.method not in methods:
        raise InputError(
            f"Method {options.method!r} is not for {'ballots' if ballots else 'matches'}. Choose {_or(methods)}.",
            field="method",
        )
    for option, takers in TAKEN_BY.items():
        if getattr(options, option) and options.method not in takers:
            raise InputError(
                f"--{option.replace('_', '-')} says nothing to {options.method}. Leave it out or choose {_or(takers)}.",
                field=option,
            )
    return _ballots(record, options) if isinstance(record, Ballots) else _matches(record, options)


def estimated_words(result: RateResult) -> Iterator[str]:
    """What was estimated beside the ratings, in rating points and plain words."""
    gains = {
        "position": "To be shown first" + (" rather than last in a list" if result.valid_judges else ""),
        "length": "A doubling of words",
    }
    for name, found in result.effects.items():
        points, sd = found.value * POINTS_PER_LOGIT, found.sd * POINTS_PER_LOGIT
        verb = "gains" if points >= 0 else "costs"
        yield (
            f"{gains[name]} {verb} {abs(points):.0f} rating points (standard deviation {sd:.0f}); the ratings allow for it."
        )
    for judge, found in result.judges.items():
        yield (
            f"{judge} tells items apart {found.value:.2f} times as sharply as the judges do on average (give or take a "
            f"factor of {math.exp(found.sd):.2f})."
        )


def _matches(record: Matches, options: RateArguments) -> RateResult:
    terms = terms_of(record.matches, _terms(options), lengths=options.length)
    method: MatchMethod = next(name for name in get_args(MatchMethod) if name == options.method)
    return rate_matches(record.matches, method, terms, options.k, record.starts(options.start))


def _ballots(record: Ballots, options: RateArguments) -> RateResult:
    if options.method == LISTS:
        return rate_lists(record.labels, record.rankings, record.weights, _terms(options))
    return rate_ballots(record.labels, record.rankings, record.weights, STRATEGIES[options.method])


def _terms(options: RateArguments) -> Terms:
    return Terms(
        prior_sd=_prior(options.prior),
        first_position=options.first_position,
        margins=options.margins,
        discrimination=options.discrimination,
        both_ends=not options.from_best,
        anchors=_anchors(options.anchor or ()),
    )


def _anchors(given: Sequence[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for item, rating in map(_anchor, given):
        if item in found:
            raise InputError(f"{item[:60]!r} is given two anchors. Give one --anchor for each item.", field="anchor")
        found[item] = rating
    return found


def _anchor(given: str) -> tuple[str, float]:
    item, _, rating = given.rpartition("=")
    value = typed_number(rating)
    if not item or value is None or abs(value) > 1e6:
        raise InputError(f"The anchor {given!r} cannot be read. Give ID=RATING, such as E-001=1620.", field="anchor")
    return item, value


def _prior(given: str | None) -> float | None:
    if given is None:
        return PRIOR_SD
    if given.strip().casefold() == "none":
        return None
    value = typed_number(given)
    if value is None or not 0.001 <= value <= 100:
        raise InputError(f"A prior of {given!r} is not possible. Give 0.001 to 100 logits, or none.", field="prior")
    return value


def _or(names: Sequence[str]) -> str:
    return " or ".join(names)
