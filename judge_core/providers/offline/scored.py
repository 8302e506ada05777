"""The demo judge's scores as replies: of one text, of a pair, at a gate, and of a list.

Beside the text's own statistics two things can move a score, each by a stated rule:
- a reference answer: every score is made of 70 % statistics and 30 % likeness to it (shared content words);
- a question, for a criterion whose name speaks of relevance: the score is made of the share of the question's content
  words that stand in the answer, and of nothing else. A refusal gets the lowest score there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from judge_core.providers.offline.content_words import content_words, likeness, share_in
from judge_core.providers.offline.grades import between, counted, grade, mentions, on_scale, reason
from judge_core.providers.offline.labels.retrieval import is_refusal
from judge_core.providers.offline.sheets import LABEL, Shown
from judge_core.providers.offline.text_statistics import TextStatistics
from judge_core.records.criteria import Criterion

REFERENCE_SHARE = 0.3
"""How much of a score the likeness to a reference answer makes."""
RELEVANCE = ("relevan", "respons", "pertinen", "topic")
"""Beginnings of words by which a criterion's name speaks of relevance to a question."""
PASS_MARK = 3.5
"""The mean of all scores, each brought to a scale of 1 to 5, from which the demo judge lets a text pass."""
CLEAR_LEAD = 0.3
"""The mean lead (as a share of the scale) from which a text is clearly ahead: about half of the example essays' pairs."""
TIE_MARGIN = 1e-9
"""Mean leads (as a share of the scale) up to which two texts are a tie."""
VERDICTS = {
    "A": "Over all criteria the text statistics of A stand higher.",
    "B": "Over all criteria the text statistics of B stand higher.",
    "tie": "Over all criteria the text statistics of both stand level.",
}
Reply = dict[str, Any]


@dataclass(frozen=True)
class Judged:
    """One text to be scored, with its statistics and what it is measured against."""

    statistics: TextStatistics
    words: frozenset[str] = frozenset()
    """Its content words, where there is something to measure them against."""
    question: frozenset[str] = frozenset()
    """The question's content words."""
    reference: frozenset[str] = frozenset()
    """Those of the reference answer."""
    refused: bool = False
    """Whether it is a refusal to answer the question."""

    def grade(self, criterion: Criterion) -> float:
        """0..1 on a criterion."""
        if self._about(criterion):
            return self._relevance()
        own = grade(self.statistics, criterion)
        if not self.reference:
            return own
        return (1 - REFERENCE_SHARE) * own + REFERENCE_SHARE * likeness(self.words, self.reference)

    def row(self, criterion: Criterion) -> Reply:
        """The criterion's row of a reply."""
        return {
            "name": criterion.name,
            "score": on_scale(self.grade(criterion), criterion),
            "reasoning": f"Found {self._said(criterion)}. {LABEL}",
        }

    def _about(self, criterion: Criterion) -> bool:
        return bool(self.question) and mentions(criterion.name, RELEVANCE)

    def _relevance(self) -> float:
        if not self.statistics.words or self.refused:
            return 0.0
        return between(share_in(self.question, self.words), 0.0, 0.7)

    def _said(self, criterion: Criterion) -> str:
        if self._about(criterion):
            refused = ", and the answer is a refusal" if self.refused else ""
            return f"{len(self.question & self.words)} of {counted(len(self.question), 'content word')} of the question{refused}"
        said = reason(self.statistics, criterion)
        if not self.reference:
            return said
        shared = len(self.reference & self.words)
        return f"{said}, {shared} of {counted(len(self.reference), 'content word')} of the reference answer"


def judged_texts(shown: Shown, statistics: Sequence[TextStatistics]) -> list[Judged]:
    """The texts of a sheet that get scores; `statistics` are theirs, in their order."""
    question, reference = content_words(shown.first("question")), content_words(shown.first("reference"))
    if not question and not reference:
        return [Judged(own) for own in statistics]
    return [
        Judged(own, content_words(text), question, reference, bool(question) and is_refusal(text))
        for text, own in zip(shown.scored, statistics, strict=True)
    ]


def pointwise(text: Judged, criteria: Sequence[Criterion]) -> Reply:
    """Scores of one text, and the sentence that says most."""
    return {
        "criteria": [text.row(criterion) for criterion in criteria],
        "quotes": _quotes(text),
        "reasoning": f"Text statistics only: {counted(text.statistics.words, 'word')}. {LABEL}",
    }


