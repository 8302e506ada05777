"""What is asked of a judge, and what comes back.

An `Ask` is the recipe of a prompt: small, re-made by playing its dialogue again, never stored. A `Prompt` is the recipe cooked with
the texts and a fence token: what goes over the wire, and what the page shows as "the exact prompt".
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from judge_core.records.criteria import Rubric
from judge_core.records.errors import FailureKind
from judge_core.records.item import PartRole
from judge_core.records.record import Notice, Record

Role = Literal["system", "user", "assistant"]
AskMode = Literal[
    "pairwise", "pairwise_levels", "pointwise", "gate", "listwise", "rag_claims", "rag_labels", "rag_coverage", "agent",
    "agent_patterns", "refine_critic", "refine_author", "refine_synthesizer", "refine_judge",
]  # fmt: skip
"""What is asked: each has its own prompt, form of the answer and reading."""
OF_PAIRS: tuple[AskMode, ...] = ("pairwise", "pairwise_levels")
"""The modes that show two texts and ask which is the better one."""


class Repair(Record):
    """Asks again after a reply that could not be read: which reply (by hash), and what was wrong with it."""

    reply_sha256: str
    problem: str
    """What the judge is told. Fixed wording of ours with criterion names and limits; nothing quoted from the reply."""


class Ask(Record):
    """The recipe of one prompt: which judge, which texts in which order, and whether it is a repair."""

    judge: int = Field(ge=0)
    """Index into the spec's judges."""
    mode: AskMode = "pairwise"
    texts: tuple[str, ...]
    """Content hashes in the order shown; in a pair the first is text A."""
    roles: tuple[PartRole, ...] = ()
    """What each of `texts` is; may be left out where the mode takes one kind of text only."""
    claims: tuple[str, ...] = ()
    """Retrieval answers: the words of the claims that a judge found in an earlier step, numbered on after those in `texts`."""
    seat: str = ""
    """Refinement: the judge's role where it is a special one, which has its own wording."""
    replicate: int = 0
    """Raised to ask the same thing again on purpose (a retry, a second equal judge of the panel)."""
    repair: Repair | None = None


class Need(Record):
    """What a dialogue may need of each judge, repairs aside: so many prompts, each showing at most so much text."""

    prompts: int = Field(ge=1)
    characters: int = Field(ge=0)
    words: int = Field(ge=0)
    judges: tuple[int, ...] | None = None
    """The panel's members that are asked; None: all of them."""

    def all_prompts(self, panel: int) -> int:
        """Prompts to all judges that are asked, of a panel of so many."""
        return self.prompts * (panel if self.judges is None else len(self.judges))


class Message(Record):
    role: Role
    content: str


class Sheet(Record):
    """What the prompt is about, in parts: for embedded judges, which read no prose."""

    mode: AskMode
    rubric: Rubric
    texts: tuple[str, ...]
    """The full texts in the order shown."""
    roles: tuple[PartRole, ...] = ()
    """What each of `texts` is."""
    claims: tuple[str, ...] = ()
    """Claims found in an earlier step."""


class Prompt(Record):
    """What goes to a provider. `complete(prompt)` of every provider takes just this."""

    messages: tuple[Message, ...]
    reply_schema: dict[str, Any] | None = None
    """JSON schema of the reply, sent where the provider takes one. The prompt shows the same skeleton in words."""
    sheet: Sheet


class Usage(Record):
    """Tokens as the provider counted them; None where it did not say."""

    prompt_tokens: int | None = Field(default=None, ge=0)
    completion_tokens: int | None = Field(default=None, ge=0)


class WinnerChances(Record):
    """How probable a judge's winner was to itself: the tokens that it might have written in the winner's place.

    Of those, the ones that name a side or a tie, brought to a sum of 1. Sides are as shown to the judge.
    """

    named: Literal["A", "B", "tie"]
    """What it wrote."""
    a: float = Field(ge=0, le=1)
    b: float = Field(ge=0, le=1)
    tie: float = Field(ge=0, le=1)

    @property
    def a_better(self) -> float:
        """The probability that A is the better one, a tie counted half.

        >>> WinnerChances(named="A", a=0.5, b=0.25, tie=0.25).a_better
        0.625
        """
        return min(1.0, self.a + self.tie / 2)


class Completion(Record):
    """A raw reply, exactly as it came."""

    text: str
    finish_reason: str | None = None
    """'stop', 'length' (cut at the token limit), ... as the provider says it."""
    usage: Usage = Usage()
    model: str = ""
    """The model that the provider says answered."""
    notices: tuple[Notice, ...] = ()
    """What was unusual on the way, e.g. `temperature_refused`, `reasoning_field`."""
    seconds: float = 0.0
    asked_at: str = ""
    """UTC, ISO 8601: when the judge was really asked; a cached reply keeps the old time."""
    token: str = ""
    """The fence token of the prompt that brought this reply."""
    temperature_sent: float | None = None
    """What was really sent; None where the judge ran at its own default, so that it is not cached as temperature 0."""
    answered_by: str = ""
    """The name of the judge that answered in the place of the one that was asked; '' where that one did."""
    calls: int = 1
    """HTTP requests that it took, retries included."""
    chances: WinnerChances | None = None
    """From the token log-probabilities, where they were asked for, came, and tell; None otherwise."""


class Failure(Record):
    """A call that brought no answer after all retries. Never a score, a tie or a rank."""

    kind: FailureKind
    message: str
    status: int | None = None
    calls: int = 1
    uncertain: bool = False
    """Whether it may have been charged for all the same: a time-out, an answer broken on the way."""


class Received(Record):
    """A completion as the dialogue gets it: with its key in the journal and what it cost this run."""

    completion: Completion
    reply_sha256: str
    key: str
    """The cache key of the prompt."""
    turn: int
    cached: bool = False
    cost: float | None = None
    """US dollars for this run: 0 when cached, None when the judge's price or the usage is unknown."""
