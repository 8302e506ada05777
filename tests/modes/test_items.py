"""The mode of items as a machine: their order, retries of the silent, cancel, and the same events whatever the timing."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.engine.budget import CHARACTERS_PER_TOKEN_AT_WORST, Budget
from judge_core.modes.asking.prompts import key_material, render
from judge_core.modes.items import SCRIPTS, ItemDialogue, ItemsMode, need_of
from judge_core.providers.prices import count_tokens, text_tokens
from judge_core.records.event import Cancelled, Event, ItemJudged, ItemsStarted, RetryAsked
from judge_core.records.item import Item
from judge_core.records.item_verdict import ItemResult
from judge_core.records.prompt import Ask, Completion, Failure, Prompt, Received
from judge_core.records.record import canonical_json, text_hash
from judge_core.records.spec import ItemMode, ItemSpec
from tests.engine.item_world import CLARITY, PIECES, answer, item_of, judge, part, spec_of, words_of

MODES: tuple[ItemMode, ...] = get_args(ItemMode)
LOST = Failure(kind="transient", message="no answer")
Answer = Callable[[Ask, Prompt], str | Failure]


def good(ask: Ask, prompt: Prompt) -> str:
    return answer(prompt.messages[0].content, prompt.messages[1].content)


def played(
    dialogue: ItemDialogue, words: dict[str, str], said: Answer = good
) -> tuple[ItemResult, list[tuple[Ask, Prompt]]]:
    """A dialogue to its end, and all that was asked in it."""
    flow, turn = dialogue.open(), 0
    every: list[tuple[Ask, Prompt]] = []
    previous: dict[str, str] = {}
    asks = next(flow)
    while True:
        replies: list[Received | Failure] = []
        for ask in asks:
            before = previous.get(ask.repair.reply_sha256) if ask.repair else None
            prompt = render(ask, dialogue.spec.rubric, words, f"token{turn}", before)
            every.append((ask, prompt))
            text = said(ask, prompt)
            if isinstance(text, str):
                previous[text_hash(text)] = text
                completion = Completion(text=text)
                replies.append(
                    Received(completion=completion, reply_sha256=text_hash(text), key="k", turn=turn, cost=0)
                )
            else:
                replies.append(text)
            turn += 1
        try:
            asks = flow.send(replies)
        except StopIteration as end:
            return end.value, every


def pulled(mode: ItemsMode) -> list[ItemDialogue]:
    found = []
    while (dialogue := mode.ask()) is not None:
        found.append(dialogue)
    return found


def outcome(dialogue: ItemDialogue, silent: set[int] = frozenset()) -> ItemResult:  # type: ignore[assignment]
    """The item's result where these judges bring nothing."""
    words = words_of(dialogue.spec.mode, len(dialogue.spec.items))
    return played(dialogue, words, lambda ask, prompt: LOST if ask.judge in silent else good(ask, prompt))[0]


def test_every_mode_has_its_script() -> None:
    assert set(SCRIPTS) == set(MODES)


def test_items_are_asked_in_their_order_with_places_from_1() -> None:
    mode = ItemsMode(spec_of("gate", 4))
    assert mode.begin() == [ItemsStarted(mode="gate", items=4, judges=("j",))]
    assert [(d.place, d.item.alias, d.replicate) for d in pulled(mode)] == [(n, f"I-00{n}", 0) for n in range(1, 5)]


def test_a_retry_asks_the_silent_judges_alone_with_a_raised_replicate_before_all_that_waits() -> None:
    spec = spec_of("gate", 4, judges=(judge("a"), judge("b"), judge("c")))
    mode = ItemsMode(spec, words_of("gate", 4))
    mode.begin()
    first, second, third = mode.ask(), mode.ask(), mode.ask()
    assert first and second and third
    for dialogue, silent in ((first, {0, 2}), (second, set()), (third, {1})):
        mode.take(outcome(dialogue, silent), dialogue.place)
    mode.take(RetryAsked())
    again = pulled(mode)
    assert [(d.place, d.item.alias, d.judges, d.replicate) for d in again] == [
        (4, "I-001", (0, 2), 1), (5, "I-003", (1,), 1), (6, "I-004", None, 0),
    ]  # fmt: skip
    asks = [ask for d in again[:2] for ask in next(d.open())]
    assert [(ask.judge, ask.replicate) for ask in asks] == [(0, 1), (2, 1), (1, 1)]


