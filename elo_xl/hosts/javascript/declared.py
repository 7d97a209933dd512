"""What the add-ins in JavaScript declare of each function, in a language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from elo_xl.addresses import PUBLISHED, page
from elo_xl.functions.catalogue import find
from elo_xl.functions.cells import Result, to_formula
from elo_xl.hosts.javascript import names
from elo_xl.languages import ENGLISH, LANGUAGES, Words

ERRORS: Final = {
    "#VALUE!": Words("a text that is not a number, or an unknown option"),
    "#NUM!": Words("a number out of range, or an infinite result"),
    "#N/A": Words("ranges whose sizes do not fit together, or a player who is not there"),
}
"""What the errors mean that the functions themselves return."""


class Parameter(NamedTuple):
    """An argument, under a name that JavaScript takes, too."""

    name: str
    help: str
    optional: bool


class DeclaredFunction(NamedTuple):
    """A function: its texts in one language, and an example as Excel has it in every language."""

    name: str
    help: str
    parameters: tuple[Parameter, ...]
    example: str
    result: Result

    @property
    def page(self) -> str | None:
        """Where everything about it stands on the web, once it does."""
        return page(f"functions/{self.name}") if PUBLISHED else None

    @property
    def names(self) -> str:
        """The names of its arguments, as a function in JavaScript lists them."""
        return ", ".join(parameter.name for parameter in self.parameters)

    def comment(self, kind: str, *tags: str) -> str:
        """The comment above the function, which both programs read; ``kind`` is the type of all
        arguments there."""
        lines = [self.help, ""]
        for name, help_, optional in self.parameters:
            lines.append(f"@param {{{kind}}} {f'[{name}]' if optional else name} {help_}")
        lines += [f"@return {{{kind}}}", *tags, "@customfunction"]
        return "\n".join(["/**", *(f" * {line}".rstrip() for line in lines), " */"])


def declared(language: str = ENGLISH) -> Iterator[DeclaredFunction]:
    """All functions that run in JavaScript."""
    words = LANGUAGES[language]
    for function in map(find, names()):
        example = function.examples[0]
        yield DeclaredFunction(
            function.name,
            words.texts.get(function.help, function.help),
            tuple(
                Parameter(
                    words.arguments.get(argument.name, argument.name),
                    words.texts.get(argument.help, argument.help),
                    not argument.required,
                )
                for argument in function.arguments
            ),
            to_formula(function.name, example.arguments),
            example.result,
        )


def meanings(language: str) -> dict[str, str]:
    """What the errors mean, in a language."""
    return {error: words.say(language) for error, words in ERRORS.items()}
