// Cells on the page of a function: what is typed into them is computed by the very function.
"use strict";
{
const form = document.getElementById("cells");
const fields = [...form.querySelectorAll("[data-argument]")];
const made = (tag, ...inside) => {
  const element = document.createElement(tag);
  element.append(...inside);
  return element;
};

// -- ranges: cells with letters and numbers, and always one more row, or column of a table --------

const letter = (column) => String.fromCharCode(65 + column);
const inputs = (range) =>
  [...range.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("input")]);

function fill(range, texts) {
  const table = range.dataset.range === "table";
  const width = Math.max(...texts.map((row) => row.length)) + table;
  const name = range.dataset.argument;
  const heads = Array.from({ length: width }, (_, j) => made("th", letter(j)));
  const body = made("tbody");
  for (let i = 0; i <= texts.length; i++) {
    const row = made("tr", made("th", i + 1));
    for (let j = 0; j < width; j++) {
      const input = made("input");
      input.value = texts[i]?.[j] ?? "";
      input.spellcheck = false;
      input.autocapitalize = "off";
      input.ariaLabel = `${name}, ${letter(j)}${i + 1}`;
      row.append(made("td", input));
    }
    body.append(row);
  }
  const grid = made("table", made("thead", made("tr", made("td"), ...heads)), body);
  grid.className = "live-grid";
  const scroll = made("div", grid);
  scroll.className = "live-scroll";
  range.querySelector("div")?.remove();
  range.append(scroll);
}

// The texts of a range without empty rows below and empty columns on the right.
function typed(range) {
  const texts = inputs(range).map((row) => row.map((input) => input.value));
  const rows = texts.findLastIndex((row) => row.some(Boolean)) + 1;
  const columns = Math.max(1, ...texts.map((row) => row.findLastIndex(Boolean) + 1));
  return texts.slice(0, rows).map((row) => row.slice(0, columns));
}

function grow(range) {
  const cells = inputs(range), active = document.activeElement;
  const last = cells.at(-1).some((input) => input.value);
  const full = range.dataset.range === "table" && cells.some((row) => row.at(-1).value);
  if (!last && !full) return;
  const i = cells.findIndex((row) => row.includes(active)), j = cells[i]?.indexOf(active);
  const at = active.selectionStart;
  fill(range, typed(range));
  if (j === undefined) return;
  const again = inputs(range)[i][j];
  again.focus();
  again.setSelectionRange(at, at);
}

// What is copied from a sheet has tabs between cells and a line a row.
function paste(event) {
  const range = event.target.closest("[data-range]");
  const text = event.clipboardData.getData("text").replace(/\r?\n$/, "");
  if (!range || !/[\t\n]/.test(text)) return;
  event.preventDefault();
  const cells = inputs(range);
  const i = cells.findIndex((row) => row.includes(event.target)), j = cells[i].indexOf(event.target);
  const texts = cells.map((row) => row.map((input) => input.value));
  text.split(/\r?\n/).forEach((line, down) => {
    const row = (texts[i + down] ??= []);
    const values = line.split("\t");
    if (range.dataset.range === "table") values.forEach((value, k) => (row[j + k] = value));
    else row[0] = values[0];
  });
  fill(range, texts.map((row) => Array.from(row, (value) => value ?? "")));
  fill(range, typed(range).length ? typed(range) : [[""]]);
  compute();
}

// -- one call -------------------------------------------------------------------------------------

// What a sheet makes of a text that is typed into a cell.
const cell = (text) => {
  const plain = text.trim();
  if (plain === "") return null;
  if (/^(true|false)$/i.test(plain)) return plain.toLowerCase() === "true";
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : text;
};
const argument = (field) => {
  if (!field.dataset.range) return cell(field.value);
  const rows = typed(field).map((row) => row.map(cell));
  return rows.length > 1 || rows[0]?.length > 1 ? rows : rows.length ? rows[0][0] : null;
};
const written = (value) => {
  if (Array.isArray(value)) {
    return `{${value.map((row) => row.map((v) => written(v ?? "")).join(",")).join(";")}}`;
  }
  if (value === null) return "";
  if (typeof value === "string") return `"${value.replaceAll('"', '""')}"`;
  return String(value).toUpperCase();
};
const shown = (value) => (typeof value === "number" ? Number(value.toPrecision(12)) : value);
const box = (tag, value) => {
  const element = made(tag, String(shown(value)));
  if (ELO.isError(value)) element.className = "live-error";
  if (typeof value === "number") element.classList.add("live-number");
  return element;
};

function compute() {
  const { function: name, least, columns } = form.dataset;
  const values = fields.map(argument);
  const count = Math.max(Number(least), values.findLastIndex((value) => value !== null) + 1);
  const given = values.slice(0, count);
  form.querySelector(".live-formula code").textContent = `=${name}(${given.map(written).join(", ")})`;
  const result = ELO.call(name, given);
  const place = form.querySelector(".live-result");
  if (!Array.isArray(result)) {
    place.replaceChildren(result === "" ? made("em", "an empty cell") : box("strong", result));
    return;
  }
  const body = made("tbody", ...result.map((row) => made("tr", ...row.map((v) => box("td", v)))));
  const headings = columns.split("|");
  const head = result[0].length === headings.length && result[0][0] !== headings[0]
    ? [made("thead", made("tr", ...headings.map((text) => made("th", text))))] : [];
  const scroll = made("div", made("table", ...head, body));
  scroll.className = "live-scroll";
  scroll.tabIndex = 0;
  place.replaceChildren(scroll);
}

function start() {
  for (const field of fields) if (field.dataset.range) fill(field, JSON.parse(field.dataset.cells));
  compute();
}
form.addEventListener("input", (event) => {
  const range = event.target.closest("[data-range]");
  if (range) grow(range);
  compute();
});
form.addEventListener("paste", paste);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(start));
start();
}
