"""Books that somebody has filled in and saved: what is read from them, and goes into new ones."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import Result
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.utils.datetime import to_excel

from elo_xl.books.book import Options
from elo_xl.books.entries import content_of
from elo_xl.books.flavours import FLAVOURS
from elo_xl.books.identity import identity
from elo_xl.languages import CODES
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.templates.opened import EntriesError, carried, entries, old_book
from elo_xl.templates.swiss import SPARE, lines
from elo_xl.xlsx.in_place import WorkbookError, read_parts, with_parts
from tests.support import ROOT
from tests.support.calc import Calc
from tests.support.command import invoke
from tests.support.kept import sized
from tests.support.levels import amount

pytestmark = pytest.mark.slow

SMALL, LARGER = 6, 9


def plain(content: Mapping[str, Any]) -> dict[str, Any]:
    """Content without blank cells; the rows of all tables by their numbers, days as numbers."""
    found: dict[str, Any] = {}
    for name, value in content.items():
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = dict(enumerate(value, start=1))
        if isinstance(value, Mapping):
            rows = {
                i: {
                    k: to_excel(v) if isinstance(v, date) else v
                    for k, v in row.items()
                    if v is not None
                }
                for i, row in value.items()
            }
            value = {i: row for i, row in rows.items() if row} or None
        if value is not None:
            found[name] = to_excel(value) if isinstance(value, date) else value
    return found


def cut_and_pasted(file: bytes) -> bytes:
    """The file as another program writes it: shared texts, its own order of styles."""
    saved = io.BytesIO()
    openpyxl.load_workbook(io.BytesIO(file)).save(saved)
    return saved.getvalue()


@pytest.mark.parametrize("template", TEMPLATES)
def test_what_was_typed_is_read(template: str) -> None:
    at = list(TEMPLATES).index(template)
    for i in range(len(FLAVOURS) if template == "match-odds" else 1):
        functions, language = list(FLAVOURS)[(at + i) % len(FLAVOURS)], CODES[(at + i) % len(CODES)]
        options = sized(template, SMALL, functions=functions, language=language)
        content = gallery.sample(template, options)
        file = gallery.make(template, options, content)
        for saved in (file, cut_and_pasted(file)):
            found, said, typed = entries(saved)
            assert (template, options) == (found, said)
            assert plain(content) == plain(typed)
        old = old_book(file)
        assert ([], [], []) == (old.entries.notes, old.entries.missing, old.entries.left)


def test_libreoffice_keeps_entries_and_what_the_file_is(calc: Calc, tmp_path: Path) -> None:
    paths, contents = [], {}
    for template in amount(("swiss", "club", "bridge-pairs"), tuple(TEMPLATES)):
        options = sized(template, SMALL, language="ru")
        contents[template] = options, gallery.sample(template, options)
        paths.append(tmp_path / f"{template}.xlsx")
        paths[-1].write_bytes(gallery.make(template, *contents[template]))
    for saved in calc.convert_all(paths, "xlsx"):
        old = old_book(saved.read_bytes())
        options, content = contents[saved.stem]
        assert (saved.stem, options) == (old.template, old.options)
        assert plain(content) == plain(old.content)
        assert ([], [], []) == (old.entries.notes, old.entries.missing, old.entries.left)


@pytest.mark.parametrize("template", [t for t in TEMPLATES if t != "elo-explained"])
def test_a_larger_book_is_one_typed_afresh(template: str) -> None:
    small = sized(template, SMALL)
    large = sized(template, LARGER, language="es")
    content = dict(gallery.sample(template, small))
    old = old_book(gallery.make(template, small, content))
    taken = carried(old, gallery.declared(template, large))
    if template == "swiss":  # the boards of a round begin elsewhere
        size = SMALL // 2 + SPARE
        boards = {divmod(i - 1, size): line for i, line in content["Pairings"].items()}
        content["Pairings"] = lines(large, boards)
    # chosen from a list, in the words of the language
    content |= {k: v for k, v in gallery.sample(template, large).items() if k[:4] == "Tie_"}
    if template == "bridge-pairs":  # chosen from a list, in the words of the language
        content["Scale"] = "porcentaje"
    if template == "team-match":
        content["First_white"] = "Segundo equipo"
    if template == "keizer":
        english, spanish = (
            [
                row["reason"]
                for row in gallery.sample(template, sized(template, LARGER, language=c))["Away"]
            ]
            for c in ("en", "es")
        )
        said = dict(zip(english, spanish, strict=True))
        content["Away"] = [row | {"reason": said[row["reason"]]} for row in content["Away"]]
    afresh = gallery.make(template, large, content)
    assert read_parts(afresh) == read_parts(gallery.make(template, large, content_of(taken)))


def top(template: str) -> tuple[int, str]:
    """The row of the headings of *Players*, and the letter of the column of ratings."""
    table = gallery.declared(template, sized(template, SMALL)).tables["Players"]
    return table.header, table.letter("rating")


def test_cells_keep_what_they_hold() -> None:
    typed: list[Any] = ["=1+1", " 1 834 ", "½", "two\nlines", "1-2", "x_x0041_", 7, 0.1, True]
    options = gallery.options("rating-period")
    file = gallery.make("rating-period", options, {"Event": "  "})
    header, rating = top("rating-period")
    book = openpyxl.load_workbook(io.BytesIO(file))
    sheet = book["Players"]
    for row, value in enumerate(typed, start=header + 1):
        cell = sheet.cell(row, 2)
        cell.value = value
        if isinstance(value, str):
            cell.data_type = "s"
    sheet[f"{rating}{header + 1}"] = date(2026, 3, 1)
    sheet.cell(header + 14, 2).value = CellRichText("Ana ", TextBlock(InlineFont(b=True), "María"))
    computed = f"{rating}{header + 14}"
    sheet[computed] = "=1800+34"
    saved = io.BytesIO()
    book.save(saved)
    old = old_book(with_value(saved.getvalue(), computed, "1834"))
    rows = old.content["Players"]
    assert ["=1+1", " 1 834 ", "½", "two\nlines", "1-2", "xA", 7, 0.1, True] == [
        rows[i]["name"] for i in range(1, len(typed) + 1)
    ]
    assert 46082 == rows[1]["rating"]
    assert {"name": "Ana María", "rating": 1834} == rows[14]
    assert [f"of a formula only its value stays, 1834 @ Players!{computed}"] == old.entries.notes
    assert "  " == old.content["Event"]


def with_value(file: bytes, cell: str, value: str) -> bytes:
    """Store the value of the only formula of *Players* that has none."""
    parts = read_parts(file)
    part = "xl/worksheets/sheet2.xml"
    text = parts[part].decode()
    at = text.index("<v", text.index(f'r="{cell}"'))
    end = text.index("</c>", at)
    return with_parts(file, {part: f"{text[:at]}<v>{value}</v>{text[end:]}".encode()})


# -- files that do not fit ------------------------------------------------------------------------


def changed(change: Any, template: str = "swiss") -> Any:
    options = sized(template, SMALL)
    file = gallery.make(template, options, gallery.sample(template, options))
    book = openpyxl.load_workbook(io.BytesIO(file))
    change(book)
    saved = io.BytesIO()
    book.save(saved)
    return old_book(saved.getvalue()), plain(gallery.sample(template, options))


def test_sheets_columns_rows_and_settings_are_found_by_their_texts() -> None:
    header, _ = top("swiss")

    def change(book: openpyxl.Workbook) -> None:
        book["Players"].title = "Our club"
        book["Our club"].insert_rows(2, 3)
        book["Our club"].insert_cols(3)
        book["Pairings"].insert_rows(12, 2)  # more boards in the second round
        book["Start here"].insert_rows(4)
        book.move_sheet("Our club", 3)

    old, content = changed(change)
    assert content == plain(old.content)
    assert [] == old.entries.left
    assert "the sheet 'Players' has another name @ Our club" in old.entries.notes
    assert f"the headings of a table stand elsewhere @ Our club!A{header + 3}" in old.entries.notes


def test_a_sheet_that_was_deleted_is_named() -> None:
    old, _ = changed(lambda book: book.remove(book["Pairings"]))
    assert ["there is no such sheet @ Pairings"] == old.entries.notes


def test_a_setting_that_was_saved_with_fewer_digits_is_not_typed() -> None:
    def change(book: openpyxl.Workbook) -> None:
        thirds = [c for c in chain(*book.worksheets[0]) if c.value in (1 / 3, 2 / 3)]
        assert len(thirds) == 3
        for cell in thirds:
            cell.value = float(f"{cell.value:.15g}")

    old, content = changed(change, "keizer")
    assert content == plain(old.content)


def test_an_address_is_one_that_a_code_can_hold() -> None:
    file = gallery.make("swiss", sized("swiss", SMALL))
    part = read_parts(file)["docProps/custom.xml"]
    types = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
    said = (
        '<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="99" name="Address">'
        f'<vt:lpwstr xmlns:vt="{types}">https://club.example/{"x" * 5000}</vt:lpwstr></property>'
    )
    part = part.replace(b"</Properties>", f"{said}</Properties>".encode())
    with pytest.raises(WorkbookError, match="Address is no address of at most 300 letters"):
        old_book(with_parts(file, {"docProps/custom.xml": part}))


def test_what_is_typed_elsewhere_is_named() -> None:
    header, rating = top("swiss")

    def change(book: openpyxl.Workbook) -> None:
        book["Players"].protection.sheet = False
        book["Players"]["Z7"] = "owes a coffee"
        book["Players"][f"{rating}{header}"].value = "Strength"
        book.create_sheet("Bar")["A1"] = "tea"

    old, content = changed(change)
    for row in content["Players"].values():
        row.pop("rating", None)
    assert content == plain(old.content)
    assert old.entries.missing == [
        f"no column has the heading 'Rating' @ Players!{header}:{header}"
    ]
    assert old.entries.left[0] == "a sheet that is not the book's @ Bar"
    named = old.entries.left[1:]
    assert "'owes a coffee' @ Players!Z7" in named
    assert f"2214 @ Players!{rating}{header + 1}" in named


def test_a_file_that_does_not_say_what_it_is() -> None:
    options = sized("round-robin", SMALL, language="es", rules="elo")
    content = gallery.sample("round-robin", options)
    made = gallery.make("round-robin", options, content)
    parts = dict(read_parts(made))
    silent = with_parts(made, {}, without=[name for name in parts if name.endswith("custom.xml")])
    assert identity(read_parts(silent)) is None
    with pytest.raises(EntriesError, match="name the template"):
        old_book(silent)
    old = old_book(silent, "round-robin")
    assert ("es", "elo", plain(content)) == (
        old.options.language,
        old.options.rules,
        plain(old.content),
    )


# -- the command ----------------------------------------------------------------------------------


run = partial(invoke, "new")


def said(result: Result) -> str:
    return " ".join(result.output.split())


def test_the_command(tmp_path: Path) -> None:
    old, larger, other = (tmp_path / f"{name}.xlsx" for name in ("open", "larger", "other"))
    run("swiss", "--sample", "-o", old, "--players", 12, "--rounds", 5, "--rules", "elo")
    made = run("--from", old, "--players", 40, "--lang", "ru", "-o", larger)
    assert 0 == made.exit_code, made.output
    games = len(plain(entries(old.read_bytes())[2])["Pairings"])
    carried = f"12 players, {games} games, 4 lines of Призовой фонд, 9 single cells"
    assert f"Carried over: {carried}" in said(made)
    template, options, content = entries(larger.read_bytes())
    assert "swiss" == template
    assert Options("formulas", "ru", 40, 5, "elo") == options
    assert entries(old.read_bytes())[2]["Players"] == content["Players"]

    before = larger.read_bytes()
    for words, message in (
        (("--from", old, "--players", 10, "-o", other), "no room for 'Смирнова, Вера' @ Players!B"),
        (("--from", old, "--rounds", 4, "-o", other), "the new book has no room for"),
        (
            ("--from", old, "--sample", "-o", other),
            "--sample, --from and --people exclude each other",
        ),
        (("team-match", "--from", old, "-o", other), "it was made from swiss, not from team-match"),
        (("--from", ROOT / "README.md", "-o", other), "it is not a workbook"),
        (("--from", old, "-o", larger), "already exists"),
        (("-o", other), "name a template"),
    ):
        refused = run(*words)
        assert refused.exit_code > 0
        assert message in said(refused)
    assert not other.exists()
    assert before == larger.read_bytes()


def test_somebodys_own_book(tmp_path: Path) -> None:
    book, old, new = ROOT / "examples/table-tennis.book", tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    run(book, "--sample", "-o", old)
    made = run(book, "--from", old, "-o", new)
    assert "Carried over: 4 players, 5 games" in said(made)
    assert read_parts(old.read_bytes()) == read_parts(new.read_bytes())


def test_an_event_that_was_rated_is_rated_anew(tmp_path: Path) -> None:
    event = tmp_path / "event.xlsx"
    rated = invoke("rate", ROOT / "examples/rivertown-open.trf", "-o", event)
    assert 0 == rated.exit_code, rated.output
    refused = run("--from", event)
    assert "it is the workbook that elo-xl rate has made of an event" in said(refused)
    refused = run("swiss", "--from", event)
    assert "rate the event's own file" in said(refused)
