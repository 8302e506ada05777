"""Fences: boundary marks around untrusted text, with a token that nobody can guess before the request is made.

A text cannot forge its own end, since the token is keyed by a secret of the run and differs with every request. The
text between the marks stands as it is: nothing is escaped, cut or rewritten.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from judge_core.records.errors import InputError

TOKEN_LENGTH = 20
"""Hex digits of a token: 80 bits."""


def token_for(secret: bytes, place: int, turn: int, texts: Iterable[str]) -> str:
    """The token of one prompt: HMAC-SHA256 (RFC 2104) of place, turn and a counter, cut to `TOKEN_LENGTH` hex digits.

    The counter rises while the token occurs in one of `texts`. Raises InputError where the secret is empty.

    >>> token_for(b"a secret", 1, 0, ["Trees cool."]) != token_for(b"a secret", 1, 1, ["Trees cool."])
    True
    """
    if not secret:
        raise InputError("The run has no secret: boundary marks could be guessed.", field="secret")
    held = tuple(texts)
    counter = 0
    while True:
        message = f"{place}:{turn}:{counter}".encode()
        token = hmac.new(secret, message, hashlib.sha256).hexdigest()[:TOKEN_LENGTH]
        if not any(token in text for text in held):
            return token
        counter += 1


def fence(label: str, text: str, token: str) -> str:
    """The text, unaltered, between two marks that name its neutral label and carry the token.

    >>> print(fence("TEXT A", "Trees cool.", "4f0c"))
    <<< TEXT A begins | 4f0c >>>
    Trees cool.
    <<< TEXT A ends | 4f0c >>>
    """
    return f"<<< {label} begins | {token} >>>\n{text}\n<<< {label} ends | {token} >>>"
