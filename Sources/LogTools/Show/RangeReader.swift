import ActionLog

/// Reads the events of a file of which only those of a range of actions count: what is far from them is passed over.
struct RangeReader {
  private let path: String
  private var reader: LogReader
  private let index: LogIndex?
  /// Where the events of the range begin, once the header was read.
  private var start: LogReader.LineStart?
  private var isAtEnd = false

  /// Reads what a reader reads, of which nothing can be passed over.
  init(_ reader: LogReader) {
    path = ""
    self.reader = reader
    index = nil
  }

  /// Reads a file.
  ///
  /// - Throws: `LogReadError`.
  init(
    _ path: String,
    _ range: ClosedRange<Int>,
    cache: String?,
    smallestFile: Int = LogIndex.smallestFile
  ) throws(LogReadError) {
    self.path = path
    reader = try LogReader(path: path)
    index =
      range == 0...Int.max
      ? nil : try LogIndex.index(of: path, keptIn: cache, smallestFile: smallestFile)
    // The last checkpoint that has the state before the first of these actions.
    start = index?.place(before: range.lowerBound - 1)?.start
  }

  /// The next event; `nil` behind the last one.
  ///
  /// - Throws: `LogReadError`.
  mutating func next() throws(LogReadError) -> LogReader.SkimmedEntry? {
    guard !isAtEnd, let entry = try reader.nextSkimmed() else { return nil }
    if let start {
      self.start = nil
      // The header stays valid, for it is no text in the reader's memory.
      if case .whole(.header) = entry.event {
        reader = try LogReader(path: path, from: start)
      }
    }
    return entry
  }

  /// Passes over the rest of the log, as far as its end is known.
  ///
  /// - Throws: `LogReadError`.
  mutating func skipLog() throws(LogReadError) {
    guard let index, !hasSkipped else { return }
    hasSkipped = true
    guard let next = index.next else {
      isAtEnd = true
      return
    }
    reader = try LogReader(path: path, from: next)
  }

  /// The index tells where the first log ends, and nothing of those behind it.
  private var hasSkipped = false
}
