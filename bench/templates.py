"""The largest book of each template in LibreOffice: how long computing all of its cells takes.

That is what loading takes longer where everything is computed anew than where it is not; the limit
is two seconds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench._timing import fastest
from elo_xl.templates import gallery
from tests.support.calc import Calc, find_soffice
from tests.support.libreoffice_host import with_addin
from tests.support.template_events import GENERATORS

LIMIT = 2.0
RECALCULATE = '<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>{}</value>'


def books(folder: Path, functions: str) -> dict[str, Path]:
    """Every template as large as it gets, and full."""
    made = {}
    for name, template in gallery.TEMPLATES.items():
        most: dict[str, Any] = {
            key: bounds[2]
            for key, bounds in (("players", template.players), ("rounds", template.rounds))
            if bounds
        }
        options = gallery.options(name, functions=functions, **most)
        content = GENERATORS[name](options, 1, wrong=False, full=True)
        made[name] = folder / f"{name}-{functions}.xlsx"
        made[name].write_bytes(gallery.make(name, options, content))
    return made


def never(calc: Calc) -> None:
    """Make a LibreOffice take the values that its files hold."""
    for file in calc.profile.rglob("registrymodifications.xcu"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(RECALCULATE.format(0), RECALCULATE.format(1)))


def convert(calc: Calc, path: Path) -> Callable[[], Path]:
    return lambda: calc.convert(path, "csv", limit=300)


def main() -> None:
    soffice = find_soffice()
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        always, stored = (with_addin(soffice, folder / name) for name in ("always", "stored"))
        never(stored)
        for functions in gallery.READY:
            for name, path in books(folder, functions).items():
                computed, loaded = fastest(2, convert(always, path), convert(stored, path))
                took = computed - loaded
                verdict = "ok" if took <= LIMIT else "OVER"
                print(
                    f"{name + ', ' + functions:<40} {took:6.2f} s  limit {LIMIT:g}  {verdict}"
                    f"  (loading alone {loaded:.2f} s)"
                )


if __name__ == "__main__":
    main()
