"""How books look and what they lock: styles, helper columns and sheets, colours of tabs."""

from __future__ import annotations

import io
import warnings
from datetime import date
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from openpyxl import load_workbook

from elo_xl.books.book import Book, BookError, Options
from elo_xl.books.styles import TABS
from elo_xl.templates import gallery
from elo_xl.xlsx.cells import StoredBook
from elo_xl.xlsx.formula import Binary, Call, parse, to_text
from elo_xl.xlsx.opc import BOOK as BOOK_PART
from elo_xl.xlsx.opc import MAIN, from_bytes, unzipped
from tests.support.calc import Calc
from tests.support.once import made
from tests.support.template_books import build, sized

pytestmark = pytest.mark.slow


def test_tabs_tell_what_a_sheet_is_for() -> None:
    workbook: Any = made("swiss", sized("swiss")).workbook
    colours = {sheet.title: sheet.sheet_properties.tabColor.rgb[2:] for sheet in workbook}
    kinds = {colour: kind for kind, colour in TABS.items()}
    assert {title: kinds[colour] for title, colour in colours.items()} == {
        "Start here": "help", "Players": "typed", "Pairings": "typed", "Pairing list": "result",
        "Next round": "result", "Standings": "result", "Crosstable": "result",
        "Rating changes": "result", "Prizes": "result", "Prize money": "typed", "Ratings": "result",
        "Gains and losses": "result", "Why": "result", "Tie-breaks": "help",
        "Tie-break figures": "helper", "Each game": "help", "Signs": "help", "Notations": "helper",
        "Steps": "helper", "As read": "helper"}  # fmt: skip


@pytest.mark.parametrize("template", ["swiss", "season", "elo-explained"])
def test_the_first_sheet_begins_with_a_link_to_every_other(template: str) -> None:
    book = build(template, sized(template))
    sheet, *others = (each for each in book.sheets.values() if not each.set_up.hidden)
    puts = sorted(sheet.puts.items())
    steps = next(row for (row, _), put in puts if put.look.role == "section")
    links = [put.value for (row, _), put in puts if put.look.role == "link" and row < steps]
    assert links == [other.title for other in others]


def test_a_title_that_excel_reserves_is_refused() -> None:
    with pytest.raises(BookError, match="no sign as files write it: 'a_x0041_'"):
        Book("swiss", Options()).sheet("other", "a_x0041_")
    with pytest.raises(BookError, match="Excel reserves the title 'hiSTORY' for itself"):
        Book("swiss", Options()).sheet("x", "hiSTORY")


def test_a_helper_column_hides_no_other() -> None:
    book = Book("swiss", Options())
    book.read(
        """
        sheet "Games"
            table One rows:2
                a helper "A" = 1
            table Two rows:2
                b "B" = 1
        """
    )
    with pytest.raises(BookError, match="column A is a helper in one table, but not in all"):
        book.file()


BOOK = """
sheet "Games"
    table Games rows:8 group:4
        no      0 quiet "No."       = row_number
        name    @ input "Name"
        {shown}
"""


def shown_in(line: str, names: dict[int, str]) -> list[bool]:
    """Which rows of two groups of four are shown; ``names`` are typed, by row from 1."""
    book = Book("swiss", Options())
    book.read(BOOK, shown=line, Games={row: {"name": name} for row, name in names.items()})
    book.finish()
    values = book.tables["Games"].column("shown").numbers()
    return [value > 0 for value in values]


def test_rows_in_use_are_shown_and_some_spare_ones_to_type_into() -> None:
    one, none = True, False
    plain, spare = 'shown = name <> ""', 'shown spare:1 = name <> ""'
    assert shown_in(plain, {1: "A", 3: "B"}) == [one, none, one, none, *4 * [none]]
    assert shown_in(spare, {2: "A"}) == [one, one, one, none, one, none, none, none]
    assert shown_in(spare, {4: "A", 8: "B"}) == 8 * [one]
    assert shown_in(spare, {}) == [one, none, none, none] * 2


def test_a_book_prints_its_rows_in_use(calc: Calc, tmp_path: Path) -> None:
    options = gallery.options("rating-period", players=200)
    sample: Any = gallery.sample("rating-period", options)
    book = build("rating-period", options, sample)
    path = tmp_path / "book.xlsx"
    path.write_bytes(book.file())
    parts = unzipped(path.read_bytes())
    areas = {
        int(name.get("localSheetId", "")): name.text or ""
        for name in from_bytes(parts[BOOK_PART]).iter(f"{MAIN}definedName")
        if name.get("name") == "_"
    }
    ends = {}
    sheets = {sheet.title: sheet for sheet in book.sheets.values()}
    assert book.computed is not None
    for index, area in areas.items():
        title = book.workbook.sheetnames[index]
        span = parse(area)
        assert isinstance(span, Binary)
        corner = span.right
        assert isinstance(corner, Call)
        last = corner.arguments[1]
        assert isinstance(last, Call)
        ends[title] = book.computed.evaluate(last, title, 1, 1, 0, 0)
        # where the rows cannot be told all of them are printed
        bottom = max(table.bottom for table in sheets[title].tables)
        assert (last.name, to_text(last.arguments[1])) == ("IFERROR", str(bottom))
    # the players and games of the sample, and where people type 10 rows more
    players, games = len(sample["Players"]), len(sample["Games"])
    rows = {"Players": players + 10, "Games": games + 10, "Each": games}
    rows |= dict.fromkeys(("Ratings", "List", "Next"), players)
    tables = {name: book.tables[name] for name in rows}
    assert ends == {t.sheet.title: t.header + rows[name] for name, t in tables.items()}
    # LibreOffice takes no such area; what it prints behind the last row is blank
    (pdf,) = calc.convert_all([path], "pdf")
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(pdf)]
    words = [set(page.split()) for page in pages]
    assert sum("30" in page for page in words) > 0
    assert not any({"101", "150", "199"} & page for page in words)


