import Synchronization

/// Which bytes of the rows of an array are what the rows hold: not the gaps between members, in which anything can be, and
/// no members that are not written.
struct RowLayout: Sendable {
  private let stride: Int
  /// For each byte, or each group of eight where rows are made of such, which bits count.
  private var mask: [UInt64] = []
  private let isMadeOfWords: Bool

  private static let known = Mutex<[ObjectIdentifier: RowLayout]>([:])

  /// The layout of the rows of a type.
  static func of<Element: LogValue>(_ type: Element.Type) -> RowLayout {
    let id = ObjectIdentifier(type)
    if let layout = known.withLock({ $0[id] }) { return layout }
    // Not under the lock, for a survey runs code of the app's.
    let layout = RowLayout(type)
    known.withLock { $0[id] = layout }
    return layout
  }

  private init<Element: LogValue>(_ type: Element.Type) {
    stride = MemoryLayout<Element>.stride
    isMadeOfWords = stride.isMultiple(of: 8) && MemoryLayout<Element>.alignment == 8
    var bytes = [UInt8](repeating: 0, count: stride)
    Self.mark(type, size: MemoryLayout<Element>.size, at: 0, in: &bytes)
    guard isMadeOfWords else {
      mask = bytes.map { UInt64($0) }
      return
    }
    mask = bytes.withUnsafeBytes { bytes in
      (0..<stride / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }
  }

  /// Marks the bytes of a value of some type: all of them, unless the type says where its members lie.
  private static func mark(_ type: Any.Type, size: Int, at start: Int, in bytes: inout [UInt8]) {
    guard let type = type as? any LogValue.Type,
      let members = LogTypeSurvey(surveying: type).members, !members.isEmpty
    else {
      for index in start..<start + size { bytes[index] = 0xFF }
      return
    }
    for member in members {
      mark(member.type, size: member.size, at: start + member.offset, in: &bytes)
    }
  }

  /// Whether the rows at two places are the same.
  func isSame(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
    mask.withUnsafeBufferPointer { isSame(lhs, rhs, $0) }
  }

  /// How many of so many rows are the same from here on.
  func commonPrefix(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, count: Int) -> Int {
    mask.withUnsafeBufferPointer { mask in
      var row = 0
      while row < count, isSame(lhs + row &* stride, rhs + row &* stride, mask) { row &+= 1 }
      return row
    }
  }

  /// How many of so many rows are the same up to here.
  func commonSuffix(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, count: Int) -> Int {
    mask.withUnsafeBufferPointer { mask in
      var row = 0
      while row < count, isSame(lhs - (row &+ 1) &* stride, rhs - (row &+ 1) &* stride, mask) {
        row &+= 1
      }
      return row
    }
  }

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
