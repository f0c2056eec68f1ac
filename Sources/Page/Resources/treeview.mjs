// The state as a tree in which what a step changed stands out.

import { colored, copyButton, element, part } from "./dom.mjs";
import { equalJSON, isObject } from "./json.mjs";
import { enumCase, noLimits, only } from "./notation.mjs";
import { placeText, stackElement, stepText } from "./place.mjs";
import { pointerText } from "./pointer.mjs";
import { alignedParts } from "./states.mjs";
import { counted } from "./text.mjs";
import { visible } from "./visible.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/**
 * The state of a step in the tree: how it differs from the one before it, or from another one.
 * @typedef {"both" | "before" | "after" | "other" | "pinned"} Mode
 */

/**
 * A row of the tree. `tokens` is where the value is, or was.
 * @typedef {{ tokens: string[], key: string, level: number, before: any, after: any, change: "" | "added" | "removed" | "changed" | "inside",
 *   isOpen?: boolean, count: number, label: string, more?: string }} Node
 */

const foldedLimits = { value: 90, text: 60 };
const leafLimits = { value: 600, text: 300 };
/** Longer containers are shown in part: the first elements, and what changed. */
const mostShown = 60;
const firstShown = 20;

/**
 * What a value reads as: the case of an enum with what it holds, an element of a stack.
 * @param {any} value
 */
export function unfolded(value) {
  const tokens = [];
  let label = "";
  let inner = value;
  for (;;) {
    const found = enumCase(inner);
    const payload = found === undefined ? undefined : only(found.payload, "_0");
    const row = stackElement(inner);
    if (found !== undefined && payload !== undefined) {
      label += `.${found.name}`;
      tokens.push(found.name, "_0");
      inner = payload;
    } else if (row !== undefined) {
      tokens.push("element");
      inner = row[1];
    } else {
      return { tokens, label, inner };
    }
  }
}

/**
 * Whether a value has parts that are worth a row each.
 * @param {any} value
 */
function isContainer(value) {
  if (Array.isArray(value)) return value.length > 0;
  if (!isObject(value) || value.size === 0) return false;
  const [name, member] = value.entries().next().value ?? ["", null];
  if (name.startsWith("$") && !name.startsWith("$$")) return false;
  return value.size > 1 || !isObject(member) || member.size > 0;
}

/** The rows of two states side by side. `folds` says what was opened or closed by hand. */
export class Tree {
  /**
   * @param {any} before
   * @param {any} after
   * @param {Map<string, boolean>} folds
   * @param {Set<string>} wholes
   * @param {boolean} marks
   */
  constructor(before, after, folds, wholes, marks) {
    this.folds = folds;
    this.wholes = wholes;
    this.marks = marks;
    /** @type {Node[]} */
    this.nodes = [];
    this.parts(before, after, [], 0);
  }

  /**
   * @param {any} before
   * @param {any} after
   * @param {string[]} tokens
   * @param {number} level
   */
  parts(before, after, tokens, level) {
    const parts = this.partsOf(before, after);
    const container = after === undefined ? before : after;
    const isWhole = parts.length <= mostShown || this.wholes.has(pointerText(tokens));
    let passed = 0;
    const pass = () => {
      if (passed === 0) return;
      const more = `… ${counted(passed, "more row")}`;
      this.nodes.push({ tokens, key: "", level, before: undefined, after: undefined, change: "", count: 0, label: "", more });
      passed = 0;
    };
    parts.forEach((part, index) => {
      const isChanged = this.marks && !isUnchanged(part.before, part.after);
      if (!isWhole && index >= firstShown && index < parts.length - 1 && !isChanged) {
        passed += 1;
        return;
      }
      pass();
      this.part(part, container, [...tokens, part.token], level, isChanged);
    });
    pass();
  }

  /**
   * @param {any} before
   * @param {any} after
   */
  partsOf(before, after) {
    if (before !== undefined && after !== undefined) {
      const aligned = alignedParts(before, after);
      if (aligned !== undefined) return aligned;
    }
    const value = after === undefined ? before : after;
    const entries = Array.isArray(value) ? value.map((element, index) => [String(index), element]) : isObject(value) ? [...value] : [];
    return entries.map(([token, element]) => ({ token, before: after === undefined ? element : before === undefined ? undefined : element, after: after === undefined ? undefined : element }));
  }

