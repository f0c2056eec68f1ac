// The selected step: what it changed and why it came, what it started and led to, and its lines.

import { changesOf, hasChange } from "./changes.mjs";
import { stepCommands } from "./commands.mjs";
import { colored, copyButton, element, link, part } from "./dom.mjs";
import { isObject, literal } from "./json.mjs";
import { Ending, Flag, Kind } from "./log.mjs";
import { noLimits } from "./notation.mjs";
import { placeText } from "./place.mjs";
import { pointerTokens } from "./pointer.mjs";
import { callText, causeText, counted, durationText, effectTitle, flatEffects, isBareEnd, originText, timeText, turnText } from "./text.mjs";
import { visible } from "./visible.mjs";
import { editsOf, whatIfControls } from "./whatif.mjs";
/** @typedef {import("./model.mjs").Model} Model */
/** @typedef {import("./changes.mjs").Change} Change */

const mostChanges = 60;
const mostLinks = 20;
const mostLedTo = 30;
/** Longer lines are shown when they are asked for. */
const longestLine = 4000;

export class StepView {
  /**
   * @param {Model} model
   * @param {{ select: (step: number) => void, history: (path: string[]) => void, toggle: (word: string) => void, bookmark: () => void, pin: () => void,
   *   whatIf: (edits: import("./whatif.mjs").Edit[]) => void }} actions
   */
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.pane = part("step");
    this.areLinesOpen = false;
    this.isActionOpen = false;
  }

  /**
   * @param {Model} model The log that has the step.
   * @param {number} step
   * @param {boolean} [isAgain] Whether it is there, and stays where it is scrolled to.
   */
  show(model, step, isAgain = false) {
    this.model = model;
    const { log } = model;
    const { scrollTop } = isAgain ? this.pane : { scrollTop: 0 };
    const kind = log.stepKinds.values[step];
    this.pane.replaceChildren(
      this.title(step, kind),
      ...[
        this.differences(step), this.lone(step), this.problem(step), this.change(step, kind), this.pictures(step), this.causes(step, kind), this.effects(step), this.ledTo(step),
        this.reads(step), this.calls(step), this.turns(step), this.findings(step), this.action(step, kind), this.start(step, kind), this.counterparts(step), this.goOn(step), this.lines(step),
      ].filter((block) => block !== undefined),
    );
    // Not before the browser lays the page out anyway.
    requestAnimationFrame(() => {
      this.pane.scrollTop = scrollTop;
    });
  }

  /**
   * @param {string} name
   * @param {string | undefined} note
   * @param {...any} children
   */
  block(name, note, ...children) {
    return element("section.block", {}, element("h2", {}, name, ...(note === undefined ? [] : [element("span.dim", {}, note)])), ...children);
  }

  /**
   * A step that can be gone to.
   * @param {number} step
   */
  stepLink(step) {
    const { log } = this.model;
    const seq = log.stepKinds.values[step] === Kind.start ? "" : `#${log.stepSeqs.values[step]} `;
    return link(element("span.code", {}, element("span.dim", {}, seq), ...colored(this.model.title(step))), () => this.actions.select(this.model.idOf(step)));
  }

  /**
   * @param {number} step
   * @param {number} kind
   */
  title(step, kind) {
    const { log, model } = { log: this.model.log, model: this.model };
    const isAction = kind === Kind.action;
    const event = step === 0 ? undefined : log.eventOf(step);
    const text = isAction ? model.notation.action(event?.get("action") ?? null) : model.title(step);
    const facts = [];
    if (event?.has("origin")) facts.push(originText(event.get("origin"), (id) => this.effectName(id)));
    if (kind !== Kind.start) facts.push(timeText(log.stepTimes.values[step]));
    if (log.stepDurations.values[step] >= 0) facts.push(`took ${durationText(log.stepDurations.values[step])}`);
    const otherSeq = isAction && model.alignment.isKnown ? model.alignment.otherSeq(log.stepSeqs.values[step]) : undefined;
    if (otherSeq !== undefined) facts.push(`action ${otherSeq} of ${visible(String(model.comparison?.get("name") ?? "the other log"))}`);
    const cause = log.causeOf(step);
    const first = log.ledTo(step, 1)[0];
    const nav = [];
    if (cause >= 0) nav.push(element("button", { type: "button", title: "[", onclick: () => this.actions.select(this.model.idOf(cause)) }, "↑ cause"));
    if (first !== undefined) nav.push(element("button", { type: "button", title: "]", onclick: () => this.actions.select(this.model.idOf(first)) }, "↓ led to"));
    if (isAction) {
      const path = model.notation.casePath(event?.get("action") ?? null);
      nav.push(element("button", { type: "button", title: "filter by this case", onclick: () => this.actions.toggle(path) }, "≡ all of this case"));
    }
    const isMain = model === model.main;
    if (isMain) nav.push(element("button", { type: "button", title: "Bookmark (m); n goes to the next one", "aria-pressed": String(model.bookmarks.has(step)), onclick: () => this.actions.bookmark() },
      model.bookmarks.has(step) ? "★ bookmarked" : "☆ bookmark"));
    const isPinned = model.pinned === step;
    if (isMain) nav.push(element("button", { type: "button", title: "Pin this action, to compare the states of others with its state (p)", "aria-pressed": String(isPinned), onclick: () => this.actions.pin() },
      isPinned ? "pinned" : "pin"));
    if (isAction) nav.push(copyButton("action", () => model.notation.limited(noLimits).lines(event?.get("action") ?? null), "copy"));
    const name = kind === Kind.start ? "before the first action" : `action ${log.stepSeqs.values[step]}`;
    if (model !== model.main) facts.unshift(`only in ${visible(String(model.about.get("name") ?? "the other log"))}`);
    return element("div.title", {},
      element("h3.code", {}, ...(isAction ? [element("span.dim", {}, `${log.stepSeqs.values[step]}  `)] : []), ...colored(text)),
      element("p", {}, [isAction ? undefined : name, ...facts].filter((fact) => fact).join(" · ")),
      nav.length > 0 ? element("div.nav", {}, ...nav) : undefined);
  }

  /** @param {number} step */
  differences(step) {
    const { model } = this;
    const differences = model.differences.get(step);
    if (differences === undefined || differences.length === 0) return undefined;
    const names = model.isReplay ? ["recorded", "replayed"] : ["this log", visible(model.comparison.get("name") ?? "the other")];
    const state = model.states.after(step);
    const rows = differences.slice(0, mostChanges).map((difference) => {
      const cause = difference.get("cause");
      const subject = difference.get("subject") ?? "";
      const isPlace = subject.startsWith("/");
      const where = isPlace ? placeText(pointerTokens(subject), state) : cause === "sequence" ? "the next event" : visible(subject + (difference.has("member") ? `/${difference.get("member")}` : ""));
      const place = isPlace && cause === "state"
        ? link(where, () => this.actions.history(pointerTokens(subject)), { title: "show its history" }) : where;
      const parts = [element("div.where", {}, place || causeText(cause))];
      for (const [name, side] of /** @type {["expected", "old"][]} */ ([["expected", "old"], ["actual", "new"]])) {
        if (!difference.has(name)) continue;
        const value = difference.get(name);
        // What is not a value of the app is said in words.
        parts.push(cause === "sequence" && typeof value === "string" ? element(`div.${side}`, {}, visible(value)) : this.side(side, value));
      }
      if (!difference.has("expected") && difference.has("actual")) parts.splice(1, 0, element("div.old.dim", {}, "nothing"));
      if (difference.has("expected") && !difference.has("actual")) parts.push(element("div.new.dim", {}, "nothing"));
      if (difference.has("message")) parts.push(element("p", {}, visible(String(difference.get("message")))));
      return element("div", {}, ...parts);
    });
    const causes = [...new Set(differences.map((difference) => causeText(difference.get("cause"))))];
    const block = this.block(model.isReplay ? "The replay differs" : "The logs differ", `in ${causes.join(", ")}`,
      element("p.legend", {}, `− ${names[0]}   + ${names[1]}`), element("div.diff", {}, ...rows));
    block.classList.add("bad");
    return block;
  }

  /**
   * What only one of two logs has at a step, or has at another place.
   * @param {number} step
   */
  lone(step) {
    const { model } = this;
    const all = model.loneAt(step);
    if (all.length === 0) return undefined;
    const other = visible(String(model.comparison?.get("name") ?? "the other log"));
    const rows = all.slice(0, mostChanges).map((one) => {
      const name = one.isOther ? other : "this log";
      const where = one.movedTo === undefined ? `only in ${name}` : `${name}; ${one.isOther ? "this log" : other} has it ${one.isAction ? "as" : "after"} action ${one.movedTo}`;
      const text = one.action === undefined ? [one.title] : colored(`${one.seq}  ${model.notation.action(one.action)}`);
      return element("div", {}, element(one.isOther ? "div.new" : "div.old", {}, ...text), element("p.dim", {}, where));
    });
    const more = all.length > mostChanges ? [element("p.dim", {}, `… and ${all.length - mostChanges} more`)] : [];
    const block = this.block("Without a counterpart here", undefined, element("div.diff", {}, ...rows), ...more);
    block.classList.add("bad");
    return block;
  }

  /**
   * @param {"old" | "new"} side
   * @param {any} value
   */
  side(side, value) {
    return element(`div.${side}`, {}, ...colored(this.model.notation.value(value)));
  }

  /** @param {number} step */
  problem(step) {
    const { model } = this;
    model.states.after(step);
    const problem = model.states.problems.get(step);
    if (problem === undefined) return undefined;
    const block = this.block("The patch does not fit", undefined, element("p", {}, visible(problem)));
    block.classList.add("bad");
    return block;
  }

  /**
   * @param {number} step
   * @param {number} kind
   */
  change(step, kind) {
    const { model } = this;
    const { log } = model;
    if (!hasChange(kind)) return undefined;
    if (log.hasFlag(step, Flag.unfinished)) {
      const isLast = step === log.owner;
      if (!model.isOpen(step)) return this.block("Change", undefined, element("p.dim", {}, "The app handles this action."));
      const block = this.block("No change", undefined, element("p", {},
        isLast ? "The log ends within this action: the app ended, or was cut off, while the action was handled."
          : "The log has no change of this action: what came of it is missing."));
      block.classList.add("bad");
      return block;
    }
    const state = model.states.before(step);
    model.states.after(step);
    if (model.states.problems.has(step)) return undefined;
    const changes = changesOf(state, model.operations(step), mostChanges + 1);
    if (changes.length === 0) return this.block("Change", undefined, element("p.dim", {}, "The state stayed as it was."));
    const rows = changes.slice(0, mostChanges).map((change) => this.changed(change, state, model.states.after(step)));
    const more = changes.length > mostChanges ? [element("p.dim", {}, "… more changes: see the lines of the log")] : [];
    return this.block("Change", undefined, element("div.diff", {}, ...rows), ...more);
  }

  /**
   * What the user saw before and after the step, and what the replay or the other log has of it.
   * @param {number} step
   */
  pictures(step) {
    const { model } = this;
    const { pictures, otherPictures } = model;
    const seq = step === 0 ? 0 : model.log.stepSeqs.values[step];
    const now = pictures?.frameOf(seq);
    const before = pictures?.frameBefore(seq);
    const otherSeq = otherPictures === undefined ? undefined : model.alignment.otherSeq(seq);
    const other = otherSeq === undefined ? undefined : otherPictures?.frameOf(otherSeq);
    const isUnchanged = now !== undefined && before === now;
    let note = isUnchanged ? "unchanged" : undefined;
    const shown = [];
    if (pictures !== undefined && before !== undefined && !isUnchanged) shown.push(figure("before", pictures.image(before)));
    if (pictures !== undefined && now !== undefined) shown.push(figure(step === 0 || isUnchanged ? "" : "after", pictures.image(now)));
    if (otherPictures !== undefined && other !== undefined) {
      const name = model.isReplay ? "the replay" : visible(String(model.comparison?.get("name") ?? "the other log"));
      if (now?.picture !== undefined && now.picture.digest === other.picture?.digest) note = isUnchanged ? `unchanged, and the same in ${name}` : `the same in ${name}`;
      else shown.push(figure(`in ${name}`, otherPictures.image(other)));
    }
    if (shown.length === 0) return undefined;
    return this.block(shown.length > 1 ? "Pictures" : "Picture", note, element("div.screens", {}, ...shown));
  }

  /**
   * @param {Change} change
   * @param {any} state
   * @param {any} after
   */
  changed(change, state, after) {
    const { notation } = this.model;
    const text = placeText(change.path, change.after === undefined ? state : after ?? state) || "the whole state";
    const where = element("div.where", {}, link(text, () => this.actions.history(change.path), { title: "show every value it had" }),
      ...(change.at === undefined ? [] : [element("span.dim", {}, `  at byte ${change.at} of the text`)]), copyButton("place", () => text));
    if (change.from !== undefined) {
      return element("div", {}, where, element("div.move", {}, `${change.isCopy === true ? "copied" : "moved"} from ${placeText(change.from, state)}`));
    }
    const old = change.before === undefined ? undefined : notation.value(change.before);
    const now = change.after === undefined ? undefined : notation.value(change.after);
    if (old !== undefined && now !== undefined && typeof change.before === "string" && typeof change.after === "string") {
      return element("div", {}, where, ...partwise(old, now));
    }
    return element("div", {}, where,
      old === undefined ? undefined : element("div.old", {}, ...colored(old)),
      now === undefined ? undefined : element("div.new", {}, ...colored(now)));
  }

  /**
   * @param {number} step
   * @param {number} kind
   */
  causes(step, kind) {
    const { log } = this.model;
    if (kind === Kind.start || kind === Kind.gap || kind === Kind.note) return undefined;
    const chain = [step];
    for (let cause = log.causeOf(step); cause >= 0 && chain.length < mostLinks; cause = log.causeOf(cause)) chain.push(cause);
    const last = chain[chain.length - 1];
    // The title says who sent it, if there is no more to say.
    if (chain.length === 1 && kind !== Kind.external) return undefined;
    const rows = [];
    if (log.causeOf(last) >= 0) rows.push(element("li.dim", {}, "…"));
    else rows.push(element("li.dim", {}, rootText(log.stepKinds.values[last], log.stepSenders.values[last])));
    for (const link of chain.reverse()) {
      const row = element(link === step ? "li.here" : "li", {}, link === step ? element("span.code", {}, ...colored(this.model.title(link))) : this.stepLink(link));
      const via = this.via(link);
      if (via !== undefined) row.prepend(element("span.dim", {}, `${via} `));
      rows.push(row);
    }
    return this.block("Why", undefined, element("ol.list.chain", {}, ...rows));
  }

  /**
   * An effect as people read it.
   * @param {unknown} id
   */
  effectName(id) {
    return this.model.log.effectName(id);
  }

  /**
   * What brought an action: the effect that sent it.
   * @param {number} step
   */
  via(step) {
    const { log } = this.model;
    if (log.stepSenders.values[step] <= 0 || log.stepKinds.values[step] === Kind.external) return undefined;
    const origin = log.eventOf(step).get("origin");
    if (!isObject(origin)) return undefined;
    if (!origin.has("effect")) return "→ while it was handled:";
    return `→ ${this.effectName(origin.get("effect"))} sent`;
  }

  /** @param {number} step */
  ledTo(step) {
    const { log } = this.model;
    const steps = log.ledTo(step, mostLedTo + 1);
    if (steps.length === 0) return undefined;
    const rows = steps.slice(0, mostLedTo).map((next) => element("li", {}, this.stepLink(next),
      element("span.dim", {}, `  ${timeText(log.stepTimes.values[next])}`)));
    if (steps.length > mostLedTo) {
      rows.push(element("li", {}, link("all of them", () => this.actions.toggle(`from:${log.stepSeqs.values[step]}`))));
    }
    return this.block("Led to", steps.length > mostLedTo ? `more than ${mostLedTo} actions` : counted(steps.length, "action"), element("ul.list", {}, ...rows));
  }

  /** @param {number} step */
  effects(step) {
    const { log, notation } = this.model;
    const line = log.stepChanges.values[step];
    if (line < 0) return undefined;
    const effects = flatEffects(log.event(line).get("effects"));
    if (effects.length === 0) return undefined;
    const isLibrary = (/** @type {Map<string, any>} */ effect) =>
      effect.get("internal") === true || (isObject(effect.get("cancelID")) && effect.get("cancelID").get("type") === "ChildEffects" && !effect.has("id"));
    const own = effects.filter(({ effect }) => !isLibrary(effect));
    const library = effects.length - own.length;
    const rows = own.map(({ effect }) => this.effect(effect, notation));
    if (library > 0) {
      rows.push(element("li", {}, element("details", {}, element("summary", {}, `${counted(library, "group")} of the library`),
        element("ul.list", {}, ...effects.filter(({ effect }) => isLibrary(effect))
          .map(({ effect }) => element("li.code", {}, ...colored(effectTitle(effect, notation))))))));
    }
    return this.block("Effects", undefined, element("ul.list", {}, ...rows));
  }

  /**
   * @param {Map<string, any>} effect
   * @param {import("./notation.mjs").Notation} notation
   */
  effect(effect, notation) {
    const { log } = this.model;
    const title = effectTitle(effect, notation).replace(/^effect /, "");
    const known = log.effectOf(effect.get("id"));
    const facts = [];
    if (known !== undefined) {
      const { sent } = known;
      for (const step of sent.slice(0, 5)) facts.push(element("li", {}, element("span.dim", {}, "sent "), this.stepLink(step)));
      if (sent.length > 5) facts.push(element("li", {}, link(`${sent.length - 5} more actions`, () => this.actions.toggle(`effect:${known.id}`))));
      const alive = known.op === "send" ? "not sent in this log" : this.model.isLive ? "still alive" : "still alive at the end of the log";
      const ending = [alive, "finished", "canceled", "failed"][known.ending];
      facts.push(element("li", {}, element("span.dim", {}, known.ending === Ending.none ? ending : `${ending} after `),
        ...(known.ending === Ending.none ? [] : [this.stepLink(known.end)])));
    }
    const source = effect.has("source") ? [element("div.dim", {}, visible(String(effect.get("source"))))] : [];
    return element("li", {}, element("div.code", {}, ...colored(title)), ...source, element("ul.list.chain", {}, ...facts));
  }

  /** @param {number} step */
  reads(step) {
    const reads = this.model.log.eventsOf(step, Kind.read);
    if (reads.length === 0) return undefined;
    const rows = reads.flatMap((read) => [
      element("span.k", {}, visible(String(read.get("key")))),
      element("span.v", {}, ...colored(this.model.notation.value(read.get("value") ?? null))),
    ]);
    return this.block("Reads", "what the reducer asked its dependencies", element("div.pair", {}, ...rows));
  }

  /** @param {number} step */
  calls(step) {
    const { log, notation } = this.model;
    const calls = log.eventsOf(step, Kind.call);
    if (calls.length === 0) return undefined;
    const rows = calls.map((call) => {
      const took = call.has("us") ? durationText(Number(literal(call.get("us")))) : "";
      const name = this.effectName(call.get("id"));
      return element("li", {}, element("span.code", {}, ...colored(callText(call, notation))), element("span.dim", {}, ` · ${took} · ${name}`));
    });
    return this.block("Calls", "that effects made", element("ul.list", {}, ...rows));
  }

  /** @param {number} step */
  turns(step) {
    const { log, notation } = this.model;
    const turns = log.eventsOf(step, Kind.effect);
    if (turns.length === 0) return undefined;
    const nameOf = (/** @type {unknown} */ id) => this.effectName(id);
    const rows = turns.map((turn) => {
      const effect = log.effectOf(turn.get("id"));
      const isCancelled = effect?.ending === Ending.cancelled;
      if (isCancelled && isBareEnd(turn)) return undefined;
      return element("li", {}, element("span.code", {}, `${nameOf(turn.get("id"))} `, ...colored(turnText(turn, notation, nameOf, isCancelled))),
        ...(effect === undefined || effect.start === step ? [] : [element("span.dim", {}, " · started by "), this.stepLink(effect.start)]));
    });
    if (rows.every((row) => row === undefined)) return undefined;
    return this.block("Afterwards", undefined, element("ul.list", {}, ...rows));
  }

  /** @param {number} step */
  findings(step) {
    const findings = this.model.log.eventsOf(step, Kind.finding);
    if (findings.length === 0) return undefined;
    const rows = findings.map((finding) => element("li", {}, element("span.code", {}, visible(String(finding.get("code")))),
      ` ${visible(String(finding.get("subject") ?? ""))} ${visible(String(finding.get("message") ?? ""))}`));
    return this.block("Findings", undefined, element("ul.list", {}, ...rows));
  }

  /**
   * @param {number} step
   * @param {number} kind
   */
  action(step, kind) {
    if (kind !== Kind.action) return undefined;
    const action = this.model.log.eventOf(step).get("action") ?? null;
    const text = this.model.notation.limited(noLimits).lines(action);
    // What stands in the title already is not repeated.
    if (!text.includes("\n") && text === this.model.notation.action(action)) return undefined;
    return this.block("Action", undefined, long(text));
  }

  /**
   * @param {number} step
   * @param {number} kind
   */
  start(step, kind) {
    const { model } = this;
    const { header } = model.log;
    if (kind !== Kind.start || header === undefined) return undefined;
    const rows = [];
    for (const [name, value] of header) {
      if (name === "kind" || name === "format") continue;
      rows.push(element("span.k", {}, visible(name)), element("span.v", {}, ...colored(model.notation.value(value))));
    }
    return this.block("Recording", undefined, element("div.pair", {}, ...rows));
  }

  /**
   * The ids and dates of a step that stand for others in the other log.
   * @param {number} step
   */
  counterparts(step) {
    const { log, model } = { log: this.model.log, model: this.model };
    const [start, end] = log.linesOf(step);
    let text = "";
    for (let line = start; line < Math.min(end, start + 200) && model.alignment.otherIds.size > 0; line += 1) text += `${log.line(line)}\n`;
    const pairs = model.alignment.counterparts(text);
    if (pairs.length === 0) return undefined;
    const rows = pairs.flatMap(([own, other]) => [element("span.k", {}, own), element("span.v", {}, other)]);
    return this.block("Ids and dates", `in ${visible(String(model.comparison?.get("name") ?? "the other log"))}`, element("div.pair", {}, ...rows));
  }

  /**
   * Commands that go on from here.
   * @param {number} step
   */
  goOn(step) {
    if (this.model.isLive) return undefined;
    const { model } = this;
    const { log } = model;
    const rows = stepCommands(model, step).map(({ text, purpose }) => element("li", {},
      element("div.command", {}, element("code", {}, text), copyButton(`command: ${purpose}`, () => text)), element("div.dim", {}, purpose)));
    const kind = log.stepKinds.values[step];
    const isChangeable = model === model.main && (kind === Kind.action || kind === Kind.start);
    const whatIf = !isChangeable || !model.isServed ? [] : whatIfControls(model, {
      seq: step === 0 ? 0 : log.stepSeqs.values[step],
      action: kind === Kind.start ? undefined : model.notation.limited(noLimits).action(log.eventOf(step).get("action") ?? null),
    }, (edits) => this.actions.whatIf(edits));
    const ended = editsOf(model) !== undefined && !model.isServed ? [element("p.dim", {}, "The command that served this page has ended: run it again to change what happened.")] : [];
    return this.block(whatIf.length > 0 ? "What if" : "Go on from here", whatIf.length > 0 ? "replayed by the command that serves this page" : undefined,
      ...whatIf, ...ended, element("ul.list", {}, ...rows));
  }

  /** @param {number} step */
  lines(step) {
    const { log, about } = this.model;
    const [start, end] = log.linesOf(step);
    const details = element("details", { open: this.areLinesOpen }, element("summary", {}, counted(end - start, "line")));
    const fill = () => {
      if (details.querySelector(".raw") !== null) return;
      const header = Number(literal(about.get("headerLine") ?? 1));
      const first = Number(literal(about.get("firstLine") ?? header + 2));
      const rows = [];
      for (let line = start; line < Math.min(end, start + 200); line += 1) {
        const text = log.line(line);
        const shown = visible(text, { quote: "\u0001", escapesBackslash: false });
        rows.push(element("span.number", {}, String(line < 2 ? header + line : first + line - 2)), long(shown, "span.l"));
      }
      details.append(element("div.raw", {}, ...rows));
    };
    if (this.areLinesOpen) fill();
    details.addEventListener("toggle", () => {
      this.areLinesOpen = details.open;
      if (details.open) fill();
    });
    return this.block("In the log", undefined, details);
  }
}

