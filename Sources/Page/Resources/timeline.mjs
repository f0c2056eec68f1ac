// The timeline: a scrubber over the whole log, and below it the effects around the selected step.

import { part } from "./dom.mjs";
import { Ending, Flag, Kind } from "./log.mjs";
import { timeText, turnText } from "./text.mjs";
import { visible } from "./visible.mjs";
/** @typedef {import("./model.mjs").Model} Model */
/** @typedef {Model["log"]["effects"][number]} Effect */

const laneHeight = 17;
const mostLanes = 7;
const mostListed = 5;
/** So many steps are shown with their effects, unless the wheel says otherwise. */
const windowSteps = 90;

/**
 * The lanes of effects that are alive in a window, each with those that do not meet.
 * @param {Model} model
 * @param {number} from
 * @param {number} to
 */
export function assignLanes(model, from, to) {
  /** @type {{ lane: number, index: number, start: number, end: number }[]} */
  const bars = [];
  /**
   * The ends of the lanes so far.
   * @type {number[]}
   */
  const ends = [];
  let hidden = 0;
  const last = model.log.stepCount - 1;
  model.log.effects.forEach((effect, index) => {
    const end = effect.end < 0 ? last : effect.end;
    // A send that waits in a concatenation may never come.
    const isNothing = effect.op === "cancel" || (effect.op === "send" && effect.end < 0);
    if (isNothing || effect.start > to || end < from) return;
    let lane = ends.findIndex((other) => other < effect.start);
    if (lane < 0) lane = ends.length;
    if (lane >= mostLanes) {
      hidden += 1;
      return;
    }
    ends[lane] = end;
    bars.push({ lane, index, start: effect.start, end });
  });
  return { bars, laneCount: ends.length, hidden };
}

/**
 * Where steps stand in the whole: half by their order, half by their time, so that a pause shows and a burst can be told apart.
 * @param {Float64Array} times
 * @param {number} count
 */
export function stepPositions(times, count) {
  const positions = new Float32Array(count);
  let first = NaN;
  let lastTime = 0;
  for (let step = 1; step < count; step += 1) {
    if (!Number.isFinite(times[step])) continue;
    if (Number.isNaN(first)) first = times[step];
    lastTime = Math.max(lastTime, times[step]);
  }
  const span = Math.max(lastTime - first, 1);
  let time = first;
  for (let step = 0; step < count; step += 1) {
    // Clocks may go back in a log that was mended.
    if (Number.isFinite(times[step]) && times[step] > time) time = times[step];
    const share = Number.isNaN(first) ? step / Math.max(count - 1, 1) : Math.max(0, time - first) / span;
    positions[step] = 0.5 * (step / Math.max(count - 1, 1)) + 0.5 * share;
  }
  return positions;
}

/**
 * The first of some words.
 * @param {string[]} words
 */
function listed(words) {
  return words.length > mostListed ? `${words.slice(0, mostListed).join(", ")} and ${words.length - mostListed} more` : words.join(", ");
}

