"""Events as tables: CSV and other text, xlsx, xlsm, xlsb, xls, ods, and pages saved as HTML.

**What is read.** A list of games; rounds with their pairings below lines such as *Round 3*; or a
crosstable, with a column for each round (``12w1``, ``+5``; ``4w`` is a game to come) or for each
player (1, ½, 0). Headings may follow lines with a title. They are in English, German, Spanish,
French, Portuguese or Russian, in any order; case and accents do not matter. Unknown columns are
ignored with a warning. For other headings, also of ``--players``, say what is what:
``--columns "white=Weisser,black=Schwarzer"``. ``--sheet`` names the sheet of a workbook, if several
have games.

**Ratings** are beside the games or in the crosstable, on another sheet with a list of the players,
or in a separate file (``--players``; ``players.csv`` in the same folder if omitted). National
ratings, such as DWZ, count where there are no others.

**Texts.** Commas, semicolons, tabs or bars separate the cells; numbers may have a decimal comma.
The encoding is UTF-8 or UTF-16, or that of Windows for Latin (cp1252) or Cyrillic letters (cp1251)
if all words fit only one of them; otherwise name it (``--encoding cp1250``). Lines may end in CR,
LF or both. A cell that contains the delimiter is in double quotes.

**Players**, one per line; names, also with ratings behind them, need no headings for ``--people``:

========================================= =========================================================
``number`` (no, nr, start no)             starting number; 1, 2, 3 … in file order if omitted
``name`` (player)                         or ``last name`` and ``first name``
``id`` (fide id, fide no)                 FIDE number or any other identifier
``rating`` (elo, rtg)                     whole, 1 to 4000; blank or 0 for an unrated player
``k`` (k factor)                          0 to 100; if blank, the rulebook decides
``games`` (gms, rated games)              rated games before the event
``index`` (evaluated events)              events evaluated before, which ``dwz`` counts, not games
``birth`` (birth year, born, b-day, yob)  a year or a date
``age``                                   instead of a birth year: event's year minus birth year
``peak`` (highest, highest rating)        highest published rating
``federation`` (fed, country)
``title``, ``sex`` (gender)
========================================= =========================================================

**Games**, one per line:

========================================= =========================================================
``white`` or ``first`` (player, home)     the first player: a name, an id or a starting number
``black`` or ``second`` (opponent, away)  the second player; ``bye`` if there is none, or blank with
                                          such a result
``result`` (score, res)                   the first player's: ``1``, ``0,5``, ``1-0``, ``½-½``, …;
                                          ``+:-``, ``bye`` and the like are not rated
``round`` (rd)                            if omitted, the next round of each player
``date``                                  ``2026-03-07``, ``07.03.2026``, ``March 7, 2026``, …
``white elo``, ``black elo``              or ``elo`` twice, or one of them alone, as in a log of
                                          one's own games; ``id``, ``title`` and others likewise
========================================= =========================================================

**Any sport.** The two sides may be ``home`` and ``away``, ``HomeTeam``, ``winner`` and ``loser``,
``player1``, ``Team A``, in six languages. Both may also stand in one cell, ``Ana & Bo vs Cy & Di``,
or ``Ana - Bo`` if the column is called ``match``, ``game`` or the like. The result may be two
columns of points (``home_score``, ``FTHG``, ``p1_points``, ``Score A``), a score (``2-1``,
``11:7``, ``6-4 6-3``), a letter (H, D, A, or 1, X, 2), the winner's name, or that the winner stands
first (``draw`` names the exceptions). ``status`` or ``note`` says which games were awarded or
postponed, ``neutral`` which had no home side, ``season`` to which season they belong, ``times`` how
often each was played (or ``count``; beside winners ``games`` or ``n``), which ``elo-xl fit``
counts. Before its answer a command says in one line what it has understood; if that is wrong,
``--columns "outcome=Result"`` (``scores=``, ``winner=``, ``first points=``) corrects it.
``elo-xl rate`` also rates everybody who plays on a side of several, ``Ana & Bo``, ``Ana and Bo`` or
in columns of their own (``Team A 1``, ``A1``, or ``Player 1`` and ``Partner 1``), and tables in
their order of finish, if nobody has a rating: in one line (``1st``, ``2nd``, ``3rd``; ``Winner``,
``Second``, ``Third``; ``=Bo`` shares the place), or in a line for each player (``player`` and
``place`` or ``points``; ``game``, ``table``, ``round`` or ``date`` say who sat together), or a
column for each, with their places or points.

**Nobody needs a rating to begin.** If nobody has one, ``elo-xl rate`` begins at 1500 (``--start``)
with K 20 (``--k``), rates game after game, and writes the book ``ladder``, ``doubles`` or
``game-night``, filled and live.

**What is asked, not guessed.** A name in another spelling (accents, case, order) is read as the
only player whom it can mean, and a note says so; any other name is refused, with *did you mean*.
Digits, ``+`` and ``#`` always count, and so does the case of ids such as ``aB3x``. Two who meet
each other are two, however alike their names are. Two players of one name need ids or numbers. One
id is one player, and a note names the other spellings; an id with two quite different names is
refused with a question. ``( bye )``, ``HPB``, ``spielfrei``, ``not paired`` in place of a player
are byes; what may be one is asked about. A player with a rating and a result counts, even if they
are called Bye. ``H`` beside an opponent may be a home win or a half-point bye: unless the column
has home, draw and away only, you are asked, and also where a list has each game twice, from the
points of view of both.

Results may be words of English, Spanish, Russian, German, French and Portuguese, as in the books
and ``ELO_SCORE``. ``1.700`` is 1700 if the whole column is written so. All dates of one form have
one order. If no date shows it, as in ``02/03/2024``, a note says how they are read; if the rules, a
new rating or the order of a league's games depends on it, also by a birth date such as
``05/03/10``, you are asked: ``--columns "month first=Date"`` and ``"day first=Date"`` choose. A
date in place of a result is a problem: a spreadsheet made it from 1-0 or 1/2. Of more than five
problems of one kind the message has the first, and how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter
from typing import Final, Literal

from elo_xl.english import plural
from elo_xl.events.assembly import Assembly
from elo_xl.events.crosstable import AS_LIST, is_crosstable, read_crosstable
from elo_xl.events.event import (
    NO_DATES,
    EventError,
    NoRatingsError,
    OrdersError,
    Problem,
    Tournament,
    by_kind,
)
from elo_xl.events.fields import Dates, MixedDatesError, why_none
from elo_xl.events.finishes import ORDERS, finishes_of, one_each, order_head
from elo_xl.events.games import (
    ONCE,
    Gathered,
    Listed,
    add_games,
    bye_of,
    game_head,
    game_table,
    headless_table,
    may_be_nobody,
    split_cells,
)
from elo_xl.events.names import are_apart
from elo_xl.events.players import (
    PlayerEntry,
    Renamed,
    all_named,
    entries_of,
    in_order,
    named_sheet,
    player_table,
    players_head,
    players_in,
    players_sheet,
    renamed,
    twins,
    with_players,
)
from elo_xl.events.programs.aga import members
from elo_xl.events.scores import FORFEIT, apart, together
from elo_xl.events.sheets import Sheet, read_sheets
from elo_xl.events.sided import PAIR, SEVERAL
from elo_xl.events.source import Source, file_name
from elo_xl.events.table import (
    GAME,
    Head,
    Table,
    day_in,
    game_column,
    headings_known,
    plain,
    player_column,
    round_columns,
    round_heading,
    top_rows,
)
from elo_xl.xlsx.fill import column_letters

Kind = Literal["games", "rounds", "crosstable", "orders", "players"]

_NEEDED: Final = {
    "first": ("first player", "white or first", "white"),
    "second": ("second player", "black or second", "black"),
    "result": ("result", "result or score", "result"),
}
_KIND_WORDS: Final = {
    "games": "games",
    "rounds": "rounds with their pairings",
    "crosstable": "a crosstable",
    "orders": "orders of finish",
    "players": "players",
}
_NO_TITLE: Final = re.compile(r"https?:|www\.|chess-results|swiss-manager", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Found:
    """A sheet with the kind of table that is on it."""

    sheet: Sheet
    kind: Kind
    head: Head | None
    rows: Sequence[tuple[int, list[str]]]


def read_table(
    source: Source,
    players: Source | None = None,
    *,
    otherwise: Source | None = None,
    sheet: str = "",
    columns: Mapping[str, str] | None = None,
    encoding: str = "",
    unrated: bool = False,
    changing: bool = False,
) -> Tournament:
    """Read an event from a table of any kind: games, rounds with their pairings, or a crosstable.

    Files are given as paths or as their bytes. The docstring of the module lists the columns; the
    event is called as the line above the headings, otherwise as the file.

    ``players`` is a file with their list; without it ratings stand beside the games, in the
    crosstable, or on another sheet, or else they are those of the file ``otherwise``. ``sheet``
    names the sheet of a workbook; without it, it is the one that has the games. ``columns`` gives
    the headings of columns that are called otherwise, as ``{"white": "Weisser"}``; ``encoding`` is
    that of a text file. With ``unrated`` there need be no ratings, because they come later; with
    ``changing`` the games may be those of years, with the ratings that players had before each one.

    Raises :class:`EventError` with every problem of both files, and OSError if one cannot be read.
    """
    headings = renamed(columns or {})
    sheets = read_sheets(
        source, name="games", encoding=encoding, known=lambda c: _known(c, headings)
    )

    def list_of(source: Source) -> Sheet:
        return players_sheet(
            read_sheets(source, name="players", encoding=encoding, known=headings_known),
            renamed=headings,
        )

    listed = None if players is None else list_of(players)
    chosen = [named_sheet(sheets, sheet)] if sheet else sheets
    candidates = [_find(one, headings) for one in chosen]
    tables = _with_games(candidates)
    heads = [one.head.cells for one in candidates if one.head]
    if listed is not None:
        heads += [cells for _, cells in top_rows(listed)]
    all_named(columns or {}, heads, candidates[0].sheet.file)
    title = _title(tables, source)
    if tables and tables[0].kind == "orders":
        raise _orders(tables, title)
    # nobody has named this file, which only lies there: whatever has ratings goes first
    if listed is None and otherwise is not None and not _rated(sheets, candidates, headings):
        listed = list_of(otherwise)
    if tables and tables[0].kind == "crosstable":
        return _crosstable(tables[0], title, headings, listed, sheets, unrated)
    return _games(
        tables or [_fallback(candidates)], title, headings, listed, sheets, unrated, changing
    )


def _known(cells: Sequence[str], headings: Renamed) -> int:
    return (
        headings_known(cells) + len(round_columns(cells)) + sum(plain(c) in headings for c in cells)
    )


# -- what is where --------------------------------------------------------------------------------


def _find(sheet: Sheet, headings: Renamed) -> _Found:
    rows = top_rows(sheet := together(sheet, top_rows(sheet)))
    games, players = game_head(rows, headings), players_head(rows, headings)
    if players is not None and is_crosstable(players):
        return _Found(sheet, "crosstable", players, rows)
    orders = order_head(rows, headings)
    alone = games is None and (orders is None or "name" in orders.places)
    if alone and (parted := apart(sheet, rows)):
        return _find(parted, headings)
    if orders is not None:
        return _Found(sheet, "orders", orders, rows)
    if games is not None:
        return _Found(sheet, "games", games, rows)
    if headless_table(sheet, rows) is not None:
        return _Found(sheet, "rounds", None, rows)
    if board := one_each(sheet, rows, headings):
        return _find(board, headings)
    return _Found(sheet, "players", players, rows)


def _rated(sheets: Sequence[Sheet], candidates: Sequence[_Found], headings: Renamed) -> bool:
    """Whether ratings stand in the file itself."""
    columns = {column for one in candidates if one.head for column in one.head.places}
    return any("rating" in column for column in columns) or any(
        one.kind == "rounds" and "first rating" in _table(one).columns for one in candidates
    )


def _with_games(candidates: Sequence[_Found]) -> list[_Found]:
    """The sheets with the games: one, or one for each round.

    Raises EventError where several have games.
    """
    for kinds in (("games", "rounds"), ("crosstable",), ("orders",)):
        games = [one for one in candidates if one.kind in kinds and not one.sheet.hidden]
        if len(games) == 1 or (games and all(round_heading([one.sheet.title]) for one in games)):
            return games
        if games:
            titles = " and ".join(repr(one.sheet.title) for one in games)
            what = f"there are games on the sheets {titles}: name one with --sheet"
            raise EventError([Problem(what, file=games[0].sheet.file)])
    return []


def _fallback(candidates: Sequence[_Found]) -> _Found:
    """The sheet whose faults are reported."""
    filled = [one for one in candidates if one.rows]
    one = max(filled or candidates, key=lambda one: len(one.head or ()))
    head = Head(*one.rows[0], game_column, {}) if one.rows else None
    return _Found(one.sheet, "games", head, one.rows)


def _title(tables: Sequence[_Found], source: Source) -> str:
    """The name of the event: a line above the headings, or the name of the file."""
    for one in tables:
        for line, cells in one.rows:
            if one.head is not None and line >= one.head.line:
                break
            # a title stands alone in its line, as neither headings nor games do
            texts = [cell for cell in cells if cell]
            if (
                len(texts) == 1
                and any(map(str.isalpha, texts[0]))
                and round_heading(texts) is None
                and not _NO_TITLE.search(texts[0])
            ):
                return texts[0][:120]
            if one.head is None:
                break
    file = file_name(source)
    stem = re.sub(r"[\s_-]+", " ", file.rpartition(".")[0] or file)
    stem = re.sub(r" ?\bgames$", "", stem, flags=re.IGNORECASE).strip()
    return stem[:1].upper() + stem[1:]


# -- reading --------------------------------------------------------------------------------------


def _games(
    tables: Sequence[_Found],
    title: str,
    headings: Renamed,
    listed: Sheet | None,
    sheets: Sequence[Sheet],
    unrated: bool,
    changing: bool,
    apart: frozenset[str] = frozenset(),
) -> Tournament:
    read = [_table(one) for one in tables]
    beside = any({"first rating", "second rating"} & table.columns.keys() for table in read)
    # ratings beside games are those of that day: then no list is looked for
    if listed is None and not beside:
        listed = _players_beside(sheets, tables, headings)
    event = Assembly()
    people: Table | None = None
    field: Listed | Gathered
    if listed is not None and not beside:
        people = player_table(listed, headings)
        entries = _numbered(list(entries_of(people, event=True)), people)
        twins(entries, people)
        _nobody(entries, people)
        field = Listed(entries, people)
    else:
        for table in read:
            split_cells(table)
        field = Gathered(read[0], changing, apart)
    for one, table in zip(tables, read, strict=True):
        _read_table(one, table, field, event, headings)
    if isinstance(field, Gathered) and field.met - apart:
        # two who meet are two, though their names are alike: read once more
        return _games(tables, title, headings, listed, sheets, unrated, changing, apart | field.met)
    read[0].warnings += list(are_apart(apart, read[0].name))
    entries = list(field.entries)
    several = entries and all(PAIR.search(entry.name) for entry in entries)
    if isinstance(field, Gathered):
        field.rate_lines(entries, event)
        if several:
            what = (
                f"{SEVERAL}, such as {entries[0].name!r}: each counts as one player; elo-xl rate "
                "rates the people if nobody has a rating, as ELO_RUN and ELO_LADDER do"
            )
            read[0].warnings.append(Problem(what, file=read[0].name))
    days = days_of(event, read[0])
    problems = [problem for table in read for problem in in_order(table.problems)]
    if event.mirrored and not problems:
        what = (
            "each game stands there twice, once for each of its two players: leave one of the two "
            "lines out, or call the columns white and black if they met twice"
        )
        problems = [Problem(what, file=read[0].name)]
    if people is not None:
        _ages(entries, people, days)
        problems = [*in_order(people.problems), *problems]
    error = EventError
    if not (problems or any(next(table.rows(), None) for table in read)):
        problems = [Problem("the file has no games", file=read[0].name)]
    elif not (people is not None or unrated or beside or problems):
        likely = read[0].likely("rating", "first rating", "second rating")
        what = "the games have no ratings beside them: name the players with --players" + likely
        problems, error = [Problem(what, file=read[0].name)], NoRatingsError
    understood = [_said(one, table) for one, table in zip(tables, read, strict=True)]
    if people is not None:
        understood.insert(0, _said_of("players", people))
    if problems:
        raise error(problems, understood)
    warnings = [
        *(people.all_warnings() if people else ()),
        *(w for table in read for w in table.all_warnings()),
        *(Problem(what, file=read[0].name) for what in event.twice(entries)),
    ]
    if not days:
        warnings.append(Problem(NO_DATES))
    done = event.tournament(title, entries, days, warnings, understood)
    if event.readings:
        home = event.readings[0].startswith("home side")
        unit = "line" if any(ONCE in said for said in event.readings) else "game"
        forfeits = sum(line.code in FORFEIT for line in event.lines)
        counts = [
            plural(len(done.games), unit),
            *([f"{plural(forfeits, 'forfeit')} not rated"] if forfeits else []),
            plural(len(entries), "team" if home else "side" if several else "player"),
            *([plural(len(event.seasons), "season")] if event.seasons else []),
        ]
        reading = "; ".join([*dict.fromkeys(event.readings), ", ".join(counts)])
        done = replace(done, reading=reading)
    return (
        done
        if listed is None or not beside
        else with_players(done, players_in(player_table(listed, headings)))
    )


def _orders(tables: Sequence[_Found], title: str) -> EventError:
    """What to raise for a list of orders of finish, with what it holds."""
    read = [(one, *finishes_of(one.sheet, one.head)) for one in tables if one.head is not None]
    problems = [problem for _, table, *_ in read for problem in in_order(table.problems)]
    understood = [_said(one, table) for one, table, *_ in read]
    finishes = [finish for _, _, made, _ in read for finish in made]
    if not (problems or finishes):
        problems = [Problem("the file has no games", file=tables[0].sheet.file)]
    if problems:
        return EventError(problems, understood)
    orders = OrdersError([Problem(ORDERS, file=tables[0].sheet.file)], understood)
    orders.name, orders.finishes = title, finishes
    orders.notes = [
        *dict.fromkeys(said for *_, said in read),
        *by_kind(warning for _, table, *_ in read for warning in table.all_warnings()),
    ]
    return orders


def _table(one: _Found) -> Table:
    if one.head is not None:
        return game_table(one.sheet, one.head)
    return headless_table(one.sheet, one.rows) or Table(one.sheet, None, {})


def _crossed(rows: Sequence[tuple[int, list[str]]]) -> str:
    """What is said of a crosstable whose columns are called by the names of the players."""
    (_, head), *below = rows
    down = {plain(cells[0]) for _, cells in below if cells} - {""}
    across = set(map(plain, head[1:]))
    # there may be points, too, and below the players a total
    if len(down & across) < max(2, len(down) - 1):
        return ""
    return (
        "its columns are called by the names of the players: call them 1, 2, 3 in the order of "
        f"the lines, and the names name, or {AS_LIST}"
    )


def _is_list(one: _Found, headings: Renamed) -> bool:
    """Whether a sheet has players, with names and something more."""
    head = players_head(one.rows, headings)
    return head is not None and len(head) > 1 and bool({"name", "last"} & head.places.keys())


def _read_table(
    one: _Found, table: Table, field: Listed | Gathered, event: Assembly, headings: Renamed
) -> None:
    if one.head is None and one.kind == "games":
        table.tell_empty()
        return
    given = set(table.columns)
    if given & {"first points", "scores", "outcome", "winner", "set 1"} or "won" in table.marks:
        given.add("result")
    missing = [column for column in _NEEDED if column not in given]
    if crossed := _crossed(one.rows) if "second" in missing else "":
        table.problem(crossed)
        return
    if {"second", "result"} <= set(missing) and _is_list(one, headings):
        what = (
            "it is a list of players, without games: elo-xl new swiss --people takes it, or "
            "--players beside the games"
        )
        if {"rank", "points"} & {*map(player_column, table.headings)}:
            what += "; for orders of finish add a column game or date"
        table.problem(what)
        return
    if missing and not (one.head or table.likely(*GAME)):
        table.problem(
            members(one.rows[0][1])
            or "it is no list of games: no column has a heading such as white, black or result"
        )
        return
    for column in missing:
        what, call, usual = _NEEDED[column]
        said = f"there is no column for the {what}: call it {call}"
        table.problem(said + table.likely(column, usual))
    if missing:
        return
    above = [row for row in one.rows if one.head is not None and row[0] < one.head.line]
    named = round_heading([one.sheet.title]) if one.sheet.title else None
    round = named[0] if named else 0
    for line, cells in above:
        if heading := round_heading(cells):
            round = heading[0]
        if day := day_in(" ".join(cells)):
            event.days.setdefault(day, one.sheet.problem(repr(day), line))
    add_games(table, field, event, round)


def _players_beside(
    sheets: Sequence[Sheet], tables: Sequence[_Found], headings: Renamed
) -> Sheet | None:
    """Another sheet with players and their ratings."""
    taken = [one.sheet for one in tables]
    others = [_find(sheet, headings) for sheet in sheets if sheet not in taken and not sheet.hidden]
    rated = [one for one in others if one.head is not None and "rating" in one.head.places]
    rated = [one for one in rated if one.kind in ("players", "crosstable")]
    return max(rated, key=lambda one: len(one.head or ())).sheet if rated else None


def _crosstable(
    one: _Found,
    title: str,
    headings: Renamed,
    listed: Sheet | None,
    sheets: Sequence[Sheet],
    unrated: bool,
) -> Tournament:
    table, event = player_table(one.sheet, headings), Assembly()
    entries = read_crosstable(table, event)
    twins(entries, table)
    _nobody(entries, table)
    for line, cells in one.rows:
        if one.head is not None and line < one.head.line and (day := day_in(" ".join(cells))):
            event.days.setdefault(day, one.sheet.problem(repr(day), line))
    days = days_of(event, table)
    _ages(entries, table, days)
    error = EventError
    if listed is None and "rating" not in table.columns:
        # the ratings may be on the sheet with the starting list
        listed = _players_beside(sheets, [one], headings)
        if listed is None and not (unrated or table.problems):
            table.problem("the crosstable has no ratings: name the players with --players")
            error = NoRatingsError
    understood = [_said(one, table)]
    if table.problems:
        raise error(in_order(table.problems), understood)
    warnings = list(table.warnings)
    if not days:
        warnings.append(Problem(NO_DATES))
    done = event.tournament(title, entries, days, warnings, understood)
    return (
        done if listed is None else with_players(done, players_in(player_table(listed, headings)))
    )


def _numbered(entries: list[PlayerEntry], table: Table) -> list[PlayerEntry]:
    """The entries of an event with starting numbers; without that column they count from 1."""
    if "number" not in table.columns:
        entries = [replace(entry, number=place) for place, entry in enumerate(entries, start=1)]
    first: dict[tuple[str, str], int] = {}
    for entry, row in zip(entries, table.rows(), strict=False):
        if "number" in table.columns and not row["number"]:
            table.problem("the number is missing", row, "number")
        for column, value in ("number", row["number"]), ("id", entry.id):
            if value and (line := first.setdefault((column, value), row.line)) != row.line:
                what = f"the {column} {value} stands twice, first {table.sheet.there(line)}"
                table.problem(what, row, column)
    return entries


def _nobody(entries: Sequence[PlayerEntry], table: Table) -> None:
    """Report a bye that stands in a line of its own, as some programs have it among the players."""
    for entry in entries:
        bye = entry.name and (bye_of(entry.name) is not None or may_be_nobody(entry.name))
        if bye and entry.rating is None and not entry.id:
            what = (
                f"{entry.name!r} stands in the line of a player: leave it out, with a bye in place "
                "of its games; a person needs a rating or an id"
            )
            table.problems.append(table.sheet.problem(what, entry.line))


def days_of(event: Assembly, table: Table) -> list[date]:
    """The days of an event, all in one order; reports those that are none."""
    try:
        dates = Dates(event.days, usual=table.dates or "dmy")
    except MixedDatesError as wrong:
        table.problems.append(Problem(f"{wrong}: write them as 2026-03-07", file=table.name))
        return []
    days, others, sure, turned = [], [], True, dict[str, date]()
    for text, at in event.days.items():
        if (day := dates.read(text)) is None:
            table.problems.append(_instead(at, f"date {why_none(text)}: {text!r}"))
            continue
        other = None if table.dates else dates.otherwise(text)
        if other is not None and sure:
            what = f"{text!r} is read as {day.isoformat()}, not {other.isoformat()}"
            if choice := _choice(table, day, other):
                what += f"; {choice} reads it so"
            table.warnings.append(_instead(at, what))
            sure = False
        event.dates[text] = day
        days.append(day)
        turned[text] = other or day
        others.append((other or day, _instead(at, repr(text))))
    if not sure and min(others, key=itemgetter(0))[0] != min(days):
        event.otherwise = min(others, key=itemgetter(0))
    of_games = [text for text in event.days_of_lines.values() if text in turned]
    if not sure and _in_order(of_games, event.dates) != _in_order(of_games, turned):
        text = next(text for text in of_games if turned[text] != event.dates[text])
        what = (
            f"{text!r} may be {event.dates[text]} or {turned[text]}, and the order of the games "
            "depends on it: write it so"
        )
        if choice := _choice(table, event.dates[text], turned[text]):
            what += f", or choose with {choice} or {choice.replace('month', 'day')}"
        event.unordered = _instead(event.days[text], what)
    return days


def _in_order(texts: Sequence[str], days: Mapping[str, date]) -> list[int]:
    return sorted(range(len(texts)), key=lambda n: days[texts[n]])


def _choice(table: Table, day: date, other: date) -> str:
    """The option that reads a date with the month first, if that is the other reading."""
    heading = table.heading("date")
    turned = heading and (day.month, day.day) == (other.day, other.month)
    return table.choice("month first", "date") if turned else ""


def _instead(at: Problem, what: str) -> Problem:
    return Problem(what, at.line, at.column, at.file, at.sheet)


def _ages(entries: Iterable[PlayerEntry], people: Table, days: Sequence[date]) -> None:
    """Report ages that cannot become birth years because the games have no date."""
    for entry, row in zip(entries, people.rows(), strict=False):
        if entry.age is not None and entry.birth_year is None and not days:
            what = f"an age needs the date of a game, got {entry.age}: give the birth year"
            people.problem(what, row, "age")


# -- what was understood --------------------------------------------------------------------------


def _said(one: _Found, table: Table) -> str:
    return _said_of(_KIND_WORDS[one.kind], table)


def _said_of(what: str, table: Table) -> str:
    """Where a table is, and what its columns are."""
    title = table.sheet.title
    place = f"sheet {title!r} of {table.name}" if title else table.name
    if table.top:
        place += f", headings in row {table.top}" if title else f", headings in line {table.top}"
    named = [
        f"{column} = {table.heading(column)!r} ({column_letters(n + 1)})"
        for column, n in sorted(table.columns.items(), key=lambda item: item[1])
        if table.heading(column)
    ]
    return f"{what[:1].upper()}{what[1:]}: {place}: {', '.join(named)}"
