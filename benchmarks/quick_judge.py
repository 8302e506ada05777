"""A judge with a fixed latency and next to no work: `python quick_judge.py LATENCY_MS` prints its port and serves."""

from __future__ import annotations

import asyncio
import json
import re
import sys

LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
VERDICT = json.dumps(
    {
        "criteria": [{"name": "Overall", "score_a": 7, "score_b": 5, "reasoning": "Clearer."}],
        "winner": "A",
        "reasoning": "A.",
    }
)
BODY = json.dumps(
    {
        "id": "x", "object": "chat.completion", "model": "quick",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": VERDICT}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960},
    }
).encode()  # fmt: skip
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY


class Connection(asyncio.Protocol):
    """Answers each request on a kept connection after the latency."""

    def __init__(self, latency_s: float):
        self.latency_s, self.buffer = latency_s, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, split, body = self.buffer.partition(b"\r\n\r\n")
        if split and len(body) >= int(LENGTH.search(head)[1]):
            self.buffer = b""
            asyncio.get_running_loop().call_later(self.latency_s, self.transport.write, ANSWER)


async def main(latency_s: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(latency_s), "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) / 1000))
