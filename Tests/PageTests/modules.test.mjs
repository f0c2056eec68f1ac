// The pure modules of the page: JSON, pointers, patches, filters, histories, lanes.

import assert from "node:assert/strict";
import test from "node:test";
import { Alignment } from "../../Sources/Page/Resources/alignment.mjs";
import { changesOf, leafChanges } from "../../Sources/Page/Resources/changes.mjs";
import { Filter, queryWords, toggledQuery } from "../../Sources/Page/Resources/filter.mjs";
import { valuesOf } from "../../Sources/Page/Resources/history.mjs";
import { IDAbbreviations } from "../../Sources/Page/Resources/ids.mjs";
import { LongNumber, equalJSON, parseJSON, writeJSON } from "../../Sources/Page/Resources/json.mjs";
import { Kind, unescapeLine } from "../../Sources/Page/Resources/log.mjs";
import { assignLanes } from "../../Sources/Page/Resources/lanes.mjs";
import { partsOfTitle, shortPlace } from "../../Sources/Page/Resources/listview.mjs";
import { Model } from "../../Sources/Page/Resources/model.mjs";
import { PatchError, applyPatch, destinationOf, originOf, readPatch } from "../../Sources/Page/Resources/patch.mjs";
import { placeText } from "../../Sources/Page/Resources/place.mjs";
import { located, pointerText, pointerTokens } from "../../Sources/Page/Resources/pointer.mjs";
import { Scale, niceStep, stepPositions, tickText } from "../../Sources/Page/Resources/scale.mjs";
import { alignedParts } from "../../Sources/Page/Resources/states.mjs";
import { callText, effectTurn, isBareEnd } from "../../Sources/Page/Resources/text.mjs";
import { visible } from "../../Sources/Page/Resources/visible.mjs";
import { logOf } from "./support.mjs";

const patched = (value, patch) => writeJSON(applyPatch(parseJSON(value), readPatch(parseJSON(patch))));

test("JSON comes back as it was written", () => {
  for (const text of [
    "null", "true", "0", "-0", "-0.0", "1.0", "1e+300", "1E5", "9007199254740993", "18446744073709551615", "0.1", "123456789012345678901234567890.5",
    '""', '"é"', '"\\u0000\\n\\"\\\\"', "[]", "{}", '{"2":1,"1":2}', '{"__proto__":{"constructor":1}}', '[[],{"a":[1,2.50]}]',
  ]) assert.equal(writeJSON(parseJSON(text)), text, text);
  assert.ok(parseJSON("9007199254740993") instanceof LongNumber);
  assert.equal(parseJSON('"\\u00e9\\/\\ud83d\\ude00"'), "é/😀");
  assert.equal(writeJSON(parseJSON('{"a":1,"b":2,"a":3}')), '{"a":3,"b":2}');
});

test("what is not JSON is refused", () => {
  for (const text of ["", "01", "1.", ".5", "+1", "tru", '"a', "[1,]", '{"a"}', "{,}", "[1] 2", '"\\x"', '"\\u12"', "nul", "1e", "[".repeat(513) + "]".repeat(513)]) {
    assert.throws(() => parseJSON(text), undefined, text);
  }
});

test("numbers are compared as decimals", () => {
  const equal = (a, b) => equalJSON(parseJSON(a), parseJSON(b));
  for (const [a, b] of [["1", "1.0"], ["100", "1e2"], ["0.1", "1e-1"], ['{"a":1,"b":2}', '{"b":2,"a":1}']]) assert.ok(equal(a, b), `${a} ${b}`);
  for (const [a, b] of [["0", "-0"], ["9007199254740992", "9007199254740993"], ["0.1", "0.10000000000000001"], ["[1]", "[1,2]"], ["1", '"1"'], ["null", "false"]]) {
    assert.ok(!equal(a, b), `${a} ${b}`);
  }
});

