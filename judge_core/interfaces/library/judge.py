"""The library's door: `Judge` ranks texts from Python, with the same engine, data folder and cache as every other door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from judge_core.engine.estimate import Estimate
from judge_core.intake import read_paths
from judge_core.intake.artifacts import Part, make_artifact, settle
from judge_core.intake.counting import is_blank
from judge_core.intake.naming import brief, title_of
from judge_core.interfaces.library.options import CriteriaSource, RankOptions, rank_spec, read_criteria
from judge_core.interfaces.library.results import Ranking, follow
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, text_refs
from judge_core.records.artifact import Artifact, FileProblem, Reading
from judge_core.records.errors import InputError
from judge_core.records.event import Stored
from judge_core.records.spec import JudgeSpec
from judge_core.records.verdict import Judgment, PairScores

Texts = Mapping[str, str] | Sequence[str | Path | Artifact]
"""Texts by id; or a list whose strings are texts, and whose paths are files or folders to be read."""


@dataclass(frozen=True)
class PairVerdict:
    """One pairwise comparison, both orders asked. Scores are in the criteria's own scales, `a` for the first text given."""

    winner: Literal["a", "b", "tie"] | None
    """None: no judge gave a verdict."""
    scores: tuple[Mapping[str, PairScores], ...]
    """By judge of the panel, then by criterion."""
    reasons: tuple[str, ...]
    """In the order of the replies; each says which text the judge saw as A."""
    warnings: tuple[str, ...]
    ranking: Ranking
    """The run behind it."""


class Judge:
    """A panel of judges with a rubric. Close it, or use it as a context manager.

    `judges` is a name or several (`offline`, `openai:MODEL`, `https://host/v1#MODEL`, ...), or whole `JudgeSpec`s.
    `criteria` is a preset's name, a file, JSON, a list of criteria, or a `Rubric`; without it one criterion 'Overall',
    0 to 10. `home` is the data folder, else that of the settings. Raises InputError for what cannot be used.

    >>> import tempfile
    >>> home = tempfile.TemporaryDirectory()
    >>> with Judge(question="Why do leaves fall?", home=home.name) as judge:
    ...     ranking = judge.rank({"long": "Because days grow short, the tree seals each stem.", "short": "Wind."})
    >>> ranking.status, ranking.standings[0].id, len(ranking.standings)
    ('done', 'long', 2)
    >>> home.cleanup()
    """

    def __init__(
        self,
        judges: str | JudgeSpec | Sequence[str | JudgeSpec] = "offline",
        *,
        criteria: CriteriaSource = None,
        question: str = "",
        settings: Settings | None = None,
        home: str | Path | None = None,
    ):
        self.rubric = read_criteria(criteria, question).rubric
        self._panel = (judges,) if isinstance(judges, str | JudgeSpec) else tuple(judges)
        chosen = settings or Settings.load()
        if home is not None:
            chosen = chosen.model_copy(update={"home": Path(home).expanduser().absolute()})
        self.bench = Workbench(chosen)

    def rank(self, texts: Texts, *, on_event: Callable[[Stored], None] | None = None, **options: Any) -> Ranking:
        """Ranks the texts and waits for the end. `options` are the fields of `RankOptions`, `judges` excepted.

        The same texts and options again go on with a run that was paused, and cost nothing where the cache holds the
        replies. `on_event` is called for each event in the calling thread. An interrupt pauses the run.
        """
        chosen = self._options(options)
        reading = read_texts(texts)
        spec = rank_spec(self.bench, text_refs(reading.artifacts), self.rubric, chosen)
        self.bench.text_refs(reading.artifacts)  # stores the texts
        run = self.bench.start(spec, concurrency=chosen.concurrency)
        follow(self.bench, run, _each(on_event))
        return Ranking.of(self.bench, run, reading.problems)

    def estimate(self, texts: Texts, **options: Any) -> Estimate:
        """Calls, tokens, dollars (None: unknown) and seconds of `rank` with the same arguments. Asks nothing."""
        chosen = self._options(options)
        spec = rank_spec(self.bench, text_refs(read_texts(texts).artifacts), self.rubric, chosen)
        return self.bench.estimate(spec, concurrency=chosen.concurrency)

    def compare(self, a: str, b: str, **options: Any) -> PairVerdict:
        """Compares two texts, each shown first once; equal winners stand, differing ones are a tie.

        >>> import tempfile
        >>> home = tempfile.TemporaryDirectory()
        >>> with Judge(home=home.name) as judge:
        ...     verdict = judge.compare("Wind.", "Because days grow short, the tree seals each stem.")
        >>> verdict.winner, sorted(verdict.scores[0])
        ('b', ['Overall'])
        >>> home.cleanup()
        """
        ranking = self.rank({"a": a, "b": b}, **{"both_orders": True, **options, "rounds": 1})
        return _pair_verdict(ranking)

    def open(self, run_id: str) -> Ranking:
        """A run of this data folder. InputError where there is none of that id."""
        return Ranking.of(self.bench, run_id)

    def close(self) -> None:
        """Pauses what runs and closes the files."""
        self.bench.close()

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _options(self, given: Mapping[str, Any]) -> RankOptions:
        known = RankOptions.__dataclass_fields__
        for name in given:
            if name not in known or name == "judges":
                allowed = ", ".join(sorted(set(known) - {"judges"}))
                raise InputError(f"There is no option {name!r}. Options are: {allowed}.", field=name)
        return RankOptions(judges=self._panel, **given)


