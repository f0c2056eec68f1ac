import Foundation

/// Which bytes of the values of a type are what the values hold: not the gaps between members, in which anything can be, and no
/// members that are not written.
///
/// This is the part that reads memory; `RowComparison` uses it for the elements of arrays. Callers see to it that as many
/// values of the type as are asked for lie at the addresses.
final class RowLayout: Sendable {
  /// How many bytes it is from one value to the next.
  let stride: Int
  /// For each byte, or each group of eight where values are made of such, which bits count.
  private let mask: [UInt64]
  private let isMadeOfWords: Bool

  /// The layout of a type, which is surveyed for it.
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
}

extension RowLayout {
  /// Whether the values at two addresses are the same.
  func isSame(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
    mask.withUnsafeBufferPointer { isSame(lhs, rhs, $0) }
  }

  /// Whether two values are the same; they are of the type that the layout is of.
  func isSame<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
    withUnsafePointer(to: lhs) { lhs in
      withUnsafePointer(to: rhs) { isSame(UnsafeRawPointer(lhs), UnsafeRawPointer($0)) }
    }
  }

  /// Which of 64 values differ, by bits from the lowest, among those of which the bits are set.
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

  /// How many of so many values are the same from here on.
  func commonPrefix(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, count: Int) -> Int {
    common(count) { first, _ in (lhs + first &* stride, rhs + first &* stride) }
  }

  /// How many of so many values are the same up to here.
  func commonSuffix(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, count: Int) -> Int {
    common(count) { _, end in (lhs - end &* stride, rhs - end &* stride) }
  }

  /// How many of so many values are the same without a break; `addresses` says where those from one to another one begin in
  /// memory.
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

  /// The hash of the value at an address, which depends on what counts alone.
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

  /// So many values are compared at once, gaps and all, before they are looked at one by one.
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