test("titles in two parts, of which the first gives way", () => {
  for (const [title, head, tail] of [
    [".tapped", "", ".tapped"], [".path[3].review.submitted(.failure(.busy))", ".path[3].review", ".submitted(.failure(.busy))"],
    ['.rows["a.b(c)\\"]"].title.set(1.5)', '.rows["a.b(c)\\"]"].title', ".set(1.5)"], ["note: a.b", "", "note: a.b"], ["", "", ""], [".a[", ".a[".slice(0, 0), ".a["],
    ['.a("x.y")', "", '.a("x.y")'],
  ]) assert.deepEqual(partsOfTitle(title), [head, tail], title);
  assert.equal(shortPlace("path[3].review.submission.inFlight"), "…inFlight");
});

test("pointers", () => {
  for (const text of ["", "/", "/a~1b/~0/0", "/~01"]) assert.equal(pointerText(pointerTokens(text)), text);
  assert.deepEqual(pointerTokens("/a~1b/~01"), ["a/b", "~1"]);
});

test("patches", () => {
  const cases = [
    ['{"a":1}', '[{"op":"add","path":"/b","value":2}]', '{"a":1,"b":2}'],
    ['{"a":1,"b":2}', '[{"op":"add","path":"/a","value":3}]', '{"a":3,"b":2}'],
    ["[1,3]", '[{"op":"add","path":"/1","value":2},{"op":"add","path":"/-","value":4}]', "[1,2,3,4]"],
    ["[1,2,3]", '[{"op":"remove","path":"/1"}]', "[1,3]"],
    ['{"a":{"b":[1]}}', '[{"op":"replace","path":"/a/b/0","value":null}]', '{"a":{"b":[null]}}'],
    ["[1,2,3]", '[{"op":"move","from":"/0","path":"/2"}]', "[2,3,1]"],
    ['{"a":1,"b":2}', '[{"op":"move","from":"/a","path":"/c"}]', '{"b":2,"c":1}'],
    ['{"a":[1]}', '[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/0","value":0}]', '{"a":[1],"b":[0,1]}'],
    ['{"a":1}', '[{"op":"replace","path":"","value":[]}]', "[]"],
    ['{"a":"xéy"}', '[{"op":"splice","path":"/a","at":1,"remove":2,"insert":"--"}]', '{"a":"x--y"}'],
    ['{"":{"/":1}}', '[{"op":"replace","path":"//~1","value":2}]', '{"":{"/":2}}'],
  ];
  for (const [value, patch, expected] of cases) assert.equal(patched(value, patch), expected, patch);
  const failing = [
    ["{}", '[{"op":"remove","path":"/a"}]'], ["[]", '[{"op":"add","path":"/1","value":0}]'], ["[1]", '[{"op":"replace","path":"/01","value":0}]'],
    ["1", '[{"op":"add","path":"/a","value":0}]'], ['{"a":1}', '[{"op":"test","path":"/a","value":2}]'],
    ['{"a":{}}', '[{"op":"move","from":"/a","path":"/a/b"}]'], ['{"a":1}', '[{"op":"splice","path":"/a","at":0,"remove":0,"insert":""}]'],
    ['{"a":"x"}', '[{"op":"splice","path":"/a","at":1,"remove":1,"insert":""}]'],
    ['{"a":"é"}', '[{"op":"splice","path":"/a","at":1,"remove":0,"insert":""}]'],
  ];
  for (const [value, patch] of failing) assert.throws(() => patched(value, patch), PatchError, patch);
});

test("a patch leaves the value before it alone, and shares what it did not change", () => {
  const before = parseJSON('{"a":[1,2],"b":{"c":1}}');
  const after = applyPatch(before, readPatch(parseJSON('[{"op":"replace","path":"/b/c","value":2}]')));
  assert.equal(writeJSON(before), '{"a":[1,2],"b":{"c":1}}');
  assert.equal(after.get("a"), before.get("a"));
});

