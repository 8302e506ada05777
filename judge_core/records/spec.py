"""The spec of a run: all that decides what is asked. Two runs with equal specs and replies are equal.

A `Spec` ranks many texts by matches between them; an `ItemSpec` judges items one by one (texts, lists, answers, agent runs).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from judge_core.records.criteria import Rubric
from judge_core.records.item import Item
from judge_core.records.prompt import Usage
from judge_core.records.record import Record, canonical_json, digest
from judge_core.records.refinement.nouns import Seat, Stopping, Voting

Method = Literal["swiss", "round-robin", "knockout", "adaptive", "listwise", "pointwise"]
"""How a ranking chooses what is judged next; see `ranking/schedules/`."""
Evidence = Literal["winner", "margins", "levels", "probabilities"]
"""What of a verdict the published rating rests on: who won; by how much the judge's own scores differ; its five levels
(much better, better, tied); or the probability of its choice, from the token log-probabilities of its reply."""
CHECKED = 10
"""With an order check one pair in so many is asked in both orders."""
OnError = Literal["skip", "abort", "draw"]
Focus = Literal["all", "rank", "class"]


class Price(Record):
    """US dollars for a million tokens. A judge without one has an unknown price, never a price of 0."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


def cost_of(price: Price | None, usage: Usage) -> float | None:
    """US dollars of a call; None where the price, or a count of tokens that are not free, is unknown: never 0 for that.

    >>> cost_of(Price(input=2, output=8), Usage(prompt_tokens=1000, completion_tokens=500))
    0.006
    >>> cost_of(None, Usage(prompt_tokens=1, completion_tokens=1)) is None, cost_of(Price(input=2, output=8), Usage()) is None
    (True, True)
    """
    if price is None:
        return None
    parts = ((price.input, usage.prompt_tokens), (price.output, usage.completion_tokens))
    if any(rate > 0 and tokens is None for rate, tokens in parts):
        return None
    return sum(rate * (tokens or 0) for rate, tokens in parts) / 1_000_000


class JudgeSpec(Record):
    """One judge of the panel, with everything that can change its replies, and its price frozen at Start."""

    name: str
    """As the user names it: 'offline', 'openai:gpt-x', 'https://host/v1#model'."""
    provider: str
    """The registry's name of its kind: 'offline', 'openai_compatible', 'ollama', 'local', 'cli', or one that was registered."""
    model: str
    base_url: str = ""
    temperature: float | None = 0.0
    """None: not sent, so the model's own default, which is not 0."""
    max_tokens: int = Field(default=4096, gt=0)
    timeout_s: float = Field(default=120.0, gt=0)
    weight: float = Field(default=1.0, gt=0)
    """Its say in the panel, relative to the others'."""
    price: Price | None = None
    context_tokens: int | None = Field(default=None, gt=0)
    """The longest prompt and reply together that it takes, where known."""
    log_probabilities: bool = False
    """Whether it is asked for the probabilities of its tokens too; not every service gives them."""

    @property
    def free(self) -> bool:
        """Whether its calls cost nothing for certain."""
        return self.price is not None and self.price.input == 0 and self.price.output == 0

    def same_as(self, other: JudgeSpec) -> bool:
        """Whether both are one and the same judge: a model of one provider with the same settings, whatever its name and weight."""
        mine, yours = (
            (judge.provider, judge.model, judge.base_url, judge.temperature, judge.max_tokens)
            for judge in (self, other)
        )
        return mine == yours


def first_alike(judges: Sequence[JudgeSpec]) -> list[int]:
    """For each judge of a panel the index of the first that is the same one: its own, unless it is a copy."""
    return [next(index for index, other in enumerate(judges) if other.same_as(judge)) for judge in judges]


def distinct_judges(judges: Sequence[JudgeSpec]) -> list[str]:
    """The judges' names; where several share one, with a number behind it."""
    names = [judge.name for judge in judges]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: place + 1].count(name)})"
        for place, name in enumerate(names)
    ]