def test_a_second_retry_raises_again_and_what_was_mended_is_not_asked() -> None:
    spec = spec_of("gate", 2, judges=(judge("a"), judge("b")))
    mode = ItemsMode(spec, words_of("gate", 2))
    mode.begin()
    for dialogue in pulled(mode):
        mode.take(outcome(dialogue, {0, 1}), dialogue.place)
    mode.take(RetryAsked())
    one, two = pulled(mode)
    mode.take(outcome(one), one.place)
    [event] = mode.take(outcome(two, {1}), two.place)
    assert isinstance(event, ItemJudged) and (event.place, event.replicate) == (4, 1)
    mode.take(RetryAsked())
    assert [(d.item.alias, d.judges, d.replicate) for d in pulled(mode)] == [("I-002", (1,), 2)]
    mode.take(RetryAsked())
    assert mode.ask() is None, "nothing is asked twice at the same replicate"


def test_after_a_cancel_nothing_is_asked() -> None:
    mode = ItemsMode(spec_of("gate", 3))
    mode.begin()
    assert mode.ask() is not None
    mode.take(Cancelled())
    assert mode.ask() is None
    mode.take(RetryAsked())
    assert mode.ask() is None


def story(spec: ItemSpec, rng: random.Random, retry_after: int | None) -> list[Event]:
    """The events of a run whose judges fail by the item's content alone; `rng` decides how far it looks ahead."""
    mode = ItemsMode(spec, words_of(spec.mode, len(spec.items)))
    events, line, taken = mode.begin(), list[tuple[ItemDialogue, ItemResult]](), 0
    while True:
        while len(line) < rng.randint(1, 5) and (dialogue := mode.ask()) is not None:
            silent = {
                j for j in range(len(spec.judges)) if int(dialogue.item.alias[-1]) % (j + 2) == dialogue.replicate
            }
            line.append((dialogue, outcome(dialogue, silent)))
        if not line:
            return events
        dialogue, result = line.pop(0)
        events += mode.take(result, dialogue.place)
        taken += 1
        if taken == retry_after:
            mode.take(RetryAsked())


@pytest.mark.parametrize("mode", MODES)
def test_the_events_of_a_run_do_not_depend_on_how_far_it_looks_ahead(mode: ItemMode) -> None:
    spec = spec_of(mode, 5, judges=(judge("a"), judge("b")))
    stories = [story(spec, random.Random(seed), retry_after=5) for seed in range(6)]
    assert all(each == stories[0] for each in stories)
    assert len(stories[0]) > 1 + 5


def test_a_recorded_item_is_recalled_as_it_was_taken() -> None:
    """Taking the recalled result gives the very event again, warnings included, whatever this version would warn of."""
    spec = spec_of("rag", 2)
    first, again = (ItemsMode(spec, words) for words in (words_of("rag", 2), {}))
    first.begin()
    again.begin()
    for dialogue in pulled(first):
        silent = {0} if dialogue.place == 2 else set()
        [event] = first.take(outcome(dialogue, silent), dialogue.place)
        assert isinstance(event, ItemJudged)
        replayed = again.ask()
        assert replayed and (replayed.place, replayed.item) == (dialogue.place, dialogue.item)
        assert again.take(again.recall(event), dialogue.place) == [event]
    for mode in (first, again):
        mode.take(RetryAsked())
    one, other = first.ask(), again.ask()
    assert one and other
    assert (one.item, one.judges, one.replicate) == (other.item, other.judges, other.replicate)


def test_an_item_without_a_verdict_is_unparseable_or_failed_and_never_a_score() -> None:
    spec = spec_of("review", judges=(judge("a"), judge("b"), judge("c")))
    dialogue = ItemDialogue(1, spec.items[0], spec)
    said = {0: "no", 1: LOST}
    result, _ = played(dialogue, words_of("review"), lambda ask, prompt: said.get(ask.judge) or good(ask, prompt))
    assert [j.outcome for j in result.judgments] == ["unparseable", "failed", "judged"]
    assert [j.verdict is None for j in result.judgments] == [True, True, False]


# what is reserved for an item, and what may not be shown


def awkward(mode: ItemMode, pieces: int) -> Item:
    """An item whose parts are many and short, so that what stands around them outweighs them."""
    roles = [role for role, _ in PIECES[mode]]
    many = {"listwise": "candidate", "rag": "passage", "agent": "step"}.get(mode)
    parts = [part(role, f"{role} {n}") for n, role in enumerate(roles)]
    parts += [part(many, f"p{n}") for n in range(pieces)] if many else []  # type: ignore[arg-type]
    return item_of(mode, parts=tuple(parts))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pieces", [0, 15, 17])
