// The keys, and the dialogs that say them and ask for an action.

import { element, part } from "./dom.mjs";
import { timelineSigns } from "./timeline.mjs";

const keys = [
  [["↑", "↓"], "the action before, after"], [["PgUp", "PgDn", "Home", "End"], "further"],
  [["["], "the action that caused this one"], [["]"], "the first action that this one led to; again for the next"],
  [["Alt ←", "Alt →"], "back to where you jumped from, forward again"],
  [["d"], "the next difference, or the next failure when nothing is compared"], [["b"], "who set the value: its history, and to the action that set it"],
  [["/"], "filter"], [["g"], "go to an action by its number"], [["m"], "bookmark"], [["n"], "the next bookmark"],
  [["p"], "pin the action: the states of others are compared with its state"], [["c"], "copy the action; in the state, the value"], [["shift c"], "in the state: copy the place"],
  [["shift ↑", "shift ↓"], "a window of actions, longer or shorter"], [["+", "-", "0"], "zoom of the timeline; the window, then the whole log"],
  [["space"], "play, stop"], [["e"], "open or close the whole state"], [["v"], "two logs in two columns, or in one"],
  [["1", "2", "3", "4", "5", "6"], "fold or show timeline, actions, detail, state, effects, pictures"],
  [["Esc"], "close the history, clear the filter"], [["?"], "these keys"],
];

/** The signs that appear in lanes only. */
const laneSigns = [["view", "▂", "in the bar of an effect, below: it sent an action"], ["view", "○", "in the bar of an effect, below: it made a call"]];

/** Shows the keys. */
export function showKeys() {
  const dialog = part("keys");
  const close = element("button", { type: "button", onclick: () => dialog.close() }, "Close");
  dialog.replaceChildren(element("h2", { tabindex: -1, autofocus: true }, "Keys"),
    element("dl", {}, ...keys.flatMap(([names, text]) => [
      element("dt", {}, ...(/** @type {string[]} */ (names)).flatMap((name) => [element("kbd", {}, name), " "])), element("dd", {}, String(text)),
    ])),
    element("h2", {}, "Filters"),
    element("dl", {}, ...[
      ["text", "anywhere in the action, or in its lines"], [".saved", "a case; .path[].report with any element"], ["path:todos[*].title", "what changed a place"],
      ["effect:save", "what started, ended or was sent by an effect"], ["from:view", "by sender: view, effect, parent, or the number of an action"],
      ["is:failed", "also differs, unfinished, changed, unchanged, note, gap, bookmarked"], ["12..40", "from one action to another; 1.2s..3s by time"], ["-is:unchanged", "what a word does not find"],
    ].flatMap(([word, text]) => [element("dt", {}, element("kbd", {}, word)), element("dd", {}, text)])),
    element("h2", {}, "Timeline"),
    element("dl", {}, ...[...timelineSigns, ...laneSigns].flatMap(([name, sign, text]) => [element("dt", {}, element(`span.sign.${name}`, {}, sign)), element("dd", {}, text)])),
    element("p", {}, close));
  dialog.showModal();
  dialog.scrollTop = 0;
}

/**
 * Asks for an action.
 * @param {(seq: number) => string | undefined} go What is wrong with a number.
 */
export function askForAction(go) {
  const dialog = part("jump");
  const input = element("input", { type: "text", inputmode: "numeric", "aria-label": "The number of an action", placeholder: "The number of an action" });
  const problem = element("p", { role: "alert" });
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const text = input.value.replace(/^#/, "").trim();
    const wrong = /^\d+$/.test(text) ? go(Number(text)) : `'${text}' is not the number of an action`;
    if (wrong === undefined) dialog.close();
    else problem.textContent = wrong;
  });
  dialog.replaceChildren(element("h2", {}, "Go to"), input, problem);
  dialog.showModal();
  input.focus();
}

/**
 * Whether keys belong to what has the focus.
 * @param {Event} event
 */
export function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const dialog = target.closest?.("dialog") ?? null;
  // A field in a dialog that has closed keeps the focus until the next frame.
  return dialog === null ? target instanceof HTMLInputElement || target instanceof HTMLSelectElement : dialog.open;
}
