import ActionLog
import ReplayEngine

/// A log cut into stretches of lines, so that it can be read backwards with one of them in memory.
struct LogStretches {
  private struct Stretch {
    let start: LogReader.LineStart
    /// The number of the checkpoint with which it begins.
    let checkpoint: Int?
  }

  private let log: LogSlice
  private var stretches: [Stretch] = []
  /// The line behind the last one.
  private var end = Int.max
  /// The bytes of the log.
  private(set) var length = 0

  /// Cuts a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - bytes: How long a stretch is at least, unless a checkpoint ends it.
  /// - Throws: `LogReadError`.
  init(of log: LogSlice, atLeast bytes: Int) throws(LogReadError) {
    self.log = log
    var stretches: [Stretch] = []
    var end = Int.max
    var length = 0
    try LogReader.scan(log.path) { start, line in
      guard start.offset >= log.start else { return true }
      guard start.offset < log.end ?? .max else {
        end = start.line
        return false
      }
      length = start.offset + line.count - log.start
      let last = stretches.last?.start.offset ?? log.start
      let checkpoint = LogReader.number(in: line, behind: #"{"kind":"checkpoint","seq":"#)
      if checkpoint != nil || start.offset - last >= bytes || stretches.isEmpty {
        stretches.append(Stretch(start: start, checkpoint: checkpoint))
      }
      return true
    }
    (self.stretches, self.end, self.length) = (stretches, end, length)
  }

  /// The stretches that may tell of actions up to one.
  func indices(through seq: Int) -> Range<Int> {
    0..<(stretches.firstIndex { $0.checkpoint.map { $0 > seq } ?? false } ?? stretches.count)
  }

  /// The last stretch that begins with a checkpoint from which an action is reached; 0 when none does.
  func checkpoint(before seq: Int) -> Int {
    stretches.lastIndex { $0.checkpoint.map { $0 < seq } ?? false } ?? 0
  }

  /// The last stretch up to one that begins with a checkpoint; 0 when none does.
  func checkpoint(upTo index: Int) -> Int {
    stretches[...index].lastIndex { $0.checkpoint != nil } ?? 0
  }

  /// The events of a stretch.
  ///
  /// - Throws: `LogReadError`.
  func events(in index: Int) throws(LogReadError) -> () throws -> LogReader.Entry? {
    let next = index + 1 < stretches.count ? stretches[index + 1].start.line : end
    return try events(from: index, before: next)
  }

  /// The events of a stretch and all behind it.
  ///
  /// - Throws: `LogReadError`.
  func events(from index: Int) throws(LogReadError) -> () throws -> LogReader.Entry? {
    try events(from: index, before: end)
  }

  private func events(
    from index: Int,
    before line: Int
  ) throws(LogReadError) -> () throws -> LogReader.Entry? {
    // From the head of the log on, it is looked at as well.
    guard index > 0 else {
      let entries = try log.entries()
      return {
        let entry = try entries()
        return entry.flatMap { $0.line < line ? $0 : nil }
      }
    }
    var reader = try LogReader(path: log.path, from: stretches[index].start)
    return {
      let entry = try reader.next()
      return entry.flatMap { $0.line < line ? $0 : nil }
    }
  }
}
