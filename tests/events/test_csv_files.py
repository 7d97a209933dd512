"""Events as CSV, and players files beside other event files."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elo_xl.events.event import EventError, Game, Pairing, Player
from elo_xl.events.players import PlayerEntry, read_players, with_players
from elo_xl.events.tables import read_table
from elo_xl.events.trf import read_trf
from tests.support import ROOT
from tests.support.trf_lines import player, trf

EXAMPLES = ROOT / "examples"

NO_NAME = (
    "there is no column for the name, the id or the number: headings above the lines, such as "
    "name,rating, tell it"
)
PLAYERS = b"name,rating\nAna Ferrer,1800\nBen Oduya,1750\nCy Holt,\n"
GAMES = b"round,white,black,result\n1,Ana Ferrer,Ben Oduya,1-0\n"


def problems(read, *arguments) -> list[str]:
    """What is wrong with a file or two."""
    with pytest.raises(EventError) as caught:
        read(*arguments)
    return [str(problem) for problem in caught.value.problems]


def games(*lines: str, head: str = "round,white,black,result", players: bytes = PLAYERS):
    """An event of the given lines."""
    return read_table("\n".join([head, *lines]).encode(), players)


def game_problems(*lines: str, head: str = "round,white,black,result", players: bytes = PLAYERS):
    """What is wrong with an event of the given lines."""
    return problems(read_table, "\n".join([head, *lines]).encode(), players)


# players


def test_players():
    file = read_players(
        b"Number,Name,ID,Rating,K,Games,Birth,Peak,Federation,Title,Sex\n"
        b'3,"Okafor,  Ngozi",99000003,2230,20,112,2001,2261,NGR,wg,F\n'
        b",,99000004,,,,,,,,\n"
    )
    assert (
        PlayerEntry(
            name="Okafor, Ngozi", number=3, id="99000003", rating=2230.0, k=20.0, games=112,
            birth_year=2001, peak=2261.0, federation="NGR", title="WGM", sex="w", line=2,
        ),
        PlayerEntry(id="99000004", line=3),
    ) == file.entries  # fmt: skip
    assert () == file.warnings


@pytest.mark.parametrize(
    ("heading", "cell", "field", "value"),
    [
        ("No.", "7", "number", 7),
        ("Start No", "7", "number", 7),
        ("FIDE ID", "99000001", "id", "99000001"),
        ("fide_id", "99000001", "id", "99000001"),
        ("Elo", "1850", "rating", 1850.0),
        ("RTG", "1850", "rating", 1850.0),
        ("K-Factor", "40", "k", 40.0),
        ("k factor", "15", "k", 15.0),
        ("Rated games", "29", "games", 29),
        ("b-day", "2009", "birth_year", 2009),
        ("Birth Year", "2009", "birth_year", 2009),
        ("born", "2009/00/00", "birth_year", 2009),
        ("date of birth", "06.12.1969", "birth_year", 1969),
        ("birthday", "1969-12-06", "birth_year", 1969),
        ("age", "17", "age", 17),
        ("highest rating", "2412", "peak", 2412.0),
        ("Fed", "IRL", "federation", "IRL"),
        ("country", "IRL", "federation", "IRL"),
        ("Gender", "female", "sex", "w"),
        # as French books call them
        ("Né(e) en", "2009", "birth_year", 2009),
        ("Parties avant", "29", "games", 29),
        ("Meilleur Elo", "2412", "peak", 2412.0),
    ],
)
def test_headings(heading, cell, field, value):
    entry = read_players(f"name,{heading}\nAna,{cell}\n".encode()).entries[0]
    assert value == getattr(entry, field)


@pytest.mark.parametrize("column", ["rating", "k", "games", "birth", "peak", "age", "id"])
def test_blank_cells(column):
    assert (PlayerEntry(name="Ana", line=2),) == read_players(
        f"name,{column}\nAna,".encode()
    ).entries


@pytest.mark.parametrize("column", ["rating", "peak", "birth", "id"])
def test_zeros_that_lists_print_for_nothing(column):
    entries = read_players(f"name,{column}\nAna,0".encode()).entries
    assert (PlayerEntry(name="Ana", line=2),) == entries


@pytest.mark.parametrize(("delimiter", "number"), [(",", "17.5"), (";", "17,5"), ("\t", "17,5")])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_delimiters_line_ends_and_encodings(delimiter, number, end, encoding):
    lines = [["name", "rating", "k"], ["Zoë", "1 850", number], []]
    text = end.join(map(delimiter.join, lines))
    assert (PlayerEntry(name="Zoë", rating=1850.0, k=17.5, line=2),) == (
        read_players(text.encode(encoding)).entries
    )


def test_delimiter_line_of_a_spreadsheet():
    assert "Ana, B" == read_players(b"sep=;\r\nname;elo\r\nAna, B;1800\r\n").entries[0].name


def test_blank_lines_and_short_lines():
    file = read_players(b"\n,,\nname,rating,k\n\nAna\n,,\nBen,1800\n")
    assert ["Ana", "Ben"] == [entry.name for entry in file.entries]
    assert [5, 7] == [entry.line for entry in file.entries]


def test_line_numbers_after_a_cell_of_two_lines():
    file = read_players(b'name,k\n"Ana\nFerrer",20\nBen,10\n')
    assert [("Ana Ferrer", 2), ("Ben", 4)] == [(entry.name, entry.line) for entry in file.entries]


def test_unknown_columns():
    file = read_players(b"name,raiting,\nAna,1800,\n")
    assert ["unknown column 'raiting' is ignored; did you mean rating? @ line 1, column 2"] == [
        str(warning) for warning in file.warnings
    ]
    assert None is file.entries[0].rating


def test_every_problem_of_a_players_file(tmp_path):
    path = tmp_path / "players.csv"
    path.write_text(
        "number,name,rating,k,games,birth,age,peak\n"
        "x,Ana,2x00,-20,1.5,someday,young,high\n"
        "0,Ben,,,,,,\n"
        ",,1800,,,,,\n"
        "4,Cy,1800,20,30,1990,,1900,7\n"
    )
    assert [
        "number is not a whole number: 'x' @ players.csv, line 2, column 1",
        "rating is not a number: '2x00' @ players.csv, line 2, column 3",
        "K must be a number from 0 to 100: '-20' @ players.csv, line 2, column 4",
        (
            "number of games must be a whole number from 0 to 100000: '1.5' "
            "@ players.csv, line 2, column 5"
        ),
        "birth year is not understood: 'someday' @ players.csv, line 2, column 6",
        "age is not a whole number: 'young' @ players.csv, line 2, column 7",
        "peak rating is not a number: 'high' @ players.csv, line 2, column 8",
        "number must be above 0: '0' @ players.csv, line 3, column 1",
        "the line has neither name nor id nor number @ players.csv, line 4",
        "more cells than headings: '7' has none @ players.csv, line 5, column 9",
    ] == problems(read_players, path)


@pytest.mark.parametrize(("data", "expected"), [
    (b"", ["the file is empty"]),
    (b"\r\n ;;\r\n", ["the file is empty"]),
    (b"sep=;", ["the file is empty"]),
    (b"rating\n1800\n", [f"{NO_NAME} @ line 1"]),
    (b"Alpha, Ann\t7\tFull\t3.40125\t5/1/2027\n",
     [("it is a list of members of the American Go Association (tdlista): its ratings are grades, "
       "3.4 for 3 dan, and no points: give a table with the headings name, id and rating, and with "
       "ratings in points")]),
    (b"1800,Ana\n", [f"{NO_NAME} @ line 1"]),
    (b"Nmae,Ratng\nAna,1800\n",
     [("there is no column for the name, the id or the number ('Nmae' is unknown; did you mean "
       "name?) @ line 1")]),
    (b"%PDF-1.7\n\0\xe2\xe3", ["it is a PDF, which cannot be read: give the same as CSV"]),
    (b"name,Elo,Rating\nAna,1801,1802\n",
     ["there are two rating columns: 'Elo' and 'Rating' @ line 1, column 3"]),
    (b'name,k\nAna,20\n"Ben,10\nCy,20\n', ["a quote is not closed @ line 3"]),
    (b'name,k\n"Ana"s,20\n', ["',' expected after '\"' @ line 2"]),
    (b"name,k,games\nAna,0,5,30\n", ["more cells than headings: '30' has none @ line 2, column 4"]),
])  # fmt: skip
def test_files_that_are_no_players_files(data, expected):
    assert expected == problems(read_players, data)


# players beside another file


def event(**fields):
    """Two players of a tournament report file, the second one unrated."""
    return read_trf(
        trf(
            player(1, "2 w 1", name="Ferrer, Ana", rating=1800, id=99000001, **fields),
            player(2, "1 b 0", name="Oduya, Ben", rating="", birth=""),
        )
    )


def with_file(text: str, event=None):
    return with_players(event or globals()["event"](), read_players(text.encode()))


def test_players_by_id_name_or_number():
    changed = with_file(
        "id,name,number,k\n99000001,Somebody Else,2,20\n,oduya ,BEN,,40\n".replace(
            "oduya ,BEN", '"  ODUYA ,  ben "'
        )
    )
    assert [20.0, 40.0] == [p.k for p in changed.players]
    assert () == changed.warnings
    assert [None, 15.0] == [p.k for p in with_file("number,k\n2,15\n").players]


def test_another_id_is_another_person():
    changed = with_file('id,name,k\n99000009,"Ferrer, Ana",10\n99000002,"Oduya, Ben",20\n')
    assert [None, 20.0] == [p.k for p in changed.players]
    assert "99000002" == changed.players[1].id
    assert ["1 of 2 players in the players file are not in the event: Ferrer, Ana"] == [
        str(warning) for warning in changed.warnings
    ]


def test_what_a_line_states_replaces():
    before = event(title="g", federation="ESP", birth="1990/00/00")
    after = with_file(
        'name,rating,games,birth,peak,fed,title,sex\n"Ferrer, Ana",,12,,1900,,,\n'
        '"Oduya, Ben",1750,,2011,,NGR,c,m\n',
        before,
    )
    assert replace(before.players[0], games=12, peak=1900.0) == after.players[0]
    assert (
        replace(
            before.players[1],
            rating=1750.0, birth_year=2011, federation="NGR", title="CM", sex="m",
        )
        == after.players[1]
    )  # fmt: skip
    assert before.games == after.games


def test_age_counts_from_the_first_day():
    assert 2009 == with_file("number,age\n2,17\n").players[1].birth_year
    assert 2010 == with_file("number,age,birth\n2,17,2010\n").players[1].birth_year
    undated = replace(event(), start=None)
    assert [
        "an age needs the event's date, which is unknown, got 17: give the birth year @ line 2"
    ] == problems(with_file, "number,age\n2,17\n", undated)


def test_ratings_taken_from_the_file(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text('name;elo\n"Ferrer, Ana";1812\nOduya, Ben;1750\n')
    changed = with_players(event(), read_players(path))
    assert [1812.0, 1750.0] == [p.rating for p in changed.players]
    assert ["2 ratings taken from list.csv"] == [str(warning) for warning in changed.warnings]
    assert ["1 rating taken from the players file"] == [
        str(warning) for warning in with_file("number,rating\n1,1801\n2,\n").warnings
    ]


def test_players_who_are_not_in_the_event():
    lines = "".join(f"Guest {letter},20\n" for letter in "ABCDE")
    assert [
        "5 of 5 players in the players file are not in the event: Guest A, Guest B, Guest C, …"
    ] == [str(warning) for warning in with_file("name,k\n" + lines).warnings]


def test_a_name_that_stands_twice_is_said():
    said = read_players(b"name,rating\nAna,1800\nBo,1700\nana,1600\n").warnings
    assert ["'ana' is also the name on line 2: their numbers count"] == [w.what for w in said]


def test_lines_that_do_not_fit():
    twins = read_trf(trf(player(1, name="Ferrer, Ana"), player(2, name="FERRER,Ana")))
    assert ["'Ferrer, Ana' may be player 1 or 2 of the event: give the ID @ line 2"] == problems(
        with_file, 'name,k\n"Ferrer, Ana",20\n', twins
    )
    assert ["'Ferrer, Ana' stands twice, first on line 2 @ line 3"] == problems(
        with_file, 'name,id,k\n"Ferrer, Ana",,20\n,99000001,10\n'
    )


# games


def test_an_event():
    event = games(
        "1,Ana Ferrer,Ben Oduya,1-0,2026-03-19",
        "2,Cy Holt,Ana Ferrer,½-½,26.03.2026",
        "1,Cy Holt,,bye,",
        head="round,white,black,result,date",
    )
    assert (
        Player(1, "Ana Ferrer", 1800.0),
        Player(2, "Ben Oduya", 1750.0),
        Player(3, "Cy Holt"),
    ) == event.players
    assert (Game(1, 1, 2, 1.0), Game(2, 3, 1, 0.5)) == event.games
    assert {
        1: (Pairing(1, 2, "w", "1"), Pairing(2, 3, "b", "=")),
        2: (Pairing(1, 1, "b", "0"), Pairing(2, None, "", "")),
        3: (Pairing(1, None, "", "U"), Pairing(2, 1, "w", "=")),
    } == event.pairings
    assert 2 == event.rounds
    assert (date(2026, 3, 19), date(2026, 3, 26)) == (event.start, event.end)
    assert () == event.warnings


def test_games_by_name_id_or_number():
    players = b"no;name;fide id\n7;Ana Ferrer;99000001\n3;Ben Oduya;99000002\n"
    lines = ["1,7,3,1", "2,ben  ODUYA,Ana Ferrer,0", "3,99000001,99000002,="]
    assert (Game(1, 7, 3, 1.0), Game(2, 3, 7, 0.0), Game(3, 7, 3, 0.5)) == (
        games(*lines, players=players).games
    )


@pytest.mark.parametrize(
    ("head", "colours"),
    [
        ("round,white,black,result", ("w", "b")),
        ("rd,White Player,Black player,SCORE", ("w", "b")),
        ("Round,First,Second,Result", ("", "")),
        ("rnd,player 1,player 2,res", ("", "")),
        ("round,home,away,result", ("", "")),
        ("round,player,opponent,result", ("", "")),
    ],
)
def test_game_headings(head, colours):
    event = games("1,1,2,1", head=head)
    assert (Game(1, 1, 2, 1.0),) == event.games
    assert colours == tuple(event.pairings[number][0].colour for number in (1, 2))


def test_columns_in_any_order_and_decimal_commas():
    event = games("0,5;Ben Oduya;2;Ana Ferrer", head="result;black;round;white")
    assert (Game(2, 1, 2, 0.5),) == event.games


def test_rounds_may_be_left_out():
    event = games("1,2,1", "3,1,=", "2,3,0", head="white,black,result")
    assert (Game(1, 1, 2, 1.0), Game(2, 3, 1, 0.5), Game(3, 2, 3, 0.0)) == event.games


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("1,Cy Holt,,bye", "U"),
        ("1,Cy Holt,bye,", "U"),
        ("1,Cy Holt,spielfrei,", "U"),
        ("1,Cy Holt,nicht ausgelost,", "Z"),
        ("1,Cy Holt,Bye,1", "U"),
        ("1,Cy Holt,bye,½", "H"),
        ("1,Cy Holt,-,0", "Z"),
        ("1,Cy Holt,,H", "H"),
        ("1,Cy Holt,,F", "F"),
        ("1,Cy Holt,,+", "+"),
        ("1,Cy Holt,( bye ),1", "U"),
        ("1,Cy Holt,( half point bye ),½", "H"),
        ("1,Cy Holt,( not paired ),0", "Z"),
        ("1,Cy Holt,HPB,", "H"),
        ("1,Cy Holt,Bye (1),1", "U"),
        ("1,Cy Holt,riposa,1", "U"),
        ("1,Cy Holt,Unpaired,0", "Z"),
        ("1,Cy Holt,requested bye,½", "H"),
        ("1,Cy Holt,[sans adversaire],½", "H"),
        ("1,( bye ),Cy Holt,0-1", "U"),
        ("1,spielfrei,Cy Holt,", "U"),
    ],
)
def test_byes(line, code):
    event = games(line)
    assert (Pairing(1, None, "", code),) == event.pairings[3]
    assert () == event.games


@pytest.mark.parametrize(
    "line", ["1,Cy Holt,,", "1,Cy Holt,-,", "1,Cy Holt,unpaired,", "1,Cy Holt,0,", "1,Cy Holt,,*"]
)
def test_one_player_alone_is_asked_about(line):
    """It may be a bye, or a pairing that is half typed."""
    said = "the opponent is missing; for a bye type bye as the result @ games, line 2, column 3"
    assert [said] == game_problems(line)


@pytest.mark.parametrize(
    ("result", "codes"), [("+:-", "+-"), ("-/+", "-+"), ("--", "--"), ("+", "+-"), ("0-1F", "-+")]
)
def test_forfeits(result, codes):
    event = games(f"1,1,2,{result}")
    assert (codes[0], codes[1]) == tuple(event.pairings[number][0].code for number in (1, 2))
    assert () == event.games


def test_warnings_of_games():
    event = games("1,1,2,", "2,1,2,0 bye", "3,1,2,*", head="round,white,black,result")
    assert [
        "the game has no result @ games, line 2, column 4",
        "a bye has an opponent: '0 bye' @ games, line 3, column 4",
        "the game has no result @ games, line 4, column 4",
        "the games have no dates",
    ] == [str(warning) for warning in event.warnings]
    assert () == event.games


def test_every_problem_of_both_files(tmp_path):
    players, file = tmp_path / "people.csv", tmp_path / "evening-games.csv"
    players.write_text("name,rating,age\nAna,18oo,\nBen,1750,17\n,1600,\n")
    file.write_text(
        "round,white,black,result,date\n"
        "1,Ana,Zed,1-0,\n"
        "1,Ben,Ben,1-0,\n"
        "x,Ana,Ben,2,soon\n"
        ",Ana,Ben,1-1,\n"
        "2,Ana,Ben,1,\n"
        "2,,Ana,0,\n"
        "3,Ben,Ana,0,\n"
        "3,Ana,Ben,1,\n"
        "1000,Ana,Ben,1,\n"
        "4,Ana,Ben,1,,extra\n"
    )
    assert [
        "rating is not a number: '18oo' @ people.csv, line 2, column 2",
        (
            "an age needs the date of a game, got 17: give the birth year "
            "@ people.csv, line 3, column 3"
        ),
        "the name is missing @ people.csv, line 4, column 1",
        "player is not in people.csv: 'Zed' @ evening-games.csv, line 2, column 3",
        "'Ben' is paired with themselves @ evening-games.csv, line 3, column 3",
        "round must be a whole number from 1 to 999: 'x' @ evening-games.csv, line 4, column 1",
        "result must be 1, 0.5 or 0, got '2' @ evening-games.csv, line 4, column 4",
        "date is not understood: 'soon' @ evening-games.csv, line 4, column 5",
        "the round is missing @ evening-games.csv, line 5, column 1",
        (
            "the two results of a game must add up to 1, got '1-1' "
            "@ evening-games.csv, line 5, column 4"
        ),
        "the first player is missing @ evening-games.csv, line 7, column 2",
        (
            "'Ana' has two games in round 3, the first on line 8 "
            "@ evening-games.csv, line 9, column 2"
        ),
        "round must be a whole number from 1 to 999: '1000' @ evening-games.csv, line 10, column 1",
        "more cells than headings: 'extra' has none @ evening-games.csv, line 11, column 6",
    ] == problems(read_table, file, players)


def test_columns_that_are_there_twice():
    file = b"White,White,Black,Result\nAna Ferrer,Ana Ferrer,Ben Oduya,1\n"
    told = "there are two white columns: 'White' and 'White' @ games, line 1, column 2"
    assert told in problems(read_table, file, PLAYERS)


def test_missing_columns():
    assert [
        "there is no column for the first player: call it white or first @ games, line 1",
        "there is no column for the result: call it result or score @ games, line 1",
    ] == game_problems("1,Ana Ferrer", head="round,black")
    assert [
        "there is no column for the name: call it name or player @ players, line 1"
    ] == game_problems("1,Ana,Ben,1", players=b"rating\n1800\n")
    said = "there is no column for the {0}: call it {1} ({2!r} is unknown; did you mean {3}?)"
    assert [
        said.format("first player", "white or first", "wite", "white") + " @ games, line 1",
        said.format("second player", "black or second", "Blakc", "black") + " @ games, line 1",
        said.format("result", "result or score", "Резултат", "результат") + " @ games, line 1",
    ] == game_problems("Ana,Ben,1", head="wite,Blakc,Резултат")
    assert [
        said.format("name", "name or player", "nme", "name") + " @ players, line 1"
    ] == game_problems("1,Ana,Ben,1", players=b"nme,rating\nAna,1800\n")
    assert ["the file is empty @ players", "the file is empty @ games"] == problems(
        read_table, b"", b""
    )


def test_players_that_cannot_be_told_apart():
    players = b"number,name,id\n1,Ana,99000001\n2,Ana,\n3,Ben,99000001\n,Cy,\n2,Di,\n"
    assert [
        "the id 99000001 stands twice, first on line 2 @ players, line 4, column 3",
        "the number is missing @ players, line 5, column 1",
        "the number 2 stands twice, first on line 3 @ players, line 6, column 1",
        (
            "'Ana' may be the player on line 2 or on line 3 or on line 6 of players: give the "
            "ID or the number @ games, line 2, column 2"
        ),
    ] == game_problems("1,Ana,Ben,1", players=players)


def test_name_of_the_event(tmp_path):
    def name(file: str) -> str:
        path = tmp_path / file
        path.write_bytes(GAMES)
        return read_table(path, PLAYERS).name

    assert "Club evening" == name("club-evening-games.csv")
    assert "Spring 2026" == name("spring_2026.csv")
    assert "" == name("games.csv") == read_table(GAMES, PLAYERS).name
    # of the lines above the headings the first that has nothing but a text
    assert "May Cup" == read_table(b"Club,2026\nMay Cup\n" + GAMES, PLAYERS).name


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_players(tmp_path / "missing.csv")


# anything at all

CELL = st.sampled_from([*("", "Ana Ferrer", "Ben Oduya", "cy holt", "1", "2", "9", "0", "0000",
                          "-1", "1,5", "½", "1-0"),
                        *("+:-", "bye", "H", "x", "2026-03-19", '"', '"a"b', "\r")])  # fmt: skip


@given(
    st.permutations(["round", "white", "black", "result", "date", "k"]),
    st.sampled_from(";,\t"),
    st.lists(st.lists(CELL, max_size=7), max_size=8),
)
def test_lines_of_anything(head, delimiter, rows):
    text = "\n".join(delimiter.join(row) for row in [head, *rows])
    try:
        event = read_table(text.encode(), PLAYERS)
    except EventError:
        return
    assert all(len(pairings) == event.rounds for pairings in event.pairings.values())
    for game in event.games:
        cells = [event.pairings[number][game.round - 1] for number in (game.first, game.second)]
        assert [game.second, game.first] == [cell.opponent for cell in cells]


@given(st.lists(st.lists(CELL, max_size=7), max_size=8))
def test_players_of_anything(rows):
    head = ["name", "rating", "k", "number", "birth", "age"]
    text = "\n".join(";".join(row) for row in [head, *rows])
    for read, arguments in ((read_players, (text.encode(),)), (read_table, (GAMES, text.encode()))):
        with suppress(EventError):
            read(*arguments)
