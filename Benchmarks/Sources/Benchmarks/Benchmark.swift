import Foundation

/// A repeated unit of work.
struct Benchmark {
  /// The name of the measured work.
  let name: String
  /// The size of the state.
  let size: Int
  /// Prepares and returns the work.
  let make: @MainActor () throws -> Job

  init(_ name: String, size: Int, make: @escaping @MainActor () throws -> Job) {
    self.name = name
    self.size = size
    self.make = make
  }
}

/// Prepared work.
@MainActor
struct Job {
  /// Performs the work once.
  ///
  /// The argument is the number of previous repetitions.
  private(set) var run: @MainActor (Int) -> Void
  private let finish: @MainActor () -> Void
  /// The file that the work writes.
  ///
  /// It is removed at the end.
  private let file: String?

  init(
    writing file: String? = nil,
    run: @escaping @MainActor (Int) -> Void,
    finish: @escaping @MainActor () -> Void = {}
  ) {
    self.run = run
    self.finish = finish
    self.file = file
  }

  /// Releases all resources and removes the file.
  mutating func end() {
    finish()
    run = { _ in }
    if let file { try? FileManager.default.removeItem(atPath: file) }
  }
}

/// Benchmarks that are measured in the same run for comparison.
struct Comparison {
  let title: String
  /// The benchmarks.
  ///
  /// The first one is the baseline.
  var benchmarks: [Benchmark] = []
  /// The clock of the measurements: the processor time of the main thread, or the time of day for work of all threads.
  var clock = CLOCK_THREAD_CPUTIME_ID
  /// Computes figures from the medians in nanoseconds, in the order of the benchmarks.
  var figures: @MainActor ([Double]) -> [Figure] = { _ in [] }
}

/// A figure computed from measurements.
struct Figure: Encodable {
  let name: String
  let value: Double
  /// The value to reach, and the direction of the comparison.
  ///
  /// Infinite if there is no goal.
  let goal: Double
  let isAtLeast: Bool

  static func atLeast(_ goal: Double, _ name: String, _ value: Double) -> Figure {
    Figure(name: name, value: value, goal: goal, isAtLeast: true)
  }

  static func atMost(_ goal: Double, _ name: String, _ value: Double) -> Figure {
    Figure(name: name, value: value, goal: goal, isAtLeast: false)
  }

  private enum CodingKeys: String, CodingKey { case name, value, goal, isAtLeast }

  /// Writes a finite goal, because JSON has no infinity.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(value, forKey: .value)
    guard goal.isFinite else { return }
    try container.encode(goal, forKey: .goal)
    try container.encode(isAtLeast, forKey: .isAtLeast)
  }

  var isReached: Bool { isAtLeast ? value >= goal : value <= goal }
}
