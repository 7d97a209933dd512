"""What is typed, read in one place: nothing else in a book refers to a typed cell.

Cutting, dragging and sorting move cells, and a formula that refers to a cell follows it. So every
typed cell is read once, by its row in a whole column, on a hidden sheet of its own, *As read*:
``INDEX(Players!$C:$C,ROW())``. Where a table has rounds, only the cells of the round are looked at,
together with those of a computed column beside them: nobody moves the ends of both. What is read is
cleaned there, and everything else refers to it:

================== ============================================================================
kind               is read as
================== ============================================================================
``text``           the text without blanks around it, double or no-break ones
``choice``         one of several such texts
``whole decimal``  the number, also from a text with blanks, a decimal comma or a thousands
                   separator, if it lies within the column's bounds
``date``           the day, also from a text such as 2026-03-01 or 1.3.2026, within bounds
``when``           a day, anything else as a text: "12 to 14 June"
``result``         the sign in its one form: ``1``, ``½``, ``0``, ``+``, ``-``
``yes``            an x, from a yes in any language
================== ============================================================================

A blank cell is read as a blank text, and an entry that cannot be read as :data:`WRONG`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final, Literal

from elo_xl.books.column_words import Look, Validation
from elo_xl.books.marks import add_helper
from elo_xl.books.model import (
    Cells,
    Constant,
    CountedCells,
    Declared,
    Formula,
    Run,
    Seen,
    Sheet,
    Single,
    Table,
)
from elo_xl.books.names import INPUT
from elo_xl.books.statements import BookError, ColumnLine, pieces
from elo_xl.engine.results import ALIKE
from elo_xl.languages import YES
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.folding import value_of
from elo_xl.xlsx.formula import Binary, Call, Name, Node, Number, Reference, Text, parse, walk

WRONG: Final = "!"
"""How an entry is read that makes no sense; no sign that a search takes for a wildcard."""

SHEET: Final = "typed"
"""The key of the sheet."""

FIRST_ROW, NUMBERS, WORDS, FIRST_COLUMN = 4, 8, 9, 10
"""Where single cells, the lists of numbers and of words for yes, and the tables begin on it."""

MOST_NUMBERS: Final = 999
"""in the list; more may be written with a separator of thousands"""

UNREAD: Final = "unread"
"""The key of the column of a table that says which of its entries cannot be read: the first one is
worth 1, the second 2, the third 4 and so on. Where a column ``shown`` is 1 in the rows in use, it
says this, too: the entries are worth 2, 4 and so on there."""

ANSWER: Final = "sure"
"""The key of the column of a table into which an x is typed where a row asks whether it is right.
Its column ``fault`` is 1 for a fault and 2 for such a question; questions are counted apart."""

TypedKind = Literal["text", "choice", "whole", "decimal", "date", "when", "result", "yes"]

_WILD: Final = ("?*~", "¿×¬")
"""What a search would take for wildcards, and what is looked up in its place."""

BEGIN: Final = ":"
"""What stands before each text in the list of notations, so that a blank one is found, too."""


def looked_up(text: str) -> str:
    """The form in which a sheet looks a result up, from that of all hosts.

    >>> looked_up("1-0"), looked_up("*")
    ('1-0', '×')
    """
    return text.translate(str.maketrans(*_WILD))


def _normal_formula() -> str:
    formula = "LOWER(CLEAN(raw))"
    for new, characters in ALIKE.items():
        for old in characters:
            formula = f'SUBSTITUTE({formula}, "{old}", "{new}")'
    for old, new in zip(*_WILD, strict=True):
        formula = f'SUBSTITUTE({formula}, "{old}", "{new}")'
    return formula


PIECES: Final = pieces(
    f"""
# how a cell is read, from what stands in it
text_read(raw) = IFERROR(TRIM(CLEAN(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(raw,
    "\u00a0", " "), "\u202f", " "), CHAR(10), " "), CHAR(9), " "))), WRONG)
tight(raw) = CLEAN(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(raw, " ", ""), "\u00a0", ""), "\u202f", ""))
# nobody types a rating as 1E3 or 5 %
pointed(raw) = SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(LOWER(tight(raw)),
    ",", "."), "'", "."), "’", "."), "e", "x"), "%", "x")
