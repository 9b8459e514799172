// The tab that corrects a file: a list of sentences, the tree of one, and its chosen word.

import { get, getText, post } from "./api.js";
import { legend } from "./candidates.js";
import { button, choice, el, hush, labelled, messagesHere, percent, put, tell } from "./dom.js";
import { saveText } from "./download.js";
import { edited, inspector } from "./inspector.js";
import { isRightToLeft } from "./layout.js";
import { SentenceList } from "./list.js";
import { commandOf, shortcutsPage } from "./shortcuts.js";
import { drawTree, scrolling } from "./tree.js";

const KINDS = [["all", "tags and trees"], ["trees", "only trees"], ["tags", "only tags"], ["none", "nothing"]];
const SUSPICIOUS = ["suspicion", "most suspicious"];
const ORDERS = [["file", "file"], ["certainty", "least certain"], ["unchecked", "unchecked"]];

/** Whether what was refused means the same a moment later: words may be others in what another window has changed. */
const mayBeRepeated = ({ code, status, last }) => status === 0 || status === 429 || status >= 500 || (code === "stale" && last.act === "note");

export class CorrectTab {
  constructor(panel, file) {
    this.status = file;
    this.rows = file.sentences;
    this.order = file.ranked ? "suspicion" : "file";
    this.zoom = 1;
    this.selected = 1;
    this.digits = "";
    this.bracketFrom = null;
    this.queue = Promise.resolve();
    this.build(panel);
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("pagehide", () => document.activeElement?.blur()); // takes what is in a field
  }

  build(panel) {
    this.saved = el("span", { class: "saved", role: "status", "aria-live": "polite", id: "saved" }, "Saved");
    this.counts = el("span", { class: "soft", id: "counts" });
    this.meter = el("progress", { max: 1, value: 0, "aria-label": "Checked sentences" });
    this.undoButton = button("Undo", () => this.again("undo"), { id: "undo", class: "small" });
    this.redoButton = button("Redo", () => this.again("redo"), { id: "redo", class: "small" });
    const order = choice("order", "Order", this.status.ranked ? [SUSPICIOUS, ...ORDERS] : ORDERS, this.order);
    order.addEventListener("change", (event) => this.setOrder(event.target.value));
    const kind = choice("kind", "Propose", KINDS, this.status.kind);
    kind.addEventListener("change", (event) => this.setKind(event.target.value));
    this.list = new SentenceList((key) => this.show(key), (by) => this.move(by), order);
    [this.treeBox, this.wordBox] = [el("div", {}), el("div", {})];
    this.stage = el("div", { class: "card editable" }, this.treeBox, messagesHere(), this.wordBox);
    this.stats = el("details", { class: "card" });
    this.shortcuts = shortcutsPage(() => this.command("help"));
    put(panel,
      el("div", { class: "card" },
        el("div", { class: "row" }, el("h2", { dir: "auto" }, this.status.file), this.saved, el("div", { class: "grow" }), this.counts, this.meter),
        el("div", { class: "row end" }, kind, el("div", { class: "grow" }),
          this.undoButton, this.redoButton,
          button("−", () => this.command("smaller"), { "aria-label": "Smaller tree", class: "small" }), button("+", () => this.command("larger"), { "aria-label": "Larger tree", class: "small" }),
          button("Download completed", (event) => this.download(event), { class: "small" }),
          button("Shortcuts", () => this.command("help"), { "aria-keyshortcuts": "?", class: "small" }))),
      el("div", { class: "desk" },
        this.list.top,
        this.list.side,
        el("div", {}, this.stage, this.shortcuts, this.stats)));
    this.drawStatus();
    this.drawList();
  }

  open() {
    return this.doing(async () => {
      if (this.sentence) return;
      const rows = this.ordered();
      await this.fetch((rows.find((row) => !row.checked) ?? rows[0]).key);
    });
  }

  // ---------------------------------------------------------------- showing

  ordered() {
    const rows = [...this.rows];
    if (this.order === "certainty") rows.sort((a, b) => (a.certainty ?? 2) - (b.certainty ?? 2));
    if (this.order === "suspicion") rows.sort((a, b) => (a.suspicion ?? 2) - (b.suspicion ?? 2));
    if (this.order === "unchecked") rows.sort((a, b) => a.checked - b.checked);
    return rows;
  }

