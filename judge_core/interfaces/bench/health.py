"""Whether judges can be used: looks that cost nothing, and how much of each quota is left. For the settings page and `doctor`."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import httpx

from judge_core.providers.hosts import check_host
from judge_core.providers.kinds.command import ALLOW, COMMANDS
from judge_core.providers.kinds.gguf_server import PACKAGE
from judge_core.providers.kinds.local_model import INSTALL
from judge_core.providers.protocol import Access, Health
from judge_core.providers.registry import API_BASE, PRESETS, JudgeKind, check_judge, judge_kinds
from judge_core.providers.wire.ollama import HOST, ollama_address
from judge_core.providers.wrappers.quota import QuotaUse
from judge_core.records.errors import PodiumError
from judge_core.records.record import Record
from judge_core.records.spec import JudgeSpec

if TYPE_CHECKING:
    from judge_core.interfaces.workbench import Workbench

PATIENCE_S = 10.0
"""Seconds for one look."""
MOST_NAMED = 8
"""Models that are listed by name."""
Result = Literal["ok", "note", "fault"]


class Check(Record):
    """One result: `ok`, `note` (works, or is not in use, but worth knowing) or `fault`, with the remedy."""

    what: str
    result: Result
    message: str


def look_at(bench: Workbench, name: str) -> Health:
    """Whether the judge of that name can be used, without a call that costs. InputError where the name says no judge."""
    judge = bench.panel.named(name, timeout_s=PATIENCE_S)
    health: Health = bench.runner.call(check_judge(judge, _access(bench, judge)), timeout=2 * PATIENCE_S)
    return health


def check_judges(bench: Workbench) -> list[Check]:
    """Every kind of judge that is set up here, and each that may stand in for another. A look that breaks is a fault."""
    looks: list[tuple[str, Callable[[], Iterator[Check]]]] = [
        (kind.title, partial(_kind, bench, kind)) for kind in judge_kinds()
    ]
    looks += [(f"Stands in: {name}", partial(_fallback, bench, name)) for name in bench.settings.fallback_judges]
    found: list[Check] = []
    for what, look in looks:
        try:
            found += look()
        except (PodiumError, TimeoutError) as error:
            found.append(Check(what=what, result="fault", message=str(error) or "It took too long to answer."))
    return found


def check_quotas(bench: Workbench) -> list[Check]:
    """The use of each quota; one that is used up is worth knowing, and no fault."""
    return [
        Check(what=f"Quota {use.key}", result="note" if use.next_free_at else "ok", message=quota_words(use))
        for use in bench.panel.quotas()
    ]


def quota_words(use: QuotaUse) -> str:
    """Used and allowed, by the minute and by the day.

    >>> from judge_core.providers.wrappers.limits import Quota
    >>> use = QuotaUse(key="groq", quota=Quota(requests_per_minute=30), minute_requests=2, minute_tokens=10,
    ...                day_requests=9, day_tokens=99, next_free_at=None)
    >>> quota_words(use)
    '2 of 30 requests this minute. Free now.'
    """
    quota = use.quota
    rows = (
        (use.minute_requests, quota.requests_per_minute, "requests this minute"),
        (use.minute_tokens, quota.tokens_per_minute, "tokens this minute"),
        (use.day_requests, quota.requests_per_day, "requests today"),
        (use.day_tokens, quota.tokens_per_day, "tokens today"),
    )
    words = ", ".join(f"{used:,} of {limit:,} {what}" for used, limit, what in rows if limit is not None)
    free = f"Free again at {use.next_free_at} (UTC)." if use.next_free_at else "Free now."
    return f"{words}. {free}"


def _kind(bench: Workbench, kind: JudgeKind) -> Iterator[Check]:
    if kind.name in PRESETS:
        yield from _vendor(bench, kind)
    elif kind.name == "ollama":
        yield _ollama(bench)
    elif kind.name == "local":
        there = importlib.util.find_spec(PACKAGE) is not None
        words = (
            f"{PACKAGE} is installed. Name a judge local:PATH.gguf."
            if there
            else f"Not installed. For {kind.example}, run: {INSTALL}"
        )
        yield Check(what="Model files", result="ok" if there else "note", message=words)
    elif kind.name == "cli":
        yield from _programs(bench)
    elif kind.name == "openai_compatible":
        yield from _address(bench)


def _vendor(bench: Workbench, kind: JudgeKind) -> Iterator[Check]:
    """A vendor is asked for its list of models where its key is set."""
    if kind.key_variable not in bench.settings.environ():
        words = f"No key. To use {kind.example}, set {kind.key_variable} or type a key where the judge is chosen."
        yield Check(what=kind.title, result="note", message=words)
        return
    models = list(PRESETS[kind.name].contexts)
    health = look_at(bench, f"{kind.name}:{models[0]}")
    yield Check(what=kind.title, result=_result(health), message=health.message)


def _ollama(bench: Workbench) -> Check:
    """Whether Ollama answers where it should, and which models it has; one that nobody set up is no fault."""
    address = ollama_address(bench.settings.ollama_host)
    try:
        models = bench.runner.call(_installed(address, bench.settings.allowed_hosts), timeout=2 * PATIENCE_S)
    except PodiumError as error:
        return Check(what="Ollama", result="note", message=str(error))
    if models is None:
        asked = bench.settings.ollama_host is not None
        words = f"No Ollama answers at {address}. To use ollama:MODEL, start it with: ollama serve. {HOST} names another address."
        return Check(what="Ollama", result="fault" if asked else "note", message=words)
    if not models:
        words = f"It answers at {address}, and no model is installed. Install one with: ollama pull MODEL"
        return Check(what="Ollama", result="note", message=words)
    more = f" and {len(models) - MOST_NAMED} more" if len(models) > MOST_NAMED else ""
    words = f"It answers at {address}. Installed: {', '.join(models[:MOST_NAMED])}{more}."
    return Check(what="Ollama", result="ok", message=words)


async def _installed(address: str, allowed: Sequence[str] | None) -> list[str] | None:
    """The models that Ollama has; None where none answers. InputError where its host is not allowed."""
    base = check_host(address, None if allowed is None else tuple(allowed))
    try:
        async with httpx.AsyncClient(timeout=PATIENCE_S, trust_env=False) as client:
            answer = await client.get(base.copy_with(path=base.path.rstrip("/") + "/api/tags"))
        data: Any = json.loads(answer.content)
    except (httpx.HTTPError, ValueError, RecursionError):
        return None
    rows = data.get("models") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        return None
    return [str(row.get("name")) for row in rows if isinstance(row, dict)]


def _programs(bench: Workbench) -> Iterator[Check]:
    for name in COMMANDS:
        if not bench.panel.commands_allowed:
            words = f"Programs cannot be chosen as judges on these pages. Whoever runs this server can allow it with {ALLOW}=true."
            yield Check(what=f"Program {name}", result="note", message=words)
            continue
        health = look_at(bench, f"cli:{name}")
        yield Check(what=f"Program {name}", result="ok" if health.ok else "note", message=health.message)


def _address(bench: Workbench) -> Iterator[Check]:
    """The address of LLM_JUDGE_API_BASE, where it is set; which model will be asked there is not known yet."""
    base = bench.settings.judge_api_base
    if not base:
        return
    health = look_at(bench, f"{base}#model")
    yield Check(what=f"Address in {API_BASE}", result=_result(health), message=health.message)


def _fallback(bench: Workbench, name: str) -> Iterator[Check]:
    """A judge that nobody looks at until it is needed."""
    health = look_at(bench, name)
    yield Check(what=f"Stands in: {name}", result=_result(health), message=health.message)


def _result(health: Health) -> Result:
    return "note" if health.ok is None else "ok" if health.ok else "fault"


def _access(bench: Workbench, judge: JudgeSpec) -> Access:
    return Access(
        key=bench.panel.key(judge),
        allowed_hosts=bench.settings.allowed_hosts,
        concurrency=1,
        commands_allowed=bench.panel.commands_allowed,
    )
