"""Columns and tables in, the same kind out: NumPy, pandas, Polars, Arrow, or plain Python.

======================================= =====================================================
given                                   results
======================================= =====================================================
a number                                a float
a list, a NumPy array                   a NumPy array
a Series of pandas or Polars, a column  the same, with the index and the name of the first one
of Arrow
a dict of lists or of arrays            a dict of lists or of arrays
a list of dicts or tuples, a row each   a dict of lists
a structured NumPy array                a structured NumPy array
a data frame, an Arrow table            the same
======================================= =====================================================

NaN and None are blanks. Results have NaN for them in NumPy and pandas, null in Polars and Arrow,
and None in lists. Narwhals, which is optional, speaks to the libraries of data frames; numbers,
lists, arrays and dicts need nothing but NumPy.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from elo_xl.api.later import LateColumns
from elo_xl.engine.arrays import AnyArray, FloatArray
from elo_xl.engine.errors import DomainError, SizeError

if TYPE_CHECKING:
    from decimal import Decimal

    import narwhals as nw
    import typing_extensions as newer  # every type checker brings it along

    from elo_xl.engine.arrays import IntArray

    class _Series(Protocol):
        """A column of pandas or Polars."""

        def to_list(self) -> list[Any]: ...

    class _ArrowColumn(Protocol):
        def to_pylist(self) -> list[Any]: ...

    class _Frame(Protocol):
        """A data frame, an Arrow table, a structured array."""

        @property
        def shape(self) -> tuple[int, ...]: ...

    Number = float | Decimal | np.floating[Any] | np.integer[Any] | None
    Several = Sequence[Number] | Sequence[Sequence[Number]] | npt.NDArray[Any]
    Numbers = Number | Several
    Kind = newer.TypeVar("Kind", bound=_Series | _ArrowColumn | FloatArray, default=FloatArray)
    """The kind of column that comes back: an array, unless a column of a data frame is given."""
    Games = Numbers | Sequence[object] | _Series | _ArrowColumn
    """Numbers of one player's games, which are no column of results."""

    Dict = Mapping[str, object]
    Rows = Sequence[Mapping[str, object]] | Sequence[tuple[object, ...]]
    Columns = dict[str, Any]
    Frame = TypeVar("Frame", bound=_Frame)
    Table = Dict | Rows | _Frame

Of = TypeVar("Of")
"""What a result holds several of."""

AnyColumn = Any
"""A column of any library, or its values."""

# What is given for these decides what comes back: `docs_build/stub.py` makes overloads of them.
NumbersLike = Any
"""A number, a list, an array or a column of a data frame; results are of the kind that is given."""

GamesLike = Any
"""A number per game; a table made of them is a data frame if one of them is a column of one."""

AnyTable = Any
"""A dict of columns, a structured array or a data frame; results are of the kind that is given."""

IN_TUPLES: Final = {"games": ("white", "black", "result"), "players": ("name", "rating")}
"""The columns of tables whose rows are tuples, if these are not named tuples with other names."""

LIBRARIES: Final = ("pandas", "polars", "pyarrow", "modin", "cudf")


def by_element(work: Callable[..., AnyColumn], *given: NumbersLike) -> NumbersLike:
    """What ``work`` gives for arguments that broadcast, in the kind of the first column of them.

    ``work`` gets arrays of one shape or of none, without blanks; where an argument is blank, so is
    the result. If ``work`` gives a list of arrays, this function gives a list of columns.

    Raises SizeError for columns of different lengths or indices, DomainError for what is no number.
    """
    columns = [x if isinstance(x, ArgumentColumn) else ArgumentColumn(x) for x in given]
    kind = same_index(columns)
    arrays = [column.numbers for column in columns]
    try:
        shape = np.broadcast_shapes(*(x.shape for x in arrays))
    except ValueError:
        sizes = ", ".join(str(x.size) for x in arrays if x.ndim)
        raise SizeError(f"columns of different lengths: {sizes}") from None
    # left out before the work is done, which would refuse NaN as out of bounds
    blanks = [np.isnan(x) for x in arrays]
    if any(x.any() for x in blanks):
        known = ~np.broadcast_to(reduce(np.logical_or, blanks), shape)
        arrays = [np.broadcast_to(x, shape)[known] for x in arrays]
    else:
        known = None

    def column(part: npt.ArrayLike) -> NumbersLike:
        result = np.full(shape, np.nan)
        result[... if known is None else known] = part
        return kind.like(result)

    # two infinite ratings have no difference: NaN, without a warning of NumPy's
    with np.errstate(invalid="ignore"):
        done = work(*arrays)
    return [column(x) for x in done] if isinstance(done, list | tuple) else column(done)


