// What the tests of the page's modules share: the tool, the sample logs, and the text of a log in the words of `show`.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Kind, Log } from "../../Sources/Page/Resources/log.mjs";
import { Notation } from "../../Sources/Page/Resources/notation.mjs";
import { outsideTags, readPatch, spliceParts } from "../../Sources/Page/Resources/patch.mjs";
import { placeText } from "../../Sources/Page/Resources/place.mjs";
import { pointerTokens, valueAt } from "../../Sources/Page/Resources/pointer.mjs";
import { States } from "../../Sources/Page/Resources/states.mjs";
import { effectTitle, effectTurn, excludedTitle, externalTitle, flatEffects, isBareEnd, originText, withheldCases, withheldForGood } from "../../Sources/Page/Resources/text.mjs";
import { visible } from "../../Sources/Page/Resources/visible.mjs";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const tool = process.env.TCA_REPLAY ?? path.join(root, ".build/debug/tca-replay");
export const samples = readdirSync(path.join(root, "SampleLogs")).filter((name) => name.endsWith(".jsonl"))
  .map((name) => path.join(root, "SampleLogs", name));

/** What the tool prints. */
export function run(...args) {
  return execFileSync(tool, args, { maxBuffer: 1 << 30, encoding: "utf8" });
}

/** The log of a text; what follows its last whole event is left out, as `view` leaves it out. */
export function logOf(text) {
  const lines = text.split("\n");
  const rest = lines.pop();
  const log = new Log();
  const whole = rest !== "" && isJSON(rest) ? [...lines, rest] : lines;
  log.append(whole.map((line) => line + "\n").join(""));
  log.index(() => false);
  return log;
}

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function logAt(file) {
  return logOf(readFileSync(file, "utf8"));
}

/** All lines that `show -v` prints, made with the page's notation and states. */
export function shownText(log) {
  const notation = new Notation();
  const states = new States(log);
  const lines = [];
  let state;
  const pair = (before, after, indent) => {
    if (before !== undefined) lines.push(`${indent}− ${notation.value(before)}`);
    if (after !== undefined) lines.push(`${indent}+ ${notation.value(after)}`);
  };
  const place = (tokens) => tokens.length === 0 ? "the whole state" : placeText(tokens, state);
  const patch = (event) => {
    const operations = outsideTags(readPatch(event.get("patch")), state);
    for (const operation of operations) {
      const { op, path: tokens, from } = operation;
      const old = state === undefined ? undefined : valueAt(state, tokens);
      switch (op) {
        case "splice": {
          const removed = spliceParts(old, operation)[1];
          lines.push(`    ${place(tokens)}  at byte ${operation.at} of the text`);
          pair(removed === "" ? undefined : removed, operation.insert === "" ? undefined : operation.insert, "      ");
          break;
        }
        case "move": lines.push(`    ${place(tokens)}  moved from ${place(from)}`); break;
        case "copy": lines.push(`    ${place(tokens)}  copied from ${place(from)}`); break;
        case "test": break;
        default:
          lines.push(`    ${place(tokens)}`);
          pair(op === "add" ? undefined : old, op === "remove" ? undefined : operation.value, "      ");
      }
    }
    for (const { effect, level } of flatEffects(event.get("effects"))) lines.push("  ".repeat(level + 2) + effectTitle(effect, notation));
  };
  const nameOf = (id) => log.effectName(id);
  const cancelled = new Set();
  for (let step = 0; step < log.stepCount; step += 1) {
    const [start, end] = log.linesOf(step);
    state = states.before(step);
    for (let line = start; line < end; line += 1) {
      const event = log.event(line);
      switch (log.lineKinds.values[line]) {
        case Kind.header: lines.push(header(event)); break;
        case Kind.checkpoint: lines.push(`${event.get("seq")}  checkpoint  ${notation.value(event.get("state"))}`); break;
        case Kind.action: lines.push(`${event.get("seq")}  ${time(event)}  ${notation.action(event.get("action"))}  ${originText(event.get("origin"), nameOf)}`); break;
        case Kind.withheld:
          lines.push(`${event.get("seq")}  ${time(event)}  ${withheldCases(event.get("cases"))}  ${originText(event.get("origin"), nameOf)}, ${withheldForGood}`);
          break;
        case Kind.read: lines.push(`    read ${visible(event.get("key"))}  ${notation.value(event.get("value"))}`); break;
        case Kind.change: patch(event); break;
        case Kind.effect: {
          const isCancelled = cancelled.has(event.get("id"));
          if (event.get("event") === "cancelled") cancelled.add(event.get("id"));
          if (isCancelled && isBareEnd(event)) break;
          lines.push(`    ${effectTurn(event, notation, nameOf, isCancelled)}`);
          break;
        }
        case Kind.external:
          lines.push(`${event.get("seq")}  ${time(event)}  ${externalTitle}`);
          patch(event);
          break;
        case Kind.excluded:
          lines.push(`${event.get("seq")}  ${time(event)}  ${excludedTitle}  ${originText(event.get("origin"), nameOf)}`);
          patch(event);
          break;
        case Kind.gap: lines.push(`${event.get("seq")}  gap, ${event.get("dropped")} ${event.get("dropped") === 1 ? "event is" : "events are"} missing: ${visible(event.get("reason"))}`); break;
        case Kind.note: lines.push(`    note  ${visible(event.get("text"))}`); break;
        case Kind.finding: {
          const tokens = pointerTokens(event.get("subject"));
          const subject = event.get("subject") === "" ? "" : ` ${placeText(tokens)}`;
          lines.push(`    finding ${event.get("code")}${subject}  ${visible(event.get("message") ?? "")}`);
          break;
        }
        case Kind.end: lines.push(`${event.get("seq")}  end, ${visible(event.get("reason"))}`); break;
        default: lines.push(`    ${visible(event.get("kind"))}, which this version does not know`);
      }
    }
  }
  return lines.map((line) => line + "\n").join("");
}

/** The time of an event from the start of the recording: `+1.203 s`, `+12:03.120`, `+1:12:03.120`. */
function time(event) {
  const milliseconds = Math.trunc(Number(String(event.get("at") ?? 0)) / 1000);
  const seconds = Math.trunc(milliseconds / 1000);
  const rest = String(milliseconds % 1000).padStart(3, "0");
  if (seconds < 60) return `+${seconds}.${rest} s`;
  const minutes = Math.trunc(seconds / 60);
  const end = `${String(seconds % 60).padStart(2, "0")}.${rest}`;
  return minutes < 60 ? `+${minutes}:${end}` : `+${Math.trunc(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${end}`;
}

function header(event) {
  let text = `${visible(event.get("feature"))}  log ${visible(event.get("id"))}`;
  if (event.get("startedAt")) text += `, recorded ${visible(event.get("startedAt"))}`;
  if (event.get("recorder")) text += ` by recorder ${visible(event.get("recorder"))}`;
  return text;
}
