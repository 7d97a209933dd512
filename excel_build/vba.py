"""The VBA project of the add-in: xlwings' module, ours around it, and a wrapper per function."""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pyopenvba import ExcelFile
from pyopenvba.cfb import CFB
from pyopenvba.vba import VBAModuleKind, compress, decompress

from elo_xl.error_values import EXCEL_NUMBERS
from elo_xl.functions.catalogue import Function
from elo_xl.functions.cells import ERRORS
from elo_xl.functions.names import CODE_PAGE
from elo_xl.hosts.excel_addin import CLUB_MODULE, LIBRARY, SETTINGS, UDF_MODULE, AddinError

XLWINGS_VERSION: Final = "0.37.8"
"""The version of xlwings that its module in the files comes from."""

WRAPPERS, CALLS, XLWINGS = "elo_udfs", "elo_calls", "xlwings"
"""Modules of the project: the functions, their common part, and xlwings' own."""

CLUB: Final = "elo_club"
"""The module of a club's book with buttons."""

CLUB_SHEETS: Final = 11
"""The sheets that such a book has when it is made."""

BUILT_IN_CATEGORIES: Final = 19
"""The number of built-in categories in the function wizard."""

LONGEST_LINE: Final = 1023
"""The largest number of characters in a line of VBA."""

_TEMPLATE: Final = "quickstart_standalone.xlsm"

_DOCUMENT: Final = """\
Attribute VB_Name = "{name}"
Attribute VB_Base = "0{{00020820-0000-0000-C000-000000000046}}"
Attribute VB_GlobalNameSpace = False
Attribute VB_Creatable = False
Attribute VB_PredeclaredId = True
Attribute VB_Exposed = True
Attribute VB_TemplateDerived = False
Attribute VB_Customizable = True
"""

_ABOUT_PYTHON: Final = """\
Public Function ELO_LAST_ERROR()
Attribute ELO_LAST_ERROR.VB_Description = "Why a function last gave #VALUE! although no value \
was wrong: the message of Python or xlwings. Empty if nothing failed."
Attribute ELO_LAST_ERROR.VB_ProcData.VB_Invoke_Func = " \\n{category}"
    Application.Volatile
    ELO_LAST_ERROR = EloLastFailure
End Function

Public Sub EloStatus()
    MsgBox EloState, vbInformation, "elo_xl"
End Sub

Public Sub EloRestart()
    EloStartAnew
    MsgBox EloState, vbInformation, "elo_xl"
End Sub

Public Sub EloClose()
    EloClosePeriod
End Sub

Public Sub EloUndo()
    EloTakeBack
End Sub
"""


def wrappers(functions: Iterable[Function]) -> str:
    """The module with a VBA function for each of the catalogue's."""
    category = BUILT_IN_CATEGORIES + 1
    lines = [
        "Option Explicit",
        "",
        "' Made from the catalogue of elo-xl; a new build writes it anew.",
        "",
    ]
    for function in functions:
        names = [argument.name for argument in function.arguments]
        declared = [
            argument.name if argument.required else f"Optional {argument.name}"
            for argument in function.arguments
        ]
        text = function.help.replace('"', '""')
        call = f'EloCall("{function.name}", {max(function.least, 1)}, Array({", ".join(names)}))'
        lines += [
            f"Public Function {function.name}({', '.join(declared)})",
            f'Attribute {function.name}.VB_Description = "{text}"',
            f'Attribute {function.name}.VB_ProcData.VB_Invoke_Func = " \\n{category}"',
            f"    {function.name} = {call}",
            "End Function",
            "",
        ]
    lines += _ABOUT_PYTHON.format(category=category).splitlines()
    for line in lines:
        if len(line) > LONGEST_LINE:
            raise AddinError(f"a line of VBA would have {len(line)} characters: {line[:60]}…")
    return "\n".join(lines) + "\n"


def calls() -> str:
    """The module that the wrappers share."""
    text = resources.files(__package__).joinpath(f"{CALLS}.bas").read_text(encoding="ascii")
    cases = [
        f'        Case "{error}": EloError = CVErr({EXCEL_NUMBERS.get(error, "xlErrValue")})'
        for error in ERRORS
    ]
    for name, filled in (
        ("module", UDF_MODULE),
        ("club", CLUB_MODULE),
        ("errors", "\n".join(cases)),
    ):
        text = text.replace(f"{{{name}}}", filled)
    return text


def club() -> str:
    """The module of a club's book with buttons."""
    return resources.files(__package__).joinpath(f"{CLUB}.bas").read_text(encoding="ascii")


def club_project() -> bytes:
    """``vbaProject.bin`` for a club's book; it holds nothing of xlwings."""
    return _project("elo_xl_club", {CLUB: club()}, CLUB_SHEETS, ())


