"""The templates by name, and how a workbook is made of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Final, Protocol, cast

from elo_xl.books.book import Book, Content, Options
from elo_xl.books.book_file import SUFFIX, BookText, Size
from elo_xl.books.flavours import FLAVOURS
from elo_xl.books.texts import languages, texts
from elo_xl.engine.errors import DomainError, OptionError, choose
from elo_xl.engine.rulebooks import RULEBOOKS, rulebook
from elo_xl.languages import ENGLISH


class TemplateModule(Protocol):
    """What the module of a template has."""

    def build(self, book: Book) -> None:
        """Declare all sheets of a book."""

    def sample(self, options: Options) -> Content:
        """What is typed into the book that shows itself filled in."""


@dataclass(frozen=True, slots=True)
class Template:
    """A workbook that ``elo-xl new`` makes.

    Its module is one of :class:`TemplateModule`, unless it is a text: then nothing else has to know
    of it, see :func:`_text`.
    """

    name: str
    players: tuple[int, int, int] | None = None
    """least, usual and most; None where the number does not matter"""
    rounds: tuple[int, int, int] | None = None
    rules: bool = True
    """whether a rulebook plays a part in it"""
    room: tuple[int | None, int | None] | None = (None, None)
    """Players and rounds of the ready-made file, which somebody has who has no command to make a
    larger one: as large as nearly everybody needs, and quick to open. None: there is no such file,
    because the book is of no use without the commands."""
    sizes: Mapping[int, int | None] = field(default_factory=dict)
    """Further ready-made files: players, and the rounds for so many. LibreOffice prints a row for
    everybody for whom there is room, so a book near the field has no empty pages."""
    beside: tuple[int, ...] = ()
    """those of them that lie beside the ready-made file, as that one does not suit a small event:
    in a Swiss of 200 the second round begins in row 114"""
    filled: tuple[int | None, int | None] = (None, None)
    """Players and rounds of the book with an invented event, where the usual ones leave pages of it
    empty."""
    cycles: bool = False
    """whether its rounds are cycles, each with a game of everybody against everybody"""
    units: tuple[str, str] = ("players", "rounds")
    """what the two numbers of its size count"""
    text: BookText | None = None

    @property
    def module(self) -> TemplateModule:
        """The module or the text that declares it."""
        if self.text is not None:
            return _FromText(self.text)
        module = import_module(f"elo_xl.templates.{self.name.replace('-', '_')}")
        return cast("TemplateModule", module)

    @property
    def languages(self) -> list[str]:
        """The languages in which it is there."""
        return languages(self.name)

    def say(self, key: str, language: str = ENGLISH) -> str:
        """A text of it, in English where it is not there in a language."""
        return texts(language if language in self.languages else ENGLISH)(f"{self.name}.{key}")

    def summary(self, language: str = ENGLISH) -> str:
        """One line on what it is for."""
        return self.say("purpose", language)


@dataclass(frozen=True, slots=True)
class _FromText:
    """A text, where a module is expected."""

    text: BookText

    def build(self, book: Book) -> None:
        self.text.declare(book, rules=bool(self.text.rules))

    def sample(self, options: Options) -> Content:
        return self.text.sample(options)


def _text(path: Path) -> Template:
    """The template that a file beside this one describes, as the person who copies it reads it."""
    text = BookText.of(path)
    sizes = [text.size(key) or Size(1, 1, 1) for key in ("players", "rounds")]
    large, *further = list(zip_longest(sizes[0].ready, sizes[1].ready)) or [(None, None)]
    return Template(
        path.stem,
        text.bounds("players"),
        text.bounds("rounds"),
        rules=bool(text.rules),
        room=large,
        sizes={near: far for near, far in further if near is not None},
        filled=(text.filled("players"), text.filled("rounds")),
        units=(sizes[0].unit or "players", sizes[1].unit or "rounds"),
        text=text,
    )


_TEXTS: Final = {path.stem: path for path in sorted(Path(__file__).parent.glob(f"*{SUFFIX}"))}

_ORDER: Final[tuple[str | Template, ...]] = (
    "rating-period",
    Template(
        "round-robin",
        players=(2, 10, 30),
        rounds=(1, 1, 4),
        room=(20, None),
        sizes={8: None, 12: None, 16: None},
        cycles=True,
        units=("players", ""),
    ),
    Template(
        "swiss",
        players=(4, 24, 200),
        rounds=(1, 7, 13),
        room=(200, 11),
        sizes={8: 7, 16: 7, 32: 9, 64: 11},
        beside=(16, 32, 64),
        filled=(20, None),
    ),
    "team-match",
    "rating-history",
    Template(
        "ladder",
        players=(2, 40, 200),
        rounds=(10, 200, 5000),
        rules=False,
        room=(60, 300),
        filled=(16, 160),
        units=("players", "games"),
    ),
    Template(
        "club",
        players=(2, 60, 500),
        rounds=(10, 150, 3000),
        rules=False,
        room=None,
        filled=(24, 20),
        units=("players", "games"),
    ),
    "match-odds",
    "k-and-first-rating",
    "bayes-chess",
    "bridge-pairs",
    "elo-explained",
)
"""The templates in the order in which they are shown, before all other texts. One that is a module
has its sizes here; a text has them itself."""

TEMPLATES: Final = {
    template.name: template
    for template in (
        _text(_TEXTS[each]) if isinstance(each, str) else each
        for each in (*_ORDER, *(name for name in _TEXTS if name not in _ORDER))
    )
}

_NO_NUMBER: Final = {
    "players": "{template} has no number of players",
    "rounds": "{template} has no number of rounds",
}
_TAKES: Final = {
    "players": "{template} takes {least} to {most} players, got {number}",
    "rounds": "{template} takes {least} to {most} rounds, got {number}",
    "cycles": "{template} takes --rounds {least} to {most}, which is how often everybody meets "
    "everybody: got {number}",
}
"""What is said of a size that a template does not have, and of one that is out of its range."""


def options(
    template: str,
    *,
    functions: str = "formulas",
    language: str = "en",
    players: int | None = None,
    rounds: int | None = None,
    rules: str | Path = "fide",
    address: str = "",
    filled: bool = False,
) -> Options:
    """Checked options for a template; ``filled``: its size is that of the invented event.

    Raises OptionError for an unknown name, and DomainError for a number out of range.
    """
    known = TEMPLATES[choose(template, TEMPLATES, "template")]
    if filled:
        players, rounds = (
            near if given is None else given
            for given, near in zip((players, rounds), known.filled, strict=True)
        )
    book = rulebook(rules)
    if book != rulebook("fide") and not known.rules:
        raise OptionError(f"{known.name} has no rules to choose")
    if book.difference.whole_event:
        raise OptionError(
            f"{book.name} cuts one game an event only, which no cell of a template can "
            "see: use elo-xl rate for such an event"
        )
    if known.rules and not book.linear:
        raise OptionError(f"the cells of a template cannot follow {book.name}: elo-xl rate can")
    if book.name not in RULEBOOKS and functions != "formulas":
        raise OptionError(f"only formulas of built-in functions can follow {book.name}")
    return Options(
        functions=choose(functions, FLAVOURS, "functions"),
        language=choose(language, known.languages, f"the language of {known.name}"),
        players=_within(players, known.players, known.name, "players"),
        rounds=_within(rounds, known.rounds, known.name, "cycles" if known.cycles else "rounds"),
        rules=book.name,
        address=address,
    )


def make(template: str, chosen: Options, content: Content | None = None) -> bytes:
    """The file of a template; ``content`` is what is typed into it, by default nothing."""
    return build(template, chosen, content).file()


def build(template: str, chosen: Options, content: Content | None = None) -> Book:
    """The book of a template, worked out; ``content`` is what is typed into it."""
    book = declared(template, chosen, content)
    book.finish()
    return book


def declared(template: str, chosen: Options, content: Content | None = None) -> Book:
    """The book of a template, not worked out yet."""
    book = Book(template, chosen, content)
    TEMPLATES[template].module.build(book)
    return book


def sample(template: str, chosen: Options) -> Content:
    """The invented content of a template."""
    return TEMPLATES[template].module.sample(chosen)


def _within(
    number: int | None, bounds: tuple[int, int, int] | None, template: str, what: str
) -> int:
    if bounds is None:
        if number is not None:
            raise OptionError(_NO_NUMBER[what].format(template=template))
        return 1
    least, usual, most = bounds
    if number is not None and (not least <= number <= most or number % 1):
        raise DomainError(
            _TAKES[what].format(template=template, least=least, most=most, number=number)
        )
    return usual if number is None else int(number)


def ready_made(
    language: str = ENGLISH, functions: str = "formulas"
) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Name and maker of every ready-made file: an empty book with room for a large event, some for
    smaller ones, and its sample if it has one."""
    for name, template in TEMPLATES.items():
        if template.room is None or language not in template.languages:
            continue
        usual = options(name, language=language, functions=functions)
        players, rounds = template.room
        large = replace(usual, players=players or usual.players, rounds=rounds or usual.rounds)
        yield f"{name}.xlsx", partial(make, name, large)
        for players in template.beside:
            near = replace(usual, players=players, rounds=template.sizes[players] or usual.rounds)
            yield f"{name}-{players}.xlsx", partial(make, name, near)
        near = options(name, language=language, functions=functions, filled=True)
        if content := sample(name, near):
            yield f"{name}-sample.xlsx", partial(make, name, near, content)


def further_sizes(language: str = ENGLISH) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Name and maker of the empty books for fewer players than the ready-made ones."""
    for name, template in TEMPLATES.items():
        for players, rounds in template.sizes.items():
            chosen = options(name, language=language, players=players, rounds=rounds)
            yield f"{name}-{players}.xlsx", partial(make, name, chosen)
