"""The library's way to change a ranking that was started: late texts, withdrawn texts, further rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from judge_core.interfaces.bench.changes import add_texts, extend_run, open_goal, withdraw_texts
from judge_core.interfaces.library.evaluations import each
from judge_core.interfaces.library.results import Ranking, follow
from judge_core.interfaces.library.texts import Texts, read_texts
from judge_core.interfaces.workbench import Workbench
from judge_core.ranking.goals import parse_goal
from judge_core.records.event import Stored
from judge_core.records.spec import Goal
from judge_core.views.state import RunState

OnEvent = Callable[[Stored], None]
NO_GOAL = "none"


def goal_of_extension(until: str | None, state: RunState) -> Goal | None:
    """The goal of further rounds: the one named, else the run's own while it is not reached; "none" is none."""
    if until is None:
        return open_goal(state)
    return None if until.strip().casefold() == NO_GOAL else parse_goal(until)


class Changes:
    """What can be changed of a ranking after its start. Each method waits for the end and returns the ranking anew."""

    bench: Workbench

    def add(self, ranking: Ranking, texts: Texts, *, on_event: OnEvent | None = None) -> Ranking:
        """Adds texts; in a finished ranking only they are judged, against well-chosen others.

        Texts that are in it already are left out. InputError where nothing is new, or a text is too long for a judge.
        """
        reading = read_texts(texts)
        add_texts(self.bench, ranking.run_id, reading.artifacts)
        follow(self.bench, ranking.run_id, each(on_event))
        return Ranking.of(self.bench, ranking.run_id, reading.problems)

    def withdraw(self, ranking: Ranking, texts: Sequence[str]) -> Ranking:
        """Takes texts, by id, out of a ranking: no rank, no further calls; what was judged on them stays. InputError."""
        withdraw_texts(self.bench, ranking.run_id, texts)
        follow(self.bench, ranking.run_id)
        return Ranking.of(self.bench, ranking.run_id)

    def extend(
        self, ranking: Ranking, rounds: int, *, until: str | None = None, on_event: OnEvent | None = None
    ) -> Ranking:
        """Goes on for further rounds, until a goal is reached, e.g. "top:5@0.95". InputError.

        Without `until` the ranking's own goal holds while it is not reached; "none" plays all of the rounds.

        >>> import tempfile
        >>> from judge_core import Judge
        >>> home = tempfile.TemporaryDirectory()
        >>> with Judge(question="Why do leaves fall?", home=home.name) as judge:
        ...     ranking = judge.rank({n: "Because. " * k for k, n in enumerate("abcd", start=1)}, rounds=1)
        ...     ranking = judge.extend(ranking, 2)
        >>> len(ranking.state.rounds)
        3
        >>> home.cleanup()
        """
        goal = goal_of_extension(until, self.bench.state(ranking.run_id))
        extend_run(self.bench, ranking.run_id, rounds, goal)
        follow(self.bench, ranking.run_id, each(on_event))
        return Ranking.of(self.bench, ranking.run_id)
