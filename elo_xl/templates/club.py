"""``club``: the book that a club keeps over the years, with the ratings of its members.

Sheets: the first one, *Members* (three ratings each, with games and highest rating), *Events*,
*Results* (the games of the events that are still to be rated), *Rating list* for the wall, *Rating
history* (a line for each published rating), *Rated games* and *Steps*.

``elo-xl add``, ``close`` and ``undo`` write values into it, and nothing but values: a rating that
was published stays what it was. So the only formulas are those of the list for the wall and of the
column *Check*.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple

import numpy as np

from elo_xl.books.book import Book, Constant, Content, Options
from elo_xl.books.front import front
from elo_xl.books.signs import PAIRED, results
from elo_xl.books.texts import texts
from elo_xl.engine.period import period
from elo_xl.engine.results import PENALTIES, UNRATED
from elo_xl.templates.blocks.near import near
from elo_xl.templates.blocks.wall import ARBITER, CLUB, DATES
from elo_xl.templates.samples import MEMBERS, YEAR, Member, on_the_wall, outcome
from elo_xl.templates.samples import SIGNS as RESULTS

KINDS: Final = ("standard", "rapid", "blitz")
"""The kinds of play, each with ratings of its own."""

SIGNS: Final = (*PAIRED, *UNRATED, *PENALTIES)
"""How a result may be typed."""

RULES: Final = "fide-2025-10"
"""The rulebook of the events in the sample."""

EVENTS: Final = 3
"""Lines for games there are for each of an event, at least."""

SHEETS: Final = """
commands
    pictures list members
    page club
    players Members
    games Results events
sheet members freeze:name
    note about_members
    note bigger players=size
    table Members rows:size
        no          0 center quiet              = row_number
        name        @ left input 22
        id          @ left input 8
        birth       0 center input 5.5 whole:1900..2099
        title       @ center input 5
        federation  @ center input 5
        {ratings}
        out         @ center input yes
        check       left attention 5            = cases(
            filled(name:out) = 0, "",
            OR(name = "", name = WRONG), t.check_name,
            times(Members[name], name) > 1, t.check_twice,
            IF(id = "", FALSE, times(Members[id], id) > 1), t.check_id,
            SUMPRODUCT(--(id:out = WRONG)) > 0, t.check_entry, "")
        fault       0 quiet helper              = IF(check = "", 0, 1)
        shown spare:10                          = filled(name:out) > 0
    inputs
        name soft = times(Members[name], name) = 1
    marks
        name        attention   OR(check = t.check_name, check = t.check_twice)
        id          attention   check = t.check_id

sheet events freeze:event ordered
    note about_events
    table Events rows:events
        no          0 center quiet              = row_number
        event       @ left input 30
        date        date center input 12 date:DATE(1950,1,1)..DATE(2199,12,31)
        kind        @ center input 11 list:"{kinds}"
        games       0 input 8 whole:0..100000 text:event_games
        players     0 input 9 whole:0..100000 text:event_players
        rulebook    @ left input 15
        closed      date center input 12 date:DATE(1950,1,1)..DATE(2199,12,31)
        check       left attention 8            = cases(filled(event:closed) = 0, "",
            OR(event = "", event = WRONG), t.check_event,
            times(Events[event], event) > 1, t.check_again,
            NOT(ISNUMBER(date)), t.check_date,
            AND({no_kind}), t.check_kind,
            SUMPRODUCT(--(games:closed = WRONG)) > 0, t.check_entry, "")
        fault       0 quiet helper              = IF(check = "", 0, 1)
        shown spare:10                          = filled(event:closed) > 0
    marks
        event       attention   OR(check = t.check_event, check = t.check_again)
        date        attention   check = t.check_date
        kind        attention   check = t.check_kind

sheet results freeze:event
    note about_results
    note bigger_games games=lines
    table Results rows:lines
        no          0 center quiet              = row_number
        event       @ left input 28 list:Events[event]
        round       0 center input 7 whole:1..999
        white       @ left input 28 list:Members[name]
        black       @ left input 28 list:Members[name]
        result      @ center input 8 result
        check       left attention 12           = cases(filled(event:result) = 0, "",
            event = "", t.check_event, times(Events[event], event) <> 1, t.check_no_event,
            OR(white = "", black = ""), t.check_alone,
            times(Members[name], white) <> 1, stranger(white, Results_near[@white]),
            times(Members[name], black) <> 1, stranger(black, Results_near[@black]),
            white = black, t.check_self,
            result = WRONG, t.check_result, result = "", t.check_missing,
            round = WRONG, t.check_entry, "")
        fault       0 quiet helper              = IF(OR(check = "", check = t.check_missing), 0, 1)
        shown spare:10                          = filled(event:result) > 0
    marks
        event       attention   OR(check = t.check_event, check = t.check_no_event)
        white       attention   OR(check = t.check_self,
                                   check = stranger(white, Results_near[@white]),
                                   AND(check = t.check_alone, white = ""))
        black       attention   OR(check = t.check_self,
                                   check = stranger(black, Results_near[@black]),
                                   AND(check = t.check_alone, black = ""))
        result      missing     check = t.check_missing

