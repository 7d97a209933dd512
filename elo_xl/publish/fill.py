"""The front page: what people have becomes the book for it, in its size, filled with their names.

It is one file in all languages, computes nothing and asks nothing of any place: the books lie in
it, packed (:mod:`~elo_xl.publish.packing`) and without the values of their formulas, and it writes
into their cells what people paste or what a file says. The books say where these cells are
(:func:`~elo_xl.books.entries.entry_cells`) and for whom they are (``page`` in
:mod:`~elo_xl.books.commands`); the columns of a report, the words for columns of names and the
signs of results are those of the readers in :mod:`elo_xl.events`. What the page does not understand
it lists with its line; what makes no sense the book marks, as if somebody had typed it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from elo_xl.addresses import PUBLISHED, SITE
from elo_xl.books.commands import GROUPS
from elo_xl.books.entries import entry_cells, typed_tables
from elo_xl.books.front import guide
from elo_xl.books.signs import BYES, PAIRED
from elo_xl.books.texts import texts
from elo_xl.engine.results import read_codes
from elo_xl.events import trf
from elo_xl.events.finishes import place_words
from elo_xl.events.players import BEHIND, LONGEST_BEHIND, NUMBER
from elo_xl.events.programs import ratings
from elo_xl.events.scores import score_words
from elo_xl.events.sided import PAIR
from elo_xl.events.table import CLUB, NATIONAL, heading_words
from elo_xl.languages import CODES, ENGLISH, LANGUAGES
from elo_xl.publish.html import rendered
from elo_xl.publish.packing import Packer, Run, runs
from elo_xl.templates.gallery import TEMPLATES, Template, build, declared, options
from elo_xl.xlsx.cell_xml import PREFIXED
from elo_xl.xlsx.edit import prefixed_styles
from elo_xl.xlsx.in_place import read_parts
from elo_xl.xlsx.opc import CELL, FORMULA, VALUE, Parts, from_bytes, sheet_parts, to_bytes

RECORDS: Final = {"012": "Event", "022": "Place", "042": "first", "052": "last", "102": "Arbiter"}
"""The records of a report that books have a cell for; two make the dates."""

STEPS: Final = (8, 12, 16, 24, 32, 48, 64, 100, 200)
"""Players for whom there is a book of an event, beside the sizes of the ready-made ones: where a
program prints every row, a book near the field has no empty pages."""
MORE: Final = 4
"""How many times the usual players another book takes, if it may take so many."""
ASKED: Final = ("rounds", "events")
"""What the second number of a book's size counts where people are asked for it; of games, tables
and lists a book has as many as its players need."""

CELLS: Final = "cells"
"""The document beside a book's parts that says where its entries go."""

GUIDES: Final = {"game": "your-game", "live": "live", "evening": "evening", "books": "workbooks"}
"""Pages of the site to which the page leads, in English."""


class Wanted(NamedTuple):
    """A book to be packed."""

    template: str
    language: str
    players: int | None
    rounds: int | None


Packed = dict[str, list[Run]]
"""The parts of a book in runs."""


def library(
    templates: Sequence[str] = tuple(TEMPLATES),
    languages: Sequence[str] = CODES,
    most: int = 500,
    each: Callable[[Callable[[Wanted], Packed], Iterable[Wanted]], Iterable[Packed]] = map,
) -> dict[str, Any]:
    """The books of the page, packed: those for at most so many players, where there are such.

    ``each`` is the ``map`` of several processes, which takes less time.
    """
    packer, books = Packer(), {}
    for name in templates:
        spoken = [code for code in languages if code in TEMPLATES[name].languages]
        books[name] = _about(TEMPLATES[name], spoken, most)
        wanted = [Wanted(name, code, *size) for size in books[name]["sizes"] for code in spoken]
        books[name]["packed"] = packer.together(each(packed_book, wanted))
    return {
        "books": books,
        "pieces": packer.pieces(),
        "names": {code: LANGUAGES[code].name for code in languages},
    }


