"""What people do to a club's book that a command must notice: headings, formulas, dates and lines
that are not what they were."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any, Final

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from elo_xl.club.ledger import Ledger
from elo_xl.events.event import EventError
from elo_xl.templates.gallery import make, options
from elo_xl.xlsx.edit import edited
from elo_xl.xlsx.in_place import read_parts, with_parts
from tests.support.clubs import FOUR, games_file, typed
from tests.support.command import run_in_a_line as run
from tests.support.levels import cases

pytestmark = pytest.mark.slow

CUP: Final[dict[str, Any]] = {"event": "Cup", "date": date(2026, 3, 1), "kind": "standard"}
GAME: Final[dict[str, Any]] = {
    "event": "Cup",
    "white": "Aubert, Ada",
    "black": "Blanco, Bo",
    "result": "1",
}


def open_book(path: Path, *games: dict[str, Any], **event: Any) -> Path:
    """A book with one open event."""
    content = {"Members": FOUR, "Events": [CUP | event], "Results": list(games or (GAME,))}
    path.write_bytes(make("club", options("club", players=8, rounds=12), content))
    return path


COLUMNS: Final = {
    "Members": ["name", "id", "birth", "title", "federation", "out", "standard", "standard_games",
                "standard_peak", "rapid", "rapid_games", "rapid_peak", "blitz", "blitz_games",
                "blitz_peak"],
    "Events": ["event", "date", "kind", "games", "players", "rulebook", "closed"],
    "Results": ["event", "round", "white", "black", "result"],
    "History": ["date", "name", "id", "kind", "rating", "change", "games", "before",
                "games_before", "peak_before", "birth"],
    "Rated": ["closed", "event", "round", "white", "white_rating", "black", "black_rating",
              "result"],
}  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return open_book(tmp_path_factory.mktemp("whole") / "club.xlsx").read_bytes()


@pytest.mark.parametrize(
    ("table", "column"),
    cases(
        [(table, column) for table, all_ in COLUMNS.items() for column in all_],
        test=[(table, all_[-1]) for table, all_ in COLUMNS.items()],
    ),
)
def test_a_heading_with_another_name_is_refused(whole: bytes, table: str, column: str) -> None:
    there = Ledger(whole).entries.tables[table]
    row, at = there.rows[1] - 1, there.columns[column]
    changed = with_parts(whole, edited(read_parts(whole), {there.title: {(row, at): "DWZ"}}))
    place = f"{there.title}!{get_column_letter(at)}{row}"
    with pytest.raises(EventError) as refused:
        Ledger(changed)
    assert re.fullmatch(
        f"no column is called '[^']+' any more: give the heading its name back @ {place}",
        str(refused.value),
    )


def test_nothing_is_written_without_a_heading(tmp_path: Path, whole: bytes) -> None:
    book, file = tmp_path / "club.xlsx", tmp_path / "cup.trf"
    there = Ledger(whole).entries.tables["Members"]
    row, at = there.rows[1] - 1, there.columns["standard"]
    letter = get_column_letter(at)
    for new, message in (
        ("DWZ", f"no column is called 'Standard' any more: .* @ Members!{letter}{row}"),
        (None, f"no column is called 'Standard' any more: .* @ Members!{row}:{row}"),
        ("ID", f"several columns are called 'ID' @ Members!{letter}{row}"),
    ):
        changed = with_parts(whole, edited(read_parts(whole), {there.title: {(row, at): new}}))
        book.write_bytes(changed)
        for command in (["close", book], ["correct", book], ["export", book, "-o", file]):
            assert re.search(message, run(*command, code=1))
        assert changed == book.read_bytes()
    assert [book] == list(tmp_path.iterdir())


def test_a_formula_that_was_never_computed_is_no_blank(tmp_path: Path) -> None:
    book = open_book(tmp_path / "club.xlsx")
    there = Ledger(book.read_bytes()).entries.tables["Members"]
    workbook = openpyxl.load_workbook(book)
    cell = workbook[there.title].cell(*there.place(1, "standard"), "=1600+8")
    workbook.save(book)
    before = book.read_bytes()
    said = run("close", book, "--date", "2026-04-01", code=1)
    assert "was never computed: open the file in Excel or LibreOffice and save it" in said
    assert said.endswith(f"save it @ Members!{cell.coordinate}")
    assert before == book.read_bytes()
    # with the value that a program has saved it counts
    part = f"xl/worksheets/sheet{workbook.sheetnames.index(there.title) + 1}.xml"
    old, new = b"<f>1600+8</f><v />", b"<f>1600+8</f><v>1608</v>"
    parts = read_parts(before)
    assert (parts[part].count(old), parts[part].count(b"<f>1600+8</f><v></v>")) in ((1, 0), (0, 1))
    computed = parts[part].replace(old, new).replace(b"<f>1600+8</f><v></v>", new)
    book.write_bytes(with_parts(before, {part: computed}))
    assert 1608 == Ledger(book.read_bytes()).members[0].records["standard"].rating


def test_an_event_that_the_book_has_is_asked_about(tmp_path: Path) -> None:
    book = open_book(tmp_path / "club.xlsx", GAME | {"white": "Costa, Cy"})
    games = [f"Aubert, Ada;{name};{result}" for name in ("Blanco, Bo", "Costa, Cy", "Duarte, Di")
             for result in ("1-0", "0-1", "½-½")]  # fmt: skip
    first = games_file(tmp_path, *games, name="first.csv")
    # one of ten games more, of nine another: 9 of 10 are enough, 8 of 9 are not
    more = games_file(tmp_path, *games, "Blanco, Bo;Duarte, Di;1-0", name="more.csv")
    other = games_file(tmp_path, *games[:-1], "Blanco, Bo;Duarte, Di;1-0", name="other.csv")

    def add(file: Path, name: str, day: int, *more_: str, code: int = 0) -> str:
        return run("add", book, file, "--name", name, "--date", f"2026-03-{day:02}", *more_,
                   code=code)  # fmt: skip

    add(first, "Spring", 10)
    refused = "it is the same event as 'Spring' in the book, which has"
    assert f"{refused} all its games, too" in add(first, "Lent", 11, "--kind", "standard", code=1)
    run("close", book, "--date", "2026-04-01")
    before = book.read_bytes()
    assert f"{refused} 9 of its games, too" in add(more, "Lent", 9, code=1)
    assert before == book.read_bytes()
    for file, name, day, words in (
        (first, "Two days later", 12, ()),
        (other, "Other", 10, ()),
        (first, "Again", 10, ("--again",)),
    ):
        said = add(file, name, day, *words)
        assert "9 games, 4 players" in said
        assert "the games have no dates" not in said


def test_two_games_in_one_round_are_named_with_both_places(tmp_path: Path) -> None:
    again = {"white": "Costa, Cy", "black": "aubert, ada"}
    lines = [GAME | {"round": 1}, GAME | {"round": 1}, GAME | again | {"round": 1},
             GAME | again | {"round": 2}, GAME | again, GAME | again]  # fmt: skip
    book = open_book(tmp_path / "club.xlsx", *lines)
    said = run("close", book, "--date", "2026-04-01", code=1)
    assert [("Aubert, Ada", "D7", "D8"), ("aubert, ada", "D7", "E9")] == re.findall(
        r"'([^']+)' has two games in round 1, the first @ Results!(\w+) @ Results!(\w+)", said
    )


@pytest.mark.parametrize(
    ("days", "message"),
    [
        (("04/05/2026", "04/07/2026"), "it is not sure which day '04/05/2026' is: write it as"),
        (("04/25/2026", "25/04/2026"), "04/25/2026 and 25/04/2026 stand in different orders"),
    ],
)
def test_dates_that_are_not_sure_are_asked_about(
    tmp_path: Path, days: tuple[str, str], message: str
) -> None:
    book = open_book(tmp_path / "club.xlsx")
    typed(book, "Events", {(1, "date"): days[0], (2, "event"): "Two", (2, "date"): days[1],
                           (2, "kind"): "standard"})  # fmt: skip
    assert f"{message}" in (said := run("close", book, "--date", "2026-06-01", code=1))
    assert "@ Events!C" in said


def test_dates_of_a_column_stand_in_one_order(tmp_path: Path) -> None:
    book = open_book(tmp_path / "club.xlsx")
    typed(book, "Events", {(1, "date"): "04/05/2026", (2, "event"): "Two", (2, "kind"): "rapid",
                           (2, "date"): "04/25/2026"})  # fmt: skip
    events = Ledger(book.read_bytes()).events
    assert [date(2026, 4, 5), date(2026, 4, 25)] == [event.day for event in events.values()]


def test_what_helps_is_said(tmp_path: Path) -> None:
    book = open_book(tmp_path / "club.xlsx", GAME | {"white": "Aubert, Anna"})
    said = run("close", book, "--date", "2026-04-01", code=1)
    assert "'Aubert, Anna' is no member: did you mean 'Aubert, Ada'? @ Results!D7" in said
    open_book(book, date=date(2026, 5, 1))
    said = run("close", book, "--date", "2026-04-01", code=1)
    assert "no open event up to 2026-04-01; 'Cup' is on 2026-05-01" in said
    said = run("new", "club", "--from", book, "-o", tmp_path / "new.xlsx")
    assert "4 lines of Members, 1 line of Events, 1 line of Results" in said


def test_a_highest_rating_that_is_not_known_stays_so(tmp_path: Path) -> None:
    members = [dict(member, standard=rating)
               for member, rating in zip(FOUR, (2390, 2398, 2380), strict=False)]  # fmt: skip
    book = tmp_path / "club.xlsx"
    content = {"Members": members, "Events": [CUP], "Results": [GAME | {"white": "Blanco, Bo",
               "black": "Costa, Cy"}, GAME | {"black": "Costa, Cy", "result": "0"}]}  # fmt: skip
    book.write_bytes(make("club", options("club", players=8, rounds=12), content))
    assumed = "has K 10, and the highest rating is unknown"
    first = run("close", book, "--date", "2026-04-01")
    assert assumed in first
    file = games_file(tmp_path, "Aubert, Ada;Costa, Cy;½-½")
    run("add", book, file, "--name", "Two", "--date", "2026-04-10")
    peaks = [member.records["standard"].peak for member in Ledger(book.read_bytes()).members]
    # Bo has reached 2400, which decides his K whatever he had before
    assert [None, 2407, None] == peaks[:3]
    assert assumed in run("close", book, "--date", "2026-05-01")
    assert "agree with the games" in run("correct", book)


def shown(book: Path, title: str) -> list[tuple[Any, ...]]:
    sheet = openpyxl.load_workbook(book, data_only=True)[title]
    return list(sheet.iter_rows(values_only=True))


def test_the_list_shows_the_new_ratings_where_columns_rows_and_tabs_were_moved(
    tmp_path: Path,
) -> None:
    book = open_book(tmp_path / "club.xlsx")
    # on a first period nobody has ▲▼
    assert "▲▼" in next(line for line in shown(book, "Rating list") if "Standard" in line)
    assert all(line[5] in (None, "▲▼") for line in shown(book, "Rating list"))
    workbook = openpyxl.load_workbook(book)
    # openpyxl moves cells and keeps what their formulas refer to: only their places matter here
    workbook["Members"].insert_cols(7)
    workbook["Events"].insert_rows(2, 2)
    workbook["Rating list"].insert_cols(4)
    workbook["Rating list"].title = "For the wall"
    workbook.save(book)
    said = run("close", book, "--date", "2026-04-01")
    assert "formulas" not in said
    lines = [line for line in shown(book, "For the wall") if line[2] in ("Aubert, Ada", "Name")]
    at = lines[0].index("Standard")
    assert (1807, 7, 1, None) == (*lines[1][at : at + 3], lines[1][3])
    checks = shown(book, "Members")
    heads = next(line for line in checks if "Check" in line)
    faults = [line[heads.index("Check")] for line in checks[checks.index(heads) + 1 :]]
    assert not any(faults)


def test_formulas_that_are_not_found_are_left_to_be_computed(tmp_path: Path) -> None:
    book = open_book(tmp_path / "club.xlsx")
    workbook = openpyxl.load_workbook(book)
    workbook["Rating list"].insert_rows(6)
    workbook.save(book)
    said = run("close", book, "--date", "2026-04-01")
    assert "warning: the formulas of Rating list are not where they were" in said
    assert "Aubert, Ada" not in [value for line in shown(book, "Rating list") for value in line]
    assert "Aubert, Ada" in [value for line in shown(book, "Steps") for value in line]


def test_a_row_that_was_put_in_is_not_passed_over(tmp_path: Path) -> None:
    book = open_book(tmp_path / "club.xlsx")
    workbook = openpyxl.load_workbook(book)
    sheet = workbook["Members"]
    heads = next(row for row in sheet.iter_rows() if "Name" in [cell.value for cell in row])
    name = next(cell for cell in heads if cell.value == "Name")
    sheet.insert_rows(name.row + 2)
    sheet.cell(name.row + 2, name.column, "Zoltan, Zita")
    workbook.save(book)
    said = run("close", book, "--date", "2026-04-01", code=1)
    at = f"Members!{name.column_letter}{name.row + 2}"
    assert f"the row has no number of its own: move what it says into one that has @ {at}" in said
