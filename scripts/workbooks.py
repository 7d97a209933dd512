"""Write the ready-made workbooks: workbooks.py [FOLDER]."""

from __future__ import annotations

import sys
from pathlib import Path

from elo_xl.templates.gallery import ready_made
from elo_xl.xlsx.package import write_whole


def main(folder: Path) -> None:
    """Write every file, and delete those that no template makes any more."""
    folder.mkdir(exist_ok=True)
    files = dict(ready_made())
    for name, content in files.items():
        write_whole(folder / name, content)
    for path in folder.glob("*.xlsx"):
        if path.name not in files:
            path.unlink()


if __name__ == "__main__":
    main(Path(*sys.argv[1:2] or ["workbooks"]))
