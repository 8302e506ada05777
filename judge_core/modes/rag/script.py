"""The script of one judge about one retrieval answer: claims and relevance first, then labels, then figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from judge_core.modes.asking.dialogue import Opinion, Script, Step
from judge_core.modes.points.pointwise import read_pointwise
from judge_core.modes.rag.reading import ClaimsReading, LabelsReading, read_claims, read_labels
from judge_core.records.item import Item, PartRole
from judge_core.records.item_verdict import ClaimLabel, RagVerdict
from judge_core.records.notices import explain
from judge_core.records.prompt import Ask, AskMode
from judge_core.records.record import Notice
from judge_core.records.spec import ItemSpec
from judge_core.records.verdict import PointReading
from judge_core.scoring.rag import rag_metrics

ROOM = 2000
"""Characters by which the claims found in an answer may be longer than all of its item."""


def rag_script(judge: int, item: Item, spec: ItemSpec, replicate: int, texts: Mapping[str, str]) -> Script[Opinion]:
    """Asks for the claims (where the item gives none), the answer's scores and the claims of a reference answer, together;
    then for the labels of claims and passages, and of the reference's claims.

    Without claims or labels there is no verdict. Scores or coverage that are missing leave their figures None, with a
    warning. An answer that makes no claim has a verdict, and its passages are labelled all the same.
    """
    asks = _Asks(judge, item, spec, replicate)
    first = _First(
        scores=asks.scores(),
        claims=None if item.of("claim") else asks.claims("answer"),
        reference=asks.claims("reference") if item.of("reference") else None,
    )
    yield first.steps
    if first.claims and first.claims.reading is None:
        return Opinion(None, _warnings(first.steps))
    second = _Second(asks.labels(first.found), asks.coverage(first.wanted))
    if second.steps:
        yield second.steps
    if second.labels and second.labels.reading is None:
        return Opinion(None, _warnings([*first.steps, *second.steps]))
    return _opinion(item, first, second)


@dataclass
class _First:
    """The steps of the first turn; None where there is nothing to ask."""

    scores: Step[PointReading]
    claims: Step[ClaimsReading] | None
    reference: Step[ClaimsReading] | None

    @property
    def steps(self) -> list[Step[Any]]:
        return [step for step in (self.claims, self.reference, self.scores) if step]

    @property
    def found(self) -> tuple[str, ...]:
        """The claims that the judge found in the answer."""
        return self.claims.reading.claims if self.claims and self.claims.reading else ()

    @property
    def wanted(self) -> tuple[str, ...]:
        """The claims of the reference answer."""
        return self.reference.reading.claims if self.reference and self.reference.reading else ()


@dataclass
class _Second:
    """The steps of the second turn; None where there is nothing to ask."""

    labels: Step[LabelsReading] | None
    coverage: Step[LabelsReading] | None

    @property
    def steps(self) -> list[Step[Any]]:
        return [step for step in (self.labels, self.coverage) if step]


class _Asks:
    """The questions of one judge about one item."""

    def __init__(self, judge: int, item: Item, spec: ItemSpec, replicate: int):
        self._judge, self._item, self._spec, self._replicate = judge, item, spec, replicate

    def scores(self) -> Step[PointReading]:
        ask = self._ask("pointwise", ("question", "answer"))
        criteria = self._spec.rubric.criteria
        return Step(ask, "scores", lambda text, reason: read_pointwise(text, criteria, reason))

    def claims(self, role: PartRole) -> Step[ClaimsReading]:
        name = "claims" if role == "answer" else "reference_claims"
        most = sum(part.characters for part in self._item.parts) + ROOM
        return Step(self._ask("rag_claims", ("question", role)), name, partial(read_claims, most=most))

    def labels(self, found: tuple[str, ...]) -> Step[LabelsReading] | None:
        """None where there are no passages: then no claim can be found in one, whatever a judge would say."""
        claims, passages = len(self._item.of("claim")) + len(found), len(self._item.of("passage"))
        if not passages:
            return None
        ask = self._ask("rag_labels", ("question", "answer", "passage", "claim"), found)
        return Step(ask, "labels", partial(_read_labels, claims, passages))

    def coverage(self, wanted: tuple[str, ...]) -> Step[LabelsReading] | None:
        if not wanted:
            return None
        return Step(
            self._ask("rag_coverage", ("question", "answer"), wanted), "coverage", partial(_read_labels, len(wanted), 0)
        )

    def _ask(self, mode: AskMode, roles: Sequence[PartRole], claims: tuple[str, ...] = ()) -> Ask:
        parts = [part for role in roles for part in self._item.of(role)]
        return Ask(
            judge=self._judge,
            mode=mode,
            texts=tuple(part.sha256 for part in parts),
            roles=tuple(part.role for part in parts),
            claims=claims,
            replicate=self._replicate,
        )


def _read_labels(claims: int, passages: int, text: str, finish_reason: str | None) -> LabelsReading:
    return read_labels(text, claims, passages, finish_reason)


def _opinion(item: Item, first: _First, second: _Second) -> Opinion:
    labels = second.labels.reading if second.labels else None
    claims, relevant = (labels.claims, labels.relevant) if labels else (_unfounded(item, first), {})
    covered = second.coverage.reading.claims if second.coverage and second.coverage.reading else ()
    scored = first.scores.reading
    verdict = RagVerdict(
        claims=claims,
        relevant=relevant,
        reference_claims=covered,
        scores=scored.scores if scored else {},
        metrics=rag_metrics(claims, relevant, len(item.of("passage")), covered, scored.total if scored else None),
    )
    steps = [*first.steps, *second.steps]
    bare = bool(claims) and not item.of("passage")
    unshown = any(claim.verdict == "supported" and not claim.passages for claim in claims)
    causes = (
        ("no_claims", not claims), ("no_passages", bare), ("no_evidence", unshown), ("part_missing", _lacks(steps)),
    )  # fmt: skip
    said = [code for code, holds in causes if holds]
    own = tuple(Notice(code=code, message=explain(code)) for code in said)
    return Opinion(verdict, (*_warnings(steps), *own))


def _unfounded(item: Item, first: _First) -> tuple[ClaimLabel, ...]:
    """The labels of an answer without passages."""
    count = len(item.of("claim")) + len(first.found)
    return tuple(ClaimLabel(claim=number, verdict="not_found") for number in range(1, count + 1))


def _lacks(steps: Sequence[Step[Any]]) -> bool:
    return any(step.reading is None for step in steps)


def _warnings(steps: Sequence[Step[Any]]) -> tuple[Notice, ...]:
    return tuple(notice for step in steps if step.reading for notice in step.reading.warnings)
