// What stands outside: cells come in and go out as spreadsheets have them.
const widest = (rows) => Math.max(...rows.map((row) => row.length));
const cellIn = (v) => {
  if (typeof v === "string") return errors.get(strip(v)) || v;
  if (typeof v === "number") return v !== v ? null : finite(v);
  if (v === null || v === undefined || typeof v === "boolean" || isError(v)) return v;
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
const cellOut = (v) => (v === null || v === undefined ? "" : typeof v === "boolean" ? +v : v);
const valueOut = (v) => {
  v = one(v);
  if (!isGrid(v)) return cellOut(v);
  return Array.from({ length: v.rows }, (_, i) =>
    v.cells.slice(i * v.columns, (i + 1) * v.columns).map(cellOut));
};

// ELO.call("ELO_EXPECTED", [1834, [[2179], [null], ["x"]], "fide"]) is [[0.11], [""], [an error]].
//
// An argument is a cell or a list of rows; a cell is a number, a text, true or false, an error, its
// text, or null, "" or undefined for a blank. Nothing in a cell throws: wrong ones give errors, for
// which ELO.isError holds, and String(error) is Excel's code, such as "#NUM!". ELO.error(code)
// makes one. An unknown name throws a RangeError, a wrong number of arguments a TypeError.
function call(name, args) {
  const own = FUNCTIONS[name];
  if (own === undefined) throw new RangeError(`no function ${name}`);
  const { least, most, work } = own;
  if (args.length < least || args.length > most) {
    throw new TypeError(`${name} takes ${least} to ${most} arguments, got ${args.length}`);
  }
  return valueOut(work(...args.map(valueIn)));
}
