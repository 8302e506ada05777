"""The user's own price table: shown for editing, checked, saved in the data folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from judge_core.interfaces.drafts.records import Cell, Rows
from judge_core.interfaces.workbench import Workbench
from judge_core.providers.prices import read_prices
from judge_core.records.errors import InputError
from judge_core.records.spec import Price

COLUMNS = ("judge", "input", "output")


def price_rows(prices: Mapping[str, Price]) -> Rows:
    """Prices as rows, sorted by judge."""
    return tuple(
        {"judge": name, "input": price.input, "output": price.output} for name, price in sorted(prices.items())
    )


def own_prices(bench: Workbench) -> dict[str, Price]:
    """The user's own table; empty where there is none. InputError where the file cannot be read."""
    path = bench.home.prices
    return read_prices(path.read_text("utf-8")) if path.exists() else {}


def save_prices(bench: Workbench, rows: Sequence[Mapping[str, Cell]]) -> int:
    """Checks and saves rows as the user's own table, and returns their number. InputError naming the row that is wrong."""
    table: dict[str, dict[str, Cell]] = {}
    for number, row in enumerate(rows, start=1):
        name = str(row.get("judge") or "").strip()
        if not name:
            raise InputError(f"Row {number} names no judge. Write for example api.openai.com/gpt-4o.", field="judge")
        if name in table:
            raise InputError(f"Row {number}: {name!r} stands twice. Delete one of the two.", field="judge")
        for end in ("input", "output"):
            if not isinstance(row.get(end), int | float):
                raise InputError(
                    f"Row {number} ({name!r}) lacks a price. Enter both; 0 only if it is really free.", field=end
                )
        table[name] = {"input": row["input"], "output": row["output"]}
    text = json.dumps(table, indent=2, ensure_ascii=False)
    read_prices(text)
    part = bench.home.prices.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(bench.home.prices)
    return len(table)
