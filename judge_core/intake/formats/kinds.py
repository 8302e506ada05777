"""What a file is, by its content; the ending of its name only decides between a text and a table of texts."""

from __future__ import annotations

import re
from typing import Literal

from judge_core.intake.formats.archive import open_zip
from judge_core.intake.naming import ending
from judge_core.records.errors import InputError

Kind = Literal["text", "table", "word", "workbook", "pdf", "archive"]
KIND_NAMES: dict[Kind, str] = {
    "text": "plain text",
    "table": "delimited table",
    "word": "Word file",
    "workbook": "Excel workbook",
    "pdf": "PDF",
    "archive": "zip archive",
}
USUAL_ENDINGS: dict[Kind, tuple[str, ...]] = {
    "text": ("txt", "md", "markdown", "text", ""),
    "table": ("csv", "tsv", "tab"),
    "word": ("docx", "docm", "dotx"),
    "workbook": ("xlsx", "xlsm", "xltx"),
    "pdf": ("pdf",),
    "archive": ("zip",),
}
TABLE_ENDINGS = ("csv", "tsv", "tab", "xlsx", "xls", "xlsm", "ods")
TAKEN = "Podium reads Word (.docx), PDF with text, .txt, .md, .csv, .xlsx and .zip."
PICTURE = f"This is a picture. {TAKEN}"
PACKED = "This archive is of a kind that is not read. Save it as .zip."
BINARIES: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", "This is an RTF file. Open it and save it as .docx."),
    (b"\x89PNG\r\n", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"GIF8", PICTURE),
    (b"II*\0", PICTURE),
    (b"MM\0*", PICTURE),
    (b"\x1f\x8b", PACKED),
    (b"Rar!\x1a", PACKED),
    (b"7z\xbc\xaf", PACKED),
    (b"SQLite format 3\0", f"This is a database. {TAKEN}"),
    (b"\x7fELF", f"This is a program. {TAKEN}"),
)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
OLE_STREAMS: tuple[tuple[str, str], ...] = (
    ("EncryptedPackage", "The file is locked with a password. Open it, remove the password and save it again."),
    ("WordDocument", "This is an old Word file (.doc). Open it and save it as .docx."),
    ("Workbook", "This is an old Excel file (.xls). Open it and save it as .xlsx."),
    ("PowerPoint Document", f"This is a presentation. {TAKEN}"),
    ("Book", "This is an old Excel file (.xls). Open it and save it as .xlsx."),
)
OLE_UNKNOWN = "This is an old Office file (.doc or .xls). Open it and save it as .docx or .xlsx."
PACKAGES: tuple[tuple[str, str], ...] = (
    (r"xl/workbook\.bin$", "This is a binary workbook (.xlsb). Save it as .xlsx."),
    (r"ppt/presentation\.xml$", f"This is a presentation. {TAKEN}"),
    (r"content\.xml$", "This is an OpenDocument file. Save it as .docx or .xlsx."),
    (r"Index/Document\.iwa$|index\.apxl$", "This is an Apple iWork file. Export it as Word, Excel or PDF."),
)
PACKAGE_PART = re.compile(r"\[Content_Types\]\.xml$|(?:_rels|docProps|customXml|xl|ppt)/")
BROKEN_PACKAGE = "This is a broken Office file: it holds no document. Open it and save it again as .docx or .xlsx."


def recognise(name: str, data: bytes) -> Kind:
    """The kind of a file. Raises InputError, with the remedy, for kinds that are not read and for empty files."""
    if not data:
        raise InputError("The file is empty.")
    if data.startswith(OLE):
        raise InputError(_ole_remedy(data))
    for mark, message in BINARIES:
        if data.startswith(mark):
            raise InputError(message)
    if b"%PDF-" in data[:1024] and re.search(rb"\d obj\b|%%EOF", data):
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _package_kind(data)
    return _text_kind(name, data)


def _ole_remedy(data: bytes) -> str:
    for stream, message in OLE_STREAMS:
        if stream.encode("utf-16-le") in data:
            return message
    return OLE_UNKNOWN


def _package_kind(data: bytes) -> Kind:
    with open_zip(data) as package:
        names = package.namelist()
    if "[Content_Types].xml" in names:
        if any(name.startswith("word/") for name in names):
            return "word"
        if any(re.match(r"xl/workbook\d*\.xml$", name) for name in names):
            return "workbook"
    marked = "[Content_Types].xml" in names or "mimetype" in names or any(n.startswith("Index/") for n in names)
    for pattern, message in PACKAGES:
        if marked and any(re.match(pattern, name) for name in names):
            raise InputError(message)
    if "[Content_Types].xml" in names and all(name.endswith("/") or PACKAGE_PART.match(name) for name in names):
        raise InputError(BROKEN_PACKAGE)
    return "archive"


def _text_kind(name: str, data: bytes) -> Kind:
    end = ending(name)
    if end in ("json", "jsonl") and data.lstrip()[:1] in (b"{", b"["):
        raise InputError(
            "This is a JSON file. Save texts as .csv, with a column for the text and one for the id; answers with passages and "
            "agent runs are for podium rag and podium agent, or Other jobs."
        )
    if re.match(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)\b", data[:200], re.IGNORECASE):
        raise InputError("This is a web page (HTML). Save it as .docx or .txt, or paste its text.")
    return "table" if end in TABLE_ENDINGS else "text"


def kind_guess(name: str, kind: Kind) -> dict[str, str]:
    """What to tell where a file is not what its name says; empty where it is.

    >>> kind_guess("essays.csv", "workbook"), kind_guess("essays.csv", "table")
    ({'kind': 'Excel workbook (by its content)'}, {})
    """
    if kind == "text" or ending(name) in USUAL_ENDINGS[kind]:
        known = any(ending(name) in ends for other, ends in USUAL_ENDINGS.items() if other != "text")
        if kind != "text" or not known:
            return {}
    return {"kind": f"{KIND_NAMES[kind]} (by its content)"}
