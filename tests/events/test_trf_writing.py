"""Tournament report files that we write, read by somebody else's parser and by our own reader."""

from __future__ import annotations

import io
from dataclasses import fields, replace
from datetime import date
from functools import cache
from typing import Any

import openpyxl
import pytest
from gacrux.trf2json import trf2json
from hypothesis import given
from hypothesis import strategies as st

import elo_xl
from elo_xl.engine.errors import OptionError
from elo_xl.events.books import read_event_book
from elo_xl.events.event import EventError, Player, Tournament
from elo_xl.events.files import read_event
from elo_xl.events.pairing import pairs
from elo_xl.events.source import read_text
from elo_xl.events.tables import read_table
from elo_xl.events.trf import read_trf
from elo_xl.events.trf_writing import EDITIONS, TRF16, TRF26, written
from elo_xl.templates.gallery import make, options, sample
from tests.events.test_trf import EXAMPLE, OWN, REAL
from tests.support.trf_lines import PAIR, player, trf

FILES = [
    EXAMPLE,
    *sorted(OWN.glob("*.trf")),
    *(sorted(REAL.glob("*.trf")) if REAL.is_dir() else []),
]
FIXED = ("042", "052", "132")
"""records that are written as FIDE wants them, however they were written before"""


def parsed(text: str) -> tuple[dict[int, dict[str, Any]], list[dict[str, Any]]]:
    """What gacrux makes of a report: players by number, and games. Both name people, so that the
    order of its own numbers does not matter."""
    file = trf2json()
    file.parse_file(text, 0)
    assert [] == file.chessjson["status"]["error"]
    event, known = file.get_event(), file.get_tournament(1)
    profiles = {profile.pop("id"): profile for profile in event["profiles"]}
    teams = [c.get("cplayers", [c]) for c in known["competitors"]]
    players = {p["cid"]: profiles[p.pop("profileId")] | p for team in teams for p in team}
    return players, sorted(known["gameList"], key=lambda game: game.pop("id"))


def book(template: str, content: dict[str, Any], **chosen: Any) -> Tournament:
    """The event in a book with some content."""
    return read_event_book(make(template, options(template, **chosen), content), unplayed=True)


def rounds_of(event: Tournament, edition: str = TRF16) -> list[str]:
    """The rounds of all players in a report, without surplus blanks."""
    made = read_text(written(event, edition).content).splitlines()
    return [" ".join(line[91:].split()) for line in made if line.startswith("001")]


def test_byes_are_kept_and_have_no_opponents() -> None:
    """A bye that only a record 240 has is written for rounds that are over; one that stands in a
    player's line stays; beside a bye there is no opponent."""
    rows = (
        player(1, "2 w 1", "0000 - H", "4 w 1"),
        player(2, "1 b 0", "3 w 1"),
        player(3, "4 w 1", "2 b 0"),
        player(4, "3 b 0", "", "1 b 0"),
    )
    given = read_trf(trf("240 H   2    1", "240 Z   2    4", "240 H   4    2", *rows))
    expected = ["2 w 1 0000 - H 4 w 1", "1 b 0 3 w 1", "4 w 1 2 b 0", "3 b 0 0000 - Z 1 b 0"]
    for edition in EDITIONS:
        assert expected == rounds_of(given, edition)
        again = read_trf(written(given, edition).content)
        assert (given.pairings, given.games) == (again.pairings, again.games)
    beside = read_trf(trf(player(1, "2 w 1", "3 b Z"), player(2, "1 b 0"), player(3, "", "1 w ")))
    assert ["2 w 1 0000 - Z", "1 b 0", ""] == rounds_of(beside)
    asked = read_trf(trf(player(1, "2 w 1", "0000 - H"), player(2, "1 b 0")))
    assert "2 w 1 0000 - H" == rounds_of(asked)[0]


def test_numbers_have_no_quotation_marks() -> None:
    event = read_table(b"name,id,elo,1.Rd\nAna,'34179178',1800,2w1\nBo,Z5,1700,1b0\n")
    made = written(event, TRF16)
    assert ["34179178", "Z5"] == [player.id for player in read_trf(made.content).players]
    assert "the FIDE number is not a number: 1 player (2)" in made.notes


SIZES: dict[str, dict[str, Any]] = {"swiss": {"players": 12, "rounds": 5}}


