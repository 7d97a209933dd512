"""How Sphinx builds the site of these pages: all that it shows comes with it."""

from __future__ import annotations

from elo_xl import __version__

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
html_show_sourcelink = False
html_copy_source = False
html_use_index = False
pygments_style = "default"
