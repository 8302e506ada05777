"""Rankings in plain words: 'RANKING: 2, 1, 3' or '3 > 1 > 2', best first, on the line or below it.

The last line that begins so counts. Emphasis, brackets, bullets, remarks in parentheses and nouns ('Proposal 2') do not
matter. A tie, a range, a label twice, a foreign number or the worst first is no ranking. Time is linear in the length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judge_core.modes.replies.json_reading import MAX_CHARACTERS, NO_ANSWER, without_reasoning
from judge_core.modes.replies.ranking import NOUN, Labels, ListReading, cut_ranking, unknown_label
from judge_core.modes.replies.rows import text_of
from judge_core.records.errors import ReplyError
from judge_core.records.notices import explain
from judge_core.records.record import Notice

_HEADER = re.compile(
    r"[\W_]{0,20}(?:\d{1,2}[.)][\W_]{0,5})?(?:(?:so|thus|my|the|final|overall)[\s*_]{1,3}){0,4}"
    r"rankings?(?![^\W_])(?P<note>[^:：]{0,60})[:：](?P<body>.*)",
    re.IGNORECASE,
)
_BEST = frozenset(["best", "first", "strongest", "top", "winner", "highest"])
_WORST = frozenset(["worst", "last", "lastly", "weakest", "lowest"])
_NOTE = _BEST | _WORST | {"to", "from", "in", "order", "of", "the", "all", "my", "final", "preference"}
_NOTE |= {"proposals", "versions", "candidates", "texts"}
_TIE = re.compile(r"\b(?:ties?|tied|equal|equally|same|draw|drawn|joint|both)\b|=(?!>)|≈|~", re.IGNORECASE)
_EMPHASIS = str.maketrans("", "", "*`#\"'“”[]{}")
_UNDERLINE = re.compile(r"(?<!\w)_+|_+(?!\w)")
_TOKEN = re.compile(r"[^\W\d_]+|->|=>|>=|<=|\S")
_SEPARATORS = frozenset([*",，、;；>＞→", "->", "=>", "then", "over", "beats", "followed"])
_SIGNS = _SEPARATORS - {"then", "over", "beats", "followed"}
_UNDECIDED = frozenset(["/", "|", "and", "&", "or"])
_NOUNS = (
    "proposal", "version", "candidate", "text", "answer", "option", "response", "essay", "draft", "entry", "number", "no",
)  # fmt: skip
_FILL = frozenset([*_NOUNS, ".", "is", "the", "comes", "by", "next", "and", "as"])
_LISTED = re.compile(r"[\s>]{0,9}(?:(?P<number>\d{1,2})[.)]\s+(?=\S)|[-+•]\s+)?(?P<entry>.*)")
_BULLETS = " \t>-+*•"
_BARE_NUMBER = re.compile(r"\s*\d{1,2}[.)]\s*")
_REMARK = re.compile(r"\s*(?:\(|:|;|\s[-–—]\s)")
_LONGEST_LINE = 2_000
_MOST_LINES = 100
"""How far below its header a list can reach, blank lines included."""
_SPLIT = re.compile(r"\s*(?:->|=>|[,，、;；>＞→])\s*")


class _Line(NamedTuple):
    body: str
    """What stands behind the colon."""
    below: tuple[str, ...]
    """The lines after it."""


def read_ranking(text: str, labels: Sequence[str] = ("1", "2", "3"), finish_reason: str | None = None) -> ListReading:
    """A judge's ballot: its free prose with the ranking of its last RANKING line.

    Raises ReplyError where there is no whole ranking: the judge abstains, unless it is asked again.
    """
    prose = _prose(text, finish_reason)
    cut = finish_reason == "length"
    ranking, notices = read_statement(prose, Labels(labels), cut)
    if cut:
        notices = (*notices, Notice(code="truncated", message=explain("truncated")))
    return ListReading(ranking=ranking, overall=text_of(prose.strip()), warnings=notices)


def _prose(text: str, finish_reason: str | None) -> str:
    if len(text) > MAX_CHARACTERS:
        raise ReplyError("too_long", f"The reply is longer than {MAX_CHARACTERS} characters.")
    prose = without_reasoning(text)
    if not prose.strip():
        raise ReplyError("empty", NO_ANSWER if finish_reason == "length" else "The reply is empty.")
    return prose


def read_statement(prose: str, labels: Labels, cut: bool = False) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """The whole ranking of the last RANKING line in some prose. Raises ReplyError."""
    line = _last_line(prose)
    if line is None:
        raise cut_ranking() if cut else ReplyError("no_ranking", "The reply holds no line that begins with 'RANKING:'.")
    try:
        return _ranked(line, labels, cut)
    except ReplyError:
        if cut:
            raise cut_ranking() from None
        raise


def _last_line(prose: str) -> _Line | None:
    lines = prose.splitlines()
    for at in range(len(lines) - 1, -1, -1):
        match = _HEADER.match(lines[at])
        if match and _says_best_first(match["note"]):
            return _Line(match["body"], tuple(lines[at + 1 : at + 1 + _MOST_LINES]))
    return None


def _says_best_first(note: str) -> bool:
    """Whether the words between 'ranking' and the colon are such as belong there. Raises ReplyError for the worst first."""
    words = re.findall(r"[^\W\d_]+", note.casefold())
    if re.search(r"\d", note) or any(word not in _NOTE for word in words):
        return False
    ends = [word for word in words if word in _BEST | _WORST]
    if ends and ends[0] in _WORST:
        raise _undecided()
    return True


def _ranked(line: _Line, labels: Labels, cut: bool) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    if any(char.isalnum() for char in line.body):
        return labels.whole(named_in(line.body, labels), may_complete=not cut)
    below = [text for text in line.below if text.strip()]
    if below and not _entry_labels(below[:1], labels):
        return labels.whole(named_in(below[0].lstrip(_BULLETS), labels), may_complete=not cut)
    return labels.whole(_entry_labels(below, labels), may_complete=False)


def named_in(body: str, labels: Labels) -> list[str]:
    """The labels of one line in their order, none left out. Raises ReplyError for what is no plain list of labels."""
    if len(body) > _LONGEST_LINE:
        raise ReplyError("bad_ranking", f"The ranking is longer than {_LONGEST_LINE} characters.")
    bare = _UNDERLINE.sub("", body.translate(_EMPHASIS)).strip()
    return _split(bare, labels) if labels.known is None else _Walk(bare, labels, labels.known).named


def _split(bare: str, labels: Labels) -> list[str]:
    """Labels that nobody said beforehand: what stands between the separators."""
    parts = _SPLIT.split(re.sub(r"\([^()]*\)", "", bare).rstrip(" ."))
    found = [labels.find(re.sub(rf"^{NOUN}\s+", "", part.strip(), flags=re.IGNORECASE)) for part in parts]
    if _TIE.search(bare) or any(label is None or " " in label for label in found):
        raise unknown_label(labels)
    return [label for label in found if label]


class _Walk:
    """One walk over a line, from label to label; what stands between them must be separators and filling words."""

    def __init__(self, bare: str, labels: Labels, known: Sequence[str]):
        self.labels, self.count = labels, len(known)
        self.named: list[str] = []
        self.doubtful = False
        """A remark is a label, or two labels have only a space between them: such a line must be whole by itself."""
        names = (
            "|".join(re.escape(label) for label in sorted(known, key=len, reverse=True)) or "(?!)"
        )  # no label, no place
        pattern = re.compile(rf"\((?P<remark>[^()]*)\)|(?<![\w.])(?P<label>{names})(?!\w|\.\d)", re.IGNORECASE)
        at, gap = 0, ""
        for match in pattern.finditer(bare):
            gap += bare[at : match.start()]
            at = match.end()
            label = labels.find(match["label"] or match["remark"])
            if label is None and match["label"]:
                raise unknown_label(labels)
            if label is None or (match["label"] is None and self.named and not gap.strip()):
                self._remark(match["remark"])
                gap += " "
            elif self._add(label, gap):
                gap = ""
            else:
                at = match.start()
                break
        self._tail(gap + bare[at:])

    def _add(self, label: str, gap: str) -> bool:
        """Takes a label behind a gap; False where the ranking was whole before."""
        tokens = [token.casefold() for token in _TOKEN.findall(gap)]
        plain = not tokens or self._separates(tokens)
        if len(self.named) == self.count:
            if plain or _TIE.search(gap) or tokens[0] in _UNDECIDED:
                raise ReplyError("repeated_label", "The ranking names a label more than once.")
            return False
        if not (plain if self.named else self._leads(tokens)):
            raise _undecided() if _TIE.search(gap) or _UNDECIDED & set(tokens) else unknown_label(self.labels)
        self.doubtful = self.doubtful or (bool(self.named) and not tokens)
        self.named.append(label)
        return True

    def _leads(self, tokens: Sequence[str]) -> bool:
        return all(token in _FILL | _BEST for token in tokens)

    def _separates(self, tokens: Sequence[str]) -> bool:
        """Whether these stand between two labels of a list; words of best and worst must be about the right one."""
        at = next((at for at, token in enumerate(tokens) if token in _SEPARATORS), None)
        if at is None or _gapes(tokens):
            return False
        place = len(self.named) - 1
        return self._fills(tokens[:at], place) and self._fills(tokens[at:], place + 1)

    def _fills(self, tokens: Sequence[str], place: int) -> bool:
        return _in_place(tokens, place, self.count) and all(
            token in _FILL or token in _SEPARATORS or token in _BEST or token in _WORST for token in tokens
        )

    def _remark(self, remark: str) -> None:
        words = [word.casefold() for word in _TOKEN.findall(remark)]
        if _TIE.search(remark) or not _in_place(words, len(self.named) - 1, self.count):
            raise _undecided()
        self.doubtful = self.doubtful or self.labels.find(remark) is not None

    def _tail(self, tail: str) -> None:
        tokens = [token.casefold() for token in _TOKEN.findall(tail)]
        if _TIE.search(tail):
            raise _undecided()
        if len(self.named) == self.count:
            return
        if self.doubtful or _gapes(tokens) or not self._fills(tokens, len(self.named) - 1):
            raise unknown_label(self.labels)


def _undecided() -> ReplyError:
    return ReplyError("bad_ranking", "The ranking declares a tie, or does not begin with the best.")


def _gapes(tokens: Sequence[str]) -> bool:
    """Whether something was left out between two separators."""
    return sum(token in _SIGNS for token in tokens) > 1


def _in_place(words: Sequence[str], place: int, count: int) -> bool:
    """Whether words for the best stand at the first place only, words for the worst at the last only."""
    best, worst = any(word in _BEST for word in words), any(word in _WORST for word in words)
    return (not best or place <= 0) and (not worst or place == count - 1)


def _entry_labels(lines: Sequence[str], labels: Labels) -> list[str]:
    """The labels of a list with one entry a line; it ends at the first line that is none."""
    return list(_entries(lines, labels)) if labels.known else []


def _entries(lines: Sequence[str], labels: Labels) -> Iterator[str]:
    for place, line in enumerate(line[:_LONGEST_LINE] for line in lines):
        match = _LISTED.match(_UNDERLINE.sub("", line.translate(_EMPHASIS)))
        if match is None or _BARE_NUMBER.fullmatch(match["entry"]):
            return
        if match["number"] and int(match["number"]) != place + 1:
            return
        head, _, remark = _REMARK.sub("\0", match["entry"], count=1).partition("\0")
        label = labels.find(head.strip(" .,"))
        if label is None:
            return
        words = [word.casefold() for word in _TOKEN.findall(remark)][:4]
        if _TIE.search(remark) or not _in_place(words, place, len(labels.known or ())):
            raise _undecided()
        yield label
