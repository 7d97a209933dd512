"""Values set in cells of existing workbooks: all other bytes stay, and other programs read them."""

import io
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import zipfile
from datetime import date, datetime
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NoReturn

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import coordinate_to_tuple
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table
from openpyxl.worksheet.worksheet import Worksheet

from elo_xl.xlsx.added_sheet import Paper, StyledCell, with_sheet
from elo_xl.xlsx.cell_xml import CellValue
from elo_xl.xlsx.edit import NewValue, edited
from elo_xl.xlsx.files import unfinished, write_whole
from elo_xl.xlsx.in_place import WorkbookError, read_parts, with_parts
from elo_xl.xlsx.keep import backup_name, held, replace_kept
from elo_xl.xlsx.opc import SHARED_TEXTS
from elo_xl.xlsx.package import package

CELL = re.compile(rb"<(?:\w+:)?c\b[^>]*?(?:/>|>.*?</(?:\w+:)?c>)", re.DOTALL)
SHEET = "xl/worksheets/sheet1.xml"


def changed(file: bytes, values: dict[str, dict[tuple[int, int], NewValue]]) -> bytes:
    return with_parts(file, edited(read_parts(file), values))


def parts_of(file: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def cells_of(part: bytes) -> dict[bytes, bytes]:
    found = [(re.search(rb'\br="([A-Z]+\d+)"', cell[0]), cell[0]) for cell in CELL.finditer(part)]
    return {place[1]: cell for place, cell in found if place is not None}


def rich_book() -> bytes:
    """What people put into a workbook, by openpyxl."""
    book = openpyxl.Workbook()
    sheet = book["Sheet"]
    assert isinstance(sheet, Worksheet)
    for row in range(1, 9):
        sheet.append([f"Name {row}", 1500 + row, f"=B{row}+1", date(2026, 1, row)])
    sheet["B3"].font = Font(bold=True)
    sheet["A4"].fill = PatternFill("solid", fgColor="FFFF00")
    sheet["A1"].comment = Comment("a note", "somebody")
    sheet.conditional_formatting.add(
        "B1:B8", CellIsRule("greaterThan", ["1503"], font=Font(color="FF0000"))
    )
    sheet.add_data_validation(DataValidation("whole", sqref="B1:B8", formula1="1", formula2="9"))
    chart: Any = BarChart()
    chart.add_data(Reference(sheet, 2, 1, 2, 8))
    chart.anchor = "H2"
    sheet.add_chart(chart)
    other = book.create_sheet("Other sheet")
    other.append(["Head", "Points"])
    other.append(["a", 1])
    other.add_table(Table(displayName="Points", ref="A1:B2"))
    buffer = io.BytesIO()
    book.save(buffer)
    return with_parts(
        buffer.getvalue(),
        {"xl/media/image1.png": b"\x89PNG no picture", "customXml/item1.xml": b"<a/>"},
    )


def quickstart(name: str) -> bytes:
    found = find_spec("xlwings")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).with_name(name).read_bytes()


FILES = {
    "rich": rich_book,
    "quickstart": lambda: quickstart("quickstart.xlsm"),
    "standalone": lambda: quickstart("quickstart_standalone.xlsm"),
}


