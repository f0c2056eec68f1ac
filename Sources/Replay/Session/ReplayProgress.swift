import Synchronization

/// Where a replay stands, in memory that may outlive the process: what ends the process is attributed by it.
package struct ReplayProgress: @unchecked Sendable {
  /// What is done for an action.
  package enum Phase: Int, Sendable {
    /// Nothing yet.
    case waiting
    /// A state is read.
    case load
    /// An action is read, reduced and described.
    case step
    /// What came of it is compared.
    case compare
  }

  fileprivate struct Words: ~Copyable {
    let phase = Atomic(0)
    let recorded = Atomic(0)
    let replayed = Atomic(0)
    let depth = Atomic(0)
    let made = Atomic(0)
  }

  /// The number of bytes that it takes: a page for the words, and room for the trail, of which the system gives memory only
  /// for what is written.
  package static let size = trailStart + trailCapacity * MemoryLayout<Int32>.stride
  private static let trailStart = 4096
  /// The longest trail.
  package static let trailCapacity = 1 << 18

  // It leads to memory that stays as long as the process: atomic words, and numbers that are read after the other process has
  // ended.
  private let words: UnsafeMutablePointer<Words>
  private let trail: UnsafeMutablePointer<Int32>

  /// Places are kept in this memory, which is zeroed, aligned to pages and stays as long as the process.
  package init(_ memory: UnsafeMutableRawPointer) {
    words = memory.bindMemory(to: Words.self, capacity: 1)
    trail = (memory + Self.trailStart).bindMemory(to: Int32.self, capacity: Self.trailCapacity)
  }

  /// Notes what is done now.
  ///
  /// - Parameters:
  ///   - phase: What.
  ///   - recorded: The number of the action in the log.
  ///   - replayed: Its number in the replay.
  func enter(_ phase: Phase, recorded: Int, replayed: Int) {
    words.pointee.recorded.store(recorded, ordering: .relaxed)
    words.pointee.replayed.store(replayed, ordering: .relaxed)
    words.pointee.phase.store(phase.rawValue, ordering: .relaxed)
  }

  /// Notes that what came of the action is compared.
  func enterCompare() {
    words.pointee.phase.store(Phase.compare.rawValue, ordering: .relaxed)
  }

  /// Forgets the last replay.
  package func reset() {
    words.pointee.depth.store(0, ordering: .relaxed)
    words.pointee.made.store(0, ordering: .relaxed)
    enter(.waiting, recorded: 0, replayed: 0)
  }

  /// What was done last.
  package var phase: Phase {
    Phase(rawValue: words.pointee.phase.load(ordering: .relaxed)) ?? .waiting
  }
  /// The number of the last action in the log.
  package var recorded: Int { words.pointee.recorded.load(ordering: .relaxed) }
  /// The number of the last action in the replay.
  package var replayed: Int { words.pointee.replayed.load(ordering: .relaxed) }
}

extension ReplayProgress {
  /// Notes the step of a search at a depth, which is made now: what ends the process is attributed to the steps up to it.
  @inline(__always)
  package func record(step: Int, at depth: Int) {
    guard depth < Self.trailCapacity else { return }
    trail[depth] = Int32(truncatingIfNeeded: step)
    words.pointee.depth.store(depth + 1, ordering: .relaxed)
    words.pointee.phase.store(Phase.step.rawValue, ordering: .relaxed)
  }

  /// Notes that a search has made a step and is between two.
  @inline(__always)
  package func leaveStep() {
    // Only the search writes it.
    let made = words.pointee.made.load(ordering: .relaxed)
    words.pointee.made.store(made + 1, ordering: .relaxed)
    words.pointee.phase.store(Phase.compare.rawValue, ordering: .relaxed)
  }

  /// How many steps a search has made.
  package var made: Int { words.pointee.made.load(ordering: .relaxed) }

  /// The steps of a search up to the one that was made last; `nil` where they are more than there is room for.
  package var steps: [Int]? {
    let depth = words.pointee.depth.load(ordering: .relaxed)
    guard (0..<Self.trailCapacity).contains(depth) else { return nil }
    return (0..<depth).map { Int(trail[$0]) }
  }
}
