"""What texts are called: file names without their path, names fit to be shown, and titles.

Names come from outside. They are labels only: nothing here opens, creates or looks up a file.
"""

from __future__ import annotations

import re
import unicodedata

NO_NAME = "(no name)"
JOINERS = "\u200c\u200d"
"""Zero-width joiners: part of the spelling in Persian and Indic scripts, and of emoji."""
GUARDED = re.compile(r"'(?=[=+\-@\t\r])")


def shown(name: str) -> str:
    """The name in one line: control characters become spaces, direction marks go, broken characters are marked.

    >>> shown("essay\\u202efdp.md"), shown("line\\nbreak.md")
    ('essayfdp.md', 'line break.md')
    """
    return "".join(_shown_character(character) for character in name)


def _shown_character(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    if category == "Cs":
        return "\ufffd"
    return "" if category == "Cf" and character not in JOINERS else character


def base_name(name: str) -> str:
    """The last part of a path of any system, fit to be shown.

    >>> base_name("../../etc/passwd.md"), base_name("C:\\\\temp\\\\essay.md"), base_name("..")
    ('passwd.md', 'essay.md', '(no name)')
    """
    parts = [part for part in re.split(r"[\\/]", shown(name)) if part]
    last = parts[-1] if parts else ""
    return NO_NAME if not last.strip() or last in (".", "..") else last


def title_of(file_name: str) -> str:
    """The file name without its ending.

    >>> title_of("My essay.docx"), title_of(".hidden.md"), title_of("Nr. 7"), title_of("   .md")
    ('My essay', '.hidden', 'Nr. 7', '(no name)')
    """
    stem = re.sub(r"(?<=.)\.[A-Za-z0-9]{1,5}$", "", file_name)
    return stem.strip() or NO_NAME


def brief(name: str, length: int = 60) -> str:
    """The name in quotes for a message, cut in the middle where it is long.

    >>> brief("essay.md")
    "'essay.md'"
    """
    one_line = shown(name)
    if len(one_line) > length:
        half = length // 2 - 1
        one_line = f"{one_line[:half]}…{one_line[-half:]}"
    return f"'{one_line}'"


def plain_path(path: str, length: int = 160) -> str:
    """A path inside an archive or folder as a label: one line, cut in the middle where it is long."""
    return brief(path, length)[1:-1]


def ending(name: str) -> str:
    """The ending in lower case, without its dot.

    >>> ending("Essays.CSV"), ending("README")
    ('csv', '')
    """
    found = re.search(r"\.([A-Za-z0-9]{1,5})\s*$", name)
    return found.group(1).lower() if found else ""


def without_guard(cell: str) -> str:
    """The cell without the apostrophe by which spreadsheets are kept from running it as a formula.

    >>> without_guard("'=SUM(A1)"), without_guard("'tis"), without_guard("-7")
    ('=SUM(A1)', "'tis", '-7')
    """
    return cell[1:] if GUARDED.match(cell) else cell


def same_look(name: str) -> str:
    """A key that is equal for names which look equal: one Unicode form, nothing invisible.

    >>> same_look("cafe\\u0301") == same_look("caf\\u00e9"), same_look("E1") == same_look("e1")
    (True, False)
    """
    return unicodedata.normalize("NFC", shown(name).translate(dict.fromkeys(map(ord, JOINERS))))
