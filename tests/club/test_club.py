"""The book of a club: events put in and rated by the commands; what is refused; and steps taken
back to the very bytes. ``tests/club/test_club_year.py`` goes through two years."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.styles import Font
from openpyxl.utils.datetime import to_excel

from elo_xl.club.closing import rate_period, record_after
from elo_xl.club.ledger import ClubEvent, ClubGame, Ledger, Member, Record
from elo_xl.club.steps import step
from elo_xl.languages import CODES
from elo_xl.templates.gallery import make, options
from elo_xl.xlsx.edit import edited
from elo_xl.xlsx.in_place import read_parts, with_parts
from tests.support.calc import Calc
from tests.support.clubs import FOUR, club, games_file, rows, typed
from tests.support.command import run_in_a_line as run
from tests.support.levels import amount, cases
from tests.support.template_books import problems

pytestmark = pytest.mark.slow

CELL = re.compile(rb"<c\b[^>]*?(?:/>|>.*?</c>)", re.DOTALL)


def test_values_of_a_small_period(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR)
    file = games_file(tmp_path, "Aubert, Ada;Blanco, Bo;1-0", "COSTA CY;Duarte, Di;1-0")
    text = run("add", book, file, "--name", "Cup", "--date", "2026-03-01")
    assert "Cup (2026-03-01, standard, fide-2025-10): 2 games, 4 players" in text
    shown = run("close", book, "--date", "2026-04-01", "--dry-run")
    assert "Aubert, Ada standard 1800 1807 +7 1" in shown  # 20 × (1 − 0.64)
    assert "a first event without a point is disregarded" in shown
    assert [None] * 2 == [row["Closed"] for row in rows(book, "Events")] + [None]
    assert "Before it was: club (" in run("close", book, "--date", "2026-04-01")
    new = {row["Name"]: row for row in rows(book, "Members")}
    assert [1807, 1693, 1650, None] == [new[m["name"]]["Standard"] for m in FOUR]
    assert [51, 51, 50, None] == [new[m["name"]]["Games, standard"] for m in FOUR]
    assert [None] * 4 == [new[m["name"]]["Highest, standard"] for m in FOUR]
    assert [("Aubert, Ada", 1807, 7), ("Blanco, Bo", 1693, -7)] == [
        (row["Name"], row["Rating"], row["Change"]) for row in rows(book, "Rating history")
    ]
    assert [(1800, 1700), (1650, None)] == [
        (row["Rating of White"], row["Rating of Black"]) for row in rows(book, "Rated games")
    ]
    first = openpyxl.load_workbook(book)["Start here"]
    assert datetime(2026, 4, 1) in [cell.value for row in first.iter_rows() for cell in row]


def number(value: object) -> object:
    """A date as a cell without a date's format shows it."""
    return to_excel(value) if isinstance(value, datetime) else value


def test_a_written_book_is_sound_and_shows_what_its_formulas_give(
    tmp_path: Path, calc: Calc
) -> None:
    book = club(tmp_path / "club.xlsx", FOUR)
    file = games_file(tmp_path, "Costa, Cy;Aubert, Ada;1-0")
    run("add", book, file, "--name", "Cup", "--date", "2026-03-01")
    added = book.read_bytes()
    run("close", book, "--date", "2026-04-01")
    closed = book.read_bytes()
    assert [] == problems(added) + problems(closed)
    computed = calc.recalculate_all({"added": added, "closed": closed})
    for name, content in (("added", added), ("closed", closed)):
        stored = openpyxl.load_workbook(io.BytesIO(content), data_only=True)
        assert {
            (sheet.title, cell.coordinate): number(cell.value)
            for sheet in stored.worksheets
            for row in sheet.iter_rows()
            for cell in row
            if cell.value not in (None, "")
        } == {
            (title, at): number(value)
            for title, cells in computed[name].items()
            for at, value in cells.items()
            if value != ""
        }
    shown = computed["closed"]["Rating list"]
    assert {"Rating list as of 1 April 2026", "Aubert, Ada", 1786, 1664} <= set(shown.values())


