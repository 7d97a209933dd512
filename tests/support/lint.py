"""Find in a workbook's text what Excel would repair, refuse or show as #NAME?.

LibreOffice and the engines that run without Excel accept much that Excel does not, so a file
that they compute may still be broken. :func:`problems` reads a workbook's parts; the text of a
single formula is looked at by :func:`formula_problems`::

    python -m tests.support.lint workbook.xlsx ...
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from elo_xl.xlsx.accepted import length_problems, name_problems, tree_problems
from elo_xl.xlsx.dynamic import (
    CALCULATION_CHAIN,
    METADATA,
    METADATA_RELATION,
    METADATA_TYPE,
    lambda_names,
)
from elo_xl.xlsx.fill import one_row
from elo_xl.xlsx.formula import (
    Call,
    FormulaError,
    Name,
    Node,
    OptionalParameter,
    Reference,
    children,
    parse,
    walk,
)
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.links import renumbered
from elo_xl.xlsx.opc import (
    BOOK,
    BOOK_RELATIONSHIPS,
    CELL,
    CONTENT_TYPES,
    FORMULA,
    MAIN,
    VALUE,
    Element,
    from_bytes,
    sheet_parts,
)
from elo_xl.xlsx.stored import (
    FUNCTION,
    FUTURE,
    LONGEST,
    OFFICE_FUNCTION,
    OPTIONAL,
    PARAMETER,
    SHEET_FUNCTION,
    SHEET_ONLY,
    called,
    cell_like,
)
from tests.support.circles import circles
from tests.support.plain_cells import plain_problems, range_names

MOST_COMMENT: Final = 255
MOST_PARAMETERS: Final = 253
MOST_PAIRS: Final = 126

_BUILT_IN: Final = re.compile(r"_xlnm\.\w+")
#: A text; or a number, or the row of a cell, whose column has up to three letters. What it begins
#: with comes first, as a search is quick then.
_TEXT_OR_ROW: Final = re.compile(
    r"""["1-9] (?: (?<=") [^"]*" |
    (?<=[1-9]) (?: (?<![\w.\\\[].) | (?<=[A-Z].)(?<![\w.\\]..) | (?<=[A-Z]{2}.)(?<![\w.\\]...)
    | (?<=[A-Z]{3}.)(?<![\w.\\]....) ) [0-9]{0,6} (?![\w.\\?(\[!\]]) )""",
    re.VERBOSE,
)

#: Functions that give several values.
_SPILLING: Final = frozenset(
    (
        *("_XLFN._XLWS.FILTER", "_XLFN._XLWS.SORT", "_XLFN.SORTBY", "_XLFN.UNIQUE"),
        *("_XLFN.SEQUENCE", "_XLFN.RANDARRAY", "_XLFN.VSTACK", "_XLFN.HSTACK", "_XLFN.TOCOL"),
        *("_XLFN.TOROW", "_XLFN.MAP", "_XLFN.SCAN", "_XLFN.BYROW", "_XLFN.BYCOL"),
        *("_XLFN.MAKEARRAY", "_XLFN.TEXTSPLIT", "_XLFN.ANCHORARRAY"),
    )
)


def problems(workbook: str | os.PathLike[str] | bytes, others: Iterable[str] = ()) -> list[str]:
    """One line for each thing in a workbook that Excel would not accept, with its place.

    ``others`` are functions that an add-in provides when the workbook is opened.

    Raises OSError if the file cannot be read, WorkbookError if it is not a workbook.
    """
    content = workbook if isinstance(workbook, bytes) else Path(workbook).read_bytes()
    parts = read_parts(content)
    book = from_bytes(parts[BOOK])
    tables = [from_bytes(parts[part]) for part in parts if part.startswith("xl/tables/")]
    around = _around(parts, book, others)
    found = [*_of_book(book, parts), *_of_names(book, tables, around)]
    records, marked = _records(parts), False
    sound: set[tuple[str, bool]] = set()
    for part in sheet_parts(parts).values():
        root = from_bytes(parts[part])
        for cell in root.iter(CELL):
            where = f"{part.rpartition('/')[2].removesuffix('.xml')}!{cell.get('r')}"
            marked |= cell.get("cm") is not None
            found += [f"{why} @ {where}" for why in _of_cell(cell, around, records, sound)]
        for rule in root.iter(f"{MAIN}formula", f"{MAIN}formula1", f"{MAIN}formula2"):
            where = f"{part.rpartition('/')[2].removesuffix('.xml')}, a rule"
            text = rule.text or ""
            found += [f"{why} @ {where}" for why in around.problems(text)]
            if any(number > 0 for number in _links(text)):
                # for functions of an add-in, too, Excel says that a rule cannot refer to them
                found.append(f"a rule refers to another file @ {where}")
        for rule in root.iter(f"{MAIN}cfRule"):
            # Excel itself keeps such a rule in an extension; here its older versions repair it
            if any(_reads_elsewhere(each.text or "") for each in rule.iter(f"{MAIN}formula")):
                where = part.rpartition("/")[2].removesuffix(".xml")
                found.append(f"the rule of a colour reads another sheet @ {where}")
    found += _of_tables(tables, around)
    found += [f"a circle of references: {' → '.join(way)}" for way in circles(parts)]
    return found + (_of_metadata(parts) if marked else [])


def _links(formula: str) -> set[int]:
    """The numbers of the links to which a formula refers; 0 is the workbook itself."""
    used: set[int] = set()

    def note(number: int) -> int:
        used.add(number)
        return number

    renumbered(formula, note)
    return used


@dataclass(frozen=True)
class _Around:
    """What a workbook has to which its formulas may refer."""

    lambdas: frozenset[str]
    defined: set[str]
    ranges: frozenset[str]
    rows: frozenset[str]
    links: int
    extension: bool

    def problems(self, formula: str, *, plain: bool = False) -> Iterator[str]:
        yield from formula_problems(
            formula, self.defined, plain=plain, ranges=self.ranges, rows=self.rows
        )
        yield from (f"there is no link [{n}]" for n in _links(formula) if n > self.links)
        for name in _calls(formula):
            where, _, function = name.upper().rpartition("!")
            own = function.removeprefix(OFFICE_FUNCTION.upper())
            if own in self.lambdas and (own != function or where not in ("", "[0]")):
                yield f"{name} calls an add-in, but {own} is a name of the workbook"
            elif own != function and not self.extension:
                yield f"{name} calls an Office add-in, but the workbook names none"


def _around(parts: Mapping[str, bytes], book: Element, others: Iterable[str]) -> _Around:
    names = {entry.get("name", "").upper() for entry in book.iter(f"{MAIN}definedName")}
    return _Around(
        lambda_names(parts[BOOK]),
        names | {name.upper() for name in others},
        *range_names(book),
        sum(1 for _ in book.iter(f"{MAIN}externalReference")),
        any(part.startswith("xl/webextensions/") for part in parts),
    )


def _shape(formula: str) -> str:
    """A formula with 1 for its numbers and rows, on which no problem but its length depends.

    >>> _shape('ELO2_X(A$17:B9,"A17",ELO22,25)')
    'ELO2_X(A$1:B1,"A17",ELO1,1)'
    """
    return _TEXT_OR_ROW.sub(lambda match: match[0] if match[0][0] == '"' else "1", formula)


def _calls(formula: str) -> list[str]:
    try:
        return [node.name for node in walk(parse(formula)) if isinstance(node, Call)]
    except FormulaError:
        return []  # a problem of its own


def _reads_elsewhere(formula: str) -> bool:
    try:
        nodes = list(walk(parse(formula)))
    except FormulaError:
        return False  # a problem of its own
    return any(isinstance(node, Reference) and "!" in node.text for node in nodes)


def _of_book(book: Element, parts: Mapping[str, bytes]) -> Iterator[str]:
    calculation = book.find(f"{MAIN}calcPr")
    if calculation is None or calculation.get("fullCalcOnLoad") not in ("1", "true"):
        yield "fullCalcOnLoad is missing: old values would be shown @ workbook"
    if CALCULATION_CHAIN in parts:
        yield f"{CALCULATION_CHAIN} exists: if it does not fit, Excel offers a repair @ workbook"


def _of_names(book: Element, tables: Iterable[Element], around: _Around) -> Iterator[str]:
    titles = {table.get("displayName", "").upper() for table in tables}
    seen: set[tuple[str, str | None]] = set()
    for entry in book.iter(f"{MAIN}definedName"):
        name, text = entry.get("name", ""), entry.text or ""
        for why in [] if _BUILT_IN.fullmatch(name) else name_problems(name):
            yield f"{why} @ name {name}"
        if name.upper() in titles:
            yield f"a table has the same name @ name {name}"
        key = (name.upper(), entry.get("localSheetId"))
        if key in seen:
            yield f"it occurs twice @ name {name}"
        seen.add(key)
        comment = entry.get("comment", "")
        if len(comment) > MOST_COMMENT:
            yield f"its comment has {len(comment)} characters, Excel takes 255 @ name {name}"
        for why in around.problems(text):
            yield f"{why} @ name {name}"


def _of_cell(
    cell: Element, around: _Around, records: int, sound: set[tuple[str, bool]]
) -> Iterator[str]:
    formula, value, mark = cell.find(FORMULA), cell.find(VALUE), cell.get("cm")
    if mark is not None and not 0 < int(mark) <= records:
        yield f"cm={mark} has no record in the metadata"
    if formula is None:
        return
    if value is not None and not value.text and cell.get("t") != "str":
        yield "an empty value beside the formula: some readers read it as a text"
    text = formula.text or ""
    array = formula.get("t") == "array"
    shape = _shape(text)
    calls = called(shape)
    one_cell = array and mark is None and formula.get("ref") == cell.get("r")
    if one_cell and calls & (around.lambdas | _SPILLING):
        yield "an array formula of one cell without cm: it would never spill"
    if calls & around.lambdas and not array:
        yield "a LAMBDA name called in a plain cell: Excel shows @ and one value"
    if text and ((shape, array) not in sound or len(text) > LONGEST):
        found = list(around.problems(text, plain=not array))
        yield from found
        if not found:
            sound.add((shape, array))  # the formulas of a column differ by their row only


def _of_tables(tables: Iterable[Element], around: _Around) -> Iterator[str]:
    for table in tables:
        for column in table.iter(f"{MAIN}calculatedColumnFormula"):
            where = f"table {table.get('displayName')}"
            text = column.text or ""
            if called(text) & around.lambdas and column.get("array") != "1":
                yield f"a LAMBDA name called without array=1 @ {where}"
            for why in around.problems(text):
                yield f"{why} @ {where}"


def _records(parts: Mapping[str, bytes]) -> int:
    if METADATA not in parts:
        return 0
    cells = from_bytes(parts[METADATA]).find(f"{MAIN}cellMetadata")
    return 0 if cells is None else len(cells)


def _of_metadata(parts: Mapping[str, bytes]) -> list[str]:
    wanted = {
        f"{METADATA} is missing": METADATA in parts,
        "its content type is missing": METADATA_TYPE.encode() in parts[CONTENT_TYPES],
        "its relationship is missing": METADATA_RELATION.encode() in parts[BOOK_RELATIONSHIPS],
    }
    return [f"cells have cm, but {what} @ workbook" for what, there in wanted.items() if not there]


def formula_problems(
    formula: str,
    defined: Iterable[str] = (),
    *,
    plain: bool = False,
    ranges: Set[str] = frozenset(),
    rows: Set[str] = frozenset(),
) -> list[str]:
    """The problems of a formula in the form that a file stores.

    >>> formula_problems("NORM.S.DIST(A1,TRUE)")
    ['NORM.S.DIST lacks the prefix _xlfn.']

    ``defined`` are names that the workbook defines. ``plain`` says that it stands in an ordinary
    cell, where Excel 2016 does not work out ranges as arrays; ``ranges`` are the names of ranges
    and ``rows`` those of ranges of one row, in capitals.
    """
    found: list[str] = []
    if formula.startswith("="):
        found.append("it starts with =")
    if too_long := list(length_problems(formula)):
        return [*found, *too_long]
    try:
        tree = parse(formula)
    except FormulaError as error:
        return [*found, f"no formula: {error}"]
    names = {name.upper() for name in defined}
    found += tree_problems(tree)
    found += _of_tree(tree, frozenset(), names)
    if any(_of_one_number(node, rows) for node in walk(tree)):
        found.append("INDEX of one row with one number: not every program takes INDEX(row,n)")
    if plain:
        found += plain_problems(tree, ranges)
    return list(dict.fromkeys(found))


def _of_tree(node: Node, bound: frozenset[str], defined: set[str]) -> Iterator[str]:
    match node:
        case Call(name, arguments):
            yield from _of_call(name, bound, defined)
            if name.upper() in (f"{FUNCTION}LET".upper(), f"{FUNCTION}LAMBDA".upper()):
                yield from _of_binding(name.upper(), arguments, bound, defined)
                return
        case Name(text) if text.startswith(OPTIONAL):
            yield f"{text} outside a parameter list"
        case Name(text) if text.startswith(PARAMETER) and text.upper() not in bound:
            yield f"{text} is not bound by LET or LAMBDA here"
        case Name(text) if text.startswith("_xleta."):
            yield f"{text}: a function passed by its name"
        case Name(text) if not text.startswith("_xl") and text.upper() not in defined:
            yield f"{text} is not a name of the workbook"
        case OptionalParameter(name):
            yield f"[{name}] is not a stored form: use {OPTIONAL}{name.removeprefix(PARAMETER)}"
        case Reference(text) if "[@" in text:
            yield f"{text}: a file must have [[#This Row],[…]]"
    for child in children(node):
        yield from _of_tree(child, bound, defined)


def _of_call(name: str, bound: frozenset[str], defined: set[str]) -> Iterator[str]:
    from openpyxl.utils import FORMULAE

    plain = name.rpartition("!")[2]
    upper = plain.upper()
    if plain.startswith(SHEET_FUNCTION):
        if upper[len(SHEET_FUNCTION) :] not in SHEET_ONLY:
            yield f"{plain}: no function has this prefix and name"
    elif plain.startswith(FUNCTION):
        rest = upper[len(FUNCTION) :]
        if rest in SHEET_ONLY:
            yield f"{rest} needs {SHEET_FUNCTION}"
        elif rest not in FUTURE:
            yield f"{plain}: no function has this prefix and name"
    elif plain.startswith(PARAMETER):
        own = upper[len(PARAMETER) :]
        if upper not in bound:
            yield f"{plain} is not bound by LET or LAMBDA here"
        elif own in FUTURE or own in SHEET_ONLY or own in FORMULAE:
            yield f"{plain} is called by the name of a function that Excel has"
    elif upper in FUTURE:
        yield f"{upper} lacks the prefix {FUNCTION}"
    elif upper in SHEET_ONLY:
        yield f"{upper} lacks the prefix {SHEET_FUNCTION}"
    elif upper in defined or "!" in name:
        return
    elif upper.startswith("_XL") and not plain.lower().startswith(OFFICE_FUNCTION):
        yield f"{plain}: an unknown prefix"
    elif upper not in FORMULAE and not upper.startswith("_XL"):
        yield f"{plain} is neither a function nor a name of the workbook"


def _of_binding(
    name: str, arguments: tuple[Node | None, ...], bound: frozenset[str], defined: set[str]
) -> Iterator[str]:
    is_let = name.endswith("LET")
    if (is_let and len(arguments) % 2 == 0) or not arguments or arguments[-1] is None:
        yield f"{name} without a result"
    most = 2 * MOST_PAIRS if is_let else MOST_PARAMETERS
    if len(arguments) - 1 > most:
        yield f"{name} binds more than Excel takes"
    optional = False
    for i, argument in enumerate(arguments[:-1]):
        if is_let and i % 2:
            if argument is not None:
                yield from _of_tree(argument, bound, defined)
            bound |= {str(getattr(arguments[i - 1], "text", "")).upper()}
            continue
        text = argument.text if isinstance(argument, Name) else ""
        if isinstance(argument, OptionalParameter):
            yield f"[{argument.name}] is not a stored form: use {OPTIONAL}…"
        elif not text.startswith((PARAMETER, OPTIONAL)):
            yield f"{name} binds {text or 'something else than a name'} without a prefix"
        elif is_let and text.startswith(OPTIONAL):
            yield f"{text} outside a parameter list"
        elif cell_like(text[len(PARAMETER) :]):
            yield f"{text} reads as a cell"
        if optional and text.startswith(PARAMETER):
            yield f"{text} is required, but follows an optional parameter"
        optional |= text.startswith(OPTIONAL)
        if not is_let:
            bound |= {PARAMETER.upper() + text[len(PARAMETER) :].upper()}
    if arguments and arguments[-1] is not None:
        yield from _of_tree(arguments[-1], bound, defined)


def _of_one_number(node: Node, rows: Set[str]) -> bool:
    match node:
        case Call(name, (row, _)):
            return name.upper() == "INDEX" and one_row(row, rows)
    return False


def main() -> None:
    """Print the problems of the workbooks named on the command line."""
    found = [f"{path}: {problem}" for path in sys.argv[1:] for problem in problems(path)]
    sys.stdout.writelines(f"{line}\n" for line in found)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
