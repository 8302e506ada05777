"""Which run the page shows, and what all parts of the page need of it: state, standings, names, theme."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from judge_core.interfaces.bench.states import AnyState
from judge_core.interfaces.dashboard.result.words import is_pair, kind_of_run
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.interfaces.dashboard.session import workbench
from judge_core.interfaces.workbench import Workbench
from judge_core.records.errors import InputError
from judge_core.records.journal import RunRow
from judge_core.records.spec import AnySpec, Spec
from judge_core.views.charts import Theme
from judge_core.views.evidence import PUBLISHED, Basis
from judge_core.views.reweighing import Choice, reweighed
from judge_core.views.standings import Standings, standings
from judge_core.views.state import RunState

RUN_KEY = "run"
"""In the session: the sidebar drops the address's parameters, and the page finds its run again here."""
NAMES_KEY = "show_names"
IDS_KEY = "show_ids"
PAIR_KEY = "show_pair_names"
NAME_LENGTH = 60
BOXES = ("Text A", "Text B")
"""What the two texts of a comparison are called that were pasted."""


@dataclass(frozen=True)
class Chosen:
    """What the reader set for a run. The default is what the run publishes."""

    weights: tuple[tuple[str, float], ...] | None = None
    """By criterion; None: those of the rubric."""
    choice: Choice = "criteria"
    basis: Basis = PUBLISHED

    @property
    def given(self) -> dict[str, float] | None:
        """The weights by criterion, where any were set."""
        return None if self.weights is None else dict(self.weights)


AS_RUN = Chosen()


@dataclass(frozen=True)
class ShownRun:
    """A run of any kind as it stood when the page was built."""

    bench: Workbench
    row: RunRow
    state: AnyState
    live: bool
    """Some process works on it now."""
    here: bool
    """That process is this one."""
    theme: Theme
    names: bool
    """Names are shown in place of aliases."""

    @property
    def id(self) -> str:
        """The run's id."""
        return self.row.id

    @property
    def interrupted(self) -> bool:
        """It began, nobody works on it, and it did not end."""
        return not self.live and self.state.running and self.state.last_seq > 0

    @property
    def name(self) -> str:
        """The run's name; plain text, not fit for markdown."""
        return run_name(self.row)


@dataclass(frozen=True)
class Shown(ShownRun):
    """A ranking as it stood when the page was built."""

    state: RunState
    chosen: Chosen = AS_RUN

    @cached_property
    def labels(self) -> dict[str, str]:
        """What a text is called, by alias: its name where names are shown (with the alias where two share one), else nothing."""
        if not self.names:
            return {}
        return distinct({text.alias: text.title or text.id for text in self.state.spec.texts})

    @cached_property
    def markdown_labels(self) -> dict[str, str]:
        """The same, fit for markdown."""
        return {alias: label(name, NAME_LENGTH + 12) for alias, name in self.labels.items()}

    def called(self, alias: str) -> str:
        """What a text is called; plain text, not fit for markdown."""
        return self.labels.get(alias, alias)

    @property
    def pair(self) -> bool:
        """Whether the run is one comparison of two texts, and was not made more of since."""
        return is_pair(self.state.spec) and len(self.state.rounds) <= 1 and not self.state.listings

    @cached_property
    def weighed(self) -> RunState:
        """The state as the chosen weights decide it."""
        return self._ranking[0]

    @cached_property
    def table(self) -> Standings:
        """The standings as the reader set them."""
        return self._ranking[1]

    @property
    def changed(self) -> bool:
        """Whether the ranking shown rests on something else than the run's own."""
        return self.chosen != AS_RUN

    @property
    def key(self) -> RunKey:
        """What everything that is worked out for this page follows from, for caches."""
        return str(self.bench.home.root), self.id, self.state.last_seq

    def by(self, chosen: Chosen) -> Standings:
        """The standings as they would be with other settings."""
        return ranking(self.key, chosen, self.state)[1]

    @cached_property
    def _ranking(self) -> tuple[RunState, Standings]:
        return ranking(self.key, self.chosen, self.state)


RunKey = tuple[str, str, int]
"""Data folder, run, and the number of its last event."""


