const data = JSON.parse(document.getElementById("data").textContent);
const { books, signs, report, prefixes } = data;
const shown = (key) => document.getElementById(key);
let language = "";
const told = (key, places = {}) => Object.entries(places)
  .reduce((text, [name, value]) => text.replace(`{${name}}`, () => value), data.say[language][`fill.${key}`]);

// -- what a file says: players with their lines, rounds of pairings, what is not understood

const whole = (text) => (/^[0-9]+$/.test(text) ? Number(text) : null);
const typed = (text) => whole(text ?? "") ?? text;
const yearIn = (text) => whole((/(?:18|19|20)[0-9]{2}/.exec(text) || [])[0] ?? "") ?? text;
const cut = (line, [first, last]) => line.slice(first - 1, last).trim();

const blank = () => ({ singles: {}, said: {}, players: [], rounds: [], pairs: [], days: [], unread: [], left: [] });

function readReport(lines) {
  const event = blank();
  const byNumber = new Map();
  const dates = {};
  const problem = (player, key, places) =>
    event.unread.push({ line: player.line, text: player.text, why: told(key, places) });
  lines.forEach((text, at) => {
    const line = at + 1, code = text.slice(0, 3), name = report.records[code], rest = text.slice(3).trim();
    if (!text.trim()) return;
    if (code === "001") {
      const player = { line, text, cells: [] };
      const gaps = [...report.gaps];
      for (let start = report.rounds; start <= text.length; start += 10) {
        gaps.push(...report.round_gaps.map((gap) => start + gap));
        const [opponent, colour, result] = [[start, start + 3], [start + 5, start + 5], [start + 7, start + 7]]
          .map((columns) => cut(text, columns));
        player.cells.push({ opponent: whole(opponent) || 0, colour, result: result.toUpperCase() });
      }
      for (const [key, columns] of Object.entries(report.columns)) player[key] = cut(text, columns);
      const number = whole(cut(text, report.number));
      if (gaps.some((gap) => (text[gap - 1] ?? " ").trim())) problem(player, "shifted");
      else if (!number) problem(player, "no_number");
      else if (byNumber.has(number)) problem(player, "twice");
      else if (!player.name) problem(player, "no_name");
      else byNumber.set(number, player);
    } else if (code === report.dates) {
      event.said.days = { line, text };
      event.days = (text.slice(report.rounds - 1).match(/.{1,10}/g) || []).map((day) => day.trim().replace(/^(?=[0-9]{2}\/)/, "20"));
    } else if (!name) event.left.push({ line, text });
    else {
      event.said[name] = { line, text };
      (name === "first" || name === "last" ? dates : event.singles)[name] = rest;
    }
  });
  const day = (text) => text.replaceAll("/", "-");
  if (dates.first || dates.last) {
    event.singles.Dates = [...new Set(Object.values(dates))].map(day).join(" – ");
    event.singles.List_year = yearIn(dates.first ?? dates.last);
  }
  const numbers = [...byNumber.keys()].sort((one, two) => one - two);
  event.players = numbers.map((number) => byNumber.get(number));
  const place = new Map(numbers.map((number, at) => [number, at + 1]));
  const rounds = Math.max(0, ...event.players.map((player) => player.cells.length));
  for (let round = 1; round <= rounds; round++) {
    const lines = [];
    for (const [at, player] of event.players.entries()) {
      const { opponent, colour, result } = player.cells[round - 1] ?? { opponent: 0, result: "" };
      if (!opponent) {
        const sign = signs[`${report.alone[result] ?? result} `];
        if (result && !sign) problem(player, "no_result", { round, result });
        else if (result && report.alone[result] !== "Z" && result !== "Z") lines.push({ white: at + 1, sign });
        continue;
      }
      const other = byNumber.get(opponent);
      const theirs = other?.cells[round - 1] ?? { opponent: 0, result: "" };
      if (!other || other === player) problem(player, "no_opponent", { round, opponent });
      else if (place.get(theirs.opponent) !== at + 1) problem(player, "otherwise", { round, opponent });
      else if (place.get(opponent) > at + 1) {
        const black = colour === "b" || (colour !== "w" && theirs.colour === "w");
        const pair = [{ at: at + 1, result }, { at: place.get(opponent), result: theirs.result }];
        const [one, two] = black ? pair.reverse() : pair;
        const sign = one.result || two.result ? signs[`${one.result} ${two.result}`] : "";
        if (sign === undefined) problem(player, "no_result", { round, result: `${one.result}:${two.result}` });
        else lines.push({ white: one.at, black: two.at, sign, from: player });
      }
    }
    event.rounds.push(lines);
  }
  while (event.rounds.length && !event.rounds.at(-1).length) event.rounds.pop();
  for (const player of event.players) {
    if (player.rating === "0") player.rating = "";
    player.birth = String(yearIn(player.birth));
  }
  return event;
}