@cache
def file_of(template: str) -> bytes:
    """The file of a book with its sample in it."""
    chosen = options(template, **SIZES.get(template, {}))
    return make(template, chosen, sample(template, chosen))


@cache
def completed(template: str) -> Tournament:
    """The event of a sample, with what its book works out."""
    event = read_event_book(file_of(template))
    assert event.complete is not None
    return replace(event.complete(event), complete=None)


def lines(event: Tournament, edition: str = TRF16, **more: Any) -> list[str]:
    content = written(event, edition, **more).content.decode()
    assert content.endswith("\r\n")
    return content.split("\r\n")[:-1]


def notes(event: Tournament, **more: Any) -> tuple[str, ...]:
    return written(event, **more).notes


# -- reports come back as they were ---------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_report_comes_back(path, edition):
    event = read_trf(path)
    made = written(event, edition)
    again = read_trf(made.content)
    for field in fields(Tournament):
        if field.name in (
            "players",
            "warnings",
            "records",
            "above",
            "planned",
            "undated",
            "complete",
        ):
            continue
        assert getattr(event, field.name) == getattr(again, field.name), field.name
    # what the file left out of points and ranks is worked out, and nothing else
    filled = [
        replace(
            old,
            points=new.points if old.points is None else old.points,
            rank=new.rank if old.rank is None else old.rank,
        )
        for old, new in zip(event.players, again.players, strict=True)
    ]
    assert filled == list(again.players)
    kept = [line for line in event.records if line[:3] not in FIXED and line[3:].strip()]
    assert kept == [line for line in again.records if line in kept]
    assert event.planned in (0, again.planned)
    assert made.content == written(again, edition).content


def test_records_stay_where_they_are():
    data = trf("### a comment", "082 1", "XXZ 3", player(1, "2 w 1", points=1.0, rank=1),
               "DAT 1 EMAIL nobody@example.org",
               "IRL    1 m    Player, Number 1                  1750 DUB         123",
               player(2, "1 b 0", points=0.0, rank=2),
               "013 Some Team                          1    2", "250 00.0 02.0 001 003 0001 0090",
               "260 001 002    1    2", "299 W         0.5  001    9", "801 anything",
               "???")  # fmt: skip
    made = lines(read_trf(data))
    assert data.decode().splitlines() == [
        line for line in made if line[:3] not in ("062", "072", "XXR")
    ]
    assert ["062 2", "072 2", "XXR 1"] == [
        line for line in made if line[:3] in ("062", "072", "XXR")
    ]


def test_byes_to_come_stay_in_their_records():
    data = trf(
        "240 H 002 0001",
        player(1, "2 w 1", points=1.5, rank=1),
        player(2, "1 b 0", "- Z", points=0.0, rank=2),
    )
    event = read_trf(data)
    made = lines(event)
    assert player(1, "2 w 1", points=1.5, rank=1) in made
    assert player(2, "1 b 0", "0000 - Z", points=0.0, rank=2) in made
    assert event.pairings == read_trf("\r\n".join(made).encode()).pairings


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("042 May 29, 2020", "042 2020/05/29"),
        ("042 28. 07. 2005", "042 2005/07/28"),
        ("052 24.9.2010", "052 2010/09/24"),
        ("132".ljust(91) + "2026/03/18 2026/03/19", "132".ljust(91) + "26/03/18  26/03/19"),
    ],
)
def test_dates_as_fide_writes_them(text, fixed):
    data = trf(text, *PAIR, start="" if text.startswith("042") else "2005/01/01")
    made = lines(read_trf(data))
    assert fixed in made
    assert text not in made


def test_a_date_that_nobody_understands_is_kept_and_told():
    event = read_trf(trf(*PAIR, start="some day in May"))
    assert "042 some day in May" in lines(event)
    assert "date of start is not understood: 'some day in May' @ line 2, column 5" in notes(event)


BIRTHS = {
    "2001/05/30": "2001/05/30",
    "1969.12.06": "1969/12/06",
    "06.12.1969": "1969/12/06",
    "1978/00/00": "1978/00/00",
    "1978": "1978/00/00",
    "06/12/1969": "1969/00/00",  # June or December: only the year is sure
    "": "",
}


