// What the page says first: the log, the verdict, what is missing, and the filters that are one click away.

import { element, part } from "./dom.mjs";
import { isObject, literal } from "./json.mjs";
import { Flag } from "./log.mjs";
import { counted } from "./text.mjs";
import { visible } from "./visible.mjs";
import { editChips, problemOf } from "./whatif.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/**
 * The name and the facts of the log.
 * @param {Model} model
 */
export function showHead(model) {
  const { log, about } = model;
  const { header } = log;
  const feature = visible(String(header?.get("feature") ?? "a log"));
  part("name").textContent = feature;
  const name = visible(String(about.get("name") ?? ""));
  const other = model.comparison?.get("kind") === "log" ? model.comparison.get("name") : undefined;
  const facts = [other === undefined ? name : `${name} ↔ ${visible(String(other))}`, counted(log.actionCount, "action")];
  const range = about.get("range");
  if (Array.isArray(range)) facts.push(`actions ${range[0]} to ${range[1] >= 2 ** 53 ? "the end" : range[1]} only`);
  if (header?.get("startedAt")) facts.push(`recorded ${visible(String(header.get("startedAt")))}`);
  const app = header?.get("app");
  if (isObject(app)) facts.push([app.get("name"), app.get("version")].filter((word) => word !== undefined).map((word) => visible(String(word))).join(" "));
  const environment = header?.get("environment");
  if (isObject(environment)) {
    facts.push(["os", "locale", "timeZone"].map((name) => environment.get(name)).filter((word) => word !== undefined).map((word) => visible(String(word))).join(", "));
  }
  const masked = maskedPlaces(header?.get("masked"));
  if (masked.length > 0) facts.push(`masked: ${masked.join(", ")}`);
  const text = facts.filter((fact) => fact !== "").join("  ·  ");
  part("facts").textContent = text;
  part("facts").title = text;
}

/** @param {any} masked */
function maskedPlaces(masked) {
  if (!isObject(masked)) return [];
  return [...masked].flatMap(([name, patterns]) => Array.isArray(patterns) ? patterns.map((pattern) => visible(name === "state" ? String(pattern) : `${name} ${pattern}`)) : []);
}

/**
 * The sentence that matters most.
 * @param {Model} model
 * @returns {{ tone: "bad" | "warn" | "good", head: string, text: string, step?: number } | undefined}
 */
export function headline(model) {
  const { log, about, comparison } = model;
  const last = log.owner;
  const torn = about.get("torn");
  const tornText = isObject(torn)
    ? ` The last ${counted(Number(literal(torn.get("bytes"))), "byte")} of the file, on line ${literal(torn.get("line"))}, are not a whole event.` : "";
  const problem = problemOf(model);
  if (problem !== undefined) return { tone: "bad", head: "This timeline cannot be made:", text: problem };
  if (comparison !== undefined) {
    if (model.isReplay) {
      const isSame = comparison.get("same") === true;
      const line = visible(String(comparison.get("line")));
      const verdict = comparison.get("verdicts")?.[0]?.get("verdict");
      const tone = !isSame ? "bad" : verdict === "trapReproduced" || verdict === "cut" ? "warn" : "good";
      const more = model.differences.size > 1 ? ` ${counted(model.differences.size, "action")} differ.` : "";
      return { tone, head: `Replay: ${line}.`, text: more, step: isSame && verdict !== "trapReproduced" ? undefined : model.firstOfInterest() };
    }
    const count = model.differences.size;
    const feature = comparison.get("feature");
    const isOther = feature !== undefined && feature !== log.header?.get("feature");
    const other = visible(`${comparison.get("name") ?? "the other log"}${isOther ? `, which is of another feature, ${feature}` : ""}`);
    const line = comparison.get("line");
    const more = typeof line === "string" && line !== "" ? ` ${visible(line)}.` : "";
    return count === 0 ? { tone: "good", head: "No difference", text: `between this log and ${other}.${more}` }
      : { tone: "bad", head: `${counted(count, "action")} ${count === 1 ? "differs" : "differ"}`, text: `between this log and ${other}.${more}`, step: model.firstOfInterest() };
  }
  if (log.actionCount === 0 && log.stepCount <= 1 && !model.isLive) {
    return { tone: "warn", head: "The log has no actions.", text: `It holds ${log.stepCount === 0 ? "its header alone" : "the first state"}.${tornText}` };
  }
  if (log.gapCount > 0) {
    return { tone: "warn", head: `${counted(log.missingEvents, "event")} missing`, text: `in ${counted(log.gapCount, "gap")}: the state is not known there.${tornText}`, step: firstGap(model) };
  }
  if (model.isLive) return undefined;
  if (log.hasFlag(last, Flag.unfinished)) {
    return {
      tone: "bad", head: `The log ends within action ${log.stepSeqs.values[last]}.`,
      text: `The app ended, or was cut off, while it handled ${model.title(last)}.${tornText}`, step: last,
    };
  }
  if (log.end === undefined && !isWholeRange(about)) {
    return { tone: "warn", head: `The log was cut after action ${log.stepSeqs.values[last]}.`, text: `It has no end.${tornText}`, step: last };
  }
  return undefined;
}

