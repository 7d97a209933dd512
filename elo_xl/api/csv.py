"""Events as CSV files: ``elo_xl.csv.read``."""

from __future__ import annotations

from elo_xl.api.events import Event
from elo_xl.events.source import Source
from elo_xl.events.tables import read_games


def read(path: Source, *, players: Source) -> Event:
    r"""Read an event from a file of games and a file of players, as paths or the files' bytes.

    >>> event = read(
    ...     b"round,white,black,result\n1,Ana,Ben,1/2\n1,Cy,,bye\n",
    ...     players=b"name,rating\nAna,1800\nBen,\nCy,1650\n",
    ... )
    >>> event.games
    {'round': [1], 'white': ['Ana'], 'black': ['Ben'], 'result': [0.5]}
    >>> event.players["rating"]
    [1800.0, None, 1650.0]

    Args:
        path, players (path or bytes): The files, or what they hold; :mod:`elo_xl.events.tables`
            lists the columns of both.
    Returns:
        Event: Its players and games.
    Raises:
        EventError: With every problem of both files and its place.
        OSError: If one cannot be read.
    """
    return Event(read_games(path, players))
