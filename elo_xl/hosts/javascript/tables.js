// The functions that take whole tables: of players, and of games. What they say of a rulebook comes
// from the same formulas as everything else (FACTS).

// -- reading --------------------------------------------------------------------------------------

const LINES = new RegExp(`[${SPACE}]+`, "g");
// A name as it is shown, without needless blanks; a number is a name, too; or an error.
const nameOf = (v) => {
  if (v === null || v === undefined) return "";
  if (typeof v === "boolean") return v ? "True" : "False";
  return typeof v === "string" ? strip(v).replace(LINES, " ") : isError(v) ? v : String(v);
};
const keyOf = (name) => name.toUpperCase().toLowerCase(); // as capitals ß is SS
const firstError = (...values) => values.find(isError);
const linesOf = (g) => Array.from({ length: g.rows }, (_, i) =>
  g.cells.slice(i * g.columns, (i + 1) * g.columns));

// A row of games: the names, their keys, the first player's score; `error` if it cannot be read,
// `blank` if a name is missing or nothing was played.
const readGame = (row, scores) => {
  const names = [nameOf(row[0]), nameOf(row[1])];
  const keys = names.map((name) => (isError(name) ? "" : keyOf(name)));
  const typed = row[2] === undefined ? null : row[2];
  if (!scores.has(typed)) scores.set(typed, ELO_SCORE(typed));
  const score = scores.get(typed);
  const blank = names.includes("");
  let error = blank ? undefined : keys[0] === keys[1] ? VALUE : firstError(score);
  error = firstError(...names) || error;
  return { names, keys, score, error, blank: !error && (blank || score === "") };
};
const readGames = (g) => {
  const scores = new Map();
  return linesOf(g).map((row) => readGame(row, scores));
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
  const ahead = Math.round(rating(b) * 1e6) - Math.round(rating(a) * 1e6);
  return ahead || (one < other ? -1 : +(one > other));
};

const calibration = (...args) => linesOf(ELO_CALIBRATION(...args));

// -- a rating period ------------------------------------------------------------------------------

const PERIOD = ["name", "rating", "K", "games", "score", "expected", "change", "new rating",
  "performance"];

