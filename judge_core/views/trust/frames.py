"""Rows to data frames in which what was not measured is empty, whatever the column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

Row = Mapping[str, object]
"""A cell that was not measured is None."""


def framed_rows(rows: Sequence[Row], columns: Mapping[str, str]) -> pd.DataFrame:
    """`columns` gives each column's kind: Int64, Float64, boolean or object; they are there without any row too."""
    frame = pd.DataFrame(rows, columns=list(columns), dtype=object)
    return frame.astype(dict(columns))
