"""Reading a listwise reply: all candidates, best first, by the labels that the judge was shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge_core.modes.replies.json_reading import CUT, Answer, read_answer
from judge_core.modes.replies.prose import LONGEST_PROSE, without_quotes
from judge_core.modes.replies.ranking import Labels, ListQuote, ListReading, cut_ranking, unknown_label
from judge_core.modes.replies.ranking_line import named_in, read_statement
from judge_core.modes.replies.rows import text_of
from judge_core.records.errors import ReplyError
from judge_core.records.notices import explain
from judge_core.records.record import Notice


def read_listwise(text: str, labels: Sequence[str] | None, finish_reason: str | None = None) -> ListReading:
    """The whole ranking of a raw reply; `labels` None takes those that it names.

    Prose is read only for a plain RANKING line, with notice `parse_fallback`. Raises ReplyError.
    """
    known = Labels(labels)
    answer = read_answer(text, "ranking", finish_reason)
    return _from_prose(answer, known) if answer.value is None else _from_object(answer, answer.value, known)


def _from_object(answer: Answer, value: dict[str, Any], labels: Labels) -> ListReading:
    if labels.known is None and not answer.closed:
        raise cut_ranking()
    named = _named(value["ranking"], labels)
    try:
        ranking, notices = labels.whole(named, may_complete=answer.closed)
    except ReplyError:
        if answer.cut:
            raise cut_ranking() from None
        raise
    return ListReading(
        ranking=ranking,
        overall=text_of(value.get("reasoning")),
        quotes=_quotes(value.get("quotes"), labels),
        warnings=(*answer.notices, *notices),
    )


def _named(value: Any, labels: Labels) -> list[str]:
    if isinstance(value, str):
        return named_in(value, labels)
    if not isinstance(value, list):
        raise ReplyError("no_verdict", "The field 'ranking' is not a list of labels.")
    found = [_label(item, labels) for item in value]
    if None in found:
        raise unknown_label(labels)
    return [label for label in found if label is not None]


def _label(item: Any, labels: Labels) -> str | None:
    if isinstance(item, int) and not isinstance(item, bool) and abs(item) < 10**9:
        return labels.find(str(item))
    return labels.find(item) if isinstance(item, str) else None


def _quotes(value: Any, labels: Labels) -> tuple[ListQuote, ...]:
    found = []
    for item in value if isinstance(value, list) else ():
        text = text_of(item.get("text")) if isinstance(item, dict) else ""
        label = _label(item.get("candidate"), labels) if text else None
        if label is not None:
            found.append(ListQuote(label=label, text=text))
    return tuple(found)


def _from_prose(answer: Answer, labels: Labels) -> ListReading:
    if answer.cut:
        raise ReplyError("truncated", CUT)
    if len(answer.prose) > LONGEST_PROSE:
        raise ReplyError("no_ranking", "The reply is no JSON, and too long to state a ranking plainly.")
    ranking, notices = read_statement(without_quotes(answer.prose), labels)
    fallback = Notice(code="parse_fallback", message=explain("parse_fallback"))
    return ListReading(ranking=ranking, overall=text_of(answer.prose.strip()), warnings=(fallback, *notices))
