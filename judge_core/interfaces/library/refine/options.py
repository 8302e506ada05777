"""What a person can choose about a refinement tournament, and the spec that it makes."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

from judge_core.interfaces.bench.refinement import first_version, for_writing, new_refine_spec
from judge_core.interfaces.library.options import RunOptions, checked, judges_of, shared_fields
from judge_core.interfaces.library.texts import read_texts
from judge_core.interfaces.workbench import Workbench, text_refs
from judge_core.providers.prices import text_tokens
from judge_core.records.artifact import Artifact, Reading
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.refinement.nouns import JudgeRole
from judge_core.records.spec import JudgeSpec, RefineSpec, TextRef

DEFAULT_TASK = "Improve this text."
LONGEST_HEADING = 300
Named = str | JudgeSpec


class Preset(NamedTuple):
    """How thorough a tournament is."""

    judges: int
    k: int
    max_rounds: int


PRESETS: Mapping[str, Preset] = {
    "quick": Preset(1, 1, 3), "standard": Preset(3, 2, 10), "thorough": Preset(5, 2, 15),
}  # fmt: skip
VETO_ROLES = ("critic", "reviewer", "test_engineer", "domain_expert", "explorer")
"""Who sits where versions can be vetoed and nobody said who: each looks for another reason to refuse."""


@dataclass(frozen=True, kw_only=True)
class RefineOptions(RunOptions):
    """The choices of a refinement tournament. None leaves a choice to the preset; `judges` are those who rank."""

    preset: str = "standard"
    num_judges: int | None = None
    """Seats of the panel; the judges named take them in turn. Several judges without a number have a seat each."""
    roles: Sequence[str] = ()
    """A seat each: `reviewer`, or `minimality:0.5` with its weight. Their number goes before all other numbers. With vetoes,
    and neither a number nor several judges given, five special roles sit."""
    critic: Named | None = None
    """Who finds the problems; None: the first judge. So for the next two."""
    author: Named | None = None
    synthesizer: Named | None = None
    critic_temperature: float | None = None
    """None: that of all."""
    author_temperature: float | None = None
    synthesizer_temperature: float | None = None
    k: int | None = None
    """Wins in a row by which the incumbent has converged."""
    max_rounds: int | None = None
    score_window: int | None = None
    """Passes over which points may hardly move; None: that ends no tournament. So for `winner_window`."""
    winner_window: int | None = None
    voting: str = "borda"
    veto_threshold: int = 1
    longest: float | None = None
    """A winner more than so many times as long as the incumbent gives way to the next best; None: length decides nothing."""


def refine_spec(bench: Workbench, text: TextRef, rubric: Rubric, options: RefineOptions) -> RefineSpec:
    """The spec of a tournament. Raises InputError for a choice that cannot be, naming it, its value and the remedy."""
    preset = _preset(options.preset)
    judges = judges_of(bench, options)
    seats = _seats(options, preset, len(judges))
    steps = {role: _step(bench, options, role, text) for role in ("critic", "author", "synthesizer")}
    panel = list(dict.fromkeys((*(judges[seat["judge"]] for seat in seats), *steps.values())))
    stopping = {
        "k": preset.k if options.k is None else options.k,
        "max_rounds": preset.max_rounds if options.max_rounds is None else options.max_rounds,
        "score_window": options.score_window, "winner_window": options.winner_window,
    }  # fmt: skip
    given: dict[str, Any] = {
        **shared_fields(bench, options), "rubric": rubric, "text": text, "judges": tuple(panel),
        "critic": panel.index(steps["critic"]), "author_b": panel.index(steps["author"]),
        "synthesizer": panel.index(steps["synthesizer"]), "stopping": stopping, "voting": options.voting,
        "panel": tuple({**seat, "judge": panel.index(judges[seat["judge"]])} for seat in seats),
        "veto_threshold": options.veto_threshold, "longest": options.longest,
    }  # fmt: skip
    return checked(new_refine_spec, **given)


def with_task(rubric: Rubric, task: str, text: str, beside: str = "") -> Rubric:
    """The rubric with what the text is for: the task given, else what stands beside the text, else the rubric's own
    question, else the text's first main heading, else just to improve it.

    >>> with_task(Rubric(), "", "Intro\\n# A plan for trees #\\n").question
    'A plan for trees'
    """
    question = task.strip() or beside.strip() or rubric.question.strip() or _heading(text) or DEFAULT_TASK
    return rubric.model_copy(update={"question": question})


def task_beside(file: Path) -> str:
    """What `FILE.spec.md` beside a file says (`plan.md.spec.md` or `plan.spec.md`); '' where there is none."""
    for path in (file.with_name(f"{file.name}.spec.md"), file.with_suffix(".spec.md")):
        if path.is_file() and path != file:
            try:
                return path.read_text("utf-8-sig")
            except (OSError, UnicodeDecodeError):
                raise InputError(
                    f"{str(path)!r} cannot be read as UTF-8 text. Mend it, or give the task.", field="task"
                ) from None
    return ""


def one_text(text: str | Path | Artifact) -> Reading:
    """The one text to be improved, without empty lines about it. InputError where a file holds none or several."""
    reading = read_texts({"text": text} if isinstance(text, str) else [text])
    if len(reading.artifacts) != 1:
        raise InputError(f"{len(reading.artifacts)} texts were given; one at a time can be improved.", field="text")
    return reading.model_copy(update={"artifacts": (first_version(reading.artifacts[0]),)})


def text_ref(artifact: Artifact) -> TextRef:
    """The text as the tournament knows it."""
    return text_refs([artifact])[0]


def _preset(name: str) -> Preset:
    if name not in PRESETS:
        near = difflib.get_close_matches(name, PRESETS, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InputError(f"There is no preset {name!r}.{hint} Presets are: {', '.join(PRESETS)}.", field="preset")
    return PRESETS[name]


def _seats(options: RefineOptions, preset: Preset, named: int) -> list[dict[str, Any]]:
    """The panel's seats; judges take them in turn."""
    cohort = VETO_ROLES if options.voting == "veto" and options.num_judges is None and named == 1 else ()
    if options.roles or cohort:
        roles = [_role(given) for given in options.roles or cohort]
        if options.num_judges not in (None, len(roles)):
            raise InputError(
                f"{len(roles)} roles are a panel of {len(roles)}, not of {options.num_judges}. Leave the number out.",
                field="num_judges",
            )
        return [{"judge": at % named, **role} for at, role in enumerate(roles)]
    number = options.num_judges if options.num_judges is not None else named if named > 1 else preset.judges
    if number < named:
        raise InputError(
            f"{named} judges are named, and only {number} are to rank. Raise the number, or name fewer.",
            field="num_judges",
        )
    return [{"judge": at % named} for at in range(number)]


