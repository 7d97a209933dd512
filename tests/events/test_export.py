"""``elo-xl export``: lists of players for other programs, a club's events, and how it ends."""

from __future__ import annotations

import csv
import io
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from elo_xl.club.exporting import list_file, players_of, read_for_export
from elo_xl.events.trf import read_trf
from elo_xl.lists.layouts import Entry, ListError, Reading, read
from elo_xl.lists.writing import PLAYERS, RATING_LIST, Listed, fide_list
from elo_xl.templates.gallery import make, options
from tests.lists.test_lists import OCTOBER_2026
from tests.support.command import invoke
from tests.support.command import run as run_any
from tests.support.trf_lines import PAIR, player, trf

ANA = Listed(
    Entry(
        "99000001", "Ferrer Ruiz, Ana", "ESP", "WGM", "w", 1999, 2105, k=20, rapid=2080, blitz=2061
    ),
    date(1999, 5, 30),
    "Rivertown",
)
BEN = Listed(Entry("", "Ben", birth=2012))
BOTH = [ANA, BEN]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


run = partial(run_any, "export")


def table(content: bytes, encoding: str = "utf-8") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(encoding)), delimiter=";"))


# -- Swiss-Manager --------------------------------------------------------------------------------

# As Swiss-Manager 15 exports the players of a tournament (text file), with another name.
FIXTURE = (
    "Nr;Name;Titel;Identnr;EloNat;EloInt;Geburt;Fed;Sex;Typ;Gr;KlubNr;Klub;FideIdent;Quelle;Pkt;"
    "Wtg1;Wtg2;Wtg3;Wtg4;Wtg5;Wtg6;Rang;Nachname;Vorname;Atitel\r\n"
    "1;Ferrer Ruiz Ana;WGM;;0;2105;30.05.1999;ESP;W;;;0;Rivertown;99000001;;;;;;;;;;"
    "Ferrer Ruiz;Ana;\r\n"
)


def test_players_for_swiss_manager():
    assert FIXTURE.encode() == list_file([ANA], "swiss-manager", ".txt").content
    (_, ben) = table(list_file(BOTH, "swiss-manager", ".txt").content)
    assert ("2", "Ben", "", "0", "0", "2012", "", "0") == tuple(
        ben[key]
        for key in ("Nr", "Nachname", "Vorname", "EloNat", "EloInt", "Geburt", "Sex", "FideIdent")
    )


def test_national_ratings_and_numbers():
    (ana,) = table(list_file([ANA], "swiss-manager", ".txt", national=True).content)
    assert ("99000001", "2105", "0", "0") == tuple(
        ana[key] for key in ("Identnr", "EloNat", "EloInt", "FideIdent")
    )
    (ana,) = table(list_file([ANA], "swiss-manager", ".csv", national=True).content, "utf-8-sig")
    assert ("99000001", "2105", "0", "") == tuple(
        ana[key] for key in ("ID_No", "Rtg_Nat", "Rtg_Int", "Fide_No")
    )


def test_the_rating_list_is_one_as_csv_and_as_workbook():
    listed = list_file(BOTH, "swiss-manager", ".csv").content
    assert listed.startswith(
        b"\xef\xbb\xbfID_No;Name;Fed;Sex;Clubnumber;ClubName;Birthday;Rtg_Nat;"
    )
    book = openpyxl.load_workbook(
        io.BytesIO(list_file(BOTH, "swiss-manager", ".xlsx").content)
    ).worksheets[0]
    shown = [["" if v is None else str(v) for v in row] for row in book.iter_rows(values_only=True)]
    assert [list(RATING_LIST), *(list(row.values()) for row in table(listed, "utf-8-sig"))] == shown
    assert ("0001", "Ferrer Ruiz, Ana", "ESP", "w", "0", "Rivertown", "30.05.1999") == tuple(
        shown[1][:7]
    )


def test_the_ratings_of_a_kind():
    def rating(kind: str) -> str:
        return table(list_file([ANA], "swiss-manager", ".txt", kind=kind).content)[0]["EloInt"]

    assert ["2105", "2080", "2061"] == [rating(kind) for kind in ("standard", "rapid", "blitz")]


def test_what_a_list_lacks_is_told():
    assert (
        "last and first name are not separated by a comma: 1 of the players (Ben)",
        "no rating: 1 of the players (Ben)",
    ) == list_file(BOTH, "swiss-manager", ".txt").notes


EVIL = ('=HYPERLINK("http://x")', "+1", "-1", "@SUM(1)", "\t=1", "=1\n")


@pytest.mark.parametrize("name", EVIL)
def test_no_text_becomes_a_formula(name):
    person = Listed(Entry("1", name, club_ := "=1", birth=1990), club=club_)
    for ending in (".txt", ".csv"):
        content = list_file([person], "swiss-manager", ending).content
        (row,) = csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=";")
        assert not [cell for cell in row.values() if cell[:1] in tuple("=+-@\t\r")]
    book = openpyxl.load_workbook(
        io.BytesIO(list_file([person], "swiss-manager", ".xlsx").content)
    ).worksheets[0]
    assert {"s", "inlineStr", "n"} >= {cell.data_type for row in book.iter_rows() for cell in row}
    assert name == book["B2"].value


