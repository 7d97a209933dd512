"""Write the front page: as a file that works alone, and with links into the site::

front_page.py build/elo-xl.html [build/site/elo-xl.html]
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from elo_xl.publish.fill import front_page, library
from elo_xl.xlsx.files import write_whole

MOST: Final = 3_000_000
"""bytes of the page, which people send to each other"""


def main(alone: Path, *site: Path) -> None:
    """Write the page; raises ValueError if it has become too large."""
    with ProcessPoolExecutor() as pool:
        books = library(each=pool.map)
    for path in (alone, *site):
        page = front_page(books, alone=path == alone)
        if len(page) > MOST:
            raise ValueError(f"the page has {len(page):,} bytes, more than {MOST:,}")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, page)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
