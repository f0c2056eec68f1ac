// Commands of the tool that go on from what the page shows, ready to be pasted into a shell.

import { Kind } from "./log.mjs";
/** @typedef {import("./model.mjs").Model} Model */

/**
 * A command, and what it is for.
 * @typedef {{ text: string, purpose: string }} ReadyCommand
 */

/**
 * A word of a shell.
 * @param {string} text
 */
export function shellWord(text) {
  return /^[A-Za-z0-9_.,:\/@%+=-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

/** @param {Model} model */
function logName(model) {
  const name = String(model.about.get("name") ?? "log.jsonl");
  return shellWord(name.startsWith("-") ? `./${name}` : name);
}

/**
 * The command that finds who set a value, up to an action.
 * @param {Model} model
 * @param {number} step
 * @param {string} place
 */
export function blameCommand(model, step, place) {
  return `tca-replay blame ${logName(model)} ${shellWord(place)} --at ${model.log.stepSeqs.values[step]}`;
}

/**
 * The commands that continue from an action.
 * @param {Model} model
 * @param {number} step
 * @returns {ReadyCommand[]}
 */
export function stepCommands(model, step) {
  const { log } = model;
  const kind = log.stepKinds.values[step];
  const seq = log.stepSeqs.values[step];
  const name = logName(model);
  const commands = [{ text: `tca-replay debug ${name} -ex 'goto ${seq}'`, purpose: "step on from here in a terminal" }];
  if (kind === Kind.action) {
    commands.push({ text: `tca-replay fork ${name} --skip ${seq}`, purpose: "what would happen without this action" });
    const place = model.changedPlaces(step)[0];
    if (place !== undefined && place !== "the whole state") commands.push({ text: blameCommand(model, step, place), purpose: "who set what it changed first" });
  }
  if (!model.isServed && model === model.main) commands.push({ text: `tca-replay view ${name} --serve --open`, purpose: "skip, edit or insert actions in the page, and see both timelines" });
  commands.push({ text: `tca-replay show ${name} --at ${seq}`, purpose: "the state here" });
  return commands;
}
