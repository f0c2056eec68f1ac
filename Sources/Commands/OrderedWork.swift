import Dispatch
import Foundation
import Synchronization

/// Processes many items on several threads, and returns the results in the order of the items.
package struct OrderedWork<Item: Sendable, Output: Sendable>: Sendable {
  /// Returns the item with a number.
  private let item: @Sendable (Int) -> Item?
  private let workers: Int
  /// Makes the worker of a thread.
  private let makeWorker: @Sendable () -> (Item) -> Output
  /// Whether a result is the last one needed.
  ///
  /// Items in progress are finished, and no others are started.
  private let isLast: @Sendable (Output) -> Bool
  private let interruption: Interruption

  /// Describes the work.
  ///
  /// - Parameters:
  ///   - workers: The number of threads.
  ///   - makeWorker: A closure that makes the worker of a thread.
  ///   - isLast: Whether a result is the last one needed.
  ///   - interruption: An interruption that ends the work early.
  ///   - item: A closure that returns the item with a number, or `nil` after the last one. One thread at a time calls
  ///     it, with ascending numbers. It may block.
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

  /// Describes the work for an array of items.
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

  /// Starts the work and returns the stream of results.
  ///
  /// After an interruption, it contains the results that are ready.
  ///
  /// Uses separate threads, because a worker blocks while it waits for its process.
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
  private static var itemsAhead: Int { 64 }

  /// A reference to the state, shared between threads.
  private final class WorkState: Sendable {
    let value: Mutex<State>
    /// Limits the number of items whose results wait for an earlier result.
    ///
    /// One item may take as long as a hundred thousand others, whose results would not fit in memory.
    let window: DispatchSemaphore
    /// The number of the next item.
    ///
    /// It has its own lock, because a thread that waits for an item must not keep others from delivering results.
    let next = Mutex(0)

    init(_ value: State) {
      // Starts at 0, because a semaphore must not be destroyed with a lower value than its initial one. An interruption
      // does that.
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
        // Wakes the next thread, so that it ends too.
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
      // The signal may have ended the worker's process.
      guard !state.isInterrupted else { return }
      if isLast { state.isStopped = true }
      state.waiting[index] = output
      // Under the lock, so that two threads can't yield in the wrong order.
      while let ready = state.waiting.removeValue(forKey: state.given) {
        continuation.yield(ready)
        state.given += 1
        shared.window.signal()
      }
    }
  }

  /// Yields the results that are ready, and ends the stream.
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
