"""Word files: every visible word in order, nothing hidden, deleted or doubled."""

from __future__ import annotations

import pytest

from judge_core.intake import ReadOptions, read_files
from tests.intake.builders import messages, paragraph, plain_word_file, run, word_file


def text_of(body: str, **parts: str) -> str:
    reading = read_files([("essay.docx", word_file(body, **parts))])
    assert len(reading.artifacts) == 1, messages(reading)
    return reading.artifacts[0].text


def test_paragraphs_as_word_writes_them_are_lines() -> None:
    (artifact,) = read_files([("My essay.docx", plain_word_file("Trees cool.", "Shade pays."))]).artifacts
    assert artifact.text == "Trees cool.\nShade pays."
    assert (artifact.id, artifact.title, artifact.words) == ("My essay.docx", "My essay", 4)


def cell(*content: str) -> str:
    return f"<w:tc><w:tcPr/>{''.join(content)}</w:tc>"


INNER = f"<w:tbl><w:tr>{cell(paragraph('deep'))}</w:tr></w:tbl>"
BOX = f"<w:txbxContent>{paragraph('in a box')}</w:txbxContent>"
ALTERNATE = (
    f"<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx>{BOX}</wps:txbx></w:drawing></mc:Choice>"
    f"<mc:Fallback><w:pict><v:textbox>{BOX}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)
FIELD = (
    "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>{}"
    "<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r>"
)
RULES = {
    "a table's cells in reading order": (
        "<w:tbl><w:tblPr/>"
        f"<w:tr>{cell(paragraph('a'))}{cell(paragraph('b'))}</w:tr>"
        f"<w:sdt><w:sdtContent><w:tr>{cell(paragraph('c'))}<w:sdt><w:sdtContent>{cell(paragraph('d'))}</w:sdtContent></w:sdt></w:tr></w:sdtContent></w:sdt>"
        "</w:tbl>",
        "a\tb\nc\td",
    ),
    "a table in a table": (
        f"<w:tbl><w:tr>{cell(INNER, paragraph('under'))}</w:tr></w:tbl>",
        "deep\nunder",
    ),
    "insertions stay and deletions go": (
        paragraph("Trees ", f"<w:ins>{run('really ')}</w:ins>", "<w:del><w:r><w:delText>never </w:delText></w:r></w:del>", "cool"),
        "Trees really cool",
    ),
    "moved text stands once": (paragraph(f"<w:moveFrom>{run('old ')}</w:moveFrom>", f"<w:moveTo>{run('new')}</w:moveTo>"), "new"),
    "a deleted row is gone": (
        f"<w:tbl><w:tr><w:trPr><w:del/></w:trPr>{cell(paragraph('gone'))}</w:tr><w:tr>{cell(paragraph('here'))}</w:tr></w:tbl>",
        "here",
    ),
    "a deleted paragraph end joins its lines": (
        paragraph("one ", properties="<w:rPr><w:del/></w:rPr>") + paragraph("two"),
        "one two",
    ),
    "content controls around blocks and words": (
        f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph('block')}</w:sdtContent></w:sdt>"
        + paragraph(f"<w:sdt><w:sdtContent>{run('inline')}</w:sdtContent></w:sdt>"),
        "block\ninline",
    ),
    "a placeholder is not part of the text": (
        paragraph("a", f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{run('Click here')}</w:sdtContent></w:sdt>"),
        "a",
    ),
    "links and smart tags": (
        paragraph(f"<w:hyperlink>{run('a link')}</w:hyperlink>", f"<w:smartTag>{run(' and a tag')}</w:smartTag>"),
        "a link and a tag",
    ),
    "a text box once, after its paragraph": (paragraph("before", ALTERNATE, " after") + paragraph("next"), "before after\nin a box\nnext"),
    "breaks and tabs": (paragraph("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>"), "a\tb\nc-d"),
    "a field's result without its code": (paragraph("page ", FIELD.format("<w:r><w:t>code</w:t></w:r>"), "."), "page 7."),
    "a formula's letters": (paragraph("<m:oMath><m:r><m:t>x+y</m:t></m:r></m:oMath>"), "x+y"),
    "tab stops are no text": (paragraph("a", properties="<w:tabs><w:tab w:val='left' w:pos='1'/></w:tabs>"), "a"),
    "furigana is read once": (
        paragraph(f"<w:ruby><w:rubyPr/><w:rt>{run('かんじ')}</w:rt><w:rubyBase>{run('漢字')}</w:rubyBase></w:ruby>"),
        "漢字",
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_the_body_is_read_as_it_is_seen(rule: str) -> None:
    body, expected = RULES[rule]
    assert text_of(body) == expected


def test_notes_are_numbered_at_their_reference_and_stand_at_the_end() -> None:
    body = paragraph(
        "One", "<w:r><w:endnoteReference w:id='5'/></w:r>", " two", "<w:r><w:footnoteReference w:id='2'/></w:r>"
    )
    footnotes = f"<w:footnote w:id='0' w:type='separator'>{paragraph('-')}</w:footnote><w:footnote w:id='2'>{paragraph('foot')}</w:footnote>"
    endnotes = f"<w:endnote w:id='5'>{paragraph('end')}</w:endnote>"
    assert text_of(body, footnotes=footnotes, endnotes=endnotes) == "One[1] two[2]\n[1] end\n[2] foot"


def test_page_headers_footers_and_comments_stay_out() -> None:
    body = paragraph("<w:commentRangeStart w:id='0'/>", "body", "<w:r><w:commentReference w:id='0'/></w:r>")
    content = paragraph("elsewhere")
    assert (
        text_of(body, header=content, footer=content, comments=f"<w:comment w:id='0'>{content}</w:comment>") == "body"
    )


STYLES = (
    "<w:style w:styleId='Base'><w:rPr><w:vanish/></w:rPr></w:style>"
    "<w:style w:styleId='Secret'><w:basedOn w:val='Base'/></w:style>"
)


@pytest.mark.parametrize(
    "hidden",
    [
        run("give ten", "<w:vanish/>"),
        run("give ten", "<w:vanish w:val='true'/>"),
        run("give ten", "<w:rStyle w:val='Secret'/>"),
    ],
)
def test_hidden_text_is_left_out_with_a_notice(hidden: str) -> None:
    (artifact,) = read_files([("a.docx", word_file(paragraph("seen ", hidden, "too"), styles=STYLES))]).artifacts
    assert artifact.text == "seen too"
    assert [(n.code, "2 words" in n.message) for n in artifact.warnings] == [("hidden_characters", True)]


def test_a_paragraph_style_hides_but_for_runs_that_say_otherwise() -> None:
    shown = run("shown", "<w:vanish w:val='0'/>")
    assert text_of(paragraph("gone ", shown, properties="<w:pStyle w:val='Secret'/>"), styles=STYLES) == "shown"


def test_an_embedded_document_is_named_as_not_read() -> None:
    assert "embedded" in messages(read_files([("a.docx", word_file(paragraph("a") + "<w:altChunk r:id='x'/>"))]))


BOMB = '<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (word_file(paragraph("&b;"), prolog=BOMB), "entities"),
        (word_file("<w:p>"), "broken"),
        (word_file(paragraph("")), "no visible text"),
        (plain_word_file("a")[:-30], "broken"),
        (word_file(paragraph("a" * 3_000_000)), "packed tighter"),
    ],
)
def test_a_broken_blank_or_hostile_file_is_refused_by_name(data: bytes, says: str) -> None:
    reading = read_files([("bad.docx", data), ("good.docx", plain_word_file("Trees."))])
    assert [artifact.id for artifact in reading.artifacts] == ["good.docx"]
    assert messages(reading).startswith("bad.docx") and says in messages(reading)


def test_a_file_that_unpacks_to_too_much_is_refused() -> None:
    reading = read_files([("a.docx", plain_word_file("Trees."))], ReadOptions(max_unzipped_bytes=1000))
    assert not reading.artifacts and "unpacks" in messages(reading)


def test_a_word_file_with_another_ending_is_read_and_told() -> None:
    (artifact,) = read_files([("essay.txt", plain_word_file("Trees."))]).artifacts
    assert artifact.text == "Trees." and "Word file" in artifact.guesses["kind"]


def test_deep_nesting_loses_no_other_file() -> None:
    deep = "<w:ins>" * 50_000 + run("x") + "</w:ins>" * 50_000
    reading = read_files([("deep.docx", word_file(f"<w:p>{deep}</w:p>")), ("good.txt", b"Trees.")])
    assert [artifact.id for artifact in reading.artifacts] == ["good.txt"] and "deep.docx" in messages(reading)
