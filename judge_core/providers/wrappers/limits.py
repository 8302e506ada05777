"""What a judge may be asked by the minute and by the day: how quotas are written, whose they are, what still fits.

The minute is any 60 seconds; the day is the UTC day. No clock and no ledger here: the moment and the use are given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import httpx
from pydantic import Field

from judge_core.providers.registry import PRESETS, preset_of
from judge_core.records.errors import InputError
from judge_core.records.record import Record
from judge_core.records.spec import JudgeSpec

VARIABLE = "PODIUM_QUOTAS"
WINDOW_S = 62
"""Use is kept by whole seconds: a second counts until 60 more have passed after its end, and one for the way there."""
DAY_S = 86_400
_UNITS = {
    "rpm": "requests_per_minute", "tpm": "tokens_per_minute", "rpd": "requests_per_day", "tpd": "tokens_per_day",
}  # fmt: skip
_LIMIT = re.compile(r"(\d[\d_]*)\s*(rpm|tpm|rpd|tpd)")

Slot = tuple[int, int, int]
"""(Unix second in which it began, requests, tokens): what was used in a second, or later on in a whole minute."""


class Quota(Record):
    """What a judge may be asked; None: no limit. Tokens are those of prompt and reply together."""

    requests_per_minute: int | None = Field(default=None, gt=0)
    tokens_per_minute: int | None = Field(default=None, gt=0)
    requests_per_day: int | None = Field(default=None, gt=0)
    tokens_per_day: int | None = Field(default=None, gt=0)


def read_quotas(text: str | None) -> dict[str, Quota]:
    """The quotas in `key=limits; key=limits`: what each key (in small letters) may be asked.

    A key is a vendor's short name, a whole judge name, a host or `host/model`; limits are numbers with rpm, tpm, rpd or
    tpd, separated by commas. Raises InputError naming the entry that cannot be read.

    >>> read_quotas("groq=30rpm, 6_000tpm; openai:gpt-4.1=500rpd")["groq"].tokens_per_minute
    6000
    """
    quotas: dict[str, Quota] = {}
    for entry in filter(None, (part.strip() for part in re.split(r"[;\n]", text or ""))):
        key, equals, limits = (part.strip() for part in entry.rpartition("="))
        if not key or not equals:
            raise _odd(entry, "names no judge or no limit")
        if key.lower() in quotas:
            raise _odd(entry, "is the second one for the same judge")
        quotas[key.lower()] = Quota(**dict(_limits(entry, limits)))
    return quotas


def _limits(entry: str, limits: str) -> Iterable[tuple[str, int]]:
    seen: set[str] = set()
    for limit in (part.strip().lower() for part in limits.split(",")):
        found = _LIMIT.fullmatch(limit)
        if found is None or int(found[1]) == 0:
            raise _odd(entry, f"holds {limit!r}, which is no limit")
        if found[2] in seen:
            raise _odd(entry, f"gives {found[2]} twice")
        seen.add(found[2])
        yield _UNITS[found[2]], int(found[1])


def _odd(entry: str, what: str) -> InputError:
    return InputError(
        f"{VARIABLE}: {entry[:80]!r} {what}. Write groq=30rpm,6000tpm,14400rpd; openai:MODEL=500rpm "
        "(requests and tokens a minute, rpm and tpm, and a day, rpd and tpd; numbers above 0).",
        field=VARIABLE,
    )


def wait_needed(quota: Quota, slots: Sequence[Slot], tokens: int, now: float) -> float:
    """Seconds until one more request of that many tokens fits; 0: now; infinity: not on this UTC day.

    `now` is Unix time.

    >>> slots = [(100, 1, 50), (110, 1, 50)]
    >>> wait_needed(Quota(requests_per_minute=2), slots, 50, 130.0), wait_needed(Quota(tokens_per_day=120), slots, 50, 130.0)
    (32.0, inf)
    """
    requests_today, tokens_today = sums(slots, midnight(now), now)
    if is_over(requests_today + 1, quota.requests_per_day) or is_over(tokens_today + tokens, quota.tokens_per_day):
        return math.inf
    recent = sorted(
        slot for slot in slots if now - WINDOW_S < slot[0] <= now + WINDOW_S
    )  # later: the clock was set back
    of_requests = _until_room([(began, count) for began, count, _ in recent], quota.requests_per_minute, 1)
    of_tokens = _until_room([(began, count) for began, _, count in recent], quota.tokens_per_minute, tokens)
    return max(0.0, of_requests - now, of_tokens - now)


def _until_room(used: Sequence[tuple[int, int]], limit: int | None, more: int) -> float:
    """The moment at which so much of the oldest use is past that `more` fits; 0 where it fits anyhow."""
    total, moment = sum(count for _, count in used), 0
    for began, count in used:
        if limit is None or total + more <= limit:
            break
        total, moment = total - count, began + WINDOW_S
    return moment


def sums(slots: Iterable[Slot], since: float, now: float) -> tuple[int, int]:
    """Requests and tokens from second `since` on."""
    counted = [slot for slot in slots if since <= slot[0] <= now + WINDOW_S]
    return sum(requests for _, requests, _ in counted), sum(tokens for _, _, tokens in counted)


def is_over(count: int, limit: int | None) -> bool:
    """Whether a count is more than its limit, where there is one."""
    return limit is not None and count > limit


def midnight(now: float) -> int:
    """The second in which the UTC day began."""
    return int(now // DAY_S) * DAY_S


def first_second(now: float) -> int:
    """The first second whose use any limit can depend on."""
    return min(midnight(now), int(now) - WINDOW_S)


def keys_of(judge: JudgeSpec) -> tuple[str, ...]:
    """The keys under which a judge's quota may stand, the most particular first, in small letters.

    >>> keys_of(JudgeSpec(name="x", provider="openai_compatible", model="M", base_url="https://api.openai.com/v1"))
    ('x', 'openai:m', 'api.openai.com:443/m', 'api.openai.com/m', 'api.openai.com:443', 'api.openai.com', 'openai')
    """
    kind = judge.name.partition(":")[0] if "://" not in judge.name else ""
    if not judge.base_url:
        return _small(judge.name, kind)
    address = httpx.URL(judge.base_url)
    port = address.port or (443 if address.scheme == "https" else 80)
    hosts = (f"{address.host}:{port}", address.host)
    preset = preset_of(judge)
    kind = next((name for name, known in PRESETS.items() if known is preset), kind)
    models = ([f"{kind}:{judge.model}"] if kind else []) + [f"{host}/{judge.model}" for host in hosts]
    return _small(judge.name, *models, *hosts, kind)


def _small(*keys: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.lower() for key in keys if key))
