"""What commands say: errors and notes in English, answers in every language, and as JSON."""

import ast
import json
import random
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from elo_xl.books.answers import many, phrase, speaking, spoken
from elo_xl.cli import cli
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.events.merging import KINDS
from elo_xl.functions.catalogue import functions
from elo_xl.languages import ENGLISH
from elo_xl.terminal.console import MANY_COPIES
from tests.snapshots import check
from tests.support import ROOT

TRF = ROOT / "examples" / "rivertown-open.trf"


def test_nothing_is_said_before_somebody_asks() -> None:
    """What stands at the top of a module, or as a default, is said in English for ever."""
    for path in (ROOT / "elo_xl").rglob("*.py"):
        waiting: list[ast.AST] = [ast.parse(path.read_bytes())]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Call):
                assert ast.unparse(node.func) not in ("phrase", "many"), f"{path}:{node.lineno}"
            if isinstance(node, ast.FunctionDef):
                waiting += [*node.decorator_list, *node.args.defaults]
                waiting += [default for default in node.args.kw_defaults if default]
            elif not isinstance(node, ast.Lambda):
                waiting += ast.iter_child_nodes(node)


def test_numbers_are_written_as_in_the_language() -> None:
    with speaking("es"):
        assert "1\u00a0234 partidas" == many(1234, "game")
        assert "Media 1,5" == phrase("Media {x:.1f}", x=1.5)
    with speaking("ru"):
        assert ["1 партия", "3 партии", "5 партий", "11 партий"] == [
            many(n, "game") for n in (1, 3, 5, 11)
        ]


# -- the commands ---------------------------------------------------------------------------------


def commands(group: click.Group, *above: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands with their names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, *above, name)
        else:
            yield (*above, name), command


def test_every_command_has_a_language_and_json() -> None:
    for name, command in commands(cli):
        options = [option for one in command.params for option in one.opts]
        for option in ("--lang", "--json"):
            assert 1 == options.count(option), (name, option)


LINES = f"""
templates
functions ELO_K
call ELO_K 1800
new club --sample -o club.xlsx
new swiss --sample -o swiss.xlsx
new league --sample -o league.xlsx
new club --from club.xlsx -o larger.xlsx
rate {TRF} -o rated.xlsx
rate {TRF} swiss.xlsx -o both.xlsx
norms {TRF}
norms swiss.xlsx 1
prizes swiss.xlsx --places 100,50,20
prizes swiss.xlsx --places 100,50,20 --expected --runs 2
odds swiss.xlsx --into-book
odds league.xlsx --runs 100
unusual swiss.xlsx --below 1
fit {TRF} --anchor Marchetti=2300 -o fit.xlsx
check games.csv -o check.svg
explain {TRF} 1
explain {TRF} 15
explain club.xlsx 1
publish swiss.xlsx
pair swiss.xlsx --check
next swiss.xlsx -o next.xlsx
selfcheck swiss.xlsx
pair next.xlsx
export swiss.xlsx -o out.trf
add club.xlsx {TRF} --new
close club.xlsx --date 2026-12-01
correct club.xlsx
undo club.xlsx
list import {TRF.with_name("rivertown-players.csv")} --month 2026-10 --columns id=id,name=name
list show
list find Ferrer --list example
list update club.xlsx --list example
list remove fide-2026-10
addin native swiss.xlsx -o native.xlsx
addin native
addin lite swiss.xlsx -o lite.xlsx
addin sheets
addin office
"""


def season() -> str:
    """Two years of games that are enough for `elo-xl check`, with the ratings before each."""
    luck = random.Random(1)
    rows = ["Date,White,Elo,Black,Elo,Result"]
    for month in range(24):
        for _ in range(15):
            one, two = luck.sample(range(12), 2)
            result = luck.choice(["1-0", "1-0", "0-1"] if one > two else ["0-1", "0-1", "1-0"])
            sides = ",".join(f"P{i},{1400 + 25 * i - month}" for i in (one, two))
            rows.append(f"{2024 + month // 12}-{month % 12 + 1:02}-05,{sides},{result}")
    return "\n".join(rows)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.csv").write_text(season(), encoding="utf-8")
    monkeypatch.setenv("ELO_XL_LISTS", str(tmp_path / "lists"))

    def runs(line: str, *more: str) -> Result:
        return CliRunner().invoke(cli, [*shlex.split(line), *more], prog_name="elo-xl")

    return runs


COUNTED = ("carried", "rules")
"""Objects whose keys say what is counted or which kind of play it is."""


def keys_of(part: object, place: str = "", keys: dict[str, list[str]] | None = None) -> Any:
    """The keys of each object in an answer, by its place."""
    keys = {} if keys is None else keys
    if isinstance(part, list):
        for one in part:
            keys_of(one, f"{place}[]", keys)
    if isinstance(part, dict) and place not in COUNTED:
        kinds = bool(part) and part.keys() <= {*KINDS}
        for key, value in part.items():
            keys_of(value, f"{place}.KIND" if kinds else f"{place}.{key}".strip("."), keys)
            if not kinds and key not in keys.setdefault(place, []):
                keys[place].append(key)
    return keys


