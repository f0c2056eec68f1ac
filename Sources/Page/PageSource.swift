// swift-format-ignore-file
// Made by .ci/page-source of the files in Resources.

/// The page without a log: its style, its body and its script, with the digests by which its policy allows them.
enum PageSource {
  static let styleHash = "sha256-gWZqFtuGDrDkipUDuYYE3ozXzxBF4gGeo8cJpwr5Cxg="
  static let scriptHash = "sha256-ygCAkaM9yuiIQ9SAxh5mfGe31KVtbnjSR66aOv7T1uA="

  static let style = ##"""
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f6f7f9; --raised: #ffffff; --line: #d9dde3; --soft: #eceff3;
  --ink: #1b1f24; --dim: #59626e; --accent: #0b5cad; --accent-soft: #ddebfb; --select: #d5e6fa; --select-ink: #0a2540;
  --add: #116329; --add-soft: #dff5e3; --remove: #a40e26; --remove-soft: #fde3e4; --warn: #7a4b00; --warn-soft: #fff1cf;
  --bad: #b3121d; --bad-soft: #fde3e4; --string: #0a4f8a; --number: #7c3a00; --case: #6b2fa8; --id: #4a5560; --tag: #7a4b00;
  --effect-run: #2869b8; --effect-done: #5286c4; --cancelled: #69717d; --failed: #8f6200; --differs: #c62533; --density: #3c4652; --veil: rgb(255 255 255 / 0.62);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --text: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --panel: #1a1e24; --raised: #20252c; --line: #343b45; --soft: #262c34;
    --ink: #e4e8ee; --dim: #a3adba; --accent: #7ab7ff; --accent-soft: #1d3550; --select: #234368; --select-ink: #f0f6ff;
    --add: #7ee2a0; --add-soft: #15341f; --remove: #ff9aa2; --remove-soft: #43191e; --warn: #f2c464; --warn-soft: #3d3013;
    --bad: #ff8b93; --bad-soft: #4a191f; --string: #8ecbff; --number: #ffb37a; --case: #d0a8ff; --id: #aab5c2; --tag: #f2c464;
    --effect-run: #5aa2f0; --effect-done: #4a7db4; --cancelled: #8b95a3; --failed: #d9a93b; --differs: #ff6b76; --density: #c3ccd8; --veil: rgb(20 23 28 / 0.62);
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
/* Copies what it stands beside. */
.copy { padding: 0 6px; font-size: 11.5px; line-height: 16px; color: var(--dim); }
.copy::before { content: ""; display: inline-block; width: 7px; height: 8px; border: 1.2px solid currentColor; border-radius: 2px; box-shadow: 2px -2px 0 -0.6px var(--raised), 2px -2px 0 0.6px currentColor; margin: 2px 3px 0 0; }
.copy:not(:empty)::before { margin-right: 8px; }
.copy.done::before { background: var(--add); }
.copy.done { color: var(--add); }
.title .copy { padding: 3px 10px; font-size: inherit; line-height: inherit; color: inherit; }
.copies { display: inline-flex; gap: 4px; flex: none; }
.where .copy { margin-left: 6px; opacity: 0; }
.where:hover .copy, .where .copy:focus-visible, .where:focus-within .copy { opacity: 1; }
.node .copies { margin-left: auto; position: sticky; right: 4px; align-self: flex-start; }
.whatif { display: flex; flex-wrap: wrap; gap: 6px; align-items: end; margin: 6px 0; }
.whatif label { flex: 1 1 220px; color: var(--dim); } .whatif input { display: block; width: 100%; padding: 3px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); color: var(--ink); font-family: var(--mono); font-size: 12px; }
.block .nav { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 8px; }
#banner .chip { color: var(--ink); }
.command { display: flex; gap: 8px; align-items: flex-start; }
.command code { flex: 1; min-width: 0; overflow-wrap: anywhere; background: var(--soft); border-radius: 4px; padding: 1px 6px; }
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
#completions { position: absolute; left: 0; right: 0; top: 100%; margin-top: 3px; z-index: 8; max-height: 60vh; overflow: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); box-shadow: 0 4px 14px rgb(0 0 0 / 0.2); padding: 3px; }
.completion { display: flex; justify-content: space-between; gap: 12px; padding: 2px 7px; border-radius: 4px; cursor: pointer; }
.completion .code { overflow-wrap: anywhere; } .completion .dim { flex: none; }
.completion:hover { background: var(--soft); }
.completion[aria-selected="true"] { background: var(--select); color: var(--select-ink); }
.completion[aria-selected="true"] .dim { color: inherit; }
#back, #forward { padding: 3px 8px; }
button:disabled { color: var(--dim); cursor: default; }
button:disabled:hover { border-color: var(--line); }
#banner { display: flex; gap: 10px; align-items: baseline; padding: 7px 12px; border-bottom: 1px solid var(--line); }
#banner.bad { background: var(--bad-soft); color: var(--bad); }
#banner.warn { background: var(--warn-soft); color: var(--warn); }
#banner.good { background: var(--add-soft); color: var(--add); }
#banner strong { font-weight: 650; }
#banner p { flex: 1; min-width: 0; }
#banner p + p { flex: 0 1 auto; }
#banner button { color: var(--ink); }
#bar { display: flex; gap: 6px 14px; padding: 6px 12px 0; align-items: flex-start; }
#quick { flex: 1 1 0; min-width: 0; display: flex; flex-wrap: wrap; gap: 6px; }
#panes { flex: none; display: flex; }
#panes button { border-radius: 0; padding: 0 8px; margin-left: -1px; font-size: 11.5px; line-height: 18px; color: var(--dim); text-decoration: line-through; }
#panes button:first-child { border-radius: 6px 0 0 6px; } #panes button:last-child { border-radius: 0 6px 6px 0; }
#panes [aria-pressed="true"] { color: var(--ink); text-decoration: none; }
#told { margin: 6px 12px 0; padding: 3px 8px; border-radius: 6px; background: var(--warn-soft); color: var(--warn); }
#told .link { color: inherit; text-decoration: underline; font-weight: 600; }
.chip {
  all: unset; box-sizing: border-box; cursor: pointer; border: 1px solid var(--line); border-radius: 10px; padding: 0 8px; font-size: 11.5px; line-height: 18px;
  background: var(--raised); color: var(--ink); white-space: nowrap;
}
.chip:hover { border-color: var(--accent); }
.chip:focus-visible { outline: 2px solid var(--accent); }
.chip[aria-pressed="true"] { background: var(--accent-soft); border-color: var(--accent); }
.chip b { font-weight: 600; color: var(--dim); }
.chip.bad b, .chip.bad { color: var(--bad); }
.chip.warn b, .chip.warn { color: var(--warn); }

/* The pictures. */
#pictures { flex: none; position: relative; margin-top: 6px; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); background: var(--panel); }
#film { position: relative; height: 146px; overflow: auto hidden; contain: layout paint style; }
#filmspace { position: relative; height: 100%; }
.frame { all: unset; position: absolute; top: 8px; box-sizing: border-box; cursor: pointer; text-align: center; }
.frame img, .frame .nopicture { display: block; width: 100%; height: 112px; object-fit: contain; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; }
/* It is still to be loaded. */
.frame img:not([src]), .screen img:not([src]), #glance img:not([src]) { visibility: hidden; }
.frame .name { display: block; font-size: 11px; line-height: 17px; color: var(--dim); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.frame:hover img { border-color: var(--accent); }
.frame[aria-current="true"] :is(img, .nopicture) { outline: 2px solid var(--accent); outline-offset: 0; }
.frame[aria-current="true"] .name { color: var(--ink); font-weight: 650; }
.frame:focus-visible { outline: 2px solid var(--accent); border-radius: 6px; }
.nopicture { display: block; padding: 6px; overflow: hidden; color: var(--dim); font-size: 11px; line-height: 1.3; overflow-wrap: anywhere; }
.frame .nopicture { padding: 4px 2px; font-size: 10px; }
#glance { position: fixed; z-index: 7; padding: 6px; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); box-shadow: 0 4px 18px rgb(0 0 0 / 0.3); pointer-events: none; max-width: calc(100vw - 16px); }
#glance img { display: block; background: #ffffff; border-radius: 4px; }
#glance p { max-width: 36ch; padding-top: 4px; font-size: 12px; color: var(--dim); overflow-wrap: anywhere; }
.screens { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; }
.screen { margin: 0; flex: 0 1 auto; min-width: 0; }
.screen img { display: block; width: auto; height: auto; max-width: 100%; max-height: 320px; background: #ffffff; border: 1px solid var(--line); border-radius: 8px; }
.screen figcaption { font-size: 12px; color: var(--dim); padding-top: 3px; overflow-wrap: anywhere; }
.screen .nopicture { max-width: 24ch; border: 1px solid var(--line); border-radius: 8px; font-size: 12px; }

/* The timeline. */
#time { position: relative; padding: 6px 12px 0; border-bottom: 1px solid var(--line); flex: none; }
#time canvas { display: block; width: 100%; }
#scrubber { height: 56px; background: var(--soft); border-radius: 4px; cursor: crosshair; touch-action: none; }
#strip { display: flex; align-items: center; gap: 14px; min-height: 22px; font-size: 11.5px; color: var(--dim); }
#foldlanes { border: 0; background: none; padding: 0 2px; color: var(--ink); font-size: 11.5px; }
#foldlanes::before { content: "▶"; display: inline-block; width: 15px; font-size: 9px; color: var(--dim); }
#foldlanes[aria-expanded="true"]::before { content: "▼"; }
#foldlanes:disabled { color: var(--dim); cursor: default; }
#foldlanes:disabled::before { content: none; }
#legend { flex: 1 1 0; min-width: 0; display: flex; gap: 2px 12px; flex-wrap: wrap; justify-content: flex-end; overflow: hidden; max-height: 20px; }
#legend > span { white-space: nowrap; }
#zoom { flex: none; display: flex; gap: 4px; }
#zoom button { padding: 0 7px; font-size: 11.5px; line-height: 16px; min-width: 22px; }
#zoom button:disabled { color: var(--dim); cursor: default; border-color: var(--line); }
#laneroom { position: relative; overflow: hidden auto; max-height: var(--lanes, 114px); }
#laneroom.none, #laneroom.none + .divider { display: none; }
#lanes { position: sticky; top: 0; cursor: pointer; }
.divider { flex: none; width: 7px; margin: 0 -3px; z-index: 3; cursor: col-resize; touch-action: none; background: linear-gradient(var(--line), var(--line)) center / 1px 100% no-repeat; }
.divider.across { width: auto; height: 7px; margin: 0; cursor: row-resize; background: linear-gradient(var(--line), var(--line)) center / 36px 3px no-repeat; }
.divider:hover, .divider:focus-visible { background-color: var(--accent-soft); }
#tip {
  position: absolute; z-index: 5; max-width: 520px; padding: 5px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--raised);
  font: 12px/1.4 var(--mono); white-space: pre-line; pointer-events: none; box-shadow: 0 2px 10px rgb(0 0 0 / 0.18); overflow-wrap: anywhere;
}

/* The panes. */
main { flex: 1; min-height: 0; display: flex; }
#actions, #step, #state { min-width: 0; min-height: 0; contain: layout paint style; }
#actions { flex: var(--list, 11) 1 0; display: flex; flex-direction: column; container: actions / inline-size; }
#detail { flex: var(--past-list, var(--rest, 16)) 1 0; min-width: 0; min-height: 0; display: flex; }
#step { flex: var(--step, 8) 1 0; overflow: auto; }
#state { flex: var(--past-step, 8) 1 0; display: flex; flex-direction: column; container: state / inline-size; }

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
.row.failed { border-left-color: var(--failed); }
.row.unfinished, .row.differs { border-left-color: var(--bad); }
.row.note, .row.gap, .row.external, .row.start { color: var(--dim); font-style: italic; }
.row.gap { color: var(--bad); }
.row.inserted:not([aria-selected="true"]) { background: var(--add-soft); } .row.deleted:not([aria-selected="true"]) { background: var(--remove-soft); }
.row.inserted { border-left-color: var(--add); }
.what > .sign { flex: none; } .inserted .sign { color: var(--add); } .deleted .sign { color: var(--remove); }
.row[aria-selected="true"] .sign { color: inherit; }
.twofold .what + .what { border-left: 1px solid var(--line); padding-left: 6px; }
.twofold .what.none { background: repeating-linear-gradient(135deg, transparent 0 5px, var(--line) 5px 6px); }
.twofold .took, .twofold .by, .twofold .when { display: none; }
.seq { flex: 0 0 var(--seq, 4ch); text-align: right; color: var(--dim); }
.when { flex: 0 0 9ch; text-align: right; color: var(--dim); }
.what { flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; display: flex; gap: 6px; }
.what .act { overflow: hidden; display: flex; flex: 0 1 auto; min-width: 0; font-weight: 550; }
/* Badges give way before the name does. */
.marks { flex: 0 1000000 auto; display: flex; gap: 4px; overflow: hidden; }
.marks { min-width: 18px; }
/* Where there is no room, the place of an action gives way to what happened there. */
.act .head { flex: 0 1 auto; min-width: 3ch; overflow: hidden; text-overflow: ellipsis; }
.act .tail { flex: none; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.act .head + .tail { max-width: calc(100% - 3ch); }
.indent { color: var(--dim); flex: none; }
.by { flex: 0 0 var(--by, 6ch); color: var(--dim); overflow: hidden; text-overflow: ellipsis; }
.changes { flex: 1 1 0; min-width: 0; height: 24px; overflow: hidden; display: flex; flex-wrap: wrap; gap: 0 4px; align-items: center; font-size: 11px; }
/* A place that does not fit wraps out of sight, also the first one. */
.changes::before { content: ""; width: 0; height: 24px; margin-right: -4px; }
.place { flex: none; margin: 4px 0; overflow: hidden; text-overflow: ellipsis; padding: 0 5px; line-height: 16px; border-radius: 4px; background: var(--soft); color: var(--dim); }
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
#tree { flex: 1 1 auto; min-height: 0; overflow: auto; padding: 6px 0 20px; }
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
#history h2 { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 6px; text-transform: none; letter-spacing: 0; font-size: 12.5px; color: var(--ink); position: sticky; top: -8px; background: var(--panel); padding: 4px 0; }
#history h2 .code { flex: 1; min-width: 7ch; overflow-wrap: anywhere; font-weight: 600; }
#history h2 .copies { gap: 2px; }
#history h2 .copy { padding: 0 5px; }
#history h2 button { padding: 0 7px; font-size: 12px; font-weight: 400; }
#history .chart { display: block; width: 100%; height: 92px; margin: 2px 0 6px; border-radius: 4px; background: var(--soft); cursor: pointer; touch-action: none; }
#history table { border-collapse: collapse; width: 100%; }
#history td { padding: 2px 6px 2px 0; vertical-align: top; overflow-wrap: anywhere; border-top: 1px solid var(--line); }
#history td:first-child { width: 1%; color: var(--dim); white-space: nowrap; text-align: right; padding-right: 8px; }
#history td.who { text-align: right; }
#history td.when { width: 1%; white-space: nowrap; color: var(--dim); text-align: right; padding-right: 0; }
/* Long values: the name of the action has a line of its own. */
#history .stacked tr { display: grid; grid-template-columns: var(--seq, 5ch) minmax(0, 1fr) auto; border-top: 1px solid var(--line); }
#history .stacked td { border-top: 0; }
#history .stacked td:first-child { width: auto; }
#history .stacked td.who { grid-area: 2 / 2 / 3 / 4; text-align: left; }
#history .stacked td.when { grid-area: 1 / 3; width: auto; }
#history .stacked tr.now { background: var(--accent-soft); }
#history tr.now td { background: var(--accent-soft); }

dialog { max-height: 94vh; overflow: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); color: var(--ink); padding: 16px 20px; max-width: min(560px, 92vw); }
dialog::backdrop { background: rgb(0 0 0 / 0.35); }
dialog h2 { margin-bottom: 10px; outline: none; }
dialog dl + h2, dialog dl + p { margin-top: 16px; }
dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 14px; margin: 0; }
dialog dt { text-align: right; } dialog dd { margin: 0; }
#keys dt { min-width: 19ch; }
.sign { font-weight: 700; }
.sign.view { color: var(--ink); } .sign.sent { color: var(--effect-run); } .sign.open { color: var(--accent); }
#legend .sign.fx { color: var(--accent); background: var(--accent-soft); border-radius: 4px; padding: 0 4px; }
.sign.failed { color: var(--failed); } .sign.cancelled { color: var(--cancelled); } .sign.bad { color: var(--differs); }
kbd { font: 11.5px var(--mono); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 5px; background: var(--panel); }
#jump input { width: 100%; padding: 5px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); margin-bottom: 8px; }

