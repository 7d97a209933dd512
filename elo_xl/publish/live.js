(() => {
  const source = document.documentElement.outerHTML, data = JSON.parse(document.getElementById("data").textContent);
  const { league, titles, words, scores, drawing, say, decimal, days } = data, own = league.csv;
  // the settings of a page without an address of its own may stand in its address
  if (!own) {
    for (const [key, value] of new URLSearchParams(location.search)) {
      if (Object.hasOwn(league, key) && value) league[key] = value;
    }
  }
  const wanted = new URLSearchParams(location.search).get("dates");
  if (ORDERS.includes(wanted)) league.dates = wanted;
  const first = Number(league.start);
  const wished = Object.hasOwn(titles, league.game) ? league.game : "ladder";
  let tables, doubles, together, sign;
  // What kind of league it is: where nobody has said it, the answers tell.
  function play(game) {
    league.game = game;
    tables = game === "tables";
    doubles = game === "doubles";
    together = league.sides || (doubles ? "&" : null);
    sign = together && together.replace(/\s*:\s*sum$/i, "");
    document.title = document.querySelector("h1").textContent = league.title || titles[game];
  }
  play(wished);

  const told = (key, places = {}) => Object.entries(places)
    .reduce((text, [name, value]) => text.replace(`{${name}}`, () => value), say[key]);
  const make = (tag, text = "", more = {}) =>
    Object.assign(document.createElement(tag), { textContent: text }, more);
  const written = (x, decimals, signed) => (x < 0 ? "−" : signed && x > 0 ? "+" : "")
    + Math.abs(x).toFixed(decimals).replace(".", decimal);
  const dayOf = (iso) => days.replace(/%([Ymd])/g, (_, part) => iso.split("-")["Ymd".indexOf(part)]);
  const keyOf = (name) => name.toUpperCase().toLowerCase(); // as the functions compare names
  class Unread extends Error {}
  const refuse = (key, places) => { throw new Unread(told(key, places)); };

  // -- headings

  const columnOf = columnsBy(words);
  const seatsOf = seatsBy(words, scores), { scoreOf, endOf } = scoresBy(scores), laid = laidBy(words, scores), { nobody } = nobodyBy(scores);

  const SIDES = ["first", "second"];

  // Where a row has its players, its result and its day.
  function layoutOf(head) {
    const texts = head.cells.map(plain), columns = texts.map(columnOf), all = (column) => placesOf(columns, column);
    const { seats, several, partners, ...other } = { ...seatsOf(texts), ...head };
    let { named } = other;
    const headings = { headings: head.cells.join(" · ") };
    // the headings of doubles and tables have no other meaning
    const two = [several, partners].some((both) => both.every((one) => one.length));
    play(wished !== "ladder" ? wished : two ? "doubles" : head.seats || seats.length > 2 ? "tables" : wished);
    if (tables) {
      if (seats.length < 2) refuse("no_order", headings);
      return { seats };
    }
    const pair = pairOf(columns) ?? [];
    let sides = sidesOf(columns).map((at) => [at]);
    if (doubles && several.every((one) => one.length)) sides = several;
    else {
      named = "";
      if (doubles) sides = sides.map((one, at) => [...one, ...partners[at]]);
    }
    if (!sides.length) refuse("no_players", headings);
    const won = (named || pair[0]) === "winner" || named === "loser";
    // beside a result, W/L is no second one
    const results = all("result").filter((at, _, both) => both.length < 2 || !scores.won_lost.includes(texts[at]));
    const twice = [all("points"), results].find((both) => both.length === 2);
    const beside = SIDES.map((side) => all(`${side} points`)[0]);
    const points = beside.includes(undefined) ? twice : beside;
    const result = twice === points && twice ? undefined : (all("scores")[0] ?? results[0] ?? all("outcome")[0]);
    const winner = won ? undefined : all("winner")[0];
    if (!won && !points && result === undefined && winner === undefined) refuse("no_result", headings);
    const [status, drawn] = ["status", "drawn"].map((column) => columns.indexOf(column));
    return { sides, points, result, winner, won, status, drawn, head: texts, chess: pair[0] === "white" };
  }

  // Whether sides are of people, by the rule of elo-xl rate: all are of several, or some people have
  // other partners, too, or play alone.
  function ofPeople(names) {
    const sides = [...new Set(names.map(keyOf))].map((name) => name.split(/ *& */)), people = sides.flat();
    return people.length > sides.length && (sides.every((side) => side.length > 1) || new Set(people).size < people.length);
  }

  // -- lines

  function winnerOf(text, { sides, head }, names) {
    if (scores.drawn.includes(squeezed(text))) return 0.5;
    const said = sides.map((places, at) => plain(text) === head[places[0]]
      || [...names[at], names[at].join(` ${sign} `)].some((name) => keyOf(name) === keyOf(text)));
    return said[0] === said[1] ? refuse("no_winner", { winner: text }) : +said[0];
  }

  // The first side's score, by how much, and how it is shown.
  function resultOf(cells, layout, names) {
    const { points, won } = layout;
    const [text, winner, status, drawn] = ["result", "winner", "status", "drawn"].map((column) => cells[layout[column]] ?? "");
    const typed = points?.map((at) => cells[at] ?? "") ?? [], given = typed.some(Boolean);
    const both = given ? typed.map(half) : layout.chess ? null : scoreOf(text);
    if (both?.some(Number.isNaN)) refuse("no_points");
    const end = endOf(text, status, both, won || layout.winner !== undefined);
    if (end && end !== "broken") refuse("uncounted", { game: `${text} ${status}`.trim() });
    const score = both ? (1 + Math.sign(both[0] - both[1])) / 2 : text && !end ? ELO.call("ELO_SCORE", [text]) : undefined;
    if (score !== undefined && typeof score !== "number") refuse("unclear", { result: text });
    const tie = (score ?? 0.5) === 0.5 && scores.yes.includes(squeezed(drawn));
    const said = won ? (tie ? 0.5 : 1) : winner ? winnerOf(winner, layout, names) : score ?? refuse("missing");
    // beside the winner's name a score in one cell may begin with either side's
    const turned = won && both && !given && score === 0;
    if (score !== undefined && said !== score && !turned) refuse("otherwise");
    return { score: said, by: both ? Math.abs(both[0] - both[1]) : undefined, shown: given ? typed.join(":") : text || winner };
  }

  function gameOf(cells, layout) {
    const side = (text) => (sign ? text.split(sign).map((name) => name.trim()) : [text]);
    if (tables) {
      const row = layout.seats.map((at) => cells[at] ?? "");
      while (row.length && !row.at(-1)) row.pop();
      const names = row.map((text) => side(text.replace(/^[= ]+|[= ]+$/g, "")));
      return { row, names, shown: "" };
    }
    // partners may be missing, the first player of a side may not
    const row = layout.sides.map((places) => (cells[places[0]]
      ? places.map((at) => cells[at]).filter(Boolean).join(` ${sign} `) : ""));
    const names = row.map(side);
    const { score, by, shown } = resultOf(cells, layout, names);
    if (league.margin && by === undefined && score !== 0.5) refuse("no_margin");
    return { row: [...row, score, by ?? ""], names, shown };
  }

  // -- ratings

  const compute = (rows, start) => (tables
    ? ELO.call("ELO_PLACES", [rows, league.k, start, league.model, 0, together])
    : ELO.call("ELO_LADDER", [rows, league.k, start, 0, league.model, 0, league.margin, 0, null, together]));

  // The games of a file, each with the ratings after it, and the lines that do not count.
  function rated(text) {
    if (isWorkbook(text)) refuse("workbook");
    if (/^\s*</.test(text)) refuse("no_csv");
    const games = [], unread = [], now = new Map();
    const [head, ...lines] = laid(rowsOf(text), wished !== "doubles", (row) => unread.push({ ...row, why: say.one_table }));
    if (!head) refuse("empty");
    const layout = layoutOf(head);
    if (!lines.length && !unread.length) refuse("empty");
    if (!sign && !tables && ofPeople(lines.flatMap(({ cells }) => layout.sides.map(([at]) => cells[at] ?? "")))) play("doubles");
    // home, draw, away and 1, X, 2 are told by the sign that no other column of results has
    const results = lines.map(({ cells: { [layout.result]: text = "" } }) => (endOf(text, "") ? "" : text.toLowerCase()));
    const signs = layout.chess ? undefined : ["hda", "1x2"].find((one) =>
      results.includes(one[2]) && results.every((text) => text.length < 2 && one.includes(text)));
    if (signs) lines.forEach(({ cells }, at) => { if (results[at]) cells[layout.result] = "1½0"[signs.indexOf(results[at])]; });
    const { texts } = datesOf(head.cells.map((heading) => columnOf(plain(heading))), lines);
    const { days: when, open } = daysOf(texts, league.dates), none = !when.some(Boolean);
    const later = when.filter(Boolean).map((day, at, all) => Math.sign(at && day.localeCompare(all[at - 1])));
    const backwards = later.includes(-1) && !later.includes(1);
    if (backwards) [lines, texts, when].forEach((all) => all.reverse());
    lines.forEach(({ line, cells, text }, at) => {
      try {
        const game = gameOf(cells, layout), people = game.names.flat();
        if (game.names.length < 2 || !people.every(Boolean)) refuse("no_name");
        if (people.some(nobody)) refuse("uncounted", { game: people.find(nobody) });
        // in one column for both a comma parts two players, too
        const alone = ([name, second], at) => layout.sides[at].length < 2 && !second && name.includes(",") && name;
        const other = doubles && (people.find((name) => /[/+;]| (?:and|und|et|y|e|и) /i.test(name))
          ?? game.names.map(alone).find(Boolean));
        if (other) refuse("sides", { names: other, sign });
        if (new Set(people.map(keyOf)).size < people.length) refuse("twice");
        const before = people.map((name) => [name, now.get(keyOf(name)) ?? first]);
        // one game from the ratings before it is the same as all games in their order
        const after = compute([game.row], before), wrong = [after].flat(2).find(ELO.isError);
        if (wrong) throw new Unread(String(wrong));
        game.ratings = new Map(after.map(([name, rating]) => [keyOf(name), rating]));
        game.changes = new Map(before.map(([name, rating]) => [keyOf(name), game.ratings.get(keyOf(name)) - rating]));
        for (const [name, rating] of game.ratings) now.set(name, rating);
        games.push({ ...game, day: when[at] ?? "", once: JSON.stringify([game.row, texts[at]]) });
        if (texts[at] && when[at] === "" && !(none && unread.some((one) => one.counts))) {
          unread.push({ line, text, counts: true, why: told("no_day", { date: texts[at] }) });
        }
      } catch (wrong) {
        if (!(wrong instanceof Unread)) throw wrong;
        unread.push({ line, text, why: wrong.message });
      }
    });
    unread.sort((one, two) => one.line - two.line);
    // without days two may well have played again
    const met = new Set(), again = games.filter(({ once }) => met.size === met.add(once).size);
    const repeated = none && met.size > again.length ? [] : again;
    return { games, unread, open, backwards, repeated };
  }

  const placed = (games) => {
    const rows = games.length ? compute(games.map((game) => game.row), first) : [];
    return rows.map((row) => ({ row, place: 1 + rows.findIndex((other) => other[1] === row[1]) }));
  };

  // How many games there were before the last week with games, or else before the last day, and from
  // which day on others count.
  function before(games) {
    const last = games.map((game) => game.day).reduce((most, day) => (day > most ? day : most), "");
    if (!last) return [0, ""];
    const week = new Date(Date.parse(last) - 6 * 864e5).toISOString().slice(0, 10);
    const old = [week, last].map((day) => [games.findIndex((game) => game.day >= day), day]);
    return old.find(([many]) => many > 0) ?? [0, ""];
  }

  // -- what is shown

  function change(x, decimals) {
    if (!Number(x.toFixed(decimals))) return [decimals ? written(0, decimals) : ""];
    const up = x > 0, span = make("span", "", { className: up ? "up" : "down" });
    const arrow = make("span", up ? "▲" : "▼");
    arrow.setAttribute("aria-hidden", "true");
    span.append(arrow, make("span", ` ${say[up ? "up" : "down"]} `, { className: "heard" }),
      decimals ? written(x, decimals, true) : String(Math.abs(x)));
    return [span];
  }

  // A table of columns, each with its heading and what stands in a row: nodes or a text.
  function table(title, columns, rows, sorts) {
    const box = make("div", "", { className: "scroll", tabIndex: 0 }), made = make("table");
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", title);
    const top = made.createTHead().insertRow(), body = made.createTBody();
    columns.forEach(({ heading, left, rises }, at) => {
      const cell = make("th", heading, { scope: "col", className: left ?? "" });
      if (sorts) Object.assign(cell.dataset, { column: at, first: rises ? "ascending" : "descending" });
      top.append(cell);
    });
    for (const row of rows) {
      const line = body.insertRow();
      for (const { left, show, key, head } of columns) {
        const cell = make(head ? "th" : "td", "", { className: left ?? "" }), shown = show(row);
        if (head) cell.scope = "row";
        cell.append(...[shown].flat());
        if (sorts && key) cell.dataset.key = key(row);
        line.append(cell);
      }
    }
    box.append(made);
    if (sorts) {
      top.cells[0].setAttribute("aria-sort", "ascending");
      sortable(made);
    }
    return box;
  }

  const playersOf = (game) => game.names.flatMap((side, at) => side.flatMap((name, seat) => {
    const one = make("span", `${name} `);
    one.append(...change(game.changes.get(keyOf(name)), 1));
    return at || seat ? [seat ? ` ${sign} ` : tables ? " · " : " – ", one] : [one];
  }));
  const ofGames = (games, more = []) => [
    { heading: say.date, left: "left", show: (game) => (game.day ? dayOf(game.day) : String(game.number)) },
    ...more,
    { heading: say.game, left: "left players", show: playersOf },
    ...(games.some((game) => game.shown) ? [{ heading: say.result, show: (game) => game.shown }] : []),
  ];

  function standings(games) {
    const [old, since] = before(games), was = new Map(placed(games.slice(0, old))
      .map(({ row, place }) => [keyOf(row[0]), { place, rating: row[1] }]));
    const of = (one) => was.get(keyOf(one.row[0])) ?? { rating: first };
    const number = (heading, value, decimals = 0, rises = false) =>
      ({ heading, rises, key: value, show: (one) => written(value(one), decimals) });
    const moves = old > 0 ? [
      { heading: say.moved, key: (one) => (of(one).place ?? one.place) - one.place,
        show: (one) => (of(one).place ? change(of(one).place - one.place, 0) : say.new) },
      { heading: say.change, key: (one) => one.row[1] - of(one).rating,
        show: (one) => change(one.row[1] - of(one).rating, 1) },
    ] : [];
    const name = { heading: say.name, left: "left name", head: true, show: ({ row }) => {
      const button = make("button", row[0], { type: "button", className: "player" });
      button.addEventListener("click", () => open(row[0], games));
      return button;
    } };
    const counts = tables
      ? [number(say.tables, ({ row }) => row[2]), number(say.firsts, ({ row }) => row[3]),
        number(say.mean, ({ row }) => row[4], 1, true)]
      : [number(say.games, ({ row }) => row[2]),
        number(say.share, ({ row }) => (100 * (row[3] + row[4] / 2)) / row[2])];
    const columns = [number(say.place, (one) => one.place, 0, true), ...moves.slice(0, 1), name,
      number(say.rating, ({ row }) => row[1]), ...moves.slice(1), ...counts];
    const shown = [table(say.table, columns, placed(games), true)];
    return old > 0 ? [...shown, make("p", told("since", { day: dayOf(since) }))] : shown;
  }

  const draw = (tag, attributes, text = "") => {
    const one = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    one.textContent = text;
    return one;
  };

  // The curve of a player, game by game, drawn as on the pages of books.
  function curve(name, points) {
    const { width, height, left, right, top, bottom, steps, most_lines: lines, most_dots: dots } = drawing;
    const ratings = points.map((point) => point.rating), [least, most] = [Math.min(...ratings), Math.max(...ratings)];
    const step = steps.find((one) => most - least <= one * (lines - 1)) ?? steps.at(-1);
    const low = Math.floor(least / step) * step, high = Math.max(Math.ceil(most / step) * step, low + step);
    const x = (at) => left + (points.length > 1 ? at / (points.length - 1) : 0.5) * (width - left - right);
    const y = (rating) => top + ((high - rating) / (high - low)) * (height - top - bottom);
    const places = ratings.map((rating, at) => `${x(at).toFixed(1)},${y(rating).toFixed(1)}`);
    const ends = [points[0], points.at(-1)].map((point) => (point.day ? dayOf(point.day) : String(point.number)));
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": told("curve", {
      kind: name, first: written(ratings[0], 0), since: ends[0], last: written(ratings.at(-1), 0), until: ends[1] }) });
    for (let rating = low; rating <= high; rating += step) {
      svg.append(draw("line", { class: "level", x1: left, x2: width - right, y1: y(rating), y2: y(rating) }),
        draw("text", { x: left - 6, y: y(rating) + 4, "text-anchor": "end" }, rating));
    }
    ends.slice(0, points.length).forEach((end, at) => svg.append(draw("text", { x: x(at && points.length - 1),
      y: height - 6, "text-anchor": points.length < 2 ? "middle" : at ? "end" : "start" }, end)));
    const line = draw("g", { class: "kind-1" });
    line.append(draw("polyline", { points: places.join(" ") }));
    for (const place of points.length > dots ? places.slice(-1) : places) {
      const [cx, cy] = place.split(",");
      line.append(draw("circle", { cx, cy, r: 3.5 }));
    }
    svg.append(line);
    return svg;
  }

  const card = document.getElementById("card");
  function open(name, games) {
    const points = games.filter((game) => game.ratings.has(keyOf(name)))
      .map((game) => ({ ...game, rating: game.ratings.get(keyOf(name)) }));
    const close = make("button", "×", { type: "button", className: "close" });
    close.setAttribute("aria-label", say.close);
    close.addEventListener("click", () => card.hidePopover());
    const more = [{ heading: say.rating, show: (game) => written(game.rating, 0) }];
    card.replaceChildren(close, make("h2", name, { id: "card-name" }), curve(name, points),
      table(name, ofGames(points, more), points.reverse()));
    card.showPopover();
  }

  const MOST = 20;
  const status = document.getElementById("status"), page = document.getElementById("league");
  const list = document.getElementById("unread"), asked = document.getElementById("dates");

  // Two readings of a date to choose from; the address of the page keeps what was chosen.
  function choice({ date, days }, text) {
    const long = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });
    const buttons = ORDERS.map((order, at) => {
      const button = make("button", told(order, { day: long.format(new Date(days[at])) }), { type: "button", className: "action" });
      button.setAttribute("aria-pressed", league.dates === order);
      button.addEventListener("click", () => {
        const query = new URLSearchParams(location.search);
        query.set("dates", league.dates = order);
        history.replaceState(null, "", `?${query}`);
        show(text);
        asked.querySelector("[aria-pressed=true]").focus();
      });
      return button;
    });
    return [make("p", told("two_days", { date })), ...buttons];
  }

  function show(text) {
    page.replaceChildren();
    list.hidden = asked.hidden = true;
    try {
      const { games, unread, open, backwards, repeated } = rated(text);
      games.forEach((game, at) => { game.number = at + 1; });
      asked.hidden = !open;
      if (open) asked.replaceChildren(...choice(open, text));
      if (backwards) page.append(make("p", say.backwards));
      const alike = doubled(new Map(games.flatMap((game) => game.names.flat()).map((name) => [keyOf(name), name])).values());
      if (alike) page.append(make("p", told("double", { names: alike })));
      if (repeated.length) {
        const game = repeated[0].names.map((side) => side.join(` ${sign} `)).join(tables ? " · " : " – ");
        page.append(make("p", told("repeated", { many: repeated.length, game })));
      }
      status.textContent = told("count", { games: games.length, lines: unread.length });
      if (games.length) {
        const last = games.slice(-MOST).reverse();
        page.append(...standings(games), make("h2", say.last), table(say.last, ofGames(last), last));
      }
      const lines = unread.map(({ line, text, why }) => {
        const item = make("li", `${told("line", { line })}: ${why} `);
        item.append(make("code", text));
        return item;
      });
      const items = make("ul");
      items.append(...lines);
      list.hidden = !lines.length;
      list.replaceChildren(make("h2", say.unread), items);
    } catch (wrong) {
      if (!(wrong instanceof Unread)) throw wrong;
      status.textContent = wrong.message;
      if (!own) ask.hidden = false;
    }
  }

  // -- where the answers come from

  // The address of what is published as CSV; what a browser cannot read is refused before it is asked.
  function published(address) {
    const url = new URL(address, location);
    if (url.protocol === "file:") refuse("local", { address });
    if (url.hostname !== "docs.google.com") return address;
    url.pathname = url.pathname.replace(/\/pubhtml$/, "/pub");
    if (url.pathname.endsWith("/pub")) url.searchParams.set("output", "csv");
    return url.search.includes("csv") ? url.href : refuse("google");
  }

  async function load(address) {
    status.textContent = say.loading;
    let bytes;
    try {
      const answer = await fetch(published(address), { credentials: "omit", cache: "no-store" });
      if (!answer.ok) throw new TypeError(`HTTP ${answer.status}`);
      bytes = await answer.arrayBuffer();
    } catch (wrong) {
      status.textContent = wrong instanceof Unread ? wrong.message : told("failed", { address, why: wrong.message });
      ask.hidden = false;
      return;
    }
    keep.closest("p").hidden = Boolean(own);
    show(decoded(bytes));
  }
  // The page with the address and the settings inside: a file that can be sent on, or put on any web space.
  const keep = document.getElementById("keep");
  keep.addEventListener("click", () => {
    const inside = JSON.stringify(data).replaceAll("<", "\\u003c");
    const page = source.replace(/(<script type="application\/json" id="data">)[^<]*/, (_, tag) => tag + inside);
    const href = URL.createObjectURL(new Blob(["<!doctype html>\n", page], { type: "text/html" }));
    make("a", "", { href, download: `${document.title}.html` }).click();
    URL.revokeObjectURL(href);
  });
  const ask = document.getElementById("ask"), typed = document.getElementById("typed");
  const given = league.csv, title = document.getElementById("title");
  ask.hidden = Boolean(given);
  title.value = league.title;
  title.parentElement.hidden = Boolean(own);
  if (given) load(given);
  const take = async (file) => file && show(decoded(await file.arrayBuffer()));
  document.getElementById("file").addEventListener("change", (event) => take(event.target.files[0]));
  document.getElementById("show").addEventListener("click", () => {
    const text = typed.value.trim().replace(/^(?=docs\.google\.com\/)/, "https://");
    league.title = title.value.trim();
    if (own || !/^https?:\/\/\S+$/.test(text)) return show(text);
    const query = new URLSearchParams(location.search);
    for (const [key, value] of [["csv", text], ["title", league.title]]) {
      if (value) query.set(key, value);
    }
    location.search = query;
  });
  for (const kind of ["dragover", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      ask.classList.toggle("over", kind === "dragover");
      if (kind === "drop") take(event.dataTransfer.files[0]);
    });
  }
})();
