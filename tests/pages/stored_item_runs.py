"""Runs that judge items, put into a data folder for the tests of the pages: played by judges that follow a script."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from streamlit.testing.v1 import AppTest

from judge_core.intake import read_files
from judge_core.intake.items.agent_files import read_agent_files
from judge_core.intake.items.rag_files import read_rag_files
from judge_core.interfaces.bench.items import list_item, text_items
from judge_core.interfaces.library.options import ItemOptions, item_spec
from judge_core.providers.kinds.doubles import StubJudge
from judge_core.providers.registry import register_provider
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.event import Ended
from judge_core.records.item import ReadItem
from judge_core.records.journal import Batch
from judge_core.records.prompt import Prompt
from judge_core.records.spec import ItemMode, ItemSpec
from tests.pages.stored_runs import bench, shown
from tests.views.item_streams import ItemStream

CRITERIA = (Criterion(name="Clarity"), Criterion(name="Evidence", scale_min=1, scale_max=5))
KIND, OTHER = "scripted", "second"
"""Two judges: the second is stricter, quotes what is not there, and favours what stands first."""
TEXTS = {
    "long report.txt": "The bridge was measured on three days. Every pier carries 40 tons, and the log is attached with all readings.",
    "middle note.txt": "The bridge seems fine to me. I looked at it once from the road.",
    "short.txt": "All good.",
}
ANSWERS: list[dict[str, object]] = [
    {
        "id": "bus-1", "question": "How often does bus 4 run on Sundays?",
        "answer": "On Sundays bus 4 runs every 40 minutes. The last bus leaves at noon.",
        "passages": [
            {"id": "timetable", "text": "Bus 4, Sundays: runs every 40 minutes from 7:30. The last bus leaves at 22:10, never at noon."},
            {"id": "news", "text": "Electric vehicles were bought in spring."},
        ],
    },
    {
        "id": "pool-1", "question": "What does the pool cost?", "answer": "A ticket costs 14 euros. Dogs swim free.",
        "passages": ["A family ticket costs 14 euros."], "claims": ["A ticket costs 14 euros.", "Dogs swim free."],
        "reference": "It costs 14 euros. Half price from 17:00.",
    },
    {"id": "paint-1", "question": "Where can I leave paint?", "answer": "", "passages": ["Paint is taken at Mill Lane."]},
]  # fmt: skip
RUNS: list[dict[str, object]] = [
    {
        "id": "book-hall", "goal": "Book the hall for 18:00.", "success": True, "policy": "Ask before you book.",
        "steps": [
            {"role": "assistant", "content": "I look which hours are free.",
             "tool_calls": [{"name": "list_slots", "arguments": {"day": "12"}, "result": "18:00 free"}]},
            {"role": "assistant", "content": "Shall I book 18:00?"},
            {"role": "assistant", "content": "I wait.",
             "tool_calls": [{"name": "book", "arguments": {"at": "18:00"}, "result": "V-118"}]},
        ],
    },
    {
        "id": "find-file", "goal": "Find the file.", "success": False,
        "steps": [{"role": "assistant", "content": "I search again.",
                   "tool_calls": [{"name": "search", "arguments": {"q": "x"}, "result": "Error: not there"}]}] * 4,
    },
]  # fmt: skip
Say = Callable[[Prompt], str]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _row(text: str, criterion: Criterion, strict: float) -> dict[str, Any]:
    share = min(1.0, len(_words(text)) / 16) * (1 - strict)
    score = criterion.scale_min + share * (criterion.scale_max - criterion.scale_min)
    return {"name": criterion.name, "score": round(score, 1), "reasoning": f"Counted {len(_words(text))} words."}


def _scores(prompt: Prompt, strict: float) -> str:
    text = prompt.sheet.texts[-1] if prompt.sheet.mode == "pointwise" else prompt.sheet.texts[0]
    rows = [_row(text, criterion, strict) for criterion in prompt.sheet.rubric.criteria]
    quotes = [{"text": " ".join(text.split()[:5])}, *([{"text": "words that nobody wrote"}] if strict else [])]
    passed = len(_words(text)) >= 12
    said = {"criteria": rows, "quotes": quotes, "verdict": "pass" if passed else "fail", "reasoning": "By its words."}
    return json.dumps(said)


def _ranking(prompt: Prompt, strict: float) -> str:
    shown = [t for t, role in zip(prompt.sheet.texts, prompt.sheet.roles, strict=True) if role == "candidate"]
    order = sorted(range(len(shown)), key=lambda n: -len(shown[n]))
    if strict:
        order = list(range(len(shown)))
    quotes = [{"candidate": str(order[0] + 1), "text": shown[order[0]][:20]}]
    return json.dumps({"ranking": [str(n + 1) for n in order], "quotes": quotes, "reasoning": "The fullest is best."})


def _claims(prompt: Prompt, _strict: float) -> str:
    text = prompt.sheet.texts[-1]
    claims = [part.strip() for part in re.findall(r"[^.!?]+[.!?]?", text) if part.strip()]
    return json.dumps({"claims": [{"id": str(n), "text": words} for n, words in enumerate(claims, 1)]})


def _labels(prompt: Prompt, strict: float) -> str:
    parts = list(zip(prompt.sheet.texts, prompt.sheet.roles, strict=True))
    against = "answer" if prompt.sheet.mode == "rag_coverage" else "passage"
    passages = [text for text, role in parts if role == against]
    claims = [*(text for text, role in parts if role == "claim"), *prompt.sheet.claims]
    rows = [_label(n, claim, passages, strict) for n, claim in enumerate(claims, 1)]
    relevant = [{"id": str(n), "relevant": n == 1} for n in range(1, len(passages) + 1)] if against == "passage" else []
    return json.dumps({"claims": rows, "passages": relevant})


def _label(number: int, claim: str, passages: Sequence[str], strict: float) -> dict[str, Any]:
    near = [(len(_words(claim) & _words(text)) / max(len(_words(claim)), 1), n) for n, text in enumerate(passages, 1)]
    share, place = max(near, default=(0.0, 0))
    if "noon" in claim:
        return {"id": str(number), "verdict": "contradicted", "passages": [str(place)]}
    if share >= 0.6 + strict:
        return {"id": str(number), "verdict": "supported", "passages": [str(place)]}
    return {"id": str(number), "verdict": "not_found", "passages": []}


def _agent(prompt: Prompt, strict: float) -> str:
    steps = [t for t, role in zip(prompt.sheet.texts, prompt.sheet.roles, strict=True) if role == "step"]
    bad = any("Error" in text for text in steps)
    rows = []
    for n, text in enumerate(steps, 1):
        label = "redundant" if "Error" in text and n > 1 else "harmful" if strict and n == len(steps) else "useful"
        call = "none" if "->" not in text else "correct" if label == "useful" else "wrong"
        rows.append({"step": str(n), "label": label, "call": call})
    goal = "not_achieved" if bad else "achieved"
    said = {
        "goal": goal,
        "steps": rows,
        "quotes": [{"text": "I look which hours"}],
        "reasoning": "By the tools' results.",
    }
    return json.dumps(said)


def _patterns(_prompt: Prompt, _strict: float) -> str:
    return json.dumps({"patterns": [{"name": "repetition_loop", "steps": ["1", "2"], "confidence": 0.9}]})


SAYS: dict[str, Callable[[Prompt, float], str]] = {
    "pointwise": _scores, "gate": _scores, "listwise": _ranking, "rag_claims": _claims, "rag_labels": _labels,
    "rag_coverage": _labels, "agent": _agent, "agent_patterns": _patterns,
}  # fmt: skip


def say(prompt: Prompt, strict: float = 0.0) -> str:
    """What the scripted judge says; the second one is stricter."""
    return SAYS[prompt.sheet.mode](prompt, strict)


def register(first: Callable[[Prompt], Any] = say, second: Callable[[Prompt], Any] | None = None) -> None:
    """Lets these functions speak for the two scripted judges."""
    register_provider(KIND, lambda _judge, _access: StubJudge(first))
    register_provider(OTHER, lambda _judge, _access: StubJudge(second or (lambda prompt: say(prompt, 0.3))))


def read(mode: ItemMode, texts: dict[str, str] | None = None) -> tuple[ReadItem, ...]:
    """The items of a small run of that mode."""
    if mode == "rag":
        return read_rag_files([("answers.json", json.dumps(ANSWERS).encode())]).items
    if mode == "agent":
        return read_agent_files([("runs.json", json.dumps(RUNS).encode())]).items
    files = [(name, text.encode()) for name, text in (texts or TEXTS).items()]
    artifacts = read_files(files).artifacts
    return (list_item(artifacts, "Reports"),) if mode == "listwise" else text_items(artifacts)


def spec_for(mode: ItemMode, *judges: str, items: tuple[ReadItem, ...] | None = None, **options: Any) -> ItemSpec:
    """The spec of a small run of that mode."""
    rubric = Rubric(criteria=CRITERIA) if mode != "rag" else Rubric()
    chosen = ItemOptions(judges=judges or (KIND, OTHER), name=options.pop("name", f"My {mode}"), **options)
    return item_spec(bench(), mode, bench().keep_items(items or read(mode)), rubric, chosen)


def item_run(mode: ItemMode, *judges: str, status: str = "done", **options: Any) -> str:
    """A run of that mode, played to its end by the registered judges."""
    run = bench().start(spec_for(mode, *judges, **options))
    assert bench().wait(run, 30).status == status
    return run


def stored_items(stream: ItemStream, *, name: str = "A run", words: Sequence[str] = ()) -> str:
    """A run with just these events. `words`: texts that are kept in the store."""
    own = bench()
    for text in words:
        own.archive.keep_text(text)
    run = own.journal.create(stream.spec, name=name)
    lease = own.journal.take_lease(run, "nowhere|1|test")
    own.journal.commit(lease, Batch(events=tuple(stream.events)))
    last = stream.events[-1].event
    own.journal.release(lease, last.status if isinstance(last, Ended) else "running")
    return run


def section(app: AppTest, name: str) -> AppTest:
    """The page of a run of items with that section open."""
    app.session_state["item_section"] = name
    app.run()
    assert not app.exception, app.exception
    return app


def seen(app: AppTest) -> str:
    """What stands on the page, without the marks of bold letters."""
    return shown(app).replace("**", "")


def frame(app: AppTest, column: str) -> Any:
    """The table that has this column."""
    return next(table.value for table in app.dataframe if column in table.value)


def alias_of(run: str, id: str) -> str:
    """The alias of the item of that id."""
    return next(item.alias for item in bench().journal.row(run).items.items if item.id == id)


def texts_shown(app: AppTest) -> str:
    """What stands letter by letter, without the marks of highlighted quotes."""
    return "\n".join(element.value for element in (*app.text, *app.code)).replace("\u200b", "")
