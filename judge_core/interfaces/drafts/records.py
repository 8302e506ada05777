"""The nouns of a draft: what a person has gathered for a ranking, or for another job, that is not started yet.

A draft never holds a key, and no text: texts and uploaded bytes lie in the archive by their content hash.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from judge_core.records.artifact import Artifact, FileProblem
from judge_core.records.criteria import Rubric
from judge_core.records.record import Record
from judge_core.records.spec import BAR, OnError, Price

Cell = str | float | int | bool | None
Rows = tuple[dict[str, Cell], ...]
JudgeKind = str
"""'offline', a vendor's short name, 'ollama', 'local', 'cli', 'address', or the name of an installed kind."""
Preset = Literal["quick", "standard", "top", "custom"]
Focus = Literal["all", "rank", "class"]


class Upload(Record):
    """A file or a paste as it came, with what was read out of it."""

    name: str
    sha256: str
    """Of its bytes, which lie in the archive."""
    size: int
    pasted: bool = False
    columns: tuple[str, ...] = ()
    """The columns of a table; empty for any other file."""
    text_column: str | None = None
    id_column: str | None = None
    title_column: str | None = None
    artifacts: tuple[Artifact, ...] = ()
    """What was read, each without its text."""
    problems: tuple[FileProblem, ...] = ()

    @property
    def key(self) -> str:
        """Tells it from the other uploads of a draft: the same name with the same bytes is the same upload."""
        return f"{self.sha256[:16]} {self.name}"


class DraftText(Record):
    """A text as it will be judged (after masking), without its words."""

    key: str
    artifact: Artifact


class RosterFile(Record):
    """The class list or other table that is joined to the texts for the export."""

    name: str
    sha256: str


class RubricDraft(Record):
    """The rubric in use, and beside it what was typed and cannot be used yet."""

    rubric: Rubric = Rubric()
    """The last good one."""
    rows: Rows | None = None
    """The table as typed; None: as the rubric gives it."""
    json_text: str | None = None
    """The JSON as typed, where it is faulty."""
    level_rows: dict[str, Rows] = Field(default_factory=dict)
    """Levels as typed, by criterion, where they are faulty."""
    strict: bool = False
    """Refuse weights that do not add up to 100 %, instead of using them in proportion."""
    faults: tuple[str, ...] = ()
    """What is wrong with what was typed last; empty where it is in use."""
    notes: tuple[str, ...] = ()
    """What was assumed when the rubric in use was read."""


class JudgeDraft(Record):
    """A row of the panel, as far as it is filled in."""

    key: str
    kind: JudgeKind = "offline"
    model: str = ""
    base_url: str = ""
    temperature: float | None = 0.0
    max_tokens: int = Field(default=4096, gt=0)
    timeout_s: float = Field(default=120.0, gt=0)
    context_tokens: int | None = Field(default=None, gt=0)
    weight: float = Field(default=1.0, gt=0)
    keyed: bool = False
    """Whether a key was typed for it. The key itself stays in the session's memory and may be gone."""
    price_input: float | None = Field(default=None, ge=0)
    """US dollars for a million tokens, as entered here. Both prices or none: else the price table counts."""
    price_output: float | None = Field(default=None, ge=0)

    @property
    def price(self) -> Price | None:
        """The price entered here, where both halves are."""
        if self.price_input is None or self.price_output is None:
            return None
        return Price(input=self.price_input, output=self.price_output)


class Plan(Record):
    """How much is compared, and the limits."""

    preset: Preset = "standard"
    top_focus: Literal["rank", "class"] = "rank"
    top_k: int = Field(default=5, gt=0)
    rounds: int = Field(default=10, gt=0)
    focus: Focus = "all"
    k: int = Field(default=5, gt=0)
    seed: int = 0
    prior_column: str | None = None
    concurrency: int | None = Field(default=None, gt=0)
    on_error: OnError = "skip"
    max_cost: float | None = Field(default=None, ge=0)
    max_calls: int | None = Field(default=None, ge=0)


class Words(Record):
    """A text that was typed, pasted or read from a file into a box; its words lie in the archive. Empty without a hash."""

    name: str = ""
    """The file that it was read from; '' where it was typed."""
    sha256: str = ""


class ItemFile(Record):
    """A file of answers or agent runs; its bytes lie in the archive."""

    name: str
    sha256: str
    size: int


class JobInputs(Record):
    """What other jobs take beside uploaded texts, rubric and judges. Each job looks at its own fields."""

    a: Words = Words()
    b: Words = Words()
    one: Words = Words()
    """The one text to be scored."""
    reference: Words = Words()
    """A model answer to measure texts against."""
    bar: float = Field(default=BAR, ge=1, le=5)
    both_orders: bool = True
    """A short list is shown in reverse as well."""
    question: Words = Words()
    answer: Words = Words()
    passages: Words = Words()
    """A typed answer: its passages, with lines of three hyphens between them."""
    own_criteria: bool = False
    """Answers are scored on the draft's criteria instead of the usual one."""
    patterns: bool = False
    """Judges are asked about patterns of going astray as well."""
    rag_files: tuple[ItemFile, ...] = ()
    agent_files: tuple[ItemFile, ...] = ()


class Draft(Record):
    """All of it. `texts`, `reading_problems` and `names_found` follow from the uploads; see `drafts.texts`."""

    name: str = ""
    uploads: tuple[Upload, ...] = ()
    left_out: tuple[str, ...] = ()
    """Keys of texts that were read and taken out again."""
    roster: RosterFile | None = None
    mask: bool = False
    mask_names: tuple[str, ...] | None = None
    """The names to mask; None: all that were found."""
    texts: tuple[DraftText, ...] = ()
    reading_problems: tuple[FileProblem, ...] = ()
    names_found: dict[str, int] = Field(default_factory=dict)
    """Candidate names, and in how many texts each stands."""
    rubric: RubricDraft = RubricDraft()
    judges: tuple[JudgeDraft, ...] = (JudgeDraft(key="1"),)
    both_orders: bool = False
    plan: Plan = Plan()
    job: JobInputs | None = None
    """The inputs of other jobs; None: this is a ranking."""
    run: str | None = None
    """The run that was last started from it."""

    def judge(self, key: str) -> JudgeDraft:
        """The judge of that key; StopIteration where there is none."""
        return next(judge for judge in self.judges if judge.key == key)

    def with_judge(self, key: str, **changes: object) -> Draft:
        """The draft with one judge changed; ValidationError where a value cannot be."""
        judges = [
            JudgeDraft.model_validate({**dict(judge), **changes}) if judge.key == key else judge
            for judge in self.judges
        ]
        return self.model_copy(update={"judges": tuple(judges)})

    def with_plan(self, **changes: object) -> Draft:
        """The draft with its plan changed; ValidationError where a value cannot be."""
        return self.model_copy(update={"plan": Plan.model_validate({**dict(self.plan), **changes})})

    @property
    def inputs(self) -> JobInputs:
        """The inputs of other jobs; empty ones before anything was entered."""
        return self.job or JobInputs()

    def with_inputs(self, **changes: object) -> Draft:
        """The draft with inputs of other jobs changed; ValidationError where a value cannot be."""
        return self.model_copy(update={"job": JobInputs.model_validate({**dict(self.inputs), **changes})})