export class Timeline {
  /**
   * @param {Model} model
   * @param {{ select: (step: number) => void }} actions
   */
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.scrubber = part("scrubber");
    this.lanes = part("lanes");
    this.tip = part("tip");
    this.selected = 0;
    /** How many steps are asked for. */
    this.asked = windowSteps;
    this.windowSize = 1;
    this.windowStart = 0;
    /** @type {Float32Array} */
    this.positions = new Float32Array(0);
    /** @type {ReturnType<typeof assignLanes>} */
    this.layout = { bars: [], laneCount: 0, hidden: 0 };
    /** @type {HTMLCanvasElement | undefined} */
    this.drawn = undefined;
    /** The width of both canvases, which the browser would have to lay out the page for, to say it. */
    this.width = this.scrubber.clientWidth;
    this.isDue = false;
    this.listen();
  }

  listen() {
    const { scrubber, lanes } = this;
    const seek = (/** @type {PointerEvent} */ event) => this.actions.select(this.stepAt(event.offsetX));
    scrubber.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      scrubber.setPointerCapture(event.pointerId);
      seek(event);
    });
    scrubber.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (event.buttons === 1) seek(event);
      this.showTip(event, this.describe(this.stepAt(event.offsetX)));
    });
    scrubber.addEventListener("pointerleave", () => this.hideTip());
    lanes.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.showTip(event, this.describeLane(event)));
    lanes.addEventListener("pointerleave", () => this.hideTip());
    lanes.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const bar = this.barAt(event.offsetX, event.offsetY);
      this.actions.select(bar === undefined ? this.laneStepAt(event.offsetX) : this.model.log.effects[bar.index].start);
    });
    lanes.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      const { stepCount } = this.model.log;
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        this.windowStart += Math.sign(event.deltaX) * Math.max(1, Math.round(this.windowSize / 20));
      } else {
        const step = this.laneStepAt(event.offsetX);
        const size = Math.min(Math.max(Math.round(this.windowSize * (event.deltaY > 0 ? 1.25 : 0.8)), 10), Math.min(stepCount, 2000));
        this.windowStart = Math.round(step - (size * (step - this.windowStart)) / this.windowSize);
        this.asked = size;
      }
      this.clampWindow();
      this.draw();
    }, { passive: false });
    new ResizeObserver(() => {
      this.width = scrubber.clientWidth;
      this.draw();
    }).observe(scrubber);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.drawn = undefined;
      this.draw();
    });
  }

  /** Takes account of steps that have come. */
  measure() {
    this.positions = stepPositions(this.model.log.stepTimes.values, this.model.log.stepCount);
    this.drawn = undefined;
    this.clampWindow();
    this.draw();
  }

  clampWindow() {
    const { stepCount } = this.model.log;
    this.windowSize = Math.max(Math.min(this.asked, stepCount), 1);
    this.windowStart = Math.min(Math.max(this.windowStart, 0), Math.max(stepCount - this.windowSize, 0));
  }

  /** @param {number} step */
  select(step) {
    this.selected = step;
    const margin = Math.floor(this.windowSize / 8);
    if (step < this.windowStart + margin || step >= this.windowStart + this.windowSize - margin) {
      this.windowStart = step - Math.floor(this.windowSize / 2);
      this.clampWindow();
    }
    const { scrubber } = this;
    scrubber.setAttribute("aria-valuemax", String(this.model.log.stepCount - 1));
    scrubber.setAttribute("aria-valuenow", String(step));
    scrubber.setAttribute("aria-valuetext", this.describe(step));
    this.draw();
  }

  /**
   * The step at a place of the scrubber.
   * @param {number} x
   */
  stepAt(x) {
    const position = x / Math.max(this.width, 1);
    let low = 0;
    let high = this.positions.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.positions[middle] < position) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && position - this.positions[low - 1] < this.positions[low] - position) low -= 1;
    return Math.max(low, 0);
  }

  /**
   * The middle of a step in the lanes.
   * @param {number} step
   */
  laneX(step) {
    return ((step - this.windowStart + 0.5) * this.width) / this.windowSize;
  }

  /** @param {number} x */
  laneStepAt(x) {
    const step = this.windowStart + Math.floor((x * this.windowSize) / Math.max(this.width, 1));
    return Math.min(Math.max(step, 0), this.model.log.stepCount - 1);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  barAt(x, y) {
    const lane = Math.floor((y - laneHeight) / laneHeight);
    if (y < laneHeight) return undefined;
    return this.layout.bars.find((bar) => bar.lane === lane && x >= this.laneX(bar.start) - 5 && x <= this.laneX(bar.end) + 7);
  }

  /** @param {number} step */
  describe(step) {
    const { log } = this.model;
    if (step >= log.stepCount) return "";
    const seq = log.stepSeqs.values[step];
    return `${log.stepKinds.values[step] === Kind.action ? `${seq}  ` : ""}${this.model.title(step)}  ${timeText(log.stepTimes.values[step])}`;
  }

  /** @param {PointerEvent} event */
  describeLane(event) {
    const bar = this.barAt(event.offsetX, event.offsetY);
    if (bar === undefined) return this.describe(this.laneStepAt(event.offsetX));
    const { log } = this.model;
    const effect = log.effects[bar.index];
    const seq = (/** @type {number} */ step) => log.stepSeqs.values[step];
    const lines = [log.effectName(effect.id), `started by action ${seq(effect.start)}`];
    const sent = this.sends(effect, bar).map(seq);
    if (sent.length > 0) lines.push(`sent ${listed(sent.map((number) => `action ${number}`))}`);
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
    const name = ["", "finished", "cancelled", "failed"][effect.ending];
    const text = `${name} after action ${log.stepSeqs.values[effect.end]}`;
    if (effect.ending === Ending.finished) return text;
    const turn = log.eventsOf(effect.end, Kind.effect).find((found) => found.get("id") === effect.id && found.get("event") === name);
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
    const section = /** @type {HTMLElement} */ (event.currentTarget);
    const x = section.offsetLeft + event.offsetX;
    tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${section.offsetTop + event.offsetY + 16}px`;
    return undefined;
  }

  hideTip() {
    this.tip.hidden = true;
  }

  /** Draws before the next frame. */
  draw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.drawNow();
    });
  }

  drawNow() {
    if (this.model.log.stepCount === 0) return;
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    this.drawScrubber(color);
    this.drawLanes(color);
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {number} height
   */
  context(canvas, height) {
    const scale = devicePixelRatio || 1;
    const { width } = this;
    const [columns, rows] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width };
  }

  /**
   * The part of the scrubber that stays while the selection moves.
   * @param {(name: string) => string} color
   * @param {number} width
   * @param {number} height
   */
  density(color, width, height) {
    if (this.drawn !== undefined && this.drawn.dataset.width === String(width)) return this.drawn;
    const canvas = document.createElement("canvas");
    canvas.dataset.width = String(width);
    const scale = devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.scale(scale, scale);
    const { log } = this.model;
    const counts = new Float32Array(Math.ceil(width / 3) + 1);
    const marks = new Map();
    const flags = log.stepFlags.values;
    const senders = log.stepSenders.values;
    const fromView = new Float32Array(counts.length);
    for (let step = 1; step < this.positions.length; step += 1) {
      const bin = Math.floor((this.positions[step] * (width - 3)) / 3);
      counts[bin] += 1;
      if (senders[step] <= 0) fromView[bin] += 1;
      const mark = (flags[step] & Flag.differs) !== 0 || this.model.isOpen(step) ? 2 : (flags[step] & Flag.failed) !== 0 ? 1 : 0;
      if (mark > (marks.get(bin) ?? 0)) marks.set(bin, mark);
    }
    const most = Math.max(...counts, 1);
    for (let bin = 0; bin < counts.length; bin += 1) {
      if (counts[bin] === 0) continue;
      const tall = 4 + (height - 12) * Math.sqrt(counts[bin] / most);
      const own = tall * (fromView[bin] / counts[bin]);
      context.fillStyle = color("effect-run");
      context.fillRect(bin * 3, height - tall, 2, tall - own);
      context.fillStyle = color("density");
      context.fillRect(bin * 3, height - own, 2, own);
    }
    for (const [bin, mark] of marks) {
      context.fillStyle = color(mark === 2 ? "effect-failed" : "effect-cancelled");
      context.fillRect(bin * 3 - 0.5, 0, 3, mark === 2 ? height : 6);
    }
    return (this.drawn = canvas);
  }

  /** @param {(name: string) => string} color */
  drawScrubber(color) {
    const height = 34;
    const { context, width } = this.context(this.scrubber, height);
    const x = (/** @type {number} */ step) => (this.positions[step] ?? 0) * (width - 3);
    const from = x(this.windowStart);
    const to = x(Math.min(this.windowStart + this.windowSize, this.positions.length) - 1);
    if (this.windowSize < this.positions.length) {
      context.fillStyle = color("accent-soft");
      context.fillRect(from, 0, Math.max(to - from, 3), height);
    }
    context.drawImage(this.density(color, width, height), 0, 0, width, height);
    context.fillStyle = color("accent");
    context.fillRect(x(this.selected), 0, 2, height);
    context.beginPath();
    context.moveTo(x(this.selected) - 4, 0);
    context.lineTo(x(this.selected) + 6, 0);
    context.lineTo(x(this.selected) + 1, 6);
    context.fill();
  }

  /** @param {(name: string) => string} color */
  drawLanes(color) {
    const { log } = this.model;
    const end = Math.min(this.windowStart + this.windowSize, log.stepCount);
    this.layout = assignLanes(this.model, this.windowStart, end - 1);
    const height = (this.layout.laneCount + 1) * laneHeight + (this.layout.hidden > 0 ? 12 : 2);
    if (this.lanes.style.height !== `${height}px`) this.lanes.style.height = `${height}px`;
    const { context, width } = this.context(this.lanes, height);
    const middle = laneHeight / 2;
    context.fillStyle = color("accent-soft");
    const room = width / this.windowSize;
    context.fillRect(this.laneX(this.selected) - Math.max(room / 2, 2), 0, Math.max(room, 4), height);
    context.strokeStyle = color("line");
    context.beginPath();
    context.moveTo(0, middle + 0.5);
    context.lineTo(width, middle + 0.5);
    context.stroke();
    this.drawSteps(context, color, end, Math.min(Math.max(room / 2 - 1, 1.5), 5));
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const bar of this.layout.bars) this.drawBar(context, color, bar);
    if (this.layout.hidden > 0) {
      context.fillStyle = color("dim");
      context.fillText(`${this.layout.hidden} more effects`, 4, height - 6);
    }
    const words = this.layout.bars.slice(0, 20).map((bar) => log.effects[bar.index].label || "effect").join(", ");
    this.lanes.setAttribute("aria-label", this.layout.bars.length === 0 ? "No effects here" : `Effects here: ${words}`);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {number} end
   * @param {number} radius
   */
  drawSteps(context, color, end, radius) {
    const { log } = this.model;
    for (let step = Math.max(this.windowStart, 1); step < end; step += 1) {
      const kind = log.stepKinds.values[step];
      const isBad = log.hasFlag(step, Flag.differs) || this.model.isOpen(step) || kind === Kind.gap;
      const isOwn = log.stepSenders.values[step] <= 0;
      if (log.hasFlag(step, Flag.unfinished) && !isBad) {
        // The app handles it: a ring.
        context.strokeStyle = color("accent");
        context.lineWidth = 2;
        context.beginPath();
        context.arc(this.laneX(step), laneHeight / 2, radius, 0, 2 * Math.PI);
        context.stroke();
        context.lineWidth = 1;
        continue;
      }
      context.fillStyle = color(isBad ? "effect-failed" : log.hasFlag(step, Flag.failed) ? "effect-cancelled" : isOwn ? "ink" : "effect-run");
      context.beginPath();
      context.arc(this.laneX(step), laneHeight / 2, isBad ? radius + 1 : isOwn ? radius : radius * 0.8, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {(name: string) => string} color
   * @param {{ lane: number, index: number, start: number, end: number }} bar
   */
  drawBar(context, color, bar) {
    const { log } = this.model;
    const effect = log.effects[bar.index];
    const y = (bar.lane + 1) * laneHeight + 2;
    const tall = laneHeight - 4;
    const from = this.laneX(bar.start);
    const to = Math.max(this.laneX(bar.end), from + 5);
    const names = ["effect-run", "effect-done", "effect-cancelled", "effect-failed"];
    context.fillStyle = color(names[effect.ending]);
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
    // What it sent.
    context.fillStyle = color("ink");
    for (const step of this.sends(effect, bar)) context.fillRect(this.laneX(step) - 1, y, 2, tall);
    // What it called.
    context.fillStyle = color("paper");
    for (const step of effect.calls) {
      context.beginPath();
      context.arc(this.laneX(step) + 6, y + tall / 2, 3, 0, 2 * Math.PI);
      context.fill();
      context.strokeStyle = color("ink");
      context.stroke();
    }
    if (effect.ending === Ending.cancelled || effect.ending === Ending.failed) {
      context.strokeStyle = color(names[effect.ending]);
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(to - 1, y + 2);
      context.lineTo(to + 7, y + tall - 2);
      context.moveTo(to + 7, y + 2);
      context.lineTo(to - 1, y + tall - 2);
      context.stroke();
      context.lineWidth = 1;
    }
    const shown = Math.max(from, 0);
    const room = Math.min(to, this.width) - shown - 10;
    if (room > 18) {
      context.save();
      context.beginPath();
      context.rect(shown + 5, y, room, tall);
      context.clip();
      context.fillStyle = color("ink");
      // Beside the call that it made at once.
      const start = from === shown && effect.calls.includes(bar.start) ? 12 : 5;
      context.fillText(effect.label || (effect.op === "send" ? "send" : "effect"), shown + start, y + tall / 2 + 0.5);
      context.restore();
    }
  }

  /**
   * The steps in the window that an effect sent.
   * @param {{ id: string, start: number }} effect
   * @param {{ start: number, end: number }} bar
   */
  sends(effect, bar) {
    const { log } = this.model;
    const seq = Number.parseInt(effect.id, 10);
    const found = [];
    const last = Math.min(bar.end, this.windowStart + this.windowSize, log.stepCount - 1);
    for (let step = Math.max(bar.start, this.windowStart); step <= last; step += 1) {
      if (log.stepSenders.values[step] !== seq) continue;
      if (log.line(log.stepLines.values[step]).includes(`"effect":"${effect.id}"`)) found.push(step);
    }
    return found;
  }
}
