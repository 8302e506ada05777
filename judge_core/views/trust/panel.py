"""The judges beside one another: who agrees with whom, what each changes, and how many opinions there really are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import pandas as pd

from judge_core.ranking.bradley_terry import Posterior
from judge_core.ranking.reliability.panel import LeftOut, PanelSize, effective_judges, leave_one_out
from judge_core.records.item_verdict import ListVerdict
from judge_core.records.spec import first_alike
from judge_core.scoring.habits.agreement import Votes, agreement
from judge_core.views.listings import ListingView
from judge_core.views.standings import Standings
from judge_core.views.state import RunState
from judge_core.views.tables import Labels, name
from judge_core.views.trust.course import expected, judge_name, rate_of, said
from judge_core.views.trust.frames import framed_rows

PAIR_COLUMNS = {
    "judge": "object",
    "other judge": "object",
    "in common": "Int64",
    "agreed": "Int64",
    "share": "Float64",
    "share low": "Float64",
    "share high": "Float64",
    "kappa": "Float64",
}
LEFT_OUT_COLUMNS = {
    "without": "object",
    "tau": "Float64",
    "text moved most": "object",
    "rank by all": "Int64",
    "rank without": "Int64",
}


class PanelSummary(NamedTuple):
    """The panel in a few figures; each is None where it cannot be told."""

    judges: int
    shared: int
    """Pairs of texts on which several judges decided."""
    alpha: float | None
    """Krippendorff's, of their verdicts (a, b or tie): 1 is full agreement, 0 what chance gives."""
    size: PanelSize | None
    """How many independent judges the panel is worth: an upper bound."""


class LeftOutTables(NamedTuple):
    """What leaving out one judge at a time changes; no judges in it for a single one."""

    judges: pd.DataFrame
    """A row a judge: how the order without it agrees with that by all, and the text that moves most."""
    texts: pd.DataFrame
    """A row a rated text, best first: its rank by all, and without each judge (columns by their names)."""


def panel_summary(state: RunState, table: Standings) -> PanelSummary:
    """The agreement of all judges, and the effective number of them."""
    whole = agreement(votes(state, set(first_alike(state.spec.judges))))
    found = expected(state, table)
    return PanelSummary(len(state.spec.judges), whole.units, whole.alpha, effective_judges(found) if found else None)


def pair_agreement_table(state: RunState) -> pd.DataFrame:
    """A row for each two judges that decided the same pairs of texts: how often alike, with the 95 % interval, and kappa.

    Two texts of a list that both ranked are a pair too; such pairs hang together, so there the interval is too narrow.
    """
    rows = [
        {
            "judge": judge_name(state, pair.one),
            "other judge": judge_name(state, pair.other),
            "in common": pair.agreed.decided,
            "agreed": pair.agreed.favoured,
            "share": pair.agreed.share,
            "share low": pair.agreed.low,
            "share high": pair.agreed.high,
            "kappa": pair.kappa,
        }
        for pair in agreement(votes(state)).pairs
    ]
    return framed_rows(rows, PAIR_COLUMNS)


def votes(state: RunState, judges: Collection[int] | None = None) -> Votes:
    """Who decided what, by pair of texts and judge: the first named, the second, or a tie (a flip is one).

    `judges`: those that count, by their number; all by default.
    """
    among = range(len(state.spec.judges)) if judges is None else judges
    labels: dict[str, dict[str, str]] = {}
    for place, view in state.matches.items():
        labels[str(place)] = {
            str(judgment.judge): "tied" if judgment.outcome == "flipped" else judgment.outcome
            for judgment in view.judgments
            if judgment.decided and judgment.judge in among
        }
    for listing in state.listings.values():
        for unit, judge, label in _list_votes(listing):
            if int(judge) in among:
                labels.setdefault(unit, {})[judge] = label
    return {unit: by for unit, by in labels.items() if len(by) > 1}


def _list_votes(listing: ListingView) -> Iterator[tuple[str, str, str]]:
    for judgment in listing.judgments:
        if isinstance(judgment.verdict, ListVerdict):
            for (one, first), (other, second) in combinations(enumerate(judgment.verdict.positions), 2):
                label = "tied" if first == second else "won" if first < second else "lost"
                yield f"{listing.place}: {one}, {other}", str(judgment.judge), label


def leave_one_out_tables(state: RunState, table: Standings, labels: Labels | None = None) -> LeftOutTables:
    """The order without each judge beside that by all. Ranks are among the texts that the other judges compared."""
    found = [] if table.posterior is None else _left_out(state, table, table.posterior)
    by_judge = [
        {
            "without": judge_name(state, left.judge),
            "tau": left.tau,
            "text moved most": name(left.moved, labels) if left.moved else "",
            "rank by all": left.before,
            "rank without": left.after,
        }
        for left in found
    ]
    return LeftOutTables(framed_rows(by_judge, LEFT_OUT_COLUMNS), _ranks(state, table, found, labels))


def _left_out(state: RunState, table: Standings, joint: Posterior) -> list[LeftOut]:
    among = [row.alias for row in table.rated]
    return leave_one_out(said(state, table), joint, rate_of(state, table), among)


def _ranks(state: RunState, table: Standings, found: Sequence[LeftOut], labels: Labels | None) -> pd.DataFrame:
    names = {left.judge: f"without {judge_name(state, left.judge)}" for left in found}
    rows = [
        {
            "text": name(row.alias, labels),
            "rank": row.rank,
            **{names[left.judge]: left.ranks.get(row.alias) for left in found},
        }
        for row in table.rated
    ]
    return framed_rows(rows, {"text": "object", "rank": "Int64", **dict.fromkeys(names.values(), "Int64")})
