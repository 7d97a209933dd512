"""``elo-xl functions`` and ``elo-xl call``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NoReturn

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from elo_xl.books.answers import phrase, spoken
from elo_xl.functions.arguments import TableArgument
from elo_xl.functions.catalogue import Function, find, functions
from elo_xl.functions.cells import BLANK, ERRORS, Result, to_block, to_formula, to_text
from elo_xl.functions.evaluation import evaluate, reasons
from elo_xl.languages import Words
from elo_xl.terminal.console import console, tell, tell_facts, warn


def _beginning(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The functions whose names begin like this, for a shell that completes them."""
    return [name for name in functions() if name.startswith(begun.upper())]


@click.command("functions")
@click.argument("name", required=False, shell_complete=_beginning)
def list_functions(name: str | None) -> None:
    """List the worksheet functions, or show one with its arguments and an example."""
    chosen = functions().values() if name is None else [_find(name)]
    tell_facts(functions=list(map(_facts, chosen)))
    if name is None:
        console().print(_function_table())
    else:
        _show(console(), _find(name))


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("name", shell_complete=_beginning)
@click.argument("arguments", metavar="[ARG]...", nargs=-1, type=click.UNPROCESSED)
def call(name: str, arguments: tuple[str, ...]) -> None:
    """Print the value of the worksheet function NAME.

    An ARG is read as JSON if possible (number, list, list of rows, null for a blank cell),
    otherwise as text. The exit code is 1 if the value, or a cell of it, is an error.
    """
    function, cells = _find(name), [_argument(text) for text in arguments]
    try:
        with reasons() as why:
            value = evaluate(function, *cells)
    except TypeError as error:
        raise click.UsageError(str(error)) from None
    tell(_plain(value), value=value)
    for line in list(_at_fault(function, cells)) or dict.fromkeys(why):
        warn(line, "error")
    if any(isinstance(cell, str) and cell in ERRORS for cell in to_block(value).cells):
        raise SystemExit(1)


def _at_fault(function: Function, cells: Sequence[object]) -> Iterator[str]:
    """Lines about the cells that an argument cannot take; each causes an error in the results."""
    for argument, cell in zip(function.arguments, cells, strict=False):
        given = to_block(cell).cells
        status = argument.column(given).status if not isinstance(argument, TableArgument) else None
        for one, code in zip(given, [] if status is None else status.tolist(), strict=False):
            if code > BLANK:
                yield f"{argument.name}: {argument.fault(one)}"


def _find(name: str) -> Function:
    try:
        return find(name)
    except LookupError as error:
        raise click.UsageError(str(error.args[0])) from None


def _argument(text: str) -> object:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(constant)

    try:
        return json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return text


def _plain(value: Result) -> str:
    rows = value if isinstance(value, list) else [[value]]
    return "\n".join("\t".join(map(to_text, row)) for row in rows)


def _facts(function: Function) -> dict[str, object]:
    return {
        "name": function.name,
        "family": function.family,
        "signature": function.signature,
        "help": function.help,
        "arguments": [
            {"name": a.name, "help": a.help, "takes": a.takes, "required": a.required}
            for a in function.arguments
        ],
        "returns": list(function.columns),
    }


def _function_table() -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    family = ""
    for function in functions().values():
        if function.family != family:
            if family:
                table.add_row()
            family = function.family
            table.add_row(f"[bold]{phrase(family)}[/]")
        table.add_row(function.name, Words(function.help).say(spoken()))
    return table


def _show(terminal: Console, function: Function) -> None:
    terminal.print(f"[bold]{escape(function.signature)}[/]")
    terminal.print(escape(Words(function.help).say(spoken())))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for argument in function.arguments:
        table.add_row(f"  {argument.name}", escape(Words(argument.help).say(spoken())))
    terminal.print()
    terminal.print(table)
    if function.columns:
        terminal.print(
            phrase(
                "\nReturns {count} cells: {columns}",
                count=len(function.columns),
                columns=", ".join(function.columns),
            )
        )
    terminal.print(phrase("\nExamples"))
    for example in function.examples:
        terminal.print(f"  {escape(to_formula(function.name, example.arguments))}")
        for line in _plain(example.result).splitlines():
            terminal.print(f"    {escape(line)}")
    terminal.print(phrase("\nSource: {source}", source=escape(function.source)))
