"""A warning is raised by its cause, says what a teacher understands, and changes no score, winner, rating or rank."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from judge_core.modes.pairs.cautions import (
    match_cautions,
    pair_quote_notices,
    quote_notices,
    self_preference_notice,
    verbosity_notice,
)
from judge_core.modes.pairs.match import MatchOrder, match_dialogue
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.event import MatchJudged
from judge_core.records.notices import NOTICES, explain
from judge_core.records.prompt import Ask, Completion, Failure, Received
from judge_core.records.record import Notice, text_hash
from judge_core.records.spec import JudgeSpec, Spec, TextRef
from judge_core.records.verdict import Judgment, Quote, Winner
from judge_core.views.standings import standings
from judge_core.views.state import fold
from tests.views.streams import Stream, spec, win

WORDS = {"E-001": "Trees cool towns in every summer.", "E-002": "Bees fly far."}
BY_HASH = {text_hash(words): words for words in WORDS.values()}


def ref(alias: str, **fields: Any) -> TextRef:
    words = WORDS[alias]
    known = {"id": alias, "title": alias, "sha256": text_hash(words), "words": 100, "characters": len(words)}
    return TextRef(**{"alias": alias, **known, **fields})


# what raises a warning


def test_missing_quotes_are_counted_by_text_and_nothing_is_quoted() -> None:
    quotes = [
        ("text A", WORDS["E-001"], "trees COOL towns"),
        ("text A", WORDS["E-001"], "zebras swim"),
        ("text A", WORDS["E-001"], "yaks sing"),
        ("text B", WORDS["E-002"], "bees fly"),
        ("passage 3", "", "zebras"),
    ]
    notices = quote_notices(quotes)
    assert [notice.code for notice in notices] == ["quote_not_found"] * 2
    assert [notice.message for notice in notices] == [
        "2 of 3 quotes that the judge gives from text A do not stand there word for word.",
        "1 of 1 quote that the judge gives from passage 3 does not stand there word for word.",
    ]


def test_a_quote_given_from_the_wrong_side_is_not_found_there() -> None:
    quotes = [Quote(side="B", text="trees cool towns"), Quote(side="A", text="trees cool towns")]
    (notice,) = pair_quote_notices(quotes, WORDS["E-001"], WORDS["E-002"])
    assert "1 of 1 quote" in notice.message and "text B" in notice.message


def test_quotes_from_an_erased_text_are_not_judged() -> None:
    assert pair_quote_notices([Quote(side="A", text="zebras")], None, WORDS["E-002"]) == ()


@pytest.mark.parametrize(
    ("a", "b", "winner", "warned"),
    [
        (150, 100, "A", True), (149, 100, "A", False), (100, 150, "B", True), (150, 100, "B", False),
        (150, 100, "tie", False), (60, 20, "A", False), (70, 20, "A", True), (60, 0, "A", True), (0, 0, "A", False),
        (1490, 1000, "A", False),
    ],
)  # fmt: skip
def test_a_winner_half_as_long_again_and_50_words_longer_is_pointed_out(
    a: int, b: int, winner: Winner, warned: bool
) -> None:
    notice = verbosity_notice(a, b, winner)
    assert (notice is not None) == warned
    assert notice is None or (notice.code == "verbosity" and str(max(a, b)) in notice.message)


@pytest.mark.parametrize(
    ("judge", "a", "b", "winner", "warned"),
    [
        ("gpt-4o", "gpt-4", "claude-2", "A", True), ("gpt-4o", "claude-2", "o1-mini", "B", True),
        ("gpt-4o", "gpt-4", "claude-2", "B", False), ("gpt-4o", "gpt-4", "claude-2", "tie", False),
        ("gpt-4o", "gpt-4", "gpt-3.5", "A", False), ("gpt-4o", "gpt-4", "", "A", True), ("gpt-4o", "Ann", "Bob", "A", False),
        ("offline", "gpt-4", "claude-2", "A", False), ("offline", "offline", "", "A", False), ("", "", "", "A", False),
    ],
)  # fmt: skip
def test_a_winner_of_the_judges_own_family_is_pointed_out(
    judge: str, a: str, b: str, winner: Winner, warned: bool
) -> None:
    notice = self_preference_notice(judge, a, b, winner)
    assert (notice is not None) == warned
    assert notice is None or (notice.code, "OpenAI" in notice.message) == ("self_preference", True)


def test_an_authors_name_never_stands_in_a_message() -> None:
    """A cell of the data is hostile text; the family's name is ours."""
    notice = self_preference_notice("gpt-4o", "gpt-4 ![x](http://h/p) <b>", "", "A")
    assert notice is not None and "http" not in notice.message and "<" not in notice.message


