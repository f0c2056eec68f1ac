// JSON Patch (RFC 6902) with the log's `splice`, on values that are never changed: what a patch leaves alone is shared.

import { equalJSON, isObject } from "./json.mjs";
import { arrayIndex, child, isWithin, pointerText, pointerTokens, taggedValue, valueAt } from "./pointer.mjs";

/**
 * @typedef {import("./pointer.mjs").Location} Location
 * @typedef {object} Operation
 * @property {string} op
 * @property {string[]} path
 * @property {string[]} [from]
 * @property {any} [value]
 * @property {number} [at]
 * @property {number} [remove]
 * @property {string} [insert]
 */

/** A patch that does not fit. */
export class PatchError extends Error {}

/**
 * The operations of a patch.
 * @param {any} patch
 * @returns {Operation[]}
 */
export function readPatch(patch) {
  if (!Array.isArray(patch)) throw new PatchError("the patch is not an array");
  return patch.map((operation) => ({
    op: operation.get("op"),
    path: pointerTokens(operation.get("path")),
    from: operation.has("from") ? pointerTokens(operation.get("from")) : undefined,
    value: operation.get("value"),
    at: operation.get("at"),
    remove: operation.get("remove"),
    insert: operation.get("insert"),
  }));
}

/**
 * The value after a patch.
 * @param {any} value
 * @param {Operation[]} operations
 * @returns {any}
 */
export function applyPatch(value, operations) {
  for (const operation of operations) value = apply(value, operation);
  return value;
}

/**
 * @param {any} root
 * @param {Operation} operation
 * @returns {any}
 */
function apply(root, operation) {
  const { path } = operation;
  switch (operation.op) {
    case "add": return add(root, path, operation.value);
    case "remove": return remove(root, path);
    case "replace": return change(root, path, 0, () => operation.value);
    case "splice": return change(root, path, 0, (text) => splice(text, operation));
    case "move": {
      const from = operation.from ?? [];
      const value = existing(root, from);
      if (from.length === path.length && isWithin(path, from)) return root;
      if (isWithin(path, from)) throw new PatchError("a value cannot move into itself");
      return add(remove(root, from), path, value);
    }
    case "copy": return add(root, path, existing(root, operation.from ?? []));
    case "test":
      if (!equalJSON(existing(root, path), operation.value)) throw new PatchError(`the test of ${pointerText(path)} fails`);
      return root;
    default: throw new PatchError(`unknown operation '${operation.op}'`);
  }
}

/**
 * @param {any} root
 * @param {string[]} path
 */
function existing(root, path) {
  const value = valueAt(root, path);
  if (value === undefined) throw new PatchError(`nothing at ${pointerText(path)}`);
  return value;
}

/**
 * A value in which the value at a place, which must exist, is another one.
 * @param {any} container
 * @param {string[]} path
 * @param {number} depth
 * @param {(old: any) => any} make
 * @returns {any}
 */
function change(container, path, depth, make) {
  if (depth === path.length) return make(container);
  const token = path[depth];
  const old = child(container, token);
  if (old === undefined) throw new PatchError(`nothing at ${pointerText(path)}`);
  const value = change(old, path, depth + 1, make);
  if (Array.isArray(container)) {
    const copy = container.slice();
    copy[Number(token)] = value;
    return copy;
  }
  return new Map(container).set(token, value);
}

/**
 * @param {any} root
 * @param {string[]} path
 * @param {any} value
 * @returns {any}
 */
function add(root, path, value) {
  if (path.length === 0) return value;
  const token = path[path.length - 1];
  return change(root, path.slice(0, -1), 0, (container) => {
    if (isObject(container)) return new Map(container).set(token, value);
    if (!Array.isArray(container)) throw new PatchError(`nothing at ${pointerText(path)}`);
    const index = token === "-" ? container.length : arrayIndex(token);
    if (index < 0 || index > container.length) throw new PatchError(`no index ${pointerText(path)}`);
    const copy = container.slice();
    copy.splice(index, 0, value);
    return copy;
  });
}

/**
 * @param {any} root
 * @param {string[]} path
 * @returns {any}
 */
