"""An invented event in exactly the form of each program, with what it must give."""

from __future__ import annotations

import pytest

from elo_xl.engine.period import period
from elo_xl.events.event import EventError, Tournament
from elo_xl.events.files import read_event
from elo_xl.events.programs import programs
from elo_xl.events.rate import rate
from elo_xl.questions.explain import ExplainedPlayer, explain_player
from elo_xl.questions.rate.book import rated_event_book
from tests.support.command import invoke

Game = tuple[str, str, float]

FORMS: dict[str, tuple[str, list[Game], dict[str, float | None], dict[str, str]]] = {
    "chess-results": (
        ("Rg.;Snr;Name;Land;EloI;1.Rd;2.Rd;Pkt.; Wtg1 \n1;1;Alpha A;GER;1800;2w1;3s½;1,5;4,5\n"
        "2;2;Beta B;GER;0;1s0;4w1;1,0;4,0\n3;3;Gamma C;AUT;1600;4s+;1w½;1,5;5,0\n"
        "4;4;Delta D;GER;1500;3w-;2s0;0,0;5,5\n"),
        [("Alpha A", "Beta B", 1), ("Gamma C", "Alpha A", 0.5), ("Beta B", "Delta D", 1)],
        {"Alpha A": 1800, "Beta B": None, "Gamma C": 1600, "Delta D": 1500},
        {"Alpha A": "1=", "Beta B": "01", "Gamma C": "+=", "Delta D": "-0"},
    ),
    "vega": (
        ("Round,White,WhiteElo,Result,Black,BlackElo\n1,Alpha,1800,1 - 0,Beta,1700\n"
        "1,Gamma,10,½,( half point bye ),\n1,Delta,95,0,( not paired ),\n"
        "2,Gamma,10,0F-0F,Delta,95\n2,Beta,1700,1,( bye ),\n2,Alpha,1800,0,( not paired ),\n"
        "3,Alpha,1800,...,Delta,95\n"),
        [("Alpha", "Beta", 1)],
        {"Alpha": 1800, "Beta": 1700, "Gamma": 10, "Delta": 95},
        {"Alpha": "1Z", "Beta": "0U", "Gamma": "H-", "Delta": "Z-"},
    ),
    "aga": (
        ("# made by hand\nTOURNEY Spring Open, Town\n start=4/12/2026\nPLAYERS\n"
        "10001 Alpha, Ann 2d\n10002 Beta, Bob 1d\n10003 Gamma, Cy -3.2\nGAMES 1\n"
        "10001 10002 W 0 7\nGAMES 2\n10001 10003 B 3 0\nEND\n"),
        [("Alpha, Ann", "Beta, Bob", 1), ("Alpha, Ann", "Gamma, Cy", 0)],
        {"Alpha, Ann": None, "Beta, Bob": None, "Gamma, Cy": None},
        {"Alpha, Ann": "10", "Beta, Bob": "0", "Gamma, Cy": "1"},
    ),
    "dsb": (
        ("Nr;Name;Elo;1.Rd\n1;Alpha;1873 - 45;2w1\n2;Beta;Restp.;1s0\n"),
        [("Alpha", "Beta", 1)],
        {"Alpha": 1873, "Beta": None},
        {"Alpha": "1", "Beta": "0"},
    ),
    "leagues": (
        ("Datum;Heim;Gast;Ergebnis\nSa, 07.03.2026;Adler;Biber;3:1 n.V.\n"
        "samedi 7 mars 2026;Biber;Adler;0–3 (forfait)\nSat 14 Mar 2026;Adler;Biber;postponed\n"
        "domingo, 15 de marzo de 2026;Biber;Adler;2-2 (pens 4-2)\n"),
        [("Adler", "Biber", 1), ("Biber", "Adler", 0.5)],
        {"Adler": None, "Biber": None},
        {"Adler": "1+=", "Biber": "0-="},
    ),
    "toornament": (
        ("id,opponent_1.name,opponent_1.result,opponent_1.score,opponent_2.name,opponent_2.result,"
        "opponent_2.score\n1,Ana,win,2,Bo,loss,0\n2,Bo,loss,0,Cy,win,0\n3,Cy,,,Ana,,\n"
        "4,Ana,agreed,,Cy,agreed,\n5,Bo,forfeit,,Ana,win,\n"),
        [("Ana", "Bo", 1), ("Bo", "Cy", 0), ("Ana", "Cy", 0.5)],
        {"Ana": None, "Bo": None, "Cy": None},
        {"Ana": "1=+", "Bo": "00-", "Cy": "1="},
    ),
    "us-chess": (
        ('#,Name,Rtng,Rd 1,Rd 2,Rd 3,Total\n1,"Smith, A",1850,W2,D3,H---,2.0\n'
        '2,"Jones, B",1790,L1,W4,X3,2.0\n3,"Lee, C",1820,W4,D1,F2,1.5\n'
        '4,"Roe, D",unr.,L3,L2,U---,0.0\n5,"Doe, E",1450/12,B---,U---,U---,1.0\n'),
        [("Smith, A", "Jones, B", 1), ("Lee, C", "Roe, D", 1), ("Smith, A", "Lee, C", 0.5),
         ("Jones, B", "Roe, D", 1)],
        {"Smith, A": 1850, "Jones, B": 1790, "Lee, C": 1820, "Roe, D": None, "Doe, E": 1450},
        {"Smith, A": "1=H", "Jones, B": "01+", "Lee, C": "1=-", "Roe, D": "00Z", "Doe, E": "UZZ"},
    ),
    "us-chess, two lines": (
        "Pair | Player Name                     |Total|Round|Round|Round|\n"
        "Num  | USCF ID / Rtg (Pre->Post)       | Pts |  1  |  2  |  3  |\n"
        + "-" * 66 + "\n"
        "    1 | ALPHA A                         |2.0  |W   2|D   3|H    |\n"
        "   OH | 15445895 / R: 1800   ->1810     |N:2  |W    |B    |     |\n"
        + "-" * 66 + "\n"
        "    2 | BETA B                          |1.0  |L   1|B    |L   3|\n"
        "   MI | 14598900 / R: 1450P12->1455P14  |N:2  |B    |     |B    |\n"
        + "-" * 66 + "\n"
        "    3 | GAMMA C                         |1.5  |U    |D   1|W   2|\n"
        "   MI | 14959604 / R: Unrated->1640P2   |N:2  |     |W    |W    |\n",
        [("ALPHA A", "BETA B", 1), ("GAMMA C", "ALPHA A", 0.5), ("GAMMA C", "BETA B", 1)],
        {"ALPHA A": 1800, "BETA B": 1450, "GAMMA C": None},
        {"ALPHA A": "1=H", "BETA B": "0U0", "GAMMA C": "Z=1"},
    ),
    "french-grid": (
        ("Pl;Nom;Elo;Fede;Rd1;Rd2;Rd3;Pts\n1;ALPHA Anne;1800 F;FRA;+ 2B;= 3N;+ 4B;2,5\n"
        "2;BETA Bruno;1700 N;FRA;- 1N;> 4B;EXE;2\n3;GAMMA Chloé;NC;FRA;+ 4B;= 1B;;1,5\n"
        "4;DELTA Denis;1500 E;FRA;- 3N;< 2N;- 1N;0\n"),
        [("ALPHA Anne", "BETA Bruno", 1), ("GAMMA Chloé", "DELTA Denis", 1),
         ("GAMMA Chloé", "ALPHA Anne", 0.5), ("ALPHA Anne", "DELTA Denis", 1)],
        {"ALPHA Anne": 1800, "BETA Bruno": 1700, "GAMMA Chloé": None, "DELTA Denis": 1500},
        {"ALPHA Anne": "1=1", "BETA Bruno": "0+U", "GAMMA Chloé": "1=", "DELTA Denis": "0-0"},
    ),
    "opengotha": (
        ("Num;Name;Rating;R1;R2;Pts\n1;Alpha Ann;2100;2+/w0;3+/b0;2\n2;Beta Bob;2050;1-/b0;0+;1\n"
        "3;Gamma Cy;1900;0=;1-/w0;½\n"),
        [("Alpha Ann", "Beta Bob", 1), ("Gamma Cy", "Alpha Ann", 0)],
        {"Alpha Ann": 2100, "Beta Bob": 2050, "Gamma Cy": 1900},
        {"Alpha Ann": "11", "Beta Bob": "0U", "Gamma Cy": "H0"},
    ),
    "lichess": (
        "White,White Elo,Black,Black Elo,Result\nalpha,1500?,beta,?,1-0\n",
        [("alpha", "beta", 1)],
        {"alpha": 1500, "beta": None},
        {"alpha": "1", "beta": "0"},
    ),
    "fide": (
        "No,Name,FideID,Rtg,1.Rd\n1,Alpha,17,1800,2w1\n2,Beta,n/a,n/a,1b0\n",
        [("Alpha", "Beta", 1)],
        {"Alpha": 1800, "Beta": None},
        {"Alpha": "1", "Beta": "0"},
    ),
}  # fmt: skip


