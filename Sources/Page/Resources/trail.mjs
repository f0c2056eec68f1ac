// The trail of the reader: every jump is an entry of the browser's history, so that "back" leads to where one was.

import { part } from "./dom.mjs";

export class Trail {
  constructor() {
    /** The number of the entry, and of the last one that "forward" reaches. */
    this.index = Number(history.state?.index ?? 0);
    this.last = this.index;
    part("back").addEventListener("click", () => this.go(-1));
    part("forward").addEventListener("click", () => this.go(1));
    this.show();
  }

  /**
   * Writes where the reader is.
   * @param {string} hash
   * @param {boolean} isJump
   */
  write(hash, isJump) {
    if (hash === location.hash) return;
    if (isJump) {
      this.index += 1;
      this.last = this.index;
      history.pushState({ index: this.index }, "", hash);
    } else {
      history.replaceState({ index: this.index }, "", hash);
    }
    this.show();
  }

  /** Takes note of an entry that the browser went to: an earlier or later one, or an address that was typed. */
  arrive() {
    const known = history.state?.index;
    if (typeof known === "number") {
      this.index = known;
      this.last = Math.max(this.last, known);
    } else {
      this.index += 1;
      this.last = this.index;
      history.replaceState({ index: this.index }, "", location.hash);
    }
    this.show();
  }

  /**
   * Goes back or forward, but not off the page.
   * @param {-1 | 1} by
   */
  go(by) {
    const next = this.index + by;
    if (next >= 0 && next <= this.last) history.go(by);
  }

  show() {
    part("back").disabled = this.index <= 0;
    part("forward").disabled = this.index >= this.last;
  }
}
