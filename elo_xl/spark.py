"""Rating periods and sweeps on Apache Spark 4, for games that live in a cluster.

A period is two steps with a sum between them (:mod:`elo_xl.engine.accumulator`). Each task rates
its own games and gives whole numbers by player; Spark adds these up, which makes the same sums in
any order; then each player's sums become a new rating. Only sums go from task to task: the games
stay where they are, as long as the ratings are few enough to be sent to them.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from elo_xl.bulk.period import Period
from elo_xl.engine.accumulator import SMALL, Accumulator, Sums
from elo_xl.engine.errors import DomainError, OptionError, SizeError
from elo_xl.engine.evidence import MOST
from elo_xl.engine.period import AS_NOW, GAVE, check_name, gave
from elo_xl.engine.rulebooks import Rulebook, rulebook
from elo_xl.engine.rulebooks.event import Players

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType

    from elo_xl.engine.arrays import FloatArray
    from elo_xl.questions.check.numbers import Tasks

BROADCAST: Final = 10_000_000
"""Players up to whom all ratings are sent to every machine; those of more are joined."""

_ROWS: Final = 1 << 18
"""Rows that are worked on at a time: each player's sums of so many games are one row."""

_KNOWN: Final = ("rating", "k", "played", "age", "peak")
"""What is known of players, in the order of :class:`Players`."""

_ADDED: Final = ("games", "halves", "chance", "met")
_SUMS: Final = "games long, halves long, chance long, met long"
_LISTS: Final = f"{_SUMS}, each array<struct<rating double, halves long>>"
_RATED: Final = (
    "rating double, new double, period_games long, score double, expected double, change double, "
    "k double"
)


class RatedFrames(NamedTuple):
    """What :func:`rate_period` gives; nothing is computed before one of them is used."""

    ratings: DataFrame
    """a row per player: ``id, rating, new, period_games, score, expected, change, k``"""
    rejects: DataFrame
    """the games that cannot be rated, with all their columns, and the ``reason``"""


