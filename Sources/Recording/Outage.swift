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
    pause = max(1, min((previous?.pause ?? 0) * 2, Self.longestPause))
    countdown = pause
  }

  /// Whether the next action makes a try.
  var isTryDue: Bool { countdown <= 1 }

  /// Counts an event that is missing.
  mutating func drop() { dropped += 1 }

  /// Counts an action.
  ///
  /// - Returns: Whether it makes a try.
  mutating func countAction() -> Bool {
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
