"""Tournament report files (TRF16, TRF26): ``elo_xl.trf.read``."""

from __future__ import annotations

from elo_xl.api.events import Event
from elo_xl.events.players import read_players, with_players
from elo_xl.events.source import Source
from elo_xl.events.trf import read_trf


def read(path: Source, *, players: Source | None = None) -> Event:
    r"""Read an event from a tournament report file, given as a path or as the file's bytes.

    >>> event = read(b'''012 Two Rivers Match
    ... 042 2026/03/07
    ... 001    1 m    Ferrer, Ana                       2105 ESP    99000001 1999/00/00  0.5    2     2 w =
    ... 001    2 wWGM Okafor, Ngozi                     2230 NGR    99000002 2001/00/00  0.5    1     1 b =
    ... ''')
    >>> event.players["name"], event.players["rating"], event.players["age"]
    (['Ferrer, Ana', 'Okafor, Ngozi'], [2105.0, 2230.0], [27, 25])
    >>> event.games
    {'round': [1], 'white': ['Ferrer, Ana'], 'black': ['Okafor, Ngozi'], 'result': [0.5]}

    Args:
        path (path or bytes): The file, or what it holds.
        players (path or bytes, optional): A CSV file with K, games before, age and peak rating of
            the players.
    Returns:
        Event: Its players and games.
    Raises:
        EventError: With every problem of the files and its place.
        OSError: If one cannot be read.
    """  # noqa: E501
    event = read_trf(path)
    return Event(event if players is None else with_players(event, read_players(players)))
