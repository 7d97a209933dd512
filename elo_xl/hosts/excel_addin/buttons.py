"""A workbook with macros: its VBA project, and buttons on a sheet that run them.

A button is a form control in the form that every Excel since 2007 reads: a shape in VML, of which
the sheet has one part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape

from lxml import etree

from elo_xl.hosts.excel_addin import AddinError
from elo_xl.xlsx.in_place import read_parts, with_parts
from elo_xl.xlsx.opc import (
    BOOK,
    BOOK_RELATIONSHIPS,
    CONTENT_TYPES,
    MAIN,
    OFFICE,
    PACKAGE,
    TYPES,
    Parts,
    add_relation,
    add_type,
    from_bytes,
    relations_of,
    sheet_parts,
    to_bytes,
)

VBA_PART: Final = "xl/vbaProject.bin"
VBA_TYPE: Final = "application/vnd.ms-office.vbaProject"
VBA_RELATION: Final = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"

DRAWING: Final = "xl/drawings/vmlDrawing1.vml"
DRAWING_TYPE: Final = "application/vnd.openxmlformats-officedocument.vmlDrawing"
DRAWING_RELATION: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/vmlDrawing"
)

_BEHIND: Final = (
    *("legacyDrawingHF", "drawingHF", "picture", "oleObjects", "controls", "webPublishItems"),
    *("tableParts", "extLst"),
)
"""The elements of a sheet that follow the reference to its VML."""

_SHAPES: Final = """\
<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"\
 xmlns:x="urn:schemas-microsoft-com:office:excel">
<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>
<v:shapetype id="_x0000_t201" coordsize="21600,21600" o:spt="201" path="m,l,21600r21600,l21600,xe">
<v:stroke joinstyle="miter"/>
<v:path shadowok="f" o:extrusionok="f" strokeok="f" fillok="f" o:connecttype="rect"/>
<o:lock v:ext="edit" shapetype="t"/></v:shapetype>
{buttons}
</xml>
"""

_BUTTON: Final = """\
<v:shape id="_x0000_s{number}" type="#_x0000_t201" style="position:absolute;z-index:{order}"\
 o:button="t" fillcolor="buttonFace [67]" strokecolor="windowText [64]" o:insetmode="auto">
<v:fill color2="buttonFace [67]" o:detectmouseclick="t"/><o:lock v:ext="edit" rotation="t"/>
<v:textbox style="mso-direction-alt:auto" o:singleclick="f">
<div style="text-align:center"><font face="Calibri" size="220" color="#000000">{label}</font></div>
</v:textbox>
<x:ClientData ObjectType="Button"><x:Anchor>{anchor}</x:Anchor>
<x:PrintObject>False</x:PrintObject><x:AutoFill>False</x:AutoFill>
<x:FmlaMacro>[0]!{macro}</x:FmlaMacro>
<x:TextHAlign>Center</x:TextHAlign><x:TextVAlign>Center</x:TextVAlign></x:ClientData></v:shape>"""

_FROM, _WIDE, _ROOM = 3, 2, "0, 5, {last}, 0, 0, 33"
"""Buttons stand in the first row from the fourth column on, each as wide as two columns."""


def project_types(types: bytes, kind: str) -> bytes:
    """The types of a package that becomes one with macros: ``addin``, or ``sheet`` for a book."""
    root = from_bytes(types)
    for override in root.iter(f"{TYPES}Override"):
        if override.get("PartName") == f"/{BOOK}":
            override.set("ContentType", f"application/vnd.ms-excel.{kind}.macroEnabled.main+xml")
    add_type(root, VBA_PART, VBA_TYPE)
    return to_bytes(root)


def project_relation(relations: bytes) -> bytes:
    """The relationships of a workbook that gets a VBA project."""
    root = from_bytes(relations)
    add_relation(root, VBA_RELATION, VBA_PART.rpartition("/")[2])
    return to_bytes(root)


def with_buttons(workbook: bytes, project: bytes, title: str, macros: Mapping[str, str]) -> bytes:
    """A workbook without macros as one with a project and buttons on a sheet.

    ``macros`` are their names by the labels of their buttons. Raises WorkbookError for what is no
    workbook, AddinError for one whose sheet has drawings or that has macros.
    """
    parts = read_parts(workbook)
    titles = sheet_parts(parts)
    sheet = titles[title]
    if VBA_PART in parts or relations_of(sheet) in parts or DRAWING in parts:
        raise AddinError("it has macros or drawings of its own: no buttons can be put into it")
    changed: Parts = {VBA_PART: project, DRAWING: _drawn(macros)}
    types = from_bytes(project_types(parts[CONTENT_TYPES], "sheet"))
    types.insert(0, etree.Element(f"{TYPES}Default", Extension="vml", ContentType=DRAWING_TYPE))
    changed[CONTENT_TYPES] = to_bytes(types)
    changed[BOOK_RELATIONSHIPS] = project_relation(parts[BOOK_RELATIONSHIPS])
    changed[BOOK] = _named(parts[BOOK], "workbookPr", "ThisWorkbook")
    for number, name in enumerate(titles.values(), start=1):
        changed[name] = _named(parts[name], "sheetPr", f"Sheet{number}")
    relations = from_bytes(f'<Relationships xmlns="{PACKAGE[1:-1]}"/>'.encode())
    # from the folder of the sheets
    target = f"../{DRAWING.removeprefix('xl/')}"
    leads = add_relation(relations, DRAWING_RELATION, target)
    changed[relations_of(sheet)] = to_bytes(relations)
    root = from_bytes(changed[sheet])
    drawing = etree.Element(f"{MAIN}legacyDrawing", nsmap={"r": OFFICE[1:-1]})
    drawing.set(f"{OFFICE}id", leads)
    behind = next((e for e in root if etree.QName(e).localname in _BEHIND), None)
    if behind is None:
        root.append(drawing)
    else:
        behind.addprevious(drawing)
    changed[sheet] = to_bytes(root)
    return with_parts(workbook, changed)


def _named(part: bytes, element: str, name: str) -> bytes:
    """A part with the name by which the project knows it."""
    root = from_bytes(part)
    properties = root.find(f"{MAIN}{element}")
    if properties is None:
        properties = etree.Element(f"{MAIN}{element}")
        root.insert(0, properties)
    properties.set("codeName", name)
    return to_bytes(root)


def _drawn(macros: Mapping[str, str]) -> bytes:
    shapes = []
    for order, (label, macro) in enumerate(macros.items()):
        first = _FROM + order * _WIDE
        anchor = f"{first}, 6, {_ROOM.format(last=first + _WIDE)}"
        shapes.append(
            _BUTTON.format(number=1025 + order, order=order + 1, label=escape(label),
                           anchor=anchor, macro=macro)
        )  # fmt: skip
    return _SHAPES.format(buttons="\n".join(shapes)).encode()
