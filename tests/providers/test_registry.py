"""Judges by name, which key goes where, and what a call costs."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from judge_core.providers import registry
from judge_core.providers.prices import PRICES, count_tokens, price_of, read_prices
from judge_core.providers.probe import probe
from judge_core.providers.protocol import Access, Health, Provider
from judge_core.providers.registry import (
    PRESETS,
    check_judge,
    judge_kinds,
    judge_spec,
    key_for,
    open_provider,
    preset_of,
    register_provider,
    stays_here,
)
from judge_core.records.errors import InputError, TransientCallError
from judge_core.records.prompt import Completion, Prompt, Usage
from judge_core.records.spec import JudgeSpec, Price, cost_of
from tests.judge_server import JudgeServer
from tests.providers.scripted_server import GOOD, ScriptedServer, a_prompt, fault, good, judge_at, said


@pytest.mark.parametrize(
    ("name", "provider", "model", "base"),
    [
        ("offline", "offline", "offline", ""),
        ("openai:gpt-4o", "openai_compatible", "gpt-4o", "https://api.openai.com/v1"),
        ("groq:openai/gpt-oss-20b", "openai_compatible", "openai/gpt-oss-20b", "https://api.groq.com/openai/v1"),
        ("minimax:MiniMax-M2", "openai_compatible", "MiniMax-M2", "https://api.minimax.io/v1"),
        ("https://host/v1#org/model:free", "openai_compatible", "org/model:free", "https://host/v1"),
        (" http://127.0.0.1:8080#m ", "openai_compatible", "m", "http://127.0.0.1:8080"),
        ("ollama:llama3.2:1b", "ollama", "llama3.2:1b", "http://127.0.0.1:11434"),
        ("local:models/x.gguf", "local", "models/x.gguf", ""),
        ("cli:claude", "cli", "claude", ""),
        ("cli:claude:opus", "cli", "claude:opus", ""),
        ("cli:python3 judge.py --at https://host {system}", "cli", "python3 judge.py --at https://host {system}", ""),
    ],
)
def test_a_name_says_who_is_asked_and_where(
    name: str, provider: str, model: str, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    judge = judge_spec(name)
    assert (judge.name, judge.provider, judge.model, judge.base_url) == (name.strip(), provider, model, base)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("opnai:gpt-4o", "Did you mean openai?"),
        ("Offline", "Did you mean offline?"),
        (
            "nobody:x",
            "Known are: offline, openai:MODEL, groq:MODEL, minimax:MODEL, ollama:MODEL, local:PATH.gguf, cli:claude",
        ),
        ("OpenAI:gpt-4o", "Did you mean openai:gpt-4o?"),
        ("open ai:gpt-4o", "Did you mean openai:gpt-4o?"),
        ("Ollama llama3.2:1b", "Did you mean ollama:llama3.2:1b?"),
        ("claude", "Did you mean cli:claude?"),
        ("Claude:opus", "Did you mean cli:claude:opus?"),
        ("models/Tiny.gguf", "Did you mean local:models/Tiny.gguf?"),
        ("local:x.bin", "no GGUF file"),
        ("ollama", "names no model. Write ollama:MODEL"),
        ("cli", "names no model. Write cli:claude"),
        ("openai:", "names no model"),
        ("openai", "names no model"),
        ("https://host/v1", "names no model"),
        ("http://host/v1#m", "https://host"),
        ("openai_compatible:m", "Known are"),
        ("", "Known are"),
    ],
)
def test_an_unknown_name_is_answered_with_the_known_ones(name: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        judge_spec(name)
    assert words in str(caught.value)


def test_settings_are_fields_of_the_judge_and_odd_ones_are_named() -> None:
    judge = judge_spec("openai:gpt-4o", temperature=None, max_tokens=9, price=None)
    assert (judge.temperature, judge.max_tokens, judge.price) == (None, 9, None)
    with pytest.raises(InputError, match="max_tokens"):
        judge_spec("offline", max_tokens=0)


def test_a_known_model_has_its_price_and_context_and_an_unknown_one_has_neither() -> None:
    known, unknown = judge_spec("openai:gpt-4o"), judge_spec("openai:new-model")
    assert known.price == Price(input=2.5, output=10) and known.context_tokens == 128_000
    assert unknown.price is None and unknown.context_tokens is None
    assert judge_spec("offline").free and not judge_spec("http://127.0.0.1:8080#m").free


def test_the_api_base_takes_the_place_of_openais_address_only() -> None:
    base = "https://gateway.example/v1"
    assert judge_spec("openai:gpt-4o", api_base=base).base_url == base
    assert judge_spec("openai:gpt-4o", api_base=base).price is None
    assert judge_spec("groq:m", api_base=base).base_url == PRESETS["groq"].base_url


def test_a_vendor_is_known_by_its_host_whatever_the_name() -> None:
    preset = preset_of(judge_spec("https://api.minimax.io/v1/chat/completions#MiniMax-M2"))
    assert preset is not None and preset.longest_text == 50_000
    assert preset_of(judge_spec("https://api.minimax.io.example/v1#m")) is None


KEYS = {
    "OPENAI_API_KEY": "k-openai",
    "GROQ_API_KEY": "k-groq",
    "MINIMAX_API_KEY": "k-minimax",
    "LLM_JUDGE_API_KEY": "k-any",
}
BASE = "https://gateway.example/v1"


def key(name: str, **environ: str) -> str | None:
    judge = judge_spec(name, api_base=environ.get("LLM_JUDGE_API_BASE"))
    found = key_for(judge, environ)
    return found.get_secret_value() if found else None


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("openai:m", "k-openai"),
        ("groq:m", "k-groq"),
        ("minimax:m", "k-minimax"),
        ("https://api.groq.com/openai/v1#m", "k-groq"),
        ("http://127.0.0.1:8080/v1#m", "k-any"),
        ("https://api.openai.com.evil.example/v1#m", None),
        ("https://api.openai.com:444/v1#m", None),
        ("https://typed.example/v1#m", None),
        ("offline", None),
    ],
)
def test_a_key_goes_to_its_own_host_alone(name: str, sent: str | None) -> None:
    assert key(name, **KEYS) == sent


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("openai:m", "k-any"),
        ("https://gateway.example/other#m", "k-any"),
        ("https://gateway.example:8443/v1#m", None),
        ("http://127.0.0.1:8080/v1#m", None),
        ("https://api.openai.com/v1#m", "k-openai"),
    ],
)
def test_the_general_key_goes_to_the_host_of_the_api_base_alone(name: str, sent: str | None) -> None:
    assert key(name, **KEYS, LLM_JUDGE_API_BASE=BASE) == sent


def test_without_its_own_key_a_vendor_gets_the_general_one_unless_that_has_a_host() -> None:
    assert key("groq:m", LLM_JUDGE_API_KEY="k-any") == "k-any"
    assert key("groq:m", LLM_JUDGE_API_KEY="k-any", LLM_JUDGE_API_BASE=BASE) is None


@given(st.sampled_from(sorted(PRESETS)), st.from_regex(r"[a-z]{1,8}\.example", fullmatch=True))
def test_no_vendors_key_ever_reaches_another_host(vendor: str, host: str) -> None:
    judge = judge_spec(f"https://{host}/v1#m")
    assert key_for(judge, {PRESETS[vendor].key_name: "k", "LLM_JUDGE_API_BASE": f"https://{host}"}) is None


@pytest.mark.parametrize("raw", [" sk-1\n", '"sk-1"', "'sk-1'\r\n", "“sk-1”", "Bearer sk-1"])
def test_what_copying_adds_to_a_key_is_taken_off(raw: str) -> None:
    assert key("openai:m", OPENAI_API_KEY=raw) == "sk-1"


@pytest.mark.parametrize("raw", ["sk-1 sk-2", "sk-1\nOTHER=2", "sk-é", "sk-\x00"])
def test_a_key_that_cannot_be_one_is_refused_without_being_shown(raw: str) -> None:
    with pytest.raises(InputError, match="OPENAI_API_KEY") as caught:
        key("openai:m", OPENAI_API_KEY=raw)
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("raw", ["", "  ", '""'])
def test_an_empty_key_is_no_key(raw: str) -> None:
    assert key("openai:m", OPENAI_API_KEY=raw) is None


def test_a_judge_over_the_wire_is_opened_with_retries() -> None:
    async def call(judge: JudgeSpec) -> Completion:
        provider = open_provider(judge, Access())
        try:
            return await provider.complete(a_prompt())
        finally:
            await provider.aclose()

    with ScriptedServer([fault(429, {"Retry-After": "0.01"}), good()]) as server:
        assert asyncio.run(call(judge_at(server))).calls == 2


class Echo:
    async def complete(self, prompt: Prompt) -> Completion:
        return Completion(text=prompt.messages[0].content)

    async def aclose(self) -> None: ...


def open_echo(judge: JudgeSpec, access: Access) -> Provider:
    return Echo()


class Plain:
    """The smallest judge of somebody else's."""

    model = "plain-1"

    def complete_json(self, messages: list[dict[str, str]]) -> str:
        return messages[0]["content"]

    def health_check(self) -> bool:
        return True


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it."""
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))


def checked(name: str, **settings: Any) -> Health:
    return asyncio.run(check_judge(judge_spec(name, timeout_s=5.0, **settings), Access(key=SecretStr("sk-1"))))


def test_a_registered_kind_of_judge_is_known_by_name(kinds: None) -> None:
    register_provider("echo", open_echo)
    judge = judge_spec("echo:loud")
    assert (judge.provider, judge.model, judge.base_url) == ("echo", "loud", "")
    assert asyncio.run(open_provider(judge, Access()).complete(a_prompt())).text == "Be fair."
    with pytest.raises(InputError, match="echo"):
        judge_spec("ecko:x")
    assert checked("echo").ok is None


def test_a_registered_kind_may_be_any_object_with_complete_json(kinds: None) -> None:
    register_provider("plain", lambda judge, access: Plain())
    reply = asyncio.run(open_provider(judge_spec("plain"), Access()).complete(a_prompt()))
    assert (reply.text, reply.model) == ("Be fair.", "plain-1")
    assert checked("plain").ok is True
    flaky = iter([TransientCallError("busy", retry_after=0.01), None])

    class Flaky(Plain):
        def complete_json(self, messages: list[dict[str, str]]) -> str:
            if error := next(flaky):
                raise error
            return "at last"

    register_provider("plain", lambda judge, access: Flaky())
    reply = asyncio.run(open_provider(judge_spec("plain"), Access()).complete(a_prompt()))
    assert (reply.text, reply.calls) == ("at last", 2)
    assert [kind.name for kind in judge_kinds() if kind.own] == ["plain"]


@pytest.mark.parametrize("name", ["offline", "openai", "ollama", "cli", "openai_compatible", "", "a:b", "A", "a b"])
def test_a_name_that_is_taken_or_cannot_be_one_is_not_registered(kinds: None, name: str) -> None:
    with pytest.raises(InputError, match="cannot be called"):
        register_provider(name, open_echo)


PLUGIN = """
from judge_core.records.prompt import Completion

