// The lanes of effects: each has effects that are not alive at the same time.
/** @typedef {import("./log.mjs").Log} Log */

/** More lanes are not made; what would need one is counted. */
const mostLanes = 200;

/**
 * @typedef {{ lane: number, index: number, start: number, end: number }} Bar
 */

/**
 * The lanes of all effects of a log.
 * @param {Log} log
 */
export function assignLanes(log) {
  /** @type {Bar[]} */
  const bars = [];
  /**
   * The ends of the lanes so far.
   * @type {number[]}
   */
  const ends = [];
  let hidden = 0;
  const last = log.stepCount - 1;
  log.effects.forEach((effect, index) => {
    const end = effect.end < 0 ? last : effect.end;
    // A send that waits in a concatenation may never come.
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
