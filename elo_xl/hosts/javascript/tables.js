// The functions that take whole tables: of players, and of games. What they say of a rulebook comes
// from the same formulas as everything else (FACTS).

// -- reading --------------------------------------------------------------------------------------

const LINES = new RegExp(`[${SPACE}]+`, "g");
// A name as it is shown, without needless blanks; a number is a name, too; or an error.
const nameOf = (v) => {
  if (v == null) return "";
  if (typeof v === "boolean") return v ? "True" : "False";
  return typeof v === "string" ? strip(v).replace(LINES, " ") : isError(v) ? v : String(v);
};
const keyOf = (name) => name.toUpperCase().toLowerCase(); // as capitals ß is SS
const firstError = (...values) => values.find(isError);
const linesOf = (g) => Array.from({ length: g.rows }, (_, i) =>
  g.cells.slice(i * g.columns, (i + 1) * g.columns));

// The players of a side; without a separator the whole cell is a name.
const sideOf = (cell, cut) => {
  const name = nameOf(cell);
  return cut && !isError(name) ? name.split(cut).map(strip) : [name];
};
const keysOf = (names) => names.map((name) => (isError(name) ? "" : keyOf(name)));
const unfit = (names) => {
  const keys = keysOf(names.filter((name) => !isError(name)));
  return keys.includes("") || new Set(keys).size < keys.length ? VALUE : undefined;
};

// A row of games: the players of both sides, their keys, the first side's score; `error` if it
// cannot be read, `blank` if a name is missing or nothing was played.
const readGame = (row, scoreOf, cut) => {
  const sides = [sideOf(row[0], cut), sideOf(row[1], cut)], names = sides.flat();
  const score = scoreOf(row[2] ?? null);
  const blank = sides.some((side) => side.length === 1 && side[0] === "");
  const error = firstError(...names) || (blank ? undefined : unfit(names) || firstError(score));
  const keys = keysOf(names);
  return { sides, names, keys, score, error, blank: !error && (blank || score === "") };
};
const scoring = () => {
  const scores = new Map();
  return (typed) => scores.get(typed) ?? scores.set(typed, ELO_SCORE(typed)).get(typed);
};
const readGames = (g) => {
  const scoreOf = scoring();
  return linesOf(g).map((row) => readGame(row, scoreOf));
};
// How many points the first side has more in a cell such as 11:7.
const leadOf = (typed) => {
  const at = typeof typed === "string" ? typed.indexOf(":") : -1;
  const both = at < 0 ? [] : [typed.slice(0, at), typed.slice(at + 1)].map(number1);
  return both.length && both.every((x) => typeof x === "number") ? both[0] - both[1] : undefined;
};
// Where results are wanted, two columns are winners and losers. A result such as 1:0 is one of
// chess, unless another cell has points that are none there; points have a margin.
const readResults = (g, cut, points = false) => {
  const lines = g.columns === 2 ? linesOf(g).map((row) => [...row, 1]) : linesOf(g), plain = scoring();
  const played = points && lines.some((row) => leadOf(row[2]) !== undefined && isError(plain(row[2])));
  const scoreOf = (typed) => {
    const lead = played ? leadOf(typed) : undefined;
    return lead === undefined ? plain(typed) : (1 + Math.sign(lead)) / 2;
  };
  return lines.map((row) => ({ ...readGame(row, scoreOf, cut), by: played ? leadOf(row[2]) : undefined }));
};
// The number beside each game, 1 for a blank; one cell is for all games.
const beside = (games, given, whole) => {
  const alone = given.rows * given.columns === 1;
  if (!alone && (given.columns > 1 || given.rows !== games.rows)) throw NA;
  return Array.from({ length: games.rows }, (_, i) => {
    const x = notBelow0(given.cells[alone ? 0 : i]);
    return x === "" ? 1 : (whole ? typeof x === "number" && x % 1 : x > MOST) ? NUM : x;
  });
};

// Players by name in the first column, with numbers in the others. A name that occurs twice is an
// error of both rows.
const readPlayers = (g, ...columns) => {
  const index = new Map(), twice = new Set();
  const players = linesOf(g).map((row, i) => {
    const name = nameOf(row[0]), numbers = columns.map((read, j) => read(row[j + 1]));
    let error = isError(name) ? name : undefined;
    if (!error && name) {
      const key = keyOf(name);
      if (index.has(key)) {
        error = VALUE;
        twice.add(index.get(key));
      } else index.set(key, i);
    }
    return { name: String(name), blank: name === "", error, numbers };
  });
  for (const [i, player] of players.entries()) {
    if (twice.has(i)) player.error = VALUE;
    if (!player.blank) player.error = player.error || firstError(...player.numbers);
    if (player.error || player.blank) player.numbers = columns.map(() => "");
  }
  return { players, index };
};
const notBelow0 = (v) => ((v = number1(v)) < 0 ? NUM : v);
const rated1 = (v) => ((v = number1(v)) === 0 ? "" : v);

