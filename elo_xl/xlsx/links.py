"""Links of a workbook to other files, which its formulas name by number.

They are counted from 1: ``[2]Sheet!A1`` is a cell, and ``[2]!NAME(`` calls a function, of the file
to which the second link leads. Each link is a part of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr, unescape

from lxml import etree

from elo_xl.xlsx.in_place import rewrite_parts
from elo_xl.xlsx.opc import (
    BOOK,
    BOOK_RELATIONSHIPS,
    CONTENT_TYPES,
    MAIN,
    OFFICE,
    PACKAGE,
    Element,
    Parts,
    add_relation,
    add_type,
    book_target,
    from_bytes,
    relations_of,
    to_bytes,
    without_type,
)

IN_START_FOLDER: Final = (
    "http://schemas.microsoft.com/office/2006/relationships/xlExternalLinkPath/xlStartup"
)
"""How a link leads to a file in Excel's start folder, wherever a computer has that."""

_KIND: Final = f"{OFFICE[1:-1]}/externalLink"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml"
_REFERENCES: Final = f"{MAIN}externalReferences"

_NUMBER: Final = re.compile(
    r"""
    "(?:[^"]|"")*"
    | (?<=[\w.\])]) \[ (?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*\])* \]   # a column of a table
    | '\[(?P<quoted>\d+)\](?:[^']|'')*'
    | \[(?P<bare>\d+)\]
    | '(?:[^']|'')*'
    """,
    re.VERBOSE,
)

#: Attributes of shapes and controls that hold a formula, and the elements of their older form.
_ATTRIBUTES: Final = frozenset(
    (
        *("macro", "textlink", "link", "linkedCell", "listFillRange"),
        *("fmlaLink", "fmlaRange", "fmlaMacro", "fmlaGroup", "fmlaTxbx"),
    )
)
_NUMBERED: Final = re.compile(rb'="[^"<]*\[\d')
_OLDER_FORM: Final = re.compile(rb"(?<=>)[^<>]*\[\d+\][^<>]*(?=</x:Fmla)")


class Link(NamedTuple):
    """A link: its part, and the file to which it leads as it stands there ("" for other links)."""

    part: str
    target: str


def links(parts: Mapping[str, bytes]) -> list[Link]:
    """The links of a workbook; the first one is number 1."""
    relations = {r.get("Id"): book_target(r) for r in from_bytes(parts[BOOK_RELATIONSHIPS])}
    references = from_bytes(parts[BOOK]).iter(f"{MAIN}externalReference")
    names = [relations.get(reference.get(f"{OFFICE}id"), "") for reference in references]
    return [Link(part, _target(parts, part)) for part in names]


def _target(parts: Mapping[str, bytes], part: str) -> str:
    beside = relations_of(part)
    if part not in parts or beside not in parts:
        return ""
    book = from_bytes(parts[part]).find(f"{MAIN}externalBook")
    number = None if book is None else book.get(f"{OFFICE}id")
    targets = (r.get("Target", "") for r in from_bytes(parts[beside]) if r.get("Id") == number)
    return next(targets, "")


def renumbered(formula: str, number: Callable[[int], int]) -> str:
    """A formula in which the links have other numbers."""

    def new(link: re.Match[str]) -> str:
        for kind in ("quoted", "bare"):
            if link[kind]:
                start, end = (at - link.start() for at in link.span(kind))
                return f"{link[0][:start]}{number(int(link[kind]))}{link[0][end:]}"
        return link[0]

    return _NUMBER.sub(new, formula)


