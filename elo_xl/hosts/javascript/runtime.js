// What a worksheet does with values. A value is a number, a text, true or false, null (a blank
// cell), undefined (omitted), a CellError, a function, or a Grid of such values.
class CellError {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}
const errors = new Map(ERROR_TEXTS.map((text) => [text, new CellError(text)]));
const E = (text) => errors.get(text);
const NUM = E("#NUM!"), VALUE = E("#VALUE!"), NA = E("#N/A");
const REF = E("#REF!"), CALC = E("#CALC!");
const isError = (v) => v instanceof CellError;

// Cells in reading order; nobody changes them after they were made.
class Grid {
  constructor(rows, columns, cells) {
    this.rows = rows;
    this.columns = columns;
    this.cells = cells;
  }
}
const isGrid = (v) => v instanceof Grid;
const grid = (v) => (isGrid(v) ? v : new Grid(1, 1, [v]));
const columnOf = (cells) => new Grid(cells.length, 1, cells);
const A = (columns, ...cells) => new Grid(cells.length / columns, columns, cells);
const one = (v) => (isGrid(v) && v.cells.length === 1 ? v.cells[0] : v);

// A function of cells as a function of grids: a single row or column repeats, others end in #N/A;
// so do a row and a column that would cross in more than MOST_CROSSED cells.
function lift(f, ...values) {
  let rows = 1, columns = 1, some = false;
  for (const v of values) {
    if (!isGrid(v)) continue;
    some = true;
    rows = Math.max(rows, v.rows);
    columns = Math.max(columns, v.columns);
  }
  if (!some) return f(...values);
  const size = rows * columns;
  // one grid alone may be larger: its cells are in memory already, what crosses is not
  if (size > MOST_CROSSED && !values.some((v) => isGrid(v) && v.cells.length >= size)) throw NA;
  const cells = new Array(size), args = values.slice();
  // almost always all grids have one shape, or one cell
  if (values.every((v) => !isGrid(v) || (v.rows === rows && v.columns === columns))) {
    const at = [];
    values.forEach((v, k) => isGrid(v) && at.push(k));
    if (values.length === 1) {
      for (let i = 0; i < size; i++) cells[i] = f(values[0].cells[i]);
    } else if (values.length === 2 && at.length === 2) {
      const a = values[0].cells, b = values[1].cells;
      for (let i = 0; i < size; i++) cells[i] = f(a[i], b[i]);
    } else if (values.length === 2) {
      const [a, b] = values;
      if (isGrid(a)) for (let i = 0; i < size; i++) cells[i] = f(a.cells[i], b);
      else for (let i = 0; i < size; i++) cells[i] = f(a, b.cells[i]);
    } else {
      for (let i = 0; i < size; i++) {
        for (const m of at) args[m] = values[m].cells[i];
        cells[i] = f(...args);
      }
    }
    return new Grid(rows, columns, cells);
  }
  for (let i = 0, to = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++, to++) {
      for (let k = 0; k < values.length; k++) {
        const v = values[k];
        if (!isGrid(v)) continue;
        const row = v.rows === 1 ? 0 : i, column = v.columns === 1 ? 0 : j;
        const inside = row < v.rows && column < v.columns;
        args[k] = inside ? v.cells[row * v.columns + column] : NA;
      }
      cells[to] = f(...args);
    }
  }
  return new Grid(rows, columns, cells);
}

// -- cells as numbers and texts -------------------------------------------------------------------

const SPACE = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BLANK = new RegExp(`[${SPACE}]`);
const strip = (t) => {
  let from = 0, to = t.length;
  while (from < to && BLANK.test(t[from])) from++;
  while (from < to && BLANK.test(t[to - 1])) to--;
  return t.slice(from, to);
};
const B = " \\xa0\\u2007\\u2009\\u202f"; // what people and locales put between digits
const TYPED = new RegExp(
  `^[+-]?(?:\\d{1,3}(?:[${B}]\\d{3})+|\\d+)?(?:[.,]\\d*)?(?:e[+-]?\\d+)?$`, "i");
const finite = (x) => (x - x === 0 ? x : NUM);

