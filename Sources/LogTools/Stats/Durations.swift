/// A compact histogram of durations.
///
/// Each duration is stored with three significant digits, so a percentile is off by at most half a percent.
struct Durations: Equatable {
  private var counts: [Int: Int] = [:]
  private(set) var count = 0
  /// The exact sum.
  private(set) var total = 0
  /// The longest duration, exactly.
  private(set) var longest = 0

  /// Adds a duration in microseconds.
  ///
  /// A duration that is out of range, as in a damaged log, counts as the nearest valid one.
  mutating func add(_ duration: Int) {
    let duration = Self.measured(duration)
    counts[Self.rounded(duration), default: 0] += 1
    count += 1
    total = Self.measured(total + duration)
    longest = max(longest, duration)
  }

  /// Adds the time between two values, or zero if the second is earlier.
  mutating func add(from start: Int, to end: Int) { add(Self.between(start, end)) }

  /// Returns the time between two values, or zero if the second is earlier.
  static func between(_ start: Int, _ end: Int) -> Int {
    let (duration, isTooLong) = end.subtractingReportingOverflow(start)
    return isTooLong ? (end > start ? longestMeasured : 0) : max(0, duration)
  }

  /// Adds other durations.
  mutating func add(_ others: Durations) {
    for (duration, count) in others.counts { counts[duration, default: 0] += count }
    count += others.count
    total = Self.measured(total + others.total)
    longest = max(longest, others.longest)
  }

  /// Whether the sum is exact.
  ///
  /// A sum that has reached the limit depends on the order if some durations are negative.
  var isExact: Bool { abs(total) < Self.longestMeasured }

  /// The longest duration in microseconds: 146,000 years.
  ///
  /// The sum of two such durations does not overflow.
  private static let longestMeasured = Int.max / 2

  private static func measured(_ duration: Int) -> Int {
    min(max(duration, -longestMeasured), longestMeasured)
  }

  /// Returns the shortest duration that the given percentage of durations does not exceed; 0 if there are none.
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
