"""The games of an inlined formula: which of them count, and what they add up to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial, reduce
from math import isfinite
from typing import Final

from elo_xl.functions.arguments import NumberArgument, Rating
from elo_xl.functions.native.given import Checks
from elo_xl.functions.native.reduce import EMPTY
from elo_xl.xlsx.folding import ZERO, Piece, tree_of
from elo_xl.xlsx.formula import FALSE, Binary, Call, Constant, Node, Number, Text, Unary

VALUE: Final = Constant("#VALUE!")
NUM: Final = Constant("#NUM!")


class Lists:
    """Opponents and scores in ranges of cells: which games count, and their sums."""

    def __init__(self, opponents: Node, scores: Node, *, total: bool, checks: Checks) -> None:
        self.opponents, self.scores, self.total = opponents, scores, total
        self.checked = checks == "all"
        cautious = checks != "none"
        rated, scored = Text(">0"), Text(">=0")
        if total:
            both: tuple[Node, ...] = (opponents, rated)
            self.played = Call("COUNTIF", both)
            self.points: Node = Call("N", (scores,)) if cautious else scores
            self.rating_sum, self.average = Call("SUMIF", both), Call("AVERAGEIF", both)
        else:
            both = (opponents, rated, scores, scored)
            self.played = Call("COUNTIFS", both)
            self.points = Call("SUMIFS", (scores, *both))
            self.rating_sum = Call("SUMIFS", (opponents, *both))
            self.average = Call("AVERAGEIFS", (opponents, *both))
        if isinstance(scores, (Number, Unary)):
            self.points = scores
        # Every cell gives a number, even an empty text; cells that do not count get the factor 0.
        self.opponent = _number_from(opponents) if cautious else opponents
        self.score = _number_from(scores) if cautious else scores
        self.counted = self._counted(cautious)

    def _counted(self, cautious: bool) -> Node:
        rated = _counted(self.opponents, cautious, True)
        return rated if self.total else Binary("*", rated, _counted(self.scores, cautious, False))

    @property
    def names(self) -> dict[str, Node | Piece]:
        return {
            "played": self.played,
            "points": self.points,
            "rating_sum": self.rating_sum,
            "average": self.average,
            "opponent": self.opponent,
            "score": self.score,
            "total": Constant(str(self.total).upper()),
        }

    @property
    def too_many(self) -> Node:
        """Whether there are more points than games."""
        if not self.checked:
            return FALSE
        if self.total:
            return Binary(">", self.scores, self.played)
        most = (self.opponents, Text(">0"), self.scores, Text(">1"))
        return Binary(">", Call("COUNTIFS", most), ZERO)

    def conditions(self) -> list[tuple[Node, Node]]:
        """The conditions to check before anything is added up, each with its result."""
        lists = [self.opponents] if self.total else [self.opponents, self.scores]
        texts = [
            Binary("*", Call("ISTEXT", (cells,)), Binary("<>", cells, EMPTY)) for cells in lists
        ]
        text: Node = texts[0] if self.total else Binary("+", texts[0], texts[1])
        found = Binary(">", Call("SUMPRODUCT", (text,)), ZERO)
        if not self.total:
            below = [Call("COUNTIF", (cells, Text("<0"))) for cells in lists]
            low: Node = Binary(">", Binary("+", below[0], below[1]), ZERO)
            return [(found, VALUE), (low, NUM)]
        low = Binary(">", Call("COUNTIF", (self.opponents, Text("<0"))), ZERO)
        if isinstance(self.scores, (Number, Unary)):
            return [(found, VALUE), (low, NUM)]
        score = Binary("<>", Call("T", (self.scores,)), EMPTY)
        return [
            (Call("OR", (score, found)), VALUE),
            (Call("OR", (Binary("<", self.scores, ZERO), low)), NUM),
        ]

    def blank(self) -> Node:
        """The condition that the total is missing, which is no error without opponents."""
        if not self.total or isinstance(self.scores, (Number, Unary)):
            return FALSE
        return Call("AND", (Binary("=", self.scores, EMPTY), Binary(">", self.played, ZERO)))


class GameColumns:
    """Games in columns of cells, all of one length: a game counts if none of its cells is blank."""

    too_many: Final = FALSE

    def __init__(self, columns: Mapping[NumberArgument, Node], checks: Checks) -> None:
        self.columns = columns
        cautious = checks != "none"
        self.names: dict[str, Node | Piece] = {
            kind.name: _number_from(cells) if cautious else cells for kind, cells in columns.items()
        }
        full = [
            _counted(cells, cautious, isinstance(kind, Rating)) for kind, cells in columns.items()
        ]
        self.counted = reduce(partial(Binary, "*"), full)

    def conditions(self) -> list[tuple[Node, Node]]:
        """The conditions to check before anything is added up, each with its result."""
        texts = [
            Binary("*", Call("ISTEXT", (cells,)), Binary("<>", cells, EMPTY))
            for cells in self.columns.values()
        ]
        found = Call("SUMPRODUCT", (reduce(partial(Binary, "+"), texts),))
        outside: list[Node] = [
            Call("COUNTIF", (cells, Text(bound)))
            for kind, cells in self.columns.items()
            for bound in _outside(kind)
        ]
        return [
            (Binary(">", found, ZERO), VALUE),
            (Binary(">", reduce(partial(Binary, "+"), outside), ZERO), NUM),
        ]

    def blank(self) -> Node:
        """The condition that something is missing without which there is no result."""
        return FALSE


def _outside(kind: NumberArgument) -> list[str]:
    """What COUNTIF looks for to find the numbers outside a domain."""
    if isinstance(kind, Rating):
        return ["<0"]
    bounds = [("<=", kind.above), ("<", kind.low), (">", kind.high)]
    return [f"{sign}{bound:g}" for sign, bound in bounds if isfinite(bound)]


def _counted(cells: Node, cautious: bool, rating: bool) -> Node:
    """Whether cells hold a number, and not 0 if they are ratings."""
    if cautious:
        return Call("ISNUMBER", (Binary("/", tree_of(1), cells) if rating else cells,))
    return Binary("<>", cells, ZERO if rating else EMPTY)


def _number_from(cells: Node) -> Node:
    """The numbers of cells that may hold empty texts; IF would look at one cell only."""
    return Call("VALUE", (Binary("&", Text("0"), cells),))
