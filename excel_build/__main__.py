"""Write the add-in and the workbook into the package: python -m excel_build."""

from __future__ import annotations

from pathlib import Path

import elo_xl_excel
from elo_xl.hosts import excel_addin
from elo_xl.xlsx.files import write_whole
from elo_xl.xlsx.in_place import read_parts
from excel_build import fresh

for name, content in fresh().items():
    path = Path(elo_xl_excel.__file__).with_name(name)
    # what is inside: another zlib packs the same parts otherwise
    packed = name in (excel_addin.ADDIN, excel_addin.WORKBOOK)
    if not (path.exists() and packed and read_parts(path.read_bytes()) == read_parts(content)):
        write_whole(path, content)
