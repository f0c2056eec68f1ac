import ActionLog
import Foundation

/// A log in a file that may contain several logs.
package struct LogSlice: Sendable, Equatable {
  /// The path of the file.
  package let path: String
  /// The name of the log in messages: the name given for the file, with a number if the file contains several logs.
  package let name: String
  /// The offset of the log's header in the file, in bytes.
  package let start: Int
  /// The line number of the header, counted from 1.
  package let firstLine: Int
  /// The offset of the next log's header in bytes, or `nil` for the last log.
  package let end: Int?
  /// The stretch of the log to read, or `nil` to read all of it.
  package var stretch: Stretch?

  package init(
    path: String,
    name: String,
    start: Int = 0,
    firstLine: Int = 1,
    end: Int? = nil,
    stretch: Stretch? = nil
  ) {
    self.path = path
    self.name = name
    self.start = start
    self.firstLine = firstLine
    self.end = end
    self.stretch = stretch
  }

  /// A part of a log between two checkpoints.
  ///
  /// The checkpoints are identified by the offsets of their lines in the file, in bytes.
  package struct Stretch: Sendable, Equatable {
    /// The offset of the checkpoint to read after the header, or `nil` for the first checkpoint.
    package let start: Int?
    /// The offset of the last checkpoint to read, or `nil` to read to the end of the log.
    package let end: Int?

    package init(from start: Int?, through end: Int?) {
      self.start = start
      self.end = end
    }
  }

  /// Opens the log to read its events.
  ///
  /// - Parameter until: The number of the last action to return.
  /// - Returns: A function that returns the next event, or `nil` after the last one.
  /// - Throws: `LogReadError` if the file can't be opened.
  package func events(until: Int = .max) throws(LogReadError) -> LogComparison.Events {
    var source = try LogEventIterator(self, until: until)
    return { try source.next()?.event }
  }

  /// Returns the header of the log, or `nil` if the log is empty or starts with another event.
  ///
  /// - Throws: `LogReadError` if the first line can't be read.
  package func header() throws -> LogEvent.Header? {
    guard case .header(let header)? = try events()() else { return nil }
    return header
  }

  /// Opens the log to read its events with their line numbers.
  package func entries(until: Int = .max) throws(LogReadError) -> () throws -> LogReader.Entry? {
    var source = try LogEventIterator(self, until: until)
    return { try source.next() }
  }
}

extension LogSlice {
  /// Returns the logs that a file contains.
  ///
  /// The result is never empty. The file is searched only for headers, so damaged lines are not reported yet.
  ///
  /// - Throws: `LogReadError` if the system can't read the file, or if a line is too long.
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

  /// Finds the header lines in a file by their first key, without parsing the lines.
  ///
  /// - Returns: The line number and offset of each header.
  private static func headers(in path: String) throws(LogReadError) -> [LogReader.LineStart] {
    try LogReader.lines(of: path, beginningWith: #"{"kind":"header""#)
  }
}

extension LogEvent {
  /// Whether the event contains paths to shared values, or is a reducer's read of a shared value with a key.
  var isShared: Bool {
    switch self {
    case .read(let read): read.key.hasPrefix(Self.sharedKeys)
    case .action(let action): action.shared != nil
    case .checkpoint(let checkpoint): checkpoint.shared != nil
    default: stateChange?.shared != nil
    }
  }

  private static let sharedKeys = "shared."
}
