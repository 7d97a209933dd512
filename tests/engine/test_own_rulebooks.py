"""Rulebooks that are not ours: a file of a club, and a federation in one module."""

import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import elo_xl
from elo_xl.engine.errors import OptionError
from elo_xl.engine.period import period
from elo_xl.engine.ratings import k_factor, update
from elo_xl.engine.rulebooks import RULEBOOKS, rulebook
from elo_xl.engine.rulebooks.own import FOLDER, made
from elo_xl.functions.native import inline
from elo_xl.xlsx.evaluate import Workbook
from elo_xl.xlsx.formula import parse
from tests.support import ROOT
from tests.support.command import invoke
from tests.support.reached import trap

CLUB = """
title = "Rivertown club rules"
model = "logistic"
cap = 350
floor = 800
most_points = 700

[[k]]
k = 40
games_below = 30

[[k]]
k = 16
peak_from = 2200

[[k]]
k = 24

[first]
method = "half points"
per_half_point = 12.5
games = 4
floor = 900
"""


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A rulebook in the folder of one's own, which cells call "club"."""
    path = tmp_path / "own" / "club.toml"
    path.parent.mkdir()
    path.write_text(CLUB, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(path.parent))
    return path


def test_the_file_decides(club: Path) -> None:
    assert [40, 16, 24, 24] == k_factor(
        [1500, 2250, 2150, 1500], [29, 90, 90, np.nan], rules=club
    ).tolist()
    assert 35 == k_factor(1500, 5, period_games=20, rules=club)
    # 500 ahead counts as 350: 1 / (1 + 10^(-350/400)), and the change of 24 games is rounded
    chance = 1 / (1 + 10 ** (-350 / 400))
    assert 2000 + round(24 * (0 - chance)) == update(2000, "auto", [1500], [0], club, played=90)
    assert 800 == update(805, 24, [800], [0], club)
    done = period(
        [np.nan, 1500, 1600, 1400, 1500], "auto", [0] * 4, [1, 2, 3, 4], [1, 1, 0.5, 0.5], club
    )
    assert 1525 == done.new[0]  # average 1500, two half points over 50 %
    book = rulebook(club)
    assert "sus 30" not in book.k.say("es")
    assert "12,5" in book.first.say("es")


def test_the_same_digits_in_a_cell(club: Path) -> None:
    for rating, games, peak in ((1500, 12, None), (2150, 40, 2210), (803, None, None)):
        met, got = [1400, 1550, 2300], [0, 0.5, 0]
        typed = elo_xl.worksheet(
            "ELO_UPDATE", rating, "auto", [met], [got], "club", games, None, peak
        )
        formula = inline("ELO_UPDATE", "A1", "auto", "B1:D1", "B2:D2", "club", "A2", None, "A3")
        rows: list[list[Any]] = [[rating, *met], [games, *got], [peak]]
        cells = {
            (row, column): value
            for row, values in enumerate(rows, 1)
            for column, value in enumerate(values, 1)
            if value is not None
        }
        assert typed == Workbook({"S": cells}).evaluate(parse(formula), "S", 9, 9)


