"""A judge behind an OpenAI-compatible address: OpenAI, Groq, MiniMax, llama.cpp, vLLM and many more.

The address: a bare host (`https://host`) gets `/v1/chat/completions`; any other path is taken as the base and gets
`/chat/completions`; a path that ends so already is taken as it stands. Trailing slashes do not matter.

What servers refuse is data (`QUIRKS`): asked once more without it, remembered as long as the provider lives, and said
in a notice of each reply.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import httpx
import truststore

from judge_core.providers.hosts import check_host, is_loopback
from judge_core.providers.protocol import Access, UncertainCallError
from judge_core.providers.replies import Complaint, Reply, error_of, mend, notice, read_answer
from judge_core.providers.retry import read_retry_after
from judge_core.records.errors import CallError, JudgeUnusableError, TransientCallError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.record import Notice
from judge_core.records.spec import JudgeSpec

ENDPOINT = "/chat/completions"
LANE_WIDTH = 4
"""Connections a client: one pool with many more spends its time searching itself."""
CONNECT_TIMEOUT_S = 15.0
MOST_ANSWER = 8_000_000
"""Bytes of an answer, unpacked; a verdict has a few thousand."""
CHUNK = 65_536

Payload = dict[str, Any]


class Quirk(NamedTuple):
    """Something that some servers refuse, how they name it, and what to ask instead."""

    name: str
    named: re.Pattern[str]
    """Searched in `param` and the words of a refused request."""
    present: Callable[[Payload], bool]
    change: Callable[[Payload], Payload]
    notice: Notice


def _without(name: str) -> Callable[[Payload], Payload]:
    return lambda payload: {key: value for key, value in payload.items() if key != name}


def _has(name: str) -> Callable[[Payload], bool]:
    return lambda payload: name in payload


def _renamed(old: str, new: str) -> Callable[[Payload], Payload]:
    return lambda payload: {new if key == old else key: value for key, value in payload.items()}


def _has_system(payload: Payload) -> bool:
    return any(message["role"] == "system" for message in payload["messages"])


def _system_in_user(payload: Payload) -> Payload:
    """The same messages, with the system's words at the head of the first user message."""
    system = [m["content"] for m in payload["messages"] if m["role"] == "system"]
    others = [m for m in payload["messages"] if m["role"] != "system"]
    first = next((n for n, m in enumerate(others) if m["role"] == "user"), None)
    if first is None:
        return {**payload, "messages": [{"role": "user", "content": "\n\n".join(system)}, *others]}
    said = {"role": "user", "content": "\n\n".join([*system, others[first]["content"]])}
    return {**payload, "messages": [*others[:first], said, *others[first + 1 :]]}


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


QUIRKS: tuple[Quirk, ...] = (
    Quirk("temperature", _words(r"\btemperature\b"), _has("temperature"), _without("temperature"),
          notice("temperature_refused")),
    Quirk("response_format", _words(r"response[_ ]format|json[_ ]schema"), _has("response_format"),
          _without("response_format"), notice("parameter_refused", "response_format")),
    Quirk("max_tokens", _words(r"\bmax_tokens\b"), _has("max_tokens"), _renamed("max_tokens", "max_completion_tokens"),
          notice("parameter_refused", "max_tokens, sent as max_completion_tokens")),
    Quirk("max_completion_tokens", _words(r"\bmax_completion_tokens\b"), _has("max_completion_tokens"),
          _without("max_completion_tokens"), notice("parameter_refused", "max_tokens")),
    Quirk("system role", _words(r"\brole\b.*\bsystem\b|\bsystem\b.*\b(?:role|message|instruction)s?\b|developer instruction"),
          _has_system, _system_in_user, notice("system_role_refused")),
)  # fmt: skip


