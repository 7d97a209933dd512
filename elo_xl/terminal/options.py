"""Options of a command that belong together come as one object; what options of commands mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from datetime import date
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from elo_xl.addresses import MOST_LETTERS, is_address
from elo_xl.english import meant
from elo_xl.languages import CODES, ENGLISH, code_of
from elo_xl.terminal.console import answering, quietly

if TYPE_CHECKING:
    from elo_xl.engine.rulebooks import Rulebook

    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # click 8.1 has no kinds of it


Option = Callable[[Callable[..., object]], Callable[..., object]]
"""What gives a command an option, or several."""


def known_model(_: click.Context, __: click.Parameter, model: str | None) -> str | None:
    """The callback of an option that names a curve, perhaps with a scale; a usage error for any
    other."""
    from elo_xl.engine.errors import EloError
    from elo_xl.engine.models import read_model

    try:
        read_model(model or "normal")
    except EloError as wrong:
        raise click.BadParameter(str(wrong)) from None
    return model


def gather(name: str, kind: type[object], *options: Option) -> Option:
    """Give a command the values of options as one object of a kind, in the argument ``name``.

    Gathered is what has the name of a field of ``kind``, from ``options`` and from whatever else
    the command takes; fields that the command has no option for have their defaults.

    >>> class Place:
    ...     row: int
    ...     def __init__(self, row: int = 1) -> None: self.row = row
    >>> @gather("at", Place)
    ... def show(what: str, at: Place) -> None: print(what, at.row)
    >>> show(what="here", row=7)
    here 7
    """

    def gathered(command: Callable[..., object]) -> Callable[..., object]:
        @wraps(command)
        def run(**values: object) -> object:
            fields = {key: values.pop(key) for key in kind.__annotations__ if key in values}
            return command(**{name: kind(**fields)}, **values)

        with_options: Callable[..., object] = run
        for option in reversed(options):
            with_options = option(with_options)
        return with_options

    return gathered


class Choice(_Choice):
    """One of some words, in any case; what is refused says which may be meant."""

    def __init__(self, choices: Iterable[str]) -> None:
        super().__init__(list(choices), case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as wrong:
            self.fail(wrong.message.removesuffix(".") + meant(str(value), self.choices), param, ctx)


class _LanguageChoice(Choice):
    """A language, by its code or its name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(code_of(str(value)) or value, param, ctx)


def language_of(
    what: str, otherwise: str = "", dest: str = "lang", also: Sequence[str] = (), **more: Any
) -> Option:
    """The option ``--lang``: the language of what a command writes, English if it is left out.

    ``dest`` is the name of the argument, ``also`` are other names of the option; ``otherwise`` says
    which language that is where it is not English, and the value is None then.
    ``elo_xl.cli.Commands`` gives the tables and lines of answers the same language.
    """
    default: dict[str, Any] = {} if otherwise else {"default": ENGLISH, "show_default": True}
    return click.option(
        "--lang",
        *also,
        dest,
        type=_LanguageChoice(CODES),
        help=f"Language of {what}{otherwise and f'; {otherwise} if omitted'}.",
        **default,
        **more,
    )


def address_of(
    what: str,
    page: str = "published page",
    schemes: tuple[str, ...] = ("https://", "http://"),
    **more: Any,
) -> Option:
    """The option ``--address``: where a page is on the web; ``what`` is done with it."""

    def checked(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
        if text and not is_address(text, schemes):
            raise click.BadParameter(
                f"{text!r}: type it as browsers show it, from https:// on, at most {MOST_LETTERS} "
                "characters"
            )
        return text

    return click.option(
        "--address", callback=checked, help=f"Address of the {page} on the web: {what}.", **more
    )


def with_common(command: click.Command) -> click.Command:
    """Give a command what all have: ``--json`` for what it tells, and ``--lang`` if it has none of
    its own."""
    there = {name for option in command.params for name in option.opts}
    if "--lang" not in there:
        language_of("what is printed", expose_value=False)(command)
    if "--json" not in there and command.callback is not None:
        shown = "Print JSON instead, with notes and warnings."
        click.option("--json", "as_json", is_flag=True, help=shown)(command)
        click.option("--quiet", is_flag=True, help="Print errors only.")(command)
        command.callback = _answering(command.callback)
        make_parser = command.make_parser
        command.make_parser = lambda ctx: _once(make_parser(ctx), ctx)  # type: ignore[method-assign]
    return command


def _once(parser: Any, ctx: click.Context) -> Any:
    """A parser that refuses a second value for an option that takes one; click drops the first."""
    parse = parser.parse_args

    def parse_args(args: list[str]) -> Any:
        values, rest, order = parse(args)
        for option, times in Counter(order).items():
            one = isinstance(option, click.Option) and not (
                option.is_flag or option.multiple or option.count
            )
            if one and times > 1:
                raise click.UsageError(f"{option.opts[0]} is there {times} times", ctx)
        return values, rest, order

    parser.parse_args = parse_args
    return parser


def _answering(callback: Callable[..., object]) -> Callable[..., object]:
    @wraps(callback)
    def run(*, as_json: bool, quiet: bool, **values: object) -> object:
        from elo_xl.xlsx.files import STANDARD, to_standard_output

        silence = quietly(answer=as_json) if quiet else nullcontext()
        outputs = values.get("outputs") or (values.get("output"), values.get("target"))
        standard = isinstance(outputs, tuple) and STANDARD in outputs
        if standard and as_json:
            raise click.UsageError("--json and -o - exclude each other: both are standard output")
        piped = to_standard_output() if standard else nullcontext()
        with piped, silence, answering() if as_json else nullcontext():
            return callback(**values)

    return run


def day_of(text: str) -> date:
    """The day that an option gives, written as 2026-12-31."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        wrong = f"a day is written as 2026-12-31, got {text!r}"
        raise click.BadParameter(wrong) from None


def lists_begun(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The lists whose names begin like this, for a shell that completes them."""
    from elo_xl.lists import store

    there = store.lists()
    names = dict.fromkeys((*(one.name for one in there), *map(str, there), store.EXAMPLE))
    return [name for name in names if name.startswith(begun.lower())]


def chosen_rules(_: click.Context, __: click.Parameter, text: str | None) -> Rulebook | None:
    """The rulebook of a name, or of a path that ends in ``.toml``."""
    from elo_xl.engine.errors import OptionError
    from elo_xl.engine.rulebooks import own, rulebook

    if not text:
        return None
    try:
        return rulebook(Path(text) if text.lower().endswith(own.ENDING) else text)
    except OptionError as wrong:
        raise click.BadParameter(str(wrong)) from None


def kept_rules(context: click.Context, option: click.Parameter, text: str | None) -> str:
    """The name of a rulebook as a book keeps it, which keeps no path."""
    from elo_xl.engine.rulebooks import own

    book = chosen_rules(context, option, text)
    if book is not None and book.name.lower().endswith(own.ENDING):
        name = Path(book.name).stem
        raise click.BadParameter(
            f"the book keeps the name of a rulebook, not its path: put {book.name} into "
            f"{own.folder()} and say --rules {name}"
        )
    return "" if book is None else book.name
