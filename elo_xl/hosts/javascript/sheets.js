// Google Sheets gives a range as rows, a blank as "" and a date as an object. A function cannot give
// an error there: a single one is thrown, and shown as #ERROR! with its message; beside other
// results it is a text, which these functions read as the error.
function elo_(name, given) {
  const result = ELO.call(name, Array.from(given, (value) =>
    Array.isArray(value) ? value.map((row) => row.map(eloCell_)) : eloCell_(value)));
  if (Array.isArray(result)) {
    return result.map((row) => row.map((cell) => (ELO.isError(cell) ? String(cell) : cell)));
  }
  if (ELO.isError(result)) {
    const meaning = ELO_MEANINGS_[result];
    throw new Error(meaning ? result + ": " + meaning : String(result));
  }
  return result;
}

// A date is the number of days since 30 December 1899.
function eloCell_(value) {
  if (Object.prototype.toString.call(value) !== "[object Date]") return value;
  const [at, start] = [Date.UTC(value.getFullYear(), value.getMonth(), value.getDate(),
    value.getHours(), value.getMinutes(), value.getSeconds()), Date.UTC(1899, 11, 30)];
  return (at - start) / 864e5;
}
