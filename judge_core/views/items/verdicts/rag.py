"""Retrieval answers: the panel's labels of claims and passages, and the mean of what each judge's labels come to.

Claims that the data gives are the same before every judge, and get the panel's majority. Claims that a judge found itself are
its own: the same number before two judges is not the same claim, so each stands alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from judge_core.records.item_verdict import ClaimLabel, Label, RagMetrics, RagVerdict
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.panel import Mean, Voice, majority, voices, weighted_mean

RAG_METRICS = tuple(RagMetrics.model_fields)
Voices = list[Voice[RagVerdict]]


@dataclass(frozen=True, slots=True)
class ClaimPanel:
    """One claim and how it was labelled."""

    claim: int
    found_by: int | None
    """The judge that found it in the answer; None where the data gave it and all judges label it."""
    verdict: Label | Literal["disputed"]
    """The label with the most weight; 'disputed' where two have the most."""
    votes: Mapping[int, ClaimLabel]
    """Judge -> its label."""


@dataclass(frozen=True, slots=True)
class PassagePanel:
    """One passage and whether the panel takes it for relevant."""

    passage: int
    relevant: bool | None
    """None where the panel is evenly split."""
    votes: Mapping[int, bool]


@dataclass(frozen=True, slots=True)
class RagPanel:
    """The panel's verdict on one answer."""

    metrics: Mapping[str, Mean]
    """Weighted mean over the judges to whom there was something to measure, by metric."""
    scores: Mapping[str, Mean]
    """Weighted mean native score by criterion."""
    claims: tuple[ClaimPanel, ...]
    reference_claims: tuple[ClaimPanel, ...]
    """Claims of the reference answer, each found by one judge."""
    passages: tuple[PassagePanel, ...]
    judges: int

    def labelled(self, label: Label | Literal["disputed"]) -> int:
        """How many claims of the answer got that label."""
        return sum(claim.verdict == label for claim in self.claims)


def rag_panel(state: ItemState, alias: str) -> RagPanel | None:
    """The panel's verdict on an answer; None where no judge brought one."""
    heard = voices(state.items.get(alias), state.spec.judges, RagVerdict)
    if not heard:
        return None
    given = len(state.spec.by_alias[alias].of("claim"))
    names = [criterion.name for criterion in state.spec.rubric.criteria]
    return RagPanel(
        metrics={name: _metric(heard, name) for name in RAG_METRICS},
        scores={
            name: weighted_mean((voice.weight, voice.verdict.scores.get(name)) for voice in heard) for name in names
        },
        claims=(*_shared_claims(heard, given), *_own_claims(heard, given)),
        reference_claims=tuple(_own(voice, label) for voice in heard for label in voice.verdict.reference_claims),
        passages=_passages(heard),
        judges=len(heard),
    )


def _metric(heard: Voices, name: str) -> Mean:
    return weighted_mean((voice.weight, getattr(voice.verdict.metrics, name)) for voice in heard)


def _shared_claims(heard: Voices, given: int) -> list[ClaimPanel]:
    votes: dict[int, dict[int, ClaimLabel]] = {}
    weights = {voice.judge: voice.weight for voice in heard}
    for voice in heard:
        for label in voice.verdict.claims:
            if label.claim <= given:
                votes.setdefault(label.claim, {})[voice.judge] = label
    return [
        ClaimPanel(
            claim=claim,
            found_by=None,
            verdict=majority((weights[judge], label.verdict) for judge, label in own.items()) or "disputed",
            votes=own,
        )
        for claim, own in sorted(votes.items())
    ]


def _own_claims(heard: Voices, given: int) -> list[ClaimPanel]:
    return [_own(voice, label) for voice in heard for label in voice.verdict.claims if label.claim > given]


def _own(voice: Voice[RagVerdict], label: ClaimLabel) -> ClaimPanel:
    return ClaimPanel(label.claim, voice.judge, label.verdict, {voice.judge: label})


def _passages(heard: Voices) -> tuple[PassagePanel, ...]:
    numbers = sorted({passage for voice in heard for passage in voice.verdict.relevant})
    return tuple(_passage(heard, number) for number in numbers)


def _passage(heard: Voices, number: int) -> PassagePanel:
    saying = [voice for voice in heard if number in voice.verdict.relevant]
    relevant = majority((voice.weight, voice.verdict.relevant[number]) for voice in saying)
    return PassagePanel(number, relevant, {voice.judge: voice.verdict.relevant[number] for voice in saying})
