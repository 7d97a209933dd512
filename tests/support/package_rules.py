"""What the format demands of a workbook's package, as far as a program can see it."""

import io
import warnings
import zipfile
from collections.abc import Iterator
from importlib import import_module
from posixpath import basename, dirname, join, normpath
from typing import Any

from defusedxml.ElementTree import fromstring

with warnings.catch_warnings():
    # About the age of what it calls itself, which is not ours to mend.
    warnings.simplefilter("ignore")
    olevba: Any = import_module("oletools.olevba")
olefile: Any = import_module("olefile")

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
X14 = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"
ARGUMENT_HELP = "{8193D73E-4604-4355-AFF4-8A2333D13BE4}"

BOOK = "xl/workbook.xml"
VBA = "xl/vbaProject.bin"

# ECMA-376 part 1, 18.2.27 and 18.3.1.99: a sequence each, in which all may be left out.
BOOK_ORDER = """
    fileVersion fileSharing workbookPr workbookProtection bookViews sheets functionGroups
    externalReferences definedNames calcPr oleSize customWorkbookViews pivotCaches smartTagPr
    smartTagTypes webPublishing fileRecoveryPr webPublishObjects extLst
"""
SHEET_ORDER = """
    sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection
    protectedRanges scenarios autoFilter sortState dataConsolidate customSheetViews mergeCells
    phoneticPr conditionalFormatting dataValidations hyperlinks printOptions pageMargins
    pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches ignoredErrors
    smartTags drawing legacyDrawing legacyDrawingHF picture oleObjects controls webPublishItems
    tableParts extLst
"""

WITH_MACROS = (
    "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
    "application/vnd.ms-excel.addin.macroEnabled.main+xml",
)