function remove(root, path) {
  if (path.length === 0) return null;
  existing(root, path);
  const token = path[path.length - 1];
  return change(root, path.slice(0, -1), 0, (container) => {
    if (isObject(container)) {
      const copy = new Map(container);
      copy.delete(token);
      return copy;
    }
    const copy = container.slice();
    copy.splice(Number(token), 1);
    return copy;
  });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The parts of a text around what a splice removes.
 * @param {any} text
 * @param {Operation} operation
 * @returns {[string, string, string]}
 */
export function spliceParts(text, operation) {
  const { at = 0, remove: count = 0 } = operation;
  if (typeof text !== "string") throw new PatchError(`no text at ${pointerText(operation.path)}`);
  const bytes = encoder.encode(text);
  if (at + count > bytes.length) throw new PatchError(`the text has ${bytes.length} bytes`);
  try {
    return [
      decoder.decode(bytes.subarray(0, at)),
      decoder.decode(bytes.subarray(at, at + count)),
      decoder.decode(bytes.subarray(at + count)),
    ];
  } catch {
    throw new PatchError(`byte ${at}, or ${at + count}, of the text lies within a character`);
  }
}

/**
 * @param {any} text
 * @param {Operation} operation
 */
function splice(text, operation) {
  const [head, , tail] = spliceParts(text, operation);
  return head + (operation.insert ?? "") + tail;
}

/**
 * The operations as people read them: what they change within a tagged value, they change in the whole of that value.
 * @param {Operation[]} operations
 * @param {any} state The value that they apply to.
 * @returns {Operation[]}
 */
export function outsideTags(operations, state) {
  if (state === undefined || operations.every(({ path }) => taggedValue(path) === undefined)) return operations;
  /** @type {Operation[]} */
  const shown = [];
  for (const operation of operations) {
    state = applyPatch(state, [operation]);
    const path = taggedValue(operation.path);
    const value = path === undefined ? undefined : valueAt(state, path);
    if (path === undefined || value === undefined) {
      shown.push(operation);
      continue;
    }
    // Several operations may be about one value.
    const last = shown[shown.length - 1];
    if (last?.op === "replace" && pointerText(last.path) === pointerText(path)) shown.pop();
    shown.push({ op: "replace", path, value });
  }
  return shown;
}

/**
 * Where a value was before a patch, and whether the patch wrote to it, or to a value that contains it or that it contains.
 *
 * The place is `undefined` for a value that the patch put there.
 * @param {Operation[]} operations
 * @param {Location} location
 * @returns {{ location: Location | undefined, isTouched: boolean }}
 */
export function originOf(operations, location) {
  let isTouched = false;
  for (let index = operations.length - 1; index >= 0; index -= 1) {
    const operation = operations[index];
    const place = operation.path;
    switch (operation.op) {
      case "add":
      case "copy":
        if (isWithin(location, place)) return { location: indexBeside(location, place) < 0 ? location : undefined, isTouched: true };
        isTouched ||= isWithin(place, location);
        location = shifted(location, place, -1, (own, other) => own > other);
        break;
      case "remove":
        // An element that is gone is not the one that has its place now.
        isTouched ||= isWithin(place, location) && !(place.length === location.length && indexBeside(location, place) >= 0);
        location = shifted(location, place, 1, (own, other) => own >= other);
        break;
      case "replace":
      case "splice":
        isTouched ||= isWithin(location, place) || isWithin(place, location);
        break;
      case "move": {
        const from = operation.from ?? [];
        if (isWithin(location, place)) {
          location = moved(location, place, from);
        } else {
          isTouched ||= isWithin(place, location) || isWithin(from, location);
          location = shifted(location, place, -1, (own, other) => own > other);
          location = shifted(location, from, 1, (own, other) => own >= other);
        }
        break;
      }
    }
  }
  return { location, isTouched };
}

/**
 * Where a value is after a patch, and whether the patch wrote to it. The place is `undefined` for a value that is gone.
 * @param {Operation[]} operations
 * @param {Location} location
 * @returns {{ location: Location | undefined, isTouched: boolean }}
 */
export function destinationOf(operations, location) {
  let isTouched = false;
  for (const operation of operations) {
    const place = operation.path;
    switch (operation.op) {
      case "add":
      case "copy":
        if (indexBeside(location, place) >= 0) {
          location = shifted(location, place, 1, (own, other) => own >= other);
        } else {
          isTouched ||= isWithin(location, place) || isWithin(place, location);
        }
        break;
      case "remove":
        if (isWithin(location, place)) return { location: undefined, isTouched: true };
        isTouched ||= isWithin(place, location);
        location = shifted(location, place, -1, (own, other) => own > other);
        break;
      case "replace":
      case "splice":
        isTouched ||= isWithin(location, place) || isWithin(place, location);
        break;
      case "move": {
        const from = operation.from ?? [];
        if (isWithin(location, from)) {
          location = moved(location, from, place);
        } else {
          isTouched ||= isWithin(place, location) || isWithin(from, location);
          location = shifted(location, from, -1, (own, other) => own > other);
          location = shifted(location, place, 1, (own, other) => own >= other);
        }
        break;
      }
    }
  }
  return { location, isTouched };
}

/**
 * The index of the element on a way in the array that a pointer leads into; -1 when it leads into no array on this way.
 * @param {Location} location
 * @param {string[]} place
 */
function indexBeside(location, place) {
  const own = location[place.length - 1];
  return typeof own === "number" && isWithin(location, place.slice(0, -1)) ? own : -1;
}

/**
 * A place after an element at another one came or went.
 * @param {Location} location
 * @param {string[]} place
 * @param {number} offset
 * @param {(own: number, other: number) => boolean} isAffected
 * @returns {Location}
 */
function shifted(location, place, offset, isAffected) {
  const own = indexBeside(location, place);
  const index = own < 0 ? -1 : arrayIndex(place[place.length - 1]);
  if (index < 0 || !isAffected(own, index)) return location;
  const depth = place.length - 1;
  return [...location.slice(0, depth), own + offset, ...location.slice(depth + 1)];
}

/**
 * A place that has moved with what it lies in.
 * @param {Location} location
 * @param {string[]} place Where that is.
 * @param {string[]} other Where it goes.
 * @returns {Location}
 */
function moved(location, place, other) {
  const head = other.map((token, depth) => {
    const isBeside = isWithin(place, other.slice(0, depth)) && depth < place.length;
    if (isBeside && typeof location[depth] === "string") return token;
    const index = arrayIndex(token);
    return index < 0 ? token : index;
  });
  return [...head, ...location.slice(place.length)];
}