// Ratings that differ by rounding are the same; so are those that are not finite.
const byRatingThenName = (rating, name) => (a, b) => {
  const [one, other] = [keyOf(name(a)), keyOf(name(b))];
  const ahead = Math.sign(Math.round(rating(b) * 1e6) - Math.round(rating(a) * 1e6));
  return ahead || (one < other ? -1 : +(one > other));
};

const calibration = (...args) => linesOf(ELO_CALIBRATION(...args));

// -- a rating period ------------------------------------------------------------------------------

const PERIOD = ["name", "rating", "K", "games", "score", "expected", "change", "new rating",
  "performance"];

function period(table, games, book, labels) {
  if (!FACTS.apart(book)) throw VALUE;
  const ownK = (v) => (option(v) === "auto" ? "" : notBelow0(v));
  const { players, index } = readPlayers(table, rated1, ownK, notBelow0, notBelow0, rated1);
  const wrong = [], found = [];
  for (const game of readGames(games)) {
    if (game.names.includes("")) continue;
    const at = game.keys.map((key) => index.get(key));
    let error = game.error;
    if (at.includes(undefined)) {
      error = firstError(...game.names) || NA;
      if (at[0] === undefined && at[1] === undefined) throw error;
    }
    if (error) at.forEach((i) => i !== undefined && wrong.push([i, error]));
    else if (!game.blank) found.push([...at, game.score]);
  }
  // an error reaches opponents, but not theirs in turn
  const before = players.map((player) => player.error);
  for (const [one, two] of found) wrong.push([one, before[two]], [two, before[one]]);
  for (const [i, error] of wrong) players[i].error = players[i].error || error;
  const met = players.map(() => []), got = players.map(() => []);
  const side = (i, j, score) => {
    const theirs = players[j].numbers[0], own = players[i].numbers[0];
    if (theirs === "" || !FACTS.counts(book, own === "" ? theirs : own, theirs)) return;
    met[i].push(theirs);
    got[i].push(score);
  };
  for (const [one, two, score] of found) {
    if (before[one] || before[two]) continue;
    side(one, two, score);
    side(two, one, 1 - score);
  }
  const rows = players.map((player, i) => {
    const [rating, k, ...others] = player.numbers;
    if (player.error) return [player.name, rating || player.error, ...Array(7).fill(player.error)];
    if (player.blank) return Array(9).fill("");
    const numbers = figures(book, rating, k, others, columnOf(met[i]), columnOf(got[i]));
    return [player.name, rating, ...numbers];
  });
  return labels ? [PERIOD, ...rows] : rows;
}

// K, games, score, expected score, change, new rating and performance of one player.
function figures(book, rating, k, [games, age, peak], met, got) {
  const played = met.rows, score = SUM(got);
  const strength = played ? ELO_PERFORMANCE(met, got, FACTS.performance(book)) : "";
  if (rating === "") {
    const first = played ? ELO_INITIAL(met, got, book) : "";
    const told = typeof first === "number" && first >= FACTS.first_floor(book) &&
      played >= FACTS.first_games(book) && (score > 0 || FACTS.zero_counts(book));
    return ["", played, score, "", "", told ? first : "", strength];
  }
  if (k === "") k = ELO_K(rating, games, age, peak, undefined, book);
  const most = FACTS.most_points(book);
  if (k * played > most) k = Math.floor(most / played);
  if (!played) return [k, 0, 0, 0, 0, FACTS.rounded(book, rating, 0, peak), strength];
  const change = (factor) => ELO_CHANGE(rating, factor, met, got, book, games, age, peak);
  const gained = change(k), expected = sub(score, change(1));
  return [k, played, score, expected, gained, FACTS.rounded(book, rating, gained, peak), strength];
}

// -- game after game ------------------------------------------------------------------------------

const MOST = 1e6;
const withinMost = (read) => (v) => (Math.abs((v = read(v))) > MOST ? NUM : v);

// What stands between the players of a side, and whether its rating is the sum of theirs.
function readSides(typed) {
  const word = typed === null ? "" : strip(String(typed)), at = word.lastIndexOf(":");
  const cut = strip(word.slice(0, Math.max(at, 0)));
  const total = cut !== "" && strip(word.slice(at + 1)).toLowerCase() === "sum";
  return { cut: total ? cut : word, total };
}

