"""The library's door: `Judge` ranks texts from Python, with the same engine, data folder and cache as every other door."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from judge_core.engine.estimate import Estimate
from judge_core.interfaces.library.asynchronous import AsyncSiblings
from judge_core.interfaces.library.changes import Changes
from judge_core.interfaces.library.evaluations import each
from judge_core.interfaces.library.options import CriteriaSource, read_criteria
from judge_core.interfaces.library.pair import PairVerdict, pair_verdict
from judge_core.interfaces.library.rank_options import RankOptions, rank_spec
from judge_core.interfaces.library.refine.door import Refining
from judge_core.interfaces.library.results import Ranking, follow
from judge_core.interfaces.library.texts import Texts, read_texts
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, text_refs
from judge_core.records.event import Stored
from judge_core.records.spec import JudgeSpec


class Judge(Refining, Changes, AsyncSiblings):
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
        chosen = self._chosen(RankOptions, options)
        reading = read_texts(texts)
        spec = rank_spec(self.bench, text_refs(reading.artifacts), self.rubric, chosen)
        self.bench.keep_texts(reading.artifacts)
        run = self.bench.start(spec, concurrency=chosen.concurrency)
        follow(self.bench, run, each(on_event))
        return Ranking.of(self.bench, run, reading.problems)

    def estimate(self, texts: Texts, **options: Any) -> Estimate:
        """Calls, tokens, dollars (None: unknown) and seconds of `rank` with the same arguments. Asks nothing."""
        chosen = self._chosen(RankOptions, options)
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
        return pair_verdict(ranking, "a")

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
