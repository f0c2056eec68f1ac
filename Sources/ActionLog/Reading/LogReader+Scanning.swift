import Foundation

extension LogReader {
  /// Where a line begins.
  package struct LineStart: Hashable, Sendable {
    /// The line, counted from 1.
    package let line: Int
    /// The bytes before it.
    package let offset: Int

    package init(line: Int, offset: Int) {
      self.line = line
      self.offset = offset
    }
  }

  /// The lines of a file that begin with a text, told without reading what they hold.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - text: The text; blanks in the line do not count.
  /// - Returns: Where the lines begin.
  /// - Throws: `LogReadError`.
  package static func lines(
    of path: String,
    beginningWith text: String
  ) throws(LogReadError) -> [LineStart] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .noSuchFile(path) : .system(path: path, code: errno)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var lines = LineReader(handle, path: path, longest: longestLine)
    let mark = Array(text.utf8)
    var found: [LineStart] = []
    var start = LineStart(line: 1, offset: 0)
    while let line = try lines.next(line: start.line) {
      if begins(line.bytes, with: mark) { found.append(start) }
      start = LineStart(line: start.line + 1, offset: start.offset + line.bytes.count + 1)
    }
    return found
  }

  private static func begins(_ line: ArraySlice<UInt8>, with mark: [UInt8]) -> Bool {
    let isEqual = line.withUnsafeBufferPointer { line in
      mark.withUnsafeBufferPointer { mark in
        guard line.count >= mark.count, let text = line.baseAddress, let base = mark.baseAddress
        else { return false }
        return memcmp(text, base, mark.count) == 0
      }
    }
    // What recorders write has no blanks, so that a line of theirs is told by its first bytes.
    guard !isEqual, let second = line.dropFirst().first,
      second != mark[1] || isBlank(line[line.startIndex])
    else { return isEqual }
    return line.prefix(mark.count * 4).lazy.filter { !isBlank($0) }.starts(with: mark)
  }
}
