"""The workbook of a rated event: live formulas, the engine's ratings in them, odd input."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import cycle, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openpyxl
import pypdfium2
import pytest
from openpyxl.cell.cell import MergedCell
from openpyxl.worksheet.worksheet import Worksheet

from elo_xl.books.book import Book
from elo_xl.books.rules import STAR
from elo_xl.books.styles import INPUT
from elo_xl.books.text import clean
from elo_xl.books.texts import texts
from elo_xl.events.event import Game, Pairing, Player, Problem, Tournament
from elo_xl.events.rate import RatedEvent, rate
from elo_xl.languages import CODES
from elo_xl.questions.rate.book import rated_event_book, write_rated_event
from tests.support.events import NAMES, tournament
from tests.support.levels import amount, cases
from tests.support.template_books import differences, problems, same

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from tests.support.calc import Calc

RULES = (
    *("fide-2025-10", "fide-2024-03", "fide-2022-01", "fide-2014-07", "fide-2009-07"),
    *("fide-rapid", "elo", "logistic"),
)
YELLOW = f"00{INPUT}"
EVENT = "=Open & <Championship> №1"
SHEETS = [
    *("Start here", "Players", "Games", "Rating list", "Ratings", "First ratings"),
    *("Gains and losses", "Crosstable", "Why", "Each game", "Rules", "Signs", "Steps"),
    *("Notations", "As read"),
]


@cache
def event(rules: str | Path, seed: int = 1, **how: Any) -> RatedEvent:
    return rate(tournament(seed=seed, **how), rules)


@cache
def made(rules: str | Path, seed: int = 1, **how: Any) -> Book:
    return rated_event_book(event(rules, seed, **how))


def column(book: Book, table: str, key: str) -> list[Any]:
    return book.tables[table].column(key).values()


def wrong(book: Book, rated: RatedEvent) -> list[tuple[object, ...]]:
    """Each figure of a player that is not the engine's: number, what, what it is, what it was."""
    ratings, newcomers = book.tables["Ratings"], book.tables["First"]
    found: list[tuple[object, ...]] = []

    def look(number: int, key: str, value: object, cell: object) -> None:
        if not same(cell, "" if value is None else value):
            found.append((number, key, value, cell))

    for p in rated.players:
        for key, value in {
            "rating": p.player.rating,
            "k": p.k,
            "games": p.games,
            "score": p.score,
            "expected": p.expected,
            "change": p.change,
            "new": p.new,
            "performance": p.performance,
        }.items():
            (cell,) = ratings.cell(key, p.player.number - 1).values()
            look(p.player.number, key, value, cell)
    rows = {no: i for i, no in enumerate(newcomers.column("no").values()) if no != ""}
    assert set(rows) == {n.player.number for n in rated.new_players}
    for n in rated.new_players:
        for key, value in {
            "games": len(n.opponents),
            "score": n.score,
            "average": n.average,
            "percent": n.percent,
            "limited" if getattr(rated.rules.first, "most", None) else "computed": n.computed,
            "first": n.rating,
        }.items():
            (cell,) = newcomers.cell(key, rows[n.player.number]).values()
            look(n.player.number, key, value, cell)
    return found


@pytest.mark.parametrize("seed", cases(range(4), test=(1,)))
@pytest.mark.parametrize("rules", RULES)
def test_every_rating_is_the_engines(rules: str, seed: int) -> None:
    how = {} if seed == 1 else {"strongest": 2700, "step": 45, "rounds": 6 + seed}
    rated = event(rules, seed, **how)
    assert wrong(made(rules, seed, **how), rated) == []


@pytest.mark.parametrize(
    ("model", "rounding", "method"),
    cases(
        product(
            ("normal", "logistic", "fide"),
            ("whole", "none"),
            ("performance", "half points", "hypothetical draws"),
        ),
        test=[
            ("normal", "none", "half points"),
            ("logistic", "whole", "performance"),
            ("fide", "none", "hypothetical draws"),
        ],
    ),
)
def test_every_rating_is_the_engines_under_rules_of_ones_own(
    model: str, rounding: str, method: str, tmp_path: Path
) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        f"""
        model = "{model}"
        rounding = "{rounding}"
        cap = 350
        floor = 1000
        k = [{{ k = 40, games_below = 30 }}, {{ k = 16, peak_from = 2000 }}, {{ k = 24 }}]
        first = {{ method = "{method}", games = 1, floor = 900 }}
        """
    )
    how = {"players": 14, "strongest": 2700, "step": 80}
    rated = event(path, **how)
    assert {n.rating for n in rated.new_players} - {None}
    assert wrong(made(path, **how), rated) == []