  /**
   * @param {{ token: string, before: any, after: any }} part
   * @param {any} container
   * @param {string[]} tokens
   * @param {number} level
   * @param {boolean} isChanged
   */
  part(part, container, tokens, level, isChanged) {
    const shown = part.after === undefined ? part.before : part.after;
    const now = unfolded(shown);
    const old = part.before === undefined || part.after === undefined ? now : unfolded(part.before);
    const isSameCase = old.tokens.join("/") === now.tokens.join("/");
    const hasParts = isContainer(now.inner) && isSameCase && (part.before === undefined || part.after === undefined || isContainer(old.inner))
      && (part.before === undefined || part.after === undefined || alignedParts(old.inner, now.inner) !== undefined);
    /** @type {Node["change"]} */
    let change = "";
    if (isChanged && this.marks) change = part.before === undefined ? "added" : part.after === undefined ? "removed" : hasParts ? "inside" : "changed";
    const pointer = pointerText(tokens);
    const isOpen = hasParts ? this.folds.get(pointer) ?? (change === "inside" || (level === 0 && sizeOf(now.inner) <= 8)) : undefined;
    this.nodes.push({
      tokens: [...tokens, ...(hasParts ? now.tokens : [])], key: keyText(part.token, shown, container), level, before: part.before, after: part.after,
      change, isOpen, count: sizeOf(now.inner), label: now.label,
    });
    if (isOpen !== true) return;
    const before = part.before === undefined ? undefined : old.inner;
    const after = part.after === undefined ? undefined : now.inner;
    this.parts(before, after, [...tokens, ...now.tokens], level + 1);
  }
}

/** @param {any} value */
function sizeOf(value) {
  return Array.isArray(value) ? value.length : isObject(value) ? value.size : 0;
}

/**
 * @param {any} before
 * @param {any} after
 */
function isUnchanged(before, after) {
  if (before === after) return true;
  return before !== undefined && after !== undefined && equalJSON(before, after);
}

/**
 * @param {string} token
 * @param {any} value
 * @param {any} container
 */
function keyText(token, value, container) {
  const row = stackElement(value);
  if (row !== undefined && Array.isArray(container)) return `[#${row[0]}]`;
  return stepText(token, container);
}

