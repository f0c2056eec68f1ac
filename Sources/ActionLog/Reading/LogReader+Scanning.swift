import Foundation

extension LogReader {
  /// The position of a line in a file.
  package struct LineStart: Hashable, Sendable {
    /// The number of the line, counted from 1.
    package let line: Int
    /// The number of bytes before the line.
    package let offset: Int

    package init(line: Int, offset: Int) {
      self.line = line
      self.offset = offset
    }
  }

  /// Finds the lines of a file that start with given text, without parsing them.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - text: The start of the lines. Whitespace in a line is ignored.
  /// - Returns: The positions of the lines.
  /// - Throws: A `LogReadError` if the system can't read the file, or if a line is too long.
  package static func lines(
    of path: String,
    beginningWith text: StaticString
  ) throws(LogReadError) -> [LineStart] {
    var found: [LineStart] = []
    try scan(path) { start, line in
      if begins(line, with: text) { found.append(start) }
      return true
    }
    return found
  }

  /// Scans the lines of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - visit: A closure that receives the position of a line and its bytes, which are valid during the call. The
  ///     closure returns `false` to stop the scan.
  /// - Throws: A `LogReadError` if the system can't read the file, or if a line is too long.
  package static func scan(
    _ path: String,
    visit: (LineStart, UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(LogReadError) {
    var lines = LineReader(try FileHandle(readingLog: path), path: path, longest: longestLine)
    try scan(&lines, visit)
  }

  /// Scans the lines of a log in memory.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the log.
  ///   - visit: A closure that receives the position of a line and its bytes, which are valid during the call. The
  ///     closure returns `false` to stop the scan.
  /// - Throws: A `LogReadError` if a line is too long.
  package static func scan(
    _ bytes: LogBytes,
    visit: (LineStart, UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(LogReadError) {
    var lines = LineReader(bytes, from: 0, longest: longestLine)
    try scan(&lines, visit)
  }

  private static func scan(
    _ lines: inout LineReader,
    _ visit: (LineStart, UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(LogReadError) {
    var start = LineStart(line: 1, offset: 0)
    while let line = try lines.next(line: start.line) {
      guard visit(start, line.bytes) else { return }
      start = LineStart(line: start.line + 1, offset: start.offset + line.bytes.count + 1)
    }
  }

  /// Whether a line starts with given text, if whitespace in the line is ignored.
  package static func begins(
    _ line: UnsafeBufferPointer<UInt8>,
    with text: StaticString
  ) -> Bool {
    let mark = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard let first = line.baseAddress, line.count > 1 else { return false }
    if line.count >= mark.count, memcmp(first, text.utf8Start, mark.count) == 0 { return true }
    // Recorders write no whitespace, so the first bytes identify most lines.
    guard line[1] != mark[1] || isBlank(line[0]) else { return false }
    return line.prefix(mark.count * 4).lazy.filter { !isBlank($0) }.starts(with: mark)
  }

  /// Returns the number that follows the given text at the start of a line.
  ///
  /// Returns `nil` for other lines, and for lines with whitespace, which recorders don't write.
  package static func number(
    in line: UnsafeBufferPointer<UInt8>,
    behind text: StaticString
  ) -> Int? {
    var parser = JSON.Parser(bytes: line)
    return parser.consume(text) ? parser.wholeNumber() : nil
  }
}
