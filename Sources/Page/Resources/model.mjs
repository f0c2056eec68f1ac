// What the page shows: the log, its states, and what it is compared with.

import { Alignment } from "./alignment.mjs";
import { literal, parseJSON } from "./json.mjs";
import { Flag, Kind, Log } from "./log.mjs";
import { Notation } from "./notation.mjs";
import { readPatch } from "./patch.mjs";
import { placeText } from "./place.mjs";
import { Pictures } from "./pictures.mjs";
import { arrayIndex, located, pointerTokens, valueAt } from "./pointer.mjs";
import { States } from "./states.mjs";
import { counted, excludedTitle, externalTitle, withheldCases } from "./text.mjs";
import { visible } from "./visible.mjs";
import { Vocabulary } from "./vocabulary.mjs";

/** The notation of a row; longer ones end with the row. */
const rowLimits = { value: 200, text: 80 };
/** So many rows are remembered as text. */
const mostTitles = 4000;

export class Model {
  /**
   * @param {string} about
   * @param {string | null} [chosen] Which log, of several; the first is 1.
   */
  constructor(about, chosen) {
    /** @type {Map<string, any>} */
    const all = parseJSON(about);
    /** @type {Map<string, any>[]} */
    const logs = all.get("logs") ?? [all];
    /** The names of the logs that the page holds. */
    this.names = logs.map((log) => String(log.get("title") ?? log.get("name") ?? ""));
    const index = Number(chosen ?? all.get("first") ?? 1);
    /** Which of them is shown; the first is 1. */
    this.index = logs[index - 1] === undefined ? 1 : index;
    /**
     * What was written besides the lines of the log.
     * @type {Map<string, any>}
     */
    this.about = new Map([...all, ...logs[this.index - 1]]);
    /**
     * How to learn what comes, as long as something writes the page.
     * @type {Map<string, any> | undefined}
     */
    this.news = all.get("live");
    /** Whether the log grows, and the page with it. */
    this.isLive = this.news?.get("grows") === true;
    /** Whether a command serves the page, and can say what would have happened. */
    this.isServed = all.get("serve") !== undefined;
    this.log = new Log();
    this.states = new States(this.log);
    /** The replay, or the other log. */
    this.other = new Log();
    this.otherStates = new States(this.other);
    this.notation = new Notation();
    this.rowNotation = this.notation.limited(rowLimits);
    /** @type {Map<number, string>} */
    this.titles = new Map();
    /**
     * The differences by the step of their action.
     * @type {Map<number, Map<string, any>[]>}
     */
    this.differences = new Map();
    this.comparison = this.about.get("other");
    /**
     * What the user saw, and what the replay or the other log has of it.
     * @type {Pictures | undefined}
     */
    this.pictures = undefined;
    /** @type {Pictures | undefined} */
    this.otherPictures = undefined;
    this.vocabulary = new Vocabulary(this);
    /**
     * The steps that the reader has marked.
     * @type {Set<number>}
     */
    this.bookmarks = new Set();
    /** The step whose state others are compared with; -1 for none. */
    this.pinned = -1;
    /**
     * The rows of the list where the other log has actions that this one has not: steps, and for one of the other log its step as -1, -2, …;
     * `undefined` when the rows are the steps.
     * @type {Int32Array | undefined}
     */
    this.rows = undefined;
    /**
     * The places of these rows, by their id.
     * @type {Map<number, number>}
     */
    this.places = new Map();
    /** @type {Model | undefined} */
    this.otherView = undefined;
    /**
     * The model of the log that the page shows, also for the view of the other log.
     * @type {Model}
     */
    this.main = this;
    /** Which actions correspond, of two logs. */
    this.alignment = new Alignment(this.comparison);
  }

  /** The blocks of the log among those of all logs, as a selector. */
  get blocks() {
    return this.index === 1 ? ":not([data-log])" : `[data-log="${this.index}"]`;
  }

  /**
   * Forgets what was made of a step to which lines have come, and of those after it.
   * @param {number} step
   */
  forget(step) {
    this.vocabulary.forget(step);
    for (let next = step; next < this.log.stepCount; next += 1) {
      this.titles.delete(next);
      this.states.forget(next);
    }
  }

  /**
   * Whether the log has no change of an action that no app handles at the moment.
   * @param {number} step
   */
  isOpen(step) {
    return this.log.hasFlag(step, Flag.unfinished) && !(this.isLive && step === this.log.owner);
  }

  /**
   * Whether an action or an effect failed, or an action was not finished.
   * @param {number} step
   */
  hasFailed(step) {
    return this.log.hasFlag(step, Flag.failed) || this.isOpen(step);
  }