// A cell as all hosts read it: a number, an error, or an empty text for a blank.
function number1(v) {
  if (typeof v === "number") return v === v ? finite(v) : "";
  if (v == null || v === "") return "";
  if (typeof v === "boolean") return +v;
  if (typeof v !== "string") return isError(v) ? v : VALUE;
  const plain = strip(v);
  if (!plain) return "";
  if (errors.has(plain)) return E(plain);
  const t = plain.replace(/\u2212/g, "-");
  if (!TYPED.test(t) || !/\d/.test(t.split(/e/i)[0])) return VALUE;
  return finite(Number(t.replace(new RegExp(`[${B}]`, "g"), "").replace(",", ".")));
}
const number = (v) => lift(number1, v);
const rated = (v) => lift((x) => ((x = number1(x)) === 0 ? "" : x), v);

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const num = (v) => {
  if (typeof v === "number" || isError(v)) return v;
  if (v == null) return 0;
  if (typeof v === "boolean") return +v;
  if (typeof v !== "string") return VALUE;
  const t = v.trim();
  return PLAIN.test(t) ? finite(Number(t)) : VALUE;
};
const text = (v) => {
  if (typeof v === "string" || isError(v)) return v;
  if (v == null) return "";
  if (typeof v === "boolean") return v ? "TRUE" : "FALSE";
  return String(Number(v.toPrecision(15))).replace("e", "E");
};
const truth = (v) => (typeof v === "string" ? VALUE : isError(v) ? v : !!v);

const reading = (convert, f) => {
  const each = (...cells) => {
    for (let i = 0; i < cells.length; i++) {
      cells[i] = convert(cells[i]);
      if (isError(cells[i])) return cells[i];
    }
    return f(...cells);
  };
  return (...values) => lift(each, ...values);
};
const texts = (f) => reading(text, f);
const known = (f) => reading((v) => v, f);
const of1 = (f) => {
  const each = (a) => (typeof a === "number" || !isError((a = num(a))) ? f(a) : a);
  return (a) => (isGrid(a) ? lift(each, a) : each(a));
};
const of2 = (f) => {
  const each = (a, b) => {
    if (typeof a !== "number" && isError((a = num(a)))) return a;
    if (typeof b !== "number" && isError((b = num(b)))) return b;
    return f(a, b);
  };
  return (a, b) => (isGrid(a) || isGrid(b) ? lift(each, a, b) : each(a, b));
};

// -- operators ------------------------------------------------------------------------------------

// What is too large, or divided by 0, is infinite on the way, as in the engine; #NUM! in the end.
const add = of2((a, b) => a + b);
const sub = of2((a, b) => a - b);
const mul = of2((a, b) => a * b);
const div = of2((a, b) => a / b);
const pow = of2(Math.pow);
const neg = of1((a) => -a);
const cat = texts((a, b) => a + b);

const kind = (v) => (typeof v === "number" ? 0 : typeof v === "string" ? 1 : 2);
const emptyLike = (v) => (typeof v === "string" ? "" : typeof v === "boolean" ? false : 0);
const compare = (a, b) => {
  if (a == null) a = emptyLike(b);
  if (b == null) b = emptyLike(a);
  if (kind(a) !== kind(b)) return kind(a) - kind(b);
  if (typeof a === "string") {
    a = a.toLowerCase();
    b = b.toLowerCase();
  }
  return a < b ? -1 : a > b ? 1 : 0;
};
const compared = (quick, holds) => {
  const each = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return quick(a, b);
    return isError(a) ? a : isError(b) ? b : holds(compare(a, b));
  };
  return (a, b) => (isGrid(a) || isGrid(b) ? lift(each, a, b) : each(a, b));
};
const eq = compared((a, b) => a === b, (c) => c === 0);
const ne = compared((a, b) => a !== b, (c) => c !== 0);
const lt = compared((a, b) => a < b, (c) => c < 0);
const gt = compared((a, b) => a > b, (c) => c > 0);
const le = compared((a, b) => a <= b, (c) => c <= 0);
const ge = compared((a, b) => a >= b, (c) => c >= 0);

// How many of some different texts a value is: 1 or 0.
const among = (v, list) =>
  known((x) => +(typeof x === "string" && list.includes(x.toLowerCase())))(v);

// -- functions that do not compute all of their arguments -----------------------------------------

