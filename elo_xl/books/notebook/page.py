"""A page while it is written: its names, the sheets behind it, and how formulas wait for inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from openpyxl.styles import Border

from elo_xl.books.column_words import Look, Validation
from elo_xl.books.model import ANYWHERE, COMPUTED, Cells, Constant, Declared, Seen, Sheet
from elo_xl.books.statements import BookError, Statement, words_of
from elo_xl.books.styles import LINE_HEIGHT, PADDING
from elo_xl.books.text import GENERAL, wrapped_lines
from elo_xl.books.typed import Reading, read_single
from elo_xl.functions.catalogue import PREFIX
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.folding import tree_of
from elo_xl.xlsx.formula import Binary, Call, Name, Node, Reference, Text, children, parse

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

LABEL, CELL, COLUMNS = 27.0, 5.0, 8
"""Least widths of the first column and of the others, and the least number of columns."""
LETTERS: Final = 0.96
"""The letters of running text in a line, against the width of its cells in digits."""

PIECES: Final = """
counted(typed, least, most, step) = IF(ISNUMBER(typed), IF(AND(typed >= least, typed <= most,
    IF(step > 0, INT(typed / step) = typed / step, TRUE)), typed, ""), "")
refusal(typed, counts, message) = IF(typed = "", "", IF(counts = "", message, ""))
agrees(live, printed, tolerance) = IF(ABS(live - printed) <= tolerance + 1E-12,
                                      t.agrees, t.misprint)
