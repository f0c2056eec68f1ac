// The dividers between the panes, and the buttons that fold them.

import { part } from "./dom.mjs";
import { Layout, limits } from "./layout.mjs";
/** @typedef {import("./layout.mjs").Pane} Pane */
/** @typedef {import("./layout.mjs").Size} Size */

/** The part of the page that each pane is. */
const paneParts = /** @type {Record<Pane, string>} */ ({ film: "filmroom", time: "time", actions: "actions", action: "step", state: "state", effects: "laneroom" });
const keyStep = 2;
const laneKeyStep = 19;

export class Panes {
  /** @param {{ changed: () => void }} actions */
  constructor(actions) {
    this.actions = actions;
    this.layout = new Layout();
    // One above the other, as in the style.
    this.stacking = matchMedia("(max-width: 1180px)");
    this.divider("divide-list", "list", () => part("main"));
    this.divider("divide-step", "step", () => part("detail"));
    this.divider("divide-lanes", "lanes", () => part("laneroom"));
    part("panes").addEventListener("click", (/** @type {any} */ event) => {
      const pane = event.target.closest("[data-pane]")?.dataset.pane;
      if (pane !== undefined) this.toggle(pane);
    });
    this.stacking.addEventListener("change", () => this.apply());
  }

  /** @param {string} text */
  read(text) {
    this.layout = Layout.read(text);
    this.apply();
  }

  /** @param {Pane} pane */
  toggle(pane) {
    this.layout.toggle(pane);
    this.apply();
    this.actions.changed();
  }

  /** Whether the selected action stands above the state. */
  get isStacked() {
    return this.stacking.matches;
  }

  /**
   * The size that a divider sets: the one between action and state sets a height where one is above the other.
   * @param {Size} size
   * @returns {Size}
   */
  sizeOf(size) {
    return size === "step" && this.isStacked ? "row" : size;
  }

  apply() {
    const { sizes, folded } = this.layout;
    const { style } = document.documentElement;
    for (const size of /** @type {Size[]} */ (["list", "step", "row"])) {
      const value = sizes.get(size);
      if (value === undefined) {
        style.removeProperty(`--${size}`);
        style.removeProperty(`--past-${size}`);
      } else {
        const unit = size === "row" ? "fr" : "";
        style.setProperty(`--${size}`, `${value}${unit}`);
        style.setProperty(`--past-${size}`, `${100 - value}${unit}`);
      }
    }
    const lanes = sizes.get("lanes");
    if (lanes === undefined) style.removeProperty("--lanes");
    else style.setProperty("--lanes", `${lanes}px`);
    document.documentElement.classList.toggle("rows-set", sizes.has("row"));
    for (const [pane, id] of Object.entries(paneParts)) {
      const isFolded = folded.has(/** @type {Pane} */ (pane));
      part(id).hidden = isFolded;
      part("panes").querySelector(`[data-pane="${pane}"]`)?.setAttribute("aria-pressed", String(!isFolded));
    }
    part("detail").classList.toggle("single", folded.has("action") || folded.has("state"));
    part("detail").hidden = folded.has("action") && folded.has("state");
    part("divide-step").hidden = folded.has("action") || folded.has("state");
    part("divide-list").hidden = folded.has("actions") || part("detail").hidden;
    part("divide-lanes").hidden = folded.has("effects");
    part("foldlanes").setAttribute("aria-expanded", String(!folded.has("effects")));
    this.describe();
  }

  /** Tells assistive technology how the dividers stand. */
  describe() {
    const isStacked = this.isStacked;
    const step = part("divide-step");
    step.setAttribute("aria-orientation", isStacked ? "horizontal" : "vertical");
    step.setAttribute("aria-label", isStacked ? "Height of the selected action" : "Width of the selected action");
    for (const [id, size] of /** @type {[string, Size][]} */ ([["divide-list", "list"], ["divide-step", this.sizeOf("step")], ["divide-lanes", "lanes"]])) {
      const value = this.layout.sizes.get(size);
      part(id).setAttribute("aria-valuemin", String(limits[size][0]));
      part(id).setAttribute("aria-valuemax", String(limits[size][1]));
      part(id).setAttribute("aria-valuenow", String(value ?? (size === "lanes" ? 114 : 50)));
    }
  }

  /**
   * @param {string} id
   * @param {Size} name
   * @param {() => HTMLElement} around What the size is a share of, or the part itself where it is in pixels.
   */
  divider(id, name, around) {
    const divider = part(id);
    const set = (/** @type {number | undefined} */ value) => {
      this.layout.set(this.sizeOf(name), value);
      this.apply();
    };
    const current = () => {
      const box = around().getBoundingClientRect();
      const own = divider.getBoundingClientRect();
      const size = this.sizeOf(name);
      return size === "lanes" ? box.height : size === "row" ? ((own.top - box.top) / box.height) * 100 : ((own.left - box.left) / box.width) * 100;
    };
    divider.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      divider.setPointerCapture(event.pointerId);
      event.preventDefault();
      divider.focus();
    });
    divider.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!divider.hasPointerCapture(event.pointerId)) return;
      const box = around().getBoundingClientRect();
      const size = this.sizeOf(name);
      set(size === "lanes" ? event.clientY - box.top : size === "row" ? ((event.clientY - box.top) / box.height) * 100 : ((event.clientX - box.left) / box.width) * 100);
    });
    divider.addEventListener("pointerup", () => this.actions.changed());
    divider.addEventListener("dblclick", () => {
      set(undefined);
      this.actions.changed();
    });
    divider.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const isHorizontal = this.sizeOf(name) !== name || name === "lanes";
      const [less, more] = isHorizontal ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
      const by = name === "lanes" ? laneKeyStep : keyStep;
      if (event.key === less) set(current() - by);
      else if (event.key === more) set(current() + by);
      else if (event.key === "Home") set(0);
      else if (event.key === "End") set(10_000);
      else if (event.key === "Enter") set(undefined);
      else return;
      event.preventDefault();
      event.stopPropagation();
      this.actions.changed();
    });
  }
}
