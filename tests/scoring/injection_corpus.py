"""Texts that try to steer their judge, made by pattern for measuring the scanner; and which patterns are held out.

`injection_patterns.jsonl` holds the patterns, one a line: name, family, part, forms with slots, and a disguise where
the pattern is one. A pattern's part follows from its name alone (`part_of`), so nothing that is found can move it. The
sentences that stand in the slot `{order}` are patterns of the family `order`: each part takes those of its own.
"""

from __future__ import annotations

import base64
import codecs
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from urllib.parse import quote

PATTERNS = Path(__file__).with_name("injection_patterns.jsonl")
DEVELOPMENT, HOLD_OUT = "development", "hold_out"
VARIANTS = 4
WORKS = ("essay", "answer", "text", "response", "submission", "article", "paper")
TOPS = ("10", "10/10", "full marks", "the highest score", "5 out of 5", "a perfect score")
CARRIERS = (
    "A park is more than a patch of grass. On hot afternoons the older trees throw a shade that the street never had, and people slow down under it.",
    "The council spent two winters counting visitors. Most came on foot, many with children, and nearly all of them said that they would come again.",
    "Opponents name the cost of upkeep. It is real, yet a mown meadow costs less than a mown lawn, and a meadow feeds bees.",
    "My grandmother kept a small garden behind the bakery. She used to say that beans teach patience better than any school.",
    "Benches matter as well. Where there is a place to sit, neighbours talk, and where they talk, quarrels about noise are settled early.",
    "In conclusion, a town that plants today will thank itself in twenty years, when the saplings have become a roof.",
)
LINED = ("boundary", "verdict", "role", "tool")
"""Families that stand on lines of their own; the others may stand within a paragraph."""
PLACES = ("start", "middle", "end", "middle")

REAL: dict[str, tuple[str, tuple[str, ...]]] = {
    "ukpconvarg1": ("artifacts.jsonl", ("text",)),
    "pairwisellm": ("essays1000.jsonl", ("text",)),
    "topicalchat": ("artifacts.jsonl", ("text",)),
    "pandalm": ("artifacts.jsonl", ("text",)),
    "llmfao": ("artifacts.jsonl", ("text",)),
    "llmbar": ("artifacts.jsonl", ("text",)),
    "expertqa": ("rag_examples.jsonl", ("answer", "passages")),
    "tau-bench": ("trajectories.jsonl", ("steps",)),
}
"""Of each data set: the file of its texts, and the fields that hold them."""

HOSTILE: dict[str, str] = {
    "letters": "a", "spaced letters": "a ", "dotted letters": "a.", "blanks": " ", "line ends": "\n", "blank lines": " \n",
    "marks": "<<<", "rules": "=-", "open tags": "<text ", "open brackets": "[END ", "verbs": "ignore the ", "give": "give ",
    "please": "please give this essay ", "digits": "0123456789", "base64": "SWdub3JlIGFsbA", "percent": "%49%67",
    "entities": "&#73;", "zero width": "a\u200b", "tags": "\U000e0041", "joiners": "\u200d", "accents": "e\u0301\u0335",
    "cyrillic": "а", "arabic": "تجاهل ", "chinese": "请给", "ignore": "忽略", "quotes": "{\"winner\" ", "colons": "system:",
    "morse": ".- ", "bits": "01 ", "ligatures": "\ufdfa", "braces": "{\"", "comments": "<!-- ", "escapes": "\\u0049",
    "labels": "winner : ", "label and stars": "verdict **", "scores": "score: ", "ends": "the text ends ", "tops": "give this 10 full ",
    "duties": "you must give ", "notes": "note for ai ", "claims": "mark claims ", "lines": "- - ", "texts": "text a ", "rotated": "tvir zhfg ",
    "reversed": "siht erocs ", "russian": "поставь балл ", "korean": "만점 주세", "morse words": ".... . / ", "numbers": "73 103 ", "quoted keys": "\"verdict\" ",
}  # fmt: skip
"""What a hostile text may repeat to make a search slow."""


@dataclass(frozen=True)
class Pattern:
    name: str
    family: str
    part: str
    forms: tuple[str, ...]
    disguise: str | None


@dataclass(frozen=True)
class Attempt:
    """One text with one attempt in it."""

    pattern: str
    family: str
    part: str
    text: str


def part_of(name: str) -> str:
    """A third of the names is held out, by their SHA-256."""
    digest = int(hashlib.sha256(name.encode()).hexdigest(), 16)
    return HOLD_OUT if digest % 3 == 0 else DEVELOPMENT


def patterns() -> list[Pattern]:
    rows = [json.loads(line) for line in PATTERNS.read_text(encoding="utf-8").splitlines()]
    return [Pattern(row["name"], row["family"], row["part"], tuple(row["forms"]), row.get("disguise")) for row in rows]


def attempts() -> Iterator[Attempt]:
    """`VARIANTS` texts of each pattern, the same in every run."""
    known = patterns()
    orders = {
        part: [p.forms[0] for p in known if p.family == "order" and p.part == part] for part in (DEVELOPMENT, HOLD_OUT)
    }
    for pattern in known:
        if pattern.family != "order":
            for number in range(VARIANTS):
                text = _text(pattern, number, orders[pattern.part])
                yield Attempt(pattern.name, pattern.family, pattern.part, text)


def hostile(seed: str, length: int = 1_000_000) -> str:
    """A text of so many characters that repeats the seed."""
    return (seed * length)[:length]


def real_texts(folder: Path) -> list[str]:
    """The texts of people and models in a public data set, told by the folder's name."""
    file, fields = REAL[folder.name]
    rows = [json.loads(line) for line in (folder / file).read_text(encoding="utf-8").splitlines()]
    return [text for row in rows for field in fields for text in _strings(row.get(field)) if text.strip()]


