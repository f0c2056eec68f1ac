import Dispatch
import Foundation
import Synchronization

/// A thread that does one piece of work after the other, with a desk of its own.
///
/// Look-ups have a lane beside that of the work of hosts, so that they do not wait for it.
final class WorkLane: Sendable {
  typealias Work = @Sendable (WorkDesk) -> Void

  private struct State {
    var work: [Work] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let signal = DispatchSemaphore(value: 0)

  /// Bytes: values of logs are nested up to the limit of the parser, and are walked by recursion.
  private static let stackSize = 16 * 1024 * 1024

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - setup: The settings of its desk.
  ///   - didEnd: Called when it has ended.
  init(_ setup: AssistantSetup, didEnd: @escaping @Sendable () -> Void) {
    let thread = Thread { [self] in
      let desk = WorkDesk(setup)
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

  /// Ends the thread when its work is done.
  ///
  /// - Parameter isDropping: Whether work that waits is dropped.
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