def _role(given: str) -> dict[str, Any]:
    name, colon, weight = given.partition(":")
    known = get_args(JudgeRole)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InputError(f"There is no role {name[:60]!r}.{hint} Roles are: {', '.join(known)}.", field="roles")
    try:
        found = float(weight) if colon else 1.0
    except ValueError:
        found = 0.0
    if not 0 < found < 1000:
        raise InputError(f"The weight in {given[:60]!r} is no number above 0.", field="roles")
    return {"role": name, "weight": found}


def _step(bench: Workbench, options: RefineOptions, role: str, text: TextRef) -> JudgeSpec:
    """Who answers in a role; one that writes may answer with the whole text."""
    named: Named = getattr(options, role) or options.judges[0]
    heat: float | None = getattr(options, f"{role}_temperature")
    own = options if heat is None else replace(options, temperature=heat)
    [judge] = judges_of(bench, replace(own, judges=(named,)))
    if heat is not None:
        judge = judge.model_copy(update={"temperature": heat})
    return judge if role == "critic" else for_writing(judge, text_tokens(text))


def _heading(text: str) -> str:
    """The first main heading of a text in Markdown; '' where there is none."""
    for line in text.splitlines():
        if line.startswith("# "):
            return line[2:].strip().rstrip("#").strip()[:LONGEST_HEADING]
    return ""
