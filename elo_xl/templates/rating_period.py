"""``rating-period``: a club's players and all games between two rating lists.

Sheets: the first one, *Players*, *Games* (typed as they come), *Ratings*, *Rating list* for the
wall, *Next period* (what the sheet *Players* of the next book starts from), *Gains and losses* with
the chart, *Each game* (expected score, K and change of both players), *Signs* and *Steps*. Every
rating stands as it was before the period.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from typing import Final

from elo_xl.books.book import Book, Content, Options
from elo_xl.books.front import Setting, front
from elo_xl.books.signs import results
from elo_xl.books.texts import texts
from elo_xl.templates.blocks.games import each_game, why
from elo_xl.templates.blocks.players import YEAR, YEAR_SETTING, counted, players
from elo_xl.templates.blocks.ratings import FIRST as FIRST_RATING
from elo_xl.templates.blocks.ratings import gains_and_losses, ratings
from elo_xl.templates.blocks.typed_games import FIRST, SECOND, SIGN, game, identify, typed_games
from elo_xl.templates.blocks.wall import ARBITER, CLUB, DATES, from_where, people
from elo_xl.templates.samples import MEMBERS, on_the_wall, result, rows
from elo_xl.templates.samples import YEAR as SAMPLE_YEAR

# A player whose entry cannot be read is on the list, but never with a rating.
LIST: Final = """
commands
    publish list
    pictures list games ratings
    games Games
    page 32 but:Dates,Arbiter

sheet steps hidden
    table Listed rows:size
        no          0 quiet             = row_number
        name        left                = Counted[@name]
        rated       0                   = IF(ISNUMBER(Counted[@place]), 1, 0)
        unrated     0                   = IF(name = "", 0, 1 - rated)
        place       0                   = IF(unrated = 1, COUNT(Counted[place])
                                             + SUM(upto[unrated]), Counted[@place])

sheet list wall:list_title stretch:name
    table List rows:size
        place   0 center strong 5       = IF(is_rated, RANK(new, List[new]), "")
        name    left strong             = IF(who = 0, "", INDEX(People[name], who))
        {from_where}
        new     {new_format} center strong 7 = cases(who = 0, "",
            is_rated, INDEX(Ratings[new], who), INDEX(Counted[waits], who) = 1, "?", t.not_yet)
        change  format:"▲ {new_format};▼ {new_format};{new_format}" center 7 = cases(
            NOT(is_rated), "", rating = "", t.list_new, new - rating)
        rating  0 center 7 text:before  = IF(who = 0, "", INDEX(Ratings[rating], who))
        games   0 center text:rated_games 7 = cases(who = 0, "", new <> t.not_yet,
            INDEX(Ratings[games], who),
            N(INDEX(Ratings[games], who)) & " " & t.of_games(games = rules.first.games))
        who     0 quiet helper text:no  = IFERROR(MATCH(row_number, Listed[place], 0), 0)
        shown                           = who > 0
    names
        is_rated = IF(who = 0, FALSE, INDEX(Listed[rated], who) = 1)

sheet next banded freeze:rating
    notes about_next
    table Next rows:size
        no          0 center quiet      = row_number
        name        left strong 28      = Counted[@name]
        rating      0 center strong 6   = IF(ISNUMBER(Ratings[@new]), ROUND(Ratings[@new], 0),
                                             number(Players[@rating]))
        birth       0 center 5.5        = number(Players[@birth])
        games       0 center 10         = IF(name = "", "", IF(AND(Counted[@games] = "",
            Counted[@rating] <> ""), "", N(Counted[@games]) + N(Ratings[@games])))
        peak        0 center 6          = IF(highest = 0, "", highest)
        k           0 center 6          = number(Players[@k])
        title       center 6            = Players[@title]
        federation  center 5            = Players[@federation]
        fide_id     center 8            = Players[@fide_id]
        club        left 11             = Players[@club]
        category    left 11             = Players[@category]
        shown                           = name <> ""
    names
        highest = MAX(rating, Counted[@rating], Counted[@peak])
"""


def build(book: Book) -> None:
    """Declare all sheets."""
    front(book, Setting("Event", "period"), CLUB, replace(DATES, wall=False), ARBITER, YEAR_SETTING)
    players(book, personal=True)
    for key in ("games", "ratings", "list", "next", "gains", "why", "each"):
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
    book.read(LIST.replace("{from_where}", from_where(book)), "list")
    gains_and_losses(book)
    why(book)


def sample(options: Options) -> Content:
    """An invented spring of a club, with a forfeit and two newcomers."""
    chance, say = random.Random(20262), texts(options.language)
    evenings = [
        (date(SAMPLE_YEAR, 4, 8 * i), say("rating-period.sample_evening", number=i))
        for i in (1, 2, 3)
    ]
    evenings += [
        (date(SAMPLE_YEAR, month, 17), say(f"rating-period.sample_{key}"))
        for month, key in ((5, "league"), (6, "cup"))
    ]
    field = MEMBERS[: options.players]
    games = []
    for day, evening in evenings:
        drawn = list(range(len(field)))
        chance.shuffle(drawn)
        for a, b in zip(drawn[::2], drawn[1::2], strict=False):
            white, black = field[a], field[b]
            typed = result(chance, white.rating, black.rating)
            games.append(game(evening, white.name, black.name, typed, day))
    if len(games) > 4:
        games[4]["result"] = "+"
        # one newcomer's games are not enough for a rating yet
        games.remove(next(g for g in games if field[-1].name in (g["white"], g["black"])))
    return {
        **on_the_wall(say, ("Club", "Arbiter")),
        "Event": say("rating-period.sample_event"),
        "Dates": date(SAMPLE_YEAR, 7, 1),
        YEAR: SAMPLE_YEAR,
        "Players": rows(field, personal=True),
        "Games": games[: options.rounds],
    }