class ArgumentColumn:
    """One argument of a function: its numbers, and the kind of column that it is."""

    def __init__(
        self, given: NumbersLike, read: Callable[[AnyColumn], FloatArray] | None = None
    ) -> None:
        # numbers are by far the most frequent
        self.series = None if isinstance(given, float | int) else series(given)
        self._one_chunk = self.series is not None and _chunked(given)[1]
        self.numbers: FloatArray = (read or floats)(given if self.series is None else self.series)

    @property
    def of_games(self) -> FloatArray:
        """One number per game of one player; SizeError for a table of them."""
        if self.numbers.ndim > 1:
            shape = self.numbers.shape
            raise SizeError(f"one list of games is needed, got a table of shape {shape}")
        return self.numbers.reshape(-1)

    def like(self, result: FloatArray) -> NumbersLike:
        """A result in this kind of column."""
        if self.series is None or result.shape != self.numbers.shape:
            return result if result.ndim else result.item()
        native = new_series(self.series.name, result, self.series).to_native()
        index = index_of(self.series)
        if index is not None:
            native.index = index
        return native.combine_chunks() if self._one_chunk else native


def optional(given: NumbersLike, default: npt.ArrayLike) -> ArgumentColumn:
    """A column of options, in which a blank stands for the default, as it does in a cell."""
    column = ArgumentColumn(given)
    column.numbers = np.where(np.isnan(column.numbers), default, column.numbers)
    return column


def games_of(*lists: NumbersLike) -> list[FloatArray]:
    """Lists with one number per game, without the games that have a blank.

    Raises SizeError for tables, lists of different lengths and columns with different indices.
    """
    given = [x if isinstance(x, ArgumentColumn) else ArgumentColumn(x) for x in lists]
    same_index(given)
    columns = [column.of_games for column in given]
    if len({x.size for x in columns}) > 1:
        raise SizeError(f"lists of different lengths: {', '.join(str(x.size) for x in columns)}")
    known = ~np.isnan(columns).any(axis=0)
    return [x[known] for x in columns]


def same_index(columns: Sequence[ArgumentColumn]) -> ArgumentColumn:
    """The column of whose kind results are: the first of a data frame, otherwise any."""
    framed = [column for column in columns if column.series is not None]
    indices = [index for column in framed if (index := index_of(column.series)) is not None]
    for index in indices[1:]:
        if not indices[0].equals(index):
            raise SizeError("columns with different indices: align them first")
    return framed[0] if framed else columns[0]


