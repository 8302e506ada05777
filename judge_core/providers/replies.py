"""What an answer over the wire means: the reply in it, or what went wrong and what a person can do about it.

Pure: bytes and status in, `Reply` or `Complaint` out. Vendors' codes stand in the tables below. A failure is classified
by its status and its machine codes; its words are searched only where a refusal (400) has no code of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from judge_core.providers.prices import count_tokens
from judge_core.providers.protocol import UncertainCallError
from judge_core.providers.wire.chances import winner_chances
from judge_core.records.errors import CallError, JudgeUnusableError, RefusedCallError, TransientCallError
from judge_core.records.notices import explain
from judge_core.records.prompt import Usage, WinnerChances
from judge_core.records.record import Notice

OUTCOMES: dict[str, tuple[type[CallError], str]] = {
    "key": (JudgeUnusableError, "key rejected ({status}). {key_remedy}"),
    "denied": (JudgeUnusableError, "access denied ({status}). The key may not use this model or address."),
    "balance": (JudgeUnusableError, "insufficient balance or quota ({status}). Top up the account, or take another judge."),
    "missing": (JudgeUnusableError, "model or address not found ({status}). Check the model's name and the address."),
    "moved": (JudgeUnusableError, "the address redirects elsewhere ({status}), which is not followed. Give the final address."),
    "page": (JudgeUnusableError, "a web page came back instead of an answer ({status}). Check the address."),
    "rate": (TransientCallError, "rate limited ({status})."),
    "busy": (TransientCallError, "the judge is overloaded or out of order ({status})."),
    "late": (UncertainCallError, "the judge failed while it answered ({status})."),
    "form": (UncertainCallError, "the judge's own check of its JSON failed ({status})."),
    "broken": (UncertainCallError, "the answer was broken on the way ({status})."),
    "too_long": (RefusedCallError, "the texts are too long for this judge{limit}: {sizes}."),
    "filtered": (RefusedCallError, "the provider's content filter refused this call ({status})."),
    "declined": (RefusedCallError, "the judge declined to answer."),
    "refused": (RefusedCallError, "the provider refused the request ({status})."),
    "empty": (CallError, "the provider sent no answer ({status})."),
    "error": (CallError, "the provider reported an error ({status})."),
}  # fmt: skip
"""What can come of a call besides a reply: the error's class, and the sentence with its remedy."""

KIND_OF_STATUS: dict[int, str] = {
    401: "key", 402: "balance", 403: "denied", 404: "missing", 405: "missing", 410: "missing", 413: "too_long",
    408: "busy", 409: "busy", 425: "busy", 429: "rate", 498: "busy",
}  # fmt: skip
"""Statuses with a meaning of their own; see `kind_of_status` for the ranges."""

KIND_OF_CODE: dict[str, str] = {
    **dict.fromkeys(("insufficient_quota", "insufficient_user_quota", "insufficient_balance", "insufficient_funds",
                     "billing_hard_limit_reached", "billing_not_active", "billing_error", "payment_required"), "balance"),
    **dict.fromkeys(("invalid_api_key", "authentication_error"), "key"),
    **dict.fromkeys(("permission_error", "account_deactivated"), "denied"),
    **dict.fromkeys(("model_not_found", "model_not_active", "model_decommissioned"), "missing"),
    **dict.fromkeys(("context_length_exceeded", "exceed_context_size_error", "string_above_max_length",
                     "request_too_large"), "too_long"),
    **dict.fromkeys(("content_filter", "content_policy_violation", "responsibleaipolicyviolation"), "filtered"),
    "json_validate_failed": "form",
    "overloaded_error": "busy",
}  # fmt: skip
"""Machine codes (`code`, `type`) that say more than the status."""

MINIMAX: dict[int, tuple[int, str]] = {
    1000: (500, "busy"), 1001: (408, "busy"), 1002: (429, "rate"), 1004: (401, "key"), 1008: (402, "balance"),
    1013: (500, "busy"), 1024: (500, "busy"), 1026: (400, "filtered"), 1027: (400, "filtered"), 1033: (500, "busy"),
    1039: (429, "rate"), 1041: (429, "rate"), 2013: (400, "refused"), 2049: (401, "key"), 2056: (402, "balance"),
}  # fmt: skip
"""MiniMax's `base_resp.status_code` inside HTTP 200 (0 is success): the status it stands for, and its kind."""

