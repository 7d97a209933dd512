"""Orders of finish: a line for each table, ``1st``, ``2nd``, ``3rd``, or one for each of its
players, ``game``, ``player``, ``place``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, Final

from elo_xl.english import plural
from elo_xl.events.event import Finish
from elo_xl.events.fields import Dates, MixedDatesError, number, why_none
from elo_xl.events.games import (
    WEEKDAY,
    bye_of,
    is_result,
    is_total,
    may_be_nobody,
    nobody_words,
    sides_of,
)
from elo_xl.events.players import Renamed, full_name, player_columns
from elo_xl.events.sheets import Cells, Sheet
from elo_xl.events.sided import PAIR
from elo_xl.events.table import SIDE_WORDS, Columns, Head, Row, Table, best_head, game_column, plain
from elo_xl.languages.typed_words import TYPED
from elo_xl.people import same_cell, seated

ORDERS: Final = (
    "it has orders of finish, not games of two: elo-xl rate takes them, and ELO_PLACES a row for "
    "each table, with the players in the order 1st, 2nd, 3rd"
)
_ORDINALS: Final = {
    plain(form): n
    for one in TYPED.values()
    for n, forms in enumerate(one.places.split(", "), start=1)
    for form in forms.split()
}
_PLACE: Final = re.compile(
    r"(?:place|position|platz|rang|puesto|lugar|posicion|posicao|rank|место)([1-9])"
    r"|([1-9])(?:(?:st|nd|rd|th|er|re|e|eme|o|a|é|ое|е)(?:place|puesto|lugar|место)?"
    r"|platz|place|puesto|lugar|место)"
)
_OF_PLACE: Final = re.compile("(?:place|platz|puesto|lugar|место|platzierter)$")
_RANK: Final = re.compile(r"[=tT]?\s*([0-9]{1,4}(?:[.,]5)?)(?:\.|º|st|nd|rd|th|ers?|e|o)?\s*=?")
_MINUS: Final = re.compile(r"^[-−–]")
_RESULTS: Final = ("result", "scores", "outcome", "winner", "points", "first points", "loser")
_POINTS: Final = ("points", "result", "scores")
_TELL: Final = "if there are several tables, number them in a column table"
_BOARD: Final = ["table id", "player name"]
_TEAMS: Final = frozenset(SIDE_WORDS) - {"opponent"}
_COUNTS: Final = frozenset(("played", "gespielt"))
"""what may be the day, but beside a place is how many games"""
_RANKED: Final = frozenset(("play", "hand"))
"""what in a league's table or a ranking is how many games, or the hand that somebody plays with"""


def order_head(rows: Sequence[tuple[int, list[str]]], renamed: Renamed) -> Head | None:
    """The headings of a list of orders of finish; None where there are none."""
    return best_head(rows, game_column, lambda head: bool(_places(head) or _long(head)), renamed)


def place_words() -> dict[str, Any]:
    """What a page needs to know the columns of places as this module does.

    >>> re.fullmatch(place_words()["place"], "2ndplace")[2], place_words()["ordinals"]["zweiter"]
    ('2', 2)
    """
    patterns = {"place": _PLACE.pattern, "of_place": _OF_PLACE.pattern}
    words = {"beside_places": _RESULTS, **nobody_words()}
    return {**patterns, "ordinals": _ORDINALS, **words}


def _place(heading: str) -> int:
    """The place that a heading names; 0 for others.

    >>> [_place(heading) for heading in ("2nd", "Third place", "Zweiter", "Winner", "Round 2")]
    [2, 3, 2, 1, 0]
    """
    text = plain(heading)
    if match := _PLACE.fullmatch(text):
        return int(match[1] or match[2])
    if game_column(heading) == "winner":
        return 1
    return _ORDINALS.get(text) or _ORDINALS.get(_OF_PLACE.sub("", text), 0)


