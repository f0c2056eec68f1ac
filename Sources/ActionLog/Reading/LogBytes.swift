import Foundation

/// Bytes in a log, to which decoded events refer.
///
/// Bytes to which an event could refer never change. A reader that shares its bytes with events or with another reader
/// continues in a new instance.
package final class LogBytes: @unchecked Sendable {
  /// The minimum number of free bytes for each read: 256 KiB.
  ///
  /// The size makes the cost of system calls negligible, and still fits into the processor's cache.
  static let chunk = 256 * 1024
  /// The maximum capacity in bytes that a buffer keeps after a long line: 4 MiB.
  private static let largestKept = 4 * 1024 * 1024

  private var base: UnsafeMutableRawPointer?
  private(set) var count = 0

  /// Creates an instance with a copy of `bytes`.
  package convenience init(copying bytes: [UInt8]) { self.init(bytes) }

  init() {}

  /// Creates an instance with a copy of `bytes`, followed by `room` free bytes.
  init(_ bytes: some Collection<UInt8>, room: Int = 0) {
    let size = bytes.count + room
    guard size > 0, let base = malloc(size) else { return }
    UnsafeMutableRawBufferPointer(start: base, count: bytes.count).copyBytes(from: bytes)
    self.base = base
    count = size
  }

  deinit { free(base) }

  /// Calls a closure with the bytes in a range.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ range: Range<Int>,
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(bytes(range))
  }

  /// Whether the bytes in a range equal the bytes in a range of `other`.
  func hasSame(_ range: Range<Int>, as other: LogBytes, _ otherRange: Range<Int>) -> Bool {
    guard range.count == otherRange.count else { return false }
    if self === other, range.lowerBound == otherRange.lowerBound { return true }
    defer { withExtendedLifetime((self, other)) {} }
    return bytes(range).hasSameBytes(as: other.bytes(otherRange))
  }

  /// Returns the bytes in a range.
  ///
  /// The result is valid until this object is deallocated or `makeRoom(after:)` is called.
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    guard let base else { return UnsafeBufferPointer(start: nil, count: 0) }
    let start = base.advanced(by: range.lowerBound).assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: range.count)
  }

  /// Returns the offset of the first line feed in a range, or `nil` if the range has none.
  func lineFeed(in range: Range<Int>) -> Int? {
    guard !range.isEmpty, let base,
      let found = memchr(base.advanced(by: range.lowerBound), 0x0A, range.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Returns the free bytes that begin at an offset.
  func room(after end: Int) -> UnsafeMutableRawBufferPointer {
    guard let base else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return UnsafeMutableRawBufferPointer(start: base.advanced(by: end), count: count - end)
  }

  /// Returns the capacity in bytes that `rest` bytes and another read need.
  ///
  /// The capacity doubles for a line that exceeds it, and shrinks to two chunks after a long line.
  func size(for rest: Int) -> Int {
    if count - rest < Self.chunk { return max(2 * Self.chunk, 2 * count) }
    return count > Self.largestKept && rest < Self.chunk ? 2 * Self.chunk : count
  }

  /// Moves the bytes in a range to the front, and reserves free space after them.
  ///
  /// The caller must have the only reference to this object.
  ///
  /// - Returns: `false` if the system is out of memory.
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
