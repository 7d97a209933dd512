"""Cells of dynamic arrays: what Excel needs in a file to spill a formula without showing ``@``.

A formula that calls a LAMBDA name is written as an array formula with ``cm``, an index into
``xl/metadata.xml`` that says "dynamic". As a plain formula Excel would show ``=@ELO_NEW(…)`` and
keep one value at most; as an array formula without ``cm`` it would show braces and never spill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from lxml import etree

from elo_xl.xlsx.opc import (
    BOOK,
    BOOK_RELATIONSHIPS,
    CELL,
    CONTENT_TYPES,
    FORMULA,
    MAIN,
    OFFICE,
    VALUE,
    Element,
    Parts,
    add_relation,
    add_type,
    book_target,
    from_bytes,
    sheet_parts,
    to_bytes,
    without_relation,
    without_type,
)
from elo_xl.xlsx.stored import FUNCTION, called

if TYPE_CHECKING:
    from collections.abc import Callable, Set

METADATA: Final = "xl/metadata.xml"
CALCULATION_CHAIN: Final = "xl/calcChain.xml"

METADATA_TYPE: Final = (
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml"
)
METADATA_RELATION: Final = f"{OFFICE[1:-1]}/sheetMetadata"
_ARRAYS: Final = "http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray"
_EXTENSION: Final = "{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}"
_KIND: Final = "XLDAPR"

_ASSIGNED: Final = (
    *("copy", "pasteAll", "pasteValues", "merge", "splitFirst", "rowColShift"),
    *("clearFormats", "clearComments", "assign", "coerce", "cellMeta"),
)


def lambda_names(book: bytes) -> frozenset[str]:
    """The names of a workbook, in capitals, that hold a LAMBDA."""
    return frozenset(
        name.get("name", "").upper()
        for name in from_bytes(book).iter(f"{MAIN}definedName")
        if (name.text or "").lstrip().startswith(f"{FUNCTION}LAMBDA(")
    )


def with_dynamic_cells(
    parts: Mapping[str, bytes], names: Set[str] | None = None, *, spilled: bool = False
) -> Parts:
    """The changed parts that make cells calling these LAMBDA names dynamic arrays.

    ``names`` defaults to all LAMBDA names of the workbook. Array formulas over several cells
    stay as they are, unless they are ``spilled`` ones: with the values of all their cells. Table
    columns get the same form.
    """
    wanted = lambda_names(parts[BOOK]) if names is None else names
    if not wanted:
        return {}
    changed: Parts = {}
    index = ""

    def mark(cell: Element, formula: Element) -> bool:
        nonlocal index
        here = cell.get("r", "")
        area = formula.get("ref", here) if formula.get("t") == "array" else here
        if cell.get("cm") or (area != here and not spilled):
            return False
        if not index:
            more, number = _metadata(parts)
            changed.update(more)
            index = str(number)
        formula.set("t", "array")
        formula.set("ref", area)
        cell.set("cm", index)
        for value in cell.findall(VALUE):
            if not value.text and cell.get("t") != "str":
                cell.remove(value)  # some readers would read it as an empty text
        return True

    changed.update(_cells(parts, wanted, mark))
    changed.update(_columns(parts, wanted, array=True))
    return changed


def without_dynamic_cells(parts: Mapping[str, bytes], names: Set[str]) -> tuple[Parts, set[str]]:
    """Undo :func:`with_dynamic_cells`: the changed parts, and those no longer needed.

    A spilled array keeps its form, as does every array formula over several cells.
    """

    def unmark(cell: Element, formula: Element) -> bool:
        if formula.get("t") != "array" or formula.get("ref") != cell.get("r"):
            return False
        for name in ("t", "ref"):
            formula.attrib.pop(name)
        cell.attrib.pop("cm", "")
        return True

    changed: Parts = dict(_cells(parts, names, unmark))
    changed.update(_columns(parts, names, array=False))
    now = {**parts, **changed}
    if now.get(METADATA) != _new_metadata() or any(
        _uses_metadata(now[p]) for p in sheet_parts(now).values()
    ):
        return changed, set()
    changed[CONTENT_TYPES] = without_type(now[CONTENT_TYPES], METADATA)
    changed[BOOK_RELATIONSHIPS] = without_relation(now[BOOK_RELATIONSHIPS], METADATA_RELATION)
    return changed, {METADATA}


def without_calculation_chain(parts: Mapping[str, bytes]) -> tuple[Parts, set[str]]:
    """What to change and remove so that Excel rebuilds its list of formula cells.

    A list that does not fit the cells causes a repair prompt.
    """
    if CALCULATION_CHAIN not in parts:
        return {}, set()
    return {
        CONTENT_TYPES: without_type(parts[CONTENT_TYPES], CALCULATION_CHAIN),
        BOOK_RELATIONSHIPS: without_relation(parts[BOOK_RELATIONSHIPS], "/calcChain"),
    }, {CALCULATION_CHAIN}


def _cells(
    parts: Mapping[str, bytes], names: Set[str], change: Callable[[Element, Element], bool]
) -> Iterator[tuple[str, bytes]]:
    """The worksheets in which ``change`` changed a formula cell that calls one of the names."""
    for part in sheet_parts(parts).values():
        if not any(name.encode() in parts[part].upper() for name in names):
            continue
        root = from_bytes(parts[part])
        _unshare(root, names)
        done = [
            change(cell, formula)
            for cell in root.iter(CELL)
            if (formula := cell.find(FORMULA)) is not None and called(formula.text or "") & names
        ]
        if any(done):
            yield part, to_bytes(root)


def _unshare(root: Element, names: Set[str]) -> None:
    """Give every cell of a shared formula that calls one of the names a formula of its own."""
    from openpyxl.formula.translate import Translator

    shared: dict[str, tuple[str, str]] = {}
    for cell in root.iter(CELL):
        formula = cell.find(FORMULA)
        if formula is None or formula.get("t") != "shared":
            continue
        group, here = formula.get("si", ""), cell.get("r", "")
        if formula.text and called(formula.text) & names:
            shared[group] = (formula.text, here)
        if group in shared:
            text, origin = shared[group]
            moved = Translator(f"={text}", origin).translate_formula(here)
            formula.text = moved.removeprefix("=")
            for name in ("t", "si", "ref"):
                formula.attrib.pop(name, "")


def _columns(
    parts: Mapping[str, bytes], names: Set[str], *, array: bool
) -> Iterator[tuple[str, bytes]]:
    """The tables with a computed column that calls one of the names."""
    for part in parts:
        if not part.startswith("xl/tables/"):
            continue
        root = from_bytes(parts[part])
        columns = [
            column
            for column in root.iter(f"{MAIN}calculatedColumnFormula")
            if called(column.text or "") & names and (column.get("array") == "1") != array
        ]
        for column in columns:
            if array:
                column.set("array", "1")
            else:
                column.attrib.pop("array")
        if columns:
            yield part, to_bytes(root)


def _uses_metadata(sheet: bytes) -> bool:
    return any(cell.get("cm") or cell.get("vm") for cell in from_bytes(sheet).iter(CELL))


def _metadata(parts: Mapping[str, bytes]) -> tuple[Parts, int]:
    """The changed parts that add metadata for dynamic arrays, and the metadata's number."""
    relations = from_bytes(parts[BOOK_RELATIONSHIPS])
    for relation in relations:
        if relation.get("Type") == METADATA_RELATION:
            part = book_target(relation)
            root = from_bytes(parts[part])
            number, added = _record(root)
            return ({part: to_bytes(root)} if added else {}), number
    add_relation(relations, METADATA_RELATION, "metadata.xml")
    types = from_bytes(parts[CONTENT_TYPES])
    add_type(types, METADATA, METADATA_TYPE)
    return {
        METADATA: _new_metadata(),
        CONTENT_TYPES: to_bytes(types),
        BOOK_RELATIONSHIPS: to_bytes(relations),
    }, 1


