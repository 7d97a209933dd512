"""Events as tables: one invented event in many forms, and what is said of wrong ones."""

from __future__ import annotations

import io
import re
import zipfile
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elo_xl.bulk import is_big
from elo_xl.events.event import EventError, Tournament
from elo_xl.events.files import read_event
from elo_xl.events.rate import rate
from elo_xl.events.tables import read_table
from elo_xl.people import spellings
from elo_xl.questions.rate.ladder import in_time
from elo_xl.xlsx.opc import unzipped, zipped
from tests.support import DATA
from tests.support.table_files import Rows, as_csv, as_ods, as_xlsx

ANA, JURGEN, PETR, NIALL = "Ferrer, Ana", "Müller, Jürgen", "Петров, Пётр", "O’Brien, Niall"
RATINGS = {ANA: 1850, JURGEN: 1790, PETR: 1702, NIALL: 1655}
ROUNDS = {
    1: (date(2026, 3, 7), [(ANA, NIALL, "1-0"), (JURGEN, PETR, "½-½")]),
    2: (date(2026, 3, 14), [(PETR, ANA, "0-1"), (NIALL, JURGEN, "1-0")]),
    3: (date(2026, 3, 21), [(ANA, JURGEN, "0-1"), (NIALL, PETR, "½-½")]),
}
POINTS = {"1-0": 1.0, "½-½": 0.5, "0-1": 0.0}

Result = tuple[int, str, str, float]
EXPECTED = {
    (number, white, black, POINTS[result])
    for number, (_, games) in ROUNDS.items()
    for white, black, result in games
}


def results(event: Tournament) -> set[Result]:
    names = {player.number: player.name for player in event.players}
    return {(g.round, names[g.first], names[g.second], g.score) for g in event.games}


def turned(found: set[Result]) -> set[frozenset[tuple[str, float]]]:
    """The games without rounds and colours."""
    return {frozenset([(a, points), (b, 1 - points)]) for _, a, b, points in found}


def ratings(event: Tournament) -> dict[str, float | None]:
    return {player.name: player.rating for player in event.players}


def said(event: Tournament) -> list[str]:
    return [str(warning) for warning in event.warnings]


def problems(source: bytes, players: bytes | None = None, **options: Any) -> list[str]:
    with pytest.raises(EventError) as caught:
        read_table(source, players, **options)
    return [str(problem) for problem in caught.value.problems]


# lists of games

GAME_HEADINGS = {
    "en": ("Round", "Date", "White", "White Elo", "Result", "Black", "Black Elo"),
    "de": ("Runde", "Datum", "Weiß", "Elo W", "Ergebnis", "Schwarz", "Elo S"),
    "es": ("Ronda", "Fecha", "Blancas", "Elo B", "Resultado", "Negras", "Elo N"),
    "fr": ("Ronde", "Date", "Blancs", "Elo", "Résultat", "Noirs", "Elo"),
    "pt": ("Rodada", "Data", "Brancas", "Rating", "Resultado", "Pretas", "Rating"),
    "ru": ("Тур", "Дата", "Белые", "Рейтинг белых", "Результат", "Чёрные", "Рейтинг чёрных"),
}


def game_rows(language: str = "en") -> list[Any]:
    lines = [
        [number, day, white, RATINGS[white], result, black, RATINGS[black]]
        for number, (day, games) in ROUNDS.items()
        for white, black, result in games
    ]
    return [["Spring Cup"], [], list(GAME_HEADINGS[language]), *lines]


FORMATS = {
    "comma": lambda rows: as_csv(rows),
    "semicolon": lambda rows: as_csv(rows, ";", "utf-8-sig"),
    "tab": lambda rows: as_csv(rows, "\t", "utf-16"),
    "xlsx": lambda rows: as_xlsx({"Sheet1": rows}),
    "ods": lambda rows: as_ods({"Sheet1": rows}),
}


@pytest.mark.slow
@pytest.mark.parametrize("file", FORMATS)
@pytest.mark.parametrize("language", GAME_HEADINGS)
def test_games_with_ratings_beside_them(language, file):
    event = read_table(FORMATS[file](game_rows(language)))
    assert EXPECTED == results(event)
    assert RATINGS == ratings(event)
    assert ("Spring Cup", date(2026, 3, 7), date(2026, 3, 21)) == (
        event.name,
        event.start,
        event.end,
    )
    assert {("w", "b")} == {
        (event.pairings[g.first][g.round - 1].colour, event.pairings[g.second][g.round - 1].colour)
        for g in event.games
    }
    assert [] == said(event)


@pytest.mark.parametrize("ending", ["ods", "xls"])
def test_as_libreoffice_saves_it(calc, tmp_path, ending):
    path = tmp_path / "event.xlsx"
    path.write_bytes(as_xlsx({"Games": game_rows("de")}))
    event = read_table(calc.convert(path, ending))
    assert EXPECTED == results(event)
    assert (RATINGS, date(2026, 3, 7)) == (ratings(event), event.start)


XLS = (DATA / "event.xls").read_bytes()


@pytest.mark.parametrize(("at", "new", "what"), [
    (len(XLS) - 1500, None, "slice"),  # cut off: what reads it panics
    (0x800, b"\0" * 64, ""),
])  # fmt: skip
def test_a_damaged_xls_is_one_line(at, new, what, capfd):
    data = XLS[:at] + (b"" if new is None else new + XLS[at + len(new) :])
    with pytest.raises(EventError, match="the workbook is damaged, or it is none") as wrong:
        read_table(data)
    assert what in str(wrong.value)
    assert "\n" not in str(wrong.value)
    assert capfd.readouterr() == ("", "")


PLAYER_HEADINGS = {
    "en": ("Last name", "First name", "Elo", "Year of birth", "Highest rating"),
    "de": ("Nachname", "Vorname", "Elo", "Jahrgang", "Höchste Elo"),
    "es": ("Apellidos", "Nombre", "Elo", "Año de nacimiento", "Elo máximo"),
    "fr": ("Nom", "Prénom", "Elo", "Né", "Elo max"),
    "pt": ("Apelido", "Nome", "Rating", "Ano de nascimento", "Máximo"),
    "ru": ("Фамилия", "Имя", "Рейтинг", "Год рождения", "Макс. рейтинг"),
}


