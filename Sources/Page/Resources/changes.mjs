// What changed, leaf by leaf.

import { equalJSON } from "./json.mjs";
import { Kind } from "./log.mjs";
import { applyPatch, outsideTags, spliceParts } from "./patch.mjs";
import { valueAt } from "./pointer.mjs";
import { alignedParts } from "./states.mjs";
/** @typedef {import("./patch.mjs").Operation} Operation */

/**
 * A place that changed. `undefined` is no value; `from` is where a value came from.
 * @typedef {{ path: string[], before: any, after: any, from?: string[], isCopy?: boolean, at?: number }} Change
 */

/**
 * The leaves that differ between two values.
 * @param {any} before
 * @param {any} after
 * @param {string[]} path
 * @param {Change[]} changes
 * @param {number} most
 */
export function leafChanges(before, after, path, changes, most) {
  if (before === after || changes.length >= most) return changes;
  const parts = before === undefined || after === undefined ? undefined : alignedParts(before, after);
  if (parts === undefined || isSmall(before) || isSmall(after)) {
    if (before === undefined || after === undefined || !equalJSON(before, after)) changes.push({ path, before, after });
    return changes;
  }
  for (const part of parts) leafChanges(part.before, part.after, [...path, part.token], changes, most);
  return changes;
}

/**
 * Whether a value reads best as a whole: the case of an enum, a tagged value.
 * @param {any} value
 */
function isSmall(value) {
  if (!(value instanceof Map)) return false;
  if (value.size === 0) return true;
  const [name, member] = value.entries().next().value ?? ["", null];
  return name.startsWith("$") || (value.size === 1 && member instanceof Map && member.size === 0);
}

/**
 * What operations change in a state, in their order.
 * @param {any} state
 * @param {Operation[]} operations
 * @param {number} most
 * @returns {Change[]}
 */
export function changesOf(state, operations, most) {
  /** @type {Change[]} */
  const changes = [];
  for (const operation of outsideTags(operations, state)) {
    if (changes.length >= most) break;
    const { path } = operation;
    const before = state === undefined ? undefined : valueAt(state, path);
    switch (operation.op) {
      case "add": changes.push({ path, before: isReplaced(before, path, state) ? before : undefined, after: operation.value }); break;
      case "remove": changes.push({ path, before, after: undefined }); break;
      case "replace": leafChanges(before, operation.value, path, changes, most); break;
      case "move": changes.push({ path, before: undefined, after: undefined, from: operation.from }); break;
      case "copy": changes.push({ path, before: undefined, after: undefined, from: operation.from, isCopy: true }); break;
      case "splice": {
        const removed = before === undefined ? "" : spliceParts(before, operation)[1];
        changes.push({ path, before: removed || undefined, after: operation.insert || undefined, at: operation.at });
        break;
      }
    }
    if (state !== undefined) state = applyPatch(state, [operation]);
  }
  return changes;
}

/**
 * Whether an operation that adds sets a member that is there.
 * @param {any} before
 * @param {string[]} path
 * @param {any} state
 */
function isReplaced(before, path, state) {
  return before !== undefined && !Array.isArray(valueAt(state, path.slice(0, -1)));
}

/**
 * Whether a step's change can be shown.
 * @param {number} kind
 */
export function hasChange(kind) {
  return kind === Kind.action || kind === Kind.excluded || kind === Kind.external;
}