test("places move with the elements before them", () => {
  const patch = (text) => readPatch(parseJSON(text));
  const insert = patch('[{"op":"add","path":"/rows/0","value":{}}]');
  assert.deepEqual(originOf(insert, ["rows", 1, "title"]), { location: ["rows", 0, "title"], isTouched: false });
  assert.deepEqual(originOf(insert, ["rows", 0, "title"]), { location: undefined, isTouched: true });
  assert.deepEqual(destinationOf(insert, ["rows", 0, "title"]), { location: ["rows", 1, "title"], isTouched: false });
  const remove = patch('[{"op":"remove","path":"/rows/1"}]');
  assert.deepEqual(originOf(remove, ["rows", 1]), { location: ["rows", 2], isTouched: false });
  assert.deepEqual(destinationOf(remove, ["rows", 1, "a"]), { location: undefined, isTouched: true });
  assert.deepEqual(destinationOf(remove, ["rows", 2]), { location: ["rows", 1], isTouched: false });
  const move = patch('[{"op":"move","from":"/rows/2","path":"/rows/0"}]');
  assert.deepEqual(originOf(move, ["rows", 0, "a"]).location, ["rows", 2, "a"]);
  assert.deepEqual(destinationOf(move, ["rows", 0]).location, ["rows", 1]);
  assert.deepEqual(originOf(move, ["rows", 3]).location, ["rows", 3]);
});

test("keys that look like numbers stay where they are", () => {
  const patch = (text) => readPatch(parseJSON(text));
  const key = ["votes", "16", "count"];
  for (const [text, isTouched] of [
    ['[{"op":"add","path":"/votes/7","value":{}}]', false],
    ['[{"op":"remove","path":"/votes/7"}]', false],
    ['[{"op":"move","from":"/votes/3","path":"/votes/7"}]', false],
    ['[{"op":"add","path":"/votes/16/seen/0","value":1}]', false],
    ['[{"op":"replace","path":"/votes/16/count","value":2}]', true],
    ['[{"op":"add","path":"/votes/16","value":{"count":1}}]', true],
  ]) {
    assert.deepEqual(originOf(patch(text), key), { location: key, isTouched }, text);
    assert.deepEqual(destinationOf(patch(text), key), { location: key, isTouched }, text);
  }
  const move = patch('[{"op":"move","from":"/votes/7","path":"/votes/16"}]');
  assert.deepEqual(originOf(move, key).location, ["votes", "7", "count"]);
  assert.deepEqual(destinationOf(move, ["votes", "7", "count"]).location, key);
  const state = parseJSON('{"votes":{"16":[1,{"2":0}]}}');
  assert.deepEqual(located(state, ["votes", "16", "1", "2"]), ["votes", "16", 1, "2"]);
  assert.deepEqual(located(state, ["votes", "16", "1", "2", "3", "4"]), ["votes", "16", 1, "2", 3, 4]);
  assert.equal(placeText(["votes", "16", "1", "2"], undefined, located(state, ["votes", "16", "1", "2"])), 'votes["16"][1]["2"]');
});

test("what is tagged changes as a whole", () => {
  const state = parseJSON('{"born":{"$date":-0.5},"limit":{"$some":null},"failure":{"$error":{"type":"A","description":"a","value":{"count":1}}}}');
  const rows = (patch) => changesOf(state, readPatch(parseJSON(patch)), 10)
    .map(({ path, before, after }) => [placeText(path), writeJSON(before), writeJSON(after)]);
  for (const [patch, expected] of [
    ['[{"op":"replace","path":"/born/$date","value":-1.5}]', [["born", '{"$date":-0.5}', '{"$date":-1.5}']]],
    ['[{"op":"replace","path":"/limit/$some","value":{"$some":null}}]', [["limit", '{"$some":null}', '{"$some":{"$some":null}}']]],
    ['[{"op":"replace","path":"/failure/$error/value/count","value":2}]', [["failure.count", "1", "2"]]],
    [
      '[{"op":"replace","path":"/failure/$error/type","value":"B"},{"op":"replace","path":"/failure/$error/description","value":"b"}]',
      [["failure", '{"$error":{"type":"A","description":"a","value":{"count":1}}}', '{"$error":{"type":"B","description":"b","value":{"count":1}}}']],
    ],
  ]) assert.deepEqual(rows(patch), expected, patch);
});

