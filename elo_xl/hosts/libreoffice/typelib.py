"""The type library of an add-in: LibreOffice's binary UNOIDL format, as far as one interface needs.

The format is described in LibreOffice's source, ``unoidl/README.md``. Modules are maps from names
to their contents. Each part is written before the parts that point to it, the root last.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack
from typing import Final

MAGIC: Final = b"UNOIDL\xff\x00"
MODULE, INTERFACE = b"\x00", b"\x05"
IN: Final = b"\x00"
XINTERFACE: Final = "com.sun.star.uno.XInterface"

MethodType = tuple[str, str, Sequence[tuple[str, str]]]
"""Name, type of the result, and name and type of each argument."""


def type_library(interface: str, methods: Sequence[MethodType]) -> bytes:
    """The library that declares one interface with these methods, none of which throws.

    >>> type_library("org.XOne", [("f", "double", [("x", "any")])])[:16].hex(" ")
    '55 4e 4f 49 44 4c ff 00 7a 00 00 00 01 00 00 00'
    """
    library = bytearray(MAGIC + bytes(8))

    def put(part: bytes) -> int:
        """Append a part and return its offset."""
        library.extend(part)
        return len(library) - len(part)

    *modules, name = interface.split(".")
    entity = put(_interface(methods))
    for module in reversed(modules):
        entry = _entry(put(_terminated(name)), entity)
        entity, name = put(MODULE + _number(1) + entry), module
    root = put(_entry(put(_terminated(name)), entity))
    library[len(MAGIC) : len(MAGIC) + 8] = _number(root) + _number(1)
    return bytes(library)


def _interface(methods: Sequence[MethodType]) -> bytes:
    """One mandatory base, no optional ones, no attributes, and the methods."""
    head = INTERFACE + _number(1) + _text(XINTERFACE) + _number(0) + _number(0)
    return head + _number(len(methods)) + b"".join(_method(*method) for method in methods)


def _method(name: str, result: str, arguments: Sequence[tuple[str, str]]) -> bytes:
    own = b"".join(IN + _text(argument) + _text(type_) for argument, type_ in arguments)
    no_exceptions = _number(0)
    return _text(name) + _text(result) + _number(len(arguments)) + own + no_exceptions


def _entry(name: int, entity: int) -> bytes:
    return _number(name) + _number(entity)


def _number(value: int) -> bytes:
    return pack("<I", value)


def _text(text: str) -> bytes:
    return _number(len(text)) + text.encode("ascii")


def _terminated(text: str) -> bytes:
    return text.encode("ascii") + b"\x00"
