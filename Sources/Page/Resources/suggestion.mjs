// Finds the path or word that was probably meant by one that is not known, as the command line does.

/**
 * The names of the steps of a path, without what is in brackets or parentheses.
 * @param {string} path
 * @returns {string[]}
 */
export function stepNames(path) {
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

/**
 * The path that has the names of a text at its end, or in order; failing that, the one whose end takes the fewest edits.
 * @param {string} text
 * @param {string[]} paths
 * @returns {string | undefined}
 */
export function closestPath(text, paths) {
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
  // The case is there, and its values are others.
  if (exact !== undefined) return text.includes("(") ? undefined : exact;
  return similarPath(typed, sorted) ?? (typed.length > 1 ? similarPath(typed.slice(-1), sorted) : undefined);
}

/**
 * The path whose end takes the fewest edits.
 * @param {string[]} typed
 * @param {string[]} paths
 * @returns {string | undefined}
 */
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

/**
 * The word that takes the fewest edits; `undefined` where none is near.
 * @param {string} typed
 * @param {string[]} words
 * @returns {string | undefined}
 */
export function closestWord(typed, words) {
  const near = words.map((word) => ({ word, edits: editDistance(typed, word) })).sort((a, b) => a.edits - b.edits)[0];
  return near !== undefined && near.edits <= Math.max(1, Math.floor(near.word.length / 3)) ? near.word : undefined;
}

/**
 * The number of insertions, removals, replacements and swaps of neighbors that turn one text into the other.
 * @param {string} first
 * @param {string} second
 */
function editDistance(first, second) {
  const from = [...first.toLowerCase()];
  const to = [...second.toLowerCase()];
  /** @type {number[]} */
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
