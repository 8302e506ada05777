"""A run before the eyes of its starter: progress while it goes, the verdict at its end, a clean pause at an interrupt."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from judge_core.interfaces.cli.output import money, say, show, show_table, write_json
from judge_core.interfaces.cli.verb import DONE, NOT_DONE
from judge_core.interfaces.library.results import Ranking, follow
from judge_core.records.errors import PodiumError
from judge_core.records.event import Ended, RoundClosed, Stored
from judge_core.views.exports import event_record
from judge_core.views.standings import Standing
from judge_core.views.state import RunState

if TYPE_CHECKING:
    from rich.progress import Progress

    from judge_core.interfaces.workbench import Workbench

MOST_ROWS = 100
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def watch(bench: Workbench, run: str, *, as_json: bool) -> tuple[Ranking, int]:
    """Follows a run of this process to its stop and shows its end; returns its ranking and the exit status."""
    trouble = None
    with _paused_by_signals(bench, run), _progress(as_json) as bar:
        reporter = Reporter(bench, run, bar, as_json)
        try:
            follow(bench, run, reporter.tell)
        except PodiumError as error:
            trouble = str(error)
    ranking = Ranking.of(bench, run)
    if as_json:
        write_json({**reporter.end, **ranking.record(), **({"error": trouble} if trouble else {})})
    else:
        show_ranking(ranking)
    _tell_what_next(ranking, trouble)
    return ranking, DONE if ranking.status == "done" and ranking.table.rated and not trouble else NOT_DONE


def _tell_what_next(ranking: Ranking, trouble: str | None) -> None:
    if trouble:
        say(f"Error: {trouble}")
    elif ranking.status != "done":
        say(f"The run is not done ({ranking.status}). {ranking.state.reason} All replies so far are kept.")
    if ranking.status in ("budget", "failed", "paused"):
        cap = " --max-cost N (or --max-calls N)" if ranking.status == "budget" else ""
        say(f"Go on with: podium runs resume {ranking.run_id[:8]}{cap}")


class Reporter:
    """Tells of events as they come: lines of JSON, a progress bar, or a line a round where there is no terminal."""

    def __init__(self, bench: Workbench, run: str, bar: Progress | None, as_json: bool):
        self.end: dict[str, object] = {}
        """Number and time of the last `ended` event. It is held back: the record that ends the output carries it."""
        self._bench, self._run, self._bar, self._json = bench, run, bar, as_json
        self._log = _logger(bench, run)
        self._task = None if bar is None else bar.add_task("", total=None, spent="")

    def tell(self, events: Sequence[Stored]) -> None:
        """Takes new events."""
        for stored in events:
            if isinstance(stored.event, Ended):
                self.end = {"seq": stored.seq, "at": stored.at}
            elif self._json:
                write_json(event_record(stored))
            if self._log is not None:
                self._log.info(stored.event.type, seq=stored.seq, place=getattr(stored.event, "place", None))
        if self._json:
            return
        state = self._bench.state(self._run)
        if self._bar is not None and self._task is not None:
            done, spent = len(state.matches), spent_words(state)
            self._bar.update(self._task, total=state.planned_matches, completed=done, spent=spent)
        else:
            self._tell_rounds(events, state)

    def _tell_rounds(self, events: Sequence[Stored], state: RunState) -> None:
        for stored in events:
            if isinstance(stored.event, RoundClosed):
                say(f"Round {stored.event.round} of {state.spec.rounds} is judged.")


def spent_words(state: RunState) -> str:
    """Calls, cached replies and money of a run so far."""
    spent = state.spent
    cost = money(spent.cost.known) if spent.cost.exact is not None else f"{money(spent.cost.known)} and unknown prices"
    return f"{spent.calls} calls, {spent.cached} cached, {cost}"


@contextmanager
def _progress(as_json: bool) -> Iterator[Progress | None]:
    """A progress bar on the error stream, where that is a terminal and nobody reads JSON."""
    from rich.console import Console

    console = Console(stderr=True, markup=False, highlight=False)
    if as_json or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("matches"), TextColumn("{task.fields[spent]}"))
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        yield bar


@contextmanager
def _paused_by_signals(bench: Workbench, run: str) -> Iterator[None]:
    """Ctrl-C and SIGTERM pause the run, which then ends in order; a second one leaves at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        for each in SIGNALS:
            signal.signal(each, leave)
        os.write(2, b"Pausing: waiting for the replies that are on their way. Once more to leave at once.\n")
        threading.Thread(target=bench.pause, args=(run,)).start()  # a handler must not wait for a lock it may interrupt

    def leave(number: int, frame: object) -> None:
        os._exit(128 + number)

    before = {each: signal.signal(each, stop) for each in SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _logger(bench: Workbench, run: str) -> Any:
    """A log on the error stream, where PODIUM_LOG_LEVEL asks for one. It holds numbers and names of events, no texts."""
    if "log_level" not in bench.settings.model_fields_set:
        return None
    import logging
    import sys

    import structlog

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, bench.settings.log_level)),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        processors=[structlog.processors.add_log_level, structlog.processors.TimeStamper("iso", utc=True),
                    structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])],
    )  # fmt: skip
    return structlog.get_logger().bind(run=run)


def show_ranking(ranking: Ranking) -> None:
    """Verdict, table and ledger for people."""
    state = ranking.state
    show(ranking.sentence)
    rows = [_row(row) for row in ranking.standings[:MOST_ROWS]]
    show_table(("rank", "text", "rating", "±", "W-L-T", "tied with", "status"), rows, ("rank", "rating", "±"))
    if len(ranking.standings) > MOST_ROWS:
        show(f"... and {len(ranking.standings) - MOST_ROWS} more; the CSV has all of them.")
    counts = ", ".join(f"{number} {outcome}" for outcome, number in state.ledger.items() if number)
    show(f"Judgments: {state.planned_judgments} planned: {counts or 'none'}. {spent_words(state)}.")
    causes = Counter(t.error for m in state.matches.values() for j in m.judgments for t in j.turns if t.error)
    for cause, number in causes.most_common(3):
        show(f"{number} times: {cause}")
    show(f"Run: {ranking.run_id}")


def _row(row: Standing) -> tuple[object, ...]:
    half = None if row.low is None or row.high is None else f"{(row.high - row.low) / 2:.0f}"
    rating = None if row.rating is None else f"{row.rating:.0f}"
    tied = f"{len(row.tied_with)} others" if len(row.tied_with) > 1 else ("1 other" if row.tied_with else "")
    record = f"{row.wins}-{row.losses}-{row.ties}"
    return (
        row.rank,
        row.id,
        rating,
        half,
        record,
        tied,
        row.status if row.group is None else f"{row.status}, {row.group}",
    )
