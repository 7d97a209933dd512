"use strict";
// What stands in a file of columns, and how headings are compared.
const plain = (text) => text.replace(/№|n[º°]|#/gi, "no").toLowerCase().replaceAll("ß", "ss")
  .normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");

const squeezed = (text) => text.toLowerCase().replaceAll(" ", "");

// Names that may be one person's: the same words in any order.
const doubled = (names) => {
  const alike = {};
  for (const name of names) (alike[name.split(/[\s,]+/).map(plain).filter(Boolean).sort().join(" ")] ??= []).push(name);
  return Object.values(alike).filter((one) => one.length > 1).map((one) => one.join(" = ")).join(" · ");
};

// Its text: UTF-8, what Excel calls Unicode text, or what it saves in this language where CSV is not
// said to be UTF-8.
const decoded = (bytes) => {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(document.documentElement.lang === "ru" ? "windows-1251" : "windows-1252").decode(bytes);
  }
};

// A workbook of Excel, new or old, which is no text.
const isWorkbook = (text) => /^(?:PK\x03\x04|[ÐР][ÏП]\x11)/.test(text);

// What parts its columns: the commonest of these in the first line that has any.
const SEPARATORS = ["\t", ";", ","];
const signOf = (text) => {
  const head = text.split(/\r?\n/).find((line) => SEPARATORS.some((one) => line.includes(one))) ?? "";
  return SEPARATORS.reduce((best, one) => (head.split(one).length > head.split(best).length ? one : best));
};

// Its rows that are not blank, each with the line on which it begins.
const rowsOf = (text, sign = signOf(text)) => {
  const field = new RegExp(`("(?:[^"]|"")*"|[^${sign}\\r\\n]*)(${sign}|\\r\\n|\\r|\\n|$)`, "y");
  const rows = [];
  for (let line = 1, first = 1, from = 0, cells = []; field.lastIndex < text.length || cells.length;) {
    const [all, typed, end] = field.exec(text);
    const value = typed.startsWith('"') ? typed.slice(1, -1).replaceAll('""', '"') : typed;
    cells.push(value.replace(/\s+/g, " ").trim());
    line += (all.match(/\r\n|\r|\n/g) || []).length;
    if (end === sign) continue;
    if (cells.some(Boolean)) rows.push({ line: first, cells, text: text.slice(from, field.lastIndex).trim() });
    [cells, first, from] = [[], line, field.lastIndex];
  }
  return rows;
};

// What a column of games holds, by its heading.
const columnsBy = ({ game, player, sides }) => {
  const [gameWords, playerWords] = [game, player].map((table) => new Map(Object.entries(table)));
  return (text) => {
    const column = gameWords.get(text) ?? playerWords.get(text);
    if (column) return column;
    for (const [side, names] of Object.entries(sides)) {
      for (const word of names) {
        const rests = [text.startsWith(word) && text.slice(word.length),
          text.endsWith(word) && text.slice(0, -word.length)];
        for (const rest of rests) {
          const what = rest && rest.length > 1 && playerWords.get(rest);
          if (what) return what === "name" ? side : `${side} ${what}`;
        }
      }
    }
    const letter = ["a", "b"].indexOf(text.slice(-1));
    return letter >= 0 && playerWords.get(text.slice(0, -1)) === "points" ? `${["first", "second"][letter]} points` : "";
  };
};

// The columns of the two who play, the commonest first, and their places; one heading may stand twice.
const pairOf = (columns) => [["white", "black"], ["first", "second"], ["winner", "loser"]].find((both) =>
  both.every((column) => columns.includes(column)));
const placesOf = (columns, column) => columns.flatMap((one, at) => (one === column ? [at] : []));
const sidesOf = (columns) => pairOf(columns)?.map((column) => columns.indexOf(column))
  ?? ["first", "name"].map((column) => placesOf(columns, column)).find((both) => both.length === 2) ?? [];

