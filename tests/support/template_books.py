"""Template workbooks in tests: built, computed by other programs, compared, checked as packages."""

from collections.abc import Iterable, Mapping
from datetime import date, time
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from lxml import etree
from openpyxl.utils import coordinate_to_tuple
from openpyxl.utils.datetime import to_excel
from pyopenvba.apps.excel import ExcelApplication

from elo_xl.books.book import Book, Options
from elo_xl.books.flavours import FLAVOURS
from elo_xl.languages import CODES
from elo_xl.templates import gallery
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.xlsx.in_place import read_parts
from tests.support import package_rules
from tests.support.levels import amount, cases

Wrong = list[tuple[str, str, str, object, object]]

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


SMALL = 6
"""Players or rounds of a book that shows everything; more of them cost time only."""


def sized(name: str, most: int = SMALL, bound: int = 1, **chosen: Any) -> Options:
    """Options with ``most`` players and half as many rounds, as far as the template takes them;
    ``bound`` 1 is what is usual, 2 what is possible. A language that it has not is English."""
    template = TEMPLATES[name]
    if chosen.get("language") not in template.languages:
        chosen.pop("language", None)
    for key, bounds, size in (
        ("players", template.players, most),
        ("rounds", template.rounds, most // 2),
    ):
        if bounds:
            chosen[key] = max(bounds[0], min(bounds[bound], size))
    return gallery.options(name, **chosen)


@cache
def declared(template: str) -> Book:
    """A small book without content, not worked out."""
    return gallery.declared(template, sized(template))


def by_rulebook() -> list[str]:
    """The templates whose books rate the games that are typed into them by a rulebook."""
    return [
        name
        for name in TEMPLATES
        for book in [declared(name)]
        if book.commands.games and any(table.startswith("Counted") for table in book.tables)
    ]


def build(template: str, options: Options, content: Any = None) -> Book:
    """A workbook, not yet saved: its formulas' values are in ``values``."""
    return gallery.build(template, options, content)


def same(found: object, value: object) -> bool:
    if value == "":
        return found in (None, "")
    if isinstance(value, str) or isinstance(found, str | None):
        return found == value
    if isinstance(found, date | time):
        found = to_excel(found)
    number = float(value)  # type: ignore[arg-type]
    return abs(float(found) - number) <= 1e-12 * max(1.0, abs(number))  # type: ignore[arg-type]


def differences(books: Mapping[str, Book], found: Mapping[str, Any]) -> Wrong:
    """Book, sheet, cell, value and what was found, of every cell that differs."""
    return [
        (name, sheet, cell, value, found[name][sheet].get(cell))
        for name, book in books.items()
        for (sheet, cell), value in book.values.items()
        if not same(found[name][sheet].get(cell), value)
    ]


CALLING = "k-and-first-rating"
"""A small book with calls of several functions."""

KINDS = cases(
    [*product(TEMPLATES, FLAVOURS, ("ru",)), *product(TEMPLATES, ("formulas",), CODES[:-1])],
    test=[*product(TEMPLATES, ("formulas",), ("ru",)), *product((CALLING,), FLAVOURS, ("ru",))],
)
"""Templates, flavours and languages: each flavour in the language with the longest texts, and each
language without calls."""

MOST_CALLS = amount(3, 6)
"""of a function on a sheet that are computed; the engine is slow, and the names are tested alone"""


def some(book: Book) -> list[tuple[str, str]]:
    """Calls from all over a book: some of each function on each sheet."""
    by_function: dict[tuple[str, str], list[str]] = {}
    for sheet, cell in sorted(book.calls):
        text = str(book.workbook[sheet][cell].value)
        name = text[text.index("ELO_") :].partition("(")[0]
        by_function.setdefault((sheet, name), []).append(cell)
    return [
        (sheet, cell)
        for (sheet, _), cells in by_function.items()
        for cell in cells[:: -(-len(cells) // MOST_CALLS)]
    ]


def native_differences(book: Book, path: Path) -> Wrong:
    """The calls of LAMBDA names that another engine computes otherwise, of :func:`some` calls.

    Only they have no cached value in its file: what they read is known, for the engine gives 0
    where it has to go too deep at once. All other formulas are those of the other flavours.
    """
    known, asked = dict(book.values), some(book)
    assert bool(asked) == bool(book.calls)
    for at in asked:
        del book.values[at]
    path.write_bytes(book.file())
    book.values = known
    app = ExcelApplication.open(str(path))
    return [
        (path.name, sheet, cell, known[sheet, cell], found)
        for sheet, cell in asked
        if not same(found := app.sheet(sheet).value(cell), known[sheet, cell])
    ]


def problems(content: bytes) -> list[str]:
    """What Excel would repair or cut: see :mod:`tests.support.package_rules`, and cells and
    validations."""
    found = package_rules.problems(content)
    for name, part in read_parts(content).items():
        if name.startswith("xl/worksheets/sheet"):
            found += [f"{name}: {what}" for what in _in_sheet(etree.fromstring(part))]
    return found


def _in_sheet(root: Any) -> Iterable[str]:
    last = (0, 0)
    for cell in root.iter(f"{MAIN}c"):
        at = coordinate_to_tuple(cell.get("r"))
        if at <= last:
            yield f"cell {cell.get('r')} is out of order"
        last = at
        formula, value = cell.find(f"{MAIN}f"), cell.find(f"{MAIN}v")
        if formula is not None and not formula.text:
            yield f"cell {cell.get('r')} has an empty formula"
        if formula is not None and len(formula.text or "") > 8000:
            yield f"cell {cell.get('r')} has a formula of {len(formula.text)} characters"
        if value is not None and value.text is None and cell.get("t") != "str":
            yield f"cell {cell.get('r')} has an empty value"
    for rule in root.iter(f"{MAIN}dataValidation"):
        for attribute, most in (
            ("promptTitle", 32),
            ("prompt", 255),
            ("errorTitle", 32),
            ("error", 255),
        ):
            if len(rule.get(attribute, "")) > most:
                yield f"validation {rule.get('sqref')}: {attribute} is too long"
        for formula in rule:
            if len(formula.text or "") > 255:
                yield f"validation {rule.get('sqref')}: its formula is too long"
