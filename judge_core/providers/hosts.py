"""Which addresses a judge may have: https anywhere, http only on this computer, and only hosts that are allowed.

A redirect is never followed, so the host checked here is the host that is asked.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence

import httpx

from judge_core.records.errors import InputError

VARIABLE = "PODIUM_ALLOWED_HOSTS"
_PLAIN_URL = re.compile(r"[^\s\\<>\"^`{|}\x00-\x1f\x7f]+")
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_ENTRY = re.compile(r"(\*|(?:\*\.)?[^\s:/*\[\]]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def read_allowed_hosts(text: str | None) -> tuple[str, ...] | None:
    """The entries of a comma-separated list; None (no limit) where it is unset or blank. InputError for an odd entry.

    An entry is `host` (any port), `host:port`, `*.example.org` (its subdomains, not itself) or `*`. `localhost` stands
    for every spelling of this computer.

    >>> read_allowed_hosts("API.openai.com, *.example.org:8443")
    ('api.openai.com', '*.example.org:8443')
    """
    if text is None or not text.strip():
        return None
    entries = tuple(entry for entry in (part.strip().lower() for part in text.split(",")) if entry)
    for entry in entries:
        if not _ENTRY.fullmatch(entry):
            raise InputError(
                f"{VARIABLE} holds {entry!r}, which is no host. Allowed are api.openai.com, localhost:8080 and "
                "*.example.org, separated by commas, without https:// and without a path.",
                field=VARIABLE,
            )
    if not entries:
        raise InputError(f"{VARIABLE} holds commas and no host. Name a host, or leave it unset.", field=VARIABLE)
    return entries


def check_host(url: str, allowed_hosts: Sequence[str] | None) -> httpx.URL:
    """The address as it will be asked; InputError, with the remedy, where it may not be.

    `allowed_hosts` None is no limit; otherwise the host must stand in it, this computer (loopback) too.
    """
    address = read_url(url)
    if address.scheme == "http" and not is_loopback(address.host):
        raise InputError(
            f"http:// to {address.host} would send the texts and the key unprotected. Write https://{address.host} "
            "(http is for judges on this computer).",
            field="judge",
        )
    if allowed_hosts is not None and not any(_matches(entry, address) for entry in allowed_hosts):
        raise InputError(
            f"The host {address.host} is not allowed here. Allowed: {', '.join(allowed_hosts) or 'none'} ({VARIABLE}).",
            field="judge",
        )
    return address


def read_url(url: str) -> httpx.URL:
    """An http or https address of a plain host, without credentials, query or fragment. InputError otherwise."""
    if not _PLAIN_URL.fullmatch(url):
        raise _odd("blanks or characters that no address holds")
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, ValueError) as error:
        raise _odd("a host or port that cannot be read") from error
    if address.scheme not in _DEFAULT_PORTS:
        raise _odd("another scheme than https:// (or http:// on this computer)")
    if address.userinfo:
        raise _odd("a user name or password; the key belongs into the key field or its environment variable")
    if address.query or address.fragment or "?" in url:
        raise _odd("a '?' or '#' part; the key belongs into the key field or its environment variable")
    if not _is_plain_host(address.raw_host.decode("ascii").rstrip(".")) or (address.port or 1) > 65535:
        raise _odd("a host or port that cannot be read")
    return address


def _odd(what: str) -> InputError:
    return InputError(
        f"The judge's address holds {what}. An address looks like https://host/v1 or http://127.0.0.1:8080/v1.",
        field="judge",
    )


def origin(address: httpx.URL) -> tuple[str, str, int]:
    """(scheme, host, port): what must be equal for a key to be sent.

    >>> origin(httpx.URL("https://Host/v1")) == origin(httpx.URL("https://host:443/x"))
    True
    """
    return address.scheme, _host(address), address.port or _DEFAULT_PORTS[address.scheme]


def is_loopback(host: str) -> bool:
    """Whether the host is this computer, by name or number.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "::1", "127.0.0.1.example.org")]
    [True, True, True, False]
    """
    name = host.lower().rstrip(".")
    number = _number(name)
    return number.is_loopback if number else name == "localhost" or name.endswith(".localhost")


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _host(address: httpx.URL) -> str:
    return address.raw_host.decode("ascii").lower().rstrip(".")


def _is_plain_host(host: str) -> bool:
    """A number address, or a name; 127.1 and 0x7f000001 are neither, though resolvers take them for this computer."""
    number = _number(host)
    if number:
        return not (number.is_unspecified or number.is_multicast)
    labels = host.lower().split(".")
    return all(_NAME.fullmatch(label) for label in labels) and not re.fullmatch(r"\d+|0x[0-9a-f]*", labels[-1])


def _matches(entry: str, address: httpx.URL) -> bool:
    found = _ENTRY.fullmatch(entry.strip().lower())
    if not found:
        return False
    name, port = found[1].strip("[]"), found[2]
    if port and int(port) != origin(address)[2]:
        return False
    host = _host(address)
    if name == "localhost":
        return is_loopback(host)
    return name in ("*", host, address.host) or (name.startswith("*.") and host.endswith(name[1:]))
