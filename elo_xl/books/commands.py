"""What a book can do: which of its sheets and tables the commands of ``elo-xl`` take.

::

    commands
        publish standings but:cards
        players Pupils
        games Games of:Members
            name = name
            rating = first_rating(name)
        next
            blank Event
            keep Pupils but:away
            fill Pupils
                rating = IF(Members[@games] = 0, rating, ROUND(Members[@rating], 0))

It stands at the margin, as sheets do, and may stand several times. A command asks the book, never
its name, and refuses one that declares nothing for it.

================================== ==============================================================
``publish SHEET but:OTHER,…``      the sheet that comes first on a published page, before those for
                                   the wall, and sheets that are not on it. By default the first
                                   sheet for the wall is first
``curves TABLE``                   the page has curves of everybody's ratings: of a table of games
                                   with the columns ``counts``, ``first``, ``second``, ``day``,
                                   ``after_a``, ``after_b``, ``points`` and ``points_b``; or of a
                                   table of lists, with ``dates:TABLE`` and ``games:TABLE``
``boards TABLE side side``         the round to be played, for result slips: each side is the
                                   columns of name, rating and number; ``number:CELL`` has the round
``page event but:CELL,…``          for whom the front page offers it: those who have an event, or
                                   another of the groups there; single cells that a report does not
                                   fill. Without it, it is one of the further books
``pictures SHEET …``               the sheets that the gallery shows, by default those for the wall
``players TABLE …``                the tables into which players are typed, a table for each team
``games TABLE words``              where the games are, one per line, whose players are typed by
                                   name. Other kinds are ``rounds`` (a group of rows a round, by
                                   number), ``cross`` (everybody against everybody), ``boards`` (row
                                   by row of two tables of players), ``events`` (of several events)
                                   and ``sides`` (of several players, or more than two sides).
                                  ``first:KEY second:KEY``: the columns of the players, if
                                   they are not called ``first`` and ``second`` or ``white`` and
                                   ``black``; ``points:KEY,KEY``: those of what both have scored;
                                   ``uncoloured``: the first one need not have White.
                                   Lines below it: ``score = formula``, the first player's score as
                                   the book reads it; ``rank = formula``, a player's rank in a
                                   report; with ``of:TABLE`` the players are the rows of that table,
                                   with ``name =`` and ``rating =``, and ``now =``, that of today,
                                   if the book rates by rules of its own. Of a league ``win =``,
                                   ``draw =`` and ``loss =`` say what results are worth, ``home =``
                                   the advantage of the first side, ``margin =`` that of a draw. Of
                                   ``sides`` the line ``sides =`` has the players of a game by the
                                   rows of that table, ``3 7/4 9``, with ``places =``, ``1/2``, or
                                   ``score =`` of the first side, ``margin =``, which counts unless
                                   ``by =`` is blank, ``k =``, ``start =``, ``first =`` and
                                   ``first_k =`` (of the first games), ``played =`` (a player's
                                   games before)
``report "Type"``                  what a report calls this type of event
``next``                           what the book of the next period or event begins with: single
                                   cells stay, tables do not. ``blank NAME …``: single cells that do
                                   not (``list_*`` are several); ``keep TABLE``: a table that does,
                                   ``but:a,b`` without or ``only:a,b`` with these columns alone;
                                   ``NAME = formula``: what a single cell has; ``fill TABLE``: below
                                   it, ``column = formula`` for each row, and ``note =`` what is to
                                   be said of it, ``left TABLE[column] =`` what stays behind there.
                                   With ``from:TABLE`` the rows are those of another table; rows
                                   with the same first column are one
================================== ==============================================================
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, cast, get_args

from elo_xl.books.statements import (
    BookError,
    Statement,
    located,
    options_of,
    typed_formula,
    words_of,
)
from elo_xl.xlsx.formula import Node

GamesKind = Literal["named", "rounds", "cross", "boards", "events", "sides"]

GROUPS: Final = ("event", "club", "league", "evening", "class", "judging")
"""What people have who look for a book on the front page."""


class ColumnOf(NamedTuple):
    """A column of a table, written ``Each[score]``."""

    table: str
    column: str

    @classmethod
    def read(cls, text: str, statement: Statement) -> ColumnOf:
        table, bracket, column = text.removesuffix("]").partition("[")
        if not bracket or not text.endswith("]"):
            raise statement.error(f"a column is written Table[column], not {text!r}")
        return cls(table, column)


@dataclass(frozen=True, slots=True)
class Games:
    """Where the games of a book are."""

    table: str
    kind: GamesKind = "named"
    coloured: bool = True
    sides: tuple[str, str] = ("first", "second")
    of: str = ""
    """the table whose rows are the players, if they are not those of the typed tables"""
    points: tuple[str, ...] = ()
    """the columns of what both have scored"""
    says: Mapping[str, Node] = field(default_factory=dict)
    """name, rating and rank of a player, score of a game, numbers of a league, by formulas"""


@dataclass(frozen=True, slots=True)
class CurvesOf:
    """Where the ratings of curves are: in a table of games, or of lists, which has ``dates``."""

    table: str
    dates: str = ""
    games: str = ""


class SideOf(NamedTuple):
    """The columns of one player of a board."""

    name: str
    rating: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class Boards:
    """Where a book has the round that is to be played."""

    table: str
    sides: tuple[SideOf, SideOf]
    number: str = ""
    """the cell with the number of the round, if the book has several"""


class Keep(NamedTuple):
    """A table whose entries the next book has, without some columns, or with some only."""

    table: str
    but: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def keeps(self, column: str) -> bool:
        return column in self.only if self.only else column not in self.but


@dataclass(slots=True)
class Fill:
    """What is typed into the rows of a table of the next book."""

    table: str
    source: str
    """the table in whose rows the formulas stand"""
    columns: dict[str, Node] = field(default_factory=dict)
    notes: list[Node] = field(default_factory=list)
    left: list[tuple[ColumnOf, Node]] = field(default_factory=list)


@dataclass(slots=True)
class Next:
    """What the next book begins with."""

    blank: list[str] = field(default_factory=list)
    cells: dict[str, Node] = field(default_factory=dict)
    steps: list[Keep | Fill] = field(default_factory=list)


@dataclass(slots=True)
class Commands:
    """What the commands take from a book; what it leaves open they refuse."""

    publish: str = ""
    unpublished: tuple[str, ...] = ()
    curves: CurvesOf | None = None
    boards: Boards | None = None
    pictures: tuple[str, ...] = ()
    group: str = ""
    """what those have for whom the front page offers it; empty for the further books"""
    unfilled: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    games: Games | None = None
    report: str = ""
    next: Next | None = None
    named: list[tuple[str, str]] = field(default_factory=list)
    """the tables and sheets that were named, each with the place of its line"""

    def check(self, names: Container[str]) -> None:
        """Raises BookError for a table or a sheet that is none of the book's."""
        for name, where in self.named:
            if name not in names:
                with located(where):
                    raise BookError(f"no table and no sheet is named {name!r}")

    def read(self, statement: Statement) -> None:
        """Read the lines below ``commands``.

        Raises BookError for one that is none of them.
        """
        for child in statement.children:
            with located(child.where):
                if child.keyword == "next":
                    self.next = self.next or Next()
                    self._next(self.next, child)
                elif words := words_of(child.rest):
                    self._line(child, words)
                else:
                    raise child.error(f"something is missing after {child.keyword!r}")

    def _line(self, line: Statement, words: Sequence[str]) -> None:
        (first, *others), options = words, options_of(words[1:])
        match line.keyword:
            case "publish":
                self.publish, self.unpublished = first, _listed(options.get("but", ""))
                self._name(line, first, *self.unpublished)
            case "curves":
                self.curves = CurvesOf(first, options.get("dates", ""), options.get("games", ""))
                self._name(line, first, *filter(None, options.values()))
            case "boards":
                sides = [_listed(word) for word in others if ":" not in word]
                if len(sides) != 2 or not all(2 <= len(side) <= 3 for side in sides):
                    raise line.error("boards are written TABLE name,rating name,rating")
                one, two = (SideOf(*side) for side in sides)
                self.boards = Boards(first, (one, two), options.get("number", ""))
                self._name(line, first)
            case "page":
                if first not in GROUPS:
                    raise line.error(f"the page offers {', '.join(GROUPS)}; not {first!r}")
                self.group, self.unfilled = first, _listed(options.get("but", ""))
            case "players":
                self.players = tuple(dict.fromkeys((*self.players, *words)))
                self._name(line, *words)
            case "games":
                self._games(line, first, options)
            case "pictures":
                self.pictures = tuple(words)
                self._name(line, *words)
            case "report":
                self.report = first.strip('"')
            case keyword:
                raise line.error(f"no command takes {keyword!r} from a book")

    def _games(self, line: Statement, table: str, options: Mapping[str, str]) -> None:
        of = options.get("of", "")
        others = ("uncoloured", "of", "first", "second", "points")
        kinds = [word for word in options if word not in others] or ["named"]
        if len(kinds) > 1 or kinds[0] not in get_args(GamesKind):
            raise line.error(f"games are {', '.join(get_args(GamesKind))}; not {kinds[-1]!r}")
        self.games = Games(
            table,
            cast(GamesKind, kinds[0]),
            "uncoloured" not in options,
            (options.get("first", "first"), options.get("second", "second")),
            of,
            _listed(options.get("points", "")),
            dict(_formula(child) for child in line.children),
        )
        self._name(line, *filter(None, (table, of)))

    def _next(self, following: Next, statement: Statement) -> None:
        for line in statement.children:
            words = words_of(line.rest) or [""]
            options = options_of(words[1:])
            match line.keyword:
                case "blank":
                    following.blank += words
                case "keep":
                    parts = (_listed(options.get(key, "")) for key in ("but", "only"))
                    following.steps.append(Keep(words[0], *parts))
                    self._name(line, words[0])
                case "fill":
                    filled = Fill(words[0], options.get("from", words[0]))
                    self._name(line, filled.table, filled.source)
                    for child in line.children:
                        key, formula = _formula(child)
                        if key == "note":
                            filled.notes.append(formula)
                        elif key.startswith("left "):
                            at = ColumnOf.read(key.removeprefix("left ").strip(), child)
                            filled.left.append((at, formula))
                        else:
                            filled.columns[key] = formula
                    following.steps.append(filled)
                case _:
                    following.cells.update([_formula(line)])

    def _name(self, line: Statement, *names: str) -> None:
        self.named += [(name, line.where) for name in names]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(",")))


def _formula(line: Statement) -> tuple[str, Node]:
    """What a line ``key = formula`` says."""
    key, equals, formula = line.text.partition("=")
    if not equals:
        raise line.error(f"a line is NAME = formula, not {line.text!r}")
    line.has_no_children()
    return key.strip(), typed_formula(formula.strip(), line)
