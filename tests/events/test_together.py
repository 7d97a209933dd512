"""Several events rated as one period: beside the worksheet function for a period and the closing of
a club's book; files that cannot be read, events that are there twice, people without numbers."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import elo_xl
from elo_xl.club.ledger import Ledger
from elo_xl.events.files import read_event
from elo_xl.events.merging import EventFile, pointless, rate_together
from elo_xl.languages import CODES
from elo_xl.lists import keep, store
from elo_xl.lists.layouts import Entry
from elo_xl.questions.rate.together import rated_period_book, write_rated_period
from elo_xl.templates.gallery import make, options
from tests.support.command import invoke
from tests.support.events import tournament
from tests.support.levels import cases
from tests.support.lint import problems
from tests.support.trf_lines import player, trf

LIST = [
    Entry("11", "Ferrer Ruiz, Ana", "ESP", "", "F", 1999, 2105, 7, 20, 2080, 0, 20),
    Entry("12", "Okafor, Ngozi", "NGR", "WGM", "F", 2001, 2230, 0, 10, 2199, 4, 20),
    Entry("13", "Li, Bo", "CHN", "", "M", 1990, 1900, 0, 40),
    Entry("14", "Oduya, Ben", "IRL", "", "M", 1985, 1750, 0, 20),
    Entry("15", "Novak, Eva", "CZE", "", "F", 2004),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(store.FOLDER, str(tmp_path / "lists"))
    monkeypatch.chdir(tmp_path)
    keep.write("fide", "2026-10", LIST)
    place = tmp_path / "events"
    place.mkdir()
    return place


def run(*words: object, code: int = 0) -> tuple[str, str]:
    """What a command prints, and its messages."""
    done = invoke(*words)
    shown = done.exception if not isinstance(done.exception, SystemExit | None) else ""
    assert code == done.exit_code, f"{done.output}{shown}"
    return done.stdout, f"{done.stderr}{shown}"


def entered(*numbers: int) -> list[Entry]:
    return [LIST[number - 11] for number in numbers]


def event(*games: tuple[int, int, str], start: str = "2026/10/03", tempo: str = "") -> bytes:
    """A report of games between players of the list, one a round, by their numbers."""
    field = list(dict.fromkeys(n for a, b, _ in games for n in (a, b)))
    own: dict[int, list[str]] = {n: [] for n in field}
    for a, b, result in games:
        other = {"1": "0", "0": "1", "=": "="}[result]
        for n in field:
            own[n].append("")
        own[a][-1] = f"{field.index(b) + 1} w {result}"
        own[b][-1] = f"{field.index(a) + 1} b {other}"
    points = {"1": 1.0, "=": 0.5, "0": 0.0}
    lines = [
        player(
            i, *own[n], name=LIST[n - 11].name, rating=1234 if n < 15 else "", id=n, federation="",
            points=sum(points[cell[-1]] for cell in own[n] if cell), birth="",
        )
        for i, n in enumerate(field, start=1)
    ]  # fmt: skip
    return trf(*lines, *([f"122 {tempo}"] if tempo else []), start=start)


def sheet(path: Path, title: str) -> list[dict[str, Any]]:
    """The lines of a table by its headings."""
    cells = [list(row) for row in openpyxl.load_workbook(path)[title].iter_rows(values_only=True)]
    top = next(i for i, row in enumerate(cells) if row[0] == "No.")
    heads = [str(head) for head in cells[top]]
    return [dict(zip(heads, row, strict=True)) for row in cells[top + 1 :]]


@pytest.mark.slow
def test_all_games_of_a_player_are_one_period(folder: Path, tmp_path: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "a.trf").write_bytes(event((11, 12, "1"), (11, 13, "="), (13, 12, "1")))
    (folder / "sub" / "b.csv").write_text(
        "White,Black,Result,Date\n"
        "Li Bo,Ana Ferrer Ruiz,1,2026-10-10\nBen Oduya,Bo Li,½,2026-10-10\n"
    )
    out, _ = run("rate", folder, "--list", "fide", "-o", "preview.xlsx", "--rules", "fide-2025-10")
    assert "Standard: 2 events, 5 games, 4 rated players, 0 first ratings" in out

    ratings = {"11": 2105, "12": 2230, "13": 1900, "14": 1750}
    ks = {"11": 20, "12": 10, "13": 40, "14": 20}
    games = [
        ("11", "12", 1), ("11", "13", 0.5), ("13", "12", 1), ("13", "11", 1), ("14", "13", 0.5),
    ]  # fmt: skip
    table: Any = elo_xl.worksheet(
        "ELO_PERIOD",
        [[f"p{n}", rating, ks[n]] for n, rating in ratings.items()],
        [[f"p{a}", f"p{b}", score] for a, b, score in games],
        "fide-2025-10",
    )
    expected = {row[0][1:]: row for row in table}
    found = {row["ID"]: row for row in sheet(tmp_path / "preview.xlsx", "Standard")}
    assert ratings == {id: row["Rating before"] for id, row in found.items()}
    assert ks == {id: row["K"] for id, row in found.items()}
    assert {"from the rating list"} == {row["Why"] for row in found.values()}
    for id, (_, _, _, count, _, _, change, new, _) in expected.items():
        assert (count, new) == (found[id]["Rated games"], found[id]["New rating"])
        assert change == pytest.approx(found[id]["Change"])
    events = sheet(tmp_path / "preview.xlsx", "Events")
    assert [("a.trf", "rated", 3), ("sub/b.csv", "rated", 2)] == [
        (row["File"], row["Rated, or why not"], row["Games"]) for row in events
    ]
    assert len(games) == len(sheet(tmp_path / "preview.xlsx", "Games"))
    assert [] == problems(tmp_path / "preview.xlsx")


@pytest.mark.slow
def test_the_same_as_the_closing_of_a_club_s_book(folder: Path, tmp_path: Path) -> None:
    """Random events with newcomers: each kind of play as `elo-xl close` rates it."""
    chance = random.Random(7)
    people = [
        Entry(str(100 + i), f"Player{i:02d}, Given{i:02d}", "IRL", birth=1980, games=100,
              rating=None if i % 6 == 5 else 1500 + 41 * i)
        for i in range(24)
    ]  # fmt: skip
    keep.write("club", "2026-10", people)
    content = {
        "Members": [
            {"name": p.name, "id": p.id, "birth": p.birth, "standard": p.rating,
             "standard_games": 100 if p.rating else None, "standard_peak": p.rating}
            for p in people
        ]
    }  # fmt: skip
    book = tmp_path / "club.xlsx"
    book.write_bytes(make("club", options("club", players=30, rounds=120), content))
    for number, tempo in enumerate(("", "15+10", "")):
        field = chance.sample(people, 12)
        cells: list[list[str]] = [[] for _ in field]
        for _ in range(5):
            order = list(range(12))
            chance.shuffle(order)
            for a, b in zip(order[::2], order[1::2], strict=True):
                result = chance.choice(("10", "01", "=="))
                cells[a].append(f"{b + 1} w {result[0]}")
                cells[b].append(f"{a + 1} b {result[1]}")
        value = {"1": 1.0, "=": 0.5, "0": 0.0}
        lines = [
            player(i, *own, name=p.name, rating=p.rating or "", id=p.id, birth="",
                   points=sum(value[cell[-1]] for cell in own))
            for i, (p, own) in enumerate(zip(field, cells, strict=True), start=1)
        ]  # fmt: skip
        path = folder / f"{number}.trf"
        path.write_bytes(
            trf(*lines, *([f"122 {tempo}"] if tempo else []), start=f"2026/10/{number + 3:02}")
        )
        run("add", book, path, "--name", f"Event {number}")
    # the list has neither K nor highest ratings, as both would be K 40 or 10 by themselves
    players = tmp_path / "facts.csv"
    players.write_text(
        "id;games;peak;birth year\n"
        + "".join(f"{p.id};100;{p.rating};1980\n" for p in people if p.rating)
    )
    run("rate", folder, "--list", "club", "--players", players, "-o", "preview.xlsx")
    run("close", book, "--date", "2026-11-01")
    ledger = Ledger(book.read_bytes())
    for kind in ("standard", "rapid"):
        rows = sheet(tmp_path / "preview.xlsx", kind.capitalize())
        assert rows
        found = {row["ID"]: row["New rating"] for row in rows}
        members = {member.id: member.records[kind].rating for member in ledger.members}
        played = {id: members[id] for id in found}
        assert played == found


@pytest.mark.slow
def test_a_file_that_cannot_be_read_does_not_stop_the_others(folder: Path, tmp_path: Path) -> None:
    (folder / "good.trf").write_bytes(event((11, 12, "1")))
    (folder / "bad.trf").write_bytes(b"001 broken\n")
    (folder / "bad.csv").write_text("White,Black,Result\nAna Ferrer Ruiz,Ngozi Okafor,7\n")
    (folder / "damaged.xlsx").write_bytes(b"PK\x03\x04 no archive")
    (folder / "notes.pdf").write_bytes(b"%PDF")
    (folder / ".hidden.trf").write_bytes(b"x")
    (folder / "~$good.xlsx").write_bytes(b"x")
    out, messages = run("rate", folder, "--list", "fide", "-o", "preview.xlsx", code=1)
    assert "1 event, 1 game, 2 rated players" in out
    assert "3 of 4 files not rated" in messages
    assert "left out, as no event: notes.pdf" in messages
    assert "@ bad.csv, line 2" in messages
    assert "@ bad.trf, line 1" in messages
    states = {row["File"]: row for row in sheet(tmp_path / "preview.xlsx", "Events")}
    assert ["bad.csv", "bad.trf", "damaged.xlsx", "good.trf"] == list(states)
    assert "rated" == states["good.trf"]["Rated, or why not"]
    assert "'7'" in states["bad.csv"]["Rated, or why not"]
    assert 2 == len(sheet(tmp_path / "preview.xlsx", "Standard"))
    # a date needs ten digits, and a long reason several lines
    written = openpyxl.load_workbook(tmp_path / "preview.xlsx")["Events"]
    headings = {str(cell.value): cell for row in written for cell in row if cell.value}
    for heading in ("Date", "Last day"):
        assert written.column_dimensions[headings[heading].column_letter].width > 10
    why = headings[states["bad.csv"]["Rated, or why not"]]
    assert why.alignment.wrap_text
    assert written.row_dimensions[why.row].height > 20
    # nobody is rated: nothing is written
    (folder / "good.trf").unlink()
    _, messages = run("rate", folder, "--list", "fide", "-o", "none.xlsx", code=1)
    assert "3 of 3 files not rated" in messages
    assert not (tmp_path / "none.xlsx").exists()


def test_an_event_in_two_files_counts_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [(11, 12, "1"), (13, 14, "="), (11, 13, "0"), (12, 14, "1")]
    (folder / "final.trf").write_bytes(event(*games))
    (folder / "after-three.trf").write_bytes(event(*games[:3]))
    (folder / "next-month.trf").write_bytes(event(*games, start="2026/11/03"))
    (folder / "final.csv").write_text(
        "White,Black,Result,Date\n"
        "Ana Ferrer Ruiz,Ngozi Okafor,1,2026-10-03\nBo Li,Ben Oduya,½,2026-10-03\n"
        "Ana Ferrer Ruiz,Bo Li,0,2026-10-03\nNgozi Okafor,Ben Oduya,1,2026-10-03\n"
    )
    monkeypatch.chdir(folder)
    out, messages = run("rate", ".", "--list", "fide", "--dry-run", code=1)
    assert "2 events, 8 games" in out
    assert "same event as final.csv, which has all its games, too @ final.trf" in messages
    assert "same event as final.csv, which has all its games, too @ after-three.trf" in messages


@pytest.mark.slow
def test_a_first_rating_says_its_games_and_rules(folder: Path, tmp_path: Path) -> None:
    games = ((15, 11, "1"), (15, 12, "="), (15, 13, "1"), (15, 14, "1"), (11, 15, "1"))
    (folder / "a.trf").write_bytes(event(*games))
    run("rate", folder, "--list", "fide", "-o", "preview.xlsx")
    why = {row["ID"]: row["Why"] for row in sheet(tmp_path / "preview.xlsx", "Standard")}
    assert "first rating (fide-2025-10); games that count: 5" == why["15"]
    [note] = [row["Note"] for row in sheet(tmp_path / "preview.xlsx", "Notes")]
    assert note.startswith("standard: First ratings (fide-2025-10). Average of the opponents'")


@pytest.mark.slow
def test_kinds_of_play_and_rules(folder: Path, tmp_path: Path) -> None:
    (folder / "standard.trf").write_bytes(event((11, 12, "1"), (13, 14, "=")))
    (folder / "rapid.trf").write_bytes(event((11, 12, "0"), (13, 14, "1"), tempo="15+10"))
    (folder / "old.trf").write_bytes(event((11, 13, "1"), start="2020/10/03"))
    _, messages = run("rate", folder, "--list", "fide", "-o", "preview.xlsx", code=1)
    assert "it comes under fide-20" in messages
    assert "and the other standard events under fide-2025-10" in messages
    rapid = {row["ID"]: row["Rating before"] for row in sheet(tmp_path / "preview.xlsx", "Rapid")}
    # whoever has no rapid rating begins with the standard one
    assert {"11": 2080, "12": 2199, "13": 1900, "14": 1750} == rapid
    out, _ = run("rate", folder, "--list", "fide", "--rules", "fide", "--dry-run")
    assert "Standard: 2 events, 3 games" in out
    assert "Rapid: 1 event, 2 games" in out


def test_kind_of_files_that_do_not_tell_it(folder: Path) -> None:
    (folder / "a.trf").write_bytes(event((11, 12, "1")))
    for words in ((folder,), (folder / "a.trf",), (folder / "a.trf", folder / "a.trf")):
        out, _ = run("rate", *words, "--list", "fide", "--kind", "rapid", "--dry-run", "--json")
        done = json.loads(out)
        done = done["rated"]["rapid"] if "rated" in done else done
        assert ("fide-rapid", {2080, 2199}) == (
            done["rules"], {line["rating"] for line in done["players"]}
        )  # fmt: skip


def test_people_without_numbers(folder: Path) -> None:
    (folder / "a.csv").write_text(
        "White,White Elo,White ID,Black,Black Elo,Result,Date\n"
        "Eva Meier,1800,77,Jon Doe,1700,1,2026-10-01\n"
    )
    (folder / "b.csv").write_text(
        "White,White Elo,Black,Black Elo,Result,Date\nMeier Eva,1810,Jon Doe,1700,1,2026-10-08\n"
    )
    out, _ = run("rate", folder, "--dry-run", "--json")
    done = json.loads(out)
    eva, jon = sorted(done["rated"]["standard"]["players"], key=lambda one: -one["rating"])
    assert ("77", 1800, 2) == (eva["id"], eva["rating"], eva["period_games"])
    assert (1700, 2) == (jon["rating"], jon["period_games"])
    assert ["rating of Eva Meier: 1800 (a.csv) counts, not 1810 @ b.csv"] == [
        note for note in done["notes"] if "rating of" in note
    ]


def test_a_number_of_somebody_else_is_told(folder: Path) -> None:
    (folder / "a.trf").write_bytes(event((11, 12, "1")).replace(b"Okafor, Ngozi", b"Smith, John  "))
    _, messages = run("rate", folder, "--list", "fide", "--dry-run")
    assert "Smith, John has the number 12, of Okafor, Ngozi @ fide-2026-10; a.trf" in messages


def test_a_number_of_another_federation_takes_nothing(folder: Path) -> None:
    lines = event((12, 11, "1")).replace(b"Okafor, Ngozi", b"Smith, John  ").splitlines()
    own = [i for i, line in enumerate(lines) if b"Smith" in line]
    lines[own[0]] = lines[own[0]][:69] + b"1960/00/00" + lines[own[0]][79:]
    (folder / "a.trf").write_bytes(b"\n".join(lines))
    (folder / "b.trf").write_bytes(event((12, 11, "1"), start="2026/10/09"))
    done = json.loads(run("rate", folder, "--list", "fide", "--dry-run", "--json")[0])
    players = done["rated"]["standard"]["players"]
    assert {"Smith, John": 1234, "Okafor, Ngozi": 2230, "Ferrer Ruiz, Ana": 2105} == {
        one["name"]: one["rating"] for one in players
    }
    said = (
        "Smith, John has the number 12, of Okafor, Ngozi, born 2001, not 1960: is it another "
        "federation's? Nothing is taken @ fide-2026-10; a.trf"
    )
    assert [said] == [note for note in done["notes"] if "Smith" in note and "number 12" in note]


def test_whoever_another_file_tells_of_is_found(folder: Path) -> None:
    (folder / "a.csv").write_text(
        "White,White ID,Black,Black ID,Result,Date\n"
        "Li Bo,13,Ben Oduya,14,1,2026-10-08\nRuiz Ana,11,Ben Oduya,14,1,2026-10-08\n"
    )
    (folder / "period.csv").write_text(
        "White,Black,Result,Date\nAna Ruiz,Bo Li,1,2026-10-09\nJon Doe,Bo Li,1,2026-10-09\n"
    )
    done = json.loads(run("rate", folder, "--list", "fide", "--dry-run", "--json")[0])
    assert ["Jon Doe is not found @ fide-2026-10; period.csv"] == [
        note for note in done["notes"] if "not found" in note
    ]
    (ana,) = (one for one in done["rated"]["standard"]["players"] if one["id"] == "11")
    assert (2105, 2) == (ana["rating"], ana["period_games"])


def test_one_person_twice_in_an_event(folder: Path) -> None:
    (folder / "a.trf").write_bytes(event((11, 12, "1")))
    (folder / "b.csv").write_text(
        "White,White ID,Black,Black ID,Result,Date\n"
        "Ana Ferrer Ruiz,11,Ngozi Okafor,12,1,2026-10-08\n"
        "Ana Ruiz,0011,Bo Li,13,1,2026-10-08\n"
    )
    _, messages = run("rate", folder, "--list", "fide", "--dry-run", code=1)
    assert "are the same player, with the number 11 @ b.csv" in messages


def test_newcomers_whose_first_event_has_no_point() -> None:
    assert {("a", 1), ("b", 1)} == pointless([("a", 1, 0.0), ("b", 1, 0.0), ("a", 2, 0.5)])
    won = [(15, n, "1") for n in (11, 12, 13, 14)] + [(15, 11, "=")]
    lost = [(15, n, "0") for n in (11, 12, 13, 14)]
    early, late = (
        EventFile(name, read_event(event(*games, start=start)))
        for name, games, start in (("b", won, "2026/10/09"), ("a", lost, "2026/10/02"))
    )
    period = rate_together([early, late], listed="fide")
    (eva,) = period.rated["standard"].new_players
    assert ("15", 5, 4.5) == (eva.player.id, len(eva.opponents), eva.score)
    assert eva.rating is not None


@pytest.mark.slow
@pytest.mark.parametrize("language", cases(CODES, test=("en", "ru")))
def test_names_stay_text(language: str, tmp_path: Path) -> None:
    files = [EventFile(f"={name}", tournament(seed=seed)) for seed, name in enumerate("ab")]
    files.append(EventFile("+c.csv"))
    files[2].refuse("=1+1")
    period = rate_together([replace(file) for file in files])
    write_rated_period(period, tmp_path / "preview.xlsx", "", language)
    assert [] == problems(tmp_path / "preview.xlsx")
    kinds = {
        cell.data_type
        for own in openpyxl.load_workbook(tmp_path / "preview.xlsx")
        for row in own
        for cell in row
    }
    assert kinds <= {"n", "s", "d"}
    book = rated_period_book(period, "", language)
    same = rated_period_book(period, "", language)
    assert book.file(date(2026, 1, 1)) == same.file(date(2026, 1, 1))


def test_what_is_refused_before_anything_is_read(folder: Path, tmp_path: Path) -> None:
    (folder / "a.trf").write_bytes(event((11, 12, "1")))
    (tmp_path / "empty").mkdir()
    assert "there is no event in" in run("rate", "empty", "--list", "fide", code=1)[1]
    assert "no rating list 'dwz'" in run("rate", folder, "--list", "dwz", code=1)[1]
    assert "for one file" in run("rate", folder, "--event", "x", code=2)[1]
    (tmp_path / "there.xlsx").write_bytes(b"mine")
    assert "--force" in run("rate", folder, "--list", "fide", "-o", "there.xlsx", code=2)[1]
    assert b"mine" == (tmp_path / "there.xlsx").read_bytes()


@pytest.mark.slow
def test_workbooks_of_rated_events_are_no_events(folder: Path, tmp_path: Path) -> None:
    (folder / "a.trf").write_bytes(event((11, 12, "1")))
    run("rate", folder / "a.trf", "--list", "fide", "-o", folder / "a-rated.xlsx")
    run("rate", folder, "--list", "fide", "-o", folder / "preview.xlsx")
    shutil.copy(folder / "preview.xlsx", folder / "yesterday.xlsx")
    out, messages = run("rate", folder, "--list", "fide", "--dry-run")
    assert "1 event, 1 game" in out
    # strict: what is assumed is refused
    _, messages = run("rate", folder, "--rules", "fide-2025-10", "--strict", "--dry-run", code=1)
    assert "is unknown" in messages
