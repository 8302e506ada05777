"""The embedded demo judge: answers every question that a mode asks, in the reply format that every judge is asked for."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from judge_core.providers.offline import scored
from judge_core.providers.offline.labels import retrieval, trajectory
from judge_core.providers.offline.revising import replies as revising
from judge_core.providers.offline.sheets import LABEL as LABEL
from judge_core.providers.offline.sheets import Shown
from judge_core.providers.offline.text_statistics import TextStatistics, measure
from judge_core.records.prompt import OF_PAIRS, AskMode, Completion, Prompt, Usage
from judge_core.records.record import text_hash

MODEL = "offline"
REMEMBERED = 4096
"""Texts whose statistics one judge keeps, the most recently used ones."""
LONG = 50_000
"""Characters above which texts are counted in a thread, so that the event loop goes on."""

LABELLED: Mapping[AskMode, Callable[[Shown], dict[str, Any]]] = {
    "rag_claims": retrieval.claims_reply,
    "rag_labels": retrieval.labels_reply,
    "rag_coverage": retrieval.coverage_reply,
    "agent": trajectory.labels_reply,
    "agent_patterns": trajectory.patterns_reply,
}

REVISING: Mapping[AskMode, Callable[[Shown, Sequence[TextStatistics]], str]] = {
    "refine_critic": revising.critique,
    "refine_author": revising.revision,
    "refine_synthesizer": revising.synthesis,
    "refine_judge": revising.vote,
}
"""Answered in prose."""


class OfflineJudge:
    """The embedded judge. Reads the prompt's sheet, not its prose, so no text can talk it into anything."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, TextStatistics] = OrderedDict()

    async def complete(self, prompt: Prompt) -> Completion:
        """Answers in the reply format of the prompt's mode. Raises RefusedCallError where its texts are not those of the mode."""
        shown = Shown(prompt.sheet)
        await asyncio.sleep(0)  # counting is not I/O: let others run between two prompts
        statistics = [await self._statistics(text) for text in shown.scored]
        if sum(map(len, prompt.sheet.texts)) <= LONG:
            answer = _answer(shown, statistics)
        else:
            answer = await asyncio.to_thread(_answer, shown, statistics)
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
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


def _answer(shown: Shown, statistics: Sequence[TextStatistics]) -> dict[str, Any] | str:
    revised = REVISING.get(shown.sheet.mode)
    if revised is not None:
        return revised(shown, statistics)
    labelled = LABELLED.get(shown.sheet.mode)
    if labelled is not None:
        return labelled(shown)
    texts, criteria = scored.judged_texts(shown, statistics), shown.sheet.rubric.criteria
    if shown.sheet.mode in OF_PAIRS:
        reply = scored.pairwise(texts[0], texts[1], criteria)
        return scored.with_degree(reply, criteria) if shown.sheet.mode == "pairwise_levels" else reply
    if shown.sheet.mode == "listwise":
        return scored.listwise(texts, criteria)
    return (scored.gate if shown.sheet.mode == "gate" else scored.pointwise)(texts[0], criteria)


def _tokens(characters: int) -> int:
    """A rough count: four characters a token."""
    return -(-characters // 4)