@pytest.mark.parametrize("rules", RULES)
def test_every_game_is_the_engines(rules: str) -> None:
    rated, book = event(rules), made(rules)
    keys = ("expected_a", "change_a", "expected_b", "change_b")
    games = {}
    labels = (str(label).partition("/")[0] for label in column(book, "Each", "no"))
    columns = [column(book, "Each", key) for key in keys]
    # the numbers of both stand in the table itself, or in the list that it follows row by row
    each = book.tables["Each"]
    sides = ("first_no", "second_no") if each.has("first_no") else ("first", "second")
    table = "Each" if each.has("first_no") else "Games"
    columns = [*(column(book, table, key) for key in sides), *columns]
    for r, white, black, *figures in zip(labels, *columns, strict=True):
        games[int(r), white, black] = figures[:2]
        games[int(r), black, white] = figures[2:]
    for g in rated.games:
        expected, change = games[g.round, g.player, g.opponent]
        assert same(expected, g.expected), g
        assert same(change, g.change), g


def test_libreoffice_computes_every_cell(calc: Calc) -> None:
    how = amount({"players": 6, "rounds": 2, "strongest": 2700, "step": 250}, {})
    some = ("fide-2025-10", "fide-2022-01", "fide-2009-07", "logistic")
    books = {rules: made(rules, **how) for rules in amount(some, RULES)}
    for i, language in enumerate(amount((), CODES[1:])):
        rated = rate(tournament(seed=8 + i, ranked=False, first_day=None), RULES[i])
        books[language] = rated_event_book(rated, language)
    for name, how in {
        "no rounds": {"players": 5, "rounds": 0},
        "unrated": {"players": 6, "rounds": 3, "unrated": 6},
        "one": {"players": 1, "rounds": 2, "unrated": 0},
    }.items():
        books[name] = rated_event_book(event("elo", **how))
    found = calc.recalculate_all({name: book.file() for name, book in books.items()})
    assert differences(books, found) == []


@pytest.mark.proof
def test_many_players(calc: Calc, tmp_path: Path) -> None:
    rated = event("fide-2022-01", players=200, rounds=13, step=8, unrated=20)
    book = rated_event_book(rated)
    assert wrong(book, rated) == []
    path = tmp_path / "event.xlsx"
    path.write_bytes(book.file())
    found = {"event": calc.recalculate(path, limit=180)}
    assert differences({"event": book}, found) == []


@pytest.mark.parametrize("language", cases(CODES, test=("en",)))
def test_packages_have_nothing_to_repair(language: str, tmp_path: Path) -> None:
    path = tmp_path / "event.xlsx"
    write_rated_event(event("fide-2025-10", players=10, rounds=3), path, language)
    assert problems(path.read_bytes()) == []
    workbook = openpyxl.load_workbook(path)
    if language == "en":
        assert workbook.sheetnames == SHEETS
    say = texts(language)
    assert workbook.active is not None
    assert workbook.active.title == say("rated-event.sheet_list")
    for sheet in workbook.worksheets:
        assert sheet.protection.sheet
        # where rows come into use, a rule colours what is typed
        rules = [
            area.sqref
            for area in sheet.conditional_formatting
            for rule in area.rules
            if rule.dxf.fill is not None and rule.dxf.fill.bgColor.rgb == YELLOW
        ]
        coloured = {at for sqref in rules for cells in sqref.ranges for at in cells.cells}
        for row in sheet.iter_rows():
            for cell in row:
                yellow = cell.fill.fgColor.rgb == YELLOW or (cell.row, cell.column) in coloured
                if isinstance(cell, MergedCell):  # its first cell tells how it looks
                    continue
                assert cell.protection.locked != yellow, (sheet.title, cell.coordinate)
                assert not yellow or cell.data_type != "f"


