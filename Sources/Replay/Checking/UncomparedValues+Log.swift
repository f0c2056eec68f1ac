import ActionLog
import Foundation

extension UncomparedValues {
  /// The values that a log does not hold in full.
  ///
  /// The log itself says where they stand, so that all who ask, with a replay or without, get the same answer. Most logs hold no
  /// such tag, which is found out without looking for lines.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - last: The last action that counts.
  /// - Throws: `LogReadError` when the file cannot be read.
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

  /// The states of a log before some of its lines, in their order.
  private struct StatesBeforeLines {
    private var reader: LogReader?
    private var cursor = LogCursor()
    /// The first event that was not applied.
    private var next: LogReader.Entry?

    init(of log: LogSlice) {
      let start = LogReader.LineStart(line: log.firstLine, offset: log.start)
      reader = try? LogReader(path: log.path, from: start)
      next = try? reader?.next()
    }

    /// The state before a line; `nil` where the log does not tell it, or can't be read so far.
    mutating func state(before offset: Int) -> JSON? {
      while let entry = next, entry.offset < offset {
        // The state is not known from a patch that does not fit to the next checkpoint.
        try? cursor.move(to: entry.event)
        try? cursor.apply()
        next = try? reader?.next()
      }
      return cursor.state
    }
  }

  /// Whether such a value may stand anywhere in a log, or in a stretch of one.
  package static func mayStand(in log: LogSlice) throws(LogReadError) -> Bool {
    let start = log.stretch?.start ?? log.start
    let end = log.stretch?.end ?? log.end
    let file = try FileHandle(readingLog: log.path, from: start)
    let chunk = 256 * 1024
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 1)
    defer { memory.deallocate() }
    // What may be the beginning of a tag is looked at again with what follows it.
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

  /// Takes the values that a comparison has found from its notes.
  ///
  /// - Returns: The other notes.
  mutating func extract(from notes: [LogEvent.Finding]) -> [LogEvent.Finding] {
    let known = list(.opaque)
    return notes.filter { note in
      guard let value = UncomparedValue(note) else { return true }
      // The log names the effect, which a comparison does not.
      let isKnown = known.contains {
        $0.part == value.part && $0.place == value.place && $0.type == value.type
      }
      if !isKnown { insert(value) }
      return false
    }
  }
}

extension UncomparedValues {
  /// The values of one kind together with those that comparisons have noted.
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
  /// Names what was not compared: what the log does not hold, and what the replay does not write.
  mutating func nameUncompared(in log: LogSlice, through last: Int) throws(LogReadError) {
    var values = try UncomparedValues(in: log, through: last)
    notes = values.extract(from: notes)
    notCompared = values.list(.opaque)
    notReadBack = values.list(.error)
    guard !notCompared.isEmpty, let header = try? log.header() else { return }
    remedies = LogRemedies(header.environment)
  }
}
