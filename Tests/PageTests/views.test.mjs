// What the page shows, without a browser: the scale of the timeline, the layout, completions, rows of two logs, charts, commands.

import assert from "node:assert/strict";
import test from "node:test";
import { heightOf, numbersOf, rangeOf, valueAtPosition } from "../../Sources/Page/Resources/chart.mjs";
import { blameCommand, shellWord, stepCommands } from "../../Sources/Page/Resources/commands.mjs";
import { completed, completions, wordAt } from "../../Sources/Page/Resources/completion.mjs";
import { Filter, queryWithRange, stepsOfRange } from "../../Sources/Page/Resources/filter.mjs";
import { parseJSON } from "../../Sources/Page/Resources/json.mjs";
import { Layout } from "../../Sources/Page/Resources/layout.mjs";
import { Model } from "../../Sources/Page/Resources/model.mjs";
import { Scale, edge, niceStep, tickText } from "../../Sources/Page/Resources/scale.mjs";
import { causeText, shortCause } from "../../Sources/Page/Resources/text.mjs";
import { addressOf, editsOf, problemOf, withEdit } from "../../Sources/Page/Resources/whatif.mjs";

const line = (value) => `${JSON.stringify(value)}\n`;

/** The text of a log of actions, each with the place that it changes. */
function logText(actions, state = { count: 0, title: "", rows: [{ n: 0 }] }) {
  return line({ kind: "header", format: "tca-replay", version: 1, feature: "Test" }) + line({ kind: "checkpoint", seq: 0, state, effects: [] })
    + actions.map(([action, path, value, at], index) => line({ kind: "action", seq: index + 1, at: at ?? (index + 1) * 1000, origin: "view", action })
      + line({ kind: "change", seq: index + 1, patch: path === undefined ? [] : [{ op: "replace", path, value }] })).join("");
}

function modelOf(text, about = { name: "bug.jsonl" }, other = "") {
  const model = new Model(JSON.stringify(about));
  model.log.append(text);
  model.log.index(() => false);
  model.other.append(other);
  model.other.index(() => false);
  model.markDifferences();
  return model;
}

const model = modelOf(logText([
  [{ saved: { success: { _0: 1 } } }, "/count", 1], [{ saveTapped: {} }], [{ rows: { _0: { element: { id: 3, action: { set: { _0: 2 } } } } } }, "/rows/0/n", 2],
  [{ saveTapped: {} }, "/title", "a b"], [{ titleChanged: { _0: "x" } }, "/title", "saved"],
]));

test("the scale puts every mark at the x of its step", () => {
  const scale = new Scale();
  scale.width = 1016;
  scale.measure(Float64Array.of(0, 0, 1e6, 1e6, 9e6), 5);
  assert.deepEqual([scale.x(0), scale.x(4)], [edge, 1016 - edge]);
  for (let step = 0; step < 5; step += 1) assert.equal(scale.stepAt(scale.x(step)), step);
  assert.deepEqual([scale.stepAt(-50), scale.stepAt(5000)], [0, 4]);
  // What is under the pointer stays there.
  const x = scale.x(2);
  scale.zoom(2, x);
  assert.ok(Math.abs(scale.x(2) - x) < 1e-6);
  assert.equal(scale.isWhole, false);
  scale.reveal(4);
  assert.ok(scale.x(4) <= 1016 && scale.x(4) > 0);
  scale.zoom(1e-9, 500);
  assert.equal(scale.isWhole, true);
});

test("zooming ends at a few steps, and moving at the ends of the log", () => {
  const scale = new Scale();
  scale.width = 1000;
  scale.measure(Float64Array.from({ length: 1000 }, (_, step) => step * 1e4), 1000);
  for (let round = 0; round < 100; round += 1) scale.zoom(2, 500);
  const [first, end] = scale.seen;
  assert.ok(end - first >= 4 && end - first <= 10, `${end - first}`);
  scale.pan(-1e9);
  assert.equal(scale.from, 0);
  scale.pan(1e9);
  assert.equal(scale.to, 1);
  scale.fit(100, 200);
  assert.ok(scale.x(100) > 0 && scale.x(200) < 1000);
});