class TextRef(Record):
    """A text of the run: known by its alias in every event, by its content hash to prompts and cache."""

    alias: str
    """'E-001' ...: given in the order of content hashes, so that it tells nothing about names or upload order."""
    id: str
    title: str
    sha256: str
    words: int
    characters: int
    prior_elo: float | None = None
    anchor: float | None = None
    """A known rating on the Elo scale at which this text is held, so that batches share one scale."""
    columns: dict[str, str] = Field(default_factory=dict)
    notices: tuple[str, ...] = ()
    """Codes of the warnings found when the text was read."""


class Narrowing(Record):
    """Who goes on competing from round 3 on: everyone, the ranks about the top K (sorted), or those about the cut at K."""

    focus: Focus = "all"
    k: int | None = Field(default=None, gt=0)


class Goal(Record):
    """What a run is to settle before it stops by itself. See `ranking/goals.py` for what is measured."""

    kind: Literal["order", "top", "cut"]
    ranks: tuple[int, ...] = ()
    """`top`: the one K; `cut`: the ranks after which a line is drawn, rising; `order`: none."""
    ratings: tuple[float, ...] = ()
    """`cut`: lines by rating in place of ranks, rising; they need anchors to have a meaning beyond this run."""
    probability: float = Field(default=0.9, gt=0.5, lt=1)
    """The expected share of pairs, of the top K, or of texts that is to be right: not the chance that all of it is."""


class Caps(Record):
    """Hard limits of a run; None means no limit."""

    max_cost: float | None = Field(default=None, ge=0)
    """US dollars."""
    max_calls: int | None = Field(default=None, ge=0)


LATER: dict[str, object] = {
    "fallbacks": [], "goal": None, "group_size": 8, "reverse_share": 0.1, "warm_start": False, "order_check": False,
    "rematches": False, "third_place": True, "judges_per_match": None, "evidence": "winner", "anchor": None,
    "log_probabilities": False,
}  # fmt: skip
"""Fields that came later, with the values that say nothing: specs from before they were there keep their identity."""


def _without_unset(value: Any) -> Any:
    """The value without fields of `LATER` that are at their defaults, at every depth."""
    if isinstance(value, dict):
        return {k: _without_unset(v) for k, v in value.items() if k not in LATER or v != LATER[k]}
    return [_without_unset(v) for v in value] if isinstance(value, list) else value


class RunSpec(Record):
    """What every run has. `schema_version` rises when a stored spec must be read differently."""

    schema_version: Literal[1] = 1
    name: str = ""
    rubric: Rubric
    judges: tuple[JudgeSpec, ...] = Field(min_length=1)
    fallbacks: tuple[JudgeSpec, ...] = ()
    """Asked in this order in place of a judge that cannot answer; empty unless a person chose so."""
    on_error: OnError = "skip"
    seed: int = 0
    caps: Caps = Caps()
    lookahead: int = Field(default=32, ge=1)
    """W: how many dialogues may be open at once. Part of the spec, since the order of asking depends on it."""
    prompt_version: str
    app_version: str = ""

    @property
    def identity(self) -> str:
        """Digest of all that decides the run; the second Start of the same inputs finds the first by it."""
        whole = self.model_dump(mode="json", exclude={"name", "app_version"})
        return digest(_without_unset(whole))

    def canonical(self) -> str:
        """The stored spelling."""
        return canonical_json(self.model_dump(mode="json"))

    @property
    def judge_names(self) -> list[str]:
        """The judges' names, each another."""
        return distinct_judges(self.judges)

    @property
    def text_hashes(self) -> tuple[str, ...]:
        """Content hashes of all that may be shown to a judge, each once."""
        return ()


