"""A rating period as one statement: from tables of players and games to new ratings.

Sums over games are those of whole numbers, so that they are the same in any order: of hundredths of
a point where the rulebook counts them, otherwise of 2⁻⁴⁰ of a point. A value that is used more than
once is a column of an inner query.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from elo_xl.engine.accumulator import FINE
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.functions.native.pieces import with_numbers
from elo_xl.functions.native.reduce import EMPTY
from elo_xl.hosts.sql.tree import NoSqlError, SqlForm, Writer, double
from elo_xl.xlsx.folding import Env, replaced, tree_of
from elo_xl.xlsx.formula import FALSE, Binary, Call, Name, Node, Number, Text, Unary, parse

COLUMNS: Final = "id, rating, k, period_games, score, expected, change, new, played, age, peak"
"""What the statement gives of each player, as :func:`elo_xl.rate_period` does; ``played`` and
``peak`` are those after the period, for the next one."""

_NAMES: Final[Env] = {
    **{name: Name(name) for name in ("rating", "opponent", "age", "peak", "lowest", "highest_met")},
    "games": Name("played"),
    "played": Name("n"),
    "score": Name("scored"),
    "points": Name("score"),
    "rating_sum": Name("met"),
    "average": Binary("/", Name("met"), Name("n")),
    "total": FALSE,
}
"""Of what the formulas of clauses are, as columns; ``n`` is NULL without a game."""

_SUMMED: Final = {
    "COUNT(*)": "n",
    "SUM(scored)": "score",
    "SUM(opponent)": "met",
    "MIN(opponent)": "lowest",
    "MAX(opponent)": "highest_met",
}
_CHANGE: Final = {"change": Name("change")}
FINE_GAME: Final = "white <> black AND result IN (0e0, 0.5e0, 1e0)"
"""What a game must be that counts; both players must be there, too."""

_PAIRED: Final = f"""
SELECT own.id AS one, own.rating AS one_rating, rival.id AS two, rival.rating AS two_rating,
    CAST(result AS DOUBLE) AS gained
