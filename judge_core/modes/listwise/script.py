"""Listwise judging: one judge ranks the candidates of an item, shown forwards and, for fairness, in reverse.

Each ranking is turned back to the candidates' own numbers; their mean positions make the verdict, and equal means are ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from judge_core.modes.asking.dialogue import Opinion, Script, Step, unique
from judge_core.modes.listwise.form import list_labels
from judge_core.modes.listwise.reading import read_listwise
from judge_core.modes.pairs.cautions import quote_notices
from judge_core.modes.replies.ranking import ListReading
from judge_core.records.errors import InputError
from judge_core.records.item import Item, ItemPart, ReadItem
from judge_core.records.item_verdict import ListVerdict
from judge_core.records.notices import explain
from judge_core.records.prompt import Ask
from judge_core.records.record import Notice
from judge_core.records.spec import ItemSpec

FEWEST, MOST = 2, 20
"""Candidates in one list. Judges lose count in longer ones; texts beyond that are ranked by matches."""
FORWARDS, REVERSE = "list", "list in reverse"


def check_list(item: Item | ReadItem) -> None:
    """Raises InputError where an item is no list that can be judged: 2 to 20 candidates."""
    candidates = sum(part.role == "candidate" for part in item.parts)
    if FEWEST <= candidates <= MOST:
        return
    held = "1 candidate" if candidates == 1 else f"{candidates} candidates"
    remedy = "Give at least two" if candidates < FEWEST else "Split it, or rank the texts by matches instead"
    raise InputError(
        f"The list {item.id!r} has {held}; from {FEWEST} to {MOST} can be judged. {remedy}.", field="candidates"
    )


def listwise_script(
    judge: int, item: Item, spec: ItemSpec, replicate: int, texts: Mapping[str, str]
) -> Script[Opinion]:
    """One judge's ranking: one question, or two in parallel with the list in both directions.

    No verdict where no answer could be read. Raises InputError as `check_list`.
    """
    candidates = item.of("candidate")
    check_list(item)
    orders = [tuple(range(1, len(candidates) + 1))]
    if spec.both_orders:
        orders.append(orders[0][::-1])
    read = partial(_read, list_labels(len(candidates)))
    steps = [
        Step(_ask(judge, item, order, replicate), name, read)
        for name, order in zip((FORWARDS, REVERSE), orders, strict=False)
    ]
    yield steps
    readings = [(order, step.reading) for order, step in zip(orders, steps, strict=True) if step.reading]
    warnings = [notice for order, reading in readings for notice in _warnings(order, reading, candidates, texts)]
    if not readings:
        return Opinion(None)
    rankings = tuple(tuple(order[int(label) - 1] for label in reading.ranking) for order, reading in readings)
    codes = ["order_missing"] if len(readings) < len(steps) else ["list_order"] if len(set(rankings)) > 1 else []
    warnings += [Notice(code=code, message=explain(code)) for code in codes]
    return Opinion(merged(rankings), unique(warnings))


def merged(rankings: Sequence[tuple[int, ...]]) -> ListVerdict:
    """The verdict of several rankings of the same candidates (numbers from 1, best first), by mean position.

    >>> merged([(3, 1, 2), (1, 3, 2)]).positions
    (1.5, 3.0, 1.5)
    """
    count = len(rankings[0])
    positions = tuple(
        sum(ranking.index(candidate) + 1 for ranking in rankings) / len(rankings) for candidate in range(1, count + 1)
    )
    ranking = tuple(sorted(range(1, count + 1), key=lambda candidate: (positions[candidate - 1], candidate)))
    return ListVerdict(ranking=ranking, positions=positions, orders=tuple(rankings))


def _ask(judge: int, item: Item, order: Sequence[int], replicate: int) -> Ask:
    candidates = item.of("candidate")
    parts = (*item.of("question"), *(candidates[number - 1] for number in order))
    return Ask(
        judge=judge,
        mode="listwise",
        texts=tuple(part.sha256 for part in parts),
        roles=tuple(part.role for part in parts),
        replicate=replicate,
    )


def _read(labels: Sequence[str], text: str, finish_reason: str | None) -> ListReading:
    return read_listwise(text, labels, finish_reason)


def _warnings(
    order: Sequence[int], reading: ListReading, candidates: Sequence[ItemPart], texts: Mapping[str, str]
) -> Iterator[Notice]:
    """What the reading warned of, and quotes that do not stand in their candidate, which is named by its own number."""
    yield from reading.warnings
    quoted = []
    for quote in reading.quotes:
        number = order[int(quote.label) - 1]
        text = texts.get(candidates[number - 1].sha256)
        if text is not None:
            quoted.append((f"candidate {number}", text, quote.text))
    yield from quote_notices(quoted)
