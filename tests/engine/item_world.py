"""What the tests of item runs share: items of every mode, a judge that answers every question, a world to play runs in."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from judge_core.engine.job import Parts
from judge_core.engine.writer import Writer
from judge_core.interfaces.bench.cook import PromptCook
from judge_core.interfaces.workbench import Workbench
from judge_core.modes.asking.prompts import FORMS
from judge_core.modes.items import ItemsMode
from judge_core.modes.rag.form import RAG_CRITERIA
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.item import Item, ItemPart, PartRole
from judge_core.records.prompt import AskMode, Completion, Message, Prompt, Usage
from judge_core.records.record import text_hash
from judge_core.records.spec import ItemMode, ItemSpec, JudgeSpec, Price
from tests.engine.toy import ToyWorld
from tests.judge_server import JudgeServer

CLARITY = Rubric(criteria=(Criterion(name="Clarity", scale_min=1, scale_max=5),))
LONG = "Because days grow short, the tree seals each stem, and the wind does the rest."
PIECES: dict[ItemMode, tuple[tuple[PartRole, str], ...]] = {
    "review": (("text", LONG), ("reference", "A model answer about trees.")),
    "gate": (("text", LONG),),
    "listwise": (("candidate", "Wind."), ("candidate", LONG), ("candidate", "A leaf falls.")),
    "rag": (
        ("question", "When do leaves fall?"), ("answer", "They fall in autumn. Wind helps them."),
        ("passage", "Leaves fall in autumn."), ("passage", "Sand moves."), ("reference", "In autumn."),
    ),
    "agent": (("goal", "Find the tallest tree."), ("step", "search(tree)"), ("step", "Hyperion"), ("step", "It is Hyperion.")),
}  # fmt: skip
_FENCED = re.compile(r"<<< ([A-Z ]+?)((?: \d+)?) begins \| (\w+) >>>\n(.*?)\n<<< \1\2 ends \| \3 >>>", re.DOTALL)
_NAMES = re.compile(r'"name":("(?:[^"\\<]|\\.)+")')


def part(role: PartRole, text: str, **more: Any) -> ItemPart:
    return ItemPart(role=role, sha256=text_hash(text), words=len(text.split()), characters=len(text), **more)


def item_of(mode: ItemMode, number: int = 1, **more: Any) -> Item:
    """An item of that mode; each number has other words."""
    parts = tuple(
        part(role, text if number == 1 else f"{text} ({number})", call=role == "step" and text.endswith(")"))
        for role, text in PIECES[mode]
    )
    return Item(**{"alias": f"I-{number:03d}", "id": f"{number}", "title": f"{number}", "parts": parts, **more})


def words_of(mode: ItemMode, numbers: int = 1) -> dict[str, str]:
    """The words of the items of the first numbers, by content hash."""
    texts = [t if n == 1 else f"{t} ({n})" for n in range(1, numbers + 1) for _, t in PIECES[mode]]
    return {text_hash(text): text for text in texts}


def judge(name: str = "j", **more: Any) -> JudgeSpec:
    given = {"name": name, "provider": "openai_compatible", "model": name, "max_tokens": 100, **more}
    return JudgeSpec.model_validate({"price": Price(input=1, output=1), **given})


def spec_of(mode: ItemMode, items: int = 1, **changes: Any) -> ItemSpec:
    """A run of so many items by one judge that costs a dollar for a million tokens."""
    given: dict[str, Any] = {
        "mode": mode, "items": tuple(item_of(mode, n) for n in range(1, items + 1)), "judges": (judge(),),
        "rubric": Rubric(criteria=RAG_CRITERIA) if mode == "rag" else CLARITY, "prompt_version": "2", "lookahead": 4,
    }  # fmt: skip
    return ItemSpec.model_validate({**given, **changes})


def mode_of(system: str) -> AskMode:
    """What a system message asks for."""
    return next(mode for mode, form in FORMS.items() if system.startswith(form.task))


def shown_in(prompt: str) -> dict[str, list[str]]:
    """The fenced texts of a prompt by label, numbers left out."""
    found: dict[str, list[str]] = {}
    for label, _, _, text in _FENCED.findall(prompt):
        found.setdefault(label, []).append(text)
    return found


def answer(system: str, question: str, score: float = 4, verdict: str = "pass") -> str:
    """A good reply to any question about an item."""
    mode, shown = mode_of(system), shown_in(question)
    claims, passages = len(shown.get("CLAIM", ())), len(shown.get("PASSAGE", ()))
    names = dict.fromkeys(json.loads(name) for name in _NAMES.findall(question))
    if mode in ("pointwise", "gate"):
        rows = [{"name": name, "score": score, "reasoning": f"why {name}"} for name in names]
        value: dict[str, Any] = {"criteria": rows, "quotes": [{"text": "They fall"}], "reasoning": "overall"}
        return json.dumps({**value, "verdict": verdict} if mode == "gate" else value)
    if mode == "listwise":
        candidates = shown["CANDIDATE"]
        order = sorted(range(len(candidates)), key=lambda at: (-len(candidates[at]), candidates[at]))
        return json.dumps({"ranking": [str(at + 1) for at in order], "reasoning": "by length"})
    if mode == "rag_claims":
        text = (shown.get("ANSWER") or shown["REFERENCE ANSWER"])[0]
        return json.dumps({"claims": [{"id": str(n), "text": s} for n, s in enumerate(text.split(". "), start=1)]})
    if mode in ("rag_labels", "rag_coverage"):
        labels = [{"id": str(n), "verdict": "supported", "passages": ["1"]} for n in range(1, claims + 1)]
        relevant = [{"id": str(n), "relevant": n == 1} for n in range(1, passages + 1)]
        return json.dumps({"claims": labels, "passages": relevant})
    if mode == "agent":
        calls = ["[assistant -> " in step or step.split(" (")[0].endswith(")") for step in shown["STEP"]]
        steps = [
            {"step": str(n), "label": "useful", "call": "correct" if calls_tool else "none"}
            for n, calls_tool in enumerate(calls, start=1)
        ]
        return json.dumps({"goal": "achieved", "steps": steps, "quotes": [], "reasoning": "found"})
    return json.dumps({"patterns": []})


@dataclass
class ItemJudge:
    """Answers every question; keeps what it was asked. `say` may answer otherwise, or raise; None: the good reply."""

    say: Callable[[AskMode, str], str | None] = lambda mode, prompt: None
    pause_s: float = 0.0
    asked: list[tuple[AskMode, str]] = field(default_factory=list)

    async def complete(self, prompt: Prompt) -> Completion:
        self.asked.append((prompt.sheet.mode, _without_tokens(prompt.messages)))
        await asyncio.sleep(self.pause_s)
        said = self.say(prompt.sheet.mode, prompt.messages[1].content)
        text = answer(prompt.messages[0].content, prompt.messages[1].content) if said is None else said
        return Completion(text=text, usage=Usage(prompt_tokens=400, completion_tokens=20), temperature_sent=0.0)

    async def aclose(self) -> None:
        return None


def _without_tokens(messages: tuple[Message, ...]) -> str:
    """A prompt's words; its fence token, which differs with place and turn, is left out."""
    return re.sub(r"\| \w{20} >>>", "| >>>", "\n".join(message.content for message in messages))


