"""How a text is named inside a chart: one short line, without anything that a chart would take for markup."""

from __future__ import annotations

import re
from collections.abc import Mapping

LONGEST = 28
"""Characters of a label that are shown; the whole name stands in the table beside the chart."""
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]+")


def plain_label(alias: str, labels: Mapping[str, str] | None = None, longest: int = LONGEST) -> str:
    """The text's label, or its alias, as one short line; control and direction-changing characters become spaces.

    >>> plain_label("E-001", {"E-001": "two\\nlines and " + "very " * 9})
    'two lines and very very ver…'
    """
    line = " ".join(_INVISIBLE.sub(" ", (labels or {}).get(alias, alias)).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def markup_safe(line: str) -> str:
    """The line for Plotly, which reads a few tags, entities and $formulas$: each is written as an entity.

    >>> markup_safe("<b>5 & $x$")
    '&lt;b&gt;5 &amp; &#36;x&#36;'
    """
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")


def plotly_label(alias: str, labels: Mapping[str, str] | None = None, longest: int = LONGEST) -> str:
    """The text's label for a Plotly figure."""
    return markup_safe(plain_label(alias, labels, longest))


def canvas_label(alias: str, labels: Mapping[str, str] | None = None) -> str:
    """The text's label for ECharts, which draws text as it stands: angle brackets become look-alikes, braces round ones.

    >>> canvas_label("E-001", {"E-001": "<img src=x> {b}"})
    '‹img src=x› (b)'
    """
    return plain_label(alias, labels).translate(str.maketrans("<>{}", "‹›()"))
