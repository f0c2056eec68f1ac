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
  private var buffer: [UInt8] = []
  private var start = 0
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
    isAtEnd = true
    self.longest = longest
  }

  /// The next line, `nil` behind the last one.
  mutating func next(line: Int) throws(LogReadError) -> Line? {
    while true {
      if let end = lineFeed() {
        defer {
          start = end + 1
          scanned = start
        }
        return Line(bytes: buffer[start..<end], isTerminated: true)
      }
      scanned = buffer.count
      guard buffer.count - start <= longest else { throw .lineTooLong(line: line) }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return Line(bytes: buffer[start...], isTerminated: false)
      }
      try fill()
    }
  }

  private func lineFeed() -> Int? {
    buffer.withUnsafeBufferPointer { bytes in
      guard scanned < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + scanned, 0x0A, bytes.count - scanned)
      else { return nil }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  private mutating func fill() throws(LogReadError) {
    guard case .descriptor(let handle, let path) = source else { return }
    buffer.removeSubrange(..<start)
    scanned -= start
    start = 0
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      let count = chunk.withUnsafeMutableBytes {
        read(handle.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        buffer.append(contentsOf: chunk[..<count])
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
