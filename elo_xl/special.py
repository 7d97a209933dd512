"""SciPy's special functions, without the rest of SciPy where that is possible."""

from __future__ import annotations

import sys
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from numpy import ufunc

_PACKAGE: Final = "scipy.special"


@cache
def special(name: str) -> ufunc:
    """A function of ``scipy.special`` by its name.

    >>> special("ndtr")(0).item()
    0.5

    ``import scipy.special`` takes twice as long as ``import numpy``, as it loads nearly all of
    NumPy's optional modules, its translator of Fortran among them. Many functions, the normal curve
    among them, are in a compiled module there that needs NumPy alone, so they are taken from it:
    they are the same functions. Where SciPy is arranged in another way, all of it is imported.

    Raises ModuleNotFoundError without SciPy, AttributeError for a name that it does not have.
    """
    function: ufunc | None = getattr(_compiled(), name, None)
    if function is None:
        import scipy.special

        function = getattr(scipy.special, name)
    return function


@cache
def _compiled() -> ModuleType | None:
    """The compiled module of SciPy's own special functions, None if there is none."""
    import scipy  # first, as it tells Windows where SciPy's libraries are

    name = f"{_PACKAGE}._special_ufuncs"
    if _PACKAGE in sys.modules or name in sys.modules:
        return sys.modules.get(name)
    spec = PathFinder.find_spec(name, [f"{folder}/special" for folder in scipy.__path__])
    if spec is None or spec.loader is None:
        return None
    try:
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError:
        return None
    return module
