"""Judges by name: what the user writes, who stands behind it, which key may go there, and how it is opened."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import httpx
from pydantic import SecretStr, ValidationError

from judge_core.providers.hosts import check_host, is_loopback, origin, read_url
from judge_core.providers.openai_compatible import OpenAICompatible
from judge_core.providers.prices import price_of
from judge_core.providers.protocol import Access, Provider, clean_key
from judge_core.providers.retry import Retrying
from judge_core.records.errors import InputError
from judge_core.records.spec import JudgeSpec

ANY_KEY = "LLM_JUDGE_API_KEY"
API_BASE = "LLM_JUDGE_API_BASE"
OFFLINE = "offline"
OPENAI_COMPATIBLE = "openai_compatible"
URL_NAME = "https://host/v1#MODEL"

Factory = Callable[[JudgeSpec, Access], Provider]


class Preset(NamedTuple):
    """A vendor that is known by a short name."""

    title: str
    base_url: str
    key_name: str
    """The environment variable of its key."""
    longest_text: int | None = None
    """Bytes of one text above which the vendor refuses the prompt, where that is known."""
    contexts: Mapping[str, int] = {}
    """Tokens of prompt and reply together, by model, where known."""


PRESETS: dict[str, Preset] = {
    "openai": Preset("OpenAI", "https://api.openai.com/v1", "OPENAI_API_KEY", contexts={
        "gpt-4o": 128_000, "gpt-4o-mini": 128_000, "gpt-4.1": 1_047_576, "gpt-4.1-mini": 1_047_576,
        "gpt-4.1-nano": 1_047_576, "gpt-5": 400_000, "gpt-5-mini": 400_000, "gpt-5-nano": 400_000}),
    "groq": Preset("Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", contexts={
        "llama-3.1-8b-instant": 131_072, "llama-3.3-70b-versatile": 131_072, "openai/gpt-oss-20b": 131_072,
        "openai/gpt-oss-120b": 131_072}),
    "minimax": Preset("MiniMax", "https://api.minimax.io/v1", "MINIMAX_API_KEY", longest_text=50_000, contexts={
        "MiniMax-M2": 204_800, "MiniMax-M2.5": 204_800, "MiniMax-M2.7": 204_800}),
}  # fmt: skip


def _open_offline(judge: JudgeSpec, access: Access) -> Provider:
    from judge_core.providers.offline import OfflineJudge  # only a run that uses it pays for loading it

    return OfflineJudge()


def _open_compatible(judge: JudgeSpec, access: Access) -> Provider:
    provider = OpenAICompatible(judge, access, _key_name(read_url(judge.base_url)))
    return Retrying(provider, may_repeat=access.may_repeat)


_FACTORIES: dict[str, Factory] = {OFFLINE: _open_offline, OPENAI_COMPATIBLE: _open_compatible}


def register_provider(name: str, factory: Factory) -> None:
    """Adds a kind of judge: `name` and `name:MODEL` then name one, and `factory(judge, access)` opens it."""
    _FACTORIES[name] = factory


def judge_spec(name: str, *, api_base: str | None = None, **settings: Any) -> JudgeSpec:
    """The judge of that name: `offline`, `openai:MODEL`, `groq:MODEL`, `minimax:MODEL` or `https://host/v1#MODEL`.

    `api_base` (LLM_JUDGE_API_BASE) takes the place of OpenAI's address in `openai:MODEL`. `settings` are fields of
    `JudgeSpec`; a price that is not given comes from the shipped table. Raises InputError with the names that are known.
    """
    address, provider, model = _address_of(name.strip(), api_base)
    try:
        judge = JudgeSpec(name=name.strip(), provider=provider, model=model, base_url=address, **settings)
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(part) for part in fault["loc"])
        raise InputError(f"Judge {name!r}: {field}: {fault['msg']} (given: {fault['input']!r}).", field=field) from None
    preset = preset_of(judge)
    known = {"price": price_of(judge), "context_tokens": preset.contexts.get(model) if preset else None}
    return judge.model_copy(update={key: value for key, value in known.items() if key not in settings})


def _address_of(name: str, api_base: str | None) -> tuple[str, str, str]:
    """(base URL, provider, model) of a name."""
    if "://" in name:
        base, _, model = name.partition("#")
        if not model.strip():
            raise InputError(f"The address names no model. Write {URL_NAME}.", field="judge")
        check_host(base, None)
        return base, OPENAI_COMPATIBLE, model.strip()
    kind, colon, model = (part.strip() for part in name.partition(":"))
    if kind in PRESETS and model:
        base = api_base if api_base and kind == "openai" else PRESETS[kind].base_url
        check_host(base, None)
        return base, OPENAI_COMPATIBLE, model
    if kind == OFFLINE and not colon:
        return "", OFFLINE, OFFLINE
    if kind in _FACTORIES and kind not in (OFFLINE, OPENAI_COMPATIBLE):
        return "", kind, model or kind
    raise _unknown(name, kind, bool(model))


def _unknown(name: str, kind: str, has_model: bool) -> InputError:
    own = [known for known in _FACTORIES if known not in (OFFLINE, OPENAI_COMPATIBLE)]
    choices = ", ".join((OFFLINE, *(f"{preset}:MODEL" for preset in PRESETS), *own, URL_NAME))
    if kind in PRESETS and not has_model:
        return InputError(f"Judge {name!r} names no model. Write {kind}:MODEL.", field="judge")
    near = difflib.get_close_matches(kind.lower(), [OFFLINE, *PRESETS, *own], n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return InputError(f"There is no judge {name!r}.{hint} Known are: {choices}.", field="judge")


def _preset_at(address: httpx.URL) -> Preset | None:
    return next((p for p in PRESETS.values() if origin(httpx.URL(p.base_url)) == origin(address)), None)


def _key_name(address: httpx.URL) -> str:
    preset = _preset_at(address)
    return preset.key_name if preset else f"{ANY_KEY}, with {API_BASE} naming this address"


def preset_of(judge: JudgeSpec) -> Preset | None:
    """The vendor at the judge's address, whatever name the user gave; None for any other host."""
    return _preset_at(read_url(judge.base_url)) if judge.base_url else None


