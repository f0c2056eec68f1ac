import Foundation
import Synchronization

/// Does the parts of one work on several threads, and waits for them.
///
/// A part that fails ends the work: the others are of no use without it.
package struct ParallelWork<Output: Sendable>: Sendable {
  /// Does a part, by its number.
  ///
  /// It gives `nil` when it fails. The interruption is requested when another part has failed.
  package typealias Worker = (_ part: Int, _ failure: Interruption) -> Output?

  private let count: Int
  private let workers: Int

  /// A work of so many parts.
  ///
  /// - Parameters:
  ///   - count: The number of parts.
  ///   - workers: The number of threads.
  package init(parts count: Int, workers: Int) {
    self.count = count
    self.workers = workers
  }

  private struct State {
    var next = 0
    var outputs: [Int: Output] = [:]
  }

  /// A lock that threads can share.
  private final class WorkState: Sendable {
    let state = Mutex(State())
  }

  /// Does the work.
  ///
  /// - Parameter makeWorker: Makes the worker of a thread, by its number.
  /// - Returns: What the parts have given, in their order; `nil` when one has failed.
  package func outputs(_ makeWorker: @escaping @Sendable (_ thread: Int) -> Worker) -> [Output]? {
    let shared = WorkState()
    let failure = Interruption()
    failure.allowPartialResult()
    let group = DispatchGroup()
    for thread in 0..<min(count, workers) {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        let work = makeWorker(thread)
        while !failure.isRequested, let part = dequeue(shared) {
          guard let output = work(part, failure) else {
            _ = failure.request(by: SIGTERM)
            return
          }
          shared.state.withLock { $0.outputs[part] = output }
        }
      }
    }
    group.wait()
    let outputs = shared.state.withLock { $0.outputs }
    guard outputs.count == count else { return nil }
    return (0..<count).compactMap { outputs[$0] }
  }

  private func dequeue(_ shared: WorkState) -> Int? {
    shared.state.withLock { state in
      guard state.next < count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}
