"""Judges by name: what the user writes, how the judge behind it is opened, and whether it can be used now."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import ValidationError

from judge_core.providers.hosts import is_loopback, read_url
from judge_core.providers.kinds.command import COMMANDS, TIMEOUT_S, CommandJudge
from judge_core.providers.kinds.discovery import discovered, installed
from judge_core.providers.kinds.json_providers import JsonJudge, JsonProvider, adapted
from judge_core.providers.kinds.local_model import CONTEXT, LocalModel
from judge_core.providers.kinds.names import (
    COMMAND,
    EXAMPLES,
    LOCAL,
    OLLAMA,
    URL_NAME,
    read_name,
)
from judge_core.providers.kinds.names import OFFLINE as OFFLINE
from judge_core.providers.kinds.names import OPENAI_COMPATIBLE as OPENAI_COMPATIBLE
from judge_core.providers.kinds.vendors import ANY_KEY as ANY_KEY
from judge_core.providers.kinds.vendors import API_BASE as API_BASE
from judge_core.providers.kinds.vendors import PRESETS as PRESETS
from judge_core.providers.kinds.vendors import Preset as Preset
from judge_core.providers.kinds.vendors import key_for as key_for
from judge_core.providers.kinds.vendors import key_name
from judge_core.providers.kinds.vendors import preset_of as preset_of
from judge_core.providers.openai_compatible import OpenAICompatible
from judge_core.providers.prices import price_of
from judge_core.providers.protocol import Access, Health, Provider
from judge_core.providers.wire.ollama import OllamaJudge, runs_here
from judge_core.providers.wrappers.retry import Retrying
from judge_core.records.errors import InputError
from judge_core.records.spec import JudgeSpec, Price

Factory = Callable[[JudgeSpec, Access], Provider | JsonJudge]
FREE = Price(input=0, output=0)
_KIND = re.compile(r"[a-z][a-z0-9_.-]*")


class JudgeKind(NamedTuple):
    """A kind of judge, for pickers and checks of the set-up."""

    name: str
    title: str
    example: str
    """How a name of this kind is written."""
    key_variable: str | None
    """The variable of its key; None where it takes none."""
    needs_key: bool
    """Whether nothing works without a key."""
    local: bool | None
    """Whether the texts stay on this computer; None where that depends on the judge (see `stays_here`)."""
    own: bool = False
    """Whether it was registered or is brought by an installed package."""


def _open_offline(judge: JudgeSpec, access: Access) -> Provider:
    from judge_core.providers.offline import OfflineJudge  # only a run that uses it pays for loading it

    return OfflineJudge()


def _open_compatible(judge: JudgeSpec, access: Access) -> Provider:
    return OpenAICompatible(judge, access, key_name(read_url(judge.base_url)))


def _open_ollama(judge: JudgeSpec, access: Access) -> Provider:
    return OllamaJudge(judge, access, key_name(read_url(judge.base_url)))


_FACTORIES: dict[str, Factory] = {
    OFFLINE: _open_offline,
    OPENAI_COMPATIBLE: _open_compatible,
    OLLAMA: _open_ollama,
    COMMAND: CommandJudge,
    LOCAL: LocalModel,
}
_BUILT_IN = tuple(_FACTORIES)
_RETRIED = (OPENAI_COMPATIBLE, OLLAMA, LOCAL)
"""Judges whose calls are worth repeating; a program that ran into its limit of minutes is not started again."""


def register_provider(name: str, factory: Factory) -> None:
    """Adds a kind of judge: `name` and `name:MODEL` then name one, and `factory(judge, access)` opens it.

    The factory returns a provider (`complete(prompt)` and `aclose()`), or any object with `model` and
    `complete_json(messages) -> str`; see `kinds/json_providers.py`. A kind of that name is replaced, a built-in one not.
    InputError where the name cannot be one.
    """
    if not _KIND.fullmatch(name) or name in _BUILT_IN or name in EXAMPLES:
        raise InputError(
            f"A kind of judge cannot be called {name!r}. Take small letters, digits, '_' or '-', and none of "
            f"{', '.join(sorted({*_BUILT_IN, *EXAMPLES}))}.",
            field="name",
        )
    _FACTORIES[name] = factory


def judge_spec(name: str, *, api_base: str | None = None, ollama_host: Any = None, **settings: Any) -> JudgeSpec:
    """The judge of that name.

    Names are `offline`, `openai:MODEL`, `groq:MODEL`, `minimax:MODEL`, `ollama:MODEL`, `local:PATH.gguf`, `cli:claude`,
    `cli:claude:MODEL`, `cli:PROGRAM ARGS...`, `https://host/v1#MODEL`, and the kinds registered or installed.
    `api_base` (LLM_JUDGE_API_BASE) takes the place of OpenAI's address in `openai:MODEL`. `ollama_host` (OLLAMA_HOST, by
    default as the environment has it) says where Ollama listens. `settings` are fields of `JudgeSpec`; a price that is
    not given comes from the shipped table. Raises InputError with the names that are known.
    """
    name = name.strip()
    kind = name.partition(":")[0].strip()
    if kind not in EXAMPLES and "://" not in name:
        _factory(kind)
    base, provider, model = read_name(name, _own(), api_base=api_base, ollama_host=ollama_host)
    fields = {"timeout_s": TIMEOUT_S} if provider in (COMMAND, LOCAL) else {}
    try:
        judge = JudgeSpec(name=name, provider=provider, model=model, base_url=base, **{**fields, **settings})
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(part) for part in fault["loc"])
        raise InputError(f"Judge {name!r}: {field}: {fault['msg']} (given: {fault['input']!r}).", field=field) from None
    preset = preset_of(judge)
    known = {"price": price_of(judge), "context_tokens": preset.contexts.get(model) if preset else None}
    return _settled(judge.model_copy(update={key: value for key, value in known.items() if key not in settings}))


def _settled(judge: JudgeSpec) -> JudgeSpec:
    """The judge with what its kind fixes, whatever was set: no price for a model of this computer, no temperature for a program."""
    fixed: dict[str, object] = {}
    if judge.provider == COMMAND:
        fixed["temperature"] = None
    if judge.provider == LOCAL and judge.context_tokens is None:
        fixed["context_tokens"] = CONTEXT
    if judge.price is None and (judge.provider == LOCAL or judge.provider == OLLAMA and runs_here(judge)):
        fixed["price"] = FREE
    return judge.model_copy(update=fixed)


def open_provider(judge: JudgeSpec, access: Access) -> Provider:
    """The judge, ready to be asked; those worth it try again by themselves. No connection is opened yet.

    Raises InputError where its host or program is not allowed, or nobody registered its kind.
    """
    provider = _opened(judge, access)
    if judge.provider in _RETRIED or isinstance(provider, JsonProvider):
        return Retrying(provider, may_repeat=access.may_repeat)
    return provider


async def check_judge(judge: JudgeSpec, access: Access) -> Health:
    """Whether the judge can be used, as far as that can be told without a call that costs. Never raises."""
    try:
        provider = _opened(judge, access)
    except Exception as error:
        return Health(ok=False, message=str(error) if isinstance(error, InputError) else _broken(judge, error))
    try:
        look = getattr(provider, "health", None)
        if judge.provider == OFFLINE:
            return Health(ok=True, message="The demo judge is built in. It is no AI.")
        if not callable(look):
            return Health(ok=None, message=f"{judge.name} cannot be checked without a call.")
        async with asyncio.timeout(judge.timeout_s):
            health: Health = await look()
            return health
    except Exception as error:
        return Health(ok=False, message=_broken(judge, error))
    finally:
        await _closed(provider)


def judge_kinds() -> tuple[JudgeKind, ...]:
    """All kinds of judges that can be named here. Nothing is loaded or asked."""
    vendors = [JudgeKind(v, p.title, EXAMPLES[v], p.key_name, True, False) for v, p in PRESETS.items()]
    own = [JudgeKind(name, name, f"{name}:MODEL", None, False, None, own=True) for name in _own()]
    return (
        JudgeKind(OFFLINE, "Demo judge (not an AI)", OFFLINE, None, False, True),
        *vendors,
        JudgeKind(OLLAMA, "Ollama", EXAMPLES[OLLAMA], None, False, None),
        JudgeKind(LOCAL, "Model file on this computer (GGUF)", EXAMPLES[LOCAL], None, False, True),
        JudgeKind(COMMAND, f"Program on this computer ({', '.join(COMMANDS)}, or any other)", EXAMPLES[COMMAND], None, False, None),
        JudgeKind(OPENAI_COMPATIBLE, "Another OpenAI-compatible address", URL_NAME, ANY_KEY, False, None),
        *own,
    )  # fmt: skip


def stays_here(judge: JudgeSpec) -> bool:
    """Whether the texts surely stay on this computer. A program or a kind of others may send them anywhere.

    >>> [stays_here(judge_spec(name)) for name in ("offline", "http://127.0.0.1:8080#m", "cli:claude", "openai:gpt-4o")]
    [True, True, False, False]
    """
    if judge.provider == OLLAMA:
        return runs_here(judge)
    if judge.provider == OPENAI_COMPATIBLE:
        return is_loopback(read_url(judge.base_url).host)
    return judge.provider in (OFFLINE, LOCAL)


def gives_log_probabilities(judge: JudgeSpec) -> bool | None:
    """Whether the judge can say how probable its winner is to it; None where only a call can tell.

    llama.cpp does. Whether a service does depends on its model and version (OpenAI's reasoning models refuse, Ollama does
    from 0.12.11 on); one that does not is asked without it, and its winners count. The demo judge and programs have no tokens.

    >>> [gives_log_probabilities(judge_spec(name)) for name in ("offline", "cli:claude", "local:x.gguf", "ollama:m")]
    [False, False, True, None]
    """
    known = {OFFLINE: False, COMMAND: False, LOCAL: True}
    return known.get(judge.provider)


def _own() -> tuple[str, ...]:
    """The kinds that are registered or installed, beyond the built-in ones."""
    names = (*(name for name in _FACTORIES if name not in _BUILT_IN), *installed())
    return tuple(dict.fromkeys(name for name in names if name not in EXAMPLES and name not in _BUILT_IN))


def _factory(kind: str) -> Factory | None:
    """The kind's factory; one of an installed package is loaded when it is first looked up. InputError where it is broken."""
    if kind not in _FACTORIES and (found := discovered(kind)) is not None:
        _FACTORIES[kind] = found
    return _FACTORIES.get(kind)


def _opened(judge: JudgeSpec, access: Access) -> Provider:
    factory = _factory(judge.provider)
    if factory is None:
        known = ", ".join((*_BUILT_IN, *_own()))
        raise InputError(f"No judge of the kind {judge.provider!r} is known. Known are: {known}.")
    return adapted(factory(judge, access), judge)


async def _closed(provider: Provider) -> None:
    try:
        await provider.aclose()
    except Exception:  # the look is over; what its closing says helps nobody
        return


def _broken(judge: JudgeSpec, error: Exception) -> str:
    return f"{judge.name} cannot be checked ({type(error).__name__})."
