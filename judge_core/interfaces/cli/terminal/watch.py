"""A run before the eyes of its starter: progress while it goes, the verdict at its end, a clean pause at an interrupt."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from judge_core.interfaces.bench.panel import destinations
from judge_core.interfaces.cli.terminal.output import counted, money, say, write_json
from judge_core.interfaces.cli.terminal.showing import (
    Results,
    pair_record,
    results_of,
    show_pair,
    show_results,
    spent_words,
)
from judge_core.interfaces.cli.terminal.verb import DONE, NOT_DONE
from judge_core.interfaces.library.refine.result import Refinement
from judge_core.interfaces.library.results import Ranking, follow
from judge_core.records.errors import PodiumError
from judge_core.records.event import Ended, RoundClosed, Stored
from judge_core.records.refinement.events import PassComplete
from judge_core.records.spec import AnySpec
from judge_core.views.exports import event_record
from judge_core.views.items.state import ItemState
from judge_core.views.refine.sentence import pass_words
from judge_core.views.refine.state import RefineState
from judge_core.views.state import RunState

if TYPE_CHECKING:
    from rich.progress import Progress

    from judge_core.interfaces.workbench import Workbench

Listener = Callable[[Sequence[Stored]], None]
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def tell_before(bench: Workbench, spec: AnySpec, what: str, concurrency: int | None, units: str = "") -> None:
    """Says what is about to happen: how much (`units`: what is judged, in numbers), where the texts go, at what price."""
    criteria = "" if spec.mode == "agent" else f", {counted(len(spec.rubric.criteria), 'criterion')}"
    tell_judges(spec, f"{what}{criteria}. ")
    for judge in bench.panel.keyless(spec, {}):
        say(f"No key is set for {judge.name}; it may refuse to answer.")
    needed = bench.estimate(spec, concurrency=concurrency)
    about = "at most" if spec.mode == "refine" else "about"
    calls = f"{about} {counted(needed.calls, 'call')}, {money(needed.cost)}."
    say(f"{units}, {calls}" if units else calls[0].upper() + calls[1:])


def tell_judges(spec: AnySpec, before: str = "") -> None:
    """Says who judges, who may stand in, and where the texts go."""
    say(f"{before}Judges: {', '.join(dict.fromkeys(judge.name for judge in spec.judges))}.")
    if spec.fallbacks:
        say(f"In the place of one that cannot answer: {', '.join(judge.name for judge in spec.fallbacks)}.")
    away = destinations((*spec.judges, *spec.fallbacks))
    say(f"The texts are sent to {', '.join(away)}." if away else "Nothing leaves this computer.")


def watch(
    bench: Workbench,
    run: str,
    *,
    as_json: bool,
    pair: tuple[str, str] | None = None,
    known: int = 0,
    also: Listener | None = None,
) -> tuple[Results, int]:
    """Follows a run of this process to its stop and shows its end; returns its results and the exit status.

    `known`: the number of the last event before; people are not told again what happened up to it.
    `pair`: the ids of the two texts, in the order given, where the run is one comparison and is to be shown as such.
    `also` is told of events as they come.
    """
    results, trouble = attend(bench, run, as_json=as_json, pair=pair, known=known, also=also)
    if not as_json and pair:
        show_pair(results, pair)
    elif not as_json:
        show_results(results)
    return results, close(results, trouble)


def attend(
    bench: Workbench,
    run: str,
    *,
    as_json: bool,
    pair: tuple[str, str] | None = None,
    known: int = 0,
    also: Listener | None = None,
) -> tuple[Results, str | None]:
    """Follows a run of this process to its stop; returns its results, and what broke it. For machines all is said then.

    `also` is told of events as they come, before people are.
    """
    trouble = None
    in_lines = as_json or bench.journal.row(run).spec.mode == "refine"
    with _paused_by_signals(bench, run), _progress(in_lines) as bar:
        reporter = Reporter(bench, run, bar, as_json, known)
        try:
            follow(bench, run, _both(also, reporter.tell))
        except PodiumError as error:
            trouble = str(error)
    results = results_of(bench, run)
    if as_json:
        more = pair_record(results, pair) if pair else {}
        write_json({**reporter.end, **results.record(), **more, **({"error": trouble} if trouble else {})})
    return results, trouble


def close(results: Results, trouble: str | None) -> int:
    """Says how to go on where the run is not done; returns the exit status."""
    _tell_what_next(results, trouble)
    return DONE if not trouble and _reached(results) else NOT_DONE


def _both(first: Listener | None, second: Listener) -> Listener:
    def tell(events: Sequence[Stored]) -> None:
        if first is not None:
            first(events)
        second(events)

    return tell


def _reached(results: Results) -> bool:
    """Whether the run did what it was started for; a gate only where everything passed."""
    if results.status != "done":
        return False
    if isinstance(results, Ranking):
        return bool(results.table.rated)
    if isinstance(results, Refinement):
        return True
    return results.passed if results.mode == "gate" else results.summary.judged > 0


def _tell_what_next(results: Results, trouble: str | None) -> None:
    if trouble:
        say(f"Error: {trouble}")
    elif results.status != "done":
        say(f"The run is not done ({results.status}). {results.state.reason} All replies so far are kept.")
    if results.status in ("budget", "failed", "paused"):
        more = {"budget": " --max-cost N (or --max-calls N)"}.get(results.status, "")
        if results.status == "failed" and _all_asked(results):
            more = " --retry"
        say(f"Go on with: podium runs resume {results.run_id[:8]}{more}")


def _all_asked(results: Results) -> bool:
    """Whether all were asked that may be; what brought no verdict is asked again on request."""
    return results.state.silent if isinstance(results, Refinement) else not results.state.ledger["waiting"]


class Reporter:
    """Tells of events as they come: lines of JSON, a progress bar, or a line a round where there is no terminal."""

    def __init__(self, bench: Workbench, run: str, bar: Progress | None, as_json: bool, known: int):
        self.end: dict[str, object] = {}
        """Number and time of the last `ended` event. It is held back: the record that ends the output carries it."""
        self._bench, self._run, self._bar, self._json, self._known = bench, run, bar, as_json, known
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
        if not self._json:
            self._tell_people(events)

    def _tell_people(self, events: Sequence[Stored]) -> None:
        state = self._bench.states.of(self._run)
        if isinstance(state, RefineState):
            self._tell_passes(events, state)
        elif self._bar is not None and self._task is not None:
            done, planned = _progress_of(state)
            self._bar.update(self._task, total=planned, completed=done, spent=spent_words(state))
        elif isinstance(state, RunState):
            self._tell_rounds(events, state)

    def _tell_passes(self, events: Sequence[Stored], state: RefineState) -> None:
        for stored in events:
            if isinstance(stored.event, PassComplete):
                say(pass_words(state, replace(state.passes[stored.event.pass_num], decision=stored.event)))

    def _tell_rounds(self, events: Sequence[Stored], state: RunState) -> None:
        for stored in events:
            if isinstance(stored.event, RoundClosed) and stored.seq > self._known:
                name = round_words(stored.event.round, state)
                say(f"{name} {'are' if name.endswith('finals') else 'is'} judged.")


def round_words(number: int, state: RunState) -> str:
    """What a round is called, of how many where that is fixed."""
    spec = state.spec
    fixed = spec.method == "swiss" and spec.goal is None and not spec.warm_start and number <= spec.rounds
    return f"Round {number} of {spec.rounds}" if fixed else state.rounds[number].name


def _progress_of(state: RunState | ItemState) -> tuple[int, int]:
    """Matches or items judged, and planned."""
    if isinstance(state, RunState):
        return state.judged, state.planned_matches
    return len(state.items), len(state.spec.items)


@contextmanager
def _progress(as_json: bool) -> Iterator[Progress | None]:
    """A progress bar on the error stream, where that is a terminal and nobody reads JSON."""
    from rich.console import Console

    console = Console(stderr=True, markup=False, highlight=False)
    if as_json or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("judged"), TextColumn("{task.fields[spent]}"))
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
