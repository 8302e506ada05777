"""Prompts: what a judge is shown, what it is never shown, and the marks that no text can forge."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.modes.asking.fences import fence, token_for
from judge_core.modes.asking.prompts import MOST_PREVIOUS, render, reply_schema, skeleton
from judge_core.records.criteria import Criterion, Level, Rubric
from judge_core.records.errors import InputError
from judge_core.records.prompt import Ask, Prompt, Repair
from judge_core.records.record import text_hash
from tests.modes.case_files import case_text

RUBRIC = Rubric(
    question="Should towns plant trees?",
    source_extract="Trees cost 40 euros.",
    word_limit=300,
    criteria=(
        Criterion(name="Clarity", description="Easy to follow.", weight=7.25),
        Criterion(
            name='Use of "Evidence"',
            scale_min=1,
            scale_max=4.5,
            weight=0.125,
            levels=(
                Level(score=4.5, label="Full", descriptor="Each claim has a source."),
                Level(score=1, label="None"),
            ),
        ),
    ),
)
SECRET = b"drawn at the edge"


def prompt_of(*texts: str, token: str = "4f0c", repair: Repair | None = None, previous: str | None = None) -> Prompt:
    ask = Ask(
        judge=0,
        mode="pairwise" if len(texts) == 2 else "pointwise",
        texts=tuple(map(text_hash, texts)),
        repair=repair,
    )
    return render(ask, RUBRIC, {text_hash(text): text for text in texts}, token, previous)


def words(prompt: Prompt) -> str:
    return "\n".join(message.content for message in prompt.messages)


def test_question_source_limit_criteria_scales_and_levels_stand_word_for_word_before_the_texts() -> None:
    user = prompt_of("first text", "second text").messages[1].content
    parts = [
        RUBRIC.question, RUBRIC.source_extract, "300 words", "Clarity (scale: 0 to 10): Easy to follow.",
        'Use of "Evidence" (scale: 1 to 4.5)', "4.5 = Full: Each claim has a source.", "1 = None",
        "TEXT A begins", "first text", "TEXT A ends", "TEXT B begins", "second text", "TEXT B ends", '{"criteria":[',
    ]  # fmt: skip
    places = [user.index(part) for part in parts]
    assert places == sorted(places)


def test_the_form_of_the_answer_names_each_criterion_as_a_json_string_with_its_scale() -> None:
    form = skeleton("pairwise", RUBRIC.criteria)
    names = [json.loads(name) for name in re.findall(r'"name"\s*:\s*("(?:[^"\\]|\\.)+")', form)]
    assert names == ["Clarity", 'Use of "Evidence"']
    assert form.count("<number 0 to 10>") == 2 and form.count("<number 1 to 4.5>") == 2
    filled = json.loads(re.sub(r"<number [^>]*>", "1", form))
    assert list(filled) == ["criteria", "quotes", "winner", "reasoning"]
    assert list(json.loads(re.sub(r"<number [^>]*>", "1", skeleton("pointwise", RUBRIC.criteria)))) == [
        "criteria",
        "quotes",
        "reasoning",
    ]


def test_the_system_message_says_what_does_not_count_and_that_material_never_instructs() -> None:
    system = prompt_of("a", "b").messages[0].content
    assert all(word in system for word in ("merit", "Length", "order", "fame", "never an instruction", "tie"))


def test_neither_weights_nor_a_ranking_line_stand_in_a_prompt() -> None:
    shown = words(prompt_of("a", "b"))
    assert not any(word in shown for word in ("7.25", "0.125", "weight", "RANKING:"))


def test_no_file_name_or_id_reaches_the_judge() -> None:
    """Texts are known to a prompt by their content alone."""
    best, old = case_text("I-019/draft_final_BEST.md"), case_text("I-019/rejected_old.md")
    shown = words(prompt_of(best, old)) + json.dumps(prompt_of(best, old).reply_schema)
    assert best in shown and old in shown
    assert not any(word in shown for word in ("BEST", "rejected", "draft", text_hash(best)[:8], text_hash(old)[:8]))


@pytest.mark.parametrize("name", ["I-002/breakout.md", "I-011/tokens.md", "I-010/persian.md", "I-010/emoji.md"])
def test_a_text_stands_in_the_prompt_unaltered_between_marks_that_it_does_not_hold(name: str) -> None:
    text, other = case_text(name), "Another text."
    tokens = [token_for(SECRET, 1, turn, (text, other)) for turn in (0, 1)]
    assert tokens[0] != tokens[1] and not any(token in text for token in tokens)
    for token in tokens:
        user = prompt_of(text, other, token=token).messages[1].content
        assert f"<<< TEXT A begins | {token} >>>\n{text}\n<<< TEXT A ends | {token} >>>" in user
        assert user.count(token) == 6, "two marks for each text and for the source"


def test_a_token_depends_on_secret_place_and_turn_and_not_on_the_texts() -> None:
    tokens = {token_for(secret, place, turn, ("x",)) for secret in (b"1", b"2") for place in (1, 11) for turn in (0, 1)}
    assert len(tokens) == 8 and all(re.fullmatch("[0-9a-f]{16,}", token) for token in tokens)
    assert token_for(b"1", 1, 1, ("x",)) == token_for(b"1", 1, 1, ("y",))


def test_a_token_that_a_text_holds_is_replaced() -> None:
    first = token_for(SECRET, 1, 0, ())
    second = token_for(SECRET, 1, 0, (f"I hold {first}.",))
    assert first != second
    assert token_for(SECRET, 1, 0, (first, second)) not in (first, second)


def test_a_run_without_a_secret_gets_no_token() -> None:
    with pytest.raises(InputError, match="secret"):
        token_for(b"", 1, 0, ())


@given(st.text())
def test_a_fence_holds_its_text_exactly(text: str) -> None:
    lines = fence("TEXT A", text, "4f0c")
    assert lines.removeprefix("<<< TEXT A begins | 4f0c >>>\n").removesuffix("\n<<< TEXT A ends | 4f0c >>>") == text


def test_a_repair_shows_the_old_answer_cut_to_a_bound_and_says_what_was_wrong() -> None:
    repair = Repair(reply_sha256="0" * 64, problem="The reply holds no scores for: 'Clarity'.")
    plain = prompt_of("a", "b")
    again = prompt_of("a", "b", repair=repair, previous="x" * (MOST_PREVIOUS + 9))
    assert again.messages[:2] == plain.messages
    assert [message.role for message in again.messages[2:]] == ["assistant", "user"]
    assert again.messages[2].content == "x" * MOST_PREVIOUS
    assert repair.problem in again.messages[3].content and "JSON" in again.messages[3].content


@pytest.mark.parametrize("previous", [None, "", " \n"])
def test_a_repair_of_an_empty_answer_has_no_empty_message(previous: str | None) -> None:
    again = prompt_of("a", "b", repair=Repair(reply_sha256="0", problem="The reply is empty."), previous=previous)
    assert all(message.content.strip() for message in again.messages)


def test_the_schema_takes_only_the_criteria_asked_for_and_closes_every_object() -> None:
    schema = reply_schema("pairwise", RUBRIC.criteria)
    row = schema["properties"]["criteria"]["items"]
    assert row["properties"]["name"]["enum"] == ["Clarity", 'Use of "Evidence"']
    for part in (schema, row, schema["properties"]["quotes"]["items"]):
        assert part["additionalProperties"] is False and part["required"] == list(part["properties"])
    assert "score" in reply_schema("pointwise", RUBRIC.criteria)["properties"]["criteria"]["items"]["properties"]


def test_a_pointwise_prompt_shows_one_text_and_speaks_of_no_other() -> None:
    prompt = prompt_of("only text")
    assert (
        "TEXT begins" in words(prompt)
        and "TEXT B" not in words(prompt)
        and "tie" not in prompt.messages[0].content.split()
    )
    assert prompt.sheet.texts == ("only text",)


def test_a_missing_text_or_a_wrong_number_of_texts_is_refused() -> None:
    with pytest.raises(InputError, match="not stored"):
        render(Ask(judge=0, texts=("a" * 64, "b" * 64)), RUBRIC, {}, "4f0c")
    with pytest.raises(InputError, match="takes 2"):
        render(Ask(judge=0, texts=("a" * 64,)), RUBRIC, {"a" * 64: "x"}, "4f0c")
