"""The template workbooks: computed by other programs as by the engine, in every flavour and
language, for samples, empty and full books and whatever people type."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

from elo_xl.books.book import Book, Options
from elo_xl.books.flavours import FLAVOURS
from elo_xl.books.texts import texts
from elo_xl.cli import cli
from elo_xl.engine.errors import RatingError
from elo_xl.functions.catalogue import functions
from elo_xl.languages import CODES
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx import lint
from elo_xl.xlsx.in_place import read_parts
from tests.support.calc import Calc
from tests.support.template_books import build, differences, native_differences, problems
from tests.support.template_events import GENERATORS

pytestmark = pytest.mark.slow

RULES = ("fide", "fide-rapid", "logistic", "fide-2009-07", "elo", "fide-2014-07", "fide-2024-03")
FULL, SMALL = 28, 12
"""Players or rounds of a full book and of the others, where the template takes more: size costs
time only."""
VOLATILE = re.compile(r"\b(?:NOW|TODAY|RAND|RANDBETWEEN|OFFSET|INDIRECT|INFO|CELL)\(")


def sized(name: str, most: int, bound: int = 1, **chosen: Any) -> Options:
    """Options with ``most`` players and rounds, as far as the template takes them; ``bound`` 1 is
    what is usual, 2 what is possible."""
    template = TEMPLATES[name]
    for key, bounds in (("players", template.players), ("rounds", template.rounds)):
        if bounds:
            chosen[key] = max(bounds[0], min(bounds[bound], most))
    return gallery.options(name, **chosen)


def books(name: str, functions_: str, seeds: range) -> dict[str, Book]:
    """A sample as large as usual, samples of all languages, an empty book, and generated events:
    every other one full, every second pair with mistakes in it."""
    made: dict[str, Book] = {}
    usual = gallery.options(name, functions=functions_)
    made[f"{name} sample"] = build(name, usual, gallery.sample(name, usual))
    made[f"{name} empty"] = build(name, usual)
    for language in CODES[1:]:
        options = sized(name, SMALL, functions=functions_, language=language)
        made[f"{name} {language} sample"] = build(name, options, gallery.sample(name, options))
    for seed in seeds:
        full = seed % 2
        options = sized(
            name,
            FULL if full else SMALL,
            1 + full,
            functions=functions_,
            language=CODES[seed % 3],
            rules=RULES[seed % len(RULES)] if TEMPLATES[name].rules else "fide",
        )
        content = GENERATORS[name](options, seed, wrong=seed % 4 > 1, full=bool(full))
        made[f"{name} {options} {seed}"] = build(name, options, content)
    return made


@pytest.mark.parametrize("template", TEMPLATES)
def test_libreoffice_computes_formulas(template: str, calc: Calc) -> None:
    made = books(template, "formulas", range(7))
    found = calc.recalculate_all({name: form.file() for name, form in made.items()})
    assert differences(made, found) == []


@pytest.mark.parametrize("template", TEMPLATES)
def test_libreoffice_computes_the_add_in(template: str, addin_calc: Calc) -> None:
    made = books(template, "libreoffice", range(4))
    found = addin_calc.recalculate_all({name: form.file() for name, form in made.items()})
    assert differences(made, found) == []


@pytest.mark.parametrize("template", TEMPLATES)
def test_lambda_names_compute(template: str, tmp_path: Path) -> None:
    options = sized(template, SMALL, functions="lambda", language="es")
    form = build(template, options, gallery.sample(template, options))
    assert native_differences(form, tmp_path / "book.xlsx") == []


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("template", TEMPLATES)
def test_packages_have_nothing_to_repair(template: str, flavour: str) -> None:
    for language in CODES:
        options = sized(template, SMALL, functions=flavour, language=language)
        content = gallery.make(template, options, gallery.sample(template, options))
        assert problems(content) == []
        if language == "ru":  # its texts are the longest, and not ASCII
            assert content == gallery.make(template, options, gallery.sample(template, options))
            assert lint.problems(content, functions()) == []


@pytest.mark.parametrize("template", TEMPLATES)
def test_only_the_calls_depend_on_the_flavour(template: str) -> None:
    made = {
        flavour: build(template, options, gallery.sample(template, options))
        for flavour in FLAVOURS
        for options in [sized(template, SMALL, functions=flavour)]
    }
    usual = made["formulas"]
    for form in made.values():
        assert form.values == usual.values
        for sheet, other in zip(form.workbook.worksheets, usual.workbook.worksheets, strict=True):
            for row, cells in zip(sheet.iter_rows(), other.iter_rows(), strict=True):
                for cell, plain in zip(row, cells, strict=True):
                    text = getattr(cell.value, "text", cell.value)
                    if (sheet.title, cell.coordinate) not in usual.calls and plain.value != text:
                        assert text == form.say("trouble_" + form.flavour.name)


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_calls_and_volatile_functions(flavour: str) -> None:
    names = tuple(functions())
    for name in TEMPLATES:
        options = sized(name, SMALL, functions=flavour)
        form = build(name, options, gallery.sample(name, options))
        for sheet in form.workbook.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    text = str(getattr(cell.value, "text", cell.value) or "")
                    if cell.data_type != "f":
                        continue
                    assert VOLATILE.search(text) is None
                    if flavour == "formulas":
                        assert not any(each in text for each in names)


@pytest.mark.parametrize("template", TEMPLATES)
def test_formulas_are_the_same_in_every_language(template: str) -> None:
    counts = set()
    for language in CODES:
        options = sized(template, SMALL, language=language)
        form = build(template, options, gallery.sample(template, options))
        counts.add(
            tuple(
                (at, cell.coordinate)
                for at, sheet in enumerate(form.workbook.worksheets)
                for row in sheet.iter_rows()
                for cell in row
                if cell.data_type == "f"
            )
        )
    assert len(counts) == 1


def test_texts_of_all_languages() -> None:
    usual = texts("en").by_key
    places = re.compile(r"{\w+}")
    for language in CODES:
        own = texts(language).by_key
        assert set(own) == set(usual), language
        assert {k for k in usual if not own[k].strip()} == set()
        assert {
            k for k in usual if sorted(places.findall(own[k])) != sorted(places.findall(usual[k]))
        } == set()
        for name in TEMPLATES:
            title = own[f"{name}.title"]
            assert len(title) < 60
        sheets = [own[k] for k in own if ".sheet_" in k]
        assert [s for s in sheets if len(s) > 31 or set(s) & set("[]:*?/\\'")] == []


def test_no_text_is_left_over() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("books", "cli", "publish", "templates")
        for path in (Path(gallery.__file__).parents[1] / folder).rglob("*.py")
    )
    made = {
        "column",
        "prompt",
        "error",
        "check",
        "sign",
        "setting",
        *re.findall(r"(\w+)_{", source),
    }
    words = set(re.findall(r"\w+", source))
    unused = {
        key
        for key in texts("en").by_key
        if key.rpartition(".")[2] not in words
        and key.rpartition(".")[2].rpartition("_")[0] not in made
        and key.rpartition(".")[2].split("_")[0] not in made
    }
    assert unused == set()


@pytest.mark.parametrize("template", TEMPLATES)
def test_inputs_are_open_and_formulas_locked(template: str) -> None:
    options = sized(template, SMALL)
    form = build(template, options, gallery.sample(template, options))
    for sheet in form.workbook.worksheets:
        assert sheet.protection.sheet
        assert sheet.protection.password is None
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    assert cell.protection.locked, (sheet.title, cell.coordinate)
                typed = cell.style.startswith("Elo input")
                assert cell.protection.locked != typed, (sheet.title, cell.coordinate)


def test_cached_values_are_there() -> None:
    for name in TEMPLATES:
        options = sized(name, SMALL)
        form = build(name, options, gallery.sample(name, options))
        book = openpyxl.load_workbook(io.BytesIO(form.file()), data_only=True)
        found: dict[str, Any] = {
            sheet.title: {c.coordinate: c.value for row in sheet.iter_rows() for c in row}
            for sheet in book.worksheets
        }
        assert differences({name: form}, {name: found}) == []


def test_the_command(tmp_path: Path) -> None:
    run = CliRunner()
    listed = run.invoke(cli, ["templates"])
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
    assert run.invoke(cli, command).exit_code == 0
    assert openpyxl.load_workbook(target).sheetnames[0] == "Начало"
    target.write_text("typed for a season")
    again = run.invoke(cli, command)
    assert (again.exit_code, "already exists" in " ".join(again.output.split())) == (2, True)
    assert target.read_text() == "typed for a season"
    assert run.invoke(cli, [*command, "--force"]).exit_code == 0
    assert openpyxl.load_workbook(target).sheetnames[0] == "Начало"
    for wrong, message in (
        (["chess"], "template must be one of"),
        (["round-robin", "--players", "31"], "takes 2 to 30 players, got 31"),
        (["round-robin", "--rounds", "3"], "has no number of rounds"),
        (["round-robin", "--rules", "fide-2022-01"], "cuts one game an event only"),
        (["bridge-pairs", "--rules", "elo"], "bridge-pairs has no rules to choose"),
    ):
        result = run.invoke(cli, ["new", *wrong, "-o", str(tmp_path / "none.xlsx")])
        assert result.exit_code == 2
        assert message in " ".join(result.output.split())
    assert not (tmp_path / "none.xlsx").exists()
    with pytest.raises(RatingError):
        gallery.options("round-robin", language="de")


def test_ready_made_files_are_not_stale() -> None:
    """`make workbooks` writes them; compared is what is inside, for zlib differs."""
    folder = Path(__file__).parents[1] / "workbooks"
    made = dict(gallery.ready_made())
    files = {path.name: path for path in folder.glob("*.xlsx")}
    assert set(made) == set(files)
    for name, make in made.items():
        assert read_parts(make()) == read_parts(files[name].read_bytes()), name
    # a clone carries them all
    assert sum(path.stat().st_size for path in files.values()) < 6.5e6


@pytest.mark.parametrize("template", TEMPLATES)
def test_an_empty_book_has_room_for_what_will_stand_in_it(template: str) -> None:
    """Widths are measured at what a book holds when it is made; an empty one will be filled."""
    options = sized(template, SMALL)
    empty, filled = (
        {
            (sheet.title, column): dimension.width
            for sheet in build(template, options, content).workbook.worksheets
            if sheet.sheet_state == "visible"
            for column, dimension in sheet.column_dimensions.items()
        }
        for content in (None, gallery.sample(template, options))
    )
    narrow = {at: (empty[at], width) for at, width in filled.items() if empty[at] < 0.9 * width}
    assert narrow == {}
