"""What a function's page has to copy: its LAMBDA, and formulas of built-in functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_uppercase
from typing import Any

from docs_build.markdown import code, folded
from elo_xl.functions.arguments import NumberOrRow, Option
from elo_xl.functions.catalogue import Example, Function
from elo_xl.functions.native import NoInlinedFormError, inline, lambda_names, lambda_text


def native_row(function: Function) -> tuple[str, str, str]:
    """The function, and whether it has a LAMBDA and a formula of built-in functions."""
    name = f"[{function.name}](../functions/{function.name}.md)"
    named = "yes" if function.name in lambda_names() else f"no. {_reason(function)}"
    forms = _forms(function).values()
    if all(forms) and not _reason(function):
        return name, named, "yes"
    return name, named, f"{'for some options' if any(forms) else 'no'}. {_reason(function)}"


def native_part(function: Function) -> Iterator[str]:
    """The blocks below the heading."""
    if function.name in lambda_names():
        text = f"{function.name} = {lambda_text(function.name)};"
        others = sorted(set(re.findall(r"\bELO_[A-Z]+\b", text)) - {function.name})
        have = "has" if len(others) == 1 else "have"
        needs = f" It calls {', '.join(others)}, which {have} to be there too." if others else ""
        yield (
            "As a name of the workbook, for Microsoft 365 and Excel 2024: `elo-xl addin native "
            "WORKBOOK.xlsx` puts in all functions at once, and [a workbook to copy "
            "from](../hosts/native.md#lambda-names) needs no command; or copy this into the "
            f"Advanced Formula Environment of Excel Labs.{needs}"
        )
        yield folded(f"LAMBDA for {function.name}", code(text))
    else:
        yield f"There is no LAMBDA. {_reason(function)}"
        return
    forms = _forms(function)
    if not any(forms.values()):
        yield f"There is no formula of built-in functions. {_reason(function)}"
        return
    yield (
        "As a formula of built-in functions, for Excel 2016 and newer and LibreOffice. An "
        "argument that is blank gives an empty cell; nothing else is checked."
    )
    for call, formulas in forms.items():
        blocks = [
            block
            for column, formula in formulas.items()
            for block in (f"*{column}*" if column else "", code(formula))
        ]
        if blocks:
            yield folded(f"<code>{call}</code>", *blocks)
    if _reason(function):
        yield f"Not every option has one. {_reason(function)}"


def _reason(function: Function) -> str:
    return function.native.reason if function.native else "None has been written yet."


def _forms(function: Function) -> dict[str, dict[str, str]]:
    """For the options of every example: a call, and by column the same in built-in functions.

    Cells stand for what changes from row to row. A call without such a form has no formulas.
    """
    found: dict[str, dict[str, str]] = {}
    for example in function.examples:
        given = _cells(function, example)
        shown = ["" if value is None else str(value) for value in given.values()]
        call = f"={function.name}({', '.join(shown)})"
        if call not in found:
            found[call] = _formulas(function, given)
    return found


def _formulas(function: Function, given: dict[str, Any]) -> dict[str, str]:
    def formula(column: str | None) -> str:
        return "=" + inline(function.name, *given.values(), column=column, checks="blanks")

    try:
        return {column or "": formula(column) for column in function.columns or (None,)}
    except NoInlinedFormError:
        return {}


def _cells(function: Function, example: Example) -> dict[str, Any]:
    """The example with cells in place of its required arguments; its options as they are."""
    letters = iter(ascii_uppercase)
    cells: dict[str, Any] = {}
    for argument, value in zip(function.arguments, example.arguments, strict=False):
        if value is None:
            cells[argument.name] = None
        elif isinstance(argument, NumberOrRow) and isinstance(value, list):
            row = [next(letters) for _ in range(argument.width)]
            cells[argument.name] = f"{row[0]}2:{row[-1]}2"
        elif isinstance(value, list):
            column = next(letters)
            cells[argument.name] = f"{column}2:{column}10"
        elif isinstance(argument, Option) and isinstance(value, str):
            cells[argument.name] = f'"{value}"'
        elif argument.required:
            cells[argument.name] = f"{next(letters)}2"
        else:
            cells[argument.name] = f'"{value}"' if isinstance(value, str) else value
    return cells
