// The history of a value below the state: every value that it had, who set it, and a way there.

import { heightOf, numbersOf, rangeOf, valueAtPosition } from "./chart.mjs";
import { blameCommand } from "./commands.mjs";
import { colored, copyButton, element, link, part } from "./dom.mjs";
import { valuesOf } from "./history.mjs";
import { noLimits } from "./notation.mjs";
import { placeText } from "./place.mjs";
import { edge, stepPositions } from "./scale.mjs";
import { timeText } from "./text.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/** More values are counted, not shown. */
const mostRows = 2000;
/** The length of a value, in characters, from which the name of its action gets a line of its own. */
const longestShort = 24;
const chartHeight = 92;
/** Room above and below the line for its two labels. */
const chartMargin = 14;

export class HistoryView {
  /**
   * @param {Model} model
   * @param {{ select: (step: number) => void, closed: () => void, toggle: (word: string) => void }} actions
   */
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.pane = part("history");
    /** @type {string[] | undefined} */
    this.path = undefined;
    this.number = 0;
    /** The step from which values were looked for, and how many steps there were. */
    this.from = -1;
    this.seen = 0;
    /**
     * The steps that set the value, in order.
     * @type {number[]}
     */
    this.steps = [];
    /**
     * The values that the steps set.
     * @type {any[]}
     */
    this.values = [];
    this.selected = -1;
    this.chart = element("canvas.chart", { role: "slider", tabindex: 0 });
    this.listenToChart();
    new ResizeObserver(() => this.drawChart()).observe(this.pane);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawChart());
  }

  listenToChart() {
    const { chart } = this;
    let isDown = false;
    const go = (/** @type {PointerEvent} */ event) => {
      const index = this.valueAt(event.offsetX);
      if (this.steps[index] !== undefined && this.steps[index] !== this.selected) this.actions.select(this.steps[index]);
    };
    chart.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      isDown = true;
      chart.setPointerCapture(event.pointerId);
      go(event);
    });
    chart.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      const index = this.valueAt(event.offsetX);
      if (index >= 0) chart.title = this.describe(index);
      if (isDown) go(event);
    });
    chart.addEventListener("pointerup", () => {
      isDown = false;
    });
    chart.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      const last = this.steps.length - 1;
      const index = event.key === "Home" ? 0 : event.key === "End" ? last : by === undefined ? -1 : Math.min(Math.max(this.current + by, 0), last);
      if (index < 0) return;
      event.preventDefault();
      event.stopPropagation();
      this.actions.select(this.steps[index]);
    });
  }

  get isOpen() {
    return !this.pane.hidden;
  }

  close() {
    this.pane.hidden = true;
    this.path = undefined;
    this.number += 1;
    this.actions.closed();
  }

  /**
   * Shows the values of a place as it is after a step.
   * @param {number} step
   * @param {string[]} path
   */
  show(step, path) {
    const { model } = this;
    this.path = path;
    this.from = step;
    this.seen = model.log.stepCount;
    this.number += 1;
    const { number } = this;
    const name = placeText(path, model.states.after(step) ?? model.states.before(step)) || "the whole state";
    const count = element("span.dim", {}, "looking …");
    const table = element("table", {});
    const copies = element("span.copies", {}, copyButton("place", () => name), copyButton("value", () => this.currentText),
      ...(path.length === 0 ? [] : [copyButton("blame command", () => blameCommand(model, this.selected, name), "blame")]));
    const filter = element("button", { type: "button", title: "filter the list by it", onclick: () => this.actions.toggle(`path:${model.placeText(step, path)}`) }, "Filter");
    const close = element("button", { type: "button", title: "Close (Escape)", onclick: () => this.close() }, "Close");
    this.pane.replaceChildren(element("h2", {}, element("span.code", {}, name), copies, count, filter, close), this.chart, table);
    this.chart.hidden = true;
    this.selected = step;
    this.pane.hidden = false;
    this.steps = [];
    this.values = [];
    const values = valuesOf(model, step, path);
    let found = 0;
    const work = () => {
      if (number !== this.number) return;
      const end = performance.now() + 12;
      while (performance.now() < end) {
        const next = values.next();
        if (next.done === true) {
          count.textContent = `${found} ${found === 1 ? "value" : "values"}`;
          this.mark(step);
          return;
        }
        if (next.value === undefined) continue;
        found += 1;
        if (found > mostRows) continue;
        const row = this.row(next.value);
        if (row.querySelector(".v").textContent.length > longestShort) table.classList.add("stacked");
        if (next.value.isLater) {
          table.append(row);
          this.steps.push(next.value.step);
          this.values.push(next.value.value);
        } else {
          table.prepend(row);
          this.steps.unshift(next.value.step);
          this.values.unshift(next.value.value);
        }
      }
      count.textContent = `${found} so far`;
      this.mark(step);
      setTimeout(work);
    };
    work();
  }

  /**
   * Looks again when steps have come.
   * @param {number} step The step that is selected.
   */
  refresh(step) {
    if (this.path === undefined || this.seen === this.model.log.stepCount) return;
    const { scrollTop } = this.pane;
    this.show(this.from, this.path);
    this.mark(step);
    this.pane.scrollTop = scrollTop;
  }

  /** @param {import("./history.mjs").Value} found */
  row(found) {
    const { model } = this;
    const { log } = model;
    const value = found.value === undefined ? element("span.dim", {}, "nothing") : element("span", {}, ...colored(model.notation.value(found.value)));
    const setter = found.isGap === true ? "as it was after a gap of the log" : found.step === 0 ? "as it was at the start" : undefined;
    const who = setter === undefined
      ? link(element("span", {}, ...colored(model.title(found.step))), () => this.actions.select(found.step), { title: "go there" })
      : link(setter, () => this.actions.select(found.step));
    return element("tr", { "data-step": found.step }, element("td", {}, found.step === 0 ? "" : String(log.stepSeqs.values[found.step])),
      element("td.v", {}, value), element("td.who", { title: setter ?? model.title(found.step) }, who), element("td.when", {}, found.step === 0 ? "" : timeText(log.stepTimes.values[found.step])));
  }

  /**
   * Scrolls the pane, and nothing around it, to a row.
   * @param {HTMLElement} row
   */
  reveal(row) {
    const [own, pane] = [row.getBoundingClientRect(), this.pane.getBoundingClientRect()];
    const head = this.pane.querySelector("h2")?.getBoundingClientRect().height ?? 0;
    if (own.top < pane.top + head) this.pane.scrollTop -= pane.top + head - own.top;
    else if (own.bottom > pane.bottom) this.pane.scrollTop += own.bottom - pane.bottom;
  }

  /** The index of the value that the selected step has; -1 for none. */
  get current() {
    let found = -1;
    this.steps.forEach((step, index) => {
      if (step <= this.selected) found = index;
    });
    return found;
  }

  get currentText() {
    const value = this.values[this.current];
    return value === undefined ? "" : this.model.notation.limited(noLimits).lines(value);
  }

  /**
   * A value in words.
   * @param {number} index
   */
  describe(index) {
    const { model } = this;
    const value = this.values[index] === undefined ? "nothing" : model.notation.value(this.values[index]);
    const step = this.steps[index];
    return step === 0 ? `${value} at the start` : `${value} since action ${model.log.stepSeqs.values[step]}, ${timeText(model.log.stepTimes.values[step])}`;
  }

  /**
   * The index of the value at an x of the chart.
   * @param {number} x
   */
  valueAt(x) {
    return Math.max(valueAtPosition(this.chartPlaces().positions, x), 0);
  }

  /** The x of each value, on the scale of the whole timeline. */
  chartPlaces() {
    const { log } = this.model;
    const width = Math.max(this.chart.clientWidth, 1);
    const all = stepPositions(log.stepTimes.values, log.stepCount);
    const x = (/** @type {number} */ step) => edge + all[step] * (width - 2 * edge);
    return { width, positions: this.steps.map(x), x };
  }

  /** Draws the values, if they are numbers or Booleans. */
  drawChart() {
    const { chart } = this;
    const found = this.isOpen ? numbersOf(this.values) : undefined;
    chart.hidden = found === undefined;
    if (found === undefined) return;
    const { numbers, isBoolean } = found;
    const { width, positions, x } = this.chartPlaces();
    const ratio = devicePixelRatio || 1;
    [chart.width, chart.height] = [Math.round(width * ratio), Math.round(chartHeight * ratio)];
    const context = chart.getContext("2d");
    context.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const range = rangeOf(numbers);
    const y = (/** @type {number} */ number) => chartHeight - chartMargin - heightOf(number, range) * (chartHeight - 2 * chartMargin);
    context.fillStyle = color("dim");
    context.font = "10.5px system-ui, sans-serif";
    const label = (/** @type {number} */ number) => (isBoolean ? String(number === 1) : String(number));
    context.fillText(label(range[1]), edge, range[1] === range[0] ? chartHeight - 3 : 10);
    if (range[1] !== range[0]) context.fillText(label(range[0]), edge, chartHeight - 3);
    context.strokeStyle = color("effect-run");
    context.lineWidth = 1.5;
    context.beginPath();
    numbers.forEach((number, index) => {
      if (number === undefined) return;
      const end = positions[index + 1] ?? width - edge;
      const isJoined = index > 0 && numbers[index - 1] !== undefined;
      if (isJoined) context.lineTo(positions[index], y(number));
      else context.moveTo(positions[index], y(number));
      context.lineTo(end, y(number));
    });
    context.stroke();
    context.fillStyle = color("effect-run");
    if (numbers.length * 4 < width) numbers.forEach((number, index) => {
      if (number === undefined) return;
      context.beginPath();
      context.arc(positions[index], y(number), 2.5, 0, 2 * Math.PI);
      context.fill();
    });
    const { current } = this;
    context.fillStyle = color("accent");
    context.fillRect(x(this.selected) - 0.75, 0, 1.5, chartHeight);
    const number = numbers[current];
    if (number !== undefined) {
      context.beginPath();
      context.arc(positions[current], y(number), 4.5, 0, 2 * Math.PI);
      context.fill();
    }
    chart.setAttribute("aria-label", `Values of ${this.pane.querySelector("h2 .code")?.textContent ?? ""}`);
    chart.setAttribute("aria-valuemin", "0");
    chart.setAttribute("aria-valuemax", String(numbers.length - 1));
    chart.setAttribute("aria-valuenow", String(Math.max(current, 0)));
    chart.setAttribute("aria-valuetext", this.describe(Math.max(current, 0)));
  }

  /**
   * Marks the row whose value is that after a step, and returns its step; -1 for none.
   * @param {number} step
   */
  mark(step) {
    this.selected = step;
    const last = this.steps[this.current] ?? -1;
    this.drawChart();
    for (const row of this.pane.querySelectorAll("tr")) {
      const isNow = Number(row.dataset.step) === last;
      row.classList.toggle("now", isNow);
      // A chart shows where the value stands.
      if (isNow && this.chart.hidden) this.reveal(row);
    }
    return last;
  }
}
