"""The norms of an event: a list, and for each norm what it takes and every game, as a certificate
has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elo_xl.books.book import Row
from elo_xl.events.event import Tournament
from elo_xl.languages import LANGUAGES
from elo_xl.publish.page import Page, PageColumn, PageTable, headed, table
from elo_xl.questions.norms.event import PlayerNorm
from elo_xl.questions.norms.numbers import NormEvent
from elo_xl.questions.norms.sheet import Words, norm_lines

_LIST: Final = (
    PageColumn("name", "name", align="left"),
    PageColumn("norm", "norm", align="center"),
    PageColumn("federation", "federation", align="center", minor=True),
    PageColumn("id", "id", align="center", minor=True),
    PageColumn("missing", "standing", align="left", wraps=True),
    PageColumn("score", "score", 1),
    PageColumn("games", "games_played"),
    PageColumn("average", "opponents"),
    PageColumn("performance", "performance"),
)
_RULES: Final = (
    PageColumn("article", "article", align="left"),
    PageColumn("what", "what", align="left", wraps=True),
    PageColumn("has", "has", None),
    PageColumn("least", "least", None),
    PageColumn("most", "most", None),
    PageColumn("by", "by", None),
    PageColumn("met", "met", align="left", wraps=True),
)
_GAMES: Final = (
    PageColumn("round", "round", align="center"),
    PageColumn("opponent", "opponent", align="left"),
    PageColumn("federation", "federation", align="center"),
    PageColumn("title", "title", align="center"),
    PageColumn("rating", "rating"),
    PageColumn("score", "score", 1),
    PageColumn("counts", "counts", align="left", wraps=True),
)


def norms_page(
    tournament: Tournament, event: NormEvent, found: Sequence[PlayerNorm], language: str = "en"
) -> Page:
    """The page of these norms of an event."""
    words = Words(language)
    lines = norm_lines(tournament, event, found, language)

    def made(key: str, title: str, columns: Sequence[PageColumn], rows: Sequence[Row]) -> PageTable:
        shown = headed(columns, lambda heading: words.say(f"column_{heading}"))
        return table(key, title, shown, rows, ("name", "missing"), sortable=False)

    listed = [
        {**row, "missing": ". ".join(str(row[key]) for key in ("missing", "suffices") if row[key])}
        for row in lines.norms
    ]
    tables = [made("norms", words.say("sheet_norms"), _LIST, listed)]
    every = zip(found, lines.rules, lines.games, strict=True)
    for number, (one, rules, games) in enumerate(every, start=1):
        title = f"{one.player.name}, {one.norm.title}"
        made_it = f": {words.say('norm_made', games=one.norm.worth)}" if one.norm.met else ""
        games_title = f"{title}: {words.say('sheet_games')}"
        tables.append(made(f"rules{number}", title + made_it, _RULES, rules))
        tables.append(made(f"games{number}", games_title, _GAMES, games))
    span = LANGUAGES[language].span(tournament.start, tournament.end)
    return Page(
        language,
        f"{tournament.name}: {words.say('sheet_norms')}",
        f"{span}. {lines.as_of}" if span else lines.as_of,
        tables,
        day=tournament.end or tournament.start,
        notes=(words.say("about_norms_arbiter"),),
    )
