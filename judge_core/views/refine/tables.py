"""Tables of a tournament: its passes, and how each judge ranked."""

from __future__ import annotations

import pandas as pd

from judge_core.records.refinement.nouns import VERSIONS, Version
from judge_core.views.exports.cells import csv_bytes
from judge_core.views.refine.state import PassView, RefineState

PASS_COLUMNS = ("pass", "winner", *VERSIONS, "judges", "streak", "agreement", "words")


def passes_table(state: RefineState) -> pd.DataFrame:
    """A row a decided pass: winner (by its words), points by version, judges that ranked, streak, Kendall's W, words."""
    rows = [
        {
            "pass": view.number, "winner": decision.effective, **{label: decision.scores[label] for label in VERSIONS},
            "judges": decision.valid_judges, "streak": decision.streak, "agreement": view.agreement,
            "words": decision.after.words,
        }
        for view in state.decided
        if (decision := view.decision) is not None
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(PASS_COLUMNS))


def passes_csv(state: RefineState) -> bytes:
    """The table of passes as CSV, with what each decision rested on and the versions' content hashes."""
    header = [*PASS_COLUMNS, "voted_for", "decided_by", "vetoed", "before_sha256", "after_sha256"]
    table = passes_table(state).astype(object)
    decisions = [view.decision for view in state.decided if view.decision is not None]
    rows: list[list[str | int | float | None]] = [
        [
            *(None if pd.isna(cell) else cell for cell in row), decision.winner, decision.decided_by,
            " ".join(decision.vetoed_by), decision.before.sha256, decision.after.sha256,
        ]
        for row, decision in zip(table.to_numpy().tolist(), decisions, strict=True)
    ]  # fmt: skip
    return csv_bytes(header, rows)


def votes_table(state: RefineState, view: PassView) -> pd.DataFrame:
    """A row a judge of a pass: its role and weight, the order that it saw, its ranking."""
    rows = [
        {
            "judge": state.spec.judges[vote.judge].name, "role": state.spec.panel[seat].role,
            "weight": state.spec.panel[seat].weight, "saw": ", ".join(vote.order),
            "ranking": " > ".join(vote.ranking) if vote.ranking else f"none ({vote.outcome})",
        }
        for seat, vote in view.ballots.items()
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["judge", "role", "weight", "saw", "ranking"])


def points_table(state: RefineState, view: PassView) -> pd.DataFrame:
    """A row a judge that ranked in a pass, with the points that it gave each version; the sum last."""
    points = seat_points(state, view)
    columns = ["judge", *VERSIONS]
    rows: list[list[object]] = [
        [seat_name(state, seat), *(given[label] for label in VERSIONS)] for seat, given in points.items()
    ]
    if rows:
        rows.append(["Together", *(sum(given[label] for given in points.values()) for label in VERSIONS)])
    return pd.DataFrame(rows, columns=columns)


def seat_points(state: RefineState, view: PassView) -> dict[int, dict[Version, float]]:
    """By seat the points that its ranking gave each version, with its weight; those without a ranking are left out."""
    return {
        seat: {
            label: state.spec.panel[seat].weight * (len(VERSIONS) - place) for place, label in enumerate(vote.ranking)
        }
        for seat, vote in view.ballots.items()
        if vote.ranking is not None
    }


def seat_name(state: RefineState, seat: int) -> str:
    """What a seat is called in our own words: its number, and its role where it has a special one."""
    role = state.spec.panel[seat].role
    return f"Judge {seat + 1}" if role == "judge" else f"Judge {seat + 1} ({role.replace('_', ' ')})"
