"""One call to a judge over HTTP: ask, ask again without what was refused, and read what came.

A kind of server says how its requests look, how its answers are read and what it may refuse; the rest stands here.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import ClassVar

import httpx

from judge_core.providers.protocol import Access
from judge_core.providers.replies import Complaint, Reply, error_of, mend
from judge_core.providers.wire.lanes import Lanes
from judge_core.providers.wire.quirks import Payload, Quirk, refused
from judge_core.records.errors import CallError, TransientCallError
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.record import Notice
from judge_core.records.spec import JudgeSpec


class WireJudge(ABC):
    """One judge over HTTP. `complete` asks once (quirks aside); `Retrying` is what tries again."""

    quirks: ClassVar[Sequence[Quirk]] = ()

    def __init__(self, judge: JudgeSpec, access: Access, address: httpx.URL, key_name: str):
        """Opens no connection. `address` was checked and is what is asked; `key_name` stands in remedies."""
        self._judge = judge
        self._address = address
        self._key = access.key
        self._key_remedy = (
            f"Check the key for {judge.name} ({key_name}) and start again."
            if self._key
            else f"No key was sent: give one in the key field or as {key_name}, and start again."
        )
        self._refused: list[Quirk] = []
        self._lanes = Lanes(judge, access, address.host)

    async def complete(self, prompt: Prompt) -> Completion:
        """The judge's reply as it came. Raises a CallError; its text names the remedy and never the key."""
        payload = self._payload(prompt)
        met: list[Quirk] = []
        for quirk in self.quirks:
            if quirk in self._refused and quirk.present(payload):
                payload, met = quirk.change(payload), [*met, quirk]
        calls = 0
        while True:
            calls += 1
            began, asked_at = time.perf_counter(), datetime.now(UTC).isoformat(timespec="milliseconds")
            answer, retry_after = await self._ask(payload, calls)
            if isinstance(answer, Reply):
                self._refused += [quirk for quirk in met if quirk not in self._refused]
                notices = (*(quirk.notice for quirk in met), *answer.notices, *self._remarks(answer, payload))
                chances = answer.chances if "logprobs" in payload else None
                return Completion(
                    **{**answer._asdict(), "notices": notices, "chances": chances},
                    seconds=time.perf_counter() - began,
                    asked_at=asked_at,
                    temperature_sent=self._temperature(payload),
                    calls=calls,
                )
            quirk_named = refused(self.quirks, answer, payload)
            if quirk_named is None:
                raise self._error(answer, retry_after, prompt, calls)
            payload, met = quirk_named.change(payload), [*met, quirk_named]

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._lanes.aclose()

    # what a kind of server says

    @abstractmethod
    def _payload(self, prompt: Prompt) -> Payload:
        """The request's body."""

    @abstractmethod
    def _read(self, status: int, body: bytes) -> Reply | Complaint:
        """What an answer says."""

    @abstractmethod
    def _temperature(self, payload: Payload) -> float | None:
        """What was really sent."""

    def _remarks(self, reply: Reply, payload: Payload) -> Sequence[Notice]:
        """What else is worth saying about a reply."""
        return ()

    def _failure(self, complaint: Complaint, texts: Sequence[str]) -> CallError:
        """The error for a complaint; nothing of `texts` is quoted in it."""
        return error_of(complaint, self._judge.name, self._key_remedy, texts)

    # asking

    async def _ask(self, payload: Payload, calls: int) -> tuple[Reply | Complaint, float | None]:
        """One HTTP request, its whole answer read."""
        try:
            answered = await self._lanes.post(self._address, payload)
        except CallError as error:
            error.calls = calls
            raise
        return self._read(answered.status, answered.body), answered.retry_after

    def _error(self, complaint: Complaint, retry_after: float | None, prompt: Prompt, calls: int) -> CallError:
        if self._key:
            complaint = complaint._replace(words=complaint.words.replace(self._key.get_secret_value(), "[key]"))
        error = self._failure(complaint, prompt.sheet.texts)
        if isinstance(error, TransientCallError):
            error.retry_after = retry_after
        error.calls = calls
        return error


def plain_messages(prompt: Prompt) -> list[dict[str, str]]:
    """The prompt's messages as JSON takes them."""
    return [{"role": said.role, "content": mend(said.content)} for said in prompt.messages]
