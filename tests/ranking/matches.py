"""Strategies for lists of comparisons."""

from __future__ import annotations

from hypothesis import strategies as st

from judge_core.ranking.comparison import Comparison


@st.composite
def comparisons(draw, smallest=2, largest=8, most=30):
    """Items and comparisons of them, ties, weights and positions included."""
    size = draw(st.integers(smallest, largest))
    items = [f"t{place}" for place in range(size)]
    pairs = st.tuples(st.integers(0, size - 1), st.integers(1, size - 1)).map(lambda p: (p[0], (p[0] + p[1]) % size))
    rows = st.builds(
        lambda pair, result, weight, position: Comparison(items[pair[0]], items[pair[1]], result, weight, position),
        pairs,
        st.sampled_from([0.0, 0.5, 1.0]),
        st.sampled_from([1.0, 0.5, 1 / 3]),
        st.sampled_from([-1, 0, 1]),
    )
    return items, draw(st.lists(rows, max_size=most))
