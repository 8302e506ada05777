"""Swiss pairing: texts of like rating meet, no two meet twice, nobody sits out without need.

A round is a matching of minimum weight (J. Edmonds, Paths, trees, and flowers, 1965): first as many pairs as possible,
then the byes where they are due, then the smallest total distance in rank.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import rustworkx

WHOLE_GRAPH = 256
"""Up to this many texts every pair is a candidate, so that the pairing is the best there is."""
NEAREST = (8, 32, 128)
"""Beyond: how many of the nearest new opponents above and below each text are candidates, until all can be paired."""


class Pairing(NamedTuple):
    """A round. The higher-ranked text of a pair stands first; pairs and byes are in rank order."""

    pairs: tuple[tuple[str, str], ...]
    byes: tuple[str, ...]


def rank_order(elo: Mapping[str, float]) -> tuple[str, ...]:
    """Best first; equal ratings by id.

    >>> rank_order({"b": 1500.0, "a": 1500.0, "c": 1516.0})
    ('c', 'a', 'b')
    """
    return tuple(sorted(elo, key=lambda text: (-elo[text], text)))


def pair(ranked: Sequence[str], met: Collection[frozenset[str]], byes: Mapping[str, int]) -> Pairing:
    """Pairs the texts, given best first, without a rematch.

    `met` holds the pairs that have met, `byes` how often each text has sat out. As few texts as possible sit out:
    those with the fewest byes so far, and among them the lowest-ranked. Of all such pairings the one with the least
    total distance in rank is taken (beyond 256 texts: the least among each text's nearest new opponents).

    >>> pair(["a", "b", "c"], {frozenset("ab")}, {"c": 1})
    Pairing(pairs=(('a', 'c'),), byes=('b',))
    """
    field = _Field(ranked, met, byes)
    matched = field.neighbours() or field.matching()
    playing = {rank for edge in matched for rank in edge}
    return Pairing(
        tuple((ranked[i], ranked[j]) for i, j in sorted(matched)),
        tuple(text for rank, text in enumerate(ranked) if rank not in playing),
    )


class _Field:
    """The texts of a round by rank (from 0), with whom each has met and what a bye of it costs."""

    def __init__(self, ranked: Sequence[str], met: Collection[frozenset[str]], byes: Mapping[str, int]):
        self.size = len(ranked)
        self.met = _met_ranks(ranked, met)
        fewest = min((byes.get(text, 0) for text in ranked), default=0)
        # Each part outweighs the greatest sum of the parts after it: earlier byes, rank, distance.
        self.bye_cost = [
            self.size**2 * ((byes.get(text, 0) - fewest) * self.size**2 + self.size - 1 - rank)
            for rank, text in enumerate(ranked)
        ]

    def due(self) -> int | None:
        """The text that sits out where one must and any may."""
        return min(range(self.size), key=self.bye_cost.__getitem__) if self.size % 2 else None

    def neighbours(self) -> list[tuple[int, int]] | None:
        """The pairing of neighbours, which nothing can better, if none of them has met."""
        due = self.due()
        playing = [rank for rank in range(self.size) if rank != due]
        pairs = list(zip(playing[::2], playing[1::2], strict=True))
        return None if any(j in self.met[i] for i, j in pairs) else pairs

    def matching(self) -> list[tuple[int, int]]:
        """The best pairing in which only who is due sits out, or, where there is none, the best of all."""
        for nearest in (*NEAREST, self.size) if self.size > WHOLE_GRAPH else (self.size,):
            near = {edge: self.size - edge[1] + edge[0] for edge in self._candidates(nearest, self.due())}
            matched = _heaviest(self.size, near)
            if len(matched) == self.size // 2:
                return matched
        every = self._candidates(self.size, None)
        return _heaviest(self.size, {edge: self._worth(*edge) for edge in every})

    def _worth(self, i: int, j: int) -> int:
        return self.bye_cost[i] + self.bye_cost[j] + self.size - abs(i - j)

    def _candidates(self, nearest: int, out: int | None) -> Iterator[tuple[int, int]]:
        """Pairs (upper, lower) that have not met, each text with its nearest below and above; `out` takes no part."""
        for i, met in enumerate(self.met):
            if i == out:
                continue
            below = (j for j in range(i + 1, self.size) if j not in met and j != out)
            yield from ((i, j) for j in islice(below, nearest))
            if nearest < self.size:  # else each pair came from its upper text
                above = (j for j in range(i - 1, -1, -1) if j not in met and j != out)
                yield from ((j, i) for j in islice(above, nearest))


def _heaviest(size: int, weights: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """The matching of most edges, and among those of greatest weight; the smaller end of each edge first."""
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from([(i, j, weight) for (i, j), weight in weights.items()])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(edge), max(edge)) for edge in found]


def _met_ranks(ranked: Sequence[str], met: Collection[frozenset[str]]) -> list[set[int]]:
    rank = {text: place for place, text in enumerate(ranked)}
    ranks: list[set[int]] = [set() for _ in ranked]
    for meeting in met:
        known = [rank[text] for text in meeting if text in rank]
        if len(known) == 2:
            ranks[known[0]].add(known[1])
            ranks[known[1]].add(known[0])
    return ranks
