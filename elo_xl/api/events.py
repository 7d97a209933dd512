"""Events from files, their rating, and workbooks to fill in.

Tables are dicts of columns here, which every library of data frames takes:
``pandas.DataFrame(event.players)``. None is a blank.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elo_xl.api.showing import Shown
from elo_xl.engine.errors import choose
from elo_xl.events import rate as rating
from elo_xl.languages import CODES, ENGLISH
from elo_xl.public import own

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from elo_xl.books.book import Book, Options
    from elo_xl.engine.rulebooks import Rulebook
    from elo_xl.events.event import Tournament
    from elo_xl.events.source import Source
    from elo_xl.words import FileFormat, Flavour, LanguageCode, RulebookName, TemplateName

Columns = dict[str, list[Any]]


@dataclass(frozen=True)
class Event(Shown):
    """An event as its file tells it: what :func:`read_event` gives."""

    tournament: Tournament
    """all that was read: dates, pairings, warnings"""

    def __repr__(self) -> str:
        return f"<Event {_of(self.tournament)}>"

    @cached_property
    def players(self) -> Columns:
        """A row per player: what :func:`elo_xl.rate_period` takes, and what else is known."""
        field, start = self.tournament.players, self.tournament.start
        keys = "name rating k played peak number id federation title sex"
        columns: Columns = {
            key: [getattr(player, "games" if key == "played" else key) for player in field]
            for key in keys.split()
        }
        if any(player.index is not None for player in field):
            columns["index"] = [player.index for player in field]
        columns["age"] = [
            start.year - player.birth_year if start and player.birth_year else None
            for player in field
        ]
        return columns

    @cached_property
    def games(self) -> Columns:
        """A row per game that was played: ``round``, ``white``, ``black``, ``result``."""
        names = {player.number: player.name for player in self.tournament.players}
        games = self.tournament.games
        rows = [(game.round, names[game.first], names[game.second], game.score) for game in games]
        return _columns("round white black result", rows)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        format: FileFormat = "trf16",
        rounds: int | None = None,
        headers: Mapping[str, str] | None = None,
        national: bool = False,
    ) -> tuple[str, ...]:
        """Write it as ``elo-xl export`` does; a file of that name is replaced, or left as it was.

        Args:
            path (path): The ending says what a list is written as.
            format ({"trf16", "trf26", "swiss-manager", "fide-list"}): A tournament report file, or
                a list of players: ``"swiss-manager"`` (.txt, .csv, .xlsx), ``"fide-list"`` (.txt).
            rounds: The number of rounds of a report, where the event's own file does not say it.
            headers (mapping, optional): Lines of a report that the event's file does not say, by
                number: ``{"032": "ESP"}``.
            national: Whether the ratings and numbers of a list are national ones.
        Returns: Sentences that say what the file lacks.
        Raises:
            EventError: For what has no room in a report.
            EloError: For what has none in a list.
            OptionError: For an unknown format or header.
            OSError: Naming the path, where it cannot be written.
        """
        from elo_xl.club.exporting import list_file, players_of
        from elo_xl.events.trf_writing import EDITIONS, written
        from elo_xl.xlsx.files import write_whole

        event = self.tournament
        if format in EDITIONS:
            made = written(event, format, rounds=rounds, headers=headers)
        else:
            ending, kind = os.path.splitext(path)[1].lower(), event.kind or "standard"
            made = list_file(players_of(event), format, ending, kind=kind, national=national)
        write_whole(path, made.content)
        return made.notes


@dataclass(frozen=True)
class EventRatings(Shown):
    """A rated event: what :func:`rate_event` gives."""

    event: rating.RatedEvent
    """all that was computed, with the rulebook and why it is this one"""

    def __repr__(self) -> str:
        return f"<EventRatings {_of(self.event.tournament)} rules={self.event.rules.name!r}>"

    @cached_property
    def players(self) -> Columns:
        """A row per player, by new rating and then those without one: the columns of
        :func:`elo_xl.rate_period`, and ``reason``, of the K factor or the first rating."""
        rows: list[tuple[object, ...]] = [
            (*(p.player.name, p.player.rating, p.k, p.games, p.score),
             *(p.expected, p.change, p.new, p.performance, p.k_reason))
            for p in self.event.players
        ]  # fmt: skip
        for n in self.event.new_players:
            known = n.player.name, None, None, len(n.opponents), n.score
            rows.append((*known, None, None, n.rating, None, n.reason))
        names = "name rating k period_games score expected change new performance reason"
        return _columns(names, rows)

    @cached_property
    def games(self) -> Columns:
        """A row per rated game and player, who has ``player`` and ``opponent`` by name.

        ``expected`` and ``change`` are None under rules that do not take each game by itself.
        """
        names = {player.number: player.name for player in self.event.tournament.players}
        rows = [(game.round, names[game.player], names[game.opponent], game.score, game.expected,
                 game.change) for game in self.event.games]  # fmt: skip
        return _columns("round player opponent score expected change", rows)

    def to_excel(self, path: str | os.PathLike[str], language: LanguageCode = ENGLISH) -> None:
        """Write the workbook of the event, in live formulas, or in values for rules that have none.

        Args:
            path (path): A file of that name is replaced, whole or not at all.
            language: One of the languages of workbooks, such as ``"de"``.
        Raises:
            OptionError: For an unknown language.
            OSError: Naming the path, where it cannot be written.
        """
        from elo_xl.questions.rate.book import write_rated_event

        write_rated_event(self.event, path, choose(language, CODES, "language"))


def _columns(names: str, rows: Sequence[tuple[object, ...]]) -> Columns:
    return {name: [row[i] for row in rows] for i, name in enumerate(names.split())}


def _of(event: Tournament) -> str:
    return f"{event.name!r} players={len(event.players)} games={len(event.games)}"


def rate_event(
    event: Event,
    *,
    rules: RulebookName | str | Path | Rulebook | None = None,
    k: float | None = None,
) -> EventRatings:
    """Rate an event: changes, new ratings, first ratings, and the reasons.

    >>> event = read_event(
    ...     b"white,black,result\\nAna,Ben,1-0\\n", players=b"name,rating\\nAna,1800\\nBen,1860\\n"
    ... )
    >>> rated = rate_event(event, rules="fide-2024-03")
    >>> rated.players["name"], rated.players["new"]
    (['Ben', 'Ana'], [1848.0, 1812.0])

    Args:
        event: What :func:`read_event` gives.
        rules: The rulebook: a name in :data:`rulebooks`, or a file of one's own. Default: those of
            the book it was read from, otherwise FIDE's edition in force on the event's first day.
        k: One K factor for everybody. Default: that of the players file, or the rulebook's own.
    Returns: The players and games with their ratings, and the workbook.
    Raises:
        OptionError: For an unknown rulebook.
        DomainError: For a K below 0.
        EventError: For any K under a rulebook that takes only its own.
    """
    return EventRatings(rating.rate(event.tournament, rules, k))


def read_event(
    path: Source,
    *,
    players: Source | None = None,
    sheet: str = "",
    columns: Mapping[str, str] | None = None,
    encoding: str = "",
    event: str = "",
) -> Event:
    r"""Read an event from a file of any kind, as ``elo-xl rate`` does: a tournament report file,
    games as PGN, a table (CSV, xlsx, ods, xls), or a filled-in workbook of :func:`new_workbook`.

    >>> event = read_event("Runde;Weiß;Elo;Schwarz;Elo;Ergebnis\n1;Ana;1800;Ben;1750;½\n".encode())
    >>> event.players["name"], event.players["rating"], event.games["result"]
    (['Ana', 'Ben'], [1800.0, 1750.0], [0.5])

    Args:
        path: The file, or what it holds.
        players: A list of players beside it.
        sheet (str, optional): The sheet with the games, if several have some.
        columns (mapping, optional): How the file calls columns, as ``{"white": "Weisser"}``.
        encoding (str, optional): That of a text whose own cannot be told.
        event (str, optional): One of several events of a PGN file.
    Returns: Its players and games; ``event.tournament.understood`` says what was made of a table.
    Raises:
        EventError: With every problem of the files and its place.
        OSError: If one cannot be read.
    """
    from elo_xl.events import files as event_files

    how: dict[str, Any] = {"sheet": sheet, "columns": columns, "encoding": encoding}
    return Event(event_files.read_event(path, players, event=event, **how))


@dataclass(frozen=True)
class Workbook:
    """A workbook that is not written yet: what :func:`new_workbook` gives."""

    book: Book
    """what it is declared as"""
    sample: bool = False
    """whether an invented event is filled in"""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _made, (self.book.template, self.book.options, self.sample)

    def __repr__(self) -> str:
        return f"<Workbook {self.book.template!r} sheets={len(self.book.sheets)}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it; a file of that name is replaced, whole or not at all.

        Raises:
            OSError: Naming the path, where it cannot be written.
        """
        from elo_xl.xlsx.files import write_whole

        write_whole(path, self.book.file())


