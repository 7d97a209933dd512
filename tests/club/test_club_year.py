"""Two years in the book of a made-up club: 120 members, 30 events in six formats, three kinds of
play, seven lists, what people type in between, two corrections, all by the commands; every figure
is that of a loop over the engine's functions with plain dictionaries. ``make test`` has the first
nine events of a club of 30."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from elo_xl.club.ledger import Ledger
from elo_xl.engine.period import period
from elo_xl.engine.ratings import first_rating
from elo_xl.templates.club import KINDS
from elo_xl.templates.gallery import make, options
from tests.support.clubs import club, rows, typed
from tests.support.command import run_in_a_line as run
from tests.support.levels import cases
from tests.support.table_files import as_csv, as_ods, as_xlsx
from tests.support.trf_lines import player, trf

pytestmark = pytest.mark.slow

SURNAMES: Final = (
    *("Ahlgren", "Bäcker", "Çelik", "Dubois", "Eriksen", "Fontána", "Größl", "Hansen", "Ibarra"),
    *("Jönsson", "Kováč", "Lemaître", "Moretti", "Nagy", "Ødegård", "Pérez", "Quiroga", "Rossi"),
    *("Šimek", "Tóth", "Urbán", "Vidal", "Weiß", "Xenakis", "Yılmaz", "Żeleński", "Иванов"),
    *("Петрова", "Щукин", "Ковальчук"),
)
GIVEN: Final = ("Ada", "Bruno", "Clara", "Dénes")
CYRILLIC: Final = ("Анна", "Борис", "Вера", "Глеб")
GUESTS: Final = ("Quist, Nora", "Ravn, Ole", "Thiele, Ulla")
"""They come with files of events, and are no members before."""

SCORES: Final[dict[str, tuple[float, float] | None]] = {
    "1": (1, 0), "½": (0.5, 0.5), "0": (0, 1), "+": None, "-": None, "½-0": (0.5, 0), "0-0": (0, 0),
}  # fmt: skip
"""Results from White's side as the book has them; None for a forfeit, which is not rated."""
RULES: Final = {"standard": "fide-2025-10", "rapid": "fide-rapid", "blitz": "fide-rapid"}
EARLIER: Final = "fide-2022-01"
"""The rulebook in force in 2023."""


@dataclass
class Person:
    name: str
    id: str
    birth: int | None
    strength: float
    begin: dict[str, tuple[float, int | None, float | None]] = field(default_factory=dict)
    """by kind: rating, number of games, highest rating, with which the book begins"""


@dataclass(frozen=True)
class Game:
    round: int
    white: str
    black: str
    result: str


@dataclass(frozen=True)
class Event:
    name: str
    day: date
    kind: str
    form: str
    games: tuple[Game, ...]
    rules: str

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(n for game in self.games for n in (game.white, game.black)))


@dataclass(frozen=True)
class Closing:
    day: date


@dataclass(frozen=True)
class Typing:
    """Somebody types a rating on the sheet of members."""

    name: str
    kind: str
    rating: float


Step = Event | Closing | Typing


# -- the club, by lot -----------------------------------------------------------------------------


def people(chance: random.Random, count: int) -> list[Person]:
    found = []
    for i in range(count):
        surname, n = SURNAMES[i % len(SURNAMES)], i // len(SURNAMES)
        given = (CYRILLIC if surname[0] > "Ѐ" else GIVEN)[n]
        one = Person(
            f"{surname}, {given}",
            str(14000000 + 37 * i) if i % 3 else "",
            None if i % 11 == 5 else 1950 + chance.randrange(65),
            chance.uniform(1420, 2440),
        )
        for kind, share, less in (("standard", 0.8, 0), ("rapid", 0.4, 40), ("blitz", 0.3, 60)):
            if chance.random() < share:
                rating = float(round(one.strength) - less)
                games = chance.choice((None, 3, 25, 29, 80, 400))
                peak = chance.choice((None, rating, rating + 35))
                one.begin[kind] = rating, games, peak
        found.append(one)
    return found


def drawn(
    chance: random.Random, field_: list[Person], rounds: int, signs: tuple[str, ...] = ()
) -> tuple[Game, ...]:
    """Games by lot; now and then one that has one of ``signs`` as its result."""
    games = []
    for round_ in range(1, rounds + 1):
        order = chance.sample(field_, len(field_))
        for white, black in zip(order[::2], order[1::2], strict=False):
            edge = (white.strength - black.strength) / 800 + 0.5
            weights = (max(edge, 0.1), 0.3, max(1 - edge, 0.1))
            result = chance.choices(("1", "½", "0"), weights)[0]
            if signs and chance.random() < 0.1:
                result = chance.choice(signs)
            games.append(Game(round_, white.name, black.name, result))
    return tuple(games)


