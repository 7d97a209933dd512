"""The template workbooks: computed by other programs as by the engine, in every flavour and
language, for samples, empty and full books and whatever people type."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any, Final

import openpyxl
import pytest
from openpyxl.cell.cell import MergedCell

from elo_xl.books import layout
from elo_xl.books.book import Book
from elo_xl.books.flavours import FLAVOURS
from elo_xl.books.identity import identity
from elo_xl.books.layout import MOST_PROMPT
from elo_xl.books.styles import LINE_SHARE, ROLES
from elo_xl.books.texts import languages, texts
from elo_xl.engine.errors import RatingError
from elo_xl.functions.catalogue import functions
from elo_xl.languages import CODES
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import from_bytes, zipped
from scripts.release import is_release
from scripts.workbooks import held
from tests.support import ROOT, lint
from tests.support.calc import Calc, Values
from tests.support.command import invoke
from tests.support.levels import LEVEL, amount, cases
from tests.support.once import Made, made, ready_made, ready_made_file
from tests.support.template_books import (
    CALLING,
    KINDS,
    SMALL,
    build,
    differences,
    native_differences,
    problems,
    same,
    sized,
)
from tests.support.template_events import GENERATORS

pytestmark = pytest.mark.slow

RULES = ("fide", "fide-rapid", "logistic", "fide-2009-07", "elo", "fide-2014-07", "fide-2024-03")
FULL = amount(SMALL, 20)
"""Players or rounds of a full book, where the template takes more: size costs time only."""
VOLATILE = re.compile(r"\b(?:NOW|TODAY|RAND|RANDBETWEEN|OFFSET|INDIRECT|INFO|CELL)\(")


@pytest.fixture(scope="module", params=TEMPLATES)
def small(request: pytest.FixtureRequest) -> Book:
    """The sample of each template in a small book, which nobody changes."""
    options = sized(request.param)
    return build(request.param, options, gallery.sample(request.param, options))


def filled(book: Book, **other: Any) -> Book:
    """The sample of a book's template with other options."""
    options = replace(book.options, **other)
    return build(book.template, options, gallery.sample(book.template, options))


def formulas(book: Book) -> Iterator[tuple[str, Any, str]]:
    """The formulas of a book: sheet, cell, text."""
    for sheet in book.workbook.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    yield sheet.title, cell, str(getattr(cell.value, "text", cell.value))


def books(name: str, functions_: str, seeds: Iterable[int]) -> dict[str, Book]:
    """Generated events, each in another language: every other one full, every second pair with
    mistakes in it; before a release also an empty book, and a sample as large as usual."""
    several: dict[str, Book] = {}
    if LEVEL == "proof":
        usual = gallery.options(name, functions=functions_)
        several[f"{name} empty"] = build(name, usual)
        several[f"{name} sample"] = build(name, usual, gallery.sample(name, usual))
    for seed in seeds:
        full = seed % 2
        options = sized(
            name,
            FULL if full else amount(SMALL, 12),
            1 + full,
            functions=functions_,
            language=CODES[seed % len(CODES)],
            rules=RULES[seed % len(RULES)] if TEMPLATES[name].rules else "fide",
        )
        content = GENERATORS[name](options, seed, wrong=seed % 4 > 1, full=bool(full))
        several[f"{name} {options} {seed}"] = build(name, options, content)
    return several


@pytest.mark.parametrize("template", TEMPLATES)
def test_libreoffice_computes_formulas(
    template: str, calc: Calc, computed_book: Callable[[Made], Values]
) -> None:
    sample = made(template, sized(template))
    computed = computed_book(sample)
    wrong = [at for at, v in sample.values.items() if not same(computed[at[0]].get(at[1]), v)]
    assert wrong == []
    several = books(template, "formulas", amount((3,), range(6)))
    found = calc.recalculate_all({name: form.file() for name, form in several.items()})
    assert differences(several, found) == []


def test_libreoffice_computes_the_add_in(addin_calc: Calc) -> None:
    """Small books with the calls of all kinds."""
    several = {}
    for name in ("rating-period", "bayes-chess", "bridge-pairs", CALLING):
        options = sized(name, functions="libreoffice")
        several[name] = build(name, options, gallery.sample(name, options))
    found = addin_calc.recalculate_all({name: form.file() for name, form in several.items()})
    assert differences(several, found) == []


@pytest.mark.proof
@pytest.mark.parametrize("template", TEMPLATES)
def test_libreoffice_computes_the_add_in_whatever_is_typed(template: str, addin_calc: Calc) -> None:
    several = books(template, "libreoffice", range(2))
    found = addin_calc.recalculate_all({name: form.file() for name, form in several.items()})
    assert differences(several, found) == []


