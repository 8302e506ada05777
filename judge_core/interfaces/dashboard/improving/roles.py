"""Step 3: how thorough, who does what, and how the judges' rankings are counted."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from judge_core.interfaces.dashboard.improving.desk import chosen
from judge_core.interfaces.dashboard.improving.plan import calls_a_pass, named, rankers, seats, size_of
from judge_core.interfaces.dashboard.new_ranking.judges_step import show_panel
from judge_core.interfaces.dashboard.new_ranking.state import bound
from judge_core.interfaces.dashboard.safe import plain
from judge_core.interfaces.drafts import Draft, JudgeDraft
from judge_core.interfaces.drafts.judging import KINDS, OFFLINE
from judge_core.interfaces.drafts.records import Improvement, SeatDraft
from judge_core.records.refinement.nouns import JudgeRole

PRESET_NAMES = {
    "quick": "Quick", "standard": "Standard (recommended)", "thorough": "Thorough", "custom": "Custom",
}  # fmt: skip
VOTING = {"borda": "By points (Borda)", "veto": "By points, with vetoes"}
VOTING_SAYS = (
    "Each ranking gives 3, 2 and 1 points; the most points win.",
    "The same, but a version that enough judges put last is out.",
)
ROLES: dict[JudgeRole, str] = {
    "judge": "Judge", "critic": "Critic: grave faults", "reviewer": "Reviewer: ready to sign",
    "test_engineer": "Test engineer: can be checked", "domain_expert": "Domain expert: right and complete",
    "explorer": "Sceptic: padding, made-up facts", "minimality": "Minimalist: nothing superfluous",
}  # fmt: skip
GROWTH = 1.35


def show_roles(draft: Draft) -> None:
    """The step."""
    _size(draft)
    st.subheader("Models", anchor=False)
    st.caption("One model can do everything. With several you choose below who writes and who ranks.")
    show_panel(draft, "the versions of every pass")
    if len(draft.judges) > 1:
        _who(draft)
    with st.expander("More: judges' roles, voting, length, other ends", icon=":material/tune:", key="improve:more"):
        _seats(draft)
        _voting(draft)
        _limits(draft)


def preset_says(name: str) -> str:
    """What a preset means, in a line.

    >>> preset_says("quick")
    '1 judge, 1 win in a row, 3 passes at most: up to 12 calls.'
    """
    if name == "custom":
        return "Choose the numbers yourself."
    size = size_of(Improvement.model_validate({"preset": name}))
    judges, wins = _many(size.judges, "judge"), _many(size.k, "win")
    return f"{judges}, {wins} in a row, {size.max_rounds} passes at most: up to {size.max_rounds * calls_a_pass(size)} calls."


def _size(draft: Draft) -> None:
    st.subheader("How thorough", anchor=False)
    st.caption(
        "In each pass a critic finds problems, an author revises, a synthesizer merges, and judges rank the three versions "
        "without knowing which is which. The text is done once it has won so many times in a row."
    )
    st.radio(
        "How thorough", list(PRESET_NAMES), format_func=PRESET_NAMES.__getitem__, label_visibility="collapsed",
        captions=[preset_says(name) for name in PRESET_NAMES], **chosen(draft, "preset"),
    )  # fmt: skip
    if draft.inputs.improvement.preset != "custom":
        return
    judges, wins, passes = st.columns(3)
    judges.number_input("Judges who rank", min_value=1, max_value=25, step=1, value=None, **chosen(draft, "judges"))
    wins.number_input("Wins in a row to be done", min_value=1, max_value=20, step=1, value=None, **chosen(draft, "k"))
    passes.number_input("Passes at most", min_value=1, max_value=100, step=1, value=None, **chosen(draft, "max_rounds"))


def _who(draft: Draft) -> None:
    """Who writes, and who ranks."""
    st.subheader("Who does what", anchor=False)
    keys = [judge.key for judge in draft.judges]
    titles = {"critic": "Critic", "author": "Author", "synthesizer": "Synthesizer"}
    for place, (field, title) in zip(st.columns(3), titles.items(), strict=True):

        def put(d: Draft, key: str, field: str = field) -> Draft:
            return d.with_improvement(**{field: key})

        key = named(draft, getattr(draft.inputs.improvement, field)).key
        place.selectbox(title, keys, format_func=_caller(draft), **bound(f"improve:{field}", key, put))
    st.multiselect(
        "Who ranks", keys, format_func=_caller(draft), help="They take the seats of the panel in turn.",
        **bound(
            "improve:rankers", [judge.key for judge in rankers(draft)],
            lambda d, found: d.with_improvement(rankers=tuple(found)),
        ),
    )  # fmt: skip
    sitting, size = rankers(draft), size_of(draft.inputs.improvement).judges
    if len(sitting) > size:
        st.caption(
            f"⚠ There {'is one seat' if size == 1 else f'are {size} seats'} only: the last {len(sitting) - size} of these "
            "do not rank. Choose a more thorough way, or Custom."
        )


class _caller:
    """Names a judge of the draft by its key: number and model."""

    def __init__(self, draft: Draft):
        self.names = {judge.key: called(number, judge) for number, judge in enumerate(draft.judges, start=1)}

    def __call__(self, key: str) -> str:
        return self.names.get(key, "")


def called(number: int, judge: JudgeDraft) -> str:
    """What a judge is called in a list.

    >>> called(2, JudgeDraft(key="k", kind="openai", model="gpt-x"))
    'Judge 2: gpt-x'
    """
    what = "demo judge" if judge.kind == OFFLINE else judge.model or KINDS.get(judge.kind, judge.kind)
    return f"Judge {number}: {plain(what, 40)}"


def _seats(draft: Draft) -> None:
    st.markdown("**What each judge looks for, and how much it counts**")
    call = _caller(draft)
    for at, (judge, seat) in enumerate(seats(draft)):
        role, weight = st.columns([3, 1], vertical_alignment="bottom")
        title = f"Seat {at + 1}" if len(draft.judges) == 1 else f"Seat {at + 1} ({call(judge.key)})"
        role.selectbox(
            title, list(get_args(JudgeRole)), format_func=ROLES.__getitem__,
            **bound(f"improve:role:{at}", seat.role, _put_seat(at, "role")),
        )  # fmt: skip
        weight.number_input(
            f"Weight of seat {at + 1}", min_value=0.1, max_value=100.0, step=0.5, value=None,
            **bound(f"improve:weight:{at}", seat.weight, _put_seat(at, "weight")),
        )  # fmt: skip


class _put_seat:
    """Stores a field of a seat."""

    def __init__(self, at: int, field: str):
        self.at, self.field = at, field

    def __call__(self, draft: Draft, value: object) -> Draft:
        given = list(draft.inputs.improvement.seats)
        given += [SeatDraft()] * (self.at + 1 - len(given))
        given[self.at] = SeatDraft.model_validate({**dict(given[self.at]), self.field: value})
        return draft.with_improvement(seats=tuple(given))


def _voting(draft: Draft) -> None:
    way, threshold = st.columns([3, 1], vertical_alignment="bottom")
    way.radio(
        "How rankings are counted", list(VOTING), format_func=VOTING.__getitem__, captions=VOTING_SAYS,
        **chosen(draft, "voting"),
    )  # fmt: skip
    if draft.inputs.improvement.voting == "veto":
        threshold.number_input(
            "Judges for a veto", min_value=1, max_value=25, step=1, value=None, **chosen(draft, "veto_threshold")
        )


def _limits(draft: Draft) -> None:
    """Length, and the detectors that are off unless they are chosen."""
    st.markdown("**Limits and other ends** (off unless you set them)")
    growth, score, winner = st.columns(3)
    growth.number_input(
        "Longest new version (times the one before)", min_value=1.0, max_value=20.0, step=0.05, value=None,
        placeholder="no limit", format="%.2f", **chosen(draft, "longest"),
        help=f"A longer winner gives way to the next best; {GROWTH:g} allows a third more. Judges tend to favour long texts.",
    )  # fmt: skip
    score.number_input(
        "Stop when points stand still for (passes)", min_value=2, max_value=100, step=1, value=None, placeholder="off",
        **chosen(draft, "score_window"), help="One version wins all of so many passes, and its points hardly move.",
    )  # fmt: skip
    winner.number_input(
        "Stop when one challenger wins (times in a row)", min_value=2, max_value=100, step=1, value=None,
        placeholder="off", **chosen(draft, "winner_window"),
        help="The revision, or the synthesis, wins again and again: the judges may just like what is new.",
    )  # fmt: skip


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