const now = (v) => (typeof v === "function" ? v() : v);
function IF(condition, yes, no = false) {
  if (!isGrid(condition)) {
    const t = truth(condition);
    return isError(t) ? t : now(t ? yes : no);
  }
  const t = condition.cells.map(truth);
  const a = t.includes(true) ? now(yes) : null, b = t.includes(false) ? now(no) : null;
  const chosen = new Grid(condition.rows, condition.columns, t);
  return lift((t, y, n) => (t === true ? y : t === false ? n : t), chosen, a, b);
}
const insteadOf = (wrong) => (v, other) => {
  if (!isGrid(v)) return wrong(v) ? now(other) : v;
  return v.cells.some(wrong) ? lift((x, o) => (wrong(x) ? o : x), v, now(other)) : v;
};
const IFERROR = insteadOf(isError), IFNA = insteadOf((v) => v === NA);
const CHOOSE = (index, ...values) => {
  if (!isGrid(index)) {
    const i = Math.trunc(index) - 1;
    return isError(index) ? index : i in values ? now(values[i]) : VALUE;
  }
  const chosen = (k, ...v) => (isError(k) ? k : v[Math.trunc(k) - 1] ?? VALUE);
  return lift(chosen, index, ...values.map(now));
};

// -- functions of single cells --------------------------------------------------------------------

const asked = (f) => (v) => lift(f, v);
const NOT = known((v) => !truth(v));
const ISTEXT = asked((v) => typeof v === "string");
const ISNUMBER = asked((v) => typeof v === "number");
const ISLOGICAL = asked((v) => typeof v === "boolean");
const ISERROR = asked(isError);
const TRIM = texts((t) => t.replace(/ +/g, " ").replace(/^ | $/g, ""));
const CLEAN = texts((t) => t.replace(/[\x00-\x1f]/g, ""));
const LOWER = texts((t) => t.toLowerCase());
const LEN = texts((t) => t.length);
const LEFT = known((t, n) => text(t).slice(0, n));
const MID = known((t, from, n) => text(t).substr(from - 1, n));
const FIND = texts((a, t) => t.indexOf(a) + 1 || VALUE);
const SUBSTITUTE = texts((t, a, b) => (a === "" ? t : t.split(a).join(b)));
const UNICHAR = (n) => String.fromCodePoint(n);

const PI = () => Math.PI;
const ABS = of1(Math.abs), SIGN = of1(Math.sign), INT = of1(Math.floor);
const EXP = of1(Math.exp);
const SQRT = of1((x) => (x < 0 ? NUM : Math.sqrt(x)));
const LN = of1((x) => (x <= 0 ? NUM : Math.log(x)));
const LOG10 = of1((x) => (x <= 0 ? NUM : Math.log10(x)));
const MOD = of2((a, b) => a - b * Math.floor(a / b));
const rounded = (whole) => of2((x, n) => {
  if (Math.abs(x) >= 1e15) return x;
  const unit = 10 ** n;
  return (Math.sign(x) * whole(Number((Math.abs(x) * unit).toPrecision(15)))) / unit;
});
const ROUND = rounded((x) => Math.floor(x + 0.5)), ROUNDUP = rounded(Math.ceil);
const NORMSDIST = of1((z) => normalCdf(z));
const NORMSINV = of1((p) => (p <= 0 || p >= 1 ? NUM : normalInverse(p)));
const BINOM_DIST = reading(num, (k, n, p, cumulative) => {
  k = Math.trunc(k);
  n = Math.trunc(n);
  if (k < 0 || k > n || p < 0 || p > 1) return NUM;
  if (!cumulative) return binomial(k, n, p);
  let sum = 0;
  for (let i = 0; i <= k; i++) sum += binomial(i, n, p);
  return Math.min(sum, 1);
});

// -- functions of ranges --------------------------------------------------------------------------

