"""Every reader on files changed at random: what it takes is sound, what it refuses it refuses well.

Some of each here; `python -m tests.events.test_fuzz trf 600 7` gives a reader ten minutes of work.
"""

from __future__ import annotations

import io
import math
import os
import random
import re
import sqlite3
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import date
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest
from lxml import etree
from pyarrow import feather, parquet

from elo_xl.books import book_file
from elo_xl.books.book import BookError, Options
from elo_xl.books.flavours import put_into, take_out
from elo_xl.bulk.rate import rate_files
from elo_xl.bulk.request import Request
from elo_xl.club.adding import Adding, add_event
from elo_xl.club.closing import close_period
from elo_xl.club.ledger import Ledger
from elo_xl.engine.errors import EloError
from elo_xl.engine.rulebooks import rulebook
from elo_xl.events.event import Tournament
from elo_xl.events.files import read_event
from elo_xl.events.rate import rate
from elo_xl.lists import keep, layouts, store
from elo_xl.questions.rate.book import is_large, rated_event_book
from elo_xl.templates import gallery
from elo_xl.templates.opened import EntriesError, continued, old_book
from elo_xl.xlsx.in_place import WorkbookError, with_parts
from elo_xl.xlsx.opc import unzipped
from tests.support import ROOT, lint, package_rules
from tests.support.levels import amount
from tests.support.mutations import mutated, mutated_archive, mutated_bytes, mutated_words
from tests.support.table_files import as_csv, as_ods, as_xlsx
from tests.support.trf_lines import player, trf

pytestmark = pytest.mark.slow

SHARED = Path(os.environ.get("ELO_XL_TRF", "none"))
"""A folder of real report files, if there is one."""

REFUSED = EloError, WorkbookError, EntriesError, BookError
LONGEST = 10.0
"""Seconds of work that no small file may take."""
CONTROL = re.compile("[\x00-\x08\x0b-\x1f]")

PGN = "\n".join(
    f'[Event "Spring Open"]\n[Site "Rivertown"]\n[Date "2026.03.{n:02}"]\n[Round "{n}.1"]\n'
    f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n[WhiteElo "{1800 + n}"]\n'
    f'[BlackElo "{1700 + n}"]\n[WhiteFideId "{9000 + len(white)}"]\n[TimeControl "5400+30"]\n\n'
    f"1. e4 {{a comment}} e5 (1... c5) 2. Nf3 $1 Nc6 {result}\n"
    for n, (white, black, result) in enumerate(
        [("Ferrer, Ana", "Okafor, Ngozi", "1-0"), ("Ibarra, Tomas", "Ferrer, Ana", "1/2-1/2"),
         ("Okafor, Ngozi", "Ibarra, Tomas", "*"), ("Ferrer, Ana", "Zeller, Bo", "0-1")], 1)
).encode()  # fmt: skip
GAMES = (
    ("Round", "White", "Elo", "Black", "Elo", "Result", "Date"),
    (1, "Ferrer, Ana", 1834, "Okafor, Ngozi", 2179, "1-0", "2026-03-07"),
    (1, "Ibarra, Tomás", 1700, "Zeller, Bo", "", "½-½", "2026-03-07"),
    (2, "Ferrer, Ana", 1834, "Ibarra, Tomás", 1700, "0-1", "2026-03-08"),
    (2, "Okafor, Ngozi", 2179, "Zeller, Bo", "", "+:-", "2026-03-08"),
)
CROSSTABLE = (
    ("Spring Open",),
    ("No", "Name", "Rtg", "Fed", "R1", "R2", "Pts"),
    (1, "Ferrer, Ana", 1834, "ESP", "2w1", "3b½", "1,5"),
    (2, "Okafor, Ngozi", 2179, "NGR", "1b0", "-1", 1),
    (3, "Ibarra, Tomás", 1700, "MEX", "", "1w½", "0,5"),
)
FIXED = (
    "ID Number      Name                                  Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag\n"
    "99000001       Ferrer Ruiz, Ana                      ESP F   WGM  WGM                     "
    "2105  7   20 2080  0   20 2061  9   40 1999  w\n"
    "99000002       Okafor, Ngozi                         NGR M                                "
    "0     0   0  1712  3   40 0     0   0  2012  i\n"
)
XML = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<playerslist>\n<player><fideid>99000001</fideid>'
    "<name>Ferrer Ruiz, Ana</name><country>ESP</country><sex>F</sex><title>WGM</title>"
    "<rating>2105</rating><games>7</games><k>20</k><birthday>1999</birthday></player>\n"
    "</playerslist>\n"
)
NATIONAL = "id;name;rating;birth\nA0042-001;Müller, Jürgen;1743;1960\n17;Ferrer, Ana;1834;1999\n"


