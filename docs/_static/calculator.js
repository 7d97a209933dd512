// The calculator: what is typed goes into the worksheet functions, and every step is shown.
"use strict";
{
const form = document.getElementById("calculator");
const { decimal, rules: RULES, says } = JSON.parse(document.getElementById("says").textContent);
const named = (name) => form.elements[name];
const made = (tag, className, ...inside) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...inside);
  return element;
};
const fill = (text, values) => text.replace(/{(\w+)}/g, (_, name) => values[name]);

// -- numbers as people write them -----------------------------------------------------------------

const signs = (text) => text.replace("-", "\u2212").replace(".", decimal);
const plain = (value, digits = 2) => signs(String(+value.toFixed(digits)));
const signed = (value, digits) => (+value.toFixed(digits ?? 2) > 0 ? "+" : "") + plain(value, digits);
const percent = (value) =>
  value > 0 && value < 0.0005 ? `<\u00a0${signs("0.1")}\u00a0%` : `${signs((100 * value).toFixed(1))}\u00a0%`;
const points = (halves) => (halves % 2 ? `${halves > 1 ? (halves - 1) / 2 : ""}\u00bd` : String(halves / 2));

// The number in a cell, "" for a blank one; a cell that cannot be read is marked.
let unread;
function typed(input) {
  const value = ELO.call("ELO_NEW", [input.value, 0, 0, 0]);
  const wrong = ELO.isError(value) || value < 0;
  input.ariaInvalid = wrong ? "true" : null;
  unread ||= wrong;
  return wrong ? "" : value;
}

// -- games: an opponent, a result, and what follows from them -------------------------------------

const SCORES = [["1", "won"], ["0.5", "drawn"], ["0", "lost"]];

function addGame(list, rating = "", score = "1") {
  const opponent = made("input");
  opponent.inputMode = "decimal";
  opponent.value = rating;
  const result = made("select", "", ...SCORES.map(([value, word]) => new Option(says[word], value)));
  result.value = score;
  const remove = made("button", "live-remove", "\u00d7");
  remove.type = "button";
  remove.addEventListener("click", () => {
    const after = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    compute();
    after?.querySelector("input")?.focus();
  });
  const row = made("div", "live-game", opponent, result, made("span", "live-what"), remove);
  list.append(row);
  return opponent;
}

const readGames = (list) =>
  [...list.children].map((row, i) => {
    const [opponent, result] = row.querySelectorAll("input, select");
    opponent.ariaLabel = `${says.opponent} ${i + 1}`;
    opponent.placeholder = says.opponent;
    result.ariaLabel = `${says.result} ${i + 1}`;
    row.querySelector("button").ariaLabel = fill(says.remove, { n: i + 1 });
    return { rating: typed(opponent), score: Number(result.value), what: row.querySelector(".live-what") };
  });

// -- answers --------------------------------------------------------------------------------------

const told = (place, text) => {
  place.replaceChildren(made("p", "live-wait", text));
  for (const what of place.parentElement.querySelectorAll(".live-what")) what.replaceChildren();
};
// An element that knows its number in full.
const valued = (element, name, value) => {
  element.dataset.name = name;
  element.dataset.value = value;
  return element;
};
const big = (name, value, text, ...around) =>
  made("p", "live-big", ...around, valued(made("strong", "", text), name, value));
// One step: what it is, its number, and the rule that gives it.
function step(list, name, title, value, text, rule) {
  const number = valued(made("b", "", text), name, value);
  const item = made("li", "", made("span", "live-title", title, " "), number);
  if (rule) item.append(made("small", "", rule));
  list.append(item);
}
const columns = (games) => [games.map((g) => [g.rating]), games.map((g) => [g.score])];
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

