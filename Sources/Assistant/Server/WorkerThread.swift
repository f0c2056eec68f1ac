import Dispatch
import Foundation
import Synchronization

/// A thread that performs one piece of work after another, with its own desk.
///
/// Lookups have a separate lane, so that they do not wait for work with hosts.
final class WorkerThread: Sendable {
  typealias Work = @Sendable (WorkerContext) -> Void

  private struct State {
    var work: [Work] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let signal = DispatchSemaphore(value: 0)

  /// The stack size in bytes.
  ///
  /// Values of logs can be nested up to the limit of the parser, and are processed recursively.
  private static let stackSize = 16 * 1024 * 1024

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - setup: The settings of the desk.
  ///   - didEnd: Called when the thread has ended.
  init(_ setup: AssistantSetup, didEnd: @escaping @Sendable () -> Void) {
    let thread = Thread { [self] in
      let desk = WorkerContext(setup)
      while let work = next() { work(desk) }
      didEnd()
    }
    thread.stackSize = Self.stackSize
    thread.start()
  }

  /// Adds work.
  func enqueue(_ work: @escaping Work) {
    state.withLock { $0.work.append(work) }
    signal.signal()
  }

  /// Ends the thread after its remaining work.
  ///
  /// - Parameter isDropping: Whether waiting work is dropped.
  func close(dropsWork isDropping: Bool) {
    state.withLock { state in
      state.isClosed = true
      if isDropping { state.work = [] }
    }
    signal.signal()
  }

  private func next() -> Work? {
    while true {
      signal.wait()
      let (work, isClosed) = state.withLock { state -> (Work?, Bool) in
        (state.work.isEmpty ? nil : state.work.removeFirst(), state.isClosed)
      }
      if let work { return work }
      if isClosed { return nil }
    }
  }
}