// Where a head has the players of a table, by their places, and those of sides that have a column each:
// of sides `named` is the word for the last of them, and `partners` stand beside one who leads.
const seatsBy = (words, scores) => {
  const columnOf = columnsBy(words);
  const [SEVERAL, PLACE, PARTNER] = ["several", "place", "partner"].map((name) => new RegExp(`^(?:${scores[name]})$`));
  const ordinals = new Map(Object.entries(scores.ordinals)), OF_PLACE = new RegExp(scores.of_place);
  const placeOf = (text) => {
    const place = PLACE.exec(text), winner = columnOf(text) === "winner";
    return place ? Number(place[1] ?? place[2]) : winner ? 1 : ordinals.get(text) ?? ordinals.get(text.replace(OF_PLACE, "")) ?? 0;
  };
  return (texts) => {
    const order = [], several = [[], []], partners = [[], []], columns = texts.map(columnOf);
    let named = "";
    texts.forEach((text, at) => {
      const place = placeOf(text), one = SEVERAL.exec(text), partner = PARTNER.exec(text);
      // the winner's name may stand beside all places
      if (place && (columns[order[place]] ?? "winner") === "winner") order[place] = at;
      const word = one ? one[1] ?? columnOf(one[2]) : partner && (columnOf(partner[1]) || partner[1]);
      if (word) (one ? several : partners)[["1", "a", "а", "first", "winner"].includes(word) ? 0 : 1].push(at);
      if (one) named = word;
    });
    // two players beside the places have a game, and First and Second with a result may have one
    const pair = pairOf(columns) ?? [], game = pair.some((column) => !order.includes(columns.indexOf(column)))
      || (pair[0] === "first" && scores.beside_places.some((column) => columns.includes(column)));
    const gap = order.length > 3 && ![1, 2, 3].every((place) => place in order);
    return { seats: game || gap ? [] : order.filter((at) => at !== undefined), several, partners, named };
  };
};

// Whether what stands in place of a person says that it is nobody, and whether a cell is that of a row of sums.
const nobodyBy = (scores) => {
  const NAMELESS = new RegExp(`^(?:${scores.nameless})$`, "i");
  const only = (text, known) => Boolean(text.toLowerCase().match(/\p{L}+/gu)?.every((word) => known.includes(word)));
  return { nobody: (text) => NAMELESS.test(text) || only(text, scores.nobody), isTotal: (text) => only(text, scores.totals) };
};

const half = (text) => (/^[0-9]+([.,][0-9]+|½)?$|^½$/.test(text) ? Number(text.replace("½", ".5").replace(",", ".")) : NaN);

// What both sides have, where of sets it is how many each has won; and whether a game counts, as notes say.
const scoresBy = (scores) => {
  const CLOCK = new RegExp(`^(?:${scores.clock})$`), BESIDE = new RegExp(scores.beside, "g"), PAIR = new RegExp(scores.pair, "g");
  const noteOf = (text) => scores.notes[text.toLowerCase().replaceAll("ß", "ss").replace(/\P{L}/gu, "")];
  const scoreOf = (text) => {
    if (CLOCK.test(text)) return null;
    const bare = text.replace(BESIDE, " ").trim(), rest = bare.replace(PAIR, "").replace(/[ ,;/|]/g, "");
    const sets = [...bare.matchAll(PAIR)].map(([, one, two]) => [half(one), half(two)]);
    if (!sets.length || (rest && !["played", "forfeit"].includes(noteOf(rest)))) return null;
    return sets.length === 1 ? sets[0] : [1, -1].map((way) => sets.filter(([one, two]) => way * (one - two) > 0).length);
  };
  // "forfeit", "broken" off, "off" where it has no result, or nothing; a winner who is named has won
  const endOf = (text, status, both, named) => {
    const rest = text.replace(PAIR, ""), [beside, note] = [rest, status].map(noteOf);
    const [none, off] = [text, status].map((one) => scores.unplayed.includes(squeezed(one))), [one, two] = both ?? [];
    if ([beside, note].includes("forfeit") && (!both || one !== two)) return "forfeit";
    if (beside === "broken" && rest !== text) return "broken";
    return (none && !named) || (off && ((one === 0 && two === 0) || (note === "broken" && !named))) ? "off" : "";
  };
  return { scoreOf, endOf };
};

const RANK = /^[=tT ]*([-−–]?[0-9]+(?:[.,][0-9]+)?)(?:[.ºeo]| ?\p{L}{2,}\.?)?[ =]*$/u;
const rankOf = (text) => Number(RANK.exec(text ?? "")?.[1].replace(/[−–]/, "-").replace(",", "."));
/** Whether some, with these places of one table, may be those of several: 1, 1, 2, 2, but not 1, 1, 3, 3. */
const unsure = (ranks) => ranks.sort((one, two) => one - two).some((rank, at) => rank !== ranks[at - 1] && at && rank < at + 1);

