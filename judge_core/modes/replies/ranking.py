"""Rankings: matching the labels that a reply names to those that were asked for, and whether they make a whole ranking.

Every label must be named once. Of three or more, one may be left out: it has only the last place left. Whatever could
be read in two ways (a label twice, an unknown one, a tie) is refused, never guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from judge_core.modes.replies.json_reading import CUT
from judge_core.records.errors import ReplyError
from judge_core.records.notices import explain
from judge_core.records.record import Notice, Record

NOUN = r"(?:candidate|proposal|version|text|answer|option|response|essay|draft|entry|number|no\.|#)"
"""What a judge may write before a label."""
_BEFORE = re.compile(rf"\A{NOUN}[\s_]*", re.IGNORECASE)
_EMPHASIS = " \t\r\n*_`#\"'[](){}.:"
_PLAIN_LABEL = re.compile(r"\w[\w .\-]{0,59}")
_FEWEST_TO_COMPLETE = 3
"""With two labels, one name alone is a winner and no ranking."""


class ListQuote(Record):
    """A passage that the judge quotes from a candidate."""

    label: str
    text: str


class ListReading(Record):
    """A ranking reply as read. Labels are those shown to the judge."""

    ranking: tuple[str, ...]
    """Every label once, best first."""
    overall: str = ""
    """The judge's reasoning, exactly as written."""
    quotes: tuple[ListQuote, ...] = ()
    warnings: tuple[Notice, ...] = ()


class Labels:
    """The labels that were asked for, or, where nobody said which (None), those that a reply names."""

    def __init__(self, labels: Sequence[str] | None):
        self.known = None if labels is None else tuple(labels)
        folded = Counter(label.casefold() for label in self.known or ())
        self._folded = {label.casefold(): label for label in self.known or () if folded[label.casefold()] == 1}

    def find(self, name: str) -> str | None:
        """The label of that name, exactly or but for case, emphasis and a noun before it; None where it is none."""
        if self.known is None:
            bare = name.strip()
            return bare if _PLAIN_LABEL.fullmatch(bare) else None
        if name in self.known:
            return name
        bare = name.strip(_EMPHASIS)
        for tried in (bare, _BEFORE.sub("", bare, count=1).strip(_EMPHASIS)):
            label = tried if tried in self.known else self._folded.get(tried.casefold())
            if label is not None:
                return label
        return None

    def whole(self, named: Sequence[str], may_complete: bool) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
        """The whole ranking of the labels named (each as `find` gives it), best first, and what is to be said about it.

        Raises ReplyError: `repeated_label`, `incomplete`. Labels that nobody asked for but for case are taken for one.
        """
        distinct = {name if self.known else name.casefold() for name in named}
        if len(distinct) < len(named):
            raise ReplyError("repeated_label", "The ranking names a label more than once.")
        missing = [label for label in self.known or () if label not in distinct]
        if not missing and len(named) > 1:
            return tuple(named), ()
        if may_complete and len(missing) == 1 and self.known and len(self.known) >= _FEWEST_TO_COMPLETE:
            notice = Notice(code="ranking_completed", message=explain("ranking_completed"))
            return (*named, missing[0]), (notice,)
        raise ReplyError("incomplete", self.demand)

    @property
    def demand(self) -> str:
        """What a ranking has to hold, in words that repeat nothing of a reply."""
        if self.known is None:
            return "The ranking names fewer than two labels."
        return f"The ranking does not hold every label once. The labels are: {', '.join(self.known)}."


def unknown_label(labels: Labels) -> ReplyError:
    """The error for an entry that is no label."""
    known = "" if labels.known is None else f" The labels are: {', '.join(labels.known)}."
    return ReplyError("unknown_label", f"The ranking holds something that is no label.{known}")


def cut_ranking() -> ReplyError:
    """The error for a ranking that may have gone on behind the token limit."""
    return ReplyError("truncated", CUT)
