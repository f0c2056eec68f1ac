// The history of a number or a Boolean as a line: which values can be drawn, and where each stands.

import { isNumber, literal } from "./json.mjs";

/**
 * A value at a step.
 * @typedef {{ step: number, value: any }} Point
 */

/**
 * The numbers of values; `undefined` where they are not all numbers, or all Booleans. A missing value is a gap of the line.
 * @param {any[]} values
 * @returns {{ isBoolean: boolean, numbers: (number | undefined)[] } | undefined}
 */
export function numbersOf(values) {
  const present = values.filter((value) => value !== undefined && value !== null);
  if (values.length < 2 || present.length === 0) return undefined;
  if (present.every((value) => typeof value === "boolean")) {
    return { isBoolean: true, numbers: values.map((value) => (typeof value === "boolean" ? Number(value) : undefined)) };
  }
  if (!present.every((value) => isNumber(value))) return undefined;
  const numbers = values.map((value) => (isNumber(value) ? Number(literal(value)) : undefined));
  return numbers.every((number) => number === undefined || Number.isFinite(number)) ? { isBoolean: false, numbers } : undefined;
}

/**
 * The lowest and the highest value, which may be the same.
 * @param {(number | undefined)[]} numbers
 * @returns {[number, number]}
 */
export function rangeOf(numbers) {
  let [low, high] = [Infinity, -Infinity];
  for (const number of numbers) {
    if (number === undefined) continue;
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  return [low, high];
}

/**
 * The share of the height at which a value stands, from the bottom; in the middle where all are the same.
 * @param {number} number
 * @param {[number, number]} range
 */
export function heightOf(number, [low, high]) {
  // The difference of two large numbers may be infinite.
  return high === low ? 0.5 : number / 2 / (high / 2 - low / 2) - low / 2 / (high / 2 - low / 2);
}

/**
 * The value that holds at a position: the last one set at it or before it; -1 for none.
 * @param {number[]} positions
 * @param {number} position
 */
export function valueAtPosition(positions, position) {
  let found = -1;
  for (let index = 0; index < positions.length; index += 1) if (positions[index] <= position) found = index;
  return found;
}
