"""The functions in JavaScript, which Google Sheets, Excel on every device and browsers run.

:func:`script` is one file without dependencies, made from the same trees as the LAMBDA names. What
differs here from the other hosts:

==========  ====================================================================================
numbers     as in all hosts
blanks      ``null``, ``""`` and an omitted argument are blanks
booleans    true and false are 1 and 0
errors      an object that prints as Excel's code; what the host makes of it is the host's
ranges      lists of rows, in and out
==========  ====================================================================================
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

from elo_xl import __version__
from elo_xl.error_values import ERROR_TEXTS
from elo_xl.functions.catalogue import find
from elo_xl.functions.native.lambdas import READ, lambda_names, tree
from elo_xl.hosts.javascript.translate import to_javascript
from elo_xl.xlsx.formula import parse

_FILES: Final = ("normal.js", "runtime.js")


@cache
def script() -> str:
    """One classic script that defines one global, ``ELO``, with ``call``, ``error``, ``isError``.

    It imports and exports nothing, and runs in Apps Script, browsers and Node. ``calls.js``
    describes ``ELO.call(name, args)``.
    """
    here = files(__package__)
    written = [here.joinpath(name).read_text("utf-8") for name in _FILES]
    rows = to_javascript(parse(READ["rows_812"]))
    trees = [f"const {name}={to_javascript(tree(find(name)))};" for name in lambda_names()]
    return "\n".join(
        [
            f"// elo_xl {__version__}: Elo's rating system as worksheet functions.",
            "const ELO = (() => {",
            '"use strict";',
            f"const ERROR_TEXTS = {json.dumps(ERROR_TEXTS)};",
            *written,
            f"const rows_812={rows};",
            *trees,
            f"const FUNCTIONS = {{\n{_functions()}\n}};",
            here.joinpath("calls.js").read_text("utf-8"),
            "return { call, error: E, isError, names: Object.keys(FUNCTIONS) };",
            "})();",
            "",
        ]
    )


def _functions() -> str:
    """How many arguments each function takes, and what computes it."""
    found = map(find, lambda_names())
    return "\n".join(
        f"{f.name}: {{ least: {f.least}, most: {len(f.arguments)}, work: {f.name} }},"
        for f in found
    )
