"""What a run that judges items brings: verdicts by item, figures of the whole, frames and files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge_core.interfaces.detail.item import ItemDetail, all_said, item_detail
from judge_core.interfaces.library.results import ResultFile, write_whole
from judge_core.interfaces.workbench import Workbench
from judge_core.records.artifact import FileProblem
from judge_core.records.errors import InputError
from judge_core.records.event import RunStatus
from judge_core.records.spec import ItemMode
from judge_core.views.exports import strict_json
from judge_core.views.exports.ranked import Table
from judge_core.views.items.exports import item_csv, item_tables, workbook_bytes
from judge_core.views.items.machine import item_record
from judge_core.views.items.sentence import item_verdict
from judge_core.views.items.state import ItemState
from judge_core.views.items.verdicts.points import gate_passed
from judge_core.views.items.verdicts.summary import Summary, summary

if TYPE_CHECKING:
    import pandas as pd

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, repr=False)
class ItemResults:
    """A run of items as it stood when this was made."""

    bench: Workbench
    run_id: str
    state: ItemState
    problems: tuple[FileProblem, ...] = ()
    """Files and rows that could not be read, or were read with a remark."""

    @classmethod
    def of(cls, bench: Workbench, run: str, problems: tuple[FileProblem, ...] = ()) -> ItemResults:
        """The results of a run in its present state. InputError where there is no such run, or it ranks texts."""
        return cls(bench, run, bench.item_state(run), problems)

    @property
    def mode(self) -> ItemMode:
        """What was asked: 'review', 'gate', 'listwise', 'rag' or 'agent'."""
        return self.state.spec.mode

    @property
    def status(self) -> RunStatus:
        """'done', or why the run is not."""
        return self.state.status

    @property
    def cost(self) -> float | None:
        """US dollars spent; None where a part is unknown."""
        return self.state.spent.cost.exact

    @property
    def passed(self) -> bool:
        """Gate: whether every item passes and the run is done. Fails closed. False for the other modes."""
        return self.mode == "gate" and gate_passed(self.state)

    @cached_property
    def summary(self) -> Summary:
        """Means over the items, with how many they rest on."""
        return summary(self.state)

    @property
    def sentence(self) -> str:
        """The verdict in a sentence, with the remarks that belong to it. Items are named by id."""
        return item_verdict(self.state, self.labels).text

    @property
    def labels(self) -> dict[str, str]:
        """Ids by alias."""
        return {item.alias: item.id for item in self.state.spec.items}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """All tables by name: the mode's own first, then its labels, 'summary' and 'judgments' with the judges' words."""
        return item_tables(self.state, all_said(self.bench, self.run_id))

    def detail(self, id: str) -> ItemDetail:
        """One item (by id or alias) with its prompts and raw replies. InputError where there is none."""
        aliases = {item.id: item.alias for item in self.state.spec.items}
        return item_detail(self.bench, self.run_id, aliases.get(id, id))

    def record(self) -> dict[str, Any]:
        """Status, judges, parameters, usage, and every item with its verdicts and warnings, as plain data."""
        return item_record(self.run_id, self.state)

    def to_frame(self, table: str | None = None) -> pd.DataFrame:
        """A table as a frame, the mode's own by default. InputError, with the names there are, for an unknown one."""
        import pandas as pd

        name = table or self.mode
        if name not in self.tables:
            raise InputError(f"There is no table {name!r}. Tables are: {', '.join(self.tables)}.", field="table")
        whole = self.tables[name]
        return pd.DataFrame(whole.rows, columns=list(whole.header))

    def save_csv(self, path: str | Path) -> Path:
        """Writes the mode's own table as CSV and returns its path."""
        return write_whole(Path(path), item_csv(self.tables[self.mode]))

    def save_xlsx(self, path: str | Path) -> Path:
        """Writes all tables as the sheets of a workbook and returns its path."""
        return write_whole(Path(path), workbook_bytes(self.tables))

    def files(self) -> dict[str, ResultFile[ItemResults]]:
        """What the run can be saved as, by file name; the same run gives the same bytes."""
        return item_files(self)

    def __repr__(self) -> str:
        return f"<{self.mode}: {len(self.state.spec.items)} items, {self.status}, run {self.run_id[:8]}>"

    def _repr_html_(self) -> str:
        """The table for notebooks; every cell is escaped."""
        return str(self.to_frame().to_html(index=False, escape=True, na_rep=""))


def item_files(results: ItemResults) -> dict[str, ResultFile[ItemResults]]:
    """The files of a run: each table as CSV, all tables as a workbook, the whole as JSON."""
    found: dict[str, ResultFile[ItemResults]] = {
        f"{name}.csv": ResultFile("text/csv", lambda r, name=name: item_csv(r.tables[name]))  # type: ignore[misc]
        for name in results.tables
    }
    found[f"{results.mode}.xlsx"] = ResultFile(XLSX, lambda r: workbook_bytes(r.tables))
    found[f"{results.mode}.json"] = ResultFile("application/json", lambda r: strict_json(r.record()) + b"\n")
    return found