RULES = """title = "Ours"
model = "logistic"
cap = 400
rounding = "whole"
floor = 800
k = [{k = 40, games_below = 30}, {k = 20}]
first = {method = "performance"}
"""
SMALL = re.compile(r"^( +(?:players|rounds) (\d+)\.\.\d+ =) \d+", re.MULTILINE)


class FindingError(AssertionError):
    """What no file may lead to."""


# -- what must hold -------------------------------------------------------------------------------


def sound(event: Tournament, chance: random.Random) -> None:
    """Rate an event; every number is within the bounds, and the book holds only texts as texts."""
    for p in event.players:
        for value, least, most in ((p.rating, 1, 4000), (p.k, 0, 100), (p.peak, 1, 4000),
                                   (p.games, 0, 100_000), (p.birth_year, 1800, 2099)):  # fmt: skip
            if value is not None and not (least <= value <= most and math.isfinite(value)):
                raise FindingError(f"{value} is out of bounds: {p}")
    rated = rate(event, chance.choice((None, "fide", "uscf", "elo-1978")))
    for one in rated.players:
        numbers = (one.new, one.change, one.expected, one.score)
        if not all(map(math.isfinite, numbers)) or not -2000 < one.new < 9000:
            raise FindingError(f"no numbers of a player: {one}")
    for fresh in rated.new_players:
        if fresh.rating is not None and not 0 < fresh.rating < 5000:
            raise FindingError(f"no first rating: {fresh}")
    small = len(event.players) * event.rounds < 400
    if chance.random() < 0.05 and (small or is_large(rated)) and len(event.games) < 2000:
        book_is_sound(rated_event_book(rated).file())


def book_is_sound(file: bytes) -> None:
    for name, part in unzipped(file).items():
        if not name.endswith((".xml", ".rels")):
            continue
        root = etree.fromstring(part)
        if CONTROL.search("".join(map(str, root.itertext())).replace("\r", "")):
            raise FindingError(f"control characters in {name}")
        for formula in root.iter("{*}f", "{*}definedName"):
            if "FUZZ" in (formula.text or ""):
                raise FindingError(f"a text became a formula in {name}: {formula.text}")
        for cell in root.iter("{*}c"):
            text = "".join(t.text or "" for t in cell.iter("{*}t"))
            if text[:1] in ("=", "+", "-", "@", "\t", "\r") and cell.get("t") not in (
                *("inlineStr", "s", "str"),
            ):
                raise FindingError(f"{text!r} is no text in {name}")


# -- readers --------------------------------------------------------------------------------------


def event_reader(name: str) -> Callable[[bytes, random.Random], None]:
    def read(data: bytes, chance: random.Random) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(data)
            sound(read_event(path), chance)

    return read