export class TreeView {
  /**
   * @param {Model} model
   * @param {{ history: (path: string[]) => void }} actions
   */
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.tree = part("tree");
    this.modes = part("statemode");
    /** @type {Mode} */
    this.mode = "both";
    this.isModeChosen = false;
    /** @type {Map<string, boolean>} */
    this.folds = new Map();
    /** @type {Set<string>} */
    this.wholes = new Set();
    this.step = -1;
    this.at = 0;
    /** @type {Node[]} */
    this.nodes = [];
    /**
     * Where the value of each row stands.
     * @type {string[]}
     */
    this.pointers = [];
    /** Copies what the row under the pointer, or the one with the focus, holds. */
    this.copies = element("span.copies", {}, copyButton("value (c)", () => this.valueText), copyButton("place (shift c)", () => this.placeText, "place"));
    this.folded = model.notation.limited(foldedLimits);
    this.leaf = model.notation.limited(leafLimits);
    this.listen();
  }

  listen() {
    this.modes.addEventListener("click", (/** @type {any} */ event) => {
      const button = event.target.closest("[data-mode]");
      if (button === null) return;
      this.mode = button.dataset.mode;
      this.isModeChosen = true;
      this.draw();
    });
    part("expand").addEventListener("click", () => this.toggleAll());
    this.tree.addEventListener("click", (/** @type {any} */ event) => {
      const row = event.target.closest(".node");
      if (row === null) return;
      this.at = Number(row.dataset.index);
      this.activate(event.target.closest(".open") !== null);
    });
    this.tree.addEventListener("pointerover", (/** @type {any} */ event) => {
      const row = event.target.closest(".node[aria-level]");
      if (row !== null && this.copies.parentNode !== row && this.nodes[row.dataset.index]?.more === undefined) row.append(this.copies);
    });
    this.tree.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
  }

  /** The row that is copied: the one that has the copy buttons, else the one with the focus. */
  get copied() {
    return this.nodes[this.copies.closest(".node")?.dataset.index ?? this.at];
  }

  get valueText() {
    const node = this.copied;
    const value = node?.after === undefined ? node?.before : node.after;
    return value === undefined ? "" : this.model.notation.limited(noLimits).lines(value);
  }

  get placeText() {
    const node = this.copied;
    return node === undefined ? "" : placeText(node.tokens, this.model.states.after(this.step) ?? this.model.states.before(this.step));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = this.nodes[this.at];
    switch (event.key) {
      case "ArrowDown": this.move(1); break;
      case "ArrowUp": this.move(-1); break;
      case "ArrowRight":
        if (node?.isOpen === false) this.fold(node, true);
        else this.move(1);
        break;
      case "ArrowLeft":
        if (node?.isOpen === true) this.fold(node, false);
        else this.moveOut();
        break;
      case "Enter": this.activate(false); break;
      case "c": this.copies.children[0].click(); break;
      case "C": this.copies.children[1].click(); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} by */
  move(by) {
    this.at = Math.min(Math.max(this.at + by, 0), this.nodes.length - 1);
    this.mark();
  }

  moveOut() {
    const level = this.nodes[this.at]?.level ?? 0;
    while (this.at > 0 && this.nodes[this.at].level >= level) this.at -= 1;
    this.mark();
  }

  mark() {
    this.tree.querySelector(".at")?.classList.remove("at");
    const row = this.tree.children[this.at];
    if (row === undefined) return;
    row.classList.add("at");
    if (this.nodes[this.at]?.more === undefined) row.append(this.copies);
    row.scrollIntoView({ block: "nearest" });
    this.tree.setAttribute("aria-activedescendant", row.id);
  }

  /**
   * Opens or closes what has parts, and shows the history of what has none.
   * @param {boolean} isFold
   */
  activate(isFold) {
    const node = this.nodes[this.at];
    if (node === undefined) return;
    if (node.more !== undefined) {
      this.wholes.add(pointerText(node.tokens));
      this.draw();
    } else if (node.isOpen !== undefined) {
      this.fold(node, !node.isOpen);
    } else if (!isFold) {
      this.mark();
      this.actions.history(node.tokens);
    }
  }

  /**
   * @param {Node} node
   * @param {boolean} isOpen
   */
  fold(node, isOpen) {
    // The value is named with the wrappers in it; it is folded where it stands.
    const index = this.nodes.indexOf(node);
    this.folds.set(this.pointers[index], isOpen);
    this.draw();
  }

  /** Opens everything, or closes what was opened. */
  toggleAll() {
    const closed = this.nodes.some((node) => node.isOpen === false);
    this.folds.clear();
    for (let round = 0; round < (closed ? 8 : 1); round += 1) {
      this.build();
      if (this.nodes.length > 4000) break;
      this.nodes.forEach((node, index) => {
        if (node.isOpen !== undefined) this.folds.set(this.pointers[index], closed);
      });
    }
    this.draw();
  }

  /** The place whose history is asked for: that of the row with the focus, else the first one that changed. */
  get focusedPath() {
    const node = this.nodes[this.at];
    const isFocused = document.activeElement === this.tree || node?.change === "changed" || node?.change === "added";
    const found = isFocused && node?.more === undefined ? node : undefined;
    return (found ?? this.nodes.find((other) => other.change === "changed" || other.change === "added"))?.tokens;
  }

  /**
   * @param {Model} model The log that has the step.
   * @param {number} step
   */
  show(model, step) {
    this.model = model;
    this.step = step;
    const differs = model.comparison !== undefined && model.otherStep(step) >= 0 && this.model.differences.get(step)?.some((difference) => difference.get("cause") === "state");
    if (!this.isModeChosen || (this.mode === "other" && model.comparison === undefined)) this.mode = differs === true ? "other" : "both";
    this.at = 0;
    this.draw();
    const first = this.nodes.findIndex((node) => node.change === "changed" || node.change === "added" || node.change === "removed");
    if (first >= 0) this.at = first;
    // Later, when the browser lays the page out anyway.
    requestAnimationFrame(() => {
      const row = this.tree.children[Math.max(first, 0)];
      if (row === undefined || step !== this.step) return;
      const place = row.offsetTop - this.tree.offsetTop;
      const isSeen = place >= this.tree.scrollTop && place < this.tree.scrollTop + this.tree.clientHeight - 40;
      if (!isSeen) this.tree.scrollTop = Math.max(place - this.tree.clientHeight / 3, 0);
    });
  }

  /** The two states of the mode. */
  sides() {
    const { model, step } = this;
    const after = model.states.after(step);
    switch (this.mode) {
      case "before": return { before: model.states.before(step), after: model.states.before(step), marks: false };
      case "after": return { before: after, after, marks: false };
      case "pinned": return { before: model.main.states.after(model.main.pinned), after, marks: true };
      case "other": {
        const other = model.otherAfter(step);
        return { before: other === undefined ? undefined : after, after: other, marks: true };
      }
      default: return { before: step === 0 ? after : model.states.before(step) ?? after, after: after ?? model.states.before(step), marks: true };
    }
  }

  /** The two actions whose states are compared while one is pinned. */
  get pinnedSides() {
    const { main } = this.model;
    const name = (/** @type {Model} */ model, /** @type {number} */ step) =>
      (step === 0 ? "the first state" : `after action ${model.log.stepSeqs.values[step]}${model === main ? "" : ` of ${visible(String(model.about.get("name") ?? "the other log"))}`}`);
    const isSame = this.nodes.every((node) => node.change === "");
    return `${name(main, main.pinned)} → ${name(this.model, this.step)}${this.model === main && this.step === main.pinned ? ": the pinned action itself" : isSame ? ": the same state" : ""}`;
  }

  /** Shows or leaves the comparison with the pinned step. */
  pin() {
    this.mode = this.model.main.pinned >= 0 ? "pinned" : "both";
    this.isModeChosen = this.model.main.pinned >= 0;
    this.draw();
  }

  build() {
    const { before, after, marks } = this.sides();
    if (before === undefined && after === undefined) {
      this.nodes = [];
      this.pointers = [];
      return;
    }
    const isLeaf = !isContainer(after === undefined ? before : after);
    const root = isLeaf ? [new Map([["state", before]]), new Map([["state", after]])] : [before, after];
    this.nodes = new Tree(root[0], root[1], this.folds, this.wholes, marks).nodes;
    if (isLeaf) for (const node of this.nodes) node.tokens = [];
    this.pointers = this.nodes.map((node) => pointerText(this.placeOf(node)));
  }

  /**
   * Where a row's value stands, without the wrappers in it.
   * @param {Node} node
   */
  placeOf(node) {
    if (node.isOpen === undefined) return node.tokens;
    const inner = unfolded(node.after === undefined ? node.before : node.after);
    return node.tokens.slice(0, node.tokens.length - inner.tokens.length);
  }

  draw() {
    this.build();
    for (const button of this.modes.children) {
      const mode = button.getAttribute("data-mode");
      button.setAttribute("aria-checked", String(mode === this.mode));
      if (mode === "other") {
        button.hidden = this.model.comparison === undefined;
        button.textContent = this.model.isReplay ? "Replay" : "Other log";
      } else if (mode === "pinned") {
        button.hidden = this.model.main.pinned < 0;
      }
    }
    const rows = this.nodes.map((node, index) => this.row(node, index));
    const sides = part("sides");
    sides.hidden = (this.mode !== "other" && this.mode !== "pinned") || rows.length === 0;
    sides.textContent = this.mode === "pinned" ? this.pinnedSides : this.model.isReplay ? "recorded → replayed" : `this log → ${visible(String(this.model.comparison?.get("name") ?? "the other"))}`;
    if (rows.length === 0) {
      rows.push(element("p.empty", {}, this.model.log.stepCount === 0 ? "The log holds no state." : this.mode === "before" && this.step === 0 ? "Nothing is known before the first state."
        : this.mode === "other" ? "The other side has no such action." : "The log does not say what the state is here."));
    }
    this.tree.replaceChildren(...rows);
    this.tree.children[this.at]?.classList.add("at");
  }

  /**
   * @param {Node} node
   * @param {number} index
   */
  row(node, index) {
    const attributes = {
      id: `node-${index}`, role: "treeitem", "data-index": index, "aria-level": node.level + 1,
      "aria-expanded": node.isOpen === undefined ? undefined : String(node.isOpen),
    };
    if (node.more !== undefined) {
      const made = element("div.node", attributes, element("span.open", {}), element("span.dim", {}, node.more));
      made.style.setProperty("--level", String(node.level));
      return made;
    }
    const classes = ["node", node.change, node.isOpen === undefined ? "leaf" : "", node.isOpen === false ? "folded" : ""].filter((name) => name !== "");
    const label = node.isOpen === true ? element("span.dim", {}, `${node.label} `, counted(node.count, Array.isArray(unfolded(node.after ?? node.before).inner) ? "element" : "member")) : undefined;
    const made = element(`div.${classes.join(".")}`, attributes,
      element("span.open", {}, node.isOpen === undefined ? "" : node.isOpen ? "▼" : "▶"),
      element("span.key", {}, node.key),
      label ?? this.value(node));
    made.style.setProperty("--level", String(node.level));
    return made;
  }

  /** @param {Node} node */
  value(node) {
    const notation = node.isOpen === false ? this.folded : this.leaf;
    if (node.change === "changed") {
      return element("span.val", {}, element("span.was", {}, ...colored(notation.value(node.before))), element("span.arrow", {}, " → "),
        element("span", {}, ...colored(notation.value(node.after))));
    }
    const text = element("span.val", {}, ...colored(notation.value(node.after === undefined ? node.before : node.after)));
    if (node.change === "removed") text.classList.add("was");
    return text;
  }
}