@pytest.mark.parametrize("language", PLAYER_HEADINGS)
def test_players_on_another_sheet_with_names_apart(language):
    people = [
        [*name.split(", "), rating, 1990 + i, 1900 + i]
        for i, (name, rating) in enumerate(RATINGS.items())
    ]
    bare = [[row[0], row[2], row[4], row[5]] for row in game_rows(language)[2:]]
    event = read_table(as_xlsx({"B": [PLAYER_HEADINGS[language], *people], "A": bare}))
    assert EXPECTED == results(event)
    assert RATINGS == ratings(event)
    assert [1990, 1991, 1992, 1993] == [player.birth_year for player in event.players]
    assert [1900.0, 1901.0, 1902.0, 1903.0] == [player.peak for player in event.players]


def test_columns_that_the_file_calls_otherwise():
    rows = [["A", "B", "WZ 1", "WZ 2", "Aus"], [ANA, NIALL, 1850, 1655, "1:0"]]
    columns = {
        "white": "A",
        "black": "B",
        "white rating": "WZ 1",
        "black rating": "WZ 2",
        "result": "Aus",
    }
    event = read_table(as_csv(rows), columns=columns)
    assert {(1, ANA, NIALL, 1.0)} == results(event)
    assert {ANA: 1850, NIALL: 1655} == ratings(event)
    assert ["no column is called 'C' @ games"] == problems(as_csv(rows), columns={"white": "C"})


def test_result_in_two_columns():
    rows: list[Any] = [
        ["White", "Elo", "Score", "Score", "Black", "Elo"],
        [ANA, 1850, "1", "0", NIALL, 1655],
    ]
    assert {(1, ANA, NIALL, 1.0)} == results(read_table(as_csv(rows)))
    rows[1][2:4] = ["0,5", "0,5"]
    assert {(1, ANA, NIALL, 0.5)} == results(read_table(as_csv(rows, ";")))


# rounds with their pairings


def lines_of_rounds(heading: str, *, headings: bool, ratings: bool) -> Rows:
    rows: list[Any] = [["Spring Cup"]]
    for number, (_, games) in ROUNDS.items():
        rows += [[], [heading.format(number)]]
        if headings:
            rows.append(["Bo.", "No.", "White", "Rtg", "Pts.", "Result", "Pts.", "Black", "Rtg"])
        for board, (white, black, result) in enumerate(games, start=1):
            a, b = (RATINGS[white], RATINGS[black]) if ratings else ("", "")
            rows.append(
                [board, board, white, a, 0, result, 0, black, b]
                if headings
                else [white, a, black, b, result]
            )
    return [*rows, [], ["Printed by hand"]]


@pytest.mark.parametrize(
    "heading",
    [
        *("Round {}", "Runde {}", "{}. Runde", "Ronda {}", "Ronde {}", "Rodada {}", "Тур {}"),
        *("{} тур", "ROUND {}:", "Rd {}", "Round {} on 2026/03/07 at 18:00"),
    ],
)
@pytest.mark.parametrize("headings", [True, False])
def test_rounds_with_their_pairings(heading, headings):
    rows = lines_of_rounds(heading, headings=headings, ratings=True)
    for source in (as_csv(rows, ";"), as_xlsx({"Pairings": rows})):
        event = read_table(source)
        assert EXPECTED == results(event)
        assert RATINGS == ratings(event)
        assert (date(2026, 3, 7) if "2026" in heading else None) == event.start


def test_a_sheet_for_each_round():
    sheets = {
        f"Round {number}": [
            ["White", "Elo", "Black", "Elo", "Result"],
            *([white, RATINGS[white], black, RATINGS[black], r] for white, black, r in games),
        ]
        for number, (_, games) in ROUNDS.items()
    }
    assert EXPECTED == results(read_table(as_xlsx(sheets)))


# crosstables


def crosstable(form: str) -> list[list[str]]:
    """The event with players by rank, and what each cell says in a form."""
    order = [NIALL, ANA, JURGEN, PETR]
    place = {name: number for number, name in enumerate(order, start=1)}
    cells: dict[str, list[str]] = {name: [] for name in order}
    for _, games in ROUNDS.values():
        for white, black, result in games:
            for own, other, colour, points in (
                (white, black, "w", POINTS[result]),
                (black, white, "b", 1 - POINTS[result]),
            ):
                sign = {1.0: "+", 0.5: "=", 0.0: "-"}[points]
                score = {1.0: "1", 0.5: "½", 0.0: "0"}[points]
                word = {1.0: "W", 0.5: "D", 0.0: "L"}[points]
                cells[own].append(
                    form.format(n=place[other], c=colour, sign=sign, score=score, word=word)
                )
    return [[str(place[name]), name, str(RATINGS[name]), *cells[name], "1"] for name in order]


@pytest.mark.parametrize(
    ("form", "coloured"),
    [
        ("{n}{c}{score}", True),
        ("{n} {c} {score}", True),
        ("{n}{c}{sign}", None),
        ("{sign}{n}", False),
        ("{sign}{n}{c}", True),
        ("{word}{n}", False),
        ("{word} {n}", False),
        ("{n}{sign}", False),
        ("{n} {score}", False),
    ],
)
@pytest.mark.parametrize(
    "headings", [("Rk.", "Name", "Rtg", "{}.Rd", "Pts."), ("Rg.", "Name", "Elo", "{}", "Pkt.")]
)
def test_crosstables_by_rounds(form, coloured, headings):
    rank, name, rating, round_, points = headings
    head = [rank, name, rating, *(round_.format(n) for n in ROUNDS), points]
    event = read_table(as_csv([["Final crosstable"], head, *crosstable(form)], ";"))
    assert RATINGS == ratings(event)
    if coloured is None:  # + and - beside a colour are forfeits
        assert {(1, JURGEN, PETR, 0.5), (3, NIALL, PETR, 0.5)} == results(event)
    elif coloured:
        assert EXPECTED == results(event)
    else:
        assert turned(EXPECTED) == turned(results(event))
        assert {number for number, *_ in EXPECTED} == {game.round for game in event.games}


