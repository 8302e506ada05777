"""A stand-in for a judge in tests: it says what it is told to, and remembers what it was asked.

Its replies carry the model name "stub", so that no result of it is ever taken for a real judge's.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from judge_core.records.errors import InputError
from judge_core.records.prompt import Completion, Prompt

MODEL = "stub"
DEFAULT = "default"

Said = str | Completion | Exception
Key = str | tuple[str, int]


class StubJudge:
    """A judge for tests, told what to say by a function or by a table.

    - `callback(prompt)` returns a text or a Completion (or an awaitable of one), or raises: a CallError is a failed call.
    - `replies` is looked up by `(role, n)`, then by `role`, then by "default". The role is the prompt's mode
      ("pairwise", ...), n counts the calls of that role from 1. A value that is an exception is raised.

    >>> import asyncio
    >>> from judge_core.records.criteria import Rubric
    >>> from judge_core.records.prompt import Message, Prompt, Sheet
    >>> stub = StubJudge(replies={("pairwise", 1): "Winner: A", "default": "Winner: B"})
    >>> prompt = Prompt(messages=(Message(role="user", content="A or B?"),),
    ...                 sheet=Sheet(mode="pairwise", rubric=Rubric(), texts=("one", "two")))
    >>> [asyncio.run(stub.complete(prompt)).text for _ in range(2)], len(stub.calls)
    (['Winner: A', 'Winner: B'], 2)

    To use it in a run, register it: `register_provider("stub", lambda judge, access: stub)`, and name the judge "stub".
    """

    model = MODEL

    def __init__(
        self,
        callback: Callable[[Prompt], Said | Awaitable[Said]] | None = None,
        *,
        replies: Mapping[Key, Said] | None = None,
    ):
        """Give one of the two; InputError otherwise."""
        if (callback is None) == (replies is None):
            raise InputError("A StubJudge needs either a callback or replies.")
        self._callback, self._replies = callback, dict(replies or {})
        self._counts: Counter[str] = Counter()
        self.calls: list[Prompt] = []
        """The prompts in the order asked."""

    async def complete(self, prompt: Prompt) -> Completion:
        """What it was told to say. Raises what it was told to raise; InputError where it was told nothing."""
        self.calls.append(prompt)
        role = prompt.sheet.mode
        self._counts[role] += 1
        said: Any = self._callback(prompt) if self._callback else self._looked_up(role, self._counts[role])
        if inspect.isawaitable(said):
            said = await said
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Completion):
            return said.model_copy(update={"model": MODEL})
        return Completion(text=said, finish_reason="stop", model=MODEL, temperature_sent=0.0)

    async def aclose(self) -> None:
        """Nothing is open; `calls` stays."""

    def _looked_up(self, role: str, n: int) -> Said:
        for key in ((role, n), role, DEFAULT):
            if key in self._replies:
                return self._replies[key]
        raise InputError(f"The StubJudge was told nothing for call {n} of {role!r}. Add a {DEFAULT!r} reply.")