const ofNumbers = (f) => (...values) => {
  const found = [];
  for (const v of values) {
    if (isGrid(v)) {
      for (const x of v.cells) {
        if (typeof x === "number") found.push(x);
        else if (isError(x)) return x;
      }
    } else {
      const x = num(v);
      if (isError(x)) return x;
      found.push(x);
    }
  }
  return f(found);
};
const SUM = ofNumbers((n) => n.reduce((a, b) => a + b, 0));
const extreme = (better) => ofNumbers((n) => (n.length ? n.reduce(better) : 0));
const MIN = extreme((a, b) => (b < a ? b : a)), MAX = extreme((a, b) => (b > a ? b : a));
const MEDIAN = ofNumbers((n) => {
  if (!n.length) return NUM;
  n.sort((a, b) => a - b);
  const middle = n.length >> 1;
  return n.length % 2 ? n[middle] : (n[middle - 1] + n[middle]) / 2;
});
const COUNTA = (v) => grid(v).cells.filter((x) => x !== null).length;
const ROWS = (v) => grid(v).rows, COLUMNS = (v) => grid(v).columns;
const TOCOL = (v) => columnOf(grid(v).cells);
const SEQUENCE = (rows, columns = 1, from = 1, step = 1) => {
  rows = one(rows);
  if (isError(rows)) return rows;
  if (rows < 1) return CALC;
  const cells = Array.from({ length: Math.trunc(rows) * columns }, (_, i) => from + step * i);
  return new Grid(cells.length / columns, columns, cells);
};
const column = (g, j) => {
  const cells = new Array(g.rows);
  for (let i = 0; i < g.rows; i++) cells[i] = g.cells[i * g.columns + j];
  return columnOf(cells);
};
const CHOOSECOLS = (v, j) => (isError(v) ? v : column(grid(v), j - 1));
const DROP = (v, n) => new Grid(v.rows - n, v.columns, v.cells.slice(n * v.columns));
const VSTACK = (...values) => {
  const grids = values.map(grid), columns = Math.max(...grids.map((g) => g.columns)), cells = [];
  for (const g of grids) {
    for (let i = 0; i < g.rows; i++) {
      for (let j = 0; j < columns; j++) cells.push(j < g.columns ? g.cells[i * g.columns + j] : NA);
    }
  }
  return new Grid(cells.length / columns, columns, cells);
};
const HSTACK = (...values) => {
  const grids = values.map(grid), rows = Math.max(...grids.map((g) => g.rows)), cells = [];
  for (let i = 0; i < rows; i++) {
    for (const g of grids) {
      for (let j = 0; j < g.columns; j++) cells.push(i < g.rows ? g.cells[i * g.columns + j] : NA);
    }
  }
  return new Grid(rows, cells.length / rows, cells);
};
const FILTER = (v, keep) => {
  const g = grid(v), k = grid(keep).cells.map(truth), cells = [];
  const wrong = k.find(isError);
  if (wrong) return wrong;
  for (let i = 0; i < g.rows; i++) {
    if (k[i]) cells.push(...g.cells.slice(i * g.columns, (i + 1) * g.columns));
  }
  return cells.length ? new Grid(cells.length / g.columns, g.columns, cells) : CALC;
};
const INDEX = (v, row, place) => {
  if (isError(v)) return v;
  const g = grid(v);
  row = one(row);
  place = one(place);
  if (row === 0) return column(g, place - 1);
  if (place === undefined) [row, place] = g.rows === 1 ? [1, row] : [row, 1];
  return known((i, j) => {
    i = Math.trunc(i) - 1;
    j = Math.trunc(j) - 1;
    const inside = i >= 0 && j >= 0 && i < g.rows && j < g.columns;
    return inside ? g.cells[i * g.columns + j] : REF;
  })(row, place);
};
// How many of the numbers, which ascend, are not above x.
const upTo = (numbers, x) => {
  if (typeof x !== "number") return 0;
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
};
const MATCH = (v, numbers) => known((x) => upTo(numbers.cells, x) || NA)(v);
const LOOKUP = (v, numbers, results) => {
  const r = grid(results).cells;
  return known((x) => {
    const n = upTo(grid(numbers).cells, x);
    return n ? r[n - 1] : NA;
  })(v);
};
const XMATCH = (v, values) => known((x) => {
  const at = grid(values).cells.findIndex((y) => !isError(y) && compare(y, x) === 0);
  return at + 1 || NA;
})(v);
const MAP = (...values) => {
  const f = values.pop();
  return lift((...cells) => one(f(...cells)), ...values);
};
const REDUCE = (start, v, f) => grid(v).cells.reduce((sum, x) => f(sum, x), start);
