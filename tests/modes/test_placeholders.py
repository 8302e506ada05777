"""A judge that echoes the form has said nothing."""

from __future__ import annotations

import json
import re

import pytest

from judge_core.modes.asking.prompts import FORMS
from judge_core.modes.pairs.pairwise import read_pairwise
from judge_core.modes.rag.reading import read_claims
from judge_core.modes.replies.rows import PLACEHOLDER
from judge_core.records.criteria import OVERALL, Rubric
from judge_core.records.errors import ReplyError
from judge_core.records.prompt import Ask, AskMode

TEXTS = re.compile(r"sentence|passage, word|claim>")
"""Placeholders for free text; all others stand for numbers and fixed words, which are read strictly."""


@pytest.mark.parametrize("mode", FORMS)
def test_every_placeholder_for_text_is_known_as_one(mode: AskMode) -> None:
    roles = {"listwise": ("candidate",) * 3, "rag_labels": ("question", "answer", "passage"), "agent": ("goal", "step")}
    if FORMS[mode].schema is None:
        pytest.skip("the answer is prose, and has no form to echo")
    ask = Ask(judge=0, mode=mode, texts=(), roles=roles.get(mode, ()), claims=("c",) if mode != "agent" else ())
    shown = [found for found in re.findall(r"<[^<>]+>", FORMS[mode].skeleton(ask, Rubric())) if TEXTS.search(found)]
    assert all(PLACEHOLDER.fullmatch(found) for found in shown)
    assert shown or mode in ("rag_labels", "rag_coverage", "agent_patterns")


def test_echoed_claims_are_no_claims() -> None:
    reply = json.dumps({"claims": [{"id": "1", "text": "<one claim>"}, {"id": "2", "text": "<the next claim>"}]})
    with pytest.raises(ReplyError):
        read_claims(reply, "stop")


def test_echoed_reasons_and_quotes_are_left_out_and_the_scores_stay() -> None:
    row = {"name": "Overall", "score_a": 7, "score_b": 5, "reasoning": "<one sentence>"}
    quotes = [{"side": "A", "text": "<a short telling passage, word for word>"}]
    reply = json.dumps({"criteria": [row], "quotes": quotes, "winner": "A", "reasoning": "<two sentences>"})
    reading = read_pairwise(reply, (OVERALL,))
    assert (reading.winner, reading.overall, reading.quotes) == ("A", "", ())
    assert all(not reason.text for reason in reading.reasons)