def test_a_crosstable_while_a_round_is_played():
    """``4w`` is a game to come."""
    rows: Rows = [
        ["No", "Name", "Rtg", "1.Rd", "2.Rd", "Pts"],
        [1, "A", 1800, "2w1", "3b", 1], [2, "B", 1700, "1b0", "4w*", 0],
        [3, "C", 1600, "4b½", "1w", "½"], [4, "D", 1500, "3w½", "2b", "½"],
        [5, "E", 1400, "bye", "bye", 1],
    ]  # fmt: skip
    event = read_table(as_csv(rows))
    assert [(1, 2, 1.0), (4, 3, 0.5)] == [(g.first, g.second, g.score) for g in event.games]
    assert "round 2, 2 games open" == event.state
    assert "the game of A and C in round 2 has no result" in said(event)[0]
    assert not any("points are" in text for text in said(event))
    after_one = read_table(as_csv([[*row[:4], row[5]] for row in rows]))
    assert (1, event.games, "") == (after_one.rounds, after_one.games, after_one.state)


def test_a_list_of_players_is_no_list_of_games():
    said = (
        "it is a list of players, without games: elo-xl new swiss --people takes it, or --players "
        "beside the games"
    )
    orders = "; for orders of finish add a column game or date"
    for last, what in (("Rtg", ""), ("Place", orders)):
        rows = [["No", "Name", "FideID", last], [1, "A", 17, 1800]]
        assert [f"{said}{what} @ line 1"] == told(as_csv(rows))


def test_colours_in_other_languages():
    for white, black in (("w", "s"), ("b", "n"), ("b", "p"), ("б", "ч")):
        rows = [["Name", "Elo", "1", "2"], [ANA, 1850, f"2{white}1", f"2{black}½"]]
        rows.append([JURGEN, 1790, f"1{black}0", f"1{white}½"])
        assert {(1, ANA, JURGEN, 1.0), (2, JURGEN, ANA, 0.5)} == results(read_table(as_csv(rows)))


def test_numbers_of_opponents_are_those_that_fit():
    """Ranks or starting numbers: whichever makes opponents name each other."""
    rows = [
        ["Rk.", "SNo", "Name", "Rtg", "1.Rd", "2.Rd"],
        ["1", "3", ANA, "1850", "{a}w1", "{b}b1"],
        ["2", "1", JURGEN, "1790", "{c}b0", "-1"],
        ["3", "2", PETR, "1702", "-½", "{d}w0"],
    ]
    for numbers in ({"a": 2, "b": 3, "c": 1, "d": 1}, {"a": 1, "b": 2, "c": 3, "d": 3}):
        filled = [[cell.format(**numbers) for cell in row] for row in rows]
        event = read_table(as_csv(filled))
        assert {(1, ANA, JURGEN, 1.0), (2, PETR, ANA, 0.0)} == results(event)
        assert ("U", "H") == (event.pairings[1][1].code, event.pairings[2][0].code)


MATRIX: list[list[Any]] = [
    ["No", "Name", "Elo", "1", "2", "3", "4", "Points"],
    [1, ANA, 1850, "*", "0", "1", "1", 2],
    [2, JURGEN, 1790, "1", "", "½", "0", 1.5],
    [3, PETR, 1702, "0", "½", "x", "½", 1],
    [4, NIALL, 1655, "0", "1", "½", "■", 1.5],
]


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("file", FORMATS)
def test_crosstables_by_opponents(file, half):
    rows = [list(row) for row in MATRIX]
    rows[4][6] = "*"
    if half:
        for row in range(2, 5):
            for column in range(3, 2 + row):
                rows[row][column] = None
    event = read_table(FORMATS[file](rows))
    assert turned(EXPECTED) == turned(results(event))
    assert (RATINGS, 3) == (ratings(event), event.rounds)


def test_crosstable_of_two_cycles():
    rows = [
        ["Name", "Elo", "1", "2", "3"],
        [ANA, 1850, "**", "1½", "11"],
        [PETR, 1700, "0½", "", ""],
    ]
    event = read_table(as_csv([*rows, [NIALL, 1655, "00", "", ""]]))
    assert 6 == event.rounds
    assert [1.0, 0.5, 1.0, 1.0] == [
        game.score for game in sorted(event.games, key=lambda game: (game.second, game.round))
    ]


# names


@pytest.mark.parametrize(
    "name",
    ["Muller Jurgen", "MÜLLER JÜRGEN", "Jürgen  Müller", "Mueller, Juergen", "müller,jürgen"],
)
def test_another_spelling_of_the_only_one_is_taken_and_said(name):
    players = as_csv([["name", "elo"], [JURGEN, 1790], [ANA, 1850]])
    games = as_csv([["white", "black", "result"], [name, ANA, "1"], [JURGEN, ANA, "0"]])
    event = read_table(games, players)
    assert [(1, 2), (1, 2)] == [(game.first, game.second) for game in event.games]
    note = f"{name!r} is read as {JURGEN!r} @ games, line 2, column 1"
    expected = [] if name == "müller,jürgen" else [note]
    assert [*expected, "the games have no dates"] == said(event)


def test_names_that_might_be_one_person_are_said():
    rows = [["White", "Elo", "Black", "Elo", "Result"], ["Okafor, Ngozi", 1800, PETR, 1700, "1"]]
    event = read_table(as_csv([*rows, ["Okafor, Ngosi", 1800, PETR, 1700, "1"]]))
    assert "'Okafor, Ngozi' and 'Okafor, Ngosi' may be one person @ games" in said(event)
    assert 3 == len(event.players)


def test_players_of_one_name_are_told_by_numbers():
    players = b"no,name,elo\n1,Ana,1800\n2,Ben,1750\n3,ANA,1600\n"
    event = read_table(b"white,black,result\n3,2,1\n", players)
    assert [(3, 2)] == [(game.first, game.second) for game in event.games]
    assert "'ANA' is also the name on line 2: their numbers count @ players, line 4" in said(event)
    assert [
        (
            "'Ana' may be the player on line 2 or on line 4 of players: give the ID or the number "
            "@ games, line 2, column 1"
        )
    ] == problems(b"white,black,result\nAna,2,1\n", players)


