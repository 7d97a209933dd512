"""Write the front page: as a file that works alone, and with links into the site::

front_page.py build/elo-xl.html [build/site/elo-xl.html]
front_page.py --small workbooks/elo-xl.html

The small one, which is kept in the repository, speaks English and has books for at most 200.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

from elo_xl.languages import ENGLISH
from elo_xl.publish.fill import front_page, library
from elo_xl.xlsx.files import write_whole

SMALL: Final[dict[str, Any]] = {"languages": [ENGLISH], "most": 200}


def main(alone: Path, *site: Path, small: bool = False) -> None:
    """Write the page, and say how large it is."""
    with ProcessPoolExecutor() as pool:
        books = library(each=pool.map, **(SMALL if small else {}))
    for path in (alone, *site):
        page = front_page(books, alone=path == alone)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, page)
        sys.stdout.write(f"{path}: {len(page):,} bytes\n")


if __name__ == "__main__":
    words = sys.argv[1:]
    small = words[:1] == ["--small"]
    main(*map(Path, words[small:]), small=small)
