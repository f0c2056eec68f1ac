// Completions of the word that is typed into the filter: cases, places and effects of this log, and the words that filters have.

import { fromWords, isWords, wordKinds } from "./filter.mjs";
import { stepNames } from "./suggestion.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/**
 * A word that completes another, and what is said of it.
 * @typedef {{ word: string, note: string }} Completion
 */

const mostCompletions = 9;
const kindNotes = /** @type {Record<string, string>} */ ({
  path: "what changed a place", effect: "what an effect did", case: "actions by case", from: "by sender", is: "what is known of it",
});

/**
 * The start and the end of the word at a caret.
 * @param {string} query
 * @param {number} caret
 * @returns {[number, number]}
 */
export function wordAt(query, caret) {
  for (const match of query.matchAll(/[^\s"]*"[^"]*"?|\S+/g)) {
    const start = match.index ?? 0;
    const end = start + match[0].length;
    if (start <= caret && caret <= end) return [start, end];
  }
  return [caret, caret];
}

/**
 * Completions of the word at a caret, the most frequent first.
 * @param {string} query
 * @param {number} caret
 * @param {Model} model
 * @returns {Completion[]}
 */
export function completions(query, caret, model) {
  const [start, end] = wordAt(query, caret);
  const typed = query.slice(start, end).replace(/"/g, "");
  const sign = typed.startsWith("-") ? "-" : "";
  const word = typed.slice(sign.length);
  const found = wordCompletions(word, model).filter((completion) => completion.word !== word);
  return found.slice(0, mostCompletions).map(({ word: text, note }) => ({ word: sign + (/\s/.test(text) ? text.replace(/^(\w+:)?(.*)$/, '$1"$2"') : text), note }));
}

/**
 * A query whose word at a caret is another one, and where the caret stands after it.
 * @param {string} query
 * @param {number} caret
 * @param {string} word
 */
export function completed(query, caret, word) {
  const [start, end] = wordAt(query, caret);
  // More is typed after the name of a kind.
  const text = word.endsWith(":") ? word : `${word} `;
  const rest = query.slice(end).replace(/^\s+/, "");
  return { query: query.slice(0, start) + text + rest, caret: start + text.length };
}

/**
 * @param {string} word
 * @param {Model} model
 * @returns {Completion[]}
 */
function wordCompletions(word, model) {
  const kind = wordKinds.find((name) => word.startsWith(`${name}:`));
  const value = kind === undefined ? word : word.slice(kind.length + 1);
  if (kind === undefined && !word.startsWith(".")) {
    const kinds = wordKinds.filter((name) => name.startsWith(word.toLowerCase())).map((name) => ({ word: `${name}:`, note: kindNotes[name] }));
    const cases = word.length < 2 ? [] : ranked(model.vocabulary.cases, word, "action").slice(0, 4);
    const places = word.length < 2 ? [] : ranked(model.vocabulary.places, word, "change").slice(0, 3).map(({ word: place, note }) => ({ word: `path:${place}`, note }));
    return [...kinds, ...cases, ...places];
  }
  switch (kind ?? "case") {
    case "case": return ranked(model.vocabulary.cases, value, "action").map(({ word: path, note }) => ({ word: kind === undefined ? path : `case:${path}`, note }));
    case "path": return ranked(model.vocabulary.places, value, "change").map(({ word: place, note }) => ({ word: `path:${place}`, note }));
    case "effect": return ranked(effectNames(model), value, "effect").map(({ word: name, note }) => ({ word: `effect:${name}`, note }));
    case "from": return fromWords.filter((name) => name.startsWith(value)).map((name) => ({ word: `from:${name}`, note: "" }));
    default: return isWords.filter((name) => name.startsWith(value)).map((name) => ({ word: `is:${name}`, note: "" }));
  }
}

/**
 * Names of which a text is the beginning, or in which a step of the path begins with it; the most frequent first, after those that begin with it.
 * @param {Map<string, number>} names
 * @param {string} typed
 * @param {string} noun
 * @returns {Completion[]}
 */
function ranked(names, typed, noun) {
  const text = typed.toLowerCase();
  const last = text.replace(/^\./, "");
  const rank = (/** @type {string} */ name) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(text)) return 0;
    if (stepNames(lower).some((step) => step.startsWith(last))) return 1;
    return lower.includes(text) ? 2 : 3;
  };
  return [...names].map(([name, count]) => ({ name, count, rank: rank(name) })).filter((found) => found.rank < 3)
    .sort((a, b) => a.rank - b.rank || b.count - a.count || (a.name < b.name ? -1 : 1))
    .map(({ name, count }) => ({ word: name, note: `${count.toLocaleString("en-US")} ${count === 1 ? noun : `${noun}s`}` }));
}

/** @param {Model} model */
function effectNames(model) {
  const names = new Map();
  for (const { label, op } of model.log.effects) {
    if (op === "run" && label !== "" && (names.has(label) || names.size < 1000)) names.set(label, (names.get(label) ?? 0) + 1);
  }
  return names;
}
