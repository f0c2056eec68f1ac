// JSON Pointers (RFC 6901) as arrays of tokens.

import { isObject } from "./json.mjs";

/**
 * The tokens of a pointer.
 * @param {string} text
 * @returns {string[]}
 */
export function pointerTokens(text) {
  if (text === "") return [];
  const tokens = text.slice(1).split("/");
  return text.includes("~") ? tokens.map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~")) : tokens;
}

/**
 * A pointer as text.
 * @param {string[]} tokens
 */
export function pointerText(tokens) {
  return tokens.map((token) => "/" + token.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
}

/**
 * The index that a token names in an array; -1 for none.
 * @param {string} token
 */
export function arrayIndex(token) {
  return /^(?:0|[1-9][0-9]{0,15})$/.test(token) ? Number(token) : -1;
}

/**
 * A member or element; `undefined` for none.
 * @param {any} value
 * @param {string} token
 */
export function child(value, token) {
  if (isObject(value)) return value.get(token);
  if (!Array.isArray(value)) return undefined;
  const index = arrayIndex(token);
  return index < 0 ? undefined : value[index];
}

/**
 * The value at a place; `undefined` for none.
 * @param {any} value
 * @param {string[]} tokens
 */
export function valueAt(value, tokens) {
  for (const token of tokens) {
    value = child(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

/**
 * The way to a value with the kind of each container that it leads through: the index of an element is a number, the key of a
 * member a text, whatever it looks like.
 * @typedef {(string | number)[]} Location
 */

/**
 * A place in a value with the kinds of its containers; where the value has nothing, digits are an index.
 * @param {any} value
 * @param {string[]} tokens
 * @returns {Location}
 */
export function located(value, tokens) {
  return tokens.map((token) => {
    const isMember = isObject(value);
    value = value === undefined ? undefined : child(value, token);
    const index = isMember ? -1 : arrayIndex(token);
    return index < 0 ? token : index;
  });
}

/**
 * The tokens of a place.
 * @param {Location} location
 */
export function tokensOf(location) {
  return location.map(String);
}

/**
 * Whether a place is another one or lies within it.
 * @param {Location} place
 * @param {Location} other
 */
export function isWithin(place, other) {
  return other.length <= place.length && other.every((token, index) => String(token) === String(place[index]));
}

/**
 * The place of the tagged value that a place leads into; `undefined` when it leads into none. What an error holds has places in it.
 * @param {string[]} tokens
 */
export function taggedValue(tokens) {
  for (let depth = 0; depth < tokens.length; depth += 1) {
    if (!isTag(tokens[depth])) continue;
    if (tokens[depth] !== "$error" || tokens[depth + 1] !== "value" || depth + 2 >= tokens.length) return tokens.slice(0, depth);
    depth += 1;
  }
  return undefined;
}

/**
 * Whether this is a name of the format's own, such as `$date`: those of the user's that begin with a dollar sign have two.
 * @param {string} token
 */
export function isTag(token) {
  return token.startsWith("$") && !token.startsWith("$$");
}