def front_page(books: Mapping[str, Any], *, alone: bool = False) -> bytes:
    """The page as a file, with the books of :func:`library`.

    ``alone``: it has links to pages of the site only if the site is published.
    """
    languages = list(books["names"])
    forms, none = ratings()
    signs = {" ".join(read_codes(sign)): sign for sign in (*BYES, *PAIRED)}
    data = {
        **books,
        "groups": GROUPS,
        "links": {code: list(_links(code, alone)) for code in languages},
        "signs": signs | {"F ": signs["U "]},
        "prefixes": PREFIXED,
        "clubs": CLUB,
        "national": NATIONAL,
        "ratings": [[form.pattern for form in forms], sorted(none)],
        "words": heading_words(),
        "scores": score_words() | place_words(),
        # \w is no letter of another alphabet in JavaScript
        "bare": [NUMBER.pattern, BEHIND.pattern, LONGEST_BEHIND],
        "between": PAIR.pattern.replace(r"\w", r"[\p{L}\p{N}]"),
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
        "say": {code: texts(code).by_key("fill") for code in languages},
    }
    return rendered(
        "fill",
        shared=("reading",),
        say=texts(languages[0]),
        language=languages[0],
        data=json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    )


def _links(language: str, alone: bool) -> Iterator[tuple[str, str]]:
    """Other pages of the site: key of the text, and address."""
    if alone and not PUBLISHED:
        return
    base, here = SITE if PUBLISHED else "", "" if language == ENGLISH else f"{language}/"
    yield "calculator", f"{base}{here}calculator.html"
    yield "guide", f"{base}{guide(language)}.html"
    for key, place in GUIDES.items():
        yield key, f"{base}{place}.html"


def _about(template: Template, languages: Sequence[str], most: int) -> dict[str, Any]:
    """What the page shows of the books of a template before it makes one."""
    asked = declared(template.name, options(template.name)).commands
    kind = asked.games and asked.games.kind
    usual, sizes = _sizes(template)
    sizes = [size for size in sizes if (size[0] or 0) <= most] or sizes[:1]
    league = asked.games is not None and "win" in asked.games.says
    note = "champion" if league else {"rounds": "pairing", "events": "closing"}.get(kind or "")
    return {
        "group": asked.group,
        "note": note,
        "paired": kind == "rounds",
        "sided": kind == "sides",
        "rules": template.rules,
        "sizes": sizes,
        "usual": sizes.index(min(usual, sizes[-1])),
        "asks": template.rounds is not None and template.units[1] in ASKED,
        "most": [bounds and bounds[2] for bounds in (template.players, template.rounds)],
        "title": {code: template.say("title", code) for code in languages},
        "purpose": {code: template.summary(code) for code in languages},
    }


Size = tuple[int | None, int | None]


def _sizes(template: Template) -> tuple[Size, list[Size]]:
    """The usual size of a book on the page, and all: players and rounds, the smaller ones first.

    >>> _sizes(TEMPLATES["doubles"]), _sizes(TEMPLATES["round-robin"])[1]
    (((24, 150), [(24, 150), (60, 375)]), [(8, None), (12, None), (16, None), (20, None)])
    """
    near, far = template.room or (None, None)
    usual = (
        near or (template.players and template.players[1]),
        far or (template.rounds and not template.cycles and template.rounds[1]) or None,
    )
    if template.players is None or usual[0] is None:
        return usual, [usual]
    known = {**template.sizes, usual[0]: usual[1]}
    if template.sizes:
        steps = (step for step in STEPS if template.units[1] in ASKED and step < max(known))
        known |= {n: known[min(k for k in known if k >= n)] for n in steps if n not in known}
    elif (most := min(MORE * usual[0], template.players[2])) > usual[0]:
        far = usual[1] and template.rounds and usual[1] * most // usual[0]
        known[most] = far and template.rounds and min(far, template.rounds[2])
    return usual, sorted(known.items())


def packed_book(wanted: Wanted) -> Packed:
    """The parts of a book without entries, in runs, and where its entries go."""
    template, language, players, rounds = wanted
    made = build(template, options(template, language=language, players=players, rounds=rounds))
    parts = read_parts(made.file())
    sheets = sheet_parts(parts)
    prefixed, styles = prefixed_styles(parts)
    cells: dict[str, Any] = {**entry_cells(made)}
    for name in made.commands.unfilled:
        del cells["singles"][name]
    games, named = made.commands.games, typed_tables(made)
    lists = made.commands.players or [key for key in named if "name" in named[key].keys][:1]
    cells |= {
        "sheets": sheets,
        "prefixed": prefixed,
        # of two teams the page does not know who plays where
        "people": lists[0] if len(lists) == 1 else "",
        "games": games
        and {key: getattr(games, key) for key in ("table", "kind", "sides", "points", "coloured")},
    }
    documents = {CELLS: json.dumps(cells, ensure_ascii=False).encode()}
    documents |= uncomputed(parts | styles, sheets)
    return {name: runs(part.decode()) for name, part in documents.items()}


def uncomputed(parts: Parts, sheets: dict[str, str]) -> Parts:
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
