"""One person is one person, whichever way a file comes in; two are two."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import openpyxl
import pytest

import elo_xl
from elo_xl.bulk.rate import rate_files
from elo_xl.bulk.request import Request
from elo_xl.events.books import read_event_book
from elo_xl.events.event import EventError, Tournament
from elo_xl.events.tables import read_table
from elo_xl.people import same_cell, same_name, spelling
from elo_xl.templates.gallery import build, make, options

HEAD = "round,white,white id,black,black id,result"


def listed(*lines: str, players: str | None = None) -> Tournament:
    """The event of a list of games."""
    file = "\n".join((HEAD, *lines)).encode()
    return read_table(file, None if players is None else players.encode(), unrated=True)


def names(event: Tournament) -> list[tuple[str, str]]:
    return [(player.name, player.id) for player in event.players]


def notes(event: Tournament) -> list[str]:
    return [warning.what for warning in event.warnings]


@pytest.mark.parametrize(
    ("one", "other", "keys"),
    [
        ("Ferrer, Ana", " FERRER,\u00a0 Ana ", [True, True, True]),
        ("Ferrer, Ana", "Ferrer ,Ana", [False, True, True]),
        ("Müller, Jürgen", "Mu\u0308ller, Ju\u0308rgen", [False, True, True]),
        ("Müller, Jürgen", "Jurgen Mueller", [False, False, True]),
        ("O'Brien, Al", "O’Brien, Al", [False, False, True]),
        ("Ferrer, Ana", "Ferrer, Anna", [False, False, False]),
    ],
)
def test_each_key_is_weaker_than_the_one_before(one: str, other: str, keys: list[bool]) -> None:
    same = [key(one) == key(other) for key in (same_cell, same_name, spelling)]
    assert same == keys
    assert all(after or not before for before, after in pairwise(same))


ONE = ('1,"Ferrer, Ana",7,Bo,8,1', '2,"Ferrer, Anna",7,Cy,9,1', '3,Di,10,"Ferer, Ana",7,1')


def test_one_id_under_two_spellings_is_one_person() -> None:
    event = listed(*ONE)
    assert [("Ferrer, Ana", "7"), ("Bo", "8"), ("Cy", "9"), ("Di", "10")] == names(event)
    assert [
        "'Ferrer, Anna' is read as 'Ferrer, Ana': both have the id 7",
        "'Ferer, Ana' is read as 'Ferrer, Ana': both have the id 7",
    ] == notes(event)[:2]
    assert names(listed("1,Ana,7,Bo,8,1", "2,Annabel,7,Bo,8,1")) == [("Ana", "7"), ("Bo", "8")]


def test_in_a_workbook_too(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(HEAD.split(","))
    sheet.append([1, "Ferrer, Ana", 7, "Bo", 8, 1])
    sheet.append([2, "Ferrer, Anna", 7, "Bo", 8, 0])
    file = io.BytesIO()
    book.save(file)
    event = read_table(file.getvalue(), None, unrated=True)
    assert [("Ferrer, Ana", "7"), ("Bo", "8")] == names(event)


def test_one_name_with_two_ids_is_two_persons() -> None:
    event = listed("1,Ana,7,Bo,8,1", "2,Ana,11,Bo,8,1", "3,Ana,7,Ana,11,1")
    assert [("Ana", "7"), ("Bo", "8"), ("Ana", "11")] == names(event)
    assert [(1, 2), (3, 2), (1, 3)] == [(game.first, game.second) for game in event.games]


def test_two_of_one_name_in_a_list_are_told_apart_by_their_ids_in_every_line() -> None:
    players = "name,id\nAna,7\nAna,11\nBo,8\n"
    event = listed("1,Ana,7,Bo,8,1", "2,Ana,11,Bo,8,1", players=players)
    assert [(1, 3), (2, 3)] == [(game.first, game.second) for game in event.games]


@pytest.mark.parametrize(
    ("lines", "players", "problem"),
    [
        (
            ("1,Ana,7,Bo,8,1", "2,Zoran,7,Bo,8,1"),
            None,
            "'Zoran' has the id 7 here, and 'Ana' on line 2: correct the id or the name",
        ),
        (
            ("1,Ana,,Bo,8,1", "2,Ana,7,Bo,8,1", "3,Ana,11,Bo,8,1"),
            None,
            "'Ana' may be 7 or 11: give the ID in all their games",
        ),
        (
            ("1,Ana,8,Bo,8,1",),
            "name,id\nAna,7\nBo,8\n",
            "'Ana' has the id 8 here, and 'Bo' has it in players: correct the id or the name",
        ),
    ],
)
def test_contradictions_are_asked_about(
    lines: tuple[str, ...], players: str | None, problem: str
) -> None:
    with pytest.raises(EventError) as caught:
        listed(*lines, players=players)
    assert problem in [one.what for one in caught.value.problems]


def test_python_has_the_people_of_the_command() -> None:
    games = {
        "white": ["Müller, Jürgen", "Jurgen  Mueller", "Joe", "ferrer ,ana"],
        "black": ["Ferrer, Ana", "Joe", "Jo", "MÜLLER, JÜRGEN"],
        "result": [1, 0.5, 1, 0],
    }
    rows = enumerate(zip(*games.values(), strict=True), start=1)
    lines = [f'{i},"{white}",,"{black}",,{result}' for i, (white, black, result) in rows]
    with pytest.warns(UserWarning, match="^'Jurgen  Mueller' is read as 'Müller, Jürgen'$"):
        rated = elo_xl.rate_games(games)
    assert rated["name"] == [name for name, _ in names(listed(*lines))]
    assert rated["name"] == ["Müller, Jürgen", "Ferrer, Ana", "Joe", "Jo"]


def test_whom_a_book_does_not_find_no_command_finds() -> None:
    people = [{"name": name, "rating": 1700} for name in ("Müller, Jürgen", "Ferrer, Ana", "Bo")]
    typed = (" ferrer,  ANA", "Jurgen Mueller", "Ferrer ,Ana", "2", "Ferrer, Anna")
    chosen = options("rating-period", players=10)
    content = {
        "Players": people,
        "Games": [{"white": name, "black": "Bo", "result": "1"} for name in typed],
    }
    games = build("rating-period", chosen, content).tables["Games"]
    marked = [bool(check) for check in list(games.column("check").values())[: len(typed)]]
    with pytest.raises(EventError) as caught:
        read_event_book(make("rating-period", chosen, content))
    lines = {problem.line for problem in caught.value.problems}
    top = games.column("white").row
    assert [False, True, True, True, True] == marked == [top + i in lines for i in range(5)]
    assert "did you mean 'Müller, Jürgen'?" in caught.value.problems[0].what


def test_long_files_find_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "players.csv").write_text('name,rating\n"Müller, Jürgen",1500\nBo,1600\n', "utf-8")
    (tmp_path / "games.csv").write_text(
        'white,black,result\n"Mu\u0308ller ,\u00a0Ju\u0308rgen",Bo,1\n', "utf-8"
    )
    asked = Request((tmp_path / "games.csv",), tmp_path / "players.csv", tmp_path / "new.csv")
    assert rate_files(asked).games == 1