test("elements stand side by side by what they share, and by their ids", () => {
  const [before, after] = [parseJSON('[{"id":1,"a":1},{"id":2,"a":1}]'), parseJSON('[{"id":3,"a":0},{"id":1,"a":2},{"id":2,"a":1}]')];
  const parts = alignedParts(before, after).map(({ token, before: old, after: now }) => [token, old?.get("id"), now?.get("id")]);
  assert.deepEqual(parts, [["0", undefined, 3], ["1", 1, 1], ["2", 2, 2]]);
  const members = alignedParts(parseJSON('{"a":1,"b":2}'), parseJSON('{"b":3,"c":4}')).map(({ token, before: old, after: now }) => [token, old, now]);
  assert.deepEqual(members, [["a", 1, undefined], ["b", 2, 3], ["c", undefined, 4]]);
  const changes = leafChanges(before, after, ["rows"], [], 10).map(({ path, before: old, after: now }) => [pointerText(path), writeJSON(old ?? null), writeJSON(now ?? null)]);
  assert.deepEqual(changes, [["/rows/0", "null", '{"id":3,"a":0}'], ["/rows/1/a", "1", "2"]]);
});

test("texts are made visible", () => {
  assert.equal(visible("\u0301a\u202eb\n"), "\\u{301}a\\u{202E}b\\n");
  assert.equal(visible("e\u0301 👩‍💻"), "e\u0301 👩‍💻");
  assert.equal(unescapeLine("\u0001l/script>\u0001r\u00010\u00011"), "</script>\r\0\u0001");
});

test("ids are as short as they may be", () => {
  const ids = new IDAbbreviations();
  assert.equal(ids.shortest("69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"), "AC1A");
  assert.equal(ids.shortest("2961F3CF-ADFB-4E0B-A128-E9FACF9CAC1A"), "9CAC1A");
  assert.equal(ids.shortest("69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"), "21AC1A");
});

test("places are written as they are typed", () => {
  const state = parseJSON('{"path":[{"id":2,"element":{"site":{"_0":{"note":1}}}}],"a b":{"x":1},"status":{"loading":{"_0":1}}}');
  const place = (text) => placeText(pointerTokens(text), state);
  assert.equal(place("/path/0/element/site/_0/note"), "path[#2].site.note");
  assert.equal(place("/a b/x"), '["a b"].x');
  assert.equal(place("/status/loading/_0"), "status.loading.0");
  assert.equal(placeText(["todos", "*", "title"]), "todos[*].title");
});

// A small log for what needs one.

const header = '{"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"1","feature":"F","startedAt":"","recorder":"","environment":{},"segment":1}';

function modelOf(...lines) {
  const model = new Model("{}");
  const log = logOf([header, ...lines].map((line) => line + "\n").join(""));
  model.log = log;
  model.states.log = log;
  return model;
}

const rows = modelOf(
  '{"kind":"checkpoint","seq":0,"state":{"rows":[{"id":1,"n":0}],"count":0},"effects":[]}',
  '{"kind":"action","seq":1,"at":1,"origin":"view","action":{"tap":{"_0":"Milk"}}}',
  '{"kind":"change","seq":1,"patch":[{"op":"replace","path":"/rows/0/n","value":1}],"effects":[{"id":"1.0","op":"run","name":"save"}],"us":5}',
  '{"kind":"action","seq":2,"at":2,"origin":{"effect":"1.0"},"action":{"saved":{"_0":{"failure":{"_0":{"busy":{}}}}}}}',
  '{"kind":"change","seq":2,"patch":[{"op":"add","path":"/rows/0","value":{"id":2,"n":9}}]}',
  '{"kind":"effect","id":"1.0","event":"finished","sent":1,"at":3}',
  '{"kind":"action","seq":3,"at":4,"origin":{"reentrant":2},"action":{"rows":{"_0":{"element":{"id":1,"action":{"set":{"_0":5}}}}}}}',
  '{"kind":"change","seq":3,"patch":[{"op":"replace","path":"/rows/1/n","value":5},{"op":"replace","path":"/count","value":1}]}',
  ' { "kind" : "action", "seq" : 4, "at" : 5, "origin" : "view", "action" : {"remove":{}} }',
  '{"kind":"change","seq":4,"patch":[{"op":"remove","path":"/rows/1"}]}',
  '{"kind":"call","id":"1.0","key":"APIClient.fetch","arguments":[7,"en"],"result":{"text":"prime"},"at":5203,"us":81230}',
  '{"kind":"later","seq":4}',
  '{"kind":"action","seq":5,"at":6,"origin":"view","action":{"boom":{}}}',
);

