"""Classes by rating: appendix I of Benítez and Roca, and FIDE's titles beside them."""

from __future__ import annotations

from typing import Final

from elo_xl.functions.class_names import CLASS_NAMES
from elo_xl.templates.explained.expected_score import RATING
from elo_xl.templates.explained.page import Explained, Input, Page
from elo_xl.templates.forms import block, mark, quoted
from elo_xl.templates.parts import WHOLE, Column, Formula

APPENDIX: Final = (
    (1000, 1399, "Principiante"),
    (1400, 1599, "Aficionado"),
    (1600, 1799, "Jugador medio de club"),
    (1800, 1999, "Jugador fuerte de club"),
    (2000, 2299, "Candidato a maestro"),
    (2300, 2399, "Maestro nacional"),
    (2400, 2499, "Maestro internacional"),
    (2500, None, "Gran maestro"),
)
"""As printed: from, to, and the name of the group."""

TITLES: Final = {
    "cm": 2200, "fm": 2300, "im": 2400, "gm": 2500,
    "wcm": 2000, "wfm": 2100, "wim": 2200, "wgm": 2300,
}  # fmt: skip
"""The rating that each of FIDE's titles asks for; the last two of either kind ask for norms too."""


def write(book: Explained) -> None:
    """The sheet *Classes by rating*."""
    page = book.page("classes")
    page.section("try")
    (rating,) = page.inputs(Input("rating", 1834, *RATING, WHOLE))
    page.live("line_class", "ELO_CLASS", rating, book.form.options.language)
    _appendix(page)
    _titles(page)
    page.finish()


def _appendix(page: Page) -> None:
    """The table as printed, in Spanish, and what the function gives at both ends of each class."""
    page.section("printed")
    page.text("about_appendix")
    say, sheet = page.say, page.sheet
    language = page.form.options.language
    keys = ("printed", "class_from", "class_to", "verdict")
    table = page.table(
        [
            Column("class_group", say("column_class_here"), align="left", role="strong"),
            Column("from", say("column_from"), WHOLE),
            Column("to", say("column_to"), WHOLE),
            *(Column(key, say(f"column_{key}"), align="left") for key in keys),
        ],
        len(APPENDIX),
    )
    for i, (low, high, name) in enumerate(APPENDIX):
        table.write(i, {"from": low, "to": high})
        sheet.write(table.first + i, table.columns["printed"][0], name, "quiet", align="left")
    group = block(table, "class_group")
    calls = (
        (group, "from", language),
        (block(table, "class_from"), "from", "es"),
        (block(table, "class_to"), "to", "es"),
    )
    for target, given_, spoken in calls:
        page.form.call(target, "ELO_CLASS", block(table, given_), spoken, align="left")
    for i, (_, high, name) in enumerate(APPENDIX):
        cell = {key: table.cell(key, i) for key in ("printed", "class_from", "class_to")}
        tests = [f"{cell['class_from']}={cell['printed']}"]
        good = CLASS_NAMES["es"][i] == name
        if high is not None:
            tests.append(f"{cell['class_to']}={cell['printed']}")
        verdicts = [say("agrees"), say("misprint")]
        text = f"=IF(AND({','.join(tests)}),{quoted(verdicts[0])},{quoted(verdicts[1])})"
        found = Formula(text, verdicts[0] if good else verdicts[1])
        sheet.write(table.first + i, table.columns["verdict"][0], found, align="left")
    cells = block(table, "verdict")
    mark(cells, f"{cells.at(0, 0).text(sheet)}={quoted(say('misprint'))}")


def _titles(page: Page) -> None:
    """What FIDE asks for, and the class that the appendix gives this rating."""
    page.section("titles")
    page.text("about_titles")
    say = page.say
    table = page.table(
        [
            Column("title", say("column_title"), align="left", role="strong"),
            Column("least", say("column_least"), WHOLE),
            Column("class_least", say("column_class_least"), align="left"),
        ],
        len(TITLES),
    )
    for i, (key, rating) in enumerate(TITLES.items()):
        table.write(i, {"title": say(f"title_{key}"), "least": rating})
    page.form.call(
        block(table, "class_least"),
        "ELO_CLASS",
        block(table, "least"),
        page.form.options.language,
        align="left",
    )