def test_a_matchs_cautions_read_lengths_and_the_column_that_names_the_author() -> None:
    a = ref("E-001", words=400, columns={"Model": "claude-3-opus"})
    b = ref("E-002", words=100, columns={"Model": "gpt-4"})
    assert [n.code for n in match_cautions(a, b, "claude-3-haiku", "A")] == ["verbosity", "self_preference"]
    assert match_cautions(a, b, "claude-3-haiku", "B") == match_cautions(a, b, "claude-3-haiku", "tie") == ()


@pytest.mark.parametrize("code", NOTICES)
def test_every_code_has_one_line_in_plain_words(code: str) -> None:
    line = explain(code)
    assert "\n" not in line and 20 < len(line) < 150 and "_" not in line
    assert not {"JSON", "null", "token budget", "schema"} & set(line.split())


# that none changes a score

Play = Mapping[str, Any]
"""What the judge is sent back: `text`, `first_text` (of a first, unreadable reply), `notices`, `finish_reason`, and fields
of the texts and the spec."""


def said(a: float = 8, b: float = 5, **more: Any) -> str:
    return json.dumps({"criteria": [{"name": "Clarity", "score_a": a, "score_b": b}], "winner": "A", **more})


def extra_row() -> str:
    rows = [{"name": "Clarity", "score_a": 8, "score_b": 5}, {"name": "Charm", "score_a": 1, "score_b": 9}]
    return json.dumps({"criteria": rows, "winner": "A"})


def call_notice(code: str) -> Play:
    return {"notices": (Notice(code=code, message=explain(code)),)}


LONG = {"a": {"words": 900}}
OWN = {"a": {"columns": {"model": "gpt-4"}}, "b": {"columns": {"model": "claude-2"}}}
CAUSES: dict[str, tuple[Play, Play]] = {
    "verdict_mismatch": ({"text": said(winner="B")}, {}),
    "score_clamped": ({"text": said(a=12)}, {"text": said(a=10)}),
    "unknown_criterion": ({"text": extra_row()}, {}),
    "repaired": ({"first_text": "I like both."}, {}),
    "json_mended": ({"text": said()[:-1] + ",}"}, {}),
    "parse_fallback": ({"text": "Score A: 8\nScore B: 5\nWinner: A"}, {}),
    "truncated": ({"text": said(reasoning="because it is")[:-2], "finish_reason": "length"}, {}),
    "order_missing": ({"spec": {"both_orders": True}, "lost": "E-002"}, {}),
    "verbosity": (LONG, {}),
    "identical_texts": ({"a": {"sha256": "0" * 64}, "b": {"sha256": "0" * 64}}, {}),
    "self_preference": (OWN, {}),
    "level_missing": ({"spec": {"evidence": "levels"}}, {"spec": {"evidence": "levels"}, "text": said(degree="clearly")}),
    "probability_missing": ({"spec": {"evidence": "probabilities"}}, {}),
    "quote_not_found": ({"text": said(quotes=[{"side": "A", "text": "zebras swim"}])}, {}),
    **{
        code: (call_notice(code), {})
        for code in (
            "reasoning_field", "provider_fallback", "context_cut", "temperature_refused", "parameter_refused",
            "system_role_refused", "usage_missing",
        )
    },
}  # fmt: skip
"""By code: a dialogue with the cause, and one without it whose readings are equal."""
OF_OTHER_MODES = {
    "ranking_completed", "list_order", "verdict_unstated", "no_passages", "no_evidence", "hedged_pass", "no_claims", "pattern", "part_missing", "unknown_passage",
}  # fmt: skip
"""Raised where items are judged one by one."""
BY_CHOICE = {"position_flip", "draw_on_error"}
"""They name a rule that decides (a flip is a tie) or a policy that a person chose; the rule decides, not the notice."""