# a number, or a text with points, and which number it is
decimal_read(raw) = IFERROR(IF(ISNUMBER(raw), raw, pointed(raw)), WRONG)
# a whole number: first as a text with points, in which a number is told from a text with one
whole_read(raw) = IFERROR(pointed(IF(ISNUMBER(raw), raw & ".0", raw)), WRONG)
# Google Sheets has no NUMBERVALUE, and VALUE knows one decimal sign: digits and an exponent are a
# number in every language, and never a date
only_digits(text) = SUBSTITUTE(SUBSTITUTE(text, ".", "", 1), ".", "x")
after_point(text) = MAX(0, LEN(text) - FIND(".", text & "."))
typed_number(read) = IF(ISNUMBER(read), read, VALUE(only_digits(read) & "E-" & after_point(read)))
# a point before the last three of at least four digits is that of thousands; no other may follow
grouped(text) = VALUE(only_digits(text) & "E-"
    & after_point(text) * (FIND(".", text & ".", 2) <> LEN(text) - 3))
# the number of somebody in a list; nobody writes it with thousands
number_read(raw, numbers) = IFERROR(MATCH(VALUE(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(SUBSTITUTE(
    SUBSTITUTE(tight(raw), ",", ".") & "E0", ".00E", "E"), ".0E", "E"), ".E", "E"), ".", "x")),
    numbers, 0), IFERROR(IF(tight(raw) = "", "", WRONG), WRONG))
date_read(raw) = IFERROR(IF(ISNUMBER(raw), INT(raw), dated(tight(raw))), WRONG)
# a year has four digits and stands first, before dashes or strokes, or last, behind points
dated(text) = cases(text = "", "", LEN(text) > 10, WRONG,
    AND(MID(text, 5, 1) = "-", part(text, "-", 4) = ""),
        day_read(LEFT(text, 4), part(text, "-", 2), part(text, "-", 3)),
    AND(MID(text, 5, 1) = "/", part(text, "/", 4) = ""),
        day_read(LEFT(text, 4), part(text, "/", 2), part(text, "/", 3)),
    AND(MID(text, LEN(text) - 4, 1) = ".", part(text, ".", 4) = "",
        ISERROR(FIND(".", RIGHT(text, 4)))),
        day_read(RIGHT(text, 4), part(text, ".", 2), part(text, ".", 1)),
    WRONG)
part(text, sign, number) = MID(SUBSTITUTE(text, sign, "          "), 11 * number - 10, 11)
# 31 February is no day: a spreadsheet takes it for one of March
day_read(year, month, day) = IF(AND(VALUE(month) > 0, VALUE(month) <= 12, VALUE(day) > 0,
    DAY(DATE(VALUE(year), VALUE(month), VALUE(day))) = VALUE(day)),
    DATE(VALUE(year), VALUE(month), VALUE(day)), WRONG)
# the list has a blank text twice, and each word for yes once
yes_read(raw, words) = CHOOSE(1 + SUMPRODUCT(--("{BEGIN}" & text_read(raw) = words)),
    WRONG, YES, "")
when_read(raw) = IF(ISNUMBER(raw), raw, text_read(raw))
# a result in the form in which it is looked up
normal_form(raw) = IFERROR({_normal_formula()}, WRONG)
result_read(raw) = IFERROR(INDEX(Spelling_signs, MATCH("{BEGIN}" & {_normal_formula()}, Spellings,
    0)) & "", WRONG)

# what counts of it
counted_within(value, least, most) = IF(ISNUMBER(value),
    IF(AND(value >= least, value <= most), value, WRONG), value)
# lists write 0 or a dash for somebody who has no rating
none_said(text, least) = AND(least >= 100, OR(text = "0", text = "0.0", text = "-", text = "–"))
# a number divided by FALSE is an error
counted_whole(text, least, most) = IF(OR(text = "", none_said(text, least)), "",
    IFERROR(grouped(text)
    / (MEDIAN(least, INT(grouped(text)), most) = grouped(text)), WRONG))