@given(st.text(max_size=30))
def test_spellings_do_not_depend_on_case_and_blanks(name):
    assert spellings(name) == spellings(f"  {name} ")
    assert spellings(name.upper())


# encodings

CYRILLIC = [["White", "Elo", "Black", "Elo", "Result"], ["Иванов Иван", 1800, PETR, 1702, "1-0"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1251"])
def test_cyrillic(encoding):
    event = read_table(as_csv(CYRILLIC, ";", encoding))
    assert {"Иванов Иван": 1800, PETR: 1702} == ratings(event)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("Иванов Иван", "koi8-r"), ("Иванов Иван", "cp866"), ("Pawłowski, Jan", "cp1250")],
)
def test_other_encodings_are_asked_for(name, encoding):
    rows = as_csv([CYRILLIC[0], [name, 1800, "Ana", 1702, "1-0"]], encoding=encoding)
    [line] = problems(rows)
    assert "is not known: name it with --encoding" in line
    assert {name: 1800, "Ana": 1702} == ratings(read_table(rows, encoding=encoding))


@pytest.mark.parametrize("name", ["Öz, Ümit", "Lefèvre, Gaël", "Ó Sé, Pádraig", "Nuñez Íñigo"])
def test_western_letters(name):
    rows = as_csv([CYRILLIC[0], [name, 1800, "Ana", 1702, "½-½"]], encoding="cp1252")
    assert {name: 1800, "Ana": 1702} == ratings(read_table(rows))


# what is wrong


def told(source: bytes, players: bytes | None = None) -> list[str]:
    """What is wrong with a file of games, by line and column."""
    return [line.replace("@ games, ", "@ ") for line in problems(source, players)]


HEAD = "White;Elo;Black;Elo;Result"
LINE = "Ana;1800;Ben;1750;1-0"


@pytest.mark.parametrize(("lines", "messages"), [
    # ratings
    ("Ana;20000;Ben;1750,5;1",
     ["rating must be a whole number from 1 to 4000: '20000' @ line 2, column 2",
      "rating must be a whole number from 1 to 4000: '1750,5' @ line 2, column 4"]),
    ("Ana;1.800;Ben;1750;1",
     [("rating '1.800' may be 1800 or 1.8, as others of the column have no such sign: write 1800 @ "
       "line 2, column 2")]),
    ("Ana;18oo;Ben;175O;1",
     ["rating is not a number: '18oo' @ line 2, column 2",
      "rating is not a number: '175O' @ line 2, column 4"]),
    ("Ana;-1;Ben;1750;1",
     ["rating must be a whole number from 1 to 4000: '-1' @ line 2, column 2"]),
    # in every line, not only in a player's first one
    (f"{LINE}\nAna;1800;Ben;175O;1", ["rating is not a number: '175O' @ line 3, column 4"]),
    ("Ana;1800;Ben;1750;H",
     [("'H' beside an opponent may be a home win or a half-point bye: name the column --columns "
       "outcome=Result if its letters are home, draw, away; for a bye leave the opponent out @ "
       "line 2, column 5")]),
    # two players of one name
    (f"{LINE}\nAna;1600;Cy;1750;1",
     [('Ana has the rating 1600 here but 1800 on line 2: correct one of them, or give both their '
       'IDs if they are two players of one name; ratings before each game: --event "*" @ line 3, '
       'column 2')]),
    # results
    ("Ana;1800;Ben;1750;02. Jan\nAna;1800;Ben;1750;Jan 00\nAna;1800;Ben;1750;2026-02-01",
     [(f"a spreadsheet made the date {text!r} of the result, such as 1-0 or 1/2: type 1, ½ or 0, "
       f"or format the column as text first @ line {line}, column 5")
      for line, text in ((2, "02. Jan"), (3, "Jan 00"), (4, "2026-02-01"))]),
    ("Ana;1800;Ben;1750;2", ["result must be 1, 0.5 or 0, got '2' @ line 2, column 5"]),
    # encodings that went wrong before
    ("Èâàíîâ Èâàí;1800;MÃ¼ller;1750;1",
     [("'Èâàíîâ Èâàí' is 'Иванов Иван' in a wrong encoding: save the file as UTF-8 @ line 2, "
       "column 1"),
      "'MÃ¼ller' is 'Müller' in a wrong encoding: save the file as UTF-8 @ line 2, column 3"]),
    ('"Ana;1800;Ben;1750;1', ["a quote is not closed @ line 2"]),
])  # fmt: skip
def test_wrong_games(lines, messages):
    assert messages == told(f"{HEAD}\n{lines}\n".encode())


def test_dates_in_two_orders():
    lines = "03/13/2026,Ana,1800,Ben,1750,1\n13/03/2026,Ana,1800,Ben,1750,1\n"
    assert [
        "03/13/2026 and 13/03/2026 stand in different orders: write them as 2026-03-07 @ games"
    ] == problems(f"Date,White,Elo,Black,Elo,Result\n{lines}".encode())


def test_a_date_that_is_none_beside_one_that_may_be_two():
    lines = "03/07/2026,Ana,1800,Ben,1750,1\n03/77/2026,Ana,1800,Ben,1750,1\n"
    wrong = problems(f"Date,White,Elo,Black,Elo,Result\n{lines}".encode())
    assert ["date is not understood: '03/77/2026' @ games, line 3, column 1"] == wrong


def test_american_dates():
    lines = "03/07/2026,Ana,1800,Ben,1750,1\n07/13/2026,Ana,1800,Ben,1750,1\n"
    event = read_table(f"Date,White,Elo,Black,Elo,Result\n{lines}".encode())
    assert (date(2026, 3, 7), date(2026, 7, 13)) == (event.start, event.end)


