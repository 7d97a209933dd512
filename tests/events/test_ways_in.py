"""Files from somebody else reach no file that the command line does not name, and no network.

Each command gets files in which everything that could name another file does: properties, cells,
links, pictures, connections. `python -m tests.events.test_ways_in` runs them all under strace and
prints each path that is looked at outside of their folder.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from elo_xl.club.ledger import Ledger
from elo_xl.club.steps import STEP
from elo_xl.engine.errors import EloError
from elo_xl.engine.rulebooks.own import FOLDER
from elo_xl.lists import store
from elo_xl.templates import gallery
from elo_xl.templates.opened import EntriesError
from elo_xl.xlsx.edit import NewValue
from elo_xl.xlsx.in_place import WorkbookError, read_parts, with_parts
from elo_xl.xlsx.opc import BOOK_RELATIONSHIPS
from tests.support.clubs import FOUR
from tests.support.command import invoke
from tests.support.levels import cases
from tests.support.reached import trap

REFUSED: Final = EloError, WorkbookError, EntriesError
MARK: Final = "attacker"
RULES: Final = "k = [{k = 40}]\n"
EVENT: Final = (
    "White;Black;White Elo;Black Elo;Result;Date\n"
    + "".join(f"Player {n};Player {n + 1};1500;1600;1-0;2026-03-01\n" for n in range(1, 12))
)  # fmt: skip
OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
CUSTOM: Final = "http://schemas.openxmlformats.org/officeDocument/2006"
KINDS: Final = ("image", "hyperlink", "externalLinkPath", "oleObject", "queryTable",
                "attachedTemplate")  # fmt: skip


def hostile(book: bytes, path: str) -> bytes:
    """A workbook in whose properties and relationships a path stands wherever one can."""
    parts = read_parts(book)
    properties = parts["docProps/custom.xml"].decode()
    told = json.dumps({"what": "add", "copy": path, "before": "0", "after": "0"})
    for number, (name, text) in enumerate((("Rules", path), (STEP, told), ("Base", path)), 90):
        element = (
            f'<property xmlns="{CUSTOM}/custom-properties" pid="{number}" name="{name}"'
            f' fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}"><vt:lpwstr'
            f' xmlns:vt="{CUSTOM}/docPropsVTypes">{text}</vt:lpwstr></property>'
        )
        properties = properties.replace("</Properties>", f"{element}</Properties>")
    target = path.replace("\\", "/")
    relations = "".join(
        f'<Relationship Id="rX{n}" Type="{OFFICE}/{kind}" Target="{target}" TargetMode="{mode}"/>'
        for n, (kind, mode) in enumerate((k, m) for k in KINDS for m in ("External", "Internal"))
    )
    changed = {"docProps/custom.xml": properties.encode()}
    for part in [BOOK_RELATIONSHIPS, *(p for p in parts if p.startswith("xl/worksheets/_rels/"))]:
        text = parts[part].decode()
        changed[part] = text.replace("</Relationships>", f"{relations}</Relationships>").encode()
    linked = (
        '<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><externalBook'
        f' xmlns:r="{OFFICE}" r:id="rId1"/></externalLink>'
    )
    changed["xl/externalLinks/externalLink9.xml"] = linked.encode()
    changed["xl/externalLinks/_rels/externalLink9.xml.rels"] = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f"{relations.replace('rX0', 'rId1')}</Relationships>"
    ).encode()
    changed["xl/connections.xml"] = (
        '<connections xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f'<connection id="1" name="c" type="1" sourceFile="{path}"><dbPr connection="{path}"/>'
        "</connection></connections>"
    ).encode()
    return with_parts(book, changed)


@cache
def made(template: str) -> bytes:
    options = gallery.options(template, players=12 if template != "match-odds" else None)
    return gallery.make(template, options, gallery.sample(template, options))


@cache
def club(path: str, closed: bool) -> bytes:
    """A club's book with an event whose rulebook is a path."""
    options = gallery.options("club", players=10, rounds=20)
    book = Ledger(gallery.make("club", options, {"Members": FOUR}))
    day = date(2026, 4, 1) if closed else None
    book.append("Events", event="Cup", date=date(2026, 3, 1), kind="standard", games=1,
                players=2, rulebook=path, closed=day)  # fmt: skip
    table = "Rated" if closed else "Results"
    names: dict[str, NewValue] = {"white": "Aubert, Ada", "black": "Blanco, Bo", "result": 1}
    more: dict[str, NewValue] = {}
    if closed:
        more = {"closed": day, "white_rating": 1800, "black_rating": 1700}
    book.append(table, event="Cup", **names, **more)
    return book.changed()


