"""Data frames for the pages, and the table twin of each chart. Names by alias unless labels are given; no long texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd

from judge_core.ranking.evidence import shares
from judge_core.records.item_verdict import PointVerdict
from judge_core.records.notices import explain
from judge_core.records.verdict import Judgment, JudgmentClass
from judge_core.views.listings import ListingView
from judge_core.views.matches import MatchView
from judge_core.views.meetings import meetings, met_letter
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

Labels = Mapping[str, str]
LEDGER_WORDS: dict[JudgmentClass, str] = {
    "ranked": "a list of texts was put in order",
    "scored": "a text was scored by itself",
    "won": "of the two texts the one named first won; which that is, is chance",
    "lost": "of the two texts the one named second won",
    "tied": "equal totals",
    "flipped": "the winner changed with the order of the texts; counts as a tie",
    "unparseable": "the reply could not be read",
    "failed": "the call brought no answer",
    "held": "not made: a cap was reached",
    "cancelled": "not made: the run was cancelled",
    "waiting": "still to be made",
    "unchosen": "the judge made no overall choice",
}
PAIRED = ["tied", "flipped"]
"""Classes that only matches have."""


def name(alias: str, labels: Labels | None) -> str:
    """The name under which a text is shown: its label where there is one, else its alias."""
    return (labels or {}).get(alias, alias)


def rounds_table(state: RunState, labels: Labels | None = None) -> pd.DataFrame:
    """A row a round: who competes, how many matches (lists, scores) it holds, who sits out."""
    rows = [
        {
            "round": paired.number,
            "title": paired.title,
            "ranks": f"{paired.band[0]} to {paired.band[1]}",
            "matches": len(paired.pairs) - len(paired.fallen),
            "lists": len(paired.groups),
            "scores": len(paired.singles),
            "byes": ", ".join(name(alias, labels) for alias in paired.byes),
            "closed": paired.closed,
        }
        for paired in state.rounds.values()
    ]
    frame = _frame(rows, columns=("round", "title", "ranks", "matches", "lists", "scores", "byes", "closed"))
    spare = [column for column in ("title", "lists", "scores", "matches") if not frame[column].astype(bool).any()]
    return frame.drop(columns=spare if len(frame) else ["title", "lists", "scores"])


def judgments_table(view: MatchView, state: RunState) -> pd.DataFrame:
    """A row a judgment of one match, with both texts' native scores by criterion; the replies stand elsewhere."""
    rows = [_judgment_row(judgment, state) for judgment in view.judgments]
    return _frame(rows, floats=("cost",))


def _judgment_row(judgment: Judgment, state: RunState) -> dict[str, object]:
    cells: dict[str, object] = {
        "judge": state.spec.judge_names[judgment.judge],
        "outcome": judgment.outcome,
        "result": judgment.result,
        "shown first": ", ".join(order.first for order in judgment.orders),
    }
    for criterion, pair in judgment.scores.items():
        cells[f"{criterion} (a)"] = pair.a
        cells[f"{criterion} (b)"] = pair.b
    cells |= {
        "warnings": " ".join(explain(notice.code) for notice in judgment.warnings),
        "cached": judgment.cached,
        "cost": judgment.cost,
    }
    return cells


def ledger_table(state: RunState) -> pd.DataFrame:
    """Every planned judgment by class, none left out; twin of the ledger bar."""
    rows = [
        {"class": outcome, "judgments": number, "meaning": LEDGER_WORDS[outcome]}
        for outcome, number in state.ledger.items()
    ]
    return _frame(rows)


def judges_table(state: RunState) -> pd.DataFrame:
    """A row a judge: what it decided and what it cost. An unknown cost is empty, never 0."""
    rows = []
    for index, name in enumerate(state.spec.judge_names):
        spent = state.spending.get(index)
        rows.append(
            {
                "judge": name,
                **(first_and_second(state, index) if state.matches else {}),
                **{str(outcome): number for outcome, number in state.judge_ledger(index).items()},
                "calls": spent.calls if spent else 0,
                "cached": spent.cached if spent else 0,
                "tokens": spent.prompt_tokens + spent.completion_tokens if spent else 0,
                "cost": spent.cost.exact if spent else 0.0,
            }
        )
    spare = ["won", "lost", "held", "cancelled", "waiting", *([] if state.matches or not state.listings else PAIRED)]
    return _frame(rows, floats=("cost",)).drop(columns=spare)


