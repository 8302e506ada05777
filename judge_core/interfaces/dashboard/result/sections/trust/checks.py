"""The checks of a ranking, each said either way: what speaks for it and what against it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from judge_core.interfaces.dashboard.result.sections.trust.agreement import agreement_checks
from judge_core.interfaces.dashboard.result.sections.trust.check import CAREFUL, FINE, NEUTRAL, Check
from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import plural
from judge_core.ranking.bradley_terry import POINTS_PER_LOGIT, Effect
from judge_core.records.spec import first_alike
from judge_core.scoring.habits.bias import decisions, family_bias, length_bias
from judge_core.views.orders import OrdersAsked, orders_asked
from judge_core.views.sentence import all_met, expected_order, rested_on, unchosen_words

MANY_FLIPS = 0.2
"""A share of flipped judgments from which on it is a caution: a judge that guesses flips half of its pairs."""
WIDE = 400.0
"""Points of an interval from which on it is called wide."""


def checks(shown: Shown) -> list[Check]:
    """All checks that this run allows."""
    if shown.pair:
        found = [ONE_PAIR, *_flips(shown), *_failures(shown)]
        return [*found, *_judge_checks(shown), *_verdicts(shown), ONE_OPINION]
    found = [
        *_precision(shown),
        *_position(shown),
        *_lists(shown),
        *_flips(shown),
        *_habits(shown),
        *_failures(shown),
        *_joined(shown),
    ]
    return [*found, *_judge_checks(shown), *agreement_checks(shown), PEOPLE]


PEOPLE = Check(
    NEUTRAL,
    "Certain is not the same as right",
    "Intervals say how firmly these judges hold their opinion. Whether people would agree is another question: "
    "read some of them yourself, the close ones first.",
)


ONE_PAIR = Check(
    NEUTRAL,
    "One comparison says which is better, not by how much",
    "No rating or interval can rest on a single pair. How far apart the scores lie is the judge's own impression.",
)


ONE_OPINION = Check(
    NEUTRAL,
    "Agreed is not the same as right",
    "Whether people would prefer the same text is another question: read both yourself.",
)


def _verdicts(shown: Shown) -> Iterator[Check]:
    """Of one comparison by several judges: how many found the same."""
    said = [
        "tied" if judgment.outcome == "flipped" else judgment.outcome
        for view in shown.weighed.matches.values()
        for judgment in view.judgments
        if judgment.decided and judgment.judge in set(first_alike(shown.state.spec.judges))
    ]
    if len(said) > 1:
        most = max(said.count(one) for one in said)
        sign = FINE if most == len(said) else CAREFUL
        yield Check(sign, f"{most} of {plural(len(said), 'judge')} found the same", "Read the reasons of each below.")


def _precision(shown: Shown) -> Iterator[Check]:
    table = shown.table
    estimates = [row for row in table.rated if row.anchor is None]
    widths = sorted(row.high - row.low for row in estimates if row.high is not None and row.low is not None)
    if widths:
        middle = widths[len(widths) // 2]
        sign = CAREFUL if middle > WIDE else FINE
        tied = sum(bool(table.tied_to(row)) for row in estimates)
        yield Check(
            sign,
            f"Ratings are known to about ±{middle / 2:.0f} points",
            f"That is half of the middle {100 * table.level:g} % interval, on {rested_on(table)}. "
            f"{tied} of {plural(len(estimates), 'text')} cannot be told from at least one other. "
            f"{all_met(shown.state) or 'More rounds make intervals narrower.'}",
        )
    right = expected_order(table)
    if right is not None:
        sign = FINE if right >= 0.85 else CAREFUL
        yield Check(
            sign,
            f"About {100 * right:.0f} of 100 pairs should stand in the right order",
            "Expected from the intervals, as these judges see the texts. 50 would be a coin.",
        )


def _position(shown: Shown) -> Iterator[Check]:
    effect = shown.table.posterior.position_effect if shown.table.posterior else None
    if effect is not None:
        yield favour(effect, FIRST_OF_PAIR)
    elif shown.state.spec.both_orders and shown.state.matches:
        yield Check(FINE, "Each pair was judged in both orders", "So no text gains by standing first.")


def _lists(shown: Shown) -> Iterator[Check]:
    effect = shown.table.posterior.list_position_effect if shown.table.posterior else None
    if effect is not None:
        yield favour(effect, FIRST_OF_LIST)


class Favoured(NamedTuple):
    """How a favour for a place is spoken of."""

    above: str
    """Who is favoured where the effect is above 0."""
    below: str
    nobody: str
    """What is not visible."""
    worth: str
    """What has the worth that the effect measures."""


FIRST_OF_PAIR = Favoured(
    "the text that is shown first", "the text that is shown second", "the first or second place", "Standing first"
)
FIRST_OF_LIST = Favoured(
    "texts that stand early in a list",
    "texts that stand late in a list",
    "early or late places in a list",
    "The first place over the last",
)


def favour(effect: Effect, words: Favoured) -> Check:
    """Whether judges favour a place, and what that is worth."""
    points, span = _span(effect)
    worth = f"{words.worth} is worth {span}"
    if not points:
        return Check(FINE, f"No favour for {words.nobody} is visible", f"{worth}; 0 would be fair.")
    favoured = words.above if points > 0 else words.below
    return Check(CAREFUL, f"The judges favour {favoured}", f"{worth}. The ratings allow for it.")


def _span(effect: Effect) -> tuple[float, str]:
    """The effect in points where it is certain, else 0; and its interval in words."""
    points, reach = effect.logits * POINTS_PER_LOGIT, effect.reach * POINTS_PER_LOGIT
    span = f"{points:+.0f} points (95 % interval {points - reach:+.0f} to {points + reach:+.0f})"
    return (points if abs(points) > reach else 0.0), span


def _flips(shown: Shown) -> Iterator[Check]:
    found = [judgment for view in shown.weighed.matches.values() for judgment in view.judgments if judgment.decided]
    both = [judgment for judgment in found if len(judgment.orders) > 1]
    if not found:
        return
    if shown.state.spec.order_check:
        yield _order_check(shown, orders_asked(shown.state))
    if not both:
        if shown.state.spec.order_check:
            return
        yield Check(
            NEUTRAL,
            "Each pair was asked in one order only",
            "So a judge that changes its mind with the order goes unseen. Ask for both orders to see it, at twice the calls.",
        )
        return
    flipped = sum(judgment.outcome == "flipped" for judgment in both)
    share = flipped / len(both)
    part = "" if len(both) == len(found) else f" Asked in both orders were {len(both)} of {len(found)}."
    yield Check(
        CAREFUL if share > MANY_FLIPS else FINE,
        f"{flipped} of {plural(len(both), 'judgment')} flipped with the order",
        f"That is {100 * share:.0f} %. A judge that guesses flips about 50 %. Each flip counts as a tie.{part}",
    )


def _order_check(shown: Shown, asked: OrdersAsked) -> Check:
    """What the sample of pairs that are asked in both orders showed."""
    if not asked.both:
        return Check(
            NEUTRAL,
            f"Order check: none of {plural(asked.pairs, 'pair')} has a verdict in both orders",
            f"One pair in ten is drawn for it.{'' if all_met(shown.state) else ' More rounds bring some.'}",
        )
    share, were = asked.same / asked.both, "was" if asked.both == 1 else "were"
    return Check(
        CAREFUL if share < 1 - MANY_FLIPS else FINE,
        f"Order check: {asked.both} of {plural(asked.pairs, 'pair')} {were} asked in both orders; in {asked.same} the verdict "
        "was the same",
        f"That is {100 * share:.0f} %. By it one can tell how far verdicts hang on the order in all of the pairs.",
    )


def _habits(shown: Shown) -> Iterator[Check]:
    """Whether length, or the judge's own family of models, goes with winning; said from 20 decisions on."""
    views = shown.weighed.matches.values()
    own = set(first_alike(shown.state.spec.judges))  # a copy decides nothing of its own
    opinions = ((v.a, v.b, [one for one in v.judgments if one.judge in own]) for v in views)
    decided = list(decisions(opinions, shown.state.spec))
    taken = "; the ratings shown are without it" if shown.chosen.basis.length else "; Weights can take it out"
    kinds = (
        (length_bias(decided), "the longer text won", taken),
        (family_bias(decided), "the text of the judge's own family of models won", "; no rating is changed"),
    )
    for share, words, more in kinds:
        if share is None:
            continue
        span = f"{100 * share.share:.0f} % (95 % interval {100 * share.low:.0f} to {100 * share.high:.0f})"
        yield Check(
            CAREFUL if share.uneven else NEUTRAL,
            f"In {share.favoured} of {share.decided} decisions {words}",
            f"That is {span}; a coin gives 50. Such texts may really be the better ones{more}.",
        )


