"""Pairs that are asked together: no text in two of them, and as much worth in all as can be."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import rustworkx

Steps = npt.NDArray[np.int64]
Pairs = list[tuple[int, int]]
WHOLE_GRAPH = 256
"""Up to so many texts the best of all matchings is found; beyond, the worthiest pair is taken again and again."""


def heaviest(worth: Steps, *, full: bool) -> Pairs:
    """The worthiest pairs first, each its smaller end first; equals in the texts' order.

    Entries above 0 in the upper triangle of `worth` are the pairs there are. `full`: as many pairs as can be come
    before worth.
    """
    first, second = np.nonzero(np.triu(worth, 1) > 0)
    weights = worth[first, second]
    edges = list(zip(first.tolist(), second.tolist(), weights.tolist(), strict=True))
    if len(worth) > WHOLE_GRAPH:
        falling = np.argsort(-weights, kind="stable").tolist()
        pairs = _greedy([edges[place][:2] for place in falling])
    else:
        graph = rustworkx.PyGraph()
        graph.add_nodes_from(range(len(worth)))
        graph.add_edges_from(edges)
        found = rustworkx.max_weight_matching(graph, max_cardinality=full, weight_fn=int)
        pairs = [(min(pair), max(pair)) for pair in found]
    return sorted(pairs, key=lambda pair: (-int(worth[pair]), pair))


def _greedy(falling: Pairs) -> Pairs:
    taken: set[int] = set()
    pairs = []
    for pair in falling:
        if taken.isdisjoint(pair):
            taken.update(pair)
            pairs.append(pair)
    return pairs