def list_reader(data: bytes, chance: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ[store.FOLDER] = folder
        path = Path(folder, "list.txt")
        path.write_bytes(data)
        with layouts.opened(path) as (name, stream):
            reading = layouts.Reading(name, "standard")
            entries = list(layouts.read(name, stream, reading))
        for entry in entries:
            for key, value in entry._asdict().items():
                most = 2100 if key == "birth" else 99_999 if "games" in key else 4999
                if isinstance(value, int) and not 0 <= value <= most:
                    raise FindingError(f"{key} {value} is out of bounds: {entry}")
                if key in ("rating", "rapid", "blitz") and value is not None and value < 1:
                    raise FindingError(f"{key} {value} is out of bounds: {entry}")
                if isinstance(value, str) and CONTROL.search(value):
                    raise FindingError(f"control characters: {entry}")
        one, count = keep.write("fuzz", "2026-10", entries, reading)
        assert count == store.size(one)
        names = [entry.name for entry in entries[:3]]
        store.by_ids(one, [entry.id for entry in entries[:3]])
        store.by_names(one, [*names, *(chance.choice(n.split() or [n]) for n in names)])


def book_reader(data: bytes, chance: random.Random) -> None:
    """What commands do with a book that somebody has."""
    what = chance.randrange(4)
    if what == 0:
        book = Ledger(data)
        add_event(book, read_event(seeds("trf")[0]), Adding(name="+FUZZ", new=True))
        book_is_sound(with_parts(book.file, book.written_parts()))
    elif what == 1:
        book = Ledger(data)
        close_period(book, date(2026, 9, 1))
        for record in (
            r
            for m in Ledger(with_parts(book.file, book.written_parts())).members
            for r in m.records.values()
        ):
            if record.rating is not None and not 0 < record.rating < 4500:
                raise FindingError(f"a rating out of bounds: {record}")
    elif what == 2:
        old = continued(old_book(data))
        book_is_sound(gallery.make(old.template, old.options, None))
    else:
        form = chance.choice(("lambda", "lite"))
        take_out(put_into(data, form), form)


def long_reader(name: str) -> Callable[[bytes, random.Random], None]:
    """Games that are rated in batches."""

    def read(data: bytes, _: random.Random) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path, players = Path(folder, name), Path(folder, "players.csv")
            path.write_bytes(data)
            players.write_text("name,rating\nAna,1800\nBo,1700\n")
            asked = Request((path,), players, Path(folder, "out.csv"), k=20, most_unread=1)
            rate_files(asked)
            for line in asked.output.read_text("utf-8").splitlines()[1:]:
                new = float(line.split(",")[2])
                if not 0 < new < 5000:
                    raise FindingError(f"a rating out of bounds: {line}")

    return read


def text_reader(data: bytes, _: random.Random) -> None:
    """A book of one's own: what is made Excel accepts, and what is refused has its place."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "own.book")
        path.write_bytes(data)
        try:
            content = book_file.read(path, Options()).file()
        except UnicodeDecodeError:
            raise BookError("no text @ own.book:1:1") from None
        except BookError as error:
            if "own.book" in str(error) and not re.search(r"own\.book:\d+:\d+", str(error)):
                raise FindingError(f"no line and column: {error}") from None
            raise
        if found := [*lint.problems(content), *package_rules.problems(content)]:
            raise FindingError(f"Excel would not accept it: {found[0]}")


def rules_reader(data: bytes, chance: random.Random) -> None:
    """A club's own rulebook."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "own.toml")
        path.write_bytes(data)
        rate(read_event(chance.choice(seeds("trf"))), rulebook(path))


def long_file(kind: str, games: int) -> bytes:
    """Games of two players, in a file of numbers."""
    white, black, result = ["Ana"] * games, ["Bo"] * games, ["1-0", "½"] * (games // 2) or ["0-1"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games")
        table = pa.table({"white": white, "black": black, "result": result})
        if kind == "parquet":
            parquet.write_table(table, path, compression="none", use_dictionary=False)
        elif kind == "arrow":
            feather.write_feather(table, path, compression="uncompressed")
        else:
            with closing(sqlite3.connect(path)) as base, base:
                base.execute("CREATE TABLE games (white, black, result)")
                rows = zip(white, black, result, strict=True)
                base.executemany("INSERT INTO games VALUES (?, ?, ?)", rows)
        return path.read_bytes()


@cache
def seeds(kind: str) -> list[bytes]:
    """Sound files of a kind."""
    match kind:
        case "trf":
            own = trf(player(1, "2 w 1", name="Ferrer, Ana", rating=1834),
                      player(2, "1 b 0", name="Okafor, Ngozi", rating=2179))  # fmt: skip
            real = sorted(SHARED.glob("*.trf")) if SHARED.is_dir() else []
            return [own, (ROOT / "examples" / "rivertown-open.trf").read_bytes(),
                    *(path.read_bytes() for path in real)]  # fmt: skip
        case "pgn":
            return [PGN, PGN.replace(b"2026.03", b"2026.04").replace(b'[Round "', b'[Round "1')]
        case "csv":
            return [as_csv(GAMES), as_csv(CROSSTABLE, ";"), as_csv(GAMES, "\t", "utf-16")]
        case "xls":
            return [(ROOT / "tests" / "data" / "event.xls").read_bytes()]
        case "html":
            rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in GAMES)
            cells = "".join(f"<tr>{row}</tr>\n" for row in rows)
            return [f"<!doctype html><meta charset=utf-8><table>{cells}</table>".encode()]
        case "rules":
            return [RULES.encode()]
        case "texts":
            books = (ROOT / "elo_xl" / "templates").glob("*.book")
            texts = [path.read_text("utf-8") for path in sorted(books)]
            small = (text for text in texts if len(text) < 16_000)
            return [SMALL.sub(r"\1 \2", text).encode() for text in small]
        case "sqlite" | "parquet" | "arrow":
            return [long_file(kind, games) for games in (40, 4000)]
        case "xlsx" | "ods":
            write = as_xlsx if kind == "xlsx" else as_ods
            files = [write({"Games": GAMES}), write({"Table": CROSSTABLE, "Notes": [("x",)]})]
            if kind == "xlsx":
                for template in ("swiss", "rating-period"):
                    options = gallery.options(template, players=6)
                    files.append(gallery.make(template, options, gallery.sample(template, options)))
            return files
        case "lists":
            return [text.encode() for text in (FIXED, XML, NATIONAL)]
        case "books":
            files = []
            names = ("Ferrer, Ana", "Okafor, Ngozi", "Zeller, Bo")
            members = [
                {"name": name, "standard": 1500 + 50 * i, "standard_games": 30}
                for i, name in enumerate(names)
            ]
            empty = gallery.make(
                "club", gallery.options("club", players=30, rounds=60), {"Members": members}
            )
            filled = Ledger(empty)
            adding = Adding(name="Open", new=True, day=date(2026, 3, 7))
            add_event(filled, read_event(as_csv(GAMES)), adding)
            files += [with_parts(filled.file, filled.written_parts()), empty]
            for template in ("swiss", "ladder", "rating-history"):
                options = gallery.options(template)
                files.append(gallery.make(template, options, gallery.sample(template, options)))
            return files
    raise AssertionError(kind)


EVENTS = "trf", "pgn", "csv", "html", "xlsx", "ods", "xls"
READERS: dict[str, Callable[[bytes, random.Random], None]] = {
    **{kind: event_reader(f"event.{kind}") for kind in EVENTS},
    **{kind: long_reader(f"games.{kind}") for kind in ("sqlite", "parquet", "arrow")},
    "rules": rules_reader,
    "texts": text_reader,
    "lists": list_reader,
    "books": book_reader,
}
ARCHIVES = "xlsx", "ods", "books"
OF_BYTES = "xls", "sqlite", "parquet", "arrow"


def one_turn(kind: str, seed: str) -> tuple[str, bytes, float]:
    """Read one changed file: what became of it, the file, and the seconds."""
    chance = random.Random(seed)
    change = mutated_archive if kind in ARCHIVES else mutated
    if kind in OF_BYTES:
        change = mutated_bytes
    if kind == "texts":
        change = mutated_words
    first, other = chance.choice(seeds(kind)), chance.choice(seeds(kind))
    data = change(chance, first, other)
    if kind == "lists" and chance.random() < 0.1:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("standard_oct26frl.txt", data)
        data = mutated(chance, buffer.getvalue(), first)
    begun = time.process_time()
    try:
        READERS[kind](data, chance)
    except REFUSED as error:
        text = str(error)
        ended = "refused" if text and not CONTROL.search(text.replace("\n", "")) else f"!{text!r}"
    except FindingError as finding:
        ended = f"!{finding}"
    except Exception:  # noqa: BLE001  that is what is looked for
        ended = f"!{traceback.format_exc()}"
    else:
        ended = "read"
    seconds = time.process_time() - begun
    return (f"!{seconds:.0f} seconds" if seconds > LONGEST else ended), data, seconds


TURNS = {"trf": 40, "pgn": 80, "csv": 80, "xlsx": 20, "ods": 60, "lists": 80, "books": 6,
         "xls": 12, "sqlite": 10, "parquet": 10, "arrow": 10, "html": 20,
         "rules": 20, "texts": 8}  # fmt: skip
"""changed files of each kind"""


@pytest.mark.parametrize("kind", READERS)
def test_no_file_gets_through(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.FOLDER, "")
    ended = Counter[str]()
    for turn in range(TURNS[kind] * amount(1, 8)):
        what, data, _ = one_turn(kind, f"{kind} {turn}")
        assert not what.startswith("!"), (turn, what, data[:2000])
        ended[what] += 1
    # next to nothing that is changed in Parquet can be read
    wanted = {"refused"} if kind in ("parquet", "arrow") else {"read", "refused"}
    assert ended.keys() >= wanted


if __name__ == "__main__":
    kind_, seconds_, first_ = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    counts, told, slowest = Counter[str](), Counter[str](), 0.0
    turn_ = 0
    while time.process_time() < seconds_:
        seed_ = f"{first_} {kind_} {turn_}"
        ended_, data_, took = one_turn(kind_, seed_)
        slowest = max(slowest, took)
        counts["finding" if ended_.startswith("!") else ended_] += 1
        if ended_.startswith("!"):
            key = re.sub(r"[\d.]+", "0", " ".join(ended_.splitlines()[-3:]))[-160:]
            told[key] += 1
            if told[key] == 1:
                sys.stdout.write(f"--- {seed_}\n{ended_[:3000]}\n")
                sys.stdout.flush()
        turn_ += 1
    sys.stdout.write(f"{kind_}: {turn_} files, {dict(counts)}, slowest {slowest:.2f} s, {told}\n")
