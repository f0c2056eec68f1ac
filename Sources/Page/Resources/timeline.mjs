// The timeline: a ruler, bars and dots for the steps, and a lane for each effect that is alive, on one x scale.

import { element, part } from "./dom.mjs";
import { assignLanes } from "./lanes.mjs";
import { Ending, Flag, Kind } from "./log.mjs";
import { Scale } from "./scale.mjs";
import { counted, timeText, turnText } from "./text.mjs";
import { visible } from "./visible.mjs";
/** @typedef {import("./model.mjs").Model} Model */
/** @typedef {Model["log"]["effects"][number]} Effect */
/** @typedef {import("./lanes.mjs").Bar} Bar */

const rulerHeight = 16;
const barsHeight = 26;
const dotsHeight = 14;
const scrubberHeight = rulerHeight + barsHeight + dotsHeight;
const laneHeight = 19;
/** Pixels by which a pointer has to move before it selects a window. */
const dragStart = 4;
/** The marker is dragged by a grip of this many pixels to each side. */
const grip = 7;
const zoomFactor = 1.25;
const mostListed = 5;
const endingColors = ["effect-run", "effect-done", "cancelled", "failed"];

/**
 * The first of some words.
 * @param {string[]} words
 */
function listed(words) {
  return words.length > mostListed ? `${words.slice(0, mostListed).join(", ")} and ${words.length - mostListed} more` : words.join(", ");
}

/**
 * The name of an effect in its lane, short.
 * @param {Effect} effect
 */
function laneName(effect) {
  return effect.label || (effect.op === "send" ? "send" : "effect");
}

