"""``elo-xl fit`` with files as people have them."""

import csv
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

import elo_xl as elo
from tests.engine.test_fit import FIVE
from tests.support.command import invoke

NAMES = ["Ana", "Ben", "Cy", "Dee", "Eva"]
RESULTS = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}


run = partial(invoke, "fit")


def listed(games: Any, head: str = "White,Black,Result") -> str:
    rows = [f"{NAMES[a]},{NAMES[b]},{RESULTS[score]}" for a, b, score in games]
    return "\n".join([head, *rows]) + "\n"


def pgn(games: Any) -> str:
    return "\n".join(
        f'[Event "Evening {i // 5}"]\n[Round "{i % 5 + 1}"]\n[White "{NAMES[a]}"]\n'
        f'[Black "{NAMES[b]}"]\n[Result "{RESULTS[score]}"]\n\n1. e4 {RESULTS[score]}\n'
        for i, (a, b, score) in enumerate(games)
    )


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(listed(FIVE), encoding="utf-8")
    return path


def reference(**options: Any) -> Any:
    white, black, score = zip(*FIVE, strict=True)
    columns = {"white": [NAMES[i] for i in white], "black": [NAMES[i] for i in black]}
    return elo.fit({**columns, "result": list(score)}, **options)


def by_name(players: Any) -> dict[str, float]:
    return dict(zip(players["name"], players["rating"], strict=True))


def test_json_has_what_python_finds(games: Path) -> None:
    found = json.loads(run(games, "--json", "--anchor", "cy", "--rating", 1800).stdout)
    fitted = reference(anchor="Cy", rating=1800)
    ratings = {player["name"]: player["rating"] for player in found["players"]}
    assert ratings == pytest.approx(by_name(fitted.players))
    assert {*fitted.players} <= {*found["players"][0]}
    assert [p["rating"] for p in found["players"]] == sorted(ratings.values(), reverse=True)
    for key in ("home", "home_error", "draw", "draw_error", "log_likelihood"):
        assert found[key] == pytest.approx(getattr(fitted, key))
    assert found["anchor"] == "Cy"
    assert found["groups"] == [NAMES]


