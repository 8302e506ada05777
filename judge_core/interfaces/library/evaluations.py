"""The library's evaluations item by item: scores and reviews, gates, lists, retrieval answers and agent runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from judge_core.intake.artifacts import check_nothing_lost
from judge_core.intake.items.agent_files import read_agent_files
from judge_core.intake.items.rag_files import read_rag_files
from judge_core.interfaces.bench.items import list_item, text_items
from judge_core.interfaces.library.item_results import ItemResults
from judge_core.interfaces.library.options import ItemOptions, RunOptions, item_spec
from judge_core.interfaces.library.results import follow
from judge_core.interfaces.library.texts import Texts, read_texts
from judge_core.interfaces.workbench import Workbench
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.event import Stored
from judge_core.records.item import ItemReading
from judge_core.records.spec import BAR, ItemMode, JudgeSpec
from judge_core.views.exports import strict_json
from judge_core.views.items.verdicts.points import point_panel

Rows = str | Path | Mapping[str, object] | Sequence[Mapping[str, object]]
"""A file, one item, or several; the fields are those of the files, see docs/formats.md."""
Options = TypeVar("Options", bound=RunOptions)
OnEvent = Callable[[Stored], None]


@dataclass(frozen=True, repr=False)
class Score:
    """The panel's verdict on one text."""

    total: float | None
    """Weighted mean over criteria and judges, 0 to 1; None where no judge gave a verdict."""
    criteria: Mapping[str, float]
    """Mean score by criterion, on its own scale."""
    reasons: tuple[str, ...]
    """What each judge said, in the order of the replies."""
    warnings: tuple[str, ...]
    results: ItemResults
    """The run behind it."""

    def __repr__(self) -> str:
        return f"<score {'none' if self.total is None else format(self.total, '.3f')}, run {self.results.run_id[:8]}>"


