"""What commands say: in every language, as JSON, and with one prefix."""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import click
import pytest
from click.testing import CliRunner, Result

from elo_xl.books.entries import read_entries
from elo_xl.books.texts import texts as texts_of_books
from elo_xl.cli import cli
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.events.table import GAME, PLAYER, game_column, player_column
from elo_xl.events.tables import _KIND_WORDS
from elo_xl.functions.catalogue import functions
from elo_xl.languages import ENGLISH, LANGUAGES, TRANSLATED, messages, read_texts
from elo_xl.languages.messages import many, phrase, speaking
from elo_xl.templates import gallery
from elo_xl.templates.blocks.tie_breaks import TIE_BREAKS
from elo_xl.templates.gallery import TEMPLATES
from elo_xl.terminal.console import MANY_COPIES
from elo_xl.xlsx.cells import StoredBook, StoredCell, StoredSheet
from tests.support import ROOT

HOME = Path(messages.__file__).parent
FILES = sorted(HOME.glob("*.toml"))
PLACES = re.compile(r"{\w[^}]*}")
TRF = ROOT / "examples" / "rivertown-open.trf"
CALLS = ("phrase", "many", "progress", "counted", "plain_table")


def calls() -> Iterator[ast.Call]:
    """Where the code says something."""
    for path in (ROOT / "elo_xl").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if any(f"{name}(" in source for name in CALLS):
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in CALLS:
                    yield node


def said() -> set[str]:
    """The texts that the code says with their words beside the call."""
    keys = set()
    for call in calls():
        match call:
            case ast.Call(ast.Name("many"), [_, ast.Constant(str(what))]):
                keys.add(f"{what}|{what}s")
            case ast.Call(
                ast.Name("phrase" | "progress" | "counted"), [ast.Constant(str(text)), *_]
            ):
                keys.add(text)
            case ast.Call(ast.Name("plain_table")):
                parts = ast.walk(call)
                texts = [one.value for one in parts if isinstance(one, ast.Constant)]
                keys |= {text for text in texts if isinstance(text, str)}
    return {key for key in keys if re.search("[A-Za-z]", key)}


