import ActionLog
import Dispatch
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// A timer that kills a process if the process exceeds its time limit.
package final class Watchdog: Sendable {
  package let seconds: Double
  private let process: ChildProcess
  private let state = Mutex(State.watching)
  /// The timer, or `nil` if there is no time limit.
  ///
  /// The type is a dispatch source, because a canceled source is released at once. A delayed block would stay alive
  /// until the time limit.
  private let timer: DispatchSource?
  private let cancellation: Interruption?
  /// The ID of the action that is registered with the interruption, or `nil` if none is registered.
  private let cancelAction = Mutex(Int?.none)

  private enum State {
    case watching
    case expired
    case stopped
  }

  /// Starts to watch a process.
  ///
  /// - Parameters:
  ///   - process: The process to watch.
  ///   - seconds: The time limit in seconds.
  ///   - cancellation: An interruption that kills the process when it is requested, or `nil` if there is none.
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

  /// Kills the watched process now, unless the watchdog has been stopped.
  package func expire() {
    state.withLock { state in
      guard state == .watching else { return }
      state = .expired
      // Descendants of the process may keep its output open, so they are killed too.
      process.killSession()
    }
  }

  /// A time limit of about ten years in seconds, which is no limit in practice.
  ///
  /// The value is small enough that clock arithmetic can't overflow.
  package static let forever = 3e8

  /// Stops watching the process.
  ///
  /// - Returns: Whether the watchdog has killed the process.
  package func stop() -> Bool {
    timer?.cancel()
    forgetCancellation()
    return state.withLock { state in
      defer { state = .stopped }
      return state == .expired
    }
  }
}