@pytest.mark.parametrize("template", cases(TEMPLATES, test=("team-match", "bayes-chess", CALLING)))
def test_lambda_names_compute(template: str, tmp_path: Path) -> None:
    options = sized(template, functions="lambda", language="es")
    form = build(template, options, gallery.sample(template, options))
    assert native_differences(form, tmp_path / "book.xlsx") == []


@pytest.mark.parametrize(("template", "flavour", "language"), KINDS)
def test_packages_have_nothing_to_repair(template: str, flavour: str, language: str) -> None:
    options = sized(template, functions=flavour, language=language)
    content = made(template, options).file
    assert problems(content) == []
    if language == "ru":  # its texts are the longest, and not ASCII
        assert lint.problems(content, functions()) == []


def test_a_book_is_the_same_bytes_every_time() -> None:
    options = sized("swiss", language="ru")
    content = gallery.sample("swiss", options)
    assert made("swiss", options).file == gallery.make("swiss", options, content)


@pytest.mark.parametrize(
    "flavour", cases([name for name in FLAVOURS if name != "formulas"], test=("lambda",))
)
def test_only_the_calls_depend_on_the_flavour(small: Book, flavour: str) -> None:
    form = filled(small, functions=flavour)
    assert form.values == small.values
    for sheet, other in zip(form.workbook.worksheets, small.workbook.worksheets, strict=True):
        for row, cells in zip(sheet.iter_rows(), other.iter_rows(), strict=True):
            for cell, plain in zip(row, cells, strict=True):
                text = getattr(cell.value, "text", cell.value)
                if (sheet.title, cell.coordinate) not in small.calls and plain.value != text:
                    assert text == form.say("trouble_" + form.flavour.name)
    assert [text for *_, text in formulas(form) if VOLATILE.search(text)] == []


def test_formulas_call_nothing_of_ours_and_nothing_volatile(small: Book) -> None:
    ours = re.compile("|".join(functions()))
    unwanted = [t for *_, t in formulas(small) if VOLATILE.search(t) or ours.search(t)]
    assert unwanted == []


@pytest.mark.parametrize("language", cases(CODES[1:], test=("ru",)))
def test_formulas_are_the_same_in_every_language(small: Book, language: str) -> None:
    def places(values: Iterable[tuple[str, str]]) -> list[tuple[int, str]]:
        sheets: dict[str, int] = {}
        return [(sheets.setdefault(sheet, len(sheets)), cell) for sheet, cell in values]

    known = TEMPLATES[small.template].languages
    other = made(
        small.template, replace(small.options, language=language if language in known else "es")
    )
    assert places(small.values) == places(other.values)
    assert len(small.values) == len(list(formulas(small)))


def test_texts_of_all_languages() -> None:
    places = re.compile(r"{\w+}")
    for language in CODES:
        own = texts(language).by_key()
        usual = {
            key: text
            for key, text in texts("en").by_key().items()
            if language in languages(key.partition(".")[0])
        }
        assert set(own) == set(usual), language
        assert {k for k in usual if not own[k].strip()} == set()
        assert {
            k for k in usual if sorted(places.findall(own[k])) != sorted(places.findall(usual[k]))
        } == set()
        for template in TEMPLATES.values():
            assert len(template.say("title", language)) < 60
        sheets = [own[k] for k in own if ".sheet_" in k]
        assert [s for s in sheets if len(s) > 31 or set(s) & set("[]:*?/\\'")] == []


def test_an_invented_event_has_a_name_in_the_language_of_the_book() -> None:
    for name in TEMPLATES:
        english, russian = (
            gallery.sample(name, sized(name, language=language)).get("Event")
            for language in ("en", "ru")
        )
        assert english is None or english != russian, name


def test_no_text_is_left_over() -> None:
    """What stands in books is looked for in their files, as far as no other room asks for it."""
    package = Path(gallery.__file__).parents[1]

    def of_rooms(*folders: Path) -> str:
        return "".join(
            path.read_text(encoding="utf-8")
            for folder in folders
            for path in folder.rglob("*")
            if path.suffix in (".py", ".js", ".html", ".book")
        )

    other = of_rooms(
        *(package / x for x in ("bulk", "cli", "publish", "questions")), ROOT / "docs_build"
    )
    source = other + of_rooms(package / "books", package / "templates")
    words, begun = set(re.findall(r"\w+", source)), set(re.findall(r"(\w+)_\$?{", source))
    named = {*re.findall(r"\w+", other), *re.findall(r"text:(\w+)", source)}
    books = "".join(
        unescape(part.decode("utf-8", "replace"))
        for template in TEMPLATES
        for part in read_parts(made(template, sized(template)).file).values()
    )

    def is_read(name: str, text: str) -> bool:
        kind, _, rest = name.partition("_")
        if kind in ("column", "prompt", "error", "check", "sign", "setting"):
            asked = rest in named and kind not in ("prompt", "error")
            return asked or text.partition("{")[0][:MOST_PROMPT] in books
        return bool({kind, name.rpartition("_")[0]} & begun)

    names = {key: key.rpartition(".")[2] for key in texts("en").by_key()}
    unused = {key for key, name in names.items() if name not in words}
    assert set() == {key for key in unused if not is_read(names[key], texts("en")(key))}