@pytest.mark.parametrize("name", FILES)
def test_only_the_changed_cells_are_other_bytes(name: str) -> None:
    file = FILES[name]()
    book = openpyxl.load_workbook(io.BytesIO(file))
    title = book.sheetnames[0]
    values: dict[tuple[int, int], NewValue] = {
        (1, 1): "no formula",
        (2, 2): 1834.5,
        (4, 1): None,
        (30, 5): "behind",
        (30, 2): True,
        (5, 4): date(2027, 2, 28),
    }
    new = changed(file, {title: values})
    old_parts, new_parts = parts_of(file), parts_of(new)
    other = {p for p in old_parts if old_parts[p] != new_parts[p]}
    assert list(old_parts) == list(new_parts)
    assert other - {"xl/workbook.xml", SHARED_TEXTS} == {SHEET}
    before, after = cells_of(old_parts[SHEET]), cells_of(new_parts[SHEET])
    if SHARED_TEXTS in old_parts:  # where previews on phones look for them, behind the others
        old_texts = re.sub(rb' (c|uniqueC)ount="\d+"', b"", old_parts[SHARED_TEXTS])
        added = b"<si><t>no formula</t></si><si><t>behind</t></si></sst>"
        assert old_texts.removesuffix(b"</sst>") + added == new_parts[SHARED_TEXTS]
        assert all(b't="s"' in after[cell] for cell in (b"A1", b"E30"))
    touched = {b"A1", b"B2", b"A4", b"E30", b"B30", b"D5"}
    assert {k: v for k, v in before.items() if k not in touched} == {
        k: v for k, v in after.items() if k not in touched
    }
    # outside of the cells nothing but a new row and the sheet's extent
    rest_old, rest_new = (CELL.sub(b"", part) for part in (old_parts[SHEET], new_parts[SHEET]))
    for pattern in (
        rb"<dimension[^>]*>",
        rb'<row r="\d+"></row>',
        rb"</?sheetData */?>",
        rb'spans="[\d:]*"',
    ):
        rest_old, rest_new = (re.sub(pattern, b"", rest) for rest in (rest_old, rest_new))
    assert rest_old == rest_new
    sheet = openpyxl.load_workbook(io.BytesIO(new))[title]
    assert [sheet.cell(*at).value for at in ((1, 1), (2, 2), (4, 1), (30, 5), (30, 2))] == [
        *("no formula", 1834.5, None, "behind", True)
    ]
    assert sheet["A1"].data_type == "s"


def test_workbook_part_only_gets_the_mark_to_recalculate() -> None:
    file = rich_book()
    parts = parts_of(file)
    old = re.sub(rb' fullCalcOnLoad="1"', b"", parts["xl/workbook.xml"])
    file = with_parts(file, {"xl/workbook.xml": old})
    new = parts_of(changed(file, {"Sheet": {(1, 2): 3}}))["xl/workbook.xml"]
    assert new == old.replace(b"<calcPr ", b'<calcPr fullCalcOnLoad="1" ')
    without = re.sub(rb"<calcPr[^>]*/>", b"", old)
    file = with_parts(file, {"xl/workbook.xml": without})
    new = parts_of(changed(file, {"Sheet": {(1, 2): 3}}))["xl/workbook.xml"]
    assert openpyxl.load_workbook(
        io.BytesIO(with_parts(file, {"xl/workbook.xml": new}))
    ).calculation.fullCalcOnLoad
    assert new.replace(b'<calcPr fullCalcOnLoad="1"/>', b"") == without
    # and a book without formulas is left alone
    plain = openpyxl.Workbook()
    plain["Sheet"]["A1"] = 1
    buffer = io.BytesIO()
    plain.save(buffer)
    assert list(edited(read_parts(buffer.getvalue()), {"Sheet": {(1, 1): 2}})) == [SHEET]


def test_styles_stay_and_new_cells_look_like_those_above() -> None:
    file = rich_book()
    new = openpyxl.load_workbook(
        io.BytesIO(changed(file, {"Sheet": {(3, 2): 7, (4, 1): None, (9, 4): date(2026, 5, 4),
                                            (10, 4): date(2026, 5, 5)}}))
    )["Sheet"]  # fmt: skip
    assert (7, True) == (new["B3"].value, new["B3"].font.b)
    assert "00FFFF00" == new["A4"].fill.fgColor.rgb
    assert [datetime(2026, 5, 4), datetime(2026, 5, 5)] == [new["D9"].value, new["D10"].value]


@pytest.mark.parametrize("name", FILES)
def test_what_looks_like_a_formula_stays_a_text_when_its_cell_is_edited(name: str) -> None:
    file = FILES[name]()
    book = openpyxl.load_workbook(io.BytesIO(file))
    title = book.sheetnames[0]
    texts = ["=1+1", "+1", "-1", "@SUM(1)", "'t Hart", "＝1+1", "＠a", "Ana", " =1"]
    at = dict(enumerate(texts, start=1))
    new = changed(file, {title: {(row, 1): text for row, text in at.items()}})
    sheet = openpyxl.load_workbook(io.BytesIO(new))[title]
    assert texts == [sheet.cell(row, 1).value for row in at]
    assert [True] * 7 + [False] * 2 == [sheet.cell(row, 1).quotePrefix for row in at]
    # all else of the style stays, and the mark goes with the text
    back = openpyxl.load_workbook(io.BytesIO(changed(new, {title: {(row, 1): row for row in at}})))[
        title
    ]
    assert [False] * 9 == [back.cell(row, 1).quotePrefix for row in at]
    for looks in (sheet["A1"], back["A1"]):
        for part in ("font", "fill", "border", "alignment", "protection", "number_format"):
            assert repr(getattr(looks, part)) == repr(getattr(book[title]["A1"], part))
    again = parts_of(changed(new, {title: {(1, 1): "=2"}}))["xl/styles.xml"]
    assert again == parts_of(new)["xl/styles.xml"]