def test_openpyxl_reads_a_book_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_workbook(io.BytesIO(made("swiss", sized("swiss")).file))


NAMES = ("_x0041_", "_x005F_x0041_", "a_x000D_", "_X0041_ _x41_", "Кот_x0020_")


def test_names_that_look_like_escaped_letters(calc: Calc, tmp_path: Path) -> None:
    book = Book("swiss", Options())
    book.read(
        BOOK.replace("{shown}", 'said left "Said" = name & ""')
        .replace("8 group:4", "5")
        .replace('"Name"', '"_x0042_" prompt:"_x0043_" list:"_x0044_"'),
        Games=[{"name": name} for name in NAMES],
    )
    book.finish()
    path = tmp_path / "names.xlsx"
    path.write_bytes(book.file())
    # LibreOffice reads what was typed, and keeps it in its own file
    saved = unzipped(calc.convert(path, "ods").read_bytes())
    root = from_bytes(saved["content.xml"])
    assert {*NAMES, "_x0042_", "_x0043_"} <= {text.text for text in root.iter("{*}p")}
    assert "_x0044_" in saved["content.xml"].decode()
    stored = StoredBook(unzipped(path.read_bytes()))
    values = [cell.value for cell in stored["Games"].cells.values()]
    assert [v for v in values if v in NAMES] == [n for name in NAMES for n in (name, name)]


def test_a_date_that_no_spreadsheet_has_is_refused() -> None:
    book = Book("swiss", Options())
    book.read(
        'sheet "Days"\n    table Days rows:1\n        day date input "Day"',
        Days=[{"day": date(1899, 12, 31)}],
    )
    with pytest.raises(BookError, match="no date before 1900: 1899-12-31 @ Days"):
        book.finish()


def test_excel_draws_no_triangles() -> None:
    parts = unzipped(made("swiss", sized("swiss")).file)
    sheets = [parts[name] for name in parts if name.startswith("xl/worksheets/sheet")]
    for sheet in sheets:
        root = from_bytes(sheet)
        (ignored,) = root.iter(f"{MAIN}ignoredError")
        assert ignored.get("numberStoredAsText") == "1"
        dimension = root.find(f"{MAIN}dimension")
        assert dimension is not None
        assert ignored.get("sqref") == dimension.get("ref")


@pytest.mark.parametrize(
    ("template", "sheet", "most"),
    [
        ("bayes-chess", "each", 12),
        ("bridge-pairs", "each", 12),
        ("k-and-first-rating", "first", 11),
        ("swiss", "ahead", 12),
        ("rating-period", "why", 9),
    ],
)
def test_a_printed_row_has_few_columns(template: str, sheet: str, most: int) -> None:
    tables = gallery.declared(template, gallery.options(template)).sheets[sheet].tables
    assert max(sum(not c.helper for c in table.columns.values()) for table in tables) <= most


def test_notes_are_a_line_a_sentence() -> None:
    sheet = gallery.declared("ladder", gallery.options("ladder")).sheets["pair"]
    lines = [sheet.puts[row, 1].value for row in (3, 4)]
    assert " ".join(map(str, lines)) == sheet.book.say("about_pair")


@pytest.mark.parametrize(
    ("language", "rated"), [("en", '[=1]"yes";"no"'), ("ru", '[=1]"да";"нет"')]
)
def test_signs_say_in_words_whether_they_are_rated(language: str, rated: str) -> None:
    form = build("swiss", sized("swiss", language=language))
    cells = form.tables["Signs"].column("rated")
    sheet: Any = form.workbook[cells.sheet.title]
    assert {cell.number_format for (cell,) in sheet[cells.area]} == {rated}


@pytest.mark.parametrize(
    ("template", "choice"), [("ladder", "one_choice"), ("rating-history", "choice")]
)
def test_the_sheet_of_one_player_is_titled_with_the_player(template: str, choice: str) -> None:
    title = str(made(template).values["One player", "A1"])
    chosen = gallery.sample(template, gallery.options(template))[choice]
    assert title.rpartition(" – ")[2] == chosen
    assert "One player" not in title


def test_a_heading_below_another_shows_less_than_its_cell_holds() -> None:
    members = made("club", sized("club")).workbook["Members"]
    shown = {
        cell.value: str(cell.number_format).split(";")[-1]
        for cell in members[str(members.print_title_rows).split("$")[-1]]
        if ";" in str(cell.number_format)
    }
    kinds = "standard", "rapid", "blitz"
    assert {f"Games, {kind}": '"Games"' for kind in kinds}.items() <= shown.items()
    assert {kind.capitalize(): '"Rating"' for kind in kinds}.items() <= shown.items()
