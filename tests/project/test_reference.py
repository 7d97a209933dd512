"""The reference of Python: every public name has a group, and a docstring that says all of it."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Final

import pytest

import elo_xl
from docs_build.docstrings import Docstring
from docs_build.reference_page import groups, pages, public
from elo_xl.engine.systems import System

NAMES: Final = [name for names in groups().values() for name in names]


def called() -> Iterator[tuple[str, Callable[..., object]]]:
    """The public functions and systems, which somebody calls with arguments."""
    for name in NAMES:
        thing = public(name)
        if inspect.isfunction(thing) or (inspect.isclass(thing) and issubclass(thing, System)):
            yield name, thing
    yield "System.carry", System.carry


CALLED: Final = [pytest.param(thing, id=name) for name, thing in called()]


def test_every_public_name_is_in_one_group() -> None:
    expected = sorted({*elo_xl.__all__} - {"__version__"})
    assert expected == sorted(name.partition(".")[0] for name in NAMES)


@pytest.mark.parametrize("thing", CALLED)
def test_a_docstring_has_an_example_and_a_line_for_each_parameter(
    thing: Callable[..., object],
) -> None:
    about = Docstring.of(thing)
    assert ">>> " in about.above
    parameters = [name for name in inspect.signature(thing).parameters if name != "self"]
    if len(parameters) > 1:
        assert parameters == about.parameters()
        assert inspect.isclass(thing) or "Returns" in about.sections
    lines = about.entries("Args")
    assert [] == [line.names for line in lines if not (line.kind and line.text)]


def test_no_attribute_is_without_a_word() -> None:
    made = {name: make() for name, make in pages().items()}
    rows = re.findall(r"^\| (`.+`) \| (.*) \|$", "\n".join(made.values()), flags=re.MULTILINE)
    assert len(rows) > 100
    assert [] == [name for name, told in rows if not told]
    classes = {name for name in NAMES if inspect.isclass(public(name))}
    assert {f"reference/{name}.md" for name in classes} == made.keys() - {"reference.md"}
    assert len(classes) == sum("**See also**" in page for page in made.values())
