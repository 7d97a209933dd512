"""xlwings Lite, in Excel on Mac, web and Windows: the functions inside one workbook.

xlwings Lite is an add-in from the Office store that runs Python in the browser built into Excel.
It keeps a workbook's code in the workbook, as properties of its own web extension: ``main.py``,
``requirements.txt`` and settings. Our code there holds all of elo_xl that the functions need, so
nothing of it has to be installed. It calls :func:`elo_xl.hosts.xlwings_udfs.bind`, whose module
describes how cells map. In the file, formulas call such a function with a prefix:

* as typed and shown: ``=ELO_EXPECTED(A2,B2)``
* as stored: ``_xldudf_ELO_EXPECTED(A2,B2)``
"""

from __future__ import annotations

import ast
import base64
import bz2
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import count
from posixpath import dirname, join, normpath
from typing import Any, Final

from lxml import etree

from elo_xl import __version__
from elo_xl.functions.calls import PREFIX, calls_ours, renamed
from elo_xl.functions.carried import carried
from elo_xl.functions.catalogue import functions
from elo_xl.functions.names import check
from elo_xl.xlsx.in_place import FORMULAS, WorkbookError, read_parts, rewrite_parts, with_parts
from elo_xl.xlsx.opc import (
    CONTENT_TYPES,
    EARLIEST,
    OFFICE,
    PACKAGE,
    RELATIONSHIPS,
    Element,
    Parts,
    add_relation,
    add_type,
    from_bytes,
    relations_of,
    sheet_parts,
    to_bytes,
    without_type,
)

_MARK: Final = b"elo_"


def put_into(workbook: bytes) -> bytes:
    """Make a workbook for xlwings Lite: add our code, and store its calls as Lite does.

    Code that the workbook already has for xlwings Lite is kept, and ours follows it. A second call
    changes nothing. Raises WorkbookError if the bytes are not a workbook, NamesError for names that
    Office would refuse.
    """
    check(functions().values())
    parts = read_parts(workbook)
    changed = rewrite_parts(parts, _MARK, stored)
    return with_parts(workbook, {**changed, **with_code(parts)})


def take_out(workbook: bytes) -> bytes:
    """Remove the code of :func:`put_into` from a workbook; calls become plain ``ELO_`` again.

    What else the workbook has for xlwings Lite stays. If nothing else is left of what we brought,
    all that refers to xlwings Lite leaves. Raises WorkbookError if the bytes are not a workbook.
    """
    parts = read_parts(workbook)
    changed, without = without_code(parts)
    changed |= rewrite_parts(parts, PREFIX.encode() + _MARK, plain)
    return with_parts(workbook, changed, without) if changed or without else workbook


def stored(formula: str) -> str:
    """A formula as a workbook for xlwings Lite stores it.

    >>> stored('IF(A1="ELO_K(",elo_k(A2),_xldudf_ELO_K(A3))')
    'IF(A1="ELO_K(",_xldudf_ELO_K(A2),_xldudf_ELO_K(A3))'
    """
    return renamed(formula, PREFIX)


def plain(formula: str) -> str:
    """A formula without the prefix of Lite; one that has none stays.

    >>> plain('_xldudf_ELO_K(A3)&"_xldudf_ELO_K("'), plain("[1]!ELO_K(A2)")
    ('ELO_K(A3)&"_xldudf_ELO_K("', '[1]!ELO_K(A2)')
    """
    return renamed(formula) if PREFIX in formula.lower() else formula


def code(workbook: bytes) -> dict[str, Any]:
    """The files by name, and the settings, that a workbook holds for xlwings Lite."""
    part = _find(read_parts(workbook))
    return {} if part is None else _values(part[1])


def rules(workbook: bytes) -> Iterator[str]:
    """Where conditional formats and data validation call the functions.

    Excel works these rules out at once, and does not wait there for a function of an Office add-in:
    such a rule never applies. It does in a cell, to which the rule can refer.
    """
    parts = read_parts(workbook)
    kinds = {"conditionalFormatting": "conditional format", "dataValidation": "data validation"}
    for title, name in sheet_parts(parts).items():
        if _MARK not in parts[name].lower():
            continue
        for rule in from_bytes(parts[name]).iter(*(f"{{*}}{kind}" for kind in kinds)):
            inside = [(str(e.tag).rpartition("}")[2], e.text or "") for e in rule.iter()]
            if any(tag in FORMULAS and calls_ours(text) for tag, text in inside):
                kind = kinds[str(rule.tag).rpartition("}")[2]]
                # rules of Excel 2010 and later have their cells in an element
                where = rule.get("sqref") or dict(inside).get("sqref", "")
                yield f"{kind} @ {title}!{where}"


# -- main.py, requirements.txt and settings --------------------------------------------------------

REQUIREMENTS: Final = ("xlwings<1", "numpy", "scipy")
"""Our lines in ``requirements.txt``; Pyodide has one build of each of the last two, so no pins."""

