"use strict";
const { books, signs, report, headings, prefixes, say } = JSON.parse(document.getElementById("data").textContent);
const told = (key, places = {}) => Object.entries(places)
  .reduce((text, [name, value]) => text.replace(`{${name}}`, () => value), say[`fill.${key}`]);

// -- what a file says: players with their lines, rounds of pairings, what is not understood

const whole = (text) => (/^[0-9]+$/.test(text) ? Number(text) : null);
const typed = (text) => whole(text ?? "") ?? text;
const yearIn = (text) => whole((/(?:18|19|20)[0-9]{2}/.exec(text) || [])[0] ?? "") ?? text;
const cut = (line, [first, last]) => line.slice(first - 1, last).trim();

const blank = () => ({ singles: {}, said: {}, players: [], rounds: [], days: [], unread: [], left: [] });

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
      event.days = (text.slice(report.rounds - 1).match(/.{1,10}/g) || []).map((day) => day.trim());
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

const plain = (text) => text.replace(/№|n[º°]|#/gi, "no").toLowerCase().replaceAll("ß", "ss")
  .normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");

function readNames(text) {
  const event = blank();
  const head = text.split(/\r?\n/, 1)[0];
  const sign = ["\t", ";", ","].reduce((best, one) =>
    (head.split(one).length > head.split(best).length ? one : best), "\t");
  const field = new RegExp(`("(?:[^"]|"")*"|[^${sign}\\r\\n]*)(${sign}|\\r\\n|\\r|\\n|$)`, "y");
  const rows = [];
  for (let line = 1, row = [], first = 1; field.lastIndex < text.length || row.length;) {
    const [all, value, end] = field.exec(text);
    row.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"').trim() : value.trim());
    line += (all.match(/\r\n|\r|\n/g) || []).length;
    if (end !== sign) {
      rows.push({ line: first, row, text: row.join(sign) });
      [row, first] = [[], line];
      if (!all) break;
    }
  }
  const known = rows.length ? rows[0].row.map((heading) => headings[plain(heading)] ?? "") : [];
  const headed = known.includes("name") || known.includes("last");
  const keys = headed ? known : ["name", "rating"];
  const top = headed ? rows.shift() : null;
  const same = { id: "fide_id" };
  for (const { line, row, text: said } of rows) {
    if (row.every((value) => !value)) continue;
    const player = { line, text: said };
    keys.forEach((key, at) => { player[same[key] ?? key] ??= row[at] ?? ""; });
    player.name ||= [player.last, player.given].filter(Boolean).join(", ");
    player.birth = String(yearIn(player.birth ?? ""));
    if (player.rating === "0") player.rating = "";
    if (player.name) event.players.push(player);
    else event.unread.push({ line, text: said, why: told("no_name") });
    if (row.length > keys.length) event.left.push({ line, text: row.slice(keys.length).join(sign) });
  }
  event.columns = top && { line: top.line, names: top.row, keys: keys.map((key) => same[key] ?? key) };
  return event;
}

// -- what goes into the cells of a book

const serial = (text) => {
  const [year, month, day] = (/^([0-9]{2}|[0-9]{4})[/-]([0-9]{2})[/-]([0-9]{2})$/.exec(text) || []).slice(1).map(Number);
  return year === undefined ? text : Date.UTC(year < 100 ? 2000 + year : year, month - 1, day) / 864e5 + 25569;
};

const numeric = new Set(["rating", "birth", "games", "peak", "k"]);

/** The cells of a book by sheet, or null where it has no room; event.left is told what they lack. */
function cellsOf(book, event, notes) {
  const { tables, singles } = book.cells;
  const cells = {};
  const put = ({ sheet }, cell, value) => {
    if (value !== "" && value !== undefined) (cells[sheet] ??= {})[cell] = value;
  };
  const row = (table, at, values) => {
    for (const [key, value] of Object.entries(values)) {
      if (key in table.columns) put(table, `${table.columns[key]}${table.first + at}`, value);
    }
  };
  const { Players, Pairings, Games, Cross } = tables;
  const games = event.rounds.flatMap((lines, round) =>
    lines.filter((line) => line.black).map((line) => ({ ...line, round })));
  if (event.players.length > Players.rows || (Games && games.length > Games.rows)) return null;
  for (const [name, value] of Object.entries(event.singles)) {
    if (name in singles) put(singles[name], singles[name].cell, value);
    else if (name in event.said) notes.push(event.said[name]);
  }
  const days = [...("Dates" in singles ? [] : ["first", "last"]), ...(Games ? [] : ["days"])];
  notes.push(...days.map((name) => event.said[name]).filter(Boolean));
  for (const [at, player] of event.players.entries()) {
    for (const key of Object.keys(Players.columns)) {
      const value = player[key] ?? "";
      row(Players, at, { [key]: numeric.has(key) ? typed(value) : value });
    }
  }
  if (Pairings) {
    if (event.rounds.length * Pairings.group > Pairings.rows) return null;
    for (const [round, lines] of event.rounds.entries()) {
      if (lines.length > Pairings.group) return null;
      lines.forEach(({ white, black, sign }, at) =>
        row(Pairings, round * Pairings.group + at, { white, black, result: typed(sign) }));
    }
  } else if (Games) {
    games.forEach(({ white, black, sign, round }, at) => row(Games, at, {
      date: serial(event.days[round] ?? ""), event: event.singles.Event,
      white: event.players[white - 1].name, black: event.players[black - 1].name, result: typed(sign),
    }));
    if (games.length < event.rounds.flat().length) notes.push(told("single_byes"));
  } else {
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
      row(Cross, low - 1, { [`v${high}`]: typed(white === low ? sign : mirrored[sign]) });
    }
    if (games.length) notes.push(told("berger"));
    if (games.length < event.rounds.flat().length) notes.push(told("single_byes"));
  }
  if (event.columns) {
    event.columns.names.forEach((column, at) => {
      const key = event.columns.keys[at];
      if (column && !(key in Players.columns) && !["last", "given", "number"].includes(key)) {
        notes.push(`${told("line", { line: event.columns.line })}: ${told("no_column", { column })}`);
      }
    });
  }
  return cells;
}