def test_only_what_is_typed_and_what_a_cut_leaves_is_unlocked(small: Book) -> None:
    workbook: Any = small.workbook
    styles = {style.name: style.protection.locked for style in workbook._named_styles}
    assert not styles.pop("Normal")
    # a role in a larger type has its size behind it
    styles = {name.rstrip(" 0123456789"): locked for name, locked in styles.items()}
    assert not styles.pop("Elo input")
    assert all(styles.values())
    assert set(styles) < {f"Elo {role}" for role in ROLES}
    for sheet in workbook.worksheets:
        assert sheet.protection.sheet
        assert sheet.protection.password is None
        columns = sheet.column_dimensions.values()
        assert sum(column.max - column.min + 1 for column in columns) == 16384, sheet.title
        assert all(column.protection.locked for column in columns), sheet.title
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell, MergedCell):  # its first cell tells how it looks
                    continue
                typed = cell.style.startswith("Elo input")
                assert cell.protection.locked != typed, (sheet.title, cell.coordinate)
                assert not (typed and cell.data_type == "f"), (sheet.title, cell.coordinate)


SORTED = {
    "rating-period": {"players", "games"},
    "k-and-first-rating": {"players", "first"},
    "rating-history": {"chart"},
    "bayes-chess": {"players", "chart"},
    "bridge-pairs": {"players", "chart"},
    "ladder": {"starts", "chart"},
    "club": {"members", "results"},
    "season": {"results", "scale"},
    "class": {"pupils"},
    "judging": {"judgements"},
}
"""The lists to which no other cell refers by the places of their rows; elsewhere sorting is off."""


def test_lists_to_which_nothing_refers_may_be_sorted(small: Book) -> None:
    may = {
        key
        for key, sheet in small.sheets.items()
        if not small.workbook[sheet.title].protection.sort
    }
    filtered = {
        key
        for key, sheet in small.sheets.items()
        if not small.workbook[sheet.title].protection.autoFilter
    }
    assert may == filtered == SORTED.get(small.template, set())


def test_what_only_computes_is_hidden(small: Book) -> None:
    workbook = small.workbook
    hidden = {sheet.title for sheet in workbook.worksheets if sheet.sheet_state == "hidden"}
    assert hidden == {sheet.title for sheet in small.sheets.values() if sheet.set_up.hidden}
    assert hidden
    for sheet in small.sheets.values():
        columns = workbook[sheet.title].column_dimensions
        for table in sheet.tables:
            for key, look in table.columns.items():
                column = columns[table.letter(key)]
                assert (column.hidden, column.outlineLevel) == (look.helper, int(look.helper)), key


def test_cached_values_are_there(small: Book) -> None:
    book = openpyxl.load_workbook(io.BytesIO(small.file()), data_only=True)
    found: dict[str, Any] = {
        sheet.title: {c.coordinate: c.value for row in sheet.iter_rows() for c in row}
        for sheet in book.worksheets
    }
    assert differences({"small": small}, {"small": found}) == []


def test_dates_have_one_form(small: Book) -> None:
    shown = {
        cell.number_format
        for sheet in small.workbook.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if "yy" in cell.number_format
    }
    assert shown <= {r"yyyy\-mm\-dd"}


@pytest.mark.parametrize("language", cases(CODES, test=("en", "fr")))
def test_lines_above_tables_are_not_cut_in_print(small: Book, language: str) -> None:
    known = TEMPLATES[small.template].languages
    spoken = language if language in known else "es"
    book = small if spoken == "en" else filled(small, language=spoken)
    for sheet in book.sheets.values():
        if sheet.tables and not (sheet.set_up.hidden or sheet.set_up.areas):
            there = book.workbook[sheet.title].column_dimensions
            columns = map(column_letters, layout.in_use(sheet))
            assert LINE_SHARE * sheet.longest_line < sum(there[c].width for c in columns) + 1, (
                sheet.key
            )