const NUMBER = new RegExp(`^(?:${data.bare[0]})$`), BEHIND = new RegExp(data.bare[1]), LONGEST = data.bare[2];
const isNumber = (text) => NUMBER.test(text ?? "");

/** The name and the rating in a cell, or the cell; only its end is looked at, as a pattern for all of it is slow. */
function behind(cell) {
  const match = BEHIND.exec(cell.slice(-LONGEST)), name = match ? cell.slice(0, match.index + Math.max(0, cell.length - LONGEST)).trim() : "";
  return /\p{L}/u.test(name) ? [name, match[1]] : [cell];
}

/** A line without headings: a name, in two columns or not, a rating if there is one number, the rest. */
function bare(cells, joined) {
  if (!cells.some(isNumber)) cells = cells.flatMap(behind);
  const at = cells.findIndex(isNumber), end = at < 0 ? cells.length : at;
  const [first = "", ...others] = cells.slice(0, end).filter(Boolean);
  const federation = /^[A-Z]{3}$/.test(others[0]) && /\p{Ll}/u.test(first);
  const name = [first, ...others.splice(0, joined && !federation ? 1 : 0)].join(", ");
  // of two numbers nobody knows which is the rating and which the year of birth
  const alone = cells.filter(isNumber).length === 1;
  return [name, alone ? cells[end] : "", ...others, ...cells.slice(end + alone)].filter((cell, place) => cell || place < 2);
}

/** Rows without headings, as names and ratings; what is above them goes to the event's lists. */
function bareRows(text, sign, event) {
  let rows = rowsOf(text, sign);
  const [top, ...below] = rows, others = (holds) => below.length > 0 && below.every(({ cells }) => holds(cells));
  if (sign !== "," && rows.length > 2 && top.cells.length === 1 && others((cells) => cells.length > 1)) event.left.push(...rows.splice(0, 1));
  else if (top?.cells.some((cell, at) => /\p{L}/u.test(cell) && others((cells) => /^[0-9.]+$/.test(cells[at])))) {
    event.unread.push({ ...rows.shift(), why: told("no_names") });
  } else if (rows.length === 1 && top.cells.length > 3 && !/[0-9]/.test(text)) {
    rows = top.cells.filter(Boolean).map((cell) => ({ line: top.line, cells: [cell], text: cell }));
  }
  // not the 1 of a team called 1. FC
  const counts = (some) => some.length > 1 && some.every(({ cells }, at) => /^([0-9]+)(?:[.)]|\s|$)/.exec(cells[0])?.[1] === String(at + 1));
  // what is above numbers, or above a blank line that is the only one, is nobody's name
  const apart = rows.length > 3 && rows.every(({ line }, at) => line - rows[0].line === at + (at > 0));
  if (apart || counts(rows.slice(1))) event.left.push(rows.shift());
  const numbered = counts(rows);
  event.numbered = numbered;
  for (const row of rows) {
    if (numbered) row.cells[0] = row.cells[0].replace(/^[0-9]+[.)]?\s*/, "");
    else if (row.cells.length > 2 && /^[0-9]{1,3}$/.test(row.cells[0])) row.cells.shift();
    row.cells = row.cells.filter((cell, at) => at || cell);
    row.cells[0] = (row.cells[0] ?? "").replace(/^[•*–-]\s+/, "");
  }
  const whole = rows.filter(({ cells }) => /[\s,]/.test(cells[0])).length * 2 > rows.length;
  for (const row of rows) row.cells = bare(row.cells, !whole || (sign === "," && text.includes(", ")));
  return rows;
}

/** What columns hold: each once; beside a given name the name is the last one, and the other way round. */
function keysOf({ cells }, headings) {
  const keys = cells.map((heading) => headings[plain(heading)] ?? "").map((key, at, all) => (all.indexOf(key) === at ? key : ""));
  const national = keys.includes("rating") ? -1 : cells.findIndex((heading, at) => !keys[at] && data.national.includes(plain(heading)));
  if (national >= 0) keys[national] = "rating";
  const [last, given] = ["last", "given"].map((key) => keys.includes(key));
  return keys.map((key) => (key === "name" && last !== given ? (last ? "given" : "last") : key));
}

const FORMS = data.ratings[0].map((form) => new RegExp(`^(?:${form})$`, "i"));
const ratingIn = (text) => (/^(?:0|[-–])$/.test(text) || data.ratings[1].includes(text.toLowerCase()) ? ""
  : FORMS.map((form) => form.exec(text)?.[1]).find(Boolean) ?? text);

