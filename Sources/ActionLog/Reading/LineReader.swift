import Foundation

/// Cuts what a file descriptor gives into lines, holding no more than the longest line.
package struct LineReader {
  /// A line without its end.
  package struct Line {
    /// The bytes; they stand there until the next line is asked for.
    package let bytes: UnsafeBufferPointer<UInt8>
    /// Whether a line feed followed; if not, it is the last one and may be torn.
    package let isTerminated: Bool
  }

  private let source: Source
  /// The longest line that is read, in bytes.
  let longest: Int
  /// What was read, followed by room for more.
  private var memory: LineMemory
  private var start = 0
  /// Where what was read ends.
  private var end = 0
  /// How far the memory has been looked through for a line feed.
  private var scanned = 0
  private var isAtEnd = false

  enum Source {
    case descriptor(FileHandle, path: String)
    case bytes
  }

  /// Reads lines from a file, or anything else that can be read.
  ///
  /// - Parameters:
  ///   - handle: What is read, from where it stands.
  ///   - path: What errors call it.
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

  /// The bytes that lines and the room for more take.
  var room: Int { memory.count }

  /// What has been read and not been taken; it stands there until the next line is asked for.
  var waiting: UnsafeBufferPointer<UInt8> { memory.bytes(start..<end) }

  /// Passes over whole lines of what has been read.
  mutating func skip(_ count: Int) {
    start += count
    scanned = start
  }

  /// Reads until two lines wait.
  ///
  /// - Returns: `false` when they were there already, and when there are no two, or none that are not too long.
  mutating func readAhead() throws(LogReadError) -> Bool {
    if !isKnownUniquelyReferenced(&memory) { memory = LineMemory(memory.bytes(0..<end)) }
    // How much of what waits has been looked through, and how many lines end there.
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

  /// The next line, `nil` behind the last one.
  package mutating func next(line: Int) throws(LogReadError) -> Line? {
    // A copy of a reader reads on by itself.
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
    guard memory.makeRoom(behind: start..<end) else { throw .system(path: path, code: ENOMEM) }
    end -= start
    scanned -= start
    start = 0
    while true {
      let room = memory.room(behind: end)
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