def codes(event: Tournament) -> dict[str, str]:
    return {p.name: "".join(c.code for c in event.pairings[p.number]) for p in event.players}


@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_a_program(form: str) -> None:
    text, games, ratings, rounds = FORMS[form]
    event = read_event(text.encode(), unrated=set(ratings.values()) == {None})
    names = {player.number: player.name for player in event.players}
    assert games == [(names[g.first], names[g.second], g.score) for g in event.games]
    assert ratings == {player.name: player.rating for player in event.players}
    assert rounds == codes(event)
    assert [] == [str(w) for w in event.warnings if "points are" in str(w)]


@pytest.mark.parametrize(("text", "stones"), [
    (FORMS["aga"][0], [("Gamma, Cy", 3)]),
    (
        "Place,Name,Rating,R1,R2\n1,A,2200,2+/w0,3-/b2\n2,B,2100,1-/b0,0-\n3,C,1900,0-,1+/w2\n",
        [("A", 2)],
    ),
    (
        "white,black,result,stones,komi\nA,B,1-0,3,0.5\nB,C,1-0,2,0.5\nC,A,0-1,0,6.5\n",
        [("B", 3), ("C", 2)],
    ),
    ("player 1,player 2,result,handicap\nA,B,1-0,3\n", []),
])  # fmt: skip
def test_stones_of_handicap_are_those_of_black(text: str, stones: list[tuple[str, int]]) -> None:
    event = read_event(text.encode(), unrated=True)
    names = {player.number: player.name for player in event.players}
    assert stones == [(names[g.second], g.stones) for g in event.games if g.stones]
    said = "the rules egf count its stones" if stones else "does not say who had Black"
    many = len(stones) or 1
    (warning,) = (w.what for w in event.warnings if "with handicap" in w.what)
    assert warning.startswith(f"{many} game")
    assert said in warning