// Rows of games as people lay them out, in the one way in which pages read them: two sides in one cell are parted;
// the players of a table who have a line or a column each come behind the cells, in their order.
const laidBy = (words, scores) => {
  const columnOf = columnsBy(words), seatsOf = seatsBy(words, scores), TOP = 60, SIDES = ["Side 1", "Side 2"];
  const [VERSUS, IN_GAME, LINE] = [scores.versus, scores.in_game, scores.line].map((one) => new RegExp(one, "i"));
  const { nobody, isTotal } = nobodyBy(scores), absent = (text) => !text || /^-+$/.test(text) || nobody(text);

  function apart(rows, at, columns) {
    const told = ["result", "scores", "outcome", "winner", "first points"].some((column) => columns.includes(column));
    // beside a player a game may be Catan - Seafarers
    const of = (column) => (column === "table" && !columns.includes("name") && !columns.includes("first") ? IN_GAME : VERSUS);
    const place = columns.findIndex((column, n) => {
      const texts = rows.slice(at + 1, TOP).map(({ cells }) => cells[n]).filter(Boolean);
      return told && texts.length && texts.every((text) => text.split(of(column)).length === 2);
    });
    return place < 0 ? null : rows.map((row, n) => {
      const text = row.cells[place] ?? "", parts = n === at ? SIDES : text.split(of(columns[place]));
      const cells = columns.map((_, n) => row.cells[n] ?? "");
      [cells[place], cells[columns.length]] = parts.length === 2 ? parts : [text, ""];
      return n < at ? row : { ...row, cells };
    });
  }

  // with a sign of equality before one who shares a place
  const seated = (rows, at, used, tables, wrong, told = () => true) => {
    const fits = (table) => told(table) && !table.ranked.some(([value]) => Number.isNaN(value));
    const { cells } = rows[at], most = Math.max(2, ...tables.map(({ ranked }) => ranked.length));
    const head = { ...rows[at], used, seats: Array.from({ length: most }, (_, seat) => cells.length + seat) };
    tables.filter((table) => !fits(table)).forEach(wrong);
    return [...rows.slice(0, at), head, ...tables.filter(fits).map(({ ranked, ...row }) => ({ ...row, cells: [
      ...cells.map((_, n) => row.cells[n] ?? ""),
      ...ranked.sort(([one], [two]) => one - two).map(([value, name], n) => (value === ranked[n - 1]?.[0] ? `=${name}` : name)),
    ] }))];
  };

  function byLines(rows, at, columns, wrong) {
    const of = (...keys) => columns.findIndex((key) => keys.includes(key)), who = of("first", "name");
    const [place, numbered] = [of("rank"), of("table")], how = place < 0 ? of("points", "result") : place;
    const keys = [numbered, of("round"), of("date")].filter((key) => key >= 0);
    if (who < 0 || how < 0 || !keys.length || of("second", "loser", "rating") >= 0) return null;
    const groups = new Map();
    for (const row of rows.slice(at + 1)) {
      const key = keys.map((one) => row.cells[one]).join("\n"), one = [(place < 0 ? -1 : 1) * rankOf(row.cells[how]), row.cells[who]];
      if (groups.has(key)) groups.get(key).ranked.push(one);
      else groups.set(key, { ...row, ranked: [one] });
    }
    return seated(rows, at, [who, how, ...keys], [...groups.values()], wrong, ({ ranked }) => ranked.every(([, name]) => name)
      && new Set(ranked.map(([, name]) => name)).size === ranked.length
      && (place < 0 || numbered >= 0 || !unsure(ranked.map(([value]) => value))));
  }

  function byColumns(rows, at, columns, wrong) {
    const { cells } = rows[at], known = ["date", "table", "round", "number", "status", ...scores.beside_places];
    const people = columns.flatMap((column, n) => (column || nobody(cells[n]) ? [] : [n]));
    const odd = (text) => !text || /^[0-9]+$/.test(text) || scores.drawn.includes(text.replace(/s$/, "")) || (text !== "bo" && words.ignored.includes(text));
    if (people.length < 3 || columns.some((column, n) => (column ? !known.includes(column) : odd(plain(cells[n]))))) return null;
    const counts = (row) => !row.cells.some((cell, n) => !people.includes(n) && isTotal(cell));
    const tables = rows.slice(at + 1).map((row) => ({ ...row, ranked: people.filter((n) => counts(row) && !absent(row.cells[n]))
      .map((n) => [rankOf(row.cells[n]), cells[n]]) }));
    const seen = tables.slice(0, TOP).map(({ ranked }) => ranked.map(([value]) => value)).filter((values) => values.length);
    if (!seen.length || seen.some((values) => values.length < 2 || values.some(Number.isNaN))) return null;
    // a place may be missing, and 1, 2 in a line may be points
    const ordered = seen.filter((values) => values.every((n) => n === 1 + values.filter((m) => m < n).length));
    if (2 * ordered.length <= seen.length) tables.forEach(({ ranked }) => ranked.forEach((one) => { one[0] *= -1; }));
    return seated(rows, at, people, tables, wrong);
  }

  return (rows, tables, wrong) => {
    const heads = rows.slice(0, 10).map(({ cells }) => cells.map((cell) => columnOf(plain(cell))));
    const made = (make) => heads.reduce((found, columns, at) => found ?? make(rows, at, columns, wrong), null);
    if (heads.some((columns, at) => sidesOf(columns).length || seatsOf(rows[at].cells.map(plain)).seats.length > 1)) return rows;
    const lines = rows.map((row) => ({ ...row, cells: LINE.exec(row.cells.join(" "))?.slice(1) ?? row.cells }));
    if (rows.length && lines.slice(0, TOP).every(({ cells }, at) => cells !== rows[at].cells)) return [{ line: 0, cells: [...SIDES, "Result"] }, ...lines];
    return made(apart) ?? (tables ? made(byLines) ?? made(byColumns) : null) ?? rows;
  };
};

