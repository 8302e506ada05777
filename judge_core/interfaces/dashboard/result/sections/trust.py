"""Can you trust this? Each check is said either way: what speaks for the ranking and what against it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import Shown
from judge_core.interfaces.dashboard.result.words import CLASSES, plural
from judge_core.interfaces.dashboard.safe import label
from judge_core.ranking.bradley_terry.posterior import POINTS_PER_LOGIT
from judge_core.scoring.habits.bias import decisions, family_bias, length_bias
from judge_core.views.sentence import CERTAIN, expected_order
from judge_core.views.tables import judges_table

FINE = ":green[:material/check_circle:]"
CAREFUL = ":orange[:material/warning:]"
NEUTRAL = ":material/info:"
MANY_FLIPS = 0.2
"""A share of flipped judgments from which on it is a caution: a judge that guesses flips half of its pairs."""
FEWEST_SHARED = 20
"""Matches with verdicts of several judges below which agreement is not stated."""
GOOD_ALPHA = 0.67
"""The least alpha on which tentative conclusions may rest (Krippendorff, Content Analysis, 2004)."""
WIDE = 400.0
"""Points of an interval from which on it is called wide."""


class Check(NamedTuple):
    """One line of the list."""

    sign: str
    head: str
    words: str


def show_trust(shown: Shown) -> None:
    """The checks, then the judges one by one."""
    what = "verdict" if shown.pair else "ranking"
    st.markdown(f"{FINE} speaks for the {what} · {CAREFUL} read with care · {NEUTRAL} good to know")
    with st.grid(min_column_width=380, border=True):
        for check in checks(shown):
            st.markdown(f"{check.sign} **{check.head}**  \n{check.words}")
    _judges(shown)


def checks(shown: Shown) -> list[Check]:
    """All checks that this run allows."""
    if shown.pair:
        found = [ONE_PAIR, *_flips(shown), *_failures(shown)]
        return [*found, *_judge_checks(shown), *_verdicts(shown), ONE_OPINION]
    found = [*_precision(shown), *_position(shown), *_flips(shown), *_habits(shown), *_failures(shown), *_joined(shown)]
    return [*found, *_judge_checks(shown), *_agreement(shown), PEOPLE]


PEOPLE = Check(
    NEUTRAL,
    "Certain is not the same as right",
    "Intervals say how firmly these judges hold their opinion. Whether people would agree is another question: "
    "read some matches yourself, the close ones first.",
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
        if judgment.decided
    ]
    if len(said) > 1:
        most = max(said.count(one) for one in said)
        sign = FINE if most == len(said) else CAREFUL
        yield Check(sign, f"{most} of {plural(len(said), 'judge')} found the same", "Read the reasons of each below.")


def _precision(shown: Shown) -> Iterator[Check]:
    table = shown.table
    widths = sorted(row.high - row.low for row in table.rated if row.high is not None and row.low is not None)
    if widths:
        middle = widths[len(widths) // 2]
        sign = CAREFUL if middle > WIDE else FINE
        tied = sum(bool(row.tied_with) for row in table.rated)
        yield Check(
            sign,
            f"Ratings are known to about ±{middle / 2:.0f} points",
            f"That is half of the middle {100 * table.level:g} % interval, on {plural(table.comparisons, 'comparison')}. "
            f"{tied} of {plural(len(table.rated), 'text')} cannot be told from at least one other. More rounds make intervals narrower.",
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
    if effect is None:
        if shown.state.spec.both_orders:
            yield Check(FINE, "Each pair was judged in both orders", "So no text gains by standing first.")
        return
    points, reach = effect.logits * POINTS_PER_LOGIT, CERTAIN * effect.sd * POINTS_PER_LOGIT
    span = f"{points:+.0f} points (95 % interval {points - reach:+.0f} to {points + reach:+.0f})"
    if abs(points) > reach:
        side = "first" if points > 0 else "second"
        yield Check(
            CAREFUL,
            f"The judges favour the text that is shown {side}",
            f"Standing first is worth {span}. The ratings allow for it.",
        )
    else:
        yield Check(
            FINE,
            "No favour for the first or second place is visible",
            f"Standing first is worth {span}; 0 would be fair.",
        )


def _flips(shown: Shown) -> Iterator[Check]:
    ledger = shown.state.ledger
    decided = sum(ledger[name] for name in ("won", "lost", "tied", "flipped"))
    if not shown.state.spec.both_orders or not decided:
        if not shown.state.spec.both_orders:
            yield Check(
                NEUTRAL,
                "Each pair was asked in one order only",
                "So a judge that changes its mind with the order goes unseen. Ask for both orders to see it, at twice the calls.",
            )
        return
    share = ledger["flipped"] / decided
    yield Check(
        CAREFUL if share > MANY_FLIPS else FINE,
        f"{ledger['flipped']} of {plural(decided, 'judgment')} flipped with the order",
        f"That is {100 * share:.0f} %. A judge that guesses flips about 50 %. Each flip counts as a tie.",
    )


def _habits(shown: Shown) -> Iterator[Check]:
    """Whether length, or the judge's own family of models, goes with winning; said from 20 decisions on."""
    views = shown.weighed.matches.values()
    decided = list(decisions(((v.a, v.b, v.judgments) for v in views), shown.state.spec))
    kinds = (
        (length_bias(decided), "the longer text won"),
        (family_bias(decided), "the text of the judge's own family of models won"),
    )
    for share, words in kinds:
        if share is None:
            continue
        span = f"{100 * share.share:.0f} % (95 % interval {100 * share.low:.0f} to {100 * share.high:.0f})"
        yield Check(
            CAREFUL if share.uneven else NEUTRAL,
            f"In {share.favoured} of {share.decided} decisions {words}",
            f"That is {span}; a coin gives 50. Such texts may really be the better ones; no rating is changed.",
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
    open_ones = ledger["held"] + ledger["cancelled"] + ledger["waiting"]
    if open_ones:
        yield Check(
            CAREFUL, f"{plural(open_ones, 'judgment')} not made", "The ranking rests on what was judged so far."
        )


def _joined(shown: Shown) -> Iterator[Check]:
    table = shown.table
    unrated = len(table.rows) - len(table.rated)
    if not table.connected:
        yield Check(
            CAREFUL,
            f"The texts fall into {len(table.components)} groups that never met",
            "Ranks across groups rest on an assumption, not on a comparison.",
        )
    elif table.rated:
        yield Check(
            FINE, "All rated texts are joined by matches", "A chain of matches leads from each to each other one."
        )
    if unrated:
        yield Check(CAREFUL, f"{plural(unrated, 'text')} without a rank", "No comparison of theirs was decided.")


def _judge_checks(shown: Shown) -> Iterator[Check]:
    judges = shown.state.spec.judges
    if any(judge.provider == "offline" for judge in judges):
        yield Check(
            CAREFUL, "A demo judge took part", "It counts words and sentences; its opinion says nothing about quality."
        )
    if len(judges) == 1:
        yield Check(
            NEUTRAL,
            "One judge only",
            f"Its habits are those of the {'verdict' if shown.pair else 'ranking'}. A panel of different models evens them out.",
        )


def _agreement(shown: Shown) -> Iterator[Check]:
    """How far the panel's judges decide matches alike, beyond chance; said from `FEWEST_SHARED` matches on."""
    judges = shown.state.spec.judges
    if len(judges) < 2:
        return
    from judge_core.scoring.habits.agreement import agreement  # loads evalica, which most pages do without

    votes = {
        str(view.place): {
            str(j.judge): "tied" if j.outcome == "flipped" else j.outcome for j in view.judgments if j.decided
        }
        for view in shown.weighed.matches.values()
    }
    found = agreement({place: said for place, said in votes.items() if len(said) > 1})
    if found.units < FEWEST_SHARED or found.alpha is None:
        yield Check(
            NEUTRAL,
            "Too few matches to say how far the judges agree",
            f"{plural(found.units, 'match')} have a verdict of several judges; {FEWEST_SHARED} are needed.",
        )
        return
    pairs = ", ".join(
        f"{label(judges[int(pair.one)].name, 40)} and {label(judges[int(pair.other)].name, 40)} {100 * pair.agreed.share:.0f} %"
        for pair in found.pairs
    )
    yield Check(
        FINE if found.alpha >= GOOD_ALPHA else CAREFUL,
        f"The judges agree to alpha = {found.alpha:.2f} on {found.units} matches",
        f"Krippendorff's alpha: 1 is full agreement, 0 is what chance gives. Same verdict: {pairs}.",
    )


def _judges(shown: Shown) -> None:
    st.subheader("The judges", anchor=False)
    frame = judges_table(shown.state)
    config = st.column_config
    st.dataframe(
        frame, hide_index=True, alt="Each judge's judgments by class, its calls and its cost", placeholder="unknown",
        column_config={
            "judge": config.TextColumn("Judge", pinned=True),
            **{str(name): config.NumberColumn(words.capitalize()) for name, words in CLASSES.items()},
            "calls": config.NumberColumn("Calls"),
            "cached": config.NumberColumn("From cache"),
            "tokens": config.NumberColumn("Tokens"),
            "cost": config.NumberColumn("Cost in $", format="%.4f"),
        },
    )  # fmt: skip
    unknown = [label(judge.name) for judge in shown.state.spec.judges if judge.price is None]
    if unknown:
        st.caption(f"Price unknown: {', '.join(unknown)}.")
