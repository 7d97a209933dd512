"""Write the front page: as a file that works alone, and with links into the site::

front_page.py build/elo-xl.html [build/site/elo-xl.html]
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from elo_xl.publish.fill import front_page, library
from elo_xl.xlsx.files import write_whole


def main(alone: Path, *site: Path) -> None:
    """Write the page, and say how large it is."""
    with ProcessPoolExecutor() as pool:
        books = library(each=pool.map)
    for path in (alone, *site):
        page = front_page(books, alone=path == alone)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, page)
        sys.stdout.write(f"{path}: {len(page):,} bytes\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
