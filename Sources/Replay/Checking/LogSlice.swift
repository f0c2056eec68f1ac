import ActionLog
import Foundation

/// One log in a file that may hold several, one behind the other.
struct LogSlice: Sendable, Equatable {
  /// The file.
  let path: String
  /// What the log is called in messages: the file, with a number when it holds more than one log.
  let name: String
  /// Where its header begins, in bytes.
  var start = 0
  /// The line on which its header stands, counted from 1.
  var firstLine = 1
  /// Where the next log's header begins; `nil` for the last log.
  var end: Int?

  /// A source of the log's events, from the first one on.
  ///
  /// - Parameter until: The last action to be given.
  /// - Returns: The source.
  /// - Throws: `LogReadError`.
  func events(until: Int = .max) throws(LogReadError) -> LogComparison.Events {
    let entries = try entries(until: until)
    return { try entries()?.event }
  }

  /// A source of the log's events with the lines on which they stand.
  func entries(until: Int = .max) throws(LogReadError) -> () throws -> LogReader.Entry? {
    let source = try LogSource(self, until: until)
    return { try source.next() }
  }
}

extension LogSlice {
  /// The logs in a file; always at least one, so that one that cannot be read is met where it is read.
  static func slices(of path: String, name: String) throws(LogReadError) -> [LogSlice] {
    let starts = try headers(in: path)
    guard starts.count > 1 else { return [LogSlice(path: path, name: name)] }
    return starts.indices.map { index in
      LogSlice(
        path: path,
        name: "\(name)#\(index + 1)",
        start: index == 0 ? 0 : starts[index].offset,
        firstLine: starts[index].line,
        end: index + 1 < starts.count ? starts[index + 1].offset : nil
      )
    }
  }

  /// The start of every line that is a header, told by its first key without parsing the line.
  private static func headers(in path: String) throws(LogReadError) -> [(offset: Int, line: Int)] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .noSuchFile(path) : .system(path: path, code: errno)
    }
    defer { close(descriptor) }
    var found: [(offset: Int, line: Int)] = []
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    var line: [UInt8] = []
    var lineStart = 0
    var lineNumber = 1
    var offset = 0
    var isInLine = false
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(path: path, code: errno) }
      guard count > 0 else { return found }
      chunk.withUnsafeBytes { bytes in
        var index = 0
        while index < count {
          if isInLine {
            guard let base = bytes.baseAddress, let feed = memchr(base + index, 0x0A, count - index)
            else { break }
            index = UnsafeRawPointer(feed) - base + 1
            isInLine = false
            line = []
            lineStart = offset + index
            lineNumber += 1
            continue
          }
          let byte = bytes[index]
          index += 1
          if byte == 0x0A {
            line = []
            lineStart = offset + index
            lineNumber += 1
          } else if byte != 0x20, byte != 0x09, byte != 0x0D {
            line.append(byte)
          }
          if line.count == headerMark.count {
            if line == headerMark { found.append((lineStart, lineNumber)) }
            isInLine = true
          } else if !headerMark.starts(with: line) {
            isInLine = true
          }
        }
      }
      offset += count
    }
  }

  private static let headerMark = Array(#"{"kind":"header""#.utf8)
}
