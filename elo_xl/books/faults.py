"""The entries of a finished book that need attention: those that its status line counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from elo_xl.books.model import CountedCells, Declared, Table
from elo_xl.books.typed import WRONG
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.formula import Binary, Call, Name, Node, Reference, parse, walk


def faults(book: Declared) -> list[str]:
    """All entries that need attention, as *what @ where*, in the order of the sheets.

    >>> from elo_xl.templates.gallery import build, options
    >>> players = [{"name": "Ana", "rating": "17oo"}, {"name": "Bo"}, {"name": "Bo", "k": "x"}]
    >>> for fault in faults(build("swiss", options("swiss"), {"Players": players})):
    ...     print(fault)
    Rating is not a number from 1 to 4000: '17oo' @ Players!C7
    Name appears twice: 'Bo' @ Players!B8
    Name appears twice: 'Bo' @ Players!B9
    Own K is not a number from 0 to 100: 'x' @ Players!G9

    A cell stands beside what is wrong with it, also where the check of its row speaks of another.

    Raises RuntimeError before the book is finished.
    """
    order = {key: i for i, key in enumerate(book.sheets)}
    places = sorted(book.places, key=lambda place: (order[place.cells.sheet.key], place.cells.row))
    return [fault for place in places for fault in _of_place(place)]


def remarks(book: Declared) -> list[str]:
    """What checks of rows say besides, about entries that are no faults: a missing result."""
    lines = []
    for place in book.places:
        table = place.table
        if table is None or place.faults is not None or not table.has("check"):
            continue
        at_fault = _signs(place)
        for i, check in enumerate(table.column("check").texts()):
            if check and not at_fault[i]:
                lines.append(
                    f"{check} @ {table.sheet.title}!{table.header + 1 + i}:{table.header + 1 + i}"
                )
    return lines


def _of_place(place: CountedCells) -> Iterator[str]:
    table, cells, read = place.table, place.cells, place.read
    sheet = cells.sheet
    values = read.values()
    columns = {"": cells.column}
    if table is not None and table.reads:
        columns = {key: at for key, at in table.at.items() if key in table.reads}
    sayings = list(_sayings(table)) if table is not None and table.has("check") else []
    at_fault = _signs(place)
    for i in range(read.rows):
        row = values[i * read.columns : (i + 1) * read.columns]
        wrong = [key for key, value in zip(columns, row, strict=True) if value == WRONG]
        if not wrong and not at_fault[i]:
            continue
        check = table.cell("check", i).texts()[0] if table and table.has("check") else ""
        said = {key: next((one.text for one in sayings if key in one.unread), "") for key in wrong}
        typed = {key: sheet.book.known(sheet, cells.row + i, at) for key, at in columns.items()}
        # A check says one thing of a row, though several of its entries may be wrong: it is said of
        # those that it is about, of one that cannot be read before a blank one.
        if check:
            fitting = [one for one in sayings if one.text in check]
            # the longest, because one text may hold another
            about = max(fitting, key=lambda one: len(one.text), default=None)
            meant = [key for key in columns if about is None or key in about.columns]
            blank = [key for key in meant if typed[key] in (None, "")]
            unread = [key for key in wrong if key in meant]
            said |= dict.fromkeys(unread or (blank or meant or [*columns])[:1], check)
        for key in [key for key in columns if key in said] or [*columns][:1]:
            shown = "" if typed[key] in (None, "") else repr(typed[key])
            what = ": ".join(filter(None, (said.get(key, ""), shown))) or "it needs attention"
            yield f"{what} @ {sheet.title}!{column_letters(columns[key])}{cells.row + i}"


class _Saying(NamedTuple):
    """What the check of a table may say."""

    text: str
    columns: Set[str]
    """which entries it is about"""
    unread: Set[str]
    """of which it says that they cannot be read"""


def _sayings(table: Table) -> Iterator[_Saying]:
    """What a check may say, by the tests of its cases; outside of these by what its text is called,
    as ``check_date`` is about the date."""
    formulas = [line.formula for line in table.lines if "check" in line.keys]
    by_key: dict[str, tuple[Set[str], Set[str]]] = {}
    for call in (node for formula in formulas for node in walk(formula)):
        if isinstance(call, Call) and call.name == "cases":
            for test, value in zip(call.arguments[::2], call.arguments[1::2], strict=False):
                nodes = list(_nodes(table, test))
                columns = _entries(table, nodes)
                reads = any(
                    node == Name("WRONG") or (isinstance(node, Call) and node.name == "ISNUMBER")
                    for node in nodes
                )
                for key in _keys(value):
                    if reads or key not in by_key:
                        by_key[key] = columns, columns if reads else frozenset()
    for key in (key for formula in formulas for key in _keys(formula)):
        columns = table.reads.keys() & {key.removeprefix("check_")}
        by_key.setdefault(key, (columns, columns))
    for key, about in by_key.items():
        if text := table.sheet.book.say_or(key, ""):  # none is needed for a case that is left out
            yield _Saying(text, *about)


def _keys(node: Node | None) -> Iterator[str]:
    """The keys of the texts in a formula."""
    for one in walk(node):
        if isinstance(one, Name) and one.text.startswith("t."):
            yield one.text[2:]


def _nodes(table: Table, test: Node | None) -> Iterator[Node]:
    """The nodes of a test, and those of what the table's own names in it mean."""
    waiting, seen = [test], set[str]()
    while waiting:
        for node in walk(waiting.pop()):
            yield node
            if isinstance(node, Name) and node.text in table.names and node.text not in seen:
                seen.add(node.text)
                meaning = table.names[node.text]
                if isinstance(meaning, str):
                    waiting.append(parse(meaning))
                elif not isinstance(meaning, float | bool):
                    waiting.append(meaning)


def _entries(table: Table, nodes: Sequence[Node]) -> Set[str]:
    """The entries that a test looks at."""
    order = [*table.at]
    entries: set[str] = set()
    for node in nodes:
        match node:
            case Binary(":", Name(first), Name(last)):
                pass
            case Name(text) | Reference(text):  # id:out might be columns of a sheet
                first, _, last = text.partition(":")
            case _:
                continue
        if {first, last or first} <= {*order}:
            entries.update(order[order.index(first) : order.index(last or first) + 1])
    return entries & table.reads.keys()


def _signs(place: CountedCells) -> list[bool]:
    """For each row of a place whether its formulas find a fault in it."""
    table = place.table
    if place.faults is not None:
        return [value < 0 for value in place.faults.numbers()]
    if table is not None and table.has("fault"):
        return [value == 1 for value in table.column("fault").numbers()]
    return [False] * place.read.rows
