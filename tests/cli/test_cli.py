"""The command ``elo-xl``: what it prints, what it writes, how it ends."""

import ast
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner
from rich.console import Console

import elo_xl
from elo_xl import __version__
from elo_xl.cli import cli, expanded, main
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.functions.catalogue import functions
from elo_xl.languages import LANGUAGES
from elo_xl.questions.rate import single as rate_single
from elo_xl.xlsx.files import to_standard_output, write_whole
from tests.support import ROOT
from tests.support.command import invoke
from tests.support.levels import cases
from tests.support.trf_lines import PAIR, player, trf

EXAMPLES = ROOT / "examples"
TRF = EXAMPLES / "rivertown-open.trf"


@dataclass
class Ended:
    """How a run ended."""

    code: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        """The lines on standard error, each a plain message."""
        assert "Traceback" not in self.err
        assert self.code != 0
        return self.err.splitlines()


Run = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """The command, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def elo_xl(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["elo-xl", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return Ended(int(ended.value.code or 0), out, err)

    return elo_xl


@pytest.fixture
def event(tmp_path: Path) -> Callable[..., Path]:
    """A tournament report file of some lines."""

    def write(*lines: str, name: str = "event.trf", **options: Any) -> Path:
        path = tmp_path / name
        path.write_bytes(trf(*lines, **options))
        return path

    return write


# functions


def test_functions_lists_all_by_family(run):
    ended = run("functions")
    assert (0, "") == (ended.code, ended.err)
    lines = [line.rstrip() for line in ended.out.splitlines()]
    assert "Expected scores" == lines[0]
    assert "Ratings" in lines
    for function in functions().values():
        (line,) = [x for x in lines if x.startswith(f"{function.name} ")]
        assert line.endswith(function.help)


def test_functions_shows_one(run):
    ended = run("functions", "elo_k")
    assert 0 == ended.code
    lines = ended.out.splitlines()
    assert "ELO_K(rating, [games], [age], [peak], [period_games], [rules])" == lines[0]
    assert "K factor of a player under a rulebook." == lines[1]
    text = " ".join(ended.out.split())
    for argument in functions()["ELO_K"].arguments:
        assert argument.name in text
        assert argument.help in text
    assert "  =ELO_K(2350, 40, , 2405)" in lines
    assert "    10" == lines[lines.index("  =ELO_K(2350, 40, , 2405)") + 1]
    assert "Source: FIDE B.02, 8.3.3; Benítez's web page" == lines[-1]


@pytest.mark.parametrize("name", functions())
def test_functions_shows_every_one(run, name):
    ended = run("functions", name)
    assert 0 == ended.code
    assert functions()[name].signature in ended.out


def test_lists_as_json(run):
    every = json.loads(run("functions", "--json").out)["functions"]
    assert list(functions()) == [one["name"] for one in every]
    [one] = json.loads(run("functions", "elo_diff", "--json").out)["functions"]
    assert functions()["ELO_DIFF"].signature == one["signature"]
    assert [True, False, False, False] == [argument["required"] for argument in one["arguments"]]
    every = json.loads(run("templates", "--json").out)["templates"]
    templates = {one["name"]: one for one in every}
    assert [4, 24, 200] == templates["swiss"]["players"]
    assert None is templates["match-odds"]["players"]


@pytest.mark.slow
def test_gains_losses_and_warnings_stand_out_on_a_terminal(monkeypatch):
    terminal = Console(force_terminal=True, width=160, color_system="standard")
    monkeypatch.setattr(rate_single, "console", lambda: terminal)
    with terminal.capture() as shown:
        invoke("rate", TRF, "--dry-run")
    assert "\x1b[32m+" in shown.get()
    assert "\x1b[31m-" in shown.get()
    coloured = CliRunner().invoke(cli, ["rate", str(TRF), "--dry-run"], color=True)
    assert "\x1b[36m\x1b[1mnote:\x1b[0m " in coloured.stderr


@pytest.mark.parametrize("command", ["functions", "call"])
def test_unknown_function(run, command):
    ended = run(command, "ELO_EXPECT")
    assert 2 == ended.code
    assert ended.errors[-1].startswith("error: no function 'ELO_EXPECT'; did you mean ELO_EXPECTED")
    assert "" == ended.out
    ended = run(command, "k")
    assert "error: no function 'k'; did you mean ELO_K?" == ended.errors[-1]


# call

RATING = "a number such as 1850, or a blank or 0 for an unrated player"


@pytest.mark.parametrize(("out", "arguments"), [
    ("0.11", ("ELO_EXPECTED", "1834", "2179", "fide")),
    ("0.11", ("elo_expected", "1834", "2179", '"fide"')),
    ("1820", ("ELO_NEW", "1800", "20", "5", "4")),
    ("", ("ELO_EXPECTED", "null", "2179")),
    ("", ("ELO_EXPECTED", "", "2179")),
    ("10", ("ELO_K", "2350", "40", "null", "2405")),
    ("6", ("ELO_CHANGE", "1800", "20", "[1860, 1770, 2000]", "[1, 0.5, 0]")),
    ("6", ("ELO_CHANGE", "1800", "20", "[[1860], [1770], [2000]]", "[[1], [0.5], [0]]")),
    ("1.5\n5", ("ELO_CHANGE", "-100", "[[3], [10]]", "[[-100], [null]]", "[[1], [1]]")),
    ("0.5", ("ELO_EXPECTED", "-5", "-5")),
    ("0.5", ("ELO_EXPECTED", "-5.5", "-5.5e0")),
    ("#NUM!", ("ELO_DIFF", "-0.5")),
    ("#VALUE!", ("ELO_DIFF", "half")),
    ("#VALUE!", ("ELO_DIFF", "NaN")),
    ("#NUM!", ("ELO_DIFF", "1e999")),
    ("#N/A", ("ELO_DIFF", "#N/A")),
    ("#VALUE!", ("ELO_DIFF", '{"a": 1}')),
    ("1", ("ELO_SCORE", "1-0")),
    ("0.5", ("ELO_SCORE", "½")),
    ("", ("ELO_SCORE", "-")),
    ("", ("ELO_SCORE", "+:-")),
    ("1", ("ELO_SCORE", "true")),
    ("Gran maestro", ("ELO_CLASS", "2650", "es")),
    ("Гроссмейстер", ("ELO_CLASS", "2650", "ru")),
    ("0.25\t0.5\t0.25", ("ELO_OUTCOMES", "1500", "1500")),
    ("0.25\t0.5\t0.25\n\t\t", ("ELO_OUTCOMES", "[[1500], [null]]", "1500")),
    ("Ana\t1800\t20\t1\t1\t0.5\t10\t1810\t2600\nBo\t1800\t20\t1\t0\t0.5\t-10\t1790\t1000",
     ("ELO_PERIOD", '[["Ana", 1800, 20], ["Bo", 1800, 20]]', '[["Ana", "Bo", 1]]')),
])  # fmt: skip
def test_call(run, out, arguments):
    ended = run("call", *arguments)
    assert ("#" in out, f"{out}\n") == (ended.code, ended.out)
    assert bool(ended.err) == ("#" in out)


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("elo-xl functions elo_b", ["ELO_BRIER", "ELO_BAYES", "ELO_BRIDGE"]),
        ("elo-xl call ELO_UP", ["ELO_UPDATE"]),
        ("elo-xl new sw", ["swiss"]),
        ("elo-xl te", ["templates"]),
    ],
)
def test_shells_complete_names(words, completed):
    shell = BashComplete(cli, {}, "elo-xl", "_ELO_XL_COMPLETE")
    *before, begun = words.split()[1:]
    assert completed == [item.value for item in shell.get_completions(before, begun)]


@pytest.mark.parametrize(("said", "arguments"), [
    (f'rating: got "abc", takes {RATING}', ("ELO_K", "abc")),
    ("k: got -3, takes a number not below 0", ("ELO_NEW", "1800", "-3", "1", "0.5")),
    (f'opponents: got "x", takes a range, in each cell {RATING}',
     ("ELO_UPDATE", "1800", "20", '["x", 9]', "1")),
    ("the two results of a game must add up to 1, got '1-1'", ("ELO_SCORE", "1-1")),
    ("3 opponents, but 2 scores", ("ELO_PERFORMANCE", "[1800, 1900, 1700]", "[1, 0]")),
])  # fmt: skip
def test_call_says_what_is_wrong(run, said, arguments):
    ended = run("call", *arguments)
    assert (1, f"error: {said}\n") == (ended.code, ended.err)


@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        (0.11, ("ELO_EXPECTED", "1834", "2179", "fide")),
        ("#NUM!", ("ELO_DIFF", "2")),
        ("", ("ELO_DIFF", "null")),
        ([[0.25, 0.5, 0.25]], ("ELO_OUTCOMES", "1500", "1500")),
        ([[0.5], [""], ["#VALUE!"]], ("ELO_EXPECTED", '[[1500], [null], ["x"]]', "1500")),
        ("Клубный игрок средней силы", ("ELO_CLASS", "1700", "ru")),
    ],
)
def test_call_as_json(run, value, arguments):
    first, last = run("call", "--json", *arguments), run("call", *arguments, "--json")
    assert value == json.loads(first.out)["value"] == json.loads(last.out)["value"]
    assert ("#" in str(value)) == first.code == last.code
    assert "\\u" not in first.out


@pytest.mark.parametrize(("message", "arguments"), [
    ("ELO_CLASS(rating, [language]) takes 1 to 2 arguments, got 3",
     ("ELO_CLASS", "1800", "en", "1")),
    ("ELO_CLASS(rating, [language]) takes 1 to 2 arguments, got 0", ("ELO_CLASS",)),
    ("ELO_NEW(rating, k, score, expected) takes 4 arguments, got 1", ("ELO_NEW", "1800")),
])  # fmt: skip
def test_wrong_number_of_arguments(run, message, arguments):
    ended = run("call", *arguments)
    assert (2, "") == (ended.code, ended.out)
    assert f"error: {message}" == ended.errors[-1]


def test_call_without_a_name(run):
    assert 2 == run("call").code


# rate


@pytest.mark.slow
def test_rate_prints_a_table_and_writes_a_workbook(run, tmp_path):
    ended = run("rate", TRF)
    assert 0 == ended.code
    assert (
        "note: K 20 for Marchetti, Dario, 2391: anyone who has reached 2400 has K 10, and the "
        "highest rating is unknown\n"
        "note: the number of games is unknown of Marchetti, Dario; Okonjo, Bayo; Ferreira "
        "Pinho, Inês; Havlíček, Radim; Stokke, Henrik; Tanaka, Misaki; Dunne, Patrick; Weissberg, "
        "Jonas; Salgado, Martín; Whitlock, Harriet: as a newcomer they would have K 40\n"
    ) == ended.err
    lines = ended.out.splitlines()
    assert "Rivertown Open 2026" == lines[0]
    assert lines[1].startswith(
        "Rules: fide-2025-10 (in force on 2026-03-18, the event's first day)"
    )
    assert lines[2].split()[:4] == ["No", "Name", "Rating", "K"]
    assert "Workbook: rivertown-open-rated.xlsx" == lines[-1]
    assert zipfile.is_zipfile(tmp_path / "rivertown-open-rated.xlsx")
    assert ["rivertown-open-rated.xlsx"] == [path.name for path in tmp_path.iterdir()]
    for name in ("Lindqvist, Alva", "Mulcahy, Séamus"):
        assert any(name in line for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize(("day", "unlisted"), [("2024-03-01", ["A"]), ("2024-02-29", [])])
def test_whose_new_rating_is_below_the_floor_is_not_on_the_next_list(run, tmp_path, day, unlisted):
    """1405 against 1500 expects 0.37 by the table, so a loss with K 40 makes 1390; the edition of
    March 2024 has the floor of 1400, and no edition before it."""
    games = tmp_path / "games.csv"
    games.write_text(f"white,white elo,black,black elo,result,date\nA,1405,B,1500,0,{day}\n")
    said = run("rate", games, "--k", 40, "--dry-run").out
    assert (
        unlisted == json.loads(run("rate", games, "--k", 40, "--dry-run", "--json").out)["unlisted"]
    )
    line = "New rating below 1400, so unrated on the next list: A\n"
    assert bool(unlisted) == (line in said)


def test_rate_into_another_file(run, tmp_path):
    ended = run("rate", TRF, "-o", tmp_path / "out.xlsx", "--json")
    assert 0 == ended.code
    assert str(tmp_path / "out.xlsx") == json.loads(ended.out)["workbook"]
    assert zipfile.is_zipfile(tmp_path / "out.xlsx")


@pytest.mark.slow
def test_dry_run_writes_nothing(run, tmp_path):
    ended = run("rate", TRF, "--dry-run")
    assert 0 == ended.code
    assert "Workbook" not in ended.out
    assert [] == list(tmp_path.iterdir())
    assert json.loads(run("rate", TRF, "--dry-run", "--json").out)["workbook"] is None


def test_options_of_a_command_come_as_few_objects():
    commands = {
        f"{path.stem} {function.name}": len(function.args.args)
        for path in (ROOT / "elo_xl").rglob("*.py")
        if "command(" in (text := path.read_text("utf-8"))
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef)
        and any("command(" in ast.unparse(decorator) for decorator in function.decorator_list)
    }
    assert commands["command rate"] == 4
    assert not {name: count for name, count in commands.items() if count > 8}


def test_json_has_no_digits_that_computing_alone_has_brought(run):
    told = run("explain", TRF, "1", "--rules", "us-chess", "--json").out
    assert not re.search(r"\d\.\d{10}", told)
    assert 9 == max(map(len, re.findall(r"0\.(\d+)", told)))


@pytest.mark.parametrize("command", ["rate", "fit", "next", "export"])
def test_what_a_result_is_made_from_stays(run, tmp_path, command):
    ending = ".trf" if command == "export" else ".xlsx"
    source = (tmp_path / "event").with_suffix(ending)
    source.write_bytes(b"")
    ended = run(command, source, "-o", source, "--force")
    assert 2 == ended.code
    assert "replace what it is made from: choose another name with -o" in ended.err


@pytest.mark.slow
def test_json(run):
    event = json.loads(run("rate", TRF, "--dry-run", "--json").out)
    assert "Rivertown Open 2026" == event["event"]
    assert ("2026-03-18", "fide-2025-10") == (event["start"], event["rules"])
    keys = ["number", "id", "name", "rating", "k", "k_reason", "period_games"]
    keys += ["score", "expected", "change", "new", "played", "peak", "performance"]
    assert 16 == len(event["players"])
    for one in event["players"]:
        assert keys == list(one)[:14]
    top = event["players"][0]
    assert (1, "99000001", "Lindqvist, Alva", 2438, 10) == tuple(top[key] for key in keys[:5])
    assert top["new"] == top["rating"] + round(top["change"])
    assert isinstance(top["new"], int)
    newcomers = [one for one in event["players"] if one["rating"] is None]
    assert [15, 16] == [one["number"] for one in newcomers]
    assert all(one["first_rating_reason"] and one["change"] is None for one in newcomers)
    assert 10 == event["unrated_games"]
    # they are the players of Python's next period
    after = elo_xl.rate_period([], event["players"], names="loose")
    assert [one["new"] for one in event["players"]] == after["rating"]
    assert [one["played"] for one in event["players"]] == after["played"]


@pytest.mark.parametrize(
    ("k", "options"), [(20, ("--k", "20")), (32.5, ("--k", "32.5")), (0, ("--k", "0"))]
)
def test_one_k_for_all(run, k, options):
    players = json.loads(run("rate", TRF, "--dry-run", "--json", *options).out)["players"]
    rated = [one for one in players if one["rating"]]
    assert {(k, "as given for all players")} == {(one["k"], one["k_reason"]) for one in rated}


@pytest.mark.slow
@pytest.mark.parametrize("rules", cases(sorted(RULEBOOKS.keys() - {"usatt"}), test=("egf",)))
def test_rules(run, rules):
    event = json.loads(run("rate", TRF, "--dry-run", "--json", "--rules", rules.upper()).out)
    assert (RULEBOOKS[rules].name, "as asked for") == (event["rules"], event["rules_reason"])
    assert run("rate", TRF, "--dry-run", "--rules", rules).code == 0


@pytest.mark.slow
def test_rules_that_cells_cannot_follow(run):
    ended = run("rate", TRF, "--rules", "us-chess", "-o", "out.xlsx")
    assert (0, "Workbook: out.xlsx") == (ended.code, ended.out.splitlines()[-1])
    assert zipfile.is_zipfile("out.xlsx")


def test_rules_without_k(run, tmp_path):
    (tmp_path / "players.csv").write_text("name,rating\nAna,1500\nBen,1600\nCy,\n")
    (tmp_path / "games.csv").write_text("white,black,result\nAna,Ben,1-0\nBen,Cy,1-0\n")
    options = "rate", tmp_path / "games.csv", "--rules", "usatt", "--dry-run"
    ben, ana, cy = json.loads(run(*options, "--json").out)["players"]
    assert [None] * 3 == [one["k"] for one in (ben, ana, cy)]
    # an upset at a difference of 88 to 112 is worth 20 points, and the expected result 4
    assert [1580, 1520, 1500] == [one["new"] for one in (ben, ana, cy)]
    assert "1 game against rated opponents" == cy["first_rating_reason"]
    lines = [line.split()[:9] for line in run(*options).out.splitlines()]
    assert ["1", "Ana", "1500", "1", "1", "0.17", "+20.00", "1520", "2000"] in lines


def test_players_file(run):
    options = "--players", EXAMPLES / "rivertown-players.csv", "--json", "--dry-run"
    players = json.loads(run("rate", TRF, *options).out)["players"]
    reasons = {one["number"]: (one["k"], one["k_reason"]) for one in players}
    assert (20, "given for the player") == reasons[7]
    assert 10 == reasons[2][0]
    assert 40 == reasons[13][0]


def test_csv_pair(run, tmp_path):
    games, players = EXAMPLES / "club-evening-games.csv", EXAMPLES / "club-evening-players.csv"
    given = run("rate", games, "--players", players, "--json", "--dry-run")
    assert 7 == len(json.loads(given.out)["players"])
    (tmp_path / "g.csv").write_bytes(games.read_bytes())
    (tmp_path / "players.csv").write_bytes(players.read_bytes())
    beside = run("rate", "g.csv", "--json", "--dry-run")
    assert json.loads(given.out)["players"] == json.loads(beside.out)["players"]


@pytest.mark.parametrize("name", ["e.trf", "e.TRF", "e.trfx", "e.txt"])
def test_endings(run, event, name):
    ended = run("rate", event(*PAIR, name=name), "--json", "--dry-run")
    assert [1810, 1790] == [one["new"] for one in json.loads(ended.out)["players"]]


@pytest.mark.slow
def test_event_without_a_rated_game_says_so(run, event, tmp_path):
    ended = run("rate", event(player(1, "- U", points=1.0), player(2, "- Z", points=0.0)))
    assert (0, "") == (ended.code, ended.err)
    assert "This event has no rated games: all ratings stay as they are." in ended.out
    assert zipfile.is_zipfile(tmp_path / "event-rated.xlsx")


@pytest.mark.slow
def test_strict_refuses_what_would_be_assumed(run, tmp_path):
    ended = run("rate", TRF, "--strict")
    assert (1, "") == (ended.code, ended.out)
    assert "error: K 20 for Marchetti, Dario, 2391: anyone who has" in ended.err
    assert [] == list(tmp_path.iterdir())
    assert 0 == run("rate", TRF, "--strict", "--k", "20").code


def test_warnings_are_on_standard_error(run, event):
    ended = run("rate", event(PAIR[0].replace(" 1.0", " 0.5"), PAIR[1]), "--json", "--dry-run")
    assert 0 == ended.code
    line, assumed = ended.err.splitlines()
    assert line.startswith("warning: ")
    assert [assumed.removeprefix("note: ")] == json.loads(ended.out)["assumed"]
    assert "line 3" in line
    assert [line.removeprefix("warning: ")] == json.loads(ended.out)["warnings"]


def test_event_without_a_date(run, event):
    event_ = json.loads(run("rate", event(*PAIR, start=""), "--json", "--dry-run").out)
    assert event_["start"] is None
    assert "the newest edition, as the event has no date" == event_["rules_reason"]


def test_an_event_without_ratings_says_so_once(run, event):
    ended = run(
        "rate", event(player(1, "2 w 1", rating=0), player(2, "1 b 0", rating=0)), "--dry-run"
    )
    assert 0 == ended.code
    assert 1 == ended.err.count("no player has a rating")
    assert "rated opponent" not in ended.out


@pytest.mark.slow
def test_rules_without_a_k_of_their_own_say_whose_it_is(run):
    said = "K factors: FIDE's, as elo has none of its own"
    assert said in run("rate", TRF, "--rules", "elo", "--dry-run").out
    for words in (("--rules", "elo", "--k", "20"), ("--rules", "fide-2017-07"), ("--rules", "dwz")):
        assert "K factors:" not in run("rate", TRF, *words, "--dry-run").out


def test_draws_where_there_are_none_are_named(run):
    ended = run("rate", TRF, "--rules", "usatt", "--dry-run")
    assert 1 == ended.code
    assert (
        "error: score of a match of table tennis must be 1 or 0, got 0.5 @ round 1, "
        in ended.errors[0]
    )


# what goes wrong


@pytest.mark.parametrize(
    "words",
    [
        ("rate", "none.trf"),
        ("rate", "here.trf", "--players", "none.csv"),
        ("rate", "here.trf", "--rules", "none.toml"),
        ("add", "none.xlsx", "here.trf"),
        ("add", "here.trf", "none.trf"),
        ("close", "none.xlsx"),
        ("undo", "none.xlsx"),
        ("next", "none.xlsx", "-o", "next.xlsx"),
        ("new", "./none.book"),
        ("new", "swiss", "--from", "none.xlsx"),
        ("list", "import", "none.txt"),
        ("addin", "native", "none.xlsx"),
        ("addin", "lite", "none.xlsx"),
        ("addin", "libreoffice", "--convert", "none.xlsx"),
    ],
)
def test_a_path_that_leads_nowhere_is_wrong_use(run, tmp_path, words):
    (tmp_path / "here.trf").write_bytes(trf(*PAIR))
    ended = run(*words)
    assert (2, "") == (ended.code, ended.out)
    assert "none." in ended.errors[-1]
    assert ["here.trf"] == [path.name for path in tmp_path.iterdir()]


OTHER_KIND = "it is not a tournament report file (TRF), PGN, CSV, xlsx, ods or xls @ event.pdf"


@pytest.mark.parametrize(("name", "content", "said"), [
    ("folder.trf", None, "there is no event in folder.trf"),
    ("event.pdf", b"%PDF-1.7 ...", OTHER_KIND),
    ("event.pdf", b"\x89PNG\r\n\x1a\n\0\0", OTHER_KIND),
    ("notes.md", b"# Notes\n\nThe club meets, on Fridays, at eight.\n",
     ("it is no list of games: no column has a heading such as white, black or result @ notes.md, "
      "line 1")),
])  # fmt: skip
def test_what_is_no_event(run, tmp_path, name, content, said):
    path = tmp_path / name
    path.mkdir() if content is None else path.write_bytes(content)
    ended = run("rate", name)
    assert (1, [f"error: {said}"]) == (ended.code, ended.errors)


def test_every_problem_of_a_file_is_a_line(run, event, tmp_path):
    path = event(
        player(1, "2 w 1", "7 b 1", rating="2x00", points=2.0), player(2, "1 b 1", "", points=1.0)
    )
    ended = run("rate", path)
    assert (1, "") == (ended.code, ended.out)
    assert 3 == len(ended.errors)
    assert all(line.startswith("error: ") and " @ " in line for line in ended.errors)
    assert any("'2x00'" in line for line in ended.errors)
    assert ["event.trf"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.slow
def test_output_that_cannot_be_written(run, tmp_path):
    target = tmp_path / "no" / "where" / "out.xlsx"
    ended = run("rate", TRF, "-o", target)
    assert (1, "") == (ended.code, ended.out)
    (line,) = ended.errors
    assert line == f"error: {target.parent}: No such file or directory"


@pytest.mark.slow
@pytest.mark.parametrize(("code", "message", "options"), [
    (2, "rules must be one of fide, fide-2025-10", ("--rules", "fifa")),
    (1, "error: egf takes no K but its own, got 20", ("--rules", "egf", "--k", "20")),
    (2, "-1.0 is not in the range 0<=x<=100", ("--k", "-1")),
    (2, "'many' is not a valid float", ("--k", "many")),
    (1, "error: K must be a number not below 0, got nan", ("--k", "nan")),
    (2, "inf is not in the range 0<=x<=100", ("--k", "inf")),
    (2, "error: Invalid value for '--players': File 'none.csv' does not exist.",
     ("--players", "none.csv")),
    (2, "No such option", ("--unknown",)),
])  # fmt: skip
def test_bad_options(run, tmp_path, code, message, options):
    ended = run("rate", TRF, *options)
    assert (code, "") == (ended.code, ended.out)
    assert message in ended.errors[-1]
    assert [] == list(tmp_path.iterdir())


def test_a_defect_is_one_line(run, monkeypatch):
    def broken(*_: object) -> None:
        raise RuntimeError("oh no")

    monkeypatch.setattr(rate_single, "rate", broken)
    ended = run("rate", TRF)
    assert 1 == ended.code
    assert ["error: internal error, please report it (RuntimeError: oh no)"] == ended.errors
    monkeypatch.setenv("ELO_XL_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["elo-xl", "rate", str(TRF)])
    with pytest.raises(RuntimeError, match="oh no"):
        main()


# the command as a whole


def test_version_and_help(run):
    assert f"elo-xl, version {__version__}\n" == run("--version").out
    for option in ("-h", "--help"):
        ended = run(option)
        assert 0 == ended.code
        assert {"Ask:", "call", "functions", "rate"} <= set(ended.out.split())
        # Every line is whole.
        assert all(line.endswith(".") for line in ended.out.splitlines() if line.startswith("  "))
    assert 2 == run("nothing").code


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        ([], "Usage: elo-xl [OPTIONS] COMMAND"),
        (["help"], "Usage: elo-xl [OPTIONS] COMMAND"),
        (["help", "rate"], "Usage: elo-xl rate [OPTIONS] FILE"),
    ],
)
def test_help_without_an_option(run, words, usage):
    ended = run(*words)
    assert (ended.out or ended.err).startswith(usage)


@pytest.mark.slow
def test_standard_input_is_a_file_and_quiet_is_silent():
    def run(*words: str, given: bytes = TRF.read_bytes()) -> Any:
        return CliRunner().invoke(cli, ["rate", *words, "--dry-run"], input=given)

    piped = run("-", "--json", "--quiet")
    assert (
        json.loads(piped.stdout)["players"] == json.loads(run(str(TRF), "--json").stdout)["players"]
    )
    assert (piped.stderr, json.loads(piped.stdout)["notes"] != []) == ("", True)
    assert (0, "") == ((silent := run("-", "--quiet")).exit_code, silent.output)
    wrong = run("-", "--quiet", given=b"white,black,result\nAna,Bo,2x05\n")
    assert (1, "") == (wrong.exit_code, wrong.stdout)
    for again in (run("-", given=b""), run("-", "--players", "-")):
        assert "standard input is empty, or was read already" in again.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["rate", TRF], "rated.xlsx"),
        (["new", "round-robin"], "new.xlsx"),
        (["export", TRF], "report.trf"),
        (["norms", TRF], "norms.html"),
        (["fit", TRF], "fit.xlsx"),
    ],
)
def test_a_file_goes_to_standard_output_and_all_else_to_standard_error(tmp_path, words, name):
    def run(output: object) -> Any:
        return invoke(*words, "-o", output)

    file = tmp_path / name
    assert 0 == run(file).exit_code
    piped = run("-")
    assert 0 == piped.exit_code
    assert file.read_bytes() == piped.stdout_bytes
    assert "" != piped.stderr
    both = invoke(*words, "-o", "-", "--json")
    assert (2, "") == (both.exit_code, both.stdout)


@pytest.mark.parametrize(("content", "shown"), [(b"012 Open", True), (b"PK\0", False)])
def test_a_terminal_shows_no_book(monkeypatch, content, shown):
    terminal = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", terminal)
    refused = nullcontext() if shown else pytest.raises(OSError, match="a terminal cannot show")
    with to_standard_output(), refused:
        write_whole("-", content)
    assert (content if shown else b"") == terminal.buffer.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "out", "err", "arguments"),
    [
        (0, "0.5\n", "", ["call", "ELO_EXPECTED", "-5", "-5"]),
        (2, "", "error: no function 'ELO'", ["call", "ELO"]),
        (2, "", "Path 'none.trf' does not exist", ["rate", "none.trf"]),
        (1, "", "error: it is not a tournament report file", ["rate", sys.executable]),
    ],
)
def test_in_a_process_of_its_own(tmp_path, code, out, err, arguments):
    ended = subprocess.run(
        [sys.executable, "-c", "from elo_xl.cli import main; main()", *arguments],
        cwd=tmp_path,
        env={"PYTHONPATH": str(EXAMPLES.parent), "PATH": "", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (code, out) == (ended.returncode, ended.stdout)
    assert err in ended.stderr
    assert "Traceback" not in ended.stderr
    assert bool(err) == bool(ended.stderr)


def test_a_program_without_streams_works_and_says_nothing(tmp_path):
    code = "import sys; sys.stdout = sys.stderr = None; from elo_xl.cli import main; main()"
    words = ["rate", TRF, "-o", tmp_path / "rated.xlsx"]
    assert 0 == subprocess.run([sys.executable, "-c", code, *words], check=False).returncode
    assert (tmp_path / "rated.xlsx").is_file()


def test_what_is_long_or_deep_or_there_twice_is_said_in_short(run, event):
    twice = run("rate", TRF, "--rules", "elo", "--rules", "fide", "--dry-run")
    assert (2, True) == (twice.code, "--rules is there 2 times" in twice.err)
    deep = run("call", "ELO_EXPECTED", "[" * 5000 + "]" * 5000, 1500)
    assert "#VALUE!" in deep.out
    # Python 3.13 reads it as a list, older ones as a text
    assert f"{'[' * 80}…" in deep.err


@pytest.mark.parametrize("output", ["event.trf", "rated.txt", "rated"])
def test_rate_writes_workbooks_only_and_never_over_its_source(run, event, output):
    source = event(*PAIR)
    before = source.read_bytes()
    ended = run("rate", source, "-o", source.with_name(output))
    assert (1, 1) == (ended.code, len(ended.errors))
    assert "must end in .xlsx" in ended.err
    assert before == source.read_bytes()
    assert [source] == list(source.parent.iterdir())


def test_a_narrow_terminal_shows_the_reasons_below(event, monkeypatch):
    narrow = Console(width=80, highlight=False)
    monkeypatch.setattr(rate_single, "console", lambda: narrow)
    source = event(*PAIR)
    shown = invoke("rate", source, "--dry-run").stdout
    assert "Reason for K" not in shown
    assert "K 20, never reached 2400 (assumed): No 1, 2" in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_narrow_terminal_has_room_for_names(language, monkeypatch):
    narrow = Console(width=80, highlight=False)
    monkeypatch.setattr(rate_single, "console", lambda: narrow)
    with narrow.capture() as shown:
        invoke("rate", TRF, "--dry-run", "--lang", language)
    assert "Marchetti, Dario" in shown.get()
    assert "…" not in shown.get()


# tables


def table(folder: Path, name: str = "cup.csv") -> Path:
    path = folder / name
    path.write_text("Cup\nRunde;Weiß;Elo;Schwarz;Elo;Ergebnis\n1;Ana;1800;Ben;1750;1-0\n")
    return path


def test_dry_run_shows_what_was_understood(run, tmp_path):
    lines = run("rate", table(tmp_path), "--dry-run").out.splitlines()
    assert [("Games: cup.csv, headings in line 2: round = 'Runde' (A), first = 'Weiß' (B), first "
             "rating = 'Elo' (C), second = 'Schwarz' (D), second rating = 'Elo' (E), result = "
             "'Ergebnis' (F)"), "2 players, 1 round, 1 game", "", "Cup"] == lines[:4]  # fmt: skip
    event = json.loads(run("rate", tmp_path / "cup.csv", "--dry-run", "--json").out)
    assert lines[:1] == event["understood"]


def test_dry_run_of_a_wrong_file_shows_it_too(run, tmp_path):
    path = table(tmp_path)
    path.write_text(path.read_text() + "2;Ana;1800;Ben;1750;1-1\n")
    ended = run("rate", path, "--dry-run")
    assert 1 == ended.code
    assert ended.out.startswith("Games: cup.csv, headings in line 2: ")
    assert [
        ("error: the two results of a game must add up to 1, got '1-1' @ cup.csv, line 4, column 6")
    ] == ended.errors


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("white", "columns are named as white=Weiß,black=Schwarz, got 'white'"),
        ("colour=A", "no column is called 'colour': say white, black, result"),
    ],
)
def test_columns_named_wrongly(run, tmp_path, columns, message):
    ended = run("rate", table(tmp_path), "--columns", columns)
    assert 2 == ended.code
    assert message in ended.err


def test_columns_sheet_and_encoding(run, tmp_path):
    path = tmp_path / "cup.csv"
    path.write_bytes("A;B;WA;WB;X\nPawłowski;Ben;1800;1750;1-0\n".encode("cp1250"))
    columns = "white=A,black=B,white rating=WA,black rating=WB,result=X"
    ended = run("rate", path, "--columns", columns, "--encoding", "cp1250", "--json", "--dry-run")
    assert "Pawłowski" in ended.out
    ended = run("rate", table(tmp_path), "--sheet", "Games")
    assert ["error: no sheet is called 'Games': it is no workbook @ cup.csv"] == ended.errors


def test_a_name_with_brackets_is_no_pattern_where_the_command_finds_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("g[1].csv", "g1.csv", "a.pgn", "b.pgn"):
        Path(name).touch()
    given = ["rate", "g[1].csv", "o[1].csv", "*.pgn", "?.txt", "--k", "~x"]
    done = ["rate", "g[1].csv", "o[1].csv", "a.pgn", "b.pgn", "?.txt", "--k", "~x"]
    found = expanded(given)
    assert sorted(found) == sorted(done)
    assert found[:3] == done[:3]
