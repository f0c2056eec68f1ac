import Foundation

/// The bytes in a type's values that take part in comparisons.
///
/// Padding and members that are not logged don't take part.
///
/// This type reads memory. `RowComparison` uses it for the elements of arrays. Callers ensure that the addresses
/// contain the required number of values of the type.
final class ComparedBytesLayout: Sendable {
  /// The distance in bytes from one value to the next.
  let stride: Int
  /// A bit mask for each byte of a value, or for each 8-byte word if the type consists of such words.
  private let mask: [UInt64]
  private let isMadeOfWords: Bool

  /// Creates the layout of a type, from a survey of its members.
  init(of type: Any.Type) {
    func layout<Element>(_: Element.Type) -> (size: Int, stride: Int, alignment: Int) {
      let layout = MemoryLayout<Element>.self
      return (layout.size, layout.stride, layout.alignment)
    }
    let (size, stride, alignment) = layout(type)
    self.stride = stride
    isMadeOfWords = stride.isMultiple(of: 8) && alignment == 8
    var bytes = [UInt8](repeating: 0, count: stride)
    Self.mark(type, size: size, at: 0, in: &bytes)
    mask =
      isMadeOfWords
      ? bytes.withUnsafeBytes { bytes in
        (0..<stride / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
      }
      : bytes.map { UInt64($0) }
  }

  /// Marks the bytes of a value that take part in comparisons.
  ///
  /// Marks all bytes if the offsets of the members are unknown.
  private static func mark(_ type: Any.Type, size: Int, at start: Int, in bytes: inout [UInt8]) {
    guard let members = LogTypeSurvey(surveying: type).members, !members.isEmpty else {
      for index in start..<start + size { bytes[index] = 0xFF }
      return
    }
    for member in members {
      mark(member.type, size: member.size, at: start + member.offset, in: &bytes)
    }
  }
}

extension ComparedBytesLayout {
  /// Whether the values at two addresses have the same compared bits.
  func isSame(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
    mask.withUnsafeBufferPointer { isSame(lhs, rhs, $0) }
  }

  /// Whether two values of the layout's type have the same compared bits.
  func isSame<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
    withUnsafePointer(to: lhs) { lhs in
      withUnsafePointer(to: rhs) { isSame(UnsafeRawPointer(lhs), UnsafeRawPointer($0)) }
    }
  }

  /// Returns a bitmap of the values that differ, among up to 64 values that the bitmap `rows` selects.
  ///
  /// The lowest bit represents the first value.
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

  /// Returns the number of equal values that begin at the addresses, up to `count`.
  func commonPrefix(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, count: Int) -> Int {
    common(count) { first, _ in (lhs + first &* stride, rhs + first &* stride) }
  }

  /// Returns the number of equal values that end at the addresses, up to `count`.
  func commonSuffix(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, count: Int) -> Int {
    common(count) { _, end in (lhs - end &* stride, rhs - end &* stride) }
  }

  /// Returns the number of consecutive equal values, up to `count`.
  ///
  /// `addresses` returns the addresses at which a range of values starts.
  @inline(__always)
  private func common(
    _ count: Int,
    _ addresses: (Int, Int) -> (UnsafeRawPointer, UnsafeRawPointer)
  ) -> Int {
    mask.withUnsafeBufferPointer { mask in
      var row = 0
      while row < count {
        let end = min(count, row + rowsPerBlock)
        let block = addresses(row, end)
        if memcmp(block.0, block.1, (end - row) &* stride) == 0 {
          row = end
          continue
        }
        while row < end {
          let (left, right) = addresses(row, row &+ 1)
          guard isSame(left, right, mask) else { return row }
          row &+= 1
        }
      }
      return row
    }
  }

  /// Returns a hash of the compared bits of the value at an address.
  func hash(_ row: UnsafeRawPointer) -> Int {
    var hasher = Hasher()
    for (index, mask) in mask.enumerated() where mask != 0 {
      if isMadeOfWords {
        hasher.combine(row.load(fromByteOffset: index * 8, as: UInt64.self) & mask)
      } else {
        hasher.combine(row.load(fromByteOffset: index, as: UInt8.self))
      }
    }
    return hasher.finalize()
  }

  /// The number of values in 4,096 bytes, which are compared as one block before they are compared individually.
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
}
