// A log that comes line by line is in the end what it is when it comes at once.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Filter } from "../../Sources/Page/Resources/filter.mjs";
import { writeJSON } from "../../Sources/Page/Resources/json.mjs";
import { Sign } from "../../Sources/Page/Resources/live.mjs";
import { Flag, Kind } from "../../Sources/Page/Resources/log.mjs";
import { Model } from "../../Sources/Page/Resources/model.mjs";
import { samples } from "./support.mjs";

const queries = ["saved", ".saved", "effect:save", "from:effect", "is:failed", "is:unchanged", "-is:changed", "path:isSaving"];
const about = '{"name":"a","live":{"folder":"a","generation":"1","next":1,"grows":true}}';

function modelOf(about) {
  return new Model(about, null);
}

/** All that a page shows of a step. */
function shown(model, step) {
  const state = model.states.after(step);
  return [model.title(step), model.outlook(step), model.log.stepFlags.values[step], model.changedPlaces(step), state === undefined ? undefined : writeJSON(state)];
}

for (const file of samples) {
  test(`line by line: ${path.basename(file)}`, () => {
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1).map((line) => line + "\n");
    const whole = modelOf('{"name":"a"}');
    whole.log.append(lines.join(""));
    whole.log.index(() => false);
    const grown = modelOf(about);
    const filters = queries.map((query) => new Filter(query, grown));
    for (const line of lines) {
      const from = Math.max(grown.log.owner, 0);
      grown.log.append(line);
      grown.log.index(() => false);
      grown.forget(from);
      for (const filter of filters) {
        filter.forget(from);
        filter.run(() => false);
      }
      // Whatever is looked at on the way is not kept when more comes.
      if (grown.log.stepCount > 0) shown(grown, grown.log.stepCount - 1);
    }
    assert.equal(grown.log.stepCount, whole.log.stepCount);
    for (let step = 0; step < whole.log.stepCount; step += 1) assert.deepEqual(shown(grown, step), shown(whole, step), `step ${step}`);
    // The last action of the log may be one that was never finished.
    grown.isLive = false;
    for (const filter of filters) {
      filter.forget(grown.log.owner);
      filter.run(() => false);
    }
    queries.forEach((query, index) => {
      const filter = new Filter(query, whole);
      filter.run(() => false);
      assert.deepEqual(filters[index].hits, filter.hits, query);
    });
  });
}

test("the last action of a log that grows is in progress, and not cut off", () => {
  const log = '{"kind":"checkpoint","seq":0,"state":{},"effects":[]}\n{"kind":"action","seq":1,"at":1,"origin":"view","action":{"tap":{}}}\n';
  const [live, still] = [about, '{"name":"a"}'].map(modelOf);
  for (const model of [live, still]) {
    model.log.append(log);
    model.log.index(() => false);
    assert.ok(model.log.hasFlag(1, Flag.unfinished));
  }
  assert.equal(live.isOpen(1), false);
  assert.equal(still.isOpen(1), true);
  const found = (model, query) => {
    const filter = new Filter(query, model);
    filter.run(() => false);
    return filter.hits;
  };
  for (const query of ["is:failed", "is:unfinished"]) assert.deepEqual([found(live, query), found(still, query)], [[], [1]], query);
  live.log.append('{"kind":"action","seq":2,"at":2,"origin":"view","action":{"tap":{}}}\n');
  live.log.index(() => false);
  assert.equal(live.isOpen(1), true);
});

test("a note that is made while an action is handled leaves the change to the action", () => {
  const lines = [
    '{"kind":"checkpoint","seq":0,"state":{"count":0},"effects":[]}', '{"kind":"action","seq":1,"at":1,"origin":"view","action":{"tap":{}}}',
    '{"kind":"note","seq":1,"at":2,"text":"a"}', '{"kind":"read","seq":1,"key":"uuid","value":"x"}',
    '{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/count","value":1}]}', '{"kind":"checkpoint","seq":1,"state":{"count":1},"effects":[]}',
    '{"kind":"note","seq":1,"at":3,"text":"b"}', '{"kind":"action","seq":2,"at":4,"origin":"view","action":{"tap":{}}}',
  ];
  const model = modelOf(about);
  const seen = lines.map((line) => {
    const from = Math.max(model.log.owner, 0);
    model.log.append(line + "\n");
    model.log.index(() => false);
    model.forget(from);
    return Array.from({ length: model.log.stepCount }, (_, step) => writeJSON(model.states.after(step)));
  });
  const [before, after] = ['{"count":0}', '{"count":1}'];
  assert.deepEqual(seen.slice(2, 5), [[before, before, before], [before, before, before], [before, after, after]]);
  assert.deepEqual(seen[7], [before, after, after, after, after]);
  assert.equal(model.log.hasFlag(1, Flag.unfinished), false);
  assert.deepEqual([1, 2, 3, 4].map((step) => model.log.linesOf(step)), [[1, 6], [2, 3], [6, 7], [7, 8]]);
  assert.equal(model.log.eventsOf(1, Kind.read).length, 1);
});

test("numbers far apart take no room", () => {
  const action = (seq) => `{"kind":"action","seq":${seq},"at":1,"origin":"view","action":{"tap":{}}}\n{"kind":"change","seq":${seq},"patch":[]}\n`;
  const model = modelOf('{"name":"a"}');
  model.log.append('{"kind":"checkpoint","seq":0,"state":{},"effects":[]}\n' + [1, 2, 50_000_000, 50_000_001, 3, Number.MAX_SAFE_INTEGER].map(action).join(""));
  model.log.index(() => false);
  assert.deepEqual([1, 2, 50_000_000, 50_000_001, 3, Number.MAX_SAFE_INTEGER, 4, 0].map((seq) => model.log.stepOfSeq(seq)), [1, 2, 3, 4, 5, 6, -1, -1]);
  assert.ok(model.log.stepsOfSeqs.length < 10);
});

test("a command that gives no sign is taken for one that has ended, until it gives one", () => {
  const sign = new Sign();
  const looks = (count, news) => Array.from({ length: count }, () => (sign.take(news), sign.isSilent));
  // Two looks and a half make a second.
  assert.deepEqual(looks(26, { beat: 1, patience: 10 }), Array(26).fill(false));
  assert.deepEqual(looks(2, { beat: 1, patience: 10 }), [true, true]);
  assert.deepEqual(looks(1, { beat: 2, patience: 10 }), [false]);
  // A command that is at work says how long it may take.
  assert.deepEqual(new Set(looks(1000, { beat: 3, patience: 600 })), new Set([false]));
});

test("one of several logs", () => {
  const several = '{"program":"p","logs":[{"title":"1  A","name":"x#1"},{"title":"2  B","name":"x#2","headerLine":7}],"first":2}';
  const chosen = (text) => {
    const model = new Model(several, text);
    return [model.index, model.about.get("name"), model.blocks];
  };
  assert.deepEqual(chosen(null), [2, "x#2", '[data-log="2"]']);
  assert.deepEqual(chosen("1"), [1, "x#1", ":not([data-log])"]);
  for (const wrong of ["0", "3", "x", "1.5"]) assert.deepEqual(chosen(wrong).slice(0, 1), [1]);
  assert.deepEqual(new Model(several, null).names, ["1  A", "2  B"]);
});
