/// A bitwise comparison of the elements (rows) of two arrays.
///
/// ```swift
/// let rows = RowComparison<Row>(&types)
/// rows.commonPrefix(old.span, new.span)  // 17: the first 17 rows are the same
/// ```
///
/// Rows are passed as spans, which can't outlive their arrays. The comparison reads them with the `ComparedBytesLayout` of
/// `Element`, and checks each index against its span.
struct RowComparison<Element>: Sendable {
  /// The layout that determines which bytes of a row are compared.
  let layout: ComparedBytesLayout
  /// The indexes of the compared rows in the complete arrays.
  let places: FullArrayIndexes

  /// Creates a comparison, and looks up the layout of `Element`.
  init(_ types: inout RecentTypes, at places: FullArrayIndexes = FullArrayIndexes()) {
    layout = types.capabilities(of: Element.self).layout
    self.places = places
  }
}

extension RowComparison {
  /// Whether two rows have the same compared bits.
  func isSame(_ lhs: Element, _ rhs: Element) -> Bool { layout.isSame(lhs, rhs) }

  /// Returns the number of rows at the start that are equal in both spans.
  func commonPrefix(_ old: Span<Element>, _ new: Span<Element>) -> Int {
    withAddresses(old, new, orElse: 0) {
      layout.commonPrefix($0, $1, count: min(old.count, new.count))
    }
  }

  /// Returns the number of rows at the end that are equal in both spans, excluding the first `start` rows.
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

  /// Returns the indexes of the rows in a range that differ, or `nil` if more than `limit` rows differ.
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

  /// Whether one of the rows at `indices` has moved to another one of these indexes.
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

  /// Returns the move of a row from one end of a range to the other, or `nil` if the range has other changes.
  func singleMove(
    _ old: Span<Element>,
    _ new: Span<Element>,
    in range: Range<Int>
  ) -> (from: Int, to: Int)? {
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    // Rows between the compared ones have not moved, so the indexes must be contiguous.
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

  /// Returns a number for each row in two ranges.
  ///
  /// Two rows have the same number if they are equal. But if one of the spans is empty, all numbers differ.
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
      // `last` contains the last row with each hash. `previous` links each row to the one before it with the same hash.
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

  /// Calls a closure with the addresses of the first rows, or returns `result` if one of the spans is empty.
  ///
  /// The function doesn't return an optional, because each call would then look up the metadata of the optional type.
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
struct FullArrayIndexes: Sendable {
  private var start = 0
  private var places: [Int]?

  /// Creates indexes for complete arrays.
  init() {}

  /// Creates indexes for rows that follow `count` others in the complete array.
  init(after count: Int) { start = count }

  /// Creates indexes for rows that are not contiguous in the complete array.
  init(_ places: [Int]) { self.places = places }

  /// The index in the complete array of the row at an index in the span.
  subscript(row: Int) -> Int { places?[row] ?? row + start }
}
