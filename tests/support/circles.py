"""Circles of references in a workbook: formulas that refer to each other, whatever they take.

``INDEX(B4:B6,2)`` takes one cell, but refers to three. Excel and LibreOffice follow what is taken;
a program that puts formulas in order by what they refer to gives an error to each of a circle.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from operator import itemgetter

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from elo_xl.xlsx.fill import COLUMNS, ROWS, column_letters, place
from elo_xl.xlsx.formula import Call, Name, Node, Reference, children, parse
from elo_xl.xlsx.opc import BOOK, CELL, FORMULA, MAIN, from_bytes, sheet_parts
from elo_xl.xlsx.spreadsheet.references import Area

PLACES = ("ROW", "ROWS", "COLUMN", "COLUMNS")


def circles(parts: Mapping[str, bytes]) -> list[list[str]]:
    """The circles of references between a workbook's formulas, each as the cells on its way.

    Of formulas of which each leads to each other one circle is shown.
    """
    formulas = dict(_formulas(parts))
    if not formulas:
        return []
    names = {
        entry.get("name", "").upper(): entry.text or ""
        for entry in from_bytes(parts[BOOK]).iter(f"{MAIN}definedName")
    }
    ways = _ways({cells: set(_areas(text, cells.sheet, names)) for cells, text in formulas.items()})
    found = (_round(ring, ways) for ring in _rings(ways))
    return sorted(
        [f"{area.sheet}!{column_letters(area.left)}{area.top}" for area in way if area in formulas]
        for way in found
    )


def _formulas(parts: Mapping[str, bytes]) -> Iterator[tuple[Area, str]]:
    """The text of each formula, with the cells that it fills."""
    for title, part in sheet_parts(parts).items():
        for cell in from_bytes(parts[part]).iter(CELL):
            formula = cell.find(FORMULA)
            if formula is not None and formula.text:
                where = formula.get("ref", "") if formula.get("t") == "array" else cell.get("r", "")
                yield next(_areas(where, title, {})), formula.text


def _areas(
    text: str, sheet: str, names: Mapping[str, str], inside: frozenset[str] = frozenset()
) -> Iterator[Area]:
    """What a formula refers to, through names, too."""
    for reference in _read(parse(text)):
        found = place(reference)
        name = reference.rpartition("!")[2].upper()
        if found is not None:
            a, b = found.first, found.last or found.first
            yield Area(
                sheet if found.sheet is None else found.sheet,
                a.row or 1, a.column or 1, b.row or ROWS, b.column or COLUMNS,
            )  # fmt: skip
        elif name in names and name not in inside:
            yield from _areas(names[name], sheet, names, inside | {name})


def _read(node: Node) -> Iterator[str]:
    """The cells and names in a formula, but for those of which it only asks where they are."""
    if isinstance(node, Reference | Name):
        yield node.text
    elif not (isinstance(node, Call) and node.name.upper() in PLACES):
        for child in children(node):
            yield from _read(child)


def _ways(read: Mapping[Area, set[Area]]) -> dict[Area, Collection[Area]]:
    """From each formula to what it refers to, and from there to the formulas in it."""
    columns: defaultdict[tuple[str, int], list[tuple[int, Area]]] = defaultdict(list)
    for cells in read:
        for column in range(cells.left, cells.right + 1):
            rows = range(cells.top, cells.bottom + 1)
            columns[cells.sheet, column] += [(row, cells) for row in rows]
    for there in columns.values():
        there.sort()
    widest = max(cells.right for cells in read)
    ways: dict[Area, Collection[Area]] = {**read}
    for area in set().union(*read.values()) - read.keys():
        inside: set[Area] = set()
        for number in range(area.left, min(area.right, widest) + 1):
            there = columns.get((area.sheet, number), [])
            first = bisect_left(there, area.top, key=itemgetter(0))
            last = bisect_right(there, area.bottom, key=itemgetter(0))
            inside.update(cells for _, cells in there[first:last])
        ways[area] = inside
    return ways


def _rings(ways: Mapping[Area, Collection[Area]]) -> list[set[Area]]:
    """The nodes from each of which there is a way to each other, and back to itself."""
    number = {area: i for i, area in enumerate(ways)}
    ends = [number[end] for areas in ways.values() for end in areas]
    starts = np.repeat(range(len(ways)), [len(areas) for areas in ways.values()])
    graph = coo_array((np.ones(len(ends)), (starts, ends)), shape=(len(ways),) * 2)
    _, labels = connected_components(graph, connection="strong")
    rings: defaultdict[int, set[Area]] = defaultdict(set)
    for area, label in zip(ways, labels.tolist(), strict=True):
        rings[label].add(area)
    return [ring for ring in rings.values() if len(ring) > 1 or ring & set(ways[min(ring)])]


def _round(ring: set[Area], ways: Mapping[Area, Collection[Area]]) -> list[Area]:
    """A shortest way round from one of the cells."""
    start = min(ring, key=lambda area: (area.bottom - area.top, area.right - area.left, area))
    reached = {start: start}
    waiting = deque([start])
    while True:
        area = waiting.popleft()
        for end in sorted(ring.intersection(ways[area])):
            if end == start:
                way = [area]
                while way[-1] != start:
                    way.append(reached[way[-1]])
                return way[::-1]
            if end not in reached:
                reached[end] = area
                waiting.append(end)