@st.cache_resource(max_entries=64, show_spinner=False)
def ranking(key: RunKey, chosen: Chosen, _state: RunState) -> tuple[RunState, Standings]:
    """State and standings as chosen; kept by what they follow from, and never by hashing the state."""
    table = standings(_state, chosen.given, chosen.choice, basis=chosen.basis)
    return reweighed(_state, chosen.given, chosen.choice), table


def distinct(titles: Mapping[str, str]) -> dict[str, str]:
    """Short names by alias, on one line each; where two are the same, the alias stands behind them.

    >>> distinct({"I-1": "a", "I-2": "b", "I-3": "a"})
    {'I-1': 'a (I-1)', 'I-2': 'b', 'I-3': 'a (I-3)'}
    """
    short = {alias: plain(title, NAME_LENGTH) or alias for alias, title in titles.items()}
    seen = Counter(short.values())
    return {alias: name if seen[name] == 1 else f"{name} ({alias})" for alias, name in short.items()}


def run_name(row: RunRow) -> str:
    """What a run is called; plain text, not fit for markdown."""
    rubric = row.spec.rubric
    return plain(row.name) or plain(rubric.name) or plain(rubric.question) or _kind(row)


def _kind(row: RunRow) -> str:
    words = kind_of_run(row.spec)
    return words.one if row.size == 1 else words.many.format(n=row.size)


def theme() -> Theme:
    """The reader's theme."""
    return "dark" if st.context.theme.type == "dark" else "light"


def current_run() -> str | None:
    """The run of the address, else of this session, else the newest; None where there is none. Address and session then name it."""
    bench = workbench()
    run = st.query_params.get("run") or st.session_state.get(RUN_KEY)
    if not run:
        newest = next(iter(bench.runs()), None)
        run = newest.id if newest else None
    if run:
        remember(run)
    return run


def remember(run: str) -> None:
    """Makes a run the one that this session shows."""
    st.session_state[RUN_KEY] = run
    if st.query_params.get("run") != run:
        st.query_params["run"] = run


def look(run: str, chosen: Chosen = AS_RUN) -> Shown:
    """The run as it stands now. InputError where there is none of that id."""
    bench = workbench()
    here = run in bench.runner.playing()
    live = bench.live(run)  # before the state: a run that ends in between is looked at once more
    row = bench.journal.row(run)
    return Shown(
        bench=bench, row=row, state=bench.state(run), live=live, here=here, theme=theme(),
        names=names_shown(row.spec), chosen=chosen,
    )  # fmt: skip


def names_key(spec: AnySpec) -> str:
    """Where the session keeps whether names are shown: a place for each of the three kinds of names."""
    if spec.mode in ("rag", "agent", "refine"):
        return IDS_KEY
    return PAIR_KEY if given_names(spec) else NAMES_KEY


def names_shown(spec: AnySpec) -> bool:
    """Whether names are shown. Those of people's texts are not, until someone asks; ids of data and names of ours are."""
    key = names_key(spec)
    return bool(st.session_state.get(key, shown_at_first(key)))


def shown_at_first(key: str) -> bool:
    """Whether the names kept under that key tell nothing about people."""
    return key != NAMES_KEY


def given_names(spec: AnySpec) -> dict[str, str]:
    """What the boxes of a comparison were called, by alias, where both texts were pasted; else nothing."""
    if not isinstance(spec, Spec) or not is_pair(spec):
        return {}
    titles = {text.alias: text.title for text in spec.texts}
    return titles if set(titles.values()) == set(BOXES) else {}


def show_missing(error: InputError | None = None) -> None:
    """What stands on the page where there is no run to show."""
    st.title("Result", anchor=False)
    with st.container(border=True):
        if error is None:
            st.header("No run yet", anchor=False)
            st.markdown("A run appears here as soon as one is started: live while it works, then with its result.")
        else:
            st.header("This run is not here", anchor=False)
            st.markdown("The address names a run that is not in this data folder. It may be in another one.")
        with st.container(horizontal=True):
            st.page_link("new_ranking.py", label="Start a new ranking", icon=":material/add_circle:")
            st.page_link("history.py", label="See all runs", icon=":material/folder_open:")
    st.session_state.pop(RUN_KEY, None)
