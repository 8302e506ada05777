"""What a judge said about an item, reply by reply: its own words and labels, re-made from the stored raw reply to be shown.

Everything here may hold words of a judge or of an artifact: it is for pages and files, never for an event or a log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from judge_core.modes.agent.reading import read_agent, read_patterns
from judge_core.modes.asking.forms import count_of
from judge_core.modes.listwise.form import list_labels
from judge_core.modes.listwise.reading import read_listwise
from judge_core.modes.points.pointwise import read_pointwise
from judge_core.modes.points.review import read_gate
from judge_core.modes.rag.reading import read_claims, read_labels
from judge_core.records.errors import ReplyError
from judge_core.records.item_verdict import ClaimLabel
from judge_core.records.prompt import Ask, AskMode
from judge_core.records.record import Notice, Record
from judge_core.records.spec import ItemSpec
from judge_core.records.verdict import PointReading
from judge_core.scoring.quotes import find_quote

RANKING = "Ranking, best first"


class SaidLine(Record):
    """One thing that a judge said: what it is about, what it says, and why."""

    about: str
    """A criterion's name, 'Claim 2', 'Step 3', 'Ranking', 'Overall'."""
    says: str = ""
    """The score or label, in our words."""
    why: str = ""
    """The judge's own words."""
    candidates: tuple[int, ...] = ()
    """Of a ranking: the candidates' own numbers, best first; empty where they cannot be told from those shown."""


class SaidQuote(Record):
    """A passage that the judge quotes, and whether it stands in what it was shown."""

    text: str
    found: bool | None
    """None where the words are not stored any more."""


class Said(Record):
    """One raw reply as it is shown."""

    lines: tuple[SaidLine, ...] = ()
    quotes: tuple[SaidQuote, ...] = ()
    warnings: tuple[Notice, ...] = ()
    error: str | None = None
    """Why the reply could not be read: wording of ours."""

    @property
    def text(self) -> str:
        """All lines as plain text, for a cell of a table."""
        return "\n".join(": ".join(part for part in (line.about, line.says, line.why) if part) for line in self.lines)


def said(ask: Ask, reply: str, finish_reason: str | None, spec: ItemSpec, words: Mapping[str, str]) -> Said:
    """What a reply to `ask` says. `words`: the texts by content hash that are still stored, for checking quotes. Never raises."""
    read = _READERS.get(ask.mode)
    if read is None:
        return Said(error="A reply about two texts is no reply about an item.")
    try:
        found = read(ask, reply, finish_reason, spec)
    except ReplyError as error:
        return Said(error=str(error))
    shown = [words[sha] for sha in ask.texts if sha in words]
    whole = len(shown) == len(ask.texts)
    quotes = tuple(_looked_up(quote.text, shown, whole) for quote in found.quotes)
    return found.model_copy(update={"quotes": quotes})


def _looked_up(quote: str, shown: Sequence[str], whole: bool) -> SaidQuote:
    there = any(find_quote(text, quote) for text in shown)
    return SaidQuote(text=quote, found=True if there else (False if whole else None))


def _quotes(texts: Sequence[str]) -> tuple[SaidQuote, ...]:
    return tuple(SaidQuote(text=text, found=None) for text in texts)


def _scores(reading: PointReading, stated: str | None = None) -> Said:
    reasons = {reason.name: reason.text for reason in reading.reasons}
    lines = [
        SaidLine(about=name, says=f"{score:g}", why=reasons.get(name, "")) for name, score in reading.scores.items()
    ]
    if stated is not None:
        lines.append(SaidLine(about="Verdict", says=stated))
    if reading.overall:
        lines.append(SaidLine(about="Overall", why=reading.overall))
    return Said(lines=tuple(lines), quotes=_quotes(reading.quotes), warnings=reading.warnings)


def _review(_ask: Ask, reply: str, reason: str | None, spec: ItemSpec) -> Said:
    return _scores(read_pointwise(reply, spec.rubric.criteria, reason))


def _gate(_ask: Ask, reply: str, reason: str | None, spec: ItemSpec) -> Said:
    reading = read_gate(reply, spec.rubric.criteria, reason)
    return _scores(reading.scores, reading.stated)


def _own_numbers(ask: Ask, spec: ItemSpec) -> tuple[int, ...] | None:
    """The candidates' own numbers in the order shown; None where no list of the run, or more than one, can be meant."""
    asked, parts = (
        Counter(ask.texts),
        [text for text, role in zip(ask.texts, ask.roles, strict=False) if role == "candidate"],
    )
    lists = [item for item in spec.items if Counter(part.sha256 for part in item.parts) == asked]
    found = {numbers_shown([part.sha256 for part in item.of("candidate")], parts) for item in lists}
    return found.pop() if len(found) == 1 else None