  drawList() {
    this.list.draw(this.ordered(), this.sentence?.key, (row) => this.shareOf(row));
  }

  /** What a sentence is ordered by. */
  shareOf(row) {
    const share = this.order === "suspicion" ? row.suspicion : row.certainty;
    return share === null ? "" : percent(share);
  }

  drawStatus() {
    const { checked, count, undo, redo, acceptance } = this.status;
    this.counts.textContent = `${checked} of ${count} checked`;
    [this.meter.max, this.meter.value] = [count, checked];
    [this.undoButton.disabled, this.redoButton.disabled] = [!undo, !redo];
    const total = acceptance.reduce((sum, row) => sum + row.proposed, 0);
    const taken = acceptance.reduce((sum, row) => sum + row.accepted, 0);
    put(this.stats, el("summary", {}, total ? `Proposals accepted since the file was opened: ${percent(taken / total)} of ${total}` : "Proposals accepted since the file was opened: none checked yet"),
      total ? el("div", { class: "tables" }, el("table", {}, el("thead", {}, el("tr", {}, ["Relation", "Proposed", "Head accepted", "Head and relation"].map((text) => el("th", { scope: "col" }, text)))),
        el("tbody", {}, acceptance.map((row) => el("tr", {}, el("td", {}, row.relation), el("td", {}, row.proposed), el("td", {}, percent(row.heads / row.proposed)), el("td", {}, percent(row.accepted / row.proposed))))))) : null);
  }

  show(key) {
    return this.doing(() => this.fetch(key));
  }

  async fetch(key) {
    this.selected = 1;
    this.take(await get(`v1/edit/sentences/${key}`));
    this.selected = this.mostSuspicious();
    this.draw();
    this.drawList();
  }

  take(sentence) {
    this.sentence = sentence;
    const row = this.rows.find((one) => one.key === sentence.key);
    if (row) Object.assign(row, { checked: sentence.checked, suspicion: sentence.suspicion, text: sentence.text.slice(0, 120), words: sentence.words.length });
    this.selected = Math.min(this.selected, sentence.words.length);
  }

  /** The word to look at first. */
  mostSuspicious() {
    const least = (word) => Math.min(2, ...word.suspicions.map((one) => one.probability));
    const { words } = this.sentence;
    return words.reduce((best, word) => (least(word) < least(best) ? word : best), words[0])?.id ?? 1;
  }

  draw() {
    const { sentence } = this;
    const active = this.stage.contains(document.activeElement) ? document.activeElement : null;
    if (active) active.dataset.gone = "yes"; // browsers say that a field was changed when it is removed
    const left = this.stage.querySelector(".scroll")?.scrollLeft ?? 0;
    const word = sentence.words[this.selected - 1];
    this.picture = drawTree(sentence.words, {
      selected: this.selected,
      showRoot: true,
      brackets: sentence.brackets,
      zoom: this.zoom,
      label: `Tree of: ${sentence.text}`,
      onSelect: (id) => this.select(id),
      onDrag: (modifier, head) => {
        this.selected = modifier;
        this.act({ act: "head", word: modifier, head });
      },
    });
    const note = edited("note", sentence.note, (text) => this.act({ act: "note", note: text }), { placeholder: "Note", spellcheck: "true" });
    const scroll = scrolling(this.picture, "Tree, scrolls sideways");
    put(this.treeBox,
      el("div", { class: "row" }, el("span", { class: "badge", title: sentence.id }, `sentence ${sentence.place + 1}${sentence.id ? ` · ${sentence.id}` : ""}`),
        sentence.checked ? el("span", { class: "badge good" }, "✓ checked") : null,
        sentence.tree_prob === null ? null : el("span", { class: "badge", title: "The probability of the tree, given all that is fixed" }, `tree ${percent(sentence.tree_prob)}`),
        el("div", { class: "grow" }),
        button("Accept tree", () => this.command("acceptAll"), { class: "small" }),
        button("Propose anew", () => this.command("releaseAll"), { class: "small" }),
        button("Punctuation by rule", () => this.command("punctuation"), { class: "small" }),
        button(sentence.checked ? "Checked – next" : "Check", () => this.command("check"), { class: "primary small", id: "check" })),
      sentence.clash ? el("p", { class: "soft" }, `The file holds what no tree can have: ${sentence.clash}. Release one of them.`) : null,
      sentence.uncalibrated ? el("p", { class: "soft" }, "Heads that are fixed cross, which this model does not know: the others are found arc by arc, without probabilities.") : null,
      sentence.multiwords.length ? el("p", { class: "soft", dir: "auto" }, `Multiword tokens: ${sentence.multiwords.map((one) => `${one.form} (${one.first}–${one.last})`).join(", ")}`) : null,
      scroll,
      el("div", { class: "row" }, legend([["fixed", "fixed"]]), el("span", { class: "soft", role: "status", id: "typed" })));
    put(this.wordBox,
      inspector(sentence, word, (act) => this.act(act), this.commands()),
      el("div", { class: "row" }, el("div", { class: "grow" }, labelled("Note on the sentence", note))));
    scroll.scrollLeft = left;
    this.focusAgain(active);
  }

