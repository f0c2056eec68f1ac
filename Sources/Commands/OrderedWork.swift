import Dispatch
import Foundation
import Synchronization

/// Does the same work for many items on several threads, and gives the results in the order of the items.
package struct OrderedWork<Item: Sendable, Output: Sendable>: Sendable {
  /// Gives the item with a number.
  private let item: @Sendable (Int) -> Item?
  private let workers: Int
  /// Makes the worker of a thread.
  private let makeWorker: @Sendable () -> (Item) -> Output
  /// Whether a result is the last one wanted: items in progress are finished, no others are begun.
  private let isLast: @Sendable (Output) -> Bool
  private let interruption: Interruption

  /// Describes the work.
  ///
  /// - Parameters:
  ///   - workers: How many threads there are.
  ///   - makeWorker: Makes the worker of a thread.
  ///   - isLast: Whether a result is the last one wanted.
  ///   - interruption: What ends the work early.
  ///   - item: Gives the item with a number, and `nil` after the last; it is called by one thread at a time, with rising numbers, and
  ///     may wait.
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

  /// Describes the work for items that are known.
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

  /// So many items for each worker are begun before the result of an earlier one is there.
  private static var itemsAhead: Int { 64 }

  /// A lock that threads can share.
  private final class WorkState: Sendable {
    let value: Mutex<State>
    /// Lets so many items be begun whose results wait for that of an earlier one.
    ///
    /// One item may take as long as a hundred thousand others, of which not all results can be kept.
    let window: DispatchSemaphore
    /// The number of the next item.
    ///
    /// It has a lock of its own: a thread that waits for an item must not keep others from giving results.
    let next = Mutex(0)

    init(_ value: State) {
      // From 0: a semaphore may not go away with less than it began with, as it does after an interruption.
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
        // The others end, too.
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
      // Its process may have been ended by the signal.
      guard !state.isInterrupted else { return }
      if isLast { state.isStopped = true }
      state.waiting[index] = output
      // Under the lock, so that two threads cannot give them in the wrong order.
      while let ready = state.waiting.removeValue(forKey: state.given) {
        continuation.yield(ready)
        state.given += 1
        shared.window.signal()
      }
    }
  }

  /// Gives the results that are ready, and ends.
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