test("the index of a log", () => {
  const { log } = rows;
  assert.equal(log.actionCount, 5);
  assert.equal(log.stepCount, 6);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((step) => log.causeOf(step)), [-1, -1, 1, 2, -1, -1]);
  assert.deepEqual([...log.stepDepths.values.slice(0, 6)], [0, 0, 1, 2, 0, 0]);
  assert.deepEqual(log.ledTo(1, 10), [2]);
  assert.equal(log.unknownLines, 1);
  assert.equal(log.stepDurations.values[1], 5);
  assert.deepEqual(log.effects, [{ id: "1.0", label: "save", source: "", op: "run", start: 1, end: 2, ending: 1, calls: [4], sent: [2] }]);
  const [call] = log.eventsOf(4, Kind.call);
  assert.equal(callText(call, rows.notation), 'APIClient.fetch(7, "en") → (text: "prime")');
});

test("effects have the names of the command line", () => {
  const effects = [
    ['{"id":"1.0","op":"run","name":"save","cancelID":{"type":"CancelID","value":{"save":{}}},"source":"App/Rows.swift:9"}', "save 1.0"],
    ['{"id":"1.1","op":"run","cancelID":{"type":"RowTimer","value":{"id":7}},"source":"App/Rows.swift:9"}', "RowTimer(id: 7) 1.1"],
    ['{"id":"1.2","op":"run","cancelID":{"type":"ChildEffects","value":{}},"source":"App/Rows.swift:9"}', "Rows.swift:9 1.2"],
    ['{"id":"1.3","op":"run"}', "effect 1.3"],
    ['{"id":"1.4","op":"send"}', "effect 1.4"],
  ];
  const { log } = modelOf(
    '{"kind":"checkpoint","seq":0,"state":{},"effects":[]}',
    '{"kind":"action","seq":1,"at":1,"origin":"view","action":{"tap":{}}}',
    `{"kind":"change","seq":1,"patch":[],"effects":[${effects.map(([effect]) => effect).join(",")}]}`,
  );
  assert.deepEqual(log.effects.map(({ id }) => log.effectName(id)), effects.map(([, name]) => name));
  assert.equal(log.effectName("9.9"), "effect 9.9");
  const event = (text) => parseJSON(text);
  const notation = rows.notation;
  const nameOf = (id) => log.effectName(id);
  for (const [text, isCancelled, expected] of [
    ['{"id":"1.0","event":"finished","sent":2}', false, "save 1.0 finished after 2 actions"],
    ['{"id":"1.0","event":"finished","sent":1}', true, "save 1.0 ended after 1 action"],
    ['{"id":"1.1","event":"cancelled","by":{"effect":"1.0"}}', false, "RowTimer(id: 7) 1.1 canceled by save 1.0"],
  ]) assert.equal(effectTurn(event(text), notation, nameOf, isCancelled), expected);
  assert.equal(isBareEnd(event('{"id":"1.0","event":"finished","sent":0}')), true);
  assert.equal(isBareEnd(event('{"id":"1.0","event":"finished","sent":1}')), false);
});

