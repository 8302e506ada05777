"""What a withdrawal changes of what is still to be asked: nothing more is asked about a text that is gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from judge_core.modes.rank.dialogues import Listing, Match
from judge_core.records.event import RoundTrimmed


class Rest(NamedTuple):
    """What waits, without the texts that are gone."""

    waiting: list[Match | Listing]
    """In the same order; lists go on with the texts that are left, if there are two."""
    trimmed: RoundTrimmed | None
    """None: nothing that was to be asked for the first time is concerned."""
    fewer: int
    """By so many the round has become shorter."""
    retries: int
    """Retries that fall away."""


def without(waiting: Iterable[Match | Listing], gone: frozenset[str], round: int) -> Rest:
    """What is left of the round when these texts, by alias, are withdrawn."""
    rest: list[Match | Listing] = []
    pairs: list[tuple[str, str]] = []
    groups: list[tuple[str, ...]] = []
    left: list[tuple[str, ...]] = []
    singles: list[str] = []
    retries = 0
    for asked in waiting:
        if gone.isdisjoint(asked.aliases):
            rest.append(asked)
        elif asked.replicate:
            retries += 1
        elif isinstance(asked, Match):
            pairs.append((asked.a.alias, asked.b.alias))
        elif len(asked.texts) == 1:
            singles += asked.aliases
        else:
            shorter = replace(asked, texts=tuple(text for text in asked.texts if text.alias not in gone))
            keep = len(shorter.texts) > 1
            groups.append(asked.aliases)
            left.append(shorter.aliases if keep else ())
            rest += [shorter] if keep else []
    fewer = len(pairs) + len(singles) + sum(not shown for shown in left)
    trimmed = RoundTrimmed(
        round=round, pairs=tuple(pairs), groups=tuple(groups), left=tuple(left), singles=tuple(singles)
    )
    return Rest(rest, trimmed if pairs or groups or singles else None, fewer, retries)
