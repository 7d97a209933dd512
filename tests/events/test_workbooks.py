"""How much room a workbook's cells need, before anything reads them."""

from __future__ import annotations

import io
import os
import time
import zipfile
from contextlib import nullcontext

import pytest

from elo_xl.events import workbooks
from elo_xl.events.workbooks import TooLargeError, check_room

XLSX = """<worksheet><sheetData><row r="1"><c r="A1"/><c r="B1"/></row>
<row r="2"><c r="A2"/>{}</row></sheetData></worksheet>"""
VALUE = '<table:table-cell office:value-type="float"/>'
ODS = f"""<table:table><table:table-row>{VALUE}{VALUE}</table:table-row>
<table:table-row>{VALUE}{{}}</table:table-row></table:table>"""


@pytest.mark.parametrize(
    ("part", "text", "last"),
    [("xl/worksheets/sheet1.xml", XLSX, '<c r="B2"/>'), ("content.xml", ODS, VALUE)],
    ids=["xlsx", "ods"],
)
def test_cells_are_counted_through_all_pieces_of_a_sheet(
    monkeypatch: pytest.MonkeyPatch, part: str, text: str, last: str
) -> None:
    """Two rows and two columns with four cells have room, with three of them they have not."""
    for name, value in {"_CHUNK": 16, "MOST_SPREAD": 0, "MOST_PLACES": 1}.items():
        monkeypatch.setattr(workbooks, name, value)
    check_room(packed(part, text.format(last)))
    with pytest.raises(TooLargeError, match="cells in 2 rows and 2 columns: too many"):
        check_room(packed(part, text.format("")))


@pytest.mark.parametrize("encoding", ["UTF-1", "UTF-32"])
def test_a_part_in_an_unknown_encoding_is_left_to_its_reader(encoding: str) -> None:
    said = f'<?xml version="1.0" encoding="{encoding}"?>'
    check_room(packed("xl/worksheets/sheet1.xml", f"{said}<worksheet><c/></worksheet>"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("content.xml", "<a/>" * 6_000_000, "6,000,000 tags, as none of its size has"),
        ("xl/worksheets/sheet1.xml", "<worksheet><c/>" + "<c/>" * 6_000_000, "6,000,002 tags"),
        ("xl/worksheets/sheet1.xml", XLSX.format("") + " " * 150_000_000, ""),
    ],
    ids=["ods", "xlsx", "blanks"],
)
def test_what_is_to_be_looked_through_costs_so_much_a_byte(
    name: str, text: str, message: str
) -> None:
    """Blanks took a time that grew as their square, 8 seconds for these."""
    file = packed(name, text, os.urandom(2 << 20))
    before = time.process_time()
    with pytest.raises(TooLargeError, match=message) if message else nullcontext():
        check_room(file)
    assert time.process_time() - before < 3


def packed(name: str, text: str, noise: bytes = b"") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
        archive.writestr("noise", noise)
    return file.getvalue()