def _places(head: Head) -> Columns:
    """The columns of places, if there are the first three, and no two players beside them."""
    found: dict[int, int] = {}
    for at, cell in enumerate(head.cells):
        n = _place(cell)
        # the winner's name may stand beside all places
        if n and (n not in found or game_column(head.cells[found[n]]) == "winner"):
            found[n] = at
    sides = sides_of(head)
    if not {1, 2, 3} <= found.keys() or (len(sides) == 2 and {*sides.values()} - {*found.values()}):
        return {}
    return {f"place {n}": at for n, at in sorted(found.items())}


def _long(head: Head) -> Columns:
    """The columns of a list with a line for each player of a table, if it is one."""
    places, columns = head.places, player_columns(head)
    if "first" in columns:
        columns["name"] = columns["first"]
    teams = [at for at, cell in enumerate(head.cells) if plain(cell) in _TEAMS]
    columns |= {"name": at for at in teams if not {"name", "last"} & columns.keys()}  # noqa: B035
    points = next((column for column in _POINTS if column in places), "")
    how = "rank" if "rank" in places else points
    ranking = _RANKED if {"rank", "points"} <= places.keys() else ()
    keys = [("table", at) for at in places.get("table", ()) if plain(head.cells[at]) not in ranking]
    keys += [("round", at) for at in places.get("round", ())]
    days = [at for at in places.get("date", ()) if plain(head.cells[at]) not in _COUNTS]
    dates = [at for at in days if plain(head.cells[at]) not in WEEKDAY] or days
    keys += [("date", at) for at in dates[:1]]
    if not ({"name", "last"} & columns.keys() and how and keys):
        return {}
    if {"rating", "loser"} & places.keys() or len(sides_of(head)) == 2:
        return {}
    named = [column for column in ("name", "last", "given") if column in columns]
    return {
        **{what if what == "date" else f"{what} {n}": at for n, (what, at) in enumerate(keys, 1)},
        **{column: columns[column] for column in named},
        "rank" if how == "rank" else "points": places[how][0],
    }


def one_each(sheet: Sheet, top: Sequence[Cells], renamed: Renamed) -> Sheet | None:
    """The sheet with a line for each player of a table, if it has a column for each of them."""
    for row in top:
        head = Head(*row, game_column, renamed)
        texts = [*map(plain, head.cells)]
        # elsewhere Bo is a board
        names = [at for at, text in enumerate(texts) if at in head.unknown or text == "bo"]
        people = [at for at in names if not may_be_nobody(head.cells[at])]
        beside = {"date", "table", "round", "number", "status", *_RESULTS} >= head.places.keys()
        known = len(names) + sum(map(len, head.places.values())) == len(texts)
        # wins, draws and losses are no people
        counts = any(
            len(head.cells[at]) > 2 and is_result(head.cells[at].rstrip("s")) for at in people
        )
        if len(people) < 3 or counts or not (beside and known) or any(map(str.isdigit, texts)):
            continue
        seen = _one_each(replace(sheet, rows=top.__iter__), head, people)
        read = [[_signed(cells[-1].strip("=T.")) for _, cells in of]
                for line, of in groupby(seen, itemgetter(0)) if line > head.line]  # fmt: skip
        numbers = [[n for n in of if n is not None] for of in read]
        if numbers and numbers == read and min(map(len, numbers)) > 1:
            # a place may be missing, and 1, 2 in a line may be points
            ordered = [all(n == 1 + sum(m < n for m in of) for n in of) for of in numbers]
            what = "place" if 2 * sum(ordered) > len(ordered) else "points"
            return replace(sheet, rows=partial(_one_each, sheet, head, people, what))
    return None


def _one_each(sheet: Sheet, head: Head, people: list[int], what: str = "") -> Iterator[Cells]:
    for line, cells in sheet.rows():
        row = [*cells, *[""] * (len(head.cells) - len(cells))]
        day = [row[at] for at in head.places.get("date", ())]
        if line <= head.line:
            yield line, cells if line < head.line else [*day, *_BOARD, what]
        elif not any(is_total(cell) for at, cell in enumerate(row) if at not in people):
            for at in people:
                if row[at] == "0" or bye_of(row[at]) is None:  # who was absent has no place
                    yield line, [*day, str(line), head.cells[at], row[at]]


