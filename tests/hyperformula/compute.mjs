// node compute.mjs HYPERFORMULA < BOOK: the values of a book's cells, as HyperFormula computes them.
// A book has "sheets", rows of cells by title, and "names", formulas by name.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const home = resolve(process.argv[2]);
const { HyperFormula } = createRequire(join(home, "package.json"))(home);
const book = JSON.parse(readFileSync(0, "utf8"));
const names = Object.entries(book.names).map(([name, expression]) => ({ name, expression }));
const engine = HyperFormula.buildFromSheets(
  book.sheets,
  {
    licenseKey: "gpl-v3",
    // as Excel does
    evaluateNullToZero: true,
    precisionEpsilon: 0,
    leapYear1900: true,
    nullDate: { year: 1899, month: 12, day: 31 },
    useArrayArithmetic: true,
    smartRounding: false,
    caseSensitive: false,
    accentSensitive: true,
  },
  names,
);
const shown = (value) => (value?.value ?? value);
const found = {};
for (const [title, rows] of Object.entries(engine.getAllSheetsValues())) {
  found[title] = rows.map((row) => row.map(shown));
}
process.stdout.write(JSON.stringify(found));