class GivenTable:
    """A table that is given: its columns by name, and the way back to its kind.

    ``what`` is what messages call it. Raises TypeError for anything that is not a table, SizeError
    for columns of different lengths or of one name, and rows of other lengths.
    """

    def __init__(self, given: AnyTable, what: str) -> None:
        self.what = what
        self.frame: nw.DataFrame[AnyTable] | None = None
        self.structured = False
        narwhals = _narwhals_for(given)
        given, self._batch = _chunked(given)
        if narwhals is not None:
            try:
                self.frame = narwhals.from_native(given, eager_only=True)
            except TypeError:
                raise self._no_table(given) from None
            except narwhals.exceptions.DuplicateError:
                raise SizeError(f"{what} have several columns of one name") from None
            names = self.frame.columns
            if any(isinstance(name, tuple) for name in names):
                parts = f"names of several parts, such as {names[0]!r}"
                raise SizeError(f"columns of {what} have {parts}: join them first")
            named = [name for name in names if isinstance(name, str)]
            if names and not named:
                there = ", ".join(map(repr, names))
                raise SizeError(f"columns of {what} have no names but {there}: name them first")
            columns = {name: self.frame[name] for name in named}
        elif isinstance(given, Mapping):
            where = f"column {{!r}} of {what}".format
            here = given.here if isinstance(given, LateColumns) else given
            columns = {str(name): _listed(x, where(name)) for name, x in here.items()}
            if here is not given:  # in their order, and not worked out unless they are read
                columns = {x: columns.get(x, partial(given.__getitem__, x)) for x in given}
        elif isinstance(given, np.ndarray) and given.dtype.names:
            self.structured = True
            columns = {name: given[name] for name in given.dtype.names}
        elif isinstance(given, list | tuple) and all(isinstance(x, tuple) for x in given):
            columns = self._of_tuples(given)
        elif isinstance(given, list | tuple) and all(isinstance(x, Mapping) for x in given):
            keys = dict.fromkeys(name for row in given for name in row)
            columns = {str(name): [row.get(name) for row in given] for name in keys}
        else:
            raise self._no_table(given)
        self.columns = LateColumns(columns)
        sizes = {name: len(column) for name, column in self.columns.here.items()}
        if len(set(sizes.values())) > 1:
            listed = ", ".join(f"{name} {size}" for name, size in sizes.items())
            raise SizeError(f"columns of {what} of different lengths: {listed}")
        self.size = next(iter(sizes.values()), 0)
        self._codes: dict[str, tuple[AnyArray, list[AnyColumn]]] = {}
        self.own = tuple(self.columns)
        """the names of its columns; ``columns`` may have more, for the same columns"""

    def named(
        self, columns: Mapping[str, str | Sequence[str]] | None, between: str = ""
    ) -> GivenTable:
        """The table, with further names of columns; texts of several columns stand together, with a
        sign ``between`` them, except blanks. SizeError for a column that is not there."""
        for name, own in (columns or {}).items():
            if isinstance(own, str):
                self.columns[name] = self.column(own)
                continue
            rows = zip(*map(self.values, own), strict=True)
            self.columns[name] = [
                between.join(str(part) for part in row if not blank(part)) for row in rows
            ]
        return self

    def _of_tuples(self, rows: Sequence[tuple[object, ...]]) -> dict[str, AnyColumn]:
        """The columns of rows without names, or with those of a named tuple."""
        names = IN_TUPLES.get(self.what, ())
        if rows:
            names = getattr(rows[0], "_fields", names)
        for at, row in enumerate(rows):
            if len(row) != len(names):
                wanted = f"a row of {self.what} is ({', '.join(names)})"
                raise SizeError(f"{wanted}, got {len(row)} values @ row {at}")
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def _no_table(self, given: object) -> TypeError:
        if hasattr(given, "collect"):
            return TypeError(f"{self.what} must be a table: call collect() on the LazyFrame first")
        wanted = "a table, such as a dict of columns or a data frame"
        return TypeError(f"{self.what} must be {wanted}, got {type(given).__name__}")

    def column(self, name: str) -> AnyColumn:
        """A column that must be there; raises SizeError, naming those that are, if it is not."""
        if name not in self.columns:
            there = ", ".join(self.columns) or "none"
            index = None if self.frame is None else index_of(self.frame)
            if index is not None and name in index.names:
                there += f"; {name!r} is in the index: call reset_index() first"
            raise SizeError(f"{self.what} need a column {name!r}; the columns are: {there}")
        return self.columns[name]

    def values(self, name: str) -> list[AnyColumn]:
        """The values of a column that must be there, as Python's own."""
        column = self.column(name)
        if isinstance(column, np.ndarray):
            # of nanoseconds NumPy makes numbers, of others dates
            column = (column.astype("M8[us]") if column.dtype.kind == "M" else column).tolist()
        if isinstance(column, list):
            return column
        values: list[object] = column.to_list()
        if column.implementation.is_pandas_like() and column.is_null().any():
            # pandas has blanks that compare with nothing
            nulls = column.is_null().to_list()
            return [None if null else value for value, null in zip(values, nulls, strict=True)]
        return values

    def codes(self, name: str) -> tuple[AnyArray, list[AnyColumn]]:
        """What :meth:`coded` gives, in any order, with values that no row has, and at once where
        the column's library keeps codes."""
        if name not in self._codes:
            self._codes[name] = _coded(self.column(name))
        return self._codes[name]

    def coded(self, name: str) -> tuple[IntArray, list[AnyColumn]]:
        """A column that must be there as its different values, in the order of their first rows,
        and for each row the number of its value; -1 may stand for a blank."""
        if isinstance(self.column(name), list | np.ndarray):
            return self.codes(name)  # these are numbered in that order
        return _as_they_come(*self.codes(name))

    def numbers(self, name: str, *, needed: bool = False) -> FloatArray:
        """A column as floats, NaN for blanks; all blank if it is not there and not needed."""
        if name not in self.columns and not needed:
            return np.full(self.size, np.nan)
        column = f"column {name!r} of {self.what}"
        numbers = floats(self.column(name), column)
        if numbers.ndim != 1:
            raise SizeError(f"one number a row is needed @ {column}")
        return numbers

    def like(self, columns: Mapping[str, AnyColumn], *kept: str) -> AnyTable:
        """A table of this kind: columns of this one that are ``kept``, and then new ones, of which
        functions give some, in a dict only when they are read."""
        if self.frame is not None or self.structured:
            columns = LateColumns(columns)
        if self.frame is not None:
            made = {name: new_series(name, x, self.frame) for name, x in columns.items()}
            if kept:
                # from the frame itself, so that its index and its types stay
                return self._own(self.frame.select(*kept).with_columns(*made.values()))
            import narwhals

            return self._own(narwhals.from_dict(made, backend=self.frame.implementation))
        table = {name: self.columns[name] for name in kept} | dict(columns)
        if self.structured:
            parts = {name: np.asarray(x) for name, x in table.items()}
            kinds = [(name, x.dtype) for name, x in parts.items()]
            rows = np.empty(len(next(iter(parts.values()))), kinds)
            for name, x in parts.items():
                rows[name] = x
            return rows
        listed = all(isinstance(x, list) for x in self.columns.here.values())
        kind: Callable[[AnyColumn], AnyColumn] = _plain if listed else np.asarray
        late = {name: lambda x=x: kind(x()) for name, x in table.items() if callable(x)}
        done: Columns = {x: late[x] if x in late else kind(y) for x, y in table.items()}
        return LateColumns(done) if late else done

    def _own(self, frame: nw.DataFrame[AnyTable]) -> AnyTable:
        """A frame in the kind that was given, which for Arrow may be a RecordBatch."""
        native = frame.to_native()
        if not self._batch:
            return native
        from pyarrow import RecordBatch

        columns = [column.combine_chunks() for column in native.columns]
        return RecordBatch.from_arrays(columns, names=native.column_names)