_BALANCE_IN_WORDS = re.compile(r"\(1008\)\s*$")  # MiniMax sends this one as HTTP 500, with the code in the words only
_LENGTH_IN_WORDS = re.compile(r"(?:context|prompt|input)\W+(?:length|size|window|is too long)", re.IGNORECASE)
_LIMIT_IN_WORDS = re.compile(r"(?:length|size|window|limit|maximum)\D{0,40}?(\d[\d,]{2,})", re.IGNORECASE)
_LOOKS_LIKE_KEY = re.compile(r"\b(?:sk|gsk|key|Bearer)[-_ ][\w*.-]{6,}", re.IGNORECASE)
_LONGEST_QUOTE = 200
_SHARED = 40
REASONING_FIELDS = ("reasoning_content", "reasoning")


class Reply(NamedTuple):
    """A reply as it stood in the answer."""

    text: str
    finish_reason: str | None
    usage: Usage
    model: str
    notices: tuple[Notice, ...]
    chances: WinnerChances | None = None
    """What its tokens say of the winner that it names, where the answer holds them."""


class Complaint(NamedTuple):
    """An answer that holds no reply."""

    kind: str
    """A key of OUTCOMES."""
    status: int
    param: str = ""
    words: str = ""
    """The provider's words, as they came: hostile until `quotable` has seen them."""
    limit: int | None = None
    """Tokens that the judge takes, where it said so."""


