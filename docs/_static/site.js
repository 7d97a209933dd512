// What the theme leaves out, for those who hear pages or walk them by keys.
"use strict";
for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.ariaLevel = "2";
for (const aside of document.querySelectorAll("aside")) {
  aside.ariaLabel = aside.classList.contains("toc-drawer") ? "On this page" : "Pages";
}
for (const wide of document.querySelectorAll("pre, .table-wrapper")) {
  wide.tabIndex = 0;
}
for (const head of document.querySelectorAll("th.head")) {
  if (!head.textContent.trim()) head.replaceWith(document.createElement("td"));
}