def _failures(shown: Shown) -> Iterator[Check]:
    ledger, planned = shown.state.ledger, shown.state.planned_judgments
    lost = ledger["failed"] + ledger["unparseable"]
    if lost:
        yield Check(
            CAREFUL,
            f"{lost} of {plural(planned, 'judgment')} brought no verdict",
            f"{ledger['failed']} got no answer, {ledger['unparseable']} could not be read. They count for nothing: "
            "no tie, no zero. Ask again for them at the top of the page.",
        )
    elif planned:
        yield Check(FINE, "No judgment failed", "Every reply that was asked for came and could be read.")
    if unchosen := unchosen_words(shown.weighed):
        yield Check(
            NEUTRAL,
            f"{unchosen[0].upper()}{unchosen[1:]}",
            "They count for nothing while you rank by it; by criteria they count.",
        )
    open_ones = ledger["held"] + ledger["cancelled"] + ledger["waiting"]
    if open_ones:
        yield Check(
            CAREFUL, f"{plural(open_ones, 'judgment')} not made", "The ranking rests on what was judged so far."
        )


def _joined(shown: Shown) -> Iterator[Check]:
    table = shown.table
    unrated = sum(row.rating is None and row.status != "withdrawn" for row in table.rows)
    if not table.connected:
        yield Check(
            CAREFUL,
            f"The texts fall into {len(table.components)} groups that never met",
            "Ranks across groups rest on an assumption, not on a comparison.",
        )
    elif table.rated and (met := _met(shown)):
        yield Check(
            FINE, f"All rated texts are joined by {met}", f"A chain of {met} leads from each to each other one."
        )
    if unrated:
        yield Check(CAREFUL, f"{plural(unrated, 'text')} without a rank", "No comparison of theirs was decided.")


def _met(shown: Shown) -> str:
    """In what texts met; '' where each was scored by itself."""
    lists = any(not view.single for view in shown.state.listings.values())
    return " and ".join(word for word, there in (("matches", shown.state.matches), ("lists", lists)) if there)


def _judge_checks(shown: Shown) -> Iterator[Check]:
    judges = shown.state.spec.judges
    if any(judge.provider == "offline" for judge in judges):
        yield Check(
            CAREFUL, "A demo judge took part", "It counts words and sentences; its opinion says nothing about quality."
        )
    if len(set(first_alike(judges))) == 1:
        yield Check(
            NEUTRAL,
            "One judge only",
            f"Its habits are those of the {'verdict' if shown.pair else 'ranking'}. A panel of different models evens them out.",
        )
