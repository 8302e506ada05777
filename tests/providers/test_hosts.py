"""Which addresses a judge may have."""

from __future__ import annotations

import pytest

from judge_core.providers.hosts import check_host, origin, read_allowed_hosts
from judge_core.providers.protocol import Access
from judge_core.providers.registry import judge_spec, open_provider
from judge_core.records.errors import InputError
from tests.providers.scripted_server import ScriptedServer, judge_at


@pytest.mark.parametrize(
    "url",
    ["https://api.openai.com/v1", "http://localhost:8080/v1", "http://127.0.0.1/v1", "http://[::1]:8080", "https://bücher.example/v1"],
)  # fmt: skip
def test_https_anywhere_and_http_on_this_computer_are_allowed(url: str) -> None:
    assert check_host(url, None).scheme in ("http", "https")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://api.openai.com/v1", "https://api.openai.com"),
        ("http://127.0.0.1.example.org/v1", "unprotected"),
        ("http://192.168.0.5/v1", "unprotected"),
        ("ftp://host/v1", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("//host/v1", "scheme"),
        ("host/v1", "scheme"),
        ("https://user:pw@host/v1", "user name or password"),
        ("https://api.openai.com@evil.example/v1", "user name or password"),
        ("https://api.openai.com\\@evil.example/v1", "characters"),
        ("https://ho st/v1", "characters"),
        ("https://host/v1\nX: y", "characters"),
        ("https://host/v1?key=1", "'?'"),
        ("https:///v1", "host or port"),
        ("https://127.1/v1", "host or port"),
        ("http://2130706433/v1", "host or port"),
        ("https://0x7f.1/v1", "host or port"),
        ("https://0.0.0.0/v1", "host or port"),
        ("https://h%41/v1", "host or port"),
        ("https://host:99999/v1", "host or port"),
        ("https://host:abc/v1", "host or port"),
        ("https://a..b/v1", "host or port"),
        ("", "characters"),
    ],
)
def test_any_other_address_is_refused_with_what_is_wrong(url: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        check_host(url, None)
    assert words in str(caught.value)
    assert "pw@" not in str(caught.value) and "key=1" not in str(caught.value)


@pytest.mark.parametrize(
    ("entries", "url", "allowed"),
    [
        ("api.openai.com", "https://API.OpenAI.com./v1", True),
        ("api.openai.com", "https://api.openai.com:8443/v1", True),
        ("api.openai.com:443", "https://api.openai.com/v1", True),
        ("api.openai.com:443", "https://api.openai.com:8443/v1", False),
        ("*.example.org", "https://a.b.example.org", True),
        ("*.example.org", "https://example.org", False),
        ("*.example.org", "https://badexample.org", False),
        ("example.org", "https://example.org.evil.example", False),
        ("bücher.example", "https://xn--bcher-kva.example", True),
        ("*", "https://anything.example", True),
        ("api.openai.com", "http://localhost:8080", False),
        ("localhost", "http://127.0.0.1:8080", True),
        ("localhost:8080", "http://127.0.0.1:8081", False),
        ("127.0.0.1", "http://127.0.0.1:8081", True),
        ("[::1]:8080", "http://[::1]:8080", True),
        (" a.example , b.example ", "https://b.example", True),
    ],
)
def test_an_allowed_host_is_matched_whole(entries: str, url: str, allowed: bool) -> None:
    hosts = read_allowed_hosts(entries)
    if allowed:
        assert check_host(url, hosts)
    else:
        with pytest.raises(InputError, match="is not allowed here"):
            check_host(url, hosts)


def test_an_empty_list_allows_nothing_and_no_list_allows_all() -> None:
    assert read_allowed_hosts(None) is None and read_allowed_hosts("  ") is None
    with pytest.raises(InputError):
        check_host("https://host", ())


@pytest.mark.parametrize("entry", ["https://host", "host/v1", "a b", ",", "*.*", "host:port"])
def test_an_odd_entry_of_the_list_is_refused(entry: str) -> None:
    with pytest.raises(InputError, match="PODIUM_ALLOWED_HOSTS"):
        read_allowed_hosts(entry)


def test_no_connection_is_made_to_a_host_that_is_not_allowed() -> None:
    with ScriptedServer() as server:
        with pytest.raises(InputError, match="is not allowed here"):
            open_provider(judge_at(server), Access(allowed_hosts=("api.openai.com",)))
        with pytest.raises(InputError):
            open_provider(judge_spec("openai:m"), Access(allowed_hosts=(server.host,)))
        assert server.connections == 0


def test_the_same_origin_needs_scheme_host_and_port() -> None:
    base = origin(check_host("https://host", None))
    others = ("https://host:444", "https://host.example", "https://hosts")
    assert all(origin(check_host(other, None)) != base for other in others)
