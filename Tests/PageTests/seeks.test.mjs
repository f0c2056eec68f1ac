// What a seek costs, in events that are read: it is bounded by the distance of checkpoints, and of the states that are kept.

import assert from "node:assert/strict";
import test from "node:test";
import { Log } from "../../Sources/Page/Resources/log.mjs";
import { States } from "../../Sources/Page/Resources/states.mjs";

/** A log of so many steps that count, with a checkpoint after each so many of them. */
function logWith(distance, count = 6000) {
  const lines = ['{"kind":"checkpoint","seq":0,"state":{"count":0},"effects":[]}'];
  for (let seq = 1; seq <= count; seq += 1) {
    lines.push(`{"kind":"action","seq":${seq},"at":${seq},"origin":"view","action":{"tap":{}}}`);
    lines.push(`{"kind":"change","seq":${seq},"patch":[{"op":"replace","path":"/count","value":${seq}}]}`);
    if (seq % distance === 0) lines.push(`{"kind":"checkpoint","seq":${seq},"state":{"count":${seq}},"effects":[]}`);
  }
  const log = new Log();
  log.append(lines.map((line) => line + "\n").join(""));
  log.index(() => false);
  return log;
}

/** How many events are read to show the states around a step. */
function cost(log, states, step) {
  let read = 0;
  log.event = (line) => {
    read += 1;
    return Log.prototype.event.call(log, line);
  };
  assert.equal(states.before(step).get("count"), step - 1);
  assert.equal(states.after(step).get("count"), step);
  return read;
}

/** Steps all over a log. */
function stepsOf(log) {
  return Array.from({ length: 500 }, (_, index) => 1 + ((index * 4799) % (log.stepCount - 1)));
}

test("a seek reads no more than lies between two checkpoints", () => {
  const log = logWith(100);
  for (const step of stepsOf(log)) assert.ok(cost(log, new States(log), step) <= 102, `step ${step}`);
});

test("without checkpoints the states on the way are kept", () => {
  const log = logWith(Infinity);
  const states = new States(log);
  assert.equal(cost(log, states, 6000), 6001);
  for (const step of stepsOf(log)) assert.ok(cost(log, states, step) <= 129, `step ${step}`);
});

test("in a longer log fewer of them", () => {
  const log = logWith(Infinity, 70_000);
  const states = new States(log);
  cost(log, states, 70_000);
  for (const step of stepsOf(log)) assert.ok(cost(log, states, step) <= 257, `step ${step}`);
  assert.ok(states.posts.size <= 512 && states.recent.size <= 64);
});

test("the next step and the one before it cost no more than an event", () => {
  const log = logWith(1000);
  const states = new States(log);
  cost(log, states, 500);
  assert.equal(cost(log, states, 501), 1);
  assert.equal(cost(log, states, 502), 1);
  assert.equal(cost(log, states, 501), 0);
});