test("the ruler has times in order, apart from each other, with finer ones in bursts", () => {
  const scale = new Scale();
  scale.width = 1000;
  // A burst of 50 ms in the middle of 100 s.
  const times = [0, ...Array.from({ length: 98 }, (_, step) => 50e6 + step * 500), 100e6];
  scale.measure(Float64Array.from(times), 100);
  const ticks = scale.ticks();
  assert.ok(ticks.length >= 6, `${ticks.length}`);
  for (let index = 1; index < ticks.length; index += 1) {
    assert.ok(ticks[index].x - ticks[index - 1].x >= 80);
    assert.ok(ticks[index].time > ticks[index - 1].time);
  }
  assert.ok(ticks.some(({ time }) => time > 50e6 && time < 50.1e6), "a tick within the burst");
  for (const { x, time } of ticks) assert.ok(Math.abs(scale.xOf(scale.positionOfTime(time)) - x) < 1e-6);
});

test("times that no recorder writes cost no more", () => {
  const scale = new Scale();
  scale.width = 1000;
  scale.measure(Float64Array.of(0, 1, 2 ** 53, 1e300), 4);
  assert.ok(scale.ticks().length < 30);
});

test("a scale without times has no ruler", () => {
  const scale = new Scale();
  scale.width = 1000;
  scale.measure(Float64Array.of(NaN, NaN, NaN), 3);
  assert.deepEqual(scale.ticks(), []);
  assert.equal(scale.x(2), 1000 - edge);
});

test("times of ticks", () => {
  for (const [time, step, text] of [[0, 1e6, "0 s"], [1.5e6, 5e5, "1.5 s"], [1.203e6, 1e3, "1.203 s"], [65e6, 1e6, "1:05"], [65.25e6, 1e4, "1:05.25"], [3725e6, 60e6, "1:02:05"]]) {
    assert.equal(tickText(time, step), text);
  }
  for (const [span, step] of [[0.5, 1], [3, 2], [700, 500], [12e6, 10e6], [45e6, 30e6], [4000e6, 3600e6], [9000e6, 7200e6], [1e18, 3600e6 * 2e8]]) assert.equal(niceStep(span), step);
});

test("a layout comes back from its text", () => {
  for (const text of ["", "l40", "-t", "h60.l40.w55.-f.-t", "e114"]) assert.equal(Layout.read(text).text, text);
  for (const [text, read] of [["l99", "l85"], ["l-3", ""], ["x3.l", ""], ["-q.-", ""], ["l40.l50", "l50"], ["e99999", ""], ["-a.-d.-s", "-d.-s"]]) {
    assert.equal(Layout.read(text).text, read, text);
  }
  const layout = new Layout();
  for (const pane of ["actions", "action", "state"]) layout.toggle(pane);
  assert.deepEqual([...layout.folded].sort(), ["action", "state"]);
  layout.toggle("state");
  assert.deepEqual([...layout.folded], ["action"]);
});

test("ranges are those of the command line", () => {
  for (const [word, steps] of [
    ["2..4", [2, 4]], ["..2", [0, 2]], ["4..", [4, 5]], ["4..end", [4, 5]], ["2ms..4ms", [2, 4]], ["0.002s..0.0035s", [2, 3]], ["0:00.003..", [3, 5]], ["0..1", [0, 1]],
    ["..", undefined], ["2...4", undefined], ["a..b", undefined], ["1.5..2", undefined], ["2", undefined],
  ]) assert.deepEqual(stepsOfRange(word, model), steps, word);
  assert.equal(queryWithRange("is:failed 2..3 milk", "4..5"), "4..5 is:failed milk");
  assert.equal(queryWithRange('"a b" 2..3', undefined), '"a b"');
});