export class Timeline {
  /**
   * @param {Model} model
   * @param {{ select: (step: number, isMove?: boolean) => void, window: (first: number, last: number) => void, fold: () => void }} actions
   */
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.scrubber = part("scrubber");
    this.lanes = part("lanes");
    this.laneRoom = part("laneroom");
    this.tip = part("tip");
    this.scale = new Scale();
    this.selected = 0;
    /**
     * The steps of the window that the filter has, first and last.
     * @type {[number, number] | undefined}
     */
    this.window = undefined;
    /**
     * The window while it is dragged.
     * @type {[number, number] | undefined}
     */
    this.dragged = undefined;
    /**
     * Steps with a mark of the reader's: a bookmark, or the pinned one.
     * @type {{ bookmarks: Set<number>, pinned: number }}
     */
    this.marks = { bookmarks: new Set(), pinned: -1 };
    /** @type {ReturnType<typeof assignLanes>} */
    this.layout = { bars: [], laneCount: 0, hidden: 0 };
    /**
     * The drawing of each canvas without the selection, reused while only the selection moves.
     * @type {Map<HTMLCanvasElement, HTMLCanvasElement>}
     */
    this.drawn = new Map();
    /** The width of both canvases, which the browser would have to lay out the page for, to say it. */
    this.scale.width = this.scrubber.clientWidth;
    this.isDue = false;
    this.listen();
  }

  listen() {
    const { scrubber, lanes, laneRoom, scale } = this;
    let from = -1;
    let isOnGrip = false;
    const isAtGrip = (/** @type {PointerEvent} */ event) => event.offsetY < rulerHeight && Math.abs(event.offsetX - scale.x(this.selected)) <= grip;
    scrubber.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      if (event.button !== 0) return;
      scrubber.setPointerCapture(event.pointerId);
      from = event.offsetX;
      isOnGrip = isAtGrip(event);
    });
    scrubber.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      scrubber.style.cursor = isOnGrip || isAtGrip(event) ? "ew-resize" : "crosshair";
      const step = scale.stepAt(event.offsetX);
      if (from >= 0 && isOnGrip) {
        this.actions.select(step, true);
      } else if (from >= 0 && (this.dragged !== undefined || Math.abs(event.offsetX - from) >= dragStart)) {
        const steps = [scale.stepAt(from), step].sort((a, b) => a - b);
        this.dragged = [steps[0], steps[1]];
        this.draw();
      }
      this.showTip(event, this.dragged === undefined ? this.describe(step) : this.describeWindow(this.dragged));
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (from < 0) return;
      const { dragged } = this;
      [from, this.dragged] = [-1, undefined];
      if (event.type === "pointercancel") this.draw();
      else if (dragged !== undefined) this.actions.window(dragged[0], dragged[1]);
      else if (!isOnGrip) this.actions.select(scale.stepAt(event.offsetX));
      isOnGrip = false;
    };
    scrubber.addEventListener("pointerup", end);
    scrubber.addEventListener("pointercancel", end);
    scrubber.addEventListener("pointerleave", () => this.hideTip());
    lanes.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.showTip(event, this.describeLane(event)));
    lanes.addEventListener("pointerleave", () => this.hideTip());
    lanes.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const bar = this.barAt(event.offsetX, event.offsetY);
      this.actions.select(bar === undefined ? scale.stepAt(event.offsetX) : this.model.log.effects[bar.index].start);
    });
    laneRoom.addEventListener("scroll", () => {
      this.drawn.delete(lanes);
      this.draw();
    });
    laneRoom.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      // The browser scrolls the lanes.
      const isScrolling = ["ArrowUp", "ArrowDown", "PageUp", "PageDown"].includes(event.key) && !event.shiftKey;
      if (isScrolling && laneRoom.scrollHeight > laneRoom.clientHeight) event.stopPropagation();
    });
    const wheel = (/** @type {WheelEvent} */ event, /** @type {boolean} */ isScrolled) => {
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
        event.preventDefault();
        scale.pan(event.deltaX || event.deltaY);
      } else if (!isScrolled || event.ctrlKey || event.metaKey) {
        event.preventDefault();
        scale.zoom(event.deltaY > 0 ? 1 / zoomFactor : zoomFactor, event.offsetX);
      } else {
        return;
      }
      this.redraw();
    };
    scrubber.addEventListener("wheel", (/** @type {WheelEvent} */ event) => wheel(event, false), { passive: false });
    lanes.addEventListener("wheel", (/** @type {WheelEvent} */ event) => wheel(event, laneRoom.scrollHeight > laneRoom.clientHeight), { passive: false });
    part("zoomin").addEventListener("click", () => this.zoom(2));
    part("zoomout").addEventListener("click", () => this.zoom(0.5));
    part("zoomall").addEventListener("click", () => this.showAll());
    part("foldlanes").addEventListener("click", () => this.actions.fold());
    new ResizeObserver(() => {
      scale.width = scrubber.clientWidth;
      this.redraw();
    }).observe(scrubber);
    new ResizeObserver(() => this.redraw()).observe(laneRoom);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  /** Takes account of steps that have come. */
  measure() {
    const { log } = this.model;
    this.scale.measure(log.stepTimes.values, log.stepCount);
    this.layout = assignLanes(log);
    const { laneCount, hidden } = this.layout;
    part("lanespace").style.height = `${laneCount * laneHeight}px`;
    const name = laneCount === 0 ? "No effects" : `${counted(this.layout.bars.length + hidden, "effect")} in ${counted(laneCount, "lane")}`;
    part("lanecount").textContent = hidden > 0 ? `${name}, ${hidden} not shown` : name;
    part("foldlanes").disabled = laneCount === 0;
    this.laneRoom.classList.toggle("none", laneCount === 0);
    this.showLegend();
    this.redraw();
  }

  /** Says what the colors and signs mean that this log has. */
  showLegend() {
    const { log } = this.model;
    const found = new Set();
    for (let step = 1; step < log.stepCount; step += 1) {
      found.add(log.stepSenders.values[step] <= 0 ? "view" : "sent");
      if (this.model.isOpen(step) || log.hasFlag(step, Flag.differs) || log.stepKinds.values[step] === Kind.gap) found.add("bad");
      else if (log.hasFlag(step, Flag.unfinished)) found.add("open");
      else if (log.hasFlag(step, Flag.failed)) found.add("failed");
    }
    for (const { ending } of log.effects) if (ending === Ending.cancelled) found.add("cancelled");
    else if (ending === Ending.failed) found.add("failed");
    if (log.effects.length > 0) found.add("fx");
    part("legend").replaceChildren(...timelineSigns.filter(([name]) => found.has(name)).map(([name, sign, text]) =>
      element("span", {}, element(`span.sign.${name}`, { "aria-hidden": "true" }, sign), ` ${text}`)));
  }

  /** @param {number} step */
  select(step) {
    this.selected = step;
    const { from } = this.scale;
    this.scale.reveal(step);
    if (this.scale.from !== from) this.drawn.clear();
    const { scrubber } = this;
    scrubber.setAttribute("aria-valuemax", String(this.model.log.stepCount - 1));
    scrubber.setAttribute("aria-valuenow", String(step));
    scrubber.setAttribute("aria-valuetext", this.describe(step));
    this.draw();
  }

  /**
   * Zooms in around the selected step, or the middle where it is not seen.
   * @param {number} factor
   */
  zoom(factor) {
    const { scale } = this;
    const x = scale.x(this.selected);
    scale.zoom(factor, x >= 0 && x <= scale.width ? x : scale.width / 2);
    this.redraw();
  }

  /** Shows the window of the filter as wide as there is room; without one, or when it is, the whole log. */
  showAll() {
    const { from, to } = this.scale;
    if (this.window !== undefined) this.scale.fit(...this.window);
    if (this.window === undefined || (this.scale.from === from && this.scale.to === to)) this.scale.showAll();
    this.redraw();
  }

  /**
   * Shows which part of the log the filter asks for.
   * @param {[number, number] | undefined} steps
   */
  showWindow(steps) {
    this.window = steps;
    this.redraw();
  }

  /**
   * Shows the marks of the reader.
   * @param {Set<number>} bookmarks
   * @param {number} pinned
   */
  showMarks(bookmarks, pinned) {
    this.marks = { bookmarks, pinned };
    this.draw();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  barAt(x, y) {
    const { scale } = this;
    const lane = Math.floor((y + this.laneRoom.scrollTop) / laneHeight);
    return this.layout.bars.find((bar) => bar.lane === lane && x >= scale.x(bar.start) - 3 && x <= Math.max(scale.x(bar.end), scale.x(bar.start) + 4) + 7);
  }

  /** @param {number} step */
  describe(step) {
    const { log } = this.model;
    if (step >= log.stepCount) return "";
    const seq = log.stepSeqs.values[step];
    return `${log.stepKinds.values[step] === Kind.action ? `${seq}  ` : ""}${this.model.title(step)}  ${timeText(log.stepTimes.values[step])}`;
  }

  /** @param {[number, number]} steps */
  describeWindow([first, last]) {
    const { log } = this.model;
    const actions = log.stepKinds.values.subarray(first, last + 1).filter((kind) => kind === Kind.action).length;
    return `${counted(actions, "action")}\n${this.describe(first)}\n${this.describe(last)}`;
  }

  /** @param {PointerEvent} event */
  describeLane(event) {
    const bar = this.barAt(event.offsetX, event.offsetY);
    if (bar === undefined) return this.describe(this.scale.stepAt(event.offsetX));
    const { log } = this.model;
    const effect = log.effects[bar.index];
    const seq = (/** @type {number} */ step) => log.stepSeqs.values[step];
    const lines = [log.effectName(effect.id), `started by action ${seq(effect.start)}`];
    if (effect.sent.length > 0) lines.push(`sent ${listed(effect.sent.slice(0, 1000).map((step) => `action ${seq(step)}`))}`);
    if (effect.calls.length > 0) lines.push(`called ${listed(this.callsOf(effect))}`);
    if (effect.ending !== Ending.none) lines.push(this.endingOf(effect));
    else lines.push(this.model.isLive ? "alive" : "alive at the end of the log");
    return lines.join("\n");
  }

  /**
   * What an effect called, each once.
   * @param {Effect} effect
   */
  callsOf(effect) {
    const { log } = this.model;
    const steps = [...new Set(effect.calls)].slice(0, 50);
    const calls = steps.flatMap((step) => log.eventsOf(step, Kind.call)).filter((call) => call.get("id") === effect.id);
    return [...new Set(calls.map((call) => visible(String(call.get("key")))))];
  }

  /**
   * How an effect ended, and by whom.
   * @param {Effect} effect
   */
  endingOf(effect) {
    const { log, notation } = this.model;
    const event = ["", "finished", "cancelled", "failed"][effect.ending];
    const name = effect.ending === Ending.cancelled ? "canceled" : event;
    const text = `${name} after action ${log.stepSeqs.values[effect.end]}`;
    if (effect.ending === Ending.finished) return text;
    const turn = log.eventsOf(effect.end, Kind.effect).find((found) => found.get("id") === effect.id && found.get("event") === event);
    return turn === undefined ? text : effect.ending === Ending.cancelled ? turnText(turn, notation, (id) => log.effectName(id)) : `${text}:${turnText(turn, notation).slice(name.length)}`;
  }

  /**
   * @param {PointerEvent} event
   * @param {string} text
   */
  showTip(event, text) {
    if (text === "") return this.hideTip();
    const { tip } = this;
    tip.textContent = text;
    tip.hidden = false;
    const target = /** @type {HTMLElement} */ (event.currentTarget);
    const [box, around] = [target.getBoundingClientRect(), part("time").getBoundingClientRect()];
    const x = box.left - around.left + event.offsetX;
    tip.style.left = `${Math.max(4, Math.min(x + 12, around.width - tip.offsetWidth - 8))}px`;
    tip.style.top = `${box.top - around.top + event.offsetY + 16}px`;
    return undefined;
  }

  hideTip() {
    this.tip.hidden = true;
  }

  /** Discards the reused drawings, and draws before the next frame. */
  redraw() {
    this.drawn.clear();
    this.draw();
  }

  /** Draws before the next frame. */
  draw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      if (this.model.log.stepCount > 0) this.drawNow();
    });
  }

  drawNow() {
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const { scrubber, lanes, laneRoom } = this;
    const tall = laneRoom.clientHeight;
    part("zoomall").disabled = this.scale.isWhole && this.window === undefined;
    this.onto(scrubber, scrubberHeight, color, (context) => this.drawSteps(context, color));
    if (tall > 0) {
      this.onto(lanes, tall, color, (context) => {
        this.drawLanes(context, color, laneRoom.scrollTop, tall);
        lanes.setAttribute("aria-label", this.laneLabel());
      });
    }
    this.drawMarks(color);
  }

  /** The names of the effects in view, for assistive technology. */
  laneLabel() {
    const [first, end] = this.scale.seen;
    const seen = this.layout.bars.filter((bar) => bar.start < end && bar.end >= first).slice(0, 20);
    return seen.length === 0 ? "No effects here" : `Effects here: ${seen.map((bar) => laneName(this.model.log.effects[bar.index])).join(", ")}`;
  }

  /**
   * Draws what stays while the selection moves, or takes it as it was drawn; and the window and the selection over it.
   * @param {HTMLCanvasElement} canvas
   * @param {number} height
   * @param {(name: string) => string} color
   * @param {(context: CanvasRenderingContext2D) => void} paint
   */
  onto(canvas, height, color, paint) {
    const ratio = devicePixelRatio || 1;
    const { width } = this.scale;
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    if (canvas.style.height !== `${height}px`) canvas.style.height = `${height}px`;
    let still = this.drawn.get(canvas);
    if (still === undefined) {
      still = document.createElement("canvas");
      [still.width, still.height] = [columns, rows];
      const context = /** @type {CanvasRenderingContext2D} */ (still.getContext("2d"));
      context.scale(ratio, ratio);
      paint(context);
      this.drawn.set(canvas, still);
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const x = this.scale.x(this.selected);
    context.fillStyle = color("accent-soft");
    context.fillRect(x - 5, 0, 10, height);
    context.drawImage(still, 0, 0, width, height);
    const window = this.dragged ?? this.window;
    if (window !== undefined) {
      const [from, to] = [this.scale.x(window[0]) - 4, this.scale.x(window[1]) + 4];
      context.fillStyle = color("veil");
      context.fillRect(0, 0, Math.max(from, 0), height);
      context.fillRect(to, 0, Math.max(width - to, 0), height);
      context.fillStyle = color("accent");
      context.fillRect(from, 0, 1, height);
      context.fillRect(to - 1, 0, 1, height);
    }
    context.fillStyle = color("accent");
    context.fillRect(x - 0.75, 0, 1.5, height);
  }

  /**
   * The grip of the marker, the bookmarks and the pinned step.
   * @param {(name: string) => string} color
   */
  drawMarks(color) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.scrubber.getContext("2d"));
    const { scale, selected } = this;
    const flag = (/** @type {number} */ step, /** @type {boolean} */ isFilled) => {
      const x = scale.x(step);
      context.beginPath();
      context.moveTo(x, 1);
      context.lineTo(x, rulerHeight - 1);
      context.stroke();
      context.beginPath();
      context.moveTo(x, 1);
      context.lineTo(x + 8, 4);
      context.lineTo(x, 7);
      if (isFilled) context.fill();
      context.stroke();
    };
    context.strokeStyle = context.fillStyle = color("ink");
    for (const step of this.marks.bookmarks) flag(step, true);
    if (this.marks.pinned >= 0) flag(this.marks.pinned, false);
    context.fillStyle = color("accent");
    const x = scale.x(selected);
    context.beginPath();
    context.moveTo(x - 6, 0);
    context.lineTo(x + 6, 0);
    context.lineTo(x + 6, 6);
    context.lineTo(x, 12);
    context.lineTo(x - 6, 6);
    context.fill();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   */
  drawSteps(context, color) {
    this.drawRuler(context, color);
    const { scale } = this;
    const [first, end] = scale.seen;
    this.drawBars(context, color, Math.max(first, 1), end);
    this.drawDots(context, color, Math.max(first, 1), end);
    if (scale.isWhole) return;
    // The part of the log that is seen, as a scroll bar has it.
    context.fillStyle = color("line");
    context.fillRect(0, scrubberHeight - 3, scale.width, 3);
    context.fillStyle = color("dim");
    context.fillRect(scale.from * scale.width, scrubberHeight - 3, Math.max((scale.to - scale.from) * scale.width, 6), 3);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   */
  drawRuler(context, color) {
    context.font = "10.5px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const { x, text } of this.scale.ticks()) {
      context.fillStyle = color("line");
      context.fillRect(x, 0, 1, rulerHeight + barsHeight);
      context.fillStyle = color("dim");
      context.fillText(text, x + 4, rulerHeight / 2);
    }
  }

  /**
   * Bars: how many steps there are at each place, and which of them differ or failed.
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {number} first
   * @param {number} end
   */
  drawBars(context, color, first, end) {
    const { log } = this.model;
    const { scale } = this;
    const bins = new Float32Array(Math.ceil(scale.width / 3) + 1);
    const ofView = new Float32Array(bins.length);
    const marks = new Map();
    const flags = log.stepFlags.values;
    const senders = log.stepSenders.values;
    for (let step = first; step < end; step += 1) {
      const bin = Math.min(Math.max(Math.round((scale.x(step) - 1) / 3), 0), bins.length - 1);
      bins[bin] += 1;
      if (senders[step] <= 0) ofView[bin] += 1;
      const mark = (flags[step] & Flag.differs) !== 0 || this.model.isOpen(step) ? 2 : (flags[step] & Flag.failed) !== 0 ? 1 : 0;
      if (mark > (marks.get(bin) ?? 0)) marks.set(bin, mark);
    }
    const most = Math.max(...bins, 1);
    const bottom = rulerHeight + barsHeight;
    for (let bin = 0; bin < bins.length; bin += 1) {
      if (bins[bin] === 0) continue;
      const tall = 5 + (barsHeight - 8) * Math.sqrt(bins[bin] / most);
      const own = tall * (ofView[bin] / bins[bin]);
      context.fillStyle = color("effect-run");
      context.fillRect(bin * 3, bottom - tall, 2, tall - own);
      context.fillStyle = color("density");
      context.fillRect(bin * 3, bottom - own, 2, own);
    }
    for (const [bin, mark] of marks) {
      context.fillStyle = color(mark === 2 ? "differs" : "failed");
      context.fillRect(bin * 3 - 0.5, rulerHeight, 3, barsHeight);
    }
  }

  /**
   * Dots, where there is room for one for each step; else those alone that differ or failed.
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {number} first
   * @param {number} end
   */
  drawDots(context, color, first, end) {
    const { log } = this.model;
    const { scale } = this;
    const y = rulerHeight + barsHeight + dotsHeight / 2 - 1;
    const hasRoom = (end - first) * 4 <= scale.width;
    const radius = Math.min(Math.max(scale.width / Math.max(end - first, 1) / 3, 2), 4.5);
    let lastMarked = -10;
    for (let step = first; step < end; step += 1) {
      const isBad = log.hasFlag(step, Flag.differs) || this.model.isOpen(step) || log.stepKinds.values[step] === Kind.gap;
      const hasFailed = log.hasFlag(step, Flag.failed);
      const isOpen = log.hasFlag(step, Flag.unfinished) && !isBad;
      const x = scale.x(step);
      if (!hasRoom) {
        if (!(isBad || hasFailed || isOpen) || x - lastMarked < 2) continue;
        lastMarked = x;
      }
      const isOwn = log.stepSenders.values[step] <= 0;
      context.beginPath();
      context.arc(x, y, isBad ? radius + 1 : isOwn ? radius : radius * 0.85, 0, 2 * Math.PI);
      if (isOpen) {
        // The app handles it: a ring.
        context.strokeStyle = color("accent");
        context.lineWidth = 2;
        context.stroke();
        context.lineWidth = 1;
        continue;
      }
      context.fillStyle = color(isBad ? "differs" : hasFailed ? "failed" : isOwn ? "ink" : "effect-run");
      context.fill();
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {number} top
   * @param {number} tall
   */
  drawLanes(context, color, top, tall) {
    const { scale } = this;
    const [first, end] = scale.seen;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    /**
     * The right end of the last bar in each lane. Shorter bars at the same pixel add nothing.
     * @type {number[]}
     */
    const ends = [];
    for (const bar of this.layout.bars) {
      const y = bar.lane * laneHeight - top;
      if (bar.start >= end || bar.end < first || y + laneHeight < 0 || y > tall) continue;
      const from = scale.x(bar.start);
      const to = Math.max(scale.x(bar.end), from + 4);
      if (to <= (ends[bar.lane] ?? -1) + 1) continue;
      ends[bar.lane] = to;
      this.drawBar(context, color, bar, y + 1, from, to);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {Bar} bar
   * @param {number} y
   * @param {number} from
   * @param {number} to
   */
  drawBar(context, color, bar, y, from, to) {
    const { log } = this.model;
    const { scale } = this;
    const effect = log.effects[bar.index];
    const tall = laneHeight - 2;
    context.fillStyle = color(endingColors[effect.ending]);
    // The name on it has a contrast of 4.5 to 1.
    context.globalAlpha = 0.5;
    context.beginPath();
    // Safari before 16 has no corners.
    const rect = /** @type {any} */ (context).roundRect ?? context.rect;
    rect.call(context, from, y, to - from, tall, 3);
    context.fill();
    context.globalAlpha = 1;
    // It started here.
    context.fillRect(from, y, 2, tall);
    const width = to - from;
    if (width > 8) {
      // Notches at the bottom, so that they never cross the name: what it sent, and what it called.
      context.fillStyle = color("ink");
      let last = -2;
      for (const step of effect.sent) {
        const x = scale.x(step);
        if (x - last < 1.5 || x < 0 || x > scale.width) continue;
        last = x;
        context.fillRect(x - 1, y + tall - 4, 2, 4);
      }
      last = -8;
      for (const step of effect.calls) {
        const x = Math.min(scale.x(step) + 6, to - 3);
        if (x - last < 4 || x < 0 || x > scale.width) continue;
        last = x;
        context.beginPath();
        context.arc(x, y + tall - 2.5, 2, 0, 2 * Math.PI);
        context.fillStyle = color("paper");
        context.fill();
        context.strokeStyle = color("ink");
        context.stroke();
      }
    }
    if (effect.ending === Ending.cancelled || effect.ending === Ending.failed) {
      context.strokeStyle = color(endingColors[effect.ending]);
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(to - 1, y + 4);
      context.lineTo(to + 7, y + tall - 4);
      context.moveTo(to + 7, y + 4);
      context.lineTo(to - 1, y + tall - 4);
      context.stroke();
      context.lineWidth = 1;
    }
    const shown = Math.max(from, 0);
    const room = Math.min(to, scale.width) - shown - 7;
    if (room > 18) {
      context.save();
      context.beginPath();
      context.rect(shown + 4, y, room, tall - 4);
      context.clip();
      context.fillStyle = color("ink");
      context.fillText(laneName(effect), shown + 5, y + (tall - 4) / 2 + 0.5);
      context.restore();
    }
  }
}

/** The signs of the timeline, with the classes of their colors. */
export const timelineSigns = /** @type {const} */ ([
  ["view", "●", "the app sent it"], ["sent", "●", "came of another action"], ["open", "○", "in progress"], ["failed", "●", "failed"],
  ["cancelled", "✕", "canceled effect"], ["bad", "●", "differs, or without an end"], ["fx", "ƒ", "returned effects"],
]);
