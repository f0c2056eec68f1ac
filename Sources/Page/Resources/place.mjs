// Places in the state as people read them: `path[#2].site.checks[3].note`.

import { equalJSON, isNumber, isObject, literal } from "./json.mjs";
import { both, only } from "./notation.mjs";
import { arrayIndex, child, isTag } from "./pointer.mjs";
import { isSwiftIdentifier, visible } from "./visible.mjs";

/**
 * The value that a case, an optional, an element of a stack or an error holds, and the tokens that lead to it.
 * @param {any} value
 */
export function wrapped(value) {
  if (!isObject(value)) return undefined;
  for (const name of ["_0", "$some"]) {
    const inner = only(value, name);
    if (inner !== undefined) return { tokens: [name], value: inner };
  }
  const error = only(value, "$error");
  if (isObject(error) && error.has("type") && error.has("value")) {
    return { tokens: ["$error", "value"], value: error.get("value") };
  }
  const row = stackElement(value);
  return row && { tokens: ["element"], value: row[1] };
}

/**
 * The id and the value of an element of a stack.
 * @param {any} value
 */
export function stackElement(value) {
  const row = both(value, "id", "element");
  return row !== undefined && isNumber(row[0]) ? row : undefined;
}

/**
 * Whether this is the name of a payload without a label.
 * @param {string} token
 */
function isPlaceOfPayload(token) {
  return token.length > 1 && token[0] === "_" && arrayIndex(token.slice(1)) >= 0;
}

/**
 * A place; empty for the whole value.
 * @param {string[]} tokens
 * @param {any} [root] The value in which it lies.
 * @param {import("./pointer.mjs").Location} [location] The kinds of its containers, where they are known without the value.
 */
export function placeText(tokens, root, location) {
  const writer = new PlaceWriter(tokens, location);
  writer.write(root);
  return writer.text;
}

/**
 * The step that leads to a member or element, as it is read.
 * @param {string} token
 * @param {any} container
 */
export function stepText(token, container) {
  const writer = new PlaceWriter([token]);
  writer.step(container);
  return writer.text;
}

class PlaceWriter {
  /**
   * @param {string[]} tokens
   * @param {import("./pointer.mjs").Location} [location]
   */
  constructor(tokens, location) {
    this.text = "";
    this.tokens = tokens;
    this.location = location;
    this.position = 0;
    this.isAfterIndex = false;
  }

  /** @param {any} root */
  write(root) {
    let value = root;
    while (this.position < this.tokens.length) {
      if (this.position > 0) value = this.passWrappers(value);
      // What the log tags is one value, and no place leads into it.
      if (isTag(this.tokens[this.position])) return;
      this.step(value);
      value = value === undefined ? undefined : child(value, this.tokens[this.position]);
      this.position += 1;
    }
  }

  /**
   * Passes the wrappers that are left out before the next step.
   * @param {any} value
   */
  passWrappers(value) {
    let inner = value;
    let place = this.position;
    if (value !== undefined) {
      const passed = [];
      for (;;) {
        const wrapper = wrapped(inner);
        const length = wrapper?.tokens.length ?? 0;
        if (wrapper === undefined || place + length >= this.tokens.length) break;
        if (!wrapper.tokens.every((token, index) => token === this.tokens[place + index])) break;
        passed.push(inner);
        inner = wrapper.value;
        place += length;
      }
      // The step would be taken in a wrapper that has such a member.
      if (passed.some((wrapper) => wrapper.has(this.tokens[place]))) return value;
    } else {
      place += this.wrapperWithoutValue(place);
    }
    if (place > this.position) this.isAfterIndex = false;
    this.position = place;
    return inner;
  }

  /**
   * How many tokens here are most likely a wrapper, and lead on.
   * @param {number} place
   */
  wrapperWithoutValue(place) {
    if (place + 1 >= this.tokens.length) return 0;
    const next = this.tokens[place + 1];
    switch (this.tokens[place]) {
      case "_0": return this.isAfterIndex || isPlaceOfPayload(next) ? 0 : 1;
      case "element": return this.isAfterIndex && next !== "id" && next !== "element" ? 1 : 0;
      case "$some": return 1;
      case "$error": return next === "value" && place + 2 < this.tokens.length ? 2 : 0;
      default: return 0;
    }
  }

  /** @param {any} value */
  step(value) {
    const token = this.tokens[this.position];
    this.isAfterIndex = false;
    if (Array.isArray(value)) {
      this.isAfterIndex = true;
      const index = arrayIndex(token);
      const id = index >= 0 && index < value.length ? stackID(index, value) : undefined;
      this.text += id !== undefined ? `[#${id}]` : `[${token === "-" ? "end" : token}]`;
    } else if (value === undefined && (token === "*" || this.isIndex())) {
      this.isAfterIndex = true;
      this.text += `[${token}]`;
    } else {
      this.member(token);
    }
  }

  /** Whether the token is an index; where nothing tells, digits are one. */
  isIndex() {
    if (this.location !== undefined) return typeof this.location[this.position] === "number";
    return arrayIndex(this.tokens[this.position]) >= 0;
  }

  /** @param {string} token */
  member(token) {
    const dot = this.text === "" ? "" : ".";
    if (isPlaceOfPayload(token)) {
      this.text += dot + token.slice(1);
    } else if (isSwiftIdentifier(token)) {
      this.text += dot + token;
    } else if (token.startsWith("$$")) {
      this.text += `["${visible(token.slice(1), {})}"]`;
    } else {
      this.text += `["${visible(token, {})}"]`;
    }
  }
}

/**
 * The id of an element of a stack, when it is the only one with it.
 * @param {number} index
 * @param {any[]} elements
 */
function stackID(index, elements) {
  const row = stackElement(elements[index]);
  if (row === undefined || elements.length > 64) return undefined;
  const alike = elements.filter((element) => isObject(element) && element.has("id") && equalJSON(element.get("id"), row[0]));
  return alike.length === 1 ? literal(row[0]) : undefined;
}