def _signed(text: str) -> float | None:
    minus = _MINUS.match(text)
    value = number(text[minus is not None :])
    return value if value is None or not minus else -value


def finishes_of(sheet: Sheet, head: Head) -> tuple[Table, list[Finish], str]:
    """The orders of finish of a sheet, with its table, which has problems for those that cannot be
    read, and how it was read."""
    table = Table(sheet, head.line, _places(head) or _long(head), head.cells)
    table.dates = head.dates
    table.unknown(head, table.columns.values())
    if "place 1" not in table.columns:
        finishes = list(_of_players(table, head))
        return table, finishes, _said(table, finishes)
    table.columns |= {"date": at for at in head.places.get("date", ())[:1]}  # noqa: B035
    beside = [head.cells[head.places[what][0]] for what in _RESULTS if what in head.places]
    if beside and {"first", "second"} <= head.places.keys():
        a, b, c = (table.heading(f"place {n}") for n in (1, 2, 3))
        table.problem(
            f"it may have games of {a!r} against {b!r}, with {beside[0]!r}, or orders of finish: "
            f"for games leave {c!r} out, for tables call the columns 1st, 2nd, 3rd"
        )
        return table, [], ""
    days = _days(table)
    finishes = [_in_columns(table, row, days.read(row["date"])) for row in table.rows()]
    alone = {same_cell(name) for finish in finishes for name in finish.names}
    for name in dict.fromkeys(name for finish in finishes for name in finish.names):
        people = PAIR.split(name)
        if len(people) > 1 and not alone.isdisjoint(map(same_cell, people)):
            what = f"{name!r} has people who also stand alone: if they share the place, type "
            table.problem(f"{what}{people[0]!r} there and '={people[1]}' in the next one")
    return table, finishes, "tables in their order of finish, in the order of the lines"


def _said(table: Table, finishes: Sequence[Finish]) -> str:
    sizes = sorted({len(finish.names) for finish in finishes}) or [0]
    of = " to ".join(map(str, dict.fromkeys((sizes[0], sizes[-1]))))
    board = table.headings[-3:-1] == _BOARD
    each = "line" if board else " and ".join(map(table.heading, _keys(table)))
    said = f"{plural(len(finishes), 'table')} of {of} players, one for each {each}"
    if board:
        are = "places" if "rank" in table.columns else "points, of which more is better"
        said += f"; the cells are {are}: if not, type player and place or points in a line for each"
    elif "points" in table.columns:
        said += (
            f"; who has more in {table.heading('points')} comes before others: for another order "
            "type the places in a column place"
        )
    return f"{said}; in the order of the lines"


def _days(table: Table) -> Dates:
    """The dates of a list, all in one order if there is one."""
    usual = table.dates or "dmy"
    try:
        return Dates((row["date"] for row in table.rows()), usual=usual)
    except MixedDatesError as wrong:
        table.problem(f"{wrong}: write them as 2026-03-07")
        return Dates(usual=usual)


def _in_columns(table: Table, row: Row, day: date | None) -> Finish:
    cells = [row[f"place {n}"].strip() for n in range(1, 10)]
    names = list(filter(None, cells))
    finish = Finish([seated(name)[0] for name in names], [], day)
    for n, name in enumerate(names, start=1):
        finish.places.append(finish.places[-1] if seated(name)[1] and n > 1 else n)
    if cells[: len(names)] != names:
        table.problem("a place is empty before others: =Bo in the next one shares it", row)
    elif len({same_cell(name) for name in finish.names}) < max(len(names), 2):
        table.problem("a table has two or more players, each of them once", row)
    return finish


