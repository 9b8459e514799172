// The list of sentences. Only a part of it is drawn, so that large files are as quick as small ones.

import { button, el, put } from "./dom.js";

const ROWS = 200;

export class SentenceList {
  /** choose(key): another sentence is wanted; move(by): the next one, or the one before; order: a field. */
  constructor(choose, move, order) {
    this.choose = choose;
    this.list = el("ol", {});
    this.side = el("nav", { class: "card list", "aria-label": "Sentences" }, order, el("div", { class: "rows", tabindex: 0, role: "group", "aria-label": "Sentences of the file" }, this.list));
    this.toggle = button("Sentences", () => this.open(!this.side.classList.contains("open")), { "aria-expanded": "false" });
    this.top = el("div", { class: "narrow row" },
      this.toggle,
      el("div", { class: "grow" }),
      button("‹", () => move(-1), { "aria-label": "Previous sentence" }),
      button("›", () => move(1), { "aria-label": "Next sentence" }));
  }

  /** Show or hide the list in a narrow window, where it pushes the tree down. */
  open(isOpen) {
    this.side.classList.toggle("open", isOpen);
    this.toggle.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.scrollToCurrent();
  }

  scrollToCurrent() {
    this.list.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** Draw the part in which the sentence with this key stands; share(row): what is beside its text. */
  draw(rows, key, share) {
    this.share = share;
    const at = Math.max(rows.findIndex((row) => row.key === key), 0);
    this.drawFrom(rows, key, at - (at % ROWS));
    this.scrollToCurrent();
  }

  drawFrom(rows, key, from) {
    const to = Math.min(from + ROWS, rows.length);
    const part = rows.slice(from, to);
    const go = (start, text) => el("li", {}, button(text, () => this.drawFrom(rows, key, start), { class: "more" }));
    put(this.list,
      from > 0 && go(from - ROWS, `↑ ${from - ROWS + 1}–${from}`),
      part.map((row) => this.row(row, key)),
      to < rows.length && go(to, `↓ ${to + 1}–${Math.min(to + ROWS, rows.length)}`));
  }

  row(row, key) {
    const onclick = () => {
      this.open(false);
      this.choose(row.key);
    };
    return el("li", {}, el("button", { type: "button", "data-key": row.key, "aria-current": String(row.key === key), onclick },
      el("span", { class: "text", dir: "auto" }, row.text),
      el("span", { class: "share" }, this.share(row)),
      el("span", { class: "tick" }, row.checked ? "✓" : "")));
  }
}