@pytest.mark.parametrize(("text", "fixed"), BIRTHS.items())
def test_birth_dates(text, fixed):
    (made,) = [line for line in lines(read_trf(trf(player(1, birth=text)))) if line[:3] == "001"]
    assert fixed == made[69:79].strip()


# -- somebody else reads them ---------------------------------------------------------------------

REFUSED = {"under-way.trf", "py4swiss_javafo_example.trf"}
"""files with players of no team beside teams, which gacrux does not take"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name not in REFUSED], ids=lambda path: path.name
)
def test_gacrux_reads_the_same_as_before(path):
    """In its letters; then from what we write."""
    before, games = parsed("\n".join(read_text(path).splitlines()))
    after, again = parsed(written(read_trf(path)).content.decode())
    for number, person in before.items():
        person["rank"] = person["rank"] or after[number]["rank"]  # is worked out
    assert before == after
    assert games == again


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("template", ["round-robin", "swiss", "team-match", "rating-period"])
def test_gacrux_reads_our_books(template, edition):
    event = completed(template)
    players, games = parsed("\n".join(lines(event, edition)))
    assert {p.number: p.name for p in event.players} == {
        n: p["fideName"] for n, p in players.items()
    }
    assert {p.number: p.rating for p in event.players} == {
        n: p["rating"] and p["rating"]["rating"] for n, p in players.items()
    }
    assert {p.number: f"{p.birth_year or 0:04}" for p in event.players} == {
        n: p["birth"][:4] for n, p in players.items()
    }
    won = {(g["round"], g[s]["cid"]) for g in games for s in ("white", "black")
           if g["played"] and g["black"] and g[s].get("result") == "W"}  # fmt: skip
    assert won == {
        (cell.round, number)
        for number, cells in event.pairings.items()
        for cell in cells
        if cell.code == "1"
    }


@pytest.mark.slow
@pytest.mark.parametrize("begun", [1, 4])
def test_a_pairing_program_goes_on(begun):
    """gacrux pairs the next round of a Swiss that was typed into our book."""
    chosen = options("swiss", **SIZES["swiss"])
    whole = sample("swiss", chosen)
    size = chosen.players // 2 + 3
    content = {**whole, "Pairings": {
        row: cells for row, cells in whole["Pairings"].items() if row <= begun * size
    }}  # fmt: skip
    event = book("swiss", content, **SIZES["swiss"])
    assert begun == event.rounds
    made = pairs(written(event).content.decode(), begun + 1)
    assert [p.number for p in event.players] == sorted(n for pair in made for n in pair if n)
    met = {frozenset((game.first, game.second)) for game in event.games}
    assert not met & {frozenset(pair) for pair in made}


@pytest.mark.slow
def test_an_event_before_its_first_round():
    players = [{"name": f"Player, {n}", "rating": 2000 - n} for n in range(1, 9)]
    made = lines(book("swiss", {"Players": players}, players=8, rounds=5))
    assert "XXR 5" == made[-9]
    assert [(1, 5), (6, 2), (3, 7), (8, 4)] == pairs("\n".join(made), 1)


# -- columns --------------------------------------------------------------------------------------


def test_columns():
    """The lines of the tests' own helper, which follows the table of the specification."""
    written_ = [
        player(1, "2 w 1", "0000 - H", name="O'Neill-Byrne, Éabha", sex="w", title="WGM",
               rating=2312, id=99000007, birth="2001/05/30", points=1.5, rank=1),
        player(9999, name="Ångström, Ö", sex="", rating="", federation="", birth="", points=0.0,
               rank=3),
        player(2, "1 b 0", "0000 - Z", title="IM", points="0.0", rank=2),
    ]  # fmt: skip
    assert written_ == [line for line in lines(read_trf(trf(*written_))) if line[:3] == "001"]


def test_utf_8_without_a_mark_and_letters_in_one_piece():
    event = read_trf(trf(player(1, name="Zoe\N{COMBINING DIAERESIS}, Ana"), player(2)))
    (made,) = [line for line in lines(event) if line[:8] == "001    1"]
    assert "Zoë, Ana" == made[14:47].rstrip()
    assert written(event).content.startswith(b"012 ")


