import Foundation
import Synchronization

/// Does the same work for many items on several threads, and gives the results in the order of the items.
package struct OrderedWork<Item: Sendable, Output: Sendable>: Sendable {
  private let items: [Item]
  private let workers: Int
  /// Makes the worker of a thread.
  private let makeWorker: @Sendable () -> (Item) -> Output
  /// Whether a result is the last one wanted: items in progress are finished, no others are begun.
  private let isLast: @Sendable (Output) -> Bool
  private let interruption: Interruption

  package init(
    items: [Item],
    workers: Int,
    makeWorker: @escaping @Sendable () -> (Item) -> Output,
    isLast: @escaping @Sendable (Output) -> Bool,
    interruption: Interruption = Interruption()
  ) {
    self.items = items
    self.workers = workers
    self.makeWorker = makeWorker
    self.isLast = isLast
    self.interruption = interruption
  }

  private struct State {
    var next = 0
    var given = 0
    var isStopped = false
    /// Whether further results are ignored.
    var isInterrupted = false
    var waiting: [Int: Output] = [:]
    var workers: Int
  }

  /// The results; when the work is interrupted, those that are ready.
  ///
  /// They are computed on threads of their own, because a worker blocks while it waits for its process.
  package func results() -> AsyncStream<Output> {
    let (stream, continuation) = AsyncStream.makeStream(of: Output.self)
    let count = min(workers, items.count)
    guard count > 0 else {
      continuation.finish()
      return stream
    }
    let state = Shared(State(workers: count))
    let action = interruption.onRequest { interrupt(state, continuation) }
    for _ in 0..<count {
      Thread.detachNewThread {
        let work = makeWorker()
        while let index = take(state) {
          give(work(items[index]), index, state, continuation)
        }
        let isLastWorker = state.value.withLock { state in
          state.workers -= 1
          return state.workers == 0
        }
        if isLastWorker {
          interruption.cancelAction(action)
          continuation.finish()
        }
      }
    }
    return stream
  }

  /// A lock that threads can share.
  private final class Shared: Sendable {
    let value: Mutex<State>
    init(_ value: State) { self.value = Mutex(value) }
  }

  private func take(_ state: Shared) -> Int? {
    state.value.withLock { state in
      guard !state.isStopped, state.next < items.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  private func give(
    _ output: Output,
    _ index: Int,
    _ state: Shared,
    _ continuation: AsyncStream<Output>.Continuation
  ) {
    let isLast = isLast(output)
    state.value.withLock { state in
      // Its process may have been ended by the signal.
      guard !state.isInterrupted else { return }
      if isLast { state.isStopped = true }
      state.waiting[index] = output
      // Under the lock, so that two threads cannot give them in the wrong order.
      while let ready = state.waiting.removeValue(forKey: state.given) {
        continuation.yield(ready)
        state.given += 1
      }
    }
  }

  /// Gives the results that are ready, and ends.
  private func interrupt(_ state: Shared, _ continuation: AsyncStream<Output>.Continuation) {
    state.value.withLock { state in
      state.isStopped = true
      state.isInterrupted = true
      for (_, output) in state.waiting.sorted(by: { $0.key < $1.key }) {
        continuation.yield(output)
      }
      state.waiting = [:]
    }
    continuation.finish()
  }
}
