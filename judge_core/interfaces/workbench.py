"""The workbench: the one place that wires the parts. Dashboard, command line, API and library all work through it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from pydantic import SecretStr

from judge_core import __version__
from judge_core.engine.cache import DiskReplyCache
from judge_core.engine.estimate import Estimate, TooLong, estimate, too_long
from judge_core.engine.job import Parts, play_run
from judge_core.engine.runner import Handle, Runner
from judge_core.engine.writer import Writer
from judge_core.interfaces.cook import PromptCook
from judge_core.interfaces.settings import Home, Settings, prepare_home
from judge_core.modes.prompts import PROMPT_VERSION
from judge_core.modes.rank import RankMode
from judge_core.providers.hosts import is_loopback, read_url
from judge_core.providers.prices import PRICES, frame_tokens, price_of, read_prices, text_tokens
from judge_core.providers.probe import Probe, probe
from judge_core.providers.protocol import Access, Provider
from judge_core.providers.registry import key_for, open_provider, preset_of
from judge_core.ranking import narrowing
from judge_core.records.artifact import Artifact
from judge_core.records.errors import InputError
from judge_core.records.event import Cancelled, CapsRaised, Input, RetryAsked
from judge_core.records.journal import RunRow
from judge_core.records.spec import Caps, JudgeSpec, Price, Spec, TextRef
from judge_core.store.archive import Archive
from judge_core.store.database import open_database, sqlite_url
from judge_core.store.journal import Journal, is_live, now_text, process_owner
from judge_core.views.state import RunState, fold

MOST_STATES = 50
"""Folded runs kept in memory."""

Keys = Mapping[str, SecretStr]
"""Keys typed by a person for one run, by the judge's name. Kept in memory only."""