def key_for(judge: JudgeSpec, environ: Mapping[str, str]) -> SecretStr | None:
    """The key of the environment that may go to this judge's address, or None. Decided by the address, not the name.

    - A vendor's own key (OPENAI_API_KEY, GROQ_API_KEY, MINIMAX_API_KEY) goes to that vendor's host and to no other.
    - LLM_JUDGE_API_KEY goes to the host that LLM_JUDGE_API_BASE names, and to no other. Without LLM_JUDGE_API_BASE it
      goes to this computer and, where their own key is missing, to the known vendors: not to any other address, since
      on a shared server that would hand the key to whoever types one.

    Raises InputError, without showing the key, where the key cannot be one.
    """
    if not judge.base_url:
        return None
    address = read_url(judge.base_url)
    preset = _preset_at(address)
    own = clean_key(environ.get(preset.key_name, ""), preset.key_name) if preset else None
    if own:
        return own
    base = environ.get(API_BASE, "").strip()
    trusted = origin(read_url(base)) == origin(address) if base else preset is not None or is_loopback(address.host)
    return clean_key(environ.get(ANY_KEY, ""), ANY_KEY) if trusted else None


def open_provider(judge: JudgeSpec, access: Access) -> Provider:
    """The judge, ready to be asked; judges over the wire try again by themselves. No connection is opened yet.

    Raises InputError where its host is not allowed, or nobody registered its kind.
    """
    factory = _FACTORIES.get(judge.provider)
    if factory is None:
        raise InputError(f"No judge of the kind {judge.provider!r} is known. Known are: {', '.join(_FACTORIES)}.")
    return factory(judge, access)
