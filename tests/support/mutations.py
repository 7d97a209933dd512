"""Files of an event or a list as no program writes them: real ones, changed at random."""

import io
import random
import re
import zipfile

NUMBER = re.compile(rb"\d+(?:[.,]\d+)?")
NASTY = (
    *(b"=1+cmd|' /C FUZZ'!A0", b"+FUZZ", b"-FUZZ", b"@FUZZ(1)", b"\tFUZZ", b"\rFUZZ", b"'=FUZZ"),
    *(b"\x00", b"\x01", b"\x0b", b"\x1f", b"\x7f", b"\xc2\x85", b"\xef\xbf\xbe", b"\xff\xfe"),
    *(b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xe2\x80\xae", b"\xc2\xbd", b"_x0041_", b"\x1a"),
    *(b"nan", b"inf", b"-1", b"1e400", b"1e9", b"0x10", b"1_000", b"99999999999999999999"),
    *(b"1,850", b"1.850", b"1 850", b"3999", b"4000", b"99", b"100", b"0", b"-0", b"1850.5"),
    *(b"\xd9\xa1\xd9\xa8", b"\xef\xbc\x91", b"\xc2\xb2", b"2028-02-30", b"31.12.9999"),
    *(b'"', b"'", b",", b";", b"\t", b"|", b"{", b"}", b"(", b")", b"[", b"]", b"<", b"&", b"\\"),
    *(b"1-0", b"0-1", b"1/2-1/2", b"*", b"+:-", b"001 ", b"042 ", b"132 ", b"XXR 9999", b"\n"),
    *(b"\r", b"00.00.0000"),
    *(b"A" * 40_000, b"(" * 3000, b"0" * 400, b"&a;", b"A1048576", b"XFD1", b"#N/A", b"#REF!"),
)  # fmt: skip


WORDS = (
    *"""
    1e400 -1 1e9 99999999 0 1048577 { {x} {r} " "" ( ) [ ] @ # = , ; : T[@a] [@name] A1 ' $A$1:XFD9
    A1# R1C1 TRUE Players[ Nowhere!A1 '[x.xlsx]S'!A1 ROUND(1) SUM() {1,2;3} IF(1,2,3,4) INDEX(a,0)
    LET(x,1,x) LAMBDA(x,x)(1) ELO_K() ELO_FIT(1) #REF! 1/0 --1 OFFSET(A1,1,1) _x0044_ t.check_name
    cases(1) row_number name no K K1 R loops pieces typed marks totals names rows:0 rows:9999999
    list: whole:9..1 text: input format:[[[ helper wide
    """.split(),  # noqa: SIM905
    *("each r", "a" * 300, f'"{"x" * 300}"', "1+" * 300 + "1", "-" * 400 + "1", "ﬁ", "Ω", "\u200b"),
    "IF(1," * 70 + "1" + ")" * 70,
)
_TOKEN = re.compile(r'"[^"]*"|\w+|[^\w\s]')


def mutated_words(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """The text of a book with words of it changed, or with lines as in :func:`mutated`."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        lines = data.decode("utf-8", "replace").split("\n")
        at = chance.randrange(len(lines))
        tokens = list(_TOKEN.finditer(lines[at]))
        if not tokens or chance.random() < 0.3:
            data = chance.choice((_line, _piece))(chance, data, other)
            continue
        token = chance.choice(tokens)
        word = chance.choice((*WORDS, *_TOKEN.findall(chance.choice(lines))))
        lines[at] = lines[at][: token.start()] + word + lines[at][token.end() :]
        data = "\n".join(lines).encode()
    return data


def mutated(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """A file with some of it changed; ``other`` is one of the same kind to take pieces from."""
    for _ in range(chance.choice((1, 1, 1, 1, 2, 3, 8))):
        data = chance.choice((_cell, _cell, _line, _bytes, _number, _number, _piece))(
            chance, data, other
        )
    return data


def mutated_bytes(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """A file of numbers with some of its bytes changed, or with its end cut off."""
    if chance.random() < 0.2:
        data = data[: chance.randrange(len(data))]
    return chance.choice((_bytes, _bytes, _bytes, _piece))(chance, data, other)


def mutated_archive(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """A zip file with parts of it changed; now and then the file itself."""
    if chance.random() < 0.15:
        return _bytes(chance, data, other)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(io.BytesIO(other)) as archive:
        others = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(chance.choice((1, 1, 2))):
        if not parts:
            break
        # where cells are, more often than elsewhere
        name = chance.choice([*parts, *(n for n in parts if "sheet" in n or "content" in n)])
        if (what := chance.random()) < 0.05:
            del parts[name]
        elif what < 0.1:
            parts[name] = chance.choice(list(others.values()))
        else:
            change = chance.choice((_number, _xml, _xml, mutated))
            parts[name] = change(chance, parts[name], others.get(name, b"<a/>"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return buffer.getvalue()


def _bytes(chance: random.Random, data: bytes, _: bytes) -> bytes:
    changed = bytearray(data)
    for _turn in range(chance.choice((1, 1, 4, 16))):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    at = chance.randrange(len(changed) + 1)
    return bytes(changed[:at] if chance.random() < 0.15 else changed)


def _cell(chance: random.Random, data: bytes, _: bytes) -> bytes:
    """A nasty text in some place, or in place of what stands between two delimiters."""
    at = chance.randrange(len(data) + 1)
    end = at
    if chance.random() < 0.6:
        found = re.compile(rb'[;,\t|"\n\r]|  ').search(data, at)
        end = found.start() if found else len(data)
    return data[:at] + chance.choice(NASTY) + data[end:]


def _number(chance: random.Random, data: bytes, _: bytes) -> bytes:
    found = list(NUMBER.finditer(data))
    if not found:
        return data
    for one in sorted(chance.sample(found, min(len(found), chance.choice((1, 2, 8)))),
                      key=lambda one: -one.start()):  # fmt: skip
        new = chance.choice((*NASTY, b"%d" % chance.randrange(5000), b"%d" % chance.randrange(20)))
        if chance.random() < 0.4:
            new = new[: len(one[0])].rjust(len(one[0]))
        data = data[: one.start()] + new + data[one.end() :]
    return data


def _line(chance: random.Random, data: bytes, other: bytes) -> bytes:
    end = chance.choice((b"\n", b"\r\n", b"\r")) if chance.random() < 0.1 else b"\n"
    rows, others = data.split(b"\n"), other.split(b"\n")
    at = chance.randrange(len(rows))
    match chance.randrange(5):
        case 0:
            rows.insert(at, chance.choice(others))
        case 1:
            del rows[at]
        case 2:
            rows.insert(chance.randrange(len(rows)), rows[at])
        case 3:
            rows[at] = chance.choice(others)
        case _:
            chance.shuffle(rows)
    return end.join(rows)


def _piece(chance: random.Random, data: bytes, other: bytes) -> bytes:
    at, start = chance.randrange(len(data) + 1), chance.randrange(len(other) + 1)
    length = chance.choice((1, 8, 60, 400))
    return data[:at] + other[start : start + length] + data[at + chance.choice((0, length)) :]


def _xml(chance: random.Random, data: bytes, _: bytes) -> bytes:
    """Another text, or another value of an attribute; the XML stays whole."""
    found = list(re.finditer(rb'(?<==")[^"<]*(?=")|(?<=>)[^<]+(?=<)', data))
    if not found:
        return data
    one = chance.choice(found)
    new = chance.choice(NASTY).decode("utf-8", "replace")
    new = re.sub('[<&"\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]', "_", new)
    return data[: one.start()] + new.encode() + data[one.end() :]
