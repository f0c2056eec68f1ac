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

  private struct Words: ~Copyable {
    let phase = Atomic(0)
    let recorded = Atomic(0)
    let replayed = Atomic(0)
  }

  /// The number of bytes that it takes.
  package static let size = MemoryLayout<Words>.size

  // It leads to atomic words alone, which stay as long as the process.
  private let words: UnsafeMutablePointer<Words>

  /// Places are kept in this memory, which is zeroed, aligned to pages and stays as long as the process.
  package init(_ memory: UnsafeMutableRawPointer) {
    words = memory.bindMemory(to: Words.self, capacity: 1)
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
  package func reset() { enter(.waiting, recorded: 0, replayed: 0) }

  /// What was done last.
  package var phase: Phase {
    Phase(rawValue: words.pointee.phase.load(ordering: .relaxed)) ?? .waiting
  }
  /// The number of the last action in the log.
  package var recorded: Int { words.pointee.recorded.load(ordering: .relaxed) }
  /// The number of the last action in the replay.
  package var replayed: Int { words.pointee.replayed.load(ordering: .relaxed) }
}