def _new_metadata() -> bytes:
    root = etree.fromstring(f'<metadata xmlns="{MAIN[1:-1]}" xmlns:xda="{_ARRAYS}"/>')
    _record(root)
    return to_bytes(root)


def _record(root: Element) -> tuple[int, bool]:
    """The number of the record that says "dynamic", and whether it had to be added."""
    types = _child(root, "metadataTypes", {}, 0)
    kinds = [kind.get("name") for kind in types]
    if _KIND not in kinds:
        kind = etree.SubElement(types, f"{MAIN}metadataType", name=_KIND)
        kind.set("minSupportedVersion", "120000")
        for assigned in _ASSIGNED:
            kind.set(assigned, "1")
        kinds.append(_KIND)
        types.set("count", str(len(kinds)))
    place = sum(child.tag in _BEFORE_FUTURE for child in root)
    future = _child(root, "futureMetadata", {"name": _KIND}, place)
    dynamic = [_is_dynamic(record) for record in future]
    if True not in dynamic:
        record = etree.SubElement(future, f"{MAIN}bk")
        extension = etree.SubElement(etree.SubElement(record, f"{MAIN}extLst"), f"{MAIN}ext")
        extension.set("uri", _EXTENSION)
        properties = etree.SubElement(extension, f"{{{_ARRAYS}}}dynamicArrayProperties")
        properties.set("fDynamic", "1")
        properties.set("fCollapsed", "0")
        dynamic.append(True)
        future.set("count", str(len(dynamic)))
    wanted = {"t": str(kinds.index(_KIND) + 1), "v": str(dynamic.index(True))}
    place = sum(child.tag in {*_BEFORE_FUTURE, f"{MAIN}futureMetadata"} for child in root)
    cells = _child(root, "cellMetadata", {}, place)
    for number, block in enumerate(cells, start=1):
        if [dict(record.attrib) for record in block] == [wanted]:
            return number, False
    etree.SubElement(etree.SubElement(cells, f"{MAIN}bk"), f"{MAIN}rc", wanted)
    cells.set("count", str(len(cells)))
    return len(cells), True


_BEFORE_FUTURE: Final = frozenset(
    f"{MAIN}{name}" for name in ("metadataTypes", "metadataStrings", "mdxMetadata")
)


def _child(root: Element, name: str, attributes: dict[str, str], place: int) -> Element:
    """The child with this name and these attributes, added in its place if missing."""
    for child in root.findall(f"{MAIN}{name}"):
        if all(child.get(key) == value for key, value in attributes.items()):
            return child
    child = root.makeelement(f"{MAIN}{name}", attributes)
    root.insert(place, child)
    return child


def _is_dynamic(record: Element) -> bool:
    array = record.find(f".//{{{_ARRAYS}}}dynamicArrayProperties")
    return array is not None and array.get("fDynamic") == "1" and array.get("fCollapsed") != "1"