/**
 * A long text, of which the rest is shown when it is asked for.
 * @param {string} text
 * @param {string} [tag]
 */
function long(text, tag = "pre.value") {
  if (text.length <= longestLine) return element(tag, {}, ...colored(text));
  const made = element(tag, {}, ...colored(text.slice(0, longestLine / 2)));
  const more = link(` … show all ${text.length.toLocaleString("en-US")} characters`, () => made.replaceChildren(text));
  made.append(more);
  return made;
}

/**
 * Two texts with what differs between them marked.
 * @param {string} old
 * @param {string} now
 */
function partwise(old, now) {
  const [a, b] = [[...old], [...now]];
  let start = 0;
  while (start < Math.min(a.length, b.length) - 1 && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start - 1 && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const side = (/** @type {string} */ name, /** @type {string[]} */ text) => element(`div.${name}`, {},
    text.slice(0, start).join(""), element("span.part", {}, text.slice(start, text.length - end).join("")), text.slice(text.length - end).join(""));
  return [side("old", a), side("new", b)];
}

/**
 * @param {number} kind
 * @param {number} sender
 */
function rootText(kind, sender) {
  if (kind === Kind.external) return "something else than an action of the feature";
  return sender === 0 ? "the view" : sender === -1 ? "an effect of a reducer around the feature" : "something before this log";
}

/**
 * A picture with its name.
 * @param {string} name
 * @param {HTMLElement} image
 */
function figure(name, image) {
  return element("figure.screen", {}, image, name === "" ? undefined : element("figcaption", {}, name));
}
