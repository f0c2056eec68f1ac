// The film strip: what the user saw, one picture after the other, above the timeline.

import { element, part } from "./dom.mjs";
/** @typedef {import("./model.mjs").Model} Model */
/** @typedef {import("./pictures.mjs").Frame} Frame */

const tall = 112;
const gap = 8;
/** Frames that are drawn beyond each end of the strip. */
const beyond = 1;
const narrowest = 52;
const widest = 190;

export class Film {
  /**
   * @param {Model} model
   * @param {{ select: (step: number) => void }} actions
   */
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.room = part("film");
    this.space = part("filmspace");
    this.glance = part("glance");
    /** The place of the frame of the selected action; -1 for none. */
    this.current = -1;
    this.width = narrowest;
    /**
     * The frames that are drawn, by their place.
     * @type {Map<number, HTMLElement>}
     */
    this.drawn = new Map();
    this.isDue = false;
    // What is visible of the strip, in pixels. Reading it from the page would make the browser lay out the page for each selection.
    this.left = 0;
    this.visible = 0;
    /** Whether the strip has to be scrolled to `left` when it is drawn. */
    this.isMoved = false;
    this.room.addEventListener("scroll", () => {
      this.hideGlance();
      if (this.isMoved) return;
      this.left = this.room.scrollLeft;
      this.draw();
    });
    new ResizeObserver(() => {
      this.visible = this.room.clientWidth;
      // A strip that was hidden begins at its start again.
      if (!this.isMoved) this.left = this.room.scrollLeft;
      this.draw();
    }).observe(this.room);
  }

  get frames() {
    return this.model.pictures?.frames ?? [];
  }

  /** The length of the whole strip, in pixels. */
  get length() {
    return this.frames.length * (this.width + gap) + gap;
  }

  /** Shows the strip, if the log has pictures. */
  begin() {
    const { frames } = this;
    if (frames.length === 0) return;
    part("pictures").hidden = false;
    part("panes").querySelector('[data-pane="film"]').hidden = false;
    const shape = frames.find(({ picture }) => picture !== undefined)?.picture;
    if (shape !== undefined) this.width = Math.min(Math.max(Math.round((tall * shape.width) / Math.max(shape.height, 1)), narrowest), widest);
    this.space.style.width = `${this.length}px`;
    this.visible = this.room.clientWidth;
    this.draw();
  }

  /**
   * Marks the frame of an action and brings it into view.
   * @param {number} seq
   */
  select(seq) {
    const { pictures } = this.model;
    if (pictures === undefined) return;
    this.current = pictures.placeOf(seq);
    const left = this.current * (this.width + gap);
    if (left < this.left || left + this.width + 2 * gap > this.left + this.visible) {
      const middle = left - this.visible / 2 + this.width / 2;
      this.left = Math.max(0, Math.min(middle, this.length - this.visible));
      this.isMoved = true;
    }
    for (const [place, frame] of this.drawn) this.mark(frame, place);
    this.draw();
  }

  /**
   * @param {HTMLElement} frame
   * @param {number} place
   */
  mark(frame, place) {
    frame.setAttribute("aria-current", String(place === this.current));
    frame.tabIndex = place === Math.max(this.current, 0) ? 0 : -1;
  }

  /** Draws before the next frame of the browser. */
  draw() {
    if (this.isDue || this.frames.length === 0) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.drawNow();
    });
  }

  drawNow() {
    const step = this.width + gap;
    const first = Math.max(Math.floor(this.left / step) - beyond, 0);
    const end = Math.min(Math.ceil((this.left + this.visible) / step) + beyond, this.frames.length);
    for (const [place, frame] of this.drawn) {
      if (place >= first && place < end) continue;
      frame.remove();
      this.drawn.delete(place);
    }
    for (let place = first; place < end; place += 1) {
      if (this.drawn.has(place)) continue;
      const frame = this.frame(place);
      this.drawn.set(place, frame);
      const next = [...this.drawn.keys()].filter((other) => other > place).sort((a, b) => a - b)[0];
      this.space.insertBefore(frame, next === undefined ? null : this.drawn.get(next));
    }
    if (!this.isMoved) return;
    this.isMoved = false;
    // After all changes of the page, because scrolling makes the browser lay it out.
    this.room.scrollLeft = this.left;
  }

  /** @param {number} place */
  frame(place) {
    const frame = this.frames[place];
    const { first, last, picture, note } = frame;
    const name = first === last ? `${first}` : `${first}–${last}`;
    const label = `${first === 0 ? "before the first action" : `after action ${first}`}: ${picture?.text || note || "no description"}`;
    const made = element("button.frame", {
      type: "button", "aria-label": label, onclick: () => this.go(first), onpointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && this.showGlance(made, frame),
      onpointerleave: () => this.hideGlance(), onfocus: () => made.matches(":focus-visible") && this.showGlance(made, frame), onblur: () => this.hideGlance(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event, place),
    }, this.model.pictures?.image(frame, true), element("span.name", {}, name));
    made.style.left = `${gap + place * (this.width + gap)}px`;
    made.style.width = `${this.width}px`;
    this.mark(made, place);
    return made;
  }

  /** @param {number} seq */
  go(seq) {
    const step = seq === 0 ? 0 : this.model.log.stepOfSeq(seq);
    if (step >= 0) this.actions.select(step);
  }

  /**
   * The arrows go from picture to picture, while one of them has the keyboard.
   * @param {KeyboardEvent} event
   * @param {number} place
   */
  key(event, place) {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = this.frames[place + by];
    if (by === 0 || next === undefined || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(next.first);
    this.drawNow();
    this.drawn.get(place + by)?.focus();
  }

  /**
   * @param {HTMLElement} over
   * @param {Frame} frame
   */
  showGlance(over, frame) {
    const { glance } = this;
    const { pictures } = this.model;
    if (frame.picture === undefined || pictures === undefined) return;
    glance.replaceChildren(pictures.image(frame), element("p", {}, frame.picture.text));
    glance.hidden = false;
    const box = over.getBoundingClientRect();
    const top = box.bottom + 6;
    const room = innerHeight - top - 60;
    const { width, height } = frame.picture;
    const scale = Math.min(1, Math.max(room, 120) / height, (innerWidth - 32) / width);
    glance.firstElementChild.style.width = `${Math.round(width * scale)}px`;
    glance.firstElementChild.style.height = `${Math.round(height * scale)}px`;
    const wide = glance.offsetWidth;
    glance.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - wide / 2, innerWidth - wide - 8))}px`;
    glance.style.top = `${top}px`;
  }

  hideGlance() {
    if (this.glance.hidden) return;
    this.glance.hidden = true;
    this.glance.replaceChildren();
  }
}
