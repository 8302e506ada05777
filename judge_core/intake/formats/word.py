"""Word files (.docx): every word that is visible in the body, in reading order.

Kept: paragraphs, tables (a row is a line, cells are parted by tabs), lists (without their automatic numbers), tracked
insertions, content controls, links, text boxes (after the paragraph that they hang on), formulas as plain letters;
footnotes and endnotes, numbered `[1]` at their reference, with their text at the end. Left out: page headers and
footers, comments, properties, tracked deletions, field codes, placeholder texts, and hidden text (with a notice).
"""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Callable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from judge_core.intake.formats.archive import check_package, open_zip, read_part
from judge_core.intake.formats.tables import Document
from judge_core.intake.options import ReadOptions
from judge_core.records.errors import InputError
from judge_core.records.record import Notice
from judge_core.scoring.counting import count_words

BROKEN = "The Word file is broken. Open it and save it again as .docx."
DROPPED = frozenset(
    {"del", "moveFrom", "delText", "instrText", "delInstrText", "rt"}
    | {f"{name}Pr" for name in ("p", "r", "sdt", "sdtEnd", "tbl", "tr", "tc", "sect", "ruby")}
    | {"tblGrid"}
)
"""Elements whose content is not visible (or, for `rt`, repeats the word beneath it)."""
OFF = ("0", "false", "off")
MARKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read_word(data: bytes, options: ReadOptions) -> Document:
    """The visible text of a Word file. Raises InputError where it is broken, too large or declares entities."""
    with open_zip(data) as package:
        check_package(package, options)
        main = _related(package, "", "officeDocument").get("officeDocument", "word/document.xml")
        related = _related(package, main, "footnotes", "endnotes", "styles")
        body = next((e for e in _parse(package, main) if _local(e) == "body"), None)
        if body is None:
            raise InputError(BROKEN)
        walk = _Walk(_hidden_styles(_parse(package, related["styles"])) if "styles" in related else frozenset())
        lines = walk.blocks(body)
        notes: dict[str, Element] = {kind: _parse(package, related[kind]) for kind in related if kind != "styles"}
        lines += walk.notes(notes)
    text = "\n".join(lines).strip("\n")
    return Document(text=text, notices=_hidden_notice(walk.hidden_words), problems=_embedded_remark(walk.embedded))


def _hidden_notice(count: int) -> tuple[Notice, ...]:
    message = f"{count} word{'s' if count > 1 else ''} formatted as hidden {'were' if count > 1 else 'was'} left out."
    return (Notice(code="hidden_characters", message=message),) if count else ()


def _embedded_remark(count: int) -> tuple[str, ...]:
    return ("A document embedded in this one was not read. Copy its text into the file.",) if count else ()


def _local(element: Element) -> str:
    """The tag without its namespace: both editions of the format use the same words."""
    return str(element.tag).rpartition("}")[2]


def _value(element: Element, name: str = "val") -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element if _local(child) == name), None)


def _parse(package: zipfile.ZipFile, name: str) -> Element:
    try:
        return ElementTree.parse(io.BytesIO(read_part(package, name))).getroot()
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise InputError(BROKEN) from error


def _related(package: zipfile.ZipFile, part: str, *kinds: str) -> dict[str, str]:
    """Where the parts of these kinds stand, from the relations of a part ('' for the whole file)."""
    folder, file = posixpath.split(part)
    relations = posixpath.join(folder, "_rels", f"{file}.rels")
    if relations not in package.namelist():
        return {}
    found = {}
    for relation in _parse(package, relations):
        kind = relation.get("Type", "").rpartition("/")[2]
        target = posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")
        if kind in kinds and target in package.namelist():
            found[kind] = target
    return found


def _hides(properties: Element | None) -> bool | None:
    """Whether run properties hide their run; None where they do not say."""
    vanish = None if properties is None else _child(properties, "vanish")
    return None if vanish is None else _value(vanish) not in OFF


def _hidden_styles(styles: Element) -> frozenset[str]:
    """The ids of styles that hide their text, by themselves or by the style that they are based on."""
    own = {_value(style, "styleId"): style for style in styles if _local(style) == "style"}

    def hidden(style_id: str, depth: int) -> bool:
        style = own.get(style_id)
        if style is None or depth > 20:
            return False
        says = _hides(_child(style, "rPr"))
        base = _child(style, "basedOn")
        return says if says is not None else base is not None and hidden(_value(base), depth + 1)

    return frozenset(style_id for style_id in own if hidden(style_id, 0))


