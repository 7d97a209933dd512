"""Who plays under which nickname: a file beside those of online events.

A table (CSV, xlsx, ods or xls) has a nickname in its first column, then the player's name, then, if
there is a third column, their number. A first row of headings is passed over. Case does not count
in nicknames.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from elo_xl.events.event import EventError, Player, Problem, Tournament
from elo_xl.events.headings import headings_known
from elo_xl.events.names import People
from elo_xl.events.sheets import Sheet, read_sheets
from elo_xl.events.source import Source
from elo_xl.people import same_name

_HEADING: Final = re.compile(
    r"(?i)(nick|user|handle|login|account|alias|spitzname|benutzer|apodo|usuario|pseudo|"
    r"apelido|ник|логин)"
)
_ONE_WORD: Final = re.compile(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Nicknames:
    """Names and numbers by nickname, in the form in which names are compared."""

    file: str
    people: Mapping[str, tuple[str, str]]


def read_nicknames(source: Source) -> Nicknames:
    """Read who has which nickname.

    >>> read_nicknames(b"nickname;name;id\\nKnightRider;Ferrer, Ana;11\\n").people
    {'knightrider': ('Ferrer, Ana', '11')}

    Raises EventError with every line that has no nickname or neither name nor number, and for a
    nickname of two people; OSError if the file cannot be read.
    """
    sheet = read_sheets(source, known=headings_known)[0]
    people: dict[str, tuple[str, str]] = {}
    problems = list(_problems(sheet, people))
    if not people and not problems:
        problems.append(Problem("it has no nicknames", file=sheet.file))
    if problems:
        raise EventError(problems)
    return Nicknames(sheet.file, people)


def _problems(sheet: Sheet, people: dict[str, tuple[str, str]]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for number, (line, cells) in enumerate(sheet.rows()):
        nick, name, id = (*(cell.strip() for cell in cells[:3]), "", "", "")[:3]
        if not (nick or name or id) or (not number and _HEADING.match(nick)):
            continue
        key = same_name(nick)
        if not nick:
            yield sheet.problem("there is no nickname", line)
        elif not name and not id:
            yield sheet.problem(f"the nickname {nick!r} has neither a name nor a number", line)
        elif people.get(key, (name, id)) != (name, id):
            yield sheet.problem(f"{nick!r} is somebody else on line {first[key]}", line)
        else:
            people[key] = name, id
            first.setdefault(key, line)


def with_names(event: Tournament, known: Nicknames) -> Tournament:
    """The event with names and numbers in the place of nicknames.

    Raises EventError for each player whose name is one word, as nicknames are, and stands neither
    in the file nor behind a nickname in it; and for two nicknames of one person in the event.
    """
    own = {same_name(name) for name, _ in known.people.values()}
    nicks = People((i, nick, "") for i, nick in enumerate(known.people, start=1))
    problems = []
    players: list[Player] = []
    seen: dict[tuple[str, str], str] = {}
    for player in event.players:
        key = same_name(player.name)
        found = known.people.get(key)
        if found is None:
            # one word may be a whole name: then the file has it among its names
            if _ONE_WORD.fullmatch(player.name) and key not in own and not player.id:
                what = f"who is {player.name!r}?{nicks.suggested(player.name)[1:]}"
                problems.append(Problem(f"{what} The nickname is missing", file=known.file))
            players.append(player)
            continue
        name, id = found
        other = seen.setdefault(found, player.name)
        if other != player.name:
            what = f"{other!r} and {player.name!r} are both {name or id}, who has played twice"
            problems.append(Problem(what, file=known.file))
        players.append(replace(player, name=name or player.name, id=id or player.id))
    if problems:
        raise EventError(problems)
    return replace(event, players=tuple(players))