def _coded(column: AnyColumn) -> tuple[AnyArray, list[AnyColumn]]:
    """The work of :meth:`GivenTable.codes`, by the column's own library where it has one."""
    if isinstance(column, list | np.ndarray):
        values = column if isinstance(column, list) else column.tolist()
        index: defaultdict[object, int] = defaultdict(count().__next__)
        return np.fromiter(map(index.__getitem__, values), np.int64, len(values)), list(index)
    import narwhals

    native = column.to_native()
    if column.implementation.is_pandas_like():
        if column.dtype in (narwhals.Categorical, narwhals.Enum):
            return native.cat.codes.to_numpy(), native.cat.categories.tolist()
        if getattr(native.dtype, "storage", "") != "pyarrow":
            codes, different = native.factorize()
            return np.asarray(codes, dtype=np.int64), different.tolist()
        native = native.array.__arrow_array__()  # three times as fast as factorize
    if column.implementation.is_pyarrow() or column.implementation.is_pandas_like():
        coded = native.dictionary_encode().combine_chunks()
        codes = coded.indices.cast("int64").fill_null(-1).to_numpy()
        return codes, coded.dictionary.to_pylist()
    values = column.unique(maintain_order=True).to_list()
    codes = column.replace_strict(values, list(range(len(values))), return_dtype=narwhals.Int64)
    return codes.to_numpy(), values


def _as_they_come(codes: AnyArray, values: list[AnyColumn]) -> tuple[IntArray, list[AnyColumn]]:
    """Codes for the values that occur, in the order of their first rows; -1 stays.

    >>> codes, values = _as_they_come(np.array([2, -1, 0, 2]), ["Ana", "Bo", "Cy"])
    >>> codes.tolist(), values
    ([0, -1, 1, 0], ['Cy', 'Ana'])
    """
    first = np.full(len(values) + 1, codes.size)
    first[codes[::-1]] = np.arange(codes.size)[::-1]  # of several rows, the last one written stays
    order = np.argsort(first[:-1])[: np.count_nonzero(first[:-1] < codes.size)]
    code = np.full(len(values) + 1, -1)
    code[order] = np.arange(order.size)
    return code[codes], [values[i] for i in order]


def plain_numbers(column: AnyColumn) -> AnyArray | None:
    """A column that holds numbers, and no blank but NaN, as an array; None for any other.

    >>> plain_numbers([7, 3]).tolist(), plain_numbers(["1-0", 0.5]), plain_numbers([1, None])
    ([7, 3], None, None)
    """
    if isinstance(column, list):
        # texts would take long to become an array
        number = bool(column) and isinstance(column[0], int | float)
        column = np.asarray(column) if number else None
    elif not isinstance(column, np.ndarray):
        column = column.to_numpy() if column.dtype.is_numeric() else None
    fit = column is not None and column.dtype.kind in "iuf" and not hasattr(column, "mask")
    return column if fit else None


_NA: Final = "NAType"
"""The blank of pandas, in columns of any values; its module takes long to load."""


def blank(value: object) -> bool:
    """Whether a value of a column is a blank: None, NaN, an empty text, pandas' own blank."""
    if type(value) is str:
        return not value
    # what is compared with the blank of pandas is that blank again, and no truth
    return type(value).__name__ == _NA or value is None or value == "" or value != value


