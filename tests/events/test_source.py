"""Games packed by gzip, bzip2 and Zstandard, read as they are unpacked; nicknames in events."""

from __future__ import annotations

import bz2
import gzip
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from backports import zstd

from elo_xl.club.ledger import Ledger
from elo_xl.events import source
from elo_xl.events.event import EventError
from elo_xl.events.files import read_event
from elo_xl.events.names import read_nicknames, with_names
from elo_xl.lists import keep, store
from elo_xl.lists.layouts import Entry
from elo_xl.templates.gallery import make, options
from tests.support.command import run

GAME = (
    '[Event "Online cup"]\n[White "{}"]\n[Black "{}"]\n[Result "{}"]\n[Round "{}"]\n'
    '[UTCDate "2026.10.03"]\n[WhiteElo "1800"]\n[BlackElo "1750"]\n\n'
    "1. e4 {{[%clk 0:03:00]}} e5 {}\n\n"
)
PGN = "".join(
    GAME.format(a, b, r, n, r)
    for n, (a, b, r) in enumerate(
        [("KnightRider", "pawn_star", "1-0"), ("pawn_star", "Müller99", "1/2-1/2")], start=1
    )
)
PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstd.compress,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(store.FOLDER, str(tmp_path / "lists"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.pgn").write_text(PGN, "utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("ending", PACK)
def test_packed_games_are_those_of_the_file(ending: str, folder: Path) -> None:
    plain = read_event(folder / "cup.pgn")
    data = PACK[ending](PGN.encode())
    path = folder / f"cup.pgn{ending}"
    path.write_bytes(data)
    for file in (path, data):
        read = read_event(file)
        assert (plain.name, plain.players, plain.games) == (read.name, read.players, read.games)
    # several packed pieces in a row, as programs that pack in parallel make them
    half = PGN.index("[Event", 10)
    path.write_bytes(PACK[ending](PGN[:half].encode()) + PACK[ending](PGN[half:].encode()))
    assert plain.games == read_event(path).games
    run("rate", path, "--dry-run")
    run("rate", path)
    assert (folder / "cup-rated.xlsx").exists()


@pytest.mark.slow
@pytest.mark.parametrize("ending", PACK)
def test_packed_games_are_known_by_name_and_by_content(ending: str, folder: Path) -> None:
    (folder / "club.xlsx").write_bytes(make("club", options("club"), {}))
    headed = f"Games of the club\n\n{PGN}".encode()
    for name, content in (
        (f"headed.PGN{ending}", headed), (f"cup{ending}", PGN.encode()), ("cup", PGN.encode()),
    ):  # fmt: skip
        (folder / name).write_bytes(PACK[ending](content))
        assert read_event(folder / "cup.pgn").games == read_event(folder / name).games
        assert "2 games, 3 players" in run("add", "club.xlsx", name, "--name", name, "--dry-run")


def test_packed_games_of_a_folder(folder: Path) -> None:
    (folder / "events").mkdir()
    (folder / "events" / "cup.pgn.zst").write_bytes(zstd.compress(PGN.encode()))
    assert "1 event, 2 games" in run("rate", "events", "--dry-run")


@pytest.mark.parametrize("ending", PACK)
def test_damaged_files(ending: str) -> None:
    data = PACK[ending](PGN.encode() * 50)
    for broken in (data[: len(data) // 2], data[:40] + b"\xff" * 40 + data[80:]):
        with pytest.raises(EventError, match="the packed file is damaged or not complete"):
            read_event(broken)


@pytest.mark.parametrize("ending", PACK)
def test_other_packed_files_are_refused(ending: str, folder: Path) -> None:
    (folder / f"a.csv{ending}").write_bytes(PACK[ending](b"White,Black,Result\nA,B,1\n"))
    said = run("rate", f"a.csv{ending}", code=1)
    assert f"only games as PGN may be packed: unpack it @ a.csv{ending}" in said


def bomb() -> bytes:
    """Hundreds of megabytes of the same game."""
    out = io.BytesIO()
    piece = GAME.format("A", "B", "1-0", 1, "1-0").encode() * 10_000
    with zstd.ZstdFile(out, "wb") as file:
        for _ in range(400_000_000 // len(piece)):
            file.write(piece)
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the memory in use")
def test_a_bomb_is_refused_in_little_memory(folder: Path) -> None:
    (folder / "bomb.pgn.zst").write_bytes(bomb())
    code = (
        "import re, resource, sys\n"
        "from elo_xl.events.files import read_event\n"
        "from elo_xl.events.event import EventError\n"
        "try: read_event('bomb.pgn.zst')\n"
        "except EventError as wrong: print(wrong)\n"
        "most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        # Linux counts there what the process was before it became Python: a copy of this one
        "own = re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read()) "
        "if sys.platform == 'linux' else None\n"
        "print(own.group(1) if own else most)\n"
    )
    root = Path(source.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100,
        env={"PYTHONPATH": str(root), "PATH": ""},
    )  # fmt: skip
    said, most = done.stdout.strip().splitlines()
    assert "unpacked it is more than 200 times as large, as no games are @ bomb.pgn.zst" == said
    assert int(most) < (400 << 20 if sys.platform == "darwin" else 400 << 10)


def test_zstandard_that_cannot_be_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_ZSTD_MODULES", ("nothing_of_that_name",))
    with pytest.raises(EventError, match=r"pip install backports\.zstd"):
        read_event(zstd.compress(PGN.encode()))


NAMES = "nickname;name;id\nknightrider;Ferrer Ruiz, Ana;11\npawn_star;Okafor, Ngozi;\n"


def test_nicknames_are_members(folder: Path) -> None:
    keep.write(
        "fide",
        "2026-10",
        [
            Entry("11", "Ferrer Ruiz, Ana", "ESP", rating=2105, k=20),
            Entry("12", "Okafor, Ngozi", "NGR", rating=2230, k=10),
            Entry("13", "Müller, Jan", "GER", rating=2000, k=20),
        ],
    )
    (folder / "nicks.csv").write_text(NAMES)
    said = run("rate", "cup.pgn", "--names", "nicks.csv", "--list", "fide", code=1)
    assert "who is 'Müller99'? The nickname is missing @ nicks.csv" in said
    assert not (folder / "cup-rated.xlsx").exists()
    (folder / "nicks.csv").write_text(NAMES + "muller99;;13\n")
    said = run("rate", "cup.pgn", "--names", "nicks.csv", "--list", "fide", code=1)
    assert "who is 'Müller99'? did you mean 'muller99'? The nickname is missing" in said
    (folder / "nicks.csv").write_text(NAMES + "MÜLLER99;;13\n", "utf-8")
    for words in (("cup.pgn",), ("cup.pgn", "cup.pgn")):
        said = run("rate", *words, "--names", "nicks.csv", "--list", "fide", "--dry-run")
        for name, rating in (("Ferrer Ruiz, Ana", 2105), ("Okafor, Ngozi", 2230)):
            assert any(name in line and str(rating) in line for line in said.splitlines())
    # without a list the ratings of the site stay
    assert "1800" in run("rate", "cup.pgn", "--names", "nicks.csv", "--dry-run")


def test_nicknames_with_a_list_of_players(folder: Path) -> None:
    (folder / "games.csv").write_text("White,Black,Result,Date\nkr,ps,1,2026-10-03\n")
    (folder / "nicks.csv").write_text("kr,Ana Ferrer\nps,Bo Li\n")
    words = ("rate", "games.csv", "--names", "nicks.csv", "--dry-run")
    assert "nobody has a rating: all begin at 1500" in run(*words)
    (folder / "players.csv").write_text("Name,Rating\nAna Ferrer,1900\nBo Li,1700\n")
    for more in ((), ("--players", "players.csv")):
        said = run(*words, *more)
        assert "Ana Ferrer" in said
        assert "1900" in said


@pytest.mark.slow
def test_nicknames_of_a_club(folder: Path) -> None:
    book = folder / "club.xlsx"
    members = {"Members": [{"name": name} for name in ("Ana Ferrer", "Bo Li", "Jan Müller")]}
    book.write_bytes(make("club", options("club", players=10, rounds=30), members))
    (folder / "nicks.csv").write_text(
        "Nick,Name\nknightrider,Ana Ferrer\npawn_star,Bo Li\nMüller99,Jan Müller\n", "utf-8"
    )
    said = run("add", book, "cup.pgn", "--names", "nicks.csv")
    assert "New members" not in said
    results = Ledger(book.read_bytes()).results
    assert [("Ana Ferrer", "Bo Li"), ("Bo Li", "Jan Müller")] == [
        (g.white, g.black) for g in results
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it has no nicknames|the file is empty"),
        ("nickname,name\n", "it has no nicknames"),
        ("a,Ana\nA,Bo\n", "'A' is somebody else on line 1 @ line 2"),
        ("a,\n", "the nickname 'a' has neither a name nor a number @ line 1"),
        (",Ana\n", "there is no nickname @ line 1"),
    ],
)
def test_wrong_files_of_nicknames(text: str, message: str) -> None:
    with pytest.raises(EventError, match=message):
        read_nicknames(text.encode())


def test_two_nicknames_of_one_person() -> None:
    names = read_nicknames(b"knightrider,Ana\npawn_star,ana x\nM\xc3\xbcller99,Ana\n")
    with pytest.raises(EventError, match="'KnightRider' and 'Müller99' are both Ana"):
        with_names(read_event(PGN.encode()), names)