function curveOf(model) {
  const [name, scale] = model.split(":");
  const wide = scale === undefined ? 1 : Number(scale) / { normal: 200, logistic: 400 }[name];
  return (d) => FACTS.expected(d / wide, name);
}

const oneNumber = (g, read, usual) => {
  if (g.rows * g.columns > 1) throw NA;
  const x = read(g.cells[0]);
  if (isError(x)) throw x;
  return x === "" ? usual : x;
};

// K of a player by the games so far, or their own.
function readK(given) {
  const steps = [], own = new Map();
  if (given.columns === 1) steps.push([0, oneNumber(given, withinMost(notBelow0), 20)]);
  else {
    for (const [what, cell] of linesOf(given)) {
      const from = notBelow0(what), k = withinMost(notBelow0)(cell);
      if (from === "") continue;
      const name = from === VALUE && !isError(what) ? keyOf(nameOf(what)) : "";
      const error = firstError(k) || (name ? undefined : firstError(from));
      if (error) throw error;
      if (k === "" || (name ? own.has(name) : steps.some(([x]) => x === from))) throw VALUE;
      if (name) own.set(name, k);
      else steps.push([from, k]);
    }
    if (!steps.length) steps.push([0, 20]);
    steps.sort((a, b) => a[0] - b[0]);
  }
  return (player) => {
    const key = keyOf(player.name), games = player.games || 0;
    if (own.has(key)) return own.get(key);
    return (steps.filter(([from]) => from <= games).pop() || steps[0])[1];
  };
}

// Who plays: those of the table of first ratings, then the others as they come.
function fieldOf(start, k) {
  const table = start.columns > 1;
  const first = table ? 1500 : oneNumber(start, withinMost(number1), 1500);
  const { players, index } = readPlayers(table ? start : new Grid(0, 1, []),
    withinMost(rated1));
  for (const player of players) {
    const [rating] = player.numbers;
    player.rating = rating === "" ? first : rating;
  }
  const field = { players, first, factor: readK(k), lost: undefined };
  field.of = (names) => names.filter((name) => name !== "" && !isError(name)).map((name) => {
    const key = keyOf(name);
    if (!index.has(key)) index.set(key, players.push({ name, rating: first }) - 1);
    return players[index.get(key)];
  });
  field.fault = (names) => firstError(...keysOf(names).map((key) =>
    index.has(key) ? players[index.get(key)].error : undefined));
  // a game that cannot be read is an error of its players
  field.mark = (names, error) => {
    const known = field.of(names);
    if (!known.length) field.lost = field.lost || error;
    for (const player of known) player.wrong = player.wrong || error;
  };
  // a row per player, by rating, then by name; those with errors come last
  field.rows = (figures) => {
    if (field.lost) throw field.lost;
    for (const p of players) p.error = p.error || p.wrong;
    const rows = players.filter((p) => !p.error && !p.blank)
      .sort(byRatingThenName((p) => p.rating, (p) => p.name))
      .map((p) => [p.name, p.rating, ...figures(p)]);
    const width = figures({}).length + 1;
    for (const p of players) if (p.error) rows.push([p.name, ...Array(width).fill(p.error)]);
    return rows.length ? rows : [Array(width + 1).fill("")];
  };
  return field;
}
const levelOf = (side, total) =>
  side.reduce((sum, player) => sum + player.rating, 0) / (total ? 1 : side.length);

function runOf(games, k, start, home, model, margin, reversion, mean, sides, weights) {
  const field = fieldOf(start, k), { cut, total } = readSides(sides), curve = curveOf(model);
  const target = mean === null ? field.first : mean, heavy = beside(games, weights);
  if (Math.abs(home) > MOST || Math.abs(target) > MOST) throw NUM;
  let season = "", seasons = 0;
  const rows = readResults(games, cut, true).map((game, i) => {
    const typed = games.cells.slice(i * games.columns + 3, (i + 1) * games.columns).slice(0, 3);
    const label = reversion ? nameOf(typed[1]) : "";
    if (label && !isError(label) && keyOf(label) !== season) {
      seasons += season ? 1 : 0;
      season = keyOf(label);
    }
    const given = margin === null ? 0 : number1(typed[0]), by = given === "" ? game.by ?? "" : given;
    const neutral = home ? number1(typed[2]) : 0;
    if (game.blank) return ["", ""];
    const unknown = by === "" && game.score !== 0.5 ? VALUE : by;
    const error = game.error ||
      firstError(field.fault(game.names), unknown, label, neutral, heavy[i]);
    if (error) {
      field.mark(game.names, error);
      return [error, error];
    }
    const [one, two] = game.sides.map(field.of);
    for (const player of [...one, ...two]) {
      if (reversion && player.season !== undefined && player.season !== seasons) {
        player.rating = target + (1 - reversion) * (player.rating - target);
      }
      player.season = seasons;
    }
    const d = levelOf(one, total) + (neutral ? 0 : home) - levelOf(two, total);
    const gain = heavy[i] * weightOf(margin, Math.abs(by), d, game.score) * (game.score - curve(d));
    for (const player of one) tally(player, game.score, field.factor(player) * gain);
    for (const player of two) tally(player, 1 - game.score, -field.factor(player) * gain);
    return [levelOf(one, total), levelOf(two, total)];
  });
  return { rows, field };
}

