"""Microsoft's own validator, the Open XML SDK, finds nothing in any book."""

from __future__ import annotations

import contextlib
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path

import pytest

from elo_xl.books import examples
from elo_xl.books.flavours import put_into, take_out
from elo_xl.events.rate import rate
from elo_xl.events.trf import read_trf
from elo_xl.hosts import excel_addin
from elo_xl.languages import CODES
from elo_xl.questions.rate.book import rated_event_book
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.in_place import with_parts
from elo_xl.xlsx.opc import unzipped, zipped
from tests.support import ROOT
from tests.support.command import invoke
from tests.support.findings import fit_book
from tests.support.levels import cases
from tests.support.once import made
from tests.support.rulebooks import IN_BOOKS
from tests.support.saved_by_excel import saved_by_excel
from tests.support.template_books import KINDS, sized
from tests.support.validator import found_in

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("template", "flavour", "language"), KINDS)
def test_books_are_valid(
    template: str, flavour: str, language: str, tmp_path: Path, validator: str
) -> None:
    options = sized(template, functions=flavour, language=language)
    assert [] == found_in(made(template, options).file, tmp_path / "book.xlsx", validator)


@pytest.mark.proof
@pytest.mark.parametrize("template", TEMPLATES)
def test_empty_books_are_valid(template: str, tmp_path: Path, validator: str) -> None:
    book = made(template, sized(template), filled=False)
    assert [] == found_in(book.file, tmp_path / "book.xlsx", validator)


def test_workbook_of_the_names_is_valid(tmp_path: Path, validator: str) -> None:
    assert [] == found_in(examples.workbook(), tmp_path / "book.xlsx", validator)


@pytest.mark.parametrize(
    ("rules", "language"),
    cases(zip(IN_BOOKS, cycle(CODES), strict=False), test=[("fide-2025-10", "de")]),
)
def test_rated_books_are_valid(language: str, rules: str, tmp_path: Path, validator: str) -> None:
    tournament = read_trf(ROOT / "examples" / "rivertown-open.trf")
    book = rated_event_book(rate(tournament, rules), language).file()
    assert [] == found_in(book, tmp_path / "book.xlsx", validator)


@pytest.mark.parametrize("language", cases(CODES, test=("ru",)))
def test_books_of_findings_are_valid(language: str, tmp_path: Path, validator: str) -> None:
    """They have charts with error bars, and heat maps."""
    assert [] == found_in(fit_book(language).file(), tmp_path / "book.xlsx", validator)


@pytest.mark.parametrize("language", cases(CODES, test=("es",)))
def test_books_with_odds_are_valid(language: str, tmp_path: Path, validator: str) -> None:
    """A sheet that is added, and replaced."""
    options = gallery.options("round-robin", players=4, language=language)
    book = tmp_path / "book.xlsx"
    book.write_bytes(gallery.make("round-robin", options, gallery.sample("round-robin", options)))
    for top in ("2", "3"):
        words = ["odds", str(book), "--into-book", "--top", top]
        assert 0 == invoke(*words).exit_code
        assert [] == found_in(book.read_bytes(), tmp_path / "copy.xlsx", validator)


@pytest.mark.parametrize(
    "way",
    [
        ("lambda", "addin", "lite"),
        pytest.param(("lite", "addin", "lambda"), marks=pytest.mark.proof),
    ],
)
def test_books_are_valid_after_each_command(
    way: tuple[str, ...], tmp_path: Path, validator: str
) -> None:
    book = saved_by_excel()
    assert [] == found_in(book, tmp_path / "book.xlsx", validator)
    for form in way:
        book = put_into(book, form)
        assert [] == found_in(book, tmp_path / "book.xlsx", validator), form
        without = take_out(book, form)
        assert [] == found_in(without, tmp_path / "book.xlsx", validator), form


@pytest.mark.parametrize("name", [excel_addin.ADDIN, excel_addin.WORKBOOK])
def test_files_of_the_addin_are_valid(name: str, tmp_path: Path, validator: str) -> None:
    assert [] == found_in(excel_addin.content(name), tmp_path / name, validator)


@pytest.mark.parametrize("language", cases(CODES, test=("en",)))
def test_books_with_buttons_are_valid(language: str, tmp_path: Path, validator: str) -> None:
    path = tmp_path / "club.xlsm"
    size = ["--players", "6", "--rounds", "10"]
    words = ["new", "club", "-o", str(path), "--lang", language, "--sample", *size]
    assert 0 == invoke(*words).exit_code
    assert [] == found_in(path.read_bytes(), path, validator)


def test_commands_leave_a_book_of_excel_valid(tmp_path: Path, validator: str) -> None:
    """A book that Excel itself has saved, with a call of a function put into a cell."""
    name = "quickstart.xlsm"
    stored = (Path(str(find_spec("xlwings").origin)).parent / name).read_bytes()  # type: ignore[union-attr]
    sheet = "xl/worksheets/sheet1.xml"
    before = unzipped(stored)[sheet]
    cell = b'<row r="1"><c r="A1"><f>ELO_EXPECTED(1834,2179)</f><v>0</v></c></row>'
    rows = b"<sheetData>%s</sheetData>" % cell
    called = with_parts(stored, {sheet: before.replace(b"<sheetData/>", rows)})
    book = tmp_path / name
    # Excel's own value of an extension is beyond the validator's list
    known = found_in(called, book, validator)
    assert ["defaultImageDpi"] == [problem.split("'")[1] for problem in known]
    book.write_bytes(called)
    for number, words in enumerate(
        (
            ["native", name],
            ["native", name, "--remove"],
            ["lite", name],
            ["lite", name, "--remove"],
            ["native", name],
            ["libreoffice", "--convert", name],
        )
    ):
        output = ["-o", name] if words[0] != "libreoffice" else []
        with contextlib.chdir(tmp_path):
            result = invoke("addin", *words, *output)
        assert 0 == result.exit_code, result.output
        path = tmp_path / (name if output else f"{book.stem}-libreoffice{book.suffix}")
        assert known == found_in(path.read_bytes(), tmp_path / f"{number}.xlsm", validator), words
    assert b"ELO_EXPECTED(1834,2179)" in unzipped(path.read_bytes())[sheet]


def test_it_finds_what_is_wrong(tmp_path: Path, validator: str) -> None:
    options = gallery.options("match-odds")
    parts = unzipped(gallery.make("match-odds", options, None))
    styles = parts["xl/styles.xml"]
    assert b'<sz val="18"/>' in styles
    parts["xl/styles.xml"] = styles.replace(b'<sz val="18"/>', b'<sz val="18"/><b val="1"/>')
    (problem,) = found_in(zipped(parts), tmp_path / "book.xlsx", validator)
    assert "unexpected child element" in problem
