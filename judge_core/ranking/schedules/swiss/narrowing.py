"""Who goes on competing from the third round on, and how many matches that makes.

Rounds 1 and 2 are open to all. From round 3 on `rank` K keeps the ranks down to K + 2, `class` K those from K - 2 to
K + 2: the texts about the cut. Ranks count from 1 and are taken from the Elo at the round's start.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge_core.records.errors import InputError
from judge_core.records.spec import Narrowing

OPEN_ROUNDS = 2
MARGIN = 2
ADVISED_TEXTS = 20


def band(narrowing: Narrowing, n: int, round: int) -> tuple[int, int]:
    """First and last rank (from 1, inclusive) that compete in this round. InputError if `narrowing` lacks its K.

    >>> band(Narrowing(focus="rank", k=5), 20, 3), band(Narrowing(focus="class", k=5), 20, 3)
    ((1, 7), (3, 7))
    """
    k = _cut(narrowing)
    if k is None or k >= n or round <= OPEN_ROUNDS:
        return 1, n
    first = 1 if narrowing.focus == "rank" else max(1, k - MARGIN)
    return first, min(n, k + MARGIN)


def useful_rounds(n: int, rounds: int) -> int:
    """How many of the rounds can bring matches that have not been played.

    >>> useful_rounds(2, 3), useful_rounds(3, 3), useful_rounds(4, 5), useful_rounds(1, 3)
    (1, 3, 3, 0)
    """
    if n < 2:
        return 0
    return min(rounds, n if n % 2 else n - 1)


def planned_matches(n: int, rounds: int, narrowing: Narrowing, *, rematches: bool = False) -> int:
    """Matches that the schedule foresees over all rounds; late in a nearly full round robin some fall away.

    >>> planned_matches(20, 3, Narrowing(focus="rank", k=5)), planned_matches(100, 3, Narrowing(focus="class", k=10))
    (23, 102)
    >>> planned_matches(2, 3, Narrowing()), planned_matches(2, 3, Narrowing(), rematches=True)
    (1, 3)
    """
    played = rounds if rematches else useful_rounds(n, rounds)
    open_rounds = min(played, OPEN_ROUNDS)
    first, last = band(narrowing, n, OPEN_ROUNDS + 1)
    size = last - first + 1
    narrowed = (played - open_rounds) * (size // 2)
    if size < n and not rematches:  # a narrow band runs out of pairs that have not met
        narrowed = min(narrowed, size * (size - 1) // 2)
    return open_rounds * (n // 2) + narrowed


def survivors(ranked: Sequence[str], narrowing: Narrowing) -> tuple[str, ...]:
    """What a narrowed run returns: the top K in order for `rank`, the same K listed by id for `class`, else all.

    >>> survivors(["c", "a", "b"], Narrowing(focus="class", k=2))
    ('a', 'c')
    """
    kept = ranked[: _cut(narrowing)]
    return tuple(sorted(kept)) if narrowing.focus == "class" else tuple(kept)


def notes(n: int, rounds: int, narrowing: Narrowing) -> tuple[str, ...]:
    """What a person must know of the schedule before Start, in sentences.

    >>> notes(2, 3, Narrowing())
    ('2 texts have only 1 distinct match: 1 round will be run instead of 3.',)
    """
    played = useful_rounds(n, rounds)
    found = []
    if n >= 2 and played < rounds:
        found.append(_capped(n, rounds, played))
    k = _cut(narrowing)
    if k is not None:
        found.extend(_narrowing_notes(n, played, k))
    return tuple(found)


def _cut(narrowing: Narrowing) -> int | None:
    if narrowing.focus == "all":
        return None
    if narrowing.k is None:
        raise InputError(
            f"Narrowing by {narrowing.focus} needs K, the number of texts to keep: for example {narrowing.focus}:5.",
            field="narrowing",
        )
    return narrowing.k


def _capped(n: int, rounds: int, played: int) -> str:
    distinct = n * (n - 1) // 2
    matches = "match" if distinct == 1 else "matches"
    run = "1 round" if played == 1 else f"{played} rounds"
    return f"{n} texts have only {distinct} distinct {matches}: {run} will be run instead of {rounds}."


def _narrowing_notes(n: int, played: int, k: int) -> list[str]:
    if k >= n:
        return [f"Narrowing is not applied: keeping {k} of {n} texts keeps all of them."]
    if played <= OPEN_ROUNDS:
        return [
            f"Narrowing is not applied: it begins in round {OPEN_ROUNDS + 1}, and this run ends after round {played}."
        ]
    if n < ADVISED_TEXTS:
        return [f"With {n} texts narrowing saves few calls; it is meant for {ADVISED_TEXTS} texts or more."]
    return []
