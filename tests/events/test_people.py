"""One person is one person, whichever way a file comes in; two are two."""

from __future__ import annotations

import io
import re
from functools import partial
from itertools import pairwise
from pathlib import Path

import openpyxl
import pytest

import elo_xl
from elo_xl.bulk.rate import rate_files
from elo_xl.bulk.request import Request
from elo_xl.events.books import read_event_book
from elo_xl.events.event import EventError, Tournament
from elo_xl.events.files import read_event, read_events
from elo_xl.events.merging import all_games
from elo_xl.events.tables import read_table
from elo_xl.people import same_cell, same_name, spellings
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
        ("Jørgensen, Åge", "Joergensen, Age", [False, False, True]),
        ("Deep.Blue", "deepblue", [False, False, True]),
        ("Ferrer, Ana", "Ferrer, Anna", [False, False, False]),
        ("Stockfish 16", "Stockfish 1.6", [False, False, False]),
        ("Zhang Yu", "Zhang Yue", [False, False, False]),
        ("Novak, Michael", "Novak, Michal", [False, False, False]),
        ("Bot C++", "Bot C#", [False, False, False]),
        ("Team A+", "Team A-", [False, False, False]),
        ("かとう まり", "がとう まり", [False, False, False]),
    ],
)
def test_each_key_is_weaker_than_the_one_before(one: str, other: str, keys: list[bool]) -> None:
    same = [key(one) == key(other) for key in (same_cell, same_name)]
    same.append(not set(spellings(one)).isdisjoint(spellings(other)))
    assert same == keys
    assert all(after or not before for before, after in pairwise(same))


def plain_list(*lines: str) -> Tournament:
    return read_table("\n".join(("white,black,result", *lines)).encode(), unrated=True)


@pytest.mark.parametrize(("lines", "players", "note"), [
    # two of them meet, so they are two, in every line
    (("Wang Yang,Bo,1", "Yang Wang,Bo,0", "Wang Yang,Yang Wang,½"),
     ["Wang Yang", "Bo", "Yang Wang"],
     "'Wang Yang' and 'Yang Wang' are different players: they meet each other"),
    (("Wang Yang,Bo,1", "Yang Wang,Bo,0"), ["Wang Yang", "Bo"],
     "'Yang Wang' is read as 'Wang Yang'"),
    (("Ana,Bo,1", "ANA,Bo,0"), ["Ana", "Bo"], "'ANA' is read as 'Ana'"),
    # the case of ids counts
    (("aB3x,Bo,1", "Ab3X,Bo,0"), ["aB3x", "Bo", "Ab3X"], "'aB3x' and 'Ab3X' may be one person"),
    (("Engine 16,Bo,1", "Engine 1.6,Bo,0"), ["Engine 16", "Bo", "Engine 1.6"],
     "the games have no dates"),
])  # fmt: skip
def test_who_is_one_and_who_are_two(lines: tuple[str, ...], players: list[str], note: str) -> None:
    event = plain_list(*lines)
    assert players == [name for name, _ in names(event)]
    assert len(lines) == len(event.games)
    assert note == notes(event)[0]


def test_5000_ids_of_mixed_case_are_5000_players() -> None:
    letters = "aAbBcCdDeE"
    ids = [f"{a}{b}{n}{c}" for a in letters for b in letters for c in letters for n in range(5)]
    event = plain_list(*(f"{one},{two},1" for one, two in pairwise(ids)))
    assert ids == [name for name, _ in names(event)]


