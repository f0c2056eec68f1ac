// Every value that a place had, and who set it: backwards and forwards from a step, through elements that come and go before it.

import { equalJSON } from "./json.mjs";
import { Kind } from "./log.mjs";
import { destinationOf, originOf } from "./patch.mjs";
import { located, pointerText, tokensOf, valueAt } from "./pointer.mjs";
/** @typedef {import("./model.mjs").Model} Model */
/** @typedef {import("./patch.mjs").Operation} Operation */

/**
 * A value, where it is, and the step that set it; `undefined` for none.
 * @typedef {{ step: number, path: string[] | undefined, value: any, isGap?: boolean }} Value
 */

/**
 * The values of a place before and at a step, the latest first, and then those after it; `undefined` when time may have passed.
 * @param {Model} model
 * @param {number} step
 * @param {string[]} path
 * @returns {Generator<Value & { isLater: boolean } | undefined, void>}
 */
export function* valuesOf(model, step, path) {
  yield* earlier(model, step, path);
  yield* later(model, step, path);
}

/**
 * Whether a change may be about a place: most name another member of the state.
 * @param {Model} model
 * @param {number} step
 * @param {string} mark
 */
function mayTouch(model, step, mark) {
  const line = model.log.stepChanges.values[step];
  if (line < 0) return false;
  const text = model.log.line(line);
  return text.includes(mark) || text.includes('"path":""');
}

/**
 * How the first token of a place begins in a patch.
 * @param {string[]} path
 */
function markOf(path) {
  return path.length === 0 ? '"path":"' : `"${pointerText(path.slice(0, 1)).replace(/["\\]/g, "\\$&")}`;
}

/**
 * The value that a patch gave a place, if one operation says it all.
 * @param {Operation[]} operations
 * @param {string[]} path
 */
function givenValue(operations, path) {
  const last = operations[operations.length - 1];
  const isAlone = operations.length === 1 || operations.every((operation) => operation.op === "replace");
  if (!isAlone) return undefined;
  const own = operations.filter(({ path: other }) => pointerText(other) === pointerText(path));
  return own.length === 1 && (last.op === "replace" || last.op === "add") ? own[0].value : undefined;
}

/**
 * @param {Model} model
 * @param {number} step
 * @param {string[]} path
 */
function* earlier(model, step, path) {
  const { log, states } = model;
  /** @type {(Value & { isLater: boolean }) | undefined} */
  let last;
  const mark = markOf(path);
  let location = located(states.after(step), path);
  for (let at = step; at > 0; at -= 1) {
    const place = tokensOf(location);
    if (at % 512 === 0) yield undefined;
    if (log.stepKinds.values[at] === Kind.gap) {
      if (last !== undefined) yield last;
      yield { step: at, path: place, value: valueAt(states.after(at), place), isLater: false, isGap: true };
      return;
    }
    if (!mayTouch(model, at, mark)) continue;
    const operations = model.operations(at);
    const origin = originOf(operations, location);
    if (origin.isTouched) {
      const given = givenValue(operations, place);
      const value = given === undefined ? valueAt(states.after(at), place) : given;
      // What was put in its place may be the same.
      if (last !== undefined && !isSame(last.value, value)) yield last;
      last = { step: at, path: place, value, isLater: false };
      yield undefined;
    }
    if (origin.location === undefined) {
      if (last !== undefined) yield last;
      return;
    }
    // Containers around it may have been of another kind.
    location = origin.isTouched ? located(states.before(at), tokensOf(origin.location)) : origin.location;
  }
  const place = tokensOf(location);
  const value = valueAt(states.after(0), place);
  if (last !== undefined && !isSame(last.value, value)) yield last;
  yield { step: 0, path: place, value, isLater: false };
}

/**
 * @param {Model} model
 * @param {number} step
 * @param {string[]} path
 */
function* later(model, step, path) {
  const { log, states } = model;
  const mark = markOf(path);
  let location = located(states.after(step), path);
  let value = valueAt(states.after(step), path);
  for (let at = step + 1; at < log.stepCount; at += 1) {
    if (at % 512 === 0) yield undefined;
    if (log.stepKinds.values[at] === Kind.gap) {
      const place = tokensOf(location);
      yield { step: at, path: place, value: valueAt(states.after(at), place), isLater: true, isGap: true };
      return;
    }
    if (!mayTouch(model, at, mark)) continue;
    const operations = model.operations(at);
    const destination = destinationOf(operations, location);
    if (destination.location === undefined) {
      yield { step: at, path: undefined, value: undefined, isLater: true };
      return;
    }
    location = destination.location;
    if (!destination.isTouched) continue;
    const place = tokensOf(location);
    location = located(states.after(at), place);
    const given = givenValue(operations, place);
    const next = given === undefined ? valueAt(states.after(at), place) : given;
    if (isSame(value, next)) continue;
    value = next;
    yield { step: at, path: place, value, isLater: true };
  }
}

/**
 * @param {any} a
 * @param {any} b
 */
function isSame(a, b) {
  return a === undefined || b === undefined ? a === b : equalJSON(a, b);
}
