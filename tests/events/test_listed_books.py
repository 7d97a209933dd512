"""New books, next books and a club's book that take players and ratings from a rating list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.shell_completion import BashComplete

from elo_xl.books.faults import faults
from elo_xl.cli import cli
from elo_xl.club.ledger import Ledger
from elo_xl.events.files import read_event
from elo_xl.events.players import read_players
from elo_xl.lists import keep, store
from elo_xl.lists.layouts import Entry
from elo_xl.templates.gallery import build, make, options
from elo_xl.templates.opened import old_book
from tests.support.command import invoke, run

pytestmark = pytest.mark.slow

LIST = [
    Entry("11", "Ferrer Ruiz, Ana", "ESP", "WIM", "F", 1999, 2105, 7, 20, 2080, 0, 20),
    Entry("12", "Okafor, Ngozi", "NGR", "WGM", "F", 2001, 2230, 0, 10, 2199, 4, 20, 2150, 3, 20),
    Entry("13", "Li, Bo", "CHN", "", "M", 1990, 1900, 0, 40),
    Entry("14", "Li, Bo", "SGP", "", "M", 1995, 1500, 0, 40),
    Entry("15", "Novak, Eva", "CZE", "", "F", 2004),
]
ANA = {"name": "Ferrer Ruiz, Ana", "birth": 1999, "title": "WIM", "federation": "ESP"}
SWISS = ("new", "swiss", "--rounds", "1", "--people", "people.csv")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(store.FOLDER, str(tmp_path / "lists"))
    monkeypatch.chdir(tmp_path)
    keep.write("fide", "2026-10", LIST)
    return tmp_path


def typed(path: Path, table: str) -> list[dict[str, Any]]:
    """What stands in a table of a file, in the order of its rows; the file has no fault."""
    old = old_book(path.read_bytes())
    assert [] == faults(build(old.template, old.options, old.content))
    content: Any = old.content[table]
    rows = content.values() if isinstance(content, dict) else content
    return [{k: v for k, v in row.items() if v not in (None, "")} for row in rows]


@pytest.mark.parametrize(
    ("template", "size"),
    [("rating-period", ("--rounds", "10")), ("round-robin", ()), ("swiss", ("--rounds", "1"))],
)
def test_a_new_book_has_players_from_a_file_and_ratings_from_the_list(
    template: str, size: tuple[str, ...], folder: Path
) -> None:
    (folder / "people.csv").write_text(
        "Name;ID;Elo\n;11;\nNgozi Okafor;;2100\nLi Bo;14;\nNovak Eva;;1650\nJon Doe;;1700\n"
    )
    words = ("new", template, "--people", "people.csv", "--list", "fide", *size)
    said = run(*words, "-o", "book.xlsx")
    assert "Jon Doe is not found @ fide-2026-10" in said
    assert "4 of 5 players are in fide-2026-10" in said
    ana, ngozi, bo, eva, jon = typed(folder / "book.xlsx", "Players")
    assert ANA | {"rating": 2105, "k": 20, "fide_id": "11"} == ana
    assert ("Ngozi Okafor", 2230, 10, "WGM", "12") == (
        *(ngozi["name"], ngozi["rating"], ngozi["k"], ngozi["title"]),
        ngozi["fide_id"],
    )
    assert ("Li Bo", 1500, "SGP") == (bo["name"], bo["rating"], bo["federation"])
    # unrated in the list: the rating of the file stays
    assert (1650, 2004) == (eva["rating"], eva["birth"])
    assert {"name": "Jon Doe", "rating": 1700} == jon

    run(*words, "--kind", "rapid", "-o", "rapid.xlsx")
    ana, ngozi, bo, *_ = typed(folder / "rapid.xlsx", "Players")
    assert [(2080, None), (2199, None), (1500, 0)] == [
        (one["rating"], one.get("games")) for one in (ana, ngozi, bo)
    ]


def test_without_a_list_everything_is_as_the_file_says(folder: Path) -> None:
    (folder / "people.csv").write_text(
        "Name,Rating,K,Games,Peak,Birth year\nLi Bo,1900,20,50,1950,1990\nLi Bo,,,,,2001\n"
    )
    run(*SWISS, "-o", "book.xlsx", code=0)
    # two of one name are marked by the book, as they have no numbers
    old = old_book((folder / "book.xlsx").read_bytes())
    assert faults(build(old.template, old.options, old.content))
    one: Any = old.content["Players"]
    assert {"name": "Li Bo", "rating": 1900, "k": 20, "games": 50, "peak": 1950, "birth": 1990} == {
        k: v for k, v in dict(one)[1].items() if v is not None
    }


@pytest.mark.parametrize(
    ("text", "rating", "said"),
    [
        ("Name;DWZ\nFerrer, Ana;950 - 12", 950, "the ratings are those of DWZ"),
        ("Name;DWZ;Elo\nFerrer, Ana;950 - 12;1000", 1000, "unknown column 'DWZ' is ignored"),
        ("Name;DWZ-Index\nFerrer, Ana;12", None,
         "'DWZ-Index' is how many events were evaluated, and no rating"),
    ],
)  # fmt: skip
def test_a_national_rating_is_the_rating_where_there_is_no_other(
    text: str, rating: int | None, said: str
) -> None:
    file = read_players(text.encode())
    event = read_event(b"White;Black;Result\nFerrer, Ana;Bo;1", players=f"{text}\nBo;;".encode())
    assert [rating, rating] == [file.entries[0].rating, event.players[0].rating]
    assert [said] == [one.what for one in file.warnings]
    assert said in [one.what for one in event.warnings]


def test_two_of_one_name_have_their_numbers(folder: Path) -> None:
    (folder / "people.csv").write_text("ID\n13\n14\n")
    run(*SWISS, "--list", "fide", "-o", "book.xlsx")
    names = [row["name"] for row in typed(folder / "book.xlsx", "Players")]
    assert ["Li, Bo (13)", "Li, Bo (14)"] == names


def test_room_for_all(folder: Path) -> None:
    (folder / "people.csv").write_text("Name\n" + "".join(f"Player {i}\n" for i in range(30)))
    run(*SWISS, "-o", "book.xlsx")
    assert 30 == len(typed(folder / "book.xlsx", "Players"))
    said = run("new", "swiss", "--people", "people.csv", "--players", "8", "-o", "b.xlsx", code=2)
    assert "--players 8 is no room for 30 players" in said
    said = run("new", "round-robin", "--people", "people.csv", "-o", "round.xlsx")
    (folder / "people.csv").write_text("Name\n" + "".join(f"Player {i}\n" for i in range(31)))
    said = run("new", "round-robin", "--people", "people.csv", "-o", "b.xlsx", code=2)
    assert "round-robin takes 2 to 30 players, got 31" in said
    assert not (folder / "b.xlsx").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("new", "swiss", "--list", "fide"), "--list needs players"),
        (("new", "swiss", "--people", "ids.csv", "--sample"), "exclude each other"),
        (("new", "match-odds", "--people", "ids.csv"), "match-odds has no list of players"),
        (("new", "team-match", "--people", "ids.csv"), "team-match has several lists of players"),
        (("new", "swiss", "--people", "ids.csv"), "player 11 has no name @ ids.csv, line 2"),
        (("new", "swiss", "--people", "ids.csv", "--list", "dwz"), "no rating list 'dwz'"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], message: str, folder: Path) -> None:
    (folder / "ids.csv").write_text("ID\n11\n")
    done = invoke(*words)
    assert done.exit_code
    assert message in f"{done.output}{done.exception}"
    assert ["ids.csv", "lists"] == sorted(path.name for path in folder.iterdir())


def test_a_book_made_anew_or_continued_takes_the_list(folder: Path) -> None:
    content: dict[str, Any] = {
        "List_year": 2026,
        "Players": [
            {"name": "Ana Ferrer Ruiz", "rating": 2000, "birth": 1998, "fide_id": "11"},
            {"name": "X", "fide_id": 12, "rating": 2000, "k": 15},
            {"name": "Jon Doe", "rating": 1700},
        ],
        "Games": [{"white": "Ana Ferrer Ruiz", "black": "X", "result": "1"}],
    }
    (folder / "old.xlsx").write_bytes(
        make("rating-period", options("rating-period", players=4, rounds=10), content)
    )
    for words in (("new", "--from", "old.xlsx"), ("next", "old.xlsx")):
        name = f"{words[0]}.xlsx"
        said = run(*words, "--list", "fide", "-o", name)
        assert "note: Jon Doe is not found @ fide-2026-10" in said
        ana, ngozi, _ = typed(folder / name, "Players")
        assert (2105, 20, 1998, "WIM", "11") == (
            *(ana["rating"], ana["k"], ana["birth"], ana["title"]), ana["fide_id"],
        )  # fmt: skip
        assert ("X", 2230, 10, 2001) == (
            *(ngozi["name"], ngozi["rating"], ngozi["k"]), ngozi["birth"],
        )  # fmt: skip
    run("new", "season", "--players", "2", "--rounds", "2", "-o", "season.xlsx")
    said = run("next", "season.xlsx", "--list", "fide", "-o", "n.xlsx", code=1)
    assert "it was made from season, which takes no typed ratings" in said


@pytest.fixture
def club(folder: Path) -> Path:
    (folder / "members.csv").write_text("Name;ID;Elo\n;11;\nNgozi Okafor;;\nJon Doe;;1700\n")
    size = ("--players", "4", "--rounds", "10")
    run("new", "club", "--people", "members.csv", "--list", "fide", "-o", "club.xlsx", *size)
    return folder / "club.xlsx"


def ratings(path: Path) -> dict[str, list[float | None]]:
    kinds = ("standard", "rapid", "blitz")
    members = Ledger(path.read_bytes()).members
    return {m.name: [m.records[kind].rating for kind in kinds] for m in members}


def test_a_club_begins_with_its_members(club: Path) -> None:
    assert {
        "Ferrer Ruiz, Ana": [2105, 2080, None],
        "Ngozi Okafor": [2230, 2199, 2150],
        "Jon Doe": [1700, None, None],
    } == ratings(club)
    first = Ledger(club.read_bytes()).members[0]
    assert ("11", 1999, "WIM", "ESP") == (first.id, first.birth, first.title, first.federation)


def test_a_club_takes_over_the_ratings_of_the_next_list(club: Path, folder: Path) -> None:
    before = club.read_bytes()
    assert "Nothing differs from fide-2026-10" in run("list", "update", club)
    assert before == club.read_bytes()
    assert [] == list(folder.glob("club (*"))

    ana = LIST[0]._replace(rating=2120, blitz=1990, title="WGM")
    keep.write("fide", "2026-11", [ana, LIST[1]._replace(rapid=None), *LIST[2:]])
    said = run("list", "update", club, "--dry-run")
    assert before == club.read_bytes()
    done = run("list", "update", club)
    for text in (said, done):
        words = " ".join(text.split())
        assert "Ferrer Ruiz, Ana standard 2105 2120 +15" in words
        assert "Ferrer Ruiz, Ana blitz 1990 new" in words
        assert "Ferrer Ruiz, Ana: title WGM" in words
        assert "Ngozi" not in words
        assert "note: Jon Doe is not found @ fide-2026-11" in words
    assert {
        "Ferrer Ruiz, Ana": [2120, 2080, 1990],
        "Ngozi Okafor": [2230, 2199, 2150],
        "Jon Doe": [1700, None, None],
    } == ratings(club)
    book = Ledger(club.read_bytes())
    history = [(str(line.day), line.kind, line.rating, line.change) for line in book.history()]
    assert [("2026-11-01", "standard", 2120, 15), ("2026-11-01", "blitz", 1990, None)] == history
    book.check()
    record = book.members[0].records["standard"]
    assert (2120, 2120) == (record.rating, record.peak)

    assert "is older than the last ratings" in run(
        "list", "update", club, "--list", "fide-2026-10", code=1
    )
    run("undo", club)
    assert before == club.read_bytes()


def members_file(path: Path, *members: dict[str, Any]) -> Path:
    path.write_bytes(
        make("club", options("club", players=4, rounds=10), {"Members": list(members)})
    )
    return path


def test_an_id_is_never_written_to_two_members(folder: Path) -> None:
    """One person in two scripts: the other line takes nothing, and the book stays sound."""
    keep.write("fide", "2026-10", [Entry("16", "Demin, Egor", birth=1980, rating=1900)])
    egor: dict[str, Any] = {"name": "Дёмин, Егор", "id": "16", "birth": 1980, "standard": 1880}
    again = {"name": "Demin, Egor", "standard": 1850}
    book = members_file(folder / "club.xlsx", egor, again)
    said = " ".join(run("list", "update", book).split())
    assert (
        "Demin, Egor and Дёмин, Егор, who has the number 16, may be one person, 16 Demin, Egor; "
        "nothing is used for Demin, Egor: if they are, put x in Left for one of them"
    ) in said
    assert {"Дёмин, Егор": [1900, None, None], "Demin, Egor": [1850, None, None]} == ratings(book)
    ledger = Ledger(book.read_bytes())
    ledger.check()
    assert ["16", ""] == [member.id for member in ledger.members]

    # neither has the number; whoever has left does not stand in the way
    book = members_file(folder / "two.xlsx", egor | {"id": None}, again | {"name": "Egor Demin"})
    assert "may be one person" in run("list", "update", book, "--dry-run")
    members_file(book, {"name": "Egor Demin", "out": "x"}, again)
    run("list", "update", book)
    assert ["", "16"] == [member.id for member in Ledger(book.read_bytes()).members]

    # a name that is not sure is told of the one who has the number, too
    book = members_file(folder / "initial.xlsx", egor, again | {"name": "Demin E."})
    assert "Demin E. and Дёмин, Егор, who has the number 16, may be one" in run(
        "list", "update", book
    )
    book = members_file(folder / "initial.xlsx", again | {"name": "Demin E."})
    assert "16 Demin, Egor may be meant: give the number" in run("list", "update", book)

    (folder / "people.csv").write_text("Name;ID\nDemin, Egor;\nЕ. Дёмин;16\n", "utf-8")
    said = run(*SWISS, "--list", "fide", "-o", "swiss.xlsx")
    assert "may be one person" in said
    assert [None, "16"] == [row.get("fide_id") for row in typed(folder / "swiss.xlsx", "Players")]


def test_a_number_of_another_federation_takes_nothing(folder: Path) -> None:
    keep.write("dwz", "2026-10", [Entry("16", "Schmidt, Anna", birth=1950, rating=1200)])
    berta: dict[str, Any] = {"name": "Adamczyk, Berta", "id": "16", "birth": 1980, "standard": 1900}
    cases: list[tuple[dict[str, Any], str, float]] = [
        ({}, "has the number 16, of Schmidt, Anna, born 1950, not 1980: is it another fed", 1900),
        ({"birth": 1950}, "Adamczyk, Berta has the number 16, of Schmidt, Anna @ dwz", 1200),
        ({"name": "Anna Schmidt"}, "Anna Schmidt is born 1980 here, 1950 in the list @ dwz", 1200),
        ({"name": "A. Schmidt", "birth": 1950}, "", 1200),
        ({"name": "Шмидт, Анна", "birth": 1950}, "", 1200),
    ]
    for other, note, rating in cases:
        member = berta | other
        book = members_file(folder / "club.xlsx", member)
        said = run("list", "update", book, "--list", "dwz")
        assert note in said
        assert bool(note) == ("note: " + member["name"] in said)
        assert rating == ratings(book)[member["name"]][0]
    (folder / "games.csv").write_text("White,Black,Result\nAdamczyk Berta,Li Bo,1\n")
    (folder / "players.csv").write_text(
        "Name,ID,Elo,Birth year\nAdamczyk Berta,16,1900,1980\nLi Bo,,1800,\n"
    )
    words = ("--list", "dwz", "--dry-run")
    assert "is it another federation's? Nothing is taken @ dwz" in run("rate", "games.csv", *words)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (Entry("16", "Gruber, Hanna", "AUT", birth=1981), "is born 1981 there, 1980 here"),
        (Entry("16", "Gruber, Hanna", "GER", birth=1980), "is of GER there, AUT here"),
        (Entry("16", "Gruber, Hanna"), "16 Gruber, Hanna has no federation there, AUT here"),
        (Entry("16", "Gruber, H."), "Gruber, H. has no federation there"),
        (Entry("16", "Gruber, Franz", "AUT"), "Gruber, Hanna is not found @ fide"),
    ],
)  # fmt: skip
def test_why_somebody_is_not_found(entry: Entry, why: str, folder: Path) -> None:
    keep.write("fide", "2026-10", [entry._replace(rating=1700)])
    hanna = {"name": "Gruber, Hanna", "birth": 1980, "federation": "AUT"}
    said = run("list", "update", members_file(folder / "club.xlsx", hanna))
    assert "note: Gruber, Hanna is not found" in said
    assert why in said


def test_a_text_of_a_list_never_becomes_a_formula(club: Path) -> None:
    keep.write("fide", "2026-11", [LIST[0]._replace(title="=1+1", rating=2200)])
    run("list", "update", club)
    cells = [cell for row in openpyxl.load_workbook(club)["Members"] for cell in row]
    (title,) = (cell for cell in cells if cell.value == "=1+1")
    assert "s" == title.data_type


@pytest.mark.parametrize(
    "words", [("rate", "a.trf"), ("new", "swiss"), ("next", "a.xlsx"), ("list", "update", "b.xlsx")]
)
def test_shells_complete_lists(words: tuple[str, ...]) -> None:
    shell = BashComplete(cli, {}, "elo-xl", "_ELO_XL_COMPLETE")
    found = shell.get_completions([*words, "--list"], "fi")
    assert ["fide", "fide-2026-10"] == [item.value for item in found]
