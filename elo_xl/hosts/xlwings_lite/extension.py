"""The web extension of xlwings Lite in a workbook, the parts that refer to it, and its code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import count
from posixpath import dirname, join, normpath
from typing import Any, Final

from lxml import etree

from elo_xl.hosts.xlwings_lite import contents
from elo_xl.xlsx.in_place import WorkbookError
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
    relations_of,
    to_bytes,
    without_type,
)

STORE: Final = "wa200008175"
"""xlwings Lite in the Office store."""

_OURS: Final = "{2B7B4E0C-9F6D-4E57-8B0E-3E1B6C0D5A11}"
_WE: Final = "http://schemas.microsoft.com/office/webextensions/webextension/2010/11"
_PANES: Final = "http://schemas.microsoft.com/office/webextensions/taskpanes/2010/11"
_EXTENSION_RELATION: Final = "http://schemas.microsoft.com/office/2011/relationships/webextension"
_PANES_RELATION: Final = f"{_EXTENSION_RELATION}taskpanes"
_FOLDER: Final = "xl/webextensions"
_MEDIA: Final = "application/vnd.ms-office.webextension"
_PROPERTY: Final = f"{{{_WE}}}property"

_EXTENSION: Final = f"""\
<we:webextension xmlns:we="{_WE}" id="{_OURS}">\
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


def code(parts: Mapping[str, bytes]) -> dict[str, object]:
    """The files by name, and the settings, that a workbook holds for xlwings Lite."""
    found = _find(parts)
    return {} if found is None else _values(found[1])


def with_code(parts: Mapping[str, bytes]) -> Parts:
    """The parts that change, or are new, so that the workbook holds our code."""
    found = _find(parts)
    if found is not None:
        name, root = found
        return {name: to_bytes(root)} if _add_code(root) else {}
    numbers = (n for n in count(1) if f"{_FOLDER}/webextension{n}.xml" not in parts)
    extension = f"{_FOLDER}/webextension{next(numbers)}.xml"
    root = from_bytes(_EXTENSION.encode())
    _add_code(root)
    changed = {extension: to_bytes(root)}
    types = from_bytes(parts[CONTENT_TYPES])
    add_type(types, extension, f"{_MEDIA}+xml")
    panes = _panes(parts)
    if panes is None:
        panes = f"{_FOLDER}/taskpanes.xml"
        relations = from_bytes(parts[RELATIONSHIPS])
        add_relation(relations, _PANES_RELATION, panes)
        add_type(types, panes, f"{_MEDIA}taskpanes+xml")
        changed[RELATIONSHIPS] = to_bytes(relations)
    changed[CONTENT_TYPES] = to_bytes(types)
    beside = relations_of(panes)
    own = from_bytes(parts.get(beside, _NO_RELATIONS))
    number = add_relation(own, _EXTENSION_RELATION, f"/{extension}")
    shown = from_bytes(parts.get(panes, _NO_PANES))
    shown.append(from_bytes(_PANE.format(id=number).encode()))
    return {**changed, panes: to_bytes(shown), beside: to_bytes(own)}


def without_code(parts: Mapping[str, bytes]) -> tuple[Parts, set[str]]:
    """The parts that change, and those that leave, so that our code is out of the workbook."""
    found = _find(parts)
    if found is None:
        return {}, set()
    name, root = found
    changed = _remove_code(root)
    if not _is_empty(root) or relations_of(name) in parts:
        return ({name: to_bytes(root)} if changed else {}), set()
    types = without_type(parts[CONTENT_TYPES], name)
    panes = _panes(parts)
    if panes is None:
        return {CONTENT_TYPES: types}, {name}
    beside = relations_of(panes)
    shown, own = from_bytes(parts[panes]), from_bytes(parts.get(beside, _NO_RELATIONS))
    for relation in own.findall(f"{PACKAGE}Relationship"):
        if normpath(join("/", dirname(panes), relation.get("Target", ""))) == f"/{name}":
            _remove_pane(shown, relation.get("Id", ""))
            own.remove(relation)
    if len(own):
        changed_panes = {panes: to_bytes(shown), beside: to_bytes(own)}
        return {CONTENT_TYPES: types, **changed_panes}, {name}
    relations = from_bytes(parts[RELATIONSHIPS])
    for relation in relations.findall(f"{PACKAGE}Relationship[@Type='{_PANES_RELATION}']"):
        relations.remove(relation)
    types = without_type(types, panes)
    return {CONTENT_TYPES: types, RELATIONSHIPS: to_bytes(relations)}, {name, panes, beside}


def _find(parts: Mapping[str, bytes]) -> tuple[str, Element] | None:
    """The part of xlwings Lite, if the workbook has one."""
    for name, part in parts.items():
        if name.startswith(_FOLDER) and name.endswith(".xml"):
            try:
                root = from_bytes(part)
            except etree.XMLSyntaxError:
                continue
            references = root.iter(f"{{{_WE}}}reference")
            if any(reference.get("id", "").lower() == STORE for reference in references):
                return name, root
    return None


def _panes(parts: Mapping[str, bytes]) -> str | None:
    """The part that lists the panes to show."""
    for relation in from_bytes(parts[RELATIONSHIPS]):
        if relation.get("Type") == _PANES_RELATION:
            return normpath(relation.get("Target", "")).lstrip("/")
    return None


def _remove_pane(shown: Element, number: str) -> None:
    for pane in list(shown):
        if any(child.get(f"{OFFICE}id") == number for child in pane):
            shown.remove(pane)


def _is_empty(root: Element) -> bool:
    """Whether an extension is one of ours, and nothing of anybody's is in it."""
    bindings = root.find(f"{{{_WE}}}bindings")
    return (
        root.get("id") == _OURS
        and (bindings is None or not len(bindings))
        and all(contents.is_bookkeeping(name, value) for name, value in _values(root).items())
    )


def _values(root: Element) -> dict[str, Any]:
    try:
        return {
            item.get("name", ""): json.loads(item.get("value", "null"))
            for item in root.iter(_PROPERTY)
        }
    except ValueError as error:
        raise WorkbookError(f"what it holds for xlwings Lite is damaged ({error})") from None


def _add_code(root: Element) -> bool:
    """Add to an extension what it lacks of our code; return whether anything was missing."""
    found = _values(root)
    return _set(
        root,
        {
            "main.py": contents.with_main(found.get("main.py") or ""),
            "requirements.txt": contents.with_requirements(found.get("requirements.txt") or ""),
            "xlwingsSettingsWorkbook": found.get("xlwingsSettingsWorkbook") or contents.SETTINGS,
        },
    )


def _remove_code(root: Element) -> bool:
    """Remove our code from an extension; return whether there was any."""
    found = _values(root)
    main = found.get("main.py") or ""
    own = contents.without_main(main)
    if own == main:
        return False
    needs = found.get("requirements.txt") or ""
    return _set(
        root,
        {"main.py": own, "requirements.txt": contents.without_requirements(needs, own)},
    )


def _set(root: Element, values: Mapping[str, object]) -> bool:
    """Set properties of an extension; return whether any of them changed."""
    properties = root.find(f"{{{_WE}}}properties")
    if properties is None:
        raise WorkbookError("what it holds for xlwings Lite is damaged (it has no properties)")
    items = {item.get("name"): item for item in properties}
    changed = False
    for name, value in values.items():
        if name not in items:
            items[name] = etree.SubElement(properties, _PROPERTY, name=name)
        elif json.loads(items[name].get("value", "null")) == value:
            continue
        items[name].set("value", json.dumps(value))
        changed = True
    return changed
