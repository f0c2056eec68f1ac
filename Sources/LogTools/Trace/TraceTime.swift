import ActionLog

/// A time in a trace, in nanoseconds since the start of the recording.
///
/// A log states microseconds. Two actions can have the same microsecond, but a viewer needs different times to order
/// the slices of a thread, so the trace uses a finer unit.
struct TraceTime: Hashable, Comparable, Sendable {
  private(set) var nanoseconds: Int

  static let zero = TraceTime(nanoseconds: 0)

  private init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  /// Creates a time from microseconds.
  ///
  /// A damaged log may contain a time out of range. It is replaced by the nearest limit.
  init(microseconds: Int) {
    nanoseconds = min(max(microseconds, 0), Self.latest) * 1000
  }

  /// The latest time in microseconds, which is about 31 years after the start.
  ///
  /// Sums of such times do not overflow.
  private static let latest = 1_000_000_000_000_000

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

  static func + (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: min(lhs.nanoseconds + rhs.nanoseconds, Self.latest * 2000))
  }

  /// Returns the time from `rhs` to `lhs`, or zero if `rhs` is later.
  static func - (lhs: Self, rhs: Self) -> Self {
    Self(nanoseconds: max(lhs.nanoseconds - rhs.nanoseconds, 0))
  }

  /// The next time that a viewer can tell apart from this one.
  ///
  /// Viewers store times as floating-point microseconds, so a difference of 1 ns could be lost.
  var next: TraceTime { self + TraceTime(nanoseconds: 10) }

  /// Appends the time as a decimal number of microseconds, the unit of the trace format.
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
