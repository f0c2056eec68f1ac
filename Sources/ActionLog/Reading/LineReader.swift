import Foundation
import Synchronization

/// A reader for the lines of a file or of bytes in memory.
///
/// Its memory use depends on the length of a file's longest line, not on the size of the file.
package struct LineReader {
  /// A line without its line feed.
  package struct Line {
    /// The bytes that contain the line, shared with the events that are decoded from it.
    let memory: LogBytes
    let range: Range<Int>
    /// Whether a line feed follows the line.
    ///
    /// A line without one is the last line of the file, and can be incomplete.
    package let isTerminated: Bool

    /// The bytes of the line, in UTF-8.
    ///
    /// Valid until the next line is read, or longer if the line is kept.
    package var bytes: UnsafeBufferPointer<UInt8> { memory.bytes(range) }
    /// The number of bytes in the line, without the line feed.
    package var count: Int { range.count }
  }

  private let source: Source
  /// The maximum length of a line in bytes.
  let longest: Int
  /// The bytes that were read from the file, followed by free space.
  private var memory: LogBytes
  private var start = 0
  /// The offset in `memory` at which the free space begins.
  private var end = 0
  /// The offset in `memory` before which no line feed was found in the current line.
  private var scanned = 0
  private var isAtEnd = false

  enum Source {
    case descriptor(FileHandle, path: String)
    case bytes
  }

  /// Creates a reader for a file, a pipe, or another readable descriptor.
  ///
  /// - Parameters:
  ///   - handle: The file handle, read from its current position.
  ///   - path: The file's name in error messages.
  ///   - longest: The maximum length of a line in bytes.
  package init(_ handle: FileHandle, path: String, longest: Int) {
    source = .descriptor(handle, path: path)
    memory = LogBytes()
    self.longest = longest
  }

  package init(_ bytes: [UInt8], longest: Int) {
    source = .bytes
    memory = LogBytes(bytes)
    end = memory.count
    isAtEnd = true
    self.longest = longest
  }

  /// Creates a reader for bytes in memory, which other readers can share.
  ///
  /// - Parameters:
  ///   - memory: The bytes to read.
  ///   - offset: The offset at which the first line begins.
  ///   - longest: The maximum length of a line in bytes.
  init(_ memory: LogBytes, from offset: Int, longest: Int) {
    source = .bytes
    self.memory = memory
    (start, scanned, end) = (offset, offset, memory.count)
    isAtEnd = true
    self.longest = longest
  }

  /// The current capacity of `memory`, in bytes.
  var room: Int { memory.count }

  /// Returns the next line.
  ///
  /// - Parameter line: The number of the line, for errors.
  /// - Returns: The line, or `nil` after the last one.
  /// - Throws: A `LogReadError` if the system can't read the file, or if the line is longer than `longest`.
  package mutating func next(line: Int) throws(LogReadError) -> Line? {
    while true {
      if let feed = memory.lineFeed(in: scanned..<end) {
        defer {
          start = feed + 1
          scanned = start
        }
        guard feed - start <= longest else { throw .lineTooLong(line: line) }
        return Line(memory: memory, range: start..<feed, isTerminated: true)
      }
      scanned = end
      guard end - start <= longest else { throw .lineTooLong(line: line) }
      if isAtEnd {
        guard start < end else { return nil }
        defer { start = end }
        return Line(memory: memory, range: start..<end, isTerminated: false)
      }
      try fill()
    }
  }

  private mutating func fill() throws(LogReadError) {
    guard case .descriptor(let handle, let path) = source else { return }
    // Bytes to which events or another reader refer must not change, so reading continues in a new instance.
    if !isKnownUniquelyReferenced(&memory) {
      let rest = memory.bytes(start..<end)
      let other = LogBytes(rest, room: memory.size(for: rest.count) - rest.count)
      guard other.count > 0 else { throw .system(path: path, code: ENOMEM) }
      memory = other
    } else if !memory.makeRoom(after: start..<end) {
      throw .system(path: path, code: ENOMEM)
    }
    end -= start
    scanned -= start
    start = 0
    while true {
      let room = memory.room(after: end)
      let count = read(handle.fileDescriptor, room.baseAddress, room.count)
      if count > 0 {
        end += count
        LogBytesReadCounter.add(count)
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

extension FileHandle {
  /// Opens a file or another readable path, such as a named pipe.
  ///
  /// The descriptor is closed with the handle.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - offset: The offset in bytes at which reading starts.
  /// - Throws: A `LogReadError` if the system can't open the file.
  package convenience init(readingLog path: String, from offset: Int = 0) throws(LogReadError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .noSuchFile(path) : .system(path: path, code: errno)
    }
    // For a pipe, which can't seek, this call has no effect.
    if offset > 0 { lseek(descriptor, off_t(offset), SEEK_SET) }
    self.init(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}

/// A counter for the bytes that this process has read from logs, used for progress reports.
package enum LogBytesReadCounter {
  private static let bytes = Atomic<Int>(0)

  /// The number of bytes that have been read so far.
  package static var total: Int { bytes.load(ordering: .relaxed) }

  /// Adds to the number of bytes that have been read.
  package static func add(_ count: Int) { bytes.wrappingAdd(count, ordering: .relaxed) }
}