def test_what_has_no_room_is_refused_all_at_once():
    event = read_trf(trf(*PAIR))
    long = "Featherstonehaugh-Cholmondeley, Maximilian"
    odd = replace(
        event,
        players=(
            Player(1, long, 1800.5, "Ireland", "123456789012", points=100.0),
            Player(12345, "Tab\x07, Ana", points=0.25),
        ),
        pairings={},
        teams=(("A team of which the name is too long", (1, 12345)),),
    )
    with pytest.raises(EventError) as caught:
        written(odd)
    assert [
        "the event is too large for a report: its games have no rounds",
        "the rating of player 1 must be whole: 1800.5",
        f"the name of player 1 has 42 characters, its columns 33: {long!r}",
        "the federation of player 1 has 7 characters, its columns 3: 'Ireland'",
        "the FIDE number of player 1 has 12 characters, its columns 11: '123456789012'",
        "the points of player 1 has 5 characters, its columns 4: '100.0'",
        "the points of player 12345 must have one decimal: 0.25",
        "the starting number of player 12345 has 5 characters, its columns 4: '12345'",
        "the name of player 12345 has signs that are no text: 'Tab\\x07, Ana'",
    ] == [str(problem) for problem in caught.value.problems]
    with pytest.raises(EventError, match="the name of team 1 has 36 characters, its columns 32"):
        written(replace(event, teams=((odd.teams[0][0], (1, 2)),)))


def test_what_fide_asks_for_is_told():
    event = read_table(b"White,Elo,Black,Elo,Result,Round\nAna Ferrer,1800,Ben,1750,1-0,1\n")
    assert (
        "number of rounds: 1, as many as have begun",
        (
            "FIDE's rating asks for what the event does not say: name of the event (012), "
            "city (022), federation (032), first day (042), last day (052), "
            "chief arbiter (102), "
            "dates of the rounds (132)"
        ),
        "the rank is by points alone: 2 players (1, 2)",
        "no FIDE number (columns 58 to 68): 2 players (1, 2)",
        "no birth date (columns 70 to 79): 2 players (1, 2)",
        "no sex (column 10): 2 players (1, 2)",
        "no federation (columns 54 to 56): 2 players (1, 2)",
        "the name has no comma between last and first name: 2 players (1, 2)",
    ) == notes(event)


def test_points_are_counted_by_the_events_scoring():
    event = read_trf(trf("022 Rivertown", "162  W 3.0     D 1.0     L 0.0", *PAIR))
    unsaid = [replace(p, points=None) for p in event.players]
    read = read_trf(written(replace(event, players=tuple(unsaid))).content)
    assert [3.0, 0.0] == [p.points for p in read.players]


def test_nothing_is_asked_of_a_complete_report():
    data = trf(
        "022 Rivertown", "032 IRL", "052 2026/03/22", "102 Ferrer, Ana",
        "132".ljust(91) + "26/03/18", "XXR 1",
        player(1, "2 w 1", id=99000001, birth="1990/02/03", points=1.0, rank=1),
        player(2, "1 b 0", id=99000002, birth="1991/02/03", points=0.0, rank=2),
    )  # fmt: skip
    assert () == notes(read_trf(data))


def test_a_list_without_rounds_is_told():
    event = read_table(b"White,Elo,Black,Elo,Result\nFerrer Ana,1800,Li Ben,1750,1-0\n")
    assert "the file has no rounds: they are the first, second … game of each" in notes(event)


def test_dates_of_rounds_from_a_table():
    event = read_table(
        b"Round,Date,White,Elo,Black,Elo,Result\n"
        b"1,2026-03-08,A,1800,B,1750,1\n1,2026-03-07,C,1800,D,1750,1\n2,2026-03-14,A,1800,C,1800,1\n"
    )
    assert (date(2026, 3, 7), date(2026, 3, 14)) == event.days
    assert "132".ljust(91) + "26/03/07  26/03/14" in lines(event)


# -- headers, rounds, editions --------------------------------------------------------------------


def test_headers():
    event = read_table(b"White,Elo,Black,Elo,Result,Round\nAna,1800,Ben,1750,1-0,1\n")
    said = {
        "012": " Club  cup ", "032": "IRL", "132": "2026-03-07, 2026-03-08", "102": "Ferrer, Ana",
        "122": "90 minutes",
    }  # fmt: skip
    assert ["012 Club cup", "032 IRL", "042 2026/03/07", "052 2026/03/08", "062 2", "072 2",
            "102 Ferrer, Ana", "122 90 minutes", "132".ljust(91) + "26/03/07  26/03/08",
            "XXR 5"] == lines(event, headers=said, rounds=5)[:-2]  # fmt: skip


