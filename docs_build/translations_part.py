"""The translations of the code's texts: what is missing is added in English, to be translated."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from elo_xl.books import answers
from elo_xl.functions.catalogue import functions
from elo_xl.languages import CODES_LISTED, LISTED, TRANSLATED, Words

_CODE: Final = Path(__file__).parents[1] / "elo_xl"
_NOTE: Final = "# Not translated yet:"


def write() -> list[str]:
    """Write the files of all languages; gives back what nobody has translated yet."""
    missing = []
    for language in TRANSLATED:
        for folder, complete in FILES.items():
            path = folder / f"{language}.toml"
            before = path.read_text(encoding="utf-8")
            text, added = complete(before)
            if text != before:
                path.write_text(text, encoding="utf-8")
            missing += [f"{language}: {english}" for english in added]
    return missing


def arguments() -> list[str]:
    """The names of the functions' arguments."""
    return list(dict.fromkeys(a.name for f in functions().values() for a in f.arguments))


@cache
def texts() -> list[str]:
    """All texts of the code that languages translate: the functions' help, and what Words hold."""
    texts = [f.help for f in functions().values()]
    texts += [a.help for f in functions().values() for a in f.arguments]
    return list(dict.fromkeys([*texts, *_words()]))


def _words() -> Iterator[str]:
    for node in _nodes():
        match node:
            case ast.Call(ast.Name(Words.__name__), [ast.Constant(str(english))]):
                yield english


@cache
def shown() -> list[str]:
    """The texts of answers that stand in the call which shows them."""
    texts = []
    for node in _nodes():
        match node:
            case ast.Call(ast.Name("phrase"), [ast.Constant(str(english)), *_]):
                texts.append(english)
            case ast.Call(ast.Name("many"), [_, ast.Constant(str(what))]):
                texts.append(f"{what}|{what}s")
            case ast.Call(ast.Name("plain_table")):
                constants = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
                texts += [one for one in constants if isinstance(one, str)]
    return [text for text in dict.fromkeys(texts) if re.search("[A-Za-z]", text)]


@cache
def _constants() -> frozenset[str]:
    """All texts of the code: some reach :func:`elo_xl.books.answers.phrase` by a name."""
    return frozenset(
        node.value
        for node in _nodes()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@cache
def _nodes() -> list[ast.AST]:
    trees = (ast.parse(path.read_bytes()) for path in sorted(_CODE.rglob("*.py")))
    return [node for tree in trees for node in ast.walk(tree)]


def completed(text: str) -> tuple[str, list[str]]:
    """A file with an entry for every argument and text of the code, and for nothing else."""
    known = tomllib.loads(text)
    names = arguments()
    sentences = [english.replace(CODES_LISTED, LISTED) for english in texts()]
    for table, wanted in (("arguments", names), ("texts", sentences)):
        for key in known[table].keys() - set(wanted):
            text = _without(text, key)
    new = [name for name in names if name not in known["arguments"]]
    lines = "".join(f'{name} = "{name}"\n' for name in new)
    text = text.replace("\n[texts]\n", f"{lines}\n[texts]\n")
    text, added = _with(text, sentences, known["texts"])
    return text, new + added


def completed_answers(text: str) -> tuple[str, list[str]]:
    """The same of the texts of answers."""
    known = tomllib.loads(text)
    for key in known:
        if not {key, key.partition("|")[0]} & _constants():
            text = _without(text, key)
    return _with(text, shown(), known)


def _with(text: str, wanted: list[str], known: Container[str]) -> tuple[str, list[str]]:
    """A text with the English sentences that it lacks, to be translated."""
    added = [english for english in wanted if english not in known]
    for english in added:
        quoted = json.dumps(english, ensure_ascii=False)
        text += f"{_NOTE}\n{quoted} = {quoted}\n"
    return text, added


FILES: Final = {_CODE / "languages": completed, Path(answers.__file__).parent: completed_answers}
"""The folders with a file for each language, and what completes such a file."""


def _without(text: str, key: str) -> str:
    names = "|".join({re.escape(key), re.escape(json.dumps(key, ensure_ascii=False))})
    entry = rf'(?:{re.escape(_NOTE)}\n)?^(?:{names}) = (?:""".*?"""|"(?:[^"\\]|\\.)*")\n'
    return re.sub(entry, "", text, flags=re.DOTALL | re.MULTILINE)
