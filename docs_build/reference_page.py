"""The page of all public names of ``import elo_xl``, made from their docstrings.

The groups are those of the docstring of :mod:`elo_xl`. A public class has a page of its own. What
else a function gives is shown with it: the attributes and methods of its class, and of the classes
of these.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, partial, reduce
from textwrap import fill
from types import FunctionType, ModuleType
from typing import Any, Final

from sphinx.pycode import ModuleAnalyzer

import elo_xl
from docs_build.docstrings import Docstring
from docs_build.markdown import code, from_docstring, page, simple_table, slug, table
from elo_xl.engine import quality

_INTRODUCTION: Final = """\
Every public name of `import elo_xl as elo`, with its docstring, which editors show, too.

**The curve is the normal one**, Elo's own. Most packages for Python use `1/(1 + 10^(-d/400))`,
which is `model="logistic"` here. [For data people](for-data-people.md) says what else surprises,
and shows everything by example.

Where it says *column*, a list, an array, a Series of pandas or Polars or a column of Arrow goes in,
and what comes out is of its kind. A *table* is a data frame, a dict of columns or a list of rows.
None and NaN are blanks, and what depends on them is blank.

```python
>>> import elo_xl as elo
>>> round(elo.expected(1834, 2179), 4), round(elo.expected(1834, 2179, model="logistic"), 4)
(0.1113, 0.1207)

```"""

_WIDE: Final = 76
_ROLE: Final = re.compile(r":(?:func|class|data):`(~?)([\w.]+)`")


def groups() -> dict[str, list[str]]:
    """The public names by what they are for."""
    blocks = (elo_xl.__doc__ or "").split("\n\n")
    [lines] = [block.splitlines() for block in blocks if block.startswith("===")]
    _, rows = simple_table(lines)
    return {
        what: [name for listed in re.findall("``(.+?)``", names) for name in listed.split(", ")]
        for what, names in rows
    }


def public(name: str) -> Any:
    """What a public name stands for."""
    return reduce(getattr, name.split("."), elo_xl)


def pages() -> dict[str, Callable[[], str]]:
    """What makes the pages, by their files: one of all names, and one of each class."""
    classes = [name for names in groups().values() for name in names if _is_class(name)]
    made = {f"reference/{name}.md": partial(_page, name) for name in classes}
    return {"reference.md": text, **made}


def text() -> str:
    """The page of all names, with what functions do."""
    shown = _for_readers_of_code()
    return page(
        "# Reference of Python",
        _INTRODUCTION,
        *(block for what, names in groups().items() for block in _group(what, names, shown)),
        "```{toctree}\n:hidden:\n:glob:\n\nreference/*\n```",
    ).replace("](reference.md#", "](#")


def _page(name: str) -> str:
    """The page of a class."""
    blocks = page(*_entry(name, _for_readers_of_code()), _see_also(name))
    if ">>> " in blocks and ">>> import elo_xl as elo" not in blocks:
        blocks = blocks.replace(">>> ", ">>> import elo_xl as elo\n>>> ", 1)
    text = page(f"# class elo.{name}", blocks.strip()).replace("\n#### ", "\n## ")
    return text.replace("](reference.md", "](../reference.md").replace("](reference/", "](")


def _for_readers_of_code() -> set[object]:
    """Games by the numbers of players: `rate` takes tables."""
    return {elo_xl.System.carry, elo_xl.Elo.carry_sides}


def _group(what: str, names: list[str], shown: set[object]) -> Iterator[str]:
    entries = {x: page(*_entry(x, shown)).strip() for x in names if not _is_class(x)}
    longer = [name for name, entry in entries.items() if "\n\n" in entry]
    yield f"## {what[0].upper()}{what[1:]}"
    rows = []
    for name in names:
        first = _prose(_about(name).above).partition("\n\n")[0]
        linked = name in longer or name not in entries
        rows.append([_link(name) if linked else f"`elo.{name}`", _line(first)])
    yield table(["name", "what it is"], rows)
    if "System" in names:
        yield _kept(names)
    for name in longer:
        yield from (f"### elo.{name}", entries[name])


def _is_class(name: str) -> bool:
    return inspect.isclass(public(name))


def _kept(names: list[str]) -> str:
    """What the result of each system has of players."""
    made = [name for name in names if hasattr(public(name), "keeps")]
    rows = [
        [_link(name), _code(x for x in public(name)().columns if x != "played")] for name in made
    ]
    return table(["system", "`rated.players` has, beside `name` and `played`"], rows)


def _see_also(name: str) -> str:
    """What takes or gives a class, what it gives, its bases and what is based on it."""
    others = [other for names in groups().values() for other in names if other != name]
    own = {name, *_bases(name)}
    near = [
        x for x in others if own & _used(x) or x in _used(name) or x in own or name in _bases(x)
    ]
    return f"**See also** {', '.join(map(_link, near))}" if near else ""


def _bases(name: str) -> set[str]:
    above = public(name).__mro__[1:] if _is_class(name) else ()
    return {cls.__name__ for cls in above if cls.__module__ == "elo_xl"}


@cache
def _used(name: str) -> set[str]:
    """The classes that a function, or the methods of a class, take and give."""
    thing = public(name)
    methods = [x for _, x in inspect.getmembers(thing, inspect.isfunction) if _is_class(name)]
    given = [
        (str(annotation), _home(method))
        for method in methods or [thing] * inspect.isfunction(thing)
        if not method.__name__.startswith("_")
        for annotation in method.__annotations__.values()
    ]
    return {cls.__name__ for annotation, home in given for cls in _classes(annotation, home)}


def _about(name: str) -> Docstring:
    """The docstring; of what has none of its own, what stands below it in its module."""
    thing = public(name)
    if callable(thing):
        return Docstring.of(thing)
    home = _home(public(name), name)
    of = next(key for key, value in vars(home).items() if value is thing)
    return Docstring(_attribute_docs(home.__name__)["", of], {})


def _home(thing: Any, name: str = "") -> ModuleType:
    """The module of something: what is public says that it is of ``elo_xl``."""
    of = getattr(thing, "__module__", "elo_xl")
    own = vars(elo_xl)["_HOMES"].get(name or thing.__qualname__)
    return sys.modules[f"elo_xl.{own}" if of == "elo_xl" and own else of]


def _entry(name: str, shown: set[object]) -> Iterator[str]:
    """What stands below the heading of a name."""
    thing, about = public(name), _about(name)
    if inspect.isfunction(thing) or "Args" in about.sections:
        yield code(_signature(f"elo.{name}", thing))
    yield from _told(about, name)
    if inspect.isclass(thing):
        yield from _class(thing, shown)
    elif inspect.isfunction(thing):
        yield from _given(thing, shown)


def _told(about: Docstring, name: str = "") -> Iterator[str]:
    """A docstring."""
    yield _prose(_with_prefix(about.above, name))
    for section, told in about.sections.items():
        listed = [*about.entries(section)]
        if section == "Args":
            rows = [[_code(x.names), _line(_prose(f"*{x.kind}*. {x.text}"))] for x in listed]
            yield table(["parameters", ""], rows)
        elif section == "Returns":
            known = _link(about.result) if about.result in _names() else f"*{about.result}*"
            yield f"**Returns** {known}. {_prose(told)}"
        elif section == "Raises":
            words = "; ".join(f"{_code(x.names)} {_within(x.text)}" for x in listed)
            yield f"**Raises** {_prose(words)}."
        else:
            yield f"**{section}** {_line(_prose(told))}"


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _within(sentence: str) -> str:
    """A sentence such as *For a number below 0.* as a part of another one."""
    first = sentence[:1].lower() if sentence[1:2].islower() else sentence[:1]
    return first + sentence[1:].removesuffix(".")


def _class(cls: type, shown: set[object]) -> Iterator[str]:
    """The attributes and methods of a class, and those of the classes of its attributes."""
    shown.add(cls)
    rows: list[list[str]] = []
    longer = []
    # what a public class has is on its own page
    elsewhere = {above for base in cls.__mro__[1:] if base.__module__ == "elo_xl"
                 for above in base.__mro__}  # fmt: skip
    bases = [base for base in cls.__mro__ if base.__module__.startswith("elo_xl")]
    for base in reversed([base for base in bases if base not in elsewhere]):
        docs = _attribute_docs(_home(base).__name__)
        fields = {key for owner, key in docs if owner == base.__name__} | _annotations(base).keys()
        for name in dict.fromkeys([*_annotations(base), *sorted(fields), *vars(base)]):
            value = vars(base).get(name)
            if name.startswith("_"):
                continue
            if not isinstance(value, FunctionType):
                if isinstance(value, property | cached_property):
                    rows.append([f"`{name}`", _line(_prose(value.__doc__ or ""))])
                elif name in fields:
                    rows.append([f"`{name}`", _line(_prose(docs.get((base.__name__, name), "")))])
            elif Docstring.of(value).sections:
                longer.append((base, value))
            elif value.__doc__:
                rows.append([f"`{_signature(name, value)}`", _line(_prose(_above(value)))])
    if cls.__name__ not in elo_xl.__all__:
        yield f"**{cls.__name__}**: {_prose(_above(cls))}"
    if rows and "Args" not in Docstring.of(cls).sections:
        yield table([f"`{cls.__name__}` has", ""], rows)
    for base, method in longer:
        if method not in shown:
            shown.add(method)
            yield f"#### {base.__name__}.{method.__name__}"
            yield code(_signature(method.__name__, method))
            yield from _told(Docstring.of(method))
            yield from _given(method, shown)
    # what lies deeper in other rooms, and the clauses of a rulebook, is for those who read the code
    for annotation in () if cls is elo_xl.Rulebook else _annotations(cls).values():
        for other in _classes(annotation, _home(cls)):
            if {other, other.__name__}.isdisjoint({*shown, *elo_xl.__all__}) and _home(other) in (
                _home(cls),
                quality,
            ):
                yield from _class(other, shown)


def _annotations(cls: type) -> dict[str, str]:
    """The annotations of a class itself, which a named tuple has wrapped."""
    own = vars(cls).get("__annotations__", {})
    return {name: getattr(of, "__forward_arg__", of) for name, of in own.items()}


def _above(thing: object) -> str:
    """What stands above the sections of a docstring, without the example."""
    blocks = Docstring.of(thing).above.split("\n\n")
    return "\n\n".join(block for block in blocks if not block.startswith(">>>"))


def _given(function: Callable[..., object], shown: set[object]) -> Iterator[str]:
    """The class of what a function gives."""
    returns = function.__annotations__.get("return", "")
    for cls in _classes(returns, _home(function)):
        if cls not in shown and cls.__name__ not in elo_xl.__all__:
            yield from _class(cls, shown)


def _classes(annotation: str, module: ModuleType) -> Iterator[type]:
    """The classes of this project that an annotation names."""
    for name in re.findall(r"[A-Za-z_][\w.]*", annotation):
        first, *rest = name.split(".")
        found = reduce(lambda of, key: getattr(of, key, None), rest, vars(module).get(first))
        if inspect.isclass(found) and found.__module__.startswith("elo_xl"):
            yield found


def _signature(name: str, function: Callable[..., object]) -> str:
    """The implementation's signature without types, which the parameters tell in words."""

    def default(value: object) -> str:
        if isinstance(value, str):
            return json.dumps(value)
        if isinstance(value, float):
            return f"{value:g}"
        if inspect.isclass(value):
            return value.__name__
        plain = value is None or isinstance(value, bool | int | tuple)
        return repr(value) if plain else f"{type(value).__name__}()"

    words, before = [], None
    for given in inspect.signature(function).parameters.values():
        if given.name == "self":
            continue
        if given.kind == given.KEYWORD_ONLY and before not in (given.kind, given.VAR_POSITIONAL):
            words.append("*")
        before = given.kind
        star = "*" if given.kind == given.VAR_POSITIONAL else ""
        usual = "" if given.default is given.empty else f"={default(given.default)}"
        words.append(f"{star}{given.name}{usual}")
    line = f"{name}({', '.join(words)})"
    return fill(line, _WIDE, subsequent_indent="    ", break_on_hyphens=False)