function weightOf(margin, by, d, score) {
  if (margin === "goals") return by < 2 ? 1 : by < 3 ? 1.5 : (11 + by) / 8;
  if (margin === null) return 1;
  const won = Math.sign(score - 0.5);
  return (2.2 * Math.log1p(Math.max(by, 1))) / (0.001 * won * d + (won ? 2.2 : 1));
}

function tally(player, score, change) {
  const before = player.rating;
  player.rating += change;
  player.change = player.rating - before;
  player.games = (player.games || 0) + 1;
  player.counts = player.counts || [0, 0, 0];
  player.counts[2 - 2 * score] += 1;
  const sign = Math.sign(score - 0.5);
  player.streak = score === player.latest ? player.streak + sign : sign;
  player.latest = score;
}

const run = (...args) => runOf(...args).rows;

const LADDER = ["name", "rating", "games", "wins", "draws", "losses", "streak", "last change"];

function ladder(games, k, start, home, model, labels, ...others) {
  const { field } = runOf(games, k, start, home, model, ...others);
  const rows = field.rows((p) => [p.games || 0, ...(p.counts || [0, 0, 0]), p.streak || 0,
    p.games ? p.change : ""]);
  return labels ? [LADDER, ...rows] : rows;
}

// -- orders of finish, even sides -----------------------------------------------------------------

const PLACES = ["name", "rating", "tables", "firsts", "mean place", "last change"];

function places(games, k, start, model, labels, sides) {
  const field = fieldOf(start, k), { cut, total } = readSides(sides), curve = curveOf(model);
  for (const row of linesOf(games)) {
    const lineup = [], place = [];
    let alone;
    for (const cell of row) {
      const typed = nameOf(cell);
      const shared = !isError(typed) && (typed.startsWith("=") || typed.endsWith("="));
      if (typed === "") continue;
      if (shared && !place.length) alone = VALUE;
      place.push(shared && place.length ? place[place.length - 1] : place.length + 1);
      lineup.push(sideOf(shared ? typed.replace(/^[= ]+|[= ]+$/g, "") : typed, cut));
    }
    const names = lineup.flat(), n = lineup.length, named = firstError(...names);
    if (!named && n < 2) continue;
    const error = named || alone || unfit(names) || field.fault(names);
    if (error) {
      field.mark(names, error);
      continue;
    }
    const seats = lineup.map(field.of), level = seats.map((side) => levelOf(side, total));
    const gain = level.map((own, i) => level.reduce((sum, other, j) => {
      const score = 0.5 + 0.5 * Math.sign(place[j] - place[i]);
      return i === j ? sum : sum + (score - curve(own - other)) / (n - 1);
    }, 0));
    seats.forEach((side, i) => side.forEach((player) => {
      player.change = field.factor(player) * gain[i];
      player.rating += player.change;
      player.games = (player.games || 0) + 1;
      player.firsts = (player.firsts || 0) + (place[i] === 1);
      player.places = (player.places || 0) + place[i];
    }));
  }
  const rows = field.rows((p) => [p.games || 0, p.firsts || 0,
    ...(p.games ? [p.places / p.games, p.change] : ["", ""])]);
  return labels ? [PLACES, ...rows] : rows;
}