ODD = {
    "no places": b"<row><c><v>1</v></c><c><v>2</v></c></row><row r='4'><c><v>3</v></c></row>",
    "empty rows": b'<row r="1"/><row r="4" spans="1:1" ht="20"><c r="A4" s="0"/></row>',
    "signs": b'<row r="1" ht="3"><c r="A1" t="str"><v>a&gt;b/&lt;c</v></c><!-- </row> --></row>',
    "nothing": b"",
}


@pytest.mark.parametrize("inside", ODD.values(), ids=ODD)
@pytest.mark.parametrize("prefix", ["", "x:"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_sheets_as_other_programs_write_them(inside: bytes, prefix: str, encoding: str) -> None:
    xmlns = "xmlns" + (f":{prefix[:-1]}" if prefix else "")
    rows = re.sub(r"(</?)(\w)", rf"\1{prefix}\2", inside.decode())
    data = f"<{prefix}sheetData>{rows}</{prefix}sheetData>" if rows else f"<{prefix}sheetData />"
    xml = (
        f'<?xml version="1.0" encoding="{encoding}"?><{prefix}worksheet {xmlns}='
        f'"http://schemas.openxmlformats.org/spreadsheetml/2006/main">{data}</{prefix}worksheet>'
    )
    buffer = io.BytesIO()
    openpyxl.Workbook().save(buffer)
    file = with_parts(buffer.getvalue(), {SHEET: xml.encode(encoding)})
    old = openpyxl.load_workbook(io.BytesIO(file))["Sheet"]
    values: dict[tuple[int, int], NewValue] = {(1, 2): "-x", (2, 1): 5, (4, 3): "é<&", (1, 1): 9}
    new = openpyxl.load_workbook(io.BytesIO(changed(file, {"Sheet": values})))["Sheet"]
    expected = {(r, c): old.cell(r, c).value for r in range(1, 6) for c in range(1, 6)} | values
    assert expected == {at: new.cell(*at).value for at in expected}


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@a", "\tb", "\rc", " a ", "_x0041_", "a\x07b", "", "1-0", "😀"]
)
def test_texts_stay_the_texts_that_they_are(text: str) -> None:
    from elo_xl.xlsx.cells import StoredBook

    made = openpyxl.Workbook()
    made["Sheet"]["B1"] = "of before"
    for before in (rich_book(), package(made, {})):  # in the cell, and in the part for all texts
        file = changed(before, {"Sheet": {(1, 1): text}})
        sheet = StoredBook(read_parts(file))["Sheet"]
        held_ = sheet.cells.get((1, 1))
        assert text == ("" if held_ is None else held_.value)
        assert held_ is None or not held_.formula
        parts = parts_of(file)
        cell = cells_of(parts[SHEET])[b"A1"]
        assert b"<f" not in cell
        held_in = cell + parts.get(SHARED_TEXTS, b"")
        assert b'xml:space="preserve"' in held_in or text == text.strip()


def test_dates_count_from_1904_where_the_workbook_does() -> None:
    file = rich_book()
    book = re.sub(
        b"<workbookPr[^>]*/>", b'<workbookPr date1904="1"/>', parts_of(file)["xl/workbook.xml"]
    )
    file = with_parts(file, {"xl/workbook.xml": book})
    new = openpyxl.load_workbook(io.BytesIO(changed(file, {"Sheet": {(1, 4): date(2026, 5, 4)}})))
    assert datetime(2026, 5, 4) == new["Sheet"]["D1"].value


def test_values_that_formulas_give_are_shown() -> None:
    file = rich_book()
    shown: dict[tuple[int, int], CellValue] = {
        (1, 3): 1502.0,
        (2, 3): "#N/A",
        (3, 3): " <a> ",
        (4, 3): True,
        (5, 1): 1.0,
    }
    new = with_parts(file, edited(read_parts(file), {"Sheet": {(1, 2): 1501}}, {"Sheet": shown}))
    for formulas in (True, False):
        sheet = openpyxl.load_workbook(io.BytesIO(new), data_only=not formulas)["Sheet"]
        expected = (
            [f"=B{row}+1" for row in range(1, 5)] if formulas else [1502, "#N/A", " <a> ", True]
        )
        assert [*expected, "Name 5"] == [
            *(sheet.cell(r, 3).value for r in range(1, 5)),
            sheet["A5"].value,
        ]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"Sheet": {(1, 3): 5}}, "a formula stands where a value is to go @ Sheet!C1"),
        ({"Sheet": {(1, 3): None}}, "a formula stands where a value is to go @ Sheet!C1"),
        ({"None": {(1, 3): 5}}, "there is no sheet 'None'"),
        ({"Sheet": {(1_048_577, 1): 5}}, "the sheet is full @ Sheet!A1048577"),
        ({"Sheet": {(1, 1): float("nan")}}, "nan is not a number that a cell can hold @ Sheet!A1"),
        ({"Sheet": {(1, 1): "a" * 32768}}, "a text of 32768 letters fits no cell @ Sheet!A1"),
    ],
)
def test_what_no_cell_can_take_is_refused(
    values: dict[str, dict[tuple[int, int], NewValue]], message: str
) -> None:
    with pytest.raises(WorkbookError, match=f"^{re.escape(message)}$"):
        changed(rich_book(), values)


