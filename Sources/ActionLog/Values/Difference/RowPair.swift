import Foundation

/// The elements of an array as they were and as they are, whose bits say whether they are the same.
struct RowPair<Element> {
  let old: UnsafeBufferPointer<Element>
  let new: UnsafeBufferPointer<Element>
  private let layout: RowLayout
  /// The index in the whole array of a row that is given by its index here.
  let place: (Int) -> Int

  init(
    old: UnsafeBufferPointer<Element>,
    new: UnsafeBufferPointer<Element>,
    _ layout: RowLayout,
    place: @escaping (Int) -> Int = { $0 }
  ) {
    self.old = old
    self.new = new
    self.layout = layout
    self.place = place
  }

  var oldCount: Int { old.count }
  var newCount: Int { new.count }

  private func isSame(_ old: Int, _ new: Int) -> Bool {
    guard let oldBase = self.old.baseAddress, let newBase = self.new.baseAddress else {
      return true
    }
    return layout.isSame(oldBase + old, newBase + new)
  }

  /// How many rows at the start are the same.
  func commonPrefix() -> Int {
    guard let old = old.baseAddress, let new = new.baseAddress else { return 0 }
    return layout.commonPrefix(old, new, count: min(oldCount, newCount))
  }

  /// How many rows at the end are the same, behind those at the start.
  func commonSuffix(behind start: Int) -> Int {
    guard let old = old.baseAddress, let new = new.baseAddress else { return 0 }
    let count = min(oldCount, newCount) - start
    return layout.commonSuffix(old + oldCount, new + newCount, count: count)
  }

  /// The rows of a range that are not the same in place; nil when there are more than some.
  func changes(in range: Range<Int>, atMost limit: Int) -> [Int]? {
    var changes: [Int] = []
    for index in range where !isSame(index, index) {
      guard changes.count < limit else { return nil }
      changes.append(index)
    }
    return changes
  }

  /// Whether one of the rows stands in the place of another one.
  func hasMoves(among indices: [Int]) -> Bool {
    indices.contains { old in indices.contains { $0 != old && isSame(old, $0) } }
  }

  /// The one row that has moved to the other end of a range.
  func singleMove(in range: Range<Int>) -> (from: Int, to: Int)? {
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    // Those between that are not here have not moved.
    guard first < last, place(last) - place(first) == last - first else { return nil }
    let most = first..<last
    if isSame(first, last), most.allSatisfy({ isSame($0 + 1, $0) }) { return (first, last) }
    if isSame(last, first), most.allSatisfy({ isSame($0, $0 + 1) }) { return (last, first) }
    return nil
  }

  func oldBits(_ index: Int) -> RowBits { RowBits(row: old.baseAddress, index, layout) }
  func newBits(_ index: Int) -> RowBits { RowBits(row: new.baseAddress, index, layout) }
}

/// The rows that differ between arrays in chunks of which only some rows have changed in place.
struct ChangedRows<Element> {
  private(set) var old: [Element] = []
  private(set) var new: [Element] = []
  /// The index of each in the whole arrays.
  private(set) var places: [Int] = []

  /// The rows that differ, nil when the chunks have other lengths or more than some rows differ.
  init?(
    _ oldChunks: [[Element]],
    _ newChunks: [[Element]],
    from start: Int,
    _ layout: RowLayout,
    atMost limit: Int
  ) {
    guard oldChunks.count == newChunks.count else { return nil }
    var start = start
    for (old, new) in zip(oldChunks, newChunks) {
      guard old.count == new.count else { return nil }
      let changes = old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new -> [Int]? in
          guard old.baseAddress != new.baseAddress else { return [] }
          return RowPair(old: old, new: new, layout)
            .changes(in: 0..<new.count, atMost: limit - places.count)
        }
      }
      guard let changes else { return nil }
      for index in changes {
        self.old.append(old[index])
        self.new.append(new[index])
        places.append(start + index)
      }
      start += new.count
    }
  }
}

/// The bits of a row, for as long as its array is held.
struct RowBits: Hashable {
  private let row: UnsafeRawPointer?
  private let layout: RowLayout

  init<Element>(row: UnsafePointer<Element>?, _ index: Int, _ layout: RowLayout) {
    self.row = row.map { UnsafeRawPointer($0 + index) }
    self.layout = layout
  }

  static func == (lhs: RowBits, rhs: RowBits) -> Bool {
    guard let left = lhs.row, let right = rhs.row else { return lhs.row == rhs.row }
    return lhs.layout.isSame(left, right)
  }

  func hash(into hasher: inout Hasher) {
    if let row { layout.hash(row, into: &hasher) }
  }
}

/// The type of the elements of an array that are compared by their bits.
struct RowType: Sendable {
  let id: ObjectIdentifier
  let layout: RowLayout
}

/// Lends two values where they stand, for `pointee` makes copies in generic code.
@inline(__always)
func lend<Value: ~Copyable>(
  _ first: UnsafePointer<Value>,
  _ second: UnsafePointer<Value>,
  to body: (borrowing Value, borrowing Value) -> Void
) {
  body(first.pointee, second.pointee)
}

/// Whether two values are the same bits: the same small values, and the same storage.
func hasSameBits<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  withUnsafePointer(to: lhs) { lhs in
    withUnsafePointer(to: rhs) { memcmp(lhs, $0, MemoryLayout<Value>.size) == 0 }
  }
}
