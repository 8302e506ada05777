"""What a judge said, reply by reply, as it is shown: in every mode, and whatever the reply."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.modes.asking.prompts import FORMS, render
from judge_core.modes.items import ItemDialogue
from judge_core.modes.shown.said import Said, SaidLine, said
from judge_core.records.item import PartRole
from judge_core.records.prompt import OF_PAIRS, Ask, AskMode
from judge_core.records.record import text_hash
from judge_core.records.spec import ItemMode
from tests.engine.item_world import LONG, answer, spec_of, words_of
from tests.modes.test_items import good, played
from tests.views.item_streams import item as list_of
from tests.views.item_streams import item_spec, part

MODES: tuple[AskMode, ...] = get_args(AskMode)
RUN_OF: dict[AskMode, ItemMode] = {
    "pointwise": "review", "gate": "gate", "listwise": "listwise", "rag_claims": "rag", "rag_labels": "rag",
    "rag_coverage": "rag", "agent": "agent", "agent_patterns": "agent",
}  # fmt: skip


def asked(mode: AskMode) -> tuple[Ask, str]:
    """A question of that mode, and a good reply to it."""
    run = RUN_OF[mode]
    spec = spec_of(run, classify_patterns=True)
    _, every = played(ItemDialogue(1, spec.items[0], spec), words_of(run), good)
    ask, prompt = next(pair for pair in every if pair[0].mode == mode)
    return ask, good(ask, prompt)


def shown(mode: AskMode, reply: str, *, reason: str | None = "stop", words: dict[str, str] | None = None) -> Said:
    run = RUN_OF[mode]
    spec = spec_of(run, classify_patterns=True)
    return said(asked(mode)[0], reply, reason, spec, words_of(run) if words is None else words)


@pytest.mark.parametrize(
    ("mode", "lines"),
    [
        ("pointwise", [("Clarity", "4", "why Clarity"), ("Overall", "", "overall")]),
        ("gate", [("Clarity", "4", "why Clarity"), ("Verdict", "pass", ""), ("Overall", "", "overall")]),
        ("listwise", [("Ranking, best first", "2, 3, 1", "by length")]),
        ("rag_claims", [("Claim 1", "", "They fall in autumn"), ("Claim 2", "", "Wind helps them.")]),
        (
            "rag_labels",
            [
                ("Claim 1", "supported (passages 1)", ""), ("Claim 2", "supported (passages 1)", ""),
                ("Passage 1", "relevant", ""), ("Passage 2", "not relevant", ""),
            ],
        ),
        ("rag_coverage", [("Claim 1", "supported", "")]),
        (
            "agent",
            [
                ("Goal", "achieved", ""), ("Step 1", "useful, call correct", ""), ("Step 2", "useful", ""),
                ("Step 3", "useful", ""), ("Overall", "", "found"),
            ],
        ),
        ("agent_patterns", [("Patterns", "none", "")]),
    ],
)  # fmt: skip
def test_a_reply_of_each_mode_is_shown_with_what_it_says(mode: AskMode, lines: list[tuple[str, str, str]]) -> None:
    found = shown(mode, asked(mode)[1])
    assert found.error is None
    assert [(line.about, line.says, line.why) for line in found.lines] == lines


def listed(own: str, shown_as: str, ranking: str, *more: str) -> SaidLine:
    """The line of a reply that ranks a list, with each text a letter. `more`: other lists of the run."""
    lists = [
        list_of(at, [part("candidate", n).model_copy(update={"sha256": letter}) for n, letter in enumerate(letters)])
        for at, letters in enumerate((own, *more), start=1)
    ]
    ask = Ask(judge=0, mode="listwise", texts=tuple(shown_as), roles=("candidate",) * len(shown_as))
    [line] = said(ask, json.dumps({"ranking": list(ranking)}), "stop", item_spec("listwise", lists), {}).lines
    return line


def test_both_orders_name_the_candidates_by_their_own_numbers() -> None:
    """The same opinion reads the same, whichever way the list was shown."""
    forwards, reverse = listed("abcdef", "abcdef", "245136"), listed("abcdef", "fedcba", "532641")
    assert forwards.says == reverse.says == "2, 4, 5, 1, 3, 6"
    assert (forwards.about, reverse.candidates) == ("Ranking, best first", (2, 4, 5, 1, 3, 6))


@pytest.mark.parametrize(("own", "shown_as"), [("aab", "baa"), ("aba", "aba"), ("aab", "aba"), ("aaa", "aaa")])
def test_equal_texts_of_a_list_keep_numbers_of_their_own(own: str, shown_as: str) -> None:
    line = listed(own, shown_as, "123")
    assert sorted(line.candidates) == [1, 2, 3]
    assert [own[number - 1] for number in line.candidates] == list(shown_as)


@pytest.mark.parametrize("more", [["cba"], ["bca", "cab"]])
def test_where_two_lists_can_be_meant_numbers_are_those_shown(more: list[str]) -> None:
    line = listed("abc", "cba", "312", *more)
    assert (line.about, line.says, line.candidates) == ("Ranking, best first, by number as shown", "3, 1, 2", ())


def test_a_list_that_is_not_of_the_run_keeps_the_numbers_shown() -> None:
    assert listed("abc", "xyz", "231").candidates == ()


def test_patterns_are_named_with_their_steps() -> None:
    reply = json.dumps({"patterns": [{"name": "ping_pong", "steps": ["1", "3"], "confidence": 0.9}]})
    assert shown("agent_patterns", reply).text == "ping pong: steps 1, 3"


def test_an_empty_list_of_claims_is_shown_as_none() -> None:
    assert shown("rag_claims", '{"claims": []}').text == "Claims: none"


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode in RUN_OF])
@pytest.mark.parametrize("reply", ["", "I cannot say.", "{", '{"x": 1}', "null", '{"criteria": [], "claims": 1}'])
def test_an_unreadable_reply_is_shown_with_the_reason_and_nothing_else(mode: AskMode, reply: str) -> None:
    found = shown(mode, reply)
    assert found.error and not found.lines and not found.quotes


def test_what_the_run_refused_is_not_shown_as_read() -> None:
    """A label of a call that is missing, an unclear verdict at a gate, a list cut at the limit."""
    agent = json.loads(asked("agent")[1])
    agent["steps"][0]["call"] = "none"
    assert shown("agent", json.dumps(agent)).error
    assert shown("gate", json.dumps(json.loads(asked("gate")[1]) | {"verdict": "good"})).error
    assert shown("agent_patterns", '{"patterns": []}', reason="length").error


@pytest.mark.parametrize(
    ("quote", "words", "found"),
    [
        ("the tree seals each stem", None, True),
        ("A model answer about trees.", None, True),
        ("the tree sells each stem", None, False),
        ("the tree seals each stem", {text_hash(LONG): LONG}, True),
        ("A model answer about trees.", {text_hash(LONG): LONG}, None),
        ("anything", {}, None),
    ],
)
def test_a_quote_says_whether_it_stands_in_what_was_shown(
    quote: str, words: dict[str, str] | None, found: bool
) -> None:
    """None where that cannot be told any more, since words were erased."""
    reply = json.loads(asked("pointwise")[1]) | {"quotes": [{"text": quote}]}
    [shown_quote] = shown("pointwise", json.dumps(reply), words=words).quotes
    assert (shown_quote.text, shown_quote.found) == (quote, found)


def test_quotes_of_lists_and_runs_are_looked_up_too() -> None:
    listed = json.loads(asked("listwise")[1]) | {"quotes": [{"candidate": "1", "text": "Wind."}]}
    run = json.loads(asked("agent")[1]) | {"quotes": [{"text": "It is Everest."}]}
    assert [q.found for q in shown("listwise", json.dumps(listed)).quotes] == [True]
    assert [q.found for q in shown("agent", json.dumps(run)).quotes] == [False]


def test_a_reply_about_a_pair_is_no_reply_about_an_item() -> None:
    ask = Ask(judge=0, texts=("a", "b"))
    assert said(ask, "{}", None, spec_of("review"), {}).error


def test_a_lines_text_leaves_out_what_is_empty() -> None:
    lines = (SaidLine(about="Clarity", says="4", why="plain"), SaidLine(about="Overall", why="good"))
    assert Said(lines=lines).text == "Clarity: 4: plain\nOverall: good"


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8) | st.integers(-3, 300),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["criteria", "claims", "passages", "steps", "step", "id", "text", "verdict", "ranking", "goal", "label", "call",
         "patterns", "name", "confidence", "quotes", "score", "relevant", "reasoning", "candidate"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    mode=st.sampled_from(MODES),
    reply=st.text(max_size=80) | JSON.map(json.dumps),
    reason=st.sampled_from([None, "stop", "length"]),
    roles=st.lists(st.sampled_from(get_args(PartRole)), max_size=5),
)
def test_no_reply_to_any_question_breaks_the_showing(
    mode: AskMode, reply: str, reason: str | None, roles: list[PartRole]
) -> None:
    ask = Ask(judge=0, mode=mode, texts=tuple(f"{n}" for n, _ in enumerate(roles)), roles=tuple(roles), claims=("c",))
    found = said(ask, reply, reason, spec_of("agent"), {"0": "words"})
    assert found.error is None or not (found.lines or found.quotes or found.warnings)


@settings(max_examples=60, deadline=None)
@given(mode=st.sampled_from([mode for mode in MODES if mode in RUN_OF]), at=st.integers(0, 400), cut=st.booleans())
def test_a_good_reply_cut_anywhere_is_shown_or_refused(mode: AskMode, at: int, cut: bool) -> None:
    whole = asked(mode)[1]
    part = whole[: min(at, len(whole))]
    assert isinstance(shown(mode, part, reason="length" if cut else "stop"), Said)


def test_every_form_has_a_reader_or_is_about_a_pair_or_answered_in_prose() -> None:
    prose = {mode for mode, form in FORMS.items() if form.schema is None}
    assert set(RUN_OF) | set(OF_PAIRS) | prose == set(FORMS)
    ask = asked("gate")[0]
    prompt = render(ask, spec_of("gate").rubric, words_of("gate"), "t")
    assert json.loads(answer(prompt.messages[0].content, prompt.messages[1].content))["verdict"] == "pass"