def test_what_looks_like_a_formula_stays_a_text_in_every_step(tmp_path: Path) -> None:
    """``=HYPERLINK(…)`` as a name is text; edited in its cell it would become a formula."""
    four = [dict(member, name=f"{sign}{member['name']}")
            for sign, member in zip("=+@＝", FOUR, strict=True)]  # fmt: skip
    book = club(tmp_path / "club.xlsx", four)
    file = games_file(tmp_path, "=Aubert, Ada;+Blanco, Bo;1-0", "@Costa, Cy;-New;1-0")
    steps: tuple[tuple[object, ...], ...] = (
        ("add", book, file, "--name", "=HYPERLINK(0)", "--date", "2026-03-01"),
        ("close", book, "--date", "2026-04-01"),
        ("correct", book),
        ("add", book, file, "--name", "@Later", "--date", "2026-05-01"),
        ("undo", book),
        ("addin", "native", book, "-o", book),
    )
    for words in steps[: amount(2, len(steps))]:
        run(*words)
        texts = [
            cell
            for sheet in openpyxl.load_workbook(book).worksheets
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "s" and str(cell.value).startswith(tuple("=+-@＝"))
        ]
        assert len(texts) > 6
        assert [] == [cell for cell in texts if not cell.quotePrefix], words


def test_everything_else_in_the_book_stays_byte_for_byte(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR)
    before = with_parts(book.read_bytes(), {"xl/media/photo.png": b"\x89PNG", "custom/x": b"?"})
    book.write_bytes(before)
    run("add", book, games_file(tmp_path, "Aubert, Ada;Blanco, Bo;1-0"), "--name", "=Cup", "--date",
        "2026-03-01")  # fmt: skip
    old, new = read_parts(before), read_parts(book.read_bytes())
    assert list(old) == list(new)
    sheets = openpyxl.load_workbook(book)
    changed = {name for name in old if old[name] != new[name]}
    at = {title: f"xl/worksheets/sheet{i}.xml" for i, title in enumerate(sheets.sheetnames, 1)}
    texts = "xl/sharedStrings.xml"
    assert changed - set(at.values()) == {"docProps/custom.xml", "xl/styles.xml", texts}
    assert not any(b"inlineStr" in new[name] for name in at.values())
    # the texts and styles that were there stay, and keep their numbers
    assert old[texts].partition(b"<si>")[2].removesuffix(b"</sst>") in new[texts]
    assert (
        old["xl/styles.xml"].partition(b"</cellXfs>")[0].partition(b"<cellXfs ")[2][12:]
        in (new["xl/styles.xml"])
    )
    for title, name in at.items():
        before_, after = CELL.findall(old[name]), CELL.findall(new[name])
        assert CELL.sub(b"", old[name]) == CELL.sub(b"", new[name])
        pairs = [two for two in zip(before_, after, strict=True) if two[0] != two[1]]
        typed = [new_ for _, new_ in pairs if b"<f>" not in new_]
        assert {"Events": 6, "Results": 5}.get(title, 0) == len(typed)
    assert "=Cup" == rows(book, "Events")[0]["Event"]
    assert [before] == [path.read_bytes() for path in tmp_path.glob("club (*).xlsx")]


@pytest.mark.parametrize("language", cases(CODES[1:], test=("ru",)))
def test_books_in_other_languages_and_with_moved_columns(tmp_path: Path, language: str) -> None:
    book = club(tmp_path / "club.xlsx", FOUR, language=language)
    workbook = openpyxl.load_workbook(book)
    workbook.worksheets[1].title = "X"
    workbook.save(book)
    run("add", book, games_file(tmp_path, "Aubert, Ada;Costa, Cy;1-0"), "--name", "Cup", "--date",
        "2026-03-01", "--kind", "blitz")  # fmt: skip
    text = run("close", book, "--date", "2026-04-01")
    assert "Costa, Cy blitz 1500 1480 -20 1" not in text
    assert "blitz" in text
    # Ada has no rating in blitz: she begins with the standard one
    assert "Aubert, Ada blitz 1800" in text


def test_a_standard_rating_of_2400_decides_k_in_blitz_in_every_month() -> None:
    """It counts as a highest rating, also when the first rating of blitz is lower."""
    members = {
        name: Member(row, name, records={"standard": Record(rating, 90, rating), "blitz": Record()})
        for row, (name, rating) in enumerate({"aa": 2402, "bb": 2390}.items())
    }
    reasons = []
    for month in (1, 2):
        event = ClubEvent(month, str(month), date(2026, month, 5), "blitz", "", None)
        game = ClubGame(month, event.name, 0, "aa", "bb", 0, (0, 1))
        done = rate_period(date(2026, month + 1, 1), [(event, game)], members, [])
        for line in done.lines:
            assert line.new is not None
            records = line.member.records | {
                "blitz": record_after(line.before, line.new, line.games, line.old)
            }
            members[line.name] = replace(line.member, records=records)
        reasons.append([line.why for line in done.lines if line.name == "aa"])
    assert reasons == 2 * [["has reached 2400"]]
    assert members["aa"].records["blitz"].peak == 2402