sheet list wall:list_title stretch:name
    note note_list
    table List rows:size
        place       0 center quiet 6            = IF(ISNUMBER(standard),
                                                     RANK(standard, List[standard]), "")
        title       left 6                      = of(Members[title])
        name        left strong                 = of(Members[name])
        federation  left 6                      = of(Members[federation])
        {listed}
        who         0 quiet helper text:no      = IFERROR(MATCH(row_number, Listed[place], 0), 0)
        shown                                   = who > 0
    pieces
        of(column) = IF(who = 0, "", INDEX(column, who))
        of_line(lines, column, other) = cases(who = 0, "", INDEX(lines, who) = 0, "",
            INDEX(column, INDEX(lines, who)) = "", other,
            number(INDEX(column, INDEX(lines, who))))

sheet history freeze:name ordered tab:help
    note about_history
    table History rows:lines
        no          0 center quiet              = row_number
        date        date center input 11 date:DATE(1950,1,1)..DATE(2199,12,31)
        name        @ left input 27
        id          @ left input 8
        kind        @ center input 9 list:"{kinds}"
        rating      0 center input 6 whole:1..4000
        change      +0 center input 7 decimal:-3999..3999
        games       0 center input 6 whole:0..100000 text:event_games
        before      0 center input 7 whole:1..4000
        games_before 0 center input 7 whole:0..100000
        peak_before 0 center input 7 whole:1..4000
        birth       0 center input 5.5 whole:1900..2099
        shown                                   = filled(date:birth) > 0
    marks
        date:birth  paper       TRUE

sheet rated freeze:event ordered
    note about_rated
    table Rated rows:lines
        no          0 center quiet              = row_number
        closed      date center input 11 date:DATE(1950,1,1)..DATE(2199,12,31)
        event       @ left input 22
        round       0 center input 6 whole:1..999
        white       @ left input 22
        white_rating 0 center input 7 whole:1..4000
        black       @ left input 22
        black_rating 0 center input 7 whole:1..4000
        result      @ center input 7 result
        shown                                   = filled(closed:result) > 0
    marks
        closed:black_rating paper TRUE

sheet steps hidden titles:2
    note about_steps
    table Listed rows:size
        no          0 quiet                     = row_number
        name        left                        = IF(OR(Members[@name] = "", Members[@name] = WRONG,
                                                     Members[@out] = YES), "", Members[@name])
        # who has no rating comes last
        key         0                           = IF(name = "", "", N(Members[@standard]))
        place       0                           = order(key, Listed[key], upto[key])
        # the lines of the newest list: an older change would read as if it were of this one
        {lines_of_kinds}
    names
        newest = MAX(Events[closed], History[date])
    pieces
        newest_line(kind) = IF(name = "", 0, SUMPRODUCT(MAX((History[date] = newest)
            * (History[kind] = kind) * ((History[id] = Members[@id]) * (Members[@id] <> "")
            + (History[name] = name) * ((History[id] = "") + (Members[@id] = "") > 0) > 0)
            * History[no])))
"""

_TYPED: Final = """
        {kind} {look} whole:1..4000 text:rating "{over}" under:"{rating}"
        {kind}_games {look} whole:0..100000 text:games "{games}, {word}" under:"{games}"
        {kind}_peak {look} whole:1..4000 text:peak "{peak}, {word}" under:"{peak}\""""
"""Ratings of a kind of play, below its name; with it their headings are those of no other kind."""

_LISTED: Final = """
        {kind} 0 center 7 {strong} "{heading}" = IF(who = 0, "",
            number(INDEX(Members[{kind}], who)))
        {kind}_change format:"▲ 0;▼ 0;0" center 6.5 "▲▼" = of_line(
            Listed[{kind}_line], History[change], t.list_new)"""

_LISTED_GAMES: Final = """
        standard_games 0 center 6.5 "{games}" = of_line(
            Listed[standard_line], History[games], "")"""

_LINES: Final = """
        {kind}_line 0 quiet "{word}"             = newest_line("{word}")"""