test("filters", () => {
  const hits = (query) => {
    const filter = new Filter(query, rows);
    filter.run(() => false);
    return filter.isActive ? filter.hits : undefined;
  };
  const cases = [
    ["", undefined], ["milk", [1]], [".saved", [2]], [".saved(.failure", [2]], [".rows[].set", [3]], [".set", [3]], [".sav", [2]], [".sa", [2]], [".av", []], ["2..3", [2, 3]], ["..2", [0, 1, 2]], ["3..end", [3, 4, 5]], ["2..3 .set", [3]], ["-2..end", [0, 1]], [".rows[1].set", [3]], [".rows[2].set", []], [".rows[*].set(5", [3]], [".saved(.failure)", [2]], [".saved.failure", [2]], ["is:failed", [2, 5]], ["is:unfinished", [5]],
    ["path:rows", [1, 2, 3, 4]], ["path:rows[1]", [3, 4]], ["path:rows[*].n", [1, 3]], ["path:/rows/*/n", [1, 3]], ["path:count", [3]], ["effect:save", [1, 2]], ["effect:1.0", [1, 2]],
    ["from:view", [1, 4, 5]], ["from:effect", [2, 3]], ["from:2", [3]], ["-from:view -from:effect", [0]], ["is:changed .rows", [3]], ["case:.boom", [5]],
  ];
  for (const [query, expected] of cases) assert.deepEqual(hits(query), expected, query);
  const told = (query) => {
    const filter = new Filter(query, rows);
    filter.run(() => false);
    return filter.told;
  };
  const problems = [
    ["is:fialed", "'is:fialed' is not a filter", "is:failed"], ["-is:gpa", "'is:gpa' is not a filter", "-is:gap"], ["from:veiw", "'from:veiw' is not a sender", "from:view"],
    ["pth:rows", "'pth:' is not a kind of filter, and is looked for as text", "path:rows"], ["effect:svae", "no effect is called 'svae'", "effect:save"],
    ["case:.boum", "no action has the case '.boum'", "case:.boom"], ["path:nothing.like.it", "no action changed 'nothing.like.it'", undefined],
    ["is:whatever", "'is:whatever' is not a filter", undefined],
  ];
  for (const [typed, problem, meant] of problems) assert.deepEqual(told(typed), [{ typed, problem, meant }], typed);
  for (const query of ["http://milk", "10:30", "from:99", "milk is:failed", "2..3"]) assert.deepEqual(told(query), [], query);
  const meant = [
    [".savd", ".saved"], [".rows.set", ".rows[].set"], [".rows[].sett", ".rows[].set"], ["path:n", "path:rows[*].n"], ["path:cuont", "path:count"],
    [".saved", undefined], ["path:rows", undefined], ["milk", undefined], [".nothingLikeIt", undefined],
  ];
  for (const [query, expected] of meant) assert.equal(told(query)[0]?.meant, expected, query);
  assert.deepEqual(queryWords('path:"a b" c'), ["path:a b", "c"]);
  assert.equal(toggledQuery("a", "path:a b"), 'a path:"a b"');
  assert.equal(toggledQuery('a path:"a b"', "path:a b"), "a");
});

test("the history of a value follows its row", () => {
  const values = (step, pointer) => [...valuesOf(rows, step, pointerTokens(pointer))].filter((found) => found !== undefined)
    .map(({ step: at, value, path, isLater }) => [at, value === undefined ? undefined : writeJSON(value), path && pointerText(path), isLater]);
  assert.deepEqual(values(3, "/rows/1/n"), [[3, "5", "/rows/1/n", false], [1, "1", "/rows/0/n", false], [0, "0", "/rows/0/n", false], [4, undefined, undefined, true]]);
  assert.deepEqual(values(3, "/rows/0/n"), [[2, "9", "/rows/0/n", false]]);
  assert.deepEqual(values(0, "/count"), [[0, "0", "/count", false], [3, "1", "/count", true]]);
});

test("the history of a key that looks like a number", () => {
  const model = modelOf(
    '{"kind":"checkpoint","seq":0,"state":{"votes":{}},"effects":[]}',
    ...[["add", "16", 1], ["replace", "16", 2], ["add", "7", 1]].flatMap(([op, key, value], index) => [
      `{"kind":"action","seq":${index + 1},"at":1,"origin":"view","action":{"voted":{"id":${key}}}}`,
      `{"kind":"change","seq":${index + 1},"patch":[{"op":"${op}","path":"/votes/${key}","value":${value}}]}`,
    ]),
    '{"kind":"action","seq":4,"at":1,"origin":"view","action":{"closed":{}}}',
    '{"kind":"change","seq":4,"patch":[{"op":"remove","path":"/votes/7"}]}',
  );
  const found = [...valuesOf(model, 4, ["votes", "16"])].filter((value) => value !== undefined);
  assert.deepEqual(found.map(({ step, value }) => [step, value === undefined ? undefined : writeJSON(value)]), [[2, "2"], [1, "1"], [0, undefined]]);
  assert.equal(model.placeText(4, ["votes", "7"]), 'votes["7"]');
});

