"""Formulas as files store them: functions and names with the prefixes that Excel writes.

================================= ==================================================
as typed                          as stored
================================= ==================================================
``NORM.S.DIST(z, TRUE)``          ``_xlfn.NORM.S.DIST(z,TRUE)``
``FILTER(a, b)``, ``SORT(a)``     ``_xlfn._xlws.FILTER(a,b)``, ``_xlfn._xlws.SORT(a)``
``LAMBDA(x, [y], x)``             ``_xlfn.LAMBDA(_xlpm.x,_xlop.y,_xlpm.x)``
``LET(a, 1, a + 1)``              ``_xlfn.LET(_xlpm.a,1,_xlpm.a+1)``
``A1#``, ``@A1:A9``               ``_xlfn.ANCHORARRAY(A1)``, ``_xlfn.SINGLE(A1:A9)``
``Table[@Column]``                ``Table[[#This Row],[Column]]``
================================= ==================================================

A future function without its prefix is #NAME? in Excel, and a LAMBDA in another form than this is
dropped with a repair prompt.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Final

from elo_xl.xlsx.formula import (
    Call,
    FormulaError,
    Name,
    Node,
    OptionalParameter,
    Reference,
    Unary,
    parse,
    rebuilt,
    to_text,
)

FUTURE: Final = frozenset(
    re.findall(
        r"\S+",
        """
    ACOT ACOTH AGGREGATE ANCHORARRAY ARABIC ARRAYTOTEXT BASE BETA.DIST BETA.INV BINOM.DIST
    BINOM.DIST.RANGE BINOM.INV BITAND BITLSHIFT BITOR BITRSHIFT BITXOR BYCOL BYROW CEILING.MATH
    CEILING.PRECISE CHISQ.DIST CHISQ.DIST.RT CHISQ.INV CHISQ.INV.RT CHISQ.TEST CHOOSECOLS
    CHOOSEROWS COMBINA CONCAT CONFIDENCE.NORM CONFIDENCE.T COT COTH COVARIANCE.P COVARIANCE.S CSC
    CSCH DAYS DECIMAL DROP ENCODEURL ERF.PRECISE ERFC.PRECISE EXPAND EXPON.DIST F.DIST F.DIST.RT
    F.INV F.INV.RT F.TEST FIELDVALUE FILTERXML FLOOR.MATH FLOOR.PRECISE FORECAST.ETS
    FORECAST.ETS.CONFINT FORECAST.ETS.SEASONALITY FORECAST.ETS.STAT FORECAST.LINEAR FORMULATEXT
    GAMMA GAMMA.DIST GAMMA.INV GAMMALN.PRECISE GAUSS GROUPBY HSTACK HYPGEOM.DIST IFNA IFS IMAGE
    IMCOSH IMCOT IMCSC IMCSCH IMSEC IMSECH IMSINH IMTAN ISFORMULA ISOMITTED ISOWEEKNUM LAMBDA LET
    LOGNORM.DIST LOGNORM.INV MAKEARRAY MAP MAXIFS MINIFS MODE.MULT MODE.SNGL MUNIT NEGBINOM.DIST
    NORM.DIST NORM.INV NORM.S.DIST NORM.S.INV NUMBERVALUE PDURATION PERCENTILE.EXC PERCENTILE.INC
    PERCENTOF PERCENTRANK.EXC PERCENTRANK.INC PERMUTATIONA PHI PIVOTBY POISSON.DIST QUARTILE.EXC
    QUARTILE.INC RANDARRAY RANK.AVG RANK.EQ REDUCE REGEXEXTRACT REGEXREPLACE REGEXTEST RRI SCAN SEC
    SECH SEQUENCE SHEET SHEETS SINGLE SKEW.P SORTBY STDEV.P STDEV.S STOCKHISTORY SWITCH T.DIST
    T.DIST.2T T.DIST.RT T.INV T.INV.2T T.TEST TAKE TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TOCOL
    TOROW TRIMRANGE UNICHAR UNICODE UNIQUE VALUETOTEXT VAR.P VAR.S VSTACK WEBSERVICE WEIBULL.DIST
    WRAPCOLS WRAPROWS XLOOKUP XMATCH XOR Z.TEST
    """,
    )
)
"""The functions that a file stores with ``_xlfn.``: Excel's list, not all functions since 2007."""

SHEET_ONLY: Final = frozenset(("FILTER", "SORT"))
"""Functions that a file stores with ``_xlfn._xlws.``."""

FUNCTION: Final = "_xlfn."
SHEET_FUNCTION: Final = "_xlfn._xlws."
OFFICE_FUNCTION: Final = "_xldudf_"
"""The prefix of a function that an Office add-in provides."""
PARAMETER: Final = "_xlpm."
OPTIONAL: Final = "_xlop."

LONGEST: Final = 8000
"""The largest number of characters in a formula: Excel takes 7,992 and refuses 8,192."""

