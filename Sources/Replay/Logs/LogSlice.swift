import ActionLog
import Foundation

/// One log in a file that may hold several, one after the other.
package struct LogSlice: Sendable, Equatable {
  /// The file.
  package let path: String
  /// The name of the log in messages: the file, with a number when it holds more than one log.
  package let name: String
  /// The offset of its header, in bytes.
  package let start: Int
  /// The line of its header, counted from 1.
  package let firstLine: Int
  /// The offset of the next log's header; `nil` for the last log.
  package let end: Int?
  /// The part of the log that is read; `nil` for all of it.
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

  /// A part of a log that begins and ends at checkpoints, by the offsets of their lines in the file.
  package struct Stretch: Sendable, Equatable {
    /// The checkpoint that is read after the header; `nil` for the log's first one.
    package let start: Int?
    /// The checkpoint that is read last; `nil` for a stretch that ends with the log.
    package let end: Int?

    package init(from start: Int?, through end: Int?) {
      self.start = start
      self.end = end
    }
  }

  /// A source of the log's events, from the first one on.
  ///
  /// - Parameter until: The last action that is given.
  /// - Returns: The source.
  /// - Throws: `LogReadError`.
  package func events(until: Int = .max) throws(LogReadError) -> LogComparison.Events {
    var source = try LogSource(self, until: until)
    return { try source.next()?.event }
  }

  /// The header of the log; `nil` where its first event is another one, or there is none.
  ///
  /// - Throws: The errors of the file.
  package func header() throws -> LogEvent.Header? {
    guard case .header(let header)? = try events()() else { return nil }
    return header
  }

  /// A source of the log's events with their lines.
  package func entries(until: Int = .max) throws(LogReadError) -> () throws -> LogReader.Entry? {
    var source = try LogSource(self, until: until)
    return { try source.next() }
  }
}

extension LogSlice {
  /// The logs in a file; always at least one, so that an unreadable one gives its error when it is read.
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

  /// The start of every line that is a header, recognized by its first key without parsing the line.
  private static func headers(in path: String) throws(LogReadError) -> [LogReader.LineStart] {
    try LogReader.lines(of: path, beginningWith: #"{"kind":"header""#)
  }
}

/// The events of one log in a file that may hold several, or of all of them.
package struct LogSource {
  private var reader: LogReader
  /// The log, when it is one.
  private let log: LogSlice?
  /// The offset from which the reader counts.
  private var base = 0
  private let until: Int
  private let isOneLog: Bool
  private var hasHeader = false
  private var isAtEnd = false
  /// Whether the checkpoint has been read with which the stretch ends.
  package private(set) var hasReachedEnd = false
  /// Whether an event has to do with shared values.
  package private(set) var hasShared = false

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - until: The last action that is given.
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

  /// The events of all logs of a reader.
  package init(all reader: LogReader) {
    self.reader = reader
    log = nil
    until = .max
    isOneLog = false
  }

  /// Whether the last error was about a line that was to be a note, on which nothing in the log depends.
  package var hasBrokenNote: Bool { reader.hasBrokenNote }

  /// The whole events at the end of the line that the last error was about, without a line feed between them.
  package var gluedEntries: [LogReader.Entry] { reader.gluedEntries }

  /// Whether a part of an event stands before `gluedEntries`.
  package var hasTornStart: Bool { reader.hasTornStart }

  /// The incomplete line after the last whole event, once the end is reached.
  package var tornTail: LogReader.TornTail? { reader.tornTail }

  /// Reads the next event; `nil` after the last one.
  ///
  /// After an error that has a line, the next call continues after that line.
  ///
  /// - Throws: `LogReadError`.
  package mutating func next() throws(LogReadError) -> LogReader.Entry? {
    guard !isAtEnd else { return nil }
    let entry: LogReader.Entry?
    do throws(LogReadError) { entry = try reader.next() } catch {
      for entry in reader.gluedEntries {
        // No log of the file's list begins within a line.
        if hasHeader, case .header = entry.event { continue }
        track(entry.event)
      }
      throw error
    }
    guard let entry else {
      // A single incomplete line leaves nothing.
      guard hasHeader || !isOneLog else { throw .empty }
      return nil
    }
    track(entry.event)
    guard !isAtEnd else { return nil }
    if let stretch = log?.stretch { try enterStretch(stretch, entry) }
    return entry
  }

  /// The bytes of the log before an event that was just read.
  package func position(of entry: LogReader.Entry) -> Int {
    base + entry.offset - (log?.start ?? 0)
  }

  /// Goes from the header to the beginning of a stretch, and notes its end.
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
  /// Whether the event has to do with shared values: it has the places of some, or a reducer has made one of a key.
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
