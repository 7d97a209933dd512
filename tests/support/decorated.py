"""The sheets of one book within another: what a club's book is after years in a person's hands."""

import re
from collections.abc import Mapping
from copy import deepcopy

from lxml import etree
from openpyxl.xml.constants import SHARED_STRINGS

from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import (
    BOOK,
    BOOK_RELATIONSHIPS,
    CONTENT_TYPES,
    MAIN,
    OFFICE,
    RELATIONSHIPS,
    SHARED_TEXTS,
    STYLES,
    TYPES,
    Element,
    add_relation,
    add_type,
    from_bytes,
    relations_of,
    sheet_parts,
    to_bytes,
)

CUSTOM = "docProps/custom.xml"
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
CUSTOM_TYPE = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
BEHIND_NAMES = (
    *("calcPr", "oleSize", "customWorkbookViews", "pivotCaches", "smartTagPr", "smartTagTypes"),
    *("webPublishing", "fileRecoveryPr", "webPublishObjects", "extLst", "AlternateContent"),
)
ORDER = "numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs"


def grafted(club: bytes, host: bytes) -> dict[str, bytes]:
    """The parts of ``host`` with the sheets, names, styles and properties of ``club`` added.

    The club's sheets stand behind its own. Raises ValueError where names or titles are in both.
    """
    guest, parts = read_parts(club), read_parts(host)
    book, relations = from_bytes(parts[BOOK]), from_bytes(parts[BOOK_RELATIONSHIPS])
    types = from_bytes(parts[CONTENT_TYPES])
    guests = from_bytes(guest[BOOK])
    sheets = _one(book, "sheets")
    there = {sheet.get("name", "").casefold() for sheet in sheets}
    first = len(sheets)
    number = max(int(sheet.get("sheetId", 1)) for sheet in sheets)
    shift = _styles(parts, guest)
    texts = _texts(parts, guest, types, relations)
    for title, part in sheet_parts(guest).items():
        if title.casefold() in there:
            raise ValueError(title)
        number += 1
        name = f"xl/worksheets/club{number}.xml"
        parts[name] = _shifted(guest[part], shift, texts)
        if (own := guest.get(relations_of(part))) is not None:
            parts[relations_of(name)] = own
        add_type(types, name, SHEET_TYPE)
        new = etree.SubElement(sheets, f"{MAIN}sheet", name=title, sheetId=str(number))
        new.set(f"{OFFICE}id", add_relation(relations, f"{KIND}/worksheet", f"/{name}"))
    _names(book, guests, first)
    parts[CUSTOM] = guest[CUSTOM]
    if not types.findall(f"{TYPES}Override[@PartName='/{CUSTOM}']"):
        add_type(types, CUSTOM, CUSTOM_TYPE)
        root = from_bytes(parts[RELATIONSHIPS])
        add_relation(root, f"{KIND}/custom-properties", CUSTOM)
        parts[RELATIONSHIPS] = to_bytes(root)
    parts |= {BOOK: to_bytes(book), BOOK_RELATIONSHIPS: to_bytes(relations)}
    parts[CONTENT_TYPES] = to_bytes(types)
    return parts


def _one(root: Element, name: str) -> Element:
    found = root.find(f"{MAIN}{name}")
    assert found is not None
    return found


def _names(book: Element, guests: Element, first: int) -> None:
    names = book.find(f"{MAIN}definedNames")
    if names is None:
        names = etree.Element(f"{MAIN}definedNames")
        later = next((e for e in book if etree.QName(e).localname in BEHIND_NAMES
                      and book.index(e) > book.index(_one(book, "sheets"))), None)  # fmt: skip
        book.insert(len(book) if later is None else book.index(later), names)
    known = {name.get("name", "").upper() for name in names}
    for name in _one(guests, "definedNames"):
        if name.get("localSheetId") is None and name.get("name", "").upper() in known:
            raise ValueError(name.get("name"))
        new = deepcopy(name)
        if (local := name.get("localSheetId")) is not None:
            new.set("localSheetId", str(int(local) + first))
        names.append(new)


def _styles(parts: dict[str, bytes], guest: Mapping[str, bytes]) -> Mapping[str, int]:
    """Add the guest's styles; gives by how much the numbers of its cells and rules move."""
    own, other = from_bytes(parts[STYLES]), from_bytes(guest[STYLES])
    before: dict[str, int] = {}
    formats: dict[str, str] = {}
    for name in ORDER:
        added = other.find(f"{MAIN}{name}")
        if name in ("cellStyleXfs", "cellStyles") or added is None:
            continue
        mine = own.find(f"{MAIN}{name}")
        if mine is None:
            mine = etree.Element(f"{MAIN}{name}")
            place = sum(etree.QName(e).localname in ORDER[: ORDER.index(name)] for e in own)
            own.insert(place, mine)
        before[name] = len(mine)
        for entry in added:
            new = deepcopy(entry)
            if name == "numFmts":
                formats[entry.get("numFmtId", "")] = str(1000 + len(formats))
                new.set("numFmtId", formats[entry.get("numFmtId", "")])
            elif name == "cellXfs":
                new.set("xfId", "0")
                new.set("numFmtId", formats.get(number := entry.get("numFmtId", "0"), number))
                for key, table in (("fontId", "fonts"), ("fillId", "fills"),
                                   ("borderId", "borders")):  # fmt: skip
                    new.set(key, str(int(entry.get(key, 0)) + before[table]))
            mine.append(new)
        mine.set("count", str(len(mine)))
    parts[STYLES] = to_bytes(own)
    return {"s": before["cellXfs"], "style": before["cellXfs"], "dxfId": before["dxfs"]}


def _texts(
    parts: dict[str, bytes], guest: Mapping[str, bytes], types: Element, relations: Element
) -> int:
    """Add the guest's texts; gives by how much their numbers move."""
    if SHARED_TEXTS not in parts:
        parts[SHARED_TEXTS] = guest[SHARED_TEXTS]
        add_type(types, SHARED_TEXTS, SHARED_STRINGS)
        add_relation(relations, f"{KIND}/sharedStrings", f"/{SHARED_TEXTS}")
        return 0
    own = from_bytes(parts[SHARED_TEXTS])
    before = len(own)
    own.extend(from_bytes(guest[SHARED_TEXTS]))
    own.attrib.clear()  # the counts
    parts[SHARED_TEXTS] = to_bytes(own)
    return before


def _shifted(part: bytes, shift: Mapping[str, int], texts: int) -> bytes:
    def moved(found: re.Match[bytes]) -> bytes:
        return b'%s="%d"' % (found[1], int(found[2]) + shift[found[1].strip().decode()])

    def text(found: re.Match[bytes]) -> bytes:
        return b"%s%d" % (found[1], int(found[2]) + texts)

    part = re.sub(rb'(?<=\s)(s|style|dxfId)="(\d+)"', moved, part)
    part = re.sub(rb'(<c [^>]*\bt="s"[^>]*><v>)(\d+)', text, part)
    # the sheet that a person looks at is one of theirs
    return part.replace(b' tabSelected="1"', b"").replace(b' tabSelected="true"', b"")
