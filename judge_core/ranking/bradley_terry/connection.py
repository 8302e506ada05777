"""What the graph of verdicts can carry: which texts hang together, and which stand above others beyond measure.

Without a prior a finite estimate exists only among texts that each can be reached from each other by wins or ties
(L. R. Ford, Solution of a ranking problem from binary comparisons, 1957).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

from judge_core.ranking.bradley_terry.likelihood.tally import Indices, Marks, Tally


def components(size: int, first: Indices, second: Indices) -> Indices:
    """Per text the number of its component: texts joined by verdicts, however they ended. Ends of edges are indices."""
    graph = csr_array((np.ones(len(first)), (first, second)), shape=(size, size))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)


def strong_groups(tally: Tally) -> Indices:
    """Per text the number of its group: within one, each text has beaten or tied its way to each other."""
    _, labels = connected_components(_won(tally), directed=True, connection="strong")
    return np.asarray(labels, dtype=np.intp)


def main_group(groups: Indices) -> int | None:
    """The one largest group, on whose scale ratings are given; None where it is a single text or there are two."""
    sizes = np.bincount(groups) if groups.size else np.zeros(0, dtype=np.intp)
    if groups.size == 1:
        return 0
    if not sizes.size or sizes.max() < 2 or (sizes == sizes.max()).sum() > 1:
        return None
    return int(sizes.argmax())


def reach(tally: Tally) -> Marks:
    """Matrix: whether wins and ties lead from the text of the row to that of the column."""
    return np.asarray(np.isfinite(dijkstra(_won(tally), unweighted=True)))


def _won(tally: Tally) -> csr_array:
    """Directed graph: an edge from each text to those that it has beaten or tied."""
    up, down = tally.wins > 0, tally.games - tally.wins > 1e-12 * tally.games
    rows = np.concatenate([tally.first[up], tally.second[down]])
    columns = np.concatenate([tally.second[up], tally.first[down]])
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(tally.size, tally.size))