def test_handicap_is_rated_and_explained() -> None:
    text = "white,white rating,black,black rating,result,handicap\nA,600,B,40,1-0,3\n"
    event = rate(read_event(text.encode()), "egf")
    done = period([600, 40], "auto", [0], [1], [1], "egf", stones=[3])
    assert done.change.tolist() == [player.change for player in event.players]
    for player in event.players:
        explained = explain_player(event, player.player)
        assert isinstance(explained, ExplainedPlayer)
        assert player.change == pytest.approx(explained.why.gained.sum())


@pytest.mark.parametrize(("cells", "results"), [
    (("1,½,0,1,2.5", "0,½,1,0,1.5"), "1=01"),
    (("1,,0,½,1.5", "0,0,1,½,1.5"), "110="),
])  # fmt: skip
def test_a_match_of_two(cells: tuple[str, str], results: str) -> None:
    text = "Name,Rating,1,2,3,4,Pts\nAlpha,2500,{}\nBeta,2480,{}\n"
    event = read_event(text.format(*cells).encode())
    assert results == codes(event)["Alpha"]
    two = read_event(b"Name,Rating,1,2\nAlpha,2500,1,=\nBeta,2480,0,=\n")
    assert "1=" == codes(two)["Alpha"]
    with pytest.raises(EventError, match="two results of game 2 contradict each other: 0 and 0"):
        read_event(b"Name,Rating,1,2,3\nAlpha,2500,1,0,1\nBeta,2480,0,0,0\n")