# -- files ----------------------------------------------------------------------------------------

SIGNS: Final = {"1": "1-0", "½": "½-½", "0": "0-1", "+": "+:-", "-": "-:+"}


def plain(name: str) -> str:
    """Given name first, without accents; guests as they are, as nobody knows them yet."""
    if name in GUESTS:
        return name
    surname, given = name.split(", ")
    text = unicodedata.normalize("NFD", f"{given} {surname}")
    return "".join(sign for sign in text if not unicodedata.combining(sign) or "й" in name)


def capitals(name: str) -> str:
    return name if name in GUESTS else name.upper()


def file_trf(event: Event, who: dict[str, Person]) -> bytes:
    number = {name: i for i, name in enumerate(event.names, start=1)}
    last = max(game.round for game in event.games)
    cells = {name: ["0000 - Z"] * last for name in number}
    codes = {"1": "10", "½": "==", "0": "01", "+": "+-", "-": "-+"}
    points = dict.fromkeys(number, 0.0)
    for game in event.games:
        own, other = tuple(codes[game.result])
        cells[game.white][game.round - 1] = f"{number[game.black]} w {own}"
        cells[game.black][game.round - 1] = f"{number[game.white]} b {other}"
        for name, code in ((game.white, own), (game.black, other)):
            points[name] += {"1": 1, "+": 1, "=": 0.5}.get(code, 0)
    lines = [
        player(n, *cells[name], name=name, id=who[name].id, rating="", points=points[name],
               birth="" if (born := who[name].birth) is None else f"{born}/00/00")
        for name, n in number.items()
    ]  # fmt: skip
    tempo = {"rapid": ["122 10+5"], "blitz": ["122 3+2"]}.get(event.kind, [])
    text = trf(*tempo, *lines, start=f"{event.day:%Y/%m/%d}").decode()
    return text.replace("Test Event", event.name).encode()


def file_pgn(event: Event, who: dict[str, Person]) -> bytes:
    results = {"1": "1-0", "½": "1/2-1/2", "0": "0-1"}
    tempo = {"standard": "5400+30", "rapid": "600+5", "blitz": "180+2"}[event.kind]
    games = []
    for game in event.games:
        tags = {"Event": event.name, "Date": f"{event.day:%Y.%m.%d}", "Round": game.round,
                "White": game.white, "Black": game.black, "Result": results[game.result],
                "WhiteFideId": who[game.white].id or "?", "BlackFideId": who[game.black].id or "?",
                "TimeControl": tempo}  # fmt: skip
        lines = [f'[{tag} "{value}"]' for tag, value in tags.items()]
        games.append("\n".join([*lines, "", f"1. e4 e5 {results[game.result]}", ""]))
    return "\n".join(games).encode()


def file_book(event: Event, who: dict[str, Person]) -> bytes:
    """Typed into a workbook of rating-period."""
    content = {
        "Event": event.name,
        "Dates": event.day,
        "Players": [{"name": n, "rating": 1500, "fide_id": who[n].id or None} for n in event.names],
        "Games": [
            {"white": game.white, "black": game.black, "result": game.result, "date": event.day}
            for game in event.games
        ],
    }  # that book has no rounds
    size = options("rating-period", players=len(event.names), rounds=max(len(event.games), 10))
    return make("rating-period", size, content)


def lines_of(event: Event, spelled: Callable[[str], str] = str) -> list[list[object]]:
    return [
        ["Round", "White", "Black", "Result"],
        *([game.round, spelled(game.white), game.black, SIGNS.get(game.result, game.result)]
          for game in event.games),
    ]  # fmt: skip


FILES: Final[dict[str, Callable[[Event, dict[str, Person]], bytes]]] = {
    "trf": file_trf,
    "pgn": file_pgn,
    "book.xlsx": file_book,
    # White's names in capitals, Black's as in the book
    "csv": lambda event, _: as_csv(lines_of(event, capitals), ";"),
    "ods": lambda event, _: as_ods({"Games": lines_of(event, plain)}),
    "xlsx": lambda event, _: as_xlsx({"Notes": [["Hall B"]], "Games": lines_of(event)}),
}
ODD: Final = {"trf": ("+", "-"), "csv": ("½-0", "0-0", "+"), "ods": ("0-0", "-"), "xlsx": ("½-0",)}
"""Forfeits and penalties that a format can tell."""


