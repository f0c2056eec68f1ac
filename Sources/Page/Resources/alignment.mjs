// Which actions of two logs correspond, and which ids and dates stand for each other.

import { isObject, literal } from "./json.mjs";
import { visible } from "./visible.mjs";

/**
 * What only one log has at a place, or has at another place.
 * @typedef {{ seq: number, isOther: boolean, isAction: boolean, movedTo: number | undefined, action: any, title: string }} Lone
 */

/** An id, a date or the substitute of a masked text, as logs write them. */
const idOrDate = /[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|masked[0-9a-f]{18}/g;

/** More values of a step are left out. */
const mostCounterparts = 20;

export class Alignment {
  /** @param {Map<string, any> | undefined} comparison */
  constructor(comparison) {
    /** @type {Map<string, any> | undefined} */
    const alignment = comparison?.get("alignment");
    /** Whether actions are aligned; those of a replay have the same numbers. */
    this.isKnown = alignment !== undefined;
    /** @type {number[][]} */
    this.matches = (alignment?.get("matches") ?? []).map((/** @type {Map<string, any>} */ match) =>
      [...match.get("first"), ...match.get("second")].map((number) => Number(literal(number))));
    /** @type {Map<string, string>} */
    this.ids = new Map();
    /** @type {Map<string, string>} */
    this.otherIds = new Map();
    for (const pair of comparison?.get("mapped")?.get("values") ?? []) {
      const [first, second] = [String(pair.get("first")), String(pair.get("second"))];
      this.ids.set(second, first);
      this.otherIds.set(first, second);
    }
    /** @type {Map<number, Lone[]>} */
    this.lone = new Map();
    /** @type {Map<number, number>} */
    this.moved = new Map();
    if (alignment === undefined) return;
    for (const one of alignment.get("onlyInFirst")) this.add(one, numberOf(one, "seq"), numberOf(one, "seq"), false);
    for (const one of alignment.get("onlyInSecond")) this.add(one, numberOf(one, "after"), numberOf(one, "seq"), true);
    for (const one of alignment.get("moved")) {
      const [first, second] = [numberOf(one, "first"), numberOf(one, "second")];
      if (isLoneAction(one)) this.moved.set(first, second);
      this.add(one, first, first, false, second);
    }
  }

  /**
   * @param {Map<string, any>} one
   * @param {number} place The action of this log at which it is told.
   * @param {number} seq
   * @param {boolean} isOther
   * @param {number} [movedTo]
   */
  add(one, place, seq, isOther, movedTo) {
    const effect = one.get("effect");
    const title = effect === undefined ? visible(String(one.get("kind"))) : `effect ${visible(String(effect))} ${visible(String(one.get("event")))}`;
    const all = this.lone.get(place) ?? [];
    all.push({ seq, isOther, isAction: isLoneAction(one), movedTo, action: one.get("action"), title });
    this.lone.set(place, all);
  }

  /** The actions of this log at which something has no counterpart. */
  get places() {
    return [...this.lone.keys()];
  }

  /**
   * What has no counterpart at an action.
   * @param {number} seq
   */
  loneAt(seq) {
    return this.lone.get(seq) ?? [];
  }

  /**
   * The number that an action of this log has in the other one.
   * @param {number} seq
   * @returns {number | undefined}
   */
  otherSeq(seq) {
    if (!this.isKnown) return seq;
    let [low, high] = [0, this.matches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.matches[middle][1] < seq) low = middle + 1;
      else high = middle;
    }
    const match = this.matches[low];
    return match !== undefined && match[0] <= seq ? match[2] + seq - match[0] : this.moved.get(seq);
  }

  /**
   * The number that an action of the other log has in this one.
   * @param {number} other
   * @returns {number | undefined}
   */
  ownSeq(other) {
    if (!this.isKnown) return other;
    const match = this.matches.find(([, , first, last]) => first <= other && other <= last);
    if (match !== undefined) return match[0] + other - match[2];
    for (const [own, there] of this.moved) if (there === other) return own;
    return undefined;
  }

  /**
   * The ids and dates of a text that stand for others, and those.
   * @param {string} text
   * @returns {[string, string][]}
   */
  counterparts(text) {
    /** @type {Map<string, string>} */
    const found = new Map();
    for (const [id] of this.otherIds.size === 0 ? [] : text.matchAll(idOrDate)) {
      const other = this.otherIds.get(keyOf(id));
      if (other !== undefined && found.size < mostCounterparts) found.set(keyOf(id), other);
    }
    return [...found];
  }

  /**
   * A value of the other log with the ids and dates of this one.
   * @param {any} value
   * @returns {any}
   */
  translated(value) {
    if (this.ids.size === 0) return value;
    if (typeof value === "string") return this.translatedText(value);
    if (Array.isArray(value)) return value.map((element) => this.translated(element));
    if (isObject(value)) return new Map([...value].map(([key, member]) => [this.translatedText(key), this.translated(member)]));
    return value;
  }

  /** @param {string} text */
  translatedText(text) {
    return text.replace(idOrDate, (found) => {
      const key = keyOf(found);
      const own = this.ids.get(key);
      // This log has the same text for another value.
      if (own === undefined) return this.otherIds.has(key) ? `${found} of the other log` : found;
      return /[a-f]/.test(found) ? own.toLowerCase() : own;
    });
  }
}

/**
 * An id in the form in which pairs have it; everything else as it is.
 * @param {string} found
 */
function keyOf(found) {
  return found.includes("T") || found.startsWith("masked") ? found : found.toUpperCase();
}

/**
 * @param {Map<string, any>} one
 * @param {string} name
 */
function numberOf(one, name) {
  return Number(literal(one.get(name)));
}

/** @param {Map<string, any>} one */
function isLoneAction(one) {
  return one.get("kind") === "action" || one.get("kind") === "excluded";
}