@pytest.mark.parametrize(("rows", "messages"), [
    ([["A", 1800, "5", "=1"], ["B", 1700, "", ""]],
     [("'5' is neither an opponent with a result, such as 12w1 or +5, nor a bye: a spreadsheet "
       "makes the number 5 of +5, type '+5 @ line 2, column 3"),
      "'A' is paired with themselves @ line 2, column 4"]),
    ([["A", 1800, "2w1", ""], ["B", 1700, "1b1", ""]],
     ["the results of A and B in round 1 contradict each other @ line 2, column 3"]),
    ([["A", 1800, "2w1", "7w1"], ["B", 1700, "", ""]],
     ["A meets B, who meets nobody in round 1 @ line 2, column 3",
      "opponent 7 does not exist @ line 2, column 4"]),
    ([["A", 1800, "1", "0"], ["B", 1700, "0", "½"], ["C", 1600, "1", "1"]],
     [("the columns 1 to 2 have results but no opponents, and there are 3 players: 12w1, +5 or a "
       "column for each player is read @ line 1")]),
    ([["A", 1800, "1", "1"], ["B", 1700, "1", ""]],
     ["a player does not meet themselves @ line 2, column 3",
      "the results of A and B contradict each other: '1' and '1' @ line 2, column 4"]),
    ([["A", "", "2w1", ""], ["", 1700, "1b0", ""]], ["the name is missing @ line 3, column 1"]),
    ([["A", 1800, "x", "9,5"], ["B", 1700, "½", "x"]],
     [("9,5 beside ½ may be the points of several games, or the score of one, such as sets or "
       "goals: for points write a result for each game, such as 110½; for scores make a list with "
       "the columns first, second and result @ line 2, column 4")]),
    ([["A", 1800, "x", "3:1"], ["B", 1700, "1:3", "x"]],
     [("3:1 beside 1:3 may be the points of several games, or the score of one, such as sets or "
       "goals: for points write a result for each game, such as 110½; for scores make a list with "
       "the columns first, second and result @ line 2, column 4")]),
])  # fmt: skip
def test_wrong_crosstables(rows, messages):
    assert messages == told(as_csv([["Name", "Elo", "1", "2"], *rows]))


def test_a_crosstable_that_numbers_some_of_its_players():
    rows = [["No", "Name", "Elo", "1", "2"], ["", "A", 1800, "2w1", ""], [2, "B", 1700, "1b0", ""]]
    assert ["the player has no number, and others have @ line 2, column 1"] == told(as_csv(rows))


def test_a_crosstable_whose_columns_are_names():
    said = (
        "its columns are called by the names of the players: call them 1, 2, 3 in the order of the "
        "lines, and the names name, or make a list with the columns first, second and result "
        "@ games, line 1"
    )
    assert [said] == problems(b",Ana,Ben\nAna,,1\nBen,0,\n")
    assert [said] == problems(b"Name,Ana,Ben,Points\nAna,,1,1\nBen,0,,0\nTotal,,,1\n")


def test_names_that_are_nobody():
    players = as_csv([["name", "elo"], [ANA, 1850], [JURGEN, 1790], ["Müller, Jörg", 1600]])
    games = as_csv([["white", "black", "result"], ["Ferer, Ana", "Müller, J.", "1"], ["X", ANA, 1]])
    assert [
        "player is not in players: 'Ferer, Ana': did you mean 'Ferrer, Ana'? @ line 2, column 1",
        (
            "player is not in players: 'Müller, J.': did you mean 'Müller, Jörg' or "
            "'Müller, Jürgen'? @ line 2, column 2"
        ),
        "player is not in players: 'X' @ line 3, column 1",
    ] == told(games, players)


@pytest.mark.parametrize("ratings", [b"", b",White rating,Black rating"])
def test_headings_without_games(ratings):
    assert ["the file has no games @ games"] == problems(b"white,black,result" + ratings + b"\n")


@pytest.mark.parametrize(
    ("heading", "rating", "found"), [("", "", None), ("Elo,", "1700,", 1700), ("Rtg,", ",", None)]
)
def test_the_ratings_of_the_opponents_alone_rate_their_player(heading, rating, found):
    others = {"Bo": 1500, "Cy": 1600, "Di": 1450, "Ed": 1550, "Flo": 1500}
    games = "".join(f"Ana,{rating}{name},{elo},1/2\n" for name, elo in others.items())
    event = read_table(f"Player,{heading}Opponent,Opp Elo,Result\n{games}".encode())
    assert {"Ana": found, **others} == ratings(event)
    assert [] == [str(note) for note in event.warnings if "column" in str(note)]
    assert [(5, 2.5)] * (found is None) == [
        (len(new.opponents), new.score) for new in rate(event, "fide").new_players
    ]


def test_games_without_ratings_anywhere():
    later = read_table(b"white,black,result\nAna,Ben,1\n", unrated=True)
    assert {"Ana": None, "Ben": None} == ratings(later)
    assert ["the games have no ratings beside them: name the players with --players @ games"] == (
        problems(b"white,black,result\nAna,Ben,1\n")
    )
    assert [
        (
            "the games have no ratings beside them: name the players with --players ('white ratng' "
            "is unknown; did you mean white rating?) @ games"
        )
    ] == problems(b"white,black,result,white ratng,Club\nAna,Ben,1,1800,\n")
    assert ["the crosstable has no ratings: name the players with --players @ line 1"] == (
        told(b"name,1,2\nAna,2w1,\nBen,1b0,\n")
    )


# workbooks


def test_problems_in_workbooks_name_the_cell():
    head = ["White", "Elo", "Black", "Elo", "Result"]
    rows = [["Cup"], [], head, ["Ana", 1800.5, "Ben", 1.7, date(2026, 2, 1)]]
    whole = "rating must be a whole number from 1 to 4000"
    expected = [
        f"{whole}: '1800.5' @ games, Round one!B4",
        f"{whole}: '1.7' @ games, Round one!D4",
        (
            "a spreadsheet made the date '2026-02-01' of the result, such as 1-0 or 1/2: type 1, ½ "
            "or 0, or format the column as text first @ games, Round one!E4"
        ),
    ]
    assert expected == problems(as_xlsx({"Round one": rows}))
    assert expected == problems(as_ods({"Round one": rows}))


