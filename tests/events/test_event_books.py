"""Our own books as events: rated, they give the ratings that their own formulas gave."""

from __future__ import annotations

import io
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from elo_xl.events.books import read_event_book, template_of
from elo_xl.events.event import EventError
from elo_xl.events.files import read_event
from elo_xl.events.rate import RatedEvent, rate
from elo_xl.languages import CODES
from elo_xl.questions.odds.runs import odds
from elo_xl.questions.rate.book import write_rated_event
from elo_xl.templates.gallery import make, options, sample
from elo_xl.templates.opened import old_book
from elo_xl.xlsx.cells import StoredBook
from elo_xl.xlsx.in_place import read_parts
from tests.support import ROOT
from tests.support.calc import Calc
from tests.support.command import invoke
from tests.support.levels import cases
from tests.support.once import made
from tests.support.template_books import by_rulebook, sized

pytestmark = pytest.mark.slow


def of_book(file: bytes) -> dict[str, float]:
    """The new ratings that stand in the cells of a book, by name."""
    old = old_book(file)
    found = {}
    for players in old.book.commands.players:
        table = old.book.tables[players.replace("Players", "Ratings")]
        cells = StoredBook(read_parts(file))[table.sheet.title].cells
        for row in range(table.first, table.last + 1):
            name = cells.get((row, table.at["name"]))
            new = cells.get((row, table.at["new"]))
            if name and new and isinstance(new.value, int | float):
                found[str(name.value)] = new.value
    return found


def of_event(rated: RatedEvent) -> dict[str, float]:
    known = {p.player.name: p.new for p in rated.players}
    return known | {p.player.name: p.rating for p in rated.new_players if p.rating is not None}


@pytest.mark.parametrize("language", cases(CODES, test=("ru",)))
@pytest.mark.parametrize("template", by_rulebook())
def test_samples(template, language):
    file = made(template, sized(template, 8, language=language)).file
    event = read_event_book(file)
    expected = of_book(file)
    assert template_of(file) == template
    assert len(expected) > 4
    assert expected == pytest.approx(of_event(rate(event, event.rules)), abs=1e-6)


@pytest.mark.parametrize("rules", ["fide-2024-03", "fide-2014-07"])
def test_the_rules_of_the_book_count(rules):
    file = made("swiss", sized("swiss", rules=rules)).file
    event = read_event_book(file)
    assert rules == event.rules
    assert of_book(file) == pytest.approx(of_event(rate(event, event.rules)), abs=1e-6)


def test_saved_by_another_program():
    """openpyxl keeps the properties of a book, and moves everything else."""
    file = made("round-robin", sized("round-robin")).file
    buffer = io.BytesIO()
    openpyxl.load_workbook(io.BytesIO(file)).save(buffer)
    assert read_event_book(file).games == read_event_book(buffer.getvalue()).games


def test_a_book_that_libreoffice_saved_as_ods(calc: Calc, tmp_path: Path) -> None:
    """It is no table: as one it would give some of its sheets."""
    path = tmp_path / "torneo.xlsx"
    path.write_bytes(made("team-match", sized("team-match", language="es")).file)
    saved = calc.convert(path, "ods")
    assert "team-match" == template_of(saved.read_bytes())
    with pytest.raises(EventError) as caught:
        read_event(saved)
    assert ["it is an OpenDocument spreadsheet (.ods): save it as .xlsx first @ torneo.ods"] == [
        str(problem) for problem in caught.value.problems
    ]


def test_the_workbook_of_a_rated_event_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "rated.xlsx"
    write_rated_event(rate(read_event(ROOT / "examples/rivertown-open.trf")), path)
    with pytest.raises(EventError, match="rate the event's own file"):
        read_event(path)


PLAYERS = [{"name": "Ana", "rating": 1800}, {"name": "Ben", "rating": 20000}, {"name": "Cy"}]


