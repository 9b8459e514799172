// Lists of candidates with their probabilities, as bars.

import { el, percent } from "./dom.js";

/** One candidate; a button if something happens when it is chosen. */
function bar(name, share, isNow, onclick) {
  const parts = [
    el("span", { class: "name" }, name),
    el("progress", { max: 1, value: share ?? 0, "aria-hidden": "true" }),
    el("span", { class: "share" }, percent(share)),
  ];
  const look = `bar${isNow ? " now" : ""}`;
  return el("li", {}, onclick ? el("button", { type: "button", class: look, onclick, "aria-pressed": String(isNow) }, parts) : el("div", { class: look }, parts));
}

/** Candidate heads of a word, most likely first. */
export function headList(words, word, choose) {
  const name = (id) => (id === 0 ? "root" : [`${id} `, el("bdi", {}, words[id - 1].form)]);
  return el("ul", { class: "bars" }, (word.heads ?? []).slice(0, 8).map(([id, share]) => bar(name(id), share, id === word.head, choose && (() => choose(id)))));
}

/** Candidate relations of a word to its head, most likely first. */
export function relationList(word, choose) {
  return el("ul", { class: "bars" }, (word.relations ?? []).slice(0, 9).map(([name, share]) => bar(name, share, name === word.relation, choose && (() => choose(name)))));
}

/** What colours and strokes mean. */
export function legend(more = []) {
  const rows = [["sure", "90 % and more"], ["likely", "60 to 90 %"], ["unsure", "less than 60 %"], ...more];
  return el("div", { class: "legend" }, rows.map(([look, text]) => el("span", { class: look }, text)));
}
