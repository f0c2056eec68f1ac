// The list of all steps: only the rows that are seen are there.

import { colored, element, part } from "./dom.mjs";
import { Flag, Kind, Sender } from "./log.mjs";
import { durationText, originText, timeText } from "./text.mjs";
/** @typedef {import("./model.mjs").Model} Model */
/** @typedef {import("./filter.mjs").Filter} Filter */

const rowHeight = 24;
/** Browsers limit how tall an element may be; beyond that, a step of the scroll bar is more than one row. */
const tallest = 8_000_000;
const mostIndents = 10;
const mostChips = 3;
const kindClasses = /** @type {Record<number, string>} */ ({
  [Kind.note]: "note", [Kind.gap]: "gap", [Kind.external]: "external", [Kind.start]: "start", [Kind.excluded]: "note", [Kind.withheld]: "note",
});

const senderNames = /** @type {Record<number, string>} */ ({ [Sender.view]: "view", [Sender.parent]: "parent" });

export class ListView {
  /**
   * @param {Model} model
   * @param {{ select: (step: number) => void, toggle: (word: string) => void }} actions
   */
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.list = part("list");
    this.room = part("room");
    this.rows = part("rows");
    /** @type {Filter | undefined} */
    this.filter = undefined;
    this.selected = -1;
    /** @type {Set<number>} */
    this.related = new Set();
    /**
     * The rows that are there, by their step.
     * @type {Map<number, any>}
     */
    this.made = new Map();
    // What the browser would have to lay out the page for, to say it.
    this.scrollTop = 0;
    this.clientHeight = this.list.clientHeight;
    this.list.addEventListener("scroll", () => {
      this.scrollTop = this.list.scrollTop;
      this.draw();
    });
    this.rows.addEventListener("click", (/** @type {any} */ event) => {
      const row = event.target.closest(".row");
      if (row !== null && !event.target.closest("button")) this.actions.select(Number(row.dataset.step));
    });
    new ResizeObserver(() => {
      this.clientHeight = this.list.clientHeight;
      // A list that has become higher than its rows is scrolled back.
      this.scrollTop = this.list.scrollTop;
      this.draw();
    }).observe(this.list);
  }

  /** @param {Filter} filter */
  show(filter) {
    this.filter = filter;
    this.made.clear();
    this.measure();
    this.draw();
  }

  /** Takes account of rows that have come. */
  measure() {
    const count = this.filter?.count ?? 0;
    this.height = Math.min(count * rowHeight, tallest);
    this.room.style.height = `${this.height}px`;
    // The browser may have moved it.
    this.scrollTop = Math.min(this.scrollTop, Math.max(this.height - this.clientHeight, 0));
    this.list.style.setProperty("--rows", String(Math.max(count, 2)));
    this.list.style.setProperty("--seq", `${Math.max(3, String(this.model.log.stepSeqs.values[Math.max(this.model.log.stepCount - 1, 0)] || 0).length + 1)}ch`);
  }

  get visibleCount() {
    return Math.max(1, Math.floor(this.clientHeight / rowHeight));
  }

  /** The first row that is seen, with its fraction. */
  get top() {
    const count = this.filter?.count ?? 0;
    const most = Math.max((this.height ?? 0) - this.clientHeight, 1);
    if (count * rowHeight <= tallest) return this.scrollTop / rowHeight;
    return (this.scrollTop / most) * Math.max(count - this.clientHeight / rowHeight, 0);
  }

  set top(row) {
    const count = this.filter?.count ?? 0;
    const most = Math.max((this.height ?? 0) - this.clientHeight, 0);
    const top = count * rowHeight <= tallest ? row * rowHeight : (row / Math.max(count - this.clientHeight / rowHeight, 1)) * most;
    this.scrollTop = Math.min(Math.max(Math.round(top), 0), most);
    this.list.scrollTop = this.scrollTop;
  }

  /** Whether the last row is seen, and is not the only one. */
  get isDown() {
    const count = this.filter?.count ?? 0;
    return count > this.visibleCount && this.top + this.visibleCount >= count - 1;
  }

  /**
   * Makes rows anew: that of a step to which lines have come, and what says how many there are.
   * @param {number} step
   */
  forget(step) {
    this.made.delete(step);
    const count = this.filter?.count ?? 0;
    for (const row of this.made.values()) row.setAttribute("aria-setsize", String(count));
    this.related = new Set(this.model.log.ledTo(this.selected, 500));
    const cause = this.model.log.causeOf(this.selected);
    if (cause >= 0) this.related.add(cause);
  }

  /**
   * Selects a step and scrolls to it.
   * @param {number} step
   */
  select(step) {
    const old = this.selected;
    this.selected = step;
    const { log } = this.model;
    for (const changed of [old, step, ...this.related]) this.made.delete(changed);
    this.related = new Set(log.ledTo(step, 500));
    const cause = log.causeOf(step);
    if (cause >= 0) this.related.add(cause);
    for (const changed of this.related) this.made.delete(changed);
    const row = this.filter?.row(step) ?? -1;
    const { top, visibleCount } = this;
    if (row >= 0 && (row < top + 1 || row > top + visibleCount - 2)) {
      this.top = row < top + 1 && row > top - 3 ? Math.max(row - 1, 0)
        : row > top + visibleCount - 2 && row < top + visibleCount + 2 ? row - visibleCount + 2 : Math.max(row - Math.floor(visibleCount / 3), 0);
    }
    this.draw();
  }

  /** Makes the rows that are seen. */
  draw() {
    const { filter } = this;
    if (filter === undefined) return;
    const { top } = this;
    const first = Math.max(0, Math.floor(top) - 2);
    const last = Math.min(filter.count, Math.ceil(top) + this.visibleCount + 3);
    const rows = [];
    const base = this.scrollTop - (top - first) * rowHeight;
    /** @type {Map<number, any>} */
    const kept = new Map();
    for (let row = first; row < last; row += 1) {
      const step = filter.step(row);
      const made = this.made.get(step) ?? this.row(step, row, filter.count);
      made.style.transform = `translateY(${base + (row - first) * rowHeight}px)`;
      kept.set(step, made);
      rows.push(made);
    }
    const isSame = kept.size === this.made.size && kept.size === this.rows.children.length && rows.every((row) => row.parentNode === this.rows);
    this.made = kept;
    if (filter.count === 0 && filter.isDone && this.model.log.isIndexed) {
      rows.push(element("p.empty", {}, filter.isActive ? noMatch(filter) : "The log has no actions."));
    }
    if (!isSame || rows.length !== kept.size) this.replace(rows);
    const isSeen = rows.some((row) => row.id === `row-${this.selected}`);
    if (isSeen) this.list.setAttribute("aria-activedescendant", `row-${this.selected}`);
    else this.list.removeAttribute("aria-activedescendant");
  }

  /**
   * Puts rows into the list; those that are there stay.
   * @param {any[]} rows
   */
  replace(rows) {
    const wanted = new Set(rows);
    for (const row of [...this.rows.children]) if (!wanted.has(row)) row.remove();
    let next = this.rows.firstChild;
    for (const row of rows) {
      if (row === next) next = row.nextSibling;
      else this.rows.insertBefore(row, next);
    }
  }

  /**
   * All rows, for paper.
   * @param {number} most
   */
  drawAll(most) {
    const { filter } = this;
    if (filter === undefined) return;
    this.made.clear();
    const rows = [];
    for (let row = 0; row < Math.min(filter.count, most); row += 1) rows.push(this.row(filter.step(row), row, filter.count));
    if (filter.count > most) rows.push(element("p.empty", {}, `… ${filter.count - most} more`));
    this.rows.replaceChildren(...rows);
  }

  /**
   * @param {number} step
   * @param {number} row
   * @param {number} count
   */
  row(step, row, count) {
    const { model } = this;
    const { log } = model;
    const kind = log.stepKinds.values[step];
    const isAction = kind === Kind.action || kind === Kind.withheld || kind === Kind.excluded;
    const sender = log.stepSenders.values[step];
    const depth = Math.min(log.stepDepths.values[step], mostIndents);
    const classes = ["row", kindClasses[kind], this.related.has(step) ? "related" : undefined]
      .concat(log.hasFlag(step, Flag.differs) ? "differs" : model.isOpen(step) ? "unfinished"
        : log.hasFlag(step, Flag.failed) ? "failed" : undefined)
      .filter((name) => name !== undefined);
    const indent = depth > 0 ? `${"  ".repeat(depth - 1)}└ ` : "";
    const title = model.title(step);
    return element(`div.${classes.join(".")}`, {
      id: `row-${step}`, role: "option", "aria-selected": String(step === this.selected), "aria-setsize": count, "aria-posinset": row + 1,
      "data-step": step,
    },
    element("span.seq", {}, isAction ? String(log.stepSeqs.values[step]) : ""),
    element("span.when", {}, kind === Kind.start ? "" : timeText(log.stepTimes.values[step])),
    element("span.by", isAction ? { title: sender > 0 ? `sent because of action ${sender}` : originText(senderNames[sender]) } : {},
      isAction ? senderText(sender) : ""),
    element("span.what", {},
      element("span.indent", {}, indent),
      element("span.act", { title }, ...partsOfTitle(title).map((text, index) => text === "" ? undefined : element(index === 0 ? "span.head" : "span.tail", {}, ...colored(text)))),
      ...this.marks(step, kind),
      this.changes(step, kind)),
    element("span.took", {}, durationText(log.stepDurations.values[step])));
  }

  /**
   * @param {number} step
   * @param {number} kind
   */
  marks(step, kind) {
    const { log } = this.model;
    const marks = [];
    if (log.hasFlag(step, Flag.differs)) {
      const causes = new Set((this.model.differences.get(step) ?? []).map((difference) => difference.get("cause")));
      marks.push(element("span.mark.bad", { title: this.model.isReplay ? "the replay differs here" : "the logs differ here" }, `≠ ${[...causes].join(", ")}`));
    }
    if (log.hasFlag(step, Flag.unfinished)) {
      const label = kind === Kind.withheld ? "withheld" : step === log.owner ? "not finished" : "no change";
      if (!this.model.isOpen(step)) marks.push(element("span.mark.fx", { title: "the app handles it" }, "in progress"));
      else marks.push(element("span.mark.bad", { title: "the log has no change of this action" }, label));
    } else if (log.hasFlag(step, Flag.failed)) {
      marks.push(element("span.mark.warn", {}, "failure"));
    }
    if (log.hasFlag(step, Flag.effects)) marks.push(element("span.mark.fx", { title: "returned effects" }, "ƒ"));
    return marks;
  }

  /**
   * @param {number} step
   * @param {number} kind
   */
  changes(step, kind) {
    if (kind === Kind.start || kind === Kind.note || kind === Kind.gap) return undefined;
    const places = this.model.changedPlaces(step);
    if (places.length === 0) return undefined;
    const chips = places.slice(0, mostChips).map((place) => element("span.place", { title: `changed ${place}` }, shortPlace(place)));
    if (places.length > mostChips) chips.push(element("span.place", { title: places.slice(mostChips).join("\n") }, `+${places.length - mostChips}`));
    return element("span.changes", {}, ...chips);
  }
}

