"""The players of a book: what is typed about them, what is wrong with it, and what counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elo_xl.books.book import Book
from elo_xl.books.front import Setting

YEAR: Final = "List_year"
EVENT_SETTING: Final = Setting("Event", "event")
YEAR_SETTING: Final = Setting(YEAR, "year", None, "0", 1950, 2099, instead="year_else")

MOST_CATEGORIES: Final = 4
"""of a player"""

FIRST: Final = (
    'IF(rules.solved, "", IF(OR(name = "", waits = 1, rating <> "", '
    'N(Ratings[@games]) = 0), "", '
    "first_rating(Sums[@met], Ratings[@games], Ratings[@score])))"
)
"""The formula of the first rating in the list of what counts of each player."""

_PLAYERS: Final = """
sheet {key} freeze:rating stretch:check {set_up}
    note {about}
    note {bigger} players=size
    table {table} rows:size
        no          0 center quiet                      = row_number
        name        @ left input 24
        {more}
        rating      0 center input 6 whole:1..4000
        birth       0 center input 5.5 whole:1900..2099
        games       0 center input 10 whole:0..100000
        peak        0 center input 6 whole:1..4000
        k           0 center input 6 decimal:0..100
        ?out out    @ center input yes
        ?personal title         @ center input 6
        ?personal federation    @ center input 5
        ?personal fide_id       @ center input 9
        ?personal club          @ left input 14
        ?personal category      @ left input 11
        fault       0 quiet helper                      = IF(check = "", 0, 1)
        shown spare:10                                  = filled(name:{last}) > 0
        unread      0 quiet helper heading:none         = 0
        # nothing stands to its right, so what it says flows over the columns there
        check       left attention 5                    = cases(
            name = "", IF(filled(name:{last}) = 0, "", t.check_name),
            name = WRONG, t.check_name, AND(named, twice), t.check_twice,
            rating = WRONG, t.check_rating, birth = WRONG, t.check_birth,
            games = WRONG, t.check_games, peak = WRONG, t.check_peak, k = WRONG, t.check_k,
            left_wrongly, t.check_out,
            early, t.check_year, many, t.check_category, "")
    names
        many  = cases(NOT(personal), FALSE, LEN(SUBSTITUTE(category, ";", ","))
                      - LEN(SUBSTITUTE(SUBSTITUTE(category, ";", ","), ",", "")) > {categories} - 1)
        twice = times({table}[name], name) > 1
        left_wrongly = {left_wrongly}
        # a year that is missing is said once, at its cell
        early = IF(COUNT(birth, List_year) = 2, birth > List_year, FALSE)
    inputs
        ?named name soft = times({table}[name], name) = 1
    marks
        name        attention   OR(check = t.check_name, check = t.check_twice)
        birth       attention   check = t.check_year
        ?personal category attention check = t.check_category
"""

_COUNTED: Final = """
sheet steps hidden titles:2
    ?begins note about_steps
    table {counted} rows:size {gap}
        no          0 quiet         = row_number
        name        left 22         = {table}[@name]
        # 1 while an entry cannot be read: nothing is guessed, so no rating of theirs is new
        waits       0               = cases(name = "", 0,
            AND(ISNUMBER({table}[@birth]), NOT(ISNUMBER(List_year))), 1, {table}[@fault] = 0, 0,
            filled({table}[@rating:k]) = COUNT({table}[@rating:k]),
            IF({table}[@check] = t.check_year, 1, 0), 1)
        rating      0               = IF(AND(name <> "", ISNUMBER({table}[@rating])),
                                         {table}[@rating], "")
        games       0               = number({table}[@games])
        age         0               = IF(AND(ISNUMBER({table}[@birth]), ISNUMBER(List_year)),
            IF(List_year >= {table}[@birth], List_year - {table}[@birth], ""), "")
        peak        0               = number({table}[@peak])
        active      0               = IF(takes_part, 1, 0)
        rule_k      0               = ELO_K(rating, games, age, peak, {period_games}, rules.name)
        ?ordered first 0            = first_rating_of_row
        ?ordered key 0.00           = order_key
        ?ordered place 0            = order(key, {counted}[key], upto[key])
"""


def players(
    book: Book,
    *,
    key: str = "players",
    table: str = "Players",
    out: bool = False,
    named: bool = True,
    personal: bool = False,
    ordered: str = "",
    more: Sequence[str] = (),
) -> None:
    """Write the sheet on which players are typed; ``out`` adds a column for withdrawn players.

    With ``named`` games find players by their names, so every name may appear only once.
    ``personal`` adds the columns that sheets for the wall show of them. ``ordered``
    is the key of a note for a list whose rows are named by their numbers elsewhere. ``more`` are
    lines of further columns beside the names.
    """
    _year(book, table)
    book.read(
        _PLAYERS,
        key,
        key=key,
        table=table,
        out=out,
        left_wrongly="out = WRONG" if out else "FALSE",
        last="category" if personal else "out" if out else "k",
        personal=personal,
        # what sheets for the wall show of players needs wide paper
        set_up=f"{'' if personal else 'upright'} {'ordered' if ordered else ''}",
        about=ordered or f"about_{key}",
        bigger="bigger_personal" if personal else "bigger",
        categories=MOST_CATEGORIES,
        named=named,
        more="\n".join(more),
    )


def _year(book: Book, table: str) -> None:
    """Declare from what the year of the list is taken while its cell is blank: from the date of the
    list or the event, else from the latest game; if neither says it and a birth year needs it, the
    cell is wrong."""
    births = book.names.get("births", "0")
    book.names["births"] = f"{births} + COUNT({table}[birth])"
    book.names.setdefault("last_game", "0")
    dates = "N(Dates)" if "Dates" in book.singles else "0"
    book.names["year_else"] = (
        f"cases({dates} > 9999, YEAR({dates}), {dates} >= 1950, {dates}, "
        'last_game > 0, YEAR(last_game), births = 0, "", WRONG)'
    )


def counted(
    book: Book,
    *,
    table: str = "Players",
    counted: str = "Counted",
    takes_part: str = 'name <> ""',
    period_games: str = "",
    order_key: str = "",
    first_rating: str = FIRST,
    title: str = "",
) -> None:
    """Write what counts of each player on *Steps*: valid arguments for the worksheet functions.

    ``takes_part`` is the test who has a place, ``period_games`` the formula of the games in the
    period. With the formula ``order_key`` players have places in the order of its values, the
    highest first, and those without a rating that of the formula ``first_rating``. ``title`` is
    a heading above the table.
    """
    steps = book.sheet("steps")
    begins = not steps.tables
    book.read(
        _COUNTED,
        "steps",
        table=table,
        counted=counted,
        period_games=period_games,
        takes_part=takes_part,
        ordered=bool(order_key),
        order_key=order_key,
        first_rating_of_row=first_rating,
        begins=begins,
        gap="gap:1" if begins and title else "",
    )
    if title:
        above = book.tables[counted].header - 1
        steps.put(above, 1, title, "section", measure=False)
