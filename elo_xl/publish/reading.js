"use strict";
// What stands in a file of columns, and how headings are compared.
const plain = (text) => text.replace(/№|n[º°]|#/gi, "no").toLowerCase().replaceAll("ß", "ss")
  .normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");

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