function teams(players, ratings, parts) {
  const names = players.cells.map(nameOf), own = ratings.cells.map(rated1), known = new Set();
  const error = firstError(...names) || firstError(...own);
  if (error) throw error;
  if (names.length !== own.length) throw NA;
  const here = names.map((_, i) => i).filter((i) => names[i] !== "");
  for (const i of here) {
    if (own[i] === "" || known.has(keyOf(names[i]))) throw VALUE;
    known.add(keyOf(names[i]));
  }
  if (here.length < parts) throw NUM;
  here.sort((i, j) => own[j] - own[i] || i - j);
  const rating = here.map((i) => own[i]);
  const side = parts === 2 && here.length <= 16 ? bestOfAll(rating) : bySwaps(rating, parts);
  const lead = side[0], strength = [];
  const number = side.map((x) => (x === lead ? 0 : x === 0 ? lead : x));
  for (let s = 0; s < parts; s++) {
    const these = rating.filter((_, i) => number[i] === s);
    strength.push(these.reduce((a, b) => a + b, 0) / these.length);
  }
  const chance = strength.map((x) => (strength.reduce(
    (sum, y) => sum + FACTS.expected(x - y, "normal"), 0) - 0.5) / (parts - 1));
  return here.map((_, i) => i).sort((i, j) => number[i] - number[j] || i - j).map((i) =>
    [number[i] + 1, names[here[i]], rating[i], strength[number[i]], chance[number[i]]]);
}

const toSix = (x) => Math.round(x * 1e6) / 1e6;
function bestOfAll(rating) {
  const n = rating.length, sum = rating.reduce((a, b) => a + b, 0);
  let best = 0, least = Infinity;
  for (let way = 0; way < 1 << (n - 1); way++) {
    let size = 0, theirs = 0;
    for (let i = 1; i < n; i++) {
      if ((way >> (i - 1)) & 1) {
        size += 1;
        theirs += rating[i];
      }
    }
    const gap = toSix(Math.abs(size * (sum - theirs) - (n - size) * theirs));
    if (Math.abs(n - 2 * size) <= 1 && gap < least) [best, least] = [way, gap];
  }
  return rating.map((_, i) => (i ? (best >> (i - 1)) & 1 : 0));
}
function bySwaps(rating, parts) {
  const side = rating.map((_, i) => {
    const seat = i % parts;
    return Math.floor(i / parts) % 2 ? parts - 1 - seat : seat;
  });
  const held = Array(parts).fill(0);
  for (const s of side) held[s] += 1;
  for (let turn = 0; turn < 50; turn++) {
    const pool = Array(parts).fill(0);
    side.forEach((s, i) => (pool[s] += rating[i]));
    const one = (i, j) => {
      const more = rating[j] - rating[i];
      return ((2 * pool[side[i]] + more) * more) / held[side[i]];
    };
    let least = 0, pair;
    for (let i = 0; i < side.length; i++) {
      for (let j = 0; j < side.length; j++) {
        const gain = side[i] === side[j] ? 0 : toSix(one(i, j) + one(j, i));
        if (gain < least) [least, pair] = [gain, [i, j]];
      }
    }
    if (!pair) break;
    const [i, j] = pair;
    [side[i], side[j]] = [side[j], side[i]];
  }
  return side;
}

// -- all games at once ----------------------------------------------------------------------------

const FIT = ["name", "rating", "standard error", "games", "score", "expected"];
const UNIT = 400 / Math.LN10; // points

function fit(games, anchor, level, draws, labels, home, counts) {
  const names = [], index = new Map(), pairs = new Map(), often = beside(games, counts, true);
  for (const [i, game] of readResults(games).entries()) {
    const error = game.error || firstError(often[i]);
    if (error) throw error;
    if (game.blank || !often[i]) continue;
    const [one, two] = game.keys.map((key, j) => {
      if (!index.has(key)) index.set(key, names.push(game.names[j]) - 1);
      return index.get(key);
    });
    const key = one + " " + two;
    if (!pairs.has(key)) pairs.set(key, { one, two, outcomes: [0, 0, 0] });
    pairs.get(key).outcomes[2 * game.score] += often[i];
  }
  const anchors = new Map();
  for (const [cell, typed] of linesOf(anchor)) {
    const name = anchor.cells.length === 1 && cell === 0 ? "" : nameOf(cell);
    if (name === "") continue;
    const rating = rated1(typed), error = firstError(name, rating);
    if (error) throw error;
    if (!index.has(keyOf(name))) throw NA;
    if (anchors.has(index.get(keyOf(name)))) throw VALUE;
    anchors.set(index.get(keyOf(name)), rating === "" ? level : rating);
  }
  if (!names.length) return [labels ? FIT : Array(6).fill("")];
  const told = home === "fitted" && games.columns !== 2;
  const lead = typeof home === "number" ? home / UNIT : 0;
  const rules = { davidson: draws === "davidson", told, lead };
  const done = fitted([...pairs.values()], names.length, anchors, level, rules);
  const unknown = (i) => (Number.isFinite(done.rating[i]) ? 0 : done.connected[i] ? 1 : 2);
  // who won all games comes before, who lost all after those of whom nothing is known
  const ranked = (x) => (x !== x ? 0 : Math.max(-1e9, Math.min(x, 1e9)));
  const byRating = byRatingThenName((i) => ranked(done.rating[i]), (i) => names[i]);
  const rows = names.map((_, i) => i)
    .sort((a, b) => unknown(a) - unknown(b) || byRating(a, b))
    .map((i) => {
      const told = [[done.rating[i], done.error[i]], [NUM, NUM], [NA, NA]][unknown(i)];
      return [names[i], ...told, done.games[i], done.score[i], done.expected[i]];
    });
  return labels ? [FIT, ...rows] : rows;
}

