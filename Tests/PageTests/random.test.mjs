// Random logs: the page's states and notation are those of the command line.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { parseJSON, writeJSON } from "../../Sources/Page/Resources/json.mjs";
import { States } from "../../Sources/Page/Resources/states.mjs";
import { logAt, run, shownText } from "./support.mjs";

/** Numbers that a seed repeats (SplitMix32). */
function generator(seed) {
  return (below) => {
    seed = (seed + 0x9e3779b9) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

const texts = [
  "", "a", "é", "日本", "👩‍💻", "\u202e", "\u0301", "\n", "\"", "\\", "</script>", "masked5d79b2e0bf06c886bd", "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A",
  "2961F3CF-ADFB-4E0B-A128-E9FACF9CAC1A", "2025-11-20T09:12:03Z", "x".repeat(300), "é…".repeat(90), "e\u0301\u0301".repeat(60), "🇩🇪🇫🇷".repeat(40),
];
const numbers = ["0", "-0.0", "1", "-7", "1.5", "9007199254740993", "18446744073709551615", "1e+300", "0.1", "123456789012345678901234567890"];
const names = ["a", "b", "id", "name", "_0", "_1", "1", "10", "2", "a b", "$$x", "ünï", "__proto__", "success", "element"];

function value(random, depth) {
  const pick = (list) => list[random(list.length)];
  switch (random(depth > 3 ? 5 : 12)) {
    case 0: return "null";
    case 1: return pick(["true", "false"]);
    case 2: return pick(numbers);
    case 3: case 4: return JSON.stringify(pick(texts));
    case 5: case 6: return `[${Array.from({ length: random(6) }, () => value(random, depth + 1)).join(",")}]`;
    case 7: return `{"${pick(["saved", "tap", "loaded"])}":{${random(2) ? `"_0":${value(random, depth + 1)}` : ""}}}`;
    case 8: return pick(['{"$opaque":"Node","reason":"it throws"}', '{"$some":null}', '{"$double":"nan"}', '{"$date":-0.5}', '{"$masked":"masked5d79b2e0bf06c886bd"}',
      '{"$error":{"type":"Offline","description":"no route"}}', '{"$error":{"type":"Refused","description":"busy","value":{"busy":{}}}}', '{"$ordinal":3}']);
    case 9: return `{"id":${random(4)},"element":${value(random, depth + 1)}}`;
    default: {
      const members = [...new Set(Array.from({ length: random(6) }, () => pick(names)))];
      return `{${members.map((name) => `${JSON.stringify(name)}:${value(random, depth + 1)}`).join(",")}}`;
    }
  }
}

/** The places in a value, as tokens. */
function places(root) {
  const found = [];
  const walk = (value, tokens) => {
    if (Array.isArray(value)) value.forEach((element, index) => (found.push([...tokens, String(index)]), walk(element, [...tokens, String(index)])));
    else if (value instanceof Map) for (const [name, member] of value) (found.push([...tokens, name]), walk(member, [...tokens, name]));
  };
  walk(root, []);
  return found;
}

const pointer = (tokens) => JSON.stringify(tokens.map((token) => "/" + token.replace(/~/g, "~0").replace(/\//g, "~1")).join(""));

for (let seed = 1; seed <= 12; seed += 1) {
  test(`a random log, seed ${seed}`, () => {
    const random = generator(seed);
    const folder = mkdtempSync(path.join(tmpdir(), "page"));
    try {
      const file = path.join(folder, "log.jsonl");
      const long = "lorem ipsum é ".repeat(100);
      const lines = [
        '{"kind":"header","format":"tca-replay","version":1,"requires":["splice"],"id":"1","feature":"F","startedAt":"","recorder":"","environment":{},"segment":1}',
        `{"kind":"checkpoint","seq":0,"state":{"root":${value(random, 0)},"text":${JSON.stringify(long)}},"effects":[]}`,
      ];
      let text = lines.join("\n") + "\n";
      writeFileSync(file, text);
      let log = logAt(file);
      let state = new States(log).after(0);
      for (let seq = 1; seq <= 25; seq += 1) {
        const found = places(state).filter((tokens) => tokens[0] === "root");
        const operations = [];
        if (found.length > 0) {
          const place = found[random(found.length)];
          operations.push([
            `{"op":"replace","path":${pointer(place)},"value":${value(random, 1)}}`, `{"op":"add","path":${pointer(place)},"value":${value(random, 1)}}`,
            ...(place.length > 1 ? [`{"op":"remove","path":${pointer(place)}}`] : []), `{"op":"copy","from":${pointer(place)},"path":"/root"}`,
          ][random(place.length > 1 ? 4 : 2)]);
        }
        if (random(3) === 0) {
          const scalars = [...state.get("text")];
          const start = random(scalars.length);
          const removed = scalars.slice(start, start + random(4)).join("");
          const at = Buffer.byteLength(scalars.slice(0, start).join(""));
          operations.push(`{"op":"splice","path":"/text","at":${at},"remove":${Buffer.byteLength(removed)},"insert":${JSON.stringify(["!", "é", "👩‍💻"][random(3)])}}`);
        }
        if (random(3) === 0) operations.push(`{"op":"replace","path":"/root","value":${value(random, 0)}}`);
        text += `{"kind":"action","seq":${seq},"at":${seq * 1000},"origin":"view","action":${value(random, 1)}}\n`;
        text += `{"kind":"change","seq":${seq},"patch":[${operations.join(",")}]}\n`;
        if (random(8) === 0) text += `{"kind":"gap","seq":${seq},"dropped":1,"reason":"full"}\n{"kind":"checkpoint","seq":${seq},"state":{"root":${value(random, 0)},"text":${JSON.stringify(long)}},"effects":[]}\n`;
        writeFileSync(file, text);
        log = logAt(file);
        state = new States(log).after(log.stepCount - 1);
        if (state === undefined) {
          // A patch that does not fit: the command line refuses it, too.
          assert.throws(() => run("show", file, "--at", String(seq)));
          return;
        }
      }
      assert.equal(shownText(log), run("show", file, "-v"));
      const states = new States(log);
      const changes = parseJSON(run("show", file, "--path", "", "--format", "json")).get("changes");
      const last = new Map(changes.map((change) => [change.get("seq"), writeJSON(change.get("after"))]));
      for (let step = log.stepCount - 1; step > 0; step -= 1) {
        const seq = log.stepSeqs.values[step];
        const isLast = step + 1 === log.stepCount || log.stepSeqs.values[step + 1] !== seq;
        if (isLast && last.has(seq)) assert.equal(writeJSON(states.after(step)), last.get(seq), `after action ${seq}`);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
