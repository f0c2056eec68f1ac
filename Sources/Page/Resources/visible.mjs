// Text with controls, directions and marks out of place made visible, and the columns that it takes.

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

/**
 * Whether a text is a name in Swift.
 * @param {string} text
 */
export function isSwiftIdentifier(text) {
  return identifier.test(text);
}

/**
 * Whether these are names with dots between them.
 * @param {string} text
 */
export function isPropertyPath(text) {
  return text.split(".").every(isSwiftIdentifier);
}

/**
 * How many bytes a text has in UTF-8.
 * @param {string} text
 */
export function byteCount(text) {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Both halves of a pair make four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
  }
  return bytes;
}

/**
 * Whether a scalar is shown on the one before it.
 * @param {string} scalar
 * @param {number} code
 */
export function takesNoColumn(scalar, code) {
  if (code < 0x300) return false;
  if ((code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7ff)) return true;
  if ((code >= 0xe0100 && code <= 0xe01ef) || (code >= 0xfe00 && code <= 0xfe0f)) return true;
  return noColumn.test(scalar);
}

/**
 * Whether a scalar would change how the text around it is shown, or is not to be seen.
 * @param {string} scalar
 * @param {number} code
 */
function isHidden(scalar, code) {
  if (code < 0x7f) return code < 0x20;
  if (code === 0x115f || code === 0x1160 || code === 0x3164 || code === 0xffa0) return true;
  // Joiners have their places in words and emoji.
  return code !== 0x200c && code !== 0x200d && hidden.test(scalar);
}

/** The columns that text takes, scalar by scalar. */
class Columns {
  constructor() {
    /** @type {"none" | "narrow" | "wide" | "emoji" | "joiner" | "indicator"} */
    this.last = "none";
  }

  /**
   * @param {string} scalar
   * @param {number} code
   */
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
/** More marks on one character are no text. */
const mostMarks = 12;

/** Makes a text visible, scalar by scalar. */
export class EscapedText {
  /** @param {{ quote?: string, escapesEllipsis?: boolean, escapesBackslash?: boolean }} [options] */
  constructor(options = {}) {
    const { quote = '"', escapesEllipsis = false, escapesBackslash = true } = options;
    this.quote = quote;
    this.escapesEllipsis = escapesEllipsis;
    this.escapesBackslash = escapesBackslash;
    this.columns = new Columns();
    this.marks = 0;
    this.isAtStart = true;
    /** What the last scalar is written as. */
    this.text = "";
  }

  /**
   * Takes the next scalar, and returns its columns; `text` is what it is written as.
   * @param {string} scalar
   */
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

  /**
   * The columns of a scalar without a text around it.
   * @param {string} scalar
   */
  columnsOf(scalar) {
    const copy = new EscapedText({ quote: this.quote, escapesEllipsis: this.escapesEllipsis });
    copy.isAtStart = false;
    return copy.take(scalar);
  }
}

const plainASCII = /^[ -~]*$/;

/**
 * A text made visible.
 * @param {string} text
 * @param {{ quote?: string, escapesBackslash?: boolean }} [options]
 */
export function visible(text, options = { quote: "\u0001", escapesBackslash: false }) {
  if (options.escapesBackslash === false && plainASCII.test(text) && !text.includes(options.quote ?? '"')) return text;
  const writer = new EscapedText(options);
  let result = "";
  for (const scalar of text) {
    writer.take(scalar);
    result += writer.text;
  }
  return result;
}