FROM games JOIN known AS own ON own.id = white JOIN known AS rival ON rival.id = black
WHERE {FINE_GAME}"""
_MET: Final = """
SELECT one AS id, one_rating AS rating, two_rating AS opponent, gained AS scored FROM paired
WHERE two_rating IS NOT NULL UNION ALL
SELECT two AS id, two_rating AS rating, one_rating AS opponent, 1e0 - gained AS scored FROM paired
WHERE one_rating IS NOT NULL"""
"""The games of each player against rated ones; in a text twice, for what is asked for once is not
kept by databases."""

REJECTED: Final = """
SELECT game.*, CASE WHEN white IS NULL THEN 'no first player'
    WHEN black IS NULL THEN 'no second player'
    WHEN own.id IS NULL THEN CONCAT('''', CAST(white AS VARCHAR), ''' is not in players')
    WHEN rival.id IS NULL THEN CONCAT('''', CAST(black AS VARCHAR), ''' is not in players')
    WHEN white = black
        THEN CONCAT('''', CAST(white AS VARCHAR), ''' is paired with themselves')
    ELSE CONCAT('result must be 1, 0.5 or 0, got ', CAST(result AS VARCHAR)) END AS reason
FROM games AS game LEFT JOIN players AS own ON own.id = white
    LEFT JOIN players AS rival ON rival.id = black
WHERE result IS NOT NULL AND (white IS NULL OR black IS NULL OR white = black OR own.id IS NULL
    OR rival.id IS NULL OR result NOT IN (0e0, 0.5e0, 1e0))
"""
"""The games that the statement leaves out, each with the reason; those not played are none."""

_GIVEN: Final = """
SELECT id, rating, CASE WHEN rating IS NULL THEN NULL ELSE k_used END AS k,
    COALESCE(n, 0) AS period_games, COALESCE(score, 0e0) AS score,
    CASE WHEN rating IS NULL THEN NULL ELSE COALESCE(expected, 0e0) END AS expected,
    CASE WHEN rating IS NULL THEN NULL ELSE COALESCE(change, 0e0) END AS change,
    CASE WHEN rating IS NOT NULL THEN COALESCE(new, rating) ELSE new END AS new,
    CASE WHEN rating IS NULL AND n IS NOT NULL THEN COALESCE(played, 0e0) ELSE played END
        + COALESCE(n, 0) AS played, age,
    CASE WHEN peak >= COALESCE(new, peak) AND peak >= COALESCE(rating, peak) THEN peak
        WHEN rating > new THEN rating ELSE COALESCE(new, rating) END AS peak
FROM done
"""


class _Layers(Writer):
    """What a value is used for more than once is a column, below those that use it."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self.prefix, self.columns = prefix, dict[str, str]()

    def of_one(self, text: str, made: Callable[[str], str], name: str) -> str:
        if not text.isidentifier():
            text = self.columns.setdefault(text, f"{self.prefix}_{len(self.columns) + 1}")
        return made(text)

    def over(self, source: str) -> str:
        """A source of rows with the columns."""
        left = {name: text for text, name in self.columns.items()}
        while left:
            now = [name for name, text in left.items() if not left.keys() & _words(text)]
            listed = ", ".join(f"{left.pop(name)} AS {name}" for name in now)
            source = f"(SELECT *, {listed} FROM {source}) AS {self.prefix}"
        return source


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


class _Stage(_Layers):
    """A step after the games are added up; ``sums`` are what it needs of them."""

    def __init__(self, prefix: str, games: _Layers, sums: dict[str, str], fine: bool) -> None:
        super().__init__(prefix)
        self.games, self.sums, self.fine = games, sums, fine
        self.approached: tuple[Node, int, Node] | None = None

    def added(self, function: str, value: Node | None) -> str:
        text = self.games.number(value)
        if self.fine and function == "SUM":
            whole = f"CAST(FLOOR({text} * {double(FINE)} + 0.5e0) AS BIGINT)"
            text = f"SUM({whole}) / {double(FINE)}"
        else:
            text = f"{function}({text})"
        return self.sums.setdefault(f"COALESCE({text}, 0e0)", f"sum_{len(self.sums) + 1}")

    def iterated(self, start: Node, count: int, body: Node) -> str:
        self.approached = start, count, body
        return "found"


def why_not(book: Rulebook) -> str:
    """Why there is no statement for a rulebook; "" if there is one.

    >>> why_not(rulebook("fide")), why_not(rulebook("usatt"))
    ('', 'it rates the games of an event together')
    """
    together = not book.change.native() or book.change.alone or book.counts.with_newcomers
    return "it rates the games of an event together" if together else ""


def period(rules: str) -> str:
    """The statement for a rulebook, as DuckDB takes it.

    ``players`` has the columns ``id, rating, k, played, age, peak``, which may all be NULL but the
    id, ``games`` has ``white, black, result`` (1, 0.5 or 0: White's score; NULL: not played).
    Raises OptionError for an unknown rulebook, and NoSqlError for one that has no statement.
    """
    book = rulebook(rules)
    if why := why_not(book):
        raise NoSqlError(f"{book.name} has no statement: {why}")
    form, fine = SqlForm(_NAMES), book.expected.unit == 1
    each, sums = _Layers("game"), dict[str, str]()
    parts: dict[str, str] = {}

    def tree(formula: str, **names: Node) -> Node:
        return form.reducer.reduce(parse(formula), {"rules": Text(book.name), **names})

    def stage(name: str, source: str, **columns: Node) -> _Stage:
        """A query of a source with more columns."""
        writer = _Stage(name, each, sums, fine)
        listed = ", ".join(f"{writer.number(x)} AS {column}" for column, x in columns.items())
        parts[name] = f"SELECT *, {listed} FROM {writer.over(source)}"
        return writer

    k_used = Name("k_used") if book.change.takes_k else Text("auto")
    own_k = tree("k_under(rules, rating, games, age, peak)") if book.k.native() else EMPTY
    if book.change.takes_k:
        own_k = Call("COALESCE", (Name("k"), own_k))
    stage("factored", "player", own_k=own_k)
    limit = tree(book.k.limit(), own_k=Name("own_k"), period_games=Name("n"))
    stage("limited", "factored", k_used=limit)
    lost = tree(
        "(sum_games(expected_under(rules, difference_under(rules, rating - opponent, rating,"
        " opponent))) - upgrade) / unit",
        upgrade=form.reducer.reduce(with_numbers(book.difference.upgrade, book.difference), _NAMES),
        unit=tree_of(book.expected.unit),
    )
    stage(
        "changed",
        "limited",
        expected=lost,
        change=tree("change_under(rules, rating, k, games, age, peak, 0)", k=k_used),
    )
    stage(
        "rounded", "changed", moved=tree("rounding_under(rules, rating, change, peak)", **_CHANGE)
    )
    source = "rounded"
    finding = _Stage("first", each, sums, fine)
    fresh = finding.number(tree('first_under(rules, "")'))
    if finding.approached is not None:
        source = _stepped(finding.approached, parts)
    published = [f"n >= {double(book.first.games)}"]
    published += [] if book.first.zero_counts else ["score > 0e0"]
    published += [] if book.first.floor is None else [f"fresh >= {double(book.first.floor)}"]
    parts["first"] = f"SELECT *, CAST({fresh} AS DOUBLE) AS fresh FROM {finding.over(source)}"
    parts["done"] = f"""SELECT *, CASE WHEN rating IS NOT NULL THEN moved
        WHEN {" AND ".join(published)} THEN fresh ELSE NULL END AS new FROM first"""
    wanted = _words(" ".join(parts.values()))
    totals = [(text, name) for text, name in _SUMMED.items() if name in wanted | {"n", "score"}]
    totals += sums.items()
    added = "".join(f", {text} AS {name}" for text, name in totals)
    columns = "".join(f", summed.{name}" for _, name in totals)
    counts = each.truth(tree("counts_under(rules, rating, opponent)"))
    before = {
        "known": f"""SELECT id, NULLIF(CAST(rating AS DOUBLE), 0e0) AS rating,
            {", ".join(f"CAST({x} AS DOUBLE) AS {x}" for x in ("k", "played", "age"))},
            NULLIF(CAST(peak AS DOUBLE), 0e0) AS peak FROM players""",
        "paired": _PAIRED,
        "met": _MET,
        "first_met": f"SELECT * FROM ({_MET}) AS met WHERE rating IS NULL",
        "summed": f"""SELECT id{added} FROM {each.over("met")}
            WHERE rating IS NULL OR {counts} GROUP BY id""",
        "player": f"""SELECT known.*{columns} FROM known
            LEFT JOIN summed ON summed.id = known.id""",
    }
    if source == "rounded":
        del before["first_met"]
    queries = ", ".join(f"{name} AS ({query})" for name, query in (before | parts).items())
    return f"WITH {queries} {_GIVEN}"


_HALVINGS: Final = 5
"""How many times a query halves the interval in which a rating is: it tries all places at once."""
_ENOUGH: Final = 45
"""Halvings after which ratings are right to 1e-9."""


def _stepped(steps: tuple[Node, int, Node], parts: dict[str, str]) -> str:
    """Add the queries that approximate a number; returns what has it as ``found``."""
    start, count, body = steps
    match body:
        case Binary("+", Name("guess"), Binary("*", size, Call("IF", (test, Number(), Unary())))):
            pass
        case _:
            raise NoSqlError("its first ratings are approximated in another way")
    same, tried = ", ".join(("id", *_SUMMED.values())), 2**_HALVINGS
    before = ", ".join(f"before.{c} AS {c}" for c in ("id", *_SUMMED.values(), "found"))
    writer = _Layers("begun")
    first = writer.number(start)
    parts["grid"] = " UNION ALL ".join(f"SELECT {double(i)} AS place" for i in range(1, tried))
    parts["step_0"] = (
        f"SELECT {same}, {first} AS found FROM "
        f"{writer.over('(SELECT * FROM rounded WHERE rating IS NULL AND n IS NOT NULL) AS begun')}"
    )
    last = "step_0"
    for step in range(1, min(count, _ENOUGH) + 1, _HALVINGS):
        half = Writer().number(replaced(size, "step", tree_of(step)))
        at = f"found + {half} * (place * {double(4 / tried)} - 2e0)"
        games = (
            f"(SELECT {same}, found, place, {at} AS guess, opponent FROM (SELECT {before}, "
            f"grid.place AS place, game.opponent AS opponent FROM {last} AS before CROSS JOIN grid "
            f"JOIN first_met AS game ON game.id = before.id) AS trying) AS tried"
        )
        writer = _Layers("guessed")
        test_ = writer.truth(test)
        below = (
            f"SELECT {same}, found, CASE WHEN {test_} THEN 1e0 ELSE 0e0 END AS below "
            f"FROM {writer.over(games)} GROUP BY {same}, found, place, guess"
        )
        now = f"step_{step // _HALVINGS + 1}"
        parts[now] = (
            f"SELECT {same}, found + {half} * ((SUM(below) + 0.5e0) * {double(4 / tried)} - 2e0) "
            f"AS better FROM ({below}) AS places GROUP BY {same}, found"
        )
        parts[now] = f"SELECT {same}, better AS found FROM ({parts[now]}) AS narrowed"
        last = now
    return (
        f"(SELECT rounded.*, solved.found AS found FROM rounded "
        f"LEFT JOIN {last} AS solved ON solved.id = rounded.id) AS first"
    )
