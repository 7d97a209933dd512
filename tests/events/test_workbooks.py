"""How much room a workbook's cells need, before anything reads them."""

from __future__ import annotations

import io
import zipfile

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


def packed(name: str, text: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, text)
    return file.getvalue()
