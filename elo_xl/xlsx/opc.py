"""A workbook as a package: parts in a zip file, their types and their relationships.

Its rules are the Open Packaging Conventions (ECMA-376, part 2).
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from itertools import count
from posixpath import basename, dirname, join, normpath
from typing import Final
from xml.parsers import expat

from lxml import etree

Parts = dict[str, bytes]
"""The parts of a package by name."""

Element = etree._Element

MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
OFFICE: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
PACKAGE: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}"
TYPES: Final = "{http://schemas.openxmlformats.org/package/2006/content-types}"
CELL, FORMULA, VALUE = f"{MAIN}c", f"{MAIN}f", f"{MAIN}v"

CONTENT_TYPES: Final = "[Content_Types].xml"
RELATIONSHIPS: Final = "_rels/.rels"
BOOK: Final = "xl/workbook.xml"
BOOK_RELATIONSHIPS: Final = "xl/_rels/workbook.xml.rels"
PROPERTIES: Final = "docProps/core.xml"

# Programs that look only at the first bytes recognize a workbook by its first part.
FIRST_PARTS: Final = (CONTENT_TYPES, RELATIONSHIPS, BOOK, BOOK_RELATIONSHIPS)

STYLES: Final = "xl/styles.xml"
SHARED_TEXTS: Final = "xl/sharedStrings.xml"
EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest date of a zip file, used for every part."""


class WorkbookError(ValueError):
    """The file is not a workbook, or is damaged."""


class PackageError(WorkbookError):
    """A zip file that no spreadsheet program takes for a workbook."""


MOST: Final = 2**32
"""The most bytes that the parts of a package may have: beyond it Excel reads no zip file either."""
MOST_ALWAYS, MOST_RATIO = 2**23, 100
"""What parts may have together whatever the size of their package, and beyond it, for each byte of
the package: tables of measured data shrink to a tenth, empty ones to a fiftieth, bombs to 1/1000"""


def is_bomb(size: int, packed: int) -> bool:
    """Whether so many bytes in a package of that size are no workbook's.

    >>> is_bomb(60_000_000, packed=870_000), is_bomb(60_000_000, packed=60_000)
    (False, True)
    """
    return size > min(MOST, max(MOST_ALWAYS, MOST_RATIO * packed))


MOST_TAGS: Final = 2**23
"""The most tags that parts which are parsed may have together: each element takes 150 bytes."""
TAGS_ALWAYS, TAGS_RATIO = 2**20, 2
"""What they may have whatever the size of their package, and beyond it, for each byte of the
package: our own books have 0.4"""


def is_overgrown(tags: int, packed: int) -> bool:
    """Whether parts with so many tags, in a package of that size, would take too much memory.

    >>> is_overgrown(1_300_000, packed=3_500_000), is_overgrown(33_000_000, packed=2_600_000)
    (False, True)
    """
    return tags > min(MOST_TAGS, max(TAGS_ALWAYS, TAGS_RATIO * packed))


def unzipped(content: bytes) -> Parts:
    """The parts of a package.

    Raises zipfile.BadZipFile for what is none, PackageError where it holds a part twice, or would
    unfold to a size that no workbook has; nothing is unfolded then.
    """
    tags, parts = 0, Parts()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        size = sum(entry.file_size for entry in entries)
        if is_bomb(size, len(content)):
            raise PackageError(
                f"its {len(content):,} bytes would unfold to {size:,}, as those of no workbook do"
            )
        seen: set[str] = set()
        for entry in entries:
            name = entry.filename.upper()  # programs differ in which of two they take
            if name in seen:
                raise PackageError(f"it is damaged: {entry.filename} is in it twice")
            seen.add(name)
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise PackageError(f"{entry.filename} is packed as no spreadsheet program reads it")
        for entry in entries:
            part = parts[entry.filename] = _unfolded(archive, entry)
            tags += part.count(b"<")
            if is_overgrown(tags, len(content)):
                raise PackageError(f"it has {tags:,} tags or more, as no workbook of its size has")
    return parts


def _unfolded(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """A part; no more is unfolded than the package says."""
    with archive.open(entry) as file:
        return file.read(entry.file_size)


def zipped(parts: Mapping[str, bytes]) -> bytes:
    """Write a package of parts; the same parts always give the same bytes."""
    first = [name for name in FIRST_PARTS if name in parts]
    rest = [name for name in parts if name not in FIRST_PARTS]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in first + rest:
            info = zipfile.ZipInfo(name, EARLIEST)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 0  # otherwise the bytes would differ between Windows and Linux
            archive.writestr(info, parts[name])
    return buffer.getvalue()


NO_XML: Final = expat.ExpatError, LookupError, ValueError
"""What expat raises for a part that is no XML, or in an encoding that it does not know or read."""


def from_bytes(part: bytes) -> Element:
    """Parse a part; entities are not resolved, because anybody may have written it.

    Raises WorkbookError for what is no XML.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root: Element = etree.fromstring(part, parser)
    except etree.XMLSyntaxError as error:
        raise WorkbookError(f"it is damaged: a part of it cannot be read ({error.msg})") from None
    return root


def to_bytes(root: Element) -> bytes:
    """Write a part as a file has it."""
    xml: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return xml


def sheet_parts(parts: Mapping[str, bytes]) -> dict[str, str]:
    """The part of each worksheet, by the sheet's title."""
    targets = {
        relation.get("Id"): book_target(relation)
        for relation in from_bytes(parts[BOOK_RELATIONSHIPS]).iter(f"{PACKAGE}Relationship")
        if relation.get("Type", "").endswith("/worksheet")
    }
    sheets = from_bytes(parts[BOOK]).iter(f"{MAIN}sheet")
    named = [(sheet.get("name", ""), sheet.get(f"{OFFICE}id")) for sheet in sheets]
    return {title: targets[number] for title, number in named if number in targets}


def book_target(relation: Element) -> str:
    """The part to which a relationship of the workbook leads."""
    return target_of(BOOK, relation)


def target_of(part: str, relation: Element) -> str:
    """The part to which a relationship of a part leads."""
    # absolute from the package's root, or relative to the part's folder
    return normpath(join("/", dirname(part), relation.get("Target", ""))).lstrip("/")


def relations_of(part: str) -> str:
    """The part that holds the relationships of a part.

    >>> relations_of("xl/workbook.xml")
    'xl/_rels/workbook.xml.rels'
    """
    return join(dirname(part), "_rels", f"{basename(part)}.rels")


def add_type(types: Element, part: str, content_type: str) -> None:
    """Declare the content type of a part."""
    etree.SubElement(types, f"{TYPES}Override", PartName=f"/{part}", ContentType=content_type)


def add_relation(relations: Element, kind: str, target: str) -> str:
    """Add a relationship and return its id."""
    taken = {relation.get("Id") for relation in relations}
    free = next(name for n in count(1) if (name := f"rId{n}") not in taken)
    etree.SubElement(relations, f"{PACKAGE}Relationship", Id=free, Type=kind, Target=target)
    return free


def without_type(types: bytes, part: str) -> bytes:
    """Remove a part from the content types."""
    root = from_bytes(types)
    for entry in root.findall(f"{TYPES}Override[@PartName='/{part}']"):
        root.remove(entry)
    return to_bytes(root)


def without_relation(relations: bytes, kind: str) -> bytes:
    """Remove the relationships whose type has this ending."""
    root = from_bytes(relations)
    for relation in list(root):
        if relation.get("Type", "").endswith(kind):
            root.remove(relation)
    return to_bytes(root)
