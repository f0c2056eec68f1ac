import ActionLog

/// A segment that is being written: the lines that wait, and where they go.
struct SegmentWriter: Sendable {
  private let sink: any LogSink
  private var pending: [UInt8] = []
  /// How many bytes of them are handed out.
  private var taken = 0
  /// How often lines are handed out.
  ///
  /// What is added in the meantime comes after them, so nothing is written until all are back.
  private var lent = 0
  /// Whether lines were to be written while some were handed out.
  private(set) var isFlushDue = false
  /// How many events wait.
  private(set) var waiting = 0
  /// Whether the sink has looked for the log since the store was idle.
  private var isChecked = false
  /// Whether the sink has anything of the segment.
  private(set) var hasBegun = false
  /// How many bytes the segment has, with those that wait.
  private(set) var length = 0
  /// Where its last checkpoint ends, and how long that is.
  private var checkpointEnd = 0
  private var checkpointLength = 0
  /// When the segment was begun, in microseconds since the start of the recording.
  let opened: Int

  init(sink: any LogSink, at opened: Int) {
    self.sink = sink
    self.opened = opened
  }

  /// Adds the line of an event to those that wait.
  mutating func append(_ line: [UInt8], of event: LogEvent) {
    pending += line
    pending.append(UInt8(ascii: "\n"))
    let count = line.count + 1
    waiting += 1
    length += count
    guard case .checkpoint = event else { return }
    checkpointEnd = length
    checkpointLength = count
  }

  /// Hands out the lines that wait, for more to be written after them; `restoreLines` brings them back.
  mutating func takeLines() -> [UInt8] {
    var lines: [UInt8] = []
    swap(&lines, &pending)
    taken = lines.count
    lent += 1
    return lines
  }

  /// Takes back the lines that were handed out, with an event after them; what was added in the meantime follows that.
  mutating func restoreLines(_ lines: consuming [UInt8]) {
    var added: [UInt8] = []
    swap(&added, &pending)
    pending = consume lines
    length += pending.count - taken
    waiting += 1
    taken = 0
    lent = max(0, lent - 1)
    if !added.isEmpty { pending += added }
  }

  /// Waits no longer for lines that are handed out, and do not come back.
  mutating func abandonLines() { lent = 0 }

  /// Hands to the sink what waits.
  ///
  /// - Parameters:
  ///   - isIdle: Whether the store has handled all actions. Until then the sink looks once whether the log is still there:
  ///     actions that reducers send, and reads, follow each other too closely for more.
  ///   - notices: Looks at what is written.
  /// - Throws: What the sink throws.
  mutating func flush(isIdle: Bool, _ notices: inout OpaqueNotices) throws {
    isFlushDue = lent > 0
    guard !isFlushDue else { return }
    let isChecked = isChecked
    self.isChecked = !isIdle
    guard !pending.isEmpty else { return }
    notices.scan(pending)
    if isChecked { try sink.appendUnchecked(pending) } else { try sink.append(pending) }
    hasBegun = true
    pending.removeAll(keepingCapacity: true)
    waiting = 0
  }

  /// Forgets what waits.
  mutating func drop() {
    length -= pending.count
    pending.removeAll()
    waiting = 0
  }
}

extension SegmentWriter {
  /// Less than this is faster read through than it is worth a checkpoint.
  private static let leastBetweenCheckpoints = 256 * 1024
  /// So the checkpoints add at most a quarter to the log.
  private static let growth = 4

  /// Whether enough has been written since the last checkpoint for another one.
  var needsCheckpoint: Bool {
    length - checkpointEnd >= max(Self.leastBetweenCheckpoints, Self.growth * checkpointLength)
  }

  /// Whether the segment holds its part of what a ring holds.
  func isFull(_ limits: LogDestination.RingLimits, at now: Int) -> Bool {
    // A segment that held little more than its checkpoint would be a waste.
    let bytes = limits.bytes.map { length >= max($0 / limits.segments, 2 * checkpointLength) }
    let seconds = limits.seconds.map {
      Double(now - opened) >= $0 / Double(limits.segments) * 1_000_000
    }
    return bytes ?? false || seconds ?? false
  }
}

/// Segments of one recording.
enum LogSegments {
  /// One log of several segments: of the later ones the header goes, and the end that leads over to the next one.
  static func joined(_ segments: [[UInt8]]) -> [UInt8] {
    var result: [UInt8] = []
    for (index, segment) in segments.enumerated() {
      var lines = segment[...]
      if index > 0 {
        lines = lines.firstIndex(of: feed).map { lines[($0 + 1)...] } ?? []
        if let start = lastLine(of: result), result[start...].starts(with: end) {
          result.removeSubrange(start...)
        }
      }
      result += lines
    }
    return result
  }

  private static let feed = UInt8(ascii: "\n")
  private static let end = Array(#"{"kind":"end""#.utf8)

  private static func lastLine(of bytes: [UInt8]) -> Int? {
    guard bytes.last == feed else { return nil }
    return bytes.dropLast().lastIndex(of: feed).map { $0 + 1 }
  }
}
