"""The file: values beside formulas, the same bytes every time, written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
import zipfile
from datetime import date, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import openpyxl
import pytest
from lxml import etree
from openpyxl.chart import BarChart, Reference
from openpyxl.formatting.rule import Rule
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat

from elo_xl.xlsx.added_sheet import Paper, StyledCell, with_sheet
from elo_xl.xlsx.cell_xml import PlainText
from elo_xl.xlsx.cells import StoredBook
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.package import package
from tests.support import package_rules

if TYPE_CHECKING:
    from pathlib import Path

VALUES: dict[str, Any] = {
    "A1": 2,
    "A2": -0.1 - 0.2,
    "A3": "win",
    "A4": "#N/A",
    "A5": True,
    "A6": np.float64(1 / 3),
    "A7": np.bool_(False),
    "A8": " two blanks ",
    "A9": 1e300,
    "B1": "Ботвинник & <b>",
    "B2": np.int64(7),
    "B3": 0.0,
}


def book(*cells: str) -> openpyxl.Workbook:
    workbook = openpyxl.Workbook()
    for cell in cells or VALUES:
        workbook["Sheet"][cell] = "=1+1"
    return workbook


def values(cells: dict[str, Any], title: str = "Sheet") -> dict[tuple[str, str], Any]:
    return {(title, cell): value for cell, value in cells.items()}


def parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def cells(content: bytes, part: str = "xl/worksheets/sheet1.xml") -> dict[str, Any]:
    root = etree.fromstring(parts(content)[part])
    return {str(c.get("r")): c for c in root.iter("{*}c")}


def test_values_come_back_by_kind(tmp_path: Path) -> None:
    (tmp_path / "book.xlsx").write_bytes(package(book(), values(VALUES)))
    sheet = openpyxl.load_workbook(tmp_path / "book.xlsx", data_only=True)["Sheet"]
    assert {cell: sheet[cell].value for cell in VALUES} == VALUES
    assert (sheet["A4"].data_type, sheet["A5"].data_type, sheet["A3"].data_type) == ("e", "b", "s")
    formulas = openpyxl.load_workbook(tmp_path / "book.xlsx")["Sheet"]
    assert {formulas[cell].value for cell in VALUES} == {"=1+1"}


def test_a_text_may_read_like_an_error() -> None:
    found = cells(package(book("A1", "A2"), values({"A1": PlainText("#N/A"), "A2": "#N/A"})))
    assert (found["A1"].get("t"), found["A2"].get("t")) == ("str", "e")


def test_a_formula_without_a_value_has_none() -> None:
    found = cells(package(book("A1", "A2"), values({"A1": 2})))
    assert [c.tag.rpartition("}")[2] for c in found["A1"]] == ["f", "v"]
    assert [c.tag.rpartition("}")[2] for c in found["A2"]] == ["f"]


def test_everything_is_recalculated_on_opening() -> None:
    found = parts(package(book(), values(VALUES)))
    calculation = next(etree.fromstring(found["xl/workbook.xml"]).iter("{*}calcPr"))
    assert calculation.get("fullCalcOnLoad") == "1"
    assert not [name for name in found if "calcChain" in name]
    assert next(iter(found)) == "[Content_Types].xml"


def test_sheets_are_found_by_their_relationships() -> None:
    workbook = openpyxl.Workbook()
    first = workbook["Sheet"]
    chart = BarChart()
    chart.add_data(Reference(first, min_col=1, min_row=1, max_row=2))
    workbook.create_chartsheet("Chart", 0).add_chart(chart)
    workbook.create_sheet("it's & <new>", 1)["B2"] = "=2"
    first["A1"] = "=1"
    content = package(workbook, {("it's & <new>", "B2"): 2, ("Sheet", "A1"): 1})
    again = openpyxl.load_workbook(BytesIO(content), data_only=True)
    assert (again["it's & <new>"]["B2"].value, again["Sheet"]["A1"].value) == (2, 1)


def test_texts_of_all_sheets_lie_in_one_part() -> None:
    workbook = openpyxl.Workbook()
    said = ["Ana & <Bo>", " two blanks ", "_x0041_", "Ana & <Bo>", "two\nlines"]
    for sheet in (workbook["Sheet"], workbook.create_sheet("Other")):
        for text in said:
            sheet.append([text, 1, f'=A{sheet.max_row}&"!"'])
    found = parts(package(workbook, {}))
    assert not any(b"inlineStr" in part for part in found.values())
    table = etree.fromstring(found["xl/sharedStrings.xml"])
    assert (table.get("count"), table.get("uniqueCount"), len(table)) == ("10", "4", 4)
    content = package(workbook, {})
    assert package_rules.problems(content) == []
    for title, cells in StoredBook(parts(content)).items():
        assert [cells.cells[row, 1].value for row in range(1, 6)] == said, title


def test_a_number_stands_for_one_format_of_numbers() -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook["Sheet"]
    for row, form in enumerate(("yyyy", "0.000"), 1):
        sheet.cell(row, 1, 2).number_format = form
    for n, form in enumerate((";;;", "0.000", ";;;", "yyyy")):
        rule = Rule("expression", dxf=DifferentialStyle(numFmt=NumberFormat(164 + n % 2, form)))
        rule.formula = ["TRUE"]
        sheet.conditional_formatting.add(f"B{n + 1}", rule)
    found = parts(package(workbook, {}))
    paper = Paper([9], {}, [], (1, 1), True, "FFFFFF", "")
    found |= with_sheet(found, "More", [[StyledCell(1, "0.0000")]], paper)
    forms = etree.fromstring(found["xl/styles.xml"]).iter("{*}numFmt")
    numbers = {(int(form.get("numFmtId", 0)), form.get("formatCode")) for form in forms}
    assert numbers == {(164, "yyyy"), (165, "0.000"), (166, ";;;"), (167, "0.0000")}


def test_the_sheet_that_is_shown_is_selected_and_no_other() -> None:
    workbook = openpyxl.Workbook()
    for title in ("B", "C"):
        workbook.create_sheet(title).sheet_view.tabSelected = True
    workbook["Sheet"].sheet_state = "hidden"
    found = parts(package(workbook, {}))
    views = [
        next(etree.fromstring(found[f"xl/worksheets/sheet{n}.xml"]).iter("{*}sheetView"))
        for n in (1, 2, 3)
    ]
    assert [view.get("tabSelected") == "1" for view in views] == [False, True, False]
    shown = next(etree.fromstring(found["xl/workbook.xml"]).iter("{*}workbookView"))
    assert shown.get("activeTab") == "1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({("Sheet", "C9"): 1}, r"no formula for the value 1 @ Sheet!C9"),
        ({("Other", "A1"): 1}, r"values for a sheet that is not in the workbook: 'Other'"),
        ({("Sheet", "A1"): float("nan")}, r"must be finite, got nan @ Sheet!A1"),
        ({("Sheet", "A1"): np.inf}, r"must be finite, got inf @ Sheet!A1"),
    ],
)
def test_values_that_no_formula_gives(wrong: dict[tuple[str, str], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        package(book("A1"), wrong)


def test_the_same_bytes_whatever_the_clock_says() -> None:
    one, other = book(), book()
    other.properties.created = datetime(2001, 1, 1)
    assert package(one, values(VALUES)) == package(other, values(VALUES))
    dated = package(one, {}, dated=date(2024, 2, 29))
    assert parts(dated)["docProps/core.xml"].count(b">2024-02-29T00:00:00Z<") == 2


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "elsewhere")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as failure:
        write_whole(path, b"new")
    assert failure.value.filename == str(path)
    assert [p.name for p in tmp_path.iterdir()] == ["book.xlsx"]
    assert path.read_bytes() == b"old"


def test_a_full_folder_for_temporary_files_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "_mkstemp_inner", full)
    with pytest.raises(OSError, match="No space left"):
        book().save(tmp_path / "by-openpyxl.xlsx")
    (tmp_path / "book.xlsx").write_bytes(package(book(), values(VALUES)))
    assert openpyxl.load_workbook(tmp_path / "book.xlsx")["Sheet"]["A1"].value == "=1+1"


@pytest.mark.parametrize("interrupted", [OSError(13, "in use"), KeyboardInterrupt()])
def test_nothing_is_left_when_moving_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupted: BaseException
) -> None:
    def move(*_: object) -> None:
        raise interrupted

    monkeypatch.setattr(os, "replace", move)
    with pytest.raises(type(interrupted)):
        write_whole(tmp_path / "new.xlsx", b"content")
    assert not list(tmp_path.iterdir())


def test_errors_name_the_path_that_was_given(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "book.xlsx"
    with pytest.raises(FileNotFoundError) as failure:
        write_whole(missing, b"content")
    assert failure.value.filename == str(missing)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotADirectoryError) as failure_:
        write_whole(tmp_path / "file" / "book.xlsx", b"content")
    assert failure_.value.filename == str(tmp_path / "file" / "book.xlsx")
    with pytest.raises(IsADirectoryError) as folder:
        write_whole(tmp_path, b"content")
    assert folder.value.filename == str(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.name != "posix", reason="permissions and links as POSIX has them")
def test_permissions_and_links_stay(tmp_path: Path) -> None:
    new, old, link = tmp_path / "new", tmp_path / "old", tmp_path / "link"
    mask = os.umask(0o027)
    try:
        write_whole(new, b"new")
        old.write_bytes(b"old")
        old.chmod(0o604)
        link.symlink_to(old)
        write_whole(link, b"newer")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    assert stat.S_IMODE(old.stat().st_mode) == 0o604
    assert link.is_symlink()
    assert old.read_bytes() == b"newer"
