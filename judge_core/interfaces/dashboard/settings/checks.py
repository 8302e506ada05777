"""Checks of the set-up with plain results. None of them costs anything; keys are never shown."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

from judge_core.interfaces.bench.health import Check, check_judges, check_quotas
from judge_core.interfaces.drafts.examples import FOLDER
from judge_core.interfaces.workbench import Workbench
from judge_core.providers.hosts import check_host
from judge_core.providers.protocol import clean_key
from judge_core.providers.registry import ANY_KEY, API_BASE, PRESETS, judge_spec
from judge_core.records.errors import PodiumError

LOW_SPACE = 500_000_000
"""Bytes of free disk below which it is said."""


def check_setup(bench: Workbench) -> list[Check]:
    """All checks, in the order shown. A check that breaks is a fault with its reason, never an error."""
    looks: dict[str, Callable[[Workbench], Iterator[Check]]] = {
        "Data folder": _folder,
        "Runs": _runs,
        "Reply cache": _cache,
        "Demo judge": _demo,
        "Keys": _keys,
        "Judges": lambda of: iter(check_judges(of)),
        "Quotas": lambda of: iter(check_quotas(of)),
        "Hosts": _hosts,
        "Prices": _prices,
        "Examples": _examples,
        "Settings": _settings,
    }
    found = []
    for what, look in looks.items():
        try:
            found += list(look(bench))
        except (PodiumError, OSError, TimeoutError) as error:
            found.append(Check(what=what, result="fault", message=str(error) or type(error).__name__))
    return found


def _folder(bench: Workbench) -> Iterator[Check]:
    free = shutil.disk_usage(bench.home.root).free
    message = f"It can be written. {free / 1e9:,.1f} GB are free on its disk."
    yield Check(what="Data folder", result="note" if free < LOW_SPACE else "ok", message=message)


def _runs(bench: Workbench) -> Iterator[Check]:
    count = len(bench.runs())
    yield Check(
        what="Runs", result="ok", message=f"The database answers; it holds {count} run{'s' if count != 1 else ''}."
    )


def _cache(bench: Workbench) -> Iterator[Check]:
    stats = bench.cache.stats()
    if bench.cache.trouble:
        yield Check(what="Reply cache", result="note", message=bench.cache.trouble)
    else:
        yield Check(what="Reply cache", result="ok", message=f"It works and holds {stats['cached']:,} replies.")


def _demo(bench: Workbench) -> Iterator[Check]:
    result = bench.test_judge(judge_spec("offline"))
    message = "It answers. It is a demo and not an AI." if result.ok else result.error
    yield Check(what="Demo judge", result="ok" if result.ok else "fault", message=message)


def _keys(bench: Workbench) -> Iterator[Check]:
    environ = bench.settings.environ()
    names = [*(preset.key_name for preset in PRESETS.values()), ANY_KEY]
    found = [name for name in names if name in environ]
    for name in found:
        clean_key(environ[name], name)
    if not found:
        yield Check(
            what="Keys", result="note", message="No key is set. The demo judge needs none; for others you can type one."
        )
        return
    yield Check(what="Keys", result="ok", message=f"Found, and of a form that a key can have: {', '.join(found)}.")


def _hosts(bench: Workbench) -> Iterator[Check]:
    allowed = bench.settings.allowed_hosts
    if base := bench.settings.judge_api_base:
        check_host(base, allowed)
        yield Check(what="Hosts", result="ok", message=f"The address in {API_BASE} may be used.")
    said = "Judges may be at any host." if allowed is None else f"Judges may be only at: {', '.join(allowed)}."
    yield Check(what="Hosts", result="ok", message=said)


def _prices(bench: Workbench) -> Iterator[Check]:
    count = len(bench.prices())
    yield Check(what="Prices", result="ok", message=f"The price table can be read; it has {count} entries.")


def _examples(_bench: Workbench) -> Iterator[Check]:
    essays = len(list((FOLDER / "essays").glob("*.txt")))
    message = (
        f"{essays} example essays are here." if essays else "The example essays are missing; everything else works."
    )
    yield Check(what="Examples", result="ok" if essays else "note", message=message)


def _settings(bench: Workbench) -> Iterator[Check]:
    for remark in bench.settings.remarks:
        yield Check(what="Settings", result="note", message=remark)
