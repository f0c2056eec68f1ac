import Synchronization

/// The progress of a replay in memory that can outlive the process.
///
/// If the process ends, the end is attributed by it.
package struct ReplayProgress: @unchecked Sendable {
  /// The work that is in progress.
  package enum Phase: Int, Sendable {
    /// No work has started.
    case waiting
    /// A state is being decoded.
    case load
    /// An action is being decoded and reduced, and its effects are being described.
    case step
    /// The result of an action is being compared.
    case compare
  }

  fileprivate struct Words: ~Copyable {
    let phase = Atomic(0)
    let recorded = Atomic(0)
    let replayed = Atomic(0)
    let depth = Atomic(0)
    let made = Atomic(0)
  }

  /// The size in bytes: a page for the words, and the capacity for the trail.
  ///
  /// The system allocates memory only for written pages.
  package static let size = trailStart + trailCapacity * MemoryLayout<Int32>.stride
  private static let trailStart = 4096
  /// The maximum number of steps in the trail.
  package static let trailCapacity = 1 << 18

  // A pointer to memory that exists as long as the process. It contains atomic words, and numbers that are read after
  // the other process has ended.
  private let words: UnsafeMutablePointer<Words>
  private let trail: UnsafeMutablePointer<Int32>

  /// Uses memory that is zeroed, page-aligned, and valid as long as the process.
  package init(_ memory: UnsafeMutableRawPointer) {
    words = memory.bindMemory(to: Words.self, capacity: 1)
    trail = (memory + Self.trailStart).bindMemory(to: Int32.self, capacity: Self.trailCapacity)
  }

  /// Records the work that is starting.
  ///
  /// - Parameters:
  ///   - phase: The kind of work.
  ///   - recorded: The number of the action in the log.
  ///   - replayed: The number of the action in the replay.
  func enter(_ phase: Phase, recorded: Int, replayed: Int) {
    words.pointee.recorded.store(recorded, ordering: .relaxed)
    words.pointee.replayed.store(replayed, ordering: .relaxed)
    words.pointee.phase.store(phase.rawValue, ordering: .relaxed)
  }

  /// Records that the result of the action is being compared.
  func enterCompare() {
    words.pointee.phase.store(Phase.compare.rawValue, ordering: .relaxed)
  }

  /// Clears the progress of the last replay.
  package func reset() {
    words.pointee.depth.store(0, ordering: .relaxed)
    words.pointee.made.store(0, ordering: .relaxed)
    enter(.waiting, recorded: 0, replayed: 0)
  }

  /// The kind of work that was last started.
  package var phase: Phase {
    Phase(rawValue: words.pointee.phase.load(ordering: .relaxed)) ?? .waiting
  }
  /// The number of the last action in the log.
  package var recorded: Int { words.pointee.recorded.load(ordering: .relaxed) }
  /// The number of the last action in the replay.
  package var replayed: Int { words.pointee.replayed.load(ordering: .relaxed) }
}

extension ReplayProgress {
  /// Records that a search is performing a step at a depth.
  ///
  /// If the process ends, the end is attributed to the steps up to it.
  @inline(__always)
  package func record(step: Int, at depth: Int) {
    guard depth < Self.trailCapacity else { return }
    trail[depth] = Int32(truncatingIfNeeded: step)
    words.pointee.depth.store(depth + 1, ordering: .relaxed)
    words.pointee.phase.store(Phase.step.rawValue, ordering: .relaxed)
  }

  /// Records that a search has performed a step and is between two steps.
  @inline(__always)
  package func leaveStep() {
    // Only the search writes this word.
    let made = words.pointee.made.load(ordering: .relaxed)
    words.pointee.made.store(made + 1, ordering: .relaxed)
    words.pointee.phase.store(Phase.compare.rawValue, ordering: .relaxed)
  }

  /// The number of steps that a search has performed.
  package var made: Int { words.pointee.made.load(ordering: .relaxed) }

  /// The steps of a search up to the last one, or `nil` if they exceed the capacity.
  package var steps: [Int]? {
    let depth = words.pointee.depth.load(ordering: .relaxed)
    guard (0..<Self.trailCapacity).contains(depth) else { return nil }
    return (0..<depth).map { Int(trail[$0]) }
  }
}
