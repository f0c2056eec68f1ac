import ActionLog
import Foundation

/// A log in a file that may contain several logs.
package struct LogSlice: Sendable, Equatable {
  /// The path of the file.
  package let path: String
  /// The name of the log in messages: the file, with a number if it contains several logs.
  package let name: String
  /// The offset of the header in bytes.
  package let start: Int
  /// The line of the header, counted from 1.
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

  /// A part of a log between two checkpoints, which are given by the offsets of their lines in the file.
  package struct Stretch: Sendable, Equatable {
    /// The checkpoint to read after the header, or `nil` for the first one.
    package let start: Int?
    /// The last checkpoint to read, or `nil` to read to the end of the log.
    package let end: Int?

    package init(from start: Int?, through end: Int?) {
      self.start = start
      self.end = end
    }
  }

  /// Returns a source of the log's events.
  ///
  /// - Parameter until: The last action to return.
  /// - Returns: The source.
  /// - Throws: `LogReadError`.
  package func events(until: Int = .max) throws(LogReadError) -> LogComparison.Events {
    var source = try LogSource(self, until: until)
    return { try source.next()?.event }
  }

  /// Returns the header of the log, or `nil` if the log is empty or starts with another event.
  ///
  /// - Throws: The errors of the file.
  package func header() throws -> LogEvent.Header? {
    guard case .header(let header)? = try events()() else { return nil }
    return header
  }

  /// Returns a source of the log's events with their lines.
  package func entries(until: Int = .max) throws(LogReadError) -> () throws -> LogReader.Entry? {
    var source = try LogSource(self, until: until)
    return { try source.next() }
  }
}

extension LogSlice {
  /// Returns the logs in a file.
  ///
  /// The result is never empty: for an unreadable file, reading the log reports the error.
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

  /// Returns the starts of all header lines, which are recognized by their first key without parsing the line.
  private static func headers(in path: String) throws(LogReadError) -> [LogReader.LineStart] {
    try LogReader.lines(of: path, beginningWith: #"{"kind":"header""#)
  }
}

/// The events of one log in a file, or of all logs.
package struct LogSource {
  private var reader: LogReader
  /// The log, or `nil` to read all logs.
  private let log: LogSlice?
  /// The file offset at which the reader's count starts.
  private var base = 0
  private let until: Int
  private let isOneLog: Bool
  private var hasHeader = false
  private var isAtEnd = false
  /// Whether the last checkpoint of the stretch has been read.
  package private(set) var hasReachedEnd = false
  /// Whether an event involves shared values.
  package private(set) var hasShared = false

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - until: The last action to return.
  /// - Throws: `LogReadError`.
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

  /// Creates a source of the events of all logs of a reader.
  package init(all reader: LogReader) {
    self.reader = reader
    log = nil
    until = .max
    isOneLog = false
  }

  /// Whether the last error concerned an unreadable note, on which no other event depends.
  package var hasBrokenNote: Bool { reader.hasBrokenNote }

  /// The complete events at the end of the line with the last error, which lack a line feed between them.
  package var gluedEntries: [LogReader.Entry] { reader.gluedEntries }

  /// Whether `gluedEntries` are preceded by a partial event.
  package var hasTornStart: Bool { reader.hasTornStart }

  /// The incomplete line after the last complete event, after the end has been reached.
  package var tornTail: LogReader.TornTail? { reader.tornTail }

  /// Returns the next event, or `nil` after the last one.
  ///
  /// After an error with a line number, the next call continues after that line.
  ///
  /// - Throws: `LogReadError`.
  package mutating func next() throws(LogReadError) -> LogReader.Entry? {
    guard !isAtEnd else { return nil }
    let entry: LogReader.Entry?
    do throws(LogReadError) { entry = try reader.next() } catch {
      for entry in reader.gluedEntries {
        // A header in the middle of a line does not start a log.
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

  /// Returns the number of the log's bytes before an event that was just read.
  package func position(of entry: LogReader.Entry) -> Int {
    base + entry.offset - (log?.start ?? 0)
  }

  /// Skips from the header to the start of a stretch, and records the stretch's end.
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

extension LogEvent {
  /// Whether the event involves shared values: it has paths to some, or a reducer has created one with a key.
  fileprivate var isShared: Bool {
    switch self {
    case .read(let read): read.key.hasPrefix(Self.sharedKeys)
    case .action(let action): action.shared != nil
    case .checkpoint(let checkpoint): checkpoint.shared != nil
    default: stateChange?.shared != nil
    }
  }

  private static let sharedKeys = "shared."
}
