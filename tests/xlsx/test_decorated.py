"""A club's book that a person has decorated for years: the commands change their own cells only."""

import contextlib
import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import openpyxl
import pytest

from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import SHARED_TEXTS, sheet_parts
from tests.cli.test_killed import ADD, CLOSE, EVENTS, NATIVE, made
from tests.support.command import invoke
from tests.support.decorated import grafted
from tests.support.levels import cases
from tests.support.validator import found_in
from tests.xlsx.test_edit import CELL, quickstart, rich_book

pytestmark = pytest.mark.slow

OTHERS = (
    *("xl/pivotTables/pivotTable1.xml", "xl/pivotCache/pivotCacheDefinition1.xml"),
    *("xl/slicers/slicer1.xml", "xl/slicerCaches/slicerCache1.xml", "xl/ctrlProps/ctrlProp1.xml"),
    *("xl/activeX/activeX1.xml", "xl/activeX/activeX1.bin", "xl/media/image7.emf"),
    *("xl/threadedComments/threadedComment1.xml", "xl/persons/person.xml", "xl/metadata.xml"),
    *("customXml/item1.xml", "xl/webextensions/webextension1.xml", "xl/connections.xml"),
    *("xl/printerSettings/printerSettings1.bin", "xl/queryTables/queryTable1.xml", "no/ending"),
    *("xl/timelines/timeline1.xml", "xl/model/item.data", "docMetadata/LabelInfo.xml"),
)
"""Parts of every kind that a book may have; here only their bytes count."""


def file_of(parts: Mapping[str, bytes]) -> bytes:
    """A package whose parts stand in another order and are packed otherwise than ours."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in reversed(list(parts)):
            archive.writestr(name, parts[name])
    return buffer.getvalue()


def run(book: Path, *words: str) -> None:
    with contextlib.chdir(book.parent):
        done = invoke(*(book.name if word == "club.xlsx" else word for word in words))
    assert 0 == done.exit_code, done.output


def rest(part: bytes) -> bytes:
    """A sheet without its cells, and what has to follow them."""
    for pattern in (CELL, rb"<dimension[^>]*>", rb'spans="[\d:]*"', rb'<row r="\d+"></row>'):
        part = re.sub(pattern, b"", part)
    return part


@pytest.mark.parametrize("host", cases(("rich", "macros"), test=("rich",)))
def test_everything_in_a_decorated_book_stays(host: str, tmp_path: Path) -> None:
    own = rich_book() if host == "rich" else quickstart("quickstart_standalone.xlsm")
    odd = {name: b"<x/>" if name.endswith(".xml") else b"\0\xff" + name.encode()
           for name in OTHERS}  # fmt: skip
    parts = grafted(made("club"), own)
    book = tmp_path / ("club.xlsx" if host == "rich" else "club.xlsm")
    book.write_bytes(file_of({**parts, **{k: v for k, v in odd.items() if k not in parts}}))
    for name, text in EVENTS.items():
        (tmp_path / name).write_text(text)
    clubs = {part for part in sheet_parts(parts).values() if "/club" in part}
    first = book.read_bytes()
    for words in (ADD, CLOSE):
        before = book.read_bytes()
        run(book, *words)
        old, new = read_parts(before), read_parts(book.read_bytes())
        assert list(old) == list(new)
        changed = {name for name in old if old[name] != new[name]}
        assert changed <= {*clubs, "docProps/custom.xml", "xl/workbook.xml", SHARED_TEXTS}
        for name in changed & clubs:
            assert rest(old[name]) == rest(new[name]), name
    sheets = openpyxl.load_workbook(book)
    assert "Spring" in {row[1].value for row in sheets["Events"].iter_rows()}
    assert openpyxl.load_workbook(io.BytesIO(own)).sheetnames == sheets.sheetnames[:-11]
    run(book, *NATIVE[:2], book.name, "-o", book.name)
    native = read_parts(book.read_bytes())
    assert {"xl/workbook.xml"} == {name for name in new if new[name] != native[name]}
    run(book, *NATIVE[:2], book.name, "-o", book.name, "--remove")
    for name, part in read_parts(book.read_bytes()).items():
        assert part == new[name] or name == "xl/workbook.xml"
    copies = {path.read_bytes() for path in tmp_path.glob("club (*")}
    assert (4, True) == (len(copies), first in copies)


def test_a_decorated_book_stays_valid(tmp_path: Path, validator: str) -> None:
    book = tmp_path / "club.xlsm"
    book.write_bytes(file_of(grafted(made("club"), quickstart("quickstart_standalone.xlsm"))))
    for name, text in EVENTS.items():
        (tmp_path / name).write_text(text)
    known = found_in(book.read_bytes(), tmp_path / "before.xlsm", validator)
    for words in (ADD, CLOSE):
        run(book, *words)
        assert known == found_in(book.read_bytes(), tmp_path / "after.xlsm", validator)
