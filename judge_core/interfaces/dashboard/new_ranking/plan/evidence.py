"""What of a verdict counts, and a warning where a judge cannot say it."""

from __future__ import annotations

import streamlit as st

from judge_core.interfaces.dashboard.new_ranking.plan.fields import planned
from judge_core.interfaces.dashboard.safe import line, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.drafts import Draft
from judge_core.interfaces.drafts.judging import judge_of
from judge_core.providers.registry import gives_log_probabilities
from judge_core.records.errors import InputError
from judge_core.records.spec import Evidence

TITLES: dict[Evidence, str] = {
    "winner": "Who is better",
    "margins": "By how much, by its scores",
    "levels": "Slightly or clearly better",
    "probabilities": "How sure the judge is",
}
LINES: dict[Evidence, str] = {
    "winner": "Won, lost or tied. The plainest, and right for every judge.",
    "margins": "How far the judge's own scores lie apart. Tells more with each call, if its scores are worth something.",
    "levels": "The judge is asked for one of five levels. Tells more with each call.",
    "probabilities": "The chances of its answer, from the service itself. Only some services and models give them.",
}


def show_evidence(draft: Draft) -> None:
    """The choice."""
    st.radio(
        "What counts of a judge's answer on two texts",
        list(TITLES),
        format_func=TITLES.__getitem__,
        captions=[LINES[kind] for kind in TITLES],
        help="The rating can rest on who won alone, or also on how far ahead the winner was.",
        **planned(draft.plan, "evidence"),
    )
    if draft.plan.evidence == "probabilities":
        _warn(draft)


def _warn(draft: Draft) -> None:
    """Names the judges that give no probabilities, or of which that is not known."""
    for number, row in enumerate(draft.judges, start=1):
        try:
            judge = judge_of(row, workbench().settings)
        except InputError:
            continue
        who, gives = f"Judge {number} ({plain(judge.name, 60)})", gives_log_probabilities(judge)
        if gives is False:
            line(f"⚠ {who} gives no probabilities. Choose another judge, or let something else count.")
        elif gives is None:
            line(f"⚠ {who} may give probabilities or not; only a call can tell. Where it does not, its winner counts.")
