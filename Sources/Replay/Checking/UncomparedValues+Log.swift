import ActionLog
import Foundation

extension UncomparedValues {
  /// Finds the values that a log contains only in part.
  ///
  /// The log marks such values with tags, so the result is the same with and without a replay. Most logs have no tags.
  /// The initializer first searches the bytes for a tag, without splitting the log into lines.
  ///
  /// - Parameters:
  ///   - log: The log to search.
  ///   - last: The number of the last action to include.
  /// - Throws: `LogReadError` if the file can't be read.
  package init(in log: LogSlice, through last: Int = .max) throws(LogReadError) {
    self.init()
    guard try Self.mayStand(in: log) else { return }
    let file = try FileHandle(readingLog: log.path, from: log.start)
    var lines = LineReader(file, path: log.path, longest: LogReader.longestLine)
    var offset = log.start
    var states = StatesBeforeLines(of: log)
    while offset < log.end ?? .max, let line = try lines.next(line: 1) {
      add(line: line.bytes, through: last) { states.state(before: offset) }
      offset += line.bytes.count + 1
    }
  }

  /// The states of a log before given lines, which must be requested in order.
  private struct StatesBeforeLines {
    private var reader: LogReader?
    private var cursor = LogCursor()
    /// The first event that has not been applied.
    private var next: LogReader.Entry?

    init(of log: LogSlice) {
      let start = LogReader.LineStart(line: log.firstLine, offset: log.start)
      reader = try? LogReader(path: log.path, from: start)
      next = try? reader?.next()
    }

    /// Returns the state before the line at an offset.
    ///
    /// Returns `nil` if the log does not contain the state or can't be read up to the line.
    mutating func state(before offset: Int) -> JSON? {
      while let entry = next, entry.offset < offset {
        // After a patch that does not apply, the state is unknown until the next checkpoint.
        try? cursor.move(to: entry.event)
        try? cursor.apply()
        next = try? reader?.next()
      }
      return cursor.state
    }
  }

  /// Returns whether a log, or a stretch of a log, may contain a tag for a value that the log holds only in part.
  package static func mayStand(in log: LogSlice) throws(LogReadError) -> Bool {
    let start = log.stretch?.start ?? log.start
    let end = log.stretch?.end ?? log.end
    let file = try FileHandle(readingLog: log.path, from: start)
    let chunk = 256 * 1024
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 1)
    defer { memory.deallocate() }
    // Bytes that may be the start of a tag are scanned again together with the following bytes.
    var (kept, rest) = (0, end.map { $0 - start } ?? .max)
    while rest > 0 {
      let room = UnsafeMutableRawBufferPointer(rebasing: memory[kept...])
      let count = read(file.fileDescriptor, room.baseAddress, min(room.count, rest))
      if count < 0 {
        guard errno == EINTR else { throw .system(path: log.path, code: errno) }
        continue
      }
      guard count > 0 else { return false }
      rest -= count
      let end = kept + count
      let text = UnsafeRawBufferPointer(rebasing: memory[..<end])
      if text.withMemoryRebound(to: UInt8.self, mayStand) { return true }
      kept = min(end, longestTag)
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[(end - kept)...]))
    }
    return false
  }

  /// Adds the uncompared values that the notes of a comparison name.
  ///
  /// - Returns: The notes that report something else.
  mutating func extract(from notes: [LogEvent.Finding]) -> [LogEvent.Finding] {
    let known = list(.opaque)
    return notes.filter { note in
      guard let value = UncomparedValue(note) else { return true }
      // The effect's name is ignored, because a comparison does not report it.
      let isKnown = known.contains {
        $0.part == value.part && $0.place == value.place && $0.type == value.type
      }
      if !isKnown { insert(value) }
      return false
    }
  }
}

extension UncomparedValues {
  /// Returns the values of one kind, including those that the notes of a comparison name.
  package func list(
    _ kind: UncomparedValue.Kind,
    with notes: [LogEvent.Finding]
  ) -> [UncomparedValue] {
    var values = self
    _ = values.extract(from: notes)
    return values.list(kind)
  }
}

extension ReplayCheck.Result {
  /// Collects the values that were not compared, and the errors that can't be decoded with their own types.
  ///
  /// A value is not compared if the log lacks it, or if the replay does not write it.
  mutating func nameUncompared(in log: LogSlice, through last: Int) throws(LogReadError) {
    var values = try UncomparedValues(in: log, through: last)
    notes = values.extract(from: notes)
    notCompared = values.list(.opaque)
    notReadBack = values.list(.error)
    guard !notCompared.isEmpty, let header = try? log.header() else { return }
    remedies = OpaqueTypeRemedies(header.environment)
  }
}
