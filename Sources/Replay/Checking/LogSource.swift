import ActionLog
import Foundation

/// The events of one log in a file that may hold several.
struct LogSource {
  private var reader: LogReader
  private let until: Int
  private var hasHeader = false
  private var isAtEnd = false

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - until: The last action to be given.
  /// - Throws: `LogReadError`.
  init(_ log: LogSlice, until: Int = .max) throws(LogReadError) {
    reader = LogReader(
      try FileHandle(readingLog: log.path, from: log.start),
      name: log.path,
      firstLine: log.start > 0 ? log.firstLine : 1
    )
    self.until = until
  }

  /// What stands behind the last whole event, once the end is reached.
  var tornTail: LogReader.TornTail? { reader.tornTail }

  /// Reads the next event; `nil` behind the last one.
  ///
  /// After an error that has a line the next call goes on behind that line.
  ///
  /// - Throws: `LogReadError`.
  mutating func next() throws(LogReadError) -> LogReader.Entry? {
    guard !isAtEnd else { return nil }
    guard let entry = try reader.next() else {
      // A single line that is torn leaves nothing.
      guard hasHeader else { throw .empty }
      return nil
    }
    note(entry.event)
    return isAtEnd ? nil : entry
  }

  /// Reads the next event without its values; `nil` behind the last one.
  ///
  /// After an error that has a line the next call goes on behind that line.
  ///
  /// - Throws: `LogReadError`.
  mutating func nextSkimmed() throws(LogReadError) -> LogReader.SkimmedEntry? {
    guard !isAtEnd else { return nil }
    guard let entry = try reader.nextSkimmed() else {
      guard hasHeader else { throw .empty }
      return nil
    }
    switch entry.event {
    case .action(let action): isAtEnd = action.seq > until
    case .whole(let event): note(event)
    default: break
    }
    return isAtEnd ? nil : entry
  }

  private mutating func note(_ event: LogEvent) {
    switch event {
    case .header where hasHeader: isAtEnd = true
    case .header: hasHeader = true
    case .action(let action) where action.seq > until: isAtEnd = true
    case .excluded(let excluded) where excluded.seq > until: isAtEnd = true
    default: break
    }
  }
}
