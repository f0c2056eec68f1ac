// The field of the filter: completions while one types, and what is said of words that find nothing.

import { completed, completions } from "./completion.mjs";
import { element, link, part } from "./dom.mjs";
/** @typedef {import("./filter.mjs").Filter} Filter */
/** @typedef {import("./model.mjs").Model} Model */
/** @typedef {import("./completion.mjs").Completion} Completion */

export class QueryField {
  /**
   * @param {Model} model
   * @param {{ changed: (query: string) => void, left: (isDown: boolean) => void }} actions
   */
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.field = part("query");
    this.list = part("completions");
    /** @type {Completion[]} */
    this.found = [];
    this.at = -1;
    this.field.addEventListener("input", () => {
      this.actions.changed(this.field.value);
      this.complete();
    });
    this.field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.field.addEventListener("blur", () => this.close());
    // The field keeps the focus.
    this.list.addEventListener("pointerdown", (/** @type {Event} */ event) => event.preventDefault());
    this.list.addEventListener("click", (/** @type {any} */ event) => {
      const item = event.target.closest("[data-index]");
      if (item !== null) this.take(Number(item.dataset.index));
    });
  }

  get isOpen() {
    return !this.list.hidden;
  }

  /** @param {string} query */
  show(query) {
    // A space after the last word stays: more is typed.
    if (this.field.value.trim() !== query) this.field.value = query;
  }

  close() {
    this.list.hidden = true;
    this.at = -1;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }

  /** Shows what completes the word at the caret. */
  complete() {
    this.found = completions(this.field.value, this.field.selectionStart ?? 0, this.model);
    if (this.found.length === 0) return this.close();
    this.at = -1;
    this.list.replaceChildren(...this.found.map(({ word, note }, index) =>
      element("div.completion", { id: `completion-${index}`, role: "option", "aria-selected": "false", "data-index": index }, element("span.code", {}, word), element("span.dim", {}, note))));
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
    this.field.removeAttribute("aria-activedescendant");
    return undefined;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    switch (event.key) {
      case "Escape":
        if (this.isOpen) {
          this.close();
        } else {
          this.show("");
          this.actions.changed("");
          this.actions.left(false);
        }
        break;
      case "ArrowDown":
      case "ArrowUp":
        if (!this.isOpen && event.key === "ArrowDown" && this.field.value !== "") return this.leave(event);
        if (!this.isOpen) this.complete();
        this.mark(this.at + (event.key === "ArrowDown" ? 1 : -1));
        break;
      case "Enter":
        if (!this.isOpen || this.at < 0) return this.leave(event);
        this.take(this.at);
        break;
      case "Tab":
        if (!this.isOpen || this.at < 0) return undefined;
        this.take(this.at);
        break;
      default: return undefined;
    }
    event.preventDefault();
    event.stopPropagation();
    return undefined;
  }

  /** @param {KeyboardEvent} event */
  leave(event) {
    this.close();
    this.actions.left(true);
    event.preventDefault();
    return undefined;
  }

  /** @param {number} index */
  mark(index) {
    const count = this.found.length;
    if (count === 0) return;
    this.at = index < -1 ? count - 1 : index >= count ? -1 : index;
    [...this.list.children].forEach((item, place) => item.setAttribute("aria-selected", String(place === this.at)));
    if (this.at < 0) this.field.removeAttribute("aria-activedescendant");
    else this.field.setAttribute("aria-activedescendant", `completion-${this.at}`);
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} index */
  take(index) {
    const { query, caret } = completed(this.field.value, this.field.selectionStart ?? 0, this.found[index].word);
    this.field.value = query;
    this.field.setSelectionRange(caret, caret);
    this.actions.changed(query);
    if (query.slice(0, caret).endsWith(":")) this.complete();
    else this.close();
  }

  /**
   * Says which words find nothing, and when the filter leaves out what is selected.
   * @param {Filter} filter
   * @param {{ step: number, name: string }} selected
   */
  tell(filter, selected) {
    const box = part("told");
    const parts = filter.told.flatMap(({ typed, problem, meant }) => [
      ` ${problem}`, ...(meant === undefined ? ["."] : ["; did you mean ", link(meant, () => this.replace(typed, meant)), "?"]),
    ]);
    const row = filter.row(selected.step);
    const isLeftOut = filter.isActive && filter.isDone && selected.step !== 0 && (row < 0 || filter.step(row) !== selected.step);
    if (parts.length > 0 && isLeftOut) parts.push(" ");
    if (isLeftOut) parts.push(`${selected.name} is selected, and the filter leaves it out. `, link("Show all", () => this.replaceAll()));
    box.hidden = parts.length === 0;
    box.replaceChildren(...parts);
  }

  replaceAll() {
    this.show("");
    this.actions.changed("");
  }

  /**
   * @param {string} typed
   * @param {string} meant
   */
  replace(typed, meant) {
    const query = this.field.value.replace(typed, meant);
    this.show(query);
    this.actions.changed(query);
  }
}
