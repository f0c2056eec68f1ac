// What events say, in the words of the command line.

import { isObject, literal } from "./json.mjs";
import { visible } from "./visible.mjs";
/** @typedef {import("./notation.mjs").Notation} Notation */

/**
 * An effect of which the log tells no name.
 * @param {unknown} id
 */
function namelessEffect(id) {
  return `effect ${visible(String(id))}`;
}

/**
 * The sender of an action.
 * @param {any} origin
 * @param {(id: unknown) => string} nameOf the name of an effect
 */
export function originText(origin, nameOf = namelessEffect) {
  if (origin === "view") return "sent by the view";
  if (origin === "parent") return "sent by an effect of a reducer around the feature";
  if (!isObject(origin)) return "sent by something that this page does not know";
  if (origin.has("effect")) {
    const via = origin.get("via");
    return `sent by ${nameOf(origin.get("effect"))}${via === undefined ? "" : ` through ${visible(String(via))}`}`;
  }
  return `sent while action ${origin.get("reentrant")} was handled`;
}

/**
 * The description of an effect.
 * @param {Map<string, any>} effect
 * @param {Notation} notation
 */
export function effectTitle(effect, notation) {
  let text = "effect ";
  if (effect.has("id")) text += `${effect.get("id")} `;
  text += visible(String(effect.get("op")));
  if (effect.has("name")) text += ` '${visible(effect.get("name"))}'`;
  const id = effect.get("cancelID");
  if (isObject(id)) text += ` id ${notation.cancelID(id)}`;
  if (effect.get("cancelInFlight") === true) text += " canceling what is in flight";
  if (effect.has("action")) text += `  ${notation.action(effect.get("action"))}`;
  if (effect.has("input")) text += `  input ${notation.value(effect.get("input"))}`;
  return effect.get("internal") === true ? `${text} (of the library)` : text;
}

/**
 * A turn in the life of an effect.
 * @param {Map<string, any>} event
 * @param {Notation} notation
 * @param {(id: unknown) => string} nameOf the name of an effect
 * @param {boolean} isCancelled whether the effect was canceled before
 */
export function effectTurn(event, notation, nameOf = namelessEffect, isCancelled = false) {
  return `${nameOf(event.get("id"))} ${turnText(event, notation, nameOf, isCancelled)}`;
}

/**
 * What happened to an effect.
 * @param {Map<string, any>} event
 * @param {Notation} notation
 * @param {(id: unknown) => string} nameOf the name of an effect
 * @param {boolean} isCancelled whether the effect was canceled before
 */
export function turnText(event, notation, nameOf = namelessEffect, isCancelled = false) {
  switch (event.get("event")) {
    case "started": return "started";
    case "finished": {
      const sent = literal(event.get("sent") ?? 0);
      // An effect that was canceled did not finish its work.
      return `${isCancelled ? "ended" : "finished"} after ${sent} ${sent === "1" ? "action" : "actions"}`;
    }
    case "cancelled": return `canceled by ${canceller(event.get("by"), nameOf)}`;
    case "failed": return `failed  ${notation.value(event.get("error") ?? null)}`;
    default: return visible(String(event.get("event")));
  }
}

/**
 * Whether a turn is the end of an effect that was canceled before, and nothing else: it has sent no action.
 * @param {Map<string, any>} event
 */
export function isBareEnd(event) {
  return event.get("event") === "finished" && literal(event.get("sent") ?? 0) === "0";
}

/**
 * A call that an effect made, and what came of it.
 * @param {Map<string, any>} call
 * @param {Notation} notation
 */
export function callText(call, notation) {
  const given = call.get("arguments");
  const values = Array.isArray(given) ? given.map((value) => notation.value(value)).join(", ") : "";
  const result = call.get("result");
  const isVoid = isObject(result) && result.size === 0;
  const outcome = call.has("error") ? ` threw ${notation.value(call.get("error"))}` : !call.has("result") ? " had not ended when the log did"
    : isVoid ? "" : ` → ${notation.value(result)}`;
  return `${visible(String(call.get("key")))}(${values})${outcome}${call.get("cancelled") === true ? ", canceled" : ""}`;
}

/**
 * @param {any} by
 * @param {(id: unknown) => string} nameOf
 */
function canceller(by, nameOf) {
  if (by === "store") return "the end of the store";
  if (isObject(by) && by.has("action")) return `action ${literal(by.get("action"))}`;
  if (isObject(by) && by.has("effect")) return nameOf(by.get("effect"));
  return "the task of its action";
}

/**
 * The effects of a change and those within them, with their depth.
 * @param {any} effects
 * @param {number} [level]
 * @returns {{ effect: Map<string, any>, level: number }[]}
 */
export function flatEffects(effects, level = 0) {
  if (!Array.isArray(effects)) return [];
  return effects.flatMap((effect) => isObject(effect) ? [{ effect, level }, ...flatEffects(effect.get("effects"), level + 1)] : []);
}

/**
 * The cases of an action whose value never came.
 * @param {any} cases
 */
export function withheldCases(cases) {
  return Array.isArray(cases) ? cases.map((name) => `.${visible(String(name))}`).join("") : "";
}

export const withheldForGood = "withheld for the log's masks; its value never came";
export const excludedTitle = "an action that the recording left out";
export const externalTitle = "changed from outside";

/**
 * A time after the start, in a form that people compare.
 * @param {number} microseconds
 */
export function timeText(microseconds) {
  if (!Number.isFinite(microseconds)) return "";
  const seconds = microseconds / 1e6;
  if (seconds < 60) return `+${seconds.toFixed(3)} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(1).padStart(4, "0");
  if (minutes < 60) return `+${minutes}:${rest}`;
  return `+${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/**
 * A duration.
 * @param {number} microseconds
 */
export function durationText(microseconds) {
  if (microseconds < 0) return "";
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(microseconds < 1e4 ? 1 : 0)} ms`;
  return `${(microseconds / 1e6).toFixed(1)} s`;
}

/**
 * A count with its noun.
 * @param {number} count
 * @param {string} noun
 * @param {string} [plural]
 */
export function counted(count, noun, plural = `${noun}s`) {
  return `${count.toLocaleString("en-US")} ${count === 1 ? noun : plural}`;
}

/** The causes of differences in words: for a sentence, and for a badge. */
const causeNames = /** @type {Record<string, [string, string]>} */ ({
  state: ["the state", "state"], effects: ["the effects", "effects"], reads: ["a read", "read"], producedAction: ["an action that the reducer sent", "sent action"],
  action: ["the action", "action"], origin: ["the sender", "sender"], deadEffect: ["an effect that is not alive", "effect not alive"],
  sequence: ["the order of events", "order"], schemaDrift: ["the members of a type", "members of a type"], undecodable: ["a value cannot be read", "unreadable value"],
  notReplayable: ["a value was not recorded", "value not recorded"], opaque: ["an opaque value", "opaque value"],
  trapped: ["the replay trapped, and the recorded app did not", "trapped"], trapGone: ["the recorded app trapped, and the replay did not", "trap gone"],
});

/**
 * The cause of a difference, for a sentence.
 * @param {string} cause
 */
export function causeText(cause) {
  return causeNames[cause]?.[0] ?? visible(String(cause));
}

/**
 * The cause of a difference, for a badge.
 * @param {string} cause
 */
export function shortCause(cause) {
  return causeNames[cause]?.[1] ?? visible(String(cause));
}