test("completions come from the log, the nearest and most frequent first", () => {
  model.vocabulary.run(() => false);
  const words = (query, caret = query.length) => completions(query, caret, model).map(({ word }) => word);
  assert.deepEqual(words(".sa"), [".saveTapped", ".saved"]);
  assert.deepEqual(words(".se"), [".rows[].set"]);
  assert.deepEqual(words("path:"), ["path:title", "path:count", "path:rows[*].n"]);
  assert.deepEqual(words("path:n"), ["path:rows[*].n", "path:count"]);
  assert.deepEqual(words("-is:un"), ["-is:unfinished", "-is:unchanged"]);
  assert.deepEqual(words("from:"), ["from:view", "from:effect", "from:parent"]);
  assert.deepEqual(words(""), ["path:", "effect:", "case:", "from:", "is:"]);
  assert.deepEqual(words("tit"), [".titleChanged", "path:title"]);
  assert.deepEqual(words(".sa milk", 3), [".saveTapped", ".saved"]);
  assert.deepEqual(words("nothing like zz"), []);
  assert.equal(completions(".sa", 3, model)[0].note, "2 actions");
  assert.deepEqual(completed(".sa milk", 3, ".saved"), { query: ".saved milk", caret: 7 });
  assert.deepEqual(completed("mil is", 6, "is:"), { query: "mil is:", caret: 7 });
  assert.deepEqual(wordAt("a  b", 2), [2, 2]);
});

test("an exact case is not the beginning of another", () => {
  const hits = (query) => {
    const filter = new Filter(query, model);
    filter.run(() => false);
    return filter.hits;
  };
  for (const [query, steps] of [[".saved", [1]], [".save", [1, 2, 4]], [".saveT", [2, 4]], [".rows[].se", [3]], ["path:titl", []], ["path:title", [4, 5]]]) {
    assert.deepEqual(hits(query), steps, query);
  }
});

test("the vocabulary follows a log that grows", () => {
  const text = logText([[{ a: {} }, "/count", 1], [{ b: {} }, "/title", "x"]]);
  const growing = modelOf("", { name: "bug.jsonl", live: { folder: "x", generation: "1", next: 1, grows: true } });
  for (const line of text.split(/(?<=\n)/)) {
    const from = Math.max(growing.log.owner, 0);
    growing.log.append(line);
    growing.log.index(() => false);
    growing.forget(from);
    growing.vocabulary.run(() => false);
  }
  // The last action may still change, and counts when the log has ended.
  assert.deepEqual([...growing.vocabulary.cases, ...growing.vocabulary.places], [[".a", 1], ["count", 1]]);
  growing.isLive = false;
  growing.vocabulary.run(() => false);
  assert.deepEqual([...growing.vocabulary.cases, ...growing.vocabulary.places], [[".a", 1], [".b", 1], ["count", 1], ["title", 1]]);
});

const comparison = {
  kind: "log", name: "other.jsonl", same: false, differences: [],
  alignment: {
    matches: [{ first: [1, 1], second: [1, 1] }, { first: [3, 4], second: [3, 4] }],
    onlyInFirst: [{ seq: 2, kind: "action", action: { b: {} } }], onlyInSecond: [{ seq: 2, kind: "action", after: 1, action: { x: {} } }, { seq: 5, kind: "action", after: 4, action: { y: {} } }],
    moved: [],
  },
  mapped: { values: [] },
};
const pair = modelOf(logText([[{ a: {} }], [{ b: {} }], [{ c: {} }], [{ d: {} }]]), { name: "bug.jsonl", other: comparison },
  logText([[{ a: {} }], [{ x: {} }], [{ c: {} }], [{ d: {} }], [{ y: {} }]]));

test("actions of the other log stand where they were inserted", () => {
  assert.deepEqual([...pair.rows], [0, 1, -3, 2, 3, 4, -6]);
  assert.deepEqual([-3, -6, 2].map((id) => pair.anchorOf(id)), [1, 4, 2]);
  assert.deepEqual([0, 1, 2, 3, 4].map((step) => pair.otherStep(step)), [0, 1, -1, 3, 4]);
  assert.deepEqual([0, 1, 2, 3, 5].map((step) => pair.otherView.idOf(step)), [0, 1, -3, 3, -6]);
  const all = new Filter("", pair);
  assert.deepEqual([all.count, all.row(-3), all.step(2)], [7, 2, -3]);
  for (const [query, ids] of [[".x", [-3]], [".c", [3]], ["is:differs", [1, -3, 2, 4, -6]], ["1..2", [1, -3, 2]], ["-.a", [0, -3, 2, 3, 4, -6]]]) {
    const filter = new Filter(query, pair);
    filter.run(() => false);
    assert.deepEqual(Array.from({ length: filter.count }, (_, row) => filter.step(row)), ids, query);
    for (const id of ids) assert.equal(filter.step(filter.row(id)), id);
  }
});

