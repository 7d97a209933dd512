"""Parts of hand-written pages that are made, between two marks:

<!-- made: limits -->
…
<!-- end of limits -->
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import click

from docs_build.gallery_part import COMMONEST, gallery, room_for, sections
from docs_build.libreoffice_limits import LIMITS
from docs_build.markdown import code, from_docstring, page, slug, table
from docs_build.native_part import native_row
from elo_xl.books.front import guide
from elo_xl.books.texts import texts
from elo_xl.cli import COMMANDS, cli
from elo_xl.engine import models
from elo_xl.events import pgn, tables, trf
from elo_xl.events.programs import programs
from elo_xl.functions.catalogue import functions
from elo_xl.languages import CODES, ENGLISH, LANGUAGES
from elo_xl.templates.gallery import TEMPLATES

DOCS: Final = Path(__file__).parents[1] / "docs"
MARK: Final = "<!-- made: "
_PART: Final = re.compile(r"<!-- made: (\w+) -->\n.*?<!-- end of \1 -->", re.DOTALL)


def filled(text: str, place: str) -> str:
    """A page of this place with its parts made again; KeyError for one that is not known."""

    def renewed(found: re.Match[str]) -> str:
        name = found[1]
        made = languages(place) if name == languages.__name__ else _PARTS[name]()
        return f"<!-- made: {name} -->\n\n{made}\n\n<!-- end of {name} -->"

    return _PART.sub(renewed, text)


def languages(place: str) -> str:
    """The pages for organizers in all languages, except the page that it stands on."""
    guides = {code: f"{guide(code)}.md" for code in CODES}
    here = posixpath.dirname(posixpath.normpath(f"/docs/{place}"))
    return " · ".join(
        f"[{LANGUAGES[code].name}]({posixpath.relpath(f'/docs/{guide}', here)})"
        for code, guide in guides.items()
        if guide != place
    )


def function_list(folder: str = "") -> str:
    """All functions by family."""

    def blocks() -> Iterator[str]:
        for family, members in groupby(functions().values(), key=lambda f: f.family):
            yield f"### {family}"
            rows = [[f"[{f.name}]({folder}{f.name}.md)", f.help] for f in members]
            yield table(["function", "what it gives"], rows)

    return page(*blocks()).strip()


def function_tree() -> str:
    """The pages of the functions, for the site's navigation."""
    return code("\n".join([":hidden:", "", *functions()]), "{toctree}")


def limits() -> str:
    """What LibreOffice itself makes impossible."""
    rows = [[f"**{limit.key}**", limit.here, limit.instead] for limit in LIMITS]
    return table(["", "what is different", "what to do"], rows)


def native_forms() -> str:
    """Which functions have which native form."""
    return table(
        ["function", "LAMBDA", "built-in functions"], map(native_row, functions().values())
    )


def templates() -> str:
    """The commonest workbooks, to download."""
    say = texts(ENGLISH)
    rows = [
        [
            f"[{say(f'{name}.title')}](workbooks/{name}.xlsx)",
            TEMPLATES[name].summary(),
            f"[filled in](workbooks/{name}-sample.xlsx)",
        ]
        for name in COMMONEST
    ]
    return table(["book", "what it is for", "an example"], rows)


def ready() -> str:
    """The ready-made workbooks of the source."""
    rows = [
        [f"[{name}.xlsx]({name}.xlsx)", template.summary(), room_for(template, *room)]
        for each, template in TEMPLATES.items()
        if template.room is not None
        for name, *room in (
            (each, *template.room),
            *((f"{each}-{near}", near, template.sizes[near]) for near in template.beside),
        )
    ]
    return table(["file", "what it is for", "room for"], rows)


def example_book() -> str:
    """The example of a book of one's own."""
    path = DOCS.parent / "examples" / "table-tennis.book"
    return code(path.read_text(encoding="utf-8").strip(), "text")


def commands() -> str:
    """Every command with its arguments and options, in the groups of ``elo-xl --help``."""

    def blocks(command: click.Command, path: str, level: int = 3) -> Iterator[str]:
        context = click.Context(command, info_name=path)
        yield f"{'#' * level} {path}"
        if isinstance(command, click.Group):
            yield _unwrapped(command.help)
            for name in command.commands:
                sub = command.get_command(context, name)
                assert sub is not None
                yield from blocks(sub, f"{path} {name}", level + 1)
            return
        yield code(f"{path} {' '.join(command.collect_usage_pieces(context))}")
        yield _unwrapped(command.help)
        options = [p for p in command.params if isinstance(p, click.Option)]
        records = [(option, option.get_help_record(context)) for option in options]
        rows = [[_called(option, r[0]), r[1]] for option, r in records if r]
        if rows:
            yield table(["option", "what it does"], rows)

    def groups() -> Iterator[str]:
        for heading, lines in COMMANDS.items():
            yield f"## {heading}"
            paths = {name: f"elo-xl {name}" for name in lines}
            rows = [[f"[{p}](#{slug(p)})", lines[name][1]] for name, p in paths.items()]
            yield table(["command", "what it does"], rows)
            for name, path in paths.items():
                command = cli.get_command(click.Context(cli), name)
                assert command is not None
                yield from blocks(command, path)

    return page(*groups()).strip()


def _called(option: click.Option, line: str) -> str:
    """How an option is typed; its choices may stand one below the other on a phone."""
    if not isinstance(option.type, click.Choice):
        return f"`{line}`"
    choices = ", ".join(f"`{choice}`" for choice in option.type.choices)
    return f"`{line.partition(' [')[0]}` {choices}"


def _unwrapped(text: str | None) -> str:
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


_PARTS: Final[dict[str, Callable[[], str]]] = {
    "functions": function_list,
    "all_functions": lambda: function_list("functions/"),
    "function_tree": function_tree,
    "limits": limits,
    "native_forms": native_forms,
    "templates": templates,
    "ready": ready,
    "gallery": gallery,
    "sections": sections,
    "commands": commands,
    "example_book": example_book,
    "models": lambda: from_docstring(models.__doc__ or ""),
    "trf": lambda: from_docstring(trf.__doc__ or ""),
    "pgn": lambda: from_docstring(pgn.__doc__ or ""),
    "tables": lambda: from_docstring(tables.__doc__ or ""),
    "programs": lambda: "\n".join(
        f"- **{program['name']}**: {program['reads']}" for program in programs().values()
    ),
}
