"""The LAMBDA names of the functions that rate game after game, of even sides, and of the fit.

Each text is the whole formula, as :mod:`.periods` has one, in the names of the arguments. REDUCE
goes from game to game and carries a row per player: rating, season of the latest game, and what the
tables count.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

# Helpers, and what model, sides, start and k say. An option that cannot be read is a fault.
_FIELD: Final = """
word, LAMBDA(x, TRIM(SUBSTITUTE(x, UNICHAR(160), " "))),
part, LAMBDA(x, i, IF(COLUMNS(x) < i, "", INDEX(x, 0, i))),
usual, LAMBDA(x, y, IF(TRIM(x) = "", y, number(x))),
curve, IF(ISOMITTED(model), "", model),
mark, IF(ISOMITTED(sides), "", word(sides)), total, RIGHT(SUBSTITUTE(mark, " ", ""), 4) = ":sum",
cut, IF(total, TRIM(LEFT(mark, FIND(":", mark) - 1)), mark),
chance, LAMBDA(d, ELO_EXPECTED(1, 1, curve, "", "", "", d)),
level_of, LAMBDA(x, z, SUM(z * x) / IF(total, 1, SUM(z))),
split, LAMBDA(x, IF(cut = "", x, TRIM(TEXTSPLIT(CONCAT(x), , cut)))),
given, IF(ISOMITTED(start), "", start), listed, COLUMNS(given) > 1,
first, IF(listed, 1500, IF(ROWS(given) > 1, #N/A, usual(given, 1500))),
stake, IF(ISOMITTED(k), "", k), many, COLUMNS(stake) > 1,
what, IF(many, word(INDEX(stake, 0, 1)), ""), worth, IF(many, number(INDEX(stake, 0, 2)), 0),
since, IFERROR(number(what), ""),
steps, IF(many,
    SORT(FILTER(HSTACK(IF(ISNUMBER(since), IF(since = MIN(since), 0, since)), worth),
        ISNUMBER(since), HSTACK(0, 20))),
    HSTACK(0, IF(ROWS(stake) > 1, #N/A, usual(stake, 20)))),
entered, IF(listed, word(INDEX(given, 0, 1)), ""), known, IFERROR(entered, ""),
own, IF(listed, number(INDEX(given, 0, 2)), ""),
state, IF(ISERROR(entered), entered, IF(known = "", 0,
    IF(MAP(known, LAMBDA(x, SUM(IF(known = x, 1, 0)))) > 1, #VALUE!,
        IF(own = "", 0, IF(ABS(own) > 1E6, #NUM!, 0))))),
fault, SUM(IF(ABS(first) > 1E6, #NUM!, 0), chance(0),
    IF(what = "", 0, IF(ISERROR(worth), worth, IF(worth = "", #VALUE!,
        IF((ABS(worth - 5E5) > 5E5) + (IF(since = "", 0, since) < 0), #NUM!,
            IF(MAP(what, LAMBDA(x, SUM(IF(what = x, 1, 0)))) > 1, #VALUE!, 0))))),
    IF(many, 0, IF(ABS(INDEX(steps, 1, 2) - 5E5) > 5E5, #NUM!, 0)))
"""

# Who plays, by a status per game (1 if it counts, an empty text if it was not played, an error) and
# the names of those who met: first those of the table of first ratings, then others as they come.
_NAMES: Final = """
every, IFERROR(REDUCE("", lines, LAMBDA(x, i,
    IF(IFERROR(INDEX(status, i) = "", FALSE), x, VSTACK(x, met(i))))), ""),
fresh, UNIQUE(FILTER(every, ISNA(XMATCH(every, VSTACK("", known))), "")),
rows_, VSTACK(
    HSTACK(entered, IF(ISERROR(state), first, IF((own = "") + (own = 0), first, own)), state),
    HSTACK(fresh, SEQUENCE(ROWS(fresh), 1, first, 0), SEQUENCE(ROWS(fresh), 1, 0, 0))),
field, FILTER(rows_, IFERROR(INDEX(rows_, 0, 1) <> "", TRUE), HSTACK("", first, 0)),
names, INDEX(field, 0, 1), size, ROWS(names),
fixed, MAP(names, LAMBDA(x, XLOOKUP(x, IF(since = "", what, ""), worth, ""))),
among, LAMBDA(x, IF(ISNUMBER(XMATCH(names, x)), 1, 0))
"""

REST: Final = "rest"
"""The argument of ELO_RUN's LAMBDA with which ELO_LADDER's asks for the table of players."""

RUN: Final = f"""LET({_FIELD},
ahead, IF(ISOMITTED(home), 0, usual(home, 0)),
back, IF(ISOMITTED(reversion), 0, usual(reversion, 0)),
level, IF(ISOMITTED(mean), first, usual(mean, first)),
by, IF(ISOMITTED(margin), "", LOWER(TRIM(margin))),
heavy, IF(ISOMITTED(weights), 1, usual(weights, 1)),
lines, SEQUENCE(ROWS(games)), at, LAMBDA(x, i, SUM(INDEX(x, IF(ROWS(x) > 1, i, 1)))),
one, word(part(games, 1)), two, word(part(games, 2)),
told, part(games, 3),
judged, IF(COLUMNS(games) = 2, IF(lines, 1), IF(COLUMNS(games) = 1, "", ELO_SCORE(told))),
lead, IFERROR(number(LEFT(told, FIND(":", told) - 1)) - number(MID(told, FIND(":", told) + 1, 99)),
    ""),
points, SUM(ISERROR(judged) * (lead <> "")) * (lead <> ""),
result, IF(points, (1 + SIGN(lead)) / 2, judged),
met, LAMBDA(i, VSTACK(split(INDEX(one, i)), split(INDEX(two, i)))),
won_by, IF(lines * (by <> ""), usual(part(games, 4), IF(points, ABS(lead), "")), 0),
label, IF(lines * back, word(part(games, 5)), ""),
turn, SCAN("", IFERROR(label, ""), LAMBDA(x, y, IF(y = "", x, y))),
season, SCAN(0, lines, LAMBDA(x, i, IF(i = 1, 1, x + (INDEX(turn, i) <> INDEX(turn, i - 1))))),
ground, IF(lines * ahead, usual(part(games, 6), 0), 0),
status, MAP(lines, LAMBDA(i, LET(s, INDEX(result, i), z, met(i),
    IF((INDEX(one, i) = "") + (INDEX(two, i) = ""), "",
    IF((SUM(IF(z = "", 1, 0)) > 0) + (ROWS(UNIQUE(z)) < ROWS(z)), #VALUE!, IF(s = "", "",
    SUM(IF(listed, MAP(z, LAMBDA(x, XLOOKUP(x, known, state, 0))), 0),
        IF((INDEX(won_by, i) = "") * (s <> 0.5), #VALUE!, 0),
        (at(ground, i) = "") + (INDEX(label, i) = 0),
        IF(ABS(at(heavy, i) - 5E5) > 5E5, #NUM!, 1)))))))),
{_NAMES},
whole, 1 - ISOMITTED({REST}),
done, REDUCE(EXPAND(INDEX(field, 0, 2), size, 8, 0), lines, LAMBDA(all, i, LET(
    valid, INDEX(status, i), fine, IFERROR(valid = 1, FALSE), was, TAKE(all, size),
    after, IF(fine, LET(
        x, among(split(INDEX(one, i))), y, among(split(INDEX(two, i))), who, x + y,
        get, LAMBDA(j, INDEX(was, 0, j)), now, at(season, i), n, get(3),
        old, IF(who * (n > 0) * (get(2) <> now), get(1) + back * (level - get(1)), get(1)),
        s, at(result, i), m, at(won_by, i),
        d, level_of(old, x) - level_of(old, y) + ahead * (at(ground, i) = 0),
        score, x * s + y * (1 - s), run, get(7), sgn, SIGN(2 * score - 1),
        gain, at(heavy, i) * IF(by = "", 1, IF(by = "goals",
            IF(m < 2, 1, IF(m < 3, 1.5, (11 + m) / 8)),
            2.2 * LN(IF(m > 1, m, 1) + 1) / (0.001 * d * SIGN(2 * s - 1) + IF(s = 0.5, 1, 2.2))))
            * (s - chance(d)) * (x - y)
            * IF(fixed = "", LOOKUP(n, INDEX(steps, 0, 1), INDEX(steps, 0, 2)), fixed),
        IF(who, HSTACK(old + gain, IF(who + 1, now), n + 1,
            get(4) + (score = 1), get(5) + (score = 0.5), get(6) + (score = 0),
            IF(run * sgn > 0, run + sgn, sgn), gain), was)), was),
    then, LAMBDA(x, level_of(INDEX(after, 0, 1), among(split(INDEX(x, i))))),
    IF(whole, after, VSTACK(after, DROP(VSTACK(all,
        IF(fine, HSTACK(then(one), then(two)), HSTACK(valid, valid))), size)))))),
wrong, SUM(IF(ABS(ahead) > 1E6, #NUM!, 0), fault, IF(ABS(level) > 1E6, #NUM!, 0),
    IF((back < 0) + (back > 1), #NUM!, 0),
    IF((by = "") + (by = "log") + (by = "goals"), 0, #VALUE!),
    IF(COLUMNS(heavy) + ABS(ROWS(heavy) - 1) * ABS(ROWS(heavy) - ROWS(games)) = 1, 0, #N/A)),
IF(ISERROR(wrong), wrong, IF(whole,
    HSTACK(names, done, REDUCE(INDEX(field, 0, 3), lines, LAMBDA(x, i,
        IF(ISERROR(INDEX(status, i)),
            IF(ISERROR(x), x, IF(among(met(i)), INDEX(status, i), x)), x)))),
    TAKE(DROP(done, size), , 2))))
"""


def _constant(headings: Iterable[str]) -> str:
    return "{" + ",".join(f'"{heading}"' for heading in headings) + "}"


def ladder(headings: Iterable[str]) -> str:
    """The LAMBDA of ELO_LADDER, which orders what ELO_RUN's knows of the players."""
    options = ("k", "start", "home", "model", "margin", "reversion", "mean", "sides", "weights")
    passed = ", ".join(f'IF(ISOMITTED({name}), "", {name})' for name in options)
    return f"""LET(
    headed, IF(ISOMITTED(labels), 0, IF(TRIM(labels) = "", 0, number(labels))),
    one, INDEX(games, 0, 1), two, IF(COLUMNS(games) > 1, INDEX(games, 0, 2), one),
    lost, SUM(IF(IFERROR(TRIM(one) = "", TRUE) * IFERROR(TRIM(two) = "", TRUE),
        IF(ISERROR(one), one, IF(ISERROR(two), two, 0)), 0)),
    all, ELO_RUN(games, {passed}, TRUE),
    names, INDEX(all, 0, 1), at, SEQUENCE(1, 8), n, INDEX(all, 0, 4),
    wrong, ISERROR(INDEX(all, 0, 10)),
    rows_, IF(wrong * (at > 1), INDEX(all, 0, 10),
        IF(IFERROR(names = "", FALSE) + (n = 0) * (at = 8), "",
            CHOOSECOLS(all, 1, 2, 4, 5, 6, 7, 8, 9))),
    table, SORTBY(rows_, IF(wrong, 1, 0), 1,
        IF(wrong, SEQUENCE(ROWS(all)), -ROUND(INDEX(all, 0, 2), 6)), 1, IF(wrong, "", names), 1),
    IF(ISERROR(headed), headed, IF(COLUMNS(all) = 1, all, IF(ISERROR(lost), lost,
        IF(headed, VSTACK({_constant(headings)}, table), table)))))
    """


def places(headings: Iterable[str]) -> str:
    """The LAMBDA of ELO_PLACES; of a table the places and the gains of its sides are columns."""
    return f"""LET({_FIELD},
    headed, IF(ISOMITTED(labels), 0, usual(labels, 0)),
    lines, SEQUENCE(ROWS(games)),
    seats, LAMBDA(i, LET(x, TOCOL(word(INDEX(games, i, 0))),
        FILTER(x, IFERROR(x <> "", TRUE), ""))),
    tied, LAMBDA(x, (LEFT(x) = "=") + (RIGHT(x) = "=") > 0),
    bare, LAMBDA(x, TRIM(SUBSTITUTE(x, "=", ""))),
    met, LAMBDA(i, REDUCE("", IFERROR(bare(seats(i)), ""), LAMBDA(x, y, VSTACK(x, split(y))))),
    status, MAP(lines, LAMBDA(i, LET(x, seats(i), z, DROP(met(i), 1),
        IF(SUM(IF(x = "", 1, 0)), "", IF(ROWS(x) < 2, "",
        IF(tied(INDEX(x, 1)) + (SUM(IF(z = "", 1, 0)) > 0) + (ROWS(UNIQUE(z)) < ROWS(z)), #VALUE!,
            SUM(IF(listed, MAP(z, LAMBDA(y, XLOOKUP(y, known, state, 0))), 0), 1))))))),
    {_NAMES},
    played, LAMBDA(was, i, LET(x, seats(i), n, ROWS(x), seat, SEQUENCE(n),
        place, SCAN(0, seat, LAMBDA(y, j, IF(tied(INDEX(x, j)), y, j))),
        who, DROP(REDUCE("", bare(x), LAMBDA(y, z, HSTACK(y, among(split(z))))), , 1),
        get, LAMBDA(j, INDEX(was, 0, j)),
        level, TOCOL(MMULT(TOROW(get(1)), who))
            / IF(total, 1, TOCOL(MMULT(SEQUENCE(1, size, 1, 0), who))),
        score, (1 + SIGN(TOROW(place) - place)) / 2 - chance(level - TOROW(level)),
        share, MMULT(who, MMULT(score, SEQUENCE(n, 1, 1, 0)) / (n - 1)),
        own_place, MMULT(who, place), tables, get(2),
        gain, share
            * IF(fixed = "", LOOKUP(tables, INDEX(steps, 0, 1), INDEX(steps, 0, 2)), fixed),
        IF(own_place, HSTACK(get(1) + gain, tables + 1, get(3) + (own_place = 1),
            get(4) + own_place, gain), was))),
    done, REDUCE(EXPAND(INDEX(field, 0, 2), size, 5, 0), lines, LAMBDA(was, i,
        IF(IFERROR(INDEX(status, i) = 1, FALSE), played(was, i), was))),
    wrong, REDUCE(INDEX(field, 0, 3), lines, LAMBDA(x, i, IF(ISERROR(INDEX(status, i)),
        IF(ISERROR(x), x, IF(among(DROP(met(i), 1)), INDEX(status, i), x)), x))),
    bad, ISERROR(wrong), n, INDEX(done, 0, 2), at, SEQUENCE(1, 6),
    table, IF(bad * (at > 1), wrong, IF(IFERROR(names = "", FALSE) + (n = 0) * (at > 4), "",
        HSTACK(names, TAKE(done, , 3), INDEX(done, 0, 4) / IF(n, n, 1), INDEX(done, 0, 5)))),
    sorted, SORTBY(table, IF(bad, 1, 0), 1,
        IF(bad, SEQUENCE(size), -ROUND(INDEX(done, 0, 1), 6)), 1, IF(bad, "", names), 1),
    lost, SUM(IF(ISERROR(status),
        IF(MAP(lines, LAMBDA(i, SUM(IF(met(i) = "", 0, 1)))), 0, status), 0)),
    IF(ISERROR(fault), fault, IF(ISERROR(headed), headed, IF(ISERROR(lost), lost,
        IF(headed, VSTACK({_constant(headings)}, sorted), sorted)))))
    """


# All ways to make two sides are the rows of a table of bits; otherwise swaps, as in engine.teams.
TEAMS: Final = """LET(
word, LAMBDA(x, TRIM(SUBSTITUTE(x, UNICHAR(160), " "))),
all, TOCOL(word(players)), own, TOCOL(rated(ratings)),
parts, IF(ISOMITTED(sides), 2, IF(TRIM(sides) = "", 2, number(sides))),
here, all <> "", names, FILTER(all, here, ""), given, FILTER(own, here, 0), n, ROWS(names),
fault, SUM(IF(all = "", 0, 0), IF(ROWS(all) = ROWS(own), 0, #N/A), IF(own = "", 0, 0),
    IF((given = "") + (MAP(names, LAMBDA(x, SUM(IF(names = x, 1, 0)))) > 1), #VALUE!, 0),
    IF((parts < 2) + (MOD(parts, 1) <> 0) + (parts > n) + (SUM(IF(names = "", 1, 0)) > 0),
        #NUM!, 0)),
order, SORTBY(SEQUENCE(n), -given, 1, SEQUENCE(n), 1), list, SEQUENCE(n),
rating, INDEX(given, order), who, INDEX(names, order),
ways, SEQUENCE(2 ^ (IF(n > 16, 1, n) - 1), 1, 0),
other, MOD(INT(ways / 2 ^ (SEQUENCE(1, MAX(n - 1, 1)) - 1)), 2),
rest, IF(n > 16, 0, DROP(rating, 1)),
size, MMULT(other, SEQUENCE(ROWS(rest), 1, 1, 0)), theirs, MMULT(other, rest),
gap, IF(ABS(n - 2 * size) > 1, 1E+99,
    ROUND(ABS(size * (SUM(rating) - theirs) - (n - size) * theirs), 6)),
turn, INT((list - 1) / parts), seat, MOD(list - 1, parts),
dealt, IF(MOD(turn, 2), parts - 1 - seat, seat),
swapped, LAMBDA(side, LET(
    pool, MAP(side, LAMBDA(x, SUM(IF(side = x, rating, 0)))), more, TOROW(rating) - rating,
    one, (2 * pool + more) * more / MAP(side, LAMBDA(x, SUM(IF(side = x, 1, 0)))),
    gain, IF(side = TOROW(side), 0, ROUND(one + TRANSPOSE(one), 6)), least, MIN(gain),
    flat, XMATCH(least, TOCOL(gain)), i, INT((flat - 1) / n) + 1, j, MOD(flat - 1, n) + 1,
    IF(least < 0, IF(list = i, INDEX(side, j), IF(list = j, INDEX(side, i), side)), side))),
side, IF((parts = 2) * (n <= 16), VSTACK(0, TOCOL(INDEX(other, XMATCH(MIN(gap), gap), 0))),
    REDUCE(dealt, SEQUENCE(50), LAMBDA(x, i, swapped(x)))),
lead, INDEX(side, 1), number_of, IF(side = lead, 0, IF(side = 0, lead, side)),
strength, LAMBDA(x, AVERAGE(FILTER(rating, number_of = x))),
means, MAP(SEQUENCE(parts, 1, 0), LAMBDA(x, strength(x))),
chance, MAP(number_of, LAMBDA(x,
    (SUM(expected(strength(x) - means, "normal")) - 0.5) / (parts - 1))),
IF(ISERROR(fault), fault, SORTBY(
    HSTACK(number_of + 1, who, rating, MAP(number_of, strength), chance),
    number_of, 1, -rating, 1)))
"""


def fit(headings: Iterable[str]) -> str:
    """The LAMBDA of ELO_FIT: Newton's steps, each not longer than 174 points, in REDUCE.

    A row of ``full`` says which strengths, and the advantage, a game has to do with; ``spread`` has
    the first player's lead and the chance of a draw. The mean of a group without an anchor is tied.
    """
    return f"""LET(
    word, LAMBDA(x, TRIM(SUBSTITUTE(x, UNICHAR(160), " "))),
    headed, IF(ISOMITTED(labels), 0, IF(TRIM(labels) = "", 0, number(labels))),
    usual, IF(ISOMITTED(rating), "", rated(rating)), level, IF(usual = "", 1500, usual),
    tie, IF(ISOMITTED(draws), "", LOWER(TRIM(draws))), ignored, tie = "ignore",
    lead, IF(ISOMITTED(home), "", LOWER(TRIM(home))), free_home, (lead = "") + (lead = "fitted"),
    ahead, IF(free_home + (lead = "none"), 0, number(home)),
    count, IF(ISOMITTED(counts), 1, IF(TRIM(counts) = "", 1, number(counts))),
    lines, SEQUENCE(ROWS(games)), often_all, IF(lines, count),
    one, word(INDEX(games, 0, 1)), two, IF(COLUMNS(games) > 1, word(INDEX(games, 0, 2)), ""),
    result, IF(COLUMNS(games) = 2, IF(lines, 1),
        IF(COLUMNS(games) < 2, "", ELO_SCORE(INDEX(games, 0, 3)))),
    status, IF((one = "") + (two = ""), 0, IF(one = two, #VALUE!, IF(result = "", 0, 1))),
    fault, SUM(status, level, ahead, IF((tie = "") + (tie = "davidson") + ignored, 0, #VALUE!),
        IF(COLUMNS(count) + ABS(ROWS(count) - 1) * ABS(ROWS(count) - ROWS(games)) = 1, 0, #N/A),
        IF((count < 0) + (MOD(count, 1) <> 0), #NUM!, 0)),
    keep, (status = 1) * (often_all > 0),
    played, IF(SUM(keep), FILTER(HSTACK(one, two, result, often_all), keep), {{"","",0,0}}),
    first, INDEX(played, 0, 1), second, INDEX(played, 0, 2),
    s, INDEX(played, 0, 3), w, INDEX(played, 0, 4),
    names, UNIQUE(TOCOL(HSTACK(first, second))), p, ROWS(names),
    list, SEQUENCE(p), across, TOROW(list),
    a, IF(XMATCH(first, names) = across, 1, 0), b, IF(XMATCH(second, names) = across, 1, 0),
    x, a - b,
    fix, IF(ISOMITTED(anchor), "", anchor),
    who, IF(INDEX(fix, 0, 1) = 0, "", word(INDEX(fix, 0, 1))),
    at_, IF(COLUMNS(fix) > 1, rated(INDEX(fix, 0, 2)), ""), held, IF(at_ = "", level, at_),
    trouble, SUM(fault, IF(who = "", 0, IF(ISERROR(held), held,
        IF(MAP(who, LAMBDA(y, SUM(IF(who = y, 1, 0)))) > 1, #VALUE!, XMATCH(who, names))))),
    fixed, IF(ISNUMBER(XMATCH(names, FILTER(who, who <> "", 0))), 1, 0), anchored, SUM(fixed) > 0,
    zero, IF(anchored, XLOOKUP(INDEX(FILTER(who, who <> "", 0), 1), who, held), level),
    unit, 400 / LN(10),
    start, IF(fixed, (MAP(names, LAMBDA(y, XLOOKUP(y, who, held, zero))) - zero) / unit, 0),
    closed, LAMBDA(m, REDUCE(m, SEQUENCE(2 + INT(LN(p) / LN(2))), LAMBDA(y, i,
        IF(MMULT(y, y) > 0, 1, 0)))),
    scored, MMULT(TRANSPOSE(a), b * (s > 0)) + MMULT(TRANSPOSE(b), a * (s < 1))
        + fixed * TOROW(fixed) + (list = across),
    reach, closed(scored), strong, reach * TRANSPOSE(reach),
    size, MMULT(strong, SEQUENCE(p, 1, 1, 0)),
    lone, IF(anchored, XMATCH(1, fixed), XMATCH(MAX(size), size)),
    main, IF(anchored + (MAX(size) > 1), INDEX(strong, 0, lone), 0),
    known, INDEX(closed(IF(scored + TRANSPOSE(scored) > 0, 1, 0)), 0, lone),
    inner, IF(MMULT(MMULT(a, strong) * b, SEQUENCE(p, 1, 1, 0)) > 0, w, 0),
    drawn, IF(ignored, 0, SUM(inner * (s = 0.5))), decided, SUM(inner) - drawn,
    ties, (drawn > 0) * (decided > 0), q, p + 2,
    full, HSTACK(x, IF(s + 1, 1), IF(s + 1, 0)),
    last, HSTACK(IF(x + 9, 0), IF(s + 1, 0), IF(s + 1, 1)),
    spread, LAMBDA(v, LET(d, MMULT(full, v), nu, IF(drawn, EXP(INDEX(v, q)), 0),
        up, EXP(-ABS(d) / 2), total, 1 + nu * up + up ^ 2,
        HSTACK(SIGN(d) * (1 - up ^ 2) / total, nu * up / total))),
    info, LAMBDA(v, LET(y, spread(v), e, INDEX(y, 0, 1), t, INDEX(y, 0, 2),
        both, -inner * e * t / 2,
        MMULT(TRANSPOSE(full), inner * (1 - t - e ^ 2) / 4 * full + both * last)
            + MMULT(TRANSPOSE(last), both * full + inner * t * (1 - t) * last))),
    slope, LAMBDA(v, LET(y, spread(v),
        MMULT(TRANSPOSE(full), inner * (s - (1 + INDEX(y, 0, 1)) / 2))
            + MMULT(TRANSPOSE(last), inner * ((s = 0.5) - INDEX(y, 0, 2))))),
    apart, EXPAND(strong * (MMULT(strong, fixed) = 0) / size, q, q, 0),
    inverse, LAMBDA(v, free, MINVERSE(info(v) * free * TOROW(free)
        + (1 - free) * (SEQUENCE(q) = SEQUENCE(1, q)) + apart)),
    begin, VSTACK(start, ahead / unit, IF(ties, LN(2 * drawn / decided), 0)),
    held_home, VSTACK(1 - fixed, 0, ties), raw, info(begin),
    side, INDEX(raw, 0, p + 1) * held_home, own, INDEX(raw, p + 1, p + 1),
    told, free_home * (COLUMNS(games) <> 2)
        * (own - SUM(side * MMULT(inverse(begin, held_home), side)) > 1E-7 * own),
    free, VSTACK(1 - fixed, told, ties),
    best, IF(decided, REDUCE(VSTACK(begin, 1), SEQUENCE(60), LAMBDA(v, i,
        IF(INDEX(v, q + 1) < 1E-10, v, LET(now, TAKE(v, q),
            step, MMULT(inverse(now, free), slope(now) * free), far, MAX(ABS(step)),
            VSTACK(now + step / IF(far > 1, far, 1), far))))), VSTACK(begin, 0)),
    found, TAKE(best, q), theta, TAKE(found, p), e, (1 + INDEX(spread(found), 0, 1)) / 2,
    cover, inverse(found, free),
    squares, MMULT(MMULT(cover, TRANSPOSE(full)) ^ 2, inner * (s - e) ^ 2),
    error, unit * SQRT(IF(fixed, 0, IF(ignored, TAKE(squares, p),
        MAP(list, LAMBDA(i, INDEX(cover, i, i))) - IF(anchored, 0, 1 / size)))),
    sums, LAMBDA(y, z, MMULT(TRANSPOSE(a), y) + MMULT(TRANSPOSE(b), z)),
    awaited, IF(inner, e, s) * w, n, sums(w, w), score, sums(s * w, (1 - s) * w),
    good, main + fixed > 0, unknown, IF(known, #NUM!, #N/A),
    table, SORTBY(HSTACK(names, IF(good, zero + unit * theta, unknown),
            IF(good, IF(decided, error, IF(fixed, 0, #NUM!)), unknown),
            n, score, sums(awaited, w - awaited)),
        IF(good, 0, IF(known, 1, 2)), 1,
        IF(good, -ROUND(zero + unit * theta, 6),
            IF(known, IF(score = n, -1, IF(score = 0, 1, 0)), 0)), 1, names, 1),
    far_off, MAX(ABS(MMULT(full, found) * (inner > 0))),
    answer, IF(IF(decided, (INDEX(best, q + 1) < 1E-6) * (far_off < 30), 1), table, #NUM!),
    IF(ISERROR(trouble), trouble, IF(ISERROR(headed), headed, IF(headed,
        IF(SUM(keep), VSTACK({_constant(headings)}, answer), {_constant(headings)}),
        IF(SUM(keep), answer, {_constant([""] * 6)})))))
    """
