// The cases, places and effects that a log has: what filters are tested against, and what is suggested while one types.

import { Column } from "./arrays.mjs";
import { parseJSON } from "./json.mjs";
import { Kind } from "./log.mjs";
import { pointerTokens } from "./pointer.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/**
 * Actions that differ in their values alone.
 * @typedef {{ path: string, title: string, count: number }} Shape
 */

/** More shapes and places are not kept, so that memory stays bounded. */
const mostShapes = 20_000;
const mostPlaces = 20_000;
/** Longer actions have no shape: to compare them would cost more than to read them. */
const longestShape = 600;
const noShape = -2;

const valuePattern = /"(?:[^"\\]|\\.)*"(?!:)|-?\d[\d.eE+-]*/g;
const pointerPattern = /"op":"[a-z]+","(?:from":"((?:[^"\\]|\\.)*)","path|path)":"((?:[^"\\]|\\.)*)"/g;

/**
 * The pointers of a change, as the line has them. A value in the change may look like one, so they are not more than likely.
 * @param {string} line
 * @returns {string[]}
 */
export function likelyPointers(line) {
  const pointers = [];
  for (const [, from, path] of line.matchAll(pointerPattern)) {
    pointers.push(path);
    if (from !== undefined) pointers.push(from);
  }
  return pointers;
}

export class Vocabulary {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    /** @type {Shape[]} */
    this.shapes = [];
    /** @type {Map<string, number>} */
    this.shapeNumbers = new Map();
    /** The shape of each step; -1 for what has none. */
    this.stepShapes = new Column(Int32Array);
    /**
     * The places that changed, with any element, and how often.
     * @type {Map<string, number>}
     */
    this.places = new Map();
    /** @type {Map<string, string>} */
    this.placesOfPointers = new Map();
  }

  get isDone() {
    return this.stepShapes.length >= this.end;
  }

  /** The step after the last one that is read: the action that the app handles may still get its value and its change. */
  get end() {
    const { log, isLive } = this.model;
    return isLive ? Math.max(log.owner, 0) : log.stepCount;
  }

  /**
   * Reads more steps.
   * @param {() => boolean} isDue Whether to stop.
   */
  run(isDue) {
    const { end } = this;
    while (this.stepShapes.length < end) {
      const step = this.stepShapes.length;
      this.stepShapes.push(this.shapeOf(step));
      this.addPlaces(step);
      if (step % 64 === 63 && isDue()) return;
    }
  }

  /**
   * Reads a step again to which lines have come, and those after it.
   * @param {number} step
   */
  forget(step) {
    for (; this.stepShapes.length > Math.max(step, 0); this.stepShapes.length -= 1) {
      const shape = this.shapes[this.stepShapes.values[this.stepShapes.length - 1]];
      if (shape !== undefined) shape.count -= 1;
    }
  }

  /**
   * @param {number} step
   * @returns {number}
   */
  shapeOf(step) {
    const { log, notation, rowNotation } = this.model;
    const kind = log.stepKinds.values[step];
    if (kind !== Kind.action && kind !== Kind.withheld) return -1;
    const line = log.line(log.stepLines.values[step]);
    const start = line.indexOf(kind === Kind.action ? '"action":' : '"cases":', 20);
    const text = line.slice(start);
    if (start < 0 || text.length > longestShape) return noShape;
    const key = text.replace(valuePattern, "0");
    const known = this.shapeNumbers.get(key);
    if (known !== undefined) {
      this.shapes[known].count += 1;
      return known;
    }
    // A text in a subscript is a part of the title that other texts would not be.
    const isWithheld = kind === Kind.withheld;
    const action = isWithheld ? undefined : log.eventOf(step).get("action") ?? null;
    const title = isWithheld ? this.model.title(step) : rowNotation.action(action);
    if (title.includes('["') || isWithheld || this.shapes.length >= mostShapes) return noShape;
    this.shapeNumbers.set(key, this.shapes.length);
    this.shapes.push({ path: notation.casePath(action), title, count: 1 });
    return this.shapes.length - 1;
  }

  /** @param {number} step */
  addPlaces(step) {
    const { log } = this.model;
    const line = log.stepChanges.values[step];
    if (line < 0) return;
    for (const pointer of likelyPointers(log.line(line))) {
      let place = this.placesOfPointers.get(pointer);
      if (place === undefined) {
        if (this.placesOfPointers.size >= mostPlaces) return;
        place = this.model.placeText(step, pointerTokens(parseJSON(`"${pointer}"`))).replace(/\[[^\]]*\]/g, "[*]");
        this.placesOfPointers.set(pointer, place);
      }
      if (place !== "") this.places.set(place, (this.places.get(place) ?? 0) + 1);
    }
  }

  /**
   * The paths of all cases, and how many actions each has.
   * @returns {Map<string, number>}
   */
  get cases() {
    const cases = new Map();
    for (const { path, count } of this.shapes) if (count > 0 && path.startsWith(".")) cases.set(path, (cases.get(path) ?? 0) + count);
    return cases;
  }
}