def series(given: object) -> nw.Series[AnyColumn] | None:
    """A column of a data frame, as narwhals sees it; None for anything else."""
    narwhals = _narwhals_for(given)
    if narwhals is None:
        return None
    read = narwhals.from_native(_chunked(given)[0], allow_series=True, pass_through=True)
    if isinstance(read, narwhals.DataFrame | narwhals.LazyFrame):
        raise TypeError(f"a column is needed, got a whole {type(given).__name__}")
    return read if isinstance(read, narwhals.Series) else None


def _chunked(given: AnyColumn) -> tuple[AnyColumn, bool]:
    """An Array or RecordBatch of Arrow, which narwhals refuses, in one chunk; whether it was."""
    if type(given).__module__ == "pyarrow.lib":
        import pyarrow

        if isinstance(given, pyarrow.Array):
            return pyarrow.chunked_array([given]), True
        if isinstance(given, pyarrow.RecordBatch):
            return pyarrow.Table.from_batches([given]), True
    return given, False


def new_series(name: str, values: object, like: AnyColumn) -> nw.Series[AnyColumn]:
    """A column of the library of ``like``, another column or a frame; blanks as that has them."""
    import narwhals

    if not isinstance(values, np.ndarray):
        return narwhals.new_series(name, values, backend=like.implementation)
    made = narwhals.new_series(name, np.ascontiguousarray(values), backend=like.implementation)
    if values.dtype.kind == "f" and not like.implementation.is_pandas_like():
        made = made.fill_nan(None)
    return made


def index_of(column: AnyColumn) -> AnyColumn:
    """The index of a column of pandas and its kin; None for others."""
    import narwhals

    return narwhals.maybe_get_index(column)


def _narwhals_for(given: object) -> ModuleType | None:
    """Narwhals, for columns and tables of the libraries that it knows; otherwise None.

    Raises ModuleNotFoundError, with the command that helps, where it is missing.
    """
    library = type(given).__module__.partition(".")[0]
    if library not in LIBRARIES:
        return None
    try:
        import narwhals
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"columns and tables of {library} need narwhals: pip install narwhals", name="narwhals"
        ) from None
    return narwhals


def floats(given: NumbersLike, where: str = "") -> FloatArray:
    """Numbers as floats, NaN for blanks; DomainError for any other value, TypeError for anything
    that is neither a number nor a column."""
    if type(given).__name__ == _NA:
        given = None
    # without its module, which takes long to load, nobody has an array with a mask
    if "numpy.ma" in sys.modules and isinstance(given, np.ma.MaskedArray):
        given = np.ma.filled(given.astype(float), np.nan)
    try:
        if hasattr(given, "cast"):
            import narwhals

            if given.dtype.is_temporal():
                raise TypeError("a date is no number, though it can be made one")
            return np.asarray(given.cast(narwhals.Float64).to_numpy(), dtype=float)
        if isinstance(given, np.ndarray) and given.dtype.kind in "mM":
            raise TypeError("a date is no number, though it can be made one")
        return np.asarray(np.nan if given is None else given, dtype=float)
    except Exception:
        # every library has errors of its own: the value at fault is more telling
        values = np.asarray(given.to_list() if hasattr(given, "to_list") else given, object)
        if not values.ndim and not isinstance(given, str):
            kind = type(given).__name__
            raise TypeError(f"a number or a column is needed, got {kind}") from None
        numbers, missing = np.empty(values.size), False
        for row, value in enumerate(values.flat):
            try:
                absent = type(value).__name__ == _NA
                numbers[row] = np.nan if absent or value is None else float(value)
                missing |= absent
            except (TypeError, ValueError):
                place = ", ".join(filter(None, (f"row {row}" if values.ndim else "", where)))
                wrong = f"a number is needed, got {value!r}"
                raise DomainError(f"{wrong} @ {place}" if place else wrong) from None
        if missing:
            return numbers.reshape(values.shape)
        raise


def _listed(column: AnyColumn, where: str) -> AnyColumn:
    """A column of a dict as a list, an array or a column of a data frame."""
    read = series(column)
    if read is not None:
        return read
    if isinstance(column, list | np.ndarray):
        return column
    if isinstance(column, str | bytes | Mapping) or not hasattr(column, "__getitem__"):
        kind = type(column).__name__
        raise TypeError(f"{where} must be a list, an array or a column of a data frame, got {kind}")
    return list(column)


def _plain(values: AnyColumn) -> list[object]:
    if isinstance(values, np.ndarray):
        kind, values = values.dtype.kind, values.tolist()
        if kind == "f":
            return [None if value != value else value for value in values]
    return [None if blank(value) else value for value in values]