function readNames(text, headings) {
  const event = blank();
  const aligned = text.split("\n").filter((line) => /\S {2,}\S/.test(line)).length;
  if (!/[\t;]/.test(text) && aligned * 2 > text.trim().split("\n").length) text = text.replace(/(?<=\S) {2,}(?=\S)/g, "\t");
  const sign = signOf(text), all = rowsOf(text, sign);
  const at = all.slice(0, 10).map((row) => keysOf(row, headings)).findIndex((keys, place) =>
    (keys.includes("name") || keys.includes("last")) && keys.filter(Boolean).length > Math.min(place, 1));
  const top = all[at], keys = top ? keysOf(top, headings) : ["name", "rating"];
  const rated = top?.cells[keys.indexOf("rating")];
  if (data.national.includes(plain(rated ?? ""))) event.national = rated;
  event.left.push(...all.slice(0, Math.max(at, 0)));
  const rows = top ? all.slice(at + 1) : bareRows(text, SEPARATORS.find((one) => text.includes(one)) ?? sign, event);
  for (const { line, cells, text: said } of rows) {
    const player = { line, text: said };
    while (cells.length > keys.length && !cells.at(-1)) cells.pop();
    // Last, First in a file that commas part
    const extra = top && sign === "," ? cells.length - keys.length : 0, name = keys.indexOf("name");
    if (extra > 0 && name >= 0) cells.splice(name, extra + 1, cells.slice(name, name + extra + 1).join(", "));
    keys.forEach((key, at) => { player[key] ??= cells[at] ?? ""; });
    const given = [player.given, player.patronymic].filter(Boolean).join(" ");
    player.name ||= [player.last, given].filter(Boolean).join(", ");
    player.birth = String(yearIn(player.birth ?? ""));
    const rating = ratingIn(player.rating ?? "");
    // FIDE writes nothing behind a rating, as in 1873 - 45
    if (rating && rating !== player.rating) event.national = rated;
    player.rating = rating;
    if (player.name) event.players.push(player);
    else event.unread.push({ line, text: said, why: told("no_name") });
    if (cells.length > keys.length) event.left.push({ line, text: cells.slice(keys.length).join(sign) });
  }
  const numbers = top ? [] : event.players.map(({ rating }) => rating).filter(Boolean);
  if (numbers.every((rating) => rating > 1919 && rating <= new Date().getFullYear())) event.years = numbers.join(" · ");
  if (!top && event.left.some(({ cells }) => !cells)) event.left.push(told("bare"));
  // numbers are an order of the organizer's own
  event.listed = !event.numbered && !keys.includes("number");
  event.columns = top && { line: top.line, names: top.cells, keys };
  return event;
}

const columnOfGames = columnsBy(data.words), seatsOf = seatsBy(data.words, data.scores), { scoreOf, endOf } = scoresBy(data.scores);
const laid = laidBy(data.words, data.scores), { nobody } = nobodyBy(data.scores);
const BETWEEN = new RegExp(data.between, "iu");
const POINTS = /^([0-9.,½]+) ?[-–:] ?([0-9.,½]+)$/;
const SHARED = /^[= ]+|[= ]+$/g;

/**
 * A table of games, if its headings name two sides, or the places at a table: their players, in the
 * order in which they come, and the games. Where a book rates those who play together, each of them is a player.
 */
