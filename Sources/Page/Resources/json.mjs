// JSON as a log has it: numbers keep their digits, objects the order of their members.

/**
 * A value: `null`, a boolean, a string, a number that JavaScript writes with the same digits, a `LongNumber`, an array or an object.
 * @typedef {null | boolean | string | number | LongNumber | Array<any> | JSONObject} JSONValue
 */

/**
 * The members of an object, in order. A plain object would sort names that look like numbers.
 * @typedef {Map<string, any>} JSONObject
 */

/** A number that JavaScript would write with other digits, such as 9007199254740993 or 1.0. */
export class LongNumber {
  /** @param {string} literal */
  constructor(literal) {
    /** The number as it stands in the log. */
    this.literal = literal;
  }
}

/** A text that is not JSON. */
export class JSONError extends Error {}

/** How deeply arrays and objects may be nested. */
const deepestNesting = 512;

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapes = /** @type {Record<string, string>} */ ({
  '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t",
});

class Parser {
  /**
   * @param {string} text
   * @param {number} position
   */
  constructor(text, position) {
    this.text = text;
    this.position = position;
    this.depth = 0;
  }

  /**
   * @param {string} expected
   * @returns {never}
   */
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

  /** @returns {any} */
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

  /**
   * @param {string} text
   * @param {any} value
   */
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

  /** @returns {string} */
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

  /** @param {number} start */
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
    /** @type {any[]} */
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
    /** @type {JSONObject} */
    const members = new Map();
    this.skipSpace();
    if (this.take(0x7d)) return this.leave(members);
    for (;;) {
      this.skipSpace();
      if (this.text.charCodeAt(this.position) !== 0x22) this.fail("a member name");
      const name = this.string();
      this.skipSpace();
      if (!this.take(0x3a)) this.fail("':'");
      // Of members with the same name the last one counts, in the place of the first.
      members.set(name, this.value());
      this.skipSpace();
      if (this.take(0x2c)) continue;
      if (!this.take(0x7d)) this.fail("',' or '}'");
      return this.leave(members);
    }
  }

  /** @param {number} code */
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

  /**
   * @template T
   * @param {T} value
   * @returns {T}
   */
  leave(value) {
    this.depth -= 1;
    return value;
  }
}

/**
 * The number of a literal.
 * @param {string} literal
 * @returns {number | LongNumber}
 */
export function number(literal) {
  const value = Number(literal);
  return String(value) === literal ? value : new LongNumber(literal);
}

/**
 * Reads a text that is one value.
 * @param {string} text
 * @returns {any}
 */
export function parseJSON(text) {
  const parser = new Parser(text, 0);
  const value = parser.value();
  parser.skipSpace();
  if (parser.position !== text.length) parser.fail("the end");
  return value;
}

/**
 * @param {any} value
 * @returns {value is JSONObject}
 */
export function isObject(value) {
  return value instanceof Map;
}

/**
 * @param {any} value
 * @returns {value is number | LongNumber}
 */
export function isNumber(value) {
  return typeof value === "number" || value instanceof LongNumber;
}

/**
 * The digits of a number.
 * @param {number | LongNumber} value
 */
export function literal(value) {
  return value instanceof LongNumber ? value.literal : String(value);
}

const shortEscapes = /** @type {Record<string, string>} */ ({
  '"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r",
});

/** @param {string} text */
function quoted(text) {
  // eslint-disable-next-line no-control-regex
  if (!/["\\\u0000-\u001f]/.test(text)) return `"${text}"`;
  // eslint-disable-next-line no-control-regex
  const escaped = text.replace(/["\\\u0000-\u001f]/g, (character) =>
    shortEscapes[character] ?? "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));
  return `"${escaped}"`;
}

/**
 * Writes a value on one line without blanks, as the log does.
 * @param {any} value
 * @returns {string}
 */
export function writeJSON(value) {
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

/**
 * The parts of a number, to compare it exactly: digits without zeros at either end, times a power of ten.
 * @param {string} text
 */
function decimal(text) {
  const [, sign, whole, fraction = "", exponent = "0"] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text) ?? ["", "", text];
  const digits = (whole + fraction).replace(/^0+/, "");
  const trimmed = digits.replace(/0+$/, "");
  const power = trimmed === "" ? 0 : Number(exponent) - fraction.length + digits.length - trimmed.length;
  return `${sign}${trimmed}e${power}`;
}

/**
 * Whether two values hold the same data, whatever the order of members.
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
export function equalJSON(a, b) {
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
