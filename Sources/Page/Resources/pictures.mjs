// The pictures of a log: what the user saw after each action. They stand in blocks of data, and are shown as images alone.

import { element } from "./dom.mjs";

/**
 * A picture: its place among the blocks, its size in points, and what it says.
 * @typedef {{ index: number, width: number, height: number, text: string, digest: string }} Picture
 */

/**
 * Actions that follow each other and have the same picture, or none and the same reason.
 * @typedef {{ first: number, last: number, picture: Picture | undefined, note: string | undefined }} Frame
 */

export class Pictures {
  /**
   * Reads the pictures of one side of a log; `undefined` when the page has none.
   * @param {"log" | "other"} side
   * @param {number} number Which log of the page it belongs to; the first is 1.
   */
  static read(side, number) {
    const block = document.querySelector(`script[type="application/x-tca-replay-pictures"][data-side="${side}"][data-log="${number}"]`);
    return block === null ? undefined : new Pictures(`picture-${side}-${number}-`, JSON.parse(block.textContent ?? "{}"));
  }

  /**
   * @param {string} prefix What the ids of the blocks begin with.
   * @param {{ pictures: [string, number, number, string, string][], actions: [number, number | string][] }} data
   */
  constructor(prefix, { pictures, actions }) {
    this.prefix = prefix;
    this.types = pictures.map(([type]) => type);
    /** @type {Picture[]} */
    this.pictures = pictures.map(([, width, height, text, digest], index) => ({ index, width, height, text, digest }));
    /** @type {Frame[]} */
    this.frames = [];
    for (const [seq, found] of actions) {
      const picture = typeof found === "number" ? this.pictures[found] : undefined;
      const note = typeof found === "string" ? found : undefined;
      const last = this.frames.at(-1);
      if (last !== undefined && last.picture === picture && last.note === note) last.last = seq;
      else this.frames.push({ first: seq, last: seq, picture, note });
    }
  }

  /**
   * The place of the last frame that begins at or before an action; -1 when there is none.
   * @param {number} seq
   */
  placeOf(seq) {
    let [low, high] = [0, this.frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle].first <= seq) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /**
   * The frame of an action; `undefined` for one that is after the last frame's actions.
   * @param {number} seq
   */
  frameOf(seq) {
    const frame = this.frames[this.placeOf(seq)];
    return frame !== undefined && seq <= frame.last ? frame : undefined;
  }

  /**
   * The frame of what was seen before an action.
   * @param {number} seq
   */
  frameBefore(seq) {
    return seq > 0 ? this.frames[this.placeOf(seq - 1)] : undefined;
  }

  /**
   * The address of a picture: its data.
   * @param {Picture} picture
   */
  addressOf(picture) {
    return `data:${this.types[picture.index]};base64,${document.getElementById(this.prefix + picture.index)?.textContent ?? ""}`;
  }

  /**
   * An image, which loads when it comes into view.
   * @param {Frame} frame
   * @param {boolean} [isSmall] Whether there is no room for the reason why there is none.
   * @returns {HTMLElement}
   */
  image({ picture, note }, isSmall = false) {
    if (picture === undefined) return element("span.nopicture", { title: note }, (isSmall ? undefined : note) || "no picture");
    const image = element("img", { alt: picture.text, width: Math.round(picture.width), height: Math.round(picture.height), decoding: "async", draggable: "false" });
    const load = () => {
      image.src = this.addressOf(picture);
    };
    whenSeen(image, { load, isUrgent: !isSmall });
    return image;
  }
}

/** An image of SVG is a document of its own: so long the page waits with the next one, in milliseconds. */
const loadPause = 30;
/** @type {WeakMap<Element, { load: () => void, isUrgent: boolean }>} */
const loads = new WeakMap();
/**
 * Those in view that are still to be loaded.
 * @type {Set<Element>}
 */
const due = new Set();
let timer = 0;
/** @type {IntersectionObserver | undefined} */
let watch;

/**
 * Does something when an element comes into view; what leaves it again before that is not loaded.
 * @param {Element} element
 * @param {{ load: () => void, isUrgent: boolean }} what What to do, and whether before the others.
 */
function whenSeen(element, what) {
  watch ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) due.add(target);
      else due.delete(target);
    }
    timer ||= setTimeout(loadNext, loadPause);
  });
  loads.set(element, what);
  watch.observe(element);
}

/** Loads one image, so that the page stays quick while one goes through the log. */
function loadNext() {
  timer = 0;
  for (const next of due) if (!next.isConnected) due.delete(next);
  const all = [...due];
  const next = all.find((element) => loads.get(element)?.isUrgent) ?? all[0];
  if (next === undefined) return;
  due.delete(next);
  watch?.unobserve(next);
  loads.get(next)?.load();
  if (due.size > 0) timer = setTimeout(loadNext, loadPause);
}
