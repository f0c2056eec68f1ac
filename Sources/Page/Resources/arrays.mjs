// Columns of numbers that grow.

/** @template {Int32Array | Uint32Array | Uint8Array | Float64Array} T */
export class Column {
  /** @param {new (length: number) => T} type */
  constructor(type) {
    this.type = type;
    this.values = new type(1024);
    this.length = 0;
  }

  /** @param {number} value */
  push(value) {
    if (this.length === this.values.length) {
      const values = new this.type(this.length * 2);
      values.set(/** @type {any} */ (this.values));
      this.values = values;
    }
    this.values[this.length] = value;
    this.length += 1;
  }

  /**
   * The last place whose value is at most this one, in a column in order; -1 for none.
   * @param {number} value
   */
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