def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    one, other = tmp_path / "one.xlsx", tmp_path / "other.xlsx"
    for path in (one, other):
        write_rated_event(event("fide-2025-10", players=6, rounds=2), path)
    assert one.read_bytes() == other.read_bytes()
    day = openpyxl.load_workbook(one).properties.modified
    assert day is not None
    assert day.date() == date(2025, 11, 3)


def test_the_rating_list_is_in_the_order_of_the_new_ratings() -> None:
    rated, book = event("fide-2025-10"), made("fide-2025-10")
    news = {p.player.number: p.new for p in rated.players}
    news |= {n.player.number: n.rating for n in rated.new_players if n.rating is not None}
    listed = [no for no in column(book, "List", "no") if no != ""]
    assert sorted(listed) == sorted(news)
    assert [news[no] for no in listed] == sorted(news.values(), reverse=True)
    names = {p.number: clean(p.name).strip() for p in rated.tournament.players}
    shown = map(clean, column(book, "List", "name"))
    assert list(shown)[: len(listed)] == [names[no] for no in listed]


def test_reasons_of_k_and_of_first_ratings() -> None:
    rated, book = event("fide-2025-10"), made("fide-2025-10")
    whys = column(book, "Ratings", "why")
    for p in rated.players:
        why = whys[p.player.number - 1]
        assert why.replace(STAR, " (assumed)") == p.k_reason
    reasons = dict(
        zip(column(book, "First", "no"), column(book, "First", "why"), strict=True)
    )  # fmt: skip
    for n in rated.new_players:
        few = "fewer than 5 games against rated opponents"
        good = "published" if n.rating is not None else few
        assert reasons[n.player.number] in (good, "an event without a point is disregarded")


def test_first_ratings_are_headed_by_what_stands_below() -> None:
    headings = [column.heading for column in made("fide-2025-10").tables["First"].columns.values()]
    assert ["Opponents' ratings, sum"] == [name for name in headings if "sum" in name]


def field(ratings: list[float | None], codes: str, **more: Any) -> Tournament:
    """Number 1 meets all others, one a round, with these results."""
    players = tuple(Player(i, f"P{i}", r, **more) for i, r in enumerate(ratings, start=1))
    back = {"1": "0", "0": "1", "=": "="}
    pairings: dict[int, tuple[Pairing, ...]] = {1: ()}
    games = []
    for r, code in enumerate(codes, start=1):
        pairings[1] += (Pairing(r, r + 1, "w", code),)
        rounds = [Pairing(i, None, "", "") for i in range(1, len(codes) + 1)]
        rounds[r - 1] = Pairing(r, 1, "b", back[code])
        pairings[r + 1] = tuple(rounds)
        games.append(Game(r, 1, r + 1, {"1": 1.0, "=": 0.5, "0": 0.0}[code]))
    return Tournament("A", players, pairings, tuple(games), len(codes), start=date(2026, 3, 1))


def test_k_is_lowered_for_many_games_whoever_gave_it() -> None:
    for given, more in ((40.0, {}), (None, {"k": 40.0}), (None, {"games": 3})):
        rated = rate(field([2000.0] * 20, "1=0" * 6 + "1", **more), "fide-2025-10", given)
        book = rated_event_book(rated)
        assert wrong(book, rated) == []
        assert column(book, "Ratings", "k")[0] == 36  # 19 games
        assert str(column(book, "Ratings", "why")[0]).endswith(
            "lowered so that K × games is at most 700"
        )


@pytest.mark.parametrize(
    ("rules", "codes"),
    cases(
        product(RULES, ("1=", "11", "10==")),
        test=[*product(RULES, ("11",)), ("fide-2025-10", "10=="), ("fide-2009-07", "10==")],
    ),
)
def test_one_player_against_a_mixed_field(rules: str, codes: str) -> None:
    chance = random.Random(len(codes))
    for own in (None, 2700.0, *amount((), (1500.0,))):
        met: list[float | None] = [float(chance.randint(1100, 2700)) for _ in codes]
        rated = rate(field([own, *met], codes), rules)
        assert wrong(rated_event_book(rated), rated) == []