/* Narrower panes: what says least goes first, and the name of the action stays. */
@container actions (max-width: 620px) { .took { display: none; } }
@container actions (max-width: 520px) { .when { display: none; } }
@container actions (max-width: 430px) { .by, .changes { display: none; } .mark .more { display: none; } #actions:not(.twofold) > #listhead { display: none; } }

/* Narrower windows. */
@media (max-width: 1180px) {
  :root { --rest: 10; }
  /* Each has the height that its content needs, and at most half of it where both need more. */
  #detail { display: grid; grid-template: minmax(6rem, auto) auto minmax(6rem, auto) / minmax(0, 1fr); }
  #detail.single { grid-template-rows: minmax(0, 1fr); }
  #history { max-height: 60%; }
  .rows-set #detail:not(.single) { grid-template-rows: minmax(0, var(--row)) auto minmax(0, var(--past-row)); }
  #divide-step { width: auto; height: 7px; margin: -3px 0; cursor: row-resize; background: linear-gradient(var(--line), var(--line)) center / 100% 1px no-repeat; }
}
@media (max-width: 700px) {
  body { overflow: auto; height: auto; display: block; }
  #top { flex-wrap: wrap; gap: 6px 10px; }
  #facts { order: 1; flex: 1 1 100%; }
  #banner { flex-wrap: wrap; }
  #banner p { flex: 1 1 100%; }
  #tools { order: 2; flex: 1 1 100%; flex-wrap: wrap; }
  #search { flex: 1 1 100%; }
  main, #detail { display: block; }
  main .divider { display: none; }
  #actions { max-height: 46vh; border-bottom: 1px solid var(--line); }
  #list { flex: 0 1 calc(var(--rows) * 24px); }
  #step, #tree { overflow: visible; }
  #state { display: block; }
  .title { position: static; }
  #bar { flex-direction: column; align-items: stretch; }
  #quick { flex: none; flex-wrap: nowrap; overflow-x: auto; }
  #strip { flex-wrap: wrap; gap: 0 10px; }
  #legend { order: 1; flex: 1 1 100%; justify-content: flex-start; max-height: none; padding-bottom: 3px; }
  #zoom { margin-left: auto; }
  #history { max-height: none; }
}
@media (prefers-reduced-motion: no-preference) { .row { transition: none; } }
@media print {
  body, main, #list, #step, #state, #tree { display: block; height: auto; overflow: visible; position: static; }
  #pictures, #tools, #quick, .title .nav, #expand, #statemode, .skip { display: none; }
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
<input id="query" type="search" placeholder="Filter: text, .case, path:todos, effect:save, is:failed" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-controls="completions">
<output id="hits" for="query"></output>
<div id="completions" role="listbox" aria-label="Completions" hidden></div>
</div>
<button id="back" type="button" aria-label="Back" title="Back to where you were (Alt ←)" disabled>←</button>
<button id="forward" type="button" aria-label="Forward" title="Forward again (Alt →)" disabled>→</button>
<button id="play" type="button" title="Play (space)" aria-pressed="false">Play</button>
<button id="help" type="button" title="Keys (?)">Keys</button>
</div>
</header>
<div id="banner" role="status" hidden></div>
<div id="bar">
<div id="quick" role="group" aria-label="Quick filters"></div>
<div id="panes" role="group" aria-label="Panes">
<button type="button" data-pane="film" aria-pressed="true" title="Fold or show the pictures (6)" hidden>Pictures</button>
<button type="button" data-pane="time" aria-pressed="true" title="Fold or show the timeline (1)">Timeline</button>
<button type="button" data-pane="actions" aria-pressed="true" title="Fold or show the actions (2)">Actions</button>
<button type="button" data-pane="action" aria-pressed="true" title="Fold or show the selected action (3)">Detail</button>
<button type="button" data-pane="state" aria-pressed="true" title="Fold or show the state (4)">State</button>
</div>
</div>
<p id="told" role="status" hidden></p>
<p id="said" class="hidden" role="status"></p>
<section id="pictures" aria-label="Pictures" hidden>
<div id="filmroom"><div id="film"><div id="filmspace"></div></div></div>
<div id="glance" hidden></div>
</section>
<section id="time" aria-label="Timeline">
<canvas id="scrubber" role="slider" tabindex="0" aria-label="Position in the log" aria-valuemin="0" aria-valuemax="0" aria-valuenow="0"></canvas>
<div id="strip">
<button id="foldlanes" type="button" class="plain" aria-expanded="true" aria-controls="laneroom" title="Fold or show the effects (5)"><span id="lanecount">Effects</span></button>
<div id="legend" aria-label="Signs of the timeline" role="note"></div>
<div id="zoom" role="group" aria-label="Zoom of the timeline">
<button id="zoomout" type="button" aria-label="Zoom out" title="Zoom out (-)">−</button>
<button id="zoomin" type="button" aria-label="Zoom in" title="Zoom in (+)">+</button>
<button id="zoomall" type="button" title="Show the window, then the whole log (0)">All</button>
</div>
</div>
<div id="laneroom" role="group" aria-label="Lanes of effects" tabindex="0"><div id="lanespace"><canvas id="lanes" role="img" aria-label="Effects"></canvas></div></div>
<div id="divide-lanes" class="divider across" role="separator" tabindex="0" aria-orientation="horizontal" aria-controls="laneroom" aria-label="Height of the effects"></div>
<div id="tip" hidden></div>
</section>
<main id="main">
<section id="actions" aria-label="Actions">
<div id="listhead" aria-hidden="true"><span class="seq">#</span><span class="when">time</span><span class="by">by</span><span class="what" id="here">action</span><span class="what" id="there" hidden></span><span class="took">took</span></div>
<div id="list" role="listbox" tabindex="0" aria-label="Actions"><div id="room"></div><div id="rows" role="presentation"></div></div>
</section>
<div id="divide-list" class="divider" role="separator" tabindex="0" aria-orientation="vertical" aria-controls="actions" aria-label="Width of the actions"></div>
<div id="detail">
<section id="step" aria-label="The selected action" tabindex="-1"></section>
<div id="divide-step" class="divider" role="separator" tabindex="0" aria-orientation="vertical" aria-controls="step" aria-label="Width of the selected action"></div>
<section id="state" aria-label="The state">
<div id="statehead">
<h2>State</h2>
<div id="statemode" role="radiogroup" aria-label="Which state">
<button type="button" role="radio" data-mode="both" aria-checked="true">Changes</button>
<button type="button" role="radio" data-mode="before" aria-checked="false">Before</button>
<button type="button" role="radio" data-mode="after" aria-checked="false">After</button>
<button type="button" role="radio" data-mode="other" aria-checked="false" hidden>Other</button>
<button type="button" role="radio" data-mode="pinned" aria-checked="false" title="How this state differs from that of the pinned action" hidden>Pinned</button>
</div>
<button id="expand" type="button" title="Open or close all (e)">Open all</button>
</div>
<p id="sides" hidden></p>
<div id="tree" role="tree" aria-label="The state" tabindex="0"></div>
<div id="history" hidden aria-label="History of a value"></div>
</section>
</div>
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

class EscapedText {
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
    const copy = new EscapedText({ quote: this.quote, escapesEllipsis: this.escapesEllipsis });
    copy.isAtStart = false;
    return copy.take(scalar);
  }
}

const plainASCII = /^[ -~]*$/;

function visible(text, options = { quote: "\u0001", escapesBackslash: false }) {
  if (options.escapesBackslash === false && plainASCII.test(text) && !text.includes(options.quote ?? '"')) return text;
  const writer = new EscapedText(options);
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

  ownSeq(other) {
    if (!this.isKnown) return other;
    const match = this.matches.find(([, , first, last]) => first <= other && other <= last);
    if (match !== undefined) return match[0] + other - match[2];
    for (const [own, there] of this.moved) if (there === other) return own;
    return undefined;
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

function say(text) {
  part("said").textContent = text;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

function copyButton(what, text, label) {
  const button = element("button.copy", { type: "button", title: `Copy ${what}`, "aria-label": `Copy ${what}` }, ...(label === undefined ? [] : [label]));
  button.addEventListener("click", async (/** @type {Event} */ event) => {
    event.stopPropagation();
    await copy(text());
    say(`${what} copied`);
    button.classList.add("done");
    setTimeout(() => button.classList.remove("done"), 1200);
  });
  return button;
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

class IDAbbreviations {
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
  constructor(limits = standardLimits, ids = new IDAbbreviations()) {
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

const mostIndexes = 1000;

function indexSet(value) {
  const ranges = only(value, "indexes");
  if (!Array.isArray(ranges) || ranges.length === 0) return undefined;
  const indexes = [];
  for (const range of ranges) {
    if (!isObject(range) || range.size !== 2) return undefined;
    const [start, length] = [range.get("location"), range.get("length")];
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(length) || start < 0) return undefined;
    if (length <= 0 || length > mostIndexes - indexes.length) return undefined;
    for (let index = start; index < start + length; index += 1) indexes.push(index);
  }
  return indexes;
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
    const visible = new EscapedText({ quote });
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
    const indexes = indexSet(view);
    if (indexes !== undefined) {
      this.put("[");
      this.parts(indexes, false, false, inside(layout));
      return this.put("]");
    }
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
    const visible = new EscapedText();
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
    let visible = new EscapedText({ escapesEllipsis: true });
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
    visible = new EscapedText({ escapesEllipsis: true });
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
  if (effect.get("cancelInFlight") === true) text += " canceling what is in flight";
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
    case "cancelled": return `canceled by ${canceller(event.get("by"), nameOf)}`;
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
  return `${visible(String(call.get("key")))}(${values})${outcome}${call.get("cancelled") === true ? ", canceled" : ""}`;
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

const causeNames = /** @type {Record<string, [string, string]>} */ ({
  state: ["the state", "state"], effects: ["the effects", "effects"], reads: ["a read", "read"], producedAction: ["an action that the reducer sent", "sent action"],
  action: ["the action", "action"], origin: ["the sender", "sender"], deadEffect: ["an effect that is not alive", "effect not alive"],
  sequence: ["the order of events", "order"], schemaDrift: ["the members of a type", "members of a type"], undecodable: ["a value cannot be read", "unreadable value"],
  notReplayable: ["a value was not recorded", "value not recorded"], opaque: ["an opaque value", "opaque value"],
  trapped: ["the replay trapped, and the recorded app did not", "trapped"], trapGone: ["the recorded app trapped, and the replay did not", "trap gone"],
});

function causeText(cause) {
  return causeNames[cause]?.[0] ?? visible(String(cause));
}

function shortCause(cause) {
  return causeNames[cause]?.[1] ?? visible(String(cause));
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
    origin?.sent.push(step);
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
      this.effects.push({ id, label: this.label(effect, source), source, op, start: step, end: -1, ending: Ending.none, calls: [], sent: [] });
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

// whatif.mjs

function editsOf(model) {
  const serve = model.about.get("serve");
  if (!isObject(serve)) return undefined;
  return (serve.get("edits") ?? []).map((/** @type {Map<string, any>} */ edit) => ({ word: String(edit.get("word")), text: String(edit.get("text")) }));
}

function problemOf(model) {
  const problem = model.about.get("serve")?.get?.("problem");
  return problem === undefined ? undefined : visible(String(problem));
}

function addressOf(edits) {
  const query = edits.map(({ word, text }) => `${encodeURIComponent(word)}=${encodeURIComponent(text)}`).join("&");
  return edits.length === 0 ? "./" : `what-if?${query}`;
}

function withEdit(edits, edit) {
  const seq = Number.parseInt(edit.text, 10);
  const isOfAction = (/** @type {Edit} */ { word }) => word === "skip" || word === "edit";
  const others = isOfAction(edit) ? edits.filter((other) => !(isOfAction(other) && Number.parseInt(other.text, 10) === seq)) : edits;
  return [...others, edit];
}

function whatIfControls(model, { seq, action }, go) {
  const edits = editsOf(model) ?? [];
  const form = element("div.whatif");
  const ask = (/** @type {string} */ word, /** @type {string} */ label, /** @type {string} */ text) => {
    const input = element("input", { type: "text", "aria-label": label, spellcheck: "false", autocomplete: "off", placeholder: ".case(value)" });
    input.value = text;
    const run = () => {
      if (input.value.trim() !== "") go(withEdit(edits, { word, text: `${seq}=${input.value.trim()}` }));
    };
    input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter") run();
      if (event.key === "Escape") form.replaceChildren();
      if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
    });
    form.replaceChildren(element("label", {}, label, input), element("button", { type: "button", onclick: run }, "Replay"));
    input.focus();
    input.select();
  };
  const buttons = [];
  if (action !== undefined) {
    buttons.push(element("button", { type: "button", onclick: () => go(withEdit(edits, { word: "skip", text: String(seq) })) }, "Skip it"));
    buttons.push(element("button", { type: "button", onclick: () => ask("edit", `Action ${seq} instead`, action) }, "Edit it…"));
  }
  buttons.push(element("button", { type: "button", onclick: () => ask("insert", seq === 0 ? "The first action" : `After action ${seq}`, "") }, "Insert after it…"));
  return [element("div.nav", {}, ...buttons), form];
}

function editChips(model, go) {
  const edits = editsOf(model) ?? [];
  return edits.map((edit, index) => element("button.chip", {
    type: "button", title: "Take this edit back", onclick: () => go(edits.filter((_, other) => other !== index)),
  }, visible(`${edit.word} ${edit.text}`), " ✕"));
}

// banner.mjs

function showHead(model) {
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

function isWholeRange(about) {
  const range = about.get("range");
  return Array.isArray(range) && range[1] < 2 ** 53;
}

function firstGap(model) {
  for (let step = 0; step < model.log.stepCount; step += 1) if (model.title(step).startsWith("gap")) return step;
  return 0;
}

function showBanner(model, select, toggleColumns, whatIf) {
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

// chart.mjs

function numbersOf(values) {
  const present = values.filter((value) => value !== undefined && value !== null);
  if (values.length < 2 || present.length === 0) return undefined;
  if (present.every((value) => typeof value === "boolean")) {
    return { isBoolean: true, numbers: values.map((value) => (typeof value === "boolean" ? Number(value) : undefined)) };
  }
  if (!present.every((value) => isNumber(value))) return undefined;
  const numbers = values.map((value) => (isNumber(value) ? Number(literal(value)) : undefined));
  return numbers.every((number) => number === undefined || Number.isFinite(number)) ? { isBoolean: false, numbers } : undefined;
}

function rangeOf(numbers) {
  let [low, high] = [Infinity, -Infinity];
  for (const number of numbers) {
    if (number === undefined) continue;
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  return [low, high];
}

function heightOf(number, [low, high]) {
  return high === low ? 0.5 : number / 2 / (high / 2 - low / 2) - low / 2 / (high / 2 - low / 2);
}

function valueAtPosition(positions, position) {
  let found = -1;
  for (let index = 0; index < positions.length; index += 1) if (positions[index] <= position) found = index;
  return found;
}

// commands.mjs

function shellWord(text) {
  return /^[A-Za-z0-9_.,:\/@%+=-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

function logName(model) {
  const name = String(model.about.get("name") ?? "log.jsonl");
  return shellWord(name.startsWith("-") ? `./${name}` : name);
}

function blameCommand(model, step, place) {
  return `tca-replay blame ${logName(model)} ${shellWord(place)} --at ${model.log.stepSeqs.values[step]}`;
}

function stepCommands(model, step) {
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

function closestWord(typed, words) {
  const near = words.map((word) => ({ word, edits: editDistance(typed, word) })).sort((a, b) => a.edits - b.edits)[0];
  return near !== undefined && near.edits <= Math.max(1, Math.floor(near.word.length / 3)) ? near.word : undefined;
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

// vocabulary.mjs

const mostShapes = 20_000;
const mostPlaces = 20_000;
const longestShape = 600;
const noShape = -2;

const valuePattern = /"(?:[^"\\]|\\.)*"(?!:)|-?\d[\d.eE+-]*/g;
const pointerPattern = /"op":"[a-z]+","(?:from":"((?:[^"\\]|\\.)*)","path|path)":"((?:[^"\\]|\\.)*)"/g;

function likelyPointers(line) {
  const pointers = [];
  for (const [, from, path] of line.matchAll(pointerPattern)) {
    pointers.push(path);
    if (from !== undefined) pointers.push(from);
  }
  return pointers;
}

class Vocabulary {
  constructor(model) {
    this.model = model;
    this.shapes = [];
    this.shapeNumbers = new Map();
    this.stepShapes = new Column(Int32Array);
    this.places = new Map();
    this.placesOfPointers = new Map();
  }

  get isDone() {
    return this.stepShapes.length >= this.end;
  }

  get end() {
    const { log, isLive } = this.model;
    return isLive ? Math.max(log.owner, 0) : log.stepCount;
  }

  run(isDue) {
    const { end } = this;
    while (this.stepShapes.length < end) {
      const step = this.stepShapes.length;
      this.stepShapes.push(this.shapeOf(step));
      this.addPlaces(step);
      if (step % 64 === 63 && isDue()) return;
    }
  }

  forget(step) {
    for (; this.stepShapes.length > Math.max(step, 0); this.stepShapes.length -= 1) {
      const shape = this.shapes[this.stepShapes.values[this.stepShapes.length - 1]];
      if (shape !== undefined) shape.count -= 1;
    }
  }

  shapeOf(step) {
    const { log, notation, rowNotation } = this.model;
    const kind = log.stepKinds.values[step];
    if (kind !== Kind.action && kind !== Kind.withheld) return -1;
    const line = log.line(log.stepLines.values[step]);
    const start = line.indexOf(kind === Kind.action ? '"action":' : '"cases":', 20);
    const text = line.slice(start);
    if (start < 0 || text.length > longestShape) return noShape;
    const key = text.replace(valuePattern, "0");
    const known = this.shapeNumbers.get(key);
    if (known !== undefined) {
      this.shapes[known].count += 1;
      return known;
    }
    const isWithheld = kind === Kind.withheld;
    const action = isWithheld ? undefined : log.eventOf(step).get("action") ?? null;
    const title = isWithheld ? this.model.title(step) : rowNotation.action(action);
    if (title.includes('["') || isWithheld || this.shapes.length >= mostShapes) return noShape;
    this.shapeNumbers.set(key, this.shapes.length);
    this.shapes.push({ path: notation.casePath(action), title, count: 1 });
    return this.shapes.length - 1;
  }

  addPlaces(step) {
    const { log } = this.model;
    const line = log.stepChanges.values[step];
    if (line < 0) return;
    for (const pointer of likelyPointers(log.line(line))) {
      let place = this.placesOfPointers.get(pointer);
      if (place === undefined) {
        if (this.placesOfPointers.size >= mostPlaces) return;
        place = this.model.placeText(step, pointerTokens(parseJSON(`"${pointer}"`))).replace(/\[[^\]]*\]/g, "[*]");
        this.placesOfPointers.set(pointer, place);
      }
      if (place !== "") this.places.set(place, (this.places.get(place) ?? 0) + 1);
    }
  }

  get cases() {
    const cases = new Map();
    for (const { path, count } of this.shapes) if (count > 0 && path.startsWith(".")) cases.set(path, (cases.get(path) ?? 0) + count);
    return cases;
  }
}

// filter.mjs

const wordKinds = ["path", "effect", "case", "from", "is"];
const isWords = ["failed", "differs", "unfinished", "changed", "unchanged", "note", "gap", "external", "excluded", "bookmarked"];
const fromWords = ["view", "effect", "parent"];

function queryWords(query) {
  return [...query.matchAll(/([^\s"]*"[^"]*"|\S+)/g)].map((match) => match[0].replace(/"/g, ""));
}

function filterTest(query, model) {
  const tests = queryWords(query).map((word) => wordTest(word, model));
  return tests.length === 0 ? undefined : (step) => tests.every((test) => test(step));
}

function parsedWord(word) {
  const isExcluded = word.startsWith("-") && word.length > 1;
  const text = isExcluded ? word.slice(1) : word;
  const kind = wordKinds.find((name) => text.startsWith(`${name}:`));
  const value = kind === undefined ? text : text.slice(kind.length + 1);
  return { isExcluded, text, kind: kind ?? (text.startsWith(".") && !isRange(text) ? "case" : undefined), value };
}

function wordTest(word, model) {
  const { log } = model;
  const { isExcluded, text, kind, value } = parsedWord(word);
  if (isExcluded) {
    const test = wordTest(text, model);
    return (step) => !test(step);
  }
  const range = stepsOfRange(text, model.main);
  if (range !== undefined) {
    return (step) => {
      const own = model.mainStep(step);
      return own >= range[0] && own <= range[1];
    };
  }
  switch (kind) {
    case "path": return pathTest(value, model);
    case "effect": return effectTest(value, model);
    case "case": return caseTest(value, model);
    case "from":
      if (fromWords.includes(value) || /^\d+$/.test(value)) return senderTest(value, model);
      break;
    case "is":
      if (value === "failed") return (step) => model.hasFailed(step);
      if (value === "unfinished") return (step) => model.isOpen(step);
      if (value === "differs") return (step) => log.hasFlag(step, Flag.differs);
      if (value === "unchanged") return (step) => log.hasFlag(step, Flag.unchanged);
      if (value === "changed") return (step) => log.stepChanges.values[step] >= 0 && !log.hasFlag(step, Flag.unchanged);
      if (value === "bookmarked") return (step) => model.bookmarks.has(step);
      if (value === "note" || value === "gap" || value === "external" || value === "excluded") {
        return (step) => log.stepKinds.values[step] === Kind[value];
      }
      break;
  }
  return textTest(text, model);
}

const rangePattern = /^([\d.:]*?)(m?s)?\.\.([\d.:]*?|end)(m?s)?$/;

function isRange(word) {
  return word !== ".." && rangePattern.test(word);
}

function stepsOfRange(word, model) {
  const [, first, firstUnit, last, lastUnit] = (isRange(word) ? rangePattern.exec(word) : null) ?? [];
  if (first === undefined) return undefined;
  const { log } = model;
  const seqs = log.stepSeqs.values;
  const times = log.stepTimes.values;
  const from = microseconds(first, firstUnit);
  const to = microseconds(last, lastUnit);
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
  let start = 0;
  if (first !== "") {
    const isTime = firstUnit !== undefined || first.includes(":");
    if (isTime) while (start < log.stepCount && !(start > 0 && times[start] >= from)) start += 1;
    else if (Number(first) > 0) while (start < log.stepCount && !(start > 0 && seqs[start] >= Number(first))) start += 1;
  }
  let end = log.stepCount - 1;
  if (last !== "" && last !== "end") {
    const isTime = lastUnit !== undefined || last.includes(":");
    if (isTime) while (end > 0 && !(times[end] <= to)) end -= 1;
    else while (end > 0 && seqs[end] > Number(last)) end -= 1;
  }
  return [start, end];
}

function microseconds(text, unit) {
  if (text === "" || text === "end") return unit === undefined ? 0 : NaN;
  const parts = text.split(":").map((part) => (part === "" ? NaN : Number(part)));
  if (unit === undefined && parts.length === 1 && !/^\d+$/.test(text)) return NaN;
  return parts.reduce((sum, part) => sum * 60 + part, 0) * (unit === "ms" ? 1e3 : 1e6);
}

function rangeOfQuery(query, model) {
  for (const word of queryWords(query)) {
    const steps = stepsOfRange(word, model);
    if (steps !== undefined) return steps;
  }
  return undefined;
}

function queryWithRange(query, range) {
  const words = rawWords(query).filter((word) => !isRange(word));
  return [...(range === undefined ? [] : [range]), ...words].join(" ");
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
  const { vocabulary } = model;
  const regex = caseRegex(word, !isKnownCase(word, model));
  const isByShape = !/\[[^*\]]/.test(word);
  const known = [];
  return (step) => {
    if (!isAction(step, model)) return false;
    const shape = isByShape && step < vocabulary.stepShapes.length ? vocabulary.stepShapes.values[step] : -1;
    if (shape < 0) return regex.test(joinedCases(model.makeTitle(step)));
    return (known[shape] ??= regex.test(joinedCases(vocabulary.shapes[shape].title)));
  };
}

function isKnownCase(word, model) {
  const regex = caseRegex(word, false);
  return model.vocabulary.shapes.some(({ title, count }) => count > 0 && regex.test(joinedCases(title)));
}

function knownCases(query, model) {
  return queryWords(query).map(parsedWord).filter(({ kind }) => kind === "case").map(({ value }) => isKnownCase(value, model)).join();
}

function joinedCases(text) {
  return text.replace(/\(\./g, ".");
}

function caseRegex(word, isPrefix) {
  const wanted = joinedCases(word.replace(/\[#/g, "[")).replace(/\)+$/, "");
  const pattern = wanted.split(/\[\*?\]/).map(escapePattern).join("\\[[^\\]]*\\]");
  return new RegExp(`^[^(]*?${pattern.startsWith("\\.") ? "" : "\\."}${pattern}${isPrefix ? "" : "(?![\\p{L}\\p{N}_])"}`, "iu");
}

function isAction(step, model) {
  const kind = model.log.stepKinds.values[step];
  return kind === Kind.action || kind === Kind.withheld;
}

function toldWords(query, model) {
  return queryWords(query).flatMap((typed) => {
    const told = toldWord(typed, model);
    return told === undefined ? [] : [told];
  });
}

function toldWord(typed, model) {
  const { isExcluded, text, kind, value } = parsedWord(typed);
  const sign = isExcluded ? "-" : "";
  const found = (/** @type {string} */ problem, /** @type {string | undefined} */ meant) => ({ typed, problem, meant: meant === undefined ? undefined : sign + meant });
  const prefixed = (/** @type {string | undefined} */ word) => (word === undefined ? undefined : text.startsWith(`${kind}:`) ? `${kind}:${word}` : word);
  const hasSteps = () => {
    const test = wordTest(text, model);
    for (let step = 0; step < model.log.stepCount; step += 1) if (test(step)) return true;
    return false;
  };
  switch (kind) {
    case "is": return isWords.includes(value) ? undefined : found(`'${text}' is not a filter`, prefixed(closestWord(value, isWords)));
    case "from":
      if (fromWords.includes(value)) return undefined;
      return /^\d+$/.test(value) ? undefined : found(`'${text}' is not a sender`, prefixed(closestWord(value, fromWords)));
    case "case": return hasSteps() ? undefined : found(`no action has the case '${value}'`, prefixed(closestPath(value, [...model.vocabulary.cases.keys()])));
    case "path": return hasSteps() ? undefined : found(`no action changed '${value}'`, prefixed(closestPath(value, [...model.vocabulary.places.keys()])));
    case "effect": {
      const { effects } = model.log;
      if (effects.some((effect) => isCalled(effect, value))) return undefined;
      return found(`no effect is called '${value}'`, prefixed(closestWord(value, [...new Set(effects.map(({ label }) => label))].slice(0, 1000))));
    }
    default: {
      const [, name, rest] = /^([A-Za-z]{2,8}):(?!\/\/)(.*)$/.exec(text) ?? [];
      const near = name === undefined ? undefined : closestWord(name, wordKinds);
      return near === undefined ? undefined : found(`'${name}:' is not a kind of filter, and is looked for as text`, `${near}:${rest}`);
    }
  }
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
  const matches = (/** @type {number} */ step, /** @type {string[]} */ tokens) =>
    tokens.length === 0 || regex.test(isPointer ? pointerText(tokens) : model.placeText(step, tokens));
  const known = new Map();
  const isPlace = (/** @type {number} */ step, /** @type {string} */ pointer) => {
    const found = known.get(pointer);
    if (found !== undefined) return found;
    const tokens = pointerTokens(pointer.includes("\\") ? JSON.parse(`"${pointer}"`) : pointer);
    const isFound = matches(step, tokens);
    if (known.size < mostKnown && (isPointer || model.fixedPlaceText(tokens) !== undefined)) known.set(pointer, isFound);
    return isFound;
  };
  return (step) => {
    const line = log.stepChanges.values[step];
    if (line < 0) return false;
    const text = log.line(line);
    if (first !== undefined && !text.includes(`"/${first}`) && !text.includes('"path":""')) return false;
    if (!likelyPointers(text).some((pointer) => isPlace(step, pointer))) return false;
    if (flatPatch.test(text)) return true;
    return model.operations(step).some(({ path, from }) => matches(step, path) || (from !== undefined && matches(step, from)));
  };
}

const mostKnown = 20_000;

const flatPatch = /"patch":\[(?:\{"op":"[a-z]+","path":"[^"]*"(?:,"value":(?:[-\d.eE+]+|true|false|null|"[^"\\]*"|\{\}|\[\]))?\},?)*\]/;

function isCalled(effect, word) {
  return effect.id === word || `${effect.label} ${effect.source}`.toLowerCase().includes(word.toLowerCase());
}

function effectTest(value, model) {
  const { log } = model;
  const ids = new Set();
  let known = 0;
  return (step) => {
    for (; known < log.effects.length; known += 1) {
      const effect = log.effects[known];
      if (isCalled(effect, value)) ids.add(effect.id);
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
  const words = rawWords(query);
  const quoted = /\s/.test(word) ? word.replace(/^(\w+:)?(.*)$/, '$1"$2"') : word;
  return (words.includes(quoted) ? words.filter((other) => other !== quoted) : [...words, quoted]).join(" ");
}

function rawWords(query) {
  return [...query.matchAll(/([^\s"]*"[^"]*"|\S+)/g)].map((match) => match[0]);
}

class Filter {
  constructor(query, model) {
    this.query = query;
    this.model = model;
    this.isActive = queryWords(query).length > 0;
    this.test = undefined;
    this.otherTest = undefined;
    this.hits = [];
    this.position = 0;
    this.shapeCount = -1;
    this.cases = "";
    this.knownTold = undefined;
  }

  get isDone() {
    return !this.isActive || (this.test !== undefined && this.position >= this.rowCount);
  }

  get rowCount() {
    return this.model.rows?.length ?? this.model.log.stepCount;
  }

  forget(step) {
    this.knownTold = undefined;
    this.position = Math.min(this.position, Math.max(step, 0));
    while (this.hits.length > 0 && this.hits[this.hits.length - 1] >= step) this.hits.pop();
  }

  run(isDue) {
    if (!this.isActive) return;
    const { model } = this;
    for (const { vocabulary } of model.otherView === undefined ? [model] : [model, model.otherView]) {
      vocabulary.run(isDue);
      if (!vocabulary.isDone) return;
    }
    this.takeCases();
    this.test ??= filterTest(this.query, model);
    if (this.test === undefined) return;
    if (model.otherView !== undefined) this.otherTest ??= filterTest(this.query, model.otherView);
    const { rows } = model;
    const count = this.rowCount;
    while (this.position < count) {
      const id = rows === undefined ? this.position : rows[this.position];
      if (id >= 0 ? this.test(id) : this.otherTest?.(-1 - id) === true) this.hits.push(this.position);
      this.position += 1;
      if (this.position % 64 === 0 && isDue()) return;
    }
  }

  takeCases() {
    const { shapes } = this.model.vocabulary;
    if (this.shapeCount === shapes.length) return;
    this.shapeCount = shapes.length;
    const cases = knownCases(this.query, this.model);
    if (this.cases === cases) return;
    this.cases = cases;
    [this.test, this.otherTest, this.position, this.hits] = [undefined, undefined, 0, []];
  }

  get told() {
    if (!this.isActive || !this.isDone) return [];
    return (this.knownTold ??= toldWords(this.query, this.model));
  }

  get range() {
    return this.isActive ? rangeOfQuery(this.query, this.model) : undefined;
  }

  get count() {
    return this.isActive ? this.hits.length : this.rowCount;
  }

  step(row) {
    const place = this.isActive ? this.hits[row] : row;
    return this.model.rows === undefined || place === undefined ? place : this.model.rows[place];
  }

  row(step) {
    const place = this.model.rows === undefined ? step : this.model.places.get(step) ?? -1;
    if (!this.isActive) return place;
    let low = 0;
    let high = this.hits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hits[middle] <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

// completion.mjs

const mostCompletions = 9;
const kindNotes = /** @type {Record<string, string>} */ ({
  path: "what changed a place", effect: "what an effect did", case: "actions by case", from: "by sender", is: "what is known of it",
});

function wordAt(query, caret) {
  for (const match of query.matchAll(/[^\s"]*"[^"]*"?|\S+/g)) {
    const start = match.index ?? 0;
    const end = start + match[0].length;
    if (start <= caret && caret <= end) return [start, end];
  }
  return [caret, caret];
}

function completions(query, caret, model) {
  const [start, end] = wordAt(query, caret);
  const typed = query.slice(start, end).replace(/"/g, "");
  const sign = typed.startsWith("-") ? "-" : "";
  const word = typed.slice(sign.length);
  const found = wordCompletions(word, model).filter((completion) => completion.word !== word);
  return found.slice(0, mostCompletions).map(({ word: text, note }) => ({ word: sign + (/\s/.test(text) ? text.replace(/^(\w+:)?(.*)$/, '$1"$2"') : text), note }));
}

function completed(query, caret, word) {
  const [start, end] = wordAt(query, caret);
  const text = word.endsWith(":") ? word : `${word} `;
  const rest = query.slice(end).replace(/^\s+/, "");
  return { query: query.slice(0, start) + text + rest, caret: start + text.length };
}

function wordCompletions(word, model) {
  const kind = wordKinds.find((name) => word.startsWith(`${name}:`));
  const value = kind === undefined ? word : word.slice(kind.length + 1);
  if (kind === undefined && !word.startsWith(".")) {
    const kinds = wordKinds.filter((name) => name.startsWith(word.toLowerCase())).map((name) => ({ word: `${name}:`, note: kindNotes[name] }));
    const cases = word.length < 2 ? [] : ranked(model.vocabulary.cases, word, "action").slice(0, 4);
    const places = word.length < 2 ? [] : ranked(model.vocabulary.places, word, "change").slice(0, 3).map(({ word: place, note }) => ({ word: `path:${place}`, note }));
    return [...kinds, ...cases, ...places];
  }
  switch (kind ?? "case") {
    case "case": return ranked(model.vocabulary.cases, value, "action").map(({ word: path, note }) => ({ word: kind === undefined ? path : `case:${path}`, note }));
    case "path": return ranked(model.vocabulary.places, value, "change").map(({ word: place, note }) => ({ word: `path:${place}`, note }));
    case "effect": return ranked(effectNames(model), value, "effect").map(({ word: name, note }) => ({ word: `effect:${name}`, note }));
    case "from": return fromWords.filter((name) => name.startsWith(value)).map((name) => ({ word: `from:${name}`, note: "" }));
    default: return isWords.filter((name) => name.startsWith(value)).map((name) => ({ word: `is:${name}`, note: "" }));
  }
}

function ranked(names, typed, noun) {
  const text = typed.toLowerCase();
  const last = text.replace(/^\./, "");
  const rank = (/** @type {string} */ name) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(text)) return 0;
    if (stepNames(lower).some((step) => step.startsWith(last))) return 1;
    return lower.includes(text) ? 2 : 3;
  };
  return [...names].map(([name, count]) => ({ name, count, rank: rank(name) })).filter((found) => found.rank < 3)
    .sort((a, b) => a.rank - b.rank || b.count - a.count || (a.name < b.name ? -1 : 1))
    .map(({ name, count }) => ({ word: name, note: `${count.toLocaleString("en-US")} ${count === 1 ? noun : `${noun}s`}` }));
}

function effectNames(model) {
  const names = new Map();
  for (const { label, op } of model.log.effects) {
    if (op === "run" && label !== "" && (names.has(label) || names.size < 1000)) names.set(label, (names.get(label) ?? 0) + 1);
  }
  return names;
}

// film.mjs

const tall = 112;
const gap = 8;
const beyond = 1;
const narrowest = 52;
const widest = 190;

class Film {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.room = part("film");
    this.space = part("filmspace");
    this.glance = part("glance");
    this.current = -1;
    this.width = narrowest;
    this.drawn = new Map();
    this.isDue = false;
    this.left = 0;
    this.visible = 0;
    this.isMoved = false;
    this.room.addEventListener("scroll", () => {
      this.hideGlance();
      if (this.isMoved) return;
      this.left = this.room.scrollLeft;
      this.draw();
    });
    new ResizeObserver(() => {
      this.visible = this.room.clientWidth;
      if (!this.isMoved) this.left = this.room.scrollLeft;
      this.draw();
    }).observe(this.room);
  }

  get frames() {
    return this.model.pictures?.frames ?? [];
  }

  get length() {
    return this.frames.length * (this.width + gap) + gap;
  }

  begin() {
    const { frames } = this;
    if (frames.length === 0) return;
    part("pictures").hidden = false;
    part("panes").querySelector('[data-pane="film"]').hidden = false;
    const shape = frames.find(({ picture }) => picture !== undefined)?.picture;
    if (shape !== undefined) this.width = Math.min(Math.max(Math.round((tall * shape.width) / Math.max(shape.height, 1)), narrowest), widest);
    this.space.style.width = `${this.length}px`;
    this.visible = this.room.clientWidth;
    this.draw();
  }

  select(seq) {
    const { pictures } = this.model;
    if (pictures === undefined) return;
    this.current = pictures.placeOf(seq);
    const left = this.current * (this.width + gap);
    if (left < this.left || left + this.width + 2 * gap > this.left + this.visible) {
      const middle = left - this.visible / 2 + this.width / 2;
      this.left = Math.max(0, Math.min(middle, this.length - this.visible));
      this.isMoved = true;
    }
    for (const [place, frame] of this.drawn) this.mark(frame, place);
    this.draw();
  }

  mark(frame, place) {
    frame.setAttribute("aria-current", String(place === this.current));
    frame.tabIndex = place === Math.max(this.current, 0) ? 0 : -1;
  }

  draw() {
    if (this.isDue || this.frames.length === 0) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.drawNow();
    });
  }

  drawNow() {
    const step = this.width + gap;
    const first = Math.max(Math.floor(this.left / step) - beyond, 0);
    const end = Math.min(Math.ceil((this.left + this.visible) / step) + beyond, this.frames.length);
    for (const [place, frame] of this.drawn) {
      if (place >= first && place < end) continue;
      frame.remove();
      this.drawn.delete(place);
    }
    for (let place = first; place < end; place += 1) {
      if (this.drawn.has(place)) continue;
      const frame = this.frame(place);
      this.drawn.set(place, frame);
      const next = [...this.drawn.keys()].filter((other) => other > place).sort((a, b) => a - b)[0];
      this.space.insertBefore(frame, next === undefined ? null : this.drawn.get(next));
    }
    if (!this.isMoved) return;
    this.isMoved = false;
    this.room.scrollLeft = this.left;
  }

  frame(place) {
    const frame = this.frames[place];
    const { first, last, picture, note } = frame;
    const name = first === last ? `${first}` : `${first}–${last}`;
    const label = `${first === 0 ? "before the first action" : `after action ${first}`}: ${picture?.text || note || "no description"}`;
    const made = element("button.frame", {
      type: "button", "aria-label": label, onclick: () => this.go(first), onpointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && this.showGlance(made, frame),
      onpointerleave: () => this.hideGlance(), onfocus: () => made.matches(":focus-visible") && this.showGlance(made, frame), onblur: () => this.hideGlance(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event, place),
    }, this.model.pictures?.image(frame, true), element("span.name", {}, name));
    made.style.left = `${gap + place * (this.width + gap)}px`;
    made.style.width = `${this.width}px`;
    this.mark(made, place);
    return made;
  }

  go(seq) {
    const step = seq === 0 ? 0 : this.model.log.stepOfSeq(seq);
    if (step >= 0) this.actions.select(step);
  }

  key(event, place) {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = this.frames[place + by];
    if (by === 0 || next === undefined || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(next.first);
    this.drawNow();
    this.drawn.get(place + by)?.focus();
  }

  showGlance(over, frame) {
    const { glance } = this;
    const { pictures } = this.model;
    if (frame.picture === undefined || pictures === undefined) return;
    glance.replaceChildren(pictures.image(frame), element("p", {}, frame.picture.text));
    glance.hidden = false;
    const box = over.getBoundingClientRect();
    const top = box.bottom + 6;
    const room = innerHeight - top - 60;
    const { width, height } = frame.picture;
    const scale = Math.min(1, Math.max(room, 120) / height, (innerWidth - 32) / width);
    glance.firstElementChild.style.width = `${Math.round(width * scale)}px`;
    glance.firstElementChild.style.height = `${Math.round(height * scale)}px`;
    const wide = glance.offsetWidth;
    glance.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - wide / 2, innerWidth - wide - 8))}px`;
    glance.style.top = `${top}px`;
  }

  hideGlance() {
    if (this.glance.hidden) return;
    this.glance.hidden = true;
    this.glance.replaceChildren();
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

// scale.mjs

const edge = 8;
const fewestSteps = 8;
const ticksApart = 84;
const mostTicks = 200;

function steadyTimes(times, count) {
  const steady = new Float64Array(count);
  let time = NaN;
  for (let step = 1; step < count && Number.isNaN(time); step += 1) if (Number.isFinite(times[step])) time = times[step];
  for (let step = 0; step < count; step += 1) {
    if (step > 0 && Number.isFinite(times[step]) && times[step] > time) time = times[step];
    steady[step] = time;
  }
  return steady;
}

function stepPositions(times, count) {
  const steady = steadyTimes(times, count);
  const positions = new Float64Array(count);
  const first = steady[0];
  const span = Math.max(steady[count - 1] - first, 1);
  for (let step = 0; step < count; step += 1) {
    const order = step / Math.max(count - 1, 1);
    positions[step] = 0.5 * order + 0.5 * (Number.isNaN(first) ? order : (steady[step] - first) / span);
  }
  return positions;
}

class Scale {
  constructor() {
    this.width = 1;
    this.from = 0;
    this.to = 1;
    this.positions = new Float64Array(0);
    this.times = new Float64Array(0);
  }

  measure(times, count) {
    this.times = steadyTimes(times, count);
    this.positions = stepPositions(times, count);
  }

  get isWhole() {
    return this.from <= 0 && this.to >= 1;
  }

  xOf(position) {
    return edge + ((position - this.from) / (this.to - this.from)) * Math.max(this.width - 2 * edge, 1);
  }

  positionAt(x) {
    return this.from + ((x - edge) / Math.max(this.width - 2 * edge, 1)) * (this.to - this.from);
  }

  x(step) {
    return this.xOf(this.positions[step] ?? 0);
  }

  stepAt(x) {
    const position = this.positionAt(x);
    const after = this.firstFrom(position);
    const last = this.positions.length - 1;
    if (after > last) return Math.max(last, 0);
    return after > 0 && position - this.positions[after - 1] < this.positions[after] - position ? after - 1 : after;
  }

  firstFrom(position) {
    let low = 0;
    let high = this.positions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.positions[middle] < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get seen() {
    const slack = (edge / Math.max(this.width, 1)) * (this.to - this.from);
    return [this.firstFrom(this.from - slack), this.firstFrom(this.to + slack)];
  }

  zoom(factor, x) {
    const at = this.positionAt(x);
    const share = (at - this.from) / (this.to - this.from);
    const least = Math.min(fewestSteps / Math.max(this.positions.length, 1), 1) / 2;
    const span = Math.min(Math.max((this.to - this.from) / factor, least), 1);
    this.place(at - share * span, span);
  }

  pan(by) {
    const span = this.to - this.from;
    this.place(this.from + (by / Math.max(this.width, 1)) * span, span);
  }

  fit(first, last) {
    const [from, to] = [this.positions[first] ?? 0, this.positions[last] ?? 1];
    const least = Math.min(fewestSteps / Math.max(this.positions.length, 1), 1) / 2;
    const span = Math.min(Math.max((to - from) * 1.06, least), 1);
    this.place((from + to - span) / 2, span);
  }

  showAll() {
    this.place(0, 1);
  }

  reveal(step) {
    const position = this.positions[step] ?? 0;
    const span = this.to - this.from;
    if (position < this.from || position > this.to) this.place(position - span / 2, span);
  }

  place(from, span) {
    this.from = Math.min(Math.max(from, 0), 1 - span);
    this.to = this.from + span;
  }

  positionOfTime(time) {
    const { positions, times } = this;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return positions[0] ?? 0;
    if (low >= times.length) return positions[times.length - 1];
    const share = (time - times[low - 1]) / Math.max(times[low] - times[low - 1], 1e-9);
    return positions[low - 1] + share * (positions[low] - positions[low - 1]);
  }

  timeOf(position) {
    const { positions, times } = this;
    const after = this.firstFrom(position);
    if (after === 0) return times[0];
    if (after >= times.length) return times[times.length - 1];
    const share = (position - positions[after - 1]) / Math.max(positions[after] - positions[after - 1], 1e-12);
    return times[after - 1] + share * (times[after] - times[after - 1]);
  }

  ticks() {
    const [start, end] = [this.timeOf(this.from), this.timeOf(this.to)];
    if (!(end > start)) return [];
    const ticks = [];
    let left = edge - ticksApart;
    const coarsest = niceStep((end - start) / Math.max(this.width / ticksApart / 2, 1));
    for (let time = Math.ceil(start / coarsest) * coarsest; time <= end && ticks.length < mostTicks; time += coarsest) {
      const x = this.xOf(this.positionOfTime(time));
      if (x < Math.max(left + ticksApart, 0) || x > this.lastTick) continue;
      this.addFiner(ticks, left, x, coarsest);
      ticks.push({ x, time, text: tickText(time, coarsest) });
      left = x;
    }
    this.addFiner(ticks, left, this.lastTick + ticksApart, coarsest);
    return ticks;
  }

  get lastTick() {
    return this.width - edge - 44;
  }

  addFiner(ticks, left, right, coarsest) {
    if (right - left < 2 * ticksApart || ticks.length >= mostTicks) return;
    const middle = this.timeOf(this.positionAt((left + right) / 2));
    for (const step of stepsBelow(coarsest)) {
      const time = Math.round(middle / step) * step;
      const x = this.xOf(this.positionOfTime(time));
      if (x < left + ticksApart || x > right - ticksApart) continue;
      this.addFiner(ticks, left, x, step);
      ticks.push({ x, time, text: tickText(time, step) });
      this.addFiner(ticks, x, right, step);
      return;
    }
  }
}

function niceStep(microseconds) {
  const hour = 3600e6;
  if (microseconds >= hour) return hour * decimalStep(microseconds / hour);
  for (const step of [1800e6, 600e6, 300e6, 60e6, 30e6]) if (microseconds >= step) return step;
  return decimalStep(microseconds);
}

function decimalStep(microseconds) {
  const power = 10 ** Math.floor(Math.log10(Math.max(microseconds, 1)));
  return microseconds >= 5 * power ? 5 * power : microseconds >= 2 * power ? 2 * power : power;
}

function* stepsBelow(coarsest) {
  let step = coarsest;
  while (step >= 1) {
    yield step;
    step = step > 1e6 ? (step % 10e6 === 0 ? step / 2 : 1e6) : step / (String(step)[0] === "5" ? 5 : 2);
  }
}

function tickText(time, step) {
  const digits = step >= 1e6 ? 0 : Math.min(6, Math.ceil(6 - Math.log10(step)));
  const seconds = time / 1e6;
  if (seconds < 60) return `${seconds.toFixed(digits)} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, "0");
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

// historyview.mjs

const mostRows = 2000;
const longestShort = 24;
const chartHeight = 92;
const chartMargin = 14;

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
    this.values = [];
    this.selected = -1;
    this.chart = element("canvas.chart", { role: "slider", tabindex: 0 });
    this.listenToChart();
    new ResizeObserver(() => this.drawChart()).observe(this.pane);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawChart());
  }

  listenToChart() {
    const { chart } = this;
    let isDown = false;
    const go = (/** @type {PointerEvent} */ event) => {
      const index = this.valueAt(event.offsetX);
      if (this.steps[index] !== undefined && this.steps[index] !== this.selected) this.actions.select(this.steps[index]);
    };
    chart.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      isDown = true;
      chart.setPointerCapture(event.pointerId);
      go(event);
    });
    chart.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      const index = this.valueAt(event.offsetX);
      if (index >= 0) chart.title = this.describe(index);
      if (isDown) go(event);
    });
    chart.addEventListener("pointerup", () => {
      isDown = false;
    });
    chart.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      const last = this.steps.length - 1;
      const index = event.key === "Home" ? 0 : event.key === "End" ? last : by === undefined ? -1 : Math.min(Math.max(this.current + by, 0), last);
      if (index < 0) return;
      event.preventDefault();
      event.stopPropagation();
      this.actions.select(this.steps[index]);
    });
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
    const copies = element("span.copies", {}, copyButton("place", () => name), copyButton("value", () => this.currentText),
      ...(path.length === 0 ? [] : [copyButton("blame command", () => blameCommand(model, this.selected, name), "blame")]));
    const filter = element("button", { type: "button", title: "filter the list by it", onclick: () => this.actions.toggle(`path:${model.placeText(step, path)}`) }, "Filter");
    const close = element("button", { type: "button", title: "Close (Escape)", onclick: () => this.close() }, "Close");
    this.pane.replaceChildren(element("h2", {}, element("span.code", {}, name), copies, count, filter, close), this.chart, table);
    this.chart.hidden = true;
    this.selected = step;
    this.pane.hidden = false;
    this.steps = [];
    this.values = [];
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
        if (row.querySelector(".v").textContent.length > longestShort) table.classList.add("stacked");
        if (next.value.isLater) {
          table.append(row);
          this.steps.push(next.value.step);
          this.values.push(next.value.value);
        } else {
          table.prepend(row);
          this.steps.unshift(next.value.step);
          this.values.unshift(next.value.value);
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

  reveal(row) {
    const [own, pane] = [row.getBoundingClientRect(), this.pane.getBoundingClientRect()];
    const head = this.pane.querySelector("h2")?.getBoundingClientRect().height ?? 0;
    if (own.top < pane.top + head) this.pane.scrollTop -= pane.top + head - own.top;
    else if (own.bottom > pane.bottom) this.pane.scrollTop += own.bottom - pane.bottom;
  }

  get current() {
    let found = -1;
    this.steps.forEach((step, index) => {
      if (step <= this.selected) found = index;
    });
    return found;
  }

  get currentText() {
    const value = this.values[this.current];
    return value === undefined ? "" : this.model.notation.limited(noLimits).lines(value);
  }

  describe(index) {
    const { model } = this;
    const value = this.values[index] === undefined ? "nothing" : model.notation.value(this.values[index]);
    const step = this.steps[index];
    return step === 0 ? `${value} at the start` : `${value} since action ${model.log.stepSeqs.values[step]}, ${timeText(model.log.stepTimes.values[step])}`;
  }

  valueAt(x) {
    return Math.max(valueAtPosition(this.chartPlaces().positions, x), 0);
  }

  chartPlaces() {
    const { log } = this.model;
    const width = Math.max(this.chart.clientWidth, 1);
    const all = stepPositions(log.stepTimes.values, log.stepCount);
    const x = (/** @type {number} */ step) => edge + all[step] * (width - 2 * edge);
    return { width, positions: this.steps.map(x), x };
  }

  drawChart() {
    const { chart } = this;
    const found = this.isOpen ? numbersOf(this.values) : undefined;
    chart.hidden = found === undefined;
    if (found === undefined) return;
    const { numbers, isBoolean } = found;
    const { width, positions, x } = this.chartPlaces();
    const ratio = devicePixelRatio || 1;
    [chart.width, chart.height] = [Math.round(width * ratio), Math.round(chartHeight * ratio)];
    const context = chart.getContext("2d");
    context.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const range = rangeOf(numbers);
    const y = (/** @type {number} */ number) => chartHeight - chartMargin - heightOf(number, range) * (chartHeight - 2 * chartMargin);
    context.fillStyle = color("dim");
    context.font = "10.5px system-ui, sans-serif";
    const label = (/** @type {number} */ number) => (isBoolean ? String(number === 1) : String(number));
    context.fillText(label(range[1]), edge, range[1] === range[0] ? chartHeight - 3 : 10);
    if (range[1] !== range[0]) context.fillText(label(range[0]), edge, chartHeight - 3);
    context.strokeStyle = color("effect-run");
    context.lineWidth = 1.5;
    context.beginPath();
    numbers.forEach((number, index) => {
      if (number === undefined) return;
      const end = positions[index + 1] ?? width - edge;
      const isJoined = index > 0 && numbers[index - 1] !== undefined;
      if (isJoined) context.lineTo(positions[index], y(number));
      else context.moveTo(positions[index], y(number));
      context.lineTo(end, y(number));
    });
    context.stroke();
    context.fillStyle = color("effect-run");
    if (numbers.length * 4 < width) numbers.forEach((number, index) => {
      if (number === undefined) return;
      context.beginPath();
      context.arc(positions[index], y(number), 2.5, 0, 2 * Math.PI);
      context.fill();
    });
    const { current } = this;
    context.fillStyle = color("accent");
    context.fillRect(x(this.selected) - 0.75, 0, 1.5, chartHeight);
    const number = numbers[current];
    if (number !== undefined) {
      context.beginPath();
      context.arc(positions[current], y(number), 4.5, 0, 2 * Math.PI);
      context.fill();
    }
    chart.setAttribute("aria-label", `Values of ${this.pane.querySelector("h2 .code")?.textContent ?? ""}`);
    chart.setAttribute("aria-valuemin", "0");
    chart.setAttribute("aria-valuemax", String(numbers.length - 1));
    chart.setAttribute("aria-valuenow", String(Math.max(current, 0)));
    chart.setAttribute("aria-valuetext", this.describe(Math.max(current, 0)));
  }

  mark(step) {
    this.selected = step;
    const last = this.steps[this.current] ?? -1;
    this.drawChart();
    for (const row of this.pane.querySelectorAll("tr")) {
      const isNow = Number(row.dataset.step) === last;
      row.classList.toggle("now", isNow);
      if (isNow && this.chart.hidden) this.reveal(row);
    }
    return last;
  }
}

// lanes.mjs

const mostLanes = 200;

function assignLanes(log) {
  const bars = [];
  const ends = [];
  let hidden = 0;
  const last = log.stepCount - 1;
  log.effects.forEach((effect, index) => {
    const end = effect.end < 0 ? last : effect.end;
    if (effect.op === "cancel" || (effect.op === "send" && effect.end < 0)) return;
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

// timeline.mjs

const rulerHeight = 16;
const barsHeight = 26;
const dotsHeight = 14;
const scrubberHeight = rulerHeight + barsHeight + dotsHeight;
const laneHeight = 19;
const dragStart = 4;
const grip = 7;
const zoomFactor = 1.25;
const mostListed = 5;
const endingColors = ["effect-run", "effect-done", "cancelled", "failed"];

function listed(words) {
  return words.length > mostListed ? `${words.slice(0, mostListed).join(", ")} and ${words.length - mostListed} more` : words.join(", ");
}

function laneName(effect) {
  return effect.label || (effect.op === "send" ? "send" : "effect");
}

class Timeline {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.scrubber = part("scrubber");
    this.lanes = part("lanes");
    this.laneRoom = part("laneroom");
    this.tip = part("tip");
    this.scale = new Scale();
    this.selected = 0;
    this.window = undefined;
    this.dragged = undefined;
    this.marks = { bookmarks: new Set(), pinned: -1 };
    this.layout = { bars: [], laneCount: 0, hidden: 0 };
    this.drawn = new Map();
    this.scale.width = this.scrubber.clientWidth;
    this.isDue = false;
    this.listen();
  }

  listen() {
    const { scrubber, lanes, laneRoom, scale } = this;
    let from = -1;
    let isOnGrip = false;
    const isAtGrip = (/** @type {PointerEvent} */ event) => event.offsetY < rulerHeight && Math.abs(event.offsetX - scale.x(this.selected)) <= grip;
    scrubber.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      if (event.button !== 0) return;
      scrubber.setPointerCapture(event.pointerId);
      from = event.offsetX;
      isOnGrip = isAtGrip(event);
    });
    scrubber.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      scrubber.style.cursor = isOnGrip || isAtGrip(event) ? "ew-resize" : "crosshair";
      const step = scale.stepAt(event.offsetX);
      if (from >= 0 && isOnGrip) {
        this.actions.select(step, true);
      } else if (from >= 0 && (this.dragged !== undefined || Math.abs(event.offsetX - from) >= dragStart)) {
        const steps = [scale.stepAt(from), step].sort((a, b) => a - b);
        this.dragged = [steps[0], steps[1]];
        this.draw();
      }
      this.showTip(event, this.dragged === undefined ? this.describe(step) : this.describeWindow(this.dragged));
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (from < 0) return;
      const { dragged } = this;
      [from, this.dragged] = [-1, undefined];
      if (event.type === "pointercancel") this.draw();
      else if (dragged !== undefined) this.actions.window(dragged[0], dragged[1]);
      else if (!isOnGrip) this.actions.select(scale.stepAt(event.offsetX));
      isOnGrip = false;
    };
    scrubber.addEventListener("pointerup", end);
    scrubber.addEventListener("pointercancel", end);
    scrubber.addEventListener("pointerleave", () => this.hideTip());
    lanes.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.showTip(event, this.describeLane(event)));
    lanes.addEventListener("pointerleave", () => this.hideTip());
    lanes.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const bar = this.barAt(event.offsetX, event.offsetY);
      this.actions.select(bar === undefined ? scale.stepAt(event.offsetX) : this.model.log.effects[bar.index].start);
    });
    laneRoom.addEventListener("scroll", () => {
      this.drawn.delete(lanes);
      this.draw();
    });
    laneRoom.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const isScrolling = ["ArrowUp", "ArrowDown", "PageUp", "PageDown"].includes(event.key) && !event.shiftKey;
      if (isScrolling && laneRoom.scrollHeight > laneRoom.clientHeight) event.stopPropagation();
    });
    const wheel = (/** @type {WheelEvent} */ event, /** @type {boolean} */ isScrolled) => {
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
        event.preventDefault();
        scale.pan(event.deltaX || event.deltaY);
      } else if (!isScrolled || event.ctrlKey || event.metaKey) {
        event.preventDefault();
        scale.zoom(event.deltaY > 0 ? 1 / zoomFactor : zoomFactor, event.offsetX);
      } else {
        return;
      }
      this.redraw();
    };
    scrubber.addEventListener("wheel", (/** @type {WheelEvent} */ event) => wheel(event, false), { passive: false });
    lanes.addEventListener("wheel", (/** @type {WheelEvent} */ event) => wheel(event, laneRoom.scrollHeight > laneRoom.clientHeight), { passive: false });
    part("zoomin").addEventListener("click", () => this.zoom(2));
    part("zoomout").addEventListener("click", () => this.zoom(0.5));
    part("zoomall").addEventListener("click", () => this.showAll());
    part("foldlanes").addEventListener("click", () => this.actions.fold());
    new ResizeObserver(() => {
      scale.width = scrubber.clientWidth;
      this.redraw();
    }).observe(scrubber);
    new ResizeObserver(() => this.redraw()).observe(laneRoom);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  measure() {
    const { log } = this.model;
    this.scale.measure(log.stepTimes.values, log.stepCount);
    this.layout = assignLanes(log);
    const { laneCount, hidden } = this.layout;
    part("lanespace").style.height = `${laneCount * laneHeight}px`;
    const name = laneCount === 0 ? "No effects" : `${counted(this.layout.bars.length + hidden, "effect")} in ${counted(laneCount, "lane")}`;
    part("lanecount").textContent = hidden > 0 ? `${name}, ${hidden} not shown` : name;
    part("foldlanes").disabled = laneCount === 0;
    this.laneRoom.classList.toggle("none", laneCount === 0);
    this.showLegend();
    this.redraw();
  }

  showLegend() {
    const { log } = this.model;
    const found = new Set();
    for (let step = 1; step < log.stepCount; step += 1) {
      found.add(log.stepSenders.values[step] <= 0 ? "view" : "sent");
      if (this.model.isOpen(step) || log.hasFlag(step, Flag.differs) || log.stepKinds.values[step] === Kind.gap) found.add("bad");
      else if (log.hasFlag(step, Flag.unfinished)) found.add("open");
      else if (log.hasFlag(step, Flag.failed)) found.add("failed");
    }
    for (const { ending } of log.effects) if (ending === Ending.cancelled) found.add("cancelled");
    else if (ending === Ending.failed) found.add("failed");
    if (log.effects.length > 0) found.add("fx");
    part("legend").replaceChildren(...timelineSigns.filter(([name]) => found.has(name)).map(([name, sign, text]) =>
      element("span", {}, element(`span.sign.${name}`, { "aria-hidden": "true" }, sign), ` ${text}`)));
  }

  select(step) {
    this.selected = step;
    const { from } = this.scale;
    this.scale.reveal(step);
    if (this.scale.from !== from) this.drawn.clear();
    const { scrubber } = this;
    scrubber.setAttribute("aria-valuemax", String(this.model.log.stepCount - 1));
    scrubber.setAttribute("aria-valuenow", String(step));
    scrubber.setAttribute("aria-valuetext", this.describe(step));
    this.draw();
  }

  zoom(factor) {
    const { scale } = this;
    const x = scale.x(this.selected);
    scale.zoom(factor, x >= 0 && x <= scale.width ? x : scale.width / 2);
    this.redraw();
  }

  showAll() {
    const { from, to } = this.scale;
    if (this.window !== undefined) this.scale.fit(...this.window);
    if (this.window === undefined || (this.scale.from === from && this.scale.to === to)) this.scale.showAll();
    this.redraw();
  }

  showWindow(steps) {
    this.window = steps;
    this.redraw();
  }

  showMarks(bookmarks, pinned) {
    this.marks = { bookmarks, pinned };
    this.draw();
  }

  barAt(x, y) {
    const { scale } = this;
    const lane = Math.floor((y + this.laneRoom.scrollTop) / laneHeight);
    return this.layout.bars.find((bar) => bar.lane === lane && x >= scale.x(bar.start) - 3 && x <= Math.max(scale.x(bar.end), scale.x(bar.start) + 4) + 7);
  }

  describe(step) {
    const { log } = this.model;
    if (step >= log.stepCount) return "";
    const seq = log.stepSeqs.values[step];
    return `${log.stepKinds.values[step] === Kind.action ? `${seq}  ` : ""}${this.model.title(step)}  ${timeText(log.stepTimes.values[step])}`;
  }

  describeWindow([first, last]) {
    const { log } = this.model;
    const actions = log.stepKinds.values.subarray(first, last + 1).filter((kind) => kind === Kind.action).length;
    return `${counted(actions, "action")}\n${this.describe(first)}\n${this.describe(last)}`;
  }

  describeLane(event) {
    const bar = this.barAt(event.offsetX, event.offsetY);
    if (bar === undefined) return this.describe(this.scale.stepAt(event.offsetX));
    const { log } = this.model;
    const effect = log.effects[bar.index];
    const seq = (/** @type {number} */ step) => log.stepSeqs.values[step];
    const lines = [log.effectName(effect.id), `started by action ${seq(effect.start)}`];
    if (effect.sent.length > 0) lines.push(`sent ${listed(effect.sent.slice(0, 1000).map((step) => `action ${seq(step)}`))}`);
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
    const event = ["", "finished", "cancelled", "failed"][effect.ending];
    const name = effect.ending === Ending.cancelled ? "canceled" : event;
    const text = `${name} after action ${log.stepSeqs.values[effect.end]}`;
    if (effect.ending === Ending.finished) return text;
    const turn = log.eventsOf(effect.end, Kind.effect).find((found) => found.get("id") === effect.id && found.get("event") === event);
    return turn === undefined ? text : effect.ending === Ending.cancelled ? turnText(turn, notation, (id) => log.effectName(id)) : `${text}:${turnText(turn, notation).slice(name.length)}`;
  }

  showTip(event, text) {
    if (text === "") return this.hideTip();
    const { tip } = this;
    tip.textContent = text;
    tip.hidden = false;
    const target = /** @type {HTMLElement} */ (event.currentTarget);
    const [box, around] = [target.getBoundingClientRect(), part("time").getBoundingClientRect()];
    const x = box.left - around.left + event.offsetX;
    tip.style.left = `${Math.max(4, Math.min(x + 12, around.width - tip.offsetWidth - 8))}px`;
    tip.style.top = `${box.top - around.top + event.offsetY + 16}px`;
    return undefined;
  }

  hideTip() {
    this.tip.hidden = true;
  }

  redraw() {
    this.drawn.clear();
    this.draw();
  }

  draw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      if (this.model.log.stepCount > 0) this.drawNow();
    });
  }

  drawNow() {
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const { scrubber, lanes, laneRoom } = this;
    const tall = laneRoom.clientHeight;
    part("zoomall").disabled = this.scale.isWhole && this.window === undefined;
    this.onto(scrubber, scrubberHeight, color, (context) => this.drawSteps(context, color));
    if (tall > 0) {
      this.onto(lanes, tall, color, (context) => {
        this.drawLanes(context, color, laneRoom.scrollTop, tall);
        lanes.setAttribute("aria-label", this.laneLabel());
      });
    }
    this.drawMarks(color);
  }

  laneLabel() {
    const [first, end] = this.scale.seen;
    const seen = this.layout.bars.filter((bar) => bar.start < end && bar.end >= first).slice(0, 20);
    return seen.length === 0 ? "No effects here" : `Effects here: ${seen.map((bar) => laneName(this.model.log.effects[bar.index])).join(", ")}`;
  }

  onto(canvas, height, color, paint) {
    const ratio = devicePixelRatio || 1;
    const { width } = this.scale;
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    if (canvas.style.height !== `${height}px`) canvas.style.height = `${height}px`;
    let still = this.drawn.get(canvas);
    if (still === undefined) {
      still = document.createElement("canvas");
      [still.width, still.height] = [columns, rows];
      const context = /** @type {CanvasRenderingContext2D} */ (still.getContext("2d"));
      context.scale(ratio, ratio);
      paint(context);
      this.drawn.set(canvas, still);
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const x = this.scale.x(this.selected);
    context.fillStyle = color("accent-soft");
    context.fillRect(x - 5, 0, 10, height);
    context.drawImage(still, 0, 0, width, height);
    const window = this.dragged ?? this.window;
    if (window !== undefined) {
      const [from, to] = [this.scale.x(window[0]) - 4, this.scale.x(window[1]) + 4];
      context.fillStyle = color("veil");
      context.fillRect(0, 0, Math.max(from, 0), height);
      context.fillRect(to, 0, Math.max(width - to, 0), height);
      context.fillStyle = color("accent");
      context.fillRect(from, 0, 1, height);
      context.fillRect(to - 1, 0, 1, height);
    }
    context.fillStyle = color("accent");
    context.fillRect(x - 0.75, 0, 1.5, height);
  }

  drawMarks(color) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.scrubber.getContext("2d"));
    const { scale, selected } = this;
    const flag = (/** @type {number} */ step, /** @type {boolean} */ isFilled) => {
      const x = scale.x(step);
      context.beginPath();
      context.moveTo(x, 1);
      context.lineTo(x, rulerHeight - 1);
      context.stroke();
      context.beginPath();
      context.moveTo(x, 1);
      context.lineTo(x + 8, 4);
      context.lineTo(x, 7);
      if (isFilled) context.fill();
      context.stroke();
    };
    context.strokeStyle = context.fillStyle = color("ink");
    for (const step of this.marks.bookmarks) flag(step, true);
    if (this.marks.pinned >= 0) flag(this.marks.pinned, false);
    context.fillStyle = color("accent");
    const x = scale.x(selected);
    context.beginPath();
    context.moveTo(x - 6, 0);
    context.lineTo(x + 6, 0);
    context.lineTo(x + 6, 6);
    context.lineTo(x, 12);
    context.lineTo(x - 6, 6);
    context.fill();
  }

  drawSteps(context, color) {
    this.drawRuler(context, color);
    const { scale } = this;
    const [first, end] = scale.seen;
    this.drawBars(context, color, Math.max(first, 1), end);
    this.drawDots(context, color, Math.max(first, 1), end);
    if (scale.isWhole) return;
    context.fillStyle = color("line");
    context.fillRect(0, scrubberHeight - 3, scale.width, 3);
    context.fillStyle = color("dim");
    context.fillRect(scale.from * scale.width, scrubberHeight - 3, Math.max((scale.to - scale.from) * scale.width, 6), 3);
  }

  drawRuler(context, color) {
    context.font = "10.5px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const { x, text } of this.scale.ticks()) {
      context.fillStyle = color("line");
      context.fillRect(x, 0, 1, rulerHeight + barsHeight);
      context.fillStyle = color("dim");
      context.fillText(text, x + 4, rulerHeight / 2);
    }
  }

  drawBars(context, color, first, end) {
    const { log } = this.model;
    const { scale } = this;
    const bins = new Float32Array(Math.ceil(scale.width / 3) + 1);
    const ofView = new Float32Array(bins.length);
    const marks = new Map();
    const flags = log.stepFlags.values;
    const senders = log.stepSenders.values;
    for (let step = first; step < end; step += 1) {
      const bin = Math.min(Math.max(Math.round((scale.x(step) - 1) / 3), 0), bins.length - 1);
      bins[bin] += 1;
      if (senders[step] <= 0) ofView[bin] += 1;
      const mark = (flags[step] & Flag.differs) !== 0 || this.model.isOpen(step) ? 2 : (flags[step] & Flag.failed) !== 0 ? 1 : 0;
      if (mark > (marks.get(bin) ?? 0)) marks.set(bin, mark);
    }
    const most = Math.max(...bins, 1);
    const bottom = rulerHeight + barsHeight;
    for (let bin = 0; bin < bins.length; bin += 1) {
      if (bins[bin] === 0) continue;
      const tall = 5 + (barsHeight - 8) * Math.sqrt(bins[bin] / most);
      const own = tall * (ofView[bin] / bins[bin]);
      context.fillStyle = color("effect-run");
      context.fillRect(bin * 3, bottom - tall, 2, tall - own);
      context.fillStyle = color("density");
      context.fillRect(bin * 3, bottom - own, 2, own);
    }
    for (const [bin, mark] of marks) {
      context.fillStyle = color(mark === 2 ? "differs" : "failed");
      context.fillRect(bin * 3 - 0.5, rulerHeight, 3, barsHeight);
    }
  }

  drawDots(context, color, first, end) {
    const { log } = this.model;
    const { scale } = this;
    const y = rulerHeight + barsHeight + dotsHeight / 2 - 1;
    const hasRoom = (end - first) * 4 <= scale.width;
    const radius = Math.min(Math.max(scale.width / Math.max(end - first, 1) / 3, 2), 4.5);
    let lastMarked = -10;
    for (let step = first; step < end; step += 1) {
      const isBad = log.hasFlag(step, Flag.differs) || this.model.isOpen(step) || log.stepKinds.values[step] === Kind.gap;
      const hasFailed = log.hasFlag(step, Flag.failed);
      const isOpen = log.hasFlag(step, Flag.unfinished) && !isBad;
      const x = scale.x(step);
      if (!hasRoom) {
        if (!(isBad || hasFailed || isOpen) || x - lastMarked < 2) continue;
        lastMarked = x;
      }
      const isOwn = log.stepSenders.values[step] <= 0;
      context.beginPath();
      context.arc(x, y, isBad ? radius + 1 : isOwn ? radius : radius * 0.85, 0, 2 * Math.PI);
      if (isOpen) {
        context.strokeStyle = color("accent");
        context.lineWidth = 2;
        context.stroke();
        context.lineWidth = 1;
        continue;
      }
      context.fillStyle = color(isBad ? "differs" : hasFailed ? "failed" : isOwn ? "ink" : "effect-run");
      context.fill();
    }
  }

  drawLanes(context, color, top, tall) {
    const { scale } = this;
    const [first, end] = scale.seen;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    const ends = [];
    for (const bar of this.layout.bars) {
      const y = bar.lane * laneHeight - top;
      if (bar.start >= end || bar.end < first || y + laneHeight < 0 || y > tall) continue;
      const from = scale.x(bar.start);
      const to = Math.max(scale.x(bar.end), from + 4);
      if (to <= (ends[bar.lane] ?? -1) + 1) continue;
      ends[bar.lane] = to;
      this.drawBar(context, color, bar, y + 1, from, to);
    }
  }

  drawBar(context, color, bar, y, from, to) {
    const { log } = this.model;
    const { scale } = this;
    const effect = log.effects[bar.index];
    const tall = laneHeight - 2;
    context.fillStyle = color(endingColors[effect.ending]);
    context.globalAlpha = 0.5;
    context.beginPath();
    const rect = /** @type {any} */ (context).roundRect ?? context.rect;
    rect.call(context, from, y, to - from, tall, 3);
    context.fill();
    context.globalAlpha = 1;
    context.fillRect(from, y, 2, tall);
    const width = to - from;
    if (width > 8) {
      context.fillStyle = color("ink");
      let last = -2;
      for (const step of effect.sent) {
        const x = scale.x(step);
        if (x - last < 1.5 || x < 0 || x > scale.width) continue;
        last = x;
        context.fillRect(x - 1, y + tall - 4, 2, 4);
      }
      last = -8;
      for (const step of effect.calls) {
        const x = Math.min(scale.x(step) + 6, to - 3);
        if (x - last < 4 || x < 0 || x > scale.width) continue;
        last = x;
        context.beginPath();
        context.arc(x, y + tall - 2.5, 2, 0, 2 * Math.PI);
        context.fillStyle = color("paper");
        context.fill();
        context.strokeStyle = color("ink");
        context.stroke();
      }
    }
    if (effect.ending === Ending.cancelled || effect.ending === Ending.failed) {
      context.strokeStyle = color(endingColors[effect.ending]);
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(to - 1, y + 4);
      context.lineTo(to + 7, y + tall - 4);
      context.moveTo(to + 7, y + 4);
      context.lineTo(to - 1, y + tall - 4);
      context.stroke();
      context.lineWidth = 1;
    }
    const shown = Math.max(from, 0);
    const room = Math.min(to, scale.width) - shown - 7;
    if (room > 18) {
      context.save();
      context.beginPath();
      context.rect(shown + 4, y, room, tall - 4);
      context.clip();
      context.fillStyle = color("ink");
      context.fillText(laneName(effect), shown + 5, y + (tall - 4) / 2 + 0.5);
      context.restore();
    }
  }
}

