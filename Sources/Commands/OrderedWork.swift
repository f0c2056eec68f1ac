import Dispatch
import Foundation
import Synchronization

/// Work on many items that several threads perform, and whose results are returned in the order of the items.
package struct OrderedWork<Item: Sendable, Output: Sendable>: Sendable {
  /// A closure that returns the item at an index, or `nil` after the last item.
  private let item: @Sendable (Int) -> Item?
  private let workers: Int
  /// A closure that makes the worker of a thread.
  private let makeWorker: @Sendable () -> (Item) -> Output
  /// A closure that returns whether a result is the last one needed.
  ///
  /// After such a result, items in progress are finished, but no others are started.
  private let isLast: @Sendable (Output) -> Bool
  private let interruption: Interruption

  /// Creates work on items that are requested one by one.
  ///
  /// - Parameters:
  ///   - workers: The number of threads.
  ///   - makeWorker: A closure that makes the worker of a thread.
  ///   - isLast: A closure that returns whether a result is the last one needed.
  ///   - interruption: An interruption that ends the work early.
  ///   - item: A closure that returns the item at an index, or `nil` after the last one. One thread at a time calls
  ///     the closure, with ascending indexes. It may block.
  package init(
    workers: Int,
    makeWorker: @escaping @Sendable () -> (Item) -> Output,
    isLast: @escaping @Sendable (Output) -> Bool,
    interruption: Interruption = Interruption(),
    item: @escaping @Sendable (Int) -> Item?
  ) {
    self.item = item
    self.workers = workers
    self.makeWorker = makeWorker
    self.isLast = isLast
    self.interruption = interruption
  }

  /// Creates work on an array of items.
  package init(
    items: [Item],
    workers: Int,
    makeWorker: @escaping @Sendable () -> (Item) -> Output,
    isLast: @escaping @Sendable (Output) -> Bool,
    interruption: Interruption = Interruption()
  ) {
    self.init(
      workers: min(workers, items.count),
      makeWorker: makeWorker,
      isLast: isLast,
      interruption: interruption,
      item: { $0 < items.count ? items[$0] : nil }
    )
  }

  private struct State {
    var given = 0
    var isStopped = false
    /// Whether the work has been interrupted, so that further results are ignored.
    var isInterrupted = false
    var waiting: [Int: Output] = [:]
    var workers: Int
  }

  /// Starts the work, and returns a stream of the results.
  ///
  /// If the work is interrupted, the stream ends after the results that are ready. The work uses separate threads,
  /// because a worker blocks while it waits for its process.
  package func results() -> AsyncStream<Output> {
    let (stream, continuation) = AsyncStream.makeStream(of: Output.self)
    guard workers > 0 else {
      continuation.finish()
      return stream
    }
    let state = WorkState(State(workers: workers))
    let action = interruption.onRequest { interrupt(state, continuation) }
    for _ in 0..<workers {
      Thread.detachNewThread {
        let work = makeWorker()
        while let (index, item) = dequeue(state) {
          give(work(item), index, state, continuation)
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

  /// The number of items per worker that may be started before the result of an earlier item is ready.
  ///
  /// Bounds memory.
  private static var itemsAhead: Int { 64 }

  /// A reference through which threads share the state.
  private final class WorkState: Sendable {
    let value: Mutex<State>
    /// A semaphore that limits the number of items whose results wait for an earlier result.
    ///
    /// One item may take as long as a hundred thousand others, whose results would not fit in memory.
    let window: DispatchSemaphore
    /// The index of the next item.
    ///
    /// The index has a separate lock, because a thread that waits for an item must not prevent others from delivering
    /// results.
    let next = Mutex(0)

    init(_ value: State) {
      // The initial value is 0, because a semaphore must not be destroyed with a lower value than its initial one.
      // After an interruption, the value would be lower.
      window = DispatchSemaphore(value: 0)
      for _ in 0..<value.workers * OrderedWork.itemsAhead { window.signal() }
      self.value = Mutex(value)
    }
  }

  private func dequeue(_ state: WorkState) -> (index: Int, item: Item)? {
    state.window.wait()
    return state.next.withLock { next in
      guard !state.value.withLock(\.isStopped),
        let item = item(next),
        !state.value.withLock(\.isStopped)
      else {
        // Wakes the next waiting thread, so that it ends too.
        state.window.signal()
        return nil
      }
      defer { next += 1 }
      return (next, item)
    }
  }

  private func give(
    _ output: Output,
    _ index: Int,
    _ shared: WorkState,
    _ continuation: AsyncStream<Output>.Continuation
  ) {
    let isLast = isLast(output)
    shared.value.withLock { state in
      // The signal that interrupted this process may have ended the worker's process, so the result is ignored.
      guard !state.isInterrupted else { return }
      if isLast { state.isStopped = true }
      state.waiting[index] = output
      // The results are yielded under the lock, so that two threads can't yield them in the wrong order.
      while let ready = state.waiting.removeValue(forKey: state.given) {
        continuation.yield(ready)
        state.given += 1
        shared.window.signal()
      }
    }
  }

  /// Yields the results that are ready, and ends the stream after an interruption.
  private func interrupt(_ shared: WorkState, _ continuation: AsyncStream<Output>.Continuation) {
    shared.value.withLock { state in
      state.isStopped = true
      state.isInterrupted = true
      for (_, output) in state.waiting.sorted(by: { $0.key < $1.key }) {
        continuation.yield(output)
      }
      state.waiting = [:]
    }
    shared.window.signal()
    continuation.finish()
  }
}