def rate_period(
    players: DataFrame, games: DataFrame, rules: str | Path | Rulebook = "fide"
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
    (``us-chess``, ``fide-2022-01`` and others: ``elo-xl rate`` has them).
    """
    from pyspark.sql import functions as of

    book = rulebook(rules)
    if not book.in_any_order:
        raise OptionError(f"under {book.name} the games of a period do not stand alone")
    kind = _ids(games, "games", "white", "black")
    score = _numbers(games, "games", "result")
    known, count, whole = _checked(players, kind)
    lists = not (whole and book.first.by_sums)
    made = games.select(
        of.struct("*").alias("game"),
        *(_key(kind, side).alias(side) for side in ("white", "black")),
        score.alias("score"),
    ).where("score is not null")
    for side in ("white", "black"):
        ratings = known.select(
            of.col("id").alias(side),
            of.col("rating").alias(f"{side}_rating"),
            of.lit(True).alias(f"{side}_known"),
        )
        made = made.join(of.broadcast(ratings) if count <= BROADCAST else ratings, side, "left")
    made = made.withColumn("reason", _reason(made))
    sums = (
        made.where("reason is null")
        .select("white", "black", "white_rating", "black_rating", "score")
        .mapInArrow(
            lambda batches: _sums(book, lists, batches),
            f"id {kind}, {_LISTS if lists else _SUMS}",
        )
        .groupBy("id")
        .agg(
            *(of.sum(name).alias(f"sum_{name}") for name in _ADDED),
            # beside a list Spark adds up by sorting, which takes longer
            *([of.flatten(of.collect_list("each")).alias("each")] if lists else []),
        )
    )
    ratings = known.join(sums, "id", "left").mapInArrow(
        lambda batches: _rated(book, lists, batches), f"id {kind}, {_RATED}"
    )
    return RatedFrames(ratings, made.where("reason is not null").select("game.*", "reason"))


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


def _checked(players: DataFrame, kind: str) -> tuple[DataFrame, int, bool]:
    """The columns of players that are used, the number of players, and whether all ratings are
    small whole numbers; ``kind`` is the type of ids in the games."""
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
        of.max((of.abs("rating") >= SMALL) | (of.col("rating") % 1 != 0)).alias("broken"),
        *(
            of.min(of.when(bad, of.struct("id", name))).alias(name)
            for name, (_, bad) in wrong.items()
        ),
    )
    rows, broken, nameless, twice, *faults = by_id.agg(
        of.sum("rows"),
        of.max("broken"),
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
    return known, rows or 0, not broken


def _reason(games: DataFrame) -> Column:
    """Why a game cannot be rated; null if it can."""
    from pyspark.sql import functions as of

    white, black, score = (of.col(name) for name in ("white", "black", "score"))

    def said(*parts: str | Column) -> Column:
        return of.concat(*(of.lit(x) if isinstance(x, str) else x.cast("string") for x in parts))

    quote = "'" if games.schema["white"].dataType.simpleString() == "string" else ""
    reason = of.when(white.isNull(), "no first player").when(black.isNull(), "no second player")
    for name in ("white", "black"):
        unknown = said(quote, of.col(name), f"{quote} is not in players")
        reason = reason.when(of.col(f"{name}_known").isNull(), unknown)
    return reason.when(
        white == black, said(quote, white, f"{quote} is paired with themselves")
    ).when(~score.isin(0.0, 0.5, 1.0), said("result must be 1, 0.5 or 0, got ", score))


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Spark's small batches as larger ones."""
    import pyarrow as pa

    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= _ROWS:
            yield pa.Table.from_batches(waiting)
            waiting, rows = [], 0
    if rows:
        yield pa.Table.from_batches(waiting)


def _sums(
    book: Rulebook, lists: bool, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """What games add to their players: ``id``, and the columns of :data:`_SUMS`, or _LISTS."""
    import pyarrow as pa

    for games in _gathered(batches):
        both = [chunk for side in ("white", "black") for chunk in games[side].chunks]
        coded = pa.chunked_array(both).combine_chunks().dictionary_encode()
        player = coded.indices.to_numpy()
        ratings = np.empty(len(coded.dictionary))
        ratings[player] = np.concatenate([games["white_rating"], games["black_rating"]])
        adding = Accumulator(Players.known(ratings), book, lists=lists)
        adding.add(player[: len(games)], player[len(games) :], games["score"])
        sums = adding.sums()
        columns = {
            "id": coded.dictionary.take(pa.array(sums.player)),
            "games": sums.games,
            "halves": sums.halves,
            "chance": sums.chance,
            "met": sums.met if sums.met.size else 0 * sums.games,
        }
        if lists:
            count = np.bincount(sums.newcomer, minlength=ratings.size)[sums.player]
            ends = np.append(0, np.cumsum(count)).astype(np.int32)
            each = pa.StructArray.from_arrays([sums.against, sums.scored], ["rating", "halves"])
            columns["each"] = pa.ListArray.from_arrays(ends, each)
        yield pa.RecordBatch.from_pydict(columns)


def _rated(
    book: Rulebook, lists: bool, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """What the sums of players mean: ``id``, and the columns of :data:`_RATED`."""
    import pyarrow as pa
    import pyarrow.compute

    for some in _gathered(batches):
        known = Players.known(*(np.asarray(some[name], dtype=float) for name in _KNOWN))
        row = np.arange(some.num_rows)
        games, halves, chance, opponents = (
            some[f"sum_{name}"].fill_null(0).to_numpy() for name in _ADDED
        )
        one_by_one = row[:0], np.zeros(0), row[:0]
        if lists:
            each = some["each"].combine_chunks()
            length = pa.compute.list_value_length(each).fill_null(0).to_numpy()
            flat = each.flatten()
            against, scored = (np.asarray(flat.field(x)) for x in ("rating", "halves"))
            one_by_one = np.repeat(row, length), against, scored
        period = Period(known, book, lists=lists)
        period.merge(Sums(row, games, halves, chance, opponents, *one_by_one))
        done = period.finish()
        columns = {
            "rating": known.rating,
            "new": done.new,
            "period_games": done.games,
            "score": done.score,
            "expected": done.expected,
            "change": done.change,
            "k": np.where(np.isnan(known.rating), np.nan, done.k),
        }
        made = {name: pa.array(column, from_pandas=True) for name, column in columns.items()}
        yield pa.RecordBatch.from_pydict({"id": some["id"].combine_chunks()} | made)