const timelineSigns = /** @type {const} */ ([
  ["view", "●", "the app sent it"], ["sent", "●", "came of another action"], ["open", "○", "in progress"], ["failed", "●", "failed"],
  ["cancelled", "✕", "canceled effect"], ["bad", "●", "differs, or without an end"], ["fx", "ƒ", "returned effects"],
]);

// keys.mjs

const keys = [
  [["↑", "↓"], "the action before, after"], [["PgUp", "PgDn", "Home", "End"], "further"],
  [["["], "the action that caused this one"], [["]"], "the first action that this one led to; again for the next"],
  [["Alt ←", "Alt →"], "back to where you jumped from, forward again"],
  [["d"], "the next difference, or the next failure when nothing is compared"], [["b"], "who set the value: its history, and to the action that set it"],
  [["/"], "filter"], [["g"], "go to an action by its number"], [["m"], "bookmark"], [["n"], "the next bookmark"],
  [["p"], "pin the action: the states of others are compared with its state"], [["c"], "copy the action; in the state, the value"], [["shift c"], "in the state: copy the place"],
  [["shift ↑", "shift ↓"], "a window of actions, longer or shorter"], [["+", "-", "0"], "zoom of the timeline; the window, then the whole log"],
  [["space"], "play, stop"], [["e"], "open or close the whole state"], [["v"], "two logs in two columns, or in one"],
  [["1", "2", "3", "4", "5", "6"], "fold or show timeline, actions, detail, state, effects, pictures"],
  [["Esc"], "close the history, clear the filter"], [["?"], "these keys"],
];