  /**
   * What later lines may change in how a step looks: its own lines, the actions that it led to, how its effects ended.
   * @param {number} step
   */
  outlook(step) {
    const { log } = this;
    const [start, end] = log.linesOf(step);
    const prefix = `${log.stepSeqs.values[step]}.`;
    const endings = log.effects.filter(({ id }) => id.startsWith(prefix)).map((effect) => `${effect.end} ${effect.ending}`);
    return [end - start, ...log.ledTo(step, 100), "", ...endings].join(" ");
  }

  /** Whether it is a replay that the log is compared with. */
  get isReplay() {
    return this.comparison?.get("kind") === "replay";
  }

  /** Marks the steps that differ; all lines have to be indexed. */
  markDifferences() {
    this.differences.clear();
    const all = [...(this.comparison?.get("differences") ?? [])];
    for (const verdict of this.comparison?.get("verdicts") ?? []) {
      const at = verdict.get("at");
      const isTold = ["identical", "cut", "diverged", "trapReproduced"].includes(verdict.get("verdict"));
      if (at !== undefined && !isTold) all.push(new Map([["seq", at], ["cause", verdict.get("verdict")], ["subject", verdict.get("path") ?? ""], ["message", verdict.get("message") ?? verdict.get("signal")]]));
    }
    for (const difference of all) {
      const seq = Number(literal(difference.get("seq")));
      let step = seq === 0 ? 0 : this.log.stepOfSeq(seq);
      // An action that only the other log has stands after the last one of this log.
      if (step < 0) step = this.log.stepCount - 1;
      this.differ(step).push(difference);
    }
    for (const seq of this.alignment.places) {
      const step = seq === 0 ? 0 : this.log.stepOfSeq(seq);
      this.differ(step < 0 ? this.log.stepCount - 1 : step);
    }
    this.insertRows();
  }

  /** Reads the pictures, which stand after the logs. */
  readPictures() {
    this.pictures = Pictures.read("log", this.index);
    this.otherPictures = Pictures.read("other", this.index);
  }

  /** Puts the actions that only the other log has between those of this one. */
  insertRows() {
    if (this.comparison === undefined) return;
    this.otherView = this.makeOtherView();
    /** @type {Map<number, number[]>} */
    const inserted = new Map();
    for (const place of this.alignment.places) {
      const step = place === 0 ? 0 : this.log.stepOfSeq(place);
      const steps = this.alignment.loneAt(place).filter((one) => one.isOther && one.isAction).map((one) => this.other.stepOfSeq(one.seq)).filter((other) => other >= 0);
      if (steps.length === 0) continue;
      for (const other of steps) this.other.flag(other, Flag.differs);
      const anchor = step < 0 ? this.log.stepCount - 1 : step;
      inserted.set(anchor, [...(inserted.get(anchor) ?? []), ...steps]);
    }
    if (inserted.size === 0) return;
    const rows = [];
    for (let step = 0; step < this.log.stepCount; step += 1) {
      rows.push(step, ...(inserted.get(step) ?? []).map((other) => -1 - other));
    }
    this.rows = Int32Array.from(rows);
    this.places = new Map(rows.map((id, place) => [id, place]));
  }

  /**
   * The other log with everything that is said of a log, but without a comparison.
   * @returns {Model}
   */
  makeOtherView() {
    /** @type {Model} */
    const view = Object.create(this);
    view.log = this.other;
    view.states = this.otherStates;
    view.titles = new Map();
    view.differences = new Map();
    view.comparison = undefined;
    view.alignment = new Alignment(undefined);
    view.about = this.comparison ?? new Map();
    view.bookmarks = new Set();
    view.pinned = -1;
    view.rows = undefined;
    view.pictures = this.otherPictures;
    view.otherPictures = undefined;
    view.vocabulary = new Vocabulary(view);
    view.idOf = (other) => {
      if (this.places.has(-1 - other)) return -1 - other;
      const seq = other === 0 ? 0 : this.alignment.ownSeq(this.other.stepSeqs.values[other]);
      return seq === undefined ? -1 : seq === 0 ? 0 : this.log.stepOfSeq(seq);
    };
    view.mainStep = (other) => this.anchorOf(view.idOf(other));
    return view;
  }

  /**
   * The step of the shown log at which a step of this one stands.
   * @param {number} step
   */
  mainStep(step) {
    return step;
  }

  /**
   * The row's id of a step.
   * @param {number} step
   */
  idOf(step) {
    return step;
  }

  /**
   * The step of this log at which a row stands.
   * @param {number} id
   */
  anchorOf(id) {
    if (id >= 0 || this.rows === undefined) return Math.max(id, 0);
    let place = this.places.get(id) ?? 0;
    while (place > 0 && this.rows[place] < 0) place -= 1;
    return Math.max(this.rows[place], 0);
  }

  /**
   * The step of the other log that corresponds to one of this log; -1 for none.
   * @param {number} step
   */
  otherStep(step) {
    if (this.comparison === undefined) return -1;
    if (step === 0) return 0;
    const seq = this.alignment.otherSeq(this.log.stepSeqs.values[step]);
    return seq === undefined ? -1 : this.other.stepOfSeq(seq);
  }

