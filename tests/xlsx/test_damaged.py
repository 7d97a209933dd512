"""Workbooks that are damaged, hostile, signed or open elsewhere: one line says so, none changes."""

import errno
import io
import os
import re
import socket
import stat
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from elo_xl.cli import main
from elo_xl.hosts import addin_link, lambdas, xlwings_lite
from elo_xl.templates import gallery
from elo_xl.xlsx import files
from elo_xl.xlsx.cells import StoredBook
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.in_place import WorkbookError, read_parts
from elo_xl.xlsx.keep import held
from elo_xl.xlsx.opc import BOOK, MOST_RATIO, unzipped, zipped

COMMANDS = {
    "native": ("addin", "native", "{}"),
    "native --remove": ("addin", "native", "{}", "--remove"),
    "lite": ("addin", "lite", "{}"),
    "lite --remove": ("addin", "lite", "{}", "--remove"),
    "convert": ("addin", "libreoffice", "--convert", "{}"),
    "new --from": ("new", "match-odds", "--from", "{}"),
}
IN_PLACE = "native", "native --remove", "lite", "lite --remove"

Run = Callable[..., tuple[int, list[str]]]


@pytest.fixture(scope="module")
def good() -> dict[str, bytes]:
    """The parts of a book with calls of the functions."""
    options = gallery.options("match-odds", functions="libreoffice")
    return unzipped(gallery.make("match-odds", options, gallery.sample("match-odds", options)))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """A command on a workbook, in a folder of its own: how it ends, and its lines of errors."""
    monkeypatch.chdir(tmp_path)

    def elo_xl(command: str, book: Path, *more: object) -> tuple[int, list[str]]:
        words = [word.format(book) for word in COMMANDS[command]]
        monkeypatch.setattr(sys, "argv", ["elo-xl", *words, *map(str, more)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().err.splitlines()

    return elo_xl


def damages(part: bytes) -> Iterator[tuple[str, bytes | None]]:
    """What may happen to a part."""
    yield "is gone", None
    yield "is empty", b""
    yield "is cut", part[: 2 * len(part) // 3]
    yield "is garbage", bytes(range(256))
    yield "is another", b"<other/>"
    for encoding in (b"UTF-1", b"UTF-32"):
        yield "has no encoding of XML", b'<?xml version="1.0" encoding="%s"?><a/>' % encoding
    yield "has entities", b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><a>&b;</a>'


UNREAD = ("docProps/", "xl/theme/", "xl/drawings/", "xl/charts/", "xl/worksheets/_rels/")
"""Parts that no command reads: one that is missing, or holds something else, is left at that."""


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_damaged_part_is_named(
    command: str, good: Mapping[str, bytes], run: Run, tmp_path: Path
) -> None:
    book, made = tmp_path / "book.xlsx", tmp_path / "made.xlsx"
    more = () if command == "convert" else ("-o", book if command in IN_PLACE else made)
    for name, part in good.items():
        for what, damaged in damages(part):
            if what in ("is gone", "is another") and name.startswith(UNREAD):
                continue
            parts = {k: v for k, v in good.items() if k != name}
            if damaged is not None:
                parts[name] = damaged
            before = zipped(parts)
            book.write_bytes(before)
            code, lines = run(command, book, *more)
            why = f"{name} {what}: {lines}"
            assert (code, len(lines)) == (1, 1), why
            assert lines[0].startswith(f"error: {book}: it is"), why
            assert name in lines[0], why
            assert before == book.read_bytes(), why
            assert [book] == list(tmp_path.iterdir()), why


@pytest.mark.slow
def test_a_cell_that_cannot_be_read(good: Mapping[str, bytes], run: Run, tmp_path: Path) -> None:
    book = tmp_path / "book.xlsx"
    part = "xl/worksheets/sheet2.xml"
    for old, new in ((b' r="B', b' r="?'), (b' s="', b' s="?')):
        assert old in good[part]
        book.write_bytes(zipped({**good, part: good[part].replace(old, new)}))
        code, (line,) = run("new --from", book, "-o", tmp_path / "new.xlsx")
        assert (code, part in line) == (1, True)


def archive(*entries: tuple[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as file:
        for name, part in entries:
            file.writestr(name, part)
    return buffer.getvalue()


def with_zeros(good: Mapping[str, bytes], megabytes: int) -> bytes:
    buffer, zeros = io.BytesIO(), bytes(2**20)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in good.items():
            file.writestr(name, part)
        with file.open("xl/media/image1.png", "w") as image:
            for _ in range(megabytes):
                image.write(zeros)
    return buffer.getvalue()


def saying(content: bytes, size: int) -> bytes:
    """The package with another size of its last part, which stands 24 bytes behind this mark."""
    place = content.rindex(b"PK\x01\x02") + 24
    return content[:place] + size.to_bytes(4, "little") + content[place + 4 :]


def test_a_bomb_is_not_unfolded(good: Mapping[str, bytes], tmp_path: Path, run: Run) -> None:
    (tmp_path / "book.xlsx").write_bytes(saying(with_zeros(good, 1), 550_000_000))
    for command in COMMANDS:
        code, (line,) = run(command, tmp_path / "book.xlsx")
        assert (code, "would unfold to 550," in line) == (1, True)


def test_what_is_parsed_has_no_more_tags_than_books_have(good: Mapping[str, bytes]) -> None:
    """Five million rows in two megabytes of noise took a gigabyte."""
    sheet = "xl/worksheets/sheet1.xml"
    rows = good[sheet].replace(b"</sheetData>", b"<row/>" * 5_000_000 + b"</sheetData>")
    content = archive(*{**good, sheet: rows, "xl/media/image1.png": os.urandom(2 << 20)}.items())
    with pytest.raises(WorkbookError, match="tags or more, as no workbook of its size has"):
        read_parts(content)


def test_array_formulas_that_fill_the_same_cells(good: Mapping[str, bytes]) -> None:
    sheet = "xl/worksheets/sheet1.xml"
    cell = b'<row r="%d"><c r="A%d"><f t="array" ref="A1:XFD1048576">1</f><v>1</v></c></row>'
    rows = b"".join(cell % (n, n) for n in range(1, 100))
    root = re.sub(
        rb"<sheetData>.*</sheetData>",
        b"<sheetData>%s</sheetData>" % rows,
        good[sheet],
        flags=re.DOTALL,
    )
    with pytest.raises(WorkbookError, match="array formulas fill the same cells many times"):
        list(StoredBook({**good, sheet: root}).values())


@pytest.mark.parametrize(
    ("row", "name"), [("3", "C0"), ("0", ""), ("3", "C1048577"), ("3", "XFE3")]
)
def test_a_cell_that_no_sheet_has(row: str, name: str, good: Mapping[str, bytes]) -> None:
    sheet = "xl/worksheets/sheet1.xml"
    place = f' r="{name}"' if name else ""
    cell = f'<sheetData><row r="{row}"><c{place}><v>1</v></c></row></sheetData>'.encode()
    root = re.sub(rb"<sheetData>.*</sheetData>", cell, good[sheet], flags=re.DOTALL)
    with pytest.raises(WorkbookError, match=r"it is damaged: .* \(no sheet has a cell in row"):
        list(StoredBook({**good, sheet: root}).values())


@pytest.mark.slow
def test_a_bomb_that_lies_about_its_size(good: Mapping[str, bytes]) -> None:
    content = with_zeros(good, 50)
    assert content == saying(content, 50 * 2**20)
    tracemalloc.start()
    try:
        with pytest.raises(WorkbookError, match="Bad CRC-32"):
            read_parts(saying(content, 1000))
        assert tracemalloc.get_traced_memory()[1] < 5 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_what_workbooks_unfold_to_is_far_from_the_limit() -> None:
    """A sheet of columns that fold well, and of blank cells with a format."""
    rows = (
        f'<row r="{i}"><c r="A{i}" s="1"><v>{i % 7}</v></c><c r="B{i}" s="2"/><c r="C{i}" s="2"/>'
        f'<c r="D{i}" t="s"><v>0</v></c></row>'
        for i in range(1, 60_001)
    )
    sheet = "".join(rows).encode()
    assert len(sheet) < MOST_RATIO / 10 * len(archive(("xl/worksheets/sheet1.xml", sheet)))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("again", [BOOK, BOOK.upper()])
def test_a_part_that_is_there_twice(again: str, good: Mapping[str, bytes]) -> None:
    content = archive(*good.items(), (again, good[BOOK]))
    with pytest.raises(WorkbookError, match=f"it is damaged: {re.escape(again)} is in it twice"):
        read_parts(content)


def test_a_packing_that_excel_does_not_know(good: Mapping[str, bytes]) -> None:
    with pytest.raises(WorkbookError, match="packed as no spreadsheet program reads it"):
        read_parts(archive(*good.items(), packing=zipfile.ZIP_BZIP2))
    assert good == read_parts(archive(*good.items(), packing=zipfile.ZIP_STORED))


@pytest.mark.slow
def test_a_flipped_byte_changes_no_part_unseen(good: Mapping[str, bytes]) -> None:
    content = zipped(good)
    refused = 0
    for at in range(0, len(content), len(content) // 150):
        bad = bytearray(content)
        bad[at] ^= 0x55
        try:
            parts = read_parts(bytes(bad))
        except WorkbookError:
            refused += 1
        else:
            assert set(good.values()) == set(parts.values())
    assert refused > 100


@pytest.mark.parametrize("command", [c for c in COMMANDS if c != "new --from"])
def test_a_signature_is_not_broken(
    command: str, good: Mapping[str, bytes], run: Run, tmp_path: Path
) -> None:
    if command == "native --remove":
        good = unzipped(lambdas.put_into(zipped(good)))
    elif command == "lite --remove":
        good = unzipped(xlwings_lite.put_into(zipped(good)))
    elif command == "convert":
        good = unzipped(addin_link.put_into(zipped(good)))
    book = tmp_path / "book.xlsx"
    book.write_bytes(zipped({**good, "_xmlsignatures/origin.sigs": b""}))
    before = book.read_bytes()
    code, (line,) = run(command, book)
    assert (code, "has a digital signature" in line) == (1, True)
    assert before == book.read_bytes()
    assert [book] == list(tmp_path.iterdir())


# targets


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes and sockets as POSIX has them")
def test_pipes_and_sockets_stay(good: Mapping[str, bytes], run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    book, pipe, link = tmp_path / "in" / "book.xlsx", tmp_path / "pipe.xlsx", tmp_path / "link.xlsx"
    book.write_bytes(zipped(good))
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for target in (pipe, link):
        for command in IN_PLACE:
            for force in ((), ("--force",)):
                ended = run(command, book, "-o", target, *force)
                why = "it is a named pipe, not a file: choose another name"
                assert (1, [f"error: {target}: {why}"]) == ended
        assert stat.S_ISFIFO(target.stat().st_mode)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket.xlsx")  # the name of a socket must be short
        with pytest.raises(OSError, match="a socket") as wrong:
            write_whole(tmp_path / "socket.xlsx", b"")
        assert str(tmp_path / "socket.xlsx") == wrong.value.filename
    assert {"in", "pipe.xlsx", "link.xlsx", "socket.xlsx"} == {p.name for p in tmp_path.iterdir()}


def excel_lock(name: str) -> bytes:
    """The 165 bytes that Excel writes: the name in the code page and in UTF-16, filled up."""
    short = name.encode("cp1252", "replace")
    wide = name.encode("utf-16-le") + " ".encode("utf-16-le") * (54 - len(name))
    return bytes([len(short)]) + short.ljust(54) + len(name).to_bytes(2, "little") + wide


@pytest.mark.parametrize(("lock", "content", "who"), [
    ("~$book.xlsx", excel_lock("Ana Ибаньес"), "Ana Ибаньес has it open in Excel"),
    ("~$book.xlsx", b"", "somebody has it open in Excel"),
    (".~lock.book.xlsx#", b"Ana Ib\xc3\xa1\xc3\xb1ez,ana,desk,21.11.2026 10:00,file:///home/ana/4;",
     "Ana Ibáñez has it open in LibreOffice"),
    (".~lock.book.xlsx#", b"Ib\\, Ana,ana,desk,,;", "Ib, Ana has it open in LibreOffice"),
    (".~lock.book.xlsx#", b",ana,desk,,;", "ana has it open in LibreOffice"),
    (".~lock.book.xlsx#", b"", "somebody has it open in LibreOffice"),
])  # fmt: skip
def test_a_book_open_elsewhere_stays(lock: str, content: bytes, who: str, tmp_path: Path) -> None:
    book = tmp_path / "book.xlsx"
    write_whole(book, b"old")
    (tmp_path / lock).write_bytes(content)
    with pytest.raises(OSError, match="has it open") as wrong:
        write_whole(book, b"new")
    why = str(wrong.value.strerror)
    assert why.startswith(f"{who}: close it there")
    assert f"delete {lock}" in why
    assert b"old" == book.read_bytes()
    write_whole(tmp_path / "other.xlsx", b"new")
    (tmp_path / lock).unlink()
    write_whole(book, b"new")
    assert b"new" == book.read_bytes()


def test_the_unfinished_file_may_lie_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = tmp_path / "XLSTART"
    start.mkdir()
    seen: list[list[str]] = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append([p.name for p in start.iterdir()]))
    write_whole(start / "elo_xl.xlam", b"add-in", through=tmp_path)
    assert [[]] == seen
    assert ["elo_xl.xlam"] == [path.name for path in start.iterdir()]
    assert [start] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("command", "source", "target"),
    [
        ("native", "book.xlsx", "book.xlsm"),
        ("native", "book.xlsm", "book.xlsx"),
        ("lite", "book.xlsx", "b.txt"),
        ("new --from", "book.xlsx", "b.xls"),
        ("new --from", "book.xlsx", "b.xlsm"),
    ],
)
def test_an_ending_that_does_not_fit(
    command: str, source: str, target: str, good: Mapping[str, bytes], run: Run, tmp_path: Path
) -> None:
    book = tmp_path / source
    book.write_bytes(zipped(good))
    ending = book.suffix if command != "new --from" else ".xlsx"
    code, lines = run(command, book, "-o", target)
    assert (1, [f"error: {target}: the name of this workbook must end in {ending}"]) == (
        code,
        lines,
    )
    assert [book] == list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_is_replaced_only_with_force(
    command: str, good: Mapping[str, bytes], run: Run, tmp_path: Path
) -> None:
    book = tmp_path / "book.xlsx"
    book.write_bytes(zipped(good))
    assert 0 == run(command, book)[0]
    (made,) = set(tmp_path.iterdir()) - {book}
    made.write_text("typed for a season")
    code, lines = run(command, book)
    assert (code, "already exists" in " ".join(lines)) == (2, True)
    assert "typed for a season" == made.read_text()
    assert 0 == run(command, book, "--force")[0]
    assert zipfile.is_zipfile(made)


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the folder, not the unfinished file; permissions do not bind root."""
    real = open

    def refusing(file: Any, mode: str = "r", **_: Any) -> Any:
        if mode == "xb":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
        return real(file, mode)

    monkeypatch.setattr(files, "open", refusing, raising=False)
    with pytest.raises(PermissionError, match="the folder may not be written") as lone:
        write_whole(tmp_path / "new.xlsx", b"new")
    assert str(tmp_path / "new.xlsx") == lone.value.filename
    book = tmp_path / "club.xlsx"
    book.write_bytes(b"book")
    with (
        pytest.raises(PermissionError, match="the folder may not be written") as locked,
        held(book),
    ):
        pass
    assert str(tmp_path) == locked.value.filename


def test_an_array_formula_over_a_whole_sheet(good: Mapping[str, bytes]) -> None:
    """It says of no cell what it does not hold, and takes no time."""
    part = "xl/worksheets/sheet1.xml"
    row = b'<row r="900"><c r="C900"><f t="array" ref="C1:XFD1048576">1</f><v>1</v></c></row>'
    parts = {**good, part: good[part].replace(b"</sheetData>", row + b"</sheetData>")}
    before, after = (next(iter(StoredBook(each).values())).cells for each in (good, parts))
    assert after[900, 3].formula
    assert {at for at, cell in after.items() if cell.formula} >= {at for at in before if at[1] > 2}
    assert all(cell == after[at] for at, cell in before.items() if at[1] < 3)


@pytest.mark.slow
@pytest.mark.parametrize("size", ["abc", "1e400", "99999999", "-5"])
def test_a_size_that_no_book_has(size: str, run: Run, tmp_path: Path) -> None:
    parts = unzipped(gallery.make("match-odds", gallery.options("match-odds"), None))
    said = parts["docProps/custom.xml"].decode()
    other = re.sub(r'(name="Rounds"[^>]*>\s*<[^>]*>)[^<]*', rf"\g<1>{size}", said)
    assert said != other
    book = tmp_path / "book.xlsx"
    book.write_bytes(zipped({**parts, "docProps/custom.xml": other.encode()}))
    code, lines = run("new --from", book, "-o", tmp_path / "new.xlsx")
    assert (1, 1, "internal error" in lines[0]) == (code, len(lines), False)
    assert [book] == list(tmp_path.iterdir())
