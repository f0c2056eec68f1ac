// Actions and values as the author of the app writes them in Swift, by the rules of Documentation/Notation.md.

import { IDAbbreviations, idColumns, isLoggedDate, isMaskSubstitute, isUUID } from "./ids.mjs";
import { isNumber, isObject, literal } from "./json.mjs";
import { arrayIndex } from "./pointer.mjs";
import { EscapedText, byteCount, isPropertyPath, isSwiftIdentifier, takesNoColumn } from "./visible.mjs";

/**
 * The columns that a value, and a text in it, may take.
 * @typedef {{ value: number, text: number }} Limits
 */
/**
 * How a value is laid out: on one line up to a column, or with a line for each part.
 * @typedef {{ end: number } | { indent: number }} Layout
 */
/**
 * A case of an enum.
 * @typedef {{ name: string, payload: Map<string, any> }} Case
 */

export const standardLimits = { value: 400, text: 120 };
export const noLimits = { value: 2 ** 50, text: 2 ** 50 };

/** Less room is not worth the beginning of a value. */
const leastRoom = 6;
/** The last case says most of an action, so a path takes these columns even where a value may take fewer. */
const leastPath = 60;
/** Room for the words that say how many parts are left out, and the last one. */
const roomForRest = 28;
/** A longer line is broken. */
const lineLength = 80;

/** Writes values; the ids so far are shared by all that is written. */
export class Notation {
  /**
   * @param {Limits} [limits]
   * @param {IDAbbreviations} [ids]
   */
  constructor(limits = standardLimits, ids = new IDAbbreviations()) {
    this.limits = limits;
    this.ids = ids;
  }

  /**
   * The same notation with other limits.
   * @param {Limits} limits
   */
  limited(limits) {
    return new Notation(limits, this.ids);
  }

  /** @param {any} action */
  action(action) {
    const writer = new Writer(this);
    writer.action(action);
    return writer.text;
  }

  /** @param {any} value */
  value(value) {
    const writer = new Writer(this);
    writer.value(value, { end: this.limits.value });
    return writer.text;
  }

  /**
   * A value with a line for each part where it does not fit on one.
   * @param {any} value
   */
  lines(value) {
    const writer = new Writer(this);
    writer.value(value, { indent: 0 });
    return writer.text;
  }

  /**
   * The names of an action's cases, with `[]` for an element.
   * @param {any} action
   */
  casePath(action) {
    const writer = new Writer(this);
    writer.casePath(action);
    return writer.text;
  }

  /**
   * An id that effects are canceled by: `CancelID.load`, and `CancelID.load#2` for another one that prints alike.
   * @param {Map<string, any>} id
   */
  cancelID(id) {
    const writer = new Writer(this);
    writer.typed(String(id.get("type")), id.get("value") ?? null, this.limits.value);
    return id.get("n") > 1 ? `${writer.text}#${id.get("n")}` : writer.text;
  }
}

/**
 * Whether a value has no members.
 * @param {any} value
 */
function isEmptyObject(value) {
  return isObject(value) && value.size === 0;
}

/**
 * The only member of an object.
 * @param {any} value
 * @returns {[string, any] | undefined}
 */
function onlyMember(value) {
  return isObject(value) && value.size === 1 ? value.entries().next().value : undefined;
}

/** More indexes than a line has room for. */
const mostIndexes = 1000;

/**
 * The indexes in a logged `IndexSet`, in order; `undefined` for other values, and for more indexes than a person reads.
 * @param {any} value
 */
