import Foundation
import Synchronization

/// Reads lines from a file descriptor, holding no more than the longest line.
package struct LineReader {
  /// A line without its end.
  package struct Line {
    /// The bytes; valid until the next line is read.
    package let bytes: UnsafeBufferPointer<UInt8>
    /// Whether a line feed followed; if not, it is the last one and may be torn.
    package let isTerminated: Bool
  }

  private let source: Source
  /// The longest line that is read, in bytes.
  let longest: Int
  /// The bytes that were read, followed by room for more.
  private var memory: LineMemory
  private var start = 0
  /// The end of the bytes that were read.
  private var end = 0
  /// The offset up to which there is no line feed.
  private var scanned = 0
  private var isAtEnd = false

  enum Source {
    case descriptor(FileHandle, path: String)
    case bytes
  }

  /// Reads lines from a file, or anything else that can be read.
  ///
  /// - Parameters:
  ///   - handle: The file, read from its current position.
  ///   - path: Its name in errors.
  ///   - longest: The longest line that is read, in bytes.
  package init(_ handle: FileHandle, path: String, longest: Int) {
    source = .descriptor(handle, path: path)
    memory = LineMemory()
    self.longest = longest
  }

  package init(_ bytes: [UInt8], longest: Int) {
    source = .bytes
    memory = LineMemory(bytes)
    end = memory.count
    isAtEnd = true
    self.longest = longest
  }

  /// The size of the memory for lines.
  var room: Int { memory.count }

  /// The bytes that were read and not consumed; valid until the next line is read.
  var waiting: UnsafeBufferPointer<UInt8> { memory.bytes(start..<end) }

  /// Skips whole lines of the bytes that were read.
  mutating func skip(_ count: Int) {
    start += count
    scanned = start
  }

  /// Reads until two lines wait.
  ///
  /// - Returns: Whether it read; `false` if they were there already, there are no two, or they are too long.
  mutating func readAhead() throws(LogReadError) -> Bool {
    if !isKnownUniquelyReferenced(&memory) { memory = LineMemory(memory.bytes(0..<end)) }
    // How many of the waiting bytes were searched, and how many lines end there.
    var (looked, feeds) = (0, 0)
    var hasRead = false
    while true {
      while feeds < 2, let feed = memory.lineFeed(in: (start + looked)..<end) {
        (looked, feeds) = (feed + 1 - start, feeds + 1)
      }
      if feeds == 2 { return hasRead }
      looked = end - start
      guard !isAtEnd, looked <= 2 * longest else { return false }
      try fill()
      hasRead = true
    }
  }

  /// The next line, `nil` after the last one.
  package mutating func next(line: Int) throws(LogReadError) -> Line? {
    // A copy of a reader has its own memory.
    if !isKnownUniquelyReferenced(&memory) { memory = LineMemory(memory.bytes(0..<end)) }
    while true {
      if let feed = memory.lineFeed(in: scanned..<end) {
        defer {
          start = feed + 1
          scanned = start
        }
        guard feed - start <= longest else { throw .lineTooLong(line: line) }
        return Line(bytes: memory.bytes(start..<feed), isTerminated: true)
      }
      scanned = end
      guard end - start <= longest else { throw .lineTooLong(line: line) }
      if isAtEnd {
        guard start < end else { return nil }
        defer { start = end }
        return Line(bytes: memory.bytes(start..<end), isTerminated: false)
      }
      try fill()
    }
  }

  private mutating func fill() throws(LogReadError) {
    guard case .descriptor(let handle, let path) = source else { return }
    guard memory.makeRoom(after: start..<end) else { throw .system(path: path, code: ENOMEM) }
    end -= start
    scanned -= start
    start = 0
    while true {
      let room = memory.room(after: end)
      let count = read(handle.fileDescriptor, room.baseAddress, room.count)
      if count > 0 {
        end += count
        ReadingCount.add(count)
        return
      }
      if count == 0 {
        isAtEnd = true
        return
      }
      guard errno == EINTR else { throw .system(path: path, code: errno) }
    }
  }
}

/// The memory into which lines are read; it is not zeroed, and grows in place if the system can do that.
final class LineMemory {
  /// The size of a read: large enough that calls do not matter, small enough to stay in the cache.
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

  /// The bytes in a range; valid until the next call of this object.
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

  /// Moves the bytes of a range to the front and makes room for more: as much again when a line has outgrown the memory,
  /// and no more than a chunk when a long line is over.
  ///
  /// - Returns: `false` when the system has no memory left.
  func makeRoom(after range: Range<Int>) -> Bool {
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

  /// Memory beyond this size is given back after a long line.
  private static let largestKept = 4 * 1024 * 1024
}

extension FileHandle {
  /// Opens a file, or anything else that can be read; it is closed with the handle.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - offset: The byte from which it is read.
  /// - Throws: `LogReadError` when the system refuses.
  package convenience init(readingLog path: String, from offset: Int = 0) throws(LogReadError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .noSuchFile(path) : .system(path: path, code: errno)
    }
    // A pipe cannot seek and is read from its current position.
    if offset > 0 { lseek(descriptor, off_t(offset), SEEK_SET) }
    self.init(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}

/// The number of bytes that this process has read from logs, for reports of progress.
package enum ReadingCount {
  private static let bytes = Atomic<Int>(0)

  /// The bytes.
  package static var total: Int { bytes.load(ordering: .relaxed) }

  /// Counts bytes that were read.
  package static func add(_ count: Int) { bytes.wrappingAdd(count, ordering: .relaxed) }
}
