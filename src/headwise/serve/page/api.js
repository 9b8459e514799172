// Requests to the server that the page came from, and to no other.

import { button, el, labelled } from "./dom.js";

/** How long a request may be that outlives its page: browsers keep 64 KiB, for all together. */
const KEPT = 10_000;

/** What the server refused: `body` is all that it said. */
export class Refused extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? `the server answered with status ${status}`);
    this.status = status;
    this.code = body?.error?.code ?? "";
    this.body = body;
  }
}

async function send(path, init) {
  const token = sessionStorage.getItem("token");
  const headers = { ...init.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  let response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, { error: { code: "offline", message: "The server does not answer. What is shown as saved is in the file; start the server again to go on." } });
  }
  if (response.status === 401) {
    sessionStorage.setItem("token", await askForToken());
    return send(path, init);
  }
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => null));
  return response;
}

/** What a path holds, as JSON. */
export async function get(path) {
  return (await send(path, {})).json();
}

/** What a path holds, as text. */
export async function getText(path) {
  return (await send(path, {})).text();
}

/** The answer to JSON. */
export async function post(path, body, signal) {
  const text = JSON.stringify(body);
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: text,
    signal,
    keepalive: text.length < KEPT, // it arrives although the page is left
  };
  return (await send(path, init)).json();
}

function askForToken() {
  return new Promise((resolve) => {
    const onkeydown = (event) => event.key === "Enter" && dialog.close();
    const input = el("input", { type: "password", autocomplete: "off", onkeydown });
    const dialog = el(
      "dialog",
      { "aria-label": "Token" },
      el("p", {}, "This server asks for a token."),
      labelled("Token", input),
      el("div", { class: "row" }, button("Go on", () => dialog.close(), { class: "primary" })),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(input.value);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
