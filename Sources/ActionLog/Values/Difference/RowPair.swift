import Foundation

/// The elements of an array as they were and as they are, whose bits say whether they are the same.
struct RowPair<Element> {
  let old: UnsafeBufferPointer<Element>
  let new: UnsafeBufferPointer<Element>
  private let oldBytes: UnsafeRawBufferPointer
  private let newBytes: UnsafeRawBufferPointer
  private let stride = MemoryLayout<Element>.stride

  init(old: UnsafeRawBufferPointer, new: UnsafeRawBufferPointer) {
    oldBytes = old
    newBytes = new
    self.old = old.assumingMemoryBound(to: Element.self)
    self.new = new.assumingMemoryBound(to: Element.self)
  }

  var oldCount: Int { old.count }
  var newCount: Int { new.count }

  /// Whether runs of rows are the same bits, each by each.
  private func isSame(_ old: Int, _ new: Int, count: Int = 1) -> Bool {
    guard count > 0, let oldBase = oldBytes.baseAddress, let newBase = newBytes.baseAddress else {
      return true
    }
    // What lies between rows is not theirs.
    let size = (count - 1) * stride + MemoryLayout<Element>.size
    return memcmp(oldBase + old * stride, newBase + new * stride, size) == 0
  }

  /// How many rows at the start are the same.
  func commonPrefix() -> Int {
    let count = min(oldCount, newCount)
    var index = 0
    while index + chunk <= count, isSame(index, index, count: chunk) { index += chunk }
    while index < count, isSame(index, index) { index += 1 }
    return index
  }

  /// How many rows at the end are the same.
  func commonSuffix(behind start: Int) -> Int {
    let count = min(oldCount, newCount) - start
    var end = 0
    while end + chunk <= count,
      isSame(oldCount - end - chunk, newCount - end - chunk, count: chunk)
    { end += chunk }
    while end < count, isSame(oldCount - 1 - end, newCount - 1 - end) { end += 1 }
    return end
  }

  /// As many rows as fill some lines of a cache, for a call costs more than to look at one row.
  private var chunk: Int { max(1, 2048 / max(stride, 1)) }

  /// The rows of a range that are not the same in place; nil when there are more than some.
  func changes(in range: Range<Int>, atMost limit: Int) -> [Int]? {
    var changes: [Int] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let length = min(chunk, range.upperBound - index)
      if !isSame(index, index, count: length) {
        for index in index..<index + length where !isSame(index, index) {
          guard changes.count < limit else { return nil }
          changes.append(index)
        }
      }
      index += length
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
    if isSame(first, last), isSame(first + 1, first, count: range.count - 1) {
      return (first, last)
    }
    if isSame(last, first), isSame(first, first + 1, count: range.count - 1) {
      return (last, first)
    }
    return nil
  }

  func oldBits(_ index: Int) -> RowBits { RowBits(oldBytes, index, Element.self) }
  func newBits(_ index: Int) -> RowBits { RowBits(newBytes, index, Element.self) }
}

/// The bits of a row, for as long as its array is held.
struct RowBits: Hashable {
  private let bytes: UnsafeRawBufferPointer

  init<Element>(_ rows: UnsafeRawBufferPointer, _ index: Int, _ type: Element.Type) {
    let start = index * MemoryLayout<Element>.stride
    bytes = UnsafeRawBufferPointer(rebasing: rows[start..<start + MemoryLayout<Element>.size])
  }

  static func == (lhs: RowBits, rhs: RowBits) -> Bool {
    lhs.bytes.hasSameBytes(as: rhs.bytes)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
}

/// Whether two values are the same bits: the same small values, and the same storage.
func hasSameBits<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  withUnsafeBytes(of: lhs) { lhs in withUnsafeBytes(of: rhs) { lhs.hasSameBytes(as: $0) } }
}

extension UnsafeRawBufferPointer {
  fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let base = baseAddress, let otherBase = other.baseAddress else {
      return count == other.count
    }
    return memcmp(base, otherBase, count) == 0
  }
}
