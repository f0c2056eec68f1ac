import Foundation

/// Bytes that were read from a log, to which the events that were read from them refer.
///
/// What an event may refer to never changes: a reader that shares the bytes with events or another reader reads on into others.
package final class LogBytes: @unchecked Sendable {
  /// The size of a read: large enough that calls do not matter, small enough to stay in the cache.
  static let chunk = 256 * 1024
  /// Room beyond this size is given back after a long line.
  private static let largestKept = 4 * 1024 * 1024

  private var base: UnsafeMutableRawPointer?
  private(set) var count = 0

  /// A copy of bytes.
  package convenience init(copying bytes: [UInt8]) { self.init(bytes) }

  /// No bytes yet.
  init() {}

  /// A copy of bytes.
  init(_ bytes: some Collection<UInt8>, room: Int = 0) {
    let size = bytes.count + room
    guard size > 0, let base = malloc(size) else { return }
    UnsafeMutableRawBufferPointer(start: base, count: bytes.count).copyBytes(from: bytes)
    self.base = base
    count = size
  }

  deinit { free(base) }

  /// Calls a function with the bytes in a range.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ range: Range<Int>,
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes(range))
  }

  /// Whether these bytes are the same as others.
  func hasSame(_ range: Range<Int>, as other: LogBytes, _ otherRange: Range<Int>) -> Bool {
    guard range.count == otherRange.count else { return false }
    if self === other, range.lowerBound == otherRange.lowerBound { return true }
    defer { withExtendedLifetime((self, other)) {} }
    return bytes(range).hasSameBytes(as: other.bytes(otherRange))
  }

  /// The bytes in a range; valid as long as this object is, and is not asked to make room.
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    guard let base else { return UnsafeBufferPointer(start: nil, count: 0) }
    let start = base.advanced(by: range.lowerBound).assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: range.count)
  }

  /// The offset of the first line feed in a range.
  func lineFeed(in range: Range<Int>) -> Int? {
    guard !range.isEmpty, let base,
      let found = memchr(base.advanced(by: range.lowerBound), 0x0A, range.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// The room after the bytes that were read.
  func room(after end: Int) -> UnsafeMutableRawBufferPointer {
    guard let base else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return UnsafeMutableRawBufferPointer(start: base.advanced(by: end), count: count - end)
  }

  /// How much room bytes need so that a read fits after them: as much again for a line that has outgrown the room, and no
  /// more than a chunk when a long line is over.
  func size(for rest: Int) -> Int {
    if count - rest < Self.chunk { return max(2 * Self.chunk, 2 * count) }
    return count > Self.largestKept && rest < Self.chunk ? 2 * Self.chunk : count
  }

  /// Moves the bytes of a range to the front and makes room after them.
  ///
  /// The caller is the only one who refers to the bytes.
  ///
  /// - Returns: `false` when the system has no memory left.
  func makeRoom(after range: Range<Int>) -> Bool {
    if range.lowerBound > 0, let base {
      memmove(base, base.advanced(by: range.lowerBound), range.count)
    }
    let wanted = size(for: range.count)
    guard wanted != count else { return true }
    guard let resized = realloc(base, wanted) else { return false }
    base = resized
    count = wanted
    return true
  }
}
