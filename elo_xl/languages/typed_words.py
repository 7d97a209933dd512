"""The words that organizers type for results and for yes, by language; each with the English ones.

They are all understood everywhere, whatever the language of a book. They stand here and not in the
languages' own files, because single cells need them: reading five files would make the first cell
wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class TypedWords(NamedTuple):
    """The words of a language, of each kind. The first words for a win and for a loss make a pair,
    as do the second ones and so on."""

    win: str
    draw: str
    loss: str
    bye: str
    absent: str
    unplayed: str
    forfeit: str
    """does not say whose"""
    yes: str
    """in a column that takes an x or nothing, in small letters"""
    no: str = ""
    """where a column takes yes or no; blank is no, too"""
    nobody: str = ""
    """in place of an opponent, besides the words for a bye and for absent; only the result tells
    the points"""
    total: str = ""
    """in place of a player, in a line below the games"""
    unknown: str = ""
    """in place of a player whom nobody knows, or not yet"""
    together: str = ""
    """between two players of a side"""
    places: str = ""
    """the heading of each place in an order of finish, from the first on, in all its forms"""


TYPED: Final[Mapping[str, TypedWords]] = {
    "en": TypedWords(
        win="W, win, won",
        draw="D, draw, drawn, drew",
        loss="L, loss, lost, lose",
        bye="bye, U, PAB, pairing-allocated bye",
        absent="absent, Z, ZPB, zero-point bye, not paired",
        unplayed="*, unplayed, not played",
        forfeit="forfeit, FF, walkover, WO, W/O, W.O.",
        yes="x, ✓, ✔, 1, y, yes, true",
        no="0, n, no, f, false",
        nobody="unpaired, requested bye, bye requested, no opponent, no pairing, sits out, "
        "sit out, sitting out, no show, no-show, "
        "riposa",  # of a program that is used in English
        total="total, totals, subtotal, average",
        unknown="tbd, tba, unknown",
        together="and",
        places="first, second runnerup, third, fourth, fifth, sixth, seventh, eighth, ninth",
    ),
    "es": TypedWords(
        win="victoria, gana, ganó, gano, ganada",
        draw="tablas, empate",
        loss="derrota, pierde, perdió, perdio, perdida",
        bye="descanso, descansa, libre",
        absent="ausente, no emparejado",
        unplayed="no jugada, sin jugar",
        forfeit="incomparecencia",
        yes="s, sí, si, verdadero",
        no="falso",
        nobody="sin rival, sin oponente, no emparejada, bye solicitado, descanso solicitado",
        total="totales, suma, promedio, media",
        unknown="desconocido, desconocida",
        together="y, e",
        places="primero primera primer, segundo segunda, tercero tercera tercer, cuarto cuarta, "
        "quinto quinta, sexto sexta, séptimo séptima, octavo octava, noveno novena",
    ),
    "ru": TypedWords(
        win="победа, выигрыш, в, выиграл, выиграла",
        draw="ничья, н",
        loss="поражение, проигрыш, п, проиграл, проиграла",
        bye="свободен, свободна, выходной",
        absent="отсутствует, нб, н/б, без пары",
        unplayed="не сыграна, не играли",
        forfeit="неявка",
        yes="х, д, да, истина",  # the first is Cyrillic
        no="нет, ложь",
        nobody="без соперника, нет соперника, соперника нет, пропуск, пропускает",
        total="итого, всего, сумма, среднее",
        unknown="неизвестный, неизвестная, неизвестен",
        together="и",
        places="первый первая первое, второй вторая второе, третий третья третье, "
        "четвёртый четвёртая четвёртое, пятый пятая пятое, шестой шестая шестое, "
        "седьмой седьмая седьмое, восьмой восьмая восьмое, девятый девятая девятое",
    ),
    "de": TypedWords(
        win="Sieg, gewonnen, gewinnt",
        draw="remis, unentschieden",
        loss="Niederlage, verloren, verliert",
        bye="spielfrei, frei, freilos",
        absent="abwesend, nicht ausgelost",
        unplayed="nicht gespielt",
        forfeit="kampflos",
        yes="j, ja, wahr",
        no="nein, falsch",
        nobody="kein Gegner, ohne Gegner, nicht gepaart, ungepaart, nicht gelost, setzt aus",
        total="gesamt, summe, insgesamt, durchschnitt",
        unknown="unbekannt",
        together="und",
        places="erster erste erst, zweiter zweite zweit, dritter dritte dritt, "
        "vierter vierte viert, fünfter fünfte fünft, sechster sechste sechst, "
        "siebter siebte siebt, achter achte acht, neunter neunte neunt",
    ),
    "fr": TypedWords(
        win="victoire, gagné, gagne, gain",
        draw="nulle, nul, partie nulle",
        loss="défaite, perdu, perd, perte, defaite",
        bye="exempt, exempte",
        absent="absente, non apparié",
        unplayed="non jouée",
        forfeit="forfait",
        yes="oui, vrai",
        no="non, faux",
        nobody="sans adversaire, pas d'adversaire, pas d’adversaire, non appariée, bye demandé",
        total="totaux, somme, moyenne",
        unknown="inconnu, inconnue",
        together="et",
        places="premier première, deuxième second seconde, troisième, quatrième, cinquième, "
        "sixième, septième, huitième, neuvième",
    ),
    "pt": TypedWords(
        win="vitória, vitoria, ganhou, venceu",
        draw="empate, empatou",
        loss="derrota, perdeu",
        bye="folga, isento",
        absent="ausente, não emparceirado",
        unplayed="não jogada, não jogado",
        forfeit="falta de comparência",
        yes="sim, verdadeiro",
        no="não, nao",
        nobody="sem adversário, sem oponente, não emparceirada, bye solicitado, folga solicitada",
        total="totais, soma, média",
        unknown="desconhecido, desconhecida",
        together="e",
        places="primeiro primeira, segundo segunda, terceiro terceira, quarto quarta, "
        "quinto quinta, sexto sexta, sétimo sétima, oitavo oitava, nono nona",
    ),
}
"""The words by the language's code. A word that several languages have means the same in them."""
