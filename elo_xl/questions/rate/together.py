"""``elo-xl rate`` with a folder or several files: many events as one period.

The workbook holds values, made again every time. Sheets: one for each kind of play with everybody
who has played, *Events* with all files, *Games* (if there are no more than
:data:`~elo_xl.templates.MOST_LISTED`) and *Notes*.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
from rich.markup import escape
from rich.table import Table

from elo_xl.books.answers import many, number, phrase
from elo_xl.books.book import Book, Options, Row
from elo_xl.books.styles import number_format
from elo_xl.books.text import wrapped_lines
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.english import plural
from elo_xl.events.event import EventError, Kind, Problem
from elo_xl.events.merging import EventFile, Together, rate_together
from elo_xl.events.rate import NewPlayer, RatedEvent, k_reasons
from elo_xl.functions.cells import to_text
from elo_xl.languages import ENGLISH
from elo_xl.lists import store
from elo_xl.questions.rate.answer import event_facts, rules_line
from elo_xl.questions.rate.values import chosen, sign, why_first
from elo_xl.templates import MOST_LISTED
from elo_xl.terminal.console import (
    MOST_SHOWN,
    check_target,
    console,
    plain_table,
    progress,
    signed,
    tell_facts,
    wants_json,
    warn,
)
from elo_xl.terminal.reading import RateOptions, ReadOptions, named_paths, no_event, tell_refused
from elo_xl.xlsx.files import write_whole

STATE: Final = 46
NOTE: Final = 110
"""Widths of columns whose texts take several lines."""

_CHANGES: Final = """
sheet {sheet} freeze:name stretch:why
    note {sheet}_counts
    note {sheet}_rules
    note about_changes
    table {table}
        no          0 quiet
        id          @ left text:own_id
        ?title title @ center
        ?federation federation @ center
        name        left strong
        rating      {old_format} text:before
        new         {new_format} strong
        change      +0.00
        games       0 text:rated_games
        ?k k        {k_format} text:factor
        why         left quiet text:reason
"""

_EVENTS: Final = """
sheet events freeze:event stretch:state
    note about_events
    table Events
        no          0 quiet
        file        @ left
        event       @ left strong
        date        date center 10.5
        until       date center 10.5
        kind        @ center
        players     0 text:event_players
        games       0 text:event_games
        state       left paragraph {state}
"""

_GAMES: Final = """
sheet games freeze:round
    table Games
        event       0 quiet text:no
        file        @ left
        round       0 center
        white_id    @ left text:own_id
        white       left strong
        result      center strong
        black       left strong
        black_id    @ left text:own_id
"""

_NOTES: Final = """
sheet notes stretch:note
    note about_notes
    table Notes
        no          0 quiet
        note        left paragraph {note}