def project(name: str, functions: Iterable[Function], sheets: int) -> bytes:
    """``vbaProject.bin`` for a workbook with a number of sheets, code-named Sheet1, Sheet2, …

    ``name`` is the project's; two open projects of the same name conflict.
    """
    modules = {CALLS: calls(), WRAPPERS: wrappers(functions)}
    return _project(name, modules, sheets, (XLWINGS, "Dictionary"))


def _project(name: str, modules: Mapping[str, str], sheets: int, kept: Sequence[str]) -> bytes:
    """A project with modules of ours, and those that are kept of xlwings'."""
    documents = [f"Sheet{i}" for i in range(1, sheets + 1)]
    with TemporaryDirectory() as folder:
        copy = Path(shutil.copy(xlwings_folder() / _TEMPLATE, folder))
        with ExcelFile(copy) as book:
            project = book.vba_project()
            if XLWINGS in kept:
                book.set_module(XLWINGS, _own_settings(book.get_module(XLWINGS)))
            for module in set(project.module_names()) - {*kept, "ThisWorkbook"}:
                if module not in documents:
                    project.delete_module(module)
            for module in documents:
                if module not in project.module_names():
                    text = _DOCUMENT.format(name=module)
                    project.add_module(module, _lines(text), kind=VBAModuleKind.other)
            for module, text in modules.items():
                project.add_module(module, _lines(text))
            book.save()
        with ExcelFile(copy) as book:
            container = CFB.from_bytes(book.vba_project_bytes())
    _describe(container, name, documents)
    content: bytes = container.to_bytes()
    return content


def xlwings_folder() -> Path:
    """Where xlwings is installed; it is not imported, because that needs Windows or macOS."""
    spec = find_spec("xlwings")
    if spec is None or not spec.submodule_search_locations or version("xlwings") != XLWINGS_VERSION:
        raise AddinError(
            f"the add-in is made from xlwings {XLWINGS_VERSION}: "
            f"pip install xlwings=={XLWINGS_VERSION}"
        )
    return Path(spec.submodule_search_locations[0])


def xlwings_licence() -> str:
    """The licence of xlwings' module, to be included with every file that contains it."""
    from importlib.metadata import files

    for file in files("xlwings") or ():
        if file.name == "LICENSE.txt":
            return file.read_text(encoding="utf-8")
    raise AddinError(
        "the installed xlwings has no LICENSE.txt: pip install --force-reinstall xlwings"
    )


_NEEDED: Final = frozenset(("XLPy", "KillPy", "GetConfigFilePath", "FileExists"))
"""What our modules call of xlwings' module; with what these call it is all that is kept of it."""

_CHANGED: Final = (
    "Option Private Module\n"
    "' Changed: it holds only what elo_xl calls, and some of that in another form.\n"
)

_LIBRARY: Final = re.compile(rf"xlwings(32|64)-{re.escape(XLWINGS_VERSION)}\.dll")
"""xlwings' library, whose name has the version in it."""

_FOLDERS: Final = re.compile(
    r"^ *' TODO: Doesn't automatically check if code is embedded\n.*?(?=^ *PYTHON_WIN = )",
    re.DOTALL | re.MULTILINE,
)
"""Where folders are gathered for Python to import from."""

_BESIDE: Final = re.compile(
    r" *' Directory Config\n.*?(?=^ *' User Config\n)", re.DOTALL | re.MULTILINE
)
"""Where xlwings reads settings that lie beside the workbook."""

_PROCEDURE: Final = re.compile(
    r"^(?:Public |Private )?(?:Function|Sub) (\w+).*?^End (?:Function|Sub)\n+",
    re.DOTALL | re.MULTILINE,
)
_DECLARED: Final = re.compile(
    r"^( *)(?:Private )?(Declare .*?(?:Function|Sub) (\w+).*\n)", re.MULTILINE
)
_NO_CODE: Final = re.compile(r'"[^"\n]*"|\'.*')