/**
 * Who sent an action, in a few characters.
 * @param {number} sender
 */
function senderText(sender) {
  return sender > 0 ? `#${sender}` : sender === Sender.view ? "view" : sender === Sender.parent ? "parent" : "?";
}

/**
 * The title of an action in two parts: where it went, which may be left out, and what it was.
 * @param {string} title
 * @returns {string[]}
 */
export function partsOfTitle(title) {
  if (!title.startsWith(".")) return ["", title];
  let start = 0;
  let depth = 0;
  for (let index = 0; index < title.length; index += 1) {
    const letter = title[index];
    if (letter === '"') {
      // What is quoted in a subscript is no part of the way.
      for (index += 1; index < title.length && title[index] !== '"'; index += 1) if (title[index] === "\\") index += 1;
    } else if (letter === "[") {
      depth += 1;
    } else if (letter === "]") {
      depth -= 1;
    } else if (depth === 0 && letter === ".") {
      start = index;
    } else if (depth === 0 && letter === "(") {
      break;
    }
  }
  return [title.slice(0, start), title.slice(start)];
}

/**
 * A place that fits in a row: of a long one the end, which says most.
 * @param {string} place
 */
export function shortPlace(place) {
  if (place.length <= 18) return place;
  const steps = place.match(/^[^.[]+|\.[^.[]+|\[[^\]]*\]/g) ?? [place];
  let text = steps.pop() ?? "";
  while (steps.length > 0 && text.startsWith("[")) text = steps.pop() + text;
  return `…${text.replace(/^\./, "")}`;
}

/**
 * What is said where a filter finds nothing.
 * @param {Filter} filter
 */
function noMatch(filter) {
  const found = filter.meant;
  return `No action matches the filter.${found === undefined ? "" : ` Did you mean ${found.meant}?`}`;
}
