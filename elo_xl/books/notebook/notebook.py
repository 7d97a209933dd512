"""A book of pages, with the sheets *Contents* before them, and *Steps* and *Curves* behind.

Statements of words are paragraphs, those of lines yellow cells and labels with results beside them,
those of tables columns of constants and formulas with printed numbers beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from elo_xl.books.charts import chart
from elo_xl.books.column_words import ColumnLook, Look
from elo_xl.books.language import StatementReader
from elo_xl.books.layout import ACROSS, HIGH, LOW, UPRIGHT
from elo_xl.books.model import Constant, Declared, Seen, Sheet, Table
from elo_xl.books.names import constant_text
from elo_xl.books.notebook.page import (
    COLUMNS,
    LABEL,
    PIECES,
    Back,
    Input,
    Page,
    read,
    waiting,
    widths,
)
from elo_xl.books.statements import (
    BookError,
    ColumnLine,
    Statement,
    located,
    options_of,
    piece_of,
    statements,
    typed_formula,
    words_of,
)
from elo_xl.books.styles import LINE_HEIGHT, PADDING
from elo_xl.books.text import wrapped_lines
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.folding import tree_of
from elo_xl.xlsx.formula import Call, Name, Node

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet


_SPLIT: Final = re.compile(r'((?:[^"]|"[^"]*")*?)(?:\s([=:])\s(.*))?', re.DOTALL)
_NAMES: Final = re.compile(r"[a-z]\w*(,[a-z]\w*)+")


def split(statement: Statement) -> tuple[list[str], str, str]:
    """The words of a line, ``=`` or ``:``, and what follows."""
    parts = _SPLIT.fullmatch(statement.text)
    assert parts is not None
    return words_of(parts[1]), parts[2] or "", (parts[3] or "").strip()


def look_of(page: Page, key: str, words: Sequence[str], statement: Statement) -> Look:
    """How a result looks."""
    return ColumnLook.read(ColumnLine((key,), (*words, '"-"'), None, statement), page.book).look


# -- words ----------------------------------------------------------------------------------------


def text(page: Page, statement: Statement) -> None:
    """``text KEY place=name``, or ``note``."""
    page.paragraph(page.said(statement), "paragraph" if statement.keyword == "text" else "note")


def formula(page: Page, statement: Statement) -> None:
    """``formula "E = …"``."""
    words = statement.rest.strip('"')
    page.sheet.put(page.sheet.row, 1, words, "strong", align="left", measure=False)
    page.sheet.row += 1


def section(page: Page, statement: Statement) -> None:
    """``section KEY place=name``, after a blank row."""
    page.sheet.row += 1
    page.cuts.append(page.sheet.row)
    page.across(page.said(statement), "section")
    page.sheet.height(page.sheet.row, 1.2)
    page.sheet.row += 1


def blank(page: Page, statement: Statement) -> None:
    """``blank``."""
    page.sheet.row += 1
    page.cuts.append(page.sheet.row)


def headings(page: Page, statement: Statement) -> None:
    """``headings a b c``."""
    sheet = page.sheet
    sheet.row += 1
    sheet.put(sheet.row, 1, None, "heading")
    for column, key in enumerate(words_of(statement.rest), start=2):
        words = page.book.say(f"column_{key}")
        sheet.put(sheet.row, column, words, "heading", align="right", measure=False)
    sheet.height(sheet.row, 2)
    sheet.row += 1


def printed_in(page: Page, statement: Statement) -> None:
    """``printed_in both.tables.2.3`` or ``asked_in teaching.problem.4``."""
    words = page.book.say(statement.keyword, where=page.source(statement.rest))
    page.sheet.put(page.sheet.row, 1, words, "note", measure=False)
    page.sheet.row += 1


def texts(page: Page, statement: Statement) -> None:
    """``texts`` with lines ``KEY = t.other(place = "x")``."""
    for child in statement.children:
        (key,), _, meaning = split(child)
        tree = page.sheet.names_at(None).resolve(typed_formula(meaning, child))
        page.book.texts[key] = constant_text(tree)


# -- lines ----------------------------------------------------------------------------------------


def yellow_cell(page: Page, statement: Statement) -> None:
    """``input KEY 20 0..100 0 step:1``."""
    key, usual, *words = words_of(statement.rest)
    yellow, sheet = Input.read(key, words), page.sheet
    typed = page.typed(key, yellow, page.constant(usual))
    page.label(f"column_{key}")
    cell = sheet.put(sheet.row, 2, typed, "input", yellow.number_format, "right")
    sheet.validations.append((cell, yellow.validation, None))
    counts = page.counted(key, page.book.say(f"column_{key}"), cell, yellow, column=3)
    page.name(key, counts, live=True)
    sheet.row += 1


def line(page: Page, statement: Statement) -> None:
    """``KEY words = formula``."""
    (key, *words), sign, meaning = split(statement)
    if sign != "=":
        raise BookError(f"a page has no {key!r}")
    names, labels, rest = [key], [f"line_{key}", f"column_{key}", key], []
    also: list[str] = []
    for word in words:
        if word.startswith("label:"):
            labels = [word[6:]]
        elif word.startswith("waits:"):
            also = word[6:].split(",")
        elif _NAMES.fullmatch(word):
            names = word.split(",")
        else:
            rest.append(word)
    page.label(*labels)
    look, cells = look_of(page, key, rest, statement), page.sheet.cells(page.sheet.row, 2)
    several = meaning[1:-1].split(" ; ") if " ; " in meaning else [meaning]
    formulas = [typed_formula(one, statement) for one in several]
    for j, tree in enumerate(formulas):
        page.put(cells.at(0, j), tree, look, also, wide=len(names))
    live = bool(also) or any(map(page.is_live, formulas))
    for j, name in enumerate(names):
        page.name(name, cells.at(0, j), live=live)
    page.sheet.row += 1


def step(page: Page, statement: Statement) -> None:
    """``step KEY LABEL = formula``."""
    (_, key, label), _, meaning = split(statement)
    tree = typed_formula(meaning, statement)
    shown = waiting(tree, page.live.__contains__)
    seen = Seen(names=page.seen)
    cell = page.back.step(page.sheet, page.book.say(label), shown, Look(align="right"), seen)
    page.name(key, cell, live=page.is_live(tree))


def remark(page: Page, statement: Statement) -> None:
    """``remark KEY 0.00 = formula``."""
    (_, key, *words), sign, meaning = split(statement)
    sheet, row = page.sheet, page.sheet.row
    page.label(f"subject_{key}")
    page.paragraph(page.book.say(f"remark_{key}"), first=3)
    sheet.put(row, 2, None)
    if sign:
        look = look_of(page, key, words, statement)
        page.put(sheet.cells(row, 2), typed_formula(meaning, statement), look)


SHRUNK: Final = 1.32
"""How much longer than paper a page may be before it is cut; its letters shrink."""
A_LITTLE: Final = 1.18
"""How much longer its pieces may be: A4 is longer than Letter."""

HEADINGS: Final = {"printed": "printed", "answer": "answer", "check": "check_value"}
"""Headings, as texts ``column_…``, of printed numbers, of a paper's answers, and of values that
were computed in another way."""

SECTIONS: Final = ("marks", "totals", "names", "pieces")


@dataclass(frozen=True, slots=True)
class Counted:
    """What counts of a column of inputs: a table on *Steps* with the only column ``counts``."""

    sheet: Sheet
    first: int
    rows: int
    group: int = 0

    def has(self, key: str) -> bool:
        """Whether it has a column."""
        return key == "counts"

    def letter(self, key: str) -> str:
        """The letter of its column."""
        return "C"

    def place(self, key: str) -> tuple[Sheet, str]:
        """Where formulas read its column."""
        return self.sheet, self.letter(key)


@dataclass(slots=True)
class Lines:
    """The columns of a table while they are read."""

    columns: list[ColumnLine] = field(default_factory=list)
    data: dict[str, list[Constant]] = field(default_factory=dict)
    inputs: dict[str, Input] = field(default_factory=dict)
    printed: dict[str, list[str | None]] = field(default_factory=dict)
    live: set[str] = field(default_factory=set)
    """keys of columns that wait for inputs"""

    @property
    def rows(self) -> int:
        """The number of rows that the constants fill."""
        return max(map(len, self.data.values()), default=0)

    def add(self, key: str, statement: Statement, *words: str) -> None:
        """Add a column without a formula."""
        self.columns.append(ColumnLine((key,), words, None, statement))

    def judged(self, key: str, numbers: str, heading: str, statement: Statement) -> None:
        """Add columns of printed numbers and of verdicts."""
        self.printed[key] = [None if text == "-" else text for text in words_of(numbers)]
        self.add(f"{key}_printed", statement, f"text:{HEADINGS[heading]}")
        self.add(f"{key}_verdict", statement, "text:verdict", "center", "fits:agrees,misprint")

    def hold(self, page: Page, name: str) -> None:
        """Let a table of a name find its constants."""
        cells = [
            {key: values[i] for key, values in self.data.items() if i < len(values)}
            for i in range(self.rows)
        ]
        page.book.data.setdefault(name, cells)


def table(page: Page, statement: Statement) -> None:
    """``table NAME rows:N``."""
    words = words_of(statement.rest)
    name = words.pop(0) if words and ":" not in words[0] else ""
    lines = _lines(page, statement)
    made = _table(page, name, lines, int(options_of(words).get("rows", lines.rows)))
    for child in statement.children:
        if child.keyword in SECTIONS:
            StatementReader(page.book, {}, {}).section(made, child)


def points(page: Page, statement: Statement) -> None:
    """``points NAME TITLE rows:N``."""
    name, title, *words = words_of(statement.rest)
    lines, curves, left = _lines(page, statement), page.back.curves, page.back.next_curve
    rows = int(options_of(words).get("rows", lines.rows))
    curves.put(3, left, page.book.say(title), "section", measure=False)
    lines.hold(page, name)
    Table(curves, name, lines.columns, rows, header=4, left=left, names=page.seen)
    page.back.next_curve += len(lines.columns) + 1


def facts(page: Page, statement: Statement) -> None:
    """``facts KEY printed`` with lines ``KEY 0.625 mamon.text = formula``."""
    key, heading = words_of(statement.rest)
    lines, say, facts = Lines(), page.book.say_or, [split(child) for child in statement.children]
    what = [say(f"fact_{one}", "") or page.book.say(one) for (one, *_), _, _ in facts]
    where = [page.source(place) for (_, _, place), _, _ in facts]
    lines.data |= {"what": [*what], "where": [*where]}
    lines.add("what", statement, "left", "paragraph", str(LABEL))
    lines.add(key, statement)
    lines.judged(key, " ".join(printed for (_, printed, _), _, _ in facts), heading, statement)
    lines.add("where", statement, "left")
    made = _table(page, "", lines, lines.rows)
    for i, (((_, printed, _), _, text), child) in enumerate(
        zip(facts, statement.children, strict=True)
    ):
        # three digits more than are printed: enough to see how it was rounded
        look = Look("computed", "0." + "0" * (3 + _decimals(printed)), "right")
        page.sheet.where = child.where
        page.put(made.cell(key, i), typed_formula(text, child), look, seen=Seen(made, i))
        page.sheet.height(made.first + i, wrapped_lines(what[i], LABEL))


def _lines(page: Page, statement: Statement) -> Lines:
    """The columns of a table, and the constants in them."""
    lines = Lines()
    for child in statement.children:
        if child.keyword in SECTIONS:
            continue
        (keys, *words), sign, text = split(child)
        # ``waits:`` and bounds belong to notebooks: a book's column would refuse such words
        also = [w[6:] for w in words if w.startswith("waits:")]
        words = [_heading(page, w) for w in words if not w.startswith("waits:")]
        if "input" in words:
            bounds = [w for w in words if ".." in w or w.startswith("step:")]
            words = [w for w in words if w not in bounds]
            shown = [w for w in words if w != "input"]
            lines.inputs[keys] = Input.read(keys, (*bounds, *shown))
            page.live.add(keys.capitalize())
        tree = None
        if sign == ":":
            inside = text[1:-1] if text.startswith("(") else text
            lines.data[keys] = list(page.constants(inside))
        elif sign == "=":
            tree = _waiting(page, keys.split(","), typed_formula(text, child), lines, also)
        lines.columns.append(ColumnLine(tuple(keys.split(",")), tuple(words), tree, child))
        for printed in child.children:
            lines.judged(keys, printed.rest, printed.keyword, printed)
    return lines


def _heading(page: Page, word: str) -> str:
    """A word of a column; ``head:curve_won`` is a heading by the key of its text."""
    return f'"{page.book.say(word[5:])}"' if word.startswith("head:") else word


def _waiting(
    page: Page, keys: Sequence[str], formula: Node, lines: Lines, also: Sequence[str]
) -> Node:
    """The formula of a column; it waits for the inputs that it reads in its row and elsewhere."""
    columns = {key for column in lines.columns for key in column.keys}

    def live(text: str) -> bool:
        if text.endswith("]"):
            return "[@" in text and text.partition("[")[0] in page.live
        key, _, row = text.partition(".")
        return key in lines.live and not row if key in columns else text in page.live

    if also or any(live(node.text) for node in read(formula)):
        lines.live.update(keys)
    return waiting(formula, live, also)


def _table(page: Page, name: str, lines: Lines, rows: int) -> Table:
    """Write a table with its checks and verdicts."""
    name = name or f"{page.key}{len(page.sheet.tables)}"
    for i in range(rows):
        for key, yellow in lines.inputs.items():
            lines.data[key][i] = page.typed(f"{key}.{i + 1}", yellow, lines.data[key][i])
    lines.hold(page, name)
    made = Table(page.sheet, name, lines.columns, rows)
    for at, (key, yellow) in enumerate(lines.inputs.items()):
        _count(page, made, key, yellow, COLUMNS - len(lines.inputs) + at + 1)
    for key, numbers in lines.printed.items():
        _judge(page, made, key, numbers)
    return made


def _count(page: Page, made: Table, key: str, yellow: Input, column: int) -> None:
    """Write what counts of a column of yellow cells, and messages in a column behind the table."""
    steps, label = page.back.steps, page.book.say(f"column_{key}")
    page.sheet.validations.append((made.column(key), yellow.validation, None))
    page.book.ranges[key.capitalize()] = Counted(steps, steps.row, made.rows)
    for i in range(made.rows):
        page.counted(f"{key}.{i + 1}", f"{label} {i + 1}", made.cell(key, i), yellow, column)


def _judge(page: Page, made: Table, key: str, numbers: Sequence[str | None]) -> None:
    """Write printed numbers, and for each whether the computed one rounds to it."""
    printed, verdict, sheet = f"{key}_printed", f"{key}_verdict", page.sheet
    for i, text in enumerate(numbers):
        decimals = _decimals(text or "")
        shown = f"0.{'0' * decimals}".rstrip(".")
        cell, beside = made.cell(printed, i), made.cell(verdict, i)
        if text is None:
            sheet.put(cell.row, cell.column, None, "quiet", shown, "right")
            continue
        sheet.put(cell.row, cell.column, float(text), "quiet", shown, "right")
        tree = Call("agrees", (Name(key), Name(printed), tree_of(0.5 * 10**-decimals)))
        sheet.fill(beside, tree, Look(align="center"), Seen(made, i))
    made.mark(verdict, "attention", f"{verdict} = t.misprint")


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


NAME, SENTENCE = 30.0, 67.0
"""Widths of the sheet *Contents*."""

STATEMENTS: Final[Mapping[str, Callable[[Page, Statement], None]]] = {
    "text": text,
    "note": text,
    "formula": formula,
    "section": section,
    "blank": blank,
    "headings": headings,
    "printed_in": printed_in,
    "asked_in": printed_in,
    "texts": texts,
    "input": yellow_cell,
    "step": step,
    "remark": remark,
    "table": table,
    "points": points,
    "facts": facts,
    "chart": lambda page, statement: chart(page.sheet, statement, page.cells, last=page.columns),
}
"""Any other statement is a line."""


def write(book: Declared, texts: Mapping[str, str]) -> Mapping[str, Input]:
    """Declare the pages of some texts; gives every yellow cell, by the key of what is typed into
    it: ``PAGE.INPUT``, or in a table ``PAGE.INPUT.ROW``.

    Raises BookError: what is wrong @ where.
    """
    declared = [one for where, text in texts.items() for one in statements(text, where)]
    book.pieces.update(map(piece_of, statements(PIECES, "notebook")))
    for statement in declared:
        if statement.keyword == "pieces":
            book.pieces.update(map(piece_of, statement.children))
        elif statement.keyword != "page":
            raise statement.error(f"a notebook has pages, not {statement.keyword!r}")
    pages = [one for one in declared if one.keyword == "page"]
    _contents(book, [words_of(page.rest)[0] for page in pages])
    back = _back(book)
    for page in pages:
        _page(book, back, page)
    return back.inputs


def _contents(book: Declared, keys: Sequence[str]) -> None:
    """The sheet of all pages, each with the sentence that it begins with; makes their sheets."""
    sheet, here = book.sheet("contents"), Statement("", "contents")
    sheet.heading()
    pages = [book.sheet(key) for key in keys]
    sentences = [book.say(f"about_{key}").split(". ")[0].rstrip(".") + "." for key in keys]
    book.data["Contents"] = [
        {"sheet": page.title, "about": sentence}
        for page, sentence in zip(pages, sentences, strict=True)
    ]
    columns = [
        ColumnLine(("sheet",), ("left", "strong"), None, here),
        ColumnLine(("about",), ("left", "paragraph"), None, here),
    ]
    table = Table(sheet, "Contents", columns, len(keys))
    table.fitted = False
    for i, (page, sentence) in enumerate(zip(pages, sentences, strict=True)):
        sheet.height(table.first + i, wrapped_lines(sentence, SENTENCE))
        sheet.link(table.cell("sheet", i), page.cells(1, 1))
    sheet.set_up.exact = {1: NAME + PADDING, 2: SENTENCE}
    sheet.set_up.upright, sheet.set_up.down, sheet.set_up.tab = True, 1, "help"


def _back(book: Declared) -> Back:
    """The sheets behind all pages."""
    back = Back(book.sheet("steps"), book.sheet("curves"))
    for sheet, titles in ((back.steps, 3), (back.curves, 4)):
        sheet.line(book.say(f"about_{sheet.key}"))
        sheet.set_up.titles, sheet.set_up.hidden = titles, True
    for column, key in enumerate(("sheet", "input", "counts"), start=1):
        align = "right" if key == "counts" else "left"
        back.steps.put(3, column, book.say(f"column_{key}"), "heading", align=align)
    back.steps.row = 4
    return back


def _page(book: Declared, back: Back, statement: Statement) -> None:
    """``page KEY wide``."""
    key, *words = words_of(statement.rest)
    upright = "wide" not in words
    paper, room = (UPRIGHT, HIGH) if upright else (ACROSS, LOW)
    page = Page(book, key, back, _columns(statement), paper)
    set_up = page.sheet.set_up
    # every page of paper has the title
    set_up.upright, set_up.titles, set_up.heading_lines = upright, 1, 3
    set_up.read(options_of([word for word in words if word != "wide"]), statement)
    page.sheet.heading()
    page.paragraph(book.say(f"about_{key}"))
    _read(page, statement.children)
    page.sheet.edits.append(lambda ws: _cut(page, ws, paper, room))


def _columns(statement: Statement) -> int:
    """The columns of the widest table of a page."""
    most = COLUMNS
    for table in statement.children:
        if table.keyword == "table":
            lines = [line for line in table.children if line.keyword not in SECTIONS]
            keys = sum(line.keyword.count(",") + 1 for line in lines)
            most = max(most, keys + 2 * sum(len(line.children) for line in lines))
    return most


def _cut(page: Page, worksheet: Worksheet, paper: float, room: float) -> None:
    """Print a page on as many pages of paper as it needs, each beginning with a section.

    Excel takes no notice of breaks where a sheet fits a page across, but begins a page with every
    area that is printed.
    """
    across, there = sum(widths(worksheet, page.columns)), worksheet.row_dimensions
    whole, room = (room * max(across / paper, shrunk) for shrunk in (SHRUNK, A_LITTLE))
    bottom = page.sheet.row - 1

    def high(first: int, last: int) -> float:
        return sum(there[row].height or LINE_HEIGHT for row in range(first, last + 1))

    def pieces(room: float) -> list[int]:
        begins, title = [1], high(1, 1)
        while high(begins[-1], bottom) > (room - title if begins[1:] else whole):
            left = [row for row in page.cuts if row > begins[-1]]
            if not left:
                break
            fit = [row for row in left if high(begins[-1], row - 1) <= room - title]
            begins.append(max(fit, default=left[0]))
        return begins

    begins = pieces(room)
    # no piece is much longer than the others
    while len(shorter := pieces(room := room - LINE_HEIGHT)) == len(begins) > 1:
        begins = shorter
    ends = [row - 1 for row in begins[1:]] + [bottom]
    last = column_letters(page.columns)
    worksheet.print_area = ",".join(
        f"A{first}:{last}{end}" for first, end in zip(begins, ends, strict=True)
    )
    worksheet.page_setup.fitToHeight = len(begins)


def _read(page: Page, declared: Sequence[Statement]) -> None:
    """Write what statements say."""
    for statement in declared:
        page.sheet.where = statement.where
        with located(statement.where):
            if statement.keyword == "problem":
                _read(page, _problem(statement))
            else:
                STATEMENTS.get(statement.keyword, line)(page, statement)


def _problem(statement: Statement) -> list[Statement]:
    """What ``problem 4 matches`` stands for."""
    number, subject = words_of(statement.rest)
    before = f"section heading_problem number={number}", f"text problem_{number}"
    after = f"note see_sheet sheet=t.sheet_{subject}"
    return [
        *(Statement(text, statement.where) for text in (*before, f"text answer_{number}")),
        *statement.children,
        Statement(after, statement.where),
    ]