test("values that can be drawn", () => {
  const values = (text) => parseJSON(text).map((value) => (value === "none" ? undefined : value));
  assert.deepEqual(numbersOf(values("[1,2.5,-3]")), { isBoolean: false, numbers: [1, 2.5, -3] });
  assert.deepEqual(numbersOf(values('[true,"none",false,null]')), { isBoolean: true, numbers: [1, undefined, 0, undefined] });
  assert.deepEqual(numbersOf(values("[18446744073709551615,1]")).numbers, [2 ** 64, 1]);
  for (const text of ["[1]", '["a","b"]', "[1,true]", '[1,"2"]', "[null,null]", "[]", "[1,1e999]"]) assert.equal(numbersOf(values(text)), undefined, text);
  assert.deepEqual(rangeOf([3, undefined, -1]), [-1, 3]);
  assert.deepEqual([heightOf(-1, [-1, 3]), heightOf(1, [-1, 3]), heightOf(3, [-1, 3]), heightOf(5, [5, 5])], [0, 0.5, 1, 0.5]);
  assert.equal(heightOf(Number.MAX_VALUE, [-Number.MAX_VALUE, Number.MAX_VALUE]), 1);
  assert.deepEqual([0, 10, 15, 30].map((x) => valueAtPosition([10, 20, 20], x)), [-1, 0, 0, 2]);
});

test("commands are ready for a shell", () => {
  for (const [text, word] of [["bug.jsonl", "bug.jsonl"], ["a b.jsonl", "'a b.jsonl'"], ["rows[0].n", "'rows[0].n'"], ["it's", "'it'\\''s'"], ["-x", "'-x'"], ["$(x)", "'$(x)'"]]) {
    assert.equal(shellWord(text), word);
  }
  assert.deepEqual(stepCommands(model, 3).map(({ text }) => text), [
    "tca-replay debug bug.jsonl -ex 'goto 3'", "tca-replay fork bug.jsonl --skip 3", "tca-replay blame bug.jsonl 'rows[0].n' --at 3",
    "tca-replay view bug.jsonl --serve --open", "tca-replay show bug.jsonl --at 3",
  ]);
  assert.deepEqual(stepCommands(model, 0).map(({ text }) => text), ["tca-replay debug bug.jsonl -ex 'goto 0'", "tca-replay view bug.jsonl --serve --open", "tca-replay show bug.jsonl --at 0"]);
  assert.equal(blameCommand(modelOf("", { name: "-odd.jsonl" }), 0, "a"), "tca-replay blame ./-odd.jsonl a --at 0");
});

test("what would have happened is asked for by address", () => {
  assert.equal(addressOf([]), "./");
  assert.equal(addressOf([{ word: "skip", text: "4" }, { word: "edit", text: '7=.set("a&b=c")' }]), "what-if?skip=4&edit=7%3D.set(%22a%26b%3Dc%22)");
  // Of an action that is skipped or changed, the last edit counts; several may be inserted after it.
  const edits = [{ word: "skip", text: "4" }, { word: "insert", text: "4=.a" }];
  assert.deepEqual(withEdit(edits, { word: "edit", text: "4=.b" }), [{ word: "insert", text: "4=.a" }, { word: "edit", text: "4=.b" }]);
  assert.deepEqual(withEdit(edits, { word: "insert", text: "4=.c" }).length, 3);
  assert.deepEqual(withEdit(edits, { word: "skip", text: "44" }).length, 3);
  assert.equal(editsOf(model), undefined);
  const served = modelOf("", { name: "bug.jsonl", serve: { edits: [{ word: "skip", text: "4" }], problem: "no \u202e action" } });
  assert.deepEqual(editsOf(served), [{ word: "skip", text: "4" }]);
  assert.equal(problemOf(served), "no \\u{202E} action");
  assert.equal(served.isServed, true);
});

test("causes of a difference are words", () => {
  for (const cause of ["state", "effects", "reads", "producedAction", "action", "origin", "deadEffect", "sequence", "schemaDrift", "undecodable", "notReplayable", "opaque", "trapped", "trapGone"]) {
    for (const text of [causeText(cause), shortCause(cause)]) assert.doesNotMatch(text, /[a-z][A-Z]/, cause);
  }
  assert.equal(shortCause("producedAction"), "sent action");
});
