"""Where the project is on the web, and whether it is there yet.

Until it is, a stranger who registers these names first would serve our readers: nothing that a
person reads names them. ``python -m scripts.release publish`` turns that, here and in the pages.
"""

from __future__ import annotations

from typing import Final

PUBLISHED: Final[bool] = False
"""Whether the names below are ours."""

REPOSITORY: Final = "https://github.com/elo-xl/elo-xl"

SITE: Final = "https://elo-xl.github.io/elo-xl/"
"""The pages of ``docs``."""

PACKAGE: Final = "elo-xl"
"""The name on the package index."""

MADE_WITH: Final = f"elo_xl, {REPOSITORY}" if PUBLISHED else "elo_xl"
"""What books and lists for the wall name, so that a reader finds it."""


def page(place: str) -> str:
    """Where a page of ``docs`` is read: on the site, or until then in a copy of the project.

    >>> page("hosts/office") in ("docs/hosts/office.md", f"{SITE}hosts/office.html")
    True
    """
    return f"{SITE}{place}.html" if PUBLISHED else f"docs/{place}.md"


MOST_LETTERS: Final = 300
"""of an address for which there is a QR code that a telephone reads"""


def is_address(text: str, schemes: tuple[str, ...] = ("https://", "http://")) -> bool:
    """Whether a text is the address of a page, as browsers show it.

    >>> is_address("https://club.example/list.html"), is_address("club.example")
    (True, False)
    """
    return text.startswith(schemes) and " " not in text and len(text) <= MOST_LETTERS
