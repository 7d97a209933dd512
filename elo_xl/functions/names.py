"""What every host requires of names and help texts, checked before anything is built.

A function's name appears in formulas of Excel and LibreOffice, in VBA and in Office.js; the name of
an argument is a parameter in VBA, Python and LAMBDA. Each of them refuses different names, and most
of them only when somebody opens the file.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from typing import Final

from elo_xl.functions.catalogue import Function

CATEGORY: Final = "Elo"
"""Where function wizards list the functions."""

MOST_HELP: Final = 255
"""The number of characters of a text that Excel's function wizard shows."""

MOST_NAME: Final = 128
"""The largest number of characters in a name in Office.js; VBA and Excel take more."""

MOST_ARGUMENTS: Final = 60
"""The largest number of arguments of a function written in VBA."""

CODE_PAGE: Final = "cp1252"
"""The character set of the VBA project, which holds the functions' help."""

#: VBA's reserved identifiers, which cannot name a procedure or an argument.
_VBA_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        """
        abs addressof and any array as attribute boolean byref byte byval call case cbool cbyte
        ccur cdate cdbl cdec cdecl cint circle clng clnglng clngptr close const csng cstr
        currency cvar cverr date debug decimal declare defbool defbyte defcur defdate defdbl
        defdec defint deflng deflnglng deflngptr defobj defsng defstr defvar dim do doevents
        double each else elseif empty end endif enum eqv erase event exit false fix for friend
        function get global gosub goto if imp implements in input inputb int integer is lbound
        len lenb let like line lock long longlong longptr loop lset me mod new next not nothing
        null object on open option optional or paramarray preserve print private pset public put
        raiseevent redim rem resume return rset scale seek select set sgn shared single spc
        static step stop string sub tab then to true type typeof ubound unlock until variant
        wend while with withevents write xor
        """,
    )
)

#: Allowed by VBA's grammar, but as an argument's name they hide a name of Excel's or xlwings'.
_TAKEN: Final = frozenset(("caller", "name", "value"))

_FUNCTION: Final = re.compile(r"[A-Z][A-Z0-9_]{2,}")
_ARGUMENT: Final = re.compile(r"[a-z][a-z0-9_]*")
_CELL: Final = re.compile(r"[a-z]{1,3}[0-9]+|r[0-9]*(c[0-9]*)?|c[0-9]*", re.IGNORECASE)


class NamesError(ValueError):
    """Names or help that a host would refuse; the message has a line for each."""


def check(functions: Iterable[Function]) -> None:
    """Raise NamesError, naming everything that a host would refuse and why."""
    refused = problems(functions)
    if refused:
        raise NamesError("\n".join(refused))


def problems(functions: Iterable[Function]) -> list[str]:
    """A line for each name or help text that a host would refuse.

    >>> from elo_xl.functions.arguments import NumberArgument
    >>> problems([Function("ELO1", "Help.", "", (NumberArgument("scale", "Help."),), max, "", ())])
    ["ELO1: reads as a cell's address", "ELO1, argument scale: is a word of VBA's"]
    """
    found: list[str] = []
    names: set[str] = set()
    for function in functions:
        found += [f"{function.name}: {why}" for why in _of_function(function, names)]
        names.add(function.name.upper())
        seen: set[str] = set()
        optional = False
        for argument in function.arguments:
            where = f"{function.name}, argument {argument.name}"
            found += [f"{where}: {why}" for why in _of_argument(argument.name, seen)]
            found += [f"{where}: {why}" for why in _of_help(argument.help)]
            if argument.required and optional:
                found.append(f"{where}: is required, but follows an optional argument")
            optional = optional or not argument.required
            seen.add(argument.name.lower())
    return found


def _of_function(function: Function, others: set[str]) -> list[str]:
    found = _of_any(function.name)
    if not found and not _FUNCTION.fullmatch(function.name):
        found.append("must be three or more capitals, digits and underscores, a letter first")
    if function.name.upper() in others:
        found.append("occurs twice in the catalogue")
    if len(function.arguments) > MOST_ARGUMENTS:
        found.append(f"has {len(function.arguments)} arguments, VBA takes {MOST_ARGUMENTS}")
    found += _of_help(function.help)
    foreign = sorted({c for c in function.help if not c.encode(CODE_PAGE, "ignore")})
    if foreign:
        found.append(f"its help has {' '.join(foreign)}, which code page 1252 of VBA lacks")
    return found


def _of_argument(name: str, others: set[str]) -> list[str]:
    found = _of_any(name)
    if name.lower() in _TAKEN:
        found.append("is a name of Excel's or xlwings' own")
    elif keyword.iskeyword(name):
        found.append("is a word of Python's")
    if not found and not _ARGUMENT.fullmatch(name):
        found.append("must be lower-case letters, digits and underscores, a letter first")
    if name.lower() in others:
        found.append("occurs twice in its function")
    return found


def _of_any(name: str) -> list[str]:
    if not name:
        return ["has no name"]
    if name.startswith("_"):
        return ["starts with an underscore"]
    if _CELL.fullmatch(name):
        return ["reads as a cell's address"]
    if name.lower() in _VBA_WORDS:
        return ["is a word of VBA's"]
    if len(name) > MOST_NAME:
        return [f"has {len(name)} characters, hosts take {MOST_NAME}"]
    return []


def _of_help(text: str) -> list[str]:
    if not text.strip():
        return ["has no help"]
    if len(text) > MOST_HELP:
        return [f"its help has {len(text)} characters, Excel's wizard takes {MOST_HELP}"]
    if not text.isprintable():
        return ["its help has more than one line, or a character that does not print"]
    return []
