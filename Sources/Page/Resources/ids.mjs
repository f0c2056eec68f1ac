// The ids that were written so far, so that each is written with as few of its last characters as name it alone.

const shortest = 4;
/** An id that is not in the table any more is written with so many. */
const shortestBeyond = 8;
/** More ids are not kept, so that memory stays bounded. */
const mostIDs = 100_000;
/** More ids that end alike are not compared with each other. */
const mostAlike = 64;

/** The columns that are counted for an id, however many characters it needs. */
export const idColumns = shortest;

export class IDAbbreviations {
  constructor() {
    /**
     * The ids by their last characters.
     * @type {Map<string, string[]>}
     */
    this.ids = new Map();
    this.count = 0;
  }

  /**
   * Notes an id, and returns the last characters that no other one so far ends with.
   * @param {string} id
   */
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

/**
 * Whether a text is a UUID as a log writes it.
 * @param {string} text
 */
export function isUUID(text) {
  return text.length === 36 && uuid.test(text);
}

/**
 * Whether a text is a date as a log writes it.
 * @param {string} text
 */
export function isLoggedDate(text) {
  return text.length >= 20 && text.length <= 40 && date.test(text);
}

/**
 * Whether a text is what a mask writes for one.
 * @param {string} text
 */
export function isMaskSubstitute(text) {
  return text.length === 24 && mask.test(text);
}
