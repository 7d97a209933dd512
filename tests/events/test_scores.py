"""Lists of any sport: who met whom, who won, by how much and where, in every form of a list."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
from scipy.optimize import minimize

import elo_xl as elo
from elo_xl.engine.fit import fit
from elo_xl.events.event import EventError, Tournament
from elo_xl.events.files import read_event
from tests.support.calc import Calc
from tests.support.command import invoke as run

Played = tuple[str, str, float, float | None, str]
SEVERAL = "if there are several tables, number them in a column table"


def read(text: str, **options: Any) -> Tournament:
    return read_event(text.encode(), unrated=True, **options)


def games(event: Tournament) -> list[Played]:
    names = {player.number: player.name for player in event.players}
    return [(names[g.first], names[g.second], g.score, g.margin, g.ground) for g in event.games]


def test_ratings_of_a_and_b() -> None:
    event = read("Player A,Rating A,Player B,Rating B,Score\nReds,1800,Blues,1700,3:1\n")
    assert {"Reds": 1800, "Blues": 1700} == {p.name: p.rating for p in event.players}


def problems(text: str, **options: Any) -> list[str]:
    with pytest.raises(EventError) as caught:
        read(text, **options)
    return [problem.what for problem in caught.value.problems]


FORMS = {
    "a form's answers": (
        ("Timestamp,Player 1 Name,Player 1 Score,Player 2 Name,Player 2 Score\n"
        "2026-11-01 12:00:00,Reds,11,Blues,7\n2026-11-01 12:10:00,Greens,9,Reds,11\n"),
        [("Reds", "Blues", 1, 4, ""), ("Greens", "Reds", 0, 2, "")],
        ("Player 1 Name against Player 2 Name; scores in Player 1 Score, Player 2 Score; 2 games, "
        "3 players"),
    ),
    "a form's questions": (
        ("ID,Start time,Completion time,Player 1,Player 2,Who won?\n"
        "1,11/27/2026 23:58:00,11/28/2026 00:02:12,Reds,Blues,Blues\n"),
        [("Reds", "Blues", 0, None, "")],
        "Player 1 against Player 2; winners in Who won?; 1 game, 2 players",
    ),
    "league tables with odds": (
        ("Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,B365H\n"
        "L1,15/08/2026,15:00,Reds,Blues,2,1,H,1,1.9\nL1,16/08/2026,,Greens,Whites,0,0,D,0,3.1\n"
        "L1,22/08/2026,,Blues,Greens,1,3,A,0,2.2\n"),
        [("Reds", "Blues", 1, 1, "home"), ("Greens", "Whites", 0.5, 0, "home"),
         ("Blues", "Greens", 0, 2, "home")],
        "home side first; scores in FTHG, FTAG; 3 games, 4 teams",
    ),
    "internationals since the beginning": (
        ("date,home_team,away_team,home_score,away_score,tournament,city,neutral\n"
        "1872-11-30,Avaria,Bolumbia,0,0,Friendly,X,FALSE\n"
        "2026-01-11,Bolumbia,Cydonia,3,4,Cup,X,TRUE\n"),
        [("Avaria", "Bolumbia", 0.5, 0, "home"), ("Bolumbia", "Cydonia", 0, 1, "neutral")],
        ("home side first; scores in home_score, away_score; neutral ground in neutral; 2 games, "
        "3 teams"),
    ),
    "two columns of points": (
        ("date,player1,player2,p1_points,p2_points\n2026-01-01,Reds,Blues,3,1\n"
        "2026-01-02,Blues,Greens,2,2\n"),
        [("Reds", "Blues", 1, 2, ""), ("Blues", "Greens", 0.5, 0, "")],
        "player1 against player2; scores in p1_points, p2_points; 2 games, 3 players",
    ),
    "tennis": (
        ("tourney_name,winner_name,loser_name,score\nCup,Reds,Blues,6-4 3-6 7-6(5)\n"
        "Cup,Greens,Reds,7-6(2) 6-7(4) RET\nCup,Greens,Blues,W/O\n"),
        [("Reds", "Blues", 1, 1, ""), ("Greens", "Reds", 1, None, "")],
        "winner first; scores in score; 2 games, 1 forfeit not rated, 3 players",
    ),
    "winner and loser": (
        "winner,loser\nReds,Blues\nGreens,Reds\n",
        [("Reds", "Blues", 1, None, ""), ("Greens", "Reds", 1, None, "")],
        "winner first; 2 games, 3 players",
    ),
    "winner or tie": (
        ("Week,Day,Date,Winner/tie,,Loser/tie,PtsW,PtsL\n1,Thu,2025-09-04,Reds,,Blues,24,20\n"
        "1,Fri,2025-09-05,Greens,@,Whites,17,17\n"),
        [("Reds", "Blues", 1, 4, ""), ("Greens", "Whites", 0.5, 0, "")],
        "winner first; scores in PtsW, PtsL; 2 games, 4 players",
    ),
    "a column with the winner": (
        ("season,home,away,winner\n2024-25,Reds,Blues,Blues\n2025-26,Reds,Blues,draw\n"
        "2025-26,Blues,Reds,home\n"),
        [("Reds", "Blues", 0, None, "home"), ("Reds", "Blues", 0.5, None, "home"),
         ("Blues", "Reds", 1, None, "home")],
        "home side first; winners in winner; 3 games, 2 teams, 2 seasons",
    ),
    "letters": (
        "home,away,result\nReds,Blues,H\nGreens,Blues,D\nGreens,Reds,A\n",
        [("Reds", "Blues", 1, None, "home"), ("Greens", "Blues", 0.5, None, "home"),
         ("Greens", "Reds", 0, None, "home")],
        "home side first; home, draw, away in result; 3 games, 3 teams",
    ),
    "1, X, 2": (
        "Casa,Fora,Resultado\nReds,Blues,1\nGreens,Blues,X\nGreens,Reds,2\n",
        [("Reds", "Blues", 1, None, "home"), ("Greens", "Blues", 0.5, None, "home"),
         ("Greens", "Reds", 0, None, "home")],
        "home side first; results in Resultado; 3 games, 3 teams",
    ),
    "scores in one column": (
        "Heimmannschaft;Gastmannschaft;Ergebnis\nReds;Blues;2:1\nGreens;Blues;0:0\nBlues;Reds;1-1\n",
        [("Reds", "Blues", 1, 1, "home"), ("Greens", "Blues", 0.5, 0, "home"),
         ("Blues", "Reds", 0.5, 0, "home")],
        "home side first; scores in Ergebnis; 3 games, 3 teams",
    ),
    "table tennis": (
        "Joueur 1;Joueur 2;Score\nReds;Blues;11:7\nGreens;Blues;21:19\n",
        [("Reds", "Blues", 1, 4, ""), ("Greens", "Blues", 1, 2, "")],
        "Joueur 1 against Joueur 2; scores in Score; 2 games, 3 players",
    ),
    "goals in Russian": (
        "Сезон;Хозяева;Гости;Голы хозяева;Голы гости\n2025;Reds;Blues;2;0\n2026;Blues;Reds;1;1\n",
        [("Reds", "Blues", 1, 2, "home"), ("Blues", "Reds", 0.5, 0, "home")],
        "home side first; scores in Голы хозяева, Голы гости; 2 games, 2 teams, 2 seasons",
    ),
    "goals in Spanish": (
        "Equipo local;Equipo visitante;Goles local;Goles visitante\nReds;Blues;2;0\n",
        [("Reds", "Blues", 1, 2, "home")],
        "home side first; scores in Goles local, Goles visitante; 1 game, 2 teams",
    ),
    "sets in one column": (
        "Datum;Heim;Gast;Sätze\n07.03.2026;Reds;Blues;3:1\n14.03.2026;Blues;Greens;2:3\n",
        [("Reds", "Blues", 1, 2, "home"), ("Blues", "Greens", 0, 1, "home")],
        "home side first; scores in Sätze; 2 games, 3 teams",
    ),
    "legs beside each name": (
        "Player A,Legs,Player B,Legs,180s\nReds,3,Blues,1,2\nGreens,0,Reds,3,0\n",
        [("Reds", "Blues", 1, 2, ""), ("Greens", "Reds", 0, 3, "")],
        "Player A against Player B; scores in Legs, Legs; 2 games, 3 players",
    ),
    "goals in Portuguese of Portugal": (
        "Casa,Golos Casa,Golos Fora,Fora\nReds,4,2,Blues\n",
        [("Reds", "Blues", 1, 2, "home")],
        "home side first; scores in Golos Casa, Golos Fora; 1 game, 2 teams",
    ),
    "sets in columns": (
        ("Fecha;Pareja 1;Pareja 2;Set 1;Set 2;Set 3\n7/3/2026;Reds;Blues;6-4;3-6;7-5\n"
        "14/3/2026;Blues;Greens;4-6;6-7;\n"),
        [("Reds", "Blues", 1, 1, ""), ("Blues", "Greens", 0, 2, "")],
        "Pareja 1 against Pareja 2; sets in Set 1, Set 2, Set 3; 2 games, 3 players",
    ),
    "rounds with names, the winner by colour": (
        "round,white_id,black_id,winner\nSemifinal,ana,bo,white\nFinal,cy,ana,black\n",
        [("ana", "bo", 1, None, ""), ("cy", "ana", 0, None, "")],
        "white_id against black_id; winners in winner; 2 games, 3 players",
    ),
    "broken off beside a winner": (
        ("player1,player2,score,winner\nReds,Blues,2-6 1-0 ret.,Reds\n"
        "Reds,Greens,2-2 (pens 4-2),Reds\n"),
        [("Reds", "Blues", 1, None, ""), ("Reds", "Greens", 0.5, 0, "")],
        "player1 against player2; scores in score; winners in winner; 2 games, 3 players",
    ),
    "the sides by letters": (
        "Team A,Team B,Score A,Score B\nReds,Blues,11,7\n",
        [("Reds", "Blues", 1, 4, "")],
        "Team A against Team B; scores in Score A, Score B; 1 game, 2 players",
    ),
    "letters in the column of the first": (
        "Team A,Team B,Score A\nReds,Blues,H\nBlues,Greens,A\n",
        [("Reds", "Blues", 1, None, ""), ("Blues", "Greens", 0, None, "")],
        "Team A against Team B; home, draw, away in Score A; 2 games, 3 players",
    ),
    "goals in the genitive": (
        "Дата;Хозяева;Гости;Голы хозяев;Голы гостей\n05.08.2026;Reds;Blues;3;1\n",
        [("Reds", "Blues", 1, 2, "home")],
        "home side first; scores in Голы хозяев, Голы гостей; 1 game, 2 teams",
    ),
    "a cross between the goals, none at all": (
        "Mandante;Placar;Visitante\nReds;2 x 0;Blues\nBlues;0x0;Reds\n",
        [("Reds", "Blues", 1, 2, "home"), ("Blues", "Reds", 0.5, 0, "home")],
        "home side first; scores in Placar; 2 games, 2 teams",
    ),
    "no goals in the only games": (
        "Équipe domicile;Équipe extérieure;Score\nReds;Blues;0-0\n",
        [("Reds", "Blues", 0.5, 0, "home")],
        "home side first; scores in Score; 1 game, 2 teams",
    ),
    "ids before the names of winner and loser": (
        "winner_id,winner_name,loser_id,loser_name,score\n1,Reds,2,Blues,7-6(3) 3-6 RET\n",
        [("Reds", "Blues", 1, None, "")],
        "winner first; scores in score; 1 game, 2 players",
    ),
    "how a game ended, in a column of its own": (
        ("utcDate,status,homeTeam,awayTeam,scoreHome,scoreAway\n"
        "2026-08-22T13:30:00Z,FINISHED,Reds,Blues,2,1\n2026-08-29T13:30:00Z,Awarded,Blues,Reds,3,0\n"
        "2026-08-30T13:30:00Z,POSTPONED,Greens,Reds,0,0\n"),
        [("Reds", "Blues", 1, 1, "home")],
        ("home side first; scores in scoreHome, scoreAway; 1 game, 1 forfeit not rated, 3 teams"),
    ),
    "a note on a game that was not played": (
        "White,Black,Result,Bemerkung\nReds,Blues,1,kampflos\nReds,Greens,1,\n",
        [("Reds", "Greens", 1, None, "")],
        "",
    ),
    "a note on a game that was put off and played later": (
        "Heim;Gast;Ergebnis;Bemerkung\nReds;Blues;3:1;verlegt\nBlues;Greens;2:0;\n",
        [("Reds", "Blues", 1, 2, "home"), ("Blues", "Greens", 1, 2, "home")],
        "home side first; scores in Ergebnis; 2 games, 3 teams",
    ),
    "a note on a game that nobody has played": (
        ("Home;Away;HG;AG;Note\nReds;Blues;0;0;not played\nBlues;Greens;0;0;W.O.\n"
        "Reds;Greens;0;0;\n"),
        [("Reds", "Greens", 0.5, 0, "home")],
        "home side first; scores in HG, AG; 1 game, 3 teams",
    ),
    "a word for the result of a winner who did not play": (
        "Winner,Loser,Score\nReds,Blues,awarded\nBlues,Reds,4-6 3-2 ret.\n",
        [("Blues", "Reds", 1, None, "")],
        "winner first; scores in Score; 1 game, 1 forfeit not rated, 2 players",
    ),
    "the number of the draw beside sets": (
        "Winner,Loser,Score,Draw\nReds,Blues,6-4 6-3,1\n",
        [("Reds", "Blues", 1, 2, "")],
        "winner first; scores in Score; 1 game, 2 players",
    ),
    "a won set beside a score": (
        "Player 1,Player 2,Score,Win/Loss,Sets lost\nReds,Blues,3-1,W,1\n",
        [("Reds", "Blues", 1, 2, "")],
        "Player 1 against Player 2; scores in Score; 1 game, 2 players",
    ),
    "odds beside a score": (
        "HomeTeam,AwayTeam,Score,Home,Draw,Away\nReds,Blues,2-1,1.8,3.4,4.2\n",
        [("Reds", "Blues", 1, 1, "home")],
        "home side first; scores in Score; 1 game, 2 teams",
    ),
    "each pair twice, in rounds": (
        ("Round,Player 1,Player 2,Result\n1,Reds,Blues,1\n1,Cyans,Greens,1\n2,Blues,Reds,0\n"
        "2,Greens,Cyans,0\n"),
        [("Reds", "Blues", 1, None, ""), ("Cyans", "Greens", 1, None, ""),
         ("Blues", "Reds", 0, None, ""), ("Greens", "Cyans", 0, None, "")],
        "",
    ),
    "commas between sets": (
        "Player 1,Player 2,Score\nReds,Blues,\"7-11,5-11,11-5\"\nBlues,Reds,\"2,5-1,5\"\n",
        [("Reds", "Blues", 0, 1, ""), ("Blues", "Reds", 1, 1, "")],
        "Player 1 against Player 2; scores in Score; 2 games, 2 players",
    ),
    "draws in a column beside winners": (
        "Winner,Loser,Draw\nReds,Blues,no\nGreens,Reds,yes\nReds,Whites,Main\n",
        [("Reds", "Blues", 1, None, ""), ("Greens", "Reds", 0.5, None, ""),
         ("Reds", "Whites", 1, None, "")],
        "winner first; 3 games, 4 players",
    ),
    "the score of the other one": (
        "Player,Score,Opponent,Opp Score\nReds,412,Blues,388\n",
        [("Reds", "Blues", 1, 24, "")],
        "Player against Opponent; scores in Score, Opp Score; 1 game, 2 players",
    ),
    "games of a match in columns": (
        "Challenger,Defender,Game 1,Game 2\nReds,Blues,21-15,21-19\n",
        [("Reds", "Blues", 1, 2, "")],
        "Challenger against Defender; sets in Game 1, Game 2; 1 game, 2 players",
    ),
    "visitors and neutral grounds": (
        "Date,Visitor/Neutral,PTS,Home/Neutral,PTS\n1-Mar-26,Reds,109,Blues,119\n",
        [("Blues", "Reds", 1, 10, "home")],
        "home side first; scores in PTS, PTS; 1 game, 2 teams",
    ),
    "a table in Markdown": (
        "| Player 1 | Player 2 | W/L |\n|---|:---:|--:|\n| Reds | Blues | L |\n",
        [("Reds", "Blues", 0, None, "")],
        "",
    ),
    "goals of home and away": (
        ("Home,Away,Goals H,Goals A,Elo H,Elo A\nReds,Blues,3,1,1500,1500\n"
        "Blues,Greens,4,2,1500,1400\n"),
        [("Reds", "Blues", 1, 2, "home"), ("Blues", "Greens", 1, 2, "home")],
        "home side first; scores in Goals H, Goals A; 2 games, 3 teams",
    ),
    "records of go": (
        "PB,PW,RE\nReds,Blues,B+3.5\nBlues,Reds,w+R\nReds,Blues,Jigo\n",
        [("Blues", "Reds", 0, None, ""), ("Reds", "Blues", 1, None, ""),
         ("Blues", "Reds", 0.5, None, "")],
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_list_of_any_sport(form: str) -> None:
    text, expected, reading = FORMS[form]
    event = read(text)
    assert expected == games(event)
    assert reading == event.reading


def test_a_score_that_does_not_count_is_said_not_to() -> None:
    event = read(
        "Home,Away,Score,Status\nReds,Blues,2-1,\nBlues,Reds,1-0,abandoned\nReds,Blues,,abandoned\n"
    )
    assert ["marked as 'abandoned', so its score is not rated", "the game has no result"] == [
        str(note).partition(" @ ")[0] for note in event.warnings[:2]
    ]


def test_a_list_of_chess_games_is_read_as_before() -> None:
    event = read("white,black,result\nAna,Bo,0-0\nBo,Ana,1-0\n")
    assert [("Ana", "Bo", 0, None, ""), ("Bo", "Ana", 1, None, "")] == games(event)
    assert ("", 0.0) == (event.reading, event.games[0].second_score)


TWO = "'H' beside an opponent may be a home win or a half-point bye: name the column --columns "
AS = "outcome=result if its letters are home, draw, away; for a bye leave the opponent out"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("home,away,result\nReds,Blues,H\nBlues,Reds,1\nReds,Blues,D\n", [TWO + AS]),
        (
            "white,black,RES.\nAna,Bo,2-1\n",
            [
                ("result must be 1, 0.5 or 0, got '2-1'; several games are entered one by one; if "
                'it is the score of one game: --columns "scores=RES."')
            ],
        ),
        ("home,away,winner\nReds,Blues,Greens\n",
         ["the winner 'Greens' is neither 'Reds' nor 'Blues': a name, draw, or nothing is read"]),
        ("player1,player2,winner\nReds,Blues,-1\n",
         ["the winner '-1' is neither 'Reds' nor 'Blues': a name, draw, or nothing is read"]),
        ("home,away,score,winner\nReds,Blues,3-1,Blues\n",
         ["the winner is 'Blues', but the score of the first side is 3-1: correct one of them"]),
        ("Team A,Team B,Score A\nReds,Blues,H\nBlues,Reds,1\n",
         [TWO + AS.replace("outcome=result", '"outcome=Score A"')]),
        ("white,black,white score\nAna,Bo,H\nBo,Ana,0\n",
         [TWO + AS.replace("outcome=result", '"outcome=white score"')]),
        ("player1,player2,set 1,set 2,winner\nAna,Bo,11:8,11:9,Bo\n",
         ["the winner is 'Bo', but the score of the first side is 1-0: correct one of them"]),
        ("home,away,score\nReds,Blues,2 matches\n",
         ["result must be 1, 0.5 or 0, got '2 matches'"]),
        ("home,away,HG,AG,Res\nReds,Blues,3,1,L\n", ["the result is L, but the points are 3-1"]),
        ("home,away,HG,AG,Res\nReds,Blues,3,1,1:3\n",
         ["the result is 1:3, but the points are 3-1"]),
        ("home,away,HG,AG\nReds,Blues,0,2\nTotal,,0,2\n",
         [("'Total' may be a bye, a total or a person: for a bye type bye as the result and no "
           "opponent, leave a total out; a person needs a rating or an id")]),
        ("home,away,HG,AG,Res\nReds,Blues,0,2,D\n", ["the result is D, but the points are 0-2"]),
        ("player1,player2,score\nReds,Blues,2-6 1-0 (ret.)\n",
         ["'2-6 1-0 (ret.)' was broken off: name the winner in a column winner, or type 1 or 0"]),
        ("white,black,result\nAna,Bo,White\n",
         [("result must be 1, 0.5 or 0, got 'White'; if the column names the winner: --columns "
          "winner=result")]),
        ("home,away,FTHG,FTAG,FTR\nReds,Blues,2,1,A\n",
         ["the result is A, but the points are 2-1"]),
        ("home,away,home goals,away goals\nReds,Blues,2,\n", ["one of the two scores is missing"]),
        ("home,away,result,neutral\nReds,Blues,1,perhaps\n",
         ["neutral ground must be yes or no: 'perhaps'"]),
        (
            "1st,2nd,3rd\nAna,,Cy\nBo,bo,\n",
            [
                "a place is empty before others: =Bo in the next one shares it",
                "a table has two or more players, each of them once",
            ],
        ),
        (
            "Date,1st,2nd,3rd,4th\n2026-01-01,Ana,Bo,Cy,Di\n",
            [
                ("it has orders of finish, not games of two: elo-xl rate takes them, and "
                "ELO_PLACES a row for each table, with the players in the order 1st, 2nd, 3rd")
            ],
        ),
        (
            "date,player,place\n1.3.2026,Ann,1\n1.3.2026,Bo,2\n1.3.2026,Cy,1\n1.3.2026,Di,2\n",
            [("date 1.3.2026 has place 1 2 times, and then 2: if they share it at one table, type "
              f"3 for 2; {SEVERAL}")],
        ),
        (
            "game,player,points\n1,Ann,5\n1,ann,3\n2,Cy,4\n2,Di,many\n1,Bo,4\n,Bo,4\n",
            [f"'ann' has two lines with game 1: {SEVERAL}", "points must be a number: 'many'",
             ("game 1 has other lines above: sort the list, so that the lines of one table stand "
              f"together; {SEVERAL}"), "game is missing: type it in each line"],
        ),
        (
            "date,player,oponnent,score\n2026-03-01,Ann,Bo,1\n2026-03-01,Bo,Cy,0\n",
            [("column 'oponnent' has players, too: for games of two call it opponent, for tables "
              "give each player a line of their own")],
        ),
        (
            ("date,player,opponent,result\n1.3.2026,Ann,Bo,W\n1.3.2026,Bo,Ann,L\n"
            "2.3.2026,Cy,Bo,draw\n2.3.2026,Bo,Cy,draw\n3.3.2026,Cy,Ann,L\n3.3.2026,Ann,Cy,W\n"),
            [("each game stands there twice, once for each of its two players: leave one of the "
              "two lines out, or call the columns white and black if they met twice")],
        ),
        (
            "Player,Partner,Opponent 1,Opponent 2,Score\nAnn,Bo,Cy,Di,11-7\n",
            [("there are two first columns: 'Player' and 'Opponent 1'; call the players of two "
              "sides A1, A2, B1 and B2")],
        ),
        (
            "Player 1,Score 1,Player 2,Score 2,Player 3,Score 3\nAnn,9,Bo,8,Cy,7\n",
            [("'Player 3' is a third player or side: for tables in their order of finish call the "
              "columns 1st, 2nd, 3rd, or give each player a line")],
        ),
        (
            "1st,2nd,3rd\nAna,Bo / Cy,\nBo,Ana,Cy\n",
            [("'Bo / Cy' has people who also stand alone: if they share the place, type 'Bo' there "
              "and '=Cy' in the next one")],
        ),
        (
            "Player 1,Player 2,Game 1,Game 2\nAnn,Bo,1-0,0-1\n",
            ["'1-0 0-1' are results of several games: type a line for each of them"],
        ),
        (
            "race,driver,finish\n1,Ann,1\n1,Bo,2\n1,Cy,DNF\n",
            [("place must be a number such as 1 or =2: 'DNF'; who did not finish has the place "
              "after all others, and who did not start has no line")],
        ),
        (
            "First,Second,Third,Score\nAnn,Bo,Cy,1-0\n",
            [("it may have games of 'First' against 'Second', with 'Score', or orders of finish: "
              "for games leave 'Third' out, for tables call the columns 1st, 2nd, 3rd")],
        ),
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_is_asked(text: str, asked: list[str]) -> None:
    assert asked == problems(text)


@pytest.mark.parametrize(
    ("text", "columns", "score"),
    [
        ("home,away,result\nReds,Blues,H\nBlues,Reds,1\n", {"outcome": "result"}, 1.0),
        ("white,black,result\nReds,Blues,2-1\n", {"scores": "result"}, 1.0),
        ("a,b,x,y\nReds,Blues,2,3\n",
         {"home": "a", "away": "b", "home goals": "x", "away goals": "y"}, 0.0),
    ],
)  # fmt: skip
def test_columns_correct_what_was_understood(
    text: str, columns: dict[str, str], score: float
) -> None:
    assert score == read(text, columns=columns).games[0].score


@pytest.mark.parametrize("goals", ["{0},{0}", "{0}:{0}", "{0}"])
@pytest.mark.parametrize("sign", ["", "-", "–", "v"])
def test_goals_that_are_not_there_yet_are_a_game_to_come(goals: str, sign: str) -> None:
    heading = "home goals,away goals" if "," in goals else "result"
    done, to_come = "2,1" if "," in goals else "2:1", goals.format(sign)
    lines = f"home,away,{heading}\nReds,Blues,{done}\nBlues,Reds,{to_come}\n"
    assert 1 == len(read(lines).fixtures)


FORFEITS = (
    "all games with a winner are forfeits, which are not rated: if they were played, type 1 and 0 "
    "for + and -"
)


@pytest.mark.parametrize(("text", "note"), [
    ("player1,player2,result\nAna,Bo,+\nBo,Cy,=\n", FORFEITS),
    ("No,Name,1,2\n1,Ana,,+\n2,Bo,-,\n", FORFEITS),
    ("player1,player2,result\nAna (1),Bo,1\nBo,Ana,0\nCy (2),Cy (3),1\n",
     "'Ana' and 'Ana (1)' may be one person @ games"),
    ("No,Name,Strength,1.Rd\n1,Ana,1850,2w1\n2,Bo,1702P8,1b0\n",
     ("unknown column 'Strength' is ignored; if it has the ratings: --columns \"rating=Strength\" "
      "@ games, line 1, column 3")),
    ("player1,player2,result,Old 1,Old 2\nAna,Bo,1,1850,1702\nBo,Ana,0,1702,1850\n",
     ("unknown column 'Old 2' is ignored; if it has the ratings: --columns \"second rating=Old 2\" "
      "@ games, line 1, column 5")),
])  # fmt: skip
def test_what_may_be_meant_otherwise_is_said(text: str, note: str) -> None:
    assert 1 == [*map(str, read(text).warnings)].count(note)


@pytest.mark.parametrize(
    "text",
    [
        "Weiß;DWZ;Schwarz;DWZ;Ergebnis\nAna;1873-45;Bo;1702 - 12;1\n",
        "Weiß;DWZ Weiß;Schwarz;DWZ Schwarz;Ergebnis\nAna;1873;Bo;1702;1\n",
        "Nr;Name;DWZ;1.Rd\n1;Ana;1873-45;2w1\n2;Bo;1702-12;1s0\n",
        "Nr;Name;TWZ;1.Rd\n1;Ana;1873;2w1\n2;Bo;1702;1s0\n",
    ],
)
def test_national_ratings_count_where_there_are_no_others(text: str) -> None:
    event = read(text)
    assert {"Ana": 1873, "Bo": 1702} == {player.name: player.rating for player in event.players}
    column = "TWZ" if "TWZ" in text else "DWZ"
    assert f"the ratings are those of {column}" in str(event.warnings[0])


@pytest.mark.parametrize("player", ["player", "Spieler", "p1"])
def test_ratings_of_player_and_opponent(player: str) -> None:
    event = read(f"{player},opponent,result,{player} rating,opponent rating\nAna,Bo,1,1873,1702\n")
    assert {"Ana": 1873, "Bo": 1702} == {one.name: one.rating for one in event.players}


@pytest.mark.parametrize(
    "headings",
    [
        "Mandante,Visitante,Gols mandante,Gols visitante",
        "Host,Visitor,Host score,Visitor score",
        "Team 1,Team 2,Ergebnis 1,Ergebnis 2",
    ],
)
def test_headings_of_sides_and_their_scores(headings: str) -> None:
    played = games(read(f"{headings}\nReds,Blues,3,1\n"))
    assert [("Reds", "Blues", 1, 2)] == [game[:4] for game in played]


def test_an_adjourned_game_has_no_result_yet() -> None:
    event = read("white,black,result\nAna,Bo,1\nBo,Ana,adjourned\n")
    assert "the game has no result @ games, line 3, column 3" in map(str, event.warnings)


def test_pairs_in_a_cell_are_told() -> None:
    said = [str(warning) for warning in read("home,away,result\nAna & Bo,Cy & Di,1\n").warnings]
    assert (
        "all names are of several people, such as 'Ana & Bo': each counts as one player; elo-xl "
        "rate rates the people if nobody has a rating, as ELO_RUN and ELO_LADDER do @ games"
    ) in said


LEAGUE = "date,home,away,home goals,away goals\n" + "".join(
    f"2026-01-{n + 1:02},{a},{b},{x},{y}\n"
    for n, (a, b, x, y) in enumerate([
        ("Reds", "Blues", 2, 1), ("Greens", "Reds", 0, 0), ("Blues", "Greens", 1, 3),
        ("Blues", "Reds", 2, 2), ("Reds", "Greens", 0, 1), ("Greens", "Blues", 1, 2),
    ])
)  # fmt: skip


def test_nobody_needs_a_rating_to_begin(tmp_path: Path, calc: Calc) -> None:
    """The table is Elo's formula game after game, and the ladder's book shows the same, live."""
    path, book = tmp_path / "league.csv", tmp_path / "league.xlsx"
    path.write_text(LEAGUE, encoding="utf-8")
    done = run("rate", path, "-o", book, "--k", 32, "--start", 1200, "--json")
    found = json.loads(done.stdout)
    ratings = dict.fromkeys(("Reds", "Blues", "Greens"), 1200.0)
    for line in LEAGUE.splitlines()[1:]:
        _, a, b, x, y = line.split(",")
        score = 0.5 if x == y else float(x > y)
        change = 32 * (score - 1 / (1 + 10 ** ((ratings[b] - ratings[a]) / 400)))
        ratings[a], ratings[b] = ratings[a] + change, ratings[b] - change
    said = {player["name"]: player["rating"] for player in found["players"]}
    assert ratings == pytest.approx(said)
    assert "home side first; scores in home goals, away goals; 6 games, 3 teams" in found["notes"]
    typed = openpyxl.load_workbook(book)["Games"]
    assert "2-1" in [cell.value for row in typed.iter_rows() for cell in row]
    table = calc.recalculate(book)["Table"]
    shown = {table[f"B{n}"]: table[f"C{n}"] for n in range(1, 20) if table.get(f"B{n}") in ratings}
    assert ratings == pytest.approx(shown)


@pytest.mark.parametrize("text", [
    ("date,team1a,team1b,team2a,team2b,points 1,points "
     "2\n2026-01-10,Ana,Bo,Cy,Di,11,7\n2026-01-11,Ana,Cy,bo,,5,5\n"),
    "date,A1,A2,B1,B2,winner\n2026-01-10,Ana,Bo,Cy,Di,A\n2026-01-11,Ana,Cy,bo,,draw\n",
    "А1;Б1;А2;Б2;Победитель\nAna;Cy;Bo;Di;Bo/Ana\nAna;bo;Cy;;ничья\n",
    "A1;A2;B1;B2;Sieger;Satz\nCy;Di;Ana;Bo;Bo;2:0\nAna;Cy;bo;;x;1:1\n",
    "date,home,away,score\n2026-01-11,Ana / Cy,Bo,5-5\n2026-01-10,Ana & Bo,Cy and Di,11-7\n",
    "Pareja 1;Pareja 2;Set 1\nAna - Bo;Cy – Di;6-4\nAna - Cy;bo;6-6\n",
    "Sieger;Partner Sieger;Verlierer;Partner Verlierer;Remis\nAna;Bo;Cy;Di;\nAna;Cy;bo;;ja\n",
    "player 1,partner 1,player 2,partner 2,score\nAna,Bo,Cy,Di,11-7\nAna,Cy,bo,,5-5\n",
])  # fmt: skip
def test_everybody_on_the_sides_of_a_list_is_rated(tmp_path: Path, text: str) -> None:
    """Di has lost by the second game, of Ana and Cy (1500 on average) against Bo, 16 points of 32;
    the book of doubles has the same ratings."""
    path, book = tmp_path / "padel.csv", tmp_path / "padel.xlsx"
    path.write_text(text, encoding="utf-8")
    found = json.loads(run("rate", path, "-o", book, "--k", 32, "--json").stdout)
    said = {player["name"]: player["rating"] for player in found["players"]}
    gain = 32 * (0.5 - 1 / (1 + 10 ** (16 / 400)))
    assert {"Ana": 1516 + gain, "Bo": 1516 - gain, "Cy": 1484 + gain, "Di": 1484} == (
        pytest.approx(said)
    )
    again = json.loads(run("rate", book, "--json").stdout)
    assert found["players"] == again["players"]
    path.write_text("white,black,result\nAna & Bo,Bo & Cy,1\n", encoding="utf-8")
    done = run("rate", path, "--dry-run")
    assert "'Bo' is twice in the game Ana & Bo against Bo & Cy" in str(done.exception)


def test_tables_of_a_list_are_rated_by_their_order_of_finish(tmp_path: Path) -> None:
    path, book = tmp_path / "catan.csv", tmp_path / "catan.xlsx"
    path.write_text("Date,1st,2nd,3rd,4th\n2026-01-02,Ana,Bo,Cy=,Di\n2026-01-01,Eve,ana,,\n")
    found = json.loads(run("rate", path, "-o", book, "--k", 32, "--json").stdout)
    said = {player["name"]: player["rating"] for player in found["players"]}
    lost = 32 / (1 + 10 ** (-16 / 400))
    table = {"Ana": 1516 - lost, "Bo": 1500, "Cy": 1500, "Di": 1484, "Eve": 1500 + lost}
    assert table == pytest.approx(said)
    assert "the dates are in another order than the lines" in found["warnings"]
    assert found["players"] == json.loads(run("rate", book, "--json").stdout)["players"]


@pytest.mark.parametrize("text", [
    ("day,date,player,place\nSa,2026-01-10 19:05,Cy,3\n,2026-01-10,Ana,1\n,2026-01-10,Bo,=1\n"
     ",2026-01-11,Bo,2\nSun,2026-01-11,Di,1\n"),
    "Results\n\nSpiel-Nr;Mannschaft;Punkte\n7;Ana;9\n7;Bo;9,0\n7;Cy;-2\n6;Di;8,5\n6;bo;8\n",
    ("date,round,first name,last name,place,points\n,,,,,\n1.1.2026,1,,Ana,1,\n1.1.2026,1,,Bo,1,\n"
     "1.1.2026,1,,Cy,3,\n1.1.2026,2,,Bo,2nd,90\n1.1.2026,2,,Di,1st,5\n"),
    "Winner;2nd;3rd\nAna;=Bo;Cy\nDi;Bo;\n",
    "Sessão,Nome,Colocação\n1,Ana,1º\n1,Bo,1º\n1,Cy,3º\n2,Di,1º\n2,Bo,2º\n",
    "Date,First,Second,Third place\n,Ana,Bo=,Cy\n,Di,Bo,\n",
    "Sieger;Zweiter;Dritter\nAna;=Bo;Cy\nDi;Bo;\n",
    "Первое место;Второе место;Третье место\nAna;=Bo;Cy\nDi;Bo;\n",
    ("Play,Date,Player,Position\n1,1.1.26,Ana,1\n1,1.1.26,Bo,T1\n1,1.1.26,Cy,3\n2,1.1.26,Di,1\n"
     "2,1.1.26,Bo,2\n"),
])  # fmt: skip
def test_orders_of_finish_may_have_a_line_for_each_player_or_words_for_places(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "tables.csv"
    path.write_text(text, encoding="utf-8")
    found = json.loads(run("rate", path, "--k", 30, "--dry-run", "--json").stdout)
    said = {player["name"]: player["rating"] for player in found["players"]}
    ratings = dict.fromkeys(("Ana", "Bo", "Cy", "Di"), 1500.0)
    for table in ({"Ana": 1, "Bo": 1, "Cy": 3}, {"Di": 1, "Bo": 2}):
        before = dict(ratings)
        for one, other in permutations(table, 2):
            score = 0.5 if table[one] == table[other] else float(table[one] < table[other])
            expected = 1 / (1 + 10 ** ((before[other] - before[one]) / 400))
            ratings[one] += 30 / (len(table) - 1) * (score - expected)
    assert ratings == pytest.approx(said)


@pytest.mark.parametrize(
    "text",
    [
        "Spiel;Ergebnis;Notiz\nAna & Bo - Cy & Di;2:1;x\nCy-Lou & Bo – Ana & Di;0:2\n",
        "Doubles\n\nPlayers,Score\nAna/Bo vs. Cy/Di,21-15\nCy-Lou/Bo VS Ana/Di,19-21\n",
        "Winner,Match\nAna & Bo,Ana & Bo vs Cy & Di\nDi,Cy-Lou & Bo vs Ana & Di\n",
        "Ana/Bo vs Cy/Di 21-15 18-21 21-9\nCy-Lou/Bo vs Ana/Di: 2-6, 4-6\n",
    ],
)
def test_both_sides_may_stand_in_one_cell(tmp_path: Path, text: str) -> None:
    path = tmp_path / "games.csv"
    path.write_text(text, encoding="utf-8")
    found = json.loads(run("rate", path, "--dry-run", "--json").stdout)
    said = {player["name"]: (player["games"], player["score"]) for player in found["players"]}
    assert said == {"Ana": (2, 2), "Bo": (2, 1), "Di": (2, 1), "Cy": (1, 0), "Cy-Lou": (1, 0)}


@pytest.mark.parametrize(
    ("text", "are"),
    [
        ("Game,Date,Ana,Bo,Cy,Di\nCatan,1.1.26,1,1,3,\nAzul,1.1.26,,2,,1\n", "places"),
        ("Bo;Ana;Cy;Di\n=1;=1;3;\n2;;;1.\n", "places"),
        ("Game;Bo;Ana;Cy;Di\nunknown;1;1;3;abwesend\n?;2;-;-;1\n", "places"),
        ("Spiel;Ana;Bo;Cy;Di;Summe\n1;9;9;-2;;16\n2;;0;;3;3\nSumme;9;9;-2;3;19\n", "points"),
    ],
)
def test_orders_of_finish_may_have_a_column_for_each_player(
    tmp_path: Path, text: str, are: str
) -> None:
    path = tmp_path / "board.csv"
    path.write_text(text, encoding="utf-8")
    found = json.loads(run("rate", path, "--dry-run", "--json").stdout)
    said = {player["name"]: (player["games"], player["score"]) for player in found["players"]}
    assert said == {"Ana": (1, 0.75), "Bo": (2, 0.75), "Cy": (1, 0), "Di": (1, 1)}
    assert f"2 tables of 2 to 3 players, one for each line; the cells are {are}" in str(found)


def test_a_list_with_rules_or_players_is_no_ladder(tmp_path: Path) -> None:
    path = tmp_path / "league.csv"
    path.write_text(LEAGUE, encoding="utf-8")
    done = run("rate", path, "--rules", "fide", "--dry-run")
    assert "name the players with --players" in str(done.exception)
    path.write_text("white,white elo,black,black elo,result\nA,1800,B,1700,1\n", encoding="utf-8")
    assert "--start is for lists in which nobody has a rating" in (
        run("rate", path, "--start", 1200, "--dry-run").stderr
    )


@pytest.mark.parametrize(
    "sides", ["white,black", "home,away", "HomeTeam,AwayTeam", "local,visitante"]
)
def test_fit_finds_the_advantage_whatever_the_columns_are_called(
    tmp_path: Path, sides: str
) -> None:
    games = [(a, b, ("1", "1", "½", "0")[(3 * a + b) % 4]) for a in range(5) for b in range(5)
             if a != b]  # fmt: skip
    path = tmp_path / "season.csv"
    lines = "".join(f"T{a},T{b},{result}\n" for a, b, result in games)
    path.write_text(f"{sides},result\n{lines}", encoding="utf-8")
    found = json.loads(run("fit", path, "--json").stdout)
    scores = {"1": 1, "½": 0.5, "0": 0}
    first, second, score = zip(*((a, b, scores[r]) for a, b, r in games), strict=True)
    known = elo.fit({"white": first, "black": second, "result": score})
    assert known.home == pytest.approx(found["home"])
    word = "White's" if sides.startswith("white") else "Home"
    assert f"{word} advantage: {known.home:.0f} ±{known.home_error:.0f} points" in (
        run("fit", path).stdout
    )


def test_on_neutral_ground_nobody_has_an_advantage() -> None:
    """An optimizer that knows no Newton finds the same maximum of the likelihood."""
    chance = np.random.default_rng(7)
    first, second = chance.integers(0, 4, (2, 400))
    first, second = first[first != second], second[first != second]
    neutral = chance.random(first.size) < 0.4
    score = (chance.random(first.size) < np.where(neutral, 0.5, 0.65)).astype(float)

    def loss(x: Any) -> float:
        d = np.append(x[1:], 0.0)[first] - np.append(x[1:], 0.0)[second] + x[0] * ~neutral
        return float(np.log1p(np.exp(-np.where(score == 1, d, -d))).sum())

    best = minimize(loss, np.zeros(4), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-10,
                    "maxiter": 9000}).x * 400 / np.log(10)  # fmt: skip
    done = fit(first, second, score, 4, anchor=3, level=0, draws="ignore", neutral=neutral)
    assert best.tolist() == pytest.approx([done.home, *done.rating[:3]], abs=1e-3)


def test_columns_reach_the_players(tmp_path: Path) -> None:
    games, players = tmp_path / "games.csv", tmp_path / "people.csv"
    games.write_text("white,black,result\nAna,Bo,1-0\n", encoding="utf-8")
    players.write_text("No.,Name,RtgI,RtgN\n1,Ana,0,1850\n2,Bo,0,1720\n", encoding="utf-8")
    event = read_event(games, players, columns={"rating": "RtgN"})
    assert [1850, 1720] == [player.rating for player in event.players]


def test_names_without_headings_are_people(tmp_path: Path) -> None:
    names, book = tmp_path / "names.txt", tmp_path / "open.xlsx"
    names.write_text("Adams, Tom\nBaker, Liz\nClark, Joe\n", encoding="utf-8")
    done = run("new", "swiss", "--people", names, "-o", book)
    assert "from 'Adams, Tom' to 'Clark, Joe': 3 names" in done.stderr
    typed = [
        cell.value for row in openpyxl.load_workbook(book)["Players"].iter_rows() for cell in row
    ]
    assert {"Adams, Tom", "Baker, Liz", "Clark, Joe"} <= set(typed)
    for text in ("winner,loser\nAna,Bo\n", "Spelare;Styrka\nAna;1800\nBo;1700\n",
                 "spelare\nAna\nBo\n", "Spelare\nAna;1800\nBo;1700\n",
                 "Ana Ferrer;Rivertown;1800\nBo Li;Rivertown;1700\n", "Ana;1800;1990\n",
                 "Ana;GER\n", "Ana;1985\nBo;1999\n", "Ana;18000\n"):  # fmt: skip
        names.write_text(text, encoding="utf-8")
        assert 1 == run("new", "swiss", "--people", names, "-o", book, "--force").exit_code


@pytest.mark.parametrize(
    "text",
    ["ana\t1800\nbo\t-\n", "Ana,1800\nBo,\n", "ana 1800\nbo\n", "1. Ana - 1800\n2. Bo\n",
     "1;Ana (1800);\n2;Bo (0)\n"],
)  # fmt: skip
def test_names_with_ratings_need_no_headings(tmp_path: Path, text: str) -> None:
    names, book = tmp_path / "names.txt", tmp_path / "open.xlsx"
    names.write_text(text, encoding="utf-8")
    a, b = ("ana", "bo") if "ana" in text else ("Ana", "Bo")
    done = run("new", "swiss", "--people", names, "-o", book)
    assert f"as names and ratings, from '{a}' (1800) to '{b}': 2 names" in done.stderr
    rows = openpyxl.load_workbook(book)["Players"].iter_rows(values_only=True)
    assert {a, b, 1800} <= {value for row in rows for value in row}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "swiss", 20), "for 20 players: --players 20"),
        (("new", "swiss", "--players", "names.csv"), "a list of names goes to --people"),
        (("addin", "google"), "for google: elo-xl addin sheets"),
        (("rate", "examples/rivertown.trf"), "did you mean examples/rivertown-open.trf"),
        (("pair", "examples/rivertown-players.csv"), "elo-xl new swiss --people"),
    ],
)
def test_near_misses(words: tuple[object, ...], said: str) -> None:
    done = run(*words)
    assert done.exit_code
    assert said in done.stderr
