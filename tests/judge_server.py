"""A judge on loopback for tests: scores that depend on the texts alone, calls counted.

It speaks OpenAI's format at /v1, Groq's at /openai/v1 and Ollama's at /api, with token log-probabilities where they are
asked for.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Score = Callable[[str], float]
_FENCED = re.compile(r"<<< TEXT ([AB]) begins \| (\w+) >>>\n(.*?)\n<<< TEXT \1 ends \| \2 >>>", re.DOTALL)
_NAMES = re.compile(r'"name":("(?:[^"\\]|\\.)+")')
_TOKEN = re.compile(r" ?\w+|\W")
_WINNER = '"winner": "'
CLEAR = 2.0
"""Points of the score from which the better text is clearly ahead."""


def richness(text: str) -> float:
    """More distinct words, a higher score; between 0 and 10."""
    return min(10.0, len(set(text.lower().split())) / 20)


class JudgeServer:
    """Serves on a free port until closed. `requests` counts what was asked; `bodies` keeps it."""

    def __init__(self, *, latency_s: float = 0.0, score: Score = richness, keep_bodies: bool = False):
        self.latency_s, self.score, self.keep_bodies = latency_s, score, keep_bodies
        self.requests = 0
        self.bodies: list[dict[str, Any]] = []
        self.refuse: int | None = None
        """An HTTP status to answer with in place of a verdict."""
        self.unknown_fields: dict[str, int] = {}
        """Fields of a request that are refused, with the status that says so."""
        self.tokens = True
        """Whether it knows about log-probabilities; where not, it passes over them."""
        self.models = ["m", "small:latest"]
        """What the lists of models name."""
        self.keys: list[str | None] = []
        """The Authorization header of each request for a list."""
        self.hold = threading.Event()
        self.hold.set()
        """Cleared: requests are counted but wait before they are answered."""
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """The base URL, and a judge's name with `#model` behind it."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def host(self) -> str:
        """`host:port`, as Ollama is told it."""
        return f"127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self.hold.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> JudgeServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answer(self, body: dict[str, Any]) -> str:
        """The verdict on the two fenced texts."""
        prompt = "\n".join(message["content"] for message in body["messages"])
        shown = {side: text for side, _, text in _FENCED.findall(prompt)}
        names = [n for n in dict.fromkeys(json.loads(n) for n in _NAMES.findall(prompt)) if "<" not in n]
        a, b = self.score(shown.get("A", "")), self.score(shown.get("B", ""))
        rows = [{"name": n, "score_a": a, "score_b": b, "reasoning": f"{a} against {b}"} for n in names]
        winner = "A" if a > b else "B" if b > a else "tie"
        degree = {"degree": "clearly" if abs(a - b) >= CLEAR else "slightly"} if '"degree"' in prompt else {}
        return json.dumps({"criteria": rows, "winner": winner, **degree, "reasoning": "By distinct words."})

    def reply(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and body of the answer."""
        ollama = path == "/api/chat"
        if self.refuse is not None:
            return self.refuse, _refusal(ollama)
        for field, status in self.unknown_fields.items():
            if field in body:
                return status, _refusal(ollama, f"You are not allowed to request {field} from this model")
        text = self.answer(body)
        tokens = log_probabilities(text, body["top_logprobs"]) if body.get("logprobs") and self.tokens else None
        groq = path.startswith("/openai/")
        return 200, _ollama(body, text, tokens) if ollama else _openai(text, groq, tokens)

    def count(self, body: dict[str, Any]) -> None:
        with self._lock:
            self.requests += 1
            if self.keep_bodies:
                self.bodies.append(body)


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed leaves broken connections behind; that is no news."""


def _handler(judge: JudgeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            judge.count(body)
            time.sleep(judge.latency_s)
            judge.hold.wait(60)
            self.send(*judge.reply(self.path, body))

        def do_GET(self) -> None:
            judge.keys.append(self.headers.get("Authorization"))
            if judge.refuse is not None:
                self.send(judge.refuse, _refusal(self.path == "/api/tags"))
            else:
                self.send(*_list(self.path, judge.models))

        def send(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    return Handler


NOW, ISO_NOW = 1_796_000_000, "2026-11-30T09:53:20.123456Z"


def log_probabilities(text: str, top: int) -> list[dict[str, Any]]:
    """The tokens of a verdict: sure of all but its winner, of which it is the surer, the more its scores differ."""
    rows = json.loads(text)["criteria"]
    lead = sum(row["score_a"] - row["score_b"] for row in rows)
    odds = {"A": math.exp(lead), "B": math.exp(-lead), "tie": 0.5}
    place, end, found = text.rindex(_WINNER) + len(_WINNER), 0, []
    for token in _TOKEN.findall(text):
        others = {name: math.log(0.99 * odds[name] / sum(odds.values())) for name in odds} if end == place else {}
        listed = sorted({token: -0.001, "{": -8.0, **others}.items(), key=lambda pair: -pair[1])[:top]
        own = others.get(token, -0.001)
        found.append({**_token(token, own), "top_logprobs": [_token(*pair) for pair in listed]})
        end += len(token)
    return found


def _token(token: str, logprob: float) -> dict[str, Any]:
    return {"token": token, "bytes": list(token.encode()), "logprob": logprob}


def _refusal(ollama: bool, words: str = "refused by the test") -> dict[str, Any]:
    return {"error": words} if ollama else {"error": {"message": words, "type": "test"}}


def _openai(text: str, groq: bool, tokens: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "logprobs": None if tokens is None else {"content": tokens, "refusal": None},
        "message": {"role": "assistant", "content": text},
    }
    usage: dict[str, Any] = {"prompt_tokens": 500, "completion_tokens": 50, "total_tokens": 550}
    said = {"id": "x", "object": "chat.completion", "created": NOW, "model": "m", "choices": [choice], "usage": usage}
    if not groq:
        return said
    times = {"queue_time": 0.01, "prompt_time": 0.02, "completion_time": 0.1, "total_time": 0.12}
    return {**said, "usage": {**usage, **times}, "system_fingerprint": "fp_1", "x_groq": {"id": "req_1"}}


def _ollama(body: dict[str, Any], text: str, tokens: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    characters = sum(len(message["content"]) for message in body["messages"])
    return {
        "model": body["model"], "created_at": ISO_NOW, "message": {"role": "assistant", "content": text},
        "done": True, "done_reason": "stop", "total_duration": 9_000_000, "load_duration": 1_000_000,
        "prompt_eval_count": characters // 4, "prompt_eval_duration": 3_000_000, "eval_count": 50,
        "eval_duration": 5_000_000, **({} if tokens is None else {"logprobs": tokens}),
    }  # fmt: skip


def _list(path: str, models: list[str]) -> tuple[int, dict[str, Any]]:
    if path == "/api/tags":
        return 200, {"models": [_tag(model) for model in models]}
    if path in ("/v1/models", "/openai/v1/models"):
        return 200, {"object": "list", "data": [_listed(model) for model in models]}
    return 404, {"error": {"message": "no such path", "type": "test"}}


def _tag(model: str) -> dict[str, Any]:
    details = {"format": "gguf", "family": "llama", "parameter_size": "1B", "quantization_level": "Q4_0"}
    return {
        "name": model, "model": model, "modified_at": ISO_NOW, "size": 1_000_000, "digest": "0" * 64, "details": details,
    }  # fmt: skip


def _listed(model: str) -> dict[str, Any]:
    return {"id": model, "object": "model", "created": NOW, "owned_by": "test"}