def test_the_crosstable_shows_every_round() -> None:
    rated = event("fide-2025-10", seed=7)
    book = made("fide-2025-10", seed=7)
    rounds = range(1, rated.tournament.rounds + 1)
    shown = list(
        zip(*(column(book, "Cross", f"seen{r}") for r in rounds), strict=True)
    )  # fmt: skip
    points = column(book, "Cross", "points")
    numbers = column(book, "Cross", "no")
    assert sorted(numbers) == [p.number for p in rated.tournament.players]
    byes = {"H": "bye ½", "U": "bye 1", "Z": "–"}
    signs = {"1": "1", "=": "½", "0": "0", "W": "(1)", "L": "(0)"}
    worth = {"1": 1, "½": 0.5, "+": 1, "(1)": 1}
    for number, row, total in zip(numbers, shown, points, strict=True):
        pairings = rated.tournament.pairings[number]
        assert list(row) == [
            byes[p.code]
            if p.opponent is None
            else f"{p.opponent}{p.code}"
            if p.code in "+-"
            else f"{p.opponent}{p.colour}{signs[p.code]}"
            for p in pairings
        ]
        last = (re.findall(r"\(?[^\d\s]?\)?$|[01]$|\(1\)$", text)[0] for text in row)
        assert total == sum(worth.get(end, 0) for end in last)
    assert points == sorted(points, reverse=True)
    ranks = column(book, "Cross", "rank")
    assert ranks == [1 + sum(other > mine for other in points) for mine in points]
    counts = {
        (number, r): value
        for r in rounds
        for number, value in zip(numbers, column(book, "Cross", f"counts{r}"), strict=True)
    }
    met = {(g.player, g.round) for g in rated.games}
    rated_numbers = {p.player.number for p in rated.players}
    assert {at for at, value in counts.items() if value and at[0] in rated_numbers} == met


def test_ranks_and_points_of_the_file_decide_among_equals() -> None:
    plain = tournament(6, 1, seed=4, unrated=0)
    ranks = {1: 3, 2: 1, 3: None, 4: 2, 5: 4, 6: 9}
    players = tuple(replace(p, rank=ranks[p.number], points=9.5) for p in plain.players)
    book = rated_event_book(rate(replace(plain, players=players), "fide"))
    points, numbers = column(book, "Cross", "points"), column(book, "Cross", "no")
    order = [(-p, ranks[n] or 99) for p, n in zip(points, numbers, strict=True)]
    assert order == sorted(order)
    assert column(book, "Cross", "rank") == [1, 2, 3, 4, 5, 6]
    assert set(column(book, "Cross", "filed")) == {9.5}


def test_pairings_of_which_the_two_sides_differ() -> None:
    """One has an opponent who has none; both forfeit; both have White; nobody reported."""
    players = tuple(Player(i, "Twin", 1800.0 + i) for i in (1, 2, 3, 4, 40))
    cells = {
        1: (Pairing(1, 2, "w", "+"), Pairing(2, 3, "w", "-")),
        2: (Pairing(1, None, "", "Z"), Pairing(2, 4, "w", "")),
        3: (Pairing(1, 4, "w", "1"), Pairing(2, 1, "b", "-")),
        4: (Pairing(1, 3, "w", "0"), Pairing(2, 2, "", "")),
        40: (Pairing(1, None, "", "F"), Pairing(2, None, "", "H")),
    }
    plain = Tournament("", players, cells, (Game(1, 3, 4, 1.0),), 2)
    book = rated_event_book(rate(plain, "fide"))
    keys = ("round", "white", "result", "black")
    lines = list(zip(*(column(book, "Games", key) for key in keys), strict=True))
    assert [line for line in lines if line[1] is not None] == [
        (1, 1, "bye", None),
        (1, 2, "0 bye", None),
        (1, 3, "1", 4),
        (1, 5, "bye", None),  # 40 would leave 35 blank rows
        (2, 1, "--", 3),
        (2, 2, None, 4),
        (2, 5, "½ bye", None),
    ]
    assert set(column(book, "Games", "check")) == {"", "Result is missing"}
    assert sorted(column(book, "Cross", "points"), reverse=True) == [1.5, 1, 1, 0, 0]