SETTINGS: Final = {"startupBehavior": "taskpane"}  # otherwise the functions wait for a click

_BEGIN: Final = "# >>> elo_xl"
_END: Final = "# <<< elo_xl"

#: Our code as any version wrote it: at first three lines, since then what is between two comments.
_OUR_CODE: Final = re.compile(
    rf"^{_BEGIN}\b.*?^{_END}\b[^\n]*(?:\n|\Z)"
    r"|^import xlwings\r?\nfrom elo_xl\.hosts\.xlwings_udfs import bind\r?\n"
    r"bind\(globals\(\), xlwings\)[^\n]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)

_MAIN: Final = f"""\
{_BEGIN} {__version__}: "elo-xl addin lite" wrote this; it also renews it and takes it out >>>
def _elo_xl(source):
    import base64, bz2, os, sys, tempfile
    import xlwings

    engine = os.path.join(tempfile.gettempdir(), "elo_xl-{{digest}}.zip")
    with open(engine, "wb") as file:
        file.write(bz2.decompress(base64.b64decode(source)))
    if engine not in sys.path:
        sys.path.insert(0, engine)
    from elo_xl.hosts.xlwings_udfs import bind

    bind(globals(), xlwings)


# The functions themselves: a zip file of Python modules, compressed and in letters.
_elo_xl('''
{{source}}
''')
del _elo_xl
{_END} <<<
"""

#: Characters in a line of our code; Lite's editor shows lines of less than 10,000.
_WIDTH: Final = 2000

#: Lines of ``requirements.txt`` as any version wrote them, and what in the user's code needs them.
_LINES: Final = {
    "xlwings": r"\S",
    "xlwings<1": r"\S",
    "xlwings>=0.37,<1": r"\S",
    "numpy": r"\bnumpy\b",
    "scipy": r"\bscipy\b",
}


@cache
def engine_zip() -> bytes:
    """A zip file of all modules that the functions import, and of the tables that they read.

    The same version of elo_xl always gives the same bytes. Nothing in the file is compressed: it
    is smaller if it is compressed as a whole. Modules have no docstrings there.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, file in sorted(carried("elo_xl.hosts.xlwings_udfs").items()):
            info = zipfile.ZipInfo(name, EARLIEST)
            info.create_system = 0  # otherwise the bytes would differ between Windows and Linux
            content = file.read_bytes().replace(b"\r\n", b"\n")
            archive.writestr(info, undocumented(content) if file.suffix == ".py" else content)
    return buffer.getvalue()


def undocumented(source: bytes) -> bytes:
    """A module with empty docstrings, in which every line keeps its number.

    >>> undocumented(b"'A module.'\\nx = 1  # one\\n")
    b'""\\nx = 1  # one\\n'
    """
    lines = source.split(b"\n")
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(ast.Constant(str()) as text):
                first, last = text.lineno - 1, (text.end_lineno or text.lineno) - 1
                rest = lines[last][text.end_col_offset :]
                lines[first] = lines[first][: text.col_offset] + b'""' + rest
                lines[first + 1 : last + 1] = [b""] * (last - first)
    return b"\n".join(lines)


@cache
def main() -> str:
    """Our code in ``main.py``: it unpacks what the functions need and binds them.

    Nothing but :data:`REQUIREMENTS` has to be installed where it runs.
    """
    engine = engine_zip()
    letters = base64.b64encode(bz2.compress(engine)).decode("ascii")
    lines = [letters[i : i + _WIDTH] for i in range(0, len(letters), _WIDTH)]
    return _MAIN.format(digest=sha256(engine).hexdigest()[:12], source="\n".join(lines))


def with_main(text: str) -> str:
    """A user's ``main.py`` with our code at its end.

    >>> with_main("x = 1\\n") == "x = 1\\n\\n" + main()
    True
    """
    rest = without_main(text)
    return f"{rest.rstrip()}\n\n{main()}" if rest.strip() else main()


def without_main(text: str) -> str:
    """``main.py`` without our code; empty if nothing else is in it.

    >>> without_main("x = 1\\n\\n" + main()), without_main(main())
    ('x = 1\\n', '')
    """
    if not _OUR_CODE.search(text):
        return text
    parts = filter(None, (part.strip("\r\n") for part in _OUR_CODE.split(text)))
    rest = "\n\n".join(parts)
    return f"{rest}\n" if rest else ""


def with_requirements(text: str) -> str:
    """A user's ``requirements.txt`` with what our code needs and it lacks.

    >>> with_requirements("pandas\\nxlwings==0.37.8\\nelo-xl>=0.1.0\\n")
    'pandas\\nxlwings==0.37.8\\nnumpy\\nscipy\\n'
    >>> with_requirements("numpy\\nscipy\\nxlwings>=0.37 # mine\\n")
    'numpy\\nscipy\\nxlwings>=0.37,<1 # mine\\n'
    """
    lines = [_bounded(line) for line in text.splitlines() if _package(line) not in _ITSELF]
    there = {_package(line) for line in lines}
    missing = [need for need in REQUIREMENTS if _package(need) not in there]
    wanted = [*lines, *missing]
    return text if wanted == text.splitlines() else "".join(f"{line}\n" for line in wanted)


def _bounded(line: str) -> str:
    """A line that lets no xlwings in with which the functions may break.

    >>> _bounded("xlwings"), _bounded("xlwings==0.37.8")
    ('xlwings<1', 'xlwings==0.37.8')
    """
    need = re.split("[;#]", line)[0].rstrip()
    if _package(need) != "xlwings" or re.search("[<@]|==|~=", need):
        return line
    return f"{need}{',' * ('>' in need)}<1{line[len(need) :]}"


def without_requirements(text: str, main: str) -> str:
    """``requirements.txt`` without our lines, except for those that the rest of the code needs.

    >>> without_requirements("xlwings>=0.37,<1\\nelo-xl>=0.1.0\\npandas\\n", "")
    'pandas\\n'
    """
    lines = text.splitlines()
    kept = [line for line in lines if not _leaves(line.strip(), main)]
    return text if kept == lines else "".join(f"{line}\n" for line in kept)


def is_bookkeeping(name: str, value: object) -> bool:
    """Whether a property holds nothing of a person's: our own, or what Lite notes for itself."""
    if name in ("main.py", "requirements.txt"):
        return not str(value or "").strip()
    return name in _NOTES or name.startswith("Office.")


#: What an earlier version had installed, though no index had it.
_ITSELF: Final = ("elo-xl", "elo_xl")

#: What Lite notes for itself.
_NOTES: Final = (
    *("xlwingsSettingsWorkbook", "xlwingsWorkbookId", "pyodideVersion", "addinVersion"),
    "requirements-pinned.txt",  # the versions that it has found for ``requirements.txt``
)


def _leaves(line: str, main: str) -> bool:
    if _package(line) in _ITSELF:
        return True
    return line in _LINES and not re.search(_LINES[line], main)


def _package(line: str) -> str:
    return re.split(r"[^\w.-]", line.strip(), maxsplit=1)[0].lower()


STORE: Final = "wa200008175"
"""xlwings Lite in the Office store."""

# -- the web extension, and the parts that refer to it ---------------------------------------------

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


def with_code(parts: Mapping[str, bytes]) -> Parts:
    """The parts that change, or are new, so that the workbook holds our code."""
    part = _find(parts)
    if part is not None:
        name, root = part
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
    pane_relations = from_bytes(parts.get(beside, _NO_RELATIONS))
    number = add_relation(pane_relations, _EXTENSION_RELATION, f"/{extension}")
    shown = from_bytes(parts.get(panes, _NO_PANES))
    shown.append(from_bytes(_PANE.format(id=number).encode()))
    return {**changed, panes: to_bytes(shown), beside: to_bytes(pane_relations)}


def without_code(parts: Mapping[str, bytes]) -> tuple[Parts, set[str]]:
    """The parts that change, and those that leave, so that our code is out of the workbook."""
    part = _find(parts)
    if part is None:
        return {}, set()
    name, root = part
    changed = _remove_code(root)
    if not _is_empty(root) or relations_of(name) in parts:
        return ({name: to_bytes(root)} if changed else {}), set()
    types = without_type(parts[CONTENT_TYPES], name)
    panes = _panes(parts)
    if panes is None:
        return {CONTENT_TYPES: types}, {name}
    beside = relations_of(panes)
    shown, pane_relations = from_bytes(parts[panes]), from_bytes(parts.get(beside, _NO_RELATIONS))
    for relation in pane_relations.findall(f"{PACKAGE}Relationship"):
        if normpath(join("/", dirname(panes), relation.get("Target", ""))) == f"/{name}":
            _remove_pane(shown, relation.get("Id", ""))
            pane_relations.remove(relation)
    if len(pane_relations):
        changed_panes = {panes: to_bytes(shown), beside: to_bytes(pane_relations)}
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
            except WorkbookError:
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
        and all(is_bookkeeping(name, value) for name, value in _values(root).items())
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
    values = _values(root)
    return _set(
        root,
        {
            "main.py": with_main(values.get("main.py") or ""),
            "requirements.txt": with_requirements(values.get("requirements.txt") or ""),
            "xlwingsSettingsWorkbook": values.get("xlwingsSettingsWorkbook") or SETTINGS,
        },
    )


def _remove_code(root: Element) -> bool:
    """Remove our code from an extension; return whether there was any."""
    values = _values(root)
    main = values.get("main.py") or ""
    rest = without_main(main)
    if rest == main:
        return False
    needs = values.get("requirements.txt") or ""
    return _set(root, {"main.py": rest, "requirements.txt": without_requirements(needs, rest)})


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