function newRating(name, book) {
  unread = false;
  const place = document.getElementById("new-answer");
  const own = typed(named("own")), typedK = book.takes_k ? typed(named("k")) : "";
  const facts = ["before", "age", "peak"].map((key) => typed(named(key)));
  // where events count, not games, the first field is their number, the last argument
  const index = book.counts_events ? ["", facts.splice(0, 1, "")[0]] : [];
  const games = readGames(document.getElementById("played"));
  const rated = games.filter((game) => game.rating !== "" && game.rating !== 0);
  if (unread) return told(place, says.unreadable);
  if (own === "" || own === 0 || !rated.length) return told(place, says.no_game);
  const k = typedK === "" ? "auto" : typedK;
  const ask = (what, factor, some) => ELO.call(what, [own, factor, ...columns(some), name, ...facts, ...index]);
  const change = ask("ELO_CHANGE", k, rated), next = ask("ELO_UPDATE", k, rated);
  if (typeof change !== "number" || typeof next !== "number") return told(place, says.impossible);

  const score = sum(rated.map((game) => game.score));
  const factor = typedK === "" ? ELO.call("ELO_K", [own, ...facts, rated.length, name]) : typedK;
  const lines = rated.map((game) => {
    const gain = (points) => ask("ELO_CHANGE", book.by_game ? 1 : "auto", [{ ...game, score: points }]);
    // a game that counts is worth a point more if it is won
    const counts = gain(1) !== gain(0);
    const share = counts ? gain(game.score) * (book.by_game ? factor : 1) : 0;
    return { game, counts, share, expected: book.by_game && counts ? 1 - gain(1) : null };
  });
  const apart = Math.abs(sum(lines.map((line) => line.share)) - change) < 1e-6;
  for (const game of games) game.what.replaceChildren();
  for (const { game, counts, share, expected } of lines) {
    if (!counts) {
      game.what.append(says.counts_not);
      continue;
    }
    const part = (name, value, text) =>
      game.what.append(made("span", "", `${says[name]} `, valued(made("b", "", text), name, value)));
    part("difference", own - game.rating, signed(own - game.rating));
    if (expected !== null) part("expected", expected, plain(expected, 3));
    if (apart) part("share", share, signed(share));
  }
  const steps = made("ol", "live-steps");
  if (book.by_game) {
    const expected = score - ask("ELO_CHANGE", 1, rated);
    step(steps, "expected", says.expected, expected, plain(expected, 3), `${book.difference} ${book.expected}`);
    step(steps, "score", says.score, score, plain(score, 1));
    step(steps, "k", says.factor, factor, plain(factor), typedK === "" ? book.k : "");
    const way = `${plain(factor)} \u00d7 (${plain(score, 1)} \u2212 ${plain(expected, 3)}) = `;
    step(steps, "change", says.change, change, way + signed(change), apart ? "" : says.together);
  } else {
    step(steps, "score", says.score, score, plain(score, 1));
    if (typeof factor === "number") step(steps, "k", says.factor, factor, plain(factor), book.k);
    step(steps, "change", says.change, change, signed(change), apart ? "" : says.together);
  }
  step(steps, "new", says.new, next, `${plain(own)} ${signed(change).replace(/^([+\u2212])/, "$1 ")} \u2192 ${plain(next)}`,
    book.change);
  const strength = ELO.call("ELO_PERFORMANCE", [...columns(rated), book.performance_by]);
  if (typeof strength === "number") {
    step(steps, "performance", says.performance, strength, plain(strength, 0), book.performance);
  }
  const from = made("span", "live-from", `${plain(own)} \u2192 `);
  const by = made("span", next >= own ? "live-up" : "live-down", ` ${signed(next - own)}`);
  const answer = big("answer", next, plain(next), from);
  answer.append(by);
  place.replaceChildren(answer, steps);
}

