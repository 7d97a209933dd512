"""The workbooks that ``elo-xl new`` makes: a card each, and a section each with its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from docs_build.markdown import code, page, slug, table
from elo_xl.books.texts import texts
from elo_xl.languages import ENGLISH
from elo_xl.templates.gallery import TEMPLATES, Template, declared, options, ready_made


@cache
def shown_of(template: str) -> tuple[str, ...]:
    """The keys of the sheets that the pictures show, first that of the card: those that the book
    names, or those for the wall."""
    book = declared(template, options(template))
    walls = (s.key for s in book.sheets.values() if s.set_up.wall and s.set_up.tab != "help")
    return book.commands.pictures or tuple(walls)


COMMONEST: Final = "round-robin", "swiss", "rating-period", "ladder", "doubles"
"""What the README shows of all templates."""
MISTAKEN: Final = "rating-period"
GUIDE: Final[dict[str, tuple[int, int | None, tuple[str, ...]]]] = {
    "round-robin": (8, None, ("start", "entry", "standings")),
    MISTAKEN: (10, 14, ("games",)),
}
"""What the pages for organizers show in every language: players and rounds of a small book, and
the keys of its sheets; one book is shown with mistakes."""

FOLDER: Final = "_static/workbooks"
BOOKS: Final = "../workbooks"
ACROSS: Final = 3
"""cards side by side where a page is shown without the site's style"""


def sheet_name(template: str, key: str, language: str = ENGLISH) -> str:
    """The name of a sheet."""
    by_key = texts(language).by_key()
    return by_key.get(f"{template}.sheet_{key}") or by_key[f"form.sheet_{key}"]


def picture(template: str, key: str, folder: str = FOLDER) -> str:
    """A picture of a sheet as Markdown."""
    title = texts("en")(f"{template}.title")
    return f"![{title}: the sheet {sheet_name(template, key)}]({folder}/{template}-{key}.png)"


def gallery() -> str:
    """A card for each template: a picture, what it is for, and where to have it."""
    cards = [_card(template) for template in TEMPLATES.values()]
    rows = [cards[i : i + ACROSS] for i in range(0, len(cards), ACROSS)]
    return page('<div class="gallery">', table([""] * ACROSS, rows), "</div>").strip()


def _card(template: Template) -> str:
    title = texts("en")(f"{template.name}.title")
    section = f"#{slug(title)}"
    if template.room is None:
        links = [f"[How to get it]({template.name}.md)"]
    else:
        files = {"Empty": f"{template.name}.xlsx", "Filled in": f"{template.name}-sample.xlsx"}
        ready = {name for name, _ in ready_made()}
        links = [f"[{words}]({BOOKS}/{name})" for words, name in files.items() if name in ready]
    shown = f"[{picture(template.name, shown_of(template.name)[0])}]({section})"
    lines = shown, f"**[{title}]({section})**", template.summary(), " · ".join(links)
    return "<br>".join(lines)


def room_for(template: Template, *room: int | None) -> str:
    """How much the ready-made file of a template holds, by default the large one; empty if it has
    no size, or is none."""
    if template.room is None:
        return ""
    bounds = zip(room or template.room, (template.players, template.rounds), strict=True)
    sizes = [number or (usual and usual[1]) for number, usual in bounds]
    counted = zip(sizes, template.units, strict=True)
    return ", ".join(f"{number} {what}" for number, what in counted if number and what)


def sections() -> str:
    """A section for each template."""
    return page(*(block for each in TEMPLATES.values() for block in _blocks(each))).strip()


def _blocks(template: Template) -> Iterator[str]:
    say = texts("en")
    yield f"### {say(f'{template.name}.title')}"
    yield template.summary()
    yield "\n".join(f"{i}. {say(f'{template.name}.step_{i}')}" for i in range(1, 6))
    if room := room_for(template):
        yield f"`{template.name}.xlsx` has room for {room}."
    sizes = [
        f"`--{what} {least}` to `{most}` ({usual} if omitted)"
        for what, bounds in (("players", template.players), ("rounds", template.rounds))
        if bounds
        for least, usual, most in [bounds]
    ]
    if sizes:
        said = "With the command: " + ", ".join(sizes) + "."
        if template.cycles:
            said += " `--rounds` is how often everybody meets everybody."
        yield said
    yield code(f"elo-xl new {template.name} --sample -o {template.name}-sample.xlsx")
    for key in shown_of(template.name):
        yield picture(template.name, key)