print("loaded")

class Judge:
    def __init__(self, judge, access):
        self.model = judge.model

    def complete_json(self, messages):
        return "from the package"

not_a_factory = 3
"""


@pytest.fixture
def package(tmp_path: Path, kinds: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package with four entry points, three of them broken."""
    (tmp_path / "my_judges.py").write_text(PLUGIN, "utf-8")
    (tmp_path / "leaving.py").write_text("raise SystemExit('secret words')", "utf-8")
    info = tmp_path / "my_judges-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-judges\nVersion: 1.0\n", "utf-8")
    points = (
        "good = my_judges:Judge\nnot-there = missing_module:X\nleaving = leaving:X\nnumber = my_judges:not_a_factory\n"
    )
    (info / "entry_points.txt").write_text(f"[llm_judge.providers]\n{points}openai = my_judges:Judge\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("my_judges", "leaving"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_an_installed_packages_kind_is_loaded_when_it_is_first_named(
    package: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {kind.name for kind in judge_kinds() if kind.own} == {"good", "not-there", "leaving", "number"}
    judge_spec("offline"), judge_spec("openai:gpt-4o")
    assert capsys.readouterr().out == ""
    judge = judge_spec("good:big")
    assert capsys.readouterr().out == "loaded\n"
    reply = asyncio.run(open_provider(judge, Access()).complete(a_prompt()))
    assert (reply.text, reply.model) == ("from the package", "big")
    assert judge_spec("openai:gpt-4o").provider == "openai_compatible"


@pytest.mark.parametrize("name", ["not-there", "leaving", "number"])
def test_a_broken_entry_point_is_named_and_breaks_no_other_judge(package: None, name: str) -> None:
    with pytest.raises(InputError, match=f"entry point '{name}'") as caught:
        judge_spec(f"{name}:x")
    assert "secret" not in str(caught.value)
    assert judge_spec("good:x").provider == "good"
    with pytest.raises(InputError, match="Known are"):
        judge_spec("nobody:x")


def test_a_stored_judge_of_a_packages_kind_is_opened_in_a_fresh_process(package: None) -> None:
    assert asyncio.run(
        open_provider(JudgeSpec(name="good:x", provider="good", model="x"), Access()).complete(a_prompt())
    ).text == "from the package"  # fmt: skip


def test_every_kind_is_listed_with_a_name_that_can_be_read() -> None:
    listed = {kind.name: kind for kind in judge_kinds() if not kind.own}
    assert set(listed) == {"offline", "openai", "groq", "minimax", "ollama", "local", "cli", "openai_compatible"}
    for kind in listed.values():
        assert judge_spec(kind.example).provider in (kind.name, "openai_compatible")
    assert listed["groq"].key_variable == "GROQ_API_KEY" and listed["groq"].needs_key and listed["groq"].local is False
    assert listed["offline"].local and listed["local"].local and not listed["ollama"].needs_key


@pytest.mark.parametrize(
    ("name", "here"),
    [
        ("offline", True),
        ("local:x.gguf", True),
        ("http://127.0.0.1:8080#m", True),
        ("ollama:m", True),
        ("ollama:m:20b-cloud", False),
        ("cli:claude", False),
        ("cli:cat", False),
        ("openai:gpt-4o", False),
    ],
)
def test_only_what_surely_stays_on_this_computer_is_said_to_stay(name: str, here: bool) -> None:
    assert stays_here(judge_spec(name, ollama_host="localhost")) is here


def test_a_look_at_a_server_asks_for_its_models_with_the_key_and_no_question() -> None:
    with JudgeServer() as server:
        assert checked(f"{server.url}#m").ok is True
        assert checked(f"{server.url}/chat/completions#m").ok is True
        assert checked(f"http://{server.host}/openai/v1#m").ok is True
        absent = checked(f"{server.url}#other")
        assert absent.ok is None and "not in its list" in absent.message
        unlisted = checked(f"http://{server.host}/odd#m")
        assert unlisted.ok is None and "without a call" in unlisted.message
        assert server.keys == ["Bearer sk-1"] * 5 and server.requests == 0


@pytest.mark.parametrize(
    ("status", "ok", "words"), [(401, False, "key rejected"), (503, False, "503"), (405, None, "without a call")]
)
def test_a_look_says_what_a_server_refuses(status: int, ok: bool | None, words: str) -> None:
    with JudgeServer() as server:
        server.refuse = status
        found = checked(f"{server.url}#m")
    assert found.ok is ok and words in found.message
    assert "sk-1" not in found.message


def test_a_look_never_raises(kinds: None) -> None:
    def raising(judge: JudgeSpec, access: Access) -> Provider:
        raise RuntimeError("secret words")

    register_provider("raising", raising)
    register_provider("odd", lambda judge, access: object())  # type: ignore[arg-type,return-value]
    assert checked("offline").ok is True
    for name in ("raising", "odd", "http://127.0.0.1:9#m"):
        found = checked(name)
        assert found.ok is False and found.message and "secret" not in found.message
    unknown = asyncio.run(check_judge(JudgeSpec(name="x", provider="nobody", model="m"), Access()))
    assert unknown.ok is False and "nobody" in unknown.message
    far = judge_spec("https://far.example/v1#m")
    assert asyncio.run(check_judge(far, Access(allowed_hosts=("other.example",)))).ok is False


def test_the_embedded_judge_is_opened_without_a_key() -> None:
    completion = asyncio.run(open_provider(judge_spec("offline"), Access()).complete(a_prompt("An essay about rain.")))
    assert json.loads(completion.text)["winner"] in ("A", "B", "tie")


def test_a_kind_that_nobody_registered_is_refused() -> None:
    with pytest.raises(InputError, match="nobody"):
        open_provider(JudgeSpec(name="x", provider="nobody", model="m"), Access())


def test_a_probe_asks_once_and_shows_what_came_back() -> None:
    async def test(judge: JudgeSpec) -> object:
        provider = open_provider(judge, Access())
        try:
            return (await probe(provider, judge)).model_dump()
        finally:
            await provider.aclose()

    seen = {}
    answers = {"good": good(), "key": fault(401, code="invalid_api_key"), "cut": said({"content": ""}, "length")}
    for case, answer in answers.items():
        with ScriptedServer([answer]) as server:
            seen[case] = asyncio.run(test(judge_at(server)))
            assert len(server.requests) == 1
    good_one, key_one, cut_one = (json.loads(json.dumps(seen[case])) for case in answers)
    assert good_one["ok"] and good_one["reply"] == GOOD and good_one["usage"]["prompt_tokens"] == 900
    assert not key_one["ok"] and "key rejected (401)" in key_one["error"]
    assert not cut_one["ok"] and "max_tokens" in cut_one["error"]


def test_the_longest_pattern_of_a_price_table_wins() -> None:
    table = {
        "*": Price(input=9, output=9),
        "127.0.0.1:8080/*": Price(input=0, output=0),
        "openai:m*": Price(input=1, output=2),
    }
    assert price_of(judge_spec("http://127.0.0.1:8080#m"), table) == Price(input=0, output=0)
    assert price_of(judge_spec("openai:mini"), table) == Price(input=1, output=2)
    assert price_of(judge_spec("groq:other"), table) == Price(input=9, output=9)
    assert price_of(judge_spec("groq:other"), {}) is None


def test_a_dated_model_costs_what_its_family_does_but_a_sister_does_not() -> None:
    assert price_of(judge_spec("openai:gpt-4o-2024-11-20")) == PRICES["api.openai.com/gpt-4o"]
    assert price_of(judge_spec("openai:gpt-4o-audio-preview")) is None


def test_an_unknown_count_makes_the_cost_unknown_unless_those_tokens_are_free() -> None:
    half = Usage(prompt_tokens=1_000_000)
    assert cost_of(Price(input=2, output=8), half) is None
    assert cost_of(Price(input=2, output=0), half) == 2
    assert cost_of(Price(input=0, output=0), Usage()) == 0
    assert cost_of(None, Usage(prompt_tokens=0, completion_tokens=0)) is None


def test_a_users_price_table_is_read() -> None:
    assert read_prices('{"host/m": {"input": 1, "output": 2.5}}') == {"host/m": Price(input=1, output=2.5)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1"),
        ("[]", "must be an object"),
        ('{"m": 3}', "'m'"),
        ('{"m": {"input": -1, "output": 2}}', "input"),
        ('{"m": {"input": NaN, "output": 2}}', "input"),
        ('{"m": {"input": "1", "output": 2}}', "input"),
        ('{"m": {"input": 1}}', "output"),
        ('{"m": {"input": 1, "output": 2, "cached": 3}}', "cached"),
    ],
)
def test_a_price_table_that_cannot_be_read_is_refused_with_the_place(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read_prices(text)
    assert words in str(caught.value)


@given(st.text(), st.text())
def test_the_estimate_of_tokens_grows_with_the_text(one: str, more: str) -> None:
    assert count_tokens(one) <= count_tokens(one + more) <= count_tokens(one) + count_tokens(more)
