import Foundation

/// The memory into which lines are read: it is not filled with zeros, and grows where it stands if the system can do that.
final class LineMemory {
  /// How much is asked for at once: enough that the calls do not count, little enough to stay in the cache.
  static let chunk = 256 * 1024

  private var base: UnsafeMutableRawPointer?
  private(set) var count = 0

  /// No memory yet.
  init() {}

  /// A copy of bytes.
  init(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty, let base = malloc(bytes.count) else { return }
    let room = UnsafeMutableRawBufferPointer(start: base, count: bytes.count)
    room.copyBytes(from: bytes)
    self.base = base
    count = bytes.count
  }

  deinit { free(base) }

  /// The bytes in a range, as long as nothing else is asked of this object.
  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    guard let base else { return UnsafeBufferPointer(start: nil, count: 0) }
    let start = base.advanced(by: range.lowerBound).assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: range.count)
  }

  /// Where the first line feed in a range stands.
  func lineFeed(in range: Range<Int>) -> Int? {
    guard !range.isEmpty, let base,
      let found = memchr(base.advanced(by: range.lowerBound), 0x0A, range.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// The room behind what is there.
  func room(behind end: Int) -> UnsafeMutableRawBufferPointer {
    guard let base else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return UnsafeMutableRawBufferPointer(start: base.advanced(by: end), count: count - end)
  }

  /// Moves the bytes of a range to the front and makes room for more: as much again when a line has outgrown the memory,
  /// and no more than a chunk when a long line is over.
  ///
  /// - Returns: `false` when the system has no memory left.
  func makeRoom(behind range: Range<Int>) -> Bool {
    if range.lowerBound > 0, let base {
      memmove(base, base.advanced(by: range.lowerBound), range.count)
    }
    let rest = range.count
    var wanted = count
    if count - rest < Self.chunk {
      wanted = max(2 * Self.chunk, 2 * count)
    } else if count > Self.largestKept, rest < Self.chunk {
      wanted = 2 * Self.chunk
    }
    guard wanted != count else { return true }
    guard let grown = realloc(base, wanted) else { return false }
    base = grown
    count = wanted
    return true
  }

  /// Beyond this the memory for a long line is given back.
  private static let largestKept = 4 * 1024 * 1024
}
