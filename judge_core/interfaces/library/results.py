"""What a run brings: its events while it goes, and afterwards the ranking with its frames and files."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from judge_core.interfaces.bench.states import AnyState
from judge_core.interfaces.detail.match import MatchDetail, all_readings, match_detail
from judge_core.interfaces.workbench import Workbench
from judge_core.modes.pairs.reasons import shown_as
from judge_core.records.artifact import FileProblem
from judge_core.records.errors import InputError
from judge_core.records.event import RunStatus, Stored
from judge_core.views.evidence import Basis
from judge_core.views.exports import (
    judgments_csv,
    ranked_csv,
    ranked_table,
    ranked_xlsx,
    reasons_of,
    report_names,
    report_text,
    run_record,
    strict_json,
)
from judge_core.views.listings import ListingView
from judge_core.views.matches import MatchView
from judge_core.views.reweighing import Choice
from judge_core.views.sentence import verdict
from judge_core.views.standings import Standing, Standings, standings
from judge_core.views.state import RunState

if TYPE_CHECKING:
    import pandas as pd

POLL_S = 0.1
STAMP = (1980, 1, 1, 0, 0, 0)
"""The one date of all entries of an archive, so that equal runs give equal files."""
COUNTS = (
    "pair", "round", "weight", "total_a", "total_b", "calls", "prompt_tokens", "completion_tokens", "cost", "place",
)  # fmt: skip
"""The columns of `judgments.csv` that hold numbers, beside those of the criteria."""


def follow(bench: Workbench, run: str, tell: Callable[[Sequence[Stored]], None] | None = None) -> AnyState:
    """Waits until a run of this process stops; hands on its events, from the first, as they come.

    An interrupt (or whatever `tell` raises) pauses the run, waits until its calls in flight are kept, and goes on up.
    """
    seen = 0

    def look() -> None:
        nonlocal seen
        events = bench.journal.events(run, after=seen)
        if events:
            seen = events[-1].seq
            if tell is not None:
                tell(events)

    try:
        _until_over(bench, run, look)
    except BaseException:
        bench.pause(run)
        _until_over(bench, run, lambda: None)
        raise
    return bench.wait(run)


def _until_over(bench: Workbench, run: str, look: Callable[[], None]) -> None:
    handle = bench.runner.handle(run)
    future = handle.future if handle is not None else None
    while future is not None and not future.done():
        wait([future], timeout=POLL_S)
        look()
    look()


@dataclass(frozen=True, repr=False)
class Ranking:
    """A run as it stood when this was made. Iterating over `standings` gives one row a text, best first."""

    bench: Workbench
    run_id: str
    state: RunState
    problems: tuple[FileProblem, ...] = ()
    """Files that could not be read, or were read with a remark."""

    @classmethod
    def of(cls, bench: Workbench, run: str, problems: tuple[FileProblem, ...] = ()) -> Ranking:
        """The ranking of a run in its present state. InputError where there is no such run."""
        return cls(bench, run, bench.state(run), problems)

    @cached_property
    def table(self) -> Standings:
        """The standings with what they rest on."""
        return standings(self.state)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """One row a text, in the order of the table."""
        return self.table.rows

    def rated(self, basis: Basis, choice: Choice = "criteria", weights: Mapping[str, float] | None = None) -> Standings:
        """The standings on another basis, by overall choice or with other weights; no call is made. InputError.

        `Basis(evidence="margins")` counts by how much scores differ, `Basis(discrimination=True)` lets judges who tell
        texts apart more sharply count for more, `Basis(length=True)` takes out what longer texts gain by their length.
        """
        return standings(self.state, weights, choice, basis=basis)

    @property
    def status(self) -> RunStatus:
        """'done', or why the run is not."""
        return self.state.status

    @property
    def cost(self) -> float | None:
        """US dollars spent; None where a part is unknown."""
        return self.state.spent.cost.exact

    @property
    def sentence(self) -> str:
        """The verdict in a sentence, with the remarks that belong to it. Texts are named by id."""
        return verdict(self.state, self.table, self.labels).text

    @property
    def labels(self) -> dict[str, str]:
        """Ids by alias."""
        return {text.alias: text.id for text in self.state.spec.texts}

    def match(self, place: int) -> MatchDetail:
        """One match with its prompts and raw replies. InputError where none was judged at that place."""
        return match_detail(self.bench, self.run_id, place)

    def record(self) -> dict[str, object]:
        """Status, counts, verdict and standings as plain data."""
        return run_record(self.run_id, self.state, self.table)

    def reasons(self, labels: Mapping[str, str] | None = None) -> dict[tuple[int, int, int], str]:
        """The judges' reasons by (place, judge, turn), with a line that says which text was A. `labels` replaces aliases."""
        readings, names = all_readings(self.bench, self.run_id), labels or {}
        return {
            at: f"{shown_as(names.get(read.shown.a, read.shown.a), names.get(read.shown.b, read.shown.b)).line}\n"
            f"{reasons_of(read.reading)}"
            for at, read in readings.items()
            if read.reading is not None
        }

    def to_frame(self) -> pd.DataFrame:
        """The ranked table with the columns of the CSV; None where a value is not known."""
        import pandas as pd

        whole = ranked_table(self.state, self.table)
        return pd.DataFrame(whole.rows, columns=list(whole.header))

    def judgments_frame(self) -> pd.DataFrame:
        """One row a judgment, as in `judgments.csv`; ids stay text, counts and scores are numbers."""
        import pandas as pd

        from judge_core.intake.naming import without_guard

        raw = io.BytesIO(judgments_csv(self.state, self.reasons()))
        frame = pd.read_csv(raw, dtype=str, keep_default_na=False, encoding="utf-8-sig")
        frame = frame.map(without_guard).rename(columns=without_guard)
        sides = [f"{c.name} ({side})" for c in self.state.spec.rubric.criteria for side in "ab"]
        for column in [c for c in frame.columns if c in COUNTS or c in sides]:
            frame[column] = pd.to_numeric(frame[column], errors="coerce")
        return frame

    def save_csv(self, path: str | Path) -> Path:
        """Writes the ranked table as CSV and returns its path."""
        return write_whole(Path(path), FILES["ranked.csv"].content(self))

    def __repr__(self) -> str:
        return f"<ranking: {len(self.state.spec.texts)} texts, {self.status}, run {self.run_id[:8]}>"

    def _repr_html_(self) -> str:
        """The table for notebooks; every cell is escaped."""
        return str(self.to_frame().to_html(index=False, escape=True, na_rep=""))


