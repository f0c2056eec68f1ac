// Filters that are typed or clicked: `.saved`, `path:todos[0]`, `effect:save`, `from:view`, `is:failed`, `12..40`, or any text.

import { Flag, Kind, Sender } from "./log.mjs";
import { pointerText, pointerTokens } from "./pointer.mjs";
import { closestPath, closestWord } from "./suggestion.mjs";
import { flatEffects } from "./text.mjs";
import { likelyPointers } from "./vocabulary.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/**
 * Whether a step is one that is looked for.
 * @typedef {(step: number) => boolean} Test
 */

/**
 * A word that finds nothing, or not what was meant.
 * @typedef {{ typed: string, problem: string, meant: string | undefined }} Told
 */

/** The words before a colon. */
export const wordKinds = ["path", "effect", "case", "from", "is"];
/** The values of `is:`. */
export const isWords = ["failed", "differs", "unfinished", "changed", "unchanged", "note", "gap", "external", "excluded", "bookmarked"];
/** The values of `from:`, besides the number of an action. */
export const fromWords = ["view", "effect", "parent"];

/**
 * The words of a query; what stands between quotes is one.
 * @param {string} query
 * @returns {string[]}
 */
export function queryWords(query) {
  return [...query.matchAll(/([^\s"]*"[^"]*"|\S+)/g)].map((match) => match[0].replace(/"/g, ""));
}

/**
 * The test of a query; `undefined` for one that asks for nothing.
 * @param {string} query
 * @param {Model} model
 * @returns {Test | undefined}
 */
export function filterTest(query, model) {
  const tests = queryWords(query).map((word) => wordTest(word, model));
  return tests.length === 0 ? undefined : (step) => tests.every((test) => test(step));
}

/**
 * A word in its parts: `-is:failed` is excluded, of the kind `is`, with the value `failed`.
 * @param {string} word
 */
function parsedWord(word) {
  const isExcluded = word.startsWith("-") && word.length > 1;
  const text = isExcluded ? word.slice(1) : word;
  const kind = wordKinds.find((name) => text.startsWith(`${name}:`));
  const value = kind === undefined ? text : text.slice(kind.length + 1);
  return { isExcluded, text, kind: kind ?? (text.startsWith(".") && !isRange(text) ? "case" : undefined), value };
}

/**
 * @param {string} word
 * @param {Model} model
 * @returns {Test}
 */
function wordTest(word, model) {
  const { log } = model;
  const { isExcluded, text, kind, value } = parsedWord(word);
  if (isExcluded) {
    const test = wordTest(text, model);
    return (step) => !test(step);
  }
  const range = stepsOfRange(text, model.main);
  if (range !== undefined) {
    return (step) => {
      const own = model.mainStep(step);
      return own >= range[0] && own <= range[1];
    };
  }
  switch (kind) {
    case "path": return pathTest(value, model);
    case "effect": return effectTest(value, model);
    case "case": return caseTest(value, model);
    case "from":
      if (fromWords.includes(value) || /^\d+$/.test(value)) return senderTest(value, model);
      break;
    case "is":
      if (value === "failed") return (step) => model.hasFailed(step);
      if (value === "unfinished") return (step) => model.isOpen(step);
      if (value === "differs") return (step) => log.hasFlag(step, Flag.differs);
      if (value === "unchanged") return (step) => log.hasFlag(step, Flag.unchanged);
      if (value === "changed") return (step) => log.stepChanges.values[step] >= 0 && !log.hasFlag(step, Flag.unchanged);
      if (value === "bookmarked") return (step) => model.bookmarks.has(step);
      if (value === "note" || value === "gap" || value === "external" || value === "excluded") {
        return (step) => log.stepKinds.values[step] === Kind[value];
      }
      break;
  }
  return textTest(text, model);
}

const rangePattern = /^([\d.:]*?)(m?s)?\.\.([\d.:]*?|end)(m?s)?$/;

/** @param {string} word */
function isRange(word) {
  return word !== ".." && rangePattern.test(word);
}

/**
 * The first and the last step of a range such as `12..40`, `1.2s..3s` or `40..end`; `undefined` for what is none.
 * @param {string} word
 * @param {Model} model
 * @returns {[number, number] | undefined}
 */
export function stepsOfRange(word, model) {
  const [, first, firstUnit, last, lastUnit] = (isRange(word) ? rangePattern.exec(word) : null) ?? [];
  if (first === undefined) return undefined;
  const { log } = model;
  const seqs = log.stepSeqs.values;
  const times = log.stepTimes.values;
  const from = microseconds(first, firstUnit);
  const to = microseconds(last, lastUnit);
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
  let start = 0;
  if (first !== "") {
    const isTime = firstUnit !== undefined || first.includes(":");
    if (isTime) while (start < log.stepCount && !(start > 0 && times[start] >= from)) start += 1;
    else if (Number(first) > 0) while (start < log.stepCount && !(start > 0 && seqs[start] >= Number(first))) start += 1;
  }
  let end = log.stepCount - 1;
  if (last !== "" && last !== "end") {
    const isTime = lastUnit !== undefined || last.includes(":");
    if (isTime) while (end > 0 && !(times[end] <= to)) end -= 1;
    else while (end > 0 && seqs[end] > Number(last)) end -= 1;
  }
  return [start, end];
}

/**
 * A time of a range: `1.2` with `s`, `120` with `ms`, `1:05.2`; the number of an action is no time, and not looked at.
 * @param {string} text
 * @param {string | undefined} unit
 */
function microseconds(text, unit) {
  if (text === "" || text === "end") return unit === undefined ? 0 : NaN;
  const parts = text.split(":").map((part) => (part === "" ? NaN : Number(part)));
  if (unit === undefined && parts.length === 1 && !/^\d+$/.test(text)) return NaN;
  return parts.reduce((sum, part) => sum * 60 + part, 0) * (unit === "ms" ? 1e3 : 1e6);
}

/**
 * The range that a query asks for.
 * @param {string} query
 * @param {Model} model
 * @returns {[number, number] | undefined}
 */
export function rangeOfQuery(query, model) {
  for (const word of queryWords(query)) {
    const steps = stepsOfRange(word, model);
    if (steps !== undefined) return steps;
  }
  return undefined;
}

/**
 * A query with another range, or without one.
 * @param {string} query
 * @param {string | undefined} range
 */
export function queryWithRange(query, range) {
  const words = rawWords(query).filter((word) => !isRange(word));
  return [...(range === undefined ? [] : [range]), ...words].join(" ");
}

/**
 * Text in the notation of the action, or anywhere in the lines of the step.
 * @param {string} word
 * @param {Model} model
 * @returns {Test}
 */
function textTest(word, model) {
  const text = word.toLowerCase();
  const { log } = model;
  return (step) => {
    const [start, end] = log.linesOf(step);
    for (let line = start; line < end; line += 1) {
      // A checkpoint holds everything, at every step.
      if (log.lineKinds.values[line] !== Kind.checkpoint && log.line(line).toLowerCase().includes(text)) return true;
    }
    return model.title(step).toLowerCase().includes(text);
  };
}

/**
 * An action by its cases, wherever they stand in its path: `.saved`, `.report.reload`, `.path[2].report`, `.saved(.failure)`. A name that no
 * action of the log has is the beginning of one: `.sav`.
 * @param {string} word
 * @param {Model} model
 * @returns {Test}
 */
function caseTest(word, model) {
  const { vocabulary } = model;
  const regex = caseRegex(word, !isKnownCase(word, model));
  // The shape of an action has no ids of elements.
  const isByShape = !/\[[^*\]]/.test(word);
  /** @type {(boolean | undefined)[]} */
  const known = [];
  return (step) => {
    if (!isAction(step, model)) return false;
    const shape = isByShape && step < vocabulary.stepShapes.length ? vocabulary.stepShapes.values[step] : -1;
    if (shape < 0) return regex.test(joinedCases(model.makeTitle(step)));
    return (known[shape] ??= regex.test(joinedCases(vocabulary.shapes[shape].title)));
  };
}

/**
 * Whether an action of the log has a case, so that it is not the beginning of another.
 * @param {string} word
 * @param {Model} model
 */
function isKnownCase(word, model) {
  const regex = caseRegex(word, false);
  return model.vocabulary.shapes.some(({ title, count }) => count > 0 && regex.test(joinedCases(title)));
}

/**
 * Whether the log has each case of a query, as a text.
 * @param {string} query
 * @param {Model} model
 */
function knownCases(query, model) {
  return queryWords(query).map(parsedWord).filter(({ kind }) => kind === "case").map(({ value }) => isKnownCase(value, model)).join();
}

/**
 * The case of a value is one more case.
 * @param {string} text
 */
function joinedCases(text) {
  return text.replace(/\(\./g, ".");
}

/**
 * @param {string} word
 * @param {boolean} isPrefix
 */
function caseRegex(word, isPrefix) {
  const wanted = joinedCases(word.replace(/\[#/g, "[")).replace(/\)+$/, "");
  const pattern = wanted.split(/\[\*?\]/).map(escapePattern).join("\\[[^\\]]*\\]");
  return new RegExp(`^[^(]*?${pattern.startsWith("\\.") ? "" : "\\."}${pattern}${isPrefix ? "" : "(?![\\p{L}\\p{N}_])"}`, "iu");
}

/**
 * @param {number} step
 * @param {Model} model
 */
function isAction(step, model) {
  const kind = model.log.stepKinds.values[step];
  return kind === Kind.action || kind === Kind.withheld;
}

/**
 * The words of a query that find nothing or are not known, with what was most likely meant. The vocabulary has to be read.
 * @param {string} query
 * @param {Model} model
 * @returns {Told[]}
 */
export function toldWords(query, model) {
  return queryWords(query).flatMap((typed) => {
    const told = toldWord(typed, model);
    return told === undefined ? [] : [told];
  });
}

/**
 * @param {string} typed
 * @param {Model} model
 * @returns {Told | undefined}
 */
function toldWord(typed, model) {
  const { isExcluded, text, kind, value } = parsedWord(typed);
  const sign = isExcluded ? "-" : "";
  const found = (/** @type {string} */ problem, /** @type {string | undefined} */ meant) => ({ typed, problem, meant: meant === undefined ? undefined : sign + meant });
  const prefixed = (/** @type {string | undefined} */ word) => (word === undefined ? undefined : text.startsWith(`${kind}:`) ? `${kind}:${word}` : word);
  const hasSteps = () => {
    const test = wordTest(text, model);
    for (let step = 0; step < model.log.stepCount; step += 1) if (test(step)) return true;
    return false;
  };
  switch (kind) {
    case "is": return isWords.includes(value) ? undefined : found(`'${text}' is not a filter`, prefixed(closestWord(value, isWords)));
    case "from":
      if (fromWords.includes(value)) return undefined;
      return /^\d+$/.test(value) ? undefined : found(`'${text}' is not a sender`, prefixed(closestWord(value, fromWords)));
    case "case": return hasSteps() ? undefined : found(`no action has the case '${value}'`, prefixed(closestPath(value, [...model.vocabulary.cases.keys()])));
    case "path": return hasSteps() ? undefined : found(`no action changed '${value}'`, prefixed(closestPath(value, [...model.vocabulary.places.keys()])));
    case "effect": {
      const { effects } = model.log;
      if (effects.some((effect) => isCalled(effect, value))) return undefined;
      return found(`no effect is called '${value}'`, prefixed(closestWord(value, [...new Set(effects.map(({ label }) => label))].slice(0, 1000))));
    }
    default: {
      const [, name, rest] = /^([A-Za-z]{2,8}):(?!\/\/)(.*)$/.exec(text) ?? [];
      const near = name === undefined ? undefined : closestWord(name, wordKinds);
      return near === undefined ? undefined : found(`'${name}:' is not a kind of filter, and is looked for as text`, `${near}:${rest}`);
    }
  }
}

/** @param {string} text */
function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/**
 * A place that was changed, or something in it.
 * @param {string} value
 * @param {Model} model
 * @returns {Test}
 */
function pathTest(value, model) {
  const { log } = model;
  const isPointer = value.startsWith("/");
  const pattern = escapePattern(value).replace(/\\\[\\\*\\\]/g, "\\[[^\\]]*\\]").replace(/\/\\\*/g, "/[^/]*");
  const regex = new RegExp(`^${pattern}(?:$|[./\\[])`, "u");
  // Most changes do not name it at all.
  const first = /^\/?([A-Za-z_][A-Za-z0-9_]*)/.exec(value)?.[1];
  const matches = (/** @type {number} */ step, /** @type {string[]} */ tokens) =>
    tokens.length === 0 || regex.test(isPointer ? pointerText(tokens) : model.placeText(step, tokens));
  /**
   * The pointers that read the same at every step.
   * @type {Map<string, boolean>}
   */
  const known = new Map();
  const isPlace = (/** @type {number} */ step, /** @type {string} */ pointer) => {
    const found = known.get(pointer);
    if (found !== undefined) return found;
    const tokens = pointerTokens(pointer.includes("\\") ? JSON.parse(`"${pointer}"`) : pointer);
    const isFound = matches(step, tokens);
    if (known.size < mostKnown && (isPointer || model.fixedPlaceText(tokens) !== undefined)) known.set(pointer, isFound);
    return isFound;
  };
  return (step) => {
    const line = log.stepChanges.values[step];
    if (line < 0) return false;
    const text = log.line(line);
    if (first !== undefined && !text.includes(`"/${first}`) && !text.includes('"path":""')) return false;
    if (!likelyPointers(text).some((pointer) => isPlace(step, pointer))) return false;
    if (flatPatch.test(text)) return true;
    return model.operations(step).some(({ path, from }) => matches(step, path) || (from !== undefined && matches(step, from)));
  };
}

/** More pointers are not kept. */
const mostKnown = 20_000;

/** A patch without values in which something could look like an operation. */
const flatPatch = /"patch":\[(?:\{"op":"[a-z]+","path":"[^"]*"(?:,"value":(?:[-\d.eE+]+|true|false|null|"[^"\\]*"|\{\}|\[\]))?\},?)*\]/;

/**
 * Whether a word means an effect: its id, or a part of its name or of its place in the source.
 * @param {Model["log"]["effects"][number]} effect
 * @param {string} word
 */
function isCalled(effect, word) {
  return effect.id === word || `${effect.label} ${effect.source}`.toLowerCase().includes(word.toLowerCase());
}

/**
 * An effect by its name or id: started, ended, or sending.
 * @param {string} value
 * @param {Model} model
 * @returns {Test}
 */
function effectTest(value, model) {
  const { log } = model;
  /** @type {Set<string>} */
  const ids = new Set();
  let known = 0;
  return (step) => {
    for (; known < log.effects.length; known += 1) {
      const effect = log.effects[known];
      if (isCalled(effect, value)) ids.add(effect.id);
    }
    const [start, end] = log.linesOf(step);
    for (let line = start; line < end; line += 1) {
      const kind = log.lineKinds.values[line];
      if (kind !== Kind.action && kind !== Kind.change && kind !== Kind.effect && kind !== Kind.excluded) continue;
      const text = log.line(line);
      if (kind === Kind.effect) {
        const id = /"id":"([\d.]+)"/.exec(text)?.[1];
        if (id !== undefined && ids.has(id)) return true;
      } else if (kind === Kind.action) {
        const id = /"origin":\{"effect":"([\d.]+)"/.exec(text)?.[1];
        if (id !== undefined && ids.has(id)) return true;
      } else if (text.includes('"effects":')) {
        if (flatEffects(log.event(line).get("effects")).some(({ effect }) => ids.has(effect.get("id")))) return true;
      }
    }
    return false;
  };
}

/**
 * @param {string} value
 * @param {Model} model
 * @returns {Test}
 */
function senderTest(value, model) {
  const senders = model.log.stepSenders;
  const sent = new Set([Kind.action, Kind.excluded, Kind.withheld]);
  const isSent = (/** @type {number} */ step) => sent.has(model.log.stepKinds.values[step]);
  switch (value) {
    case "view": return (step) => isSent(step) && senders.values[step] === Sender.view;
    case "parent": return (step) => isSent(step) && senders.values[step] === Sender.parent;
    case "effect": return (step) => isSent(step) && senders.values[step] > 0;
    default: {
      const seq = Number(value);
      return (step) => senders.values[step] === seq;
    }
  }
}

/**
 * A query with a word more, or without it when it is there.
 * @param {string} query
 * @param {string} word
 */
export function toggledQuery(query, word) {
  const words = rawWords(query);
  const quoted = /\s/.test(word) ? word.replace(/^(\w+:)?(.*)$/, '$1"$2"') : word;
  return (words.includes(quoted) ? words.filter((other) => other !== quoted) : [...words, quoted]).join(" ");
}

/**
 * The words of a query with their quotes.
 * @param {string} query
 * @returns {string[]}
 */
function rawWords(query) {
  return [...query.matchAll(/([^\s"]*"[^"]*"|\S+)/g)].map((match) => match[0]);
}

/** The steps that a query finds, some at a time. */
export class Filter {
  /**
   * @param {string} query
   * @param {Model} model
   */
  constructor(query, model) {
    this.query = query;
    this.model = model;
    this.isActive = queryWords(query).length > 0;
    /**
     * The test, once the vocabulary that it needs is read.
     * @type {Test | undefined}
     */
    this.test = undefined;
    /**
     * The same for rows of the other log.
     * @type {Test | undefined}
     */
    this.otherTest = undefined;
    /**
     * The places of the rows that it finds.
     * @type {number[]}
     */
    this.hits = [];
    this.position = 0;
    /** The state of the vocabulary when the test was made: the number of shapes, and the known cases of the query. */
    this.shapeCount = -1;
    this.cases = "";
    /** @type {Told[] | undefined} */
    this.knownTold = undefined;
  }

  get isDone() {
    return !this.isActive || (this.test !== undefined && this.position >= this.rowCount);
  }

  /** The number of rows without the filter. */
  get rowCount() {
    return this.model.rows?.length ?? this.model.log.stepCount;
  }

  /**
   * Looks again at a step to which lines have come, and at those after it.
   * @param {number} step
   */
  forget(step) {
    this.knownTold = undefined;
    this.position = Math.min(this.position, Math.max(step, 0));
    while (this.hits.length > 0 && this.hits[this.hits.length - 1] >= step) this.hits.pop();
  }

  /**
   * Looks at more rows.
   * @param {() => boolean} isDue Whether to stop.
   */
  run(isDue) {
    if (!this.isActive) return;
    const { model } = this;
    for (const { vocabulary } of model.otherView === undefined ? [model] : [model, model.otherView]) {
      vocabulary.run(isDue);
      if (!vocabulary.isDone) return;
    }
    this.takeCases();
    this.test ??= filterTest(this.query, model);
    if (this.test === undefined) return;
    if (model.otherView !== undefined) this.otherTest ??= filterTest(this.query, model.otherView);
    const { rows } = model;
    const count = this.rowCount;
    while (this.position < count) {
      const id = rows === undefined ? this.position : rows[this.position];
      if (id >= 0 ? this.test(id) : this.otherTest?.(-1 - id) === true) this.hits.push(this.position);
      this.position += 1;
      if (this.position % 64 === 0 && isDue()) return;
    }
  }

  /** Restarts the filter when a typed word, a prefix so far, has become the name of a case. */
  takeCases() {
    const { shapes } = this.model.vocabulary;
    if (this.shapeCount === shapes.length) return;
    this.shapeCount = shapes.length;
    const cases = knownCases(this.query, this.model);
    if (this.cases === cases) return;
    this.cases = cases;
    [this.test, this.otherTest, this.position, this.hits] = [undefined, undefined, 0, []];
  }

  /** The words that find nothing, once all steps were looked at. */
  get told() {
    if (!this.isActive || !this.isDone) return [];
    return (this.knownTold ??= toldWords(this.query, this.model));
  }

  /** The steps of the range in it. */
  get range() {
    return this.isActive ? rangeOfQuery(this.query, this.model) : undefined;
  }

  /** How many rows there are. */
  get count() {
    return this.isActive ? this.hits.length : this.rowCount;
  }

  /**
   * The id of a row: a step, or one of the other log (`Model.rows`).
   * @param {number} row
   */
  step(row) {
    const place = this.isActive ? this.hits[row] : row;
    return this.model.rows === undefined || place === undefined ? place : this.model.rows[place];
  }

  /**
   * The row of a step, or of the last hit before it; -1 for none.
   * @param {number} step
   */
  row(step) {
    const place = this.model.rows === undefined ? step : this.model.places.get(step) ?? -1;
    if (!this.isActive) return place;
    let low = 0;
    let high = this.hits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hits[middle] <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
