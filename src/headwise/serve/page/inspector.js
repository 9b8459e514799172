// What can be seen of the chosen word and done with it. It stands below the tree and never covers it.

import { headList, relationList } from "./candidates.js";
import { button, el, labelled, percent } from "./dom.js";

const UPOS = ["ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"];

/** A text field that does something when its text was changed, at Enter or when it is left. */
export function edited(id, value, change, more = {}) {
  const input = el("input", { id, value: value ?? "", autocomplete: "off", spellcheck: "false", dir: "auto", ...more });
  const done = () => {
    if (!input.dataset.gone && input.value.trim() !== (value ?? "")) change(input.value.trim());
  };
  input.addEventListener("change", done);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") input.value = value ?? "";
  });
  return input;
}

function state(isFixed) {
  return el("span", { class: `badge${isFixed ? " fixed" : ""}` }, isFixed ? "fixed" : "proposed");
}

/** The panel of a word: head and relation, tags, and acts. */
export function inspector(sentence, word, act, commands) {
  const { words } = sentence;
  const set = (column) => (value) => act({ act: "set", word: word.id, column, value });
  const tags = [...new Set([...UPOS, ...words.map((one) => one.upos).filter(Boolean)])];
  return el("div", { class: "inspector", id: "inspector" },
    el("div", {},
      el("div", { class: "row" }, el("h2", { dir: "auto" }, word.form), el("span", { class: "soft" }, `word ${word.id}`), state(word.fixed.tags),
        word.fixed.tags ? button("Release tags", () => act({ act: "release_tags", words: [word.id] }), { class: "quiet" }) : null),
      doubts(words, word, act),
      el("div", { class: "fields" },
        labelled("Part of speech", edited("upos", word.upos, set("upos"))),
        labelled("XPOS", edited("xpos", word.xpos, set("xpos"))),
        el("div", { class: "wide choices", role: "group", "aria-label": "Parts of speech" }, tags.map((tag) => button(tag, () => set("upos")(tag), { "aria-pressed": String(tag === word.upos) }))),
        el("div", { class: "wide" }, labelled("Lemma", edited("lemma", word.lemma, set("lemmas")))),
        el("div", { class: "wide" }, labelled("Features", edited("feats", word.feats, set("feats"), { placeholder: "Name=Value|…" }))))),
    el("div", {},
      el("div", { class: "row" }, el("h3", {}, "Head"), state(word.fixed.head)),
      headList(words, word, (head) => act({ act: "head", word: word.id, head })),
      el("div", { class: "acts" },
        button("Accept", commands.accept, { class: "small", disabled: word.fixed.head && word.fixed.relation }),
        button("Release", commands.release, { class: "small", disabled: !word.fixed.head && !word.fixed.relation }),
        button("Root", commands.root, { class: "small" }),
        button("Forbid this head", commands.forbid, { class: "small", disabled: word.head === null })),
      forbidden(sentence, word, act)),
    el("div", {},
      el("div", { class: "row" }, el("h3", {}, "Relation"), state(word.fixed.relation)),
      edited("relation", word.relation, (relation) => act({ act: "relation", word: word.id, relation }), { class: "wide", "aria-label": "Relation: type one, or choose one below" }),
      relationList(word, (relation) => act({ act: "relation", word: word.id, relation }))),
    el("div", {},
      el("h3", {}, "Words and sentences"),
      splitting(word, act),
      el("div", { class: "acts" },
        button("Merge with next word", commands.merge, { class: "small", disabled: word.id === words.length }),
        button("Begin sentence here", commands.splitSentence, { class: "small", disabled: word.id === 1 }),
        button("Merge with next sentence", commands.mergeSentences, { class: "small" })),
      bracketing(sentence, word, act)));
}

/** What `headwise review` finds unlikely, with what it would say, which a button takes. */
function doubts(words, word, act) {
  const name = (column, value) => (column !== "head" ? value : value === "0" ? "root" : `${value} ${words[value - 1]?.form ?? ""}`);
  const takes = (column, value) => {
    if (column === "head") return { act: "head", word: word.id, head: Number(value) };
    if (column === "deprel") return { act: "relation", word: word.id, relation: value };
    return { act: "set", word: word.id, column, value };
  };
  return word.suspicions.map((one) => el("div", { class: "doubt row" },
    el("span", {}, `${one.column.toUpperCase()} ${name(one.column, one.value)}: ${percent(one.probability)}`),
    button(`Take ${name(one.column, one.expected)} (${percent(one.expected_probability)})`, () => act(takes(one.column, one.expected)), { class: "small" })));
}

function forbidden(sentence, word, act) {
  const own = sentence.forbidden.filter(([, modifier]) => modifier === word.id);
  if (!own.length) return null;
  const name = (id) => (id === 0 ? "root" : sentence.words[id - 1].form);
  return el("div", { class: "acts" }, own.map(([head]) => button(`Allow ${name(head)} again`, () => act({ act: "allow", word: word.id, head }), { class: "small" })));
}

function splitting(word, act) {
  const middle = Math.ceil(word.form.length / 2);
  const input = el("input", { id: "split", value: `${word.form.slice(0, middle)} ${word.form.slice(middle)}`, spellcheck: "false", dir: "auto" });
  const multiword = el("input", { type: "checkbox", id: "multiword" });
  const split = () => act({ act: "split_word", word: word.id, forms: input.value.trim().split(/\s+/), multiword: multiword.checked });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") split();
  });
  return el("div", {},
    labelled("Split into, with spaces", input),
    el("div", { class: "acts" }, button("Split", split, { class: "small" }), el("label", { class: "soft row" }, multiword, "multiword token")));
}

function bracketing(sentence, word, act) {
  const bracket = () => act({ act: "bracket", first: Number(first.value), last: Number(last.value) });
  const onkeydown = (event) => event.key === "Enter" && bracket();
  const [first, last] = ["first", "last"].map((name) => el("input", { type: "number", min: 1, max: sentence.words.length, value: word.id, id: `bracket-${name}`, onkeydown }));
  return el("div", { class: "part" },
    el("h3", {}, "Words that form one subtree"),
    el("div", { class: "acts end" }, labelled("from", first), labelled("to", last),
      button("Bracket", bracket, { class: "small" })),
    el("div", { class: "acts" }, sentence.brackets.map(([i, j]) => button(`Remove bracket ${i}–${j}`, () => act({ act: "unbracket", first: i, last: j }), { class: "small" }))));
}
