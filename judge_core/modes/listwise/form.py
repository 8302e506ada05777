"""The question of this mode: candidates by number, to be ranked best first."""

from __future__ import annotations

from judge_core.modes.asking.forms import TEXT, Form, Schema, closed, count_of
from judge_core.records.criteria import Rubric
from judge_core.records.prompt import Ask

_BEST, _NEXT, _WORST = "<number of the best candidate>", "<number of the next one>", "<number of the worst one>"


def list_labels(count: int) -> tuple[str, ...]:
    """What a judge calls the candidates in its ranking: their numbers in the order shown.

    >>> list_labels(3)
    ('1', '2', '3')
    """
    return tuple(str(number) for number in range(1, count + 1))


def _skeleton(ask: Ask, _rubric: Rubric) -> str:
    count = count_of(ask, "candidate")
    places = [_BEST, *[_NEXT] * (count - 2), _WORST][:count]
    listed = ",".join(f'"{place}"' for place in places)
    quote = '{"candidate":"<its number>","text":"<a short telling passage, word for word>"}'
    return f'{{"ranking":[{listed}],"quotes":[{quote}],"reasoning":"<two sentences>"}}'


def _schema(ask: Ask, _rubric: Rubric) -> Schema:
    labels = list_labels(count_of(ask, "candidate"))
    label: Schema = {"type": "string", "enum": list(labels)}
    ranking: Schema = {"type": "array", "items": label, "minItems": len(labels), "maxItems": len(labels)}
    quotes: Schema = {"type": "array", "items": closed({"candidate": label, "text": TEXT})}
    return closed({"ranking": ranking, "quotes": quotes, "reasoning": TEXT})


LISTWISE = Form(
    mode="listwise",
    version="1",
    task="You are an impartial examiner. You rank several candidates, the best first.",
    rules=(
        "Weigh all criteria together; compare every candidate with every other before you rank.",
        "The ranking holds the number of every candidate once. There are no ties: where two are equally good, decide.",
        "The numbers of the candidates say nothing about their quality.",
    ),
    skeleton=_skeleton,
    schema=_schema,
    again="with the number of every candidate once, the best first, and a reasoning of two short sentences",
)
