import Foundation
import Synchronization

/// Performs the parts of one task on several threads, and waits for them.
///
/// A part that fails ends the work, because the other results are useless without it.
package struct ParallelWork<Output: Sendable>: Sendable {
  /// Performs the part with a number.
  ///
  /// Returns `nil` on failure. The interruption is requested when another part has failed.
  package typealias Worker = (_ part: Int, _ failure: Interruption) -> Output?

  private let count: Int
  private let workers: Int

  /// Creates the work.
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

  /// A reference to the state, shared between threads.
  private final class WorkState: Sendable {
    let state = Mutex(State())
  }

  /// Performs the work.
  ///
  /// - Parameter makeWorker: A closure that makes the worker of the thread with a number.
  /// - Returns: The outputs in the order of the parts, or `nil` if a part failed.
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