def test_numbers_that_nobody_has_are_blank_rows() -> None:
    plain = tournament(seed=5)
    new = {p.number: p.number + (p.number > 10) * 3 for p in plain.players}
    moved = Tournament(
        plain.name,
        tuple(replace(p, number=new[p.number]) for p in plain.players),
        {
            new[n]: tuple(replace(c, opponent=new[c.opponent] if c.opponent else None) for c in own)
            for n, own in plain.pairings.items()
        },
        tuple(replace(g, first=new[g.first], second=new[g.second]) for g in plain.games),
        plain.rounds,
        start=plain.start,
    )
    rated = rate(moved, "fide")
    book = rated_event_book(rated)
    assert wrong(book, rated) == []
    assert column(book, "Players", "name")[10:13] == [None, None, None]
    assert set(column(book, "Players", "check")) == {""}


def test_names_never_become_formulas(tmp_path: Path) -> None:
    path = tmp_path / "event.xlsx"
    write_rated_event(event("fide-2025-10"), path)
    workbook = openpyxl.load_workbook(path)
    sheet = workbook["Players"]
    names = {c.value: c for row in sheet.iter_rows(min_col=2, max_col=2) for c in row}
    for name in NAMES:
        cell = names[clean(name)]
        assert cell.data_type == "s"
        assert cell.quotePrefix == name.startswith(("=", "+", "-", "@"))
    start = workbook["Start here"]
    (cell,) = (c for row in start.iter_rows() for c in row if c.value == EVENT)
    assert (cell.data_type, cell.quotePrefix) == ("s", True)
    # formulas read it elsewhere, by its place
    ((title, at),) = workbook.defined_names["Event"].destinations
    assert (title, workbook[title][at].data_type) == ("As read", "f")
    assert made("fide-2025-10").values[title, at.replace("$", "")] == EVENT


# -- what is typed anew ---------------------------------------------------------------------------


def with_score(plain: Tournament, game: Game, score: float | None) -> Tournament:
    """The event as if a game had ended otherwise, or had not been played."""
    codes = {1.0: ("1", "0"), 0.5: ("=", "="), 0.0: ("0", "1"), None: ("Z", "Z")}[score]
    sides = {game.first: codes[0], game.second: codes[1]}
    pairings = {
        number: tuple(
            replace(cell, code=sides[number])
            if number in sides and cell.round == game.round
            else cell
            for cell in cells
        )
        for number, cells in plain.pairings.items()
    }
    instead = [] if score is None else [replace(game, score=score)]
    games = [g for old in plain.games for g in (instead if old is game else [old])]
    return replace(plain, pairings=pairings, games=tuple(games))


def typed(book: Book, cells: dict[tuple[str, str, int], Any], path: Path) -> Path:
    """The file with other values in the rows of tables, by table, column and row."""
    path.write_bytes(book.file())
    workbook = openpyxl.load_workbook(path)
    for (table, key, i), value in cells.items():
        place = book.tables[table].cell(key, i)
        cell = workbook[place.sheet.title][place.area]
        assert not cell.protection.locked
        cell.value = value
    workbook.save(path)
    return path


def line_of(book: Book, game: Game) -> int:
    lines = zip(*(column(book, "Games", key) for key in ("round", "white", "black")), strict=True)
    return list(lines).index((game.round, game.first, game.second))


def ratings_in(book: Book, sheet: Worksheet, table: str, keys: tuple[str, ...]) -> list[list[Any]]:
    """What a recalculated file has in columns of a table, by the place of the book's."""
    found = book.tables[table]
    return [[sheet[found.cell(key, i).area].value or "" for key in keys] for i in range(found.rows)]


RATINGS = ("games", "score", "expected", "k", "change", "new", "performance", "why")
CROSS = ("rank", "no", "points")