def first_and_second(state: RunState, judge: int) -> dict[str, int]:
    """How often that judge chose the text it was shown first, and the one shown second: counted by prompt."""
    chosen = Counter(
        (order.winner == "A") == (order.first == view.a)
        for view in state.matches.values()
        for judgment in view.judgments
        if judgment.judge == judge
        for order in judgment.orders
        if order.winner != "tie"
    )
    return {"shown first won": chosen[True], "shown second won": chosen[False]}


def elo_table(state: RunState, labels: Labels | None = None) -> pd.DataFrame:
    """A row a text and match with the Elo after it; twin of the Elo chart. Match 0 is the start."""
    rows = [
        {"text": name(alias, labels), "match": place, "elo": value}
        for alias, line in state.elo.items()
        for place, value in line
    ]
    return _frame(rows, columns=("text", "match", "elo"))


def lists_table(state: RunState, labels: Labels | None = None) -> pd.DataFrame:
    """A row a ranked list: its texts by the panel's order, best first; twin of the chart of lists. Undecided ones are empty."""
    weights = shares(state.spec)
    rows: list[dict[str, object]] = []
    for view in ranked_lists(state):
        order = [name(alias, labels) for alias in best_first(view, weights)]
        places = {str(place): text for place, text in enumerate(order, start=1)}
        rows.append({"place": view.place, "round": view.round, "texts": len(view.texts), **places})
    most = max((len(view.texts) for view in ranked_lists(state)), default=0)
    return _frame(rows, columns=("place", "round", "texts", *(str(place) for place in range(1, most + 1))))


def best_first(view: ListingView, weights: Sequence[float]) -> list[str]:
    """The texts of a list by the panel's mean place, equals as shown; empty where no judge ranked it."""
    places = view.mean_places(weights)
    return sorted(places, key=lambda alias: places[alias])


def ranked_lists(state: RunState) -> list[ListingView]:
    """The listings that are lists, in the order asked."""
    return [state.listings[place] for place in sorted(state.listings) if not state.listings[place].single]


def scores_table(state: RunState, labels: Labels | None = None) -> pd.DataFrame:
    """A row a score: a text by itself by one judge, in points of 100; twin of the chart of scores."""
    rows = [
        {
            "place": view.place,
            "text": name(view.texts[0], labels),
            "judge": state.spec.judge_names[judge],
            "score": score,
        }
        for view in state.listings.values()
        if view.single
        for judge, score in points(view).items()
    ]
    return _frame(rows, columns=("place", "text", "judge", "score"), floats=("score",))


def points(view: ListingView) -> dict[int, float]:
    """By judge, the weighted total of a text scored by itself, 0 to 100."""
    return {j.judge: 100 * j.verdict.total for j in view.judgments if isinstance(j.verdict, PointVerdict)}


def win_matrix_table(state: RunState, table: Standings, labels: Labels | None = None) -> pd.DataFrame:
    """Row against column, best first: W, L, T from the row's side, `?` undecided, empty where they never met."""
    order = [row.alias for row in (*table.rated, *(row for row in table.rows if row.rating is None))]
    met = meetings(state)
    cells = {one: {other: "".join(map(met_letter, met.get((one, other), ()))) for other in order} for one in order}
    frame = pd.DataFrame([[cells[one][other] for other in order] for one in order], dtype=object)
    names = [name(alias, labels) for alias in order]
    frame.index, frame.columns = pd.Index(names), pd.Index(names)
    return frame


def _frame(
    rows: Sequence[Mapping[str, object]],
    *,
    columns: tuple[str, ...] = (),
    whole: tuple[str, ...] = (),
    floats: tuple[str, ...] = (),
) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=list(columns) or None)
    for column in whole:
        frame[column] = frame[column].astype("Int64")
    for column in floats:
        if column in frame.columns:
            frame[column] = pd.to_numeric(frame[column])
    return frame
