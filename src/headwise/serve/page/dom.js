// Elements are made here and nowhere else: text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** An HTML element. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Put children in the place of all that a node has. */
export function put(node, ...children) {
  node.replaceChildren();
  return fill(node, {}, children);
}

/** A control under a visible label. */
export function labelled(text, control) {
  return el("label", { class: "field" }, el("span", {}, text), control);
}

/** A button. */
export function button(text, onclick, more = {}) {
  return el("button", { type: "button", onclick, ...more }, text);
}

/** A choice of one among a few, [value, text], all of them in sight: no menu opens over a tree. */
export function choice(id, title, pairs, chosen) {
  return el("fieldset", { class: "choice", id }, el("legend", {}, title),
    pairs.map(([value, text]) => el("label", {}, el("input", { type: "radio", name: id, value, checked: value === chosen }), el("span", { dir: "auto" }, text))));
}

/** What is chosen in a field made by `choice`. */
export const chosenIn = (field) => field.querySelector(":checked").value;

/** A share as per cent. */
export function percent(share) {
  if (share === null || share === undefined) return "–";
  if (share > 0.9995) return "100 %";
  return share >= 0.1 ? `${Math.round(100 * share)} %` : `${(100 * share).toFixed(1)} %`;
}

let timer = 0;

/** Where an open tab shows messages: within the page, so that they cover nothing. */
export const messagesHere = () => el("div", { class: "messages-here" });

/** Tell the user something, also those who listen. */
export function tell(text, kind = "info", actions = []) {
  const box = document.getElementById("messages");
  clearTimeout(timer);
  const close = button("Dismiss", () => put(box), { class: "quiet" });
  put(box, el("div", { class: `message ${kind}` }, el("p", {}, text), el("div", { class: "row" }, actions, close)));
  box.scrollIntoView({ block: "nearest" });
  if (kind === "info") timer = setTimeout(() => put(box), 4000);
}

/** Take back what was told. */
export function hush() {
  put(document.getElementById("messages"));
}

/** The last of many calls, once there are no more for a while. */
export function debounced(call, milliseconds) {
  let waiting = 0;
  return (...values) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => call(...values), milliseconds);
  };
}
