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
 * Whether a place is another one or lies within it.
 * @param {string[]} tokens
 * @param {string[]} other
 */
export function isWithin(tokens, other) {
  return other.length <= tokens.length && other.every((token, index) => token === tokens[index]);
}
