"""The translations of the catalogue: what is missing is added in English, to be translated."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Final

from elo_xl.functions.catalogue import functions
from elo_xl.functions.translations import LANGUAGES
from elo_xl.languages import CODES_LISTED, TRANSLATED

FOLDER: Final = Path(__file__).parents[1] / "elo_xl" / "functions" / "translations"
_NOTE: Final = "# Not translated yet:"


def write() -> list[str]:
    """Write the files of all languages; gives back what nobody has translated yet."""
    missing = []
    for language in TRANSLATED:
        path = FOLDER / f"{language}.toml"
        before = path.read_text(encoding="utf-8")
        text, added = completed(before)
        if text != before:
            path.write_text(text, encoding="utf-8")
        missing += [f"{language}: {english}" for english in added]
    return missing


def completed(text: str) -> tuple[str, list[str]]:
    """A file with an entry for every argument and text of the catalogue, and for nothing else."""
    known = tomllib.loads(text)
    arguments = [a.name for f in functions().values() for a in f.arguments]
    texts = [f.help for f in functions().values()]
    texts += [a.help for f in functions().values() for a in f.arguments]
    texts = [english.replace(CODES_LISTED, LANGUAGES) for english in texts]
    for table, wanted in (("arguments", arguments), ("texts", texts)):
        for key in known[table].keys() - set(wanted):
            text = _without(text, key)
    new = [name for name in dict.fromkeys(arguments) if name not in known["arguments"]]
    lines = "".join(f'{name} = "{name}"\n' for name in new)
    text = text.replace("\n[texts]\n", f"{lines}\n[texts]\n")
    added = [english for english in dict.fromkeys(texts) if english not in known["texts"]]
    for english in added:
        quoted = json.dumps(english, ensure_ascii=False)
        text += f"{_NOTE}\n{quoted} = {quoted}\n"
    return text, new + added


def _without(text: str, key: str) -> str:
    names = "|".join({re.escape(key), re.escape(json.dumps(key, ensure_ascii=False))})
    entry = rf'(?:{re.escape(_NOTE)}\n)?^(?:{names}) = (?:""".*?"""|"(?:[^"\\]|\\.)*")\n'
    return re.sub(entry, "", text, flags=re.DOTALL | re.MULTILINE)
