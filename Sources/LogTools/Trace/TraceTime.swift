import ActionLog

/// A time of a trace, in nanoseconds since the start of the recording.
///
/// A log counts microseconds. Two actions may begin in the same one, where the slices of a thread need an order: so the trace counts finer.
struct TraceTime: Hashable, Comparable, Sendable {
  private(set) var nanoseconds: Int

  static let zero = TraceTime(nanoseconds: 0)

  private init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  /// The time that a log states; one that no clock can show, as in a damaged log, is taken for the nearest that one can.
  init(microseconds: Int) {
    nanoseconds = min(max(microseconds, 0), Self.latest) * 1000
  }

  /// Microseconds, 31 years: sums of such times stay numbers.
  private static let latest = 1_000_000_000_000_000

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  static func + (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: min(lhs.nanoseconds + rhs.nanoseconds, Self.latest * 2000))
  }

  /// The time between two; zero when the second is the later one.
  static func - (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: max(lhs.nanoseconds - rhs.nanoseconds, 0))
  }

  /// The next time that viewers still tell from this one: they read it as a floating-point number of microseconds.
  var next: TraceTime { self + TraceTime(nanoseconds: 10) }

  /// Appends the time as traces have it: a decimal number of microseconds.
  func write(to output: inout [UInt8]) {
    output.append(decimal: nanoseconds / 1000)
    let rest = nanoseconds % 1000
    guard rest > 0 else { return }
    output.append(UInt8(ascii: "."))
    for unit in [100, 10, 1] where rest % (unit * 10) > 0 {
      output.append(UInt8(ascii: "0") + UInt8(rest / unit % 10))
    }
  }
}
