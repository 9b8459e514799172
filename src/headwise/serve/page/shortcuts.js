// Keys of the tab that corrects, and the page that lists them: one table for both.

import { button, el } from "./dom.js";

/** [keys, what they do, name of the command]; `{n}` stands for a number. */
export const SHORTCUTS = [
  ["Words", [
    ["ArrowLeft", "← / →", "word to the left, to the right", "left"],
    ["ArrowRight", null, null, "right"],
    ["Home", "Home / End", "first word, last word", "first"],
    ["End", null, null, "last"],
  ]],
  ["Sentences", [
    ["j", "j / k", "next sentence, previous sentence", "next"],
    ["k", null, null, "previous"],
    ["c", "c", "check the sentence and go on to the next unchecked one", "check"],
    ["C", "Shift C", "take back that it is checked", "uncheck"],
    ["n", "n", "write a note", "note"],
  ]],
  ["Tree", [
    ["#", "0 – 9, Enter", "head by number; 0 is the root", ""],
    ["Shift+ArrowLeft", "Shift ← / →", "head one word further left, right", "headLeft"],
    ["Shift+ArrowRight", null, null, "headRight"],
    ["o", "o", "make the word the root", "root"],
    ["r", "r", "type a relation", "relation"],
    ["Alt+#", "Alt 1 – 9", "take a relation from the list", ""],
    ["a", "a", "accept the proposed head and relation", "accept"],
    ["A", "Shift A", "accept the whole tree", "acceptAll"],
    ["u", "u", "release head and relation: the model proposes again", "release"],
    ["U", "Shift U", "release the whole tree", "releaseAll"],
    ["x", "x", "forbid the present head", "forbid"],
    ["b", "b, b", "bracket: first and last word of a subtree", "bracket"],
    ["P", "Shift P", "attach punctuation by rule", "punctuation"],
  ]],
  ["Word", [
    ["t", "t", "type the part of speech", "upos"],
    ["m", "m", "type the lemma", "lemma"],
    ["f", "f", "type the features", "feats"],
    ["s", "s", "split the word", "split"],
    ["M", "Shift M", "merge it with the next word", "merge"],
    ["S", "Shift S", "begin a new sentence with it", "splitSentence"],
    ["J", "Shift J", "merge the sentence with the next one", "mergeSentences"],
  ]],
  ["Everything", [
    ["z", "z or Ctrl Z", "undo", "undo"],
    ["y", "y or Ctrl Y", "redo", "redo"],
    ["+", "+ / −", "larger, smaller", "larger"],
    ["-", null, null, "smaller"],
    ["?", "?", "this page", "help"],
    ["Escape", "Esc", "back to the tree from a field", ""],
  ]],
];

const COMMANDS = new Map(SHORTCUTS.flatMap(([, rows]) => rows).filter((row) => row[3]).map((row) => [row[0], row[3]]));

/** The command that a key stands for, or undefined. */
export function commandOf(event) {
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() === "z") return event.shiftKey ? "redo" : "undo";
    return event.key.toLowerCase() === "y" ? "redo" : undefined;
  }
  if (event.altKey) return undefined;
  const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
  return COMMANDS.get(name);
}

/** The page of shortcuts, which is hidden at first; `close` is what its button does. */
export function shortcutsPage(close) {
  const groups = SHORTCUTS.map(([title, rows]) => el("div", {},
    el("h3", {}, title),
    el("table", {}, el("tbody", {}, rows.filter((row) => row[1]).map(([, keys, text]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, keys)), el("td", {}, text)))))));
  return el("section", { class: "card", "aria-labelledby": "shortcuts-title", id: "shortcuts", hidden: true },
    el("div", { class: "row" }, el("h2", { id: "shortcuts-title", class: "grow" }, "Keyboard shortcuts"), button("Close", close)),
    el("p", { class: "soft" }, "Drag a word to another one to make that its head; drag it to “root” to make it the root."),
    el("div", { class: "columns" }, groups));
}
