// The layout of the page: which shares of the room the panes have, and which are folded. The fragment of the address keeps it.

/**
 * The size that a divider sets: the width of the actions, the width or the height of the selected action beside the state (percent), or the
 * height of the lanes (pixels).
 * @typedef {"list" | "step" | "row" | "lanes"} Size
 */

/**
 * A part that can be folded.
 * @typedef {"film" | "time" | "actions" | "action" | "state" | "effects"} Pane
 */

const sizeLetters = /** @type {Record<Size, string>} */ ({ list: "l", step: "w", row: "h", lanes: "e" });
const paneLetters = /** @type {Record<Pane, string>} */ ({ film: "p", time: "t", actions: "a", action: "d", state: "s", effects: "f" });
/** The range of each size. */
export const limits = /** @type {Record<Size, [number, number]>} */ ({ list: [15, 85], step: [15, 85], row: [12, 88], lanes: [19, 480] });

export class Layout {
  constructor() {
    /** @type {Map<Size, number>} */
    this.sizes = new Map();
    /** @type {Set<Pane>} */
    this.folded = new Set();
  }

  /**
   * Reads a layout: `l40.h60.-t`. What it does not know is left out.
   * @param {string} text
   */
  static read(text) {
    const layout = new Layout();
    for (const word of text.split(".")) {
      const [letter, value] = word.startsWith("-") ? ["-", word.slice(1)] : [word.slice(0, 1), word.slice(1)];
      const pane = /** @type {Pane | undefined} */ (letter === "-" ? nameOf(paneLetters, value) : undefined);
      const size = /** @type {Size | undefined} */ (nameOf(sizeLetters, letter));
      if (pane !== undefined) layout.folded.add(pane);
      else if (size !== undefined && /^\d{1,4}$/.test(value)) layout.set(size, Number(value));
    }
    // The page always shows something to select an action with, and something about it.
    if (["actions", "action", "state"].every((pane) => layout.folded.has(/** @type {Pane} */ (pane)))) layout.folded.delete("actions");
    return layout;
  }

  get text() {
    const sizes = [...this.sizes].map(([size, value]) => `${sizeLetters[size]}${value}`).sort();
    return [...sizes, ...[...this.folded].map((pane) => `-${paneLetters[pane]}`).sort()].join(".");
  }

  /**
   * Sets what a divider sets.
   * @param {Size} size
   * @param {number | undefined} value `undefined` for what the page does without it.
   */
  set(size, value) {
    if (value === undefined) this.sizes.delete(size);
    else this.sizes.set(size, Math.round(Math.min(Math.max(value, limits[size][0]), limits[size][1])));
  }

  /**
   * Folds or unfolds a pane; of the three below the timeline one stays.
   * @param {Pane} pane
   */
  toggle(pane) {
    if (this.folded.delete(pane)) return;
    this.folded.add(pane);
    if (["actions", "action", "state"].every((other) => this.folded.has(/** @type {Pane} */ (other)))) this.folded.delete(pane === "actions" ? "action" : "actions");
  }
}

/**
 * @param {Record<string, string>} letters
 * @param {string} letter
 */
function nameOf(letters, letter) {
  return Object.keys(letters).find((name) => letters[name] === letter);
}