def test_only_members_are_rated_with_the_games_of_earlier_periods() -> None:
    """Ra = (1800 + 1700 + 1800 + 1700 + 1650 + 2 × 1800) / 7 = 1750, 4½ of 7 give 102 points."""
    ratings = {"aa": 1800, "bb": 1700, "cc": 1650, "dd": None}
    members = {
        name: Member(row, name, records={"standard": Record(rating)})
        for row, (name, rating) in enumerate(ratings.items())
    }

    def games(row: int, month: int, **scores: float) -> list[tuple[ClubEvent, ClubGame]]:
        event = ClubEvent(row, str(month), date(2026, month, 5), "standard", "", None)
        return [
            (event, ClubGame(row, event.name, 0, name, "dd", 0, (score, 1 - score), ratings[name]))
            for name, score in scores.items()
        ]

    now, earlier = games(2, 3, aa=0.5, bb=0.0, cc=0.5), games(1, 2, aa=0.5, bb=0.0)
    done = rate_period(date(2026, 4, 1), now, members, earlier)
    assert [(1852, 5)] == [(line.new, line.games) for line in done.lines if line.name == "dd"]
    rated = done.by_kind["standard"]
    assert [player.name for player in rated.tournament.players] == ["aa", "dd", "bb", "cc"]
    assert [(game.opponent, game.event) for game in rated.earlier] == [("aa", "2"), ("bb", "2")]


def test_new_people_in_another_script_or_with_initials_are_asked_about(tmp_path: Path) -> None:
    members: list[dict[str, Any]] = [
        {"name": "Дёмин, Егор", "id": "70010004"}, {"name": "Fóris, Gábor"}, {"name": "Gruber, H."},
    ]  # fmt: skip
    book = club(tmp_path / "club.xlsx", members)
    games = games_file(tmp_path, "Demin, Egor;Fóris G.;1-0", "Gruber, Hanna;Γκρίτση, Άννα;1-0")
    words = ("add", book, games, "--name", "Cup", "--date", "2026-03-01")
    said = run(*words, code=1)
    for new, known in (
        ("Demin, Egor", "Дёмин, Егор"),
        ("Fóris G.", "Fóris, Gábor"),
        ("Gruber, Hanna", "Gruber, H."),
    ):
        assert f"{new!r} is no member: did you mean {known!r}? Take new people with --new" in said
    assert "Γκρίτση" not in said
    assert "New members: Demin, Egor; Fóris G.; Gruber, Hanna" in run(*words, "--new")


