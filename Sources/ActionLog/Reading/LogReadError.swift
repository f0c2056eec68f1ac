/// Why a log cannot be read.
public enum LogReadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such file.
  case noSuchFile(String)
  /// The system refused to open or read the file.
  case system(path: String, code: Int32)
  /// A line is not JSON.
  case notJSON(line: Int, JSON.ParseError)
  /// A line is JSON and no event.
  case notAnEvent(line: Int, LogEvent.SyntaxError)
  /// A line is longer than `LogReader.longestLine`.
  case lineTooLong(line: Int)
  /// The log begins with another event than a header.
  case noHeader(line: Int, kind: String)
  /// There is nothing in the log.
  case empty
  /// The log is in a version, or needs abilities, that this code does not have.
  case refused(line: Int, String)

  /// What was found, what was expected, and where.
  public var description: String { Wording.describe(self) }
}

extension LogReadError {
  /// The line that is no event, when that is all that is wrong: what follows it can be read.
  public var line: Int? {
    switch self {
    case .notJSON(let line, _), .notAnEvent(let line, _): line
    case .noSuchFile, .system, .lineTooLong, .noHeader, .empty, .refused: nil
    }
  }
}
