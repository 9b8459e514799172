// Where the words and arcs of a tree are drawn: numbers only.

const FONT = 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';
export const SIZES = { form: 16, tag: 11, label: 11, level: 27, gap: 18, side: 14 };

const canvas = document.createElement("canvas").getContext("2d");

/** The width of a text in pixels. */
export function widthOf(text, size, weight = 400) {
  canvas.font = `${weight} ${size}px ${FONT}`;
  return canvas.measureText(text).width;
}

/** Whether a text runs from right to left: by its first letter that has a direction. */
export function isRightToLeft(text) {
  const found = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]|\p{L}/u.exec(text);
  return found !== null && !/\p{Script=Latin}/u.test(found[0]) && /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(found[0]);
}

/** Arcs with the level at which each is drawn: above all that it spans. */
export function withLevels(arcs) {
  const order = [...arcs].sort((a, b) => a.right - a.left - (b.right - b.left) || a.left - b.left);
  for (const arc of order) arc.level = 0;
  for (let i = 0; i < order.length; i++) {
    const arc = order[i];
    let below = 0;
    for (let j = 0; j < i; j++) {
      const other = order[j];
      if (other.left < arc.right && other.right > arc.left) below = Math.max(below, other.level);
    }
    arc.level = below + 1;
  }
  return arcs;
}

/** The arcs of heads; those from the root, and missing ones, are not among them. */
export function arcsOf(words) {
  return words
    .filter((word) => word.head)
    .map((word) => ({
      word,
      head: word.head,
      left: Math.min(word.id, word.head),
      right: Math.max(word.id, word.head),
    }));
}

/** The centre and width of each word, counted from 0; neighbours leave room for the labels between. */
export function placeWords(words, arcs, { rtl, start }) {
  const widths = words.map((word) =>
    Math.max(
      widthOf(word.form, SIZES.form, 600),
      widthOf(word.upos ?? "", SIZES.tag),
      24,
    ),
  );
  const needed = new Map();
  for (const arc of arcs) {
    if (arc.right - arc.left === 1) {
      const room = widthOf(arc.word.relation ?? "", SIZES.label) + 34;
      needed.set(arc.left, Math.max(needed.get(arc.left) ?? 0, room));
    }
  }
  const centres = [];
  let at = start;
  widths.forEach((width, i) => {
    if (i === 0) at += width / 2;
    else {
      const apart = (widths[i - 1] + width) / 2 + SIZES.gap;
      at += Math.max(apart, needed.get(i) ?? 0);
    }
    centres.push(at);
  });
  const total = (centres.at(-1) ?? start) + (widths.at(-1) ?? 0) / 2 + SIZES.side;
  return { centres: rtl ? centres.map((x) => total - x) : centres, widths, total };
}

/** Where arcs leave their heads: beside each other, longer ones nearer to the middle. */
export function departures(arcs, centres, widths) {
  const sides = new Map();
  for (const arc of arcs) {
    const to = centres[arc.word.id - 1];
    const from = centres[arc.head - 1];
    const key = `${arc.head} ${to > from}`;
    if (!sides.has(key)) sides.set(key, []);
    sides.get(key).push(arc);
  }
  for (const [key, group] of sides) {
    group.sort((a, b) => b.level - a.level);
    const head = Number(key.split(" ")[0]);
    const room = widths[head - 1] / 2;
    const step = Math.min(6, room / (group.length + 1));
    const sign = key.endsWith("true") ? 1 : -1;
    group.forEach((arc, i) => {
      arc.from = centres[head - 1] + sign * (3 + step * (i + 0.5));
    });
  }
}