class Spec(RunSpec):
    """A ranking run: matches between texts, two at a time."""

    mode: Literal["rank"] = "rank"
    method: Method = "swiss"
    texts: tuple[TextRef, ...]
    rounds: int = Field(default=3, ge=1)
    narrowing: Narrowing = Narrowing()
    both_orders: bool = False
    order_check: bool = False
    """One pair in ten is asked in both orders, to see how often judges change their mind. Asking more of them in both costs
    more calls for the same order, however strongly a judge favours one side: the model takes that out."""
    goal: Goal | None = None
    """Stop as soon as this is settled; None: play the whole schedule."""
    group_size: int = Field(default=8, ge=3, le=10)
    """Listwise: texts ranked in one call."""
    reverse_share: float = Field(default=0.1, ge=0, le=1)
    """Listwise: the share of groups that are asked a second time in reversed order, to measure list position bias."""
    warm_start: bool = False
    """Each text is scored once by itself before the first pairs, which then begin among likely neighbours."""
    rematches: bool = False
    """Whether two texts may meet again, the other one shown first, once nobody new is left to meet."""
    third_place: bool = True
    """Knockout: the losers of the semi-finals meet."""
    judges_per_match: int | None = Field(default=None, ge=1)
    """Of a panel: so many judges decide each match, drawn in turn; None: all of them."""
    evidence: Evidence = "winner"
    elo_k: float = 32.0
    elo_start: float = 1500.0

    @property
    def text_hashes(self) -> tuple[str, ...]:
        """The texts' content hashes, each once."""
        return tuple(dict.fromkeys(text.sha256 for text in self.texts))

    @property
    def mean_orders(self) -> float:
        """In how many orders a pair is asked on the mean."""
        if self.both_orders:
            return 2.0
        return 1 + 1 / CHECKED if self.order_check else 1.0

    def text(self, alias: str) -> TextRef:
        """The text of that alias; KeyError where there is none."""
        return self.by_alias[alias]

    @cached_property
    def by_alias(self) -> dict[str, TextRef]:
        """The texts by alias, in the spec's order."""
        return {text.alias: text for text in self.texts}


ItemMode = Literal["review", "gate", "listwise", "rag", "agent"]
BAR = 3.5
"""The gate's pass bar on a scale of 1 to 5, unless another is chosen."""


class ItemSpec(RunSpec):
    """A run that judges items one by one; no item's verdict depends on another's."""

    mode: ItemMode
    items: tuple[Item, ...] = Field(min_length=1)
    bar: float = Field(default=BAR, ge=1, le=5)
    """Gate: the panel's score, on a scale of 1 to 5, from which an item passes."""
    both_orders: bool = True
    """Listwise: the list is shown a second time in reverse, and both rankings are merged."""
    classify_patterns: bool = False
    """Agent: a judge is asked about trajectory patterns too, beside the rules."""

    @cached_property
    def by_alias(self) -> dict[str, Item]:
        """The items by alias, in the spec's order."""
        return {item.alias: item for item in self.items}

    @property
    def text_hashes(self) -> tuple[str, ...]:
        """The content hashes of all parts of all items, each once."""
        return tuple(dict.fromkeys(part.sha256 for item in self.items for part in item.parts))


class RefineSpec(RunSpec):
    """A refinement tournament over one text. Roles and seats name their judges by index into `judges`."""

    mode: Literal["refine"] = "refine"
    text: TextRef
    critic: int = Field(default=0, ge=0)
    author_b: int = Field(default=0, ge=0)
    synthesizer: int = Field(default=0, ge=0)
    panel: tuple[Seat, ...] = Field(min_length=1)
    stopping: Stopping = Stopping()
    voting: Voting = "borda"
    veto_threshold: int = Field(default=1, ge=1)
    """Judges that must have a version last before it is out."""
    conservative: bool = True
    """Equal points keep the incumbent; if not, the challenger, the synthesis before the revision."""
    longest: float | None = Field(default=None, ge=1)
    """A winner more than so many times as long as the incumbent (in words) gives way to the next best; None: length decides
    nothing."""

    @property
    def text_hashes(self) -> tuple[str, ...]:
        """The first version's; what is written later stands in the events."""
        return (self.text.sha256,)


AnySpec = Annotated[Spec | ItemSpec | RefineSpec, Field(discriminator="mode")]
ANY_SPEC: TypeAdapter[Spec | ItemSpec | RefineSpec] = TypeAdapter(AnySpec)
