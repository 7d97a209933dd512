"""xlwings Lite, in Excel on Mac, web and Windows: the functions inside one workbook.

xlwings Lite is an add-in from the Office store that runs Python in the browser built into Excel.
It keeps a workbook's code in the workbook, as properties of its own web extension: three lines of
``main.py``, which call :func:`elo_xl.hosts.xlwings_udfs.bind` there, and ``requirements.txt``. How
cells map is described in that module. In the file, formulas call such a function with a prefix:

* as typed and shown: ``=ELO_EXPECTED(A2,B2)``
* as stored: ``_xldudf_ELO_EXPECTED(A2,B2)``
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import count
from posixpath import basename, dirname, join, normpath
from typing import Any, Final

from lxml import etree

import elo_xl
from elo_xl.functions.calls import PREFIX, renamed
from elo_xl.functions.catalogue import functions
from elo_xl.functions.names import check
from elo_xl.xlsx.in_place import read_parts, rewrite_parts, with_parts
from elo_xl.xlsx.opc import (
    CONTENT_TYPES,
    OFFICE,
    PACKAGE,
    RELATIONSHIPS,
    Element,
    Parts,
    add_relation,
    add_type,
    from_bytes,
    to_bytes,
)

MAIN: Final = """\
import xlwings
from elo_xl.hosts.xlwings_udfs import bind
bind(globals(), xlwings)
"""

REQUIREMENTS: Final = ("xlwings>=0.37,<1", f"elo-xl>={elo_xl.__version__}")

STORE: Final = "wa200008175"
"""xlwings Lite in the Office store."""

_SETTINGS: Final = {"startupBehavior": "taskpane"}  # otherwise the functions wait for a click
_WE: Final = "http://schemas.microsoft.com/office/webextensions/webextension/2010/11"
_PANES: Final = "http://schemas.microsoft.com/office/webextensions/taskpanes/2010/11"
_EXTENSION_RELATION: Final = "http://schemas.microsoft.com/office/2011/relationships/webextension"
_PANES_RELATION: Final = f"{_EXTENSION_RELATION}taskpanes"
_FOLDER: Final = "xl/webextensions"
_MEDIA: Final = "application/vnd.ms-office.webextension"

_EXTENSION: Final = f"""\
<we:webextension xmlns:we="{_WE}" id="{{2B7B4E0C-9F6D-4E57-8B0E-3E1B6C0D5A11}}">\
<we:reference id="{STORE}" version="1.0.0.0" store="en-US" storeType="OMEX"/>\
<we:alternateReferences><we:reference id="{STORE.upper()}" version="1.0.0.0" \
store="{STORE.upper()}" storeType="OMEX"/></we:alternateReferences>\
<we:properties/><we:bindings/><we:snapshot xmlns:r="{OFFICE[1:-1]}"/>\
<we:extLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">\
<a:ext uri="{{D87F86FE-615C-45B5-9D79-34F1136793EB}}"><we:containsCustomFunctions/></a:ext>\
<a:ext uri="{{7C84B067-C214-45C3-A712-C9D94CD141B2}}"><we:customFunctionIdList/></a:ext>\
</we:extLst></we:webextension>"""

_PANE: Final = f"""\
<wetp:taskpane xmlns:wetp="{_PANES}" dockstate="right" visibility="1" width="438" row="1">\
<wetp:webextensionref xmlns:r="{OFFICE[1:-1]}" r:id="{{id}}"/></wetp:taskpane>"""

_NO_PANES: Final = f'<wetp:taskpanes xmlns:wetp="{_PANES}"/>'.encode()
_NO_RELATIONS: Final = f'<Relationships xmlns="{PACKAGE[1:-1]}"/>'.encode()


def put_into(workbook: bytes) -> bytes:
    """Make a workbook for xlwings Lite: add our code, and store its calls as Lite does.

    Code that the workbook already has for xlwings Lite is kept, and ours follows it. A second call
    changes nothing. Raises WorkbookError if the bytes are not a workbook, NamesError for names that
    Office would refuse.
    """
    check(functions().values())
    parts = read_parts(workbook)
    changed = rewrite_parts(parts, b"elo_", stored)
    return with_parts(workbook, {**changed, **_with_code(parts)})