@pytest.mark.parametrize("form", ["{number} {title}{name}", "{name} {number} {title}{rating}"])
def test_pairings_of_vega_as_they_are_copied(form: str) -> None:
    """A cell has the number, the title and the rating of a player, too."""
    players = [(1, "", "Alpha, A", 1800), (2, "FM ", "Beta, B", 1750), (3, "", "Gamma 4, C", 1600)]
    a, b, c = (
        form.format(number=number, title=title, name=name, rating=rating)
        for number, title, name, rating in players
    )
    listed = "No;Name;Rtg\n" + "".join(f"{n};{name};{r}\n" for n, _, name, r in players)
    games = f"Round;White;Result;Black\n1;{a};1 - 0;{b}\n2;{c};½ - ½;{a}\n1;{c};1;( bye )\n"
    event = read_event(games.encode(), listed.encode())
    assert [(g.first, g.second, g.score) for g in event.games] == [(1, 2, 1.0), (3, 1, 0.5)]
    alone = read_event(games.encode(), unrated=True)
    assert [(g.first, g.second, g.score) for g in alone.games] == [(1, 2, 1.0), (3, 1, 0.5)]
    rated = form.endswith("{rating}")
    assert [(p.name, p.title, p.rating) for p in alone.players] == [
        (name, title.strip(), rating if rated else None) for _, title, name, rating in players
    ]
    unknown = games.replace(a, "9 Delta, D 1500")
    with pytest.raises(EventError, match="player is not in"):
        read_event(unknown.encode(), listed.encode())


def test_every_program_has_its_form() -> None:
    assert set(programs()) == {form.partition(",")[0] for form in FORMS}


PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><table><tr><td>
<table><tr><th colspan="2">White</th><th>Result</th><th>Black</th><th>Black Elo</th></tr>
<tr><td>Müller,&nbsp;Ana</td><td>1800</td><td>1 - 0</td><td><a>Bo</a></td><td>1700</td></tr>
</table></td></tr></table></body></html>"""


def test_a_page_is_read_by_its_tables() -> None:
    page = PAGE.replace('<th colspan="2">White</th>', "<th>White</th><th>White Elo</th>")
    for data in (page.encode(), page.replace('<meta charset="utf-8">', "").encode("cp1252")):
        event = read_event(data)
        assert [("Müller, Ana", 1800), ("Bo", 1700)] == [(p.name, p.rating) for p in event.players]
    with pytest.raises(EventError, match=r"^the page has no tables: save the table as xlsx or CSV"):
        read_event(b"<html><body>Results</body></html>")
    assert read_event(PAGE.encode(), unrated=True).players[0].name == "Müller, Ana"


def test_ratings_from_1_to_4000(tmp_path) -> None:
    """The change is by the table: 85 points apart make 0.62."""
    path, book = tmp_path / "juniors.csv", tmp_path / "juniors.xlsx"
    path.write_text("white,white elo,black,black elo,result\nA,10,B,95,1\n", encoding="utf-8")
    event = rate(read_event(path), "fide", 20)
    assert [12.4, -12.4] == [round(player.change, 2) for player in sorted(event.players,
                             key=lambda player: player.player.number)]  # fmt: skip
    done = invoke("rate", path, "--k", "20", "-o", book)
    assert "values" not in done.stdout
    ratings = rated_event_book(event).tables["Ratings"]
    assert sorted(ratings.column("change").numbers()[:2]) == pytest.approx([-12.4, 12.4])