def numbers_shown(own: Sequence[str], shown: Sequence[str]) -> tuple[int, ...] | None:
    """The number, from 1, that each text shown has among its own list; of equal texts the first that is not yet taken.

    None where the two are not the same texts. A list in reverse is known as one, so that its equal texts keep their numbers.

    >>> numbers_shown(["a", "b", "c"], ["c", "a", "b"])
    (3, 1, 2)
    >>> numbers_shown(["a", "a", "b"], ["b", "a", "a"]), numbers_shown(["a", "a", "b"], ["a", "b", "a"])
    ((3, 2, 1), (1, 3, 2))
    """
    if Counter(own) != Counter(shown):
        return None
    if list(own) != list(shown) == list(reversed(own)):
        return tuple(range(len(own), 0, -1))
    free = list(enumerate(own, start=1))
    numbers = []
    for text in shown:
        taken = next(pair for pair in free if pair[1] == text)
        free.remove(taken)
        numbers.append(taken[0])
    return tuple(numbers)


def _listwise(ask: Ask, reply: str, reason: str | None, spec: ItemSpec) -> Said:
    reading = read_listwise(reply, list_labels(count_of(ask, "candidate")), reason)
    own = _own_numbers(ask, spec)
    if own is None:
        about, numbers = "Ranking, best first, by number as shown", reading.ranking
    else:
        about, numbers = RANKING, tuple(str(own[int(label) - 1]) for label in reading.ranking)
    ranked = tuple(map(int, numbers)) if own else ()
    line = SaidLine(about=about, says=", ".join(numbers), why=reading.overall, candidates=ranked)
    return Said(lines=(line,), quotes=_quotes([quote.text for quote in reading.quotes]), warnings=reading.warnings)


def _claims(_ask: Ask, reply: str, reason: str | None, _spec: ItemSpec) -> Said:
    reading = read_claims(reply, reason)
    lines = tuple(SaidLine(about=f"Claim {n}", why=claim) for n, claim in enumerate(reading.claims, start=1))
    return Said(lines=lines or (SaidLine(about="Claims", says="none"),), warnings=reading.warnings)


def _labels(ask: Ask, reply: str, reason: str | None, _spec: ItemSpec) -> Said:
    reading = read_labels(reply, count_of(ask, "claim"), count_of(ask, "passage"), reason)
    lines = [SaidLine(about=f"Claim {label.claim}", says=_label(label)) for label in reading.claims]
    lines += [
        SaidLine(about=f"Passage {number}", says="relevant" if relevant else "not relevant")
        for number, relevant in reading.relevant.items()
    ]
    return Said(lines=tuple(lines), warnings=reading.warnings)


def _label(label: ClaimLabel) -> str:
    cited = ", ".join(map(str, label.passages))
    return label.verdict.replace("_", " ") + (f" (passages {cited})" if cited else "")


def _calling(ask: Ask, spec: ItemSpec) -> frozenset[int] | None:
    """The numbers of the steps that call a tool, of the item that was shown; None where it is not of this run."""
    shown = Counter(ask.texts)
    for item in spec.items:
        if Counter(part.sha256 for part in item.parts) == shown:
            return frozenset(number for number, step in enumerate(item.of("step"), start=1) if step.call)
    return None


def _agent(ask: Ask, reply: str, reason: str | None, spec: ItemSpec) -> Said:
    reading = read_agent(reply, count_of(ask, "step"), reason, _calling(ask, spec))
    lines = [SaidLine(about="Goal", says=reading.goal.replace("_", " "))]
    for step in reading.steps:
        call = "" if step.call_correct is None else ", call " + ("correct" if step.call_correct else "wrong")
        lines.append(SaidLine(about=f"Step {step.step}", says=step.label + call))
    if reading.overall:
        lines.append(SaidLine(about="Overall", why=reading.overall))
    return Said(lines=tuple(lines), quotes=_quotes(reading.quotes), warnings=reading.warnings)


def _patterns(ask: Ask, reply: str, reason: str | None, _spec: ItemSpec) -> Said:
    reading = read_patterns(reply, count_of(ask, "step"), reason)
    lines = tuple(
        SaidLine(about=pattern.name.replace("_", " "), says="steps " + ", ".join(map(str, pattern.steps)))
        for pattern in reading.patterns
    )
    return Said(lines=lines or (SaidLine(about="Patterns", says="none"),), warnings=reading.warnings)


_READERS: dict[AskMode, Callable[[Ask, str, str | None, ItemSpec], Said]] = {
    "pointwise": _review,
    "gate": _gate,
    "listwise": _listwise,
    "rag_claims": _claims,
    "rag_labels": _labels,
    "rag_coverage": _labels,
    "agent": _agent,
    "agent_patterns": _patterns,
}
