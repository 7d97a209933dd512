"""The workbook of the highest ratings of a period of millions of games: a list of values."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from elo_xl.books.book import Book, Options
from elo_xl.books.styles import number_format
from elo_xl.bulk.extract import Extract
from elo_xl.languages import ENGLISH
from elo_xl.xlsx.files import write_whole

_LIST: Final = """
sheet list freeze:name stretch:name
    note extract_counts
    table List
        place       0 quiet
        id          @ left text:own_id
        ?title title @ center
        ?federation federation @ center
        name        left strong
        new         {new_format} strong
        change      {change_format}
        rating      {old_format} text:before
        games       0 text:rated_games
"""


def write_big_list(extract: Extract, path: Path, facts: str, language: str = ENGLISH) -> None:
    """Write the list to ``path``, whole or not at all; ``facts`` say what it was taken from.

    Raises OSError naming ``path`` where it cannot be written.
    """
    book = Book("rated-event", Options(language=language))
    rows = extract.rows
    book.texts["title"] = book.say("period_title")
    book.texts["extract_counts"] = book.say(
        "extract_of", shown=len(rows), rated=extract.rated, facts=facts
    ).rstrip()
    book.read(
        _LIST,
        data={"List": [{"place": place} | row for place, row in enumerate(rows, start=1)]},
        title=any(row.get("title") for row in rows),
        federation=any(row.get("federation") for row in rows),
        change_format="+" + number_format([row["change"] for row in rows], "0.00"),
        new_format=number_format([row["new"] for row in rows], "0.0"),
        old_format=number_format([row["rating"] for row in rows], "0.0"),
    )
    book.finish()
    write_whole(path, book.file())
