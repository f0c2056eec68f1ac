import Foundation

/// Work that is done over and over.
struct Benchmark {
  /// What is measured.
  let name: String
  /// How large the state is.
  let size: Int
  /// Makes ready and returns the work.
  let make: @MainActor () throws -> Job

  init(_ name: String, size: Int, make: @escaping @MainActor () throws -> Job) {
    self.name = name
    self.size = size
    self.make = make
  }
}

/// Work that is ready to be done.
@MainActor
struct Job {
  /// Does the work once; it is told how many times it has been done before.
  private(set) var run: @MainActor (Int) -> Void
  private let finish: @MainActor () -> Void
  /// A file that the work writes as long as it is there.
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

  /// Lets go of everything and removes the file.
  mutating func end() {
    finish()
    run = { _ in }
    if let file { try? FileManager.default.removeItem(atPath: file) }
  }
}

/// What is measured together, in the same run, so that it can be compared.
struct Comparison {
  let title: String
  /// The first is what the others are compared with.
  var benchmarks: [Benchmark] = []
  /// Says what follows from the medians, in the order of the benchmarks, in nanoseconds.
  var figures: @MainActor ([Double]) -> [Figure] = { _ in [] }
}

/// A figure that follows from measurements.
struct Figure: Encodable {
  let name: String
  let value: Double
  /// What it is to reach, and in which direction.
  ///
  /// Infinite for what has no goal.
  let goal: Double
  let isAtLeast: Bool

  static func atLeast(_ goal: Double, _ name: String, _ value: Double) -> Figure {
    Figure(name: name, value: value, goal: goal, isAtLeast: true)
  }

  static func atMost(_ goal: Double, _ name: String, _ value: Double) -> Figure {
    Figure(name: name, value: value, goal: goal, isAtLeast: false)
  }

  private enum CodingKeys: String, CodingKey { case name, value, goal, isAtLeast }

  /// Writes the goal where there is one, for JSON has no infinity.
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
