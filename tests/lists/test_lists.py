"""Rating lists: FIDE's layouts and CSV, kept month by month, looked up by number and by name."""

import io
import os
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import elo_xl
from elo_xl.events.from_list import with_list
from elo_xl.events.tables import read_table
from elo_xl.lists import keep, store
from elo_xl.lists.layouts import Entry, ListError, Reading, opened, read
from elo_xl.lists.names import plain, sound
from tests.support.command import invoke
from tests.support.levels import amount

# The layouts of FIDE's lists through the years; the players are invented.
OCTOBER_2026 = """\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag
99000001       Ferrer Ruiz, Ana                                             ESP F   WGM  WGM                     2105  7   20 2080  0   20 2061  9   40 1999  w
99000002       Okafor, Ngozi                                                NGR M                                0     0   0  1712  3   40 0     0   0  2012  i
"""  # noqa: E501
SINGLE = """\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA OCT26 Gms K  B-day Flag
99000001       Ferrer Ruiz, Ana                                             ESP F   WGM  WGM                     2105  7   20 1999  w
"""  # noqa: E501
LEGACY = """\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag
99000001       Ferrer Ruiz, Ana                                             ESP F   WGM  WGM                 2105  7   20 2080  0   20 2061  9   40 1999  w
"""  # noqa: E501
OF_2011 = """\
ID number Name                              TitlFed  Mar11 GamesBorn  Flag
 99000001 Ferrer Ruiz, Ana                  wg  ESP  2105   7   1999  w
"""
XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<playerslist>
<player><fideid>99000001</fideid><name>Ferrer Ruiz, Ana</name><country>ESP</country><sex>F</sex>
<title>WGM</title><w_title>WGM</w_title><o_title></o_title><foa_title></foa_title>
<rating>2105</rating><games>7</games><k>20</k><rapid_rating>2080</rapid_rating>
<rapid_games>0</rapid_games><rapid_k>20</rapid_k><blitz_rating>2061</blitz_rating>
<blitz_games>9</blitz_games><blitz_k>40</blitz_k><birthday>1999</birthday><flag>w</flag></player>
</playerslist>
"""
NATIONAL = "ZPS;Spielername;DWZ;Jahrgang\nA0042-001;Müller, Jürgen;1743;1960\n"

FERRER = Entry("99000001", "Ferrer Ruiz, Ana", "ESP", "WGM", "F", 1999, 2105, 7, 20, 2080, 0, 20,
               2061, 9, 40, "w")  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(store.FOLDER, str(tmp_path / "lists"))
    return tmp_path / "lists"


def entries(text: str | bytes, kind: str = "standard", columns: dict[str, str] | None = None):
    data = text.encode() if isinstance(text, str) else text
    reading = Reading("list.txt", kind)
    found = list(read("list.txt", io.BytesIO(data), reading, columns))
    return found, reading


def run(*arguments: object) -> tuple[int, str]:
    ended = invoke("list", *arguments)
    if ended.exception and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    return ended.exit_code, ended.output


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [OCTOBER_2026, LEGACY, XML], ids=["2026", "legacy", "xml"])
def test_layouts_with_all_ratings(text, end):
    found, reading = entries(text.replace("\n", end))
    assert FERRER == found[0]
    assert 0 == reading.faults


def test_an_unrated_player():
    found, _ = entries(OCTOBER_2026)
    assert (None, 1712, None) == (found[1].rating, found[1].rapid, found[1].blitz)


@pytest.mark.parametrize(
    ("text", "month"), [(SINGLE, "2026-10"), (OF_2011, "2011-03")], ids=["2026", "2011"]
)
@pytest.mark.parametrize("kind", ["standard", "rapid", "blitz"])
def test_layouts_of_one_rating(text, month, kind):
    (found,), reading = entries(text, kind)
    assert month == reading.month
    assert ("99000001", "Ferrer Ruiz, Ana", "ESP", "WGM", 1999) == (*found[:4], found.birth)
    ratings = {"standard": found.rating, "rapid": found.rapid, "blitz": found.blitz}
    assert {kind: 2105} == {k: r for k, r in ratings.items() if r is not None}


def test_a_national_list():
    columns = {"id": "ZPS", "name": "Spielername", "rating": "dwz", "birth": "Jahrgang"}
    for encoding in ("utf-8", "utf-8-sig", "cp1252"):
        (found,), _ = entries(NATIONAL.encode(encoding), columns=columns)
        assert Entry("A0042-001", "Müller, Jürgen", birth=1960, rating=1743) == found


def test_headings_that_name_the_fields_need_no_map():
    (found,), _ = entries("id,name,rating\n7,Ana,1500\n")
    assert Entry("7", "Ana", rating=1500) == found


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        (NATIONAL, None, 'no column is the id; its headings are ZPS, .* --columns "id=…"'),
        (NATIONAL, {"id": "Nr"}, "there is no column 'Nr' @ list.txt, line 1"),
        ("<playerslist><player>", None, "the XML is damaged"),
        ("ID Number only", None, "no columns for number and name"),
        ("", None, "no column is the id"),
    ],
)
def test_files_that_are_no_list(text, columns, message):
    with pytest.raises(ListError, match=message):
        entries(text, columns=columns)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("99000001", "        ", "there is no number"),
        ("Ferrer Ruiz, Ana", "                ", "there is no name"),
        ("2105", "2x05", "rating is not a number from 1 to 4000: '2x05'"),
        ("2105", "9999", "rating is not a number from 1 to 4000: '9999'"),
        ("1999", "0099", None),
    ],
)
def test_a_broken_line_is_reported_and_the_others_are_kept(old, new, fault):
    found, reading = entries(OCTOBER_2026.replace(old, new))
    if fault is None:
        assert (2, 0) == (len(found), reading.faults)
        return
    assert ["99000002"] == [entry.id for entry in found]
    assert [f"{fault} @ list.txt, line 2"] == reading.shown


def test_control_characters_reach_neither_list_nor_message():
    (entry, _), _ = entries(OCTOBER_2026.replace("Ferrer Ruiz", "Fer\x07er\x00Ruiz"))
    assert "Fer er Ruiz, Ana" == entry.name
    with pytest.raises(ListError, match=r"its headings are i\?d, n: say"):
        entries("i\x1bd;n\n1;a\n")


@pytest.mark.parametrize("rating", ["0.5", "4001", "١٢٠٠", "1" * 5000])
def test_ratings_out_of_bounds_are_left_out(rating):
    found, reading = entries(f"id;name;rating\n1;Ana;{rating}\n2;Bo;00\n")
    assert [("2", None)] == [(entry.id, entry.rating) for entry in found]
    assert "rating is not a number from 1 to 4000" in reading.shown[0]


def test_a_list_without_a_player_replaces_none(tmp_path):
    keep.write("fide", "2026-10", [FERRER])
    path = tmp_path / "list.csv"
    path.write_text("id;name\n;Ana\n")
    with pytest.raises(ListError, match="no player in it that can be read: there is no number @"):
        run("import", path, "--month", "2026-10")
    assert 1 == store.size(store.choose("fide"))


@pytest.mark.slow
@pytest.mark.parametrize("end", [b"", b"\n" * 50_000_000])
def test_archives_that_are_cut_off_or_bombs(tmp_path, end):
    path = tmp_path / "list.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("list.csv", b"id;name\n1;Ana\n" + end)
    if not end:
        path.write_bytes(path.read_bytes()[:-30])
    message = "would unfold to 50,000,014" if end else "damaged or encrypted .it is cut off"
    with pytest.raises(ListError, match=message), opened(path):
        pass


def test_an_archive_whose_names_are_damaged(tmp_path):
    path = tmp_path / "list.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Österreich.csv", NATIONAL)
    path.write_bytes(path.read_bytes().replace("Ö".encode(), b"\xb8\xb8"))
    with pytest.raises(ListError, match="the archive is damaged"), opened(path):
        pass


def test_an_entity_bomb_is_not_resolved():
    bomb = (
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
        "<playerslist><player><fideid>1</fideid><name>&b;</name></player></playerslist>"
    )
    found, reading = entries(bomb)
    assert [] == [entry for entry in found if "a" in entry.name]
    assert 1 == reading.faults


def test_from_a_file_to_a_cell(tmp_path):
    path = tmp_path / "players_list_foa.txt"
    path.write_bytes(b"%PDF-1.7\n\0")
    with pytest.raises(ListError, match="it is a PDF"):
        run("import", path)
    path.write_text(OCTOBER_2026)
    assert (2, True) == (run("import", path)[0], "--month" in run("import", path)[1])
    with zipfile.ZipFile(tmp_path / "list.zip", "w") as archive:
        archive.writestr("standard_sep26frl.txt", SINGLE.replace("OCT26", "SEP26"))
    assert (0, "fide-2026-10: 2 players; lines left out: 0\n") == run(
        "import", path, "--month", "2026-10"
    )
    assert (0, "fide-2026-09: 1 players; lines left out: 0\n") == run(
        "import", tmp_path / "list.zip"
    )
    assert ["fide-2026-09", "fide-2026-10"] == [str(one) for one in store.lists()]
    assert [[2105.0], ["#N/A"], [""]] == elo_xl.worksheet("ELO_LIST", [[99000001], [5], [99000002]])
    assert ["WGM", 20.0, 40.0, 1999.0, "ESP"] == [
        elo_xl.worksheet("ELO_LIST", "99000001", field, "fide-2026-10")
        for field in ("title", "k", "Blitz K", "birth year", "federation")
    ]
    assert "#N/A" == elo_xl.worksheet("ELO_LIST", 99000002, "rapid", "fide-2026-09")
    assert 1712.0 == elo_xl.worksheet("ELO_LIST", 99000002, "rapid", "fide")
    assert "#N/A" == elo_xl.worksheet("ELO_LIST", 99000001, "rating", "dwz")
    assert "fide-2026-10        2" in run("show")[1]
    assert (0, "removed: fide-2026-10\n") == run("remove", "fide-2026-10")
    assert "#N/A" == elo_xl.worksheet("ELO_LIST", 99000002)


def test_of_a_number_that_is_there_twice_the_first_line_counts(tmp_path):
    path = tmp_path / "standard_oct26frl.txt"
    heading, line = SINGLE.splitlines()
    path.write_text(f"{heading}\n{line}\n{line.replace('2105', '1999')}\n")
    code, shown = run("import", path)
    assert 0 == code
    assert [
        "warning: number 99000001 is there already @ standard_oct26frl.txt",
        "fide-2026-10: 1 players; lines left out: 1",
    ] == shown.splitlines()
    assert 2105.0 == elo_xl.worksheet("ELO_LIST", 99000001)
    assert "it replaces the one before" in run("import", path)[1]
    assert ["fide-2026-10.rating-list"] == os.listdir(store.folder())


def test_a_month_that_has_not_come():
    with pytest.raises(ListError, match="the month 2099-01 has not come"):
        keep.write("fide", "2099-01", [FERRER])


def test_numbers_with_letters_are_found():
    keep.write("dwz", "2026-10", [Entry("A0042-001", "Müller, Jürgen")])
    assert "Müller, Jürgen" in run("find", "A0042-001")[1]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("Ferrer Ruiz, Ana", "Ferrer Ruiz, Ana"),
        ("ana ferrer", "Ferrer Ruiz, Ana"),
        ("Ферер Ана", "Ferrer Ruiz, Ana"),
        ("Muller Jurgen", "Müller, Jürgen"),
        ("Jürgen MÜLLER", "Müller, Jürgen"),
        ("Nepomnyashchiy, Yan", "Nepomniachtchi, Jan"),
        ("Непомнящий Ян", "Nepomniachtchi, Jan"),
        ("Nepomnichtachi", "Nepomniachtchi, Jan"),
        ("Okafro Ngozi", "Okafor, Ngozi"),
    ],
)
def test_names_in_other_spellings_orders_and_scripts(written, found):
    names = ("Ferrer Ruiz, Ana", "Müller, Jürgen", "Nepomniachtchi, Jan", "Okafor, Ngozi", "Li, Bo")
    one, _ = keep.write("club", "2026-11", [Entry(str(i), name) for i, name in enumerate(names, 1)])
    (near,) = store.by_names(one, [written], 1)
    assert [found] == [entry.name for entry in near]


def test_nobody_is_like_it(tmp_path):
    keep.write("club", "2026-11", [FERRER])
    code, shown = run("find", "Xyzzy", "Quux")
    assert (1, True) == (code, "no player is like 'Xyzzy Quux' @ club-2026-11" in shown)
    with pytest.raises(ListError, match="there is no rating list 'dwz' here, but: club-2026-11"):
        store.choose("dwz")


def test_plain_names_and_sounds():
    assert "o brien niall" == plain("O'Brien,  Niall")
    assert sound("schmidt") == sound("schmitt") == sound("shmit")
    assert sound("chigorin") == sound("tschigorin")


@pytest.mark.slow
def test_killed_at_any_moment_the_month_is_whole_or_absent(tmp_path, folder):
    path = tmp_path / "list.txt"
    heading, first, _ = OCTOBER_2026.splitlines()
    with path.open("w") as file:
        file.write(f"{heading}\n")
        file.writelines(f"{i:<15}{first[15:]}\n" for i in range(1, 30_001))
    command = [sys.executable, "-m", "elo_xl", "list", "import", str(path), "--month", "2026-10"]
    killed = 0
    for wait in range(0, 12, amount(2, 1)):
        importing = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(0.25 + 0.15 * wait)
        if importing.poll() is None:
            importing.send_signal(signal.SIGKILL)
            killed += 1
        importing.wait()
        for kept in store.lists():
            with closing(sqlite3.connect(kept.path)) as base:
                assert [("ok",)] == base.execute("PRAGMA quick_check").fetchall()
            assert 30_000 == store.size(kept)
    assert killed


def test_a_damaged_list_is_named(folder):
    one, _ = keep.write("fide", "2026-10", [FERRER])
    one.path.write_bytes(b"no database at all")
    with pytest.raises(ListError, match=r"the list is damaged .* @ .*fide-2026-10"):
        store.size(one)
    assert "#N/A" == elo_xl.worksheet("ELO_LIST", 99000001)


def test_damaged_names_are_named_and_other_lists_are_shown(folder):
    keep.write("fide", "2026-09", [FERRER])
    one, _ = keep.write("fide", "2026-10", [FERRER])
    with closing(sqlite3.connect(one.path)) as base, base:
        base.execute("UPDATE players SET name = NULL")
    with pytest.raises(ListError, match=r"the list is damaged .* @ .*fide-2026-10"):
        store.by_names(one, ["Ferrer"])
    one.path.write_bytes(b"no database at all")
    shown = invoke("list", "show")
    assert "the list is damaged" in shown.stderr
    assert "fide-2026-09" in shown.stdout


def test_archives_that_hold_no_list(tmp_path):
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", SINGLE)
        archive.writestr("b.txt", SINGLE)
    with pytest.raises(ListError, match="one list is needed, but the archive has 2"), opened(path):
        pass


def test_an_event_takes_ratings_k_and_birth_years_from_a_list(tmp_path):
    keep.write(
        "fide",
        "2026-10",
        [
            Entry("11", "Ferrer Ruiz, Ana", "ESP", birth=1999, rating=2105, k=20, rapid=2000),
            Entry("12", "Okafor, Ngozi", "NGR", "WGM", birth=2001, rating=2230, k=10),
            Entry("13", "Li, Bo", "CHN", birth=1990, rating=1900, k=20),
            Entry("14", "Li, Bo", "SGP", birth=1995, rating=1500, k=20),
        ],
    )
    games = tmp_path / "games.csv"
    games.write_text(
        "white,black,result\nAna Ferrer Ruiz,Okafor Ngozi,1\nBo Li,Ana Ferrer Ruiz,0\n"
    )
    players = tmp_path / "players.csv"
    players.write_text("name,rating,id\nAna Ferrer Ruiz,,\nOkafor Ngozi,2200,0012\nBo Li,1850,\n")

    tournament = with_list(read_table(games, players), "fide")
    ana, ngozi, bo = tournament.players
    assert ("11", 2105, 20, 1999, "ESP") == (
        *(ana.id, ana.rating, ana.k, ana.birth_year),
        ana.federation,
    )
    assert (2230, 10, "WGM") == (ngozi.rating, ngozi.k, ngozi.title)
    assert (1850, None) == (bo.rating, bo.k)
    assert [
        "rating of Okafor Ngozi: 2200 in the file, 2230 @ fide-2026-10",
        "Bo Li may be 13 Li, Bo; 14 Li, Bo: give the number @ fide-2026-10",
    ] == [str(warning) for warning in tournament.warnings[-2:]]

    blitz = with_list(replace(read_table(games, players), kind="rapid"), "fide-2026-10")
    # Ngozi has no rapid rating and begins with the standard one
    assert [2000, 2230, 1850] == [player.rating for player in blitz.players]
    assert [None, None, None] == [player.k for player in blitz.players]
