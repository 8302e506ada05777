"""What is left to chance in a ranking, drawn from (seed, place) so that a run goes on as it would have gone."""

from __future__ import annotations

import hashlib

from judge_core.records.spec import CHECKED, Spec


def heads(seed: int, place: int) -> bool:
    """A fair coin for (seed, place), the same on every machine and in every order of asking."""
    return hashlib.sha256(f"{seed}:{place}".encode()).digest()[0] < 128


def drawn_judges(spec: Spec, place: int) -> tuple[int, ...] | None:
    """The members of the panel that decide at a place, where not all of them do; None: all.

    The panel is shuffled anew for as many places as it can serve once each, so that judges come up equally often.
    """
    panel, each = len(spec.judges), spec.judges_per_match
    if each is None or each >= panel:
        return None
    block, slot = divmod(place - 1, panel // each)
    lots = sorted(range(panel), key=lambda judge: hashlib.sha256(f"{spec.seed}:{block}:{judge}".encode()).digest())
    return tuple(sorted(lots[slot * each : (slot + 1) * each]))


def is_checked(seed: int, round: int, a: str, b: str) -> bool:
    """Whether this pair is one of those that are asked in both orders."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{round}:{a}:{b}".encode()).digest()[:4]) % CHECKED == 0
