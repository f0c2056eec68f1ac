import ActionLog

/// A time of a trace, in nanoseconds since the start of the recording.
///
/// A log counts microseconds. Two actions can begin in the same microsecond, but the slices of a thread need an order.
/// The trace therefore uses a finer unit.
struct TraceTime: Hashable, Comparable, Sendable {
  private(set) var nanoseconds: Int

  static let zero = TraceTime(nanoseconds: 0)

  private init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  /// Creates a time from microseconds.
  ///
  /// A value that is out of range, as in a damaged log, becomes the nearest valid one.
  init(microseconds: Int) {
    nanoseconds = min(max(microseconds, 0), Self.latest) * 1000
  }

  /// The latest time in microseconds: 31 years.
  ///
  /// Sums of such times do not overflow.
  private static let latest = 1_000_000_000_000_000

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  static func + (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: min(lhs.nanoseconds + rhs.nanoseconds, Self.latest * 2000))
  }

  /// Returns the time between two values, or zero if the second is later.
  static func - (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: max(lhs.nanoseconds - rhs.nanoseconds, 0))
  }

  /// The next time that viewers can distinguish.
  ///
  /// They read times as floating-point numbers of microseconds.
  var next: TraceTime { self + TraceTime(nanoseconds: 10) }

  /// Appends the time in the format of traces: a decimal number of microseconds.
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