def test_a_cell_takes_the_32767_letters_that_excel_names() -> None:
    book = openpyxl.load_workbook(
        io.BytesIO(changed(rich_book(), {"Sheet": {(1, 1): "a" * 32_767}}))
    )
    assert book["Sheet"]["A1"].value == "a" * 32_767


def test_cells_filled_by_an_array_formula_are_refused() -> None:
    file = rich_book()
    sheet = parts_of(file)[SHEET].replace(b"<f>B1+1</f>", b'<f t="array" ref="C1:E2">B1:D2</f>')
    with pytest.raises(WorkbookError, match="a formula stands"):
        changed(with_parts(file, {SHEET: sheet}), {"Sheet": {(2, 5): 1}})


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("B12", "the cell is merged with A12, which hides its value @ Sheet!B12"),
        ("G1", "the head of a table stands where a value is to go @ Sheet!G1"),
        ("H3", "the totals of a table stand where a value is to go @ Sheet!H3"),
        ("K2", "a pivot table stands where a value is to go @ Sheet!K2"),
        ("A12", ""),
        ("G2", ""),
        ("G5", ""),
        ("M2", ""),
    ],
)
def test_what_belongs_to_something_else_is_left_alone(place: str, message: str) -> None:
    """A head that is not what its table says is repaired by Excel, and what is hidden is lost."""
    book = openpyxl.Workbook()
    sheet = book["Sheet"]
    assert isinstance(sheet, Worksheet)
    sheet["A12"] = 1
    sheet.merge_cells("A12:C12")
    for row, name in enumerate(("Name", "a", "Total"), 1):
        sheet[f"G{row}"], sheet[f"H{row}"] = name, "Points" if row == 1 else 1
    table = Table(displayName="Points", ref="G1:H3", totalsRowCount=1)
    sheet.add_table(table)
    buffer = io.BytesIO()
    book.save(buffer)
    parts = read_parts(buffer.getvalue())
    relations = "xl/worksheets/_rels/sheet1.xml.rels"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/pivotTable"
    pivot = f'<Relationship Id="rIdP" Type="{kind}" Target="../pivotTables/pivotTable1.xml"/>'
    parts[relations] = parts[relations].replace(
        b"</Relationships>", f"{pivot}</Relationships>".encode()
    )
    parts["xl/pivotTables/pivotTable1.xml"] = (
        b'<pivotTableDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        b'<location ref="J1:L9" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/>'
        b"</pivotTableDefinition>"
    )
    values: dict[str, dict[tuple[int, int], NewValue]]
    values = {"Sheet": {coordinate_to_tuple(place): "x"}}
    if message:
        with pytest.raises(WorkbookError, match=f"^{re.escape(message)}$"):
            edited(parts, values)
    else:
        assert [SHEET] == list(edited(parts, values))


