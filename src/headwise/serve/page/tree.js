// A tree over a sentence, drawn as SVG. Words can be chosen, and dragged to a head.

import { el, percent, svg } from "./dom.js";
import { SIZES, arcsOf, departures, isRightToLeft, placeWords, widthOf, withLevels } from "./layout.js";

const RADIUS = 11;
const EDGE = 40;
const STEP = 16;

/**
 * Draw a tree.
 *
 * words: {id, form, upos, lemma, head, relation, head_prob, fixed?}, as the server sends them.
 * settings: other (words of another tree, drawn below where it differs), selected, showRoot,
 *   brackets, zoom, label, onSelect(id), onDrag(word, head).
 */
export function drawTree(words, settings = {}) {
  const rtl = isRightToLeft(words.map((word) => word.form).join(" "));
  const arcs = withLevels(arcsOf(words));
  const rootRoom = settings.showRoot ? 58 : 0;
  const { centres, widths, total } = placeWords(words, arcs, { rtl, start: SIZES.side + rootRoom });
  departures(arcs, centres, widths);
  const height = Math.max(...arcs.map((arc) => arc.level), 1) * SIZES.level + 30;
  const differing = differences(words, settings.other);
  const below = withLevels(arcsOf(differing));
  departures(below, centres, widths);
  const depth = differing.length ? Math.max(...below.map((arc) => arc.level), 1) * SIZES.level + 30 : 0;
  const brackets = settings.brackets ?? [];
  const base = height + 4;
  const wordHeight = 62 + (brackets.length ? 10 : 0);
  const zoom = settings.zoom ?? 1;
  const full = base + wordHeight + depth;
  const picture = svg("svg", {
    class: "tree",
    direction: rtl ? "rtl" : "ltr",
    viewBox: `0 0 ${total} ${full}`,
    width: total * zoom,
    height: full * zoom,
    role: "group",
    "aria-label": settings.label ?? "Dependency tree",
  });
  const scene = { picture, words, centres, widths, base, rtl, total, full, settings };
  for (const arc of arcs) drawArc(scene, arc, base, -1, "");
  for (const word of words) if (word.head === 0) drawRoot(scene, word, base, -1, "");
  const floor = base + wordHeight - 6;
  for (const arc of below) drawArc(scene, arc, floor, 1, " other");
  for (const word of differing) if (word.head === 0) drawRoot(scene, word, floor, 1, " other");
  for (const [first, last] of brackets) drawBracket(scene, first, last, base + 50);
  if (settings.showRoot) drawRootWord(scene);
  const changed = new Set(differing.map((word) => word.id));
  for (const word of words) drawWord(scene, word, changed.has(word.id));
  if (settings.onDrag) makeDraggable(scene);
  return picture;
}

/** The box in which a tree scrolls sideways, from where its first word is. */
export function scrolling(picture, label) {
  return el("div", { class: "scroll", dir: picture.getAttribute("direction"), tabindex: 0, role: "region", "aria-label": label }, picture);
}

function differences(words, other) {
  if (!other) return [];
  return other.filter((word, i) => words[i] && (word.head !== words[i].head || word.relation !== words[i].relation));
}

/** How sure the model is, in three steps: strokes and texts tell them apart, not colours alone. */
function sureness(word) {
  if (word.fixed?.head) return "fixed";
  if (word.head_prob === null || word.head_prob === undefined) return "plain";
  return word.head_prob >= 0.9 ? "sure" : word.head_prob >= 0.6 ? "likely" : "unsure";
}

function shade(word) {
  if (word.fixed?.head || word.head_prob === null || word.head_prob === undefined) return 1;
  return 0.4 + 0.6 * word.head_prob;
}

