"""How sure a report's ranking is: the remarks of the verdict, an open goal, both orders, and the weightiest warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from judge_core.records.notices import explain
from judge_core.views.exports.report.basis import dollars_words
from judge_core.views.exports.report.lines import wrapped
from judge_core.views.orders import orders_words
from judge_core.views.outlook import advice, advice_words
from judge_core.views.sentence import Verdict
from judge_core.views.standings import Standings
from judge_core.views.state import RunState

MOST_WARNINGS, MOST_NAMED = 5, 4


def certainty_lines(state: RunState, table: Standings, said: Verdict, names: Mapping[str, str]) -> Iterator[str]:
    """One point a line; nothing where there is nothing to say."""
    for words in (*said.remarks, *_open_goal(state, table), orders_words(state), *_warnings(state, names)):
        if words:
            yield from wrapped(words, "  - ", "    ")


def _open_goal(state: RunState, table: Standings) -> Iterator[str]:
    if state.goal is not None and state.reached is None and not state.running:
        for found in advice([state.goal], state, table):
            yield advice_words(state, found, dollars_words)


def _warnings(state: RunState, names: Mapping[str, str]) -> Iterator[str]:
    """What was found in texts when they were read, by name, then the most frequent warnings about judgments."""
    texts: dict[str, list[str]] = {}
    for text in state.spec.texts:
        for code in text.notices:
            texts.setdefault(code, []).append(names[text.alias])
    for code, marked in texts.items():
        more = f" and {len(marked) - MOST_NAMED} more" if len(marked) > MOST_NAMED else ""
        yield f"{', '.join(marked[:MOST_NAMED])}{more}: {explain(code)}"
    judgments = [judgment for view in state.units for judgment in view.judgments]
    found = Counter(code for judgment in judgments for code in {notice.code for notice in judgment.warnings})
    for code, number in found.most_common(MOST_WARNINGS):
        yield f"{number:,} of {len(judgments):,} judgments: {explain(code)}"