def _strings(value: object) -> Iterator[str]:
    """A text; or the texts of a list of passages or steps."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for entry in value:
            yield from _strings(entry.get("text") or entry.get("content"))
            yield from (call["arguments"] for call in entry.get("tool_calls") or ())


def _text(pattern: Pattern, number: int, orders: list[str]) -> str:
    draw = Random(f"{pattern.name}:{number}")
    order = _filled(draw.choice(orders), draw)
    if pattern.disguise:
        order = DISGUISES[pattern.disguise](order)
    attempt = _filled(pattern.forms[number % len(pattern.forms)], draw).replace("{order}", order)
    before, after = draw.sample(CARRIERS, 2)
    joint = draw.choice(("\n\n", "\n") if pattern.family in LINED or "\n" in attempt else ("\n\n", "\n", " "))
    pieces = {"start": (attempt, before, after), "middle": (before, attempt, after), "end": (before, after, attempt)}
    return joint.join(pieces[PLACES[number % len(PLACES)]])


def _filled(form: str, draw: Random) -> str:
    work, side, top = draw.choice(WORKS), draw.choice("AB"), draw.choice(TOPS)
    slots = {"{work}": work, "{WORK}": work.upper(), "{side}": side, "{top}": top}
    for slot, value in slots.items():
        form = form.replace(slot, value)
    return form


def _by_letter(source: str, target: str) -> Callable[[str], str]:
    return lambda text: text.translate(str.maketrans(source, target))


def _shifted(small: int, capital: int) -> Callable[[str], str]:
    """Letters of a block of Unicode that runs like the alphabet."""
    lower = {ord("a") + i: chr(small + i) for i in range(26)}
    upper = {ord("A") + i: chr(capital + i) for i in range(26)}
    return lambda text: text.translate({**lower, **upper})


def _between(mark: str, every: int = 1) -> Callable[[str], str]:
    """The mark after each n-th letter that another letter follows."""

    def disguised(text: str) -> str:
        pairs = zip(text, text[1:] + " ", strict=True)
        return "".join(
            c + mark if c.isalpha() and d.isalpha() and i % every == 0 else c for i, (c, d) in enumerate(pairs)
        )

    return disguised


def _swapped(text: str) -> str:
    """Two inner letters of each longer word changed about."""
    return " ".join(w[0] + w[2] + w[1] + w[3:] if len(w) > 4 and w.isalpha() else w for w in text.split(" "))


def _bits(text: str) -> str:
    return (
        "Parks"
        + "".join(f"{ord(c):08b}" for c in text if ord(c) < 256).translate({48: "\u200b", 49: "\u200c"})
        + " cool."
    )


MORSE = dict(zip("abcdefghijklmnopqrstuvwxyz", ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..".split(), strict=True))  # fmt: skip  # noqa: SIM905
SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ"
SUPERSCRIPT = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖqʳˢᵗᵘᵛʷˣʸᶻ"
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
DISGUISES: dict[str, Callable[[str], str]] = {
    "cyrillic": _by_letter("aeopcxyisj", "аеорсхуіѕј"),
    "greek": _by_letter("oavpuikn", "οανρυικη"),
    "leet": _by_letter("aeiost", "431057"),
    "full_width": _shifted(0xFF41, 0xFF21),
    "spaced": lambda text: " ".join(text.replace(" ", "")),
    "dotted": _between("."),
    "math_bold": _shifted(0x1D41A, 0x1D400),
    "small_capitals": lambda text: text.lower().translate(str.maketrans(ALPHABET, SMALL_CAPITALS)),
    "stacked_marks": _between("\u0335\u0301"),
    "fused": lambda text: text.replace(" ", ""),
    "typos": _swapped,
    "reversed": lambda text: text[::-1],
    "circled": _shifted(0x24D0, 0x24B6),
    "underscored": lambda text: text.replace(" ", "_"),
    "mixed_case": lambda text: "".join(c.upper() if i % 2 else c.lower() for i, c in enumerate(text)),
    "split_lines": lambda text: text.replace(" ", "\n"),
    "regional_letters": lambda text: text.upper().translate({65 + i: chr(0x1F1E6 + i) for i in range(26)}),
    "superscript": lambda text: text.lower().translate(str.maketrans(ALPHABET, SUPERSCRIPT)),
    "zero_width_space": _between("\u200b", 2),
    "zero_width_joiner": _between("\u200d", 2),
    "word_joiner": _between("\u2060", 3),
    "soft_hyphen": _between("\u00ad"),
    "tag_characters": lambda text: "Parks cool." + "".join(chr(0xE0000 + ord(c)) for c in text if ord(c) < 128),
    "override": lambda text: f"\u202e{text[::-1]}\u202c",
    "isolates": lambda text: " ".join(f"\u2067{word[::-1]}\u2069" for word in text.split()),
    "selectors": lambda text: "Parks" + "".join(chr(0xFE00 + ord(c) % 16) + chr(0xE0100 + ord(c) // 16) for c in text),
    "invisible_operators": _between("\u2062", 2),
    "zero_width_bits": _bits,
    "filler": _between("\u3164", 3),
    "combining_joiner": _between("\u034f"),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "percent": lambda text: quote(text, safe=""),
    "hexadecimal": lambda text: text.encode().hex(),
    "entities": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "unicode_escapes": lambda text: "".join(f"\\u{ord(c):04x}" for c in text),
    "morse": lambda text: " / ".join(" ".join(MORSE.get(c, c) for c in w) for w in text.lower().split()),
    "binary": lambda text: " ".join(f"{ord(c):08b}" for c in text),
    "decimal_codes": lambda text: " ".join(str(ord(c)) for c in text),
}  # fmt: skip
