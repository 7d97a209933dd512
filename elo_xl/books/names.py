"""Names in the formulas of a book: from a tree with names to a tree with addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from math import ceil, inf
from typing import Final, Protocol

from elo_xl.books.statements import BookError, refuse
from elo_xl.english import meant
from elo_xl.functions.catalogue import PREFIX, functions, known
from elo_xl.xlsx.accepted import (
    call_problems,
    node_problems,
    reference_problems,
    too_long,
    tree_problems,
)
from elo_xl.xlsx.fill import one_row, place
from elo_xl.xlsx.folding import (
    Env,
    FormDecidedError,
    PartialEvaluator,
    Piece,
    junction,
    text_of,
    tree_of,
    truth,
    value_of,
)
from elo_xl.xlsx.formula import (
    COMPARISONS,
    Apply,
    ArrayConstant,
    Binary,
    Call,
    Constant,
    Counting,
    Name,
    Node,
    Number,
    OptionalParameter,
    Reference,
    Text,
    Unary,
    parse,
    to_text,
    walk,
)
from elo_xl.xlsx.spreadsheet import FUNCTIONS as SPREADSHEET_FUNCTIONS
from elo_xl.xlsx.stored import FUNCTION, FUTURE

INPUT, BLOCKED, EMPTY = Name("INPUT"), Name("BLOCKED"), Name("EMPTY")
"""Results of a formula that say what a cell without a formula is; see :mod:`elo_xl.books`."""

_BESIDE: Final = {"": 0, "next": 1, "above": -1}
"""rows from this one, by the ending of a name"""

_JUNCTIONS: Final = {"both": "AND", "either": "OR"}
"""How the formulas of clauses call what joins tests."""

MOST_PIECES: Final = 20_000
"""How many times a formula may use pieces, with those that they use themselves."""

ROW_NAMES: Final = ("row_number", "group_number", "row_of_group")


class SheetLike(Protocol):
    """The parts of a sheet that formulas need."""

    @property
    def title(self) -> str: ...
    def reference(self, cells: str) -> str: ...
    def titled(self, title: str) -> bool: ...


class TableLike(Protocol):
    """The parts of a table that formulas need."""

    @property
    def sheet(self) -> SheetLike: ...
    @property
    def first(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def group(self) -> int: ...
    def letter(self, key: str) -> str: ...
    def has(self, key: str) -> bool: ...
    def place(self, key: str) -> tuple[SheetLike, str]: ...


Meaning = Node | float | bool | str
"""What a name stands for: a tree, a number, a truth value, or the text of a formula."""


class NamesInSheet(PartialEvaluator):
    """What names mean on a sheet or, with ``table``, in the rows of one of its tables.

    ``tables`` and ``pieces`` are those of the book, by name. ``look_up`` gives the meaning of any
    other name, or None; ``say`` gives the book's text of a key. With ``fixed_columns`` cells of
    this row have fixed columns, as in ``$D5``. With ``raw`` the name of a typed column stands for
    the cells themselves, not for what was read of them.
    """

    def __init__(
        self,
        sheet: SheetLike,
        table: TableLike | None,
        tables: Mapping[str, TableLike],
        pieces: Mapping[str, Piece],
        look_up: Callable[[str], Meaning | None],
        say: Callable[..., str],
        *,
        fixed_columns: bool = False,
        raw: bool = False,
    ) -> None:
        self.raw = raw
        self.sheet, self.table, self.tables = sheet, table, tables
        self.pieces, self.look_up, self.say = pieces, look_up, say
        self.column_sign = "$" if fixed_columns else ""
        self.row = 0
        self.by_row = False
        """whether the last formula differs from row to row by more than its addresses"""
        self.by_group = False
        """the same, from group to group"""
        self.until: float = inf
        """the row from which on a comparison with the row's number comes out otherwise"""
        self._counting, self._pieces, self._kind = False, 0, False
        self._decided: Node | None = None
        """a formula whose form the number of the row decides on"""

    def resolve(self, formula: Node, row: int = 0, *, counting: bool = False) -> Node:
        """The formula of a row of the table, counted from 0, with addresses for its names.

        With ``counting`` it may be filled down from this row to the one before :attr:`until`: the
        row's number is one that grows, unless it decides on the form of the formula by more than a
        comparison with a constant.

        Raises BookError for a name without a meaning, a call with wrong arguments, and whatever
        else Excel would refuse.
        """
        self._counting, self._pieces = counting and formula is not self._decided, 0
        self._kind = False
        self.row, self.by_row, self.by_group, self.until = row, False, False, inf
        try:
            resolved = self.reduce(formula, {})
            if not isinstance(resolved, Counting):
                if not isinstance(resolved, Text):  # a constant, which may be longer
                    refuse(tree_problems(resolved))
                kinds = INPUT, BLOCKED, EMPTY
                if self._kind and resolved not in kinds and any(n in kinds for n in walk(resolved)):
                    raise BookError(
                        "INPUT, BLOCKED and EMPTY are whole results, decided by no cell"
                    )
                return resolved
        except FormDecidedError:
            pass
        self._decided = formula
        return self.resolve(formula, row)

    def reduce(self, node: Node, env: Env) -> Node:
        match node:
            case Reference(text):
                if text.endswith("]"):
                    return Reference(self._cells(text))
                if text not in env:
                    return self._like_an_address(node)
                node = Name(text)
            case Binary(":", left, right):
                return _span(self.reduce(left, env), self.reduce(right, env))
            case OptionalParameter(text) if text.startswith("@"):
                return self.meaning(text[1:])
            case OptionalParameter(text):
                raise BookError(f"a column of this row is written [@{text}], not [{text}]")
            case Binary(" ", left, right):
                ends = f"{to_text(left)[-30:]} and {to_text(right)[:30]}"
                raise BookError(f"there is no operator between {ends}")
            case Apply(function, _):
                raise BookError(f"only a function takes arguments, not {to_text(function)!r:.60}")
            case ArrayConstant() | Unary("@" | "#", _):
                refuse(node_problems(node))
        match node:
            case ArrayConstant(rows):
                return ArrayConstant(tuple(tuple(self._alone(c, env) for c in row) for row in rows))
        return super().reduce(node, env)

    def binary(self, operator: str, left: Node, right: Node) -> Node:
        if operator in COMPARISONS and (rows := _same_for(left, right)):
            self.until = min(self.until, self.row + rows)
            left, right = _at_first(left), _at_first(right)
        return super().binary(operator, left, right)

    def _alone(self, node: Node, env: Env) -> Node:
        """A part of a formula that cannot grow from row to row."""
        resolved = self.reduce(node, env)
        if isinstance(resolved, Counting):
            raise FormDecidedError
        return resolved

    def _like_an_address(self, node: Reference) -> Node:
        """The meaning of a name that looks like an address, such as ``v1`` or ``v1:v9``."""
        ends = node.text.split(":")
        known = {end: found for end in ends if (found := self._known(end)) is not None}
        if known:
            for end in ends:
                if end not in known:  # such as "p1:p9", where only p1 is a column
                    raise BookError(f"nothing is named {end!r}")
            return reduce(_span, map(known.__getitem__, ends))
        refuse(reference_problems(node.text))
        cells = place(node.text)
        if cells is None:
            raise BookError(f"nothing is named {node.text!r}")
        if cells.sheet is not None and not self.sheet.titled(cells.sheet):
            raise BookError(f"no sheet has the title {cells.sheet!r}")
        return node

    def meaning(self, text: str) -> Node:
        known = self._known(text)
        if known is None:
            if Name(text) in (INPUT, BLOCKED, EMPTY):
                self._kind = True
                return Name(text)
            raise BookError(f"nothing is named {text!r}")
        return known

    def _known(self, text: str) -> Node | None:
        """What a name stands for, or None if it has no meaning."""
        key, _, suffix = text.partition(".")
        if key == "t" and suffix:
            return Text(self.say(suffix))
        table = self.table
        if table is not None and table.has(key) and suffix in _BESIDE:
            row = table.first + self.row + _BESIDE[suffix]
            sheet, letter = self._place(table, key)
            return Reference(self._from(sheet, f"{self.column_sign}{letter}{row}"))
        if table is not None and text in ROW_NAMES:
            return self._counted(table, text)
        if suffix == "rows" and key in self.tables:
            return tree_of(self.tables[key].rows)
        meaning = self.look_up(text)
        if isinstance(meaning, str):
            return self.reduce(parse(meaning), {})
        return tree_of(meaning) if isinstance(meaning, int | float) else meaning

    def _counted(self, table: TableLike, name: str) -> Node:
        """The number of the row, of its group, or of the row within its group."""
        group, row = divmod(self.row, table.group or max(table.rows, 1))
        if name == "group_number":
            self.by_group = True
            return tree_of(group + 1)
        number = 1 + (self.row if name == "row_number" else row)
        if not self._counting:
            self.by_row = True
            return tree_of(number)
        self.by_group |= name == "row_of_group" and table.group > 0
        return Counting(number)

    def call(self, name: str, arguments: tuple[Node | None, ...], env: Env) -> Node:
        if name.startswith("t."):
            return Text(self.say(name[2:], **dict(self._places(arguments, env))))
        if name == "cases":
            return self._cases(arguments, env)
        if name == "by_row":
            return self._by_row(arguments, env)
        if name == "cell":
            where, *rest = arguments
            return self._cell([where, *(a and self._alone(a, env) for a in rest)])
        name = _JUNCTIONS.get(name, name)
        piece = self.pieces.get(name)
        stored = "" if piece else stored_name(name)
        if stored:
            refuse(call_problems(stored, len(arguments)))
        given = self.reduced(arguments, env)
        if piece is not None:
            whole = [a for a in given if a is not None]
            if len(piece.parameters) != len(whole):
                takes = ", ".join(piece.parameters)
                raise BookError(f"{name} takes {takes}; got {len(whole)} arguments")
            self._pieces += 1
            made = self.reduce(piece.body, dict(zip(piece.parameters, whole, strict=True)))
            if self._pieces > MOST_PIECES or too_long(made):
                raise BookError(f"with {name} the formula has more characters than Excel takes")
            return made
        if name in ("AND", "OR") and None not in given:
            return junction(name, [g for g in given if g is not None])
        if name == "NOT" and (known := truth(given[0])) is not None:
            return tree_of(not known)
        if name.startswith(PREFIX) and any(isinstance(n, Counting) for g in given for n in walk(g)):
            raise FormDecidedError  # what a flavour makes of a call knows no such number
        if name == "INDEX" and len(given) == 2 and one_row(given[0]):
            given.insert(1, Number("1"))
        if name == "HYPERLINK" and not _text_of_start(given[0]).startswith("#"):
            raise BookError(
                'HYPERLINK leads to a place in the book: its first text begins with "#"'
            )
        return Call(stored, tuple(given))

    def choice(self, arguments: Sequence[Node | None], env: Env) -> Node:
        refuse(call_problems("IF", len(arguments)))
        return super().choice(arguments, env)

    def _by_row(self, arguments: Sequence[Node | None], env: Env) -> Node:
        self.by_row = True
        chosen = arguments[self.row] if self.row < len(arguments) else EMPTY
        return EMPTY if chosen is None else self.reduce(chosen, env)

    def _places(self, arguments: Sequence[Node | None], env: Env) -> Iterator[tuple[str, str]]:
        for argument in arguments:
            match argument:
                case Binary("=", Name(place), value):
                    yield place, constant_text(self.reduce(value, env))
                case _:
                    raise BookError("the places of a text are given by name: t.key(place = value)")

    def _cases(self, arguments: Sequence[Node | None], env: Env) -> Node:
        if len(arguments) % 2 == 0 or None in arguments:
            raise BookError("cases takes pairs of a test and a value, and a last value")
        *pairs, last = arguments
        formula = last
        for test, value in reversed(list(zip(pairs[::2], pairs[1::2], strict=True))):
            formula = Call("IF", (test, value, formula))
        assert formula is not None
        return self.reduce(formula, env)

    def _cell(self, given: Sequence[Node | None]) -> Node:
        match given:
            case [Name(name), Text(key), Number() as row] if name in self.tables:
                table = self.tables[name]
                sheet, letter = self._place(table, key)
                place = table.first + int(row.value) - 1
                return Reference(self._from(sheet, f"${letter}${place}"))
        raise BookError("cell takes a table, the key of a column and the number of a row")

    def _cells(self, text: str) -> str:
        """Cells of a table, written ``Players[name]``, ``group[name]`` and so on."""
        where, _, inside = text[:-1].partition("[")
        name, _, group = where.partition(".")
        relative = name in ("group", "upto", "before", "through")
        table = self.table if relative else self.tables.get(name)
        if table is None:
            raise BookError(f"no table is named {name!r}")
        here = inside.startswith("@")
        inside, _, step = inside.removeprefix("@").partition(".")
        if step not in _BESIDE or (step and not here):
            raise BookError(f"nothing is named {text!r}")
        first_key, _, last_key = inside.partition(":")
        sheet, left = self._place(table, first_key)
        end, right = self._place(table, last_key or first_key)
        if end is not sheet:
            raise BookError(f"{inside}: one of these is typed, the other computed")
        top, bottom = table.first, table.first + max(table.rows, 1) - 1
        if here:
            row = table.first + self.row + _BESIDE[step]
            cells = f"${left}{row}" if not last_key else f"${left}{row}:${right}{row}"
            return self._from(sheet, cells)
        if name == "upto":
            return self._from(sheet, f"${left}${top}:${right}{top + self.row}")
        size = table.group or table.rows
        if name == "before":
            over, last = self.row % size, top + self.row - 1
            self.by_group |= table.group > 0
            if over == 0:  # the heading is none of the cells that anybody looks for
                self.by_row = True
                return self._from(sheet, f"${left}${top - 1}:${right}${top - 1}")
            return self._from(sheet, f"${left}${last - over + 1}:${right}{last}")
        if name == "through" and table.group:
            self.by_group = True
            bottom = top + (self.row // table.group + 1) * table.group - 1
        if name == "group" or group:
            self.by_group |= name == "group"
            part = self.row // table.group if name == "group" else int(group) - 1
            top += part * table.group
            bottom = top + table.group - 1
        if top == bottom and left == right:
            return self._from(sheet, f"${left}${top}")
        return self._from(sheet, f"${left}${top}:${right}${bottom}")

    def _place(self, table: TableLike, key: str) -> tuple[SheetLike, str]:
        """The sheet and the column that a key stands for."""
        return (table.sheet, table.letter(key)) if self.raw else table.place(key)

    def _from(self, sheet: SheetLike, cells: str) -> str:
        return cells if sheet is self.sheet else sheet.reference(cells)


def _text_of_start(node: Node | None) -> str:
    """The text with which a formula begins, as far as it is a constant."""
    while isinstance(node, Binary) and node.operator == "&":
        node = node.left
    return node.value if isinstance(node, Text) else ""


_GIVE_CELLS: Final = frozenset(("CHOOSE", "IF", "INDEX", "INDIRECT", "OFFSET"))
"""The functions whose result can be the end of a range."""


def _span(left: Node, right: Node) -> Node:
    if isinstance(left, Reference) and isinstance(right, Reference):
        if left.text.rpartition("!")[0] != right.text.rpartition("!")[0]:
            raise BookError(f"{left.text} and {right.text}: one is typed, the other computed")
        return Reference(f"{left.text}:{right.text.rpartition('!')[2]}")
    for end in (left, right):  # others are names
        called = end.name if isinstance(end, Call) else "INDEX"
        if called not in _GIVE_CELLS or isinstance(end, Text | Number | Constant | ArrayConstant):
            raise BookError(f"a range ends at a cell, not at {to_text(end)!r:.60}")
    return Binary(":", left, right)


def _same_for(left: Node, right: Node) -> float:
    """For how many rows a comparison of a growing number with a constant comes out the same; zero
    for any other comparison."""
    if isinstance(right, Counting):
        left, right = right, left
    if not (isinstance(left, Counting) and isinstance(right, Number)):
        return 0
    ahead = right.value - left.start
    return inf if ahead < 0 else max(ceil(ahead / left.step), 1)


def _at_first(node: Node) -> Node:
    """A growing number as it is in the first row; any other tree as it is."""
    return tree_of(node.start) if isinstance(node, Counting) else node


def constant_text(node: Node) -> str:
    """A constant as it appears inside a text.

    >>> constant_text(tree_of(2400.0))
    '2400'

    Raises BookError for a tree that is no constant.
    """
    value = value_of(node)
    if value is None:
        raise BookError("only a constant can stand in a text")
    return text_of(value)


def stored_name(name: str) -> str:
    """The name of a function as a file stores it.

    >>> stored_name("NORM.S.DIST")
    '_xlfn.NORM.S.DIST'

    Raises BookError for an unknown function.
    """
    plain = name.upper().removeprefix(FUNCTION.upper())
    if known(plain) is not None:
        return plain
    if plain not in SPREADSHEET_FUNCTIONS:
        hint = meant(plain, [*SPREADSHEET_FUNCTIONS, *functions()], 2)
        raise BookError(f"no function is named {name!r}{hint}")
    return FUNCTION + plain if plain in FUTURE else plain


def by_row(formulas: Sequence[str]) -> str:
    """The text of a formula that differs from row to row of a table.

    >>> by_row(['"win"', '"draw"'])
    'by_row("win", "draw")'
    """
    return f"by_row({', '.join(formulas)})"
