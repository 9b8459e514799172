// Sentences as CoNLL-U, from what the server says of them.

const value = (text) => (text === null || text === undefined || text === "" ? "_" : String(text));

/** A word's row. */
function row(id, word) {
  return [id, word.form, value(word.lemma), value(word.upos), value(word.xpos), value(word.feats), word.head === null || word.head === undefined ? "_" : word.head, value(word.relation), value(word.deps), value(word.misc)].join("\t");
}

/** A sentence with its comments, multiword tokens and empty nodes. */
export function toConllu(sentence) {
  const lines = [...(sentence.comments ?? [])];
  const extras = sentence.extras ?? [];
  const at = (id) => (String(id).includes("-") ? Number(String(id).split("-")[0]) - 0.5 : Number(id));
  const rows = [...sentence.words.map((word) => [word.id, word]), ...extras.map((extra) => [extra.id, extra])];
  rows.sort((a, b) => at(a[0]) - at(b[0]));
  for (const [id, word] of rows) lines.push(row(id, word));
  return `${lines.join("\n")}\n\n`;
}

/** A number among the items of MISC. */
export function noted(misc, name) {
  const found = (misc ?? "").split("|").find((item) => item.startsWith(`${name}=`));
  return found === undefined ? null : Number(found.slice(name.length + 1));
}

/** The value of a comment. */
export function comment(sentence, key) {
  const line = (sentence.comments ?? []).find((one) => one.slice(1).split("=")[0].trim() === key);
  return line === undefined ? null : line.slice(line.indexOf("=") + 1).trim();
}

/** Cut a CoNLL-U text into its sentences, as texts. */
export function blocks(text) {
  return text.replaceAll("\r\n", "\n").split(/\n\n+/).map((one) => one.trim()).filter((one) => one && !one.split("\n").every((line) => line.startsWith("#"))).map((one) => `${one}\n\n`);
}

/** Heads and relations of a CoNLL-U sentence. */
export function treeOf(block) {
  return block
    .split("\n")
    .map((line) => line.split("\t"))
    .filter((cells) => /^\d+$/.test(cells[0]) && cells.length === 10)
    .map((cells) => ({ id: Number(cells[0]), form: cells[1], upos: cells[3], head: cells[6] === "_" ? null : Number(cells[6]), relation: cells[7] === "_" ? null : cells[7] }));
}