def test_by_its_name(club: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert rulebook("club").title.english == "Rivertown club rules"
    for name in ("club", "Club", "club.toml", " club "):
        assert 24 == elo_xl.worksheet("ELO_K", 1500, 90, None, None, None, name)
    assert "club" == rulebook(club).name
    monkeypatch.setenv(FOLDER, str(tmp_path / "none"))
    with pytest.raises(
        OptionError,
        match=r"one of fide, .*, got 'club'; one of your own is known by its name in .*none",
    ):
        rulebook("club")
    assert str(club) == rulebook(club).name


HOSTILE: Final = (
    *(r"\\attacker\share\club.toml", "//attacker/share/club.toml", r"\\?\C:\club.toml", "C:club"),
    *("club", "club.toml", "./club.toml", "./club", "../x/club", "~/club.toml", "file:///club.toml",
      "club/", "nul"),
    *("a\0.toml", "a\0", "\ud800.toml", "x" * 300, "x" * 32_767 + ".toml", ".", "..", ".toml"),
    *("*", "cl?b", "[c]lub", "con.toml", "/dev/stdin"),
)  # fmt: skip


@pytest.mark.parametrize("rules", HOSTILE)
def test_a_text_is_no_path(
    rules: str, club: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing is looked for but in the folder of one's own rulebooks, not in the current one."""
    monkeypatch.chdir(tmp_path)
    club.rename("club.toml")
    (tmp_path / "x").mkdir()
    with trap(club.parent) as opened:
        assert "#VALUE!" == elo_xl.worksheet("ELO_K", 1500, 90, None, None, None, rules)
        with pytest.raises(OptionError, match=r"^rules must be one of fide"):
            rulebook(rules)
    assert [] == opened


def test_in_a_range_only_the_cells_of_such_texts_are_errors() -> None:
    rules = [["fide"], *([text] for text in HOSTILE if text != "nul"), ["logistic"]]
    found: Any = elo_xl.worksheet("ELO_K", [[1500]] * len(rules), 90, None, None, None, rules)
    assert [20, *["#VALUE!"] * (len(rules) - 2)] == [cell for (cell,) in found[:-1]]
    assert "#VALUE!" != found[-1][0]


def test_a_rulebook_of_one_s_own_cannot_have_the_name_of_one_that_comes_along(club: Path) -> None:
    with pytest.raises(OptionError, match="fide comes with elo_xl"):
        rulebook(club.rename(club.with_name("fide.toml")))


def test_a_changed_file_is_read_anew(club: Path) -> None:
    assert 24 == k_factor(1500, rules=club)
    club.write_text(CLUB.replace("k = 24", "k = 25.5"), encoding="utf-8")
    with pytest.raises(OptionError, match=r"got 25\.5 @ .*club\.toml: k\[3\]\.k$"):
        k_factor(1500, rules=club)
    club.write_text(CLUB.replace("k = 24", "k = 250"), encoding="utf-8")
    assert 250 == k_factor(1500, rules=club)


@pytest.mark.parametrize(
    ("message", "entries"),
    [
        ("there is no table of K factors @ x: k", {}),
        ("there are 51 lines; formulas take up to 50 @ x: k", {"k": [{"k": 20}] * 51}),
        ("unknown entry; known are title, .* @ x: K", {"K": 3}),
        ("one of normal, logistic, fide is needed, got 'glicko' @ x: model", {"model": "glicko"}),
        ("a whole number from 1 to 9999 is needed, got 400.5 @ x: cap", {"cap": 400.5}),
        ("a whole number from 1 to 9999 is needed, got True @ x: cap", {"cap": True}),
        ("a text of one line is needed, got 3 @ x: title", {"title": 3}),
        (r"tables headed \[\[k\]\] are needed, got 20 @ x: k", {"k": 20}),
        (r"there is no number @ x: k\[1\].k", {"k": [{"games_below": 3}]}),
        (r"the last line .* has no condition @ x: k\[1\].k", {"k": [{"k": 20, "age_to": 18}]}),
        (r"unknown entry; .* @ x: k\[1\].kk", {"k": [{"kk": 20}]}),
        ("a table is needed, got 3 @ x: first", {"k": [{"k": 20}], "first": 3}),
        ("unknown entry; .* @ x: first.draws", {"k": [{"k": 20}], "first": {"draws": 2}}),
        ("true or false is needed", {"k": [{"k": 20}], "first": {"zero_counts": "no"}}),
    ],
)
def test_what_is_wrong_is_named(message: str, entries: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=f"^{message}"):
        made(entries, "x")


def test_a_title_may_have_braces() -> None:
    rules = made({"title": "A {0} {b}", "k": [{"k": 20}]}, "{0}.toml")
    assert ("A {0} {b}", "{0}.toml") == (rules.title.say("de"), rules.source.say())


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("one of normal, .* got \\[\\] @ .*: model", "model = []\nk = [{k = 20}]"),
        ("one of perf.*, got {} @ .*: first.method", "k = [{k = 20}]\n[first]\nmethod = {}"),
        ("its tables or lists are nested too deep @ ", "a = " + "[" * 5000 + "]" * 5000),
        ("Exceeds the limit .* @ ", "cap = " + "9" * 5000),
        ("a whole number .*, got a number of too many digits @ ", "cap = 0x" + "f" * 5000),
        ("it has more than 1,000,000 bytes @ ", "#" * 1_000_001),
    ],
)
def test_files_that_nobody_would_write(message: str, text: str, club: Path) -> None:
    club.write_text(text, encoding="utf-8")
    with pytest.raises(OptionError, match=f"^{message}"):
        rulebook(club)
    assert "#VALUE!" == elo_xl.worksheet("ELO_K", 1500, None, None, None, None, "club")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"No such file or directory @ .*none\.toml$"):
        rulebook(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("cap = 400\n= 3", encoding="utf-8")
    with pytest.raises(OptionError, match=r"line 2, column 1\) @ .*bad\.toml$"):
        rulebook(tmp_path / "bad.toml")


def test_a_first_rating_is_rounded_like_the_others(club: Path) -> None:
    text = CLUB.replace('method = "half points"', 'method = "performance"')
    club.write_text("\ufeff" + text.replace("per_half_point = 12.5\n", ""), encoding="utf-8")
    assert 1373 == elo_xl.worksheet(
        "ELO_INITIAL", [[1500, 1600, 1400]], 1, "club"
    )  # 1373.2 unrounded


def test_elo_xl_call_says_what_is_wrong_with_the_file(club: Path) -> None:
    club.write_text("colour = 3\n" + CLUB, encoding="utf-8")
    words = ["call", "ELO_K", "1500", "null", "null", "null", "null", "club"]
    said = invoke(*words)
    assert "#VALUE!" in said.output
    assert "unknown entry; known are title" in said.output
    assert f"@ {club}: colour" in said.output


@pytest.mark.slow
def test_on_the_command_line(club: Path, tmp_path: Path) -> None:
    source = ROOT / "examples" / "rivertown-open.trf"
    rated = invoke("rate", source, "--rules", club, "--dry-run")
    assert 0 == rated.exit_code, rated.output
    assert "Rivertown club rules" in rated.output
    target = tmp_path / "open.xlsx"
    written = invoke("new", "swiss", "--rules", club, "-o", target, "--players", "8")
    assert 0 == written.exit_code, written.output
    for words in (["rate", str(source)], ["new", "swiss"]):
        wrong = invoke(*words, "--rules", tmp_path / "no.toml")
        assert 2 == wrong.exit_code
        assert "No such file" in wrong.output
    refused = invoke("new", "swiss", "--rules", club, "--functions", "lambda", "-o", target)
    assert 2 == refused.exit_code
    assert "only formulas of built-in functions" in refused.output


FEDERATION = """
from elo_xl.engine.rulebooks.clauses import Cap, Logistic
from elo_xl.engine.rulebooks.rulebook import Rulebook
from elo_xl.engine.rulebooks.k_table import KRow, KTable
from elo_xl.languages import Words

RULEBOOKS = (
    Rulebook(
        name="atlantis",
        title=Words("Atlantis"),
        source=Words("invented"),
        difference=Cap(200),
        expected=Logistic(),
        k=KTable((KRow(50, age_to=12), KRow(30))),
    ),
)
"""

TRIED = """
import sys
import elo_xl.engine.rulebooks as package
package.__path__.append(sys.argv[1])
package.RULEBOOKS.update(package._declared())
import elo_xl
from docs_build import rulebook_page
from elo_xl.functions.catalogue import find
from elo_xl.functions.native import inline
from elo_xl.functions.native.lambdas import lambda_text
from elo_xl.templates import gallery
assert elo_xl.worksheet("ELO_K", 1500, None, 11, None, None, "Atlantis") == 50
change = elo_xl.worksheet("ELO_CHANGE", 1500, 30, [[1900]], [[1]], "atlantis")
assert abs(change - 30 * (1 - 1 / (1 + 10 ** 0.5))) < 1e-12
assert inline("ELO_K", "A1", rules="atlantis", checks="none") == "30"
assert 'rules_ = "atlantis"' in lambda_text("ELO_K")
assert '"atlantis"' in next(a for a in find("ELO_K").arguments if a.name == "rules").takes
assert "12 or younger" in rulebook_page.pages()["rulebooks/atlantis.md"]()
chosen = gallery.options("round-robin", players=4, rules="atlantis")
assert gallery.make("round-robin", chosen, gallery.sample("round-robin", chosen))
print("fine")
"""


@pytest.mark.slow
def test_a_federation_is_one_module(tmp_path: Path) -> None:
    (tmp_path / "atlantis.py").write_text(FEDERATION, encoding="utf-8")
    root = ROOT
    done = subprocess.run(
        [sys.executable, "-c", TRIED, str(tmp_path)],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "fine\n", done.stderr
    assert "atlantis" not in RULEBOOKS


@pytest.mark.parametrize("rules", [n for n, b in RULEBOOKS.items() if not b.change.takes_k])
def test_a_k_of_ones_own_is_refused_where_the_rulebook_takes_none(rules: str) -> None:
    with pytest.raises(OptionError, match=f"^{rules}.* takes no K but its own"):
        update(1500, 20, [1400], [1], rules)
    with pytest.raises(OptionError, match="takes no K but its own"):
        period([1500, 1400], [np.nan, 20], [0], [1], [1], rules)
    assert "#VALUE!" == elo_xl.worksheet("ELO_UPDATE", 1500, 20, [[1400]], [[1]], rules)
    players = [["Ana", 1500, 20], ["Bo", 1400]]
    rated: Any = elo_xl.worksheet("ELO_PERIOD", players, [["Ana", "Bo", 1]], rules)
    ana, bo = rated
    assert {"#VALUE!"} == set(ana[2:])
    assert "#VALUE!" in bo  # their game waits, too
