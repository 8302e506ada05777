"""The demo judge's replies about an agent's run: labels by stated rules, from what the steps show.

- a call is wrong where a result of the step's calls begins like an error or has a field that tells one; else correct;
- a step is redundant where an earlier one did the same and brought the same, or where its act failed; it is harmful where
  the failure is a missing permission: it tried what it must not; else it is useful;
- the goal is achieved where the last step speaks of it (`SPEAKS_OF` of its content words, or a word of completion), tells
  of no failure, and the last outcome known is none; not achieved where it ends in a failure and claims nothing; else partly.
Whether a step was wise, and whether what the agent says is true, is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from judge_core.providers.offline.content_words import content_words, share_in
from judge_core.providers.offline.labels.steps import Act, Identity, acts_of
from judge_core.providers.offline.sheets import LABEL, Shown
from judge_core.providers.offline.text_statistics import is_quotable

SPEAKS_OF = 0.3
"""The share of the goal's content words by which the last step speaks of it."""
LOOP, TURNS = 3, 4
"""Neighbouring steps that do the same, and those in which two acts take turns, from which a pattern is named."""
CONFIDENCE = 0.9
Reply = dict[str, Any]

_DONE = re.compile(
    r"\b(?:done|completed?|finished|fixed|booked|cancell?ed|changed|updated|created|sent|solved|resolved|confirmed|successfully)\b",
    re.IGNORECASE,
)
_GIVEN_UP = re.compile(
    r"\b(?:could not|couldn['’]t|cannot|can['’]t|unable|failed|failing|sorry|unfortunately|gave up|give up|did not work|not possible)\b",
    re.IGNORECASE,
)


def labels_reply(shown: Shown) -> Reply:
    """The labels of goal, steps and calls."""
    acts = acts_of(shown.of("step"))
    labels = _labels(acts)
    rows = [
        {"step": str(number), "label": label, "call": _call(act)}
        for number, (act, label) in enumerate(zip(acts, labels, strict=True), start=1)
    ]
    goal = _goal(acts, content_words(shown.first("goal")))
    said = (
        f"{_SAID[goal]} Steps that failed or repeat an earlier one: {labels.count('redundant')}; "
        f"steps that met a missing permission: {labels.count('harmful')}. {LABEL}"
    )
    return {"goal": goal, "steps": rows, "quotes": _quotes(acts[-1]), "reasoning": said}


def patterns_reply(shown: Shown) -> Reply:
    """The patterns that equal acts make: loops, and two acts that take turns. The other kinds are not looked for."""
    identities = [act.identity for act in acts_of(shown.of("step"))]
    found = [("repetition_loop", run) for run in _runs(identities, 1, LOOP)]
    found += [("ping_pong", run) for run in _runs(identities, 2, TURNS)]
    rows = [{"name": name, "steps": [str(place + 1) for place in run], "confidence": CONFIDENCE} for name, run in found]
    return {"patterns": rows}


_SAID = {
    "achieved": "The last step speaks of the goal or of completion, and no failure stands at the end.",
    "partly": "The end speaks neither clearly of the goal nor of giving up.",
    "not_achieved": "The run ends in a failure, or says that it could not be done.",
}


def _labels(acts: Sequence[Act]) -> list[str]:
    seen: set[Identity] = set()
    labels = []
    for act in acts:
        repeats = act.outcome in seen
        seen.add(act.outcome)
        denied = any(block.denied for block in act.failed)
        labels.append("harmful" if denied else "redundant" if act.failed or repeats else "useful")
    return labels


def _call(act: Act) -> str:
    """'none' only where nothing went to a tool or came back: a step in no known form may hold a call."""
    if any(block.failed for block in act.results):
        return "wrong"
    return "correct" if act.arrows or not any(block.head for block in act.blocks) else "none"


def _goal(acts: Sequence[Act], wanted: frozenset[str]) -> str:
    words = acts[-1].words
    known = [act for act in acts if act.known]
    fails = bool(known and known[-1].failed) or _GIVEN_UP.search(words) is not None
    speaks = _DONE.search(words) is not None or share_in(wanted, content_words(words)) >= SPEAKS_OF
    claims = speaks and _GIVEN_UP.search(words) is None
    if fails:
        return "partly" if claims else "not_achieved"
    return "achieved" if claims else "partly"


def _quotes(last: Act) -> list[dict[str, str]]:
    """The first line of the agent's last words that may be quoted."""
    lines = (line.strip() for line in last.words.split("\n"))
    return [{"text": line} for line in lines if is_quotable(line)][:1]


def _runs(identities: Sequence[Identity], period: int, fewest: int) -> Iterator[range]:
    """Stretches of neighbours, each equal to the one `period` places before and, for turns, unlike its neighbour."""
    start = 0
    for place in range(1, len(identities) + 1):
        if place < len(identities) and _goes_on(identities, start, place, period):
            continue
        if place - start >= fewest:
            yield range(start, place)
        start = max(start, place - period + 1)


def _goes_on(identities: Sequence[Identity], start: int, place: int, period: int) -> bool:
    own = identities[place]
    if not own or (period > 1 and own == identities[place - 1]):
        return False
    return place - start < period or own == identities[place - period]
