// The log as the page holds it: its text in chunks of whole lines, and an index of lines, steps and effects that is made as the text
// arrives. Values are read from the text when they are shown.

import { Column } from "./arrays.mjs";
import { JSONError, isObject, literal, parseJSON } from "./json.mjs";
import { Notation } from "./notation.mjs";
import { flatEffects } from "./text.mjs";
import { visible } from "./visible.mjs";

/** The kinds of events. */
export const Kind = {
  unknown: 0, header: 1, checkpoint: 2, withheld: 3, action: 4, read: 5, change: 6, effect: 7,
  external: 8, excluded: 9, gap: 10, note: 11, finding: 12, end: 13, start: 14, call: 15,
};
const kinds = /** @type {Record<string, number>} */ (Kind);

const callPattern = /\{"kind":"call","id":"(\d+\.\d+)"/y;

/** What is known of a step. */
export const Flag = {
  /** The reducer changed nothing. */
  unchanged: 1,
  /** It returned effects. */
  effects: 2,
  /** The log has no change of the action: it was not finished. */
  unfinished: 4,
  /** The action holds the failure of a `Result`, or an effect failed. */
  failed: 8,
  /** A replay, or another log, differs here. */
  differs: 16,
  /** The library of effects canceled one. */
  cancels: 32,
  /** It has findings. */
  findings: 64,
  /** A note that the app made while it handled the action before it: lines that follow belong to the action. */
  inside: 128,
};

/** Who sent an action, where it was no other action. */
export const Sender = { view: 0, parent: -1, unknown: -2 };

/** How the life of an effect ended. */
export const Ending = { none: 0, finished: 1, cancelled: 2, failed: 3 };

const actionPattern =
  /\{"kind":"action","seq":(\d+),"at":(\d+),"origin":(?:"(view|parent)"|\{"effect":"((\d+)\.\d+)"(?:,"via":"[a-z]*")?\}|\{"reentrant":(\d+)\}),/y;
const effectPattern = /\{"kind":"effect","id":"(\d+\.\d+)","event":"(started|finished|cancelled|failed)"/y;
const usPattern = /"us":(\d+)\}$/;
/** Numbers that are farther from those before them are kept in another way: a log may name any number. */
const widestGap = 65536;
const failurePattern = /\{"failure":\{"_0":/;

/**
 * What stands for characters that a page cannot hold in a script.
 * @type {Record<string, string>}
 */
const escapedCharacters = { l: "<", r: "\r", 0: "\0", 1: "\u0001" };

/**
 * A line of a log as it was before it was put in a page.
 * @param {string} text
 */
export function unescapeLine(text) {
  // eslint-disable-next-line no-control-regex
  return text.includes("\u0001") ? text.replace(/\u0001([lr01])/g, (_, letter) => escapedCharacters[letter]) : text;
}

export class Log {
  constructor() {
    /** @type {string[]} */
    this.chunks = [];
    this.firstLines = new Column(Uint32Array);
    this.lineStarts = new Column(Uint32Array);
    this.lineKinds = new Column(Uint8Array);
    // Steps: what the list has a row for. The first one is the start.
    this.stepLines = new Column(Uint32Array);
    this.stepKinds = new Column(Uint8Array);
    this.stepFlags = new Column(Uint8Array);
    this.stepSeqs = new Column(Float64Array);
    this.stepTimes = new Column(Float64Array);
    this.stepSenders = new Column(Int32Array);
    this.stepDepths = new Column(Uint8Array);
    this.stepDurations = new Column(Int32Array);
    this.stepChanges = new Column(Int32Array);
    /** The steps at whose end the log has the whole state, and the lines of these checkpoints. */
    this.checkpointSteps = new Column(Uint32Array);
    this.checkpointLines = new Column(Uint32Array);
    /**
     * The effects, with the steps after which they made calls and the steps that they sent. The label is empty for one that the log gives no name.
     * @type {{ id: string, label: string, source: string, op: string, start: number, end: number, ending: number, calls: number[], sent: number[] }[]}
     */
    this.effects = [];
    this.notation = new Notation();
    /** @type {Map<string, number>} */
    this.effectNumbers = new Map();
    /**
     * The header.
     * @type {Map<string, any> | undefined}
     */
    this.header = undefined;
    /**
     * The `end`, when the log was closed.
     * @type {Map<string, any> | undefined}
     */
    this.end = undefined;
    this.actionCount = 0;
    this.missingEvents = 0;
    this.gapCount = 0;
    this.unknownLines = 0;
    this.position = 0;
    this.chunk = 0;
    /** The step to which the next lines belong, unless they begin another one. */
    this.owner = -1;
    this.firstSeq = -1;
    this.stepsOfSeqs = new Column(Int32Array);
    /**
     * The same for numbers far from those before them.
     * @type {Map<number, number>}
     */
    this.stepsOfFarSeqs = new Map();
  }

  /**
   * Adds text that ends with a whole line.
   * @param {string} text
   */
  append(text) {
    if (text === "") return;
    this.chunks.push(text);
  }

  /** The number of lines that are indexed. */
  get lineCount() {
    return this.lineKinds.length;
  }

  get stepCount() {
    return this.stepLines.length;
  }

  /** Whether all text was indexed. */
  get isIndexed() {
    return this.chunk >= this.chunks.length;
  }

  /**
   * Indexes lines for some time.
   * @param {() => boolean} isDue Whether to stop.
   */
  index(isDue) {
    let count = 0;
    while (this.chunk < this.chunks.length) {
      const text = this.chunks[this.chunk];
      if (this.position === 0) this.firstLines.push(this.lineCount);
      while (this.position < text.length) {
        const newline = text.indexOf("\n", this.position);
        const end = newline < 0 ? text.length : newline;
        try {
          this.addLine(text, this.position, end);
        } catch (error) {
          // A line that another program has damaged is counted, and shown with the others of its step.
          if (!(error instanceof JSONError || error instanceof TypeError)) throw error;
          this.unknownLines += 1;
        }
        this.position = end + 1;
        count += 1;
        if (count % 256 === 0 && isDue()) return;
      }
      this.chunk += 1;
      this.position = 0;
    }
  }

  /**
   * The text of a line, as it stands in the log.
   * @param {number} line
   */
  line(line) {
    const chunk = this.firstLines.lastAtMost(line);
    const text = this.chunks[chunk];
    const start = this.lineStarts.values[line];
    const next = line + 1 < this.lineCount && this.firstLines.lastAtMost(line + 1) === chunk
      ? this.lineStarts.values[line + 1] - 1 : text.indexOf("\n", start);
    return unescapeLine(text.slice(start, next < 0 ? text.length : next));
  }

  /**
   * The event on a line.
   * @param {number} line
   * @returns {Map<string, any>}
   */
  event(line) {
    return parseJSON(this.line(line));
  }

  /**
   * @param {string} chunk
   * @param {number} start
   * @param {number} end
   */
  addLine(chunk, start, end) {
    const line = this.lineCount;
    const kind = this.kindOf(chunk, start, end);
    this.lineStarts.push(start);
    this.lineKinds.push(kind);
    switch (kind) {
      case Kind.header:
        if (this.header !== undefined) break;
        this.header = parseJSON(unescapeLine(chunk.slice(start, end)));
        break;
      case Kind.checkpoint: this.addCheckpoint(line, chunk, start, end); break;
      case Kind.action: this.addAction(line, chunk, start, end); break;
      case Kind.change: this.addChange(line, chunk, start, end); break;
      case Kind.effect: this.addTurn(chunk, start, end); break;
      case Kind.call: this.addCall(chunk, start, end); break;
      case Kind.excluded:
      case Kind.external:
      case Kind.gap:
      case Kind.note:
      case Kind.withheld: this.addOther(line, kind, parseJSON(unescapeLine(chunk.slice(start, end)))); break;
      case Kind.finding: this.flag(this.owner, Flag.findings); break;
      case Kind.end: this.end = parseJSON(unescapeLine(chunk.slice(start, end))); break;
      case Kind.unknown: if (end > start) this.unknownLines += 1; break;
    }
  }

  /**
   * @param {string} chunk
   * @param {number} start
   * @param {number} end
   */
  kindOf(chunk, start, end) {
    if (chunk.startsWith('{"kind":"', start)) {
      const quote = chunk.indexOf('"', start + 9);
      return kinds[chunk.slice(start + 9, quote)] ?? Kind.unknown;
    }
    const text = chunk.slice(start, end);
    if (text.trim() === "") return Kind.unknown;
    try {
      return kinds[parseJSON(unescapeLine(text)).get("kind")] ?? Kind.unknown;
    } catch {
      return Kind.unknown;
    }
  }

  /**
   * @param {number} line
   * @param {number} kind
   * @param {number} seq
   * @param {number} at
   * @param {number} sender
   */
  addStep(line, kind, seq, at, sender) {
    const step = this.stepCount;
    this.stepLines.push(line);
    this.stepKinds.push(kind);
    this.stepFlags.push(0);
    this.stepSeqs.push(seq);
    this.stepTimes.push(at);
    this.stepSenders.push(sender);
    const cause = sender > 0 ? this.stepOfSeq(sender) : -1;
    this.stepDepths.push(cause >= 0 && cause < step ? Math.min(this.stepDepths.values[cause] + 1, 255) : 0);
    this.stepDurations.push(-1);
    this.stepChanges.push(-1);
    if (kind === Kind.note && this.owner >= 0 && this.hasFlag(this.owner, Flag.unfinished)) this.flag(step, Flag.inside);
    else this.owner = step;
    return step;
  }

  /**
   * @param {number} step
   * @param {number} seq
   */
  number(step, seq) {
    if (this.firstSeq < 0) this.firstSeq = seq;
    if (this.stepOfSeq(seq) >= 0) return;
    const index = seq - this.firstSeq;
    if (index < 0 || index > this.stepsOfSeqs.length + widestGap) {
      this.stepsOfFarSeqs.set(seq, step);
      return;
    }
    while (this.stepsOfSeqs.length <= index) this.stepsOfSeqs.push(-1);
    this.stepsOfSeqs.values[index] = step;
  }

  /**
   * The step of an action; -1 for none.
   * @param {number} seq
   */
  stepOfSeq(seq) {
    const index = seq - this.firstSeq;
    if (this.firstSeq < 0) return -1;
    return index >= 0 && index < this.stepsOfSeqs.length ? this.stepsOfSeqs.values[index] : this.stepsOfFarSeqs.get(seq) ?? -1;
  }

  /**
   * @param {number} step
   * @param {number} flag
   */
  flag(step, flag) {
    if (step >= 0) this.stepFlags.values[step] |= flag;
  }

  /**
   * @param {number} step
   * @param {number} flag
   */
  hasFlag(step, flag) {
    return (this.stepFlags.values[step] & flag) !== 0;
  }

  /**
   * @param {number} line
   * @param {string} chunk
   * @param {number} start
   * @param {number} end
   */
  addCheckpoint(line, chunk, start, end) {
    if (this.stepCount === 0) {
      const match = /^\{"kind":"checkpoint","seq":(\d+)/.exec(chunk.slice(start, start + 60));
      this.addStep(line, Kind.start, match ? Number(match[1]) : 0, 0, Sender.view);
      // Effects that were alive when the log began.
      const text = chunk.slice(start, end);
      if (text.includes('"effects":[{')) this.addEffects(parseJSON(unescapeLine(text)).get("effects"), 0);
    }
    this.checkpointSteps.push(this.owner);
    this.checkpointLines.push(line);
  }

  /**
   * @param {number} line
   * @param {string} chunk
   * @param {number} start
   * @param {number} end
   */
  addAction(line, chunk, start, end) {
    let seq, at, sender;
    /** @type {string | undefined} */
    let effect;
    actionPattern.lastIndex = start;
    const match = actionPattern.exec(chunk);
    if (match !== null) {
      seq = Number(match[1]);
      at = Number(match[2]);
      const cause = match[5] ?? match[6];
      sender = cause !== undefined ? Number(cause) : match[3] === "parent" ? Sender.parent : Sender.view;
      effect = match[4];
    } else {
      const event = parseJSON(unescapeLine(chunk.slice(start, end)));
      seq = Number(literal(event.get("seq") ?? 0));
      at = event.has("at") ? Number(literal(event.get("at"))) : NaN;
      sender = senderOf(event.get("origin"));
      if (isObject(event.get("origin"))) effect = event.get("origin").get("effect");
    }
    const last = this.owner;
    let step;
    if (last >= 0 && this.stepKinds.values[last] === Kind.withheld && this.stepSeqs.values[last] === seq) {
      // The value came after all.
      this.stepKinds.values[last] = Kind.action;
      this.stepLines.values[last] = line;
      step = last;
    } else {
      step = this.addStep(line, Kind.action, seq, at, sender);
      this.number(step, seq);
    }
    this.actionCount += 1;
    const origin = this.effectOf(effect);
    origin?.sent.push(step);
    // A `send` has no turns of its own: it ends with the action that it sends.
    if (origin?.op === "send" && origin.end < 0) [origin.end, origin.ending] = [step, Ending.finished];
    this.flag(step, Flag.unfinished);
    if (failurePattern.test(chunk.slice(start, Math.min(end, start + 4096)))) this.flag(step, Flag.failed);
  }

  /**
   * @param {number} line
   * @param {string} chunk
   * @param {number} start
   * @param {number} end
   */
  addChange(line, chunk, start, end) {
    const step = this.owner;
    if (step < 0) return;
    const text = chunk.slice(start, end);
    this.stepChanges.values[step] = line;
    this.stepFlags.values[step] &= ~Flag.unfinished;
    if (/^\{"kind":"change","seq":\d+,"patch":\[\]/.test(text)) this.flag(step, Flag.unchanged);
    const us = usPattern.exec(text.length > 200 ? text.slice(-40) : text);
    if (us !== null) this.stepDurations.values[step] = Math.min(Number(us[1]), 2 ** 31 - 1);
    if (text.includes('"effects":[')) this.addEffects(parseJSON(unescapeLine(text)).get("effects"), step);
  }

  /**
   * @param {any} effects
   * @param {number} step
   */
  addEffects(effects, step) {
    for (const { effect } of flatEffects(effects)) {
      const op = effect.get("op");
      if (op === "run" || op === "send" || op === "cancel") this.flag(step, Flag.effects);
      const id = effect.get("id");
      if (typeof id !== "string" || this.effectNumbers.has(id)) continue;
      this.effectNumbers.set(id, this.effects.length);
      const source = String(effect.get("source") ?? "");
      this.effects.push({ id, label: this.label(effect, source), source, op, start: step, end: -1, ending: Ending.none, calls: [], sent: [] });
    }
  }

  /**
   * The name of an effect in the app, or the id by which it is canceled, or its place in the source, as the command line has it.
   * @param {Map<string, any>} effect
   * @param {string} source
   */
  label(effect, source) {
    if (effect.has("name")) return visible(String(effect.get("name")));
    const id = effect.get("cancelID");
    // The library runs the effects of children under ids of its own.
    if (isObject(id) && id.get("type") !== "ChildEffects") return this.notation.cancelID(id);
    return visible(source.slice(source.lastIndexOf("/") + 1));
  }

  /**
   * An effect as people read it: `save 3.0`, or `effect 3.0` for one without a name.
   * @param {unknown} id
   */
  effectName(id) {
    return `${this.effectOf(id)?.label || "effect"} ${visible(String(id))}`;
  }

  /**
   * The effect with an id; `undefined` for one that the log does not start.
   * @param {unknown} id
   * @returns {(typeof this.effects)[number] | undefined}
   */
  effectOf(id) {
    return this.effects[this.effectNumbers.get(/** @type {any} */ (id)) ?? -1];
  }

  /**
   * @param {string} chunk
   * @param {number} start
   * @param {number} end
   */
  addTurn(chunk, start, end) {
    effectPattern.lastIndex = start;
    let match = /** @type {ArrayLike<string> | null} */ (effectPattern.exec(chunk));
    if (match === null) {
      const event = parseJSON(unescapeLine(chunk.slice(start, end)));
      match = ["", String(event.get("id")), String(event.get("event"))];
    }
    const step = this.owner;
    if (match[2] === "failed") this.flag(step, Flag.failed);
    if (match[2] === "cancelled") this.flag(step, Flag.cancels);
    const effect = this.effectOf(match[1]);
    if (effect === undefined) return;
    if (match[2] === "started") {
      effect.start = step;
    } else {
      if (effect.ending !== Ending.cancelled) effect.ending = /** @type {any} */ (Ending)[match[2]] ?? Ending.finished;
      effect.end = step;
    }
  }

  /**
   * @param {string} chunk
   * @param {number} start
   * @param {number} end
   */
  addCall(chunk, start, end) {
    callPattern.lastIndex = start;
    const id = callPattern.exec(chunk)?.[1] ?? String(parseJSON(unescapeLine(chunk.slice(start, end))).get("id"));
    this.effectOf(id)?.calls.push(this.owner);
  }

  /**
   * @param {number} line
   * @param {number} kind
   * @param {Map<string, any>} event
   */
  addOther(line, kind, event) {
    const seq = Number(literal(event.get("seq") ?? 0));
    const at = event.has("at") ? Number(literal(event.get("at"))) : NaN;
    const sender = event.has("origin") ? senderOf(event.get("origin")) : Sender.unknown;
    const step = this.addStep(line, kind, seq, at, sender);
    if (kind === Kind.excluded) {
      this.number(step, seq);
      this.stepChanges.values[step] = line;
      this.addEffects(event.get("effects"), step);
    } else if (kind === Kind.external) {
      this.stepChanges.values[step] = line;
    } else if (kind === Kind.gap) {
      this.gapCount += 1;
      this.missingEvents += Number(literal(event.get("dropped") ?? 0));
    } else if (kind === Kind.withheld) {
      this.number(step, seq);
      this.flag(step, Flag.unfinished);
    }
  }

  /**
   * The lines of a step: from its own to before the next one's, with notes that were made meanwhile.
   * @param {number} step
   * @returns {[number, number]}
   */
  linesOf(step) {
    const start = step === 0 ? 0 : this.stepLines.values[step];
    if (this.hasFlag(step, Flag.inside)) return [start, start + 1];
    let next = step + 1;
    while (next < this.stepCount && this.hasFlag(next, Flag.inside)) next += 1;
    return [start, next < this.stepCount ? this.stepLines.values[next] : this.lineCount];
  }

  /**
   * The event of a step.
   * @param {number} step
   */
  eventOf(step) {
    return this.event(this.stepLines.values[step]);
  }

  /**
   * The events of a step by kind.
   * @param {number} step
   * @param {number} kind
   * @returns {Map<string, any>[]}
   */
  eventsOf(step, kind) {
    const [start, end] = this.linesOf(step);
    const events = [];
    for (let line = start; line < end; line += 1) if (this.lineKinds.values[line] === kind) events.push(this.event(line));
    return events;
  }

  /**
   * The steps that an action led to.
   * @param {number} step
   * @param {number} most
   */
  ledTo(step, most) {
    const seq = this.stepSeqs.values[step];
    const found = [];
    const senders = this.stepSenders.values;
    if (seq <= 0) return [];
    for (let next = step + 1; next < this.stepCount && found.length < most; next += 1) {
      if (senders[next] === seq) found.push(next);
    }
    return found;
  }

  /**
   * The step that sent an action; -1 for none.
   * @param {number} step
   */
  causeOf(step) {
    const sender = this.stepSenders.values[step];
    const cause = sender > 0 ? this.stepOfSeq(sender) : -1;
    return cause < step ? cause : -1;
  }
}

/** @param {any} origin */
function senderOf(origin) {
  if (origin === "view") return Sender.view;
  if (origin === "parent") return Sender.parent;
  if (!isObject(origin)) return Sender.unknown;
  if (origin.has("effect")) return Number.parseInt(String(origin.get("effect")), 10) || Sender.unknown;
  return Number(literal(origin.get("reentrant") ?? 0)) || Sender.unknown;
}
