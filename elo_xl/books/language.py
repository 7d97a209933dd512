"""From statements to the sheets and tables of a book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from inspect import signature
from itertools import count
from typing import TYPE_CHECKING, Final, NoReturn

from elo_xl.books.column_words import ColumnLook, Validation, height_of
from elo_xl.books.listed import compare, listed
from elo_xl.books.model import Constant, Declared, Formula, Seen, Sheet, Table
from elo_xl.books.names import Meaning
from elo_xl.books.statements import (
    ColumnLine,
    Statement,
    columns_of,
    located,
    options_of,
    piece_of,
    repeated,
    statements,
    typed_formula,
    words_of,
)
from elo_xl.books.typed import Reading, read_single, read_table
from elo_xl.engine.errors import choose
from elo_xl.xlsx.evaluate import Workbook
from elo_xl.xlsx.fill import ROWS
from elo_xl.xlsx.formula import (
    FALSE,
    Binary,
    Call,
    Name,
    Node,
    Number,
    Reference,
    Text,
    parse,
    walk,
)

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

BLOCKS: Final = "elo_xl.templates.blocks.named"
"""The module with the ``BLOCKS`` that a text uses by their names: nothing here may know of it."""


@dataclass(frozen=True, slots=True)
class StatementReader:
    """Declares in a book what statements say.

    ``names`` give names in formulas and sizes a meaning; ``loops`` list the values that ``{r}`` in
    the key of a line goes through.
    """

    book: Declared
    loops: Mapping[str, Sequence[int | str]]
    names: Mapping[str, Meaning]
    lines: Iterator[int] = field(default_factory=count)
    """the number of each line that is read, with the repeated ones"""

    def declare(self, declared: Sequence[Statement]) -> None:
        """Declare sheets, pages, pieces, names, blocks and commands.

        Raises BookError for any other statement, and for whatever is wrong inside them.
        """
        for statement in self.kept(declared, {}):
            with located(statement.where):
                match statement.keyword:
                    case "pieces":
                        self.book.pieces.update(map(piece_of, statement.children))
                    case "sheet":
                        self.sheet(statement)
                    case "page":
                        from elo_xl.books.pages import page

                        page(self, statement)
                    case "sheets":
                        for key in words_of(statement.rest):
                            self.book.sheet(key)
                    case "names":
                        self.book.names.update(map(_name, self.kept(statement.children, {})))
                    case "commands":
                        self.book.commands.read(statement)
                    case keyword:
                        raise statement.error(
                            f"a book has sheets, pages, pieces and commands, not {keyword!r}"
                        )

    def _used(self, statement: Statement) -> list[Statement]:
        """Let a block, ``use NAME word key:value``, add to the book; the lines that it gives.

        Lines below it are more columns for the table of the block.
        """
        name, *words = words_of(statement.rest) or self._nothing(statement)
        said: dict[str, object] = {
            key: self.book.say(value[2:])
            if value.startswith("t.")
            else {"": True, "no": False}.get(value, value)
            for key, value in options_of(words).items()
        }
        if statement.children:
            said["more"] = [child.text for child in statement.children]
        blocks = import_module(BLOCKS).BLOCKS
        block = blocks[choose(name, blocks, "block")]
        unknown = set(said) - set(signature(block).parameters)
        if unknown:
            raise statement.error(f"the block {name} has no {', '.join(sorted(unknown))}")
        return statements(block(self.book, **said) or "", name)

    def kept(
        self, declared: Sequence[Statement], meanings: Mapping[str, Meaning]
    ) -> Iterator[Statement]:
        """The statements without a condition ``?name``, those whose name is true, those that a
        block gives, and those below ``each LOOP``, once for each of its values."""
        places = (self.names, meanings, self.book.names)
        for statement in declared:
            self._count(statement)
            if statement.keyword == "use" and " = " not in statement.text:
                with located(statement.where):
                    given = self._used(statement)
                yield from self.kept(given, meanings)
                continue
            if statement.keyword == "each" and statement.children:
                yield from self.kept(list(repeated(statement, self.loops)), meanings)
                continue
            if not statement.text.startswith("?"):
                yield statement
                continue
            name = statement.keyword[1:]
            meaning = next((place[name] for place in places if name in place), None)
            if meaning is None:
                raise statement.error(f"nothing is named {name!r}")
            if meaning not in (FALSE, 0, Text("")):
                yield Statement(statement.rest, statement.where, statement.children)

    def columns(self, statement: Statement) -> Iterator[ColumnLine]:
        """The columns of a line, see :func:`~elo_xl.books.statements.columns_of`."""
        for column in columns_of(statement, self.loops):
            self._count(statement)
            for key in column.keys:
                if not key.isidentifier():
                    raise statement.error(f"the key of a column is a name, not {key!r}")
            yield column

    def _count(self, statement: Statement) -> None:
        if next(self.lines) > (most := self.book.most_lines):
            raise statement.error(f"a book has at most {most:,} lines, with those that loops make")

    # -- sheets -----------------------------------------------------------------------------

    def sheet(self, statement: Statement) -> None:
        """Read ``sheet KEY words`` or ``sheet "Title" words``: add to a sheet, or make it."""
        key, *words = words_of(statement.rest) or self._nothing(statement)
        sheet = self.book.sheet(key.strip('"'), key.strip('"') if key[:1] == '"' else None)
        sheet.begun = statement.where
        sheet.set_up.read(options_of(words), statement)
        if sheet.row == 1:
            sheet.heading()
        begun = bool(sheet.tables) or sheet.set_up.wall
        for child in self.kept(statement.children, sheet.names):
            sheet.where = child.where
            with located(child.where):
                if child.keyword in ("note", "notes"):
                    self._note(sheet, child)
                    continue
                if not begun:
                    sheet.row += 1  # a blank row between the notes and the rest
                begun = True
                if sheet.set_up.wall and not sheet.tables and (sheet.row - 1, 1) in sheet.puts:
                    sheet.height(sheet.row - 1, 1.4)  # a note does not stick to the headings
                if child.keyword == "table":
                    self.table(sheet, child)
                elif child.keyword == "cells":
                    self._cells(sheet, child)
                elif child.text == "blank":
                    sheet.row += 1
                elif child.keyword == "chart":
                    from elo_xl.books.charts import chart

                    sheet.row += bool(sheet.tables or sheet.charts)
                    chart(sheet, child)
                elif sheet.tables:
                    self.section(sheet.tables[-1], child)
                else:
                    raise child.error(f"a sheet has no {child.keyword!r}")

    @staticmethod
    def _nothing(statement: Statement) -> NoReturn:
        raise statement.error(f"something is missing after {statement.keyword!r}")

    def _note(self, sheet: Sheet, statement: Statement) -> None:
        """Read ``note KEY place=name``, ``note NAME`` or ``note "text"``; ``notes`` takes a line a
        sentence, which "W.O." does not end."""
        key, *places = words_of(statement.rest) or self._nothing(statement)
        if key.startswith('"') or key in self.book.names:
            sheet.line(key[1:-1] if key.startswith('"') else Formula(key))
            return
        given = {}
        for place in places:
            name, _, value = place.partition("=")
            given[name] = self.names.get(value or name, value)
        text = self.book.say(key, **given)
        for line in re.split(r"(?<=[^.].\.) ", text) if statement.keyword == "notes" else [text]:
            sheet.line(line)

    def _cells(self, sheet: Sheet, statement: Statement) -> None:
        """Read ``cells left:COLUMN plain`` and its lines ``KEY words = formula``."""
        options = options_of(words_of(statement.rest))
        left = int(options.get("left", 1))
        for child in self.kept(statement.children, sheet.names):
            sheet.where = child.where
            for column in self.columns(child):
                column_look = ColumnLook.read(column, self.book)
                look = column_look.look
                if column_look.heading:
                    sheet.put(sheet.row, left, column_look.heading, "label", align="left")
                    if "plain" in options:
                        sheet.edits.append(partial(_unlined, at=(sheet.row, left)))
                if column_look.high:
                    sheet.height(sheet.row, column_look.high)
                value: Constant | Node = column.formula
                if column.formula is None:
                    value = self.book.content.get(column_look.key)
                shown = replace(look, measure=look.measure and look.role != "input", bare=False)
                at = sheet.cells(sheet.row, left + 1)
                cell = sheet.fill(at, value, shown, Seen(names=self.names))
                read = cell
                if look.role == "input":
                    reading = Reading.of(look, column_look.validation, self.book)
                    label = f"{sheet.title}: {column_look.heading}"
                    read = read_single(column_look.key, cell, reading, label)
                sheet.name(column_look.key, read)
                if column_look.name:
                    self.book.define(column_look.name, read)
                if column_look.validation:
                    sheet.validations.append((cell, column_look.validation, None))
                sheet.row += 1

    # -- tables -----------------------------------------------------------------------------

    def table(self, sheet: Sheet, statement: Statement) -> None:
        """Read ``table NAME rows:SIZE group:SIZE beside:NAME left:COLUMNS gap:ROWS high:LINES
        heading:LINES``."""
        name, *words = words_of(statement.rest) or self._nothing(statement)
        statement, printed = listed(self.book, statement)
        options = options_of(words)
        unknown = set(options) - {"rows", "group", "beside", "gap", "left", "high", "heading"}
        if unknown:
            raise statement.error(f"a table has no {', '.join(sorted(unknown))}")

        def size(key: str, default: int) -> int:
            return self._size(sheet, options[key], statement) if key in options else default

        kept = self.kept(statement.children, sheet.names)
        read = (column for child in kept for column in self.columns(child))
        rows, group = size("rows", len(self.book.rows_of(name))), size("group", 0)
        columns, shown = _shown(list(read), group or rows)
        # counted before the table is made: the cells of a mistyped size would fill the memory
        others = sum(_cells_of(t.lines) * t.rows for t in self.book.tables.values())
        if others + _cells_of(columns) * rows > (most := self.book.most_cells):
            raise statement.error(f"tables have at most {most:,} cells, typed ones counted twice")
        header, left = sheet.row + size("gap", 2 if sheet.tables else 0), size("left", 1)
        if "beside" in options:
            other = self.book.tables.get(options["beside"])
            if other is None:
                raise statement.error(f"no table is named {options['beside']!r}")
            header, left = other.header, other.left + len(other.at) + size("left", 1)
        table = Table(
            sheet, name, columns, rows, header=header, left=left, group=group, names=self.names
        )
        table.shown = shown
        read_table(table)
        if "heading" in options:
            table.fitted = False
            sheet.height(table.header, height_of(options["heading"], statement))
        for row in range(table.first, table.last + 1) if "high" in options else ():
            sheet.height(row, height_of(options["high"], statement))
        compare(table, printed)
        if shown is not None:
            table.columns = {key: column.bare for key, column in table.columns.items()}

    def _size(self, sheet: Sheet, text: str, statement: Statement) -> int:
        scope = sheet.names_at(None, self.names)
        node = scope.resolve(typed_formula(text, statement))
        constant = not any(isinstance(part, Reference | Name) for part in walk(node))
        value = Workbook({"": {}}).evaluate(node, "", 1, 1) if constant else None
        if not isinstance(value, float) or value < 0:
            raise statement.error(f"a size is a constant number, got {text!r}")
        if value > ROWS:
            raise statement.error(f"a table has at most {ROWS:,} rows, got {text!r}")
        return int(value)

    def section(self, table: Table, statement: Statement) -> None:
        """Read marks, inputs, totals, names, a heat map or pieces of a table."""
        children = self.kept(statement.children, table.names)
        match statement.keyword:
            case "marks":
                for child in children:
                    # the mark keeps its line: only when the sheet is written may it prove wrong
                    table.sheet.where = child.where
                    with located(child.where):
                        self._mark(table, child)
            case "inputs":
                for child in children:
                    for column in self.columns(child):
                        self._input(table, column)
            case "totals":
                self._totals(table, [c for child in children for c in self.columns(child)])
            case "names":
                table.names.update(map(_name, children))
            case "ranges":
                for name, place in map(_name, children):
                    of, _, columns = place.rstrip("]").partition("[")
                    self.book.define(name, self.book.tables[of].span(columns))
            case "heat":
                from elo_xl.books.charts import Heat

                table.sheet.edits.append(Heat.read(table, statement))
            case "pieces":
                table.pieces.update(map(piece_of, children))
            case keyword:
                raise statement.error(f"a sheet has no {keyword!r}")

    def _mark(self, table: Table, statement: Statement) -> None:
        """Read ``first:last look test``."""
        words = statement.text.split(None, 2)
        if len(words) < 3:
            raise statement.error("a mark has columns, a look and a formula")
        place, look, test = words
        table.mark(place, look, typed_formula(test, statement))

    def _input(self, table: Table, column: ColumnLine) -> None:
        look = ColumnLook.read(column, self.book)
        rule = Validation("custom", look.text_key, first=column.formula, soft=look.soft)
        table.sheet.validations.append((table.span(column.keys[0]), rule, table))

    def _totals(self, table: Table, columns: Sequence[ColumnLine]) -> None:
        """Write a row of totals below the table; columns without a total have a blank cell."""
        totals = {table.letter(column.keys[0]): column for column in columns}
        table.bottom = table.last + 1
        table.sheet.row = max(table.sheet.row, table.bottom + 1)
        for key, column in table.columns.items():
            total = totals.get(table.letter(key))
            shown = column.look.number_format
            if total is not None and total.words:
                shown = ColumnLook.read(total, self.book).look.number_format
            table.sheet.fill(
                table.sheet.cells(table.bottom, table.at[key]),
                None if total is None else total.formula,
                replace(column.look, role="total", number_format=shown, bare=False),
                Seen(table),
            )


def _cells_of(columns: Sequence[ColumnLine]) -> int:
    """How many cells a row has, with those that read what is typed."""
    return sum(len(column.keys) * (1 + (column.formula is None)) for column in columns)


def _unlined(worksheet: Worksheet, at: tuple[int, int]) -> None:
    """Leave out the lines of a cell."""
    from openpyxl.styles import Border

    worksheet.cell(*at).border = Border()


def _name(statement: Statement) -> tuple[str, str]:
    """Name and formula of a line such as ``who = Each[@no]``."""
    name, _, meaning = statement.text.partition("=")
    return name.strip(), meaning.strip()


IN_USE: Final = "0", "quiet", "helper"
"""The words of the columns that a line ``shown`` stands for."""

_SPARE: Final = (
    "IF(in_use = 1, {spare} + 1, IF(row_of_group = 1, {spare}, MAX(shown.above - 1, 0)))"
)


SHOWN: Final = Binary(">", Name("shown"), Number("0"))


def _shown(columns: Sequence[ColumnLine], rows: int) -> tuple[list[ColumnLine], Binary | None]:
    """The columns of a table, and the test which of its rows are shown.

    The test on a line ``shown`` stands in the rules of the sheet itself if it compares a computed
    column with a constant; otherwise there is a column for it.
    """
    computed = {c.keys[0] for c in columns if c.formula is not None}
    for column in columns:
        if column.keys != ("shown",):
            continue
        match column.formula:
            case Binary(_, Name(key), Number() | Text()) as test if key in computed:
                if not column.words:
                    return [c for c in columns if c is not column], test
            case None:
                break
        return [each for one in columns for each in _in_use(one, rows)], SHOWN
    return list(columns), None


def _in_use(column: ColumnLine, rows: int) -> Iterator[ColumnLine]:
    """A column as it is, or for ``shown spare:10 = TEST`` the columns that it stands for.

    A row is shown where ``shown`` is more than 0: where the test holds, and with ``spare`` also
    above the last such row of its group, which has ``rows``, and in some rows below it.
    """
    if column.keys != ("shown",) or column.formula is None:
        yield column
        return
    spare = options_of(column.words).get("spare")
    below = parse("0" if spare is None else f"IF(row_of_group = {rows}, 0, in_use.next)")
    used = replace(column, words=IN_USE, formula=Call("IF", (column.formula, parse("1"), below)))
    if spare is None:
        yield used
        return
    yield replace(used, keys=("in_use",))
    yield replace(used, formula=parse(_SPARE.format(spare=int(spare))))
