"""Headings as people type them, in each of the six languages, for players and for games."""

from __future__ import annotations

import re

import pytest

from elo_xl.events.table import game_column, player_column, side_of
from elo_xl.languages import CODES as ALL

CODES = ["en", "de", "es", "fr", "pt", "ru"]
"""In the order in which the tables below have them: a line each."""
PLAYERS = """
number
  No; Number
  Nr.; Nummer
  N.º; Número
  N°; Numéro
  N.º; Número
  №; Номер
name
  Name; Player
  Name; Spielerin
  Nombre; Jugadora
  Nom; Joueuse
  Nome; Jogadora
  Имя; ФИО
last
  Last name
  Nachname
  Apellidos
  Nom de famille
  Sobrenome
  Фамилия
given
  First name
  Vorname
  Nombre de pila
  Prénom
  Primeiro nome
  -
id
  ID; FIDE ID
  Spieler-ID
  Código FIDE
  Code FIDE
  ID FIDE
  ИД ФИДЕ
rating
  Rating; Elo
  Elo; Wertungszahl
  Elo
  Elo; Classement Elo
  Rating; Elo
  Рейтинг; Эло
k
  K; K-factor
  K-Faktor
  Coeficiente K
  Coefficient K
  Fator K
  К-фактор
games
  Games
  Partien
  Partidas
  Parties
  Jogos
  Партии
birth
  Born; Year of birth
  Geburtsjahr; Jahrgang
  Año de nacimiento
  Année de naissance
  Ano de nascimento
  Год рождения
age
  Age
  Alter
  Edad
  Âge
  Idade
  Возраст
peak
  Peak
  Höchste Elo
  Elo máximo
  Meilleur Elo
  Maior rating
  Максимальный рейтинг
federation
  Federation
  Verband; Land
  Federación; País
  Fédération; Pays
  Federação; País
  Федерация; Страна
title
  Title
  Titel
  Título
  Titre
  Título
  Звание; Титул
sex
  Sex; Gender
  Geschlecht
  Sexo; Género
  Sexe; Genre
  Sexo; Gênero
  Пол
rank
  Rank; Place
  Rang; Platz
  Puesto; Lugar
  Classement; Place
  Posição; Lugar
  Место
points
  Points; Score
  Punkte
  Puntos
  Points
  Pontos
  Очки
"""
GAMES = """
round
  Round
  Runde
  Ronda; Jornada
  Ronde; Tour
  Rodada; Jornada
  Тур; Раунд
white
  White
  Weiß
  Blancas
  Blancs
  Brancas
  Белые
black
  Black
  Schwarz
  Negras
  Noirs
  Pretas; Negras
  Чёрные
first
  Player 1; Home
  Spieler 1; Heim
  Jugador 1; Local
  Joueur 1; Domicile
  Jogador 1; Casa
  Игрок 1; Хозяева
second
  Opponent; Away
  Gegner; Gast
  Rival; Visitante
  Adversaire; Extérieur
  Adversário; Fora; Visitante
  Соперник; Гости
first
  Team 1; Pair A
  Mannschaft 1; Paar A
  Equipo 1; Pareja A
  Équipe 1; Paire A
  Equipe 1; Dupla A
  Команда 1; Пара А
second
  Team 2; Pair B
  Mannschaft 2; Paar B
  Equipo 2; Pareja B
  Équipe 2; Paire B
  Equipe 2; Dupla B
  Команда 2; Пара Б
result
  Result; Score
  Ergebnis; Endstand
  Resultado; Marcador
  Résultat; Score
  Resultado; Placar
  Результат; Счёт
date
  Date; Timestamp
  Datum; Zeitstempel
  Fecha; Marca temporal
  Date; Horodateur
  Data; Carimbo de data/hora
  Дата; Отметка времени
winner
  Winner
  Sieger; Gewinner
  Ganador
  Gagnant; Vainqueur
  Vencedor
  Победитель
loser
  Loser
  Verlierer
  Perdedor
  Perdant
  Perdedor
  Проигравший
neutral
  Neutral
  Neutraler Platz
  Campo neutral
  Terrain neutre
  Campo neutro
  Нейтральное поле
season
  Season
  Saison
  Temporada
  Saison
  Temporada
  Сезон
times
  Times; Count; How often
  Anzahl; Wie oft
  Veces; Cantidad
  Fois; Fréquence
  Vezes; Quantidade
  Количество; Сколько раз
handicap
  Handicap
  Vorgabe
  Piedras
  Pierres
  Pedras
  Фора
first points
  Home goals; Points 1; Your score
  Tore Heim; Punkte 1; Ihre Punkte
  Goles local; Puntos 1; Tus puntos
  Buts domicile; Points 1
  Gols casa; Pontos 1
  Голы хозяева; Очки 1
second points
  Away goals; Score B; Opponent's score
  Tore Gast; Sätze 2
  Goles visitante; Tantos 2
  Buts extérieur; Manches 2
  Golos fora; Gols visitante
  Голы гости; Сеты 2
first rating
  White Elo
  Elo Weiß
  Elo blancas
  Elo blancs
  Rating brancas
  Рейтинг белых
a? rating
  Rating A
  Elo A
  Elo A
  Elo A
  Elo A
  -
second rating
  Black Elo; Player 2 rating
  Elo Schwarz
  Elo negras
  Elo noirs
  Rating pretas
  Рейтинг чёрных
"""


def headings(table: str) -> list[tuple[str, str, str]]:
    """The column, the language and a heading of every line."""
    found = []
    for block in re.split(r"\n(?! )", table.strip()):
        column, *lines = block.splitlines()
        found += [
            (column, code, word)
            for code, line in zip(CODES, lines, strict=True)
            for word in line.strip(" -").split("; ")
            if word
        ]
    return found


def test_no_language_is_left_out() -> None:
    assert sorted(CODES) == sorted(ALL)


@pytest.mark.parametrize(("table", "column_of"), [(PLAYERS, player_column), (GAMES, game_column)])
def test_headings_of_six_languages(table, column_of) -> None:
    wrong = [
        (code, word, column, column_of(word))
        for column, code, word in headings(table)
        if column_of(word) != column
    ]
    assert [] == wrong


def test_sides_as_winners_are_named() -> None:
    sides = [(side, word) for side, _, word in headings(GAMES) if side in ("first", "second")]
    assert sides == [(side_of(word), word) for _, word in sides]