function drawArc(scene, arc, base, way, more) {
  const { word } = arc;
  const to = scene.centres[word.id - 1];
  const { from } = arc;
  const top = base + way * (arc.level * SIZES.level);
  const sign = to > from ? 1 : -1;
  const radius = Math.min(RADIUS, Math.abs(to - from) / 2);
  const line = [
    `M${from} ${base}`,
    `V${top - way * radius}`,
    `Q${from} ${top} ${from + sign * radius} ${top}`,
    `H${to - sign * radius}`,
    `Q${to} ${top} ${to} ${top - way * radius}`,
    `V${base + way * 5}`,
  ].join(" ");
  const group = arcGroup(scene, word, more);
  group.append(svg("path", { class: "line", d: line, "stroke-opacity": shade(word) }));
  group.append(svg("path", { class: "point", d: arrow(to, base, way), "fill-opacity": shade(word) }));
  group.append(...labelAt((from + to) / 2, top, word));
  scene.picture.append(group);
}

/** The parts of an arc; who clicks them chooses its word. */
function arcGroup({ settings }, word, more) {
  const chosen = settings.selected === word.id ? " selected" : "";
  const known = settings.onSelect ? " known" : "";
  return svg("g", { class: `arc ${sureness(word)}${more}${chosen}${known}`, "data-word": word.id, onclick: settings.onSelect && (() => settings.onSelect(word.id)) });
}

function arrow(x, base, way) {
  return `M${x - 4} ${base + way * 7} L${x} ${base} L${x + 4} ${base + way * 7} Z`;
}

function drawRoot(scene, word, base, way, more) {
  const x = scene.centres[word.id - 1];
  const top = way < 0 ? 10 : scene.full - 10;
  const group = arcGroup(scene, word, more);
  group.append(svg("path", { class: "line", d: `M${x} ${top} V${base + way * 5}`, "stroke-opacity": shade(word) }));
  group.append(svg("path", { class: "point", d: arrow(x, base, way), "fill-opacity": shade(word) }));
  group.append(...labelAt(x, top, word));
  scene.picture.append(group);
}

function labelAt(x, y, word) {
  const text = word.relation ?? "?";
  const width = widthOf(text, SIZES.label, 700) + 10;
  const title = svg("title", {}, `${text}${word.head_prob === null || word.head_prob === undefined ? "" : `, head ${percent(word.head_prob)}, relation ${percent(word.relation_prob)}`}`);
  const state = word.fixed?.relation ? " set" : "";
  return [
    svg("rect", { class: `pill${state}`, x: x - width / 2, y: y - 8, width, height: 16, rx: 8 }, title),
    svg("text", { class: `label${state}`, x, y: y + 4, "text-anchor": "middle" }, text),
  ];
}

function drawBracket(scene, first, last, y) {
  const xs = [first, last].map((id) => [scene.centres[id - 1] - scene.widths[id - 1] / 2, scene.centres[id - 1] + scene.widths[id - 1] / 2]).flat();
  const [left, right] = [Math.min(...xs) - 4, Math.max(...xs) + 4];
  scene.picture.append(svg("path", { class: "bracket", d: `M${left} ${y} V${y + 7} H${right} V${y}` }, svg("title", {}, `words ${first} to ${last} form one subtree`)));
}

function drawRootWord(scene) {
  const x = scene.rtl ? scene.total - 34 : 34;
  const group = svg("g", { class: "word rootword", "data-id": 0 });
  group.append(svg("rect", { class: "hit", x: x - 26, y: scene.base + 6, width: 52, height: 26, rx: 13 }));
  group.append(svg("text", { class: "tag", x, y: scene.base + 23, "text-anchor": "middle" }, "root"));
  scene.picture.append(group);
}

