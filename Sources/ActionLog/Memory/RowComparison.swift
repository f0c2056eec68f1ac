/// Compares the elements of two arrays, the rows, by their bits.
///
/// ```swift
/// let rows = RowComparison<Row>(&types)
/// rows.commonPrefix(old.span, new.span)  // 17: the first 17 rows are the same
/// ```
///
/// Rows are lent as spans, which no function can keep longer than their arrays. They are read through `RowLayout`: the
/// layout is that of `Element`, and each index is checked against its span.
struct RowComparison<Element>: Sendable {
  /// Where in a row something counts.
  let layout: RowLayout
  /// Where the rows stand in the whole arrays.
  let places: RowPlaces

  /// A comparison of rows of a type, whose layout is looked up once.
  init(_ types: inout RecentTypes, at places: RowPlaces = RowPlaces()) {
    layout = types.capabilities(of: Element.self).layout
    self.places = places
  }
}

extension RowComparison {
  /// Whether two values are the same.
  func isSame(_ lhs: Element, _ rhs: Element) -> Bool { layout.isSame(lhs, rhs) }

  /// How many rows at the start are the same.
  func commonPrefix(_ old: Span<Element>, _ new: Span<Element>) -> Int {
    withAddresses(old, new, orElse: 0) {
      layout.commonPrefix($0, $1, count: min(old.count, new.count))
    }
  }

  /// How many rows at the end are the same, after some at the start.
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

  /// The rows of a range that are not the same in place; nil when there are more than some.
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

  /// Whether one of the rows stands in the place of another one.
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

  /// The one row that has moved to the other end of a range.
  func singleMove(
    _ old: Span<Element>,
    _ new: Span<Element>,
    in range: Range<Int>
  ) -> (from: Int, to: Int)? {
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    // Those between that are not here have not moved.
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

  /// Numbers for the rows of two ranges, the same number for the same rows.
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
      // The first rows with a hash, and for each the one before it with the same hash.
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

  /// Lends the addresses of the first rows, unless there are none on one side.
  ///
  /// What is returned then is no optional, whose type would be looked up each time.
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

/// Where rows that are compared stand in their whole arrays.
struct RowPlaces: Sendable {
  private var start = 0
  private var places: [Int]?

  /// Rows of whole arrays.
  init() {}

  /// Rows after others.
  init(after count: Int) { start = count }

  /// Single rows.
  init(_ places: [Int]) { self.places = places }

  /// The index in the whole array of a row that is given by its index in the span.
  subscript(row: Int) -> Int { places?[row] ?? row + start }
}
