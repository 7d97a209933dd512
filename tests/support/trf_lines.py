"""Tournament report files made for the tests: invented players, one helper a record."""


def player(
    number: int | str,
    *rounds: str,
    name: str = "",
    rating: int | str = 1800,
    sex: str = "m",
    title: str = "",
    federation: str = "IRL",
    id: int | str = "",
    birth: str = "1990/00/00",
    points: float | str = "",
    rank: int | str = "",
) -> str:
    """A player line; a round is written as ``"12 w 1"``, ``"- H"`` (a bye) or ``""``."""
    line = (
        f"001 {number:>4} {sex:1}{title:>3} {name or f'Player, Number {number}':<33} {rating:>4} "
        f"{federation:<3} {id:>11} {birth:<10} {points:>4} {rank:>4}"
    )
    for cell in rounds:
        opponent, colour, code = ["", "", "", *cell.split(" ")][-3:]
        line += f"  {opponent:>4} {colour or ' '} {code or ' '}"
    return line.rstrip()


def trf(*lines: str, start: str = "2026/03/18", end: str = "\n") -> bytes:
    """A file of lines, with a name and a date unless ``start`` is empty."""
    head = ["012 Test Event", *([f"042 {start}"] if start else [])]
    return "".join(line + end for line in [*head, *lines]).encode()


PAIR = (player(1, "2 w 1", points=1.0), player(2, "1 b 0", points=0.0))
"""two players, one game, nothing to be warned of"""