function drawWord(scene, word, isOther) {
  const x = scene.centres[word.id - 1];
  const width = scene.widths[word.id - 1] + 12;
  const selected = scene.settings.selected === word.id;
  const tagged = !word.fixed || word.fixed.tags;
  const group = svg("g", {
    class: `word${selected ? " selected" : ""}${isOther ? " differs" : ""}${word.suspicions?.length ? " suspicious" : ""}`,
    "data-id": word.id,
    role: scene.settings.onSelect ? "button" : null,
    tabindex: scene.settings.onSelect ? (selected || (!scene.settings.selected && word.id === 1) ? 0 : -1) : null,
    "aria-pressed": scene.settings.onSelect ? String(selected) : null,
    "aria-label": scene.settings.onSelect ? described(scene.words, word) : null,
  });
  group.append(svg("rect", { class: "hit", x: x - width / 2, y: scene.base + 3, width, height: 46, rx: 8 }));
  group.append(svg("text", { class: "form", x, y: scene.base + 21, "text-anchor": "middle" }, word.form));
  if (word.suspicions?.length) group.append(svg("path", { class: "doubt", d: `M${x - width / 2 + 4} ${scene.base + 25} H${x + width / 2 - 4}` }));
  group.append(" ", svg("text", { class: tagged ? "tag" : "tag open", x, y: scene.base + 36, "text-anchor": "middle" }, word.upos ?? word.xpos ?? "·"));
  group.append(" ", svg("text", { class: "number", x, y: scene.base + 46, "text-anchor": "middle" }, word.id));
  if (scene.settings.onSelect) {
    group.addEventListener("click", () => scene.settings.onSelect(word.id));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        scene.settings.onSelect(word.id);
      }
    });
  }
  scene.picture.append(group);
}

function described(words, word) {
  const head = word.head === 0 ? "root of the tree" : word.head ? `${word.relation ?? "attached"} of ${words[word.head - 1].form}` : "no head";
  const said = (isFixed) => (isFixed ? "fixed" : "proposed");
  const { fixed } = word;
  const state = fixed ? `, ${said(fixed.head)}${fixed.head === fixed.relation ? "" : `, relation ${said(fixed.relation)}`}` : "";
  const doubt = word.suspicions?.length ? ", suspicious" : "";
  return `${word.form} ${word.upos ?? word.xpos ?? "·"} ${word.id}, ${head}${state}${doubt}`;
}

/** Bring into view what lies beyond an edge of the box, if a word is dragged there. */
function scrollAtEdges(box, x) {
  const { left, right } = box.getBoundingClientRect();
  if (x > right - EDGE) box.scrollLeft += STEP;
  if (x < left + EDGE) box.scrollLeft -= STEP;
}

/** Dragging a word to another one makes that its head; a click stays a click. */
function makeDraggable(scene) {
  const { picture } = scene;
  let from = null;
  let line = null;
  const point = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    return [at.x, at.y];
  };
  const wordUnder = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".word");
  const end = () => {
    line?.remove();
    picture.querySelector(".target")?.classList.remove("target");
    picture.classList.remove("dragging");
    [from, line] = [null, null];
  };
  picture.addEventListener("pointerdown", (event) => {
    const word = event.target.closest(".word");
    if (word && word.dataset.id !== "0" && event.button === 0) from = Number(word.dataset.id);
  });
  picture.addEventListener("pointermove", (event) => {
    if (from === null) return;
    scrollAtEdges(picture.closest(".scroll"), event.clientX);
    const [x, y] = point(event);
    const start = scene.centres[from - 1];
    if (!line) {
      if (Math.abs(x - start) < scene.widths[from - 1] / 2 + 4) return;
      line = svg("path", { class: "draft" });
      picture.append(line);
      picture.classList.add("dragging");
    }
    const top = Math.max(10, scene.base - 20 - Math.abs(x - start) / 3);
    line.setAttribute("d", `M${start} ${scene.base} C${start} ${top} ${x} ${top} ${x} ${y}`);
    picture.querySelector(".target")?.classList.remove("target");
    const over = wordUnder(event);
    if (over && picture.contains(over) && Number(over.dataset.id) !== from) over.classList.add("target");
  });
  picture.addEventListener("pointerup", (event) => {
    const over = wordUnder(event);
    const [word, isDrag] = [from, line !== null];
    end();
    if (isDrag && over && picture.contains(over) && Number(over.dataset.id) !== word) {
      scene.settings.onDrag(word, Number(over.dataset.id));
    }
  });
  picture.addEventListener("pointercancel", end);
  picture.addEventListener("pointerleave", end);
}
