"""How Sphinx builds the site of these pages: all that it shows comes with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docs_build.live import ELO_JS, live
from elo_xl import __version__
from elo_xl.hosts.javascript import script
from elo_xl.languages import CODES

project = "elo_xl"
author = "The elo_xl authors"
release = __version__
copyright = author  # the name that Sphinx asks for

extensions = ["myst_parser", "sphinx_copybutton"]
myst_heading_anchors = 3
nitpicky = True

smartquotes = False  # options are typed in straight ones

html_theme = "furo"
html_title = f"elo_xl {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_show_sourcelink = False
html_copy_source = False
html_use_index = False
pygments_style = "default"


def in_its_language(app: Any, name: str, template: str, context: dict[str, Any], *_: Any) -> None:
    """Say of a page in the folder of a language that it is written in it."""
    folder = name.partition("/")[0]
    context["language"] = folder if folder in CODES else "en"


def with_functions(app: Any) -> None:
    """Put the functions in JavaScript beside the scripts that ask them."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ELO_JS).write_text(script(), encoding="utf-8")


def computing(app: Any, name: str, template: str, context: dict[str, Any], *_: Any) -> None:
    """Put what computes on a page before its first section."""
    found = live(name)
    if found is None:
        return
    before, mark, title = context["body"].partition("<section")
    above, section, rest = title.partition("<section")
    context["body"] = f"{before}{mark}{above}{found.form}{section}{rest}"
    for name in (ELO_JS, found.script) if found.script else ():
        app.add_js_file(name, loading_method="defer")


def setup(app: Any) -> None:
    """Register what Sphinx calls for the site, and for each page."""
    app.connect("builder-inited", with_functions)
    app.connect("html-page-context", in_its_language)
    app.connect("html-page-context", computing)
