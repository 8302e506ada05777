"""How probable a winner was to its judge: what real servers' tokens say, and that nothing hostile is believed."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterator
from typing import Any

import ollama
import openai
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_core.providers.protocol import Access
from judge_core.providers.registry import gives_log_probabilities, judge_spec, open_provider
from judge_core.providers.wire.chances import winner_chances
from judge_core.records.errors import JudgeUnusableError
from judge_core.records.prompt import Completion, Prompt, WinnerChances
from judge_core.records.spec import JudgeSpec
from tests.judge_server import JudgeServer
from tests.providers.scripted_server import GOOD, ScriptedServer, a_prompt, ask, good, judge_at
from tests.providers.test_official_clients import MESSAGES, PROMPT
from tests.real_model import real_model

ASKED = {"logprobs": True, "top_logprobs": 5}


def entry(token: str, logprob: Any = -0.001, **others: Any) -> dict[str, Any]:
    """A token with those that might have stood there; blanks in names are written as '_'."""
    listed = [{"token": name.replace("_", " "), "logprob": value} for name, value in others.items()]
    return {"token": token, "logprob": logprob, "top_logprobs": listed}


def tokens(*parts: Any) -> list[Any]:
    return [part if isinstance(part, dict) else entry(part) for part in parts]


def rounded(chances: WinnerChances | None) -> tuple[Any, ...] | None:
    if chances is None:
        return None
    return chances.named, round(chances.a, 2), round(chances.b, 2), round(chances.tie, 2)


LN = math.log


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (['{"winner":"', entry("A", LN(0.6), A=LN(0.6), B=LN(0.3), tie=LN(0.1)), '"}'], ("A", 0.6, 0.3, 0.1)),
        (['{"winner":"', entry("B", LN(0.6), B=LN(0.6), A=LN(0.2)), '"}'], ("B", 0.25, 0.75, 0)),
        (['{"winner":"', entry("t", LN(0.5), t=LN(0.5), A=LN(0.5), B=-9999.0), 'ie"}'], ("tie", 0.5, 0, 0.5)),
        (['{"winner":', entry('"A', LN(0.8), **{'"A': LN(0.8), '"B': LN(0.1), '_"B': LN(0.1)}), '"}'], ("A", 0.8, 0.2, 0)),
        (['{"winner"', entry(': "A"', LN(0.8), **{': "A"': LN(0.8), ': "B"': LN(0.2)}), "}"], ("A", 0.8, 0.2, 0)),
        (['{"winner":"', entry("A", LN(0.8), B=LN(0.2), All=LN(0.1), Beta=LN(0.1), A1=LN(0.1)), '"}'], ("A", 0.8, 0.2, 0)),
        (['{"winner":"', entry("A", LN(0.1), B=LN(0.3)), '"}'], ("A", 0.25, 0.75, 0)),
        (["B or A? ", '{"winner":"A"}', ' No: {"winner":"', entry("B", LN(0.5), A=LN(0.5)), '"}', ""], ("B", 0.5, 0.5, 0)),
        (['{"winner":"', entry("A", LN(0.5), B=LN(0.5)), '","reasoning":"\\"winner\\":\\"A\\""}'], ("A", 0.5, 0.5, 0)),
        (['{"rows":[{"winner":"B"}],"winner":"', entry("A", 0.0, B=LN(0.25)), '"}'], ("A", 0.8, 0.2, 0)),
        (['{"Winner" : "', entry("A", 0, B=0), '", "x": {"winner": "B"}}'], ("A", 0.5, 0.5, 0)),
    ],
)  # fmt: skip
def test_the_tokens_in_the_winners_place_are_its_chances(parts: list[Any], said: tuple[Any, ...]) -> None:
    """Whatever of the form stands in the token, whatever stands before the object or is quoted in it."""
    listed = tokens(*parts)
    assert rounded(winner_chances("".join(each["token"] for each in listed), listed)) == said


@pytest.mark.parametrize(
    "parts",
    [
        ['{"winner":"', entry("A", LN(0.9)), '"}'],
        ['{"winner":"', entry("A", LN(0.9), All=-1, _A=-2), '"}'],
        ['{"winner":"', entry("A", LN(0.9), B=-9999), '"}'],
        ['{"winner":"', entry("Neither", -1, A=-1, B=-1), '"}'],
        ['{"winner":', entry("1", -1, A=-1, B=-1), "}"],
        ['{"x":"', entry("A", -1, B=-1), '"}'],
        ["Winner: ", entry("A", -1, B=-1)],
        ['{"winner":"', entry("A", -1, B=-1)],
        ['{"winner":"', entry("A", -1, B=-1), '"'],
    ],
)
def test_what_does_not_tell_is_none_and_never_a_guess(parts: list[Any]) -> None:
    listed = tokens(*parts)
    assert winner_chances("".join(each["token"] for each in listed), listed) is None


def test_reasoning_that_is_not_in_the_reply_may_stand_before_it() -> None:
    listed = tokens('{"winner":"', entry("A", -1, B=-1), '"} hm. ', '{"winner":"', entry("A", LN(0.9), B=LN(0.1)), '"}')
    assert rounded(winner_chances('{"winner":"A"}', listed)) == ("A", 0.9, 0.1, 0)
    twice = '{"winner":"A"} and once more {"x":"\\"winner\\"","n":{"winner":"A"}}'
    listed = tokens(
        '{"winner":"', entry("A", LN(0.9), B=LN(0.1)), '"} and once more {"x":"\\"winner\\"","n":{"winner":"A"}}'
    )
    assert rounded(winner_chances(twice, listed)) == ("A", 0.9, 0.1, 0)


def test_tokens_that_are_pieces_of_letters_are_put_together_by_their_bytes() -> None:
    listed = tokens(
        '{"why":"',
        {**entry("�"), "bytes": [195]},
        {**entry("�"), "bytes": [169]},
        '","winner":"',
        entry("A", -1, B=-1),
        '"}',
    )
    assert rounded(winner_chances('{"why":"é","winner":"A"}', listed)) == ("A", 0.5, 0.5, 0)


def test_tokens_of_another_text_tell_nothing() -> None:
    assert winner_chances('{"winner":"B"}', tokens('{"winner":"', entry("A", -1, B=-1), '"}')) is None


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(["A", "B", "tie", '{"winner":"', '"}']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["token", "bytes", "logprob", "top_logprobs"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
PLACE = st.fixed_dictionaries({"token": st.just("A"), "logprob": HOSTILE, "top_logprobs": st.lists(HOSTILE | st.fixed_dictionaries(
    {"token": st.sampled_from(["A", "B", "tie", "x"]), "logprob": st.floats() | st.integers()}), max_size=30)})  # fmt: skip


@settings(max_examples=300)
@given(HOSTILE | st.lists(HOSTILE, max_size=5), PLACE, st.booleans())
def test_whatever_a_server_sends_chances_are_numbers_that_sum_to_1_or_none(rest: Any, place: Any, whole: bool) -> None:
    listed = [entry('{"winner":"'), place, entry('"}')] if whole else rest
    chances = winner_chances('{"winner":"A"}', listed)
    if chances is not None:
        assert chances.named == "A" and math.isclose(chances.a + chances.b + chances.tie, 1, rel_tol=1e-9)
        assert 0 <= chances.a_better <= 1
        assert WinnerChances.model_validate_json(chances.model_dump_json()) == chances


def test_a_long_hostile_answer_is_looked_at_in_no_time() -> None:
    for text in ("{" * 100_000, '{"a":' * 50_000, '{"winner":"A"}' * 20_000, '"' * 399_999, '{"x":"' + "\\" * 300_000):
        winner_chances(text, tokens(text, entry("A", -1, B=-1)))


def test_more_than_enough_is_not_looked_at() -> None:
    listed = tokens('{"winner":"', entry("A", -1, B=-1), '"}')
    assert winner_chances('{"winner":"A"}', listed) is not None
    assert winner_chances('{"winner":"A"}' + " " * 400_000, listed) is None
    assert winner_chances('{"winner":"A"}', [0] * 200_000 + listed) is None


# over the wire


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer(keep_bodies=True) as server:
        yield server


def reply(judge: JudgeSpec, prompt: Prompt = PROMPT) -> Completion:
    async def ask() -> Completion:
        provider = open_provider(judge, Access())
        try:
            return await provider.complete(prompt)
        finally:
            await provider.aclose()

    return asyncio.run(ask())


def telling(name: str, server: JudgeServer) -> JudgeSpec:
    return judge_spec(name, ollama_host=server.host, log_probabilities=True)


def names(server: JudgeServer) -> list[str]:
    return [f"{server.url}#m", "ollama:m"]


@pytest.mark.parametrize("kind", [0, 1])
def test_a_judge_is_asked_for_its_tokens_only_where_that_is_wanted(server: JudgeServer, kind: int) -> None:
    name = names(server)[kind]
    assert reply(judge_spec(name, ollama_host=server.host)).chances is None
    chances = reply(telling(name, server)).chances
    plain, asked = server.bodies
    assert asked == {**plain, **ASKED}
    lead = 6 / 20 - 1 / 20
    odds = [math.exp(lead), math.exp(-lead), 0.5]
    assert chances is not None and chances.named == "A"
    assert [chances.a, chances.b, chances.tie] == pytest.approx([each / sum(odds) for each in odds])


def test_a_question_that_names_no_winner_is_asked_without(server: JudgeServer) -> None:
    alone = PROMPT.model_copy(update={"sheet": PROMPT.sheet.model_copy(update={"mode": "pointwise"})})
    assert reply(telling(f"{server.url}#m", server), alone).chances is None
    assert not ASKED.keys() & server.bodies[0].keys()


@pytest.mark.parametrize(("kind", "status"), [(0, 400), (0, 403), (0, 422), (1, 400)])
@pytest.mark.parametrize("field", ["logprobs", "top_logprobs"])
def test_a_judge_that_refuses_is_asked_once_more_without_and_that_is_said(
    server: JudgeServer, kind: int, status: int, field: str
) -> None:
    server.unknown_fields = {field: status}
    completion = reply(telling(names(server)[kind], server))
    assert [ASKED.keys() <= body.keys() for body in server.bodies] == [True, False] and completion.calls == 2
    assert not ASKED.keys() & server.bodies[1].keys()
    [notice] = [notice for notice in completion.notices if notice.code == "parameter_refused"]
    assert "logprobs" in notice.message and completion.chances is None and json.loads(completion.text)["winner"] == "A"


def test_a_key_that_is_refused_for_another_reason_is_still_refused(server: JudgeServer) -> None:
    server.unknown_fields = {"messages": 403}
    with pytest.raises(JudgeUnusableError, match="access denied"):
        reply(telling(f"{server.url}#m", server))
    assert server.requests == 1


@pytest.mark.parametrize("kind", [0, 1])
def test_a_server_that_passes_over_the_question_brings_a_verdict_without(server: JudgeServer, kind: int) -> None:
    server.tokens = False
    completion = reply(telling(names(server)[kind], server))
    assert completion.chances is None and completion.notices == () and server.requests == 1


def test_an_answer_is_not_lost_by_what_it_says_of_its_tokens() -> None:
    message = {"role": "assistant", "content": GOOD}
    odd: list[Any] = [7, [], {"content": 7}, {"content": [None, {"token": 1}]}, {"content": tokens(GOOD)}]
    for logged in odd:
        choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": logged}
        with ScriptedServer([good(choices=[choice])]) as scripted:
            [completion] = asyncio.run(ask(judge_at(scripted, log_probabilities=True), None, a_prompt()))
        assert (completion.text, completion.chances) == (GOOD, None)


def test_openais_own_client_reads_the_same_tokens(server: JudgeServer) -> None:
    with openai.OpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
        answer = client.chat.completions.create(model="m", messages=MESSAGES, logprobs=True, top_logprobs=5)
    theirs = answer.choices[0].logprobs
    assert theirs is not None and theirs.content is not None
    listed = [each.model_dump() for each in theirs.content]
    assert (
        winner_chances(answer.choices[0].message.content or "", listed)
        == reply(telling(f"{server.url}#m", server)).chances
    )


def test_ollamas_own_client_reads_the_same_tokens(server: JudgeServer) -> None:
    client = ollama.Client(host=server.host)
    answer = client.chat(model="m", messages=MESSAGES, logprobs=True, top_logprobs=5)
    client._client.close()
    listed = [each.model_dump() for each in answer.logprobs or ()]
    assert listed and winner_chances(answer.message.content or "", listed) == reply(telling("ollama:m", server)).chances


def test_before_start_it_is_told_who_cannot() -> None:
    known = {name: gives_log_probabilities(judge_spec(name)) for name in ("offline", "cli:claude", "openai:gpt-4o")}
    assert known == {"offline": False, "cli:claude": False, "openai:gpt-4o": None}


def test_a_real_model_tells_how_probable_its_winner_was() -> None:
    judge = judge_spec(f"local:{real_model()}", log_probabilities=True, max_tokens=200, context_tokens=2048)
    winner = {"type": "string", "enum": ["A", "B", "tie"]}
    schema = {"type": "object", "properties": {"winner": winner}, "required": ["winner"], "additionalProperties": False}
    completion = reply(judge, PROMPT.model_copy(update={"reply_schema": schema}))
    assert completion.chances is not None and completion.chances.named == json.loads(completion.text)["winner"]
