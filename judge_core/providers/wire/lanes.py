"""HTTP to one judge: a few small clients side by side, bounded answers, the key masked in whatever comes back."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from typing import Any, NamedTuple

import httpx
import truststore

from judge_core.providers.hosts import is_loopback
from judge_core.providers.protocol import Access, UncertainCallError
from judge_core.providers.wrappers.retry import read_retry_after
from judge_core.records.errors import CallError, JudgeUnusableError, TransientCallError
from judge_core.records.spec import JudgeSpec

LANE_WIDTH = 4
"""Connections a client: one pool with many more spends its time searching itself."""
CONNECT_TIMEOUT_S = 15.0
MOST_ANSWER = 8_000_000
"""Bytes of an answer, unpacked; a verdict has a few thousand."""
CHUNK = 65_536


class Answered(NamedTuple):
    """A whole HTTP answer, the key masked in it."""

    status: int
    body: bytes
    retry_after: float | None = None
    """Seconds that the judge asked to wait, where it did."""


class Lanes:
    """The connections to one judge. They are opened when they are needed and kept until `aclose`."""

    def __init__(self, judge: JudgeSpec, access: Access, host: str):
        """Opens no connection. `host` says whether a proxy of the environment may be used: never for this computer."""
        self._judge = judge
        self._key = access.key
        self._trust_env = not is_loopback(host)
        self._tls = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._lanes = [_Lane(self._client()) for _ in range(-(-access.concurrency // LANE_WIDTH))]
        self._turn = 0

    def __len__(self) -> int:
        return len(self._lanes)

    async def post(self, address: httpx.URL, payload: dict[str, Any]) -> Answered:
        """One POST of JSON. Raises a CallError where no whole answer came."""
        return await self._ask(
            "POST", address, json.dumps(payload, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        )

    async def get(self, address: httpx.URL) -> Answered:
        """One GET. Raises a CallError where no whole answer came."""
        return await self._ask("GET", address, None)

    async def aclose(self) -> None:
        """Closes all connections."""
        for lane in self._lanes:
            await lane.client.aclose()

    async def _ask(self, method: str, address: httpx.URL, body: bytes | None) -> Answered:
        lane = self._free_lane()
        lane.in_flight += 1
        try:
            async with asyncio.timeout(self._judge.timeout_s):
                status, headers, answer = await self._sent(lane, method, address, body)
        except (TimeoutError, httpx.HTTPError, OSError) as error:
            raise _transport_error(error, self._judge) from error
        finally:
            lane.in_flight -= 1
        return Answered(status, self._without_key(answer), read_retry_after(headers.get("retry-after"), time.time()))

    async def _sent(
        self, lane: _Lane, method: str, address: httpx.URL, body: bytes | None
    ) -> tuple[int, httpx.Headers, bytes]:
        """Sends a request and reads its answer, up to a bound: no judge may fill this computer's memory."""
        async with lane.client.stream(method, address, content=body) as response:
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

    def _client(self) -> httpx.AsyncClient:
        """A client of its own few connections."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.get_secret_value()}"
        return httpx.AsyncClient(
            headers=headers,
            verify=self._tls,
            trust_env=self._trust_env,
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


def _transport_error(error: Exception, judge: JudgeSpec) -> CallError:
    """A request without a whole answer: timed out, cut off, not trusted, or never connected."""
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return UncertainCallError(f"{judge.name}: timed out after {judge.timeout_s:g} seconds.")
    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError | httpx.DecodingError):
        return UncertainCallError(f"{judge.name}: the connection broke before the whole answer was there.")
    if _untrusted(error):
        return JudgeUnusableError(
            f"{judge.name}: the judge's certificate is not trusted by this computer. Check the address; behind a "
            "company proxy, its certificate belongs into the system's store."
        )
    return TransientCallError(f"{judge.name}: no connection. Check that the judge runs, its address, the network.")


def _untrusted(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error is not None
