"""What a judge's name says: the kind, the model and the address; and what was probably meant where it says nothing."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection
from typing import NamedTuple

from judge_core.providers.hosts import check_host
from judge_core.providers.kinds.command import COMMANDS, read_command
from judge_core.providers.kinds.local_model import ENDING
from judge_core.providers.kinds.vendors import PRESETS
from judge_core.providers.wire.ollama import HOST, ollama_address
from judge_core.records.errors import InputError

OFFLINE = "offline"
OPENAI_COMPATIBLE = "openai_compatible"
OLLAMA = "ollama"
COMMAND = "cli"
LOCAL = "local"
URL_NAME = "https://host/v1#MODEL"
EXAMPLES: dict[str, str] = {
    OFFLINE: OFFLINE,
    **{vendor: f"{vendor}:MODEL" for vendor in PRESETS},
    OLLAMA: "ollama:MODEL",
    LOCAL: f"local:PATH{ENDING}",
    COMMAND: "cli:claude",
}
"""How the names of the built-in kinds are written."""


class Named(NamedTuple):
    """What a name says."""

    base_url: str
    provider: str
    model: str


def read_name(name: str, registered: Collection[str], *, api_base: str | None, ollama_host: str | None) -> Named:
    """What a name says; `registered` are the kinds beyond the built-in ones. InputError with the remedy otherwise."""
    if "://" in name and not name.startswith(f"{COMMAND}:"):
        return _address(name)
    kind, colon, model = (part.strip() for part in name.partition(":"))
    if kind in EXAMPLES and kind != OFFLINE and not model:
        raise InputError(f"Judge {name!r} names no model. Write {EXAMPLES[kind]}.", field="judge")
    if kind == OFFLINE and not colon:
        return Named("", OFFLINE, OFFLINE)
    if kind in PRESETS:
        base = api_base if api_base and kind == "openai" else PRESETS[kind].base_url
        check_host(base, None)
        return Named(base, OPENAI_COMPATIBLE, model)
    if kind in (OLLAMA, COMMAND, LOCAL):
        return _on_this_computer(kind, model, ollama_host)
    if kind in registered:
        return Named("", kind, model or kind)
    raise _unknown(name, kind, model, registered)


def _address(name: str) -> Named:
    base, _, model = name.partition("#")
    if not model.strip():
        raise InputError(f"The address names no model. Write {URL_NAME}.", field="judge")
    check_host(base, None)
    return Named(base, OPENAI_COMPATIBLE, model.strip())


def _on_this_computer(kind: str, model: str, ollama_host: str | None) -> Named:
    if kind == OLLAMA:
        base = ollama_address(os.environ.get(HOST) if ollama_host is None else ollama_host)
        check_host(base, None)
        return Named(base, OLLAMA, model)
    if kind == COMMAND:
        read_command(model)
    elif not model.lower().endswith(ENDING):
        raise InputError(f"{model!r} is no GGUF file. Write {EXAMPLES[LOCAL]}.", field="judge")
    return Named("", kind, model)


def _unknown(name: str, kind: str, model: str, registered: Collection[str]) -> InputError:
    near = _near(kind, model, [*EXAMPLES, *registered])
    hint = f" Did you mean {near}?" if near else ""
    choices = ", ".join((*EXAMPLES.values(), *(f"{own}:MODEL" for own in registered), URL_NAME))
    return InputError(f"There is no judge {name!r}.{hint} Known are: {choices}.", field="judge")


def _near(kind: str, model: str, known: list[str]) -> str | None:
    """The name that was probably meant: other letters' case, blanks in it or in place of the colon, a slip, a program.

    >>> _near("Open AI", "gpt-4o", ["openai"]), _near("groq llama", "", ["groq"]), _near("claude", "opus", [])
    ('openai:gpt-4o', 'groq:llama', 'cli:claude:opus')
    """
    first, _, rest = kind.partition(" ")
    joined = "".join(kind.split()).lower()
    behind = f":{model}" if model else ""
    if joined in known:
        return joined + behind
    if first.lower() in known and rest.strip():
        return f"{first.lower()}:{rest.strip()}{behind}"
    if joined in COMMANDS:
        return f"{COMMAND}:{joined}{behind}"
    if kind.lower().endswith(ENDING):
        return f"{LOCAL}:{kind}"
    return next(iter(difflib.get_close_matches(joined, known, n=1)), None)