def gate(text: Judged, criteria: Sequence[Criterion]) -> Reply:
    """The same with a verdict: a pass where the plain mean of all scores, on 1 to 5, is `PASS_MARK` or more.

    Which criterion counts more, and which bar was chosen, is not shown to a judge.
    """
    rows = [text.row(criterion) for criterion in criteria]
    mean = 1 + 4 * fmean(_share(row["score"], criterion) for row, criterion in zip(rows, criteria, strict=True))
    verdict = "pass" if mean >= PASS_MARK - TIE_MARGIN else "fail"
    said = f"The plain mean of all scores is {mean:.2f} on a scale of 1 to 5; {PASS_MARK} passes. {LABEL}"
    return {"criteria": rows, "quotes": _quotes(text), "verdict": verdict, "reasoning": said}


def listwise(texts: Sequence[Judged], criteria: Sequence[Criterion]) -> Reply:
    """Candidates by their mean grade over all criteria; equal ones in the order shown, which is a position bias at ties."""
    means = [fmean(text.grade(criterion) for criterion in criteria) for text in texts]
    ranking = sorted(range(len(texts)), key=lambda number: -means[number])
    best = ranking[0]
    tied = len(set(means)) < len(means)
    ties = " Equal ones stand in the order shown." if tied else ""
    return {
        "ranking": [str(number + 1) for number in ranking],
        "quotes": [{"candidate": str(best + 1), **quote} for quote in _quotes(texts[best])],
        "reasoning": f"Ranked by the mean of the text statistics over all criteria.{ties} {LABEL}",
    }


def pairwise(a: Judged, b: Judged, criteria: Sequence[Criterion]) -> Reply:
    """Scores of both texts, and a winner where no criterion speaks against it."""
    rows = [
        {
            "name": c.name,
            "score_a": on_scale(a.grade(c), c),
            "score_b": on_scale(b.grade(c), c),
            "reasoning": f"A: {reason(a.statistics, c)}. B: {reason(b.statistics, c)}. {LABEL}",
        }
        for c in criteria
    ]
    quotes = [{"side": side, **quote} for side, text in (("A", a), ("B", b)) for quote in _quotes(text)]
    winner = _winner(rows, criteria)
    if winner is None:  # which criterion counts more is not shown to a judge, so it cannot say who wins
        said = f"The statistics favour A on some criteria and B on others. {LABEL}"
        return {"criteria": rows, "quotes": quotes, "reasoning": said}
    return {"criteria": rows, "quotes": quotes, "winner": winner, "reasoning": f"{VERDICTS[winner]} {LABEL}"}


def with_degree(reply: Reply, criteria: Sequence[Criterion]) -> Reply:
    """The reply to a pair with how far the better text is ahead: clearly from a mean lead of `CLEAR_LEAD` on.

    Where the criteria disagree, whoever is ahead is so slightly.
    """
    clear = reply.get("winner") in ("A", "B") and abs(fmean(_leads(reply["criteria"], criteria))) >= CLEAR_LEAD
    return {**reply, "degree": "clearly" if clear else "slightly"}


def _quotes(text: Judged) -> list[dict[str, str]]:
    return [{"text": text.statistics.quote}] if text.statistics.quote else []


def _share(score: float, criterion: Criterion) -> float:
    return (score - criterion.scale_min) / (criterion.scale_max - criterion.scale_min)


def _winner(rows: Sequence[Mapping[str, Any]], criteria: Sequence[Criterion]) -> str | None:
    """The text that no criterion puts behind; None where the criteria disagree."""
    leads = _leads(rows, criteria)
    if all(abs(lead) <= TIE_MARGIN for lead in leads):
        return "tie"
    if min(leads) >= -TIE_MARGIN:
        return "A"
    return "B" if max(leads) <= TIE_MARGIN else None


def _leads(rows: Sequence[Mapping[str, Any]], criteria: Sequence[Criterion]) -> list[float]:
    """How far A is ahead on each criterion, as a share of its scale."""
    return [_share(row["score_a"], c) - _share(row["score_b"], c) for row, c in zip(rows, criteria, strict=True)]
