// The states between steps: from the nearest one that is known, forward through the patches.

import { equalJSON, isObject, writeJSON } from "./json.mjs";
import { Kind } from "./log.mjs";
import { applyPatch, readPatch } from "./patch.mjs";
/** @typedef {import("./log.mjs").Log} Log */

/** So many steps lie between two states that are kept on the way; more in a long log that was seen in many places. */
const leastSpacing = 128;
/** So many of them are kept; they share what did not change between them. */
const mostPosts = 512;
/** So many of the states that were asked for last are kept besides. */
const mostRecent = 64;

export class States {
  /** @param {Log} log */
  constructor(log) {
    this.log = log;
    /**
     * States on the way, to go on from. What was asked for last does not push them out.
     * @type {Map<number, any>}
     */
    this.posts = new Map();
    this.spacing = leastSpacing;
    /**
     * The states that were asked for last.
     * @type {Map<number, any>}
     */
    this.recent = new Map();
    /**
     * The steps of which the patch does not fit, and why.
     * @type {Map<number, string>}
     */
    this.problems = new Map();
  }

  /**
   * The state after a step; `undefined` where the log does not say.
   * @param {number} step
   * @returns {any}
   */
  after(step) {
    if (step < 0 || step >= this.log.stepCount) return undefined;
    let state = this.known(step);
    if (state === undefined) {
      const start = this.start(step);
      state = start.state;
      for (let next = start.step; next <= step; next += 1) {
        state = this.follow(state, next);
        if (next % this.spacing === 0) this.post(next, state);
      }
    }
    this.keep(step, state);
    return state;
  }

  /**
   * Forgets the state after a step to which lines have come.
   * @param {number} step
   */
  forget(step) {
    this.recent.delete(step);
    this.posts.delete(step);
    this.problems.delete(step);
  }

  /**
   * The state before a step.
   * @param {number} step
   */
  before(step) {
    return step === 0 ? undefined : this.after(step - 1);
  }

  /**
   * The state after a step, if it is kept.
   * @param {number} step
   */
  known(step) {
    return this.recent.get(step) ?? this.posts.get(step);
  }

  /**
   * The nearest state from which a step is reached, and the step to go on with.
   * @param {number} step
   */
  start(step) {
    const place = this.log.checkpointSteps.lastAtMost(step);
    const checkpoint = place < 0 ? 0 : this.log.checkpointSteps.values[place];
    // The way back to a state that is kept is no longer than that to the checkpoint.
    for (let kept = step - 1; kept >= checkpoint; kept -= 1) {
      const state = this.known(kept);
      if (state !== undefined) return { step: kept + 1, state };
    }
    return { step: checkpoint, state: undefined };
  }

  /**
   * @param {number} step
   * @param {any} state
   */
  keep(step, state) {
    if (state === undefined) return;
    this.recent.delete(step);
    this.recent.set(step, state);
    if (this.recent.size > mostRecent) this.recent.delete(/** @type {number} */ (this.recent.keys().next().value));
  }

  /**
   * @param {number} step
   * @param {any} state
   */
  post(step, state) {
    if (state === undefined) return;
    this.posts.set(step, state);
    if (this.posts.size <= mostPosts) return;
    this.spacing *= 2;
    for (const place of [...this.posts.keys()]) if (place % this.spacing !== 0) this.posts.delete(place);
  }

  /**
   * The state after the lines of a step.
   * @param {any} state
   * @param {number} step
   */
  follow(state, step) {
    const [start, end] = this.log.linesOf(step);
    const lineKinds = this.log.lineKinds.values;
    for (let line = start; line < end; line += 1) {
      switch (lineKinds[line]) {
        case Kind.checkpoint: {
          const written = this.log.event(line).get("state");
          // A state that is the same stays, so that what did not change stays shared.
          if (state === undefined || writeJSON(written) !== writeJSON(state)) state = written;
          break;
        }
        case Kind.change:
        case Kind.external:
        case Kind.excluded:
          if (state !== undefined) state = this.patched(state, line, step);
          break;
        case Kind.gap: state = undefined; break;
      }
    }
    return state;
  }

  /**
   * @param {any} state
   * @param {number} line
   * @param {number} step
   */
  patched(state, line, step) {
    try {
      return applyPatch(state, readPatch(this.log.event(line).get("patch") ?? []));
    } catch (error) {
      this.problems.set(step, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

/**
 * The parts of two values side by side: members by name; elements by what they share, then by their `id`.
 * @param {any} before
 * @param {any} after
 * @returns {{ token: string, oldToken?: string, before: any, after: any }[] | undefined}
 */
export function alignedParts(before, after) {
  if (isObject(before) && isObject(after)) return alignedMembers(before, after);
  if (Array.isArray(before) && Array.isArray(after)) return alignedElements(before, after);
  return undefined;
}

/**
 * @param {Map<string, any>} before
 * @param {Map<string, any>} after
 */
function alignedMembers(before, after) {
  const parts = [...after].map(([token, value]) => ({ token, before: before.get(token), after: value }));
  let place = 0;
  for (const [token, value] of before) {
    const found = after.has(token);
    if (!found) parts.splice(Math.min(place, parts.length), 0, { token, before: value, after: undefined });
    place += 1;
  }
  return parts;
}

/**
 * @param {any[]} before
 * @param {any[]} after
 */
function alignedElements(before, after) {
  let start = 0;
  const shortest = Math.min(before.length, after.length);
  while (start < shortest && equalJSON(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shortest - start && equalJSON(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  /** @type {{ token: string, oldToken?: string, before: any, after: any }[]} */
  const parts = [];
  for (let index = 0; index < start; index += 1) parts.push({ token: String(index), before: before[index], after: after[index] });
  const rest = new Map();
  const oldEnd = before.length - end;
  const newEnd = after.length - end;
  for (let index = start; index < oldEnd; index += 1) {
    const key = elementKey(before[index]);
    if (key !== undefined && !rest.has(key)) rest.set(key, index);
  }
  const isByPlace = rest.size === 0 && oldEnd === newEnd;
  const used = new Set();
  for (let index = start; index < newEnd; index += 1) {
    const key = elementKey(after[index]);
    const old = isByPlace ? index : key === undefined ? undefined : rest.get(key);
    if (old === undefined || used.has(old)) {
      parts.push({ token: String(index), before: undefined, after: after[index] });
    } else {
      used.add(old);
      parts.push({ token: String(index), oldToken: String(old), before: before[old], after: after[index] });
    }
  }
  let place = start;
  for (let index = start; index < oldEnd; index += 1) {
    if (used.has(index)) continue;
    parts.splice(Math.min(place, parts.length), 0, { token: String(index), before: before[index], after: undefined });
    place += 1;
  }
  for (let index = 0; index < end; index += 1) {
    const token = String(newEnd + index);
    parts.push({ token, oldToken: String(oldEnd + index), before: before[oldEnd + index], after: after[newEnd + index] });
  }
  return parts;
}

/**
 * What names an element: its id.
 * @param {any} element
 */
function elementKey(element) {
  if (!isObject(element) || !element.has("id")) return undefined;
  return writeJSON(element.get("id"));
}
