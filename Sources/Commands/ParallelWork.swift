import Foundation
import Synchronization

/// Work that consists of parts, which several threads perform.
///
/// A part that fails ends the work, because the results of the other parts are then useless.
package struct ParallelWork<Output: Sendable>: Sendable {
  /// A function that performs the part at an index, or returns `nil` on failure.
  ///
  /// The interruption is requested when another part has failed.
  package typealias Worker = (_ part: Int, _ failure: Interruption) -> Output?

  private let count: Int
  private let workers: Int

  /// Creates work with a number of parts.
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

  /// A reference through which threads share the state.
  private final class WorkState: Sendable {
    let state = Mutex(State())
  }

  /// Performs all parts, and waits for them.
  ///
  /// - Parameter makeWorker: A closure that makes the worker of the thread at an index.
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