@cache
def _names() -> dict[str, str]:
    """How the names in examples are typed outside of their modules."""
    names = [name for group in groups().values() for name in group if "." not in name]
    return {name: f"elo.{name}" for name in names}


def _with_prefix(text: str, own: str) -> str:
    """Examples with ``elo.`` before public names that are called."""
    names = _names() | ({own.rpartition(".")[2]: f"elo.{own}"} if own else {})
    called = re.compile(rf"(?<![\w.])(?<!def )({'|'.join(names)})(?=\()")
    return re.sub(
        r"^(?:>>>|\.\.\.) .*",
        lambda line: called.sub(lambda found: names[found[1]], line[0]),
        text,
        flags=re.MULTILINE,
    )


def _link(name: str) -> str:
    """To what the reference says of a name, as from a page beside it."""
    page = f"reference/{name}.md" if _is_class(name) else "reference.md"
    return f"[`elo.{name}`]({page}{'' if '/' in page else '#' + slug(f'elo.{name}')})"


def _prose(text: str) -> str:
    """A docstring as Markdown, in which names of other functions lead to them."""

    def linked(found: re.Match[str]) -> str:
        name = found[2].removeprefix("elo_xl.")
        if name in _names():
            return _link(name)
        return f"`{name.rpartition('.')[2]}`" if found[1] else found[0]

    return from_docstring(_ROLE.sub(linked, inspect.cleandoc(text)))


def _line(text: str) -> str:
    """A text for a cell of a table."""
    return " ".join(text.split())


@cache
def _attribute_docs(module: str) -> dict[tuple[str, str], str]:
    """The texts below the attributes of a module's classes, by class and attribute."""
    docs = ModuleAnalyzer.for_module(module).find_attr_docs()
    return {key: "\n".join(lines) for key, lines in docs.items()}
