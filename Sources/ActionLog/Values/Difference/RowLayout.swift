import Foundation
import Synchronization

/// Which bytes of the rows of an array are what the rows hold: not the gaps between members, in which anything can be, and
/// no members that are not written.
struct RowLayout: Sendable {
  /// How many bytes it is from one row to the next.
  let stride: Int
  /// For each byte, or each group of eight where rows are made of such, which bits count.
  private var mask: [UInt64] = []
  private let isMadeOfWords: Bool

  private static let known = Mutex<[ObjectIdentifier: RowLayout]>([:])

  /// The layout of the rows of a type.
  static func of(_ type: Any.Type) -> RowLayout {
    let id = ObjectIdentifier(type)
    if let layout = known.withLock({ $0[id] }) { return layout }
    // Not under the lock, for a survey runs code of the app's.
    let layout = RowLayout(type)
    known.withLock { $0[id] = layout }
    return layout
  }

  private init(_ type: Any.Type) {
    func layout<Element>(_: Element.Type) -> (size: Int, stride: Int, alignment: Int) {
      let layout = MemoryLayout<Element>.self
      return (layout.size, layout.stride, layout.alignment)
    }
    let (size, stride, alignment) = layout(type)
    self.stride = stride
    isMadeOfWords = stride.isMultiple(of: 8) && alignment == 8
    var bytes = [UInt8](repeating: 0, count: stride)
    Self.mark(type, size: size, at: 0, in: &bytes)
    guard isMadeOfWords else {
      mask = bytes.map { UInt64($0) }
      return
    }
    mask = bytes.withUnsafeBytes { bytes in
      (0..<stride / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }
  }

  /// Marks the bytes of a value of some type: all of them, unless it is known where its members lie.
  private static func mark(_ type: Any.Type, size: Int, at start: Int, in bytes: inout [UInt8]) {
    guard let members = LogTypeSurvey(surveying: type).members, !members.isEmpty else {
      for index in start..<start + size { bytes[index] = 0xFF }
      return
    }
    for member in members {
      mark(member.type, size: member.size, at: start + member.offset, in: &bytes)
    }
  }

  /// Whether two values are the same bits.
  func isSameValue<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
    withUnsafePointer(to: lhs) { lhs in
      withUnsafePointer(to: rhs) { isSame(UnsafeRawPointer(lhs), UnsafeRawPointer($0)) }
    }
  }

  /// Whether the rows at two places are the same.
  func isSame(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
    mask.withUnsafeBufferPointer { isSame(lhs, rhs, $0) }
  }

  /// Which of 64 rows differ, by bits from the lowest, among those of which the bits are set.
  func differing(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, among rows: UInt64) -> UInt64 {
    mask.withUnsafeBufferPointer { mask in
      var (rest, differing) = (rows, UInt64(0))
      while rest != 0 {
        let row = rest.trailingZeroBitCount
        if !isSame(lhs + row &* stride, rhs + row &* stride, mask) { differing |= 1 << row }
        rest &= rest &- 1
      }
      return differing
    }
  }

  /// How many of so many rows are the same from here on.
  func commonPrefix(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, count: Int) -> Int {
    mask.withUnsafeBufferPointer { mask in
      var row = 0
      while row < count {
        let end = min(count, row + rowsPerBlock)
        if memcmp(lhs + row &* stride, rhs + row &* stride, (end - row) &* stride) == 0 {
          row = end
          continue
        }
        while row < end, isSame(lhs + row &* stride, rhs + row &* stride, mask) { row &+= 1 }
        if row < end { break }
      }
      return row
    }
  }

  /// How many of so many rows are the same up to here.
  func commonSuffix(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, count: Int) -> Int {
    mask.withUnsafeBufferPointer { mask in
      var row = 0
      while row < count {
        let end = min(count, row + rowsPerBlock)
        if memcmp(lhs - end &* stride, rhs - end &* stride, (end - row) &* stride) == 0 {
          row = end
          continue
        }
        while row < end, isSame(lhs - (row &+ 1) &* stride, rhs - (row &+ 1) &* stride, mask) {
          row &+= 1
        }
        if row < end { break }
      }
      return row
    }
  }

  /// So many rows are compared at once, gaps and all, before they are looked at one by one.
  private var rowsPerBlock: Int { max(1, 4096 / max(stride, 1)) }

  @inline(__always)
  private func isSame(
    _ lhs: UnsafeRawPointer,
    _ rhs: UnsafeRawPointer,
    _ mask: UnsafeBufferPointer<UInt64>
  ) -> Bool {
    if isMadeOfWords {
      var difference: UInt64 = 0
      for index in 0..<mask.count {
        let left = lhs.load(fromByteOffset: index &* 8, as: UInt64.self)
        let right = rhs.load(fromByteOffset: index &* 8, as: UInt64.self)
        difference |= (left ^ right) & mask[index]
      }
      return difference == 0
    }
    for index in 0..<mask.count where mask[index] != 0 {
      let left = lhs.load(fromByteOffset: index, as: UInt8.self)
      guard left == rhs.load(fromByteOffset: index, as: UInt8.self) else { return false }
    }
    return true
  }

  func hash(_ row: UnsafeRawPointer, into hasher: inout Hasher) {
    for (index, mask) in mask.enumerated() where mask != 0 {
      if isMadeOfWords {
        hasher.combine(row.load(fromByteOffset: index * 8, as: UInt64.self) & mask)
      } else {
        hasher.combine(row.load(fromByteOffset: index, as: UInt8.self))
      }
    }
  }
}

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
