"""``elo-xl rate`` with one file: an event in, a workbook of every step out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from elo_xl.books.answers import many, number, phrase
from elo_xl.events.event import (
    EventError,
    NoRatingsError,
    OrdersError,
    Problem,
    SidesError,
    Tournament,
    by_kind,
)
from elo_xl.events.rate import RatedEvent, rate
from elo_xl.functions.cells import to_text
from elo_xl.questions.rate.answer import event_facts, rules_line, unlisted
from elo_xl.terminal.console import (
    check_target,
    console,
    plain_table,
    progress,
    signed,
    tell,
    tell_facts,
    warn,
)
from elo_xl.terminal.reading import RateOptions, ReadOptions

WIDE = 120
"""The width, in columns, from which a terminal shows the reason for K beside each player."""
_NAME: Final = 16
"""The least width of a name, in columns."""
_OWN: Final = (
    "the book rates in its own way, or not at all, as its sheets show; these are other ratings, of "
    "one period under the rules below (--rules)"
)
_VALUES: Final = {"values_large": " (values: the event is too large for formulas)"}
_SPARED: Final = ("Perf.", "Expected", "Games")
"""What a terminal leaves out, one after the other, where names have no room."""


def rate_file(file: Path, how: ReadOptions, options: RateOptions) -> None:
    """Rate the event in a file and write its workbook."""
    target = options.target(file.stem.removesuffix(".pgn"))
    if target is not None:
        # first, as reading and rating may take long
        check_target(target, options.force, made_from=(file, how.players))
    try:
        tournament = _read(file, how, options)
    except OrdersError as found:
        if options.rules is not None or how.players is not None:
            raise
        from elo_xl.questions.rate.ladder import rate_orders

        rate_orders(found, options, target)
        return
    except SidesError:
        if options.rules is not None or how != ReadOptions():
            raise
        from elo_xl.questions.rate.ladder import rate_sides

        rate_sides(file, options)
        return
    except NoRatingsError:
        if options.rules is not None or how.players is not None:
            raise
        # loaded here, as it is for lists in which nobody has a rating
        from elo_xl.questions.rate.ladder import rate_ladder

        rate_ladder(_read(file, how, options, unrated=True), options, target)
        return
    if options.start is not None:
        raise click.UsageError("--start is for lists in which nobody has a rating")
    if tournament.now and options.rules is None and options.k is None:
        from elo_xl.questions.rate.ladder import tell_own

        tell_own(tournament)
        return
    with progress("Rating the event"):
        rated = rate(tournament, options.rules, options.k)
    if options.strict and rated.assumed:
        raise EventError(map(Problem, rated.assumed))
    if target is not None:
        from elo_xl.questions.rate.book import why_values, write_rated_event

        with progress("Writing the workbook"):
            write_rated_event(rated, target, options.lang)
    own = _OWN if tournament.complete and not (tournament.rules or options.rules) else ""
    for said in filter(None, (tournament.reading, own, tournament.state)):
        warn(said, "note")
    for warning in by_kind(rated.warnings):
        warn(warning)
    tell_facts(**event_facts(rated), workbook=target and str(target))
    _print_event(console(), rated)
    if target is not None:
        tell(f"Workbook: {target}{_VALUES.get(why_values(rated), '')}")
    for what in rated.assumed:  # after the ratings, for it may take many lines
        warn(what, "note")


def _read(
    file: Path, how: ReadOptions, options: RateOptions, *, unrated: bool = False
) -> Tournament:
    """The event; where nothing is written, with a list of what was understood of the file."""
    try:
        tournament = how.read(file, options.kind, unrated=unrated)
    except EventError as wrong:
        if options.dry_run and not isinstance(wrong, NoRatingsError):
            _print_understood(wrong.understood)
        raise
    if options.dry_run:
        _print_understood((*tournament.understood, _counted(tournament)))
    return tournament


def _print_understood(lines: Sequence[str]) -> None:
    for line in lines:
        tell(line)
    if lines:
        tell()


def _counted(event: Tournament) -> str:
    """How many players, rounds and games there are.

    >>> _counted(Tournament("", (), {}, (), rounds=1))
    '0 players, 1 round, 0 games'
    """
    counts = {"player": len(event.players), "round": event.rounds, "game": len(event.games)}
    return ", ".join(many(n, what) for what, n in counts.items())


def _print_event(terminal: Console, event: RatedEvent) -> None:
    tournament = event.tournament
    terminal.print(f"[bold]{escape(tournament.name)}[/]")
    terminal.print(rules_line(event))
    if event.borrowed_k:
        terminal.print(
            phrase(
                "K factors: FIDE's, as {name} has none of its own (--k gives another)",
                name=event.rules.name,
            )
        )
    if not any(player.games for player in event.players):
        terminal.print(phrase("This event has no rated games: all ratings stay as they are."))
    # a narrow terminal would tear the reasons into syllables: there they stand below
    wide = terminal.width >= WIDE
    if event.players:
        _print_table(terminal, event, wide)
    if not wide:
        _print_reasons(terminal, event)
    if event.players or not all(n.why == "none" for n in event.new_players):
        _print_new_players(terminal, event)
    if names := unlisted(event):
        terminal.print(
            phrase(
                "\nNew rating below {floor:g}, so unrated on the next list: {names}",
                floor=event.rules.unlisted_below,
                names="; ".join(names),
            ),
            markup=False,
        )
    if event.unrated_games:
        terminal.print(
            phrase(
                "\nGames played but not rated: {unrated_games}", unrated_games=event.unrated_games
            )
        )


def _print_table(terminal: Console, event: RatedEvent, wide: bool) -> None:
    """Print the rated players with as many columns as leave room for their names."""
    for left_out in range(len(_SPARED) + 1):
        table = _table(event, wide, _SPARED[:left_out])
        least = terminal.measure(table, options=terminal.options.update_width(999)).minimum
        if least <= terminal.width:
            break
    terminal.print(table)


def _table(event: RatedEvent, wide: bool, spared: Sequence[str]) -> Table:
    """The rated players; where there is room with the reasons for K."""
    rows = [
        {
            "Rating": number(to_text(p.player.rating)),
            "K": _k(p.k),
            "Games": str(p.games),
            "Score": number(to_text(p.score)),
            "Expected": number(f"{p.expected:.2f}"),
            "Change": signed(p.change),
            "New": _rating(p.new, event),
            "Perf.": "" if p.performance is None else f"{p.performance:.0f}",
        }
        for p in event.players
    ]
    numbers = [heading for heading in rows[0] if heading not in spared]
    table = plain_table("No", "Name", numbers=numbers, why="Reason for K" if wide else "")
    table.columns[1].min_width = min(_NAME, max(len(p.player.name) for p in event.players))
    for p, row in zip(event.players, rows, strict=True):
        table.add_row(
            str(p.player.number),
            escape(p.player.name),
            *(row[heading] for heading in numbers),
            *([p.k_reason] if wide else []),
        )
    return table


def _print_new_players(terminal: Console, event: RatedEvent) -> None:
    if event.new_players:
        numbers = ("Games", "Score", "First rating")
        fresh = plain_table("No", "Unrated player", numbers=numbers, why="Because")
        for n in event.new_players:
            fresh.add_row(
                str(n.player.number),
                escape(n.player.name),
                str(len(n.opponents)),
                number(to_text(n.score)),
                "-" if n.rating is None else _rating(n.rating, event),
                n.reason,
            )
        terminal.print()
        terminal.print(fresh)


def _print_reasons(terminal: Console, event: RatedEvent) -> None:
    """Print the reasons for K, with the players of each, if the table has no room for them."""
    numbers: dict[tuple[float, str], list[str]] = {}
    for p in event.players:
        if p.k is not None:
            numbers.setdefault((p.k, p.k_reason), []).append(str(p.player.number))
    if numbers:
        terminal.print()
    for (k, reason), players in sorted(numbers.items()):
        terminal.print(
            phrase(
                "K {k}, {reason}: No {players}", k=_k(k), reason=reason, players=", ".join(players)
            ),
            soft_wrap=True,
        )


def _rating(rating: float, event: RatedEvent) -> str:
    return number(to_text(rating if event.rules.rounding.whole else round(rating, 2)))


def _k(k: float | None) -> str:
    return "" if k is None else number(to_text(round(k, 2)))
