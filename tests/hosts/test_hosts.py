"""The two shapes of hosts: mypy checks the lists, the test what types cannot say."""

import openpyxl
import pytest

from elo_xl.books import flavours
from elo_xl.hosts import FLAVOURS, Installation, WorkbookHost, addin_link, lambdas, xlwings_lite
from elo_xl.hosts.excel_addin.windows import Computer
from elo_xl.hosts.libreoffice.install import Office
from elo_xl.xlsx.in_place import WorkbookError
from elo_xl.xlsx.package import package

IN_A_WORKBOOK: list[WorkbookHost] = [addin_link, lambdas, xlwings_lite]
IN_A_PROGRAM: list[type[Installation]] = [Computer, Office]


@pytest.mark.slow
@pytest.mark.parametrize("host", IN_A_WORKBOOK, ids=["addin_link", "lambdas", "xlwings_lite"])
def test_a_second_time_changes_nothing(host: WorkbookHost) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = "=ELO_EXPECTED(1834,2179)"
    once = host.put_into(package(book, {}))

    assert once == host.put_into(once)
    with pytest.raises(WorkbookError, match="it is not a workbook"):
        host.put_into(b"no")


def test_flavours_stand_in_one_list() -> None:
    assert FLAVOURS == tuple(flavours.FLAVOURS)