// -- a workbook: the parts of a book, those with entries packed anew, in a zip file

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

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

async function workbook(book, cells) {
  const filled = Object.fromEntries(Object.entries(cells).map(([sheet, values]) => [book.sheets[sheet], values]));
  const parts = await Promise.all(book.parts.map(async ([name, length, crc, packed]) => {
    const content = bytesOf(packed);
    if (!(name in filled)) return { name, length, crc, content };
    const waiting = new Set(Object.keys(filled[name]));
    const text = new TextDecoder().decode(await through(content, new DecompressionStream("deflate-raw")))
      .replace(/<c r="([A-Z]+[0-9]+)"((?: s="[0-9]+")?)[^>]*?(?:\/>|>.*?<\/c>)/gs, (all, cell, style) =>
        (waiting.delete(cell) ? cellOf(cell, styleOf(book, style, filled[name][cell]), filled[name][cell]) : all));
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

const outcome = document.getElementById("outcome");
const made = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text }, more);
let given = null, address = "", chosen = 0;

const decoded = (bytes) => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const cyrillic = document.documentElement.lang === "ru";
    return new TextDecoder(cyrillic ? "windows-1251" : "windows-1252").decode(bytes);
  }
};

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

async function fill() {
  if (!given) return;
  const text = decoded(await given.arrayBuffer());
  const lines = text.split(/\r\n|\r|\n/);
  const event = lines.some((line) => /^001 +[0-9]+ /.test(line)) ? readReport(lines) : readNames(text);
  const players = event.players.length;
  const all = event.rounds.flat(), games = all.filter((line) => line.black).length;
  const parts = [];
  URL.revokeObjectURL(address);
  if (!players) parts.push(made("p", told("nobody", { name: given.name })));
  else {
    const notes = [];
    let cells = null, book;
    for (book of books[chosen].sizes) {
      notes.length = 0;
      cells = cellsOf(book, event, notes);
      if (cells) break;
    }
    parts.push(made("p", told("found", { players, games, byes: all.length - games })));
    event.left.push(...notes);
    event.left.sort((one, two) => (one.line ?? Infinity) - (two.line ?? Infinity) || 0);
    if (cells) {
      address = URL.createObjectURL(await workbook(book, cells));
      const download = given.name.replace(/\.[^.]*$/, "") + ".xlsx";
      const saved = made("p", "");
      saved.append(made("a", told("save", { name: download }), { href: address, download }));
      parts.push(saved);
    } else parts.push(made("p", told("no_room", { players, games, rounds: event.rounds.length })));
  }
  outcome.replaceChildren(...parts, ...list(told("unread"), event.unread), ...list(told("left"), event.left));
}

const take = (file) => {
  given = file ?? given;
  fill().catch((error) => outcome.replaceChildren(made("p", String(error))));
};
for (const [at, book] of books.entries()) {
  const choice = made("input", "", { type: "radio", name: "book", value: at, checked: !at });
  choice.addEventListener("change", () => { chosen = at; take(); });
  const label = made("label", "");
  label.append(choice, ` ${book.title}`);
  document.querySelector("fieldset").append(label);
}
document.getElementById("file").addEventListener("change", (change) => take(change.target.files[0]));
const zone = document.querySelector(".drop");
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (move) => {
    move.preventDefault();
    zone.classList.toggle("over", kind === "dragover");
    if (kind === "drop" && move.dataTransfer.files.length) take(move.dataTransfer.files[0]);
  });
}
