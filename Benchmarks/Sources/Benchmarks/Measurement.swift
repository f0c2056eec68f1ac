import AllocationCounter
import Foundation

/// What one benchmark took.
struct Measurement: Encodable {
  let name: String
  let size: Int
  /// The median of all rounds.
  let nanoseconds: Double
  /// How many times memory was asked for; nil where that cannot be counted.
  let allocations: Double?
  /// How many times the first benchmark of the comparison takes this one's time.
  let baselineRatio: Double
}

/// Measures the benchmarks of a comparison in turns, every other round in reverse, so that what else the machine does
/// hits all of them alike.
@MainActor
struct Stopwatch {
  var rounds = 11
  /// How long a benchmark may take in one round.
  var roundTime = 0.02

  func measure(_ comparison: Comparison) throws -> ([Measurement], [Figure]) {
    var jobs = try comparison.benchmarks.map { try $0.make() }
    defer { for index in jobs.indices { jobs[index].end() } }
    var done = [Int](repeating: 0, count: jobs.count)
    func run(_ index: Int, _ count: Int) -> Double {
      let work = jobs[index].run
      let start = Self.now
      for _ in 0..<count {
        work(done[index])
        done[index] += 1
      }
      return Self.now - start
    }
    let counts = jobs.indices.map { index in
      // What is done once, such as to open a file and write the first state, is no part of what is measured.
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

  /// The time that this thread has had a processor, with what the system did for it.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
