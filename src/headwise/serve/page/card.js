// A model card, which is Markdown: headings, tables, lists, code and paragraphs, made as text.

import { el } from "./dom.js";

/** The elements of a card. */
export function cardOf(text) {
  return text.split(/\n{2,}/).map((one) => one.replace(/^\n+|\s+$/g, "")).filter(Boolean).map(block);
}

function block(text) {
  const lines = text.split("\n");
  const heading = /^(#+)\s+(.*)$/.exec(lines[0]);
  if (heading && lines.length > 1) return el("div", {}, block(lines[0]), block(lines.slice(1).join("\n")));
  if (heading) return el("h3", {}, heading[2]);
  if (lines.every((line) => line.startsWith("|"))) return table(lines);
  if (lines.every((line) => /^[-*] |^ {2}/.test(line))) return el("ul", {}, text.split(/^[-*] /m).filter(Boolean).map((item) => el("li", {}, plain(item))));
  if (lines[0].startsWith("```") || lines.every((line) => line.startsWith("    "))) return el("pre", { tabindex: 0 }, lines.filter((line) => !line.startsWith("```")).join("\n"));
  return el("p", {}, plain(text));
}

function table(lines) {
  const rows = lines.filter((line) => !/^[|:\s-]+$/.test(line) || /^[|\s]+$/.test(line)).map((line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => plain(cell.trim())));
  const [head, ...body] = rows;
  return el("div", { class: "tables", tabindex: 0, role: "group", "aria-label": "Table" }, el("table", {},
    head.some(Boolean) ? el("thead", {}, el("tr", {}, head.map((cell) => el(cell ? "th" : "td", cell ? { scope: "col" } : {}, cell)))) : null,
    el("tbody", {}, body.map((cells) => el("tr", {}, cells.map((cell, i) => (i === 0 && cell ? el("th", { scope: "row" }, cell) : el("td", {}, cell))))))));
}

/** A text without the marks of emphasis, code and links. */
const plain = (text) => text.replace(/\[([^\]]*)\]\(([^)]*)\)/g, "$1 ($2)").replace(/[*`]{1,3}([^*`]+)[*`]{1,3}/g, "$1");