/**
 * Whether the page leaves out the end.
 * @param {Map<string, any>} about
 */
function isWholeRange(about) {
  const range = about.get("range");
  return Array.isArray(range) && range[1] < 2 ** 53;
}

/** @param {Model} model */
function firstGap(model) {
  for (let step = 0; step < model.log.stepCount; step += 1) if (model.title(step).startsWith("gap")) return step;
  return 0;
}

/**
 * @param {Model} model
 * @param {(step: number) => void} select
 * @param {() => void} [toggleColumns] Shows two logs side by side, or in one column.
 * @param {(edits: import("./whatif.mjs").Edit[]) => void} [whatIf] Goes to the timeline that edits make.
 */
export function showBanner(model, select, toggleColumns, whatIf) {
  const banner = part("banner");
  const found = headline(model);
  banner.hidden = found === undefined;
  if (found === undefined) return;
  banner.className = found.tone;
  const notes = [];
  const notCompared = model.comparison?.get("notCompared");
  if (Array.isArray(notCompared) && notCompared.length > 0) notes.push(`${counted(notCompared.length, "value")} not compared: the log has the type alone.`);
  const { step } = found;
  banner.replaceChildren(
    element("p", {}, element("strong", {}, found.head), ` ${found.text}`, ...notes.map((note) => ` ${note}`),
      ...(whatIf === undefined ? [] : editChips(model, whatIf).flatMap((chip) => [" ", chip]))),
    ...(step === undefined ? [] : [element("button", { type: "button", onclick: () => select(step) }, "Show it")]),
    ...(toggleColumns === undefined || model.comparison === undefined || model.isReplay ? []
      : [element("button", { type: "button", id: "columns", "aria-pressed": "false", title: "Both logs side by side, or in one column (v)", onclick: toggleColumns }, "Two columns")]));
}

/**
 * The other logs of a file that holds several.
 * @param {Model} model
 * @param {(index: number) => void} choose
 */
export function showLogs(model, choose) {
  if (model.names.length < 2) return;
  const list = part("logs");
  list.replaceChildren(...model.names.map((name, index) => element("option", { value: index + 1, selected: index + 1 === model.index }, visible(name))));
  list.title = `the file holds ${counted(model.names.length, "log")}`;
  list.hidden = false;
  list.onchange = () => choose(Number(list.value));
}

/**
 * Filters that are one click away, each with its hits.
 * @param {Model} model
 * @param {(word: string) => void} toggle
 * @param {string} query
 */
export function showQuick(model, toggle, query) {
  const { log } = model;
  let [failed, differs, view, effect] = [0, 0, 0, 0];
  const flags = log.stepFlags.values;
  for (let step = 0; step < log.stepCount; step += 1) {
    if ((flags[step] & Flag.differs) !== 0) differs += 1;
    if (step === 0) continue;
    if (model.hasFailed(step)) failed += 1;
    if (log.stepSenders.values[step] > 0) effect += 1;
    else if (log.stepSenders.values[step] === 0) view += 1;
  }
  const chips = [["is:differs", "differences", differs, "bad"], ["is:failed", "failures", failed, "warn"], ["is:bookmarked", "★ bookmarks", model.bookmarks.size, ""], ["from:view", "by the view", view, ""], ["from:effect", "by effects", effect, ""]];
  const names = new Map();
  for (const { label, op } of log.effects) if (op === "run" && label !== "" && names.size < 1000) names.set(label, (names.get(label) ?? 0) + 1);
  const frequent = [...names].sort((a, b) => b[1] - a[1]).slice(0, 6);
  for (const [name, count] of frequent) chips.push([`effect:${name}`, `ƒ ${name}`, count, ""]);
  const words = query.split(/\s+/);
  part("quick").replaceChildren(...chips.filter(([, , count]) => Number(count) > 0).map(([word, label, count, tone]) =>
    element(tone === "" ? "button.chip" : `button.chip.${tone}`, { type: "button", "aria-pressed": String(words.includes(String(word))), onclick: () => toggle(String(word)) },
      String(label), " ", element("b", {}, Number(count).toLocaleString("en-US")))));
}

