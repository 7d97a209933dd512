"""``rating-period``: a club's players and all games between two rating lists.

Sheets: the first one, *Players*, *Games* (typed as they come), *Ratings*, *Rating list*, *Gains and
losses* with the chart, *Each game* (expected score, K and change of both players), *Signs* and
*Steps*. Every rating stands as it was before the period.
"""

from __future__ import annotations

import random

from elo_xl.books.book import Book, Content, Options
from elo_xl.books.front import Setting, front
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.gains import gains_and_losses
from elo_xl.templates.blocks.games import each_game
from elo_xl.templates.blocks.players import YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.rating_list import rating_list
from elo_xl.templates.blocks.ratings import FIRST as FIRST_RATING
from elo_xl.templates.blocks.ratings import ratings
from elo_xl.templates.blocks.results import results
from elo_xl.templates.blocks.typed_games import FIRST, SECOND, SIGN, game, identify, typed_games
from elo_xl.templates.blocks.wall import ARBITER, CLUB, DATES, header, people
from elo_xl.templates.samples import MEMBERS, result, rows
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR


def build(book: Book) -> None:
    """Declare all sheets."""
    front(book, Setting("Event", "period"), CLUB, DATES, ARBITER, YEAR_SETTING)
    header(book, (CLUB, ARBITER))
    players(book, personal=True)
    for key in ("games", "ratings", "list", "gains", "each"):
        book.sheet(key)
    results(book)
    counted(
        book,
        period_games="Ratings[@games]",
        order_key="Ratings[@new]",
        first_rating=FIRST_RATING,
    )
    identify(book)
    each_game(book, book.options.rounds, first=FIRST, second=SECOND, sign=SIGN)
    typed_games(book)
    ratings(book)
    people(book)
    book.names["list_title"] = (
        't.sheet_list & IF(Dates = "", "", " " & t.as_of & " " & day_said(Dates))'
    )
    rating_list(book, title="list_title")
    gains_and_losses(book)


def sample(options: Options) -> Content:
    """An invented spring of a club, with a forfeit and two newcomers."""
    chance, say = random.Random(20262), texts(options.language)
    evenings = [say("rating-period.sample_evening", number=i) for i in (1, 2, 3)]
    evenings += [say(f"rating-period.sample_{key}") for key in ("league", "cup")]
    field = MEMBERS[: options.players]
    games = []
    for evening in evenings:
        drawn = list(range(len(field)))
        chance.shuffle(drawn)
        for a, b in zip(drawn[::2], drawn[1::2], strict=False):
            white, black = field[a], field[b]
            typed = result(chance, white.rating, black.rating)
            games.append(game(evening, white.name, black.name, typed))
    if len(games) > 4:
        games[4]["result"] = "+"
    return {
        "Event": say("rating-period.sample_event"),
        YEAR: SAMPLE_YEAR,
        "Players": rows(field),
        "Games": games[: options.rounds],
    }