def test_what_is_reserved_for_an_item_is_more_than_any_of_its_prompts_takes(mode: ItemMode, pieces: int) -> None:
    """However many and short its parts are, and with the reply that a repair shows again."""
    item = awkward(mode, pieces * (1 if mode == "listwise" else 10))
    spec = spec_of(mode, items=1).model_copy(update={"items": (item,), "classify_patterns": True})
    need, budget = need_of(item, spec), Budget(spec)
    words = {text_hash(t): t for t in (f"{p.role} {n}" for n, p in enumerate(item.parts))}
    words |= {text_hash(f"p{n}"): f"p{n}" for n in range(200)}
    result, every = played(ItemDialogue(1, item, spec), words)
    assert len(every) <= need.prompts and budget.worst(need).calls == 2 * need.prompts
    frame = budget._frame + max(need.characters / CHARACTERS_PER_TOKEN_AT_WORST, 1.5 * need.words)
    for _, prompt in every:
        assert sum(count_tokens(message.content) for message in prompt.messages) <= frame
    longest = max(sum(len(m.content) for m in prompt.messages) for _, prompt in every)
    assert text_tokens(need) * 4 + 450 * 4 + 2000 >= longest, "and the check of the judge's context sees as much"


@pytest.mark.parametrize(
    ("item", "prompts"),
    [
        (item_of("rag"), 5),
        (item_of("rag", parts=tuple(p for p in item_of("rag").parts if p.role != "reference")), 3),
        (item_of("rag", parts=(*item_of("rag").parts, part("claim", "It falls."))), 4),
        (item_of("rag", parts=(*item_of("rag").parts[:4], part("claim", "It falls."))), 2),
    ],
)
def test_an_answers_reservation_covers_each_of_its_steps(item: Item, prompts: int) -> None:
    spec = spec_of("rag", judges=(judge("a"), judge("b")))
    spec = spec.model_copy(update={"items": (item,)})
    assert need_of(item, spec).prompts == prompts
    words = words_of("rag") | {text_hash("It falls."): "It falls."}
    _, every = played(ItemDialogue(1, item, spec), words)
    assert len(every) == 2 * prompts
    unread, every = played(ItemDialogue(1, item, spec), words, lambda a, p: good(a, p) if a.repair else "bad")
    assert len(every) == 4 * prompts == Budget(spec).worst(need_of(item, spec)).calls
    assert all(judgment.decided for judgment in unread.judgments)


SENTINELS = st.text(alphabet="ZQXJ", min_size=12, max_size=16)


@settings(max_examples=25, deadline=None)
@given(mode=st.sampled_from(MODES), names=st.lists(SENTINELS, min_size=14, max_size=14, unique=True))
def test_no_name_id_author_column_or_outcome_stands_in_a_prompt_or_a_cache_key(
    mode: ItemMode, names: list[str]
) -> None:
    give = iter(names)
    bare = item_of(mode)
    parts = tuple(each.model_copy(update={"name": next(give)}) for each in bare.parts)
    more: dict[str, Any] = {k: next(give) for k in ("alias", "id", "title", "author", "trial")}
    item = bare.model_copy(
        update={**more, "parts": parts, "columns": {next(give): next(give)}, "success": True, "notices": (names[-1],)}
    )
    panel = (judge("m").model_copy(update={"name": next(give)}),)
    rubric = spec_of(mode).rubric.model_copy(update={"name": names[-1]})
    spec = spec_of(mode, judges=panel, name=names[-1], rubric=rubric, classify_patterns=True)
    spec = spec.model_copy(update={"items": (item,)})
    failing = spec.model_copy(update={"items": (item.model_copy(update={"success": False}),)})
    seen: list[tuple[list[str], list[str]]] = []
    for each in (spec, failing):
        bad_once = lambda ask, prompt: good(ask, prompt) if ask.repair else "bad"  # noqa: E731
        _, every = played(ItemDialogue(1, each.items[0], each), words_of(mode), bad_once)
        keys = [canonical_json(key_material(ask, each.rubric, each.judges[0])) for ask, _ in every]
        prompts = [prompt.model_dump_json(exclude={"sheet": {"rubric": {"name"}}}) for _, prompt in every]
        seen.append((keys, prompts))
        assert not [n for n in names for text in (*keys, *prompts) if n in text]
    assert seen[0] == seen[1], "whether the run is known to have reached its goal changes nothing"


def test_criteria_are_shown_where_they_count() -> None:
    for mode in ("review", "gate", "listwise"):
        _, every = played(ItemDialogue(1, item_of(mode), spec_of(mode)), words_of(mode))
        assert all(CLARITY.criteria[0].name in prompt.messages[1].content for _, prompt in every)