def test_pgn_of_several_events_is_one_history(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "season.pgn"
    path.write_text(pgn(FIVE), encoding="utf-8")
    one, two = (json.loads(run(file, "--json").stdout) for file in (games, path))
    assert one["players"] == two["players"]
    some = json.loads(run(path, "--event", "Evening 0", "--draws", "ignore", "--json").stdout)
    assert some["games"] == 5


def test_files_of_a_folder_are_one_history(games: Path, tmp_path: Path) -> None:
    folder = tmp_path / "season"
    folder.mkdir()
    (folder / "autumn.csv").write_text(listed(FIVE[:7]), encoding="utf-8")
    (folder / "spring.pgn").write_text(pgn(FIVE[7:]), encoding="utf-8")
    one, two = (json.loads(run(file, "--json").stdout) for file in (games, folder))
    for a, b in zip(one["players"], two["players"], strict=True):
        assert a == pytest.approx(b)
    (folder / "broken.csv").write_text(listed(FIVE) + "Ana,Ben,2-0\n", encoding="utf-8")
    done = run(folder)
    assert done.exit_code == 1
    assert "16 games of 5 players" in done.stdout
    assert "broken.csv" in done.stderr
    assert "1 of 3 files not counted" in done.stderr


def test_the_table_says_what_it_is(games: Path, tmp_path: Path) -> None:
    more = listed(FIVE) + "Ana,Flo,1-0\nGus,Ben,1-0\nHal,Ida,1/2-1/2\nIda,Hal,1/2-1/2\n"
    games.write_text(more, encoding="utf-8")
    target = tmp_path / "ratings.csv"
    done = run(games, "-o", target, "--compare", "ana", "Ben")
    assert done.exit_code == 0, done.stderr
    assert "The mean of these ratings: 1500. ±" in done.stdout
    assert "These games are few: half of the ratings are uncertain by ±" in done.stdout
    assert "White's advantage: " in done.stdout
    assert "Draws: ν = " in done.stdout
    assert "Only wins, so without a rating: Gus" in done.stdout
    assert "Only losses, so without a rating: Flo" in done.stdout
    assert "Group 2, not comparable as no games lead there: Hal; Ida" in done.stdout
    assert "Ana is stronger than Ben with a chance of " in done.stdout
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for key in ("rating", "error", "expected"):
        assert all(len(row[key].partition(".")[2]) <= 4 for row in rows)
    assert {row["name"]: row["group"] for row in rows[:5]} == dict.fromkeys(NAMES, "1")
    assert [row["rating"] for row in rows[5:]] == [""] * 4
    assert run(games, "-o", target).exit_code == 2
    assert run(games, "-o", target, "--force").exit_code == 0


def test_forfeits_are_left_out_and_counted(games: Path) -> None:
    games.write_text(listed(FIVE) + "Ana,Ben,+--\nCy,Ana,--+\n", encoding="utf-8")
    done = run(games)
    assert "games left out, as they were decided by forfeit: 2" in done.stderr
    assert "16 games of 5 players" in done.stdout


def test_whites_advantage_is_told_as_a_score(games: Path) -> None:
    done = json.loads(run(games, "--json").stdout)
    # won, drawn and lost games are in these proportions (Davidson)
    won, tied = 10 ** (done["home"] / 400), done["draw"] * 10 ** (done["home"] / 800)
    share = (won + tied / 2) / (won + tied + 1)
    assert f"White scores {share:.0%} against an equal" in run(games).stdout


def test_many_games_are_not_called_few(games: Path) -> None:
    head, _, lines = listed(FIVE).partition("\n")
    games.write_text(f"{head}\n{lines * 40}", encoding="utf-8")
    assert "are few" not in run(games).stdout


def test_without_colours_nobody_has_an_advantage(games: Path) -> None:
    games.write_text(listed(FIVE, "Player 1,Player 2,Result"), encoding="utf-8")
    done = run(games)
    assert "White's advantage is not fitted" in done.stdout
    found = json.loads(run(games, "--json").stdout)
    ratings = {player["name"]: player["rating"] for player in found["players"]}
    assert ratings == pytest.approx(by_name(reference(colours=False).players))


def test_nicknames_are_names(games: Path, tmp_path: Path) -> None:
    path, names = tmp_path / "online.pgn", tmp_path / "names.csv"
    nicks = {name: f"{name.lower()}_99" for name in NAMES}
    text = pgn(FIVE)
    for name, nick in nicks.items():
        text = text.replace(f'"{name}"', f'"{nick}"')
    path.write_text(text, encoding="utf-8")
    rows = "".join(f"{nick},{name}\n" for name, nick in nicks.items())
    names.write_text(f"Nickname,Name\n{rows}", encoding="utf-8")
    one = json.loads(run(games, "--json").stdout)
    two = json.loads(run(path, "--names", names, "--json").stdout)
    assert one["players"] == two["players"]


def test_a_name_becomes_no_formula(games: Path, tmp_path: Path) -> None:
    games.write_text(listed(FIVE).replace("Ana", "=1+1"), encoding="utf-8")
    target = tmp_path / "ratings.csv"
    assert run(games, "-o", target).exit_code == 0
    assert "'=1+1," in target.read_text(encoding="utf-8-sig")


@pytest.mark.slow
def test_a_workbook_has_the_values_of_the_csv_file(games: Path, tmp_path: Path) -> None:
    games.write_text(listed(FIVE).replace("Ana", "=1+1"), encoding="utf-8")
    plain, book = tmp_path / "ratings.csv", tmp_path / "ratings.xlsx"
    for target in (plain, book):
        assert run(games, "-o", target).exit_code == 0
    rows = [row[1:] for row in load_workbook(book)["Ratings"].values if isinstance(row[0], int)]
    assert [row[0] for row in rows].count("=1+1") == 1
    with plain.open(encoding="utf-8-sig", newline="") as file:
        theirs = list(csv.reader(file))[1:]
    for ours, text in zip(rows, theirs, strict=True):
        assert ours[1:] == pytest.approx(tuple(map(float, text[3:])))


def test_errors_may_be_left_out(games: Path) -> None:
    found = json.loads(run(games, "--no-errors", "--json").stdout)
    assert {player["error"] for player in found["players"]} == {None}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--anchor", "Zoe"], 1, "no player 'Zoe' in the event"),
        (["--compare", "Ana", "Zoe"], 1, "no player 'Zoe' in the event"),
        (["--anchor", "Ana=1500", "--anchor", "Zoe=1600"], 1, "no player 'Zoe' in the event"),
        (["--anchor", "Ana=1500", "--anchor", "ana"], 1, "--anchor names 'Ana' twice"),
        (["--anchor", "Ana=high"], 2, "'--anchor': 'high' is not a valid float"),
        (["--rating", "x"], 2, "is not a valid float"),
        (["--draws", "split"], 2, "'split' is not one of"),
        (["-o", "ratings.doc"], 2, "must end in one of .xlsx, .png, .svg, .csv"),
        (["--columns", "x"], 2, ""),
        (["--event", "Evening"], 1, "--event chooses an event of a PGN file"),
    ],
)
def test_wrong_words(games: Path, words: list[str], code: int, message: str) -> None:
    done = run(games, *words)
    assert done.exit_code == code
    assert message in done.stderr + str(done.exception)


