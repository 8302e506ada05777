"""Decoded specs of runs. A run's spec never changes, and a long one takes a second to decode: each is decoded once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from judge_core.records.spec import ANY_SPEC, AnySpec
from judge_core.store import schema

MOST_CHARACTERS = 20_000_000
"""Of stored spellings whose decoded specs are kept, about nine bytes of memory for each; the last is kept at any length."""


class _Kept(NamedTuple):
    identity: str
    spec: AnySpec
    characters: int


class Specs:
    """The specs of a database's runs, the least recently used ones dropped first. Safe to use from several threads."""

    def __init__(self, most_characters: int = MOST_CHARACTERS):
        self._most = most_characters
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def of(self, connection: Connection, identities: Iterable[tuple[str, str]]) -> dict[str, AnySpec]:
        """The specs by run, for pairs of a run's id and its identity; only those not at hand are read and decoded."""
        wanted = dict(identities)
        found = {run: spec for run, id in wanted.items() if (spec := self._at_hand(run, id)) is not None}
        for run in [run for run in wanted if run not in found]:
            text = connection.scalar(sa.select(schema.runs.c.spec).where(schema.runs.c.id == run))
            if text is not None:
                found[run] = self.decode(run, wanted[run], text)
        return found

    def decode(self, run: str, identity: str, text: str) -> AnySpec:
        """The spec of that spelling, or the equal one at hand, so that a run has one spec in all of its rows."""
        if (known := self._at_hand(run, identity)) is not None:
            return known
        spec = ANY_SPEC.validate_json(text)
        with self._lock:
            other = self._kept.get(run)
            if other is not None and other.identity == identity:  # another thread was faster
                return other.spec
            self._keep(run, _Kept(identity, spec, len(text)))
        return spec

    def _at_hand(self, run: str, identity: str) -> AnySpec | None:
        with self._lock:
            kept = self._kept.get(run)
            if kept is None or kept.identity != identity:
                return None
            self._kept.move_to_end(run)
            return kept.spec

    def _keep(self, run: str, kept: _Kept) -> None:
        former = self._kept.pop(run, None)
        self._characters += kept.characters - (former.characters if former else 0)
        self._kept[run] = kept
        while self._characters > self._most and len(self._kept) > 1:
            self._characters -= self._kept.popitem(last=False)[1].characters
