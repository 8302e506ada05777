"""A judge behind an OpenAI-compatible address: OpenAI, Groq, MiniMax, llama.cpp, vLLM and many more.

The address: a bare host (`https://host`) gets `/v1/chat/completions`; any other path is taken as the base and gets
`/chat/completions`; a path that ends so already is taken as it stands. Trailing slashes do not matter.

What servers refuse is data (`QUIRKS`): asked once more without it, remembered as long as the provider lives, and said
in a notice of each reply.
"""

from __future__ import annotations

import json
from typing import Any

import httpx

from judge_core.providers.hosts import check_host
from judge_core.providers.protocol import Access, Health
from judge_core.providers.replies import Complaint, Reply, kind_of_status, notice, read_answer
from judge_core.providers.wire.judge import WireJudge, plain_messages
from judge_core.providers.wire.lanes import LANE_WIDTH as LANE_WIDTH
from judge_core.providers.wire.quirks import (
    NO_LOG_PROBABILITIES,
    Payload,
    Quirk,
    asked_log_probabilities,
    has,
    has_system,
    renamed,
    system_in_user,
    without,
    words,
)
from judge_core.records.errors import CallError
from judge_core.records.prompt import Prompt
from judge_core.records.spec import JudgeSpec

ENDPOINT = "/chat/completions"

QUIRKS: tuple[Quirk, ...] = (
    Quirk("temperature", words(r"\btemperature\b"), has("temperature"), without("temperature"),
          notice("temperature_refused")),
    Quirk("response_format", words(r"response[_ ]format|json[_ ]schema"), has("response_format"),
          without("response_format"), notice("parameter_refused", "response_format")),
    Quirk("max_tokens", words(r"\bmax_tokens\b"), has("max_tokens"), renamed("max_tokens", "max_completion_tokens"),
          notice("parameter_refused", "max_tokens, sent as max_completion_tokens")),
    Quirk("max_completion_tokens", words(r"\bmax_completion_tokens\b"), has("max_completion_tokens"),
          without("max_completion_tokens"), notice("parameter_refused", "max_tokens")),
    Quirk("system role", words(r"\brole\b.*\bsystem\b|\bsystem\b.*\b(?:role|message|instruction)s?\b|developer instruction"),
          has_system, system_in_user, notice("system_role_refused")),
    NO_LOG_PROBABILITIES,
)  # fmt: skip


class OpenAICompatible(WireJudge):
    """One judge over HTTP. `complete` asks once (quirks aside); `Retrying` is what tries again."""

    quirks = QUIRKS

    def __init__(self, judge: JudgeSpec, access: Access, key_name: str = "LLM_JUDGE_API_KEY"):
        """Opens no connection. Raises InputError where the address may not be asked."""
        super().__init__(judge, access, endpoint(check_host(judge.base_url, access.allowed_hosts)), key_name)

    async def health(self) -> Health:
        """Asks for the list of models, which costs nothing; many servers have none. Raises nothing."""
        path = self._address.path.removesuffix(ENDPOINT) + "/models"
        try:
            answered = await self._lanes.get(self._address.copy_with(path=path))
        except CallError as error:
            return Health(ok=False, message=str(error))
        kind = "" if answered.status < 300 else kind_of_status(answered.status)
        if kind == "missing":
            return Health(ok=None, message=f"{self._judge.name} cannot be checked without a call.")
        if kind:
            return Health(ok=False, message=str(self._failure(Complaint(kind, answered.status), ())))
        return self._listed(_ids(answered.body))

    def _listed(self, ids: set[str] | None) -> Health:
        name, model = self._judge.name, self._judge.model
        if ids is None:
            return Health(ok=None, message=f"{name} answers, but not with a list of models. Check its address.")
        if ids and model not in ids:
            return Health(ok=None, message=f"{name} answers, but the model is not in its list. Check the model's name.")
        return Health(ok=True, message=f"{name} answers" + (" and lists the model." if ids else "."))

    def _payload(self, prompt: Prompt) -> Payload:
        judge = self._judge
        payload: Payload = {
            "model": judge.model,
            "messages": plain_messages(prompt),
            "max_tokens": judge.max_tokens,
        }
        if judge.temperature is not None:
            payload["temperature"] = judge.temperature
        if prompt.reply_schema is not None:
            schema = {"name": "reply", "schema": prompt.reply_schema}
            payload["response_format"] = {"type": "json_schema", "json_schema": schema}
        return payload | asked_log_probabilities(judge, prompt)

    def _read(self, status: int, body: bytes) -> Reply | Complaint:
        return read_answer(status, body)

    def _temperature(self, payload: Payload) -> float | None:
        sent: float | None = payload.get("temperature")
        return sent


def endpoint(base: httpx.URL) -> httpx.URL:
    """The address that is asked, by the rule at the head of this module.

    >>> str(endpoint(httpx.URL("https://host"))), str(endpoint(httpx.URL("https://host/openai/v1/")))
    ('https://host/v1/chat/completions', 'https://host/openai/v1/chat/completions')
    """
    path = base.path.rstrip("/")
    if path.endswith(ENDPOINT):
        return base.copy_with(path=path)
    return base.copy_with(path=(path or "/v1") + ENDPOINT)


def _ids(body: bytes) -> set[str] | None:
    """The models that a server lists; None where the answer is no such list."""
    try:
        data: Any = json.loads(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    rows = data.get("data") if isinstance(data, dict) else data
    if not isinstance(rows, list):
        return None
    return {row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)}