const laneSigns = [["view", "▂", "in the bar of an effect, below: it sent an action"], ["view", "○", "in the bar of an effect, below: it made a call"]];

function showKeys() {
  const dialog = part("keys");
  const close = element("button", { type: "button", onclick: () => dialog.close() }, "Close");
  dialog.replaceChildren(element("h2", { tabindex: -1, autofocus: true }, "Keys"),
    element("dl", {}, ...keys.flatMap(([names, text]) => [
      element("dt", {}, ...(/** @type {string[]} */ (names)).flatMap((name) => [element("kbd", {}, name), " "])), element("dd", {}, String(text)),
    ])),
    element("h2", {}, "Filters"),
    element("dl", {}, ...[
      ["text", "anywhere in the action, or in its lines"], [".saved", "a case; .path[].report with any element"], ["path:todos[*].title", "what changed a place"],
      ["effect:save", "what started, ended or was sent by an effect"], ["from:view", "by sender: view, effect, parent, or the number of an action"],
      ["is:failed", "also differs, unfinished, changed, unchanged, note, gap, bookmarked"], ["12..40", "from one action to another; 1.2s..3s by time"], ["-is:unchanged", "what a word does not find"],
    ].flatMap(([word, text]) => [element("dt", {}, element("kbd", {}, word)), element("dd", {}, text)])),
    element("h2", {}, "Timeline"),
    element("dl", {}, ...[...timelineSigns, ...laneSigns].flatMap(([name, sign, text]) => [element("dt", {}, element(`span.sign.${name}`, {}, sign)), element("dd", {}, text)])),
    element("p", {}, close));
  dialog.showModal();
  dialog.scrollTop = 0;
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

// layout.mjs

const sizeLetters = /** @type {Record<Size, string>} */ ({ list: "l", step: "w", row: "h", lanes: "e" });
const paneLetters = /** @type {Record<Pane, string>} */ ({ film: "p", time: "t", actions: "a", action: "d", state: "s", effects: "f" });
const limits = /** @type {Record<Size, [number, number]>} */ ({ list: [15, 85], step: [15, 85], row: [12, 88], lanes: [19, 480] });

class Layout {
  constructor() {
    this.sizes = new Map();
    this.folded = new Set();
  }

  static read(text) {
    const layout = new Layout();
    for (const word of text.split(".")) {
      const [letter, value] = word.startsWith("-") ? ["-", word.slice(1)] : [word.slice(0, 1), word.slice(1)];
      const pane = /** @type {Pane | undefined} */ (letter === "-" ? nameOf(paneLetters, value) : undefined);
      const size = /** @type {Size | undefined} */ (nameOf(sizeLetters, letter));
      if (pane !== undefined) layout.folded.add(pane);
      else if (size !== undefined && /^\d{1,4}$/.test(value)) layout.set(size, Number(value));
    }
    if (["actions", "action", "state"].every((pane) => layout.folded.has(/** @type {Pane} */ (pane)))) layout.folded.delete("actions");
    return layout;
  }

  get text() {
    const sizes = [...this.sizes].map(([size, value]) => `${sizeLetters[size]}${value}`).sort();
    return [...sizes, ...[...this.folded].map((pane) => `-${paneLetters[pane]}`).sort()].join(".");
  }

  set(size, value) {
    if (value === undefined) this.sizes.delete(size);
    else this.sizes.set(size, Math.round(Math.min(Math.max(value, limits[size][0]), limits[size][1])));
  }

  toggle(pane) {
    if (this.folded.delete(pane)) return;
    this.folded.add(pane);
    if (["actions", "action", "state"].every((other) => this.folded.has(/** @type {Pane} */ (other)))) this.folded.delete(pane === "actions" ? "action" : "actions");
  }
}

function nameOf(letters, letter) {
  return Object.keys(letters).find((name) => letters[name] === letter);
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
    this.pane = part("actions");
    this.room = part("room");
    this.rows = part("rows");
    this.filter = undefined;
    this.selected = -1;
    this.related = new Set();
    this.made = new Map();
    this.isTwofold = false;
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
    this.pane.style.setProperty("--seq", `${Math.max(3, String(this.model.log.stepSeqs.values[Math.max(this.model.log.stepCount - 1, 0)] || 0).length + 1)}ch`);
    this.pane.style.setProperty("--by", `${Math.max(6, String(this.model.log.stepSeqs.values[Math.max(this.model.log.stepCount - 1, 0)] || 0).length + 1)}ch`);
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
    this.related = this.relatedTo(this.selected);
  }

  relatedTo(id) {
    const model = id < 0 ? this.model.otherView : this.model;
    const step = id < 0 ? -1 - id : id;
    const steps = model === undefined ? [] : model.log.ledTo(step, 500).concat(model.log.causeOf(step));
    return new Set(steps.filter((related) => related >= 0).map((related) => (model ?? this.model).idOf(related)));
  }

  select(step) {
    const old = this.selected;
    this.selected = step;
    for (const changed of [old, step, ...this.related]) this.made.delete(changed);
    this.related = this.relatedTo(step);
    for (const changed of this.related) this.made.delete(changed);
    this.reveal();
  }

  reveal() {
    const row = this.filter?.row(this.selected) ?? -1;
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
      rows.push(element("p.empty", {}, filter.isActive ? "No action matches the filter." : "The log has no actions."));
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

  row(id, row, count) {
    const { otherView } = this.model;
    const isOther = id < 0 && otherView !== undefined;
    const model = isOther ? otherView : this.model;
    const step = isOther ? -1 - id : id;
    const { log } = model;
    const kind = log.stepKinds.values[step];
    const isAction = kind === Kind.action || kind === Kind.withheld || kind === Kind.excluded;
    const sender = log.stepSenders.values[step];
    const depth = Math.min(log.stepDepths.values[step], mostIndents);
    const isLone = isOther || (this.model.alignment.isKnown && this.model.loneAt(step).some((one) => !one.isOther && one.isAction && one.movedTo === undefined));
    const classes = ["row", kindClasses[kind], this.related.has(id) ? "related" : undefined, isOther ? "inserted" : isLone ? "deleted" : undefined]
      .concat(log.hasFlag(step, Flag.differs) ? "differs" : model.isOpen(step) ? "unfinished"
        : log.hasFlag(step, Flag.failed) ? "failed" : undefined)
      .filter((name) => name !== undefined);
    const indent = depth > 0 ? `${"  ".repeat(depth - 1)}└ ` : "";
    const title = model.title(step);
    const sides = this.isTwofold ? [isOther ? undefined : step, isOther ? step : this.model.otherStep(step)] : [];
    return element(`div.${classes.join(".")}`, {
      id: `row-${id}`, role: "option", "aria-selected": String(id === this.selected), "aria-setsize": count, "aria-posinset": row + 1,
      "data-step": id, title: isOther ? `only in ${otherName(this.model)}` : isLone ? `only in this log, and not in ${otherName(this.model)}` : undefined,
    },
    element("span.seq", {}, isAction && !(isOther && this.isTwofold) ? String(log.stepSeqs.values[step]) : ""),
    element("span.when", {}, kind === Kind.start ? "" : timeText(log.stepTimes.values[step])),
    element("span.by", isAction ? { title: sender > 0 ? `sent because of action ${sender}` : originText(senderNames[sender]) } : {},
      isAction ? senderText(sender) : ""),
    ...(this.isTwofold ? [this.side(this.model, sides[0]), this.side(otherView ?? this.model, sides[1])] : [element("span.what", {},
      indent === "" ? undefined : element("span.indent", {}, indent),
      ...(isLone ? [element("span.sign", {}, isOther ? "+ " : "− ")] : []),
      this.name(title),
      ...this.badges(model, step, kind),
      this.changes(model, step, kind))]),
    element("span.took", {}, durationText(log.stepDurations.values[step])));
  }

  name(title) {
    return element("span.act", { title }, ...partsOfTitle(title).map((text, index) => text === "" ? undefined : element(index === 0 ? "span.head" : "span.tail", {}, ...colored(text))));
  }

  side(model, step) {
    if (step === undefined || step < 0) return element("span.what.none", { "aria-label": "no such action" });
    const { log } = model;
    const seq = model === this.model || step === 0 ? "" : String(log.stepSeqs.values[step]);
    const isMain = model === this.model;
    return element("span.what", {}, ...(isMain ? [] : [element("span.seq", {}, seq)]), this.name(model.title(step)),
      ...(isMain ? this.badges(model, step, log.stepKinds.values[step]) : []));
  }

  badges(model, step, kind) {
    const marks = this.marks(model, step, kind);
    return marks.length === 0 ? [] : [element("span.marks", {}, ...marks)];
  }

  marks(model, step, kind) {
    const { log } = model;
    const marks = [];
    if (log.hasFlag(step, Flag.differs)) {
      const causes = [...new Set((model.differences.get(step) ?? []).map((difference) => shortCause(difference.get("cause"))))];
      const title = `${model.main.isReplay ? "the replay differs here" : "the logs differ here"}${causes.length > 0 ? `: ${causes.join(", ")}` : ""}`;
      marks.push(element("span.mark.bad", { title }, "≠", causes.length === 0 ? undefined : element("span.more", {}, ` ${causes.length > 1 ? causes.length : causes[0]}`)));
    }
    if (log.hasFlag(step, Flag.unfinished)) {
      const label = kind === Kind.withheld ? "withheld" : step === log.owner ? "not finished" : "no change";
      if (!model.isOpen(step)) marks.push(element("span.mark.fx", { title: "the app handles it" }, "in progress"));
      else marks.push(element("span.mark.bad", { title: "the log has no change of this action" }, label));
    } else if (log.hasFlag(step, Flag.failed)) {
      marks.push(element("span.mark.warn", { title: "the action, or an effect, failed" }, "✕", element("span.more", {}, " failure")));
    }
    if (model.bookmarks.has(step)) marks.unshift(element("span.mark.fx", { title: "bookmarked" }, "★"));
    if (model.pinned === step) marks.unshift(element("span.mark.fx", { title: "pinned: its state can be compared with that of others" }, "pinned"));
    if (log.hasFlag(step, Flag.effects)) marks.push(element("span.mark.fx", { title: "returned effects" }, "ƒ"));
    return marks;
  }

  changes(model, step, kind) {
    if (kind === Kind.start || kind === Kind.note || kind === Kind.gap) return undefined;
    const places = model.changedPlaces(step);
    if (places.length === 0) return undefined;
    const chips = places.slice(0, mostChips).map((place) => element("span.place", { title: `changed ${place}` }, shortPlace(place)));
    if (places.length > mostChips) chips.push(element("span.place", { title: places.slice(mostChips).join("\n") }, `+${places.length - mostChips}`));
    return element("span.changes", {}, ...chips);
  }
}

function otherName(model) {
  return model.isReplay ? "the replay" : visible(String(model.comparison?.get("name") ?? "the other log"));
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
    if (news === undefined || news.ended) return this.receiver.ended();
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
  const { generation, next, last, beat, patience, ended } = message ?? {};
  return typeof generation === "string" && [next, last, beat, patience].every(Number.isInteger) ? { generation, next, last, beat, patience, ended: ended === true } : undefined;
}

// pictures.mjs

class Pictures {
  static read(side, number) {
    const block = document.querySelector(`script[type="application/x-tca-replay-pictures"][data-side="${side}"][data-log="${number}"]`);
    return block === null ? undefined : new Pictures(`picture-${side}-${number}-`, JSON.parse(block.textContent ?? "{}"));
  }

  constructor(prefix, { pictures, actions }) {
    this.prefix = prefix;
    this.types = pictures.map(([type]) => type);
    this.pictures = pictures.map(([, width, height, text, digest], index) => ({ index, width, height, text, digest }));
    this.frames = [];
    for (const [seq, found] of actions) {
      const picture = typeof found === "number" ? this.pictures[found] : undefined;
      const note = typeof found === "string" ? found : undefined;
      const last = this.frames.at(-1);
      if (last !== undefined && last.picture === picture && last.note === note) last.last = seq;
      else this.frames.push({ first: seq, last: seq, picture, note });
    }
  }

  placeOf(seq) {
    let [low, high] = [0, this.frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle].first <= seq) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  frameOf(seq) {
    const frame = this.frames[this.placeOf(seq)];
    return frame !== undefined && seq <= frame.last ? frame : undefined;
  }

  frameBefore(seq) {
    return seq > 0 ? this.frames[this.placeOf(seq - 1)] : undefined;
  }

  addressOf(picture) {
    return `data:${this.types[picture.index]};base64,${document.getElementById(this.prefix + picture.index)?.textContent ?? ""}`;
  }

  image({ picture, note }, isSmall = false) {
    if (picture === undefined) return element("span.nopicture", { title: note }, (isSmall ? undefined : note) || "no picture");
    const image = element("img", { alt: picture.text, width: Math.round(picture.width), height: Math.round(picture.height), decoding: "async", draggable: "false" });
    const load = () => {
      image.src = this.addressOf(picture);
    };
    whenSeen(image, { load, isUrgent: !isSmall });
    return image;
  }
}

const loadPause = 30;
const loads = new WeakMap();
const due = new Set();
let timer = 0;
let watch;

function whenSeen(element, what) {
  watch ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) due.add(target);
      else due.delete(target);
    }
    timer ||= setTimeout(loadNext, loadPause);
  });
  loads.set(element, what);
  watch.observe(element);
}

