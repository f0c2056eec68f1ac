// The page reads every sample log as the command line does.

import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { parseJSON, writeJSON } from "../../Sources/Page/Resources/json.mjs";
import { States } from "../../Sources/Page/Resources/states.mjs";
import { logAt, run, samples, shownText } from "./support.mjs";

/** The states after changes by their action, in the bytes of `show`. */
function shownStates(file) {
  const changes = parseJSON(run("show", file, "--path", "", "--format", "json")).get("changes");
  return changes.filter((change) => change.has("after")).map((change) => [change.get("seq"), writeJSON(change.get("after"))]);
}

test("there are sample logs", () => assert.ok(samples.length >= 13));

for (const file of samples) {
  const name = path.basename(file);

  test(`${name}: the notation is that of show`, () => {
    assert.equal(shownText(logAt(file)), run("show", file, "-v"));
  });

  test(`${name}: the states are those of show`, () => {
    const log = logAt(file);
    const states = new States(log);
    const shown = new Map(shownStates(file));
    assert.ok(shown.size > 0);
    for (const [seq, state] of shown) {
      const step = seq === 0 ? 0 : log.stepOfSeq(seq);
      assert.equal(writeJSON(states.after(step)), state, `after action ${seq}`);
    }
    // From a page that has seen nothing yet, backwards.
    for (const [seq, state] of [...shown].reverse()) {
      const step = seq === 0 ? 0 : log.stepOfSeq(seq);
      assert.equal(writeJSON(new States(log).after(step)), state, `after action ${seq}, alone`);
    }
  });

  test(`${name}: lines come back as they are`, () => {
    const log = logAt(file);
    for (let line = 0; line < log.lineCount; line += 1) {
      assert.equal(writeJSON(log.event(line)), log.line(line));
    }
  });
}

test("a state is the text of show --at", () => {
  const file = samples.find((name) => name.endsWith("memos.jsonl"));
  const log = logAt(file);
  const states = new States(log);
  for (const seq of [1, 5, 9, log.actionCount]) {
    const expected = run("show", file, "--at", String(seq), "--format", "json");
    assert.equal(`{"seq":${seq},"state":${writeJSON(states.after(log.stepOfSeq(seq)))}}\n`, expected);
  }
});
