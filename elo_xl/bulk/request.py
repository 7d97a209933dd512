"""What is to be rated, and the folder in which a run works.

The folder lies beside the result. It ends in ``-partial`` until the result is there, and in
``-periods`` from then on.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from elo_xl.bulk import NOTE, periods_of
from elo_xl.engine.errors import RatingError
from elo_xl.engine.evidence import MOST
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.engine.systems import LAST
from elo_xl.engine.usual import RATINGS

if TYPE_CHECKING:
    from elo_xl.bulk.reading import Bounds
    from elo_xl.engine.systems import System

_LEAST: Final = 1e-9
"""The least deviation or volatility."""
_ANY: Final = (-MOST, MOST)
_TIMES: Final = (-(2.0**53), 2.0**53)
"""Between which numbers periods are."""
_SCALES: Final = {
    **dict.fromkeys(("fide", "us-chess", "dwz", "ecf"), RATINGS),
    "egf": (-900.0, 3299.0),
}
"""Between which numbers ratings are, by how the names of rulebooks begin."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be rated, and how."""

    games: tuple[Path, ...]
    players: Path
    output: Path
    by: str | None = None
    """the kind of period into which days are put; None: as the column ``period`` says, or one"""
    rules: str | Path | Rulebook | None = None
    """None: FIDE's edition in force on the first day of the period, or the newest without days"""
    system: System | None = None
    """a system that carries its ratings, instead of a rulebook"""
    k: float | None = None
    table: str = ""
    """the table of databases that has the games"""
    called: Mapping[str, str] = field(default_factory=dict)
    """columns with names of their own"""
    most_unread: float = 0.01
    """the share of games that may be unreadable"""
    force: bool = False

    def beside(self, what: str) -> Path:
        """The name of a file or folder beside the result.

        >>> Request((), Path("p.csv"), Path("list.parquet")).beside("-partial").name
        'list-partial'
        """
        return self.output.with_name(f"{self.output.stem}{what}")

    @property
    def partial(self) -> Path:
        return self.beside("-partial")

    @property
    def periods(self) -> Path:
        return periods_of(self.output)

    def bounds(self) -> Bounds:
        """What is read of players, and between which numbers it has to be.

        >>> Request((), Path("p.csv"), Path("list.parquet")).bounds()["rating"]
        (1, 4000)
        """
        if self.system is not None:
            positive = dict.fromkeys(self.system.columns, (_LEAST, MOST))
            return positive | {"rating": _ANY} | {name: _TIMES for name in positive if name == LAST}
        name = rulebook("fide" if self.rules is None else self.rules).name
        span = next((span for begin, span in _SCALES.items() if name.startswith(begin)), _ANY)
        counts = dict.fromkeys(("games", "played", "age", "index"), (0.0, np.inf))
        return {"rating": span, "peak": span, "k": (0.0, 100.0)} | counts

    def folder(self) -> Path:
        """An empty folder to work in, beside the result; RatingError if there is another one."""
        folder = self.partial
        if folder.exists():  # a run that was killed has left it
            if any(folder.iterdir()) and not (folder / NOTE).is_file():
                raise RatingError(f"the folder is not one of a run that was stopped @ {folder}")
            self.leave()
        folder.mkdir()
        (folder / NOTE).write_text(json.dumps({"players": str(self.players.resolve())}), "utf-8")
        return folder

    def leave(self) -> None:
        """Remove the folder of a run, last of all what says that it is one."""
        for path in sorted(self.partial.iterdir(), key=lambda path: path.name == NOTE):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.partial.rmdir()