@pytest.mark.parametrize(("template", "content", "messages"), [
    ("rating-period",
     {"Players": PLAYERS,
      "Games": [{"white": "Ana", "black": "Bem", "result": "1-1"},
                {"white": "Ana", "black": "Ana", "result": "1", "date": "soon"}]},
     ["rating must be a whole number from 1 to 4000: '20000' @ Players!C8",
      "player is not in Players: 'Bem' @ Games!E7",
      "the two results of a game must add up to 1, got '1-1' @ Games!F7",
      "date is not understood: 'soon' @ Games!B8", "'Ana' is paired with themselves @ Games!E8"]),
    ("swiss", {"Players": PLAYERS[:1], "Pairings": {1: {"white": 1, "black": 9, "result": "x"}}},
     ["result must be 1, 0.5 or 0, got 'x' @ Pairings!E10",
      "player is not in Players: '9' @ Pairings!F10"]),
    ("round-robin",
     {"Players": [PLAYERS[0], {"name": "ANA", "rating": 1750}, {"rating": 1700}],
      "Cross": {1: {"v2": 46023}}},
     [("the name 'ANA' stands twice, first in row 7: tell the two players apart, say by the year "
       "of birth @ Players!B8"), "the name is missing @ Players, row 9",
      ("a spreadsheet made the date '2026-01-01' of the result, such as 1-0 or 1/2: type 1, ½ or "
       "0, or format the column as text first @ Results!F7")]),
    ("swiss", {"Players": PLAYERS[:1]},
     ["a book made from swiss, with nothing typed into it that is rated"]),
    ("judging", {}, ["a book made from judging, with nothing typed into it that is rated"]),
    ("swiss",
     {"List_year": "20x6", "Prize_unit": "coins", "Bye_counts": "a quarter",
      "Players": PLAYERS[:1], "Pairings_round": 99},
     ["list year is not a number: '20x6' @ Start here!C25",
      "prize unit is not a number: 'coins' @ Start here!C35",
      "'a quarter' is none of won, draw, lost @ Start here!C38"]),
    ("keizer", {"Part_bye": 2}, ["part bye must be a number from 0 to 1: '2' @ Start here!C23"]),
    # a book that works out the scores counts such games as yet to be played
    ("league",
     {"Teams": [{"name": "Ash"}, {"name": "Elm"}],
      "Games": [{"home": "Ash", "away": "Elm", "ours": "twelve", "theirs": 1},
                {"home": "Elm", "away": "Ash", "theirs": 3},
                {"date": "01/08/2026 15:00", "home": "Elm", "away": "Ash"}]},
     ["Goals are not a whole number: 'twelve' @ Games!E6",
      "The goals of one team are missing @ Games!E7",
      "The date is not understood: '01/08/2026 15:00' @ Games!B8"]),
    ("ladder", {"Games": [{"date": "soon", "first": "Ana", "second": "Ben", "result": "1"}]},
     ["Not a date: 'soon' @ Games!B7"]),
    ("match-odds", {}, ["it was made from match-odds, which has no games of two players"]),
])  # fmt: skip
def test_problems_name_the_cell(template, content, messages):
    with pytest.raises(EventError) as caught:
        read_event_book(make(template, sized(template), content))
    found = [str(problem) for problem in caught.value.problems]
    assert [message in line for line, message in zip(found, messages, strict=True)], found
    assert messages == [line.partition(": those of")[0] for line in found]


def test_what_a_book_works_out_is_refused_where_it_marks_an_entry() -> None:
    games = {1: {"white": 1, "black": 2, "result": "1"}}
    content = {"Players": [PLAYERS[0], PLAYERS[2]], "Pairings": games}
    content["Purse"] = [{"prize": "ten"}]
    event = read_event_book(make("swiss", sized("swiss"), content))
    with pytest.raises(EventError, match=r"^A prize that cannot be read: 'ten' @ Prize money!B6"):
        odds(event)


def test_rate_reads_a_book(tmp_path: Path) -> None:
    chosen = options("rating-period", language="ru")
    path = tmp_path / "весна.xlsx"
    path.write_bytes(make("rating-period", chosen, sample("rating-period", chosen)))
    event = read_event(path)
    assert 48 == len(event.games)
    assert event.understood == ("A book made from rating-period: весна.xlsx",)
    assert ("fide-2025-10", "the rules of the book") == (
        (rated := rate(event)).rules.name,
        rated.rules_reason,
    )


def large(rounds: int) -> Any:
    lines = "".join(f"Ana,1800,Ben,1750,{('1-0', '0-1', '½-½')[i % 3]}\n" for i in range(rounds))
    return read_event(f"White,Elo,Black,Elo,Result\n{lines}".encode())


def test_many_games_of_two_players_need_no_columns(tmp_path: Path) -> None:
    event = large(17_000)
    assert (17_000, {}) == (event.rounds, event.pairings)
    path = tmp_path / "large.xlsx"
    write_rated_event(rate(event, "elo"), path, "es")
    with closing(openpyxl.load_workbook(path, read_only=True)) as book:
        assert ["Lista de rating", "Ratings", "Partidas", "Reglamento"] == book.sheetnames
        assert {sheet.max_column for sheet in book if sheet.max_column > 20} == set()
        assert 17_000 < book["Partidas"].max_row < 17_010
    assert event.games == large(17_000).games
    json.dumps([game.score for game in rate(event, "elo").games[:10]])


@pytest.mark.parametrize(
    ("template", "sheet"), [("league", "Table"), ("ladder", "Table"), ("class", "Standings")]
)
def test_rate_tells_the_ratings_that_a_book_shows(
    template: str, sheet: str, tmp_path: Path
) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(make(template, options(template), sample(template, options(template))))
    with closing(openpyxl.load_workbook(path, data_only=True)) as book:
        rows = [set(row) for row in book[sheet].iter_rows(values_only=True)]
    found = invoke("rate", path, "--json", "--dry-run")
    assert 0 == found.exit_code, found.output
    players = json.loads(found.stdout)["players"]
    assert len(players) > 5
    for player in players:
        (shown,) = [row for row in rows if player["name"] in row]
        numbers = [x for x in shown if isinstance(x, int | float)]
        assert min(abs(x - player["rating"]) for x in numbers) < 1e-5  # JSON has nine digits
