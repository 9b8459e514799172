// The tab that parses what is typed.

import { Refused, post } from "./api.js";
import { headList, legend, relationList } from "./candidates.js";
import { blocks, comment, noted, toConllu, treeOf } from "./conllu.js";
import { button, choice, chosenIn, debounced, el, hush, labelled, messagesHere, percent, put, tell } from "./dom.js";
import { savePng, saveSvg, saveText } from "./download.js";
import { drawTree, scrolling } from "./tree.js";

const TYPING_MS = 220;
const MOST_TREES = 10;
const GOLD = "\u0000gold";
const MOST_GOLD = 50;
const AT_ONCE = 30;

export class ParseTab {
  constructor(panel, models) {
    this.models = models;
    this.cards = el("div", { id: "trees" });
    this.state = el("span", { class: "soft", role: "status", "aria-live": "polite", id: "parse-state" });
    this.text = el("textarea", { class: "text", id: "text", rows: 2, spellcheck: "false", dir: "auto", placeholder: "Type or paste text …", "aria-label": "Text to parse" });
    this.text.value = sessionStorage.getItem("text") ?? "We read the letters from old friends twice.";
    const names = models.models.map((one) => [one.name, one.name]);
    this.model = choice("model", "Model", names, models.default);
    this.compare = choice("compare", "Compare with", [["", "nothing"], ...names, [GOLD, "a gold file …"]], "");
    this.file = el("input", { type: "file", accept: ".conllu,text/plain", id: "gold" });
    this.fileField = labelled("Gold file (CoNLL-U)", this.file);
    this.fileField.hidden = true;
    this.gold = null;
    this.zoom = 1;
    this.results = [];
    this.build(panel);
    this.parse();
  }

  build(panel) {
    const again = debounced(() => this.parse(), TYPING_MS);
    this.text.addEventListener("input", () => {
      sessionStorage.setItem("text", this.text.value.slice(0, 100_000)); // there is not much room
      again();
    });
    this.model.addEventListener("change", () => this.parse());
    this.compare.addEventListener("change", () => this.choose());
    this.file.addEventListener("click", () => (this.file.value = "")); // the same file may be chosen again
    this.file.addEventListener("change", () => this.readGold());
    const zoom = (by) => () => {
      this.zoom = Math.min(2.5, Math.max(0.5, this.zoom * by));
      this.results.slice(0, this.drawn).forEach((one) => one.draw());
    };
    put(
      panel,
      el("div", { class: "card" }, this.text, el("div", { class: "row end" },
        this.model, this.compare, this.fileField,
        el("div", { class: "grow" }),
        el("div", { class: "row" },
          button("−", zoom(1 / 1.2), { "aria-label": "Smaller trees", class: "small" }), button("+", zoom(1.2), { "aria-label": "Larger trees", class: "small" }),
          button("CoNLL-U", () => saveText("trees.conllu", this.results.map((one) => toConllu(one.shown())).join(""), "text/plain"), { class: "small" }),
          button("JSON", () => saveText("trees.json", JSON.stringify(this.results.map((one) => one.trees[one.at]), null, 1), "application/json"), { class: "small" }))),
      ),
      messagesHere(),
      el("div", { class: "row above" }, this.state, el("div", { class: "grow" }), (this.legend = el("div", {}))),
      this.cards,
    );
  }

  choose() {
    const isGold = chosenIn(this.compare) === GOLD;
    this.fileField.hidden = !isGold;
    if (!isGold) this.gold = null;
    this.text.disabled = this.gold !== null;
    this.parse();
  }

