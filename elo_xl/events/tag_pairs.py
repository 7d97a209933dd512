"""The tag pairs of a PGN file, game by game; moves, comments and variations are passed over.

The file is read in pieces that end with a line, so only a comment can go on in the next piece.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Generator, Iterable, Iterator
from typing import Final

from elo_xl.events.source import UTF_16, Source, UnknownEncodingError, decode, opened

BROKEN: Final = b"!"
"""among the tags of a game: one of them could not be read, which is a problem already"""

Tags = tuple[int, dict[bytes, bytes], bool, bytes]
"""the line of a game, its tags, whether it has moves, and the result at the end of its text"""

_PIECE: Final = 1 << 20
_LONGEST: Final = 1 << 26

# No group is repeated possessively: Python 3.11.2, as in Debian 12, then goes on at a wrong place.
# What a group repeats begins in different ways, so nothing else would match after going back.
# A quote inside a value should be written \" but often is not: only one before ] ends the value.
_PAIR: Final = (
    rb'\[[ \t]*+([A-Za-z0-9_]++)[ \t]*+"'
    rb'((?:[^"\\\r\n]++|\\["\\]|\\(?!["\\])|"(?![ \t]*+\]))*)"[ \t]*+\]'
)
_TAG: Final = re.compile(_PAIR)
_TAGS: Final = re.compile(rb"(?:" + _PAIR + rb"\s*+)+")
_NOTES: Final = rb"\{[^}]*+\}|;[^\r\n]*+|(?<![^\r\n])%[^\r\n]*+"
_GAP: Final = re.compile(rb"(?:\s++|" + _NOTES + rb")*")
_MOVES: Final = re.compile(rb"(?:[^{;%\[]++|" + _NOTES + rb"|%)*")
BEGINNING: Final = re.compile(rb"(?:\s++|" + _NOTES + rb')*\[[ \t]*+[A-Za-z0-9_]++[ \t]*+"')
_NAMED: Final = re.compile(rb"\[[ \t]*+([A-Za-z][A-Za-z0-9_]*+)")
_ESCAPED: Final = re.compile(rb'\\(["\\])')
_SWALLOWED: Final = re.compile(rb'[\r\n][ \t]*+\[Event[ \t]++"')
_RESULTS: Final = frozenset((b"", b"*", b"1-0", b"0-1", b"1/2-1/2"))
_RESULT_SIZE: Final = 24


class TagPairs:
    r"""The games of a file: the line of each, its tags that are wanted, whether it has moves, and
    the result at their end.

    >>> pairs = TagPairs(b'[White "Ana"]\n[Source "x"]\n\n1. e4 {no [White "tag"]} e5 1-0\n',
    ...     [b"White"])
    >>> list(pairs.games()), pairs.problems
    ([(1, {b'White': b'Ana', b'Source': b'x'}, True, b'1-0')], [])

    Other tags may be there, too. After the last game ``problems`` and ``doubts`` have what is wrong
    or odd, each with its line. Raises OSError if the file cannot be read.
    """

    def __init__(self, source: Source, wanted: Iterable[bytes]) -> None:
        self.problems: list[tuple[str, int]] = []
        self.doubts: list[tuple[str, int]] = []
        self._source = source
        self._wanted = frozenset(wanted)
        self._end = b"\n"
        self._tags: dict[bytes, bytes] = {}
        self._line = 1
        self._ended = self._played = False
        """whether the text of the game has begun, and whether it has more than a result"""
        self._last = b""
        """the end of what is no comment in it"""

    def games(self) -> Iterator[Tags]:
        line, opened = 1, 0
        for piece in self._pieces():
            at = counted = 0
            if opened:
                at = piece.find(b"}") + 1
                if at:
                    self._doubt(piece, 0, at, line)
                    opened = 0
                else:
                    at = len(piece)
            while at < len(piece):
                if piece[at] == ord("["):
                    line += piece.count(self._end, counted, at)
                    counted = at
                    match = _TAGS.match(piece, at)
                    if match is None:
                        at = yield from self._no_tag(piece, at, line)
                    else:
                        yield from self._add(piece, at, match.end(), line)
                        at = match.end()
                    continue
                begin = _GAP.match(piece, at).end()  # type: ignore[union-attr]
                end = _MOVES.match(piece, begin).end()  # type: ignore[union-attr]
                if piece.find(b"[Event", at, end) >= 0:
                    self._doubt(piece, at, end, line + piece.count(self._end, counted, at))
                if end > begin:
                    self._ended = True
                    long = end - begin > _RESULT_SIZE
                    self._last = piece[end - _RESULT_SIZE if long else begin : end]
                    self._played |= long or self._last.strip() not in _RESULTS
                at = end
                if at < len(piece) and piece[at] == ord("{"):
                    opened = line + piece.count(self._end, counted, at)
                    self._doubt(piece, at, len(piece), opened)
                    break
            line += piece.count(self._end, counted)
        if opened:
            self.problems.append(("the comment has no end: a } is missing", opened))
        if self._tags:
            yield self._game()

    def _pieces(self) -> Iterator[bytes]:
        with opened(self._source) as file:
            rest = file.read(_PIECE)
            if rest.startswith(UTF_16):
                rest = decode(rest + file.read()).encode()
            rest = rest.removeprefix(codecs.BOM_UTF8)
            if b"\n" not in rest and b"\r" in rest:
                self._end = b"\r"
            while True:
                cut = rest.rfind(self._end) + 1
                if cut:
                    yield rest[:cut]
                    rest = rest[cut:]
                more = file.read(_PIECE)
                if not more:
                    break
                rest += more
                if len(rest) > _LONGEST:
                    self.problems.append((f"a line is longer than {_LONGEST >> 20} MB", 1))
                    return
            if rest:
                yield rest

    def _add(self, piece: bytes, at: int, end: int, line: int) -> Iterator[Tags]:
        pairs = _TAG.findall(piece, at, end)
        tags = dict(pairs)
        if b"\\" in piece[at:end]:
            tags = {name: _ESCAPED.sub(rb"\1", text) for name, text in pairs}
        if len(tags) == len(pairs) and (self._ended or not self._tags):
            if self._tags:
                yield self._game()
            self._begin(tags, line)
            return
        # Tags go on after a comment, or games follow each other without any text between them.
        counted = at
        for match in _TAG.finditer(piece, at, end):
            name, text = match.groups()
            line += piece.count(self._end, counted, match.start())
            counted = match.start()
            if self._ended or name == next(iter(self._tags), name):
                if self._tags:
                    yield self._game()
                self._begin({}, line)
            elif name in self._tags and name in self._wanted:
                self.problems.append((f"the game has a second tag {name.decode()}", line))
            self._tags[name] = _ESCAPED.sub(rb"\1", text)

    def _game(self) -> Tags:
        word = self._last.split()[-1:]
        result = word[0] if _RESULTS.issuperset(word) and word else b""
        return self._line, self._tags, self._played, result

    def _begin(self, tags: dict[bytes, bytes], line: int) -> None:
        self._tags, self._line = tags, line
        self._ended = self._played = False
        self._last = b""

    def _no_tag(self, piece: bytes, at: int, line: int) -> Generator[Tags, None, int]:
        """What begins with a bracket is no tag: the place after it."""
        before = at - 1
        while before >= 0 and piece[before] in b" \t":
            before -= 1
        if before >= 0 and piece[before] not in b"\r\n":
            return at + 1
        after = piece.find(self._end, at)
        after = len(piece) if after < 0 else after
        named = _NAMED.match(piece, at)
        if named is not None and named.group(1) in self._wanted:
            shown = piece[at:after].strip()[:80].decode("utf-8", errors="replace")
            name = named.group(1).decode()
            what = f'tag {name} is not understood: {shown!r}; it is written [{name} "…"]'
            self.problems.append((what, line))
            if self._ended or not self._tags:
                if self._tags:
                    yield self._game()
                self._begin({}, line)
            self._tags[BROKEN] = b""
        return after

    def _doubt(self, piece: bytes, at: int, end: int, line: int) -> None:
        """Say that a comment seems to have swallowed a game."""
        if match := _SWALLOWED.search(piece, at, end):
            line += piece.count(self._end, at, match.start() + 1)
            self.doubts.append(("a comment has a tag Event in it: is a } missing before?", line))


class Encoded:
    """Texts as bytes, decoded together, as all of them are in one encoding.

    >>> Encoded([b"M\\xfcller", b"Ferrer"])[b"M\\xfcller"]
    'Müller'

    Raises UnknownEncodingError where it cannot be told.
    """

    def __init__(self, texts: Iterable[bytes], encoding: str = "") -> None:
        foreign = sorted({text for text in texts if not text.isascii()})
        decoded = decode(b"\n".join(foreign), encoding).split("\n") if foreign else []
        if len(decoded) != len(foreign):
            raise UnknownEncodingError(f"the names are not in {encoding}")
        self._texts = dict(zip(foreign, decoded, strict=True))

    def __getitem__(self, text: bytes) -> str:
        known = self._texts.get(text)
        return " ".join((decode(text) if known is None else known).split())
