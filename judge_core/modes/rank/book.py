"""What a ranking knows so far: who takes part, who met whom with what result, the live Elo, and the posterior of it all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from judge_core.ranking import elo
from judge_core.ranking.bradley_terry import Posterior, Verdicts
from judge_core.ranking.evidence import Graded, Said, either_way, mean_places, shares, standing, terms_of
from judge_core.ranking.schedules.schedule import pairs_unmet
from judge_core.ranking.schedules.wave import Progress, Result, Wave
from judge_core.records.event import RoundTrimmed
from judge_core.records.item_verdict import ItemJudgment
from judge_core.records.retries import counting
from judge_core.records.spec import Spec, TextRef
from judge_core.records.verdict import Judgment, MatchResult
from judge_core.scoring.grades import graded
from judge_core.scoring.weighing import panel_result

Meeting = tuple[int, tuple[str, ...]]
"""A round and who met in it, in the order written: a pair whose match failed may be paired again in a later round."""


@dataclass
class Book:
    """The books of one run. Texts are known by alias."""

    spec: Spec
    texts: dict[str, TextRef] = field(default_factory=dict)
    """All that ever took part, in the spec's order, late ones last."""
    late: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)
    ratings: dict[str, float] = field(default_factory=dict)
    """Live Elo."""
    round: int = 0
    moved: set[Meeting] = field(default_factory=set)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    shown_first: dict[frozenset[str], str] = field(default_factory=dict)
    byes: Counter[str] = field(default_factory=Counter)
    paired: list[tuple[int, tuple[str, str]]] = field(default_factory=list)
    """Every pair of every round, in order."""
    fallen: set[Meeting] = field(default_factory=set)
    """Pairs that nobody was asked about, since a text of them was withdrawn."""
    listed: list[tuple[str, ...]] = field(default_factory=list)
    """Every list, and every single text, that a round asked for."""
    pairs: dict[Meeting, tuple[Judgment, ...]] = field(default_factory=dict)
    """What counts of each match, by judge, retries taken in."""
    lists: dict[Meeting, tuple[ItemJudgment, ...]] = field(default_factory=dict)
    """Of each list, and of each text that was scored by itself."""

    def __post_init__(self) -> None:
        self.join(self.spec.texts)

    def join(self, texts: Sequence[TextRef], *, late: bool = False) -> None:
        """Takes texts in; they begin at their prior Elo, or the run's start."""
        for text in texts:
            self.texts[text.alias] = text
            self.ratings[text.alias] = self.spec.elo_start if text.prior_elo is None else text.prior_elo
            if late:
                self.late.add(text.alias)

    def open_round(self, wave: Wave) -> None:
        """Notes a round as it is paired."""
        self.round += 1
        self.paired += [(self.round, pair) for pair in wave.pairs]
        self.listed += [*wave.groups, *((single,) for single in wave.singles)]
        self.byes.update(wave.byes)

    def trim(self, trimmed: RoundTrimmed) -> None:
        """Notes what of the round falls away, or is asked in another's stead."""
        self.fallen |= {(trimmed.round, pair) for pair in trimmed.pairs}
        left = dict(zip(trimmed.groups, trimmed.left, strict=True)) | {(single,): () for single in trimmed.singles}
        self.listed = [rest for shown in self.listed if (rest := left.get(shown, shown))]

    def judged_pair(self, meeting: Meeting, result: MatchResult) -> float | None:
        """Notes a match's judgments and moves Elo, once a match; returns the panel's result for a."""
        outcome = panel_result(result.judgments, self.spec.judges)
        self.pairs[meeting] = counting(enumerate((*self.pairs.get(meeting, ()), *result.judgments))).judgments
        if outcome is not None and meeting not in self.moved:
            self.moved.add(meeting)
            self.met[frozenset(meeting[1])] += 1
            a, b = elo.update(self.ratings[result.a], self.ratings[result.b], outcome, self.spec.elo_k)
            self.ratings |= {result.a: a, result.b: b}
        return outcome

    def judged_list(self, meeting: Meeting, judgments: tuple[ItemJudgment, ...]) -> None:
        """Notes a list's judgments, or a single text's, and moves the Elo of a list, once: by whichever order is decided first."""
        self.lists[meeting] = counting(enumerate((*self.lists.get(meeting, ()), *judgments))).judgments
        shown, unit = meeting[1], (meeting[0], either_way(meeting[1]))
        places = mean_places(shown, judgments, shares(self.spec)) if len(shown) > 1 else {}
        if places and unit not in self.moved:
            self.moved.add(unit)
            self.ratings |= elo.update_list({alias: self.ratings[alias] for alias in shown}, places, self.spec.elo_k)

    def progress(self) -> Progress:
        """What the schedule goes on from."""
        return Progress(
            texts=tuple(alias for alias in self.texts if alias not in self.withdrawn),
            late=frozenset(self.late - self.withdrawn),
            round=self.round,
            elo=self.ratings,
            met=self.met,
            grouped=tuple(shown for shown in self.listed if len(shown) > 1),
            byes=self.byes,
            results=tuple(
                Result(r, *pair, self._result(r, pair), (r, pair) not in self.fallen) for r, pair in self.paired
            ),
            scored=frozenset(shown[0] for shown in self.listed if len(shown) == 1),
            posterior=self.posterior,
            seed=self.spec.seed,
        )

    def pairs_left(self) -> int | None:
        """Pairs of texts that take part and may still meet; None where nothing bounds them."""
        taking_part = self.texts.keys() - self.withdrawn
        return pairs_unmet(self.spec, taking_part, (pair for _, pair in self.paired), self.met)

    def _result(self, round: int, pair: tuple[str, str]) -> float | None:
        found = self.pairs.get((round, pair), ())
        return panel_result(found, self.spec.judges)

    def posterior(self) -> Posterior:
        """The rating of all verdicts so far, by the evidence that the run is to rest on."""
        return self._standing(tuple(self.texts))

    def standing(self) -> Posterior:
        """The same of the texts that take part, as if the withdrawn ones had never been there."""
        return self._standing(tuple(alias for alias in self.texts if alias not in self.withdrawn))

    def verdicts(self) -> Verdicts:
        """All that was decided, of whatever kind."""
        return self._said().verdicts(self._grades, shares(self.spec))

    def _said(self) -> Said:
        met = [(a, b, judgment) for (_, (a, b)), found in self.pairs.items() for judgment in found]
        return Said(met, [(number, shown, found) for (number, shown), found in self.lists.items()])

    def _standing(self, texts: Sequence[str]) -> Posterior:
        terms = terms_of((self.texts[alias] for alias in texts), self.spec.evidence)
        return standing(texts, self._said(), self._grades, shares(self.spec), terms)

    def _grades(self, judgments: Sequence[Judgment]) -> Sequence[Graded]:
        return graded(judgments, self.spec.evidence).grades