"""


@dataclass(frozen=True, slots=True)
class Input:
    """A yellow cell: its texts are ``column_KEY``, ``prompt_KEY`` and ``error_KEY``."""

    key: str
    least: float
    most: float
    number_format: str = GENERAL
    step: float = 0
    """the number of which it must be a multiple, or 0"""

    @classmethod
    def read(cls, key: str, words: Sequence[str]) -> Input:
        """Read words such as ``0..20 0.0 step:0.5``.

        Raises BookError if there are no bounds.
        """
        shown, step, bounds = GENERAL, 0.0, ""
        for word in words:
            if word.startswith("step:"):
                step = float(word[5:])
            elif ".." in word:
                bounds = word
            else:
                shown = word
        if not bounds:
            raise BookError(f"{key} has no bounds such as 0..100")
        low, _, high = bounds.partition("..")
        return cls(key, float(low), float(high), shown, step)

    @property
    def validation(self) -> Validation:
        """The data validation of the cell."""
        return Validation("decimal", self.key, tree_of(self.least), tree_of(self.most))


@dataclass(slots=True)
class Back:
    """The sheets behind all pages, and the yellow cells of the book."""

    steps: Sheet
    curves: Sheet
    next_curve: int = 1
    inputs: dict[str, Input] = field(default_factory=dict)
    """every yellow cell by its key in the book's content: ``PAGE.INPUT``, or in a table
    ``PAGE.INPUT.ROW``"""

    def step(
        self, page: Sheet, label: str, value: Node, look: Look = COMPUTED, seen: Seen = ANYWHERE
    ) -> Cells:
        """Write a line of *Steps*; gives the cell of its value."""
        steps, row = self.steps, self.steps.row
        steps.where = page.where
        steps.put(row, 1, page.title, align="left")
        steps.put(row, 2, label, align="left")
        steps.row += 1
        return steps.fill(steps.cells(row, 3), value, look, seen)

    def counted(self, page: Sheet, label: str, read: Cells, yellow: Input) -> Cells:
        """Write a line of *Steps*: the number read of a yellow cell, blank if it does not count."""
        bounds = map(tree_of, (yellow.least, yellow.most, yellow.step))
        return self.step(page, label, Call("counted", (Reference(read.reference), *bounds)))


def widths(worksheet: Worksheet, last: int) -> list[float]:
    """The widths of the columns up to the last one."""
    there = worksheet.column_dimensions
    return [there[column_letters(column)].width for column in range(1, last + 1)]


class Page:
    """One sheet of a notebook."""

    def __init__(self, book: Declared, key: str, back: Back, columns: int, paper: float) -> None:
        self.book, self.key, self.back = book, key, back
        self.columns = columns
        """how many columns paragraphs span: those of the widest table"""
        self.cuts: list[int] = []
        """the rows with which a page of paper may begin"""
        self.sheet = book.sheet(key)
        self.cells: dict[str, Cells] = {}
        """by their names"""
        self.seen: dict[str, Reference] = {}
        """the references that other sheets use for the names"""
        self.live: set[str] = set()
        """the names that wait for inputs, and the tables of what counts of them"""
        # text and tables fill the paper, and letters need not shrink
        cell = max(CELL, (paper - LABEL - PADDING) / (columns - 1) - PADDING)
        self.sheet.widths = {c: LABEL if c == 1 else cell for c in range(1, columns + 1)}

    # -- texts ------------------------------------------------------------------------------

    def said(self, statement: Statement) -> str:
        """The text of a statement such as ``text KEY number=5 sheet=t.sheet_results``."""
        key, *places = words_of(statement.rest)
        given = (place.partition("=") for place in places)
        return self.book.say(key, **{name: self.constant(value) for name, _, value in given})

    def label(self, *keys: str) -> None:
        """Write the first of some texts that exists into the first column."""
        texts = (self.book.say_or(key, "") for key in keys)
        words = next(filter(None, texts), None) or self.book.say(keys[-1])
        sheet = self.sheet
        sheet.put(sheet.row, 1, words, "wrapped", align="left", measure=False)
        if (lines := wrapped_lines(words, LABEL)) > 1:
            sheet.height(sheet.row, lines)

    def across(
        self, words: str | None, role: str, first: int = 1, align: str | None = None
    ) -> None:
        """Write a text into the first of the cells up to the last column."""
        for column in range(first, self.columns + 1):
            shown = words if column == first else None
            self.sheet.put(self.sheet.row, column, shown, role, align=align, measure=False)

    def paragraph(self, words: str, role: str = "paragraph", first: int = 1) -> None:
        """Write a text over several columns, with the height that it needs."""
        sheet, row, last = self.sheet, self.sheet.row, self.columns
        self.across(words, role, first, "left")
        sheet.merge(sheet.cells(row, first, 1, last - first + 1))

        def fit(worksheet: Worksheet) -> None:
            across = sum(widths(worksheet, last)[first - 1 :])
            there = worksheet.row_dimensions[row]
            lines = wrapped_lines(words, LETTERS * across)
            there.height = max(LINE_HEIGHT * lines + 3 * (lines > 1), there.height or 0)

        sheet.edits.append(fit)
        sheet.row += 1

    def source(self, text: str) -> str:
        """The name of a source: ``mamon.equation.5``, ``both.tables.1.2`` or ``fide_table``."""
        say, sources = self.book.say, []
        for source in text.split(";"):
            paper, dot, where = source.partition(".")
            place, *numbers = (where if dot else paper).split(".")
            keys = ("number",) if len(numbers) == 1 else ("first", "second")
            words = say(f"place_{place}", **dict(zip(keys, numbers, strict=False)))
            sources.append(f"{say(f'paper_{paper}')}, {words}" if dot else words)
        return "; ".join(sources)

    def constant(self, word: str) -> Constant:
        """The constant that a word stands for: a number, a text, a source, or ``-`` for a blank.

        Raises BookError for any other word.
        """
        if word == "-":
            return None
        if word.startswith("t."):
            return self.book.say(word[2:])
        if word.startswith("@"):
            return self.source(word[1:])
        if word.startswith('"'):
            return word.strip('"')
        upper, _, lower = word.partition("/")
        try:
            return _whole(float(upper) / float(lower or 1))
        except ValueError:
            raise BookError(f"neither a number nor a text: {word!r}") from None

    def constants(self, text: str) -> Iterator[Constant]:
        """The constants in a text; ``0..300/50`` are those from 0 to 300 in steps of 50."""
        for word in words_of(text):
            if ".." not in word or word.startswith(('"', "@")):
                yield self.constant(word)
                continue
            ends, _, step = word.partition("/")
            low, high = map(float, ends.split(".."))
            size = float(step or 1)
            for i in range(round((high - low) / size) + 1):
                yield _whole(round(low + i * size, 9))

    # -- cells ------------------------------------------------------------------------------

    def name(self, name: str, cells: Cells, *, live: bool) -> None:
        """Let formulas read a cell by a name.

        Raises BookError if the page already has something of that name.
        """
        if name in self.cells:
            raise BookError(f"the page already has something named {name!r}")
        self.cells[name], self.seen[name] = cells, Reference(cells.reference)
        self.book.names[f"{self.key}.{name}"] = self.seen[name]
        here = cells.sheet is self.sheet
        self.sheet.names[name] = Reference(cells.address) if here else self.seen[name]
        if live:
            self.live.add(name)

    def is_live(self, formula: Node) -> bool:
        """Whether a formula reads an input, or a cell that waits for one."""
        return any(node.text in self.live for node in read(formula))

    def put(
        self,
        at: Cells,
        formula: Node,
        look: Look,
        also: Sequence[str] = (),
        *,
        wide: int = 1,
        seen: Seen = ANYWHERE,
    ) -> None:
        """Write a formula into a cell, or a worksheet function of ours into ``wide`` cells."""
        several = ours(formula)
        self.sheet.fill(
            self.sheet.cells(at.row, at.column, 1, wide if several else 1),
            waiting(formula, self.live.__contains__, also),
            Look(look.role, look.number_format, look.align),
            seen,
            several=several,
        )

    # -- yellow cells -----------------------------------------------------------------------

    def typed(self, key: str, yellow: Input, usual: Constant) -> Constant:
        """The content of a yellow cell: what is typed, or by default ``usual``."""
        key = f"{self.key}.{key}"
        self.back.inputs[key] = yellow
        typed: Constant = self.book.content.get(key, usual)
        return typed

    def counted(self, key: str, label: str, cell: Cells, yellow: Input, column: int) -> Cells:
        """Write what counts of a yellow cell on *Steps*, and beside the cell a message if wrong.

        ``key`` is that of :meth:`typed`.
        """
        reading = Reading("decimal", tree_of(yellow.least), tree_of(yellow.most))
        read = read_single(f"{self.key}.{key}", cell, reading, f"{self.sheet.title}: {label}")
        counts = self.back.counted(cell.sheet, label, read, yellow)
        number, say = self.book.number, self.book.say
        low, high, step = (number(f"{n:.15g}") for n in (yellow.least, yellow.most, yellow.step))
        message = say("check_input", least=low, most=high)
        if yellow.step:
            message = say("check_step", least=low, most=high, step=step)
        refusal = Call(
            "refusal", (*map(Reference, (read.reference, counts.reference)), Text(message))
        )
        shown = self.sheet.put(cell.row, column, refusal, "attention", align="left", measure=False)
        # the message is nearly always blank, and then nothing of its cell should be visible
        self.sheet.edits.append(lambda ws: setattr(ws[shown.area], "border", Border()))
        self.sheet.mark(cell, f'{shown.address} <> ""')
        return counts


def _whole(value: float) -> float:
    return int(value) if value.is_integer() else value


def ours(tree: Node) -> bool:
    """Whether a formula is a call of one of our worksheet functions."""
    return isinstance(tree, Call) and tree.name.startswith(PREFIX)


def read(tree: Node) -> Iterator[Name | Reference]:
    """The names in a formula, except those that it reads as ``N(name)``."""
    if isinstance(tree, Name | Reference):
        yield tree
    elif not (isinstance(tree, Call) and tree.name == "N"):
        for child in children(tree):
            yield from read(child)


def waiting(tree: Node, live: Callable[[str], bool], also: Sequence[str] = ()) -> Node:
    """A formula that is blank until the live cells that it reads hold numbers.

    >>> from elo_xl.xlsx.formula import to_text
    >>> to_text(waiting(parse("win + N(draw) / 2"), {"win", "draw"}.__contains__))
    'IF(COUNT(win)<1,"",win+N(draw)/2)'
    """
    if isinstance(tree, Call) and tree.name == "by_row":
        return Call("by_row", tuple(a and waiting(a, live, also) for a in tree.arguments))
    cells = dict.fromkeys(map(parse, also))
    if not isinstance(tree, Name | Reference) and not ours(tree):
        cells |= dict.fromkeys(node for node in read(tree) if live(node.text))
    if not cells:
        return tree
    missing = Binary("<", Call("COUNT", tuple(cells)), tree_of(len(cells)))
    return Call("IF", (missing, Text(""), tree))
