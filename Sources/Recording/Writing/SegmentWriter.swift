import ActionLog

/// Buffers the lines of the current segment and writes them to a sink.
struct SegmentWriter: Sendable {
  private let sink: any LogSink
  private var pending: [UInt8] = []
  /// The number of checked-out bytes.
  private var taken = 0
  /// The number of checkouts in progress.
  ///
  /// Lines that are added during a checkout come after the checked-out ones. Therefore, writing waits until all lines
  /// are restored.
  private var lent = 0
  /// Whether a flush was postponed because of a checkout.
  private(set) var isFlushDue = false
  /// The number of pending events.
  private(set) var waiting = 0
  /// Whether the sink has checked that the file exists since the store was idle.
  private var isChecked = false
  /// Whether a line of the segment has been written.
  private(set) var hasBegun = false
  /// The size of the segment in bytes, including pending lines.
  private(set) var length = 0
  /// The offset of the end of the last checkpoint, followed by its length in bytes.
  private var checkpointEnd = 0
  private var checkpointLength = 0
  /// The time at which the segment was opened, in microseconds since the recording began.
  let opened: Int

  init(sink: any LogSink, at opened: Int) {
    self.sink = sink
    self.opened = opened
  }

  /// Appends the line of an event to the pending ones.
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

  /// Checks out the pending lines to append an event; `restoreLines` ends the checkout.
  mutating func takeLines() -> [UInt8] {
    var lines: [UInt8] = []
    swap(&lines, &pending)
    taken = lines.count
    lent += 1
    return lines
  }

  /// Restores checked-out lines with an appended event, before lines that were added in the meantime.
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

  /// Ends all checkouts whose lines won't be restored.
  mutating func abandonLines() { lent = 0 }

  /// Writes pending lines to the sink.
  ///
  /// - Parameters:
  ///   - isIdle: Whether the store has handled all actions. Until it is idle, the sink checks only once that the file
  ///     exists, because reads and queued actions follow in quick succession.
  ///   - notices: Scans the lines for opaque values.
  /// - Throws: The error of the sink.
  mutating func flush(isIdle: Bool, _ notices: inout OpaqueNotices) throws {
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

  /// Drops pending lines.
  mutating func drop() {
    length -= pending.count
    pending.removeAll()
    waiting = 0
  }
}

extension SegmentWriter {
  /// The minimum distance in bytes.
  ///
  /// Reading less than this is faster than reading another checkpoint.
  private static let leastBetweenCheckpoints = 256 * 1024
  /// The minimum distance as a multiple of the checkpoint's size.
  ///
  /// Checkpoints add at most a quarter to the log.
  private static let growth = 4

  /// Whether the log is far enough past the last checkpoint for another one.
  var needsCheckpoint: Bool {
    length - checkpointEnd >= max(Self.leastBetweenCheckpoints, Self.growth * checkpointLength)
  }

  /// Returns whether the segment has reached its share of the ring's capacity.
  func isFull(_ limits: LogDestination.RingLimits, at now: Int) -> Bool {
    // A segment should not consist mostly of its checkpoint.
    let bytes = limits.bytes.map { length >= max($0 / limits.segments, 2 * checkpointLength) }
    let seconds = limits.seconds.map {
      Double(now - opened) >= $0 / Double(limits.segments) * 1_000_000
    }
    return bytes ?? false || seconds ?? false
  }
}

/// The segments of one recording.
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
