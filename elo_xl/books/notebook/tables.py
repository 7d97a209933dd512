"""Statements of tables: columns of constants and formulas, and printed numbers beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from elo_xl.books.column_words import Look
from elo_xl.books.language import StatementReader
from elo_xl.books.model import Constant, Seen, Sheet, Table
from elo_xl.books.notebook.lines import split
from elo_xl.books.notebook.page import COLUMNS, Input, Page, read, waiting
from elo_xl.books.statements import ColumnLine, Statement, options_of, typed_formula, words_of
from elo_xl.xlsx.folding import tree_of
from elo_xl.xlsx.formula import Call, Name, Node

NARROW: Final = 9
"""The least width of a column of printed numbers."""

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
        self.add(f"{key}_printed", statement, f"text:{HEADINGS[heading]}", str(NARROW))
        self.add(f"{key}_verdict", statement, "text:verdict", "center")

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
    lines.add("what", statement, "left")
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
    own = {key for column in lines.columns for key in column.keys}

    def live(text: str) -> bool:
        if text.endswith("]"):
            return "[@" in text and text.partition("[")[0] in page.live
        key, _, row = text.partition(".")
        return key in lines.live and not row if key in own else text in page.live

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
