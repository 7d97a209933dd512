"""The workbooks that ``elo-xl new`` makes, each with its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_build.markdown import code, page
from elo_xl.books.texts import texts
from elo_xl.languages import ENGLISH
from elo_xl.templates.gallery import TEMPLATES, Template

SHOWN: Final = {
    "rating-period": ("games", "list", "ratings"),
    "round-robin": ("crosstable", "standings"),
    "swiss": ("pairing_list", "standings", "cross"),
    "team-match": ("report",),
    "rating-history": ("season", "chart"),
    "ladder": ("table", "pair"),
    "club": ("members", "list"),
    "match-odds": ("odds",),
    "k-and-first-rating": ("k", "first"),
    "bayes-chess": ("standings", "chart"),
    "bridge-pairs": ("ratings", "chart"),
    "elo-explained": ("expected", "two_formulas", "k_effect"),
}
"""The keys of the sheets that the pictures show."""

MISTAKEN: Final = "rating-period"
GUIDE: Final[dict[str, tuple[int, int | None, tuple[str, ...]]]] = {
    "round-robin": (8, None, ("start", "entry", "standings")),
    MISTAKEN: (10, 14, ("games",)),
}
"""What the pages for organizers show in every language: players and rounds of a small book, and
the keys of its sheets; one book is shown with mistakes."""

FOLDER: Final = "_static/workbooks"


def sheet_name(template: str, key: str, language: str = ENGLISH) -> str:
    """The name of a sheet."""
    by_key = texts(language).by_key()
    return by_key.get(f"{template}.sheet_{key}") or by_key[f"form.sheet_{key}"]


def picture(template: str, key: str, folder: str = FOLDER) -> str:
    """A picture of a sheet as Markdown."""
    title = texts("en")(f"{template}.title")
    return f"![{title}: the sheet {sheet_name(template, key)}]({folder}/{template}-{key}.png)"


def gallery() -> str:
    """All templates."""
    return page(*(block for each in TEMPLATES.values() for block in _blocks(each))).strip()


def _blocks(template: Template) -> Iterator[str]:
    say = texts("en")
    yield f"## {template.name}"
    yield template.summary()
    yield "\n".join(f"{i}. {say(f'{template.name}.step_{i}')}" for i in range(1, 6))
    sizes = [
        f"`--{what} {least}` to `{most}` ({usual} if omitted)"
        for what, bounds in (("players", template.players), ("rounds", template.rounds))
        if bounds
        for least, usual, most in [bounds]
    ]
    if sizes:
        yield "Size: " + ", ".join(sizes) + "."
    yield code(f"elo-xl new {template.name} --sample -o {template.name}-sample.xlsx")
    for key in SHOWN[template.name]:
        yield picture(template.name, key)
