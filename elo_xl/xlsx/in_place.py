"""Change some parts of existing workbooks and keep all others byte for byte."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Collection, Mapping
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import escape

from elo_xl.xlsx.opc import BOOK, EARLIEST, Parts, unzipped

FORMULAS: Final = frozenset(
    ("f", "formula", "formula1", "formula2", "definedName", "calculatedColumnFormula")
)
"""The elements that hold formulas: in cells, rules, validations, names and tables."""


class WorkbookError(ValueError):
    """The file is not a workbook, or is damaged."""


def read_parts(content: bytes) -> Parts:
    """The parts of a workbook by name; raises WorkbookError for any other file."""
    try:
        parts = unzipped(content)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise WorkbookError(f"it is not a workbook, or it is encrypted ({error})") from None
    if BOOK not in parts:
        raise WorkbookError(f"it is not a workbook: it has no {BOOK}")
    return parts


def with_parts(
    content: bytes, changed: Mapping[str, bytes], without: Collection[str] = ()
) -> bytes:
    """Change, add or remove parts of a workbook; the others, and their order, stay."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            if entry.filename in without:
                continue
            new.writestr(entry, changed.get(entry.filename, old.read(entry)))
        for name in sorted(changed.keys() - {*old.namelist(), *without}):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, changed[name])
    return buffer.getvalue()


def rewrite_formulas(part: bytes, rewrite: Callable[[str], str]) -> bytes:
    """Rewrite the formulas of a part; those that ``rewrite`` does not change stay byte for byte.

    >>> rewrite_formulas(b'<c r="A1"><f>OLD(&quot;a&quot;)</f><v>OLD(1)</v></c>', str.lower)
    b'<c r="A1"><f>old("a")</f><v>OLD(1)</v></c>'

    Raises WorkbookError where the part is no XML.
    """
    found: list[tuple[int, int, str]] = []
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
            found.append((begins[0], parser.CurrentByteIndex, "".join(text)))
            begins.clear()
        parser.CharacterDataHandler = None

    def refuse(*_: object) -> None:
        raise WorkbookError("a part declares a document type")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartCdataSectionHandler = marked
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(part, True)
    except expat.ExpatError as error:
        raise WorkbookError(f"a part is damaged ({error})") from None
    pieces: list[bytes] = []
    at = 0
    for begin, stop, formula in found:
        new = rewrite(formula)
        if new != formula:
            pieces += [part[at:begin], escape(new).encode()]
            at = stop
    return b"".join((*pieces, part[at:]))


def rewrite_parts(parts: Mapping[str, bytes], mark: bytes, rewrite: Callable[[str], str]) -> Parts:
    """Rewrite the formulas of the parts that contain ``mark``, which is in lower case."""
    return {
        name: rewrite_formulas(part, rewrite)
        for name, part in parts.items()
        if name.startswith("xl/") and name.endswith(".xml") and mark in part.lower()
    }


def count_formulas(workbook: bytes, mark: bytes, counts: Callable[[str], bool]) -> int:
    """The number of formulas that count in the parts that contain ``mark``."""
    found: list[str] = []

    def keep(formula: str) -> str:
        if counts(formula):
            found.append(formula)
        return formula

    rewrite_parts(read_parts(workbook), mark, keep)
    return len(found)