def stored(formula: str) -> str:
    """A formula as a workbook for xlwings Lite stores it.

    >>> stored('IF(A1="ELO_K(",[1]!elo_k(A2),_xldudf_ELO_K(A3))')
    'IF(A1="ELO_K(",_xldudf_ELO_K(A2),_xldudf_ELO_K(A3))'
    """
    return renamed(formula, PREFIX)


def code(content: bytes) -> dict[str, Any]:
    """The files by name, and the settings, that a workbook holds for xlwings Lite."""
    for name, part in read_parts(content).items():
        if name.startswith(_FOLDER) and _is_lite(part):
            return {
                item.get("name", ""): json.loads(item.get("value", "null"))
                for item in from_bytes(part).iter(f"{{{_WE}}}property")
            }
    return {}


def _with_code(parts: Mapping[str, bytes]) -> Parts:
    """The parts that hold the code and refer to it."""
    for name, part in parts.items():
        if name.startswith(_FOLDER) and _is_lite(part):
            root = from_bytes(part)
            return {name: to_bytes(root)} if _add_code(root) else {}
    numbers = (n for n in count(1) if f"{_FOLDER}/webextension{n}.xml" not in parts)
    extension = f"{_FOLDER}/webextension{next(numbers)}.xml"
    root = from_bytes(_EXTENSION.encode())
    _add_code(root)
    changed = {extension: to_bytes(root)}
    types = from_bytes(parts[CONTENT_TYPES])
    add_type(types, extension, f"{_MEDIA}+xml")
    relations = from_bytes(parts[RELATIONSHIPS])
    panes = next((r.get("Target") for r in relations if r.get("Type") == _PANES_RELATION), None)
    if panes is None:
        panes = f"{_FOLDER}/taskpanes.xml"
        add_relation(relations, _PANES_RELATION, panes)
        add_type(types, panes, f"{_MEDIA}taskpanes+xml")
        changed[RELATIONSHIPS] = to_bytes(relations)
    panes = normpath(panes).lstrip("/")
    changed[CONTENT_TYPES] = to_bytes(types)
    beside = join(dirname(panes), "_rels", f"{basename(panes)}.rels")
    own = from_bytes(parts.get(beside, _NO_RELATIONS))
    number = add_relation(own, _EXTENSION_RELATION, f"/{extension}")
    shown = from_bytes(parts.get(panes, _NO_PANES))
    shown.append(from_bytes(_PANE.format(id=number).encode()))
    return {**changed, panes: to_bytes(shown), beside: to_bytes(own)}


def _is_lite(part: bytes) -> bool:
    try:
        references = from_bytes(part).iter(f"{{{_WE}}}reference")
    except etree.XMLSyntaxError:
        return False
    return any(reference.get("id", "").lower() == STORE for reference in references)


def _add_code(root: Element) -> bool:
    """Add to an extension what it lacks of our code; return whether anything was missing."""
    properties = next(root.iter(f"{{{_WE}}}properties"))
    items = {item.get("name"): item for item in properties}
    added = False
    for name, wanted in (
        ("main.py", _with_main),
        ("requirements.txt", _with_requirements),
        ("xlwingsSettingsWorkbook", lambda found: found or _SETTINGS),
    ):
        found = json.loads(items[name].get("value", "null")) if name in items else None
        value = wanted(found)
        if value == found:
            continue
        if name not in items:
            items[name] = etree.SubElement(properties, f"{{{_WE}}}property", name=name)
        items[name].set("value", json.dumps(value))
        added = True
    return added


def _with_main(found: str | None) -> str:
    if not found:
        return MAIN
    return found if "elo_xl.hosts.xlwings_udfs" in found else f"{found.rstrip()}\n\n{MAIN}"


def _with_requirements(found: str | None) -> str:
    lines = (found or "").splitlines()
    there = {re.split(r"[^\w.-]", line.strip(), maxsplit=1)[0].lower() for line in lines}
    missing = [need for need in REQUIREMENTS if re.split("[<>=]", need)[0] not in there]
    return "\n".join((*lines, *missing, "")) if missing else found or ""
