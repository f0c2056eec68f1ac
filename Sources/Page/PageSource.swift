// swift-format-ignore-file
// Made by .ci/page-source of the files in Resources.

/// The page without a log: its style, its body and its script, with the digests by which its policy allows them.
enum PageSource {
  static let styleHash = "sha256-j4ioacUvTCwlI0Ab6qUPZDYfZTgXfB7VFiUuMBzE+C0="
  static let scriptHash = "sha256-+hHa6HPyyxFfGbBc+tgRNuul0DjDGyaRMuLAO1Rv+9E="

  static let style = ##"""
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f6f7f9; --raised: #ffffff; --line: #d9dde3; --soft: #eceff3;
  --ink: #1b1f24; --dim: #59626e; --accent: #0b5cad; --accent-soft: #ddebfb; --select: #d5e6fa; --select-ink: #0a2540;
  --add: #116329; --add-soft: #dff5e3; --remove: #a40e26; --remove-soft: #fde3e4; --warn: #7a4b00; --warn-soft: #fff1cf;
  --bad: #b3121d; --bad-soft: #fde3e4; --string: #0a4f8a; --number: #7c3a00; --case: #6b2fa8; --id: #4a5560; --tag: #7a4b00;
  --effect-run: #2f7bd0; --effect-done: #7fb0e6; --effect-cancelled: #a67908; --effect-failed: #c62533; --density: #6f7e92;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --text: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --panel: #1a1e24; --raised: #20252c; --line: #343b45; --soft: #262c34;
    --ink: #e4e8ee; --dim: #a3adba; --accent: #7ab7ff; --accent-soft: #1d3550; --select: #234368; --select-ink: #f0f6ff;
    --add: #7ee2a0; --add-soft: #15341f; --remove: #ff9aa2; --remove-soft: #43191e; --warn: #f2c464; --warn-soft: #3d3013;
    --bad: #ff8b93; --bad-soft: #4a191f; --string: #8ecbff; --number: #ffb37a; --case: #d0a8ff; --id: #aab5c2; --tag: #f2c464;
    --effect-run: #5aa2f0; --effect-done: #3d6794; --effect-cancelled: #d9a93b; --effect-failed: #ff6b76; --density: #77869a;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body {
  display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  font: 13px/1.45 var(--text); overflow: hidden;
}
button, input { font: inherit; color: inherit; }
button {
  background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; cursor: pointer; white-space: nowrap;
}
button:hover { border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
h1, h2, h3, p { margin: 0; }
h2 { font-size: 11px; font-weight: 650; letter-spacing: 0.06em; text-transform: uppercase; color: var(--dim); }
code, .code, #list, #tree, #history table, .diff { font-family: var(--mono); font-size: 12px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; background: var(--paper); padding: 6px; z-index: 9; }
.dim { color: var(--dim); }
.link { all: unset; cursor: pointer; color: var(--accent); }
.link:hover { text-decoration: underline; }
.link:focus-visible { outline: 2px solid var(--accent); }

/* The head. */
#top { display: flex; align-items: center; gap: 14px; padding: 8px 12px; background: var(--panel); border-bottom: 1px solid var(--line); }
#name { font-size: 15px; font-weight: 650; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; flex: 0 1 auto; min-width: 3ch; max-width: 40%; }
#logs { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 3px 6px; max-width: 34ch; }
#live { flex: none; border-radius: 10px; padding: 0 9px; font-size: 12px; line-height: 18px; }
#live::before { content: "●"; margin-right: 5px; color: var(--dim); }
#live.along { border-color: var(--add); color: var(--add); }
#live.along::before { color: var(--add); }
#live.ended { color: var(--dim); cursor: default; border-color: var(--line); }
#live.ended::before { content: none; }
#facts { color: var(--dim); flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#tools { display: flex; gap: 8px; align-items: center; flex: 0 1 560px; }
#search { display: flex; flex: 1; align-items: center; position: relative; min-width: 0; }
#query { flex: 1; min-width: 0; padding: 4px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); }
#query { text-overflow: ellipsis; }
#query::placeholder { color: var(--dim); }
#hits { position: absolute; right: 30px; color: var(--dim); font-size: 12px; pointer-events: none; background: var(--raised); padding: 0 4px; }
#banner { display: flex; gap: 10px; align-items: baseline; padding: 7px 12px; border-bottom: 1px solid var(--line); }
#banner.bad { background: var(--bad-soft); color: var(--bad); }
#banner.warn { background: var(--warn-soft); color: var(--warn); }
#banner.good { background: var(--add-soft); color: var(--add); }
#banner strong { font-weight: 650; }
#banner p { flex: 1; min-width: 0; }
#banner p + p { flex: 0 1 auto; }
#banner button { color: var(--ink); }
#quick { display: flex; flex-wrap: wrap; gap: 6px; padding: 6px 12px 0; }
.chip {
  all: unset; box-sizing: border-box; cursor: pointer; border: 1px solid var(--line); border-radius: 10px; padding: 0 8px; font-size: 11.5px; line-height: 18px;
  background: var(--raised); color: var(--ink); white-space: nowrap;
}
.chip:hover { border-color: var(--accent); }
.chip:focus-visible { outline: 2px solid var(--accent); }
.chip[aria-pressed="true"] { background: var(--accent-soft); border-color: var(--accent); }
.chip b { font-weight: 600; color: var(--dim); }
.chip.bad b, .chip.bad { color: var(--bad); }

/* The time line. */
#time { position: relative; padding: 8px 12px 4px; border-bottom: 1px solid var(--line); }
#time canvas { display: block; width: 100%; border-radius: 4px; }
#scrubber { height: 34px; background: var(--soft); cursor: pointer; touch-action: none; }
#lanes { margin-top: 4px; height: 19px; cursor: pointer; }
#tip {
  position: absolute; z-index: 5; max-width: 520px; padding: 5px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--raised);
  font: 12px/1.4 var(--mono); white-space: pre-line; pointer-events: none; box-shadow: 0 2px 10px rgb(0 0 0 / 0.18); overflow-wrap: anywhere;
}

/* The columns. */
main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(360px, 11fr) minmax(320px, 8fr) minmax(392px, 8fr); }
main > section { min-width: 0; min-height: 0; contain: layout paint style; }
#actions { display: flex; flex-direction: column; border-right: 1px solid var(--line); }
#step { overflow: auto; border-right: 1px solid var(--line); }
#state { display: flex; flex-direction: column; }

/* The list. */
#listhead { display: flex; gap: 8px; padding: 4px 10px 4px 12px; color: var(--dim); font-size: 11px; border-bottom: 1px solid var(--line); background: var(--panel); }
#list { position: relative; flex: 1; overflow-y: auto; overflow-x: hidden; overflow-anchor: none; }
#rows { position: absolute; left: 0; right: 0; top: 0; }
.row {
  position: absolute; left: 0; right: 0; top: 0; contain: strict; height: 24px; line-height: 24px; display: flex; gap: 8px; padding: 0 10px 0 9px; white-space: pre;
  cursor: default; border-left: 3px solid transparent;
}
.row:hover { background: var(--soft); }
.row[aria-selected="true"] { background: var(--select); color: var(--select-ink); }
.row.related { background: var(--accent-soft); }
.row.failed { border-left-color: var(--effect-cancelled); }
.row.unfinished, .row.differs { border-left-color: var(--bad); }
.row.note, .row.gap, .row.external, .row.start { color: var(--dim); font-style: italic; }
.row.gap { color: var(--bad); }
.seq { flex: 0 0 var(--seq, 4ch); text-align: right; color: var(--dim); }
.when { flex: 0 0 9ch; text-align: right; color: var(--dim); }
.what { flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; display: flex; gap: 6px; }
.what .act { overflow: hidden; display: flex; flex: 0 1 auto; min-width: 0; font-weight: 550; }
/* Where there is no room, the place of an action gives way to what happened there. */
.act .head { flex: 0 1 auto; min-width: 3ch; overflow: hidden; text-overflow: ellipsis; }
.act .tail { flex: none; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.act .head + .tail { max-width: calc(100% - 3ch); }
.indent { color: var(--dim); flex: none; }
.by { flex: 0 0 6ch; color: var(--dim); overflow: hidden; text-overflow: ellipsis; }
.changes { flex: 1 1 0; min-width: 10ch; height: 24px; overflow: hidden; display: flex; flex-wrap: wrap; gap: 0 4px; align-items: center; font-size: 11px; }
.place { flex: none; max-width: 100%; margin: 4px 0; overflow: hidden; text-overflow: ellipsis; padding: 0 5px; line-height: 16px; border-radius: 4px; background: var(--soft); color: var(--dim); }
.row[aria-selected="true"] .place { background: var(--raised); color: var(--ink); }
.took { flex: 0 0 7ch; text-align: right; color: var(--dim); }
.mark { flex: none; font-size: 11px; line-height: 16px; align-self: center; padding: 0 5px; border-radius: 4px; font-weight: 600; }
.mark.bad { background: var(--bad-soft); color: var(--bad); }
.mark.warn { background: var(--warn-soft); color: var(--warn); }
.mark.fx { background: var(--accent-soft); color: var(--accent); font-weight: 500; }
.row[aria-selected="true"] .seq, .row[aria-selected="true"] .when, .row[aria-selected="true"] .by, .row[aria-selected="true"] .took, .row[aria-selected="true"] .indent { color: inherit; }
.empty { padding: 16px; color: var(--dim); font-family: var(--text); font-size: 13px; white-space: normal; }

/* The step. */
.title { padding: 10px 14px 8px; border-bottom: 1px solid var(--line); position: sticky; top: 0; background: var(--paper); z-index: 1; }
.title .code { font-size: 13px; font-weight: 600; overflow-wrap: anywhere; }
.title p { color: var(--dim); }
.title .nav { display: flex; gap: 6px; margin-top: 6px; flex-wrap: wrap; }
.block { padding: 10px 14px; border-bottom: 1px solid var(--line); }
.block h2 { margin-bottom: 6px; display: flex; gap: 8px; align-items: baseline; }
.block h2 .dim { text-transform: none; letter-spacing: 0; font-weight: 400; }
.block.bad { background: var(--bad-soft); }
.block.bad h2 { color: var(--bad); }
.block.warn { background: var(--warn-soft); }
.diff { display: grid; gap: 8px; }
.diff .where { font-weight: 600; overflow-wrap: anywhere; }
.diff .old, .diff .new, .diff .move { padding: 1px 8px 1px 22px; text-indent: -14px; overflow-wrap: anywhere; white-space: pre-wrap; border-radius: 4px; }
.diff .old { background: var(--remove-soft); }
.diff .new { background: var(--add-soft); }
.diff .old::before { content: "− "; color: var(--remove); font-weight: 700; }
.diff .new::before { content: "+ "; color: var(--add); font-weight: 700; }
.block.bad .old { background: color-mix(in srgb, var(--remove) 14%, var(--paper)); }
.block.bad .new { background: var(--add-soft); }
.old .part { background: color-mix(in srgb, var(--remove) 24%, transparent); border-radius: 2px; }
.new .part { background: color-mix(in srgb, var(--add) 24%, transparent); border-radius: 2px; }
.list { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 5px; }
.list li { overflow-wrap: anywhere; }
.list .code { white-space: pre-wrap; }
.list .link { max-width: 100%; vertical-align: bottom; }
.list .link .code { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: pre; vertical-align: bottom; }
.chain { border-left: 2px solid var(--line); margin-left: 5px; padding-left: 10px; }
.chain li.here { font-weight: 600; }
.value { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-family: var(--mono); font-size: 12px; }
details > summary { cursor: pointer; color: var(--dim); }
.raw { margin: 6px 0 0; display: grid; grid-template-columns: auto 1fr; gap: 2px 10px; font-family: var(--mono); font-size: 11.5px; }
.raw .number { color: var(--dim); text-align: right; user-select: none; }
.raw .l { overflow-wrap: anywhere; white-space: pre-wrap; }
.legend { font-size: 12px; color: var(--dim); }
.pair { display: grid; grid-template-columns: auto 1fr; gap: 2px 10px; font-family: var(--mono); font-size: 12px; }
.pair .k { color: var(--dim); font-family: var(--text); }
.pair .v { overflow-wrap: anywhere; white-space: pre-wrap; }

/* Notation. */
.s { color: var(--string); } .n { color: var(--number); } .c { color: var(--case); } .i { color: var(--id); } .t { color: var(--tag); font-style: italic; }
.row[aria-selected="true"] :is(.s, .n, .c, .i, .t) { color: inherit; }
.u { background: var(--warn-soft); color: var(--warn); border-radius: 2px; }

/* The state. */
#statehead { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; padding: 6px 12px; border-bottom: 1px solid var(--line); background: var(--panel); }
#statehead h2 { flex: 1; }
#sides { padding: 4px 12px 0 22px; color: var(--dim); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#statemode { display: flex; }
#statemode button { border-radius: 0; padding: 1px 8px; margin-left: -1px; font-size: 12px; }
#statemode button:first-child { border-radius: 6px 0 0 6px; } #statemode button:last-child { border-radius: 0 6px 6px 0; }
#statemode [aria-checked="true"] { background: var(--accent-soft); border-color: var(--accent); z-index: 1; }
#expand { padding: 1px 8px; font-size: 12px; }
#tree { flex: 1 1 0; min-height: 0; overflow: auto; padding: 6px 0 20px; }
.node { display: flex; gap: 4px; padding: 0 12px 0 calc(8px + var(--level) * 14px); line-height: 20px; min-height: 20px; cursor: default; }
.node:hover { background: var(--soft); }
#tree:focus .node.at { outline: 2px solid var(--accent); outline-offset: -2px; }
.node .open { all: unset; flex: 0 0 14px; text-align: center; color: var(--dim); cursor: pointer; font-size: 10px; }
.node .key { flex: none; color: var(--ink); max-width: 26ch; overflow: hidden; text-overflow: ellipsis; white-space: pre; }
.node .key::after { content: ":"; color: var(--dim); }
.node .val { min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.node.folded .val { overflow: hidden; text-overflow: ellipsis; white-space: pre; color: var(--dim); }
.node.changed { background: var(--warn-soft); }
.node.changed .key { font-weight: 700; }
.node.inside .key { font-weight: 700; }
.node.added { background: var(--add-soft); }
.node.removed { background: var(--remove-soft); }
.node .was { text-decoration: line-through; text-decoration-color: var(--remove); opacity: 0.9; }
.node .arrow { color: var(--dim); }
.node.leaf { cursor: pointer; }
#history { scroll-padding-top: 38px; flex: 0 0 auto; max-height: 45%; overflow: auto; border-top: 2px solid var(--accent); background: var(--panel); padding: 8px 12px 12px; }
#history h2 { display: flex; align-items: center; gap: 8px; text-transform: none; letter-spacing: 0; font-size: 12.5px; color: var(--ink); position: sticky; top: -8px; background: var(--panel); padding: 4px 0; }
#history h2 .code { flex: 1; min-width: 0; overflow-wrap: anywhere; font-weight: 600; }
#history h2 button { padding: 0 8px; font-size: 12px; font-weight: 400; }
#history table { border-collapse: collapse; width: 100%; table-layout: fixed; }
#history td { padding: 2px 6px 2px 0; vertical-align: top; overflow-wrap: anywhere; border-top: 1px solid var(--line); }
#history td:first-child { width: 7ch; color: var(--dim); white-space: nowrap; text-align: right; padding-right: 8px; }
#history td.v { width: 42%; }
#history td.who .link { display: block; width: 100%; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
#history td.when { width: 11ch; color: var(--dim); text-align: right; }
#history tr.now td { background: var(--accent-soft); }

dialog { max-height: 94vh; overflow: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); color: var(--ink); padding: 16px 20px; max-width: min(560px, 92vw); }
dialog::backdrop { background: rgb(0 0 0 / 0.35); }
dialog h2 { margin-bottom: 10px; }
dialog dl + h2, dialog dl + p { margin-top: 16px; }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 14px; margin: 0; }
dialog dt { text-align: right; } dialog dd { margin: 0; }
#keys dt { min-width: 19ch; }
.sign { font-weight: 700; }
.sign.view { color: var(--ink); } .sign.sent { color: var(--effect-run); } .sign.open { color: var(--accent); }
.sign.failed { color: var(--effect-cancelled); } .sign.bad { color: var(--effect-failed); }
kbd { font: 11.5px var(--mono); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 5px; background: var(--panel); }
#jump input { width: 100%; padding: 5px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); margin-bottom: 8px; }

/* Narrower windows. */
@media (max-width: 1180px) {
  main { grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); grid-template-rows: minmax(0, 1fr) minmax(0, 1fr); }
  .changes { min-width: 8ch; }
  #actions { grid-row: 1 / 3; }
  #step { border-right: 0; border-bottom: 1px solid var(--line); }
}
@media (max-width: 700px) {
  body { overflow: auto; height: auto; display: block; }
  #top { flex-wrap: wrap; gap: 6px 10px; }
  #facts { order: 1; flex: 1 1 100%; }
  #tools { order: 2; flex: 1 1 100%; }
  main { display: block; }
  #actions { max-height: 46vh; border-right: 0; border-bottom: 1px solid var(--line); }
  #list { flex: 0 1 calc(var(--rows) * 24px); }
  #step, #tree { overflow: visible; }
  #state { display: block; }
  .title { position: static; }
  .when, .by, .took, #listhead { display: none; }
  .changes { display: none; }
  #quick { flex-wrap: nowrap; overflow-x: auto; }
  #history { max-height: none; }
}
@media (prefers-reduced-motion: no-preference) { .row { transition: none; } }
@media print {
  body, main, #list, #step, #state, #tree { display: block; height: auto; overflow: visible; position: static; }
  #tools, #quick, .title .nav, #expand, #statemode, .skip { display: none; }
  #rows, .row { position: static; } #room { display: none; }
  .row { break-inside: avoid; }
}
"""##

  static let body = ##"""
<a class="skip" href="#list">Skip to the actions</a>
<header id="top">
<h1 id="name">Loading…</h1>
<select id="logs" aria-label="The log" hidden></select>
<button id="live" type="button" hidden>live</button>
<p id="facts"></p>
<div id="tools">
<div id="search" role="search">
<label class="hidden" for="query">Filter the actions</label>
<input id="query" type="search" placeholder="Filter: text, .case, path:todos, effect:save, is:failed" autocomplete="off" spellcheck="false">
<output id="hits" for="query"></output>
</div>
<button id="play" type="button" title="Play (space)" aria-pressed="false">Play</button>
<button id="help" type="button" title="Keys (?)">Keys</button>
</div>
</header>
<div id="banner" role="status" hidden></div>
<div id="quick" role="group" aria-label="Quick filters"></div>
<section id="time" aria-label="Timeline">
<canvas id="scrubber" role="slider" tabindex="0" aria-label="Position in the log" aria-valuemin="0" aria-valuemax="0" aria-valuenow="0"></canvas>
<canvas id="lanes" role="img" aria-label="Effects"></canvas>
<div id="tip" hidden></div>
</section>
<main>
<section id="actions" aria-label="Actions">
<div id="listhead" aria-hidden="true"><span class="seq">#</span><span class="when">time</span><span class="by">by</span><span class="what">action</span><span class="took">took</span></div>
<div id="list" role="listbox" tabindex="0" aria-label="Actions"><div id="room"></div><div id="rows" role="presentation"></div></div>
</section>
<section id="step" aria-label="The selected action" tabindex="-1"></section>
<section id="state" aria-label="The state">
<div id="statehead">
<h2>State</h2>
<div id="statemode" role="radiogroup" aria-label="Which state">
<button type="button" role="radio" data-mode="both" aria-checked="true">Changes</button>
<button type="button" role="radio" data-mode="before" aria-checked="false">Before</button>
<button type="button" role="radio" data-mode="after" aria-checked="false">After</button>
<button type="button" role="radio" data-mode="other" aria-checked="false" hidden>Other</button>
</div>
<button id="expand" type="button" title="Open or close all (e)">Open all</button>
</div>
<p id="sides" hidden></p>
<div id="tree" role="tree" aria-label="The state" tabindex="0"></div>
<div id="history" hidden aria-label="History of a value"></div>
</section>
</main>
<dialog id="keys" aria-label="Keys"></dialog>
<dialog id="jump" aria-label="Go to an action"></dialog>
<noscript><p>This page needs its script, which it holds itself.</p></noscript>
"""##

  static let script = ##"""