def without_links(
    parts: Mapping[str, bytes], unwanted: Callable[[str], bool]
) -> tuple[Parts, set[str]]:
    """Remove the links to unwanted files that nothing refers to: what changes, and what leaves.

    The numbers of the others follow in all formulas.
    """
    linked = links(parts)
    candidates = {n for n, link in enumerate(linked, start=1) if unwanted(link.target)}
    if not candidates:
        return {}, set()
    used: set[int] = set()

    def note(number: int) -> int:
        used.add(number)
        return number

    _with_numbers(parts, note)
    # formulas name a link by its place in this list, so those behind a gap move up
    gone = candidates - used
    if not gone:
        return {}, set()
    left = [n for n in range(1, len(linked) + 1) if n not in gone]
    places = {old: new for new, old in enumerate(left, start=1)}
    changed = _with_numbers(parts, lambda old: places.get(old, old))
    book = from_bytes(changed.get(BOOK, parts[BOOK]))
    relations = from_bytes(parts[BOOK_RELATIONSHIPS])
    references = book.find(_REFERENCES)
    assert references is not None
    types, without = parts[CONTENT_TYPES], set[str]()
    for number, reference in enumerate(list(references), start=1):
        if number in gone:
            references.remove(reference)
            for relation in relations.findall(
                f"{PACKAGE}Relationship[@Id='{reference.get(f'{OFFICE}id')}']"
            ):
                relations.remove(relation)
            part = linked[number - 1].part
            types = without_type(types, part)
            without |= {part, relations_of(part)}
    if not len(references):
        book.remove(references)
    changed |= {BOOK: to_bytes(book), BOOK_RELATIONSHIPS: to_bytes(relations), CONTENT_TYPES: types}
    return {name: part for name, part in changed.items() if name not in without}, without


def with_link(
    parts: Mapping[str, bytes], kind: str, target: str, sheets: Iterable[str], names: Iterable[str]
) -> Parts:
    """What changes so that the last link leads to a file with these sheets and functions."""
    part = next(
        name for n in count(1) if (name := f"xl/externalLinks/externalLink{n}.xml") not in parts
    )
    inside = "".join(f"<sheetName val={quoteattr(sheet)}/>" for sheet in sheets)
    called = "".join(f"<definedName name={quoteattr(name)}/>" for name in names)
    link = (
        f'<externalLink xmlns="{MAIN[1:-1]}">'
        f'<externalBook xmlns:r="{OFFICE[1:-1]}" r:id="rId1"><sheetNames>{inside}</sheetNames>'
        f"<definedNames>{called}</definedNames></externalBook></externalLink>"
    )
    link_relations = etree.fromstring(f'<Relationships xmlns="{PACKAGE[1:-1]}"/>')
    add_relation(link_relations, kind, target)
    link_relations[0].set("TargetMode", "External")
    types = from_bytes(parts[CONTENT_TYPES])
    add_type(types, part, _TYPE)
    relations = from_bytes(parts[BOOK_RELATIONSHIPS])
    number = add_relation(relations, _KIND, part.removeprefix("xl/"))
    book = from_bytes(parts[BOOK])
    references = _references(book)
    etree.SubElement(references, f"{MAIN}externalReference").set(f"{OFFICE}id", number)
    return {
        part: to_bytes(from_bytes(link.encode())),
        relations_of(part): to_bytes(link_relations),
        CONTENT_TYPES: to_bytes(types),
        BOOK_RELATIONSHIPS: to_bytes(relations),
        BOOK: to_bytes(book),
    }


def _references(book: Element) -> Element:
    references = book.find(_REFERENCES)
    if references is None:
        references = book.makeelement(_REFERENCES, {})
        before = book.find(f"{MAIN}functionGroups")
        if before is None:
            before = book.find(f"{MAIN}sheets")
        assert before is not None
        before.addnext(references)
    return references


def _with_numbers(parts: Mapping[str, bytes], number: Callable[[int], int]) -> Parts:
    """The parts that refer to links, with other numbers."""

    def rewrite(formula: str) -> str:
        return renumbered(formula, number)

    def older_form(formula: re.Match[bytes]) -> bytes:
        return escape(rewrite(unescape(formula[0].decode()))).encode()

    now: Parts = {**parts, **rewrite_parts(parts, b"[", rewrite)}
    for name, part in now.items():
        if name.endswith(".vml"):
            now[name] = _OLDER_FORM.sub(older_form, part)
        elif name.startswith("xl/") and name.endswith(".xml") and _NUMBERED.search(part):
            now[name] = _with_attributes(part, rewrite)
    return {name: part for name, part in now.items() if part != parts[name]}


def _with_attributes(part: bytes, rewrite: Callable[[str], str]) -> bytes:
    root, changed = from_bytes(part), False
    for element in root.iter(etree.Element):
        for name, formula in element.attrib.items():
            if name in _ATTRIBUTES and (new := rewrite(str(formula))) != formula:
                element.set(name, new)
                changed = True
    return to_bytes(root) if changed else part
