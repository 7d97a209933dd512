// What stands outside: cells come in and go out as spreadsheets have them.
const widest = (rows) => rows.reduce((most, row) => Math.max(most, row.length), 0);
const cellIn = (v) => {
  if (typeof v === "string") {
    const plain = strip(v);
    return errors.get(plain) || (plain ? v : "");
  }
  if (typeof v === "number") return v !== v ? null : finite(v);
  if (v == null || typeof v === "boolean" || isError(v)) return v;
  return VALUE;
};
const valueIn = (v) => {
  if (!Array.isArray(v)) return cellIn(v);
  const rows = v.length ? (Array.isArray(v[0]) ? v : [v]) : [[null]];
  const columns = Math.max(1, widest(rows)), cells = [];
  for (const row of rows) {
    for (let j = 0; j < columns; j++) cells.push(j < row.length ? cellIn(row[j]) : null);
  }
  return new Grid(rows.length, columns, cells);
};
const cellOut = (v) => {
  if (typeof v === "number") return finite(v);
  return v == null ? "" : typeof v === "boolean" ? +v : v;
};
const valueOut = (v) => {
  v = one(v);
  if (!isGrid(v)) return cellOut(v);
  return Array.from({ length: v.rows }, (_, i) =>
    v.cells.slice(i * v.columns, (i + 1) * v.columns).map(cellOut));
};

// One cell as an argument takes it: null for a blank, or the argument's default.
const readers = {
  number: ({ low, high, whole }) => (v) => {
    v = number1(v);
    if (v === "" || isError(v)) return v;
    return v < low || v > high || (whole && v % 1) ? NUM : v;
  },
  rating: () => rated1,
  option: ({ choices, scales }) => (v) => {
    v = option(v);
    if (typeof v !== "string" || !v || choices.includes(v)) return v;
    const [name, ...rest] = scales ? v.split(":") : [];
    const x = rest.length ? number1(rest.join(":")) : VALUE;
    if (x === "" && choices.includes(strip(name))) return strip(name);
    if (!scales || !scales.includes(strip(name || "")) || x === "") return VALUE;
    return isError(x) ? x : !(x > 0) ? NUM : `${strip(name)}:${x}`;
  },
  // one of some words, or a number
  either: ({ choices }) => (v) => {
    const word = typeof v === "string" ? option(v) : v;
    return choices.includes(word) ? word : number1(v);
  },
  name: () => (v) => (v === 0 || nameOf(v) === "" ? "" : v),
};
// The name of an option, without what makes no difference; an empty text is a blank.
const option = (v) => {
  if (v == null) return "";
  return typeof v === "string" ? strip(v).toLowerCase() : isError(v) ? v : VALUE;
};

// A function that takes whole tables, once for each element of its other arguments; an error is one
// cell, or as wide as the table.
const byHand = (work, least, width, ...parameters) => ({
  least,
  most: parameters.length,
  work: (...values) => ofTables(work, width, parameters, values),
});
function ofTables(work, width, parameters, values) {
  const given = parameters.map((p, i) => (i < values.length ? values[i] : null));
  const spread = given.map((v, i) => {
    const p = parameters[i];
    if (p.kind === "table") return [grid(v ?? null)];
    return lift((cell) => [((cell = readers[p.kind](p)(cell)) === "" ? p.default : cell)], v);
  });
  const each = lift((...read) => [read.map(([value]) => value)], ...spread);
  const rows = grid(each).cells.flatMap((read) => {
    const failed = (error) => [Array(width).fill(error)];
    if (isError(read)) return failed(read);
    try {
      const wrong = read[0].find((value) => isError(value));
      if (wrong) throw wrong;
      return work(...read[0]);
    } catch (error) {
      if (!isError(error)) throw error;
      return failed(error);
    }
  });
  const columns = widest(rows), cells = [];
  for (const row of rows) {
    for (let j = 0; j < columns; j++) cells.push(j < row.length ? row[j] : "");
  }
  return new Grid(rows.length, columns, cells);
}

// A function that is a formula, which has the names of its options in small letters.
const byFormula = (work, least, most, ...options) => ({
  least,
  most,
  work: (...values) => work(...values.map((v, i) => (options.includes(i) ? lift(typed, v) : v))),
});
const typed = (v) => (typeof v === "string" ? strip(v).toLowerCase() : v);

// ELO.call("ELO_EXPECTED", [1834, [[2179], [null], ["x"]], "fide"]) is [[0.11], [""], [an error]].
//
// An argument is a cell or a list of rows; a cell is a number, a text, true or false, an error, its
// text, or null, "" or undefined for a blank. Nothing in a cell throws: wrong ones give errors, for
// which ELO.isError holds, and String(error) is Excel's code, such as "#NUM!". ELO.error(code)
// makes one. An unknown name throws a RangeError, a wrong number of arguments a TypeError.
function call(name, args) {
  if (!names.includes(name)) throw new RangeError(`no function ${name}`);
  const { least, most, work } = FUNCTIONS[name];
  if (args.length < least || args.length > most) {
    throw new TypeError(`${name} takes ${least} to ${most} arguments, got ${args.length}`);
  }
  try {
    return valueOut(work(...args.map(valueIn)));
  } catch (error) {
    if (isError(error)) return error;
    throw error;
  }
}