def test_many_files_have_one_person_under_one_key_and_two_where_a_file_has_two(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.csv").write_text("white,black,result\nWang Yang,Yang Wang,1\nBo,Cy Li,1\n")
    (tmp_path / "b.csv").write_text("white,black,result\nYang Wang,Li Cy,1\n")
    paths = [(name, tmp_path / name) for name in ("a.csv", "b.csv")]
    games = all_games(read_events(paths, partial(read_event, unrated=True)))
    assert ["Wang Yang", "Yang Wang", "Bo", "Cy Li"] == [player.name for player in games.players]
    assert [
        "'Wang Yang' and 'Yang Wang' are different players: they meet each other @ a.csv",
        "'Li Cy' is read as 'Cy Li' @ b.csv",
    ] == list(map(str, games.notes))


@pytest.mark.parametrize("name", ["Bye - not paired", "N.N.", "?", "TBD", "unbekannt"])
def test_what_may_be_a_bye_or_a_person_is_asked_about(name: str) -> None:
    asked = f"{name!r} may be a bye, a total or a person: for a bye type bye as the "
    with pytest.raises(EventError, match=f"^{re.escape(asked)}"):
        plain_list("Ana,Bo,1", f"Ana,{name},1")


@pytest.mark.parametrize("words", ["sit out", "Sitting out", "no show", "(No-show)"])
def test_who_sits_out_has_no_opponent(words: str) -> None:
    assert ["Ana", "Bo"] == [name for name, _ in names(plain_list("Ana,Bo,1", f"Ana,{words},1"))]


@pytest.mark.parametrize(
    ("games", "players"),
    [
        (b"name,1.Rd,elo\nAna,2w1,1800\nBye,1b0,\n", None),
        (b"white,black,result\nAna,Bye,1\n", b"name,elo\nAna,1800\nBye,\n"),
    ],
)
def test_a_bye_in_the_line_of_a_player_is_asked_about(games: bytes, players: bytes | None) -> None:
    with pytest.raises(EventError, match=r"^'Bye' stands in the line of a player: leave it out"):
        read_table(games, players)


def test_problems_of_one_kind_are_one_line_with_their_number() -> None:
    with pytest.raises(EventError) as caught:
        plain_list("Ana,Bo,home", *(f"Ana,Bo,{n}-7" for n in range(2, 9999)))
    lines = str(caught.value).splitlines()
    assert 9_998 == len(caught.value.problems)
    assert [("result must be 1, 0.5 or 0, got 'home'; if the column names the winner: --columns "
             "winner=result @ games, line 2, column 3"),
            ("result must be 1, 0.5 or 0, got '2-7'; several games are entered one by one; if it "
             "is the score of one game: --columns scores=result @ games, line 3, column 3; and "
             "9,996 more like it, the last one @ line 9999, column 3")] == lines  # fmt: skip


ONE = ('1,"Ferrer, Ana",7,Bo,8,1', '2,"Ferrer, Anna",7,Cy,9,1', '3,Di,10,"Ferer, Ana",7,1')


def test_one_id_under_two_spellings_is_one_person() -> None:
    event = listed(*ONE)
    assert [("Ferrer, Ana", "7"), ("Bo", "8"), ("Cy", "9"), ("Di", "10")] == names(event)
    assert [
        "'Ferrer, Anna' is read as 'Ferrer, Ana': both have the id 7",
        "'Ferer, Ana' is read as 'Ferrer, Ana': both have the id 7",
    ] == notes(event)[:2]
    assert names(listed("1,Ana,7,Bo,8,1", "2,Annabel,7,Bo,8,1")) == [("Ana", "7"), ("Bo", "8")]


def test_titles_that_fide_does_not_know_are_named() -> None:
    heading = "white,white rating,white title,black,black rating,black title,result"
    event = read_event(f"{heading}\nAna,1800,NM,Bo,1700,gm,1\nCy,1600,NM,Di,1500,Dr,0\n".encode())
    titles = "'NM' of Ana and 1 more; 'Dr' of Di"
    assert f"none of FIDE's titles, kept as they are written: {titles}" in notes(event)
    assert ["NM", "GM", "NM", "Dr"] == [player.title for player in event.players]


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


@pytest.mark.parametrize(("lines", "players", "problem"), [
    (("1,Ana,7,Bo,8,1", "2,Zoran,7,Bo,8,1"), None,
     "'Zoran' has the id 7 here, and 'Ana' on line 2: correct the id or the name"),
    (("1,Ana,,Bo,8,1", "2,Ana,7,Bo,8,1", "3,Ana,11,Bo,8,1"), None,
     "'Ana' may be 7 or 11: give the ID in all their games"),
    (("1,Ana,8,Bo,8,1",), "name,id\nAna,7\nBo,8\n",
     "'Ana' has the id 8 here, and 'Bo' has it in players: correct the id or the name"),
])  # fmt: skip
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
        rated = elo_xl.Elo().rate(games, names="loose").players
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