function period(table, games, book, labels) {
  if (!FACTS.takes_k(book)) throw VALUE;
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
const withinMost = (...numbers) => {
  if (numbers.some((x) => Math.abs(x) > MOST)) throw NUM;
};

function runOf(games, k, start, home, model, margin, reversion, mean) {
  let first = 1500, given = new Grid(0, 1, []);
  if (start.columns > 1) given = start;
  else if (start.rows > 1) throw NA;
  else {
    const typed = number1(start.cells[0]);
    if (isError(typed)) throw typed;
    if (typed !== "") first = typed;
  }
  const { players, index } = readPlayers(given, rated1);
  const target = mean === null ? first : mean;
  withinMost(k, first, home, target);
  for (const player of players) {
    const [rating] = player.numbers;
    player.rating = rating === "" ? first : rating;
    withinMost(player.rating);
  }
  let season = "", seasons = 0, lost;
  const rows = readGames(games).map((game, i) => {
    const typed = games.cells.slice(i * games.columns + 3, (i + 1) * games.columns).slice(0, 3);
    const label = reversion ? nameOf(typed[1]) : "";
    if (label && !isError(label) && keyOf(label) !== season) {
      seasons += season ? 1 : 0;
      season = keyOf(label);
    }
    const by = margin === null ? 0 : number1(typed[0]), neutral = home ? number1(typed[2]) : 0;
    if (game.blank) return ["", ""];
    const at = game.keys.map((key) => players[index.get(key)]).filter(Boolean);
    const unknown = by === "" && game.score !== 0.5 ? VALUE : by;
    const error = game.error ||
      firstError(...at.map((player) => player.error), unknown, label, neutral);
    const [one, two] = game.keys.filter((key) => key).map((key) => {
      if (!index.has(key)) {
        index.set(key, players.length);
        players.push({ name: game.names[game.keys.indexOf(key)], rating: first });
      }
      return players[index.get(key)];
    });
    if (error) {
      if (!one) lost = lost || error;
      for (const player of [one, two]) if (player) player.wrong = player.wrong || error;
      return [error, error];
    }
    for (const player of [one, two]) {
      if (reversion && player.season !== undefined && player.season !== seasons) {
        player.rating = target + (1 - reversion) * (player.rating - target);
      }
      player.season = seasons;
    }
    const d = one.rating + (neutral ? 0 : home) - two.rating;
    const change = k * weightOf(margin, Math.abs(by), d, game.score) *
      (game.score - FACTS.expected(d, model));
    tally(one, game.score, change);
    tally(two, 1 - game.score, -change);
    return [one.rating, two.rating];
  });
  return { rows, players, lost };
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

function ladder(games, k, start, home, model, labels, margin, reversion, mean) {
  const { players, lost } = runOf(games, k, start, home, model, margin, reversion, mean);
  if (lost) throw lost;
  for (const p of players) p.error = p.error || p.wrong;
  const listed = players.filter((p) => !p.error && !p.blank)
    .sort(byRatingThenName((p) => p.rating, (p) => p.name));
  const rows = listed.map((p) => [p.name, p.rating, p.games || 0, ...(p.counts || [0, 0, 0]),
    p.streak || 0, p.games ? p.change : ""]);
  for (const p of players) if (p.error) rows.push([p.name, ...Array(7).fill(p.error)]);
  if (!rows.length) rows.push(Array(8).fill(""));
  return labels ? [LADDER, ...rows] : rows;
}

// -- all games at once ----------------------------------------------------------------------------

const FIT = ["name", "rating", "standard error", "games", "score", "expected"];
const UNIT = 400 / Math.LN10; // points

function fit(games, anchor, level, draws, labels) {
  const names = [], index = new Map(), pairs = new Map();
  for (const game of readGames(games)) {
    if (game.error) throw game.error;
    if (game.blank) continue;
    const [one, two] = game.keys.map((key, j) => {
      if (!index.has(key)) index.set(key, names.push(game.names[j]) - 1);
      return index.get(key);
    });
    const key = one + " " + two;
    if (!pairs.has(key)) pairs.set(key, { one, two, outcomes: [0, 0, 0] });
    pairs.get(key).outcomes[2 * game.score] += 1;
  }
  let fixed = -1;
  if (anchor !== null) {
    fixed = index.has(keyOf(nameOf(anchor))) ? index.get(keyOf(nameOf(anchor))) : -1;
    if (fixed < 0) throw NA;
  }
  if (!names.length) return [labels ? FIT : Array(6).fill("")];
  const done = fitted([...pairs.values()], names.length, fixed, level, draws === "davidson");
  const unknown = (i) => (Number.isFinite(done.rating[i]) ? 0 : done.connected[i] ? 1 : 2);
  const byRating = byRatingThenName((i) => done.rating[i], (i) => names[i]);
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
function fitted(pairs, size, anchor, level, davidson) {
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
    if (won + drawn) scored[p.one].push(p.two);
    if (lost + drawn) scored[p.two].push(p.one);
    touched[p.one].push(p.two);
    touched[p.two].push(p.one);
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
  const inner = pairs.filter((p) => part[p.one] === part[p.two]);
  const model = climbed(inner, size, members, davidson);
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
  if (anchor >= 0) error[anchor] = 0;
  for (const p of pairs) {
    const awaited = p.ahead === undefined ? p.score : (p.games * (1 + p.ahead)) / 2;
    expected[p.one] += awaited;
    expected[p.two] += p.games - awaited;
  }
  return { rating, error, games, score, expected, connected };
}

// In units of 174 points, with a = d/2 and draws at n = ln ν, the likelihood's logarithm is the sum
// of (won - lost)·a + drawn·n - games·ln(e^a + e^n + e^-a).
function climbed(pairs, size, members, davidson) {
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
  let own = new Float64Array(size), home = 0, nu = (2 * drawn) / Math.max(decided, 1), known;
  const fits = [true, drawn > 0];

  const look = (strengths, lead, draw) => {
    let total = drawn ? drawn * Math.log(draw) : 0;
    for (const p of pairs) {
      p.d = strengths[p.one] - strengths[p.two] + lead;
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
      into[p.one] += x;
      into[p.two] -= x;
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
      const matrix = inverses[partOf[p.one]], i = places[p.one], j = places[p.two];
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
      (most, p) => Math.max(most, Math.abs(up[p.one] - up[p.two] + change[0])),
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
    return own.map((i, j) => {
      const y = gives.map((column) => column[i] - (a < 0 ? 0 : column[anchor]));
      const both = y[0] * y[0] * of[0][0] + 2 * y[0] * y[1] * of[0][1] + y[1] * y[1] * of[1][1];
      return Math.max(a < 0 ? l[j][j] + both : l[j][j] + l[a][a] - 2 * l[j][a] + both, 0);
    });
  };
  return { own, variances };
}