def test_charts_have_no_frames(small: Book) -> None:
    parts = read_parts(small.file())
    for name in parts:
        if name.startswith("xl/charts/chart"):
            root = from_bytes(parts[name])
            (corners,) = root.iterfind("{*}roundedCorners")
            assert corners.get("val") == "0"
            assert root.find("{*}spPr/{*}ln/{*}noFill") is not None
            for axis in ("valAx", "catAx", "dateAx"):
                for one in root.iter(f"{{*}}{axis}"):
                    hidden = one.find("{*}delete")
                    assert hidden is not None
                    if hidden.get("val") == "1":
                        assert one.find("{*}majorGridlines") is None
                    elif root.find(".//{*}barChart") is None:
                        assert one.find("{*}title") is not None


def test_the_command(tmp_path: Path) -> None:
    listed = invoke("templates")
    assert [line.split()[0] for line in listed.output.splitlines()] == list(TEMPLATES)
    target = tmp_path / "club.xlsx"
    command = [
        "new",
        "round-robin",
        "-o",
        str(target),
        "--players",
        "6",
        "--sample",
        "--lang",
        "ru",
    ]
    assert invoke(*command).exit_code == 0
    assert openpyxl.load_workbook(target).sheetnames[0] == "Начало"
    target.write_text("typed for a season")
    again = invoke(*command)
    assert (again.exit_code, "--force" in again.output) == (2, True)
    assert target.read_text() == "typed for a season"
    assert invoke(*command, "--force").exit_code == 0
    assert openpyxl.load_workbook(target).sheetnames[0] == "Начало"
    for wrong, message in (
        (["chess"], "there is no template 'chess': elo-xl templates lists them"),
        (["rating"], "did you mean rating-period or rating-history?"),
        (["round-robin", "--players", "31"], "takes 2 to 30 players, got 31"),
        (["round-robin", "--rounds", "5"], "takes --rounds 1 to 4"),
        (["team-match", "--rounds", "3"], "has no number of rounds"),
        (["round-robin", "--rules", "fide-2022-01"], "cuts one game an event only"),
        (["bridge-pairs", "--rules", "elo"], "bridge-pairs has no rules to choose"),
    ):
        result = invoke("new", *wrong, "-o", tmp_path / "none.xlsx")
        assert result.exit_code == 2
        assert message in " ".join(result.output.split())
    assert not (tmp_path / "none.xlsx").exists()
    with pytest.raises(RatingError):
        gallery.options("round-robin", language="eo")


READY_MADE: Final = {path.name: path.read_bytes() for path in (ROOT / "workbooks").glob("*.xlsx")}
"""The files of the folder."""


def test_ready_made_files_are_there_and_whole() -> None:
    """`make regenerate` makes what is missing; between releases they may be older than the code."""
    assert set(ready_made()) == set(READY_MADE)
    for name, (template, options, _) in ready_made().items():
        said = identity(read_parts(READY_MADE[name]))
        assert said is not None
        assert (template, options.language) == (said.template, said.options.language)
    # a clone carries them all
    assert sum(map(len, READY_MADE.values())) < 9e6


def test_at_a_release_ready_made_files_are_of_its_state() -> None:
    """`make workbooks` writes them."""
    if not is_release((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")):
        pytest.skip("between releases they may be older than the code")
    assert [] == [
        name for name, file in READY_MADE.items() if held(ready_made_file(name).file) != held(file)
    ]


def test_another_value_makes_another_book_and_the_last_bits_do_not() -> None:
    book = made("k-and-first-rating").file
    parts = read_parts(book)
    (sheet, *_) = [name for name in parts if b"<v>" in parts[name]]

    def with_value(value: bytes) -> bytes:
        return zipped(
            {**parts, sheet: re.sub(rb"<v>[\d.]+</v>", b"<v>%b</v>" % value, parts[sheet])}
        )

    third = with_value(b"0.33333333333333331")
    assert held(third) == held(with_value(b"0.33333333333333337"))
    assert held(third) != held(with_value(b"0.3333333334"))


def test_an_empty_book_has_room_for_what_will_stand_in_it(
    small: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Widths are measured at what a book holds when it is made; an empty one will be filled."""
    # columns that share what is left of the paper, or below a line, tell nothing of what they need
    for name in ("UPRIGHT", "ACROSS", "LINE_SHARE"):
        monkeypatch.setattr(layout, name, 0.01)
    # columns of tie-breaks are there where they are chosen
    typed = gallery.sample(small.template, small.options)
    chosen = {name: value for name, value in typed.items() if name.startswith("Tie_break")}
    empty, full = (
        {
            (sheet.title, column): dimension.width
            for sheet in book.workbook.worksheets
            if sheet.sheet_state == "visible"
            for column, dimension in sheet.column_dimensions.items()
        }
        for book in (build(small.template, small.options, chosen), filled(small))
    )
    narrow = {at: (empty[at], width) for at, width in full.items() if empty[at] < 0.9 * width}
    assert narrow == {}
