"""What a person can choose about a run, in the words of the command line and the library, and the spec that it makes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from judge_core.interfaces.settings import LARGEST_CONCURRENCY
from judge_core.interfaces.workbench import Workbench, new_item_spec
from judge_core.modes.rag.form import RAG_CRITERIA
from judge_core.providers.prices import price_of
from judge_core.records.criteria import OVERALL, Rubric
from judge_core.records.errors import InputError
from judge_core.records.item import Item
from judge_core.records.spec import BAR, Caps, ItemMode, ItemSpec, JudgeSpec
from judge_core.scoring.rubric.presets import PRESETS
from judge_core.scoring.rubric.reading import RubricReading, read_rubric

CriteriaSource = Rubric | Path | str | Mapping[str, object] | Sequence[object] | None
"""A rubric, a preset's name, a file, JSON text, or the objects that it stands for; None: one criterion 'Overall'."""
TABLE_ENDINGS = (".csv", ".tsv", ".xlsx", ".docx")
HOTTEST = 2.0
Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The choices that every run has. None leaves a choice to the settings, or means that there is no limit."""

    judges: Sequence[str | JudgeSpec] = ("offline",)
    on_error: str = "skip"
    temperature: float | None = 0.0
    """None: not sent, so each judge runs at its own default."""
    max_tokens: int | None = None
    timeout_s: float | None = None
    max_cost: float | None = None
    max_calls: int | None = None
    concurrency: int | None = None
    seed: int = 0
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class ItemOptions(RunOptions):
    """The choices of a run that judges items; each mode looks at its own."""

    bar: float = BAR
    """Gate: the score on a scale of 1 to 5 from which a text passes."""
    both_orders: bool = True
    """Listwise: the list is shown in reverse as well."""
    classify_patterns: bool = False
    """Agent: the judge is asked about trajectory patterns too."""


def item_spec(
    bench: Workbench, mode: ItemMode, items: Sequence[Item], rubric: Rubric, options: ItemOptions
) -> ItemSpec:
    """The spec of a run that judges items. Raises InputError for a choice that cannot be.

    Retrieval answers are scored for relevance where the rubric is the default one.
    """
    if options.on_error == "draw":
        raise InputError("A draw on errors is for rankings. Choose skip or abort.", field="on_error")
    if mode == "rag" and rubric.criteria == (OVERALL,):
        rubric = rubric.model_copy(update={"criteria": RAG_CRITERIA})
    given: dict[str, Any] = {
        **shared_fields(bench, options), "mode": mode, "rubric": rubric, "items": tuple(items), "bar": options.bar,
        "both_orders": options.both_orders, "classify_patterns": options.classify_patterns,
    }  # fmt: skip
    return checked(new_item_spec, **given)


def shared_fields(bench: Workbench, options: RunOptions) -> dict[str, Any]:
    """The fields of a spec that every kind of run has."""
    chosen = _asked_with(options)
    return {
        "name": options.name, "judges": judges_of(bench, options), "fallbacks": bench.panel.fallbacks(**chosen),
        "on_error": options.on_error, "seed": options.seed,
        "caps": checked(Caps, max_cost=options.max_cost, max_calls=options.max_calls),
        "lookahead": 4 * concurrency_of(bench, options),
    }  # fmt: skip


def concurrency_of(bench: Workbench, options: RunOptions) -> int:
    """Calls at the same time: as chosen, else as set."""
    chosen = bench.settings.concurrency if options.concurrency is None else options.concurrency
    if not 1 <= chosen <= LARGEST_CONCURRENCY:
        raise InputError(
            f"A concurrency of {chosen} is not possible. Give 1 to {LARGEST_CONCURRENCY}.", field="concurrency"
        )
    return chosen


def judges_of(bench: Workbench, options: RunOptions) -> tuple[JudgeSpec, ...]:
    """The panel, each judge with the price of the user's table. InputError for a name that is not known."""
    chosen = _asked_with(options)
    prices = bench.prices()
    panel = []
    for judge in options.judges:
        if isinstance(judge, str):
            named = bench.panel.named(judge, **chosen)
            judge = named.model_copy(update={"price": price_of(named, prices) or named.price})
        panel.append(judge)
    return tuple(panel)


def _asked_with(options: RunOptions) -> dict[str, Any]:
    """How every judge of a run is asked: fields of `JudgeSpec`."""
    temperature = options.temperature
    if temperature is not None and not 0 <= temperature <= HOTTEST:
        raise InputError(f"A temperature of {temperature} is not possible. Give 0 to {HOTTEST:g}.", field="temperature")
    limits = {"max_tokens": options.max_tokens, "timeout_s": options.timeout_s}
    return {"temperature": temperature, **{key: value for key, value in limits.items() if value is not None}}


def checked(make: Callable[..., Made], **fields: Any) -> Made:
    """`make(**fields)`, with the first fault that pydantic finds turned into an InputError."""
    try:
        return make(**fields)
    except ValidationError as error:
        fault = error.errors()[0]
        name = ".".join(str(part) for part in fault["loc"]) or "value"
        raise InputError(f"{name}: {fault['msg']} (given: {fault['input']!r}).", field=name) from None


def read_criteria(source: CriteriaSource, question: str = "") -> RubricReading:
    """The rubric that `source` stands for; a question that is given takes the place of the rubric's own.

    Raises InputError (RubricErrors naming each faulty field) where it cannot be used.
    """
    reading = _rubric_of(source)
    if not question.strip():
        return reading
    rubric = reading.rubric.model_copy(update={"question": question.strip()})
    return reading.model_copy(update={"rubric": rubric})


def _rubric_of(source: CriteriaSource) -> RubricReading:
    if source is None or isinstance(source, Rubric):
        return RubricReading(rubric=source or Rubric())
    if isinstance(source, Path):
        return _rubric_in(source)
    if not isinstance(source, str):
        return read_rubric(dict(source) if isinstance(source, Mapping) else list(source))
    preset = PRESETS.get(source.strip().casefold())
    if preset is not None:
        return RubricReading(rubric=preset)
    return read_rubric(source) if source.lstrip().startswith(("[", "{")) else _rubric_in(Path(source))


def _rubric_in(file: Path) -> RubricReading:
    try:
        data = file.read_bytes()
    except (OSError, ValueError):
        raise _no_criteria(str(file)) from None
    if not file.name.lower().endswith(TABLE_ENDINGS):
        return read_rubric(data)
    from judge_core.intake.rubric_table import guess_columns, rubric_from_table, rubric_tables  # loads Excel and Word

    table = rubric_tables(file.name, data)[0]
    return rubric_from_table(table, guess_columns(table))


def _no_criteria(name: str) -> InputError:
    near = difflib.get_close_matches(name.casefold(), PRESETS, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return InputError(
        f"There are no criteria {name!r}: neither a file that can be read nor a preset.{hint} "
        f"Presets are: {', '.join(PRESETS)}.",
        field="criteria",
    )
