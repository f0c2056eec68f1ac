import Foundation

/// The reasons why a log can't be read.
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
  ///
  /// - Parameter code: The value of `errno`.
  case system(path: String, code: Int32)
  /// A line is not valid JSON.
  case notJSON(line: Int, JSON.ParseError)
  /// A line is valid JSON, but not an event.
  case notAnEvent(line: Int, LogEvent.SyntaxError)
  /// A line is longer than `LogReader.longestLine`.
  case lineTooLong(line: Int)
  /// The log starts with an event of another kind than `header`.
  case noHeader(line: Int, kind: String)
  /// The log contains no events, and no part of one.
  case empty
  /// The log ends inside the header, because its writer was stopped.
  case tornHeader(bytes: Int)
  /// The log has a format version or requires a capability that this code doesn't support.
  case refused(line: Int, String)

  /// The reason with its position and the expected form, as text for people.
  public var description: String { Wording.describe(self) }
}

extension LogReadError {
  /// The number of a line that is not an event, if the lines after it can be read.
  ///
  /// `nil` for errors that make the log unreadable.
  public var line: Int? {
    switch self {
    case .notJSON(let line, _), .notAnEvent(let line, _): line
    case .noSuchFile, .system, .lineTooLong, .noHeader, .empty, .tornHeader, .refused: nil
    }
  }
}
