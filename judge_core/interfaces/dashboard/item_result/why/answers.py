"""An answer with its passages: every claim beside the passages that it was found to rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import streamlit as st

from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.item_result.why.marks import ERASED, Marked
from judge_core.interfaces.dashboard.item_result.why.voices import show_voices
from judge_core.interfaces.dashboard.safe import label, line
from judge_core.records.item import ItemPart, PartRole
from judge_core.views.items.verdicts.rag import ClaimPanel, RagPanel, rag_panel

Colour = Literal["green", "red", "orange", "violet"]


class Look(NamedTuple):
    """How a label of a claim is shown: in words, with a symbol; the colour says nothing more."""

    words: str
    icon: str
    colour: Colour


LOOKS: dict[str, Look] = {
    "supported": Look("supported", ":material/check:", "green"),
    "contradicted": Look("contradicted", ":material/close:", "red"),
    "not_found": Look("not found", ":material/search_off:", "orange"),
    "disputed": Look("judges are split", ":material/balance:", "violet"),
}
COVERED = {"supported": "in the answer", "contradicted": "contradicted by the answer", "not_found": "not in the answer"}


@dataclass(frozen=True)
class _Claims:
    """The words of the item's claims: of its data, or as a judge put them."""

    marked: Marked

    @cached_property
    def _found(self) -> dict[tuple[int, str], Sequence[str]]:
        return {
            (voice.judge, reply.sent.ask.mode): reply.sent.ask.claims
            for voice in self.marked.voices
            for reply in voice.replies
        }

    def words(self, claim: ClaimPanel, *, reference: bool = False) -> str:
        """A claim's words; a sentence of ours where they are not known."""
        given = self.marked.detail.item.of("claim")
        if claim.found_by is None:
            part = given[claim.claim - 1] if claim.claim <= len(given) else None
            return (self.marked.detail.text(part) if part else None) or ERASED
        known = self._found.get((claim.found_by, "rag_coverage" if reference else "rag_labels"), ())
        at = claim.claim - 1 - (0 if reference else len(given))
        return known[at] if 0 <= at < len(known) else "The words of this claim are not stored."


def show_answer(shown: ShownItems, marked: Marked) -> None:
    """Question and answer, passages with their claims, claims without a passage, then what the judges said."""
    left, right = st.columns(2)
    with left:
        _part(marked, "question", "Question")
        _part(marked, "reference", "Reference answer")
    with right:
        _part(marked, "answer", "Answer")
    panel, claims = rag_panel(shown.state, marked.detail.item.alias), _Claims(marked)
    _passages(shown, marked, panel, claims)
    if panel:
        _elsewhere(shown, marked, panel, claims)
        _reference(shown, panel, claims)
    st.subheader("What each judge said", anchor=False)
    show_voices(shown, marked, beside=True)


def _part(marked: Marked, role: PartRole, title: str) -> None:
    for n, part in enumerate(marked.detail.item.of(role)):
        st.markdown(f"**{title}**")
        with st.container(border=True):
            marked.show(part, f"{role}_{n}")


def _passages(shown: ShownItems, marked: Marked, panel: RagPanel | None, claims: _Claims) -> None:
    passages = marked.detail.item.of("passage")
    if not passages:
        st.markdown("**This answer came without passages.**")
        return
    st.subheader("Passages, with the claims that point to them", anchor=False)
    for number, part in enumerate(passages, start=1):
        with st.container(border=True):
            left, right = st.columns([3, 2])
            with left:
                _passage_head(shown, part, number, panel)
                marked.show(part, f"passage_{number}")
            with right:
                _pointing(shown, panel, claims, number)


def _passage_head(shown: ShownItems, part: ItemPart, number: int, panel: RagPanel | None) -> None:
    known = next((p for p in panel.passages if p.passage == number), None) if panel else None
    name = f" · {label(part.name, 60)}" if part.name and shown.names else ""
    words = "no word on its relevance"
    if known is not None:
        relevant = {True: "✓ relevant", False: "✗ not relevant", None: "? judges are split on its relevance"}
        words = relevant[known.relevant]
    st.markdown(f"**Passage {number}**{name} · {words}")


def _pointing(shown: ShownItems, panel: RagPanel | None, claims: _Claims, passage: int) -> None:
    pointing = [c for c in panel.claims if any(passage in v.passages for v in c.votes.values())] if panel else []
    for claim in pointing:
        _claim(shown, claim, claims.words(claim))
    if not pointing:
        st.markdown("No claim points to it.")


def _claim(shown: ShownItems, claim: ClaimPanel, words: str) -> None:
    look = LOOKS[claim.verdict]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**Claim {claim.claim}**", width="content")
        st.badge(look.words, icon=look.icon, color=look.colour)
    line(words)
    notes = (
        []
        if claim.found_by is None or len(shown.judge_names) == 1
        else [f"found by {shown.judge_names[claim.found_by]}"]
    )
    if len(claim.votes) > 1:
        votes = claim.votes.items()
        notes += [f"{shown.judge_names[judge]}: {vote.verdict.replace('_', ' ')}" for judge, vote in votes]
    if notes:
        st.caption(" · ".join(notes))


def _elsewhere(shown: ShownItems, marked: Marked, panel: RagPanel, claims: _Claims) -> None:
    """The claims that point to no passage."""
    there = range(1, len(marked.detail.item.of("passage")) + 1)
    loose = [c for c in panel.claims if not any(n in there for vote in c.votes.values() for n in vote.passages)]
    if not loose:
        return
    st.subheader("Claims that point to no passage", anchor=False)
    for claim in loose:
        with st.container(border=True):
            _claim(shown, claim, claims.words(claim))


def _reference(shown: ShownItems, panel: RagPanel, claims: _Claims) -> None:
    """What the reference answer claims, and whether the answer says it."""
    if not panel.reference_claims:
        return
    st.subheader("Claims of the reference answer", anchor=False)
    for claim in panel.reference_claims:
        look = LOOKS[claim.verdict]
        with st.container(border=True):
            st.badge(COVERED.get(claim.verdict, look.words), icon=look.icon, color=look.colour)
            line(claims.words(claim, reference=True))
            if claim.found_by is not None and len(shown.judge_names) > 1:
                st.caption(f"found by {shown.judge_names[claim.found_by]}")
