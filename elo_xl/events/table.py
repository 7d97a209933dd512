"""A table on a sheet: its columns, by any of their headings, its rows and its problems.

The headings are English, German, Spanish, French, Portuguese and Russian. They are compared by
their letters and digits only, without case and accents. In a table of games whatever is known of a
player may stand beside each of the two: ``White Elo``, ``Elo Weiß``, or ``Elo`` twice, first
White's (in the order of the columns of the players).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import lru_cache
from itertools import islice, product
from typing import Final

from elo_xl.english import meant, nearest, plural
from elo_xl.events.event import Problem
from elo_xl.events.fields import PEAK, RATING, Bounds, Order, number, read_date, whole
from elo_xl.events.programs import headings, rating
from elo_xl.events.sheets import Sheet, SheetError
from elo_xl.progress import counted

PLAYER: Final = {
    "number": "number no nr num n snr sno startno startnumber startingnumber startnr pairingnumber"
    " startrank startnummer teilnehmernr tlnnr nini noini noinicial numeroinicial numero nummer"
    " стno номер стартовыйномер стномер стартномер ном",
    "name": "name player playername username fullname participant names spieler spielername"
    " spielerin teilnehmer teilnehmername nombre jugador jugadora jugadores apellidosynombre"
    " apellidosynombres nombreyapellidos nombrecompleto nom joueur joueuse nomcomplet nomprenom"
    " nometprenom имя фио"
    " игрок участник шахматист фамилияимя имяфамилия фамилияимяотчество фамилияио nome jogador"
    " jogadora nomecompleto participante enxadrista atleta driver rider racer skipper helm athlete"
    " гонщик fahrer fahrerin laufer pilote piloto coureur",
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
    " classementelo eloactual ratingactual oldrating altesrating eloalt",
    "k": "k kfactor kfaktor faktork factork kfacteur facteurk coefficientk coefk coeficientek"
    " coeficiente fatork кфактор факторк коэффициентк коэффициентразвития коэфк кф к",
    "games": "games gms ratedgames gamesplayed partien gewertetepartien anzahlpartien partidas"
    " numpartidas parties nbparties nombredeparties partiesavant партии партий числопартий jogos",
    "index": "index dwzindex evaluatedevents auswertungen indice evaluaciones индекс",
    "birth": "birth birthyear yearofbirth born bday birthday birthdate dateofbirth yob dob"
    " geburtsjahr geburtsdatum geburtstag jahrgang jg geboren gebjahr gebdatum geb nacimiento"
    " fechadenacimiento fechanacimiento anodenacimiento anonacimiento fnac fechanac naissance"
    " datedenaissance datenaissance anneedenaissance anneenaissance ne neele nele neeen"
    " датарождения годрождения рождение датарожд годрожд гр др nascimento datadenascimento"
    " datanascimento anodenascimento anonascimento anodenasc datadenasc datanasc nasc",
    "age": "age alter edad idade возраст",
    "peak": "peak peakrating highest highestrating maxrating maxelo hochste hochstwertung"
    " hochsteelo hochstezahl maximo ratingmaximo elomaximo maximoelo maximum elomax meilleurelo"
    " максимум максимальный максимальныйрейтинг высшийрейтинг максрейтинг maiorrating"
    " maiorelo",
    "federation": "federation fed country land verband foderation federacion pais federationpays"
    " pays fede федерация страна фед federacao",
    "title": "title tit fidetitle titel titulo titre звание титул",
    "sex": "sex gender geschlecht sexo genero sexe genre пол",
    "rank": "rank rk place pos position rang rg platz pl clasificacion puesto lugar clas classement"
    " clt место м classificacao posicao placement platzierung colocacao finish",
    "points": "points pts score total pkt punkte pkte puntos ptos очки очк о pontos",
}
"""what is known of a player; the names of the columns, with their headings"""
_NATIONAL: Final = (
    "dwz nwz twz ecf ecfrating uscf uscfrating uschess knsb knsbrating kfbrating ttr qttr"
    " nationalrating nrating rtgn ratn rtgnat standard standardrating std classical classicalrating"
)
NATIONAL: Final = _NATIONAL.split()
"""headings of a rating where a list has no other"""

_HOME: Final = (
    "home hometeam heim heimmannschaft heimteam heimverein local equipolocal locales domicile"
    " homeneutral host hostteam equipedomicile recevant casa mandante equipecasa timedacasa"
    " хозяева командахозяев дома"
)
HOME: Final = frozenset(_HOME.split())
"""the headings of the first side that say that it is at home"""

COUPLES: Final = ("pair", "double", "paar", "pareja", "paire", "dupla", "пара")
"""what a side of two is called"""
_SIDE_WORDS: Final = (
    "opponent team side player mannschaft seite spieler equipo lado jugador"
    " equipe joueur time jogador команда игрок bando camp сторона"
)
SIDE_WORDS: Final = (*_SIDE_WORDS.split(), *COUPLES)
"""what a side is called, before its number or letter"""
WON_LOST: Final = ("re", "wl", "winloss")
"""the headings of a result that beside another one, or a score, is no result, but only says who has
won, or how many games"""


def _numbered(signs: str) -> str:
    return " ".join(word + sign for word in SIDE_WORDS for sign in signs)


_TABLE_WORDS: Final = (
    "table tisch mesa стол game spiel partida juego jeu partie jogo игра партия match partido матч "
    "event turnier torneo tournoi турнир torneio tournament session sesion sessao abend вечер race "
    "rennen heat play hand begegnung paarung fixture encuentro rencontre confronto встреча"
)

GAME: Final = {
    "round": "round rd rnd runde rde ronda rda jornada ronde tour тур раунд rodada rda",
    "white": "white whites whiteplayer playerwhite weiss weissspieler blancas blanco jugadorblancas"
    " pw blancs blanc joueurblanc белые белый белыми brancas branco jogadorbrancas",
    "black": "black pb blacks blackplayer playerblack schwarz schwarzspieler negras negro"
    " jugadornegras noirs noir joueurnoir черные черный черными pretas preto negrasnegro"
    " jogadorpretas",
    "first": "first firstplayer player spieler jugador joueur игрок jogador competitor1"
    " participant1 p1 us we wir nosotros nous nos мы deinname ihrname tunombre sunombre tonnom"
    f" seunome challenger herausforderer retador {_numbered('1aа')} {_HOME}",
    "second": "second secondplayer opponent away gegner gast rival oponente adversario contrario"
    " visitante adversaire exterieur соперник противник awayteam visitor visitors gaste gastteam"
    " gastmannschaft gastverein auswarts visitantes equipovisitante equipeexterieur visiteur fora"
    " equipeexterieure equipevisitante timevisitante гости командагостей вгостях competitor2"
    " them they sie ellos eux eles они youropponent myopponent deingegner ihrgegner turival surival"
    " votreadversaire tonadversaire seuoponente seuadversario вашсоперник вашпротивник"
    f" participant2 p2 visitorneutral defender verteidiger defensor {_numbered('2bб')}",
    "result": "result score res ft ergebnis erg resultat resultado resultados результат рез итог"
    f" {' '.join(WON_LOST)} счет marcador placar endstand spielstand endergebnis",
    "date": "date day played playedon datum tag gespielt gespieltam fecha dia jour дата день"
    " датапартии data timestamp datetime utcdate matchdate gamedate tourneydate zeitstempel"
    " dayfirst monthfirst marcatemporal horodateur carimbodedatahora отметкавремени completiontime"
    " fertigstellungszeit horadefinalizacion heuredefin horadeconclusao времязавершения",
    "scores": "scores",
    "handicap": "handicap handi stones vorgabe vorgabesteine piedras pierres pedras фора",
    "outcome": "outcome ftr fulltimeresult toto 1x2",
    "winner": "winner winnername winnertie winningteam sieger gewinner siegername ganador ganadora"
    " vencedor vencedora vainqueur gagnant gagnante победитель выигравший winners ganadores"
    " vencedores gagnants победители whowon werhatgewonnen quiengano quemganhou quiagagne"
    " ктовыиграл ктопобедил",
    "loser": "loser losername losertie losingteam verlierer perdedor perdedora perdant perdante"
    " проигравший losers perdedores perdants проигравшие wholost werhatverloren quienperdio"
    " quemperdeu quiaperdu ктопроиграл",
    "status": "status matchstatus gamestatus estado estatus situacao statut статус"
    " comment note notes bemerkung anmerkung observaciones remarque observacao примечание",
    "drawn": "draw drawn unentschieden remis empate tablas nul nulle ничья",
    "neutral": "neutral neutralground neutralvenue neutralsite neutralerplatz neutralerort"
    " camponeutral sedeneutral terrainneutre camponeutro нейтральноеполе",
    "season": "season saison temporada сезон",
    "first points": "fthg hg ptsw homegoals heimtore goleslocal butsdomicile golscasa tuspuntos"
    " suspuntos tonscore seuspontos gameswon setswon frameswon gewonnenesatze setsganados",
    "times": "times timesplayed count counts howoften frequency wieoft wieofthat anzahl haufigkeit"
    " veces cantidad frecuencia fois nombredefois frequence vezes quantidade frequencia раз"
    " сколькораз количество частота",
    "table": " ".join(f"{word} {word}id {word}no {word}nr" for word in _TABLE_WORDS.split()),
    "second points": "ftag ag ptsl gameslost setslost frameslost verlorenesatze setsperdidos"
    " setsperdus awaygoals gasttore golesvisitante butsexterieur golsfora",
}

CLUB: Final = dict.fromkeys(("club", "verein", "clube", "клуб"), "club")
"""headings of a column that books have, and that says nothing about ratings"""
_IGNORED: Final = (
    "board bo tb1 tb2 tb3 tb4 tb5 tb6 br brett tab tablero ech echiquier "
    "komi доска tabuleiro points pts pkt punkte puntos ptos очки очк pontos group grp "
    "gruppe grupo groupe группа typ type tipo тип cidade ciudad city ort "
    "ville город email rp perf performance eco opening moves time zeit hora heure "
    "время rank rk rg place pos buchholz sonnebornberger tourneyname competition league "
    "liga ligue лига div division venue stadium stadion referee attendance week matchday "
    "matchweek gameweek spieltag journee starttime startzeit horadeinicio heurededebut времяначала"
)
IGNORED: Final = frozenset(
    [*_IGNORED.split(), *CLUB, *GAME["table"].split(), *GAME["status"].split()]
)
"""columns that say nothing about ratings, and are no surprise"""

_SIDES: Final = {
    "first": ("white", "whites", "weiss", "blancas", "blancs", "белые", "белых", "brancas",
              "first", "home", "host", "heim", "local", "mandante", "winner", "player",
              "spieler", "p1", "domicile", "casa", "хозяева", "хозяев", "sieger", "ganador",
              "vencedor", "vainqueur", "победитель", "1", "your", "deine", "ihre", "votre", "ваше",
              "ваши", *_numbered("1aа").split()),
    "second": ("black", "blacks", "schwarz", "opp", "negras", "noirs", "черные", "черных", "pretas",
               "second", "opponent", "opponents", "away", "visitor", "gast", "gegner", "visitante",
               "соперника", "соперник", "rival", "oponente", "adversario", "adversaire", "loser",
               "гость",
               "p2", "exterieur", "fora", "гости", "гостеи", "verlierer", "perdedor", "perdant",
               "проигравший", "2", *_numbered("2bб").split()),
}  # fmt: skip

_ORDERS: Final[dict[str, Order]] = {"dayfirst": "dmy", "monthfirst": "mdy"}
"""what a column of dates may be named as, so that it says how they are read"""
_NUMERO: Final = re.compile("№|[nN][º°]|#")
_ROUND: Final = r"(?:round|rnd|runde|ronda|ronde|rodada|jornada|tour|тур|раунд|rd|rde|r)\b\.?"
_ROUND_AHEAD: Final = re.compile(
    rf"{_ROUND}\s*[:#№]?\s*([0-9]{{1,3}})\b(.*)", re.IGNORECASE | re.DOTALL
)
_ROUND_BEHIND: Final = re.compile(
    rf"([0-9]{{1,3}})\s*+(?:\.|st|nd|rd|th|ª|a|º|е|-й|й|-я|re|er|e|ère|ème|eme)?\s*{_ROUND}(.*)",
    re.IGNORECASE | re.DOTALL,
)
_ROUND_COLUMN: Final = re.compile(
    rf"(?:{_ROUND}\s*)?([0-9]{{1,3}})\.?|R(?:d|nd|ound|onde|unde)?([0-9]{{1,3}})", re.IGNORECASE
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
for _column, _words in headings():
    for _word in _words.split():
        PLAYER_ALIASES.setdefault(_word, _column)
GAME_ALIASES: Final = _aliases(GAME)
_OF_SIDES: Final = (
    "goals goal tore goles buts gols golos tantos голы sets satze manches сеты runs legs frames"
    " result ergebnis resultat resultado результат"
)
SCORES: Final = frozenset(_OF_SIDES.split())
"""what a side has, beside the points of a player"""


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
                if rest == text or len(rest) < 2:
                    continue
                if column := "points" if rest in SCORES else PLAYER_ALIASES.get(rest):
                    return side if column == "name" else f"{side} {column}"
    if text[-1:] in ("a", "b") and (
        text[:-1] in SCORES or PLAYER_ALIASES.get(text[:-1]) == "points"
    ):
        return "first points" if text[-1] == "a" else "second points"
    # letters last: the first or last letter of most headings could be one
    for letter, rest in ((text[-1:], text[:-1]), (text[:1], text[1:])):
        column = PLAYER_ALIASES.get(rest)
        if letter in _LETTERS and column in ("rating", "title", "id", "number"):
            if letter == "a" and column != "rating":  # there are many words that end in a
                continue
            return f"{letter}? {column}"
    return ""


@lru_cache(maxsize=64)
def side_of(text: str) -> str:
    """The side that a word such as White, home or player 1 names, or nothing.

    >>> side_of("White"), side_of("Player 2"), side_of("Ana"), side_of("-1")
    ('first', 'second', '', '')
    """
    word = "" if plain(text).isdigit() else plain(text)
    return next((side for side, words in _SIDES.items() if word in words), "")


def heading_words() -> dict[str, Mapping[str, Collection[str]] | list[str]]:
    """What a page needs to know the columns of games as :func:`game_column` does.

    >>> heading_words()["player"]["nombre"], len(heading_words()["sides"])
    ('name', 2)
    """
    player = PLAYER_ALIASES | dict.fromkeys(SCORES, "points")
    ignored = sorted(IGNORED - GAME_ALIASES.keys() - player.keys())
    return {"game": GAME_ALIASES, "player": player, "sides": _SIDES, "ignored": ignored}


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
    ({"a", "b"}, "a"),
    ({"h", "a"}, "h"),
)
_LETTERS: Final = frozenset().union(*(pair for pair, _ in _COLOURS))


_WORDS: Final = (
    *GAME_ALIASES,
    *PLAYER_ALIASES,
    *(word for side in _SIDES.values() for word in side),
)


@lru_cache(maxsize=4096)
def _corrected(heading: str) -> list[str]:
    """A heading with words of headings that are nearly its own, the nearest first.

    >>> _corrected("wite ratng")[0], _corrected("Nmae"), _corrected("Town")
    ('white rating', ['name'], [])
    """
    near = [_near(plain(word)) for word in heading.split()]
    return [" ".join(words) for words in product(*near)]


def _near(word: str) -> list[str]:
    # two letters that changed places make a short word less like itself than another one is
    return nearest(word, _WORDS, 3, like=0.8) or [
        known for known in _WORDS if known[:1] == word[:1] and sorted(known) == sorted(word)
    ]


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
    match = _ROUND_AHEAD.fullmatch(text) or _ROUND_BEHIND.fullmatch(text)
    if match is None:
        return None
    number, rest = int(match.group(1)), match.group(2)
    return number, day_in(rest)


def day_in(text: str) -> str:
    """The first date in numbers in a text, or nothing."""
    for match in _DAY.finditer(text):
        if read_date(match.group()) is not None:
            return match.group()
    return ""


def round_columns(cells: Sequence[str]) -> dict[int, int]:
    """The columns that are headed by the numbers 1, 2, 3 …, as those of a crosstable, by number.

    >>> round_columns(["No", "Name", "1.Rd", "2.Rd", "Pts"])
    {1: 2, 2: 3}
    """
    columns: dict[int, int] = {}
    for place, cell in enumerate(cells):
        match = _ROUND_COLUMN.fullmatch(cell) or _ROUND_BEHIND.fullmatch(cell)
        number = int(next(filter(None, match.groups()), "0")) if match else 0
        if match and number == len(columns) + 1:
            columns[number] = place
    return columns


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


# -- tables --------------------------------------------------------------------------------------

ABOVE: Final = 60
"""Rows in which headings are looked for."""

NOT_COMPUTED: Final = (
    "the formula in the cell was never computed: open the file in Excel or LibreOffice and save it"
)

Columns = dict[str, int]
"""The places of columns, from 0."""

GROUPED: Final = re.compile(r"[1-9][.,][0-9]{3}")


class Row:
    """One line of a table: its cells by column; a missing cell is empty."""

    __slots__ = ("cells", "columns", "line")

    def __init__(self, line: int, cells: list[str], columns: Columns) -> None:
        self.line, self.cells, self.columns = line, cells, columns

    def __getitem__(self, column: str) -> str:
        place = self.columns.get(column)
        return self.cells[place] if place is not None and place < len(self.cells) else ""


class Table:
    """The rows of a sheet below its headings, with what is wrong with them."""

    def __init__(
        self, sheet: Sheet, top: int | None, columns: Columns, headings: Sequence[str] = ()
    ) -> None:
        self.sheet = sheet
        self.name = sheet.file
        self.top = top
        """the line of the headings; None without any"""
        self.columns = columns
        self.headings = list(headings)
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.whole = True
        self.width = len(self.headings) or None
        self.thousands: dict[str, Thousands] = {}
        self.coloured = False
        """whether the first players have White"""
        self.marks: frozenset[str] = frozenset()
        """``won``: the first players have won; ``twice``: both results stand apart, as in chess"""
        self.asks = False
        """whether a line that may be half typed is a problem, as in the books"""
        self.dates: Order | None = None
        """the order of its dates, if the user has chosen it"""
        self.in_book = False
        """whether numbers have the bounds of a book's cells"""
        self.check_result: Callable[[str], None] | None = None
        """raises RatingError for a result that a book marks"""
        self.only: Sequence[Row] | None = None
        """the rows that count, if they are not all"""
        self.parts: dict[str, dict[str, str]] = {}
        """what cells of players have beside the name, by these cells"""
        self._told: set[int] = set()
        """the rows whose cells without a value were reported"""
        self._likely: dict[str, str] = {}
        """the headings that are nearly those of columns which are not there, by these"""

    def heading(self, column: str) -> str:
        place = self.columns.get(column)
        return "" if place is None or place >= len(self.headings) else self.headings[place]

    def choice(self, what: str, column: str) -> str:
        """The option that says what a column is, as one types it."""
        word = f"{what}={self.heading(column)}"
        plain = re.fullmatch(r"[\w=]+", word)
        return f"--columns {word if plain else json.dumps(word, ensure_ascii=False)}"

    def likely(self, *columns: str) -> str:
        """What is said of a heading that is nearly that of one of some columns, or nothing."""
        return next((self._likely[column] for column in columns if column in self._likely), "")

    def unknown(self, head: Head, used: Iterable[int] = ()) -> None:
        """Warn of columns that are not known, and of ratings that are those of a country."""
        if head.national and any("rating" in column for column in self.columns):
            at = head.cells.index(head.national) + 1
            what = f"the ratings are those of {head.national}"
            self.warnings.append(self.sheet.problem(what, head.line, at))
        rated, hinted = any("rating" in column for column in head.places), 0
        for place in sorted(set(head.unknown) - set(used)):
            heading = head.cells[place]
            what = f"unknown column {heading!r} is ignored"
            near = {head.column_of(text): text for text in reversed(_corrected(heading))}
            near = {
                column: meant(heading, [text])
                for column, text in near.items()
                if column and column not in head.places
            }
            for column, hint in near.items():
                said = f" ({heading!r} is unknown{hint})"
                self._likely.setdefault(column, said)
            what += next(reversed(near.values()), "")
            if not rated and self._like_ratings(place):
                of = f"{('first', 'second')[hinted % 2]} " if head.column_of("white") else ""
                hinted += 1
                what += f'; if it has the ratings: --columns "{of}rating={heading}"'
            self.warnings.append(self.sheet.problem(what, head.line, place + 1))

    def _like_ratings(self, place: int) -> bool:
        """Whether a column has numbers as ratings are, and not only years."""
        rows = (cells for line, cells in top_rows(self.sheet) if line > (self.top or 0))
        cells = (rating("".join(row[place : place + 1])) for row in rows)
        numbers = [whole(cell) or 0 for cell in cells if cell]
        years = all(1900 <= n <= 2100 for n in numbers)
        return len(numbers) > 1 and not years and all(400 <= n <= 3500 for n in numbers)

    def problem(self, what: str, row: Row | None = None, column: str = "") -> None:
        self.problems.append(self.at(what, row, column))

    def warn(self, what: str, row: Row | None = None, column: str = "") -> None:
        self.warnings.append(self.at(what, row, column))

    def tell_empty(self) -> None:
        """Report that nothing is there; what makes a sheet unreadable is told by reading it."""
        for _ in self.rows():
            break
        if not self.problems:
            self.problem("the sheet is empty" if self.sheet.title else "the file is empty")

    def at(self, what: str, row: Row | None = None, column: str = "") -> Problem:
        place = (row.columns if row else self.columns).get(column)
        line = row.line if row else self.top
        return self.sheet.problem(what, line, None if place is None else place + 1)

    def rows(self) -> Iterator[Row]:
        """The rows below the headings; what follows something unreadable is left out."""
        if self.only is not None:
            yield from self.only
            return
        columns, width, top = self.columns, self.width, self.top or 0
        unread = self.sheet.unread()
        try:
            for line, cells in counted(self.sheet.rows(), "rows"):
                if line <= top or (line in unread and self._unread(line, unread[line])):
                    continue
                if width is not None and len(cells) > width:
                    surplus = next((n for n in range(width, len(cells)) if cells[n]), None)
                    if surplus is not None:
                        what = f"more cells than headings: {cells[surplus]!r} has none"
                        self.problems.append(self.sheet.problem(what, line, surplus + 1))
                yield Row(line, self._apart(cells) if self.parts else cells, columns)
        except SheetError as error:
            # rows are read more than once, but the fault is told once
            if self.whole:
                self.problems.append(self.sheet.problem(str(error), error.line))
            self.whole = False

    def split(self, parts: dict[str, dict[str, str]], sides: Sequence[str]) -> None:
        """Read the cells of the sides as what they have beside the name."""
        self._sides = [(side, self.columns[side]) for side in sides]
        self._from = max(len(self.headings), *self.columns.values()) + 1
        for at, (side, _) in enumerate(self._sides):
            for n, what in enumerate(("number", "title", "rating")):
                self.columns.setdefault(f"{side} {what}", self._from + 3 * at + n)
        self.parts = parts

    def _apart(self, cells: Sequence[str]) -> list[str]:
        row = [*cells, *[""] * (self._from + 3 * len(self._sides) - len(cells))]
        for at, (_, place) in enumerate(self._sides):
            if parts := self.parts.get(row[place]):
                row[place] = parts["name"]
                begin = self._from + 3 * at
                row[begin : begin + 3] = parts["number"], parts["title"], parts["rating"]
        return row

    def all_warnings(self) -> list[Problem]:
        """What is to be known about what was read, and that nobody sees it."""
        if self.sheet.hidden:
            return [
                *self.warnings,
                self.sheet.problem("the sheet is hidden; it counts all the same"),
            ]
        hidden = self.sheet.unseen()
        lines = [row.line for row in self.rows() if row.line in hidden] if hidden else []
        if not lines:
            return self.warnings
        what = f"{plural(len(lines), 'hidden row')} from here on: all rows count"
        return [*self.warnings, self.sheet.problem(what, lines[0])]

    def _unread(self, line: int, cells: Mapping[int, str]) -> bool:
        """Report the cells of a row that have no value, once; whether there are any that count."""
        places = sorted(cells.keys() & set(self.columns.values()))
        if places and line not in self._told:
            self._told.add(line)
            self.whole = False
            for place in places:
                what = (
                    f"the cell shows {cells[place]}: correct its formula"
                    if cells[place]
                    else NOT_COMPUTED
                )
                self.problems.append(self.sheet.problem(what, line, place + 1))
        return bool(places)

    def bounded(self, row: Row, column: str, bounds: Bounds) -> float | None:
        """A number within its bounds, or None."""
        text = row[column]
        spelt = not self.in_book and bounds in (RATING, PEAK) and not bounds.says_none(text)
        if spelt and number(text) is None:
            text = rating(text)
        if bounds.says_none(text):
            return None
        try:
            return self.thousands.get(column, _AS_IT_IS).read(text, bounds)
        except ValueError as wrong:
            self.problem(str(wrong), row, column)
            return None

    def count(self, row: Row, column: str) -> int | None:
        value = whole(row[column])
        if value is None and row[column]:
            self.problem(f"{column} is not a whole number: {row[column]!r}", row, column)
        return value


