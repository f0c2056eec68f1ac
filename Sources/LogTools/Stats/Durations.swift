/// Many durations in little memory: each is kept with its first three digits, so that a percentile is at most half a percent off.
struct Durations: Equatable {
  private var counts: [Int: Int] = [:]
  private(set) var count = 0
  /// The sum, exactly.
  private(set) var total = 0
  /// The longest, exactly.
  private(set) var longest = 0

  /// Adds a duration in microseconds.
  mutating func add(_ duration: Int) {
    counts[Self.rounded(duration), default: 0] += 1
    count += 1
    total += duration
    longest = max(longest, duration)
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
