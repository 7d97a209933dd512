"""The exceptions: each has a message that quotes the offending value; the engine's are ValueErrors.

``EloError`` is the base of all, with two branches::

    EloError
    ├── RatingError          input from which no rating can be computed
    │   ├── DomainError      a number outside its domain
    │   ├── OptionError      an unknown option
    │   └── SizeError        lists that do not fit together, a player who is not in the list
    └── EventError           a file that cannot be understood (:mod:`elo_xl.events.event`)
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from elo_xl.english import meant
from elo_xl.public import own


class EloError(Exception):
    """Whatever elo_xl refuses: the base of its exceptions."""


class RatingError(EloError, ValueError):
    """Input from which no rating can be computed: DomainError, OptionError, SizeError."""


class DomainError(RatingError):
    """A number outside its domain: a score of 1.5, a K factor below 0."""


class OptionError(RatingError):
    """An unknown option, or an invalid combination of options."""


class SizeError(RatingError):
    """Lists or columns that do not fit together, a column or a player who is not there."""


def quoted(value: object) -> str:
    """One value, an element of an array or any object, as messages quote it.

    >>> quoted(np.array(["Ana"])[0]), quoted(np.array([1.5, None])[0])
    ("'Ana'", '1.5')
    """
    return repr(value.item() if isinstance(value, np.generic) else value)


def require(ok: npt.ArrayLike, what: str, values: npt.ArrayLike) -> None:
    """Raise DomainError ``what, got VALUE`` for the first value where ``ok`` is false.

    >>> require([True, False], "score must be between 0 and 1", [0.5, 1.5])
    Traceback (most recent call last):
    ...
    elo_xl.DomainError: score must be between 0 and 1, got 1.5
    """
    good = np.asarray(ok)
    if np.count_nonzero(good) == good.size:
        return
    good, value = np.broadcast_arrays(good, np.asarray(values))
    if not good.all():
        raise DomainError(f"{what}, got {value[~good].flat[0]}")


def choose(option: object, known: Iterable[str], what: str, otherwise: str = "") -> str:
    """The option as the engine spells it.

    >>> choose("Normal", ["normal", "logistic"], "model")
    'normal'

    Raises OptionError, naming the known options, for any other; ``otherwise`` is the end of its
    message where no option is like it.
    """
    options = tuple(known)
    word = option.lower() if isinstance(option, str) else ""
    if word in options:
        return word
    wrong = f"{what} must be one of {', '.join(options)}, got {option!r}"
    raise OptionError(wrong + (meant(word, options) or otherwise))


def by_index(value: object) -> SizeError:
    """What to raise for a player of a game who is not given by index.

    >>> by_index("Ana")
    SizeError("players of a game are given by index, got 'Ana': elo_xl.rate_period takes names")
    """
    hint = ": elo_xl.rate_period takes names" if isinstance(value, str) else ""
    return SizeError(f"players of a game are given by index, got {quoted(value)}{hint}")


own(vars())
