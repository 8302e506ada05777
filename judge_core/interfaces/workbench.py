"""The workbench: the one place that wires the parts. Dashboard, command line, API and library all work through it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import SecretStr

from judge_core.engine.cache import DiskReplyCache
from judge_core.engine.estimate import (
    Estimate,
    TooLong,
    estimate,
    items_workload,
    ranking_workload,
    too_long,
)
from judge_core.engine.job import Parts, play_run
from judge_core.engine.ports import Mode
from judge_core.engine.runner import Handle, Runner
from judge_core.engine.writer import Writer
from judge_core.interfaces.bench.cook import PromptCook
from judge_core.interfaces.bench.items import as_items, check_items, words_of
from judge_core.interfaces.bench.lengths import check_lengths
from judge_core.interfaces.bench.panel import Keys, Panel
from judge_core.interfaces.bench.ranking import check_ranking
from judge_core.interfaces.bench.refinement import check_refinement, too_long_to_refine, workloads
from judge_core.interfaces.bench.specs import new_item_spec as new_item_spec
from judge_core.interfaces.bench.specs import new_spec as new_spec
from judge_core.interfaces.bench.specs import text_refs as text_refs
from judge_core.interfaces.bench.states import AnyState, States
from judge_core.interfaces.bench.wording import check_wording
from judge_core.interfaces.settings import Home, Settings, prepare_home
from judge_core.modes.items import ItemsMode, need_of
from judge_core.modes.rank import RankMode
from judge_core.modes.refine.mode import RefineMode
from judge_core.providers.prices import frame_tokens, text_tokens
from judge_core.providers.probe import Probe
from judge_core.providers.wrappers.quota import Quotas
from judge_core.ranking.schedules.listwise import sizes
from judge_core.ranking.schedules.schedule import planned
from judge_core.records.artifact import Artifact
from judge_core.records.errors import InputError
from judge_core.records.event import Cancelled, CapsRaised, Input, RetryAsked
from judge_core.records.item import Item, ReadItem
from judge_core.records.journal import RunRow
from judge_core.records.refinement.nouns import STEPS
from judge_core.records.spec import AnySpec, Caps, ItemSpec, JudgeSpec, Price, RefineSpec, Spec, TextRef
from judge_core.store.archive import Archive
from judge_core.store.database import open_database, sqlite_url
from judge_core.store.journal import Journal, is_live, now_text, process_owner
from judge_core.store.usage import UsageTable
from judge_core.views.items.state import ItemState
from judge_core.views.refine.state import RefineState
from judge_core.views.state import RunState


class Workbench:
    """A data folder with its journal, cache, judges and runs. Safe to use from several threads."""

    def __init__(self, settings: Settings, *, commands_allowed: bool = True):
        """`commands_allowed`: whether a judge may be a program on this computer; not where strangers can name one."""
        self.settings = settings
        self.home: Home = prepare_home(settings)
        self._database = open_database(settings.database_url or sqlite_url(self.home.database))
        self.journal = Journal(self._database)
        self.archive = Archive(self._database)
        self.cache = DiskReplyCache(self.home.cache, max_entries=settings.cache_entries, max_bytes=settings.cache_bytes)
        self._writer = Writer(self.journal)
        self.runner = Runner()
        self._owner = process_owner()
        quotas = Quotas(settings.quotas, UsageTable(self._database))
        self.panel = Panel(settings, self.home, quotas, commands_allowed=commands_allowed)
        self.states = States(self.journal)
        self._keys: dict[str, Keys] = {}
        self._lock = threading.Lock()  # guards the search-then-create of start

    # preparing a run

    def prices(self) -> dict[str, Price]:
        """The price table: ours, with the user's own file over it."""
        return self.panel.prices()

    def priced(self, judge: JudgeSpec) -> JudgeSpec:
        """The judge with the table's price, unless a price was entered for it."""
        return self.panel.priced(judge)

    def keep_texts(self, artifacts: Sequence[Artifact]) -> tuple[TextRef, ...]:
        """The artifacts as the texts of a run, their words stored. Aliases follow the content hashes, so they tell nothing."""
        self.archive.keep({a.sha256: a.text.encode("utf-8", "surrogatepass") for a in artifacts})
        return text_refs(artifacts)

    def keep_items(self, read: Sequence[ReadItem]) -> tuple[Item, ...]:
        """What was read as the items of a run, their words stored. Aliases follow the content hashes, so they tell nothing."""
        self.archive.keep(words_of(read))
        return as_items(read)

    def check(self, spec: AnySpec, keys: Keys | None = None) -> None:
        """Refuses what cannot be run, before anything is asked: InputError with the value and the remedy."""
        match spec:
            case Spec():
                check_ranking(spec)
            case ItemSpec():
                check_items(spec)
            case RefineSpec():
                check_refinement(spec)
        check_lengths(spec)
        if problems := self.too_long(spec):
            raise InputError(problems[0].message, field="judges")
        if spec.caps.max_cost is not None and spec.caps.max_calls is None:
            unknown = [judge.name for judge in (*spec.judges, *spec.fallbacks) if judge.price is None]
            if unknown:
                raise InputError(
                    f"The price of {', '.join(unknown)} is unknown, so a cap in dollars cannot hold. "
                    "Enter its price, or set a cap on calls as well.",
                    field="max_calls",
                )
        self._check_judges(spec, keys)

    def estimate(
        self, spec: AnySpec, *, concurrency: int | None = None, seconds_a_call: float | None = None
    ) -> Estimate:
        """Calls, tokens, money and time of a run before it starts."""
        frame, at_once = frame_tokens(spec), concurrency or self.settings.concurrency
        timing: dict[str, Any] = {} if seconds_a_call is None else {"seconds_a_call": seconds_a_call}
        match spec:
            case Spec():
                load = ranking_workload(spec, planned(spec), tokens_of=text_tokens, frame=frame)
            case ItemSpec():
                needs = [need_of(item, spec) for item in spec.items]
                load = items_workload(spec, needs, tokens_of=text_tokens, frame=frame)
            case RefineSpec():
                loads = workloads(spec, text_tokens(spec.text), frame)
                in_turn = spec.stopping.max_rounds * (len(STEPS) + -(-len(spec.panel) // at_once))
                return estimate(spec, loads, concurrency=at_once, in_turn=in_turn, **timing)
        return estimate(spec, [load] * len(spec.judges), concurrency=at_once, **timing)

    def too_long(self, spec: AnySpec) -> list[TooLong]:
        """The judges whose context the longest pair, or the longest item, does not fit."""
        if isinstance(spec, RefineSpec):
            return too_long_to_refine(spec, text_tokens(spec.text), frame_tokens(spec))
        if isinstance(spec, Spec):
            together = max(sizes(len(spec.texts), spec.group_size), default=2) if spec.method == "listwise" else 2
            longest = sorted(spec.texts, key=text_tokens, reverse=True)[:together]
            ids, tokens = tuple(text.id for text in longest), sum(map(text_tokens, longest))
        else:
            tokens, id = max((text_tokens(need_of(item, spec)), item.id) for item in spec.items)
            ids = (id,)
        return too_long(spec, ids, tokens, frame_tokens(spec))

    def test_judge(self, judge: JudgeSpec, key: SecretStr | None = None) -> Probe:
        """One real small call to a judge, and what came back."""
        keys = {judge.name: key} if key is not None else {}
        result: Probe = self.runner.call(self.panel.probe(judge, keys), timeout=judge.timeout_s * 4 + 60)
        return result

    # running

    def start(self, spec: AnySpec, keys: Keys | None = None, *, concurrency: int | None = None) -> str:
        """Starts a run of that spec and returns its id; a run of the same inputs made here that is not over is joined instead."""
        self.check(spec, keys)
        with self._lock:
            run = self.unfinished(spec) or self.journal.create(spec)
        self.resume(run, keys, concurrency=concurrency)
        return run

    def unfinished(self, spec: AnySpec) -> str | None:
        """The run of the same inputs, made here and not over, that a start would go on with."""
        open_runs = (row.id for row in self.journal.find(spec.identity) if row.status not in ("done", "cancelled"))
        return next((run for run in open_runs if not self.journal.imported(run)), None)

    def resume(self, run: str, keys: Keys | None = None, *, concurrency: int | None = None) -> Handle:
        """Goes on with a run from where it stands; joins it where it is already going on. InputError where it cannot."""
        self.check_resumable(run, keys)
        row = self.journal.row(run)
        return self.runner.start(run, lambda handle: play_run(handle, self._parts(row, concurrency)))

    def check_resumable(self, run: str, keys: Keys | None = None) -> None:
        """Refuses to go on with a run that cannot: InputError with the remedy. Keys are kept for when it does."""
        row = self.journal.row(run)
        if row.status == "cancelled":
            raise InputError("This run was cancelled for good. Start a new one; what is in the cache costs nothing.")
        check_wording(row, (message for _, message in self.journal.waiting_inputs(run)))
        self._keys[run] = {**self._keys.get(run, {}), **(keys or {})}
        if self.journal.imported(run):
            self.panel.check_imported(row.spec)
        self._check_judges(row.spec, self._keys[run])

    def wait(self, run: str, timeout: float | None = None) -> AnyState:
        """Waits until a run of this process ends or pauses, and returns its state; raises what broke it."""
        handle = self.runner.handle(run)
        if handle is not None and handle.future is not None:
            handle.future.result(timeout)
        return self.states.of(run)

    def pause(self, run: str) -> None:
        """Starts no further call; Resume goes on from there."""
        self.runner.pause(run)

    def cancel(self, run: str) -> None:
        """Ends a run for good; what is judged stays. InputError for one that is over already."""
        row = self.journal.row(run)
        if row.status in ("done", "cancelled") and not self._live(row):
            raise InputError("This run is over already; there is nothing left to cancel.", field="run")
        self.send(run, Cancelled())

    def raise_caps(self, run: str, caps: Caps, keys: Keys | None = None) -> None:
        """Sets new caps and goes on."""
        self.send(run, CapsRaised(caps=caps), keys)

    def retry(self, run: str, keys: Keys | None = None) -> None:
        """Asks again for each judgment that failed or could not be read."""
        self.send(run, RetryAsked(), keys)

    def keyless(self, run: str) -> tuple[JudgeSpec, ...]:
        """The run's judges beyond this computer for which no key is at hand; one typed for a run that failed is none."""
        row = self.journal.row(run)
        return self.panel.keyless(row.spec, {} if row.status == "failed" else self._keys.get(run, {}))

    def rename(self, run: str, name: str) -> None:
        """Gives a run another name; InputError where there is no such run."""
        self.journal.row(run)
        self.journal.rename(run, name)

    def trouble(self, run: str) -> str | None:
        """What broke a run of this process, in words; None where nothing did."""
        handle = self.runner.handle(run)
        if handle is None or handle.future is None or not handle.future.done() or handle.future.cancelled():
            return None
        error = handle.future.exception()
        return None if error is None else str(error) or type(error).__name__

    # looking

    def state(self, run: str) -> RunState:
        """The folded events of a ranking; only new ones are read. InputError where the run judges items."""
        return self.states.ranking(run)

    def item_state(self, run: str) -> ItemState:
        """The folded events of a run that judges items. InputError where it is a ranking."""
        return self.states.items(run)

    def refine_state(self, run: str) -> RefineState:
        """The folded events of a refinement tournament. InputError where the run is of another kind."""
        return self.states.refinement(run)

    def live(self, run: str | RunRow) -> bool:
        """Whether this or another process is working on the run now; a row at hand saves reading it again."""
        return self._live(run if isinstance(run, RunRow) else self.journal.row(run))

    def runs(self) -> list[RunRow]:
        """All runs, newest first."""
        return self.journal.runs()

    def close(self) -> None:
        """Pauses what runs, writes what is queued, closes the files."""
        self.runner.shut_down()
        self._writer.close()
        self.cache.close()
        self._database.dispose()

    # wiring

    def _live(self, row: RunRow) -> bool:
        return row.id in self.runner.playing() or is_live(row)

    def send(self, run: str, message: Input, keys: Keys | None = None) -> None:
        """Hands an input to a run, and goes on with it where nobody is working on it."""
        self.journal.send(run, message)
        if run in self.runner.playing():
            self.runner.look_up(run)
        elif not is_live(self.journal.row(run)):
            self.resume(run, keys)

    def _parts(self, row: RunRow, concurrency: int | None) -> Parts:
        keys, names = self._keys.get(row.id, {}), {judge.name for judge in row.spec.judges}
        stand_ins = [
            judge for judge in row.spec.fallbacks if judge.name not in names
        ]  # who is there has one say, not two
        return Parts(
            journal=self.journal,
            writer=self._writer,
            cache=self.cache,
            mode=_mode,
            cook=PromptCook,
            provider=lambda index, leave: self.panel.open(
                row.spec.judges[index], keys, stand_ins, concurrency=concurrency, leave=leave
            ),
            texts=self.archive.texts,
            reply=self.archive.text,
            keep=self.archive.keep_all,
            clock=now_text,
            owner=self._owner,
            concurrency=concurrency or self.settings.concurrency,
        )

    def _check_judges(self, spec: AnySpec, keys: Keys | None) -> None:
        for judge in (*spec.judges, *spec.fallbacks):
            self.runner.call(self.panel.check(judge, keys), timeout=30)


def _mode(spec: AnySpec, words: Mapping[str, str]) -> Mode:
    match spec:
        case Spec():
            return RankMode(spec, words)
        case ItemSpec():
            return ItemsMode(spec, words)
        case RefineSpec():
            return RefineMode(spec, words)
