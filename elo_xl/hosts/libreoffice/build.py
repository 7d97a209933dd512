"""``elo_xl.oxt``: the add-in as a file, built with the standard library alone."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from struct import pack
from typing import Final
from xml.sax.saxutils import escape, quoteattr

import elo_xl
from elo_xl.functions.arguments import Argument
from elo_xl.functions.carried import carried
from elo_xl.functions.catalogue import Function, functions
from elo_xl.functions.names import check
from elo_xl.hosts.libreoffice import adapter
from elo_xl.languages import CODES, LANGUAGES, TRANSLATED, Words

NAME: Final = "elo_xl.oxt"
IDENTIFIER: Final = "org.eloxl.addin"
# Files in LibreOffice's own format store service and method: neither may ever change.
SERVICE: Final = f"{IDENTIFIER}.EloFunctions"
INTERFACE: Final = f"{IDENTIFIER}.XEloFunctions"
OLDEST: Final = "25.2"

PREFIXES: Final = {"": "", "lite_": "_xldudf_", "xll_": "_xll."}
"""The prefixes of a function's name: of the method, and as Excel stores it. The second is how
xlwings Lite's functions are stored, the third those of an add-in that is not a workbook."""

_MEDIA: Final = {
    "elo_xl.rdb": "application/vnd.sun.star.uno-typelibrary;type=RDB",
    "CalcAddIns.xcu": "application/vnd.sun.star.configuration-data",
    "elo_xl_addin.py": "application/vnd.sun.star.uno-component;type=Python",
}


def build(folder: Path, wheels: Mapping[str, Path] | None = None) -> Path:
    """Write the add-in into a folder and return its path. The same catalogue gives the same bytes.

    ``wheels`` are folders with NumPy and SciPy to include, each under the name by which the
    add-in looks for it (see :class:`.install.Target`).
    """
    check(functions().values())
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / NAME
    part = target.with_name(f"{target.name}.part")
    try:
        with zipfile.ZipFile(part, "w") as package:
            for name, content in sorted(_parts(wheels or {}), key=itemgetter(0)):
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                whole = content.read_bytes() if isinstance(content, Path) else content
                # The included wheels are large, and the fastest compression is good enough.
                package.writestr(entry, whole, compresslevel=1 if name.startswith("wheels/") else 9)
        return part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _parts(wheels: Mapping[str, Path]) -> Iterator[tuple[str, str | bytes | Path]]:
    methods = [
        (method + name, stored + name, function)
        for method, stored in PREFIXES.items()
        for name, function in functions().items()
    ]
    yield "META-INF/manifest.xml", _manifest()
    yield "description.xml", _description()
    yield "elo_xl.rdb", type_library(INTERFACE, [_declared(name, f) for name, _, f in methods])
    yield "CalcAddIns.xcu", registry(SERVICE, methods)
    yield "elo_xl_addin.py", Path(__file__).with_name("component.py")
    for name, path in carried(adapter.__name__).items():
        yield f"pythonpath/{name}", path
    for name, folder in wheels.items():
        for path in folder.rglob("*"):
            if path.is_file():
                yield f"wheels/{name}/{path.relative_to(folder).as_posix()}", path


def _declared(name: str, function: Function) -> MethodType:
    """All arguments and all cells of the result are ``any``, because the catalogue reads them."""
    result = "[][]any" if adapter.returns_rows(function) else "any"
    return name, result, [(argument.name, "any") for argument in function.arguments]


def _manifest() -> str:
    namespace = "http://openoffice.org/2001/manifest"
    entries = "".join(
        f'<m:file-entry m:full-path="{name}" m:media-type="{media}"/>\n'
        for name, media in _MEDIA.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<m:manifest xmlns:m="{namespace}">\n{entries}</m:manifest>\n'
    )


def _description() -> str:
    names = {code: escape(Words("Elo ratings for Calc").say(code)) for code in CODES}
    shown = "".join(f'<name lang="{code}">{name}</name>' for code, name in names.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<description xmlns="http://openoffice.org/extensions/description/2006"'
        ' xmlns:d="http://openoffice.org/extensions/description/2006"'
        ' xmlns:l="http://libreoffice.org/extensions/description/2011">\n'
        f'<identifier value="{IDENTIFIER}"/>\n'
        f'<version value="{elo_xl.__version__}"/>\n'
        '<platform value="all"/>\n'
        f'<dependencies><l:LibreOffice-minimal-version value="{OLDEST}"'
        f' d:name="LibreOffice {OLDEST}"/></dependencies>\n'
        f"<display-name>{shown}</display-name>\n"
        "</description>\n"
    )


# -- CalcAddIns.xcu: how Calc names, classifies and explains the functions ------------------------


HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<oor:component-data xmlns:oor="http://openoffice.org/2001/registry"'
    ' xmlns:xs="http://www.w3.org/2001/XMLSchema"'
    ' oor:name="CalcAddIns" oor:package="org.openoffice.Office">'
)
CATEGORY, ASIDE = "Add-In", "Spreadsheet"
"""The categories in which the wizard lists the functions and their other names; each must be one of
Calc's own."""


def registry(service: str, methods: Iterable[tuple[str, str, Function]]) -> str:
    """The registry for methods that are called so in files, and the functions that they are."""
    nodes = "".join(_method(*method) for method in methods)
    functions = _node("AddInFunctions", nodes, new=False)
    info = _node("AddInInfo", _node(service, functions), new=False)
    return f"{HEAD}\n{info}</oor:component-data>\n"


def _method(method: str, name: str, function: Function) -> str:
    category = CATEGORY if name == function.name else ASIDE
    parameters = "".join(map(_argument, function.arguments))
    return _node(
        method,
        _prop("DisplayName", [("en-US", name)])
        + _prop("Description", _in_languages(function.help, "texts"))
        + f'<prop oor:name="Category"><value>{category}</value></prop>\n'
        # Without this name a function is not found in, nor saved to, Excel's files.
        + _prop("CompatibilityName", [("en-US", name)])
        + _node("Parameters", parameters, new=False),
    )


def _argument(argument: Argument) -> str:
    return _node(
        argument.name,
        _prop("DisplayName", _in_languages(argument.name, "arguments"))
        + _prop("Description", _in_languages(argument.help, "texts")),
    )


def _in_languages(english: str, table: str) -> Iterator[tuple[str, str]]:
    """A text in all languages that have it; for the others LibreOffice shows the English."""
    yield "en-US", english
    for language in TRANSLATED:
        text = getattr(LANGUAGES[language], table).get(english)
        if text:
            yield language, text


def _node(name: str, content: str, *, new: bool = True) -> str:
    operation = ' oor:op="replace"' if new else ""
    return f"<node oor:name={quoteattr(name)}{operation}>\n{content}</node>\n"


def _prop(name: str, values: Iterable[tuple[str, str]]) -> str:
    lines = [f'<value xml:lang="{language}">{escape(text)}</value>' for language, text in values]
    return f'<prop oor:name="{name}">' + "".join(lines) + "</prop>\n"


# -- elo_xl.rdb: the type library, in LibreOffice's binary UNOIDL format --------------------------


_MAGIC: Final = b"UNOIDL\xff\x00"
_MODULE, _INTERFACE, _IN = b"\x00", b"\x05", b"\x00"
_BASE: Final = "com.sun.star.uno.XInterface"

MethodType = tuple[str, str, Sequence[tuple[str, str]]]
"""Name, type of the result, and name and type of each argument."""


def type_library(interface: str, methods: Sequence[MethodType]) -> bytes:
    """The library that declares one interface with these methods, none of which throws.

    The format is described in LibreOffice's source, ``unoidl/README.md``. Modules are maps from
    names to their contents. Each part is written before the parts that point to it, the root last.

    >>> type_library("org.XOne", [("f", "double", [("x", "any")])])[:16].hex(" ")
    '55 4e 4f 49 44 4c ff 00 7a 00 00 00 01 00 00 00'
    """
    library = bytearray(_MAGIC + bytes(8))

    def put(part: bytes) -> int:
        """Append a part and return its offset."""
        library.extend(part)
        return len(library) - len(part)

    *modules, name = interface.split(".")
    entity = put(_interface(methods))
    for module in reversed(modules):
        entry = _entry(put(_terminated(name)), entity)
        entity, name = put(_MODULE + _number(1) + entry), module
    root = put(_entry(put(_terminated(name)), entity))
    library[len(_MAGIC) : len(_MAGIC) + 8] = _number(root) + _number(1)
    return bytes(library)


def _interface(methods: Sequence[MethodType]) -> bytes:
    """One mandatory base, no optional ones, no attributes, and the methods."""
    head = _INTERFACE + _number(1) + _text(_BASE) + _number(0) + _number(0)
    return head + _number(len(methods)) + b"".join(_described(*method) for method in methods)


def _described(name: str, result: str, arguments: Sequence[tuple[str, str]]) -> bytes:
    parameters = b"".join(_IN + _text(argument) + _text(type_) for argument, type_ in arguments)
    no_exceptions = _number(0)
    return _text(name) + _text(result) + _number(len(arguments)) + parameters + no_exceptions


def _entry(name: int, entity: int) -> bytes:
    return _number(name) + _number(entity)


def _number(value: int) -> bytes:
    return pack("<I", value)


def _text(text: str) -> bytes:
    return _number(len(text)) + text.encode("ascii")


def _terminated(text: str) -> bytes:
    return text.encode("ascii") + b"\x00"