@pytest.mark.parametrize("ending", ["xlsx", "ods", "xls"])
def test_errors_in_cells_are_problems(calc, tmp_path, ending):
    """A reader gives them as blanks, and a game without a result would only be warned of."""
    head = ["White", "Elo", "Black", "Elo", "Result", "Remark"]
    path = tmp_path / "games.xlsx"
    rows = [
        head,
        ["Ana", 1800, "Ben", 1750, "=1/0", "=1/0"],
        ["Ana", "=NA()", "Ben", 1750, 1, ""],
        ["=A99", 1750, "Ana", 1800, "=IF(A1=0,1,1/2)", ""],
        ["", "", "", "", "=NA()", ""],
    ]
    path.write_bytes(as_xlsx({"Games": rows}))
    never = "the formula in the cell was never computed: open the file in Excel or LibreOffice"
    assert [
        f"{never} and save it @ games.xlsx, Games!E2",
        f"{never} and save it @ games.xlsx, Games!B3",
        f"{never} and save it @ games.xlsx, Games!A4",
        f"{never} and save it @ games.xlsx, Games!E4",
    ] == problems(path)
    saved = calc.convert(path, ending)
    assert [
        f"the cell shows #DIV/0!: correct its formula @ {saved.name}, Games!E2",
        f"the cell shows #N/A: correct its formula @ {saved.name}, Games!B3",
    ] == problems(saved)


def test_errors_in_an_xls_are_problems():
    """The rating of Games!E2, and the result beside it, become #N/A and a blank record."""
    rating = bytes.fromhex("7e020a00 01000400 0f000e220000")
    error = bytes.fromhex("05020800 01000400 0f002a01") + bytes.fromhex("e2000c00") + bytes(12)
    at = XLS.index(rating)
    data = XLS[:at] + error + XLS[at + len(error) :]
    said = problems(data)
    assert "the cell shows #N/A: correct its formula @ games, Games!E2" in said


def test_the_sheet_is_found_or_named():
    notes = [["To do", "Ask Ben for the key"]]
    book = as_xlsx({"Notes": notes, "Spring": game_rows()})
    assert EXPECTED == results(read_table(book))
    two = as_xlsx({"Autumn": game_rows()[:4], "Spring": game_rows()})
    assert [
        "there are games on the sheets 'Autumn' and 'Spring': name one with --sheet @ games"
    ] == problems(two)
    assert EXPECTED == results(read_table(two, sheet="spring"))
    assert 1 == len(read_table(two, sheet="Autumn").games)
    assert ["no sheet is called 'Summer': it has 'Autumn', 'Spring' @ games"] == (
        problems(two, sheet="Summer")
    )
    assert ["no sheet is called 'Summer': it is no workbook @ games"] == (
        problems(as_csv(game_rows()), sheet="Summer")
    )


def test_hidden_sheets_are_not_found():
    book = openpyxl.load_workbook(io.BytesIO(as_xlsx({"Old": game_rows(), "New": game_rows()})))
    book["Old"].sheet_state = "hidden"
    buffer = io.BytesIO()
    book.save(buffer)
    assert EXPECTED == results(read_table(buffer.getvalue()))


def test_what_nobody_sees_or_what_stands_twice_counts_and_is_said():
    games: list[list[Any]] = [
        ["White", "Elo", "Black", "Elo", "Result"],
        ["Ana", 1800, "Ben", 1750, "1-0"],
        ["Ben", 1750, "Cy", 1700, "½"],
    ]
    book = openpyxl.load_workbook(io.BytesIO(as_xlsx({"Cover": [["Cup"]], "Games": games})))
    book["Games"].row_dimensions[3].hidden = True

    def said() -> list[str]:
        book.save(buffer := io.BytesIO())
        return list(map(str, read_table(buffer.getvalue()).warnings))[:-1]

    assert ["1 hidden row from here on: all rows count @ games, Games, row 3"] == said()
    book["Games"].sheet_state = "hidden"
    assert ["the sheet is hidden; it counts all the same @ games, Games"] == said()
    book["Games"].sheet_state = "visible"
    book["Games"].row_dimensions[3].hidden = False
    for row in games[1:]:
        book["Games"].append(row)
    twice = "2 games stand there more than once, as one of 'Ana' and 'Ben': all count @ games"
    assert [twice] == said()
    book["Games"].delete_rows(5)  # without days, a game may well be played twice
    assert [] == said()
    both_ways = "player,opponent,result\nAna,Bo,W\nBo,Ana,L\n"
    assert "1 game stands there" in str(read_table(both_ways.encode(), unrated=True).warnings[0])


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
DAMAGED = "the workbook is damaged, or it is none ("


def far_away() -> bytes:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = book.worksheets[0]["XFD1048576"] = "x"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def changed() -> bytes:
    """A workbook in which the packed cells are not what they were."""
    data = as_xlsx({"A": game_rows()})
    at = data.index(b"xl/worksheets/sheet1.xml") + 60
    return data[:at] + bytes(255 - byte for byte in data[at : at + 200]) + data[at + 200 :]


def bomb() -> bytes:
    buffer = io.BytesIO(as_xlsx({"A": game_rows()}))
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet2.xml", b" " * (200 << 20))
    return buffer.getvalue()


def with_sheet(rows: str, name: str = "xl/worksheets/sheet1.xml", encoding: str = "utf-8") -> bytes:
    """A workbook whose sheet has these rows."""
    parts = unzipped(as_xlsx({"A": game_rows()}))
    del parts["xl/worksheets/sheet1.xml"]
    parts[name] = (
        f'<?xml version="1.0" encoding="{encoding}"?><worksheet xmlns='
        '"http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        f"{rows}</sheetData></worksheet>"
    ).encode(encoding)
    relations = "xl/_rels/workbook.xml.rels"
    parts[relations] = parts[relations].replace(b"xl/worksheets/sheet1.xml", name.encode())
    return zipped(parts)


