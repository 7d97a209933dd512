"""The next round in the book of a Swiss, against the rounds that bbpPairings 6.0.0 has made."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType

import pytest
from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from elo_xl.books.book import Book, Row
from elo_xl.events.books import read_event_book
from elo_xl.events.event import Tournament
from elo_xl.events.pairing import PairingError, pairs, report_of
from elo_xl.events.trf import read_trf
from elo_xl.questions.pair import Wishes, latest, next_round
from elo_xl.templates.gallery import build, make, options
from elo_xl.templates.opened import entries
from elo_xl.templates.swiss import board, lines
from tests.support import DATA, ROOT
from tests.support.command import invoke
from tests.support.command import run as run_any

SMALL, LARGE = (DATA / "pairings" / name for name in ("bbp-15-3.trf", "bbp-24-2.trf"))
SIGNS = {"1": "1", "=": "½", "0": "0", "+": "+", "-": "-", "U": "bye", "H": "½ bye", "Z": "0 bye"}


@cache
def event(path: Path) -> Tournament:
    return read_trf(path.read_bytes())


def typed(path: Path, rounds: int, more: Mapping[int, Row] = MappingProxyType({})) -> bytes:
    return book_of(path, rounds, more).file()


def book_of(path: Path, rounds: int, more: Mapping[int, Row] = MappingProxyType({})) -> Book:
    """A book with the first rounds of an event, and more lines of the sheet with the pairings."""
    of = event(path)
    boards: dict[tuple[int, int], Row] = {}
    for r in range(rounds):
        own = [(n, cells[r]) for n, cells in of.pairings.items() if cells[r].colour != "b"]
        for b, (n, cell) in enumerate(own):
            boards[r, b] = board(n, cell.opponent, SIGNS[cell.code])
    chosen = options("swiss", players=len(of.players), rounds=9)
    players = [{"name": p.name, "rating": p.rating} for p in of.players]
    content = {"Players": players, "Pairings": {**lines(chosen, boards), **more}}
    return build("swiss", chosen, content)


def printed(path: Path, round: int) -> set[tuple[int, int | None]]:
    """The pairs of a round as bbpPairings has them."""
    return {
        (n, cell.opponent)
        for n, cells in event(path).pairings.items()
        for cell in cells[round - 1 : round]
        if cell.colour == "w" or cell.code == "U"
    }


run = partial(run_any, "pair")


def half(path: Path, round: int) -> list[int]:
    """Who had half a point or none in a round, for the asking."""
    return [n for n, cells in event(path).pairings.items() if cells[round - 1].code in ("H", "Z")]


@pytest.mark.slow
def test_a_round_is_typed_and_taken_back(tmp_path: Path) -> None:
    """The very pairs of bbpPairings, in blank lines; all else stays, and undo gives the bytes."""
    book = tmp_path / "open.xlsx"
    round = next(r for r in range(3, 10) if half(LARGE, r))
    before = typed(LARGE, round - 1)
    book.write_bytes(before)
    asked = ",".join(map(str, half(LARGE, round)))
    told = json.loads(run(book, "--half", asked, "--json"))
    assert printed(LARGE, round) == {tuple(pair) for pair in told["pairs"]}
    after = read_event_book(book.read_bytes())
    assert round == latest(after)
    assert printed(LARGE, round) == {
        (n, cells[round - 1].opponent)
        for n, cells in after.pairings.items()
        if cells[round - 1].colour == "w" or cells[round - 1].code == "U"
    }
    old, new = entries(before)[2]["Pairings"], entries(book.read_bytes())[2]["Pairings"]
    assert old.items() <= new.items()
    assert "not endorsed by FIDE" in run(book, "--check", "--dry-run")
    assert "is missing" in run(book, code=1)
    assert invoke("undo", book).exit_code == 0
    assert before == book.read_bytes()
    assert "Round" in run(book, "--half", asked, "--dry-run")
    assert before == book.read_bytes()


@pytest.mark.slow
def test_what_is_typed_into_the_round_stays(tmp_path: Path) -> None:
    """Half a point that somebody has typed into the third line of the round."""
    book = tmp_path / "open.xlsx"
    size = 15 // 2 + 3
    book.write_bytes(typed(SMALL, 2, more={2 * size + 3: board(4, None, "½ bye")}))
    told = json.loads(run(book, "--json"))
    made = entries(book.read_bytes())[2]["Pairings"]
    assert board(4, None, "½ bye") == {"black": None} | made[2 * size + 3]
    assert 7 == len(told["pairs"])
    assert [1, 2, *range(4, 9)] == [row - 2 * size for row in made if row > 2 * size + 0][:2] + [
        row - 2 * size for row in made if row > 2 * size + 3
    ]
    assert 4 not in {n for pair in told["pairs"] for n in pair}


@pytest.mark.slow
def test_check_names_the_lines(tmp_path: Path) -> None:
    """Two opponents exchanged by hand in the third round, and two colours in the second."""
    book = tmp_path / "open.xlsx"
    size = 15 // 2 + 3
    content = dict(entries(typed(SMALL, 3))[2])
    rows = content["Pairings"]
    one, two = rows[2 * size + 1], rows[2 * size + 2]
    content["Pairings"] = rows | {
        2 * size + 1: one | {"black": two["black"]},
        2 * size + 2: two | {"black": one["black"]},
        size + 1: board(rows[size + 1]["black"], rows[size + 1]["white"], "½"),
    }
    chosen = options("swiss", players=15, rounds=9)
    book.write_bytes(make("swiss", chosen, content))
    told = json.loads(run(book, "--check", "--json"))
    assert [0, 1] == [len(one["differences"]) for one in told["rounds"][:2]]
    colours, exchanged = told["rounds"][1:]
    assert (None, [rows[size + 1][key] for key in ("black", "white")]) == (
        colours["criterion"],
        colours["differences"][0]["typed"],
    )
    typed_here = {tuple(line["typed"]) for line in exchanged["differences"]}
    assert {(one["white"], two["black"]), (two["white"], one["black"])} <= typed_here
    assert all(line["cell"].startswith("Pairings!") for line in exchanged["differences"])
    assert exchanged["criterion"].startswith("C") or exchanged["group"] > 0


def test_every_round_by_the_rules() -> None:
    """Rounds of whole events, from an event and not from a book."""
    for path in (SMALL, LARGE):
        for round in range(1, event(path).rounds + 1):
            report, _ = report_of(event(path), round, event(path).rounds)
            assert printed(path, round) == set(pairs(report, round))


def first(*, rounds: int = 9, **wishes: object) -> set[tuple[int, int | None]]:
    """The first round of ten players with these wishes."""
    players = event(SMALL).players[:10]
    none = Tournament("Ten", players, {p.number: () for p in players}, (), 0, room=rounds)
    return set(next_round(none, Wishes(**wishes)).pairs)  # type: ignore[arg-type]


def test_wishes() -> None:
    usual = {(1, 6), (7, 2), (3, 8), (9, 4), (5, 10)}
    assert usual == first()
    assert {(b, a) for a, b in usual} == first(black_first=True)
    assert {(1, 7), (6, 2), (3, 8), (9, 4), (5, 10)} == first(forbid=((1, 6),))
    without = {(1, 5), (6, 2), (3, 7), (8, 4)}
    assert without == first(absent=(9,), gone=(10,)) == first(half=(9, 10))
    # Baku: six of ten players have a point more
    assert (
        {(1, 4), (5, 2), (3, 6), (9, 7), (8, 10)}
        >= {pair for pair in first(baku=True) if set(pair) <= {1, 2, 3, 4, 5, 6}}
        == {(1, 4), (5, 2), (3, 6)}
    )


@pytest.mark.parametrize(
    ("rounds", "records"),
    [
        (9, ["250       1.0 001 003 0001 0006", "250       0.5 004 005 0001 0006"]),
        (5, ["250       1.0 001 002 0001 0006", "250       0.5 003 003 0001 0006"]),
        (2, ["250       1.0 001 001 0001 0006"]),
    ],
)
def test_accelerated_rounds(rounds: int, records: list[str]) -> None:
    players = event(SMALL).players[:10]
    ten = Tournament("Ten", players, {}, (), 0, room=rounds)
    assert ["152 W", *records] == Wishes(baku=True).records(ten)


def test_what_cannot_be() -> None:
    of = event(SMALL)
    whole = Tournament(of.name, of.players, of.pairings, of.games, of.rounds, room=of.rounds)
    for wishes, said in (
        (Wishes(), "all 7 rounds are paired"),
        (Wishes(rounds=9, absent=(99,)), "no player has the number 99"),
        (Wishes(rounds=9, absent=(3,), half=(3,)), "more than one part in round 8"),
    ):
        with pytest.raises(PairingError, match=said):
            next_round(whole, wishes)
    with pytest.raises(PairingError, match="nobody is on the list: type the players into it first"):
        next_round(Tournament("", (), {}, (), rounds=1, room=1), Wishes())


@pytest.mark.slow
def test_a_round_for_which_the_book_has_no_room(tmp_path: Path) -> None:
    """A third round in a book of two; and eight lines in a round that has seven."""
    book = tmp_path / "open.xlsx"
    players = [{"name": f"P{n}", "rating": 2000 - n} for n in range(1, 10)]
    chosen = options("swiss", players=9, rounds=2)
    draws = {row: board(white, None, "½ bye") for row, white in ((1, 1), (8, 1))}
    draws |= {row: board(white, white + 1, "½") for row, white in ((2, 2), (3, 4), (9, 3))}
    book.write_bytes(make("swiss", chosen, {"Players": players, "Pairings": draws}))
    assert "all 2 rounds are paired" in run(book, "--rounds", 9, "--back", "5,6,7,8,9", code=1)
    book.write_bytes(make("swiss", chosen, {"Players": players}))
    said = run(book, "--absent", "1,2,3,4,5,6", code=1)
    assert "round 1 needs 8 lines, and 7 are blank" in said


@pytest.mark.slow
def test_numbers_that_do_not_follow_the_ratings_are_named(tmp_path: Path) -> None:
    book = tmp_path / "open.xlsx"
    players = [{"name": name, "rating": rating} for name, rating in (("A", 1744), ("B", 1923))]
    book.write_bytes(make("swiss", options("swiss", players=4, rounds=2), {"Players": players}))
    said = "the numbers are not in the order of ratings: 1 A (1744) stands above 2 B (1923)"
    assert said in " ".join(run(book, "--dry-run").split())


@pytest.mark.slow
def test_other_files_are_refused(tmp_path: Path) -> None:
    book = tmp_path / "book.xlsx"
    book.write_bytes(make("round-robin", options("round-robin", players=4), {}))
    assert "which has no rounds to pair" in run(book, code=1)
    assert "such as 3-7,4-12" in run(book, "--forbid", "3", code=2)


@pytest.fixture(scope="session")
def witness() -> str:
    if shutil.which("c++") is None:
        pytest.skip("bbpPairings is a program in C++, and there is no compiler")
    found = subprocess.run(
        [ROOT / "scripts" / "witness.sh", "--find"], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(1, 21))
def test_every_round_of_an_invented_event_is_paired_as_bbppairings_has_it(
    witness: str, seed: int, tmp_path: Path
) -> None:
    players, rounds = 10 + seed, 5 + seed % 5
    size, invented = tmp_path / "size.txt", tmp_path / "event.trf"
    size.write_text(f"PlayersNumber={players}\nRoundsNumber={rounds}\n")
    subprocess.run(
        [witness, "--dutch", "-g", size, "-o", invented, "-s", str(seed)],
        check=True,
        capture_output=True,
    )
    of = read_trf(invented.read_bytes())
    for number in range(1, rounds + 1):
        cells = {n: each[number - 1] for n, each in of.pairings.items()}
        away = [n for n, cell in cells.items() if not cell.opponent and cell.code != "U"]
        report, numbers = report_of(of, number - 1, rounds, away)
        made = {(numbers[a - 1], b and numbers[b - 1]) for a, b in pairs(report, number)}
        assert made == {
            (n, cell.opponent)
            for n, cell in cells.items()
            if (cell.opponent and cell.colour == "w") or cell.code == "U"
        }, number


@pytest.mark.slow
@pytest.mark.parametrize("path", [SMALL, LARGE], ids=["small", "large"])
def test_colours_and_floats_are_those_of_gacrux(path: Path) -> None:
    rounds = len(event(path).pairings[1])
    course = book_of(path, rounds).tables["Course"]
    for last in range(1, rounds + 1):
        report, numbers = report_of(event(path), last, 9)
        file = trf2json()
        file.parse_file(report, 0)
        made = tiebreak(file.get_tournament(1), last, {"pre_determined": False, "swiss": True})
        for place, code in enumerate(("PTS", "ACC", "CSQ", "FLTD"), start=1):
            made.compute_single_tiebreak(made.parse_tiebreak(place, code))
        figures = (made.cmps[n + 1]["tiebreakScore"] for n in range(len(numbers)))
        for number, (points, _, colours, floats) in zip(numbers, figures, strict=True):
            # of each round two bits, the latest one the lowest
            shown = "".join("·↓↑"[floats // by % 4] for by in (4, 1))
            own = tuple(
                course.column(f"{key}{last}").values()[number - 1]
                for key in ("points", "colours", "floats")
            )
            assert own == (float(points), colours, shown), (last, number)