def test_files_that_tell_nothing(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text(listed([(0, 1, 1), (1, 2, 1), (2, 0, 1)]), encoding="utf-8")
    done = run(games)
    assert isinstance(done.exception, elo.DomainError)
    assert "no most likely ratings" in str(done.exception)
    games.write_text(listed([]), encoding="utf-8")
    assert run(games).exit_code == 1
    assert run(tmp_path / "none.csv").exit_code == 1
    (tmp_path / "empty").mkdir()
    assert "there is no event" in run(tmp_path / "empty").stderr


def test_several_anchors_stay_as_in_python(games: Path) -> None:
    words = ("--anchor", "ana=1712.5", "--anchor", "Cy = 1400", "--anchor", "Eva")
    done = json.loads(run(games, "--json", "--rating", 1450, *words).stdout)
    given = {"Ana": 1712.5, "Cy": 1400, "Eva": 1450}
    fitted = reference(anchor=given)
    ratings = {player["name"]: player["rating"] for player in done["players"]}
    assert ratings == pytest.approx(by_name(fitted.players))
    assert done["anchors"] == [{"name": who, "rating": own} for who, own in given.items()]
    assert (
        "\nAna: 1712.5; Cy: 1400; Eva: 1450. ±: two" in run(games, "--rating", 1450, *words).stdout
    )


VOTES = [("Ana", "Bo", 6), ("Bo", "Ana", 4), ("Bo", "Cy", 3), ("Cy", "Ana", 2), ("Dee", "Cy", 0)]


@pytest.mark.parametrize("column", ["times", "Count", "games", "n", "Anzahl", "Сколько раз"])
def test_a_column_of_counts_counts(column: str, tmp_path: Path) -> None:
    once, counted = tmp_path / "once.csv", tmp_path / "counted.csv"
    rows = [f"{won},{lost}\n" * times for won, lost, times in VOTES]
    once.write_text("winner,loser\n" + "".join(rows), encoding="utf-8")
    lines = "".join(f"{won},{lost},{times}\n" for won, lost, times in VOTES)
    counted.write_text(f"winner,loser,{column}\n{lines}", encoding="utf-8")
    one, done = (json.loads(run(path, "--json").stdout) for path in (once, counted))
    assert (15, one["players"]) == (done["games"], done["players"])
    said = f"winner first; each line counts as often as {column} says; 4 lines, 3 players"
    assert said in done["notes"][0]


def test_counts_stand_beside_results_too(games: Path) -> None:
    rows = [(*game, i % 3 + 1) for i, game in enumerate(FIVE)]
    games.write_text(listed([game for *game, times in rows for _ in range(times)]))
    one = json.loads(run(games, "--json").stdout)
    head, *lines = listed(FIVE).splitlines()
    counted = [f"{line},{times}" for line, (*_, times) in zip(lines, rows, strict=True)]
    games.write_text("\n".join([f"{head},n", *counted]))
    done = json.loads(run(games, "--json", "--columns", "times=n").stdout)
    for a, b in zip(one["players"], done["players"], strict=True):
        assert a == pytest.approx(b)
    assert (one["home"], one["draw"]) == pytest.approx((done["home"], done["draw"]))


@pytest.mark.parametrize(
    ("column", "counts", "message"),
    [
        ("weight", "64", "note: unknown column 'weight' is ignored"),
        ("times", ("1:30", "0:59"), "note: unknown column 'times' is ignored"),
        ("times", "6x", "error: how often is not a number: 'x' @ games.csv, line 3, column 3"),
        ("n", "12", "2 games of 2 players"),
    ],
)
def test_a_column_that_does_not_count_is_named(
    column: str, counts: tuple[str, str], message: str, tmp_path: Path
) -> None:
    games = tmp_path / "games.csv"
    games.write_text(f"winner,loser,{column}\nAna,Bo,{counts[0]}\nBo,Ana,{counts[1]}\n")
    assert message in run(games).output.replace(f"{tmp_path}/", "")


def test_who_counts_each_line_once_says_so(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text("winner,loser,times\nAna,Bo,6\nBo,Ana,4\n")
    done = invoke("rate", games, "--dry-run")
    assert "winner first; each line counts once, not as often as times says; 2 lines" in done.stderr