class Evaluations:
    """What a panel can judge item by item. `options` are the fields of `ItemOptions`, `judges` excepted.

    Every method waits for the end. The same inputs again cost nothing where the cache holds the replies.
    """

    bench: Workbench
    rubric: Rubric
    _panel: tuple[str | JudgeSpec, ...]

    def score(self, text: str, *, reference: str = "", **options: Any) -> Score:
        """Scores one text on every criterion, against a reference answer where one is given.

        >>> import tempfile
        >>> from judge_core import Judge
        >>> home = tempfile.TemporaryDirectory()
        >>> with Judge(criteria="writing", home=home.name) as judge:
        ...     score = judge.score("Because days grow short, the tree seals each stem, and the wind does the rest.")
        >>> 0 < score.total < 1, len(score.criteria) > 1
        (True, True)
        >>> home.cleanup()
        """
        results = self.review({"text": text}, reference=reference, **options)
        [item] = results.state.spec.items
        panel = point_panel(results.state, item.alias)
        view = results.state.items.get(item.alias)
        warnings = [notice.message for judgment in (view.judgments if view else ()) for notice in judgment.warnings]
        said = [one.said.text for one in results.detail("text").exchanges if one.said and one.said.error is None]
        means = {} if panel is None else {name: mean.value for name, mean in panel.scores.items()}
        return Score(
            total=None if panel is None else panel.total,
            criteria={name: value for name, value in means.items() if value is not None},
            reasons=tuple(said),
            warnings=tuple(warnings),
            results=results,
        )

    def review(
        self, texts: Texts, *, reference: str = "", on_event: OnEvent | None = None, **options: Any
    ) -> ItemResults:
        """Scores each text by itself, with reasons; no text's score depends on another.

        >>> import tempfile
        >>> from judge_core import Judge
        >>> home = tempfile.TemporaryDirectory()
        >>> with Judge(home=home.name) as judge:
        ...     results = judge.review({"long": "Because days grow short, the tree seals each stem.", "short": "Wind."})
        >>> results.status, list(results.to_frame()["id"])
        ('done', ['long', 'short'])
        >>> home.cleanup()
        """
        reading = read_texts(texts)
        read = ItemReading(items=text_items(reading.artifacts, reference), problems=reading.problems)
        return self._judge("review", read, options, on_event)

    def gate(
        self, texts: Texts, *, bar: float = BAR, reference: str = "", on_event: OnEvent | None = None, **options: Any
    ) -> ItemResults:
        """Lets each text pass or not: `results.passed` is True only if all pass. Whatever goes wrong, nothing passes by it.

        A text passes where every judge of the panel gave a verdict, none of them refused it, and their mean score, on a
        scale of 1 to 5, is at least `bar`. InputError where a file, an entry or a row of what was given cannot be judged.

        >>> import tempfile
        >>> from judge_core import Judge
        >>> home = tempfile.TemporaryDirectory()
        >>> with Judge(home=home.name) as judge:
        ...     results = judge.gate({"short": "Wind."}, bar=3.5)
        >>> results.passed
        False
        >>> home.cleanup()
        """
        reading = read_texts(texts)
        check_nothing_lost(reading.problems)
        read = ItemReading(items=text_items(reading.artifacts, reference), problems=reading.problems)
        return self._judge("gate", read, {"bar": bar, **options}, on_event)

    def rank_list(self, texts: Texts, *, on_event: OnEvent | None = None, **options: Any) -> ItemResults:
        """Has each judge rank 2 to 20 texts in one reply, shown forwards and in reverse.

        >>> import tempfile
        >>> from judge_core import Judge
        >>> home = tempfile.TemporaryDirectory()
        >>> with Judge(home=home.name) as judge:
        ...     results = judge.rank_list({"short": "Wind.", "long": "Because days grow short, the tree seals each stem."})
        >>> list(results.to_frame().sort_values("place")["candidate"])
        ['long', 'short']
        >>> home.cleanup()
        """
        reading = read_texts(texts)
        read = ItemReading(items=(list_item(reading.artifacts),), problems=reading.problems)
        return self._judge("listwise", read, options, on_event)

    def evaluate_rag(self, rows: Rows, *, on_event: OnEvent | None = None, **options: Any) -> ItemResults:
        """Judges answers against their passages: claims and passages are labelled, figures computed from the labels.

        >>> import tempfile
        >>> from judge_core import Judge
        >>> home = tempfile.TemporaryDirectory()
        >>> row = {"question": "When do leaves fall?", "answer": "They fall in autumn.",
        ...        "passages": ["Leaves fall in autumn, when days grow short.", "Wind moves sand."]}
        >>> with Judge(home=home.name) as judge:
        ...     results = judge.evaluate_rag(row)
        >>> results.to_frame()["faithfulness"].tolist()
        [1.0]
        >>> home.cleanup()
        """
        return self._judge("rag", read_rag_files(_files(rows, "rows.jsonl")), options, on_event)

    def evaluate_agent(self, rows: Rows, *, on_event: OnEvent | None = None, **options: Any) -> ItemResults:
        """Judges runs of an agent: its goal, each step, each tool call, and patterns of going astray.

        >>> import tempfile
        >>> from judge_core import Judge
        >>> home = tempfile.TemporaryDirectory()
        >>> run = {"goal": "Find the tallest tree.", "steps": [
        ...     {"role": "assistant", "content": "I look it up.", "tool_calls": [{"name": "search", "arguments": {"q": "tallest tree"}}]},
        ...     {"role": "tool", "name": "search", "content": "Hyperion, 116 m"},
        ...     {"role": "assistant", "content": "The tallest tree is Hyperion, at 116 m."}]}
        >>> with Judge(home=home.name) as judge:
        ...     results = judge.evaluate_agent(run)
        >>> results.status, len(results.tables["steps"].rows)
        ('done', 2)
        >>> home.cleanup()
        """
        return self._judge("agent", read_agent_files(_files(rows, "runs.jsonl")), options, on_event)

    def _judge(
        self, mode: ItemMode, read: ItemReading, options: Mapping[str, Any], on_event: OnEvent | None
    ) -> ItemResults:
        chosen = self._chosen(ItemOptions, options)
        check_read(read)
        spec = item_spec(self.bench, mode, self.bench.keep_items(read.items), self.rubric, chosen)
        run = self.bench.start(spec, concurrency=chosen.concurrency)
        follow(self.bench, run, each(on_event))
        return ItemResults.of(self.bench, run, read.problems)

    def _chosen(self, kind: type[Options], given: Mapping[str, Any]) -> Options:
        known = kind.__dataclass_fields__
        for name in given:
            if name not in known or name == "judges":
                allowed = ", ".join(sorted(set(known) - {"judges"}))
                raise InputError(f"There is no option {name!r}. Options are: {allowed}.", field=name)
        return kind(judges=self._panel, **given)


def check_read(read: ItemReading) -> None:
    """InputError, with the first problem, where reading brought nothing to judge."""
    if not read.items:
        said = read.problems[0].message if read.problems else "There is nothing in it."
        raise InputError(f"Nothing can be judged. {said}", field="items")


def each(on_event: OnEvent | None) -> Callable[[Sequence[Stored]], None] | None:
    """A listener to batches of events out of a listener to one."""
    if on_event is None:
        return None

    def tell(events: Sequence[Stored]) -> None:
        for stored in events:
            on_event(stored)

    return tell


def _named(row: Mapping[str, object], number: int) -> Mapping[str, object]:
    """The row with an id; without one of its own it is called by its number."""
    if not isinstance(row, Mapping) or any(str(key).lower().endswith("id") for key in row):
        return row
    return {"id": f"row-{number}", **row}


def _files(rows: Rows, name: str) -> list[tuple[str, bytes]]:
    if isinstance(rows, str | Path):
        path = Path(rows)
        try:
            return [(path.name, path.read_bytes())]
        except (OSError, ValueError) as error:
            cause = getattr(error, "strerror", None) or "not a path"
            raise InputError(f"The file {str(rows)!r} cannot be read ({cause}).", field="rows") from None
    listed = [rows] if isinstance(rows, Mapping) else list(rows)
    try:
        return [(name, b"\n".join(strict_json(_named(row, number)) for number, row in enumerate(listed, start=1)))]
    except TypeError as error:
        raise InputError(f"The rows hold something that JSON does not know: {error}", field="rows") from None