test("lanes and positions", () => {
  assert.deepEqual(assignLanes(rows.log), { bars: [{ lane: 0, index: 0, start: 1, end: 2 }], laneCount: 1, hidden: 0 });
  // Effects that are alive at the same time stand in lanes of their own; a cancellation has none.
  const effect = (id, start, end, op = "run") => ({ id, name: id, op, start, end, ending: 0, calls: [], sent: [] });
  const lanes = assignLanes({ stepCount: 9, effects: [effect("a", 1, 4), effect("b", 2, -1), effect("c", 4, 5), effect("d", 5, 6), effect("x", 5, 5, "cancel"), effect("s", 6, -1, "send")] });
  assert.deepEqual(lanes.bars.map(({ lane, index, end }) => [lane, index, end]), [[0, 0, 4], [1, 1, 8], [2, 2, 5], [0, 3, 6]]);
  const positions = stepPositions(Float64Array.of(0, 0, 10, 10, 1000), 5);
  assert.equal(positions[4], 1);
  for (let step = 1; step < 5; step += 1) assert.ok(positions[step] > positions[step - 1]);
});

const [own, others] = ["69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A", "8E73A17C-4146-4013-86F5-3B03D481E573"];
const comparison = parseJSON(JSON.stringify({
  kind: "log",
  alignment: {
    first: { actions: 6, last: 6 }, second: { actions: 6, last: 6 },
    matches: [{ first: [1, 2], second: [1, 2] }, { first: [4, 5], second: [3, 4] }],
    onlyInFirst: [{ seq: 3, kind: "action", action: { tapped: {} } }],
    onlyInSecond: [{ seq: 5, kind: "action", after: 5, action: { added: {} } }, { seq: 2, kind: "effect", after: 2, effect: "1.0", event: "finished" }],
    moved: [{ kind: "action", action: { moved: {} }, first: 6, second: 6 }],
  },
  mapped: { ids: 1, dates: 1, values: [{ first: own, second: others }, { first: "2026-01-01T00:00:00Z", second: "2026-02-03T04:05:06.25Z" }] },
}));

test("the numbers of actions in an aligned log", () => {
  const alignment = new Alignment(comparison);
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map((seq) => alignment.otherSeq(seq)), [1, 2, undefined, 3, 4, 6, undefined]);
  assert.deepEqual(new Alignment(parseJSON('{"kind":"replay"}')).otherSeq(7), 7);
  assert.deepEqual(new Alignment(undefined).places, []);
});

test("what has no counterpart in an aligned log", () => {
  const alignment = new Alignment(comparison);
  assert.deepEqual(alignment.places.sort(), [2, 3, 5, 6]);
  const told = (seq) => alignment.loneAt(seq).map(({ seq, isOther, isAction, movedTo, title }) => [seq, isOther, isAction, movedTo, title]);
  assert.deepEqual(told(3), [[3, false, true, undefined, "action"]]);
  assert.deepEqual(told(5), [[5, true, true, undefined, "action"]]);
  assert.deepEqual(told(2), [[2, true, false, undefined, "effect 1.0 finished"]]);
  assert.deepEqual(told(6), [[6, false, true, 6, "action"]]);
  assert.deepEqual(told(4), []);
});

test("values of an aligned log have the ids and dates of the shown one", () => {
  const alignment = new Alignment(comparison);
  for (const [value, expected] of [
    [`"${others}"`, `"${own}"`], [`"row ${others.toLowerCase()}!"`, `"row ${own.toLowerCase()}!"`], [`{"${others}":[1,"${others}"]}`, `{"${own}":[1,"${own}"]}`],
    ['{"at":"2026-02-03T04:05:06.25Z"}', '{"at":"2026-01-01T00:00:00Z"}'], [`"${own}"`, `"${own} of the other log"`], ['[null,true,1.0,"x"]', '[null,true,1.0,"x"]'],
  ]) assert.equal(writeJSON(alignment.translated(parseJSON(value))), expected, value);
});

test("the ids and dates of a line that stand for others", () => {
  const alignment = new Alignment(comparison);
  assert.deepEqual(alignment.counterparts(`{"a":"${own.toLowerCase()}","b":"${own}","c":"${others}","d":"2026-01-01T00:00:00Z"}`),
    [[own, others], ["2026-01-01T00:00:00Z", "2026-02-03T04:05:06.25Z"]]);
  assert.deepEqual(new Alignment(undefined).counterparts(own), []);
});