def filled(folder: Path, path: str) -> None:
    """The files of the commands, all of them hostile."""
    (folder / "event.csv").write_text(EVENT + f"{path};=HYPERLINK({path!r});1;1;{path};{path}\n")
    for template in ("swiss", "rating-period"):
        (folder / f"{template}.xlsx").write_bytes(made(template))
        (folder / f"{template}-x.xlsx").write_bytes(hostile(made(template), path))
    (folder / "club.xlsx").write_bytes(hostile(club(path, False), path))
    (folder / "closed.xlsx").write_bytes(hostile(club(path, True), path))
    (folder / "own.book").write_text(
        f'book "Own"\n  rules {path}\n\nsheet one "One"\n  table T\n    name "Name" rows:3\n'
    )


COMMANDS: Final = ("rate swiss-x.xlsx -o out.xlsx", "rate rating-period-x.xlsx --dry-run",
                   "rate event.csv -o out.xlsx --force",
                   "rate swiss-x.xlsx rating-period-x.xlsx --dry-run",
                   "explain swiss-x.xlsx Ferrer", "explain closed.xlsx Aubert",
                   "export swiss-x.xlsx -o out.trf", "fit swiss-x.xlsx", "check swiss-x.xlsx",
                   "norms swiss-x.xlsx", "odds swiss-x.xlsx", "prizes swiss-x.xlsx",
                   "unusual swiss-x.xlsx", "publish swiss-x.xlsx -o out.html",
                   "publish closed.xlsx -o club.html", "next swiss-x.xlsx -o next.xlsx",
                   "next rating-period-x.xlsx -o next.xlsx --force",
                   "new --from swiss-x.xlsx -o new.xlsx", "new own.book -o own.xlsx",
                   "new club --people swiss-x.xlsx -o people.xlsx",
                   "add club.xlsx swiss-x.xlsx --name S --date 2026-03-08",
                   "close club.xlsx --date 2026-05-01", "correct closed.xlsx", "undo club.xlsx",
                   "undo closed.xlsx", "list import swiss-x.xlsx --month 2026-10",
                   "list update club.xlsx", "addin native swiss-x.xlsx", "addin lite swiss-x.xlsx",
                   "addin libreoffice --convert swiss-x.xlsx")  # fmt: skip


def under_strace(words: str, work: Path, path: str) -> set[str]:
    """What a command asks the system for outside of its folder."""
    filled(work, path)
    log = work.parent / "strace.log"
    environment = os.environ | {"TMPDIR": str(work), FOLDER: str(work / "rulebooks"),
                                store.FOLDER: str(work / "lists")}  # fmt: skip
    subprocess.run(
        ["strace", "-f", "-e", "trace=file,network", "-o", log, sys.executable, "-m", "elo_xl",
         *words.split()],
        cwd=work, env=environment, capture_output=True, check=False,
    )  # fmt: skip
    lines = log.read_text(errors="replace").splitlines()
    asked = {found[1] for line in lines for found in re.finditer(r'"((?:[^"\\]|\\.)*)"', line)}
    return {text for text in asked if MARK in text} | {
        line.split(maxsplit=1)[1] for line in lines if re.search(r"\b(connect|sendto)\(", line)
    }


@pytest.fixture(params=["a file", "a host"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A path outside: a rulebook that is there, and a host on the network."""
    there = tmp_path / MARK / "r.toml"
    there.parent.mkdir()
    there.write_text(RULES)
    return str(there) if request.param == "a file" else rf"\\{MARK}\share\r.toml"


@pytest.mark.slow
@pytest.mark.parametrize("words", cases(COMMANDS, test=COMMANDS[:2]))
def test_nothing_else_is_reached(
    words: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    filled(work, path)
    monkeypatch.chdir(work)
    monkeypatch.setenv(FOLDER, str(work / "rulebooks"))
    monkeypatch.setenv(store.FOLDER, str(work / "lists"))
    monkeypatch.setattr(tempfile, "tempdir", str(work))
    with trap(work) as reached:
        done = invoke(*words.split())
    assert [] == reached, done.output
    assert done.exception is None or isinstance(done.exception, (SystemExit, *REFUSED))


if __name__ == "__main__":
    for words_ in COMMANDS:
        for place in ("a file", "a host"):
            with tempfile.TemporaryDirectory() as name:
                there_ = Path(name, MARK, "r.toml")
                there_.parent.mkdir()
                there_.write_text(RULES)
                Path(name, "work").mkdir()
                said = str(there_) if place == "a file" else rf"\\{MARK}\share\r.toml"
                reached_ = under_strace(words_, Path(name, "work"), said)
                sys.stdout.write(f"{'REACHED' if reached_ else 'nothing'} {place}: {words_}\n")
                sys.stdout.writelines(f"    {one}\n" for one in sorted(reached_))
                sys.stdout.flush()
