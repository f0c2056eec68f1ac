// Edits of the log on a served page: the command replays the log with them, and answers with both timelines.

import { element } from "./dom.mjs";
import { isObject } from "./json.mjs";
import { visible } from "./visible.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/**
 * An edit: a word of `fork`, and what comes after it.
 * @typedef {{ word: string, text: string }} Edit
 */

/**
 * The edits of the timeline that stands beside the log; `undefined` where no command serves the page.
 * @param {Model} model
 * @returns {Edit[] | undefined}
 */
export function editsOf(model) {
  const serve = model.about.get("serve");
  if (!isObject(serve)) return undefined;
  return (serve.get("edits") ?? []).map((/** @type {Map<string, any>} */ edit) => ({ word: String(edit.get("word")), text: String(edit.get("text")) }));
}

/**
 * The reason why the command could not make a timeline.
 * @param {Model} model
 * @returns {string | undefined}
 */
export function problemOf(model) {
  const problem = model.about.get("serve")?.get?.("problem");
  return problem === undefined ? undefined : visible(String(problem));
}

/**
 * The address of a timeline, relative to that of the page.
 * @param {Edit[]} edits
 */
export function addressOf(edits) {
  const query = edits.map(({ word, text }) => `${encodeURIComponent(word)}=${encodeURIComponent(text)}`).join("&");
  return edits.length === 0 ? "./" : `what-if?${query}`;
}

/**
 * Edits with another one; one that says something else about the same action takes its place.
 * @param {Edit[]} edits
 * @param {Edit} edit
 */
export function withEdit(edits, edit) {
  const seq = Number.parseInt(edit.text, 10);
  const isOfAction = (/** @type {Edit} */ { word }) => word === "skip" || word === "edit";
  const others = isOfAction(edit) ? edits.filter((other) => !(isOfAction(other) && Number.parseInt(other.text, 10) === seq)) : edits;
  return [...others, edit];
}

/**
 * The controls at an action: skip it, edit it, insert another one after it.
 * @param {Model} model
 * @param {{ seq: number, action: string | undefined }} at The text of the action; `undefined` at the start.
 * @param {(edits: Edit[]) => void} go
 * @returns {HTMLElement[]}
 */
export function whatIfControls(model, { seq, action }, go) {
  const edits = editsOf(model) ?? [];
  const form = element("div.whatif");
  const ask = (/** @type {string} */ word, /** @type {string} */ label, /** @type {string} */ text) => {
    const input = element("input", { type: "text", "aria-label": label, spellcheck: "false", autocomplete: "off", placeholder: ".case(value)" });
    input.value = text;
    const run = () => {
      if (input.value.trim() !== "") go(withEdit(edits, { word, text: `${seq}=${input.value.trim()}` }));
    };
    input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") run();
      if (event.key === "Escape") form.replaceChildren();
      if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
    });
    form.replaceChildren(element("label", {}, label, input), element("button", { type: "button", onclick: run }, "Replay"));
    input.focus();
    input.select();
  };
  const buttons = [];
  if (action !== undefined) {
    buttons.push(element("button", { type: "button", onclick: () => go(withEdit(edits, { word: "skip", text: String(seq) })) }, "Skip it"));
    buttons.push(element("button", { type: "button", onclick: () => ask("edit", `Action ${seq} instead`, action) }, "Edit it…"));
  }
  buttons.push(element("button", { type: "button", onclick: () => ask("insert", seq === 0 ? "The first action" : `After action ${seq}`, "") }, "Insert after it…"));
  return [element("div.nav", {}, ...buttons), form];
}

/**
 * The edits of the timeline beside the log, each with a way to take it back.
 * @param {Model} model
 * @param {(edits: Edit[]) => void} go
 * @returns {HTMLElement[]}
 */
export function editChips(model, go) {
  const edits = editsOf(model) ?? [];
  return edits.map((edit, index) => element("button.chip", {
    type: "button", title: "Take this edit back", onclick: () => go(edits.filter((_, other) => other !== index)),
  }, visible(`${edit.word} ${edit.text}`), " ✕"));
}