def test_comments_and_parts_that_are_lost_do_no_harm() -> None:
    book = openpyxl.Workbook()
    sheet = book["Sheet"]
    assert isinstance(sheet, Worksheet)
    sheet["A1"].comment = Comment("a note", "Ana")
    sheet["G1"] = "Name"
    sheet.add_table(Table(displayName="Points", ref="G1:G3"))
    buffer = io.BytesIO()
    book.save(buffer)
    parts = read_parts(buffer.getvalue())
    del parts["xl/tables/table1.xml"]
    assert [SHEET] == list(edited(parts, {"Sheet": {(1, 7): "x"}}))


def test_what_a_cell_showed_in_place_of_its_value_goes() -> None:
    file = rich_book()
    part = parts_of(file)[SHEET]
    for name in (b"A2", b"C2"):
        part = part.replace(b'r="%s"' % name, b'r="%s" vm="1"' % name)
    parts = {**read_parts(file), SHEET: part}
    new = edited(parts, {"Sheet": {(2, 1): 5}}, {"Sheet": {(2, 3): 7}})[SHEET]
    assert (2, 0) == (part.count(b' vm="1"'), new.count(b' vm="1"'))


# -- books that people keep -----------------------------------------------------------------------


def test_a_sheet_of_values_goes_behind_the_others() -> None:
    stream = io.BytesIO()
    openpyxl.Workbook().save(stream)
    parts = read_parts(stream.getvalue())
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(b"<definedNames/>", b"")
    assert b"definedNames" not in parts["xl/workbook.xml"]
    # of a sign that XML cannot hold the code is kept, as in every other cell that is edited
    rows = [[StyledCell("Odds")], [StyledCell("a\x01b"), StyledCell(0.25, "0.0000%")]]
    paper = Paper((20, 9), {}, [(1, 1, 2)], (1, 2), True, "AABBCC", "")
    new = with_parts(with_parts(stream.getvalue(), parts), with_sheet(parts, "It's", rows, paper))
    sheet = openpyxl.load_workbook(io.BytesIO(new)).worksheets[1]
    assert ("It's", "Odds") == (sheet.title, sheet["A1"].value)
    assert "a_x0001_b" == sheet["A2"].value
    assert (0.25, "0.0000%") == (sheet["B2"].value, sheet["B2"].number_format)
    assert "$1:$2" == sheet.print_title_rows


