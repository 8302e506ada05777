"""A run of items as the page shows it: its state, what its items are called, and what follows from both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from judge_core.interfaces.dashboard.result.shown import NAME_LENGTH, ShownRun, distinct, names_shown, theme
from judge_core.interfaces.dashboard.safe import label
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.library.item_results import ItemResults
from judge_core.records.spec import ItemMode
from judge_core.views.exports.ranked import Table
from judge_core.views.items.state import ItemState
from judge_core.views.items.tables import screen_table
from judge_core.views.items.verdicts.summary import Summary, summary


@dataclass(frozen=True)
class ShownItems(ShownRun):
    """A run of items as it stood when the page was built."""

    state: ItemState

    @property
    def mode(self) -> ItemMode:
        """What was asked."""
        return self.state.spec.mode

    @cached_property
    def labels(self) -> dict[str, str]:
        """What an item is called, by alias; nothing where names are not shown. Plain text, not fit for markdown."""
        if not self.names:
            return {}
        return distinct({item.alias: item.title or item.id for item in self.state.spec.items})

    @cached_property
    def markdown_labels(self) -> dict[str, str]:
        """What every item is called, fit for markdown."""
        return {item.alias: label(self.called(item.alias), NAME_LENGTH + 12) for item in self.state.spec.items}

    def called(self, alias: str) -> str:
        """What an item is called; plain text, not fit for markdown."""
        return self.labels.get(alias, alias)

    @property
    def judge_names(self) -> list[str]:
        """The panel's names, fit for markdown."""
        return [label(judge.name) for judge in self.state.spec.judges]

    @property
    def whole(self) -> Summary:
        """The run as a whole."""
        return _summary(*self._key, self.state)

    @property
    def table(self) -> Table:
        """The main table as the page shows it."""
        return _table(*self._key, self.names, self.state, self.labels if self.names else None)

    @property
    def results(self) -> ItemResults:
        """The same state with its files."""
        return ItemResults(self.bench, self.id, self.state)

    @property
    def _key(self) -> tuple[str, str, int]:
        return str(self.bench.home.root), self.id, self.state.last_seq


@st.cache_resource(max_entries=32, show_spinner=False)
def _summary(home: str, run: str, seq: int, _state: ItemState) -> Summary:
    """Kept by what it follows from, and never by hashing the state."""
    return summary(_state)


@st.cache_resource(max_entries=32, show_spinner=False)
def _table(home: str, run: str, seq: int, names: bool, _state: ItemState, _labels: dict[str, str] | None) -> Table:
    return screen_table(_state, _labels)


def look_items(run: str) -> ShownItems:
    """The run as it stands now. InputError where there is none of that id, or it ranks texts."""
    bench = workbench()
    here = run in bench.runner.playing()
    live = bench.live(run)  # before the state: a run that ends in between is looked at once more
    row = bench.journal.row(run)
    return ShownItems(
        bench=bench,
        row=row,
        state=bench.item_state(run),
        live=live,
        here=here,
        theme=theme(),
        names=names_shown(row.spec),
    )