@pytest.mark.parametrize(
    ("games", "words", "message"),
    [
        (["Aubert, Ada;Blanco, Bo;1-0"], [], "the event has no name: give it one (--name)"),
        (["Aubert, Ada;Blanco, Bo;1-0"], ["--name", "C"], "no date: give it one (--date)"),
        (["Aubert, Ada;Blanco, Bob;1-0"], ["--name", "C", "--date", "2026-03-01"],
         "did you mean 'Blanco, Bo'?"),
        (["Aubert, Ada;ADA AUBERT;1-0"], ["--name", "C", "--date", "2026-03-01"],
         "are both the member"),
    ],
)  # fmt: skip
def test_events_that_are_refused(
    tmp_path: Path, games: list[str], words: list[str], message: str
) -> None:
    book = club(tmp_path / "club.xlsx", FOUR)
    before = book.read_bytes()
    (tmp_path / "events").mkdir()
    assert message in run("add", book, games_file(tmp_path / "events", *games), *words, code=1)
    assert before == book.read_bytes()
    assert ["club.xlsx", "events"] == sorted(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("table", "cells", "message"),
    [
        ("Members", {(1, "standard"): 20000}, "rating must be a whole number from 1 to 4000"),
        ("Members", {(2, "name"): "Aubert, Ada"}, "the name 'Aubert, Ada' stands twice"),
        ("Results", {(1, "white"): "Nobody"}, "'Nobody' is no member @ Results!D"),
        ("Results", {(1, "result"): "2-1"}, "got '2-1'"),
        ("Results", {(1, "result"): date(2026, 1, 1)}, "a spreadsheet made the date '2026-01-01'"),
        ("Results", {(1, "result"): None}, "the result is missing @ Results!B"),
        ("Results", {(1, "event"): "Nothing"}, "the event 'Nothing' is not on the sheet of events"),
        ("Results", {(1, "white"): "Blanco, Bo"}, "White and Black are the same player @ Results"),
        ("Events", {(1, "kind"): "slow"}, "the kind of 'Cup' is none of standard, rapid, blitz"),
        ("Events", {(1, "date"): "soon"}, "date is not understood: 'soon' @ Events!C"),
        ("Events", {(1, "closed"): date(2026, 3, 9)}, "the event 'Cup' is closed already"),
    ],
)  # fmt: skip
def test_nothing_is_rated_while_an_entry_is_wrong(
    tmp_path: Path, table: str, cells: dict[tuple[int, str], Any], message: str
) -> None:
    book = tmp_path / "club.xlsx"
    content = {
        "Members": FOUR,
        "Events": [{"event": "Cup", "date": date(2026, 3, 1), "kind": "standard"}],
        "Results": [{"event": "Cup", "white": "Aubert, Ada", "black": "Blanco, Bo", "result": "1"}],
    }
    book.write_bytes(make("club", options("club", players=8, rounds=12), content))
    typed(book, table, cells)
    before = book.read_bytes()
    assert message in run("close", book, "--date", "2026-04-01", code=1)
    assert before == book.read_bytes()


def test_undo_gives_the_very_bytes_back_or_refuses(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR)
    states = [book.read_bytes()]
    assert "no step to take back" in run("undo", book, code=1)
    for n in (1, 2):
        file = games_file(tmp_path, "Aubert, Ada;Blanco, Bo;1-0")
        run("add", book, file, "--name", f"Cup {n}", "--date", f"2026-03-{5 * n:02}")
        states.append(book.read_bytes())
    run("close", book, "--date", "2026-04-01")
    assert "Taken back: close 2026-04-01" in run("undo", book)
    for state in reversed(states[:-1]):
        assert "Taken back: add games.csv" in run("undo", book)
        assert state == book.read_bytes()
    run("add", book, file, "--name", "Cup", "--date", "2026-03-01")
    file_ = book.read_bytes()
    sheet = openpyxl.load_workbook(io.BytesIO(file_)).sheetnames[1]
    typed = with_parts(file_, edited(read_parts(file_), {sheet: {(50, 2): "a note"}}))
    book.write_bytes(typed)
    assert "it was changed or saved after the last step" in run("undo", book, code=1)
    assert typed == book.read_bytes()
    book.write_bytes(file_)
    copies = sorted(tmp_path.glob("club (*).xlsx"), key=lambda path: path.stat().st_mtime_ns)
    whole = copies[-1].read_bytes()
    copies[-1].write_bytes(whole + b"x")
    assert "is no longer what the book was" in run("undo", book, code=1)
    copies[-1].unlink()
    assert "is not beside it" in run("undo", book, code=1)
    assert file_ == book.read_bytes()


def test_a_date_far_ahead_is_asked_about(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR)
    file = games_file(tmp_path, "Aubert, Ada;Blanco, Bo;1-0")
    far = f"{date.today().year + 2}-12-01"
    for command in (("add", book, file, "--name", "Cup"), ("close", book)):
        asked = run(*command, "--date", far, code=1)
        assert f"{far} is more than a year after {date.today()}" in asked
        run(*command, "--date", far, "--sure")


@pytest.mark.parametrize(
    "name", ['Ratings: "A" club?.xlsx', "a\nb\x1b.xlsx", "u\uffff.xlsx", "club", "c.xltx"]
)
def test_a_book_of_any_name_goes_back(tmp_path: Path, name: str) -> None:
    book = club(tmp_path / name, FOUR)
    before = book.read_bytes()
    file = games_file(tmp_path, "Aubert, Ada;Blanco, Bo;1-0")
    run("add", book, file, "--name", "Cup", "--date", "2026-03-05")
    assert "Taken back: add games.csv" in run("undo", book)
    assert before == book.read_bytes()