function readGames(text, sided) {
  const event = blank(), all = laid(rowsOf(text), sided, (row) => event.unread.push({ ...row, why: told("one_table") }));
  for (const [at, { line: top, cells: head, ...given }] of all.slice(0, 10).entries()) {
    const heads = head.map(plain), columns = heads.map(columnOfGames), of = (...keys) => columns.findIndex((key) => keys.includes(key));
    const { seats, several, partners, named, used: before } = { ...seatsOf(heads), used: [], ...given };
    const rows = all.slice(at + 1), tables = Boolean(given.seats) || seats.length > 2;
    const together = several.every((one) => one.length > 1);
    const pair = tables || together ? [named] : pairOf(columns);
    if (!pair) continue;
    const places = new Map();
    const sides = tables ? seats.map((seat) => [seat]) : together ? several : pair.map((key, side) => [of(key), ...partners[side]]);
    const goals = [of("first points"), of("second points")];
    const won = ["winner", "loser"].includes(pair[0]), chess = pair[0] === "white";
    const round = of("round"), result = chess || of("result", "scores") >= 0 ? of("result", "scores") : of("points");
    const { dates, texts } = datesOf(columns, rows), { days, open } = daysOf(texts);
    if (open) event.unread.push({ ...rows[open.at], why: told("which_day") });
    event.left.push(...all.slice(0, at));
    for (const [game, { line, cells, text: said }] of rows.entries()) {
      const names = sides.map((places) => places.map((place) => cells[place] ?? "").filter(Boolean));
      while (tables && names.length && !names.at(-1).length) names.pop();
      const ranks = [];
      for (const [place, side] of tables ? names.entries() : []) {
        const [name = ""] = side;
        ranks.push(place && /^=|=$/.test(name) ? ranks.at(-1) : place + 1);
        side[0] = name.replace(SHARED, "");
      }
      if (names.length < 2 || !names.every(([name]) => name) || names.flat().some(nobody)) {
        event.unread.push({ line, text: said, why: told("no_name") });
        continue;
      }
      const seated = names.map((side) => (sided ? side.flatMap((name) => name.split(BETWEEN)) : [side.join(" & ")]).map((name) => {
        if (!places.has(name)) places.set(name, event.players.push({ line, text: said, name }));
        return places.get(name);
      }));
      const typedResult = cells[result] ?? "";
      const points = !goals.includes(-1) ? goals.map((goal) => cells[goal] ?? "")
        : POINTS.exec(typedResult)?.slice(1) ?? (chess ? null : scoreOf(typedResult))?.map(String) ?? [];
      // beside the winner's name a score may begin with either side's
      if (won) points.sort((one, two) => half(two) - half(one));
      const [one, two] = points.map(half), tie = won && !(one !== two) && data.scores.yes.includes(squeezed(cells[of("drawn")] ?? ""));
      const end = endOf(typedResult, cells[of("status")] ?? "", points.length ? [one, two] : null, won || of("winner") >= 0);
      const played = one >= 0 && two >= 0 ? (one > two ? "1" : one < two ? "0" : "½") : points.some(Boolean) ? points.join(":") : won ? "1" : typedResult;
      const sign = end === "off" ? "" : end === "forfeit" ? { 1: signs["+ -"], 0: signs["- +"] }[played] ?? played : tie ? "½" : played;
      const number = whole(cells[round] ?? "") || 0, [[white], [black]] = seated;
      (event.rounds[Math.max(number, 1) - 1] ??= []).push({ white, black, seated, ranks, sign, points: sign === played ? points : [], day: days[game] || texts[game], number, from: { line, text: said } });
    }
    event.rounds = Array.from(event.rounds, (lines) => lines ?? []);
    event.unnumbered = round < 0;
    const used = [...before, ...sides.flat(), ...goals, result, round, of("drawn"), ...dates];
    event.columns = { line: top, names: head.filter((_, column) => !used.includes(column)), keys: [] };
    return event;
  }
  return null;
}

// -- what goes into the cells of a book

const serial = (text) => {
  const [day] = daysOf([text]).days;
  return day ? Date.parse(day) / 864e5 + 25569 : text;
};

const texts = new Set(["name", "title", "federation", "fide_id", "id", "club", "category"]);

/** What a column of players is called in a book that has a rating for each kind of play, or of each list. */
const otherwise = { rating: ["standard", "r1"], games: ["standard_games"], peak: ["standard_peak"], fide_id: ["id"], id: ["fide_id"] };
const columnOf = ({ columns }, key) => [key, ...(otherwise[key] ?? [])].find((one) => one in columns);

