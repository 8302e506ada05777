"""The judges of the workbench: their prices, keys and quotas, how they are opened, and what is checked before a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import SecretStr

from judge_core.engine.job import Leave
from judge_core.interfaces.bench.credentials import find_key
from judge_core.interfaces.settings import Home, Settings
from judge_core.providers.hosts import is_loopback, read_url
from judge_core.providers.kinds.names import COMMAND
from judge_core.providers.prices import PRICES, price_of, read_prices
from judge_core.providers.probe import Probe, probe
from judge_core.providers.protocol import Access, Provider
from judge_core.providers.registry import API_BASE, judge_spec, open_provider, preset_of, stays_here
from judge_core.providers.wrappers.fallback import Fallback
from judge_core.providers.wrappers.quota import Quotas, QuotaUse
from judge_core.records.errors import InputError
from judge_core.records.spec import JudgeSpec, Price, RunSpec

Keys = Mapping[str, SecretStr]
"""Keys typed by a person for one run, by the judge's name. Kept in memory only."""


class Panel:
    """Judges as this data folder and these settings know them."""

    def __init__(self, settings: Settings, home: Home, quotas: Quotas, *, commands_allowed: bool = True):
        self._settings, self._home, self._quotas = settings, home, quotas
        self.commands_allowed = commands_allowed
        """Whether a judge may be a program on this computer: not where strangers can name one."""

    def prices(self) -> dict[str, Price]:
        """The price table: ours, with the user's own file over it."""
        own = self._home.prices.read_text("utf-8") if self._home.prices.exists() else "{}"
        return {**PRICES, **read_prices(own)}

    def priced(self, judge: JudgeSpec) -> JudgeSpec:
        """The judge with the table's price, unless a price was entered for it."""
        return judge if judge.price is not None else judge.model_copy(update={"price": price_of(judge, self.prices())})

    def fallbacks(self, **chosen: Any) -> tuple[JudgeSpec, ...]:
        """The judges that the settings name to stand in for others; none unless a person chose so there."""
        return tuple(self.priced(self.named(name, **chosen)) for name in self._settings.fallback_judges)

    def named(self, name: str, **chosen: Any) -> JudgeSpec:
        """The judge of that name at the addresses of the settings. `chosen`: fields of `JudgeSpec`. InputError as `judge_spec`."""
        base = self._settings.environ().get(API_BASE)
        return judge_spec(name, api_base=base, ollama_host=self._settings.ollama_host, **chosen)

    def key(self, judge: JudgeSpec, keys: Keys | None = None) -> SecretStr | None:
        """The key for a judge: the one typed for this run, else the one found in environment, keyring or password store."""
        return (keys or {}).get(judge.name) or find_key(judge, self._settings.environ())

    def keyless(self, spec: RunSpec, keys: Keys) -> tuple[JudgeSpec, ...]:
        """The run's judges beyond this computer for which no key is at hand."""
        return tuple(
            judge
            for judge in spec.judges
            if judge.base_url and not is_loopback(read_url(judge.base_url).host) and self.key(judge, keys) is None
        )

    def open(
        self,
        judge: JudgeSpec,
        keys: Keys | None = None,
        stand_ins: Sequence[JudgeSpec] = (),
        *,
        concurrency: int | None = None,
        leave: Leave | None = None,
    ) -> Provider:
        """The judge, ready to be asked within its quota, with those that may stand in for it. InputError where it may not be."""
        panel = [judge, *(other for other in stand_ins if other.name != judge.name)]
        opened = [(one.name, self._one(one, keys, concurrency, leave)) for one in panel]
        return opened[0][1] if len(opened) == 1 else Fallback(opened, leave.may_repeat if leave else None)

    async def check(self, judge: JudgeSpec, keys: Keys | None = None) -> None:
        """Opens and closes a judge: a host that is not allowed or a missing key is said before the run starts."""
        preset = preset_of(judge)
        if preset is not None and self.key(judge, keys) is None:
            raise InputError(
                f"{judge.name} needs a key: set {preset.key_name}, or type one where the judge is chosen.", field="key"
            )
        await self.open(judge, keys).aclose()

    def check_imported(self, spec: RunSpec) -> None:
        """Refuses to go on with a run out of a file whose judges are not what their names say here, or are programs.

        Its writer chose them: a name that people trust may stand before any address, and a program would be started.
        """
        for judge in (*spec.judges, *spec.fallbacks):
            if judge.provider == COMMAND:
                raise InputError(
                    f"This run came from a file, and its judge is a program ({judge.model!r}). Programs are started only "
                    "for runs of your own: start a new one.",
                    field="judges",
                )
            if not self._as_named(judge):
                raise InputError(
                    f"This run came from a file, and what it calls {judge.name!r} is not that judge here"
                    f"{f' but is at {judge.base_url!r}' if judge.base_url else ''}. It opens and can be exported; to "
                    "judge on, start a new run.",
                    field="judges",
                )

    def _as_named(self, judge: JudgeSpec) -> bool:
        """Whether a judge is what its name stands for here; a name that stands for none may be at this computer only."""
        try:
            here = self.named(judge.name)
        except InputError:
            return stays_here(judge)
        return (here.provider, here.model, here.base_url) == (judge.provider, judge.model, judge.base_url)

    async def probe(self, judge: JudgeSpec, keys: Keys | None = None) -> Probe:
        """One real small call, and what came back."""
        provider = self.open(judge, keys)
        try:
            return await probe(provider, judge)
        finally:
            await provider.aclose()

    def quotas(self) -> tuple[QuotaUse, ...]:
        """How much of each quota is used."""
        return self._quotas.used()

    def _one(self, judge: JudgeSpec, keys: Keys | None, concurrency: int | None, leave: Leave | None) -> Provider:
        access = Access(
            may_repeat=leave.may_repeat if leave else None,
            key=self.key(judge, keys),
            allowed_hosts=self._settings.allowed_hosts,
            concurrency=concurrency or self._settings.concurrency,
            commands_allowed=self.commands_allowed,
        )
        return self._quotas.around(open_provider(judge, access), judge, leave.check_open if leave else None)


def destination(judge: JudgeSpec) -> str | None:
    """Where a judge's texts go, in words; None where they stay on this computer for certain."""
    if stays_here(judge):
        return None
    address = read_url(judge.base_url) if judge.base_url else None
    if address is not None and not is_loopback(address.host):
        return address.netloc.decode("ascii")
    return f"{judge.name} on this computer, which may send them on"


def destinations(judges: Iterable[JudgeSpec]) -> list[str]:
    """Where texts may go, each place once; empty where they stay on this computer."""
    found = (destination(judge) for judge in judges)
    return list(dict.fromkeys(place for place in found if place is not None))
