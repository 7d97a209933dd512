"""The calculator: a page in each language for those who have a question and no workbook."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from docs_build.markdown import code, page
from elo_xl.addresses import PUBLISHED
from elo_xl.addresses import page as address_of
from elo_xl.books.front import guide
from elo_xl.books.texts import texts
from elo_xl.engine.rulebooks import EDITIONS, RULEBOOKS, Rulebook
from elo_xl.languages import CODES, ENGLISH, LANGUAGES

MOST_GAMES: Final = 100
"""of a match"""


def places() -> dict[str, str]:
    """The languages by the places of their pages."""
    return {"calculator" if c == ENGLISH else f"{c}/calculator": c for c in CODES}


def pages() -> dict[str, Callable[[], str]]:
    """What makes the pages."""
    return {f"{place}.md": partial(_page, place, code) for place, code in places().items()}


def _page(place: str, language: str) -> str:
    """What stands around the calculator, and what is read where nothing computes."""
    say, up = texts(language), "" if language == ENGLISH else "../"
    others = {c: p for p, c in places().items() if c != language}
    here = address_of(place)
    if PUBLISHED:
        there = f'<a href="{here}">{here}</a>'
    else:
        there = f"<code>make docs</code>, <code>build/site/{place}.html</code>"
    tree = [f"{LANGUAGES[c].name} <{p}>" for c, p in others.items()]
    return page(
        f"# {say('calculator.title')}",
        " · ".join(f"[{LANGUAGES[c].name}]({up}{p}.md)" for c, p in others.items()),
        say("calculator.purpose"),
        say("calculator.what"),
        f'<p class="elsewhere">{say("calculator.only_there")}: {there}</p>',
        f"## {say('calculator.how')}",
        say("calculator.here"),
        f"{say('calculator.more')} [{say('calculator.books')}]({up}{guide(language)}.md)",
        code("\n".join([":hidden:", "", *tree]), "{toctree}") if language == ENGLISH else "",
    )


def values(language: str) -> dict[str, Any]:
    """What the calculator's form and its script say."""
    books = {book.name: book for book in RULEBOOKS.values()}
    earlier = [book.name for book in EDITIONS[1:]]
    return {
        "say": texts(language),
        "titles": {name: book.title.say(language) for name, book in books.items()},
        "earlier": [name for name in books if name in earlier],
        "most": MOST_GAMES,
        "data": {
            "decimal": LANGUAGES[language].decimal_sign,
            "rules": {name: _rules(book, language) for name, book in books.items()},
            "says": _says(language),
        },
    }


def _rules(book: Rulebook, language: str) -> dict[str, Any]:
    """What the script asks of a rulebook."""
    return {
        **dict(book.sentences(language)),
        "by_game": book.by_game,
        "takes_k": book.change.takes_k,
        "counts_events": book.change.counts_events,
        "performance_by": book.performance,
        "model": "logistic" if book.expected.model == "logistic" else "normal",
        "first_games": book.first.games,
        "first_floor": book.first.floor,
        "zero_counts": book.first.zero_counts,
        "takes_guess": book.first.takes_start,
    }


def _says(language: str) -> dict[str, str]:
    say = texts(language)
    own = ("opponent", "result", "won", "drawn", "lost", "remove", "counts_not", "no_game",
           "no_opponent", "unreadable", "impossible", "no_match", "no_first",
           "together")  # fmt: skip
    form = ("difference", "expected", "score", "factor", "change", "new", "performance", "index",
            "games")  # fmt: skip
    match = ("first", "second", "match_score", "exactly", "least")
    lines = ("game_win", "game_draw", "match_win", "match_tie", "match_points")
    first = ("average", "computed", "reason")
    whys = ("few", "low", "zero", "good")
    return {
        **{key: say(f"calculator.{key}") for key in own},
        **{key: say(f"form.column_{key}") for key in form},
        "share": say("form.column_change"),
        **{key: say(f"match-odds.column_{key}") for key in match},
        **{key: say(f"match-odds.line_{key}") for key in lines},
        **{key: say(f"k-and-first-rating.column_{key}") for key in first},
        **{f"why_{key}": say(f"k-and-first-rating.why_{key}") for key in whys},
        "model_normal": say("match-odds.model_normal"),
        "model_logistic": say("match-odds.model_logistic"),
    }