def mend(text: str) -> str:
    r"""The text with lone surrogates, which UTF-8 cannot carry, replaced; pairs become the character they spell.

    >>> mend("a\ud83d"), mend("\ud83d\ude00") == "\U0001f600"
    ('a\ufffd', True)
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_answer(
    status: int, body: bytes, reshape: Callable[[dict[str, Any]], dict[str, Any]] | None = None
) -> Reply | Complaint:
    """The reply in a whole HTTP answer, or the complaint in it. `reshape` turns another format into OpenAI's."""
    try:
        data = json.loads(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return _unreadable(status, body)
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if not isinstance(data, dict):
        return Complaint("empty" if status < 300 else kind_of_status(status), status)
    return _complaint(status, data) or _reply(status, reshape(data) if reshape else data)


def kind_of_status(status: int) -> str:
    """What a status means by itself.

    >>> [kind_of_status(status) for status in (302, 401, 422, 529)]
    ['moved', 'key', 'refused', 'busy']
    """
    if status in KIND_OF_STATUS:
        return KIND_OF_STATUS[status]
    return "busy" if status >= 500 else "refused" if status >= 400 else "moved" if status >= 300 else "error"


def _unreadable(status: int, body: bytes) -> Complaint:
    page = body.lstrip()[:1] == b"<"
    if status >= 300:
        return Complaint(kind_of_status(status), status, words="" if page else body.decode("utf-8", "replace"))
    return Complaint("page" if page else "broken", status)


def _complaint(status: int, data: dict[str, Any]) -> Complaint | None:
    vendor = data.get("base_resp")
    if isinstance(vendor, dict) and (code := _whole(vendor.get("status_code"))):
        vendor_status, kind = MINIMAX.get(code, (status, "error"))
        return Complaint(kind, vendor_status, words=str(vendor.get("status_msg") or ""))
    error = data.get("error")
    if not error and status < 300:
        return None
    fields = error if isinstance(error, dict) else {"message": error or data.get("detail") or data.get("message")}
    return _read_error(status, {**fields, "code": fields.get("code", data.get("code"))})


def _read_error(status: int, error: Mapping[str, Any]) -> Complaint:
    words = str(error.get("message") or "")
    inside = _whole(error.get("code"))
    begun = status < 300  # an error object inside a success: the judge had begun, and may charge for it
    if begun and inside is not None and 400 <= inside < 600:
        status = inside
    kind = _kind(status, error, words)
    kind = "late" if begun and kind == "busy" else kind
    limit = _whole(error.get("n_ctx")) or next(
        (_whole(n.replace(",", "")) for n in _LIMIT_IN_WORDS.findall(words)), None
    )
    return Complaint(kind, status, str(error.get("param") or ""), words, limit)


def _kind(status: int, error: Mapping[str, Any], words: str) -> str:
    inner = error.get("innererror")
    codes = [error.get("code"), error.get("type"), inner.get("code") if isinstance(inner, dict) else None]
    for code in codes:
        if isinstance(code, str) and code.lower() in KIND_OF_CODE:
            return KIND_OF_CODE[code.lower()]
    if _BALANCE_IN_WORDS.search(words):
        return "balance"
    kind = kind_of_status(status)
    return "too_long" if kind == "refused" and _LENGTH_IN_WORDS.search(words) else kind


def _reply(status: int, data: dict[str, Any]) -> Reply | Complaint:
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return Complaint("empty", status)
    message = choice["message"] if isinstance(choice.get("message"), dict) else {}
    finish = choice["finish_reason"] if isinstance(choice.get("finish_reason"), str) else None
    if finish == "content_filter":
        return Complaint("filtered", status)
    text, notices = _joined(message.get("content")), []
    if not text.strip() and finish in ("stop", None):
        text = next((_joined(message[f]) for f in REASONING_FIELDS if _joined(message.get(f)).strip()), "")
        notices = [notice("reasoning_field")]
    if not text.strip() and finish != "length":
        return Complaint("declined" if message.get("refusal") else "empty", status)
    usage = _usage(data.get("usage"))
    if None in (usage.prompt_tokens, usage.completion_tokens):
        notices.append(notice("usage_missing"))
    model = data.get("model")
    text, logged = mend(text), choice.get("logprobs")
    chances = winner_chances(text, logged.get("content")) if isinstance(logged, dict) else None
    return Reply(text, finish, usage, mend(model) if isinstance(model, str) else "", tuple(notices), chances)


def _joined(content: object) -> str:
    """The text of a message's content: a string, or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "".join(text for text in texts if isinstance(text, str))


def _usage(usage: object) -> Usage:
    counted = usage if isinstance(usage, dict) else {}
    prompt, completion = _whole(counted.get("prompt_tokens")), _whole(counted.get("completion_tokens"))
    return Usage(prompt_tokens=prompt, completion_tokens=completion)


def _whole(value: object) -> int | None:
    """A count or code that may have come as text or as 12.0; None for anything else."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 1e15 and value == int(value) else None


def notice(code: str, about: str = "") -> Notice:
    """The notice of that code, with a name of ours where one helps."""
    return Notice(code=code, message=f"{explain(code)} ({about})" if about else explain(code))


def error_of(complaint: Complaint, judge: str, key_remedy: str, texts: Sequence[str]) -> CallError:
    """The error to raise, with the remedy and, where it is safe, the provider's own words."""
    error, sentence = OUTCOMES[complaint.kind]
    message = f"{judge}: " + sentence.format(
        status=complaint.status,
        key_remedy=key_remedy,
        limit=f" (limit {complaint.limit:,} tokens)" if complaint.limit else "",
        sizes=", ".join(f"text {chr(65 + n)} about {count_tokens(text):,} tokens" for n, text in enumerate(texts)),
    )
    words = "" if complaint.kind == "key" else quotable(complaint.words, texts)  # a rejected key is often echoed
    return error(f"{message} The provider says: {words}" if words else message, status=complaint.status)


REASONS: dict[str, str] = {
    "key": "key rejected", "denied": "access denied", "balance": "balance or quota used up", "missing": "not found",
    "moved": "address moved", "rate": "rate limited", "busy": "overloaded or out of order", "too_long": "texts too long",
}  # fmt: skip
"""A failed call in two or three words of ours, by the kind that its status stands for."""


def reason_of(error: CallError) -> str:
    """Why a call brought no answer, in a few words of ours: nothing of what the provider said.

    >>> reason_of(TransientCallError("...", status=429)), reason_of(UncertainCallError("..."))
    ('rate limited', 'no whole answer in time')
    """
    if error.status is not None and error.status >= 300:
        return REASONS.get(kind_of_status(error.status), "request refused")
    if isinstance(error, UncertainCallError):
        return "no whole answer in time"
    if isinstance(error, TransientCallError):
        return "no connection"
    return {"unusable": "not usable now", "refused": "request refused"}.get(error.kind, "no answer")


def quotable(words: str, texts: Sequence[str]) -> str:
    """A provider's words on one short line, without keys; nothing where they repeat a passage of the texts."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in mend(words[:2000])).split())
    line = _LOOKS_LIKE_KEY.sub("[key]", line)
    step = _SHARED // 4
    pieces = [line[start : start + _SHARED - step] for start in range(0, len(line) - _SHARED + step + 1, step)]
    flat = [" ".join(text.split()) for text in texts]
    if any(piece in text for piece in pieces for text in flat):
        return ""
    return line if len(line) <= _LONGEST_QUOTE else line[:_LONGEST_QUOTE] + "…"
