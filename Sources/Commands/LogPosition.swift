import ActionLog
import ReplayEngine

/// A position between the actions of a log, in the form that users type.
///
/// ```swift
/// LogPosition("12")    // after action 12
/// LogPosition("1.2s")  // after the last action at that time
/// LogPosition("end")   // after the last action
/// ```
package enum LogPosition: Hashable, Sendable {
  case action(Int)
  case time(RelativeTime)
  case end

  /// Parses a position, or returns `nil` if the string is not valid.
  package init?(_ text: String) {
    switch text {
    case "start": self = .action(0)
    case "end": self = .end
    default:
      if let seq = Int(text), seq >= 0 {
        self = .action(seq)
      } else if let time = RelativeTime(text) {
        self = .time(time)
      } else {
        return nil
      }
    }
  }

  /// The action number, or `nil` if the position is a time or the end.
  package var seq: Int? { if case .action(let seq) = self { seq } else { nil } }

  /// Returns the number of the last action at or before the position, or 0 if there is none.
  ///
  /// An action number is returned unchanged, even if the log has no such action.
  ///
  /// - Throws: `LogReadError`.
  package func seq(in log: LogSlice) throws(LogReadError) -> Int {
    switch self {
    case .action(let seq): seq
    case .time(let time): try Self.last(in: log) { $0 <= time.lastMicrosecond }
    case .end: try Self.last(in: log) { _ in true }
    }
  }

  /// Returns the number of the first action of a range that starts at the position.
  fileprivate func firstSeq(in log: LogSlice) throws(LogReadError) -> Int {
    guard case .time(let time) = self else { return try seq(in: log) }
    return try Self.last(in: log) { $0 < time.microseconds } + 1
  }

  /// Returns the number of the last action before the first one that is too late, or 0 if there is none.
  private static func last(
    in log: LogSlice,
    _ isEarlyEnough: (_ microseconds: Int) -> Bool
  ) throws(LogReadError) -> Int {
    var source = try LogEventIterator(log)
    var last = 0
    while let event = try source.next()?.event {
      let action: (seq: Int, at: Int)
      switch event {
      case .action(let event): action = (event.seq, event.at)
      case .withheld(let event): action = (event.seq, event.at)
      default: continue
      }
      guard isEarlyEnough(action.at) else { return last }
      last = action.seq
    }
    return last
  }
}

/// A range of actions, in the form that users type, such as `3..9`, `1.2s..end`, or `12`.
package struct LogRange: Hashable, Sendable {
  package let first: LogPosition
  package let last: LogPosition

  /// Parses a range, or returns `nil` if the string is not valid.
  ///
  /// Each end of the range may be omitted.
  package init?(_ text: String) {
    guard let dots = text.firstRange(of: "..") else {
      guard let only = LogPosition(text) else { return nil }
      (first, last) = (only, only)
      return
    }
    let (lower, upper) = (text[..<dots.lowerBound], text[dots.upperBound...])
    guard let first = lower.isEmpty ? .action(0) : LogPosition(String(lower)),
      let last = upper.isEmpty ? .action(.max) : LogPosition(String(upper))
    else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// Returns the action numbers that the range covers in a log.
  ///
  /// - Throws: `LogReadError`, or `LogRange.BackwardRangeError` if the range ends before it begins.
  package func seqs(in log: LogSlice) throws -> ClosedRange<Int> {
    let upper = try last.seq(in: log)
    // If both ends are the same time, the range consists of the last action at or before that time.
    let lower = first == last ? upper : try first.firstSeq(in: log)
    guard lower <= upper else { throw BackwardRangeError(first: lower, last: upper) }
    return lower...upper
  }

  /// The action numbers, or `nil` if they depend on the log, or if the range ends before it begins.
  package var seqs: ClosedRange<Int>? {
    guard let first = first.seq, let last = last.seq, first <= last else { return nil }
    return first...last
  }

  /// An error for a range that ends before it begins.
  package struct BackwardRangeError: StatusError, Hashable, CustomStringConvertible {
    let first: Int
    let last: Int

    package var description: String {
      "the range begins at action \(first) and ends at action \(last); expected one that ends after it begins"
    }

    package var status: ExitStatus { .usage }
  }

  /// Whether the action numbers depend on the log, because an end is a time or `end`.
  package var needsLog: Bool { first.seq == nil || last.seq == nil }
}

extension ParsedArguments {
  /// Parses the value of an option as a position, or returns `nil` if the option is missing.
  package func position(_ option: String) throws(UsageError) -> LogPosition? {
    guard let text = value(option) else { return nil }
    guard let position = LogPosition(text) else {
      throw .badValue(text, option: option, expected: Wording.position, command: command)
    }
    return position
  }

  /// Parses the value of an option as a range of actions, or returns `nil` if the option is missing.
  package func range(_ option: String) throws(UsageError) -> LogRange? {
    guard let text = value(option) else { return nil }
    guard let range = LogRange(text) else {
      throw .badValue(
        text,
        option: option,
        expected: "a range of actions such as 3..9, 1.2s..5s or 12..end",
        command: command
      )
    }
    guard range.needsLog || range.seqs != nil else {
      throw .badValue(
        text,
        option: option,
        expected: "a range that ends after it begins",
        command: command
      )
    }
    return range
  }
}

extension Wording {
  package static let position =
    "the number of an action, a time from the start such as 1.2s, 5min or 1:12:03, or 'end'"
}
