import ActionLog
import Foundation
import Synchronization

/// A time in which the log cannot be written.
struct Outage: Sendable {
  /// The reason, for the gap in the log.
  let reason: String
  /// How many events are missing.
  private(set) var dropped: Int
  /// The number of actions between two tries.
  private let pause: Int
  /// The number of actions until the next try.
  private var countdown: Int

  /// When a limit ends, in microseconds since the recording began; `nil` where it is not a limit, or one without end.
  private let end: Int?
  /// Whether a limit is the reason, so that nothing is tried before it ends.
  let isLimit: Bool

  /// The longest pause between two tries, in actions.
  private static let longestPause = 1024

  /// An outage that begins, or goes on after a try; each pause is twice as long as the one before.
  ///
  /// - Parameters:
  ///   - error: The error of the last try.
  ///   - dropped: How many events are missing.
  ///   - previous: The outage before the try.
  init(_ error: any Error, dropped: Int, after previous: Outage?) {
    reason = (error as? LogWriteError)?.reason ?? "\(error)"
    self.dropped = dropped
    // After a limit comes the first try.
    pause = max(1, min((previous?.pause ?? 0) * 2, Self.longestPause))
    countdown = pause
    end = nil
    isLimit = false
  }

  /// An outage that a limit of the recording makes.
  init(_ limit: LimitMeter.Reached) {
    reason = limit.reason
    dropped = 0
    pause = 0
    countdown = 1
    end = limit.end
    isLimit = true
  }

  /// Whether the next action makes a try.
  ///
  /// - Parameter now: Microseconds since the recording began.
  /// - Returns: Whether it does.
  func isTryDue(at now: Int) -> Bool {
    guard isLimit else { return countdown <= 1 }
    return end.map { now >= $0 } ?? false
  }

  /// Counts an event that is missing.
  mutating func drop() { dropped += 1 }

  /// Counts an action.
  ///
  /// - Parameter now: Microseconds since the recording began.
  /// - Returns: Whether it makes a try.
  mutating func countAction(at now: Int) -> Bool {
    if isLimit { return isTryDue(at: now) }
    countdown -= 1
    return countdown <= 0
  }
}

/// The recorder's messages on standard error.
enum Complaint {
  private static let written = Mutex<Set<String>>([])

  /// Writes what many logs of one feature may have to say, such as those of its rows.
  static func writeOnce(_ message: String) {
    if written.withLock({ $0.insert(message).inserted }) { write(message) }
  }

  static func write(_ message: String) {
    var text = "tca-replay: \(message)\n"
    // Not through a file handle, which ends the process when standard error is closed.
    _ = text.withUTF8 { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
