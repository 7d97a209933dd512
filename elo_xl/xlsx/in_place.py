"""Change some parts of existing workbooks and keep all others byte for byte."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Collection, Mapping
from typing import Final
from xml.parsers import expat

from elo_xl.xlsx.cell_xml import escape
from elo_xl.xlsx.opc import (
    BOOK,
    BOOK_RELATIONSHIPS,
    CONTENT_TYPES,
    EARLIEST,
    NO_XML,
    PACKAGE,
    RELATIONSHIPS,
    PackageError,
    Parts,
    book_target,
    from_bytes,
    unzipped,
)
from elo_xl.xlsx.opc import WorkbookError as WorkbookError

FORMULAS: Final = frozenset(
    (
        *("f", "formula", "formula1", "formula2", "definedName"),
        *("calculatedColumnFormula", "totalsRowFormula"),
    )
)
"""The elements that hold formulas: in cells, rules, validations, names and tables."""


UNREADABLE: Final = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError),
)
"""What zipfile raises for bytes that are no zip file, damaged or encrypted."""

SIGNATURES: Final = "_xmlsignatures/"
"""The folder of the parts that sign a package."""

ROOTS: Final = {
    CONTENT_TYPES: "Types",
    RELATIONSHIPS: "Relationships",
    BOOK: "workbook",
    BOOK_RELATIONSHIPS: "Relationships",
}
"""The parts without which nothing can be found in a workbook, and how each begins."""

_KINDS: Final = {"worksheet": "worksheet", "styles": "styleSheet", "sharedStrings": "sst"}

_STRICT: Final = b"http://purl.oclc.org/ooxml/spreadsheetml/main"
"""The namespace of a workbook in the form that Excel calls Strict: all names are others there."""


OPEN_DOCUMENT: Final = b"application/vnd.oasis.opendocument.spreadsheet"


def read_parts(content: bytes) -> Parts:
    """The parts of a workbook by name.

    Raises WorkbookError for any other file, and for a damaged one: where a part that the workbook
    needs is missing, or the XML of a part is broken.
    """
    try:
        parts = unzipped(content)
    except PackageError:
        raise
    except UNREADABLE as error:
        said = "it is not a workbook, or it is encrypted"
        if zipfile.is_zipfile(io.BytesIO(content)):  # then it is damaged, and this says where
            said += f" ({error})"
        raise WorkbookError(said) from None
    if parts.get("mimetype") == OPEN_DOCUMENT:
        raise WorkbookError("it is an OpenDocument spreadsheet (.ods): save it as .xlsx first")
    if BOOK not in parts:
        raise WorkbookError(f"it is not a workbook: it has no {BOOK}")
    if _STRICT in parts[BOOK]:
        raise WorkbookError(
            "it is a Strict Open XML Spreadsheet: in Excel, save it as Excel Workbook (.xlsx) first"
        )
    roots = {
        name: _root(name, part) for name, part in parts.items() if name.endswith((".xml", ".rels"))
    }
    _check(ROOTS, roots, parts)
    _check(_needed(parts), roots, parts)
    return parts


def _check(wanted: Mapping[str, str], roots: Mapping[str, str], parts: Parts) -> None:
    for name, root in wanted.items():
        if name not in parts:
            raise WorkbookError(f"it is damaged: {name} is missing")
        if root and roots.get(name) != root:
            raise WorkbookError(f"it is damaged: {name} does not begin with <{root}>")


def _root(name: str, part: bytes) -> str:
    """The element with which a part begins, after all of its XML has been read."""
    elements: list[str] = []
    parser = expat.ParserCreate(namespace_separator=" ")

    def first(element: str, _: object) -> None:
        elements.append(element.rpartition(" ")[2])
        parser.StartElementHandler = None

    parser.StartElementHandler = first
    _parse(parser, part, name)
    return elements[0]


def _parse(parser: expat.XMLParserType, part: bytes, name: str) -> None:
    def refuse(*_: object) -> None:
        raise WorkbookError(f"it is damaged: {name} declares a document type")

    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(part, True)
    except WorkbookError:
        raise
    except NO_XML as error:
        raise WorkbookError(f"it is damaged: {name} is no XML ({error})") from None


def _needed(parts: Parts) -> dict[str, str]:
    """The parts to which the workbook itself leads, with how those begin that are read here."""
    needed, known = {}, set()
    for relation in from_bytes(parts[BOOK_RELATIONSHIPS]).iter(f"{PACKAGE}Relationship"):
        known.add(relation.get("Id"))
        if relation.get("TargetMode") != "External":
            kind = relation.get("Type", "").rpartition("/")[2]
            needed[book_target(relation)] = _KINDS.get(kind, "")
    for sheet in from_bytes(parts[BOOK]).iterfind("{*}sheets/{*}sheet"):
        if not known & {text for key, text in sheet.items() if str(key).endswith("}id")}:
            title = sheet.get("name", "")
            raise WorkbookError(f"it is damaged: {BOOK_RELATIONSHIPS} has no sheet {title!r}")
    return needed


def with_parts(
    content: bytes, changed: Mapping[str, bytes], without: Collection[str] = ()
) -> bytes:
    """Change, add or remove parts of a workbook; the others, and their order, stay.

    Raises WorkbookError for a signed workbook, whose signature would no longer fit.
    """
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        if any(name.startswith(SIGNATURES) for name in old.namelist()):
            raise WorkbookError(
                "it has a digital signature, which any change would break: take a copy "
                "that Excel has saved under another name, which has none"
            )
        for entry in old.infolist():
            if entry.filename in without:
                continue
            name = entry.filename
            new.writestr(entry, changed[name] if name in changed else old.read(entry))
        for name in sorted(changed.keys() - {*old.namelist(), *without}):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, changed[name])
    return buffer.getvalue()


def rewrite_formulas(part: bytes, rewrite: Callable[[str], str], name: str = "a part") -> bytes:
    """Rewrite the formulas of a part; those that ``rewrite`` does not change stay byte for byte.

    >>> rewrite_formulas(b'<c r="A1"><f>OLD(&quot;a&quot;)</f><v>OLD(1)</v></c>', str.lower)
    b'<c r="A1"><f>old("a")</f><v>OLD(1)</v></c>'

    Raises WorkbookError, which says its ``name``, where the part is no XML.
    """
    spans: list[tuple[int, int, str]] = []
    text: list[str] = []
    begins: list[int] = []
    parser = expat.ParserCreate(namespace_separator=" ")

    def start(name: str, _: object) -> None:
        text.clear()
        begins.clear()
        inside = name.rpartition(" ")[2] in FORMULAS
        parser.CharacterDataHandler = characters if inside else None

    def characters(data: str) -> None:
        begins.append(parser.CurrentByteIndex)
        text.append(data)

    def marked() -> None:
        if parser.CharacterDataHandler is not None:
            begins.append(parser.CurrentByteIndex)

    def end(_: str) -> None:
        if begins:
            spans.append((begins[0], parser.CurrentByteIndex, "".join(text)))
            begins.clear()
        parser.CharacterDataHandler = None

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartCdataSectionHandler = marked
    _parse(parser, part, name)
    pieces: list[bytes] = []
    at = 0
    for begin, stop, formula in spans:
        new = rewrite(formula)
        if new != formula:
            pieces += [part[at:begin], escape(new).encode()]
            at = stop
    return b"".join((*pieces, part[at:]))


def rewrite_parts(parts: Mapping[str, bytes], mark: bytes, rewrite: Callable[[str], str]) -> Parts:
    """Rewrite the formulas of the parts that contain ``mark``, which is in lower case.

    Only those parts are returned that change.
    """
    return {
        name: new
        for name, part in parts.items()
        if name.startswith("xl/") and name.endswith(".xml") and mark in part.lower()
        if (new := rewrite_formulas(part, rewrite, name)) != part
    }


def formulas(parts: Mapping[str, bytes], mark: bytes) -> list[str]:
    """The formulas of the parts that contain ``mark``, which is in lower case."""
    texts: list[str] = []

    def keep(formula: str) -> str:
        texts.append(formula)
        return formula

    rewrite_parts(parts, mark, keep)
    return texts


def count_formulas(workbook: bytes, mark: bytes, counts: Callable[[str], bool]) -> int:
    """The number of formulas that count in the parts that contain ``mark``."""
    return sum(map(counts, formulas(read_parts(workbook), mark)))
