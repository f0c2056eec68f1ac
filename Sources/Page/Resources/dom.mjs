// Elements, made without markup: what a log holds is text and nothing else.

/**
 * An element.
 * @param {string} tag With classes after dots: `div.row.failed`.
 * @param {Record<string, any>} [attributes] `onclick` and the like are listeners; `undefined` and `false` are left out.
 * @param {...(Node | string | undefined | (Node | string)[])} children
 * @returns {any}
 */
export function element(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat()) if (child !== undefined) made.append(child);
  return made;
}

/**
 * The element of the page with an id.
 * @param {string} id
 * @returns {any}
 */
export function part(id) {
  return document.getElementById(id);
}

/**
 * A button that reads as a link.
 * @param {string | Node} label
 * @param {() => void} action
 * @param {Record<string, any>} [attributes]
 */
export function link(label, action, attributes = {}) {
  return element("button.link", { type: "button", onclick: action, ...attributes }, label);
}

/**
 * Says something to whoever listens to the page instead of looking at it.
 * @param {string} text
 */
export function say(text) {
  part("said").textContent = text;
}

/**
 * Copies a text.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers that take a file for insecure copy what is selected.
    const field = element("textarea", { "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/**
 * A button that copies a text; it has a sign alone, unless a label says what it copies.
 * @param {string} what
 * @param {() => string} text
 * @param {string} [label]
 */
export function copyButton(what, text, label) {
  const button = element("button.copy", { type: "button", title: `Copy ${what}`, "aria-label": `Copy ${what}` }, ...(label === undefined ? [] : [label]));
  button.addEventListener("click", async (/** @type {Event} */ event) => {
    event.stopPropagation();
    await copy(text());
    say(`${what} copied`);
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), 1200);
  });
  return button;
}

const tokens =
  /("(?:\\.|[^"\\])*"(?: \(\d+ bytes\))?)|(<[A-Za-z_][^>]*>)|(…[0-9A-F-]{4,36}|[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z)|((?:^|(?<=[\s(,[\]:]))\.[\p{L}_][\p{L}\p{N}_.]*)|(\b(?:nil|true|false|nan|inf)\b|-?\b\d[\d.]*(?:[eE][+-]?\d+)?\b)/gu;
const tokenClasses = ["s", "t", "i", "c", "n"];
const madeVisible = /\\u\{[0-9A-F]+\}/g;

/**
 * Text in Swift notation with its parts in colors.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function colored(text) {
  // A text so long is read, not looked at.
  if (text.length > 20_000) return [text];
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const index = /** @type {number} */ (match.index);
    if (index > end) parts.push(text.slice(end, index));
    const kind = tokenClasses[match.slice(1).findIndex((group) => group !== undefined)];
    parts.push(element(`span.${kind}`, {}, ...(kind === "s" ? marked(match[0]) : [match[0]])));
    end = index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/**
 * A text in which what was made visible stands out.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function marked(text) {
  if (!text.includes("\\u{")) return [text];
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(madeVisible)) {
    const index = /** @type {number} */ (match.index);
    parts.push(text.slice(end, index), element("span.u", { title: "a hidden character" }, match[0]));
    end = index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
