"""The page of one worksheet function, made from its entry in the catalogue."""

from __future__ import annotations

import inspect
import json
import math
import re
import shlex
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from docs_build.markdown import code, from_docstring, page, table
from docs_build.native_part import native_part, native_row
from elo_xl.engine.rulebooks import RULEBOOKS
from elo_xl.functions.arguments import (
    Anything,
    Argument,
    NumberArgument,
    Numbers,
    Option,
    OptionOrNumber,
    Rating,
    TableArgument,
)
from elo_xl.functions.catalogue import Function
from elo_xl.functions.cells import to_formula, to_text
from elo_xl.functions.evaluation import evaluate
from elo_xl.hosts.javascript import missing, names

DIGITS: Final = 12
"""Digits of the results shown: fewer than any two computers differ in."""

_MORE: Final = {"rules": "../rulebooks.md", "model": "index.md#models", "draws": "index.md#draws"}
"""Arguments that have a place of their own, for all functions alike."""


def function_page(function: Function) -> str:
    """The whole page."""
    return page(
        f"# {function.name}",
        function.help,
        *_alone(function),
        code(f"={function.signature}"),
        "## Arguments",
        table(["argument", "may be", "default", "what it is"], map(_argument, function.arguments)),
        "## Result",
        _result(function),
        "## Examples",
        *_examples(function),
        *_formula(function),
        "## Blanks, texts, errors",
        _reactions(function),
        "## Where it works",
        table(["in", "as"], _hosts(function)),
        "## Without any add-in",
        *native_part(function),
        "## Source",
        f"{function.source}; see [Sources](../sources.md).",
    )


def _alone(function: Function) -> Iterator[str]:
    """What the games of one player do not tell, on the pages of functions that rate them."""
    if {"rating", "opponents", "rules"} <= {argument.name for argument in function.arguments}:
        for book in RULEBOOKS.values():
            if book.change.alone:
                yield (
                    f"**One player or a whole event, under [`{book.name}`]"
                    f"(../rulebooks/{book.name}.md).** {book.change.alone} "
                    "[ELO_PERIOD](ELO_PERIOD.md) rates a whole event."
                )


def _argument(argument: Argument) -> list[str]:
    more = _MORE.get(argument.name)
    text = f"{argument.help} [More]({more})" if more else argument.help
    takes, text = (re.sub(r'"[^"]+"', r"`\g<0>`", words) for words in (argument.takes, text))
    return [f"`{argument.name}`", takes, _default(argument), text]


def _default(argument: Argument) -> str:
    if argument.required:
        return "required"
    if argument.default is None:
        return "none"
    default = argument.default
    return f'`"{default}"`' if isinstance(default, str) else f"`{default:g}`"


def _result(function: Function) -> str:
    count, names = len(function.columns), ", ".join(function.columns)
    whole = [f"`{a.name}`" for a in function.arguments if a.whole]
    if not count:
        own = "One cell."
    elif whole:
        own = f"A table of {count} columns: {names}."
    else:
        own = f"{count} cells in a row: {names}."
    if whole:
        last = " and ".join(whole[-2:])
        kept = f"{', '.join([*whole[:-2], last])} are taken as whole ranges. "
        each = kept + "A range for another argument gives a result for each of its cells."
    elif count:
        each = "A range for any argument gives a row for each of its cells."
    else:
        each = (
            "A range for any argument gives a result for each of its cells: one cell is repeated, "
            "and a row with a column makes a table."
        )
    return f"{own} {each}"


class Reaction(NamedTuple):
    """What a function returns for a cell that is not as it should be."""

    blank: str
    text: str
    outside: str


EMPTY: Final = "empty result"
LEFT_OUT: Final = "as if omitted"
NOTHING: Final = ""
PASSED_OVER: Final = "the game is ignored"


def reaction(argument: Argument) -> Reaction:
    """The reactions for the kind of an argument; a function reads its tables itself."""
    if isinstance(argument, Numbers):
        return Reaction(PASSED_OVER, "#VALUE!", _outside(argument.of))
    blank = EMPTY if argument.required else LEFT_OUT
    if isinstance(argument, Anything):
        return Reaction(blank, "read", NOTHING)
    return Reaction(blank, "#VALUE!", _outside(argument))


def _outside(argument: Argument) -> str:
    if isinstance(argument, OptionOrNumber):
        return "#NUM!" if argument.low > -math.inf else NOTHING
    if isinstance(argument, Option):
        return "#VALUE!"
    bounded = isinstance(argument, NumberArgument) and argument.takes not in ("number", "rating")
    return "#NUM!" if bounded and not isinstance(argument, Rating) else NOTHING


