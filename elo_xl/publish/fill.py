"""The page that fills a book: a tournament report or a list of names goes in, a workbook comes out.

It computes nothing and asks nothing of any place: ready-made books lie in it, without the values of
their formulas, and it writes into their cells what a file says. The books say where these cells are
(:func:`~elo_xl.books.entries.entry_cells`); the columns of a report, the words for columns of names
and the signs of results are those of the readers in :mod:`elo_xl.events`. What the page does not
understand it lists with its line; what makes no sense the book marks, as if somebody had typed it.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any, Final

from elo_xl.books.commands import Commands
from elo_xl.books.entries import entry_cells
from elo_xl.books.signs import BYES, PAIRED
from elo_xl.books.texts import texts
from elo_xl.engine.results import read_codes
from elo_xl.events import trf
from elo_xl.events.table import PLAYER_ALIASES, plain
from elo_xl.languages import CODES, LANGUAGES
from elo_xl.publish.html import rendered
from elo_xl.templates.gallery import TEMPLATES, build, declared, options
from elo_xl.xlsx.cell_xml import PREFIXED
from elo_xl.xlsx.edit import prefixed_styles
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import CELL, FORMULA, VALUE, Parts, from_bytes, sheet_parts, to_bytes

RECORDS: Final = {"012": "Event", "022": "Place", "042": "first", "052": "last", "102": "Arbiter"}
"""The records of a report that books have a cell for; two make the dates."""


def fill_page(language: str) -> bytes:
    """The page in a language, as a file."""
    say = texts(language)
    # the gallery begins with what is plain, and most of those who have a report have a Swiss
    small = {name: _asked(name).small for name in reversed(TEMPLATES)}
    books: list[dict[str, Any]] = [
        {"title": say(f"{name}.title"), "sizes": [_book(name, language, n) for n in (few, None)]}
        for name, few in small.items()
        if few
    ]
    players = books[0]["sizes"][0]["cells"]["tables"]["Players"]
    data = {
        "books": books,
        "signs": _signs(),
        "prefixes": PREFIXED,
        "report": {
            "number": trf.NUMBER,
            "columns": {
                "title": trf.TITLE,
                "name": trf.NAME,
                "rating": trf.RATING,
                "federation": trf.FEDERATION,
                "fide_id": trf.ID,
                "birth": trf.BIRTH,
            },
            "rounds": trf.ROUNDS,
            "gaps": trf.GAPS,
            "round_gaps": trf.ROUND_GAPS,
            "alone": trf.AS_BYE,
            "dates": "132",
            "records": RECORDS,
        },
        "headings": {plain(heading): key for key, heading in players["headings"].items()}
        | PLAYER_ALIASES,
        "say": say.by_key("fill"),
    }
    return rendered(
        "fill",
        language=language,
        say=say,
        others={code: LANGUAGES[code].name for code in CODES},
        data=json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    )


def _asked(template: str) -> Commands:
    """What the books of a template say they can do."""
    return declared(template, options(template)).commands


def _signs() -> dict[str, str]:
    """The signs of the books by the codes of both players, or of one without an opponent."""
    signs = {" ".join(read_codes(sign)): sign for sign in (*BYES, *PAIRED)}
    return signs | {"F ": signs["U "]}


def _book(template: str, language: str, players: int | None) -> dict[str, Any]:
    """A book without entries: its parts, packed, and where its entries go."""
    known = TEMPLATES[template]
    room = known.room if players is None else (players, known.sizes[players])
    assert room is not None
    made = build(template, options(template, language=language, players=room[0], rounds=room[1]))
    parts = read_parts(made.file())
    sheets = sheet_parts(parts)
    prefixed, styles = prefixed_styles(parts)
    cells = entry_cells(made)
    for name in made.commands.unfilled:
        del cells["singles"][name]
    return {
        "cells": cells,
        "sheets": sheets,
        "prefixed": prefixed,
        "parts": [
            _packed(name, part) for name, part in _uncomputed(parts | styles, sheets).items()
        ],
    }


def _uncomputed(parts: Parts, sheets: dict[str, str]) -> Parts:
    """The parts without the values of formulas, which LibreOffice would show instead of its own."""
    changed = dict(parts)
    for name in sheets.values():
        root = from_bytes(parts[name])
        for cell in root.iter(CELL):
            value = cell.find(VALUE)
            if cell.find(FORMULA) is not None and value is not None:
                cell.remove(value)
                cell.attrib.pop("t", "")
        changed[name] = to_bytes(root)
    return changed


def _packed(name: str, part: bytes) -> tuple[str, int, int, str]:
    """A part as a zip file has it: name, length, checksum, content."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(part) + packer.flush()
    return name, len(part), zlib.crc32(part), base64.b64encode(packed).decode()
