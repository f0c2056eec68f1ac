/// A compact histogram of durations in microseconds.
///
/// Durations are rounded to three significant digits, so a percentile is off by at most half a percent.
struct DurationHistogram: Equatable {
  private var counts: [Int: Int] = [:]
  private(set) var count = 0
  /// The sum of all durations, which is not rounded.
  private(set) var total = 0
  /// The longest duration, which is not rounded.
  private(set) var longest = 0

  /// Adds a duration in microseconds.
  ///
  /// A damaged log may contain a duration out of range. It is replaced by the nearest limit.
  mutating func add(_ duration: Int) {
    let duration = Self.measured(duration)
    counts[Self.rounded(duration), default: 0] += 1
    count += 1
    total = Self.measured(total + duration)
    longest = max(longest, duration)
  }

  /// Adds the time from `start` to `end`, or zero if `end` is earlier.
  mutating func add(from start: Int, to end: Int) { add(Self.between(start, end)) }

  /// Returns the time from `start` to `end`, or zero if `end` is earlier.
  static func between(_ start: Int, _ end: Int) -> Int {
    let (duration, isTooLong) = end.subtractingReportingOverflow(start)
    return isTooLong ? (end > start ? longestMeasured : 0) : max(0, duration)
  }

  /// Adds all durations of another histogram.
  mutating func add(_ others: DurationHistogram) {
    for (duration, count) in others.counts { counts[duration, default: 0] += count }
    count += others.count
    total = Self.measured(total + others.total)
    longest = max(longest, others.longest)
  }

  /// Whether `total` is below the limit at which sums are cut off.
  ///
  /// At the limit, a total depends on the order of the durations if some are negative.
  var isExact: Bool { abs(total) < Self.longestMeasured }

  /// The limit for durations and sums in microseconds, which is about 146,000 years.
  ///
  /// The sum of two such numbers does not overflow.
  private static let longestMeasured = Int.max / 2

  private static func measured(_ duration: Int) -> Int {
    min(max(duration, -longestMeasured), longestMeasured)
  }

  /// Returns the duration that the given percentage of durations does not exceed, or 0 if there are no durations.
  func percentile(_ percent: Int) -> Int {
    var left = (count * percent + 99) / 100
    for (duration, count) in counts.sorted(by: { $0.key < $1.key }) {
      left -= count
      if left <= 0 { return min(duration, longest) }
    }
    return 0
  }

  private static func rounded(_ duration: Int) -> Int {
    var unit = 1
    while duration / unit >= 1000 { unit *= 10 }
    return (duration + unit / 2) / unit * unit
  }
}
