import ActionLog
import Foundation

/// One log in a file that may hold several, one behind the other.
package struct LogSlice: Sendable, Equatable {
  /// The file.
  package let path: String
  /// What the log is called in messages: the file, with a number when it holds more than one log.
  package let name: String
  /// Where its header begins, in bytes.
  package var start: Int
  /// The line on which its header stands, counted from 1.
  var firstLine: Int
  /// Where the next log's header begins; `nil` for the last log.
  package var end: Int?

  package init(
    path: String,
    name: String,
    start: Int = 0,
    firstLine: Int = 1,
    end: Int? = nil
  ) {
    self.path = path
    self.name = name
    self.start = start
    self.firstLine = firstLine
    self.end = end
  }

  /// A source of the log's events, from the first one on.
  ///
  /// - Parameter until: The last action to be given.
  /// - Returns: The source.
  /// - Throws: `LogReadError`.
  package func events(until: Int = .max) throws(LogReadError) -> LogComparison.Events {
    var source = try LogSource(self, until: until)
    return { try source.next()?.event }
  }

  /// A source of the log's events with the lines on which they stand.
  package func entries(until: Int = .max) throws(LogReadError) -> () throws -> LogReader.Entry? {
    var source = try LogSource(self, until: until)
    return { try source.next() }
  }
}

extension LogSlice {
  /// The logs in a file; always at least one, so that one that cannot be read is met where it is read.
  package static func slices(of path: String, name: String) throws(LogReadError) -> [LogSlice] {
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
  private static func headers(in path: String) throws(LogReadError) -> [LogReader.LineStart] {
    try LogReader.lines(of: path, beginningWith: #"{"kind":"header""#)
  }
}
