"""Write the pages that fill a book, one in each language, into a folder::

python -m docs_build.fill build/site/fill
"""

from __future__ import annotations

import sys
from pathlib import Path

from elo_xl.languages import CODES
from elo_xl.publish.fill import fill_page

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for code in CODES:
        (folder / f"{code}.html").write_bytes(fill_page(code))