def test_a_larger_book_in_place_keeps_what_the_club_has_added(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR, players=4)
    workbook = openpyxl.load_workbook(book)
    members, own = workbook["Members"], workbook.create_sheet("Treasurer")
    members["V6"], members["V7"], members["W7"] = "Phone", "+49 123", "=G7*2"
    members["V7"].font = Font(italic=True)
    own["A1"], own["A2"], own["A3"] = 12.5, "=SUM(Members!W7:W9)", "tea"
    own["A1"].number_format = '0.00 "dues"'
    own.protection.sheet = True
    workbook.save(book)
    book.chmod(0o600)
    before = book.read_bytes()
    larger = ("new", "club", "--from", book, "--players", 9, "-o", book)
    assert "already exists" in run(*larger, code=2)
    text = run(*larger, "--force")
    assert "1 sheet of your own, 3 cells of your own" in text
    assert "Not carried over" not in text
    (copy,) = tmp_path.glob("club (*).xlsx")
    assert (before, 0o600) == (copy.read_bytes(), copy.stat().st_mode & 0o777)
    made = openpyxl.load_workbook(book)
    members, own = made["Members"], made["Treasurer"]
    assert ["Phone", "+49 123", "=G7*2"] == [members[at].value for at in ("V6", "V7", "W7")]
    assert [12.5, "=SUM(Members!W7:W9)", "tea"] == [row[0].value for row in own["A1:A3"]]
    assert ('0.00 "dues"', True) == (own["A1"].number_format, members["V7"].font.i)
    assert "Taken back: new" in run("undo", book)
    assert before == book.read_bytes()
    # below a table that grows cells stand elsewhere, so a formula might mean another one
    members = workbook["Members"]
    members["V11"], workbook["Treasurer"]["A2"] = "Total", "=Members!V11"
    workbook.save(book)
    assert "of formulas of your own only the values stay" in run(*larger, "--force")
    made = openpyxl.load_workbook(book)
    assert ("Total", None) == (made["Members"]["V16"].value, made["Treasurer"]["A2"].value)


def test_whatever_writes_over_a_book_leaves_a_copy(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR, players=4)
    before = book.read_bytes()
    event = tmp_path / "event.csv"
    event.write_text("White,Elo,Black,Elo,Result\nAna,1800,Ben,1750,1-0\n")
    people = ("new", "club", "--people", book, "-o", book, "--force")
    assert "replace what it is made from" in run(*people, code=2)
    for command in (("new", "match-odds"), ("rate", event)):
        book.write_bytes(before)
        assert "Before it was: club (" in run(*command, "-o", book, "--force")
    (copy,) = tmp_path.glob("club (*).xlsx")
    assert before == copy.read_bytes()


def test_books_that_are_none(tmp_path: Path) -> None:
    other = tmp_path / "other.xlsx"
    other.write_bytes(make("swiss", options("swiss")))
    assert "it was made from swiss" in run("close", other, code=1)
    other.write_bytes(b"no book")
    assert "it is not a workbook" in run("close", other, code=1)
    book = club(tmp_path / "club.xlsx", FOUR)
    whole = book.read_bytes()
    book.write_bytes(with_parts(whole, {}, {"docProps/custom.xml"}))
    assert "a program has dropped its properties" in run("close", book, code=1)
    book.write_bytes(whole)
    lock = tmp_path / "~$club.xlsx"
    lock.write_bytes(b"")
    with pytest.raises(OSError, match="has it open in Excel"):
        step(book, "nothing", lambda ledger: ledger.append("Events", event="x"))
    lock.unlink()
    assert {"club.xlsx", "other.xlsx"} == {path.name for path in tmp_path.iterdir()}


