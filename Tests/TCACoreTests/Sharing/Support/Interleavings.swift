import Foundation
import Synchronization
import Testing

/// Threads that run one at a time and switch at given points.
///
/// ```swift
/// let orders = Interleavings.count { turns in
///   let count = Counter(turns)
///   turns.add { count.increment() }
///   turns.add { count.increment() }
///   return { #expect(count.value == 2) }
/// }
/// ```
final class Interleavings: Sendable {
  private final class Worker: Sendable {
    let go = DispatchSemaphore(value: 0)
    let isDone = Mutex(false)
  }

  private struct Choice {
    var taken: Int
    var of: Int
  }

  private static let key = "tca-replay.interleavings.worker"
  private let workers = Mutex<[Worker]>([])
  private let stopped = DispatchSemaphore(value: 0)

  private init() {}

  /// Runs threads in each order in which they can switch.
  ///
  /// - Parameter make: Adds the threads for one run, and returns a check of the result.
  /// - Returns: The number of orders.
  @discardableResult
  static func count(_ make: (Interleavings) -> () -> Void) -> Int {
    var orders = 0
    var choices: [Choice] = []
    repeat {
      let turns = Interleavings()
      let check = make(turns)
      choices = turns.run(choices.map(\.taken))
      check()
      orders += 1
      while let last = choices.popLast() {
        guard last.taken + 1 < last.of else { continue }
        choices.append(Choice(taken: last.taken + 1, of: last.of))
        break
      }
    } while !choices.isEmpty
    return orders
  }

  /// Adds a thread, which waits until it is scheduled.
  func add(_ work: @escaping @Sendable () -> Void) {
    let worker = Worker()
    workers.withLock { $0.append(worker) }
    let thread = Thread { [stopped] in
      Thread.current.threadDictionary[Self.key] = worker
      worker.go.wait()
      work()
      worker.isDone.withLock { $0 = true }
      stopped.signal()
    }
    thread.start()
  }

  /// Lets another thread run.
  ///
  /// Does nothing on a thread that was not added.
  func pause() {
    guard let worker = Thread.current.threadDictionary[Self.key] as? Worker else { return }
    stopped.signal()
    worker.go.wait()
  }

  /// Runs the threads to their ends, first in a given order, then always the first one.
  ///
  /// A prefix that was possible before is possible again, unless something outside the threads affects them.
  private func run(_ given: [Int]) -> [Choice] {
    var choices: [Choice] = []
    while true {
      let waiting = workers.withLock { $0 }.filter { !$0.isDone.withLock { $0 } }
      guard !waiting.isEmpty else { return choices }
      let wanted = choices.count < given.count ? given[choices.count] : 0
      let isPossible = waiting.indices.contains(wanted)
      if !isPossible { Issue.record("thread \(wanted) of order \(given) has ended already") }
      let taken = isPossible ? wanted : 0
      choices.append(Choice(taken: taken, of: waiting.count))
      waiting[taken].go.signal()
      stopped.wait()
    }
  }
}