// The parts of a graph in which everybody reaches everybody: Tarjan's, without recursion.
function strongParts(next) {
  const size = next.length, open = [];
  const part = Array(size).fill(-1), at = Array(size).fill(-1), low = Array(size);
  let count = 0, parts = 0;
  for (let root = 0; root < size; root++) {
    if (at[root] >= 0) continue;
    const path = [[root, 0]];
    while (path.length) {
      const top = path[path.length - 1], [v] = top;
      if (top[1] === 0) {
        at[v] = low[v] = count++;
        open.push(v);
      }
      if (top[1] < next[v].length) {
        const w = next[v][top[1]++];
        if (at[w] < 0) path.push([w, 0]);
        else if (part[w] < 0) low[v] = Math.min(low[v], at[w]);
        continue;
      }
      path.pop();
      if (path.length) {
        const [u] = path[path.length - 1];
        low[u] = Math.min(low[u], low[v]);
      }
      if (low[v] === at[v]) {
        let w;
        do part[(w = open.pop())] = parts;
        while (w !== v);
        parts++;
      }
    }
  }
  return part;
}

// The inverse of a symmetric, positive matrix, or null.
function inverse(matrix) {
  const n = matrix.length, l = matrix.map((row) => Float64Array.from(row));
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = l[i][j];
      for (let k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
      if (i === j) {
        if (!(sum > 0)) return null;
        l[j][j] = Math.sqrt(sum);
      } else l[i][j] = sum / l[j][j];
    }
  }
  const r = l.map(() => new Float64Array(n)); // the inverse of l, by columns
  for (let j = 0; j < n; j++) {
    r[j][j] = 1 / l[j][j];
    for (let i = j + 1; i < n; i++) {
      let sum = 0;
      for (let k = j; k < i; k++) sum -= l[i][k] * r[j][k];
      r[j][i] = sum / l[i][i];
    }
  }
  const result = l.map(() => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = i; k < n; k++) sum += r[i][k] * r[j][k];
      result[i][j] = result[j][i] = sum;
    }
  }
  return result;
}

// The most likely ratings, as elo_xl.engine.fit describes them: Newton's steps to the maximum.
// All anchors are one player of the model, from whom each is a known way off.
function fitted(pairs, size, anchors, level, rules) {
  const known = [...anchors.keys()], anchor = known.length ? known[0] : -1;
  if (known.length) level = anchors.get(anchor);
  const seat = (i) => (anchors.has(i) ? anchor : i);
  const off = (i) => (anchors.has(i) ? (anchors.get(i) - level) / UNIT : 0);
  const zeros = () => new Float64Array(size);
  const games = zeros(), score = zeros(), expected = zeros();
  const scored = Array.from({ length: size }, () => []), touched = scored.map(() => []);
  for (const p of pairs) {
    const [lost, drawn, won] = p.outcomes;
    p.games = lost + drawn + won;
    p.score = won + drawn / 2;
    games[p.one] += p.games;
    games[p.two] += p.games;
    score[p.one] += p.score;
    score[p.two] += p.games - p.score;
    p.from = seat(p.one);
    p.to = seat(p.two);
    p.off = off(p.one) - off(p.two);
    if (won + drawn) scored[p.from].push(p.to);
    if (lost + drawn) scored[p.to].push(p.from);
    touched[p.from].push(p.to);
    touched[p.to].push(p.from);
  }
  const part = strongParts(scored), whole = strongParts(touched);
  const members = [];
  part.forEach((at, i) => (members[at] = members[at] || []).push(i));
  let main = 0;
  members.forEach((own, at) => {
    const best = members[main];
    if (own.length > best.length || (own.length === best.length && own[0] < best[0])) main = at;
  });
  if (anchor >= 0) main = part[anchor];
  const inner = pairs.filter((p) => part[p.from] === part[p.to]);
  const model = climbed(inner, size, members, rules);
  let group = members[main] || [];
  if (group.length === 1 && anchor < 0) group = [];
  const rating = zeros().fill(NaN), error = zeros().fill(NaN);
  const connected = whole.map((at) => at === whole[members[main][0]]);
  for (let i = 0; i < size; i++) {
    if (connected[i] && score[i] === games[i]) rating[i] = Infinity;
    if (connected[i] && score[i] === 0) rating[i] = -Infinity;
  }
  const mean = group.reduce((sum, i) => sum + model.own[i], 0) / group.length;
  const zero = anchor < 0 ? mean : model.own[anchor];
  const variances = model.variances(main, anchor);
  group.forEach((i, j) => {
    rating[i] = level + (model.own[i] - zero) * UNIT;
    if (group.length > 1) error[i] = Math.sqrt(variances[j]) * UNIT;
  });
  for (const [i, fixed] of anchors) [rating[i], error[i], connected[i]] = [fixed, 0, true];
  for (const p of pairs) {
    const awaited = p.ahead === undefined ? p.score : (p.games * (1 + p.ahead)) / 2;
    expected[p.one] += awaited;
    expected[p.two] += p.games - awaited;
  }
  return { rating, error, games, score, expected, connected };
}