class Workbench:
    """A data folder with its journal, cache, judges and runs. Safe to use from several threads."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.home: Home = prepare_home(settings)
        self._database = open_database(settings.database_url or sqlite_url(self.home.database))
        self.journal = Journal(self._database)
        self.archive = Archive(self._database)
        self.cache = DiskReplyCache(self.home.cache, max_entries=settings.cache_entries, max_bytes=settings.cache_bytes)
        self._writer = Writer(self.journal)
        self.runner = Runner()
        self._owner = process_owner()
        self._keys: dict[str, Keys] = {}
        self._states: dict[str, RunState] = {}
        self._lock = threading.Lock()  # guards _states and the search-then-create of start

    # preparing a run

    def prices(self) -> dict[str, Price]:
        """The price table: ours, with the user's own file over it."""
        own = self.home.prices.read_text("utf-8") if self.home.prices.exists() else "{}"
        return {**PRICES, **read_prices(own)}

    def priced(self, judge: JudgeSpec) -> JudgeSpec:
        """The judge with the table's price, unless a price was entered for it."""
        return judge if judge.price is not None else judge.model_copy(update={"price": price_of(judge, self.prices())})

    def text_refs(self, artifacts: Sequence[Artifact]) -> tuple[TextRef, ...]:
        """The artifacts as the texts of a run, their words stored. Aliases follow the content hashes, so they tell nothing."""
        self.archive.keep({a.sha256: a.text.encode("utf-8", "surrogatepass") for a in artifacts})
        return text_refs(artifacts)

    def check(self, spec: Spec, keys: Keys | None = None) -> None:
        """Refuses what cannot be run, before anything is asked: InputError with the value and the remedy."""
        if len(spec.texts) < 2:
            raise InputError(f"A ranking needs at least two texts; there is {len(spec.texts)}.", field="texts")
        if problems := self.too_long(spec):
            raise InputError(problems[0].message, field="judges")
        if spec.caps.max_cost is not None and spec.caps.max_calls is None:
            unknown = [judge.name for judge in spec.judges if judge.price is None]
            if unknown:
                raise InputError(
                    f"The price of {', '.join(unknown)} is unknown, so a cap in dollars cannot hold. "
                    "Enter its price, or set a cap on calls as well.",
                    field="max_calls",
                )
        for judge in spec.judges:
            self.runner.call(self._checked(judge, keys), timeout=30)

    def estimate(self, spec: Spec, *, concurrency: int | None = None, seconds_a_call: float | None = None) -> Estimate:
        """Calls, tokens, money and time of a run before it starts."""
        planned = narrowing.planned_matches(len(spec.texts), spec.rounds, spec.narrowing)
        timing = {} if seconds_a_call is None else {"seconds_a_call": seconds_a_call}
        return estimate(
            spec, planned, tokens_of=text_tokens, frame=frame_tokens(spec),
            concurrency=concurrency or self.settings.concurrency, **timing,
        )  # fmt: skip

    def too_long(self, spec: Spec) -> list[TooLong]:
        """The judges whose context the longest pair does not fit."""
        return too_long(spec, tokens_of=text_tokens, frame=frame_tokens(spec))

    def test_judge(self, judge: JudgeSpec, key: SecretStr | None = None) -> Probe:
        """One real small call to a judge, and what came back."""
        keys = {judge.name: key} if key is not None else {}

        async def ask() -> Probe:
            provider = self._provider(judge, keys)
            try:
                return await probe(provider, judge)
            finally:
                await provider.aclose()

        result: Probe = self.runner.call(ask(), timeout=judge.timeout_s * 4 + 60)
        return result

    # running

    def start(self, spec: Spec, keys: Keys | None = None, *, concurrency: int | None = None) -> str:
        """Starts a run of that spec and returns its id; a run of the same inputs that is not over is joined instead."""
        self.check(spec, keys)
        with self._lock:
            for row in self.journal.find(spec.identity):
                if row.status not in ("done", "cancelled"):
                    run = row.id
                    break
            else:
                run = self.journal.create(spec)
        self.resume(run, keys, concurrency=concurrency)
        return run

    def resume(self, run: str, keys: Keys | None = None, *, concurrency: int | None = None) -> Handle:
        """Goes on with a run from where it stands; joins it where it is already going on."""
        row = self.journal.row(run)
        if row.status == "cancelled":
            raise InputError("This run was cancelled for good. Start a new one; what is in the cache costs nothing.")
        self._keys[run] = {**self._keys.get(run, {}), **(keys or {})}
        for judge in row.spec.judges:
            self.runner.call(self._checked(judge, self._keys[run]), timeout=30)
        return self.runner.start(run, lambda handle: play_run(handle, self._parts(row, concurrency)))

    def wait(self, run: str, timeout: float | None = None) -> RunState:
        """Waits until a run of this process ends or pauses, and returns its state; raises what broke it."""
        handle = self.runner.handle(run)
        if handle is not None and handle.future is not None:
            handle.future.result(timeout)
        return self.state(run)

    def pause(self, run: str) -> None:
        """Starts no further call; Resume goes on from there."""
        self.runner.pause(run)

    def cancel(self, run: str) -> None:
        """Ends a run for good; what is judged stays. InputError for one that is over already."""
        row = self.journal.row(run)
        if row.status in ("done", "cancelled") and not self._live(row):
            raise InputError("This run is over already; there is nothing left to cancel.", field="run")
        self._send(run, Cancelled())

    def raise_caps(self, run: str, caps: Caps, keys: Keys | None = None) -> None:
        """Sets new caps and goes on."""
        self._send(run, CapsRaised(caps=caps), keys)

    def retry(self, run: str, keys: Keys | None = None) -> None:
        """Asks again for each judgment that failed or could not be read."""
        self._send(run, RetryAsked(), keys)

    def keyless(self, run: str) -> tuple[JudgeSpec, ...]:
        """The run's judges beyond this computer for which no key is at hand; one typed for a run that failed is none."""
        row, environ = self.journal.row(run), self.settings.environ()
        typed = {} if row.status == "failed" else self._keys.get(run, {})
        return tuple(
            judge
            for judge in row.spec.judges
            if judge.base_url
            and not is_loopback(read_url(judge.base_url).host)
            and judge.name not in typed
            and key_for(judge, environ) is None
        )

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
        """The folded events of a run; only new ones are read."""
        with self._lock:
            known = self._states.get(run)
            if known is None:
                known = fold(self.journal.row(run).spec, self.journal.events(run))
            else:
                known = known.extended(self.journal.events(run, after=known.last_seq))
            self._states.pop(run, None)
            self._states[run] = known
            if len(self._states) > MOST_STATES:  # the one looked at longest ago
                self._states.pop(next(iter(self._states)))
            return known

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

    def _send(self, run: str, message: Input, keys: Keys | None = None) -> None:
        self.journal.send(run, message)
        if run in self.runner.playing():
            self.runner.look_up(run)
        elif not is_live(self.journal.row(run)):
            self.resume(run, keys)

    def _parts(self, row: RunRow, concurrency: int | None) -> Parts:
        keys = self._keys.get(row.id, {})
        return Parts(
            journal=self.journal,
            writer=self._writer,
            cache=self.cache,
            mode=RankMode,
            cook=PromptCook,
            provider=lambda index, may_repeat: self._provider(row.spec.judges[index], keys, concurrency, may_repeat),
            texts=self.archive.texts,
            reply=self.archive.text,
            clock=now_text,
            owner=self._owner,
            concurrency=concurrency or self.settings.concurrency,
        )

    def _provider(
        self, judge: JudgeSpec, keys: Keys, concurrency: int | None = None, may_repeat: Callable[[], bool] | None = None
    ) -> Provider:
        key = keys.get(judge.name) or key_for(judge, self.settings.environ())
        access = Access(
            may_repeat=may_repeat,
            key=key,
            allowed_hosts=self.settings.allowed_hosts,
            concurrency=concurrency or self.settings.concurrency,
        )
        return open_provider(judge, access)

    async def _checked(self, judge: JudgeSpec, keys: Keys | None = None) -> None:
        """Opens and closes a provider: a host that is not allowed or a missing key is said before the run starts."""
        preset = preset_of(judge)
        if (
            preset is not None
            and (keys or {}).get(judge.name) is None
            and key_for(judge, self.settings.environ()) is None
        ):
            raise InputError(
                f"{judge.name} needs a key: set {preset.key_name}, or type one where the judge is chosen.", field="key"
            )
        await self._provider(judge, keys or {}).aclose()


def text_refs(artifacts: Sequence[Artifact]) -> tuple[TextRef, ...]:
    """Artifacts as texts of a run, in the order of their content hashes: E-001, E-002, ..."""
    ordered = sorted(artifacts, key=lambda a: (a.sha256, a.id))
    width = max(3, len(str(len(ordered))))
    return tuple(
        TextRef(
            alias=f"E-{number:0{width}d}", id=a.id, title=a.title, sha256=a.sha256, words=a.words,
            characters=a.characters, columns=a.columns, notices=tuple(dict.fromkeys(n.code for n in a.warnings)),
        )
        for number, a in enumerate(ordered, start=1)
    )  # fmt: skip


def new_spec(**fields: object) -> Spec:
    """A spec with this version's prompt; see `Spec` for the fields."""
    return Spec.model_validate({"prompt_version": PROMPT_VERSION, "app_version": __version__, **fields})
