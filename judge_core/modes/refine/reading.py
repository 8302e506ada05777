"""How the replies of critics, authors and synthesizers are read: a critique as it stands, a version between its marks."""

from __future__ import annotations

from judge_core.modes.refine.forms import TEXT_BEGINS, TEXT_ENDS
from judge_core.modes.replies.json_reading import without_reasoning
from judge_core.records.errors import ReplyError

CUT_SHORT = "It was cut at the token limit, so that the end of the text is missing."
MOST_CHARACTERS = 2_000_000


def read_critique(reply: str, finish_reason: str | None = None) -> str:
    """The critique, without the model's thinking. ReplyError where it is empty.

    One that was cut at the token limit still names problems, and is taken as it is.
    """
    return _prose(reply, finish_reason)


def read_version(reply: str, finish_reason: str | None = None) -> str:
    """The text between the first begin mark and the last end mark, without the line breaks about it.

    Without marks the whole reply, unless it is cut. ReplyError for an empty text, one that is cut short, and one whose end
    mark is missing.

    >>> read_version("Here it is:\\n<text>\\nTrees cool.\\n</text>")
    'Trees cool.'
    """
    prose = _prose(reply, finish_reason)
    begin, end = prose.find(TEXT_BEGINS), prose.rfind(TEXT_ENDS)
    if begin < 0 and end < 0 and finish_reason != "length":
        return prose
    if finish_reason == "length" and end < begin + len(TEXT_BEGINS):
        raise ReplyError("cut_text", CUT_SHORT)
    if begin < 0 or end < begin:
        raise ReplyError("no_text", f"The text does not stand between {TEXT_BEGINS} and {TEXT_ENDS}.")
    text = prose[begin + len(TEXT_BEGINS) : end].strip("\r\n")
    if not text.strip():
        raise ReplyError("empty", f"There is nothing between {TEXT_BEGINS} and {TEXT_ENDS}.")
    return text


def _prose(reply: str, finish_reason: str | None) -> str:
    if len(reply) > MOST_CHARACTERS:
        raise ReplyError("too_long", f"The reply is longer than {MOST_CHARACTERS} characters.")
    prose = without_reasoning(reply).strip()
    if not prose:
        raise ReplyError("empty", CUT_SHORT if finish_reason == "length" else "The reply is empty.")
    return prose