class ItemWorld(ToyWorld):
    """A world in which item runs are played. `judges`: other judges than `judge`, by index."""

    judges: Mapping[int, object] = {}

    def keep(self, spec: ItemSpec) -> None:
        """Stores the words of the items, as many as the spec has."""
        self.archive.keep({sha: text.encode() for sha, text in words_of(spec.mode, len(spec.items)).items()})

    def begin(self, spec: ItemSpec) -> str:
        self.keep(spec)
        return self.journal.create(spec)

    def parts(self, writer: Writer, owner: str = "host|1|x", concurrency: int = 3) -> Parts:
        parts = super().parts(writer, owner, concurrency)
        return replace(
            parts,
            mode=ItemsMode,  # type: ignore[arg-type]
            cook=PromptCook,  # type: ignore[arg-type]
            provider=lambda index, leave: self.judges.get(index, self.judge),
        )


class ItemServer(JudgeServer):
    """A judge on loopback that answers every question about an item. `say` as in `ItemJudge`."""

    def __init__(self, **more: Any):
        super().__init__(keep_bodies=True, **more)
        self.say: Callable[[AskMode, str], str | None] = lambda mode, prompt: None
        self.total = 4.0
        self.verdict = "pass"

    def answer(self, body: dict[str, Any]) -> str:
        system, question = (message["content"] for message in body["messages"][:2])
        if not any(system.startswith(form.task) for mode, form in FORMS.items() if mode != "pairwise"):
            return super().answer(body)
        said = self.say(mode_of(system), question)
        return answer(system, question, self.total, self.verdict) if said is None else said


def stored(bench: Workbench, mode: ItemMode, server: ItemServer, items: int = 1, **changes: Any) -> ItemSpec:
    """A run of items whose words are stored, by a judge on loopback."""
    bench.archive.keep({sha: text.encode() for sha, text in words_of(mode, items).items()})
    priced = judge_spec(server.url + "#m").model_copy(update={"price": Price(input=1, output=1)})
    return spec_of(mode, items, **{"judges": (priced,), **changes})