class OpenAICompatible:
    """One judge over HTTP. `complete` asks once (quirks aside); `Retrying` is what tries again."""

    def __init__(self, judge: JudgeSpec, access: Access, key_name: str = "LLM_JUDGE_API_KEY"):
        """Opens no connection. Raises InputError where the address may not be asked."""
        self._judge = judge
        self._address = endpoint(check_host(judge.base_url, access.allowed_hosts))
        self._key = access.key
        self._key_remedy = (
            f"Check the key for {judge.name} ({key_name}) and start again."
            if self._key
            else f"No key was sent: give one in the key field or as {key_name}, and start again."
        )
        self._quirks: list[Quirk] = []
        self._tls = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._lanes = [_Lane(self._client()) for _ in range(-(-access.concurrency // LANE_WIDTH))]
        self._turn = 0

    async def complete(self, prompt: Prompt) -> Completion:
        """The judge's reply as it came. Raises a CallError; its text names the remedy and never the key."""
        payload = self._payload(prompt)
        mended: list[Quirk] = []
        for quirk in QUIRKS:
            if quirk in self._quirks and quirk.present(payload):
                payload, mended = quirk.change(payload), [*mended, quirk]
        calls = 0
        while True:
            calls += 1
            began, asked_at = time.perf_counter(), datetime.now(UTC).isoformat(timespec="milliseconds")
            answer, retry_after = await self._ask(payload, calls)
            if isinstance(answer, Reply):
                self._quirks += [quirk for quirk in mended if quirk not in self._quirks]
                return Completion(
                    **{**answer._asdict(), "notices": (*(quirk.notice for quirk in mended), *answer.notices)},
                    seconds=time.perf_counter() - began,
                    asked_at=asked_at,
                    temperature_sent=payload.get("temperature"),
                    calls=calls,
                )
            refused = _refused(answer, payload)
            if refused is None:
                raise self._error(answer, retry_after, prompt, calls)
            payload, mended = refused.change(payload), [*mended, refused]

    async def aclose(self) -> None:
        """Closes all connections."""
        for lane in self._lanes:
            await lane.client.aclose()

    def _payload(self, prompt: Prompt) -> Payload:
        judge = self._judge
        payload: Payload = {
            "model": judge.model,
            "messages": [{"role": said.role, "content": mend(said.content)} for said in prompt.messages],
            "max_tokens": judge.max_tokens,
        }
        if judge.temperature is not None:
            payload["temperature"] = judge.temperature
        if prompt.reply_schema is not None:
            schema = {"name": "reply", "schema": prompt.reply_schema}
            payload["response_format"] = {"type": "json_schema", "json_schema": schema}
        return payload

    async def _ask(self, payload: Payload, calls: int) -> tuple[Reply | Complaint, float | None]:
        """One HTTP request, its whole answer read. Raises TransientCallError where no whole answer came."""
        body = json.dumps(payload, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        lane = self._free_lane()
        lane.in_flight += 1
        try:
            async with asyncio.timeout(self._judge.timeout_s):
                status, headers, answer = await self._sent(lane, body)
        except (TimeoutError, httpx.HTTPError, OSError) as error:
            raise _transport_error(error, self._judge, calls) from error
        finally:
            lane.in_flight -= 1
        retry_after = read_retry_after(headers.get("retry-after"), time.time())
        return read_answer(status, self._without_key(answer)), retry_after

    async def _sent(self, lane: _Lane, body: bytes) -> tuple[int, httpx.Headers, bytes]:
        """Sends a request and reads its answer, up to a bound: no judge may fill this computer's memory."""
        async with lane.client.stream("POST", self._address, content=body) as response:
            parts, size = [], 0
            async for part in response.aiter_bytes(CHUNK):
                size += len(part)
                if size > MOST_ANSWER:
                    raise CallError(f"{self._judge.name}: the answer is longer than {MOST_ANSWER // 1_000_000} MB.")
                parts.append(part)
            return response.status_code, response.headers, b"".join(parts)

    def _without_key(self, answer: bytes) -> bytes:
        """The answer with the key masked, wherever a server may have repeated it: replies are stored and exported."""
        return answer.replace(self._key.get_secret_value().encode(), b"[key]") if self._key else answer

    def _error(self, complaint: Complaint, retry_after: float | None, prompt: Prompt, calls: int) -> CallError:
        if self._key:
            complaint = complaint._replace(words=complaint.words.replace(self._key.get_secret_value(), "[key]"))
        error = error_of(complaint, self._judge.name, self._key_remedy, prompt.sheet.texts)
        if isinstance(error, TransientCallError):
            error.retry_after = retry_after
        error.calls = calls
        return error

    def _client(self) -> httpx.AsyncClient:
        """A client of its own few connections. Proxies of the environment count, but never for this computer."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.get_secret_value()}"
        return httpx.AsyncClient(
            headers=headers,
            verify=self._tls,
            trust_env=not is_loopback(self._address.host),
            follow_redirects=False,
            timeout=httpx.Timeout(self._judge.timeout_s, connect=min(CONNECT_TIMEOUT_S, self._judge.timeout_s)),
            limits=httpx.Limits(max_connections=LANE_WIDTH, max_keepalive_connections=LANE_WIDTH),
        )

    def _free_lane(self) -> _Lane:
        """The next client in turn with a free connection; a new one where all are taken, so that no call waits here."""
        count = len(self._lanes)
        for step in range(count):
            lane = self._lanes[(self._turn + step) % count]
            if lane.in_flight < LANE_WIDTH:
                self._turn = (self._turn + step + 1) % count
                return lane
        self._lanes.append(_Lane(self._client()))
        return self._lanes[-1]


class _Lane:
    """A client and how many calls it carries."""

    def __init__(self, client: httpx.AsyncClient):
        self.client = client
        self.in_flight = 0


def endpoint(base: httpx.URL) -> httpx.URL:
    """The address that is asked, by the rule at the head of this module.

    >>> str(endpoint(httpx.URL("https://host"))), str(endpoint(httpx.URL("https://host/openai/v1/")))
    ('https://host/v1/chat/completions', 'https://host/openai/v1/chat/completions')
    """
    path = base.path.rstrip("/")
    if path.endswith(ENDPOINT):
        return base.copy_with(path=path)
    return base.copy_with(path=(path or "/v1") + ENDPOINT)


def _refused(complaint: Complaint, payload: Payload) -> Quirk | None:
    """The quirk that a refused request names, if the request has what it is about."""
    if complaint.status not in (400, 422) or complaint.kind != "refused":
        return None
    said = f"{complaint.param} {complaint.words[:2000]}"
    named = [quirk for quirk in QUIRKS if quirk.present(payload) and quirk.named.search(said)]
    exact = [quirk for quirk in named if quirk.named.search(complaint.param)]
    return next(iter(exact or named), None)


def _transport_error(error: Exception, judge: JudgeSpec, calls: int) -> CallError:
    """A request without a whole answer: timed out, cut off, not trusted, or never connected."""
    failure: CallError
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        failure = UncertainCallError(f"{judge.name}: timed out after {judge.timeout_s:g} seconds.")
    elif isinstance(error, httpx.RemoteProtocolError | httpx.ReadError | httpx.DecodingError):
        failure = UncertainCallError(f"{judge.name}: the connection broke before the whole answer was there.")
    elif _untrusted(error):
        failure = JudgeUnusableError(
            f"{judge.name}: the judge's certificate is not trusted by this computer. Check the address; behind a "
            "company proxy, its certificate belongs into the system's store."
        )
    else:
        failure = TransientCallError(
            f"{judge.name}: no connection. Check that the judge runs, its address, the network."
        )
    failure.calls = calls
    return failure


def _untrusted(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error is not None
