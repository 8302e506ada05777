"""A judge that Ollama runs, asked in its own format: `/api/chat`, with room made for the whole prompt.

Ollama's default context is small, and an older server drops the start of a longer prompt without a word. So each
request says how much room it needs, forbids cutting, and the count of tokens that comes back is compared with what
was sent. Where Ollama listens stands in OLLAMA_HOST: `host`, `host:port` or a URL.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import httpx

from judge_core.providers.hosts import check_host, is_loopback, read_url
from judge_core.providers.prices import count_tokens
from judge_core.providers.protocol import Access, Health
from judge_core.providers.replies import Complaint, Reply, error_of, mend, notice, read_answer
from judge_core.providers.wire.judge import WireJudge, plain_messages
from judge_core.providers.wire.quirks import (
    NO_LOG_PROBABILITIES,
    Payload,
    Quirk,
    asked_log_probabilities,
    has,
    without,
    words,
)
from judge_core.records.errors import CallError, InputError, JudgeUnusableError
from judge_core.records.prompt import Prompt
from judge_core.records.record import Notice
from judge_core.records.spec import JudgeSpec

HOST = "OLLAMA_HOST"
DEFAULT_PORT = 11434
LEAST_CONTEXT = 4_096
MOST_CONTEXT = 131_072
"""Tokens of context that are asked for where the judge does not say how many it takes. A longer prompt is refused."""
LONGEST_TOKEN = 8
"""Characters a token that no tokenizer reaches over a whole prompt: fewer tokens than this gives were not all read."""

QUIRKS: tuple[Quirk, ...] = (
    Quirk("think", words(r"\bthink(?:ing)?\b"), has("think"), without("think"), notice("parameter_refused", "think")),
    Quirk("format", words(r"\b(?:format|grammar|json[_ ]?schema)\b"), has("format"), without("format"),
          notice("parameter_refused", "format")),
    NO_LOG_PROBABILITIES,
)  # fmt: skip
_HOST = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::(\d+))?")
_PLAIN_MODEL = re.compile(r"[\w./:-]{1,200}", re.ASCII)
_RUN = re.compile(r"\s+|(.)\1{3,}")  # blanks and drawn lines: many characters, few tokens
_ALL_ADDRESSES = ("0.0.0.0", "[::]", "")


class OllamaJudge(WireJudge):
    """One judge at an Ollama server. `complete` asks once (quirks aside); `Retrying` is what tries again."""

    quirks = QUIRKS

    def __init__(self, judge: JudgeSpec, access: Access, key_name: str = "LLM_JUDGE_API_KEY"):
        """Opens no connection. Raises InputError where the address may not be asked."""
        self._base = check_host(judge.base_url, access.allowed_hosts)
        super().__init__(judge, access, _path(self._base, "/api/chat"), key_name)
        self._context = LEAST_CONTEXT

    async def health(self) -> Health:
        """Asks which models there are, which costs nothing. Raises nothing."""
        name, model = self._judge.name, self._judge.model
        try:
            answered = await self._lanes.get(_path(self._base, "/api/tags"))
        except CallError as error:
            return Health(ok=False, message=f"{error} Ollama is started with: ollama serve")
        found = _models(answered.body) if answered.status == 200 else None
        if found is None:
            return Health(ok=False, message=f"{name}: no Ollama answers there ({answered.status}). Check {HOST}.")
        if not {model, f"{model}:latest"} & found:
            return Health(ok=False, message=f"{name}: the model is not installed. {_pull(model)}")
        return Health(ok=True, message=f"{name} answers, and the model is installed.")

    def _payload(self, prompt: Prompt) -> Payload:
        judge = self._judge
        options: dict[str, Any] = {"num_predict": judge.max_tokens, "num_ctx": self._room(prompt)}
        if judge.temperature is not None:
            options["temperature"] = judge.temperature
        payload: Payload = {
            "model": judge.model,
            "messages": plain_messages(prompt),
            "stream": False,
            "think": False,  # the reply's form has room for reasons; thoughts would eat the tokens meant for it
            "truncate": False,  # servers that know it refuse a prompt that does not fit, in place of cutting it
            "shift": False,
            "options": options,
        }
        if prompt.reply_schema is not None:
            payload["format"] = prompt.reply_schema
        return payload | asked_log_probabilities(judge, prompt)  # known from version 0.12.11 on; passed over before

    def _room(self, prompt: Prompt) -> int:
        """Tokens of context to ask for. It only grows: each change makes Ollama load the model anew."""
        tokens = sum(count_tokens(said.content) for said in prompt.messages)
        most = self._judge.context_tokens or MOST_CONTEXT
        if tokens > most:
            error = error_of(Complaint("too_long", 0, limit=most), self._judge.name, "", prompt.sheet.texts)
            error.calls = 0
            raise error
        if self._judge.context_tokens is None:
            self._context = max(self._context, context_for(tokens, self._judge.max_tokens))
        return self._judge.context_tokens or self._context

    def _read(self, status: int, body: bytes) -> Reply | Complaint:
        return read_answer(status, body, _as_openai)

    def _temperature(self, payload: Payload) -> float | None:
        sent: float | None = payload["options"].get("temperature")
        return sent

    def _remarks(self, reply: Reply, payload: Payload) -> Sequence[Notice]:
        counted = reply.usage.prompt_tokens
        sent = sum(len(_RUN.sub(" ", said["content"])) for said in payload["messages"])
        if counted is None or counted >= sent // LONGEST_TOKEN:
            return ()
        return (notice("context_cut", "a prompt that Ollama still had in memory can lower the count too"),)

    def _failure(self, complaint: Complaint, texts: Sequence[str]) -> CallError:
        if complaint.kind != "missing":
            return super()._failure(complaint, texts)
        return JudgeUnusableError(
            f"{self._judge.name}: Ollama does not have the model ({complaint.status}). {_pull(self._judge.model)}",
            status=complaint.status,
        )


def ollama_address(host: str | None) -> str:
    """The base URL that OLLAMA_HOST stands for; this computer where it is unset. InputError where it is no address.

    A server told to listen at all addresses (0.0.0.0) is asked at this computer's own.

    >>> ollama_address(None), ollama_address("gpu.local:8080"), ollama_address("https://host/ollama/")
    ('http://127.0.0.1:11434', 'http://gpu.local:8080', 'https://host/ollama')
    >>> ollama_address("0.0.0.0"), ollama_address("::1")
    ('http://127.0.0.1:11434', 'http://[::1]:11434')
    """
    scheme, has_scheme, rest = (host or "").strip().strip("\"'").rpartition("://")
    name, slash, path = rest.partition("/")
    if name.count(":") > 1 and not name.startswith("["):
        name = f"[{name}]"
    found = _HOST.fullmatch(name)
    base = f"{scheme}{has_scheme}{rest}"
    if found:
        port = found[2] or ("" if has_scheme else str(DEFAULT_PORT))
        at = "127.0.0.1" if found[1] in _ALL_ADDRESSES else found[1]
        base = f"{scheme or 'http'}://{at}{':' if port else ''}{port}{slash}{path}".rstrip("/")
    try:
        read_url(base)
    except InputError as error:
        raise InputError(f"{HOST}: {error}", field=HOST) from None
    return base


def runs_here(judge: JudgeSpec) -> bool:
    """Whether the model runs on this computer: not at another host, and none that Ollama passes on to its cloud.

    >>> judge = JudgeSpec(name="x", provider="ollama", model="gpt-oss:20b-cloud", base_url="http://localhost:11434")
    >>> runs_here(judge), runs_here(judge.model_copy(update={"model": "llama3.2"}))
    (False, True)
    """
    tag = judge.model.rpartition(":")[2] if ":" in judge.model else ""
    return is_loopback(read_url(judge.base_url).host) and tag != "cloud" and not tag.endswith("-cloud")


def context_for(tokens: int, max_tokens: int) -> int:
    """A power of two with room for a prompt of about so many tokens and the reply, within the bounds above.

    >>> context_for(1000, 500), context_for(3000, 4096), context_for(200_000, 1)
    (4096, 8192, 131072)
    """
    needed = tokens * 5 // 4 + max_tokens  # real tokenizers differ from the estimate by a quarter
    return max(LEAST_CONTEXT, min(MOST_CONTEXT, 1 << (needed - 1).bit_length()))


def _path(base: httpx.URL, path: str) -> httpx.URL:
    return base.copy_with(path=base.path.rstrip("/") + path)


def _pull(model: str) -> str:
    return f"Install it with: ollama pull {model if _PLAIN_MODEL.fullmatch(model) else 'MODEL'}"


def _as_openai(data: dict[str, Any]) -> dict[str, Any]:
    """Ollama's answer in the fields of OpenAI's."""
    message = data["message"] if isinstance(data.get("message"), dict) else None
    if message is None:
        return {}
    said = {"content": message.get("content"), "reasoning": message.get("thinking")}
    usage = {"prompt_tokens": data.get("prompt_eval_count"), "completion_tokens": data.get("eval_count")}
    logged = {"content": data.get("logprobs")}
    choice = {"message": said, "finish_reason": data.get("done_reason"), "logprobs": logged}
    return {"model": data.get("model"), "choices": [choice], "usage": usage}


def _models(body: bytes) -> set[str] | None:
    """The names of the installed models; None where the answer is not Ollama's."""
    try:
        data: Any = json.loads(mend(body.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return None
    rows = data.get("models") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        return None
    return {str(row.get(field)) for row in rows if isinstance(row, dict) for field in ("name", "model")}