def test_headers_replace_what_a_report_says():
    event = read_trf(trf("032 ENG", "XXR 9", "142 9", *PAIR))
    made = lines(event, headers={"032": "IRL", "042": "2026-04-01", "052": "2026-04-02"}, rounds=3)
    assert ["042 2026/04/01", "032 IRL", "XXR 3", "052 2026/04/02"] == [
        line for line in made if line[:3] in ("032", "042", "052", "XXR", "142")
    ]


@pytest.mark.parametrize(
    ("headers", "edition", "what"),
    [
        ({"999": "x"}, TRF16, "header must be one of 012, 022, .*, got '999'"),
        ({"192": "FIDE_DUTCH"}, TRF16, "header 192 belongs to TRF26: ask for the format trf26"),
        ({"042": "soon"}, TRF16, "date of header 042 is not understood: 'soon'"),
        ({"132": "2026-03-01,2"}, TRF16, "date of header 132 is not understood: '2'"),
        ({}, "trf06", "format must be one of trf16, trf26"),
    ],
)
def test_headers_that_cannot_be(headers, edition, what):
    with pytest.raises(OptionError, match=what):
        written(read_trf(trf(*PAIR)), edition, headers=headers)


def test_rounds_that_have_been_played_already():
    event = read_trf(trf(player(1, "2 w 1", "2 b 1"), player(2, "1 b 0", "1 w 0")))
    with pytest.raises(EventError, match="the event has 2 rounds already, more than 1"):
        written(event, rounds=1)


@pytest.mark.slow
def test_trf26():
    event = completed("round-robin")
    made = lines(event, TRF26)
    assert ["142 9", "192 FIDE_ROUNDROBIN", "212 PTS,DE,SB,WIN,KS,BWG"] == [
        line for line in made if line[:3] in ("142", "192", "212", "XXR")
    ]
    swiss = lines(completed("swiss"), TRF26)
    assert {"212 PTS,BH/C1,BH,SB,WIN,BWG", "### tie-breaks: FIDE C.07 2026-03"} <= set(swiss)
    assert not [line for line in swiss if line[:3] == "192"]  # who paired, nobody knows
    assert not [line for line in lines(event) if line[:3] in ("142", "192", "212")]


def test_newer_records_in_a_trf16_are_told():
    event = read_trf(trf("### a comment", "142 9", "222 5400+30", *PAIR))
    assert "kept, although TRF16 has no such records: 142, 222" in notes(event)
    assert {"### a comment", "142 9", "222 5400+30", "XXR 9"} <= set(lines(event))


@pytest.mark.slow
def test_teams():
    event = completed("team-match")
    n = len(event.players) // 2
    members = "".join(f"{number:>5}" for number in range(1, n + 1))
    assert "013 Rivertown".ljust(35) + members in lines(event)
    assert "082 2" in lines(event)
    (first, second) = (line for line in lines(event, TRF26) if line[:3] == "310")
    # the columns of the specification: number, name, match points, game points, rank, players
    assert ("  1", "Rivertown", "2.0", "5.5", "1") == (
        first[4:7], first[8:40].strip(), first[54:60].strip(), first[61:67].strip(),
        first[68:71].strip(),
    )  # fmt: skip
    assert ("0.0", "2.5", "2") == (
        second[54:60].strip(),
        second[61:67].strip(),
        second[68:71].strip(),
    )
    assert [*range(1, n + 1)] == [int(first[c : c + 4]) for c in range(73, len(first), 5)]


# -- what books work out --------------------------------------------------------------------------


def withdrawn(typed: int) -> Tournament:
    """An event of six, from which the last one withdraws after some games, all of them lost."""
    players: list[dict[str, Any]] = [{"name": f"Player, {n}", "rating": 1800} for n in range(1, 7)]
    players[5]["out"] = "x"
    cross = {a: {f"v{b}": "1" for b in range(a + 1, 6)} for a in range(1, 5)}
    for a in range(1, typed + 1):
        cross.setdefault(a, {})["v6"] = "1"
    return read_trf(
        written(book("round-robin", {"Players": players, "Cross": cross}, players=6)).content
    )