def play(play: Play) -> Judgment:
    """The judgment of one judge, E-001 shown first."""
    a, b = (ref(alias, **play.get(side, {})) for side, alias in (("a", "E-001"), ("b", "E-002")))
    judge = JudgeSpec(name="j", provider="openai_compatible", model="gpt-4o")
    rubric = Rubric(criteria=(Criterion(name="Clarity"),))
    of = Spec(rubric=rubric, texts=(a, b), judges=(judge,), prompt_version="1", **play.get("spec", {}))
    flow = match_dialogue(a, b, MatchOrder(place=1, first="E-001"), of, BY_HASH)
    asks, turn = next(flow), 0
    while True:
        replies = [answer(play, ask, turn + at) for at, ask in enumerate(asks)]
        turn += len(asks)
        try:
            asks = flow.send(replies)
        except StopIteration as end:
            (judgment,) = end.value.judgments
            return judgment  # type: ignore[no-any-return]


def answer(play: Play, ask: Ask, turn: int) -> Received | Failure:
    if play.get("lost") and ask.texts[0] == text_hash(WORDS[play["lost"]]):
        return Failure(kind="refused", message="no")
    text = play.get("first_text") if not ask.repair else None
    text = text or play.get("text", said())
    completion = Completion(text=text, notices=play.get("notices", ()), finish_reason=play.get("finish_reason"))
    return Received(completion=completion, reply_sha256=text_hash(text), key=f"k{turn}", turn=turn, cost=0.0)


def figures(judgment: Judgment) -> dict[str, Any]:
    """All that a score, a rating or a rank is made from."""
    return judgment.model_dump(include={"outcome", "result", "scores", "totals"})


@pytest.mark.parametrize("code", CAUSES)
def test_a_warnings_cause_raises_it_and_leaves_every_score_as_it_is(code: str) -> None:
    with_cause, without = (play(one) for one in CAUSES[code])
    assert code in {notice.code for notice in with_cause.warnings}
    assert code not in {notice.code for notice in without.warnings}
    assert figures(with_cause) == figures(without)
    assert with_cause.decided


def test_every_warning_about_a_reply_or_a_call_is_tried() -> None:
    codes = list(NOTICES)
    about = set(codes[codes.index("position_flip") : codes.index("unrated")])
    assert about == CAUSES.keys() | OF_OTHER_MODES | BY_CHOICE


def test_a_run_with_every_warning_ranks_as_the_same_run_without_any() -> None:
    """On texts, judgments and turns: standings, ledger, Elo and costs are the same to the last digit."""
    every = tuple(Notice(code=code, message=explain(code)) for code in NOTICES)
    (loud, warnings), (quiet, none) = (ranked(notices) for notices in (every, ()))
    assert loud == quiet
    assert warnings == set(NOTICES) and none == set()


def ranked(notices: tuple[Notice, ...]) -> tuple[object, set[str]]:
    """All figures of a small run, and the codes of the warnings in its table."""
    texts = [ref.model_copy(update={"notices": tuple(n.code for n in notices)}) for ref in spec(4).texts]
    stream = Stream(spec(texts, rounds=2), planned=4)
    for number, pairs in enumerate(
        ((("E-001", "E-002"), ("E-003", "E-004")), (("E-001", "E-003"), ("E-002", "E-004"))), 1
    ):
        stream.round(number, *pairs)
        for at, (a, b) in enumerate(pairs):
            stream.match(a, b, win(8, 4 + at, first=a, warnings=notices), round=number)
        stream.close(number)
    state = fold(stream.spec, stream.end().events)
    table = standings(state)
    rows = [
        (r.alias, r.status, r.rank, r.tied_with, r.rating, r.low, r.high, r.elo, r.wins, r.criteria) for r in table.rows
    ]
    judged = [s.event.result for s in stream.events if isinstance(s.event, MatchJudged)]
    figures = rows, table.comparisons, table.components, dict(state.ledger), judged, state.spent
    return figures, {code for row in table.rows for code in row.warnings}
