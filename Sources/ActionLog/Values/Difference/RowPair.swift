import Foundation

/// The elements of an array as they were and as they are, whose bits say whether they are the same.
struct RowPair<Element> {
  let old: UnsafeBufferPointer<Element>
  let new: UnsafeBufferPointer<Element>
  private let layout: RowLayout

  init(
    old: UnsafeBufferPointer<Element>,
    new: UnsafeBufferPointer<Element>,
    _ layout: RowLayout
  ) {
    self.old = old
    self.new = new
    self.layout = layout
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
    guard range.count > 1 else { return nil }
    let (first, last) = (range.lowerBound, range.upperBound - 1)
    let most = first..<last
    if isSame(first, last), most.allSatisfy({ isSame($0 + 1, $0) }) { return (first, last) }
    if isSame(last, first), most.allSatisfy({ isSame($0, $0 + 1) }) { return (last, first) }
    return nil
  }

  func oldBits(_ index: Int) -> RowBits { RowBits(row: old.baseAddress, index, layout) }
  func newBits(_ index: Int) -> RowBits { RowBits(row: new.baseAddress, index, layout) }
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