def constants() -> set[str]:
    """All texts in the code, and those of click."""
    folders = (ROOT / "elo_xl", Path(click.__file__).parent)
    trees = (ast.parse(p.read_bytes()) for folder in folders for p in folder.rglob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_said_is_translated_and_nothing_else(file: Path) -> None:
    texts = read_texts(file)
    assert file.stem in TRANSLATED
    assert set() == said() - texts.keys()
    known = constants() | {"error: {message}"}
    left_over = {key for key in texts.keys() - known if key.partition("|")[0] not in known}
    assert set() == left_over


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_translations_keep_their_places(file: Path) -> None:
    for english, text in read_texts(file).items():
        assert set(PLACES.findall(english)) == set(PLACES.findall(text)), english


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


REFUSALS = {
    "": ("WorkbookError", "PackageError", "ListError", "EntriesError", "EventError", "Problem"),
    "bulk": ("RatingError",),
    "templates": ("OptionError", "DomainError"),
}
"""What somebody's file can raise, by the room; what all rooms raise first."""


def without_phrases(node: ast.AST) -> Iterator[str]:
    """The words in an expression that are English in every language."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in CALLS:
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from re.findall("[A-Za-z]+ [A-Za-z]+", node.value)
    for inside in ast.iter_child_nodes(node):
        yield from without_phrases(inside)


def test_what_is_refused_is_said_in_the_language() -> None:
    forgotten = {}
    for path in (ROOT / "elo_xl").rglob("*.py"):
        names = REFUSALS[""] + REFUSALS.get(path.relative_to(ROOT / "elo_xl").parts[0], ())
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
                forgotten[f"{path}:{node.lineno}"] = [
                    text for one in node.args for text in without_phrases(one)
                ]
    assert {} == {where: texts for where, texts in forgotten.items() if texts}


def test_notes_of_entries_are_said_in_the_language() -> None:
    sheet = StoredSheet({(3, 2): StoredCell(1.5, formula=False, locked=False)}, protected=False)
    with speaking("de"):
        book = gallery.declared("swiss", gallery.options("swiss"))
        entries = read_entries(book, cast("StoredBook", {"Blatt 1": sheet}))
    assert "dieses Blatt gibt es nicht @ Players" in entries.notes
    assert ["ein Blatt, das nicht zur Mappe gehört @ Blatt 1"] == entries.left


def test_numbers_are_written_as_in_the_language() -> None:
    with speaking("es"):
        assert "1\u00a0234 partidas" == many(1234, "game")
        assert "Media 1,5" == phrase("Media {x:.1f}", x=1.5)
    with speaking("ru"):
        assert ["1 файл", "3 файла", "5 файлов", "11 файлов"] == [
            many(n, "file") for n in (1, 3, 5, 11)
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
functions
new club --sample -o club.xlsx
new swiss --sample -o swiss.xlsx
rate {TRF} -o rated.xlsx
norms {TRF}
norms swiss.xlsx 1
prizes swiss.xlsx --places 100,50,20
odds swiss.xlsx
unusual swiss.xlsx
fit {TRF}
explain {TRF} 1
publish swiss.xlsx
next swiss.xlsx -o next.xlsx
export swiss.xlsx -o out.trf
add club.xlsx {TRF} --new
close club.xlsx --date 2026-12-01
correct club.xlsx
undo club.xlsx
list show
list find Ferrer --list example
addin native swiss.xlsx -o native.xlsx
addin lite swiss.xlsx -o lite.xlsx
"""
WRONG = f"""
rat
rate {TRF} --los
rate nothing.trf
rate {TRF} -o rated.pdf
add club.xlsx {TRF} --date 31.12.2026
next {TRF} -o next.xlsx
list import nothing.txt
export {TRF} -o out.xlsx
"""
OURS = """elo xl elo_xl rate add publish html trf trfx
xlsx native lite club swiss next close lang json
help old undo correct
list import find show remove export new template options command args file book
fide chess usual hort ana ferrer esp davidson dwz uscf egf ecf glicko buchholz
standard rapid blitz"""
"""Words of the command line, and names, which every language has."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ELO_XL_LISTS", str(tmp_path / "lists"))

    def runs(line: str, *more: str) -> Result:
        return CliRunner().invoke(cli, [*shlex.split(line), *more], prog_name="elo-xl")

    return runs


def invented(text: str) -> str:
    """A text in a language that has no Latin letters."""
    return re.sub(rf"{PLACES.pattern}|[A-Za-z]", lambda m: m[0] if m[0][0] == "{" else "ж", text)


def words(text: str) -> list[str]:
    """The words of a text in Latin letters."""
    return re.findall("[a-zà-ÿ]{3,}", text.lower())


@pytest.mark.slow
def test_no_command_says_an_english_sentence(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every message that has a translation is said in letters that English has not; what is left
    in Latin ones comes from the event, the command line or a book in Spanish, or is forgotten."""
    texts = {key: invented(text) for key, text in messages._texts("es").items()}
    monkeypatch.setattr(messages, "_texts", lambda code: texts)
    known = [*LANGUAGES["es"].texts.values(), *texts_of_books("es").by_key().values()]
    known += [*functions(), *(tie.code for tie in TIE_BREAKS)]
    known += [f"{name} {template.summary('es')}" for name, template in TEMPLATES.items()]
    known += [p["name"] for p in gallery.sample("swiss", gallery.options("swiss"))["Players"]]
    # Click names the kind of a parameter when a command is loaded, here by an earlier test
    names = {"path"} | set(words(" ".join([OURS, LINES, WRONG, TRF.read_text("utf-8"), *known])))
    forgotten = {}
    for line in (LINES + WRONG).strip().splitlines():
        result = run(line, "--lang", "es")
        assert result.exception is None or isinstance(result.exception, SystemExit), line
        if rest := set(words(result.output)) - names:
            forgotten[line] = rest
    assert {} == forgotten


@pytest.mark.slow
def test_every_command_prints_json(run: Any) -> None:
    for line in LINES.strip().splitlines():
        result = run(line, "--json")
        assert 0 == result.exit_code, (line, result.output)
        assert json.loads(result.stdout) is not None or line.startswith("norms")


def test_json_says_what_was_written(run: Any) -> None:
    assert 0 == run("new swiss --sample -o swiss.xlsx").exit_code
    done = run("next swiss.xlsx -o next.xlsx --json")
    answer = json.loads(done.stdout)
    assert ("next.xlsx", 20) == (answer["workbook"], answer["carried"]["players"])
    assert [f"note: {note}" for note in answer["notes"]] == done.stderr.splitlines()


def test_ratings_are_told_in_the_language(run: Any) -> None:
    done = run(f"rate {TRF} --dry-run --lang es")
    assert "Jugador sin rating" in done.stdout
    assert "vigente el 2026-03-18, primer día del torneo" in done.stdout
    assert "nunca ha llegado a 2400" in done.stdout
    assert done.stderr.startswith("nota: K 20 para Marchetti, Dario, 2391")
    assert "Unrated player" in run(f"rate {TRF} --dry-run").stdout
    assert ENGLISH == messages.spoken()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rat", "error: No such command 'rat'. Did you mean 'rate'?"),
        ("rat --lang es", "error: No hay ninguna orden 'rat'. ¿Quiso decir 'rate'?"),
        ("rate none.trf --lang ru", "ошибка: Неверное значение для 'FILE…': "),
        (
            f"explain {TRF} 1 --date 31.12.2026",
            "error: Invalid value for '--date': a day is written as 2026-12-31, got '31.12.2026'",
        ),
        (
            f"next {TRF} -o next.xlsx",
            f"error: {TRF}: it is no workbook; elo-xl next takes one that",
        ),
        (
            "templates --lang sp",
            "error: Invalid value for '--lang': 'sp' is not one of 'en', 'de', ",
        ),
        (
            "new swiss --functions lamda",
            (
                "error: Invalid value for '--functions': 'lamda' is not one of 'formulas', "
                "'lambda', 'addin', 'lite', 'libreoffice'; did you mean lambda?"
            ),
        ),
        (
            "new swiss --rules dzw --lang de",
            (
                "Fehler: Ungültiger Wert für '--rules': rules: möglich sind fide, "
                f"{', '.join([*RULEBOOKS][1:])}, nicht 'dzw'; ist dwz gemeint?"
            ),
        ),
        (
            "new schweizer --lang de",
            (
                "Fehler: es gibt keine Vorlage 'schweizer': elo-xl templates listet alle auf; ist "
                "swiss gemeint?"
            ),
        ),
        (
            "new швейцарка --lang ru",
            "ошибка: нет шаблона 'швейцарка': все перечисляет elo-xl templates; может быть, swiss?",
        ),
        (
            "call ELO_EXPECTED 1800 abc --lang de",
            'Fehler: opponent: nicht "abc", sondern eine Zahl wie 1850, oder leer oder 0',
        ),
        ("call ELO_FOO --lang de", "Fehler: es gibt keine Funktion 'ELO_FOO'; ist ELO_"),
        (
            "call ELO_K --lang de",
            f"Fehler: {functions()['ELO_K'].signature} nimmt 1 bis 6 Argumente, nicht 0",
        ),
        (
            "call ELO_SCORE 2-0 --lang de",
            "Fehler: das Ergebnis muss 1, 0,5 oder 0 sein, nicht '2-0'; mehrere Partien werden e",
        ),
        (
            "new swiss --players x --lang de",
            "Fehler: Ungültiger Wert für '--players': 'x' ist kein",
        ),
        *(
            (f"{command} {TRF} --lang de", f"Fehler: {TRF}: das ist die Datei eines Turniers, kei")
            for command in ("publish", "pair", "close", "new --from")
        ),
        (
            f"explain Brennan {TRF}",
            "error: Invalid value for 'FILE': File 'Brennan' does not exist; FILE stands first: ",
        ),
        (
            "--lang es templates",
            "error: No hay ninguna opción '--lang'. Las opciones de una orden van después de su n",
        ),
    ],
)
def test_errors_have_one_prefix(run: Any, line: str, message: str) -> None:
    assert run(line).stderr.splitlines()[-1].startswith(message)


