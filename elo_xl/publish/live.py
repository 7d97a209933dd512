"""The page of a league that lives on a form: it reads the answers and rates them in the browser.

The functions in JavaScript are in it. It reads columns by their headings, as the readers in
:mod:`elo_xl.events` do, and what it does not understand it lists with its line. Its policy lets it
read the answers and nothing else: from the place of their address, or, where the address comes with
that of the page, from any place with https. It sends nothing.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Final
from urllib.parse import urlsplit

from elo_xl.books.texts import texts
from elo_xl.events.finishes import place_words
from elo_xl.events.scores import score_words
from elo_xl.events.table import heading_words
from elo_xl.hosts.javascript import script
from elo_xl.languages import LANGUAGES
from elo_xl.publish import html
from elo_xl.publish.league import KINDS, League

_SAID: Final = {
    **{key: f"publish.{key}" for key in ("game", "close", "curve", "up", "down", "new")},
    **{
        key: f"form.column_{key}"
        for key in ("date", "result", "place", "name", "rating", "change", "share")
    },
    "games": "ladder.column_games",
    "tables": "game-night.column_tables",
    "firsts": "game-night.column_firsts",
    "mean": "game-night.column_mean_place",
    "moved": "doubles.column_moved",
    "twice": "doubles.check_self",
    "table": "ladder.sheet_table",
    "line": "fill.line",
    "unread": "fill.unread",
    "workbook": "fill.workbook",
    "double": "fill.double",
    "one_table": "fill.one_table",
}
"""The texts that books and other pages have, too, by what the script calls them."""

_SIZES: Final = "WIDTH", "HEIGHT", "LEFT", "RIGHT", "TOP", "BOTTOM"
_DRAWING: Final = (*_SIZES, "STEPS", "MOST_LINES", "MOST_DOTS")
"""What the script asks of the drawings of curves."""

_REDIRECTED: Final = {"docs.google.com": " https://*.googleusercontent.com"}
"""Where the answers come from in the end, by the place to which their address leads."""


def live_page(league: League, language: str) -> bytes:
    """The page as a file."""
    say = texts(language)
    titles = {game: say(f"{template}.title") for game, template in KINDS.items()}
    own = {key.removeprefix("live."): text for key, text in say.by_key("live").items()}
    known = LANGUAGES[language]
    data = {
        "league": asdict(league),
        "titles": titles,
        "words": heading_words(),
        "scores": score_words() | place_words(),
        "say": own | {key: say(there) for key, there in _SAID.items()},
        "decimal": known.decimal_sign,
        "days": known.date,
        "drawing": {name.lower(): getattr(html, name) for name in _DRAWING},
    }
    return html.rendered(
        "live",
        shared=("page", "reading"),
        functions=script(),
        connect=_places(league.csv),
        language=language,
        title=league.title or titles[league.game],
        say=say,
        data=data,
    )


def _places(address: str) -> str:
    """Where the page may read, as its policy writes it.

    >>> _places("https://club.example/answers.csv"), _places("answers.csv"), _places("")
    ('https://club.example', "'self'", "'self' https:")
    """
    parts = urlsplit(address)
    if parts.netloc:
        return f"{parts.scheme}://{parts.netloc}{_REDIRECTED.get(parts.netloc, '')}"
    return "'self'" if address else "'self' https:"
