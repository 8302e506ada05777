"""The vendors known by a short name, and which key may go to which address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import httpx
from pydantic import SecretStr

from judge_core.providers.hosts import is_loopback, origin, read_url
from judge_core.providers.protocol import clean_key
from judge_core.records.spec import JudgeSpec

ANY_KEY = "LLM_JUDGE_API_KEY"
API_BASE = "LLM_JUDGE_API_BASE"


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


def _preset_at(address: httpx.URL) -> Preset | None:
    return next((p for p in PRESETS.values() if origin(httpx.URL(p.base_url)) == origin(address)), None)


def key_name(address: httpx.URL) -> str:
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
