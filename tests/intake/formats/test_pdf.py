"""PDF files: typed text in page order; pictures, locks and broken files are refused with the remedy."""

from __future__ import annotations

import pytest

from judge_core.intake import read_files
from tests.intake.builders import messages, pdf_file

PICTURE = (
    b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\n"
    b"stream\n0\nendstream"
)
WITH_PICTURE = "/XObject << /I 10 0 R >>"
LONG = "Trees cool the street and shade is worth paying for in towns."


def test_pages_stand_in_order_and_letters_are_kept() -> None:
    (artifact,) = read_files([("e.pdf", pdf_file("First line\nsecond line", "Caf\u00e9 page"))]).artifacts
    assert [line.strip() for line in artifact.text.splitlines()] == ["First line", "second line", "Caf\u00e9 page"]
    assert artifact.encoding is None


@pytest.mark.parametrize(
    "data", [pdf_file(""), pdf_file("CamScanner", resources=WITH_PICTURE, objects=[PICTURE]), pdf_file("", "")]
)
def test_a_scan_is_refused_even_with_a_word_on_it(data: bytes) -> None:
    reading = read_files([("scan.pdf", data)])
    assert not reading.artifacts
    assert messages(reading) == (
        "scan.pdf: No text found: this PDF is made of pictures. Podium reads typed text, not handwriting or scans."
    )


def test_text_beside_pictures_is_read_and_empty_pages_are_named() -> None:
    reading = read_files([("e.pdf", pdf_file(LONG, "", resources=WITH_PICTURE, objects=[PICTURE]))])
    assert reading.artifacts[0].text.strip() == LONG
    assert "page 2" in messages(reading)


def test_a_short_text_without_pictures_is_a_text() -> None:
    assert read_files([("e.pdf", pdf_file("Yes."))]).artifacts[0].text.strip() == "Yes."


def test_a_locked_file_is_refused_with_the_remedy() -> None:
    zeros = "0" * 64
    lock = f"<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <{zeros}> /U <{zeros}> >>".encode()
    data = pdf_file("secret", trailer="/Encrypt 10 0 R /ID [<00> <00>]", objects=[lock])
    reading = read_files([("e.pdf", data)])
    assert not reading.artifacts and "password" in messages(reading)


@pytest.mark.parametrize("data", [b"%PDF-1.4\n1 0 obj", b"%PDF-1.4\n%%EOF", pdf_file(LONG)[:60] + b"%%EOF", pdf_file()])
def test_a_broken_file_is_refused_by_name(data: bytes) -> None:
    reading = read_files([("e.pdf", data), ("good.txt", b"Trees.")])
    assert [artifact.id for artifact in reading.artifacts] == ["good.txt"]
    assert messages(reading).startswith("e.pdf: ")


def test_a_pdf_with_another_ending_is_known_by_its_content() -> None:
    (artifact,) = read_files([("e.docx", pdf_file(LONG))]).artifacts
    assert "PDF" in artifact.guesses["kind"]
