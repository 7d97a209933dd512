"""The test engine: LibreOffice computes, cached values do not survive, nothing keeps running."""

import zipfile
from pathlib import Path

import openpyxl
import pytest

from tests.support.calc import Calc, CalcError


def save(folder: Path, formulas: dict[str, float | str], name: str = "book.xlsx") -> Path:
    """A workbook with one sheet, called Sheet."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for cell, value in formulas.items():
        sheet[cell] = value
    path = folder / name
    book.save(path)
    return path


def running(profile: Path) -> list[str]:
    """The processes that work with a profile."""
    mark = profile.as_uri().encode()
    found = []
    for cmdline in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark in cmdline.read_bytes():
                found.append(cmdline.parent.name)
        except OSError:  # it ended meanwhile
            continue
    return found


def test_replaces_a_stale_value(calc: Calc, tmp_path: Path) -> None:
    plain = save(tmp_path, {"A1": 20, "A2": "=A1*2"})
    stale = tmp_path / "stale.xlsx"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(stale, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                part = part.replace(b"<f>A1*2</f><v></v>", b"<f>A1*2</f><v>999</v>")
                part = part.replace(b"<f>A1*2</f><v />", b"<f>A1*2</f><v>999</v>")
            target.writestr(name, part)
    assert 999 == openpyxl.load_workbook(stale, data_only=True).worksheets[0]["A2"].value

    assert {"Sheet": {"A1": 20, "A2": 40}} == calc.recalculate(stale)


def test_converts_and_leaves_the_original_alone(calc: Calc, tmp_path: Path) -> None:
    path = save(tmp_path, {"A1": "=1+1"}, "a name with ½ and spaces.xlsx")
    before = path.read_bytes()

    pdf = calc.convert(path, "pdf")

    assert "a name with ½ and spaces.pdf" == pdf.name
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert before == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_a_file_that_cannot_be_read_is_an_error(calc: Calc, tmp_path: Path) -> None:
    path = tmp_path / "broken.xlsx"
    path.write_bytes(b"PK\x03\x04 and nothing else")

    with pytest.raises(CalcError, match=r"made no xlsx of .*broken\.xlsx"):
        calc.recalculate(path)


def test_a_slow_run_is_ended_and_nothing_is_left(calc: Calc, tmp_path: Path) -> None:
    # Minutes of work, each cell different so that nothing can be shared between them.
    slow = save(
        tmp_path, {f"A{row}": f"=SUMPRODUCT(SIN(ROW($1:$1000000)*{row}))" for row in range(1, 2001)}
    )

    with pytest.raises(CalcError, match=r"more than 2 s"):
        calc.recalculate(slow, limit=2)

    assert [] == running(calc.profile)
    assert {"Sheet": {"A1": 42}} == calc.recalculate(save(tmp_path, {"A1": "=6*7"}))
