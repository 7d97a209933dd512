"""The translations of the code's texts: what is missing is added in English, to be translated."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from elo_xl.functions.catalogue import functions
from elo_xl.languages import CODES_LISTED, LISTED, TRANSLATED, Words

_CODE: Final = Path(__file__).parents[1] / "elo_xl"
_NOTE: Final = "# Not translated yet:"


def write() -> list[str]:
    """Write the files of all languages; gives back what nobody has translated yet."""
    missing = []
    for language in TRANSLATED:
        path = _CODE / "languages" / f"{language}.toml"
        before = path.read_text(encoding="utf-8")
        text, added = completed(before)
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
    for path in sorted(_CODE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if f"{Words.__name__}(" in source else ():
            match node:
                case ast.Call(ast.Name(Words.__name__), [ast.Constant(str(english))]):
                    yield english


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
    added = [english for english in sentences if english not in known["texts"]]
    for english in added:
        quoted = json.dumps(english, ensure_ascii=False)
        text += f"{_NOTE}\n{quoted} = {quoted}\n"
    return text, new + added


def _without(text: str, key: str) -> str:
    names = "|".join({re.escape(key), re.escape(json.dumps(key, ensure_ascii=False))})
    entry = rf'(?:{re.escape(_NOTE)}\n)?^(?:{names}) = (?:""".*?"""|"(?:[^"\\]|\\.)*")\n'
    return re.sub(entry, "", text, flags=re.DOTALL | re.MULTILINE)
