// node run.mjs PYODIDE MAIN: run stand_ins.py, and with it the main.py of a workbook, in Pyodide.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [home, main] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const pyodide = await loadPyodide();
pyodide.FS.writeFile("/main.py", readFileSync(main));
// What Excel's JavaScript gives for a column of cells.
const cells = [
  [null],
  [undefined],
  [1834],
  [1834.5],
  [true],
  ["logistic"],
  [""],
  [{ type: "Error", basicType: "Error", basicValue: "#N/A" }],
  [{ type: "FormattedNumber", basicType: "Double", basicValue: 7, numberFormat: "0" }],
  [{ type: "Empty", basicType: "Empty", basicValue: "" }],
];
pyodide.globals.set("cells", pyodide.toPy(cells));
pyodide.globals.set("nothing", null);
try {
  const code = readFileSync(new URL("stand_ins.py", import.meta.url), "utf8");
  console.log(pyodide.runPython(code));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
