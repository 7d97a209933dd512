"""The functions in JavaScript, which Google Sheets, Excel on every device and browsers run.

:func:`script` is one file without dependencies, made from the same trees as the LAMBDA names; only
the functions of whole tables are written by hand, in ``tables.js``. What differs here from the
other hosts:

==========  ====================================================================================
numbers     as in all hosts
blanks      ``null``, ``""`` and an omitted argument are blanks
booleans    true and false are 1 and 0
errors      an object that prints as Excel's code; what the host makes of it is the host's
ranges      lists of rows, in and out
==========  ====================================================================================

What :func:`missing` names is not there.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import Final

from elo_xl import __version__
from elo_xl.error_values import ERROR_TEXTS
from elo_xl.functions.arguments import (
    Argument,
    Name,
    NumberArgument,
    Numbers,
    Option,
    OptionOrNumber,
    Rating,
    TableArgument,
)
from elo_xl.functions.catalogue import Function, find, functions
from elo_xl.functions.evaluation import MOST_CROSSED
from elo_xl.functions.native.lambdas import READ, LambdaForm, lambda_names, tree
from elo_xl.hosts.javascript.translate import to_javascript
from elo_xl.xlsx.formula import parse

#: The functions of whole tables, with the names that ``tables.js`` has for them.
_TABLES: Final = {
    "ELO_CALIBRATION": "calibration",
    "ELO_PERIOD": "period",
    "ELO_RUN": "run",
    "ELO_LADDER": "ladder",
    "ELO_PLACES": "places",
    "ELO_TEAMS": "teams",
    "ELO_FIT": "fit",
}

#: What ``tables.js`` asks of models and rulebooks.
_FACTS: Final = {
    "expected": "LAMBDA(d, model, expected(d, model))",
    "counts": "LAMBDA(book, mine, theirs, counts_under(book, mine, theirs))",
    "rounded": "LAMBDA(book, own, change, peak, rounding_under(book, own, change, peak))",
    "most_points": 'LAMBDA(book, rule(book, "k.most_points", 1E+99))',
    "apart": 'LAMBDA(book, rule(book, "by_player"))',
    "first_floor": 'LAMBDA(book, rule(book, "first.floor", -1E+99))',
    "first_games": 'LAMBDA(book, rule(book, "first.games"))',
    "zero_counts": 'LAMBDA(book, rule(book, "first.zero_counts"))',
    "performance": 'LAMBDA(book, rule(book, "performance"))',
}


def names() -> list[str]:
    """The functions that the script has, in the order of the catalogue."""
    return [name for name in functions() if name in _TABLES or name in lambda_names()]


def missing() -> dict[str, str]:
    """The functions that the script has not, each with the reason."""
    here = names()
    return {
        name: function.native.reason
        for name, function in functions().items()
        if name not in here and function.native is not None
    }


@cache
def script() -> str:
    """One classic script that defines one global, ``ELO``, with ``call``, ``error``, ``isError``.

    It imports and exports nothing, and runs in Apps Script, browsers and Node. ``calls.js``
    describes ``ELO.call(name, args)``.
    """
    arrays: dict[str, str] = {}
    trees = [
        f"const {name}={to_javascript(tree(find(name), long=True), arrays)};"
        for name in lambda_names()
        if name == "ELO_CALIBRATION" or name not in _TABLES
    ]
    facts = _facts(arrays)
    return "\n".join(
        [
            f"// elo_xl {__version__}: Elo's rating system as worksheet functions.",
            "const ELO = (() => {",
            '"use strict";',
            f"const ERROR_TEXTS = {json.dumps(ERROR_TEXTS)};",
            f"const MOST_CROSSED = {MOST_CROSSED};",
            _file("normal.js"),
            _file("runtime.js"),
            f"const rows_812={to_javascript(parse(READ['rows_812']))};",
            *(f"const {name}={text};" for text, name in arrays.items()),
            *trees,
            f"const FACTS={{{facts}}};",
            _file("tables.js"),
            _file("calls.js"),
            "const FUNCTIONS={",
            *(_declared(find(name)) for name in names()),
            "};",
            "const names = Object.keys(FUNCTIONS);",
            "return { call, error: E, isError, names };",
            "})();",
            "",
        ]
    )


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _facts(arrays: dict[str, str]) -> str:
    reducer = LambdaForm({}).reducer
    return ",".join(
        f"{name}:{to_javascript(reducer.reduce(parse(text), {}), arrays)}"
        for name, text in _FACTS.items()
    )


def _declared(function: Function) -> str:
    """What computes a function, how many arguments it takes, and how it reads them."""
    name, arguments = function.name, function.arguments
    if name not in _TABLES:
        options = [i for i, argument in enumerate(arguments) if isinstance(argument, Option)]
        numbers = ",".join(map(str, [function.least, len(arguments), *options]))
        return f"{name}:byFormula({name},{numbers}),"
    table = any(isinstance(argument, TableArgument) for argument in arguments)
    width = 1 if table else len(function.columns)
    read = ",".join(json.dumps(_read(argument)) for argument in arguments)
    return f"{name}:byHand({_TABLES[name]},{function.least},{width},{read}),"


def _read(argument: Argument) -> dict[str, object]:
    """What the reader of an argument needs."""
    default = None if argument.required else argument.default
    match argument:
        case TableArgument() | Numbers():
            return {"kind": "table"}
        case OptionOrNumber():
            return {"kind": "either", "choices": argument.choices, "default": default}
        case Option():
            scales = [name for name, _ in argument.parameters]
            more = {"scales": scales} if scales else {}
            return {"kind": "option", "choices": argument.choices, "default": default, **more}
        case Name():
            return {"kind": "name", "default": default}
        case Rating():
            return {"kind": "rating", "default": default}
        case NumberArgument():
            bounds = {"low": argument.low, "high": argument.high}
            found = {name: x for name, x in bounds.items() if math.isfinite(x)}
            whole = {"whole": True} if argument.whole_number else {}
            return {"kind": "number", "default": default, **found, **whole}
    raise TypeError(f"no reader for {argument}")