def test_the_copy_has_the_minute_in_its_name(tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    book.write_bytes(b"old")
    now = datetime(2026, 11, 22, 10, 30)
    for name in ("club (2026-11-22 1030).xlsx", "club (2026-11-22 1030-2).xlsx"):
        copy = backup_name(book, now)
        assert name == copy.name
        replace_kept(book, b"old", b"new", copy)
        assert (b"old", b"new") == (copy.read_bytes(), book.read_bytes())
        book.write_bytes(b"old")
    with pytest.raises(OSError, match="somebody has changed it in the meantime"):
        replace_kept(book, b"older", b"new", None)
    assert b"old" == book.read_bytes()


def test_a_book_that_is_open_gets_no_copy_either(tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    book.write_bytes(b"old")
    (tmp_path / "~$club.xlsx").write_bytes(b"")
    with pytest.raises(OSError, match="has it open in Excel"):
        replace_kept(book, b"old", b"new", backup_name(book, datetime(2026, 11, 22)))
    assert {"club.xlsx", "~$club.xlsx"} == {path.name for path in tmp_path.iterdir()}


def test_what_a_killed_command_has_left_is_cleared(tmp_path: Path) -> None:
    names = (
        *(".club.xlsx.0123abcd.tmp", ".club (2026-11-22 1030).xlsx.0123abcd.tmp"),
        "..club.xlsx.elo-xl.0123abcd.tmp",
    )
    others = ".clubs.xlsx.0123abcd.tmp", ".club.xlsx.notes.tmp", ".~club.xlsx.tmp"
    for name in (*names, *others):
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / ".club.xlsx.elo-xl.0123abcd.old").write_text(f"99999999 {socket.gethostname()} x")
    book = tmp_path / "club.xlsx"
    book.write_bytes(b"old")
    with held(book):
        replace_kept(book, b"old", b"new", None)
    assert sorted(["club.xlsx", *others]) == sorted(path.name for path in tmp_path.iterdir())


def test_what_is_older_than_an_hour_is_cleared_though_it_cannot_be_locked(tmp_path: Path) -> None:
    """Some folders in a network know no locks."""
    book = tmp_path / "club.xlsx"
    with unfinished(book) as draft:
        os.utime(draft, (0, 0))
        write_whole(book, b"new")
        assert [book] == list(tmp_path.iterdir())


def test_what_another_command_is_writing_stays(tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    with unfinished(book) as draft:
        draft.write_bytes(b"first")
        write_whole(book, b"second")
        assert {book, draft} == set(tmp_path.iterdir())
        draft.replace(book)
    assert [b"first"] == [path.read_bytes() for path in tmp_path.iterdir()]


@pytest.mark.slow
def test_one_command_at_a_time(tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    with held(book), pytest.raises(OSError, match="of elo-xl is at work on it"), held(book, 0.2):
        pass
    assert [] == list(tmp_path.iterdir())


HOLD = """
import sys, time
from pathlib import Path
from elo_xl.xlsx.keep import held
with held(Path(sys.argv[1]), 30):
    log = Path(sys.argv[1]).with_name("log")
    log.write_text(log.read_text() + "in\\n") if log.exists() else log.write_text("in\\n")
    time.sleep(float(sys.argv[2]))
    log.write_text(log.read_text() + "out\\n")
"""


def _holder(book: Path, seconds: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", HOLD, str(book), str(seconds)])


def test_the_lock_of_a_killed_command_is_taken_over(tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    process = _holder(book, 60)
    while not (tmp_path / "log").exists():
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert [".club.xlsx.elo-xl", "log"] == sorted(path.name for path in tmp_path.iterdir())
    with held(book, 0.2):
        pass
    assert ["log"] == [path.name for path in tmp_path.iterdir()]


def test_the_lock_of_another_machine_is_taken_over_after_an_hour(tmp_path: Path) -> None:
    """Whether its process has ended cannot be seen from here."""
    lock = tmp_path / ".club.xlsx.elo-xl"
    lock.write_text("4711 another-machine 0123abcd")
    with pytest.raises(OSError, match=r"process 4711 on another-machine of elo-xl is at work"):
        held(tmp_path / "club.xlsx", 0.1).__enter__()
    hour = time.time() - 3700
    os.utime(lock, (hour, hour))
    with held(tmp_path / "club.xlsx", 0.1):
        assert str(os.getpid()) == lock.read_text().split()[0]
    assert [] == list(tmp_path.iterdir())


@pytest.mark.slow
def test_commands_wait_for_each_other(tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    processes = [_holder(book, 0.1) for _ in range(6)]
    assert [0] * 6 == [process.wait(60) for process in processes]
    assert ["in", "out"] * 6 == (tmp_path / "log").read_text().split()


def _write_for_ever(book: Path, old: bytes, new: bytes) -> NoReturn:
    while True:
        with held(book):
            replace_kept(book, old, new, backup_name(book, datetime(2026, 11, 22)))
        old, new = new, old


@pytest.mark.slow
def test_killed_at_any_moment_a_whole_book_is_there(tmp_path: Path) -> None:
    chance = random.Random(14)
    old = rich_book()
    new = changed(old, {"Sheet": {(1, 1): "another"}})
    seen = set()
    for turn in range(50):
        folder = tmp_path / str(turn)
        folder.mkdir()
        book = folder / "club.xlsx"
        book.write_bytes(old)
        process = get_context("fork").Process(target=_write_for_ever, args=(book, old, new))
        process.start()
        time.sleep(chance.random() * 0.05)
        process.kill()
        process.join()
        there = book.read_bytes()
        assert there in (old, new)
        seen.add(there)
        assert all(copy.read_bytes() in (old, new) for copy in folder.glob("club (*"))
        with held(book, 0.5):
            pass
    assert {old, new} == seen
