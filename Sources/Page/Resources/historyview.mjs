// The history of a value below the state: every value that it had, who set it, and a way there.

import { colored, element, link, part } from "./dom.mjs";
import { valuesOf } from "./history.mjs";
import { placeText } from "./place.mjs";
import { timeText } from "./text.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/** More values are counted, not shown. */
const mostRows = 2000;

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
    const filter = element("button", { type: "button", title: "filter the list by it", onclick: () => this.actions.toggle(`path:${model.placeText(step, path)}`) }, "Filter");
    const close = element("button", { type: "button", title: "Close (Escape)", onclick: () => this.close() }, "Close");
    this.pane.replaceChildren(element("h2", {}, element("span.code", {}, name), count, filter, close), table);
    this.pane.hidden = false;
    this.steps = [];
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
        if (next.value.isLater) {
          table.append(row);
          this.steps.push(next.value.step);
        } else {
          table.prepend(row);
          this.steps.unshift(next.value.step);
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
   * Marks the row whose value is that after a step, and returns its step; -1 for none.
   * @param {number} step
   */
  mark(step) {
    let last = -1;
    for (const found of this.steps) if (found <= step) last = Math.max(last, found);
    for (const row of this.pane.querySelectorAll("tr")) {
      const isNow = Number(row.dataset.step) === last;
      row.classList.toggle("now", isNow);
      if (isNow) row.scrollIntoView({ block: "nearest" });
    }
    return last;
  }
}