class _Walk:
    """One walk through a document: what hangs on a paragraph, and what has been met on the way."""

    def __init__(self, hidden_styles: frozenset[str]):
        self.hidden_styles = hidden_styles
        self.hidden_words = 0
        self.embedded = 0
        self._boxes: list[str] = []
        self._references: list[tuple[str, str]] = []
        self._fields: list[str] = []
        self._joined = ""

    def blocks(self, container: Element) -> list[str]:
        """The lines of the paragraphs and tables in a container."""
        lines: list[str] = []
        for element in self._children(container):
            name = _local(element)
            if name == "p":
                lines += self._paragraph(element)
            elif name == "tbl":
                lines += self._table(element)
            elif name == "altChunk":
                self.embedded += 1
            else:
                lines += self.blocks(element)
        if self._joined:  # nothing follows that it could run on into
            lines.append(self._joined)
            self._joined = ""
        return lines

    def notes(self, parts: dict[str, Element]) -> list[str]:
        """The texts of the notes, in the order of their references (a note may refer to a further one)."""
        lines: list[str] = []
        done = 0
        while done < len(self._references):
            kind, note_id = self._references[done]
            done += 1
            note = next((n for n in parts.get(kind, ()) if _value(n, "id") == note_id), None)
            if note is not None:
                lines.append(f"[{done}] " + "\n".join(self.blocks(note)).strip())
        return lines

    def _children(self, element: Element) -> Iterator[Element]:
        """The children that can be seen; of two spellings of the same thing, the first that holds anything."""
        for child in element:
            if _local(child) in DROPPED or not isinstance(child.tag, str) or self._placeholder(child):
                continue
            if _local(child) == "AlternateContent":
                yield from list(child)[:1]
            else:
                yield child

    @staticmethod
    def _placeholder(element: Element) -> bool:
        """Whether a content control shows only its "click here" text."""
        properties = _child(element, "sdtPr") if _local(element) == "sdt" else None
        shows = None if properties is None else _child(properties, "showingPlcHdr")
        return shows is not None and _value(shows) not in OFF

    def _table(self, table: Element) -> list[str]:
        rows = [self._collect(row, "tc") for row in self._collect(table, "tr") if not self._deleted(row, "trPr")]
        lines = ["\t".join("\n".join(self.blocks(cell)).strip() for cell in cells) for cells in rows]
        return [line for line in lines if line.strip()]

    def _collect(self, element: Element, name: str) -> list[Element]:
        """Rows of a table or cells of a row, also those inside content controls."""
        found: list[Element] = []
        for child in self._children(element):
            found += [child] if _local(child) == name else self._collect(child, name)
        return found

    @staticmethod
    def _deleted(element: Element, properties: str) -> bool:
        own = _child(element, properties)
        return own is not None and _child(own, "del") is not None

    def _paragraph(self, paragraph: Element) -> list[str]:
        outer, self._boxes = self._boxes, []
        properties = _child(paragraph, "pPr")
        text = self._joined + self._inline(paragraph, self._styled_hidden(properties, "pStyle"))
        self._joined = ""
        lines, self._boxes = [text, *self._boxes], outer
        mark = None if properties is None else _child(properties, "rPr")
        if mark is not None and _child(mark, "del") is not None:  # its end is deleted: it runs on into the next one
            self._joined = lines.pop(0)
        return lines

    def _styled_hidden(self, properties: Element | None, style: str) -> bool:
        named = None if properties is None else _child(properties, style)
        return named is not None and _value(named) in self.hidden_styles

    def _inline(self, element: Element, hidden: bool) -> str:
        return "".join(self._piece(child, hidden) for child in self._children(element))

    def _piece(self, element: Element, hidden: bool) -> str:
        name = _local(element)
        if name == "r":
            return self._run(element, hidden)
        handler = self._handlers().get(name)
        if handler is not None:
            return handler(element)
        if name in MARKS:
            return MARKS[name]
        return self._inline(element, hidden)

    def _handlers(self) -> dict[str, Callable[[Element], str]]:
        return {
            "t": lambda element: "" if "code" in self._fields else element.text or "",
            "txbxContent": self._box,
            "fldChar": self._field,
            "footnoteReference": lambda element: self._reference("footnotes", element),
            "endnoteReference": lambda element: self._reference("endnotes", element),
        }

    def _run(self, run: Element, hidden: bool) -> str:
        properties = _child(run, "rPr")
        says = _hides(properties)
        if not (hidden or self._styled_hidden(properties, "rStyle") if says is None else says):
            return self._inline(run, hidden)
        self.hidden_words += count_words(self._inline(run, True))
        return ""

    def _box(self, content: Element) -> str:
        lines = self.blocks(content)
        self._boxes += lines
        return ""

    def _field(self, mark: Element) -> str:
        """Between begin and separate stands a field's code, between separate and end what is seen of it."""
        kind = _value(mark, "fldCharType")
        if kind == "begin":
            self._fields.append("code")
        elif self._fields and kind == "separate":
            self._fields[-1] = "result"
        elif self._fields and kind == "end":
            self._fields.pop()
        return ""

    def _reference(self, kind: str, element: Element) -> str:
        self._references.append((kind, _value(element, "id")))
        return f"[{len(self._references)}]"
