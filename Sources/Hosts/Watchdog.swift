import ActionLog
import Dispatch
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// A timer that kills a process when it exceeds its time limit.
package final class Watchdog: Sendable {
  package let seconds: Double
  private let process: ChildProcess
  private let state = Mutex(State.watching)
  /// A dispatch source, because a canceled source is released at once.
  ///
  /// A delayed block would stay alive until the time limit.
  private let timer: DispatchSource?
  private let cancellation: Interruption?
  /// The ID of the action that is registered with `cancellation`.
  private let cancelAction = Mutex(Int?.none)

  private enum State {
    case watching
    case expired
    case stopped
  }

  /// Starts to watch a process.
  ///
  /// - Parameters:
  ///   - process: The process.
  ///   - seconds: The time limit.
  ///   - cancellation: An interruption that kills the process when it is requested.
  package init(_ process: ChildProcess, seconds: Double, until cancellation: Interruption? = nil) {
    self.seconds = seconds
    self.process = process
    self.cancellation = cancellation
    timer =
      seconds < Self.forever ? DispatchSource.makeTimerSource() as? DispatchSource : nil
    timer?.setEventHandler { [weak self] in self?.expire() }
    timer?.schedule(deadline: .now() + seconds)
    timer?.activate()
    let number = cancellation?.onRequest { [weak self] in self?.expire() }
    cancelAction.withLock { $0 = number }
  }

  deinit {
    timer?.cancel()
    forgetCancellation()
  }

  private func forgetCancellation() {
    cancellation?.cancelAction(cancelAction.withLock { $0.take() })
  }

  /// Kills the process now, unless the watchdog has been stopped.
  package func expire() {
    state.withLock { state in
      guard state == .watching else { return }
      state = .expired
      // Descendants of the process may keep its output open.
      process.killSession()
    }
  }

  /// About ten years in seconds: no limit in practice, but small enough that clock arithmetic can't overflow.
  package static let forever = 3e8

  /// Stops watching the process.
  package func stop() -> Bool {
    timer?.cancel()
    forgetCancellation()
    return state.withLock { state in
      defer { state = .stopped }
      return state == .expired
    }
  }
}