// In units of 174 points, with a = d/2 and draws at n = ln ν, the likelihood's logarithm is the sum
// of (won - lost)·a + drawn·n - games·ln(e^a + e^n + e^-a).
function climbed(pairs, size, members, { davidson, told, lead: given }) {
  const sum = (of) => pairs.reduce((total, p) => total + of(p), 0);
  for (const p of pairs) {
    p.lead = p.outcomes[2] - p.outcomes[0];
    p.drawn = davidson ? p.outcomes[1] : 0;
  }
  const drawn = sum((p) => p.drawn), decided = sum((p) => p.games) - drawn;
  const endless = (at) => members[at].map(() => Infinity);
  const nothing = { own: new Float64Array(size), variances: endless };
  if (!pairs.length) return nothing;
  if (drawn && !decided) {
    for (const p of pairs) p.ahead = 0;
    return nothing;
  }
  const places = Array(size), partOf = Array(size), parts = [];
  members.forEach((own, at) => {
    if (own.length > 1) parts.push(at);
    own.forEach((i, j) => ([places[i], partOf[i]] = [j, at]));
  });
  let own = new Float64Array(size), home = given, nu = (2 * drawn) / Math.max(decided, 1), known;
  const fits = [told, drawn > 0];

  const look = (strengths, lead, draw) => {
    let total = drawn ? drawn * Math.log(draw) : 0;
    for (const p of pairs) {
      p.d = strengths[p.from] - strengths[p.to] + p.off + lead;
      const root = Math.exp(-0.5 * Math.abs(p.d));
      p.square = root * root;
      p.tied = draw * root;
      p.sum = 1 + p.tied + p.square;
      p.ahead = (Math.sign(p.d) * (1 - p.square)) / p.sum;
      total += 0.5 * p.lead * p.d - 0.5 * p.games * Math.abs(p.d) - p.games * Math.log(p.sum);
    }
    return total;
  };
  const flow = (of) => {
    const into = new Float64Array(size);
    for (const p of pairs) {
      const x = of(p);
      into[p.from] += x;
      into[p.to] -= x;
    }
    return into;
  };
  const dot = (a, b) => a.reduce((total, x, i) => total + x * b[i], 0);
  // The information: of the differences (inverted, part by part), and of both parameters.
  const weigh = () => {
    for (const p of pairs) {
      const weight = p.games / (p.sum * p.sum), tied = weight * p.tied * (1 + p.square);
      p.info = weight * p.square + 0.25 * tied;
      p.spread = tied;
      p.both = (-0.5 * p.games * p.ahead * p.tied) / p.sum;
    }
    const inverses = [];
    for (const at of parts) {
      inverses[at] = members[at].map((_i, _j, own) => new Float64Array(own.length));
    }
    for (const p of pairs) {
      if (p.from === p.to) continue;
      const matrix = inverses[partOf[p.from]], i = places[p.from], j = places[p.to];
      matrix[i][i] += p.info;
      matrix[j][j] += p.info;
      matrix[i][j] -= p.info;
      matrix[j][i] -= p.info;
    }
    for (const at of parts) {
      const matrix = inverses[at], n = matrix.length;
      const shift = matrix.reduce((total, row, i) => total + row[i], 0) / n / n;
      for (const row of matrix) for (let j = 0; j < n; j++) row[j] += shift;
      const inverted = inverse(matrix);
      if (!inverted) throw NUM;
      for (const row of inverted) for (let j = 0; j < n; j++) row[j] -= 1 / (shift * n * n);
      inverses[at] = inverted;
    }
    const solve = (into) => {
      const result = new Float64Array(size);
      for (const at of parts) {
        const flows = members[at].map((i) => into[i]);
        members[at].forEach((i, j) => (result[i] = dot(inverses[at][j], flows)));
      }
      return result;
    };
    const ties = [flow((p) => p.info), flow((p) => p.both)], gives = ties.map(solve);
    const cross = sum((p) => p.both);
    const matrix = [[sum((p) => p.info), cross], [cross, sum((p) => p.spread)]];
    const left = matrix.map((row, i) => row.map((x, j) => x - dot(ties[i], gives[j])));
    return { inverses, solve, ties, gives, matrix, left };
  };
  // The inverse of the part of a matrix of two that is fitted; 0 elsewhere.
  const inverted = ([[a, b], [, d]]) => {
    if (!fits[0] && !fits[1]) return [[0, 0], [0, 0]];
    if (!fits[1]) return [[1 / a, 0], [0, 0]];
    if (!fits[0]) return [[0, 0], [0, 1 / d]];
    const det = a * d - b * b;
    return [[d / det, -b / det], [-b / det, a / det]];
  };

  known = look(own, home, nu);
  for (let step = 1, least = Infinity; !(least < 1e-7); step++) {
    if (step > 60) throw NUM;
    const rest = (p) => 0.5 * (p.lead - p.games * p.ahead);
    const more = drawn - sum((p) => (p.games * p.tied) / p.sum);
    const info = weigh(), flows = info.solve(flow(rest));
    if (step === 1 && info.left[0][0] <= 1e-7 * info.matrix[0][0]) fits[0] = false;
    const slope = [sum(rest) - dot(info.ties[0], flows), more - dot(info.ties[1], flows)];
    const change = inverted(info.left).map((row) => row[0] * slope[0] + row[1] * slope[1]);
    const up = flows.map((x, i) => x - info.gives[0][i] * change[0] - info.gives[1][i] * change[1]);
    least = pairs.reduce(
      (most, p) => Math.max(most, Math.abs(up[p.from] - up[p.to] + change[0])),
      Math.max(Math.abs(change[0]), Math.abs(change[1])));
    if (!(least < Infinity)) throw NUM;
    for (let share = 1; ; share /= 2) {
      const next = own.map((x, i) => x + share * up[i]), lead = home + share * change[0];
      const draw = nu * Math.exp(Math.min(share * change[1], 30));
      const found = look(next, lead, draw);
      if (found >= known - 1e-11 * Math.abs(known) || share * least < 1e-7) {
        [own, home, nu, known] = [next, lead, draw, found];
        break;
      }
    }
    if (!(least < 1e-7) && pairs.some((p) => Math.abs(p.d) > 30)) throw NUM;
  }
  const variances = (at, anchor) => {
    const own = members[at];
    if (own.length < 2) return [NaN];
    const { inverses, gives, left } = weigh(), l = inverses[at], of = inverted(left);
    const a = anchor < 0 ? -1 : places[anchor];
    // the errors of a sandwich, where draws are ignored
    const squares = pairs.map((p) => {
      const [lost, tied, won] = p.outcomes, e = (1 + p.ahead) / 2;
      return won * (1 - e) ** 2 + tied * (0.5 - e) ** 2 + lost * e ** 2;
    });
    return own.map((i, j) => {
      const y = gives.map((column) => column[i] - (a < 0 ? 0 : column[anchor]));
      if (!davidson) {
        const pull = new Float64Array(size), less = y[0] * of[0][0];
        own.forEach((member, m) => (pull[member] = l[j][m] - (a < 0 ? 0 : l[a][m])));
        gives[0].forEach((x, m) => (pull[m] += less * x));
        return pairs.reduce(
          (sum, p, m) => sum + squares[m] * (pull[p.from] - pull[p.to] - less) ** 2, 0);
      }
      const both = y[0] * y[0] * of[0][0] + 2 * y[0] * y[1] * of[0][1] + y[1] * y[1] * of[1][1];
      return Math.max(a < 0 ? l[j][j] + both : l[j][j] + l[a][a] - 2 * l[j][a] + both, 0);
    });
  };
  return { own, variances };
}
