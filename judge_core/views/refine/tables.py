"""Tables of a tournament: its passes, and how each judge ranked."""

from __future__ import annotations

import pandas as pd

from judge_core.records.refinement.nouns import VERSIONS
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
