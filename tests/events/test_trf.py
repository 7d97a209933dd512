"""Tournament report files: every trait they come with, every mistake in them."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elo_xl.events.event import EventError, Game, Pairing, Player
from elo_xl.events.rate import rate
from elo_xl.events.trf import read_trf
from tests.support import ROOT
from tests.support.trf_lines import PAIR, player, trf

EXAMPLE = ROOT / "examples" / "rivertown-open.trf"
OWN = ROOT / "tests" / "data" / "trf"
REAL = ROOT.parent / "shared" / "data" / "trf"


def problems(data: bytes) -> list[str]:
    """What is wrong with a file."""
    with pytest.raises(EventError) as caught:
        read_trf(data)
    assert str(caught.value) == "\n".join(map(str, caught.value.problems))
    return [str(problem) for problem in caught.value.problems]


def warnings(data: bytes) -> list[str]:
    """What is odd in a file that can be read."""
    return [str(warning) for warning in read_trf(data).warnings]


# what a file says


def test_a_player_line():
    line = player(
        7, name="O'Neill-Byrne, Éabha", sex="w", title="WGM", rating=2312, federation="IRL",
        id=99000007, birth="2001/05/30", points=4.5, rank=12,
    )  # fmt: skip
    expected = Player(
        number=7, name="O'Neill-Byrne, Éabha", rating=2312.0, federation="IRL", id="99000007",
        sex="w", title="WGM", birth_year=2001, born=date(2001, 5, 30), points=4.5, rank=12,
    )  # fmt: skip
    assert (expected,) == read_trf(trf(line)).players


def test_the_event():
    event = read_trf(
        trf("022 Rivertown", "032 IRL", "052 2026/03/22", "122 90 minutes plus 30 seconds", *PAIR)
    )
    assert "Test Event" == event.name
    assert "Rivertown" == event.city
    assert "IRL" == event.federation
    assert date(2026, 3, 18) == event.start
    assert date(2026, 3, 22) == event.end
    assert "90 minutes plus 30 seconds" == event.time_control
    assert 1 == event.rounds
    assert () == event.warnings


def test_rounds_and_games():
    event = read_trf(
        trf(
            player(1, "2 w 1", "3 b =", "- H"),
            player(2, "1 b 0", "- U", "3 w 0"),
            player(3, "- Z", "1 w =", "2 b 1"),
        )
    )
    assert (Game(1, 1, 2, 1.0), Game(2, 3, 1, 0.5), Game(3, 2, 3, 0.0)) == event.games
    assert {
        1: (Pairing(1, 2, "w", "1"), Pairing(2, 3, "b", "="), Pairing(3, None, "", "H")),
        2: (Pairing(1, 1, "b", "0"), Pairing(2, None, "", "U"), Pairing(3, 3, "w", "0")),
        3: (Pairing(1, None, "", "Z"), Pairing(2, 1, "w", "="), Pairing(3, 2, "b", "1")),
    } == event.pairings


@pytest.mark.parametrize(
    ("first", "second"),
    [("+", "-"), ("-", "+"), ("-", "-"), ("W", "L"), ("L", "W"), ("D", "D"), ("w", "l")],
)
def test_forfeits_and_games_of_no_move_are_not_rated(first, second):
    event = read_trf(trf(player(1, f"2 w {first}"), player(2, f"1 b {second}")))
    assert () == event.games
    assert (Pairing(1, 2, "w", first.upper()),) == event.pairings[1]
    assert (Pairing(1, 1, "b", second.upper()),) == event.pairings[2]
    assert () == event.warnings


@pytest.mark.parametrize("bye", ["H", "F", "U", "Z", "h", "f", "u", "z", "-", "+"])
@pytest.mark.parametrize("nobody", ["", "0000", "0"])
def test_byes(bye, nobody):
    event = read_trf(trf(*PAIR, player(3, f"{nobody} - {bye}")))
    assert (Pairing(1, None, "", bye.upper()),) == event.pairings[3]
    assert () == event.warnings


def test_letters_in_either_case():
    event = read_trf(trf(player(1, "2 W 1"), player(2, "1 B 0"), player(3, "- h", sex="W")))
    assert (Game(1, 1, 2, 1.0),) == event.games
    assert "w" == event.players[2].sex


def test_colours_decide_who_is_first():
    def games(a: str, b: str) -> tuple[Game, ...]:
        return read_trf(trf(player(1, f"2 {a} 1"), player(2, f"1 {b} 0"))).games

    assert (Game(1, 1, 2, 1.0),) == games("w", "b") == games("w", "-") == games("-", "b")
    assert (Game(1, 2, 1, 0.0),) == games("b", "w") == games("b", "-") == games("-", "w")
    assert (Game(1, 1, 2, 1.0),) == games("-", "-")


def test_players_in_the_order_of_the_file():
    event = read_trf(trf(player(9, "2 w 1"), player(2, "9 b 0")))
    assert [9, 2] == [p.number for p in event.players]
    assert (Game(1, 9, 2, 1.0),) == event.games


# how files come


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_line_ends(end):
    assert read_trf(trf(*PAIR)) == read_trf(trf(*PAIR, end=end))
    assert ["rating is not a number: '18x0' @ line 4, column 49"] == problems(
        trf(PAIR[0], player(2, "1 b 0", rating="18x0"), end=end)
    )


def test_mixed_line_ends():
    data = trf(*PAIR)
    mixed = data.replace(b"\n", b"\r", 1).replace(b"\n", b"\r\n", 1)
    assert read_trf(data) == read_trf(mixed)
    assert 1 == mixed.count(b"\r\n")


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        *(("Müller, Zoë", name) for name in ("utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16")),
        ("Šaric, Žana", "cp1252"),  # which has no ć; Latin-1 has no Š or Ž
    ],
)
def test_encodings(name, encoding):
    text = trf(player(1, "2 w 1", name=name), PAIR[1]).decode()
    assert name == read_trf(text.encode(encoding)).players[0].name


def test_columns_counted_in_bytes():
    """Some programs pad a name of UTF-8 letters to 33 bytes."""
    name = "Ødegård, Åse"
    line = player(1, "2 w 1", name=name, rating=2105, birth="2004/01/02", points=1.0, id=99000001)
    short = line.replace(name + "   ", name)
    assert len(short.encode()) == len(line)
    assert read_trf(trf(line, PAIR[1])) == read_trf(trf(short, PAIR[1]))


def test_end_of_file_mark_and_control_characters():
    data = trf(player(1, "2 w 1", name="Two\x00Words"), PAIR[1]) + b"\x1a"
    event = read_trf(data)
    assert "Two Words" == event.players[0].name
    assert () == event.warnings


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("g", "GM"), ("m", "IM"), ("f", "FM"), ("c", "CM"),
        ("wg", "WGM"), ("wm", "WIM"), ("wf", "WFM"), ("wc", "WCM"),
        ("gm", "GM"), ("GM", "GM"), ("WGM", "WGM"), ("wim", "WIM"), ("", ""), ("NM", "NM"),
    ],
)  # fmt: skip
def test_titles(old, new):
    assert new == read_trf(trf(player(1, title=old))).players[0].title


def test_title_at_either_end_of_its_field():
    left = player(1, sex="w", title="FM ")
    assert "wFM  " == left[9:14]
    assert "FM" == read_trf(trf(left)).players[0].title


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026/03/07", date(2026, 3, 7)),
        ("2026.03.07", date(2026, 3, 7)),
        ("2026-03-07", date(2026, 3, 7)),
        ("7.3.2026", date(2026, 3, 7)),
        ("24/09/2010", date(2010, 9, 24)),
        ("09/24/2010", date(2010, 9, 24)),
        ("26/03/07", date(2026, 3, 7)),
        ("99/12/31", date(1999, 12, 31)),
        ("May 29, 2020", date(2020, 5, 29)),
        ("September 3, 2021", date(2021, 9, 3)),
        ("29 May 2020", date(2020, 5, 29)),
        ("28. 07. 2005", date(2005, 7, 28)),
        ("2005. 07. 28.", date(2005, 7, 28)),
        ("20050728", date(2005, 7, 28)),
        ("2005/07/28 Thu", date(2005, 7, 28)),
        ("Thursday, 28.07.2005", date(2005, 7, 28)),
        ("28.07.2005 - 31.07.2005", date(2005, 7, 28)),
        ("28.07.2005–31.07.2005", date(2005, 7, 28)),
        ("2005-07-28T10:30:00", date(2005, 7, 28)),
        ("2005-07-28 10:30", date(2005, 7, 28)),
        ("28.07.15", date(2015, 7, 28)),
        ("28/07/15", date(2015, 7, 28)),
        ("12. Juli 2025", date(2025, 7, 12)),
        ("12 de marzo de 2025", date(2025, 3, 12)),
        ("1er août 2025", date(2025, 8, 1)),
        ("12 июня 2025 г.", date(2025, 6, 12)),
        ("12 de março de 2025", date(2025, 3, 12)),
    ],
)
def test_dates(text, day):
    event = read_trf(trf(*PAIR, start=text))
    assert day == event.start
    assert () == event.warnings


def test_dates_that_may_be_another_day_are_told():
    event = read_trf(trf(*PAIR, start="07/03/2026"))
    assert date(2026, 3, 7) == event.start
    assert ["date of start 07/03/2026 is read as 2026-03-07 @ line 2, column 5"] == warnings(
        trf(*PAIR, start="07/03/2026")
    )
    rate(event)
    with pytest.raises(EventError, match="2024-03-02 or 2024-02-03: write it so; the rules depend"):
        rate(read_trf(trf(*PAIR, start="02/03/2024")))
    # the dates of the rounds show that the month comes first
    rounds = "132".ljust(91) + "03/07/2026  03/13/2026"
    event = read_trf(trf(*PAIR, rounds, start="03/07/2026"))
    assert (date(2026, 3, 7), ()) == (event.start, event.warnings)


@pytest.mark.parametrize("month", range(1, 13))
def test_months_by_name(month):
    day = date(2024, month, 3)
    assert day == read_trf(trf(*PAIR, start=f"{day:%B} 3, 2024")).start
    assert day == read_trf(trf(*PAIR, start=f"{day:%b} 3, 2024")).start


def test_start_from_the_dates_of_the_rounds():
    rounds = "132".ljust(91) + "26/03/07  26/03/01"
    event = read_trf(trf(*PAIR, rounds, start=""))
    assert date(2026, 3, 1) == event.start
    assert date(2026, 3, 7) == event.end
    assert ["date of start is taken from the dates of the rounds: 2026-03-01"] == [
        str(warning) for warning in event.warnings
    ]


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("1969/12/06", 1969), ("1969.12.06", 1969), ("1978/00/00", 1978), ("06.12.1969", 1969),
        ("2009", 2009), ("", None), ("0000/00/00", None), ("0", None), ("  .  .", None),
    ],
)  # fmt: skip
def test_birth_dates(text, year):
    event = read_trf(trf(player(1, birth=text)))
    assert year == event.players[0].birth_year
    assert () == event.warnings


@pytest.mark.parametrize("rating", ["", "0", "0000"])
def test_unrated(rating):
    assert None is read_trf(trf(player(1, rating=rating))).players[0].rating


def test_short_lines():
    assert Player(1, "Short, Ann") == read_trf(trf("001    1      Short, Ann")).players[0]
    event = read_trf(trf("001    3 w", player(1, "2 w 1", ""), player(2, "1 b 0")))
    assert 1 == event.rounds
    assert [3, 1, 2] == [p.number for p in event.players]


def test_id_of_zeros_is_none():
    assert "" == read_trf(trf(player(1, id=0))).players[0].id


def test_records_nobody_knows_are_kept():
    records = ["### a comment", "082 1", "142 9", "XXR 9", "XXC white1", "XXZ 3",
               "013 Some Team                          1    2", "310   1 Some Team", "801 anything",
               "250 00.0 02.0 001 003 0001 0090", "260 001 002    1    2",
               "IRL    1 m    Player, Number 1                  1750 DUB         123", "???",
               "nonsense"]  # fmt: skip
    event = read_trf(trf(*records, *PAIR))
    assert ("012 Test Event", "042 2026/03/18", *records) == event.records
    assert 1800 == event.players[0].rating
    assert (Game(1, 1, 2, 1.0),) == event.games
    assert () == event.warnings
    assert 1 == event.rounds


def test_byes_of_records_240():
    event = read_trf(
        trf("240 H 002 0001   3", player(1, "2 w 1", points=1.5), PAIR[1], player(3, points=0.5))
    )
    assert 2 == event.rounds
    assert Pairing(2, None, "", "H") == event.pairings[1][1] == event.pairings[3][1]
    assert () == event.warnings


# what cannot be right


def test_a_column_of_nobody_is_no_round():
    """Programs write a forfeit without an opponent behind the last round."""
    event = read_trf(trf(player(1, "2 w 1"), player(2, "1 b 0"), player(3, "0000 - Z", "0000   -")))
    assert (1, {1}) == (event.rounds, {len(cells) for cells in event.pairings.values()})


def test_points_may_be_those_of_the_rounds_that_are_over():
    """A bye for the round to come counts later."""
    to_come = [player(1, "2 w 1", points=1.0), player(2, "1 b 0", "0000 - H", points=0.0)]
    assert [] == warnings(trf(*to_come))
    assert (0.5, "H") == (0.5, read_trf(trf(*to_come)).pairings[2][1].code)


def test_no_player_line():
    expected = ["no player line (001): this is not a tournament report file"]
    assert expected == problems(trf())
    assert expected == problems(b"")
    assert expected == problems(b"PK\x03\x04\x00\xff\xfe")


def test_a_file_that_has_lost_its_end_is_one_problem():
    lines = [player(n, f"{n + 4} w 1", f"{n + 5} b 0") for n in range(1, 5)]
    expected = (
        "the file ends early: the last player is 4, and there are games against players up to 9"
    )
    assert [f"{expected} @ line 6, column 1"] == [p for p in problems(trf(*lines)) if "early" in p]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("1", "="), ("1", "1"), ("1", "-"), ("+", "0"), ("1", "L"),
        ("W", "0"), ("W", "W"), ("+", "+"), ("1", "H"), ("Z", "0"),
    ],
)  # fmt: skip
def test_results_that_contradict_each_other(a, b):
    assert [
        (
            f"results contradict each other in round 2: player 1 has {a!r}, player 2 has {b!r} "
            "@ line 3, column 109"
        )
    ] == problems(trf(player(1, "", f"2 w {a}"), player(2, "", f"1 b {b}")))


@pytest.mark.parametrize(("a", "b"), [("0", "0"), ("=", "0"), ("0", "=")])
def test_penalties(a, b):
    (game,) = read_trf(trf(player(1, f"2 w {a}"), player(2, f"1 b {b}"))).games
    points = {"0": 0.0, "=": 0.5}
    assert (points[a], points[b]) == (game.score, game.other_score)


def test_opponents_that_contradict_each_other():
    assert [
        "player 1 has opponent 2 in round 1, but player 2 has opponent 3 @ line 3, column 92",
        "player 4 has opponent 3 in round 1, but player 3 has opponent 2 @ line 6, column 92",
    ] == problems(
        trf(player(1, "2 w 1"), player(2, "3 w 1"), player(3, "2 b 0"), player(4, "3 b 0"))
    )


@pytest.mark.parametrize(("first", "second", "problem"), [
    (("2 w 1",), ("1 b ",), ("results contradict each other in round 1: player 1 has '1', player 2 "
                             "has none @ line 3, column 99")),
    (("2 w 1",), (),
     "player 1 has opponent 2 in round 1, but player 2 has none @ line 3, column 92"),
])  # fmt: skip
def test_what_one_side_only_has(first, second, problem):
    assert [problem] == problems(trf(player(1, *first), player(2, *second)))


def test_points_that_are_no_number():
    assert ["points are not a number: '4..5' @ line 3, column 81"] == problems(
        trf(player(1, points="4..5"))
    )


@pytest.mark.parametrize("rating", ["2x00", "-100", "+200", "abc", "18-0", "²000"])
def test_rating_that_is_no_number(rating):
    below = rating.startswith("-")
    what = "must be a whole number from 1 to 4000" if below else "is not a number"
    assert [f"rating {what}: {rating!r} @ line 3, column 49"] == problems(
        trf(player(1, rating=rating))
    )


@pytest.mark.parametrize(
    ("number", "what"),
    [
        ("", "starting number is missing"),
        ("x", "starting number is not a number: 'x'"),
        ("1.5", "starting number is not a number: '1.5'"),
        ("0", "starting number must be above 0: '0'"),
        ("-1", "starting number is not a number: '-1'"),
    ],
)
def test_starting_numbers(number, what):
    assert [f"{what} @ line 3, column 5"] == problems(trf(player(number)))


RESULTS = "1 = 0 for games, W D L for unrated ones, + - for forfeits, H F U Z for byes"


def test_unknown_codes():
    assert [
        "opponent is not a number: 'x' @ line 3, column 92",
        "unknown colour 'g': w, b, or - for none @ line 3, column 107",
        f"unknown result 'X': {RESULTS} @ line 3, column 119",
        f"unknown result '?': {RESULTS} @ line 4, column 119",
    ] == problems(trf(player(1, "x w 1", "2 g 1", "2 w X"), player(2, "", "1 w 0", "1 b ?")))


@pytest.mark.parametrize("shift", [" ", "  "])
def test_shifted_columns_are_never_misread(shift):
    """1850 one column to the left would be a rating of 850."""
    line = player(1, "2 w 1", rating=1850, points=1.0, rank=1)
    for place in (9, 14, 46, 52, 56, 68, 79, 84, 89, 95, 97):
        longer = line[:place] + shift + line[place:]
        shorter = line[:place].rstrip() + line[place:] if line[place - 1] == " " else longer
        for data in (trf(longer, PAIR[1]), trf(shorter, PAIR[1])):
            try:
                event = read_trf(data)
            except EventError:
                continue
            assert 1850 == event.players[0].rating
            assert (Game(1, 1, 2, 1.0),) == event.games


def test_shifted_columns():
    line = player(1, "2 w 1")
    assert ["the columns are shifted: '1' stands where a blank must be @ line 3, column 48"] == (
        problems(trf(line[:46] + line[47:], PAIR[1]))
    )


def test_every_problem_at_once():
    assert [
        "rating is not a number: '2x00' @ line 3, column 49",
        "player 1 is paired with themselves in round 2 @ line 3, column 102",
        "opponent 8 of player 2 in round 2 does not exist @ line 4, column 102",
        (
            "results contradict each other in round 1: player 3 has '1', player 4 has '1' "
            "@ line 5, column 99"
        ),
        "starting number 5 occurs twice, first on line 7 @ line 8, column 5",
    ] == problems(
        trf(
            player(1, "2 w 1", "1 w 1", rating="2x00"),
            player(2, "1 b 0", "8 w 1"),
            player(3, "4 w 1"),
            player(4, "3 b 1"),
            player(5),
            player(5),
        )
    )


# what is odd


ABNORMAL = "299 Q         0.5  001    1"


@pytest.mark.parametrize(("lines", "said"), [
    ((player(1, "2 w 1", points=1.5), PAIR[1]),
     ["points are 1.5, but the results of player 1 give 1 @ line 3, column 81"]),
    ((player(1, "2 w 1"), player(2, "1 b 0")), []),  # without points
    *(((record, player(1, "2 w 1", points=9), PAIR[1]),
       [f"the scoring is not understood, no points are checked: {record!r} @ line 3"])
      for record in ("162 anything", "162  Q 3.0", "XXS WW=one", "BBW", "162")),
    ((ABNORMAL, player(1, "2 w 1", points=9), PAIR[1]),
     [f"record 299 is not understood, no points are checked: {ABNORMAL!r} @ line 3"]),
    ((player(1, "2 w H"), player(2, "1 b Z")),
     [("a bye or a missing result against an opponent in round 1: player 1 has 'H', player 2 has "
       "'Z' @ line 3, column 99")]),
    ((player(1, "2 w +"), player(2, "0000 - -")),
     ["player 1 has opponent 2 in round 1, but player 2 has none @ line 3, column 92"]),
    ((player(1, id=99000001), player(2, id=99000001)),
     ["players 1 and 2 have the same FIDE number 99000001 @ line 4, column 58"]),
])  # fmt: skip
def test_what_is_odd(lines, said):
    assert said == warnings(trf(*lines))


FOOTBALL = (
    player(1, "2 w 1", "3 b =", "- U", "- H", points="8.0"),
    player(2, "1 b 0", "- F", "3 b +", points="6.0"),
    player(3, "- Z", "1 w =", "2 w -", points="1.0"),
)


@pytest.mark.parametrize(
    "scoring",
    [
        ["162  W 3.0     D 1.0     L 0.0"],
        ["162  W 3.0     D 1.0     L 0.0     A 0.0     P 3.0     X 1.0"],
        ["162  W 3.0     D 1.0     L 0.0     Z 0.0     P 3.0"],
        ["162  W 3.0", "162  D 1,0"],
        ["XXS W=3 D=1"],
        ["XXS WW=3.0 BW=3.0 WD=1.0 BD=1.0 WL=0.0 BL=0.0", "XXS HPB=1 FPB=3 PAB=3 FW=3 FL=0 ZPB=0"],
        ["BBW  3.0", "BBD  1.0"],
        ["BBW  3.0", "BBD  1.0", "BBL  0.0", "BBZ  0.0", "BBF  0.0", "BBU  3.0"],
    ],
)
def test_scoring(scoring):
    assert [] == warnings(trf(*scoring, *FOOTBALL))
    assert 3 == len(warnings(trf(*FOOTBALL)))


def test_scoring_by_colour():
    lines = player(1, "2 w 1", points="1.0"), player(2, "1 b 0", points="0.3")
    assert [] == warnings(trf("XXS WW=1.0 BL=0.3", *lines))


@pytest.mark.parametrize(
    "record",
    [
        "299 W         0.5  001    1",  # a win worth half a point
        "299 W         0.5         1    2",
        "299          -0.5  000    1",  # a penalty
    ],
)
def test_abnormal_points(record):
    lines = player(1, "2 w 1", points="0.5"), PAIR[1]
    assert [] == warnings(trf(record, *lines))
    assert 1 == len(warnings(trf(*lines)))


def test_colour_twice():
    event = read_trf(trf(player(1, "2 w 1"), player(2, "1 w 0")))
    assert ["players 1 and 2 both have white in round 1 @ line 3, column 97"] == [
        str(warning) for warning in event.warnings
    ]
    assert (Game(1, 1, 2, 1.0),) == event.games


def test_result_without_opponent_is_a_bye():
    event = read_trf(trf(player(1, "- 1", "0000 w =", "- 0", points=1.5)))
    assert () == event.games
    assert ["F", "H", "Z"] == [pairing.code for pairing in event.pairings[1]]
    assert [("a result without an opponent is not rated: player 1 has '1' in round 1 @ line 3, "
             "column 99"),
            ("a result without an opponent is not rated: player 1 has '=' in round 2 @ line 3, "
             "column 109"),
            ("a result without an opponent is not rated: player 1 has '0' in round 3 @ line 3, "
             "column 119")] == [str(warning) for warning in event.warnings]  # fmt: skip


def test_nobody_has_a_round_yet():
    assert 0 == read_trf(trf(player(1, points=0.0), player(2, points=0.0))).rounds


def test_pairing_without_a_result_yet():
    event = read_trf(trf(player(1, "2 w "), player(2, "1 b ")))
    assert ["players 1 and 2 have no result in round 1 @ line 3, column 99"] == [
        str(warning) for warning in event.warnings
    ]
    assert () == event.games
    assert 1 == event.rounds


def test_dates_that_are_not_understood():
    assert ["the file gives no date of start"] == warnings(trf(*PAIR, start=""))
    for text, why in {
        "0001/01/01": "is not understood",
        "soon": "is not understood",
        "2026/03/00": "is not understood",
        "2062/03/01": "is far off: dates from 1800 to a year from today are read",
    }.items():
        event = read_trf(trf(*PAIR, start=text))
        assert (None, ()) == (event.start, event.warnings)
        assert f"date of start {why}: {text!r} @ line 2, column 5" == str(event.undated)
    # 03/04/2026 fits both orders, so it is not the one that differs
    rounds = "132".ljust(91) + "07/13/2026  03/04/2026  13/07/2026"
    assert "dates of the event: 07/13/2026 and 13/07/2026 stand in different orders" == str(
        read_trf(trf(*PAIR, rounds)).undated
    )
    assert ["date of end is not understood: '2026/13/01' @ line 5, column 5"] == warnings(
        trf(*PAIR, "052 2026/13/01")
    )
    assert ["the event ends on 2026-03-01, before it starts on 2026-03-18 @ line 5"] == warnings(
        trf(*PAIR, "052 2026/03/01")
    )
    assert ["date of a round is not understood: '26/99/99' @ line 5, column 92"] == warnings(
        trf(*PAIR, "132".ljust(91) + "26/99/99")
    )


def test_details_that_are_not_understood():
    assert [
        "player 3 has no name @ line 5, column 15",
        "birth date is not understood: 'unknown' @ line 5, column 70",
        "rank is not a number: '2-3' @ line 5, column 86",
    ] == warnings(trf(*PAIR, player(3, name=" ", birth="unknown", rank="2-3")))


# paths


def test_path(tmp_path):
    path = tmp_path / "event.trf"
    path.write_bytes(trf(*PAIR))
    assert read_trf(trf(*PAIR)) == read_trf(path) == read_trf(str(path))
    with pytest.raises(FileNotFoundError):
        read_trf(tmp_path / "missing.trf")


# whole events


def test_the_example():
    event = read_trf(EXAMPLE)
    assert () == event.warnings
    assert "Rivertown Open 2026" == event.name
    assert date(2026, 3, 18) == event.start
    assert (16, 7, 52) == (len(event.players), event.rounds, len(event.games))
    assert ["Petrescu, Andrei", "Mulcahy, Séamus"] == [
        player.name for player in event.players if player.rating is None
    ]
    codes = {pairing.code for pairings in event.pairings.values() for pairing in pairings}
    assert set("1=0+-HUZ") == codes


# as programs write them: file, players, rated ones, rounds, games, start, warnings
OWN_FILES = [
    (OWN / "bare.trf", 8, 8, 3, 10, None, 1),
    (OWN / "ended-by-cr.trf", 42, 42, 7, 140, None, 1),
    (OWN / "without-ratings.trf", 12, 0, 8, 41, date(2026, 5, 9), 0),
    (OWN / "under-way.trf", 28, 20, 4, 45, date(2026, 9, 26), 0),
]
OWN_PAIRINGS = [
    (OWN / "bare.trf", 5, Pairing(3, None, "", "Z")),
    (OWN / "bare.trf", 8, Pairing(2, None, "", "")),
    (OWN / "ended-by-cr.trf", 1, Pairing(1, 22, "b", "1")),
    (OWN / "ended-by-cr.trf", 10, Pairing(3, 9, "b", "+")),
    (OWN / "ended-by-cr.trf", 14, Pairing(4, 9, "w", "+")),
    (OWN / "without-ratings.trf", 1, Pairing(2, None, "", "U")),
    (OWN / "without-ratings.trf", 12, Pairing(8, None, "", "-")),
    (OWN / "under-way.trf", 23, Pairing(4, 25, "w", "1")),
    (OWN / "under-way.trf", 13, Pairing(4, None, "", "H")),
]
# Real events may not come with the project: where they lie beside the checkout, they are read, too.
REAL_FILES = [
    (REAL / "bbp_dutch_2025_C5.trf", 6, 6, 3, 6, None, 1),
    (REAL / "bbp_issue_15.trf", 180, 180, 11, 904, None, 1),
    (REAL / "lichess_2020_06.trf", 13, 0, 10, 56, date(2020, 5, 29), 0),
    (REAL / "py4swiss_javafo_example.trf", 52, 41, 4, 89, date(2010, 9, 24), 0),
]
REAL_PAIRINGS = [
    (REAL / "bbp_issue_15.trf", 1, Pairing(1, 90, "b", "1")),
    (REAL / "bbp_issue_15.trf", 3, Pairing(3, 50, "b", "+")),
    (REAL / "lichess_2020_06.trf", 1, Pairing(1, 13, "b", "1")),
    (REAL / "py4swiss_javafo_example.trf", 48, Pairing(4, None, "", "U")),
]


@pytest.mark.parametrize(
    ("path", "players", "rated", "rounds", "games", "start", "warned"),
    [*OWN_FILES, *(REAL_FILES if REAL.is_dir() else [])],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_whole_files(path, players, rated, rounds, games, start, warned):
    event = read_trf(path)
    assert players == len(event.players)
    assert rated == sum(player.rating is not None for player in event.players)
    assert rounds == event.rounds
    assert games == len(event.games)
    assert start == event.start
    assert warned == len(event.warnings)
    # counted apart from the reader: the rated codes with an opponent, each game twice
    lines = re.split(r"[\r\n]+", path.read_text("latin-1"))
    cells = [line[c : c + 8] for line in lines if line[:3] == "001" for c in range(91, 999, 10)]
    assert 2 * games == sum(
        cell[7:].strip() in ("1", "=", "0") and cell[:4].strip("0 ") != "" for cell in cells
    )


@pytest.mark.parametrize(
    ("path", "player", "pairing"),
    [*OWN_PAIRINGS, *(REAL_PAIRINGS if REAL.is_dir() else [])],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_pairings_in_whole_files(path, player, pairing):
    assert pairing == read_trf(path).pairings[player][pairing.round - 1]


def test_how_programs_end_lines_and_write_letters():
    """What the files are there for, lest a checkout or an editor mends them."""
    content = {path.name: path.read_bytes() for path, *_ in OWN_FILES}
    assert b"\n" not in content["ended-by-cr.trf"]
    assert content["under-way.trf"].count(b"\r\n") == content["under-way.trf"].count(b"\n")
    assert "Castañeda Carla" == read_trf(OWN / "under-way.trf").players[2].name
    with pytest.raises(UnicodeDecodeError):
        content["under-way.trf"].decode()
    black_won = read_trf(OWN / "ended-by-cr.trf").games[0]
    assert Game(1, 22, 1, 0.0) == black_won


# anything at all

VALID = EXAMPLE.read_bytes()
MUTATION = st.tuples(
    st.integers(0, len(VALID)), st.integers(0, 40), st.binary(max_size=12) | st.sampled_from(
        [b"\r", b"\n", b"   9", b"0000", b"w", b"1", b"=", b"001    1", b"240 H 009    3", b"299 W"]
    )
)  # fmt: skip


def reads_or_says_why(data: bytes) -> None:
    try:
        event = read_trf(data)
    except EventError:
        return
    numbers = {player.number for player in event.players}
    assert numbers == set(event.pairings)
    assert all(len(pairings) == event.rounds for pairings in event.pairings.values())
    for game in event.games:
        assert {game.first, game.second} <= numbers
        codes = [event.pairings[n][game.round - 1].code for n in (game.first, game.second)]
        assert codes in (["1", "0"], ["=", "="], ["0", "1"])
    assert 2 * len(event.games) == sum(
        pairing.code in ("1", "=", "0")
        for pairings in event.pairings.values()
        for pairing in pairings
    )


@given(st.binary(max_size=300))
def test_random_bytes_after_a_player(data):
    reads_or_says_why(PAIR[0].encode() + data + b"\n" + PAIR[1].encode())


@given(st.lists(MUTATION, min_size=1, max_size=4))
def test_mutated_files(mutations):
    data = VALID
    for place, cut, new in mutations:
        data = data[:place] + new + data[place + cut :]
    reads_or_says_why(data)
