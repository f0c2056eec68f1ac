import ActionLog

/// The time between the start of a recording and an event, in the form that is displayed and typed.
///
/// ```swift
/// RelativeTime(microseconds: 1_203_400).description     // +1.203 s
/// RelativeTime(microseconds: 4_323_120_000).description  // +1:12:03.120
/// RelativeTime(microseconds: -500_000).description       // -0.500 s, in a damaged log
/// RelativeTime("1:12:03")                                // the time, as in `--since 1:12:03`
/// ```
package struct RelativeTime: Hashable, Comparable, Sendable {
  package let microseconds: Int

  package init(microseconds: Int) { self.microseconds = microseconds }

  /// Parses a time, such as `250ms`, `1.2s`, `+1.203 s`, `5min`, `2h`, `12:03`, or `1:12:03.5`.
  ///
  /// Returns `nil` for any other string, including a number without a unit.
  package init?(_ text: String) {
    let text = (text.hasPrefix("+") ? text.dropFirst() : text[...]).filter { $0 != " " }
    if text.contains(":") {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
      guard parts.count <= 3 else { return nil }
      var seconds = 0.0
      for (index, part) in parts.enumerated() {
        guard let part, part >= 0, index == 0 || part < 60 else { return nil }
        seconds = seconds * 60 + part
      }
      self.init(seconds: seconds)
      return
    }
    let units = [("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("min", 60), ("s", 1), ("h", 3600)]
    for (unit, seconds) in units where text.hasSuffix(unit) {
      guard let count = Double(text.dropLast(unit.count)), count >= 0 else { return nil }
      self.init(seconds: count * seconds)
      return
    }
    return nil
  }

  private init?(seconds: Double) {
    guard seconds.isFinite, seconds < 1e12 else { return nil }
    microseconds = Int((seconds * 1e6).rounded())
  }

  /// The last microsecond that the time includes if it is the upper limit of a range.
  ///
  /// Timelines show milliseconds, so a time in whole milliseconds includes the next 999 microseconds. Zero, the start
  /// of the recording, includes only itself.
  package var lastMicrosecond: Int {
    microseconds % 1000 == 0 && microseconds > 0 ? microseconds + 999 : microseconds
  }

  package static func < (lhs: RelativeTime, rhs: RelativeTime) -> Bool {
    lhs.microseconds < rhs.microseconds
  }
}

extension RelativeTime: CustomStringConvertible {
  package var description: String {
    var text: [UInt8] = []
    write(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the time in seconds, or in minutes and hours if it is at least one minute.
  ///
  /// - Parameters:
  ///   - output: The UTF-8 text to which the time is appended.
  ///   - width: The minimum number of columns, filled with spaces on the left.
  package func write(to output: inout [UInt8], width: Int = 0) {
    // A damaged log may contain any number. In milliseconds, the magnitude of every number fits, even that of
    // `Int.min`.
    let milliseconds = Int(microseconds.magnitude / 1000)
    let seconds = milliseconds / 1000
    var text: [UInt8] = [UInt8(ascii: microseconds < 0 ? "-" : "+")]
    if seconds >= 3600 {
      text.append(decimal: seconds / 3600)
      text.append(UInt8(ascii: ":"))
      Self.append(seconds / 60 % 60, digits: 2, to: &text)
    } else if seconds >= 60 {
      text.append(decimal: seconds / 60)
    }
    if seconds >= 60 {
      text.append(UInt8(ascii: ":"))
      Self.append(seconds % 60, digits: 2, to: &text)
    } else {
      text.append(decimal: seconds)
    }
    text.append(UInt8(ascii: "."))
    Self.append(milliseconds % 1000, digits: 3, to: &text)
    if seconds < 60 { text.append(literal: " s") }
    for _ in 0..<max(0, width - text.count) { output.append(UInt8(ascii: " ")) }
    output += text
  }

  private static func append(_ number: Int, digits: Int, to output: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