def test_a_semicolon_is_refused():
    with pytest.raises(ListError, match="no way to hold a semicolon: 'A; B', player 1"):
        list_file([Listed(Entry("", "A; B"))], "swiss-manager", ".txt")


# -- the layout of FIDE's list --------------------------------------------------------------------


def test_a_list_in_the_columns_of_fides():
    """A line of it is FIDE's, but for the games of the period, and our reader takes it back."""
    published = OCTOBER_2026.splitlines()
    made = fide_list([ANA]).decode().split("\r\n")
    assert published[0] == made[0]
    assert [
        text if heading not in ("SGm", "BGm", "Rk", "BK") else "0"
        for heading, text in zip(
            published[0].split()[1:], cut(published[0], published[1]), strict=True
        )
        if heading != "Number"
    ] == [
        text
        for heading, text in zip(made[0].split()[1:], cut(made[0], made[1]), strict=True)
        if heading != "Number"
    ]
    (again,) = read("list.txt", io.BytesIO(fide_list([ANA])), Reading("list.txt", "standard"))
    assert ANA.entry == again._replace(
        sex="w", games=None, rapid_games=None, blitz_games=None, flag=""
    )


def cut(heading: str, line: str) -> list[str]:
    """The fields of a line below their headings."""
    starts = [0, *(n for n in range(1, len(heading)) if heading[n - 1] == " " != heading[n])]
    ends = [*starts[1:], len(line)]
    return [line[start:end].strip() for start, end in zip(starts, ends, strict=True)][1:]


def test_what_fides_columns_cannot_hold():
    long = "A" * 61
    with pytest.raises(ListError) as caught:
        fide_list([BEN, Listed(Entry("1", long, "Spain"))])
    assert [
        "a rating list needs a number for everybody: 'Ben' has none",
        f"the column Name of FIDE's list has 60 characters: {long!r}, {long!r}",
        f"the column Fed of FIDE's list has 3 characters: 'Spain', {long!r}",
    ] == str(caught.value).splitlines()


def test_players_of_an_event():
    event = read_trf(trf(player(1, "2 w 1", title="WFM", sex="", birth="2001/05/30"), PAIR[1],
                         "122 15 minutes"))  # fmt: skip
    assert "rapid" == event.kind
    first = players_of(event)[0]
    assert (1800, None, "w", date(2001, 5, 30)) == (
        first.entry.rapid, first.entry.rating, first.entry.sex, first.born,
    )  # fmt: skip


# -- the command ----------------------------------------------------------------------------------


def test_games_need_no_ratings(folder):
    path = folder / "games.csv"
    path.write_text("White;Black;Result\nAubert, Ada;Blanco, Bo;1-0\n", "utf-8")
    assert [("Aubert, Ada", None), ("Blanco, Bo", None)] == [
        (player.name, player.rating) for player in read_for_export(path).players
    ]


def test_a_report(folder):
    Path("event.txt").write_bytes(trf("XXR 1", *PAIR))
    printed = run("event.txt")
    assert printed.endswith("TRF16 (players: 2, rounds: 1): event.trf\n")
    assert "note: FIDE's rating asks for what the event does not say: city (022)" in printed
    assert "event.trf already exists" in run("event.txt", code=2)
    run("event.txt", "--force", "--header", "022=Rivertown", "--header", "032=IRL", "--rounds", "3")
    assert {b"022 Rivertown", b"032 IRL", b"XXR 3"} <= {
        *Path("event.trf").read_bytes().splitlines()
    }
    assert ["event.trf", "event.txt"] == sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--header", "032"], "a header is given as 032=ESP, got '032'"),
        (["--header", "777=x"], "header must be one of"),
        (["--header", "192=FIDE_DUTCH"], "header 192 belongs to TRF26"),
        (["-o", "event.xlsx"], "the name of a report must end in .trf or .trfx or .txt"),
        (["-o", "event.txt", "--force"], "it would replace what it is made from"),
        (["--national"], "--national and --kind are for lists of players"),
        (["--format", "swiss-manager", "--rounds", "3"], "--rounds and --header are for reports"),
        (["--format", "swiss-manager", "-o", "x.pdf"], "must end in .txt or .csv or .xlsx"),
        (["--format", "fide-list", "-o", "x.csv"], "must end in .txt"),
        (["--format", "swm"], "'swm' is not one of"),
        (["--columns", "x"], "columns are named as white="),
    ],
)
def test_wrong_use(words, said, folder):
    Path("event.txt").write_bytes(trf(*PAIR))
    assert said in " ".join(run("event.txt", *words, code=2).split())
    assert ["event.txt"] == [path.name for path in folder.iterdir()]


@pytest.mark.parametrize("words", [[], ["--format", "fide-list"]])
def test_an_empty_book(words, folder):
    Path("open.xlsx").write_bytes(make("team-match", options("team-match")))
    assert "nobody is on the list" in run("open.xlsx", *words, code=1)
    assert ["open.xlsx"] == [path.name for path in folder.iterdir()]


