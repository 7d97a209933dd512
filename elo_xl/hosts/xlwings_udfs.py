"""The functions in Excel through xlwings: on Windows, and with xlwings Lite on Mac and the web.

On Windows xlwings' server loads this module by its name, which the add-in's VBA code gives it
(:mod:`elo_xl.hosts.excel_addin`), or xlwings' own setting *UDF Modules*; a module of functions may
also import all of this one. In a workbook for xlwings Lite three lines of ``main.py`` call
:func:`bind` (:mod:`elo_xl.hosts.xlwings_lite`). Anywhere else importing it does nothing.

Cells map like this; all arguments are taken raw, as Excel sends them:

* blank: None, the null of JavaScript in Lite, or an omitted argument; a result has empty text.
* errors: COM's number in (-2146826246 is #N/A), or a dictionary in Lite; out their text, which the
  VBA code and Lite turn into real errors.
* booleans: True and False; they count 1 and 0.
* numbers: floats; Currency comes as Decimal, a date as its serial number (days since 30 December
  1899) or as a datetime that becomes one.
* arrays: tuples of rows in, an array constant of one row flat; out lists of rows, of which xlwings
  makes one value or one flat row where it is that. A text in an array is cut at 255 characters:
  with a longer one Excel refuses the whole array.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from inspect import Parameter, Signature
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.functions.catalogue import Function, functions
from elo_xl.functions.cells import CellRows, Result
from elo_xl.functions.evaluation import evaluate
from elo_xl.functions.names import CATEGORY

if TYPE_CHECKING:
    from xlwings.conversion.framework import ConversionContext

LEFT_OUT: Final = -2147352572
"""The code that COM sends for an omitted argument."""

MOST_TEXT: Final = 255
"""The largest number of characters of a text in an array that a function returns."""

# COM wraps Excel's number of an error in a code of its own.
_COM: Final = -2146828288
_CODES: Final = range(_COM + 2000, _COM + 3000)
_NUMBERS: Final[dict[int, str | None]] = {
    LEFT_OUT: None,
    **{_COM + number: text for text, number in EXCEL_NUMBERS.items()},
}

_DAY_ZERO: Final = datetime(1899, 12, 30)

#: Types that go to the catalogue unchanged. Not int: Excel sends only errors as int.
_AS_IT_IS: Final = frozenset((float, str, bool, type(None)))


def bind(namespace: dict[str, object], xlwings: ModuleType) -> None:
    """Put every function of the catalogue into a module's namespace, as functions of xlwings'."""
    for function in functions().values():
        namespace[function.name] = _udf(function, str(namespace["__name__"]), xlwings)


def _udf(function: Function, module: str, xlwings: ModuleType) -> object:
    def udf(*cells: object) -> CellRows:
        if not _AS_IT_IS.issuperset(map(type, cells)):
            cells = tuple(map(_from_excel, cells))
        return _to_excel(evaluate(function, *cells))

    udf.__name__ = udf.__qualname__ = function.name
    udf.__module__ = module
    udf.__doc__ = function.help
    udf.__annotations__ = {}  # xlwings takes a type hint for a conversion
    made: Any = udf
    made.__signature__ = Signature(
        [
            Parameter(
                argument.name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=Parameter.empty if argument.required else None,
            )
            for argument in function.arguments
        ]
    )
    com = _through_com(xlwings)
    for argument in function.arguments:
        made = xlwings.arg(argument.name, AsTheyAre if com else "raw", doc=argument.help)(made)
    if com:
        # Rows of plain values need no conversion; on this way Lite converts errors.
        made = xlwings.ret(AsTheyAre)(made)
    # only the wizard of Excel on Windows has categories; Lite need not know the word
    return xlwings.func(**({"category": CATEGORY} if com else {}))(made)


class AsTheyAre:
    """A converter of xlwings' that does what its own "raw" does, without stages made again for each
    value of each call."""

    @classmethod
    def reader(cls, options: object) -> Callable[[ConversionContext], None]:
        """What reads an argument: a value is there already, a range has one."""
        return cls._read

    @classmethod
    def router(cls, *_: object) -> type[AsTheyAre]:
        """What converts a result."""
        return cls

    @classmethod
    def writer(cls, options: object) -> Callable[[ConversionContext], None]:
        """What writes a result, which goes back as it is."""
        return cls._read

    @staticmethod
    def _read(context: ConversionContext) -> None:
        if context.range is not None:
            context.value = context.range.raw_value


def _through_com(xlwings: ModuleType) -> bool:
    """Whether this is xlwings with its COM server, which exists only on Windows."""
    return bool(getattr(xlwings.func, "__module__", None) == "xlwings.udfs")


def _from_excel(value: object) -> object:
    """Convert one argument into what the catalogue takes."""
    if not isinstance(value, (tuple, list)):
        return value if type(value) in _AS_IT_IS else _cell_from_excel(value)
    nested = bool(value) and isinstance(value[0], (tuple, list))
    cells = chain.from_iterable(value) if nested else value
    if _AS_IT_IS.issuperset(map(type, cells)):
        return value
    return [[_cell_from_excel(cell) for cell in row] for row in (value if nested else [value])]


def _cell_from_excel(cell: Any) -> object:
    """Convert the value of one cell into what the catalogue takes.

    >>> from datetime import timezone
    >>> noon = datetime(2024, 1, 31, 12, tzinfo=timezone.utc)
    >>> [_cell_from_excel(cell) for cell in (-2146826246, 7, noon)]
    ['#N/A', 7, 45322.5]
    >>> _cell_from_excel({"type": "Error", "errorType": "Num", "basicValue": "#NUM!"})
    '#NUM!'
    """
    kind = type(cell)
    if kind in _AS_IT_IS:
        return cell
    if kind is int:
        return _NUMBERS.get(cell, "#VALUE!" if cell in _CODES else cell)
    if isinstance(cell, datetime):
        return (cell.replace(tzinfo=None) - _DAY_ZERO) / timedelta(days=1)
    if isinstance(cell, Decimal):
        return float(cell)
    if kind is dict:  # Lite: an error, or a number with its format and more
        return _cell_from_excel(cell.get("basicValue", "#VALUE!"))
    return None if kind.__name__ in ("JsNull", "JsUndefined") else cell


def _to_excel(result: Result) -> CellRows:
    """Turn a result into rows, with texts that Excel can take."""
    if not isinstance(result, list):
        return [[result]]
    if str in map(type, chain.from_iterable(result)):
        return [[cell[:MOST_TEXT] if type(cell) is str else cell for cell in row] for row in result]
    return result


__all__: list[str] = []

# On Windows xlwings imports this module, so xlwings is loaded already; nobody else needs it.
if (_xlwings := sys.modules.get("xlwings")) is not None and _through_com(_xlwings):
    bind(globals(), _xlwings)
    __all__ += functions()
