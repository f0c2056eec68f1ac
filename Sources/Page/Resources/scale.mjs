// The x scale of the timeline: where a step stands, which part of the log is seen, and the ticks of the ruler.

/** Space at both ends of the scale, so that the first and the last mark are whole, in pixels. */
export const edge = 8;
/** The view is never narrower than this many steps. */
const fewestSteps = 8;
const ticksApart = 84;
const mostTicks = 200;

/**
 * The time of each step as a clock that never goes back; a log that was repaired may have times that do.
 * @param {Float64Array} times
 * @param {number} count
 */
export function steadyTimes(times, count) {
  const steady = new Float64Array(count);
  let time = NaN;
  for (let step = 1; step < count && Number.isNaN(time); step += 1) if (Number.isFinite(times[step])) time = times[step];
  for (let step = 0; step < count; step += 1) {
    if (step > 0 && Number.isFinite(times[step]) && times[step] > time) time = times[step];
    steady[step] = time;
  }
  return steady;
}

/**
 * The positions of steps from 0 to 1: half by their order, half by their time. A pause shows, and a burst stays readable.
 * @param {Float64Array} times
 * @param {number} count
 */
export function stepPositions(times, count) {
  const steady = steadyTimes(times, count);
  const positions = new Float64Array(count);
  const first = steady[0];
  const span = Math.max(steady[count - 1] - first, 1);
  for (let step = 0; step < count; step += 1) {
    const order = step / Math.max(count - 1, 1);
    positions[step] = 0.5 * order + 0.5 * (Number.isNaN(first) ? order : (steady[step] - first) / span);
  }
  return positions;
}

export class Scale {
  constructor() {
    this.width = 1;
    /** The part of the log that is seen, in positions. */
    this.from = 0;
    this.to = 1;
    /** @type {Float64Array} */
    this.positions = new Float64Array(0);
    /** @type {Float64Array} */
    this.times = new Float64Array(0);
  }

  /**
   * Takes the steps of a log.
   * @param {Float64Array} times
   * @param {number} count
   */
  measure(times, count) {
    this.times = steadyTimes(times, count);
    this.positions = stepPositions(times, count);
  }

  get isWhole() {
    return this.from <= 0 && this.to >= 1;
  }

  /** @param {number} position */
  xOf(position) {
    return edge + ((position - this.from) / (this.to - this.from)) * Math.max(this.width - 2 * edge, 1);
  }

  /** @param {number} x */
  positionAt(x) {
    return this.from + ((x - edge) / Math.max(this.width - 2 * edge, 1)) * (this.to - this.from);
  }

  /**
   * The x of a step.
   * @param {number} step
   */
  x(step) {
    return this.xOf(this.positions[step] ?? 0);
  }

  /**
   * The step nearest to an x.
   * @param {number} x
   */
  stepAt(x) {
    const position = this.positionAt(x);
    const after = this.firstFrom(position);
    const last = this.positions.length - 1;
    if (after > last) return Math.max(last, 0);
    return after > 0 && position - this.positions[after - 1] < this.positions[after] - position ? after - 1 : after;
  }

