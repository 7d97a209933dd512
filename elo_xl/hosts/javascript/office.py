"""An add-in for Excel on a Mac, on the web and on Windows: static files that any web server gives.

What differs here from the other hosts:

==========  ====================================================================================
numbers     as in all hosts
blanks      a blank cell of a range is a blank; a single one may arrive as 0
booleans    TRUE and FALSE are 1 and 0
errors      Excel's own; one that Excel takes from no function, such as #REF!, becomes #VALUE!
dates       their plain numbers
ranges      results spill
==========  ====================================================================================

The functions have no namespace: they are called as everywhere else. The pane and they share one
page, so that Excel starts one browser.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Final
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from elo_xl import __version__
from elo_xl.addresses import PUBLISHED, SITE, page
from elo_xl.hosts.javascript import script
from elo_xl.hosts.javascript.declared import DeclaredFunction, declared, meanings
from elo_xl.hosts.javascript.icons import png
from elo_xl.languages import ENGLISH, Words
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.opc import zipped

HERE: Final = "https://localhost:3000"
"""Where the files are while somebody tries the add-in on their own computer."""

PAGE: Final = page("hosts/office")
"""How to try it, step by step."""

IDENTIFIER: Final = "a96bd8f5-7f2b-4f0e-9c41-e10a5d8c2b77"
"""By this Excel knows the add-in: it may never change."""

OFFICE: Final = "https://appsforoffice.microsoft.com/lib/1/hosted/office.js"
"""Excel's side of every add-in, which has to come from Microsoft."""

_NAME: Final = Words("Elo ratings")
_DESCRIPTION: Final = Words("Elo's rating system as functions for your own sheets.")
_SEARCH: Final = Words("Search for a function")
_PANE: Final = {
    "arguments": Words("Arguments"),
    "elsewhere": Words("Open this page in Excel: there it puts examples into cells."),
    "insert": Words("Insert the example"),
    "inserted": Words("{cell} has the example."),
    "none": Words("No function has all of that in its help."),
    "page": Words("All about this function"),
    "taken": Words("{cell} is not empty: select an empty cell."),
}
_COUNTRIES: Final = {"en": "US", "pt": "BR"}
_SIZES: Final = (16, 32, 80)
_NEEDS: Final = {"SharedRuntime": "1.1", "CustomFunctionsRuntime": "1.4"}
"""What Excel must have: the second came with errors and formatted numbers as arguments, which only
Microsoft 365 and Excel on the web have."""