def new_workbook(
    name: TemplateName,
    *,
    players: int | None = None,
    rounds: int | None = None,
    rules: RulebookName | str | Path = "fide",
    language: LanguageCode = ENGLISH,
    functions: Flavour = "formulas",
    sample: bool = False,
) -> Workbook:
    """A workbook to fill in, as ``elo-xl new`` makes it.

    >>> workbook = new_workbook("match-odds", rounds=4)
    >>> workbook.save("build/odds.xlsx")  # doctest: +SKIP

    Args:
        name: One of ``elo-xl templates``.
        players, rounds: How many it has room for. Default: as many as the template says.
        rules: The rulebook: a name in :data:`rulebooks`, or a file of one's own.
        language: One of the languages of workbooks, such as ``"de"``.
        functions ({"formulas", "lambda", "addin", "lite", "libreoffice"}): How cells call the ELO_
            functions; ``"formulas"`` are built-in ones.
        sample: Whether an invented event is filled in.
    Returns: The workbook, to be saved.
    Raises:
        OptionError: For an unknown option, or one that the workbook has not.
        DomainError: For a number out of its bounds.
    """
    from elo_xl.templates import gallery

    sizes: dict[str, Any] = {"players": players, "rounds": rounds, "rules": rules}
    looks: dict[str, Any] = {"functions": functions, "language": language, "filled": sample}
    return _made(name, gallery.options(name, **sizes, **looks), sample)


def _made(name: str, options: Options, sample: bool) -> Workbook:
    from elo_xl.templates import gallery

    content = gallery.sample(name, options) if sample else None
    return Workbook(gallery.build(name, options, content), sample)


own(vars())
