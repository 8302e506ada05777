"""The embedded demo judge's answers, in the reply format that every judge is asked for."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from judge_core.providers.offline.grades import counted, reason, score
from judge_core.providers.offline.text_statistics import TextStatistics, measure
from judge_core.records.criteria import Criterion
from judge_core.records.errors import RefusedCallError
from judge_core.records.prompt import Completion, Prompt, Sheet, Usage
from judge_core.records.record import text_hash

MODEL = "offline"
LABEL = "Offline demo judge, not an LLM."
VERDICTS = {
    "A": "Over all criteria the text statistics of A stand higher.",
    "B": "Over all criteria the text statistics of B stand higher.",
    "tie": "Over all criteria the text statistics of both stand level.",
}
TIE_MARGIN = 1e-9
"""Mean leads (as a share of the scale) up to which two texts are a tie."""
REMEMBERED = 4096
"""Texts whose statistics one judge keeps, the most recently used ones."""
LONG = 50_000
"""Characters above which a text is counted in a thread, so that the event loop goes on."""


class OfflineJudge:
    """The embedded judge. Reads the prompt's sheet, not its prose, so no text can talk it into anything."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, TextStatistics] = OrderedDict()

    async def complete(self, prompt: Prompt) -> Completion:
        """Answers in the reply format of the prompt's mode. Raises RefusedCallError on a wrong number of texts."""
        wanted = 2 if prompt.sheet.mode == "pairwise" else 1
        if len(prompt.sheet.texts) != wanted:
            raise RefusedCallError(
                f"A {prompt.sheet.mode} prompt needs {wanted} text(s); this one has {len(prompt.sheet.texts)}."
            )
        await asyncio.sleep(0)  # counting is not I/O: let others run between two prompts
        texts = [await self._statistics(text) for text in prompt.sheet.texts]
        answer = _pairwise(prompt.sheet, texts) if wanted == 2 else _pointwise(prompt.sheet, texts[0])
        text = json.dumps(answer, ensure_ascii=False)
        asked = sum(len(message.content) for message in prompt.messages)
        usage = Usage(prompt_tokens=_tokens(asked), completion_tokens=_tokens(len(text)))
        return Completion(text=text, finish_reason="stop", usage=usage, model=MODEL, temperature_sent=0.0)

    async def aclose(self) -> None:
        """Forgets all texts."""
        self._known.clear()

    async def _statistics(self, text: str) -> TextStatistics:
        key = text_hash(text)
        found = self._known.get(key)
        if found is None:
            found = measure(text) if len(text) <= LONG else await asyncio.to_thread(measure, text)
        self._known[key] = found
        self._known.move_to_end(key)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found


def _tokens(characters: int) -> int:
    """A rough count: four characters a token."""
    return -(-characters // 4)


def _pointwise(sheet: Sheet, text: TextStatistics) -> dict[str, Any]:
    criteria = [
        {"name": c.name, "score": score(text, c), "reasoning": f"Found {reason(text, c)}. {LABEL}"}
        for c in sheet.rubric.criteria
    ]
    return {"criteria": criteria, "reasoning": f"Text statistics only: {counted(text.words, 'word')}. {LABEL}"}


def _pairwise(sheet: Sheet, texts: Sequence[TextStatistics]) -> dict[str, Any]:
    a, b = texts
    criteria = [
        {
            "name": c.name,
            "score_a": score(a, c),
            "score_b": score(b, c),
            "reasoning": f"A: {reason(a, c)}. B: {reason(b, c)}. {LABEL}",
        }
        for c in sheet.rubric.criteria
    ]
    quotes = [{"side": side, "text": text.quote} for side, text in (("A", a), ("B", b)) if text.quote]
    winner = _winner(criteria, sheet.rubric.criteria)
    if winner is None:  # which criterion counts more is not shown to a judge, so it cannot say who wins
        return {
            "criteria": criteria,
            "quotes": quotes,
            "reasoning": f"The statistics favour A on some criteria and B on others. {LABEL}",
        }
    return {"criteria": criteria, "quotes": quotes, "winner": winner, "reasoning": f"{VERDICTS[winner]} {LABEL}"}


def _winner(rows: Sequence[Mapping[str, Any]], criteria: Sequence[Criterion]) -> str | None:
    """The text that no criterion puts behind; None where the criteria disagree."""
    leads = [
        (row["score_a"] - row["score_b"]) / (c.scale_max - c.scale_min) for row, c in zip(rows, criteria, strict=True)
    ]
    if all(abs(lead) <= TIE_MARGIN for lead in leads):
        return "tie"
    if min(leads) >= -TIE_MARGIN:
        return "A"
    return "B" if max(leads) <= TIE_MARGIN else None