function loadNext() {
  timer = 0;
  for (const next of due) if (!next.isConnected) due.delete(next);
  const all = [...due];
  const next = all.find((element) => loads.get(element)?.isUrgent) ?? all[0];
  if (next === undefined) return;
  due.delete(next);
  watch?.unobserve(next);
  loads.get(next)?.load();
  if (due.size > 0) timer = setTimeout(loadNext, loadPause);
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
    this.isServed = all.get("serve") !== undefined;
    this.log = new Log();
    this.states = new States(this.log);
    this.other = new Log();
    this.otherStates = new States(this.other);
    this.notation = new Notation();
    this.rowNotation = this.notation.limited(rowLimits);
    this.titles = new Map();
    this.differences = new Map();
    this.comparison = this.about.get("other");
    this.pictures = undefined;
    this.otherPictures = undefined;
    this.vocabulary = new Vocabulary(this);
    this.bookmarks = new Set();
    this.pinned = -1;
    this.rows = undefined;
    this.places = new Map();
    this.otherView = undefined;
    this.main = this;
    this.alignment = new Alignment(this.comparison);
  }

  get blocks() {
    return this.index === 1 ? ":not([data-log])" : `[data-log="${this.index}"]`;
  }

  forget(step) {
    this.vocabulary.forget(step);
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
    this.insertRows();
  }

  readPictures() {
    this.pictures = Pictures.read("log", this.index);
    this.otherPictures = Pictures.read("other", this.index);
  }

  insertRows() {
    if (this.comparison === undefined) return;
    this.otherView = this.makeOtherView();
    const inserted = new Map();
    for (const place of this.alignment.places) {
      const step = place === 0 ? 0 : this.log.stepOfSeq(place);
      const steps = this.alignment.loneAt(place).filter((one) => one.isOther && one.isAction).map((one) => this.other.stepOfSeq(one.seq)).filter((other) => other >= 0);
      if (steps.length === 0) continue;
      for (const other of steps) this.other.flag(other, Flag.differs);
      const anchor = step < 0 ? this.log.stepCount - 1 : step;
      inserted.set(anchor, [...(inserted.get(anchor) ?? []), ...steps]);
    }
    if (inserted.size === 0) return;
    const rows = [];
    for (let step = 0; step < this.log.stepCount; step += 1) {
      rows.push(step, ...(inserted.get(step) ?? []).map((other) => -1 - other));
    }
    this.rows = Int32Array.from(rows);
    this.places = new Map(rows.map((id, place) => [id, place]));
  }

  makeOtherView() {
    const view = Object.create(this);
    view.log = this.other;
    view.states = this.otherStates;
    view.titles = new Map();
    view.differences = new Map();
    view.comparison = undefined;
    view.alignment = new Alignment(undefined);
    view.about = this.comparison ?? new Map();
    view.bookmarks = new Set();
    view.pinned = -1;
    view.rows = undefined;
    view.pictures = this.otherPictures;
    view.otherPictures = undefined;
    view.vocabulary = new Vocabulary(view);
    view.idOf = (other) => {
      if (this.places.has(-1 - other)) return -1 - other;
      const seq = other === 0 ? 0 : this.alignment.ownSeq(this.other.stepSeqs.values[other]);
      return seq === undefined ? -1 : seq === 0 ? 0 : this.log.stepOfSeq(seq);
    };
    view.mainStep = (other) => this.anchorOf(view.idOf(other));
    return view;
  }

  mainStep(step) {
    return step;
  }

  idOf(step) {
    return step;
  }

  anchorOf(id) {
    if (id >= 0 || this.rows === undefined) return Math.max(id, 0);
    let place = this.places.get(id) ?? 0;
    while (place > 0 && this.rows[place] < 0) place -= 1;
    return Math.max(this.rows[place], 0);
  }

  otherStep(step) {
    if (this.comparison === undefined) return -1;
    if (step === 0) return 0;
    const seq = this.alignment.otherSeq(this.log.stepSeqs.values[step]);
    return seq === undefined ? -1 : this.other.stepOfSeq(seq);
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
    const other = this.otherStep(step);
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
    return this.fixedPlaceText(tokens) ?? placeText(tokens, undefined, located(this.states.before(step), tokens));
  }

  fixedPlaceText(tokens) {
    if (tokens.every((token) => arrayIndex(token) < 0)) return placeText(tokens);
    const first = this.states.after(0);
    const isKnown = tokens.every((token, depth) => arrayIndex(token) < 0 || valueAt(first, tokens.slice(0, depth)) !== undefined);
    return isKnown ? placeText(tokens, undefined, located(first, tokens)) : undefined;
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

// panes.mjs

const paneParts = /** @type {Record<Pane, string>} */ ({ film: "filmroom", time: "time", actions: "actions", action: "step", state: "state", effects: "laneroom" });
const keyStep = 2;
const laneKeyStep = 19;

class Panes {
  constructor(actions) {
    this.actions = actions;
    this.layout = new Layout();
    this.stacking = matchMedia("(max-width: 1180px)");
    this.divider("divide-list", "list", () => part("main"));
    this.divider("divide-step", "step", () => part("detail"));
    this.divider("divide-lanes", "lanes", () => part("laneroom"));
    part("panes").addEventListener("click", (/** @type {any} */ event) => {
      const pane = event.target.closest("[data-pane]")?.dataset.pane;
      if (pane !== undefined) this.toggle(pane);
    });
    this.stacking.addEventListener("change", () => this.apply());
  }

  read(text) {
    this.layout = Layout.read(text);
    this.apply();
  }

  toggle(pane) {
    this.layout.toggle(pane);
    this.apply();
    this.actions.changed();
  }

  get isStacked() {
    return this.stacking.matches;
  }

  sizeOf(size) {
    return size === "step" && this.isStacked ? "row" : size;
  }

  apply() {
    const { sizes, folded } = this.layout;
    const { style } = document.documentElement;
    for (const size of /** @type {Size[]} */ (["list", "step", "row"])) {
      const value = sizes.get(size);
      if (value === undefined) {
        style.removeProperty(`--${size}`);
        style.removeProperty(`--past-${size}`);
      } else {
        const unit = size === "row" ? "fr" : "";
        style.setProperty(`--${size}`, `${value}${unit}`);
        style.setProperty(`--past-${size}`, `${100 - value}${unit}`);
      }
    }
    const lanes = sizes.get("lanes");
    if (lanes === undefined) style.removeProperty("--lanes");
    else style.setProperty("--lanes", `${lanes}px`);
    document.documentElement.classList.toggle("rows-set", sizes.has("row"));
    for (const [pane, id] of Object.entries(paneParts)) {
      const isFolded = folded.has(/** @type {Pane} */ (pane));
      part(id).hidden = isFolded;
      part("panes").querySelector(`[data-pane="${pane}"]`)?.setAttribute("aria-pressed", String(!isFolded));
    }
    part("detail").classList.toggle("single", folded.has("action") || folded.has("state"));
    part("detail").hidden = folded.has("action") && folded.has("state");
    part("divide-step").hidden = folded.has("action") || folded.has("state");
    part("divide-list").hidden = folded.has("actions") || part("detail").hidden;
    part("divide-lanes").hidden = folded.has("effects");
    part("foldlanes").setAttribute("aria-expanded", String(!folded.has("effects")));
    this.describe();
  }

  describe() {
    const isStacked = this.isStacked;
    const step = part("divide-step");
    step.setAttribute("aria-orientation", isStacked ? "horizontal" : "vertical");
    step.setAttribute("aria-label", isStacked ? "Height of the selected action" : "Width of the selected action");
    for (const [id, size] of /** @type {[string, Size][]} */ ([["divide-list", "list"], ["divide-step", this.sizeOf("step")], ["divide-lanes", "lanes"]])) {
      const value = this.layout.sizes.get(size);
      part(id).setAttribute("aria-valuemin", String(limits[size][0]));
      part(id).setAttribute("aria-valuemax", String(limits[size][1]));
      part(id).setAttribute("aria-valuenow", String(value ?? (size === "lanes" ? 114 : 50)));
    }
  }

  divider(id, name, around) {
    const divider = part(id);
    const set = (/** @type {number | undefined} */ value) => {
      this.layout.set(this.sizeOf(name), value);
      this.apply();
    };
    const current = () => {
      const box = around().getBoundingClientRect();
      const own = divider.getBoundingClientRect();
      const size = this.sizeOf(name);
      return size === "lanes" ? box.height : size === "row" ? ((own.top - box.top) / box.height) * 100 : ((own.left - box.left) / box.width) * 100;
    };
    divider.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      divider.setPointerCapture(event.pointerId);
      event.preventDefault();
      divider.focus();
    });
    divider.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!divider.hasPointerCapture(event.pointerId)) return;
      const box = around().getBoundingClientRect();
      const size = this.sizeOf(name);
      set(size === "lanes" ? event.clientY - box.top : size === "row" ? ((event.clientY - box.top) / box.height) * 100 : ((event.clientX - box.left) / box.width) * 100);
    });
    divider.addEventListener("pointerup", () => this.actions.changed());
    divider.addEventListener("dblclick", () => {
      set(undefined);
      this.actions.changed();
    });
    divider.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const isHorizontal = this.sizeOf(name) !== name || name === "lanes";
      const [less, more] = isHorizontal ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
      const by = name === "lanes" ? laneKeyStep : keyStep;
      if (event.key === less) set(current() - by);
      else if (event.key === more) set(current() + by);
      else if (event.key === "Home") set(0);
      else if (event.key === "End") set(10_000);
      else if (event.key === "Enter") set(undefined);
      else return;
      event.preventDefault();
      event.stopPropagation();
      this.actions.changed();
    });
  }
}

