"""Tables that grow as one types below them: the package's part, and what LibreOffice counts."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lxml import etree

from elo_xl.books.book import Book, Options
from elo_xl.templates import gallery
from elo_xl.templates.rating_history import LEAST, SPARE, capacity, line, sample
from elo_xl.xlsx.in_place import read_parts, with_parts
from tests.support.calc import Calc
from tests.support.template_books import MAIN, problems, same

TABLE = "xl/tables/table1.xml"
HEADER = 8


def made(lines: list[dict[str, Any]], **chosen: Any) -> Book:
    options = gallery.options("rating-history", **chosen)
    content = {"Event": "Club", "Active_games": 1, "Active_lists": 3, "Entries": lines}
    form: Book = gallery.build("rating-history", options, content)
    return form


def table_of(content: bytes) -> Any:
    return etree.fromstring(read_parts(content)[TABLE])


@pytest.mark.parametrize("language", ["en", "es", "ru"])
def test_the_table_of_a_season(language: str) -> None:
    options = gallery.options("rating-history", language=language)
    typed = sample(options)
    form: Book = gallery.build("rating-history", options, typed)
    content = form.file()
    root, sheet = table_of(content), form.workbook.worksheets[1]
    last = HEADER + len(typed["Entries"]) + SPARE
    assert last < HEADER + capacity(options)
    assert root.get("ref") == f"A{HEADER}:E{last}"
    assert [each.get("ref") for each in root.iter(f"{MAIN}autoFilter")] == [root.get("ref")]
    names = [column.get("name") for column in root.iter(f"{MAIN}tableColumn")]
    assert names == [cell.value for cell in sheet[HEADER]][:5]
    (own,) = root.iter(f"{MAIN}calculatedColumnFormula")
    assert own.getparent().get("name") == form.say("column_check")
    assert {sheet.cell(row, 5).value for row in range(HEADER + 1, last + 1)} == {f"={own.text}"}
    # Excel grows a table only into empty cells
    for row in sheet.iter_rows(last + 1, HEADER + capacity(options)):
        assert {cell.value for cell in row} == {None}
        assert [cell.protection.locked for cell in row] == [False] * 4 + [True]
    assert not sheet.protection.sheet


def test_an_empty_book_has_a_table_of_some_lines() -> None:
    assert table_of(made([]).file()).get("ref") == f"A{HEADER}:E{HEADER + LEAST}"
    options = Options(players=2, rounds=2)
    assert capacity(options) == 4
    form: Book = gallery.build("rating-history", options)
    assert table_of(form.file()).get("ref") == f"A{HEADER}:E{HEADER + 4}"


def test_lines_typed_below_the_table_count(calc: Calc, tmp_path: Path) -> None:
    """As LibreOffice and Google Sheets have them, which grow no table."""
    lines = [line(46000, "Abe, Rui", 1500, 0), line(46000, "Noor, Eva", 1620, None)]
    more = [
        line(46031, "Abe, Rui", 1523, 4),
        line(46031, "Quist, Ove", 1710, 2),
        line(46031, "ABE, RUI ", 1530, 1),
    ]
    first = HEADER + LEAST + 1
    book = openpyxl.load_workbook(io.BytesIO(made(lines).file()))
    for row, each in enumerate(more, start=first):
        for column, value in enumerate(each.values(), start=1):
            book.worksheets[1].cell(row, column, value)
    path = tmp_path / "typed.xlsx"
    book.save(path)
    found = calc.recalculate(path)
    rest = [line()] * (LEAST - len(lines))
    told = made([*lines, *rest, *more])
    say = told.say
    state = f"{say('state_counted')} 4 · {say('state_wrong')} 1 · {say('state_row')} {first + 2}"
    assert found["Entries"]["A6"] == f"{state}: {say('check_again')}"
    wrong = [
        (sheet, cell)
        for (sheet, cell), value in told.values.items()
        if sheet != "Entries" and not same(found[sheet].get(cell), value)
    ]
    assert wrong == []
    assert [told.values["All ratings", f"C{row}"] for row in (5, 6, 7)] == [1523, 1620, 1710]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'name="Rating"', b'name="rating"'),
        (b'id="2"', b'id="7"'),
        (b'displayName="Rating_entries"', b'displayName="Entry_dates"'),
        (b":E32", b":E999"),
        (b":E32", b":D32"),
    ],
)
def test_problems_of_tables_are_found(old: bytes, new: bytes) -> None:
    content = made([]).file()
    assert problems(content) == []
    part = read_parts(content)[TABLE]
    assert old in part
    assert problems(with_parts(content, {TABLE: part.replace(old, new)})) != []


def test_lines_below_the_last_one_of_the_book_are_noticed(calc: Calc, tmp_path: Path) -> None:
    options = gallery.options("rating-history", players=2, rounds=2)
    form: Book = gallery.build("rating-history", options)
    book = openpyxl.load_workbook(io.BytesIO(form.file()))
    sheet = book.worksheets[1]
    header = next(r for r in range(1, 20) if sheet.cell(r, 1).value == form.say("column_date"))
    row = header + capacity(options) + 1
    line: tuple[Any, ...] = 46031, "Abe, Rui", 1523, 4
    for column, value in enumerate(line, start=1):
        sheet.cell(row, column).value = value
    sheet.cell(row, 5).value = sheet.cell(header + 1, 5).value  # as the table fills it in
    book.save(tmp_path / "book.xlsx")
    found = calc.recalculate(tmp_path / "book.xlsx")[sheet.title]
    assert form.say("state_beyond") in found[f"A{header - 2}"]
    assert found[f"E{row}"] == form.say("check_beyond")


def test_a_list_of_one_line_is_asked_about(calc: Calc, tmp_path: Path) -> None:
    names = ("Abe, Rui", "Noor, Eva", "Quist, Ove", "Sato, Hana", "Ito, Ken")
    lines = [line(day, name, 1500, 1) for day in (46000, 46031) for name in names]
    lines[7] = line(46032, names[2], 1510, 1)
    form = made(lines)
    path = tmp_path / "book.xlsx"
    path.write_bytes(form.file())
    found = calc.recalculate(path)["Entries"]
    said = {row: found.get(f"E{row}", "") for row in range(HEADER + 1, HEADER + 11)}
    assert {row for row, text in said.items() if text} == {HEADER + 8}
    assert said[HEADER + 8] == form.say("check_single")
    assert "Lines that count: 10" in found[f"A{HEADER - 2}"]