def _keys(table: Table) -> list[str]:
    """The columns that say which table a line belongs to."""
    return [column for column in table.columns if column.split()[0] in ("table", "round", "date")]


def _of_players(table: Table, head: Head) -> Iterator[Finish]:
    """The tables whose players have a line each. The lines of one stand together, since otherwise
    nothing tells the order of the tables."""
    days, keys = _days(table), _keys(table)
    names = {same_cell(full_name(row)) for row in table.rows()}
    for at in set(head.unknown) - {*table.columns.values()}:
        if any(at < len(row.cells) and same_cell(row.cells[at]) in names for row in table.rows()):
            what = (
                f"column {head.cells[at]!r} has players, too: for games of two call it opponent, "
            )
            what += "for tables give each player a line of their own"
            table.problems.append(table.sheet.problem(what, head.line, at + 1))
    if "points" in table.columns and len(head.places.get("points", ())) > 1:
        one = table.choice("points", "points")
        table.problem(f"there are several columns of points: {one} chooses one", None, "points")

    def key(row: Row) -> tuple[object, ...]:
        return tuple((c == "date" and days.read(row[c])) or same_cell(row[c]) for c in keys)

    seen: set[tuple[object, ...]] = set()
    for this, lines in groupby(table.rows(), key):
        rows = list(lines)
        there = " and ".join(f"{table.heading(c)} {rows[0][c]}" for c in keys)
        day = days.read(rows[0]["date"])
        if blank := next((column for column in keys if not rows[0][column]), ""):
            what = f"{table.heading(blank)} is missing: type it in each line"
            table.problem(what, rows[0], blank)
        elif day is None and "date" in keys:
            text = rows[0]["date"]
            table.problem(f"date {why_none(text)}: {text!r}", rows[0], "date")
        elif this in seen:
            what = f"{there} has other lines above: sort the list, so that the lines of one table "
            table.problem(f"{what}stand together; {_TELL}", rows[0])
        else:
            seen.add(this)
            yield _finish(table, rows, there, day)


def _finish(table: Table, rows: Sequence[Row], there: str, day: date | None) -> Finish:
    ranked: list[tuple[float, str]] = []
    names = set[str]()
    for row in rows:
        name, value = full_name(row), _value(table, row)
        if not name:
            table.problem("the name is missing", row, "name")
        elif same_cell(name) in names:
            table.problem(f"{name!r} has two lines with {there}: {_TELL}", row, "name")
        elif value is not None:
            ranked.append((value, name))
        names.add(same_cell(name))
    if len(rows) < 2:
        table.problem(f"{there} has one player: a table has two or more", rows[0])
    ranked.sort(key=lambda pair: pair[0])
    values = [value for value, _ in ranked]
    told = "rank" not in table.columns or any("table" in column for column in table.columns)
    for value, after in () if told else pairwise(dict.fromkeys(values)):
        # places 1, 1, 2, 2 of a day may be those of two tables; 1, 1, 3, 3 may not
        if (n := values.count(value)) > 1 and value.is_integer() and after < value + n:
            what = (
                f"{there} has place {value:g} {n} times, and then {after:g}: if they share it at "
            )
            what += f"one table, type {value + n:g} for {after:g}; {_TELL}"
            table.problem(what, rows[0], "rank")
    return Finish([name for _, name in ranked], [values.index(value) + 1 for value in values], day)


def _value(table: Table, row: Row) -> float | None:
    """What orders the players of a table, the least first; None, and a problem, without it."""
    if "rank" in table.columns:
        match = _RANK.fullmatch(row["rank"])
        value = number(match[1]) if match else None
        if value is None:
            what = f"place must be a number such as 1 or =2: {row['rank']!r}; who did not finish "
            what += "has the place after all others, and who did not start has no line"
            table.problem(what, row, "rank")
        return value
    if (value := _signed(row["points"])) is None:
        table.problem(f"points must be a number: {row['points']!r}", row, "points")
        return None
    return -value
