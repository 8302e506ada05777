"""PDF files with a text layer: the text of the pages in their order. Pictures of text are refused, not read."""

from __future__ import annotations

import io
import logging
import unicodedata
from typing import TYPE_CHECKING

from judge_core.intake.formats.tables import Document
from judge_core.records.errors import InputError
from judge_core.scoring.counting import count_words, is_blank

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MAX_PAGES = 2000
FEW_WORDS = 10
"""A page of a picture with fewer words than this is taken for a scan (a scanner's mark, a page number)."""
NO_TEXT = "No text found: this PDF is made of pictures. Podium reads typed text, not handwriting or scans."
LOCKED = "The PDF is locked with a password. Save a copy without one."
BROKEN = "The PDF is broken or empty. Save it again, or copy its text into a .docx or .txt file."
UNREADABLE = "The PDF does not say which letters its signs stand for. Save it again, or as .docx."

# The library logs pieces of broken files; what comes out of a file must not reach a log.
logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)


def read_pdf(data: bytes) -> Document:
    """The text of a PDF. Raises InputError where it is locked, broken, or holds pictures instead of text.

    Hyphens at line ends stay: which of them belong to the word cannot be told.
    """
    reader = _open(data)
    pages = [_page(page) for page in reader.pages]
    if not pages:
        raise InputError(BROKEN)
    scans = [number for number, (text, pictured) in enumerate(pages, 1) if _is_scan(text, pictured)]
    if len(scans) == len(pages):
        raise InputError(NO_TEXT)
    text = "\n".join(text.strip("\n") for text, _ in pages if not is_blank(text))
    if is_blank(text):
        raise InputError(NO_TEXT)
    if _garbled(text):
        raise InputError(UNREADABLE)
    return Document(text=text, problems=(_scan_remark(scans),) if scans else ())


def _open(data: bytes) -> PdfReader:
    from pypdf import PdfReader  # here, since few runs need it and it takes time to load

    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        locked = reader.is_encrypted and not _unlocked(reader)
        count = 0 if locked else len(reader.pages)
    except Exception as error:  # the library raises many kinds on hostile bytes
        raise InputError(BROKEN) from error
    if locked:
        raise InputError(LOCKED)
    if count > MAX_PAGES:
        raise InputError(f"The PDF has {count} pages; at most {MAX_PAGES} are read. Split it.")
    return reader


def _unlocked(reader: PdfReader) -> bool:
    """Some PDFs only forbid printing: they open with an empty password."""
    try:
        return bool(reader.decrypt(""))
    except Exception:  # no such cipher here, or a broken dictionary: for the reader of the message it is locked
        return False


def _page(page: PageObject) -> tuple[str, bool]:
    try:
        return page.extract_text(), _has_picture(page)
    except Exception as error:
        raise InputError(BROKEN) from error


def _has_picture(page: PageObject) -> bool:
    resources = page.get("/Resources")
    objects = resources.get_object().get("/XObject") if resources is not None else None
    if objects is None:
        return False
    return any(thing.get_object().get("/Subtype") == "/Image" for thing in objects.get_object().values())


def _is_scan(text: str, pictured: bool) -> bool:
    return is_blank(text) or (pictured and count_words(text) < FEW_WORDS)


def _garbled(text: str) -> bool:
    """Whether a fifth or more of the signs are placeholders: the fonts name no letters."""
    signs = [c for c in text if not c.isspace()]
    bad = sum(1 for c in signs if c == "\ufffd" or unicodedata.category(c) in ("Co", "Cc", "Cs"))
    return bad >= 0.2 * len(signs)


def _scan_remark(pages: list[int]) -> str:
    listed = ", ".join(map(str, pages[:10])) + (" and more" if len(pages) > 10 else "")
    return f"No text was found on page{'s' if len(pages) > 1 else ''} {listed}; only typed text is read."