  /**
   * The first step at a position or after it.
   * @param {number} position
   */
  firstFrom(position) {
    let low = 0;
    let high = this.positions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.positions[middle] < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The first step that is seen, and the one after the last.
   * @returns {[number, number]}
   */
  get seen() {
    const slack = (edge / Math.max(this.width, 1)) * (this.to - this.from);
    return [this.firstFrom(this.from - slack), this.firstFrom(this.to + slack)];
  }

  /**
   * Shows more of the log, or less; what is at an x stays there.
   * @param {number} factor Above 1 shows less.
   * @param {number} x
   */
  zoom(factor, x) {
    const at = this.positionAt(x);
    const share = (at - this.from) / (this.to - this.from);
    const least = Math.min(fewestSteps / Math.max(this.positions.length, 1), 1) / 2;
    const span = Math.min(Math.max((this.to - this.from) / factor, least), 1);
    this.place(at - share * span, span);
  }

  /**
   * Moves along the log.
   * @param {number} by In pixels.
   */
  pan(by) {
    const span = this.to - this.from;
    this.place(this.from + (by / Math.max(this.width, 1)) * span, span);
  }

  /**
   * Shows steps and a little around them.
   * @param {number} first
   * @param {number} last
   */
  fit(first, last) {
    const [from, to] = [this.positions[first] ?? 0, this.positions[last] ?? 1];
    const least = Math.min(fewestSteps / Math.max(this.positions.length, 1), 1) / 2;
    const span = Math.min(Math.max((to - from) * 1.06, least), 1);
    this.place((from + to - span) / 2, span);
  }

  showAll() {
    this.place(0, 1);
  }

  /**
   * Brings a step into view.
   * @param {number} step
   */
  reveal(step) {
    const position = this.positions[step] ?? 0;
    const span = this.to - this.from;
    if (position < this.from || position > this.to) this.place(position - span / 2, span);
  }

  /**
   * @param {number} from
   * @param {number} span
   */
  place(from, span) {
    this.from = Math.min(Math.max(from, 0), 1 - span);
    this.to = this.from + span;
  }

  /**
   * The position of a time.
   * @param {number} time
   */
  positionOfTime(time) {
    const { positions, times } = this;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return positions[0] ?? 0;
    if (low >= times.length) return positions[times.length - 1];
    const share = (time - times[low - 1]) / Math.max(times[low] - times[low - 1], 1e-9);
    return positions[low - 1] + share * (positions[low] - positions[low - 1]);
  }

  /**
   * The time at a position.
   * @param {number} position
   */
  timeOf(position) {
    const { positions, times } = this;
    const after = this.firstFrom(position);
    if (after === 0) return times[0];
    if (after >= times.length) return times[times.length - 1];
    const share = (position - positions[after - 1]) / Math.max(positions[after] - positions[after - 1], 1e-12);
    return times[after - 1] + share * (times[after] - times[after - 1]);
  }

  /**
   * The ticks of the ruler: coarse ones first, and finer ones where a burst has room between them.
   * @returns {{ x: number, time: number, text: string }[]}
   */
  ticks() {
    const [start, end] = [this.timeOf(this.from), this.timeOf(this.to)];
    if (!(end > start)) return [];
    /** @type {{ x: number, time: number, text: string }[]} */
    const ticks = [];
    let left = edge - ticksApart;
    const coarsest = niceStep((end - start) / Math.max(this.width / ticksApart / 2, 1));
    for (let time = Math.ceil(start / coarsest) * coarsest; time <= end && ticks.length < mostTicks; time += coarsest) {
      const x = this.xOf(this.positionOfTime(time));
      if (x < Math.max(left + ticksApart, 0) || x > this.lastTick) continue;
      this.addFiner(ticks, left, x, coarsest);
      ticks.push({ x, time, text: tickText(time, coarsest) });
      left = x;
    }
    this.addFiner(ticks, left, this.lastTick + ticksApart, coarsest);
    return ticks;
  }

  /** The largest x of a tick whose text still fits. */
  get lastTick() {
    return this.width - edge - 44;
  }

  /**
   * Adds ticks between two others, or the ends, from left to right.
   * @param {{ x: number, time: number, text: string }[]} ticks
   * @param {number} left
   * @param {number} right
   * @param {number} coarsest
   */
  addFiner(ticks, left, right, coarsest) {
    if (right - left < 2 * ticksApart || ticks.length >= mostTicks) return;
    const middle = this.timeOf(this.positionAt((left + right) / 2));
    for (const step of stepsBelow(coarsest)) {
      const time = Math.round(middle / step) * step;
      const x = this.xOf(this.positionOfTime(time));
      if (x < left + ticksApart || x > right - ticksApart) continue;
      this.addFiner(ticks, left, x, step);
      ticks.push({ x, time, text: tickText(time, step) });
      this.addFiner(ticks, x, right, step);
      return;
    }
  }
}

/**
 * A step between ticks that people read easily: 1, 2 or 5 times a power of ten; of minutes 1, 5, 10 and 30.
 * @param {number} microseconds
 */
export function niceStep(microseconds) {
  const hour = 3600e6;
  if (microseconds >= hour) return hour * decimalStep(microseconds / hour);
  for (const step of [1800e6, 600e6, 300e6, 60e6, 30e6]) if (microseconds >= step) return step;
  return decimalStep(microseconds);
}

/**
 * The largest of 1, 2 and 5 times a power of ten that is not more.
 * @param {number} microseconds
 */
function decimalStep(microseconds) {
  const power = 10 ** Math.floor(Math.log10(Math.max(microseconds, 1)));
  return microseconds >= 5 * power ? 5 * power : microseconds >= 2 * power ? 2 * power : power;
}

/**
 * Ever finer steps between ticks; each divides those before it.
 * @param {number} coarsest
 */
function* stepsBelow(coarsest) {
  let step = coarsest;
  while (step >= 1) {
    yield step;
    step = step > 1e6 ? (step % 10e6 === 0 ? step / 2 : 1e6) : step / (String(step)[0] === "5" ? 5 : 2);
  }
}

/**
 * The time at a tick, with as many digits as its step needs.
 * @param {number} time
 * @param {number} step
 */
export function tickText(time, step) {
  const digits = step >= 1e6 ? 0 : Math.min(6, Math.ceil(6 - Math.log10(step)));
  const seconds = time / 1e6;
  if (seconds < 60) return `${seconds.toFixed(digits)} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, "0");
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
