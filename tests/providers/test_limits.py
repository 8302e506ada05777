"""How quotas are written, whose they are, and what still fits."""

from __future__ import annotations

import pytest

from judge_core.providers.protocol import Access
from judge_core.providers.registry import judge_spec, open_provider
from judge_core.providers.wrappers.limits import DAY_S, WINDOW_S, Quota, keys_of, read_quotas, wait_needed
from judge_core.providers.wrappers.quota import MemoryLedger, QuotaProvider, Quotas
from judge_core.providers.wrappers.retry import Retrying
from judge_core.records.errors import InputError

NOON = 20_000 * DAY_S + DAY_S / 2


def test_a_quota_is_written_as_key_and_limits() -> None:
    text = "groq=30rpm, 6_000TPM,14400rpd,500000tpd;\n openai:gpt-4.1 = 500 rpm ;api.host.example/model=10rpm;"
    assert read_quotas(text) == {
        "groq": Quota(requests_per_minute=30, tokens_per_minute=6000, requests_per_day=14400, tokens_per_day=500_000),
        "openai:gpt-4.1": Quota(requests_per_minute=500),
        "api.host.example/model": Quota(requests_per_minute=10),
    }


@pytest.mark.parametrize("text", [None, "", " ; \n"])
def test_nothing_written_is_no_quota(text: str | None) -> None:
    assert read_quotas(text) == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("groq", "'groq' names no judge or no limit"),
        ("=30rpm", "names no judge"),
        ("groq=", "holds '', which is no limit"),
        ("groq=30", "holds '30'"),
        ("groq=0rpm", "holds '0rpm'"),
        ("groq=-3rpm", "holds '-3rpm'"),
        ("groq=3rph", "holds '3rph'"),
        ("groq=3rpm,4rpm", "gives rpm twice"),
        ("groq=3rpm;Groq=4tpm", "is the second one for the same judge"),
    ],
)
def test_what_cannot_be_read_is_named_with_the_form(text: str, words: str) -> None:
    with pytest.raises(InputError, match="Write groq=30rpm") as caught:
        read_quotas(text)
    assert words in str(caught.value) and caught.value.field == "PODIUM_QUOTAS"


@pytest.mark.parametrize(
    "key", ["openai", "openai:gpt-4.1", "OpenAI:GPT-4.1", "api.openai.com", "api.openai.com/gpt-4.1"]
)
@pytest.mark.parametrize("name", ["openai:gpt-4.1", "https://api.openai.com/v1#gpt-4.1"])
def test_a_quota_is_found_by_vendor_name_and_address_however_the_judge_is_named(key: str, name: str) -> None:
    judge = judge_spec(name)
    provider = open_provider(judge, Access())
    limited = Quotas(read_quotas(f"{key}=3rpm"), MemoryLedger()).around(provider, judge)
    assert limited is not provider and isinstance(limited, Retrying), "the quota stands below the tries"


def test_another_judge_is_not_touched() -> None:
    quotas = Quotas(read_quotas("groq=3rpm;openai:gpt-5=1rpm;127.0.0.1:1=1rpm"), MemoryLedger())
    for judge in map(judge_spec, ("openai:gpt-4.1", "offline", "http://127.0.0.1:2/v1#m")):
        provider = open_provider(judge, Access())
        assert quotas.around(provider, judge) is provider


def test_a_judge_that_is_not_tried_again_is_limited_as_it_is() -> None:
    judge = judge_spec("offline")
    quotas = Quotas(read_quotas("offline=3rpm"), MemoryLedger())
    assert isinstance(quotas.around(open_provider(judge, Access()), judge), QuotaProvider)


def test_the_most_particular_quota_counts() -> None:
    keys = keys_of(judge_spec("openai:gpt-4.1"))
    assert (keys[0], keys[-1]) == ("openai:gpt-4.1", "openai")
    assert keys_of(judge_spec("offline")) == ("offline",)


def test_midnight_frees_the_day_and_not_the_minute() -> None:
    before = 20_000 * DAY_S - 10
    slots = [(before, 5, 0)]
    quota = Quota(requests_per_minute=5, requests_per_day=5)
    assert wait_needed(quota, slots, 1, before + 5) == float("inf")
    assert wait_needed(quota, slots, 1, before + 11) == WINDOW_S - 11


def test_a_clock_that_was_set_back_makes_nobody_wait_for_the_future() -> None:
    assert wait_needed(Quota(requests_per_minute=1, requests_per_day=1), [(int(NOON) + 7200, 1, 0)], 1, NOON) == 0
