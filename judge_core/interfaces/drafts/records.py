"""The nouns of a draft: what a person has gathered for a ranking, or for another job, that is not started yet.

A draft never holds a key, and no text: texts and uploaded bytes lie in the archive by their content hash.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from judge_core.records.artifact import Artifact, FileProblem
from judge_core.records.criteria import Rubric
from judge_core.records.record import Record
from judge_core.records.refinement.nouns import JudgeRole, Voting
from judge_core.records.spec import BAR, Evidence, Method, OnError, Price

Cell = str | float | int | bool | None
Rows = tuple[dict[str, Cell], ...]
JudgeKind = str
"""'offline', a vendor's short name, 'ollama', 'local', 'cli', 'address', or the name of an installed kind."""
Preset = Literal["quick", "standard", "top", "lists", "custom"]
Focus = Literal["all", "rank", "class"]
TopFocus = Literal["sure", "rank", "class"]
"""Only the best: asked until it is sure who they are; or a fixed price for them in order, or as a set."""
GoalKind = Literal["none", "order", "top", "cut", "ratings"]
"""What a run is to settle: nothing, the whole order, the best K, lines after ranks, or lines at ratings."""
Orders = Literal["once", "check", "both"]
"""How each pair is shown: once, once and a sample in both orders, or always in both."""


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
    """How much is compared and how, and the limits. Each preset, and each method, looks at its own fields."""

    preset: Preset = "standard"
    top_focus: TopFocus = "sure"
    top_k: int = Field(default=5, gt=0)
    method: Method = "swiss"
    rounds: int = Field(default=10, gt=0)
    lists: int = Field(default=8, gt=0)
    """Rounds of lists."""
    most_rounds: int = Field(default=30, gt=0)
    """Rounds at most, where a goal ends the run."""
    focus: Focus = "all"
    k: int = Field(default=5, gt=0)
    goal: GoalKind = "none"
    goal_k: int = Field(default=5, gt=0)
    goal_ranks: str = ""
    """Lines after ranks, as typed."""
    goal_ratings: str = ""
    """Lines at ratings, as typed."""
    certainty: int = Field(default=90, gt=50, lt=100)
    """In percent."""
    group_size: int = Field(default=8, ge=3, le=10)
    reversed_percent: int = Field(default=10, ge=0, le=100)
    """The share of lists that are shown in reverse as well."""
    scores_first: bool = False
    rematches: bool = False
    third_place: bool = True
    evidence: Evidence = "winner"
    judges_per_match: int | None = Field(default=None, gt=0)
    seed: int = 0
    prior_column: str | None = None
    anchor_column: str | None = None
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


class SeatDraft(Record):
    """One who ranks in a tournament: in which role, and with how much say beside the judge's own weight."""

    role: JudgeRole = "judge"
    weight: float = Field(default=1.0, gt=0)


class Improvement(Record):
    """How a text is to be improved. Judges are named by their keys; '' is the first of them."""

    preset: Literal["quick", "standard", "thorough", "custom"] = "standard"
    judges: int = Field(default=3, ge=1, le=25)
    """Seats that rank; this and the next two count under `custom` alone."""
    k: int = Field(default=2, ge=1, le=20)
    max_rounds: int = Field(default=10, ge=1, le=100)
    critic: str = ""
    author: str = ""
    synthesizer: str = ""
    rankers: tuple[str, ...] = ()
    """Those who take the seats in turn; none: all."""
    seats: tuple[SeatDraft, ...] = ()
    """What was chosen for the first seats; the others are plain."""
    voting: Voting = "borda"
    veto_threshold: int = Field(default=1, ge=1)
    longest: float | None = Field(default=None, ge=1)
    score_window: int | None = Field(default=None, ge=2, le=100)
    winner_window: int | None = Field(default=None, ge=2, le=100)


class JobInputs(Record):
    """What other jobs take beside uploaded texts, rubric and judges. Each job looks at its own fields."""

    a: Words = Words()
    b: Words = Words()
    one: Words = Words()
    """The one text to be scored, or improved."""
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
    improvement: Improvement = Improvement()
    """How the one text is to be improved."""


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
    order_check: bool = True
    """One pair in ten is asked in both orders. Counts only where not all are."""
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
    def orders(self) -> Orders:
        """How each pair is shown."""
        return "both" if self.both_orders else "check" if self.order_check else "once"

    def with_orders(self, orders: Orders) -> Draft:
        """The draft with its pairs shown otherwise."""
        return self.model_copy(update={"both_orders": orders == "both", "order_check": orders == "check"})

    @property
    def inputs(self) -> JobInputs:
        """The inputs of other jobs; empty ones before anything was entered."""
        return self.job or JobInputs()

    def with_inputs(self, **changes: object) -> Draft:
        """The draft with inputs of other jobs changed; ValidationError where a value cannot be."""
        return self.model_copy(update={"job": JobInputs.model_validate({**dict(self.inputs), **changes})})

    def with_improvement(self, **changes: object) -> Draft:
        """The draft with its way of improving a text changed; ValidationError where a value cannot be."""
        return self.with_inputs(improvement=Improvement.model_validate({**dict(self.inputs.improvement), **changes}))
