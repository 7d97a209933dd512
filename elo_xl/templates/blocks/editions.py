"""A first rating under every edition of FIDE's rules, step by step: a row for each of them."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from elo_xl.books.book import Book, Constant, Formula
from elo_xl.books.names import Meaning, by_row
from elo_xl.books.rules import clauses
from elo_xl.engine.rulebooks import EDITIONS, Rulebook
from elo_xl.xlsx.formula import Node, to_text

_EDITIONS: Final = """
sheet first
    table Editions gap:1
        no          0 center quiet      = row_number
        name        left strong text:edition
        rule        left quiet
        since       center format:yyyy\\-mm\\-dd
        average     0.0 center 10       = played((SUMIF(Met[score], ">=0", Met[used])
                                            + rules.first.draws * rules.first.against) / more)
        added       +0.0 center 10      = played(IF(rules.first.draws, dp,
                                            IF(half > 0, rules.first.per_half_point * half, dp)))
        computed    0 center 10         = ELO_INITIAL(Met[used], Met[score], rules.name)
        first       0 center strong 12  = published(computed, games, points)
        why         left quiet 24 text:reason = cases(games = 0, t.why_none,
            games < rules.first.games, t.why_few(games = rules.first.games),
            IF(rules.first.zero_counts, FALSE, points = 0), t.why_zero,
            computed < rules.first.floor, t.why_low(floor = rules.first.floor), t.why_good)
        games       0 helper text:rated_games = COUNT(Met[score])
        points      0.0 helper          = SUM(Met[score])
        part        0.00 helper         = played((points + rules.first.draws / 2) / more)
        half        +0 helper           = IF(rules.first.draws, EMPTY, played(2 * points - games))
        dp          +0 helper           = ELO_DIFF(part, "fide")
    names
        more = games + rules.first.draws
    pieces
        played(value) = IF(games = 0, "", value)
"""


def editions(book: Book) -> None:
    """Write the table below the games ``Met``, and above them of which edition the answer is."""
    met, title = book.tables["Met"], EDITIONS[0].title.say(book.options.language)
    said = Formula(
        'IF(cell(Editions, "first", 1) = "", cell(Editions, "why", 1), '
        f'"{title} · " & t.column_rated_games & " " & cell(Editions, "games", 1))'
    )
    met.sheet.put(met.header - 1, 3, said, "note", align="left", measure=False)
    met.sheet.height(met.header - 1, 1.4)
    book.read(_EDITIONS, "editions", Editions=[_edition(book, rules) for rules in EDITIONS])
    book.tables["Editions"].names.update(_clauses())


def _edition(book: Book, rules: Rulebook) -> dict[str, Constant]:
    """What stands in a row for good."""
    first = rules.first
    numbers = {f.name: str(getattr(first, f.name)).removesuffix(".0") for f in fields(first)}
    numbers = {key: book.number(n) for key, n in numbers.items()}
    rule = first.brief.say(book.options.language, **numbers) if first.brief else ""
    return {"name": rules.name, "since": rules.since, "rule": rule}


def _clauses() -> dict[str, Meaning]:
    """The clauses of the rulebook of a row, instead of the one of the book."""
    editions = list(map(clauses, EDITIONS))
    shared = set[str].intersection(*map(set, editions))
    return {name: by_row([_text(each[name]) for each in editions]) for name in sorted(shared)}


def _text(meaning: Meaning) -> str:
    return to_text(meaning) if isinstance(meaning, Node) else str(meaning)
