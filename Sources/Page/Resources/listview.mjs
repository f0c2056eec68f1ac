// The list of all steps: only the rows that are seen are there.

import { colored, element, part } from "./dom.mjs";
import { Flag, Kind, Sender } from "./log.mjs";
import { durationText, originText, shortCause, timeText } from "./text.mjs";
import { visible } from "./visible.mjs";
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
    /** The pane with the head of the list, which has the same columns. */
    this.pane = part("actions");
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
    /** Whether the actions of two logs stand side by side. */
    this.isTwofold = false;
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
    this.pane.style.setProperty("--seq", `${Math.max(3, String(this.model.log.stepSeqs.values[Math.max(this.model.log.stepCount - 1, 0)] || 0).length + 1)}ch`);
    this.pane.style.setProperty("--by", `${Math.max(6, String(this.model.log.stepSeqs.values[Math.max(this.model.log.stepCount - 1, 0)] || 0).length + 1)}ch`);
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
    this.related = this.relatedTo(this.selected);
  }

  /**
   * The rows of the action that caused a row's, and of those that it led to.
   * @param {number} id
   */
  relatedTo(id) {
    const model = id < 0 ? this.model.otherView : this.model;
    const step = id < 0 ? -1 - id : id;
    const steps = model === undefined ? [] : model.log.ledTo(step, 500).concat(model.log.causeOf(step));
    return new Set(steps.filter((related) => related >= 0).map((related) => (model ?? this.model).idOf(related)));
  }

  /**
   * Selects a row and scrolls to it.
   * @param {number} step The step, or one of the other log (`Model.rows`).
   */
  select(step) {
    const old = this.selected;
    this.selected = step;
    for (const changed of [old, step, ...this.related]) this.made.delete(changed);
    this.related = this.relatedTo(step);
    for (const changed of this.related) this.made.delete(changed);
    this.reveal();
  }

  /** Scrolls to the selected step, or to where it would be among those that the filter finds. */
  reveal() {
    const row = this.filter?.row(this.selected) ?? -1;
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
      rows.push(element("p.empty", {}, filter.isActive ? "No action matches the filter." : "The log has no actions."));
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
   * @param {number} id A step, or one of the other log (`Model.rows`).
   * @param {number} row
   * @param {number} count
   */
  row(id, row, count) {
    const { otherView } = this.model;
    const isOther = id < 0 && otherView !== undefined;
    const model = isOther ? otherView : this.model;
    const step = isOther ? -1 - id : id;
    const { log } = model;
    const kind = log.stepKinds.values[step];
    const isAction = kind === Kind.action || kind === Kind.withheld || kind === Kind.excluded;
    const sender = log.stepSenders.values[step];
    const depth = Math.min(log.stepDepths.values[step], mostIndents);
    const isLone = isOther || (this.model.alignment.isKnown && this.model.loneAt(step).some((one) => !one.isOther && one.isAction && one.movedTo === undefined));
    const classes = ["row", kindClasses[kind], this.related.has(id) ? "related" : undefined, isOther ? "inserted" : isLone ? "deleted" : undefined]
      .concat(log.hasFlag(step, Flag.differs) ? "differs" : model.isOpen(step) ? "unfinished"
        : log.hasFlag(step, Flag.failed) ? "failed" : undefined)
      .filter((name) => name !== undefined);
    const indent = depth > 0 ? `${"  ".repeat(depth - 1)}└ ` : "";
    const title = model.title(step);
    const sides = this.isTwofold ? [isOther ? undefined : step, isOther ? step : this.model.otherStep(step)] : [];
    return element(`div.${classes.join(".")}`, {
      id: `row-${id}`, role: "option", "aria-selected": String(id === this.selected), "aria-setsize": count, "aria-posinset": row + 1,
      "data-step": id, title: isOther ? `only in ${otherName(this.model)}` : isLone ? `only in this log, and not in ${otherName(this.model)}` : undefined,
    },
    element("span.seq", {}, isAction && !(isOther && this.isTwofold) ? String(log.stepSeqs.values[step]) : ""),
    element("span.when", {}, kind === Kind.start ? "" : timeText(log.stepTimes.values[step])),
    element("span.by", isAction ? { title: sender > 0 ? `sent because of action ${sender}` : originText(senderNames[sender]) } : {},
      isAction ? senderText(sender) : ""),
    ...(this.isTwofold ? [this.side(this.model, sides[0]), this.side(otherView ?? this.model, sides[1])] : [element("span.what", {},
      indent === "" ? undefined : element("span.indent", {}, indent),
      ...(isLone ? [element("span.sign", {}, isOther ? "+ " : "− ")] : []),
      this.name(title),
      ...this.badges(model, step, kind),
      this.changes(model, step, kind))]),
    element("span.took", {}, durationText(log.stepDurations.values[step])));
  }

  /** @param {string} title */
  name(title) {
    return element("span.act", { title }, ...partsOfTitle(title).map((text, index) => text === "" ? undefined : element(index === 0 ? "span.head" : "span.tail", {}, ...colored(text))));
  }

  /**
   * An action in one of two columns; empty where the log has none.
   * @param {Model} model
   * @param {number | undefined} step
   */
  side(model, step) {
    if (step === undefined || step < 0) return element("span.what.none", { "aria-label": "no such action" });
    const { log } = model;
    const seq = model === this.model || step === 0 ? "" : String(log.stepSeqs.values[step]);
    const isMain = model === this.model;
    return element("span.what", {}, ...(isMain ? [] : [element("span.seq", {}, seq)]), this.name(model.title(step)),
      ...(isMain ? this.badges(model, step, log.stepKinds.values[step]) : []));
  }

  /**
   * @param {Model} model
   * @param {number} step
   * @param {number} kind
   */
  badges(model, step, kind) {
    const marks = this.marks(model, step, kind);
    return marks.length === 0 ? [] : [element("span.marks", {}, ...marks)];
  }

  /**
   * @param {Model} model
   * @param {number} step
   * @param {number} kind
   */
  marks(model, step, kind) {
    const { log } = model;
    const marks = [];
    if (log.hasFlag(step, Flag.differs)) {
      const causes = [...new Set((model.differences.get(step) ?? []).map((difference) => shortCause(difference.get("cause"))))];
      const title = `${model.main.isReplay ? "the replay differs here" : "the logs differ here"}${causes.length > 0 ? `: ${causes.join(", ")}` : ""}`;
      marks.push(element("span.mark.bad", { title }, "≠", causes.length === 0 ? undefined : element("span.more", {}, ` ${causes.length > 1 ? causes.length : causes[0]}`)));
    }
    if (log.hasFlag(step, Flag.unfinished)) {
      const label = kind === Kind.withheld ? "withheld" : step === log.owner ? "not finished" : "no change";
      if (!model.isOpen(step)) marks.push(element("span.mark.fx", { title: "the app handles it" }, "in progress"));
      else marks.push(element("span.mark.bad", { title: "the log has no change of this action" }, label));
    } else if (log.hasFlag(step, Flag.failed)) {
      marks.push(element("span.mark.warn", { title: "the action, or an effect, failed" }, "✕", element("span.more", {}, " failure")));
    }
    if (model.bookmarks.has(step)) marks.unshift(element("span.mark.fx", { title: "bookmarked" }, "★"));
    if (model.pinned === step) marks.unshift(element("span.mark.fx", { title: "pinned: its state can be compared with that of others" }, "pinned"));
    if (log.hasFlag(step, Flag.effects)) marks.push(element("span.mark.fx", { title: "returned effects" }, "ƒ"));
    return marks;
  }

  /**
   * @param {Model} model
   * @param {number} step
   * @param {number} kind
   */
  changes(model, step, kind) {
    if (kind === Kind.start || kind === Kind.note || kind === Kind.gap) return undefined;
    const places = model.changedPlaces(step);
    if (places.length === 0) return undefined;
    const chips = places.slice(0, mostChips).map((place) => element("span.place", { title: `changed ${place}` }, shortPlace(place)));
    if (places.length > mostChips) chips.push(element("span.place", { title: places.slice(mostChips).join("\n") }, `+${places.length - mostChips}`));
    return element("span.changes", {}, ...chips);
  }
}

/**
 * The name of the log that is compared with.
 * @param {Model} model
 */
export function otherName(model) {
  return model.isReplay ? "the replay" : visible(String(model.comparison?.get("name") ?? "the other log"));
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