def build(book: Book) -> None:
    """Declare all sheets."""
    say, options = book.say, book.options
    front(book, CLUB, replace(DATES, wall=False), ARBITER, rules=False)
    for key in ("members", "events", "results", "list", "history", "rated"):
        book.sheet(key)
    results(book, SIGNS)
    words = {kind: say(f"kind_{kind}") for kind in KINDS}
    typed = listed = ""
    lines_of_kinds = ""
    for kind, word in words.items():
        over = book.texts[f"over_{kind}"] = word.capitalize()
        typed += _TYPED.format(
            kind=kind,
            word=word,
            over=over,
            look=f"0 center input 5.5 over:over_{kind}",
            rating=say("rating_of"),
            games=say("games_of"),
            peak=say("peak_of"),
        )
        lines_of_kinds += _LINES.format(kind=kind, word=word)
        strong = "strong" if kind == KINDS[0] else ""
        listed += _LISTED.format(kind=kind, heading=over, strong=strong)
        if kind == KINDS[0]:  # the list goes by these
            listed += _LISTED_GAMES.format(games=say("games_of"))
    book.names["list_title"] = (
        't.sheet_list & IF(Dates = "", "", " " & t.as_of & " " & day_said(Dates))'
    )
    book.read(
        SHEETS,
        ratings=typed,
        listed=listed,
        lines_of_kinds=lines_of_kinds,
        kinds=",".join(words.values()),
        no_kind=", ".join(f'kind <> "{word}"' for word in words.values()),
        size=options.players,
        lines=options.rounds,
        events=max(options.rounds // EVENTS, 1),
    )
    near(book, table="Results", columns="white,black", names="Members")


def member(
    name: Constant,
    rating: Constant = None,
    games: Constant = None,
    peak: Constant = None,
    **more: Constant,
) -> dict[str, Constant]:
    """A member as typed, with the standard rating; ``more`` are other columns."""
    return {"name": name, "standard": rating, "standard_games": games, "standard_peak": peak} | more


def sample(options: Options) -> Content:
    """An invented club with an event that is rated, and one that is still open."""
    chance, say = random.Random(20263), texts(options.language)
    field = MEMBERS[: options.players]
    kind, day = say("club.kind_standard"), date(YEAR, 4, 1)
    events = [
        {
            "event": say(f"club.sample_{key}"),
            "date": date(YEAR, month, 14),
            "kind": kind,
            "games": len(field) // 2,
            "players": len(field) // 2 * 2,
            "rulebook": RULES,
            "closed": closed,
        }
        for key, month, closed in (("winter", 2, day), ("spring", 4, None))
    ]
    # each game gives two lines of the history, which has room for as many lines as Rated games
    rated = _drawn(chance, field)[: options.rounds // 2]
    waiting = _drawn(chance, field)[: options.rounds]
    members = [
        member(m.name, m.rating, m.games, m.peak or m.rating, birth=m.birth)
        | {"id": _number(i), "title": m.title, "federation": m.federation}
        | _quick(i, m)
        for i, m in enumerate(field)
    ]
    columns = [(m.rating, m.games, m.birth, m.peak or m.rating) for m in field]
    ratings, counts, births, peaks = np.array(columns, dtype=float).T
    done = period(
        ratings, "auto", [g.white for g in rated], [g.black for g in rated],
        [g.score for g in rated], RULES, games=counts, age=YEAR - births, peak=peaks,
    )  # fmt: skip
    history: list[dict[str, Constant]] = []
    for i in sorted(range(len(field)), key=lambda i: (-done.new[i], field[i].name)):
        m, new = field[i], float(done.new[i])
        if not done.games[i] or m.rating is None:
            continue
        games, peak = (m.games or 0) + int(done.games[i]), m.peak or m.rating
        members[i] |= member(m.name, new, games, max(new, peak))
        history.append({
            "date": day, "name": m.name, "id": _number(i), "kind": kind, "rating": new,
            "change": new - m.rating, "games": int(done.games[i]), "before": m.rating,
            "games_before": m.games, "peak_before": peak, "birth": m.birth,
        })  # fmt: skip

    def lines(games: list[_SampleGame], event: Constant) -> list[dict[str, Constant]]:
        return [{"event": event, "round": 1, "white": field[game.white].name,
                 "black": field[game.black].name, "result": RESULTS[game.score]}
                for game in games]  # fmt: skip

    return {
        **on_the_wall(say, ("Club", "Arbiter")),
        "Dates": day,
        "Members": members,
        "Events": events[: max(options.rounds // EVENTS, 1)],
        "Rated": [
            line
            | {"closed": day, "white_rating": field[game.white].rating}
            | {"black_rating": field[game.black].rating}
            for line, game in zip(lines(rated, events[0]["event"]), rated, strict=True)
        ],
        "Results": lines(waiting, events[1]["event"]),
        "History": history,
    }


def _number(i: int) -> str:
    """The club's own number of a member."""
    return str(101 + i)


def _quick(i: int, member: Member) -> dict[str, Constant]:
    """Ratings of a member at other speeds, by their number in the list: not everybody has one."""
    row: dict[str, Constant] = {}
    for kind, every, off in (("rapid", 3, 15), ("blitz", 2, 25)):
        if member.rating is not None and member.games is not None and i % every < every - 1:
            own = member.rating + off * (i % 5 - 2)
            row |= {kind: own, f"{kind}_games": member.games // every, f"{kind}_peak": own + off}
    return row


class _SampleGame(NamedTuple):
    """Two members, by their places, and the score of the first."""

    white: int
    black: int
    score: float


def _drawn(chance: random.Random, field: Sequence[Member]) -> list[_SampleGame]:
    """A round with opponents by lot."""
    drawn = list(range(len(field)))
    chance.shuffle(drawn)
    return [
        _SampleGame(a, b, outcome(chance, field[a].rating, field[b].rating))
        for a, b in zip(drawn[::2], drawn[1::2], strict=False)
    ]
