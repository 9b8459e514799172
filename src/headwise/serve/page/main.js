// The workbench: three tabs, of which one needs a file to correct.

import { Refused, get } from "./api.js";
import { CorrectTab } from "./correct.js";
import { hush, tell } from "./dom.js";
import { ModelTab } from "./model.js";
import { ParseTab } from "./parse.js";

const tabs = [...document.querySelectorAll("[role=tab]")];
const shown = {};

function open(tab) {
  hush();
  for (const one of tabs) {
    const isOpen = one === tab;
    one.setAttribute("aria-selected", String(isOpen));
    one.tabIndex = isOpen ? 0 : -1;
    const panel = document.getElementById(one.getAttribute("aria-controls"));
    panel.hidden = !isOpen;
    if (isOpen) panel.querySelector(".messages-here")?.append(document.getElementById("messages"));
  }
  history.replaceState(null, "", `#${tab.id.replace("tab-", "")}`);
  shown[tab.id]?.();
}

function listen() {
  for (const tab of tabs) tab.addEventListener("click", () => open(tab));
  document.getElementById("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const usable = tabs.filter((tab) => !tab.hidden);
    const next = usable[(usable.indexOf(document.activeElement) + step + usable.length) % usable.length];
    open(next);
    next.focus();
  });
}

async function start() {
  listen();
  const models = await get("v1/models");
  new ParseTab(document.getElementById("panel-parse"), models);
  const model = new ModelTab(document.getElementById("panel-model"), models);
  shown["tab-model"] = () => model.show();
  try {
    const file = await get("v1/edit/");
    document.getElementById("tab-correct").hidden = false;
    const correct = new CorrectTab(document.getElementById("panel-correct"), file);
    shown["tab-correct"] = () => correct.open();
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error;
  }
  const wanted = document.getElementById(`tab-${location.hash.slice(1)}`);
  if (wanted && !wanted.hidden) open(wanted);
  else open(tabs.find((tab) => tab.id === "tab-correct" && !tab.hidden) ?? tabs[0]);
  document.body.dataset.ready = "yes";
}

start().catch((error) => tell(error.message, "bad"));
