"""What makes the add-in for Excel on Windows: ``python -m excel_build`` writes into elo_xl_excel.

It needs xlwings, whose module the files contain, and pyOpenVBA, which writes VBA projects.
"""

from __future__ import annotations

from elo_xl.functions.catalogue import functions
from elo_xl.functions.names import check
from elo_xl.hosts.excel_addin import ADDIN, CLUB_PROJECT, LICENCE, WORKBOOK
from excel_build import contents, vba


def fresh() -> dict[str, bytes]:
    """The files of :mod:`elo_xl.hosts.excel_addin` by their names.

    The same catalogue and the same xlwings give the same parts. Raises NamesError for names that
    Excel would refuse, AddinError if there is another xlwings than the one that is meant.
    """
    known = list(functions().values())
    check(known)
    return {
        ADDIN: contents.addin(known),
        WORKBOOK: contents.workbook(known),
        CLUB_PROJECT: vba.club_project(),
        LICENCE: vba.xlwings_licence().encode(),
    }
