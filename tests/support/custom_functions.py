"""What the two add-ins in JavaScript have in common: what is read in them, and what is asked."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from elo_xl.functions.catalogue import find
from elo_xl.hosts.javascript import names
from elo_xl.languages import LANGUAGES
from tests.support.native_cases import ODD

_READ: Final = """
const { generateCustomFunctionsMetadata } = require("custom-functions-metadata/lib/generate.js");
generateCustomFunctionsMetadata(process.argv[1]).then(({ errors, metadataJson }) => {
  if (errors.length) throw new Error(errors.join("\\n"));
  console.log(metadataJson);
});
"""

CALLS: Final[list[tuple[str, tuple[Any, ...]]]] = [
    *((name, example.arguments) for name in names() for example in find(name).examples),
    *(("ELO_EXPECTED", (cell, 1800)) for cell in ODD.values()),
    *(("ELO_EXPECTED", ([[cell] for cell in ODD.values()], 1800)) for _ in "1"),
    ("ELO_K", (1500, None, 36)),
    ("ELO_DIFF", ([[0.5, 2]],)),
    ("ELO_PERFORMANCE", ([[1800, 1900]], [[1]])),
]
"""Every example, and one function with everything that a cell may hold."""


def metadata(node: Callable[..., str], path: Path) -> dict[str, Any]:
    """What Microsoft's tool, with TypeScript's reader of comments, finds in a script."""
    found: dict[str, Any] = json.loads(node(_READ, path))
    return found


def help_of(language: str) -> list[dict[str, Any]]:
    """The functions with their help in a language, as the catalogue has them."""
    words = LANGUAGES[language]
    return [
        {
            "name": name,
            "description": words.texts.get(find(name).help, find(name).help),
            "parameters": [
                {
                    "name": words.arguments.get(argument.name, argument.name),
                    "description": words.texts.get(argument.help, argument.help),
                    "optional": not argument.required,
                }
                for argument in find(name).arguments
            ],
        }
        for name in names()
    ]


def shown(functions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same of what was read in a script."""
    return [
        {
            "name": function["name"],
            "description": function["description"],
            "parameters": [
                {
                    "name": one["name"],
                    "description": one["description"],
                    "optional": one.get("optional", False),
                }
                for one in function["parameters"]
            ],
        }
        for function in functions
    ]