@pytest.mark.slow
def test_whoever_withdraws_late_loses_by_forfeit():
    event = withdrawn(3)
    assert "+" == next(c.code for c in event.pairings[4] if c.opponent == 6)
    assert ["0", "-", "0", "-", "0"] == [cell.code for cell in event.pairings[6]]
    assert (5.0, 0.0) == (event.players[0].points, event.players[5].points)
    assert 6 == event.players[5].rank


@pytest.mark.slow
def test_whoever_withdraws_early_has_no_rank_of_their_own():
    event = withdrawn(1)
    assert [1] == [c.opponent for c in event.pairings[6] if c.opponent]
    assert 6 == event.players[5].rank
    assert not [c for c in event.pairings[4] if c.opponent == 6]


@pytest.mark.slow
def test_the_rank_is_that_of_the_standings():
    """As it stands on the sheet for the wall, by the tie-breaks that were chosen."""
    book = openpyxl.load_workbook(io.BytesIO(file_of("swiss")), data_only=True)
    on_the_wall = {
        row[1]: row[0]
        for row in book["Standings"].iter_rows(values_only=True)
        if isinstance(row[0], int | float) and isinstance(row[1], int | float)
    }
    event = read_trf(written(completed("swiss")).content)
    assert len(on_the_wall) == len(event.players)
    assert on_the_wall == {player.number: player.rank for player in event.players}


@pytest.mark.slow
def test_an_earlier_round_on_the_wall_does_not_matter():
    chosen = options("swiss", **SIZES["swiss"])
    event = book("swiss", {**sample("swiss", chosen), "Standings_round": 2}, **SIZES["swiss"])
    assert written(completed("swiss")) == written(event)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dates", "days"),
    [
        (date(2026, 3, 7), ["042 2026/03/07", "052 2026/03/07"]),
        (2026, []),  # which the book shows as a year
        (None, []),
    ],
)
def test_a_year_alone_is_no_first_day(dates, days):
    players = [{"name": f"Player, {n}", "rating": 2000 - n} for n in range(1, 5)]
    content = {"Players": players, "List_year": 2026, **({"Dates": dates} if dates else {})}
    event = book("swiss", content, players=4, rounds=1)
    assert (date(2026, 3, 7) if days else date(2026, 1, 1), not days) == (
        event.start,
        event.year_only,
    )
    assert days == [line for line in lines(event) if line[:3] in ("042", "052")]


# -- anything -------------------------------------------------------------------------------------

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=33)


@given(NAMES, NAMES, st.sampled_from(["1-0", "0-1", "½", "+:-", "-:+", "0-0"]))
def test_any_name_comes_back_or_is_refused(first, second, result):
    event = read_trf(trf(*PAIR))
    named = replace(
        event,
        players=tuple(
            replace(p, name=name) for p, name in zip(event.players, (first, second), strict=True)
        ),
    )
    try:
        content = written(named).content
    except EventError:
        return
    again = read_trf(content)
    assert event.games == again.games
    assert len(again.players) == 2


# -- Python ---------------------------------------------------------------------------------------


def test_save(tmp_path):
    event = elo_xl.read_event(EXAMPLE)
    path = tmp_path / "copy.trf"
    path.write_bytes(b"an old file")
    assert event.save(path) == written(read_trf(EXAMPLE)).notes != ()
    assert read_trf(EXAMPLE).games == read_trf(path).games
    event.save(tmp_path / "players.csv", format="swiss-manager")
    event.save(path, format="trf26", headers={"102": "Ferrer, Ana"})
    assert b"\r\n102 Ferrer, Ana\r\n" in path.read_bytes()
    with pytest.raises(elo_xl.OptionError, match="format must be one of trf16, trf26"):
        event.save(path, format="pdf")  # type: ignore[arg-type]
    with pytest.raises(elo_xl.OptionError, match=r"must end in \.txt or \.csv or \.xlsx"):
        event.save(path, format="swiss-manager")
    with pytest.raises(OSError, match="missing"):
        event.save(tmp_path / "missing" / "copy.trf")


def test_what_we_write_is_known_by_its_content():
    assert read_trf(EXAMPLE).games == read_event(written(read_trf(EXAMPLE)).content).games
