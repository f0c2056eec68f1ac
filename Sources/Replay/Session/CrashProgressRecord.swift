import Synchronization

/// A record of a replay's progress, in memory that can outlive the process.
///
/// If the process ends unexpectedly, the record shows which work was in progress.
package struct CrashProgressRecord: @unchecked Sendable {
  /// A kind of work that a replay or search performs.
  package enum Phase: Int, Sendable {
    /// No work is in progress.
    case waiting
    /// A state is being decoded.
    case load
    /// An action is being decoded and reduced, and its effects are being described.
    case step
    /// The result of an action is being compared.
    case compare
  }

  fileprivate struct AtomicFields: ~Copyable {
    let phase = Atomic(0)
    let recorded = Atomic(0)
    let replayed = Atomic(0)
    let depth = Atomic(0)
    let made = Atomic(0)
  }

  /// The size of the memory in bytes: one page for the words, and the capacity of the trail.
  ///
  /// The system allocates memory only for written pages.
  package static let size = trailStart + trailCapacity * MemoryLayout<Int32>.stride
  private static let trailStart = 4096
  /// The capacity of the trail in steps, which takes 1 MiB.
  ///
  /// The trail contains the steps that led a search to its last step.
  package static let trailCapacity = 1 << 18

  // Both pointers refer to memory that exists as long as the process. It contains atomic words and the trail. Another
  // process reads the trail only after this process has ended.
  private let words: UnsafeMutablePointer<AtomicFields>
  private let trail: UnsafeMutablePointer<Int32>

  /// Creates a record in existing memory.
  ///
  /// - Parameter memory: Memory of `size` bytes that is zeroed, page-aligned, and valid as long as the process exists.
  package init(_ memory: UnsafeMutableRawPointer) {
    words = memory.bindMemory(to: AtomicFields.self, capacity: 1)
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

  /// Records that the result of the current action is being compared.
  func enterCompare() {
    words.pointee.phase.store(Phase.compare.rawValue, ordering: .relaxed)
  }

  /// Clears the record before another replay.
  package func reset() {
    words.pointee.depth.store(0, ordering: .relaxed)
    words.pointee.made.store(0, ordering: .relaxed)
    enter(.waiting, recorded: 0, replayed: 0)
  }

  /// The kind of work that was last started.
  package var phase: Phase {
    Phase(rawValue: words.pointee.phase.load(ordering: .relaxed)) ?? .waiting
  }
  /// The log's number of the action that was started last.
  package var recorded: Int { words.pointee.recorded.load(ordering: .relaxed) }
  /// The replay's number of the action that was started last.
  package var replayed: Int { words.pointee.replayed.load(ordering: .relaxed) }
}

extension CrashProgressRecord {
  /// Records that a search is performing a step at a depth.
  ///
  /// If the process ends, the steps up to this depth are reported as the cause.
  @inline(__always)
  package func record(step: Int, at depth: Int) {
    if depth < Self.trailCapacity { trail[depth] = Int32(truncatingIfNeeded: step) }
    words.pointee.depth.store(depth + 1, ordering: .relaxed)
    words.pointee.phase.store(Phase.step.rawValue, ordering: .relaxed)
  }

  /// Records that a search has completed a step.
  @inline(__always)
  package func leaveStep() {
    // Only the search writes this word, so an atomic increment is not needed.
    let made = words.pointee.made.load(ordering: .relaxed)
    words.pointee.made.store(made + 1, ordering: .relaxed)
    words.pointee.phase.store(Phase.compare.rawValue, ordering: .relaxed)
  }

  /// The number of steps that a search has completed.
  package var made: Int { words.pointee.made.load(ordering: .relaxed) }

  /// The steps that led a search to its last step, or `nil` if there are more than `trailCapacity`.
  package var steps: [Int]? {
    let depth = words.pointee.depth.load(ordering: .relaxed)
    guard (0...Self.trailCapacity).contains(depth) else { return nil }
    return (0..<depth).map { Int(trail[$0]) }
  }
}
