import ActionLog

/// The reason why a test with a test store ends before its log.
enum StoreTestEndReason: Equatable {
  case broken(String)
  case segment
  case external(after: Int)
  case excluded(Int)
  case gap(after: Int)
  case unfinished(Int, JSON)
  case opaque(Int, type: String)
  case reentrant(Int, during: Int)
  /// The state contains a NaN after the action with this number, or initially if the number is 0.
  case notANumber(Int)
  /// With the steps after the action with number `after`, the code would exceed `size`, in bytes.
  case large(after: Int, size: Int)
}

/// Comments in tests with a test store, and warnings about such tests.
enum StoreTestWording {
  static let earlierEffect = "An effect that ran before the log begins sends this."
  static let publisher = "A publisher of the feature sends this."
  static func missingChild(_ name: String, _ seq: Int) -> String {
    "Action \(seq) reports an issue: '\(name)' is not there. What else fails here is not told."
  }

  static func reported(_ seq: Int, _ message: String) -> String {
    "Action \(seq) reports an issue: \(message). What else fails here is not told."
  }

  static let masked =
    "the log has masks, so the test has substitutes for some values; it may fail where the feature looks at them"

  static func opaqueState(_ type: String, _ log: String) -> String {
    "\(log) does not hold the value of \(type) in the first state; write in the test what the store begins with"
  }

  static func limitText(_ limit: StoreTestEndReason) -> String {
    // A line break would end the comment, so it becomes a space.
    let reason = reason(limit).split(whereSeparator: \.isNewline).joined(separator: " ")
    return "The test ends here: \(reason)."
  }

  static func complaint(_ limit: StoreTestEndReason, _ log: String) -> String {
    "the test ends before \(log) does: \(reason(limit))"
  }

  static func reason(_ limit: StoreTestEndReason) -> String {
    switch limit {
    case .broken(let error): "the log is broken, \(error)"
    case .segment: "another segment or log follows"
    case .external(let seq):
      "after action \(seq) something outside of the feature changed the state, which a test store cannot do"
    case .excluded(let seq): "action \(seq) was left out of the log by a filter"
    case .gap(let seq): "events are missing after action \(seq)"
    case .unfinished(let seq, let action):
      "the log was cut while action \(seq), \(Notation().action(action)), was reduced"
    case .opaque(let seq, let type):
      "action \(seq) needs a value of \(type), which the log does not hold"
    case .reentrant(let seq, let during):
      "the app sent action \(seq) while action \(during) was handled, which a test store cannot do"
    case .notANumber(0): "the first state holds NaN, which does not equal itself"
    case .notANumber(let seq):
      "after action \(seq) the state holds NaN, which does not equal itself"
    case .large(let seq, let size):
      "after action \(seq) the steps would be more than \(size / 1_000_000) MB of code; shorten the log with 'minimize', or use '--style replay'"
    }
  }
}
