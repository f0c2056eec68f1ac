// Filters that are typed or clicked: `.saved`, `path:todos[0]`, `effect:save`, `from:view`, `is:failed`, `changed:3`, or any text.

import { Flag, Kind, Sender } from "./log.mjs";
import { pointerText } from "./pointer.mjs";
import { closestPath } from "./suggestion.mjs";
import { flatEffects } from "./text.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/**
 * Whether a step is one that is looked for.
 * @typedef {(step: number) => boolean} Test
 */


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
 * @param {string} word
 * @param {Model} model
 * @returns {Test}
 */
function wordTest(word, model) {
  const { log } = model;
  if (word.startsWith("-") && word.length > 1) {
    const test = wordTest(word.slice(1), model);
    return (step) => !test(step);
  }
  const colon = word.indexOf(":");
  const value = word.slice(colon + 1);
  switch (colon > 0 ? word.slice(0, colon) : "") {
    case "path": return pathTest(value, model);
    case "effect": return effectTest(value, model);
    case "case": return caseTest(value, model);
    case "from": return senderTest(value, model);
    case "is":
      if (value === "failed") return (step) => model.hasFailed(step);
      if (value === "unfinished") return (step) => model.isOpen(step);
      if (value === "differs") return (step) => log.hasFlag(step, Flag.differs);
      if (value === "unchanged") return (step) => log.hasFlag(step, Flag.unchanged);
      if (value === "changed") return (step) => log.stepChanges.values[step] >= 0 && !log.hasFlag(step, Flag.unchanged);
      if (value === "note" || value === "gap" || value === "external" || value === "excluded") {
        return (step) => log.stepKinds.values[step] === Kind[value];
      }
      break;
  }
  return word.startsWith(".") ? caseTest(word, model) : textTest(word, model);
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
 * An action by its cases, wherever they stand in its path: `.saved`, `.report.reload`, `.path[2].report`, `.saved(.failure)`.
 * @param {string} word
 * @param {Model} model
 * @returns {Test}
 */
function caseTest(word, model) {
  // The case of a value is one more case.
  const joined = (/** @type {string} */ text) => text.replace(/\(\./g, ".");
  const wanted = joined(word.replace(/\[#/g, "[")).replace(/\)+$/, "");
  const pattern = wanted.split(/\[\*?\]/).map(escapePattern).join("\\[[^\\]]*\\]");
  const regex = new RegExp(`^[^(]*?${pattern.startsWith("\\.") ? "" : "\\."}${pattern}(?![\\p{L}\\p{N}_])`, "iu");
  return (step) => isAction(step, model) && regex.test(joined(model.title(step)));
}

/**
 * @param {number} step
 * @param {Model} model
 */
function isAction(step, model) {
  const kind = model.log.stepKinds.values[step];
  return kind === Kind.action || kind === Kind.withheld;
}

/** Steps that are looked through for a path that may be meant. */
const mostSteps = 5000;

/**
 * The word of a query that was most likely meant, where it finds nothing; `undefined` when none is similar.
 * @param {string} query
 * @param {Model} model
 * @returns {{ typed: string, meant: string } | undefined}
 */
export function meantWord(query, model) {
  const count = Math.min(model.log.stepCount, mostSteps);
  for (const typed of queryWords(query)) {
    const [, kind, text] = /^(?:(path|case):)?(.*)$/u.exec(typed) ?? [];
    if (text === undefined || (kind === undefined && !text.startsWith("."))) continue;
    const test = wordTest(typed, model);
    /** @type {Set<string>} */
    const paths = new Set();
    let isFound = false;
    for (let step = 0; step < count && !isFound; step += 1) {
      isFound = test(step);
      if (kind === "path") {
        if (model.log.stepChanges.values[step] < 0) continue;
        for (const { path } of model.operations(step)) paths.add(model.placeText(step, path).replace(/\[[^\]]*\]/g, "[*]"));
      } else if (isAction(step, model)) {
        paths.add(model.title(step).split("(")[0].replace(/\[[^\]]*\]/g, "[]"));
      }
    }
    const meant = isFound ? undefined : closestPath(text, [...paths]);
    if (meant !== undefined) return { typed, meant: kind === undefined ? meant : `${kind}:${meant}` };
  }
  return undefined;
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
  return (step) => {
    const line = log.stepChanges.values[step];
    if (line < 0) return false;
    const text = log.line(line);
    if (first !== undefined && !text.includes(`"/${first}`) && !text.includes('"path":""')) return false;
    const places = model.operations(step).flatMap(({ path, from }) => from === undefined ? [path] : [path, from]);
    return places.some((path) => regex.test(isPointer ? pointerText(path) : model.placeText(step, path)) || path.length === 0);
  };
}

/**
 * An effect by its name or id: started, ended, or sending.
 * @param {string} value
 * @param {Model} model
 * @returns {Test}
 */
function effectTest(value, model) {
  const { log } = model;
  const name = value.toLowerCase();
  /** @type {Set<string>} */
  const ids = new Set();
  let known = 0;
  return (step) => {
    for (; known < log.effects.length; known += 1) {
      const effect = log.effects[known];
      if (effect.id === value || `${effect.label} ${effect.source}`.toLowerCase().includes(name)) ids.add(effect.id);
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
  const words = [...query.matchAll(/([^\s"]*"[^"]*"|\S+)/g)].map((match) => match[0]);
  const quoted = /\s/.test(word) ? word.replace(/^(\w+:)?(.*)$/, '$1"$2"') : word;
  return (words.includes(quoted) ? words.filter((other) => other !== quoted) : [...words, quoted]).join(" ");
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
    this.test = filterTest(query, model);
    /** @type {number[]} */
    this.hits = [];
    this.position = 0;
  }

  get isActive() {
    return this.test !== undefined;
  }

  get isDone() {
    return this.test === undefined || this.position >= this.model.log.stepCount;
  }

  /**
   * Looks again at a step to which lines have come, and at those after it.
   * @param {number} step
   */
  forget(step) {
    this.position = Math.min(this.position, Math.max(step, 0));
    while (this.hits.length > 0 && this.hits[this.hits.length - 1] >= step) this.hits.pop();
  }

  /**
   * Looks at more steps.
   * @param {() => boolean} isDue Whether to stop.
   */
  run(isDue) {
    if (this.test === undefined) return;
    const { stepCount } = this.model.log;
    while (this.position < stepCount) {
      if (this.test(this.position)) this.hits.push(this.position);
      this.position += 1;
      if (this.position % 64 === 0 && isDue()) return;
    }
  }

  /** What was most likely meant by a word that finds nothing. */
  get meant() {
    return meantWord(this.query, this.model);
  }

  /** How many rows there are. */
  get count() {
    return this.test === undefined ? this.model.log.stepCount : this.hits.length;
  }

  /**
   * The step of a row.
   * @param {number} row
   */
  step(row) {
    return this.test === undefined ? row : this.hits[row];
  }

  /**
   * The row of a step, or of the last hit before it; -1 for none.
   * @param {number} step
   */
  row(step) {
    if (this.test === undefined) return step;
    let low = 0;
    let high = this.hits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hits[middle] <= step) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
