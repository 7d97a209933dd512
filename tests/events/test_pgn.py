"""Events as PGN: tags, players, rounds, dates, and what lies between games."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import elo_xl as elo
from elo_xl.events import tag_pairs
from elo_xl.events.event import EventError, Tournament
from elo_xl.events.files import is_pgn, read_event
from elo_xl.events.pgn import read_pgn
from elo_xl.events.tag_pairs import TagPairs
from tests.support.command import invoke


def game(white: str, black: str, result: str = "1-0", moves: str | None = None, **tags: str) -> str:
    """A game, with ratings and a date unless others are given; a tag that is None is left out."""
    usual = {"Event": "Rivertown Open", "Site": "Rivertown", "Date": "2026.03.07", "Round": "?",
             "White": white, "Black": black, "Result": result, "WhiteElo": "1800",
             "BlackElo": "1750"}  # fmt: skip
    lines = [f'[{name} "{text}"]' for name, text in (usual | tags).items()]
    return "\n".join([*lines, "", moves or f"1. e4 e5 2. Nf3 Nc6 3. Bb5 {result}", "", ""])


def read(*games: str, event: str = "") -> Tournament:
    return read_pgn("".join(games).encode(), event=event)


def problems(data: bytes | str, event: str = "") -> list[str]:
    with pytest.raises(EventError) as caught:
        read_pgn(data.encode() if isinstance(data, str) else data, event=event)
    return [str(problem) for problem in caught.value.problems]


def warnings(event: Tournament) -> list[str]:
    return [str(warning) for warning in event.warnings]


# a whole event


def test_an_event():
    event = read(
        game("Ferrer, Ana", "Oduya, Ben", Round="1", WhiteFideId="99000001", WhiteTitle="WIM"),
        game("Holt, Cy", "Ferrer, Ana", "0-1", Round="2", BlackFideId="99000001", WhiteElo="1600",
             BlackElo="1800", Date="2026.03.08"),
        game("Oduya, Ben", "Holt, Cy", "1/2-1/2", Round="3", WhiteElo="1750", BlackElo="1600"),
    )  # fmt: skip
    assert [
        ("Ferrer, Ana", "99000001", 1800, "WIM"),
        ("Oduya, Ben", "", 1750, ""),
        ("Holt, Cy", "", 1600, ""),
    ] == [(p.name, p.id, p.rating, p.title) for p in event.players]
    assert [(1, 1, 2, 1.0), (2, 3, 1, 0.0), (3, 2, 3, 0.5)] == [
        (g.round, g.first, g.second, g.score) for g in event.games
    ]
    assert ["w", "b", ""] == [pairing.colour for pairing in event.pairings[1]]
    assert (date(2026, 3, 7), date(2026, 3, 8)) == (event.start, event.end)
    assert ("Rivertown Open", "Rivertown", 3) == (event.name, event.city, event.rounds)
    assert [] == warnings(event)


def test_python_and_the_command_read_it_by_what_is_in_it(tmp_path: Path):
    path = tmp_path / "games.txt"
    path.write_text("% export\n" + game("Ana", "Ben") + game("Ben", "Ana", "*"))
    event = elo.read_event(path)
    assert {"round": [1], "white": ["Ana"], "black": ["Ben"], "result": [1.0]} == event.games
    done = invoke("rate", path, "--dry-run")
    assert 0 == done.exit_code
    assert done.output.startswith(
        "Games: games.txt, event 'Rivertown Open': 2 games, 1 not finished (*)\n"
    )
    assert "2 players, 1 round, 1 game\n" in done.output
    as_json = invoke("rate", path, "--dry-run", "--json", "--k", "20")
    # 20 points' worth of 1 minus what FIDE's table gives a player 50 points ahead
    assert pytest.approx(20 * (1 - 0.57)) == json.loads(as_json.stdout)["players"][0]["change"]


def test_the_ending_is_enough(tmp_path: Path):
    path = tmp_path / "empty.pgn"
    path.write_text("")
    with pytest.raises(EventError, match=r"^the file has no games @ empty\.pgn$"):
        read_event(path)


def test_event_is_an_option_of_pgn_only():
    with pytest.raises(EventError, match="--event chooses an event of a PGN file"):
        read_event(b"white,elo,black,elo,result\nAna,1800,Ben,1750,1\n", event="Open")


def test_ratings_from_a_list_of_players():
    bare = game("Ana", "Ben", WhiteElo="?", BlackElo="-").encode()
    assert ["the games have no ratings: name the players with --players"] == problems(bare)
    event = read_event(bare, b"name,rating\nAna,1900\nBen,1700\n")
    assert [1900, 1700] == [player.rating for player in event.players]


def test_several_events_that_are_named_are_one():
    """The organizer called the event otherwise from the second round on; its rounds stay."""
    rounds = [
        game("Ana", "Ben", Event="Cup 2026", Round="1.1"),
        game("Ben", "Ana", Event="Our Cup 2026", Round="2.1", WhiteElo="1750", BlackElo="1800"),
        game("Cy", "Di", Event="Other", Round="1.1"),
    ]
    data = "".join(rounds).encode()
    event = read_pgn(data, event=("Cup 2026", "our cup 2026"))
    assert [(1, 1, 2), (2, 2, 1)] == [(g.round, g.first, g.second) for g in event.games]
    assert 3 == len(read_pgn(data, event="*").games)
    with pytest.raises(EventError, match="no event is called 'Cup 2025'"):
        read_pgn(data, event=("Cup 2026", "Cup 2025"))


def test_two_who_meet_are_two():
    event = read(game("Wang Yang", "Ana"), game("Yang Wang", "Ana"), game("Yang Wang", "Wang Yang"))
    assert ["Wang Yang", "Ana", "Yang Wang"] == [player.name for player in event.players]
    assert [(1, 2), (3, 2), (3, 1)] == [(g.first, g.second) for g in event.games]
    said = "'Wang Yang' and 'Yang Wang' are different players: they meet each other"
    assert said in warnings(event)


# wrong forms


@pytest.mark.parametrize(
    ("tags", "problem"),
    [
        ({"White": ""}, "White has no name @ line 5"),
        ({"Black": "?"}, "Black has no name @ line 6"),
        ({"Result": ""}, "the result is missing @ line 7"),
        ({"Result": "bye"}, "the result is not that of a game: 'bye' @ line 7"),
        ({"WhiteElo": "18000"}, "rating must be a whole number from 1 to 4000: '18000' @ line 8"),
        ({"BlackElo": "17o0"}, "rating is not a number: '17o0' @ line 9"),
        ({"Black": "Ana"}, "White and Black are the same player @ line 1"),
        ({"Date": "2062.03.07"},
         "date is far off: dates from 1800 to a year from today are read: '2062.03.07' @ line 3"),
        ({"Date": "soon"}, "date is not understood: 'soon' @ line 3"),
    ],
)  # fmt: skip
def test_problems(tags: dict[str, str], problem: str):
    assert [problem] == problems(game("Ana", "Ben", **tags))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (game("Ana", "Ben").replace('"Ana"', "Ana"),
         "tag White is not understood: '[White Ana]'; it is written [White \"…\"] @ line 5"),
        (game("Ana", "Ben", moves="1. e4 { good 1-0"),
         "the comment has no end: a } is missing @ line 11"),
        (game("Ana", "Ben").replace("[Result", '[White "Cy"]\n[Result'),
         "the game has a second tag White @ line 7"),
        (game("Ana", "Ben", Round="1") + game("Cy", "Ana", Round="1", Date="2026.03.08"),
         "'Ana' has two games in round 1, the first on line 1 @ line 13"),
        (2 * game("Ana", "Ben", Round="4.2"),
         "the game occurs twice: round, date and players of line 1 @ line 13"),
        (2 * game("Ana", "Ben", UTCTime="10:00:00"),
         "the game occurs twice: round, date and players of line 1 @ line 14"),
        (game("Ana", "Ben") + game("Cy", "Ben", Event="Autumn \\\"Cup\\\"")
         + game("Cy", "Ana", Event="rivertown  open"),
         ("there are 2 events: 'Rivertown Open' (2 games), 'Autumn \"Cup\"' (1 game): "
          "choose one with --event, or several with as many, or all with --event \"*\"")),
    ],
)  # fmt: skip
def test_problems_of_files(text: str, problem: str):
    assert [problem] == problems(text)


def test_a_result_that_is_none_is_named_with_what_is_allowed():
    [problem] = problems(game("Ana", "Ben", "2-0"))
    assert "'2-0'; several games are entered one by one @ line 7" in problem


def test_all_problems_are_told_at_once():
    bad = game("Ana", "Ben", WhiteElo="x") + game("Cy", "Di", "?", BlackElo="99000")
    with pytest.raises(EventError) as caught:
        read_pgn(bad.encode())
    assert [8, 19, 21] == [problem.line for problem in caught.value.problems]


# events


def test_an_event_is_chosen_by_name():
    text = game("Ana", "Ben") + game("Cy", "Di", Event="Blitz", WhiteElo="x")
    assert ["Ana", "Ben"] == [p.name for p in read(text, event="rivertown open").players]
    assert ["rating is not a number: 'x' @ line 20"] == problems(text, event="Blitz")
    assert ["no event is called 'Cup'; there are 'Rivertown Open' (1 game), 'Blitz' (1 game)"] == (
        problems(text, event="Cup")
    )


def test_rounds_of_a_broadcast_are_one_event():
    text = game("Ana", "Ben", Event="Round 1: Ana - Ben", BroadcastName="Cup")
    text += game("Ana", "Cy", Event="Round 2: Ana - Cy", BroadcastName="Cup")
    assert ("Cup", 2) == (read(text).name, len(read(text).games))


# players


def test_players_are_told_by_number_then_by_name():
    event = read(
        game("Ferrer, Ana", "Müller, Jörg", WhiteFideId="1"),
        game("Ferrer, A.", "Mueller, Joerg", WhiteFideId="1"),
        game("Ferrer, Ana", "Joerg Muller", WhiteFideId="2"),
    )
    assert [("Ferrer, Ana", "1"), ("Müller, Jörg", ""), ("Ferrer, Ana", "2")] == [
        (player.name, player.id) for player in event.players
    ]
    assert [
        "'Ferrer, A.' is read as 'Ferrer, Ana': both have the number 1 @ line 14",
        "'Mueller, Joerg' is read as 'Müller, Jörg' @ line 14",
        "'Joerg Muller' is read as 'Müller, Jörg' @ line 27",
    ] == warnings(event)


def test_a_name_without_a_number_may_be_two_people():
    text = game("Ferrer, Ana", "Ben", WhiteFideId="1") + game("Ferrer, Ana", "Cy", WhiteFideId="2")
    assert ["'Ferrer, Ana' may be 1 or 2: two players of one name need FIDE numbers @ line 27"] == (
        problems(text + game("Ferrer, Ana", "Di"))
    )


def test_a_number_that_comes_later_is_the_players():
    event = read(game("Ana", "Ben"), game("Ana", "Cy", WhiteFideId="99000001"))
    assert ["99000001", "", ""] == [player.id for player in event.players]


def test_every_letter_of_a_nickname_counts():
    event = read(game("joel_b", "jol_b"), game("JOEL_b", "bot-1", BlackTitle="BOT"))
    assert ["joel_b", "jol_b", "bot-1"] == [player.name for player in event.players]
    assert "BOT" == event.players[2].title


def test_the_rating_of_the_first_game_counts_by_date():
    event = read(
        game("Ana", "Ben", WhiteElo="1830", Date="2026.03.20"),
        game("Ana", "Cy", WhiteElo="1800", Date="2026.03.02"),
        game("Ana", "Di", WhiteElo="?", Date="2026.03.01"),
    )
    assert 1800 == event.players[0].rating
    assert [
        "rating of Ana: 1800 (2026.03.02), the first, counts, not 1830 (2026.03.20) @ line 1"
    ] == warnings(event)


def test_byes_are_no_games():
    event = read(game("Ana", "Ben"), game("Ana", "BYE", BlackElo="-"))
    assert (2, 1) == (len(event.players), len(event.games))
    assert "Byes: 1 game with one side empty" in event.understood


# results, rounds, dates, time controls


def test_forfeits_are_not_rated_and_games_without_moves_are_named():
    event = read(
        game("Ana", "Ben"),
        game("Ana", "Cy", "+/-", moves="*"),
        game("Cy", "Ben", moves="1-0", WhiteElo="1750"),
    )
    assert [(1, 2), (3, 2)] == [(g.first, g.second) for g in event.games]
    assert ["1 game without moves, which may be a forfeit (+/-): line 25"] == warnings(event)


def test_a_game_that_ends_with_another_result_than_its_tag_is_named():
    event = read(
        game("Ana", "Ben", moves="1. e4 e5 {resigns} 0-1"),
        game("Ana", "Cy", "1/2-1/2", moves="1. d4 1/2-1/2"),
        game("Cy", "Ben", "*", moves="1. c4 1-0"),
        game("Ben", "Cy", "+/-", moves="1-0", WhiteElo="1750"),
    )
    what = "2 games whose moves end with another result than the tag Result, which counts"
    assert [f"{what}: line 1, 25"] == warnings(event)
    assert [1, 0.5] == [played.score for played in event.games]


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        (("1.1", "1.2", "2.1"), [1, 1, 2]),
        (("1", "1", "?"), [1, 1, 2]),
        (("-", "-", "-"), [1, 1, 2]),
        (("1.1", "1.2", "1.3"), [1, 1, 2]),
        (("", "Final", "0"), [1, 1, 2]),
        (("3", "3", "5"), [3, 3, 5]),
    ],
)
def test_rounds(rounds: tuple[str, ...], expected: list[int]):
    pairs = (("Ana", "Ben"), ("Cy", "Di"), ("Ana", "Cy"))
    games = [game(*pair, Round=text) for pair, text in zip(pairs, rounds, strict=True)]
    event = read(*(text.replace('"1750"', '"1800"') for text in games))
    assert expected == [g.round for g in event.games]


def test_rounds_are_counted_in_the_order_of_time():
    later = game("Ana", "Ben", "0-1", UTCTime="18:30:00", BlackElo="1800")
    event = read(later, game("Ben", "Ana", "1/2-1/2", UTCTime="18:05:00", BlackElo="1800",
                             WhiteElo="1800"))  # fmt: skip
    assert [(1, 0.5), (2, 0.0)] == [(g.round, g.score) for g in event.games]


@pytest.mark.parametrize(
    ("tags", "start", "warning"),
    [
        ({"Date": "2026.03.??"}, date(2026, 3, 1), "'2026.03.??' is read as 2026-03-01 @ line 3"),
        ({"Date": "????.??.??", "UTCDate": "2026.03.05"}, date(2026, 3, 5), ""),
        ({"Date": "2026.??.??", "EventDate": "2026.03.04"}, date(2026, 3, 4), ""),
        ({"Date": "07.03.2026"}, date(2026, 3, 7), ""),
        ({"Date": "2026-03-07"}, date(2026, 3, 7), ""),
        ({"Date": "?"}, None, "the games have no dates"),
    ],
)
def test_dates(tags: dict[str, str], start: date | None, warning: str):
    event = read(game("Ana", "Ben", **tags))
    assert (start, [warning] if warning else []) == (event.start, warnings(event))


def test_a_date_without_a_month_does_not_choose_the_rules():
    event = read(game("Ana", "Ben", Date="2026.??.??"))
    assert "the date has no month: '2026.??.??' @ line 3" == str(event.undated)


@pytest.mark.parametrize(
    ("text", "kind", "warned"),
    [
        ("5400+30", "standard", False),
        ("40/7200:3600", "standard", False),
        ("900+10", "rapid", False),
        ("180+2", "blitz", False),
        ("60", "blitz", False),
        ("1/86400", "standard", False),
        ("90+30", "standard", True),
        ("180+30", "standard", True),
        ("181+30", "rapid", False),
        ("-", None, False),
        ("*180", None, False),
    ],
)
def test_time_controls(text: str, kind: str | None, warned: bool):
    event = read(game("Ana", "Ben", TimeControl=text))
    assert (kind, warned) == (event.kind, bool(event.warnings))


def test_time_controls_that_differ_choose_no_rules():
    event = read(
        game("Ana", "Ben", TimeControl="180+2"),
        *(game("Ana", "Cy", TimeControl="600+5", UTCTime=time) for time in ("10:00", "11:00")),
    )
    assert event.kind is None
    assert [
        "the time controls differ: rapid (2 games), blitz (1 game); name the rules with --rules"
    ] == warnings(event)


@pytest.mark.parametrize(
    ("site", "city"),
    [("St. Louis, USA", "St. Louis, USA"), ("https://lichess.org/abc", ""), ("Chess.com", "")],
)
def test_places(site: str, city: str):
    assert city == read(game("Ana", "Ben", Site=site)).city


def test_variants_are_named():
    event = read(game("Ana", "Ben", Variant="Standard"), game("Ana", "Cy", Variant="Crazyhouse"))
    assert ["1 game of the variant 'Crazyhouse'"] == warnings(event)


# text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, end: str):
    text = game("Müller, Jörg", "Peña, Íñigo") + game("Peña, Íñigo", "Zoë", "0-1")
    text = text.replace('"1750"', '"1800"').replace("\n", end)
    event = read_event(text.encode(encoding))
    assert ["Müller, Jörg", "Peña, Íñigo", "Zoë"] == [player.name for player in event.players]
    bad = text.replace('"Zoë"', '"?"')
    assert ["Black has no name @ line 18"] == problems(bad.encode(encoding))


def test_cyrillic_and_what_is_not_known():
    text = game("Иванов Иван", "Петров Пётр")
    event = read_pgn(text.encode("cp1251"))
    assert ["Иванов Иван", "Петров Пётр"] == [player.name for player in event.players]
    polish = game("Pawłowski, Jan", "Ben").encode("cp1250")
    [problem] = problems(polish)
    assert "name it with --encoding" in problem
    assert "Pawłowski, Jan" == read_pgn(polish, encoding="cp1250").players[0].name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (r"Ana \"Ace\" Ferrer", 'Ana "Ace" Ferrer'),
        ('Ana "Ace" Ferrer', 'Ana "Ace" Ferrer'),
        (r"Back\\slash", r"Back\slash"),
        ("  Ferrer ,  Ana ", "Ferrer , Ana"),
        ("Ana [captain]", "Ana [captain]"),
        ("{Ana} ; %", "{Ana} ; %"),
    ],
)
def test_values_of_tags(written: str, name: str):
    assert name == read(game(written, "Ben")).players[0].name


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("]\n[", "]["),
        lambda text: text.replace("]\n[", "]\n\n["),
        lambda text: text.replace("[White ", "  [ White\t"),
        lambda text: text.replace("\n[Black ", "\n% escaped [Black\n; rest\n{note}\n[Black "),
        lambda text: text.replace("\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n", "\n"),
        lambda text: text.replace("1-0\n\n", "1-0 "),
        lambda text: text.replace('[Site "Rivertown"]', "[Site Rivertown]\n[%broken]"),
    ],
)
def test_forms_of_files(change):
    text = change(game("Ana", "Ben") + game("Cy", "Di") + game("Ana", "Di"))
    assert [(1, 2), (3, 4), (1, 4)] == [(g.first, g.second) for g in read(text).games]


def test_games_may_begin_with_different_tags():
    other = "\n".join(reversed(game("Cy", "Di").split("\n\n")[0].split("\n")))
    event = read(game("Ana", "Ben"), f"{other}\n\n1. e4 1-0\n")
    assert 2 == len(event.games)
    assert ["Ana", "Ben", "Cy", "Di"] == [p.name for p in event.players]


def test_a_comment_that_swallows_a_game_is_named():
    event = read(
        game("Ana", "Ben", moves="1. e4 { good"), game("Cy", "Di", moves="1. d4 {bad} 1-0")
    )
    assert 1 == len(event.games)
    assert ["a comment has a tag Event in it: is a } missing before? @ line 13"] == warnings(event)


def test_what_is_pgn():
    assert is_pgn(b'; exported\n%x\n{note}\n [ Event  "x"]')
    assert is_pgn('[Event "x"]'.encode("utf-16"))
    assert not is_pgn(b"[section]\nkey=1\n")
    assert not is_pgn(b'001 [White "x"]')


# whatever lies between games

LETTERS = st.text(
    st.characters(codec="utf-8", exclude_characters="{}\r\n", exclude_categories=("Cs", "Cc")),
    max_size=30,
)
TAG_LIKE = st.sampled_from(['[White "Eve"]', '[Event "x"]', "[%clk 0:01:00]", "[", "]", '"', "("])
COMMENT = st.lists(LETTERS | TAG_LIKE | st.just("\n"), max_size=4).map(
    lambda parts: "{" + " ".join(parts) + "}"
)
REST = st.lists(LETTERS | TAG_LIKE, max_size=3).map(
    lambda parts: ";" + "{".join(parts).replace("\r", "") + "\n"
)
ESCAPE = LETTERS.map(lambda text: f'\n%{text}{{[White "Eve"]\n')
MOVE = st.sampled_from(
    ["1. e4", "1... e5", "Nf3!?", "$14", "(2. d4 exd4)", "O-O-O#", "e8=Q+", "\n"]
)
BODY = st.lists(MOVE | COMMENT | REST | ESCAPE, max_size=12).map(" ".join)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    bodies=st.lists(BODY, min_size=1, max_size=6),
    piece=st.integers(1, 400),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_every_game_is_kept(bodies: list[str], piece: int, end: str):
    names = [(f"White {n}", f"Black {n}") for n in range(len(bodies))]
    text = "".join(
        game(*pair, moves=f"1. c4 {body}\n 1-0") for pair, body in zip(names, bodies, strict=True)
    )
    data = text.replace("\n", end).encode()
    expected = [tuple(name.encode() for name in pair) for pair in names]
    starts = [
        n for n, line in enumerate(text.split("\n"), 1) if line.startswith('[Event "Rivertown')
    ]
    with pytest.MonkeyPatch.context() as patch:
        for size in (1 << 20, piece):
            patch.setattr(tag_pairs, "_PIECE", size)
            pairs = TagPairs(data, [b"White", b"Black"])
            found = list(pairs.games())
            assert expected == [(tags[b"White"], tags[b"Black"]) for _, tags, *_ in found]
            assert starts == [line for line, *_ in found]
            assert all(played and result == b"1-0" for *_, played, result in found)
            assert [] == pairs.problems


@given(st.binary(max_size=300) | st.text('[]{};%"\\\n\r Event1-0*', max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused(noise: bytes):
    with suppress(EventError):
        assert read_pgn(game("Ana", "Ben").encode() + noise).games


@pytest.mark.slow
def test_everything_may_be_long(monkeypatch: pytest.MonkeyPatch):
    """A comment, a line and a run of tags may be of a megabyte each, in pieces of 4 KB."""
    monkeypatch.setattr(tag_pairs, "_PIECE", 1 << 12)
    size = 1 << 20
    long = [
        game("Ana", "Ben", moves="1. e4 {" + "x[\n" * (size // 3) + "} 1-0"),
        game("Ana", "Cy", moves="1. e4 " + "e5 " * (size // 3) + "1-0"),
        game("Ana", "Di", moves="1. e4 " + "[ % ( " * (size // 6) + "1-0"),
        game("Ana", "Ed").replace("[Result", '[X "y"]\n' * (size // 8) + "[Result"),
    ]
    event = read(*long)
    assert 4 == len(event.games)
