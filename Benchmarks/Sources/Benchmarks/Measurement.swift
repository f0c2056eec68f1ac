import AllocationCounter
import Foundation

/// The measurement of one benchmark.
struct Measurement: Encodable {
  let name: String
  let size: Int
  /// The median of all rounds.
  let nanoseconds: Double
  /// The number of memory allocations; `nil` if it cannot be counted.
  let allocations: Double?
  /// The ratio of the baseline's time to this one's.
  let baselineRatio: Double
}

/// Measures the benchmarks of a comparison in turn.
///
/// Every second round is reversed, so that other load on the machine affects all of them equally.
@MainActor
struct Stopwatch {
  var rounds = 11
  /// The maximum time of a benchmark per round in seconds.
  var roundTime = 0.02

  func measure(_ comparison: Comparison) throws -> ([Measurement], [Figure]) {
    var jobs = try comparison.benchmarks.map { try $0.make() }
    defer { for index in jobs.indices { jobs[index].end() } }
    var done = [Int](repeating: 0, count: jobs.count)
    func run(_ index: Int, _ count: Int) -> Double {
      let work = jobs[index].run
      let start = Self.now(on: comparison.clock)
      for _ in 0..<count {
        work(done[index])
        done[index] += 1
      }
      return Self.now(on: comparison.clock) - start
    }
    let counts = jobs.indices.map { index in
      // One-time work, such as opening a file and writing the first state, is not measured.
      _ = run(index, 3)
      var count = 1
      while true {
        let time = run(index, count)
        if time >= roundTime / 2 { return max(1, Int(Double(count) * roundTime / time)) }
        count *= 2
      }
    }
    var times = jobs.map { _ in [Double]() }
    for round in 0..<rounds {
      let order = round.isMultiple(of: 2) ? Array(jobs.indices) : jobs.indices.reversed()
      for index in order { times[index].append(run(index, counts[index]) / Double(counts[index])) }
    }
    let medians = times.map { $0.sorted()[rounds / 2] * 1e9 }
    let allocations = jobs.indices.map { index -> Double? in
      guard allocations_are_counted() else { return nil }
      let count = min(counts[index], 100)
      let before = allocations_so_far()
      _ = run(index, count)
      return Double(allocations_so_far() - before) / Double(count)
    }
    let measurements = jobs.indices.map { index in
      Measurement(
        name: comparison.benchmarks[index].name,
        size: comparison.benchmarks[index].size,
        nanoseconds: medians[index],
        allocations: allocations[index],
        baselineRatio: medians[0] / medians[index]
      )
    }
    return (measurements, comparison.figures(medians))
  }

  /// The time of a clock in seconds; that of a thread's processor time includes system time.
  static func now(on clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