class Thousands:
    """Whether points or commas in a column of ratings separate thousands.

    >>> Thousands(["1.700", "2.130", "950"]).read("1.700", RATING)
    1700.0
    >>> Thousands(["1.700", "1850"]).read("1.700", RATING)
    Traceback (most recent call last):
    ...
    ValueError: rating '1.700' may be 1700 or 1.7, as others of the column have no such sign: write 1700
    """  # noqa: E501

    def __init__(self, texts: Iterable[str] = ()) -> None:
        filled = {text for text in texts if text}
        grouped = {text for text in filled if GROUPED.fullmatch(text)}
        plain_ones = {text for text in filled - grouped if text.isdigit() and len(text) <= 3}
        self.sure = bool(grouped) and not filled - grouped - plain_ones

    def read(self, text: str, bounds: Bounds) -> float | None:
        if GROUPED.fullmatch(text):
            joined = re.sub("[.,]", "", text)
            if not self.sure:
                raise ValueError(
                    f"{bounds.what} {text!r} may be {joined} or {number(text):g}, as "
                    f"others of the column have no such sign: write {joined}"
                )
            text = joined
        return bounds.read(text)


_AS_IT_IS: Final = Thousands()


# -- headings -------------------------------------------------------------------------------------


class Head:
    """A row of headings, with the columns that each name may stand for."""

    def __init__(
        self,
        line: int,
        cells: list[str],
        column_of: Callable[[str], str],
        renamed: Mapping[str, str],
    ) -> None:
        self.line = line
        self.cells = cells
        self.column_of = column_of
        self.dates: Order | None = None
        self.places: dict[str, list[int]] = {}
        self.unknown: list[int] = []
        # columns that the user names go first: no other heading may take their place
        given: dict[str, int] = {}
        for place, cell in enumerate(cells):
            if cell and (what := renamed.get(plain(cell))) and (column := column_of(what)):
                given.setdefault(column, place)
                self.dates = _ORDERS.get(plain(what), self.dates)
        for place, cell in enumerate(cells):
            if place in given.values():
                continue
            column = column_of(cell) if cell else ""
            if column and column not in given:
                self.places.setdefault(column, []).append(place)
            elif cell and not column and plain(cell) not in IGNORED:
                self.unknown.append(place)
        self.places |= {column: [place] for column, place in given.items()}
        self.national = ""
        """the heading of national ratings, which count where there are no others"""
        rated = any("rating" in column for column in self.places)
        for place in [] if rated else [*self.unknown]:
            text = plain(cells[place])
            words = (text.replace(word, "elo") for word in NATIONAL if word in text)
            column = next(filter(None, map(column_of, words)), "")
            if "rating" in column:
                self.places.setdefault(column, []).append(place)
                self.unknown.remove(place)
                self.national = self.national or cells[place]

    def __len__(self) -> int:
        return len(self.places)


def top_rows(sheet: Sheet) -> list[tuple[int, list[str]]]:
    """The first rows of a sheet, as far as they can be read."""
    rows: list[tuple[int, list[str]]] = []
    with suppress(SheetError):
        rows.extend(islice(sheet.rows(), ABOVE))  # keeps those before an unreadable one
    return rows


def best_head(
    rows: Sequence[tuple[int, list[str]]],
    column_of: Callable[[str], str],
    fits: Callable[[Head], bool],
    renamed: Mapping[str, str],
) -> Head | None:
    """The row in which most headings are known, the first of several; None if none fits."""
    heads = (Head(line, cells, column_of, renamed) for line, cells in rows)
    return max((head for head in heads if fits(head)), key=len, default=None)