def test_a_book_that_is_full_grows(tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    book.write_bytes(make("club", options("club", players=4, rounds=10), {"Members": FOUR}))
    games = [f"Aubert, Ada;Guest {chr(65 + n)} Nr{n};1-0" for n in range(12)]
    players = "\n".join(["Name;Elo", "Aubert, Ada;1800", *(g.split(";")[1] + ";" for g in games)])
    (tmp_path / "players.csv").write_text(players, "utf-8")
    text = run("add", book, games_file(tmp_path, *games), "--name", "Cup", "--date", "2026-03-01",
               "--new")  # fmt: skip
    assert "12 members below the room of the sheet are not on the list" in text
    assert 16 == len(Ledger(book.read_bytes()).members)
    assert 12 == len(Ledger(book.read_bytes()).results)
    run("close", book, "--date", "2026-04-01")
    assert ([], 12) == ((after := Ledger(book.read_bytes())).results, len(after.rated))


def test_a_first_event_brings_the_first_ratings(tmp_path: Path) -> None:
    book, event = tmp_path / "club.xlsx", tmp_path / "cup.csv"
    book.write_bytes(make("club", options("club", players=8, rounds=12), {}))
    event.write_text("White;Elo;Black;Elo;Result\nAubert, Ada;1800;Blanco, Bo;1650;1-0\n")
    words = ("--date", "2026-03-01", "--kind", "rapid")
    said = run("add", book, event, *words)
    assert "Unrated here although cup.csv has ratings: Aubert, Ada 1800; Blanco, Bo 1650" in said
    run("undo", book)
    assert "Ratings from cup.csv: Aubert, Ada 1800; " in run(
        "add", book, event, *words, "--ratings"
    )
    ledger = Ledger(book.read_bytes())
    assert [1800, 1650] == [member.records["rapid"].rating for member in ledger.members]
    assert [None, None] == [member.records["standard"].rating for member in ledger.members]


def test_games_without_ratings_bring_new_members(tmp_path: Path) -> None:
    book, event = tmp_path / "club.xlsx", tmp_path / "cup.csv"
    content = {"Members": [{"name": "Aubert, Ada", "id": "4100"}]}
    book.write_bytes(make("club", options("club", players=8, rounds=12), content))
    event.write_text("White;Black;Result\n4100;Blanco, Bo;1-0\n")
    assert "New members: Blanco, Bo" in run("add", book, event, "--date", "2026-03-01")
    event.write_text("White;Black;Result\n4100;77;1-0\n")
    said = run("add", book, event, "--date", "2026-03-01", "--name", "Two", code=1)
    assert "no member has the ID '77': a new one needs a name" in said


def test_events_after_the_list_wait(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR)
    file = games_file(tmp_path, "Aubert, Ada;Blanco, Bo;1-0")
    run("add", book, file, "--name", "March", "--date", "2026-03-01")
    run("add", book, file, "--name", "May", "--date", "2026-05-01")
    text = run("close", book, "--date", "2026-04-01")
    assert "1 event, 1 game" in text
    assert "Still open: May (2026-05-01)" in text
    assert ["May"] == [row["Event"] for row in rows(book, "Results")]
    assert "must be later than the last one" in run("close", book, "--date", "2026-03-31", code=1)
    assert "there is nothing to close" in run("close", book, "--date", "2026-04-02", code=1)
    assert "fide-2024-03" in run("close", book, "--date", "2026-06-01", "--rules", "fide-2024-03")


def test_games_of_the_unrated_count_on_for_26_months(tmp_path: Path) -> None:
    book = club(tmp_path / "club.xlsx", FOUR)
    two = games_file(tmp_path, "Aubert, Ada;Duarte, Di;½-½", "Blanco, Bo;Duarte, Di;0-1")
    three = games_file(tmp_path, "Aubert, Ada;Duarte, Di;½-½", "Blanco, Bo;Duarte, Di;0-1",
                       "Costa, Cy;Duarte, Di;½-½", name="three.csv")  # fmt: skip
    run("add", book, two, "--name", "Old", "--date", "2024-01-20")
    assert "2 games against rated opponents, 5 are needed" in run(
        "close", book, "--date", "2024-02-01"
    )
    run("add", book, two, "--name", "Newer", "--date", "2025-01-20")
    assert "4 games against rated opponents" in run("close", book, "--date", "2025-02-01")
    run("add", book, three, "--name", "Newest", "--date", "2026-03-20")
    # the event of January 2024 is more than 26 months ago; Ra = (1800 + 1700 + 1800 + 1700 + 1650
    # + 2 × 1800) / 7 = 1750, 4½ of 7 are 64 %, which table 8.1.1 gives 102 points
    assert "Duarte, Di standard 1852 5" in run("close", book, "--date", "2026-04-01")
    member = next(row for row in rows(book, "Members") if row["Name"] == "Duarte, Di")
    assert (member["Games, standard"], member["Standard"]) == (5, member["Highest, standard"])
