"""Plain prose: verdicts of judges that do not answer in JSON.

Read are only statements that stand plainly at the start of a sentence or line: 'Winner: A', '[[A]]', '[[A>>B]]',
'A is much better', 'Score A: 7', 'Score: 7'. What is quoted, negated, hedged or conditional is not a statement; the last plain one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from judge_core.records.verdict import Degree, Winner

_QUOTED = re.compile(
    r"```.*?```|\"[^\"]{0,1000}\"|“[^”]{0,1000}”|«[^»]{0,1000}»|„[^“”]{0,1000}[“”]|`[^`\n]*`|^[ \t]*>.*?$", re.M | re.S
)
_SENTENCE_END = re.compile(r"\n+|(?<=[.;!?])\s+")
_LONGEST_SENTENCE = 400
LONGEST_PROSE = 10_000
"""A verdict in prose is short; what is longer is a text, and no statement in it counts."""
_HEDGE = re.compile(
    r"\b(?:not|no|never|cannot|without|unless|if|would|could|might|may|perhaps|maybe)\b|n['’]t\b|\?", re.IGNORECASE
)
_FILLER = r"[\W_]*(?:(?:so|thus|hence|therefore|overall|the|my|final)\b[\W_]*){0,4}"
_SIDE = r"(?:(?:text|response|answer|essay|option|candidate)[\s_]*)?"
_NAME = r"(?P<name>A|B|C|tie|tied|draw|both|equal|neither|none)\b"
_TAIL = r"(?=[\W_]*(?:$|(?:because|since|as)\b)|\s*(?:\(|[-–—]\s))"
_WINNER = re.compile(
    _FILLER + r"(?:winner|verdict|decision|choice|better\s+text)\b[\W_]*(?:is\b)?[\W_]*" + _SIDE + _NAME + _TAIL, re.I
)
_BRACKETED = re.compile(r"[\W_]*\[\[\s*" + _SIDE + _NAME + r"\s*\]\][\W_]*$", re.IGNORECASE)
_DEGREES: dict[str, Degree] = {
    **dict.fromkeys(("slightly", "slight", "marginally", "marginal", "somewhat", "narrowly", "a little", "a bit"), "slightly"),
    **dict.fromkeys(("clearly", "clear", "much", "far", "significantly", "considerably", "substantially", "strongly",
                     "decisively", "a lot"), "clearly"),
}  # fmt: skip
_TEXT = r"(?:(?:the\s+)?(?:text|response|answer|essay|option|candidate|assistant)[\s_]*)?"
_DEGREE = "|".join(_DEGREES).replace(" ", r"\s+")
_ARROW = r"\[\[\s*(?P<left>[AB])\s*(?P<sign>>{1,2}|<{1,2}|=)\s*(?P<right>[AB])\s*\]\]"
_ARROWED = re.compile(
    _FILLER + r"(?:(?:winner|verdict|decision|choice)\b[\W_]*(?:is\b)?[\W_]*(?:tie\b[\W_]*)?)?" + _ARROW + r"[\W_]*$",
    re.I,
)
_GRADED = re.compile(
    _FILLER + _TEXT + rf"(?P<side>[AB])\s+is\s+(?P<degree>{_DEGREE})\s+better(?:\s+than\s+{_TEXT}(?!(?P=side))[AB])?"
    rf"(?:[\W_]*{_ARROW})?[\W_]*$", re.I,
)  # fmt: skip
_NUMBER = r"[+-]?\d{1,20}+(?:\.\d{1,20}+)?+"
_VALUE = (
    rf"[\W_]*?(?<![\d.,+-])(?P<value>{_NUMBER})(?![\w%]|,\d|\s*[-–]\s*\d)(?:\s*(?:/|out\s+of)\s*(?P<of>{_NUMBER}))?"
)
_SCORE = re.compile(r"score[\s_]*\(?(?:for|of)?[\s_]*" + _SIDE + r"(?:(?P<side>[AB])\b)?\)?[*_\s]*[:=]" + _VALUE, re.I)
_SCORE_START = re.compile(_FILLER + r"score(?:\b|_)", re.IGNORECASE)

_WINNERS: dict[str, Winner] = {"a": "A", "b": "B"}
_DRAWS = frozenset(
    {
        "c",
        "tie",
        "tied",
        "ties",
        "a tie",
        "it is a tie",
        "draw",
        "drawn",
        "a draw",
        "both",
        "a and b",
        "ab",
        "a/b",
        "a=b",
        "b=a",
    }
    | {
        "equal",
        "equally",
        "both equal",
        "both equally good",
        "even",
        "same",
        "no difference",
        "neither",
        "none",
        "no winner",
    }
)
_PREFIX = re.compile(r"^(?:text|response|answer|essay|option|candidate|the)[\s_-]+", re.IGNORECASE)
_SUFFIX = re.compile(r"\s+(?:wins|won|is better|is the winner)$")


class ProseVerdict(NamedTuple):
    """What was plainly stated; scores by 'A', 'B' or '' (a single text), as native numbers."""

    scores: dict[str, float]
    stated: Winner | None
    degree: Degree | None = None
    """How far the stated winner is ahead."""


class _Graded(NamedTuple):
    winner: Winner
    degree: Degree | None


def stated_winner(value: object) -> Winner | None:
    """A judge's word for the winner; None where it is no known spelling.

    >>> [stated_winner(word) for word in ("A", "[[B]]", "**Text A**", "TIE", "both", "C", "Berlin", 7)]
    ['A', 'B', 'A', 'tie', 'tie', 'tie', None, None]
    """
    if not isinstance(value, str) or len(value) > 60:
        return None
    bare = " ".join(value.strip(" \t\r\n*_`'\"[](){}.!:").split()).lower()
    bare = _SUFFIX.sub("", _PREFIX.sub("", bare))
    return _WINNERS.get(bare) or ("tie" if bare.replace(" = ", "=") in _DRAWS else None)


def stated_degree(value: object) -> Degree | None:
    """A judge's word for how far the winner is ahead; None where it is no known spelling.

    >>> [stated_degree(word) for word in ("slightly", "**Clearly**", "much better", "A little", "none", 2)]
    ['slightly', 'clearly', 'clearly', 'slightly', None, None]
    """
    if not isinstance(value, str) or len(value) > 60:
        return None
    bare = " ".join(value.strip(" \t\r\n*_`'\"[](){}.!:").split()).lower()
    return _DEGREES.get(bare.removesuffix(" better"))


def graded_winner(value: object) -> tuple[Winner | None, Degree | None]:
    """The winner and the degree in one statement, such as 'A>>B', '[[B>A]]', 'A is much better'.

    >>> [(*graded_winner(said),) for said in ("A>>B", "[[B > A]]", "[[A=B]]", "A is slightly better than B.", "A>A")]
    [('A', 'clearly'), ('B', 'slightly'), ('tie', None), ('A', 'slightly'), (None, None)]
    """
    if not isinstance(value, str) or len(value) > 60:
        return None, None
    said = value.strip()
    return _arrow(said) or _arrow(f"[[{said}]]") or _remark(said) or (None, None)


def read_statements(prose: str, scale_max: float | None) -> ProseVerdict:
    """All plain statements of a prose reply; the last of each kind counts.

    A score 'x/y' counts only where y is `scale_max`; no score counts where `scale_max` is None.

    >>> read_statements("Score A: 7.5/10. Score B: 6/10. Winner: A", 10).stated
    'A'
    >>> read_statements("I would not say Winner: A without more context.", 10).stated is None
    True
    """
    scores: dict[str, float] = {}
    verdict: _Graded | None = None
    remarks: set[_Graded] = set()
    for sentence in _sentences(prose):
        verdict = _arrow(sentence) or _winner(sentence) or verdict
        remarks |= {said for said in (_remark(sentence),) if said}
        if scale_max is not None and _SCORE_START.match(sentence):
            scores.update(_scores(sentence, scale_max))
    return ProseVerdict(scores, *_with_degree(verdict, remarks))


def _with_degree(verdict: _Graded | None, remarks: set[_Graded]) -> _Graded | tuple[None, None]:
    """What is said by the way ('A is much better.') fills in what the verdict leaves open, where all of it agrees."""
    if len(remarks) != 1 or verdict and verdict.degree:
        return verdict or (None, None)
    [said] = remarks
    return said if verdict is None or verdict.winner == said.winner else verdict


def _sentences(prose: str) -> Iterator[str]:
    if len(prose) > LONGEST_PROSE:
        return
    for sentence in _SENTENCE_END.split(without_quotes(prose)):
        if len(sentence) <= _LONGEST_SENTENCE and not _HEDGE.search(sentence):
            yield sentence


def without_quotes(prose: str) -> str:
    """The prose with all that is quoted or fenced in it replaced by a sign.

    >>> without_quotes("It says 'x' and \\"Winner: A\\".")
    "It says 'x' and  … ."
    """
    return _QUOTED.sub(" … ", prose)


def _winner(sentence: str) -> _Graded | None:
    match = _BRACKETED.match(sentence) or _WINNER.match(sentence)
    winner = stated_winner(match["name"]) if match else None
    return _Graded(winner, None) if winner else None


def _arrow(sentence: str) -> _Graded | None:
    """The verdict of an arrow such as [[A>>B]]; None also where the words before it or its two ends do not fit it."""
    match = _ARROWED.match(sentence) or _GRADED.match(sentence)
    if match is None or match["sign"] is None or match["left"].upper() == match["right"].upper():
        return None
    if match["sign"] == "=":
        found = _Graded("tie", None)
    else:
        ahead = match["left"] if match["sign"][0] == ">" else match["right"]
        found = _Graded(_WINNERS[ahead.lower()], "clearly" if len(match["sign"]) == 2 else "slightly")
    return found if match.re is _ARROWED or found == _in_words(match) else None


def _remark(sentence: str) -> _Graded | None:
    """The better text and by how much, in words."""
    match = _GRADED.match(sentence)
    return _in_words(match) if match and match["sign"] is None else None


def _in_words(match: re.Match[str]) -> _Graded:
    return _Graded(_WINNERS[match["side"].lower()], _DEGREES[" ".join(match["degree"].lower().split())])


def _scores(sentence: str, scale_max: float) -> dict[str, float]:
    return {
        (match["side"] or "").upper(): float(match["value"])
        for match in _SCORE.finditer(sentence)
        if match["of"] is None or float(match["of"]) == scale_max
    }
