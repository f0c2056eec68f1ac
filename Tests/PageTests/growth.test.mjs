// A log that comes line by line is in the end what it is when it comes at once.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Filter } from "../../Sources/Page/Resources/filter.mjs";
import { writeJSON } from "../../Sources/Page/Resources/json.mjs";
import { Flag } from "../../Sources/Page/Resources/log.mjs";
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
      const from = grown.log.stepCount - 1;
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
  live.log.append('{"kind":"note","seq":1,"at":2,"text":"a"}\n');
  live.log.index(() => false);
  assert.equal(live.isOpen(1), true);
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