// The days of a column, as 2026-12-31, with the month first and with the day first: nobody can tell
// which it is where both orders give the same number of days, but not the same days.
const ORDERS = ["mdy", "dmy"];
const DATE = /^([0-9]{1,4})([./-]) ?([0-9]{1,2})[./-] ?([0-9]{1,4})(?![0-9])/;
function daysOf(texts, wanted) {
  // in cells without the format of dates a spreadsheet shows the days since the end of 1899
  texts = texts.map((text) => (/^[2-5][0-9]{4}([.,][0-9]+)?$/.test(text)
    ? new Date((parseInt(text, 10) - 25569) * 864e5).toISOString().slice(0, 10) : text));
  const ways = ORDERS.map((order) => texts.map((text) => {
    const [, a, sign, b, c] = DATE.exec(text.replace(/^([12][0-9]{3})([01][0-9])([0-3][0-9])$/, "$1-$2-$3")) ?? [];
    // nobody writes the month first and then a point
    const [y, m, d] = a?.length === 4 ? [a, b, c] : order === "mdy" && sign !== "." ? [c, a, b] : [c, b, a];
    const year = y?.length === 2 ? `20${y}` : y ?? "";
    const day = new Date(`${year}-${m?.padStart(2, "0")}-${d?.padStart(2, "0")}T00:00Z`);
    return year.length === 4 && day.getUTCDate() === Number(d) ? day.toISOString().slice(0, 10) : "";
  }));
  const [mdy, dmy] = ways.map((days) => days.filter(Boolean).length);
  const open = mdy === dmy ? texts.findIndex((_, at) => ways[0][at] !== ways[1][at]) : -1;
  if (open < 0) return { days: ways[+(dmy > mdy)] };
  const order = ORDERS.indexOf(wanted);
  return { days: ways[order] ?? [], open: { at: open, date: texts[open].split(" ")[0], days: ways.map((days) => days[open]) } };
}

// The columns of the days of games, with what stands there: a form says in any language when it was sent.
function datesOf(columns, lines) {
  const said = columns.flatMap((column, at) => (column === "date" ? [at] : []));
  const stamped = columns.findIndex((column, at) => !column && lines.length
    && lines.every(({ cells }) => DATE.test(cells[at]) && / [0-9]{1,2}:[0-9]{2}/.test(cells[at])));
  const dates = said.length ? said : [stamped];
  return { dates, texts: lines.map(({ cells }) => dates.map((at) => cells[at]).findLast(Boolean) ?? "") };
}
