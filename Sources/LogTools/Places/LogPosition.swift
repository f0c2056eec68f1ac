import ActionLog
import ReplayCommands
import ReplayEngine

/// A position among the actions of a log, as users type it.
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

  /// Parses a position; `nil` if the text is not valid.
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

  /// The number of the action, if the text was a number.
  package var seq: Int? { if case .action(let seq) = self { seq } else { nil } }

  /// Returns the number of the last action up to the position; 0 if there is none.
  ///
  /// - Throws: `LogReadError`.
  package func seq(in log: LogSlice) throws(LogReadError) -> Int {
    switch self {
    case .action(let seq): seq
    case .time(let time): try Self.last(in: log) { $0 <= time.lastMicrosecond }
    case .end: try Self.last(in: log) { _ in true }
    }
  }

  /// Returns the number of the first action at or after the position.
  fileprivate func firstSeq(in log: LogSlice) throws(LogReadError) -> Int {
    guard case .time(let time) = self else { return try seq(in: log) }
    return try Self.last(in: log) { $0 < time.microseconds } + 1
  }

  /// Returns the number of the last action before the first one with a later time; 0 if there is none.
  private static func last(
    in log: LogSlice,
    _ isEarlyEnough: (_ microseconds: Int) -> Bool
  ) throws(LogReadError) -> Int {
    var source = try LogSource(log)
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

/// A range of actions, as users type it: `3..9`, `1.2s..end`, `12`.
package struct LogRange: Hashable, Sendable {
  package let first: LogPosition
  package let last: LogPosition

  /// Parses a range, whose ends are both optional; `nil` if the text is not valid.
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

  /// Returns the numbers of the actions.
  ///
  /// - Throws: `LogReadError`, and `LogRange.Backward` if the end comes before the beginning.
  package func seqs(in log: LogSlice) throws -> ClosedRange<Int> {
    let upper = try last.seq(in: log)
    // A single time names the last action at that time.
    let lower = first == last ? upper : try first.firstSeq(in: log)
    guard lower <= upper else { throw Backward(first: lower, last: upper) }
    return lower...upper
  }

  /// The numbers of the actions if they can be computed without the log; `nil` otherwise, and for a backward range.
  package var seqs: ClosedRange<Int>? {
    guard let first = first.seq, let last = last.seq, first <= last else { return nil }
    return first...last
  }

  /// An error for a range whose end comes before its beginning in a log.
  package struct Backward: StatusError, Hashable, CustomStringConvertible {
    let first: Int
    let last: Int

    package var description: String {
      "the range begins at action \(first) and ends at action \(last); expected one that ends after it begins"
    }

    package var status: ExitStatus { .usage }
  }

  /// Whether the log must be read to compute the numbers.
  package var needsLog: Bool { first.seq == nil || last.seq == nil }
}

extension ParsedArguments {
  /// Returns the value of an option as a position.
  package func position(_ option: String) throws(UsageError) -> LogPosition? {
    guard let text = value(option) else { return nil }
    guard let position = LogPosition(text) else {
      throw .badValue(text, option: option, expected: Wording.position, command: command)
    }
    return position
  }

  /// Returns the value of an option as a range of actions.
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
