// The tab about models: cards, scores, reliability curves.

import { get } from "./api.js";
import { cardOf } from "./card.js";
import { choice, chosenIn, el, messagesHere, percent, put, svg, tell } from "./dom.js";

const SIDE = 190;

export class ModelTab {
  constructor(panel, models) {
    this.choice = choice("model-choice", "Model", models.models.map((one) => [one.name, one.name]), models.default);
    this.body = el("div", {});
    this.choice.addEventListener("change", () => this.show());
    put(panel, el("div", { class: "card row" }, this.choice), messagesHere(), this.body);
  }

  async show() {
    try {
      const found = await get(`v1/models/${encodeURIComponent(chosenIn(this.choice))}`);
      put(this.body, facts(found), scores(found.scores), curves(found.calibration), card(found.card));
    } catch (error) {
      tell(error.message, "bad");
    }
  }
}

function facts(model) {
  const rows = [["Name", model.name], ["Version", model.version], ["Kind", model.kind], ["Stages", (model.stages ?? []).join(", ")], ["Language", model.language], ["Licence", model.licence], ["Size", `${(model.bytes / 1e6).toFixed(1)} MB`]];
  return el("div", { class: "card" }, el("table", {}, el("caption", { class: "soft" }, "This model"), el("tbody", {}, rows.filter(([, value]) => value).map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))))));
}

const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const shown = (value) => (typeof value !== "number" ? "" : Number.isInteger(value) ? value : value.toFixed(2));

/** Measures by what was given to the model: a column for each. */
function scores(data) {
  const columns = Object.entries(data).filter(([, one]) => isTable(one));
  const names = [...new Set(columns.flatMap(([, one]) => Object.keys(one)))];
  if (!names.length) return el("p", { class: "card soft" }, "The model says nothing about its scores.");
  const row = (name) => el("tr", {}, el("th", { scope: "row" }, name), columns.map(([, one]) => el("td", { class: "number" }, shown(one[name]))));
  return el("div", { class: "card" }, el("h2", {}, "Scores on development data"),
    el("div", { class: "tables", tabindex: 0, role: "group", "aria-label": "Scores" }, el("table", { class: "scores" },
      el("thead", {}, el("tr", {}, el("td", {}), columns.map(([name]) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, names.map(row)))));
}

function curves(data) {
  const found = Object.entries(data ?? {}).filter(([, one]) => Array.isArray(one?.curve));
  if (!found.length) return null;
  return el("div", { class: "card" }, el("h2", {}, "Reliability"), el("p", { class: "soft" }, "How often answers of a given probability are right; the dashed line is perfect calibration."), el("div", { class: "curves" }, found.map(([name, one]) => curve(name, one))));
}

function curve(name, { error, curve: bins }) {
  const at = ([, chance, right]) => [30 + chance * (SIDE - 40), SIDE - 25 - right * (SIDE - 40)];
  const points = bins.map(at);
  return el("figure", { class: "curve" },
    svg("svg", { width: SIDE, height: SIDE, viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", "aria-label": `Reliability of ${name}: expected calibration error ${percent(error)}` },
      svg("path", { class: "axis", d: `M30 15 V${SIDE - 25} H${SIDE - 10}` }),
      svg("path", { class: "ideal", d: `M30 ${SIDE - 25} L${SIDE - 10} 15` }),
      svg("path", { class: "line", d: points.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join(" ") }),
      points.map(([cx, cy]) => svg("circle", { cx, cy, r: 3 })),
      svg("text", { x: 30, y: SIDE - 8 }, "0"), svg("text", { x: 52, y: SIDE - 8 }, "probability"), svg("text", { x: SIDE - 34, y: SIDE - 8 }, "100 %"),
      svg("text", { x: 2, y: 12 }, "right")),
    el("figcaption", { class: "soft" }, `${name}: error ${percent(error)}`));
}

function card(text) {
  return text ? el("div", { class: "card" }, el("h2", {}, "Model card"), el("div", { class: "document" }, cardOf(text))) : null;
}