def test_whatever_is_typed_all_follows(calc: Calc, tmp_path: Path) -> None:
    """A book with other results, ratings and K is the book of the event that has them."""
    plain = tournament(seed=5, rounds=amount(4, 8))
    numbers = {p.number for p in plain.players if p.rating is not None}
    both = [g for g in plain.games if {g.first, g.second} <= numbers]
    one = next(g for g in plain.games if len({g.first, g.second} & numbers) == 1)
    paths: list[Path] = []
    wanted: list[Book] = []

    def ask(rules: str, cells: dict[tuple[str, str, int], Any], other: Tournament) -> None:
        paths.append(typed(book, cells, tmp_path / f"{len(paths)}.xlsx"))
        wanted.append(rated_event_book(rate(other, rules)))

    others = (("fide-2022-01", ((0.0, "0"),)), ("elo", ()))
    for rules, results in (
        ("fide-2025-10", ((0.5, "="), (None, None), *amount((), ((1.0, "1-0"),)))),
        *amount((), others),
    ):
        book = rated_event_book(rate(plain, rules))
        for score, sign in results:
            game = next(g for g in both if g.score != score)
            cells = {("Games", "result", line_of(book, game)): sign}
            ask(rules, cells, with_score(plain, game, score))
        score = 0.0 if one.score else 1.0
        cells = {("Games", "result", line_of(book, one)): "1" if score else "0"}
        ask(rules, cells, with_score(plain, one, score))
        changed: dict[int, dict[str, Any]] = {
            3: {"rating": 2655.0},
            8: {"k": 15.0},
            12: {"peak": 2400.0},
            25: {"rating": 1700.0},
        }
        cells = {("Players", k, n - 1): v for n, c in changed.items() for k, v in c.items()}
        players = tuple(replace(p, **changed.get(p.number, {})) for p in plain.players)
        ask(rules, cells, replace(plain, players=players))
    saved = calc.convert_all(paths, "xlsx", limit=180)
    for path, other in zip(saved, wanted, strict=True):
        sheets = openpyxl.load_workbook(path, data_only=True)
        for table, keys in (("Ratings", RATINGS), ("Cross", CROSS), ("First", ("no", "first"))):
            sheet = sheets[other.tables[table].sheet.title]
            found = ratings_in(other, sheet, table, keys)
            rows = zip(*(column(other, table, key) for key in keys), strict=True)
            for i, (row, values) in enumerate(zip(found, rows, strict=False)):
                for key, cell, value in zip(keys, row, values, strict=True):
                    assert same(cell or "", value or ""), (path.name, table, i, key, cell, value)


# -- rules, looks ---------------------------------------------------------------------------------


def test_rules_say_edition_source_doubts_and_warnings() -> None:
    rated = event("fide-2022-01")
    rated = replace(rated, warnings=(Problem("points are not the sum", line=7),))
    sheet = rated_event_book(rated).workbook["Rules"]
    lines = {row[0].value: row[1].value for row in sheet.iter_rows(max_col=2)}
    assert lines["Source"] == rated.rules.source.english
    assert lines["Chosen because"] == "it was asked for"
    assert rated.rules.uncertain is not None
    assert lines["Open"] == rated.rules.uncertain.english
    assert lines["Note"] == "points are not the sum @ line 7"
    assert "only in the game with the largest difference" in str(lines["Difference"])


def test_why_these_rules() -> None:
    plain = tournament(6, 2)
    for day, text in (
        (date(2022, 6, 1), "estaba en vigor el 01/06/2022, primer día del torneo"),
        (date(1999, 6, 1), "es la edición más reciente y aquí no se conoce ninguna"),
        (None, "es la edición más reciente y el torneo no tiene fecha"),
    ):
        book = rated_event_book(rate(replace(plain, start=day)), "es")
        found = [c.value for row in book.workbook["Reglamento"].iter_rows() for c in row]
        assert any(str(value).startswith(text) for value in found)


def test_it_prints_whole(calc: Calc, tmp_path: Path) -> None:
    paths = {}
    every = zip(CODES, cycle(("logistic", "fide", "fide-2014-07")), strict=False)
    for language, rules in amount((("ru", "fide"),), tuple(every)):
        path = tmp_path / f"{language}.xlsx"
        write_rated_event(event(rules, seed=3, **amount({"players": 10}, {})), path, language)
        sheets = openpyxl.load_workbook(path).worksheets
        paths[path] = [sheet.title for sheet in sheets if sheet.sheet_state == "visible"]
        assert len(paths[path]) > 10
    for (path, titles), pdf in zip(
        paths.items(), calc.convert_all(list(paths), "pdf", limit=180), strict=True
    ):
        pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(pdf)]
        assert "###" not in "".join(pages), path.name
        assert [t for t in titles if not any(t in text for text in pages)] == [], path.name
