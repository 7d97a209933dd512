"""Columns of a dict that are worked out when somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


class LateColumns(dict[str, Any]):
    """A dict of columns; one that is a function is worked out when it is read for the first time.

    Copies and pickles are plain dicts, with all columns.
    """

    @property
    def here(self) -> dict[str, Any]:
        """The columns that are worked out."""
        return {name: column for name, column in super().items() if not callable(column)}

    def __getitem__(self, name: str) -> Any:
        column = super().__getitem__(name)
        if callable(column):
            column = self[name] = column()
        return column

    def __iter__(self) -> Iterator[str]:
        return super().__iter__()  # has dict() and ** read columns by the method above

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


def _of_all(name: str) -> Callable[..., Any]:
    """A method of dicts that sees all columns, so they are worked out first."""
    method = getattr(dict, name)

    def work(columns: LateColumns, *given: Any) -> Any:
        for each in columns:
            columns[each]
        return method(columns, *given)

    return work


for _name in (
    "__eq__", "__ne__", "__or__", "__repr__", "__ror__",
    "copy", "items", "pop", "popitem", "setdefault", "values",
):  # fmt: skip
    setattr(LateColumns, _name, _of_all(_name))