def with_repeats(rows: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(as_ods({"A": game_rows()}))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    end = b"</table:table>"
    parts["content.xml"] = parts["content.xml"].replace(end, rows.encode() + end)
    return zipped(parts)


VALUE = '<table:table-cell office:value-type="string" {}><text:p>x</text:p></table:table-cell>'
ROW = '<table:table-row table:number-rows-repeated="1048500">{}</table:table-row>'
FAR = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'


@pytest.mark.parametrize(
    "content",
    [
        with_sheet(FAR),
        with_sheet(FAR.replace('"', "'")),
        with_sheet(FAR.replace("A1", "a1").replace("XFD", "xfd")),
        with_sheet('<row r="1048576"><c><v>1</v></c></row><row r="1"><c r="XFD1"/></row>'),
        with_sheet(FAR, "xl/sheets/one.xml"),
        with_sheet(FAR, encoding="utf-16"),
        with_repeats(ROW.format(VALUE.format('table:number-columns-repeated="3"'))),
        with_repeats(ROW.format("<table:table-cell/>") + "<table:table-row>"
                     + VALUE.format('table:number-columns-repeated="900"') + "</table:table-row>"),
    ],
    ids=["far", "quotes", "small", "no places", "elsewhere", "utf-16", "rows", "blank rows"],
)  # fmt: skip
def test_cells_far_apart_are_refused_before_they_fill_the_memory(content: bytes) -> None:
    with pytest.raises(EventError, match=r"has cells in 104.* rows and .* columns: too many"):
        read_table(content)


def test_a_workbook_without_sheets() -> None:
    with zipfile.ZipFile(io.BytesIO(as_ods({"A": game_rows()}))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["content.xml"] = re.sub(
        rb"<table:table .*</table:table>", b"", parts["content.xml"], flags=re.DOTALL
    )
    with pytest.raises(EventError, match="the workbook has no sheets"):
        read_table(zipped(parts))


@pytest.mark.parametrize(
    ("content", "beginning"),
    [
        (b"PK\x03\x04 and then nothing", DAMAGED),
        (OLE, DAMAGED),
        (as_xlsx({"A": game_rows()})[:-200], DAMAGED),
        (changed(), DAMAGED),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "the workbook is protected by a password"),
        (far_away(), "xl/worksheets/sheet1.xml has cells in 1048576 rows and 16384 columns"),
        pytest.param(
            bomb, "the workbook would fill 200 megabytes of memory", marks=pytest.mark.slow
        ),
        (as_xlsx({"A": []}), "the sheet is empty"),
    ],
    ids=["zip", "ole", "cut off", "changed", "encrypted", "far away", "bomb", "empty"],
)  # fmt: skip
def test_workbooks_that_cannot_be_read(content, beginning):
    [line] = problems(content() if callable(content) else content)
    assert line.startswith(beginning)


# anything at all

CELL = st.sampled_from(
    [
        *(None, "", "Ana", "Ben", "Ferrer, Ana", "1-0", "½", "0", "1", "+2", "2w1", "1b0", "bye"),
        *("White", "Black", "Result", "Elo", "Name", "Round 1", "Runde 2", "1", "2", "3", "-"),
        *("No", "Rk.", "1.700", "1850", "07/03/2026", "2026-03-07", "*", "x", "Pts", "-1", "=1"),
    ]
)


@given(st.lists(st.lists(CELL, max_size=7), max_size=9))
def test_tables_of_anything(rows):
    with suppress(EventError):
        event = read_table(as_csv(rows, ";"))
        numbers = {player.number for player in event.players}
        assert {g.first for g in event.games} | {g.second for g in event.games} <= numbers
        assert all(1 <= player.rating <= 4000 for player in event.players if player.rating)


@pytest.mark.parametrize(
    ("typed", "scores"),
    [
        ("0-0", (0, 0)),
        ("0 : 0", (0, 0)),
        ("½-0", (0.5, 0)),
        ("0–1/2", (0, 0.5)),
        ("0,5:0", (0.5, 0)),
    ],
)
def test_a_result_that_the_arbiter_lowered(typed: str, scores: tuple[float, float]) -> None:
    games = f"white;white elo;black;black elo;result\nAna;1800;Bo;1700;{typed}\n".encode()
    (game,) = read_table(games).games
    assert scores == (game.score, game.other_score)


@pytest.mark.parametrize(("days", "read", "other"), [
    (["02/03/2024"], "2024-03-02", "2024-02-03"),  # a new edition begins between the two
    (["02/03/2024", "13/03/2024"], "2024-03-02", None),
    (["02/03/2024", "02/13/2024"], "2024-02-03", None),
    (["02.03.2024"], "2024-03-02", None),
    (["03/03/2024"], "2024-03-03", None),
    (["05/04/2023"], "2023-04-05", "2023-05-04"),
])  # fmt: skip
def test_the_order_of_dates_is_asked_for_where_the_rules_depend_on_it(days, read, other):
    games = [("Date", "White", "Elo", "Black", "Elo", "Result")]
    event = read_table(as_csv([*games, *((day, "Ana", 1700, "Bo", 1650, "1-0") for day in days)]))
    assert str(event.start) == read
    notes = [note for note in said(event) if "is read as" in note]
    assert len(notes) == (other is not None)
    if other is None:
        rate(event)
        return
    assert f"{days[0]!r} is read as {read}, not {other}" in notes[0]
    rate(event, "fide-2022-01")
    if other.startswith("2023"):  # the same edition on both
        rate(event)
        return
    with pytest.raises(EventError) as asked:
        rate(event)
    what = f"the first day, {days[0]!r}, is {read} or {other}: write it so; the rules depend on it"
    assert what in str(asked.value)


def test_the_order_of_games_is_asked_for_where_it_counts() -> None:
    games = as_csv([("Played", "Home", "Away", "Score"), ("11/3/2026", "Ana", "Bo", "2-1"),
                    ("12/2/2026", "Bo", "Cy", "0-1")])  # fmt: skip
    with pytest.raises(EventError, match="may be 2026-03-11 or 2026-11-03, and the order") as asked:
        in_time(read_table(games, unrated=True))
    assert '--columns "month first=Played" or --columns "day first=Played"' in str(asked.value)
    for order, months in (("month first", [11, 12]), ("day first", [2, 3])):
        event = read_table(games, unrated=True, columns={order: "Played"})
        assert months == [game.day and game.day.month for game in in_time(event)]
        assert [] == [note for note in said(event) if "is read as" in note]
    same = games.replace(b"12/2/", b"11/4/")  # in the same order, either way
    assert 2 == len(in_time(read_table(same, unrated=True)))


def test_the_edition_of_named_rules_is_asked_for() -> None:
    games = [("Date", "White", "Elo", "Black", "Elo", "Result")]
    event = read_table(as_csv([*games, ("05/01/2023", "Ana", 1700, "Bo", 1650, "1-0")]))
    rate(event, "us-chess-2025-01")
    with pytest.raises(EventError, match="2023-01-05 or 2023-05-01: write it so; the rules depend"):
        rate(event, "us-chess")


YOUNG = "name,rating,games,born\nAna,1800,90,{}\nBo,1700,50,{}\n"


@pytest.mark.parametrize(("born", "years"), [
    (("05/03/10", "1980"), (2010, 2005)),
    (("05.03.10", "07.08.05"), (2010, 2005)),
    (("05/03/10", "13/03/80"), (2010, None)),  # decides the order
    (("05/03/98", "1980"), (1998, None)),
    (("10/10/10", "1980"), (2010, None)),
])  # fmt: skip
def test_the_order_of_dates_of_birth_is_asked_for_where_ratings_depend_on_it(born, years):
    games = as_csv([("White", "Black", "Result", "Date"), ("Ana", "Bo", "1", "2026-03-07")])
    event = read_table(games, YOUNG.format(*born).encode())
    assert years[0] == event.players[0].birth_year
    notes = [note for note in said(event) if "is read as of" in note]
    if years[1] is None:
        assert not notes
        rate(event)
        return
    assert [f"{born[0]!r} is read as of {years[0]}, not {years[1]}"] == [
        note.partition(" @ ")[0] for note in notes
    ]
    rate(event, k=20)
    with pytest.raises(EventError) as asked:
        rate(event)
    (problem,) = asked.value.problems
    assert (2, 4) == (problem.line, problem.column)
    assert problem.what == (
        f"{born[0]!r} is a day of {years[0]} or of {years[1]}: write years in full; the new rating "
        "of Ana depends on it"
    )


@pytest.mark.parametrize(("column", "facts", "who"), [
    ("born", ("1995", "1980"), "rating of Ana depends"),
    ("born", ("1995", "1990"), "ratings of Ana; Bo depend"),
    ("born", ("1970", "1980"), None),
    ("age", ("15", "40"), None),  # the same in every year
])  # fmt: skip
def test_the_first_day_is_asked_for_where_ratings_depend_on_its_year(column, facts, who):
    games = as_csv([("White", "Black", "Result", "Date"), ("Ana", "Bo", "1", "07/03/26")])
    players = YOUNG.replace("born", column).format(*facts).encode()
    event = read_table(games, players)
    if who is None:
        rate(event, "fide-2024-03")
        return
    with pytest.raises(
        EventError, match=rf"'07/03/26', is 2026-03-07 or 2007-03-26: .*; the new {who} "
    ):
        rate(event, "fide-2024-03")


def test_somebody_is_called_bye():
    rows = [("Round", "White", "Elo", "Black", "Elo", "Result"),
            (1, "Ana", 1700, "Bye", 1650, "1-0"), (2, "Bye", 1650, "Cy", 1700, "½")]  # fmt: skip
    assert [(1, 2, 1), (2, 3, 0.5)] == [
        (game.first, game.second, game.score) for game in read_table(as_csv(rows)).games
    ]
    nobody = [rows[0], (1, "Ana", 1700, "Bye", "", "1-0"), (2, "Ana", 1700, "Bye", 0, "+"), rows[2]]
    assert 1 == len(read_table(as_csv(nobody)).games)


@pytest.mark.parametrize(("names", "encoding", "shown"), [
    (["Šarić", "Müller"], "cp1250", "cp1252, as in 'Šariæ', 'Müller'"),
    (["Şahin Işık", "Ana"], "cp1254", "cp1252, as in 'Þahin', 'Iþýk'"),
    (["Müller", "Zöe"], "mac-roman", "cp1252, as in 'MŸller', 'Zše'"),
    (["Иванов", "Петров"], "cp1251", "cp1251, as in 'Иванов', 'Петров'"),
    (["Müller", "Zoë"], "utf-8", ""),
    (["Müller", "Zoë"], "utf-16", ""),
    (["Ana", "Bo"], "cp1252", ""),
])  # fmt: skip
def test_an_encoding_that_is_guessed_is_shown_by_names(names, encoding, shown):
    data = as_csv([("White", "Elo", "Black", "Elo", "Result"),
                   (names[0], 1700, names[1], 1650, "1-0")], encoding=encoding)  # fmt: skip
    notes = [note for note in said(read_event(data)) if "encoding" in note]
    assert len(notes) == bool(shown)
    assert all(shown in note for note in notes)
    named = read_event(data, encoding=encoding)
    assert names == [player.name for player in named.players]
    assert not any("encoding" in note for note in said(named))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_asked_for(encoding):
    data = "White,Elo,Black,Elo,Result\nAna,1700,Bo,1650,1-0\n".encode(encoding)
    with pytest.raises(EventError, match=f"name that with --encoding {encoding}"):
        read_event(data)
    assert 2 == len(read_event(data, encoding=encoding).players)


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="no such devices here")
def test_a_device_is_no_file(tmp_path):
    games = tmp_path / "games.csv"
    games.write_text("White,Black,Result\nAna,Bo,1-0\n")
    for source, players in (("/dev/zero", None), (games, "/dev/zero")):
        with pytest.raises(OSError, match="a device is no file to read"):
            read_event(source, players)
    assert not is_big(Path("/dev/null"))


def test_what_a_crosstable_says_twice_is_compared():
    rows = [("No", "Name", "Rtg", "R1", "R2", "Pts"), (1, "Ana", 1800, "2w1", "3b½", "2,5"),
            (2, "Bo", 1750, "1w0", "-1", "1"), (3, "Cy", 1700, "", "1w½", "½")]  # fmt: skip
    notes = said(read_table(as_csv(rows, ";")))
    assert ["Ana and Bo have the same colour in round 1 @ games, line 2, column 4",
            "points are 2.5, but the results of Ana give 1.5 @ games, line 2, column 6"] == [
        note for note in notes if "colour" in note or "points" in note
    ]  # fmt: skip