"""


def rated_period_book(period: Together, listed: str = "", language: str = ENGLISH) -> Book:
    """The workbook, worked out; ``listed`` is the name of the list that has the ratings."""
    book = Book("rated-event", Options(language=language))
    book.texts["title"] = book.say("period_title")
    for kind, event in period.rated.items():
        _changes(book, period, kind, event, listed)
    played = sum(len(f.event.games) for f in period.files if f.counted and f.event)
    notes: list[Row] = [
        {"no": no, "note": note}
        for no, note in enumerate([*notes_of(period), *_first_rules(period, book)], start=1)
    ]
    data: dict[str, list[Row]] = {"Events": list(_events(book, period)), "Notes": notes}
    if played <= MOST_LISTED:
        data["Games"] = list(_games(period))
    book.read(
        _EVENTS + (_GAMES if played <= MOST_LISTED else "") + (_NOTES if notes else ""),
        **data,
        state=STATE,
        note=NOTE,
    )
    for name, key, width in (("Events", "state", STATE), ("Notes", "note", NOTE)):
        for i, row in enumerate(data[name]):
            table = book.tables[name]
            table.sheet.height(table.first + i, wrapped_lines(str(row[key]), 0.9 * width))
    if notes:
        book.tables["Notes"].sheet.set_up.exact = {1: 6, 2: NOTE}
    book.finish()
    return book


def write_rated_period(
    period: Together, path: str | os.PathLike[str], listed: str = "", language: str = ENGLISH
) -> None:
    """Write the workbook to ``path``, whole or not at all.

    The same events give the same bytes: the file's date is their last day. Raises OSError naming
    ``path`` where it cannot be written.
    """
    days = [day for event in period.rated.values() if (day := event.tournament.end)]
    book = rated_period_book(period, listed, language)
    write_whole(path, book.file(dated=max(days, default=None)))


def notes_of(period: Together) -> list[str]:
    """What was assumed, and what may be wrong, in all events."""
    warnings = [f"{file.name}: {note}" for file in period.files if file.counted and file.event
           for note in filter(None, (file.event.reading, *file.event.warnings))]  # fmt: skip
    taken = [f"{kind}: {what}" for kind, event in period.rated.items() for what in event.assumed]
    return [*map(str, period.notes), *warnings, *taken]


def _first_rules(period: Together, book: Book) -> Iterator[str]:
    """How the rulebooks give first ratings, for the kinds of play in which a player is unrated."""
    for kind, event in period.rated.items():
        if event.new_players:
            what = f"{book.text(f'club.kind_{kind}')}: {book.say('label_first')}"
            yield f"{what} ({event.rules.name}). {event.rules.first.say(book.options.language)}"


def _changes(book: Book, period: Together, kind: Kind, event: RatedEvent, listed: str) -> None:
    """The sheet of one kind of play."""
    sheet, say, language = f"list_{kind}", book.say, book.options.language
    rows = list(_listed(book, event))
    word = book.text(f"club.kind_{kind}")
    book.texts |= {
        f"sheet_{sheet}": word[:1].upper() + word[1:],
        f"{sheet}_counts": say(
            "period_counts",
            events=sum(file.counted and file.kind == kind for file in period.files),
            players=len(rows),
            games=len(event.tournament.games),
            list=listed or say("period_files"),
        ),
        f"{sheet}_rules": say(
            "period_rules",
            rules=event.rules.title.say(language).rstrip(".") + ".",
            chosen=chosen(event, language),
        ),
    }
    book.read(
        _CHANGES,
        sheet=sheet,
        table=f"List_{kind}",
        **{f"List_{kind}": rows},
        k=any(row["k"] is not None for row in rows),
        title=any(row["title"] for row in rows),
        federation=any(row["federation"] for row in rows),
        old_format=number_format([p.player.rating for p in event.players], "0.0"),
        new_format=number_format([p.new for p in event.players], "0.0"),
        k_format=number_format([p.k for p in event.players], "0.00"),
    )


def _listed(book: Book, event: RatedEvent) -> Iterator[Row]:
    """Everybody who has played, the highest new rating first, then those without one."""
    reasons = k_reasons(event, book.options.language)
    book.texts["endless"] = event.rules.first.endless.say(book.options.language)
    rated = [
        (p.player, p.player.rating, p.new, p.change, p.games, p.k, reasons[p.player.number])
        for p in event.players
        if p.games
    ]
    newcomers = [
        (p.player, None, p.rating, None, len(p.opponents), None, _why_first(p, book, event.rules))
        for p in event.new_players
    ]
    everyone = [*rated, *newcomers]
    everyone.sort(key=lambda one: (-(one[2] or 0), one[0].name.casefold(), one[0].number))
    for player, old, new, change, games, k, why in everyone:
        who = {key: getattr(player, key) for key in ("id", "title", "federation", "name")}
        figures = {"rating": old, "new": new, "change": change, "games": games, "k": k, "why": why}
        yield {"no": player.number, **who, **figures}


def _why_first(p: NewPlayer, book: Book, rules: Rulebook) -> str:
    """Why there is a first rating, or none: also the rules, which differ by kind of play."""
    if p.why != "good":
        return why_first(p, book, rules)
    return book.say("period_first", rules=rules.name, games=len(p.opponents))


def _events(book: Book, period: Together) -> Iterator[Row]:
    for no, file in enumerate(period.files, start=1):
        about: Row = {}
        if (event := file.event) is not None:
            about = {
                "event": event.name,
                "date": event.start,
                "until": event.end or event.start,
                "kind": book.text(f"club.kind_{file.kind}"),
                "players": len(file.people),
                "games": len(event.games),
            }
        problems = "; ".join(map(str, file.problems))
        state = book.say("state_rated") if file.counted else problems
        yield {"no": no, "file": file.name, **about, "state": state}


def _games(period: Together) -> Iterator[Row]:
    players = {
        kind: {person: event.tournament.players[number - 1] for person, number in
               period.numbers[kind].items()}
        for kind, event in period.rated.items()
    }  # fmt: skip
    for no, file in enumerate(period.files, start=1):
        for game in file.event.games if file.event and file.counted else ():
            white, black = (
                players[file.kind][file.people[number]] for number in (game.first, game.second)
            )
            yield {
                "event": no,
                "file": file.name,
                "round": game.round or None,
                "white_id": white.id,
                "white": white.name,
                "result": sign(game),
                "black": black.name,
                "black_id": black.id,
            }


def rate_events(sources: Sequence[Path], how: ReadOptions, options: RateOptions) -> None:
    """Rate all events as one period; the exit code is 1 unless all of them are rated."""
    if how.event or how.sheet:
        raise click.UsageError("--event and --sheet are for one file")
    listed = "" if how.listed is None else str(store.choose(how.listed) or store.EXAMPLE)
    target = options.target((len(sources) == 1 and sources[0].resolve().name) or "events")
    paths, others = named_paths(sources, target)
    if not paths:
        raise no_event(sources)
    if target is not None:
        check_target(target, options.force, made_from=(*(path for _, path in paths), how.players))
    files = how.read_all(paths, unrated=how.listed is not None)
    with progress("Rating the events"):
        period = rate_together(
            files, options.rules, options.k, listed=how.listed, kind=options.kind or "standard"
        )
    assumed = [Problem(f"{kind}: {what}") for kind, event in period.rated.items()
               for what in event.assumed]  # fmt: skip
    if options.strict and assumed:
        raise EventError(assumed)
    if not period.rated:  # all files are refused: the answer says why
        target = None
    if target is not None:
        with progress("Writing the workbook"):
            write_rated_period(period, target, listed, options.lang)
    tell_facts(**_facts(period, target))
    if not wants_json():
        _print(period, others, target)
    tell_refused(period.files, "rated")


def _print(period: Together, others: Sequence[Path], target: Path | None) -> None:
    _tell_notes(period, others, target)
    terminal = console()
    for kind, event in period.rated.items():
        files = [file for file in period.files if file.counted and file.kind == kind]
        played = [p for p in event.players if p.games]
        fresh = [p for p in event.new_players if p.rating is not None]
        terminal.print(
            f"[bold]{phrase(kind).capitalize()}[/]: {many(len(files), 'event')}, "
            f"{many(len(event.tournament.games), 'game')}, "
            f"{many(len(played), 'rated player')}, {many(len(fresh), 'first rating')}"
        )
        terminal.print(rules_line(event))
        terminal.print(_table(event))
        if (left := len(played) + len(fresh) - MOST_SHOWN) > 0:
            said = "and {left} more in the workbook" if target else "and {left} more"
            terminal.print(phrase(said, left=left))
    if target is not None:
        click.echo(f"Workbook: {target}")


def _tell_notes(period: Together, others: Sequence[Path], target: Path | None) -> None:
    """Say on standard error what is left out, and what is doubtful."""
    # a season has hundreds of everything: the terminal shows the first, the workbook all
    for path in others[:MOST_SHOWN]:
        warn(f"left out, as no event: {path.name}", "note")
    notes = notes_of(period)
    for note in notes[:MOST_SHOWN]:
        warn(note, "note")
    if (more := len(notes) - MOST_SHOWN) > 0:
        where = ": all are on the sheet Notes" if target else ""
        warn(f"and {plural(more, 'note')} more{where}", "note")


def _table(event: RatedEvent) -> Table:
    table = plain_table("ID", "Name", numbers=("Rating", "New", "Change", "Games", "K"))
    rows = [(p.player, p.player.rating, p.new, signed(p.change), p.games, p.k)
            for p in event.players if p.games]  # fmt: skip
    rows += [(n.player, None, n.rating, "", len(n.opponents), None)
             for n in event.new_players if n.rating is not None]  # fmt: skip
    rows.sort(key=lambda row: -(row[2] or 0))
    for player, old, new, change, games, k in rows[:MOST_SHOWN]:
        shown = ("" if x is None else number(to_text(round(x, 2))) for x in (old, new, k))
        was, now, factor = shown
        table.add_row(escape(player.id), escape(player.name), was, now, change, str(games), factor)
    return table


def _facts(period: Together, target: Path | None) -> dict[str, object]:
    return {
        "files": [_file_facts(file) for file in period.files],
        "rated": {
            kind: {**event_facts(event), "warnings": [*map(str, event.warnings)], "workbook": None}
            for kind, event in period.rated.items()
        },
        "notes": notes_of(period),
        "workbook": target and str(target),
    }


def _file_facts(file: EventFile) -> dict[str, object]:
    event = file.event
    return {
        "file": file.name,
        "event": event and event.name,
        "start": event and event.start and event.start.isoformat(),
        "kind": event and file.kind,
        "players": len(file.people),
        "games": len(event.games) if event else None,
        "rated": file.counted,
        "problems": [str(problem) for problem in file.problems],
    }