/** The cells of a book by sheet, or null where it has no room; notes are told what they lack. */
function cellsOf(book, event, notes) {
  const { tables, singles, people } = book;
  const cells = {};
  const put = ({ sheet }, cell, value) => {
    if (value !== "" && value !== undefined) (cells[sheet] ??= {})[cell] = value;
  };
  const row = (table, at, values) => {
    for (const [key, value] of Object.entries(values)) {
      if (key in table.columns) put(table, `${table.columns[key]}${table.first + at}`, value);
    }
  };
  const kind = book.games?.kind, played = tables[book.games?.table];
  const all = event.rounds.flatMap((lines, round) =>
    lines.filter((line) => line.black).map((line) => ({ ...line, round })));
  // an order of finish is no game of two
  const games = all.filter(({ ranks }) => !ranks?.length === !("n1" in (played?.columns ?? {})));
  const goals = book.games?.points ?? [];
  const named = kind === "named" && ("result" in played.columns || (goals.length > 0 && games.every(({ points }) => points)));
  if (event.players.length > (tables[people]?.rows ?? Infinity)) return null;
  if ((named || kind === "sides") && games.length > played.rows) return null;
  for (const [name, value] of Object.entries(event.singles)) {
    if (name in singles) put(singles[name], singles[name].cell, value);
    else if (name in event.said) notes.push(event.said[name]);
  }
  if (singles.List_year && !event.rounds.length && event.players.some(({ birth }) => whole(birth ?? ""))) {
    const year = new Date().getFullYear();
    put(singles.List_year, singles.List_year.cell, year);
    event.year = year;
  }
  const days = [...("Dates" in singles ? [] : ["first", "last"]), ...(named ? [] : ["days"])];
  notes.push(...days.map((name) => event.said[name]).filter(Boolean));
  if (event.players.length && !people) notes.push(told("no_list"));
  for (const [at, player] of people ? event.players.entries() : []) {
    for (const [key, value] of Object.entries(player)) {
      const column = columnOf(tables[people], key);
      if (column) row(tables[people], at, { [column]: texts.has(column) ? value : typed(value) });
    }
  }
  if (kind === "rounds" && !event.unnumbered && games.length === all.length) {
    if (event.rounds.length * played.group > played.rows) return null;
    for (const [round, lines] of [...event.rounds, event.pairs].entries()) {
      if (lines.length > played.group) return null;
      lines.forEach(({ white, black, sign }, at) =>
        row(played, round * played.group + at, { white, black, result: typed(sign) }));
    }
  } else if (named) {
    const [first, second] = book.games.sides.every((side) => side in played.columns) ? book.games.sides : ["white", "black"];
    games.forEach(({ white, black, sign, round, points = [], day, number, from }, at) => {
      row(played, at, {
        date: serial(day ?? event.days[round] ?? ""), event: event.singles.Event, round: (number ?? round + 1) || "",
        [first]: event.players[white - 1].name, [second]: event.players[black - 1].name,
        result: typed(points.length && !book.games.coloured && points.every(Boolean) ? points.join(":") : sign),
        ...Object.fromEntries(goals.map((key, side) => [key, typed(points[side] ?? "")])),
      });
      if (goals.length && sign && !points.length) notes.push(from);
    });
  } else if (kind === "sides") {
    games.forEach(({ seated: sides, white, black, ranks = [], points = [], sign, day, round, from }, at) => {
      const names = (sides ?? [[white], [black]]).map((side) => side.map((number) => event.players[number - 1].name));
      const cells = ranks.length ? names.flatMap(([name], seat) => [[`n${seat + 1}`, name], [`p${seat + 1}`, ranks[seat]]])
        : [["first", "second"], ["third", "fourth"]].flatMap((keys, side) => names[side].map((name, seat) => [keys[seat], name]));
      const both = points.length ? points : { 1: [1, 0], 0: [0, 1], "½": [1, 1] }[sign] ?? [];
      if (!cells.every(([key]) => key in played.columns) || (sign && !both.length)) notes.push(from);
      row(played, at, { date: serial(day ?? event.days[round] ?? ""), ...Object.fromEntries(cells), ours: typed(both[0]), theirs: typed(both[1]) });
    });
  } else if (kind === "cross") {
    const met = new Set();
    for (const { white, black, sign, round, from } of games) {
      const [low, high] = [Math.min(white, black), Math.max(white, black)];
      if (met.has(`${low} ${high}`)) {
        const why = told("met_before", { round: round + 1, opponent: event.players[high - 1].name });
        notes.push(`${told("line", { line: from.line })}: ${why}`);
        continue;
      }
      met.add(`${low} ${high}`);
      const mirrored = Object.fromEntries(Object.entries(signs).map(([codes, one]) =>
        [one, signs[codes.split(" ").reverse().join(" ")]]));
      row(played, low - 1, { [`v${high}`]: typed(white === low ? sign : mirrored[sign]) });
    }
    if (games.length) notes.push(told("berger"));
  } else if (games.length) notes.push(told(kind === "rounds" ? "no_rounds" : "no_games"));
  if (games.length < all.length) notes.push(told("no_games"));
  if (kind !== "rounds" && all.length < event.rounds.flat().length) notes.push(told("single_byes"));
  if (event.columns && people) {
    event.columns.names.forEach((column, at) => {
      const key = event.columns.keys[at];
      if (column && !columnOf(tables[people], key) && !["last", "given", "patronymic", "number"].includes(key)) {
        notes.push(`${told("line", { line: event.columns.line })}: ${told("no_column", { column })}`);
      }
    });
  }
  return cells;
}

// -- a workbook: the parts of a book, written from what is packed, with its entries, in a zip file