def build(folder: Path, address: str = HERE, language: str = ENGLISH) -> list[Path]:
    """Write everything into a folder, which is to be at an address of the web; the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    made = parts(address.rstrip("/"), language)
    for name, content in made.items():
        write_whole(folder / name, content)
    return [folder / name for name in made]


def parts(address: str, language: str) -> dict[str, bytes]:
    """All files by their names; the unified manifest is uploaded as an archive with its icons."""
    functions = list(declared(language))
    unified = _json(_unified(address, language))
    icons = {f"icon-{size}.png": png(size) for size in _SIZES}
    packed = {"manifest.json": unified, "color.png": png(192), "outline.png": png(32, outline=True)}
    return {
        "manifest.xml": _manifest(address, language),
        "manifest.json": unified,
        "manifest.zip": zipped(packed),
        "functions.js": _functions(functions, language),
        "functions.json": _json(metadata(functions)),
        "taskpane.html": _pane(functions, language),
        **icons,
    }


def metadata(functions: list[DeclaredFunction]) -> dict[str, Any]:
    """What Excel knows of the functions before it calls one."""
    return {
        # errors come with it; allowErrorForDataTypeAny beside it would crash Excel 2021
        "allowCustomDataForDataTypeAny": True,
        "functions": [
            {
                "description": function.help,
                **({"helpUrl": function.page} if function.page else {}),
                "id": function.name,
                "name": function.name,
                "parameters": [
                    {
                        "description": help_,
                        "dimensionality": "matrix",
                        "name": name,
                        **({"optional": True} if optional else {}),
                        "type": "any",
                    }
                    for name, help_, optional in function.parameters
                ],
                "result": {"dimensionality": "matrix"},
            }
            for function in functions
        ],
    }


def _functions(functions: list[DeclaredFunction], language: str) -> bytes:
    """The functions. Excel calls each with one argument more than it has, so all are named."""
    written = [
        f"{function.comment('any[][]', *_help_tag(function))}\n"
        f"function {function.name}({function.names}) {{\n"
        f'  return eloRows("{function.name}", [{function.names}]);\n}}\n'
        for function in functions
    ]
    said = json.dumps(meanings(language), ensure_ascii=False, indent=2)
    cells = files(__package__).joinpath("office.js").read_text("utf-8")
    names = ", ".join(function.name for function in functions)
    associated = (
        f'if (typeof CustomFunctions !== "undefined") CustomFunctions.associate({{ {names} }});\n'
    )
    whole = [script(), f"const ELO_MEANINGS = {said};\n", cells, *written, associated]
    return "\n".join(whole).encode()


def _pane(functions: list[DeclaredFunction], language: str) -> bytes:
    shown = [
        {
            "name": function.name,
            "help": function.help,
            "example": function.example,
            "page": function.page,
            "parameters": [(one.name, one.help) for one in function.parameters],
        }
        for function in functions
    ]
    words = {key: text.say(language, cell="{cell}") for key, text in _PANE.items()}
    return _filled(
        "taskpane.html",
        language=language,
        name=escape(_NAME.say(language)),
        search=escape(_SEARCH.say(language)),
        office=OFFICE,
        functions=_in_page(shown),
        words=_in_page(words),
    )


def _manifest(address: str, language: str) -> bytes:
    return _filled(
        "manifest.xml",
        id=IDENTIFIER,
        version=f"{_version()}.0",
        locale=_locale(language),
        name=_quoted(_NAME.say(language)),
        description=_quoted(_DESCRIPTION.say(language)),
        address=_quoted(address),
        origin=_quoted(_origin(address)),
        help=_quoted(_help(address)),
        needs="\n".join(
            f'      <Set Name="{name}" MinVersion="{version}"/>' for name, version in _NEEDS.items()
        ),
    )


def _unified(address: str, language: str) -> dict[str, Any]:
    """The manifest that all of Microsoft 365 has in common."""
    name, description = _NAME.say(language), _DESCRIPTION.say(language)
    icons = [{"size": size, "url": f"{address}/icon-{size}.png"} for size in _SIZES]
    needs = [{"name": name, "minVersion": version} for name, version in _NEEDS.items()]
    button = {
        "id": "EloOpen",
        "type": "button",
        "label": name,
        "icons": icons,
        "supertip": {"title": name, "description": description},
        "actionId": "EloPane",
    }
    group = {"id": "EloGroup", "label": name, "icons": icons, "controls": [button]}
    return {
        "$schema": "https://developer.microsoft.com/json-schemas/teams/v1.25/"
        "MicrosoftTeams.schema.json",
        "manifestVersion": "1.25",
        "id": IDENTIFIER,
        "version": _version(),
        "name": {"short": name, "full": name},
        "description": {"short": description, "full": description},
        "developer": {
            "name": "elo_xl",
            "websiteUrl": SITE if PUBLISHED else address,
            "privacyUrl": _help(address),
            "termsOfUseUrl": _help(address),
        },
        "icons": {"color": "color.png", "outline": "outline.png"},
        "accentColor": "#1F4E79",
        "localizationInfo": {"defaultLanguageTag": _locale(language).lower()},
        "authorization": {
            "permissions": {
                "resourceSpecific": [{"name": "Document.ReadWrite.User", "type": "Delegated"}]
            }
        },
        "validDomains": [urlsplit(address).netloc],
        "extensions": [
            {
                "requirements": {"scopes": ["workbook"], "capabilities": needs},
                "runtimes": [
                    {
                        "id": "SharedRuntime",
                        "type": "general",
                        "code": {"page": f"{address}/taskpane.html"},
                        "lifetime": "long",
                        "actions": [{"id": "EloPane", "type": "openPage", "view": "EloPane"}],
                        "customFunctions": {"metadataUrl": f"{address}/functions.json"},
                    }
                ],
                "ribbons": [
                    {
                        "contexts": ["default"],
                        "tabs": [{"builtInTabId": "TabFormulas", "groups": [group]}],
                    }
                ],
            }
        ],
    }


def _help(address: str) -> str:
    """A page of the web, which both manifests ask for: ours, or until then the pane at the address
    of the one who serves the files."""
    return PAGE if PUBLISHED else f"{address}/taskpane.html"


def _help_tag(function: DeclaredFunction) -> list[str]:
    return [f"@helpurl {function.page}"] if function.page else []


def _filled(template: str, **values: str) -> bytes:
    text = files(__package__).joinpath(template).read_text("utf-8")
    return Template(text).substitute(values).encode()


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _in_page(value: object) -> str:
    """A value for the script of a page, which no text in it may end."""
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def _quoted(text: str) -> str:
    return escape(text, {'"': "&quot;"})


def _version() -> str:
    """Three numbers: a manifest takes no others, and no letters."""
    return ".".join([*re.findall(r"\d+", __version__), "0", "0"][:3])


def _locale(language: str) -> str:
    """A language as manifests have it, with the country whose spelling its texts have.

    >>> _locale("en"), _locale("ru")
    ('en-US', 'ru-RU')
    """
    return f"{language}-{_COUNTRIES.get(language, language.upper())}"


def _origin(address: str) -> str:
    place = urlsplit(address)
    return f"{place.scheme}://{place.netloc}"
