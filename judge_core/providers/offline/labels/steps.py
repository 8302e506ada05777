"""The acts of an agent as the steps of a prompt show them: who said what, which calls came back how, what repeats.

A step is made of blocks, each with a head in square brackets at the left edge (`[agent]`, `[agent -> tool]`,
`[tool -> agent]`) and its words indented below. A text without such heads is one block of words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Kind = Literal["words", "heard", "call", "result"]
Identity = tuple[tuple[str, str], ...]

_HEAD = re.compile(r"\[([^\n]+)\]")
_ARROW = " -> "
_OUTSIDE = ("user", "human", "system", "developer")
_LOOKED_AT = 4000
"""Characters of a result in which signs of an error are looked for."""
_ERROR = re.compile(
    r"[^\w{]{0,20}(?:\w{0,40}error|\w{0,40}exception|traceback|fatal|failed|failure|[1-9]\d{0,6} (?:failed|errors?))\b",
    re.IGNORECASE,
)
_ERROR_FIELD = re.compile(
    r'"(?:error|errors)"\s*:\s*(?!null|false|""|\[\]|\{\}|0\b)\S|"(?:success|ok)"\s*:\s*false\b'
    r'|"(?:exit_?code|return_?code|exit_status)"\s*:\s*"?-?[1-9]',
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:permission denied|access denied|denied|forbidden|unauthori[sz]ed|not (?:allowed|authori[sz]ed|permitted))\b",
    re.IGNORECASE,
)
_FAILED_HEAD = "success: false"


class Block(NamedTuple):
    """What one speaker said, or what went to a tool or came back."""

    head: str
    body: str
    kind: Kind = "words"

    @property
    def failed(self) -> bool:
        """Whether it tells that the act did not succeed, by its head or by a result that begins like an error."""
        if self.kind == "words":
            return self.head.endswith(_FAILED_HEAD)
        return self.kind == "result" and _tells_error(self.body)

    @property
    def denied(self) -> bool:
        """Whether it is a failed result that speaks of a missing permission."""
        return self.failed and _DENIED.search(self.body[:_LOOKED_AT]) is not None


@dataclass
class Act:
    """One step: its blocks, and the results of its own calls, which may stand in a later step."""

    blocks: list[Block]
    results: list[Block] = field(default_factory=list)

    @property
    def calls(self) -> list[Block]:
        """The calls of tools."""
        return self._of("call")

    @property
    def arrows(self) -> bool:
        """Whether anything went to a tool or came back in it."""
        return any(block.kind in ("call", "result") for block in self.blocks)

    @property
    def spoken(self) -> list[Block]:
        """What the agent itself said or did without a tool."""
        return self._of("words")

    @property
    def words(self) -> str:
        """All that the agent itself said, a line each."""
        return "\n".join(block.body for block in self.spoken)

    @property
    def failed(self) -> list[Block]:
        """Own acts and results that tell of a failure."""
        return [block for block in (*self.spoken, *self.results) if block.failed]

    @property
    def known(self) -> bool:
        """Whether anything tells how it ended."""
        return bool(self.results) or any("success: " in block.head for block in self.spoken)

    @property
    def identity(self) -> Identity:
        """What makes two acts the same: their calls; else the acts and files in their heads; else their words."""
        named = [block for block in self.spoken if ":" in block.head or " | " in block.head]
        if self.calls or not named:
            return tuple((block.head, block.body) for block in (self.calls or self.spoken))
        return tuple((block.head, "") for block in named)

    @property
    def outcome(self) -> Identity:
        """What makes two acts the same in what they brought as well."""
        shown = self.results if self.calls else self.spoken
        return (*self.identity, *((block.head, block.body) for block in shown))

    def _of(self, kind: Kind) -> list[Block]:
        return [block for block in self.blocks if block.kind == kind]


def acts_of(steps: Sequence[str]) -> list[Act]:
    """The acts of a run, one for each step.

    >>> act, = acts_of(["[bot]\\n  I look.\\n[bot -> find]\\n  {}\\n[find -> bot]\\n  Error: no index"])
    >>> [block.kind for block in act.blocks], act.words, len(act.failed)
    (['words', 'call', 'result'], 'I look.', 1)
    """
    run = _Run()
    return [run.act(text) for text in steps]


class _Run:
    """What is known of a run so far: who its agents are, and which calls are open."""

    def __init__(self) -> None:
        self._agents: set[str] = set()
        self._asked: set[tuple[str, str]] = set()
        self._open: dict[tuple[str, str], list[Act]] = {}

    def act(self, text: str) -> Act:
        """The next act."""
        act = Act([])
        for head, body in _blocks(text):
            block = Block(head, body, self._kind(head))
            act.blocks.append(block)
            if block.kind == "call":
                self._open.setdefault(_ends(head), []).append(act)
            elif block.kind == "result":
                waiting = self._open.get(_ends(head)[::-1])
                (waiting.pop(0) if waiting else act).results.append(block)
        return act

    def _kind(self, head: str) -> Kind:
        if _ARROW not in head:
            speaker = re.split(r": | \| ", head, maxsplit=1)[0]
            if speaker.lower() in _OUTSIDE:
                return "heard"
            self._agents.add(speaker)
            return "words"
        left, right = _ends(head)
        if (right, left) in self._asked or (right in self._agents and left not in self._agents):
            return "result"
        self._asked.add((left, right))
        self._agents.add(left)
        return "call"


def _ends(head: str) -> tuple[str, str]:
    left, _, right = head.partition(_ARROW)
    return left, right


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """(head, words without their indent); words before the first head have an empty one."""
    head, body = "", list[str]()
    for line in text.split("\n"):
        found = _HEAD.fullmatch(line)
        if found is None:
            body.append(line.removeprefix("  "))
            continue
        if head or any(map(str.strip, body)):
            yield head, "\n".join(body)
        head, body = found[1], []
    if head or any(map(str.strip, body)):
        yield head, "\n".join(body)


def _tells_error(result: str) -> bool:
    start = result[:_LOOKED_AT]
    return _ERROR.match(start) is not None or _ERROR_FIELD.search(start) is not None
