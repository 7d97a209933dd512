"""Crosstables: one line per player, columns of rounds (``12w1``, ``+5``) or opponents (1, ½, 0)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from elo_xl.engine.results import ALIKE, ROUND_CODES, SPELLINGS, normal
from elo_xl.events.assembly import Assembly, Line, with_handicap
from elo_xl.events.berger import meeting
from elo_xl.events.fields import number as read_number
from elo_xl.events.players import PlayerEntry, entries_of
from elo_xl.events.programs import ProgramCell
from elo_xl.events.programs import cell as program_cell
from elo_xl.events.table import Head, Row, Table, round_columns, white_letter

AS_LIST: Final = "make a list with the columns first, second and result"
"""what helps where a crosstable cannot be read"""
LEAST_ROUNDS: Final = 2
"""Columns with numbers that make a table of players a crosstable; one that says *Round* will do."""

_SIGNS: Final = str.maketrans(
    {dash: "-" for dash in ALIKE["-"] if dash not in ":∶"}
    | {",": ".", "Х": "x", "х": "x", "×": "x"}
)
_RESULT: Final = r"(?:1/2|0\.5|½|[10=+\-])"
_OPPONENT_FIRST: Final = re.compile(
    rf"([0-9]{{1,4}})(?:\s*([^\W\d_])\s*|\s+|(?=[+=½-]))({_RESULT})\s*[kf]?"
)
_TO_COME: Final = re.compile(r"([0-9]{1,4})\s*([^\W\d_])\s*\*?")
"""a game that was not over when the table was made"""
_OPPONENT_LAST: Final = re.compile(
    r"([+=\-½]|[10]\s|win|draw|loss|[^\W\d_])\s*([0-9]{1,4})\s*([^\W\d_])?"
)
_DIAGONAL: Final = re.compile(r"[*x#■█◼⬛\\]+")
_NOTHING: Final = frozenset(["", "--", "---", "*", "x", "-", ".", "..."])
_BYES: Final = {
    **{text: code for text, (code, _) in SPELLINGS.items() if code and code in "UHFZ"},
    **dict.fromkeys(("b", "-1", "+", "1"), "U"),
    **dict.fromkeys(("-=", "=", "-0.5", "0.5", "-1/2", "1/2"), "H"),
    **dict.fromkeys(("-0", "0"), "Z"),
}
_WORDS: Final = {
    **{text: code for text, (code, reply) in SPELLINGS.items() if reply and code in "1=0"},
    **dict.fromkeys("sg+", "1"),
    **dict.fromkeys("rte", "="),
    **dict.fromkeys("vnp-", "0"),
}
"""Results before the number of the opponent: beside what is typed anywhere, first letters, as
crosstables of many countries have them, and + and -, which are no forfeits here."""
_HALF: Final = frozenset(("½", "=", "1/2", "0.5"))
_REPLIES: Final = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}
_TOGETHER: Final = frozenset((*_REPLIES.items(), ("-", "-"), ("", "")))
_TOKENS: Final = re.compile(r"1/2|0\.5|[10½=+\-]")
_TOTAL: Final = re.compile(r"[0-9]{1,4}(\.[05]|½)?|½|[0-9]{1,3}[-:][0-9]{1,3}")
"""the points of a match, or the score of a game"""


def is_crosstable(head: Head) -> bool:
    """Whether a row of headings is that of a crosstable."""
    rounds = round_columns(head.cells)
    named = any(any(map(str.isalpha, head.cells[place])) for place in rounds.values())
    return len(rounds) >= (1 if named else LEAST_ROUNDS) and bool(
        {"name", "last"} & head.places.keys()
    )


def read_crosstable(table: Table, event: Assembly) -> list[PlayerEntry]:
    """Read players and results of a crosstable; what is wrong is a problem of the table."""
    rounds = round_columns(table.headings)
    columns = {**table.columns, **{f"round {number}": place for number, place in rounds.items()}}
    table.columns = columns
    table.only = [
        row
        for row in table.rows()
        if row["name"] or row["last"] or any(row[f"round {number}"] for number in rounds)
    ]
    table.only = [row for row in table.only if not _is_note(row)]
    entries = list(entries_of(table, event=True))
    rows = table.only
    if "number" not in table.columns:
        numbers = _ranks(rows) or range(1, len(rows) + 1)
        entries = [replace(e, number=n) for e, n in zip(entries, numbers, strict=True)]
    unnumbered = [row for row, entry in zip(rows, entries, strict=True) if entry.number is None]
    for row in unnumbered:
        if row["number"] == "":
            table.problem("the player has no number, and others have", row, "number")
    if unnumbered:
        return entries
    cells = [[_plain(row[f"round {number}"]) for number in rounds] for row in rows]
    filled = [cell for line in cells for cell in line if cell not in _NOTHING]
    # results alone: against whom they are can only be told by a column for each player
    if filled and all(_TOKENS.sub("", cell).strip(" /") == "" for cell in filled):
        if len(rows) == 2 and (len(rounds) != 2 or _NOTHING.isdisjoint((cells[0][0], cells[1][1]))):
            _match(table, rows, cells, entries, event)
        elif len(rounds) == len(rows):
            _matrix(table, rows, cells, entries, event)
        else:
            table.problem(
                f"the columns 1 to {len(rounds)} have results but no opponents, and there "
                f"are {len(rows)} players: 12w1, +5 or a column for each player is read"
            )
    elif not (len(rounds) == len(rows) and filled and _of_matches(table, rows, cells)):
        _rounds(table, rows, cells, entries, event)
    _check_points(table, rows, entries, event)
    return entries


def _match(
    table: Table,
    rows: Sequence[Row],
    cells: Sequence[Sequence[str]],
    entries: Sequence[PlayerEntry],
    event: Assembly,
) -> None:
    """Read the games of a match of two, a column each; who had White it does not say."""
    (one, other), (a, b) = cells, (entry.number or 0 for entry in entries)
    for number, pair in enumerate(zip(one, other, strict=True), start=1):
        first, second = ("=" if cell in _HALF else cell for cell in pair)
        # one of the two cells may be left blank
        first = _REPLIES.get(second, "") if first in _NOTHING else first
        second = _REPLIES.get(first, "") if second in _NOTHING else second
        if (first, second) not in _TOGETHER:
            what = f"the two results of game {number} contradict each other: {' and '.join(pair)}"
            table.problem(what, rows[0], f"round {number}")
        elif first:
            event.add(Line(number, a, b, first, second, False))


def _ranks(rows: Sequence[Row]) -> list[int]:
    """The ranks of players, if everybody has their own."""
    ranks = [row["rank"] for row in rows]
    unique = all(rank.isdigit() for rank in ranks) and len(set(ranks)) == len(ranks)
    return list(map(int, ranks)) if unique else []


def _check_points(
    table: Table, rows: Sequence[Row], entries: Sequence[PlayerEntry], event: Assembly
) -> None:
    """Warn of points that are not those of the results, as a reader of report files does."""
    if "points" not in table.columns or table.problems:
        return
    given = dict.fromkeys((entry.number for entry in entries), 0.0)
    # a bye of a round that is being played may count later
    under_way = {line.round for line in event.lines if line.second is not None and not line.code}
    later = given.copy()
    for line in event.lines:
        for who, code in ((line.first, line.code), (line.second, line.reply)):
            if who is not None and code:
                given[who] += ROUND_CODES[code].points
                if line.second is None and line.round in under_way:
                    later[who] += ROUND_CODES[code].points
    for row, entry in zip(rows, entries, strict=True):
        points = read_number(row["points"].replace("½", ".5"))
        most = given[entry.number]
        if points is not None and not any(
            abs(points - sum_) < 0.25 for sum_ in (most, most - later[entry.number])
        ):
            what = f"points are {points:g}, but the results of {entry.name} give"
            table.warn(f"{what} {most:g}", row, "points")


def _is_note(row: Row) -> bool:
    return sum(map(bool, row.cells)) == 1 and not row["name"] and not row["last"]


def _plain(cell: str) -> str:
    text = unicodedata.normalize("NFC", cell).translate(_SIGNS).casefold().strip()
    return "*" if _DIAGONAL.fullmatch(text) else text


# -- one column per round -------------------------------------------------------------------------


def _rounds(
    table: Table,
    rows: Sequence[Row],
    cells: Sequence[Sequence[str]],
    entries: Sequence[PlayerEntry],
    event: Assembly,
) -> None:
    read = _read_cells(table, rows, cells)
    letters = {cell.colour for line in read for cell in line if cell and cell.colour}
    white = white_letter(letters)
    meant = _meant(rows, read, entries)
    players = [entry.number or 0 for entry in entries]
    for number in range(1, len(cells[0]) + 1 if cells else 1):
        column = [line[number - 1] for line in read]
        for place, cell in enumerate(column):
            if cell is None or (cell.opponent is None and not cell.code):
                continue
            if cell.opponent is None:
                event.add(Line(number, players[place], None, cell.code, "", False))
                continue
            row, where = rows[place], f"round {number}"
            other = meant.get(cell.opponent)
            if other is None or other == place:
                what = f"opponent {cell.opponent} does not exist"
                if other is not None:
                    what = f"{entries[place].name!r} is paired with themselves"
                table.problem(what, row, where)
                continue
            reply = column[other]
            if reply is None:
                continue
            if reply.opponent is None or meant.get(reply.opponent) != place:
                has = "nobody" if reply.opponent is None else str(reply.opponent)
                table.problem(
                    f"{entries[place].name} meets {entries[other].name}, who meets {has} "
                    f"in round {number}",
                    row,
                    where,
                )
            elif place < other:  # the one that stands first enters the game of both
                names = entries[place].name, entries[other].name
                if _fit(table, row, where, names, (cell, reply), bool(white)):
                    pair = players[place], players[other]
                    event.add(_line(number, pair, cell, reply, white))


def _read_cells(
    table: Table, rows: Sequence[Row], cells: Sequence[Sequence[str]]
) -> list[list[ProgramCell | None]]:
    """What the cells of all rounds say; None, and a problem, for each that is not understood."""
    stones = [(row, n) for row, line in zip(rows, cells, strict=True)
              for n, text in enumerate(line, start=1)
              if (cell := program_cell(text)) and cell.stones]  # fmt: skip
    if stones:
        table.warn(with_handicap(len(stones) // 2, True), stones[0][0], f"round {stones[0][1]}")
    numbers_first = any(_OPPONENT_FIRST.fullmatch(cell) for line in cells for cell in line)
    read: list[list[ProgramCell | None]] = []
    for row, line in zip(rows, cells, strict=True):
        read.append([])
        for number, text in enumerate(line, start=1):
            reading = _cell(text, numbers_first)
            if reading is None:
                table.problem(_unread(row[f"round {number}"]), row, f"round {number}")
            read[-1].append(reading)
    return read


def _fit(
    table: Table,
    row: Row,
    where: str,
    names: tuple[str, str],
    cells: tuple[ProgramCell, ProgramCell],
    colours: bool,
) -> bool:
    """Whether the cells of two who name each other make a game; two equal colours are a doubt."""
    (one, other), (cell, reply) = names, cells
    if (cell.code, reply.code) not in _TOGETHER:
        what = f"the results of {one} and {other} in {where} contradict each other"
        table.problem(what, row, where)
        return False
    if not cell.code:
        table.warn(f"the game of {one} and {other} in {where} has no result", row, where)
    if colours and cell.colour and cell.colour == reply.colour:
        table.warn(f"{one} and {other} have the same colour in {where}", row, where)
    return True


def _line(
    number: int, pair: tuple[int, int], cell: ProgramCell, reply: ProgramCell, white: str
) -> Line:
    coloured = bool(white) and cell.colour != reply.colour and bool(cell.colour)
    if coloured and cell.colour != white:
        cell, reply, pair = reply, cell, (pair[1], pair[0])
    stones = max(cell.stones, reply.stones) if coloured else 0
    return Line(number, *pair, cell.code, reply.code, coloured, stones=stones)


def _cell(cell: str, numbers_first: bool) -> ProgramCell | None:
    """What a cell says; None if it cannot be understood."""
    if cell in _NOTHING:
        return ProgramCell("", None)
    if (written := program_cell(cell)) is not None:
        return written
    # where results stand first, -1 is a loss against number 1 and no bye
    if (bye := _BYES.get(normal(cell))) and (
        numbers_first or not cell[-1:].isdigit() or cell == "-0"
    ):
        return ProgramCell(bye, None)
    if match := _OPPONENT_FIRST.fullmatch(cell):
        opponent, letter, result = match.groups()
        code = "=" if result in _HALF else result
        if not letter and code in "+-":
            code = {"+": "1", "-": "0"}[code]
        return ProgramCell(code, int(opponent), letter or "")
    if match := _TO_COME.fullmatch(cell):
        return ProgramCell("", int(match[1]), match[2])
    if numbers_first or not (match := _OPPONENT_LAST.fullmatch(cell)):
        return None
    sign, number, letter = match.groups()
    sign = sign.strip()
    code_ = _WORDS.get(normal(sign))
    if sign in ("b", "h", "f", "u", "z"):
        return ProgramCell({"b": "U"}.get(sign, sign.upper()), None)
    return None if code_ is None else ProgramCell(code_, int(number), letter or "")


def _unread(text: str) -> str:
    what = f"{text!r} is neither an opponent with a result, such as 12w1 or +5, nor a bye"
    if text.isdigit():
        what += ": a spreadsheet makes the number 5 of +5, type '+5"
    return what


def _meant(
    rows: Sequence[Row],
    read: Sequence[Sequence[ProgramCell | None]],
    entries: Sequence[PlayerEntry],
) -> Mapping[int, int]:
    """The place of each number that cells mean: starting numbers, ranks or lines, whichever fits.

    Those fit in which opponents name each other.
    """

    def by(numbers: Iterator[str]) -> dict[int, int]:
        return {int(text): place for place, text in enumerate(numbers) if text.isdigit()}

    candidates = [
        {entry.number: place for place, entry in enumerate(entries) if entry.number is not None},
        by(row["rank"] for row in rows),
        {place + 1: place for place in range(len(rows))},
    ]

    def fits(meant: Mapping[int, int]) -> int:
        count = 0
        for place, line in enumerate(read):
            for number, cell in enumerate(line):
                if cell is None or cell.opponent is None:
                    continue
                other = meant.get(cell.opponent)
                reply = None if other is None else read[other][number]
                count += reply is not None and meant.get(reply.opponent or -1) == place
        return count

    # of equal ones the first: a starting number is what most crosstables mean
    return max(candidates, key=fits)


# -- one column per player ------------------------------------------------------------------------


def _matrix(
    table: Table,
    rows: Sequence[Row],
    cells: Sequence[Sequence[str]],
    entries: Sequence[PlayerEntry],
    event: Assembly,
) -> None:
    """Read results by opponents. The rounds are those of a Berger table: which they were, and who
    had White, such a table does not say."""
    size = len(rows)
    seats = size + size % 2
    players = [entry.number or 0 for entry in entries]
    for a in range(size):
        if cells[a][a] not in _NOTHING:
            table.problem("a player does not meet themselves", rows[a], f"round {a + 1}")
        for b in range(a + 1, size):
            mine, theirs = _results(cells[a][b]), _results(cells[b][a])
            # one of the two cells may be left blank
            mine = mine or [_REPLIES[code] for code in theirs]
            theirs = theirs or [_REPLIES[code] for code in mine]
            if len(mine) != len(theirs) or not all(
                pair in _TOGETHER for pair in zip(mine, theirs, strict=True)
            ):
                table.problem(
                    f"the results of {entries[a].name} and {entries[b].name} contradict "
                    f"each other: {rows[a][f'round {b + 1}']!r} and "
                    f"{rows[b][f'round {a + 1}']!r}",
                    rows[a],
                    f"round {b + 1}",
                )
                continue
            round, _ = meeting(a + 1, b + 1, seats)
            for cycle, (code, reply) in enumerate(zip(mine, theirs, strict=True)):
                line = Line(round + cycle * (seats - 1), players[a], players[b], code, reply, False)
                event.add(line)


def _of_matches(table: Table, rows: Sequence[Row], cells: Sequence[Sequence[str]]) -> bool:
    """Whether cells by opponents are totals, 8 beside 2, which is a problem: neither what they are
    of nor, for points of games, how many were drawn do they say."""
    size = len(rows)
    pairs = [(a, b) for a in range(size) for b in range(a + 1, size)]
    if not all(cells[a][a] in _NOTHING for a in range(size)):
        return False
    found = [(a, b) for a, b in pairs if not {cells[a][b], cells[b][a]} <= _NOTHING]
    if not all(_TOTAL.fullmatch(cells[a][b]) and _TOTAL.fullmatch(cells[b][a]) for a, b in found):
        return False
    a, b = found[0]
    where = f"round {b + 1}"
    mine, theirs = rows[a][where], rows[b][f"round {a + 1}"]
    table.problem(
        f"{mine} beside {theirs} may be the points of several games, or the score of one, such as "
        "sets or goals: for points write a result for each game, such as 110½; for scores "
        f"{AS_LIST}",
        rows[a],
        where,
    )
    return True


def _results(cell: str) -> list[str]:
    """The results of one or several games: ``1``, ``½``, ``1 0``, ``½1``."""
    if cell in _NOTHING and cell != "-":
        return []
    return ["=" if result in _HALF else result for result in _TOKENS.findall(cell)]
