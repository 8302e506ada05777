"""A name tells of a family only where it reads like a model's name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_core.scoring.habits.families import author_of, family_of


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("gpt-4o", "OpenAI"), ("GPT-3.5-turbo-instruct", "OpenAI"), ("openai/gpt-oss-120b", "OpenAI"), ("o3-mini", "OpenAI"),
        ("openai:o1", "OpenAI"), ("ChatGPT", "OpenAI"), ("text-davinci-003", "OpenAI"), ("gpt", "OpenAI"), ("gpt4", "OpenAI"),
        ("claude-3-5-sonnet-20241022", "Anthropic"), ("us.anthropic.claude-3-haiku-20240307-v1:0", "Anthropic"),
        ("Claude", "Anthropic"), ("Claude Opus 4", "Anthropic"), ("claude2", "Anthropic"),
        ("gemini-1.5-pro", "Google"), ("models/gemini-pro", "Google"), ("gemma2:9b", "Google"), ("PaLM 2", "Google"), ("bard", "Google"),
        ("meta-llama/Llama-3.1-8B-Instruct", "Meta"), ("llama3", "Meta"), ("llama-7b", "Meta"), ("opt-7b", "Meta"), ("vicuna-13b", "Meta"),
        ("mistral-large-latest", "Mistral"), ("Mixtral 8x7B", "Mistral"), ("codestral", "Mistral"),
        ("Qwen2.5-72B-Instruct", "Qwen"), ("qwq-32b", "Qwen"), ("deepseek-r1-distill-llama-70b", "DeepSeek"), ("MiniMax-M2", "MiniMax"),
        ("glm-4.6", "Zhipu"), ("ChatGLM3-6B", "Zhipu"), ("grok-2-latest", "xAI"), ("command-r-plus", "Cohere"), ("phi-3-mini", "Microsoft"),
        ("jamba-1.5-large", "AI21"), ("nvidia/Llama-3.1-Nemotron-70B", "NVIDIA"), ("SmolLM2-1.7B", "Hugging Face"), ("kimi-k2", "Moonshot"),
        ("http://host/v1#claude-3-opus", "Anthropic"), ("ＧＰＴ-4", "OpenAI"),
    ],
)  # fmt: skip
def test_models_are_known_by_their_names(name: str, family: str) -> None:
    assert family_of(name) == family


@pytest.mark.parametrize(
    ("name", "family"),
    [("cerebras-gpt-6.7B", "Cerebras"), ("gpt-j-6b", "EleutherAI"), ("gpt-neo-1.3b", "EleutherAI"), ("gpt4all-j", "Nomic"), ("bloom-7b", "BigScience")],
)  # fmt: skip
def test_a_borrowed_name_belongs_to_whoever_made_the_model(name: str, family: str) -> None:
    assert family_of(name) == family


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "offline", "student 7", "gptzero-student", "gpt-student", "Claude Dupont", "Jean-Claude", "Gemma Smith", "Gemini Ltd",
        "chain of command", "group-o1", "o1x", "Phil", "philosophy", "alpaca farm", "palm tree", "grokking", "bardolatry",
        "opt-in", "nova school", "aya", "yi-ling", "human", "annotator1", "megallamax", "xgpt-4",
    ],
)  # fmt: skip
def test_other_names_tell_of_no_family(name: str) -> None:
    assert family_of(name) is None


@given(st.text(max_size=400))
def test_any_name_is_taken(name: str) -> None:
    family_of(name)


@pytest.mark.parametrize(
    "heading",
    ["model", "Model", "author_model", "Author Model", "author-model", "LLM", "system", "Generator", " author "],
)
def test_an_author_stands_under_one_of_these_headings(heading: str) -> None:
    assert author_of({"grade": "3", heading: " gpt-4o "}) == "gpt-4o"


def test_the_plainer_heading_counts_and_an_empty_cell_says_nothing() -> None:
    assert author_of({"author": "Ann", "model": "gpt-4o"}) == "gpt-4o"
    assert author_of({"model": " ", "author": "claude-2"}) == "claude-2"
    assert author_of({"grade": "3", "modelling": "x"}) == ""