def _reactions(function: Function) -> str:
    def cell(answer: str) -> str:
        return f"`{answer}`" if answer.startswith("#") else answer or "–"

    tables = [f"`{a.name}`" for a in function.arguments if isinstance(a, TableArgument)]
    others = [a for a in function.arguments if not isinstance(a, TableArgument)]
    rows = [[f"`{a.name}`", *map(cell, reaction(a))] for a in others]
    headings = ["in", "a blank", "a text that does not fit", "a number that does not fit"]
    notes = [f"{' and '.join(tables)}: row by row, as described above."] if tables else []
    kinds = [a.of if isinstance(a, Numbers) else a for a in function.arguments]
    if any(isinstance(a, Rating) for a in kinds):
        notes.append("A rating of 0 means unrated, as in rating lists, and counts as a blank.")
    if any(isinstance(a, (NumberArgument, OptionOrNumber)) for a in kinds):
        notes.append("A number may also be typed as a text: `1\u00a0834`, `0,5`.")
    if any(isinstance(a, Option) for a in kinds):
        notes.append("Names of options may be in capitals.")
    if function.kind == "element-wise" or (function.columns and not _has_ranges(function)):
        notes.append("An error in a cell is the result of that element only.")
    elif any(isinstance(a, Numbers) for a in function.arguments):
        notes.append("An error anywhere in a range is the result of the function.")
    if sum(isinstance(a, Numbers) for a in function.arguments) > 1:
        notes.append("Ranges whose sizes do not fit together give `#N/A`.")
    return page(table(headings, rows), " ".join(notes)).strip()


def _has_ranges(function: Function) -> bool:
    return any(a.whole for a in function.arguments)


def show(cell: Any) -> str:
    """A cell of a result, rounded to what is the same on every computer."""
    if isinstance(cell, float) and not cell.is_integer():
        return f"{cell:.{DIGITS}g}"
    return to_text(cell) or " "


def _examples(function: Function) -> Iterator[str]:
    single = []
    for example in function.examples:
        formula = to_formula(function.name, example.arguments)
        value = evaluate(function, *example.arguments)
        if isinstance(value, list):
            headings = function.columns or [""] * len(value[0])
            yield code(formula)
            yield table(headings, [[show(cell) for cell in row] for row in value])
        else:
            single.append([f"`{formula}`", f"`{show(value)}`" if value != "" else "(empty)"])
    if single:
        yield table(["formula", "result"], single)
    yield f"Results of many digits are shown with {DIGITS}." if _long(function) else ""


def _long(function: Function) -> bool:
    values = [evaluate(function, *example.arguments) for example in function.examples]
    cells = [c for v in values for row in (v if isinstance(v, list) else [[v]]) for c in row]
    return any(isinstance(cell, float) and show(cell) != to_text(cell) for cell in cells)


def _formula(function: Function) -> Iterator[str]:
    text = inspect.getdoc(function.work)
    if text:
        yield "## Formula"
        yield _with_links(from_docstring(text), function)


def _with_links(text: str, function: Function) -> str:
    """Names of other functions lead to their pages, outside of code."""
    parts = re.split(r"(```.*?```|`[^`]*`)", text, flags=re.DOTALL)
    own = re.compile(rf"\b(?!{function.name}\b)(ELO_[A-Z]+)\b")
    return "".join(part if i % 2 else own.sub(r"[\1](\1.md)", part) for i, part in enumerate(parts))


def _hosts(function: Function) -> Iterator[tuple[str, str]]:
    example = function.examples[0].arguments
    yield "[Excel on Windows](../hosts/excel-windows.md)", "a function of the add-in"
    yield "[Excel on Mac, web, Windows](../hosts/xlwings-lite.md)", "a function of xlwings Lite"
    script = "a function" if function.name in names() else f"no. {missing()[function.name]}"
    yield "[Excel on Mac, web, Windows, without Python](../hosts/office.md)", script
    yield "[Google Sheets](../hosts/google-sheets.md)", script
    yield "[LibreOffice Calc](../hosts/libreoffice.md)", "a function of the add-in"
    _, named, built_in = native_row(function)
    named = "a LAMBDA, [below](#without-any-add-in)" if named == "yes" else named
    yield "[Excel 365 and 2024, nothing installed](../hosts/native.md)", named
    if built_in == "yes":
        built_in = "a formula of built-in functions, [below](#without-any-add-in)"
    yield "[Excel 2016 and newer, LibreOffice](../hosts/native.md)", built_in
    python = f"`elo_xl.worksheet({', '.join(map(repr, (function.name, *example)))})`"
    yield "[Python](../hosts/python-and-command-line.md)", python
    line = f"`elo-xl call {function.name} {shlex.join(map(_on_command_line, example))}`"
    yield "[the command line](../hosts/python-and-command-line.md)", line


def _on_command_line(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