  /** Put the focus where it was: a field keeps what was typed into it meanwhile. */
  focusAgain(active) {
    const field = active?.matches("input[id]") && document.getElementById(active.id);
    if (!field) return active?.closest(".word, button") ? this.focusWord() : undefined;
    if (active.type !== "checkbox") field.value = active.value;
    field.focus();
    return undefined;
  }

  focusWord() {
    const node = this.picture.querySelector(".word.selected");
    node?.focus({ preventScroll: true });
    node?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  select(id) {
    this.selected = id;
    this.draw();
    this.focusWord();
  }

  // ---------------------------------------------------------------- acting

  /** Do things one after the other, and show how it stands. */
  doing(work) {
    this.queue = this.queue.then(async () => {
      try {
        await work();
      } catch (error) {
        this.refuse(error);
      }
    });
    return this.queue;
  }

  /** Change the sentence that is shown, or another one, which is then shown. */
  act(fields, sentence = null) {
    return this.doing(async () => {
      if (sentence !== null && sentence !== this.sentence.key) await this.fetch(sentence);
      this.mark("Saving …", "busy");
      const { key, version } = this.sentence;
      const answer = await post(`v1/edit/sentences/${key}`, { ...fields, version }).catch((error) => {
        throw Object.assign(error, { again: (more) => this.act({ ...fields, ...more }, key), last: fields });
      });
      await this.changed(answer);
    });
  }

  again(way) {
    return this.doing(async () => {
      this.mark("Saving …", "busy");
      await this.changed(await post(`v1/edit/${way}`, { revision: this.status.revision }));
    });
  }

  /** Show what an act has made; if another window has acted meanwhile, the list is fetched anew. */
  async changed({ status, sentences, place, replaced }) {
    hush();
    const { key } = this.sentence;
    if (status.revision === this.status.revision + 1) {
      const old = this.rows.slice(place, place + replaced);
      const certainty = (one) => old.find((row) => row.key === one.key)?.certainty ?? null;
      this.rows.splice(place, replaced, ...sentences.map((one) => ({ key: one.key, certainty: certainty(one) })));
    } else this.rows = (await get("v1/edit/")).sentences;
    this.status = status;
    sentences.forEach((one) => this.take(one));
    this.take(sentences.find((one) => one.key === key) ?? sentences[0]);
    this.mark("Saved", "");
    this.drawStatus();
    this.drawList();
    this.draw();
  }

  mark(text, look) {
    this.saved.textContent = text;
    this.saved.className = `saved ${look}`;
  }

  refuse(error) {
    const { code, body, again, last } = error;
    const repeat = again && mayBeRepeated(error) ? [button("Try again", () => again(), { class: "small" })] : [];
    if (code === "clash") {
      this.mark("Saved", "");
      const word = (id) => (id ? this.sentence.words[id - 1].form : "root");
      const name = ([kind, first, second]) => (kind === "bracket" ? `bracket ${first}–${second}` : kind === "head" ? `${word(first)} ← ${word(second)}` : `ban of ${word(first)} ← ${word(second)}`);
      const others = body.clash.filter(([kind, first, second]) => !(kind === "head" && last.act === "head" && first === last.word && second === last.head));
      tell(`${error.message}. Nothing was changed.`, "bad", others.slice(0, 4).map((one) => button(`Release ${name(one)} and try again`, () => again({ without: [...(last.without ?? []), one] }), { class: "small" })));
    } else if (code === "stale") {
      this.mark("Saved", "");
      tell(error.message, "bad", repeat);
      this.status = { ...this.status, ...body.state };
      this.reload();
    } else if (code === "file_changed") {
      this.mark("Not saved: the file was changed elsewhere", "bad");
      if (last?.act === "note") this.unsaved = { note: last.note, of: this.sentence };
      tell(error.message, "bad", [button("Load the file again", () => this.load(), { class: "small" })]);
    } else {
      if (this.saved.textContent !== "Saved") this.mark(code === "not_saved" || code === "offline" ? "Not saved" : "Saved", code === "not_saved" || code === "offline" ? "bad" : "");
      tell(error.message, "bad", repeat);
    }
    if (this.sentence) this.draw();
  }

  /** Show the file as the server has it now. */
  async reload() {
    const key = this.sentence?.key;
    this.status = await get("v1/edit/");
    this.rows = this.status.sentences;
    this.drawStatus();
    await this.show(this.rows.some((row) => row.key === key) ? key : this.rows[0].key);
  }

  /** Take the file as it is now; a note that could not be saved is written into it. */
  load() {
    return this.doing(async () => {
      this.status = await post("v1/edit/load", {});
      this.rows = this.status.sentences;
      hush();
      this.mark("Saved", "");
      this.drawStatus();
      this.take(await get(`v1/edit/sentences/${this.rows[Math.min(this.sentence.place, this.rows.length - 1)].key}`));
      this.draw();
      this.drawList();
      this.writeUnsaved();
    });
  }

  /** Save the note that could not be saved, if its sentence is still there. */
  writeUnsaved() {
    if (!this.unsaved) return;
    const { note, of } = this.unsaved;
    this.unsaved = null;
    const start = [...of.text].slice(0, 120).join("");
    const row = [this.rows[of.place], ...this.rows].find((one) => one?.id === of.id && one.text === start);
    if (row) this.act({ act: "note", note }, row.key);
    else tell(`The sentence of your note is not there any more. The note: ${note}`, "bad");
  }

  setKind(kind) {
    return this.doing(async () => {
      this.status = { ...this.status, ...(await post("v1/edit/propose", { kind })) };
      this.take(await get(`v1/edit/sentences/${this.sentence.key}`));
      this.draw();
    });
  }

  async setOrder(order) {
    this.order = order;
    this.drawList();
    try {
      while (order === "certainty" && this.order === order && this.rows.some((row) => row.certainty === null)) {
        const { certainties } = await post("v1/edit/measure", {});
        for (const row of this.rows) row.certainty = certainties[row.key] ?? row.certainty;
        this.drawList();
        if (!Object.keys(certainties).length) break;
      }
    } catch (error) {
      tell(error.message, "bad");
    }
  }

  async download({ target }) {
    target.disabled = true;
    target.textContent = "Completing …";
    try {
      saveText(`completed-${this.status.file}`, await getText("v1/edit/completed"), "text/plain");
    } catch (error) {
      tell(error.message, "bad");
    }
    target.disabled = false;
    target.textContent = "Download completed";
  }

  // ---------------------------------------------------------------- commands

  move(by) {
    return this.doing(async () => {
      const rows = this.ordered();
      const next = rows[rows.findIndex((row) => row.key === this.sentence.key) + by];
      if (next) await this.fetch(next.key);
      else tell(by > 0 ? "This is the last sentence." : "This is the first sentence.");
    });
  }

  async check() {
    if (!this.sentence.checked) await this.act({ act: "check" });
    if (!this.sentence.checked) {
      if (!this.sentence.words.every((word) => word.fixed.head)) tell("Some words have no head: what is checked must be a whole tree.", "bad");
      return;
    }
    const rows = this.ordered();
    const at = rows.findIndex((row) => row.key === this.sentence.key);
    const next = [...rows.slice(at + 1), ...rows.slice(0, at)].find((row) => !row.checked);
    if (next) await this.show(next.key);
    else tell("All sentences are checked.");
  }

  /** The head one word further; never the word itself. */
  moveHead(by) {
    const word = this.sentence.words[this.selected - 1];
    let head = (word.head ?? word.id) + by;
    if (head === word.id) head += by;
    if (head >= 0 && head <= this.sentence.words.length) this.act({ act: "head", word: word.id, head });
  }

  /** Show the page of shortcuts below the tree, or go back to the tree. */
  toggleShortcuts() {
    this.shortcuts.hidden = !this.shortcuts.hidden;
    if (this.shortcuts.hidden) this.focusWord();
    else this.shortcuts.scrollIntoView({ block: "nearest" });
  }

  bracket() {
    if (this.bracketFrom === null) {
      this.bracketFrom = this.selected;
      document.getElementById("typed").textContent = `Bracket from word ${this.selected}: go to its last word and press b`;
    } else {
      const first = this.bracketFrom;
      this.bracketFrom = null;
      this.act({ act: "bracket", first, last: this.selected });
    }
  }

  commands() {
    const word = () => this.sentence.words[this.selected - 1];
    const all = () => this.sentence.words.map((one) => one.id);
    const way = isRightToLeft(this.sentence.words.map((one) => one.form).join(" ")) ? -1 : 1;
    const step = (by) => this.select(Math.min(Math.max(this.selected + by, 1), this.sentence.words.length));
    const focus = (id) => () => {
      const field = document.getElementById(id);
      field.focus();
      field.select?.();
    };
    const zoom = (by) => () => {
      this.zoom = Math.min(2.5, Math.max(0.5, this.zoom * by));
      this.draw();
    };
    return {
      left: () => step(-way), right: () => step(way), first: () => this.select(1), last: () => this.select(this.sentence.words.length),
      next: () => this.move(1), previous: () => this.move(-1),
      check: () => this.check(), uncheck: () => this.act({ act: "uncheck" }), note: focus("note"),
      headLeft: () => this.moveHead(-way), headRight: () => this.moveHead(way),
      root: () => this.act({ act: "head", word: this.selected, head: 0 }),
      relation: focus("relation"), upos: focus("upos"), lemma: focus("lemma"), feats: focus("feats"), split: focus("split"),
      accept: () => this.act({ act: "accept", words: [this.selected] }), acceptAll: () => this.act({ act: "accept", words: all() }),
      release: () => this.act({ act: "release", words: [this.selected] }), releaseAll: () => this.act({ act: "release_all" }),
      forbid: () => (word().head === null ? null : this.act({ act: "forbid", word: this.selected, head: word().head })),
      bracket: () => this.bracket(), punctuation: () => this.act({ act: "punctuation" }),
      merge: () => this.act({ act: "merge_words", word: this.selected }),
      splitSentence: () => this.act({ act: "split_sentence", word: this.selected }), mergeSentences: () => this.act({ act: "merge_sentences" }),
      undo: () => (this.status.undo ? this.again("undo") : tell("There is nothing to undo.")),
      redo: () => (this.status.redo ? this.again("redo") : tell("There is nothing to redo.")),
      larger: zoom(1.2), smaller: zoom(1 / 1.2), help: () => this.toggleShortcuts(),
    };
  }

  command(name) {
    this.commands()[name]();
  }

  onKey(event) {
    const isOpen = !document.getElementById("panel-correct").hidden && this.sentence && !document.querySelector("dialog[open]");
    if (!isOpen) return;
    if (event.target.matches?.("input, textarea, select")) {
      if (event.key === "Escape" || (event.key === "Enter" && event.target.matches("input"))) this.focusWord();
      return;
    }
    if (event.key.startsWith("Arrow") && event.target.closest?.("[role=tab]")) return;
    if (event.altKey && /^[1-9]$/.test(event.key)) {
      const found = this.sentence.words[this.selected - 1].relations[Number(event.key) - 1];
      if (found) this.act({ act: "relation", word: this.selected, relation: found[0] });
      event.preventDefault();
      return;
    }
    if (this.typeHead(event)) return;
    const name = event.key === "Escape" && !this.shortcuts.hidden ? "help" : commandOf(event);
    if (!name) return;
    event.preventDefault();
    this.command(name);
  }

  /** The digits of a head, then Enter. */
  typeHead(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (/^\d$/.test(event.key)) this.digits += event.key;
    else if (this.digits && event.key === "Enter") {
      this.act({ act: "head", word: this.selected, head: Number(this.digits) });
      this.digits = "";
    } else {
      this.digits = "";
      return false;
    }
    event.preventDefault();
    const typed = document.getElementById("typed");
    if (typed) typed.textContent = this.digits ? `Head ${this.digits} – press Enter` : "";
    return true;
  }
}
