import ActionLog
import Foundation
import Synchronization

/// A period during which the log is not written.
struct WriteOutage: Sendable {
  /// The reason for the outage, which the gap in the log contains.
  let reason: String
  /// The number of events that were dropped during the outage.
  private(set) var dropped: Int
  /// The number of actions between two attempts to write.
  private let pause: Int
  /// The number of actions before the next attempt to write.
  private var countdown: Int

  /// The time at which the limit ends, in microseconds since the recording began.
  ///
  /// `nil` if no limit caused the outage, or if the limit never ends.
  private let end: Int?
  /// Whether a limit caused the outage.
  ///
  /// In that case, no attempt to write is made before the limit ends.
  let isLimit: Bool

  /// The maximum number of actions between two attempts to write.
  private static let longestPause = 1024

  /// Creates an outage after a failed write.
  ///
  /// The pause before the next attempt is twice as long as in the previous outage.
  ///
  /// - Parameters:
  ///   - error: The error that the write threw.
  ///   - dropped: The number of events that have been dropped so far.
  ///   - previous: The outage that the failed write tried to end, or `nil` if there was none.
  init(_ error: any Error, dropped: Int, after previous: WriteOutage?) {
    reason = (error as? LogWriteError)?.reason ?? "\(error)"
    self.dropped = dropped
    // An outage that a limit caused has a pause of 0, so the next attempt follows after one action.
    pause = max(1, min((previous?.pause ?? 0) * 2, Self.longestPause))
    countdown = pause
    end = nil
    isLimit = false
  }

  /// Creates an outage that lasts until a limit ends.
  init(_ limit: LimitMeter.ReachedLimit) {
    reason = limit.reason
    dropped = 0
    pause = 0
    countdown = 1
    end = limit.end
    isLimit = true
  }

  /// Returns whether the next action should try to write.
  ///
  /// - Parameter now: The time in microseconds since the recording began.
  /// - Returns: Whether an attempt is due.
  func isTryDue(at now: Int) -> Bool {
    guard isLimit else { return countdown <= 1 }
    return end.map { now >= $0 } ?? false
  }

  /// Counts an event that was dropped during the outage.
  mutating func drop() { dropped += 1 }

  /// Counts an action during the outage.
  ///
  /// - Parameter now: The time in microseconds since the recording began.
  /// - Returns: Whether this action should try to write.
  mutating func countAction(at now: Int) -> Bool {
    if isLimit { return isTryDue(at: now) }
    countdown -= 1
    return countdown <= 0
  }
}

/// Functions that write the recorder's messages to standard error.
enum RecorderWarnings {
  private static let written = Mutex<Set<String>>([])

  /// Writes a message once per process, even if several logs report it.
  static func writeOnce(_ message: String) {
    if written.withLock({ $0.insert(message).inserted }) { write(message) }
  }

  static func write(_ message: String) {
    var text = "tca-replay: \(message)\n"
    // `FileHandle` would end the process if standard error were closed.
    _ = text.withUTF8 { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