// queryfield.mjs

class QueryField {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.field = part("query");
    this.list = part("completions");
    this.found = [];
    this.at = -1;
    this.field.addEventListener("input", () => {
      this.actions.changed(this.field.value);
      this.complete();
    });
    this.field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    this.field.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (/** @type {Event} */ event) => event.preventDefault());
    this.list.addEventListener("click", (/** @type {any} */ event) => {
      const item = event.target.closest("[data-index]");
      if (item !== null) this.take(Number(item.dataset.index));
    });
  }

  get isOpen() {
    return !this.list.hidden;
  }

  show(query) {
    if (this.field.value.trim() !== query) this.field.value = query;
  }

  close() {
    this.list.hidden = true;
    this.at = -1;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }

  complete() {
    this.found = completions(this.field.value, this.field.selectionStart ?? 0, this.model);
    if (this.found.length === 0) return this.close();
    this.at = -1;
    this.list.replaceChildren(...this.found.map(({ word, note }, index) =>
      element("div.completion", { id: `completion-${index}`, role: "option", "aria-selected": "false", "data-index": index }, element("span.code", {}, word), element("span.dim", {}, note))));
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
    this.field.removeAttribute("aria-activedescendant");
    return undefined;
  }

  key(event) {
    switch (event.key) {
      case "Escape":
        if (this.isOpen) {
          this.close();
        } else {
          this.show("");
          this.actions.changed("");
          this.actions.left(false);
        }
        break;
      case "ArrowDown":
      case "ArrowUp":
        if (!this.isOpen && event.key === "ArrowDown" && this.field.value !== "") return this.leave(event);
        if (!this.isOpen) this.complete();
        this.mark(this.at + (event.key === "ArrowDown" ? 1 : -1));
        break;
      case "Enter":
        if (!this.isOpen || this.at < 0) return this.leave(event);
        this.take(this.at);
        break;
      case "Tab":
        if (!this.isOpen || this.at < 0) return undefined;
        this.take(this.at);
        break;
      default: return undefined;
    }
    event.preventDefault();
    event.stopPropagation();
    return undefined;
  }

  leave(event) {
    this.close();
    this.actions.left(true);
    event.preventDefault();
    return undefined;
  }

  mark(index) {
    const count = this.found.length;
    if (count === 0) return;
    this.at = index < -1 ? count - 1 : index >= count ? -1 : index;
    [...this.list.children].forEach((item, place) => item.setAttribute("aria-selected", String(place === this.at)));
    if (this.at < 0) this.field.removeAttribute("aria-activedescendant");
    else this.field.setAttribute("aria-activedescendant", `completion-${this.at}`);
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  take(index) {
    const { query, caret } = completed(this.field.value, this.field.selectionStart ?? 0, this.found[index].word);
    this.field.value = query;
    this.field.setSelectionRange(caret, caret);
    this.actions.changed(query);
    if (query.slice(0, caret).endsWith(":")) this.complete();
    else this.close();
  }

  tell(filter, selected) {
    const box = part("told");
    const parts = filter.told.flatMap(({ typed, problem, meant }) => [
      ` ${problem}`, ...(meant === undefined ? ["."] : ["; did you mean ", link(meant, () => this.replace(typed, meant)), "?"]),
    ]);
    const row = filter.row(selected.step);
    const isLeftOut = filter.isActive && filter.isDone && selected.step !== 0 && (row < 0 || filter.step(row) !== selected.step);
    if (parts.length > 0 && isLeftOut) parts.push(" ");
    if (isLeftOut) parts.push(`${selected.name} is selected, and the filter leaves it out. `, link("Show all", () => this.replaceAll()));
    box.hidden = parts.length === 0;
    box.replaceChildren(...parts);
  }

  replaceAll() {
    this.show("");
    this.actions.changed("");
  }

  replace(typed, meant) {
    const query = this.field.value.replace(typed, meant);
    this.show(query);
    this.actions.changed(query);
  }
}

