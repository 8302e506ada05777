"""Judges that others wrote: any object with `complete_json(messages) -> str` and a `model` is one.

Wanted: `model` (a string) and `complete_json`, which gets the messages as a list of `{"role", "content"}` and returns
the reply's text; it may be `async`. One that is not runs in a thread. Optional:
- `health_check()`: returns or yields nothing or True where all is well, False or a sentence where it is not; may raise.
- `usage`: running totals `prompt_tokens` and `completion_tokens`, as a mapping or attributes. They are read before and
  after each call, and not used where calls overlapped.
- `temperature`: what it really sends; without it a reply is never taken for one at temperature 0.
- `aclose()` or `close()`.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol, TypeGuard, cast

from judge_core.providers.protocol import Health, Provider, UncertainCallError
from judge_core.providers.replies import mend, notice, quotable
from judge_core.records.errors import CallError, InputError, TransientCallError
from judge_core.records.prompt import Completion, Prompt, Usage
from judge_core.records.spec import JudgeSpec


class JsonJudge(Protocol):
    """The smallest judge."""

    model: str

    def complete_json(self, messages: list[dict[str, str]]) -> Any:
        """The reply's text, or an awaitable of it."""
        ...


class JsonProvider:
    """A judge with `complete_json` behind our protocol."""

    def __init__(self, inner: JsonJudge, judge: JudgeSpec):
        self._inner, self._judge = inner, judge
        self._running = 0
        self._started = 0

    async def complete(self, prompt: Prompt) -> Completion:
        """The reply. What the judge raises besides a CallError becomes one, its words on one safe line."""
        messages = [{"role": said.role, "content": said.content} for said in prompt.messages]
        began, asked_at = time.perf_counter(), datetime.now(UTC).isoformat(timespec="milliseconds")
        before, alone = _totals(self._inner), self._running == 0
        self._running += 1
        self._started += 1
        mine = self._started
        try:
            async with asyncio.timeout(self._judge.timeout_s):
                text = await _called(self._inner.complete_json, messages)
        except (CallError, InputError):
            raise
        except Exception as error:
            raise self._failure(error, prompt) from error
        finally:
            self._running -= 1
        if not isinstance(text, str):
            raise CallError(f"{self._judge.name}: complete_json returned {type(text).__name__}, not the reply's text.")
        usage = _used(before, _totals(self._inner)) if alone and mine == self._started else Usage()
        unknown = None in (usage.prompt_tokens, usage.completion_tokens)
        return Completion(
            text=mend(text),
            usage=usage,
            model=mend(str(getattr(self._inner, "model", "") or self._judge.model)),
            notices=(notice("usage_missing"),) if unknown else (),
            seconds=time.perf_counter() - began,
            asked_at=asked_at,
            temperature_sent=_number(getattr(self._inner, "temperature", None)),
        )

    async def aclose(self) -> None:
        """Closes the judge, where it can be closed."""
        close = getattr(self._inner, "aclose", None) or getattr(self._inner, "close", None)
        if callable(close):
            await _called(close)

    async def health(self) -> Health:
        """What the judge's own check says; it cannot be told where it has none. Raises nothing."""
        name, check = self._judge.name, getattr(self._inner, "health_check", None)
        if not callable(check):
            return Health(ok=None, message=f"{name} cannot be checked without a call.")
        try:
            async with asyncio.timeout(self._judge.timeout_s):
                said = await _called(check)
        except Exception as error:
            return Health(
                ok=False, message=f"{name}: its check failed ({type(error).__name__}). {quotable(str(error), ())}"
            )
        if said is None or said is True:
            return Health(ok=True, message=f"{name}: its own check found nothing wrong.")
        return Health(ok=False, message=f"{name}: {quotable(str(said), ()) if said else 'its own check says no.'}")

    def _failure(self, error: Exception, prompt: Prompt) -> CallError:
        name = self._judge.name
        if isinstance(error, TimeoutError):
            return UncertainCallError(f"{name}: timed out after {self._judge.timeout_s:g} seconds.")
        if isinstance(error, ConnectionError):
            return TransientCallError(f"{name}: no connection ({type(error).__name__}).")
        said = quotable(str(error), prompt.sheet.texts)
        return CallError(f"{name}: it failed with {type(error).__name__}." + (f" It says: {said}" if said else ""))


def adapted(made: object, judge: JudgeSpec) -> Provider:
    """What a factory made, as a provider.

    Raises InputError where it is neither a provider nor a judge of that kind.
    """
    if _is_provider(made):
        return made
    if callable(getattr(made, "complete_json", None)):
        return JsonProvider(cast(JsonJudge, made), judge)
    raise InputError(
        f"The kind of judge {judge.provider!r} made a {type(made).__name__}, which has neither complete(prompt) nor "
        "complete_json(messages). Give it one of them.",
        field="judge",
    )


def _is_provider(made: object) -> TypeGuard[Provider]:
    return callable(getattr(made, "complete", None)) and callable(getattr(made, "aclose", None))


async def _called(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns, waited for: on this loop where it is async, else in a thread."""
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    result = await asyncio.to_thread(function, *arguments)
    return await result if inspect.isawaitable(result) else result


def _totals(inner: object) -> tuple[int | None, int | None]:
    usage = getattr(inner, "usage", None)

    def total(name: str) -> int | None:
        value = usage.get(name) if isinstance(usage, Mapping) else getattr(usage, name, None)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    return total("prompt_tokens"), total("completion_tokens")


def _used(before: tuple[int | None, int | None], after: tuple[int | None, int | None]) -> Usage:
    """The difference of two totals; unknown where one is missing or went down."""
    used = [b - a if a is not None and b is not None and b >= a else None for a, b in zip(before, after, strict=True)]
    return Usage(prompt_tokens=used[0], completion_tokens=used[1])


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
