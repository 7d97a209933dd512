"""The first sheet of a book: how to use it, its settings, what its colours mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

from elo_xl.addresses import MADE_WITH, PUBLISHED, page
from elo_xl.books.book import Book, Cells, Constant, Formula, Sheet
from elo_xl.books.column_words import number_format
from elo_xl.books.statements import pieces
from elo_xl.books.styles import (
    BASE_SIZE,
    LINE_HEIGHT,
    LINE_SHARE,
    MARK,
    PADDING,
    ROLES,
    TABS,
    WHOLE,
)
from elo_xl.books.text import GENERAL, wrapped_lines
from elo_xl.books.typed import Reading, TypedKind, read_single
from elo_xl.languages import ENGLISH, LANGUAGES
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.folding import tree_of
from elo_xl.xlsx.formula import parse

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

SEPARATOR: Final = " · "
"""between the parts of a line of a sheet for the wall"""

WIDTHS: Final = {1: 5.0, 2: 32.0, 3: 34.0, 4: 27.0}
"""of the columns: numbers and colours, what a line is about, what is typed, and what an empty cell
means; texts extend to the last one"""
LINKS: Final = range(2, 5)
"""the columns of the links to all sheets, which come first"""
MOST_LINKS: Final = 7
"""rows of them: when the settings get their cells, nobody knows how many sheets there will be"""
PAGE: Final = 740.0
"""The height of rows, in points, that fills a page."""
SHRUNK: Final = 10 / 11
"""How small everything may become so that there is one page: letters of 11 points have 10."""
MOST_AIR = 1.4
"""How much higher rows may become where few would leave a page half empty."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A cell of the first sheet that formulas read by a name.

    Its texts are ``setting_KEY``, ``prompt_KEY`` and ``error_KEY``, and ``empty_KEY`` if an empty
    cell means something: it stands beside the cell and behind its prompt. The number format
    ``date`` is for a day, or several as a text, ``@`` for a text that looks like a number or a
    time. The cell holds the book's content of its name, by default ``value``. It stands out while
    the formula ``wrong`` is true.
    """

    name: str
    key: str
    value: Constant | Formula = None
    number_format: str = GENERAL
    least: float | None = None
    most: float | None = None
    choices: Sequence[str] = ()
    listed: str = ""
    """a name of the file for cells that hold the choices: a list in a cell has 255 characters"""
    locked: bool = False
    wrong: str = ""
    instead: str = ""
    """a name of the book for what counts while the cell is blank"""
    wall: bool = False
    """Whether sheets for the wall show it in the line below their titles: a day in words, anything
    else behind the text ``wall_KEY``, if there is one."""

    @property
    def reading(self) -> Reading:
        """How what is typed is read."""
        instead = parse(self.instead) if self.instead else None
        if self.choices:
            return Reading("choice", choices=self.choices)
        if self.number_format == "date":
            return Reading("when")
        if self.most is None:
            return Reading("text" if self.number_format in (GENERAL, "@") else "decimal")
        kind: TypedKind = "whole" if self.number_format == WHOLE else "decimal"
        return Reading(kind, tree_of(self.least or 0), tree_of(self.most), instead=instead)


def front(book: Book, *settings: Setting, rules: bool = True) -> Sheet:
    """Write the first sheet: how to use the book, its settings, its colours, and troubleshooting.

    ``rules`` adds the name of the rulebook to the settings. Formulas then have the pieces
    ``day_said(day)``, a day in words, and ``date_text(day)`` and ``date_lines(day)``, a date as a
    text, on one line and on two.
    """
    sheet = book.sheet("start")
    say = book.say
    sheet.set_up.exact = WIDTHS
    sheet.set_up.upright, sheet.set_up.tab = True, "help"
    sheet.line(say("title"), "title")
    sheet.height(1, 1.8)
    sheet.put(sheet.row, 1, say("purpose"), "prose", measure=False)
    sheet.merge(sheet.cells(sheet.row, 1, 1, len(WIDTHS)))
    sheet.height(sheet.row, 1.1 * _lines(say("purpose"), 1, ROLES["prose"].size))
    sheet.row += 1
    sheet.line(Formula("status_line"), "status")
    links = sheet.row
    sheet.row += MOST_LINKS + 1
    steps = [book.say_or(f"step_{i}", "") for i in range(1, 10)]
    if any(steps):
        _section(sheet, say("how"))
    for i, step in enumerate(filter(None, steps), start=1):
        sheet.put(sheet.row, 1, i, "label", "0", "center", measure=False)
        _paragraph(sheet, step)
    shown = list(settings)
    if rules:
        shown.append(Setting("Rules", "rules", book.rules.name, locked=True))
    if shown:
        _gap(sheet)
        _section(sheet, say("settings"))
    for setting in shown:
        _setting(book, sheet, setting)
    book.pieces |= pieces(f'day_said(day) = IF(N(day) < 9999, day, "{_day_said(book)}")')
    date_text = LANGUAGES[book.options.language].date_text
    book.pieces |= pieces(f"date_text(day) = {date_text('day')}")
    book.pieces |= pieces(f"date_lines(day) = {date_text('day', year_apart=True)}")
    if parts := [_on_the_wall(book, setting) for setting in settings if setting.wall]:
        book.names["wall_line"] = f"MID({' & '.join(parts)}, {len(SEPARATOR) + 1}, 500)"
        # where a book has a name "as_of": the day for which its sheets stand, or 0; or "state":
        # how far it has come, in words, or ""
        for name, none, words in (
            ("as_of", "0", 't.as_of & " " & day_said(as_of)'),
            ("state", '""', "state"),
        ):
            said = f'IF(wall_line = "", "", "{SEPARATOR}" & wall_line)'
            said += f' & IF({name} = {none}, "", "{SEPARATOR}" & {words})'
            book.names[f"wall_line_{name}"] = f"MID({said}, {len(SEPARATOR) + 1}, 500)"
    book.last.append(lambda: _rest(book, sheet, links))
    return sheet


def _day_said(book: Book) -> str:
    """The inside of a text that says the day ``day`` in words; a smaller number is a year alone."""
    months = ", ".join(f'"{month}"' for month in book.say("months").split())
    first = book.say("first_day")
    number = "DAY(day)" if first == "1" else f'IF(DAY(day) = 1, "{first}", DAY(day))'
    return book.say(
        "day_said",
        day=f'" & {number} & "',
        month=f'" & CHOOSE(MONTH(day), {months}) & "',
        year='" & YEAR(day) & "',
    )


def _on_the_wall(book: Book, setting: Setting) -> str:
    """The formula of what a setting adds to the line of the sheets for the wall."""
    name, before = setting.name, book.say_or(f"wall_{setting.key}", "")
    said = f"day_said({name})" if setting.number_format == "date" else name
    if before:
        said = f't.wall_{setting.key} & " " & {said}'
    return f'IF({name} = "", "", "{SEPARATOR}" & {said})'


def _rest(book: Book, sheet: Sheet, links: int) -> None:
    """The links to all sheets, from a row on, and the lower half: what the sheets are for, colours,
    and troubleshooting."""
    say = book.say
    _gap(sheet)
    sections = [sheet.row]
    seen = [s for s in book.sheets.values() if s is not sheet and not s.set_up.hidden]
    places = [(row, at) for row in range(links, links + MOST_LINKS) for at in LINKS]
    for (row, column), other in zip(places, seen, strict=False):
        _link(sheet, row, column, other)
    # the rows that are left are a narrow gap together
    used = min(ceil(len(seen) / len(LINKS)), MOST_LINKS)
    left = range(links + used, links + MOST_LINKS + 1)
    sheet.heights |= dict.fromkeys(left, 0.6 * LINE_HEIGHT / len(left))
    if seen:
        _section(sheet, say("sheets"))
        for other in seen:
            _way(sheet, other)
        _gap(sheet)
    sections.append(sheet.row)
    _section(sheet, say("colours"))
    for role, key in (("input", "colour_input"), ("cell", "colour_computed")):
        sheet.put(sheet.row, 1, None, role)
        _paragraph(sheet, say(key))
    row = sheet.row
    sheet.put(row, 1, "!", "attention", GENERAL, "center")
    sheet.edits.append(lambda ws: _fill(ws, row, MARK))
    _paragraph(sheet, say("colour_mark"))
    _paragraph(sheet, say("colour_tabs"))
    _gap(sheet)
    sections.append(sheet.row)
    _section(sheet, say("trouble"))
    for key in (book.flavour.name, "hidden", "print"):
        _paragraph(sheet, say(f"trouble_{key}"))
    _paragraph(sheet, say("trouble_larger", program=MADE_WITH))
    if any(other.set_up.wall for other in seen):
        _paragraph(sheet, say("trouble_logo"))
    if PUBLISHED:
        _page(sheet, page(guide(book.options.language)))
    _cut(sheet, sections)


def _cut(sheet: Sheet, sections: Sequence[int]) -> None:
    """Print on one page if it can be read there, else on two, the second of which begins with one
    of the sections in these rows; then both are about as full. Rows grow to fill each."""
    last = sheet.row - 1

    def height(first: int, beyond: int) -> float:
        return sum(sheet.heights.get(row, LINE_HEIGHT) for row in range(first, beyond))

    end = column_letters(len(WIDTHS))
    cut, filled = last + 1, [height(1, last + 1)]
    if filled[0] * SHRUNK > PAGE:
        # a second page begins with the title, too
        pages = {cut: (height(1, cut), height(1, 4) + height(cut, last + 1)) for cut in sections}
        cut = min(sections, key=lambda cut: max(pages[cut]))
        filled, sheet.set_up.titles = [*pages[cut]], 3
    areas = []
    for first, beyond, high in zip((1, cut), (cut, last + 1), filled, strict=False):
        airy = min(max(PAGE / high, 1.0), MOST_AIR)
        for row in range(first, beyond):
            sheet.heights[row] = airy * sheet.heights.get(row, LINE_HEIGHT)
        areas.append(f"A{first}:{end}{beyond - 1}")
    sheet.set_up.areas, sheet.set_up.down = areas, len(areas)


def guide(language: str) -> str:
    """The page for organizers in a language, by its place among the pages.

    >>> guide("en"), guide("es")
    ('organizers', 'es/organizers')
    """
    return ("" if language == ENGLISH else f"{language}/") + "organizers"


def _fill(worksheet: Worksheet, row: int, colour: str) -> None:
    """Fill the first cell of a row."""
    from openpyxl.styles import PatternFill

    worksheet.cell(row, 1).fill = PatternFill("solid", colour)


def _link(sheet: Sheet, row: int, column: int, other: Sheet) -> None:
    link = sheet.put(row, column, other.title, "link", GENERAL, "left", measure=False)
    sheet.link(link, other.cells(1, 1))


def _way(sheet: Sheet, other: Sheet) -> None:
    """A line with a link to another sheet, in the colour of its tab, and what it is for."""
    row, colour = sheet.row, TABS[other.kind]
    sheet.put(row, 1, None, "paragraph", measure=False)
    sheet.edits.append(lambda ws: _fill(ws, row, colour))
    _link(sheet, row, 2, other)
    about = sheet.book.say_or(f"about_{other.key}", "").split(". ")[0].rstrip(".:")
    if _lines(about, 3) > 1:  # what is added is on the sheet itself
        about = re.split(r"\s?;", about)[0]
    _text(sheet, 3, about)
    sheet.row += 1


def _page(sheet: Sheet, address: str) -> None:
    """A line that leads to a page of the web; LibreOffice does not wrap one with other words."""
    cell = sheet.put(sheet.row, 2, address, "link", GENERAL, "left", measure=False).area
    _merge(sheet, 2)
    sheet.edits.append(lambda ws: setattr(ws[cell], "hyperlink", address))
    sheet.row += 1


def _lines(text: str, first: int, size: float = BASE_SIZE) -> int:
    """How many lines a text takes from a column to the last one, in letters of a size."""
    width = sum(width for column, width in WIDTHS.items() if column >= first)
    return wrapped_lines(text, (width - PADDING) * BASE_SIZE / size / LINE_SHARE)


def _height(sheet: Sheet, row: int, lines: int) -> None:
    sheet.heights[row] = LINE_HEIGHT * lines + 1.5


def _gap(sheet: Sheet) -> None:
    """A narrow blank row between two sections."""
    sheet.heights[sheet.row] = 0.6 * LINE_HEIGHT
    sheet.row += 1


def _section(sheet: Sheet, title: str) -> None:
    for column in WIDTHS:
        sheet.put(sheet.row, column, title if column == 1 else None, "section", measure=False)
    sheet.height(sheet.row, 1.2)
    sheet.row += 1


def _paragraph(sheet: Sheet, text: str) -> None:
    _text(sheet, 2, text)
    sheet.row += 1


def _text(sheet: Sheet, column: int, text: str) -> None:
    """A text from a column to the last one, in a row that is high enough."""
    sheet.put(sheet.row, column, text, "paragraph", GENERAL, "left", measure=False)
    _merge(sheet, column)
    _height(sheet, sheet.row, _lines(text, column))


def _merge(sheet: Sheet, first: int) -> None:
    """Join the cells of a row from one to the last one, with their lines."""
    for column in range(first + 1, len(WIDTHS) + 1):
        sheet.put(sheet.row, column, None, "paragraph", measure=False)
    sheet.merge(sheet.cells(sheet.row, first, 1, len(WIDTHS) + 1 - first))


def _setting(book: Book, sheet: Sheet, setting: Setting) -> None:
    label, row = book.say(f"setting_{setting.key}"), sheet.row
    sheet.row += 1
    sheet.put(row, 2, label, "paragraph", GENERAL, "left", measure=False)
    beside = _if_empty(book, setting)
    lines = (
        wrapped_lines(said, (WIDTHS[column] - PADDING) / LINE_SHARE)
        for column, said in ((2, label), (4, beside))
    )
    _height(sheet, row, max(lines))
    role = "cell" if setting.locked else "input"
    value = book.content.get(setting.name, setting.value)
    shown = number_format(setting.number_format, book)
    cells = sheet.put(row, 3, value, role, shown, "left", measure=False)
    sheet.put(row, 4, beside or None, "aside", GENERAL, "left", measure=False)
    if setting.wrong:
        sheet.mark(cells, setting.wrong)
    if setting.locked:
        book.define(setting.name, cells)
        return
    where = f"{sheet.title}: {label}"
    book.define(setting.name, read_single(setting.name, cells, setting.reading, where))
    sheet.edits.append(lambda ws: _validate(ws, book, setting, cells))


def _if_empty(book: Book, setting: Setting) -> str:
    """What it means that the cell of a setting is empty; "" if there is nothing to say."""
    means = book.say_or(f"empty_{setting.key}", "")
    return means and book.say("setting_empty", means=means)


def _validate(worksheet: Worksheet, book: Book, setting: Setting, cells: Cells) -> None:
    """Give the cell of a setting its prompt, and its rule if it has one."""
    from openpyxl.worksheet.datavalidation import DataValidation

    from elo_xl.books.layout import MOST_PROMPT, MOST_PROMPT_TITLE

    rule = DataValidation(type=None, allow_blank=True)
    if setting.choices:
        typed = '"' + ",".join(setting.choices) + '"'
        rule.type, rule.formula1 = "list", setting.listed or typed
    elif setting.most is not None:
        rule.type, rule.operator = "decimal", "between"
        rule.formula1, rule.formula2 = f"{setting.least or 0:g}", f"{setting.most:g}"
    rule.promptTitle = rule.errorTitle = book.say(f"setting_{setting.key}")[:MOST_PROMPT_TITLE]
    prompt, empty = book.say(f"prompt_{setting.key}"), _if_empty(book, setting)
    if empty:
        prompt = f"{prompt} {empty[0].upper()}{empty[1:]}."
    rule.prompt = prompt[:MOST_PROMPT]
    rule.showInputMessage = True
    if rule.type:
        kind = "whole" if setting.number_format == WHOLE else "decimal"
        takes = book.between(kind, rule.formula1, rule.formula2) or rule.prompt
        rule.error = book.say_or(f"error_{setting.key}", takes)[:MOST_PROMPT]
        rule.showErrorMessage = True
    rule.add(cells.area)
    worksheet.add_data_validation(rule)
