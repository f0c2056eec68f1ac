import ActionLog
import Foundation

/// A source of the events of one log in a file, or of all logs that a reader reads.
package struct LogEventIterator {
  private var reader: LogReader
  /// The log to read, or `nil` to read all logs.
  private let log: LogSlice?
  /// The file offset from which the reader counts its offsets.
  private var base = 0
  private let until: Int
  private let isOneLog: Bool
  private var hasHeader = false
  private var isAtEnd = false
  /// Whether the last checkpoint of the stretch has been read.
  package private(set) var hasReachedEnd = false
  /// Whether an event of the stretch that was read involves shared values.
  ///
  /// Always `false` for a log that is read completely.
  package private(set) var hasShared = false

  /// Opens the file of a log.
  ///
  /// - Parameters:
  ///   - log: The log to read.
  ///   - until: The number of the last action to return.
  /// - Throws: `LogReadError` if the file can't be opened.
  package init(_ log: LogSlice, until: Int = .max) throws(LogReadError) {
    reader = LogReader(
      try FileHandle(readingLog: log.path, from: log.start),
      name: log.path,
      firstLine: log.start > 0 ? log.firstLine : 1
    )
    self.log = log
    base = log.start
    self.until = until
    isOneLog = true
  }

  /// Creates a source that returns the events of all logs that a reader reads.
  package init(all reader: LogReader) {
    self.reader = reader
    log = nil
    until = .max
    isOneLog = false
  }

  /// Whether the last error was caused by an unreadable note, on which no other event depends.
  package var hasBrokenNote: Bool { reader.hasBrokenNote }

  /// The complete events at the end of the line with the last error, which are not separated by line feeds.
  package var gluedEntries: [LogReader.Entry] { reader.gluedEntries }

  /// Whether `gluedEntries` are preceded by a partial event.
  package var hasTornStart: Bool { reader.hasTornStart }

  /// The incomplete line after the last complete event, or `nil` if there is none or the end has not been reached.
  package var tornTail: LogReader.TornTail? { reader.tornTail }

  /// Returns the next event, or `nil` after the last one.
  ///
  /// After an error with a line number, the next call continues after that line.
  ///
  /// - Throws: `LogReadError` if a line can't be read, or if the log is empty.
  package mutating func next() throws(LogReadError) -> LogReader.Entry? {
    guard !isAtEnd else { return nil }
    let entry: LogReader.Entry?
    do throws(LogReadError) { entry = try reader.next() } catch {
      for entry in reader.gluedEntries {
        // A header in the middle of a line does not start another log.
        if hasHeader, case .header = entry.event { continue }
        track(entry.event)
      }
      throw error
    }
    guard let entry else {
      // A log with only an incomplete line counts as empty.
      guard hasHeader || !isOneLog else { throw .empty }
      return nil
    }
    track(entry.event)
    guard !isAtEnd else { return nil }
    if let stretch = log?.stretch { try enterStretch(stretch, entry) }
    return entry
  }

  /// Returns the number of bytes between the start of the log and an event that was just read.
  package func position(of entry: LogReader.Entry) -> Int {
    base + entry.offset - (log?.start ?? 0)
  }

  /// Skips from the header to the start of the stretch, and detects the end of the stretch.
  private mutating func enterStretch(
    _ stretch: LogSlice.Stretch,
    _ entry: LogReader.Entry
  ) throws(LogReadError) {
    if entry.event.isShared { hasShared = true }
    if let end = stretch.end, base + entry.offset >= end {
      isAtEnd = true
      if case .checkpoint = entry.event { hasReachedEnd = base + entry.offset == end }
    }
    guard case .header = entry.event, let start = stretch.start, let path = log?.path else {
      return
    }
    reader = try LogReader(path: path, from: LogReader.LineStart(line: 1, offset: start))
    base = 0
  }

  private mutating func track(_ event: LogEvent) {
    switch event {
    case .header where hasHeader: isAtEnd = isOneLog
    case .header: hasHeader = true
    case .withheld: break
    default:
      guard let beginning = event.beginning, beginning.origin != nil else { break }
      if beginning.seq > until { isAtEnd = true }
    }
  }
}
