/// Many durations in little memory: each is kept with its first three digits, so that a percentile is at most half a percent off.
struct Durations: Equatable {
  private var counts: [Int: Int] = [:]
  private(set) var count = 0
  /// The sum, exactly.
  private(set) var total = 0
  /// The longest, exactly.
  private(set) var longest = 0

  /// Adds a duration in microseconds; one that no clock measures, as in a damaged log, counts as the nearest that one can.
  mutating func add(_ duration: Int) {
    let duration = Self.measured(duration)
    counts[Self.rounded(duration), default: 0] += 1
    count += 1
    total = Self.measured(total + duration)
    longest = max(longest, duration)
  }

  /// Adds the time between two; none when the second is the earlier one.
  mutating func add(from start: Int, to end: Int) { add(Self.between(start, end)) }

  /// The time between two; none when the second is the earlier one.
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

  /// Whether the sum is exact: one that has reached the longest duration depends on the order, if some are negative.
  var isExact: Bool { abs(total) < Self.longestMeasured }

  /// Microseconds, 146,000 years: sums of two stay numbers.
  private static let longestMeasured = Int.max / 2

  private static func measured(_ duration: Int) -> Int {
    min(max(duration, -longestMeasured), longestMeasured)
  }

  /// The shortest duration that so many of a hundred do not exceed; 0 when there are none.
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