function match(name, book) {
  unread = false;
  const place = document.getElementById("match-answer"), most = Number(place.dataset.most);
  const [one, two, length] = ["one", "two", "many"].map((key) => typed(named(key)));
  if (unread) return told(place, says.unreadable);
  if (!one || !two || !(length >= 1 && length <= most) || length % 1) {
    return told(place, fill(says.no_match, { games: most }));
  }
  const draws = named("draws").checked ? "split" : 0;
  const [[win, draw, loss]] = ELO.call("ELO_OUTCOMES", [one, two, draws, book.model]);
  const halves = Array.from({ length: 2 * length + 1 }, (_, half) => half);
  const score = halves.map((half) => [half / 2]);
  const ask = (kind) => ELO.call("ELO_MATCH", [one, two, length, score, kind, draws, book.model]).flat();
  const exactly = ask("exactly"), least = ask("at least");
  const first = sum(exactly.slice(length + 1)), second = sum(exactly.slice(0, length));
  const mean = sum(exactly.map((p, half) => (p * half) / 2));
  const cell = (name, value, text = percent(value)) =>
    valued(made("td", "live-number", text), name, value);
  const head = (text, scope) => {
    const one = made("th", "", text);
    one.scope = scope;
    return one;
  };
  const row = (title, ...cells) => made("tr", "", head(title, "row"), ...cells);
  const table = (...inside) => made("table", "live-table", ...inside);
  const heads = (...cells) => made("thead", "", made("tr", "", ...cells));
  const right = (text) => {
    const one = head(text, "col");
    one.className = "live-number";
    return one;
  };
  const summary = table(heads(made("td"), right(`${says.first} ${plain(one)}`), right(`${says.second} ${plain(two)}`)),
    made("tbody", "",
      row(says.match_win, cell("win_one", first), cell("win_two", second)),
      row(says.match_tie, cell("tie", exactly[length]), cell("tie_two", exactly[length])),
      row(says.match_points, cell("mean", mean, plain(mean)), cell("mean_two", length - mean, plain(length - mean))),
      row(says.game_win, cell("game_one", win), cell("game_two", loss)),
      row(says.game_draw, cell("game_draw", draw), cell("game_draw_two", draw))));
  const highest = Math.max(...exactly);
  const lines = halves.filter((half) => exactly[half] > 0).reverse().map((half) => {
    const bar = made("span", "live-bar");
    bar.style.width = `${(100 * exactly[half]) / highest}%`;
    const drawn = made("td", "live-drawn", bar);
    drawn.ariaHidden = "true";
    const line = row(`${points(half)} : ${points(2 * length - half)}`,
      cell(`exactly_${half}`, exactly[half]), cell(`least_${half}`, least[half]), drawn);
    line.firstChild.className = "live-score";
    return line;
  });
  const scores = heads(head(says.match_score, "col"), right(says.exactly), right(says.least), made("td"));
  place.replaceChildren(summary, made("p", "live-note", says[`model_${book.model}`]),
    table(scores, made("tbody", "", ...lines)));
}

function firstRating(name, book) {
  unread = false;
  const place = document.getElementById("first-answer");
  document.getElementById("guessed").hidden = !book.takes_guess;
  const guess = book.takes_guess ? typed(named("guess")) : "";
  const rated = readGames(document.getElementById("met")).filter((game) => game.rating);
  if (unread) return told(place, says.unreadable);
  if (!rated.length) return told(place, says.no_opponent);
  const score = sum(rated.map((game) => game.score)), games = rated.length;
  const found = ELO.call("ELO_INITIAL", [...columns(rated), name, guess]);
  const has = typeof found === "number";
  const why = games < book.first_games ? fill(says.why_few, { games: book.first_games })
    : !score && !book.zero_counts ? says.why_zero
    : has && book.first_floor !== null && found < book.first_floor ? fill(says.why_low, { floor: book.first_floor })
    : has ? says.why_good : "";
  const published = why === says.why_good;
  const steps = made("ol", "live-steps");
  const average = sum(rated.map((game) => game.rating)) / games;
  step(steps, "average", says.average, average, plain(average));
  step(steps, "first_score", says.score, score, `${plain(score, 1)} / ${games} = ${plain((100 * score) / games, 1)}\u00a0%`);
  if (has) step(steps, "computed", says.computed, found, plain(found), book.first);
  step(steps, "published", says.reason, why, why || "\u2013", has ? "" : book.first);
  place.replaceChildren(published ? big("first", found, plain(found)) : big("first", "", says.no_first), steps);
}

function compute() {
  const name = named("rules").value, book = RULES[name];
  named("k").closest(".live-field").hidden = !book.takes_k;
  form.querySelector("[for=before]").textContent = book.counts_events ? says.index : says.games;
  newRating(name, book);
  match(name, book);
  firstRating(name, book);
}

for (const list of form.querySelectorAll("[data-games]")) {
  for (const line of list.dataset.games.split(", ")) addGame(list, ...line.split(" "));
}
form.addEventListener("click", (event) => {
  const list = document.getElementById(event.target.dataset.add);
  if (!list) return;
  addGame(list).focus();
  compute();
});
form.addEventListener("input", compute);
form.addEventListener("submit", (event) => event.preventDefault());
compute();
}