  async readGold() {
    const [file] = this.file.files;
    if (!file) return;
    let text = "";
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      tell(`${file.name} is not UTF-8`, "bad");
      return;
    }
    const found = blocks(text);
    if (!found.length || !found.some((one) => treeOf(one).length)) {
      tell(`${file.name} has no sentences in CoNLL-U`, "bad");
      return;
    }
    this.gold = found.slice(0, MOST_GOLD);
    if (found.length > MOST_GOLD) tell(`The first ${MOST_GOLD} of ${found.length} sentences are compared.`);
    this.text.disabled = true;
    this.parse();
  }

  /** What is to be parsed; null if there is nothing. */
  request() {
    const model = chosenIn(this.model);
    if (this.gold) {
      const bare = this.gold.map((one) => one.split("\n").map((line) => {
        const cells = line.split("\t");
        return /^\d+$/.test(cells[0]) && cells.length === 10 ? [...cells.slice(0, 6), "_", "_", "_", cells[9]].join("\t") : line;
      }).join("\n"));
      return { model, conllu: bare.join(""), marginals: true };
    }
    return this.text.value.trim() ? { model, text: this.text.value, marginals: true } : null;
  }

  async parse() {
    this.running?.abort();
    const running = (this.running = new AbortController());
    const request = this.request();
    if (request === null) {
      this.results = [];
      put(this.cards);
      put(this.legend);
      this.state.textContent = "Trees appear as you type.";
      return;
    }
    this.state.textContent = "Parsing …";
    try {
      const found = await post("v1/parse", request, running.signal);
      const others = await this.others(found, running.signal);
      if (running.signal.aborted) return;
      hush();
      this.show(found, others);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.state.textContent = "Not parsed.";
      tell(error.message, "bad");
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** The trees to compare with, sentence by sentence. */
  async others(found, signal) {
    if (this.gold) return this.gold.map(treeOf);
    const name = chosenIn(this.compare);
    if (!name || name === GOLD) return [];
    const conllu = found.sentences.map(toConllu).join("");
    const answer = await post("v1/parse", { model: name, conllu, own_tags: true }, signal).catch((error) => {
      if (error.code === "not_possible") return post("v1/parse", { model: name, conllu }, signal);
      throw error;
    });
    return answer.sentences.map((one) => one.words);
  }

  show(found, others) {
    const chosen = this.results.map((one) => one.selected);
    this.results = found.sentences.map((one, i) => new Result(this, one, others[i], chosen[i], i + 1));
    this.drawn = 0;
    put(this.legend, found.sentences.length ? legend(others.length ? [["other", "the other tree, where it differs"]] : []) : null);
    put(this.cards);
    this.drawMore();
    const words = found.sentences.reduce((sum, one) => sum + one.words.length, 0);
    const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
    this.state.textContent = `${counted(found.sentences.length, "sentence")}, ${counted(words, "word")}${this.score(others)}`;
  }

  /** Draw some more sentences: thousands would be too many for a browser. */
  drawMore() {
    const part = this.results.slice(this.drawn, this.drawn + AT_ONCE);
    part.forEach((one) => one.draw());
    this.drawn += part.length;
    this.more?.remove();
    const left = this.results.length - this.drawn;
    this.more = left ? button(`Show more: ${left} sentences are not drawn`, () => this.drawMore(), { class: "more" }) : null;
    this.cards.append(...part.map((one) => one.card), ...(this.more ? [this.more] : []));
  }

  score(others) {
    let [total, heads, both] = [0, 0, 0];
    this.results.forEach((result, i) => {
      (others[i] ?? []).forEach((word, n) => {
        const own = result.best.words[n];
        if (!own || word.head === null) return;
        total += 1;
        heads += own.head === word.head;
        both += own.head === word.head && own.relation === word.relation;
      });
    });
    if (!total) return "";
    return this.gold ? ` · UAS ${percent(heads / total)}, LAS ${percent(both / total)}` : ` · ${percent(both / total)} of heads and relations agree`;
  }
}

/** One sentence: its trees, and what is known of the chosen word. */
class Result {
  constructor(tab, sentence, other, selected, number) {
    this.tab = tab;
    this.number = number;
    this.best = withProbabilities(sentence);
    this.trees = [this.best];
    this.at = 0;
    this.other = other;
    this.selected = selected <= sentence.words.length ? selected : undefined;
    this.card = el("article", { class: "card sentence" });
  }

  shown() {
    return this.trees[this.at];
  }

  draw() {
    const sentence = this.shown();
    const focused = this.card.contains(document.activeElement) && document.activeElement.closest(".word");
    this.picture = drawTree(sentence.words, {
      selected: this.selected,
      other: this.other,
      zoom: this.tab.zoom,
      label: `Tree of: ${sentence.text}`,
      onSelect: (id) => this.select(id),
    });
    this.picture.addEventListener("keydown", (event) => this.onKey(event));
    this.inspector ??= el("div", {});
    const name = `tree-${comment(sentence, "sent_id") ?? "1"}`.replace(/[^\w-]+/g, "_");
    put(
      this.card,
      el("div", { class: "row" }, this.confidence(sentence), el("div", { class: "grow" }), this.stepper(),
        button("SVG", () => saveSvg(`${name}.svg`, this.picture), { class: "quiet" }), button("PNG", () => savePng(`${name}.png`, this.picture), { class: "quiet" })),
      scrolling(this.picture, `Tree ${this.number}, scrolls sideways`),
      this.inspector,
    );
    if (this.selected) this.explain();
    else put(this.inspector);
    if (focused) this.picture.querySelector(".word.selected")?.focus();
  }

  confidence(sentence) {
    const known = sentence.words.map((word) => word.head_prob).filter((one) => one !== null);
    const mean = known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
    const tree = comment(sentence, "tree_prob");
    return [
      el("span", { class: `badge${mean !== null && mean < 0.8 ? " low" : ""}`, title: "The share of heads that are right, as the model expects it" }, `heads ${percent(mean)}`),
      el("span", { class: "badge", title: "The probability that all heads are right" }, `tree ${percent(tree === null ? null : Number(tree))}`),
    ];
  }

  stepper() {
    const of = this.trees.length > 1 ? ` of ${this.trees.length}` : "";
    return el("div", { class: "row", role: "group", "aria-label": `Best trees of sentence ${this.number}` },
      button("‹", () => this.step(-1), { class: "small", disabled: this.at === 0, "aria-label": "Better tree" }),
      el("span", { class: "soft", role: "status" }, `tree ${this.at + 1}${of}`),
      button("›", () => this.step(1), { class: "small", disabled: this.trees.length > 1 && this.at === this.trees.length - 1, "aria-label": "Next best tree" }));
  }

  async step(by) {
    if (this.trees.length === 1) await this.findTrees();
    this.at = Math.min(Math.max(this.at + by, 0), this.trees.length - 1);
    this.draw();
  }

  async findTrees() {
    try {
      const bare = { ...this.best, words: this.best.words.map((word) => ({ ...word, head: null, relation: null })) };
      const found = await post("v1/parse", { model: chosenIn(this.tab.model), conllu: toConllu(bare), kbest: MOST_TREES, marginals: true });
      this.trees = found.sentences.map(withProbabilities);
      if (this.trees.length === 1) tell("There is no other tree: all other arcs are hopeless.");
    } catch (error) {
      tell(error.message, "bad");
    }
  }

  select(id) {
    this.selected = this.selected === id ? undefined : id;
    this.draw();
    this.picture.querySelector(".word.selected")?.focus();
  }

  onKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const word = event.target.closest(".word");
    if (!step || !word) return;
    event.preventDefault();
    const way = this.picture.querySelector(".word")?.getBoundingClientRect().x > this.picture.querySelectorAll(".word")[1]?.getBoundingClientRect().x ? -step : step;
    const next = Number(word.dataset.id) + way;
    if (next < 1 || next > this.shown().words.length) return;
    this.selected = next;
    this.draw();
    this.picture.querySelector(".word.selected").focus();
  }

  explain() {
    const { words } = this.shown();
    const word = words[this.selected - 1];
    put(
      this.inspector,
      el("div", { class: "inspector" },
        el("div", {}, el("h2", { dir: "auto" }, word.form), el("p", { class: "soft" }, [word.upos, word.xpos, word.lemma && `lemma ${word.lemma}`, word.feats].filter(Boolean).join(" · "))),
        el("div", {}, el("h3", {}, "Candidate heads"), headList(words, word)),
        el("div", {}, el("h3", {}, "Candidate relations to this head"), relationList(word))),
    );
  }
}

/** A sentence with its probabilities and candidates where trees and lists look for them. */
function withProbabilities(sentence) {
  const words = sentence.words.map((word) => ({ ...word, head_prob: noted(word.misc, "HeadProb"), relation_prob: noted(word.misc, "LabelProb"), heads: pairs(word.heads, "head"), relations: pairs(word.relations, "relation") }));
  return { ...sentence, words };
}

const pairs = (candidates, name) => (candidates ?? []).map((one) => [one[name], one.probability]);
