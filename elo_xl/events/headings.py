"""The headings of tables, in English, German, Spanish, French, Portuguese and Russian.

They are compared by their letters and digits only, without case and accents. In a table of games
whatever is known of a player may stand beside each of the two: ``White Elo``, ``Elo Weiß``, or
``Elo`` twice, first White's (in the order of the columns of the players).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Final

from elo_xl.events.dates import read_date

PLAYER: Final = {
    "number": "number no nr num n snr sno startno startnumber startingnumber startnr pairingnumber"
    " startrank startnummer teilnehmernr tlnnr nini noini noinicial numeroinicial numero nummer"
    " номер стартовыйномер стномер стартномер ном",
    "name": "name player playername fullname participant names spieler spielername teilnehmer"
    " teilnehmername nombre jugador jugadora jugadores apellidosynombre apellidosynombres"
    " nombreyapellidos nombrecompleto nom joueur joueuse nomcomplet nomprenom nometprenom имя фио"
    " игрок участник шахматист фамилияимя имяфамилия фамилияимяотчество фамилияио nome jogador"
    " jogadora nomecompleto",
    "last": "lastname surname familyname nachname familienname zuname apellido apellidos"
    " primerapellido nomdefamille фамилия apelido sobrenome ultimonome",
    "given": "givenname givennames firstname forename forenames vorname vornamen nombres"
    " nombredepila prenom prenoms primeironome prenome nomeproprio",
    "patronymic": "patronymic отчество",
    "id": "id fideid fideno fidenumber fidenr idnumber playerid fidecode fideidnumber fidekennung"
    " kennung spielerid idfide codigofide numerofide codefide nfide фидеid idфиде фидеид идфиде"
    " кодфиде номерфиде ид",
    "rating": "rating elo rtg fiderating rtgfide ratingfide fideelo elofide rtgi eloi irtg elozahl"
    " ratingi wertung wertungszahl классический рейтинг рейт эло рейтингфиде рейтингэло elorating"
    " eloactual ratingactual oldrating altesrating eloalt",
    "k": "k kfactor kfaktor faktork factork kfacteur facteurk coefficientk coefk coeficientek"
    " coeficiente fatork кфактор факторк коэффициентк коэффициентразвития коэфк кф к",
    "games": "games gms ratedgames gamesplayed partien gewertetepartien anzahlpartien partidas"
    " numpartidas parties nbparties партии партий числопартий jogos",
    "birth": "birth birthyear yearofbirth born bday birthday birthdate dateofbirth yob dob"
    " geburtsjahr geburtsdatum geburtstag jahrgang jg geboren gebjahr gebdatum geb nacimiento"
    " fechadenacimiento fechanacimiento anodenacimiento anonacimiento fnac fechanac naissance"
    " datedenaissance datenaissance anneedenaissance anneenaissance ne neele nele датарождения"
    " годрождения рождение датарожд годрожд гр др nascimento datadenascimento datanascimento"
    " anodenascimento anonascimento",
    "age": "age alter edad idade возраст",
    "peak": "peak peakrating highest highestrating maxrating maxelo hochste hochstwertung"
    " hochsteelo hochstezahl maximo ratingmaximo elomaximo maximoelo maximum elomax максимум"
    " максимальный максимальныйрейтинг высшийрейтинг максрейтинг",
    "federation": "federation fed country land verband foderation federacion pais federationpays"
    " pays fede федерация страна фед federacao",
    "title": "title tit fidetitle titel titulo titre звание титул",
    "sex": "sex gender geschlecht sexo genero sexe пол",
    "rank": "rank rk place pos position rang rg platz pl clasificacion puesto lugar clas classement"
    " clt место м classificacao posicao",
    "points": "points pts score total pkt punkte pkte puntos ptos очки очк о pontos",
}
"""what is known of a player; the names of the columns, with their headings"""

GAME: Final = {
    "round": "round rd rnd runde rde ronda rda jornada ronde tour тур раунд rodada rda",
    "white": "white whites whiteplayer playerwhite weiss weissspieler blancas blanco jugadorblancas"
    " blancs blanc joueurblanc белые белый белыми brancas branco jogadorbrancas",
    "black": "black blacks blackplayer playerblack schwarz schwarzspieler negras negro"
    " jugadornegras noirs noir joueurnoir черные черный черными pretas preto negrasnegro"
    " jogadorpretas",
    "first": "first firstplayer player player1 playera home heim heimmannschaft spieler spieler1"
    " spielera jugador jugador1 local joueur joueur1 domicile игрок игрок1 jogador jogador1 casa",
    "second": "second secondplayer opponent player2 playerb away gegner gast spieler2 spielerb"
    " jugador2 rival oponente adversario contrario visitante joueur2 adversaire exterieur игрок2"
    " соперник противник jogador2",
    "result": "result score res ergebnis erg resultat resultado resultados результат рез итог счет",
    "date": "date day played playedon datum tag gespielt gespieltam fecha dia jour дата день"
    " датапартии data",
}

_IGNORED: Final = (
    "board bo table tb1 tb2 tb3 tb4 tb5 tb6 br brett tisch tab tablero mesa ech echiquier "
    "доска стол tabuleiro points pts pkt punkte puntos ptos очки очк pontos group grp "
    "gruppe grupo groupe группа typ type tipo тип club verein cidade ciudad city ort "
    "ville город клуб clube event turnier torneo tournoi турнир torneio comment note "
    "notes bemerkung email rp perf performance eco opening moves time zeit hora heure "
    "время rank rk rg place pos buchholz sonnebornberger"
)
IGNORED: Final = frozenset(_IGNORED.split())
"""columns that say nothing about ratings, and are no surprise"""

_SIDES: Final = {
    "first": ("white", "whites", "weiss", "blancas", "blancs", "белые", "белых", "brancas",
              "player1", "first", "home", "heim", "spieler1", "jugador1", "joueur1", "игрок1",
              "jogador1", "local", "1"),
    "second": ("black", "blacks", "schwarz", "negras", "noirs", "черные", "черных", "pretas",
               "player2", "second", "opponent", "away", "gast", "gegner", "spieler2", "jugador2",
               "joueur2", "игрок2", "jogador2", "visitante", "соперника", "2"),
}  # fmt: skip

_NUMERO: Final = re.compile("№|[nN][º°]|#")
_ROUND: Final = r"(?:round|rnd|runde|ronda|ronde|rodada|jornada|tour|тур|раунд|rd|rde|r)\b\.?"
_ROUND_AHEAD: Final = re.compile(
    rf"{_ROUND}\s*[:#№]?\s*([0-9]{{1,3}})\b(.*)", re.IGNORECASE | re.DOTALL
)
_ROUND_BEHIND: Final = re.compile(
    rf"([0-9]{{1,3}})\s*(?:\.|st|nd|rd|th|ª|a|º|е|-й|й|-я|re|er|e|ère|ème|eme)?\s*{_ROUND}(.*)",
    re.IGNORECASE | re.DOTALL,
)
_ROUND_COLUMN: Final = re.compile(
    rf"(?:{_ROUND}\s*)?([0-9]{{1,3}})\.?|R([0-9]{{1,3}})", re.IGNORECASE
)
_DAY: Final = re.compile(r"[0-9]{1,4}\s*[./-]\s*[0-9]{1,2}\s*[./-]\s*[0-9]{1,4}")


@lru_cache(maxsize=4096)
def plain(heading: str) -> str:
    """The form in which headings are compared.

    >>> plain("Weiß"), plain("F. nac."), plain("Année de naissance"), plain("№")
    ('weiss', 'fnac', 'anneedenaissance', 'no')
    """
    decomposed = unicodedata.normalize("NFKD", _NUMERO.sub("no", heading).casefold())
    return "".join(filter(str.isalnum, decomposed))


def _aliases(columns: Mapping[str, str]) -> dict[str, str]:
    return {plain(alias): column for column in columns for alias in columns[column].split()}


PLAYER_ALIASES: Final = _aliases(PLAYER)
GAME_ALIASES: Final = _aliases(GAME)


@lru_cache(maxsize=4096)
def player_column(heading: str) -> str:
    """The column of a table of players, or nothing.

    >>> player_column("Elo"), player_column("Фамилия"), player_column("Weiß")
    ('rating', 'last', '')
    """
    return PLAYER_ALIASES.get(plain(heading), "")


@lru_cache(maxsize=4096)
def game_column(heading: str) -> str:
    """The column of a table of games, or nothing; ``rating`` may be anybody's, ``s? rating`` is
    that of the player whose colour begins with s.

    >>> game_column("Schwarz"), game_column("Elo Weiß"), game_column("Elo S"), game_column("Elo")
    ('black', 'first rating', 's? rating', 'rating')
    """
    text = plain(heading)
    if text in GAME_ALIASES:
        return GAME_ALIASES[text]
    if text in PLAYER_ALIASES:
        return PLAYER_ALIASES[text]
    for side, words in _SIDES.items():
        for word in words:
            for rest in (text.removeprefix(word), text.removesuffix(word)):
                if rest != text and len(rest) > 1 and (column := PLAYER_ALIASES.get(rest)):
                    return side if column == "name" else f"{side} {column}"
    # letters last: the first or last letter of most headings could be one
    for letter, rest in ((text[-1:], text[:-1]), (text[:1], text[1:])):
        column = PLAYER_ALIASES.get(rest)
        if letter in _LETTERS and column in ("rating", "title", "id", "number"):
            return f"{letter}? {column}"
    return ""


def white_letter(letters: Set[str]) -> str:
    """Which letter of a table's two means White: b is Black, or blancas, blancs, brancas.

    >>> white_letter({"w", "b"}), white_letter({"b", "n"}), white_letter({"b"})
    ('w', 'b', '')
    """
    return next((white for pair, white in _COLOURS if letters == pair), "")


_COLOURS: Final = (
    ({"w", "b"}, "w"),
    ({"w", "s"}, "w"),
    ({"b", "n"}, "b"),
    ({"b", "p"}, "b"),
    ({"б", "ч"}, "б"),
)
_LETTERS: Final = frozenset().union(*(pair for pair, _ in _COLOURS))


def headings_known(cells: Sequence[str]) -> int:
    """How many cells of a row are headings of players or games."""
    return sum(bool(game_column(cell)) for cell in cells if cell)


def round_heading(cells: Sequence[str]) -> tuple[int, str] | None:
    """The round that a line above its pairings names, and what else it says, such as the date.

    >>> round_heading(["Runde 3 am 07.03.2026", ""])
    (3, '07.03.2026')
    >>> round_heading(["2. Runde"]), round_heading(["Round", "4"]), round_heading(["Ana", "Ben"])
    ((2, ''), (4, ''), None)
    """
    filled = [cell for cell in cells if cell]
    if not filled or len(filled) > 3 or len(filled[0]) > 80:
        return None
    text = " ".join(filled)
    found = _ROUND_AHEAD.fullmatch(text) or _ROUND_BEHIND.fullmatch(text)
    if found is None:
        return None
    number, rest = int(found.group(1)), found.group(2)
    return number, day_in(rest)


def day_in(text: str) -> str:
    """The first date in numbers in a text, or nothing."""
    for found in _DAY.finditer(text):
        if read_date(found.group()) is not None:
            return found.group()
    return ""


def round_columns(cells: Sequence[str]) -> dict[int, int]:
    """The columns that are headed by the numbers 1, 2, 3 …, as those of a crosstable, by number.

    >>> round_columns(["No", "Name", "1.Rd", "2.Rd", "Pts"])
    {1: 2, 2: 3}
    """
    found: dict[int, int] = {}
    for place, cell in enumerate(cells):
        match = _ROUND_COLUMN.fullmatch(cell) or _ROUND_BEHIND.fullmatch(cell)
        number = int(next(filter(None, match.groups()), "0")) if match else 0
        if match and number == len(found) + 1:
            found[number] = place
    return found


def columns_named(text: str) -> Iterator[tuple[str, str]]:
    """The pairs of ``white=Weiß, black=Schwarz``: what it is, and how the file calls it.

    >>> list(columns_named("white=Weiß, black rating=Elo S"))
    [('white', 'Weiß'), ('black rating', 'Elo S')]

    Raises ValueError for a text without =, and for a column that no table has.
    """
    for part in text.split(","):
        what, equals, heading = (piece.strip() for piece in part.partition("="))
        if not (equals and what and heading):
            raise ValueError(f"columns are named as white=Weiß,black=Schwarz, got {part.strip()!r}")
        if not (game_column(what) or player_column(what)):
            raise ValueError(
                f"no column is called {what!r}: say white, black, result, round, name …"
            )
        yield what, heading
