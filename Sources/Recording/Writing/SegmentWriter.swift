import ActionLog

/// A buffer for the lines of the current segment, which it writes to a sink.
struct SegmentWriter: Sendable {
  private let sink: any LogSink
  private var pending: [UInt8] = []
  /// The number of bytes that `takeLines` has removed from the pending lines.
  private var taken = 0
  /// The number of `takeLines` calls whose lines have not been restored.
  ///
  /// Lines that are added in the meantime follow the removed lines. Writing therefore waits until all lines are
  /// restored.
  private var lent = 0
  /// Whether a flush was postponed until removed lines are restored.
  private(set) var isFlushDue = false
  /// The number of events in the pending lines.
  private(set) var waiting = 0
  /// Whether the sink has already checked that the file exists since the store was last idle.
  private var isChecked = false
  /// Whether any line of the segment has been passed to the sink.
  private(set) var hasBegun = false
  /// The size of the segment in bytes, including pending lines.
  private(set) var length = 0
  /// The offset in bytes at which the last checkpoint ends.
  private var checkpointEnd = 0
  private var checkpointLength = 0
  /// The time at which the segment was opened, in microseconds since the recording began.
  let opened: Int

  init(sink: any LogSink, at opened: Int) {
    self.sink = sink
    self.opened = opened
  }

  /// Appends the line of an event to the pending lines.
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

  /// Removes and returns the pending lines, so that the caller can append an event to them.
  ///
  /// The caller must return the lines to `restoreLines`.
  mutating func takeLines() -> [UInt8] {
    var lines: [UInt8] = []
    swap(&lines, &pending)
    taken = lines.count
    lent += 1
    return lines
  }

  /// Stores removed lines, with an event appended, before the lines that were added in the meantime.
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

  /// Allows writing again although removed lines won't be restored.
  mutating func abandonLines() { lent = 0 }

  /// Writes the pending lines to the sink, or postpones this until removed lines are restored.
  ///
  /// - Parameters:
  ///   - isIdle: Whether the store has handled all actions. Until it is idle, the sink checks only once that the file
  ///     exists, because reads and queued actions follow in quick succession.
  ///   - notices: The reporter that scans the lines for opaque values.
  /// - Throws: The error of the sink.
  mutating func flush(isIdle: Bool, _ notices: inout OpaqueTypeReporter) throws {
    isFlushDue = lent > 0
    guard !isFlushDue else { return }
    let isChecked = isChecked
    self.isChecked = !isIdle
    guard !pending.isEmpty else { return }
    notices.reportOpaque(pending)
    if isChecked { try sink.appendUnchecked(pending) } else { try sink.append(pending) }
    hasBegun = true
    pending.removeAll(keepingCapacity: true)
    waiting = 0
  }

  /// Drops the pending lines.
  mutating func drop() {
    length -= pending.count
    pending.removeAll()
    waiting = 0
  }
}

extension SegmentWriter {
  /// The minimum distance between two checkpoints in bytes: 256 KiB.
  ///
  /// Reading fewer bytes is faster than reading another checkpoint.
  private static let leastBetweenCheckpoints = 256 * 1024
  /// The minimum distance between two checkpoints, as a multiple of the last checkpoint's size.
  ///
  /// Checkpoints therefore add at most a quarter to the size of the log.
  private static let growth = 4

  /// Whether the log has grown enough since the last checkpoint to write another one.
  var needsCheckpoint: Bool {
    length - checkpointEnd >= max(Self.leastBetweenCheckpoints, Self.growth * checkpointLength)
  }

  /// Returns whether the segment has reached its share of the ring's capacity.
  func isFull(_ limits: LogDestination.RingLimits, at now: Int) -> Bool {
    // A segment must be at least twice as large as its checkpoint, so that it doesn't consist mostly of the checkpoint.
    let bytes = limits.bytes.map { length >= max($0 / limits.segments, 2 * checkpointLength) }
    let seconds = limits.seconds.map {
      Double(now - opened) >= $0 / Double(limits.segments) * 1_000_000
    }
    return bytes ?? false || seconds ?? false
  }
}

/// Functions for the segments of one recording.
enum LogSegments {
  /// Joins segments into one log, without the later headers and the `end` events between segments.
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
