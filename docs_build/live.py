"""What computes on the site: cells on the page of each function, and the calculator.

They are forms in HTML, which Sphinx puts on its pages (``docs/conf.py``): where the Markdown is
read without the site, nothing of them is there. ``cells.js`` and ``calculator.js`` in
``docs/_static`` compute with the functions in JavaScript, the file ``elo.js`` of the site.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from docs_build import calculator
from docs_build.function_cells import fields
from elo_xl.functions.catalogue import functions
from elo_xl.hosts.javascript import missing

ELO_JS: Final = "elo.js"

_FORMS: Final = Environment(
    loader=PackageLoader("docs_build", ""),
    undefined=StrictUndefined,
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


class Live(NamedTuple):
    """What computes on a page."""

    form: str
    """in HTML"""
    script: str
    """what fills it; empty if the form is only a note"""


def live(page: str) -> Live | None:
    """What computes on a page of the site, if anything does.

    >>> live("functions/ELO_EXPECTED").script, live("es/calculator").script, live("pitfalls")
    ('cells.js', 'calculator.js', None)
    """
    folder, _, name = page.rpartition("/")
    if folder == "functions" and name in functions():
        function = functions()[name]
        why = missing().get(name, "")
        form = _form("cells", function=function, fields=list(fields(function)), why=why)
        return Live(form, "" if why else "cells.js")
    if page in (places := calculator.places()):
        return Live(_form("calculator", **calculator.values(places[page])), "calculator.js")
    return None


def _form(name: str, **values: object) -> str:
    return _FORMS.get_template(f"{name}.html").render(**values)
