"""Excel on Windows: the add-in ``elo_xl.xlam``, or one workbook with the functions in it.

A function is a few lines of VBA that hand its arguments to xlwings' server, which calls
:mod:`elo_xl.hosts.xlwings_udfs` in the user's Python. Nothing has to be imported in Excel, and its
VBA projects need not be open to programs. This side maps cells like this:

* blank: Empty; an omitted argument becomes Empty too, or at the end is not sent at all.
* errors: in as Excel's error values, out from their texts by CVErr, also inside arrays. #VALUE!
  where Python cannot be reached or fails; ``=ELO_LAST_ERROR()`` then says why.
* booleans: as they are.
* numbers: Double, also for dates and Currency, because a range is read as Value2.
* arrays: a range becomes its values before Python sees it; one of several areas is #VALUE!.

The files lie ready in a package of their own, elo_xl_excel, so that they can be signed, and nobody
else has files with macros. ``excel_build`` makes them from the catalogue. They contain xlwings'
module, under its BSD licence.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Final

from elo_xl.addresses import PACKAGE, PUBLISHED
from elo_xl.xlsx.files import write_whole

ADDIN: Final = "elo_xl.xlam"
WORKBOOK: Final = "elo_xl.xlsm"

LICENCE: Final = "elo_xl-xlwings-licence.txt"
"""The file for xlwings' licence, beside each file that contains its module."""

XLWINGS: Final = "xlwings>=0.30,<1"
"""What pip is asked for; the extra ``excel`` of the package brings the same."""

LIBRARY: Final = "elo_xl{bits}.dll"
"""The copy of xlwings' library for an Excel of 64 or 32 bits, beside the settings: the add-in loads
it, since the library's own name has the version of xlwings in it."""

FILES: Final = "elo_xl_excel"
"""The package with the files, of which elo-xl is free."""

LACKS_FILES: Final = (
    f"the package {PACKAGE}-excel is missing, which has the files with macros: `py -m pip install "
    + (f"{PACKAGE}-excel`" if PUBLISHED else f"./{FILES}` in your copy of the project")
)

UDF_MODULE: Final = "elo_xl.hosts.xlwings_udfs"
"""The Python module that xlwings' server loads for a call."""

CLUB_MODULE: Final = "elo_xl.club.macros"
"""The Python module that it loads for the macros EloClose and EloUndo."""

CLUB_PROJECT: Final = "elo_xl_club.bin"
"""The VBA project of a club's book with buttons, which call these macros of the add-in."""

SETTINGS: Final = "elo_xl"
"""The name of the sheet, the file and the folder of settings."""


class AddinError(Exception):
    """The add-in cannot be built or installed here; the message says what helps."""


def build(folder: Path, *, workbook: bool = False) -> Path:
    """Write the add-in or the workbook into a folder, with xlwings' licence; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / (WORKBOOK if workbook else ADDIN)
    for path in (folder / LICENCE, target):
        write_whole(path, content(path.name))
    return target


def content(name: str = ADDIN) -> bytes:
    """The bytes of a file that lies ready: the add-in, the workbook or xlwings' licence.

    Raises AddinError where the package with them is not installed.
    """
    try:
        return resources.files(FILES).joinpath(name).read_bytes()
    except ModuleNotFoundError:
        raise AddinError(LACKS_FILES) from None