Results = TypeVar("Results")


class ResultFile(NamedTuple, Generic[Results]):
    """A file that a run can be saved as."""

    mime: str
    content: Callable[[Results], bytes]


FILES: Mapping[str, ResultFile[Ranking]] = {
    "ranked.csv": ResultFile("text/csv", lambda ranking: ranked_csv(ranking.state, ranking.table)),
    "ranked.xlsx": ResultFile(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        lambda ranking: ranked_xlsx(ranking.state, ranking.table),
    ),
    "judgments.csv": ResultFile("text/csv", lambda ranking: judgments_csv(ranking.state, ranking.reasons())),
    "report.txt": ResultFile(
        "text/plain",
        lambda ranking: report_text(ranking.state, ranking.table, made_words(ranking), named_reasons(ranking)),
    ),
    "ranking.json": ResultFile("application/json", lambda ranking: strict_json(ranking.record()) + b"\n"),
}
"""By name; the same run gives the same bytes."""


def named_reasons(ranking: Ranking) -> dict[tuple[int, int, int], str]:
    """The judges' reasons, with the texts called as in the report."""
    return ranking.reasons(report_names(ranking.state))


def made_words(ranking: Ranking) -> str:
    """By which run a report was made, and when."""
    row = ranking.bench.journal.row(ranking.run_id)
    return f"Run {ranking.run_id[:8]}, made {row.created_at[:16].replace('T', ' ')} UTC, {ranking.state.status}."


def folded(ranking: Ranking) -> dict[str, object]:
    """A run's folded state as plain data: the record that ends its output, with its spec, rounds, matches and Elo."""
    state, row = ranking.state, ranking.bench.journal.row(ranking.run_id)
    rounds = [
        {
            "round": view.number, "title": view.title, "pairs": view.pairs, "groups": view.groups, "singles": view.singles,
            "fallen": sorted(view.fallen), "byes": view.byes, "band": view.band, "closed": view.closed,
        }
        for view in state.rounds.values()
    ]  # fmt: skip
    return {
        **ranking.record(), "type": "state", "name": row.name, "created_at": row.created_at,
        "started_at": state.started_at, "ended_at": state.ended_at, "last_seq": state.last_seq,
        "planned_matches": state.planned_matches, "caps": state.caps, "spec": state.spec, "rounds": rounds,
        "matches": [_match(view) for view in state.matches.values()], "elo": state.elo,
        "listings": [_listing(view) for view in state.listings.values()], "withdrawn": sorted(state.withdrawn),
        "goal": state.goal, "goal_reached": state.reached,
    }  # fmt: skip


def _match(view: MatchView) -> dict[str, object]:
    return {
        "place": view.place, "round": view.round, "a": view.a, "b": view.b, "result": view.result,
        "judgments": [judgment.model_dump() for judgment in view.judgments], "places": view.places,
        "elo_before": view.elo_before, "elo": view.elo, "moved_at": view.moved_at,
    }  # fmt: skip


def _listing(view: ListingView) -> dict[str, object]:
    return {
        "place": view.place, "round": view.round, "texts": view.texts, "places": view.places, "elo": view.elo,
        "judgments": [judgment.model_dump() for judgment in view.judgments], "elo_before": view.elo_before,
    }  # fmt: skip


def entry(name: str) -> zipfile.ZipInfo:
    """An entry of an archive without the hour of its making."""
    info = zipfile.ZipInfo(name, STAMP)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info


def check_target(path: Path) -> None:
    """Says before a run, and not after it, that a file could not be written. Raises InputError."""
    folder = path.parent
    if path.is_dir() or not folder.is_dir():
        fault = "is a folder" if path.is_dir() else "lies in a folder that is not there"
        raise InputError(f"{str(path)!r} {fault}. Name a file in a folder that exists.", field="out")
    if not os.access(folder, os.W_OK):
        raise InputError(f"The folder {str(folder)!r} cannot be written. Choose another one.", field="out")


def write_whole(path: Path, content: bytes) -> Path:
    """Writes a file that is either there whole or not at all. Raises InputError where it cannot be written."""
    check_target(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise InputError(f"{str(path)!r} cannot be written ({error.strerror}).", field="out") from None
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
