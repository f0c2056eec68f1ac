/// A bitwise comparison of the elements (rows) of two arrays.
///
/// ```swift
/// let rows = RowComparison<Row>(&types)
/// rows.commonPrefix(old.span, new.span)  // 17: the first 17 rows are the same
/// ```
///
/// Rows are passed as spans, which can't outlive their arrays. They are read with the `RowLayout` of `Element`, and
/// each index is checked against its span.
struct RowComparison<Element>: Sendable {
  /// The bytes of a row that are compared.
  let layout: RowLayout
  /// The indexes of the rows in the complete arrays.
  let places: RowPlaces

  /// Creates a comparison for a type.
  ///
  /// Looks up the type's layout once.
  init(_ types: inout RecentTypes, at places: RowPlaces = RowPlaces()) {
    layout = types.capabilities(of: Element.self).layout
    self.places = places
  }
}

extension RowComparison {
  /// Whether two values have the same bits.
  func isSame(_ lhs: Element, _ rhs: Element) -> Bool { layout.isSame(lhs, rhs) }

  /// Returns the number of equal rows at the start.
  func commonPrefix(_ old: Span<Element>, _ new: Span<Element>) -> Int {
    withAddresses(old, new, orElse: 0) {
      layout.commonPrefix($0, $1, count: min(old.count, new.count))
    }
  }

  /// Returns the number of equal rows at the end, without the first `start` rows.
  func commonSuffix(_ old: Span<Element>, _ new: Span<Element>, after start: Int) -> Int {
    let count = min(old.count, new.count) - start
    guard count > 0, start >= 0 else { return 0 }
    return withAddresses(old, new, orElse: 0) {
      layout.commonSuffix(
        $0 + old.count * layout.stride,
        $1 + new.count * layout.stride,
        count: count
      )
    }
  }

  /// Returns the rows in a range that differ at the same index, or `nil` if there are more than a maximum.
  func changes(
    _ old: Span<Element>,
    _ new: Span<Element>,
    in range: Range<Int>,
    atMost limit: Int
  ) -> [Int]? {
    check(range, old)
    check(range, new)
    return withAddresses(old, new, orElse: []) { old, new -> [Int]? in
      var changes: [Int] = []
      for index in range where !isSame(old, index, new, index) {
        guard changes.count < limit else { return nil }
        changes.append(index)
      }
      return changes
    }
  }

  /// Whether one of the rows has moved to the index of another one.
  func hasMoves(_ old: Span<Element>, _ new: Span<Element>, among indices: [Int]) -> Bool {
    for index in indices {
      check(index..<index + 1, old)
      check(index..<index + 1, new)
    }
    return withAddresses(old, new, orElse: false) { old, new in
      indices.contains { from in
        indices.contains { $0 != from && isSame(old, from, new, $0) }
      }
    }
  }

  /// Returns the row that has moved to the other end of a range, if it is the only change.
  func singleMove(
    _ old: Span<Element>,
    _ new: Span<Element>,
    in range: Range<Int>
  ) -> (from: Int, to: Int)? {
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    // Rows between the given ones have not moved, so the indexes must be contiguous.
    guard first < last, places[last] - places[first] == last - first else { return nil }
    check(range, old)
    check(range, new)
    return withAddresses(old, new, orElse: nil) { old, new -> (from: Int, to: Int)? in
      let most = first..<last
      if isSame(old, first, new, last), most.allSatisfy({ isSame(old, $0 + 1, new, $0) }) {
        return (first, last)
      }
      if isSame(old, last, new, first), most.allSatisfy({ isSame(old, $0, new, $0 + 1) }) {
        return (last, first)
      }
      return nil
    }
  }

  /// Returns numbers for the rows of two ranges.
  ///
  /// Equal rows have the same number.
  func numbers(
    _ old: Span<Element>,
    _ oldRange: Range<Int>,
    _ new: Span<Element>,
    _ newRange: Range<Int>
  ) -> (old: [Int], new: [Int]) {
    check(oldRange, old)
    check(newRange, new)
    return withAddresses(
      old,
      new,
      orElse: (old: Array(oldRange), new: newRange.map { $0 + oldRange.count })
    ) { old, new -> (old: [Int], new: [Int]) in
      var numbers: [Int] = []
      numbers.reserveCapacity(oldRange.count + newRange.count)
      // The last row with each hash, and for each row the previous one with the same hash.
      var last: [Int: Int] = Dictionary(minimumCapacity: oldRange.count)
      var previous: [Int: Int] = [:]
      func address(_ row: Int) -> UnsafeRawPointer {
        row < oldRange.count
          ? old + (oldRange.lowerBound + row) * layout.stride
          : new + (newRange.lowerBound + row - oldRange.count) * layout.stride
      }
      for row in 0..<oldRange.count + newRange.count {
        let place = address(row)
        let hash = layout.hash(place)
        var candidate = last[hash]
        while let same = candidate, !layout.isSame(address(same), place) {
          candidate = previous[same]
        }
        if candidate == nil { previous[row] = last.updateValue(row, forKey: hash) }
        numbers.append(candidate ?? row)
      }
      return (Array(numbers[..<oldRange.count]), Array(numbers[oldRange.count...]))
    }
  }

  @inline(__always)
  private func isSame(
    _ old: UnsafeRawPointer,
    _ oldRow: Int,
    _ new: UnsafeRawPointer,
    _ newRow: Int
  ) -> Bool {
    layout.isSame(old + oldRow * layout.stride, new + newRow * layout.stride)
  }

  @inline(__always)
  private func check(_ range: Range<Int>, _ rows: Span<Element>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= rows.count,
      "Rows \(range) of \(rows.count) are compared."
    )
  }

  /// Passes the addresses of the first rows to a closure, unless one side is empty.
  ///
  /// The result is not an optional, because the metadata of its type would be looked up each time.
  @inline(__always)
  private func withAddresses<Result>(
    _ old: Span<Element>,
    _ new: Span<Element>,
    orElse result: @autoclosure () -> Result,
    _ body: (UnsafeRawPointer, UnsafeRawPointer) -> Result
  ) -> Result {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        guard let old = old.baseAddress, let new = new.baseAddress else { return result() }
        return body(old, new)
      }
    }
  }
}

/// The indexes of the compared rows in the complete arrays.
struct RowPlaces: Sendable {
  private var start = 0
  private var places: [Int]?

  /// Creates indexes for complete arrays.
  init() {}

  /// Creates indexes for rows after a number of others.
  init(after count: Int) { start = count }

  /// Creates indexes for individual rows.
  init(_ places: [Int]) { self.places = places }

  /// The index in the complete array for an index in the span.
  subscript(row: Int) -> Int { places?[row] ?? row + start }
}
