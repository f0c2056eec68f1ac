public import Foundation

/// The reason why a log cannot be read.
///
/// ```swift
/// do {
///   var reader = try LogReader(path: "todos.jsonl")
///   while let entry = try reader.next() { print(entry.event.kind) }
/// } catch {
///   print(error)  // line 7 is not a log event: event 'note' has no member 'text'; expected a string
/// }
/// ```
public enum LogReadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file doesn't exist.
  case noSuchFile(String)
  /// The system could not open or read the file.
  case system(path: String, code: Int32)
  /// A line is not valid JSON.
  case notJSON(line: Int, JSON.ParseError)
  /// A line is valid JSON, but not an event.
  case notAnEvent(line: Int, LogEvent.SyntaxError)
  /// A line is longer than `LogReader.longestLine`.
  case lineTooLong(line: Int)
  /// The log doesn't start with a header.
  case noHeader(line: Int, kind: String)
  /// The log is empty.
  case empty
  /// The log ends inside the header, because its writer was stopped.
  case tornHeader(bytes: Int)
  /// The log has a version or requires a capability that this code doesn't support.
  case refused(line: Int, String)

  /// The problem, the expected form and the position, for people.
  public var description: String { Wording.describe(self) }
}

extension LogReadError {
  /// The line that is not an event, if it is the only problem and later lines can be read.
  public var line: Int? {
    switch self {
    case .notJSON(let line, _), .notAnEvent(let line, _): line
    case .noSuchFile, .system, .lineTooLong, .noHeader, .empty, .tornHeader, .refused: nil
    }
  }
}
