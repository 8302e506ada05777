"""Builds small files for the tests: Word, PDF, workbook, zip."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

import docx
import openpyxl

from judge_core.records.artifact import Reading

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:r="{RELATION}" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)


def run(text: str, properties: str = "") -> str:
    """A run of text as XML."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*content: str, properties: str = "") -> str:
    """A paragraph as XML; plain strings without a tag become runs."""
    inner = "".join(piece if piece.startswith("<") else run(piece) for piece in content)
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def word_file(body: str, prolog: str = "", **parts: str) -> bytes:
    """A Word file with this body; `parts` are further parts by kind, e.g. footnotes='<w:footnote ...>'."""
    relations = "".join(
        f'<Relationship Id="r{i}" Type="{RELATION}/{kind}" Target="{kind}.xml"/>' for i, kind in enumerate(parts)
    )
    return zip_file(
        {
            "[Content_Types].xml": CONTENT_TYPES,
            "_rels/.rels": f'<Relationships><Relationship Id="a" Type="{RELATION}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/document.xml": f"<?xml version='1.0' encoding='UTF-8'?>{prolog}<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": f"<Relationships>{relations}</Relationships>",
            **{f"word/{kind}.xml": f"<w:{kind} {NAMESPACES}>{content}</w:{kind}>" for kind, content in parts.items()},
        }
    )


def plain_word_file(*paragraphs: str) -> bytes:
    """A Word file as python-docx writes it."""
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def zip_file(files: dict[str, str | bytes]) -> bytes:
    """A zip archive, packed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def workbook_file(rows: Sequence[Sequence[object]], **sheets: Sequence[Sequence[object]]) -> bytes:
    """A workbook with the sheet 'Essays', and further sheets by name."""
    book = openpyxl.Workbook()
    book.active.title = "Essays"
    for row in rows:
        book.active.append(list(row))
    for name, content in sheets.items():
        sheet = book.create_sheet(name)
        for row in content:
            sheet.append(list(row))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def pdf_file(*pages: str, trailer: str = "", resources: str = "", objects: Sequence[bytes] = ()) -> bytes:
    """A PDF with one line of text a line of each page; an empty page has no text. `objects` come first, from 10."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    bodies: dict[int, bytes] = {1: b"<< /Type /Catalog /Pages 2 0 R >>", 3: font}
    bodies |= {10 + i: body for i, body in enumerate(objects)}
    kids = []
    for i, text in enumerate(pages):
        number = 100 + 2 * i
        kids.append(f"{number} 0 R")
        shown = " ".join(f"({line}) Tj 0 -14 Td" for line in text.split("\n")) if text else ""
        stream = f"BT /F1 12 Tf 72 720 Td {shown} ET".encode("cp1252")
        bodies[number] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {number + 1} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> {resources} >> >>"
        ).encode()
        bodies[number + 1] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
    bodies[2] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    return _assembled(bodies, trailer)


def _assembled(bodies: dict[int, bytes], trailer: str) -> bytes:
    data, places = b"%PDF-1.4\n", {}
    for number, body in sorted(bodies.items()):
        places[number] = len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%d 1\n%010d 00000 n \n" % (number, place) for number, place in sorted(places.items()))
    end = f"trailer\n<< /Size {max(places) + 1} /Root 1 0 R {trailer} >>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + b"xref\n0 1\n0000000000 65535 f \n" + table + end.encode()


def messages(reading: Reading) -> str:
    """All problems in one string."""
    return "\n".join(f"{problem.file}: {problem.message}" for problem in reading.problems)


def codes(reading: Reading) -> list[list[str]]:
    """The warning codes of each artifact."""
    return [[notice.code for notice in artifact.warnings] for artifact in reading.artifacts]
