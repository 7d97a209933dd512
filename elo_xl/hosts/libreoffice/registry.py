"""CalcAddIns.xcu: how Calc names, classifies and explains the functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from elo_xl.functions.arguments import Argument
from elo_xl.functions.function import Function
from elo_xl.languages import LANGUAGES, TRANSLATED

HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<oor:component-data xmlns:oor="http://openoffice.org/2001/registry"'
    ' xmlns:xs="http://www.w3.org/2001/XMLSchema"'
    ' oor:name="CalcAddIns" oor:package="org.openoffice.Office">'
)
CATEGORY, ASIDE = "Add-In", "Spreadsheet"
"""The categories in which the wizard lists the functions and their other names; each must be one of
Calc's own."""


def registry(service: str, methods: Iterable[tuple[str, str, Function]]) -> str:
    """The registry for methods that are called so in files, and the functions that they are."""
    nodes = "".join(_method(*method) for method in methods)
    functions = _node("AddInFunctions", nodes, new=False)
    info = _node("AddInInfo", _node(service, functions), new=False)
    return f"{HEAD}\n{info}</oor:component-data>\n"


def _method(method: str, name: str, function: Function) -> str:
    category = CATEGORY if name == function.name else ASIDE
    parameters = "".join(map(_argument, function.arguments))
    return _node(
        method,
        _prop("DisplayName", [("en-US", name)])
        + _prop("Description", _in_languages(function.help, "texts"))
        + f'<prop oor:name="Category"><value>{category}</value></prop>\n'
        # Without this name a function is not found in, nor saved to, Excel's files.
        + _prop("CompatibilityName", [("en-US", name)])
        + _node("Parameters", parameters, new=False),
    )


def _argument(argument: Argument) -> str:
    return _node(
        argument.name,
        _prop("DisplayName", _in_languages(argument.name, "arguments"))
        + _prop("Description", _in_languages(argument.help, "texts")),
    )


def _in_languages(english: str, table: str) -> Iterator[tuple[str, str]]:
    """A text in all languages that have it; for the others LibreOffice shows the English."""
    yield "en-US", english
    for language in TRANSLATED:
        text = getattr(LANGUAGES[language], table).get(english)
        if text:
            yield language, text


def _node(name: str, content: str, *, new: bool = True) -> str:
    operation = ' oor:op="replace"' if new else ""
    return f"<node oor:name={quoteattr(name)}{operation}>\n{content}</node>\n"


def _prop(name: str, values: Iterable[tuple[str, str]]) -> str:
    lines = [f'<value xml:lang="{language}">{escape(text)}</value>' for language, text in values]
    return f'<prop oor:name="{name}">' + "".join(lines) + "</prop>\n"
