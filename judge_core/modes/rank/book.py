"""What a ranking knows so far: who takes part, who met whom with what result, the live Elo, and the posterior of it all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from judge_core.ranking import elo
from judge_core.ranking.bradley_terry import Posterior, Terms, Verdicts, estimate
from judge_core.ranking.evidence import either_way, list_rankings, mean_places, pair_comparisons, shares, text_scores
from judge_core.ranking.schedules.schedule import pairs_unmet
from judge_core.ranking.schedules.wave import Progress, Result, Wave
from judge_core.records.event import RoundTrimmed
from judge_core.records.item_verdict import ItemJudgment
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
        self.pairs[meeting] = _together(self.pairs.get(meeting, ()), result.judgments)
        if outcome is not None and meeting not in self.moved:
            self.moved.add(meeting)
            self.met[frozenset(meeting[1])] += 1
            a, b = elo.update(self.ratings[result.a], self.ratings[result.b], outcome, self.spec.elo_k)
            self.ratings |= {result.a: a, result.b: b}
        return outcome

    def judged_list(self, meeting: Meeting, judgments: tuple[ItemJudgment, ...]) -> None:
        """Notes a list's judgments, or a single text's, and moves the Elo of a list, once: by whichever order is decided first."""
        self.lists[meeting] = _together(self.lists.get(meeting, ()), judgments)
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
        return self._estimated(frozenset())

    def standing(self) -> Posterior:
        """The same of the texts that take part, as if the withdrawn ones had never been there."""
        return self._estimated(frozenset(self.withdrawn))

    def verdicts(self, without: frozenset[str] = frozenset()) -> Verdicts:
        """All that was decided, of whatever kind; what shows a text of `without` is left out."""
        weights = shares(self.spec)
        met = [(a, b, j) for (_, (a, b)), found in self.pairs.items() if without.isdisjoint((a, b)) for j in found]
        grades = graded([judgment for _, _, judgment in met], self.spec.evidence).grades
        lists = [
            (shown, found, self.lists.get((r, shown[::-1]), ()))
            for (r, shown), found in self.lists.items()
            if without.isdisjoint(shown)
        ]
        return Verdicts(
            comparisons=list(pair_comparisons(met, grades, weights)),
            rankings=[
                one
                for shown, found, turned in lists
                if len(shown) > 1
                for one in list_rankings(shown, found, weights, turned)
            ],
            scores=[s for shown, found, _ in lists if len(shown) == 1 for s in text_scores(shown[0], found, weights)],
        )

    def _estimated(self, without: frozenset[str]) -> Posterior:
        items = [alias for alias in self.texts if alias not in without]
        anchors = {alias: known for alias in items if (known := self.texts[alias].anchor) is not None}
        terms = Terms(margins=self.spec.evidence != "winner", anchors=anchors)
        return estimate(items, self.verdicts(without), terms)


def _together(earlier: tuple, later: tuple) -> tuple:  # type: ignore[type-arg]
    """By judge: a later judgment takes the earlier one's place, unless only the earlier is decided."""
    kept = {judgment.judge: judgment for judgment in earlier}
    for judgment in later:
        known = kept.get(judgment.judge)
        if known is None or judgment.decided or not known.decided:
            kept[judgment.judge] = judgment
    return tuple(kept[judge] for judge in sorted(kept))
