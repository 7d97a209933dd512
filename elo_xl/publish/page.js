"use strict";
const sortable = (table) => {
  const body = table.tBodies[0];
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const compare = (one, two) => (typeof one === "number" && typeof two === "number" ? one - two
    : typeof one === typeof two ? collator.compare(one, two) : typeof one === "number" ? -1 : 1);
  const heads = [...table.querySelectorAll("th[data-column]")];
  for (const head of heads) {
    const column = Number(head.dataset.column);
    const key = (row) => {
      const cell = row.cells[column];
      return "key" in cell.dataset ? Number(cell.dataset.key) : cell.textContent.trim();
    };
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const rows = [...body.rows].map((row) => ({ row, key: key(row) }));
      const numbers = rows.some((one) => typeof one.key === "number");
      const before = head.getAttribute("aria-sort");
      const first = numbers ? head.dataset.first : "ascending";
      const other = { ascending: "descending", descending: "ascending" };
      const order = before ? other[before] : first;
      const sign = order === "ascending" ? 1 : -1;
      // whoever has nothing in the column comes last in either order
      rows.sort((one, two) => (one.key === "") - (two.key === "") || sign * compare(one.key, two.key));
      body.append(...rows.map((one) => one.row));
      for (const one of heads) one.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
    });
  }
};
document.querySelectorAll("table[data-sortable]").forEach(sortable);
const controls = document.querySelector(".controls");
if (controls) {
  const [input, output] = controls.children;
  const people = [...controls.parentElement.querySelectorAll("tr[data-search]")];
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  input.addEventListener("input", () => {
    const words = plain(input.value).split(/\s+/).filter(Boolean);
    for (const row of people) row.hidden = !words.every((word) => row.dataset.search.includes(word));
    const left = people.filter((row) => !row.hidden);
    const shown = left.length;
    output.textContent = !words.length ? "" : !shown ? output.dataset.nobody
      : shown === 1 && left[0].dataset.answer ? left[0].dataset.answer
      : output.dataset.found.replace("{shown}", shown).replace("{all}", people.length);
  });
  controls.hidden = false;
}
