"""The panel of a draft: its rows as judges, which key each would use, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import httpx

from judge_core.interfaces.drafts.records import JudgeDraft, JudgeKind
from judge_core.interfaces.settings import Settings
from judge_core.providers.hosts import check_host, is_loopback
from judge_core.providers.registry import ANY_KEY, PRESETS, judge_spec, key_for, preset_of
from judge_core.records.errors import InputError
from judge_core.records.spec import JudgeSpec

KINDS: dict[JudgeKind, str] = {
    "offline": "Demo judge on this computer (free, not an AI)",
    "openai": "OpenAI",
    "groq": "Groq",
    "minimax": "MiniMax",
    "address": "Another service (OpenAI-compatible address)",
}


def known_models(kind: JudgeKind) -> list[str]:
    """Models of a vendor that are offered; any other may be typed."""
    return list(PRESETS[kind].contexts) if kind in PRESETS else []


def judge_of(judge: JudgeDraft, settings: Settings) -> JudgeSpec:
    """The row as a judge, without a price where none was entered. InputError, naming the field, where it is not complete."""
    if judge.kind != "offline" and not judge.model.strip():
        raise InputError("Name the model.", field="model")
    if judge.kind == "address" and not judge.base_url.strip():
        raise InputError("Enter the address, for example https://host/v1.", field="base_url")
    fields: dict[str, object] = {
        "temperature": judge.temperature,
        "max_tokens": judge.max_tokens,
        "timeout_s": judge.timeout_s,
    }
    fields |= {"weight": judge.weight, "price": judge.price}
    if judge.context_tokens is not None:
        fields["context_tokens"] = judge.context_tokens
    return judge_spec(_name(judge), api_base=settings.judge_api_base, **fields)


def _name(judge: JudgeDraft) -> str:
    model = judge.model.strip()
    if judge.kind == "offline":
        return "offline"
    return f"{judge.base_url.strip()}#{model}" if judge.kind == "address" else f"{judge.kind}:{model}"


def host_of(judge: JudgeSpec) -> str | None:
    """The host that the texts would be sent to; None where they stay in this process."""
    return httpx.URL(judge.base_url).netloc.decode("ascii") if judge.base_url else None


def key_variable(judge: JudgeSpec, settings: Settings) -> str | None:
    """The variable whose key would be used; None where there is none. InputError where its value cannot be a key."""
    environ = settings.environ()
    if key_for(judge, environ) is None:
        return None
    preset = preset_of(judge)
    return preset.key_name if preset and preset.key_name in environ else ANY_KEY


def judge_faults(judge: JudgeDraft, settings: Settings, typed: Collection[str]) -> Iterator[str]:
    """What keeps this judge from being asked. `typed`: keys of the rows for which a person typed a key."""
    try:
        spec = judge_of(judge, settings)
        if spec.base_url:
            check_host(spec.base_url, settings.allowed_hosts)
        variable = key_variable(spec, settings)
    except InputError as error:
        yield str(error)
        return
    preset = preset_of(spec)
    if judge.key in typed:
        return
    if judge.keyed and spec.base_url:
        yield "Its key is gone: a key that you type is never saved, so a refresh forgets it. Type it again."
    elif preset and variable is None:
        yield f"There is no key for {preset.title}. Type one, or set {preset.key_name} and start Podium again."


def is_here(judge: JudgeSpec) -> bool:
    """Whether its texts stay on this computer."""
    return not judge.base_url or is_loopback(httpx.URL(judge.base_url).host)