@pytest.mark.slow
@pytest.mark.snapshot
def test_every_command_prints_json(run: Any) -> None:
    """One object, with the keys that docs/json.md lists; notes and warnings stand first."""
    named = [" ".join(name) for name, _ in commands(cli)]
    answers: dict[str, dict[str, list[str]]] = {}
    for line in LINES.strip().splitlines():
        result = run(line, "--json")
        assert 0 == result.exit_code, (line, result.output)
        [name] = [name for name in named if f"{line} ".startswith(f"{name} ")]
        answer = json.loads(result.stdout)
        assert ["warnings", "notes"] == list(answer)[:2], line
        keys_of({key: answer[key] for key in [*answer][2:]}, "", answers.setdefault(name, {}))
    listed = []
    for name, places in answers.items():
        listed += [f"## {name}", "", "| in | keys |", "|---|---|"]
        for place, keys in sorted(places.items()):
            where = f"`{place}`" if place else "the answer"
            listed.append(f"| {where} | {', '.join(f'`{key}`' for key in keys)} |")
        listed.append("")
    path = ROOT / "docs" / "json.md"
    text = path.read_text("utf-8")
    begin, end = text.index("## templates"), text.index("## Commands that need")
    check(str(path), "\n".join([text[:begin].rstrip(), "", *listed, text[end:]]))


def test_json_says_what_was_written(run: Any) -> None:
    assert 0 == run("new swiss --sample -o swiss.xlsx").exit_code
    done = run("next swiss.xlsx -o next.xlsx --json")
    answer = json.loads(done.stdout)
    assert ("next.xlsx", 20) == (answer["workbook"], answer["carried"]["players"])
    assert [f"note: {note}" for note in answer["notes"]] == done.stderr.splitlines()


def test_answers_have_a_language_and_notes_are_english(run: Any) -> None:
    done = run(f"rate {TRF} --dry-run --lang es")
    assert "Jugador sin rating" in done.stdout
    assert "vigente el 2026-03-18, primer día del torneo" in done.stdout
    assert "nunca ha llegado a 2400" in done.stdout
    assert done.stderr.startswith("note: K 20 for Marchetti, Dario, 2391")
    assert "Unrated player" in run(f"rate {TRF} --dry-run").stdout
    assert ENGLISH == spoken()


@pytest.mark.parametrize(("line", "message"), [
    ("rat", "error: No such command 'rat'. Did you mean 'rate'?"),
    ("rate none.trf --lang ru", "error: Invalid value for 'FILE…': "),
    (f"explain {TRF} 1 --date 31.12.2026",
     "error: Invalid value for '--date': a day is written as 2026-12-31, got '31.12.2026'"),
    (f"next {TRF} -o next.xlsx", f"error: {TRF}: it is no workbook; elo-xl next takes one that"),
    ("templates --lang sp", "error: Invalid value for '--lang': 'sp' is not one of 'en', 'de', "),
    ("new swiss --functions lamda",
     ("error: Invalid value for '--functions': 'lamda' is not one of 'formulas', 'lambda', "
      "'addin', 'lite', 'libreoffice'; did you mean lambda?")),
    ("new swiss --rules dzw --lang de",
     ("error: Invalid value for '--rules': rules must be one of fide, "
      f"{', '.join([*RULEBOOKS][1:])}, got 'dzw'; did you mean dwz?")),
    ("new schweizer --lang de",
     "error: there is no template 'schweizer': elo-xl templates lists them; did you mean swiss?"),
    ("new швейцарка --lang ru",
     "error: there is no template 'швейцарка': elo-xl templates lists them; did you mean s"),
    ("call ELO_EXPECTED 1800 abc --lang de",
     'error: opponent: got "abc", takes a number such as 1850, or a blank or 0'),
    ("call ELO_FOO --lang de", "error: no function 'ELO_FOO'; did you mean ELO_"),
    ("call ELO_K --lang de",
     f"error: {functions()['ELO_K'].signature} takes 1 to 6 arguments, got 0"),
    ("call ELO_SCORE 2-0 --lang de",
     "error: result must be 1, 0.5 or 0, got '2-0'; several games are entered one by one"),
    ("new swiss --players x --lang de", "error: Invalid value for '--players': 'x' is not a valid"),
    *((f"{command} {TRF} --lang de", f"error: {TRF}: this is an event's file, not a workbook")
      for command in ("publish", "pair", "close", "new --from")),
    (f"explain Brennan {TRF}",
     "error: Invalid value for 'FILE': File 'Brennan' does not exist; FILE stands first: "),
    ("--lang es templates",
     "error: No such option '--lang'. Options of a command stand after its name."),
])  # fmt: skip
def test_errors_have_one_prefix(run: Any, line: str, message: str) -> None:
    assert run(line).stderr.splitlines()[-1].startswith(message)


@pytest.mark.parametrize("language", ["ES", "spanish", "Español", "es-MX"])
def test_a_language_has_several_names(run: Any, language: str) -> None:
    assert run("templates --lang es").stdout == run(f"templates --lang {language}").stdout


def test_many_copies_of_a_book_are_explained(run: Any, tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    assert 0 == run("new club --sample -o club.xlsx").exit_code
    for minute in range(MANY_COPIES - 1):
        (tmp_path / f"club (2026-01-01 120{minute}).xlsx").write_bytes(book.read_bytes())
    done = run("close club.xlsx --date 2026-12-01 --json")
    assert done.exit_code == 0, done.output
    [note] = [note for note in json.loads(done.stdout)["notes"] if "copies" in note]
    assert note.startswith(f"{MANY_COPIES} dated copies lie beside the book: elo-xl undo needs the")
