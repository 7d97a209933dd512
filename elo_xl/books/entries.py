"""What people have typed into a book: read from its file, and put into another book.

The book that is declared says where entries are. A file fits if the headings above them, the labels
beside them and the numbers of rows stand where the book has them. If not, because another version
made the file or somebody changed it, sheets, tables and settings are found by these texts, and rows
by their numbers. Whatever is typed elsewhere is named, never dropped in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from elo_xl.books.answers import number
from elo_xl.books.model import Constant, Content, Declared, Sheet, Single, Table
from elo_xl.books.names import INPUT, ROW_NAMES, NamesInSheet
from elo_xl.xlsx.cells import Place, StoredBook, StoredCell, StoredSheet
from elo_xl.xlsx.fill import column_letters
from elo_xl.xlsx.folding import value_of
from elo_xl.xlsx.formula import Name, Node, Reference, walk
from elo_xl.xlsx.spreadsheet.values import cleaned


class Key(NamedTuple):
    """A typed cell: the table, its row from 1, and the key of its column.

    A single cell has its own name and the row 0.
    """

    name: str
    row: int = 0
    column: str = ""


class Entry(NamedTuple):
    """What is typed in a cell, and where: ``Players!B7``."""

    value: Constant
    where: str


class Located(NamedTuple):
    """Where a file has a typed table."""

    title: str
    columns: Mapping[str, int]
    rows: Mapping[int, int]
    """the rows of the sheet by those of the table, both from 1"""

    def place(self, row: int, column: str) -> Place:
        """Where a cell stands; rows behind the last one follow it."""
        last = max(self.rows, default=0)
        at = self.rows[row] if row in self.rows else self.rows.get(last, 0) + row - last
        return at, self.columns[column]


@dataclass(slots=True)
class Entries:
    """The entries of a file."""

    typed: dict[Key, Entry] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """what the file has otherwise than the book, as *what @ where*"""
    missing: list[str] = field(default_factory=list)
    """what a book of this size has and the file has not, as *what @ where*"""
    left: list[str] = field(default_factory=list)
    """what is typed where the book has no entries, as *what @ where*"""
    own_sheets: list[str] = field(default_factory=list)
    """the titles of sheets that are not the book's"""
    own_cells: dict[str, list[Place]] = field(default_factory=dict)
    """where something is typed between the book's cells and is no entry, by the key of the sheet"""
    titles: Mapping[str, str] = field(default_factory=dict)
    """the file's sheets by the keys of the book's"""
    seen: Mapping[str, Set[Place]] = field(default_factory=dict)
    """by the title of a sheet, its entries"""
    moved: bool = False
    """whether sheets, tables or headings stand elsewhere or have other names"""
    tables: dict[str, Located] = field(default_factory=dict)
    """where the typed tables are"""
    singles: dict[str, tuple[str, Place]] = field(default_factory=dict)
    """sheet and place of single cells"""
    lost: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """by table, what is wrong with headings of typed columns and with rows, and where"""
    uncomputed: list[str] = field(default_factory=list)
    """where formulas stand in place of entries of which no program has saved what they give"""

    @property
    def content(self) -> Content:
        """The entries as the content of the book that was declared."""
        return content_of({key: entry.value for key, entry in self.typed.items()})

    def where(self, name: str) -> str:
        """The place of a single cell for messages; blank if there is none."""
        title, place = self.singles.get(name, ("", (1, 1)))
        return title and f"{title}!{_name(place)}"


def content_of(typed: Mapping[Key, Constant]) -> Content:
    """Single entries as the content of a book; rows are counted from 1."""
    content: dict[str, Any] = {}
    for key, value in typed.items():
        if key.row:
            content.setdefault(key.name, {}).setdefault(key.row, {})[key.column] = value
        else:
            content[key.name] = value
    return content


# -- where a book has entries ---------------------------------------------------------------------


