"""The demo judge's replies in a refinement tournament: a critique, a revision, a synthesis, a ranking; all in prose.

The versions alone decide, by their faults and statistics. Nothing that a text, a critique or a note says is taken as an order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from judge_core.providers.offline.grades import counted, grade
from judge_core.providers.offline.revising.faults import KINDS, Fault, faults_of, mended
from judge_core.providers.offline.sheets import LABEL, Shown
from judge_core.providers.offline.text_statistics import TextStatistics, words_of
from judge_core.records.criteria import Criterion

MOST_NAMED = 20
"""Problems that a critique names, the gravest first."""
LOST = 0.5
"""A version with less than this share of the longest one's words has lost its text, and comes last."""
NOTHING = "No problems."
_GAP = re.compile(r"\n\s*\n")


def critique(shown: Shown, _statistics: Sequence[TextStatistics]) -> str:
    """The text's faults as a numbered list, the gravest first, each with where it stands."""
    text = shown.first("text")
    faults = sorted(faults_of(text), key=lambda fault: (KINDS.index(fault.kind), fault.start))
    if not faults:
        return f"{NOTHING}\n\n{LABEL}"
    lines = [f"{number}. {_named(fault, text)}" for number, fault in enumerate(faults[:MOST_NAMED], start=1)]
    more = len(faults) - len(lines)
    return "\n".join([*lines, *([f"And {more} more of these kinds."] if more else []), "", LABEL])


def revision(shown: Shown, _statistics: Sequence[TextStatistics]) -> str:
    """The text with what a rule can mend; word for word the same where there is nothing."""
    text = shown.first("text")
    better = mended(text)
    fewer = len(faults_of(text)) - len(faults_of(better))
    said = "Nothing was changed." if better == text else f"{counted(fewer, 'problem')} mended."
    return _whole(better, said)


def synthesis(shown: Shown, _statistics: Sequence[TextStatistics]) -> str:
    """Of two versions with as many paragraphs the better paragraphs, else the better version: the one with fewer faults."""
    x, y = shown.of("version")
    parts = [_GAP.split(text) for text in (x, y)]
    if x == y:
        return _whole(x, "Both versions are the same.")
    if len(parts[0]) != len(parts[1]):
        return _whole(_better(x, y), "The version with fewer problems was taken.")
    gaps = _GAP.findall(_better(x, y))
    taken = [_better(one, other) for one, other in zip(*parts, strict=True)]
    merged = "".join(part for pair in zip(taken, [*gaps, ""], strict=True) for part in pair)
    return _whole(merged, "Of each paragraph the version with fewer problems was taken.")


def vote(shown: Shown, statistics: Sequence[TextStatistics]) -> str:
    """The versions by their number of faults, then by the grades of their statistics. Equal ones stay in the order shown.

    One that lost more than half of the longest one's words comes last: an empty text has no faults.
    """
    versions, criteria = shown.of("version"), shown.sheet.rubric.criteria
    faults = [faults_of(text) for text in versions]
    most = max(text.words for text in statistics)
    lost = [text.words < LOST * most for text in statistics]
    grades = [_grade(text, criteria) for text in statistics]
    best = sorted(range(len(versions)), key=lambda at: (lost[at], len(faults[at]), -round(grades[at], 9)))
    said = [
        f"Version {at + 1}: {_counted(faults[at])}, {counted(statistics[at].words, 'word')}, "
        f"text statistics {100 * grades[at]:.0f} of 100{', most of the text is gone' if lost[at] else ''}."
        for at in range(len(versions))
    ]
    return "\n".join([*said, LABEL, "", f"RANKING: {', '.join(str(at + 1) for at in best)}"])


def _named(fault: Fault, text: str) -> str:
    words = " ".join(text[max(0, fault.start - 20) : fault.end + 25].split())
    where = text.count("\n\n", 0, fault.start) + 1
    return f"{fault.kind.capitalize()} in paragraph {where}: “… {words} …”"


def _counted(faults: Sequence[Fault]) -> str:
    kinds = Counter(fault.kind for fault in faults).most_common(3)
    named = f" ({', '.join(f'{number} {kind}' for kind, number in kinds)})" if kinds else ""
    return f"{counted(len(faults), 'problem')}{named}"


def _grade(text: TextStatistics, criteria: Sequence[Criterion]) -> float:
    return fmean(grade(text, criterion) for criterion in criteria)


def _better(one: str, other: str) -> str:
    """The text with fewer faults, then with fewer words, whichever comes first; one that lost its words is none."""
    sizes = [max(1, len(words_of(text))) for text in (one, other)]
    if min(sizes) < LOST * max(sizes):
        return one if sizes[0] > sizes[1] else other
    return min((one, other), key=lambda text: (len(faults_of(text)), len(words_of(text)), text))


def _whole(text: str, said: str) -> str:
    return f"{said} {LABEL}\n<text>\n{text}\n</text>"