(() => {
"use strict";

// json.mjs

class LongNumber {
  constructor(literal) {
    this.literal = literal;
  }
}

class JSONError extends Error {}

const deepestNesting = 512;

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapes = /** @type {Record<string, string>} */ ({
  '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t",
});

class Parser {
  constructor(text, position) {
    this.text = text;
    this.position = position;
    this.depth = 0;
  }

  fail(expected) {
    throw new JSONError(`expected ${expected} at character ${this.position + 1}`);
  }

  skipSpace() {
    for (;;) {
      const code = this.text.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return;
      this.position += 1;
    }
  }

  value() {
    this.skipSpace();
    switch (this.text.charCodeAt(this.position)) {
      case 0x7b: return this.object();
      case 0x5b: return this.array();
      case 0x22: return this.string();
      case 0x74: return this.literal("true", true);
      case 0x66: return this.literal("false", false);
      case 0x6e: return this.literal("null", null);
      default: return this.number();
    }
  }

  literal(text, value) {
    if (!this.text.startsWith(text, this.position)) this.fail("a value");
    this.position += text.length;
    return value;
  }

  number() {
    numberPattern.lastIndex = this.position;
    const match = numberPattern.exec(this.text);
    if (match === null) return this.fail("a value");
    this.position = numberPattern.lastIndex;
    return number(match[0]);
  }

  string() {
    const start = this.position + 1;
    const end = this.text.indexOf('"', start);
    if (end < 0) this.fail("'\"'");
    const text = this.text.slice(start, end);
    if (!text.includes("\\")) {
      this.position = end + 1;
      return text;
    }
    return this.escapedString(start);
  }

  escapedString(start) {
    let result = "";
    let from = start;
    let position = start;
    for (;;) {
      const code = this.text.charCodeAt(position);
      if (Number.isNaN(code)) this.fail("'\"'");
      if (code === 0x22) break;
      if (code !== 0x5c) {
        position += 1;
        continue;
      }
      result += this.text.slice(from, position);
      const escape = this.text[position + 1];
      if (escape === "u") {
        const digits = this.text.slice(position + 2, position + 6);
        if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("four hexadecimal digits");
        result += String.fromCharCode(parseInt(digits, 16));
        position += 6;
      } else {
        const character = escapes[escape];
        if (character === undefined) this.fail("an escape");
        result += character;
        position += 2;
      }
      from = position;
    }
    this.position = position + 1;
    return result + this.text.slice(from, position);
  }

  array() {
    this.enter();
    const elements = [];
    this.skipSpace();
    if (this.take(0x5d)) return this.leave(elements);
    for (;;) {
      elements.push(this.value());
      this.skipSpace();
      if (this.take(0x2c)) continue;
      if (!this.take(0x5d)) this.fail("',' or ']'");
      return this.leave(elements);
    }
  }

  object() {
    this.enter();
    const members = new Map();
    this.skipSpace();
    if (this.take(0x7d)) return this.leave(members);
    for (;;) {
      this.skipSpace();
      if (this.text.charCodeAt(this.position) !== 0x22) this.fail("a member name");
      const name = this.string();
      this.skipSpace();
      if (!this.take(0x3a)) this.fail("':'");
      members.set(name, this.value());
      this.skipSpace();
      if (this.take(0x2c)) continue;
      if (!this.take(0x7d)) this.fail("',' or '}'");
      return this.leave(members);
    }
  }

  take(code) {
    if (this.text.charCodeAt(this.position) !== code) return false;
    this.position += 1;
    return true;
  }

  enter() {
    this.depth += 1;
    if (this.depth > deepestNesting) this.fail(`at most ${deepestNesting} levels`);
    this.position += 1;
  }

  leave(value) {
    this.depth -= 1;
    return value;
  }
}

function number(literal) {
  const value = Number(literal);
  return String(value) === literal ? value : new LongNumber(literal);
}

function parseJSON(text) {
  const parser = new Parser(text, 0);
  const value = parser.value();
  parser.skipSpace();
  if (parser.position !== text.length) parser.fail("the end");
  return value;
}

function isObject(value) {
  return value instanceof Map;
}

function isNumber(value) {
  return typeof value === "number" || value instanceof LongNumber;
}

function literal(value) {
  return value instanceof LongNumber ? value.literal : String(value);
}

const shortEscapes = /** @type {Record<string, string>} */ ({
  '"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r",
});

function quoted(text) {
  if (!/["\\\u0000-\u001f]/.test(text)) return `"${text}"`;
  const escaped = text.replace(/["\\\u0000-\u001f]/g, (character) =>
    shortEscapes[character] ?? "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));
  return `"${escaped}"`;
}

function writeJSON(value) {
  if (typeof value === "string") return quoted(value);
  if (isNumber(value)) return literal(value);
  if (Array.isArray(value)) return `[${value.map(writeJSON).join(",")}]`;
  if (isObject(value)) {
    const members = [];
    for (const [name, member] of value) members.push(`${quoted(name)}:${writeJSON(member)}`);
    return `{${members.join(",")}}`;
  }
  return String(value);
}

function decimal(text) {
  const [, sign, whole, fraction = "", exponent = "0"] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text) ?? ["", "", text];
  const digits = (whole + fraction).replace(/^0+/, "");
  const trimmed = digits.replace(/0+$/, "");
  const power = trimmed === "" ? 0 : Number(exponent) - fraction.length + digits.length - trimmed.length;
  return `${sign}${trimmed}e${power}`;
}

function equalJSON(a, b) {
  if (a === b) return a !== 0 || Object.is(a, b);
  if (isNumber(a) && isNumber(b)) return decimal(literal(a)) === decimal(literal(b));
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((element, index) => equalJSON(element, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    if (a.size !== b.size) return false;
    for (const [name, member] of a) {
      const other = b.get(name);
      if (other === undefined || !equalJSON(member, other)) return false;
    }
    return true;
  }
  return false;
}

// visible.mjs

const emojiPresentation = /^\p{Emoji_Presentation}$/u;
const emoji = /^\p{Emoji}$/u;
const noColumn = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const hidden = /^[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]$/u;
const identifier = /^[_\p{XID_Start}][_\p{XID_Continue}]*$/u;
const wide = [
  [0x1100, 0x115f], [0x2329, 0x232a], [0x2e80, 0x303e], [0x3041, 0x33ff], [0x3400, 0x4dbf], [0x4e00, 0xa4cf],
  [0xa960, 0xa97f], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe10, 0xfe19], [0xfe30, 0xfe6f], [0xff00, 0xff60],
  [0xffe0, 0xffe6], [0x16fe0, 0x18dff], [0x1aff0, 0x1b2ff], [0x1f200, 0x1f2ff], [0x20000, 0x2fffd], [0x30000, 0x3fffd],
];

function isSwiftIdentifier(text) {
  return identifier.test(text);
}

function isPropertyPath(text) {
  return text.split(".").every(isSwiftIdentifier);
}

function byteCount(text) {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
  }
  return bytes;
}

function takesNoColumn(scalar, code) {
  if (code < 0x300) return false;
  if ((code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7ff)) return true;
  if ((code >= 0xe0100 && code <= 0xe01ef) || (code >= 0xfe00 && code <= 0xfe0f)) return true;
  return noColumn.test(scalar);
}

function isHidden(scalar, code) {
  if (code < 0x7f) return code < 0x20;
  if (code === 0x115f || code === 0x1160 || code === 0x3164 || code === 0xffa0) return true;
  return code !== 0x200c && code !== 0x200d && hidden.test(scalar);
}

class Columns {
  constructor() {
    this.last = "none";
  }

  width(scalar, code) {
    if (code >= 0x20 && code < 0x7f) {
      this.last = "narrow";
      return 1;
    }
    if (code === 0x200d) {
      if (this.last === "emoji") this.last = "joiner";
      return 0;
    }
    if (code === 0xfe0f) {
      const width = this.last === "narrow" ? 1 : 0;
      if (this.last !== "none") this.last = "emoji";
      return width;
    }
    if (code >= 0x1f3fb && code <= 0x1f3ff && this.last === "emoji") return 0;
    if (code >= 0x1f1e6 && code <= 0x1f1ff) {
      const isSecond = this.last === "indicator";
      this.last = isSecond ? "emoji" : "indicator";
      return isSecond ? 0 : 2;
    }
    if (takesNoColumn(scalar, code)) return 0;
    const isEmoji = emojiPresentation.test(scalar);
    if (this.last === "joiner" && (isEmoji || emoji.test(scalar))) {
      this.last = "emoji";
      return 0;
    }
    const isWide = isEmoji || (code >= 0x1100 && wide.some(([from, to]) => code >= from && code <= to));
    this.last = isEmoji ? "emoji" : isWide ? "wide" : "narrow";
    return isWide ? 2 : 1;
  }
}

const shortForms = /** @type {Record<string, string>} */ ({ "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" });
const mostMarks = 12;

class VisibleText {
  constructor(options = {}) {
    const { quote = '"', escapesEllipsis = false, escapesBackslash = true } = options;
    this.quote = quote;
    this.escapesEllipsis = escapesEllipsis;
    this.escapesBackslash = escapesBackslash;
    this.columns = new Columns();
    this.marks = 0;
    this.isAtStart = true;
    this.text = "";
  }

  take(scalar) {
    if (scalar === this.quote || (scalar === "\\" && this.escapesBackslash)) {
      this.text = "\\" + scalar;
    } else if (shortForms[scalar] !== undefined) {
      this.text = shortForms[scalar];
    } else {
      const code = /** @type {number} */ (scalar.codePointAt(0));
      const isMark = takesNoColumn(scalar, code);
      this.marks = isMark ? this.marks + 1 : 0;
      const isOutOfPlace = isMark && (this.isAtStart || this.marks > mostMarks);
      if (!isHidden(scalar, code) && !isOutOfPlace && !(this.escapesEllipsis && scalar === "…")) {
        this.isAtStart = false;
        this.text = scalar;
        return this.columns.width(scalar, code);
      }
      this.text = `\\u{${code.toString(16).toUpperCase()}}`;
    }
    this.isAtStart = false;
    this.columns = new Columns();
    return this.text.length;
  }

  columnsOf(scalar) {
    const copy = new VisibleText({ quote: this.quote, escapesEllipsis: this.escapesEllipsis });
    copy.isAtStart = false;
    return copy.take(scalar);
  }
}

const plainASCII = /^[ -~]*$/;

function visible(text, options = { quote: "\u0001", escapesBackslash: false }) {
  if (options.escapesBackslash === false && plainASCII.test(text) && !text.includes(options.quote ?? '"')) return text;
  const writer = new VisibleText(options);
  let result = "";
  for (const scalar of text) {
    writer.take(scalar);
    result += writer.text;
  }
  return result;
}

// alignment.mjs

const idOrDate = /[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|masked[0-9a-f]{18}/g;

const mostCounterparts = 20;

class Alignment {
  constructor(comparison) {
    const alignment = comparison?.get("alignment");
    this.isKnown = alignment !== undefined;
    this.matches = (alignment?.get("matches") ?? []).map((/** @type {Map<string, any>} */ match) =>
      [...match.get("first"), ...match.get("second")].map((number) => Number(literal(number))));
    this.ids = new Map();
    this.otherIds = new Map();
    for (const pair of comparison?.get("mapped")?.get("values") ?? []) {
      const [first, second] = [String(pair.get("first")), String(pair.get("second"))];
      this.ids.set(second, first);
      this.otherIds.set(first, second);
    }
    this.lone = new Map();
    this.moved = new Map();
    if (alignment === undefined) return;
    for (const one of alignment.get("onlyInFirst")) this.add(one, numberOf(one, "seq"), numberOf(one, "seq"), false);
    for (const one of alignment.get("onlyInSecond")) this.add(one, numberOf(one, "after"), numberOf(one, "seq"), true);
    for (const one of alignment.get("moved")) {
      const [first, second] = [numberOf(one, "first"), numberOf(one, "second")];
      if (isLoneAction(one)) this.moved.set(first, second);
      this.add(one, first, first, false, second);
    }
  }

  add(one, place, seq, isOther, movedTo) {
    const effect = one.get("effect");
    const title = effect === undefined ? visible(String(one.get("kind"))) : `effect ${visible(String(effect))} ${visible(String(one.get("event")))}`;
    const all = this.lone.get(place) ?? [];
    all.push({ seq, isOther, isAction: isLoneAction(one), movedTo, action: one.get("action"), title });
    this.lone.set(place, all);
  }

  get places() {
    return [...this.lone.keys()];
  }

  loneAt(seq) {
    return this.lone.get(seq) ?? [];
  }

  otherSeq(seq) {
    if (!this.isKnown) return seq;
    let [low, high] = [0, this.matches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.matches[middle][1] < seq) low = middle + 1;
      else high = middle;
    }
    const match = this.matches[low];
    return match !== undefined && match[0] <= seq ? match[2] + seq - match[0] : this.moved.get(seq);
  }

  counterparts(text) {
    const found = new Map();
    for (const [id] of this.otherIds.size === 0 ? [] : text.matchAll(idOrDate)) {
      const other = this.otherIds.get(keyOf(id));
      if (other !== undefined && found.size < mostCounterparts) found.set(keyOf(id), other);
    }
    return [...found];
  }

  translated(value) {
    if (this.ids.size === 0) return value;
    if (typeof value === "string") return this.translatedText(value);
    if (Array.isArray(value)) return value.map((element) => this.translated(element));
    if (isObject(value)) return new Map([...value].map(([key, member]) => [this.translatedText(key), this.translated(member)]));
    return value;
  }

  translatedText(text) {
    return text.replace(idOrDate, (found) => {
      const key = keyOf(found);
      const own = this.ids.get(key);
      if (own === undefined) return this.otherIds.has(key) ? `${found} of the other log` : found;
      return /[a-f]/.test(found) ? own.toLowerCase() : own;
    });
  }
}

function keyOf(found) {
  return found.includes("T") || found.startsWith("masked") ? found : found.toUpperCase();
}

function numberOf(one, name) {
  return Number(literal(one.get(name)));
}

function isLoneAction(one) {
  return one.get("kind") === "action" || one.get("kind") === "excluded";
}

// arrays.mjs

class Column {
  constructor(type) {
    this.type = type;
    this.values = new type(1024);
    this.length = 0;
  }

  push(value) {
    if (this.length === this.values.length) {
      const values = new this.type(this.length * 2);
      values.set(/** @type {any} */ (this.values));
      this.values = values;
    }
    this.values[this.length] = value;
    this.length += 1;
  }

  lastAtMost(value) {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.values[middle] <= value) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

// dom.mjs

function element(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat()) if (child !== undefined) made.append(child);
  return made;
}

function part(id) {
  return document.getElementById(id);
}

function link(label, action, attributes = {}) {
  return element("button.link", { type: "button", onclick: action, ...attributes }, label);
}

const tokens =
  /("(?:\\.|[^"\\])*"(?: \(\d+ bytes\))?)|(<[A-Za-z_][^>]*>)|(…[0-9A-F-]{4,36}|[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z)|((?:^|(?<=[\s(,[\]:]))\.[\p{L}_][\p{L}\p{N}_.]*)|(\b(?:nil|true|false|nan|inf)\b|-?\b\d[\d.]*(?:[eE][+-]?\d+)?\b)/gu;
const tokenClasses = ["s", "t", "i", "c", "n"];
const madeVisible = /\\u\{[0-9A-F]+\}/g;

function colored(text) {
  if (text.length > 20_000) return [text];
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const index = /** @type {number} */ (match.index);
    if (index > end) parts.push(text.slice(end, index));
    const kind = tokenClasses[match.slice(1).findIndex((group) => group !== undefined)];
    parts.push(element(`span.${kind}`, {}, ...(kind === "s" ? marked(match[0]) : [match[0]])));
    end = index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

function marked(text) {
  if (!text.includes("\\u{")) return [text];
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(madeVisible)) {
    const index = /** @type {number} */ (match.index);
    parts.push(text.slice(end, index), element("span.u", { title: "a hidden character" }, match[0]));
    end = index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

// ids.mjs

const shortest = 4;
const shortestBeyond = 8;
const mostIDs = 100_000;
const mostAlike = 64;

const idColumns = shortest;

class IDTable {
  constructor() {
    this.ids = new Map();
    this.count = 0;
  }

  shortest(id) {
    const key = id.slice(-shortest);
    let alike = this.ids.get(key);
    if (alike === undefined || !alike.includes(id)) {
      if (this.count >= mostIDs || (alike?.length ?? 0) >= mostAlike) return id.slice(-shortestBeyond);
      this.count += 1;
      if (alike === undefined) this.ids.set(key, (alike = []));
      alike.push(id);
    }
    let length = shortest;
    while (length < id.length && alike.some((other) => other !== id && other.endsWith(id.slice(-length)))) length += 2;
    return id.slice(-length);
  }
}

const uuid = /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/;
const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const mask = /^masked[0-9a-f]{18}$/;

function isUUID(text) {
  return text.length === 36 && uuid.test(text);
}

function isLoggedDate(text) {
  return text.length >= 20 && text.length <= 40 && date.test(text);
}

function isMaskSubstitute(text) {
  return text.length === 24 && mask.test(text);
}

// pointer.mjs

function pointerTokens(text) {
  if (text === "") return [];
  const tokens = text.slice(1).split("/");
  return text.includes("~") ? tokens.map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~")) : tokens;
}

function pointerText(tokens) {
  return tokens.map((token) => "/" + token.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
}

function arrayIndex(token) {
  return /^(?:0|[1-9][0-9]{0,15})$/.test(token) ? Number(token) : -1;
}

function child(value, token) {
  if (isObject(value)) return value.get(token);
  if (!Array.isArray(value)) return undefined;
  const index = arrayIndex(token);
  return index < 0 ? undefined : value[index];
}

function valueAt(value, tokens) {
  for (const token of tokens) {
    value = child(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

function located(value, tokens) {
  return tokens.map((token) => {
    const isMember = isObject(value);
    value = value === undefined ? undefined : child(value, token);
    const index = isMember ? -1 : arrayIndex(token);
    return index < 0 ? token : index;
  });
}

function tokensOf(location) {
  return location.map(String);
}

function isWithin(place, other) {
  return other.length <= place.length && other.every((token, index) => String(token) === String(place[index]));
}

function taggedValue(tokens) {
  for (let depth = 0; depth < tokens.length; depth += 1) {
    if (!isTag(tokens[depth])) continue;
    if (tokens[depth] !== "$error" || tokens[depth + 1] !== "value" || depth + 2 >= tokens.length) return tokens.slice(0, depth);
    depth += 1;
  }
  return undefined;
}

function isTag(token) {
  return token.startsWith("$") && !token.startsWith("$$");
}

// notation.mjs

const standardLimits = { value: 400, text: 120 };
const noLimits = { value: 2 ** 50, text: 2 ** 50 };

const leastRoom = 6;
const leastPath = 60;
const roomForRest = 28;
const lineLength = 80;

class Notation {
  constructor(limits = standardLimits, ids = new IDTable()) {
    this.limits = limits;
    this.ids = ids;
  }

  limited(limits) {
    return new Notation(limits, this.ids);
  }

  action(action) {
    const writer = new Writer(this);
    writer.action(action);
    return writer.text;
  }

  value(value) {
    const writer = new Writer(this);
    writer.value(value, { end: this.limits.value });
    return writer.text;
  }

  lines(value) {
    const writer = new Writer(this);
    writer.value(value, { indent: 0 });
    return writer.text;
  }

  casePath(action) {
    const writer = new Writer(this);
    writer.casePath(action);
    return writer.text;
  }

  cancelID(id) {
    const writer = new Writer(this);
    writer.typed(String(id.get("type")), id.get("value") ?? null, this.limits.value);
    return id.get("n") > 1 ? `${writer.text}#${id.get("n")}` : writer.text;
  }
}

function isEmptyObject(value) {
  return isObject(value) && value.size === 0;
}

function onlyMember(value) {
  return isObject(value) && value.size === 1 ? value.entries().next().value : undefined;
}

function only(value, name) {
  return isObject(value) && value.size === 1 ? value.get(name) : undefined;
}

function both(value, first, second) {
  if (!isObject(value) || value.size !== 2) return undefined;
  const [a, b] = value;
  return a[0] === first && b[0] === second ? [a[1], b[1]] : undefined;
}

function payloadPlace(name) {
  return name.length > 1 && name.length < 5 && name[0] === "_" ? arrayIndex(name.slice(1)) : -1;
}

function enumCase(value) {
  const member = onlyMember(value);
  if (member === undefined || !isObject(member[1])) return undefined;
  const [name, payload] = member;
  return isSwiftIdentifier(name) ? { name, payload } : undefined;
}

function valueCase(value) {
  const found = enumCase(value);
  if (found === undefined) return undefined;
  const inner = enumCase(found.payload);
  return inner === undefined || payloadPlace(inner.name) >= 0 ? found : undefined;
}

function isResult(inner) {
  if (inner.name === "success" && isEmptyObject(inner.payload)) return true;
  return (inner.name === "success" || inner.name === "failure") && only(inner.payload, "_0") !== undefined;
}

function elementAction(inner) {
  const parts = inner.name === "element" ? both(inner.payload, "id", "action") : undefined;
  const action = parts && enumCase(parts[1]);
  return parts && action && [parts[0], action];
}

function presented(inner) {
  if (inner.name !== "presented") return undefined;
  const found = enumCase(only(inner.payload, "_0"));
  if (found === undefined || isResult(found) || found.name === "dismiss" || found.name === "presented") return undefined;
  return elementAction(found) === undefined ? found : undefined;
}

function childAction(parent) {
  const inner = enumCase(only(parent.payload, "_0"));
  if (inner === undefined || isResult(inner)) return {};
  const shown = presented(inner);
  if (shown !== undefined) return { inner: shown };
  const row = elementAction(inner);
  return row === undefined ? { inner } : { inner: row[1], id: row[0] };
}

function inside(layout) {
  return "end" in layout ? { end: layout.end - 1 } : layout;
}

class Writer {
  constructor(notation) {
    this.notation = notation;
    this.limits = notation.limits;
    this.isFull = notation.limits === noLimits;
    this.text = "";
    this.column = 0;
    this.isCut = false;
  }

  put(text) {
    this.text += text;
    this.column += text.length;
  }

  putEllipsis(text = "") {
    this.isCut = true;
    this.text += "…";
    this.column += 1;
    this.put(text);
  }

  putScalar(scalar, visible, columns) {
    const width = visible.take(scalar);
    if (width > columns) return -1;
    this.text += visible.text;
    this.column += width;
    return width;
  }

  putVisible(text, quote = '"') {
    const visible = new VisibleText({ quote });
    for (const scalar of text) this.putScalar(scalar, visible, Infinity);
  }

  putPrefix(text, count, quote = '"') {
    const scalars = text.length > count ? [...text] : undefined;
    if (scalars === undefined || scalars.length <= count) return this.putVisible(text, quote);
    this.putVisible(scalars.slice(0, count).join(""), quote);
    this.putEllipsis();
  }

  room(end) {
    return end - this.column;
  }

  action(view) {
    const end = this.column + this.limits.value;
    const pathEnd = this.column + Math.max(this.limits.value, leastPath);
    let current = enumCase(view);
    if (current === undefined) return this.value(view, { end });
    let isInBinding = false;
    for (;;) {
      if (this.room(pathEnd) <= 0) return this.putEllipsis();
      this.put(".");
      this.name(current.name);
      if (isInBinding && this.binding(current, end)) return undefined;
      const step = childAction(current);
      if (step.inner === undefined) return this.arguments(current.payload, { end });
      if (step.id !== undefined) {
        this.put("[");
        this.value(step.id, { end: Math.max(end, this.column + leastRoom) });
        this.put("]");
      }
      isInBinding = current.name === "binding";
      current = step.inner;
    }
  }

  casePath(view) {
    let current = enumCase(view);
    if (current === undefined) return this.value(view, { end: this.column + this.limits.value });
    while (current !== undefined) {
      this.put(".");
      this.name(current.name);
      const step = childAction(current);
      if (step.id !== undefined) this.put("[]");
      current = step.inner;
    }
  }

  binding(inner, end) {
    const parts = inner.name === "set" ? both(inner.payload, "_0", "_1") : undefined;
    if (parts === undefined || typeof parts[0] !== "string" || byteCount(parts[0]) > 1000) return false;
    if (!isPropertyPath(parts[0])) return false;
    this.put("(\\.");
    this.putVisible(parts[0]);
    this.put(", ");
    this.value(parts[1], { end: end - 1 });
    this.put(")");
    return true;
  }

  value(view, layout) {
    let end;
    if ("end" in layout) {
      end = layout.end;
    } else {
      const line = new Writer(this.notation);
      line.value(view, { end: lineLength - layout.indent });
      if (!line.isCut) {
        this.text += line.text;
        this.column += line.column;
        return;
      }
      end = this.column + this.limits.value;
    }
    if (view === null) return this.put("nil");
    if (typeof view === "boolean") return this.put(String(view));
    if (isNumber(view)) return this.number(literal(view), end);
    if (typeof view === "string") return this.string(view, end);
    if (this.room(end) < leastRoom) return this.putEllipsis();
    if (Array.isArray(view)) {
      this.put("[");
      this.parts(view, false, false, inside(layout));
      return this.put("]");
    }
    return this.object(view, layout, end);
  }

  number(digits, end) {
    if (digits.length <= Math.max(this.room(end), 40)) return this.put(digits);
    this.put(digits.slice(0, 20));
    return this.putEllipsis(`${digits.slice(-8)} (${digits.length} digits)`);
  }

  object(view, layout, end) {
    const row = both(view, "id", "element");
    if (row !== undefined && isNumber(row[0])) {
      this.put("#");
      this.value(row[0], { end });
      this.put(": ");
      return this.value(row[1], layout);
    }
    const found = valueCase(view);
    if (found !== undefined) {
      this.put(".");
      this.name(found.name);
      return this.arguments(found.payload, layout);
    }
    if (this.tagged(view, end)) return undefined;
    if (view.size === 0) return this.put("()");
    const isDictionary = !isSwiftIdentifier(view.keys().next().value ?? "");
    this.put(isDictionary ? "[" : "(");
    this.parts(view, true, isDictionary, inside(layout));
    return this.put(isDictionary ? "]" : ")");
  }

  arguments(payload, layout) {
    if (payload.size === 0) return;
    this.put("(");
    const alone = "indent" in layout ? only(payload, "_0") : undefined;
    if (alone !== undefined) {
      this.value(alone, layout);
    } else {
      this.parts(payload, true, false, inside(layout));
    }
    this.put(")");
  }

  parts(container, hasLabels, labelsPlaces, layout) {
    const count = Array.isArray(container) ? container.length : container.size;
    const members = Array.isArray(container) ? undefined : container.entries();
    const part = (index) => {
      if (members === undefined) return [undefined, /** @type {any[]} */ (container)[index]];
      const [name, value] = members.next().value ?? ["", null];
      return [hasLabels && (labelsPlaces || payloadPlace(name) !== index) ? name : undefined, value];
    };
    if ("indent" in layout) return this.lineParts(count, part, layout.indent);
    for (let index = 0; index < count; index += 1) {
      if (index > 0) this.put(", ");
      let [label, value] = part(index);
      if (index + 1 < count && index > 0 && this.room(layout.end) < roomForRest) {
        const passed = count - 1 - index;
        while (index + 1 < count) [label, value] = part((index += 1));
        this.putEllipsis(` ${passed} more `);
        this.putEllipsis(", ");
      }
      this.label(label);
      const share = index + 1 === count
        ? layout.end : this.column + Math.max(Math.trunc((this.room(layout.end) * 2) / 3), leastRoom);
      this.value(value, { end: share });
    }
    return undefined;
  }

  lineParts(count, part, indent) {
    for (let index = 0; index < count; index += 1) {
      this.put(index === 0 ? "\n" : ",\n");
      this.put(" ".repeat(indent + 2));
      const [label, value] = part(index);
      this.label(label);
      this.value(value, { indent: indent + 2 });
    }
    this.put("\n" + " ".repeat(indent));
  }

  name(name) {
    this.putPrefix(name, this.limits.text);
  }

  label(label) {
    if (label === undefined) return;
    if (isSwiftIdentifier(label)) {
      this.name(label);
    } else {
      this.put('"');
      if (label.startsWith("$$")) {
        this.putVisible(label.slice(1));
      } else if (label.startsWith("$")) {
        this.put("\\u{24}");
        this.putVisible(label.slice(1));
      } else {
        this.putVisible(label);
      }
      this.put('"');
    }
    this.put(": ");
  }

  string(text, end) {
    if (this.plain(text)) return;
    const room = Math.max(Math.min(this.limits.text, this.room(end) - 2), 14);
    const long = 8 * (room + 1) + 64;
    if (text.length > long) return this.cut(text.slice(0, long), text.slice(-long), byteCount(text), room);
    const [start, column] = [this.text, this.column];
    this.put('"');
    const visible = new VisibleText();
    let left = room;
    for (const scalar of text) {
      const width = this.putScalar(scalar, visible, left);
      if (width < 0) {
        [this.text, this.column] = [start, column];
        return this.cut(text, text, byteCount(text), room);
      }
      left -= width;
    }
    this.put('"');
  }

  cut(head, tail, bytes, most) {
    const length = ` (${bytes} bytes)`;
    const room = Math.max(most - length.length - 1, 3);
    this.put('"');
    let visible = new VisibleText({ escapesEllipsis: true });
    let left = room - Math.trunc(room / 3);
    for (const scalar of head) {
      const width = this.putScalar(scalar, visible, left);
      if (width < 0) break;
      left -= width;
    }
    this.putEllipsis();
    left = Math.trunc(room / 3);
    const last = [];
    const scalars = [...tail];
    for (let index = scalars.length - 1; index >= 0; index -= 1) {
      left -= Math.max(visible.columnsOf(scalars[index]), 1);
      if (left < 0 || last.length > room) break;
      last.push(scalars[index]);
    }
    while (last.length > 0) {
      const scalar = last[last.length - 1];
      if (!takesNoColumn(scalar, /** @type {number} */ (scalar.codePointAt(0)))) break;
      last.pop();
    }
    visible = new VisibleText({ escapesEllipsis: true });
    for (const scalar of last.reverse()) this.putScalar(scalar, visible, Infinity);
    this.put('"');
    this.put(length);
  }

  plain(text) {
    if (text.length < 20 || text.length > 40) return false;
    if (isUUID(text)) {
      if (this.isFull) {
        this.put(text);
      } else {
        this.text += "…" + this.notation.ids.shortest(text);
        this.column += 1 + idColumns;
      }
    } else if (isLoggedDate(text)) {
      this.put(text);
    } else if (isMaskSubstitute(text)) {
      this.masked(text);
    } else {
      return false;
    }
    return true;
  }

  masked(text) {
    this.put("<masked ");
    this.putVisible(this.isFull ? text.slice(6) : `…${text.slice(-4)}`);
    this.put(">");
  }

  tagged(view, end) {
    const first = view.entries().next().value;
    if (first === undefined) return false;
    const [name, value] = first;
    if (name === "$opaque") return this.opaque(view, end);
    if (view.size !== 1) return false;
    switch (name) {
      case "$some":
        this.put(".some(");
        this.value(value, { end: end - 1 });
        this.put(")");
        return true;
      case "$error": return this.error(value, end);
      case "$date":
      case "$ordinal":
        if (!isNumber(value)) return false;
        this.put(name === "$date" ? "Date(" : "<id ");
        this.number(literal(value), end);
        this.put(name === "$date" ? ")" : ">");
        return true;
      case "$double":
        if (value !== "nan" && value !== "inf" && value !== "-inf") return false;
        this.put(value);
        return true;
      case "$decimal":
        if (value !== "nan") return false;
        this.put("NaN");
        return true;
      case "$masked":
        if (typeof value !== "string" || !isMaskSubstitute(value)) return false;
        this.masked(value);
        return true;
      default: return false;
    }
  }

  opaque(view, end) {
    const type = view.get("$opaque");
    if (typeof type !== "string" || byteCount(type) > 200) return false;
    let text;
    for (const [name, value] of view) {
      if (name === "$opaque") continue;
      if (text !== undefined || (name !== "reason" && name !== "shown") || typeof value !== "string") return false;
      text = value.length > 8 * this.limits.text + 64 ? value.slice(0, this.limits.text) + "…" : value;
    }
    this.put("<");
    this.putVisible(type, ">");
    if (text !== undefined) {
      this.put(": ");
      this.putPrefix(text, Math.max(Math.min(this.limits.text, this.room(end)), 12), ">");
    }
    this.put(">");
    return true;
  }

  error(view, end) {
    if (!isObject(view)) return false;
    const type = view.get("type");
    const description = view.get("description");
    if (typeof type !== "string" || byteCount(type) > 200 || !isPropertyPath(type)) return false;
    if (typeof description !== "string") return false;
    if (view.has("value")) {
      this.typed(type, view.get("value"), end);
    } else {
      this.putVisible(type);
      this.put("(");
      if (description !== type + "()") this.string(description, end - 1);
      this.put(")");
    }
    return true;
  }

  typed(type, view, end) {
    this.putVisible(type);
    if (!isObject(view)) {
      this.put("(");
      this.value(view, { end: end - 1 });
      return this.put(")");
    }
    const found = enumCase(view);
    if (found !== undefined) {
      this.put(".");
      this.name(found.name);
      return this.arguments(found.payload, { end });
    }
    if (view.size === 0) return this.put("()");
    const start = this.text.length;
    this.value(view, { end });
    if (this.text.length > start && this.text[start] !== "(") {
      this.text = `${this.text.slice(0, start)}(${this.text.slice(start)})`;
      this.column += 2;
    }
    return undefined;
  }
}

// text.mjs

function namelessEffect(id) {
  return `effect ${visible(String(id))}`;
}

function originText(origin, nameOf = namelessEffect) {
  if (origin === "view") return "sent by the view";
  if (origin === "parent") return "sent by an effect of a reducer around the feature";
  if (!isObject(origin)) return "sent by something that this page does not know";
  if (origin.has("effect")) {
    const via = origin.get("via");
    return `sent by ${nameOf(origin.get("effect"))}${via === undefined ? "" : ` through ${visible(String(via))}`}`;
  }
  return `sent while action ${origin.get("reentrant")} was handled`;
}

function effectTitle(effect, notation) {
  let text = "effect ";
  if (effect.has("id")) text += `${effect.get("id")} `;
  text += visible(String(effect.get("op")));
  if (effect.has("name")) text += ` '${visible(effect.get("name"))}'`;
  const id = effect.get("cancelID");
  if (isObject(id)) text += ` id ${notation.cancelID(id)}`;
  if (effect.get("cancelInFlight") === true) text += " cancelling what is in flight";
  if (effect.has("action")) text += `  ${notation.action(effect.get("action"))}`;
  if (effect.has("input")) text += `  input ${notation.value(effect.get("input"))}`;
  return effect.get("internal") === true ? `${text} (of the library)` : text;
}

function effectTurn(event, notation, nameOf = namelessEffect, isCancelled = false) {
  return `${nameOf(event.get("id"))} ${turnText(event, notation, nameOf, isCancelled)}`;
}

function turnText(event, notation, nameOf = namelessEffect, isCancelled = false) {
  switch (event.get("event")) {
    case "started": return "started";
    case "finished": {
      const sent = literal(event.get("sent") ?? 0);
      return `${isCancelled ? "ended" : "finished"} after ${sent} ${sent === "1" ? "action" : "actions"}`;
    }
    case "cancelled": return `cancelled by ${canceller(event.get("by"), nameOf)}`;
    case "failed": return `failed  ${notation.value(event.get("error") ?? null)}`;
    default: return visible(String(event.get("event")));
  }
}

function isBareEnd(event) {
  return event.get("event") === "finished" && literal(event.get("sent") ?? 0) === "0";
}

function callText(call, notation) {
  const given = call.get("arguments");
  const values = Array.isArray(given) ? given.map((value) => notation.value(value)).join(", ") : "";
  const result = call.get("result");
  const isVoid = isObject(result) && result.size === 0;
  const outcome = call.has("error") ? ` threw ${notation.value(call.get("error"))}` : !call.has("result") ? " had not ended when the log did"
    : isVoid ? "" : ` → ${notation.value(result)}`;
  return `${visible(String(call.get("key")))}(${values})${outcome}${call.get("cancelled") === true ? ", cancelled" : ""}`;
}

function canceller(by, nameOf) {
  if (by === "store") return "the end of the store";
  if (isObject(by) && by.has("action")) return `action ${literal(by.get("action"))}`;
  if (isObject(by) && by.has("effect")) return nameOf(by.get("effect"));
  return "the task of its action";
}

function flatEffects(effects, level = 0) {
  if (!Array.isArray(effects)) return [];
  return effects.flatMap((effect) => isObject(effect) ? [{ effect, level }, ...flatEffects(effect.get("effects"), level + 1)] : []);
}

function withheldCases(cases) {
  return Array.isArray(cases) ? cases.map((name) => `.${visible(String(name))}`).join("") : "";
}

const withheldForGood = "withheld for the log's masks; its value never came";
const excludedTitle = "an action that the recording left out";
const externalTitle = "changed from outside";

function timeText(microseconds) {
  if (!Number.isFinite(microseconds)) return "";
  const seconds = microseconds / 1e6;
  if (seconds < 60) return `+${seconds.toFixed(3)} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(1).padStart(4, "0");
  if (minutes < 60) return `+${minutes}:${rest}`;
  return `+${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

function durationText(microseconds) {
  if (microseconds < 0) return "";
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(microseconds < 1e4 ? 1 : 0)} ms`;
  return `${(microseconds / 1e6).toFixed(1)} s`;
}

function counted(count, noun, plural = `${noun}s`) {
  return `${count.toLocaleString("en-US")} ${count === 1 ? noun : plural}`;
}

// log.mjs

const Kind = {
  unknown: 0, header: 1, checkpoint: 2, withheld: 3, action: 4, read: 5, change: 6, effect: 7,
  external: 8, excluded: 9, gap: 10, note: 11, finding: 12, end: 13, start: 14, call: 15,
};
const kinds = /** @type {Record<string, number>} */ (Kind);

const callPattern = /\{"kind":"call","id":"(\d+\.\d+)"/y;

const Flag = {
  unchanged: 1,
  effects: 2,
  unfinished: 4,
  failed: 8,
  differs: 16,
  cancels: 32,
  findings: 64,
  inside: 128,
};

const Sender = { view: 0, parent: -1, unknown: -2 };

const Ending = { none: 0, finished: 1, cancelled: 2, failed: 3 };

const actionPattern =
  /\{"kind":"action","seq":(\d+),"at":(\d+),"origin":(?:"(view|parent)"|\{"effect":"((\d+)\.\d+)"(?:,"via":"[a-z]*")?\}|\{"reentrant":(\d+)\}),/y;
const effectPattern = /\{"kind":"effect","id":"(\d+\.\d+)","event":"(started|finished|cancelled|failed)"/y;
const usPattern = /"us":(\d+)\}$/;
const widestGap = 65536;
const failurePattern = /\{"failure":\{"_0":/;

const escapedCharacters = { l: "<", r: "\r", 0: "\0", 1: "\u0001" };

function unescapeLine(text) {
  return text.includes("\u0001") ? text.replace(/\u0001([lr01])/g, (_, letter) => escapedCharacters[letter]) : text;
}

class Log {
  constructor() {
    this.chunks = [];
    this.firstLines = new Column(Uint32Array);
    this.lineStarts = new Column(Uint32Array);
    this.lineKinds = new Column(Uint8Array);
    this.stepLines = new Column(Uint32Array);
    this.stepKinds = new Column(Uint8Array);
    this.stepFlags = new Column(Uint8Array);
    this.stepSeqs = new Column(Float64Array);
    this.stepTimes = new Column(Float64Array);
    this.stepSenders = new Column(Int32Array);
    this.stepDepths = new Column(Uint8Array);
    this.stepDurations = new Column(Int32Array);
    this.stepChanges = new Column(Int32Array);
    this.checkpointSteps = new Column(Uint32Array);
    this.checkpointLines = new Column(Uint32Array);
    this.effects = [];
    this.notation = new Notation();
    this.effectNumbers = new Map();
    this.header = undefined;
    this.end = undefined;
    this.actionCount = 0;
    this.missingEvents = 0;
    this.gapCount = 0;
    this.unknownLines = 0;
    this.position = 0;
    this.chunk = 0;
    this.owner = -1;
    this.firstSeq = -1;
    this.stepsOfSeqs = new Column(Int32Array);
    this.stepsOfFarSeqs = new Map();
  }

  append(text) {
    if (text === "") return;
    this.chunks.push(text);
  }

  get lineCount() {
    return this.lineKinds.length;
  }

  get stepCount() {
    return this.stepLines.length;
  }

  get isIndexed() {
    return this.chunk >= this.chunks.length;
  }

  index(isDue) {
    let count = 0;
    while (this.chunk < this.chunks.length) {
      const text = this.chunks[this.chunk];
      if (this.position === 0) this.firstLines.push(this.lineCount);
      while (this.position < text.length) {
        const newline = text.indexOf("\n", this.position);
        const end = newline < 0 ? text.length : newline;
        try {
          this.addLine(text, this.position, end);
        } catch (error) {
          if (!(error instanceof JSONError || error instanceof TypeError)) throw error;
          this.unknownLines += 1;
        }
        this.position = end + 1;
        count += 1;
        if (count % 256 === 0 && isDue()) return;
      }
      this.chunk += 1;
      this.position = 0;
    }
  }

  line(line) {
    const chunk = this.firstLines.lastAtMost(line);
    const text = this.chunks[chunk];
    const start = this.lineStarts.values[line];
    const next = line + 1 < this.lineCount && this.firstLines.lastAtMost(line + 1) === chunk
      ? this.lineStarts.values[line + 1] - 1 : text.indexOf("\n", start);
    return unescapeLine(text.slice(start, next < 0 ? text.length : next));
  }

  event(line) {
    return parseJSON(this.line(line));
  }

  addLine(chunk, start, end) {
    const line = this.lineCount;
    const kind = this.kindOf(chunk, start, end);
    this.lineStarts.push(start);
    this.lineKinds.push(kind);
    switch (kind) {
      case Kind.header:
        if (this.header !== undefined) break;
        this.header = parseJSON(unescapeLine(chunk.slice(start, end)));
        break;
      case Kind.checkpoint: this.addCheckpoint(line, chunk, start, end); break;
      case Kind.action: this.addAction(line, chunk, start, end); break;
      case Kind.change: this.addChange(line, chunk, start, end); break;
      case Kind.effect: this.addTurn(chunk, start, end); break;
      case Kind.call: this.addCall(chunk, start, end); break;
      case Kind.excluded:
      case Kind.external:
      case Kind.gap:
      case Kind.note:
      case Kind.withheld: this.addOther(line, kind, parseJSON(unescapeLine(chunk.slice(start, end)))); break;
      case Kind.finding: this.flag(this.owner, Flag.findings); break;
      case Kind.end: this.end = parseJSON(unescapeLine(chunk.slice(start, end))); break;
      case Kind.unknown: if (end > start) this.unknownLines += 1; break;
    }
  }

  kindOf(chunk, start, end) {
    if (chunk.startsWith('{"kind":"', start)) {
      const quote = chunk.indexOf('"', start + 9);
      return kinds[chunk.slice(start + 9, quote)] ?? Kind.unknown;
    }
    const text = chunk.slice(start, end);
    if (text.trim() === "") return Kind.unknown;
    try {
      return kinds[parseJSON(unescapeLine(text)).get("kind")] ?? Kind.unknown;
    } catch {
      return Kind.unknown;
    }
  }

  addStep(line, kind, seq, at, sender) {
    const step = this.stepCount;
    this.stepLines.push(line);
    this.stepKinds.push(kind);
    this.stepFlags.push(0);
    this.stepSeqs.push(seq);
    this.stepTimes.push(at);
    this.stepSenders.push(sender);
    const cause = sender > 0 ? this.stepOfSeq(sender) : -1;
    this.stepDepths.push(cause >= 0 && cause < step ? Math.min(this.stepDepths.values[cause] + 1, 255) : 0);
    this.stepDurations.push(-1);
    this.stepChanges.push(-1);
    if (kind === Kind.note && this.owner >= 0 && this.hasFlag(this.owner, Flag.unfinished)) this.flag(step, Flag.inside);
    else this.owner = step;
    return step;
  }

  number(step, seq) {
    if (this.firstSeq < 0) this.firstSeq = seq;
    if (this.stepOfSeq(seq) >= 0) return;
    const index = seq - this.firstSeq;
    if (index < 0 || index > this.stepsOfSeqs.length + widestGap) {
      this.stepsOfFarSeqs.set(seq, step);
      return;
    }
    while (this.stepsOfSeqs.length <= index) this.stepsOfSeqs.push(-1);
    this.stepsOfSeqs.values[index] = step;
  }

  stepOfSeq(seq) {
    const index = seq - this.firstSeq;
    if (this.firstSeq < 0) return -1;
    return index >= 0 && index < this.stepsOfSeqs.length ? this.stepsOfSeqs.values[index] : this.stepsOfFarSeqs.get(seq) ?? -1;
  }

  flag(step, flag) {
    if (step >= 0) this.stepFlags.values[step] |= flag;
  }

  hasFlag(step, flag) {
    return (this.stepFlags.values[step] & flag) !== 0;
  }

  addCheckpoint(line, chunk, start, end) {
    if (this.stepCount === 0) {
      const match = /^\{"kind":"checkpoint","seq":(\d+)/.exec(chunk.slice(start, start + 60));
      this.addStep(line, Kind.start, match ? Number(match[1]) : 0, 0, Sender.view);
      const text = chunk.slice(start, end);
      if (text.includes('"effects":[{')) this.addEffects(parseJSON(unescapeLine(text)).get("effects"), 0);
    }
    this.checkpointSteps.push(this.owner);
    this.checkpointLines.push(line);
  }

  addAction(line, chunk, start, end) {
    let seq, at, sender;
    let effect;
    actionPattern.lastIndex = start;
    const match = actionPattern.exec(chunk);
    if (match !== null) {
      seq = Number(match[1]);
      at = Number(match[2]);
      const cause = match[5] ?? match[6];
      sender = cause !== undefined ? Number(cause) : match[3] === "parent" ? Sender.parent : Sender.view;
      effect = match[4];
    } else {
      const event = parseJSON(unescapeLine(chunk.slice(start, end)));
      seq = Number(literal(event.get("seq") ?? 0));
      at = event.has("at") ? Number(literal(event.get("at"))) : NaN;
      sender = senderOf(event.get("origin"));
      if (isObject(event.get("origin"))) effect = event.get("origin").get("effect");
    }
    const last = this.owner;
    let step;
    if (last >= 0 && this.stepKinds.values[last] === Kind.withheld && this.stepSeqs.values[last] === seq) {
      this.stepKinds.values[last] = Kind.action;
      this.stepLines.values[last] = line;
      step = last;
    } else {
      step = this.addStep(line, Kind.action, seq, at, sender);
      this.number(step, seq);
    }
    this.actionCount += 1;
    const origin = this.effectOf(effect);
    if (origin?.op === "send" && origin.end < 0) [origin.end, origin.ending] = [step, Ending.finished];
    this.flag(step, Flag.unfinished);
    if (failurePattern.test(chunk.slice(start, Math.min(end, start + 4096)))) this.flag(step, Flag.failed);
  }

  addChange(line, chunk, start, end) {
    const step = this.owner;
    if (step < 0) return;
    const text = chunk.slice(start, end);
    this.stepChanges.values[step] = line;
    this.stepFlags.values[step] &= ~Flag.unfinished;
    if (/^\{"kind":"change","seq":\d+,"patch":\[\]/.test(text)) this.flag(step, Flag.unchanged);
    const us = usPattern.exec(text.length > 200 ? text.slice(-40) : text);
    if (us !== null) this.stepDurations.values[step] = Math.min(Number(us[1]), 2 ** 31 - 1);
    if (text.includes('"effects":[')) this.addEffects(parseJSON(unescapeLine(text)).get("effects"), step);
  }

  addEffects(effects, step) {
    for (const { effect } of flatEffects(effects)) {
      const op = effect.get("op");
      if (op === "run" || op === "send" || op === "cancel") this.flag(step, Flag.effects);
      const id = effect.get("id");
      if (typeof id !== "string" || this.effectNumbers.has(id)) continue;
      this.effectNumbers.set(id, this.effects.length);
      const source = String(effect.get("source") ?? "");
      this.effects.push({ id, label: this.label(effect, source), source, op, start: step, end: -1, ending: Ending.none, calls: [] });
    }
  }

  label(effect, source) {
    if (effect.has("name")) return visible(String(effect.get("name")));
    const id = effect.get("cancelID");
    if (isObject(id) && id.get("type") !== "ChildEffects") return this.notation.cancelID(id);
    return visible(source.slice(source.lastIndexOf("/") + 1));
  }

  effectName(id) {
    return `${this.effectOf(id)?.label || "effect"} ${visible(String(id))}`;
  }

  effectOf(id) {
    return this.effects[this.effectNumbers.get(/** @type {any} */ (id)) ?? -1];
  }

  addTurn(chunk, start, end) {
    effectPattern.lastIndex = start;
    let match = /** @type {ArrayLike<string> | null} */ (effectPattern.exec(chunk));
    if (match === null) {
      const event = parseJSON(unescapeLine(chunk.slice(start, end)));
      match = ["", String(event.get("id")), String(event.get("event"))];
    }
    const step = this.owner;
    if (match[2] === "failed") this.flag(step, Flag.failed);
    if (match[2] === "cancelled") this.flag(step, Flag.cancels);
    const effect = this.effectOf(match[1]);
    if (effect === undefined) return;
    if (match[2] === "started") {
      effect.start = step;
    } else {
      if (effect.ending !== Ending.cancelled) effect.ending = /** @type {any} */ (Ending)[match[2]] ?? Ending.finished;
      effect.end = step;
    }
  }

  addCall(chunk, start, end) {
    callPattern.lastIndex = start;
    const id = callPattern.exec(chunk)?.[1] ?? String(parseJSON(unescapeLine(chunk.slice(start, end))).get("id"));
    this.effectOf(id)?.calls.push(this.owner);
  }

  addOther(line, kind, event) {
    const seq = Number(literal(event.get("seq") ?? 0));
    const at = event.has("at") ? Number(literal(event.get("at"))) : NaN;
    const sender = event.has("origin") ? senderOf(event.get("origin")) : Sender.unknown;
    const step = this.addStep(line, kind, seq, at, sender);
    if (kind === Kind.excluded) {
      this.number(step, seq);
      this.stepChanges.values[step] = line;
      this.addEffects(event.get("effects"), step);
    } else if (kind === Kind.external) {
      this.stepChanges.values[step] = line;
    } else if (kind === Kind.gap) {
      this.gapCount += 1;
      this.missingEvents += Number(literal(event.get("dropped") ?? 0));
    } else if (kind === Kind.withheld) {
      this.number(step, seq);
      this.flag(step, Flag.unfinished);
    }
  }

  linesOf(step) {
    const start = step === 0 ? 0 : this.stepLines.values[step];
    if (this.hasFlag(step, Flag.inside)) return [start, start + 1];
    let next = step + 1;
    while (next < this.stepCount && this.hasFlag(next, Flag.inside)) next += 1;
    return [start, next < this.stepCount ? this.stepLines.values[next] : this.lineCount];
  }

  eventOf(step) {
    return this.event(this.stepLines.values[step]);
  }

  eventsOf(step, kind) {
    const [start, end] = this.linesOf(step);
    const events = [];
    for (let line = start; line < end; line += 1) if (this.lineKinds.values[line] === kind) events.push(this.event(line));
    return events;
  }

  ledTo(step, most) {
    const seq = this.stepSeqs.values[step];
    const found = [];
    const senders = this.stepSenders.values;
    if (seq <= 0) return [];
    for (let next = step + 1; next < this.stepCount && found.length < most; next += 1) {
      if (senders[next] === seq) found.push(next);
    }
    return found;
  }

  causeOf(step) {
    const sender = this.stepSenders.values[step];
    const cause = sender > 0 ? this.stepOfSeq(sender) : -1;
    return cause < step ? cause : -1;
  }
}

function senderOf(origin) {
  if (origin === "view") return Sender.view;
  if (origin === "parent") return Sender.parent;
  if (!isObject(origin)) return Sender.unknown;
  if (origin.has("effect")) return Number.parseInt(String(origin.get("effect")), 10) || Sender.unknown;
  return Number(literal(origin.get("reentrant") ?? 0)) || Sender.unknown;
}

// banner.mjs

function showHead(model) {
  const { log, about } = model;
  const { header } = log;
  const feature = visible(String(header?.get("feature") ?? "a log"));
  part("name").textContent = feature;
  const facts = [visible(String(about.get("name") ?? "")), counted(log.actionCount, "action")];
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

function maskedPlaces(masked) {
  if (!isObject(masked)) return [];
  return [...masked].flatMap(([name, patterns]) => Array.isArray(patterns) ? patterns.map((pattern) => visible(name === "state" ? String(pattern) : `${name} ${pattern}`)) : []);
}

function headline(model) {
  const { log, about, comparison } = model;
  const last = log.owner;
  const torn = about.get("torn");
  const tornText = isObject(torn)
    ? ` The last ${counted(Number(literal(torn.get("bytes"))), "byte")} of the file, on line ${literal(torn.get("line"))}, are not a whole event.` : "";
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

function isWholeRange(about) {
  const range = about.get("range");
  return Array.isArray(range) && range[1] < 2 ** 53;
}

function firstGap(model) {
  for (let step = 0; step < model.log.stepCount; step += 1) if (model.title(step).startsWith("gap")) return step;
  return 0;
}

function showBanner(model, select) {
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
    element("p", {}, element("strong", {}, found.head), ` ${found.text}`, ...notes.map((note) => ` ${note}`)),
    ...(step === undefined ? [] : [element("button", { type: "button", onclick: () => select(step) }, "Show it")]));
}

function showLogs(model, choose) {
  if (model.names.length < 2) return;
  const list = part("logs");
  list.replaceChildren(...model.names.map((name, index) => element("option", { value: index + 1, selected: index + 1 === model.index }, visible(name))));
  list.title = `the file holds ${counted(model.names.length, "log")}`;
  list.hidden = false;
  list.onchange = () => choose(Number(list.value));
}

function showQuick(model, toggle, query) {
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
  const chips = [["is:differs", "differences", differs, "bad"], ["is:failed", "failures", failed, "bad"], ["from:view", "by the view", view, ""], ["from:effect", "by effects", effect, ""]];
  const names = new Map();
  for (const { label, op } of log.effects) if (op === "run" && label !== "" && names.size < 1000) names.set(label, (names.get(label) ?? 0) + 1);
  const frequent = [...names].sort((a, b) => b[1] - a[1]).slice(0, 6);
  for (const [name, count] of frequent) chips.push([`effect:${name}`, `ƒ ${name}`, count, ""]);
  const words = query.split(/\s+/);
  part("quick").replaceChildren(...chips.filter(([, , count]) => Number(count) > 0).map(([word, label, count, tone]) =>
    element(tone === "" ? "button.chip" : `button.chip.${tone}`, { type: "button", "aria-pressed": String(words.includes(String(word))), onclick: () => toggle(String(word)) },
      String(label), " ", element("b", {}, Number(count).toLocaleString("en-US")))));
}

// patch.mjs

class PatchError extends Error {}

function readPatch(patch) {
  if (!Array.isArray(patch)) throw new PatchError("the patch is not an array");
  return patch.map((operation) => ({
    op: operation.get("op"),
    path: pointerTokens(operation.get("path")),
    from: operation.has("from") ? pointerTokens(operation.get("from")) : undefined,
    value: operation.get("value"),
    at: operation.get("at"),
    remove: operation.get("remove"),
    insert: operation.get("insert"),
  }));
}

function applyPatch(value, operations) {
  for (const operation of operations) value = apply(value, operation);
  return value;
}

function apply(root, operation) {
  const { path } = operation;
  switch (operation.op) {
    case "add": return add(root, path, operation.value);
    case "remove": return remove(root, path);
    case "replace": return change(root, path, 0, () => operation.value);
    case "splice": return change(root, path, 0, (text) => splice(text, operation));
    case "move": {
      const from = operation.from ?? [];
      const value = existing(root, from);
      if (from.length === path.length && isWithin(path, from)) return root;
      if (isWithin(path, from)) throw new PatchError("a value cannot move into itself");
      return add(remove(root, from), path, value);
    }
    case "copy": return add(root, path, existing(root, operation.from ?? []));
    case "test":
      if (!equalJSON(existing(root, path), operation.value)) throw new PatchError(`the test of ${pointerText(path)} fails`);
      return root;
    default: throw new PatchError(`unknown operation '${operation.op}'`);
  }
}

function existing(root, path) {
  const value = valueAt(root, path);
  if (value === undefined) throw new PatchError(`nothing at ${pointerText(path)}`);
  return value;
}

function change(container, path, depth, make) {
  if (depth === path.length) return make(container);
  const token = path[depth];
  const old = child(container, token);
  if (old === undefined) throw new PatchError(`nothing at ${pointerText(path)}`);
  const value = change(old, path, depth + 1, make);
  if (Array.isArray(container)) {
    const copy = container.slice();
    copy[Number(token)] = value;
    return copy;
  }
  return new Map(container).set(token, value);
}

function add(root, path, value) {
  if (path.length === 0) return value;
  const token = path[path.length - 1];
  return change(root, path.slice(0, -1), 0, (container) => {
    if (isObject(container)) return new Map(container).set(token, value);
    if (!Array.isArray(container)) throw new PatchError(`nothing at ${pointerText(path)}`);
    const index = token === "-" ? container.length : arrayIndex(token);
    if (index < 0 || index > container.length) throw new PatchError(`no index ${pointerText(path)}`);
    const copy = container.slice();
    copy.splice(index, 0, value);
    return copy;
  });
}

function remove(root, path) {
  if (path.length === 0) return null;
  existing(root, path);
  const token = path[path.length - 1];
  return change(root, path.slice(0, -1), 0, (container) => {
    if (isObject(container)) {
      const copy = new Map(container);
      copy.delete(token);
      return copy;
    }
    const copy = container.slice();
    copy.splice(Number(token), 1);
    return copy;
  });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function spliceParts(text, operation) {
  const { at = 0, remove: count = 0 } = operation;
  if (typeof text !== "string") throw new PatchError(`no text at ${pointerText(operation.path)}`);
  const bytes = encoder.encode(text);
  if (at + count > bytes.length) throw new PatchError(`the text has ${bytes.length} bytes`);
  try {
    return [
      decoder.decode(bytes.subarray(0, at)),
      decoder.decode(bytes.subarray(at, at + count)),
      decoder.decode(bytes.subarray(at + count)),
    ];
  } catch {
    throw new PatchError(`byte ${at}, or ${at + count}, of the text lies within a character`);
  }
}

function splice(text, operation) {
  const [head, , tail] = spliceParts(text, operation);
  return head + (operation.insert ?? "") + tail;
}

function outsideTags(operations, state) {
  if (state === undefined || operations.every(({ path }) => taggedValue(path) === undefined)) return operations;
  const shown = [];
  for (const operation of operations) {
    state = applyPatch(state, [operation]);
    const path = taggedValue(operation.path);
    const value = path === undefined ? undefined : valueAt(state, path);
    if (path === undefined || value === undefined) {
      shown.push(operation);
      continue;
    }
    const last = shown[shown.length - 1];
    if (last?.op === "replace" && pointerText(last.path) === pointerText(path)) shown.pop();
    shown.push({ op: "replace", path, value });
  }
  return shown;
}

function originOf(operations, location) {
  let isTouched = false;
  for (let index = operations.length - 1; index >= 0; index -= 1) {
    const operation = operations[index];
    const place = operation.path;
    switch (operation.op) {
      case "add":
      case "copy":
        if (isWithin(location, place)) return { location: indexBeside(location, place) < 0 ? location : undefined, isTouched: true };
        isTouched ||= isWithin(place, location);
        location = shifted(location, place, -1, (own, other) => own > other);
        break;
      case "remove":
        isTouched ||= isWithin(place, location) && !(place.length === location.length && indexBeside(location, place) >= 0);
        location = shifted(location, place, 1, (own, other) => own >= other);
        break;
      case "replace":
      case "splice":
        isTouched ||= isWithin(location, place) || isWithin(place, location);
        break;
      case "move": {
        const from = operation.from ?? [];
        if (isWithin(location, place)) {
          location = moved(location, place, from);
        } else {
          isTouched ||= isWithin(place, location) || isWithin(from, location);
          location = shifted(location, place, -1, (own, other) => own > other);
          location = shifted(location, from, 1, (own, other) => own >= other);
        }
        break;
      }
    }
  }
  return { location, isTouched };
}

function destinationOf(operations, location) {
  let isTouched = false;
  for (const operation of operations) {
    const place = operation.path;
    switch (operation.op) {
      case "add":
      case "copy":
        if (indexBeside(location, place) >= 0) {
          location = shifted(location, place, 1, (own, other) => own >= other);
        } else {
          isTouched ||= isWithin(location, place) || isWithin(place, location);
        }
        break;
      case "remove":
        if (isWithin(location, place)) return { location: undefined, isTouched: true };
        isTouched ||= isWithin(place, location);
        location = shifted(location, place, -1, (own, other) => own > other);
        break;
      case "replace":
      case "splice":
        isTouched ||= isWithin(location, place) || isWithin(place, location);
        break;
      case "move": {
        const from = operation.from ?? [];
        if (isWithin(location, from)) {
          location = moved(location, from, place);
        } else {
          isTouched ||= isWithin(place, location) || isWithin(from, location);
          location = shifted(location, from, -1, (own, other) => own > other);
          location = shifted(location, place, 1, (own, other) => own >= other);
        }
        break;
      }
    }
  }
  return { location, isTouched };
}

function indexBeside(location, place) {
  const own = location[place.length - 1];
  return typeof own === "number" && isWithin(location, place.slice(0, -1)) ? own : -1;
}

function shifted(location, place, offset, isAffected) {
  const own = indexBeside(location, place);
  const index = own < 0 ? -1 : arrayIndex(place[place.length - 1]);
  if (index < 0 || !isAffected(own, index)) return location;
  const depth = place.length - 1;
  return [...location.slice(0, depth), own + offset, ...location.slice(depth + 1)];
}

function moved(location, place, other) {
  const head = other.map((token, depth) => {
    const isBeside = isWithin(place, other.slice(0, depth)) && depth < place.length;
    if (isBeside && typeof location[depth] === "string") return token;
    const index = arrayIndex(token);
    return index < 0 ? token : index;
  });
  return [...head, ...location.slice(place.length)];
}

// states.mjs

const leastSpacing = 128;
const mostPosts = 512;
const mostRecent = 64;

class States {
  constructor(log) {
    this.log = log;
    this.posts = new Map();
    this.spacing = leastSpacing;
    this.recent = new Map();
    this.problems = new Map();
  }

  after(step) {
    if (step < 0 || step >= this.log.stepCount) return undefined;
    let state = this.known(step);
    if (state === undefined) {
      const start = this.start(step);
      state = start.state;
      for (let next = start.step; next <= step; next += 1) {
        state = this.follow(state, next);
        if (next % this.spacing === 0) this.post(next, state);
      }
    }
    this.keep(step, state);
    return state;
  }

  forget(step) {
    this.recent.delete(step);
    this.posts.delete(step);
    this.problems.delete(step);
  }

  before(step) {
    return step === 0 ? undefined : this.after(step - 1);
  }

  known(step) {
    return this.recent.get(step) ?? this.posts.get(step);
  }

  start(step) {
    const place = this.log.checkpointSteps.lastAtMost(step);
    const checkpoint = place < 0 ? 0 : this.log.checkpointSteps.values[place];
    for (let kept = step - 1; kept >= checkpoint; kept -= 1) {
      const state = this.known(kept);
      if (state !== undefined) return { step: kept + 1, state };
    }
    return { step: checkpoint, state: undefined };
  }

  keep(step, state) {
    if (state === undefined) return;
    this.recent.delete(step);
    this.recent.set(step, state);
    if (this.recent.size > mostRecent) this.recent.delete(/** @type {number} */ (this.recent.keys().next().value));
  }

  post(step, state) {
    if (state === undefined) return;
    this.posts.set(step, state);
    if (this.posts.size <= mostPosts) return;
    this.spacing *= 2;
    for (const place of [...this.posts.keys()]) if (place % this.spacing !== 0) this.posts.delete(place);
  }

  follow(state, step) {
    const [start, end] = this.log.linesOf(step);
    const lineKinds = this.log.lineKinds.values;
    for (let line = start; line < end; line += 1) {
      switch (lineKinds[line]) {
        case Kind.checkpoint: {
          const written = this.log.event(line).get("state");
          if (state === undefined || writeJSON(written) !== writeJSON(state)) state = written;
          break;
        }
        case Kind.change:
        case Kind.external:
        case Kind.excluded:
          if (state !== undefined) state = this.patched(state, line, step);
          break;
        case Kind.gap: state = undefined; break;
      }
    }
    return state;
  }

  patched(state, line, step) {
    try {
      return applyPatch(state, readPatch(this.log.event(line).get("patch") ?? []));
    } catch (error) {
      this.problems.set(step, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

function alignedParts(before, after) {
  if (isObject(before) && isObject(after)) return alignedMembers(before, after);
  if (Array.isArray(before) && Array.isArray(after)) return alignedElements(before, after);
  return undefined;
}

function alignedMembers(before, after) {
  const parts = [...after].map(([token, value]) => ({ token, before: before.get(token), after: value }));
  let place = 0;
  for (const [token, value] of before) {
    const found = after.has(token);
    if (!found) parts.splice(Math.min(place, parts.length), 0, { token, before: value, after: undefined });
    place += 1;
  }
  return parts;
}

function alignedElements(before, after) {
  let start = 0;
  const shortest = Math.min(before.length, after.length);
  while (start < shortest && equalJSON(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shortest - start && equalJSON(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const parts = [];
  for (let index = 0; index < start; index += 1) parts.push({ token: String(index), before: before[index], after: after[index] });
  const rest = new Map();
  const oldEnd = before.length - end;
  const newEnd = after.length - end;
  for (let index = start; index < oldEnd; index += 1) {
    const key = elementKey(before[index]);
    if (key !== undefined && !rest.has(key)) rest.set(key, index);
  }
  const isByPlace = rest.size === 0 && oldEnd === newEnd;
  const used = new Set();
  for (let index = start; index < newEnd; index += 1) {
    const key = elementKey(after[index]);
    const old = isByPlace ? index : key === undefined ? undefined : rest.get(key);
    if (old === undefined || used.has(old)) {
      parts.push({ token: String(index), before: undefined, after: after[index] });
    } else {
      used.add(old);
      parts.push({ token: String(index), oldToken: String(old), before: before[old], after: after[index] });
    }
  }
  let place = start;
  for (let index = start; index < oldEnd; index += 1) {
    if (used.has(index)) continue;
    parts.splice(Math.min(place, parts.length), 0, { token: String(index), before: before[index], after: undefined });
    place += 1;
  }
  for (let index = 0; index < end; index += 1) {
    const token = String(newEnd + index);
    parts.push({ token, oldToken: String(oldEnd + index), before: before[oldEnd + index], after: after[newEnd + index] });
  }
  return parts;
}

function elementKey(element) {
  if (!isObject(element) || !element.has("id")) return undefined;
  return writeJSON(element.get("id"));
}

// changes.mjs

function leafChanges(before, after, path, changes, most) {
  if (before === after || changes.length >= most) return changes;
  const parts = before === undefined || after === undefined ? undefined : alignedParts(before, after);
  if (parts === undefined || isSmall(before) || isSmall(after)) {
    if (before === undefined || after === undefined || !equalJSON(before, after)) changes.push({ path, before, after });
    return changes;
  }
  for (const part of parts) leafChanges(part.before, part.after, [...path, part.token], changes, most);
  return changes;
}

function isSmall(value) {
  if (!(value instanceof Map)) return false;
  if (value.size === 0) return true;
  const [name, member] = value.entries().next().value ?? ["", null];
  return name.startsWith("$") || (value.size === 1 && member instanceof Map && member.size === 0);
}

function changesOf(state, operations, most) {
  const changes = [];
  for (const operation of outsideTags(operations, state)) {
    if (changes.length >= most) break;
    const { path } = operation;
    const before = state === undefined ? undefined : valueAt(state, path);
    switch (operation.op) {
      case "add": changes.push({ path, before: isReplaced(before, path, state) ? before : undefined, after: operation.value }); break;
      case "remove": changes.push({ path, before, after: undefined }); break;
      case "replace": leafChanges(before, operation.value, path, changes, most); break;
      case "move": changes.push({ path, before: undefined, after: undefined, from: operation.from }); break;
      case "copy": changes.push({ path, before: undefined, after: undefined, from: operation.from, isCopy: true }); break;
      case "splice": {
        const removed = before === undefined ? "" : spliceParts(before, operation)[1];
        changes.push({ path, before: removed || undefined, after: operation.insert || undefined, at: operation.at });
        break;
      }
    }
    if (state !== undefined) state = applyPatch(state, [operation]);
  }
  return changes;
}

function isReplaced(before, path, state) {
  return before !== undefined && !Array.isArray(valueAt(state, path.slice(0, -1)));
}

function hasChange(kind) {
  return kind === Kind.action || kind === Kind.excluded || kind === Kind.external;
}

// suggestion.mjs

function stepNames(path) {
  const names = [""];
  let open = 0;
  for (const character of path) {
    if (character === "[") open += 1;
    else if (character === "]") open -= 1;
    else if (open > 0) continue;
    else if (character === "(") break;
    else if (character === "." || character === "/") names.push("");
    else names[names.length - 1] += character;
  }
  return names.filter((name) => name !== "");
}

function closestPath(text, paths) {
  const typed = stepNames(text);
  if (typed.length === 0 || text.length > 80) return undefined;
  const sorted = [...paths].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const end = (/** @type {string} */ path) => stepNames(path).slice(-typed.length).join(".");
  const wanted = typed.join(".");
  const inOrder = (/** @type {string} */ path) => {
    let next = 0;
    for (const name of stepNames(path)) if (name === typed[next]) next += 1;
    return next === typed.length;
  };
  const exact = sorted.find((path) => end(path) === wanted) ?? sorted.find(inOrder);
  if (exact !== undefined) return text.includes("(") ? undefined : exact;
  return similarPath(typed, sorted) ?? (typed.length > 1 ? similarPath(typed.slice(-1), sorted) : undefined);
}

function similarPath(typed, paths) {
  let best;
  let fewest = Infinity;
  for (const path of paths) {
    const end = stepNames(path).slice(-typed.length).join(".");
    const edits = editDistance(typed.join("."), end);
    if (edits < fewest && edits <= Math.max(1, Math.floor(end.length / 3))) [best, fewest] = [path, edits];
  }
  return best;
}

function editDistance(first, second) {
  const from = [...first.toLowerCase()];
  const to = [...second.toLowerCase()];
  let beforeLast = [];
  let last = [...to.keys(), to.length];
  for (let row = 0; row < from.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < to.length; column += 1) {
      let cost = Math.min(last[column + 1] + 1, current[column] + 1, last[column] + (from[row] === to[column] ? 0 : 1));
      if (row > 0 && column > 0 && from[row] === to[column - 1] && from[row - 1] === to[column]) {
        cost = Math.min(cost, beforeLast[column - 1] + 1);
      }
      current.push(cost);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length];
}

// filter.mjs

function queryWords(query) {
  return [...query.matchAll(/([^\s"]*"[^"]*"|\S+)/g)].map((match) => match[0].replace(/"/g, ""));
}

function filterTest(query, model) {
  const tests = queryWords(query).map((word) => wordTest(word, model));
  return tests.length === 0 ? undefined : (step) => tests.every((test) => test(step));
}

function wordTest(word, model) {
  const { log } = model;
  if (word.startsWith("-") && word.length > 1) {
    const test = wordTest(word.slice(1), model);
    return (step) => !test(step);
  }
  const colon = word.indexOf(":");
  const value = word.slice(colon + 1);
  switch (colon > 0 ? word.slice(0, colon) : "") {
    case "path": return pathTest(value, model);
    case "effect": return effectTest(value, model);
    case "case": return caseTest(value, model);
    case "from": return senderTest(value, model);
    case "is":
      if (value === "failed") return (step) => model.hasFailed(step);
      if (value === "unfinished") return (step) => model.isOpen(step);
      if (value === "differs") return (step) => log.hasFlag(step, Flag.differs);
      if (value === "unchanged") return (step) => log.hasFlag(step, Flag.unchanged);
      if (value === "changed") return (step) => log.stepChanges.values[step] >= 0 && !log.hasFlag(step, Flag.unchanged);
      if (value === "note" || value === "gap" || value === "external" || value === "excluded") {
        return (step) => log.stepKinds.values[step] === Kind[value];
      }
      break;
  }
  return word.startsWith(".") ? caseTest(word, model) : textTest(word, model);
}

function textTest(word, model) {
  const text = word.toLowerCase();
  const { log } = model;
  return (step) => {
    const [start, end] = log.linesOf(step);
    for (let line = start; line < end; line += 1) {
      if (log.lineKinds.values[line] !== Kind.checkpoint && log.line(line).toLowerCase().includes(text)) return true;
    }
    return model.title(step).toLowerCase().includes(text);
  };
}

function caseTest(word, model) {
  const joined = (/** @type {string} */ text) => text.replace(/\(\./g, ".");
  const wanted = joined(word.replace(/\[#/g, "[")).replace(/\)+$/, "");
  const pattern = wanted.split(/\[\*?\]/).map(escapePattern).join("\\[[^\\]]*\\]");
  const regex = new RegExp(`^[^(]*?${pattern.startsWith("\\.") ? "" : "\\."}${pattern}(?![\\p{L}\\p{N}_])`, "iu");
  return (step) => isAction(step, model) && regex.test(joined(model.title(step)));
}

function isAction(step, model) {
  const kind = model.log.stepKinds.values[step];
  return kind === Kind.action || kind === Kind.withheld;
}

const mostSteps = 5000;

function meantWord(query, model) {
  const count = Math.min(model.log.stepCount, mostSteps);
  for (const typed of queryWords(query)) {
    const [, kind, text] = /^(?:(path|case):)?(.*)$/u.exec(typed) ?? [];
    if (text === undefined || (kind === undefined && !text.startsWith("."))) continue;
    const test = wordTest(typed, model);
    const paths = new Set();
    let isFound = false;
    for (let step = 0; step < count && !isFound; step += 1) {
      isFound = test(step);
      if (kind === "path") {
        if (model.log.stepChanges.values[step] < 0) continue;
        for (const { path } of model.operations(step)) paths.add(model.placeText(step, path).replace(/\[[^\]]*\]/g, "[*]"));
      } else if (isAction(step, model)) {
        paths.add(model.title(step).split("(")[0].replace(/\[[^\]]*\]/g, "[]"));
      }
    }
    const meant = isFound ? undefined : closestPath(text, [...paths]);
    if (meant !== undefined) return { typed, meant: kind === undefined ? meant : `${kind}:${meant}` };
  }
  return undefined;
}

function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function pathTest(value, model) {
  const { log } = model;
  const isPointer = value.startsWith("/");
  const pattern = escapePattern(value).replace(/\\\[\\\*\\\]/g, "\\[[^\\]]*\\]").replace(/\/\\\*/g, "/[^/]*");
  const regex = new RegExp(`^${pattern}(?:$|[./\\[])`, "u");
  const first = /^\/?([A-Za-z_][A-Za-z0-9_]*)/.exec(value)?.[1];
  return (step) => {
    const line = log.stepChanges.values[step];
    if (line < 0) return false;
    const text = log.line(line);
    if (first !== undefined && !text.includes(`"/${first}`) && !text.includes('"path":""')) return false;
    const places = model.operations(step).flatMap(({ path, from }) => from === undefined ? [path] : [path, from]);
    return places.some((path) => regex.test(isPointer ? pointerText(path) : model.placeText(step, path)) || path.length === 0);
  };
}

function effectTest(value, model) {
  const { log } = model;
  const name = value.toLowerCase();
  const ids = new Set();
  let known = 0;
  return (step) => {
    for (; known < log.effects.length; known += 1) {
      const effect = log.effects[known];
      if (effect.id === value || `${effect.label} ${effect.source}`.toLowerCase().includes(name)) ids.add(effect.id);
    }
    const [start, end] = log.linesOf(step);
    for (let line = start; line < end; line += 1) {
      const kind = log.lineKinds.values[line];
      if (kind !== Kind.action && kind !== Kind.change && kind !== Kind.effect && kind !== Kind.excluded) continue;
      const text = log.line(line);
      if (kind === Kind.effect) {
        const id = /"id":"([\d.]+)"/.exec(text)?.[1];
        if (id !== undefined && ids.has(id)) return true;
      } else if (kind === Kind.action) {
        const id = /"origin":\{"effect":"([\d.]+)"/.exec(text)?.[1];
        if (id !== undefined && ids.has(id)) return true;
      } else if (text.includes('"effects":')) {
        if (flatEffects(log.event(line).get("effects")).some(({ effect }) => ids.has(effect.get("id")))) return true;
      }
    }
    return false;
  };
}

function senderTest(value, model) {
  const senders = model.log.stepSenders;
  const sent = new Set([Kind.action, Kind.excluded, Kind.withheld]);
  const isSent = (/** @type {number} */ step) => sent.has(model.log.stepKinds.values[step]);
  switch (value) {
    case "view": return (step) => isSent(step) && senders.values[step] === Sender.view;
    case "parent": return (step) => isSent(step) && senders.values[step] === Sender.parent;
    case "effect": return (step) => isSent(step) && senders.values[step] > 0;
    default: {
      const seq = Number(value);
      return (step) => senders.values[step] === seq;
    }
  }
}

function toggledQuery(query, word) {
  const words = [...query.matchAll(/([^\s"]*"[^"]*"|\S+)/g)].map((match) => match[0]);
  const quoted = /\s/.test(word) ? word.replace(/^(\w+:)?(.*)$/, '$1"$2"') : word;
  return (words.includes(quoted) ? words.filter((other) => other !== quoted) : [...words, quoted]).join(" ");
}

class Filter {
  constructor(query, model) {
    this.query = query;
    this.model = model;
    this.test = filterTest(query, model);
    this.hits = [];
    this.position = 0;
  }

  get isActive() {
    return this.test !== undefined;
  }

  get isDone() {
    return this.test === undefined || this.position >= this.model.log.stepCount;
  }

  forget(step) {
    this.position = Math.min(this.position, Math.max(step, 0));
    while (this.hits.length > 0 && this.hits[this.hits.length - 1] >= step) this.hits.pop();
  }

  run(isDue) {
    if (this.test === undefined) return;
    const { stepCount } = this.model.log;
    while (this.position < stepCount) {
      if (this.test(this.position)) this.hits.push(this.position);
      this.position += 1;
      if (this.position % 64 === 0 && isDue()) return;
    }
  }

  get meant() {
    return meantWord(this.query, this.model);
  }

  get count() {
    return this.test === undefined ? this.model.log.stepCount : this.hits.length;
  }

  step(row) {
    return this.test === undefined ? row : this.hits[row];
  }

  row(step) {
    if (this.test === undefined) return step;
    let low = 0;
    let high = this.hits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hits[middle] <= step) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

// history.mjs

function* valuesOf(model, step, path) {
  yield* earlier(model, step, path);
  yield* later(model, step, path);
}

function mayTouch(model, step, mark) {
  const line = model.log.stepChanges.values[step];
  if (line < 0) return false;
  const text = model.log.line(line);
  return text.includes(mark) || text.includes('"path":""');
}

function markOf(path) {
  return path.length === 0 ? '"path":"' : `"${pointerText(path.slice(0, 1)).replace(/["\\]/g, "\\$&")}`;
}

function givenValue(operations, path) {
  const last = operations[operations.length - 1];
  const isAlone = operations.length === 1 || operations.every((operation) => operation.op === "replace");
  if (!isAlone) return undefined;
  const own = operations.filter(({ path: other }) => pointerText(other) === pointerText(path));
  return own.length === 1 && (last.op === "replace" || last.op === "add") ? own[0].value : undefined;
}

function* earlier(model, step, path) {
  const { log, states } = model;
  let last;
  const mark = markOf(path);
  let location = located(states.after(step), path);
  for (let at = step; at > 0; at -= 1) {
    const place = tokensOf(location);
    if (at % 512 === 0) yield undefined;
    if (log.stepKinds.values[at] === Kind.gap) {
      if (last !== undefined) yield last;
      yield { step: at, path: place, value: valueAt(states.after(at), place), isLater: false, isGap: true };
      return;
    }
    if (!mayTouch(model, at, mark)) continue;
    const operations = model.operations(at);
    const origin = originOf(operations, location);
    if (origin.isTouched) {
      const given = givenValue(operations, place);
      const value = given === undefined ? valueAt(states.after(at), place) : given;
      if (last !== undefined && !isSame(last.value, value)) yield last;
      last = { step: at, path: place, value, isLater: false };
      yield undefined;
    }
    if (origin.location === undefined) {
      if (last !== undefined) yield last;
      return;
    }
    location = origin.isTouched ? located(states.before(at), tokensOf(origin.location)) : origin.location;
  }
  const place = tokensOf(location);
  const value = valueAt(states.after(0), place);
  if (last !== undefined && !isSame(last.value, value)) yield last;
  yield { step: 0, path: place, value, isLater: false };
}

function* later(model, step, path) {
  const { log, states } = model;
  const mark = markOf(path);
  let location = located(states.after(step), path);
  let value = valueAt(states.after(step), path);
  for (let at = step + 1; at < log.stepCount; at += 1) {
    if (at % 512 === 0) yield undefined;
    if (log.stepKinds.values[at] === Kind.gap) {
      const place = tokensOf(location);
      yield { step: at, path: place, value: valueAt(states.after(at), place), isLater: true, isGap: true };
      return;
    }
    if (!mayTouch(model, at, mark)) continue;
    const operations = model.operations(at);
    const destination = destinationOf(operations, location);
    if (destination.location === undefined) {
      yield { step: at, path: undefined, value: undefined, isLater: true };
      return;
    }
    location = destination.location;
    if (!destination.isTouched) continue;
    const place = tokensOf(location);
    location = located(states.after(at), place);
    const given = givenValue(operations, place);
    const next = given === undefined ? valueAt(states.after(at), place) : given;
    if (isSame(value, next)) continue;
    value = next;
    yield { step: at, path: place, value, isLater: true };
  }
}

function isSame(a, b) {
  return a === undefined || b === undefined ? a === b : equalJSON(a, b);
}

// place.mjs

function wrapped(value) {
  if (!isObject(value)) return undefined;
  for (const name of ["_0", "$some"]) {
    const inner = only(value, name);
    if (inner !== undefined) return { tokens: [name], value: inner };
  }
  const error = only(value, "$error");
  if (isObject(error) && error.has("type") && error.has("value")) {
    return { tokens: ["$error", "value"], value: error.get("value") };
  }
  const row = stackElement(value);
  return row && { tokens: ["element"], value: row[1] };
}

function stackElement(value) {
  const row = both(value, "id", "element");
  return row !== undefined && isNumber(row[0]) ? row : undefined;
}

function isPlaceOfPayload(token) {
  return token.length > 1 && token[0] === "_" && arrayIndex(token.slice(1)) >= 0;
}

function placeText(tokens, root, location) {
  const writer = new PlaceWriter(tokens, location);
  writer.write(root);
  return writer.text;
}

function stepText(token, container) {
  const writer = new PlaceWriter([token]);
  writer.step(container);
  return writer.text;
}

class PlaceWriter {
  constructor(tokens, location) {
    this.text = "";
    this.tokens = tokens;
    this.location = location;
    this.position = 0;
    this.isAfterIndex = false;
  }

  write(root) {
    let value = root;
    while (this.position < this.tokens.length) {
      if (this.position > 0) value = this.passWrappers(value);
      if (isTag(this.tokens[this.position])) return;
      this.step(value);
      value = value === undefined ? undefined : child(value, this.tokens[this.position]);
      this.position += 1;
    }
  }

  passWrappers(value) {
    let inner = value;
    let place = this.position;
    if (value !== undefined) {
      const passed = [];
      for (;;) {
        const wrapper = wrapped(inner);
        const length = wrapper?.tokens.length ?? 0;
        if (wrapper === undefined || place + length >= this.tokens.length) break;
        if (!wrapper.tokens.every((token, index) => token === this.tokens[place + index])) break;
        passed.push(inner);
        inner = wrapper.value;
        place += length;
      }
      if (passed.some((wrapper) => wrapper.has(this.tokens[place]))) return value;
    } else {
      place += this.wrapperWithoutValue(place);
    }
    if (place > this.position) this.isAfterIndex = false;
    this.position = place;
    return inner;
  }

  wrapperWithoutValue(place) {
    if (place + 1 >= this.tokens.length) return 0;
    const next = this.tokens[place + 1];
    switch (this.tokens[place]) {
      case "_0": return this.isAfterIndex || isPlaceOfPayload(next) ? 0 : 1;
      case "element": return this.isAfterIndex && next !== "id" && next !== "element" ? 1 : 0;
      case "$some": return 1;
      case "$error": return next === "value" && place + 2 < this.tokens.length ? 2 : 0;
      default: return 0;
    }
  }

  step(value) {
    const token = this.tokens[this.position];
    this.isAfterIndex = false;
    if (Array.isArray(value)) {
      this.isAfterIndex = true;
      const index = arrayIndex(token);
      const id = index >= 0 && index < value.length ? stackID(index, value) : undefined;
      this.text += id !== undefined ? `[#${id}]` : `[${token === "-" ? "end" : token}]`;
    } else if (value === undefined && (token === "*" || this.isIndex())) {
      this.isAfterIndex = true;
      this.text += `[${token}]`;
    } else {
      this.member(token);
    }
  }

  isIndex() {
    if (this.location !== undefined) return typeof this.location[this.position] === "number";
    return arrayIndex(this.tokens[this.position]) >= 0;
  }

  member(token) {
    const dot = this.text === "" ? "" : ".";
    if (isPlaceOfPayload(token)) {
      this.text += dot + token.slice(1);
    } else if (isSwiftIdentifier(token)) {
      this.text += dot + token;
    } else if (token.startsWith("$$")) {
      this.text += `["${visible(token.slice(1), {})}"]`;
    } else {
      this.text += `["${visible(token, {})}"]`;
    }
  }
}

function stackID(index, elements) {
  const row = stackElement(elements[index]);
  if (row === undefined || elements.length > 64) return undefined;
  const alike = elements.filter((element) => isObject(element) && element.has("id") && equalJSON(element.get("id"), row[0]));
  return alike.length === 1 ? literal(row[0]) : undefined;
}

// historyview.mjs

const mostRows = 2000;

class HistoryView {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.pane = part("history");
    this.path = undefined;
    this.number = 0;
    this.from = -1;
    this.seen = 0;
    this.steps = [];
  }

  get isOpen() {
    return !this.pane.hidden;
  }

  close() {
    this.pane.hidden = true;
    this.path = undefined;
    this.number += 1;
    this.actions.closed();
  }

  show(step, path) {
    const { model } = this;
    this.path = path;
    this.from = step;
    this.seen = model.log.stepCount;
    this.number += 1;
    const { number } = this;
    const name = placeText(path, model.states.after(step) ?? model.states.before(step)) || "the whole state";
    const count = element("span.dim", {}, "looking …");
    const table = element("table", {});
    const filter = element("button", { type: "button", title: "filter the list by it", onclick: () => this.actions.toggle(`path:${model.placeText(step, path)}`) }, "Filter");
    const close = element("button", { type: "button", title: "Close (Escape)", onclick: () => this.close() }, "Close");
    this.pane.replaceChildren(element("h2", {}, element("span.code", {}, name), count, filter, close), table);
    this.pane.hidden = false;
    this.steps = [];
    const values = valuesOf(model, step, path);
    let found = 0;
    const work = () => {
      if (number !== this.number) return;
      const end = performance.now() + 12;
      while (performance.now() < end) {
        const next = values.next();
        if (next.done === true) {
          count.textContent = `${found} ${found === 1 ? "value" : "values"}`;
          this.mark(step);
          return;
        }
        if (next.value === undefined) continue;
        found += 1;
        if (found > mostRows) continue;
        const row = this.row(next.value);
        if (next.value.isLater) {
          table.append(row);
          this.steps.push(next.value.step);
        } else {
          table.prepend(row);
          this.steps.unshift(next.value.step);
        }
      }
      count.textContent = `${found} so far`;
      this.mark(step);
      setTimeout(work);
    };
    work();
  }

  refresh(step) {
    if (this.path === undefined || this.seen === this.model.log.stepCount) return;
    const { scrollTop } = this.pane;
    this.show(this.from, this.path);
    this.mark(step);
    this.pane.scrollTop = scrollTop;
  }

  row(found) {
    const { model } = this;
    const { log } = model;
    const value = found.value === undefined ? element("span.dim", {}, "nothing") : element("span", {}, ...colored(model.notation.value(found.value)));
    const setter = found.isGap === true ? "as it was after a gap of the log" : found.step === 0 ? "as it was at the start" : undefined;
    const who = setter === undefined
      ? link(element("span", {}, ...colored(model.title(found.step))), () => this.actions.select(found.step), { title: "go there" })
      : link(setter, () => this.actions.select(found.step));
    return element("tr", { "data-step": found.step }, element("td", {}, found.step === 0 ? "" : String(log.stepSeqs.values[found.step])),
      element("td.v", {}, value), element("td.who", { title: setter ?? model.title(found.step) }, who), element("td.when", {}, found.step === 0 ? "" : timeText(log.stepTimes.values[found.step])));
  }

  mark(step) {
    let last = -1;
    for (const found of this.steps) if (found <= step) last = Math.max(last, found);
    for (const row of this.pane.querySelectorAll("tr")) {
      const isNow = Number(row.dataset.step) === last;
      row.classList.toggle("now", isNow);
      if (isNow) row.scrollIntoView({ block: "nearest" });
    }
    return last;
  }
}

// keys.mjs

const keys = [
  [["↑", "↓"], "the action before, after"], [["PgUp", "PgDn", "Home", "End"], "further"],
  [["["], "the action that caused this one"], [["]"], "the first action that this one led to; again for the next"],
  [["d"], "the next difference, or the next failure when nothing is compared"], [["b"], "who set the value: its history, and to the action that set it"],
  [["/"], "filter"], [["g"], "go to an action by its number"], [["space"], "play, stop"], [["e"], "open or close the whole state"],
  [["Esc"], "close the history, clear the filter"], [["?"], "these keys"],
];

const signs = [
  ["view", "●", "an action that the app sent"], ["sent", "●", "one that came of another action"], ["open", "○", "one that the app still handles"],
  ["failed", "●", "a failure; as a bar, an effect that was cancelled"], ["bad", "●", "a difference, or an action without an end; as a bar, an effect that failed"],
  ["view", "|", "in the bar of an effect: it sent an action"], ["view", "○", "in the bar of an effect: it made a call"],
];

function showKeys() {
  const dialog = part("keys");
  const close = element("button", { type: "button", onclick: () => dialog.close() }, "Close");
  dialog.replaceChildren(element("h2", {}, "Keys"),
    element("dl", {}, ...keys.flatMap(([names, text]) => [
      element("dt", {}, ...(/** @type {string[]} */ (names)).flatMap((name) => [element("kbd", {}, name), " "])), element("dd", {}, String(text)),
    ])),
    element("h2", {}, "Filters"),
    element("dl", {}, ...[
      ["text", "anywhere in the action, or in its lines"], [".saved", "a case; .path[].report with any element"], ["path:todos[*].title", "what changed a place"],
      ["effect:save", "what started, ended or was sent by an effect"], ["from:view", "by sender: view, effect, parent, or the number of an action"],
      ["is:failed", "also differs, unfinished, changed, unchanged, note, gap"], ["-is:unchanged", "what a word does not find"],
    ].flatMap(([word, text]) => [element("dt", {}, element("kbd", {}, word)), element("dd", {}, text)])),
    element("h2", {}, "Timeline"),
    element("dl", {}, ...signs.flatMap(([name, sign, text]) => [element("dt", {}, element(`span.sign.${name}`, {}, sign)), element("dd", {}, text)])),
    element("p", {}, close));
  dialog.showModal();
}

function askForAction(go) {
  const dialog = part("jump");
  const input = element("input", { type: "text", inputmode: "numeric", "aria-label": "The number of an action", placeholder: "The number of an action" });
  const problem = element("p", { role: "alert" });
  input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const text = input.value.replace(/^#/, "").trim();
    const wrong = /^\d+$/.test(text) ? go(Number(text)) : `'${text}' is not the number of an action`;
    if (wrong === undefined) dialog.close();
    else problem.textContent = wrong;
  });
  dialog.replaceChildren(element("h2", {}, "Go to"), input, problem);
  dialog.showModal();
  input.focus();
}

function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const dialog = target.closest?.("dialog") ?? null;
  return dialog === null ? target instanceof HTMLInputElement || target instanceof HTMLSelectElement : dialog.open;
}

// listview.mjs

const rowHeight = 24;
const tallest = 8_000_000;
const mostIndents = 10;
const mostChips = 3;
const kindClasses = /** @type {Record<number, string>} */ ({
  [Kind.note]: "note", [Kind.gap]: "gap", [Kind.external]: "external", [Kind.start]: "start", [Kind.excluded]: "note", [Kind.withheld]: "note",
});

const senderNames = /** @type {Record<number, string>} */ ({ [Sender.view]: "view", [Sender.parent]: "parent" });

class ListView {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.list = part("list");
    this.room = part("room");
    this.rows = part("rows");
    this.filter = undefined;
    this.selected = -1;
    this.related = new Set();
    this.made = new Map();
    this.scrollTop = 0;
    this.clientHeight = this.list.clientHeight;
    this.list.addEventListener("scroll", () => {
      this.scrollTop = this.list.scrollTop;
      this.draw();
    });
    this.rows.addEventListener("click", (/** @type {any} */ event) => {
      const row = event.target.closest(".row");
      if (row !== null && !event.target.closest("button")) this.actions.select(Number(row.dataset.step));
    });
    new ResizeObserver(() => {
      this.clientHeight = this.list.clientHeight;
      this.scrollTop = this.list.scrollTop;
      this.draw();
    }).observe(this.list);
  }

  show(filter) {
    this.filter = filter;
    this.made.clear();
    this.measure();
    this.draw();
  }

  measure() {
    const count = this.filter?.count ?? 0;
    this.height = Math.min(count * rowHeight, tallest);
    this.room.style.height = `${this.height}px`;
    this.scrollTop = Math.min(this.scrollTop, Math.max(this.height - this.clientHeight, 0));
    this.list.style.setProperty("--rows", String(Math.max(count, 2)));
    this.list.style.setProperty("--seq", `${Math.max(3, String(this.model.log.stepSeqs.values[Math.max(this.model.log.stepCount - 1, 0)] || 0).length + 1)}ch`);
  }

  get visibleCount() {
    return Math.max(1, Math.floor(this.clientHeight / rowHeight));
  }

  get top() {
    const count = this.filter?.count ?? 0;
    const most = Math.max((this.height ?? 0) - this.clientHeight, 1);
    if (count * rowHeight <= tallest) return this.scrollTop / rowHeight;
    return (this.scrollTop / most) * Math.max(count - this.clientHeight / rowHeight, 0);
  }

  set top(row) {
    const count = this.filter?.count ?? 0;
    const most = Math.max((this.height ?? 0) - this.clientHeight, 0);
    const top = count * rowHeight <= tallest ? row * rowHeight : (row / Math.max(count - this.clientHeight / rowHeight, 1)) * most;
    this.scrollTop = Math.min(Math.max(Math.round(top), 0), most);
    this.list.scrollTop = this.scrollTop;
  }

  get isDown() {
    const count = this.filter?.count ?? 0;
    return count > this.visibleCount && this.top + this.visibleCount >= count - 1;
  }

  forget(step) {
    this.made.delete(step);
    const count = this.filter?.count ?? 0;
    for (const row of this.made.values()) row.setAttribute("aria-setsize", String(count));
    this.related = new Set(this.model.log.ledTo(this.selected, 500));
    const cause = this.model.log.causeOf(this.selected);
    if (cause >= 0) this.related.add(cause);
  }

  select(step) {
    const old = this.selected;
    this.selected = step;
    const { log } = this.model;
    for (const changed of [old, step, ...this.related]) this.made.delete(changed);
    this.related = new Set(log.ledTo(step, 500));
    const cause = log.causeOf(step);
    if (cause >= 0) this.related.add(cause);
    for (const changed of this.related) this.made.delete(changed);
    const row = this.filter?.row(step) ?? -1;
    const { top, visibleCount } = this;
    if (row >= 0 && (row < top + 1 || row > top + visibleCount - 2)) {
      this.top = row < top + 1 && row > top - 3 ? Math.max(row - 1, 0)
        : row > top + visibleCount - 2 && row < top + visibleCount + 2 ? row - visibleCount + 2 : Math.max(row - Math.floor(visibleCount / 3), 0);
    }
    this.draw();
  }

  draw() {
    const { filter } = this;
    if (filter === undefined) return;
    const { top } = this;
    const first = Math.max(0, Math.floor(top) - 2);
    const last = Math.min(filter.count, Math.ceil(top) + this.visibleCount + 3);
    const rows = [];
    const base = this.scrollTop - (top - first) * rowHeight;
    const kept = new Map();
    for (let row = first; row < last; row += 1) {
      const step = filter.step(row);
      const made = this.made.get(step) ?? this.row(step, row, filter.count);
      made.style.transform = `translateY(${base + (row - first) * rowHeight}px)`;
      kept.set(step, made);
      rows.push(made);
    }
    const isSame = kept.size === this.made.size && kept.size === this.rows.children.length && rows.every((row) => row.parentNode === this.rows);
    this.made = kept;
    if (filter.count === 0 && filter.isDone && this.model.log.isIndexed) {
      rows.push(element("p.empty", {}, filter.isActive ? noMatch(filter) : "The log has no actions."));
    }
    if (!isSame || rows.length !== kept.size) this.replace(rows);
    const isSeen = rows.some((row) => row.id === `row-${this.selected}`);
    if (isSeen) this.list.setAttribute("aria-activedescendant", `row-${this.selected}`);
    else this.list.removeAttribute("aria-activedescendant");
  }

  replace(rows) {
    const wanted = new Set(rows);
    for (const row of [...this.rows.children]) if (!wanted.has(row)) row.remove();
    let next = this.rows.firstChild;
    for (const row of rows) {
      if (row === next) next = row.nextSibling;
      else this.rows.insertBefore(row, next);
    }
  }

  drawAll(most) {
    const { filter } = this;
    if (filter === undefined) return;
    this.made.clear();
    const rows = [];
    for (let row = 0; row < Math.min(filter.count, most); row += 1) rows.push(this.row(filter.step(row), row, filter.count));
    if (filter.count > most) rows.push(element("p.empty", {}, `… ${filter.count - most} more`));
    this.rows.replaceChildren(...rows);
  }

  row(step, row, count) {
    const { model } = this;
    const { log } = model;
    const kind = log.stepKinds.values[step];
    const isAction = kind === Kind.action || kind === Kind.withheld || kind === Kind.excluded;
    const sender = log.stepSenders.values[step];
    const depth = Math.min(log.stepDepths.values[step], mostIndents);
    const classes = ["row", kindClasses[kind], this.related.has(step) ? "related" : undefined]
      .concat(log.hasFlag(step, Flag.differs) ? "differs" : model.isOpen(step) ? "unfinished"
        : log.hasFlag(step, Flag.failed) ? "failed" : undefined)
      .filter((name) => name !== undefined);
    const indent = depth > 0 ? `${"  ".repeat(depth - 1)}└ ` : "";
    const title = model.title(step);
    return element(`div.${classes.join(".")}`, {
      id: `row-${step}`, role: "option", "aria-selected": String(step === this.selected), "aria-setsize": count, "aria-posinset": row + 1,
      "data-step": step,
    },
    element("span.seq", {}, isAction ? String(log.stepSeqs.values[step]) : ""),
    element("span.when", {}, kind === Kind.start ? "" : timeText(log.stepTimes.values[step])),
    element("span.by", isAction ? { title: sender > 0 ? `sent because of action ${sender}` : originText(senderNames[sender]) } : {},
      isAction ? senderText(sender) : ""),
    element("span.what", {},
      element("span.indent", {}, indent),
      element("span.act", { title }, ...partsOfTitle(title).map((text, index) => text === "" ? undefined : element(index === 0 ? "span.head" : "span.tail", {}, ...colored(text)))),
      ...this.marks(step, kind),
      this.changes(step, kind)),
    element("span.took", {}, durationText(log.stepDurations.values[step])));
  }

  marks(step, kind) {
    const { log } = this.model;
    const marks = [];
    if (log.hasFlag(step, Flag.differs)) {
      const causes = new Set((this.model.differences.get(step) ?? []).map((difference) => difference.get("cause")));
      marks.push(element("span.mark.bad", { title: this.model.isReplay ? "the replay differs here" : "the logs differ here" }, `≠ ${[...causes].join(", ")}`));
    }
    if (log.hasFlag(step, Flag.unfinished)) {
      const label = kind === Kind.withheld ? "withheld" : step === log.owner ? "not finished" : "no change";
      if (!this.model.isOpen(step)) marks.push(element("span.mark.fx", { title: "the app handles it" }, "in progress"));
      else marks.push(element("span.mark.bad", { title: "the log has no change of this action" }, label));
    } else if (log.hasFlag(step, Flag.failed)) {
      marks.push(element("span.mark.warn", {}, "failure"));
    }
    if (log.hasFlag(step, Flag.effects)) marks.push(element("span.mark.fx", { title: "returned effects" }, "ƒ"));
    return marks;
  }

  changes(step, kind) {
    if (kind === Kind.start || kind === Kind.note || kind === Kind.gap) return undefined;
    const places = this.model.changedPlaces(step);
    if (places.length === 0) return undefined;
    const chips = places.slice(0, mostChips).map((place) => element("span.place", { title: `changed ${place}` }, shortPlace(place)));
    if (places.length > mostChips) chips.push(element("span.place", { title: places.slice(mostChips).join("\n") }, `+${places.length - mostChips}`));
    return element("span.changes", {}, ...chips);
  }
}

function senderText(sender) {
  return sender > 0 ? `#${sender}` : sender === Sender.view ? "view" : sender === Sender.parent ? "parent" : "?";
}

function partsOfTitle(title) {
  if (!title.startsWith(".")) return ["", title];
  let start = 0;
  let depth = 0;
  for (let index = 0; index < title.length; index += 1) {
    const letter = title[index];
    if (letter === '"') {
      for (index += 1; index < title.length && title[index] !== '"'; index += 1) if (title[index] === "\\") index += 1;
    } else if (letter === "[") {
      depth += 1;
    } else if (letter === "]") {
      depth -= 1;
    } else if (depth === 0 && letter === ".") {
      start = index;
    } else if (depth === 0 && letter === "(") {
      break;
    }
  }
  return [title.slice(0, start), title.slice(start)];
}

function shortPlace(place) {
  if (place.length <= 18) return place;
  const steps = place.match(/^[^.[]+|\.[^.[]+|\[[^\]]*\]/g) ?? [place];
  let text = steps.pop() ?? "";
  while (steps.length > 0 && text.startsWith("[")) text = steps.pop() + text;
  return `…${text.replace(/^\./, "")}`;
}

function noMatch(filter) {
  const found = filter.meant;
  return `No action matches the filter.${found === undefined ? "" : ` Did you mean ${found.meant}?`}`;
}

// live.mjs

const pause = 400;

class Sign {
  constructor() {
    this.beat = -1;
    this.looks = 0;
    this.isSilent = false;
  }

  take({ beat, patience }) {
    this.looks = beat === this.beat ? this.looks + 1 : 0;
    this.beat = beat;
    this.isSilent = this.looks * pause > patience * 1000;
  }
}

class Feed {
  constructor(live, receiver) {
    this.folder = encodeURIComponent(String(live.get("folder")));
    this.generation = String(live.get("generation"));
    this.next = Number(live.get("next"));
    this.receiver = receiver;
    this.looks = 0;
    this.sign = new Sign();
    this.message = undefined;
  }

  start() {
    const page = /** @type {any} */ (window);
    page.tcaReplay = (/** @type {any} */ message) => {
      this.message = message;
    };
    this.look();
  }

  async look() {
    this.looks += 1;
    const news = readNews(await this.messageOf(`now.js?${this.looks}`));
    if (news === undefined) return this.receiver.ended();
    if (news.generation !== this.generation) return this.receiver.replaced();
    const { isSilent } = this.sign;
    this.sign.take(news);
    if (this.sign.isSilent !== isSilent) this.sign.isSilent ? this.receiver.silent() : this.receiver.resumed();
    const first = this.next;
    while (this.next <= news.last) {
      const part = await this.messageOf(`${this.next}.js`);
      if (part?.part !== this.next || typeof part.text !== "string") {
        return news.next > this.next ? this.receiver.replaced() : this.receiver.ended();
      }
      this.next += 1;
      this.receiver.lines(part.text);
    }
    if (this.next > first) this.receiver.settled();
    setTimeout(() => this.look(), pause);
    return undefined;
  }

  messageOf(name) {
    return new Promise((done) => {
      const script = document.createElement("script");
      script.charset = "utf-8";
      this.message = undefined;
      script.onload = script.onerror = () => {
        script.remove();
        done(this.message);
      };
      script.src = `${this.folder}/${name}`;
      document.head.append(script);
    });
  }
}

function readNews(message) {
  const { generation, next, last, beat, patience } = message ?? {};
  return typeof generation === "string" && [next, last, beat, patience].every(Number.isInteger) ? { generation, next, last, beat, patience } : undefined;
}

// model.mjs

const rowLimits = { value: 200, text: 80 };
const mostTitles = 4000;

class Model {
  constructor(about, chosen) {
    const all = parseJSON(about);
    const logs = all.get("logs") ?? [all];
    this.names = logs.map((log) => String(log.get("title") ?? log.get("name") ?? ""));
    const index = Number(chosen ?? all.get("first") ?? 1);
    this.index = logs[index - 1] === undefined ? 1 : index;
    this.about = new Map([...all, ...logs[this.index - 1]]);
    this.news = all.get("live");
    this.isLive = this.news?.get("grows") === true;
    this.log = new Log();
    this.states = new States(this.log);
    this.other = new Log();
    this.otherStates = new States(this.other);
    this.notation = new Notation();
    this.rowNotation = this.notation.limited(rowLimits);
    this.titles = new Map();
    this.differences = new Map();
    this.comparison = this.about.get("other");
    this.alignment = new Alignment(this.comparison);
  }

  get blocks() {
    return this.index === 1 ? ":not([data-log])" : `[data-log="${this.index}"]`;
  }

  forget(step) {
    for (let next = step; next < this.log.stepCount; next += 1) {
      this.titles.delete(next);
      this.states.forget(next);
    }
  }

  isOpen(step) {
    return this.log.hasFlag(step, Flag.unfinished) && !(this.isLive && step === this.log.owner);
  }

  hasFailed(step) {
    return this.log.hasFlag(step, Flag.failed) || this.isOpen(step);
  }

  outlook(step) {
    const { log } = this;
    const [start, end] = log.linesOf(step);
    const prefix = `${log.stepSeqs.values[step]}.`;
    const endings = log.effects.filter(({ id }) => id.startsWith(prefix)).map((effect) => `${effect.end} ${effect.ending}`);
    return [end - start, ...log.ledTo(step, 100), "", ...endings].join(" ");
  }

  get isReplay() {
    return this.comparison?.get("kind") === "replay";
  }

  markDifferences() {
    this.differences.clear();
    const all = [...(this.comparison?.get("differences") ?? [])];
    for (const verdict of this.comparison?.get("verdicts") ?? []) {
      const at = verdict.get("at");
      const isTold = ["identical", "cut", "diverged", "trapReproduced"].includes(verdict.get("verdict"));
      if (at !== undefined && !isTold) all.push(new Map([["seq", at], ["cause", verdict.get("verdict")], ["subject", verdict.get("path") ?? ""], ["message", verdict.get("message") ?? verdict.get("signal")]]));
    }
    for (const difference of all) {
      const seq = Number(literal(difference.get("seq")));
      let step = seq === 0 ? 0 : this.log.stepOfSeq(seq);
      if (step < 0) step = this.log.stepCount - 1;
      this.differ(step).push(difference);
    }
    for (const seq of this.alignment.places) {
      const step = seq === 0 ? 0 : this.log.stepOfSeq(seq);
      this.differ(step < 0 ? this.log.stepCount - 1 : step);
    }
  }

  differ(step) {
    const known = this.differences.get(step) ?? [];
    this.differences.set(step, known);
    this.log.flag(step, Flag.differs);
    return known;
  }

  loneAt(step) {
    return this.alignment.loneAt(step === 0 ? 0 : this.log.stepSeqs.values[step]);
  }

  otherAfter(step) {
    if (this.comparison === undefined) return undefined;
    const seq = this.alignment.otherSeq(this.log.stepSeqs.values[step]);
    if (seq === undefined && step !== 0) return undefined;
    const other = step === 0 ? 0 : this.other.stepOfSeq(seq ?? 0);
    return other < 0 ? undefined : this.alignment.translated(this.otherStates.after(other));
  }

  title(step) {
    const known = this.titles.get(step);
    if (known !== undefined) return known;
    if (this.titles.size > mostTitles) this.titles.clear();
    const text = this.makeTitle(step);
    this.titles.set(step, text);
    return text;
  }

  makeTitle(step) {
    switch (this.log.stepKinds.values[step]) {
      case Kind.start: return "the first state";
      case Kind.action: return this.rowNotation.action(this.log.eventOf(step).get("action") ?? null);
      case Kind.excluded: return excludedTitle;
      case Kind.external: return externalTitle;
      case Kind.withheld: return withheldCases(this.log.eventOf(step).get("cases"));
      case Kind.gap: {
        const event = this.log.eventOf(step);
        return `gap: ${counted(Number(literal(event.get("dropped") ?? 0)), "event")} missing: ${visible(String(event.get("reason") ?? ""))}`;
      }
      case Kind.note: return `note: ${visible(String(this.log.eventOf(step).get("text") ?? ""))}`;
      default: return "";
    }
  }

  operations(step) {
    const line = this.log.stepChanges.values[step];
    return line < 0 ? [] : readPatch(this.log.event(line).get("patch") ?? []);
  }

  changedPlaces(step) {
    if (this.log.hasFlag(step, Flag.unchanged) || this.log.stepChanges.values[step] < 0) return [];
    const text = this.log.line(this.log.stepChanges.values[step]);
    const places = new Set();
    for (const match of text.matchAll(/"op":"[a-z]+","path":"((?:[^"\\]|\\.)*)"/g)) {
      places.add(this.placeText(step, pointerTokens(parseJSON(`"${match[1]}"`))) || "the whole state");
      if (places.size > 40) break;
    }
    return [...places];
  }

  placeText(step, tokens) {
    if (tokens.every((token) => arrayIndex(token) < 0)) return placeText(tokens);
    const first = this.states.after(0);
    const isKnown = tokens.every((token, depth) => arrayIndex(token) < 0 || valueAt(first, tokens.slice(0, depth)) !== undefined);
    return placeText(tokens, undefined, located(isKnown ? first : this.states.before(step), tokens));
  }

  firstOfInterest() {
    const { log } = this;
    const verdict = this.comparison?.get("verdicts")?.[0];
    if (verdict?.get("at") !== undefined && verdict.get("verdict") !== "identical" && verdict.get("verdict") !== "cut") {
      const step = log.stepOfSeq(Number(literal(verdict.get("at"))));
      if (step >= 0) return step;
    }
    let failure = -1;
    for (let step = 0; step < log.stepCount; step += 1) {
      if (log.hasFlag(step, Flag.differs)) return step;
      if (failure < 0 && this.hasFailed(step)) failure = step;
    }
    if (log.stepCount > 0 && this.isOpen(log.owner)) return log.owner;
    return failure >= 0 ? failure : Math.min(1, log.stepCount - 1);
  }
}

// stepview.mjs

const mostChanges = 60;
const mostLinks = 20;
const mostLedTo = 30;
const longestLine = 4000;

const differenceNames = /** @type {Record<string, string>} */ ({
  state: "the state", effects: "the effects", reads: "a read", producedAction: "an action that the reducer sent", action: "the action", origin: "the sender",
  deadEffect: "an effect that is not alive", sequence: "the order of events", schemaDrift: "the members of a type",
  undecodable: "a value cannot be read", notReplayable: "a value was not recorded", opaque: "an opaque value",
  trapped: "the replay trapped, and the recorded app did not", trapGone: "the recorded app trapped, and the replay did not",
});

class StepView {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.pane = part("step");
    this.areLinesOpen = false;
    this.isActionOpen = false;
  }

  show(step, isAgain = false) {
    const { log } = this.model;
    const { scrollTop } = isAgain ? this.pane : { scrollTop: 0 };
    const kind = log.stepKinds.values[step];
    this.pane.replaceChildren(
      this.title(step, kind),
      ...[
        this.differences(step), this.lone(step), this.problem(step), this.change(step, kind), this.causes(step, kind), this.effects(step), this.ledTo(step),
        this.reads(step), this.calls(step), this.turns(step), this.findings(step), this.action(step, kind), this.start(step, kind), this.counterparts(step), this.lines(step),
      ].filter((block) => block !== undefined),
    );
    requestAnimationFrame(() => {
      this.pane.scrollTop = scrollTop;
    });
  }

  block(name, note, ...children) {
    return element("section.block", {}, element("h2", {}, name, ...(note === undefined ? [] : [element("span.dim", {}, note)])), ...children);
  }

  stepLink(step) {
    const { log } = this.model;
    const seq = log.stepKinds.values[step] === Kind.start ? "" : `#${log.stepSeqs.values[step]} `;
    return link(element("span.code", {}, element("span.dim", {}, seq), ...colored(this.model.title(step))), () => this.actions.select(step));
  }

  title(step, kind) {
    const { log, model } = { log: this.model.log, model: this.model };
    const isAction = kind === Kind.action;
    const event = step === 0 ? undefined : log.eventOf(step);
    const text = isAction ? model.notation.action(event?.get("action") ?? null) : model.title(step);
    const facts = [];
    if (event?.has("origin")) facts.push(originText(event.get("origin"), (id) => this.effectName(id)));
    if (kind !== Kind.start) facts.push(timeText(log.stepTimes.values[step]));
    if (log.stepDurations.values[step] >= 0) facts.push(`took ${durationText(log.stepDurations.values[step])}`);
    const otherSeq = isAction && model.alignment.isKnown ? model.alignment.otherSeq(log.stepSeqs.values[step]) : undefined;
    if (otherSeq !== undefined) facts.push(`action ${otherSeq} of ${visible(String(model.comparison?.get("name") ?? "the other log"))}`);
    const cause = log.causeOf(step);
    const first = log.ledTo(step, 1)[0];
    const nav = [];
    if (cause >= 0) nav.push(element("button", { type: "button", title: "[", onclick: () => this.actions.select(cause) }, "↑ cause"));
    if (first !== undefined) nav.push(element("button", { type: "button", title: "]", onclick: () => this.actions.select(first) }, "↓ led to"));
    if (isAction) {
      const path = model.notation.casePath(event?.get("action") ?? null);
      nav.push(element("button", { type: "button", title: "filter by this case", onclick: () => this.actions.toggle(path) }, "≡ all of this case"));
    }
    const name = kind === Kind.start ? "before the first action" : `action ${log.stepSeqs.values[step]}`;
    return element("div.title", {},
      element("h3.code", {}, ...(isAction ? [element("span.dim", {}, `${log.stepSeqs.values[step]}  `)] : []), ...colored(text)),
      element("p", {}, [isAction ? undefined : name, ...facts].filter((fact) => fact).join(" · ")),
      nav.length > 0 ? element("div.nav", {}, ...nav) : undefined);
  }

  differences(step) {
    const { model } = this;
    const differences = model.differences.get(step);
    if (differences === undefined || differences.length === 0) return undefined;
    const names = model.isReplay ? ["recorded", "replayed"] : ["this log", visible(model.comparison.get("name") ?? "the other")];
    const state = model.states.after(step);
    const rows = differences.slice(0, mostChanges).map((difference) => {
      const cause = difference.get("cause");
      const subject = difference.get("subject") ?? "";
      const isPlace = subject.startsWith("/");
      const where = isPlace ? placeText(pointerTokens(subject), state) : cause === "sequence" ? "the next event" : visible(subject + (difference.has("member") ? `/${difference.get("member")}` : ""));
      const place = isPlace && cause === "state"
        ? link(where, () => this.actions.history(pointerTokens(subject)), { title: "show its history" }) : where;
      const parts = [element("div.where", {}, place || differenceNames[cause] || cause)];
      for (const [name, side] of /** @type {["expected", "old"][]} */ ([["expected", "old"], ["actual", "new"]])) {
        if (!difference.has(name)) continue;
        const value = difference.get(name);
        parts.push(cause === "sequence" && typeof value === "string" ? element(`div.${side}`, {}, visible(value)) : this.side(side, value));
      }
      if (!difference.has("expected") && difference.has("actual")) parts.splice(1, 0, element("div.old.dim", {}, "nothing"));
      if (difference.has("expected") && !difference.has("actual")) parts.push(element("div.new.dim", {}, "nothing"));
      if (difference.has("message")) parts.push(element("p", {}, visible(String(difference.get("message")))));
      return element("div", {}, ...parts);
    });
    const causes = [...new Set(differences.map((difference) => differenceNames[difference.get("cause")] ?? difference.get("cause")))];
    const block = this.block(model.isReplay ? "The replay differs" : "The logs differ", `in ${causes.join(", ")}`,
      element("p.legend", {}, `− ${names[0]}   + ${names[1]}`), element("div.diff", {}, ...rows));
    block.classList.add("bad");
    return block;
  }

  lone(step) {
    const { model } = this;
    const all = model.loneAt(step);
    if (all.length === 0) return undefined;
    const other = visible(String(model.comparison?.get("name") ?? "the other log"));
    const rows = all.slice(0, mostChanges).map((one) => {
      const name = one.isOther ? other : "this log";
      const where = one.movedTo === undefined ? `only in ${name}` : `${name}; ${one.isOther ? "this log" : other} has it ${one.isAction ? "as" : "after"} action ${one.movedTo}`;
      const text = one.action === undefined ? [one.title] : colored(`${one.seq}  ${model.notation.action(one.action)}`);
      return element("div", {}, element(one.isOther ? "div.new" : "div.old", {}, ...text), element("p.dim", {}, where));
    });
    const more = all.length > mostChanges ? [element("p.dim", {}, `… and ${all.length - mostChanges} more`)] : [];
    const block = this.block("Without a counterpart here", undefined, element("div.diff", {}, ...rows), ...more);
    block.classList.add("bad");
    return block;
  }

  side(side, value) {
    return element(`div.${side}`, {}, ...colored(this.model.notation.value(value)));
  }

  problem(step) {
    const { model } = this;
    model.states.after(step);
    const problem = model.states.problems.get(step);
    if (problem === undefined) return undefined;
    const block = this.block("The patch does not fit", undefined, element("p", {}, visible(problem)));
    block.classList.add("bad");
    return block;
  }

  change(step, kind) {
    const { model } = this;
    const { log } = model;
    if (!hasChange(kind)) return undefined;
    if (log.hasFlag(step, Flag.unfinished)) {
      const isLast = step === log.owner;
      if (!model.isOpen(step)) return this.block("Change", undefined, element("p.dim", {}, "The app handles this action."));
      const block = this.block("No change", undefined, element("p", {},
        isLast ? "The log ends within this action: the app ended, or was cut off, while the action was handled."
          : "The log has no change of this action: what came of it is missing."));
      block.classList.add("bad");
      return block;
    }
    const state = model.states.before(step);
    model.states.after(step);
    if (model.states.problems.has(step)) return undefined;
    const changes = changesOf(state, model.operations(step), mostChanges + 1);
    if (changes.length === 0) return this.block("Change", undefined, element("p.dim", {}, "The state stayed as it was."));
    const rows = changes.slice(0, mostChanges).map((change) => this.changed(change, state, model.states.after(step)));
    const more = changes.length > mostChanges ? [element("p.dim", {}, "… more changes: see the lines of the log")] : [];
    return this.block("Change", undefined, element("div.diff", {}, ...rows), ...more);
  }

  changed(change, state, after) {
    const { notation } = this.model;
    const text = placeText(change.path, change.after === undefined ? state : after ?? state) || "the whole state";
    const where = element("div.where", {}, link(text, () => this.actions.history(change.path), { title: "show every value it had" }),
      ...(change.at === undefined ? [] : [element("span.dim", {}, `  at byte ${change.at} of the text`)]));
    if (change.from !== undefined) {
      return element("div", {}, where, element("div.move", {}, `${change.isCopy === true ? "copied" : "moved"} from ${placeText(change.from, state)}`));
    }
    const old = change.before === undefined ? undefined : notation.value(change.before);
    const now = change.after === undefined ? undefined : notation.value(change.after);
    if (old !== undefined && now !== undefined && typeof change.before === "string" && typeof change.after === "string") {
      return element("div", {}, where, ...partwise(old, now));
    }
    return element("div", {}, where,
      old === undefined ? undefined : element("div.old", {}, ...colored(old)),
      now === undefined ? undefined : element("div.new", {}, ...colored(now)));
  }

  causes(step, kind) {
    const { log } = this.model;
    if (kind === Kind.start || kind === Kind.gap || kind === Kind.note) return undefined;
    const chain = [step];
    for (let cause = log.causeOf(step); cause >= 0 && chain.length < mostLinks; cause = log.causeOf(cause)) chain.push(cause);
    const last = chain[chain.length - 1];
    if (chain.length === 1 && kind !== Kind.external) return undefined;
    const rows = [];
    if (log.causeOf(last) >= 0) rows.push(element("li.dim", {}, "…"));
    else rows.push(element("li.dim", {}, rootText(log.stepKinds.values[last], log.stepSenders.values[last])));
    for (const link of chain.reverse()) {
      const row = element(link === step ? "li.here" : "li", {}, link === step ? element("span.code", {}, ...colored(this.model.title(link))) : this.stepLink(link));
      const via = this.via(link);
      if (via !== undefined) row.prepend(element("span.dim", {}, `${via} `));
      rows.push(row);
    }
    return this.block("Why", undefined, element("ol.list.chain", {}, ...rows));
  }

  effectName(id) {
    return this.model.log.effectName(id);
  }

  via(step) {
    const { log } = this.model;
    if (log.stepSenders.values[step] <= 0 || log.stepKinds.values[step] === Kind.external) return undefined;
    const origin = log.eventOf(step).get("origin");
    if (!isObject(origin)) return undefined;
    if (!origin.has("effect")) return "→ while it was handled:";
    return `→ ${this.effectName(origin.get("effect"))} sent`;
  }

  ledTo(step) {
    const { log } = this.model;
    const steps = log.ledTo(step, mostLedTo + 1);
    if (steps.length === 0) return undefined;
    const rows = steps.slice(0, mostLedTo).map((next) => element("li", {}, this.stepLink(next),
      element("span.dim", {}, `  ${timeText(log.stepTimes.values[next])}`)));
    if (steps.length > mostLedTo) {
      rows.push(element("li", {}, link("all of them", () => this.actions.toggle(`from:${log.stepSeqs.values[step]}`))));
    }
    return this.block("Led to", steps.length > mostLedTo ? `more than ${mostLedTo} actions` : counted(steps.length, "action"), element("ul.list", {}, ...rows));
  }

  effects(step) {
    const { log, notation } = this.model;
    const line = log.stepChanges.values[step];
    if (line < 0) return undefined;
    const effects = flatEffects(log.event(line).get("effects"));
    if (effects.length === 0) return undefined;
    const isLibrary = (/** @type {Map<string, any>} */ effect) =>
      effect.get("internal") === true || (isObject(effect.get("cancelID")) && effect.get("cancelID").get("type") === "ChildEffects" && !effect.has("id"));
    const own = effects.filter(({ effect }) => !isLibrary(effect));
    const library = effects.length - own.length;
    const rows = own.map(({ effect }) => this.effect(effect, notation));
    if (library > 0) {
      rows.push(element("li", {}, element("details", {}, element("summary", {}, `${counted(library, "group")} of the library`),
        element("ul.list", {}, ...effects.filter(({ effect }) => isLibrary(effect))
          .map(({ effect }) => element("li.code", {}, ...colored(effectTitle(effect, notation))))))));
    }
    return this.block("Effects", undefined, element("ul.list", {}, ...rows));
  }

  effect(effect, notation) {
    const { log } = this.model;
    const title = effectTitle(effect, notation).replace(/^effect /, "");
    const known = log.effectOf(effect.get("id"));
    const facts = [];
    if (known !== undefined) {
      const sent = this.sentBy(known);
      for (const step of sent.slice(0, 5)) facts.push(element("li", {}, element("span.dim", {}, "sent "), this.stepLink(step)));
      if (sent.length > 5) facts.push(element("li", {}, link(`${sent.length - 5} more actions`, () => this.actions.toggle(`effect:${known.id}`))));
      const alive = known.op === "send" ? "not sent in this log" : this.model.isLive ? "still alive" : "still alive at the end of the log";
      const ending = [alive, "finished", "cancelled", "failed"][known.ending];
      facts.push(element("li", {}, element("span.dim", {}, known.ending === Ending.none ? ending : `${ending} after `),
        ...(known.ending === Ending.none ? [] : [this.stepLink(known.end)])));
    }
    const source = effect.has("source") ? [element("div.dim", {}, visible(String(effect.get("source"))))] : [];
    return element("li", {}, element("div.code", {}, ...colored(title)), ...source, element("ul.list.chain", {}, ...facts));
  }

  sentBy(effect) {
    const { log } = this.model;
    const seq = Number.parseInt(effect.id, 10);
    const found = [];
    const end = effect.end < 0 ? log.stepCount - 1 : Math.min(effect.end, log.stepCount - 1);
    for (let step = effect.start + 1; step <= end; step += 1) {
      if (log.stepSenders.values[step] !== seq) continue;
      if (log.line(log.stepLines.values[step]).includes(`"effect":"${effect.id}"`)) found.push(step);
    }
    return found;
  }

  reads(step) {
    const reads = this.model.log.eventsOf(step, Kind.read);
    if (reads.length === 0) return undefined;
    const rows = reads.flatMap((read) => [
      element("span.k", {}, visible(String(read.get("key")))),
      element("span.v", {}, ...colored(this.model.notation.value(read.get("value") ?? null))),
    ]);
    return this.block("Reads", "what the reducer asked its dependencies", element("div.pair", {}, ...rows));
  }

  calls(step) {
    const { log, notation } = this.model;
    const calls = log.eventsOf(step, Kind.call);
    if (calls.length === 0) return undefined;
    const rows = calls.map((call) => {
      const took = call.has("us") ? durationText(Number(literal(call.get("us")))) : "";
      const name = this.effectName(call.get("id"));
      return element("li", {}, element("span.code", {}, ...colored(callText(call, notation))), element("span.dim", {}, ` · ${took} · ${name}`));
    });
    return this.block("Calls", "that effects made", element("ul.list", {}, ...rows));
  }

  turns(step) {
    const { log, notation } = this.model;
    const turns = log.eventsOf(step, Kind.effect);
    if (turns.length === 0) return undefined;
    const nameOf = (/** @type {unknown} */ id) => this.effectName(id);
    const rows = turns.map((turn) => {
      const effect = log.effectOf(turn.get("id"));
      const isCancelled = effect?.ending === Ending.cancelled;
      if (isCancelled && isBareEnd(turn)) return undefined;
      return element("li", {}, element("span.code", {}, `${nameOf(turn.get("id"))} `, ...colored(turnText(turn, notation, nameOf, isCancelled))),
        ...(effect === undefined || effect.start === step ? [] : [element("span.dim", {}, " · started by "), this.stepLink(effect.start)]));
    });
    if (rows.every((row) => row === undefined)) return undefined;
    return this.block("Afterwards", undefined, element("ul.list", {}, ...rows));
  }

  findings(step) {
    const findings = this.model.log.eventsOf(step, Kind.finding);
    if (findings.length === 0) return undefined;
    const rows = findings.map((finding) => element("li", {}, element("span.code", {}, visible(String(finding.get("code")))),
      ` ${visible(String(finding.get("subject") ?? ""))} ${visible(String(finding.get("message") ?? ""))}`));
    return this.block("Findings", undefined, element("ul.list", {}, ...rows));
  }

  action(step, kind) {
    if (kind !== Kind.action) return undefined;
    const action = this.model.log.eventOf(step).get("action") ?? null;
    const text = this.model.notation.limited(noLimits).lines(action);
    if (!text.includes("\n") && text === this.model.notation.action(action)) return undefined;
    return this.block("Action", undefined, long(text));
  }

  start(step, kind) {
    const { model } = this;
    const { header } = model.log;
    if (kind !== Kind.start || header === undefined) return undefined;
    const rows = [];
    for (const [name, value] of header) {
      if (name === "kind" || name === "format") continue;
      rows.push(element("span.k", {}, visible(name)), element("span.v", {}, ...colored(model.notation.value(value))));
    }
    return this.block("Recording", undefined, element("div.pair", {}, ...rows));
  }

  counterparts(step) {
    const { log, model } = { log: this.model.log, model: this.model };
    const [start, end] = log.linesOf(step);
    let text = "";
    for (let line = start; line < Math.min(end, start + 200) && model.alignment.otherIds.size > 0; line += 1) text += `${log.line(line)}\n`;
    const pairs = model.alignment.counterparts(text);
    if (pairs.length === 0) return undefined;
    const rows = pairs.flatMap(([own, other]) => [element("span.k", {}, own), element("span.v", {}, other)]);
    return this.block("Ids and dates", `in ${visible(String(model.comparison?.get("name") ?? "the other log"))}`, element("div.pair", {}, ...rows));
  }

  lines(step) {
    const { log, about } = this.model;
    const [start, end] = log.linesOf(step);
    const details = element("details", { open: this.areLinesOpen }, element("summary", {}, counted(end - start, "line")));
    const fill = () => {
      if (details.querySelector(".raw") !== null) return;
      const header = Number(literal(about.get("headerLine") ?? 1));
      const first = Number(literal(about.get("firstLine") ?? header + 2));
      const rows = [];
      for (let line = start; line < Math.min(end, start + 200); line += 1) {
        const text = log.line(line);
        const shown = visible(text, { quote: "\u0001", escapesBackslash: false });
        rows.push(element("span.number", {}, String(line < 2 ? header + line : first + line - 2)), long(shown, "span.l"));
      }
      details.append(element("div.raw", {}, ...rows));
    };
    if (this.areLinesOpen) fill();
    details.addEventListener("toggle", () => {
      this.areLinesOpen = details.open;
      if (details.open) fill();
    });
    return this.block("In the log", undefined, details);
  }
}

function long(text, tag = "pre.value") {
  if (text.length <= longestLine) return element(tag, {}, ...colored(text));
  const made = element(tag, {}, ...colored(text.slice(0, longestLine / 2)));
  const more = link(` … show all ${text.length.toLocaleString("en-US")} characters`, () => made.replaceChildren(text));
  made.append(more);
  return made;
}

function partwise(old, now) {
  const [a, b] = [[...old], [...now]];
  let start = 0;
  while (start < Math.min(a.length, b.length) - 1 && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start - 1 && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const side = (/** @type {string} */ name, /** @type {string[]} */ text) => element(`div.${name}`, {},
    text.slice(0, start).join(""), element("span.part", {}, text.slice(start, text.length - end).join("")), text.slice(text.length - end).join(""));
  return [side("old", a), side("new", b)];
}

function rootText(kind, sender) {
  if (kind === Kind.external) return "something else than an action of the feature";
  return sender === 0 ? "the view" : sender === -1 ? "an effect of a reducer around the feature" : "something before this log";
}

// timeline.mjs

const laneHeight = 17;
const mostLanes = 7;
const mostListed = 5;
const windowSteps = 90;

function assignLanes(model, from, to) {
  const bars = [];
  const ends = [];
  let hidden = 0;
  const last = model.log.stepCount - 1;
  model.log.effects.forEach((effect, index) => {
    const end = effect.end < 0 ? last : effect.end;
    const isNothing = effect.op === "cancel" || (effect.op === "send" && effect.end < 0);
    if (isNothing || effect.start > to || end < from) return;
    let lane = ends.findIndex((other) => other < effect.start);
    if (lane < 0) lane = ends.length;
    if (lane >= mostLanes) {
      hidden += 1;
      return;
    }
    ends[lane] = end;
    bars.push({ lane, index, start: effect.start, end });
  });
  return { bars, laneCount: ends.length, hidden };
}

function stepPositions(times, count) {
  const positions = new Float32Array(count);
  let first = NaN;
  let lastTime = 0;
  for (let step = 1; step < count; step += 1) {
    if (!Number.isFinite(times[step])) continue;
    if (Number.isNaN(first)) first = times[step];
    lastTime = Math.max(lastTime, times[step]);
  }
  const span = Math.max(lastTime - first, 1);
  let time = first;
  for (let step = 0; step < count; step += 1) {
    if (Number.isFinite(times[step]) && times[step] > time) time = times[step];
    const share = Number.isNaN(first) ? step / Math.max(count - 1, 1) : Math.max(0, time - first) / span;
    positions[step] = 0.5 * (step / Math.max(count - 1, 1)) + 0.5 * share;
  }
  return positions;
}

function listed(words) {
  return words.length > mostListed ? `${words.slice(0, mostListed).join(", ")} and ${words.length - mostListed} more` : words.join(", ");
}

class Timeline {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.scrubber = part("scrubber");
    this.lanes = part("lanes");
    this.tip = part("tip");
    this.selected = 0;
    this.asked = windowSteps;
    this.windowSize = 1;
    this.windowStart = 0;
    this.positions = new Float32Array(0);
    this.layout = { bars: [], laneCount: 0, hidden: 0 };
    this.drawn = undefined;
    this.width = this.scrubber.clientWidth;
    this.isDue = false;
    this.listen();
  }

  listen() {
    const { scrubber, lanes } = this;
    const seek = (/** @type {PointerEvent} */ event) => this.actions.select(this.stepAt(event.offsetX));
    scrubber.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      scrubber.setPointerCapture(event.pointerId);
      seek(event);
    });
    scrubber.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (event.buttons === 1) seek(event);
      this.showTip(event, this.describe(this.stepAt(event.offsetX)));
    });
    scrubber.addEventListener("pointerleave", () => this.hideTip());
    lanes.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.showTip(event, this.describeLane(event)));
    lanes.addEventListener("pointerleave", () => this.hideTip());
    lanes.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const bar = this.barAt(event.offsetX, event.offsetY);
      this.actions.select(bar === undefined ? this.laneStepAt(event.offsetX) : this.model.log.effects[bar.index].start);
    });
    lanes.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      const { stepCount } = this.model.log;
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        this.windowStart += Math.sign(event.deltaX) * Math.max(1, Math.round(this.windowSize / 20));
      } else {
        const step = this.laneStepAt(event.offsetX);
        const size = Math.min(Math.max(Math.round(this.windowSize * (event.deltaY > 0 ? 1.25 : 0.8)), 10), Math.min(stepCount, 2000));
        this.windowStart = Math.round(step - (size * (step - this.windowStart)) / this.windowSize);
        this.asked = size;
      }
      this.clampWindow();
      this.draw();
    }, { passive: false });
    new ResizeObserver(() => {
      this.width = scrubber.clientWidth;
      this.draw();
    }).observe(scrubber);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.drawn = undefined;
      this.draw();
    });
  }

  measure() {
    this.positions = stepPositions(this.model.log.stepTimes.values, this.model.log.stepCount);
    this.drawn = undefined;
    this.clampWindow();
    this.draw();
  }

  clampWindow() {
    const { stepCount } = this.model.log;
    this.windowSize = Math.max(Math.min(this.asked, stepCount), 1);
    this.windowStart = Math.min(Math.max(this.windowStart, 0), Math.max(stepCount - this.windowSize, 0));
  }

  select(step) {
    this.selected = step;
    const margin = Math.floor(this.windowSize / 8);
    if (step < this.windowStart + margin || step >= this.windowStart + this.windowSize - margin) {
      this.windowStart = step - Math.floor(this.windowSize / 2);
      this.clampWindow();
    }
    const { scrubber } = this;
    scrubber.setAttribute("aria-valuemax", String(this.model.log.stepCount - 1));
    scrubber.setAttribute("aria-valuenow", String(step));
    scrubber.setAttribute("aria-valuetext", this.describe(step));
    this.draw();
  }

  stepAt(x) {
    const position = x / Math.max(this.width, 1);
    let low = 0;
    let high = this.positions.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.positions[middle] < position) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && position - this.positions[low - 1] < this.positions[low] - position) low -= 1;
    return Math.max(low, 0);
  }

  laneX(step) {
    return ((step - this.windowStart + 0.5) * this.width) / this.windowSize;
  }

  laneStepAt(x) {
    const step = this.windowStart + Math.floor((x * this.windowSize) / Math.max(this.width, 1));
    return Math.min(Math.max(step, 0), this.model.log.stepCount - 1);
  }

  barAt(x, y) {
    const lane = Math.floor((y - laneHeight) / laneHeight);
    if (y < laneHeight) return undefined;
    return this.layout.bars.find((bar) => bar.lane === lane && x >= this.laneX(bar.start) - 5 && x <= this.laneX(bar.end) + 7);
  }

  describe(step) {
    const { log } = this.model;
    if (step >= log.stepCount) return "";
    const seq = log.stepSeqs.values[step];
    return `${log.stepKinds.values[step] === Kind.action ? `${seq}  ` : ""}${this.model.title(step)}  ${timeText(log.stepTimes.values[step])}`;
  }

  describeLane(event) {
    const bar = this.barAt(event.offsetX, event.offsetY);
    if (bar === undefined) return this.describe(this.laneStepAt(event.offsetX));
    const { log } = this.model;
    const effect = log.effects[bar.index];
    const seq = (/** @type {number} */ step) => log.stepSeqs.values[step];
    const lines = [log.effectName(effect.id), `started by action ${seq(effect.start)}`];
    const sent = this.sends(effect, bar).map(seq);
    if (sent.length > 0) lines.push(`sent ${listed(sent.map((number) => `action ${number}`))}`);
    if (effect.calls.length > 0) lines.push(`called ${listed(this.callsOf(effect))}`);
    if (effect.ending !== Ending.none) lines.push(this.endingOf(effect));
    else lines.push(this.model.isLive ? "alive" : "alive at the end of the log");
    return lines.join("\n");
  }

  callsOf(effect) {
    const { log } = this.model;
    const steps = [...new Set(effect.calls)].slice(0, 50);
    const calls = steps.flatMap((step) => log.eventsOf(step, Kind.call)).filter((call) => call.get("id") === effect.id);
    return [...new Set(calls.map((call) => visible(String(call.get("key")))))];
  }

  endingOf(effect) {
    const { log, notation } = this.model;
    const name = ["", "finished", "cancelled", "failed"][effect.ending];
    const text = `${name} after action ${log.stepSeqs.values[effect.end]}`;
    if (effect.ending === Ending.finished) return text;
    const turn = log.eventsOf(effect.end, Kind.effect).find((found) => found.get("id") === effect.id && found.get("event") === name);
    return turn === undefined ? text : effect.ending === Ending.cancelled ? turnText(turn, notation, (id) => log.effectName(id)) : `${text}:${turnText(turn, notation).slice(name.length)}`;
  }

  showTip(event, text) {
    if (text === "") return this.hideTip();
    const { tip } = this;
    tip.textContent = text;
    tip.hidden = false;
    const section = /** @type {HTMLElement} */ (event.currentTarget);
    const x = section.offsetLeft + event.offsetX;
    tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${section.offsetTop + event.offsetY + 16}px`;
    return undefined;
  }

  hideTip() {
    this.tip.hidden = true;
  }

  draw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.drawNow();
    });
  }

  drawNow() {
    if (this.model.log.stepCount === 0) return;
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    this.drawScrubber(color);
    this.drawLanes(color);
  }

  context(canvas, height) {
    const scale = devicePixelRatio || 1;
    const { width } = this;
    const [columns, rows] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width };
  }

  density(color, width, height) {
    if (this.drawn !== undefined && this.drawn.dataset.width === String(width)) return this.drawn;
    const canvas = document.createElement("canvas");
    canvas.dataset.width = String(width);
    const scale = devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.scale(scale, scale);
    const { log } = this.model;
    const counts = new Float32Array(Math.ceil(width / 3) + 1);
    const marks = new Map();
    const flags = log.stepFlags.values;
    const senders = log.stepSenders.values;
    const fromView = new Float32Array(counts.length);
    for (let step = 1; step < this.positions.length; step += 1) {
      const bin = Math.floor((this.positions[step] * (width - 3)) / 3);
      counts[bin] += 1;
      if (senders[step] <= 0) fromView[bin] += 1;
      const mark = (flags[step] & Flag.differs) !== 0 || this.model.isOpen(step) ? 2 : (flags[step] & Flag.failed) !== 0 ? 1 : 0;
      if (mark > (marks.get(bin) ?? 0)) marks.set(bin, mark);
    }
    const most = Math.max(...counts, 1);
    for (let bin = 0; bin < counts.length; bin += 1) {
      if (counts[bin] === 0) continue;
      const tall = 4 + (height - 12) * Math.sqrt(counts[bin] / most);
      const own = tall * (fromView[bin] / counts[bin]);
      context.fillStyle = color("effect-run");
      context.fillRect(bin * 3, height - tall, 2, tall - own);
      context.fillStyle = color("density");
      context.fillRect(bin * 3, height - own, 2, own);
    }
    for (const [bin, mark] of marks) {
      context.fillStyle = color(mark === 2 ? "effect-failed" : "effect-cancelled");
      context.fillRect(bin * 3 - 0.5, 0, 3, mark === 2 ? height : 6);
    }
    return (this.drawn = canvas);
  }

  drawScrubber(color) {
    const height = 34;
    const { context, width } = this.context(this.scrubber, height);
    const x = (/** @type {number} */ step) => (this.positions[step] ?? 0) * (width - 3);
    const from = x(this.windowStart);
    const to = x(Math.min(this.windowStart + this.windowSize, this.positions.length) - 1);
    if (this.windowSize < this.positions.length) {
      context.fillStyle = color("accent-soft");
      context.fillRect(from, 0, Math.max(to - from, 3), height);
    }
    context.drawImage(this.density(color, width, height), 0, 0, width, height);
    context.fillStyle = color("accent");
    context.fillRect(x(this.selected), 0, 2, height);
    context.beginPath();
    context.moveTo(x(this.selected) - 4, 0);
    context.lineTo(x(this.selected) + 6, 0);
    context.lineTo(x(this.selected) + 1, 6);
    context.fill();
  }

  drawLanes(color) {
    const { log } = this.model;
    const end = Math.min(this.windowStart + this.windowSize, log.stepCount);
    this.layout = assignLanes(this.model, this.windowStart, end - 1);
    const height = (this.layout.laneCount + 1) * laneHeight + (this.layout.hidden > 0 ? 12 : 2);
    if (this.lanes.style.height !== `${height}px`) this.lanes.style.height = `${height}px`;
    const { context, width } = this.context(this.lanes, height);
    const middle = laneHeight / 2;
    context.fillStyle = color("accent-soft");
    const room = width / this.windowSize;
    context.fillRect(this.laneX(this.selected) - Math.max(room / 2, 2), 0, Math.max(room, 4), height);
    context.strokeStyle = color("line");
    context.beginPath();
    context.moveTo(0, middle + 0.5);
    context.lineTo(width, middle + 0.5);
    context.stroke();
    this.drawSteps(context, color, end, Math.min(Math.max(room / 2 - 1, 1.5), 5));
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const bar of this.layout.bars) this.drawBar(context, color, bar);
    if (this.layout.hidden > 0) {
      context.fillStyle = color("dim");
      context.fillText(`${this.layout.hidden} more effects`, 4, height - 6);
    }
    const words = this.layout.bars.slice(0, 20).map((bar) => log.effects[bar.index].label || "effect").join(", ");
    this.lanes.setAttribute("aria-label", this.layout.bars.length === 0 ? "No effects here" : `Effects here: ${words}`);
  }

  drawSteps(context, color, end, radius) {
    const { log } = this.model;
    for (let step = Math.max(this.windowStart, 1); step < end; step += 1) {
      const kind = log.stepKinds.values[step];
      const isBad = log.hasFlag(step, Flag.differs) || this.model.isOpen(step) || kind === Kind.gap;
      const isOwn = log.stepSenders.values[step] <= 0;
      if (log.hasFlag(step, Flag.unfinished) && !isBad) {
        context.strokeStyle = color("accent");
        context.lineWidth = 2;
        context.beginPath();
        context.arc(this.laneX(step), laneHeight / 2, radius, 0, 2 * Math.PI);
        context.stroke();
        context.lineWidth = 1;
        continue;
      }
      context.fillStyle = color(isBad ? "effect-failed" : log.hasFlag(step, Flag.failed) ? "effect-cancelled" : isOwn ? "ink" : "effect-run");
      context.beginPath();
      context.arc(this.laneX(step), laneHeight / 2, isBad ? radius + 1 : isOwn ? radius : radius * 0.8, 0, 2 * Math.PI);
      context.fill();
    }
  }

  drawBar(context, color, bar) {
    const { log } = this.model;
    const effect = log.effects[bar.index];
    const y = (bar.lane + 1) * laneHeight + 2;
    const tall = laneHeight - 4;
    const from = this.laneX(bar.start);
    const to = Math.max(this.laneX(bar.end), from + 5);
    const names = ["effect-run", "effect-done", "effect-cancelled", "effect-failed"];
    context.fillStyle = color(names[effect.ending]);
    context.globalAlpha = 0.5;
    context.beginPath();
    const rect = /** @type {any} */ (context).roundRect ?? context.rect;
    rect.call(context, from, y, to - from, tall, 3);
    context.fill();
    context.globalAlpha = 1;
    context.fillRect(from, y, 2, tall);
    context.fillStyle = color("ink");
    for (const step of this.sends(effect, bar)) context.fillRect(this.laneX(step) - 1, y, 2, tall);
    context.fillStyle = color("paper");
    for (const step of effect.calls) {
      context.beginPath();
      context.arc(this.laneX(step) + 6, y + tall / 2, 3, 0, 2 * Math.PI);
      context.fill();
      context.strokeStyle = color("ink");
      context.stroke();
    }
    if (effect.ending === Ending.cancelled || effect.ending === Ending.failed) {
      context.strokeStyle = color(names[effect.ending]);
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(to - 1, y + 2);
      context.lineTo(to + 7, y + tall - 2);
      context.moveTo(to + 7, y + 2);
      context.lineTo(to - 1, y + tall - 2);
      context.stroke();
      context.lineWidth = 1;
    }
    const shown = Math.max(from, 0);
    const room = Math.min(to, this.width) - shown - 10;
    if (room > 18) {
      context.save();
      context.beginPath();
      context.rect(shown + 5, y, room, tall);
      context.clip();
      context.fillStyle = color("ink");
      const start = from === shown && effect.calls.includes(bar.start) ? 12 : 5;
      context.fillText(effect.label || (effect.op === "send" ? "send" : "effect"), shown + start, y + tall / 2 + 0.5);
      context.restore();
    }
  }

  sends(effect, bar) {
    const { log } = this.model;
    const seq = Number.parseInt(effect.id, 10);
    const found = [];
    const last = Math.min(bar.end, this.windowStart + this.windowSize, log.stepCount - 1);
    for (let step = Math.max(bar.start, this.windowStart); step <= last; step += 1) {
      if (log.stepSenders.values[step] !== seq) continue;
      if (log.line(log.stepLines.values[step]).includes(`"effect":"${effect.id}"`)) found.push(step);
    }
    return found;
  }
}

// treeview.mjs

const foldedLimits = { value: 90, text: 60 };
const leafLimits = { value: 600, text: 300 };
const mostShown = 60;
const firstShown = 20;

function unfolded(value) {
  const tokens = [];
  let label = "";
  let inner = value;
  for (;;) {
    const found = enumCase(inner);
    const payload = found === undefined ? undefined : only(found.payload, "_0");
    const row = stackElement(inner);
    if (found !== undefined && payload !== undefined) {
      label += `.${found.name}`;
      tokens.push(found.name, "_0");
      inner = payload;
    } else if (row !== undefined) {
      tokens.push("element");
      inner = row[1];
    } else {
      return { tokens, label, inner };
    }
  }
}

function isContainer(value) {
  if (Array.isArray(value)) return value.length > 0;
  if (!isObject(value) || value.size === 0) return false;
  const [name, member] = value.entries().next().value ?? ["", null];
  if (name.startsWith("$") && !name.startsWith("$$")) return false;
  return value.size > 1 || !isObject(member) || member.size > 0;
}

class Tree {
  constructor(before, after, folds, wholes, marks) {
    this.folds = folds;
    this.wholes = wholes;
    this.marks = marks;
    this.nodes = [];
    this.parts(before, after, [], 0);
  }

  parts(before, after, tokens, level) {
    const parts = this.partsOf(before, after);
    const container = after === undefined ? before : after;
    const isWhole = parts.length <= mostShown || this.wholes.has(pointerText(tokens));
    let passed = 0;
    const pass = () => {
      if (passed === 0) return;
      const more = `… ${counted(passed, "more row")}`;
      this.nodes.push({ tokens, key: "", level, before: undefined, after: undefined, change: "", count: 0, label: "", more });
      passed = 0;
    };
    parts.forEach((part, index) => {
      const isChanged = this.marks && !isUnchanged(part.before, part.after);
      if (!isWhole && index >= firstShown && index < parts.length - 1 && !isChanged) {
        passed += 1;
        return;
      }
      pass();
      this.part(part, container, [...tokens, part.token], level, isChanged);
    });
    pass();
  }

  partsOf(before, after) {
    if (before !== undefined && after !== undefined) {
      const aligned = alignedParts(before, after);
      if (aligned !== undefined) return aligned;
    }
    const value = after === undefined ? before : after;
    const entries = Array.isArray(value) ? value.map((element, index) => [String(index), element]) : isObject(value) ? [...value] : [];
    return entries.map(([token, element]) => ({ token, before: after === undefined ? element : before === undefined ? undefined : element, after: after === undefined ? undefined : element }));
  }

  part(part, container, tokens, level, isChanged) {
    const shown = part.after === undefined ? part.before : part.after;
    const now = unfolded(shown);
    const old = part.before === undefined || part.after === undefined ? now : unfolded(part.before);
    const isSameCase = old.tokens.join("/") === now.tokens.join("/");
    const hasParts = isContainer(now.inner) && isSameCase && (part.before === undefined || part.after === undefined || isContainer(old.inner))
      && (part.before === undefined || part.after === undefined || alignedParts(old.inner, now.inner) !== undefined);
    let change = "";
    if (isChanged && this.marks) change = part.before === undefined ? "added" : part.after === undefined ? "removed" : hasParts ? "inside" : "changed";
    const pointer = pointerText(tokens);
    const isOpen = hasParts ? this.folds.get(pointer) ?? (change === "inside" || (level === 0 && sizeOf(now.inner) <= 8)) : undefined;
    this.nodes.push({
      tokens: [...tokens, ...(hasParts ? now.tokens : [])], key: keyText(part.token, shown, container), level, before: part.before, after: part.after,
      change, isOpen, count: sizeOf(now.inner), label: now.label,
    });
    if (isOpen !== true) return;
    const before = part.before === undefined ? undefined : old.inner;
    const after = part.after === undefined ? undefined : now.inner;
    this.parts(before, after, [...tokens, ...now.tokens], level + 1);
  }
}

function sizeOf(value) {
  return Array.isArray(value) ? value.length : isObject(value) ? value.size : 0;
}

function isUnchanged(before, after) {
  if (before === after) return true;
  return before !== undefined && after !== undefined && equalJSON(before, after);
}

function keyText(token, value, container) {
  const row = stackElement(value);
  if (row !== undefined && Array.isArray(container)) return `[#${row[0]}]`;
  return stepText(token, container);
}

class TreeView {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.tree = part("tree");
    this.modes = part("statemode");
    this.mode = "both";
    this.isModeChosen = false;
    this.folds = new Map();
    this.wholes = new Set();
    this.step = -1;
    this.at = 0;
    this.nodes = [];
    this.pointers = [];
    this.folded = model.notation.limited(foldedLimits);
    this.leaf = model.notation.limited(leafLimits);
    this.listen();
  }

  listen() {
    this.modes.addEventListener("click", (/** @type {any} */ event) => {
      const button = event.target.closest("[data-mode]");
      if (button === null) return;
      this.mode = button.dataset.mode;
      this.isModeChosen = true;
      this.draw();
    });
    part("expand").addEventListener("click", () => this.toggleAll());
    this.tree.addEventListener("click", (/** @type {any} */ event) => {
      const row = event.target.closest(".node");
      if (row === null) return;
      this.at = Number(row.dataset.index);
      this.activate(event.target.closest(".open") !== null);
    });
    this.tree.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
  }

  key(event) {
    const node = this.nodes[this.at];
    switch (event.key) {
      case "ArrowDown": this.move(1); break;
      case "ArrowUp": this.move(-1); break;
      case "ArrowRight":
        if (node?.isOpen === false) this.fold(node, true);
        else this.move(1);
        break;
      case "ArrowLeft":
        if (node?.isOpen === true) this.fold(node, false);
        else this.moveOut();
        break;
      case "Enter": this.activate(false); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  move(by) {
    this.at = Math.min(Math.max(this.at + by, 0), this.nodes.length - 1);
    this.mark();
  }

  moveOut() {
    const level = this.nodes[this.at]?.level ?? 0;
    while (this.at > 0 && this.nodes[this.at].level >= level) this.at -= 1;
    this.mark();
  }

  mark() {
    this.tree.querySelector(".at")?.classList.remove("at");
    const row = this.tree.children[this.at];
    if (row === undefined) return;
    row.classList.add("at");
    row.scrollIntoView({ block: "nearest" });
    this.tree.setAttribute("aria-activedescendant", row.id);
  }

  activate(isFold) {
    const node = this.nodes[this.at];
    if (node === undefined) return;
    if (node.more !== undefined) {
      this.wholes.add(pointerText(node.tokens));
      this.draw();
    } else if (node.isOpen !== undefined) {
      this.fold(node, !node.isOpen);
    } else if (!isFold) {
      this.mark();
      this.actions.history(node.tokens);
    }
  }

  fold(node, isOpen) {
    const index = this.nodes.indexOf(node);
    this.folds.set(this.pointers[index], isOpen);
    this.draw();
  }

  toggleAll() {
    const closed = this.nodes.some((node) => node.isOpen === false);
    this.folds.clear();
    for (let round = 0; round < (closed ? 8 : 1); round += 1) {
      this.build();
      if (this.nodes.length > 4000) break;
      this.nodes.forEach((node, index) => {
        if (node.isOpen !== undefined) this.folds.set(this.pointers[index], closed);
      });
    }
    this.draw();
  }

  get focusedPath() {
    const node = this.nodes[this.at];
    const isFocused = document.activeElement === this.tree || node?.change === "changed" || node?.change === "added";
    const found = isFocused && node?.more === undefined ? node : undefined;
    return (found ?? this.nodes.find((other) => other.change === "changed" || other.change === "added"))?.tokens;
  }

  show(step) {
    this.step = step;
    const differs = this.model.comparison !== undefined && this.model.differences.get(step)?.some((difference) => difference.get("cause") === "state");
    if (!this.isModeChosen) this.mode = differs === true ? "other" : "both";
    this.at = 0;
    this.draw();
    const first = this.nodes.findIndex((node) => node.change === "changed" || node.change === "added" || node.change === "removed");
    if (first >= 0) this.at = first;
    requestAnimationFrame(() => {
      const row = this.tree.children[Math.max(first, 0)];
      if (row === undefined || step !== this.step) return;
      const place = row.offsetTop - this.tree.offsetTop;
      const isSeen = place >= this.tree.scrollTop && place < this.tree.scrollTop + this.tree.clientHeight - 40;
      if (!isSeen) this.tree.scrollTop = Math.max(place - this.tree.clientHeight / 3, 0);
    });
  }

  sides() {
    const { model, step } = this;
    const after = model.states.after(step);
    switch (this.mode) {
      case "before": return { before: model.states.before(step), after: model.states.before(step), marks: false };
      case "after": return { before: after, after, marks: false };
      case "other": return { before: after, after: model.otherAfter(step), marks: true };
      default: return { before: step === 0 ? after : model.states.before(step) ?? after, after: after ?? model.states.before(step), marks: true };
    }
  }

  build() {
    const { before, after, marks } = this.sides();
    if (before === undefined && after === undefined) {
      this.nodes = [];
      this.pointers = [];
      return;
    }
    const isLeaf = !isContainer(after === undefined ? before : after);
    const root = isLeaf ? [new Map([["state", before]]), new Map([["state", after]])] : [before, after];
    this.nodes = new Tree(root[0], root[1], this.folds, this.wholes, marks).nodes;
    if (isLeaf) for (const node of this.nodes) node.tokens = [];
    this.pointers = this.nodes.map((node) => pointerText(this.placeOf(node)));
  }

  placeOf(node) {
    if (node.isOpen === undefined) return node.tokens;
    const inner = unfolded(node.after === undefined ? node.before : node.after);
    return node.tokens.slice(0, node.tokens.length - inner.tokens.length);
  }

  draw() {
    this.build();
    for (const button of this.modes.children) {
      const mode = button.getAttribute("data-mode");
      button.setAttribute("aria-checked", String(mode === this.mode));
      if (mode === "other") {
        button.hidden = this.model.comparison === undefined;
        button.textContent = this.model.isReplay ? "Replay" : "Other log";
      }
    }
    const rows = this.nodes.map((node, index) => this.row(node, index));
    const sides = part("sides");
    sides.hidden = this.mode !== "other" || rows.length === 0;
    sides.textContent = this.model.isReplay ? "recorded → replayed" : `this log → ${visible(String(this.model.comparison?.get("name") ?? "the other"))}`;
    if (rows.length === 0) {
      rows.push(element("p.empty", {}, this.model.log.stepCount === 0 ? "The log holds no state." : this.mode === "before" && this.step === 0 ? "Nothing is known before the first state."
        : this.mode === "other" ? "The other side has no such action." : "The log does not say what the state is here."));
    }
    this.tree.replaceChildren(...rows);
    this.tree.children[this.at]?.classList.add("at");
  }

  row(node, index) {
    const attributes = {
      id: `node-${index}`, role: "treeitem", "data-index": index, "aria-level": node.level + 1,
      "aria-expanded": node.isOpen === undefined ? undefined : String(node.isOpen),
    };
    if (node.more !== undefined) {
      const made = element("div.node", attributes, element("span.open", {}), element("span.dim", {}, node.more));
      made.style.setProperty("--level", String(node.level));
      return made;
    }
    const classes = ["node", node.change, node.isOpen === undefined ? "leaf" : "", node.isOpen === false ? "folded" : ""].filter((name) => name !== "");
    const label = node.isOpen === true ? element("span.dim", {}, `${node.label} `, counted(node.count, Array.isArray(unfolded(node.after ?? node.before).inner) ? "element" : "member")) : undefined;
    const made = element(`div.${classes.join(".")}`, attributes,
      element("span.open", {}, node.isOpen === undefined ? "" : node.isOpen ? "▼" : "▶"),
      element("span.key", {}, node.key),
      label ?? this.value(node));
    made.style.setProperty("--level", String(node.level));
    return made;
  }

  value(node) {
    const notation = node.isOpen === false ? this.folded : this.leaf;
    if (node.change === "changed") {
      return element("span.val", {}, element("span.was", {}, ...colored(notation.value(node.before))), element("span.arrow", {}, " → "),
        element("span", {}, ...colored(notation.value(node.after))));
    }
    const text = element("span.val", {}, ...colored(notation.value(node.after === undefined ? node.before : node.after)));
    if (node.change === "removed") text.classList.add("was");
    return text;
  }
}

// main.mjs

const slice = 12;
const playInterval = 450;
const mostPrinted = 5000;

class Page {
  constructor() {
    this.model = new Model(part("about").textContent ?? "{}", new URLSearchParams(location.hash.slice(1)).get("l"));
    const select = (/** @type {number} */ step) => this.select(step);
    const toggle = (/** @type {string} */ word) => this.setQuery(toggledQuery(this.query, word));
    const history = (/** @type {string[]} */ path) => this.showHistory(path);
    this.toggle = toggle;
    this.list = new ListView(this.model, { select, toggle });
    this.timeline = new Timeline(this.model, { select });
    this.stepView = new StepView(this.model, { select, history, toggle });
    this.treeView = new TreeView(this.model, { history });
    this.historyView = new HistoryView(this.model, { select, toggle, closed: () => this.writePlace() });
    this.filter = new Filter("", this.model);
    this.query = "";
    this.selected = -1;
    this.taken = { log: 0, other: 0 };
    this.player = 0;
    this.isComplete = false;
    this.growth = undefined;
    this.walk = { from: -1, index: 0 };
    this.listen();
    this.load();
  }

  load() {
    const isRead = document.readyState !== "loading";
    this.take("log", this.model.log, isRead);
    this.take("other", this.model.other, isRead);
    const end = performance.now() + slice;
    const isDue = () => performance.now() > end;
    this.model.log.index(isDue);
    if (this.model.log.isIndexed) this.model.other.index(isDue);
    const isDone = isRead && this.model.log.isIndexed && this.model.other.isIndexed;
    if (this.model.log.stepCount > 0 && (this.selected < 0 || isDone)) this.refresh();
    if (isDone) this.complete();
    else setTimeout(() => this.load());
  }

  take(name, log, isRead) {
    const blocks = document.querySelectorAll(`script[type="application/x-tca-replay-${name}"]${this.model.blocks}`);
    const whole = isRead ? blocks.length : blocks.length - 1;
    for (; this.taken[name] < whole; this.taken[name] += 1) {
      const block = blocks[this.taken[name]];
      log.append(block.textContent ?? "");
    }
  }

  refresh() {
    showHead(this.model);
    this.list.show(this.filter);
    this.timeline.measure();
    if (this.model.log.stepCount === 0) this.treeView.draw();
    else if (this.selected < 0) this.select(0, false);
  }

  complete() {
    this.isComplete = true;
    this.model.markDifferences();
    showLogs(this.model, (index) => this.chooseLog(index));
    const place = new URLSearchParams(location.hash.slice(1));
    this.query = place.get("q") ?? "";
    part("query").value = this.query;
    this.filter = new Filter(this.query, this.model);
    showBanner(this.model, (step) => this.select(step));
    this.refresh();
    this.runFilter();
    this.followPlace(place);
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
    this.listenToNews();
  }

  listenToNews() {
    const { news, isLive } = this.model;
    if (news === undefined) return;
    const mark = part("live");
    mark.hidden = false;
    if (isLive) mark.addEventListener("click", () => this.select(this.lastStep));
    else this.markReloading();
    this.showLive();
    const feed = new Feed(news, {
      lines: (text) => this.grow(text),
      settled: () => this.settle(),
      replaced: () => location.reload(),
      silent: () => this.stopNews("no longer followed", "the command that writes the page gives no sign: it was stopped, or killed"),
      resumed: () => this.resumeNews(),
      ended: () => this.stopNews("no longer live", "the command that wrote the page has ended"),
    });
    feed.start();
  }

  grow(text) {
    const { log } = this.model;
    this.growth ??= { from: Math.max(log.owner, 0), wasAtEnd: this.isAtEnd, wasDown: this.list.isDown, outlook: this.model.outlook(this.selected) };
    log.append(text);
    log.index(() => false);
    this.model.forget(this.growth.from);
  }

  settle() {
    const { growth, model } = this;
    if (growth === undefined) return;
    this.growth = undefined;
    this.filter.forget(growth.from);
    this.filter.run(() => false);
    this.list.forget(growth.from);
    showHead(model);
    showBanner(model, (step) => this.select(step));
    showQuick(model, this.toggle, this.query);
    this.showHits();
    this.list.measure();
    this.list.draw();
    this.timeline.measure();
    if (growth.wasAtEnd) this.select(this.lastStep);
    else if (this.selected >= growth.from) this.select(this.selected, false);
    else if (model.outlook(this.selected) !== growth.outlook) this.stepView.show(this.selected, true);
    if (growth.wasDown && !growth.wasAtEnd) this.list.top = this.filter.count;
    if (this.historyView.isOpen) this.historyView.refresh(this.selected);
    this.showLive();
  }

  stopNews(text, title) {
    this.setLive(false);
    const mark = part("live");
    mark.textContent = text;
    mark.title = title;
    mark.className = "ended";
    mark.disabled = true;
  }

  resumeNews() {
    const mark = part("live");
    mark.textContent = "live";
    mark.disabled = false;
    this.setLive(this.model.news?.get("grows") === true);
    if (!this.model.isLive) this.markReloading();
  }

  setLive(isLive) {
    this.model.isLive = isLive;
    const last = this.model.log.owner;
    this.model.forget(last);
    this.filter.forget(last);
    this.filter.run(() => false);
    this.list.forget(last);
    showHead(this.model);
    showBanner(this.model, (step) => this.select(step));
    showQuick(this.model, this.toggle, this.query);
    this.timeline.measure();
    this.select(this.selected);
  }

  markReloading() {
    const mark = part("live");
    mark.className = "";
    mark.title = "the page loads itself again when the log was replayed again";
  }

  showLive() {
    if (!this.model.isLive) return;
    const mark = part("live");
    mark.className = this.isAtEnd ? "along" : "";
    mark.title = this.isAtEnd ? "new actions are selected as they come" : "go to the end, and along with it";
  }

  get lastStep() {
    return this.filter.count === 0 ? this.model.log.stepCount - 1 : this.filter.step(this.filter.count - 1);
  }

  get isAtEnd() {
    return this.model.isLive && this.selected >= 0 && this.selected === this.lastStep;
  }

  chooseLog(index) {
    history.replaceState(null, "", `#l=${index}`);
    location.reload();
  }

  followPlace(place) {
    if (place.has("l") && place.get("l") !== String(this.model.index)) return location.reload();
    const at = place.get("a") ?? (this.model.isLive ? "end" : "");
    const step = at === "0" ? 0 : at === "end" ? this.lastStep : at === "" ? -1 : this.model.log.stepOfSeq(Number(at));
    this.select(step >= 0 ? step : this.model.firstOfInterest(), false);
    if (place.has("h")) this.showHistory(pointerTokens(place.get("h") ?? ""), false);
    return undefined;
  }

  writePlace() {
    if (!this.isComplete) return;
    const place = new URLSearchParams();
    if (this.model.names.length > 1) place.set("l", String(this.model.index));
    if (this.selected >= 0) place.set("a", this.isAtEnd ? "end" : String(this.model.log.stepSeqs.values[this.selected]));
    if (this.query !== "") place.set("q", this.query);
    if (this.historyView.path !== undefined) place.set("h", pointerText(this.historyView.path));
    const hash = `#${place}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }

  select(step, isWritten = true) {
    const { log } = this.model;
    step = Math.min(Math.max(step, 0), log.stepCount - 1);
    if (step < 0) return;
    this.selected = step;
    this.list.select(step);
    this.timeline.select(step);
    this.stepView.show(step);
    this.treeView.show(step);
    if (this.historyView.isOpen) this.historyView.mark(step);
    this.showLive();
    if (isWritten) this.writePlace();
  }

  move(by) {
    const { filter } = this;
    if (filter.count === 0) return;
    const row = filter.row(this.selected);
    const isOn = row >= 0 && filter.step(row) === this.selected;
    const next = Math.min(Math.max(isOn || by < 0 ? row + by + (isOn || by >= 0 ? 0 : 1) : row + 1, 0), filter.count - 1);
    this.select(filter.step(next));
  }

  goToCause() {
    const cause = this.model.log.causeOf(this.selected);
    if (cause >= 0) this.select(cause);
  }

  goToLedTo() {
    const { log } = this.model;
    const own = log.ledTo(this.selected, 1)[0];
    if (own !== undefined) {
      this.walk = { from: this.selected, index: 0 };
      this.select(own);
      return;
    }
    const siblings = this.walk.from >= 0 ? log.ledTo(this.walk.from, this.walk.index + 2) : [];
    if (siblings[this.walk.index] !== this.selected || siblings[this.walk.index + 1] === undefined) return;
    this.walk.index += 1;
    this.select(siblings[this.walk.index]);
  }

  goToNext() {
    const { log } = this.model;
    const isCompared = this.model.differences.size > 0;
    for (let offset = 1; offset <= log.stepCount; offset += 1) {
      const step = (this.selected + offset) % log.stepCount;
      if (isCompared ? log.hasFlag(step, Flag.differs) : this.model.hasFailed(step)) return this.select(step);
    }
    return undefined;
  }

  showHistory(path, isWritten = true) {
    this.historyView.show(this.selected, path);
    if (isWritten) this.writePlace();
  }

  blame() {
    const path = this.treeView.focusedPath;
    if (this.historyView.isOpen) {
      const step = this.historyView.mark(this.selected);
      if (step >= 0 && step !== this.selected) return this.select(step);
      const earlier = this.historyView.steps.filter((found) => found < this.selected).pop();
      if (earlier !== undefined) return this.select(earlier);
    }
    if (path !== undefined) this.showHistory(path);
    return undefined;
  }

  setQuery(query) {
    this.query = query;
    if (part("query").value !== query) part("query").value = query;
    this.filter = new Filter(query, this.model);
    this.list.show(this.filter);
    this.runFilter();
    this.writePlace();
  }

  showHits() {
    const { filter } = this;
    const count = (/** @type {number} */ number) => number.toLocaleString("en-US");
    part("hits").textContent = filter.isActive ? `${count(filter.count)}${filter.isDone ? "" : " …"} of ${count(this.model.log.stepCount - 1)}` : "";
  }

  runFilter() {
    const { filter } = this;
    showQuick(this.model, this.toggle, this.query);
    const isSelected = () => filter.row(this.selected) >= 0 && filter.step(filter.row(this.selected)) === this.selected;
    const work = () => {
      if (filter !== this.filter) return;
      const end = performance.now() + slice;
      filter.run(() => performance.now() > end);
      this.showHits();
      this.list.measure();
      this.list.draw();
      if (!filter.isDone) setTimeout(work);
      else if (filter.isActive && filter.count > 0 && !isSelected()) this.list.top = Math.max(filter.row(this.selected), 0);
    };
    work();
  }

  play() {
    const button = part("play");
    if (this.player !== 0) {
      clearInterval(this.player);
      this.player = 0;
    } else {
      this.player = setInterval(() => {
        const before = this.selected;
        this.move(1);
        if (this.selected === before) this.play();
      }, playInterval);
    }
    button.textContent = this.player === 0 ? "Play" : "Stop";
    button.setAttribute("aria-pressed", String(this.player !== 0));
  }

  listen() {
    const query = part("query");
    query.addEventListener("input", () => this.setQuery(query.value));
    query.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") {
        this.setQuery("");
        part("list").focus();
      } else if (event.key === "Enter" || event.key === "ArrowDown") {
        part("list").focus();
        if (this.filter.isActive) this.move(1);
        event.preventDefault();
      }
    });
    part("play").addEventListener("click", () => this.play());
    part("help").addEventListener("click", () => showKeys());
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => {
      if (this.isComplete) this.followPlace(new URLSearchParams(location.hash.slice(1)));
    });
    addEventListener("beforeprint", () => this.list.drawAll(mostPrinted));
    addEventListener("afterprint", () => this.list.draw());
  }

  key(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const onButton = event.target instanceof HTMLButtonElement;
    switch (event.key) {
      case "ArrowUp": case "k": case "ArrowLeft": this.move(-1); break;
      case "ArrowDown": case "j": case "ArrowRight": this.move(1); break;
      case "PageUp": this.move(-this.list.visibleCount + 1); break;
      case "PageDown": this.move(this.list.visibleCount - 1); break;
      case "Home": this.select(this.filter.step(0)); break;
      case "End": this.select(this.filter.step(this.filter.count - 1)); break;
      case "[": this.goToCause(); break;
      case "]": this.goToLedTo(); break;
      case "/": part("query").select(); break;
      case "g":
        askForAction((seq) => {
          const step = seq === 0 ? 0 : this.model.log.stepOfSeq(seq);
          if (step < 0) return `there is no action ${seq}; the last one is ${this.model.log.stepSeqs.values[this.model.log.stepCount - 1]}`;
          this.select(step);
          return undefined;
        });
        break;
      case "b": this.blame(); break;
      case "d": this.goToNext(); break;
      case "e": this.treeView.toggleAll(); break;
      case " ":
        if (onButton) return;
        this.play();
        break;
      case "Escape":
        if (this.historyView.isOpen) this.historyView.close();
        else this.setQuery("");
        break;
      case "?": showKeys(); break;
      default: return;
    }
    event.preventDefault();
  }
}

new Page();
})();
"""##
}