  /**
   * Marks a step that differs.
   * @param {number} step
   * @returns {Map<string, any>[]} Its differences so far.
   */
  differ(step) {
    const known = this.differences.get(step) ?? [];
    this.differences.set(step, known);
    this.log.flag(step, Flag.differs);
    return known;
  }

  /**
   * Whether this log and the other one have the same action at different places of their order, or only one of them has it.
   * @param {number} step
   * @returns {import("./alignment.mjs").Lone[]}
   */
  loneAt(step) {
    return this.alignment.loneAt(step === 0 ? 0 : this.log.stepSeqs.values[step]);
  }

  /**
   * The state of the replay, or of the other log, after a step.
   * @param {number} step
   */
  otherAfter(step) {
    const other = this.otherStep(step);
    return other < 0 ? undefined : this.alignment.translated(this.otherStates.after(other));
  }

  /**
   * What a row says.
   * @param {number} step
   * @returns {string}
   */
  title(step) {
    const known = this.titles.get(step);
    if (known !== undefined) return known;
    if (this.titles.size > mostTitles) this.titles.clear();
    const text = this.makeTitle(step);
    this.titles.set(step, text);
    return text;
  }

  /** @param {number} step */
  makeTitle(step) {
    switch (this.log.stepKinds.values[step]) {
      case Kind.start: return "the first state";
      case Kind.action: return this.rowNotation.action(this.log.eventOf(step).get("action") ?? null);
      case Kind.excluded: return excludedTitle;
      case Kind.external: return externalTitle;
      case Kind.withheld: return withheldCases(this.log.eventOf(step).get("cases"));
      case Kind.gap: {
        const event = this.log.eventOf(step);
        return `gap: ${counted(Number(literal(event.get("dropped") ?? 0)), "event")} missing: ${visible(String(event.get("reason") ?? ""))}`;
      }
      case Kind.note: return `note: ${visible(String(this.log.eventOf(step).get("text") ?? ""))}`;
      default: return "";
    }
  }

  /**
   * The operations of a step's change.
   * @param {number} step
   */
  operations(step) {
    const line = this.log.stepChanges.values[step];
    return line < 0 ? [] : readPatch(this.log.event(line).get("patch") ?? []);
  }

  /**
   * The places that a step changed, each once.
   * @param {number} step
   * @returns {string[]}
   */
  changedPlaces(step) {
    if (this.log.hasFlag(step, Flag.unchanged) || this.log.stepChanges.values[step] < 0) return [];
    const text = this.log.line(this.log.stepChanges.values[step]);
    const places = new Set();
    for (const match of text.matchAll(/"op":"[a-z]+","path":"((?:[^"\\]|\\.)*)"/g)) {
      places.add(this.placeText(step, pointerTokens(parseJSON(`"${match[1]}"`))) || "the whole state");
      if (places.size > 40) break;
    }
    return [...places];
  }

  /**
   * A place that a step changed, as it is read.
   * @param {number} step
   * @param {string[]} tokens
   */
  placeText(step, tokens) {
    return this.fixedPlaceText(tokens) ?? placeText(tokens, undefined, located(this.states.before(step), tokens));
  }

  /**
   * A place that reads the same at every step; `undefined` when it depends on the containers that a state has.
   * @param {string[]} tokens
   * @returns {string | undefined}
   */
  fixedPlaceText(tokens) {
    if (tokens.every((token) => arrayIndex(token) < 0)) return placeText(tokens);
    // The first state mostly has the containers, so that no other is made.
    const first = this.states.after(0);
    const isKnown = tokens.every((token, depth) => arrayIndex(token) < 0 || valueAt(first, tokens.slice(0, depth)) !== undefined);
    return isKnown ? placeText(tokens, undefined, located(first, tokens)) : undefined;
  }

  /** The step at which there is most to see: the first difference, else where the log ends within an action, else a failure, else the first action. */
  firstOfInterest() {
    const { log } = this;
    const verdict = this.comparison?.get("verdicts")?.[0];
    if (verdict?.get("at") !== undefined && verdict.get("verdict") !== "identical" && verdict.get("verdict") !== "cut") {
      const step = log.stepOfSeq(Number(literal(verdict.get("at"))));
      if (step >= 0) return step;
    }
    let failure = -1;
    for (let step = 0; step < log.stepCount; step += 1) {
      if (log.hasFlag(step, Flag.differs)) return step;
      if (failure < 0 && this.hasFailed(step)) failure = step;
    }
    if (log.stepCount > 0 && this.isOpen(log.owner)) return log.owner;
    return failure >= 0 ? failure : Math.min(1, log.stepCount - 1);
  }
}