@pytest.mark.parametrize("language", ["ES", "spanish", "Español", "es-MX"])
def test_a_language_has_several_names(run: Any, language: str) -> None:
    assert run("templates --lang es").stdout == run(f"templates --lang {language}").stdout


def test_what_is_understood_of_a_table_is_said_in_the_language(run: Any, tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("White,Black,Result\nAna,Ben,1\n")
    assert (
        "Partien: games.csv, Überschriften in Zeile 1: Spieler 1 = 'White' (A), Spieler 2 = 'Black'"
        " (B), Ergebnis = 'Result' (C)"
    ) == run("rate games.csv --dry-run --lang de").stdout.splitlines()[0]
    for code in TRANSLATED:
        assert {*PLAYER, *GAME, *_KIND_WORDS.values()} <= messages._texts(code).keys()


@pytest.mark.parametrize("code", LANGUAGES)
def test_headings_that_are_proposed_are_understood(code: str) -> None:
    with speaking(code):
        for call, columns in (
            ("white or first", {"white", "first"}),
            ("black or second", {"black", "second"}),
            ("result or score", {"result"}),
        ):
            assert columns == set(map(game_column, phrase(call).split(phrase(" or "))))
        name = phrase("there is no column for the name: call it name or player")
        first, second = name.split(phrase(" or "))
        assert {"name"} == {player_column(first.split()[-1]), player_column(second.split()[0])}


def test_many_copies_of_a_book_are_explained(run: Any, tmp_path: Path) -> None:
    book = tmp_path / "club.xlsx"
    assert 0 == run("new club --sample -o club.xlsx").exit_code
    for minute in range(MANY_COPIES - 1):
        (tmp_path / f"club (2026-01-01 120{minute}).xlsx").write_bytes(book.read_bytes())
    done = run("close club.xlsx --date 2026-12-01 --json")
    assert done.exit_code == 0, done.output
    [note] = [note for note in json.loads(done.stdout)["notes"] if "copies" in note]
    assert note.startswith(f"{MANY_COPIES} dated copies lie beside the book: elo-xl undo needs the")
