extension JSONPath {
  /// The bounds of an array slice (RFC 9535, section 2.3.4).
  struct Slice {
    let start: Int?
    let end: Int?
    let step: Int

    init(_ start: Int?, _ end: Int?, _ step: Int) {
      self.start = start
      self.end = end
      self.step = step
    }

    /// The positions that the slice selects in an array of this size, in order.
    func positions(count: Int) -> StrideTo<Int> {
      let lowest = step > 0 ? 0 : -1
      let highest = step > 0 ? count : count - 1
      func bound(_ value: Int?, default standard: Int) -> Int {
        guard let value else { return standard }
        return min(max(value < 0 ? count + value : value, lowest), highest)
      }
      guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
      let first = bound(start, default: step > 0 ? 0 : count - 1)
      return stride(from: first, to: bound(end, default: step > 0 ? count : -1), by: step)
    }
  }
}
