"""What a book says of itself in its file: template, version, size, rules, language, flavour, the
address of its page, and of a user's own book the text from which it is made.

These are custom properties of the document: Excel and LibreOffice show them and keep them when they
save the file. By them a book can be made again, larger or in another language, with its entries.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from elo_xl import __version__
from elo_xl.addresses import MOST_LETTERS, is_address
from elo_xl.books.flavours import FLAVOURS
from elo_xl.books.model import Declared, Options
from elo_xl.engine.errors import choose
from elo_xl.engine.rulebooks import rulebook
from elo_xl.languages import CODES
from elo_xl.xlsx.in_place import WorkbookError
from elo_xl.xlsx.opc import from_bytes

if TYPE_CHECKING:
    from openpyxl.packaging.custom import IntProperty, StringProperty

PART: Final = "docProps/custom.xml"
VERSION: Final = "elo-xl"
TEMPLATE: Final = "Template"
_BOOK: Final = "Book "
"""The properties that hold the text of a user's own book, packed, with the numbers of its
parts: of a property, Excel keeps 255 characters."""
_PART: Final = 255
_LARGEST: Final = 1 << 20
"""bytes of such a text"""
_META: Final = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"


@dataclass(frozen=True, slots=True)
class Identity:
    """What a file says of itself."""

    template: str
    version: str
    options: Options
    text: str = ""
    """of a user's own book"""


def properties(book: Declared) -> list[StringProperty | IntProperty]:
    """The properties of a book's file."""
    from openpyxl.packaging.custom import IntProperty, StringProperty

    said = book.said
    texts = {
        VERSION: __version__,
        TEMPLATE: book.made_from,
        "Rules": said.rules,
        "Language": said.language,
        "Functions": said.functions,
        "Address": said.address,
    }
    if book.carried:
        packed = base64.b64encode(zlib.compress(book.carried.encode(), 9)).decode()
        parts = range(0, len(packed), _PART)
        texts |= {f"{_BOOK}{n}": packed[i : i + _PART] for n, i in enumerate(parts, start=1)}
    numbers = {"Players": said.players, "Rounds": said.rounds}
    return [
        *(StringProperty(name=name, value=text) for name, text in texts.items() if text),
        *(IntProperty(name=name, value=number) for name, number in numbers.items()),
    ]


def said_in_ods(meta: bytes) -> str:
    """The template that the properties of an ods file name, as LibreOffice keeps them."""
    said = {
        element.get(f"{_META}name"): "".join(map(str, element.itertext())).strip()
        for element in from_bytes(meta).iter(f"{_META}user-defined")
    }
    return said.get(TEMPLATE, "") if VERSION in said else ""


def template_said(parts: Mapping[str, bytes]) -> str:
    """The template that the properties of a file name; empty for a file that is no book of ours."""
    said = _said(parts)
    return said.get(TEMPLATE, "") if VERSION in said else ""


def _said(parts: Mapping[str, bytes]) -> dict[str, str]:
    return {
        element.get("name", ""): "".join(map(str, element.itertext())).strip()
        for element in (from_bytes(parts[PART]).iterfind("{*}property") if PART in parts else ())
    }


def identity(parts: Mapping[str, bytes]) -> Identity | None:
    """What a file says of itself, or None if it says nothing.

    Raises OptionError for a language, rulebook or flavour that is not known, WorkbookError for a
    size that is not a number.
    """
    said = _said(parts)
    if TEMPLATE not in said or VERSION not in said:
        return None
    try:
        players, rounds = (int(float(said.get(name, "1"))) for name in ("Players", "Rounds"))
    except (ValueError, OverflowError) as error:
        raise WorkbookError(f"it is damaged: {PART} holds no size ({error})") from None
    rules, address = said.get("Rules", ""), said.get("Address", "")
    if address and not is_address(address):
        what = f"its property Address is no address of at most {MOST_LETTERS} letters"
        raise WorkbookError(f"{what}: {address[:80]!r}")
    options = Options(
        functions=choose(said.get("Functions", ""), FLAVOURS, "functions"),
        language=choose(said.get("Language", ""), CODES, "language"),
        players=players,
        rounds=rounds,
        rules=rulebook(rules).name if rules else "",
        address=address,
    )
    return Identity(said[TEMPLATE], said[VERSION], options, _carried(said))


def _carried(said: Mapping[str, str]) -> str:
    """The text of a user's own book."""
    packed = ""
    while part := said.get(f"{_BOOK}{len(packed) // _PART + 1}", ""):
        packed += part
        if len(part) < _PART:
            break
    try:
        data = base64.b64decode(packed, validate=True)
        return zlib.decompressobj().decompress(data, _LARGEST).decode() if data else ""
    except (ValueError, zlib.error) as error:
        raise WorkbookError(f"it is damaged: {PART} holds no text of a book ({error})") from None