# -- the loop -------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """What the loop makes of the steps."""

    now: dict[str, dict[str, tuple[float, int | None, float | None]]]
    """by kind and name: rating, number of games, highest rating"""
    history: list[tuple[object, ...]] = field(default_factory=list)
    rated: list[tuple[object, ...]] = field(default_factory=list)


def begin_of(first: date, months: int) -> date:
    year, month = divmod(first.year * 12 + first.month - 1 - months, 12)
    return date(year, month + 1, first.day)


def looped(who: dict[str, Person], steps: Iterable[Step]) -> Outcome:
    now: dict[str, dict[str, Any]] = {
        kind: {name: one.begin[kind] for name, one in who.items() if kind in one.begin}
        for kind in KINDS
    }
    done = Outcome(now)
    open_: list[Event] = []
    met: dict[tuple[str, str], list[tuple[Event, list[tuple[float, float]]]]] = {}
    """of the unrated, by kind and name: events with the ratings and scores of their opponents"""
    for step in steps:
        if isinstance(step, Event):
            open_.append(step)
        elif isinstance(step, Typing):
            old = now[step.kind].get(step.name, (None, None, None))
            now[step.kind][step.name] = step.rating, *old[1:]
        else:
            before = {kind: dict(of) for kind, of in now.items()}
            for kind in KINDS:
                own = [event for event in open_ if event.kind == kind]
                if own:
                    _period(done, who, before, kind, own, step.day, met)
            open_ = []
    return done


def _period(
    done: Outcome,
    who: dict[str, Person],
    before: dict[str, dict[str, Any]],
    kind: str,
    events: list[Event],
    day: date,
    met: dict[tuple[str, str], list[tuple[Event, list[tuple[float, float]]]]],
) -> None:
    (rules,) = {event.rules for event in events}

    def rating(name: str) -> float | None:
        own = before[kind].get(name)
        if own is None and kind != "standard":
            own = before["standard"].get(name)
        return None if own is None else own[0]

    played = [(event, game, scores) for event in sorted(events, key=lambda event: event.day)
              for game in event.games if (scores := SCORES[game.result]) is not None]  # fmt: skip
    done.rated += [
        (day, event.name, game.white, rating(game.white), game.black, rating(game.black),
         game.result)
        for event in events
        for game in event.games
    ]  # fmt: skip
    names = list(dict.fromkeys(n for _, g, _ in played for n in (g.white, g.black)))
    at = {name: i for i, name in enumerate(names)}
    none: tuple[Any, ...] = (None, None, None)
    known = [before[kind].get(name, (None, 0, None)) for name in names]
    numbers = np.array([[np.nan if x is None else x for x in (rating(name), *own[1:])]
                        for name, own in zip(names, known, strict=True)], dtype=float)  # fmt: skip
    born = [who[name].birth for name in names]
    new = period(
        numbers[:, 0],
        "auto",
        [at[game.white] for _, game, _ in played],
        [at[game.black] for _, game, _ in played],
        [scores[0] for *_, scores in played],
        rules,
        games=numbers[:, 1],
        age=[np.nan if year is None else day.year - year for year in born],
        peak=numbers[:, 2],
        second_score=[scores[1] for *_, scores in played],
    )
    for name in names:
        old, own = rating(name), before[kind].get(name, none)
        count, fresh = int(new.games[at[name]]), float(new.new[at[name]])
        if old is None:
            pooled = met.setdefault((kind, name), [])
            for event in dict.fromkeys(event for event, *_ in played):
                pairs = [
                    (other, score)
                    for its, game, scores in played
                    if its is event
                    for me, opponent, score in (
                        (game.white, game.black, scores[0]),
                        (game.black, game.white, scores[1]),
                    )
                    if me == name and (other := rating(opponent)) is not None
                ]
                if pairs:
                    pooled.append((event, pairs))
            counting = [pairs for event, pairs in pooled if event.day >= begin_of(day, 26)]
            while counting and not sum(score for _, score in counting[0]):
                del counting[0]
            games = [pair for pairs in counting for pair in pairs]
            count = len(games)
            points = sum(score for _, score in games)
            if count < 5 or not points:
                continue
            fresh = float(first_rating([other for other, _ in games], points, rules))
            if fresh < (1400 if rules != EARLIER else 1000):
                continue
        if not count:
            continue
        rated = float(np.floor(fresh + 0.5))
        games_before = 0 if own[0] is None else own[1]
        after = None if games_before is None else games_before + count
        highest = max(rated, own[0] or 0, own[2] or 0, old or 0)
        unknown = own[0] is not None and own[2] is None and highest < 2400
        done.now[kind][name] = rated, after, None if unknown else highest
        change = None if old is None else rated - old
        done.history.append((day, name, kind, rated, change, count, *own, who[name].birth))


