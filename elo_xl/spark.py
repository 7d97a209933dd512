"""Rating periods and sweeps on Apache Spark 4, for games that live in a cluster.

A period is the statement of :mod:`elo_xl.hosts.sql`, which Spark carries out as it sees fit: sums
of whole numbers are the same in any order.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.engine.evidence import MOST
from elo_xl.engine.period import AS_NOW, GAVE, check_name, gave
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.hosts.sql import query
from elo_xl.hosts.sql.period import REJECTED, period, why_not

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType

    from elo_xl.engine.arrays import FloatArray
    from elo_xl.questions.check.numbers import Tasks

_KNOWN: Final = ("rating", "k", "played", "age", "peak")
"""What is known of players."""
_GIVEN: Final = ("id", "rating", "new", "period_games", "score", "expected", "change", "k")
_TABLE: Final = re.compile(r"\b(FROM|JOIN) (players|games)\b")


class RatedFrames(NamedTuple):
    """What :func:`rate_period` gives; nothing is computed before one of them is used."""

    ratings: DataFrame
    """a row per player: ``id, rating, new, period_games, score, expected, change, k``"""
    rejects: DataFrame
    """the games that cannot be rated, with all their columns, and the ``reason``"""


def rate_period(
    games: DataFrame, players: DataFrame, rules: str | Path | Rulebook = "fide"
) -> RatedFrames:
    """Rate a period as :func:`elo_xl.rate_period` does, to the same numbers.

    ``players`` have ``id`` and ``rating`` (null, NaN or 0: unrated), and may have ``k``, ``played``
    (rated games so far), ``age`` and ``peak``. ``games`` have ``white`` and ``black``, which are
    ids, and ``result``: 1, 0.5 or 0, the first player's (null or NaN: not played, whatever else is
    in the row). Ids are whole numbers, or texts that agree letter by letter. All games are of one
    period. A game without one of its players, with an unknown one, with one player twice, or with
    another result changes nothing but is a row of ``rejects``.

    The players are counted and checked at once, by a job of its own. Raises SizeError for a column
    that is missing, players that are what a period gave, and players without an id or with the same
    one; DomainError for columns of the wrong type, a rating beyond 1,000,000, a K, games or an age
    below 0; OptionError for an unknown rulebook and for one under which games do not stand alone
    (``us-chess``, ``usatt`` and ``dwz``: ``elo-xl rate`` has them).
    """
    from pyspark.sql import functions as of

    book = rulebook(rules)
    if why := why_not(book):
        raise OptionError(f"under {book.name} the games of a period do not stand alone: {why}")
    kind = _ids(games, "games", "white", "black")
    score = _numbers(games, "games", "result").alias("result")
    known = _checked(players, kind)
    sides = [_key(kind, side).alias(side) for side in ("white", "black")]
    made = games.select(of.struct("*").alias("given"), *sides, score)

    def asked(text: str) -> DataFrame:
        text = _TABLE.sub(r"\1 {\2}", query(text, "spark"))
        return players.sparkSession.sql(text, players=known, games=made)

    return RatedFrames(
        asked(period(book.name)).select(*_GIVEN), asked(REJECTED).select("given.*", "reason")
    )


def tasks(session: SparkSession) -> Tasks:
    """What runs the tasks of :func:`elo_xl.sweep` on Spark: ``sweep(…, tasks=tasks(session))``.

    The machines need elo_xl, as for :func:`rate_period`; each task gets all games of the sweep.
    """

    def mapped(
        work: Callable[[FloatArray], FloatArray], given: Iterable[FloatArray]
    ) -> list[FloatArray]:
        parts = list(given)

        def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            for batch in batches:
                for at in batch["id"].to_pylist():
                    done = pickle.dumps(work(parts[at]))
                    yield pa.RecordBatch.from_pydict({"at": [at], "done": [done]})

        numbers = session.range(len(parts), numPartitions=len(parts) or 1)
        rows = numbers.mapInArrow(run, "at long, done binary").collect()
        return [pickle.loads(done) for _, done in sorted(rows)]

    return mapped


def _ids(table: DataFrame, what: str, *names: str) -> str:
    """The type of ids, one for all integers; the columns must be there and agree."""
    from pyspark.sql.types import IntegralType, StringType

    types = set()
    for name in names:
        kind = _column(table, what, name)
        if not isinstance(kind, IntegralType | StringType):
            raise DomainError(
                f"ids are whole numbers or texts, got {kind.simpleString()} "
                f"@ column {name!r} of {what}"
            )
        types.add("bigint" if isinstance(kind, IntegralType) else "string")
    if len(types) > 1:
        raise DomainError(f"ids of two types @ columns {' and '.join(map(repr, names))} of {what}")
    return types.pop()


def _key(kind: str, name: str) -> Column:
    """A column of ids, null for empty texts."""
    from pyspark.sql import functions as of

    key = of.col(name).cast(kind)
    return of.when(key != "", key) if kind == "string" else key


def _numbers(table: DataFrame, what: str, name: str) -> Column:
    """A column as floats, null where it has no number."""
    from pyspark.sql import functions as of
    from pyspark.sql.types import NullType, NumericType

    kind = _column(table, what, name)
    if not isinstance(kind, NumericType | NullType):
        raise DomainError(
            f"numbers are needed, got {kind.simpleString()} @ column {name!r} of {what}"
        )
    return of.nanvl(of.col(name).cast("double"), of.lit(None).cast("double"))


def _column(table: DataFrame, what: str, name: str) -> DataType:
    """The type of a column, which must be there."""
    if name not in table.columns:
        there = ", ".join(table.columns) or "none"
        raise SizeError(f"{what} need a column {name!r}; the columns are: {there}")
    return table.schema[name].dataType


def _checked(players: DataFrame, kind: str) -> DataFrame:
    """The columns of players that are used; ``kind`` is the type of ids in the games."""
    from pyspark.sql import functions as of

    if gave(players.columns):
        raise SizeError(f"{GAVE}: give no more than id, {AS_NOW}")
    check_name(players.columns)
    id_type = _ids(players, "players", "id")
    if id_type != kind:
        raise DomainError(f"players of games are {kind}, but ids of players are {id_type}")
    rating = _numbers(players, "players", "rating")
    columns = {"rating": of.when(rating != 0, rating)}  # lists print 0 for unrated players
    for name in _KNOWN[1:]:
        there = name in players.columns
        number = _numbers(players, "players", name) if there else of.lit(None).cast("double")
        columns[name] = number
    known = players.select(
        _key(kind, "id").alias("id"), *(column.alias(x) for x, column in columns.items())
    )
    wrong = {
        "rating": ("rating must be within 1,000,000 points of 0", of.abs("rating") > MOST),
        "k": ("K must not be below 0", of.col("k") < 0),
        "played": ("played must not be below 0", of.col("played") < 0),
        "age": ("age must not be below 0", of.col("age") < 0),
    }
    by_id = known.groupBy("id").agg(
        of.count("*").alias("rows"),
        *(
            of.min(of.when(bad, of.struct("id", name))).alias(name)
            for name, (_, bad) in wrong.items()
        ),
    )
    nameless, twice, *faults = by_id.agg(
        of.sum(of.when(of.col("id").isNull(), of.col("rows"))),
        of.min(of.when(of.col("rows") > 1, of.col("id"))),
        *(of.min(name) for name in wrong),
    ).collect()[0]
    if nameless:
        raise SizeError(f"players without an id: {nameless}")
    if twice is not None:
        raise SizeError(f"player {twice!r} is there twice in players")
    for (what, _), one in zip(wrong.values(), faults, strict=True):
        if one is not None:
            raise DomainError(f"{what}, got {one[1]:g} @ player {one[0]!r}")
    return known
