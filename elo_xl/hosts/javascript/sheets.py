"""``Code.gs``: the functions as custom functions of Google Sheets, to be pasted into a spreadsheet.

What differs here from the other hosts:

==========  ====================================================================================
numbers     as in all hosts
blanks      a blank cell arrives as an empty text, which is a blank
booleans    TRUE and FALSE are 1 and 0
errors      a single one is shown as #ERROR! with its message; beside other results it is a text
dates       their plain numbers
ranges      results spill
==========  ====================================================================================
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Final

from elo_xl.addresses import page
from elo_xl.hosts.javascript import script
from elo_xl.hosts.javascript.declared import declared, meanings
from elo_xl.languages import ENGLISH
from elo_xl.xlsx.files import write_whole

CODE: Final = "Code.gs"
PAGE: Final = page("hosts/google-sheets")
"""How to paste it, step by step."""

SETTINGS: Final = {
    "timeZone": "Etc/UTC",
    "dependencies": {},
    "exceptionLogging": "NONE",
    "runtimeVersion": "V8",
    "oauthScopes": [],
}
"""``appsscript.json``: the script asks for no permission at all."""


def build(folder: Path, language: str = ENGLISH) -> list[Path]:
    """Write the script and its settings into a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {CODE: code(language), "appsscript.json": json.dumps(SETTINGS, indent=2) + "\n"}
    for name, text in made.items():
        write_whole(folder / name, text.encode())
    return [folder / name for name in made]


def code(language: str = ENGLISH) -> str:
    """The script, with help in a language."""
    functions = [
        f"{function.comment('any')}\nfunction {function.name}({function.names}) {{\n"
        f'  return elo_("{function.name}", arguments);\n}}\n'
        for function in declared(language)
    ]
    said = json.dumps(meanings(language), ensure_ascii=False, indent=2)
    cells = files(__package__).joinpath("sheets.js").read_text("utf-8")
    return "\n".join([*functions, f"const ELO_MEANINGS_ = {said};\n", cells, script()])