# -- the year -------------------------------------------------------------------------------------

LISTS: Final = (
    date(2024, 1, 1), date(2026, 1, 1), date(2026, 3, 1), date(2026, 5, 1), date(2026, 7, 1),
    date(2026, 9, 1), date(2027, 1, 1),
)  # fmt: skip
KINDS_PLAYED: Final = (
    *("standard", "standard", "rapid", "standard", "blitz"),
    *("standard", "rapid", "standard", "blitz", "rapid"),
) * 3
FORMS: Final = ("trf", "csv", "pgn", "xlsx", "ods", "book.xlsx")


@dataclass(frozen=True)
class Size:
    """How much happens in the book."""

    members: int
    events: int
    typed: int
    """the place of the event after which ratings are typed, from 0"""
    taken_back: int
    """the number of the event that is taken back and put in again"""
    list: int
    """the place of the list after which an event is corrected"""
    corrected: int
    """the number of that event"""
    last: int
    """the number of an event that is corrected at the end"""
    first: int
    """more than so many have a first rating"""


WHOLE: Final = Size(120, 30, typed=18, taken_back=10, list=4, corrected=4, last=14, first=20)
SHORT: Final = Size(45, 9, typed=6, taken_back=4, list=1, corrected=6, last=4, first=2)


def planned(chance: random.Random, field_: list[Person], size: Size) -> list[Step]:
    """Two events of 2023, and the others between five lists of 2026 and the last one."""
    unrated = [one for one in field_ if "standard" not in one.begin]
    guests = [Person(name, "", None, 1700 + 60 * i) for i, name in enumerate(GUESTS)]
    steps: list[Step] = []
    for n, kind in enumerate(KINDS_PLAYED[: size.events]):
        period_, form = 0 if n < 2 else 1 + (n - 2) // 5, FORMS[n % 6]
        day = date(2023, 11 + n, 20) if n < 2 else (
            date(2025, 12, 1 + n) if period_ == 1 else
            date(LISTS[period_ - 1].year, LISTS[period_ - 1].month, 2 + n % 5 * 5))  # fmt: skip
        newcomers = chance.sample(unrated, 5) if n % 4 else unrated[:5]
        rated = [one for one in field_ if one not in newcomers]
        playing = chance.sample(rated, 12 + n % 5) + newcomers
        if n % 5 == 0:
            playing.append(guests[n // 5 % 3])
        rules = EARLIER if kind == "standard" and n < 2 else RULES[kind]
        games = drawn(chance, playing, 2 + n % 3, ODD.get(form, ()))
        if form == "trf":  # a person who only had forfeits would not be in the file as a player
            games = tuple(g if g.round > 1 else replace(g, result=g.result.replace("+", "1")
                          .replace("-", "0")) for g in games)  # fmt: skip
        if n and period_ != (0 if n < 3 else 1 + (n - 3) // 5):
            steps.append(Closing(LISTS[period_ - 1]))
        steps.append(Event(f"Event {n + 1}, {kind}", day, kind, form, games, rules))
        if n == size.typed:
            steps.append(Typing(field_[7].name, "standard", 1999))
            steps.append(Typing(unrated[6].name, "rapid", 1555))
    steps.append(Closing(LISTS[-1]))
    return steps


def figures(line: Iterable[object]) -> tuple[str, ...]:
    """A line with all numbers written alike, that lines can be sorted."""
    return tuple(f"{x:g}" if isinstance(x, int | float) else str(x) for x in line)


def compare(book: Path, expected: Outcome) -> None:
    """Every rating, number of games and peak, every line of the history and every rated game."""
    heads = {kind: (kind.title(), f"Games, {kind}", f"Highest, {kind}") for kind in KINDS}
    members = rows(book, "Members")
    assert {(name, kind): own for kind, of in expected.now.items() for name, own in of.items()} == {
        (row["Name"], kind): tuple(row[head] for head in heads[kind])
        for row in members
        for kind in KINDS
        if row[heads[kind][0]] is not None
    }
    columns = ("Name", "Kind", "Rating", "Change", "Games", "Rating before", "Games before",
               "Highest before", "Birth year")  # fmt: skip
    history = [(row["Date"].date(), *(row[column] for column in columns))
               for row in rows(book, "Rating history")]  # fmt: skip
    assert sorted(map(figures, expected.history)) == sorted(map(figures, history))
    others = ("Event", "White", "Rating of White", "Black", "Rating of Black", "Result")
    rated = [(row["Closed"].date(), *(row[column] for column in others))
             for row in rows(book, "Rated games")]  # fmt: skip
    assert sorted(map(figures, expected.rated)) == sorted(map(figures, rated))


def corrected(
    book: Path, steps: list[Step], number: int, results: dict[int, str], *more: Game
) -> None:
    """Type other results of an event's games on the sheet of rated games, and more games; a blank
    result takes the game away. The same in the steps."""
    at, event = next((i, step) for i, step in enumerate(steps) if isinstance(step, Event)
                     and step.name.startswith(f"Event {number},"))  # fmt: skip
    lines = Ledger(book.read_bytes()).rated
    own = [line.row for line in lines if line.event == event.name]
    every = ("event", "round", "white", "black", "result", "closed", "white_rating", "black_rating")
    cells: dict[tuple[int, str], Any] = {}
    for n, result in results.items():
        row = own[n]
        cells |= {(row, "result"): result} if result else {(row, key): None for key in every}
    for row, game in enumerate(more, start=lines[-1].row + 1):
        cells |= {(row, "event"): event.name, (row, "white"): game.white,
                  (row, "black"): game.black, (row, "result"): game.result}  # fmt: skip
    typed(book, "Rated", cells)
    games = (replace(game, result=results.get(n, game.result))
             for n, game in enumerate(event.games))  # fmt: skip
    steps[at] = replace(event, games=(*(game for game in games if game.result), *more))


@pytest.mark.parametrize("size", cases((SHORT, WHOLE), test=(SHORT,)))
def test_two_years_are_those_of_a_loop_over_the_engine(size: Size, tmp_path: Path) -> None:
    chance = random.Random(2026)
    field_ = people(chance, size.members)
    who = {one.name: one for one in field_}
    who |= {name: Person(name, "", None, 0) for name in GUESTS}
    members: list[dict[str, Any]] = [
        {"name": one.name, "id": one.id or None, "birth": one.birth}
        | {f"{kind}{what}": value for kind, own in one.begin.items()
           for what, value in zip(("", "_games", "_peak"), own, strict=True)}
        for one in field_
    ]  # fmt: skip
    book = club(tmp_path / "club.xlsx", members, players=size.members + 4, rounds=10)
    steps: list[Step] = []
    for step in planned(chance, field_, size):
        if isinstance(step, Typing):
            typed(book, "Members", {(list(who).index(step.name) + 1, step.kind): step.rating})
        elif isinstance(step, Closing):
            run("close", book, "--date", step.day)
            if step.day == LISTS[1]:  # two have left
                typed(book, "Members", {(3, "out"): "x", (9, "out"): "x"})
        else:
            file = tmp_path / f"{step.name}.{step.form}"
            file.write_bytes(FILES[step.form](step, who))
            words = ["--date", step.day, "--kind", step.kind, "--name", step.name, "--new"]
            before = book.read_bytes()
            text = run("add", book, file, *words)
            step = replace(step, games=tuple(g for g in step.games if SCORES[g.result]))
            assert f"{len(step.games)} games, {len(step.names)} players" in text
            if step.name.startswith(f"Event {size.taken_back},"):  # taken back, and put in again
                run("undo", book)
                assert before == book.read_bytes()
                run("add", book, file, *words)
        steps.append(step)
        if step == Closing(LISTS[size.list]):
            compare(book, looped(who, steps))
            corrected(book, steps, size.corrected, {2: "½-0", 5: "0", 7: "-"})
            assert "published ratings differ" in run("correct", book)
            compare(book, looped(who, steps))
    compare(book, looped(who, steps))
    assert [] == rows(book, "Results")
    assert "agree with the games" in run("correct", book)
    first = [line[1] for line in looped(who, steps).history if line[4] is None]
    assert ({*GUESTS} & {*first}) or size == SHORT
    assert len(first) > size.first
    missing = Game(0, field_[2].name, field_[40].name, "1")
    corrected(book, steps, 2, {0: "0", 5: ""})
    corrected(book, steps, size.last, {3: "1"}, missing, replace(missing, white=GUESTS[0]))
    text = run("correct", book)
    assert "Games typed in since: 2" in text
    compare(book, looped(who, steps))
    assert "agree with the games" in run("correct", book)