function indexSet(value) {
  const ranges = only(value, "indexes");
  // A set without indexes looks like any structure with an empty list of this name.
  if (!Array.isArray(ranges) || ranges.length === 0) return undefined;
  /** @type {number[]} */
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

/**
 * The value of the only member, if that has this name.
 * @param {any} value
 * @param {string} name
 */
export function only(value, name) {
  return isObject(value) && value.size === 1 ? value.get(name) : undefined;
}

/**
 * The values of the two members of an object.
 * @param {any} value
 * @param {string} first
 * @param {string} second
 */
export function both(value, first, second) {
  if (!isObject(value) || value.size !== 2) return undefined;
  const [a, b] = value;
  return a[0] === first && b[0] === second ? [a[1], b[1]] : undefined;
}

/**
 * The number of a payload without a label, 3 of `_3`; -1 for none.
 * @param {string} name
 */
function payloadPlace(name) {
  return name.length > 1 && name.length < 5 && name[0] === "_" ? arrayIndex(name.slice(1)) : -1;
}

/**
 * The case that an enum has, if a value has the form of one.
 * @param {any} value
 * @returns {Case | undefined}
 */
export function enumCase(value) {
  const member = onlyMember(value);
  if (member === undefined || !isObject(member[1])) return undefined;
  const [name, payload] = member;
  return isSwiftIdentifier(name) ? { name, payload } : undefined;
}

/**
 * The case of an enum in a value, where a structure with one member may have the same form.
 * @param {any} value
 */
function valueCase(value) {
  const found = enumCase(value);
  if (found === undefined) return undefined;
  const inner = enumCase(found.payload);
  // What is named after its place is an argument.
  return inner === undefined || payloadPlace(inner.name) >= 0 ? found : undefined;
}

/** @param {Case} inner */
function isResult(inner) {
  if (inner.name === "success" && isEmptyObject(inner.payload)) return true;
  return (inner.name === "success" || inner.name === "failure") && only(inner.payload, "_0") !== undefined;
}

/**
 * The id and action in `StackAction.element` and `IdentifiedAction.element`.
 * @param {Case} inner
 * @returns {[any, Case] | undefined}
 */
function elementAction(inner) {
  const parts = inner.name === "element" ? both(inner.payload, "id", "action") : undefined;
  const action = parts && enumCase(parts[1]);
  return parts && action && [parts[0], action];
}

/**
 * The child's action in `PresentationAction.presented`; `undefined` where leaving that out would read as something else.
 * @param {Case} inner
 */
function presented(inner) {
  if (inner.name !== "presented") return undefined;
  const found = enumCase(only(inner.payload, "_0"));
  if (found === undefined || isResult(found) || found.name === "dismiss" || found.name === "presented") return undefined;
  return elementAction(found) === undefined ? found : undefined;
}

/**
 * The action of a child in an action, and its id when it is an element.
 * @param {Case} parent
 * @returns {{ inner?: Case, id?: any }}
 */
function childAction(parent) {
  const inner = enumCase(only(parent.payload, "_0"));
  if (inner === undefined || isResult(inner)) return {};
  const shown = presented(inner);
  if (shown !== undefined) return { inner: shown };
  const row = elementAction(inner);
  return row === undefined ? { inner } : { inner: row[1], id: row[0] };
}

/**
 * @param {Layout} layout
 * @returns {Layout}
 */
function inside(layout) {
  return "end" in layout ? { end: layout.end - 1 } : layout;
}

class Writer {
  /** @param {Notation} notation */
  constructor(notation) {
    this.notation = notation;
    this.limits = notation.limits;
    this.isFull = notation.limits === noLimits;
    this.text = "";
    this.column = 0;
    this.isCut = false;
  }

  /**
   * Writes visible ASCII.
   * @param {string} text
   */
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

  /**
   * @param {string} scalar
   * @param {EscapedText} visible
   * @param {number} columns
   */
  putScalar(scalar, visible, columns) {
    const width = visible.take(scalar);
    if (width > columns) return -1;
    this.text += visible.text;
    this.column += width;
    return width;
  }

  /**
   * @param {string} text
   * @param {string} [quote]
   */
  putVisible(text, quote = '"') {
    const visible = new EscapedText({ quote });
    for (const scalar of text) this.putScalar(scalar, visible, Infinity);
  }

  /**
   * @param {string} text
   * @param {number} count
   */
  putPrefix(text, count, quote = '"') {
    const scalars = text.length > count ? [...text] : undefined;
    if (scalars === undefined || scalars.length <= count) return this.putVisible(text, quote);
    this.putVisible(scalars.slice(0, count).join(""), quote);
    this.putEllipsis();
  }

  /**
   * The columns that are left up to an end.
   * @param {number} end
   */
  room(end) {
    return end - this.column;
  }

  // Actions

  /** @param {any} view */
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

  /** @param {any} view */
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

  /**
   * The arguments of `BindingAction.set`, whose first one names a property.
   * @param {Case} inner
   * @param {number} end
   */
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

  // Values

  /**
   * @param {any} view
   * @param {Layout} layout
   * @returns {void}
   */
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

  /**
   * @param {string} digits
   * @param {number} end
   */
  number(digits, end) {
    if (digits.length <= Math.max(this.room(end), 40)) return this.put(digits);
    this.put(digits.slice(0, 20));
    return this.putEllipsis(`${digits.slice(-8)} (${digits.length} digits)`);
  }

  /**
   * @param {Map<string, any>} view
   * @param {Layout} layout
   * @param {number} end
   */
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
    // The keys of a dictionary are seldom all names.
    const isDictionary = !isSwiftIdentifier(view.keys().next().value ?? "");
    this.put(isDictionary ? "[" : "(");
    this.parts(view, true, isDictionary, inside(layout));
    return this.put(isDictionary ? "]" : ")");
  }

  /**
   * The payload of a case.
   * @param {Map<string, any>} payload
   * @param {Layout} layout
   */
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

  /**
   * Elements, or members with their labels.
   * @param {any[] | Map<string, any>} container
   * @param {boolean} hasLabels
   * @param {boolean} labelsPlaces
   * @param {Layout} layout
   */
  parts(container, hasLabels, labelsPlaces, layout) {
    const count = Array.isArray(container) ? container.length : container.size;
    const members = Array.isArray(container) ? undefined : container.entries();
    /**
     * @param {number} index
     * @returns {[string | undefined, any]}
     */
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
      // Of what is left, the first part may take most, but not all.
      const share = index + 1 === count
        ? layout.end : this.column + Math.max(Math.trunc((this.room(layout.end) * 2) / 3), leastRoom);
      this.value(value, { end: share });
    }
    return undefined;
  }

  /**
   * @param {number} count
   * @param {(index: number) => [string | undefined, any]} part
   * @param {number} indent
   */
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

  // Names

  /** @param {string} name */
  name(name) {
    this.putPrefix(name, this.limits.text);
  }

  /** @param {string | undefined} label */
  label(label) {
    if (label === undefined) return;
    if (isSwiftIdentifier(label)) {
      this.name(label);
    } else {
      this.put('"');
      // A user's name with a dollar sign has another one in the log; without that one, it is a tag out of place.
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

  // Texts

  /**
   * @param {string} text
   * @param {number} end
   */
  string(text, end) {
    if (this.plain(text)) return;
    // The ends of a text take 14 columns with its length: a shorter text is never cut.
    const room = Math.max(Math.min(this.limits.text, this.room(end) - 2), 14);
    // Of a long text only the ends are looked at.
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

  /**
   * The ends of a text: `"head…tail" (1048576 bytes)`.
   * @param {string} head
   * @param {string} tail
   * @param {number} bytes
   * @param {number} most
   */
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
    /** @type {string[]} */
    const last = [];
    const scalars = [...tail];
    for (let index = scalars.length - 1; index >= 0; index -= 1) {
      // Marks count here, for there may be no end of them.
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

  /**
   * Ids, dates and what a mask has put in the place of a text, without quotes.
   * @param {string} text
   */
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

  /** @param {string} text */
  masked(text) {
    this.put("<masked ");
    this.putVisible(this.isFull ? text.slice(6) : `…${text.slice(-4)}`);
    this.put(">");
  }

  // Tagged values

  /**
   * A value that the log tags; `false` for one that is not tagged exactly as the format says.
   * @param {Map<string, any>} view
   * @param {number} end
   */
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

  /**
   * @param {Map<string, any>} view
   * @param {number} end
   */
  opaque(view, end) {
    const type = view.get("$opaque");
    if (typeof type !== "string" || byteCount(type) > 200) return false;
    /** @type {string | undefined} */
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

  /**
   * @param {any} view
   * @param {number} end
   */
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

  /**
   * A value with its type: `CancelID.save`, `Offline(retries: 3)`, `String("search")`.
   * @param {string} type
   * @param {any} view
   * @param {number} end
   */
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
    // A structure has its own parentheses.
    if (this.text.length > start && this.text[start] !== "(") {
      this.text = `${this.text.slice(0, start)}(${this.text.slice(start)})`;
      this.column += 2;
    }
    return undefined;
  }
}