_NEEDS_TREE: Final = re.compile(r"(?<=[\w)\]])#|[@\[]|\b(?:LET|LAMBDA)\(", re.IGNORECASE)
_PLAIN: Final = re.compile(
    r"""("(?:[^"]|"")*"|'(?:[^']|'')*')|(?<![\w.])([A-Za-z][A-Za-z0-9.]*)(?=\()"""
)

_CELL_LIKE: Final = re.compile(r"[a-z]{1,3}[0-9]+|r[0-9]*(?:c[0-9]*)?|c[0-9]*", re.IGNORECASE)
_BINDABLE: Final = re.compile(r"[^\W\d]\w*")
_THIS_ROW: Final = re.compile(r"\[@(?:\[([^\]]*)\]|([^\]\[]*))\]")


def stored(formula: str) -> str:
    """Write a typed formula, without ``=``, in the form that a file stores.

    Raises FormulaError for what is no formula, or a name in LET or LAMBDA that Excel refuses.
    """
    formula = formula.removeprefix("=")
    if not _NEEDS_TREE.search(formula):
        return _PLAIN.sub(_with_prefix, formula)
    return to_text(stored_tree(parse(formula)))


def _with_prefix(piece: re.Match[str]) -> str:
    return piece.group(1) or prefixed(piece.group(2))


_CALLED: Final = re.compile(r"""(?:"(?:[^"]|"")*"|'(?:[^']|'')*')|([^\W\d][\w.\\]*)(?=\()""")


@lru_cache(maxsize=4096)
def called(formula: str) -> frozenset[str]:
    """The functions and names that a formula calls, in capitals and as written."""
    return frozenset(name.upper() for name in _CALLED.findall(formula) if name)


def prefixed(function: str) -> str:
    """The name of a function as a file stores it.

    >>> prefixed("norm.s.inv"), prefixed("Filter"), prefixed("SUM")
    ('_xlfn.NORM.S.INV', '_xlfn._xlws.FILTER', 'SUM')
    """
    upper = function.upper()
    if upper in SHEET_ONLY:
        return SHEET_FUNCTION + upper
    return FUNCTION + upper if upper in FUTURE else function


def stored_tree(node: Node, bound: frozenset[str] = frozenset()) -> Node:
    """The tree of the stored form; ``bound`` holds the names around it that LET or LAMBDA bind."""
    inner = partial(stored_tree, bound=bound)
    match node:
        case Name(text):
            return Name(PARAMETER + text) if text.upper() in bound else node
        case Call(name, arguments) if name.upper() in ("LET", "LAMBDA"):
            return _binding(name.upper(), arguments, bound)
        case Call(name, arguments):
            # a bound name hides a function that is called the same
            called = PARAMETER + name if name.upper() in bound else prefixed(name)
            return rebuilt(Call(called, arguments), inner)
        case Unary("#", operand):
            return Call(FUNCTION + "ANCHORARRAY", (inner(operand),))
        case Unary("@", operand):
            return Call(FUNCTION + "SINGLE", (inner(operand),))
        case Reference(text) if "[@" in text:
            return Reference(_THIS_ROW.sub(_this_row, text))
        case OptionalParameter(name):
            raise FormulaError(f"[{name}] is not a parameter of a LAMBDA here")
    return rebuilt(node, inner)


def _this_row(column: re.Match[str]) -> str:
    return f"[[#This Row],[{column.group(1) or column.group(2)}]]"


def _binding(name: str, arguments: tuple[Node | None, ...], bound: frozenset[str]) -> Node:
    """LET or LAMBDA: a name of LET holds from the next pair on, a parameter in the body."""
    if not arguments or arguments[-1] is None:
        raise FormulaError(f"{name} without a result")
    nodes: list[Node | None] = []
    for i, argument in enumerate(arguments[:-1]):
        # a value of LET may use the names before it, but not its own
        if name == "LET" and i % 2:
            nodes.append(None if argument is None else stored_tree(argument, bound))
            bound |= {to_text(arguments[i - 1]).upper()}
            continue
        if isinstance(argument, Name):
            nodes.append(Name(PARAMETER + bindable(argument.text)))
        elif isinstance(argument, OptionalParameter) and name == "LAMBDA":
            nodes.append(Name(OPTIONAL + bindable(argument.name)))
        else:
            raise FormulaError(f"{name} cannot bind {to_text(argument)!r}")
        if name == "LAMBDA":
            bound |= {to_text(argument).strip("[]").upper()}
    if name == "LET" and len(arguments) % 2 == 0:
        raise FormulaError("LET without a result")
    return Call(FUNCTION + name, (*nodes, stored_tree(arguments[-1], bound)))


def bindable(name: str) -> str:
    """The name, or FormulaError if Excel would not accept it as a parameter.

    >>> bindable("rating")
    'rating'
    """
    if not _BINDABLE.fullmatch(name) or cell_like(name):
        raise FormulaError(f"{name!r} cannot be a name in LET or LAMBDA")
    return name


def cell_like(name: str) -> bool:
    """Whether Excel reads a name as a cell, or as row or column.

    >>> cell_like("ELO1"), cell_like("R1C1"), cell_like("ELO_1")
    (True, True, False)
    """
    return _CELL_LIKE.fullmatch(name) is not None