// stepview.mjs

const mostChanges = 60;
const mostLinks = 20;
const mostLedTo = 30;
const longestLine = 4000;

class StepView {
  constructor(model, actions) {
    this.model = model;
    this.actions = actions;
    this.pane = part("step");
    this.areLinesOpen = false;
    this.isActionOpen = false;
  }

  show(model, step, isAgain = false) {
    this.model = model;
    const { log } = model;
    const { scrollTop } = isAgain ? this.pane : { scrollTop: 0 };
    const kind = log.stepKinds.values[step];
    this.pane.replaceChildren(
      this.title(step, kind),
      ...[
        this.differences(step), this.lone(step), this.problem(step), this.change(step, kind), this.pictures(step), this.causes(step, kind), this.effects(step), this.ledTo(step),
        this.reads(step), this.calls(step), this.turns(step), this.findings(step), this.action(step, kind), this.start(step, kind), this.counterparts(step), this.goOn(step), this.lines(step),
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
    return link(element("span.code", {}, element("span.dim", {}, seq), ...colored(this.model.title(step))), () => this.actions.select(this.model.idOf(step)));
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
    if (cause >= 0) nav.push(element("button", { type: "button", title: "[", onclick: () => this.actions.select(this.model.idOf(cause)) }, "↑ cause"));
    if (first !== undefined) nav.push(element("button", { type: "button", title: "]", onclick: () => this.actions.select(this.model.idOf(first)) }, "↓ led to"));
    if (isAction) {
      const path = model.notation.casePath(event?.get("action") ?? null);
      nav.push(element("button", { type: "button", title: "filter by this case", onclick: () => this.actions.toggle(path) }, "≡ all of this case"));
    }
    const isMain = model === model.main;
    if (isMain) nav.push(element("button", { type: "button", title: "Bookmark (m); n goes to the next one", "aria-pressed": String(model.bookmarks.has(step)), onclick: () => this.actions.bookmark() },
      model.bookmarks.has(step) ? "★ bookmarked" : "☆ bookmark"));
    const isPinned = model.pinned === step;
    if (isMain) nav.push(element("button", { type: "button", title: "Pin this action, to compare the states of others with its state (p)", "aria-pressed": String(isPinned), onclick: () => this.actions.pin() },
      isPinned ? "pinned" : "pin"));
    if (isAction) nav.push(copyButton("action", () => model.notation.limited(noLimits).lines(event?.get("action") ?? null), "copy"));
    const name = kind === Kind.start ? "before the first action" : `action ${log.stepSeqs.values[step]}`;
    if (model !== model.main) facts.unshift(`only in ${visible(String(model.about.get("name") ?? "the other log"))}`);
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
      const parts = [element("div.where", {}, place || causeText(cause))];
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
    const causes = [...new Set(differences.map((difference) => causeText(difference.get("cause"))))];
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

  pictures(step) {
    const { model } = this;
    const { pictures, otherPictures } = model;
    const seq = step === 0 ? 0 : model.log.stepSeqs.values[step];
    const now = pictures?.frameOf(seq);
    const before = pictures?.frameBefore(seq);
    const otherSeq = otherPictures === undefined ? undefined : model.alignment.otherSeq(seq);
    const other = otherSeq === undefined ? undefined : otherPictures?.frameOf(otherSeq);
    const isUnchanged = now !== undefined && before === now;
    let note = isUnchanged ? "unchanged" : undefined;
    const shown = [];
    if (pictures !== undefined && before !== undefined && !isUnchanged) shown.push(figure("before", pictures.image(before)));
    if (pictures !== undefined && now !== undefined) shown.push(figure(step === 0 || isUnchanged ? "" : "after", pictures.image(now)));
    if (otherPictures !== undefined && other !== undefined) {
      const name = model.isReplay ? "the replay" : visible(String(model.comparison?.get("name") ?? "the other log"));
      if (now?.picture !== undefined && now.picture.digest === other.picture?.digest) note = isUnchanged ? `unchanged, and the same in ${name}` : `the same in ${name}`;
      else shown.push(figure(`in ${name}`, otherPictures.image(other)));
    }
    if (shown.length === 0) return undefined;
    return this.block(shown.length > 1 ? "Pictures" : "Picture", note, element("div.screens", {}, ...shown));
  }

  changed(change, state, after) {
    const { notation } = this.model;
    const text = placeText(change.path, change.after === undefined ? state : after ?? state) || "the whole state";
    const where = element("div.where", {}, link(text, () => this.actions.history(change.path), { title: "show every value it had" }),
      ...(change.at === undefined ? [] : [element("span.dim", {}, `  at byte ${change.at} of the text`)]), copyButton("place", () => text));
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
      const { sent } = known;
      for (const step of sent.slice(0, 5)) facts.push(element("li", {}, element("span.dim", {}, "sent "), this.stepLink(step)));
      if (sent.length > 5) facts.push(element("li", {}, link(`${sent.length - 5} more actions`, () => this.actions.toggle(`effect:${known.id}`))));
      const alive = known.op === "send" ? "not sent in this log" : this.model.isLive ? "still alive" : "still alive at the end of the log";
      const ending = [alive, "finished", "canceled", "failed"][known.ending];
      facts.push(element("li", {}, element("span.dim", {}, known.ending === Ending.none ? ending : `${ending} after `),
        ...(known.ending === Ending.none ? [] : [this.stepLink(known.end)])));
    }
    const source = effect.has("source") ? [element("div.dim", {}, visible(String(effect.get("source"))))] : [];
    return element("li", {}, element("div.code", {}, ...colored(title)), ...source, element("ul.list.chain", {}, ...facts));
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

  goOn(step) {
    if (this.model.isLive) return undefined;
    const { model } = this;
    const { log } = model;
    const rows = stepCommands(model, step).map(({ text, purpose }) => element("li", {},
      element("div.command", {}, element("code", {}, text), copyButton(`command: ${purpose}`, () => text)), element("div.dim", {}, purpose)));
    const kind = log.stepKinds.values[step];
    const isChangeable = model === model.main && (kind === Kind.action || kind === Kind.start);
    const whatIf = !isChangeable || !model.isServed ? [] : whatIfControls(model, {
      seq: step === 0 ? 0 : log.stepSeqs.values[step],
      action: kind === Kind.start ? undefined : model.notation.limited(noLimits).action(log.eventOf(step).get("action") ?? null),
    }, (edits) => this.actions.whatIf(edits));
    const ended = editsOf(model) !== undefined && !model.isServed ? [element("p.dim", {}, "The command that served this page has ended: run it again to change what happened.")] : [];
    return this.block(whatIf.length > 0 ? "What if" : "Go on from here", whatIf.length > 0 ? "replayed by the command that serves this page" : undefined,
      ...whatIf, ...ended, element("ul.list", {}, ...rows));
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

function figure(name, image) {
  return element("figure.screen", {}, image, name === "" ? undefined : element("figcaption", {}, name));
}

// trail.mjs

class Trail {
  constructor() {
    this.index = Number(history.state?.index ?? 0);
    this.last = this.index;
    part("back").addEventListener("click", () => this.go(-1));
    part("forward").addEventListener("click", () => this.go(1));
    this.show();
  }

  write(hash, isJump) {
    if (hash === location.hash) return;
    if (isJump) {
      this.index += 1;
      this.last = this.index;
      history.pushState({ index: this.index }, "", hash);
    } else {
      history.replaceState({ index: this.index }, "", hash);
    }
    this.show();
  }

  arrive() {
    const known = history.state?.index;
    if (typeof known === "number") {
      this.index = known;
      this.last = Math.max(this.last, known);
    } else {
      this.index += 1;
      this.last = this.index;
      history.replaceState({ index: this.index }, "", location.hash);
    }
    this.show();
  }

  go(by) {
    const next = this.index + by;
    if (next >= 0 && next <= this.last) history.go(by);
  }

  show() {
    part("back").disabled = this.index <= 0;
    part("forward").disabled = this.index >= this.last;
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
    this.copies = element("span.copies", {}, copyButton("value (c)", () => this.valueText), copyButton("place (shift c)", () => this.placeText, "place"));
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
    this.tree.addEventListener("pointerover", (/** @type {any} */ event) => {
      const row = event.target.closest(".node[aria-level]");
      if (row !== null && this.copies.parentNode !== row && this.nodes[row.dataset.index]?.more === undefined) row.append(this.copies);
    });
    this.tree.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
  }

  get copied() {
    return this.nodes[this.copies.closest(".node")?.dataset.index ?? this.at];
  }

  get valueText() {
    const node = this.copied;
    const value = node?.after === undefined ? node?.before : node.after;
    return value === undefined ? "" : this.model.notation.limited(noLimits).lines(value);
  }

  get placeText() {
    const node = this.copied;
    return node === undefined ? "" : placeText(node.tokens, this.model.states.after(this.step) ?? this.model.states.before(this.step));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
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
      case "c": this.copies.children[0].click(); break;
      case "C": this.copies.children[1].click(); break;
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
    if (this.nodes[this.at]?.more === undefined) row.append(this.copies);
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

  show(model, step) {
    this.model = model;
    this.step = step;
    const differs = model.comparison !== undefined && model.otherStep(step) >= 0 && this.model.differences.get(step)?.some((difference) => difference.get("cause") === "state");
    if (!this.isModeChosen || (this.mode === "other" && model.comparison === undefined)) this.mode = differs === true ? "other" : "both";
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
      case "pinned": return { before: model.main.states.after(model.main.pinned), after, marks: true };
      case "other": {
        const other = model.otherAfter(step);
        return { before: other === undefined ? undefined : after, after: other, marks: true };
      }
      default: return { before: step === 0 ? after : model.states.before(step) ?? after, after: after ?? model.states.before(step), marks: true };
    }
  }

  get pinnedSides() {
    const { main } = this.model;
    const name = (/** @type {Model} */ model, /** @type {number} */ step) =>
      (step === 0 ? "the first state" : `after action ${model.log.stepSeqs.values[step]}${model === main ? "" : ` of ${visible(String(model.about.get("name") ?? "the other log"))}`}`);
    const isSame = this.nodes.every((node) => node.change === "");
    return `${name(main, main.pinned)} → ${name(this.model, this.step)}${this.model === main && this.step === main.pinned ? ": the pinned action itself" : isSame ? ": the same state" : ""}`;
  }

  pin() {
    this.mode = this.model.main.pinned >= 0 ? "pinned" : "both";
    this.isModeChosen = this.model.main.pinned >= 0;
    this.draw();
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
      } else if (mode === "pinned") {
        button.hidden = this.model.main.pinned < 0;
      }
    }
    const rows = this.nodes.map((node, index) => this.row(node, index));
    const sides = part("sides");
    sides.hidden = (this.mode !== "other" && this.mode !== "pinned") || rows.length === 0;
    sides.textContent = this.mode === "pinned" ? this.pinnedSides : this.model.isReplay ? "recorded → replayed" : `this log → ${visible(String(this.model.comparison?.get("name") ?? "the other"))}`;
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
    this.panes = new Panes({ changed: () => this.writePlace() });
    this.timeline = new Timeline(this.model, {
      select: (step, isMove) => this.select(step, isMove === true ? "move" : "jump"),
      window: (first, last) => this.setWindow(first, last), fold: () => this.panes.toggle("effects"),
    });
    this.film = new Film(this.model, { select });
    this.stepView = new StepView(this.model, { select, history, toggle, bookmark: () => this.bookmark(), pin: () => this.pin(), whatIf: (edits) => this.goToWhatIf(edits) });
    this.treeView = new TreeView(this.model, { history });
    this.historyView = new HistoryView(this.model, { select, toggle, closed: () => this.writePlace() });
    this.queryField = new QueryField(this.model, { changed: (query) => this.setQuery(query), left: (isDown) => this.leaveQuery(isDown) });
    this.trail = new Trail();
    this.filter = new Filter("", this.model);
    this.query = "";
    this.selected = -1;
    this.row = -1;
    this.anchor = -1;
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
    else if (this.selected < 0) this.select(0, "shown");
  }

  complete() {
    this.isComplete = true;
    this.model.readPictures();
    this.model.markDifferences();
    this.film.begin();
    showLogs(this.model, (index) => this.chooseLog(index));
    const place = new URLSearchParams(location.hash.slice(1));
    this.panes.read(place.get("s") ?? "");
    this.readMarks(place);
    showBanner(this.model, (step) => this.select(step), () => this.setColumns(!this.list.isTwofold), (edits) => this.goToWhatIf(edits));
    this.refresh();
    this.query = "\n";
    this.followPlace(place);
    this.readVocabulary();
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
    this.listenToNews();
  }

  readVocabulary() {
    const end = performance.now() + slice;
    this.model.vocabulary.run(() => performance.now() > end);
    if (!this.model.vocabulary.isDone) setTimeout(() => this.readVocabulary(), slice);
  }

  listenToNews() {
    const { news, isLive } = this.model;
    if (news === undefined) return;
    const mark = part("live");
    mark.hidden = false;
    if (isLive) mark.addEventListener("click", () => this.select(this.lastStep));
    else if (this.model.isServed) this.markServed();
    else this.markReloading();
    this.showLive();
    const feed = new Feed(news, {
      lines: (text) => this.grow(text),
      settled: () => this.settle(),
      replaced: () => location.reload(),
      silent: () => this.stopNews("no longer followed", "the command that writes the page gives no sign: it was stopped, or killed"),
      resumed: () => this.resumeNews(),
      ended: () => {
        if (!this.model.isServed) return this.stopNews("no longer live", "the command that wrote the page has ended");
        this.model.isServed = false;
        return this.stopNews("no longer served", "the command that served the page has ended: run it again to change what happened");
      },
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
    if (growth.wasAtEnd) this.select(this.lastStep, "move");
    else if (this.selected >= growth.from) this.select(this.selected, "shown");
    else if (model.outlook(this.selected) !== growth.outlook) this.showStep(true);
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
    if (this.model.isServed) this.markServed();
    else if (!this.model.isLive) this.markReloading();
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
    this.select(this.selected, "move");
  }

  markServed() {
    const mark = part("live");
    mark.className = "along";
    mark.textContent = "served";
    mark.title = "a command on this machine can say what would have happened: see \"What if\" at an action";
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
    if (place.has("s")) this.panes.read(place.get("s") ?? "");
    this.readMarks(place);
    const query = place.get("q") ?? "";
    if (query !== this.query) this.setQuery(query, "shown");
    const at = place.get("a") ?? (this.model.isLive ? "end" : "");
    const isOther = /^o\d+$/.test(at);
    const other = isOther ? -1 - this.model.other.stepOfSeq(Number(at.slice(1))) : 0;
    const step = isOther ? -1 : at === "0" ? 0 : at === "end" ? this.lastStep : at === "" ? -1 : this.model.log.stepOfSeq(Number(at));
    this.select(this.model.places.has(other) && isOther ? other : step >= 0 ? step : this.model.firstOfInterest(), "shown");
    this.setColumns(place.get("c") === "2", "shown");
    if (place.has("h")) this.showHistory(pointerTokens(place.get("h") ?? ""), "shown");
    else if (this.historyView.isOpen) this.historyView.close();
    return undefined;
  }

  readMarks(place) {
    const { model } = this;
    const stepOf = (/** @type {string} */ seq) => (seq === "0" ? 0 : /^\d+$/.test(seq) ? model.log.stepOfSeq(Number(seq)) : -1);
    if (place.has("m")) model.bookmarks = new Set((place.get("m") ?? "").split(",").map(stepOf).filter((step) => step >= 0));
    if (place.has("p")) {
      model.pinned = stepOf(place.get("p") ?? "");
      this.treeView.pin();
    }
    this.timeline.showMarks(model.bookmarks, model.pinned);
  }

  writePlace(isJump = false) {
    if (!this.isComplete) return;
    const { model } = this;
    const seq = (/** @type {number} */ step) => String(step === 0 ? 0 : model.log.stepSeqs.values[step]);
    const place = new URLSearchParams();
    if (model.names.length > 1) place.set("l", String(model.index));
    if (this.selected >= 0) place.set("a", this.row < 0 ? `o${model.other.stepSeqs.values[-1 - this.row]}` : this.isAtEnd ? "end" : String(model.log.stepSeqs.values[this.selected]));
    if (this.query !== "") place.set("q", this.query);
    if (this.historyView.path !== undefined) place.set("h", pointerText(this.historyView.path));
    if (model.bookmarks.size > 0) place.set("m", [...model.bookmarks].sort((a, b) => a - b).map(seq).join(","));
    if (model.pinned >= 0) place.set("p", seq(model.pinned));
    if (this.list.isTwofold) place.set("c", "2");
    const layout = this.panes.layout.text;
    if (layout !== "") place.set("s", layout);
    this.trail.write(`#${place}`, isJump);
  }

  select(step, way = "jump") {
    const { log, otherView } = this.model;
    const isOther = step < 0 && otherView !== undefined && this.model.places.has(step);
    if (!isOther) step = Math.min(Math.max(step, 0), log.stepCount - 1);
    if (log.stepCount === 0) return;
    this.row = step;
    this.selected = this.model.anchorOf(step);
    this.list.select(step);
    this.timeline.select(this.selected);
    this.film.select(log.stepSeqs.values[this.selected]);
    this.showStep();
    this.treeView.show(this.shown.model, this.shown.step);
    if (this.historyView.isOpen) this.historyView.mark(this.selected);
    this.showLive();
    this.tell();
    if (way !== "shown") this.writePlace(way === "jump");
  }

  showStep(isAgain = false) {
    this.stepView.show(this.shown.model, this.shown.step, isAgain);
  }

  get shown() {
    const { otherView } = this.model;
    return this.row < 0 && otherView !== undefined ? { model: otherView, step: -1 - this.row } : { model: this.model, step: this.selected };
  }

  tell() {
    const { log } = this.model;
    const name = log.stepKinds.values[this.selected] === Kind.action ? `Action ${log.stepSeqs.values[this.selected]}` : "A row without a number";
    this.queryField.tell(this.filter, { step: this.row, name });
  }

  move(by) {
    const { filter } = this;
    if (filter.count === 0) return;
    const row = filter.row(this.row);
    const isOn = row >= 0 && filter.step(row) === this.row;
    const next = Math.min(Math.max(isOn || by < 0 ? row + by + (isOn || by >= 0 ? 0 : 1) : row + 1, 0), filter.count - 1);
    this.select(filter.step(next), "move");
  }

  extendWindow(by) {
    const step = Math.min(Math.max(this.selected + by, 1), this.model.log.stepCount - 1);
    if (this.anchor < 0 || this.filter.range === undefined) this.anchor = this.selected;
    this.select(step, "move");
    this.setWindow(Math.min(this.anchor, step), Math.max(this.anchor, step));
  }

  setWindow(first, last) {
    const { log } = this.model;
    const isAction = (/** @type {number} */ step) => log.stepKinds.values[step] === Kind.action;
    let [start, end] = [Math.max(first, 1), last];
    while (start < end && !isAction(start)) start += 1;
    while (end > start && !isAction(end)) end -= 1;
    const seq = (/** @type {number} */ step) => log.stepSeqs.values[step];
    const isAll = first <= 1 && last >= log.stepCount - 1;
    this.setQuery(queryWithRange(this.query, isAll || end < 1 ? undefined : `${seq(start)}..${seq(end)}`));
  }

  goToCause() {
    const { model, step } = this.shown;
    const cause = model.log.causeOf(step);
    if (cause >= 0) this.select(model.idOf(cause));
  }

  goToLedTo() {
    const { model, step } = this.shown;
    const own = model.log.ledTo(step, 1)[0];
    if (own !== undefined) {
      this.walk = { from: step, index: 0 };
      this.select(model.idOf(own));
      return;
    }
    const siblings = this.walk.from >= 0 ? model.log.ledTo(this.walk.from, this.walk.index + 2) : [];
    if (siblings[this.walk.index] !== step || siblings[this.walk.index + 1] === undefined) return;
    this.walk.index += 1;
    this.select(model.idOf(siblings[this.walk.index]));
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

  setColumns(isTwofold, way = "move") {
    const { model, list } = this;
    isTwofold &&= model.comparison !== undefined;
    if (list.isTwofold !== isTwofold) {
      list.isTwofold = isTwofold;
      part("actions").classList.toggle("twofold", isTwofold);
      part("here").textContent = isTwofold ? visible(String(model.about.get("name") ?? "this log")) : "action";
      part("there").textContent = otherName(model);
      part("there").hidden = !isTwofold;
      list.show(this.filter);
      list.reveal();
      if (way !== "shown") this.writePlace();
    }
    part("columns")?.setAttribute("aria-pressed", String(isTwofold));
  }

  showHistory(path, way = "jump") {
    this.historyView.show(this.selected, path);
    if (way !== "shown") this.writePlace(way === "jump");
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

  setQuery(query, way = "move") {
    query = query.trim();
    this.query = query;
    this.queryField.show(query);
    this.filter = new Filter(query, this.model);
    const { range } = this.filter;
    if (range === undefined) this.anchor = -1;
    this.timeline.showWindow(range);
    this.list.show(this.filter);
    this.runFilter();
    if (way !== "shown") this.writePlace(way === "jump");
  }

  leaveQuery(isDown) {
    part("list").focus();
    if (isDown && this.filter.isActive) this.move(1);
  }

  goToWhatIf(edits) {
    if (!this.model.isServed) return;
    part("live").textContent = "replaying …";
    location.assign(`${addressOf(edits)}${edits.length === 0 ? "" : "#c=2"}`);
  }

  bookmark() {
    const { bookmarks } = this.model;
    if (!bookmarks.delete(this.selected)) bookmarks.add(this.selected);
    this.showMarks();
  }

  pin() {
    const { model } = this;
    model.pinned = model.pinned === this.selected ? -1 : this.selected;
    this.treeView.pin();
    this.showMarks();
  }

  showMarks() {
    const { model } = this;
    this.timeline.showMarks(model.bookmarks, model.pinned);
    this.list.show(this.filter);
    this.showStep(true);
    showQuick(model, this.toggle, this.query);
    this.writePlace();
  }

  goToBookmark() {
    const all = [...this.model.bookmarks].sort((a, b) => a - b);
    const next = all.find((step) => step > this.selected) ?? all[0];
    if (next !== undefined) this.select(next);
  }

  showHits() {
    const { filter } = this;
    const count = (/** @type {number} */ number) => number.toLocaleString("en-US");
    part("hits").textContent = filter.isActive ? `${count(filter.count)}${filter.isDone ? "" : " …"} of ${count(this.model.log.stepCount - 1)}` : "";
  }

  runFilter() {
    const { filter } = this;
    showQuick(this.model, this.toggle, this.query);
    const work = () => {
      if (filter !== this.filter) return;
      const end = performance.now() + slice;
      filter.run(() => performance.now() > end);
      this.showHits();
      this.list.measure();
      this.list.draw();
      if (!filter.isDone) return void setTimeout(work);
      this.list.reveal();
      this.tell();
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
        const before = this.row;
        this.move(1);
        if (this.row === before) this.play();
      }, playInterval);
    }
    button.textContent = this.player === 0 ? "Play" : "Stop";
    button.setAttribute("aria-pressed", String(this.player !== 0));
  }

  listen() {
    part("play").addEventListener("click", () => this.play());
    part("help").addEventListener("click", () => showKeys());
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => {
      if (!this.isComplete) return;
      this.trail.arrive();
      this.followPlace(new URLSearchParams(location.hash.slice(1)));
    });
    addEventListener("beforeprint", () => this.list.drawAll(mostPrinted));
    addEventListener("afterprint", () => this.list.draw());
  }

  key(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.altKey) {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      this.trail.go(event.key === "ArrowLeft" ? -1 : 1);
      event.preventDefault();
      return;
    }
    if (event.shiftKey && event.key.startsWith("Arrow")) {
      this.extendWindow(event.key === "ArrowUp" || event.key === "ArrowLeft" ? -1 : 1);
      event.preventDefault();
      return;
    }
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
      case "v": this.setColumns(!this.list.isTwofold); break;
      case "m": this.bookmark(); break;
      case "n": this.goToBookmark(); break;
      case "p": this.pin(); break;
      case "c": part("step").querySelector(".title .copy")?.click(); break;
      case "1": this.panes.toggle("time"); break;
      case "2": this.panes.toggle("actions"); break;
      case "3": this.panes.toggle("action"); break;
      case "4": this.panes.toggle("state"); break;
      case "5": this.panes.toggle("effects"); break;
      case "6": this.panes.toggle("film"); break;
      case "+": case "=": this.timeline.zoom(2); break;
      case "-": this.timeline.zoom(0.5); break;
      case "0": this.timeline.showAll(); break;
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
