"""The component that LibreOffice loads. The build copies this file into the add-in.

Calc asks for a method by its name, which holds the name of a function. From its first call on a
method is an attribute, so that Calc finds it without further help from us.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from itertools import chain
from typing import TYPE_CHECKING

import uno
import unohelper
from com.sun.star.sheet import ResultEvent, XVolatileResult
from org.eloxl.addin import XEloFunctions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from com.sun.star.sheet import XResultListener
    from com.sun.star.uno import XComponentContext

PYTHON = "{}.{}".format(*sys.version_info)
ADVICE = (
    f"elo_xl: LibreOffice's Python {PYTHON} lacks NumPy and SciPy; run: "
    "elo-xl addin libreoffice --install"
    if sys.version_info >= (3, 10)
    else f"elo_xl: needs a LibreOffice with Python 3.10 or newer, this one has {PYTHON}"
)

SYSTEM = (
    sysconfig.get_platform().replace("-", "_")
    if os.name == "nt"
    else f"{sys.platform}_{os.uname().machine}"
)
HERE = os.path.dirname(__file__)
WHEELS = os.path.join(HERE, "wheels", f"cp{PYTHON.replace('.', '')}-{SYSTEM}")
# Before other folders, which may hold other versions of these packages.
sys.path[:0] = [os.path.join(HERE, "pythonpath"), *([WHEELS] if os.path.isdir(WHEELS) else [])]


class Several(unohelper.Base, XVolatileResult):  # type: ignore[misc]
    """A result of several cells from a method that usually returns one.

    Calc takes rows from such a method only if they are announced to a listener.
    """

    def __init__(self, rows: Sequence[Sequence[object]]) -> None:
        self.rows = rows

    def addResultListener(self, listener: XResultListener) -> None:  # noqa: N802
        kinds = set(map(type, chain.from_iterable(self.rows)))
        cell = {float: "double", str: "string"}[kinds.pop()] if len(kinds) == 1 else "any"
        result = ResultEvent()
        result.Source, result.Value = self, uno.Any(f"[][]{cell}", self.rows)
        del self.rows  # Calc keeps this object, and the result separately
        listener.modified(result)

    def removeResultListener(self, listener: XResultListener) -> None:  # noqa: N802
        pass


class EloFunctions(unohelper.Base, XEloFunctions):  # type: ignore[misc]
    def __init__(self, context: XComponentContext) -> None:
        self.context = context

    def __getattr__(self, name: str) -> Callable[..., object]:
        if "ELO_" not in name:
            raise AttributeError(name)
        method: Callable[..., object]
        try:
            from elo_xl.hosts.libreoffice.adapter import connect
        except Exception:  # noqa: BLE001  an old Python or a foreign build may raise anything
            advice = ((ADVICE,),) if self.returns(name) == "[][]any" else ADVICE

            def method(*cells: object) -> object:
                return advice
        else:
            method = connect(name[name.index("ELO_") :], Several, ADVICE)
        setattr(self, name, method)
        return method

    def returns(self, name: str) -> str:
        """The declared type of a method's result."""
        create = self.context.ServiceManager.createInstanceWithContext
        reflection = create("com.sun.star.reflection.CoreReflection", self.context)
        method = reflection.forName("org.eloxl.addin.XEloFunctions").getMethod(name)
        return str(method.getReturnType().getName())


g_ImplementationHelper = unohelper.ImplementationHelper()  # noqa: N816  LibreOffice's name for it
g_ImplementationHelper.addImplementation(
    EloFunctions, "org.eloxl.addin.EloFunctions", ("com.sun.star.sheet.AddIn",)
)
