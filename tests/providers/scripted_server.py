"""A small HTTP server on loopback that plays a list of answers back, and remembers what it was asked."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from pydantic import SecretStr

from judge_core.providers.openai_compatible import OpenAICompatible
from judge_core.providers.protocol import Access
from judge_core.providers.wrappers.retry import Retrying, RetryPolicy
from judge_core.records.criteria import Rubric
from judge_core.records.prompt import Completion, Message, Prompt, Sheet
from judge_core.records.spec import JudgeSpec

GOOD = json.dumps({
    "criteria": [{"name": "Clarity", "score_a": 8, "score_b": 6, "reasoning": "ok"}], "winner": "A", "reasoning": "ok",
})  # fmt: skip
USAGE = {"prompt_tokens": 900, "completion_tokens": 120, "total_tokens": 1020}


def good(**changes: Any) -> dict[str, Any]:
    """A good answer; `changes` replace fields of its body."""
    message = {"role": "assistant", "content": GOOD}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"status": 200, "body": {"model": "stub-judge", "choices": [choice], "usage": USAGE, **changes}}


def said(message: Mapping[str, Any], finish_reason: str | None = "stop") -> dict[str, Any]:
    """A good answer with that message object."""
    return good(choices=[{"index": 0, "finish_reason": finish_reason, "message": message}])


def fault(status: int, headers: Any = None, **error: Any) -> dict[str, Any]:
    """An error answer in the usual form."""
    return {"status": status, "headers": headers or {}, "body": {"error": error}}


class Seen(NamedTuple):
    """One request as it arrived."""

    at: float
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class ScriptedServer:
    """The n-th request gets the n-th answer of the script; the last one repeats."""

    def __init__(self, script: Sequence[Mapping[str, Any]] = ()):
        self.script = list(script) or [good()]
        self.requests: list[Seen] = []
        self.connections = 0
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.scripted = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._http.server_port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/v1"

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def answer_to(self, seen: Seen) -> Mapping[str, Any]:
        with self._lock:
            self.requests.append(seen)
            return self.script[min(len(self.requests), len(self.script)) - 1]


class _Http(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True
    scripted: ScriptedServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hung up is part of the play."""

    def get_request(self) -> tuple[socket.socket, Any]:
        self.scripted.connections += 1
        return super().get_request()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def log_message(self, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        scripted = self.server.scripted
        answer = scripted.answer_to(Seen(time.time(), self.path, dict(self.headers), json.loads(raw)))
        behaviour = answer.get("behaviour", {})
        scripted.closing.wait(behaviour.get("delay_s", 0))
        self._send(answer, behaviour, _encoded(answer.get("body")))

    def _send(self, answer: Mapping[str, Any], behaviour: Mapping[str, Any], body: bytes) -> None:
        self.send_response(answer["status"])
        for name, value in answer.get("headers", {}).items():
            self.send_header(name, _dated(value))
        if behaviour.get("chunked_no_end"):
            self.send_header("Transfer-Encoding", "chunked")
            return self._cut(b"28\r\n" + body[:40] + b"\r\n")
        self.send_header("Content-Length", str(behaviour.get("declared_length", len(body))))
        if "close_after_bytes" in behaviour:
            return self._cut(body[: behaviour["close_after_bytes"]])
        self.end_headers()
        self.wfile.write(body)

    def _cut(self, piece: bytes) -> None:
        self.end_headers()
        self.wfile.write(piece)
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True


def _encoded(body: object) -> bytes:
    if isinstance(body, bytes):
        return body
    return json.dumps(body).replace(json.dumps("{{GOOD}}"), json.dumps(GOOD)).encode()


def _dated(value: str) -> str:
    if not value.startswith("{{HTTPDATE"):
        return value
    return formatdate(time.time() + int(value[len("{{HTTPDATE") : -2]), usegmt=True)


class Naps:
    """A sleep that only remembers what it was asked for."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)


def judge_at(server: ScriptedServer, **fields: Any) -> JudgeSpec:
    return JudgeSpec(**{
        "name": f"{server.url}#m", "provider": "openai_compatible", "model": "m", "base_url": server.url,
        "timeout_s": 5.0, **fields,
    })  # fmt: skip


def a_prompt(text: str = "An essay.", schema: dict[str, Any] | None = None) -> Prompt:
    messages = (Message(role="system", content="Be fair."), Message(role="user", content=f"Compare: {text}"))
    return Prompt(
        messages=messages, reply_schema=schema, sheet=Sheet(mode="pairwise", rubric=Rubric(), texts=(text, "B"))
    )


async def ask(judge: JudgeSpec, access: Access | None = None, *prompts: Prompt, sleep: Any = None) -> list[Completion]:
    """Asks a fresh judge, with retries, each prompt in turn."""
    provider = Retrying(OpenAICompatible(judge, access or Access()), RetryPolicy(), sleep or Naps())
    try:
        return [await provider.complete(prompt) for prompt in prompts or (a_prompt(),)]
    finally:
        await provider.aclose()


def keyed(key: str) -> Access:
    return Access(key=SecretStr(key))