@pytest.mark.parametrize("name", ["a.trf", "a.xlsx", "a.csv"])
def test_a_file_that_is_none(name, folder):
    Path(name).write_bytes(b"PK\x03\x04\x00\xff")
    run(name, "-o", "out.trf", code=1)
    assert [name] == [path.name for path in folder.iterdir()]


def test_what_has_no_room_leaves_no_file(folder):
    Path("games.csv").write_text(f"White,Elo,Black,Elo,Result\n{'A' * 40},1800,Ben,1750,1-0\n")
    run("games.csv", code=1)
    assert ["games.csv"] == [path.name for path in folder.iterdir()]


def test_lists():
    Path("event.trf").write_bytes(trf(*PAIR))
    assert "swiss-manager (players: 2): event-players.txt\n" in run(
        "event.trf", "--format", "swiss-manager"
    )
    assert list(PLAYERS) == list(table(Path("event-players.txt").read_bytes())[0])
    run("event.trf", "--format", "swiss-manager", "-o", "list.xlsx")
    run("event.trf", "--format", "fide-list", code=1)
    assert not Path("event-list.txt").exists()


# -- a club's book --------------------------------------------------------------------------------


@pytest.fixture
def club(folder: Path) -> Path:
    members: list[dict[str, Any]] = [
        {"name": "Ferrer, Ana", "id": "99000001", "birth": 1999, "title": "WFM",
         "federation": "ESP", "standard": 2105, "rapid": 2080},
        {"name": "Okafor, Ngozi", "standard": 1900},
        {"name": "Lee, Kim"},
    ]  # fmt: skip
    games = [
        ("Friday", 1, "Okafor, Ngozi", "Ferrer, Ana", "½"),
        ("Friday", 2, "Ferrer, Ana", "Lee, Kim", "1"),
        ("Other", 1, "Lee, Kim", "Okafor, Ngozi", "+"),
    ]  # fmt: skip
    content = {
        "Club": "Rivertown",
        "Members": members,
        "Events": [
            {
                "event": name,
                "date": date(2026, 3, day),
                "kind": "standard",
                "rulebook": "fide-2025-10",
            }
            for name, day in (("Friday", 6), ("Other", 13))
        ],
        "Results": [
            dict(zip(("event", "round", "white", "black", "result"), game, strict=True))
            for game in games
        ],
    }
    path = folder / "club.xlsx"
    path.write_bytes(make("club", options("club", players=10, rounds=20), content))
    return path


@pytest.mark.slow
def test_members(club):
    run(club, "--format", "swiss-manager", "--national")
    rows = table(Path("club-players.txt").read_bytes())
    assert [("Ferrer", "2105", "W", "Rivertown"), ("Okafor", "1900", "", "Rivertown")] == [
        (row["Nachname"], row["EloNat"], row["Sex"], row["Klub"]) for row in rows[:2]
    ]
    run(club, "--format", "swiss-manager", "--kind", "rapid", "-o", "rapid.txt")
    assert ["2080", "0", "0"] == [row["EloInt"] for row in table(Path("rapid.txt").read_bytes())]


@pytest.mark.slow
def test_an_event_of_a_club(club):
    """Before the period is closed and after it, when its games stand with the rated ones.

    What the book does not know is blank: points, ranks, byes, the last day.
    """
    said = run(club, "--event", "friday", "-o", "open.trf")
    assert "points and ranks are blank" in said
    assert "asks for what the event does not say: city (022), federation (032), last day" in said
    lines = Path("open.trf").read_text("utf-8").splitlines()
    assert [] == [line for line in lines if line.startswith("052")]
    assert [" " * 9] * 3 == [line[80:89] for line in lines if line.startswith("001")]
    assert not any("0000 -" in line for line in lines)
    event = read_trf(Path("open.trf"))
    assert ("Friday", date(2026, 3, 6), 2) == (event.name, event.start, event.rounds)
    assert [("Ferrer, Ana", 2105.0), ("Okafor, Ngozi", 1900.0), ("Lee, Kim", None)] == [
        (p.name, p.rating) for p in event.players
    ]
    assert {None} == {value for p in event.players for value in (p.points, p.rank)}
    assert [(1, 2, 1, 0.5), (2, 1, 3, 1.0)] == [
        (game.round, game.first, game.second, game.score) for game in event.games
    ]
    assert 0 == invoke("close", club, "--date", "2026-03-31").exit_code
    run(club, "--event", "Friday", "-o", "closed.trf")
    assert Path("open.trf").read_bytes() == Path("closed.trf").read_bytes()


@pytest.mark.slow
def test_the_members_are_not_an_event(club):
    known = "name one with --event, of 'Friday'; 'Other'"
    assert f"a club's book has several events: {known}" in run(club, code=1)
    assert f"no event is called 'Nowhere': {known}" in run(club, "--event", "Nowhere", code=1)
    assert not Path("club.trf").exists()
