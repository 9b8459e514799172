// Files made in the browser: CoNLL-U, JSON, SVG, PNG.

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "opacity", "direction"];

/** Let the browser save something under a name. */
export function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveText(name, text, type) {
  save(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** A drawn tree as a picture of its own: what style sheets say stands at each element. */
export function standalone(picture) {
  const copy = picture.cloneNode(true);
  const [from, to] = [[picture, ...picture.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value) to[i].setAttribute(name, value);
    }
    for (const name of ["class", "role", "tabindex", "aria-label", "aria-pressed", "data-id", "data-word"]) to[i].removeAttribute(name);
  });
  const [, , width, height] = picture.getAttribute("viewBox").split(" ");
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", width);
  ground.setAttribute("height", height);
  ground.setAttribute("fill", getComputedStyle(document.body).getPropertyValue("--card").trim() || "white");
  copy.prepend(ground);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(name, picture) {
  saveText(name, standalone(picture), "image/svg+xml");
}

/** A drawn tree as pixels, two for each of the screen's. */
export async function savePng(name, picture) {
  const url = URL.createObjectURL(new Blob([standalone(picture)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  const scale = Math.min(2, 16_000 / Math.max(width, height));
  [canvas.width, canvas.height] = [width * scale, height * scale];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  save(name, await new Promise((resolve) => canvas.toBlob(resolve, "image/png")));
}