class Typed:
    """A table with columns that are typed."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.keys: list[str] = []
        self.labels: dict[str, str] = {}
        """columns that number the rows, with the name of the number"""
        self._formulas: dict[str, Node] = {}
        """columns of which only some cells are typed"""
        for line in table.lines:
            key, formula = line.keys[0], line.formula
            if formula is None and table.columns[key].look.role == "input":
                self.keys.append(key)
            elif isinstance(formula, Name) and formula.text in ROW_NAMES:
                self.labels[key] = formula.text
            elif formula is not None and INPUT in walk(formula):
                self.keys.append(key)
                self._formulas[key] = formula

    @cached_property
    def _names(self) -> NamesInSheet:
        return self.table.sheet.names_at(self.table)

    def takes(self, key: str, row: int) -> bool:
        """Whether a cell is typed, by its row from 0."""
        if key not in self.keys or row >= self.table.rows:
            return False
        formula = self._formulas.get(key)
        return formula is None or self._names.resolve(formula, row) == INPUT

    def label(self, row: int) -> tuple[int, ...]:
        """The numbers that stand in a row, which is counted from 0."""
        group = self.table.group or max(self.table.rows, 1)
        numbers = dict(zip(ROW_NAMES, (row, row // group, row % group), strict=True))
        return tuple(numbers[name] + 1 for name in self.labels.values())

    def heading(self, key: str) -> str | None:
        """What stands above a column for good."""
        put = self.table.sheet.puts.get((self.table.header, self.table.at[key]))
        return put.value or None if put is not None and isinstance(put.value, str) else None

    @cached_property
    def grows(self) -> bool:
        """Whether something may be typed below the last row."""
        table = self.table
        return table.bottom == table.last == max(t.bottom for t in table.sheet.tables)


def typed_tables(book: Declared) -> dict[str, Typed]:
    """The tables that have typed columns."""
    tables = {name: Typed(table) for name, table in book.tables.items() if name not in book.data}
    return {name: typed for name, typed in tables.items() if typed.keys}


def entry_cells(book: Declared) -> dict[str, dict[str, Any]]:
    """Where people type into a book, for code that fills its file without declaring it.

    Tables have their sheet, first row, number of rows and of those in a group, and the letters and
    headings of their columns; single cells their sheet and name.
    """
    tables = {
        name: {
            "sheet": typed.table.sheet.title,
            "first": typed.table.first,
            "rows": typed.table.rows,
            "group": typed.table.group,
            "columns": {key: column_letters(typed.table.at[key]) for key in typed.keys},
            "headings": {key: typed.heading(key) for key in typed.keys},
        }
        for name, typed in typed_tables(book).items()
    }
    singles = {
        name: {"sheet": single.cells.sheet.title, "cell": single.cells.area}
        for name, single in book.singles.items()
    }
    return {"tables": tables, "singles": singles}


# -- from a file ----------------------------------------------------------------------------------


LEAST_SHARE: Final = 0.5
"""The share of a sheet's texts, or of a table's headings, by which it is found at least."""


def read_entries(book: Declared, stored: StoredBook) -> Entries:
    """The entries in the cells of a file that was made from a book without any content."""
    return _EntriesOfFile(book, stored).entries


class _EntriesOfFile:
    """A file while its entries are read."""

    def __init__(self, book: Declared, stored: StoredBook) -> None:
        self.book, self.stored = book, stored
        self.entries = Entries()
        self.seen: dict[str, set[Place]] = {}
        """by sheet, the cells that are accounted for"""
        tables = typed_tables(book)
        owners = [typed.table.sheet for typed in tables.values()]
        owners += [single.cells.sheet for single in book.singles.values()]
        self.titles = self._titles({sheet.key: sheet for sheet in owners})
        for typed in tables.values():
            self._table(typed)
        for name, single in book.singles.items():
            self._single(name, single)
        self.entries.titles, self.entries.seen = self.titles, self.seen
        for key, title in self.titles.items():
            self._leftovers(book.sheets[key], title)

    def _titles(self, owners: Mapping[str, Sheet]) -> dict[str, str]:
        """The file's sheets by the keys of the book's; a tab may have been renamed."""
        titles = {key: sheet.title for key, sheet in owners.items() if sheet.title in self.stored}
        ours = {sheet.title for sheet in self.book.sheets.values()}
        for key, sheet in owners.items():
            if key in titles:
                continue
            texts = _texts(sheet)
            free = [t for t in self.stored if t not in ours and t not in titles.values()]
            shares = {
                t: len(texts & _stored_texts(self.stored[t])) / max(len(texts), 1) for t in free
            }
            best = max(shares, key=shares.__getitem__, default="")
            if best and shares[best] >= LEAST_SHARE:
                titles[key], self.entries.moved = best, True
                self.entries.notes.append(f"the sheet {sheet.title!r} has another name @ {best}")
            elif self._had(sheet):
                self.entries.notes.append(f"there is no such sheet @ {sheet.title}")
        for title in self.stored:
            # a sheet without entries may have had another name in another version
            added = title not in ours and title not in titles.values()
            if added:
                self.entries.own_sheets.append(title)
            if added and not self.stored[title].protected:
                self.entries.left.append(f"a sheet that is not the book's @ {title}")
        return titles

    def _had(self, sheet: Sheet) -> bool:
        """Whether the file had a sheet: the first one leads to all that there were. An older book
        does not have all sheets of today."""
        first = next(iter(self.book.sheets.values())).title
        return first not in self.stored or sheet.title in _stored_texts(self.stored[first])

    # -- tables -----------------------------------------------------------------------------

    def _table(self, typed: Typed) -> None:
        title = self.titles.get(typed.table.sheet.key)
        if title is None:
            return
        cells, uncomputed = self.stored[title].cells, self.stored[title].uncomputed
        exact = self._exact(typed, cells)
        self.entries.moved |= exact is None
        columns, rows = exact or self._searched(typed, title, cells)
        places = {i + 1: row for row, i in rows.items()}
        self.entries.tables[typed.table.name] = Located(title, columns, places)
        for row, i in rows.items():
            for key, column in columns.items():
                cell = cells.get((row, column))
                takes = typed.takes(key, i) or i >= typed.table.rows
                if takes and (row, column) in uncomputed:
                    self.entries.uncomputed.append(f"{title}!{_name((row, column))}")
                if cell is None or not takes:
                    continue
                if cell.formula and cell.locked and self.stored[title].protected:
                    continue  # a helper column of a smaller table
                self._take(Key(typed.table.name, i + 1, key), title, (row, column), cell)

    def _exact(
        self, typed: Typed, cells: Mapping[Place, StoredCell]
    ) -> tuple[dict[str, int], dict[int, int]] | None:
        """Columns and rows of a table that stands where the book has it."""
        table = typed.table
        for key in (*typed.keys, *typed.labels):
            heading = typed.heading(key)
            if heading and _text(cells.get((table.header, table.at[key]))) != heading:
                return None
        # the labels, too: below an unchanged heading, rows may have been sorted or inserted
        for i in range(table.rows):
            numbers = (cells.get((table.first + i, table.at[key])) for key in typed.labels)
            if tuple(cell and cell.value for cell in numbers) != typed.label(i):
                return None
        columns = {key: table.at[key] for key in typed.keys}
        rows = {table.first + i: i for i in range(table.rows)}
        computed = [at for key, at in table.at.items() if key not in columns]
        self._see(self.titles[table.sheet.key], ((row, at) for row in rows for at in computed))
        return columns, rows | _below(typed, cells, columns, table.first)

    def _searched(
        self, typed: Typed, title: str, cells: Mapping[Place, StoredCell]
    ) -> tuple[dict[str, int], dict[int, int]]:
        """Columns and rows of a table that is found by its headings and numbers."""
        table, notes = typed.table, self.entries.notes
        by_row: dict[int, dict[str, list[int]]] = {}
        for (row, column), cell in sorted(cells.items()):
            by_row.setdefault(row, {}).setdefault(_text(cell), []).append(column)
        # The header is the row with most of our headings, of several the nearest to where it was.
        wanted = [heading for key in typed.keys if (heading := typed.heading(key))]
        ours = {heading for key in table.columns if (heading := typed.heading(key))}
        counts = {row: len(texts.keys() & ours) for row, texts in by_row.items()}
        header = max(counts, key=lambda row: (counts[row], -abs(row - table.header)), default=0)
        # a smaller crosstable than ours has fewer headings, but hardly any others
        whole = min(len(ours), len(by_row.get(header, ())))
        if not counts.get(header) or counts[header] < LEAST_SHARE * whole:
            notes.append(f"no table has the headings {', '.join(wanted)} @ {title}")
            return {}, {}
        columns = self._columns(typed, f"{title}!", header, by_row[header], cells)
        moved = {columns[key] - table.at[key] for key in typed.keys if key in columns}
        if header != table.header or moved != {0}:
            at_ = f"{column_letters(min(columns.values()))}{header}"
            notes.append(f"the headings of a table stand elsewhere @ {title}!{at_}")
        below = sorted(row for row in by_row if row > header)
        rows = self._rows(typed, title, columns, below, cells)
        if rows is None:  # rows without labels follow the header in their order
            rows = {header + 1 + i: i for i in range(table.rows)}
            rows |= _below(typed, cells, columns, header + 1)
        return {key: columns[key] for key in typed.keys if key in columns}, rows

    def _columns(
        self,
        typed: Typed,
        sheet: str,
        header: int,
        headings: Mapping[str, list[int]],
        cells: Mapping[Place, StoredCell],
    ) -> dict[str, int]:
        """Where the columns of a table stand, by the places of each heading in its header."""
        table = typed.table
        columns: dict[str, int] = {}
        used: dict[str, int] = {}
        lost = self.entries.lost.setdefault(table.name, [])

        def as_before(key: str) -> int | None:
            """Where a column is if it is as far from the next known one on the left as it was."""
            left = [k for k in columns if table.at[k] < table.at[key]]
            return columns[left[-1]] + table.at[key] - table.at[left[-1]] if left else None

        for key in table.columns:
            heading = typed.heading(key)
            if not heading:
                continue
            places = headings.get(heading, [])
            # columns with the same heading keep their order
            at = used[heading] = used.get(heading, -1) + 1
            if at < len(places):
                columns[key] = places[at]
            elif key in typed.keys:
                what = f"no column has the heading {heading!r}"
                self.entries.missing.append(f"{what} @ {sheet}{header}:{header}")
                near = as_before(key) or 0
                other = cells.get((header, near)) is not None
                place = f"{column_letters(near)}{header}" if other else f"{header}:{header}"
                what = f"no column is called {heading!r} any more: give the heading its name back"
                lost.append((what, f"{sheet}{place}"))
        for key in typed.keys:
            heading = typed.heading(key)
            if heading and len(places := headings.get(heading, [])) > used[heading] + 1:
                what = f"several columns are called {heading!r}"
                lost.append((what, f"{sheet}{column_letters(places[1])}{header}"))
        for key in typed.keys:
            # a heading that a formula makes, or none
            if key not in columns and not typed.heading(key) and (beside := as_before(key)):
                columns[key] = beside
        return columns

    def _rows(
        self,
        typed: Typed,
        title: str,
        columns: Mapping[str, int],
        below: Sequence[int],
        cells: Mapping[Place, StoredCell],
    ) -> dict[int, int] | None:
        """Which row of a table each row of the sheet is, by its labels; None without labels."""
        table = typed.table
        labels = [columns[key] for key in typed.labels if key in columns]
        if not labels or len(labels) < len(typed.labels):
            return None
        rows: dict[int, int] = {}
        known: dict[tuple[object, ...], int] = {typed.label(i): i for i in range(table.rows)}
        for row in below:
            here = [cells.get((row, at)) for at in labels]
            i = known.pop(tuple(cell and cell.value for cell in here), None)
            if i is not None:
                rows[row] = i
                self._see(title, ((row, at) for at in labels))
        if known:
            what = f"{len(known)} of {table.rows} rows are not there"
            self.entries.missing.append(f"{what} @ {title}")
        # entries between rows of the table, in a row without a label, would be passed over
        inputs = [columns[key] for key in typed.keys if key in columns]
        for row in range(min(rows, default=0), max(rows, default=0)):
            said = [at for at in inputs if (cell := cells.get((row, at))) and not cell.formula]
            if said and row not in rows:
                what = "the row has no number of its own: move what it says into one that has"
                self.entries.lost[table.name].append((what, f"{title}!{_name((row, said[0]))}"))
        return rows

    # -- single cells -----------------------------------------------------------------------

    def _single(self, name: str, single: Single) -> None:
        sheet, place = single.cells.sheet, (single.cells.row, single.cells.column)
        title = self.titles.get(sheet.key)
        if title is None:
            return
        cells, at = self.stored[title].cells, place
        label, words = _label(self.book, sheet, place)
        if label is not None:
            down = place[0] - label[0]
            said = [r for (r, c), cell in cells.items() if c == label[1] and _text(cell) == words]
            # a link to a sheet may say the same
            typed = [r for r in said if (c := cells.get((r + down, at[1]))) and not c.locked]
            rows = typed or said
            if label[0] not in rows:
                if len(rows) > 1:
                    self.entries.notes.append(f"{words!r} is not there @ {title}!{_name(label)}")
                # an older book has its settings in other rows, and not all of today
                if len(rows) != 1:
                    return
                at = rows[0] + down, place[1]
        self.entries.singles[name] = title, at
        usual, cell = _usual(sheet, place), cells.get(at)
        if cell is None:
            if usual is not None:
                self.entries.typed[Key(name)] = Entry(None, f"{title}!{_name(at)}")
        elif _digits(cell.value) == _digits(usual):
            self._see(title, [at])
        else:
            self._take(Key(name), title, at, cell)

    # -- both -------------------------------------------------------------------------------

    def _take(self, key: Key, title: str, at: Place, cell: StoredCell) -> None:
        where = f"{title}!{_name(at)}"
        self._see(title, [at])
        if cell.formula:
            what = f"of a formula only its value stays, {cell.value!r}"
            self.entries.notes.append(f"{what} @ {where}")
        self.entries.typed[key] = Entry(cell.value, where)

    def _see(self, title: str, places: Iterable[Place]) -> None:
        self.seen.setdefault(title, set()).update(places)

    def _leftovers(self, sheet: Sheet, title: str) -> None:
        stored, seen = self.stored[title], self.seen.get(title, set())
        ours = _texts(sheet)
        left = self.entries.own_cells[sheet.key] = [
            at
            for at, cell in sorted(stored.cells.items())
            if not cell.formula
            and at not in seen
            and not (cell.locked and stored.protected)
            and _text(cell) not in ours
        ]
        self.entries.left += [
            f"{_quoted(stored.cells[at].value)} @ {title}!{_name(at)}" for at in left
        ]


def _name(at: Place) -> str:
    return f"{column_letters(at[1])}{at[0]}"


def _quoted(value: object) -> str:
    """What a cell holds, as messages quote it."""
    return repr(value) if isinstance(value, str) else number(repr(value))


def _text(cell: StoredCell | None) -> str:
    """The text in a cell, or an empty one."""
    return cell.value if cell is not None and isinstance(cell.value, str) else ""


def _stored_texts(sheet: StoredSheet) -> set[str]:
    return {cell.value for cell in sheet.cells.values() if isinstance(cell.value, str)}


def _texts(sheet: Sheet) -> set[str]:
    """The texts that stand on a sheet for good."""
    return {put.value for put in sheet.puts.values() if isinstance(put.value, str) and put.value}


def _below(
    typed: Typed, cells: Mapping[Place, StoredCell], columns: Mapping[str, int], first: int
) -> dict[int, int]:
    """The rows below the last one of a table in which something is typed."""
    if not typed.grows:
        return {}
    inputs = {columns[key] for key in typed.keys if key in columns}
    return {
        row: row - first
        for (row, column), cell in cells.items()
        if row >= first + typed.table.rows and column in inputs and not cell.formula
    }


def _table_at(sheet: Sheet, at: Place) -> tuple[Table, str] | None:
    """The table and the key of the column in which a cell stands."""
    for table in sheet.tables:
        for key, column in table.at.items():
            if column == at[1] and table.first <= at[0] <= table.last:
                return table, key
    return None


def _label(book: Declared, sheet: Sheet, at: Place) -> tuple[Place | None, str]:
    """The text beside a single cell or above it, and its place."""
    cells = [single.cells for single in book.singles.values()]
    singles = {(each.row, each.column) for each in cells if each.sheet is sheet}
    places = [(at[0], column) for column in range(at[1] - 1, 0, -1)]
    if (inside := _table_at(sheet, at)) is not None:
        places = [(inside[0].header, at[1])]
    for place in places:
        put = sheet.puts.get(place)
        if put is not None and isinstance(put.value, str) and put.value and place not in singles:
            return place, put.value
    return None, ""


def _usual(sheet: Sheet, at: Place) -> Constant:
    """What a single cell holds as long as nobody types into it."""
    if (put := sheet.puts.get(at)) is not None:
        value = put.value
    elif (inside := _table_at(sheet, at)) is not None:
        value = inside[0].data.get(at[0] - inside[0].first, {}).get(inside[1])
    else:
        value = None
    return value if isinstance(value, str | int | float) else None


def _digits(value: object) -> object:
    """A value with as many digits as all programs save."""
    return cleaned(value) if isinstance(value, float) else value


# -- into another book ----------------------------------------------------------------------------


def placed(entries: Entries, old: Declared, new: Declared) -> tuple[dict[Key, Constant], list[str]]:
    """The entries as another book of the same template takes them, and those for which it has no
    room, as *what @ where*."""
    tables, taken = typed_tables(new), dict[Key, Constant]()
    refused: dict[Key, str] = {}
    listed: dict[tuple[str, str], tuple[Sequence[str], Sequence[str]]] = {}
    """the choices of a column in both books"""
    for key, (value, where) in entries.typed.items():
        if key.row:
            moved = moved_row(old.tables[key.name], tables.get(key.name), key.row - 1)
            fits = moved is not None and tables[key.name].takes(key.column, moved)
            at = key._replace(row=(moved or 0) + 1)
        else:
            fits, at = key.name in new.singles, key
        if fits and key.row:
            column = key.name, key.column
            if column not in listed:
                both = old.tables[key.name], new.tables[key.name]
                listed[column] = _listed(both[0], key.column), _listed(both[1], key.column)
            taken[at] = _in_words(value, *listed[column])
        elif fits:
            choices = old.singles[key.name].choices, new.singles[key.name].choices
            taken[at] = _in_words(value, *choices)
        elif value is not None:
            # of a row, its first entry is enough
            refused.setdefault(key._replace(column=""), f"{_quoted(value)} @ {where}")
    return taken, list(refused.values())


def moved_row(old: Table, typed: Typed | None, row: int) -> int | None:
    """A row in the other book's table: the same one, or the same of its group."""
    if typed is None:
        return None
    new = typed.table
    if not (old.group and new.group):
        return row
    group, row = divmod(row, old.group)
    return group * new.group + row if row < new.group else None


def _listed(table: Table, column: str) -> Sequence[str]:
    """The words that the list of a column offers, if they are texts of the book: those of a column
    of another table."""
    allowed = table.columns[column].validation if column in table.columns else None
    if allowed is None or allowed.kind != "list" or not isinstance(allowed.first, Reference):
        return ()
    name, _, key = allowed.first.text.rstrip("]").partition("[")
    of = table.sheet.book.tables.get(name)
    formula = next((line.formula for line in of.lines if key in line.keys), None) if of else None
    if of is None or formula is None:
        return ()
    names, words = of.sheet.names_at(of), list[str]()
    for row in range(of.rows):
        word = value_of(names.resolve(formula, row))
        if not isinstance(word, str):
            return ()
        words.append(word)
    return words


def _in_words(value: Constant, choices: Sequence[str], others: Sequence[str]) -> Constant:
    """What was chosen from a list, as the other book's list has it."""
    if value not in choices or len(others) != len(choices):
        return value
    return others[choices.index(str(value))]
