// Excel sends every argument as rows, and null for one that is omitted; an error, or a number with a
// format of its own, is an object with the plain value. Results go back as rows.
const eloCell = (cell) =>
  cell !== null && typeof cell === "object" && "basicValue" in cell ? cell.basicValue : cell;

const eloArgument = (value) => {
  if (!Array.isArray(value)) return eloCell(value);
  const rows = value.map((row) => row.map(eloCell));
  return rows.length === 1 && rows[0].length === 1 ? rows[0][0] : rows;
};

// Excel takes no other errors from a function; they become #VALUE!.
const ELO_CODES = {
  "#DIV/0!": "divisionByZero",
  "#N/A": "notAvailable",
  "#NULL!": "nullReference",
  "#NUM!": "invalidNumber",
};

const eloError = (error) =>
  new CustomFunctions.Error(
    CustomFunctions.ErrorCode[ELO_CODES[error] || "invalidValue"],
    ELO_MEANINGS[error] || String(error),
  );

function eloRows(name, given) {
  const result = ELO.call(name, given.map(eloArgument));
  if (Array.isArray(result)) {
    return result.map((row) => row.map((cell) => (ELO.isError(cell) ? eloError(cell) : cell)));
  }
  if (ELO.isError(result)) throw eloError(result);
  return [[result]];
}
