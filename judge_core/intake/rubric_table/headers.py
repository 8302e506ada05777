"""What the headers of a rubric's table say: which role a column has, and which score and label a level has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

Role = Literal["name", "description", "weight", "scale_min", "scale_max", "marking", "level", "unknown"]

NAME_WORDS = frozenset(
    [
        "criterion",
        "criteria",
        "dimension",
        "dimensions",
        "aspect",
        "aspects",
        "trait",
        "traits",
        "category",
        "element",
        "objective",
        "objectives",
        "standard",
        "skill",
        "skills",
        "name",
        "kriterium",
        "kriterien",
        "merkmal",
        "aspekt",
        "critère",
        "critères",
        "criterio",
        "criterios",
    ]
)
DESCRIPTION_WORDS = frozenset(
    [
        "description",
        "desc",
        "definition",
        "explanation",
        "details",
        "indicators",
        "beschreibung",
        "erläuterung",
        "descripción",
    ]
)
WEIGHT_WORDS = frozenset(
    ["weight", "weights", "weighting", "percent", "percentage", "gewicht", "gewichtung", "anteil", "poids", "peso"]
)
POINT_WORDS = frozenset(["points", "point", "pts", "pt", "marks", "mark", "max", "maximum", "punkte", "value"])
MARKING_WORDS = frozenset(
    [
        "score",
        "scored",
        "comment",
        "comments",
        "feedback",
        "note",
        "notes",
        "total",
        "earned",
        "awarded",
        "result",
        "grade",
        "bemerkung",
        "kommentar",
    ]
)
SCALE_HEADERS: dict[str, Role] = {
    "scale min": "scale_min", "min": "scale_min", "minimum": "scale_min", "lowest": "scale_min",
    "scale max": "scale_max", "max": "scale_max", "maximum": "scale_max", "highest": "scale_max",
}  # fmt: skip
STEPS = {
    4: "excellent outstanding exemplary advanced expert mastery mastered exceeds exceeding distinguished superior hervorragend",
    3: "good proficient accomplished competent skilled meets meeting satisfactory strong sound gut",
    2: "fair developing adequate basic partial approaching average sufficient befriedigend ausreichend",
    1: "poor beginning emerging novice weak limited unsatisfactory inadequate below insufficient missing mangelhaft ungenügend",
}
"""Words for levels, from the best (4) to the weakest (1). They tell the direction of columns that have no scores."""
STEP_OF = {word: step for step, words in STEPS.items() for word in words.split()}
LONGEST_HEADER = 40
TOTAL_NAMES = frozenset(("total", "total score", "total points", "sum", "gesamt", "summe", "insgesamt"))
_UNITS = r"(?:points?|pts?|marks?|punkte?|%)"
_NUMBER = r"\d+(?:[.,]\d+)?"
_SCORE = re.compile(rf"({_NUMBER})(?:\s*(?:-|\u2013|\u2014|to|bis)\s*({_NUMBER}))?\s*{_UNITS}?\.?(?!\w)", re.IGNORECASE)
_GENERIC = frozenset(["level", "score", "grade", "band", "stage", "stufe", "niveau", "note"])


class LevelHeader(NamedTuple):
    """A level column's header. `score` is None where it holds no number; a range counts with its upper end."""

    label: str
    low: float | None
    score: float | None


def words_of(header: str) -> list[str]:
    """The header's words in lower case, without signs; '%' counts as 'percent'.

    >>> words_of("Weight (in %)")
    ['weight', 'in', 'percent']
    """
    return re.findall(r"\w+", header.casefold().replace("%", " percent ").replace("_", " "))


def role_of(header: str) -> Role:
    """What a column with this header most likely holds.

    >>> [role_of(header) for header in ("Criterion", "4 points", "Weight (100)", "Excellent", "Comments", "Why")]
    ['name', 'level', 'weight', 'level', 'marking', 'unknown']
    """
    words = words_of(header)
    digits = any(word.isdecimal() for word in words)
    if (known := SCALE_HEADERS.get(" ".join(words))) is not None:
        return known
    if len(header) > LONGEST_HEADER or not words:
        return "unknown"
    if WEIGHT_WORDS & set(words) and not (digits and words[-1] == "percent"):
        return "weight"
    if digits or STEP_OF.keys() & set(words):
        return "level"
    roles: tuple[tuple[Role, frozenset[str]], ...] = (
        ("marking", MARKING_WORDS), ("description", DESCRIPTION_WORDS), ("name", NAME_WORDS), ("weight", POINT_WORDS),
    )  # fmt: skip
    return next((role for role, known_words in roles if known_words & set(words)), "unknown")


def level_header(header: str) -> LevelHeader:
    """Score and label of a level.

    >>> level_header("4 Excellent"), level_header("Good (6-8 pts)")
    (LevelHeader(label='Excellent', low=4.0, score=4.0), LevelHeader(label='Good', low=6.0, score=8.0))
    >>> level_header("Level 3"), level_header("Poor")
    (LevelHeader(label='Level 3', low=3.0, score=3.0), LevelHeader(label='Poor', low=None, score=None))
    """
    line = " ".join(header.split())
    found = _SCORE.search(line)
    if found is None:
        return LevelHeader(line, None, None)
    ends = [float(number.replace(",", ".")) for number in found.groups() if number]
    rest = f"{line[: found.start()]} {line[found.end() :]}"
    label = " ".join(re.sub(r"[(\[]\s*[)\]]", " ", rest).strip(" -\u2013\u2014:()[]/.,=").split())
    return LevelHeader(line if label.casefold() in _GENERIC else label, min(ends), max(ends))


def best_first(headers: Sequence[str]) -> bool:
    """Whether levels without scores run from the best to the weakest: as their words say, else yes.

    >>> best_first(["Beginning", "Good"]), best_first(["Gold", "Silver"])
    (False, True)
    """
    steps = [
        STEP_OF[word] for header in headers for word in words_of(header)[-1:] + words_of(header)[:1] if word in STEP_OF
    ]
    return not steps or steps[0] >= steps[-1]


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row names the columns: a column is named for what it holds, or several are levels."""
    roles = [role_of(cell) for cell in cells]
    named = {"name", "description", "scale_min", "scale_max"} & set(roles)
    return bool(named) or roles[1:].count("level") >= 2 or ("weight" in roles and not _numeric_rest(cells))


def _numeric_rest(cells: Sequence[str]) -> bool:
    return any(re.fullmatch(rf"\s*{_NUMBER}\s*%?\s*", cell) for cell in cells)


def joined_header(first: Sequence[str], second: Sequence[str]) -> list[str] | None:
    """One header out of two rows where the second goes on: 'Levels' over '4, 3, 2', or 'Good' over '3'. Else None.

    >>> joined_header(["Criterion", "Levels", "Levels"], ["", "2", "1"])
    ['Criterion', '2', '1']
    """
    over = {cell for cell in first if cell.strip() and list(first).count(cell) > 1}
    lower = [cell.strip() for cell in second]
    goes_on = lower[0] in ("", first[0].strip()) and all(len(cell) <= LONGEST_HEADER for cell in lower[1:])
    filled = [cell for cell in lower[1:] if cell]
    scores = bool(filled) and all(level_header(cell).score is not None for cell in filled)
    if not goes_on or not filled or not (over or scores):
        return None
    return [_joined(cell.strip(), below, cell in over) for cell, below in zip(first, lower, strict=True)]


def _joined(above: str, below: str, replaced: bool) -> str:
    if not below or above == below:
        return above
    return below if replaced or not above else f"{above} {below}"