def _own_settings(source: str) -> str:
    """What we need of xlwings' module, with our own settings.

    Whoever can call ``RunPython`` or ``ExecuteWindows``, as the shapes of any workbook may, can
    start any program: of its procedures those are kept that a call of ours reaches. Under xlwings'
    name it would take the interpreter of whatever else uses xlwings on a computer, and ``elo-xl
    addin excel --install`` would change that for all of them; settings that lie in the folder of a
    workbook are anybody's. Python starts with -P: otherwise a ``statistics.py`` in Excel's current
    folder would be taken for Python's own. For the same reason no folders go to Python: an empty
    setting would be that one. The library is the copy that ``--install`` puts beside the settings,
    whatever the version of xlwings.
    """
    source = _for_excel(source.replace("\r\n", "\n"))
    server = ' -B -c ""import sys, os;"'
    serve = "import xlwings; xlwings.serve("
    told = r'import xlwings.utils;xlwings.utils.prepare_sys_path(\""" & PYTHONPATH & "\"");'
    for old, new in (
        (f'Attribute VB_Name = "{XLWINGS}"\n', f"{{}}{_CHANGED}"),
        (f'PROJECT_NAME As String = "{XLWINGS}"\n', f'PROJECT_NAME As String = "{SETTINGS}"\n'),
        (server, server.replace("-B", "-B -P")),
        (f"{told}{serve}", serve),
        (" In Range(sht.", " In sht.Range(sht."),  # of the active sheet, which may be a chart
    ):
        if source.count(old) != 1:
            raise AddinError(f"xlwings {version('xlwings')} has no line {old.strip()}")
        source = source.replace(old, new.format(old))
    for place in (_BESIDE, _FOLDERS):
        source, cut = place.subn("", source)
        if cut != 1:
            raise AddinError(f"xlwings {version('xlwings')} reads settings in another way")
    source = _LIBRARY.sub(lambda found: LIBRARY.format(bits=found[1]), source)
    changes = resources.files(__package__).joinpath("xlwings_changes.bas").read_text("ascii")
    changed = {found[1]: found[0] for found in _PROCEDURE.finditer(changes)}
    source = _PROCEDURE.sub(lambda found: changed.pop(found[1], found[0]), source)
    if changed:
        raise AddinError(f"xlwings {version('xlwings')} has no {', '.join(changed)}")
    return _lines(_reached(source))


def _for_excel(source: str) -> str:
    """The module without what is for Word, Access and PowerPoint."""
    kept = []
    branches: list[bool | None] = []
    """of each ``#If`` whether this branch is kept; None where it asks for something else"""
    for line in source.splitlines(keepends=True):
        text = line.strip()
        if text.startswith("#If "):
            branches.append("Excel" in text if text.startswith("#If App = ") else None)
            asks = branches[-1] is not None
        elif text.startswith("#Else"):
            asks = branches[-1] is not None
            if asks:
                branches[-1] = False  # Excel's branch is the first
        elif text == "#End If":
            asks = branches.pop() is not None
        else:
            asks = False
        if not asks and False not in branches:
            kept.append(line)
    return "".join(kept)


def _reached(source: str) -> str:
    """The module with the procedures that :data:`_NEEDED` names, and those that they call."""
    texts = {found[1]: found[0] for found in _PROCEDURE.finditer(source)}
    declared = {found[3] for found in _DECLARED.finditer(source)}
    calls = {
        name: (texts.keys() | declared) & set(re.findall(r"\w+", _NO_CODE.sub("", text)))
        for name, text in texts.items()
    }
    if missing := _NEEDED - texts.keys():
        raise AddinError(f"xlwings {version('xlwings')} has no {', '.join(sorted(missing))}")
    reached, new = set[str](), set(_NEEDED)
    while new:
        reached |= new
        new = {called for name in new for called in calls.get(name, ())} - reached
    source = _PROCEDURE.sub(lambda found: found[0] if found[1] in reached else "", source)
    return _DECLARED.sub(
        lambda found: f"{found[1]}Private {found[2]}" if found[3] in reached else "", source
    )


def _describe(container: CFB, name: str, documents: Iterable[str]) -> None:
    """Set the project's name, which pyOpenVBA does not, and turn its classes into sheet modules."""
    records = decompress(container.get_stream_in_storage("VBA", "dir"))
    # [MS-OVBA] 2.3.4.2.1: records of a number, a size and content. Number 4 is the name; those
    # before it (system, version, language, code page) are of the same form.
    at = 0
    while (record := struct.unpack_from("<HI", records, at)) and record[0] != 4:
        at += 6 + record[1]
    rest = at + 6 + record[1]
    encoded = name.encode(CODE_PAGE)
    records = records[:at] + struct.pack("<HI", 4, len(encoded)) + encoded + records[rest:]
    container.write_stream_in_storage("VBA", "dir", compress(records))

    text = container.get_stream("PROJECT").decode(CODE_PAGE)
    for document in documents:
        text = text.replace(f"\r\nClass={document}\r\n", f"\r\nDocument={document}/&H00000000\r\n")
    text = re.sub(r'(?m)^Name=".*"(?=\r$)', f'Name="{name}"', text)
    declared, mark, windows = text.partition("[Workspace]\r\n")
    windows = "".join(line for line in windows.splitlines(keepends=True) if line.strip())
    container.write_stream("PROJECT", f"{declared}{mark}{windows}".encode(CODE_PAGE))


def _lines(source: str) -> str:
    return source.replace("\n", "\r\n")