const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
const unpacked = async (packed) => JSON.parse(new TextDecoder().decode(await through(
  Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"))));
const kept = {};
const once = (key, make) => (kept[key] ??= make());
const allPieces = () => once("", async () => (await unpacked(data.pieces)).map((piece) => piece.split("\ue000")));

/** The runs of a part, written out: in each row the numbers in the gaps grow by their steps. */
function written(runs, pieces) {
  const out = [];
  for (const run of runs.split("*").slice(1)) {
    const [count, ...lines] = run.split("\n");
    let row = null;
    const texts = [], gaps = [];
    for (const line of lines) {
      const [number, codes] = line.split(" ");
      const [first, ...others] = pieces[parseInt(number, 36)];
      texts.push(texts.length ? texts.pop() + first : first, ...others);
      for (const code of codes ? codes.split(",") : []) {
        const [start, step = 0] = code.startsWith("r") ? [row[0] + Number(code.slice(1)), row[1]] : code.split("/").map(Number);
        gaps.push([start, step]);
        row ??= [start, step];
      }
    }
    for (let at = 0; at < Number(count); at++) {
      out.push(texts[0]);
      gaps.forEach(([start, step], gap) => out.push(start + at * step, texts[gap + 1]));
    }
  }
  return out.join("");
}

/** A document of a book, in one of its sizes and the language of the page. */
async function documents(name) {
  const parts = await once(name, () => unpacked(books[name].packed)), pieces = await allPieces();
  const spoken = Object.keys(books[name].title);
  return (size) => {
    const at = size * spoken.length + spoken.indexOf(spokenIn(name));
    const texts = Object.entries(parts).map(([part, all]) => [part, Number.isInteger(all[at]) ? all[all[at]] : all[at]]);
    return new Map(texts.filter(([, runs]) => runs != null).map(([part, runs]) => [part, () => written(runs, pieces)]));
  };
}
const spokenIn = (name) => (language in books[name].title ? language : Object.keys(books[name].title)[0]);

const crcTable = Uint32Array.from({ length: 256 }, (_, number) => {
  for (let bit = 0; bit < 8; bit++) number = number & 1 ? 0xedb88320 ^ (number >>> 1) : number >>> 1;
  return number;
});
const checksum = (bytes) =>
  (bytes.reduce((sum, byte) => crcTable[(sum ^ byte) & 255] ^ (sum >>> 8), -1) ^ -1) >>> 0;

const escaped = (text) => String(text).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
  .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_").replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
const cellOf = (name, style, value) => (typeof value === "number"
  ? `<c r="${name}"${style}><v>${value}</v></c>`
  : `<c r="${name}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`);

// A text that looks like a formula stays a text, even if somebody edits its cell.
const styleOf = (book, style, value) => (prefixes.includes(String(value).charAt(0)) && typeof value === "string"
  ? style.replace(/[0-9]+/, (number) => book.prefixed[number]) : style);

async function workbook(made, book, cells) {
  const filled = Object.fromEntries(Object.entries(cells).map(([sheet, values]) => [book.sheets[sheet], values]));
  const parts = await Promise.all([...made].map(async ([name, write]) => {
    const waiting = new Set(Object.keys(filled[name] ?? {}));
    const text = waiting.size ? write().replace(/<c r="([A-Z]+[0-9]+)"((?: s="[0-9]+")?)[^>]*?(?:\/>|>.*?<\/c>)/gs, (all, cell, style) =>
      (waiting.delete(cell) ? cellOf(cell, styleOf(book, style, filled[name][cell]), filled[name][cell]) : all)) : write();
    if (waiting.size) throw new Error(`${name} has no cells ${[...waiting].join(", ")}`);
    const bytes = new TextEncoder().encode(text);
    return { name, length: bytes.length, crc: checksum(bytes), content: await through(bytes, new CompressionStream("deflate-raw")) };
  }));
  const ends = [], pieces = [];
  let offset = 0;
  for (const { name, length, crc, content } of parts) {
    const letters = new TextEncoder().encode(name);
    // version 2.0, names in UTF-8, deflated, 1 January 1980
    const common = [20, 0, 0, 8, 8, 0, 0, 0, 33, 0].concat(
      ...[crc, content.length, length].map(four), two(letters.length), two(0));
    const header = Uint8Array.from([...four(0x04034b50), ...common, ...letters]);
    ends.push(Uint8Array.from([...four(0x02014b50), 20, 0, ...common, ...Array(10).fill(0), ...four(offset), ...letters]));
    pieces.push(header, content);
    offset += header.length + content.length;
  }
  const size = ends.reduce((sum, end) => sum + end.length, 0);
  const last = Uint8Array.from([...four(0x06054b50), 0, 0, 0, 0, ...two(parts.length), ...two(parts.length),
    ...four(size), ...four(offset), 0, 0]);
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  return new Blob([...pieces, ...ends, last], { type });
}
function two(number) { return [number & 255, (number >>> 8) & 255]; }
function four(number) { return [...two(number), ...two(number >>> 16)]; }

// -- the page

const made = (tag, text, more = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), { textContent: text }, more);
  element.append(...inside);
  return element;
};
const outcome = shown("outcome");
let address = "", file = "";

function list(title, items) {
  if (!items.length) return [];
  const lines = made("ul", "");
  for (const item of items) {
    const entry = made("li", typeof item === "string" ? item
      : told("line", { line: item.line }) + (item.why ? `: ${item.why} ` : " "));
    if (item.text) entry.append(made("code", item.text));
    lines.append(entry);
  }
  return [made("h2", title), lines];
}

/** What to do where the page has no book that is large enough. */
function larger(name, { players, rounds }) {
  const words = ["elo-xl new", name];
  for (const [at, [option, number]] of [["--players", players], ["--rounds", rounds]].entries()) {
    if (number > (books[name].most[at] ?? 0)) return told("beyond", { command: "elo-xl rate" });
    if (number) words.push(option, number);
  }
  if (language !== "en") words.push("--lang", spokenIn(name));
  return told("larger", { command: [...words, "-o", `${name}.xlsx`].join(" ") });
}

/** How many a book is for, or nothing where that is no question. */
const room = (key, { asks }, [players, rounds]) =>
  (players ? told(key, { size: told(asks ? "size_rounds" : "size_players", { players, rounds }) }) : "");

/** What has been found, without what is missing. */
const found = (counts) => told("found", counts).split(" · ").filter((part) => !part.endsWith(" 0")).join(" · ");

/** Players by their ratings, as a Swiss numbers them; whether they came in another order. */
function sortPlayers(event) {
  const before = event.players, ratingOf = ({ rating }) => whole(rating ?? "") ?? 0;
  event.players = [...before].sort((one, two) => ratingOf(two) - ratingOf(one));
  return event.players.some((player, at) => player !== before[at]);
}

/** The first round of a Swiss: the upper half, with White on every other board, against the lower half, and a bye for an odd one. */
function firstRound(players) {
  const half = Math.floor(players / 2);
  const lines = Array.from({ length: half }, (_, at) => (at % 2 ? { white: half + at + 1, black: at + 1 } : { white: at + 1, black: half + at + 1 }));
  return players % 2 ? [...lines, { white: players, sign: "bye" }] : lines;
}

/** Make a book of the names or the report that somebody has given, and offer it. */
async function make(name, text, wanted) {
  const { title, sizes, asks, usual } = books[name];
  const of = await documents(name), cellsIn = (parts) => JSON.parse(parts.get("cells")());
  const { tables, people } = cellsIn(of(usual));
  const headings = { ...Object.fromEntries(Object.entries(tables[people]?.headings ?? {})
    .map(([key, heading]) => [plain(heading ?? ""), key])), ...data.words.player, ...data.clubs };
  const lines = text.split(/\r\n|\r|\n/), report = lines.some((line) => /^001 +[0-9]+ /.test(line));
  const event = !text.trim() ? blank() : report ? readReport(lines) : readGames(text, books[name].sided) ?? readNames(text, headings);
  const first = books[name].paired && "listed" in event && shown("first").checked;
  const sorted = books[name].paired && (event.listed || first) && sortPlayers(event);
  if (first) event.pairs = firstRound(event.players.length);
  const players = event.players.length;
  const all = event.rounds.flat(), games = all.filter((line) => line.black).length;
  const least = { players: Math.max(players, wanted.players), rounds: asks ? Math.max(event.rounds.length, wanted.rounds) : 0 };
  const fitting = least.players || least.rounds ? sizes.keys() : [usual];
  let cells = null, size, book, parts, notes;
  for (const one of fitting) {
    size = sizes[one];
    if ((size[0] ?? Infinity) < least.players || (size[1] ?? Infinity) < least.rounds) continue;
    notes = [];
    parts = of(one);
    book = cellsIn(parts);
    cells = cellsOf(book, event, notes);
    if (cells) break;
  }
  parts?.delete("cells");
  const said = [];
  if (text.trim()) said.push(made("p", players ? found({ players, games, byes: all.length - games }) : told("nobody")));
  if (sorted) said.push(made("p", told("sorted")));
  const twice = doubled(event.players.map(({ name }) => name));
  if (twice) said.push(made("p", told("double", { names: twice })));
  // a club or a federation behind a comma, unless it is somebody's initials
  const odd = event.players.map(({ name }) => name).filter((name) => nobody(name) || /[0-9]{3}|\p{Ll}.*, \p{Lu}{2,4}$/u.test(name)).join(" · ");
  if (odd) said.push(made("p", told("digits", { names: odd })));
  if (books[name].sided && !games && event.players.some((player) => BETWEEN.test(player.name))) said.push(made("p", told("no_sides")));
  if (event.year) said.push(made("p", told("this_year", { year: event.year })));
  if (event.national && books[name].rules) said.push(made("p", told("national", { column: event.national })));
  if (event.years) said.push(made("p", told("years", { years: event.years })));
  event.left.push(...notes ?? []);
  event.left.sort((one, two) => (one.line ?? Infinity) - (two.line ?? Infinity) || 0);
  URL.revokeObjectURL(address);
  if (cells) {
    address = URL.createObjectURL(await workbook(parts, book, cells));
    const download = `${file.replace(/\.[^.]*$/, "") || title[spokenIn(name)]}.xlsx`;
    said.push(made("p", room("room", books[name], size)));
    said.push(made("p", "", {}, made("a", told("save", { name: download }), { href: address, download })));
  } else {
    said.push(made("p", told("no_room", { players: least.players, games, rounds: least.rounds })));
    said.push(made("p", larger(name, { players: least.players, rounds: asks ? least.rounds : games })));
  }
  outcome.replaceChildren(...said, ...list(told("unread"), event.unread), ...list(told("left"), event.left));
  outcome.querySelector("a")?.click();
}

const chosen = () => document.querySelector("[name=book]:checked")?.value;
const number = (key) => whole(shown(key).value.trim()) ?? 0;
const offer = (name, text, wanted) => make(name, text, wanted)
  .catch((error) => outcome.replaceChildren(made("p", String(error))));

function asking() {
  const book = books[chosen()];
  shown("rounds").closest("p").hidden = !book?.asks;
  shown("first").closest("p").hidden = !book?.paired;
  shown("note").textContent = `${told("size_note")} ${book ? room("largest", book, book.sizes.at(-1)) : ""}`;
}

/** Everything on the page in a language. */
function speak(code) {
  const before = chosen();
  language = document.documentElement.lang = code;
  document.title = `${told("title")} – elo_xl`;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = told(element.dataset.say);
  const group = (key) => Object.keys(books).filter((name) => books[name].group === key).flatMap((name) => {
    const radio = made("input", "", { type: "radio", name: "book", required: true, value: name, checked: name === before, onchange: asking });
    const label = made("label", "", {}, radio, made("b", books[name].title[spokenIn(name)]), made("span", books[name].purpose[spokenIn(name)]));
    return books[name].note ? [label, made("p", told(books[name].note))] : label;
  });
  const all = [...data.groups, ""].map((key) => [key || "more", group(key)]).filter(([, labels]) => labels.length);
  shown("books").replaceChildren(...all.map(([key, labels]) => made("fieldset", "", {}, made("legend", told(`group_${key}`)), ...labels)));
  shown("all").replaceChildren(...Object.keys(books).map((name) => made("button", books[name].title[spokenIn(name)], {
    type: "button", onclick: () => { file = ""; offer(name, "", { players: 0, rounds: 0 }); },
  })));
  const links = data.links[code].map(([key, href]) => made("a", told(`link_${key}`), { href }));
  if (links.length) shown("books").append(made("p", "", {}, links.shift()));
  shown("links").replaceChildren(...links);
  asking();
}

for (const [value, name] of Object.entries(data.names)) shown("language").append(made("option", name, { value, lang: value }));
const spoken = [location.hash.slice(1), ...navigator.languages.map((code) => code.slice(0, 2)), ...Object.keys(data.names)];
shown("language").value = spoken.find((code) => code in data.names);
speak(shown("language").value);
shown("language").addEventListener("change", (change) => { outcome.replaceChildren(); speak(change.target.value); });
shown("names").addEventListener("input", () => { file = ""; });
shown("form").addEventListener("submit", (submit) => {
  submit.preventDefault();
  offer(chosen(), shown("names").value, { players: number("players"), rounds: number("rounds") });
});

// What a file says comes where names are pasted: there people see it, and correct it.
async function take(given) {
  if (!given) return;
  const text = decoded(await given.arrayBuffer());
  if (isWorkbook(text)) return outcome.replaceChildren(made("p", told("workbook")));
  shown("names").value = text;
  file = given.name;
  shown("form").requestSubmit();
}
shown("file").addEventListener("change", (change) => take(change.target.files[0]));
const zone = document.querySelector(".drop");
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (move) => {
    move.preventDefault();
    zone.classList.toggle("over", kind === "dragover");
    if (kind === "drop") take(move.dataTransfer.files[0]);
  });
}
