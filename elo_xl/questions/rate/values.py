"""The workbook of an event too large for cells, or under rules that they cannot follow: numbers.

Sheets: *Rating list*, *Ratings*, *First ratings* (if a player is unrated), *Games* (if there are no
more than :data:`~elo_xl.templates.MOST_LISTED`) and *Rules*, which says why the cells hold values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from elo_xl.books.book import Book, Options, Row
from elo_xl.books.styles import number_format
from elo_xl.books.texts import texts
from elo_xl.engine.rulebooks import Rulebook
from elo_xl.events.event import Game, Player
from elo_xl.events.rate import NewPlayer, RatedEvent, RatedPlayer
from elo_xl.languages import ENGLISH, LANGUAGES
from elo_xl.questions.norms.sheet import event_norms, norms_sheet
from elo_xl.templates import MOST_LISTED
from elo_xl.templates.blocks.ratings import ClauseLine, rule_sheet

SIGNS: Final = {1.0: "1", 0.5: "½", 0.0: "0"}

_SHEETS: Final = """
sheet list upright freeze:name stretch:name
    note event_line
    note about_values
    table List
        place       0 quiet
        no          0 quiet
        ?title title @ center
        ?federation federation @ center
        name        left strong
        new         {new_format} strong
        change      +0.00
        rating      {old_format} text:before
        games       0 text:rated_games
        after       0 quiet
        ?index index 0 quiet
        peak        {new_format} quiet text:peak_after

sheet ratings freeze:rating stretch:name
    note event_line
    note rules_title
    note about_values
    table Ratings
        no          0 quiet
        name        left strong
        rating      {old_format}
        ?k k        {k_format} text:factor
        games       0 text:rated_games
        score       0.0
        expected    0.00
        change      +0.00
        new         {new_format} strong
        performance {performance_format}
"""

_FIRST: Final = """
sheet first freeze:games stretch:why
    note event_line
    note about_values
    table First
        no          0 quiet
        name        left strong
        games       0 text:rated_games
        score       0.0
        average     0.0
        first       {new_format} strong
        why         left quiet text:reason
"""

_GAMES: Final = """
sheet games freeze:white_no
    note event_line
    note about_values
    table Games
        round       0 center
        white_no    0 quiet text:no
        white       left strong
        white_rating {old_format} text:rating
        result      center strong
        black_rating {old_format} text:rating
        black       left strong
        black_no    0 quiet text:no
"""


def values_book(event: RatedEvent, why: str, language: str = ENGLISH) -> Book:
    """The workbook, worked out; ``why`` is the key of the sentence that says why it has values."""
    book = Book("rated-event", Options(language=language, rules=event.rules.name))
    tournament, players = event.tournament, event.tournament.players
    facts = (
        tournament.name,
        tournament.city,
        tournament.federation,
        LANGUAGES[language].span(tournament.start, tournament.end),
    )
    book.texts["event_line"] = ", ".join(filter(None, facts))
    book.texts["endless"] = event.rules.first.endless.say(language)
    k = [p.k for p in event.players if p.k is not None]
    listed = len(tournament.games) <= MOST_LISTED
    book.read(
        _SHEETS + (_FIRST if event.new_players else "") + (_GAMES if listed else ""),
        List=list(_listed(event)),
        Ratings=[_rated(p) for p in event.players],
        First=[_newcomer(p, book) for p in event.new_players],
        Games=list(_games(event)) if listed else [],
        k=bool(k),
        k_format=number_format(k, "0.00"),
        old_format=number_format([p.rating for p in players if p.rating is not None], "0.0"),
        title=any(p.title for p in players),
        federation=any(p.federation for p in players),
        index=event.rules.change.counts_events,
    )
    norms_sheet(book, event_norms(tournament, language))
    rule_sheet(book, chosen(event, language), list(_event_lines(book, event)), book.say(why))
    book.finish()
    return book


def _rated(p: RatedPlayer) -> Row:
    row: Row = {"no": p.player.number, "name": p.player.name, "rating": p.player.rating, "k": p.k}
    figures = ("games", "score", "expected", "change", "new", "performance")
    return {**row, **{key: getattr(p, key) for key in figures}}


def sign(game: Game) -> str:
    """The result of a game, White's first where a penalty lowered one of the two."""
    first = SIGNS[game.score]
    return first if game.second_score is None else f"{first}-{SIGNS[game.second_score]}"


def why_first(p: NewPlayer, book: Book, rules: Rulebook) -> str:
    """Why there is a first rating, or none, in the language of the book."""
    rule = rules.first
    return book.say(
        "endless" if p.why == "endless" else f"why_{p.why}", games=rule.games, floor=rule.floor
    )


def _newcomer(p: NewPlayer, book: Book) -> Row:
    return {
        "no": p.player.number,
        "name": p.player.name,
        "games": len(p.opponents),
        "score": p.score,
        "average": p.average,
        "first": p.rating,
        "why": why_first(p, book, book.rules),
    }


def _listed(event: RatedEvent) -> Iterator[Row]:
    """All players with a rating after the event, the highest first."""
    everyone: list[tuple[float, Player, int, float | None]] = [
        (p.new, p.player, p.games, p.change) for p in event.players
    ]
    everyone += [
        (p.rating, p.player, len(p.opponents), None)
        for p in event.new_players
        if p.rating is not None
    ]
    everyone.sort(key=lambda one: (-one[0], one[1].name.casefold(), one[1].number))
    for place, (new, p, games, change) in enumerate(everyone, start=1):
        before = p.games if p.rating is not None else p.games or 0
        known = p.index if p.rating is not None else p.index or 0
        yield {
            "place": place,
            "no": p.number,
            "title": p.title,
            "federation": p.federation,
            "name": p.name,
            "new": new,
            "change": change,
            "rating": p.rating,
            "games": games,
            "after": None if before is None else before + games,
            "index": None if known is None else known + (games > 0),
            "peak": max(new, p.rating or new, p.peak or new),
        }


def _games(event: RatedEvent) -> Iterator[Row]:
    by_number = {p.number: p for p in event.tournament.players}
    for game in event.tournament.games:
        white, black = by_number[game.first], by_number[game.second]
        yield {
            "round": game.round,
            "white_no": white.number,
            "white": white.name,
            "white_rating": white.rating,
            "result": sign(game),
            "black_rating": black.rating,
            "black": black.name,
            "black_no": black.number,
        }


def _event_lines(book: Book, event: RatedEvent) -> Iterator[ClauseLine]:
    """What the sheet of the rules says about the event."""
    say, played = book.say, len(event.tournament.games)
    ratings = [p.player.rating for p in event.players if p.player.rating is not None]
    yield say("label_played"), played
    if played > MOST_LISTED:
        yield say("label_played"), say("games_left_out")
    yield say("label_rated"), played - event.unrated_games
    if event.unrated_games:
        yield say("label_others"), say("others")
    yield say("label_average"), round(sum(ratings) / len(ratings)) if ratings else ""
    for warning in event.warnings:
        yield say("label_note"), str(warning)


def chosen(event: RatedEvent, language: str) -> str:
    """Why the event has its rules, in words."""
    day = event.tournament.start
    shown = "" if day is None else day.strftime(LANGUAGES[language].date)
    return texts(language)(f"rated-event.chosen_{event.chosen.replace(' ', '_')}", day=shown)