def problems(content: bytes) -> list[str]:
    """What is wrong with a workbook's package."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        parts = {name: archive.read(name) for name in names}
    found = [f"{name} occurs twice" for name in set(names) if names.count(name) > 1]
    found += _of_types(parts)
    found += _of_relations(parts)
    book = fromstring(parts[BOOK])
    found += _of_order(book, BOOK_ORDER, BOOK)
    found += _of_sheets(book, parts)
    if VBA in parts:
        found += _of_vba(parts)
        found += _of_wizard(book)
    return found


def _of_types(parts: dict[str, bytes]) -> Iterator[str]:
    root = fromstring(parts["[Content_Types].xml"])
    defaults = {e.get("Extension") for e in root if e.tag.endswith("Default")}
    declared = [e.get("PartName", "").lstrip("/") for e in root if e.tag.endswith("Override")]
    yield from (f"{name} is declared, but not there" for name in declared if name not in parts)
    yield from (f"{n} is declared twice" for n in set(declared) if declared.count(n) > 1)
    for name in parts:
        ending = name.rpartition(".")[2]
        if name != "[Content_Types].xml" and name not in declared and ending not in defaults:
            yield f"{name} has no content type"
    kinds = {e.get("PartName"): e.get("ContentType") for e in root if e.tag.endswith("Override")}
    if VBA in parts:
        if kinds[f"/{BOOK}"] not in WITH_MACROS:
            yield f"a workbook with macros is declared as {kinds[f'/{BOOK}']}"
        if kinds.get(f"/{VBA}") != "application/vnd.ms-office.vbaProject":
            yield "the VBA project is not declared as one"


def _of_relations(parts: dict[str, bytes]) -> Iterator[str]:
    reached = {"[Content_Types].xml"}
    waiting = [""]
    while waiting:
        source = waiting.pop()
        beside = join(dirname(source), "_rels", f"{basename(source)}.rels").lstrip("/")
        if beside not in parts:
            continue
        reached.add(beside)
        relations = list(fromstring(parts[beside]))
        ids = [relation.get("Id") for relation in relations]
        yield from (f"{beside} has {i} twice" for i in set(ids) if ids.count(i) > 1)
        for relation in relations:
            if relation.get("TargetMode") == "External":
                continue
            target = normpath(join("/", dirname(source), relation.get("Target", ""))).lstrip("/")
            if target not in parts:
                yield f"{beside} leads to {target}, which is not there"
            elif target not in reached:
                reached.add(target)
                waiting.append(target)
    yield from (f"nothing leads to {name}" for name in parts if name not in reached)


def _of_order(root: Any, sequence: str, where: str) -> Iterator[str]:
    order = sequence.split()
    names = [child.tag.rpartition("}")[2] for child in root]
    unknown = set(names) - set(order)
    if unknown:
        yield f"{where} has {', '.join(sorted(unknown))}"
    places = [order.index(name) for name in names if name in order]
    if places != sorted(places):
        yield f"{where} has its elements out of order: {' '.join(names)}"
    if names.count("extLst") > 1:
        yield f"{where} has more than one extLst"


def _of_sheets(book: Any, parts: dict[str, bytes]) -> Iterator[str]:
    links = fromstring(parts["xl/_rels/workbook.xml.rels"])
    relations = {link.get("Id"): link.get("Target") for link in links}
    sheets = list(book.iter(f"{MAIN}sheet"))
    for sheet in sheets:
        title, target = sheet.get("name"), relations.get(sheet.get(f"{OFFICE}id"))
        if len(title) > 31 or set(title) & set(r"[]:*?/\\"):
            yield f"Excel refuses the sheet name {title}"
        if target is None:
            yield f"{title} leads nowhere"
            continue
        part = normpath(join("/xl", target)).lstrip("/")
        yield from _of_order(fromstring(parts[part]), SHEET_ORDER, part)
    for what in ("name", "sheetId"):
        values = [sheet.get(what).lower() for sheet in sheets]
        if len(values) != len(set(values)):
            yield f"sheets share a {what}"
    if all(sheet.get("state") in ("hidden", "veryHidden") for sheet in sheets):
        yield "no sheet is visible"


def _of_vba(parts: dict[str, bytes]) -> Iterator[str]:
    """[MS-OVBA]: streams that decompress, a module for each document, code names that agree."""
    container = olefile.OleFileIO(io.BytesIO(parts[VBA]))
    project = container.openstream("PROJECT").read().decode("cp1252")
    declared = {
        line.partition("=")[2].partition("/")[0]: line.partition("=")[0]
        for line in project.splitlines()
        if line.partition("=")[0] in ("Document", "Module", "Class", "BaseClass")
    }
    streams = {path[1] for path in container.listdir() if path[0] == "VBA"}
    if streams - {"dir", "_VBA_PROJECT"} != set(declared):
        yield f"modules {sorted(declared)}, but streams {sorted(streams)}"
    if not bytes(olevba.decompress_stream(bytearray(container.openstream("VBA/dir").read()))):
        yield "the dir stream is empty"
    if container.openstream("VBA/_VBA_PROJECT").read()[:5] != b"\xcc\x61\xff\xff\x00":
        yield "the version in _VBA_PROJECT is not the one that makes Excel compile"
    read = modules(parts[VBA])
    for name in declared:
        if not read.get(name, "").startswith(f'Attribute VB_Name = "{name}"'):
            yield f"module {name} does not begin with its name"
    documents = {name for name, kind in declared.items() if kind == "Document"}
    sheets = [name for name in parts if name.startswith("xl/worksheets/sheet")]
    named = {
        element.get("codeName")
        for name in (BOOK, *sheets)
        for element in fromstring(parts[name])
        if element.tag in (f"{MAIN}workbookPr", f"{MAIN}sheetPr")
    }
    if named != documents:
        yield f"code names {sorted(map(str, named))}, but documents {sorted(documents)}"


def modules(project: bytes) -> dict[str, str]:
    """The modules of a VBA project as oletools reads them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(olevba.VBA_Parser("vbaProject.bin", project).extract_macros())
    return {name.rpartition(".")[0]: code.replace("\r\n", "\n") for _, _, name, code in found}


def _of_wizard(book: Any) -> Iterator[str]:
    names = wizard(book)
    if list(names) != sorted(names):
        yield "the functions' help is not sorted by name"
    for function, texts in names.items():
        if [i for i, _ in texts] != list(range(len(texts))):
            yield f"the arguments' help of {function} is not counted through"
        for _, text in texts:
            if not 1 <= len(text) <= 255:
                yield f"an argument's help of {function} has {len(text)} characters"


def wizard(book: Any) -> dict[str, list[tuple[int, str]]]:
    """The arguments' help in the extension where Excel keeps it."""
    found: dict[str, list[tuple[int, str]]] = {}
    for extension in book.iter(f"{MAIN}ext"):
        if extension.get("uri") == ARGUMENT_HELP:
            for name in extension.iter(f"{X14}definedName"):
                texts = list(name.iter(f"{X14}argumentDescription"))
                (counted,) = name
                assert counted.get("count") == str(len(texts))
                found[name.get("name")] = [(int(t.get("index")), t.text or "") for t in texts]
    return found