counted_decimal(read, least, most) = IF(OR(read = "", none_said(read & "", least)), "",
    IFERROR(typed_number(read)
    / (MEDIAN(least, typed_number(read), most) = typed_number(read)), WRONG))
counted_any(read) = IF(read = "", "", IFERROR(typed_number(read), WRONG))

# how many of some cells are not blank
filled(cells) = SUMPRODUCT(--(cells <> ""))
""",
    "typed",
)


@dataclass(frozen=True, slots=True)
class Reading:
    """How typed cells are read: their kind, for numbers and dates the bounds, else the choices."""

    kind: TypedKind = "text"
    least: Node | None = None
    most: Node | None = None
    choices: Sequence[str] = ()
    listed: Node | None = None
    """the cells with all words for yes, or with all numbers where they are few and begin with 1"""
    instead: Node | None = None
    """what counts of a number within bounds while the cell is blank"""

    @classmethod
    def of(cls, look: Look, allowed: Validation | None, book: Declared) -> Reading:
        """The reading of cells with a look and a validation."""
        dated = look.number_format == book.date_format
        match allowed:
            case Validation("result" | "yes" as kind):
                return cls(kind)
            case Validation("whole" | "decimal" | "date" as kind, _, least, most):
                return cls("date" if dated else kind, least, most)
        if dated:
            return cls("date")
        return cls("decimal" if "0" in look.number_format else "text")

    @property
    def steps(self) -> int:
        """The number of cells that the reading takes: two with bounds, decimals or a choice."""
        bounded = self.least is not None and self.listed is None
        return 2 if bounded or self.kind in ("choice", "decimal") else 1

    def first(self, raw: Node) -> Node:
        """The formula of its first cell, from the reference to what is typed."""
        if self.listed is not None:
            return Call("yes_read" if self.kind == "yes" else "number_read", (raw, self.listed))
        return Call("text_read" if self.kind == "choice" else f"{self.kind}_read", (raw,))

    def second(self, value: Node) -> Node:
        """The formula of its second cell, from the first."""
        if self.kind == "choice":
            fits = (Binary("=", value, Text(choice)) for choice in ("", *self.choices))
            return Call("IF", (Call("OR", tuple(fits)), value, Text(WRONG)))
        if self.least is None or self.most is None:
            return Call("counted_any", (value,))
        name = "counted_within" if self.kind == "date" else f"counted_{self.kind}"
        counts = Call(name, (value, self.least, self.most))
        if self.instead is None:
            return counts
        return Call("IF", (Binary("=", value, Text("")), self.instead, counts))


# -- declared -------------------------------------------------------------------------------------


def read_single(name: str, cells: Cells, reading: Reading, label: str) -> Cells:
    """Read a single typed cell, whose name in the content is ``name``.

    Gives the cell that formulas refer to; ``label`` is what stands beside it.
    """
    book = cells.sheet.book
    book.singles[name] = Single(cells, reading.choices, reading.kind, reading.least, reading.most)
    sheet = _sheet(book)
    row = FIRST_ROW + sum(place.table is None for place in book.places)
    run = Run(cells, {}, "raw")
    book.runs.append(run)
    sheet.put(row, 1, label, align="left")
    seen = Seen(names=run.names)
    value = sheet.fill(sheet.cells(row, 2), reading.first(Name("raw")), seen=seen)
    if reading.steps > 1:
        value = sheet.fill(sheet.cells(row, 3), reading.second(Reference(value.address)), seen=seen)
    book.places.append(CountedCells(cells, value))
    cells.sheet.mark(cells, _is_wrong(Reference(value.reference)))
    return value


def read_table(table: Table) -> None:
    """Read the typed columns of a table; from then on their names stand for what was read."""
    keys = [
        key
        for line in table.lines
        for key in line.keys
        if line.formula is None and table.columns[key].look.role == "input"
    ]
    if keys:
        read = _read(table, keys, f"{table.name} read", table.rows)
        where, first = ("shown", 2) if _with_shown(table) else (UNREAD, 1)
        for i, key in enumerate(keys):
            table.reads[key] = read.column(key)
            table.mark(key, "attention", parse(f"MOD(INT({where}/{first * 2**i}),2)=1"))


def at_fault(table: Table, questions: float) -> None:
    """Let the entries in a row of a table need attention where its sign is below 0; up to
    ``questions`` the row asks something."""
    places = table.sheet.book.places
    at = next(i for i, place in enumerate(places) if place.table is table)
    places[at] = replace(places[at], faults=table.column("sign"), questions=questions)


def read_top(table: Table, key: str, rows: int, faults: Cells) -> Table:
    """Read the first rows of a column, which is computed below them.

    ``faults`` are cells that are below 0 where one of these needs attention. Gives the table
    ``Cross_v3`` with the column ``v3``, in the same rows as the table itself.
    """
    return _read(table, [key], f"{table.name}_{key}", rows, faults)


def _read(
    table: Table, keys: Sequence[str], name: str, rows: int, faults: Cells | None = None
) -> Table:
    book = table.sheet.book
    sheet = _sheet(book)
    looks = {key: table.columns[key] for key in keys}
    readings = {
        key: _from_list(Reading.of(one.look, one.validation, book), table)
        for key, one in looks.items()
    }
    lines = [_second(table, key, reading) for key, reading in readings.items()]
    lines += [_first(table, key, reading) for key, reading in readings.items() if reading.steps > 1]
    left = max((t.left + len(t.at) for t in sheet.tables), default=FIRST_COLUMN - 1) + 1
    read = Table(
        sheet,
        name,
        lines,
        rows,
        header=table.header,
        left=left,
        group=table.group,
        names=table.names,
    )
    for key in keys:
        cells, beside = replace(table.column(key), rows=rows), _beside(table, key)
        group = table.group if beside and rows == table.rows else 0
        book.runs.append(Run(cells, read.names, f"raw_{key}", group, beside))
    book.places.append(
        CountedCells(table.column(keys[0]), read.column(keys[0], keys[-1]), table, faults)
    )
    return read


def _beside(table: Table, key: str) -> int:
    """A column next to a typed one in which nobody types and which does not read it; 0 for none."""
    locked = {
        table.at[line.keys[0]]
        for line in table.lines
        if line.formula is not None
        and INPUT not in walk(line.formula)
        and key not in _mentioned(table, line.keys[0])
    }
    at = table.at[key]
    return next((column for column in (at - 1, at + 1) if column in locked), 0)


def _mentioned(table: Table, key: str) -> set[str]:
    """The columns of a table that the formula of one of them mentions, and theirs, and so on."""
    formulas = {key: line.formula for line in table.lines for key in line.keys}
    mentioned: set[str] = set()
    waiting = [key]
    while waiting:
        names = {
            node.text.partition(".")[0]
            for node in walk(formulas[waiting.pop()])
            if isinstance(node, Name)
        }
        new = names & formulas.keys() - mentioned
        mentioned |= new
        waiting += new
    return mentioned


def _from_list(reading: Reading, table: Table) -> Reading:
    """A reading that looks whole numbers from 1 up in a list of them, if they are few, and words
    for yes in one of these."""
    if reading.kind == "yes":
        return replace(reading, listed=_words(table.sheet.book))
    if reading.kind != "whole" or reading.least is None or reading.most is None:
        return reading
    names = table.sheet.names_at(None, table.names)
    try:
        least, most = (value_of(names.resolve(node)) for node in (reading.least, reading.most))
    except BookError:  # which the column tells with its line
        return reading
    if least != 1 or not isinstance(most, float) or most > MOST_NUMBERS:
        return reading
    sheet = _sheet(table.sheet.book)
    for number in range(1, int(most) + 1):
        sheet.put(FIRST_ROW + number - 1, NUMBERS, number, "quiet")
    cells = sheet.cells(FIRST_ROW, NUMBERS, int(most))
    return replace(reading, listed=Reference(cells.address))


def _words(book: Declared) -> Node:
    """The cells with all words for yes; they are written for the first column that reads them."""
    sheet = _sheet(book)
    words = ["", "", *sorted(YES)]
    if (FIRST_ROW, WORDS) not in sheet.puts:
        for row, word in enumerate(words, start=FIRST_ROW):
            sheet.put(row, WORDS, BEGIN + word, "quiet")
    return Reference(sheet.cells(FIRST_ROW, WORDS, len(words)).address)


def _is_wrong(read: Node) -> Node:
    return Binary("=", read, Text(WRONG))


def _sheet(book: Declared) -> Sheet:
    known = SHEET in book.sheets
    sheet = book.sheet(SHEET)
    if not known:
        book.pieces.update(PIECES)
        book.names["WRONG"] = Text(WRONG)
        book.names["YES"] = Text("x")
        sheet.set_up.hidden = True
        sheet.heading()
        sheet.line(book.say("note_typed"))
    return sheet


def _second(table: Table, key: str, reading: Reading) -> ColumnLine:
    raw = Name(f"raw_{key}")
    formula = reading.first(raw) if reading.steps == 1 else reading.second(Name(f"{key}_first"))
    return _column(table, key, key, formula)


def _first(table: Table, key: str, reading: Reading) -> ColumnLine:
    return _column(table, key, f"{key}_first", reading.first(Name(f"raw_{key}")))


def _column(table: Table, source: str, key: str, formula: Node) -> ColumnLine:
    look = table.columns[source]
    words = [f'"{look.heading}"', f'format:"{look.look.number_format}"', look.look.align or "right"]
    if look.width is not None:
        words.append(f"{look.width:g}")
    line = next(line for line in table.lines if source in line.keys)
    return ColumnLine((key,), tuple(words), formula, line.statement)


# -- finished -------------------------------------------------------------------------------------


def settle(book: Declared) -> None:
    """Say how every typed cell is read, and count the entries that need attention."""
    if SHEET not in book.sheets:
        book.names["status_line"] = Text("")
        return
    book.sheets[SHEET] = book.sheets.pop(SHEET)  # the last one
    computed: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for sheet in book.sheets.values():
        for table in sheet.tables:
            rows = range(table.first, table.first + table.rows)
            for line in table.lines:
                for key in line.keys if line.formula is not None else ():
                    computed[id(sheet), table.at[key]].update(rows)
        for (row, column), put in sheet.puts.items():
            if isinstance(put.value, Formula) or not isinstance(put.value, Constant):
                computed[id(sheet), column].add(row)
    typed = {
        (id(run.cells.sheet), row, run.cells.column)
        for run in book.runs
        for row in range(run.cells.row, run.cells.row + run.cells.rows)
    }
    for place in book.places:
        if place.table is not None and place.table.reads:
            _say_unread(place.table, place.read)
    for run in book.runs:
        run.names[run.raw] = _by_rounds(run) if run.group else _by_place(run, typed, computed)
    _count(book, typed)


def _with_shown(table: Table) -> bool:
    """Whether the column ``shown`` of a table has room for more."""
    return table.has("shown") and not table.has("in_use")


def _by_place(
    run: Run, typed: Set[tuple[int, int, int]], computed: Mapping[tuple[int, int], Set[int]]
) -> Node:
    """The formula of what is typed in a cell, from cells of which nobody moves both ends.

    They are the whole column; where something is computed in it, the cells up to the next ones on
    either side that are not typed. For a single cell they are others if one of these is computed,
    for it may be computed from the cell: with the column on the left those up to the other one, or
    the cells on the left and on the right.
    """
    cells, at = run.cells, id(run.cells.sheet)
    # a table is read in rows of the same numbers, a single cell anywhere
    single = run.raw == "raw"
    if (at, cells.column) not in computed:
        letters = column_letters(cells.column)
        area = cells.sheet.reference(f"${letters}:${letters}")
        return parse(f"INDEX({area},{cells.row if single else 'ROW()'})")
    top, bottom = cells.row - 1, cells.row + cells.rows
    while (at, top, cells.column) in typed:
        top -= 1
    while (at, bottom, cells.column) in typed:
        bottom += 1
    row, column = cells.row, cells.column
    areas = [(top, bottom, column, column)]
    if single:
        areas += [(row, bottom, column - 1, column), (top, row, column - 1, column)]
        areas += [(row, row, column - 1, column + 1)]
    top, bottom, left, right = next(
        (
            (top, bottom, left, right)
            for top, bottom, left, right in areas
            if not any(
                computed.get((at, column), set()) & set(range(top, bottom + 1))
                for column in range(left, right + 1)
            )
        ),
        areas[0],
    )
    area = cells.sheet.cells(top, left, bottom - top + 1, right - left + 1).reference
    place = f"{row - top + 1}" if single else f"ROW()-{top - 1}"
    return parse(f"INDEX({area},{place}{f',{column - left + 1}' if left < right else ''})")


def _by_rounds(run: Run) -> str:
    """The formula of what is typed in a row, from the cells of its round alone.

    A column beside them, in which nobody types, belongs to them: nobody moves the ends of both.
    """
    cells, first = run.cells, min(run.cells.column, run.beside)
    parts = []
    for number, top in enumerate(range(0, cells.rows, run.group), start=1):
        part = replace(cells, row=cells.row + top, column=first, rows=run.group, columns=2)
        place = f"ROW()-{part.row - 1}, {1 + cells.column - first}"
        parts.append(f"group_number = {number}, INDEX({part.reference}, {place})")
    return f'cases({", ".join(parts)}, "")'


def _say_unread(table: Table, read: Cells) -> None:
    """Say in a column which entries of a row cannot be read.

    Unless it is the column ``shown``, or the table has it, it stands behind all others, for marks,
    which read no other sheet.
    """
    names = [key for key in table.at if key in table.reads]
    worth = ",".join(str(2**i) for i in range(len(names)))
    wrong = f"({names[0]}:{names[-1]} = WRONG)"
    formula = f"SUMPRODUCT({wrong} * {{{worth}}})" if len(names) > 1 else f"IF({wrong}, 1, 0)"
    if table.has(UNREAD):
        said = [line.keys == (UNREAD,) for line in table.lines].index(True)
        table.lines[said] = replace(table.lines[said], formula=parse(formula))
        return
    if not _with_shown(table):
        add_helper(table, UNREAD, parse(formula))
        return
    for i, line in enumerate(table.lines):
        if line.keys == ("shown",) and line.formula is not None:
            more = Binary("+", line.formula, Binary("*", Number("2"), parse(formula)))
            table.lines[i] = replace(line, formula=more)


def _count(book: Declared, typed: Set[tuple[int, int, int]]) -> None:
    """Count what needs attention, place by place; the first place comes first.

    Below stand the tables, with the number of rows that were inserted or deleted since the book was
    made: not every line is read then. Last come those that ask questions.
    """
    sheet = _sheet(book)
    order = {key: i for i, key in enumerate(book.sheets)}
    places = sorted(book.places, key=lambda place: (order[place.cells.sheet.key], place.cells.row))
    top = FIRST_ROW

    def count(lines: Sequence[tuple[Sheet, str, str]]) -> tuple[Node, Node]:
        """Write lines of a sheet, a number and what is first; give the sum and the first of all."""
        nonlocal top
        for row, (of, number, first) in enumerate(lines, start=top):
            sheet.put(row, 5, of.title, align="left")
            there = sheet.put(row, 6, Formula(number), number_format="0").address
            after = sheet.cells(row + 1, 7).address
            sheet.put(row, 7, Formula(f"IF({there} > 0, {first}, {after})"), align="left")
        total = parse(f"SUM({sheet.cells(top, 6, len(lines)).reference})")
        first_of_all = Reference(sheet.cells(top, 7).reference)
        top += len(lines) + 1
        return total, first_of_all

    tables = list({id(p.table): p.table for p in places if p.table is not None}.values())
    asking = [p for p in places if p.table is not None and p.table.has(ANSWER)]
    names = book.names
    names["Attention"], names["First_fault"] = count(
        [(place.cells.sheet, *_faults(place)) for place in places]
    )
    # what a book has to say where nothing needs attention
    others = remark = "remark()" if "remark" in book.pieces else '""'
    if tables:
        titles = [table.sheet.title.replace('"', '""') for table in tables]
        names["Moved"], names["First_moved"] = count(
            [
                (table.sheet, _moved(table, typed), f'"{title}"')
                for table, title in zip(tables, titles, strict=True)
            ]
        )
    if asking:
        names["Questions"], names["First_question"] = count(
            [(place.cells.sheet, *_questions(place)) for place in asking]
        )
        others = (
            f'IF(Questions = 0, {remark}, HYPERLINK("#" & First_question, t.questions & " " & '
            'Questions & " – " & t.attention_first & " " & First_question))'
        )
    line = (
        f'IF(Attention = 0, {others}, HYPERLINK("#" & First_fault, t.attention & " " & Attention '
        '& " – " & t.attention_first & " " & First_fault))'
    )
    if tables:
        line = (
            'IF(Moved > 0, t.rows_moved & " " & Moved & " – " & t.rows_uncounted & " " '
            f"& First_moved, {line})"
        )
    names["status_line"] = line


def _moved(table: Table, typed: Set[tuple[int, int, int]]) -> str:
    """How many rows were inserted into a table or deleted, from a range that follows them.

    It begins and ends with cells that nobody moves, next to the table.
    """
    computed = (
        table.at[line.keys[0]]
        for line in table.lines
        if line.formula is not None and INPUT not in walk(line.formula)
    )
    column = next(computed, table.left)
    top, bottom = table.first - 1, table.first + table.rows
    while (id(table.sheet), bottom, column) in typed:
        bottom += 1
    cells = table.sheet.cells(top, column, bottom - top + 1)
    return f"ABS(ROWS({cells.reference}) - {cells.rows})"


def _questions(place: CountedCells) -> tuple[str, str]:
    """The formulas of how many questions a table asks, and of where the first answer is typed."""
    assert place.table is not None
    asked = f"({_signs(place)[1]})"
    title = place.table.sheet.place("").replace('"', '""')
    end = place.read.row + place.read.rows
    rows = replace(place.read, columns=1).address
    cell = (
        f'"{title}{place.table.letter(ANSWER)}" & '
        f"{end} - SUMPRODUCT(MAX({asked} * ({end} - ROW({rows}))))"
    )
    return f"SUMPRODUCT(--{asked})", cell


def _signs(place: CountedCells) -> tuple[str, str]:
    """The tests of the rows of a place that are at fault, and of those that ask something."""
    table, rows = place.table, place.read.rows
    assert table is not None
    if place.faults is None:
        faults = replace(table.column("fault"), rows=rows).reference
        return f"{faults} = 1", f"{faults} = 2"
    faults = replace(place.faults, rows=rows).reference
    if not table.has(ANSWER):
        return f"{faults} < 0", "FALSE"
    asks = place.questions
    return f"({faults} < 0) * ({faults} > {asks:g})", f"{faults} <= {asks:g}"


def _faults(place: CountedCells) -> tuple[str, str]:
    """The formulas of how many entries of a place need attention, and of where the first one is.

    A row at fault counts once, and an entry that cannot be read counts even if its row forgets it.
    """
    table, cells, read = place.table, place.cells, place.read
    wrong = f'({read.address} = "{WRONG}")'
    title, _, top = cells.sheet.place(cells.at(0).area).rpartition("!")
    if table is None:
        return f"SUMPRODUCT(--{wrong})", f'"{title}!{top}"'
    end = read.row + read.rows
    total = f"SUMPRODUCT(--{wrong})"
    # the first row is the one that is farthest from the end
    far = f"SUMPRODUCT(MAX({wrong} * ({end} - ROW({read.address}))))"
    if place.faults or table.has("fault"):
        fault = f"({_signs(place)[0]})"
        rows = replace(read, columns=1).address
        total = f"SUMPRODUCT(--{fault}) + SUMPRODUCT({wrong} * (1 - {fault}))"
        far = f"MAX({far}, SUMPRODUCT(MAX({fault} * ({end} - ROW({rows})))))"
    columns = [at for key, at in table.at.items() if key in table.reads] or [cells.column]
    letter = f'"{column_letters(columns[0])}"'
    if len(columns) > 1:
        there = f"INDEX({read.address}, {read.rows + 1} - {far}, 0)"
        # LibreOffice's CHOOSE knows some thirty values only
        letters = ",".join(f'"{column_letters(at)}"' for at in columns)
        letter = f'INDEX({{{letters}}}, 1, IFERROR(MATCH("{WRONG}", {there}, 0), 1))'
    return total, f'"{title}!" & {letter} & {end} - {far}'
