// The tab about models: cards, scores, reliability curves.

import { get } from "./api.js";
import { cardOf } from "./card.js";
import { choice, chosenIn, el, messagesHere, percent, put, svg, tell } from "./dom.js";

const SIDE = 230;
const FEW = 10;

/** Measures in the order in which a pipeline works, and the names that the field has for them. */
const MEASURES = { tokens: "tokens", words: "words", sentences: "sentences", upos: "UPOS", xpos: "XPOS", ufeats: "UFeats", lemmas: "lemmas", uas: "UAS", las: "LAS", clas: "CLAS", mlas: "MLAS", blex: "BLEX" };

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
      put(this.body, el("div", { class: "halves" }, facts(found), scores(found.scores)), curves(found.calibration), card(found.card));
    } catch (error) {
      tell(error.message, "bad");
    }
  }
}

function facts(model) {
  const rows = [["Name", model.name], ["Version", model.version], ["Kind", model.kind], ["Stages", (model.stages ?? []).join(", ")], ["Language", model.language], ["Licence", model.licence], ["Size", `${(model.bytes / 1e6).toFixed(1)} MB`]];
  return el("div", { class: "card" }, el("table", {}, el("caption", {}, el("h2", {}, "This model")), el("tbody", {}, rows.filter(([, value]) => value).map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value))))));
}

const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const shown = (value) => (typeof value !== "number" ? "" : Number.isInteger(value) ? value : value.toFixed(2));

/** Measures by what was given to the model: a column for each. */
function scores(data) {
  const columns = Object.entries(data).filter(([, one]) => isTable(one));
  const found = new Set(columns.flatMap(([, one]) => Object.keys(one)));
  const names = [...new Set([...Object.keys(MEASURES), ...found])].filter((name) => found.has(name));
  if (!names.length) return el("p", { class: "card soft" }, "The model says nothing about its scores.");
  const row = (name) => el("tr", {}, el("th", { scope: "row" }, MEASURES[name] ?? name), columns.map(([, one]) => el("td", { class: "number" }, shown(one[name]))));
  return el("div", { class: "card" }, el("h2", {}, "Scores on development data"),
    el("div", { class: "tables", tabindex: 0, role: "group", "aria-label": "Scores" }, el("table", { class: "scores" },
      el("thead", {}, el("tr", {}, el("td", {}), columns.map(([name]) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, names.map(row)))));
}

function curves(data) {
  const found = Object.entries(data ?? {}).filter(([, one]) => Array.isArray(one?.curve));
  if (!found.length) return null;
  return el("div", { class: "card" }, el("h2", {}, "Reliability"), el("p", { class: "soft" }, "How often answers of a given probability are right; the dashed line is perfect calibration. The more answers, the larger the dot; the line leaves out dots of fewer than ten."), el("div", { class: "curves" }, found.map(([name, one]) => curve(name, one))));
}

function curve(name, { error, curve: bins }) {
  const most = Math.max(...bins.map(([count]) => count));
  const points = bins.map(([count, chance, right]) => ({ x: 30 + chance * (SIDE - 40), y: SIDE - 25 - right * (SIDE - 40), radius: 2 + 4 * Math.sqrt(count / most), isFew: count < FEW }));
  const line = points.filter((one) => !one.isFew).map(({ x, y }, i) => `${i ? "L" : "M"}${x} ${y}`).join(" ");
  return el("figure", { class: "curve" },
    svg("svg", { width: SIDE, height: SIDE, viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", "aria-label": `Reliability of ${name}: expected calibration error ${percent(error)}` },
      svg("path", { class: "axis", d: `M30 15 V${SIDE - 25} H${SIDE - 10}` }),
      svg("path", { class: "ideal", d: `M30 ${SIDE - 25} L${SIDE - 10} 15` }),
      svg("path", { class: "line", d: line }),
      points.map(({ x, y, radius, isFew }) => svg("circle", { cx: x, cy: y, r: radius, class: isFew ? "few" : null })),
      svg("text", { x: 30, y: SIDE - 8 }, "0"), svg("text", { x: SIDE / 2 + 10, y: SIDE - 8, "text-anchor": "middle" }, "probability"), svg("text", { x: SIDE - 10, y: SIDE - 8, "text-anchor": "end" }, "100 %"),
      svg("text", { x: 2, y: 12 }, "right")),
    el("figcaption", { class: "soft" }, `${name}: error ${percent(error)}`));
}

function card(text) {
  return text ? el("div", { class: "card" }, el("h2", {}, "Model card"), el("div", { class: "document" }, cardOf(text))) : null;
}