def read_texts(texts: Texts) -> Reading:
    """The texts as artifacts. InputError where one is blank, or where a path brought nothing at all."""
    if isinstance(texts, str | Path | Artifact):
        raise InputError("Give several texts: a mapping of ids to texts, or a list.", field="texts")
    if isinstance(texts, Mapping):
        return settle([_artifact(str(id), text) for id, text in texts.items()])
    artifacts: list[Artifact] = []
    problems: list[FileProblem] = []
    for number, item in enumerate(texts, start=1):
        if isinstance(item, Path):
            reading = read_paths([item])
            if not reading.artifacts:
                message = reading.problems[0].message if reading.problems else "There is nothing in it."
                raise InputError(f"{brief(item.name)} brought no text. {message}", field="texts")
            artifacts += reading.artifacts
            problems += reading.problems
        else:
            artifacts.append(item if isinstance(item, Artifact) else _artifact(f"text-{number:03d}", item))
    settled = settle(artifacts)
    return settled.model_copy(update={"problems": (*problems, *settled.problems)})


def _artifact(id: str, text: str) -> Artifact:
    if not isinstance(text, str) or is_blank(text):
        raise InputError(f"The text {brief(id)} is empty. Leave it out, or give its words.", field="texts")
    return make_artifact(Part(id=id, title=title_of(id), text=text, source="library"))


def _each(on_event: Callable[[Stored], None] | None) -> Callable[[Sequence[Stored]], None] | None:
    if on_event is None:
        return None

    def tell(events: Sequence[Stored]) -> None:
        for stored in events:
            on_event(stored)

    return tell


def _pair_verdict(ranking: Ranking) -> PairVerdict:
    view = next(iter(ranking.state.matches.values()), None)
    if view is None:
        return PairVerdict(None, (), (), (ranking.state.reason,), ranking)
    straight = ranking.labels[view.a] == "a"
    letter = view.letter(view.a if straight else view.b)
    winners: dict[str, Literal["a", "b", "tie"]] = {"W": "a", "L": "b", "D": "tie"}
    return PairVerdict(
        winner=winners.get(letter),
        scores=tuple(_turned(judgment, straight) for judgment in view.judgments),
        reasons=tuple(ranking.reasons().values()),
        warnings=tuple(notice.message for judgment in view.judgments for notice in judgment.warnings),
        ranking=ranking,
    )


def _turned(judgment: Judgment, straight: bool) -> dict[str, PairScores]:
    if straight:
        return dict(judgment.scores)
    return {name: PairScores(a=pair.b, b=pair.a) for name, pair in judgment.scores.items()}
