import Foundation

/// Cuts what a file descriptor gives into lines, holding no more than the longest line.
struct LineReader {
  /// How much is asked for at once: enough that the calls do not count, little enough to stay in the cache.
  private static let chunk = 256 * 1024

  /// A line without its end.
  struct Line {
    let bytes: ArraySlice<UInt8>
    /// Whether a line feed followed; if not, it is the last one and may be torn.
    let isTerminated: Bool
  }

  private let source: Source
  private let longest: Int
  /// What was read, followed by room for more.
  private var buffer: [UInt8] = []
  private var start = 0
  /// Where what was read ends.
  private var end = 0
  /// How far the buffer has been looked through for a line feed.
  private var scanned = 0
  private var isAtEnd = false

  enum Source {
    case descriptor(FileHandle, path: String)
    case bytes
  }

  init(_ handle: FileHandle, path: String, longest: Int) {
    source = .descriptor(handle, path: path)
    self.longest = longest
  }

  init(_ bytes: [UInt8], longest: Int) {
    source = .bytes
    buffer = bytes
    end = bytes.count
    isAtEnd = true
    self.longest = longest
  }

  /// The next line, `nil` behind the last one.
  mutating func next(line: Int) throws(LogReadError) -> Line? {
    while true {
      if let feed = lineFeed() {
        defer {
          start = feed + 1
          scanned = start
        }
        return Line(bytes: buffer[start..<feed], isTerminated: true)
      }
      scanned = end
      guard end - start <= longest else { throw .lineTooLong(line: line) }
      if isAtEnd {
        guard start < end else { return nil }
        defer { start = end }
        return Line(bytes: buffer[start..<end], isTerminated: false)
      }
      try fill()
    }
  }

  private func lineFeed() -> Int? {
    buffer.withUnsafeBufferPointer { bytes in
      guard scanned < end, let base = bytes.baseAddress,
        let found = memchr(base + scanned, 0x0A, end - scanned)
      else { return nil }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  private mutating func fill() throws(LogReadError) {
    guard case .descriptor(let handle, let path) = source else { return }
    makeRoom()
    while true {
      let end = end
      let count = buffer.withUnsafeMutableBytes {
        read(handle.fileDescriptor, $0.baseAddress.map { $0 + end }, $0.count - end)
      }
      if count > 0 {
        self.end += count
        return
      }
      if count == 0 {
        isAtEnd = true
        return
      }
      guard errno == EINTR else { throw .system(path: path, code: errno) }
    }
  }

  /// Moves what has not been taken to the front, and makes the buffer larger when a line needs it.
  private mutating func makeRoom() {
    let rest = end - start
    if start > 0 {
      buffer.withUnsafeMutableBytes { bytes in
        if let base = bytes.baseAddress { memmove(base, base + start, rest) }
      }
      scanned -= start
      start = 0
      end = rest
    }
    guard buffer.count - rest < Self.chunk else { return }
    let (kept, count) = (buffer, buffer.count + max(Self.chunk, buffer.count))
    // Appending zeros goes through the elements one by one where nothing is optimised: 5 ms for each log that is opened.
    buffer = [UInt8](unsafeUninitializedCapacity: count) { room, initialized in
      guard let base = room.baseAddress else { return }
      memset(base, 0, count)
      kept.withUnsafeBytes { bytes in
        if let source = bytes.baseAddress { memcpy(base, source, rest) }
      }
      initialized = count
    }
  }
}
