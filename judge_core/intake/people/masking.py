"""Names of people in texts: finding candidates, and replacing them before a judge sees the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from judge_core.intake.formats.tables import heading_key
from judge_core.intake.naming import title_of
from judge_core.intake.people.roster import NAME_HEADINGS
from judge_core.records.artifact import Artifact
from judge_core.records.record import Notice, text_hash
from judge_core.scoring.counting import count_characters, count_words

MASK = "[name]"
SHORTEST = 2
"""Names of fewer letters are never masked: they are initials, and would hit everywhere."""
_PARTICLES = "von van der den de del della di da do dos du la le bin ibn al el und and of the"
_FILE_WORDS = (
    "essay text draft final version copy document untitled new homework assignment exam test paper answer response "
    "student class group task unit part page essai aufsatz entwurf kopie klasse copia ensayo scan upload submission "
    "report article notes story summary review letter january february march april may june july august september "
    "october november december"
)
PARTICLES = frozenset(_PARTICLES.split())
NO_NAMES = PARTICLES | frozenset(_FILE_WORDS.split())
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_BEFORE, _AFTER = r"(?<![^\W_])(?<![\u0300-\u036f])", r"(?![^\W_]|[\u0300-\u036f])"


def mask_names(artifacts: Sequence[Artifact], names: Sequence[str]) -> tuple[Artifact, ...]:
    """The artifacts with each name replaced by `[name]`, counted and hashed anew, with a notice of the count.

    Names match as whole words in any case and Unicode form; in scripts without blanks, wherever they stand. Longer
    names go first, so that a full name becomes one mask.
    """
    pattern = _pattern(names)
    return tuple(artifacts) if pattern is None else tuple(_masked(artifact, pattern) for artifact in artifacts)


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    plain = {" ".join(unicodedata.normalize("NFC", name).split()) for name in names}
    wanted = sorted((name for name in plain if len(name) >= SHORTEST), key=lambda name: (-len(name), name))
    spellings = [spelling for name in wanted for spelling in _spellings(name)]
    return re.compile("|".join(spellings), re.IGNORECASE) if spellings else None


def _spellings(name: str) -> Iterator[str]:
    """The name as a pattern, composed and (where that differs) decomposed."""
    for form in dict.fromkeys((name, unicodedata.normalize("NFD", name))):
        body = r"\s+".join(re.escape(word) for word in form.split())
        yield body if _UNSPACED.search(name) else f"{_BEFORE}{body}{_AFTER}"


def _masked(artifact: Artifact, pattern: re.Pattern[str]) -> Artifact:
    text, count = pattern.subn(MASK, artifact.text)
    if not count:
        return artifact
    message = f"{count} name{'s' if count > 1 else ''} in the text masked before judging."
    return artifact.model_copy(
        update={
            "text": text,
            "sha256": text_hash(text),
            "words": count_words(text),
            "characters": count_characters(text),
            "warnings": (*artifact.warnings, Notice(code="names_masked", message=message)),
        }
    )


def names_in(artifacts: Sequence[Artifact]) -> tuple[str, ...]:
    """Candidates for masking, for a person to check: names in roster columns, and capitalised words of file names."""
    found: dict[str, None] = {}
    for artifact in artifacts:
        for column, value in artifact.columns.items():
            if heading_key(column.removeprefix("roster: ")) in NAME_HEADINGS:
                found |= dict.fromkeys(_with_parts(value))
        if artifact.title == title_of(artifact.id) != artifact.id:
            found |= dict.fromkeys(_capitalised(artifact.title))
    return tuple(found)


def _with_parts(value: str) -> Iterator[str]:
    words = [word for word in re.split(r"[\s,;]+", value) if any(c.isalpha() for c in word)]
    if len(words) > 1 and "," not in value:
        yield " ".join(words)
    yield from (word for word in words if len(word.strip(".")) >= SHORTEST and word.casefold() not in PARTICLES)


def _capitalised(title: str) -> Iterator[str]:
    for word in re.split(r"[\W_\d]+", unicodedata.normalize("NFC", title)):
        named = word[:1].isupper() and word[1:].islower()
        if named and word.casefold() not in NO_NAMES:
            yield word
