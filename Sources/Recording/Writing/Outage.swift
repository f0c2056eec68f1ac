import ActionLog
import Foundation
import Synchronization

/// A period during which the log is not written.
struct Outage: Sendable {
  /// The reason, for the gap in the log.
  let reason: String
  /// The number of dropped events.
  private(set) var dropped: Int
  /// The number of actions between two attempts.
  private let pause: Int
  /// The number of actions before the next attempt.
  private var countdown: Int

  /// The end of the limit, in microseconds since the recording began; `nil` without a limit, or if it never ends.
  private let end: Int?
  /// Whether a limit is the reason.
  ///
  /// No attempt is made before the limit ends.
  let isLimit: Bool

  /// The longest pause between two attempts, in actions.
  private static let longestPause = 1024

  /// Creates an outage after a failed write.
  ///
  /// Each pause is twice as long as the previous one.
  ///
  /// - Parameters:
  ///   - error: The error of the write.
  ///   - dropped: The number of dropped events.
  ///   - previous: The outage before this attempt; `nil` if there was none.
  init(_ error: any Error, dropped: Int, after previous: Outage?) {
    reason = (error as? LogWriteError)?.reason ?? "\(error)"
    self.dropped = dropped
    // The outage of a limit has a pause of 0, so the next attempt follows after one action.
    pause = max(1, min((previous?.pause ?? 0) * 2, Self.longestPause))
    countdown = pause
    end = nil
    isLimit = false
  }

  /// Creates an outage for a limit of the recording.
  init(_ limit: LimitMeter.ReachedLimit) {
    reason = limit.reason
    dropped = 0
    pause = 0
    countdown = 1
    end = limit.end
    isLimit = true
  }

  /// Returns whether the next action makes an attempt to write.
  ///
  /// - Parameter now: Microseconds since the recording began.
  /// - Returns: Whether an attempt is due.
  func isTryDue(at now: Int) -> Bool {
    guard isLimit else { return countdown <= 1 }
    return end.map { now >= $0 } ?? false
  }

  /// Counts a dropped event.
  mutating func drop() { dropped += 1 }

  /// Counts an action.
  ///
  /// - Parameter now: Microseconds since the recording began.
  /// - Returns: Whether this action makes an attempt to write.
  mutating func countAction(at now: Int) -> Bool {
    if isLimit { return isTryDue(at: now) }
    countdown -= 1
    return countdown <= 0
  }
}

/// The recorder's messages on standard error.
enum Complaint {
  private static let written = Mutex<Set<String>>([])

  /// Writes a message once per process, even if several logs of a feature report it.
  static func writeOnce(_ message: String) {
    if written.withLock({ $0.insert(message).inserted }) { write(message) }
  }

  static func write(_ message: String) {
    var text = "tca-replay: \(message)\n"
    // `FileHandle` would end the process if standard error is closed.
    _ = text.withUTF8 { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
